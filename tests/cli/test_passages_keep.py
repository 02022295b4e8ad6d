"""`lookalike passages --keep`: of all places of a passage, that in the preferred document stays.

The order is sorted here by its definition; a run with it must be a run over the sorted inputs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from passage_texts import (
    Row,
    Run,
    Text,
    check_cut_lines,
    digest,
    few_words,
    fresh,
    planted,
    stands,
    text_of,
)
from result_folder import read_lines

Key = Callable[[Row], Any]
SOURCES = ["a.jsonl", "b.jsonl", "c.jsonl"]
# What is compared, by the first part of a criterion. Smaller is preferred; no date comes last.
KEYS: dict[str, Key] = {
    "longest": lambda row: -len(row["text"]),
    "shortest": lambda row: len(row["text"]),
    "field:date": lambda row: row.get("date", 99),
    "field:date:desc": lambda row: -row.get("date", -99),
    "field:meta.score": lambda row: row["meta"].get("score", 99),
    "field:meta.score:desc": lambda row: -row["meta"].get("score", -99),
    "source:c.jsonl,a.jsonl": lambda row: "ca".find(row["of"]) if row["of"] in "ca" else 2,
}


def sorted_by(keep: Sequence[str], rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: [KEYS[one](row) for one in keep])


def rows_of(texts: list[Text], seed: int) -> list[Row]:
    """Documents of three inputs, some without a date or a score, and many of these alike."""
    draw, scores = random.Random(seed), random.Random(seed + 1000)
    rows: list[Row] = []
    for i, text in enumerate(texts):
        row = {**text.row, "of": "abc"[3 * i // len(texts)]}
        if draw.random() < 0.8:
            row["date"] = draw.randrange(4)
        row["meta"] = {"score": scores.randrange(-2, 3)} if scores.random() < 0.8 else {}
        rows.append(row)
    return rows


def write_rows(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_sources(folder: Path, rows: list[Row]) -> None:
    for name in SOURCES:
        write_rows(folder / name, [row for row in rows if row["of"] == name[0]])


def flags(keep: Sequence[str]) -> list[str]:
    return [word for one in keep for word in ("--keep", one)]


def without_numbers(value: Any) -> Any:
    """Lines of a result without what the inputs' names and order decide."""
    if isinstance(value, list):
        return [without_numbers(one) for one in value]
    if isinstance(value, dict):
        drop = ("source", "row", "kept_by")
        return {key: without_numbers(one) for key, one in value.items() if key not in drop}
    return value


def by_id(lines: list[Row]) -> list[Row]:
    return sorted(lines, key=lambda line: (line["id"], line.get("begin", 0)))


def outcome(out: Path) -> dict[str, Any]:
    """A result without the order of its documents."""
    kept = [row for path in sorted((out / "kept").iterdir()) for row in read_lines(path)]
    manifest = json.loads((out / "manifest.json").read_text())
    counts = ("passages", "places", "words", "shared_words", "cuts", "cut_words", "cut_bytes")
    return {
        "passages": without_numbers(read_lines(out / "passages.jsonl")),
        "cuts": by_id(without_numbers(read_lines(out / "cuts.jsonl"))),
        "dropped": by_id(without_numbers(read_lines(out / "dropped.jsonl"))),
        "kept": by_id(kept),
        "counts": [manifest[name] for name in counts],
        "records": manifest["records"],
    }


def why(keep: Sequence[str], row: Row, stays: Row) -> str:
    """The first criterion that tells two documents apart, which must prefer the second."""
    if row is stays:
        return "same document"
    for one in keep:
        first, second = KEYS[one](stays), KEYS[one](row)
        if first != second:
            assert first < second, (one, row["id"], stays["id"])
            return one
    return "input order"


