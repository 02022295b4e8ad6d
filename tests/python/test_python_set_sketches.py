"""SetSketch: samples of sets of features."""

from __future__ import annotations

import pickle
import random

import pytest

np = pytest.importorskip("numpy")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

KINDS = ["bottom-k:256", "mod-m:8", "fracminhash:8"]


def text(first: int, last: int) -> str:
    return " ".join(f"w{i}" for i in range(first, last))


@pytest.mark.parametrize("kind", KINDS)
def test_estimates_are_within_their_errors(kind: str) -> None:
    settings = {"sketch": kind, "shingle": "word:1"}
    a = lookalike.SetSketch(text(0, 3000), **settings)
    b = lookalike.SetSketch(text(1000, 7000), **settings)
    for (value, error), true in (
        (a.resemblance(b), 2 / 7), (a.containment(b), 2 / 3), (b.containment(a), 1 / 3),
    ):  # fmt: skip
        assert 0 < error < 0.1
        assert abs(value - true) < 4 * error
    count, error = a.feature_count()
    assert abs(count - 3000) < 4 * error


@pytest.mark.parametrize("kind", KINDS)
def test_merging_storing_and_features(kind: str) -> None:
    settings = {"sketch": kind, "shingle": "word:1"}
    a = lookalike.SetSketch(text(0, 500), **settings)
    merged = a.merge(lookalike.SetSketch(text(400, 900), **settings))
    whole = lookalike.SetSketch(text(0, 900), **settings)
    assert merged == whole != a
    assert lookalike.SetSketch.from_bytes(whole.to_bytes()) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert hash(merged) == hash(whole)
    features = lookalike.Fingerprinter(shingle="word:1").features(text(0, 900))
    assert lookalike.SetSketch.of_features(features, **settings) == whole
    assert (np.diff(whole.values.astype(np.float64)) >= 0).all()
    assert (whole.sketch, whole.shingle, whole.seed) == (kind, "word:1", 0)


def test_what_decides_features_is_told_apart() -> None:
    plain, bag = lookalike.SetSketch("a a b"), lookalike.SetSketch("a a b", bag="max")
    assert bag.shingle == "word:5 bag=max"
    with pytest.raises(lookalike.RunError, match="bag=max"):
        plain.merge(bag)


def test_wrong_arguments() -> None:
    with pytest.raises(lookalike.OptionError, match="bottom-k:K"):
        lookalike.SetSketch("a", sketch="mod-m:0")
    with pytest.raises(lookalike.OptionError, match="bottom-k:K"):
        lookalike.SetSketch("a", sketch="fss:128")
    with pytest.raises(lookalike.DataError, match="a stored sketch has type str, expected bytes"):
        lookalike.SetSketch.from_bytes("x")
    with pytest.raises(lookalike.RunError, match="LKLSKET"):
        lookalike.SetSketch.from_bytes(b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
    with pytest.raises(lookalike.DataError, match="other has type Sketch, expected a SetSketch"):
        lookalike.SetSketch("a").merge(lookalike.Sketch("a"))


def test_compare_estimates_from_sketches() -> None:
    a = " ".join(str(chance) for chance in random.Random(1).choices(range(10**6), k=2000))
    b = a + " " + text(0, 200)
    exact = lookalike.compare(a, b)
    for kind in ("fss:1024", "bottom-k:1024"):
        found = lookalike.compare(a, b, sketch=kind, verify="sketch")
        assert exact.exact and not found.exact
        assert abs(found.resemblance - exact.resemblance) < 5 * found.standard_error
        assert found.passages == []
