"""Baskets, ratings and `group` against what a few lines of Python make of the same tables."""

from __future__ import annotations

import collections
import csv
import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SMALL = ("--memory", "64M")
SPILL = {"LOOKALIKE_STRESS": "spill"}


def rated_lists(seed: int, count: int) -> list[dict[str, object]]:
    """Lists of [item, stars], some of which have much in common."""
    rng = random.Random(seed)
    lists: list[list[list[object]]] = []
    for _ in range(count):
        items = rng.choice(lists)[:] if lists and rng.random() < 0.6 else []
        items = [item for item in items if rng.random() < 0.7]
        items += [[f"Item {rng.randrange(60)}", rng.randrange(6)] for _ in range(rng.randrange(8))]
        rng.shuffle(items)
        lists.append(items)
    return [{"id": str(i), "items": items} for i, items in enumerate(lists)]


def encode(items: list[list[object]], ratings: str) -> set[object]:
    """The set that stands for a list, by the definitions of MMDS, section 3.1.3."""
    if ratings == "off":
        return {name for name, _ in items}
    if ratings == "at-least:3":
        return {name for name, stars in items if stars >= 3}
    if ratings == "liked:4,1":
        return {(name, stars >= 4) for name, stars in items if stars >= 4 or stars <= 1}
    counts: collections.Counter[object] = collections.Counter()
    for name, stars in items:
        counts[name] += stars
    return {(name, j) for name, count in counts.items() for j in range(count)}


def pairs_of(sets: list[set[object]], threshold: float) -> dict[tuple[str, str], float]:
    found = {}
    for j, b in enumerate(sets):
        for i, a in enumerate(sets[:j]):
            if a and b and len(a & b) / len(a | b) >= threshold:
                found[str(i), str(j)] = len(a & b) / len(a | b)
    return found


@pytest.mark.parametrize("ratings", ["off", "at-least:3", "liked:4,1", "stars"])
@pytest.mark.parametrize("threshold", [0.2, 0.5, 1.0])
def test_pairs_are_those_of_the_definition(run, write_jsonl, tmp_path, ratings, threshold):
    lists = rated_lists(7, 250)
    file = write_jsonl("lists.jsonl", lists)
    options = ["--shingle", "item", "--ratings", ratings, "--threshold", str(threshold)]
    run("pairs", file, "-o", "pairs.jsonl", *options, "--method", "exact", "--quiet", code=None)
    found = map(json.loads, (tmp_path / "pairs.jsonl").read_text().splitlines())
    expected = pairs_of([encode(row["items"], ratings) for row in lists], threshold)
    assert expected
    assert {(pair["a"], pair["b"]): pair["resemblance"] for pair in found} == expected


