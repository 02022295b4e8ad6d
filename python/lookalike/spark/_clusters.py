"""The clusters of a result: a kept document with those removed for it, or connected components.

Components are found by two steps in turn, until every link leads to the lowest document of its
component: each document links its higher neighbours to its lowest one (large star), then its lower
neighbours and itself (small star). The links of one document pass by in one task, which does not
hold them, and the number of rounds grows slowly with the longest chain. (Kiveris, Lattanzi,
Mirrokni, Rastogi and Vassilvitskii, "Connected Components in MapReduce and Beyond", SoCC 2014.)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from ..errors import RunError
from . import _tasks

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ._job import WorkFolder
    from ._stages import Found


_MOST_ROUNDS = 100  # far more than chains of all documents that can be counted need


def by_leader(removed: DataFrame) -> DataFrame:
    """cluster, rank and kept: removed documents, and their witness, which names the cluster."""
    witness = F.col("witness")
    heads = removed.select(witness.alias("cluster"), witness.alias("rank")).distinct()
    return removed.select(witness.alias("cluster"), "rank", F.lit(False).alias("kept")).union(
        heads.withColumn("kept", F.lit(True))
    )


def by_component(
    folder: WorkFolder, found: Found, removed: DataFrame, reference_end: int
) -> DataFrame:
    """cluster, rank and kept: the documents of each component, which its lowest one names."""
    near = found.edges.select(F.col("a").alias("low"), F.col("d").alias("high"))
    copies = found.copies.where(F.col("copy") >= reference_end).select(
        F.col("representative").alias("low"), F.col("copy").alias("high")
    )
    stars = find_stars(folder, near.union(copies))
    gone = removed.select("rank", F.lit(False).alias("kept"))

    def members() -> DataFrame:
        heads = stars.select(F.col("low").alias("cluster"), F.col("low").alias("rank")).distinct()
        others = stars.select(F.col("low").alias("cluster"), F.col("high").alias("rank"))
        marked = heads.union(others).join(gone, "rank", "left")
        return marked.select("cluster", "rank", F.coalesce("kept", F.lit(True)).alias("kept"))

    return folder.stage("members", members)


def find_stars(folder: WorkFolder, links: DataFrame) -> DataFrame:
    """Links of the documents of each component to its lowest one.

    Args:
        links: low and high: two documents of one component, the lower one first.
    """
    # A task sees most components whole, as the pairs of one were verified together; then the
    # first table has only stars, and no round is needed.
    stars = folder.stage(
        "stars-0", lambda: links.mapInArrow(_tasks.Forest(), _tasks.LINKS).distinct()
    )
    for turn in range(1, _MOST_ROUNDS):
        if _are_stars(stars):
            return stars
        stars = folder.stage(f"stars-{turn}", partial(_next_stars, stars))
    raise RunError(
        f"clusters were not complete after {_MOST_ROUNDS} rounds; this is a bug in lookalike"
    )


def _are_stars(links: DataFrame) -> bool:
    """True if no document has two lower neighbours, nor lower and higher ones."""
    if not links.groupBy("high").count().where("count > 1").isEmpty():
        return False
    lows = links.select(F.col("low").alias("high")).distinct()
    return bool(links.join(lows, "high", "left_semi").isEmpty())


def _next_stars(links: DataFrame) -> DataFrame:
    return _small_star(_large_star(links))


def _lowest(of: str, among: str) -> Column:
    return F.min(among).over(Window.partitionBy(of))


def _large_star(links: DataFrame) -> DataFrame:
    """Links each higher neighbour of a document to the lowest of the document's neighbourhood."""
    both = links.select(F.col("low").alias("one"), F.col("high").alias("other")).union(
        links.select(F.col("high").alias("one"), F.col("low").alias("other"))
    )
    lowest = F.least("one", _lowest("one", "other"))
    return (
        both.withColumn("low", lowest)
        .where("other > one")
        .select("low", F.col("other").alias("high"))
    )


def _small_star(links: DataFrame) -> DataFrame:
    """Links a document and its lower neighbours to the lowest of these."""
    lowest = links.withColumn("lowest", _lowest("high", "low"))
    own = lowest.select(F.col("lowest").alias("low"), "high")
    lower = lowest.where("low > lowest").select(
        F.col("lowest").alias("low"), F.col("low").alias("high")
    )
    return own.union(lower).distinct()
