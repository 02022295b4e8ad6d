"""Runs that share a folder for --scratch: each has one of its own there, and touches no other."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from interrupted_run import LONGEST_SECONDS, POLL_SECONDS, files_below, same_for_all_attempts


def test_only_the_scratch_folder_of_a_run_is_removed(
    run: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """Whatever a working folder says, and whatever a folder is called."""
    write_jsonl("in.jsonl", [{"id": "a", "text": "one two three"}])
    photos = tmp_path / "lookalike-photos"
    photos.mkdir()
    (photos / "photo").write_text("precious")
    for name, text in (
        ("job.json", json.dumps({"scratch": str(photos)})),
        ("scratch-claim", f"0123456789abcdef\n{photos}\n"),
    ):
        partial = tmp_path / "out.partial"
        (partial / ".lookalike-unfinished").mkdir(parents=True)
        (partial / name).write_text(text)
        run("dedup", "in.jsonl", "-o", "out", "--quiet", "--overwrite")
        assert not partial.exists()
        assert (photos / "photo").read_text() == "precious"


def test_two_runs_of_one_path_share_a_scratch_folder(
    binary: Path, corpus: Path, tmp_path: Path
) -> None:
    """As two containers that both write /view/out, and are given one folder for scratch files."""
    view, shared = tmp_path / "view", tmp_path / "shared"
    view.mkdir()
    shared.mkdir()
    lines = corpus.read_bytes().splitlines(keepends=True)
    command = f"exec {binary} dedup {view}/in.jsonl -o {view}/out --quiet --scratch {shared}"
    started = []
    for side, part in (("a", lines[:5000]), ("b", lines[5000:])):
        (tmp_path / side).mkdir()
        (tmp_path / side / "in.jsonl").write_bytes(b"".join(part))
        words = [binary, "dedup", "in.jsonl", "-o", "alone", "--quiet"]
        subprocess.run(words, cwd=tmp_path / side, check=True)
        mount = f"mount --bind {tmp_path / side} {view}"
        if subprocess.run(["unshare", "-m", "sh", "-c", mount], capture_output=True).returncode:
            pytest.skip("may not mount a folder here")
        started.append(["unshare", "-m", "sh", "-c", f"{mount} && {command}"])
    spilling = {**os.environ, "LOOKALIKE_STRESS": "spill"}
    runs = [subprocess.Popen(words, env=spilling, stderr=subprocess.PIPE) for words in started]
    said = [process.communicate(timeout=LONGEST_SECONDS)[1] for process in runs]
    assert [process.returncode for process in runs] == [0, 0], said
    for side in ("a", "b"):
        found = same_for_all_attempts(tmp_path / side / "out")
        assert found == same_for_all_attempts(tmp_path / side / "alone")
    assert list(shared.iterdir()) == []


def test_a_killed_run_that_cannot_be_resumed_leaves_nothing_for_good(
    binary: Path, corpus: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    command = ["pairs", str(corpus), "-o", "pairs.jsonl", "--quiet", "--scratch", "shared"]
    process = subprocess.Popen(
        [str(binary), *command], cwd=tmp_path, env={**os.environ, "LOOKALIKE_STRESS": "spill"}
    )
    while process.poll() is None and not files_below(shared):
        time.sleep(POLL_SECONDS)
    process.kill()
    process.wait()
    assert files_below(shared) != []
    run(*command)
    assert list(shared.iterdir()) == []
