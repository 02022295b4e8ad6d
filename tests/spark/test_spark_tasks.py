"""Tasks of lookalike.spark by themselves, on batches of one partition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspark")
from lookalike.spark import _tasks  # noqa: E402 - needs pyspark
from lookalike.spark._blobs import Kind, Outbox, each, unpack  # noqa: E402
from lookalike.spark._tasks import _verify  # noqa: E402

RULES = _tasks.Rules((), 1000, False, "bands:2x2", partitions=7)


def pairs_of(batches: Any) -> tuple[list[tuple[int, int, int]], set[tuple[int, int]]]:
    """(partition, a, d) of pairs, and (document, partition) of who is needed."""
    pairs: list[tuple[int, int, int]] = []
    needed: set[tuple[int, int]] = set()
    for batch in batches:
        for p, kind, blob in zip(batch["p"], batch["kind"], batch["blob"], strict=True):
            first, second = unpack(blob)
            rows = zip(first.tolist(), second.tolist(), strict=True)
            if kind.as_py() == Kind.NEEDED:
                needed.update(rows)
            else:
                pairs += [(p.as_py(), a, d) for a, d in rows]
    return pairs, needed


@pytest.mark.parametrize("round_bytes", [1 << 30, 20_000, 2_000])
def test_pairs_are_distinct_however_many_rounds(
    monkeypatch: pytest.MonkeyPatch, round_bytes: int
) -> None:
    monkeypatch.setattr(_verify, "_ROUND_BYTES", round_bytes)
    source = np.random.default_rng(3)
    a = source.integers(0, 60, 20_000).astype(np.uint64)
    d = a + source.integers(1, 60, 20_000).astype(np.uint64)
    out = Outbox(1)
    for begin in range(0, len(a), 1000):
        out.add(Kind.PAIRS, None, a[begin : begin + 1000], d[begin : begin + 1000])
    pairs, needed = pairs_of(_tasks.Distinct(RULES)(out.give()))
    expected = set(zip(a.tolist(), d.tolist(), strict=True))
    assert len(pairs) == len(expected)
    assert {(x, y) for _, x, y in pairs} == expected
    assert needed == {(x, p) for p, *pair in pairs for x in pair}
    partition_of = {(y, p) for p, _, y in pairs}
    assert len(partition_of) == len({y for y, _ in partition_of})  # all of a document together
    assert len(list(each(_tasks.Distinct(RULES)(iter(()))))) == 0
