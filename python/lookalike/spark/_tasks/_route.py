"""Texts to blobs: keys, classes, codes and small sets, for the partitions that join them."""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ... import _core
from .._blobs import Kind, Numbers, Outbox
from ._task import BY_KEYS, Batches, Rules, Task, extract, first_of_run, one, ranks_of

_OTHER_CLASS = np.uint64(0x9E3779B97F4A7C15)  # changes the hash of a class to that of another


@dataclasses.dataclass(frozen=True)
class Route(Task):
    """Rows (rank, text) to keys, hashes, codes and small feature sets."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        out = Outbox(self.rules.partitions)
        nothing = extract(engine, pa.array([""]), few=True)[2]  # the hash of no features
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
        self, engine: _core.Engine, batch: pa.RecordBatch, nothing: npt.NDArray[np.uint8],
        out: Outbox,
    ) -> int:  # fmt: skip
        """Returns how many documents have features, and too few to be searched."""
        ranks = ranks_of(batch["rank"])
        features, offsets, hashes, searched, codes, keys, texts = extract(
            engine, batch["text"], few=True
        )
        low, high = hashes.view(np.uint64).reshape(-1, 2).T
        empty = (hashes.reshape(-1, 16) == nothing).all(1)
        left_out = (searched == 0) & ~empty
        if self.rules.all_pairs:  # copies of a document of the reference are in pairs with it
            low = np.where(ranks < np.uint64(self.rules.reference_end), low ^ _OTHER_CLASS, low)
        found = searched != 0
        out.add(Kind.CLASSES, low[found], low[found], high[found], ranks[found], texts[found])
        if self.rules.exact_empty:
            self._add_empty(batch["text"].filter(pa.array(empty)), ranks[empty], texts[empty], out)
        keyed = _first_of_class(searched == BY_KEYS, low, high, ranks)
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
        return int(left_out.sum())

    @staticmethod
    def _add_empty(texts: pa.Array, ranks: Numbers, hashes: Numbers, out: Outbox) -> None:
        low, high = _hashes_of(texts.fill_null("")).T
        out.add(Kind.EMPTY, low, low, high, ranks, hashes)


def _hashes_of(texts: pa.Array) -> Numbers:
    """Two columns that tell texts apart."""
    digests = (hashlib.blake2b(text.encode(), digest_size=16) for text in texts.to_pylist())
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
