"""The steps of the engine over Arrow tables, for programs that move documents and records
themselves: jobs on many machines, shards, an index, a notebook. :func:`lookalike.dedup` runs the
same functions over collections of any size.

Documents are numbered from 0, by their rows; of two near-duplicates, the one with the lower number
is kept. Columns are shared with the engine, not copied, where they are one chunk.

>>> from lookalike import engine
>>> steps = engine.Engine(threshold=0.5, shingle="word:2", method="exact")
>>> rows = steps.extract(["a rose is a rose", "a rose is a rose is a rose", "a daisy is no rose"])
>>> edges = steps.verify(steps.join(rows), rows)
>>> engine.keep(edges, len(rows)).select(["removed", "witness"]).to_pylist()
[{'removed': 1, 'witness': 0}]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import _core, _data, _fingerprints, _keywords, _runs, _settings
from ._options import PlanOptions, SketchOptions
from .errors import DataError, OptionError

__all__ = ["Engine", "classes", "group", "keep", "read"]

_COLUMN = "text"
_HASH_BYTES = 16


#: Columns of :func:`read`.
DOCUMENTS_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("row", pa.uint64()),
        ("id", pa.large_string()),
        ("text", pa.large_string()),
    ]
)


@_keywords.takes(SketchOptions)
def read(
    data: _data.Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    **options: Unpack[SketchOptions],
) -> Iterator[pa.RecordBatch]:
    """Reads documents from anything that :func:`lookalike.dedup` reads, in the same order.

    Args:
        data: The data to read, as for :func:`lookalike.dedup`.
        text: The column of texts. None: ``text``, else ``content``, ``body`` or ``document``.
        id: The column of ids. None: ``id``, if there is one.
        **options: The options of :func:`lookalike.sketch` that say how to read, and which part of
            a text is compared (``shingle``, ``pages``).

    Returns:
        An iterator of batches of about a megabyte, each of one input, with the columns source, row
        (from 1), id (``source:row`` if there is none) and text (the text to compare: for a page,
        the selected part; null for a null). Records that cannot be read are left out, each with a
        warning.

    Raises:
        OptionError, DataError, RunError: As :func:`lookalike.dedup` before its first record, or
            when an input cannot be read.

    Example:
        >>> import pyarrow as pa
        >>> from lookalike import engine
        >>> table = pa.table({"text": ["one text", "and another"]})
        >>> [batch.num_rows for batch in engine.read(table)]
        [2]
    """
    return _read(data, _settings.make_options("sketch", options, text=text, id=id))


def _read(data: _data.Data, made: _core.Options) -> Iterator[pa.RecordBatch]:
    with _runs.begin("read", None, False) as run:
        sources = run.sources(data, None, made)
        reader = _core.open_reader(sources.names, sources.tables, made)
        found: Any = ()
        while found is not None:
            try:
                found = reader.next()
            finally:
                for line in reader.take_messages():
                    run.log.line(line)
            if found is not None:
                yield _documents(found)


def _documents(found: Any) -> pa.RecordBatch:
    source, text_offsets, texts, id_offsets, ids, rows, nulls, _ = found
    count = len(rows)
    present = pa.array(nulls == 0)
    columns = [
        pa.repeat(source, count),
        pa.array(rows),
        pa.LargeStringArray.from_buffers(count, pa.py_buffer(id_offsets), pa.py_buffer(ids)),
        pa.LargeStringArray.from_buffers(
            count,
            pa.py_buffer(text_offsets),
            pa.py_buffer(texts),
            present.buffers()[1] if nulls.any() else None,
        ),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=DOCUMENTS_SCHEMA)


@_keywords.takes(PlanOptions)
class Engine:
    """The rules of one comparison, and the steps that depend on them.

    Args:
        documents: The size of the collection that a design is planned for.
        goal: ``"keep"`` finds enough pairs to decide what is kept, as ``dedup`` does; ``"pairs"``
            finds all pairs.
        reference_end: Documents with lower numbers are a reference, as with ``against``: pairs of
            two of them do not count, nor, for ``"pairs"``, do pairs of two others.
        **options: The options of :func:`lookalike.plan` that decide which documents are
            near-duplicates: ``threshold``, ``shingle``, ``design``, ...

    Raises:
        OptionError: An option is unknown or has a wrong value, no design reaches the recall, or the
            method or measure is not offered step by step.
    """

    def __init__(
        self,
        documents: int = 1 << 20,
        goal: Literal["keep", "pairs"] = "keep",
        *,
        reference_end: int = 0,
        **options: Unpack[PlanOptions],
    ) -> None:
        if goal not in ("keep", "pairs"):
            raise OptionError(f"goal={goal!r} is not allowed; use 'keep' or 'pairs'")
        self._set(documents, goal == "pairs", reference_end, dict(options), {})

    @classmethod
    def _guarded(
        cls,
        documents: int,
        all_pairs: bool,
        reference_end: int,
        options: Mapping[str, Any],
        guards: Mapping[str, Sequence[str]],
    ) -> Engine:
        """With guards, for programs that join documents by their words, as ``lookalike.spark``.

        `guards`: ``differ``, ``same`` and ``not_same``, where they are given.
        """
        engine = cls.__new__(cls)
        engine._set(documents, all_pairs, reference_end, options, guards)
        return engine

    def _set(
        self,
        documents: int,
        all_pairs: bool,
        reference_end: int,
        options: Mapping[str, Any],
        guards: Mapping[str, Sequence[str]],
    ) -> None:
        count = _fingerprints.document_count(documents)
        made = _settings.make_options("plan", options)
        given = {name: list(values) for name, values in guards.items()}
        self._options: dict[str, str] = made.texts()
        self._engine: _core.Engine = _core.make_engine(
            made, count, all_pairs, reference_end, **given
        )

    @property
    def options(self) -> dict[str, str]:
        """The value of every option, as the command takes it; see `design` for the design."""
        return dict(self._options)

    @property
    def design(self) -> str:
        """The resolved design, or ``exact``."""
        return self._engine.design

    @property
    def levels(self) -> int:
        """The number of levels of the join; see :meth:`join_keys`."""
        return self._engine.levels

    def extract(self, texts: Any) -> pa.Table:
        """Extracts from each text everything that the other steps need.

        Args:
            texts: A column of texts, as a :class:`lookalike.Fingerprinter` takes it.

        Returns:
            A table with one row per text: ``features`` (its feature set: a large list of uint64,
            ascending), ``hash`` (16 bytes, equal exactly for equal feature streams), ``searched``
            (0: not searched, in no pair; 1: by its keys; 2: by its features, because it has few),
            ``code`` (bytes that rule out most candidates), ``text_hash`` (uint64, of the text's
            bytes) and, if the design has keys, ``keys`` (uint64). Tables of several batches may be
            concatenated.

        Raises:
            DataError: `texts` is not a column of texts.
            RunError: A text is too long, or does not have the form that the shingle needs.
        """
        table = _core.import_table(_fingerprints.table_of(texts, self._options["shingle"]))
        made = self._engine.extract(table, _COLUMN, False, None, None, np.empty(0, np.uint8))
        features, offsets, hashes, searched, codes, keys, text_hashes, *_ = made
        columns = {
            "features": pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(features)),
            "hash": _binary(hashes, _HASH_BYTES),
            "searched": pa.array(searched),
            "code": _binary(codes, self._engine.code_bytes),
            "text_hash": pa.array(text_hashes),
        }
        if self._engine.keys:
            columns["keys"] = pa.FixedSizeListArray.from_arrays(pa.array(keys), self._engine.keys)
        return pa.table(columns)

    def join(self, rows: pa.Table, documents: Any = None) -> pa.Table:
        """Finds candidate pairs.

        Args:
            rows: The table that :meth:`extract` returned.
            documents: The rows to join, ascending; None: all rows. Leave out copies of others (see
                :func:`classes`).

        Returns:
            A table of pairs ``a`` < ``d``, ascending by (d, a). Most of them are near-duplicates,
            but only :meth:`verify` decides.

        Raises:
            DataError: `rows` lacks a column, or `documents` are not whole numbers.
            RunError: The columns do not belong together, or `documents` do not ascend.
        """
        chosen = np.empty(0, np.uint64) if documents is None else _numbers(documents, "documents")
        if documents is not None and not len(chosen):
            return pa.table({"a": pa.array(chosen), "d": pa.array(chosen)})
        features, offsets = _lists(rows)
        a, d = self._engine.join(
            features,
            offsets,
            _searched(rows),
            _bytes(rows, "code"),
            self._keys(rows),
            chosen,
        )
        return pa.table({"a": a, "d": d})

    def join_keys(self, level: int, records: pa.Table) -> tuple[pa.Table, pa.Table]:
        """Joins the records of some keys, for programs that bring the records of each key together
        themselves, such as by a shuffle.

        Args:
            level: 0 for the keys of documents; then 1, 2, ... for the records that the previous
                level returned.
            records: Columns ``key`` (uint64), ``document`` and ``code``: a row for each key of each
                document that is searched by keys. Every key must be complete.

        Returns:
            Pairs, as :meth:`join` returns them, and the records (``key``, ``document``) of buckets
            that are too large: bring them together by key, add the codes, and join them at the next
            level, below :attr:`levels`.

        Raises:
            DataError: `records` lacks a column.
            RunError: The level does not exist, or the columns differ in length.
        """
        a, d, key, document = self._engine.join_keys(
            level,
            _numbers(_column(records, "key"), "key"),
            _numbers(_column(records, "document"), "document"),
            _bytes(records, "code"),
        )
        return pa.table({"a": a, "d": d}), pa.table({"key": key, "document": document})

    def verify(self, pairs: pa.Table, rows: pa.Table) -> pa.Table:
        """Counts the features that pairs have in common.

        Args:
            pairs: Columns ``a`` and ``d``, rows of `rows`.
            rows: The table that :meth:`extract` returned; only ``features`` is used.

        Returns:
            The pairs at or above the threshold, in the order of `pairs`: ``a``, ``d``, ``common``,
            ``size_a``, ``size_d`` and ``resemblance``.

        Raises:
            DataError: A table lacks a column.
            RunError: A pair names a row that does not exist.
        """
        a = _numbers(_column(pairs, "a"), "a")
        d = _numbers(_column(pairs, "d"), "d")
        a, d, common, size_a, size_d = self._engine.verify(a, d, *_lists(rows))
        union = size_a.astype(np.float64) + size_d - common
        counts = {"common": common, "size_a": size_a, "size_d": size_d}
        return pa.table({"a": a, "d": d, **counts, "resemblance": common / union})

    def _keys(self, rows: pa.Table) -> npt.NDArray[np.uint64]:
        if not self._engine.keys:
            return np.empty(0, np.uint64)
        keys = _column(rows, "keys")
        if keys.type != pa.list_(pa.uint64(), self._engine.keys):
            kind = f"lists of {self._engine.keys} uint64"
            raise DataError(f"the column keys has the type {keys.type}, expected {kind}")
        return _numbers(keys.flatten(), "keys")


def classes(rows: pa.Table) -> pa.Array:
    """Finds exact copies: documents with equal feature streams.

    Args:
        rows: The table that :meth:`Engine.extract` returned; ``hash`` and ``searched`` are used.

    Returns:
        For each document, the first one with the same hash: itself if it represents its class.

    Raises:
        DataError: `rows` lacks a column.
    """
    return pa.array(_core.find_classes(_bytes(rows, "hash"), _searched(rows)))


def keep(edges: pa.Table, documents: int) -> pa.Table:
    """Decides what is removed: a document is removed if and only if a kept document with a lower
    number has an edge to it.

    Args:
        edges: Pairs at or above the threshold, by (d, a), as :meth:`Engine.verify` returns them.
        documents: How many documents there are.

    Returns:
        ``removed`` documents, ascending, each with its kept ``witness``, and the further columns of
        the edge that decided.

    Raises:
        DataError: `edges` lacks a column.
        RunError: Edges are not in order.
    """
    a, d = _numbers(_column(edges, "a"), "a"), _numbers(_column(edges, "d"), "d")
    taken = {"removed", "witness"} & set(edges.column_names)
    if taken:
        raise DataError(f"the edges already have a column {min(taken)}; rename it")
    removed, witness, edge = _core.keep_greedy(a, d, _fingerprints.document_count(documents))
    decided = edges.drop_columns(["a", "d"]).take(pa.array(edge))
    columns = {"removed": pa.array(removed), "witness": pa.array(witness)}
    return pa.table({**columns, **{name: decided[name] for name in decided.column_names}})


def group(links: pa.Table, documents: int) -> pa.Array:
    """Groups documents that are connected by links.

    Args:
        links: Pairs ``a`` and ``d`` in any order.
        documents: How many documents there are.

    Returns:
        For each document, the lowest document of its cluster.

    Raises:
        DataError: `links` lacks a column.
        RunError: A link names a document that does not exist.
    """
    a, d = _numbers(_column(links, "a"), "a"), _numbers(_column(links, "d"), "d")
    return pa.array(_core.group_linked(a, d, _fingerprints.document_count(documents)))


def _column(table: pa.Table, name: str) -> pa.Array:
    """Returns a column without nulls as one array, shared if it is one chunk."""
    if not isinstance(table, pa.Table) or table.column_names.count(name) != 1:
        names = table.column_names if isinstance(table, pa.Table) else [type(table).__name__]
        raise DataError(f"expected a table with a column {name}, found {', '.join(names)}")
    column = table[name]
    if column.null_count:
        raise DataError(f"the column {name} has nulls; pass the column as the engine returned it")
    return column.chunks[0] if column.num_chunks == 1 else column.combine_chunks()


def _searched(rows: pa.Table) -> npt.NDArray[np.uint8]:
    array = _column(rows, "searched")
    if array.type != pa.uint8():
        raise DataError(f"the column searched has the type {array.type}, expected uint8")
    values: npt.NDArray[np.uint8] = array.to_numpy()
    return values


def _numbers(values: Any, name: str) -> npt.NDArray[np.uint64]:
    """Returns 64-bit whole numbers, shared if they are already unsigned."""
    array = values.to_numpy(zero_copy_only=False) if isinstance(values, pa.Array) else values
    array = np.asarray(array)
    whole = array.dtype.kind in "iu" or not array.size
    if array.ndim != 1 or not whole or (array.dtype.kind == "i" and array.size and array.min() < 0):
        raise DataError(f"{name} must be a column of whole numbers, 0 or more")
    return np.ascontiguousarray(array, dtype=np.uint64)


def _binary(values: npt.NDArray[np.uint8], width: int) -> pa.FixedSizeBinaryArray:
    buffers = [None, pa.py_buffer(values)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(values) // width, buffers)


def _bytes(table: pa.Table, name: str) -> npt.NDArray[np.uint8]:
    array = _column(table, name)
    if not pa.types.is_fixed_size_binary(array.type):
        raise DataError(f"the column {name} has the type {array.type}, expected fixed-size binary")
    width = array.type.byte_width
    data = array.buffers()[1]
    if data is None or not len(array):
        return np.empty(0, np.uint8)
    return np.frombuffer(data, np.uint8, len(array) * width, array.offset * width)


def _lists(rows: pa.Table) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    array = _column(rows, "features")
    if not pa.types.is_large_list(array.type):
        raise DataError(
            f"the column features has the type {array.type}, expected large lists of uint64"
        )
    return _numbers(array.values, "features"), array.offsets.to_numpy()
