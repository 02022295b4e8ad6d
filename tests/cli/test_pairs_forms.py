"""The pairs file: JSON Lines, or Parquet by its ending; other endings are refused."""

import json
import subprocess

import pyarrow.parquet as pq
import pytest

TEXT = "one two three four five six seven eight nine ten"
COLUMNS = ["a", "b", "resemblance", "common", "size_a", "size_b"]


@pytest.fixture
def corpus(write_jsonl):
    rows = [("a", TEXT), ("b", TEXT), ("c", TEXT + " eleven")]
    return write_jsonl("in.jsonl", [{"id": i, "text": t} for i, t in rows])


def test_parquet_holds_the_rows_of_the_json_lines(run, corpus, tmp_path):
    run("pairs", corpus, "-o", "pairs.jsonl")
    run("pairs", corpus, "-o", "pairs.parquet")
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert len(rows) == 3
    assert pq.read_table(tmp_path / "pairs.parquet").to_pylist() == rows


def test_parquet_without_a_pair_has_the_columns(run, write_jsonl, tmp_path):
    alone = write_jsonl("alone.jsonl", [{"id": "a", "text": TEXT}])
    run("pairs", alone, "-o", "none.parquet", code=1)
    assert pq.read_table(tmp_path / "none.parquet").column_names == COLUMNS


@pytest.mark.parametrize("name", ["p.csv", "p.jsonl.gz", "p.arrow"])
def test_other_forms_are_refused(run, corpus, tmp_path, name):
    done = run("pairs", corpus, "-o", name, code=2)
    assert "JSON Lines" in done.stderr and "Parquet" in done.stderr
    assert not (tmp_path / name).exists()


def test_a_keep_field_that_no_document_has_is_named(run, corpus):
    assert "scroe" in run("dedup", corpus, "-o", "out", "--keep", "field:scroe:desc", code=2).stderr


def test_a_closed_standard_error_does_not_abort(binary):
    assert subprocess.run(f"{binary} nope 2>&-", shell=True, check=False).returncode == 2
