"""Files as DataFrames of documents, whose numbers give their order: that of the command."""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pyspark.sql import Observation
from pyspark.sql import functions as F

from ..errors import DataError, OptionError
from ._choices import KEEP_SOURCE
from ._documents import preferred_of
from ._job import digest_of
from ._origin import MOST_FILES, FilesOrigin, file_of
from ._paths import parts_of, place_of
from ._stages import join_few

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

#: The columns of documents. The last one is there if guards compare values of fields.
NUMBER, ID, TEXT, VALUES = (
    "__lookalike_number",
    "__lookalike_id",
    "text",
    "__lookalike_values",
)

DEFAULT_ID = "id"
NAME_ANOTHER_ID = "name another with --id-field, or leave it out"
CHANGED = "an input is not as it was when it was read first; remove --work and start again"

_PARQUET = re.compile(r"\.(parquet|pq)$", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Files:
    """The input files in order."""

    given: tuple[str, ...]  # as the caller named them
    uris: list[str]  # as Spark names them
    names: list[str]  # as in results
    digest: str  # of their names, sizes and times of change
    partitioned: bool  # some lie below a folder key=value, which is below an argument
    first: int = 0  # the number of the first file; those of a reference follow on the inputs

    def stage(self, name: str) -> str:
        """The name of a stage that reads these files."""
        return f"reference-{name}" if self.first else name

    def numbers(self, spark: SparkSession) -> DataFrame:
        """uri, file and name of each."""
        numbers = range(self.first, self.first + len(self.uris))
        rows = list(zip(self.uris, numbers, self.names, strict=True))
        return spark.createDataFrame(rows, "uri string, file int, name string")

    def check_unchanged(self, spark: SparkSession) -> None:
        """Raises DataError if the files are no longer those that were found."""
        if find(spark, self.given, self.first).digest != self.digest:
            raise DataError(CHANGED)


def is_parquet(name: str) -> bool:
    return _PARQUET.search(name) is not None


def find(spark: SparkSession, given: Sequence[str], first: int = 0) -> Files:
    """Finds the files of arguments: files, folders and globs that Hadoop can read.

    Raises:
        DataError: No file was found, one was found twice, or there are too many.
    """
    uris: list[str] = []
    below: list[str] = []
    facts: list[Any] = []
    for argument in given:
        found = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(argument)
        of_file = {
            plain(row[0]): row
            for row in found.select("_metadata.file_path", "length", "modificationTime").collect()
        }
        depth = len(place_of(spark, argument))
        # By name as bytes, as the command reads them; a URI has %20 for a space. Files without
        # bytes have no row.
        for file in sorted(filter(_is_data, map(plain, found.inputFiles())), key=unquote):
            uri, size, time = of_file.get(file, (file, 0, None))
            uris.append(uri)
            below.append("/".join(parts_of(unquote(uri))[depth:]))
            facts.append((uri, size, str(time)))
    if not uris:
        raise DataError(f"{', '.join(given)}: no files there")
    if len(uris) > MOST_FILES:
        raise DataError(f"there are {len(uris)} files, {MOST_FILES} are allowed; join small ones")
    twice = next((a for a, b in itertools.pairwise(sorted(uris)) if a == b), None)
    if twice is not None:
        raise DataError(f"the file {twice} occurs twice in the inputs; name each file once")
    partitioned = any("=" in folder for path in below for folder in path.split("/")[:-1])
    names = _names([unquote(uri) for uri in uris], below)
    return Files(tuple(given), uris, names, digest_of(facts), partitioned, first)


def _is_data(uri: str) -> bool:
    """False for files that Spark lists, and does not read: _metadata."""
    return not uri.rsplit("/", 1)[-1].startswith(("_", "."))


def plain(uri: str) -> str:
    """One form of file:/path and file:///path."""
    return re.sub(r"^(\w+:)/+", r"\1/", uri)


def _names(paths: list[str], below: list[str]) -> list[str]:
    """Names of files: the path below the folder that was named; for a file, its own name.

    Where two would be the same, all are named by the path below the last folder that they share.
    """
    names = [path or whole.rsplit("/", 1)[-1] for whole, path in zip(paths, below, strict=True)]
    if len(set(names)) == len(names):
        return names
    parts = [parts_of(path) for path in paths]
    shared = len(os.path.commonprefix(parts))
    return ["/".join(path[shared:]) for path in parts]


def preferred(place: int) -> str:
    """The column of documents for a criterion of `keep`, by its place."""
    return f"__lookalike_preferred_{place}"


@dataclasses.dataclass(frozen=True)
class Fields:
    text: str
    id: str


@dataclasses.dataclass(frozen=True)
class Compared:
    """What is read of documents besides texts and ids."""

    keep: tuple[str, ...] = ()  # criteria, in order
    guard_fields: tuple[str, ...] = ()  # whose values guards compare

    @property
    def keep_fields(self) -> list[tuple[int, str, bool]]:
        """Place, field and direction of each criterion that names a field."""
        found = []
        for place, text in enumerate(self.keep):
            if (named := preferred_of(text)) is not None:
                found.append((place, *named))
        return found

    def by_source(self, files: Files) -> list[Column]:
        """For each criterion that names inputs, the place of the document's among them.

        Raises:
            OptionError: There is no such input.
        """
        columns = []
        for place, text in enumerate(self.keep):
            if text.startswith(KEEP_SOURCE):
                names = list(filter(None, text.removeprefix(KEEP_SOURCE).split(",")))
                columns.append(_place_among(names, files).alias(preferred(place)))
        return columns


def _place_among(names: list[str], files: Files) -> Column:
    """The first place of the document's input among these names; other inputs come last."""
    place = F.lit(len(names))
    for i, name in reversed(list(enumerate(names))):
        if name not in files.names:
            raise OptionError(
                f"keep={KEEP_SOURCE}: no input is named {name!r}; the inputs are "
                f"{', '.join(files.names[:20])}",
                option="keep",
            )
        file = files.first + files.names.index(name)
        place = F.when(file_of(F.col(NUMBER)) == file, i).otherwise(place)
    return place


@dataclasses.dataclass(frozen=True)
class Counts:
    """How many documents are kept and removed."""

    kept: int
    removed: int


@dataclasses.dataclass(frozen=True)
class Inputs:
    """The documents of files."""

    documents: DataFrame  # NUMBER, ID, TEXT, and what is compared besides
    origin: FilesOrigin
    rejected: DataFrame | None  # source, row, reason, raw; None: there are none
    write_kept: Callable[[DataFrame, Counts, str], None]  # the removals; a folder


def id_of(own: Column, source: Column, row: Column) -> Column:
    """The id of a document; where it has none, its file and row."""
    fallback = F.concat(source, F.lit(":"), row.cast("string"))
    return F.coalesce(own.cast("string"), fallback)


def without(rows: DataFrame, numbers: DataFrame, count: int) -> DataFrame:
    """The rows whose NUMBER is not among these. `count`: of the numbers."""
    return join_few(rows, numbers, NUMBER, count, "left_anti")


def write_counted(kept: DataFrame, expected: int, form: str, path: str) -> None:
    """Writes rows in a format of Spark.

    Raises:
        DataError: There are not so many rows as expected.
    """
    written = write_seen(kept, form, path)
    if written != expected:
        raise DataError(f"{written} records are kept, expected {expected}: {CHANGED}")


def write_seen(rows: DataFrame, form: str, path: str) -> int:
    """Writes rows in a format of Spark; returns their number."""
    seen = Observation("written")
    observed = rows.observe(seen, F.count(F.lit(1)).alias("rows"))
    observed.write.format(form).save(path)
    count: int = seen.get["rows"]
    return count
