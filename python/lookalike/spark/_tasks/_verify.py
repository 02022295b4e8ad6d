"""Pairs, each once, with the texts they need, to verified pairs, and these to removals."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ... import _core
from ...errors import RunError
from .._blobs import Column, Kind, Numbers, Outbox, each, parts_of, unpack
from ._task import (
    Batches,
    Rules,
    Task,
    batches_of,
    extract,
    first_of_run,
    places_of,
    ranks_of,
    wanted_of,
)

#: Columns of verified pairs. Sizes and common features are counts of distinct features.
EDGES = "a long, d long, common int, size_a int, size_d int"

_EDGE_FIELDS = pa.schema(
    [
        ("a", pa.int64()),
        ("d", pa.int64()),
        ("common", pa.int32()),
        ("size_a", pa.int32()),
        ("size_d", pa.int32()),
    ]
)
_HUB_DOCUMENTS = 4096  # documents of one cluster that a task verifies at a time, about
_ROUND_BYTES = 8 << 20  # of blobs of pairs that a task sorts at a time, about


@dataclasses.dataclass(frozen=True)
class Distinct(Task):
    """All pairs of some d, each once, for the partitions that verify them, and who is needed where.

    The pairs of one cluster mostly have the same lowest neighbour, so that a text travels to few
    partitions. A large cluster is divided.
    """

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        blobs = [blob for batch in batches for blob in batch["blob"]]
        # Many pairs are sorted in rounds: packed, they need a fraction of the memory.
        rounds = sum(blob.as_buffer().size for blob in blobs) // _ROUND_BYTES + 1
        out = Outbox(self.rules.partitions)
        for number in range(rounds if blobs else 0):
            self._add(*_pairs_of(blobs, number, rounds), rounds, out)
            yield from out.give_full()
        yield from out.give()

    def _add(self, a: Numbers, d: Numbers, rounds: int, out: Outbox) -> None:
        order = np.lexsort((a, d))
        a, d = a[order], d[order]
        first = first_of_run(d, a)
        a, d = a[first], d[first]
        begins = first_of_run(d)
        lowest = a[begins]
        _, which, sizes = np.unique(lowest, return_inverse=True, return_counts=True)
        everywhere = sizes[which] * (self.rules.partitions * rounds)
        pieces = (everywhere // _HUB_DOCUMENTS + 1).astype(np.uint64)
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


def _pairs_of(
    blobs: list[pa.BinaryScalar], number: int, rounds: int
) -> tuple[Numbers, Numbers]:
    """The pairs of a round; all pairs of a later document are of one."""
    found: list[tuple[Column, Column]] = []
    for blob in blobs:
        a, d = unpack(blob)
        here = parts_of(d * np.uint64(0x9FB21C651E98DF25), rounds) == number
        found.append((a[here], d[here]))
    a, d = (np.concatenate(side) for side in zip(*found, strict=True))
    return a, d


@dataclasses.dataclass(frozen=True)
class Needed(Task):
    """Blobs of needed documents to rows (rank, p)."""

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("p", pa.int32())])
        for _, (ranks, parts) in each(batches):
            yield from batches_of(schema, [ranks.view(np.int64), parts.astype(np.int32)])


@dataclasses.dataclass(frozen=True)
class Checks(Task):
    """Blobs of classes to rows (rank, check) of some documents; None: of all.

    A check is the hash of the text as the first scan saw it.
    """

    wanted: npt.NDArray[np.int64] | None

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("check", pa.int64())])
        for _, (_, _, ranks, texts) in each(batches):
            columns = wanted_of(self.wanted, ranks.view(np.int64), texts.view(np.int64))
            yield from batches_of(schema, list(columns))


@dataclasses.dataclass(frozen=True)
class Verify(Task):
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
            ranks.append(ranks_of(some["rank"]))
            texts.append(some["text"].cast(pa.large_string()))
            checks.append(ranks_of(some["check"]))
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
        features, offsets, _, searched, codes, _, hashes = extract(engine, texts, few=False)
        _require_same_texts(document, hashes, check)
        row_a, row_d = _core.may_be_alike(engine, row_a, row_d, searched, codes, offsets)
        row_a, row_d, common, size_a, size_d = engine.verify(row_a, row_d, features, offsets)
        yield from batches_of(
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
    at, found = places_of(document[order], side)
    if not found.all():
        missing = int(side[~found][0])
        raise RunError(
            f"the document with the order {missing} of the first scan is missing in a later one: "
            "the DataFrame changes between scans; write it to a table and pass that, with "
            "another work_dir"
        )
    return order[at].astype(np.uint64)


@dataclasses.dataclass(frozen=True)
class Keep(Task):
    """All edges by (d, a), which pass by, to those that remove d."""

    def __call__(self, batches: Batches) -> Batches:
        scan = _core.KeepScan()
        for batch in batches:
            deciding = scan.take(ranks_of(batch["a"]), ranks_of(batch["d"]))
            if len(deciding):
                yield batch.take(pa.array(deciding))
