"""examples/serve: both stories, by curl and in Python, run to their end in a fresh folder."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served import Served

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "serve"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_the_story_by_curl(binary: Path, tmp_path: Path) -> None:
    port = free_port()
    env = {**os.environ, "LOOKALIKE": str(binary), "PORT": str(port)}
    words: list[str | Path] = [EXAMPLES / "story.sh", tmp_path]
    told = subprocess.run(words, env=env, capture_output=True, text=True, timeout=90)
    assert (told.returncode, told.stderr) == (0, "")
    lines = told.stdout.splitlines()
    answers = [json.loads(line) for line in lines if line.startswith("{")]
    added, also, guarded, found, compared, begun, done, stats = answers
    assert added == also == {"outcome": "added"}
    assert guarded["outcome"] == "similar" and guarded["like"]["id"] == "fox"
    assert [match["id"] for match in found["matches"]] == ["fox"]
    assert found["matches"][0]["metadata"] == {"from": "Ada"}
    assert compared["resemblance"] == 0
    assert begun["kind"] == done["kind"] == "backup" and done["state"] == "done"
    assert stats["documents"] == 2
    assert lines[-1].startswith('the copy has {"documents":2,')
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_the_story_in_python(serve: Callable[..., Served], tmp_path: Path) -> None:
    pytest.importorskip("lookalike", reason="the wheel is not installed; run `make wheel`")
    (tmp_path / "backups").mkdir()
    served = serve("--backups", str(tmp_path / "backups"), create=("--keep", "text"))
    words: list[Any] = [sys.executable, EXAMPLES / "story.py", f"http://127.0.0.1:{served.port}"]
    told = subprocess.run(words, capture_output=True, text=True, timeout=90)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines() == [
        "fox: added",
        "ship: added",
        "fox-2: similar to fox",
        "found: fox, 0.86, {'from': 'Ada'}",
        "fox and ship: 0.00",
        "backup: done",
        "documents: 2",
    ]
    assert (tmp_path / "backups" / "second").is_dir()
