"""Processor time and shuffled bytes of `lookalike.spark.dedup`, beside `lookalike dedup`.

Both search the same documents, made by `lookalike synth`; the removals must be equal. Spark runs
as a cluster of two executors of one core and 1 GiB, session included. Its processor time is that
of driver, executors and Python workers together.

    build/venv/bin/python bench/spark.py --documents 500000
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ROOT / "build" / "release" / "bin" / "lookalike"
POLL_SECONDS = 0.1
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of_session(leader: int) -> dict[int, tuple[str, float]]:
    """(command, seconds of user and system) of each process of a session, by process id."""
    found: dict[int, tuple[str, float]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            head, tail = (folder / "stat").read_text().rsplit(")", 1)
        except OSError:
            continue
        values = tail.split()
        if int(values[3]) == leader:
            name = head.split("(", 1)[1]
            found[int(folder.name)] = (name, (int(values[11]) + int(values[12])) / TICKS)
    return found


def cpu_by_command(arguments: list[str], environment: dict[str, str]) -> Counter[str]:
    """Runs a command in a session of its own; returns CPU seconds by name of program."""
    process = subprocess.Popen(arguments, env=environment, start_new_session=True)
    last: dict[int, tuple[str, float]] = {}
    while process.poll() is None:
        last |= cpu_of_session(process.pid)
        time.sleep(POLL_SECONDS)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit code {process.returncode}")
    total: Counter[str] = Counter()
    for name, seconds in last.values():
        total["java" if name == "java" else "python"] += seconds
    return total


def search(folder: Path, partitions: int) -> None:
    """The job on Spark; runs in a process of its own, which is measured from outside."""
    from pyspark.sql import SparkSession

    import lookalike.spark

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.executor.memory", "1024m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.dir", (folder / "events").as_uri())
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.rolling.enabled", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    df = session.read.parquet(str(folder / "corpus.parquet"))
    begin = time.monotonic()
    result = lookalike.spark.dedup(
        df, order_col="n", work_dir=(folder / "work").as_uri(), partitions=partitions or None
    )
    rows = result.removed.select("id", "duplicate_of", "kind", "resemblance")
    rows.write.parquet(str(folder / "removed"))
    manifest = {**result.manifest, "wall": round(time.monotonic() - begin, 1)}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    session.stop()


def shuffled_bytes(folder: Path) -> Counter[str]:
    """Bytes that each stage wrote to shuffles, as Spark's log of events has them."""
    names: dict[str, str] = {}
    stages: dict[int, str] = {}
    total: Counter[str] = Counter()
    for path in (folder / "events").iterdir():
        for line in path.open():
            event: dict[str, Any] = json.loads(line)
            kind = event["Event"].rsplit(".", 1)[-1]
            if kind == "SparkListenerSQLExecutionStart":
                table = re.search(r"dedup-[0-9a-f]{16}/([\w-]+)", event["physicalPlanDescription"])
                plan = event["physicalPlanDescription"]
                writes = "InsertIntoHadoopFsRelationCommand" in plan
                names[str(event["executionId"])] = table[1] if table and writes else "other"
            elif kind == "SparkListenerStageSubmitted":
                execution = event["Properties"].get("spark.sql.execution.id", "")
                stages[event["Stage Info"]["Stage ID"]] = names.get(execution, "other")
            elif kind == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                written = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                total[stages.get(event["Stage ID"], "other")] += written
    return total


def removals_of_command(folder: Path) -> list[tuple[Any, ...]]:
    lines = (folder / "clean" / "removed.jsonl").open()
    return sorted(
        (row["id"], row["duplicate_of"], row["kind"], row["resemblance"])
        for row in map(json.loads, lines)
    )


def removals_of_spark(folder: Path) -> list[tuple[Any, ...]]:
    table = pa.parquet.read_table(folder / "removed")
    return sorted(tuple(row.values()) for row in table.to_pylist())


def compare(documents: int, partitions: int, folder: Path) -> dict[str, Any]:
    corpus = folder / "corpus.jsonl"
    made = [COMMAND, "synth", "-o", corpus, "--documents", str(documents), "--seed", "5"]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    table = pa.json.read_json(corpus).select(["id", "text"])
    table = table.append_column("n", pa.array(range(table.num_rows), pa.int64()))
    pa.parquet.write_table(
        table, folder / "corpus.parquet", compression="zstd", row_group_size=50_000
    )
    (folder / "events").mkdir()
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    arguments = [sys.executable, __file__, "--job", str(folder), "--partitions", str(partitions)]
    spark = cpu_by_command(arguments, environment)
    manifest = json.loads((folder / "manifest.json").read_text())
    design = ["--design", manifest["design"], "--threads", "2", "--quiet"]
    run = [str(COMMAND), "dedup", str(corpus), "-o", str(folder / "clean"), *design]
    command = sum(cpu_by_command(run, dict(os.environ)).values())
    shuffled = shuffled_bytes(folder)
    return {
        "documents": documents,
        "partitions": manifest["partitions"],
        "equal": removals_of_spark(folder) == removals_of_command(folder),
        "removed": len(removals_of_command(folder)),
        "spark_cpu": {name: round(value, 1) for name, value in spark.items()},
        "command_cpu": round(command, 1),
        "ratio": round(sum(spark.values()) / command, 2),
        "shuffled_bytes_a_document": {
            name: round(value / documents) for name, value in shuffled.items() if value
        },
        "shuffled": round(sum(shuffled.values()) / documents),
        "wall": manifest["wall"],
        "timings": manifest["timings"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000])
    parser.add_argument("--partitions", type=int, default=0)
    parser.add_argument("--job", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        search(options.job, options.partitions)
        return
    for documents in options.documents:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(compare(documents, options.partitions, Path(folder)), indent=1))


if __name__ == "__main__":
    main()
