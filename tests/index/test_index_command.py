"""`lookalike index`: output, exit codes and refusals of every action."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from log_file import replace_in_log

ACTIONS = ["create", "add", "load", "query", "remove", "get", "list", "dump", "clusters",
           "changes", "stats", "check", "compact", "backup", "merge"]  # fmt: skip
WORDS = [f"w{i}" for i in range(60)]
TEXT = " ".join(WORDS)
#: One word of 60 differs: 51 of 61 features are common.
NEAR = " ".join([*WORDS[:30], "edit", *WORDS[31:]])
OTHER = "this text has nothing in common with any other text of the index at all"
ROWS = [{"id": "a", "text": TEXT}, {"id": "b", "text": NEAR}, {"id": "c", "text": OTHER}]
NEAR_SCORE = 51 / 61


@pytest.fixture(scope="module")
def prepared(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the index `seen` of three documents, two of them alike."""
    folder = tmp_path_factory.mktemp("prepared")
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (folder / "in.jsonl").write_text(lines, encoding="utf-8")
    for words in (["create", "seen"], ["add", "seen", "in.jsonl"]):
        subprocess.run([binary, "index", *words], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def filled(prepared: Path, tmp_path: Path) -> Path:
    """Copies the prepared index and its input into the test's folder."""
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    return tmp_path / "seen"


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_create_says_how_documents_are_found(index: Callable[..., Any], tmp_path: Path) -> None:
    created = index("create", "seen")
    assert created.stdout == "seen: an empty index, which finds documents by 12 keys of 5 codes\n"
    assert created.stderr == ""
    assert (tmp_path / "seen" / "format").read_text() == "lookalike index 2\n"
    assert names(tmp_path / "seen") == ["data", "format"]
    words = ["--keep", "none", "--threshold", "0.5", "--recall", "0.9", "--json"]
    answer = index("create", "deep/other", *words).json
    assert answer["index"] == "deep/other"
    assert answer["keep"] == "none"
    assert re.fullmatch(r"\d+ keys of \d codes", answer["keys"])
    (tmp_path / "empty").mkdir()
    index("create", "empty")


def test_add_counts_outcomes(index: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    index("create", "seen")
    corpus = write_jsonl("in.jsonl", ROWS)
    said = "3 added, 0 replaced, 0 unchanged, 0 left out as similar, 0 rejected\n"
    assert index("add", "seen", corpus).stdout == said
    more = write_jsonl("more.jsonl", [ROWS[0], {"id": "b", "text": TEXT}, {"id": "d", "text": "x"}])
    assert index("load", "seen", more, "--json").json == {
        "added": 1, "replaced": 1, "unchanged": 1, "similar": 0, "rejected": 0,
    }  # fmt: skip
    like = write_jsonl("like.jsonl", [{"id": "e", "text": TEXT}, {"id": "c", "text": OTHER + " b"}])
    said = "0 added, 1 replaced, 0 unchanged, 1 left out as similar, 0 rejected\n"
    assert index("add", "seen", like, "--unless-similar", "0.9").stdout == said


def test_add_reads_standard_input_and_names_documents_by_rows(
    index: Callable[..., Any], tmp_path: Path
) -> None:
    index("create", "seen")
    index("add", "seen", "-", stdin=f'{{"text": "{TEXT}"}}\n{{"text": "{OTHER}"}}\n')
    (tmp_path / "note.txt").write_text(NEAR)
    index("add", "seen", "note.txt")
    ids = [json.loads(line)["id"] for line in index("list", "seen").stdout.splitlines()]
    assert len(ids) == 3
    assert [name.rpartition(":")[2] for name in ids] == ["1", "2", "1"]
    assert ids[2] == "note.txt:1"


def test_rejected_records_are_counted_and_make_exit_code_3(
    index: Callable[..., Any], tmp_path: Path
) -> None:
    index("create", "seen")
    lines = [json.dumps(ROWS[0]), "no JSON", json.dumps(ROWS[2])]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    added = index("add", "seen", "in.jsonl", "--json", code=3)
    assert (added.json["added"], added.json["rejected"]) == (2, 1)
    assert "in.jsonl:2" in added.stderr
    asked = index("query", "seen", "in.jsonl", code=3)
    assert [json.loads(line)["id"] for line in asked.stdout.splitlines()] == ["a", "c"]


def test_query_prints_matches_best_first(index: Callable[..., Any], filled: Path) -> None:
    assert index("query", "seen", "--text", TEXT).stdout == "1.0000  a\n0.8361  b\n"
    assert index("query", "seen", "--id", "a").stdout == "0.8361  b\n"
    assert index("query", "seen", "--id", "c", code=1).stdout == "no match\n"
    (filled.parent / "probe").write_text(NEAR)
    answer = index("query", "seen", "--file", "probe", "--json").json
    assert answer == {
        "matches": [
            {"id": "b", "resemblance": 1.0, "exact": True},
            {"id": "a", "resemblance": NEAR_SCORE, "exact": True},
        ],
        "truncated": False,
        "candidates": 2,
    }
    asked = index("query", "seen", "--text", "nothing of the kind", "--json", code=1)
    assert asked.json == {"matches": [], "truncated": False, "candidates": 0}


def test_query_of_inputs_prints_a_line_a_document(
    index: Callable[..., Any], filled: Path, write_jsonl: Callable[..., Path]
) -> None:
    asked = write_jsonl("asked.jsonl", [{"id": "p", "text": OTHER}, {"id": "q", "text": "none"}])
    lines = index("query", "seen", asked).stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        {
            "id": "p",
            "matches": [{"id": "c", "resemblance": 1.0, "exact": True}],
            "truncated": False,
            "candidates": 1,
        },
        {"id": "q", "matches": [], "truncated": False, "candidates": 0},
    ]
    index("query", "seen", write_jsonl("asked.jsonl", [{"id": "q", "text": "none"}]), code=1)


def test_thresholds_of_a_query(index: Callable[..., Any], filled: Path) -> None:
    def asked(*words: str) -> list[str]:
        done = index("query", "seen", "--id", "a", "--json", *words, code=None)
        assert done.code == (0 if done.json["matches"] else 1)
        return [match["id"] for match in done.json["matches"]]

    assert asked("--threshold", "0.8") == ["b"]
    assert asked("--threshold", "0.84") == []
    assert asked("--exhaustive") == ["b"]
    assert asked("--threshold", "0.83", "--exhaustive") == ["b"]
    assert asked("--threshold", "0.1", "--exhaustive") == ["b"]
    assert asked("--threshold", "0.1") == ["b"]


def test_estimates_are_marked(index: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    index("create", "seen", "--keep", "none")
    index("add", "seen", write_jsonl("in.jsonl", ROWS))
    line = index("query", "seen", "--text", NEAR, "--top", "1").stdout
    assert line == "1.0000  b  (estimate, +- 0.000)\n"
    (match,) = index("query", "seen", "--text", NEAR, "--top", "1", "--json").json["matches"]
    assert match == {"id": "b", "resemblance": 1.0, "exact": False, "standard_error": 0.0}


def test_limit_and_top(index: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    index("create", "seen")
    rows = [{"id": f"d{i:03}", "text": TEXT} for i in range(130)] + ROWS
    index("add", "seen", write_jsonl("in.jsonl", rows))

    def asked(*words: str) -> tuple[list[str], bool]:
        answer = index("query", "seen", "--text", TEXT, "--json", *words).json
        return [match["id"] for match in answer["matches"]], answer["truncated"]

    equal = ["a"] + [f"d{i:03}" for i in range(130)]
    assert asked() == (equal[:100], True)
    assert asked("--limit", "132") == ([*equal, "b"], False)
    assert asked("--limit", "131") == (equal, True)
    assert asked("--top", "2") == (equal[:2], False)
    assert asked("--top", "5", "--limit", "3") == (equal[:3], True)
    assert asked("--top", "200", "--limit", "200", "--exhaustive") == ([*equal, "b"], False)
    text = index("query", "seen", "--text", TEXT, "--limit", "1").stdout
    assert text == "1.0000  a\n... and perhaps more; raise --limit\n"


def test_an_answer_with_too_many_candidates_says_that_there_may_be_more(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    index("create", "seen", "--clusters", "off")
    rows = [
        {"id": f"d{i:05}", "text": " ".join([*WORDS[:30], f"edit{i}", *WORDS[31:]])}
        for i in range(10_500)
    ]
    index("load", "seen", write_jsonl("in.jsonl", rows))
    answer = index("query", "seen", "--text", TEXT, "--limit", "20000", "--json").json
    assert answer["truncated"]
    assert answer["candidates"] == 10_000
    assert len(answer["matches"]) == 10_000


def test_remove_counts_documents(index: Callable[..., Any], filled: Path) -> None:
    assert index("remove", "seen", "a", "z", "a").stdout == "1 removed, 2 were not there\n"
    assert index("remove", "seen", "b", "--json").json == {"removed": 1, "missing": 0}
    assert index("list", "seen").stdout == '{"id":"c","features":11}\n'


def test_get_and_list(index: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    index("create", "seen", "--keep", "text")
    index("add", "seen", write_jsonl("in.jsonl", ROWS))
    assert index("get", "seen", "b").json == {"id": "b", "features": 56, "text": NEAR}
    missing = index("get", "seen", "z", code=1)
    assert (missing.stdout, missing.stderr) == ("", "")
    listed = index("list", "seen").stdout
    assert [json.loads(line) for line in listed.splitlines()] == [
        {"id": row["id"], "features": size, "text": row["text"]}
        for row, size in zip(ROWS, (56, 56, 11), strict=True)
    ]
    index("create", "copy", "--keep", "text")
    index("add", "copy", "-", stdin=listed)
    assert index("list", "copy").stdout == listed


def test_options_of_reading_belong_to_actions_that_read(index: Callable[..., Any]) -> None:
    options = (
        ["--text-field", "body"],
        ["--id-field", "key"],
        ["--delimiter", "tab"],
        ["--include", "*.txt"],
        ["--follow-links"],
    )
    for option in options:
        said = index("create", "seen", *option, code=2).stderr
        assert f"index create takes no {option[0]}, because it reads no documents" in said
        assert "index add" in said
    index("create", "seen")
    for option in options:
        assert "reads no documents" in index("stats", "seen", *option, code=2).stderr


def test_the_text_field_is_named_when_documents_are_read(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    write_jsonl("in.jsonl", [{"id": "a", "title": OTHER, "summary": TEXT}])
    for action in ("add", "load"):
        index("create", action)
        assert index(action, action, "in.jsonl", "--text-field", "summary").stdout[0] == "1"
        found = index("query", action, "--text", TEXT, "--json").json
        assert [match["resemblance"] for match in found["matches"]] == [1]


def test_stats_have_the_guards(index: Callable[..., Any]) -> None:
    guards = ["--differ", "numbers", "--differ", "price", "--same", "lang"]
    index("create", "guarded", *guards)
    answer = index("stats", "guarded", "--json").json
    assert (answer["differ"], answer["same"]) == (["numbers", "price"], ["lang"])
    assert index("stats", "guarded").stdout.splitlines()[-2:] == [
        "differ     numbers, price",
        "same       lang",
    ]


def test_stats(index: Callable[..., Any], filled: Path) -> None:
    answer = index("stats", "seen", "--json").json
    size = sum(path.stat().st_size for path in filled.rglob("*") if path.is_file())
    assert answer == {
        "documents": 3,
        "bytes": size,
        "keep": "features",
        "keys": "12 keys of 5 codes",
        "threshold": 0.8,
        "differ": [],
        "same": [],
    }
    assert index("stats", "seen").stdout.splitlines() == [
        "documents  3",
        f"bytes      {size:,}",
        "keep       features",
        "keys       12 keys of 5 codes",
    ]
    recall = index("stats", "seen", "--audit", "3", "--json").json["recall"]
    assert recall.keys() == {
        "asked", "estimate", "low", "high", "met", "sampled_documents", "sampled_matches",
    }  # fmt: skip
    assert (recall["estimate"], recall["sampled_documents"], recall["sampled_matches"]) == (1, 3, 2)
    text = index("stats", "seen", "--audit", "3").stdout.splitlines()[-1]
    assert re.fullmatch(
        r"recall     1\.0000 \(.* to 1\.0000\), from 2 matches of 3 documents", text
    )
    index("remove", "seen", "b")
    text = index("stats", "seen", "--audit", "3").stdout.splitlines()[-1]
    assert text == "recall     unknown: none of 2 documents has a match"


def test_check_compact_and_backup(index: Callable[..., Any], filled: Path) -> None:
    said = "seen: all of 3 documents is as it was stored\n"
    assert index("check", "seen").stdout == said
    assert index("check", "seen", "--json").json == {"intact": True, "documents": 3}
    assert re.fullmatch(r"seen: [\d,]+ bytes\n", index("compact", "seen").stdout)
    answer = index("compact", "seen", "--json").json
    assert answer["documents"] == 3
    assert answer["bytes"] >= index("stats", "seen", "--json").json["bytes"]
    assert index("backup", "seen", "copy").stdout == "copy: a copy of seen\n"
    assert index("backup", "seen", "more", "--json").json == {"backup": "more"}
    index("remove", "seen", "a", "b", "c")
    index("compact", "seen")
    shutil.rmtree(filled)
    assert index("check", "copy", "--json").json == {"intact": True, "documents": 3}
    assert index("query", "copy", "--id", "a").stdout == "0.8361  b\n"


def test_merge(index: Callable[..., Any], filled: Path, write_jsonl: Callable[..., Path]) -> None:
    index("create", "new")
    rows = [{"id": "d", "text": TEXT}, {"id": "c", "text": NEAR}, {"id": "a", "text": TEXT}]
    index("add", "new", write_jsonl("new.jsonl", rows))
    assert index("merge", "seen", "new", "-o", "all").stdout == "all: 4 documents\n"
    ids = [json.loads(line)["id"] for line in index("list", "all").stdout.splitlines()]
    assert ids == ["a", "b", "d", "c"]
    answer = index("query", "all", "--text", TEXT).stdout
    assert answer == "1.0000  a\n1.0000  d\n0.8361  b\n0.8361  c\n"
    words = ["seen", "new", "seen", "-o", "more", "--json"]
    assert index("merge", *words).json == {"index": "more", "documents": 4}
    index("check", "more")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "index takes create, add"),
        (["add"], "and an index, 1 given"),
        (["frob", "seen"], "index cannot 'frob'; its actions are create, add, load"),
        (["create", "seen"], "already exists"),
        (["create", "in.jsonl"], "already exists"),
        (["create", "new", "--keep", "bones"], "expected features, text or none"),
        (["create", "new", "--measure", "containment", "--keep", "none"], "leave out --keep none"),
        (["create", "new", "--distance", "cosine"], "no option '--distance'"),
        (["create", "new", "--threshold", "0.01"], "cannot be reached"),
        (["create", "new", "--threshold", "0"], "above 0"),
        (["add", "seen"], "index add needs inputs"),
        (["load", "seen"], "index load needs inputs"),
        (["add", "seen", "gone.jsonl"], "gone.jsonl"),
        (["add", "seen", "in.jsonl", "--unless-similar", "0.5"], "a resemblance of 0.8 on"),
        (["load", "seen", "in.jsonl", "--unless-similar", "0.79"], "a resemblance of 0.8 on"),
        (["add", "seen", "in.jsonl", "--unless-similar", "1.5"], "at most 1"),
        (["query", "seen"], "one of --text, --file, --id, or inputs"),
        (["query", "seen", "--text", "x", "--id", "a"], "one of --text"),
        (["query", "seen", "in.jsonl", "--id", "a"], "one of --text"),
        (["query", "seen", "--id", "z"], "seen: there is no document z"),
        (["query", "seen", "--file", "gone"], "gone: is no file that can be read"),
        (["query", "seen", "--text", "x", "--threshold", "0"], "above 0"),
        (["query", "seen", "--text", "x", "--limit", "0"], "a whole number from 1"),
        (["create", "new", "--clusters", "maybe"], "expected on or off"),
        (["clusters", "seen", "--threshold", "0.79"], "cut at a higher one only"),
        (["clusters", "seen", "--threshold", "1.5"], "at most 1"),
        (["changes", "seen", "--since", "x"], "expected a whole number"),
        (["changes", "seen", "--since", "-1"], "expected a whole number"),
        (["remove", "seen"], "needs the ids"),
        (["get", "seen"], "the id of one document"),
        (["get", "seen", "a", "b"], "the id of one document"),
        (["backup", "seen"], "needs one folder"),
        (["backup", "seen", "x", "y"], "needs one folder"),
        (["backup", "seen", "seen"], "already exists"),
        (["merge", "seen", "seen"], "-o DIR"),
        (["merge", "seen", "seen", "-o", "seen"], "already exists"),
        (["merge", "gone", "seen", "-o", "new"], "gone: there is no index"),
    ],
)
def test_calls_that_cannot_work_say_what_to_do(
    index: Callable[..., Any], filled: Path, words: list[str], said: str
) -> None:
    refused = index(*words, code=2)
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert refused.stdout == ""
    assert names(filled.parent) == ["in.jsonl", "seen"]
    assert names(filled) == ["data", "format"]


@pytest.mark.parametrize("action", [a for a in ACTIONS if a not in ("create", "merge")])
def test_a_folder_that_is_not_an_index_is_refused(
    index: Callable[..., Any], tmp_path: Path, action: str
) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "a b"}\n')
    (tmp_path / "folder").mkdir()
    rest = {"add": ["in.jsonl"], "load": ["in.jsonl"], "query": ["in.jsonl"]}
    rest |= {"remove": ["a"], "get": ["a"], "backup": ["b"]}
    for place in ("folder", "gone"):
        refused = index(action, place, *rest.get(action, []), code=2)
        assert refused.stderr == f"{place}: there is no index; make one with index create\n"
    assert names(tmp_path) == ["folder", "in.jsonl"]


@pytest.mark.parametrize("size", [0, 1025])
@pytest.mark.parametrize("action", ["add", "load"])
def test_an_id_has_1_to_1024_bytes(
    index: Callable[..., Any],
    filled: Path,
    write_jsonl: Callable[..., Path],
    action: str,
    size: int,
) -> None:
    longest = "é" * 512
    index(action, "seen", write_jsonl("more.jsonl", [{"id": longest, "text": TEXT}]))
    assert index("get", "seen", longest).json["id"] == longest
    wrong = {"id": "x" * size, "text": TEXT}
    rows = [{"id": "d", "text": TEXT}, wrong, {"id": "e", "text": NEAR}, wrong]
    added = index(action, "seen", write_jsonl("more.jsonl", rows), "--json", code=3)
    assert (added.json["added"], added.json["rejected"]) == (2, 2)
    said = f"the id has {size} bytes, 1 to 1024 are allowed; left out"
    assert added.stderr == f"more.jsonl:2: {said}\nmore.jsonl:4: {said}\n"
    assert [index("get", "seen", name).json["id"] for name in ("d", "e")] == ["d", "e"]
    assert index("check", "seen", "--json").json["documents"] == 6


def test_an_index_of_a_later_format_is_refused(index: Callable[..., Any], filled: Path) -> None:
    for line, said in (
        ("lookalike index 4\n", "has format 4, this version of Lookalike knows 1 to 3"),
        ("lookalike index 10\n", "has format 10"),
        ("", "there is no index"),
    ):
        (filled / "format").write_text(line)
        assert said in index("query", "seen", "--text", TEXT, code=2).stderr
        assert said in index("remove", "seen", "a", code=2).stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"keep":"features"', b'"keep":"featurez"', "name nothing that is kept"),
        (b'"keep":"features"', b'"keep":[1,2,3,45]', "its settings cannot be read"),
        (b'"clusters":true', b'"clusters":1234', "its settings cannot be read"),
        (b'"clusters":true', b'"clusterz":true', "its settings cannot be read"),
        (b'"keys":12', b'"keys":13', "other keys"),
        (b'"keys":12', b'"keys":[]', "its settings cannot be read"),
        (b'"keys":12', b'"keys":-1', "its settings cannot be read"),
        (b'"codes":5', b'"codes":4', "other keys"),
        (b'{"keep"', b'["keep"', "its settings cannot be read"),
        (b'"options":', b'"optionz":', "its settings cannot be read"),
        (b'"threshold":"0.8"', b'"threshold":"8.0"', "threshold"),
        (b"settings", b"settingz", "its settings cannot be read"),
    ],
)
def test_damaged_settings_are_refused(
    index: Callable[..., Any],
    tmp_path: Path,
    crash_library: Path,
    old: bytes,
    new: bytes,
    said: str,
) -> None:
    """A creation that is killed leaves the settings in the log, where they can be changed."""
    killed = {"LD_PRELOAD": str(crash_library), "KILL_AFTER_SYNC": "1"}
    index("create", "seen", env=killed, code=-signal.SIGKILL)
    (tmp_path / "seen" / "format").write_text("lookalike index 1\n")
    shutil.copytree(tmp_path / "seen", tmp_path / "sound")
    replace_in_log(tmp_path / "seen", old, new)
    for words in (["query", "seen", "--text", TEXT], ["remove", "seen", "a"]):
        refused = index(*words, code=2)
        assert said in refused.stderr
        assert refused.stderr.startswith("seen: ")
    assert index("remove", "sound", "a", "--json").json == {"removed": 0, "missing": 1}


