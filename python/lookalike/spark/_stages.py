"""The stages of a search: DataFrames of blobs, each written to the work folder.

routed      text to keys, codes, classes and small sets          the first scan of the texts
small-N     keys of level N, by key, to pairs                     N counts from 0
large-N     members of large buckets, with their codes, to pairs and keys of the next level
shared-features, few    small sets, by feature, to pairs
pairs       distinct pairs, and which texts they need
edges       pairs with their texts to verified pairs              the second scan of the texts
sample      sampled documents with their sets and codes            if an audit is wanted
suspects    codes to documents that may be like sampled ones
audit       suspects with their texts, compared with the sample    the third scan, of few texts
"""

from __future__ import annotations

import dataclasses
import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark.sql import functions as F

from . import _tasks
from ._blobs import SCHEMA, Kind, unpack

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._documents import Documents
    from ._job import WorkFolder
    from ._tasks import Rules

#: Documents up to which a table of them is sent to every executor instead of being shuffled.
BROADCAST_ROWS = 4_000_000

_EDGE_BYTES = 64 << 20  # of documents that a task verifies at a time, about: their texts, and
_DOCUMENT_BYTES = 1 << 10  # what it holds of each document besides: features, code, pairs
_MEMBERS = "key long, rank long"


@dataclasses.dataclass(frozen=True)
class Found:
    """What the stages found, in ranks."""

    edges: DataFrame  # a, d, common, size_a, size_d
    guarded: DataFrame  # the same, of pairs that would be edges but for a guard
    copies: DataFrame  # representative, copy, same
    classes: DataFrame  # blobs of classes, of all documents that are searched
    codes: DataFrame  # blobs of codes and of small sets, which tell of all that are searched
    left_out: int  # documents that have too few features to be searched


