"""Guards: documents that are alike but differ in numbers, dates, a field or a pattern stay.

Kept sets, witnesses and guarded pairs are compared with those of the definition, from all pairs.
"""

from __future__ import annotations

import collections
import csv
import json
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from word_features import features, resemblance

THRESHOLD = 0.8
Rows = list[dict[str, Any]]
Tokens = collections.Counter[str]

MONTHS = {"may": 5, "june": 6}


def letters(number: int) -> str:
    """A word without digits."""
    return "w" + "".join(chr(97 + int(d)) for d in str(number))


def documents(families: int, seed: int, largest: int = 6, words: int = 110) -> Rows:
    """Families of texts whose members differ in words, numbers, dates, references or fields."""
    draw = random.Random(seed)
    rows: Rows = []
    for family in range(families):
        text = [letters(draw.randrange(5000)) for _ in range(words)]
        for member in range(draw.randrange(1, largest)):
            own = text.copy()
            if member and draw.random() < 0.6:
                own[draw.randrange(20, words)] = letters(draw.randrange(5000))
            own[3] = str(draw.choice([7, 7, 8, 12]))
            own[5] = str(draw.choice([7, 12]))
            own[7:10] = [str(draw.choice([3, 3, 4])), draw.choice(["may", "june"]), "2021"]
            own[12] = "ref" + draw.choice(["aa", "aa", "bb"])
            row = {"id": f"f{family}-{member}", "text": " ".join(own)}
            row["lang"] = draw.choice(["en", "en", "de", None, 1, 1.0, "1", True, ["en"]])
            if draw.random() < 0.2:
                del row["lang"]
            row["year"] = draw.choice([2020, 2021])
            rows.append(row)
    draw.shuffle(rows)
    return rows


def value(row: dict[str, Any], name: str) -> str | None:
    """A field as text: 1 and 1.0 are equal, and so is "1", which is how CSV writes it."""
    found = row.get(name)
    if found is None or isinstance(found, str):
        return found
    if isinstance(found, float) and found == int(found):
        return str(int(found))
    return json.dumps(found)


def tokens(guard: str, row: dict[str, Any]) -> Tokens:
    text = row["text"]
    if guard == "numbers":
        return Tokens(re.findall(r"\d+(?:[.,']\d+)*", text))
    if guard == "dates":
        found = re.findall(r"(\d+) (may|june) (\d{4})", text)
        return Tokens(f"{y}-{MONTHS[m]:02}-{int(d):02}" for d, m, y in found)
    if guard.startswith("regex:"):
        return Tokens(re.findall(guard.removeprefix("regex:"), text))
    found_value = value(row, guard)
    return Tokens([] if found_value is None else [found_value])


class Truth:
    """The result by the definition."""

    def __init__(
        self,
        rows: Rows,
        differ: list[str],
        same: list[str] | None = None,
        not_same: list[str] | None = None,
        reference: int = 0,
    ):
        self.removed: dict[str, str] = {}
        self.guarded: dict[tuple[str, str], dict[str, list[list[str]]]] = {}
        self.edges: set[tuple[str, str]] = set()
        sets = [features(row["text"], 5) for row in rows]
        kept: list[int] = []
        alike: list[tuple[int, int]] = []
        for d, row in enumerate(rows):
            witness = None
            for a in range(d):
                other = rows[a]
                if d < reference or resemblance(sets[a], sets[d]) < THRESHOLD:
                    continue
                if any(value(row, f) != value(other, f) for f in same or []):
                    continue
                if any(value(row, f) == value(other, f) for f in not_same or []):
                    continue
                if any(tokens(g, row) != tokens(g, other) for g in differ):
                    alike.append((a, d))
                    continue
                self.edges.add((other["id"], row["id"]))
                if witness is None and a in kept:
                    witness = a
            if witness is None:
                kept.append(d)
            else:
                self.removed[row["id"]] = rows[witness]["id"]
        self.kept = [rows[i]["id"] for i in kept if i >= reference]
        for a, d in alike:
            if a in kept and d in kept:
                pair = rows[a]["id"], rows[d]["id"]
                self.guarded[pair] = self.difference(differ, rows[a], rows[d])

    @staticmethod
    def difference(
        guards: list[str], a: dict[str, Any], d: dict[str, Any]
    ) -> dict[str, list[list[str]]]:
        found = {}
        for guard in guards:
            of_a, of_d = tokens(guard, a), tokens(guard, d)
            if of_a != of_d:
                only = (of_a - of_d).elements(), (of_d - of_a).elements()
                found[guard] = [sorted(only[0]), sorted(only[1])]
        return found


