"""docs/documents.md: every command runs, and gives the figures that the page says."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "documents.md"
SYSTEMS = 28


@dataclass
class Section:
    """One system: its commands, and figure -> what the page says it is here."""

    number: int
    commands: str
    figures: dict[str, str] = field(default_factory=dict)


def sections(page: str) -> list[Section]:
    found = []
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        number = int(part.split(".")[0])
        block = re.search(r"```bash\n(.*?)```", part, flags=re.DOTALL)
        section = Section(number, block.group(1) if block else "")
        for figure, here in re.findall(r"^\| `([\w.]+)` \|.*\| (\S+) \|$", part, re.MULTILINE):
            section.figures[figure] = here
        assert len(section.figures) == len(re.findall(r"^\| `", part, re.MULTILINE)), number
        found.append(section)
    return found


def value_of(printed: list[Any], path: str) -> Any:
    """A figure: of the command that its first part numbers, else of the first that has it."""
    steps = path.split(".")
    if steps[0].isdigit():
        printed = [printed[int(steps.pop(0))]]
    for value in printed:
        try:
            for step in steps:
                value = value[int(step)] if isinstance(value, list) else value[step]
            return value
        except (KeyError, IndexError):
            continue
    raise AssertionError(f"no command prints {path}")


def is_shown(value: Any, shown: str) -> bool:
    """Whether a page that shows this means the value: to its last digit."""
    if isinstance(value, bool):
        return shown == json.dumps(value)
    digits = len(shown.partition(".")[2])
    return abs(value - float(shown.replace(",", ""))) <= 0.5 * 10**-digits * (digits > 0)


@pytest.fixture
def shell(binary: Path, data: Path, tmp_path: Path):
    """Runs the commands of a section where its inputs are; what they print as JSON."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "lookalike").symlink_to(binary)
    work = tmp_path / "work"
    work.mkdir()
    for file in (data / "peps").glob("*.jsonl.zst"):
        (work / file.name).symlink_to(file)

    def run(commands: str) -> list[Any]:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands], cwd=work, capture_output=True, text=True,
            env=os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}, timeout=300,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    return run


SECTIONS = sections(PAGE.read_text(encoding="utf-8"))


RUNNABLE = [section for section in SECTIONS if section.commands]


@pytest.mark.parametrize("section", RUNNABLE, ids=lambda section: str(section.number))
def test_the_commands_of_a_system_give_its_figures(shell, section: Section) -> None:
    printed = shell(section.commands)
    assert section.figures, "a system without a figure"
    for figure, here in section.figures.items():
        value = value_of(printed, figure)
        assert is_shown(value, here), f"{figure} is {value}, and the page says {here}"


def test_every_system_has_a_row_and_a_section() -> None:
    assert [section.number for section in SECTIONS] == list(range(1, SYSTEMS + 1))
    assert all(section.commands for section in SECTIONS)
    rows = re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(row) for row in rows] == list(range(1, SYSTEMS + 1))


def test_rows_of_the_table_have_measured_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    cells = dict(re.findall(r"^\| (\d+) \|.*\| ([^|]*) \|$", page, re.MULTILINE))
    for section in RUNNABLE:
        numbers = set(section.figures.values()) - {"true"}
        shown = re.findall(r"[\d.,]*\d", cells[str(section.number)])
        assert not numbers or numbers & set(shown), f"{section.number}: {shown}"


def test_a_wrong_figure_is_found(shell) -> None:
    printed = shell("echo '{\"a\": {\"b\": [1, 0.41506]}}'\necho '{\"c\": true, \"n\": 1234}'")
    for path, right, wrong in (
        ("a.b.1", "0.4151", "0.416"), ("1.n", "1,234", "1,235"), ("c", "true", "false"),
    ):  # fmt: skip
        assert is_shown(value_of(printed, path), right)
        assert not is_shown(value_of(printed, path), wrong)
    with pytest.raises(AssertionError, match="no command prints a.c"):
        value_of(printed, "a.c")
