"""Columns of numbers in binary values, which Spark shuffles by the hundred, not by the million.

A row of a stage is (p, kind, blob): the partition that needs it, what it holds, and columns of one
length. A number column is stored as its lowest value and the differences to it, of 4 bytes where
they fit; a column of bytes as it is.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

#: The columns of a stage of blobs.
SCHEMA = "p int, kind int, blob binary"

#: A column of numbers, or rows of bytes.
Column = npt.NDArray[Any]
Numbers = npt.NDArray[np.uint64]

_FLUSH_BYTES = 24 << 20  # what a task holds before it gives blobs out
_BLOB_BYTES = 1 << 20  # about the largest blob, so that a batch of a few fits in little memory
_BATCH_BYTES = 8 << 20


class Kind(enum.IntEnum):
    """What a blob holds."""

    KEYS = 0  # key, document, class
    CLASSES = 1  # hash (two columns), document, hash of the text
    SMALL_SETS = 2  # feature, document, number of features; goes where the class goes
    CODES = 3  # document, code
    PAIRS = 4  # a, d
    MEMBERS = 5  # key, document
    MEMBERS_AND_COPIES = 6  # the same, and copies may be among them
    COPIES = 7  # representative, copy, same text
    FEATURES = 8  # as SMALL_SETS, of representatives; goes where the feature goes
    SHARED = 9  # feature, document, number of features, count
    FREQUENT = 10  # nothing: some feature is frequent
    GROUPS = 11  # feature, group, documents
    MEETINGS = 12  # key, document, signature, shape
    NEEDED = 13  # document, partition
    SIZES = 14  # bytes of text, documents with too few features
    EMPTY = 15  # as CLASSES, of documents without features; their hash is that of the text


def parts_of(values: Numbers, partitions: int) -> npt.NDArray[np.uint16]:
    """The partition of each value; equal values have equal partitions."""
    mixed = values * np.uint64(0x9E3779B97F4A7C15)
    return ((mixed >> np.uint64(32)) % np.uint64(partitions)).astype(np.uint16)


def pack(columns: Sequence[Column]) -> bytes:
    """Returns columns of one length, at least 1, as bytes."""
    header = [len(columns[0]), len(columns)]
    parts: list[bytes] = []
    for column in columns:
        if column.ndim == 2:
            header += [0, column.shape[1] << 8]
            parts.append(np.ascontiguousarray(column, np.uint8).tobytes())
            continue
        low = column.min()
        above = column - low
        narrow = int(above.max()) < 1 << 32
        header += [int(low), 4 if narrow else 8]
        data = above.astype(np.uint32).tobytes() if narrow else above.tobytes()
        parts.append(data + bytes(-len(data) % 8))
    return np.array(header, np.uint64).tobytes() + b"".join(parts)


def unpack(blob: pa.BinaryScalar) -> list[Column]:
    """Returns the columns that :func:`pack` stored."""
    data = blob.as_buffer()
    rows, count = (int(x) for x in np.frombuffer(data, np.uint64, 2))
    header = np.frombuffer(data, np.uint64, 2 * count, 16)
    at = 16 + 16 * count
    columns: list[Column] = []
    for low, width in header.reshape(count, 2):
        if width > 8:
            wide = int(width) >> 8
            columns.append(np.frombuffer(data, np.uint8, rows * wide, at).reshape(rows, wide))
            at += rows * wide
            continue
        kind = np.uint32 if width == 4 else np.uint64
        columns.append(np.frombuffer(data, kind, rows, at).astype(np.uint64) + low)
        at += rows * int(width) + (-rows * int(width)) % 8
    return columns


class Outbox:
    """Collects rows of columns for partitions, and gives them out as blobs."""

    def __init__(self, partitions: int) -> None:
        self._partitions = partitions
        self._held: dict[Kind, list[tuple[npt.NDArray[np.uint16] | None, list[Column]]]] = {}
        self._bytes = 0

    def add(self, kind: Kind, by: Column | None, *columns: Column) -> None:
        """Adds rows. `by`: the values that decide about the partition; None: any will do."""
        if not len(columns[0]):
            return
        parts = None if by is None else parts_of(by, self._partitions)
        self.add_to(kind, parts, *columns)

    def add_to(
        self, kind: Kind, parts: npt.NDArray[np.uint16] | None, *columns: Column
    ) -> None:
        """Adds rows for these partitions."""
        if not len(columns[0]):
            return
        self._held.setdefault(kind, []).append((parts, list(columns)))
        self._bytes += sum(column.nbytes for column in columns)

    def give_full(self) -> Iterator[pa.RecordBatch]:
        """Gives out what is held if it is much."""
        if self._bytes >= _FLUSH_BYTES:
            yield from self.give()

    def give(self) -> Iterator[pa.RecordBatch]:
        """Gives out what is held."""
        rows: list[tuple[int, int, bytes]] = []
        size = 0
        for kind in list(self._held):
            for row in self._rows(kind):
                rows.append(row)
                size += len(row[2])
                if size >= _BATCH_BYTES:
                    yield _batch(rows)
                    rows, size = [], 0
        self._bytes = 0
        if rows:
            yield _batch(rows)

    def _rows(self, kind: Kind) -> Iterator[tuple[int, int, bytes]]:
        held = self._held.pop(kind)
        columns = [np.concatenate(parts) for parts in zip(*(c for _, c in held), strict=True)]
        if any(parts is None for parts, _ in held):
            ranges = [(0, 0, len(columns[0]))]
        else:
            where = np.concatenate([parts for parts, _ in held if parts is not None])
            order = np.argsort(where, kind="stable")
            columns = [column[order] for column in columns]
            ends = np.searchsorted(where[order], np.arange(self._partitions + 1))
            ranges = [(p, int(ends[p]), int(ends[p + 1])) for p in range(self._partitions)]
        width = sum(column.nbytes for column in columns) // len(columns[0])
        step = max(1, _BLOB_BYTES // width)
        for p, begin, end in ranges:
            for at in range(begin, end, step):
                some = [column[at : min(at + step, end)] for column in columns]
                yield p, int(kind), pack(some)


def _batch(rows: list[tuple[int, int, bytes]]) -> pa.RecordBatch:
    p, kind, blob = zip(*rows, strict=True)
    return pa.RecordBatch.from_arrays(
        [pa.array(p, pa.int32()), pa.array(kind, pa.int32()), pa.array(blob, pa.binary())],
        ["p", "kind", "blob"],
    )


def each(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[Kind, list[Column]]]:
    """The blobs of a partition, one after another."""
    for batch in batches:
        for kind, blob in zip(batch["kind"].to_pylist(), batch["blob"], strict=True):
            yield Kind(kind), unpack(blob)


def gather(batches: Iterator[pa.RecordBatch]) -> dict[Kind, list[Column]]:
    """All blobs of a partition, put together by kind."""
    found: dict[Kind, list[list[Column]]] = {}
    for kind, columns in each(batches):
        found.setdefault(kind, []).append(columns)
    return {
        kind: [np.concatenate(parts) for parts in zip(*some, strict=True)]
        for kind, some in found.items()
    }
