"""Guards of an index: what `dedup` with the same guards keeps and removes, it keeps and removes."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from test_guards import Result, Rows, Truth, documents, flags, numbered_template

SIMILAR = ["--unless-similar", "0.8"]
GUARDS: list[tuple[list[str], list[str]]] = [
    (["numbers"], []),
    (["dates"], []),
    (["lang"], []),
    (["regex:ref[a-z]+"], []),
    ([], ["lang"]),
    ([], ["lang", "year"]),
    (["numbers", "year"], ["lang"]),
]


def options(differ: list[str], same: list[str]) -> list[str]:
    return flags("differ", differ) + flags("same", same)


def ids(finished: Any) -> list[str]:
    return [json.loads(line)["id"] for line in finished.stdout.splitlines()]


def answers(finished: Any) -> dict[str, list[str]]:
    lines = [json.loads(line) for line in finished.stdout.splitlines()]
    return {line["id"]: [match["id"] for match in line["matches"]] for line in lines}


@pytest.mark.parametrize(("action", "keep"), [("add", "features"), ("load", "text")])
@pytest.mark.parametrize(("differ", "same"), GUARDS)
def test_a_collection_added_in_order_is_what_dedup_keeps(
    run: Callable[..., Any],
    index: Callable[..., Any],
    write_jsonl: Callable[..., Any],
    tmp_path: Path,
    differ: list[str],
    same: list[str],
    keep: str,
    action: str,
) -> None:
    rows = documents(40, seed=21 + len(differ))
    write_jsonl("in.jsonl", rows)
    truth = Truth(rows, differ, same)
    assert truth.removed
    assert len(truth.kept) > len(Truth(rows, []).kept)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *options(differ, same))
    result = Result(tmp_path / "out")
    assert (result.kept, result.removed) == (truth.kept, truth.removed)
    index("create", "seen", "--keep", keep, "--recall", "0.999", *options(differ, same))
    index(action, "seen", "in.jsonl", *SIMILAR)
    assert ids(index("list", "seen")) == truth.kept
    index("check", "seen")
    # The witness is the first kept document among those that are found; a kept one finds none
    # but what came later.
    place = {row["id"]: i for i, row in enumerate(rows)}
    found = answers(index("query", "seen", "in.jsonl"))
    witnesses = {name: min(found[name], key=place.__getitem__) for name in truth.removed}
    assert witnesses == truth.removed
    assert all(found[name] == [name] for name in truth.kept)


@pytest.mark.parametrize("exhaustive", [[], ["--exhaustive"]])
@pytest.mark.parametrize("keep", ["features", "text", "none"])
def test_queries_find_what_no_guard_tells_apart(
    index: Callable[..., Any], write_jsonl: Callable[..., Any], keep: str, exhaustive: list[str]
) -> None:
    """Also after documents were removed, whose copies take their places."""
    rows = documents(25, seed=30)
    write_jsonl("in.jsonl", rows)
    index("create", "seen", "--keep", keep, "--recall", "0.999", "--differ", "numbers",
          "--same", "lang")  # fmt: skip
    index("add", "seen", "in.jsonl")
    gone = [row["id"] for row in rows[::5]]
    index("remove", "seen", *gone)
    index("check", "seen")
    left = [row for row in rows if row["id"] not in gone]
    truth = Truth(left, ["numbers"], ["lang"])
    alike = {frozenset(pair) for pair in truth.edges}
    if keep == "none":  # estimates: of those, nothing is said but what guards say
        apart = {frozenset(p) for p in Truth(left, []).edges} - alike
        for row in left:
            found = index("query", "seen", "--id", row["id"], "--json", *exhaustive, code=None)
            for match in found.json["matches"]:
                assert frozenset((row["id"], match["id"])) not in apart
        return
    for row in left:
        found = index("query", "seen", "--id", row["id"], "--json", *exhaustive, code=None)
        others = {match["id"] for match in found.json["matches"]}
        assert others == {o["id"] for o in left if frozenset((row["id"], o["id"])) in alike}
    clusters = index("clusters", "seen", "--json").json["clusters"]
    for cluster in clusters:
        for member in cluster["members"]:
            assert any(frozenset((member, o)) in alike for o in cluster["members"])


def test_another_value_replaces_a_document(
    index: Callable[..., Any], write_jsonl: Callable[..., Any]
) -> None:
    text = " ".join(f"w{chr(97 + i % 26)}{i // 26}" for i in range(60))
    rows = [{"id": "a", "text": text, "lang": "en"}, {"id": "b", "text": text, "lang": "de"}]
    index("create", "seen", "--same", "lang")
    for action in ("add", "load"):
        write_jsonl("in.jsonl", rows)
        first = index(action, "seen", "in.jsonl", "--json").json
        assert index(action, "seen", "in.jsonl", "--json").json["unchanged"] == 2
        write_jsonl("in.jsonl", [rows[0], {**rows[1], "lang": "en"}])
        assert index(action, "seen", "in.jsonl", "--json").json["replaced"] == 1
        assert first["added"] + first["replaced"] > 0
        found = index("query", "seen", "--id", "a", "--json").json["matches"]
        assert [match["id"] for match in found] == ["b"]
    index("check", "seen")


def test_numbers_of_a_text_that_is_asked_for(
    index: Callable[..., Any], write_jsonl: Callable[..., Any]
) -> None:
    text = " ".join(f"w{chr(97 + i % 26)}x" for i in range(60))
    write_jsonl("in.jsonl", [{"id": n, "text": f"{text} {n}"} for n in ("7", "12")])
    index("create", "seen", "--differ", "numbers")
    index("add", "seen", "in.jsonl")
    found = index("query", "seen", "--text", f"{text} 12", "--json").json["matches"]
    assert [match["id"] for match in found] == ["12"]
    index("query", "seen", "--text", f"{text} 8", "--json", code=1)
    index("query", "seen", "--text", f"{text} 8", "--threshold", "0.1", "--json", code=1)


def test_documents_of_one_word_find_each_other_in_a_large_template(
    run: Callable[..., Any], index: Callable[..., Any], write_jsonl: Callable[..., Any]
) -> None:
    """Hundreds of documents would share all keys; leaders of other words must hide none."""
    rows = numbered_template(200, 15)
    write_jsonl("in.jsonl", rows)
    index("create", "seen", "--differ", "numbers", "--recall", "0.999")
    index("load", "seen", "in.jsonl", *SIMILAR)
    seen, kept = set(), []
    for row in rows:
        group = row["id"].split("-")[0]
        if group not in seen:
            kept.append(row["id"])
        seen.add(group)
    assert ids(index("list", "seen")) == kept


def test_the_format_has_a_version_of_its_own(
    index: Callable[..., Any], write_jsonl: Callable[..., Any], tmp_path: Path
) -> None:
    rows = documents(20, seed=31)
    write_jsonl("in.jsonl", rows)
    for name, given, version in (("plain", [], 2), ("guarded", ["--same", "lang"], 3)):
        index("create", name, *given)
        index("add", name, "in.jsonl")
        assert (tmp_path / name / "format").read_text() == f"lookalike index {version}\n"
        index("backup", name, f"{name}-copy")
        assert (tmp_path / f"{name}-copy/format").read_text() == f"lookalike index {version}\n"
        index("merge", name, f"{name}-copy", "-o", f"{name}-both")
        assert ids(index("list", f"{name}-both")) == [row["id"] for row in rows]
        index("check", f"{name}-both")
    assert "settings differ" in index("merge", "plain", "guarded", "-o", "x", code=2).stderr
    shutil.copytree(tmp_path / "guarded", tmp_path / "later")
    (tmp_path / "later/format").write_text("lookalike index 4\n")
    assert "knows 1 to 3" in index("stats", "later", code=2).stderr


def test_refusals(
    run: Callable[..., Any],
    index: Callable[..., Any],
    write_jsonl: Callable[..., Any],
    tmp_path: Path,
) -> None:
    rows = documents(5, seed=33)
    write_jsonl("in.jsonl", rows)
    index("create", "seen", "--same", "lang", "--keep", "text")
    index("add", "seen", "in.jsonl")
    for words, what in (
        (["create", "x", "--not-same", "year"], "--not-same"),
        (["create", "x", "--differ", "regex:("], "regex"),
        (["create", "x", "--measure", "containment", "--differ", "numbers"], "--differ"),
        (["query", "seen", "--text", "some text"], "compare the fields lang"),
        (["query", "seen", "--file", "in.jsonl"], "compare the fields lang"),
        (["dump", "seen"], "compare fields"),
        (["add", "seen", "in.jsonl", "--differ", "numbers"], "fixed by index create"),
    ):
        assert what in index(*words, code=2).stderr
    write_jsonl("other.jsonl", [{"id": "a", "text": "one two"}])
    assert "lang" in index("add", "seen", "other.jsonl", code=None).stderr
    (tmp_path / "plain.txt").write_text("one two")
    assert "is a text without fields" in index("add", "seen", "plain.txt", code=2).stderr
    run("sketch", "in.jsonl", "-o", "in.sketches")
    index("create", "codes", "--differ", "numbers", "--keep", "none")
    assert "sketch file has no texts" in index("load", "codes", "in.sketches", code=2).stderr
    said = run("dedup", "in.jsonl", "--against", "seen", "-o", "out", code=2).stderr
    assert "--same" in said


def rows_with(values: list[Any]) -> Rows:
    text = " ".join(f"w{chr(97 + i % 26)}{i // 26}" for i in range(60))
    return [{"id": str(i), "text": text, "lang": value} for i, value in enumerate(values)]


def test_values_are_equal_as_in_dedup(
    index: Callable[..., Any], write_jsonl: Callable[..., Any]
) -> None:
    write_jsonl("in.jsonl", rows_with([1, 1.0, "1", True, None, [1, 2], {"a": 1}]))
    index("create", "seen", "--same", "lang")
    index("add", "seen", "in.jsonl", *SIMILAR)
    assert ids(index("list", "seen")) == ["0", "3", "4", "5", "6"]
