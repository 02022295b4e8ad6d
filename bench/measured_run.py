"""One run of a command, measured from outside, and its journal looked at while it runs."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

POLL_SECONDS = 0.003
# What may differ between two runs of one command, of a manifest.
FIXED_PARTS = ("records", "options_digest", "recall", "search", "clusters", "version")


class CommandFailed(Exception):
    """A command ended with an exit code that means no result."""


@dataclass
class Measured:
    """Of one run: seconds, bytes, and what its journal did."""

    code: int
    wall: float
    cpu: float  # user and system
    peak: int  # largest resident size, bytes
    units: list[str] = field(default_factory=list)  # as the journal last had them
    violations: list[str] = field(default_factory=list)


def journal_units(output: Path) -> list[str]:
    """Units in the whole lines of the journal of a run that writes `output`."""
    try:
        content = (output.with_name(output.name + ".partial") / "journal").read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return []
    units = []
    for line in content.split(b"\n")[:-1]:
        try:
            units.append(json.loads(line)["unit"])
        except (ValueError, TypeError, KeyError):
            break
    return units


def peak_of(process: int) -> int:
    """VmHWM. A new program begins with none, while ru_maxrss begins with its parent's."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(found[0].split()[1]) * 1024 if found else 0


def look_at_journal(run: Measured, output: Path) -> None:
    """A unit may not come twice, and a line that is there may not go."""
    units = journal_units(output)
    if not units:
        return
    if len(set(units)) != len(units):
        again = sorted({unit for unit in units if units.count(unit) > 1})
        run.violations.append("twice: " + ", ".join(again))
    if units[: len(run.units)] != run.units:
        run.violations.append(f"lost: {len(run.units)} lines, then {len(units)}")
    run.units = units


def measure(
    command: Sequence[str | Path],
    output: Path | None = None,
    cpus: str = "",
    kill_after: float | None = None,
) -> Measured:
    """Runs a command; with `output` its journal is watched; kills it after so many seconds.

    `cpus` is a list for taskset. A code that means no result raises, unless it was killed.
    """
    words = [*(["taskset", "-c", cpus] if cpus else []), *map(str, command)]
    begin = time.monotonic()
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    os.set_blocking(process.stderr.fileno(), False)
    run, said, killed = Measured(0, 0, 0, 0), b"", False
    while True:
        run.peak = max(run.peak, peak_of(process.pid))
        if output is not None:
            look_at_journal(run, output)
        said = (said + (process.stderr.read() or b""))[-4000:]
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if kill_after is not None and not killed and time.monotonic() - begin >= kill_after:
            process.kill()
            killed = True
        time.sleep(POLL_SECONDS)
    run.wall = time.monotonic() - begin
    run.code = process.returncode = os.waitstatus_to_exitcode(status)
    run.cpu = usage.ru_utime + usage.ru_stime
    said += process.stderr.read() or b""
    process.stderr.close()
    if run.code not in (0, 3) and not killed:
        text = said.decode("utf-8", "replace")
        raise CommandFailed(f"{' '.join(words)}: exit code {run.code}\n{text}")
    return run


def manifest_of(output: Path) -> dict:
    return json.loads((output / "manifest.json").read_text(encoding="utf-8"))


def digest(output: Path) -> str:
    """Of all files of a result; of its manifest, of what may not differ between runs."""
    whole = hashlib.sha256()
    for path in sorted(path for path in output.rglob("*") if path.is_file()):
        whole.update(str(path.relative_to(output)).encode() + b"\0")
        if path.name == "manifest.json":
            manifest = manifest_of(output)
            whole.update(json.dumps([manifest.get(part) for part in FIXED_PARTS]).encode())
        else:
            with open(path, "rb") as file:
                while block := file.read(1 << 20):
                    whole.update(block)
    return whole.hexdigest()


def warm(path: Path, when: Callable[[int], bool] = lambda size: size < 4 << 30) -> None:
    """Reads a file once, so that a run does not wait for a disk; not where it would not stay."""
    if when(path.stat().st_size):
        with open(path, "rb") as file:
            while file.read(1 << 24):
                pass
