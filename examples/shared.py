"""What the examples share: the command, real texts that every setup has, figures."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[1]
COMMAND = os.environ.get("LOOKALIKE_BINARY", str(ROOT / "build" / "release" / "bin" / "lookalike"))
PEPS = ROOT / "tests" / "data" / "peps" / "peps.jsonl.zst"
LONGEST = 20_000  # characters of a source file that are taken, so that an example takes seconds


@dataclass
class Call:
    """How an example was called."""

    items: int
    folder: Path


def parse_call(description: str, items: int) -> Call:
    """Reads --items and --out. The folder is emptied first."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--items", type=int, default=items, help="how many items (%(default)s)")
    parser.add_argument("--out", type=Path, help="folder for what is made (build/examples/NAME)")
    given = parser.parse_args()
    folder = given.out or ROOT / "build" / "examples" / Path(sys.argv[0]).stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Call(given.items, folder)


def lookalike(*words: object, stdin: Path | None = None, folder: Path | None = None) -> Any:
    """Runs the command, says so, and returns what it prints as JSON, or as text where it is none.

    Nothing found (1) and records that were rejected (3) are results too.
    """
    shown = shlex.join(["lookalike", *map(str, words)])
    if folder:
        shown = shown.replace(f"{folder}/", "")
    print(f"$ {shown}" + (f" < {stdin.name}" if stdin else ""), flush=True)
    with open(stdin or os.devnull, "rb") as given:
        done = subprocess.run(
            [COMMAND, *map(str, words)], stdin=given, capture_output=True, text=True, check=False
        )
    if done.returncode not in (0, 1, 3):
        sys.exit(f"lookalike failed with {done.returncode}: {done.stderr}")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.stdout


def write_rows(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """JSON Lines."""
    with file.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return file


def read_rows(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def python_files() -> Iterator[tuple[str, str]]:
    """Name and text of the Python files of this machine: the standard library, then the packages
    that the project's setup installs. Always in the same order."""
    roots = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))]
    for root in dict.fromkeys(path.resolve() for path in roots):
        for file in sorted(root.rglob("*.py*")):
            if file.suffix not in (".py", ".pyi") or not file.is_file():
                continue
            if root == roots[0].resolve() and "site-packages" in file.parts:
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            if len(text) >= 400:
                yield f"{root.name}/{file.relative_to(root)}", text[:LONGEST]


def versions() -> list[dict[str, Any]]:
    """Versions of Python Enhancement Proposals, each with an id, its PEP, its date and its text, by
    date: those that this repository has. They are in the public domain."""
    with pa.CompressedInputStream(pa.OSFile(str(PEPS)), "zstd") as stream:
        return [json.loads(line) for line in stream.read().decode("utf-8").splitlines()]


def last_versions() -> list[dict[str, Any]]:
    """The last version of each."""
    return list({row["pep"]: row for row in versions()}.values())


def paragraphs() -> list[str]:
    """Paragraphs of English prose: those of 30 words or more of the last version of each PEP, each
    once."""
    found: dict[str, None] = {}
    for row in last_versions():
        for paragraph in re.split(r"\n\s*\n", row["text"]):
            words = paragraph.split()
            if len(words) >= 30 and sum(word.isalpha() for word in words) > len(words) / 2:
                found[" ".join(words)] = None
    return list(found)


def articles(count: int, size: int) -> list[list[str]]:
    """Articles of `size` paragraphs, no paragraph in two of them; as many as there are."""
    texts = paragraphs()
    random.Random(1).shuffle(texts)
    every = [texts[i : i + size] for i in range(0, len(texts) - size + 1, size)]
    return every[:count]


def pairs_in(file: Path) -> set[tuple[str, str]]:
    return {(row["a"], row["b"]) for row in read_rows(file)}


def share(part: float, whole: float) -> float:
    """Rounded to four digits; 1 of nothing."""
    return round(part / whole, 4) if whole else 1.0


def report(**figures: Any) -> None:
    """Prints the figures, a line each, and all of them as one line of JSON."""
    print()
    for name, value in figures.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        print(f"  {name.replace('_', ' '):<44}{shown}")
    print(f"\nfigures {json.dumps(figures)}")
