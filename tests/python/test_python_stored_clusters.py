"""Sketch files in the place of data: clustered, searched for neighbours, and merged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

KINDS = ["mod-m:4", "bottom-k:40", "fracminhash:4", "fss:128"]


def some_texts() -> pa.Table:
    """Texts of which each second one is the one before it, changed a little."""
    chance = random.Random(1)
    texts = []
    for _ in range(50):
        words = [str(chance.randrange(10**6)) for _ in range(150)]
        texts.append(" ".join(words))
        words[60] = "changed"
        texts.append(" ".join(words))
    return pa.table({"id": [f"t{i}" for i in range(100)], "text": texts})


@pytest.mark.parametrize("kind", KINDS)
def test_clusters_of_a_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "some.sketches"
    lookalike.sketch(some_texts(), path, sketch=kind)
    result = lookalike.dedup(path, threshold=0.5)
    assert not result.exact and len(result.clusters) == 50
    assert {tuple(c) for c in result.clusters["members"].to_pylist()} == {
        (f"t{i}", f"t{i + 1}") for i in range(0, 100, 2)
    }
    suggested = result.suggested.to_pylist()
    assert [row["id"] for row in suggested] == [f"t{i}" for i in range(1, 100, 2)]
    assert all(row["exact"] is False and row["standard_error"] >= 0 for row in suggested)
    assert len(result.removed) == len(result.rejected) == 0
    assert len(result.pairs) == 50
    for rows in (lambda: result.kept, result.to_arrow, lambda: list(result.kept_batches())):
        with pytest.raises(lookalike.DataError, match="no rows to keep"):
            rows()
    with pytest.raises(lookalike.RunError, match="no texts to show"):
        result.report(show=False)
    assert "nothing removed, 50 could be" in repr(result)
    assert "could be removed" in result._repr_html_()
    saved = result.save(tmp_path / "kept here")
    assert sorted(p.name for p in saved.iterdir()) == [
        "checks.jsonl", "clusters.jsonl", "manifest.json", "suggested.jsonl",
    ]  # fmt: skip


def test_texts_are_removed_exactly_as_before() -> None:
    result = lookalike.dedup(some_texts(), threshold=0.5)
    assert result.exact and len(result.suggested) == 0 and len(result.kept) == 50


def test_neighbours_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.sketches"
    lookalike.sketch(some_texts(), path, sketch="bottom-k:60")
    near = lookalike.nearest(path, threshold=0.5, top=1).to_arrow().to_pylist()
    assert {(row["id"], row["neighbour"]) for row in near} == {
        (f"t{i}", f"t{i ^ 1}") for i in range(100)
    }


def test_merging_chunks(tmp_path: Path) -> None:
    chance = random.Random(2)
    lists = [[f"i{chance.randrange(10**6)}" for _ in range(200)] for _ in range(20)]
    ids = [f"d{i}" for i in range(20)]
    parts = []
    for number, cut in enumerate((slice(0, 70), slice(70, 140), slice(140, None))):
        table = pa.table({"id": ids, "items": [items[cut] for items in lists]})
        made = lookalike.sketch(table, tmp_path / f"{number}.sketches", None, shingle="item")
        parts.append(made.path)
    whole = lookalike.sketch(
        pa.table({"id": ids, "items": lists}), tmp_path / "whole", None, shingle="item"
    )
    merged = lookalike.merge_sketches(parts, tmp_path / "merged")
    assert merged == lookalike.SketchFile(
        str(tmp_path / "merged"), 20, 0, "fss:128", "item", whole.bytes
    )
    assert Path(merged.path).read_bytes() == Path(whole.path).read_bytes()
    with pytest.raises(lookalike.RunError, match="already exists"):
        lookalike.merge_sketches(parts, merged.path)
    assert lookalike.merge_sketches(parts, merged.path, overwrite=True) == merged
    other = lookalike.sketch(some_texts(), tmp_path / "other.sketches")
    with pytest.raises(lookalike.RunError, match="same options"):
        lookalike.merge_sketches([*parts, other.path], tmp_path / "never")
    assert not (tmp_path / "never").exists()
    with pytest.raises(lookalike.OptionError):
        lookalike.merge_sketches(parts, tmp_path / "never", memory="little")
