#!/usr/bin/env python3
"""Holds what `lookalike plan` and the manifest predict against what runs found and cost.

    plan_accuracy.py CORPUS... [--thresholds .5,.7,.8,.9] [--memory 64M] [--rounds 1]
    plan_accuracy.py CORPUS... --choice      the chosen design against all others
    plan_accuracy.py --mixed 5000000         a synthetic corpus, made first (zstd, in two files)

A CORPUS is a file, or NAME=FILE, FILE... may be compressed. Of each corpus and threshold it prints
predicted / measured: pairs and recall (those of `pairs`, unless --no-pairs), candidates, CPU time, peak
memory and scratch of `dedup`; and the same of the manifest's own prediction. At the end
the geometric mean of measured / predicted CPU time: the factor by which the costs of
src/plan/costs.h would fit this machine. Runs are pinned to one core.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
COLUMNS = ("pairs", "recall", "candidates", "CPU", "memory", "scratch")


@dataclass
class Corpus:
    """Inputs of a run."""

    name: str
    files: list[str]


@dataclass
class Bench:
    """How runs are made."""

    binary: str
    work: Path
    options: list[str]
    rounds: int
    cpu: str

    def run(self, *words: str) -> str:
        command = ["taskset", "-c", self.cpu, self.binary, *words, *self.options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def plan(self, corpus: Corpus, *options: str) -> dict[str, Any]:
        return json.loads(self.run("plan", *corpus.files, "--json", "--quiet", *options))

    def dedup(self, corpus: Corpus, *options: str) -> dict[str, Any]:
        """The manifest; its CPU time is the median of the rounds."""
        output = self.work / "result"
        seconds = []
        for _ in range(self.rounds):
            shutil.rmtree(output, ignore_errors=True)
            self.run("dedup", *corpus.files, "-o", str(output), "--quiet", *options)
            manifest = json.loads((output / "manifest.json").read_text(encoding="utf-8"))
            seconds.append(manifest["cpu_seconds"])
        shutil.rmtree(output, ignore_errors=True)
        return manifest | {"cpu_seconds": statistics.median(seconds)}

    def pairs(self, corpus: Corpus, *options: str) -> dict[str, Any]:
        """What `pairs` told."""
        output = self.work / "pairs.jsonl"
        told = self.run("pairs", *corpus.files, "-o", str(output), "--json", "--yes", *options)
        output.unlink(missing_ok=True)
        return json.loads(told)


def ratio(predicted: float | None, measured: float | None) -> float | None:
    """predicted / measured; 1 where both are nothing, None where one of them is not known."""
    if predicted is None or measured is None:
        return None
    if measured == 0:
        return 1.0 if predicted == 0 else math.inf
    return predicted / measured


def measured_of(manifest: dict[str, Any], found: dict[str, Any] | None) -> dict[str, float | None]:
    """What a run found and cost, by column."""
    return {
        "pairs": found and found["pairs"],
        "recall": found and found["recall"]["estimate"],
        "candidates": manifest["search"]["candidates"],
        "CPU": manifest["cpu_seconds"],
        "memory": manifest["peak_memory_bytes"],
        "scratch": manifest["peak_scratch_bytes"],
    }


def planned_of(plan: dict[str, Any]) -> dict[str, float | None]:
    """What `plan` says, by column. Of its pairs a run finds those that its recall lets it."""
    return {
        "pairs": plan["pairs"] * plan["recall"],
        "recall": plan["recall"],
        "candidates": plan["candidates"],
        "CPU": plan["seconds"],
        "memory": plan["memory_bytes"],
        "scratch": plan["disk_bytes"],
    }


def expected_of(manifest: dict[str, Any]) -> dict[str, float | None]:
    """What a manifest says was predicted, by column."""
    predicted = manifest["predicted"]
    pairs, recall = predicted["pairs"], predicted["recall"]
    return {
        "pairs": None if pairs is None else pairs * recall,
        "recall": recall,
        "candidates": predicted["candidates"],
        "CPU": predicted["cpu_seconds"],
        "memory": predicted["peak_memory_bytes"],
        "scratch": predicted["peak_scratch_bytes"],
    }


def show(value: float | None) -> str:
    return "" if value is None else "inf" if value == math.inf else f"{value:.2f}"


def table_row(name: str, predicted: dict[str, Any], measured: dict[str, Any]) -> str:
    cells = [show(ratio(predicted[column], measured[column])) for column in COLUMNS]
    return "| " + " | ".join([name, *cells]) + " |"


def accuracy(bench: Bench, corpora: list[Corpus], thresholds: list[str], pairs: bool) -> None:
    """Prints a line for each corpus and threshold."""
    print("| run | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (1 + len(COLUMNS)))
    factors = []
    for corpus in corpora:
        for threshold in thresholds:
            options = ("--threshold", threshold)
            plan = bench.plan(corpus, *options)
            manifest = bench.dedup(corpus, *options)
            found = bench.pairs(corpus, *options) if pairs else None
            measured, planned = measured_of(manifest, found), planned_of(plan)
            name = f"{corpus.name} at {threshold}"
            print(table_row(f"{name}: plan", planned, measured))
            print(table_row(f"{name}: manifest", expected_of(manifest), measured), flush=True)
            factors.append(math.log(manifest["cpu_seconds"] / plan["seconds"]))
    if factors:
        mean, spread = math.exp(statistics.fmean(factors)), math.exp(statistics.pstdev(factors))
        print(f"\nmeasured / predicted CPU time: {mean:.2f}, times or divided by {spread:.2f}")


def choices(plan: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """All searches of a plan, and the options that ask for them."""
    for search in plan["searches"]:
        design = search["design"]
        yield design, ["--method", "exact"] if design == "exact" else ["--design", design]


def choice(bench: Bench, corpora: list[Corpus], thresholds: list[str]) -> None:
    """Prints what other designs than the chosen one would have cost."""
    print("| run | chosen | s | best | s | chosen / best |\n|---|---|---|---|---|---|")
    for corpus in corpora:
        for threshold in thresholds:
            plan = bench.plan(corpus, "--threshold", threshold)
            seconds = {
                design: bench.dedup(corpus, "--threshold", threshold, *options)["cpu_seconds"]
                for design, options in choices(plan)
            }
            chosen, best = plan["design"], min(seconds, key=seconds.__getitem__)
            print(
                f"| {corpus.name} at {threshold} | {chosen} | {seconds[chosen]:.2f} | {best} "
                f"| {seconds[best]:.2f} | {seconds[chosen] / seconds[best]:.2f} |",
                flush=True,
            )


def make_mixed(documents: int, work: Path) -> Corpus:
    """The synthetic corpus `mixed` of so many documents, unless it is there already."""
    files = [work / f"mixed-{documents}-{part}.jsonl.zst" for part in (1, 2)]
    for part, file in enumerate(files, 1):
        if file.exists():
            continue
        made = [sys.executable, str(HERE / "make_corpora.py"), "mixed", str(documents),
                "/dev/stdout", "--part", f"{part}/2"]  # fmt: skip
        half = file.with_suffix(".half")
        with subprocess.Popen(made, stdout=subprocess.PIPE) as maker:
            subprocess.run(["zstd", "-1qfo", str(half)], stdin=maker.stdout, check=True)
        if maker.returncode != 0:
            raise SystemExit(f"{file}: could not be made")
        half.rename(file)
    return Corpus(f"mixed, {documents:,}", [str(file) for file in files])


def corpus_of(word: str) -> Corpus:
    name, separator, file = word.partition("=")
    if not separator:
        name, file = Path(word).name.partition(".")[0], word
    return Corpus(name, file.split(","))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", type=corpus_of)
    parser.add_argument("--thresholds", default=".5,.7,.8,.9")
    parser.add_argument("--mixed", type=int, help="also the corpus `mixed` of so many documents")
    parser.add_argument("--choice", action="store_true")
    parser.add_argument("--no-pairs", action="store_true", help="leave the command `pairs` out")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--options", default="", help="of the command, for all runs")
    parser.add_argument("--binary", default=str(ROOT / "build/release/bin/lookalike"))
    parser.add_argument("--work", type=Path, default=ROOT / "build/bench/plan")
    parser.add_argument("--cpu", default=str(max(os.sched_getaffinity(0))))
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.binary, given.work, given.options.split(), given.rounds, given.cpu)
    corpora = given.corpora
    if given.mixed:
        corpora.append(make_mixed(given.mixed, given.work))
    thresholds = given.thresholds.split(",")
    if given.choice:
        choice(bench, corpora, thresholds)
    else:
        accuracy(bench, corpora, thresholds, not given.no_pairs)


if __name__ == "__main__":
    main()
