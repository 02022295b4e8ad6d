"""--output-shard: the files of an input, cut, hold together what one file would hold."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
import zstandard

import lookalike

SHARD = 4096
SIZE = ["--output-shard", "4K"]
FIELDS = ["--quiet", "--text-field", "text", "--id-field", "id"]


def made_rows() -> list[dict[str, Any]]:
    """400 documents, some of 12 KB, a fifth of them copies."""
    chance = random.Random(4)
    rows: list[dict[str, Any]] = []
    for i in range(400):
        words = chance.choices("abcdefghij", k=2000 if i % 50 == 7 else chance.randrange(20, 60))
        text = " ".join(word * 3 for word in words)
        if i % 5 == 4:
            text = rows[chance.randrange(i)]["text"]
        rows.append({"id": f"d{i}", "text": text, "n": i})
    return rows


ROWS = made_rows()
TABLE = pa.Table.from_pylist(ROWS)


def lines() -> bytes:
    """One line in forty is not JSON, and some are blank."""
    parts = []
    for row in ROWS:
        parts.append(json.dumps(row) + "\n")
        if row["n"] % 40 == 3:
            parts.append("no record\n")
        if row["n"] % 60 == 5:
            parts.append("\n")
    return "".join(parts).encode()


def comma_separated() -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, ROWS[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue().encode()


def write_input(path: Path) -> None:
    if path.suffix == ".parquet":
        pq.write_table(TABLE, path, row_group_size=17, compression="zstd")
    elif path.suffix == ".arrow":
        with pa.ipc.new_file(str(path), TABLE.schema) as writer:
            writer.write_table(TABLE, max_chunksize=13)
    elif path.suffix == ".zst":
        path.write_bytes(zstandard.compress(lines()))
    elif path.suffix == ".json":
        path.write_text(json.dumps(ROWS))
    elif path.suffix == ".csv":
        path.write_bytes(comma_separated())
    else:
        path.write_bytes(lines())


def read(path: Path) -> list[Any]:
    """The records of a file: rows as text, or as values."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".arrow":
        return pa.ipc.open_file(path).read_all().to_pylist()
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(path.read_text(), newline="")))
    if path.suffix == ".zst":
        return zstandard.decompress(path.read_bytes(), 1 << 24).splitlines()
    return path.read_bytes().splitlines()


def shards_of(folder: Path, name: str) -> list[Path]:
    """The shards of an input in the order of their numbers, which have no gap in kept/."""
    stem, ending = re.fullmatch(r"(\w+)(\..*)", name).groups()  # type: ignore[union-attr]
    found = sorted(folder.iterdir())
    count = len(found)
    if folder.name != "rejected":
        assert [p.name for p in found] == [
            f"{stem}-{i:05}-of-{count:05}{ending}" for i in range(count)
        ]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name in ("kept", "annotated", "rejected")
    }


INPUTS = ["in.jsonl", "in.jsonl.zst", "in.json", "in.csv", "in.parquet", "in.arrow"]
HARD = {
    "lanes": {"LOOKALIKE_STRESS": "lanes"},
    "resume": {"LOOKALIKE_STRESS": "resume"},
}


@pytest.mark.parametrize("output", ["copies", "annotated"])
@pytest.mark.parametrize("name", INPUTS)
def test_shards_hold_together_what_one_file_holds(
    run: Callable, tmp_path: Path, name: str, output: str
) -> None:
    write_input(tmp_path / name)
    form = ["--output", output, *FIELDS]
    run("dedup", name, "-o", "whole", *form, code=None)
    folder = "kept" if output == "copies" else "annotated"
    whole = tmp_path / "whole"
    wanted = read(whole / folder / name)
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--threads", "1"], {}),
        (["--threads", "16", "--memory", "64M"], {}),
        (["--threads", "4"], HARD["lanes"]),
        ([], HARD["resume"]),
    ]
    seen = []
    for number, (options, env) in enumerate(ways):
        cut = tmp_path / f"cut{number}"
        done = run("dedup", name, "-o", cut.name, *form, *SIZE, *options, env=env, code=None)
        assert done.code == (3 if "jsonl" in name else 0)
        shards = shards_of(cut / folder, name)
        assert len(shards) > 10
        assert [row for path in shards for row in read(path)] == wanted
        for other in ("removed.jsonl", "clusters.jsonl", "rejected.jsonl"):
            assert (cut / other).read_bytes() == (whole / other).read_bytes()
        if "jsonl" in name:
            rejected = shards_of(cut / "rejected", name)
            assert [row for path in rejected for row in read(path)] == [b"no record"] * 10
            assert {p.name for p in rejected} < {p.name for p in shards}
        seen.append(contents(cut))
    assert seen[0] == seen[1], "threads and memory change nothing"


