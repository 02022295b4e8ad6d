"""Fixtures of the tests of tools/."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a script of tools/ and returns what came of it: tool("check_layers.py", "--root", ...)."""

    def call(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        path = ROOT / "tools" / name
        command = [sys.executable] if path.suffix == ".py" else ["bash"]
        return subprocess.run(
            [*command, str(path), *map(str, arguments)],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )

    return call


@pytest.fixture
def tree(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Makes a source tree from {path: content} and returns its root."""

    def make(files: dict[str, str]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return tmp_path

    return make
