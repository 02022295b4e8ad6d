"""Files that a tool makes and the repository keeps."""

from __future__ import annotations

import pathlib
import sys


def write_or_check(target: pathlib.Path, text: str, check: bool, expected: str) -> int:
    """Writes `text`, or with `check` says where `target` is not `expected`; the exit code."""
    if not check:
        target.write_text(text, encoding="utf-8")
        return 0
    if target.exists() and target.read_text(encoding="utf-8") == text:
        return 0
    tool = pathlib.Path(sys.argv[0]).name
    print(f"{target.name} is not {expected}; run tools/{tool} without --check", file=sys.stderr)
    return 1
