"""Several text fields: documents are near-duplicates if they are alike in each of them.

Kept sets, witnesses and scores are compared with those of the definition, from all pairs.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from word_features import features, resemblance, stream

Rows = list[dict[str, Any]]
METHODS = {
    "exact": ["--method", "exact"],
    "lsh": ["--method", "lsh", "--recall", "0.9999"],
}


def word(number: int) -> str:
    return "w" + "".join(chr(97 + int(digit)) for digit in str(number))


def changed(text: str, changes: int, draw: random.Random) -> str:
    words = text.split()
    for at in draw.sample(range(len(words)), min(changes, len(words))):
        words[at] = word(draw.randrange(9000))
    return " ".join(words)


def documents(families: int, seed: int) -> Rows:
    """Families whose members differ in the title, in the body, in both, or lack one of them."""
    draw = random.Random(seed)
    rows: Rows = []
    for family in range(families):
        title = " ".join(word(draw.randrange(9000)) for _ in range(draw.choice([3, 14, 30])))
        body = " ".join(word(draw.randrange(9000)) for _ in range(draw.choice([40, 120])))
        for member in range(draw.randrange(1, 7)):
            row = {
                "id": f"f{family}-{member}",
                "title": changed(title, draw.choice([0, 0, 0, 1]), draw),
                "body": changed(body, draw.choice([0, 0, 1, 3]), draw),
                "note": draw.choice(["kept as it is", None]),
            }
            for name in ("title", "body"):
                if draw.random() < 0.1:
                    draw.choice([lambda n: row.pop(n), lambda n: row.update({n: ""})])(name)
            rows.append(row)
    draw.shuffle(rows)
    return rows


def best(a: list[Any], b: list[Any], thresholds: list[float]) -> float | None:
    """The greatest resemblance of the fields that reach their thresholds; None if none does."""
    scores = [
        resemblance(of_a, of_b) if of_a and of_b else -1 for of_a, of_b in zip(a, b, strict=True)
    ]
    reached = [found for found, least in zip(scores, thresholds, strict=True) if found >= least]
    return max(reached, default=None)


def score(a: list[Any], b: list[Any], thresholds: list[float]) -> float | None:
    """The least resemblance of all fields; None if one is below its threshold."""
    least = None
    for of_a, of_b, threshold in zip(a, b, thresholds, strict=True):
        if not of_a and not of_b:
            continue
        found = resemblance(of_a, of_b)
        if found < threshold:
            return None
        least = found if least is None else min(least, found)
    return least


def decide(
    rows: Rows, fields: dict[str, float], score: Callable[..., float | None] = score
) -> dict[str, tuple[str, float]]:
    """The removed documents, each with its witness and their score."""
    texts = [[row.get(name) or "" for name in fields] for row in rows]
    sets = [[features(text, 5) for text in own] for own in texts]
    streams = [tuple(tuple(stream(text, 5)) for text in own) for own in texts]
    removed: dict[str, tuple[str, float]] = {}
    kept: list[int] = []
    first_of: dict[Any, int] = {}
    for d, row in enumerate(rows):
        if not any(sets[d]):
            continue
        first = first_of.setdefault(streams[d], d)
        if first != d:
            removed[row["id"]] = removed.get(rows[first]["id"], (rows[first]["id"], 1.0))
            continue
        scores = ((a, score(sets[a], sets[d], list(fields.values()))) for a in kept)
        found = next(((a, s) for a, s in scores if s is not None), None)
        if found is None:
            kept.append(d)
        else:
            removed[row["id"]] = (rows[found[0]]["id"], found[1])
    return removed


def flags(fields: dict[str, float]) -> list[str]:
    words = [part for name in fields for part in ("--text-field", name)]
    return [*words, "--threshold", ",".join(f"{name}={t}" for name, t in fields.items())]


def removed_of(folder: Path) -> dict[str, tuple[str, float]]:
    rows = [json.loads(line) for line in (folder / "removed.jsonl").open(encoding="utf-8")]
    return {row["id"]: (row["duplicate_of"], row["resemblance"]) for row in rows}


FIELDS = [
    {"title": 0.9, "body": 0.8},
    {"title": 0.5, "body": 0.9},
    {"body": 0.6, "title": 0.6},
    {"title": 0.7, "body": 0.7, "note": 1.0},
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fields", FIELDS, ids=lambda fields: ",".join(fields))
def test_documents_are_alike_in_each_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path, fields: dict[str, float], method: str
) -> None:
    rows = documents(150, seed=len(str(fields)))
    write_jsonl("in.jsonl", rows)
    truth = decide(rows, fields)
    assert len(truth) > 50
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags(fields), *METHODS[method])
    assert removed_of(tmp_path / "out") == truth
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["records"]["rejected"] == 0
    assert manifest["recall"]["estimate"] == 1
    assert manifest["recall"]["left_over"] == 0


def test_one_number_is_the_threshold_of_all_fields(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(60, seed=3)
    write_jsonl("in.jsonl", rows)
    both = ["--text-field", "title", "--text-field", "body", "--threshold", "0.7"]
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *both)
    assert removed_of(tmp_path / "out") == decide(rows, {"title": 0.7, "body": 0.7})


def test_pairs_are_scored_by_the_field_in_which_they_are_least_alike(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = [row for row in documents(60, seed=5) if row.get("title") or row.get("body")]
    write_jsonl("in.jsonl", rows)
    fields = {"title": 0.6, "body": 0.6}
    sets = [[features(row.get(name) or "", 5) for name in fields] for row in rows]
    truth = {}
    for d in range(len(rows)):
        for a in range(d):
            found = score(sets[a], sets[d], [0.6, 0.6])
            if found is not None:
                truth[rows[a]["id"], rows[d]["id"]] = found
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--quiet", "--recall", "0.9999", *flags(fields))
    lines = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    found_pairs = [json.loads(line) for line in lines]
    assert {(row["a"], row["b"]): row["resemblance"] for row in found_pairs} == truth


@pytest.mark.parametrize("varied", ["title", "body"])
def test_a_field_that_thousands_share_hides_no_pair(
    run: Callable, write_jsonl: Callable, tmp_path: Path, varied: str
) -> None:
    """The other field tells 1,000 pairs apart."""
    draw = random.Random(9)
    shared = " ".join(word(draw.randrange(9000)) for _ in range(60))
    other = "body" if varied == "title" else "title"
    rows = []
    for pair in range(1000):
        own = " ".join(word(draw.randrange(9000)) for _ in range(30))
        for copy in range(2):
            text = changed(own, copy, draw)
            rows.append({"id": f"{pair}-{copy}", varied: text, other: changed(shared, 1, draw)})
    draw.shuffle(rows)
    write_jsonl("in.jsonl", rows)
    fields = {varied: 0.5, other: 0.5}
    truth = decide(rows, fields)
    assert len(truth) > 900
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags(fields), "--recall", "0.999")
    found = removed_of(tmp_path / "out")
    assert all(truth[name] == witness for name, witness in found.items())
    assert len(found) >= 0.98 * len(truth)


def test_threads_memory_and_tasks_do_not_matter(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(300, seed=11)
    write_jsonl("in.jsonl", rows)
    fields = flags({"title": 0.9, "body": 0.7})

    def decided(folder: str) -> list[bytes]:
        return [
            (tmp_path / folder / name).read_bytes()
            for name in ("removed.jsonl", "clusters.jsonl", "kept/in.jsonl")
        ]

    run("dedup", "in.jsonl", "-o", "one", "--quiet", *fields, "--threads", "1")
    run("dedup", "in.jsonl", "-o", "two", "--quiet", *fields, "--threads", "2", "--memory", "128M")
    assert decided("one") == decided("two")


def test_tables_have_the_same_answer(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    rows = documents(100, seed=13)
    write_jsonl("in.jsonl", rows)
    columns = ["id", "title", "body"]
    pq.write_table(
        pa.table({name: [row.get(name) for row in rows] for name in columns}),
        tmp_path / "in.parquet",
    )
    with (tmp_path / "in.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    fields = {"title": 0.9, "body": 0.7}
    truth = decide(rows, fields)
    for name in ("in.jsonl", "in.parquet", "in.csv"):
        run("dedup", name, "-o", "out", "--quiet", "--overwrite", *flags(fields))
        assert removed_of(tmp_path / "out") == truth, name


def test_guards_read_every_text(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    body = " ".join(word(i * 7) for i in range(60))
    rows = [
        {"id": "a", "title": "report of may 7", "body": body},
        {"id": "b", "title": "report of may 7", "body": body + " 12"},
        {"id": "c", "title": "report of may 7", "body": body + " twelve"},
    ]
    write_jsonl("in.jsonl", rows)
    fields = flags({"title": 0.9, "body": 0.8})
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *fields, "--differ", "numbers")
    assert set(removed_of(tmp_path / "out")) == {"c"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--text-field", "title", "--threshold", "body=0.8"], "no text field"),
        (["--text-field", "title", "--text-field", "body", "--threshold", "title=0.8"], '"body"'),
        (["--text-field", "title", "--text-field", "title"], "twice"),
        (["--text-field", "title", "--text-field", "none"], "none"),
        (["--text-field", "title", "--text-field", "body", "--threshold", "title=2,body=1"], "0"),
        (["--text-field", "title", "--threshold", "title="], "not understood"),
        (["--text-field", "title", "--threshold", "title=0.5,"], "not understood"),
        (["--text-field", "title", "--threshold", "title=0.5,title=0.6"], "twice"),
        ([part for i in range(9) for part in ("--text-field", f"f{i}")], "9 times"),
        (["--text-field", "title", "--text-field", "body", "--method", "shingle-merge"], "several"),
        (["--text-field", "title", "--text-field", "body", "--shingle", "item"], "several"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    run: Callable, write_jsonl: Callable, options: list[str], says: str
) -> None:
    write_jsonl("in.jsonl", documents(3, seed=1))
    done = run("dedup", "in.jsonl", "-o", "out", "--quiet", *options, code=2)
    assert says in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["passages", "in.jsonl", "-o", "out"],
        ["sketch", "in.jsonl", "-o", "out.sketches"],
        ["filter"],
        ["index", "add", "seen", "in.jsonl"],
    ],
    ids=lambda words: words[0],
)
def test_uses_of_one_text_say_so(
    run: Callable, write_jsonl: Callable, tmp_path: Path, words: list[str]
) -> None:
    write_jsonl("in.jsonl", documents(3, seed=1))
    if words[0] == "index":
        run("index", "create", "seen", "--quiet")
    done = run(*words, "--text-field", "title", "--text-field", "body", code=2)
    assert "expected once" in done.stderr


@pytest.mark.parametrize("rule", ["all", "any"])
@pytest.mark.parametrize("method", METHODS)
def test_a_result_is_made_again_at_higher_thresholds(
    run: Callable, write_jsonl: Callable, tmp_path: Path, rule: str, method: str
) -> None:
    rows = documents(120, seed=37)
    write_jsonl("in.jsonl", rows)
    low = {"title": 0.5, "body": 0.4}
    named = [*flags(low), "--fields", rule, *METHODS[method]]
    run("dedup", "in.jsonl", "-o", "low", "--quiet", *named)
    decider = best if rule == "any" else score
    for high in ({"title": 0.5, "body": 0.4}, {"title": 0.9, "body": 0.4}, {"title": 0.6, "body": 0.9}):
        text = ",".join(f"{name}={least}" for name, least in reversed(high.items()))
        run("rethreshold", "low", "-o", "high", "--quiet", "--overwrite", "--threshold", text)
        assert removed_of(tmp_path / "high") == decide(rows, high, decider), high
    again = ("rethreshold", "high", "-o", "next", "--quiet", "--threshold", "0.9")
    run(*again)
    assert removed_of(tmp_path / "next") == decide(rows, {"title": 0.9, "body": 0.9}, decider)
    manifest = json.loads((tmp_path / "next/manifest.json").read_text())
    assert manifest["rethreshold"]["threshold"] == "body=0.9,title=0.6"
    assert manifest["options"]["threshold"] == "0.9"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--threshold", "title=0.7,body=0.9"], "title=0.7"),
        (["--threshold", "0.75"], "title=0.75"),
        (["--threshold", "title=0.9"], '"body"'),
        (["--threshold", "title=0.9,body=0.9,note=0.9"], '"note"'),
        (["--target-size", "0.5"], "several --text-field"),
    ],
)
def test_thresholds_that_a_result_cannot_be_made_at(
    run: Callable, write_jsonl: Callable, words: list[str], says: str
) -> None:
    write_jsonl("in.jsonl", documents(9, seed=1))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags({"title": 0.8, "body": 0.7}))
    assert says in run("rethreshold", "out", "-o", "new", *words, code=2).stderr


def test_a_configuration_names_fields_and_thresholds(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(60, seed=17)
    write_jsonl("in.jsonl", rows)
    keys = ["threshold = 'title=0.9,body=0.7'", "text-field = ['title', 'body']"]
    for order in (keys, keys[::-1]):
        (tmp_path / "own.toml").write_text("\n".join(order))
        run("dedup", "in.jsonl", "-o", "out", "--quiet", "--overwrite", "--config", "own.toml")
        assert removed_of(tmp_path / "out") == decide(rows, {"title": 0.9, "body": 0.7})


def test_a_field_that_all_lack_costs_no_candidates(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    draw = random.Random(19)
    rows = [
        {"id": str(i), "title": " ".join(word(draw.randrange(9000)) for _ in range(40))}
        for i in range(2000)
    ]
    write_jsonl("in.jsonl", [{"id": "whole", "title": "a b c", "body": "d e f"}, *rows])
    for fields in (["title"], ["title", "body"]):
        named = [part for name in fields for part in ("--text-field", name)]
        run("dedup", "in.jsonl", "-o", "-".join(fields), "--quiet", *named, "--threshold", "0.5")
    candidates = [
        json.loads((tmp_path / name / "manifest.json").read_text())["search"]["pairs_met"]
        for name in ("title", "title-body")
    ]
    assert candidates[1] <= candidates[0] + 100


def test_lengths_are_those_of_all_texts(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    body = " ".join(word(i * 7) for i in range(60))
    rows = [
        {"id": "a", "title": "one two three four five", "body": body},
        {"id": "b", "title": "one two three four five", "body": body + " " + word(5)},
    ]
    write_jsonl("in.jsonl", rows)
    fields = flags({"title": 0.9, "body": 0.8})
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *fields, "--keep", "longest")
    assert set(removed_of(tmp_path / "out")) == {"a"}


@pytest.mark.parametrize("value", [5, ["a", "b"], {"x": "y"}, True])
def test_values_that_are_no_texts_are_rejected_in_every_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path, value: Any
) -> None:
    rows: Rows = [{"id": "a", "title": "one", "body": value}, {"id": "b", "title": "two"}]
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags({"title": 0.9, "body": 0.8}), code=None)
    rejected = (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()
    assert len(rejected) == 1
    assert '\\"body\\" is' in rejected[0]
    table = pa.table({"id": ["a"], "title": ["one"], "body": [5]})
    pq.write_table(table, tmp_path / "in.parquet")
    done = run(
        "dedup", "in.parquet", "-o", "out2", "--quiet", *flags({"title": 0.9, "body": 0.8}), code=None
    )
    assert done.code != 0
    assert 'column "body"' in done.stderr


def test_null_and_empty_texts_are_copies(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows: Rows = [{"id": "a", "title": "", "body": None}, {"id": "b", "title": None, "body": ""}]
    rows += [{"id": "c", "title": "!", "body": ""}, {"id": "d", "title": "", "body": "!"}]
    write_jsonl("in.jsonl", rows)
    both = ["--text-field", "title", "--text-field", "body"]
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *both, "--exact-empty")
    assert set(removed_of(tmp_path / "out")) == {"b"}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["fields"]["text"] == "title, body"


def test_an_audit_of_such_a_result_says_what_it_needs(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", documents(9, seed=1))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *flags({"title": 0.8, "body": 0.7}))
    (tmp_path / "list.txt").write_text("f1-0\n")
    done = run("audit", "out", "in.jsonl", "--list", "list.txt", code=2)
    assert "several --text-field" in done.stderr


def any_of(fields: dict[str, float]) -> list[str]:
    return [*flags(fields), "--fields", "any"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fields", FIELDS[:3], ids=lambda fields: ",".join(fields))
def test_documents_may_be_alike_in_any_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path, fields: dict[str, float], method: str
) -> None:
    rows = documents(150, seed=len(str(fields)) + 1)
    write_jsonl("in.jsonl", rows)
    truth = decide(rows, fields, best)
    assert len(truth) > len(decide(rows, fields)) + 20
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *any_of(fields), *METHODS[method])
    assert removed_of(tmp_path / "out") == truth
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["options"]["fields"] == "any"
    assert manifest["recall"]["sampled_documents"] == 0
    designs = manifest["design"].split(" + ")
    assert len(designs) == (2 if method == "lsh" and len(set(fields.values())) > 1 else 1)


@pytest.mark.parametrize("same", ["title", "body"])
@pytest.mark.parametrize("method", METHODS)
def test_a_pair_may_agree_in_one_field_only(
    run: Callable, write_jsonl: Callable, tmp_path: Path, same: str, method: str
) -> None:
    """Over all fields, such pairs are hardly alike, whichever field is the short one."""
    draw = random.Random(21)

    def text(length: int) -> str:
        return " ".join(word(draw.randrange(9000)) for _ in range(length))

    lengths = {"title": 6, "body": 200} if same == "title" else {"title": 200, "body": 6}
    rows: Rows = []
    for pair in range(100):
        shared = text(lengths[same])
        for copy in range(2):
            own = {name: text(length) for name, length in lengths.items()}
            rows.append({"id": f"{pair}-{copy}", **own, same: shared})
    draw.shuffle(rows)
    write_jsonl("in.jsonl", rows)
    fields = {"title": 0.9, "body": 0.9}
    truth = decide(rows, fields, best)
    assert len(truth) == 100
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *any_of(fields), *METHODS[method])
    assert removed_of(tmp_path / "out") == truth


@pytest.mark.parametrize("command", ["pairs", "nearest"])
def test_pairs_in_any_field_are_scored_by_the_field_in_which_they_are_most_alike(
    run: Callable, write_jsonl: Callable, tmp_path: Path, command: str
) -> None:
    rows = [row for row in documents(60, seed=23) if row.get("title") or row.get("body")]
    write_jsonl("in.jsonl", rows)
    fields = {"title": 0.7, "body": 0.5}
    sets = [[features(row.get(name) or "", 5) for name in fields] for row in rows]
    truth = {}
    for d in range(len(rows)):
        for a in range(d):
            found = best(sets[a], sets[d], list(fields.values()))
            if found is not None:
                truth[rows[a]["id"], rows[d]["id"]] = found
    words = [*any_of(fields), "--recall", "0.9999"]
    top = ["--top", "1000"] if command == "nearest" else []
    run(command, "in.jsonl", "-o", "pairs.jsonl", "--quiet", *words, *top)
    lines = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    ends = ("id", "neighbour") if command == "nearest" else ("a", "b")
    found_pairs = {
        (row[ends[0]], row[ends[1]]): row["resemblance"] for row in map(json.loads, lines)
    }
    if command == "nearest":
        truth |= {(b, a): found for (a, b), found in truth.items()}
    assert found_pairs == truth


def test_missing_fields_are_alike_in_nothing(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    def text(first: int) -> str:
        return " ".join(word(first + i) for i in range(40))

    rows: Rows = [
        {"id": "a", "title": text(100)},
        {"id": "b", "title": text(200), "body": ""},
        {"id": "c", "title": None, "body": text(300)},
        {"id": "d", "body": text(400)},
        {"id": "e", "title": text(100), "body": text(400)},
        {"id": "f", "title": text(100)},
        {"id": "g", "title": "", "body": None},
        {"id": "h", "title": "", "body": None},
    ]
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *any_of({"title": 0.8, "body": 0.8}))
    assert {name: witness for name, (witness, _) in removed_of(tmp_path / "out").items()} == {
        "e": "a",
        "f": "a",
    }


#: A text, one that is near it, one that is not, and all ways to have none.
LACKING: tuple[str | None, ...] = ("", "?!", None, "missing")


def every_combination() -> Rows:
    """Records with each combination of two fields that have a text, an empty one or none."""

    def text(first: int) -> str:
        return " ".join(word(first + i) for i in range(30))

    draw = random.Random(31)
    rows: Rows = []
    for title in (text(100), changed(text(100), 1, draw), text(200), *LACKING):
        for body in (text(300), changed(text(300), 1, draw), text(400), *LACKING):
            row = {"id": str(len(rows))}
            row |= {"title": title} if title != "missing" else {}
            row |= {"body": body} if body != "missing" else {}
            rows.append(row)
    draw.shuffle(rows)
    return rows


def words_only(rows: Rows) -> Rows:
    """The same records for the definition, which knows neither punctuation nor null."""
    fields = ("title", "body")
    return [{"id": row["id"], **{f: (row.get(f) or "").strip("?!") for f in fields}} for row in rows]


COMBINED = {"title": 0.8, "body": 0.7}


@pytest.mark.parametrize("rule", ["all", "any"])
@pytest.mark.parametrize("method", METHODS)
def test_every_combination_of_missing_fields_is_decided_by_the_rule(
    run: Callable, write_jsonl: Callable, tmp_path: Path, rule: str, method: str
) -> None:
    rows = every_combination()
    write_jsonl("in.jsonl", rows)
    decider = best if rule == "any" else score
    words = [*flags(COMBINED), "--fields", rule, *METHODS[method]]
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *words)
    truth = decide(words_only(rows), COMBINED, decider)
    assert removed_of(tmp_path / "out") == truth
    run("dedup", "in.jsonl", "-o", "low", "--quiet", *words, "--threshold", "title=0.5,body=0.5")
    run("rethreshold", "low", "-o", "again", "--quiet", "--threshold", "title=0.8,body=0.7")
    assert removed_of(tmp_path / "again") == truth
    run("rethreshold", "low", "-o", "equal", "--quiet", "--threshold", "1")
    assert removed_of(tmp_path / "equal") == decide(
        words_only(rows), {"title": 1.0, "body": 1.0}, decider
    )


@pytest.mark.parametrize("rule", ["all", "any"])
@pytest.mark.parametrize("command", ["pairs", "nearest"])
def test_every_combination_of_missing_fields_has_its_pairs(
    run: Callable, write_jsonl: Callable, tmp_path: Path, rule: str, command: str
) -> None:
    rows = every_combination()
    write_jsonl("in.jsonl", rows)
    sets = [[features(row[name], 5) for name in COMBINED] for row in words_only(rows)]
    truth = {}
    for d in range(len(rows)):
        for a in range(d):
            found = (best if rule == "any" else score)(sets[a], sets[d], list(COMBINED.values()))
            if found is not None:
                truth[rows[a]["id"], rows[d]["id"]] = found
    top = ["--top", "1000"] if command == "nearest" else []
    run(command, "in.jsonl", "-o", "pairs.jsonl", "--quiet", *flags(COMBINED), "--fields", rule,
        "--method", "exact", *top)  # fmt: skip
    lines = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    ends = ("id", "neighbour") if command == "nearest" else ("a", "b")
    if command == "nearest":
        truth |= {(b, a): found for (a, b), found in truth.items()}
    assert {
        (row[ends[0]], row[ends[1]]): row["resemblance"] for row in map(json.loads, lines)
    } == truth


def test_thousands_may_share_one_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """All but one document of each of two titles go, and so do pairs of equal bodies."""
    draw = random.Random(27)
    titles = [" ".join(word(draw.randrange(9000)) for _ in range(30)) for _ in range(2)]
    rows: Rows = []
    for i in range(2500):
        title = changed(titles[i % 2], 0, draw) if i < 2000 else f"{word(i)} {word(i + 7)}"
        body = " ".join(word(draw.randrange(9000)) for _ in range(40))
        rows.append({"id": str(i), "title": title, "body": body})
    for i in range(2000, 2500, 2):
        rows[i]["body"] = rows[i + 1]["body"]
    draw.shuffle(rows)
    write_jsonl("in.jsonl", rows)
    fields = {"title": 0.8, "body": 0.8}
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *any_of(fields), "--recall", "0.999")
    removed = removed_of(tmp_path / "out")
    assert len(removed) == 1998 + 250


def test_how_a_search_in_any_field_runs_does_not_matter(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(200, seed=29)
    write_jsonl("in.jsonl", rows)
    write_jsonl("old.jsonl", documents(30, seed=29))
    fields = [*any_of({"title": 0.9, "body": 0.7, "note": 1.0}), "--against", "old.jsonl"]

    def decided(folder: str) -> list[bytes]:
        return [
            (tmp_path / folder / name).read_bytes()
            for name in ("removed.jsonl", "clusters.jsonl", "kept/in.jsonl")
        ]

    run("dedup", "in.jsonl", "-o", "one", "--quiet", *fields, "--threads", "1")
    run("dedup", "in.jsonl", "-o", "two", "--quiet", *fields, "--threads", "2", "--memory", "64M")
    assert decided("two") == decided("one")
    for way in ("spill", "collide", "lanes", "resume"):
        run("dedup", "in.jsonl", "-o", way, "--quiet", *fields, env={"LOOKALIKE_STRESS": way})
        assert decided(way) == decided("one"), way


def test_guards_exclude_pairs_of_any_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    body = " ".join(word(i * 7) for i in range(60))
    rows = [
        {"id": "a", "title": "report of may 7", "body": body},
        {"id": "b", "title": "statement of june 8", "body": body},
        {"id": "c", "title": "a report on may 7", "body": body},
    ]
    write_jsonl("in.jsonl", rows)
    fields = any_of({"title": 0.9, "body": 0.8})
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *fields, "--differ", "numbers")
    assert set(removed_of(tmp_path / "out")) == {"c"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dedup", "-o", "out", "--text-field", "title"], "several --text-field"),
        (["dedup", "-o", "out"], "several --text-field"),
        (["shard", "plan", "-o", "out", "--job", "job"], "dedup"),
        (["plan"], "dedup"),
    ],
)
def test_where_any_field_is_refused(
    run: Callable, write_jsonl: Callable, words: list[str], says: str
) -> None:
    write_jsonl("in.jsonl", documents(3, seed=1))
    assert says in run(*words, "in.jsonl", "--fields", "any", code=2).stderr


def field_scores(a: dict[str, Any], b: dict[str, Any], names: list[str]) -> dict[str, float | None]:
    """The resemblance in each field; None if both documents lack it."""
    scores: dict[str, float | None] = {}
    for name in names:
        sets = [features(row.get(name) or "", 5) for row in (a, b)]
        scores[name] = resemblance(*sets) if sets[0] or sets[1] else None
    return scores


@pytest.mark.parametrize("rule", ["all", "any"])
@pytest.mark.parametrize("method", METHODS)
def test_rows_have_the_score_of_each_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path, rule: str, method: str
) -> None:
    rows = documents(120, seed=31)
    by_id = {row["id"]: row for row in rows}
    write_jsonl("in.jsonl", rows)
    fields = {"title": 0.7, "body": 0.6, "note": 0.5} if rule == "all" else {"title": 0.7, "body": 0.6}
    words = ["in.jsonl", "--quiet", *flags(fields), "--fields", rule, *METHODS[method]]
    run("dedup", *words, "-o", "out")
    lines = (tmp_path / "out/removed.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 30
    for row in map(json.loads, lines):
        expected = field_scores(by_id[row["id"]], by_id[row["duplicate_of"]], list(fields))
        assert row["scores"] == expected, row
        assert row["resemblance"] in expected.values()
        assert list(row)[list(row).index("resemblance") + 1] == "scores"
    run("pairs", *words, "-o", "pairs.jsonl")
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert len(pairs) >= len(lines)
    for row in pairs:
        assert row["scores"] == field_scores(by_id[row["a"]], by_id[row["b"]], list(fields)), row
    run("pairs", *words, "-o", "pairs.parquet")
    table = pq.read_table(tmp_path / "pairs.parquet").to_pylist()
    assert [row["scores"] for row in table] == [row["scores"] for row in pairs]
    run("nearest", *words, "-o", "near.jsonl", "--top", "3")
    near = [json.loads(line) for line in (tmp_path / "near.jsonl").read_text().splitlines()]
    for row in near:
        expected = field_scores(by_id[row["id"]], by_id[row["neighbour"]], list(fields))
        assert row["scores"] == expected, row


def test_one_field_has_no_scores(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    write_jsonl("in.jsonl", [row for row in documents(30, seed=33) if row.get("body") is not None])
    words = ["in.jsonl", "--quiet", "--text-field", "body", "--threshold", "0.5"]
    run("dedup", *words, "-o", "out")
    run("pairs", *words, "-o", "pairs.jsonl")
    for name in ("out/removed.jsonl", "pairs.jsonl"):
        text = (tmp_path / name).read_text()
        assert '"resemblance"' in text
        assert '"scores"' not in text


def test_the_report_shows_every_field(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    body = " ".join(word(i * 7) for i in range(60))
    rows = [
        {"id": "a", "lang": "en", "title": "folding chair of oak", "body": body},
        {"id": "b", "lang": "en", "title": "folding chair of oak", "body": body + " " + word(5)},
    ]
    write_jsonl("in.jsonl", rows)
    fields = flags({"title": 0.9, "body": 0.8})
    run("dedup", "in.jsonl", "-o", "out", "--quiet", *fields, "--same", "lang")
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "title: folding chair of oak" in page
    assert "body: " + word(0) in page


def test_decisions_are_replayed_over_several_fields(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = documents(40, seed=35)
    write_jsonl("in.jsonl", rows)
    by_id = {row["id"]: row for row in rows}
    place = {row["id"]: i + 1 for i, row in enumerate(rows)}
    fields = {"title": 0.7, "body": 0.6}
    words = ["dedup", "in.jsonl", "--quiet", *flags(fields)]
    run(*words, "-o", "plain")
    loser, (winner, _) = next(iter(removed_of(tmp_path / "plain").items()))
    others = {name for name, (kept, _) in removed_of(tmp_path / "plain").items() if kept == winner}
    document = {"id": loser, "source": "in.jsonl", "row": place[loser]}
    line = {"number": 1, "decision": "keep", "cluster": 1, "documents": [document]}
    (tmp_path / "own.jsonl").write_text(json.dumps(line) + "\n")
    run(*words, "-o", "out", "--decisions", "own.jsonl")
    removed = removed_of(tmp_path / "out")
    assert {name for name, (kept, _) in removed.items() if kept == loser} == (
        others - {loser} | {winner}
    )
    for text in (tmp_path / "out/removed.jsonl").read_text().splitlines():
        row = json.loads(text)
        expected = field_scores(by_id[row["id"]], by_id[row["duplicate_of"]], list(fields))
        assert row["scores"] == expected
        assert row["resemblance"] == min(s for s in expected.values() if s is not None)
