"""docs/laws.md names tests that exist, and every law."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "laws.md"
FIGURES = [f"2.{number}" for number in range(1, 15)]


def rows() -> list[tuple[str, str]]:
    """First and last cell of each row that names tests."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    return [(row[0], row[-1]) for row in cells if "`" in row[-1]]


def named(cell: str) -> list[tuple[str, str | None]]:
    """(file, test) of a cell; (file, None) of a golden case."""
    found: list[tuple[str, str | None]] = []
    path = ""
    for name in re.findall(r"`([^`]+)`", cell):
        if "/" in name:
            path = name
            if name.endswith(".case"):
                found.append((name, None))
        else:
            found.append((path, name))
    return found


def has_test(text: str, name: str) -> bool:
    """Whether a source in C++ or Python has a test of this name."""
    of_cpp = rf"\b(?:TEST(?:_[FP])?|RC_GTEST_PROP)\(\s*\w+,\s*{name}\b"
    return re.search(rf"{of_cpp}|^def {name}\(", text, re.MULTILINE) is not None


@pytest.mark.parametrize(("what", "cell"), rows(), ids=lambda value: value[:30])
def test_every_named_test_exists(what: str, cell: str) -> None:
    for path, name in named(cell):
        assert (ROOT / path).is_file(), f"{what}: {path}"
        if name is not None:
            assert has_test((ROOT / path).read_text(encoding="utf-8"), name), f"{path}: {name}"


def test_every_law_and_section_has_a_row() -> None:
    first = [what for what, _ in rows()]
    laws = [what for what in first if re.fullmatch(r"L\d+", what)]
    assert laws == [f"L{number}" for number in range(1, 39)]
    assert sorted(set(first) & set(FIGURES)) == sorted(FIGURES)


def test_a_test_that_does_not_exist_is_noticed() -> None:
    assert has_test("TEST_P(SomeTest, Named) {", "Named")
    assert not has_test("TEST_P(SomeTest, NamedElse) {", "Named")
    assert not has_test("// Named is a test", "Named")
    assert has_test("\ndef test_named(run):", "test_named")
    assert not has_test("\ndef test_named_else(run):", "test_named")
