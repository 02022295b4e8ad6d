"""Tokens and sets in the place of texts; sketches that grow; sketches of any size."""

from __future__ import annotations

import random
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

ITEMS = lookalike.Fingerprinter(shingle="item")
SIZES = (16, 25, 100, 112, 200, 250, 333, 1000, 1023)


def test_resemblance_of_sets_is_that_of_python() -> None:
    draw = random.Random(3)
    for _ in range(50):
        a, b = ({f"w{draw.randrange(30)}" for _ in range(draw.randrange(1, 40))} for _ in "ab")
        assert lookalike.resemblance(a, b) == len(a & b) / len(a | b)
        assert lookalike.containment(a, b) == len(a & b) / len(a)
    assert lookalike.resemblance({1, 2, 1 << 63}, frozenset({2, 1 << 63})) == 2 / 3
    assert lookalike.resemblance(np.arange(6), [4, 5]) == 1 / 3
    assert lookalike.resemblance(["a", "b", "a"], ("b", "a")) == 1.0
    assert lookalike.resemblance(set(), {"a"}) == 0.0
    assert lookalike.containment(pa.array(["x", "y"]), {"y"}) == 0.5


def test_tokens_are_taken_as_they_are() -> None:
    assert lookalike.resemblance(["Tea time"], ["tea time"]) == 0.0
    assert lookalike.resemblance(["Tea"], ["tea"], normalize="casefold") == 1.0
    assert lookalike.resemblance(["a", "b", "a"], ["a", "b"], bag="max") == 2 / 3
    assert lookalike.resemblance(["a"], ["a"], shingle="item") == 1.0


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: lookalike.resemblance("a", ["a"]), "OptionError", "one side is a text"),
        (lambda: lookalike.resemblance(["a"], ["b"], shingle="word:2"), "OptionError",
         "shingle='word:2' cuts texts"),
        (lambda: lookalike.resemblance([1.5], [2]), "DataError", "an item has type float"),
        (lambda: lookalike.resemblance([b"a"], ["a"]), "DataError", "an item has type bytes"),
        (lambda: lookalike.resemblance(["a\x1e"], ["a"]), "DataError", "which separate items"),
        (lambda: lookalike.resemblance({"a": 1}, {"a": 1}), "OptionError", "a text has type dict"),
        (lambda: lookalike.Sketch(["a"]), "OptionError", "pass shingle='item'"),
        (lambda: lookalike.Fingerprinter()([["a"]]), "OptionError", "pass shingle='item'"),
        (lambda: ITEMS(pa.array([["a", None]])), "DataError", "an item that is null"),
        (lambda: ITEMS(pa.array([["a\x1f"]])), "DataError", "which separate items"),
        (lambda: ITEMS(pa.array([[1.5]])), "DataError", "lists of double, expected lists of text"),
    ],
)  # fmt: skip
def test_wrong_items(call: Any, kind: str, message: str) -> None:
    with pytest.raises(getattr(lookalike, kind), match=message):
        call()


def test_fingerprints_of_lists_are_those_of_dedup() -> None:
    rows = [["tea", "Milk"], ["milk", "tea"], None, [], ["nails"]]
    columns = [
        rows, pa.array(rows), pa.array(rows, pa.large_list(pa.large_string())),
        pa.chunked_array([pa.array(rows[:2]), pa.array(rows[2:], pa.list_(pa.string()))]),
        pa.array(rows, pa.list_(pa.string_view())), pa.array(rows, pa.large_list(pa.string_view())),
        pa.array(rows, pa.list_view(pa.string())),
        pa.array(rows, pa.large_list_view(pa.string_view())),
        [None if row is None else set(row) for row in rows],
    ]  # fmt: skip
    made = [ITEMS(column, counts=True) for column in columns]
    for other in made[1:]:
        assert (other.sketches == made[0].sketches).all() and (other.keys == made[0].keys).all()
    assert made[0].counts.tolist() == [2, 2, 0, 0, 1]
    assert (made[0].keys[0] == made[0].keys[1]).all(), "neither order nor case counts"
    features = ITEMS.features({"tea", "milk"})
    assert (features == ITEMS.features(["Milk", "tea", "tea"])).all() and len(features) == 2
    of_row = lookalike.Sketch.of_coordinates(made[0].sketches[0], shingle="item")
    assert of_row == lookalike.Sketch(["milk", "tea"], shingle="item")


