#!/usr/bin/env python3
"""Compares the kinds of sketch, in accuracy and in speed, with `dedup` and `pairs` from end to end.

    sketch_choice.py [--corpus FILE.jsonl [--truth TRUTH.tsv]] [--rounds 5] [--isas avx512,avx2]

`make bench-sketches`. Runs on the small corpus of `make bench` (or another) and on one of short
documents, 16 to 56 features each; both are made below --work where they are missing. In a round every kind runs on every
instruction set, with the round's number as --seed and one thread pinned to one core; the order
turns from round to round. CPU is user and system time; ratios are taken round by round. The bytes
of a result may not depend on the instruction set: that ends the run. The exact truth is that of
bench_truth.
Prints Markdown tables; docs/decisions/0012-sketch.md has those of one machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import corpus as corpora
import make_corpora
from comparison_table import Spread
from markdown import table
from measured_run import digest, manifest_of, measure, warm
from scoring import THRESHOLD, Pair, Truth, load_truth, read_pairs, score_pairs

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("fss", "permutations", "one-permutation")
DESIGN = "overlapping:128:8:32"
BINS = (0.80, 0.81, 0.83, 0.87, 1.01)
COMMANDS = ("dedup", "pairs")
# Decimals of the truth: a value of 0.81 may be written for one just below.
ROUNDING = 5e-7


class Difference(Exception):
    """Two instruction sets gave different results."""


@dataclass
class Corpus:
    """Documents with the truth about them, and what the runs on them gave."""

    name: str
    path: Path
    truth: Truth
    cpu: dict[tuple[str, str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    candidates: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    found: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    wrong: Counter[str] = field(default_factory=Counter)
    digests: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def bin_of(self, pair: Pair) -> int:
        value = self.truth.pairs[pair] + ROUNDING
        return next(i for i in range(len(BINS) - 1) if value < BINS[i + 1])

    def bin_sizes(self) -> Counter[int]:
        return Counter(map(self.bin_of, self.truth.true_pairs()))


@dataclass
class Setting:
    """Where and how to run."""

    programs: Path
    work: Path
    isas: list[str]
    cpu: str


def run_once(setting: Setting, corpus: Corpus, words: tuple[str, str, str], seed: int) -> None:
    """One run of (command, instruction set, kind); its figures go to the corpus."""
    command, isa, kind = words
    place = setting.work / "sketch-run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    output = place / ("out.jsonl" if command == "pairs" else "out")
    warm(corpus.path)
    run = measure(
        ["env", f"LOOKALIKE_ISA={isa}", setting.programs / "lookalike", command, corpus.path,
         "-o", output, "--quiet", "--threads", "1", "--threshold", str(THRESHOLD),
         "--design", DESIGN, "--sketch", f"{kind}:128", "--seed", str(seed)],
        None, setting.cpu,
    )  # fmt: skip
    corpus.cpu[words].append(run.cpu)
    result = digest(output if command == "dedup" else place)
    if corpus.digests.setdefault((command, kind, seed), result) != result:
        raise Difference(f"{command} --sketch {kind} --seed {seed}: {isa} gives another result")
    if isa == setting.isas[0]:
        take_result(corpus, command, kind, output)


def take_result(corpus: Corpus, command: str, kind: str, output: Path) -> None:
    """What was found does not depend on the instruction set: taken of the first one."""
    if command == "dedup":
        corpus.candidates[kind].append(manifest_of(output)["search"]["candidates"])
        return
    said = read_pairs(corpus.truth, output)
    corpus.found[kind].update(map(corpus.bin_of, said & corpus.truth.true_pairs()))
    corpus.wrong[kind] += round(len(said) * (1 - (score_pairs(corpus.truth, said).precision or 0)))


def run_all(setting: Setting, corpora: list[Corpus], rounds: int) -> None:
    for number in range(rounds):
        turn = number % len(KINDS)
        for corpus in corpora:
            for command in COMMANDS:
                for isa in setting.isas:
                    for kind in KINDS[turn:] + KINDS[:turn]:
                        run_once(setting, corpus, (command, isa, kind), number)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)


def speed_table(setting: Setting, corpora: list[Corpus]) -> str:
    rows = []
    for corpus in corpora:
        for command in COMMANDS:
            for isa in setting.isas:
                row = [corpus.name, command, isa]
                base = corpus.cpu[command, isa, KINDS[0]]
                for kind in KINDS:
                    mine = corpus.cpu[command, isa, kind]
                    row.append(f"{statistics.median(mine):.3f}")
                    if kind != KINDS[0]:
                        row.append(Spread.of([a / b for a, b in zip(mine, base)]).show(2))
                rows.append(row)
    kinds = [cell for kind in KINDS for cell in ([kind, "to fss"] if kind != "fss" else [kind])]
    return table(["corpus", "command", "instruction set", *kinds], rows)


def accuracy_table(corpora: list[Corpus], rounds: int) -> str:
    rows = []
    for corpus in corpora:
        sizes = corpus.bin_sizes()
        shares = [str(sizes[i]) for i in range(len(BINS) - 1)]
        rows.append([corpus.name, "pairs in truth", *shares, str(sum(sizes.values())), "", ""])
        for kind in KINDS:
            found = corpus.found[kind]
            cells = [f"{found[i] / max(1, rounds * sizes[i]):.4f}" for i in range(len(BINS) - 1)]
            whole = sum(found.values()) / max(1, rounds * sum(sizes.values()))
            candidates = statistics.mean(corpus.candidates[kind])
            rows.append([corpus.name, kind, *cells, f"{whole:.5f}", f"{candidates:,.0f}",
                         str(corpus.wrong[kind])])  # fmt: skip
    bins = [f"J {low:.2f}-{min(1.0, high):.2f}" for low, high in zip(BINS, BINS[1:])]
    return table(["corpus", "sketch", *bins, "all", "candidates of dedup", "wrong pairs"], rows)


def kernel_table(setting: Setting) -> str:
    """Nanoseconds a feature; medians of interleaved repetitions."""
    wanted = f"^({'|'.join(setting.isas)})/Sketch/.*:128/"
    said = subprocess.run(
        [setting.programs / "bench_kernels", f"--benchmark_filter={wanted}",
         "--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true",
         "--benchmark_min_time=0.05", "--benchmark_report_aggregates_only=true",
         "--benchmark_format=json"], check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    cost: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for line in json.loads(said)["benchmarks"]:
        if line["aggregate_name"] == "median":
            isa, _, kind, features = line["run_name"].split("/")
            cost[kind.split(":")[0], isa][int(features.split("_")[0])] = 8e9 / line[
                "bytes_per_second"
            ]
    sizes = sorted(next(iter(cost.values())))
    rows = [[kind, isa, *(f"{cost[kind, isa][size]:.2f}" for size in sizes)]
            for kind in KINDS for isa in setting.isas]  # fmt: skip
    return table(["sketch", "instruction set", *(f"{size} features" for size in sizes)], rows)


def scatter_table(setting: Setting) -> str:
    """Standard deviation of the share of equal coordinates, binomial = 1."""
    program = setting.programs / "bench_sketch_accuracy"
    said = subprocess.run([program, "40000"], check=True, capture_output=True, text=True).stdout
    cells: dict[str, list[str]] = defaultdict(list)
    head = []
    for line in said.splitlines()[1:]:
        kind, size, resemblance, bias, error, ratio = line.split("\t")
        cells[kind].append(ratio[:5])
        if abs(float(bias)) > 4.5 * float(error):
            raise Difference(f"{kind} is biased: {line}")
        if kind == KINDS[0]:
            head.append(f"{size} features, J {float(resemblance):.2f}")
    return table(["sketch", *head], [[kind, *cells[kind]] for kind in KINDS])


def short_corpus(setting: Setting, documents: int) -> Path:
    path = setting.work / f"sentences-{documents}.jsonl"
    if not path.exists():
        print(f"making {path.name}", file=sys.stderr, flush=True)
        make_corpora.write("sentences", documents, path.with_suffix(".new"))
        path.with_suffix(".new").rename(path)
    return path


def with_truth(setting: Setting, name: str, path: Path, truth: Path | None = None) -> Corpus:
    truth = truth or setting.work / (path.stem + ".truth.tsv")
    if not truth.exists():
        print(f"joining {path.name} exactly", file=sys.stderr, flush=True)
        subprocess.run([setting.programs / "bench_truth", path, truth], check=True)
    return Corpus(name, path, load_truth(truth))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--truth", type=Path, help="with FILE.docs, as bench_truth writes them")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--work", type=Path, default=ROOT / "build/bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--isas", default="avx512,avx2")
    parser.add_argument("--short", type=int, default=200_000, help="short documents")
    parser.add_argument("--cpu", default=str((os.cpu_count() or 1) - 1), help="for taskset")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    setting = Setting(arguments.programs, arguments.work, arguments.isas.split(","), arguments.cpu)
    source = arguments.corpus or arguments.work / "small.jsonl"
    if not source.exists():
        corpora.make(source, "small", arguments.work)
    both = [
        with_truth(setting, "long", source, arguments.truth),
        with_truth(setting, "short", short_corpus(setting, arguments.short)),
    ]
    print("Scatter, binomial = 1\n\n" + scatter_table(setting), flush=True)
    print("Nanoseconds a feature\n\n" + kernel_table(setting), flush=True)
    run_all(setting, both, arguments.rounds)
    print("Recall\n\n" + accuracy_table(both, arguments.rounds))
    print("CPU seconds\n\n" + speed_table(setting, both))
    return 0


if __name__ == "__main__":
    sys.exit(main())
