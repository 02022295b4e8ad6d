"""The audit's 95 % interval contains the recall that the run truly had, in 95 % of 200 runs.

Each run searches with too few keys, so that it misses pairs, and audits a sample. The true recall
of the same run is counted over all pairs that `--method exact` finds; other tests hold those to a
brute force. No two documents are equal: the audit takes equal documents for one.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

DOCUMENTS = 3000
SEEDS = range(10)
OPTIONS = ["--shingle", "word:1", "--threshold", "0.5"]
LEAST_CONTAINED = 0.95
#: Intervals that contain the truth because they are wide prove nothing.
MOST_MEAN_WIDTH = 0.12

#: Designs that miss pairs, by the recall that they have on most of the sets below.
DESIGNS = {0.8: "bands:6x3", 0.9: "bands:4x2", 0.97: "bands:7x2", 0.99: "bands:10x2"}

Words = list[str]


def new_words(chance: random.Random, count: int) -> Words:
    return [f"w{chance.randrange(10**7)}" for _ in range(count)]


def changed(chance: random.Random, words: Words, share: float) -> Words:
    """A copy with so large a share of the words replaced, and at least one."""
    copy = list(words)
    for at in chance.sample(range(len(copy)), max(1, round(share * len(copy)))):
        copy[at] = f"w{chance.randrange(10**7)}"
    return copy


def family(chance: random.Random, size: int, words: int, most_changed: float) -> list[Words]:
    """Copies of one text, each with words changed that the others keep."""
    base = new_words(chance, words)
    return [changed(chance, base, chance.uniform(0, most_changed)) for _ in range(size)]


def couples(chance: random.Random) -> Iterator[list[Words]]:
    """Half of the documents have one partner, the others have none."""
    while True:
        yield family(chance, chance.choice([1, 1, 2]), 50, 0.2)


def families(chance: random.Random) -> Iterator[list[Words]]:
    """One in n families has n members or more, up to 60."""
    while True:
        yield family(chance, min(60, int(1 / (1 - chance.random()))), 50, 0.2)


def lengths(chance: random.Random) -> Iterator[list[Words]]:
    """Small families of texts of 3 to 300 words: the shortest are compared without keys."""
    while True:
        words = int(3 * 100 ** chance.random())
        yield family(chance, chance.choice([1, 2, 3, 4]), words, 0.3)


def templates(chance: random.Random) -> Iterator[list[Words]]:
    """Families of 100 close to the threshold, among couples of all resemblances."""
    while True:
        if chance.random() < 0.005:
            yield family(chance, 100, 60, 0.25)
        yield family(chance, 2, 50, 0.2)


def one_template(chance: random.Random) -> Iterator[list[Words]]:
    """One document in seven fills in a template of 60 words with 20 to 28 of its own.

    Any two of these have resemblances from .52 to .6. Their common words are the same for all of
    them, so that an unlucky seed misses most of their pairs at once.
    """
    template = new_words(chance, 60)
    while True:
        if chance.random() < 0.15:
            yield [template + new_words(chance, chance.randint(20, 28))]
        else:
            yield family(chance, 2, 50, 0.2)


def versions(chance: random.Random) -> Iterator[list[Words]]:
    """Chains in which each text is the one before with words changed."""
    while True:
        chain = [new_words(chance, chance.randint(20, 80))]
        for _ in range(chance.randint(0, 12)):
            chain.append(changed(chance, chain[-1], chance.uniform(0, 0.1)))
        yield chain


ORDINARY = (couples, families, lengths, templates, versions)
SETS = {make.__name__: make for make in (*ORDINARY, one_template)}


def write_set(path: Path, name: str) -> None:
    """Writes distinct documents in an order that says nothing of families."""
    chance = random.Random(name)
    texts: dict[str, None] = {}
    groups = SETS[name](chance)
    while len(texts) < DOCUMENTS:
        texts.update((" ".join(words), None) for words in next(groups))
    shuffled = list(texts)
    chance.shuffle(shuffled)
    with path.open("w", encoding="ascii") as lines:
        for i, text in enumerate(shuffled):
            lines.write(json.dumps({"id": str(i), "text": text}) + "\n")


class Interval(NamedTuple):
    """What the audit of a run claimed, and the recall that the run had."""

    low: float
    high: float
    truth: float

    @property
    def contains(self) -> bool:
        return self.low <= self.truth <= self.high


Ids = set[tuple[str, str]]


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def share_written(out: Path, truth: Ids) -> float:
    """Returns the share of the true pairs that `pairs` wrote."""
    found = {(row["a"], row["b"]) for row in read_rows(out)}
    assert found <= truth
    return len(found) / len(truth)


def share_settled(out: Path, truth: Ids) -> float:
    """Returns the share of the true pairs of which `dedup` removed a document."""
    removed = {row["id"] for row in read_rows(out / "removed.jsonl")}
    return sum(a in removed or b in removed for a, b in truth) / len(truth)


SHARE = {"pairs": share_written, "dedup": share_settled}


def mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)


def runs_of_set(
    run: Callable, tmp_path: Path, command: str, name: str, samples: tuple[int, ...]
) -> dict[float, list[Interval]]:
    """Runs each design with each seed on one set; the sizes of the audit's samples take turns."""
    write_set(tmp_path / f"{name}.jsonl", name)
    run("pairs", f"{name}.jsonl", "-o", "exact.out", *OPTIONS, "--method", "exact", "--quiet")
    truth = {(row["a"], row["b"]) for row in read_rows(tmp_path / "exact.out")}
    intervals: dict[float, list[Interval]] = {}
    for (planned, design), seed in itertools.product(DESIGNS.items(), SEEDS):
        done = run(
            command, f"{name}.jsonl", "-o", "run.out", *OPTIONS, "--design", design,
            "--seed", seed, "--audit-documents", samples[seed % len(samples)], "--json",
            *(["--overwrite"] if command == "dedup" else []),
        )  # fmt: skip
        recall = done.json["recall"]
        assert recall["sampled_pairs"] > 0
        share = SHARE[command](tmp_path / "run.out", truth)
        intervals.setdefault(planned, []).append(Interval(recall["low"], recall["high"], share))
    for of_design in intervals.values():
        print(
            f"{command} of {name}, recall {mean(i.truth for i in of_design):.4f}: contained in "
            f"{sum(i.contains for i in of_design)} of {len(of_design)} intervals; true recall "
            f"below {sum(i.truth < i.low for i in of_design)}, "
            f"mean width {mean(i.high - i.low for i in of_design):.3f}"
        )
    return intervals