def test_indexes_of_other_settings_are_not_merged(index: Callable[..., Any], filled: Path) -> None:
    for number, words in enumerate(
        (
            ["--shingle", "word:4"],
            ["--keep", "text"],
            ["--normalize", "nfkc"],
            ["--clusters", "off"],
        )
    ):
        index("create", f"other-{number}", *words)
        refused = index("merge", "seen", f"other-{number}", "-o", f"all-{number}", code=2)
        assert "only indexes with equal settings can be merged" in refused.stderr


def test_a_refused_merge_leaves_nothing(index: Callable[..., Any], filled: Path) -> None:
    index("create", "other", "--shingle", "word:4")
    before = names(filled.parent)
    for parts in (
        ["seen", "other"],
        ["other", "seen", "seen"],
        ["seen", "gone"],
        ["seen", "seen."],
    ):
        index("merge", *parts, "-o", "all", code=2)
        assert names(filled.parent) == before
        index("merge", *parts, "-o", "deep/all", code=2)
        assert names(filled.parent) == before
    assert names(filled) == ["data", "format"]


def test_options_of_reading_are_those_of_the_index(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    parts = (" ".join(WORDS[:20]), " ".join(WORDS[20:]))
    page = f"<html><body><p>{parts[0]}</p>\n<p>{parts[1]}</p></body></html>"
    seen = ["--pages", "visible", "--shingle", "word:3", "--keep", "text"]
    index("create", "pages", *seen)
    index("create", "plain", "--pages", "off", "--keep", "text")
    for name in ("pages", "plain"):
        index("add", name, write_jsonl("in.jsonl", [{"id": "a", "text": page}]))
    compared = index("get", "pages", "a").json
    assert compared["text"].split() == TEXT.split()
    assert compared["features"] == len(WORDS) - 2
    assert index("get", "plain", "a").json["text"] == page
    asked = write_jsonl("asked.jsonl", [{"id": "p", "text": page.replace("body", "div")}])
    (match,) = json.loads(index("query", "pages", asked).stdout)["matches"]
    assert match == {"id": "a", "resemblance": 1.0, "exact": True}
    assert index("query", "pages", "--text", TEXT).stdout == "1.0000  a\n"
    counts = index("add", "pages", asked, "--unless-similar", "1", "--json").json
    assert (counts["added"], counts["similar"]) == (0, 1)
    assert index("add", "pages", "in.jsonl", "--json").json["unchanged"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ["query", "seen", "--text", TEXT, "--shingle", "word:1"],
        ["query", "seen", "--text", TEXT, "--normalize", "nfkc"],
        ["add", "seen", "in.jsonl", "--threshold", "0.5"],
        ["add", "seen", "in.jsonl", "--top", "3"],
        ["add", "seen", "in.jsonl", "--pages", "visible"],
        ["add", "seen", "in.jsonl", "--recall", "0.9"],
        ["add", "seen", "in.jsonl", "--keep", "text"],
        ["load", "seen", "in.jsonl", "--clusters", "off"],
        ["load", "seen", "in.jsonl", "-o", "out"],
        ["query", "seen", "--text", TEXT, "--unless-similar", "0.9"],
        ["query", "seen", "--text", TEXT, "--since", "3"],
        ["stats", "seen", "--threshold", "0.9"],
        ["clusters", "seen", "--limit", "7"],
        ["changes", "seen", "--threshold", "0.9"],
        ["create", "new", "--audit", "3"],
        ["remove", "seen", "a", "--id", "a"],
    ],
)
def test_options_without_effect_are_refused(
    index: Callable[..., Any], filled: Path, words: list[str]
) -> None:
    refused = index(*words, code=2)
    assert words[-2] in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert names(filled.parent) == ["in.jsonl", "seen"]
    assert index("stats", "seen", "--json").json["documents"] == 3