class Result:
    """What a run of dedup wrote."""

    def __init__(self, folder: Path, name: str = "in.jsonl"):
        def lines(file: str) -> Rows:
            return [json.loads(line) for line in (folder / file).open(encoding="utf-8")]

        self.kept = [row["id"] for row in lines(f"kept/{name}")]
        self.removed = {row["id"]: row["duplicate_of"] for row in lines("removed.jsonl")}
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.lines = lines("guarded.jsonl") if (folder / "guarded.jsonl").exists() else None
        self.guarded = {(row["a"], row["b"]): row["differ"] for row in self.lines or []}

    def check(self, truth: Truth) -> None:
        assert self.kept == truth.kept
        assert self.removed == truth.removed
        assert self.guarded == truth.guarded
        assert len(self.lines or []) == len(truth.guarded)
        assert self.manifest.get("guarded_pairs", 0) == len(truth.guarded)
        assert all(row["resemblance"] >= THRESHOLD for row in self.lines or [])
        recall = self.manifest["recall"]
        assert recall["left_over"] == 0, "pairs that guards keep apart are not missed"
        assert recall["estimate"] in (None, 1)


def flags(name: str, values: list[str]) -> list[str]:
    return [part for each in values for part in (f"--{name}", each)]


METHODS = {
    "exact": ["--method", "exact"],
    "lsh": ["--method", "lsh", "--recall", "0.9999"],
    "merge": ["--method", "shingle-merge"],
}
GUARDS = [
    ["numbers"],
    ["dates"],
    ["lang"],
    ["year"],
    ["regex:ref[a-z]+"],
    ["numbers", "lang"],
    ["regex:ref[a-z]+", "dates", "year"],
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("guards", GUARDS, ids="+".join)
def test_guards_are_part_of_the_definition(
    run: Callable, write_jsonl: Callable, tmp_path: Path, guards: list[str], method: str
) -> None:
    rows = documents(60, seed=len(guards[0]))
    write_jsonl("in.jsonl", rows)
    truth = Truth(rows, guards)
    assert truth.guarded
    assert truth.removed
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags("differ", guards), *METHODS[method])
    Result(tmp_path / "out").check(truth)


def test_without_guards_there_is_no_file(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(20, seed=3)
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    result = Result(tmp_path / "out")
    result.check(Truth(rows, []))
    assert result.lines is None
    assert "guarded_pairs" not in result.manifest


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("same", "not_same"),
    [(["lang"], []), ([], ["year"]), (["lang"], ["year"]), (["lang", "year"], [])],
)
def test_same_and_not_same(
    run: Callable,
    write_jsonl: Callable,
    tmp_path: Path,
    same: list[str],
    not_same: list[str],
    method: str,
) -> None:
    rows = documents(60, seed=9)
    write_jsonl("in.jsonl", rows)
    truth = Truth(rows, [], same, not_same)
    assert truth.removed
    assert len(truth.removed) < len(Truth(rows, []).removed)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags("same", same),
        *flags("not-same", not_same), *METHODS[method])  # fmt: skip
    Result(tmp_path / "out").check(truth)


def test_same_and_guards_together(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    rows = documents(60, seed=10)
    write_jsonl("in.jsonl", rows)
    for not_same in ([], ["year"]):
        truth = Truth(rows, ["numbers"], ["lang"], not_same)
        run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--quiet", "--differ", "numbers",
            "--same", "lang", *flags("not-same", not_same))  # fmt: skip
        Result(tmp_path / "out").check(truth)


@pytest.mark.parametrize("keep", ["longest", "field:year:desc"])
def test_other_keep_orders(run: Callable, write_jsonl: Callable, tmp_path: Path, keep: str) -> None:
    rows = documents(60, seed=11)
    write_jsonl("in.jsonl", rows)
    key = (lambda r: -len(r["text"])) if keep == "longest" else (lambda r: -r["year"])
    truth = Truth(sorted(rows, key=key), ["numbers"])
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "numbers", "--keep", keep)
    result = Result(tmp_path / "out")
    assert sorted(result.kept) == sorted(truth.kept)
    assert result.removed == truth.removed
    assert result.guarded == truth.guarded


def test_components_list_the_same_pairs(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(40, seed=12)
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "lang", "--cluster", "components")
    Result(tmp_path / "out").check(Truth(rows, ["lang"]))


