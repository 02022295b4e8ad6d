"""A run that was killed is gone on with, to the same bytes, without doing finished work again."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from damage import flip, shorten
from interrupted_run import (
    POLL_SECONDS,
    files_below,
    journal_lines,
    journal_of,
    journal_units,
    kill_after,
    same_for_all_attempts,
    watch,
    working_folder,
)
from result_folder import ResultFolder

LIMITS = ["--memory", "64M"]


@dataclass
class Whole:
    """A run that nothing interrupted: what it wrote, and the units that were seen of it."""

    files: dict[str, bytes]
    units: list[str]


@pytest.fixture(scope="module")
def whole(binary: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    output = tmp_path_factory.mktemp("whole") / "out"
    scratch = output.with_name("scratch")
    scratch.mkdir()
    command = [binary, "dedup", corpus, "-o", output, "--quiet", *LIMITS, "--scratch", scratch]
    seen = watch(command, output)
    assert seen.code == 0, seen.stderr
    assert len(seen.units) >= 3, f"hardly anything to go on with: {seen.units}"
    assert not working_folder(output).exists() and files_below(scratch) == []
    assert ResultFolder(output).manifest["resumed_units"] == 0
    return Whole(same_for_all_attempts(output), seen.units)


@dataclass
class Attempt:
    """The places and the command of a test's runs."""

    binary: Path
    source: Path
    output: Path
    scratch: Path

    def command(self, *options: str) -> list[str | Path]:
        return [
            self.binary, "dedup", self.source, "-o", self.output, "--quiet",
            "--scratch", self.scratch, *(options or LIMITS),
        ]  # fmt: skip

    def kill(self, lines: int) -> list[str]:
        return kill_after(self.command(), self.output, lines)

    def resume(self, *options: str, code: int = 0, anew: bool = False) -> str:
        """Goes on; returns what it said on stderr."""
        seen = watch([*self.command(*options), "--resume"], self.output, anew=anew)
        assert seen.code == code, (seen.code, seen.stderr)
        return seen.stderr

    def resumed_units(self) -> int:
        return ResultFolder(self.output).manifest["resumed_units"]

    def check_whole(self, whole: Whole) -> None:
        """The result is the one of a run that was not interrupted, and nothing else is left."""
        assert same_for_all_attempts(self.output) == whole.files
        assert not working_folder(self.output).exists()
        assert files_below(self.scratch) == []

    def refused(self, *options: str) -> str:
        """--resume says one line, makes no result, and keeps what the dead run had."""
        before = journal_lines(self.output)
        stderr = self.resume(*options, code=2)
        assert len(stderr.splitlines()) == 1, stderr
        assert not self.output.exists()
        assert journal_lines(self.output) == before
        return stderr


@pytest.fixture
def attempt(binary: Path, corpus: Path, tmp_path: Path) -> Attempt:
    scratch = tmp_path / "elsewhere" / "scratch"
    scratch.mkdir(parents=True)
    source = tmp_path / corpus.name  # the input's name is a part of the result
    os.link(corpus, source)
    return Attempt(binary, source, tmp_path / "out", scratch)


@pytest.fixture
def own_corpus(attempt: Attempt) -> Path:
    """The input as a file that the test may change."""
    content = attempt.source.read_bytes()
    attempt.source.unlink()
    attempt.source.write_bytes(content)
    return attempt.source


@pytest.mark.parametrize("share", [0.0, 0.35, 0.7, 1.0])
def test_killed_and_resumed(attempt: Attempt, whole: Whole, share: float) -> None:
    lines = max(1, round(share * (len(whole.units) - 1)))
    units = attempt.kill(lines)
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= len(units)


def test_killed_before_anything_was_finished(attempt: Attempt, whole: Whole) -> None:
    """As soon as the working folder is there; it may not even have a journal."""
    seen = watch(
        attempt.command(), attempt.output, lambda units: working_folder(attempt.output).exists()
    )
    assert seen.code == -9 and not attempt.output.exists()
    done = len(journal_units(attempt.output))
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= done


def test_killed_twice(attempt: Attempt, whole: Whole) -> None:
    first = attempt.kill(1)
    wanted = min(len(first) + 1, len(whole.units) - 1)
    second = kill_after([*attempt.command(), "--resume"], attempt.output, wanted)
    assert second[: len(first)] == first
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= len(second)


