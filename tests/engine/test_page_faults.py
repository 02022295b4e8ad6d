"""Memory is touched once: a run asks the system for few pages more than it holds at its peak.

Page faults are counted by the system and hardly differ from run to run, unlike times.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PAGE = 4096
TEXT_BYTES = {"small": 2_000, "large": 20_000}


def make_rows(size: int, text_bytes: int) -> list[dict[str, str]]:
    """Texts of random words, one in ten a near-copy of the text before."""
    chance = random.Random(7)
    words = [f"word{i}" for i in range(30_000)]
    rows: list[dict[str, str]] = []
    for number in range(size // text_bytes):
        text = " ".join(chance.choices(words, k=text_bytes // 10))
        if number % 10 == 5:
            text = rows[-1]["text"] + " more"
        rows.append({"id": str(number), "text": text})
    return rows


def write_lines(rows: list[dict[str, str]], path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_zstd(rows: list[dict[str, str]], path: Path) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as out:
        for row in rows:
            out.write(json.dumps(row).encode() + b"\n")


def write_parquet(rows: list[dict[str, str]], path: Path) -> None:
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, path, compression="zstd", row_group_size=max(1, len(rows) // 10))


FORMATS = {"in.jsonl": write_lines, "in.jsonl.zst": write_zstd, "in.parquet": write_parquet}
#: Faults for each page at the peak. How far threads are ahead of one another differs between runs.
MOST = {"1": 1.3, "2": 1.5}


@pytest.mark.parametrize("megabytes", [100, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("texts", TEXT_BYTES)
@pytest.mark.parametrize("name", FORMATS)
def test_a_run_touches_little_more_than_its_peak(
    binary: Path, tmp_path: Path, name: str, texts: str, megabytes: int
) -> None:
    FORMATS[name](make_rows(megabytes << 20, TEXT_BYTES[texts]), tmp_path / name)
    for threads, most in MOST.items():
        out = tmp_path / f"out-{threads}"
        command = [binary, "dedup", tmp_path / name, "-o", out, "--threads", threads, "--quiet"]
        process = subprocess.Popen(list(map(str, command)))
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0
        # Of a child, the system reports the peak of this process too, from which it was forked.
        peak = json.loads((out / "manifest.json").read_text())["peak_memory_bytes"]
        assert usage.ru_minflt * PAGE <= most * peak, (threads, usage.ru_minflt, peak)
