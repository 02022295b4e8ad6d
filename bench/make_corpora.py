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
sentences     20 to 60 words; 40 % are an earlier document with one word changed, or with up to six
              words more or fewer at its end (resemblance from .5, half of them .8 or more)
one-key       all share 60 words, and a band key of the default design is in every document: own
              text is drawn from phrases that never change that key; resemblance about .2, but 5 %
              are near-copies of an earlier document at resemblance .85 or more
one-key-close the same with 240 words, no near-copies and few phrases: resemblance about .66, so
              that pairs that look close grow faster than the documents
one-template  200 common and 60 own words, resemblance about .62, no duplicate
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from functools import cache
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
        self.seed = seed

    def numbers(self, name: str, count: int) -> memoryview:
        """`count` numbers below 65,536 that depend on the name alone."""
        digest = shake_128(f"{self.seed} {name}".encode()).digest(2 * count)
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


def sentences(words: Words, documents: int) -> Texts:
    del documents

    def original(i: int) -> list[str]:
        return words.take(f"d{i}", 20 + words.numbers(f"length {i}", 1)[0] % 41)

    def text(i: int) -> str:
        if i % 10 < 6:
            return " ".join(original(i))
        high, low, kind, amount = words.numbers(f"copy {i}", 4)
        source = (high << 16 | low) % (i // 10 * 6 + 6)
        taken, amount = original(source // 6 * 10 + source % 6), 1 + amount % 6
        if kind % 3 == 0:
            words.change(taken, str(i), 1, 0, len(taken))
        elif kind % 3 == 1:
            del taken[-amount:]
        else:
            taken += words.take(f"more {i}", amount)
        return " ".join(taken)

    return text


class Phrases:
    """A block of words, and phrases that leave the first eight coordinates of its sketch as they
    are: a document of the block and any of them has the block's first key.

    Of several blocks the one is taken whose coordinates are the least, so that most phrases do."""

    def __init__(self, words: Words, names: tuple[str, ...], length: int, count: int) -> None:
        sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
        from check_fingerprint_vectors import feature, hash_word, round_hash, sketch

        hashes = cache(hash_word)

        def features(text: list[str]) -> list[int]:
            units = list(map(hashes, text))
            return [feature(units[i : i + 5], 0) for i in range(len(units) - 4)]

        # The mark stands around every phrase, so that no feature reaches from one to the next.
        mark = words.take("mark", 4)
        blocks = [words.take(name, length - 4) + mark for name in names]
        keys = [sketch(features(block), 128)[:8] for block in blocks]
        key, self.block = min(zip(keys, blocks), key=lambda both: max(both[0]))
        last_round = max(key) >> 27

        def spoils(value: int) -> bool:
            """Whether the feature is less than the block's in one of the eight bins."""
            place, low = value >> 57, (value >> 24) % 2**27
            if place < 8 and low < key[place]:
                return True
            for number in range(1, last_round + 1):
                mixed = round_hash(value, number)
                place, low = mixed >> 25, number << 27 | (mixed << 7) % 2**32 >> 5
                if place < 8 and low < key[place]:
                    return True
            return False

        self.phrases: list[str] = []
        tried = 0
        while len(self.phrases) < count:
            phrase = words.take(f"phrase {tried}", 6) + mark
            if not any(map(spoils, features(mark + phrase))):
                self.phrases.append(" ".join(phrase))
            tried += 1


@cache
def phrases_of(seed: int, names: tuple[str, ...], length: int, count: int) -> Phrases:
    """Made once: it takes seconds to find many."""
    return Phrases(Words(seed), names, length, count)


def one_key(words: Words, documents: int) -> Texts:
    """Fourteen phrases each, of so many that next to none are in two documents by chance."""
    del documents
    given = phrases_of(words.seed, tuple(f"block {n}" for n in range(256)), 60, 1 << 16)
    block = " ".join(given.block)

    def text(i: int) -> str:
        if i % 20 != 19:
            numbers = words.numbers(f"d{i}", 14)
        else:
            # Another phrase in one place of an earlier document, which is no copy itself.
            high, low, place, other = words.numbers(f"copy {i}", 4)
            original = (high << 16 | low) % (i // 20 * 19 + 19)
            numbers = words.numbers(f"d{original // 19 * 20 + original % 19}", 14).tolist()
            numbers[place % 14] = other
        return " ".join([block, *map(given.phrases.__getitem__, numbers)])

    return text


def one_key_close(words: Words, documents: int) -> Texts:
    """Six phrases each."""
    del documents
    given = phrases_of(words.seed, ("block",), 240, 1 << 12)
    block = " ".join(given.block)

    def text(i: int) -> str:
        numbers = words.numbers(f"d{i}", 6)
        return " ".join([block, *(given.phrases[n % len(given.phrases)] for n in numbers)])

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
    "sentences": sentences,
    "one-key": one_key,
    "one-key-close": one_key_close,
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
