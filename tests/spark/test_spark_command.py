"""lookalike-spark gives what `lookalike dedup` gives for the same files."""

from __future__ import annotations

import base64
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
from lookalike.spark import _line_inputs, _program  # noqa: E402 - needs pyspark

PLACED = (
    "id", "source", "row", "kind", "duplicate_of", "duplicate_of_source", "duplicate_of_row",
    "resemblance",
)  # fmt: skip


def run_command(*arguments: Any, status: int = 0, name: str = "dedup") -> None:
    command = [sys.executable, "-m", "lookalike._command", name, "--quiet"]
    done = subprocess.run([*command, *map(str, arguments)], check=False, capture_output=True)
    assert done.returncode == status, done.stderr.decode()


def run_on_spark(*arguments: Any, name: str = "dedup") -> int:
    return _program.main([name, "--quiet", *map(str, arguments)])


def rows_of(paths: Iterable[Path], names: tuple[str, ...]) -> list[tuple[str, ...]]:
    lines = (json.loads(line) for path in paths for line in path.open("rb"))
    return sorted(tuple(str(row[name]) for name in names) for row in lines)


def compare(made: Path, expected: Path) -> dict[str, Any]:
    """Compares everything but the kept documents; returns the manifest of Spark's result."""
    assert rows_of((made / "removed").glob("*.json"), PLACED) == rows_of(
        [expected / "removed.jsonl"], PLACED
    )
    names = ("source", "row", "reason")
    rejected = rows_of([expected / "rejected.jsonl"], names)
    assert rows_of((made / "rejected").glob("*.json"), names) == rejected
    manifest: dict[str, Any] = json.loads((made / "manifest.json").read_text())
    records = manifest["records"]
    wanted = json.loads((expected / "manifest.json").read_text())["records"]
    assert records == wanted
    return manifest


def design_of(made: Path) -> str:
    design: str = json.loads((made / "manifest.json").read_text())["design"]
    return design


def make_lines(folder: Path) -> None:
    """Two files of lines, in which much is odd; the second name comes first in the alphabet."""
    source = random.Random(7)
    lines = []
    for number, text in enumerate(corpora.near_copies()):
        row = {"text": text, "n": number}
        if source.random() < 0.9:  # others are named by file and row
            row["id"] = number if number % 5 == 0 else f"d{number}"
        lines.append(json.dumps(row).encode() + (b"\r\n" if number % 7 == 0 else b"\n"))
    odd = [b"\n", b"   \n", b"no json\n", b'{"id": "n", "text": null}\n', b'{"text": 5}\n',
           b'{"id": "x"}\n', b'{"text": "half a pair \\ud800 here"}\n', b'{"text": "\xff"}\n',
           '{"id": "\u00fc", "text": "wide \u4e2d\u6587 text"}\n'.encode()]  # fmt: skip
    for line in odd:
        lines.insert(source.randrange(len(lines)), line)
    folder.mkdir()
    (folder / "z one.jsonl").write_bytes(odd[0] + b"".join(lines[:300]))
    (folder / "a.jsonl").write_bytes(b"".join(lines[300:]).rstrip(b"\n"))


def test_lines_give_the_result_of_the_command(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"openCostInBytes": 1000, "minPartitionNum": 5}.items():
        monkeypatch.setitem(_line_inputs._CUT, f"spark.sql.files.{name}", str(value))
    make_lines(tmp_path / "in")
    files = [tmp_path / "in" / "z one.jsonl", tmp_path / "in" / "a.jsonl"]
    made, expected = tmp_path / "made", tmp_path / "expected"
    assert run_on_spark(*files, "-o", made, "--partitions", 2) == 3
    run_command(*files, "-o", expected, "--design", design_of(made), status=3)
    manifest = compare(made, expected)
    assert manifest["notes"] == {"null_text": 1, "repaired_text": 2}
    assert [each["name"] for each in manifest["inputs"]] == ["z one.jsonl", "a.jsonl"]
    check_kept(made, expected)
    raw = [
        base64.b64decode(json.loads(line)["raw"])
        for path in (made / "rejected").glob("*.json")
        for line in path.open()
    ]
    assert sorted(raw) == sorted([b"no json", b'{"text": 5}', b'{"id": "x"}'])
    assert not (made / "_work").exists()
    check_report(made, expected)


