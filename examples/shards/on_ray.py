"""Removes near-duplicates with tasks on a Ray cluster whose machines see one file system.

    lookalike shard plan corpus/*.jsonl.zst -o clean --job JOB
    python examples/shards/on_ray.py JOB TASKS

Ray runs a task that failed again. Each task does its share of a stage; a stage begins when the one
before is complete. RAY_ADDRESS names the cluster; without it Ray starts on this machine.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import ray
import ray.data

STAGES = ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write")


class Share:
    """Does the shares of a stage that a batch numbers."""

    def __init__(self, job: str, stage: str, tasks: int) -> None:
        self.command = ["lookalike", "shard", "run", job, stage, "--quiet", "--task"]
        self.tasks = tasks

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        for number in batch["id"]:
            subprocess.run([*self.command, f"{number}/{self.tasks}"], check=True)
        return batch


def main() -> None:
    job, tasks = sys.argv[1], int(sys.argv[2])
    ray.init(log_to_driver=False)
    for stage in STAGES:
        shares = ray.data.range(tasks, override_num_blocks=tasks)
        done = shares.map_batches(Share(job, stage, tasks).__call__, batch_size=1).count()
        print(f"{stage}: {done} shares done")


if __name__ == "__main__":
    main()
