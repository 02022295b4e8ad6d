"""Every golden case on disks that misbehave: the same bytes, or a clean error and then the same."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from golden_case import (
    CASES,
    Case,
    Configuration,
    Outcome,
    Step,
    parse,
    render,
    run_command,
    run_step,
    snapshot,
    write_given,
)

SOURCE = Path(__file__).with_name("faulty_libc.cc")
NAMES = sorted(path.stem for path in CASES.glob("*.case"))
POWER_CUT = 75  # exit code
# Every operation of a short run is tried, of a long one ever fewer.
MOMENTS = [*range(1, 25), 30, 37, 46, 57, 71, 88, 110, 137, 171, 213, 266, 332, 415, 518, 647, 808]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def faulty_libc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that is put before the C library."""
    library = tmp_path_factory.mktemp("faulty") / "faulty_libc.so"
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC", "-U_FORTIFY_SOURCE"]
    subprocess.run(["g++", *flags, "-o", library, SOURCE, "-ldl"], check=True)
    return library


def faults(library: Path, plan: str, way: str = "") -> Configuration:
    """`way`: what LOOKALIKE_STRESS is; `spill` takes many more operations, and makes units."""
    stress = (("LOOKALIKE_STRESS", way),) if way else ()
    return Configuration((), (("LD_PRELOAD", str(library)), ("FAULTY_LIBC", plan), *stress))


def prepare(name: str, folder: Path) -> Case:
    case = parse((CASES / f"{name}.case").read_text(encoding="utf-8"))
    folder.mkdir(exist_ok=True)
    for given in case.files:
        write_given(folder, given)
    return case


@pytest.mark.parametrize("way", ["", "spill"])
@pytest.mark.parametrize("name", NAMES)
def test_short_reads_and_writes(
    name: str, way: str, binary: Path, tmp_path: Path, faulty_libc: Path
) -> None:
    case = prepare(name, tmp_path / "case")
    brief = faults(faulty_libc, "short", way)
    outcomes = [run_step(step, tmp_path / "case", binary, brief) for step in case.steps]
    assert render(case, outcomes) == (CASES / f"{name}.case").read_text(encoding="utf-8")


def attempt(step: Step, folder: Path, binary: Path, disk: Configuration) -> int | None:
    """The exit code of a step that fails on that disk; None where all is as on any other."""
    done = run_command(step, folder, binary, disk)
    if f"exit {done.returncode}" == step.expected[0]:
        return None
    assert done.returncode == POWER_CUT or (done.returncode == 2 and done.stderr), done
    return done.returncode


def go_on(step: Step, folder: Path, binary: Path, before: dict[str, tuple[int, int]]) -> Outcome:
    """Resumes where that can be done, and starts again where the command says so."""
    if step.words[1] == "dedup" and "--resume" not in step.words:
        resumed = run_step(step, folder, binary, Configuration(("--resume",)), before)
        if not any("run again without --resume" in line for line in resumed.lines):
            return resumed
    return run_step(step, folder, binary, Configuration(), before)


def files_in(lines: list[str]) -> list[str]:
    """The sections that show files, but no files of a run that is to be resumed.

    A run that was complete before the cut says so when it is resumed.
    """
    shown, is_file = [], False
    for line in lines:
        if line.startswith(">>> "):
            is_file = re.match(r">>> (stdout|stderr|\w+\.partial/)", line) is None
        if is_file and not re.match(r"gone \w+\.partial/", line):
            shown.append(line)
    return shown


Check = Callable[[Step, Path, dict[str, tuple[int, int]]], None]


def fail_at_every_operation(
    name: str, disk: Callable[[int], Configuration], binary: Path, tmp_path: Path, check: Check
) -> None:
    """Runs a case on ever better disks; `check` looks at each step that failed on one."""
    for moment in MOMENTS:
        folder = tmp_path / f"at-{moment}"
        case = prepare(name, folder)
        failed = False
        for step in case.steps:
            before = snapshot(folder)
            if attempt(step, folder, binary, disk(moment)) is None:
                continue
            failed = True
            check(step, folder, before)
        if not failed:
            return


@pytest.mark.parametrize("way", ["", "spill"])
@pytest.mark.parametrize("name", NAMES)
def test_a_disk_that_fills_up(
    name: str, way: str, binary: Path, tmp_path: Path, faulty_libc: Path
) -> None:
    """What could not be done is an error, and the next attempt is as if nothing had happened."""

    def check(step: Step, folder: Path, before: dict[str, tuple[int, int]]) -> None:
        outcome = run_step(step, folder, binary, Configuration(), before)
        assert outcome.lines == step.expected, f"after a full disk, {folder.name}"

    fail_at_every_operation(
        name, lambda at: faults(faulty_libc, f"full:{at}", way), binary, tmp_path, check
    )


@pytest.mark.parametrize("way", ["", "spill"])
@pytest.mark.parametrize("name", NAMES)
def test_a_power_cut(
    name: str, way: str, binary: Path, tmp_path: Path, faulty_libc: Path
) -> None:
    """Bytes that were not synced are torn off; what is resumed gives the same bytes."""

    def check(step: Step, folder: Path, before: dict[str, tuple[int, int]]) -> None:
        outcome = go_on(step, folder, binary, before)
        assert files_in(outcome.lines) == files_in(step.expected), f"power cut {folder.name}"

    fail_at_every_operation(
        name, lambda at: faults(faulty_libc, f"cut:{at}", way), binary, tmp_path, check
    )
