"""Jobs on a cluster of small executors: no task fails, and no process that is killed changes them.

Each job runs in processes of its own, which are watched from outside.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lookalike
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
import spark_job  # noqa: E402 - needs pyspark

pytestmark = pytest.mark.slow

MOST_MEMORY = 600 << 20  # of a Python worker
JOB = Path(spark_job.__file__)


def processes(session: int) -> Iterator[tuple[int, str]]:
    """Process id and command line of each process of a session."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) == session:
                yield int(folder.name), (folder / "cmdline").read_text().replace("\0", " ")


def peak_memory(process: int) -> int:
    """The most bytes that a process has had; 0 if it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


class Job:
    """A job that runs."""

    def __init__(self, folder: Path, corpus: str, documents: int, **more: Any) -> None:
        self.folder = folder
        self.peak = 0  # of all Python workers
        self.killed: list[str] = []
        given = {"folder": str(folder), "corpus": corpus, "documents": documents, **more}
        self._process = subprocess.Popen(
            [sys.executable, JOB, json.dumps({"partitions": 0, **given})],
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def workers(self) -> list[int]:
        """The processes in which tasks run, and the one that makes them."""
        return [pid for pid, line in processes(self._process.pid) if "pyspark.daemon" in line]

    def kill(self, what: str) -> None:
        """Kills a Python worker, or an executor."""
        mark = {"worker": "pyspark.daemon", "executor": "CoarseGrainedExecutorBackend"}[what]
        found = [pid for pid, line in processes(self._process.pid) if mark in line]
        os.kill(max(found), signal.SIGKILL)
        self.killed.append(what)

    def outcome(self, kill: dict[str, str] | None = None) -> dict[str, Any]:
        """Waits for the end. `kill`: what is killed when a stage is told to run."""
        watch = threading.Thread(target=self._watch, daemon=True)
        watch.start()
        lines: list[str] = []
        assert self._process.stderr
        for line in self._process.stderr:
            lines.append(line)
            for stage, what in (kill or {}).items():
                if line == f"lookalike: {stage}: running\n":
                    time.sleep(0.5)
                    self.kill(what)
        status = self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        assert status == 0, "".join(lines[-20:])
        found: dict[str, Any] = json.loads((self.folder / "outcome.json").read_text())
        return found

    def _watch(self) -> None:
        while self._process.poll() is None:
            self.peak = max([self.peak, *map(peak_memory, self.workers())])
            time.sleep(0.1)


def test_a_cluster_of_very_many_documents_has_one_witness(tmp_path: Path) -> None:
    documents = 400_000
    job = Job(tmp_path, "one cluster", documents)
    records = job.outcome()["records"]
    assert records == {
        "in": documents, "kept": 1, "removed_exact": 0, "removed_near": documents - 1,
    }  # fmt: skip
    assert job.peak < MOST_MEMORY


def test_a_million_texts_without_words_are_as_in_one_process(tmp_path: Path) -> None:
    job = Job(tmp_path, "no words", 1_000_000)
    found = job.outcome()
    texts = [None, "", " "] * 333_334
    one = lookalike.dedup(corpora.table(texts[:1_000_000]))
    wanted = one.manifest["records"]
    assert found["records"] == {name: wanted[name] for name in found["records"]}
    assert found["kept"] == wanted["kept"]
    assert job.peak < MOST_MEMORY


def test_a_text_of_a_hundred_megabytes_is_a_document(tmp_path: Path) -> None:
    job = Job(tmp_path, "one long text", 1000, partitions=4)
    found = job.outcome()
    assert found["records"]["in"] == 1000
    assert found["removed"] == []
    assert job.peak < MOST_MEMORY


@pytest.mark.parametrize("corpus", [corpora.near_copies, corpora.template])
def test_killed_processes_and_repeated_tasks_change_nothing(tmp_path: Path, corpus: Any) -> None:
    settings = {
        "spark.speculation": "true",
        "spark.speculation.interval": "50ms",
        "spark.speculation.multiplier": "1.0001",
        "spark.speculation.quantile": "0.1",
        "spark.speculation.minTaskRuntime": "1ms",
    }
    job = Job(tmp_path, corpus.__name__, 0, partitions=17, settings=settings)
    found = job.outcome(kill={"routed": "worker", "small-0": "executor", "edges": "worker"})
    assert sorted(job.killed) == ["executor", "worker", "worker"]
    one = lookalike.dedup(corpora.table(corpus()), design=found["design"])
    assert [tuple(row) for row in found["removed"]] == corpora.removals(one)
