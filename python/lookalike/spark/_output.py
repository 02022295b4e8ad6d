"""The folder of a result, on any file system that Hadoop knows."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..errors import DataError
from ._paths import opened, parts_of, place_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MARK = "_lookalike-spark"  # a file that says who made the folder
_LAST = "manifest.json"  # is written when all else is complete
_BEGUN = "_begun"  # a file that is being written
_PARTS = (
    _BEGUN, "kept", "removed", "clusters", "guarded", "pairs", "rejected", "report.html", _LAST,
)  # fmt: skip


def _lies_in(place: list[str], folder: list[str]) -> bool:
    """True if a place is a folder or lies in it, whose names may have the signs of a glob."""
    pairs = zip(place, folder, strict=False)
    return len(place) >= len(folder) and all(fnmatch.fnmatchcase(*pair) for pair in pairs)


class OutputFolder:
    """A folder in which nothing is touched that an earlier run has not made."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self._spark = spark
        self.path = path.rstrip("/")

    def check_apart(self, given: list[str], uris: list[str], work: str) -> None:
        """Checks that no input lies in this folder, where it would be removed, and that neither
        this folder nor `work` is among the inputs.

        Args:
            given: The inputs as they were named: files, folders and globs.
            uris: The files that were found.
            work: The folder for the tables of stages.

        Raises:
            DataError: One lies in the other.
        """
        folder = place_of(self._spark, self.path)
        for uri in uris:  # perhaps millions, so that Java is not asked
            if _lies_in(parts_of(unquote(uri)), folder):
                raise DataError(
                    f"the input {uri} lies in the output folder {self.path}; name another folder"
                )
        places = ((self.path, folder), (work, place_of(self._spark, work)))
        for argument in given:
            read = place_of(self._spark, argument)
            for name, place in places:
                if _lies_in(place, read):
                    raise DataError(
                        f"{name} would be read as a part of the input {argument}; name a folder "
                        "elsewhere"
                    )

    def claim(self, overwrite: bool) -> None:
        """Makes the folder, unless it is there. What an earlier run has left in it stays.

        Raises:
            DataError: It has a complete result and `overwrite` is false, or other files.
        """
        if self._is_file(_LAST) and not overwrite:
            raise DataError(
                f"{self.path} has a result already; name another folder, or pass --overwrite"
            )
        if not self._is_file(_MARK):
            if self._has_files():
                raise DataError(
                    f"{self.path} has files that no job of lookalike-spark wrote; "
                    "name a new folder"
                )
            self.write(_MARK, b"lookalike-spark writes here\n")

    def clear(self) -> None:
        """Removes an earlier result, or what an interrupted run has left of one."""
        for part in reversed(_PARTS):
            self.remove(self.at(part))

    def at(self, part: str) -> str:
        return f"{self.path}/{part}"

    def write(self, name: str, content: bytes) -> None:
        """Writes a small file, which has its name only when it is whole."""
        begun, files = self._open(self.at(_BEGUN))
        stream = files.create(begun, True)
        stream.write(bytearray(content))
        stream.close()
        path, _ = self._open(self.at(name))
        if not files.rename(begun, path):
            raise DataError(f"{self.at(name)} cannot be written: a rename failed")

    def remove(self, path: str) -> None:
        """Removes a file or folder, if it is there."""
        found, files = self._open(path)
        files.delete(found, True)

    def _is_file(self, name: str) -> bool:
        path, files = self._open(self.at(name))
        return bool(files.exists(path))

    def _has_files(self) -> bool:
        path, files = self._open(self.path)
        found = files.listStatus(path) if files.exists(path) else []
        return any(not file.getPath().getName().endswith(_BEGUN) for file in found)

    def _open(self, name: str) -> tuple[Any, Any]:
        return opened(self._spark, name)
