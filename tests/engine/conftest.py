"""Fixtures of the tests of bounded memory, resume, two collections and skew."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "cli"), str(ROOT / "bench")]


@pytest.fixture(scope="session")
def corpus(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 20 MB of texts, three in ten of them copies; nobody may change it."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    subprocess.run(
        [binary, "synth", "-o", path, "--documents", "11000", "--seed", "5", "--quiet"], check=True
    )
    assert path.stat().st_size > 18e6
    return path


@pytest.fixture
def skewed(tmp_path: Path) -> Callable[[str, int], Path]:
    """A corpus of one of the kinds of bench/make_corpora.py: skewed("template", 4000)."""
    from make_corpora import write

    def make(kind: str, documents: int) -> Path:
        path = tmp_path / f"{kind}-{documents}.jsonl"
        write(kind, documents, path)
        return path

    return make
