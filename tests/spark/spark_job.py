"""A job on a cluster of two executors of one core and 1 GiB; run by test_spark_cluster.py.

    python spark_job.py SPECIFICATION

The specification is JSON: `corpus`, `documents`, `partitions`, `settings` and `folder`. The result,
outcome.json in the folder, has the records of the manifest and, for corpora of texts, the removals.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import lookalike.spark
import pyarrow as pa
import pyarrow.parquet as parquet
import spark_corpora as corpora
from pyspark.sql import SparkSession

_COMMON = " ".join(f"common{i}" for i in range(60))
_FEW = " ".join(f"common{i}" for i in range(25))
#: Expressions of texts, by number of document.
TEXTS = {
    "one cluster": f"concat('{_COMMON} own', id)",
    "one cluster of short texts": f"concat('{_FEW} own', id)",
    "no words": "case id % 3 when 0 then null when 1 then '' else ' ' end",
}
LONG_BYTES = 100_000_000


def frame(session: Any, corpus: str, documents: int, partitions: int, folder: Path) -> Any:
    """A DataFrame of id, text and n."""
    if corpus in TEXTS:
        numbers = session.range(0, documents, 1, 8)
        return numbers.selectExpr("id as n", "concat('d', id) as id", f"{TEXTS[corpus]} as text")
    if corpus == "one long text":
        return session.read.parquet(write_long_text(documents, folder).as_uri())
    texts = getattr(corpora, corpus)()
    return corpora.frame(session, texts, partitions)


def write_long_text(documents: int, folder: Path) -> Path:
    """Documents of some words, one of LONG_BYTES bytes among them."""
    words = [f"w{i}" for i in range(LONG_BYTES // 9)]
    long = " ".join(words).ljust(LONG_BYTES, "x")
    texts = [" ".join(words[i : i + 50]) for i in range(0, 50 * documents, 50)]
    texts[documents // 2] = long
    ids = [f"d{i}" for i in range(documents)]
    table = pa.table({"id": ids, "text": texts, "n": range(documents)})
    path = folder / "long.parquet"
    parquet.write_table(table, path, row_group_size=100)
    return path


def main() -> None:
    given = json.loads(sys.argv[1])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(given["folder"])
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.executor.memory": "1024m",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(folder / "local"),
        **given.get("settings", {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    df = frame(session, given["corpus"], given["documents"], given["partitions"], folder)
    result = lookalike.spark.dedup(
        df, "text", "id", "n", work_dir=(folder / "work").as_uri(),
        partitions=given["partitions"] or None, progress=True,
    )  # fmt: skip
    outcome = {"design": result.manifest["design"], "records": result.manifest["records"]}
    outcome["kept"] = result.kept.count()
    if given["corpus"] not in TEXTS:
        outcome["removed"] = corpora.removals(result)
    (folder / "outcome.json").write_text(json.dumps(outcome))
    session.stop()


if __name__ == "__main__":
    main()
