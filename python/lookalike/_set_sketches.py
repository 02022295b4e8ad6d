"""Samples of sets of features, as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _core, _data, _settings
from ._fingerprints import whole_numbers
from ._options import PlanOptions
from .errors import DataError

_USUAL = "bottom-k:128"


class SetSketch:
    """A sample of a set of features: merged, compared, stored without the text.

    Unlike a :class:`Sketch` it estimates containment as well as resemblance, and makes no band keys.

    Args:
        text: The text that it is of.
        **options: The command's options (:class:`PlanOptions`) that decide features (``shingle``,
            ``normalize``, ``bag`` and so on, ``seed``), and ``sketch``: ``bottom-k:K``, the K least
            by a random order (the default, with 128); ``mod-m:M``, those whose number M divides;
            ``fracminhash:S``, those in the first of S parts of the order.

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

    def __init__(self, text: str = "", **options: Unpack[PlanOptions]) -> None:
        self._core = _core.SetSketch.of_text(_data.text_bytes(text), _made(options))

    @classmethod
    def _of(cls, core: _core.SetSketch) -> SetSketch:
        made = cls.__new__(cls)
        made._core = core
        return made

    @classmethod
    def of_features(
        cls,
        features: npt.NDArray[np.uint64] | Sequence[int],
        **options: Unpack[PlanOptions],
    ) -> SetSketch:
        """The sample of 64-bit numbers, as :meth:`Fingerprinter.features` gives them.

        Raises:
            DataError: `features` are no whole numbers of 64 bits, or not in one dimension.
        """
        values = whole_numbers("features", features, np.uint64)
        return cls._of(_core.SetSketch.of_features(values, _made(options)))

    @classmethod
    def from_bytes(cls, data: bytes) -> SetSketch:
        """What :meth:`to_bytes` gave; raises RunError for other bytes, cut off or changed."""
        try:
            return cls._of(_core.SetSketch.from_bytes(bytes(memoryview(data))))
        except TypeError as error:
            kind = type(data).__name__
            raise DataError(f"a stored sketch is of type {kind}, expected bytes") from error

    def to_bytes(self) -> bytes:
        """The sample as bytes of a documented format; equal for equal samples."""
        return self._core.to_bytes()

    @property
    def sketch(self) -> str:
        """Kind and parameter: ``bottom-k:128``."""
        return self._core.name

    @property
    def shingle(self) -> str:
        """What a feature is."""
        return self._core.shingle

    @property
    def seed(self) -> int:
        """Of all hashing."""
        return self._core.seed

    @property
    def values(self) -> npt.NDArray[np.uint64]:
        """A copy of the sampled features' places in the order of all, ascending."""
        return self._core.values

    def merge(self, other: SetSketch) -> SetSketch:
        """The sample of the union of both sets, exactly. Raises RunError where they differ in kind,
        parameter, features or seed, and DataError where `other` is no sample."""
        merged = self._core.copy()
        merged.merge(_sample(other)._core)
        return self._of(merged)

    def resemblance(self, other: SetSketch) -> tuple[float, float]:
        """An estimate of the resemblance, and its standard error; raises RunError as
        :meth:`merge`."""
        return self._core.resemblance(_sample(other)._core)

    def containment(self, other: SetSketch) -> tuple[float, float]:
        """An estimate of the share of this set's features that `other` has, and its standard
        error; raises RunError as :meth:`merge`."""
        return self._core.containment(_sample(other)._core)

    def feature_count(self) -> tuple[float, float]:
        """An estimate of how many distinct features the set has, and its standard error."""
        return self._core.feature_count()

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, SetSketch) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).from_bytes, (self.to_bytes(),))

    def __repr__(self) -> str:
        return f"<SetSketch {self.sketch} of {self.shingle}, seed {self.seed}>"


def _made(options: PlanOptions) -> Any:
    return _settings.make_options("plan", {"sketch": _USUAL, **options})


def _sample(other: object) -> SetSketch:
    if isinstance(other, SetSketch):
        return other
    raise DataError(f"other is of type {type(other).__name__}, expected a SetSketch")
