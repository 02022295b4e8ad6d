"""The folder of a job: each stage is a Parquet table there, and is made once."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_BATCH_BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"  # known from Spark 4.1 on
#: Settings while a stage runs: what is read or passed to a worker at a time must fit in little
#: memory. Blobs have up to a megabyte each, and some texts are long.
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.sql.parquet.columnarReaderBatchSize": "64",
}
_SETTINGS_WITH_BYTES = {
    **_SETTINGS,
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    _BATCH_BYTES: str(8 << 20),
}


#: How tables are written. Java holds the rows of a group until the group is complete, and looks at
#: their size for the first time after so many of them.
_TABLE = {"parquet.block.size": str(16 << 20), "parquet.page.size.row.check.min": "4"}


@dataclasses.dataclass
class WorkFolder:
    """The folder that holds the stages of one job."""

    spark: SparkSession
    path: str
    tell: Callable[[str], None]
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    reused: list[str] = dataclasses.field(default_factory=list)

    def stage(
        self, name: str, make: Callable[[], DataFrame], compression: str = "none"
    ) -> DataFrame:
        """Returns the table of a stage, which is made if an earlier run has not completed it.

        A table cuts the lineage: what follows reads it from storage, whatever becomes of the
        executors that made it.
        """
        path = f"{self.path}/{name}"
        if self._is_complete(path):
            self.reused.append(name)
            self.tell(f"{name}: already done")
        else:
            begin = time.monotonic()
            self.tell(f"{name}: running")
            with _settings(self.spark):
                table = make().write.mode("overwrite").options(**_TABLE)
                table.option("compression", compression).parquet(path)
            self.seconds[name] = round(time.monotonic() - begin, 3)
            self.tell(f"{name}: {self.seconds[name]:.1f} s")
        return self.spark.read.parquet(path)

    def _is_complete(self, path: str) -> bool:
        # Spark writes this file when the last task of a table has been committed.
        try:
            self.spark.read.schema("value string").text(f"{path}/_SUCCESS")
        except AnalysisException:
            return False
        return True


def digest_of(*values: Any) -> str:
    """A short name for what decides the content of the stages."""
    text = json.dumps(values, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def teller(progress: bool | None) -> Callable[[str], None]:
    """Returns what tells about stages: on standard error, if it is wanted."""
    if progress or (progress is None and sys.stderr.isatty()):
        return lambda line: print(f"lookalike: {line}", file=sys.stderr, flush=True)
    return lambda line: None


@contextlib.contextmanager
def _settings(spark: SparkSession) -> Iterator[None]:
    """Sets what stages need, and afterwards what was set before."""
    before: dict[str, str | None] = {}
    wanted = _SETTINGS_WITH_BYTES if spark.conf.isModifiable(_BATCH_BYTES) else _SETTINGS
    for name, value in wanted.items():
        before[name] = spark.conf.get(name, None)
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)
