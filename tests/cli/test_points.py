"""Points, series and URLs through the command, against sets of cells made another way.

Cells are enumerated here in exact numbers, out of all of a box around the point; pairs are found
by counting common cells of all pairs.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

Cell = tuple[int, ...]


def ball(point: list[str], radius: str, width: str) -> frozenset[Cell]:
    """The cells whose centres are within the radius; of opposite ones at the radius the lower."""
    numbers = [Fraction(number) for number in (*point, radius, width)]
    scale = 2 * math.lcm(*(number.denominator for number in numbers))
    *x, r, w = (int(number * scale) for number in numbers)  # and w is even
    sides = [range((c - r) // w - 1, (c + r) // w + 2) for c in x]
    cells = set()
    for cell in itertools.product(*sides):
        away = [k * w + w // 2 - c for k, c in zip(cell, x)]
        square = sum(each * each for each in away)
        first = next((each for each in away if each), 0)
        if square < r * r or (square == r * r and first < 0):
            cells.add(cell)
    return frozenset(cells)


def pairs_of(sets: list[frozenset[Cell]], threshold: float) -> Iterator[tuple[int, int, int]]:
    """All pairs at the threshold, with their common cells."""
    members: dict[Cell, list[int]] = {}
    for i, cells in enumerate(sets):
        for cell in cells:
            members.setdefault(cell, []).append(i)
    common: Counter[tuple[int, int]] = Counter()
    for group in members.values():
        common.update(itertools.combinations(group, 2))
    for (a, b), count in sorted(common.items()):
        if count / (len(sets[a]) + len(sets[b]) - count) >= threshold:
            yield a, b, count


def found_pairs(path: Path) -> dict[tuple[int, int], dict]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {(int(line["a"]), int(line["b"])): line for line in lines}


@pytest.mark.parametrize(
    ("dimension", "rule", "threshold"),
    [(1, "5,1", 0.3), (1, "3,0.25", 0.6), (2, "5,1", 0.5), (2, "2.5,0.5", 0.3), (3, "3,1", 0.4)],
)
def test_pairs_of_points_are_those_of_the_brute_force(
    run: Callable, write_jsonl: Callable, tmp_path: Path, dimension: int, rule: str, threshold: float
) -> None:
    """Quarters, so that many centres are at exactly the radius, in every way to write a point."""
    chance = random.Random(dimension)
    radius, width = rule.split(",")
    side = {1: 4000, 2: 160, 3: 25}[dimension]
    points = [
        [str(Fraction(chance.randrange(4 * side), 4) + 0.0) for _ in range(dimension)]
        for _ in range(400)
    ]
    forms = ["{}", "[{}]", " {} \n", "[[{}]]", "{};"]
    glue = [" ", ",", "\x1e", ", ", "\t"]
    texts = [chance.choice(forms).format(chance.choice(glue).join(point)) for point in points]
    write_jsonl("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
    options = ["--shingle", f"point:{rule}", "--threshold", str(threshold), "--quiet"]
    run("pairs", "in.jsonl", "-o", "exact.jsonl", "--method", "exact", *options)
    expected = {
        (a, b): count
        for a, b, count in pairs_of([ball(point, radius, width) for point in points], threshold)
    }
    assert len(expected) > 20
    found = found_pairs(tmp_path / "exact.jsonl")
    assert {pair: line["common"] for pair, line in found.items()} == expected
    run("pairs", "in.jsonl", "-o", "lsh.jsonl", "--method", "lsh", "--recall", "0.999", *options)
    some = found_pairs(tmp_path / "lsh.jsonl")
    assert all(found[pair] == line for pair, line in some.items())
    assert len(some) >= 0.98 * len(found)


@pytest.mark.slow
def test_recall_over_twenty_thousand_points(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Precision 1, and at least the recall that was asked for over all pairs at the threshold."""
    chance = random.Random(20_000)
    points = [[str(chance.randrange(1_024_000) / 1024) for _ in "xy"] for _ in range(20_000)]
    write_jsonl("in.jsonl", [{"id": str(i), "text": " ".join(p)} for i, p in enumerate(points)])
    run(
        "pairs", "in.jsonl", "-o", "out.jsonl", "--shingle", "point:5,1", "--threshold", "0.5",
        "--recall", "0.99", "--method", "lsh", "--quiet",
    )  # fmt: skip
    true = {(a, b): n for a, b, n in pairs_of([ball(p, "5", "1") for p in points], 0.5)}
    found = {pair: line["common"] for pair, line in found_pairs(tmp_path / "out.jsonl").items()}
    assert len(true) > 3000
    assert all(true.get(pair) == common for pair, common in found.items())
    assert len(found) >= 0.99 * len(true)


def test_series_that_share_a_stretch_are_found_wherever_it_is(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Half of each series is shared with one other, at another place and with noise."""
    chance = random.Random(8)

    def walk(count: int) -> list[float]:
        return [chance.uniform(-100, 100) for _ in range(count)]

    rows, expected = [], set()
    for i in range(0, 400, 2):
        stretch = walk(60)
        noisy = [value + chance.uniform(-0.02, 0.02) for value in stretch]
        before, after = chance.randrange(10), chance.randrange(10)
        for j, part in ((i, stretch), (i + 1, noisy)):
            series = walk(before if j == i else after) + part + walk(after if j == i else before)
            rows.append({"id": str(j), "text": json.dumps([round(v, 3) for v in series])})
        expected.add((i, i + 1))
    write_jsonl("in.jsonl", rows)
    run("pairs", "in.jsonl", "-o", "out.jsonl", "--shingle", "series:8,10,16", "--threshold", "0.4",
        "--quiet")  # fmt: skip
    assert set(found_pairs(tmp_path / "out.jsonl")) == expected


def test_passes_agree_on_what_is_rejected(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Bad records between good ones, at every number of threads: nothing lost, nothing renumbered."""
    rows = []
    for i in range(3000):
        text = f"{i // 2} {i // 2}" if i % 7 else f"{i} oops"
        rows.append({"id": i, "text": text})
    path = write_jsonl("in.jsonl", rows)
    bad = [i for i in range(3000) if i % 7 == 0]
    outputs = set()
    for threads in ("1", "3"):
        run(
            "dedup", "in.jsonl", "-o", f"out{threads}", "--shingle", "point:0.4,0.1", "--quiet",
            "--threads", threads, code=3,
        )  # fmt: skip
        out = tmp_path / f"out{threads}"
        rejected = [json.loads(line) for line in (out / "rejected.jsonl").read_text().splitlines()]
        assert [line["row"] for line in rejected] == [i + 1 for i in bad]
        assert all("'oops' is not a number" in line["reason"] for line in rejected)
        lines = path.read_text().splitlines(keepends=True)
        assert (out / "rejected" / "in.jsonl").read_text() == "".join(lines[i] for i in bad)
        removed = [json.loads(line) for line in (out / "removed.jsonl").read_text().splitlines()]
        assert [line["id"] for line in removed] == [
            str(i) for i in range(1, 3000, 2) if i % 7 and (i - 1) % 7
        ]
        outputs.add((out / "kept" / "in.jsonl").read_text())
    assert len(outputs) == 1
