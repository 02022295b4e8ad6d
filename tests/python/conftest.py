"""Fixtures of the tests of the Python package. They test the package that is installed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command that the package brings."""

    def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lookalike", *map(str, arguments)],
            cwd=cwd, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def corpus(command: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 15 MB of texts, three in ten of them copies; nobody may change it."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    done = command("synth", "-o", path, "--documents", "8000", "--seed", "5", "--quiet")
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a Python of its own, with its own place for temporary files: tmp_path / "tmp".

    It heeds interrupts even if a shell started the tests in the background, without them.
    """
    started: list[subprocess.Popen[str]] = []

    def start(program: str, *arguments: str | Path) -> subprocess.Popen[str]:
        (tmp_path / "tmp").mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def lines(tmp_path: Path) -> Callable[[str, list[Any] | bytes], Path]:
    """Writes rows as JSON Lines, or bytes as they are: lines("in.jsonl", [{...}])."""

    def write(name: str, rows: list[Any] | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(rows, bytes):
            path.write_bytes(rows)
        else:
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