@pytest.mark.parametrize(
    "words", [["--shingle", "word:5"], ["--pages", "auto"]], ids=["shingle", "pages"]
)
def test_options_of_another_index_are_refused_even_if_they_are_the_usual_ones(
    index: Callable[..., Any], filled: Path, words: list[str]
) -> None:
    index("create", "other", "--shingle", "word:4", "--pages", "off")
    assert words[0] in index("query", "other", "--text", TEXT, *words, code=2).stderr
    assert words[0] in index("add", "other", "in.jsonl", *words, code=2).stderr


@pytest.mark.parametrize(
    "action", ["create", "list", "clusters", "changes", "stats", "check", "compact"]
)
def test_words_without_effect_are_refused(
    index: Callable[..., Any], filled: Path, action: str
) -> None:
    place = "new" if action == "create" else "seen"
    assert index(action, place, "more", code=None).code == 2


@pytest.mark.parametrize("action", ["add", "load"])
def test_of_a_result_of_dedup_the_kept_documents_are_added(
    run: Callable[..., Any], index: Callable[..., Any], write_jsonl: Callable[..., Path], action: str
) -> None:
    texts = [" ".join(f"w{i}-{j}" for j in range(30)) for i in range(3)]
    rows = [{"id": str(i), "text": text} for i, text in enumerate([*texts, texts[0]])]
    run("dedup", write_jsonl("in.jsonl", rows), "-o", "result")
    index("create", "seen")
    counts = index(action, "seen", "result", "--json").json
    assert counts == {"added": 3, "replaced": 0, "unchanged": 0, "similar": 0, "rejected": 0}


