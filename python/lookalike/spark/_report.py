"""The page report.html of a search on Spark: what was removed, with examples side by side."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _core
from ._origin import Origin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

    from ..engine import Engine
    from ._documents import Documents

_CLUSTERS_SHOWN = 100
_MEMBERS_SHOWN = 4  # of each cluster, besides the kept document
_NARROW_SHOWN = 20
_FILES_SHOWN = 1000
_BINS = 20
_READ_CHARACTERS = (64 << 10) + 1  # of a text: more than is shown, which is marked as cut


@dataclasses.dataclass(frozen=True)
class Outcome:
    """A search that is done, of which a report can be made."""

    engine: Engine
    documents: Documents
    removed: DataFrame  # rank, witness, kind and resemblance
    members: DataFrame  # of clusters: cluster, rank and kept
    manifest: dict[str, Any]

    def origin(self) -> Origin:
        """The origin of documents that no files are known of."""
        columns = self.documents.columns
        return Origin(columns.text, columns.id, ["DataFrame"], [0])

    def measure(self, origin: Origin) -> Measured:
        """Reads the texts once more, and counts."""
        number = F.col("rank") + self.documents.low
        size = F.coalesce(F.octet_length("text"), F.lit(0))
        gone = self.removed.select("rank", F.lit(True).alias("gone"))
        rows = (
            self.documents.rows.where(F.col("rank") >= self.documents.reference_end)
            .join(gone, "rank", "left")
            .groupBy(origin.input_of(number).alias("input"))
            .agg(
                F.count(F.lit(1)).alias("documents"),
                F.count("gone").alias("removed"),
                F.count(F.when(F.col("text").isNull(), 1)).alias("null_text"),
                F.sum(size).alias("bytes"),
                F.coalesce(F.sum(F.when(F.col("gone"), size)), F.lit(0)).alias("removed_bytes"),
            )
            .collect()
        )
        inputs = [
            {"name": name, "records": bad, "kept": 0, "removed": 0, "rejected": bad}
            for name, bad in zip(origin.names, origin.rejected, strict=True)
        ]
        for row in rows:
            counts = inputs[row["input"]]
            counts["records"] += row["documents"]
            counts["kept"] = row["documents"] - row["removed"]
            counts["removed"] = row["removed"]
        rejected = sum(origin.rejected)
        inputs += self._measure_reference(origin)
        records = {
            **self.manifest["records"],
            "in": self.manifest["records"]["in"] + rejected,
            "rejected": rejected,
            "null_text": sum(row["null_text"] for row in rows),
            "repaired_text": origin.repaired,
        }
        size_in = sum(row["bytes"] for row in rows)
        size_kept = size_in - sum(row["removed_bytes"] for row in rows)
        return Measured(records, {"in": size_in, "kept": size_kept}, inputs)


    def _measure_reference(self, origin: Origin) -> list[dict[str, Any]]:
        """Counts the documents of each file of the reference."""
        if not origin.reference:
            return []
        names = self.documents.names.where(F.col("rank") < self.documents.reference_end)
        counted = names.groupBy(origin.input_of(F.col("order")).alias("input")).count().collect()
        documents = {row["input"] - len(origin.names): row["count"] for row in counted}
        return [
            {
                "name": name,
                "records": documents.get(i, 0) + bad,
                "kept": documents.get(i, 0),
                "removed": 0,
                "rejected": bad,
                "reference": True,
            }
            for i, (name, bad) in enumerate(
                zip(origin.reference, origin.reference_rejected, strict=True)
            )
        ]


@dataclasses.dataclass(frozen=True)
class Measured:
    """Counts of all documents, as the report and the manifest have them."""

    records: dict[str, int]
    bytes: dict[str, int]  # of texts
    inputs: list[dict[str, Any]]


def page(outcome: Outcome, origin: Origin, measured: Measured) -> str:
    """Returns the page."""
    removed, options = outcome.removed, outcome.engine.options
    clusters, narrowest = _largest(removed, outcome.members), _narrowest(removed)
    sizes = _sizes(outcome.members)
    known = _Known(outcome.documents, origin, [row for rows in clusters for row in rows], narrowest)
    found = {
        "records": measured.records,
        "bytes": measured.bytes,
        "inputs": _shown(measured.inputs),
        "fields": {"text": origin.text, "id": origin.id or ""},
        "recall": outcome.manifest["recall"],
        "statistics": _statistics(outcome, sizes, measured.records),
        "cluster_sizes": sizes,
        "resemblance_histogram": _histogram(removed, float(options["threshold"])),
        "clusters": [
            {
                "cluster": number,
                "size": members[0]["size"],
                "kept": known.document(members[0]["witness"]),
                "left_out": members[0]["size"] - 1 - len(members),
                "members": [known.member(row) for row in members],
            }
            for number, members in enumerate(clusters, 1)
        ],
        "narrowest": [
            {"kept": known.document(row["witness"]), "member": known.member(row)}
            for row in narrowest
        ],
    }
    if "kept_by" in outcome.manifest:
        found["kept_by"] = outcome.manifest["kept_by"]
    made: bytes = _core.report_page(outcome.engine._engine, json.dumps(found))
    return made.decode()


def _shown(inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first inputs, and the sum of the others."""
    others = inputs[_FILES_SHOWN:]
    if not others:
        return inputs
    counts = ("records", "kept", "removed", "rejected")
    total = {name: sum(each[name] for each in others) for name in counts}
    return [*inputs[:_FILES_SHOWN], {"name": f"{len(others)} other files", **total}]


