"""From results back to the data: rows, inputs, ids of their own type, the index of pandas."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from python_texts import LONG, TEXTS

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

OTHER = "a text that is not like any of those beside it, at least"
#: Documents 2 and 4 are alike, and all ids are equal.
TWINS = pa.table({"id": [7, 7, 7, 7], "text": [TEXTS[1], LONG, OTHER, LONG + "!"]})
PLACES = ["source_a", "row_a", "source_b", "row_b"]


def test_pairs_say_rows_where_ids_repeat() -> None:
    found = lookalike.pairs(TWINS).to_arrow()
    assert found.select(["a", "b", "row_a", "row_b"]).to_pylist() == [
        {"a": 7, "b": 7, "row_a": 2, "row_b": 4}
    ]
    assert found.schema.field("row_a").type == pa.int64()
    assert "source_a" not in found.column_names  # a table has no name
    texts = TWINS["text"].to_pylist()
    assert texts[found["row_b"][0].as_py() - 1] == LONG + "!"


def test_pairs_of_paths_say_inputs(lines: Any) -> None:
    one = lines("one.jsonl", [{"text": OTHER}, {"text": LONG}])
    two = lines("two.jsonl", [{"text": LONG}])
    found = lookalike.pairs([one, two]).to_arrow().select(PLACES)
    assert found.to_pylist() == [
        {"source_a": "one.jsonl", "row_a": 2, "source_b": "two.jsonl", "row_b": 1}
    ]
    across = lookalike.pairs(TWINS, against=one).to_arrow()
    assert "source_a" not in across.column_names
    assert across["row_a"].to_pylist() == [2, 3, 4]
    assert across["source_b"].to_pylist() == ["one.jsonl"] * 3
    assert across["row_b"].to_pylist() == [2, 1, 2]


def test_neighbours_say_rows_of_sets_and_of_points(lines: Any) -> None:
    near = lookalike.nearest(TWINS).to_arrow()
    assert near.select(["id", "row", "neighbour", "neighbour_row"]).to_pylist() == [
        {"id": 7, "row": 2, "neighbour": 7, "neighbour_row": 4},
        {"id": 7, "row": 4, "neighbour": 7, "neighbour_row": 2},
    ]
    points = pa.table({"id": [1, 1, 1], "v": [[0.0, 0.0], None, [3.0, 4.0]]})
    for found in (
        lookalike.nearest(points, text="v", distance="l2", top=1).to_arrow(),
        lookalike.nearest(points, text="v", distance="l2", top=1, method="exact").to_arrow(),
    ):
        assert list(zip(*(found[n].to_pylist() for n in ("row", "neighbour_row")))) == [
            (1, 3), (3, 1)
        ]  # fmt: skip
    pairs = lookalike.pairs(points, text="v", distance="l2", within=9).to_arrow()
    assert pairs.select(["row_a", "row_b"]).to_pylist() == [{"row_a": 1, "row_b": 3}]
    words = [lines(f"{i}.jsonl", [{"text": w}]) for i, w in enumerate(("color", "colour"))]
    edits = lookalike.pairs(words, distance="edit", within=1).to_arrow()
    assert edits.select(PLACES).to_pylist() == [
        {"source_a": "0.jsonl", "row_a": 1, "source_b": "1.jsonl", "row_b": 1}
    ]


def test_the_command_adds_rows_when_asked(command: Any, lines: Any, tmp_path: Path) -> None:
    path = lines("in.jsonl", [{"text": OTHER}, {"text": LONG}, {"text": LONG}])
    plain = {"a": "in.jsonl:2", "b": "in.jsonl:3", "resemblance": 1.0, "common": 9, "size_a": 9,
             "size_b": 9}  # fmt: skip
    for flags, more in (([], {}), (["--rows"], dict(zip(PLACES, ["in.jsonl", 2, "in.jsonl", 3])))):
        done = command("pairs", path, "-o", tmp_path / "out.jsonl", *flags)
        assert done.returncode == 0, done.stderr
        assert json.loads((tmp_path / "out.jsonl").read_text()) == plain | more
    done = command("nearest", path, "-o", tmp_path / "near.jsonl", "--rows", "--top", "1")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["neighbour_row"] for line in (tmp_path / "near.jsonl").open()] == [3, 2]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.int64(), pa.uint64()], ids=str)
def test_whole_numbers_stay_ids_of_their_type(kind: pa.DataType) -> None:
    ids = [1, 2, 3] if kind != pa.uint64() else [1, 2, 2**64 - 1]
    table = pa.table({"id": pa.array(ids, kind), "text": TEXTS})
    result = lookalike.dedup(table)
    assert result.removed.schema.field("id").type == kind
    assert result.removed["id"].to_pylist() == ids[2:]
    assert result.removed["duplicate_of"].to_pylist() == [1]
    assert result.clusters.schema.field("members").type == pa.list_(kind)
    assert result.clusters["members"].to_pylist() == [[1, ids[2]]]
    assert result.pairs["b"].to_pylist() == ids[2:]
    found = lookalike.pairs(table).to_arrow()
    assert found.select(["a", "b"]).to_pylist() == [{"a": 1, "b": ids[2]}]


def test_ids_of_two_collections_have_each_their_type() -> None:
    numbered = pa.table({"id": [1, 2, 3], "text": TEXTS})
    named = pa.table({"id": ["x"], "text": [LONG]})
    found = lookalike.pairs(numbered, against=named).to_arrow()
    assert found.select(["a", "b"]).to_pylist() == [{"a": 1, "b": "x"}, {"a": 3, "b": "x"}]
    removed = lookalike.dedup(numbered, against=named).removed
    assert removed["id"].to_pylist() == [1, 3]
    assert removed["duplicate_of"].to_pylist() == ["x", "x"]


def test_ids_that_are_no_whole_numbers_or_not_there() -> None:
    texts = pa.table({"id": ["01", "2", "3"], "text": TEXTS})
    assert lookalike.dedup(texts).removed["duplicate_of"].to_pylist() == ["01"]
    some = pa.table({"id": pa.array([None, 2, 3], pa.int64()), "text": TEXTS})
    removed = lookalike.dedup(some).removed
    assert removed["id"].to_pylist() == [3]
    assert removed["duplicate_of"].to_pylist() == [None]  # its row tells which it is
    assert removed["duplicate_of_row"].to_pylist() == [1]
    nested = pa.table({"m": [{"key": i} for i in range(3)], "text": TEXTS})
    assert lookalike.pairs(nested, id="m.key").to_arrow()["b"].to_pylist() == [2]


def test_ids_of_streams_keep_their_type_too() -> None:
    found = lookalike.pairs(TWINS.to_reader()).to_arrow()
    assert found["a"].to_pylist() == [7]


# pandas


def test_the_index_of_pandas_is_kept() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": TEXTS, "n": [1, 2, 3]}, index=["x", "y", "z"])
    result = lookalike.dedup(frame)
    kept = result.to_pandas()
    assert list(kept.index) == ["x", "y"]
    assert kept.equals(frame.loc[["x", "y"]])
    assert list(pickle.loads(pickle.dumps(lookalike.pairs(frame))).to_pandas().index_b) == ["z"]
    assert list(copy.copy(result).to_pandas().index) == ["x", "y"]
    removed = result.removed.to_pandas()
    assert list(frame.iloc[removed["row"] - 1].index) == ["z"]
    assert list(frame.iloc[removed["duplicate_of_row"] - 1].index) == ["x"]
    annotated = lookalike.dedup(frame, output="annotated").to_pandas()
    assert list(annotated.index) == ["x", "y", "z"]


def test_pairs_of_a_data_frame_have_its_labels() -> None:
    pandas = pytest.importorskip("pandas")
    levels = pandas.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    for index in (pandas.RangeIndex(10, 40, 10), pandas.Index(["x", "y", "z"]), levels):
        frame = pandas.DataFrame({"text": TEXTS}, index=index)
        found = lookalike.pairs(frame).to_pandas()
        assert [found["index_a"][0], found["index_b"][0]] == [index[0], index[2]]
        assert "index_a" not in lookalike.pairs(frame).to_arrow().column_names
        near = lookalike.nearest(frame).to_pandas()
        assert list(near["neighbour_index"]) == [index[2], index[0]]
    across = lookalike.pairs(frame, against=pa.table({"text": [LONG]})).to_pandas()
    assert "index_b" not in across.columns
    assert list(across["index_a"]) == [("a", 1), ("b", 1)]


def test_an_index_without_some_rejected_rows(lines: Any) -> None:
    pandas = pytest.importorskip("pandas")
    points = pandas.DataFrame({"v": [[1.0], [1.0, 2.0], [1.5]]}, index=["x", "y", "z"])
    found = lookalike.pairs(points, text="v", distance="l2", within=1).to_pandas()
    assert list(found["index_b"]) == ["z"]
    frame = pandas.DataFrame({"items": [["a", "b"], ["c"], ["b", "a"]]}, index=[5, 6, 7])
    kept = lookalike.dedup(frame, shingle="item").to_pandas()
    assert list(kept.index) == [5, 6]
    bad = lines("bad.jsonl", [{"text": 5}, {"text": LONG}])
    texts = pandas.DataFrame({"text": TEXTS}, index=["x", "y", "z"])
    assert list(lookalike.dedup(texts, against=bad).to_pandas().index) == ["y"]


def test_saved_pairs_have_rows(tmp_path: Path) -> None:
    found = lookalike.pairs(TWINS)
    for name in ("pairs.parquet", "pairs.jsonl"):
        found.save(tmp_path / name)
    parquet = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "pairs.parquet")
    assert parquet.equals(found.to_arrow())
    assert json.loads((tmp_path / "pairs.jsonl").read_text())["row_b"] == 4
