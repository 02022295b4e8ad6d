"""What all tasks share: the rules of a comparison, and columns of blobs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark import SparkFiles

from ... import __version__, _core
from ...engine import Engine
from ...errors import RunError
from .._blobs import Column, Kind, Numbers, Outbox, gather

Batches = Iterator[pa.RecordBatch]

BY_KEYS = 1  # what `searched` says of documents that have keys and a code
_ROWS = 1 << 16  # rows of an output batch

_ENGINES: dict[Rules, _core.Engine] = {}


@dataclasses.dataclass(frozen=True)
class Rules:
    """The rules of one comparison, as they are sent to workers."""

    options: tuple[tuple[str, Any], ...]
    documents: int
    all_pairs: bool
    design: str
    partitions: int
    reference_end: int = 0  # ranks below are of the documents to compare with
    exact_empty: bool = False  # documents without features may be copies of one another
    tables: tuple[tuple[str, str], ...] = ()  # options that name files, and these for SparkFiles
    version: str = __version__

    def engine(self) -> _core.Engine:
        """The engine of this worker. Raises RunError if the worker has another version."""
        made = _ENGINES.get(self)
        if made is None:
            made = self._make()
            _ENGINES[self] = made
        return made

    def _make(self) -> _core.Engine:
        if self.version != __version__:
            raise RunError(
                f"a worker has lookalike {__version__}, the driver {self.version}; "
                "install the same version everywhere"
            )
        goal: Literal["keep", "pairs"] = "pairs" if self.all_pairs else "keep"
        options = {**dict(self.options), "design": self.design, "threads": 1}
        options |= {name: SparkFiles.get(file) for name, file in self.tables}
        return Engine(
            self.documents, goal, reference_end=self.reference_end, **options
        )._engine


class Task:
    """A function of the batches of one partition."""

    def __call__(self, batches: Batches) -> Batches:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class BlobTask(Task):
    """A task that holds all blobs of its partition at once, and makes blobs of them."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        self._make(gather(batches), out)
        yield from out.give()

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        raise NotImplementedError


def one(value: int) -> Numbers:
    return np.array([value], np.uint64)


def ranks_of(column: pa.Array) -> Numbers:
    values: Numbers = column.to_numpy().view(np.uint64)
    return values


def bytes_of(column: pa.Array) -> npt.NDArray[np.uint8]:
    """The bytes of a column of binary values without nulls."""
    column = column.cast(pa.binary())
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]


def batches_of(schema: pa.Schema, columns: list[npt.NDArray[Any]]) -> Batches:
    for at in range(0, len(columns[0]), _ROWS):
        some = [pa.array(np.ascontiguousarray(column[at : at + _ROWS])) for column in columns]
        yield pa.RecordBatch.from_arrays(some, schema=schema)


def extract(engine: _core.Engine, texts: pa.Array | pa.ChunkedArray, few: bool) -> Any:
    table = _core.import_table(pa.table({"text": texts}))
    return engine.extract(table, "text", few, None)


def first_of_run(*columns: Column) -> npt.NDArray[np.bool_]:
    """The rows that differ from the row before them."""
    first = np.zeros(len(columns[0]), bool)
    first[:1] = True
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first


def wanted_of(
    wanted: npt.NDArray[np.int64] | None, documents: npt.NDArray[np.int64], column: Column
) -> tuple[npt.NDArray[np.int64], Column]:
    """The rows of the documents that are wanted; `wanted` ascends."""
    if wanted is None:
        return documents, column
    _, here = places_of(wanted, documents)
    return documents[here], column[here]


def places_of(
    ascending: npt.NDArray[Any], values: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Where values are in an ascending column, and which of them are there at all."""
    if not len(ascending):
        return np.zeros(len(values), np.int64), np.zeros(len(values), bool)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return at, ascending[at] == values
