"""bench/plan_accuracy.py: how predictions are held against runs."""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import plan_accuracy  # noqa: E402

MANIFEST = {
    "recall": {"matched": 0.99},
    "search": {"candidates": 200},
    "cpu_seconds": 2.0,
    "peak_memory_bytes": 100,
    "peak_scratch_bytes": 0,
    "predicted": {
        "pairs": None, "candidates": None, "recall": None, "cpu_seconds": 1.0,
        "peak_memory_bytes": 50, "peak_scratch_bytes": 10,
    },
}  # fmt: skip
PLAN = {
    "pairs": 100, "recall": 0.9, "candidates": 100, "seconds": 1.0, "memory_bytes": 100,
    "disk_bytes": 0, "design": "bands:20x5",
    "searches": [{"design": "bands:20x5"}, {"design": "exact"}],
}  # fmt: skip


def test_ratios() -> None:
    assert plan_accuracy.ratio(3, 2) == 1.5
    assert plan_accuracy.ratio(0, 0) == 1
    assert plan_accuracy.ratio(1, 0) == math.inf
    assert plan_accuracy.ratio(None, 2) is None and plan_accuracy.ratio(2, None) is None


def test_a_plan_counts_the_pairs_that_are_found() -> None:
    found = {"pairs": 60, "recall": {"estimate": 1.0}}
    measured = plan_accuracy.measured_of(MANIFEST, found)
    row = plan_accuracy.table_row("x", plan_accuracy.planned_of(PLAN), measured)
    assert row == "| x | 1.50 | 0.90 | 0.50 | 0.50 | 1.00 | 1.00 |"


def test_what_is_not_known_is_left_out() -> None:
    measured = plan_accuracy.measured_of(MANIFEST, None)
    row = plan_accuracy.table_row("x", plan_accuracy.expected_of(MANIFEST), measured)
    assert row == "| x |  |  |  | 0.50 | 0.50 | inf |"


def test_every_search_of_a_plan_is_tried() -> None:
    tried = dict(plan_accuracy.choices(PLAN))
    assert tried == {"bands:20x5": ["--design", "bands:20x5"], "exact": ["--method", "exact"]}


def test_names_of_corpora() -> None:
    assert plan_accuracy.corpus_of("a/code.jsonl.zst").name == "code"
    named = plan_accuracy.corpus_of("both=x.jsonl,y.jsonl")
    assert named.name == "both" and named.files == ["x.jsonl", "y.jsonl"]
