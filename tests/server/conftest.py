"""Fixtures of the tests of `lookalike serve`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from served import Served


@pytest.fixture
def serve(binary: Path, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Serves an index, which is made if it is not there. All servers end with the test."""
    running: list[Served] = []

    def start(*options: str, index: str = "seen", create: tuple[str, ...] = ()) -> Served:
        if not (tmp_path / index).exists():
            words = [binary, "index", "create", tmp_path / index, "--quiet", *create]
            subprocess.run(words, check=True)
        running.append(Served(binary, tmp_path / index, *options))
        return running[-1]

    yield start
    for served in running:
        if served.process.poll() is None:
            served.process.terminate()
        served.process.communicate()
