"""Where documents come from: the files of a job, or a DataFrame of a program.

The number of a document of files is the number of its file, shifted by 40 bits, plus its row,
which counts from 1, so that numbers ascend in the order of the command.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_ROW_BITS = 40
_ROW = (1 << _ROW_BITS) - 1
MOST_FILES = 1 << 21
_REFERENCE = "against"  # the source of documents of a DataFrame that are only compared with


def number_of(file: Column, row: Column) -> Column:
    return F.shiftleft(file.cast("long"), _ROW_BITS) + row


def file_of(number: Column) -> Column:
    return F.shiftright(number, _ROW_BITS).cast("int")


@dataclasses.dataclass(frozen=True)
class Origin:
    """The documents of a DataFrame."""

    text: str  # field or column
    id: str | None
    names: list[str]  # of the inputs
    rejected: list[int]  # records of each input
    repaired: int = 0  # texts with replaced characters
    reference: list[str] = dataclasses.field(default_factory=list)  # inputs to compare with
    reference_rejected: list[int] = dataclasses.field(default_factory=list)

    def input_of(self, number: Column) -> Column:
        """The input of the document with this number."""
        return F.lit(0)

    def place(self, number: Any, of_reference: bool) -> dict[str, Any]:
        """Source and row of a document, as the report has them."""
        return {"source": _REFERENCE if of_reference else self.names[0]}


@dataclasses.dataclass(frozen=True)
class FilesOrigin(Origin):
    """The documents of files. Files of a reference are numbered behind the inputs."""

    def with_reference(self, other: Origin) -> FilesOrigin:
        """The documents of these files, and those of others to compare with."""
        return dataclasses.replace(
            self, reference=other.names, reference_rejected=other.rejected
        )

    def input_of(self, number: Column) -> Column:
        return file_of(number)

    def place(self, number: Any, of_reference: bool) -> dict[str, Any]:
        return {"source": self._all_names[number >> _ROW_BITS], "row": number & _ROW}

    def with_places(self, rows: DataFrame, number: str, prefix: str = "") -> DataFrame:
        """Replaces the column `number` by `{prefix}source` and `{prefix}row`."""
        names = rows.sparkSession.createDataFrame(
            list(enumerate(self._all_names)), f"__file int, {prefix}source string"
        )
        placed = rows.withColumn("__file", file_of(F.col(number))).withColumn(
            f"{prefix}row", F.col(number).bitwiseAND(F.lit(_ROW))
        )
        return placed.join(F.broadcast(names), "__file").drop("__file", number)

    @property
    def _all_names(self) -> list[str]:
        return self.names + self.reference
