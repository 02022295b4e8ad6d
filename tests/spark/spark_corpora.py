"""Corpora that are hard for a search by keys, and comparisons with one process."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import lookalike
import pyarrow as pa

Texts = Sequence[str | None]


def near_copies() -> list[str | None]:
    """Texts with copies, near-copies and texts that are like no other."""
    source = random.Random(1)
    texts: list[str | None] = []
    for _ in range(300):
        words = [f"word{source.randrange(5000)}" for _ in range(120)]
        texts.append(" ".join(words))
        for _ in range(source.randrange(4)):
            changed = list(words)
            for _ in range(source.randrange(6)):
                changed[source.randrange(len(changed))] = f"other{source.randrange(5000)}"
            texts.append(" ".join(changed))
        if source.random() < 0.3:
            texts.append(" ".join(words).upper())
    return _shuffled(texts, source)


def template() -> list[str | None]:
    """Pages of one template, which share keys: large buckets, refined and not."""
    source = random.Random(2)
    frame = [f"frame{i}" for i in range(80)]
    texts: list[str | None] = []
    for i in range(1500):
        own = [f"own{source.randrange(400)}" for _ in range(source.randrange(30))]
        texts.append(" ".join([*frame, *own]))
        if i % 5 == 0:
            texts.append(" ".join([*frame, *own, "more"]))
    return _shuffled(texts, source)


def short_texts() -> list[str | None]:
    """Texts of few words, some in very many of them; nulls and empty texts."""
    source = random.Random(3)
    texts: list[str | None] = [None, "", "  ", "?!", None]
    for i in range(4000):
        common = ["often", "usual", "plain"][: i % 4]
        own = [f"w{source.randrange(60)}" for _ in range(source.randrange(1, 14))]
        texts.append(" ".join([*common, *own]))
    return _shuffled(texts, source)


def _shuffled(texts: list[str | None], source: random.Random) -> list[str | None]:
    source.shuffle(texts)
    return texts


def table(texts: Texts, ids: Iterable[str] | None = None) -> pa.Table:
    names = list(ids) if ids is not None else [f"d{i}" for i in range(len(texts))]
    return pa.table({"id": names, "text": pa.array(texts, pa.string())})


def frame(spark: Any, texts: Texts, partitions: int, ids: Iterable[str] | None = None) -> Any:
    """A DataFrame (id, text, n) in another order than that of n."""
    names = list(ids) if ids is not None else [f"d{i}" for i in range(len(texts))]
    rows = [(name, text, n) for n, (name, text) in enumerate(zip(names, texts, strict=True))]
    random.Random(partitions).shuffle(rows)
    return spark.createDataFrame(rows, "id string, text string, n long").repartition(partitions)


def removals(result: Any) -> list[tuple[Any, ...]]:
    """(id, kind, duplicate_of, resemblance) of a result of Spark or of one process."""
    names = ("id", "kind", "duplicate_of", "resemblance")
    removed = result.removed
    rows = removed.collect() if hasattr(removed, "collect") else removed.to_pylist()
    return sorted(tuple(row[name] for name in names) for row in rows)


def clusters(result: Any) -> list[list[str]]:
    """The ids of each cluster; those that are kept first."""
    found: dict[int, list[tuple[bool, str]]] = {}
    for row in result.clusters.collect():
        found.setdefault(row["cluster"], []).append((not row["kept"], row["id"]))
        size = row["size"]
        assert size >= 2
    return sorted([name for _, name in sorted(members)] for members in found.values())


def clusters_of_one_process(result: lookalike.DedupResult) -> list[list[str]]:
    return sorted(
        [*sorted(row["kept"]), *sorted(set(row["members"]) - set(row["kept"]))]
        for row in result.clusters.to_pylist()
    )