def test_lists_of_numbers_are_items() -> None:
    rows = [[1, 2, (1 << 64) - 1], [3]]
    numbers = ITEMS(pa.array(rows, pa.list_(pa.uint64())), counts=True)
    assert numbers.counts.tolist() == [3, 1]
    assert (ITEMS(rows).sketches == numbers.sketches).all()
    assert (ITEMS([["1", "2", str((1 << 64) - 1)], ["3"]]).sketches == numbers.sketches).all()
    fixed = pa.array([[1, 2], [3, 4]], pa.list_(pa.int32(), 2))
    assert ITEMS(fixed, counts=True).counts.tolist() == [2, 2]


@pytest.mark.parametrize("kind", ["fss:100", "permutations:64", "one-permutation:128:bins"])
def test_update_adds_features(kind: str) -> None:
    draw = random.Random(4)
    hashes = np.array([draw.getrandbits(64) for _ in range(500)], dtype=np.uint64)
    sketch = lookalike.Sketch(sketch=kind)
    for part in np.array_split(hashes, 7):
        sketch.update(part)
    sketch.update([])
    assert sketch == lookalike.Sketch.of_features(hashes, sketch=kind)
    copy = lookalike.Sketch.from_bytes(sketch.to_bytes())
    copy.update([(1 << 60) + i for i in range(500)])
    assert copy != sketch, "the other one stayed as it was"
    with pytest.raises(lookalike.DataError):
        sketch.update(["token"])


def test_update_of_samples_and_of_what_cannot_grow() -> None:
    sample = lookalike.SetSketch(sketch="mod-m:2")
    sample.update(np.arange(100, dtype=np.uint64))
    sample.update([100, 101, 5])
    expected = lookalike.SetSketch.of_features(range(102), sketch="mod-m:2")
    assert sample == expected
    densified = lookalike.Sketch("a b c d e f", sketch="one-permutation:64:densified")
    with pytest.raises(lookalike.RunError, match="cannot be merged"):
        densified.update([1])


@pytest.mark.parametrize("size", SIZES)
def test_sketches_of_any_size(size: int) -> None:
    draw = random.Random(size)
    words = [f"w{draw.randrange(10**6)}" for _ in range(600)]
    a, b = " ".join(words[:500]), " ".join(words[100:])
    truth = lookalike.resemblance(a, b, shingle="word:1")
    for kind in ("fss", "permutations", "one-permutation", "lead-byte"):
        options = {"sketch": f"{kind}:{size}", "shingle": "word:1"}
        one, other = lookalike.Sketch(a, **options), lookalike.Sketch(b, **options)
        estimate, error = one.resemblance(other)
        assert abs(estimate - truth) < 5 * error, kind
        assert one.coordinates.shape == (size,)
        for bits in (1, 8, 16):
            packed = one.compressed(bits)
            assert lookalike.CompressedSketch.from_bytes(packed.to_bytes()) == packed
        made = lookalike.Fingerprinter(design="bands:2x8", **options)([a])
        assert (made.sketches[0] == one.coordinates).all() and made.keys.shape == (1, 2)


def test_searches_by_sketches_of_any_size() -> None:
    made = lookalike.synth(400, seed=2)
    for sketch in ("fss:100", "permutations:112", "fss:250", "one-permutation:201"):
        found = lookalike.pairs(made.documents, sketch=sketch, threshold=0.8, method="lsh")
        assert lookalike.evaluate(found, made.truth).recall > 0.97, sketch
        estimated = lookalike.pairs(made.documents, sketch=sketch, threshold=0.8, verify="sketch")
        assert lookalike.evaluate(estimated, made.truth).recall > 0.5, sketch


def test_sizes_that_are_refused_name_the_nearest() -> None:
    for size, nearest in ((8, 16), (2000, 1024)):
        with pytest.raises(lookalike.OptionError, match=f"use fss:{nearest}, the nearest"):
            lookalike.Sketch("a", sketch=f"fss:{size}")
