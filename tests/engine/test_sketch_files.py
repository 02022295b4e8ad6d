"""Sketch files on a corpus: pairs found in one are those of the texts by the same sketches, and
neither threads, memory nor instruction set change a byte."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SEARCH = ["--threshold", "0.7", "--design", "overlapping:128:6:16"]
Run = Callable[..., bytes]


@pytest.fixture
def run(binary: Path, tmp_path: Path) -> Run:
    """Runs a command and returns what is in the file that it writes."""

    def call(*words: str | Path, isa: str = "", stress: str = "") -> bytes:
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.out"
        done = subprocess.run(
            [binary, *words, "-o", out, "--quiet"],
            env={**os.environ, "LOOKALIKE_ISA": isa, "LOOKALIKE_STRESS": stress},
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return out.read_bytes()

    return call


WAYS: dict[str, tuple[list[str], dict[str, str]]] = {
    "1-thread": (["--threads", "1"], {}),
    "8-threads": (["--threads", "8"], {}),
    "64-MiB": (["--memory", "64M", "--threads", "2"], {}),
    "scalar": ([], {"isa": "scalar"}),
    "spill": ([], {"stress": "spill"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_but_documents_and_options_changes_a_byte(
    corpus: Path, run: Run, tmp_path: Path, way: str
) -> None:
    options, environment = WAYS[way]
    made = run("sketch", corpus, *options, **environment)
    plain = run("sketch", corpus)
    assert made == plain
    stored = tmp_path / "corpus.sketches"
    stored.write_bytes(plain)
    found = run("pairs", stored, *SEARCH, *options, **environment)
    assert found == run("pairs", stored, *SEARCH)
    assert found == run("pairs", corpus, "--verify", "sketch", *SEARCH, *options, **environment)


@pytest.mark.parametrize("bits", ["8", "16"])
def test_pairs_of_few_bits_are_those_of_the_texts(
    corpus: Path, run: Run, tmp_path: Path, bits: str
) -> None:
    stored = tmp_path / "corpus.sketches"
    stored.write_bytes(run("sketch", corpus, "--sketch-bits", bits))
    found = run("pairs", stored, *SEARCH)
    assert found == run("pairs", corpus, "--verify", "sketch", "--sketch-bits", bits, *SEARCH)
    assert found.count(b"\n") > 1000


def rows(lines: bytes) -> dict[tuple[str, str], dict[str, float]]:
    """Lines of a pairs file by their ids."""
    return {(row["a"], row["b"]): row for row in map(json.loads, lines.splitlines())}


def test_estimates_are_within_their_errors(corpus: Path, run: Run) -> None:
    exact = rows(run("pairs", corpus, *SEARCH))
    estimated = rows(run("pairs", corpus, "--verify", "none", *SEARCH))
    assert exact.keys() - estimated.keys() == set()
    misses = 0
    for key, row in exact.items():
        found = estimated[key]
        assert found["exact"] is False
        assert (found["size_a"], found["size_b"]) == (row["size_a"], row["size_b"])
        assert found["standard_error"] > 0
        misses += abs(found["resemblance"] - row["resemblance"]) > 2 * found["standard_error"]
    assert misses < 0.06 * len(exact)


def test_a_threshold_keeps_estimates_at_or_above_it(corpus: Path, run: Run) -> None:
    every = rows(run("pairs", corpus, "--verify", "none", *SEARCH))
    some = rows(run("pairs", corpus, "--verify", "sketch", *SEARCH))
    assert some.keys() == {key for key, row in every.items() if row["resemblance"] >= 0.7}
    assert len(some) < len(every)
    assert all(every[key] == row for key, row in some.items())


def test_a_cut_or_changed_file_is_an_error(
    binary: Path, corpus: Path, run: Run, tmp_path: Path
) -> None:
    whole = run("sketch", corpus)
    stored = tmp_path / "s.sketches"
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    end = 24  # of the end block
    block = int.from_bytes(whole[-end - 8 :][:8], "little")  # a checksum, of whatever value
    assert block != 0
    for content, why in (
        (whole[:-1], "cut off"), (whole[:-end], "cut off"), (whole[: len(whole) // 2], "cut off"),
        (whole[:11], "cut off"), (bytes(changed), "checksum"), (whole + b"x", "after its end"),
    ):  # fmt: skip
        stored.write_bytes(content)
        done = subprocess.run(
            [binary, "pairs", stored, "-o", tmp_path / "never", *SEARCH, "--quiet"],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2
        assert str(stored) in done.stderr
        assert why in done.stderr
        assert not (tmp_path / "never").exists()