@pytest.mark.parametrize(
    "options",
    [
        ["--memory", "64M", "--threads", "1"],
        ["--memory", "64M", "--threads", "7"],
        ["--memory", "96M", "--threads", "3"],
        ["--memory", "2G"],
    ],
    ids=" ".join,
)
def test_other_threads_and_memory_are_accepted(
    attempt: Attempt, whole: Whole, options: list[str]
) -> None:
    units = attempt.kill(max(1, len(whole.units) // 2))
    attempt.resume(*options)
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= len(units)


@pytest.mark.parametrize(
    "option",
    [["--threshold", "0.7"], ["--keep", "longest"], ["--seed", "1"], ["--output", "annotated"],
     ["--shingle", "word:4"], ["--recall", "0.9"]],
    ids=" ".join,
)  # fmt: skip
def test_a_changed_option_is_refused_and_named(
    attempt: Attempt, whole: Whole, option: list[str]
) -> None:
    attempt.kill(1)
    stderr = attempt.refused(*LIMITS, *option)
    assert option[0].lstrip("-") in stderr, stderr
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= 1


def grow(path: Path) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"id": "late", "text": "one more document"}\n')


def replace_a_letter(path: Path) -> None:
    """Same size, same time of change, same file: only the bytes tell."""
    status = path.stat()
    with open(path, "r+b") as file:
        line = file.readline()
        at = line.index(b'"text": "') + 12
        file.seek(at)
        letter = file.read(1)
        file.seek(at)
        file.write(b"x" if letter != b"x" else b"y")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def cut(path: Path) -> None:
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size - 5000)


