"""A run whose audit finds that too little was found searches again, with more keys."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

#: With the first seed, the design for .9 misses all pairs between the two kinds of pages at once.
UNLUCKY, LUCKY = 11, 1
OPTIONS = ["--shingle", "word:1", "--threshold", "0.5", "--recall", "0.9", "--method", "lsh"]
PAGES = 240
ALL_PAIRS = PAGES * (PAGES - 1) // 2


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Pages of two versions of one template: between these J is .51, within one .98."""
    chance = random.Random(5)

    def words(count: int) -> list[str]:
        return [f"w{chance.randrange(10**7)}" for _ in range(count)]

    common, of_one, of_other = words(110), words(50), words(50)
    path = tmp_path / "pages.jsonl"
    with path.open("w") as file:
        for i in range(PAGES):
            text = " ".join(common + (of_one if i % 2 else of_other) + words(2))
            file.write(json.dumps({"id": i, "text": text}) + "\n")
    return path


def test_an_unlucky_search_is_repeated(run: Callable, pages: Path) -> None:
    done = run("pairs", pages, "-o", "again", "--json", "--seed", UNLUCKY, *OPTIONS)
    assert "searching again with overlapping:" in done.stderr
    found = json.loads(done.stdout)
    assert found["pairs"] >= 0.9 * ALL_PAIRS
    assert found["recall"]["met"]
    assert found["recall"]["asked"] == 0.9


def test_the_audit_sees_what_a_named_design_missed(run: Callable, pages: Path) -> None:
    found = json.loads(run("pairs", pages, "-o", "once", "--json", "--seed", UNLUCKY,
                           "--design", "overlapping:128:1:4", *OPTIONS).stdout)  # fmt: skip
    assert found["pairs"] < ALL_PAIRS * 0.55
    recall = found["recall"]
    assert not recall["met"]
    assert recall["low"] < found["pairs"] / ALL_PAIRS < recall["high"] < 0.9


def test_others_are_not(run: Callable, pages: Path) -> None:
    done = run("pairs", pages, "-o", "once", "--json", "--seed", LUCKY, *OPTIONS)
    assert "searching again" not in done.stderr
    assert json.loads(done.stdout)["pairs"] == ALL_PAIRS