def test_a_command_of_the_path_finds_the_library_of_the_index(
    binary: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [binary.name, "index", "create", "seen"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{binary.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_page_is_asked_for_by_its_text(index: Callable[..., Any], tmp_path: Path) -> None:
    words = " ".join(f"word{i}" for i in range(40))
    page = f"<html><head><script>var x = 1;</script></head><body><p>{words}</p></body></html>"
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.html").write_text(page)
    (tmp_path / "other.html").write_text(page.replace("var x", "let y"))
    index("create", "seen")
    index("add", "seen", "pages")
    (match,) = index("query", "seen", "--file", "other.html", "--json").json["matches"]
    assert match["resemblance"] == 1


def test_a_folder_as_a_file_is_refused_for_what_it_is(
    index: Callable[..., Any], filled: Path
) -> None:
    refused = index("query", "seen", "--file", "seen", code=2)
    assert "standard output" not in refused.stderr
    assert refused.stderr.startswith("seen: ")


@pytest.mark.parametrize("name", ["CURRENT", "LOCK"])
def test_only_a_lock_is_said_to_be_another_process(
    index: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    index("create", "blocks")
    (tmp_path / "blocks" / "data" / name).unlink()
    (tmp_path / "blocks" / "data" / name).mkdir()
    refused = index("remove", "blocks", "a", code=2)
    assert "another process" not in refused.stderr


def test_readers_change_nothing(index: Callable[..., Any], filled: Path) -> None:
    def content() -> dict[str, bytes]:
        paths = [path for path in sorted(filled.rglob("*")) if path.is_file()]
        return {str(path): path.read_bytes() for path in paths}

    before = content()
    index("query", "seen", "--id", "a")
    index("query", "seen", "--text", TEXT, "--exhaustive")
    for action in ("list", "clusters", "changes", "stats", "check"):
        index(action, "seen")
    index("backup", "seen", "copy")
    assert content() == before


def test_unless_similar_takes_time_in_proportion_to_the_documents(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    rows = [{"id": f"d{i}", "text": f"a{i} b{i * i} c{i + 1} d e f g h{i}"} for i in range(6000)]
    took = []
    for count in (1500, 6000):
        index("create", f"index-{count}")
        corpus = write_jsonl("in.jsonl", rows[:count])
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        index("load", f"index-{count}", corpus, "--unless-similar", "0.9")
        took.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    assert took[1] < 7 * took[0]
