"""Texts that many of these tests use."""

from __future__ import annotations

from typing import Any

LONG = "the quick brown fox jumps over the lazy dog near the river bank"
#: The third is an exact copy of the first.
TEXTS = [LONG, "something else entirely, in other words", LONG + "!"]


def write_bytes(path: Any, content: bytes) -> Any:
    """Writes a file and its folders; returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
