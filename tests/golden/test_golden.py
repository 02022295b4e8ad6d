"""Every golden case, in every configuration that may not change a byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_case import CASES, parse, render, run_case

CONFIGURATIONS = {
    "default": ([], ""),
    "1-thread": (["--threads", "1"], ""),
    "8-threads": (["--threads", "8"], ""),
    "scalar": ([], "scalar"),
}
NAMES = sorted(path.stem for path in CASES.glob("*.case"))


@pytest.fixture(scope="module")
def hidden() -> dict[str, list[str]]:
    """Hashes of what a case does not show (report.html), from its first configuration."""
    return {}


def test_there_are_cases() -> None:
    assert len(NAMES) >= 25


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_golden(
    name: str, configuration: str, binary: Path, tmp_path: Path, hidden: dict[str, list[str]]
) -> None:
    text = (CASES / f"{name}.case").read_text(encoding="utf-8")
    case = parse(text)
    assert case.steps, "a case needs a line that begins with '$ '"
    extra, isa = CONFIGURATIONS[configuration]
    outcomes = run_case(case, tmp_path, binary, extra, isa)
    assert render(case, outcomes).splitlines() == text.splitlines()
    hashes = [outcome.hidden for outcome in outcomes]
    assert hashes == hidden.setdefault(name, hashes), "report.html differs between configurations"
