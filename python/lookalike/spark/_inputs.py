"""Files as DataFrames of documents, whose numbers give their order: that of the command.

The number of a document is its file's number, shifted by 40 bits, plus its row, which counts from
1. Spark reads files in parts and in any order, so that rows are counted for each part first.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pyspark.sql import Observation
from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import DataError, OptionError
from . import _report, _tasks
from ._job import WorkFolder, digest_of
from ._stages import BROADCAST_ROWS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

#: The columns that are added to documents.
NUMBER, ID = "__lookalike_number", "__lookalike_id"

_DEFAULT_ID = "id"
_NAME_ANOTHER_ID = "name another with --id-field, or leave it out"
_ROW_BITS = 40
_MOST_FILES = 1 << 21
_PARQUET = re.compile(r"\.(parquet|pq)$", re.IGNORECASE)
#: How Spark cuts files into parts. The same parts must come at each reading, whatever the number
#: of executors, by which Spark would choose them.
_PARTS = {
    "spark.sql.files.maxPartitionBytes": str(128 << 20),
    "spark.sql.files.openCostInBytes": str(4 << 20),
    "spark.sql.files.minPartitionNum": "64",
}


@dataclasses.dataclass(frozen=True)
class Files:
    """The input files in order."""

    given: tuple[str, ...]  # as the caller named them
    uris: list[str]  # as Spark names them
    names: list[str]  # as in results
    digest: str  # of their names, sizes and times of change

    @property
    def are_parquet(self) -> bool:
        return all(_PARQUET.search(name) for name in self.names)

    def numbers(self, spark: SparkSession) -> DataFrame:
        """uri, file and name of each."""
        rows = list(zip(self.uris, range(len(self.uris)), self.names, strict=True))
        return spark.createDataFrame(rows, "uri string, file int, name string")


def find(spark: SparkSession, given: Sequence[str]) -> Files:
    """Finds the files of arguments: files, folders and globs that Hadoop can read.

    Raises:
        DataError: No file was found, one was found twice, or there are too many.
    """
    uris: list[str] = []
    names: list[str] = []
    facts: list[Any] = []
    for argument in given:
        found = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(argument)
        rows = found.select("_metadata.file_path", "length", "modificationTime").collect()
        # By name as bytes, as the command reads them; a URI has %20 for a space.
        for uri, size, time in sorted(rows, key=lambda row: unquote(row[0])):
            uris.append(uri)
            names.append(_name(uri, argument))
            facts.append((uri, size, str(time)))
    if not uris:
        raise DataError(f"{', '.join(given)}: no files there")
    if len(uris) > _MOST_FILES:
        raise DataError(f"there are {len(uris)} files, {_MOST_FILES} are allowed; join small ones")
    for each, what in ((uris, "file"), (names, "name")):
        twice = _repeated(each)
        if twice is not None:
            raise DataError(f"the {what} {twice} occurs twice in the inputs; name each file once")
    return Files(tuple(given), uris, names, digest_of(facts))


def _repeated(values: list[str]) -> str | None:
    return next((a for a, b in itertools.pairwise(sorted(values)) if a == b), None)


def _plain(uri: str) -> str:
    """One form of file:/path and file:///path."""
    return re.sub(r"^(\w+:)/+", r"\1/", uri)


def _name(uri: str, argument: str) -> str:
    """The path below a folder that was named; for a file or a glob, the last part."""
    path = unquote(uri)
    folder = "/" + re.sub(r"^[a-z0-9]+:/+", "", argument).strip("./") + "/"
    _, found, below = path.partition(folder)
    return below if found and below else path.rsplit("/", 1)[-1]


@dataclasses.dataclass(frozen=True)
class Inputs:
    """The documents of files."""

    documents: DataFrame  # with NUMBER, ID and the text
    text: str
    origin: _report.Origin
    rejected: DataFrame | None  # source, row, reason, raw; None: there are none
    write_kept: Callable[[DataFrame, int, str], None]  # removals, kept documents, folder


@dataclasses.dataclass(frozen=True)
class Fields:
    text: str
    id: str


def read(files: Files, fields: Fields, folder: WorkFolder, options: dict[str, Any]) -> Inputs:
    """Reads the files. Lines of JSON become a table in the work folder, parsed by the engine."""
    if files.are_parquet:
        return _ParquetFiles(files, fields, folder.spark).inputs()
    if any(_PARQUET.search(name) for name in files.names):
        raise OptionError("the inputs are Parquet and other files; run a job for each format")
    return _LineFiles(files, fields, folder, options).inputs()


