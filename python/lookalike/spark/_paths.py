"""Paths on any file system that Hadoop knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def opened(spark: SparkSession, name: str) -> tuple[Any, Any]:
    """The path of a file or folder, and its file system, as objects of Java."""
    jvm: Any = spark._jvm
    path = jvm.org.apache.hadoop.fs.Path(name)
    return path, path.getFileSystem(spark._jsc.hadoopConfiguration())


def place_of(spark: SparkSession, name: str) -> list[str]:
    """The parts of a path that may be relative."""
    path, files = opened(spark, name)
    return parts_of(str(files.makeQualified(path).toString()))


def parts_of(path: str) -> list[str]:
    """The scheme, the host, if there is one, and the names."""
    return [part for part in path.split("/") if part]
