#!/usr/bin/env python3
"""Writes corpora for the engine's benchmarks: large, skewed, or both.

    make_corpora.py KIND DOCUMENTS FILE.jsonl [--seed S] [--part I/N]

Document i is a pure function of (kind, documents, seed, i): the same bytes every time, in constant
memory. --part writes the I-th of N consecutive parts, so that several processes can share a corpus.

mixed         1 KB; 30 % are copies of an earlier document, wherever it is: a third of these
              exact, the others with 1 to 3 of 143 words changed (resemblance .93 to .80)
template      200 words, 140 of them equal in all (resemblance about .5); 5 % are near-copies of an
              earlier document at resemblance .85 or more
near-copies   one text of 300 words, 1 to 3 of them changed in each document
short         a third empty, a third without a word, a third of three words from a vocabulary so
              small that a tenth of them are exact copies
one-key       all share 240 words, and a band key of the default design is in every document: own
              text is drawn from phrases that never change that key; resemblance about .66
one-template  200 common and 60 own words, resemblance about .62, no duplicate
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from hashlib import shake_128
from pathlib import Path

VOCABULARY = 1 << 16
FLUSH_BYTES = 1 << 22
Texts = Callable[[int], str]


class Words:
    """Words by number, and the numbers that a document is made of."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(f"vocabulary {seed}")
        letters = "abcdefghijklmnopqrstuvwxyz"
        found: dict[str, None] = {}
        while len(found) < VOCABULARY:
            length = 3 + int(chance.random() * 7)
            found["".join(letters[int(chance.random() * 26)] for _ in range(length))] = None
        self._words = list(found)
        self._seed = seed

    def numbers(self, name: str, count: int) -> memoryview:
        """`count` numbers below 65,536 that depend on the name alone."""
        digest = shake_128(f"{self._seed} {name}".encode()).digest(2 * count)
        return memoryview(digest).cast("H")

    def take(self, name: str, count: int) -> list[str]:
        """`count` words that depend on the name alone."""
        return list(map(self._words.__getitem__, self.numbers(name, count)))

    def change(self, words: list[str], name: str, count: int, begin: int, end: int) -> None:
        """Puts a new word in at most `count` places of [begin, end)."""
        drawn = self.numbers(f"change {name}", 2 * count)
        for place, word in zip(drawn[:count], drawn[count:]):
            words[begin + place % (end - begin)] = self._words[word]


def mixed(words: Words, documents: int) -> Texts:
    del documents

    def text(i: int) -> str:
        if i % 10 < 7:
            return " ".join(words.take(f"d{i}", 143))
        # An earlier document that is no copy itself: families stay small, and far apart.
        high, low, changed = words.numbers(f"copy {i}", 3)
        original = (high << 16 | low) % (i // 10 * 7 + 7)
        taken = words.take(f"d{original // 7 * 10 + original % 7}", 143)
        if changed % 3:
            words.change(taken, str(i), 1 + changed % 7 % 3, 0, 143)
        return " ".join(taken)

    return text


def template(words: Words, documents: int) -> Texts:
    del documents
    head, foot = words.take("head", 90), words.take("foot", 50)

    def text(i: int) -> str:
        if i % 20 != 19:
            return " ".join(head + words.take(f"d{i}", 60) + foot)
        high, low, changed = words.numbers(f"copy {i}", 3)
        original = (high << 16 | low) % (i // 20 * 19 + 19)
        taken = words.take(f"d{original // 19 * 20 + original % 19}", 60)
        words.change(taken, str(i), 1 + changed % 3, 0, 60)
        return " ".join(head + taken + foot)

    return text


def near_copies(words: Words, documents: int) -> Texts:
    del documents
    original = words.take("original", 300)

    def text(i: int) -> str:
        taken = original.copy()
        words.change(taken, str(i), 1 + i % 3, 0, 300)
        return " ".join(taken)

    return text


def short(words: Words, documents: int) -> Texts:
    # A third of the documents, out of 1.7 times as many possible ones: a tenth of them are copies.
    count = max(4, round(1.2 * documents ** (1 / 3)))
    names = words.take("short", count)

    def text(i: int) -> str:
        if i % 3 == 0:
            return ""
        numbers = words.numbers(f"d{i}", 3)
        if i % 3 == 1:
            return "".join(".,;!?-+*/= "[n % 11] for n in numbers)
        return " ".join(names[n % count] for n in numbers)

    return text


def one_key(words: Words, documents: int) -> Texts:
    """Six phrases each, of those that leave the block's first eight coordinates as they are."""
    del documents
    sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
    from check_fingerprint_vectors import features, round_hash, sketch

    block, mark = words.take("block", 236), words.take("mark", 4)
    # The mark stands around every phrase, so that no feature reaches from one phrase to the next.
    key = sketch(features(" ".join(block + mark).encode(), "word:5", 0), 128)[:8]

    def spoils(feature: int) -> bool:
        """Whether the feature is less than the block's in one of the eight bins."""
        place, value = feature >> 57, (feature >> 24) % 2**27
        if place < 8 and value < key[place]:
            return True
        for number in range(1, (max(key) >> 27) + 1):
            mixed = round_hash(feature, number)
            place, value = mixed >> 25, number << 27 | (mixed << 7) % 2**32 >> 5
            if place < 8 and value < key[place]:
                return True
        return False

    phrases: list[list[str]] = []
    tried = 0
    while len(phrases) < 4096:
        phrase = words.take(f"phrase {tried}", 6) + mark
        if not any(map(spoils, features(" ".join(mark + phrase).encode(), "word:5", 0))):
            phrases.append(phrase)
        tried += 1

    def text(i: int) -> str:
        taken = block + mark
        for n in words.numbers(f"d{i}", 6):
            taken = taken + phrases[n % 4096]
        return " ".join(taken)

    return text


def one_template(words: Words, documents: int) -> Texts:
    del words
    common = " ".join(f"c{i}" for i in range(200))

    def text(i: int) -> str:
        chance = random.Random(f"{documents} {i}")
        own = " ".join(f"u{int(chance.random() * 10**9)}" for _ in range(60))
        return f"{common} {own}"

    return text


KINDS: dict[str, Callable[[Words, int], Texts]] = {
    "mixed": mixed,
    "template": template,
    "near-copies": near_copies,
    "short": short,
    "one-key": one_key,
    "one-template": one_template,
}


def write(
    kind: str, documents: int, path: Path, seed: int = 0, part: int = 0, parts: int = 1
) -> None:
    """Writes a corpus, or one of its parts. No text needs an escape in JSON."""
    text = KINDS[kind](Words(seed), documents)
    begin, end = documents * part // parts, documents * (part + 1) // parts
    with open(path, "wb") as file:
        lines: list[str] = []
        held = 0
        for i in range(begin, end):
            line = f'{{"id": "{i}", "text": "{text(i)}"}}\n'
            lines.append(line)
            held += len(line)
            if held >= FLUSH_BYTES:
                file.write("".join(lines).encode("ascii"))
                lines.clear()
                held = 0
        file.write("".join(lines).encode("ascii"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("documents", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="the I-th of N parts")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    if not 1 <= part <= parts or arguments.documents < 0:
        parser.error("--part takes I/N with 1 <= I <= N, DOCUMENTS a number from 0")
    write(arguments.kind, arguments.documents, arguments.file, arguments.seed, part - 1, parts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