def with_places(rows: DataFrame, files: DataFrame, number: str, prefix: str = "") -> DataFrame:
    """Replaces the column `number` by `{prefix}source` and `{prefix}row`."""
    named = files.select(F.col("file").alias("__file"), F.col("name").alias(f"{prefix}source"))
    file = F.shiftright(number, _ROW_BITS).cast("int")
    row = F.col(number).bitwiseAND(F.lit((1 << _ROW_BITS) - 1))
    placed = rows.withColumn("__file", file).withColumn(f"{prefix}row", row)
    return placed.join(F.broadcast(named), "__file").drop("__file", number)


def _number(file: Column, row: Column) -> Column:
    return F.shiftleft(file.cast("long"), _ROW_BITS) + row


@dataclasses.dataclass(frozen=True)
class _ParquetFiles:
    files: Files
    fields: Fields
    spark: SparkSession

    def inputs(self) -> Inputs:
        rows = self._rows()
        self._check(rows)
        uri, index, file, source = (f"__lookalike_{n}" for n in ("uri", "row", "file", "source"))
        numbers = self.files.numbers(self.spark).toDF(uri, file, source)
        placed = rows.select(
            "*", F.col("_metadata.file_path").alias(uri), F.col("_metadata.row_index").alias(index)
        ).join(F.broadcast(numbers), uri)
        row = F.col(index) + 1
        fallback = F.concat(source, F.lit(":"), row.cast("string"))
        own = [F.col(self.fields.id).cast("string")] if self.fields.id in rows.columns else []
        columns = [f"`{name.replace('`', '``')}`" for name in rows.columns]
        documents = placed.select(
            *columns,
            _number(F.col(file), row).alias(NUMBER),
            F.coalesce(*own, fallback).alias(ID),
        )
        names = self.files.names
        origin = _report.Origin(
            self.fields.text, self.fields.id, names, [0] * len(names), 0, _ROW_BITS
        )

        def write_kept(removed: DataFrame, count: int, path: str) -> None:
            gone = removed.select(F.col("order").alias(NUMBER))
            kept = documents.join(_small(gone, count), NUMBER, "left_anti")
            kept.select(*columns).write.parquet(path)

        return Inputs(documents, self.fields.text, origin, None, write_kept)

    def _rows(self) -> DataFrame:
        """The rows of all files, with the columns that are names of folders: key=value."""
        partitioned = any("=" in folder for uri in self.files.uris for folder in uri.split("/"))
        # Without merging, columns that only some files have would be lost.
        reader = self.spark.read.option("recursiveFileLookup", not partitioned)
        rows = reader.option("mergeSchema", True).parquet(*self.files.given)
        missing = {_plain(uri) for uri in self.files.uris} - set(map(_plain, rows.inputFiles()))
        if missing:
            raise DataError(
                f"{min(missing)} would not be read: below folders named key=value, all must be "
                "named so; name the folders that hold files one by one"
            )
        return rows

    def _check(self, rows: DataFrame) -> None:
        columns = {field.name: field.dataType for field in rows.schema.fields}
        if self.fields.text not in columns:
            raise DataError(
                f"the inputs have no column {self.fields.text}; they have {', '.join(columns)}; "
                "name one with --text-field"
            )
        if self.fields.id != _DEFAULT_ID and self.fields.id not in columns:
            raise DataError(f"the inputs have no column {self.fields.id}; {_NAME_ANOTHER_ID}")
        kind = columns[self.fields.text]
        if not isinstance(kind, T.StringType):
            raise DataError(
                f"the column {self.fields.text} has the type {kind.simpleString()}, expected string"
            )