def check(out: Path, texts: list[Text], rows: list[Row], keep: Sequence[str]) -> list[Row]:
    """Checks cuts by what they say about texts and about the order; returns them."""
    cuts = read_lines(out / "cuts.jsonl")
    dropped = {line["id"] for line in read_lines(out / "dropped.jsonl")}
    left = check_cut_lines(texts, cuts, dropped)
    kept = {row["id"]: row["text"] for path in (out / "kept").iterdir() for row in read_lines(path)}
    manifest = json.loads((out / "manifest.json").read_text())
    if manifest["rules"]["action"] == "cut":
        assert kept == left
    else:
        assert kept == {t.id: t.text for t in texts if t.id not in dropped}
    texts_of_keep = [one.replace(",", "\\,") for one in keep]
    assert manifest["options"]["keep"] == (
        keep[0] if len(keep) == 1 else f"[{','.join(texts_of_keep)}]"
    )
    of = {row["id"]: row for row in rows}
    place = {row["id"]: i for i, row in enumerate(sorted_by(keep, rows))}
    for cut in cuts:
        assert cut["kept_by"] == why(keep, of[cut["id"]], of[cut["same_as"]["id"]])
        assert place[cut["same_as"]["id"]] <= place[cut["id"]]
        if cut["kept_by"] == "same document":
            assert cut["same_as"]["end"] <= cut["begin"]
    counts = Counter(cut["kept_by"] for cut in cuts)
    named = [*keep, "input order", *(["same document"] if counts["same document"] else [])]
    assert manifest["kept_by"] == {name: counts[name] for name in named}
    assert list(manifest["kept_by"]) == named
    said = "Decided by the order of the inputs only" in (out / "report.html").read_text()
    assert said == (manifest["rules"]["action"] == "cut" and counts["input order"] > 0)
    # The lines are in the order of the inputs, whatever the order of the documents.
    number = {row["id"]: i for i, row in enumerate(rows)}
    assert [number[cut["id"]] for cut in cuts] == sorted(number[cut["id"]] for cut in cuts)
    return cuts


POLICIES = [
    ["longest"],
    ["shortest"],
    ["field:date"],
    ["field:date:desc"],
    ["source:c.jsonl,a.jsonl"],
    ["field:date:desc", "shortest"],
    ["field:date", "field:meta.score:desc"],
    ["field:meta.score:desc", "field:date"],
    ["field:date:desc", "field:meta.score"],
    ["source:c.jsonl,a.jsonl", "field:date", "longest"],
]
ACTIONS = [
    ["cut", "--unit", "words"],
    ["cut", "--unit", "words", "--min-left", "9"],
    ["cut", "--unit", "line"],
    ["drop"],
    ["drop", "--min-left", "12"],
]


@pytest.mark.parametrize("keep", POLICIES, ids="+".join)
@pytest.mark.parametrize("action", ACTIONS, ids=" ".join)
def test_a_keep_order_is_the_order_of_sorted_inputs(
    run: Run, tmp_path: Path, keep: list[str], action: list[str]
) -> None:
    cuts: list[Row] = []
    for seed in range(3):
        texts = few_words(300 + seed, foreign=seed == 1, documents=24)
        rows = rows_of(texts, seed)
        write_sources(tmp_path, rows)
        write_rows(tmp_path / "sorted.jsonl", sorted_by(keep, rows))
        options = ["--min-words", str(4 + seed), "--overwrite", "--action", *action]
        run("passages", *SOURCES, "-o", "out", *options, *flags(keep))
        run("passages", "sorted.jsonl", "-o", "first", *options)
        assert outcome(tmp_path / "out") == outcome(tmp_path / "first")
        cuts += check(tmp_path / "out", texts, rows, keep)
    assert cuts
    if action == ACTIONS[0]:
        assert {"same document", *keep[:2]} <= {cut["kept_by"] for cut in cuts}
        assert all("kept_by" not in cut for cut in read_lines(tmp_path / "first/cuts.jsonl"))
        assert "kept_by" not in json.loads((tmp_path / "first/manifest.json").read_text())


@pytest.mark.parametrize("keep", POLICIES, ids="+".join)
@pytest.mark.parametrize("unit", ["sentence", "words"])
def test_the_preferred_document_has_each_passage(
    run: Run, tmp_path: Path, keep: list[str], unit: str
) -> None:
    texts, passages = planted(11)
    rows = rows_of(texts, 1)
    write_sources(tmp_path, rows)
    run("passages", *SOURCES, "-o", "out", "--action", "cut", "--unit", unit, *flags(keep))
    check(tmp_path / "out", texts, rows, keep)
    left = {
        row["id"]: set(row["text"].replace(".", " ").lower().split())
        for name in SOURCES
        for row in read_lines(tmp_path / "out/kept" / name)
    }
    words = {text.id: set(text.keys) for text in texts}
    order = [row["id"] for row in sorted_by(keep, rows)]
    for passage in passages:
        first = next(name for name in order if passage[5] in words[name])
        assert {name for name in left if left[name] & set(passage)} == {first}
        assert set(passage) <= left[first]


