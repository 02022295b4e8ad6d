"""What a tool found or removed, held against the exact truth of bench/truth.cc."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

THRESHOLD = 0.8
ROUNDING = 1e-6  # the truth file has six digits
Pair = tuple[int, int]


@dataclass
class Truth:
    """All alike pairs of a collection; documents are numbered in input order."""

    ids: list[str]
    pairs: dict[Pair, float]  # (smaller, larger) number -> resemblance, also below the threshold
    numbers: dict[str, int] = field(init=False)
    alike: dict[int, list[int]] = field(init=False)  # neighbours at the threshold or above

    def __post_init__(self) -> None:
        self.numbers = {identity: number for number, identity in enumerate(self.ids)}
        self.alike = defaultdict(list)
        for a, b in self.true_pairs():
            self.alike[a].append(b)
            self.alike[b].append(a)

    def true_pairs(self) -> set[Pair]:
        return {pair for pair, value in self.pairs.items() if value >= THRESHOLD - ROUNDING}

    def pair(self, a: str, b: str) -> Pair:
        one, other = self.numbers[a], self.numbers[b]
        return (min(one, other), max(one, other))


@dataclass
class Score:
    """Shares from 0 to 1 and counts of documents; None where a tool does not say."""

    pairs: int | None = None
    precision: float | None = None  # pairs said that are alike
    recall: float | None = None  # alike pairs said; of removals, alike pairs with one side removed
    removed: int = 0
    wrong: int = 0  # removed without any document alike
    missed: int = 0  # kept although an earlier document alike is kept


def load_truth(path: Path) -> Truth:
    """Reads FILE and FILE.docs as bench/truth.cc writes them."""
    docs = path.with_name(path.name + ".docs").read_text(encoding="utf-8")
    truth = Truth([line.split("\t")[0] for line in docs.splitlines()], {})
    pairs = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        a, b, value = line.split("\t")
        pairs[truth.pair(a, b)] = float(value)
    return Truth(truth.ids, pairs)


def removed_for_pairs(pairs: Iterable[Pair]) -> set[int]:
    """What goes when documents are looked at in order and those like a kept one are removed."""
    earlier = defaultdict(list)
    for a, b in pairs:
        earlier[b].append(a)
    removed: set[int] = set()
    for document in sorted(earlier):
        if any(other not in removed for other in earlier[document]):
            removed.add(document)
    return removed


def score_removed(truth: Truth, removed: set[int]) -> Score:
    """Of a tool that says which documents go."""
    true = truth.true_pairs()
    found = sum(a in removed or b in removed for a, b in true)
    missed = sum(
        any(other < document and other not in removed for other in neighbours)
        for document, neighbours in truth.alike.items()
        if document not in removed
    )
    wrong = sum(document not in truth.alike for document in removed)
    recall = found / len(true) if true else 1.0
    return Score(None, None, recall, len(removed), wrong, missed)


def score_pairs(truth: Truth, said: set[Pair]) -> Score:
    """Of a tool that says which pairs are alike; its removals are those of keeping the first."""
    true = truth.true_pairs()
    score = score_removed(truth, removed_for_pairs(said))
    hits = len(said & true)
    score.pairs = len(said)
    score.precision = hits / len(said) if said else 1.0
    score.recall = hits / len(true) if true else 1.0
    return score


def read_pairs(truth: Truth, path: Path) -> set[Pair]:
    """JSON Lines with `a` and `b` (*.jsonl), else two ids a line."""
    said = set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line) if path.suffix == ".jsonl" else None
            a, b = (row["a"], row["b"]) if row else line.split()[:2]
            if a != b:
                said.add(truth.pair(a, b))
    return said


def read_removed(truth: Truth, path: Path) -> set[int]:
    """The `id` of every line of a removed.jsonl."""
    with open(path, encoding="utf-8") as file:
        return {truth.numbers[json.loads(line)["id"]] for line in file}


def read_kept(truth: Truth, folder: Path) -> set[int]:
    """The documents that are in none of the folder's .jsonl files."""
    kept = set()
    for path in sorted(folder.rglob("*.jsonl")):
        with open(path, encoding="utf-8") as file:
            kept |= {truth.numbers[str(json.loads(line)["id"])] for line in file}
    return set(range(len(truth.ids))) - kept


def score(truth: Truth, kind: str, path: Path) -> Score:
    """`kind`: pairs, removed or kept."""
    if kind == "pairs":
        return score_pairs(truth, read_pairs(truth, path))
    read = {"removed": read_removed, "kept": read_kept}[kind]
    return score_removed(truth, read(truth, path))
