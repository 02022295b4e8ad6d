"""The bar on a terminal: what is left of the whole run, in bytes that people know."""

from __future__ import annotations

import gzip
import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

SCALE = {"bytes": 1, "KB": 1e3, "MB": 1e6}


def bars_of(arguments: list[str | Path], folder: Path) -> list[str]:
    """Runs the command on a terminal; every state of its bar."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(arguments, cwd=folder, stderr=follower, stdout=subprocess.DEVNULL)
    os.close(follower)
    seen = b""
    try:
        while block := os.read(leader, 65536):
            seen += block
    except OSError:  # that is how Linux tells of the end
        pass
    os.close(leader)
    assert process.wait() == 0, seen
    return [bar for bar in seen.decode().split("\r") if bar.startswith("[")]


def test_the_bar_is_of_the_whole_run_and_counts_plain_bytes(
    run: Callable, binary: Path, tmp_path: Path
) -> None:
    run("synth", "-o", "in.jsonl", "--documents", "12000", "--seed", "2", "--quiet")
    plain = (tmp_path / "in.jsonl").read_bytes()
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(plain, 1))
    size = len(plain)
    assert (tmp_path / "in.jsonl.gz").stat().st_size < 0.7 * size
    bars = bars_of([binary, "dedup", "in.jsonl.gz", "-o", "out", "--threads", "1"], tmp_path)
    shares = [float(match[1]) for bar in bars if (match := re.match(r"\[[#-]*\] +(\d+) %", bar))]
    assert len(shares) == len(bars) > 5, bars
    assert shares == sorted(shares) and shares[0] < 30 and shares[-1] > 95, shares
    stages = [match[1] for bar in bars if (match := re.search(r"; ([a-z]+) ", bar))]
    assert {"fingerprint", "write"} <= set(stages)
    for bar in bars:
        amounts = re.search(r"; [a-z]+ ([\d.]+) ?([A-Za-z]*) of ([\d.]+) (bytes|KB|MB)", bar)
        if amounts is None or "join" in bar:
            continue
        done, unit, total, total_unit = amounts.groups()
        assert abs(float(total) * SCALE[total_unit] - size) < 0.3 * size, bar
        assert float(done) * SCALE[unit] <= 1.3 * size, bar
    last = [bar for bar in bars if "; write" in bar][-1]
    found = re.search(r"write ([\d.]+) MB of ([\d.]+) MB", last)
    assert found and found[1] == found[2] == f"{size / 1e6:.1f}", last
    left = [bar for bar in bars if re.search(r"% *, .* left; ", bar)]
    assert all("left of" not in bar for bar in bars) and (left or len(bars) < 12), bars
