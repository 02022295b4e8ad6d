"""Every golden case, in every configuration that may not change a byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from golden_case import CASES, Configuration, parse, render, run_case


def hostile(way: str, *options: str) -> Configuration:
    """The engine itself makes its life hard: see `HOSTILE` below."""
    return Configuration(options, (("LOOKALIKE_HOSTILE", way),))


# HOSTILE: `spill` holds nothing in memory, `collide` gives all keys of tables and partitions the
# same hash, `resume` stops at every line of the journal and goes on from there.
QUICK = {
    "default": Configuration(),
    "1-thread": Configuration(("--threads", "1")),
    "8-threads": Configuration(("--threads", "8")),
    "scalar": Configuration((), (("LOOKALIKE_ISA", "scalar"),)),
    "spill": hostile("spill"),
    "resume": hostile("resume"),
}
SLOW = {
    "64-MiB": Configuration(("--memory", "64M")),
    "collide": hostile("collide"),
    "64-MiB-8-threads": Configuration(("--memory", "64M", "--threads", "8")),
    "spill-8-threads": hostile("spill", "--threads", "8", "--memory", "64M"),
    "collide-1-thread": hostile("collide", "--threads", "1", "--memory", "64M"),
    "resume-1-thread": hostile("resume", "--threads", "1", "--memory", "64M"),
    "resume-8-threads": hostile("resume", "--threads", "8"),
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


def test_the_hostile_way_is_taken(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    """A configuration that is not heard of would pass all of the above."""
    texts = ["one two three four five six", "one two three four five six seven", "eight"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts * 2)])

    def resumed_units(name: str, environment: dict[str, str]) -> int:
        run("dedup", "in.jsonl", "-o", name, "--quiet", "--threshold", "0.6", env=environment)
        return json.loads((tmp_path / name / "manifest.json").read_text())["resumed_units"]

    assert resumed_units("resume", dict(CONFIGURATIONS["resume"].environment)) > 0
    assert resumed_units("default", {}) == 0
    done = run("dedup", "in.jsonl", "-o", "typo", env={"LOOKALIKE_HOSTILE": "spil"}, code=2)
    assert "LOOKALIKE_HOSTILE" in done.stderr and "spill" in done.stderr