@dataclasses.dataclass(frozen=True)
class _LineFiles:
    files: Files
    fields: Fields
    folder: WorkFolder
    options: dict[str, Any]

    def inputs(self) -> Inputs:
        spark = self.folder.spark
        self._task().check()
        for name, value in _PARTS.items():
            spark.conf.set(name, value)
        records = self.folder.stage("records", self._parsed, compression="snappy")
        parts = self._parts(records)
        table = spark.createDataFrame(
            [(p.file, p.begin, p.first, p.rows, p.before, self.files.names[p.file]) for p in parts],
            "file int, part long, first long, rows long, before long, name string",
        )
        numbered = records.join(F.broadcast(table), ["file", "part"]).withColumn(
            "row", F.expr("before + place - first + 1")
        )
        fallback = F.concat("name", F.lit(":"), F.col("row").cast("string"))
        documents = numbered.where(F.col("kind") < _tasks.REJECTED).select(
            _number(F.col("file"), F.col("row")).alias(NUMBER),
            F.when(F.col("has_id"), F.col("id")).otherwise(fallback).alias(ID),
            "text",
        )
        bad = [0] * len(self.files.names)
        for part in parts:
            bad[part.file] += part.rejected
        repaired = sum(part.repaired for part in parts)
        origin = _report.Origin(
            self.fields.text, self.fields.id, self.files.names, bad, repaired, _ROW_BITS
        )
        left_out = numbered.where(F.col("kind") >= _tasks.REJECTED)
        rejected = left_out.where(F.col("kind") == _tasks.REJECTED).select(
            F.col("name").alias("source"), "row", "reason", F.col("line").alias("raw")
        )

        def write_kept(removed: DataFrame, count: int, path: str) -> None:
            others = left_out.select(_number(F.col("file"), F.col("row")).alias(NUMBER))
            gone = removed.select(F.col("order").alias(NUMBER)).union(others)
            lines = self._numbered_lines(table)
            kept = lines.join(_small(gone, count + sum(bad)), NUMBER, "left_anti")
            self._write(kept.select("value"), sum(p.documents for p in parts) - count, path)

        return Inputs(documents, "text", origin, rejected if sum(bad) else None, write_kept)

    def _lines(self) -> DataFrame:
        """file, part (where it begins), place (ascending within a part) and value of each line."""
        lines = (
            self.folder.spark.read.option("recursiveFileLookup", True)
            .option("lineSep", "\n")
            .text(list(self.files.given))
            .select(
                F.col("_metadata.file_path").alias("uri"),
                F.col("_metadata.file_block_start").alias("part"),
                F.monotonically_increasing_id().alias("place"),
                "value",
            )
        )
        numbers = F.broadcast(self.files.numbers(self.folder.spark))
        return lines.join(numbers, "uri").select("file", "part", "place", "value")

    def _parsed(self) -> DataFrame:
        lines = self._lines()
        return lines.select(
            "file", "part", "place", F.col("value").cast("binary").alias("line")
        ).mapInArrow(self._task(), _tasks.RECORDS)  # fmt: skip

    def _task(self) -> _tasks.ReadLines:
        options = tuple(sorted(self.options.items()))
        return _tasks.ReadLines(options, self.fields.text, self.fields.id)

    def _parts(self, records: DataFrame) -> list[_Part]:
        """The parts in the order of the input, with the rows before each in its file."""
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
        self._check(parts, any(row["named"] for row in found), [row["reason"] for row in found])
        return parts

    def _check(self, parts: list[_Part], named: bool, reasons: list[str | None]) -> None:
        documents = sum(part.documents for part in parts)
        why = next((reason for reason in reasons if reason), None)
        if not documents and why is not None:
            raise DataError(f"no line is a document; one of the reasons: {why}")
        if documents and not named and self.fields.id != _DEFAULT_ID:
            raise DataError(f"no line has the field {self.fields.id}; {_NAME_ANOTHER_ID}")

    def _numbered_lines(self, parts: DataFrame) -> DataFrame:
        """NUMBER and value of each line, read anew; an error where parts are not as before."""
        place = F.col("place") - F.col("first")
        changed = F.raise_error(
            F.lit("an input is not as it was when it was read first; remove --work and start again")
        ).cast("long")
        row = F.when(place.between(0, F.col("rows") - 1), F.col("before") + place + 1)
        return (
            self._lines()
            .join(F.broadcast(parts), ["file", "part"], "left")
            .select(_number(F.col("file"), row.otherwise(changed)).alias(NUMBER), "value")
        )

    def _write(self, kept: DataFrame, expected: int, path: str) -> None:
        seen = Observation("kept")
        kept.observe(seen, F.count(F.lit(1)).alias("rows")).write.text(path)
        if seen.get["rows"] != expected:
            raise DataError(
                f"{seen.get['rows']} lines are kept, expected {expected}: an input is not as it "
                "was when it was read first; remove --work and start again"
            )


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


def _small(rows: DataFrame, count: int) -> DataFrame:
    return F.broadcast(rows) if count <= BROADCAST_ROWS else rows
