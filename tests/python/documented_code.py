"""Code of the documentation, found and run. The convention, for every page and the README:

- ``python`` blocks of a page run in their order, in one namespace, in a folder with the data below.
- ``sh`` blocks run there with ``sh -e``; ``lookalike`` is on the path.
- A ``text`` block right after one of these is what it prints; ``...`` in it stands for anything.
- In other blocks, lines that begin with ``lookalike`` name a command and flags that exist.
- ``<!-- needs: PACKAGE -->`` above a block: it runs where PACKAGE is installed.

The folder: peps.jsonl.zst and peps.truth.jsonl.zst (tests/data/peps); from its first documents, in
the order of time, crawl/2000.parquet and crawl/2001.parquet, train.parquet and test.parquet,
corpus.jsonl.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

ROOT = Path(__file__).resolve().parents[2]
PEPS = ROOT / "tests" / "data" / "peps"

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+)(?P<info>.*)$")
_NEEDS = re.compile(r"^<!-- needs: ([\w. ]+) -->$")
_SECONDS_A_BLOCK = 300


@dataclass
class Block:
    """A fenced block: its language, its text, where it begins, and what it is to print."""

    language: str
    text: str
    page: Path
    line: int
    needs: tuple[str, ...] = ()
    expected: str | None = None

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def missing(self) -> list[str]:
        """The packages that it needs and that are not installed."""
        return [name for name in self.needs if importlib.util.find_spec(name) is None]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a Markdown file; `text` blocks are joined to what prints them."""
    blocks: list[Block] = []
    needs: tuple[str, ...] = ()
    adjacent = False  # nothing but blank lines since the last block
    lines = iter(enumerate(page.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        begin = _FENCE.match(line)
        if begin is None:
            said = _NEEDS.match(line.strip())
            needs = tuple(said[1].split()) if said else needs if not line.strip() else ()
            adjacent = adjacent and not line.strip()
            continue
        text = "\n".join(_until(lines, begin["fence"], len(begin["indent"])))
        language = begin["info"].strip()
        if language == "text" and adjacent and blocks[-1].language in ("python", "sh"):
            blocks[-1].expected = text
        else:
            blocks.append(Block(language, text, page, number, needs))
        needs, adjacent = (), True
    return blocks


def _until(lines: Iterator[tuple[int, str]], fence: str, indent: int) -> Iterator[str]:
    for _, line in lines:
        if line.strip() == fence:
            return
        yield line[indent:]


def make_data(folder: Path) -> None:
    """Fills the folder in which blocks run."""
    for name in ("peps.jsonl.zst", "peps.truth.jsonl.zst"):
        (folder / name).symlink_to(PEPS / name)
    with (PEPS / "peps.jsonl.zst").open("rb") as file:
        plain = zstandard.ZstdDecompressor().stream_reader(file).read()
    rows = [json.loads(line) for line in plain.splitlines()]
    table = pa.Table.from_pylist(rows[:600])
    (folder / "crawl").mkdir()
    pq.write_table(table.slice(0, 300), folder / "crawl" / "2000.parquet", compression="zstd")
    pq.write_table(table.slice(300), folder / "crawl" / "2001.parquet", compression="zstd")
    is_test = [row % 5 == 0 for row in range(len(table))]
    pq.write_table(table.filter(pa.array([not test for test in is_test])), folder / "train.parquet")
    pq.write_table(table.filter(pa.array(is_test)), folder / "test.parquet")
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": r["id"], "text": r["text"]}) + "\n" for r in rows[:300])


class Runner:
    """Runs the blocks of one page in one folder, which is the working directory meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._namespace: dict[str, Any] = {"__name__": "__main__"}

    def run(self, block: Block) -> None:
        """Raises AssertionError where a block prints something else than the page says."""
        printed = self._python(block) if block.language == "python" else self._shell(block)
        if block.expected is None:
            return
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        example = doctest.Example(block.text, block.expected + "\n")
        checker = doctest.OutputChecker()
        assert checker.check_output(example.want, printed, flags), (
            f"{block.place} prints\n{checker.output_difference(example, printed, flags)}"
        )

    def _python(self, block: Block) -> str:
        code = compile("\n" * block.line + block.text, str(block.page), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(code, self._namespace)  # noqa: S102: it is our own page
        return out.getvalue()

    def _shell(self, block: Block) -> str:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            ["sh", "-e", "-c", block.text], cwd=self._folder, env={**os.environ, "PATH": path},
            capture_output=True, text=True, timeout=_SECONDS_A_BLOCK, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{block.place}: exit code {done.returncode}\n{done.stderr}"
        return done.stdout
