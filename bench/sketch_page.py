#!/usr/bin/env python3
"""Writes the measured parts of docs/sketches.md: what kinds of sketch cost, and how they scatter.

    sketch_page.py costs [--rounds 5]     runs bench_sketches (`make bench-costs`)
    sketch_page.py accuracy GRID.tsv      what LOOKALIKE_GRID_FILE=GRID.tsv LOOKALIKE_GRID_WORK=3
                                          core_tests --gtest_also_run_disabled_tests
                                          --gtest_filter='*FullGrid*' wrote

Each writes its section of the page, `accuracy` also docs/images/sketch-*.svg.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from line_chart import Chart, Panel, Series
from markdown import table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "sketches.md"
# As in tests/statistical/sketch_pairs.h.
RANDOM, HASHED_RUNS, RUNS, GRID, HASHED_GRID = range(5)
INPUTS = {RANDOM: "random", RUNS: "runs of numbers", GRID: "grids"}
INDEPENDENT = ("permutations:K:mixer", "permutations:K:mixed-tabulation", "geometric:K", "biased:K")


@dataclass
class Cell:
    """A line of the grid; tests/statistical/sketch_grid.h says what is in it."""

    sketch: str
    source: int
    features: int
    resemblance: float
    trials: float
    bias: float
    bias_error: float
    variance: float
    variance_error: float

    @property
    def parameter(self) -> int:
        return int(self.sketch.split(":")[1])

    @property
    def kind(self) -> str:
        """The name without its parameter: permutations:K:linear."""
        parts = self.sketch.split(":")
        letter = {"mod-m": "M", "fracminhash": "S"}.get(parts[0], "K")
        return ":".join([parts[0], letter, *parts[2:]])

    @property
    def alike(self) -> bool:
        return self.resemblance > 0.55


def read_grid(path: Path) -> list[Cell]:
    cells = []
    for line in path.read_text(encoding="ascii").splitlines():
        sketch, source, features, *numbers = line.split("\t")
        cells.append(Cell(sketch, int(source), int(features), *map(float, numbers)))
    return cells


def write_section(name: str, text: str) -> None:
    """Puts a text between the two comments of its name."""
    begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        sys.exit(f"{PAGE}: no section {name}; put the two comments where it belongs")
    PAGE.write_text(head + begin + text + end + tail, encoding="utf-8")


# --- accuracy ----------------------------------------------------------------------------------


def by_kind(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    kinds: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        kinds[cell.kind].append(cell)
    return kinds


def bias_range(cells: list[Cell]) -> str:
    """None where no cell passes 4 standard errors, else the least and the greatest that do."""
    real = [cell.bias for cell in cells if abs(cell.bias) > 4 * cell.bias_error]
    if not real:
        return "none"
    least, most = min(*real, 0), max(*real, 0)
    return f"{least:+.3f} to {most:+.3f}"


def variance_range(cells: list[Cell]) -> str:
    """Of cells whose variance is known to 4 %."""
    known = [cell.variance for cell in cells if cell.variance_error < 0.04 * cell.variance]
    return f"{min(known):.2f} to {max(known):.2f}" if known else "-"


def accuracy_table(cells: list[Cell]) -> str:
    rows = []
    for kind, mine in by_kind(cells).items():
        row = [f"`{kind}`", str(len(mine))]
        unstructured = [c for c in mine if c.source in (RANDOM, HASHED_RUNS, HASHED_GRID)]
        worst = max(abs(c.bias) / c.bias_error for c in unstructured if c.bias_error > 0)
        row += [bias_range(unstructured), f"{worst:.1f}", variance_range(unstructured)]
        for source in (RUNS, GRID):
            raw = [c for c in mine if c.source == source]
            row.append(bias_range(raw) if raw else "hash them first")
        rows.append(row)
    return table(
        ["sketch", "cells", "bias on hashes", "largest, in standard errors", "variance",
         "bias on runs of numbers", "bias on grids"], rows,
    )  # fmt: skip


def series(name: str, cells: Iterable[Cell], value: Callable[[Cell], tuple[float, float]]) -> Series:
    """One point a number of features, the mean of all cells of it."""
    of_size: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for cell in cells:
        of_size[cell.features].append(value(cell))
    points = []
    for size, values in sorted(of_size.items()):
        mean = sum(v for v, _ in values) / len(values)
        error = math.sqrt(sum(e * e for _, e in values)) / len(values)
        points.append((math.log10(size), mean, error))
    return Series(name, points)


def variance_chart(cells: list[Cell], coordinates: int) -> Chart:
    def of(*kinds: str) -> list[Cell]:
        return [c for c in cells if c.kind in kinds and c.source == RANDOM and c.alike
                and c.parameter == coordinates]  # fmt: skip

    def variance(cell: Cell) -> tuple[float, float]:
        return cell.variance, cell.variance_error

    lines = [
        series("fss", of("fss:K"), variance),
        series("one-permutation", of("one-permutation:K"), variance),
        series("one-permutation, bins", of("one-permutation:K:bins"), variance),
        series("one-permutation, densified", of("one-permutation:K:densified"), variance),
        series("permutations", of("permutations:K"), variance),
        series("mixer, mixed tabulation, geometric, biased", of(*INDEPENDENT), variance),
    ]
    panel = Panel(f"Variance, J (1 - J) / {coordinates} = 1; cut off at 2", lines, (0, 2))
    return Chart([panel], "features of a set", f"J .8, {coordinates} coordinates, random features")


def bias_chart(cells: list[Cell]) -> Chart:
    kinds = {"mixer": "permutations:K:mixer", "linear": "permutations:K:linear",
             "universal": "permutations:K:universal", "matrix": "permutations:K:matrix",
             "tabulation": "permutations:K:tabulation", "lead-byte": "lead-byte:K"}  # fmt: skip
    panels = []
    for source in (RUNS, GRID):
        lines = [
            series(name, [c for c in cells if c.kind == kind and c.source == source and c.alike
                          and c.parameter == 1024], lambda c: (c.bias, c.bias_error))
            for name, kind in kinds.items()
        ]  # fmt: skip
        panels.append(Panel(f"Bias on {INPUTS[source]}", lines, (-0.06, 0.02)))
    return Chart(panels, "features of a set", "J .8, mean of 1024 functions")


def write_accuracy(path: Path) -> None:
    cells = read_grid(path)
    images = ROOT / "docs" / "images"
    (images / "sketch-variance.svg").write_text(variance_chart(cells, 256).svg(), encoding="utf-8")
    (images / "sketch-bias.svg").write_text(bias_chart(cells).svg(), encoding="utf-8")
    write_section("accuracy", accuracy_table(cells))


# --- costs -------------------------------------------------------------------------------------


def shown(nanoseconds: str) -> str:
    value = float(nanoseconds)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def write_costs(program: Path, rounds: int) -> None:
    said = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True).stdout
    lines = [line.split("\t") for line in said.splitlines() if not line.startswith("#")]
    version = next(line[2:] for line in said.splitlines() if line.startswith("#"))
    sketches: dict[str, dict[int, tuple[str, str]]] = defaultdict(dict)
    shingles = []
    for what, name, features, nanoseconds, last in lines:
        if what == "sketch":
            sketches[name][int(features)] = (shown(nanoseconds), f"{int(last):,}")
        else:
            shingles.append([f"`{name}`", shown(nanoseconds), last])
    sizes = sorted(next(iter(sketches.values())))
    rows = []
    for name, costs in sketches.items():
        small, large = costs[sizes[0]][1], costs[sizes[-1]][1]
        stored = small if small == large else f"{small} to {large}"
        rows.append([f"`{name}`", *(costs[size][0] for size in sizes), stored])
    load = os.getloadavg()[0]
    write_section(
        "costs",
        f"Medians of {rounds} interleaved rounds of CPU time on one thread, {version}; the load of "
        f"the machine was {load:.1f} at the end.\n\nNanoseconds a feature, by the features of a "
        "document, and bytes of a stored sketch:\n\n"
        + table(["sketch", *(f"{size:,}" for size in sizes), "bytes"], rows)
        + "\nNanoseconds a feature from text, and megabytes of text a second:\n\n"
        + table(["features", "ns", "MB/s"], shingles),
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    costs = commands.add_parser("costs")
    costs.add_argument("--rounds", type=int, default=5)
    costs.add_argument("--program", type=Path, default=ROOT / "build/release/bin/bench_sketches")
    accuracy = commands.add_parser("accuracy")
    accuracy.add_argument("grid", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "costs":
        write_costs(arguments.program, arguments.rounds)
    else:
        write_accuracy(arguments.grid)
    return 0


if __name__ == "__main__":
    sys.exit(main())
