"""Documents that are good, and what every failed run must hold to."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

LONERS = [
    {"id": f"g{i}", "text": f"good document {i} has words of its own {i * 7} {i * 13} {i * 17}"}
    for i in range(20)
]
GOOD = LONERS + [{"id": "copy", "text": LONERS[3]["text"]}]
FIELDS = ["--text-field", "text", "--id-field", "id"]


def lines_of(rows: list[dict]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def leftovers(folder: Path) -> list[str]:
    """What a run must not leave behind."""
    return [str(path) for path in folder.rglob("*") if ".partial" in path.name]


#: Words that messages of the libraries contain, and that users cannot be expected to know.
OF_LIBRARIES = (
    "_ERROR", "IOError", "Invalid", "NotImplemented", "json.exception", "thrift", "Thrift",
    "inflate", "deflate", "ZSTD", "BZ2_", "ERROR_", "Couldn't", "magic bytes", "footer",
    "simdjson", "parquet::",
)  # fmt: skip


def message_of(stderr: str, place: str) -> str:
    """The one message of a failed run; it begins with the place and has more to say."""
    lines = stderr.splitlines()
    assert not any(word in stderr for word in OF_LIBRARIES), stderr
    assert len(lines) == 1, stderr
    assert lines[0].startswith(f"{place}: ") and len(lines[0]) > len(place) + 15, stderr
    return lines[0]


def corpus(seed: int, documents: int = 200) -> list[dict[str, Any]]:
    """Documents of which a third is a near-copy of an earlier one."""
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(documents):
        words = [f"w{draw.randrange(5000)}" for _ in range(60)]
        if rows and draw.random() < 1 / 3:
            words = draw.choice(rows)["text"].split()
            words[draw.randrange(len(words))] = "changed"
        rows.append({"id": f"{seed}-{number}", "text": " ".join(words)})
    return rows
