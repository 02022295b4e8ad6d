"""filter, weights, group, crumbs, evaluate and synth: as the command has them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from python_texts import LONG, TEXTS

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
import pyarrow.parquet as pq  # noqa: E402

SALES = [("ann", "tea", 5), ("bob", "tea", 4), ("ann", "milk", 1), ("bob", "milk", 2),
         ("cyd", "tea", 1)]  # fmt: skip
Write = Callable[[str, list[Any] | bytes], Path]
SESSIONS = ("fXyiE5bZS43", "LcNLKgc7bMg", "a8Hq2Lw9Xz1")


def rows_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def sales() -> Any:
    columns = list(zip(*SALES, strict=True))
    return pa.table(dict(zip(("customer", "article", "stars"), map(list, columns), strict=True)))


def crawl() -> list[dict[str, str]]:
    return [
        {"url": f"http://www.crutchfield.com/S-{session}/list?page={page}",
         "text": f"{LONG} and page {page} of the catalogue " + "with much to tell " * page}
        for session in SESSIONS for page in range(1, 4)
    ]  # fmt: skip


def test_filter_is_that_of_the_command(
    tmp_path: Path, command: Callable[..., Any], lines: Write
) -> None:
    source = lines("in.jsonl", [{"id": str(i), "text": t} for i, t in enumerate(TEXTS)])
    out = tmp_path / "answers.jsonl"
    command("filter", source, "-o", out, "--quiet")
    found = lookalike.filter(source)
    assert found.to_arrow().to_pylist() == rows_in(out)
    assert len(found) == len(TEXTS) == found.summary["records"]["in"]
    assert found.summary["new"] == found.to_arrow()["decision"].to_pylist().count("new")


def test_filter_remembers_between_calls(tmp_path: Path) -> None:
    table, state = pa.table({"text": TEXTS}), tmp_path / "seen.filter"
    first = lookalike.filter(table, state=state)
    again = lookalike.filter(table, state=str(state))
    assert (first.summary["new"], again.summary["new"]) == (2, 0) and state.exists()
    assert again.to_arrow()["decision"].to_pylist() == ["seen"] * 3
    assert repr(again) == "FilterResult(0 new, 3 seen)"
    with pytest.raises(lookalike.RunError):
        lookalike.filter(table, state=state, shingle="char:3")


def test_weights_are_those_of_the_command_and_an_option(
    tmp_path: Path, command: Callable[..., Any], lines: Write
) -> None:
    source = lines("in.jsonl", [{"text": t} for t in TEXTS])
    command("weights", source, "-o", tmp_path / "idf.tsv", "--quiet")
    found = lookalike.weights(source)
    saved = found.save(tmp_path / "saved.tsv")
    assert saved.read_bytes() == (tmp_path / "idf.tsv").read_bytes()
    table = found.to_arrow()
    assert table.column_names == ["word", "weight"] and table["word"][0].as_py() == "*"
    assert len(found) == len(table) - 1
    texts = (TEXTS[0], TEXTS[0] + " and more")
    values = {lookalike.resemblance(*texts, shingle="word:1", weights=w) for w in (found, saved)}
    assert len(values) == 1
    assert lookalike.dedup(pa.table({"text": TEXTS}), weights=found).manifest["records"]["in"]
    with pytest.raises(lookalike.OptionError, match="weights are made for words"):
        lookalike.weights(source, shingle="char:3")


def test_group_is_that_of_the_command(
    tmp_path: Path, command: Callable[..., Any], lines: Write
) -> None:
    source = lines("sales.jsonl", sales().to_pylist())
    command("group", source, "-o", tmp_path / "b.jsonl", "--by", "customer",
            "--item", "article", "--quiet")  # fmt: skip
    found = lookalike.group(sales(), "customer", "article")
    assert found.to_arrow().to_pylist() == rows_in(tmp_path / "b.jsonl")
    assert (len(found), found.summary["items"]) == (3, 5)
    alike = lookalike.pairs(found, text="items", shingle="item", threshold=0.5).to_arrow()
    assert ("ann", "bob") in zip(alike["a"].to_pylist(), alike["b"].to_pylist(), strict=True)


def test_groups_with_weights_are_rated_lists() -> None:
    found = lookalike.group(sales(), by="customer", item="article", weight="stars")
    assert found.to_arrow().to_pylist()[0] == {
        "id": "ann", "items": [{"item": "tea", "weight": 5.0}, {"item": "milk", "weight": 1.0}]
    }  # fmt: skip
    options = {"text": "items", "shingle": "item", "threshold": 0.5}
    liked = lookalike.pairs(found, ratings="at-least:3", **options).to_arrow()
    assert liked["resemblance"].to_pylist() == [1.0]
    for wrong in ({"by": "nope"}, {"item": "nope"}, {"weight": "nope"}):
        with pytest.raises(lookalike.RunError, match="nope"):
            lookalike.group(sales(), **{"by": "customer", "item": "article", **wrong})
    with pytest.raises(lookalike.OptionError, match="by is '', expected the name of a column"):
        lookalike.group(sales(), by="", item="article")


def test_crumbs_are_those_of_the_command(
    tmp_path: Path, command: Callable[..., Any], lines: Write
) -> None:
    source = lines("crawl.jsonl", crawl())
    command("crumbs", source, "-o", tmp_path / "rules.jsonl", "--preset", "crumbs", "--quiet")
    found = lookalike.crumbs(pa.Table.from_pylist(crawl()), preset="crumbs")
    expected = rows_in(tmp_path / "rules.jsonl")
    rows = found.to_arrow().to_pylist()
    assert [row["rule"] for row in rows] == ["/S-*/"] == [line["rule"] for line in expected]
    for row, line in zip(rows, expected, strict=True):
        positions = [{k: v for k, v in p.items() if v is not None} for p in row.pop("positions")]
        assert positions == line.pop("positions")
        assert row == line
    assert len(found) == 1 and "1 proposed" in repr(found)


def test_texts_in_memory_are_the_column_that_is_named() -> None:
    """As other functions take them: the text field is what the column is called."""
    for text in ("text", "body", None):
        assert lookalike.filter(TEXTS, text=text).to_arrow() == lookalike.filter(TEXTS).to_arrow()
        assert len(lookalike.weights(TEXTS, text=text)) == len(lookalike.weights(TEXTS))
    column = pa.array(TEXTS)
    assert lookalike.filter(column, text="body").summary["fields"] == {"text": "body", "id": None}
    with pytest.raises(lookalike.DataError, match="a column of texts"):
        lookalike.filter(pa.table({}))


def test_summaries_name_the_fields_as_the_command_does(
    command: Callable[..., Any], lines: Write, tmp_path: Path
) -> None:
    source = lines("in.jsonl", [{"id": i, **row} for i, row in enumerate(crawl())])
    for name, function in (("filter", lookalike.filter), ("weights", lookalike.weights),
                           ("crumbs", lookalike.crumbs)):  # fmt: skip
        done = command(name, source, "-o", tmp_path / name, "--json")
        assert function(source).summary["fields"] == json.loads(done.stdout)["fields"], name


def test_results_are_saved_pickled_and_not_overwritten(tmp_path: Path) -> None:
    found = lookalike.group(sales(), by="customer", item="article")
    saved = found.save(tmp_path / "b.parquet")
    assert pq.read_table(saved).to_pylist() == found.to_arrow().to_pylist()
    with pytest.raises(lookalike.RunError, match="already exists"):
        found.save(saved)
    found.save(saved, overwrite=True)
    with pytest.raises(lookalike.RunError, match="is a folder"):
        found.save(tmp_path, overwrite=True)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_arrow() == found.to_arrow() and len(again) == len(found)
    assert found.to_pandas().shape == (3, 2) and pa.table(found).num_rows == 3


def test_evaluate_takes_results_tables_and_files(tmp_path: Path) -> None:
    made = lookalike.synth(300, seed=5)
    assert lookalike.synth(300, seed=5).documents == made.documents
    assert made.documents.num_rows == 300 and made.truth["resemblance"].to_pylist()[0] >= 0.5
    found = lookalike.pairs(made.documents, threshold=0.8)
    score = lookalike.evaluate(found, made.truth)
    assert (score.precision, score.recall, score.f1) == (1.0, 1.0, 1.0)
    assert score.found == score.expected == score.correct == len(found)
    saved = found.save(tmp_path / "pairs.jsonl")
    assert lookalike.evaluate(saved, made.truth) == score
    half = lookalike.evaluate(found.to_arrow().slice(0, len(found) // 2), saved, threshold=0.8)
    assert half.precision == 1.0 and half.recall == pytest.approx(0.5, abs=0.05)
    assert half.to_arrow().num_rows == len(half.by_resemblance) > 0
    kept = lookalike.dedup(made.documents, save_to=tmp_path / "out")
    assert lookalike.evaluate(kept, made.truth) == lookalike.evaluate(tmp_path / "out", made.truth)


def test_wrong_scores_and_corpora() -> None:
    truth = pa.table({"a": ["x"], "b": ["y"], "resemblance": [0.9]})
    for threshold in (0, 2, "x"):
        with pytest.raises(lookalike.OptionError, match="threshold"):
            lookalike.evaluate(truth, truth, threshold=threshold)
    with pytest.raises(lookalike.DataError, match="result has no column b, expected pairs"):
        lookalike.evaluate(truth.drop_columns("b"), truth)
    with pytest.raises(lookalike.RunError):
        lookalike.evaluate("no such file.jsonl", truth)
    for wrong in (-1, 2.5, "9", True, 1 << 40):
        with pytest.raises(lookalike.OptionError, match="documents="):
            lookalike.synth(wrong)
    with pytest.raises(lookalike.OptionError, match="duplicates=2"):
        lookalike.synth(9, duplicates=2)
    with pytest.raises(lookalike.OptionError, match="seed"):
        lookalike.synth(9, seed=-1)
    assert lookalike.synth(0).documents.num_rows == 0