def make_scored(folder: Path) -> list[Path]:
    """Lines with numbers, strings and nothing in the field `score`, many of them the same."""
    source = random.Random(5)
    scores: list[Any] = [None, 1, 2, -3, 2.5, 1 << 60, (1 << 60) + 1, "b", "ab", "abc", "\u00fc"]
    rows = []
    for number, text in enumerate(corpora.near_copies()):
        row = {"id": f"d{number}", "text": text, "score": source.choice(scores)}
        if row["score"] is None and number % 2:
            del row["score"]
        rows.append(json.dumps(row) + "\n")
    folder.mkdir()
    files = [folder / "b.jsonl", folder / "a.jsonl"]
    files[0].write_text("".join(rows[:400]))
    files[1].write_text("".join(rows[400:]))
    return files


@pytest.mark.parametrize(
    "keep", ["field:score:desc", pytest.param("field:score", marks=pytest.mark.slow)]
)
def test_the_value_of_a_field_says_what_is_kept(spark: Any, tmp_path: Path, keep: str) -> None:
    files = make_scored(tmp_path / "in")
    made, expected = tmp_path / "made", tmp_path / "expected"
    assert run_on_spark(*files, "-o", made, "--keep", keep, "--partitions", 2) == 0
    run_command(*files, "-o", expected, "--keep", keep, "--design", design_of(made))
    manifest = compare(made, expected)
    assert manifest["options"]["keep"] == keep
    check_kept(made, expected)


CRITERIA = [
    ["source:other.jsonl,scored.jsonl", "field:score:desc", "longest"],
    ["field:n:desc", "source:other.jsonl"],
]


@pytest.mark.parametrize(
    "criteria", [CRITERIA[0], pytest.param(CRITERIA[1], marks=pytest.mark.slow)], ids=str
)
def test_the_first_criterion_that_tells_documents_apart_decides(
    spark: Any, tmp_path: Path, criteria: list[str]
) -> None:
    files = make_scored(tmp_path / "in")
    names = ("scored.jsonl", "other.jsonl")
    files = [
        file.rename(tmp_path / "in" / name) for file, name in zip(files, names, strict=True)
    ]
    made, expected = tmp_path / "made", tmp_path / "expected"
    keep = [part for criterion in criteria for part in ("--keep", criterion)]
    assert run_on_spark(*files, "-o", made, *keep, "--partitions", 2) == 0
    run_command(*files, "-o", expected, *keep, "--design", design_of(made))
    manifest = compare(made, expected)
    assert manifest["options"]["keep"] == criteria
    facts = ("source", "row", "kept_by")
    wanted = rows_of([expected / "removed.jsonl"], facts)
    assert rows_of((made / "removed").glob("*.json"), facts) == wanted
    of_command = json.loads((expected / "manifest.json").read_text())
    assert manifest["kept_by"] == of_command["kept_by"]
    assert sum(count > 0 for count in manifest["kept_by"].values()) > 1
    check_kept(made, expected)


