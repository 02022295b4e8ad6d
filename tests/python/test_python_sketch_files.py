"""Compressed sketches, sketch files, and pairs told by sketches alone."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

BITS = (1, 2, 4, 8, 16)


def text(first: int, last: int) -> str:
    return " ".join(f"w{i}" for i in range(first, last))


@pytest.mark.parametrize("bits", BITS)
def test_estimates_of_few_bits_are_within_their_errors(bits: int) -> None:
    a, b = (
        lookalike.Sketch(t, shingle="word:1", sketch="fss:1024").compressed(bits)
        for t in (text(0, 3000), text(1000, 4000))
    )
    value, error = a.resemblance(b)
    assert 0 < error < 0.1
    assert abs(value - 0.5) < 4 * error
    same, error = a.resemblance(a)
    assert same == 1.0
    assert error > 0


@pytest.mark.parametrize("bits", BITS)
def test_storing_and_values(bits: int) -> None:
    sketch = lookalike.Sketch("a few words to be sketched here", seed=3)
    made = sketch.compressed(bits)
    assert isinstance(made, lookalike.CompressedSketch)
    stored = made.to_bytes()
    assert len(stored) == 36 + len("word:5") + 128 * bits // 8
    again = lookalike.CompressedSketch.from_bytes(stored)
    assert again == made == pickle.loads(pickle.dumps(made))
    assert hash(again) == hash(made)
    assert (again.sketch, again.shingle, again.seed, again.bits) == ("fss:128", "word:5", 3, bits)
    assert again.values.dtype == np.uint16
    assert again.values.shape == (128,)
    assert int(again.values.max()) < 1 << bits
    assert not again.empty
    assert lookalike.Sketch().compressed(bits).empty


def test_wrong_arguments() -> None:
    sketch = lookalike.Sketch("a b c")
    for bits in (0, 3, 32, 64):
        with pytest.raises(lookalike.OptionError, match="1, 2, 4"):
            sketch.compressed(bits)
    for wrong in ("8", 8.0, True, None):
        with pytest.raises(lookalike.OptionError, match="expected a whole number"):
            sketch.compressed(wrong)
    with pytest.raises(lookalike.OptionError, match="is not allowed"):
        sketch.compressed(-1)
    with pytest.raises(lookalike.RunError, match="bits 2 and 4"):
        sketch.compressed(2).resemblance(sketch.compressed(4))
    with pytest.raises(lookalike.DataError, match="expected a CompressedSketch"):
        sketch.compressed(2).resemblance(sketch)
    with pytest.raises(lookalike.RunError, match="compressed"):
        lookalike.CompressedSketch.from_bytes(sketch.to_bytes())
    with pytest.raises(lookalike.RunError, match="compressed"):
        lookalike.Sketch.from_bytes(sketch.compressed(8).to_bytes())
    assert not hasattr(sketch.compressed(2), "merge")


def some_texts() -> pa.Table:
    """Texts of which each second one is the one before it, changed a little."""
    chance = random.Random(1)
    texts = []
    for _ in range(100):
        words = [str(chance.randrange(10**6)) for _ in range(120)]
        texts.append(" ".join(words))
        words[60] = "changed"
        texts.append(" ".join(words))
    return pa.table({"id": [f"t{i}" for i in range(200)], "text": texts})


def test_a_file_stands_for_its_documents(tmp_path: Path) -> None:
    table, path = some_texts(), tmp_path / "some.sketches"
    made = lookalike.sketch(table, path, shingle="word:3")
    assert made == lookalike.SketchFile(
        str(path), 200, 0, "fss:128", "word:3", path.stat().st_size
    )
    search = {"threshold": 0.8, "design": "bands:16x8"}
    found = lookalike.pairs(path, **search).to_arrow()
    estimated = lookalike.pairs(table, shingle="word:3", verify="sketch", **search).to_arrow()
    assert found.drop_columns(["source_a", "source_b"]).equals(estimated)
    assert found.column_names[-2:] == ["exact", "standard_error"]
    assert not any(found["exact"].to_pylist())
    exact = lookalike.pairs(table, shingle="word:3", **search).to_arrow()
    assert "exact" not in exact.column_names
    assert abs(len(found) - len(exact)) < 5
    with pytest.raises(lookalike.RunError, match="holds sketches without texts"):
        lookalike.plan(path)
    with pytest.raises(lookalike.RunError, match="word:3"):
        lookalike.pairs(path, shingle="word:4")


def test_compressed_by_its_name(tmp_path: Path) -> None:
    table = some_texts()
    plain = lookalike.sketch(table, tmp_path / "a.sketches", sketch_bits=8)
    packed = lookalike.sketch(table, tmp_path / "a.sketches.zst", sketch_bits=8)
    assert packed.bytes < plain.bytes
    assert (tmp_path / "a.sketches.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    a, b = (lookalike.pairs(made.path, threshold=0.7).to_arrow() for made in (plain, packed))
    sources = ["source_a", "source_b"]
    assert a.drop_columns(sources).equals(b.drop_columns(sources))
    assert len(a) > 90


def test_a_file_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    table = pa.table({"text": [text(0, 9), text(0, 8)]})
    target = tmp_path / "notes.txt"
    target.write_text("of great worth")
    with pytest.raises(lookalike.RunError, match=r"notes.txt: already exists.*overwrite=True"):
        lookalike.sketch(table, target)
    assert target.read_text() == "of great worth"
    assert lookalike.sketch(table, target, overwrite=True).documents == 2
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(lookalike.RunError, match="already exists"):
        lookalike.sketch(table, tmp_path / "link")
