"""Recall and precision against exact truth, with several seeds of the hashing.

Short texts made here are compared with `--method exact`, which a brute force in Python checks.
Real sets are compared with the tables of LOOKALIKE_TRUTH_SETS (see test_containment_truth.py):
NAME/NAME.truth.TAG.tsv.gz holds each pair at or above some resemblance, counted exactly.
"""

from __future__ import annotations

import csv
import filecmp
import gzip
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_containment_truth import NO_SETS, SETS, ids_of
from test_few_features import tiny

SEEDS = range(8)
LEAST_RECALL = 0.99
THRESHOLDS = [0.5, 0.7, 0.8, 0.9]
EXACT = ["--method", "exact", "--audit-documents", "0"]


class Counts(NamedTuple):
    """Number of features that two documents share, and that they have together."""

    common: int
    union: int


Pairs = dict[tuple[str, str], Counts]


def read_found(path: Path) -> Pairs:
    """Reads what `pairs` wrote and checks that each score follows from its counts."""
    found: Pairs = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            pair = row["a"], row["b"]
            counts = Counts(row["common"], row["size_a"] + row["size_b"] - row["common"])
            assert row["resemblance"] == counts.common / counts.union, line
            assert pair not in found, line
            found[pair] = counts
    return found


def recall_of(found: Pairs, truth: Pairs, case: str) -> float:
    """Returns the share of the true pairs that were found. Fails on a false pair or count."""
    false = [pair for pair, counts in found.items() if truth.get(pair) != counts]
    assert not false, f"{case}: {len(false)} pairs are not in the truth, the first is {false[0]}"
    assert truth, f"{case}: no true pairs, so that recall means nothing"
    return len(found) / len(truth)


def check_recalls(recalls: list[float], truth: Pairs, case: str) -> None:
    """Fails if the recall with any seed is too low, after all of them were printed."""
    by_seed = " ".join(f"{recall:.5f}" for recall in recalls)
    print(f"{case}: least recall {min(recalls):.5f} of {len(truth)} pairs; by seed {by_seed}")
    assert len(recalls) == len(SEEDS)
    assert min(recalls) >= LEAST_RECALL, f"{case}: recall by seed {by_seed}"


# Short texts


def shingles(text: str, shingle: str) -> frozenset[str]:
    """The features of a text in lower-case ASCII with single blanks, by their definition."""
    unit, width = shingle.split(":")
    parts, blank = (text.split(), " ") if unit == "word" else (list(text), "")
    runs = range(max(1, len(parts) - int(width) + 1)) if parts else ()
    return frozenset(blank.join(parts[i : i + int(width)]) for i in runs)


def all_pairs(path: Path, shingle: str, threshold: float) -> Pairs:
    """Compares each document with each other one."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    sets = [(row["id"], shingles(row["text"], shingle)) for row in rows]
    pairs = {}
    for (id_a, a), (id_b, b) in itertools.combinations(sets, 2):
        counts = Counts(len(a & b), len(a | b))
        if counts.common > 0 and counts.common / counts.union >= threshold:
            pairs[id_a, id_b] = counts
    return pairs


@pytest.mark.parametrize("shingle", ["word:3", "char:5"])
def test_short_texts_against_brute_force(run: Callable, tmp_path: Path, shingle: str) -> None:
    tiny(tmp_path / "in.jsonl", 400, seed=11, most=40)
    truth = all_pairs(tmp_path / "in.jsonl", shingle, 0.5)
    options = ["--shingle", shingle, "--threshold", "0.5", "--quiet"]
    for method in ("auto", "lsh", "exact"):
        recalls = []
        for seed in SEEDS:
            run(
                "pairs", "in.jsonl", "-o", "found.jsonl", *options, "--method", method,
                "--seed", seed,
            )  # fmt: skip
            found = read_found(tmp_path / "found.jsonl")
            recalls.append(recall_of(found, truth, f"{shingle} {method}, seed {seed}"))
            assert method != "exact" or found == truth
        check_recalls(recalls, truth, f"{shingle} {method}")


@pytest.mark.parametrize("method", ["auto", "lsh"])
@pytest.mark.parametrize("shingle", ["word:3", "char:5"])
def test_short_texts_with_every_seed(
    run: Callable, tmp_path: Path, shingle: str, method: str
) -> None:
    """Each seed draws another set as well."""
    recalls = []
    for seed in SEEDS:
        tiny(tmp_path / "in.jsonl", 2000, seed=seed, most=40)
        options = ["--shingle", shingle, "--threshold", "0.5", "--seed", seed]
        run("pairs", "in.jsonl", "-o", "exact.jsonl", *options, *EXACT, "--quiet")
        truth = read_found(tmp_path / "exact.jsonl")
        done = run("pairs", "in.jsonl", "-o", "found.jsonl", *options, "--method", method, "--json")
        assert done.json["design"].startswith("overlapping:"), "keys, not the exact join"
        found = read_found(tmp_path / "found.jsonl")
        recalls.append(recall_of(found, truth, f"{shingle} {method}, seed {seed}"))
    check_recalls(recalls, truth, f"{shingle} {method}")


# Real sets


@dataclass(frozen=True)
class RealSet:
    """A field of a set, what is compared of it, and the tag of its table of true pairs."""

    name: str
    tag: str
    shingle: str
    field: str = "text"


REAL = {
    "licenses": RealSet("licenses", "word5", "word:5"),
    "peps": RealSet("peps", "word5", "word:5"),
    "unicode-chars": RealSet("unicode", "char5", "char:5"),
    "unicode-words": RealSet("unicode", "word5", "word:5"),
    "web-text": RealSet("web", "text.word5", "word:5"),
    "web-html": RealSet("web", "html.word5", "word:5", field="html"),
    "code": RealSet("code", "word5", "word:5"),
}


@cache
def read_truth(real: RealSet) -> Pairs:
    """All pairs of a set's table. That of `licenses` has rows where the others have ids."""
    folder = SETS / real.name
    names: Callable[[str], str] = str
    pairs = {}
    with gzip.open(folder / f"{real.name}.truth.{real.tag}.tsv.gz", "rt", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows)
        if header[0] == "row_a":
            ids = ids_of(folder / f"{real.name}.jsonl.zst")
            names = lambda row: ids[int(row)]  # noqa: E731
        assert header[2:4] == ["inter", "union"]
        for a, b, common, union, *_ in rows:
            pairs[names(a), names(b)] = Counts(int(common), int(union))
    return pairs


