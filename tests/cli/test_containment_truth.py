"""Containment on real texts, of which every pair is known: precision 1, and the recall asked for.

LOOKALIKE_TRUTH_SETS names a folder with NAME/NAME.jsonl.zst and, for each kind of shingle,
NAME/NAME.truth.TAG.tsv.gz (all pairs above some resemblance) and NAME/NAME.contain.TAG.tsv.gz
(all others above some containment): id_a, id_b, inter, union, jaccard, cont_ab, cont_ba.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

SETS = Path(os.environ.get("LOOKALIKE_TRUTH_SETS", "no such folder"))
NO_SETS = "NO TRUTH SETS: set LOOKALIKE_TRUTH_SETS to a folder of them"

#: For each set: its tag in the truth, the shingle, the containment to look for, and the resemblance
#: from which on all pairs of that containment are known (0: all are known).
KNOWN = {
    "peps": ("word5", "word:5", 0.8, 0.0),
    "unicode": ("char5", "char:5", 0.9, 0.0),
    "unicode-words": ("word5", "word:5", 0.9, 0.3),
    "web": ("text.word5", "word:5", 0.8, 0.0),
    "code": ("word5", "word:5", 0.8, 0.0),
}

LEAST_FEATURES = 20


@dataclass(frozen=True)
class Counts:
    """What two documents have and have in common."""

    common: int
    size_a: int
    size_b: int

    @property
    def smaller(self) -> int:
        return min(self.size_a, self.size_b)

    @property
    def resemblance(self) -> float:
        return self.common / (self.size_a + self.size_b - self.common)

    @property
    def containment(self) -> float:
        return self.common / self.smaller


Pairs = dict[tuple[str, str], Counts]


def read_truth(path: Path) -> Pairs:
    """Pairs of a table; where it is missing, none."""
    if not path.exists():
        return {}
    pairs = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            common = int(row["inter"])
            size_a, size_b = (round(common / float(row[side])) for side in ("cont_ab", "cont_ba"))
            assert size_a + size_b - common == int(row["union"]), row
            pairs[row["id_a"], row["id_b"]] = Counts(common, size_a, size_b)
    return pairs


def all_contained(name: str, tag: str, threshold: float) -> Pairs:
    """All pairs at or above the threshold."""
    known = read_truth(SETS / name / f"{name}.truth.{tag}.tsv.gz")
    known |= read_truth(SETS / name / f"{name}.contain.{tag}.tsv.gz")
    return {
        pair: counts
        for pair, counts in known.items()
        if counts.containment >= threshold and counts.smaller >= LEAST_FEATURES
    }


def read_found(path: Path) -> Pairs:
    found: Pairs = {}
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            counts = Counts(row["common"], row["size_a"], row["size_b"])
            assert row["containment_ab"] == counts.common / counts.size_a
            assert row["containment_ba"] == counts.common / counts.size_b
            assert (row["a"], row["b"]) not in found
            found[row["a"], row["b"]] = counts
    return found


def recall(found: Pairs, truth: Pairs, least: int, below: int = 1 << 40) -> tuple[int, int]:
    """(found, true) pairs whose smaller document has so many features."""
    of_size = [pair for pair, counts in truth.items() if least <= counts.smaller < below]
    return sum(pair in found for pair in of_size), len(of_size)


@pytest.mark.skipif(not SETS.is_dir(), reason=NO_SETS)
@pytest.mark.parametrize("method", ["lsh", "exact"])
@pytest.mark.parametrize("known", KNOWN)
def test_precision_and_recall(run: Callable, tmp_path: Path, known: str, method: str) -> None:
    name, (tag, shingle, threshold, alike) = known.split("-")[0], KNOWN[known]
    truth = all_contained(name, tag, threshold)
    out = tmp_path / "found.jsonl"
    run(
        "pairs", SETS / name / f"{name}.jsonl.zst", "-o", out, "--measure", "containment",
        "--shingle", shingle, "--threshold", threshold, "--method", method, "--quiet",
    )  # fmt: skip
    found = {pair: counts for pair, counts in read_found(out).items() if counts.resemblance >= alike}
    assert {pair: truth.get(pair) for pair in found} == found, "precision, and exact counts"
    classes = [20, 50, 100, 200, 500, 1000, 1 << 40]
    for least, below in zip(classes, classes[1:]):
        print(known, method, least, *recall(found, truth, least, below))
    if method == "exact":
        assert found == truth
    hits, of_all = recall(found, truth, 200)
    assert hits >= 0.99 * of_all > 0
    hits, of_all = recall(found, truth, LEAST_FEATURES)
    assert hits >= 0.99 * of_all


@pytest.mark.skipif(not SETS.is_dir(), reason=NO_SETS)
def test_licenses_at_95(run: Callable, tmp_path: Path) -> None:
    """A short table: rows, inter and union. Documents of one family by the hundreds."""
    folder, out = SETS / "licenses", tmp_path / "found.jsonl"
    lines = run("--version")  # the command is there
    assert lines.stdout
    run(
        "pairs", folder / "licenses.jsonl.zst", "-o", out, "--measure", "containment",
        "--threshold", "0.95", "--method", "lsh", "--quiet",
    )  # fmt: skip
    found = read_found(out)
    ids = ids_of(folder / "licenses.jsonl.zst")
    known: dict[tuple[str, str], tuple[int, int]] = {}
    certain = set()
    for kind in ("truth", "contain"):
        with gzip.open(folder / f"licenses.{kind}.word5.tsv.gz", "rt", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                pair = ids[int(row["row_a"])], ids[int(row["row_b"])]
                known[pair] = int(row["inter"]), int(row["union"])
                # Above this resemblance the containment is above, whatever the sizes.
                if kind == "contain" or known[pair][0] >= 0.95 * known[pair][1]:
                    certain.add(pair)
    for pair, counts in found.items():
        union = counts.size_a + counts.size_b - counts.common
        assert known[pair] == (counts.common, union) and counts.containment >= 0.95
    missed = [pair for pair in certain if pair not in found]
    assert len(missed) <= 0.01 * len(certain)


def ids_of(path: Path) -> list[str]:
    import zstandard

    with zstandard.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line)["id"] for line in file]
