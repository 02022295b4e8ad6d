"""What the README and the pages of docs/ show runs, and prints what they say it prints."""

from __future__ import annotations

import functools
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documented_code import ROOT, Block, Runner, blocks_of, make_data

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUNNABLE = ("python", "sh")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def pages_with(*languages: str) -> list[Path]:
    return [page for page in PAGES if any(b.language in languages for b in blocks_of(page))]


@functools.cache
def flags_of(command: str) -> frozenset[str]:
    """The flags of a subcommand, as its help has them."""
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lookalike"), command, "--help", "all"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"lookalike {command}: {done.stderr}"
    return frozenset(re.findall(r"(?<![\w-])-{1,2}[a-z][a-z-]*", done.stdout))


def shown_calls(block: Block) -> list[list[str]]:
    """The calls of the command in a block that is not run; [options] and the like are not flags."""
    calls = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.startswith("lookalike ") and not line.startswith("lookalike --"):
            calls.append(shlex.split(line, comments=True)[1:])
    return calls


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of all pages, made once."""
    folder = tmp_path_factory.mktemp("made")
    make_data(folder)
    return folder


#: The Spark job of the page takes two minutes; tests/spark has the same calls.
SLOW_PAGES = {"spark.md"}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=name_of(page), marks=[pytest.mark.slow] * (page.name in SLOW_PAGES))
        for page in pages_with(*RUNNABLE)
    ],
)
def test_the_code_of_a_page_runs(
    page: Path, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(made, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    runner = Runner(tmp_path)
    left_out = []
    for block in blocks_of(page):
        if block.language not in RUNNABLE:
            continue
        missing = block.missing()
        if missing:
            left_out.append(f"{block.place} needs {', '.join(missing)}")
        else:
            runner.run(block)
    if left_out:
        pytest.skip("all other blocks ran; not these: " + "; ".join(left_out))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_that_a_page_shows_exist(page: Path) -> None:
    for block in blocks_of(page):
        for command, *words in shown_calls(block):
            flags = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
            unknown = flags - flags_of(command)
            assert not unknown, f"{block.place}: lookalike {command} has no {unknown}"


def test_a_block_that_prints_something_else_is_found(tmp_path: Path) -> None:
    page = ROOT / "docs" / "made-up.md"
    block = Block("python", "print(2)", page, 7, expected="3")
    with pytest.raises(AssertionError, match="docs/made-up.md:7"):
        Runner(tmp_path).run(block)


def test_blocks_know_their_output_and_their_needs(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nprint(1)\n```\n\n```text\n1\n```\n\nBut:\n\n"
        "<!-- needs: absent_package -->\n```sh\ntrue\n```\nThis\n```text\nis prose\n```\n"
    )
    first, second, third = blocks_of(page)
    assert (first.text, first.expected, first.needs) == ("print(1)", "1", ())
    assert (second.language, second.expected) == ("sh", None)
    assert second.missing() == ["absent_package"]
    assert third.text == "is prose"