def true_pairs(known: str, threshold: float) -> Pairs:
    pairs = read_truth(REAL[known])
    return {p: counts for p, counts in pairs.items() if counts.common / counts.union >= threshold}


def search(run: Callable, known: str, threshold: float, seed: int, method: str, out: Path) -> Any:
    """Writes the pairs of a real set; returns the run's summary."""
    real = REAL[known]
    done = run(
        "pairs", SETS / real.name / f"{real.name}.jsonl.zst", "-o", out,
        "--text-field", real.field, "--shingle", real.shingle, "--threshold", threshold,
        "--method", method, "--seed", seed, "--json",
    )  # fmt: skip
    assert done.json["design"].startswith("overlapping:"), "keys, not the exact join"
    return done.json


@pytest.mark.slow
@pytest.mark.skipif(not SETS.is_dir(), reason=NO_SETS)
@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("known", REAL)
def test_real_set_with_every_seed(
    run: Callable, tmp_path: Path, known: str, threshold: float
) -> None:
    truth = true_pairs(known, threshold)
    auto, lsh = tmp_path / "auto.jsonl", tmp_path / "lsh.jsonl"
    recalls = []
    for seed in SEEDS:
        search(run, known, threshold, seed, "lsh", lsh)
        recalls.append(recall_of(read_found(lsh), truth, f"{known} at {threshold}, seed {seed}"))
        search(run, known, threshold, seed, "auto", auto)
        # On sets like these auto means lsh, so that a recall is the recall of both.
        assert filecmp.cmp(auto, lsh, shallow=False)
    check_recalls(recalls, truth, f"{known} at {threshold}")


@pytest.mark.slow
@pytest.mark.skipif(not SETS.is_dir(), reason=NO_SETS)
def test_audit_of_real_sets(run: Callable, tmp_path: Path) -> None:
    """The audit's 95 % interval contains the recall that the run truly had."""
    contained = []
    for known, threshold in itertools.product(REAL, THRESHOLDS):
        truth = true_pairs(known, threshold)
        # The audit takes documents with equal features for one: the first of them counts.
        copies = {b for (_, b), counts in truth.items() if counts.common == counts.union}
        distinct = {pair for pair in truth if copies.isdisjoint(pair)}
        of_set = []
        for seed in SEEDS:
            audit = search(run, known, threshold, seed, "lsh", tmp_path / "lsh.jsonl")["recall"]
            found = distinct.intersection(read_found(tmp_path / "lsh.jsonl"))
            recall = len(found) / len(distinct)
            of_set.append(audit["low"] <= recall <= audit["high"])
            if not of_set[-1]:
                interval = f"{audit['low']:.5f} to {audit['high']:.5f}"
                print(f"{known} at {threshold}, seed {seed}: {interval}, true {recall:.5f}")
        print(f"{known} at {threshold}: {sum(of_set)} of {len(of_set)} intervals hold the truth")
        contained += of_set
    print(f"{sum(contained)} of {len(contained)} intervals hold the truth")
    assert sum(contained) >= 0.95 * len(contained)
