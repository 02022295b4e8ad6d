"""The corpora of bench/make_corpora.py are what they are said to be."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from make_corpora import KINDS, Words, write
from word_features import features, resemblance


def texts_of(path: Path) -> list[str]:
    rows = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    assert [row["id"] for row in rows] == [str(i) for i in range(len(rows))]
    return [row["text"] for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_parts_are_the_whole(tmp_path: Path, kind: str) -> None:
    write(kind, 101, tmp_path / "whole")
    for part in range(3):
        write(kind, 101, tmp_path / str(part), part=part, parts=3)
    parts = b"".join((tmp_path / str(part)).read_bytes() for part in range(3))
    assert parts == (tmp_path / "whole").read_bytes()
    assert len(texts_of(tmp_path / "whole")) == 101


def test_the_seed_decides(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write("mixed", 20, tmp_path / name, seed)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c
    assert Words(1).take("x", 3) != Words(1).take("y", 3)


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("template", 0.4, 0.6), ("near-copies", 0.8, 1.0), ("one-key", 0.1, 0.3),
     ("one-key-close", 0.6, 0.8), ("one-template", 0.6, 0.65)],
)  # fmt: skip
def test_resemblance_of_the_skewed(
    skewed: Callable[[str, int], Path], kind: str, low: float, high: float
) -> None:
    sets = [features(text, 5) for text in texts_of(skewed(kind, 60)) if text]
    values = [resemblance(a, b) for a, b in itertools.combinations(sets, 2)]
    inside = [value for value in values if low <= value <= high]
    assert len(inside) >= 0.99 * len(values)


def test_planted_copies(skewed: Callable[[str, int], Path]) -> None:
    """Every copy has an earlier document at the resemblance that is promised."""
    cases = (("template", 0.85, [19]), ("one-key", 0.85, [19]), ("mixed", 0.8, [7, 8, 9]),
             ("sentences", 0.5, [6, 7, 8, 9]))  # fmt: skip
    for kind, least, places in cases:
        sets = [features(text, 5) for text in texts_of(skewed(kind, 200))]
        period = 10 if kind in ("mixed", "sentences") else 20
        for i in (i for i in range(200) if i % period in places):
            assert max(resemblance(sets[i], sets[j]) for j in range(i)) >= least, (kind, i)


@pytest.mark.parametrize("kind", ["one-key", "one-key-close"])
def test_one_key_is_in_every_document(skewed: Callable[[str, int], Path], kind: str) -> None:
    """The first key of the default design: the first eight coordinates, by the plain sketch."""
    texts = texts_of(skewed(kind, 40))
    from check_fingerprint_vectors import features as feature_stream
    from check_fingerprint_vectors import sketch

    found = {tuple(sketch(feature_stream(t.encode(), "word:5", 0), 128)[:8]) for t in texts}
    assert len(found) == 1 and len(set(texts)) == 40
