"""`lookalike decontaminate`: items of benchmarks in documents, against sets of shingles."""

from __future__ import annotations

import csv
import json
import random
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Rows = list[dict[str, Any]]
Pairs = dict[tuple[str, str], float]
ACTIONS = ("report", "drop", "cut")


def features(text: str, width: int) -> set[tuple[str, ...]]:
    """Runs of `width` words; of fewer words one run of all."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    if 0 < len(words) < width:
        return {tuple(words)}
    return {tuple(words[i : i + width]) for i in range(len(words) - width + 1)}


def write(path: Path, rows: Rows) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def read(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def some_words(draw: random.Random, count: int, of: int) -> list[str]:
    return [f"w{draw.randrange(of)}" for _ in range(count)]


def collections(seed: int) -> tuple[Rows, Rows]:
    """Documents that have items, parts of items, several items, or none; and the items."""
    draw = random.Random(seed)
    of = draw.choice((40, 400, 4000))
    items = [
        {"id": f"q{i}", "text": " ".join(some_words(draw, draw.randint(3, 40), of)) + "?"}
        for i in range(25)
    ]
    documents: Rows = []
    for i in range(60):
        words = some_words(draw, draw.randint(0, 120), of)
        for _ in range(draw.choice((0, 1, 1, 2))):
            item = draw.choice(items)["text"].rstrip("?").split()
            if draw.random() < 0.4:  # a part of it
                item = item[: draw.randint(1, len(item))]
            if draw.random() < 0.4:  # with another word
                item[draw.randrange(len(item))] = "other"
            at = draw.randint(0, len(words))
            words[at:at] = [draw.choice((str.upper, str.title, str))(word) for word in item]
        text = "".join(word + draw.choice((" ", "\n", "  ", ", ", " - ")) for word in words)
        documents.append({"id": f"t{i}", "text": text, "n": i})
    return documents, items


def expected(documents: Rows, items: Rows, threshold: float, least: int) -> Pairs:
    """The share of each item that is found in each document."""
    found: Pairs = {}
    sets = {row["id"]: features(row["text"], 5) for row in documents}
    for item in items:
        wanted = features(item["text"], 5)
        if len(item["text"].split()) < least or not wanted:
            continue
        for document, own in sets.items():
            share = len(own & wanted) / len(wanted)
            if share >= threshold:
                found[document, item["id"]] = share
    return found


def shares(folder: Path) -> Pairs:
    return {(row["id"], row["item"]): row["share"] for row in read(folder / "found.jsonl")}


@pytest.mark.parametrize("seed", range(8))
def test_finds_what_sets_of_shingles_find(
    run: Callable[..., Any], tmp_path: Path, seed: int
) -> None:
    documents, items = collections(seed)
    threshold, least = ((0.8, 8), (0.5, 3), (1.0, 8), (0.3, 12))[seed % 4]
    write(tmp_path / "train.jsonl", documents)
    write(tmp_path / "bench.jsonl", items)
    said = run(
        *("decontaminate", "train.jsonl", "--against", "bench.jsonl", "-o", "out", "--json"),
        *("--threshold", threshold, "--min-words", least),
    )
    want = expected(documents, items, threshold, least)
    assert want
    assert shares(tmp_path / "out") == want
    summary = said.json
    assert summary["found"] == len(want)
    assert summary["contaminated"] == len({document for document, _ in want})
    [benchmark] = summary["benchmarks"]
    assert benchmark["found_items"] == len({item for _, item in want})
    for row in read(tmp_path / "out" / "items.jsonl"):
        assert row["found"] == sum(item == row["item"] for _, item in want)
        assert row.get("too_short", False) == (row["words"] < least)


@pytest.mark.parametrize("seed", range(4))
def test_spans_have_the_same_words_and_all_common_shingles(
    run: Callable[..., Any], tmp_path: Path, seed: int
) -> None:
    documents, items = collections(seed)
    write(tmp_path / "train.jsonl", documents)
    write(tmp_path / "bench.jsonl", items)
    run("decontaminate", "train.jsonl", "--against", "bench.jsonl", "-o", "out", "--quiet")
    texts = {row["id"]: row["text"] for row in documents + items}
    for row in read(tmp_path / "out" / "found.jsonl"):
        document, item = texts[row["id"]], texts[row["item"]]
        common = set()
        for span in row["spans"]:
            here = document[span["begin"] : span["end"]]
            there = item[span["item_begin"] : span["item_end"]]
            assert features(here, 1) == features(there, 1)
            common |= features(here, 5)
        assert common >= features(document, 5) & features(item, 5)


def test_ten_disturbances(run: Callable[..., Any], tmp_path: Path) -> None:
    """An item is found however it stands in a document, as long as its words do."""
    draw = random.Random(1)
    question = "A train leaves the old station at nine with forty seven guests"
    choices = ["ten guests remain", "two guests remain", "all of them remain on board"]
    item = f"{question}. How many remain? " + " ".join(
        f"({letter}) {choice}" for letter, choice in zip("ABC", choices, strict=True)
    )
    words = item.split()
    around = [" ".join(some_words(draw, 80, 5000)) for _ in range(2)]
    disturbed = {
        "wrapped": "\n".join(" ".join(words[i : i + 4]) for i in range(0, len(words), 4)),
        "one word a line": "\r\n".join(words),
        "upper case": item.upper(),
        "title case": item.title(),
        "spaces": "   ".join(words),
        "indented": "\n\t\t".join(words),
        "no punctuation": "".join(c for c in item if c.isalnum() or c == " "),
        "quoted": "> " + item.replace(" ", " > "),
        "full width": item.translate({c: c + 0xFEE0 for c in range(0x41, 0x7B)}),
        "embedded": f"{around[0]} {item} {around[1]}",
    }
    write(tmp_path / "bench.jsonl", [{"id": "q", "text": item}])
    rows = [{"id": kind, "text": text} for kind, text in disturbed.items()]
    rows += [{"id": "half", "text": " ".join(words[: len(words) // 2])}]
    write(tmp_path / "train.jsonl", rows)
    run("decontaminate", "train.jsonl", "--against", "bench.jsonl", "-o", "out", "--quiet")
    assert shares(tmp_path / "out") == dict.fromkeys(((kind, "q") for kind in disturbed), 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_cut_leaves_no_item(run: Callable[..., Any], tmp_path: Path, seed: int) -> None:
    documents, items = collections(seed)
    write(tmp_path / "train.jsonl", documents)
    write(tmp_path / "bench.jsonl", items)
    command = ("decontaminate", "train.jsonl", "--against", "bench.jsonl", "--quiet", "-o")
    run(*command, "out", "--action", "cut")
    dropped = {row["id"] for row in read(tmp_path / "out" / "dropped.jsonl")}
    kept = read(tmp_path / "out" / "kept" / "train.jsonl")
    assert [row["id"] for row in kept] == [
        row["id"] for row in documents if row["id"] not in dropped
    ]
    assert expected(kept, items, 0.8, 8) == {}
    cuts: dict[str, list[tuple[int, int]]] = {}
    for cut in read(tmp_path / "out" / "cuts.jsonl"):
        cuts.setdefault(cut["id"], []).append((cut["begin"], cut["end"]))
    assert cuts
    for before, after in zip(
        (row for row in documents if row["id"] not in dropped), kept, strict=True
    ):
        text, at = "", 0
        for begin, end in cuts.get(before["id"], []):
            assert at <= begin < end
            text += before["text"][at:begin]
            at = end
        assert after == {**before, "text": text + before["text"][at:]}
    run(
        *("decontaminate", "out/kept/train.jsonl", "--against", "bench.jsonl", "--quiet"),
        *("-o", "again", "--action", "cut"),
    )
    assert read(tmp_path / "again" / "found.jsonl") == []


def test_what_makes_up_an_item_after_a_cut_is_cut_too(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    words = [f"w{i}" for i in range(20)]
    nested = " ".join(words[:10] + words + words[10:])  # an item within the same item
    write(tmp_path / "bench.jsonl", [{"id": "q", "text": " ".join(words)}])
    write(tmp_path / "train.jsonl", [{"id": "t", "text": "before " + nested + " after"}])
    run(
        *("decontaminate", "train.jsonl", "--against", "bench.jsonl", "--quiet"),
        *("-o", "out", "--action", "cut"),
    )
    [row] = read(tmp_path / "out" / "kept" / "train.jsonl")
    assert features(row["text"], 1) == features("before after", 1)


def test_drop_leaves_the_other_rows_as_they_are(run: Callable[..., Any], tmp_path: Path) -> None:
    documents, items = collections(2)
    write(tmp_path / "train.jsonl", documents)
    write(tmp_path / "bench.jsonl", items)
    run(
        *("decontaminate", "train.jsonl", "--against", "bench.jsonl", "--quiet"),
        *("-o", "out", "--action", "drop"),
    )
    gone = {document for document, _ in expected(documents, items, 0.8, 8)}
    assert gone
    lines = (tmp_path / "train.jsonl").read_bytes().splitlines(keepends=True)
    left = [line for line, row in zip(lines, documents, strict=True) if row["id"] not in gone]
    assert (tmp_path / "out" / "kept" / "train.jsonl").read_bytes() == b"".join(left)
    assert {row["id"] for row in read(tmp_path / "out" / "dropped.jsonl")} == gone


def test_benchmarks_have_fields_and_numbers_of_their_own(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    long, short = "one two three four five six seven eight nine", "red green blue black white pink"
    with (tmp_path / "first.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["uid", "question"], ["a", long], ["b", short]])
    pq.write_table(pa.table({"uid": ["c"], "question": [short]}), tmp_path / "second.parquet")
    write(tmp_path / "train.jsonl", [{"id": "t", "text": f"{short}. And: {long}"}])
    said = run(
        *("decontaminate", "train.jsonl", "--against", "first.csv", "--against", "second.parquet"),
        *("--item-field", "question", "--item-id", "uid", "-o", "out", "--json"),
        *("--min-words", "8,second.parquet=6"),
    )
    assert set(shares(tmp_path / "out")) == {("t", "a"), ("t", "c")}
    assert [(one["name"], one["too_short"]) for one in said.json["benchmarks"]] == [
        ("first.csv", 1),
        ("second.parquet", 0),
    ]


@pytest.mark.parametrize("action", ACTIONS)
def test_bytes_do_not_depend_on_threads_and_memory(
    run: Callable[..., Any], tmp_path: Path, action: str
) -> None:
    documents, items = collections(3)
    write(tmp_path / "train.jsonl", documents * 40)
    write(tmp_path / "bench.jsonl", items)
    seen = []
    for number, how in enumerate((("1", "64M"), ("2", "1G"), ("7", "256M"))):
        run(
            *("decontaminate", "train.jsonl", "--against", "bench.jsonl", "--quiet"),
            *("-o", f"out{number}", "--action", action, "--threads", how[0], "--memory", how[1]),
        )
        out = tmp_path / f"out{number}"
        files = sorted(path for path in out.rglob("*.jsonl"))
        seen.append({str(path.relative_to(out)): path.read_bytes() for path in files})
    assert seen[0] == seen[1] == seen[2]
    assert ("kept/train.jsonl" in seen[0]) == (action != "report")


def test_records_that_cannot_be_read_are_set_aside(run: Callable[..., Any], tmp_path: Path) -> None:
    documents, items = collections(2)
    write(tmp_path / "bench.jsonl", items)
    write(tmp_path / "train.jsonl", documents)
    with (tmp_path / "train.jsonl").open("ab") as file:
        file.write(b'{"id": "bad"\n{"id": "null", "text": null}\n')
    said = run(
        *("decontaminate", "train.jsonl", "--against", "bench.jsonl"),
        *("-o", "out", "--action", "drop", "--json"),
        code=3,
    )
    assert said.json["records"]["rejected"] == 1
    [rejected] = read(tmp_path / "out" / "rejected.jsonl")
    assert rejected["row"] == len(documents) + 1
    assert (tmp_path / "out" / "rejected" / "train.jsonl").read_bytes() == b'{"id": "bad"\n'
    assert read(tmp_path / "out" / "kept" / "train.jsonl")[-1]["id"] == "null"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--against"),
        (("--against", "bench.jsonl", "--shingle", "char:5"), "word:N"),
        (("--against", "bench.jsonl", "--min-words", "x"), "--min-words"),
        (("--against", "bench.jsonl", "--min-words", "=5"), "--min-words"),
        (("--against", "bench.jsonl", "--item-field", "nothing"), "nothing"),
        (("--against", "missing.jsonl"), "missing.jsonl"),
        (("--against", "bench.jsonl", "--action", "mend"), "report, drop or cut"),
    ],
)
def test_errors_say_what_is_wrong(
    run: Callable[..., Any], tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    documents, items = collections(2)
    write(tmp_path / "train.jsonl", documents)
    write(tmp_path / "bench.jsonl", items)
    said = run("decontaminate", "train.jsonl", *options, "-o", "out", code=2)
    assert words in said.stderr
    assert not (tmp_path / "out").exists()
