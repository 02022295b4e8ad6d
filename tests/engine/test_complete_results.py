"""--resume over a result that is complete, damaged, or of something else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from damage import flip, shorten


@pytest.fixture
def complete(run: Callable[..., Any], tmp_path: Path) -> Path:
    """A result that is complete, of two inputs, of which one is larger than what is hashed of it."""
    words = (f"word {max(i, 1)} and {max(i, 1) * 31} others {'x' * 900}" for i in range(3500))
    large = "".join(f'{{"id": "{i}", "text": "{text}"}}\n' for i, text in enumerate(words))
    (tmp_path / "large.jsonl").write_text(large)
    (tmp_path / "small.jsonl").write_text('{"id": "a", "text": "one two"}\nno json\n')
    run("dedup", "large.jsonl", "small.jsonl", "-o", "out", "--quiet", code=3)
    return tmp_path / "out"


def resumed_anew(run: Callable[..., Any], code: int = 2) -> str:
    """What --resume says of the complete result."""
    done = run("dedup", "large.jsonl", "small.jsonl", "-o", "out", "--resume", code=code)
    assert code != 2 or len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr if code == 2 else done.stdout


def test_a_complete_result_is_checked_and_stays(run: Callable[..., Any], complete: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in complete.rglob("*")}
    assert "already complete" in resumed_anew(run, code=3)
    assert {path: path.stat().st_mtime_ns for path in complete.rglob("*")} == before


def test_inputs_that_name_no_field_are_resumed(run: Callable[..., Any], tmp_path: Path) -> None:
    """Of whole files there are no fields to read: the manifest says null."""
    (tmp_path / "texts").mkdir()
    for name in "abc":
        (tmp_path / "texts" / f"{name}.txt").write_text(f"the text of {name}")
    words = ("dedup", "texts", "-o", "out")
    first = run(*words, "--json")
    assert json.loads((tmp_path / "out/manifest.json").read_text())["fields"]["text"] is None
    assert json.loads(run(*words, "--resume", "--json").stdout)["records"] == json.loads(
        first.stdout
    )["records"]


def write_over(path: Path, at: int) -> None:
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)
        file.seek(at)
        file.write(bytes([byte[0] ^ 1]))


@pytest.mark.parametrize(
    ("at", "keep_time", "said"),
    [(1_600_000, False, "modification time"), (30, True, "first or last MiB"),
     (3_200_000, True, "first or last MiB")],
)  # fmt: skip
def test_an_edit_of_equal_length_is_other_inputs(
    run: Callable[..., Any], complete: Path, at: int, keep_time: bool, said: str
) -> None:
    """In the middle the time tells it, at the edges the bytes do."""
    large = complete.with_name("large.jsonl")
    status = large.stat()
    write_over(large, at)
    os.utime(large, ns=(status.st_atime_ns, status.st_mtime_ns + (0 if keep_time else 10**9)))
    assert large.stat().st_size == status.st_size > 3_200_000
    stderr = resumed_anew(run)
    assert "other inputs" in stderr and "large.jsonl" in stderr and said in stderr, stderr
    run("dedup", "large.jsonl", "small.jsonl", "-o", "out", "--resume", "--overwrite", code=3)


def test_an_input_beside_standard_input_is_looked_at(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    line = '{"id": "a", "text": "one two"}\n'
    (tmp_path / "a.jsonl").write_text(line)
    run("dedup", "a.jsonl", "-", "-o", "out", "--quiet", stdin=line)
    run("dedup", "a.jsonl", "-", "-o", "out", "--quiet", "--resume")
    assert "stdin differs" in run("dedup", "a.jsonl", "-o", "out", "--resume", code=2).stderr
    (tmp_path / "a.jsonl").write_text(line.replace("two", "six"))
    done = run("dedup", "a.jsonl", "-", "-o", "out", "--resume", code=2)
    assert "a.jsonl differs" in done.stderr


def rewrite_manifest(folder: Path, name: str, value: object) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    assert manifest[name] != value
    path.write_text(json.dumps({**manifest, name: value}))


def test_a_result_of_another_version_is_refused(run: Callable[..., Any], complete: Path) -> None:
    rewrite_manifest(complete, "version", "0.0.7")
    assert "made by version 0.0.7 of this program" in resumed_anew(run)


def remove(path: Path) -> None:
    path.unlink()


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")


@pytest.mark.parametrize("damage", [remove, lengthen, shorten, flip])
@pytest.mark.parametrize(
    "name",
    ["kept/large.jsonl", "kept/small.jsonl", "removed.jsonl", "clusters.jsonl", "rejected.jsonl",
     "rejected/small.jsonl", "report.html", "scores.bin", "checks.jsonl"],
)  # fmt: skip
def test_a_damaged_result_is_not_complete(
    run: Callable[..., Any], complete: Path, name: str, damage: Callable[[Path], None]
) -> None:
    path = complete / name
    assert path.stat().st_size > 0
    damage(path)
    stderr = resumed_anew(run)
    assert name in stderr and "--overwrite" in stderr, stderr
    run("dedup", "large.jsonl", "small.jsonl", "-o", "out", "--overwrite", "--quiet", code=3)
    resumed_anew(run, code=3)


def test_what_a_manifest_says_is_checked(run: Callable[..., Any], complete: Path) -> None:
    rewrite_manifest(complete, "clusters", 77)
    assert "manifest.json" in resumed_anew(run)


def test_a_file_that_no_run_put_into_a_result(run: Callable[..., Any], complete: Path) -> None:
    """Whoever reads the folder would take it for kept rows."""
    (complete / "notes.txt").write_text("mine")
    resumed_anew(run, code=3)
    (complete / "kept" / "more.jsonl").write_text("{}\n")
    assert "kept/more.jsonl" in resumed_anew(run)
