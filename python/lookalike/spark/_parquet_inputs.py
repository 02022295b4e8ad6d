"""Files of Parquet as documents, and as the kept rows with all their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from ..errors import DataError
from . import _inputs
from ._documents import check_guarded, check_preferred, guard_values, named
from ._inputs import ID, NUMBER, TEXT, VALUES
from ._origin import FilesOrigin, number_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read(
    files: _inputs.Files, fields: _inputs.Fields, compared: _inputs.Compared, spark: SparkSession
) -> _inputs.Inputs:
    """Returns the documents of files; a row without an id is named by file and row.

    Raises:
        DataError: A column is missing or has a type that cannot be used.
        OptionError: `keep` names an input that is not there.
    """
    rows = _rows(files, spark)
    _check(rows, fields)
    for _, column, _ in compared.keep_fields:
        check_preferred(rows, column)
    for column in compared.guard_fields:
        check_guarded(rows, column)
    numbered = _numbered(rows, files, fields, spark)
    of_fields = [
        named(column).alias(_inputs.preferred(place)) for place, column, _ in compared.keep_fields
    ]
    guarded = compared.guard_fields
    values = [guard_values(rows, guarded).alias(VALUES)] if guarded else []
    documents = numbered.select(
        NUMBER, ID, named(fields.text).alias(TEXT), *of_fields, *values, *compared.by_source(files)
    )
    origin = FilesOrigin(fields.text, fields.id, files.names, [0] * len(files.names))

    def write_kept(removed: DataFrame, counts: _inputs.Counts, path: str) -> None:
        gone = removed.select(F.col("order").alias(NUMBER))
        kept = _inputs.without(numbered, gone, counts.removed)
        own = kept.select(*map(named, rows.columns))
        _inputs.write_counted(own, counts.kept, "parquet", path)

    return _inputs.Inputs(documents, origin, None, write_kept)


def _rows(files: _inputs.Files, spark: SparkSession) -> DataFrame:
    """The rows of all files, with the columns that are names of folders: key=value."""
    # Without merging, columns that only some files have would be lost.
    reader = spark.read.option("recursiveFileLookup", not files.partitioned)
    rows = reader.option("mergeSchema", True).parquet(*files.given)
    missing = set(map(_inputs.plain, files.uris)) - set(map(_inputs.plain, rows.inputFiles()))
    if missing:
        raise DataError(
            f"{min(missing)} would not be read: below folders named key=value, all must be "
            "named so; name the folders that hold files one by one"
        )
    return rows


def _check(rows: DataFrame, fields: _inputs.Fields) -> None:
    columns = {field.name: field.dataType for field in rows.schema.fields}
    if fields.text not in columns:
        raise DataError(
            f"the inputs have no column {fields.text}; they have {', '.join(columns)}; "
            "name one with --text-field"
        )
    if fields.id != _inputs.DEFAULT_ID and fields.id not in columns:
        raise DataError(f"the inputs have no column {fields.id}; {_inputs.NAME_ANOTHER_ID}")
    kind = columns[fields.text]
    if not isinstance(kind, T.StringType):
        raise DataError(
            f"the column {fields.text} has the type {kind.simpleString()}, expected string"
        )


def _numbered(
    rows: DataFrame, files: _inputs.Files, fields: _inputs.Fields, spark: SparkSession
) -> DataFrame:
    """The rows with NUMBER and ID."""
    uri, index, file, source = (f"__lookalike_{n}" for n in ("uri", "row", "file", "source"))
    numbers = files.numbers(spark).toDF(uri, file, source)
    placed = rows.select(
        "*", F.col("_metadata.file_path").alias(uri), F.col("_metadata.row_index").alias(index)
    ).join(F.broadcast(numbers), uri)
    row = F.col(index) + 1
    own = named(fields.id) if fields.id in rows.columns else F.lit(None)
    return placed.select(
        *map(named, rows.columns),
        number_of(F.col(file), row).alias(NUMBER),
        _inputs.id_of(own, F.col(source), row).alias(ID),
    )
