"""Where results cannot go: the old result stays, and nothing is left behind."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from good_documents import GOOD, leftovers, lines_of, message_of
from result_folder import ResultFolder, read_lines


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.jsonl"
    path.write_bytes(lines_of(GOOD))
    return path


def test_an_output_that_exists(run: Callable, good: Path, tmp_path: Path) -> None:
    run("dedup", good, "-o", "out", "--quiet")
    before = ResultFolder(tmp_path / "out").digest()
    done = run("dedup", good, "-o", "out", code=2)
    assert "--overwrite" in message_of(done.stderr, "out")
    assert ResultFolder(tmp_path / "out").digest() == before
    (tmp_path / "file").write_text("mine")
    for options in ([], ["--overwrite"]):
        run("dedup", good, "-o", "file", *options, code=2)
        assert (tmp_path / "file").read_text() == "mine"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of somebody's work."""
    for name in (".git/HEAD", "src/main.py"):
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True)
        path.write_text("precious")
    return tmp_path / "project"


@pytest.mark.parametrize("manifest", [None, "", "[]", '{"name": "of a page"}'])
def test_overwrite_spares_what_is_no_result(
    run: Callable, good: Path, project: Path, tmp_path: Path, manifest: str | None
) -> None:
    if manifest is not None:
        (project / "manifest.json").write_text(manifest)
    done = run("dedup", good, "-o", "project", "--overwrite", code=2)
    assert "is not a result" in message_of(done.stderr, "project")
    assert (project / "src" / "main.py").read_text() == "precious"
    assert (project / ".git" / "HEAD").read_text() == "precious"
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("foreign", [".git/HEAD", "notes.txt", "kept/mine.txt", "kept/.git/HEAD"])
def test_overwrite_spares_what_stands_in_a_result(
    run: Callable, good: Path, tmp_path: Path, foreign: str
) -> None:
    run("dedup", good, "-o", "out", "--quiet")
    path = tmp_path / "out" / foreign
    path.parent.mkdir(exist_ok=True)
    path.write_text("precious")
    done = run("dedup", good, "-o", "out", "--overwrite", code=2)
    assert foreign.split("/")[0] in message_of(done.stderr, "out")
    assert path.read_text() == "precious"
    path.unlink()
    if path.parent.name == ".git":
        path.parent.rmdir()
    run("dedup", good, "-o", "out", "--overwrite", "--quiet")


def test_overwrite_takes_an_empty_folder(run: Callable, good: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    run("dedup", good, "-o", "out", code=2)
    run("dedup", good, "-o", "out", "--overwrite", "--quiet")
    assert ResultFolder(tmp_path / "out").records["in"] > 0


@pytest.mark.parametrize(
    ("inputs", "output"),
    [
        (["in"], "in/out"),
        (["in"], "in"),
        (["in/good.jsonl"], "in"),
        (["link"], "in/out"),
        (["in"], "link/out"),
    ],
)
def test_an_output_inside_the_input_or_around_it(
    run: Callable, good: Path, tmp_path: Path, inputs: list[str], output: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to("in")
    shutil.copy(good, tmp_path / "in" / "good.jsonl")
    done = run("dedup", *inputs, "-o", output, "--overwrite", code=2)
    assert (
        len(done.stderr.splitlines()) == 1
        and "choose another folder" in done.stderr
        or "outside" in done.stderr
    )
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["good.jsonl"]
    assert (tmp_path / "in" / "good.jsonl").read_bytes() == lines_of(GOOD)


@pytest.mark.parametrize("output", ["no/such/out", "good.jsonl/out"])
@pytest.mark.parametrize("command", ["dedup", "pairs"])
def test_an_output_without_a_parent(
    run: Callable, good: Path, tmp_path: Path, command: str, output: str
) -> None:
    done = run(command, good, "-o", output, code=2)
    assert len(done.stderr.splitlines()) == 1 and output in done.stderr
    assert not (tmp_path / "no").exists() and leftovers(tmp_path) == []


def test_pairs_leaves_an_old_file_alone_when_it_fails(
    run: Callable, good: Path, tmp_path: Path
) -> None:
    (tmp_path / "pairs.jsonl").write_text("old\n")
    run("pairs", "missing.jsonl", "-o", "pairs.jsonl", code=2)
    assert (tmp_path / "pairs.jsonl").read_text() == "old\n" and leftovers(tmp_path) == []
    run("pairs", good, "-o", "pairs.jsonl", "--quiet")
    assert len(read_lines(tmp_path / "pairs.jsonl")) == 1 and leftovers(tmp_path) == []


def test_a_file_size_limit(binary: Path, good: Path, tmp_path: Path, run: Callable) -> None:
    """A write that fails: one message, the old result intact, nothing left behind."""
    run("dedup", good, "-o", "out", "--quiet")
    before = ResultFolder(tmp_path / "out").digest()
    (tmp_path / "big.jsonl").write_bytes(
        lines_of([{"id": str(i), "text": f"text {i} {i * 31} {'x' * 90}"} for i in range(4000)])
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = subprocess.run(
        [binary, "dedup", "big.jsonl", "-o", "out", "--overwrite"],
        cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit, check=False,
    )  # fmt: skip
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert len(done.stderr.splitlines()) == 1 and "big.jsonl" in done.stderr
    assert ResultFolder(tmp_path / "out").digest() == before and leftovers(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("may not mount a file system here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("command", ["dedup", "pairs", "synth"])
def test_a_full_disk(run: Callable, small_disk: Path, tmp_path: Path, command: str) -> None:
    rows = [
        {"id": str(i), "text": f"text {i // 40} {'x' * 90} {i // 40 * 31} one two three"}
        for i in range(4000)
    ]
    (tmp_path / "big.jsonl").write_bytes(lines_of(rows))
    arguments = {
        "dedup": [
            "big.jsonl",
            "-o",
            "disk/out",
            "--threshold",
            "1",
            "--shingle",
            "char:64",
            "--min-features",
            "60",
        ],
        "pairs": ["big.jsonl", "-o", "disk/pairs.jsonl"],
        "synth": ["-o", "disk/synth.jsonl", "--documents", "2000"],
    }[command]
    done = run(command, *arguments, code=2)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and "disk/" in lines[0], done.stderr
    assert "No space left" in lines[0] or "full" in lines[0], lines[0]
    assert list(small_disk.iterdir()) == [], "what was written is cleaned away"
