"""Connected components on Spark: those of any links, however long the chains are."""

from __future__ import annotations

import random
from typing import Any

import lookalike
import numpy as np
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
import lookalike.spark as on_spark  # noqa: E402 - needs pyspark
from lookalike import _core  # noqa: E402
from lookalike.spark import _clusters, _job, _report, _tasks  # noqa: E402
from lookalike.spark._tasks import _cluster  # noqa: E402

DOCUMENTS = 1_000


def chains(source: random.Random) -> list[tuple[int, int]]:
    """Chains whose documents are in random order, each with one far from its neighbours."""
    order = source.sample(range(DOCUMENTS), DOCUMENTS)
    return [
        (min(one, other), max(one, other))
        for i, (one, other) in enumerate(zip(order, order[1:], strict=False))
        if i % 300 != 0
    ]


def hub(source: random.Random) -> list[tuple[int, int]]:
    """A document with very many neighbours, and others that are linked to few."""
    links = [(17, n) for n in range(18, DOCUMENTS // 2)]
    for _ in range(DOCUMENTS // 4):
        one, other = sorted(source.sample(range(DOCUMENTS), 2))
        links.append((one, other))
    return links


@pytest.mark.parametrize("make", [chains, pytest.param(hub, marks=pytest.mark.slow)])
def test_stars_are_the_components_of_the_links(
    spark: Any, work: Any, make: Any
) -> None:
    links = make(random.Random(5))
    folder = _job.WorkFolder(spark, work(), lambda line: None)
    # A task sees few links, so that rounds have to do the work.
    frame = spark.createDataFrame(links, "low long, high long").repartition(10)
    stars = _clusters.find_stars(folder, frame)
    rounds = [name for name in folder.seconds if name != "stars-0"]
    assert 2 <= len(rounds) <= 8
    a, d = (np.array(side, np.uint64) for side in zip(*links, strict=True))
    lowest = _core.group_linked(a, d, DOCUMENTS)
    wanted = [(int(root), n) for n, root in enumerate(lowest) if root != n]
    assert sorted((row["low"], row["high"]) for row in stars.collect()) == sorted(wanted)


def test_a_forest_links_what_was_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    links = hub(random.Random(7)) + chains(random.Random(8))
    batches = [_cluster.batches_of(_cluster._LINK_FIELDS, columns_of(links[i : i + 100]))
               for i in range(0, len(links), 100)]  # fmt: skip
    monkeypatch.setattr(_cluster, "_LINKS_AT_A_TIME", 250)
    made = [
        pair
        for batch in _tasks.Forest()(batch for some in batches for batch in some)
        for pair in zip(batch["low"].to_pylist(), batch["high"].to_pylist(), strict=True)
    ]
    assert all(low < high for low, high in made)
    assert len(made) <= len(links)
    roots = [
        _core.group_linked(*columns_of(some, np.uint64), DOCUMENTS).tolist()
        for some in (links, made)
    ]
    assert roots[0] == roots[1]


def columns_of(links: list[tuple[int, int]], kind: Any = np.int64) -> list[Any]:
    return [np.array(side, kind) for side in zip(*links, strict=True)]


@pytest.mark.slow
def test_a_component_may_have_several_kept_documents(spark: Any, work: Any) -> None:
    # Each text shares most words with the next one, and few with the one after it.
    words = [f"word{n}" for n in range(400)]
    texts = [" ".join(words[n * 12 : n * 12 + 60]) for n in range(20)]
    options: dict[str, Any] = {"threshold": 0.6, "shingle": "word:1", "cluster": "components"}
    made = on_spark.dedup(
        corpora.frame(spark, texts, 2), order_col="n", work_dir=work(), partitions=2, **options
    )
    one = lookalike.dedup(corpora.table(texts), design=made.manifest["design"], **options)
    assert corpora.clusters(made) == corpora.clusters_of_one_process(one)
    rows = made.clusters.collect()
    assert {row["size"] for row in rows} == {20}
    assert sum(row["kept"] for row in rows) > 5
    assert made.manifest["options"]["cluster"] == "components"
    # The page shows documents beside the kept one that they were compared with.
    outcome = made._outcome
    removed = sorted(outcome.removed.collect(), key=lambda row: row["rank"])
    assert len({row["witness"] for row in removed}) > 1
    (cluster,) = _report._largest(outcome.removed, outcome.members)
    assert {row["witness"] for row in cluster} == {removed[0]["witness"]}


def test_documents_without_links_are_in_no_star(spark: Any, work: Any) -> None:
    folder = _job.WorkFolder(spark, work(), lambda line: None)
    stars = _clusters.find_stars(folder, spark.createDataFrame([], "low long, high long"))
    assert stars.count() == 0 and list(folder.seconds) == ["stars-0"]
