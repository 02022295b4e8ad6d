"""Links between documents to fewer ones, which connect the same documents."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa

from ... import _core
from ._task import Batches, Task, batches_of, ranks_of

#: Columns of links; low < high.
LINKS = "low long, high long"

_LINK_FIELDS = pa.schema([("low", pa.int64()), ("high", pa.int64())])
_LINKS_AT_A_TIME = 1 << 20


@dataclasses.dataclass(frozen=True)
class Forest(Task):
    """Rows (low, high) to a star for each component that some of them make."""

    def __call__(self, batches: Batches) -> Batches:
        held: list[pa.RecordBatch] = []
        rows = 0
        for batch in batches:
            held.append(batch)
            rows += batch.num_rows
            if rows >= _LINKS_AT_A_TIME:
                yield from _stars_of(held)
                held, rows = [], 0
        yield from _stars_of(held)


def _stars_of(batches: list[pa.RecordBatch]) -> Batches:
    if not batches:
        return
    low, high = (
        np.concatenate([ranks_of(batch[name]) for batch in batches]) for name in ("low", "high")
    )
    ranks, places = np.unique(np.concatenate([low, high]), return_inverse=True)
    one, other = np.split(places.astype(np.uint64), 2)
    lowest = ranks[_core.group_linked(one, other, len(ranks))]
    linked = lowest != ranks
    yield from batches_of(
        _LINK_FIELDS, [lowest[linked].view(np.int64), ranks[linked].view(np.int64)]
    )
