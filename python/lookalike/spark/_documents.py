"""The documents of a DataFrame, with the numbers that give their order."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import DataError, OptionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

    from ._job import WorkFolder

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


@dataclasses.dataclass(frozen=True)
class Columns:
    """The columns of a DataFrame that matter."""

    text: str
    id: str | None
    order: str | None

    def check(self, df: DataFrame) -> None:
        """Raises DataError if a column is missing or has a type that cannot be used."""
        for name in (self.text, self.id, self.order):
            if name is not None and name not in df.columns:
                raise DataError(
                    f"the DataFrame has no column {name}; it has {', '.join(df.columns)}"
                )
        kind = df.schema[self.text].dataType
        if not isinstance(kind, T.StringType):
            raise DataError(
                f"the column {self.text} has the type {kind.simpleString()}, expected string"
            )

    @property
    def by(self) -> list[str]:
        """The columns that order documents."""
        return [name for name in (self.order, self.id) if name is not None]


@dataclasses.dataclass(frozen=True)
class Census:
    """What is known about documents before the first stage."""

    documents: int
    digest: str  # of the columns that order documents; says whether a stage can be used again


@dataclasses.dataclass(frozen=True)
class Documents:
    """Documents with ranks: whole numbers from 0 on, with gaps, in the order of preference."""

    rows: DataFrame  # rank, text
    names: DataFrame  # rank, id, order
    whole: DataFrame  # the DataFrame that was passed in
    columns: Columns
    rank: str | None  # the expression of the rank in `whole`; None: it is joined by `columns.by`
    low: int = 0  # the value of the order column that has rank 0, if `rank` is an expression


def count(df: DataFrame, columns: Columns) -> tuple[Census, bool, int]:
    """Returns the census, whether the order column can be the rank, and its lowest value."""
    if not columns.by:
        raise OptionError(
            "a DataFrame has no order of its own; name order_col, the column by whose order "
            "documents are preferred, or id_col"
        )
    columns.check(df)
    first = columns.by[0]
    keys = [F.col(name) for name in columns.by]
    whole = isinstance(df.schema[first].dataType, _WHOLE)
    found = df.agg(
        F.count(F.lit(1)).alias("documents"),
        F.count(first).alias("present"),
        *((F.min(first).alias("low"), F.max(first).alias("high")) if whole else ()),
        F.sum(F.xxhash64(*keys).cast("decimal(38,0)")).alias("digest"),
    ).first()
    if found is None:
        raise DataError("the DataFrame cannot be counted")
    if found["present"] != found["documents"]:
        nulls = found["documents"] - found["present"]
        raise DataError(f"the column {first} is null in {nulls} rows; every document needs a place")
    census = Census(found["documents"], str(found["digest"]))
    if not whole or not census.documents:
        return census, False, 0
    fits = found["high"] - found["low"] < 1 << 62
    return census, fits and _repeated(df, first) is None, found["low"]


def _repeated(df: DataFrame, *columns: str) -> Row | None:
    """Some values of these columns that several rows have, and `count`; None: there are none."""
    return df.groupBy(*columns).count().where("count > 1").first()


def by_column(df: DataFrame, columns: Columns, low: int) -> Documents:
    """Documents whose ranks are the values of a column of distinct whole numbers."""
    first = columns.by[0]
    rank = f"cast(`{first}` as bigint) - ({low}L)"
    named = df.select(
        F.expr(rank).alias("rank"),
        F.col(columns.id or first).alias("id"),
        F.col(first).alias("order"),
    )
    rows = df.select(F.expr(rank).alias("rank"), F.col(columns.text).alias("text"))
    return Documents(rows, named, df, columns, rank, low)


def by_sorting(df: DataFrame, columns: Columns, folder: WorkFolder, partitions: int) -> Documents:
    """Documents that are sorted by their columns first, which moves each text once more."""
    first = columns.by[0]

    def make() -> DataFrame:
        chosen = df.select(
            F.col(columns.id or first).alias("id"),
            F.col(first).alias("order"),
            F.col(columns.text).alias("text"),
        )
        # The numbers ascend within a partition and from each partition to the next.
        return (
            chosen.repartitionByRange(partitions, "order", "id")
            .sortWithinPartitions("order", "id")
            .withColumn("rank", F.monotonically_increasing_id())
        )

    stored = folder.stage("documents", make)
    again = _repeated(stored, "order", "id")
    if again is not None:
        place = ", ".join(f"{name}={again[alias]!r}" for name, alias in _aliases(columns))
        raise DataError(
            f"{again['count']} rows have {place}, so that their order is not defined; "
            "name an order_col that tells them apart"
        )
    return Documents(
        stored.select("rank", "text"), stored.select("rank", "id", "order"), df, columns, None
    )


def _aliases(columns: Columns) -> list[tuple[str, str]]:
    first = [(columns.by[0], "order")]
    return first if len(columns.by) == 1 else [*first, (columns.by[1], "id")]
