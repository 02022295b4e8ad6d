"""Queries find the same share of the matches however many documents there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ASKED = 0.99


def corpus(run: Callable[..., Any], folder: Path, documents: int) -> Path:
    """Near-duplicates of many resemblances, as `synth` plants them."""
    path = folder / "corpus.jsonl"
    run("synth", "-o", path, "--documents", str(documents), "--seed", "11", "--quiet", timeout=600)
    return path


@pytest.mark.parametrize(
    "documents",
    [
        10_000,
        pytest.param(100_000, marks=pytest.mark.slow),
        pytest.param(1_000_000, marks=pytest.mark.slow),
    ],
)
def test_recall_stays_as_the_index_grows(
    run: Callable[..., Any], index: Callable[..., Any], tmp_path: Path, documents: int
) -> None:
    index("create", "seen", "--clusters", "off")
    index("load", "seen", corpus(run, tmp_path, documents), timeout=900)
    audit = index("stats", "seen", "--audit", "2000", "--json", timeout=900).json["recall"]
    assert audit["sampled_matches"] >= 200
    assert audit["high"] >= ASKED
    assert audit["estimate"] >= ASKED - 0.01