def test_the_order_of_the_inputs_does_not_matter_to_a_total_order(run: Run, tmp_path: Path) -> None:
    texts = few_words(77, foreign=True, documents=30)
    days = random.Random(5).sample(range(100), len(texts))
    rows = [{**text.row, "date": day} for text, day in zip(texts, days, strict=True)]
    for direction in ("", ":desc"):
        found = []
        for seed in range(4):
            mixed = random.Random(seed).sample(rows, len(rows))
            write_rows(tmp_path / "x.jsonl", mixed[:11])
            write_rows(tmp_path / "y.jsonl", mixed[11:])
            options = ["--min-words", "4", "--action", "cut", "--unit", "words", "--overwrite"]
            keep = ["--keep", f"field:date{direction}"]
            run("passages", "y.jsonl", "x.jsonl", "-o", "out", *options, *keep)
            found.append(outcome(tmp_path / "out"))
        assert len(found[0]["cuts"]) > 10
        assert all(one == found[0] for one in found)


@pytest.mark.parametrize("action", ["report", "annotate"])
def test_the_first_place_is_the_preferred_one(run: Run, tmp_path: Path, action: str) -> None:
    """Without a change of the texts, too, and in annotated rows."""
    draw = random.Random(3)
    shared = fresh(20, draw)
    rows = [{**text_of(f"t{i}", [*fresh(3, draw), *shared]).row, "date": i % 5} for i in range(120)]
    write_rows(tmp_path / "in.jsonl", rows)
    options = ["--min-words", "10", "--action", action, "--keep", "field:date:desc"]
    run("passages", "in.jsonl", "-o", "out", *options)
    [passage] = read_lines(tmp_path / "out/passages.jsonl")
    order = sorted(range(120), key=lambda i: -(i % 5))
    assert [place["id"] for place in passage["listed"]] == [f"t{i}" for i in order[:100]]
    assert passage["places"] == 120
    if action == "annotate":
        annotated = read_lines(tmp_path / "out/annotated/in.jsonl")
        firsts = [row["id"] for row in annotated if row["la_passages"][0]["first"]]
        assert firsts == ["t4"]
        assert [{k: v for k, v in row.items() if k != "la_passages"} for row in annotated] == rows


@pytest.mark.parametrize("seed", range(4))
def test_a_reference_stays_before_any_preferred_document(
    run: Run, tmp_path: Path, seed: int
) -> None:
    texts = few_words(seed + 30, foreign=seed > 1, documents=24)
    rows = rows_of(texts, seed)
    reference, own = rows[:8], rows[8:]
    write_rows(tmp_path / "known.jsonl", reference)
    write_rows(tmp_path / "in.jsonl", own)
    keep = ["field:date:desc", "longest"]
    write_rows(tmp_path / "sorted.jsonl", sorted_by(keep, own))
    options = ["--against", "known.jsonl", "--action", "cut", "--unit", "words",
               "--min-words", "4"]  # fmt: skip
    run("passages", "in.jsonl", "-o", "out", *options, *flags(keep))
    run("passages", "sorted.jsonl", "-o", "first", *options)
    assert outcome(tmp_path / "out") == outcome(tmp_path / "first")
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    check_cut_lines(texts[8:], cuts, set(), texts[:8])
    of = {row["id"]: row for row in rows}
    for cut in cuts:
        stays = of[cut["same_as"]["id"]]
        assert cut["kept_by"] == (
            "reference" if stays in reference else why(keep, of[cut["id"]], stays)
        )
    assert {"reference", "field:date:desc"} <= {cut["kept_by"] for cut in cuts}


