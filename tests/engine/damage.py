"""Damage to files."""

from __future__ import annotations

import os
from pathlib import Path


def flip(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


def shorten(path: Path) -> None:
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size - 1)
