"""Samples of sets of features, as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _core, _items, _keywords, _settings
from ._fingerprints import whole_numbers
from ._items import Items
from ._options import PlanOptions
from ._sketch_values import SketchValue

_USUAL = "bottom-k:128"


@_keywords.takes(PlanOptions, sketch=_USUAL)
class SetSketch(SketchValue):
    """A sample of a set of features: can be merged, compared, and stored without the text.

    Unlike a :class:`Sketch`, it also estimates containment, but cannot make band keys.

    Args:
        text: The text to represent; with ``shingle="item"`` also a list or set of tokens.
        sketch: The sample: ``bottom-k:K``, the K least features by a random order (the default,
            with 128); ``mod-m:M``, features whose hash is divisible by M; ``fracminhash:S``,
            features in the first of S equal parts of the order.
        **options: The options of :func:`plan`. Only the options that decide features matter.

    Raises:
        OptionError: An option is unknown or has a wrong value.

    Example:
        >>> import lookalike
        >>> a = lookalike.SetSketch("one two three four", shingle="word:1")
        >>> b = lookalike.SetSketch("two three", shingle="word:1")
        >>> a.resemblance(b), b.containment(a)
        ((0.5, 0.0), (1.0, 0.0))
        >>> a.merge(b) == a
        True
    """

    _core_type = _core.SetSketch

    def __init__(self, text: str | Items = "", **options: Unpack[PlanOptions]) -> None:
        made = _made(options)
        self._core = _core.SetSketch.of_text(_items.bytes_of(text, made.texts()["shingle"]), made)

    @classmethod
    @_keywords.takes(PlanOptions, sketch=_USUAL)
    def of_features(
        cls,
        features: npt.NDArray[np.uint64] | Sequence[int],
        **options: Unpack[PlanOptions],
    ) -> SetSketch:
        """Makes the sample of 64-bit numbers, as :meth:`Fingerprinter.features` returns them.

        Raises:
            DataError: `features` are not 64-bit whole numbers in one dimension.
        """
        values = whole_numbers("features", features, np.uint64)
        return cls._of(_core.SetSketch.of_features(values, _made(options)))

    def update(self, features: npt.NDArray[np.uint64] | Sequence[int]) -> None:
        """Adds 64-bit numbers to the set, as :meth:`of_features` takes them. The sample itself
        changes, like a set."""
        self._core.update(whole_numbers("features", features, np.uint64))

    @property
    def values(self) -> npt.NDArray[np.uint64]:
        """A copy of the order values of the sampled features, ascending."""
        values: npt.NDArray[np.uint64] = self._core.values
        return values

    def containment(self, other: SetSketch) -> tuple[float, float]:
        """Estimates the share of this set's features that `other` has. Returns the estimate and its
        standard error; raises RunError as :meth:`merge` does."""
        estimate: tuple[float, float] = self._core.containment(self._same(other)._core)
        return estimate


def _made(options: PlanOptions) -> Any:
    return _settings.make_options("plan", {"sketch": _USUAL, **options})