def _statistics(
    outcome: Outcome, sizes: list[tuple[int, int]], records: dict[str, int]
) -> dict[str, Any]:
    clusters = sum(count for _, count in sizes)
    inside = sum(size * count for size, count in sizes)
    return {
        "clusters": clusters,
        "clusters_of_two": dict(sizes).get(2, 0),
        "mean_size": inside / clusters if clusters else 0.0,
        "largest": max((size for size, _ in sizes), default=0),
        "unique": records["in"] - records["rejected"] - inside + _of_reference(outcome),
        "in_clusters": inside,
    }


def cluster_sizes(members: DataFrame) -> DataFrame:
    """cluster, and size: how many documents it has."""
    return members.groupBy("cluster").agg(F.count(F.lit(1)).alias("size"))


def _largest(removed: DataFrame, members: DataFrame) -> list[list[Row]]:
    """Some removals of each of the largest clusters, near-duplicates first, and `size`.

    All have the same witness; of the several witnesses that a component may have, that of its
    first removed document.
    """
    top = cluster_sizes(members).orderBy(F.desc("size"), "cluster").limit(_CLUSTERS_SHOWN)
    is_copy = F.col("kind") != "near"
    first = F.first("witness").over(Window.partitionBy("cluster").orderBy("rank"))
    place = F.row_number().over(Window.partitionBy("cluster").orderBy(is_copy, "rank"))
    rows = (
        members.join(F.broadcast(top), "cluster")
        .join(removed, "rank")
        .withColumn("first", first)
        .where("witness = first")
        .withColumn("place", place)
        .where(F.col("place") <= _MEMBERS_SHOWN)
        .orderBy(F.desc("size"), "cluster", "place")
        .collect()
    )
    clusters: dict[int, list[Row]] = {}
    for row in rows:
        clusters.setdefault(row["cluster"], []).append(row)
    return list(clusters.values())


def _narrowest(removed: DataFrame) -> list[Row]:
    near = removed.where("kind = 'near'")
    rows: list[Row] = near.orderBy("resemblance", "rank").limit(_NARROW_SHOWN).collect()
    return rows


def _sizes(members: DataFrame) -> list[tuple[int, int]]:
    """The number of clusters of each size."""
    sizes = cluster_sizes(members)
    rows = sizes.groupBy("size").agg(F.count(F.lit(1)).alias("clusters")).orderBy("size").collect()
    return [(row["size"], row["clusters"]) for row in rows]


def _histogram(removed: DataFrame, threshold: float) -> dict[str, Any]:
    """The number of near-duplicates by resemblance, from the threshold on."""
    width = max((1 - threshold) / _BINS, 1e-6)
    place = F.floor((F.col("resemblance") - threshold) / width + 1e-9).cast("int")
    bins = F.least(place, F.lit(_BINS - 1)).alias("bin")
    counts = [0] * _BINS
    for row in removed.where("kind = 'near'").groupBy(bins).count().collect():
        counts[max(row["bin"], 0)] = row["count"]
    return {"from": threshold, "width": width, "counts": counts}


def _of_reference(outcome: Outcome) -> int:
    """The documents of clusters that are only compared with."""
    end = outcome.documents.reference_end
    return int(outcome.members.where(F.col("rank") < end).count()) if end else 0


class _Known:
    """What the page shows of documents: ids, places, and the beginnings of texts to compare."""

    def __init__(
        self, documents: Documents, origin: Origin, members: list[Row], narrowest: list[Row]
    ) -> None:
        self._origin, self._end = origin, documents.reference_end
        shown = members + narrowest
        sides = ("rank", "witness")
        ranks = {row[side] for row in shown for side in sides}
        compared = {row[side] for row in shown if row["kind"] == "near" for side in sides}
        self._rows = _rows_of(documents, ranks, compared) if ranks else {}

    def document(self, rank: int) -> dict[str, Any]:
        row = self._rows[rank]
        return {"id": row["id"] or "", **self._origin.place(row["order"], rank < self._end)}

    def member(self, removal: Row) -> dict[str, Any]:
        member = {
            **self.document(removal["rank"]),
            "kind": removal["kind"],
            "resemblance": removal["resemblance"],
        }
        if removal["kind"] == "near":
            member["text"] = self._rows[removal["rank"]]["text"] or ""
            member["kept_text"] = self._rows[removal["witness"]]["text"] or ""
        return member


def _rows_of(documents: Documents, ranks: set[int], compared: set[int]) -> dict[int, Row]:
    """id, order and, of those to compare, the beginning of the text."""
    table = documents.names.sparkSession.createDataFrame(
        [(rank, rank in compared) for rank in sorted(ranks)], "rank long, compared boolean"
    )
    begin = F.when(F.col("compared"), F.substring("text", 1, _READ_CHARACTERS)).alias("text")
    rows = (
        documents.rows.join(F.broadcast(table), "rank")
        .select("rank", begin)
        .join(documents.names, "rank")
        .select("rank", F.col("id").cast("string").alias("id"), "order", "text")
        .collect()
    )
    return {row["rank"]: row for row in rows}