def test_the_forms_of_a_list_are_one(run, tmp_path):
    lists = rated_lists(3, 60)
    names = [[name for name, _ in row["items"]] for row in lists]
    with (tmp_path / "a.jsonl").open("w") as file:
        file.writelines(json.dumps({"items": items}) + "\n" for items in names)
    with (tmp_path / "b.jsonl").open("w") as file:
        file.writelines(json.dumps({"items": "\r\n".join(items)}) + "\n" for items in names)
    with (tmp_path / "c.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["items"])
        writer.writerows(["\n".join(items) or " "] for items in names)
    table = pa.table({"items": pa.array(names, pa.large_list(pa.string()))})
    pq.write_table(table, tmp_path / "d.parquet")
    with (tmp_path / "e.jsonl").open("w") as file:
        file.writelines(json.dumps({"items": row["items"]}) + "\n" for row in lists)
    seen = []
    for name in ("a.jsonl", "b.jsonl", "c.csv", "d.parquet", "e.jsonl"):
        run("pairs", name, "-o", "out.jsonl", "--shingle", "item", "--threshold", "0.3",
            "--normalize", "nfkc,casefold,whitespace", "--quiet")  # fmt: skip
        text = (tmp_path / "out.jsonl").read_text()
        seen.append(text.replace(f'"{name}:', '"row '))
    assert len(seen[0].splitlines()) > 10
    assert all(text == seen[0] for text in seen)


def grouped(rows: list[tuple[str, str]]) -> list[dict[str, object]]:
    lists: dict[str, list[str]] = {}
    for by, item in rows:
        lists.setdefault(by, []).append(item)
    return [{"id": by, "items": items} for by, items in lists.items()]


@pytest.mark.parametrize("environment", [{}, SPILL])
def test_group_both_ways(run, tmp_path: Path, environment):
    rng = random.Random(11)
    rows = [
        (f"customer {rng.randrange(700)}", "å" * rng.randrange(30) + str(rng.randrange(900)))
        for _ in range(40_000)
    ]
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("by", "item"), *rows[:15_000]])
    columns = zip(*rows[15_000:], strict=True)
    pq.write_table(pa.table(dict(zip(["by", "item"], columns, strict=True))), tmp_path / "b.parquet")
    for by, item in (("by", "item"), ("item", "by")):
        done = run("group", "a.csv", "b.parquet", "-o", "out.jsonl.gz", "--by", by, "--item", item,
                   "--json", *SMALL, env=environment)  # fmt: skip
        ordered = rows if by == "by" else [(b, a) for a, b in rows]
        expected = grouped(ordered)
        with gzip.open(tmp_path / "out.jsonl.gz", "rt", encoding="utf-8") as file:
            assert [json.loads(line) for line in file] == expected
        assert done.json["groups"] == len(expected)
        assert done.json["items"] == len(rows)
        if environment:
            assert done.json["peak_scratch_bytes"] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.parquet", "out.jsonl.gz"]


def test_group_leaves_an_old_file_where_it_fails(run, tmp_path: Path):
    (tmp_path / "in.jsonl").write_text('{"by": "a", "item": "b"}\nnonsense\n')
    (tmp_path / "out.jsonl").write_text("old")
    options = ("in.jsonl", "-o", "out.jsonl", "--by", "by", "--item", "item")
    run("group", *options, "--max-errors", "0", code=2)
    assert (tmp_path / "out.jsonl").read_text() == "old"
    run("group", *options, code=3)
    assert (tmp_path / "out.jsonl").read_text() == '{"id": "a", "items": ["b"]}\n'


def test_group_reads_standard_input_and_skips_bad_inputs(run, tmp_path: Path):
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"by": "a", "item": "b"}\n')[:-9])
    options = ("-", "cut.jsonl.gz", "-o", "out.jsonl", "--by", "by", "--item", "item")
    rows = '{"by": "x", "item": 1}\n{"by": "x", "item": 1.0}\n'
    assert "cut.jsonl.gz" in run("group", *options, stdin=rows, code=2).stderr
    run("group", *options, "--skip-bad-inputs", stdin=rows, code=3)
    assert (tmp_path / "out.jsonl").read_text() == '{"id": "x", "items": ["1", "1"]}\n'


def test_group_does_not_write_over_its_input(run, tmp_path: Path):
    (tmp_path / "in.jsonl").write_text('{"by": "a", "item": "b"}\n')
    run("group", "in.jsonl", "-o", "in.jsonl", "--by", "by", "--item", "item", code=2)
    assert (tmp_path / "in.jsonl").read_text() == '{"by": "a", "item": "b"}\n'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "by"], "group needs --item FIELD"),
        (["--item", "item"], "group needs --by FIELD"),
        (["--by", "by", "--item", "by"], 'are the same field "by"; use two different'),
        (["--by", "no", "--item", "item"], 'the field "no" that --by names; their fields are: by (string), item (string)'),
        (["--by", "by", "--item", "item", "--weight", "w"], 'the field "w" that --weight names'),
        (["--by", "by", "--item", "item", "--threshold", "0.5"], "group has no option '--threshold'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call(run, write_jsonl, arguments, message):
    file = write_jsonl("in.jsonl", [{"by": "a", "item": "b"}])
    assert message in run("group", file, "-o", "out.jsonl", *arguments, code=2).stderr
