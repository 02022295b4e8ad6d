"""What tasks cost: processor time of `lookalike shard run` beside one `lookalike dedup`.

Every stage runs as so many tasks of one thread, one after the other. Rounds are interleaved, the
results are compared byte for byte, and the figures are medians.

    build/venv/bin/python bench/shards.py --documents 300000 --tasks 8
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from scaling import COMMAND, make_inputs, synthesize

STAGES = ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write")
UNEQUAL = {"manifest.json"}  # it has dates and durations


def cpu_of(*command: str | Path) -> float:
    """User and system seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_once(inputs: list[Path], output: Path) -> float:
    return cpu_of(COMMAND, "dedup", *inputs, "-o", output, "--threads", "1", "--quiet")


def run_as_tasks(inputs: list[Path], output: Path, job: Path, tasks: int) -> dict[str, float]:
    """Seconds of all tasks of each stage. An earlier output is removed when its place is written."""
    old = output.with_name("old")
    if output.exists():
        output.rename(old)
    cpu = {"plan": cpu_of(COMMAND, "shard", "plan", *inputs, "-o", output, "--job", job)}
    for stage in STAGES:
        if stage == "write":
            shutil.rmtree(old, ignore_errors=True)
        task = [COMMAND, "shard", "run", job, stage, "--threads", "1", "--quiet", "--task"]
        cpu[stage] = sum(cpu_of(*task, f"{i}/{tasks}") for i in range(tasks))
    return cpu


def differing(one: Path, other: Path) -> list[str]:
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*")}
    return [
        str(name)
        for name in sorted(names)
        if str(name) not in UNEQUAL
        and not (one / name).is_dir()
        and (one / name).read_bytes() != (other / name).read_bytes()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=300_000)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        corpus = folder / "corpus.jsonl"
        synthesize(COMMAND, options.documents, corpus)
        inputs = make_inputs(corpus, "jsonl", options.files, folder / "in")
        once, stages = [], []
        for _ in range(options.rounds + 1):
            # Each program writes into memory that its own last result gave back to the system:
            # memory that the machine has never used costs a second more per gigabyte.
            shutil.rmtree(folder / "one", ignore_errors=True)
            once.append(run_once(inputs, folder / "one"))
            shutil.rmtree(folder / "job", ignore_errors=True)
            stages.append(run_as_tasks(inputs, folder / "all", folder / "job", options.tasks))
            if unequal := differing(folder / "one", folder / "all"):
                raise SystemExit(f"results differ: {', '.join(unequal)}")
    del once[0], stages[0]
    ratios = [sum(cpu.values()) / one for cpu, one in zip(stages, once, strict=True)]
    figures = {
        "documents": options.documents,
        "files": options.files,
        "tasks": options.tasks,
        "one": round(statistics.median(once), 2),
        "all": round(statistics.median(sum(cpu.values()) for cpu in stages), 2),
        "ratio": round(statistics.median(ratios), 2),
        "stages": {
            stage: round(statistics.median(cpu[stage] for cpu in stages), 2) for stage in stages[0]
        },
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
