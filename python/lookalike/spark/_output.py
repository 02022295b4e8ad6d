"""The folder of a result, on any file system that Hadoop knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MARK = "_lookalike-spark"  # a file that says who made the folder
_LAST = "manifest.json"  # is written when all else is complete
_BEGUN = "_begun"  # a file that is being written
_PARTS = (_BEGUN, "kept", "removed", "clusters", "rejected", "report.html", _LAST)


def _plain(path: str) -> str:
    return "/" + path.strip("/")


class OutputFolder:
    """A folder in which nothing is touched that an earlier run has not made."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self._jvm: Any = spark._jvm
        self._configuration: Any = spark._jsc.hadoopConfiguration()
        self.path = path.rstrip("/")

    def check_apart(self, uris: list[str]) -> None:
        """Raises DataError if an input lies in this folder, where it would be removed."""
        path, files = self._open(self.path)
        folder = _plain(str(files.makeQualified(path).toUri().getPath()))
        for uri in uris:
            if _plain(self._jvm.java.net.URI(uri).getPath()).startswith(folder + "/"):
                raise DataError(
                    f"the input {uri} lies in the output folder {self.path}; name another folder"
                )

    def begin(self, overwrite: bool) -> None:
        """Makes the folder, or clears what an interrupted run has left in it.

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
        return bool(files.exists(path)) and len(files.listStatus(path)) > 0

    def _open(self, name: str) -> tuple[Any, Any]:
        path = self._jvm.org.apache.hadoop.fs.Path(name)
        return path, path.getFileSystem(self._configuration)