def test_an_input_that_is_not_there_is_refused(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = make_scored(tmp_path / "in")
    assert run_on_spark(*files, "-o", tmp_path / "made", "--keep", "source:no.jsonl") == 2
    assert "no input is named 'no.jsonl'; the inputs are" in capsys.readouterr().err


@pytest.mark.slow
def test_the_value_of_a_column_of_parquet_says_what_is_kept(spark: Any, tmp_path: Path) -> None:
    texts = corpora.near_copies()
    values = random.Random(3).choices([None, -1.5, 0.0, 7.0, float("nan")], k=len(texts))
    names = [f"d{n}" for n in range(len(texts))]
    table = pa.table({"id": names, "text": texts, "score": pa.array(values, pa.float64())})
    parquet.write_table(table, tmp_path / "in.parquet", row_group_size=200)
    made, expected = tmp_path / "made", tmp_path / "expected"
    keep = ["--keep", "field:score:desc"]
    assert run_on_spark(tmp_path / "in.parquet", "-o", made, *keep, "--partitions", 2) == 0
    run_command(tmp_path / "in.parquet", "-o", expected, *keep, "--design", design_of(made))
    compare(made, expected)
    kept = parquet.read_table(made / "kept")
    wanted = parquet.read_table(expected / "kept")
    assert sorted(kept["id"].to_pylist()) == sorted(wanted["id"].to_pylist())
    assert run_on_spark(tmp_path / "in.parquet", "-o", tmp_path / "no", "--keep", "field:no") == 2


def test_a_field_that_no_line_has_is_refused(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = make_scored(tmp_path / "in")
    assert run_on_spark(*files, "-o", tmp_path / "made", "--keep", "field:no") == 2
    assert "field that --keep field:no names" in capsys.readouterr().err


@pytest.mark.slow
def test_a_preset_keeps_what_it_keeps_in_the_command(spark: Any, tmp_path: Path) -> None:
    """It sets --keep and --exact-empty, which no option of the engine is. Clusters are components,
    which may have several kept documents."""
    make_lines(tmp_path / "in")
    with (tmp_path / "in" / "a.jsonl").open("ab") as file:
        file.write(b'\n{"id": "e1", "text": "--"}\n{"id": "e2", "text": "--"}\n')
    made, expected = tmp_path / "made", tmp_path / "expected"
    options = ["--preset", "web", "--threshold", "0.6", "--cluster", "components"]
    assert run_on_spark(tmp_path / "in", "-o", made, *options) == 3
    run_command(tmp_path / "in", "-o", expected, *options, "--design", design_of(made), status=3)
    manifest = compare(made, expected)
    assert manifest["options"]["keep"] == "longest" and manifest["options"]["exact_empty"]
    check_kept(made, expected)
    check_report(made, expected)


PAIR = ("a", "b", "resemblance", "common", "size_a", "size_b")


@pytest.mark.parametrize("against", [pytest.param(False, marks=pytest.mark.slow), True])
def test_pairs_are_those_of_the_command(spark: Any, tmp_path: Path, against: bool) -> None:
    make_lines(tmp_path / "in")
    one, other = tmp_path / "in" / "z one.jsonl", tmp_path / "in" / "a.jsonl"
    arguments = [one, "--against", other] if against else [one, other]
    made, expected = tmp_path / "made", tmp_path / "pairs.jsonl"
    options = ["--threshold", "0.6"]
    assert run_on_spark(*arguments, "-o", made, *options, name="pairs") == 3
    manifest = json.loads((made / "manifest.json").read_text())
    design = ["--design", manifest["design"]]
    run_command(*arguments, "-o", expected, *options, *design, status=3, name="pairs")
    pairs = rows_of((made / "pairs").glob("*.json"), PAIR)
    assert pairs == rows_of([expected], PAIR) and len(pairs) == manifest["pairs"] > 100
    assert manifest["records"]["rejected"] == (0 if against else 3)
    files = {path.name for path in made.iterdir() if path.name[0] not in "._"}
    assert files - {"rejected"} == {"manifest.json", "pairs"}


def check_kept(made: Path, expected: Path) -> None:
    """Kept lines must be the same, byte for byte."""
    kept = [line for path in (made / "kept").glob("*.txt") for line in path.open("rb")]
    wanted = [
        line if line.endswith(b"\n") else line + b"\n"
        for path in (expected / "kept").iterdir()
        for line in path.open("rb")
    ]
    assert sorted(kept) == sorted(wanted)


def report_of(folder: Path) -> dict[str, Any]:
    """The data of a report."""
    page = (folder / "report.html").read_text()
    found = re.search(r'<script[^>]*id="report-data"[^>]*>(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def check_report(made: Path, expected: Path) -> None:
    """What the reports count and show must be the same, where both have it."""
    one, other = report_of(made), report_of(expected)
    for name in ("asked", "met", "sampled_documents", "sampled_pairs", "estimate", "low", "high"):
        assert one["recall"][name] == pytest.approx(other["recall"][name]), name
    for name in ("records", "statistics", "cluster_sizes", "acceptance", "threshold", "fields"):
        assert one[name] == other[name], name
    assert sum(one["resemblance_histogram"]["counts"]) == one["records"]["removed_near"]
    assert {each["kept"]["id"] for each in one["clusters"] if each["size"] > 4} == {
        each["kept"]["id"] for each in other["clusters"] if each["size"] > 4
    }
    ours = {each["member"]["id"]: each["member"] for each in one["narrowest"]}
    theirs = {each["member"]["id"]: each["member"] for each in other["narrowest"]}
    shared = ours.keys() & theirs.keys()
    assert len(shared) >= 10
    assert all(ours[name] == theirs[name] for name in shared)


@pytest.mark.slow
def test_parquet_below_folders_gives_the_result_of_the_command(spark: Any, tmp_path: Path) -> None:
    texts = corpora.near_copies()
    names = [None if n % 9 == 0 else f"d{n}" for n in range(len(texts))]
    table = pa.table({"name": names, "body": pa.array(texts), "n": list(range(len(texts)))})
    folder = tmp_path / "in"
    (folder / "below").mkdir(parents=True)
    parquet.write_table(table.slice(0, 400), folder / "z.parquet", row_group_size=70)
    parquet.write_table(table.slice(400), folder / "below" / "b.parquet", row_group_size=1000)
    made, expected = tmp_path / "made", tmp_path / "expected"
    fields = ["--text-field", "body", "--id-field", "name"]
    assert run_on_spark(folder, "-o", made, *fields) == 0
    run_command(folder, "-o", expected, *fields, "--design", design_of(made))
    compare(made, expected)
    kept = parquet.read_table(made / "kept")
    wanted = parquet.read_table(expected / "kept")
    assert kept.column_names == wanted.column_names
    assert kept.sort_by("n").to_pylist() == wanted.sort_by("n").to_pylist()


@pytest.mark.slow
def test_columns_of_only_some_files_are_kept_and_fields_have_their_own_stages(
    spark: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    one = " ".join(f"word{i}" for i in range(30))
    other = " ".join(f"other{i}" for i in range(30))
    parquet.write_table(
        pa.table({"id": ["a"], "text": [one], "body": [one]}), folder / "a.parquet"
    )
    parquet.write_table(
        pa.table({"id": ["b"], "text": [one], "body": [other], "url": ["u"]}),
        folder / "b.parquet",
    )
    work = ["--work", tmp_path / "work", "--keep-work", "--partitions", 1]
    for field, kept in (("text", ["a"]), ("body", ["a", "b"])):
        made = tmp_path / field
        assert run_on_spark(folder, "-o", made, "--text-field", field, *work) == 0
        table = parquet.read_table(made / "kept").sort_by("id")
        assert table["id"].to_pylist() == kept
        assert table.column_names == ["id", "text", "body", "url"]
    assert table["url"].to_pylist() == [None, "u"]


def add_line(path: Path) -> None:
    path.write_bytes(b'{"text": "new"}\n' + path.read_bytes())


def replace_word(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"word1", b"other"))


def add_row(path: Path) -> None:
    parquet.write_table(parquet.read_table(path, columns=["text"]).slice(1), path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"), [("a.jsonl", add_line), ("a.jsonl", replace_word), ("a.parquet", add_row)]
)
def test_an_input_that_changes_is_noticed(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], name: str, change: Callable[[Path], None],
) -> None:  # fmt: skip
    file = tmp_path / "in" / name
    if name.endswith("jsonl"):
        make_lines(file.parent)
    else:
        file.parent.mkdir()
        parquet.write_table(pa.table({"text": [f"word{i}" for i in range(50)]}), file)
    write = _program._write_tables

    def write_later(*arguments: Any) -> None:
        change(file)
        write(*arguments)

    monkeypatch.setattr(_program, "_write_tables", write_later)
    assert run_on_spark(file.parent, "-o", tmp_path / "made") == 2
    assert "not as it was when it was read first" in capsys.readouterr().err
    assert not (tmp_path / "made" / "manifest.json").exists()


@pytest.mark.slow
def test_against_gives_the_result_of_the_command(spark: Any, tmp_path: Path) -> None:
    make_lines(tmp_path / "in")
    lines = (tmp_path / "in" / "a.jsonl").read_bytes().splitlines(keepends=True)
    reference = tmp_path / "known"
    reference.mkdir()
    (reference / "one.jsonl").write_bytes(b"".join(lines[::3]) + b"no json\n")
    (reference / "none.jsonl").write_bytes(b"")
    made, expected = tmp_path / "made", tmp_path / "expected"
    given = [tmp_path / "in", "--against", reference]
    assert run_on_spark(*given, "-o", made, "--partitions", 2) == 3
    run_command(*given, "-o", expected, "--design", design_of(made), status=3)
    manifest = compare(made, expected)
    wanted = json.loads((expected / "manifest.json").read_text())["reference"]
    assert manifest["reference"] == {name: wanted[name] for name in ("documents", "rejected")}
    rows = [json.loads(row) for path in (made / "removed").glob("*.json") for row in path.open()]
    flags = {row["id"]: row["duplicate_of_reference"] for row in rows}
    assert set(flags.values()) == {True, False}
    assert sum(flags.values()) == sum(
        json.loads(row).get("duplicate_of_reference", False)
        for row in (expected / "removed.jsonl").open()
    )
    listed = {each["name"]: each for each in manifest["inputs"] if each.get("reference")}
    assert listed["none.jsonl"]["records"] == 0
    assert listed["one.jsonl"]["rejected"] == wanted["rejected"]
    check_kept(made, expected)
    kept_ones = [each["kept"] for each in report_of(made)["clusters"]]
    assert "one.jsonl" in {each["source"] for each in kept_ones}


@pytest.mark.slow
def test_files_of_equal_names_are_named_by_their_folders(spark: Any, tmp_path: Path) -> None:
    for folder, word in (("year=1/en", "one"), ("year=1/de", "two"), ("year=1/fr", "three")):
        (tmp_path / folder).mkdir(parents=True)
        text = " ".join(f"{word}{i}" for i in range(30))
        parquet.write_table(
            pa.table({"a.text": [text], "a.id": [word]}), tmp_path / folder / "part.parquet"
        )
    made = tmp_path / "made"
    fields = ["--text-field", "a.text", "--id-field", "a.id", "--partitions", 1]
    given = [tmp_path / "year=1" / "{en,de}", tmp_path / "year=1" / "fr"]
    assert run_on_spark(*given, "-o", made, *fields) == 0
    manifest = json.loads((made / "manifest.json").read_text())
    names = [each["name"] for each in manifest["inputs"]]
    assert names == ["de/part.parquet", "en/part.parquet", "fr/part.parquet"]
    assert parquet.read_table(made / "kept").column_names == ["a.text", "a.id"]


REFUSED = [
    (["in"], "-o here", "has files that no job of lookalike-spark wrote"),
    (["in"], "-o done", "has a result already; name another folder, or pass --overwrite"),
    (["in", "in/a.jsonl"], "-o new", "occurs twice in the inputs"),
    (["nowhere"], "-o new", "nowhere"),
    (["in"], "-o in --overwrite", "lies in the output folder"),
    (["in"], "-o in/new", "would be read as a part of the input"),
    (["in"], "-o new --work in/work", "would be read as a part of the input"),
    (["i?"], "-o in/new", "would be read as a part of the input"),
    (["in"], "-o done --overwrite --text-field body", "no line is a document"),
    (["in"], "-o new --audit-documents -1", "use a whole number from 0"),
    (["in", "b.parquet"], "-o new", "run a job for each format"),
    (["b.parquet"], "-o new", "have no column text; they have body; name one with --text-field"),
    (["b.parquet"], "-o new --text-field body --id-field key", "have no column key; name another"),
    (["in"], "-o new --id-field key", "no line has the field key; name another with --id-field"),
    (["in"], "-o new --text-field body", "no line is a document; one of the reasons: "),
    (["in"], "-o new --shingle item", "shingle item takes lists"),
    (["in"], "-o new --method exact", "is not offered on Spark"),
    (["in"], "-o new --max-errors 2", "3 records were rejected, --max-errors allows 2"),
    (["in"], "-o new --conf spark.x", "write KEY=VALUE"),
    (["in"], "-o new --against nosuch://x/y", 'No FileSystem for scheme "nosuch"'),
]


@pytest.mark.parametrize(("inputs", "rest", "message"), REFUSED)
def test_refusals_say_what_to_do_and_change_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], inputs: list[str], rest: str, message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    make_lines(tmp_path / "in")
    parquet.write_table(pa.table({"body": ["a"]}), "b.parquet")
    files = {"here/own": "dear", "done/manifest.json": "{}", "done/_lookalike-spark": ""}
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    given = [str(tmp_path / name) for name in inputs]
    output = re.sub(
        r"(-o|--work) (\S+)", lambda found: f"{found[1]} {tmp_path / found[2]}", rest
    )
    assert run_on_spark(*given, *output.split()) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("lookalike-spark: ") == 1
    assert (tmp_path / "here" / "own").read_text() == "dear"
    assert (tmp_path / "done" / "manifest.json").read_text() == "{}"
