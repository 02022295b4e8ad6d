"""What runs in Spark's Python workers: functions of the batches of one partition.

Each task is a small value that is sent to the workers. Its engine is made there, once for each
worker.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .. import __version__, _core
from .._columns import texts_of
from ..engine import Engine
from ..errors import RunError
from ._blobs import Column, Kind, Numbers, Outbox, each, gather, parts_of

Batches = Iterator[pa.RecordBatch]

#: Columns of verified pairs. Sizes and common features are counts of distinct features.
EDGES = "a long, d long, common int, size_a int, size_d int"

#: Columns of lines that were read. `kind` is a LineKind of the engine; rejected lines are kept.
RECORDS = (
    "file int, part long, place long, kind byte, has_id boolean, id string, text string, "
    "repaired boolean, reason string, line binary"
)
REJECTED = 2  # kinds below are documents

_EDGE_FIELDS = pa.schema(
    [
        ("a", pa.int64()),
        ("d", pa.int64()),
        ("common", pa.int32()),
        ("size_a", pa.int32()),
        ("size_d", pa.int32()),
    ]
)
_ROWS = 1 << 16  # rows of an output batch
_SMALL_RECORDS = 1 << 22  # records that a task of small buckets holds, of 24 bytes
_FREQUENT = 1024  # documents of a feature from which on its groups are counted
_HUB_DOCUMENTS = 4096  # documents of one cluster that a task verifies at a time, about
_TOP = np.uint64(1 << 63)
_OTHER_CLASS = np.uint64(0x9E3779B97F4A7C15)  # changes the hash of a class to that of another

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
        return Engine(
            self.documents, goal, reference_end=self.reference_end, **options
        )._engine


class _Task:
    """A function of the batches of one partition."""

    def __call__(self, batches: Batches) -> Batches:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class _BlobTask(_Task):
    """A task that holds all blobs of its partition at once, and makes blobs of them."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        self._make(gather(batches), out)
        yield from out.give()

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class ReadLines(_Task):
    """Lines of JSON (file, part, place, line) to RECORDS, parsed as the command parses them."""

    rules: Rules
    text: str
    id: str

    def check(self) -> None:
        """Raises RunError if the options compare something else than texts."""
        none = np.zeros(0, np.uint8)
        _core.read_json_lines(self.rules.engine(), "", "", none, np.zeros(1, np.int64))

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        for batch in batches:
            if batch.num_rows:
                yield self._read(engine, batch)

    def _read(self, engine: _core.Engine, batch: pa.RecordBatch) -> pa.RecordBatch:
        lines = batch["line"].cast(pa.large_binary())
        _, offsets, data = lines.buffers()
        begin = lines.offset
        kinds, text_offsets, texts, id_offsets, ids, has_id, repaired, why_offsets, why = (
            _core.read_json_lines(
                engine,
                self.text,
                self.id,
                np.frombuffer(data if data is not None else b"", np.uint8),
                np.frombuffer(offsets, np.int64)[begin : begin + len(lines) + 1],
            )
        )
        columns = {
            **{name: batch[name] for name in ("file", "part", "place")},
            "kind": pa.array(kinds.view(np.int8)),
            "has_id": pa.array(has_id.astype(bool)),
            "id": _strings(id_offsets, ids, has_id == 0),
            "text": _strings(text_offsets, texts, kinds != 0),
            "repaired": pa.array(repaired.astype(bool)),
            "reason": _strings(why_offsets, why, kinds != REJECTED),
            "line": pc.if_else(pa.array(kinds == REJECTED), batch["line"], None),
        }
        return pa.RecordBatch.from_pydict(columns)


def _strings(
    offsets: npt.NDArray[np.int64], data: bytes, absent: npt.NDArray[np.bool_]
) -> pa.Array:
    return pc.if_else(pa.array(absent), None, texts_of(offsets, data))


