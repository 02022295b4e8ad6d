#!/usr/bin/env python3
"""Prints how large files and functions are, and fails beyond the budgets of CONTRIBUTING.md.

Budgets: 95 % of files have at most 600 lines, 95 % of functions at most 45, fewer than 3 % of
functions more than 60. Counted: hand-written C++ (functions by universal-ctags where it is
installed, else by a scan of braces), Python (functions by its own parser), and the web sources
(files only). A test case is a function. Generated tables (*.inc) are not counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FILE_P95 = 600
FUNCTION_P95 = 45
LONG_FUNCTION = 60
LONG_SHARE = 0.03
CPP = {".h", ".cc"}
WEB = {".ts", ".mjs", ".js", ".css", ".html"}
FOLDERS = ("include", "src", "server", "cli", "fuzz", "tests", "tools", "web")
SKIPPED = {"node_modules", "dist", "build", "data", "__pycache__"}

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|R"(?P<tag>[^()\\ ]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
CONTROL = re.compile(r"\b(?:if|for|while|switch|catch|do|else|try)\b")
NO_FUNCTION = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b|=\s*$|\breturn\b")


@dataclass
class Function:
    """A function and where it is."""

    path: str
    line: int
    lines: int


def files(root: Path) -> list[Path]:
    """Hand-written files of the tree."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).parts
            if path.suffix in CPP | WEB | {".py"} and not SKIPPED.intersection(inside):
                found.append(path)
    return found


def blank(text: str) -> str:
    """The text without comments, literals and preprocessor lines; line breaks stay."""

    def spaces(match: re.Match[str]) -> str:
        return "\n" * match.group().count("\n") or " "

    text = TOKEN.sub(spaces, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", spaces, text, flags=re.MULTILINE)


def scan_braces(path: str, text: str) -> list[Function]:
    """Functions of a C++ text: outermost {...} that follow a parameter list."""
    text = blank(text)
    found: list[Function] = []
    opened: list[int] = []  # Line of a function's `{`, or 0 for any other brace.
    head = 0  # Where the text before the next brace begins.
    line = 1
    for index, character in enumerate(text):
        if character == "\n":
            line += 1
        elif character == "{":
            before = text[head:index]
            is_function = (
                not any(opened)
                and ")" in before
                and not NO_FUNCTION.search(before)
                and not CONTROL.search(before)
            )
            first = line - before.lstrip().count("\n")
            opened.append(first if is_function else 0)
            head = index + 1
        elif character == "}":
            if opened and (begin := opened.pop()):
                found.append(Function(path, begin, line - begin + 1))
            head = index + 1
        elif character == ";" and not any(opened):
            head = index + 1
    return found


def ctags_functions(root: Path, paths: list[Path]) -> list[Function]:
    """Functions of C++ files as universal-ctags sees them."""
    command = ["ctags", "-f", "-", "--output-format=json", "--languages=C++", "--langmap=C++:.cc.h",
               "--kinds-C++=f", "--fields=+ne", *[str(path) for path in paths]]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = []
    for tag in map(json.loads, output.splitlines()):
        if tag.get("_type") == "tag" and "end" in tag:
            name = str(Path(tag["path"]).relative_to(root))
            found.append(Function(name, tag["line"], tag["end"] - tag["line"] + 1))
    return found


def has_ctags() -> bool:
    """Whether universal-ctags is there with JSON output."""
    if not shutil.which("ctags"):
        return False
    listed = subprocess.run(["ctags", "--list-features"], capture_output=True, text=True, check=False)
    return "json" in listed.stdout


def cpp_functions(root: Path, paths: list[Path], use_ctags: bool) -> list[Function]:
    """Functions of all C++ files."""
    if use_ctags and paths:
        return ctags_functions(root, paths)
    return [
        function
        for path in paths
        for function in scan_braces(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
    ]


def python_functions(root: Path, paths: list[Path]) -> list[Function]:
    """Functions of all Python files."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        Function(str(path.relative_to(root)), node.lineno, (node.end_lineno or 0) - node.lineno + 1)
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds)
    ]


def percentile_95(values: list[int]) -> int:
    """The smallest value that at least 95 % of the values do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[math.ceil(0.95 * len(ordered)) - 1] if ordered else 0


def measure(root: Path, use_ctags: bool) -> tuple[dict[str, int], list[Function]]:
    """Lines of every file, and every function."""
    paths = files(root)
    lines = {
        str(path.relative_to(root)): path.read_bytes().count(b"\n") for path in paths
    }
    functions = cpp_functions(root, [path for path in paths if path.suffix in CPP], use_ctags)
    functions += python_functions(root, [path for path in paths if path.suffix == ".py"])
    return lines, functions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--no-ctags", action="store_true", help="scan braces even with ctags there")
    arguments = parser.parse_args()
    lines, functions = measure(arguments.root, not arguments.no_ctags and has_ctags())
    file_p95 = percentile_95(list(lines.values()))
    function_p95 = percentile_95([function.lines for function in functions])
    long = sorted((f for f in functions if f.lines > LONG_FUNCTION), key=lambda f: -f.lines)
    share = len(long) / len(functions) if functions else 0.0
    print(f"budgets: {len(lines)} files, 95 % have at most {file_p95} lines (budget {FILE_P95})")
    print(f"budgets: {len(functions)} functions, 95 % have at most {function_p95} lines "
          f"(budget {FUNCTION_P95}), {share:.1%} over {LONG_FUNCTION} (budget under {LONG_SHARE:.0%})")
    for name, count in sorted(lines.items(), key=lambda item: -item[1]):
        if count > FILE_P95:
            print(f"  {name}: {count} lines")
    for function in long[:10]:
        print(f"  {function.path}:{function.line}: a function of {function.lines} lines")
    over = file_p95 > FILE_P95 or function_p95 > FUNCTION_P95 or share >= LONG_SHARE
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
