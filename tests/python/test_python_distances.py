"""Distances and nearest neighbours from Python."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

POINTS = pa.table({
    "id": ["a", "b", "c", "d"],
    "vector": [[0.0, 0.0], [3.0, 4.0], [3.0, 4.5], [90.0, 0.25]],
})  # fmt: skip


def test_nearest_of_points(tmp_path: Path) -> None:
    found = lookalike.nearest(POINTS, text="vector", distance="l2", top=2, within=5)
    rows = found.to_arrow().to_pylist()
    assert [(row["id"], row["rank"], row["neighbour"], row["distance"]) for row in rows] == [
        ("a", 1, "b", 5.0), ("b", 1, "c", 0.5), ("b", 2, "a", 5.0), ("c", 1, "b", 0.5),
    ]  # fmt: skip
    assert len(found) == found.summary["neighbours"] == 4
    assert repr(found) == "NearestResult(4 neighbours of 4 documents)"
    assert "neighbours" in found._repr_html_()
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert type(other) is lookalike.NearestResult
        assert other.to_arrow().to_pylist() == rows
    lines = found.save(tmp_path / "near.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == rows[0]


def test_nearest_of_another_collection() -> None:
    others = pa.table({"id": ["x"], "vector": [[3.0, 4.0]]})
    found = lookalike.nearest(POINTS, text="vector", against=others, distance="l1", top=1)
    assert found.to_arrow()["neighbour"].to_pylist() == ["x"] * 4


def test_nearest_by_resemblance() -> None:
    words = [f"w{i}" for i in range(30)]
    texts = [" ".join(words), " ".join(words[:28]), " ".join(words[:20]), "something else"]
    table = pa.table({"id": ["p", "q", "r", "s"], "text": texts})
    rows = lookalike.nearest(table, threshold=0.5, top=1).to_arrow().to_pylist()
    assert [(row["id"], row["neighbour"]) for row in rows] == [("p", "q"), ("q", "p"), ("r", "q")]
    assert rows[0]["resemblance"] == 24 / 26
    assert (rows[0]["common"], rows[0]["size_a"], rows[0]["size_b"]) == (24, 26, 24)


def test_what_is_wrong_is_said_in_keywords() -> None:
    with pytest.raises(lookalike.OptionError, match="^within=4.5 only applies to distances"):
        lookalike.nearest(POINTS, text="vector", within=4.5)
    with pytest.raises(lookalike.OptionError, match="top=0 is not allowed"):
        lookalike.nearest(POINTS, text="vector", distance="l2", top=0)
    with pytest.raises(lookalike.OptionError, match="with distance='l2'; use auto"):
        lookalike.nearest(POINTS, text="vector", distance="l2", method="shingle-merge")
    with pytest.raises(lookalike.OptionError, match="did you mean within"):
        lookalike.nearest(POINTS, text="vector", distance="l2", withn=1)


def test_the_distance_of_two() -> None:
    assert lookalike.compare("abc", "axc", distance="indel").distance == 2
    found = lookalike.compare("kitten", "sitting", distance="edit")
    assert found.distance == 3
    assert isinstance(found.distance, int)
    assert repr(found) == "Comparison(distance=3)"
    assert "<b>3</b>" in found._repr_html_()
    assert lookalike.compare("0, 0", "3, 4", distance="l2").distance == 5.0
    assert lookalike.compare([0, 0], (3, 4.0), distance="l2").distance == 5.0
    assert lookalike.compare("a b c", "a b c").distance is None
    for wrong in ([1, None], [[1]], 5, ["x"]):
        with pytest.raises(lookalike.OptionError, match="expected text or numbers"):
            lookalike.compare(wrong, "1", distance="l2")
    with pytest.raises(lookalike.OptionError, match="a text has type list, expected str"):
        lookalike.compare([1], [2])
    with pytest.raises(lookalike.RunError, match="the second text: the point has 3 numbers"):
        lookalike.compare("0 0", "1 2 3", distance="l2")