@pytest.mark.slow
@pytest.mark.parametrize("command", SHARE)
def test_intervals_contain_the_true_recall(run: Callable, tmp_path: Path, command: str) -> None:
    of_sets = [runs_of_set(run, tmp_path, command, make.__name__, (150, 600)) for make in ORDINARY]
    intervals = [i for of_set in of_sets for of_design in of_set.values() for i in of_design]
    contained = sum(interval.contains for interval in intervals)
    width = mean(interval.high - interval.low for interval in intervals)
    print(f"{command}: {contained} of {len(intervals)} contain the truth, mean width {width:.3f}")
    for planned in DESIGNS if command == "pairs" else ():
        reached = mean(i.truth for of_set in of_sets for i in of_set[planned])
        assert reached == pytest.approx(planned, abs=0.4 * (1 - planned)), "runs miss pairs"
    assert len(intervals) == 200
    assert contained >= LEAST_CONTAINED * len(intervals)
    assert width <= MOST_MEAN_WIDTH


@pytest.mark.slow
def test_intervals_where_a_template_has_most_pairs(run: Callable, tmp_path: Path) -> None:
    of_designs = runs_of_set(run, tmp_path, "pairs", "one_template", (1000,))
    intervals = [interval for of_design in of_designs.values() for interval in of_design]
    contained = sum(interval.contains for interval in intervals)
    assert contained >= LEAST_CONTAINED * len(intervals), f"{contained} of {len(intervals)}"
