"""The recall that lookalike.spark measures is that of a comparison of all documents."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import lookalike
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
import lookalike.spark as on_spark  # noqa: E402 - needs pyspark
from lookalike.errors import OptionError  # noqa: E402
from lookalike.spark import _audit  # noqa: E402


def true_pairs(texts: corpora.Texts) -> list[tuple[str, str]]:
    """Pairs at .8 or above of documents that are not exact copies of earlier ones."""
    first: dict[str, str] = {}
    for i, text in enumerate(texts):
        first.setdefault(" ".join((text or "").lower().split()), f"d{i}")
    heads = set(first.values())
    every = lookalike.pairs(corpora.table(texts), threshold=0.8, method="exact").to_arrow()
    pairs = zip(every["a"].to_pylist(), every["b"].to_pylist(), strict=True)
    return [(a, b) for a, b in pairs if a in heads and b in heads]


def test_the_recall_is_that_of_a_comparison_of_all(spark: Any, work: Any) -> None:
    texts = corpora.near_copies()
    result = on_spark.dedup(
        corpora.frame(spark, texts, 3), order_col="n", work_dir=work(), partitions=3,
        design="bands:2x12", audit_documents=len(texts),
    )  # fmt: skip
    gone = {row["id"] for row in result.removed.collect()}
    pairs = true_pairs(texts)
    found = [pair for pair in pairs if gone.intersection(pair)]
    assert 50 < len(found) < len(pairs)
    recall = result.manifest["recall"]
    assert recall["estimate"] == pytest.approx(len(found) / len(pairs))
    assert recall["low"] < recall["estimate"] < recall["high"] < 0.99
    assert recall["sampled_pairs"] == len(pairs)
    assert recall["left_over"] == len(pairs) - len(found)
    assert not recall["met"]
    assert "recall" in result.report()


@pytest.mark.slow
def test_documents_with_too_few_features_are_counted(spark: Any, work: Any) -> None:
    texts = ["one two", "one two three", None, "", *["a b c d e f g"] * 2]
    for least, left_out in ((3, 1), (50, 4)):
        result = on_spark.dedup(
            corpora.frame(spark, texts, 2), order_col="n", work_dir=work(), partitions=1,
            shingle="word:1", min_features=least,
        )  # fmt: skip
        one = lookalike.dedup(corpora.table(texts), shingle="word:1", min_features=least)
        recall = result.manifest["recall"]
        assert recall["covers"] == one.manifest["recall"]["covers"]
        assert recall["covers"]["left_out"] == left_out
        assert recall["met"] == one.manifest["recall"]["met"]


@pytest.mark.slow
def test_a_sample_estimates_it(spark: Any, work: Any) -> None:
    texts = corpora.near_copies()
    df = corpora.frame(spark, texts, 3)
    options: dict[str, Any] = {"work_dir": work(), "partitions": 3, "design": "bands:2x12"}
    recalls = [
        on_spark.dedup(df, order_col="n", audit_documents=n, **options).manifest["recall"]
        for n in (100, 0)
    ]
    assert recalls[0]["sampled_documents"] == 100
    assert recalls[0]["low"] < 0.85 < 0.99
    assert recalls[1]["sampled_documents"] == 0
    assert recalls[1]["estimate"] is None
    assert recalls[1]["met"]
    with pytest.raises(OptionError, match="use a whole number from 0"):
        on_spark.dedup(df, order_col="n", audit_documents=-1, **options)


@pytest.mark.slow
def test_codes_rule_out_only_documents_that_are_like_no_sampled_one(
    spark: Any, work: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [*corpora.near_copies(), *corpora.short_texts()[:300]]
    df = corpora.frame(spark, texts, 3)
    recalls = []
    for most in (_audit.BROADCAST_ROWS, 0):  # without a limit on suspects, and with all texts
        monkeypatch.setattr(_audit, "BROADCAST_ROWS", most)
        result = on_spark.dedup(
            df, order_col="n", work_dir=work(), partitions=3, design="bands:2x12",
            shingle="word:1", audit_documents=150,
        )  # fmt: skip
        recalls.append(result.manifest["recall"])
        (suspects,) = tmp_path.glob("work/*/suspects-150")
        count = spark.read.parquet(suspects.as_uri()).distinct().count()
        for stage in tmp_path.glob("work/*/audit-150"):
            shutil.rmtree(stage)
    # Copies of a suspect are suspects too, unless they came in its batch; 3.5 cuts smaller ones.
    assert 150 < count < 0.6 * len(texts)
    assert recalls[0] == recalls[1]
    assert recalls[0]["sampled_pairs"] > 50