def test_texts_that_are_not_utf_8_stay_wherever_they_are_in_the_order(
    run: Run, tmp_path: Path
) -> None:
    shared = " ".join(f"s{i}" for i in range(30)).encode()
    lines = [b'{"id": "%d", "n": %d, "text": "%b"}' % (i, -i, text) for i, text in enumerate(
        [b"a " + shared, b"\xff " + shared, shared + b" c", b"\xfe d " + shared])]  # fmt: skip
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    run("passages", "in.jsonl", "-o", "out", "--min-words", "20", "--action", "cut", "--unit",
        "words", "--keep", "field:n")  # fmt: skip
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    assert [(cut["id"], cut["same_as"]["id"]) for cut in cuts] == [("0", "3"), ("2", "3")]
    kept = (tmp_path / "out/kept/in.jsonl").read_bytes().splitlines()
    assert [kept[1], kept[3]] == [lines[1], lines[3]]


@pytest.fixture
def mixed_inputs(tmp_path: Path) -> list[str]:
    """Inputs of several forms, one long text, and a reference."""
    texts = few_words(7, foreign=True, documents=60)
    write_rows(tmp_path / "known.jsonl", [text.row for text in texts[50:]])
    draw = random.Random(1)
    long = fresh(100_000, draw)
    rows = [{**text.row, "date": draw.randrange(9)} for text in texts[:40]]
    rows.insert(5, {"id": "long", "date": 4, "text": " ".join([*long, *texts[3].keys])})
    rows.insert(20, {"id": "half", "date": 7, "text": " ".join(long[25_000:75_000])})
    write_rows(tmp_path / "in.jsonl", rows)
    table = [{**text.row, "date": draw.randrange(9)} for text in texts[40:50]]
    table.append({"id": "none", "text": None, "date": None})
    pq.write_table(pa.Table.from_pylist(table), tmp_path / "in.parquet", row_group_size=3)
    return ["in.jsonl", "in.parquet", "--against", "known.jsonl", "--min-words", "4"]


@pytest.mark.parametrize("action", [["cut", "--unit", "words", "--min-left", "9"], ["drop"]])
@pytest.mark.parametrize("keep", ["longest", "field:date:desc"])
def test_results_are_the_same_bytes_on_every_machine(
    run: Run, tmp_path: Path, mixed_inputs: list[str], action: list[str], keep: str
) -> None:
    common = ["passages", *mixed_inputs, "-o", "out", "--overwrite", "--action", *action]
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--threads", "1"], {}),
        (["--threads", "7"], {}),
        (["--memory", "64M"], {}),
        (["--threads", "7"], {"LOOKALIKE_STRESS": "spill"}),
        (["--threads", "2", "--memory", "64M"], {"LOOKALIKE_STRESS": "spill"}),
        (["--threads", "7"], {"LOOKALIKE_STRESS": "lanes"}),
    ]
    first: dict[str, bytes] = {}
    for options, environment in ways:
        run(*common, "--keep", keep, *options, env=environment)
        found = digest(tmp_path / "out")
        first = first or found
        assert found == first, (options, environment)
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    if action[0] == "cut":
        pairs = {(cut["id"], stands(cut["same_as"])[0]) for cut in cuts}
        assert (("half", "long") in pairs) == (keep == "longest")
        assert (("long", "half") in pairs) == (keep != "longest")


def test_first_is_the_default(run: Run, tmp_path: Path) -> None:
    write_rows(tmp_path / "in.jsonl", [text.row for text in few_words(4, documents=20)])
    options = ["--min-words", "4", "--action", "cut", "--overwrite"]
    run("passages", "in.jsonl", "-o", "out", *options)
    before = digest(tmp_path / "out")
    run("passages", "in.jsonl", "-o", "out", *options, "--keep", "first")
    assert digest(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--keep", "last"], "--keep"),
        (["--keep", "longest", "--keep", "shortest"], "--keep"),
        (["--keep", "field:nothing"], '"nothing"'),
        (["--keep", "source:other.jsonl"], "other.jsonl"),
    ],
)
def test_an_order_that_makes_no_sense_is_an_error(
    run: Run, tmp_path: Path, options: list[str], said: str
) -> None:
    write_rows(tmp_path / "in.jsonl", [text.row for text in few_words(1)])
    failed = run("passages", "in.jsonl", "-o", "out", "--action", "cut", *options, code=2)
    assert said in failed.stderr and "--keep" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
