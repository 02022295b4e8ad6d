"""Keys to pairs: small buckets at once, large ones sorted and refined."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ... import _core
from .._blobs import Column, Kind, Numbers, Outbox, each
from ._task import Batches, Rules, Task, batches_of, bytes_of, ranks_of, wanted_of

_SMALL_RECORDS = 1 << 22  # records that a task of small buckets holds, of 24 bytes
_TOP = np.uint64(1 << 63)


@dataclasses.dataclass(frozen=True)
class JoinSmall(Task):
    """Blobs of keys of one level, and of classes, to pairs, members of large buckets and copies."""

    rules: Rules
    level: int

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        out = Outbox(self.rules.partitions)
        small = _core.make_small_buckets(engine, self.level, _SMALL_RECORDS)
        classes: list[list[Column]] = []
        sets: list[list[Column]] = []
        for kind, columns in each(batches):
            if kind != Kind.KEYS:
                (sets if kind == Kind.SMALL_SETS else classes).append(columns)
                continue
            small.add(*columns)
            out.add(Kind.MEMBERS_AND_COPIES, None, *small.take_large())
            yield from out.give_full()
        a, d = small.finish()
        out.add(Kind.PAIRS, d, a, d)
        kind = Kind.MEMBERS_AND_COPIES if small.may_hold_copies else Kind.MEMBERS
        out.add(kind, None, *small.take_large())
        if classes:
            copies = self._classes(classes, out)
            self._sets(sets, copies, out)
        yield from out.give()

    def _classes(self, blobs: list[list[Column]], out: Outbox) -> Numbers:
        if not self.rules.has_copies:
            return np.zeros(0, np.uint64)
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
        columns = [np.concatenate(parts) for parts in zip(*blobs, strict=True)]
        key, document, *_ = columns
        own = ~np.isin(document, copies)
        out.add(Kind.FEATURES, key[own], *(column[own] for column in columns))


@dataclasses.dataclass(frozen=True)
class Members(Task):
    """Blobs of members to rows (key, rank). Keys are such that signed order is unsigned order."""

    def __call__(self, batches: Batches) -> Batches:
        for _, (keys, ranks) in each(batches):
            yield from batches_of(
                pa.schema([("key", pa.int64()), ("rank", pa.int64())]),
                [(keys ^ _TOP).view(np.int64), ranks.view(np.int64)],
            )


@dataclasses.dataclass(frozen=True)
class Copies(Task):
    """Blobs of copies to rows (representative, copy, same)."""

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema(
            [("representative", pa.int64()), ("copy", pa.int64()), ("same", pa.bool_())]
        )
        for _, (representative, copy, same) in each(batches):
            yield from batches_of(
                schema, [representative.view(np.int64), copy.view(np.int64), same.astype(bool)]
            )


@dataclasses.dataclass(frozen=True)
class Codes(Task):
    """Blobs of codes to rows (rank, code and perhaps guard) of some documents; None: of all."""

    wanted: npt.NDArray[np.int64] | None
    guarded: bool

    def __call__(self, batches: Batches) -> Batches:
        names = [("rank", pa.int64()), ("code", pa.binary()), ("guard", pa.int64())]
        schema = pa.schema(names if self.guarded else names[:2])
        for _, (ranks, all_codes, *guards) in each(batches):
            every = np.arange(len(ranks))
            documents, chosen = wanted_of(self.wanted, ranks.view(np.int64), every)
            if not len(documents):
                continue
            codes = all_codes[chosen]
            width = codes.shape[1]
            data = pa.py_buffer(np.ascontiguousarray(codes))
            rows = pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(width), len(documents), [None, data]
            )
            own = [pa.array(guard[chosen].view(np.int64)) for guard in guards]
            yield pa.RecordBatch.from_arrays(
                [pa.array(documents), rows.cast(pa.binary()), *own], schema=schema
            )


@dataclasses.dataclass(frozen=True)
class JoinLarge(Task):
    """Rows (key, rank, code and perhaps guard), sorted, of whole buckets to pairs and keys of the
    next level."""

    rules: Rules
    level: int

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        large = _core.make_large_buckets(self.rules.engine(), self.level)
        for batch in batches:
            keys = batch["key"].to_numpy().view(np.uint64) ^ _TOP
            guards = ranks_of(batch["guard"]) if self.rules.guarded else np.zeros(0, np.uint64)
            large.add(keys, ranks_of(batch["rank"]), bytes_of(batch["code"]), guards)
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
