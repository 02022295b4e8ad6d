"""The documents of a DataFrame, with the numbers that give their order."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import DataError, OptionError
from ._choices import KEEP_FIELD
from ._tasks import VALUES

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Row

    from ._job import WorkFolder

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_REAL = (T.FloatType, T.DoubleType)

#: What is said to decide where no criterion of `keep` does.
INPUT_ORDER, REFERENCE = "input order", "reference"


def named(name: str) -> Column:
    """The column of this name, in which a dot has no meaning."""
    return F.col(f"`{name.replace('`', '``')}`")


def check_preferred(df: DataFrame, name: str) -> None:
    """Raises DataError if `keep` cannot prefer a value of this column.

    Binary values are those that the engine makes from values of lines.
    """
    if name not in df.columns:
        raise DataError(
            f"keep names a column, but the data has no column {name}; it has "
            f"{', '.join(df.columns)}"
        )
    kind = df.schema[name].dataType
    if not isinstance(kind, (*_WHOLE, *_REAL, T.StringType, T.BinaryType)):
        raise DataError(
            f"the column {name} of keep has the type {kind.simpleString()}, expected a number "
            "or a string; cast it"
        )


def preferred_of(keep: str) -> tuple[str, bool] | None:
    """The field that a criterion of `keep` names, and whether the largest value is preferred; None:
    it names none."""
    if not keep.startswith(KEEP_FIELD):
        return None
    name = keep.removeprefix(KEEP_FIELD)
    return name.removesuffix(":desc").removesuffix(":asc"), name.endswith(":desc")


@dataclasses.dataclass(frozen=True)
class Criterion:
    """What is compared of two documents to decide which of them is kept."""

    text: str  # as it was passed
    column: str | None  # whose values are compared; None: the lengths of texts
    largest: bool  # is preferred, else the smallest

    @classmethod
    def of_length(cls, text: str) -> Criterion:
        return cls(text, None, text == "longest")


def criteria_of(keep: tuple[str, ...]) -> tuple[Criterion, ...]:
    """The criteria by columns of a DataFrame; `first`, which decides nothing else, is left out."""
    found = []
    for text in keep:
        preferred = preferred_of(text)
        if preferred is not None:
            found.append(Criterion(text, *preferred))
        elif text != "first":
            found.append(Criterion.of_length(text))
    return tuple(found)


def check_guarded(df: DataFrame, name: str) -> None:
    """Raises DataError if guards cannot compare the values of this column."""
    if name not in df.columns:
        raise DataError(
            f"differ, same or not_same names a column, but the data has no column {name}; it has "
            f"{', '.join(df.columns)}"
        )
    kind = df.schema[name].dataType
    if not isinstance(kind, (*_WHOLE, T.StringType, T.BooleanType, T.DateType)):
        raise DataError(
            f"the column {name}, which differ, same or not_same names, has the type "
            f"{kind.simpleString()}, expected strings, whole numbers, booleans or dates; cast it "
            "to string"
        )


def guard_values(df: DataFrame, names: tuple[str, ...]) -> Column:
    """The values that guards compare, as a list of strings; null: missing."""
    return F.array(*(named(name).cast("string") for name in names))


@dataclasses.dataclass(frozen=True)
class Columns:
    """The columns of a DataFrame that matter."""

    text: str
    id: str | None
    order: str | None
    keep: tuple[Criterion, ...] = ()  # what counts before the order
    guarded: tuple[str, ...] = ()  # columns whose values guards compare
    values: str | None = None  # a column of lists of these values, in their place

    @property
    def of_reference(self) -> Columns:
        """The same for a reference, which is in no order but its own."""
        return dataclasses.replace(self, keep=())

    def guard_values(self, df: DataFrame) -> list[Column]:
        """The column of values that guards compare; none if they compare none."""
        if self.values is not None:
            return [named(self.values).alias(VALUES)]
        return [guard_values(df, self.guarded).alias(VALUES)] if self.guarded else []

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
        for criterion in self.keep:
            if criterion.column is not None:
                check_preferred(df, criterion.column)
        for name in () if self.values is not None else self.guarded:
            check_guarded(df, name)

    @property
    def by(self) -> list[str]:
        """The columns that order documents."""
        return [name for name in (self.order, self.id) if name is not None]


@dataclasses.dataclass(frozen=True)
class Census:
    """What is known about documents before the first stage."""

    documents: int
    digest: str  # of the columns that order documents; says whether a stage can be used again
    is_rank: bool = False  # the order column can be the rank: distinct whole numbers,
    low: int = 0  # from here
    high: int = 0  # to here


@dataclasses.dataclass(frozen=True)
class Documents:
    """Documents with ranks: whole numbers from 0 on, with gaps, in the order of preference."""

    rows: DataFrame  # rank, text and, if guards compare values, VALUES
    names: DataFrame  # rank, id, order
    whole: DataFrame  # the DataFrame that was passed in
    columns: Columns
    rank: str | None  # the expression of the rank in `whole`; None: it is joined by `columns.by`
    low: int = 0  # the value of the order column that has rank 0, if `rank` is an expression
    reference_end: int = 0  # ranks below are of documents that are only compared with
    criteria: DataFrame | None = None  # rank, and the value of each criterion of `keep`

    def after(self, reference: Documents, end: int) -> Documents:
        """Both together; `end`: above every rank of the reference, whose documents come first."""
        kinds = [frame.schema["id"].dataType for frame in (self.names, reference.names)]
        if kinds[0] != kinds[1]:
            raise DataError(
                f"ids have the type {kinds[0].simpleString()}, those of against "
                f"{kinds[1].simpleString()}; cast one of them"
            )
        shifted = F.col("rank") + F.lit(end)
        return dataclasses.replace(
            self,
            rows=reference.rows.union(self.rows.withColumn("rank", shifted)),
            names=reference.names.union(self.names.withColumn("rank", shifted)),
            rank=None if self.rank is None else f"{self.rank} + {end}L",
            low=self.low - end,
            reference_end=end,
            criteria=None if self.criteria is None else self.criteria.withColumn("rank", shifted),
        )


def count(df: DataFrame, columns: Columns) -> Census:
    """Counts documents, and finds out whether the order column can be the rank."""
    if not columns.by:
        raise OptionError(
            "a DataFrame has no order of its own; name order_col, the column by whose order "
            "documents are preferred, or id_col"
        )
    columns.check(df)
    first = columns.by[0]
    keys = [named(name) for name in columns.by]
    preferred = [named(each.column) for each in columns.keep if each.column is not None]
    values = columns.guard_values(df)
    whole = isinstance(df.schema[first].dataType, _WHOLE) and not columns.keep
    found = df.agg(
        F.count(F.lit(1)).alias("documents"),
        F.count(keys[0]).alias("present"),
        *((F.min(keys[0]).alias("low"), F.max(keys[0]).alias("high")) if whole else ()),
        F.sum(F.xxhash64(*keys, *preferred, *values).cast("decimal(38,0)")).alias("digest"),
    ).first()
    if found is None:
        raise DataError("the DataFrame cannot be counted")
    if found["present"] != found["documents"]:
        nulls = found["documents"] - found["present"]
        raise DataError(f"the column {first} is null in {nulls} rows; every document needs a place")
    census = Census(found["documents"], str(found["digest"]))
    if not whole or not census.documents:
        return census
    low, high = found["low"], found["high"]
    is_rank = high - low < 1 << 61 and _repeated(df.select(keys[0])) is None
    return dataclasses.replace(census, is_rank=is_rank, low=low, high=high)


def _repeated(df: DataFrame) -> Row | None:
    """A row that is there several times, and `count`; None: there is none."""
    return df.groupBy(*map(named, df.columns)).count().where("count > 1").first()


def ranked(
    df: DataFrame, columns: Columns, census: Census, folder: WorkFolder, stage: str, partitions: int
) -> tuple[Documents, int]:
    """The documents, and a number above all ranks. `stage`: the name of a table of sorted texts."""
    if census.is_rank:
        return _by_column(df, columns, census.low), census.high - census.low + 1
    made = _by_sorting(df, columns, folder, stage, partitions)
    last = made.names.agg(F.max("rank").alias("last")).first()
    return made, 1 + (last["last"] if last is not None and last["last"] is not None else -1)


def _by_column(df: DataFrame, columns: Columns, low: int) -> Documents:
    """Documents whose ranks are the values of a column of distinct whole numbers."""
    first = columns.by[0]
    quoted = first.replace("`", "``")
    rank = f"cast(`{quoted}` as bigint) - ({low}L)"
    names = df.select(
        F.expr(rank).alias("rank"),
        named(columns.id or first).alias("id"),
        named(first).alias("order"),
    )
    text = named(columns.text).alias("text")
    rows = df.select(F.expr(rank).alias("rank"), text, *columns.guard_values(df))
    return Documents(rows, names, df, columns, rank, low)


def _by_sorting(
    df: DataFrame, columns: Columns, folder: WorkFolder, stage: str, partitions: int
) -> Documents:
    """Documents that are sorted by their columns first, which moves each text once more."""
    first = columns.by[0]

    def make() -> DataFrame:
        chosen = df.select(
            named(columns.id or first).alias("id"),
            named(first).alias("order"),
            named(columns.text).alias("text"),
            *columns.guard_values(df),
            *_compared(df, columns),
        )
        by = [*_before(columns), F.col("order"), F.col("id")]
        # The numbers ascend within a partition and from each partition to the next.
        return (
            chosen.repartitionByRange(partitions, *by)
            .sortWithinPartitions(*by)
            .select("*", F.monotonically_increasing_id().alias("rank"))
        )

    stored = folder.stage(stage, make)
    again = _repeated(stored.select("order", "id"))
    if again is not None:
        place = ", ".join(f"{name}={again[alias]!r}" for name, alias in _aliases(columns))
        raise DataError(
            f"{again['count']} rows have {place}, so that their order is not defined; "
            "name an order_col that tells them apart"
        )
    values = [VALUES] if VALUES in stored.columns else []
    compared = [_name_of(place) for place, _ in enumerate(columns.keep)]
    return Documents(
        stored.select("rank", "text", *values), stored.select("rank", "id", "order"), df, columns,
        None, criteria=stored.select("rank", *compared) if compared else None,
    )  # fmt: skip


def _name_of(place: int) -> str:
    """The column that has the values of a criterion."""
    return f"keep_{place}"


def _compared(df: DataFrame, columns: Columns) -> list[Column]:
    """The values of all criteria; what is not a number is missing."""
    found = []
    for place, criterion in enumerate(columns.keep):
        if criterion.column is None:
            value = F.coalesce(F.length(named(columns.text)), F.lit(0))
        else:
            value = named(criterion.column)
            if isinstance(df.schema[criterion.column].dataType, _REAL):
                value = F.when(~F.isnan(value), value + 0.0)  # makes both zeros one
        found.append(value.alias(_name_of(place)))
    return found


def _before(columns: Columns) -> list[Column]:
    """What documents are sorted by before their order. Those without a value come last."""
    found = []
    for place, criterion in enumerate(columns.keep):
        value = F.col(_name_of(place))
        found.append(value.desc_nulls_last() if criterion.largest else value.asc_nulls_last())
    return found


def decided_by(documents: Documents, removed: DataFrame) -> DataFrame:
    """The removals (rank, witness and others) with `kept_by`: what decided for the witness.

    That is the first criterion in which the two documents differ.
    """
    compared = documents.criteria
    if compared is None:
        return removed
    criteria = documents.columns.keep
    own = compared.toDF("rank", *(f"own_{place}" for place, _ in enumerate(criteria)))
    theirs = compared.toDF("witness", *(f"their_{place}" for place, _ in enumerate(criteria)))
    decided = F.lit(INPUT_ORDER)
    for place, criterion in reversed(list(enumerate(criteria))):
        differs = ~F.col(f"own_{place}").eqNullSafe(F.col(f"their_{place}"))
        decided = F.when(differs, criterion.text).otherwise(decided)
    of_reference = F.col("witness") < documents.reference_end
    decided = F.when(of_reference, REFERENCE).otherwise(decided)
    # Documents of the reference have no values: no criterion ranks them.
    both = removed.join(own, "rank").join(theirs, "witness", "left")
    return both.select(*removed.columns, decided.alias("kept_by"))


def _aliases(columns: Columns) -> list[tuple[str, str]]:
    first = [(columns.by[0], "order")]
    return first if len(columns.by) == 1 else [*first, (columns.by[1], "id")]
