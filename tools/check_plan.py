#!/usr/bin/env python3
"""Checks of the source that hold the plan of the house, beside the layers of check_layers.py.

  * Units (a header and its source) include one another in circles of two at most.
  * The library knows no command line: no string of src/ names a `--flag`, but for the options table.
    Messages mark options, `$<method>` (messages.h), and each mark names an option that there is.
  * The library leaves the process alone: `throw`, `_exit`, `getenv` and calls that tune the
    allocator are in the files named here, each with its reason.
  * The table of folders in ARCHITECTURE.md has each folder of layers.txt, and no other.
  * A comment begins with a verb or names the thing: not with What, Whether or Of.

Tests (*_test.cc) may do all of this but the last.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from check_budgets import TOKEN
from check_layers import CODE_ENDINGS, INCLUDE, LayerFile, code_files

#: Where flags are named, with the reason.
FLAG_HOMES = {
    "src/options/options_table.cc": "the table of options",
    "src/options/options_markdown.cc": "its page",
    "src/options/option_words.cc": "options of other tools",
    "src/results/command_text.cc": "the command line that a report shows",
}

PROCESS_WORDS = re.compile(r"\b(throw|_exit|getenv|malloc_trim|mallopt)\b(?!_)")
PROCESS_HOMES = {
    "src/fingerprint/feature_extractor.cc": "a list whose items are too many to count",
    "src/text/icu_error.h": "a library without its data",
    "src/text/encoding.cc": "no memory, in a library that says so by a code",
    "src/stages/normalize/pinned_unicode.cc": "a text too long for 32-bit places",
    "src/stages/normalize/html_references.cc": "no memory, as above",
    "src/stages/normalize/html_text.cc": "no memory, as above",
    "src/run/attempt.cc": "LOOKALIKE_STRESS, by which tests stress a run",
    "src/spill/run_state.cc": "freed runs go back to the system, or --memory would not hold",
    "src/io/object_store.cc": "a library of the store that does not end by itself",
}

FLAG = re.compile(r'(?<![-\w!])--(?:[a-z]|"$)')
MARK = re.compile(r"\$<([a-z-]+)[=>]")
#: An option is named by a row of the options table, an argument of the command, or one of OTHER_NAMES.
OPTION_NAMES = {
    "src/options/options_table.cc": re.compile(r'OptionRow\{\s*"([a-z-]+)"'),
    "cli/command_line.cc": re.compile(r'ArgumentRow\{"--([a-z-]+)"'),
}
OTHER_NAMES = {"config", "preset"}
HEDGE = re.compile(r"(//[/!]?<?|/\*\*?)\s*(What|Whether|Of)\b")
COMMENTED = ("include", "src", "server", "cli", "fuzz", "tests", "bench", "python")


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than two nodes (Tarjan), each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, set()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 2:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def unit_edges(root: Path) -> dict[str, set[str]]:
    """Which unit of src/ includes which: `batch/job` stands for batch/job.h and batch/job.cc."""
    edges: dict[str, set[str]] = {}
    for path in code_files(root / "src"):
        unit = path.relative_to(root / "src").with_suffix("").as_posix()
        mine = edges.setdefault(unit, set())
        for bracket, include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            other = Path(include).with_suffix("").as_posix()
            if bracket == '"' and other != unit and (root / "src" / include).is_file():
                mine.add(other)
    return edges


def option_names(root: Path) -> set[str]:
    """The names that a message may mark."""
    names = set(OTHER_NAMES)
    for path, row in OPTION_NAMES.items():
        if (root / path).is_file():
            names.update(row.findall((root / path).read_text(encoding="utf-8")))
    return names


def check_strings(name: str, text: str, options: set[str]) -> list[str]:
    """Strings of a file that name a flag, or mark an option that there is not."""
    problems = []
    for m in TOKEN.finditer(text):
        if m.group().startswith(("//", "/*")):
            continue
        place = f"{name}:{line_of(text, m.start())}"
        if name not in FLAG_HOMES and FLAG.search(m.group()):
            problems.append(f"{place}: a string names a flag of the command; mark the option: $<name>")
        problems += [
            f"{place}: $<{mark}> marks no option" for mark in MARK.findall(m.group()) if mark not in options
        ]
    return problems


def check_library(root: Path) -> list[str]:
    """Problems of what the library does and says."""
    problems: list[str] = []
    options = option_names(root)
    for path in code_files(root / "src"):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        code = TOKEN.sub(lambda m: "\n" * m.group().count("\n") or " ", text)
        if name not in PROCESS_HOMES:
            problems += [
                f"{name}:{line_of(code, m.start())}: {m.group()}: the library returns errors and "
                "leaves the process alone"
                for m in PROCESS_WORDS.finditer(code)
            ]
        problems += check_strings(name, text, options)
    return problems


def check_map(root: Path) -> list[str]:
    """Folders that the table of ARCHITECTURE.md and layers.txt do not both have."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`src/[^|]*) \|", text, re.MULTILINE)
    named = {name.rstrip("/") for cell in cells for name in re.findall(r"`src/([^`]+)`", cell)}
    layers = LayerFile((root / "src" / "layers.txt").read_text(encoding="utf-8")).allowed
    listed = {re.sub(r"^stages/.*", "stages/*", folder) for folder in layers}
    return [f"ARCHITECTURE.md: the table of folders lacks src/{folder}" for folder in sorted(listed - named)] + [
        f"ARCHITECTURE.md: the table of folders has src/{folder}, which layers.txt has not"
        for folder in sorted(named - listed)
    ]


def check_comments(root: Path) -> list[str]:
    """Comments that begin with a word that makes no sentence."""
    return [
        f"{path.relative_to(root)}:{number}: the comment begins with a half sentence; begin with a verb, "
        "or name the thing"
        for folder in COMMENTED
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in CODE_ENDINGS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if HEDGE.search(line)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    problems = check_library(arguments.root) + check_comments(arguments.root)
    problems += check_map(arguments.root)
    problems += [f"src/: units include one another in a circle: {', '.join(circle)}"
                 for circle in circles(unit_edges(arguments.root))]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"plan: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