@pytest.mark.parametrize("change", [grow, replace_a_letter, cut, Path.unlink])
def test_a_changed_input_is_refused_and_named(
    attempt: Attempt, whole: Whole, own_corpus: Path, change: Callable[[Path], None]
) -> None:
    content, status = own_corpus.read_bytes(), own_corpus.stat()
    attempt.kill(max(1, len(whole.units) // 2))
    change(own_corpus)
    assert own_corpus.name in attempt.refused()
    with open(own_corpus, "r+b" if own_corpus.exists() else "wb") as file:
        file.write(content)
        file.truncate()
    os.utime(own_corpus, ns=(status.st_atime_ns, status.st_mtime_ns))
    attempt.resume()
    attempt.check_whole(whole)


def test_another_input_is_refused_and_named(
    attempt: Attempt, whole: Whole, write_jsonl: Callable
) -> None:
    attempt.kill(1)
    extra = write_jsonl("extra.jsonl", [{"id": "x", "text": "not there before"}])
    seen = watch([*attempt.command(), extra, "--resume"], attempt.output)
    assert seen.code == 2 and "extra.jsonl" in seen.stderr
    attempt.resume()
    attempt.check_whole(whole)


def test_resume_with_nothing_there_starts(attempt: Attempt, whole: Whole) -> None:
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() == 0


@pytest.mark.parametrize("options", [[], ["--threads", "1", "--memory", "80M"]], ids=" ".join)
def test_resume_of_a_complete_result_changes_nothing(
    run: Callable, write_jsonl: Callable, tmp_path: Path, options: list[str]
) -> None:
    write_jsonl("in.jsonl", [{"id": i, "text": "one two three"} for i in "abc"])
    run("dedup", "in.jsonl", "-o", "out", "--quiet")

    def facts() -> dict[str, tuple[int, int, int]]:
        statuses = {str(path): path.stat() for path in sorted(tmp_path.rglob("*"))}
        return {name: (s.st_ino, s.st_mtime_ns, s.st_size) for name, s in statuses.items()}

    before = facts()
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--resume", *options)
    assert facts() == before


def test_without_resume_a_dead_run_is_replaced(attempt: Attempt, whole: Whole) -> None:
    """Its temporary files go, too."""
    attempt.kill(max(1, len(whole.units) // 2))
    seen = watch(attempt.command(), attempt.output, anew=True)
    assert seen.code == 0, seen.stderr
    attempt.check_whole(whole)
    assert attempt.resumed_units() == 0


def tear(content: bytes) -> bytes:
    """The last line without its second half."""
    begin = content.rstrip(b"\n").rfind(b"\n") + 1
    return content[: (begin + len(content)) // 2]


def tear_the_end(content: bytes) -> bytes:
    return content[:-1]


def half_a_line_more(content: bytes) -> bytes:
    line = content.splitlines(keepends=True)[-1]
    return content + line[: len(line) // 2]


def zeros_behind(content: bytes) -> bytes:
    """What some file systems show of an append that a power cut dropped."""
    return content + bytes(300)


def a_foreign_line(content: bytes) -> bytes:
    return content + b'{"unit": "x"}\n[]\n'


@pytest.mark.parametrize(
    ("damage", "lost"),
    [(tear, 1), (tear_the_end, 1), (half_a_line_more, 0), (zeros_behind, 0), (a_foreign_line, 0)],
)
def test_a_torn_journal(
    attempt: Attempt, whole: Whole, damage: Callable[[bytes], bytes], lost: int
) -> None:
    units = attempt.kill(max(2, len(whole.units) // 2))
    journal = journal_of(attempt.output)
    journal.write_bytes(damage(journal.read_bytes()))
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= len(units) - lost


def test_a_journal_line_that_was_changed(attempt: Attempt, whole: Whole) -> None:
    """Well-formed, but not what was written: neither it nor a later line may be believed."""
    attempt.kill(max(2, len(whole.units) // 2))
    journal = journal_of(attempt.output)
    lines = journal.read_bytes().splitlines(keepends=True)
    first = journal_lines(attempt.output)[0]["bytes"]
    lines[0] = lines[0].replace(f'"bytes": {first}'.encode(), f'"bytes": {first + 1}'.encode())
    assert b"".join(lines) != journal.read_bytes()
    journal.write_bytes(b"".join(lines))
    attempt.resume(anew=True)
    attempt.check_whole(whole)
    assert attempt.resumed_units() == 0


def exchange(path: Path) -> None:
    """Another file of the run in its place, or zeros where there is no other."""
    others = [other for other in path.parent.iterdir() if other.is_file() and other != path]
    content = others[0].read_bytes() if others else bytes(path.stat().st_size)
    path.write_bytes(content)


def run_file(attempt: Attempt, name: str) -> Path:
    """The file that a journal line names, wherever it lies below the scratch or working folder."""
    found = [
        path
        for place in (attempt.scratch, working_folder(attempt.output))
        for path in place.rglob(Path(name).name)
    ]
    assert len(found) == 1, (name, found)
    return found[0]


@pytest.mark.parametrize("damage", [flip, shorten, exchange, Path.unlink])
@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
def test_a_damaged_run_file_is_noticed(
    attempt: Attempt, whole: Whole, damage: Callable[[Path], None], which: int
) -> None:
    """Done again or refused with its name, but never wrong bytes."""
    attempt.kill(max(2, len(whole.units) // 2))
    line = [line for line in journal_lines(attempt.output) if line["bytes"] > 0][which]
    path = run_file(attempt, line["file"])
    assert path.stat().st_size == line["bytes"]
    damage(path)
    seen = watch([*attempt.command(), "--resume"], attempt.output, anew=True)
    assert seen.code in (0, 2), (seen.code, seen.stderr)
    if seen.code == 0:
        attempt.check_whole(whole)
    else:
        assert len(seen.stderr.splitlines()) == 1 and path.name in seen.stderr
        assert not attempt.output.exists()
        again = watch(attempt.command(), attempt.output, anew=True)
        assert again.code == 0, again.stderr
        attempt.check_whole(whole)


@pytest.mark.parametrize("kind", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_was_asked_to_stop_can_be_resumed(
    attempt: Attempt, whole: Whole, kind: signal.Signals
) -> None:
    process = subprocess.Popen(
        [str(word) for word in attempt.command("--threads", "1", *LIMITS)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None and not journal_units(attempt.output):
            time.sleep(POLL_SECONDS)
        process.send_signal(kind)
        code = process.wait(timeout=60)
    finally:
        process.kill()
        process.wait()
    if code == 0:  # it was done before the signal came
        attempt.check_whole(whole)
        return
    assert not attempt.output.exists()
    done = len(journal_units(attempt.output))
    attempt.resume()
    attempt.check_whole(whole)
    assert attempt.resumed_units() >= done


def test_an_output_that_is_there_is_replaced_only_at_the_end(
    attempt: Attempt, whole: Whole
) -> None:
    """Of an interrupted --overwrite the old result stays as it was."""
    small = attempt.source.with_name("small.jsonl")
    small.write_text('{"id": "a", "text": "one two three"}\n')
    subprocess.run(
        [attempt.binary, "dedup", small, "-o", attempt.output, "--quiet"], check=True
    )
    before = ResultFolder(attempt.output).digest()
    seen = watch(
        [*attempt.command(), "--overwrite"], attempt.output, lambda units: len(units) >= 1
    )
    assert seen.code == -9
    assert ResultFolder(attempt.output).digest() == before
    shutil.rmtree(attempt.output)
    attempt.resume()
    attempt.check_whole(whole)


@pytest.mark.slow
def test_killed_at_every_line(attempt: Attempt, whole: Whole) -> None:
    for lines in range(1, len(whole.units)):
        units = attempt.kill(lines)
        attempt.resume()
        attempt.check_whole(whole)
        assert attempt.resumed_units() >= len(units)
        shutil.rmtree(attempt.output)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "documents"), [("template", 8000), ("near-copies", 8000), ("short", 400_000)]
)
def test_skewed_corpora_killed_and_resumed(
    attempt: Attempt, skewed: Callable[[str, int], Path], kind: str, documents: int
) -> None:
    attempt.source = skewed(kind, documents)
    seen = watch(attempt.command(), attempt.output)
    assert seen.code == 0, seen.stderr
    wanted = Whole(same_for_all_attempts(attempt.output), seen.units)
    for lines in sorted({1, len(seen.units) // 2, len(seen.units) - 1} - {0}):
        shutil.rmtree(attempt.output)
        attempt.kill(lines)
        attempt.resume()
        attempt.check_whole(wanted)


def test_a_complete_result_of_other_inputs_is_refused(
    run: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    """Whoever resumes with other data must not be told that all is done."""
    write_jsonl("a.jsonl", [{"id": "1", "text": "one two three"}])
    write_jsonl("b.jsonl", [{"id": "1", "text": "one two three four"}])
    run("dedup", "a.jsonl", "-o", "out")
    assert "already complete" in run("dedup", "a.jsonl", "-o", "out", "--resume").stdout
    refused = run("dedup", "b.jsonl", "-o", "out", "--resume", code=2)
    assert "other inputs" in refused.stderr and "b.jsonl" in refused.stderr
    run("dedup", "b.jsonl", "-o", "out", "--resume", "--overwrite")


def test_a_kept_file_that_changed_before_the_run_ended_is_written_again(
    attempt: Attempt, whole: Whole
) -> None:
    """Of equal size: what an interrupted run wrote is known by its bytes."""
    attempt.kill(len(whole.units))
    kept = working_folder(attempt.output) / "result" / "kept" / attempt.source.name
    flip(kept)
    attempt.resume()
    attempt.check_whole(whole)


def test_resume_within_an_input_that_turns_out_bad(
    run: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """The input after a bad one is read from its beginning."""
    rows = [{"id": str(i), "text": f"{i} " + "word " * 20_000} for i in range(900)]
    packed = gzip.compress(write_jsonl("b.jsonl", rows).read_bytes(), 1)
    (tmp_path / "b.jsonl").unlink()
    (tmp_path / "b.jsonl.gz").write_bytes(packed[:-1000])
    write_jsonl("a.jsonl", [{"id": "x", "text": "one two three"}])
    write_jsonl("c.jsonl", [{"id": "y", "text": "one two three"}])
    inputs = ["a.jsonl", "b.jsonl.gz", "c.jsonl"]
    run("dedup", *inputs, "-o", "whole", "--skip-bad-inputs", code=3)
    stress = {"LOOKALIKE_STRESS": "resume"}
    run("dedup", *inputs, "-o", "resumed", "--skip-bad-inputs", code=3, env=stress)
    for name in ("removed.jsonl", "clusters.jsonl", "report.html"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "resumed" / name).read_bytes()
