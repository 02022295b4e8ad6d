"""Removes near-duplicates as a datatrove pipeline, here with processes of this machine.

    lookalike shard plan corpus/*.jsonl.zst -o clean --job JOB
    python examples/shards/on_datatrove.py JOB TASKS

ShardStage is a block like others of datatrove: an executor for Slurm or Ray takes it too. Executors
depend on one another, so that a stage begins when the one before is complete.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep

STAGES = ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write")


class ShardStage(PipelineStep):  # type: ignore[misc]
    """A stage of a job of `lookalike shard`; a task of the executor does a share of it."""

    type = "DEDUP"
    name = "lookalike"

    def __init__(self, job: str, stage: str) -> None:
        super().__init__()
        self.job, self.stage = job, stage

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterable[Any]:
        share = ["--task", f"{rank}/{world_size}", "--quiet"]
        with self.track_time():
            subprocess.run(["lookalike", "shard", "run", self.job, self.stage, *share], check=True)
        yield from data or ()


def main() -> None:
    job, tasks = sys.argv[1], int(sys.argv[2])
    last = None
    for stage in STAGES:
        last = LocalPipelineExecutor(
            pipeline=[ShardStage(job, stage)], tasks=tasks, workers=2, depends=last,
            logging_dir=f"{job}/datatrove/{stage}",
        )  # fmt: skip
    assert last is not None
    last.run()


if __name__ == "__main__":
    main()