@dataclasses.dataclass(frozen=True)
class Search:
    """The stages of one search."""

    folder: WorkFolder
    rules: Rules
    documents: Documents
    levels: int

    def run(self) -> Found:
        """Runs all stages that are not done yet."""
        routed = self.folder.stage("routed", self._routed)
        keys = _of(routed, Kind.KEYS, Kind.CLASSES, Kind.EMPTY, Kind.SMALL_SETS)
        small = self.folder.stage("small-0", partial(self._small, keys, 0))
        copies = _of(small, Kind.COPIES).mapInArrow(
            _tasks.Copies(), "representative long, copy long, same boolean"
        )
        pairs = [small, *self._refined(routed, small, copies)]
        pairs += self._few(_of(small, Kind.FEATURES))
        texts, left_out = _sizes(routed)
        verified = self._verified(routed, pairs, self._edge_partitions(texts))
        edges, guarded = (
            verified.where(F.col("guarded") == is_guarded).drop("guarded")
            for is_guarded in (False, True)
        )
        codes = _of(routed, Kind.CODES, Kind.SMALL_SETS)
        return Found(edges, guarded, copies, _of(routed, Kind.CLASSES), codes, left_out)

    def _by_partition(self, blobs: DataFrame, partitions: int | None = None) -> DataFrame:
        """Brings the blobs of each partition together; a task may get several partitions."""
        count = partitions or self.rules.partitions
        if hasattr(blobs, "repartitionById"):  # of Spark 4.1
            return blobs.repartitionById(count, F.col("p"))
        return blobs.repartition(count, "p")

    def _routed(self) -> DataFrame:
        return self.documents.rows.mapInArrow(_tasks.Route(self.rules), SCHEMA)

    def _small(self, keys: DataFrame, level: int) -> DataFrame:
        return self._by_partition(keys).mapInArrow(_tasks.JoinSmall(self.rules, level), SCHEMA)

    def _refined(
        self, routed: DataFrame, small: DataFrame, copies: DataFrame
    ) -> list[DataFrame]:
        """The stages for buckets that are too large, level by level."""
        made: list[DataFrame] = []
        for level in range(self.levels):
            members = _of(small, Kind.MEMBERS, Kind.MEMBERS_AND_COPIES)
            if members.isEmpty():
                break
            large = self.folder.stage(
                f"large-{level}", partial(self._large, routed, members, copies, level)
            )
            made.append(large)
            keys = _of(large, Kind.KEYS)
            if level + 1 == self.levels or keys.isEmpty():
                break
            small = self.folder.stage(f"small-{level + 1}", partial(self._small, keys, level + 1))
            made.append(small)
        return made

    def _large(
        self, routed: DataFrame, members: DataFrame, copies: DataFrame, level: int
    ) -> DataFrame:
        rows = _of(members, Kind.MEMBERS).mapInArrow(_tasks.Members(), _MEMBERS)
        mixed = _of(members, Kind.MEMBERS_AND_COPIES)
        if not mixed.isEmpty():
            others = mixed.mapInArrow(_tasks.Members(), _MEMBERS)
            rows = rows.union(others).join(
                copies.select(F.col("copy").alias("rank")), "rank", "left_anti"
            ).select("key", "rank")
        codes = _of(routed, Kind.CODES)
        guarded = self.rules.guarded
        columns = {"rank": "long", "code": "binary"} | ({"guard": "long"} if guarded else {})
        task = _tasks.Codes(_few_ranks(rows), guarded)
        coded = codes.mapInArrow(task, ", ".join(" ".join(each) for each in columns.items()))
        return (
            rows.join(coded, "rank")
            .select("key", *columns)
            .repartition(self.rules.partitions, "key")
            .sortWithinPartitions("key", "rank")
            .mapInArrow(_tasks.JoinLarge(self.rules, level), SCHEMA)
        )

    def _few(self, features: DataFrame) -> list[DataFrame]:
        """The stage for documents with few features, if there are some."""
        if features.isEmpty():
            return []
        shared = self.folder.stage(
            "shared-features",
            lambda: self._by_partition(features).mapInArrow(
                _tasks.CountFeatures(self.rules), SCHEMA
            ),
        )

        def joined() -> DataFrame:
            rows = _of(shared, Kind.SHARED)
            if not _of(shared, Kind.FREQUENT).isEmpty():
                rows = rows.union(self._groups(rows))
            meetings = self._by_partition(rows).mapInArrow(_tasks.Meet(self.rules), SCHEMA)
            return self._by_partition(meetings).mapInArrow(
                _tasks.JoinMeetings(self.rules), SCHEMA
            )

        return [self.folder.stage("few", joined)]

    def _groups(self, shared: DataFrame) -> DataFrame:
        """How many documents of each group have each frequent feature, for every partition."""
        columns = "key long, group long, documents long"
        counted = self._by_partition(shared).mapInArrow(_tasks.CountGroups(self.rules), columns)
        summed = counted.groupBy("key", "group").agg(F.sum("documents").alias("documents"))
        return summed.mapInArrow(_tasks.SendGroups(self.rules), SCHEMA)

    def _verified(
        self, routed: DataFrame, found: list[DataFrame], partitions: int
    ) -> DataFrame:
        spread = dataclasses.replace(self.rules, partitions=partitions)
        pairs = self.folder.stage(
            "pairs",
            lambda: self._by_partition(_union(_of(some, Kind.PAIRS) for some in found)).mapInArrow(
                _tasks.Distinct(spread), SCHEMA
            ),
        )

        def verified() -> DataFrame:
            needed = (
                _of(pairs, Kind.NEEDED)
                .mapInArrow(_tasks.Needed(), "rank long, p int")
                .distinct()
            )
            wanted = _few_ranks(needed)
            checks = _of(routed, Kind.CLASSES).mapInArrow(
                _tasks.Checks(wanted), "rank long, check long"
            )
            needed = needed.join(checks if wanted is None else F.broadcast(checks), "rank")
            if wanted is not None:
                needed = F.broadcast(needed)
            rows = self.documents.rows
            values = [_tasks.VALUES] if _tasks.VALUES in rows.columns else []
            texts = rows.join(needed, "rank").select(
                "p", "rank", "text", "check", F.lit(None).cast("binary").alias("blob"),
                F.lit(None).cast("int").alias("kind"), *values,
            )
            blobs = _of(pairs, Kind.PAIRS).select(
                "p", F.lit(None).cast("long").alias("rank"),
                F.lit(None).cast("string").alias("text"),
                F.lit(None).cast("long").alias("check"), "blob", "kind",
                *(F.lit(None).cast("array<string>").alias(name) for name in values),
            )
            both = self._by_partition(texts.union(blobs), spread.partitions)
            return both.mapInArrow(_tasks.Verify(self.rules), _tasks.VERIFIED)

        return self.folder.stage("edges", verified)

    def _edge_partitions(self, texts: int) -> int:
        """So many that the documents of one fit in a task, if all are needed."""
        size = texts + _DOCUMENT_BYTES * self.rules.documents
        return min(max(self.rules.partitions, math.ceil(size / _EDGE_BYTES)), (1 << 16) - 1)


def join_few(
    left: DataFrame, right: DataFrame, by: str, count: int, how: str = "inner"
) -> DataFrame:
    """Joins with a table of so many rows, which is sent to every executor if they are few."""
    return left.join(F.broadcast(right) if count <= BROADCAST_ROWS else right, by, how)


def _few_ranks(rows: DataFrame) -> npt.NDArray[np.int64] | None:
    """The distinct ranks of rows, ascending; None if they are too many for every executor."""
    ranks = rows.select("rank").distinct().limit(BROADCAST_ROWS + 1)
    found = np.sort(ranks.toPandas()["rank"].to_numpy(np.int64))
    return found if len(found) <= BROADCAST_ROWS else None


def _sizes(routed: DataFrame) -> tuple[int, int]:
    """The bytes of all texts, and how many documents have too few features."""
    blobs = [row["blob"] for row in _of(routed, Kind.SIZES).collect()]
    found = [unpack(pa.scalar(bytes(blob), pa.binary())) for blob in blobs]
    return sum(int(size.sum()) for size, _ in found), sum(int(few.sum()) for _, few in found)


def _of(blobs: DataFrame, *kinds: Kind) -> DataFrame:
    return blobs.where(F.col("kind").isin([int(kind) for kind in kinds]))


def _union(frames: Any) -> DataFrame:
    first, *others = frames
    for other in others:
        first = first.union(other)
    return first
