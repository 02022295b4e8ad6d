"""Files of lines as documents. The engine parses them; rows are counted for each part of a file.

Spark reads files in parts and in any order. A part knows where it begins, and the places of its
lines ascend, so that the rows of the parts before it give the row of each line.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from ..errors import DataError
from . import _choices, _inputs, _tasks
from ._engines import make_engine
from ._inputs import ID, NUMBER, TEXT, VALUES
from ._origin import FilesOrigin, number_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ._job import WorkFolder

#: How Spark cuts files into parts. The same parts must come at each reading, whatever the number
#: of executors, by which Spark would choose them.
_CUT = {
    "spark.sql.files.maxPartitionBytes": str(128 << 20),
    "spark.sql.files.openCostInBytes": str(4 << 20),
    "spark.sql.files.minPartitionNum": "64",
}


def read(
    files: _inputs.Files,
    fields: _inputs.Fields,
    compared: _inputs.Compared,
    folder: WorkFolder,
    options: dict[str, Any],
) -> _inputs.Inputs:
    """Returns the documents of files, from a table of records in the work folder.

    Raises:
        DataError: No line is a document, or none has a field that was named.
        OptionError: `keep` names an input that is not there.
    """
    for name, value in _CUT.items():
        folder.spark.conf.set(name, value)
    task = _tasks.ReadLines(_rules(options), fields.text, fields.id, compared.keep)
    task.check()

    def parsed() -> DataFrame:
        line = F.col("value").cast("binary").alias("line")
        lines = _lines(files, folder.spark).select("file", "part", "place", line)
        return lines.mapInArrow(task, _tasks.RECORDS)

    records = folder.stage(files.stage("records"), parsed, compression="snappy")
    parts = _parts(records, fields)
    _check_fields(records, compared)
    return _Records(files, fields, records, parts, compared).inputs()


def _check_fields(records: DataFrame, compared: _inputs.Compared) -> None:
    """Raises DataError if no line has one of the fields that are compared."""
    of_keep = [compared.keep[place] for place, _, _ in compared.keep_fields]
    lists = (("keep", of_keep), ("values", compared.guard_fields))
    marks = [
        F.count(F.col(column)[i]).alias(f"{column}_{i}")
        for column, names in lists
        for i, _ in enumerate(names)
    ]
    found = records.agg(*marks).first() if marks else None
    if found is None:
        return
    for i, text in enumerate(of_keep):
        if not found[f"keep_{i}"]:
            raise DataError(
                f"no line has a number or string in the field that --keep {text} names"
            )
    for i, name in enumerate(compared.guard_fields):
        if not found[f"values_{i}"]:
            raise DataError(
                f"no line has the field {name}, which --differ, --same or --not-same names"
            )


def _rules(options: dict[str, Any]) -> _tasks.Rules:
    """Rules to parse by, which no table of words changes."""
    own = {name: value for name, value in options.items() if name not in _choices.TABLES}
    design = make_engine(0, "keep", own).design
    return _tasks.Rules(tuple(sorted(own.items())), 0, False, design, partitions=1)


def _lines(files: _inputs.Files, spark: SparkSession) -> DataFrame:
    """file, part (where it begins), place (ascending within a part) and value of each line."""
    lines = (
        spark.read.option("recursiveFileLookup", True)
        .option("lineSep", "\n")
        .text(list(files.given))
        .select(
            F.col("_metadata.file_path").alias("uri"),
            F.col("_metadata.file_block_start").alias("part"),
            F.monotonically_increasing_id().alias("place"),
            "value",
        )
    )
    numbers = F.broadcast(files.numbers(spark))
    return lines.join(numbers, "uri").select("file", "part", "place", "value")


@dataclasses.dataclass(frozen=True)
class _Part:
    """A part of a file that Spark reads in one go."""

    file: int
    begin: int  # in bytes
    first: int  # the place of its first line
    rows: int
    before: int  # rows of the file before it
    documents: int
    rejected: int
    repaired: int


def _parts(records: DataFrame, fields: _inputs.Fields) -> list[_Part]:
    """The parts in the order of the input."""
    found = (
        records.groupBy("file", "part")
        .agg(
            F.min("place").alias("first"),
            F.count(F.lit(1)).alias("rows"),
            F.count(F.when(F.col("kind") < _tasks.REJECTED, 1)).alias("documents"),
            F.count(F.when(F.col("kind") == _tasks.REJECTED, 1)).alias("rejected"),
            F.count(F.when(F.col("repaired"), 1)).alias("repaired"),
            F.count(F.when(F.col("has_id"), 1)).alias("named"),
            F.min("reason").alias("reason"),
        )
        .orderBy("file", "part")
        .collect()
    )
    parts: list[_Part] = []
    for file, begin, first, rows, documents, rejected, repaired, *_ in found:
        same = bool(parts) and parts[-1].file == file
        before = parts[-1].before + parts[-1].rows if same else 0
        parts.append(_Part(file, begin, first, rows, before, documents, rejected, repaired))
    documents = sum(part.documents for part in parts)
    why = next((row["reason"] for row in found if row["reason"]), None)
    if not documents and why is not None:
        raise DataError(f"no line is a document; one of the reasons: {why}")
    is_named = any(row["named"] for row in found)
    if documents and not is_named and fields.id != _inputs.DEFAULT_ID:
        raise DataError(f"no line has the field {fields.id}; {_inputs.NAME_ANOTHER_ID}")
    return parts


@dataclasses.dataclass(frozen=True)
class _Records:
    """The records of lines, and where their parts are."""

    files: _inputs.Files
    fields: _inputs.Fields
    records: DataFrame
    parts: list[_Part]
    compared: _inputs.Compared

    def inputs(self) -> _inputs.Inputs:
        numbered = self.records.join(F.broadcast(self._table()), ["file", "part"]).withColumn(
            "row", F.expr("before + place - first + 1")
        )
        number = number_of(F.col("file"), F.col("row")).alias(NUMBER)
        own = F.when(F.col("has_id"), F.col("id"))
        name = _inputs.id_of(own, F.col("name"), F.col("row")).alias(ID)
        good = numbered.where(F.col("kind") < _tasks.REJECTED)
        of_fields = [
            F.col("keep")[i].alias(_inputs.preferred(place))
            for i, (place, _, _) in enumerate(self.compared.keep_fields)
        ]
        values = [F.col("values").alias(VALUES)] if self.compared.guard_fields else []
        documents = good.select(
            number, name, F.col("text").alias(TEXT), *of_fields, *values
        ).select("*", *self.compared.by_source(self.files))
        bad = [0] * len(self.files.names)
        for part in self.parts:
            bad[part.file - self.files.first] += part.rejected
        repaired = sum(part.repaired for part in self.parts)
        origin = FilesOrigin(self.fields.text, self.fields.id, self.files.names, bad, repaired)
        rejected = numbered.where(F.col("kind") == _tasks.REJECTED).select(
            F.col("name").alias("source"), "row", "reason", F.col("line").alias("raw")
        )
        others = numbered.where(F.col("kind") >= _tasks.REJECTED).select(number)

        def write_kept(removed: DataFrame, counts: _inputs.Counts, path: str) -> None:
            gone = removed.select(F.col("order").alias(NUMBER)).union(others)
            left_out = sum(part.rows - part.documents for part in self.parts)
            kept = _inputs.without(self._numbered_lines(), gone, counts.removed + left_out)
            _inputs.write_counted(kept.select("value"), counts.kept, "text", path)

        return _inputs.Inputs(documents, origin, rejected if sum(bad) else None, write_kept)

    def _table(self) -> DataFrame:
        """The parts, and the names of their files."""
        names, first = self.files.names, self.files.first
        rows = [
            (p.file, p.begin, p.first, p.rows, p.before, names[p.file - first]) for p in self.parts
        ]
        columns = "file int, part long, first long, rows long, before long, name string"
        return self.records.sparkSession.createDataFrame(rows, columns)

    def _numbered_lines(self) -> DataFrame:
        """NUMBER and value of each line, read anew; an error where parts are not as before."""
        place = F.col("place") - F.col("first")
        changed = F.raise_error(F.lit(_inputs.CHANGED)).cast("long")
        row = F.when(place.between(0, F.col("rows") - 1), F.col("before") + place + 1)
        return (
            _lines(self.files, self.records.sparkSession)
            .join(F.broadcast(self._table()), ["file", "part"], "left")
            .select(number_of(F.col("file"), row.otherwise(changed)).alias(NUMBER), "value")
        )
