#!/usr/bin/env python3
"""Sums the tests of several runners and prints 'N passed, N failed' as the last line.

Each argument after the reports folder is one runner:
  NAME:EXIT   wrote JUnit files into FOLDER/NAME/*.xml and ended with code EXIT
  NAME=EXIT   writes no report; counts as one test that passed when EXIT is 0
A runner that wrote no test, or that failed without naming a failed test, counts as one failure.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Counts:
    """Tests of one runner, and what is wrong with the run itself."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    problem: str = ""


def count_file(path: Path, counts: Counts) -> None:
    """Adds the test cases of one JUnit file."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            counts.skipped += 1
        else:
            counts.passed += 1


def count_runner(folder: Path, exit_code: int) -> Counts:
    """Counts one runner's reports; a run that cannot be trusted becomes a failure."""
    counts = Counts()
    for path in sorted(folder.glob("*.xml")):
        try:
            count_file(path, counts)
        except ElementTree.ParseError as error:
            counts.failed += 1
            counts.problem = f"{path.name} is not readable: {error}"
    if exit_code and not counts.failed:
        counts.failed = 1
        counts.problem = f"ended with code {exit_code} but names no failed test"
    if not counts.passed and not counts.failed:
        counts.failed = 1
        counts.problem = "ran no test"
    return counts


def parse(folder: Path, argument: str) -> tuple[str, Counts]:
    """Reads one runner argument."""
    for mark in (":", "="):
        name, found, code = argument.rpartition(mark)
        if found and name and code.isdigit():
            break
    else:
        raise SystemExit(f"summarize_tests: expected NAME:EXIT or NAME=EXIT, found '{argument}'")
    if mark == ":":
        return name, count_runner(folder / name, int(code))
    return name, Counts(failed=1) if int(code) else Counts(passed=1)


def main(arguments: list[str]) -> int:
    """Prints a line a runner and the sum; returns 1 when anything failed."""
    if len(arguments) < 2:
        raise SystemExit("summarize_tests: expected FOLDER RUNNER...")
    total = Counts()
    print(f"\n{'runner':<16} {'passed':>7} {'failed':>7} {'skipped':>8}")
    for argument in arguments[1:]:
        name, counts = parse(Path(arguments[0]), argument)
        note = f"  {counts.problem}" if counts.problem else ""
        print(f"{name:<16} {counts.passed:>7} {counts.failed:>7} {counts.skipped:>8}{note}")
        total.passed += counts.passed
        total.failed += counts.failed
        total.skipped += counts.skipped
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    print(f"\n{total.passed} passed, {total.failed} failed{skipped}")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
