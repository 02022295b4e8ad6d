"""Fingerprints of whole columns of texts, and sketches as values."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import _core, _items, _keywords, _progress, _settings
from ._compressed_sketches import CompressedSketch
from ._items import Items
from ._options import PlanOptions, PlanOptionsWithoutWeights
from ._sketch_values import SketchValue
from .errors import DataError, LookalikeError, OptionError

_COLUMN = "text"


class Fingerprints(NamedTuple):
    """The fingerprints of n texts from a :class:`Fingerprinter`; None for parts not requested."""

    #: (n, coordinates) uint32; all 0xFFFFFFFF for a text without words.
    sketches: npt.NDArray[np.uint32] | None
    #: (n, keys) uint64 (:meth:`to_arrow` also gives them signed or as bytes); all 0 for a text
    #: that is in no pair: leave these rows out of a join.
    keys: npt.NDArray[np.uint64] | None
    #: (n,) uint32: numbers of distinct features; 0 for a text without words.
    counts: npt.NDArray[np.uint32] | None

    def to_arrow(self, integers: Literal["unsigned", "signed", "binary"] = "unsigned") -> pa.Table:
        """The fingerprints as a table of n rows, for tools that read Arrow.

        Args:
            integers: ``"unsigned"`` for keys of uint64 and coordinates of uint32. ``"signed"`` for
                tools that have no unsigned numbers (Spark, Hugging Face ``datasets.map``): int64
                and int32 with the same bits, so that equal keys stay equal; counts are int64.
                ``"binary"`` stores each key as 8 bytes, the most significant first, and is
                otherwise like ``"signed"``.

        Returns:
            A table with the lists ``sketches`` and ``keys`` and the numbers ``counts``, without
            those that were not requested.

        Raises:
            OptionError: `integers` has another value.

        Example:
            >>> import lookalike
            >>> made = lookalike.Fingerprinter(design="bands:4x8", sketch="fss:64")(["one two"])
            >>> made.to_arrow("signed").schema.field("keys").type
            ListType(list<item: int64>)
        """
        if integers not in ("unsigned", "signed", "binary"):
            raise OptionError(
                f"integers={integers!r} is not allowed; use 'unsigned', 'signed' or 'binary'"
            )
        columns: dict[str, pa.Array] = {}
        unsigned = integers == "unsigned"
        if self.sketches is not None:
            columns["sketches"] = _lists(self.sketches, np.uint32 if unsigned else np.int32)
        if self.keys is not None:
            kind = None if integers == "binary" else np.uint64 if unsigned else np.int64
            columns["keys"] = _lists(self.keys, kind)
        if self.counts is not None:
            columns["counts"] = pa.array(self.counts if unsigned else self.counts.astype(np.int64))
        return pa.table(columns)


def _lists(rows: npt.NDArray[Any], kind: type[np.integer[Any]] | None) -> pa.ListArray:
    """Returns one list per row, of numbers of `kind` with the same bits; None: of their bytes."""
    flat = rows.reshape(-1)
    if kind is None:
        width = flat.dtype.itemsize
        data = pa.py_buffer(flat.astype(flat.dtype.newbyteorder(">")).tobytes())
        values = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(flat), [None, data])
    else:
        values = pa.array(flat.view(kind))
    ends = np.arange(len(rows) + 1, dtype=np.int64) * rows.shape[1]
    if len(flat) < 1 << 31:
        return pa.ListArray.from_arrays(pa.array(ends.astype(np.int32)), values)
    return pa.LargeListArray.from_arrays(pa.array(ends), values)


@_keywords.takes(PlanOptions)
class Fingerprinter:
    """Turns columns of texts into sketches and band keys, as ``dedup`` does.

    Args:
        documents: The size of the collection that a design is planned for.
        **options: The options of :func:`plan`: ``shingle``, ``sketch``, ``design``, ... With
            ``method="exact"`` there are no keys.

    Raises:
        OptionError: An option is unknown or has a wrong value, or no design reaches the recall.

    Example:
        >>> import lookalike
        >>> fingerprinter = lookalike.Fingerprinter(design="bands:4x8", sketch="fss:64")
        >>> made = fingerprinter(["one two three four five", "One, two, three, four: five!", "?"])
        >>> made.sketches.shape, made.keys.shape
        ((3, 64), (3, 4))
        >>> bool((made.keys[0] == made.keys[1]).all()), made.keys[2].tolist()
        (True, [0, 0, 0, 0])
    """

    def __init__(self, documents: int = 1 << 20, **options: Unpack[PlanOptions]) -> None:
        count = document_count(documents)
        self._made_of: tuple[int, dict[str, Any]] = (count, dict(options))
        made = _made(options)
        self._shingle: str = made.texts()["shingle"]
        self._engine: _core.Fingerprinter = _core.Fingerprinter(made, count)

    @property
    def coordinates(self) -> int:
        """The number of coordinates of a sketch."""
        return self._engine.coordinates

    @property
    def keys(self) -> int:
        """The number of band keys of a text."""
        return self._engine.keys

    @property
    def design(self) -> str:
        """The resolved design, or ``exact``."""
        return self._engine.design

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), *self._made_of)

    def __repr__(self) -> str:
        return f"<Fingerprinter {self.design}: {self.coordinates} coordinates, {self.keys} keys>"

    def __call__(
        self,
        texts: Any,
        *,
        sketches: bool = True,
        keys: bool = True,
        counts: bool = False,
        progress: bool | None = None,
    ) -> Fingerprints:
        """Returns the fingerprints of n texts. Neither Arrow columns nor the results are copied.

        Args:
            texts: An Arrow array or chunked array of text, a polars or pandas column, or a list of
                str. With ``shingle="item"`` also columns of lists of text or whole numbers, and
                lists of lists or sets. A null counts as a text without words.
            sketches, keys, counts: The parts to make. Counts require sorting each text's features.
            progress: If true, shows a progress bar. None: only in notebooks and terminals.

        Raises:
            DataError: `texts` is not a column, but for example a table, a mapping or a set.
            RunError: It does not hold texts, or a text is larger than 372 MiB.
            KeyboardInterrupt: Within a second; the current text is finished first, and a text of
                100 MB can take longer.

        Example:
            >>> import lookalike, pyarrow as pa
            >>> column = pa.array(["a rose is a rose is a rose", None])
            >>> lookalike.Fingerprinter()(column, counts=True).counts.tolist()
            [3, 0]
        """
        table = _core.import_table(table_of(texts, self._shingle))
        with _progress.ProgressBar(progress, "fingerprint") as bar:
            made = self._engine.run(table, _COLUMN, sketches, keys, counts, bar.callback)
        return Fingerprints(*made)

    def features(self, text: str | Items) -> npt.NDArray[np.uint64]:
        """Returns the set of features of one text: distinct 64-bit hashes, ascending.

        With ``shingle="item"``, a list or set of tokens (text or whole numbers) works too.

        Example:
            >>> import lookalike
            >>> len(lookalike.Fingerprinter(shingle="word:1").features("a rose is a rose"))
            3
        """
        return self._engine.features(_items.bytes_of(text, self._shingle))


@_keywords.takes(PlanOptions)
class Sketch(SketchValue):
    """The sketch of a set of features: can be merged, compared, and stored without the text.

    Args:
        text: The text to represent; with ``shingle="item"`` also a list or set of tokens.
        **options: The options of :func:`plan`. Only the options that decide features matter, and
            ``sketch``, the kind and number of coordinates.

    Raises:
        OptionError: An option is unknown or has a wrong value.

    Example:
        >>> import lookalike
        >>> a, b = lookalike.Sketch("one two three four five six"), lookalike.Sketch("one two")
        >>> a.merge(b).resemblance(a)[0] > 0
        True
        >>> lookalike.Sketch.from_bytes(a.to_bytes()) == a
        True
    """

    _core_type = _core.Sketch

    def __init__(self, text: str | Items = "", **options: Unpack[PlanOptions]) -> None:
        made = _made(options)
        self._core = _core.Sketch.of_text(_items.bytes_of(text, made.texts()["shingle"]), made)

    @classmethod
    @_keywords.takes(PlanOptions)
    def of_features(
        cls,
        features: npt.NDArray[np.uint64] | Sequence[int],
        **options: Unpack[PlanOptions],
    ) -> Sketch:
        """Makes the sketch of 64-bit hashes, as :meth:`Fingerprinter.features` returns them.

        In an array, signed 64-bit numbers are read as unsigned numbers with the same bits.

        Raises:
            DataError: `features` are not 64-bit whole numbers in one dimension.

        Example:
            >>> import lookalike
            >>> text = "one two three four five six"
            >>> features = lookalike.Fingerprinter().features(text)
            >>> lookalike.Sketch.of_features(features) == lookalike.Sketch(text)
            True
        """
        values = whole_numbers("features", features, np.uint64)
        return cls._of(_core.Sketch.of_features(values, _made(options)))

    @classmethod
    @_keywords.takes(PlanOptionsWithoutWeights)
    def of_weighted(
        cls,
        features: npt.NDArray[np.uint64] | Sequence[int],
        weights: npt.NDArray[np.float64] | Sequence[float],
        **options: Unpack[PlanOptionsWithoutWeights],
    ) -> Sketch:
        """Makes the sketch of weighted 64-bit hashes. Comparing two such sketches estimates the sum
        of the smaller weights of each feature over the sum of the larger ones.

        ``sketch="weighted:128"`` uses the weights unchanged. Other kinds count a weight in whole
        units of ``weight_unit``; a remainder of half a unit counts as one more unit with
        probability one half, and so on.

        Raises:
            DataError: `features` are not 64-bit whole numbers, or `weights` are not numbers.
            RunError: Their numbers differ, a feature occurs twice, or a weight is not positive.

        Example:
            >>> import lookalike
            >>> a = lookalike.Sketch.of_weighted([1 << 60, 2 << 60], [3, 1], sketch="weighted:128")
            >>> b = lookalike.Sketch.of_weighted([1 << 60, 3 << 60], [3, 2], sketch="weighted:128")
            >>> estimate, error = a.resemblance(b)
            >>> abs(estimate - 1 / 2) < 4 * error
            True
        """
        values = whole_numbers("features", features, np.uint64)
        numbers_given = _real_numbers("weights", weights)
        return cls._of(_core.Sketch.of_weighted(values, numbers_given, _made(options)))

    @classmethod
    @_keywords.takes(PlanOptions)
    def of_coordinates(
        cls,
        coordinates: npt.NDArray[np.uint32] | Sequence[int],
        **options: Unpack[PlanOptions],
    ) -> Sketch:
        """Makes the sketch whose coordinates are one row of :attr:`Fingerprints.sketches`.

        In an array, signed 32-bit numbers are read as unsigned numbers with the same bits.

        Raises:
            DataError: `coordinates` are not 32-bit whole numbers in one dimension.
            RunError: A sketch of this kind cannot have these coordinates.

        Example:
            >>> import lookalike
            >>> row = lookalike.Fingerprinter()(["one two"]).sketches[0]
            >>> lookalike.Sketch.of_coordinates(row) == lookalike.Sketch("one two")
            True
        """
        values = whole_numbers("coordinates", coordinates, np.uint32)
        return cls._of(_core.Sketch.of_coordinates(values, _made(options)))

    def update(self, features: npt.NDArray[np.uint64] | Sequence[int]) -> None:
        """Adds 64-bit hashes, as :meth:`Fingerprinter.features` returns them, to the set.

        The sketch itself changes, like a set: do not update a sketch that is a key of a dict.

        Raises:
            DataError: `features` are not 64-bit whole numbers in one dimension.
            RunError: The sketch is ``one-permutation:K:densified``, which cannot grow.

        Example:
            >>> import lookalike
            >>> hashed = lookalike.Fingerprinter(shingle="item").features
            >>> sketch = lookalike.Sketch(["tea"], shingle="item")
            >>> sketch.update(hashed({"milk", "bread"}))
            >>> sketch == lookalike.Sketch(["bread", "milk", "tea"], shingle="item")
            True
        """
        self._core.update(whole_numbers("features", features, np.uint64))

    @property
    def empty(self) -> bool:
        """True if the sketch represents an empty set."""
        empty: bool = self._core.empty
        return empty

    @property
    def coordinates(self) -> npt.NDArray[np.uint32]:
        """A copy of the coordinates."""
        values: npt.NDArray[np.uint32] = self._core.coordinates
        return values

    def compressed(self, bits: int) -> CompressedSketch:
        """Returns a sketch that keeps 1, 2, 4, 8 or 16 bits per coordinate. Raises OptionError for
        other numbers."""
        if isinstance(bits, bool) or not isinstance(bits, numbers.Integral):
            raise OptionError(f"bits has type {type(bits).__name__}, expected a whole number")
        if not 0 <= bits < 1 << 32:
            raise OptionError(f"bits={bits} is not allowed; use 1, 2, 4, 8 or 16")
        return CompressedSketch._of(self._core.compressed(int(bits)))


def _remade(kind: type[Fingerprinter], documents: int, options: dict[str, Any]) -> Fingerprinter:
    """Returns the fingerprinter that was pickled."""
    return kind(documents, **options)


def whole_numbers(argument: str, given: Any, dtype: type[np.unsignedinteger[Any]]) -> Any:
    """Returns `given` as numbers of `dtype`. Raises an error for numbers that NumPy would round or
    truncate: they would give the sketch of another set."""
    bits = np.dtype(dtype).itemsize * 8
    wrong = f"{argument} must be whole numbers of {bits} bits in one dimension"
    try:
        if not hasattr(given, "__array__"):
            # On its own, NumPy turns a list of small and large numbers into floats.
            given = list(given)
            if any(isinstance(v, (bool, np.bool_)) for v in given) or not all(
                isinstance(v, numbers.Integral) for v in given
            ):
                raise DataError(f"{wrong}; a value is not a whole number")
            return np.array(given, dtype=dtype)
        values = np.asarray(given)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{wrong}: {error}") from error
    if values.ndim != 1:
        raise DataError(f"{wrong}; the array has {values.ndim} dimensions")
    if values.size == 0:
        return np.empty(0, dtype)
    if values.dtype.kind not in "iu":
        raise DataError(f"{wrong}; the array has the type {values.dtype}")
    same_bits = values.dtype.itemsize * 8 == bits
    if not same_bits and (int(values.min()) < 0 or int(values.max()) >= 1 << bits):
        raise DataError(f"{wrong}; the array has values out of that range")
    return np.ascontiguousarray(values, dtype=dtype)


def document_count(documents: Any) -> int:
    """Returns the size of a collection in the form that the engine takes."""
    if isinstance(documents, bool) or not isinstance(documents, numbers.Integral):
        kind = type(documents).__name__
        raise OptionError(f"documents has type {kind}, expected a whole number")
    count = int(documents)
    if not 0 <= count < 1 << 64:
        raise OptionError(f"documents={documents} is not allowed; use 0 to 2^64-1")
    return count


def table_of(texts: Any, shingle: str) -> pa.Table:
    """Returns a table of one column, which shares the texts if they are Arrow data."""
    if isinstance(texts, (str, bytes)):
        raise DataError("texts is a single text, expected a column of texts; pass [text]")
    if isinstance(texts, (Mapping, Set)):
        raise DataError(f"texts is a {type(texts).__name__}, expected a column; pass a list")
    try:
        if not isinstance(texts, (pa.Array, pa.ChunkedArray)):
            if hasattr(texts, "__arrow_c_stream__"):
                texts = pa.chunked_array(texts)
            elif hasattr(texts, "__arrow_c_array__"):
                texts = pa.array(texts)
            else:
                texts = _array_of_list(list(texts), shingle)
        if _is_lists(texts.type):
            _items.check_shingle(shingle)
            texts = _items.column_of(texts)
        table = pa.table({_COLUMN: texts})
    except LookalikeError:
        raise
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(f"texts cannot be converted to a text column: {error}") from error
    if pa.types.is_struct(table.schema.field(_COLUMN).type):
        raise DataError("texts is a table, expected one of its columns; pass table[NAME]")
    return table


def _is_lists(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    )


def _array_of_list(texts: list[Any], shingle: str) -> pa.Array:
    """Returns texts as an array. Lone surrogates, which are not UTF-8, are kept as for a Sketch."""
    if any(map(_items.is_items, texts)):
        _items.check_shingle(shingle)
        texts = [_items.text_of(row) if _items.is_items(row) else row for row in texts]
    try:
        return pa.array(texts, pa.large_utf8())
    except UnicodeEncodeError:
        encoded = [t.encode("utf-8", "surrogatepass") if isinstance(t, str) else t for t in texts]
        return pa.array(encoded, pa.large_binary()).view(pa.large_utf8())


def _real_numbers(argument: str, given: Any) -> Any:
    wrong = f"{argument} must be numbers in one dimension"
    try:
        values = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{wrong}: {error}") from error
    if values.ndim != 1 or np.ndim(given) != 1:
        raise DataError(f"{wrong}; they have {np.ndim(given)} dimensions")
    return values


def _made(options: PlanOptions | PlanOptionsWithoutWeights) -> _core.Options:
    return _settings.make_options("plan", dict(options))
