#!/usr/bin/env python3
"""The clustering pipeline of 1997 and the seven steps of MMDS, beside the default, on real text.

    pipelines.py [--corpus FILE.jsonl.zst...] [--rounds 3] [--work DIR]

Every way searches each corpus for the same pairs (word:5, resemblance 0.8), as `dedup --cluster
components` does; recall is that of `pairs`, over what `--method exact` finds. Prints Markdown:
medians of the rounds, and the share of each phase of the pipeline of 1997 beside what Broder's
slides say of 30 million pages. docs/benchmarks.md has those of one machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from measured_run import manifest_of, measure

ROOT = Path(__file__).resolve().parent.parent
WAYS = {
    "default": [],
    "exact join": ["--method", "exact"],
    "merge, all shingles": ["--method", "shingle-merge"],
    "merge, mod-m:25": ["--method", "shingle-merge", "--sketch", "mod-m:25"],
    "merge, bottom-k:84": ["--method", "shingle-merge", "--sketch", "bottom-k:84"],
    "MMDS, 20x5": [
        "--sketch", "permutations:128", "--design", "bands:20x5", "--verify", "sketch+exact",
    ],
    "MMDS, 20x5, documents only": ["--sketch", "permutations:128", "--design", "bands:20x5"],
}  # fmt: skip
# Phases of 1997, in alpha-days, and the stages that do the same here.
PHASES = {
    "sketching": (4.6, ("fingerprint", "sets")),
    "eliminating exact duplicates": (0.3, ("classes",)),
    "shingle merging": (1.7, ("shingle-merging",)),
    "ID-ID pair formation": (0.7, ("id-pair-formation",)),
    "ID-ID merging": (2.6, ("id-pair-merging",)),
    "verification (none in 1997) and clusters": (0.0, ("verify", "write")),
}


@dataclass
class Runs:
    """What the rounds of one way on one corpus gave."""

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    shares: dict[str, list[float]] = field(default_factory=dict)
    candidates: int = 0
    recall: float = 0.0


def pairs_of(path: Path) -> set[tuple[str, str]]:
    with open(path, encoding="utf-8") as file:
        return {(pair["a"], pair["b"]) for pair in map(json.loads, file)}


def find_pairs(command: Path, corpus: Path, way: list[str], work: Path) -> set[tuple[str, str]]:
    output = work / "pairs.jsonl"
    measure([command, "pairs", corpus, "-o", output, "--quiet", *way])
    return pairs_of(output)


def run_once(command: Path, corpus: Path, way: list[str], work: Path, runs: Runs) -> None:
    output = work / "out"
    shutil.rmtree(output, ignore_errors=True)
    run = measure(
        [command, "dedup", corpus, "-o", output, "--quiet", "--cluster", "components", *way]
    )
    manifest = manifest_of(output)
    runs.seconds.append(run.wall)
    runs.cpu.append(run.cpu)
    runs.peak.append(run.peak)
    runs.candidates = manifest["search"]["candidates"]
    timings = manifest["timings"]
    whole = sum(seconds for stage, seconds in timings.items() if stage != "total")
    for phase, (_, stages) in PHASES.items():
        share = sum(timings.get(stage, 0.0) for stage in stages) / whole
        runs.shares.setdefault(phase, []).append(share)


def compare(command: Path, corpus: Path, rounds: int, work: Path) -> dict[str, Runs]:
    truth = find_pairs(command, corpus, WAYS["exact join"], work)
    results = {name: Runs() for name in WAYS}
    for name, way in WAYS.items():
        found = find_pairs(command, corpus, way, work)
        results[name].recall = len(found & truth) / len(truth)
    for _ in range(rounds):
        for name, way in WAYS.items():
            run_once(command, corpus, way, work, results[name])
    return results


def print_costs(results: dict[str, dict[str, Runs]]) -> None:
    print("| corpus | way | seconds | CPU s | peak MB | candidates | recall |")
    print("|---|---|---|---|---|---|---|")
    for corpus, ways in results.items():
        for name, runs in ways.items():
            print(
                f"| `{corpus}` | {name} | {statistics.median(runs.seconds):.2f} "
                f"| {statistics.median(runs.cpu):.2f} | {statistics.median(runs.peak) / 1e6:,.0f} "
                f"| {runs.candidates:,} | {runs.recall:.4f} |"
            )


def print_shares(results: dict[str, dict[str, Runs]]) -> None:
    merges = [name for name in WAYS if name.startswith("merge")]
    columns = [(corpus, name) for corpus in results for name in merges]
    print("\n| phase | 1997 | " + " | ".join(f"`{c}`, {n[7:]}" for c, n in columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    whole = sum(days for days, _ in PHASES.values())
    for phase, (days, _) in PHASES.items():
        shares = [statistics.median(results[c][n].shares[phase]) for c, n in columns]
        cells = " | ".join(f"{share:.0%}" for share in shares)
        print(f"| {phase} | {days / whole:.0%} | {cells} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--corpus", type=Path, nargs="+", default=[ROOT / "tests/data/peps/peps.jsonl.zst"]
    )
    parser.add_argument(
        "--command", type=Path, default=ROOT / "build" / "release" / "bin" / "lookalike"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=Path, help="folder for results; a temporary one without")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-pipelines-") as temporary:
        work = arguments.work or Path(temporary)
        results = {
            corpus.name.split(".")[0]: compare(arguments.command, corpus, arguments.rounds, work)
            for corpus in arguments.corpus
        }
    print_costs(results)
    print_shares(results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
