"""Guards of an index in Python: fields come with documents and with texts that are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
from lookalike import DataError, OptionError, RunError  # noqa: E402

FOX = "the quick brown fox jumps over the lazy dog near the river bank"


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Any]:
    with lookalike.Index.create(tmp_path / "seen", differ="numbers", same=["lang", "a.b"]) as made:
        yield made


def ids(answer: Any) -> list[str]:
    return [match.id for match in answer.matches]


def test_fields_come_with_documents_and_with_texts(index: Any) -> None:
    rows = [
        ("en", FOX, None, {"lang": "en", "other": [1]}),
        ("de", FOX, None, {"lang": "de"}),
        ("one", FOX, "of one", {"lang": 1}),
        ("none", FOX, None, {}),
        ("deep", FOX, None, {"lang": "en", "a": {"b": True}}),
    ]
    assert index.add(rows, unless_similar=0.8).added == 5
    for name, _, _, fields in rows:
        assert ids(index.query(FOX, fields=fields)) == [name]
        assert ids(index.query(id=name)) == []
    assert ids(index.query(FOX, fields={"lang": "1"})) == ["one"]
    assert ids(index.query(FOX, fields={"lang": 1.0, "a": None})) == ["one"]
    assert ids(index.query(FOX + " 7", fields={"lang": "en"})) == []
    answers = index.query_many([FOX, FOX], fields=[{"lang": "de"}, {}])
    assert [ids(answer) for answer in answers] == [["de"], ["none"]]
    again = index.add([("x", FOX, None, {"lang": "en"})], unless_similar=0.8).outcomes[0]
    assert (again.outcome, again.like.id) == ("similar", "en")


def test_columns_have_the_fields(tmp_path: Path) -> None:
    table = pa.table({"id": ["a", "b", "c"], "text": [FOX] * 3, "lang": ["en", "de", None]})
    for add in ("add", "load"):
        with lookalike.Index.create(tmp_path / add, same="lang") as made:
            assert getattr(made, add)(table, unless_similar=0.8).added == 3
            assert getattr(made, add)(table).unchanged == 3
            assert ids(made.query(FOX, fields={"lang": "de"})) == ["b"]
            assert ids(made.query(FOX, fields={})) == ["c"]


def test_a_text_without_its_fields_is_refused(index: Any) -> None:
    for call in (
        lambda: index.add([("a", FOX)]),
        lambda: index.query(FOX),
        lambda: index.query_many([FOX]),
    ):
        with pytest.raises(RunError, match=r"lang, a\.b"):
            call()
    assert len(index) == 0
    for fields in (["lang"], "en", {"lang": object()}):
        with pytest.raises(DataError, match="fields"):
            index.query(FOX, fields=fields)
    with pytest.raises(DataError, match="one for each text"):
        index.query_many([FOX], fields=[])


def test_guards_of_the_text_need_no_fields(tmp_path: Path) -> None:
    with lookalike.Index.create(tmp_path / "seen", differ=["numbers", "dates"]) as made:
        made.add({"7": FOX + " 7", "8": FOX + " 8"})
        assert ids(made.query(FOX + " 8")) == ["8"]
        assert ids(made.query(FOX + " 8", fields={"ignored": 1})) == ["8"]


def test_options_have_the_guards(index: Any, tmp_path: Path) -> None:
    assert index.options["differ"] == ["numbers"]
    assert index.options["same"] == ["lang", "a.b"]
    assert (index.stats().differ, index.stats().same) == (["numbers"], ["lang", "a.b"])
    with lookalike.Index.create(tmp_path / "other", **index.options) as other:
        assert other.options == index.options
    with lookalike.Index.create(tmp_path / "plain") as plain:
        assert "differ" not in plain.options
        assert (plain.stats().differ, plain.stats().same) == ([], [])
    with pytest.raises(OptionError, match="not_same"):
        lookalike.Index.create(tmp_path / "refused", not_same="year")
