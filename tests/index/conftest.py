"""Fixtures of the tests of `lookalike index`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def index(run: Callable[..., Any]) -> Callable[..., Any]:
    """Runs `lookalike index` with the given words."""

    def call(*arguments: str | Path, **rest: Any) -> Any:
        return run("index", *arguments, **rest)

    return call


@pytest.fixture(scope="session")
def crash_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiles crash.c, which is preloaded into the command."""
    path = tmp_path_factory.mktemp("crash") / "crash.so"
    source = Path(__file__).with_name("crash.c")
    subprocess.run(
        ["cc", "-O1", "-Wall", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True
    )
    return path