@dataclasses.dataclass(frozen=True)
class Route(_Task):
    """Rows (rank, text) to keys, hashes, codes and small feature sets."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        out = Outbox(self.rules.partitions)
        size = 0
        for batch in batches:
            if not batch.num_rows:
                continue
            self._add(engine, batch, out)
            size += batch["text"].nbytes
            yield from out.give_full()
        if size:
            out.add(Kind.SIZES, None, _one(size))
        yield from out.give()

    def _add(self, engine: _core.Engine, batch: pa.RecordBatch, out: Outbox) -> None:
        ranks = _ranks(batch["rank"])
        features, offsets, hashes, searched, codes, keys, texts = _extract(
            engine, batch["text"], few=True
        )
        low, high = hashes.view(np.uint64).reshape(-1, 2).T
        if self.rules.all_pairs:  # copies of a document of the reference are in pairs with it
            low = np.where(ranks < np.uint64(self.rules.reference_end), low ^ _OTHER_CLASS, low)
        found = searched != 0
        out.add(Kind.CLASSES, low[found], low[found], high[found], ranks[found], texts[found])
        keyed = _first_of_class(searched == 1, low, high, ranks)
        own_keys = keys.reshape(len(ranks), -1)[keyed].reshape(-1)
        each_has = engine.keys
        out.add(
            Kind.KEYS,
            own_keys,
            own_keys,
            np.repeat(ranks[keyed], each_has),
            np.repeat(low[keyed], each_has),
        )
        out.add(Kind.CODES, None, ranks[keyed], codes.reshape(len(ranks), -1)[keyed])
        key, document, count = _core.few_features(ranks, features, offsets)
        out.add(Kind.SMALL_SETS, np.repeat(low, np.diff(offsets)), key, document, count)


def _first_of_class(
    wanted: npt.NDArray[np.bool_], low: Numbers, high: Numbers, ranks: Numbers
) -> npt.NDArray[np.int64]:
    """The rows that are wanted, without copies of others in the batch."""
    rows = np.flatnonzero(wanted)
    order = np.lexsort((ranks[rows], high[rows], low[rows]))
    rows = rows[order]
    return np.sort(rows[_first_of_run(low[rows], high[rows])])


def _first_of_run(*columns: Numbers) -> npt.NDArray[np.bool_]:
    """The rows that differ from the row before them."""
    first = np.zeros(len(columns[0]), bool)
    first[:1] = True
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first


@dataclasses.dataclass(frozen=True)
class JoinSmall(_Task):
    """Blobs of keys of one level, and of classes, to pairs, members of large buckets and copies."""

    rules: Rules
    level: int

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        out = Outbox(self.rules.partitions)
        small = _core.make_small_buckets(engine, self.level, _SMALL_RECORDS)
        kept: dict[Kind, list[list[Column]]] = {Kind.CLASSES: [], Kind.SMALL_SETS: []}
        for kind, columns in each(batches):
            if kind != Kind.KEYS:
                kept[kind].append(columns)
                continue
            small.add(*columns)
            out.add(Kind.MEMBERS_AND_COPIES, None, *small.take_large())
            yield from out.give_full()
        a, d = small.finish()
        out.add(Kind.PAIRS, d, a, d)
        kind = Kind.MEMBERS_AND_COPIES if small.may_hold_copies else Kind.MEMBERS
        out.add(kind, None, *small.take_large())
        if kept[Kind.CLASSES]:
            copies = self._classes(kept[Kind.CLASSES], out)
            self._sets(kept[Kind.SMALL_SETS], copies, out)
        yield from out.give()

    def _classes(self, blobs: list[list[Column]], out: Outbox) -> Numbers:
        low, high, documents, texts = (np.concatenate(parts) for parts in zip(*blobs, strict=True))
        hashes = np.ascontiguousarray(np.stack([low, high], 1)).view(np.uint8).reshape(-1)
        representative, copy, same = _core.find_copies(documents, hashes, texts)
        out.add(Kind.COPIES, None, representative, copy, same.astype(np.uint64))
        if self.rules.all_pairs and len(copy):
            # One pair of each class is verified like any other, which counts its features.
            a, first = np.unique(representative, return_index=True)
            out.add(Kind.PAIRS, copy[first], a, copy[first])
        return copy

    @staticmethod
    def _sets(blobs: list[list[Column]], copies: Numbers, out: Outbox) -> None:
        if not blobs:
            return
        key, document, count = (np.concatenate(parts) for parts in zip(*blobs, strict=True))
        own = ~np.isin(document, copies)
        out.add(Kind.FEATURES, key[own], key[own], document[own], count[own])


@dataclasses.dataclass(frozen=True)
class Members(_Task):
    """Blobs of members to rows (key, rank). Keys are such that signed order is unsigned order."""

    def __call__(self, batches: Batches) -> Batches:
        for _, (keys, ranks) in each(batches):
            yield from _batches(
                pa.schema([("key", pa.int64()), ("rank", pa.int64())]),
                [(keys ^ _TOP).view(np.int64), ranks.view(np.int64)],
            )


@dataclasses.dataclass(frozen=True)
class Copies(_Task):
    """Blobs of copies to rows (representative, copy, same)."""

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema(
            [("representative", pa.int64()), ("copy", pa.int64()), ("same", pa.bool_())]
        )
        for _, (representative, copy, same) in each(batches):
            yield from _batches(
                schema, [representative.view(np.int64), copy.view(np.int64), same.astype(bool)]
            )


@dataclasses.dataclass(frozen=True)
class Codes(_Task):
    """Blobs of codes to rows (rank, code) of some documents; None: of all."""

    wanted: npt.NDArray[np.int64] | None

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("code", pa.binary())])
        for _, (ranks, codes) in each(batches):
            documents, codes = _wanted_of(self.wanted, ranks.view(np.int64), codes)
            if not len(documents):
                continue
            width = codes.shape[1]
            data = pa.py_buffer(np.ascontiguousarray(codes))
            rows = pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(width), len(documents), [None, data]
            )
            yield pa.RecordBatch.from_arrays(
                [pa.array(documents), rows.cast(pa.binary())], schema=schema
            )


@dataclasses.dataclass(frozen=True)
class Checks(_Task):
    """Blobs of classes to rows (rank, check) of some documents; None: of all.

    A check is the hash of the text as the first scan saw it.
    """

    wanted: npt.NDArray[np.int64] | None

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("check", pa.int64())])
        for _, (_, _, ranks, texts) in each(batches):
            columns = _wanted_of(self.wanted, ranks.view(np.int64), texts.view(np.int64))
            yield from _batches(schema, list(columns))


def _wanted_of(
    wanted: npt.NDArray[np.int64] | None, documents: npt.NDArray[np.int64], column: Column
) -> tuple[npt.NDArray[np.int64], Column]:
    """The rows of the documents that are wanted; `wanted` ascends."""
    if wanted is None:
        return documents, column
    _, here = _places(wanted, documents)
    return documents[here], column[here]


def _places(
    ascending: npt.NDArray[Any], values: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Where values are in an ascending column, and which of them are there at all."""
    if not len(ascending):
        return np.zeros(len(values), np.int64), np.zeros(len(values), bool)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return at, ascending[at] == values


