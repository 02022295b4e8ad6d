"""Runs of the command that are watched, killed and gone on with."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from result_folder import ResultFolder

POLL_SECONDS = 0.0005
ATTEMPTS = 5
LONGEST_SECONDS = 300  # no run takes so long, unless it hangs


def working_folder(output: Path) -> Path:
    return output.with_name(output.name + ".partial")


def journal_of(output: Path) -> Path:
    return working_folder(output) / "journal"


def journal_lines(output: Path) -> list[dict]:
    """The lines of a run's journal, up to the first that is not whole."""
    try:
        content = journal_of(output).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return []
    lines: list[dict] = []
    for text in content.split(b"\n")[:-1]:
        try:
            line = json.loads(text)
        except ValueError:
            break
        if not isinstance(line, dict) or not {"unit", "check"} <= line.keys():
            break
        lines.append(line)
    return lines


def journal_units(output: Path) -> list[str]:
    return [line["unit"] for line in journal_lines(output)]


def peak_memory(process: int) -> int:
    """The largest resident size so far, in bytes; 0 when the process is gone.

    Not ru_maxrss, which for a child begins with what its parent had when it was forked.
    """
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) * 1024 if lines else 0


@dataclass
class Watched:
    """What was seen of a run while it ran."""

    code: int = 0
    stderr: str = ""
    peak: int = 0
    units: list[str] = field(default_factory=list)  # as the journal last had them


def watch(
    command: Sequence[str | Path],
    output: Path,
    kill_when: Callable[[list[str]], bool] = lambda units: False,
    anew: bool = False,
) -> Watched:
    """Runs a command to its end, or kills it as soon as its journal is as wanted.

    Asserts all the while that no unit is journaled twice and that none is lost again; with `anew`
    the run need not respect the journal that it finds.
    """
    seen = Watched()
    errors = output.with_name(output.name + ".stderr")
    with open(errors, "wb") as stderr:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
        try:
            deadline = time.monotonic() + LONGEST_SECONDS
            while process.poll() is None:
                assert time.monotonic() < deadline, "the run hangs"
                seen.peak = max(seen.peak, peak_memory(process.pid))
                units = journal_units(output)
                if units:
                    assert len(set(units)) == len(units), f"a unit is journaled twice: {units}"
                    kept = units[: len(seen.units)] == seen.units
                    assert kept or anew, f"the journal lost a unit: {seen.units}, then {units}"
                    seen.units = units
                if kill_when(units):
                    break
                time.sleep(POLL_SECONDS)
        finally:
            process.kill()
            seen.code = process.wait()
    seen.stderr = errors.read_text(encoding="utf-8", errors="replace")
    errors.unlink()
    return seen


def kill_after(command: Sequence[str | Path], output: Path, lines: int) -> list[str]:
    """Kills a run once its journal has so many lines; returns the units that it then has."""
    for _ in range(ATTEMPTS):
        seen = watch(command, output, lambda units: len(units) >= lines)
        if not output.exists():
            assert seen.code == -9, seen.stderr
            units = journal_units(output)
            assert len(units) >= lines
            return units
        assert seen.code in (0, 3), seen.stderr
        shutil.rmtree(output)  # it came to its end between two looks at the journal
    raise AssertionError(f"never caught with {lines} lines in its journal and no result")


def same_for_all_attempts(output: Path) -> dict[str, bytes]:
    """Every output file's bytes, without what a limit or an interruption may show in a manifest."""
    found = ResultFolder(output).digest()
    manifest = json.loads(found["manifest.json"])
    del manifest["resumed_units"]
    manifest.pop("peak_scratch_bytes", None)  # of this run, as peak_memory_bytes is
    found["manifest.json"] = json.dumps(manifest).encode()
    return found


def files_below(folder: Path) -> list[str]:
    """Files, not folders: an empty folder that the user made may stay."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())
