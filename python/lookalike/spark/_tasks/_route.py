"""Texts to blobs: keys, classes, codes and small sets, for the partitions that join them."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ... import _core
from .._blobs import Kind, Numbers, Outbox
from ._task import (
    BY_KEYS,
    Batches,
    Extracted,
    Rules,
    Task,
    extract,
    first_of_run,
    one,
    ranks_of,
    values_of,
)

_OTHER_CLASS = np.uint64(0x9E3779B97F4A7C15)  # changes the hash of a class to that of another


@dataclasses.dataclass(frozen=True)
class Route(Task):
    """Rows (rank, text and perhaps values) to keys, hashes, codes and small feature sets."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        out = Outbox(self.rules.partitions)
        nothing = _hash_of_nothing(engine)
        size = left_out = 0
        for batch in batches:
            if not batch.num_rows:
                continue
            left_out += self._add(engine, batch, nothing, out)
            size += batch["text"].nbytes
            yield from out.give_full()
        out.add(Kind.SIZES, None, one(size), one(left_out))
        yield from out.give()

    def _add(
        self, engine: _core.Engine, batch: pa.RecordBatch, nothing: Numbers, out: Outbox,
    ) -> int:  # fmt: skip
        """Returns how many documents have features, and too few to be searched."""
        ranks = ranks_of(batch["rank"])
        rows = extract(engine, batch["text"], few=True, values=values_of(batch))
        low, high = rows.classes.T
        empty = (rows.hashes == nothing).all(1)
        left_out = (rows.searched == 0) & ~empty
        if self.rules.all_pairs:  # copies of a document of the reference are in pairs with it
            low = np.where(ranks < np.uint64(self.rules.reference_end), low ^ _OTHER_CLASS, low)
        found = rows.searched != 0
        out.add(Kind.CLASSES, low[found], low[found], high[found], ranks[found], rows.texts[found])
        if self.rules.exact_empty and self.rules.has_copies:
            self._add_empty(batch["text"], ranks, rows, empty, out)
        by_keys = rows.searched == BY_KEYS
        has_copies = self.rules.has_copies
        keyed = _first_of_class(by_keys, low, high, ranks) if has_copies else by_keys
        own_keys = rows.keys[keyed].reshape(-1)
        each_has = engine.keys
        out.add(
            Kind.KEYS,
            own_keys,
            own_keys,
            np.repeat(ranks[keyed], each_has),
            # Only copies share a class.
            np.repeat(low[keyed] if has_copies else ranks[keyed], each_has),
        )
        guarded = self.rules.guarded
        guards = [rows.guards[keyed]] if guarded else []
        out.add(Kind.CODES, None, ranks[keyed], rows.codes[keyed], *guards)
        key, document, count = _core.few_features(ranks, rows.features, rows.offsets)
        sizes = np.diff(rows.offsets)
        guards = [np.repeat(rows.guards, sizes)] if guarded else []
        out.add(Kind.SMALL_SETS, np.repeat(low, sizes), key, document, count, *guards)
        return int(left_out.sum())

    @staticmethod
    def _add_empty(
        texts: pa.Array, ranks: Numbers, rows: Extracted, empty: npt.NDArray[np.bool_], out: Outbox
    ) -> None:
        of_empty = texts.filter(pa.array(empty)).fill_null("")
        low, high = _hashes_of(of_empty, rows.salts[empty]).T
        out.add(Kind.EMPTY, low, low, high, ranks[empty], rows.texts[empty])


def _hash_of_nothing(engine: _core.Engine) -> Numbers:
    """The hash of no features."""
    fields = len(engine.guard_fields)
    values = pa.array([[None] * fields], pa.list_(pa.string())) if fields else None
    return extract(engine, pa.array([""]), few=True, values=values).hashes


def _hashes_of(texts: pa.Array, salts: Numbers) -> Numbers:
    """Two columns that tell texts, and what guards see of their documents, apart."""
    digests = (
        hashlib.blake2b(salt.tobytes() + text.encode(), digest_size=16)
        for text, salt in zip(texts.to_pylist(), salts, strict=True)
    )
    joined = b"".join(digest.digest() for digest in digests)
    return np.frombuffer(joined, np.uint64).reshape(-1, 2)


def _first_of_class(
    wanted: npt.NDArray[np.bool_], low: Numbers, high: Numbers, ranks: Numbers
) -> npt.NDArray[np.int64]:
    """The rows that are wanted, without copies of others in the batch."""
    rows = np.flatnonzero(wanted)
    order = np.lexsort((ranks[rows], high[rows], low[rows]))
    rows = rows[order]
    return np.sort(rows[first_of_run(low[rows], high[rows])])