@dataclasses.dataclass(frozen=True)
class JoinLarge(_Task):
    """Rows (key, rank, code), sorted, of whole buckets to pairs and keys of the next level."""

    rules: Rules
    level: int

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        large = _core.make_large_buckets(self.rules.engine(), self.level)
        for batch in batches:
            keys = batch["key"].to_numpy().view(np.uint64) ^ _TOP
            large.add(keys, _ranks(batch["rank"]), _bytes(batch["code"]))
            self._take(large, out)
            yield from out.give_full()
        large.finish()
        self._take(large, out)
        yield from out.give()

    @staticmethod
    def _take(large: _core.LargeBuckets, out: Outbox) -> None:
        a, d = large.take_pairs()
        out.add(Kind.PAIRS, d, a, d)
        keys, documents = large.take_refined()
        # All are representatives, so that each is a class of its own.
        out.add(Kind.KEYS, keys, keys, documents, documents)


@dataclasses.dataclass(frozen=True)
class CountFeatures(_BlobTask):
    """Small sets by feature to features that documents share, by document."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.FEATURES not in found:
            return
        shared = _core.count_few_features(*found.pop(Kind.FEATURES))
        out.add(Kind.SHARED, shared[1], *shared)
        if len(shared[3]) and shared[3].max() >= _FREQUENT:
            out.add(Kind.FREQUENT, None, _one(1))


@dataclasses.dataclass(frozen=True)
class CountGroups(_Task):
    """Shared features by document to rows (key, group, documents) of frequent features."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        found = gather(batches)
        if Kind.SHARED in found:
            groups = _core.count_feature_groups(self.rules.engine(), *found[Kind.SHARED])
            schema = pa.schema([(name, pa.int64()) for name in ("key", "group", "documents")])
            yield from _batches(schema, [column.view(np.int64) for column in groups])


