"""What folders, patterns and names lead to: what is read, what is left out, and what it is called."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from good_documents import GOOD, lines_of
from result_folder import ResultFolder, read_lines

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
TEXTS = [f"the text number {i} tells of {i * 7} things and of {i * 11} others" for i in range(40)]


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def names_of(result: ResultFolder) -> list[str]:
    return [entry["name"] for entry in result.manifest["inputs"]]


def left_out(result: ResultFolder) -> dict[str, int]:
    return {why: group["count"] for why, group in result.manifest["left_out"].items()}


def test_names_that_begin_with_an_underscore_are_read(run: Callable, tmp_path: Path) -> None:
    markers = ["_SUCCESS", "_committed_12", "_temporary/0/part-0", "_metadata"]
    read = ["__init__.py", "_private/deep.py", "a.py", "b/__main__.py"]
    write(tmp_path / "in", dict(zip(read, TEXTS, strict=False)) | dict.fromkeys(markers, "x y z"))
    write(tmp_path / "in", {".git/config": "x y z", ".hidden": "x y z"})
    done = run("dedup", "in", "-o", "out")
    result = ResultFolder(tmp_path / "out")
    assert names_of(result) == read
    assert left_out(result) == {"hidden": 2, "data_set_markers": 4}
    assert set(result.manifest["left_out"]["hidden"]["first"]) == {"in/.git", "in/.hidden"}
    assert "left out  6 names" in done.stdout
    assert "2 entries with a hidden name" in done.stderr and "in/.git" in done.stderr
    assert "in/_SUCCESS" in done.stderr
    run("dedup", "in/**/*.py", "-o", "py", "--quiet")
    assert names_of(ResultFolder(tmp_path / "py")) == read


def test_links_out_of_a_folder_are_left_out(run: Callable, tmp_path: Path) -> None:
    write(tmp_path, {"in/a.txt": TEXTS[0], "secret.txt": TEXTS[1], "far/b.txt": TEXTS[2]})
    (tmp_path / "in" / "secret.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "in" / "far").symlink_to(tmp_path / "far")
    (tmp_path / "in" / "up").symlink_to("..")
    (tmp_path / "in" / "same.txt").symlink_to("a.txt")
    os.link(tmp_path / "in" / "a.txt", tmp_path / "in" / "hard.txt")
    done = run("dedup", "in", "-o", "out")
    result = ResultFolder(tmp_path / "out")
    assert names_of(result) == ["a.txt"] and result.removed == []
    assert left_out(result) == {"links": 3, "same_file": 2}
    assert "in/secret.txt" in done.stderr and "--follow-links" in done.stderr
    assert sorted(os.listdir(tmp_path / "out" / "kept")) == ["a.txt"]
    run("dedup", "in", "-o", "followed", "--follow-links", "--exclude", "out", "--quiet")
    followed = ResultFolder(tmp_path / "followed")
    assert names_of(followed) == ["a.txt", "far/b.txt", "secret.txt"]
    assert followed.manifest["options"]["follow-links"] == "true"
    run("dedup", "in/secret.txt", "in/far", "-o", "named", "--quiet")
    assert names_of(ResultFolder(tmp_path / "named")) == ["secret.txt", "b.txt"]


def test_a_folder_of_nothing_but_links_says_what_to_do(run: Callable, tmp_path: Path) -> None:
    write(tmp_path, {"blobs/1": TEXTS[0]})
    (tmp_path / "snapshot").mkdir()
    (tmp_path / "snapshot" / "data.txt").symlink_to("../blobs/1")
    done = run("dedup", "snapshot", "-o", "out", code=2)
    assert "snapshot: the folder contains no file to read" in done.stderr
    assert "--follow-links" in done.stderr
    run("dedup", "snapshot", "-o", "out", "--follow-links", "--quiet")


def test_include_and_exclude(run: Callable, tmp_path: Path) -> None:
    names = ["a.md", "b.txt", "docs/c.md", "docs/d.png", "build/e.md"]
    write(tmp_path / "in", dict(zip(names, TEXTS, strict=False)))
    run("dedup", "in", "-o", "out", "--include", "*.md", "--include", "*.txt", "--exclude=build")
    result = ResultFolder(tmp_path / "out")
    assert names_of(result) == ["a.md", "b.txt", "docs/c.md"]
    assert left_out(result) == {"filtered": 2}
    # One word a flag: what follows is an input.
    run("dedup", "--exclude", "*.png", "in", "-o", "flag", "--quiet")
    assert len(names_of(ResultFolder(tmp_path / "flag"))) == 4
    done = run("dedup", "in", "-o", "none", "--include", "*.rs", code=2)
    assert "--include and --exclude leave no file to read" in done.stderr
    assert run("pairs", "in", "-o", "p.jsonl", "--include", "", code=2).stderr.startswith(
        "lookalike: --include"
    )


def test_odd_files_of_a_folder_are_skipped_and_listed(run: Callable, tmp_path: Path) -> None:
    write(tmp_path / "in", {"a.txt": TEXTS[0], "p.png": PNG, "z.txt": TEXTS[1]})
    write(tmp_path / "in", {"b.jsonl.xz": b"\xfd7zXZ\x00\x00\x04rest", "c.zip": b"PK\x03\x04rest"})
    (tmp_path / "in" / "gone.txt").symlink_to("nowhere")
    done = run("dedup", "in", "-o", "out", code=3)
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(2)
    skipped = {e["name"]: e["reason"] for e in result.manifest["inputs"] if e["skipped"]}
    assert list(skipped) == ["b.jsonl.xz", "c.zip", "gone.txt", "p.png"]
    assert "xz -dk in/b.jsonl.xz" in skipped["b.jsonl.xz"] and "PNG" in skipped["p.png"]
    for name in skipped:
        assert re.search(rf"^in/{re.escape(name)}: .*; input skipped$", done.stderr, re.MULTILINE)
    assert "skipped   4 inputs" in done.stdout
    for command in ("pairs", "nearest", "sketch", "weights"):
        done = run(command, "in", "-o", f"{command}.out", "--json", code=3)
        assert "in/p.png: is a PNG image" in done.stderr, command


@pytest.mark.parametrize("name", ["p.png", "p.txt", "p.jsonl", "p"])
def test_an_odd_file_that_is_named_is_an_error(run: Callable, tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: PNG, "a.txt": TEXTS[0]})
    done = run("dedup", "a.txt", name, "-o", "out", code=2)
    assert done.stderr.startswith(f"{name}: is a PNG image, expected text; ")
    run("dedup", "a.txt", name, "-o", "out", "--skip-bad-inputs", "--quiet", code=3)
    ResultFolder(tmp_path / "out").check_nothing_lost(1)
    assert f"{name}: is a PNG image" in run("compare", "a.txt", name, code=2).stderr


def test_inputs_of_one_name_are_told_apart_by_their_folders(run: Callable, tmp_path: Path) -> None:
    rows = [lines_of(GOOD[:10]), lines_of(GOOD[5:15])]
    write(tmp_path, {f"shards/{i}/part-0.jsonl": rows[i] for i in range(2)})
    run("dedup", "shards/*/part-0.jsonl", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    assert names_of(result) == ["0/part-0.jsonl", "1/part-0.jsonl"]
    assert result.kept_bytes("0/part-0.jsonl") == rows[0]
    assert result.kept_bytes("1/part-0.jsonl") == lines_of(GOOD[10:15])
    assert {row["duplicate_of_source"] for row in result.removed} == {"0/part-0.jsonl"}
    run("dedup", "shards/*/part-0.jsonl", "-o", "last", "--keep", "source:1/part-0.jsonl")
    assert ResultFolder(tmp_path / "last").kept_bytes("1/part-0.jsonl") == rows[1]


def test_a_reference_has_names_of_its_own(run: Callable, tmp_path: Path) -> None:
    write(tmp_path, {"train/part.jsonl": lines_of(GOOD[:10]), "train/z.jsonl": lines_of(GOOD[:2])})
    write(tmp_path, {"test/part.jsonl": lines_of(GOOD[5:10])})
    run("dedup", "train/part.jsonl", "train/z.jsonl", "--against", "test/part.jsonl", "-o", "out")
    result = ResultFolder(tmp_path / "out")
    assert names_of(result) == ["part.jsonl", "part.jsonl", "z.jsonl"]
    assert result.kept_bytes("part.jsonl") == lines_of(GOOD[:5])
    witnesses = [
        (row["source"], row["duplicate_of_source"], row.get("duplicate_of_reference", False))
        for row in result.removed
    ]
    assert witnesses == [("part.jsonl", "part.jsonl", True)] * 5 + [
        ("z.jsonl", "part.jsonl", False)
    ] * 2
    done = run("dedup", "test/part.jsonl", "--against", "test", "-o", "twice", code=2)
    assert "test/part.jsonl: is passed twice" in done.stderr


def test_files_that_are_called_as_standard_input_is(run: Callable, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "stdin").write_text(f"some words of {folder}")
    run("dedup", "a", "b/stdin", "-", "-o", "out", "--quiet", stdin=b'{"text": "other words"}\n')
    kept = {path.relative_to(tmp_path / "out/kept") for path in (tmp_path / "out/kept").rglob("*")}
    assert {Path("a/stdin"), Path("b/stdin"), Path("stdin")} <= kept


@pytest.mark.parametrize("folder", [".", "./", "../{here}"])
def test_a_result_does_not_go_into_what_is_read(
    run: Callable, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "a.txt").write_text("some words")
    named = folder.format(here=tmp_path.name)
    for command, output in (("dedup", "out"), ("pairs", "pairs.jsonl"), ("sketch", "s.sketches")):
        failed = run(command, named, "-o", output, code=2)
        assert "lies inside the input" in failed.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_very_many_inputs_are_listed_beside_the_manifest(run: Callable, tmp_path: Path) -> None:
    files = {f"{i % 7}/{i:04}.txt": f"{TEXTS[i % 40]} in the year {i // 2}" for i in range(1200)}
    write(tmp_path / "in", files)
    for folder in ("a.jsonl", "zz.jsonl"):
        write(tmp_path / "in", {folder: lines_of(GOOD[:2])})
    run("dedup", "in", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    manifest = result.manifest
    assert manifest["input_count"] == 1202 and "inputs" not in manifest
    inputs = read_lines(tmp_path / "out" / manifest["inputs_file"])
    assert [entry["name"] for entry in inputs] == sorted([*files, "a.jsonl", "zz.jsonl"])
    assert sum(entry["documents"] for entry in inputs) == 1204
    assert manifest["records"]["in"] == 1204
    kept = sorted(path.name for path in (tmp_path / "out" / "kept").rglob("*.txt"))
    assert len(kept) == 1200 - sum(row["source"].endswith(".txt") for row in result.removed)
    # The same by any number of threads, however little memory, and after a crash.
    before = result.digest()
    for options in (["--threads", "1"], ["--threads", "5", "--memory", "64M"]):
        run("dedup", "in", "-o", "again", "--overwrite", "--quiet", *options)
        assert ResultFolder(tmp_path / "again").digest() == before
    run("dedup", "in", "-o", "hard", "--quiet", env={"LOOKALIKE_STRESS": "resume"})
    again = ResultFolder(tmp_path / "hard").digest()
    assert {n: b for n, b in again.items() if n != "manifest.json"} == {
        n: b for n, b in before.items() if n != "manifest.json"
    }
    run("dedup", "in", "-o", "out", "--resume", "--quiet")
    write(tmp_path / "in", {"3/more.txt": "one more"})
    assert "other inputs" in run("dedup", "in", "-o", "out", "--resume", code=2).stderr


@pytest.mark.slow
def test_very_many_files_take_little_memory(run: Callable, tmp_path: Path) -> None:
    for i in range(40_000):
        write(tmp_path / "in", {f"{i % 40}/{i}.txt": f"{i} " + " ".join(TEXTS[i % 40].split()[:9])})
    peaks = []
    for folder in ("in/0", "in"):
        done = run("dedup", folder, "-o", "out", "--overwrite", "--memory", "64M", "--json")
        peaks.append(done.json["peak_memory_bytes"])
    assert peaks[1] - peaks[0] < 40_000 * 300
