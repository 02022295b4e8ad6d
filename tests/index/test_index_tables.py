"""An index keeps copies of the tables of words that its options name."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lookalike
import pytest

WEIGHTS = "the\t0.1\nrare\t5\nέλα\t3\n*\t1\n"
STOP_WORDS = "the\nόχι\n"
ROWS = [
    {"id": "a", "text": "the rare one is not the same as one two three"},
    {"id": "b", "text": "the rare one is not the same as one two four"},
    {"id": "c", "text": "όχι αυτό the other έλα one"},
]


def table_of(index: Path) -> Path:
    (table,) = (index / "tables").iterdir()
    return table


@pytest.fixture
def filled(index: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path) -> Path:
    """An index with weights, whose table is gone from where it was."""
    (tmp_path / "idf.tsv").write_text(WEIGHTS, encoding="utf-8")
    index("create", "seen", "--weights", "./idf.tsv", "--shingle", "word:2", "--threshold", "0.5")
    index("add", "seen", write_jsonl("in.jsonl", ROWS))
    (tmp_path / "idf.tsv").unlink()
    return tmp_path / "seen"


def test_a_table_is_kept_as_it_was(filled: Path) -> None:
    table = table_of(filled)
    assert table.name.startswith("weights-")
    assert table.read_text(encoding="utf-8") == WEIGHTS


@pytest.mark.parametrize("name", ["idf.tsv", "./idf.tsv", "a b/é,'\".tsv", "absolute"])
def test_tables_are_found_by_any_name(index: Callable[..., Any], tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(WEIGHTS, encoding="utf-8")
    index("create", "my seen", "--weights", path if name == "absolute" else name)
    shutil.rmtree(path.parent) if path.parent != tmp_path else path.unlink()
    assert index("stats", "my seen", "--json").json["documents"] == 0
    assert table_of(tmp_path / "my seen").read_text(encoding="utf-8") == WEIGHTS


def test_weights_change_what_is_alike(
    run: Callable[..., Any], index: Callable[..., Any], filled: Path
) -> None:
    """The scores are those of `pairs` with the same weights."""
    weights = table_of(filled)
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--weights", weights, "--shingle", "word:2",
        "--threshold", "0.5", "--method", "exact")  # fmt: skip
    (pair,) = [
        json.loads(line) for line in (filled.parent / "pairs.jsonl").read_text().splitlines()
    ]
    (match,) = index("query", "seen", "--id", "a", "--json").json["matches"]
    assert (match["id"], match["resemblance"]) == ("b", pair["resemblance"])


def test_weights_and_containment_go_together(
    run: Callable[..., Any], index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    words = [f"w{i}" for i in range(60)]
    rows = [{"id": "whole", "text": " ".join(words)}, {"id": "part", "text": " ".join(words[:40])}]
    corpus = write_jsonl("in.jsonl", rows)
    corpus.with_name("idf.tsv").write_text("w1\t7\n*\t2\n")
    options = ["--measure", "containment", "--weights", "./idf.tsv"]
    run("pairs", corpus, "-o", "pairs.jsonl", *options, "--method", "exact")
    pair = json.loads(corpus.with_name("pairs.jsonl").read_text())
    index("create", "seen", *options)
    index("add", "seen", corpus)
    index("check", "seen")
    (match,) = index("query", "seen", "--id", "whole", "--json").json["matches"]
    for field in ("resemblance", "containment_ab", "containment_ba"):
        assert match[field] == pair[field]


def test_stop_words_are_kept(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text(STOP_WORDS, encoding="utf-8")
    index("create", "seen", "--shingle", "stopword:3", "--stop-words", "./words.txt")
    (tmp_path / "words.txt").write_text("one\n")
    index("add", "seen", write_jsonl("in.jsonl", ROWS))
    assert table_of(tmp_path / "seen").read_text(encoding="utf-8") == STOP_WORDS
    expected = lookalike.Fingerprinter(
        shingle="stopword:3", stop_words=str(table_of(tmp_path / "seen"))
    )
    for row in ROWS:
        stored = index("get", "seen", row["id"]).json["features"]
        assert stored == len(expected.features(row["text"]))


@pytest.mark.parametrize("listed", ["en", "short"])
def test_a_list_that_is_no_file_needs_no_copy(
    index: Callable[..., Any], tmp_path: Path, listed: str
) -> None:
    index("create", "seen", "--shingle", "stopword:3", "--stop-words", listed)
    assert sorted(os.listdir(tmp_path / "seen")) == ["data", "format"]


def test_an_index_can_be_moved_and_read_where_nobody_can_write(
    index: Callable[..., Any], filled: Path, tmp_path: Path
) -> None:
    before = index("query", "seen", "in.jsonl").stdout
    moved = tmp_path / "deep er" / "é"
    moved.parent.mkdir()
    filled.rename(moved)
    for path in (moved, *moved.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert index("query", moved.relative_to(tmp_path), "in.jsonl").stdout == before
        assert index("check", moved, "--json").json["documents"] == 3
    finally:
        for path in (moved, *moved.rglob("*")):
            path.chmod(0o755)


@pytest.mark.parametrize("action", ["backup", "merge"])
def test_copies_have_tables_of_their_own(
    index: Callable[..., Any], filled: Path, action: str
) -> None:
    before = index("query", "seen", "in.jsonl").stdout
    index("backup", "seen", "copy")
    if action == "merge":
        index("merge", "seen", "copy", "-o", "both")
    made = filled.with_name("both" if action == "merge" else "copy")
    original = table_of(filled)
    assert table_of(made).stat().st_ino != original.stat().st_ino
    shutil.rmtree(filled)
    index("check", made)
    assert index("query", made, "in.jsonl").stdout == before


def test_indexes_of_other_tables_are_not_merged(
    index: Callable[..., Any], filled: Path, tmp_path: Path
) -> None:
    (tmp_path / "idf.tsv").write_text("the\t2\n")
    index("create", "other", "--weights", "idf.tsv", "--shingle", "word:2", "--threshold", "0.5")
    assert "settings differ" in index("merge", "seen", "other", "-o", "new", code=2).stderr
    assert not (tmp_path / "new").exists()


def spoil_removed(table: Path) -> None:
    table.unlink()


def spoil_folder(table: Path) -> None:
    table.unlink()
    table.mkdir()


def spoil_changed(table: Path) -> None:
    table.write_text(WEIGHTS.replace("5", "6"), encoding="utf-8")


def spoil_longer(table: Path) -> None:
    table.write_text(WEIGHTS + "\n", encoding="utf-8")


def spoil_form(table: Path) -> None:
    table.write_text("no table\n")


def spoil_all_tables(table: Path) -> None:
    shutil.rmtree(table.parent)


def spoil_link(table: Path) -> None:
    table.unlink()
    table.symlink_to("nowhere")


@pytest.mark.parametrize(
    "spoil",
    [spoil_removed, spoil_folder, spoil_changed, spoil_longer, spoil_form, spoil_all_tables,
     spoil_link],
)  # fmt: skip
def test_a_spoiled_table_is_named(
    index: Callable[..., Any], filled: Path, spoil: Callable[[Path], None]
) -> None:
    table = table_of(filled)
    spoil(table)
    for words in (["check"], ["query", "--id", "a"], ["add", "in.jsonl"], ["backup", "copy"]):
        refused = index(words[0], "seen", *words[1:], code=2)
        assert str(table) in refused.stderr
        assert refused.stderr.count("\n") == 1
    with pytest.raises(lookalike.LookalikeError):
        lookalike.Index(filled)
    assert not filled.with_name("copy").exists()


def test_an_open_index_notices_a_changed_table_when_it_is_checked(filled: Path) -> None:
    with lookalike.Index(filled) as opened:
        before = opened.query(id="a").matches
        spoil_changed(table_of(filled))
        assert opened.query(id="a").matches == before
        with pytest.raises(lookalike.RunError, match="not as it was stored"):
            opened.check()


@pytest.mark.parametrize(
    ("option", "content"),
    [("--weights", None), ("--weights", "folder"), ("--weights", "no table\n"),
     ("--stop-words", None), ("--stop-words", "folder")],
)  # fmt: skip
def test_a_table_that_cannot_be_used_leaves_no_index(
    index: Callable[..., Any], tmp_path: Path, option: str, content: str | None
) -> None:
    table = tmp_path / "table.txt"
    if content == "folder":
        table.mkdir()
    elif content:
        table.write_text(content)
    words = ["--shingle", "stopword:3"] if option == "--stop-words" else []
    refused = index("create", "new", *words, option, "./table.txt", code=2)
    assert "table.txt" in refused.stderr
    assert not (tmp_path / "new").exists()


def test_the_table_belongs_to_the_index(index: Callable[..., Any], filled: Path) -> None:
    for words in (["query", "--id", "a"], ["add", "in.jsonl"], ["load", "in.jsonl"]):
        refused = index(words[0], "seen", *words[1:], "--weights", table_of(filled), code=2)
        assert "--weights" in refused.stderr


def test_dedup_takes_a_table_of_the_same_content(
    run: Callable[..., Any],
    filled: Path,
    write_jsonl: Callable[..., Path],
    read_jsonl: Callable[[Path], list[dict[str, Any]]],
) -> None:
    new = write_jsonl("new.jsonl", [{"id": "n", "text": ROWS[0]["text"]}])
    words = ["dedup", new, "-o", "out", "--against", "seen", "--shingle", "word:2",
             "--threshold", "0.5", "--quiet"]  # fmt: skip
    assert "--weights" in run(*words, code=2).stderr
    table = filled.with_name("again.tsv")
    table.write_text(WEIGHTS.replace("5", "4"), encoding="utf-8")
    assert "--weights" in run(*words, "--weights", table, code=2).stderr
    table.write_text(WEIGHTS, encoding="utf-8")
    run(*words, "--weights", "./again.tsv", "--overwrite")
    (removed,) = read_jsonl(filled.with_name("out") / "removed.jsonl")
    assert (removed["id"], removed["duplicate_of"]) == ("n", "a")


def test_options_of_python_make_an_equal_index(filled: Path, tmp_path: Path) -> None:
    with lookalike.Index(filled) as opened:
        options: dict[str, Any] = opened.options
        expected = [row.features for row in opened]
        table = table_of(filled)
        assert options["weights"] == str(table)
        with lookalike.Index.create(tmp_path / "again", **options) as again:
            again.merge(opened)
            assert [row.features for row in again] == expected
    assert table_of(tmp_path / "again").name == table.name