def test_a_shard_has_the_rows_of_its_share_of_the_input(run: Callable, tmp_path: Path) -> None:
    """A shard ends with the record that fills it, be that one kept or removed."""
    (tmp_path / "in.jsonl").write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in ROWS))
    run("dedup", "in.jsonl", "-o", "out", *FIELDS, *SIZE)
    run("dedup", "in.jsonl", "-o", "all", *FIELDS, *SIZE, "--threshold", "1", "--output",
        "annotated")  # fmt: skip
    kept = shards_of(tmp_path / "out" / "kept", "in.jsonl")
    annotated = shards_of(tmp_path / "all" / "annotated", "in.jsonl")
    assert len(kept) == len(annotated)
    ids = [{json.loads(line)["id"] for line in read(path)} for path in annotated]
    for path, shard in zip(kept, ids):
        assert {json.loads(line)["id"] for line in read(path)} <= shard
    sizes = {row["id"]: len(json.dumps(row)) + 1 for row in ROWS}
    for shard in ids[:-1]:
        total, last = sum(sizes[i] for i in shard), max(shard, key=lambda i: int(i[1:]))
        assert total - sizes[last] < SHARD <= total


def test_row_groups_of_parquet_stay_where_they_are(run: Callable, tmp_path: Path) -> None:
    """Rows of two row groups of the input are never in one of a shard."""
    distinct = TABLE.set_column(1, "text", pa.array([f"a{i} b{i} c{i} d{i} e{i} " * 9
                                                     for i in range(400)]))  # fmt: skip
    pq.write_table(distinct, tmp_path / "in.parquet", row_group_size=50)
    run("dedup", "in.parquet", "-o", "out", *FIELDS, *SIZE)
    row, begins = 0, set()
    for path in shards_of(tmp_path / "out" / "kept", "in.parquet"):
        data = pq.ParquetFile(path).metadata
        for group in range(data.num_row_groups):
            begins.add(row)
            row += data.row_group(group).num_rows
    assert row == 400
    assert set(range(0, 400, 50)) < begins


def test_small_inputs_and_texts_are_one_shard_each(run: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"text": "one two three"}\n')
    (folder / "b-00000-of-00002.jsonl").write_text('{"text": "four five six"}\n')
    (folder / "c.txt").write_text("seven eight nine")
    (folder / "d.txt").write_text("seven eight nine")
    (folder / "e.jsonl").write_text("")
    run("dedup", "in", "-o", "out", "--quiet", *SIZE)
    assert sorted(path.name for path in (tmp_path / "out" / "kept").iterdir()) == [
        "a-00000-of-00001.jsonl",
        "b-00000-of-00002-00000-of-00001.jsonl",
        "c-00000-of-00001.txt",
        "e-00000-of-00001.jsonl",
    ]


def test_an_interrupted_run_names_its_shards_when_it_goes_on(run: Callable, tmp_path: Path) -> None:
    """Shards that an attempt had named, or that are gone, are written again."""
    write_input(tmp_path / "in.jsonl")
    run("dedup", "in.jsonl", "-o", "out", *FIELDS, *SIZE, "--resume", code=3)
    before = contents(tmp_path / "out")
    done = run("dedup", "in.jsonl", "-o", "out", *FIELDS, *SIZE, "--resume", code=3)
    assert "already complete" in done.stdout or done.stdout == ""
    assert contents(tmp_path / "out") == before
    (tmp_path / "out" / "kept" / "in-00001-of-00001.jsonl").write_text("")
    done = run("dedup", "in.jsonl", "-o", "out", *FIELDS, *SIZE, "--resume", code=2)
    assert "in-00001-of-00001.jsonl" in done.stderr


