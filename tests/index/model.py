"""A brute-force model of an index, and texts to fill it with."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import lookalike

#: Documents of up to so many features are found by their features, so that none is missed.
FEW_FEATURES = 16

Hits = list[tuple[str, float]]


@dataclass
class Features:
    """Computes the distinct features of texts."""

    shingle: str = "word:5"
    known: dict[str, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def maker(self) -> lookalike.Fingerprinter:
        return lookalike.Fingerprinter(shingle=self.shingle)

    def __call__(self, text: str) -> frozenset[int]:
        if text not in self.known:
            self.known[text] = frozenset(self.maker.features(text).tolist())
        return self.known[text]


@dataclass
class Model:
    """The documents of an index, in the order in which they were added."""

    features: Features = field(default_factory=Features)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, rows: list[dict[str, Any]]) -> dict[str, int]:
        """Adds rows and returns the counts that `index add --json` prints."""
        counts = {"added": 0, "replaced": 0, "unchanged": 0, "similar": 0, "rejected": 0}
        for row in rows:
            outcome = "added"
            if row["id"] in self.texts:
                outcome = "unchanged" if self.texts[row["id"]] == row["text"] else "replaced"
            counts[outcome] += 1
            if outcome != "unchanged":
                self.texts.pop(row["id"], None)
                self.texts[row["id"]] = row["text"]
        return counts

    def remove(self, ids: list[str]) -> int:
        return sum(self.texts.pop(name, None) is not None for name in ids)

    def copy(self) -> Model:
        return Model(self.features, dict(self.texts))

    def rows(self) -> list[dict[str, str]]:
        return [{"id": name, "text": text} for name, text in self.texts.items()]

    def resemblance(self, a: str, b: str) -> Fraction:
        """Returns the exact resemblance of two texts; 0 if one has no features."""
        mine, theirs = self.features(a), self.features(b)
        return Fraction(len(mine & theirs), max(1, len(mine | theirs)))

    def hits(self, text: str, threshold: str, without: str | None = None) -> Hits:
        """Returns the ids and scores at or above a threshold: best first, ties by id."""
        found = []
        for name, other in self.texts.items():
            score = self.resemblance(text, other)
            if name != without and score > 0 and score >= Fraction(threshold):
                found.append((name, float(score)))
        return sorted(found, key=lambda hit: (-hit[1], hit[0].encode()))

    def is_few(self, text: str) -> bool:
        return len(self.features(text)) <= FEW_FEATURES


def hits_of(answer: dict[str, Any]) -> Hits:
    """Returns the hits of an answer of `index query --json`."""
    return [(match["id"], match["resemblance"]) for match in answer["matches"]]


class Writer:
    """Writes random texts, many of them like earlier ones."""

    def __init__(self, seed: int, shortest: int = 1, longest: int = 120) -> None:
        self.chance = random.Random(seed)
        self.lengths = (shortest, longest)
        self.texts: list[str] = []

    def text(self) -> str:
        kind = self.chance.random()
        if kind < 0.03:
            text = self.chance.choice(["", " ", "\n\t", "..."])
        elif kind < 0.35 or not self.texts:
            words = self.chance.randint(*self.lengths)
            text = " ".join(f"w{self.chance.randrange(3000)}" for _ in range(words))
        elif kind < 0.55:
            text = self.chance.choice(self.texts)
        elif kind < 0.65:
            text = self.chance.choice(self.texts).upper()
        else:
            text = self.edited(self.chance.choice(self.texts))
        self.texts.append(text)
        return text

    def edited(self, text: str) -> str:
        """Returns the text with one to three words changed, added or removed."""
        words = text.split()
        for _ in range(self.chance.randint(1, 3)):
            place = self.chance.randrange(len(words) + 1)
            length = self.chance.randint(0, 1)
            new = [f"w{self.chance.randrange(3000)}"] * self.chance.randint(0, 1)
            words[place : place + length] = new
        return " ".join(words)

    def rows(self, count: int, ids: int) -> list[dict[str, str]]:
        """Returns rows with ids out of so many, so that some are there already."""
        return [{"id": f"d{self.chance.randrange(ids)}", "text": self.text()} for _ in range(count)]
