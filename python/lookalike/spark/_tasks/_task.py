"""What all tasks share: the rules of a comparison, and columns of blobs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles

from ... import __version__, _core
from ...errors import RunError
from .._blobs import Column, Kind, Numbers, Outbox, gather
from .._engines import make_engine

Batches = Iterator[pa.RecordBatch]

#: The column of the values that guards compare, where there are some.
VALUES = "values"

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
        return make_engine(self.documents, goal, options, self.reference_end)._engine

    @property
    def guarded(self) -> bool:
        """True if documents have a word by which buckets are split (decision 69)."""
        return any(name == "differ" for name, _ in self.options)

    @property
    def has_copies(self) -> bool:
        """False if documents of one class are in no pair, as they are equal in a field."""
        return all(name != "not_same" for name, _ in self.options)


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


@dataclasses.dataclass(frozen=True)
class Extracted:
    """What the engine makes of some documents."""

    features: Numbers
    offsets: npt.NDArray[np.int64]  # where the features of each begin, and the end
    hashes: Numbers  # of streams: two columns
    classes: Numbers  # of streams and words: two columns
    searched: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.uint8]  # a row for each
    keys: Numbers  # a row for each
    texts: Numbers  # hashes that tell texts, and what guards see of their documents, apart
    words: Numbers  # a row for each
    salts: Numbers  # a row for each: words and mask, which tell guards apart

    @property
    def guards(self) -> Numbers:
        """The word of each document by which buckets are split."""
        return self.words[:, 0]


def extract(
    engine: _core.Engine,
    texts: pa.Array | pa.ChunkedArray,
    few: bool,
    values: pa.Array | pa.ChunkedArray | None = None,
) -> Extracted:
    """`values`: lists of the values that guards compare; None: guards compare none."""
    table = _core.import_table(pa.table({"text": texts}))
    features, offsets, hashes, searched, codes, keys, own, words, masks = engine.extract(
        table, "text", few, None, *values_for(values)
    )
    count = len(searched)
    words = words.reshape(count, -1) if len(words) else np.zeros((count, engine.words), np.uint64)
    classes = _core.class_hashes(hashes, words.reshape(-1)) if engine.words else hashes
    salts = np.concatenate([words, masks.reshape(count, -1)], 1) if len(masks) else words
    checks = own.copy()
    for number, column in enumerate(salts.T):
        checks ^= column * np.uint64(2 * number + 1)
    width = engine.keys
    return Extracted(
        features, offsets, hashes.view(np.uint64).reshape(-1, 2),
        classes.view(np.uint64).reshape(-1, 2), searched,
        codes.reshape(count, engine.code_bytes), keys.reshape(count, width), checks, words, salts,
    )  # fmt: skip


def values_for(
    values: pa.Array | pa.ChunkedArray | None,
) -> tuple[_core.Table | None, npt.NDArray[np.uint8]]:
    """Lists of values as the engine takes them: one after the other, and which there are."""
    if values is None:
        return None, np.empty(0, np.uint8)
    flat = pc.list_flatten(values)
    present = pc.is_valid(flat).to_numpy(zero_copy_only=False)
    return _core.import_table(pa.table({"value": flat})), present.astype(np.uint8)


def values_of(batch: pa.RecordBatch) -> pa.Array | None:
    """The values that guards compare, if the rows have some."""
    return batch[VALUES] if VALUES in batch.schema.names else None


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
