#!/usr/bin/env python3
"""Measures `pairs --distance` and `nearest --distance` against comparing all pairs.

    distances.py [--points 100000] [--dimensions 2,16,128] [--pairs 10000,100000,1000000]
                 [--distances l1,l2,...] [--nearest l2,cosine] [--docs FILE]

Points: a tenth are drawn from the normal law (hamming: each number one of ten); the others are
noisy copies of them, with noise between 0.02 and 0.3 of the spread (hamming: with 1 to a quarter of
their numbers drawn anew). --within is the distance that about so many --pairs are within, by 200
points compared with all. Each way's pairs are counted against those of `--design all`, which runs
once, for the most pairs. It prints a table and, with --docs, writes it between the marks of that
page.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from comparison_table import replace_between_markers
from markdown import table

ROOT = Path(__file__).resolve().parent.parent
DISTANCES = ("l1", "l2", "cosine", "angular", "hamming")


def make_points(count: int, dimension: int, *, whole: bool) -> np.ndarray:
    """Clusters of ten on average."""
    random = np.random.default_rng(7)
    shape = (count, dimension)
    points = random.integers(0, 10, shape).astype(float) if whole else random.normal(size=shape)
    centres = count // 10
    of = random.integers(0, centres, count - centres)
    if whole:
        changed = random.integers(1, max(2, dimension // 4 + 1), count - centres)
        keep = random.random((count - centres, dimension)).argsort(axis=1) >= changed[:, None]
        points[centres:] = np.where(keep, points[of], points[centres:])
    else:
        noise = random.uniform(0.02, 0.3, (count - centres, 1))
        points[centres:] = points[of] + noise * points[centres:]
    return points


def distances(name: str, points: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Of some points with all, in numpy: to choose a range by."""
    if name in ("cosine", "angular"):
        unit = points / np.linalg.norm(points, axis=1)[:, None]
        cosine = np.clip(unit[some] @ unit.T, -1, 1)
        return 1 - cosine if name == "cosine" else np.arccos(cosine) / math.pi
    rows = []
    for i in some:
        difference = points - points[i]
        rows.append({
            "l1": lambda x: np.abs(x).sum(axis=1),
            "l2": lambda x: np.sqrt((x * x).sum(axis=1)),
            "hamming": lambda x: (x != 0).sum(axis=1),
        }[name](difference))  # fmt: skip
    return np.array(rows, dtype=float)


def range_of(name: str, points: np.ndarray, pairs: int) -> float:
    """The distance that about so many pairs are within."""
    random = np.random.default_rng(11)
    some = random.choice(len(points), 200, replace=False)
    found = distances(name, points, some)
    found[np.arange(200), some] = np.inf
    rank = max(1, round(2 * pairs * 200 / len(points)))
    within = float(np.partition(found.ravel(), rank)[rank])
    return within if name == "hamming" else float(f"{within:.3g}")


class Bench:
    """Runs the command on one file of points."""

    def __init__(self, binary: str, work: Path) -> None:
        self.binary, self.work = binary, work

    def run(self, command: str, *options: str) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
        output = self.work / "out.jsonl"
        words = [self.binary, command, str(self.work / "points.parquet"), "-o", str(output),
                 "--json", *options]  # fmt: skip
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")
        with output.open() as lines:
            rows = [tuple(json.loads(line).values()) for line in lines]
        return json.loads(done.stdout), rows


def measure_range(
    bench: Bench, name: str, within: float, truth: list[tuple[Any, ...]]
) -> list[str]:
    """Cells of a row behind its range: pairs, then of each way design, time, recall, false pairs.

    `truth` holds all pairs within that distance, or a larger one. Keys are not tried where
    comparing all was predicted to be cheaper: they may take several times as long.
    """
    known = {row for row in truth if row[2] <= within}
    cells = [f"{len(known):,}"]
    for method in ("auto", "lsh"):
        if cells[1:2] == ["all"]:
            cells += ["-"] * 4
            continue
        summary, rows = bench.run(
            "pairs", "--distance", name, "--within", repr(within), "--method", method
        )
        found = set(rows)
        recall = len(found & known) / max(1, len(known))
        cells += [summary["design"], f"{summary['cpu_seconds']:.1f}", f"{recall:.4f}",
                  str(len(found - known))]  # fmt: skip
    return cells


def measure_pairs(bench: Bench, name: str, ranges: list[float]) -> list[list[str]]:
    """A row for each range, with the time that all pairs take for the largest."""
    options = ("--distance", name, "--within", repr(max(ranges)))
    brute, truth = bench.run("pairs", *options, "--design", "all")
    rows = []
    for within in ranges:
        cells = measure_range(bench, name, within, truth)
        rows.append([f"{within:.4g}", cells[0], f"{brute['cpu_seconds']:.1f}", *cells[1:]])
    return rows


def measure_nearest(bench: Bench, name: str) -> list[str]:
    """Cells of a row: time of all, then design, time and recall."""
    brute, truth = bench.run("nearest", "--distance", name, "--top", "10", "--method", "exact")
    summary, rows = bench.run("nearest", "--distance", name, "--top", "10")
    farthest = {row[0]: row[3] for row in truth}
    found = sum(row[3] <= farthest[row[0]] for row in rows)
    return [f"{brute['cpu_seconds']:.1f}", summary["design"], f"{summary['cpu_seconds']:.1f}",
            f"{found / len(truth):.4f}"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--dimensions", default="2,16,128")
    parser.add_argument("--pairs", default="10000,100000,1000000")
    parser.add_argument("--distances", default=",".join(DISTANCES))
    parser.add_argument("--nearest", default="l2,cosine", help="distances for nearest")
    parser.add_argument("--docs", type=Path)
    arguments = parser.parse_args()
    binary = os.environ.get("LOOKALIKE_BINARY", str(ROOT / "build/release/bin/lookalike"))
    pairs, nearest = [], []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(binary, Path(folder))
        for dimension in map(int, arguments.dimensions.split(",")):
            for name in arguments.distances.split(","):
                if name == "hamming" and dimension < 4:
                    continue
                points = make_points(arguments.points, dimension, whole=name == "hamming")
                flat = pa.FixedSizeListArray.from_arrays(pa.array(points.ravel()), dimension)
                ids = pa.array([str(i) for i in range(len(points))])
                pq.write_table(pa.table({"id": ids, "vector": flat}), bench.work / "points.parquet")
                counts = map(int, arguments.pairs.split(","))
                ranges = sorted({range_of(name, points, count) for count in counts})
                front = [str(dimension), name]
                for row in measure_pairs(bench, name, ranges):
                    pairs.append(front + row)
                    print(pairs[-1], flush=True)
                if name in arguments.nearest.split(","):
                    nearest.append(front + measure_nearest(bench, name))
                    print(nearest[-1], flush=True)
    text = table(["numbers", "distance", "within", "pairs", "all: CPU s", "auto", "CPU s", "recall",
                  "false", "lsh", "CPU s", "recall", "false"], pairs)  # fmt: skip
    head = ["numbers", "distance", "all: CPU s", "auto", "CPU s", "recall"]
    text += "\n" + table(head, nearest)
    print(text)
    if arguments.docs:
        page = arguments.docs.read_text(encoding="utf-8")
        page = replace_between_markers(page, text, "distances")
        arguments.docs.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
