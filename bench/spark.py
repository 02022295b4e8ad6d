"""Processor time and shuffled bytes of `lookalike.spark`, beside the command and other programs.

All search the same documents, made by `lookalike synth`; the removals of command and Spark must be
equal. Spark runs as a cluster of two executors of one core and 1 GiB, session included. Its
processor time is that of driver, executors and Python workers together.

    build/venv/bin/python bench/spark.py --documents 500000
    build/venv/bin/python bench/spark.py --documents 20000 --peers --curator VENV/bin/python
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
# The work is done in Python workers: Java's best compiler, and its collector with many threads,
# cost more than they bring.
THIN_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
POLL_SECONDS = 0.1
THRESHOLD = 0.8
TICKS = os.sysconf("SC_CLK_TCK")
# In a plan as Spark describes it, the table that it writes.
WRITTEN = re.compile(
    r"InsertIntoHadoopFsRelationCommand\n(?:Input.*\n)?Arguments: \S*dedup-[0-9a-f]{16}/([\w-]+)"
)


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


def session_of(folder: Path, events: Path, *jars: str, thin: bool = False) -> Any:
    """Two executors of one core and 1 GiB; `thin`: with the settings of docs/how-to/spark.md."""
    from pyspark.sql import SparkSession

    events.mkdir()
    builder = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.executor.memory", "1024m")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.dir", events.as_uri())
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.rolling.enabled", "false")
    )
    if thin:
        builder = builder.config("spark.io.compression.codec", "zstd")
        for process in ("driver", "executor"):
            builder = builder.config(f"spark.{process}.extraJavaOptions", THIN_JAVA)
    session = (builder.config("spark.jars", ",".join(jars)) if jars else builder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def search(folder: Path, goal: str, partitions: int, audit: int) -> None:
    """The job on Spark; runs in a process of its own, which is measured from outside."""
    import lookalike.spark

    session = session_of(folder, folder / f"{goal}-events", thin=True)
    df = session.read.parquet(str(folder / "corpus.parquet"))
    begin = time.monotonic()
    work, count = (folder / "work").as_uri(), partitions or None
    if goal == "pairs":
        found = lookalike.spark.pairs(df, "text", None, "n", work_dir=work, partitions=count)
        found.select("a", "b").write.parquet(str(folder / "pairs"))
    else:
        result = lookalike.spark.dedup(
            df, order_col="n", work_dir=work, partitions=count, audit_documents=audit
        )
        rows = result.removed.select("id", "duplicate_of", "kind", "resemblance")
        rows.write.parquet(str(folder / "removed"))
        manifest = {**result.manifest, "wall": round(time.monotonic() - begin, 1)}
        (folder / "manifest.json").write_text(json.dumps(manifest))
    session.stop()


def search_with_mllib(folder: Path) -> None:
    """MinHashLSH of Spark MLlib: a self-join by an exact distance over hashed runs of five words.

    Five tables of one hash each, which is how it reaches a recall of .99 at .8; it has no bands.
    Texts of fewer than five words have no features, which MinHashLSH refuses, and are left out.
    """
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F

    session = session_of(folder, folder / "mllib-events")
    df = session.read.parquet(str(folder / "corpus.parquet")).select("n", "text")
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\w+", gaps=False)
    runs = NGram(n=5, inputCol="words", outputCol="runs")
    features = HashingTF(inputCol="runs", outputCol="features", binary=True, numFeatures=1 << 20)
    rows = runs.transform(words.transform(df)).where(F.size("runs") > 0)
    sets = features.transform(rows).select("n", "features")
    model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=5, seed=5).fit(sets)
    joined = model.approxSimilarityJoin(sets, sets, 1 - THRESHOLD + 1e-9, "distance")
    found = joined.where("datasetA.n < datasetB.n").select(
        F.col("datasetA.n").alias("a"), F.col("datasetB.n").alias("b")
    )
    found.write.parquet(str(folder / "mllib"))
    session.stop()


def search_with_curator(folder: Path) -> None:
    """distributed-curator, which needs Spark 3.5: bands of sketches of runs of nine characters.

    It removes all but one document of each component, without a look at the texts of a pair.
    """
    from distributed_curator import get_jar_path, partition_aware_deduplicate
    from pyspark.sql import functions as F

    session = session_of(folder, folder / "curator-events", get_jar_path())
    df = session.read.parquet(str(folder / "corpus.parquet"))
    rows = df.select(F.col("n").cast("string").alias("doc_id"), "text")
    found = partition_aware_deduplicate(
        spark=session, input_df=rows, text_column="text", similarity_threshold=THRESHOLD,
        num_partitions=16, is_input_doc_id_unique=True,
        checkpoint_path=(folder / "curator-work").as_uri(),
    )  # fmt: skip
    removed = found.where("is_duplicate").select(F.col("doc_id").cast("long").alias("n"))
    removed.write.parquet(str(folder / "curator-removed"))
    session.stop()


def shuffled_bytes(events: Path) -> Counter[str]:
    """Bytes that each stage wrote to shuffles, as Spark's log of events has them."""
    names: dict[str, str] = {}
    stages: dict[int, str] = {}
    total: Counter[str] = Counter()
    for path in events.iterdir():
        for line in path.open():
            event: dict[str, Any] = json.loads(line)
            kind = event["Event"].rsplit(".", 1)[-1]
            if kind == "SparkListenerSQLExecutionStart":
                table = WRITTEN.search(event["physicalPlanDescription"])
                names[str(event["executionId"])] = table[1] if table else "other"
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


