"""Frames and row groups that are decoded ahead: the same bytes for all threads and memory limits."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from result_folder import ResultFolder

CHANCE = random.Random(23)
WAYS = [(1, "1G"), (2, "1G"), (2, "64M"), (8, "1G"), (8, "80M")]
FRAME = 100_000


def corpus(documents: int = 6000) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    for i in range(documents):
        words = [f"word{CHANCE.randrange(3000)}" for _ in range(60)]
        text = rows[CHANCE.randrange(i)]["text"] + " more" if i % 5 == 4 else " ".join(words)
        rows.append({"id": f"d{i}", "text": text})
    return rows


ROWS = corpus()
PLAIN = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)


def frames() -> list[bytes]:
    """Frames of all kinds: with and without their length, empty, and with nothing to decode."""
    known = zstandard.ZstdCompressor(write_checksum=True)
    unknown = zstandard.ZstdCompressor(write_content_size=False)
    made = []
    for i, at in enumerate(range(0, len(PLAIN), FRAME)):
        made.append((unknown if i % 3 == 1 else known).compress(PLAIN[at : at + FRAME]))
        if i % 4 == 0:
            made.append(b"\x50\x2a\x4d\x18\x05\0\0\0bytes")
            made.append(known.compress(b""))
    return made


FRAMES = frames()


def write_zstd(path: Path) -> None:
    path.write_bytes(b"".join(FRAMES))


def write_bad_zstd(path: Path) -> None:
    third = bytearray(FRAMES[8])
    third[len(third) // 2 : len(third) // 2 + 20] = b"\x55" * 20
    path.write_bytes(b"".join(FRAMES[:8]) + third + b"".join(FRAMES[9:]))


def write_cut_zstd(path: Path) -> None:
    path.write_bytes(b"".join(FRAMES)[:-3])


def write_parquet(path: Path) -> None:
    table = pa.Table.from_pylist(ROWS)
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        begin = 0
        for rows in [1, 100, 100, 0, 0, 3000, 7, 900, 0, len(ROWS)]:
            writer.write_table(table.slice(begin, rows), row_group_size=max(1, rows))
            begin += rows


def without_limit(stderr: str) -> str:
    """What was said, but for the longest record that --memory has room for."""
    return "".join(
        line for line in stderr.splitlines(keepends=True) if "records of more than" not in line
    )


def outcome(output: Path) -> dict:
    """All that a result says but times and how it was made."""
    result = ResultFolder(output)
    same = {
        str(path.relative_to(output)): path.read_bytes()
        for path in sorted(output.rglob("*"))
        if path.is_file() and path.name not in ("manifest.json", "report.html")
    }
    return {**same, "records": result.records}


@pytest.mark.parametrize(
    ("name", "write"), [("in.jsonl.zst", write_zstd), ("in.parquet", write_parquet)]
)
def test_results_are_the_same(
    run: Callable, tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    write(tmp_path / name)
    outcomes = []
    for threads, memory in WAYS:
        folder = f"out-{threads}-{memory}"
        run("dedup", name, "-o", folder, "--threads", str(threads), "--memory", memory, "--quiet")
        outcomes.append(outcome(tmp_path / folder))
    assert outcomes[0]["records"]["removed_near"] > 500
    assert all(other == outcomes[0] for other in outcomes)


@pytest.mark.parametrize("write", [write_bad_zstd, write_cut_zstd])
def test_errors_are_the_same(
    run: Callable, tmp_path: Path, write: Callable[[Path], None]
) -> None:
    write(tmp_path / "in.jsonl.zst")
    (tmp_path / "good.jsonl").write_bytes(PLAIN[: PLAIN.index(b"\n", 50_000) + 1])
    errors, skipped = set(), []
    for threads, memory in WAYS:
        options = ["--threads", str(threads), "--memory", memory, "--quiet"]
        failed = run("dedup", "in.jsonl.zst", "-o", "none", *options, code=2)
        errors.add(without_limit(failed.stderr))
        folder = f"out-{threads}-{memory}"
        run("dedup", "in.jsonl.zst", "good.jsonl", "-o", folder, "--skip-bad-inputs", *options,
            code=None)  # fmt: skip
        skipped.append(outcome(tmp_path / folder))
    assert len(errors) == 1 and "the zstd data is" in errors.pop()
    assert all(other == skipped[0] for other in skipped)


@pytest.mark.parametrize(
    ("name", "write", "why"),
    [
        ("in.jsonl.zst", write_zstd, "Input/output error"),
        ("in.parquet", write_parquet, "cannot be read as Parquet"),
    ],
)
def test_a_disk_that_cannot_be_read_is_the_same_error(
    binary: Path, tmp_path: Path, name: str, write: Callable[[Path], None], why: str
) -> None:
    """Whoever meets the bad place first, reading ahead or not."""
    library = tmp_path / "faulty_libc.so"
    source = Path(__file__).parents[1] / "golden" / "faulty_libc.cc"
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC", "-U_FORTIFY_SOURCE"]
    subprocess.run(["g++", *flags, "-o", library, source, "-ldl"], check=True)
    write(tmp_path / name)
    bad = (tmp_path / name).stat().st_size // 2
    assert bad > 300_000  # other files of a run are shorter
    said = set()
    for threads, memory in WAYS:
        done = subprocess.run(
            [binary, "dedup", name, "-o", "out", "--quiet", "--threads", str(threads),
             "--memory", memory],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
            env={**os.environ, "LD_PRELOAD": str(library), "FAULTY_LIBC": f"bad:{bad}"},
        )  # fmt: skip
        assert done.returncode == 2
        said.add(without_limit(done.stderr))
    assert len(said) == 1 and why in said.pop()


def test_an_interrupted_run_ends_in_order(binary: Path, tmp_path: Path) -> None:
    with (tmp_path / "in.jsonl.zst").open("wb") as file:
        for _ in range(40):
            file.write(b"".join(FRAMES))
    command = [binary, "dedup", "in.jsonl.zst", "-o", "out", "--threads", "4", "--quiet"]
    for moment in (0, 0.1, 0.3):
        started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
        while not (tmp_path / "out.partial").exists() and started.poll() is None:
            time.sleep(0.01)
        time.sleep(moment)
        started.send_signal(signal.SIGTERM)
        stderr = started.communicate(timeout=60)[1]
        assert started.returncode == 2, stderr
        assert b"interrupted" in stderr
        assert not (tmp_path / "out").exists()
