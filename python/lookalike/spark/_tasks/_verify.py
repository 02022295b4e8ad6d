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
    Extracted,
    Rules,
    Task,
    batches_of,
    extract,
    first_of_run,
    places_of,
    ranks_of,
    values_of,
    wanted_of,
)

#: Columns of pairs at or above the threshold; some are no edges, as a guard tells the two apart.
VERIFIED = "a long, d long, common int, size_a int, size_d int, guarded boolean"
#: Columns of edges. Sizes and common features are counts of distinct features.
EDGES = "a long, d long, common int, size_a int, size_d int"

_VERIFIED_FIELDS = pa.schema(
    [
        ("a", pa.int64()),
        ("d", pa.int64()),
        ("common", pa.int32()),
        ("size_a", pa.int32()),
        ("size_d", pa.int32()),
        ("guarded", pa.bool_()),
    ]
)
_FORBIDDEN = 2  # what the engine says of pairs that a field keeps out of every result
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
    """Rows (p, blob) of pairs and (p, rank, text, check and perhaps values) of a partition to
    VERIFIED."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        pairs: list[list[Column]] = []
        ranks: list[Numbers] = []
        texts: list[pa.Array] = []
        values: list[pa.Array] = []
        checks: list[Numbers] = []
        for batch in batches:
            is_text = batch["rank"].is_valid()
            pairs += [columns for _, columns in each(iter([batch.filter(pc.invert(is_text))]))]
            some = batch.filter(is_text)
            ranks.append(ranks_of(some["rank"]))
            texts.append(some["text"].cast(pa.large_string()))
            checks.append(ranks_of(some["check"]))
            own = values_of(some)
            values += [] if own is None else [own]
        if not pairs:
            return
        a, d = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
        document = np.concatenate(ranks)
        check = np.concatenate(checks)
        column = pa.chunked_array(texts, pa.large_string())
        of_guards = pa.chunked_array(values) if values else None
        distinct, rows = np.unique(document, return_index=True)
        if len(distinct) < len(document):  # a worker with several partitions has texts repeatedly
            document, column, check = distinct, column.take(pa.array(rows)), check[rows]
            of_guards = None if of_guards is None else of_guards.take(pa.array(rows))
        extracted = extract(self.rules.engine(), column, few=False, values=of_guards)
        _require_same_texts(document, extracted.texts, check)
        yield from self._verified(a, d, document, extracted)

    def _verified(self, a: Numbers, d: Numbers, document: Numbers, rows: Extracted) -> Batches:
        engine = self.rules.engine()
        order = np.argsort(document)
        row_a, row_d = (_rows_of(side, document, order) for side in (a, d))
        row_a, row_d = _core.may_be_alike(
            engine, row_a, row_d, rows.searched, rows.codes.reshape(-1), rows.offsets
        )
        row_a, row_d, *counts = engine.verify(row_a, row_d, rows.features, rows.offsets)
        guards = engine.pair_guards(row_a, row_d, rows.words.reshape(-1))
        some = guards != _FORBIDDEN
        yield from batches_of(
            _VERIFIED_FIELDS,
            [
                document[row_a][some].view(np.int64),
                document[row_d][some].view(np.int64),
                *(count[some].astype(np.int32) for count in counts),
                guards[some] != 0,
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
