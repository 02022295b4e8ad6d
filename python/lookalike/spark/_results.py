"""What a search found, as DataFrames."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from . import _guarded, _report, _tasks
from ._documents import INPUT_ORDER, REFERENCE, decided_by, named
from ._stages import BROADCAST_ROWS, join_few

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ..engine import Engine
    from ._documents import Documents
    from ._job import WorkFolder
    from ._stages import Found

_OF_PAIR = "common / (cast(size_a as double) + size_b - common)"
_RESEMBLANCE = "common / (cast(size_a as double) + size_d - common)"


@dataclasses.dataclass(frozen=True)
class DedupResult:
    """The result of :func:`lookalike.spark.dedup`. DataFrames are read from the work folder.

    Attributes:
        kept: The rows that are kept, with all columns of the DataFrame that was passed in.
        removed: A row for each removed document: ``id``, ``kind`` (``identical``, ``exact`` or
            ``near``), ``duplicate_of`` (the id of a kept document), ``resemblance``, and ``order``
            and ``duplicate_of_order``, which tell rows with equal ids apart. With ``keep`` other
            than ``first``, ``kept_by`` says what decided that the other document stays: a
            criterion as it was passed, ``input order`` or ``reference``.
        clusters: A row for each document of a cluster: ``cluster`` (the same number for all of a
            cluster), ``size``, ``id``, ``order`` and ``kept``.
        manifest: The options, the design, how many documents were kept and removed, and the
            ``recall`` with its interval.
        guarded: With ``differ``, a row for each pair of kept documents that are alike, but that a
            guard tells apart: ``a`` and ``b`` (ids), ``resemblance``, ``differ`` (for each guard
            that tells them apart what only a has, and what only b has), ``a_order`` and
            ``b_order``. Else None.
    """

    kept: DataFrame
    removed: DataFrame
    clusters: DataFrame
    manifest: dict[str, Any]
    guarded: DataFrame | None
    _outcome: _report.Outcome = dataclasses.field(repr=False)

    def report(self) -> str:
        """Returns the page report.html, which shows what was removed. Reads the texts once more."""
        origin = self._outcome.origin()
        return _report.page(self._outcome, origin, self._outcome.measure(origin))


def removals(folder: WorkFolder, found: Found, reference_end: int) -> DataFrame:
    """Which ranks are removed: rank, witness, kind, resemblance."""
    near = folder.stage(
        "near",
        lambda: found.edges.repartition(1)
        .sortWithinPartitions("d", "a")
        .mapInArrow(_tasks.Keep(), _tasks.EDGES),
    ).select(
        F.col("d").alias("rank"),
        F.col("a").alias("witness"),
        F.lit("near").alias("kind"),
        F.expr(_RESEMBLANCE).alias("resemblance"),
    )

    def make() -> DataFrame:
        of_representative = near.withColumnRenamed("rank", "representative")
        kind = F.when(F.col("same"), "identical").otherwise("exact")
        own = found.copies.where(F.col("copy") >= reference_end)
        copies = own.join(of_representative, "representative", "left").select(
            F.col("copy").alias("rank"),
            F.coalesce("witness", "representative").alias("witness"),
            F.coalesce(F.col("kind"), kind).alias("kind"),
            F.coalesce(F.col("resemblance"), F.lit(1.0)).alias("resemblance"),
        )
        return near.union(copies)

    return folder.stage("removals", make)


def dedup_result(
    folder: WorkFolder,
    documents: Documents,
    removed: DataFrame,
    members: DataFrame,
    manifest: dict[str, Any],
    engine: Engine,
    guarded: DataFrame | None,
) -> DedupResult:
    """Returns the result of these removals. `members`: of clusters, as cluster, rank and kept.
    `guarded`: pairs that guards keep apart, if there are guards."""
    counts = {
        row["kind"]: row["count"] for row in removed.groupBy("kind").count().collect()
    }
    near = counts.pop("near", 0)
    exact = sum(counts.values())
    total = manifest["records"]["in"]
    manifest["records"] |= {
        "kept": total - exact - near,
        "removed_exact": exact,
        "removed_near": near,
    }
    gone = exact + near
    touched = members.select("rank")
    names = folder.stage(
        "names", lambda: join_few(documents.names, touched, "rank", members.count())
    )
    of_witness = names.select(
        F.col("rank").alias("witness"),
        F.col("id").alias("duplicate_of"),
        F.col("order").alias("duplicate_of_order"),
    )
    has_criteria = documents.criteria is not None
    if has_criteria:
        removed = folder.stage("kept-by", partial(decided_by, documents, removed))
        manifest["kept_by"] = _decided(documents, removed)
    if guarded is not None:
        manifest["guarded_pairs"] = guarded.count()
    rows = removed.join(names, "rank").join(of_witness, "witness")
    end = documents.reference_end
    columns = ["id", "kind", "duplicate_of", "resemblance", "order", "duplicate_of_order"]
    if has_criteria:
        columns.append("kept_by")
    if end:
        rows = rows.withColumn("duplicate_of_reference", F.col("witness") < end)
        columns.append("duplicate_of_reference")
    return DedupResult(
        kept=_kept(documents, removed, names, gone),
        removed=rows.select(*columns),
        clusters=_clusters(members, names),
        manifest=manifest,
        guarded=None if guarded is None else _guarded.with_ids(documents, guarded),
        _outcome=_report.Outcome(engine, documents, removed, members, manifest),
    )


def _decided(documents: Documents, removed: DataFrame) -> dict[str, int]:
    """How many removals each criterion decided, in order, as the manifest of the command says."""
    rows = removed.groupBy("kept_by").count().collect()
    counts = {row["kept_by"]: row["count"] for row in rows}
    names = [*(criterion.text for criterion in documents.columns.keep), INPUT_ORDER]
    first = [REFERENCE] if REFERENCE in counts else []
    return {name: counts.get(name, 0) for name in [*first, *names]}


def _kept(documents: Documents, removed: DataFrame, names: DataFrame, count: int) -> DataFrame:
    whole, columns = documents.whole, documents.columns
    if documents.rank is not None:
        marked = whole.withColumn("__rank", F.expr(documents.rank))
        ranks = removed.select(F.col("rank").alias("__rank"))
        kept = join_few(marked, ranks, "__rank", count, "left_anti")
        return kept.select(*map(named, whole.columns))
    gone = names.join(removed.select("rank"), "rank", "left_semi")
    own = [whole[f"`{name}`"] for name in columns.by]
    theirs = ["order", "id"][: len(columns.by)]
    gone = gone.select(*(F.col(name).alias(f"__{name}") for name in theirs))
    same: Column = F.lit(True)
    for column, name in zip(own, theirs, strict=True):
        same = same & column.eqNullSafe(F.col(f"__{name}"))
    return whole.join(F.broadcast(gone) if count <= BROADCAST_ROWS else gone, same, "left_anti")


def _clusters(members: DataFrame, names: DataFrame) -> DataFrame:
    return (
        members.join(_report.cluster_sizes(members), "cluster")
        .join(names, "rank")
        .select("cluster", "size", "id", "order", "kept")
    )


def pairs_result(folder: WorkFolder, documents: Documents, found: Found) -> DataFrame:
    """All pairs with ids."""
    every = _every_pair(folder, documents, found)
    names = documents.names
    return (
        every.join(names.select(F.col("rank").alias("first"), F.col("id").alias("a")), "first")
        .join(names.select(F.col("rank").alias("second"), F.col("id").alias("b")), "second")
        .select("a", "b", F.expr(_OF_PAIR).alias("resemblance"), "common", "size_a", "size_b")
    )


def nearest_result(
    folder: WorkFolder, documents: Documents, found: Found, top: int
) -> DataFrame:
    """The most similar documents of each, nearest first; of equal ones the earlier."""
    every = _every_pair(folder, documents, found)
    if not documents.reference_end:
        every = every.union(every.select("second", "first", "common", "size_b", "size_a"))
    of_each = Window.partitionBy("first").orderBy(F.desc("resemblance"), "second")
    nearest = every.withColumn("resemblance", F.expr(_OF_PAIR)).withColumn(
        "rank", F.row_number().over(of_each)
    )
    names = documents.names
    ids = names.select(F.col("rank").alias("first"), "id")
    neighbours = names.select(F.col("rank").alias("second"), F.col("id").alias("neighbour"))
    return (
        nearest.where(F.col("rank") <= top)
        .join(ids, "first")
        .join(neighbours, "second")
        .select("id", "rank", "neighbour", "resemblance", "common", "size_a", "size_b")
    )


def _every_pair(folder: WorkFolder, documents: Documents, found: Found) -> DataFrame:
    """Ranks first and second, and counts: pairs of representatives and of all their copies.

    Without a reference the first one is the earlier; else the second is of the reference.
    """
    end = documents.reference_end

    def make() -> DataFrame:
        copies = found.copies.select("representative", F.col("copy").alias("member"))
        heads = copies.select("representative").distinct()
        classes = copies.union(heads.select("representative", F.col("representative")))
        is_copy = copies.select(F.col("member").alias("d"))
        edges = found.edges.join(is_copy, "d", "left_anti")
        sides = edges.join(
            classes.select(F.col("representative").alias("a"), F.col("member").alias("of_a")),
            "a", "left",
        ).join(
            classes.select(F.col("representative").alias("d"), F.col("member").alias("of_d")),
            "d", "left",
        ).select(
            F.coalesce("of_a", "a").alias("x"), F.coalesce("of_d", "d").alias("y"),
            "common", F.col("size_a").alias("size_x"), F.col("size_d").alias("size_y"),
        )
        # One pair of each class was verified, which counted its features.
        counted = found.edges.join(is_copy, "d", "left_semi").select(
            F.col("a").alias("representative"), "common"
        )
        firsts = classes.select("representative", F.col("member").alias("x"))
        seconds = classes.select("representative", F.col("member").alias("y"))
        within = firsts.join(seconds, "representative").where("x < y").join(
            counted, "representative"
        ).select(
            "x", "y", "common", F.col("common").alias("size_x"), F.col("common").alias("size_y")
        )
        both = sides if end else sides.union(within)
        turned = (F.col("x") < F.col("y")) if end else (F.col("x") > F.col("y"))

        def either(one: str, other: str) -> Column:
            return F.when(turned, F.col(other)).otherwise(F.col(one))

        return both.select(
            either("x", "y").alias("first"),
            either("y", "x").alias("second"),
            "common",
            either("size_x", "size_y").alias("size_a"),
            either("size_y", "size_x").alias("size_b"),
        )

    return folder.stage("all-pairs", make)
