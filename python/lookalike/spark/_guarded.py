"""Pairs of kept documents that are alike, but that a guard tells apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from . import _tasks
from ._stages import BROADCAST_ROWS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._documents import Documents
    from ._stages import Found, Search

_RESEMBLANCE = "common / (cast(size_a as double) + size_d - common)"
_DIFFER = "map<string, array<array<string>>>"


def find(search: Search, found: Found, removed: DataFrame) -> DataFrame | None:
    """a, d (ranks), resemblance and differ (JSON) of each guarded pair; None: there are no guards.

    Pairs of removed documents say nothing about the result. What differs is found in the texts of
    the documents of these pairs, which are read once more.
    """
    if not search.rules.guarded:
        return None
    gone = removed.select("rank")

    def both_kept() -> DataFrame:
        pairs = found.guarded.select("a", "d", F.expr(_RESEMBLANCE).alias("resemblance"))
        for side in ("a", "d"):
            pairs = pairs.join(gone.withColumnRenamed("rank", side), side, "left_anti")
        return pairs.select("a", "d", "resemblance")

    pairs = search.folder.stage("guarded", both_kept)

    def tokens() -> DataFrame:
        sides = (pairs.select(F.col(side).alias("rank")) for side in ("a", "d"))
        ranks = next(sides).union(next(sides)).distinct()
        few = ranks.count() <= BROADCAST_ROWS
        wanted = search.documents.rows.join(F.broadcast(ranks) if few else ranks, "rank")
        return wanted.mapInArrow(_tasks.FindTokens(search.rules), _tasks.TOKENS)

    stored = search.folder.stage("guarded-tokens", tokens)

    def differences() -> DataFrame:
        both = pairs.join(stored.toDF("a", "tokens_a"), "a").join(stored.toDF("d", "tokens_d"), "d")
        columns = both.select("a", "d", "resemblance", "tokens_a", "tokens_d")
        return columns.mapInArrow(_tasks.FindDifferences(search.rules), _tasks.DIFFERENCES)

    return search.folder.stage("guarded-differences", differences)


def with_ids(documents: Documents, pairs: DataFrame) -> DataFrame:
    """The pairs by the ids of their documents."""
    rows = pairs.withColumnRenamed("a", "rank_a").withColumnRenamed("d", "rank_b")
    for side in ("a", "b"):
        names = documents.names.toDF(f"rank_{side}", side, f"{side}_order")
        rows = rows.join(names, f"rank_{side}")
    differ = F.from_json("differ", _DIFFER).alias("differ")
    columns = ["a", "b", "resemblance", differ, "a_order", "b_order"]
    if documents.reference_end:
        of_reference = F.col("rank_a") < documents.reference_end
        columns.append(of_reference.alias("a_reference"))
    return rows.select(*columns)