def of_pairs(found: set[tuple[int, int]], truth: set[tuple[int, int]]) -> dict[str, Any]:
    both = len(found & truth)
    return {
        "pairs": len(found),
        "recall": round(both / max(1, len(truth)), 4),
        "precision": round(both / max(1, len(found)), 4),
    }


def of_removals(removed: set[int], truth: set[tuple[int, int]]) -> dict[str, Any]:
    """False: a removed document that resembles no other. Left: true pairs of kept documents."""
    resembling = {place for pair in truth for place in pair}
    return {
        "removed": len(removed),
        "false": len(removed - resembling),
        "pairs_left": sum(a not in removed and b not in removed for a, b in truth),
        "true_pairs": len(truth),
    }


def true_pairs(folder: Path) -> set[tuple[int, int]]:
    """Every pair of the threshold or more, as `lookalike synth --truth` knows them."""
    places = {}
    for place, line in enumerate((folder / "corpus.jsonl").open()):
        places[json.loads(line)["id"]] = place
    pairs = set()
    for row in map(json.loads, (folder / "truth.jsonl").open()):
        if row["resemblance"] >= THRESHOLD:
            a, b = sorted((places[row["a"]], places[row["b"]]))
            pairs.add((a, b))
    return pairs


def run_job(python: Path | str, name: str, folder: Path, *more: str) -> dict[str, Any]:
    """Runs one of the searches in a process of its own; returns what it cost."""
    environment = {**os.environ, "PYSPARK_PYTHON": str(python)}
    begin = time.monotonic()
    job = [str(python), __file__, "--job", name, "--folder", str(folder)]
    cpu = cpu_by_command([*job, *more], environment)
    return {
        "cpu": {program: round(value, 1) for program, value in cpu.items()},
        "wall": round(time.monotonic() - begin, 1),
        "shuffled": shuffled_bytes(folder / f"{name}-events"),
    }


def pairs_in(path: Path) -> set[tuple[int, int]]:
    table = pa.parquet.read_table(path)
    return set(zip(table["a"].to_pylist(), table["b"].to_pylist(), strict=True))


def make_corpus(documents: int, folder: Path) -> None:
    corpus = folder / "corpus.jsonl"
    made = [COMMAND, "synth", "-o", corpus, "--documents", str(documents), "--seed", "5"]
    subprocess.run(
        [*made, "--truth", folder / "truth.jsonl"], check=True, stdout=subprocess.DEVNULL
    )
    table = pa.json.read_json(corpus).select(["id", "text"])
    table = table.append_column("n", pa.array(range(table.num_rows), pa.int64()))
    pa.parquet.write_table(
        table, folder / "corpus.parquet", compression="zstd", row_group_size=50_000
    )


def compare(documents: int, options: argparse.Namespace, folder: Path) -> None:
    def show(name: str, **figures: Any) -> None:
        print(json.dumps({"documents": documents, "search": name, **figures}), flush=True)

    make_corpus(documents, folder)
    corpus = folder / "corpus.jsonl"
    audit = f"--audit-documents={options.audit_documents}"
    job = run_job(sys.executable, "dedup", folder, f"--partitions={options.partitions}", audit)
    manifest = json.loads((folder / "manifest.json").read_text())
    design = ["--design", manifest["design"], "--threads", "2", "--quiet"]
    run = [str(COMMAND), "dedup", str(corpus), "-o", str(folder / "clean"), *design]
    command = sum(cpu_by_command(run, dict(os.environ)).values())
    removals = removals_of_command(folder)
    shuffled = job.pop("shuffled")
    show(
        "lookalike.spark.dedup",
        **job,
        partitions=manifest["partitions"],
        equal=removals_of_spark(folder) == removals,
        removed=len(removals),
        command_cpu=round(command, 1),
        ratio=round(sum(job["cpu"].values()) / command, 2),
        shuffled=round(sum(shuffled.values()) / documents),
        shuffled_by_stage={name: round(value / documents) for name, value in shuffled.items()},
        timings=manifest["timings"],
    )
    if not options.peers:
        return
    truth = true_pairs(folder)
    for name in ("pairs", "mllib"):
        job = run_job(sys.executable, name, folder)
        job["shuffled"] = round(sum(job["shuffled"].values()) / documents)
        show(name, **job, **of_pairs(pairs_in(folder / name), truth))
    if options.curator:
        job = run_job(options.curator, "curator", folder)
        job["shuffled"] = round(sum(job["shuffled"].values()) / documents)
        removed = set(pa.parquet.read_table(folder / "curator-removed")["n"].to_pylist())
        show("curator", **job, **of_removals(removed, truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000])
    parser.add_argument("--partitions", type=int, default=0)
    parser.add_argument("--audit-documents", type=int, default=1000, help="0: no audit")
    parser.add_argument("--peers", action="store_true", help="also search with other programs")
    parser.add_argument("--curator", type=Path, help="Python that has distributed-curator")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job == "mllib":
        search_with_mllib(options.folder)
    elif options.job == "curator":
        search_with_curator(options.folder)
    elif options.job:
        search(options.folder, options.job, options.partitions, options.audit_documents)
    else:
        for documents in options.documents:
            with tempfile.TemporaryDirectory() as folder:
                compare(documents, options, Path(folder))


if __name__ == "__main__":
    main()
