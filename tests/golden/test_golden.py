"""Every golden case, in every configuration that may not change a byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from golden_case import CASES, Configuration, parse, render, run_case


def stressed(way: str, *options: str) -> Configuration:
    """Stresses the engine in one of the ways listed below."""
    return Configuration(options, (("LOOKALIKE_STRESS", way),))


# LOOKALIKE_STRESS: `spill` holds nothing in memory, `collide` gives all keys of tables and
# partitions the same hash, `lanes` cuts inputs into parts of some lines that are read side by side,
# `resume` stops at every line of the journal and goes on from there, also with small parts.
QUICK = {
    "default": Configuration(),
    "1-thread": Configuration(("--threads", "1")),
    "8-threads": Configuration(("--threads", "8")),
    "scalar": Configuration((), (("LOOKALIKE_ISA", "scalar"),)),
    "spill": stressed("spill"),
    "lanes": stressed("lanes", "--threads", "4"),
    "resume": stressed("resume"),
}
SLOW = {
    "64-MiB": Configuration(("--memory", "64M")),
    "collide": stressed("collide"),
    "lanes-1-thread": stressed("lanes", "--threads", "1", "--memory", "64M"),
    "64-MiB-8-threads": Configuration(("--memory", "64M", "--threads", "8")),
    "spill-8-threads": stressed("spill", "--threads", "8", "--memory", "64M"),
    "collide-1-thread": stressed("collide", "--threads", "1", "--memory", "64M"),
    "resume-1-thread": stressed("resume", "--threads", "1", "--memory", "64M"),
    "resume-8-threads": stressed("resume", "--threads", "8"),
}
CONFIGURATIONS = {**QUICK, **SLOW}
NAMES = sorted(path.stem for path in CASES.glob("*.case"))


@pytest.fixture(scope="module")
def hidden() -> dict[str, list[str]]:
    """Hashes of what a case does not show (report.html), from its first configuration."""
    return {}


def test_there_are_cases() -> None:
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "configuration", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_golden(
    name: str, configuration: str, binary: Path, tmp_path: Path, hidden: dict[str, list[str]]
) -> None:
    text = (CASES / f"{name}.case").read_text(encoding="utf-8")
    case = parse(text)
    assert case.steps, "a case needs a line that begins with '$ '"
    outcomes = run_case(case, tmp_path, binary, CONFIGURATIONS[configuration])
    assert render(case, outcomes).splitlines() == text.splitlines()
    hashes = [outcome.hidden for outcome in outcomes]
    assert hashes == hidden.setdefault(name, hashes), "report.html differs between configurations"


def test_stress_is_applied(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    """A stress setting that the engine ignored would pass all tests above."""
    texts = ["one two three four five six", "one two three four five six seven", "eight"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts * 2)])

    def resumed_units(name: str, environment: dict[str, str]) -> int:
        run("dedup", "in.jsonl", "-o", name, "--quiet", "--threshold", "0.6", env=environment)
        return json.loads((tmp_path / name / "manifest.json").read_text())["resumed_units"]

    assert resumed_units("resume", dict(CONFIGURATIONS["resume"].environment)) > 0
    assert resumed_units("default", {}) == 0
    done = run("dedup", "in.jsonl", "-o", "typo", env={"LOOKALIKE_STRESS": "spil"}, code=2)
    assert "LOOKALIKE_STRESS" in done.stderr and "spill" in done.stderr
