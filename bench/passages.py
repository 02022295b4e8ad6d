#!/usr/bin/env python3
"""What passages, decontamination, guards and another threshold cost, and what they find.

Prints tables for docs/benchmarks.md. Texts are made of the words of real ones (the licences and
PEPs of the tests, or any file of JSON Lines with a text), with planted passages and items.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown import table
from measured_run import Measured, measure

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))

from benchmark import disturbances  # noqa: E402 - the ten ways of the example

BINARY = ROOT / "build" / "release" / "bin" / "lookalike"
MB = 1_000_000
ITEMS = 20_000
PLANTED = 400


def words_of(path: Path) -> list[str]:
    """The different words of some texts, in an order that is always the same."""
    words: dict[str, None] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            words.update(dict.fromkeys(json.loads(line)["text"].split()))
            if number == 3000:
                break
    return list(words)


def some(draw: random.Random, words: list[str], count: int) -> str:
    return " ".join(draw.choices(words, k=count))


def write_corpus(path: Path, words: list[str], size: int, planted: dict[int, str]) -> None:
    """Documents of 300 to 1,200 words; one in seven paragraphs stands elsewhere as well."""
    draw = random.Random(1)
    pool = [some(draw, words, 90) for _ in range(max(10, size // 40_000))]
    written = 0
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while written < size:
            parts = [
                draw.choice(pool) if draw.random() < 0.15 else some(draw, words, 90)
                for _ in range(draw.randint(3, 12))
            ]
            if number in planted:
                parts.insert(draw.randint(0, len(parts)), planted[number])
            line = json.dumps({"id": str(number), "text": "\n".join(parts)}) + "\n"
            written += file.write(line)
            number += 1


def items_of(draw: random.Random, words: list[str]) -> list[str]:
    """Questions with four choices and an answer on lines, 40 to 80 words each."""
    plain = [word for word in words if word.isalnum()]
    items = []
    for _ in range(ITEMS):
        question = some(draw, plain, draw.randint(20, 50))
        choices = [f"({letter}) {some(draw, plain, 4)}" for letter in "ABCD"]
        items.append("\n".join([f"{question}?", *choices, f"Answer: {draw.choice('ABCD')}"]))
    return items


def repeated(rounds: int, command: list[Any], output: Path) -> Iterator[Measured]:
    for _ in range(rounds):
        shutil.rmtree(output, ignore_errors=True)
        yield measure([BINARY, *map(str, command), "-o", output, "--quiet", "--threads", "1"])


def typical(rounds: int, command: list[Any], output: Path) -> tuple[float, int]:
    """The median of the processor time, and the largest peak."""
    runs = list(repeated(rounds, command, output))
    if any(run.code for run in runs):
        raise SystemExit(f"{command[0]} failed: exit code {max(run.code for run in runs)}")
    return statistics.median(run.cpu for run in runs), max(run.peak for run in runs)


def passages(folder: Path, words: list[str], size: int, rounds: int) -> None:
    corpus = folder / "corpus.jsonl"
    write_corpus(corpus, words, size, {})
    rows = []
    for action in ("report", "cut"):
        cpu, peak = typical(rounds, ["passages", corpus, "--action", action], folder / "passages")
        manifest = json.loads((folder / "passages" / "manifest.json").read_text())
        rows.append(
            [
                f"`passages --action {action}`, {size / MB:,.0f} MB",
                f"{size / MB / cpu:.0f} MB/s",
                f"{peak / MB:.0f} MB",
                f"{manifest['passages']:,} passages, {manifest['places']:,} places",
            ]
        )
    print(table(["what", "a core", "peak", "found"], rows))


def contamination(folder: Path, words: list[str], size: int, rounds: int) -> None:
    draw = random.Random(2)
    items = items_of(draw, words)
    bench = folder / "bench.jsonl"
    with bench.open("w", encoding="utf-8") as file:
        for number, item in enumerate(items):
            file.write(json.dumps({"id": f"q{number}", "text": item}) + "\n")
    kinds = disturbances(draw)
    planted, kind_of = {}, {}
    for at, (number, kind) in enumerate(
        (number, kind) for kind in kinds for number in draw.sample(range(ITEMS), PLANTED)
    ):
        planted[at] = kinds[kind](items[number])
        kind_of[str(at)] = (kind, f"q{number}")
    train = folder / "train.jsonl"
    write_corpus(train, words, size, planted)
    cpu, peak = typical(
        rounds, ["decontaminate", train, "--against", bench], folder / "contamination"
    )
    with (folder / "contamination" / "found.jsonl").open(encoding="utf-8") as lines:
        found = {(row["id"], row["item"]) for row in map(json.loads, lines)}
    print(
        f"\n`decontaminate`, {size / MB:,.0f} MB against {ITEMS:,} items: {size / MB / cpu:.0f} "
        f"MB/s a core, peak {peak / MB:.0f} MB\n"
    )
    rows = []
    for kind in kinds:
        pairs = [(at, item) for at, (own, item) in kind_of.items() if own == kind]
        rows.append([kind.replace("_", " "), f"{sum(pair in found for pair in pairs) / len(pairs):.4f}"])
    print(table(["disturbance", f"found of {PLANTED}"], rows))


def guards(folder: Path, rounds: int) -> None:
    corpus = folder / "corpus.jsonl"
    alone, _ = typical(rounds, ["dedup", corpus], folder / "dedup")
    rows = []
    for option in (
        ["--differ", "numbers"],
        ["--differ", "dates"],
        ["--differ", r"regex:[A-Z]+-\d+"],
    ):
        cpu, _ = typical(rounds, ["dedup", corpus, *option], folder / "guarded")
        rows.append([" ".join(option), f"{cpu / alone:.2f}"])
    print("\n" + table(["guard", "`dedup` without = 1"], rows))


def rethreshold(folder: Path, rounds: int) -> None:
    low = folder / "low"
    for _ in repeated(1, ["dedup", folder / "corpus.jsonl", "--threshold", "0.7"], low):
        pass
    again, _ = typical(rounds, ["rethreshold", low, "--threshold", "0.8"], folder / "again")
    copied = []
    for _ in range(rounds):
        shutil.rmtree(folder / "copy", ignore_errors=True)
        copied.append(measure(["cp", "-r", folder / "again", folder / "copy"]).cpu)
    print(
        f"\n`rethreshold`: {again:.2f} s of processor time, "
        f"{again / max(0.01, statistics.median(copied)):.1f} times `cp -r` of its result"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, required=True, help="JSON Lines with real texts")
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--train-megabytes", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    words = words_of(arguments.texts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        passages(folder, words, arguments.megabytes * MB, arguments.rounds)
        guards(folder, arguments.rounds)
        rethreshold(folder, arguments.rounds)
        (folder / "corpus.jsonl").unlink()
        contamination(folder, words, arguments.train_megabytes * MB, arguments.rounds)


if __name__ == "__main__":
    main()
