"""The recall of a search: sampled documents are compared with all others, exactly.

Codes rule out most of the others first, so that few texts are read again.

The sample is that of the command: the classes of equal documents whose hashes are the lowest. What
the search found of their near-duplicates is an estimate of its recall, with an interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _core
from . import _tasks
from ._stages import BROADCAST_ROWS, join_few

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._stages import Found, Search

_NAMED = 128  # similar documents of a sampled one that are looked at
_LONGEST = 16 << 20  # bytes of a text that is compared, so that a task needs little memory
_MOST_FEATURES = 1 << 20  # of all sampled documents; where documents are long, fewer are sampled


def measure(
    search: Search, found: Found, removed: DataFrame, documents: int, asked: float
) -> dict[str, Any]:
    """Returns what the manifest says about recall. `documents`: how many are sampled; 0: none."""
    pairs, hits, distinct, left_over = np.zeros(0), np.zeros(0), 0, 0.0
    if documents:
        sample = _sample(search, found, documents)
        suspects = search.folder.stage(
            f"suspects-{documents}", lambda: _suspects(search, found, sample)
        )
        similar = search.folder.stage(
            f"audit-{documents}", lambda: _similar(search, found, sample, suspects)
        )
        pairs = np.zeros(len(sample.documents))
        totals = similar.where("rank is null").groupBy("sample").agg(F.sum("draw"))
        for number, total in totals.collect():
            pairs[number] = total
        hits = pairs.copy()
        for row in _looked_at(search, sample, similar, removed).collect():
            weight = pairs[row["sample"]] / row["named"]
            hits[row["sample"]] = weight * row["found"]
            distinct += row["distinct"]
            left_over += weight * row["left"]
    estimate, low, high, met = _core.estimate_recall(pairs, hits, asked)
    searched = search.rules.documents - found.left_out
    return {
        "asked": asked,
        "estimate": estimate,
        "low": low,
        "high": high,
        "met": met and not (found.left_out and not searched),
        "sampled_documents": len(pairs),
        "sampled_pairs": distinct,
        "left_over": round(left_over),
        "covers": {
            "documents": searched,
            "left_out": found.left_out,
            "min_features": search.rules.engine().least_features,
        },
    }


def _looked_at(
    search: Search, sample: _tasks.Sample, similar: DataFrame, removed: DataFrame
) -> DataFrame:
    """By sampled document: similar ones that are named, of how many one of the two is removed; and
    of the pairs, each once, all (distinct) and those of two kept documents (left)."""
    rows = [(number, int(rank)) for number, rank in enumerate(sample.documents)]
    samples = search.folder.spark.createDataFrame(rows, "sample int, sampled long")
    ranks = samples.select(F.col("sampled").alias("rank"), F.lit(True).alias("is_sampled"))
    gone = removed.select("rank", F.lit(True).alias("gone"))
    sampled_gone = gone.select(F.col("rank").alias("sampled"), F.lit(True).alias("sampled_gone"))
    of_sample = samples.join(sampled_gone, "sampled", "left")
    nearest = Window.partitionBy("sample").orderBy("draw", "rank")
    is_found = F.col("gone").isNotNull() | F.col("sampled_gone").isNotNull()
    # A pair of two sampled documents is met twice.
    is_first = F.col("is_sampled").isNull() | (F.col("sampled") < F.col("rank"))
    return (
        similar.where("rank is not null")
        .withColumn("place", F.row_number().over(nearest))
        .where(F.col("place") <= _NAMED)
        .join(gone, "rank", "left")
        .join(F.broadcast(of_sample), "sample")
        .join(F.broadcast(ranks), "rank", "left")
        .groupBy("sample")
        .agg(
            F.count(F.lit(1)).alias("named"),
            F.count(F.when(is_found, 1)).alias("found"),
            F.count(F.when(is_first, 1)).alias("distinct"),
            F.count(F.when(is_first & ~is_found, 1)).alias("left"),
        )
    )


def _sample(search: Search, found: Found, documents: int) -> _tasks.Sample:
    """The documents with the lowest hashes, and their sets, which fit in the memory of a task."""

    def sets() -> DataFrame:
        lowest = (
            found.classes.mapInArrow(_tasks.Lowest(documents), _tasks.PLACES)
            .groupBy("place")
            .agg(F.min("rank").alias("rank"))
            .orderBy("place")
            .limit(documents)
        )
        wanted = _compared(search).join(F.broadcast(lowest.select("rank")), "rank")
        return wanted.mapInArrow(_tasks.SampleSets(search.rules), _tasks.SETS)

    stored = search.folder.stage(f"sample-{documents}", sets)
    size = (F.octet_length("features") / 8).cast("long")
    sizes = stored.select("rank", size, F.xxhash64("rank").alias("draw")).orderBy("draw").collect()
    chosen: list[int] = []
    room = _MOST_FEATURES
    for rank, features, _ in sizes:
        if features <= room:
            chosen.append(rank)
            room -= features
    rows = stored.where(F.col("rank").isin(chosen)).orderBy("rank").collect()
    every = [np.frombuffer(row["features"], np.uint64) for row in rows]
    return _tasks.Sample(
        np.array([row["rank"] for row in rows], np.uint64),
        np.concatenate([np.zeros(0, np.uint64), *every]),
        np.cumsum([0, *map(len, every)]).astype(np.int64),
        np.frombuffer(b"".join(row["code"] for row in rows if row["code"]), np.uint8),
        np.frombuffer(b"".join(row["words"] for row in rows), np.uint64),
    )


def _compared(search: Search) -> DataFrame:
    """The documents that are compared. A null is as long as none."""
    size = F.coalesce(F.octet_length("text"), F.lit(0))
    return search.documents.rows.where(size <= _LONGEST)


def _suspects(search: Search, found: Found, sample: _tasks.Sample) -> DataFrame:
    """The documents that codes do not rule out, and those of few features, which have no code."""
    task = _tasks.Suspects(search.rules, sample.codes)
    return found.codes.mapInArrow(task, _tasks.SUSPECTS)


def _similar(
    search: Search, found: Found, sample: _tasks.Sample, suspects: DataFrame
) -> DataFrame:
    # Exact copies are always found, so that they say nothing about recall.
    copies = found.copies.select(F.col("copy").alias("rank"))
    suspects = join_few(suspects.distinct(), copies, "rank", copies.count(), "left_anti")
    rows = _compared(search)
    count = suspects.count()
    if count <= min(BROADCAST_ROWS, search.rules.documents // 2):
        rows = rows.join(F.broadcast(suspects), "rank", "left_semi")
    else:  # a join would move more than the texts that it saves
        rows = join_few(rows, copies, "rank", copies.count(), "left_anti")
    return rows.mapInArrow(_tasks.Compare(search.rules, sample), _tasks.SIMILAR)