@pytest.mark.parametrize(
    "options", [["--differ", "numbers"], ["--same", "lang"], ["--not-same", "year"]], ids=" ".join
)
def test_pairs(run: Callable, write_jsonl: Callable, tmp_path: Path, options: list[str]) -> None:
    rows = documents(60, seed=13)
    write_jsonl("in.jsonl", rows)
    name, given = options[0].removeprefix("--"), [options[1]]
    truth = Truth(
        rows,
        given if name == "differ" else [],
        given if name == "same" else [],
        given if name == "not-same" else [],
    )
    for method in METHODS.values():
        run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--quiet", *options, *method)
        lines = [json.loads(line) for line in (tmp_path / "pairs.jsonl").open()]
        assert {(row["a"], row["b"]) for row in lines} == truth.edges
        assert len(lines) == len(truth.edges)


def test_a_reference_is_guarded_too(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    rows = documents(60, seed=14)
    reference, own = rows[:70], rows[70:]
    write_jsonl("in.jsonl", own)
    write_jsonl("ref.jsonl", reference)
    for guards, not_same in ((["numbers"], []), (["lang"], []), ([], ["year"])):
        truth = Truth(rows, guards, [], not_same, reference=70)
        assert truth.removed
        run("dedup", "in.jsonl", "--against", "ref.jsonl", "-o", "out", "--overwrite", "--quiet",
            *flags("differ", guards), *flags("not-same", not_same))  # fmt: skip
        result = Result(tmp_path / "out")
        result.check(truth)
        ids = {row["id"] for row in reference}
        for line in result.lines or []:
            assert line.get("a_reference", False) == (line["a"] in ids)
            assert "b_reference" not in line


def numbered_template(groups: int, seed: int) -> Rows:
    """A template with a number for each group; both documents of a group have it."""
    draw = random.Random(seed)
    template = [letters(draw.randrange(5000)) for _ in range(200)]
    rows: Rows = []
    for group in range(groups):
        for member in range(2):
            own = template.copy()
            own[100] = str(group)
            if member:
                own[150] = letters(draw.randrange(5000))
            rows.append({"id": f"g{group}-{member}", "text": " ".join(own)})
    draw.shuffle(rows)
    return rows


@pytest.mark.parametrize("words", [200, 9])
def test_documents_of_one_guard_find_each_other_in_a_large_template(
    run: Callable, write_jsonl: Callable, tmp_path: Path, words: int
) -> None:
    """A thousand documents share all keys, and leaders of other guards represent none of them."""
    rows = numbered_template(500, 15)
    if words < 200:
        for row in rows:
            row["number"], member = row["id"].split("-")
            text = ["the", "same", "nine", "words", "that", "are", "in", "all", "texts"]
            row["text"] = " ".join(text if member == "0" else reversed(text))
    write_jsonl("in.jsonl", rows)
    options = (
        ["--differ", "numbers"] if words == 200 else ["--differ", "number", "--shingle", "word:1"]
    )
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--method", "lsh", *options)
    result = Result(tmp_path / "out")
    assert len(result.kept) == 500
    assert result.manifest["recall"]["estimate"] == 1
    assert all(a.split("-")[0] == b.split("-")[0] for a, b in result.removed.items())
    assert result.lines
    assert len(result.lines) < 100 * 500, "not all pairs of the template"


def test_equal_bytes_however_it_is_run(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(300, seed=16)
    write_jsonl("in.jsonl", rows)
    options = ["--differ", "numbers", "--differ", "regex:ref[a-z]+", "--not-same", "year"]
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--threads", "1"], {}),
        (["--threads", "2"], {}),
        (["--threads", "16", "--memory", "96MiB"], {}),
        ([], {"LOOKALIKE_STRESS": "spill"}),
        ([], {"LOOKALIKE_STRESS": "resume"}),
        ([], {"LOOKALIKE_STRESS": "lanes"}),
        ([], {"LOOKALIKE_STRESS": "collide"}),
    ]
    seen = set()
    for way, env in ways:
        run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--quiet", *options, *way, env=env)
        files = ("kept/in.jsonl", "removed.jsonl", "clusters.jsonl", "guarded.jsonl")
        seen.add(tuple((tmp_path / "out" / name).read_bytes() for name in files))
    assert len(seen) == 1
    assert next(iter(seen))[3].count(b"\n") > 20


def test_a_killed_run_is_resumed(
    binary: Path, run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(3000, seed=17)
    write_jsonl("in.jsonl", rows)
    command = ["dedup", "in.jsonl", "--quiet", "--differ", "numbers", "--differ", "lang"]
    run(*command, "-o", "whole")
    for wait in (0.1, 0.3, 0.6):
        process = subprocess.Popen([binary, *command, "-o", "out", "--resume"], cwd=tmp_path)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
    run(*command, "-o", "out", "--resume")
    for name in ("kept/in.jsonl", "removed.jsonl", "guarded.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert run(*command, "-o", "out", "--resume", "--json").json["was_complete"]
    other = run(*command[:-2], "-o", "out", "--resume", code=None)
    assert other.code == 2, "other guards are another result"


@pytest.mark.parametrize("method", ["lsh", "exact", "merge"])
def test_tasks_agree_with_one_run(
    run: Callable, write_jsonl: Callable, tmp_path: Path, method: str
) -> None:
    rows = documents(80, seed=18)
    write_jsonl("a.jsonl", rows[:100])
    write_jsonl("b.jsonl", rows[100:])
    options = ["--differ", "numbers", "--same", "year", "--not-same", "lang", *METHODS[method]]
    run("dedup", "a.jsonl", "b.jsonl", "-o", "whole", "--quiet", *options)
    planned = run("shard", "plan", "a.jsonl", "b.jsonl", "-o", "out", "--job", "job", *options)
    for stage in [line.split()[0] for line in planned.stdout.splitlines() if line.strip()]:
        for task in (0, 1):
            run("shard", "run", "job", stage, "--task", f"{task}/2", "--quiet")
    for name in ("kept/a.jsonl", "kept/b.jsonl", "removed.jsonl", "guarded.jsonl"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_fields_are_the_same_in_every_format(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(60, seed=19)
    for row in rows:
        if not isinstance(row.get("lang"), str):
            row["lang"] = None
        row["price"] = random.Random(row["id"]).choice([1, 2.5, -3])
    write_jsonl("in.jsonl", rows)
    columns = ("id", "text", "lang", "price")
    table = pa.table(
        {
            "id": [r["id"] for r in rows],
            "text": [r["text"] for r in rows],
            "lang": pa.array([r["lang"] for r in rows]).dictionary_encode(),
            "price": pa.array([r["price"] for r in rows], pa.float64()),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    with (tmp_path / "in.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([r[c] for c in columns] for r in rows)
    removed = []
    for name in ("in.jsonl", "in.parquet", "in.csv"):
        run("dedup", name, "-o", "out", "--overwrite", "--quiet",
            "--differ", "price", "--same", "lang")  # fmt: skip
        lines = [json.loads(line) for line in (tmp_path / "out/removed.jsonl").open()]
        removed.append({line["id"]: line["duplicate_of"] for line in lines})
    assert removed[0] == Truth(rows, ["price"], ["lang"]).removed
    assert removed[1] == removed[0]
    assert removed[2] == removed[0]


def test_nested_fields_and_lists(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    text = " ".join(letters(i) for i in range(40))
    values: list[Any] = [
        ["a", 1],
        ["a", 1],
        ["a", 1.5],
        ["a"],
        {"x": None},
        {"x": None},
        'a\u00e9"b',
    ]
    rows = [{"id": str(i), "text": text, "meta": {"tags": v}} for i, v in enumerate(values)]
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "meta.tags")
    result = Result(tmp_path / "out")
    assert result.kept == ["0", "2", "3", "4", "6"]
    assert result.guarded["0", "2"] == {"meta.tags": [['["a",1]'], ['["a",1.5]']]}
    assert result.guarded["0", "6"]["meta.tags"][1] == ['a\u00e9"b']


def test_digits_of_other_scripts(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    words = " ".join(letters(i) for i in range(60))
    texts = ["7 and 1.5", "\u0667 and \u0661\u066b\u0665", "\uff17 and 1\uff0e5", "\u0668 and 1.5"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": f"{words} {t}"} for i, t in enumerate(texts)])
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "numbers")
    result = Result(tmp_path / "out")
    assert result.kept == ["0", "3"]
    assert result.guarded == {("0", "3"): {"numbers": [["7"], ["8"]]}}


def test_dates_are_compared_as_dates(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    words = " ".join(letters(i) for i in range(90))
    texts = ["3 May 2021", "2021-05-03", "May 3rd, 2021", "2021-05-04", "05/03/2021"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": f"{words} {t}."} for i, t in enumerate(texts)])
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "dates")
    result = Result(tmp_path / "out")
    assert result.kept == ["0", "3", "4"]
    assert result.guarded["0", "3"] == {"dates": [["2021-05-03"], ["2021-05-04"]]}
    assert result.guarded["0", "4"] == {"dates": [["2021-05-03"], ["5/3/2021"]]}


def test_only_the_visible_text_of_pages_counts(run: Callable, tmp_path: Path) -> None:
    words = " ".join(letters(i) for i in range(60))
    pages = tmp_path / "in"
    pages.mkdir()
    for name, hidden, shown in (("a", 1, 5), ("b", 2, 5), ("c", 1, 6)):
        body = f"<p id='x{hidden}'>{words} {shown}</p><script>{hidden}</script>"
        (pages / f"{name}.html").write_text(f"<html><body>{body}</body></html>")
    run("dedup", "in", "-o", "out", "--quiet", "--differ", "numbers")
    lines = [json.loads(line) for line in (tmp_path / "out/removed.jsonl").open()]
    assert len(lines) == 1
    assert lines[0]["id"].startswith("b.html")


def test_a_hostile_expression_ends(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    words = " ".join(letters(i) for i in range(60))
    rows = [{"id": str(i), "text": f"{words} {'a' * 3000} {i % 2}"} for i in range(6)]
    write_jsonl("in.jsonl", rows)
    began = time.monotonic()
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--differ", "regex:(a|a|aa)+$")
    assert time.monotonic() - began < 30
    assert Result(tmp_path / "out").kept == ["0", "1"], "the whole text stands in for its matches"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--differ", "regex:("], "regular expression"),
        (["--differ", "regex:"], "empty"),
        (["--differ", "nosuchfield"], "nosuchfield"),
        (["--same", "nosuchfield"], "nosuchfield"),
        (["--not-same", "lang", "--same", "lang"], "--not-same"),
        (["--differ", "numbers", "--measure", "containment"], "containment"),
    ],
)
def test_refusals(
    run: Callable, write_jsonl: Callable, tmp_path: Path, options: list[str], said: str
) -> None:
    write_jsonl("in.jsonl", documents(3, seed=20))
    finished = run("dedup", "in.jsonl", "-o", "out", *options, code=None)
    assert finished.code == 2
    assert said in finished.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--same", "--not-same", "--differ"])
@pytest.mark.parametrize("inputs", [["texts"], ["texts/a.txt", "texts/b.md"], ["texts/*.txt"]])
def test_texts_have_no_fields_to_compare(
    run: Callable, write_jsonl: Callable, tmp_path: Path, option: str, inputs: list[str]
) -> None:
    (tmp_path / "texts").mkdir()
    for name in ("a.txt", "b.md", "c.txt"):
        (tmp_path / "texts" / name).write_text(" ".join(letters(i) for i in range(60)))
    for command in (["dedup", "-o", "out"], ["pairs", "-o", "pairs.jsonl"]):
        finished = run(*command, *inputs, option, "lang", code=2)
        assert "is a text without fields, as all inputs are" in finished.stderr
        assert f'{option} names the field "lang"; pass records' in finished.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["texts"]
    run("dedup", *inputs, "-o", "numbers", "--quiet", "--differ", "numbers")
    (tmp_path / "a.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: conversion\r\nlang: en\r\nContent-Length: 7\r\n\r\none two\r\n\r\n"
    )
    run("dedup", "a.warc", "-o", "headers", "--quiet", option, "lang")
    write_jsonl("more.jsonl", [{"id": "1", "text": "a record", "lang": "en"}])
    run("dedup", *inputs, "more.jsonl", "-o", "mixed", "--quiet", option, "lang")


def test_sketches_have_nothing_to_guard(run: Callable, write_jsonl: Callable) -> None:
    write_jsonl("in.jsonl", documents(3, seed=21))
    run("sketch", "in.jsonl", "-o", "in.sketches", "--quiet")
    finished = run("dedup", "in.sketches", "-o", "out", "--differ", "numbers", code=None)
    assert finished.code == 2
    finished = run("pairs", "in.jsonl", "-o", "p.jsonl", "--same", "lang", "--verify", "sketch",
                   code=None)  # fmt: skip
    assert finished.code == 2
    assert "--verify" in finished.stderr


def test_an_index_is_refused_as_reference(run: Callable, write_jsonl: Callable) -> None:
    write_jsonl("in.jsonl", documents(3, seed=22))
    run("index", "create", "seen")
    run("index", "add", "seen", "in.jsonl")
    finished = run(
        "dedup", "in.jsonl", "-o", "out", "--against", "seen", "--same", "lang", code=None
    )
    assert finished.code == 2
    assert "index" in finished.stderr