def test_python_finds_the_shards_of_each_input(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a-00000-of-00001.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in ROWS))
    paths = [tmp_path / name for name in ("b.jsonl", "a.jsonl", "a-00000-of-00001.jsonl")]
    whole = lookalike.dedup(paths)
    cut = lookalike.dedup(paths, output_shard="64K")
    assert len(cut.kept_files) > len(whole.kept_files) == 3
    assert cut.kept.equals(whole.kept)
    assert cut.kept.num_rows == len({row["text"] for row in ROWS})
    table = lookalike.dedup(TABLE, output_shard=4096)
    assert table.kept.equals(lookalike.dedup(TABLE).kept)


def test_a_folder_named_like_a_shard_is_refused_before_the_run(
    run: Callable, tmp_path: Path
) -> None:
    """Spark names its folders so; a shard must not take the place of their files."""
    folder = tmp_path / "in" / "a-00000-of-00001.jsonl"
    folder.mkdir(parents=True)
    (tmp_path / "in" / "a.jsonl").write_text('{"text": "one two three four five"}\n')
    (folder / "b.jsonl").write_text('{"text": "alpha beta gamma delta"}\n')
    done = run("dedup", "in", "-o", "out", *SIZE, code=2)
    assert done.stderr.startswith("a.jsonl: --output-shard would give a shard of this input")
    assert not (tmp_path / "out").exists()
    (tmp_path / "in" / "a.jsonl").rename(tmp_path / "in" / "c.jsonl")
    run("dedup", "in", "-o", "out", *SIZE)
    kept = tmp_path / "out" / "kept"
    assert sorted(str(p.relative_to(kept)) for p in kept.rglob("*") if p.is_file()) == [
        "a-00000-of-00001.jsonl/b-00000-of-00001.jsonl",
        "c-00000-of-00001.jsonl",
    ]


def test_an_empty_input_and_full_shards_leave_no_empty_file(run: Callable, tmp_path: Path) -> None:
    """A shard that is exactly full is the last one if nothing comes after it."""
    line = json.dumps({"text": " ".join(f"w{i}" for i in range(1000))})
    (tmp_path / "in.jsonl").write_text(line.ljust(SHARD * 2 - 1) + "\n\n\n" + "bad\n")
    run("dedup", "in.jsonl", "-o", "out", *FIELDS, *SIZE, code=3)
    assert len(shards_of(tmp_path / "out" / "kept", "in.jsonl")) == 1


def test_the_profile_says_what_each_stage_cost(run: Callable, tmp_path: Path) -> None:
    write_input(tmp_path / "in.jsonl")
    run("dedup", "in.jsonl", "-o", "out", *FIELDS, "--profile", "p.json", code=3)
    profile = json.loads((tmp_path / "p.json").read_text())
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert profile == manifest["profile"]
    assert [stage["name"] for stage in profile["stages"]] == [
        "plan", "fingerprint", "classes", "join", "verify", "decide", "recall", "write", "report",
    ]  # fmt: skip
    for stage in profile["stages"]:
        assert list(stage) == ["name", "wall", "cpu", "serial_cpu", "bytes", "page_faults"]
        assert min(value for key, value in stage.items() if key != "name") >= 0
    assert 0 < profile["serial_share"] <= 1
    read = {stage["name"]: stage["bytes"] for stage in profile["stages"]}
    size = (tmp_path / "in.jsonl").stat().st_size
    assert read["fingerprint"] >= size and read["write"] >= size
    (tmp_path / "p.json").write_text("kept")
    run("dedup", "in.jsonl", "-o", "out", *FIELDS, "--profile", "p.json", "--resume", code=3)
    assert (tmp_path / "p.json").read_text() == "kept", "nothing was done"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("in.jsonl", "in.jsonl"),
        ("ref.jsonl", "ref.jsonl"),
        ("out/p.json", "a folder that does not exist"),
        ("old/manifest.json", "in the folder of the result"),
        ("old", "is not a file"),
        ("no/p.json", "a folder that does not exist"),
    ],
)
def test_a_profile_replaces_no_input_and_no_result(
    run: Callable, tmp_path: Path, place: str, message: str
) -> None:
    write_input(tmp_path / "in.jsonl")
    (tmp_path / "ref.jsonl").write_text('{"text": "other words than those of the inputs"}\n')
    run("dedup", "in.jsonl", "-o", "old", *FIELDS, code=3)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    output = "old" if place.startswith("old") else "out"
    done = run("dedup", "in.jsonl", "-o", output, *FIELDS, "--overwrite", "--against", "ref.jsonl",
               "--profile", place, code=2)  # fmt: skip
    assert message in done.stderr
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