@dataclasses.dataclass(frozen=True)
class SendGroups(_Task):
    """Rows (key, group, documents) to blobs for every partition."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        for batch in batches:
            columns = [batch[name].to_numpy().view(np.uint64) for name in batch.schema.names]
            for p in range(self.rules.partitions):
                out.add_to(Kind.GROUPS, np.full(batch.num_rows, p, np.uint16), *columns)
            yield from out.give_full()
        yield from out.give()


@dataclasses.dataclass(frozen=True)
class Meet(_BlobTask):
    """Shared features by document, and groups, to the keys under which documents meet."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.SHARED not in found:
            return
        feature, document, size, count = found[Kind.SHARED]
        none = np.empty(0, np.uint64)
        key, group, documents = found.get(Kind.GROUPS, [none, none, none])
        # A worker with several partitions has the groups several times.
        order = np.lexsort((group, key))
        key, group, documents = key[order], group[order], documents[order]
        own = _first_of_run(key, group) & np.isin(key, feature)
        meetings = _core.make_meetings(
            self.rules.engine(), feature, document, size, count,
            key[own], group[own], documents[own],
        )  # fmt: skip
        out.add(Kind.MEETINGS, meetings[0], *meetings)


@dataclasses.dataclass(frozen=True)
class JoinMeetings(_BlobTask):
    """Meetings by key to pairs."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.MEETINGS in found:
            a, d = _core.join_meetings(self.rules.engine(), *found[Kind.MEETINGS])
            out.add(Kind.PAIRS, d, a, d)


@dataclasses.dataclass(frozen=True)
class Distinct(_BlobTask):
    """All pairs of some d, each once, for the partitions that verify them, and who is needed where.

    The pairs of one cluster mostly have the same lowest neighbour, so that a text travels to few
    partitions. A large cluster is divided.
    """

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.PAIRS not in found:
            return
        a, d = found[Kind.PAIRS]
        order = np.lexsort((a, d))
        a, d = a[order], d[order]
        first = _first_of_run(d, a)
        a, d = a[first], d[first]
        begins = _first_of_run(d)
        lowest = a[begins]
        _, which, sizes = np.unique(lowest, return_inverse=True, return_counts=True)
        pieces = (sizes[which] * self.rules.partitions // _HUB_DOCUMENTS + 1).astype(np.uint64)
        mixed = d[begins] * np.uint64(0xD6E8FEB86659FD93)
        piece = (mixed >> np.uint64(32)) % pieces
        target = parts_of(
            lowest + piece * np.uint64(0x2545F4914F6CDD1D), self.rules.partitions
        )
        parts = target[np.cumsum(begins) - 1]
        out.add_to(Kind.PAIRS, parts, a, d)
        wide = parts.astype(np.uint64)
        needed = np.unique(np.concatenate([np.stack([a, wide], 1), np.stack([d, wide], 1)]), axis=0)
        out.add(Kind.NEEDED, None, needed[:, 0], needed[:, 1])


@dataclasses.dataclass(frozen=True)
class Needed(_Task):
    """Blobs of needed documents to rows (rank, p)."""

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("p", pa.int32())])
        for _, (ranks, parts) in each(batches):
            yield from _batches(schema, [ranks.view(np.int64), parts.astype(np.int32)])


@dataclasses.dataclass(frozen=True)
class Verify(_Task):
    """Rows (p, blob) of pairs and (p, rank, text, check) of a partition to edges."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        pairs: list[list[Column]] = []
        ranks: list[Numbers] = []
        texts: list[pa.Array] = []
        checks: list[Numbers] = []
        for batch in batches:
            is_text = batch["rank"].is_valid()
            pairs += [columns for _, columns in each(iter([batch.filter(pc.invert(is_text))]))]
            some = batch.filter(is_text)
            ranks.append(_ranks(some["rank"]))
            texts.append(some["text"].cast(pa.large_string()))
            checks.append(_ranks(some["check"]))
        if not pairs:
            return
        a, d = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        document = np.concatenate(ranks)
        check = np.concatenate(checks)
        column = pa.chunked_array(texts, pa.large_string())
        distinct, rows = np.unique(document, return_index=True)
        if len(distinct) < len(document):  # a worker with several partitions has texts repeatedly
            document, column, check = distinct, column.take(pa.array(rows)), check[rows]
        yield from self._edges(a, d, document, column, check)

    def _edges(
        self, a: Numbers, d: Numbers, document: Numbers, texts: pa.ChunkedArray, check: Numbers
    ) -> Batches:
        engine = self.rules.engine()
        order = np.argsort(document)
        row_a, row_d = (_rows_of(side, document, order) for side in (a, d))
        features, offsets, _, searched, codes, _, hashes = _extract(engine, texts, few=False)
        _require_same_texts(document, hashes, check)
        row_a, row_d = _core.may_be_alike(engine, row_a, row_d, searched, codes, offsets)
        row_a, row_d, common, size_a, size_d = engine.verify(row_a, row_d, features, offsets)
        yield from _batches(
            _EDGE_FIELDS,
            [
                document[row_a].view(np.int64),
                document[row_d].view(np.int64),
                *(counts.astype(np.int32) for counts in (common, size_a, size_d)),
            ],
        )


def _require_same_texts(document: Numbers, hashes: Numbers, check: Numbers) -> None:
    changed = document[hashes != check]
    if len(changed):
        raise RunError(
            f"the text of the document with the order {changed[0]} of the first scan is another "
            "one in a later scan: the DataFrame changes between scans; write it to a table and "
            "pass that, with another work_dir"
        )


def _rows_of(side: Numbers, document: Numbers, order: npt.NDArray[np.int64]) -> Numbers:
    """The rows of documents."""
    at, found = _places(document[order], side)
    if not found.all():
        missing = int(side[~found][0])
        raise RunError(
            f"the document with the order {missing} of the first scan is missing in a later one: "
            "the DataFrame changes between scans; write it to a table and pass that, with "
            "another work_dir"
        )
    return order[at].astype(np.uint64)


@dataclasses.dataclass(frozen=True)
class Keep(_Task):
    """All edges by (d, a), which pass by, to those that remove d."""

    def __call__(self, batches: Batches) -> Batches:
        scan = _core.KeepScan()
        for batch in batches:
            deciding = scan.take(_ranks(batch["a"]), _ranks(batch["d"]))
            if len(deciding):
                yield batch.take(pa.array(deciding))


def _one(value: int) -> Numbers:
    return np.array([value], np.uint64)


def _ranks(column: pa.Array) -> Numbers:
    values: Numbers = column.to_numpy().view(np.uint64)
    return values


def _extract(engine: _core.Engine, texts: pa.Array | pa.ChunkedArray, few: bool) -> Any:
    table = _core.import_table(pa.table({"text": texts}))
    return engine.extract(table, "text", few, None)


def _bytes(column: pa.Array) -> npt.NDArray[np.uint8]:
    """The bytes of a column of binary values without nulls."""
    column = column.cast(pa.binary())
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]


def _batches(schema: pa.Schema, columns: list[npt.NDArray[Any]]) -> Batches:
    for at in range(0, len(columns[0]), _ROWS):
        some = [pa.array(np.ascontiguousarray(column[at : at + _ROWS])) for column in columns]
        yield pa.RecordBatch.from_arrays(some, schema=schema)
