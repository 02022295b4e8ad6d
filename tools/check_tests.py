#!/usr/bin/env python3
"""Checks that every test file is run by something.

  * *_test.cc: matched by a file(GLOB) of tests/CMakeLists.txt; with --compile-commands also
    compiled by that build;
  * test_*.py: below tests/, with a name of its own (pytest imports by base name), and no test
    function in a Python file of another name;
  * web tests: *.test.* files, of a kind that the package's `npm test` finds.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

SKIPPED = {"node_modules", "build", "dist", ".git", "__pycache__"}
GLOB = re.compile(r"file\s*\(\s*GLOB\s+(\w+)\s+CONFIGURE_DEPENDS(.*?)\)", re.DOTALL)
TEST_FUNCTION = re.compile(r"^(?:async\s+)?def (test_\w+)", re.MULTILINE)
NODE_FINDS = {".js", ".mjs", ".cjs"}


def tree(root: Path, pattern: str) -> list[Path]:
    """Files of the repository whose name matches, as paths relative to its root."""
    return sorted(
        path.relative_to(root)
        for path in root.rglob(pattern)
        if path.is_file() and not SKIPPED.intersection(path.relative_to(root).parts)
    )


def cmake_patterns(text: str) -> list[str]:
    """Globs of tests/CMakeLists.txt that reach a target, relative to the repository."""
    patterns = []
    for variable, body in GLOB.findall(text):
        if not re.search(rf"add_executable\s*\(\s*\w+\s[^)]*\$\{{{variable}\}}", text):
            continue
        for word in body.split():
            word = word.strip('"')
            if word.startswith("${CMAKE_SOURCE_DIR}/"):
                patterns.append(word.removeprefix("${CMAKE_SOURCE_DIR}/"))
            else:
                patterns.append("tests/" + word.removeprefix("${CMAKE_CURRENT_SOURCE_DIR}/"))
    return patterns


def matches(path: Path, pattern: str) -> bool:
    """Whether a path matches a glob whose `*` does not cross folders."""
    parts, wanted = path.parts, pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def check_cpp(root: Path, compile_commands: Path | None) -> list[str]:
    """C++ tests that are in no target."""
    patterns = cmake_patterns((root / "tests" / "CMakeLists.txt").read_text(encoding="utf-8"))
    tests = tree(root, "*_test.cc")
    problems = [
        f"{path}: in no target of tests/CMakeLists.txt; add its folder to a file(GLOB) there"
        for path in tests
        if not any(matches(path, pattern) for pattern in patterns)
    ]
    if compile_commands:
        commands = json.loads(compile_commands.read_text(encoding="utf-8"))
        compiled = {Path(entry["directory"], entry["file"]).resolve() for entry in commands}
        problems += [
            f"{path}: not compiled by {compile_commands}; build again"
            for path in tests
            if (root / path).resolve() not in compiled
        ]
    return problems


def check_python(root: Path) -> list[str]:
    """Python tests that pytest does not collect."""
    problems = []
    by_name: dict[str, Path] = {}
    for path in tree(root, "*.py"):
        if path.name.startswith("test_"):
            if path.parts[0] != "tests":
                problems.append(f"{path}: pytest looks only below tests/; move it there")
            elif path.name in by_name:
                problems.append(f"{path}: {by_name[path.name]} has the same name; rename one")
            by_name.setdefault(path.name, path)
        elif found := TEST_FUNCTION.search((root / path).read_text(encoding="utf-8")):
            problems.append(f"{path}: {found[1]} is never run; name the file test_*.py")
    return problems


def check_web(root: Path) -> list[str]:
    """Web tests that `npm test` does not find."""
    problems = []
    for package in tree(root, "package.json"):
        script = json.loads((root / package).read_text(encoding="utf-8")).get("scripts", {}).get("test", "")
        named = [word.strip("'\"") for word in script.split() if "test" in word and "." in word]
        for path in tree(root / package.parent, "*.test.*"):
            if named:
                found = any(fnmatchcase(str(path), glob.removeprefix("./")) for glob in named)
            else:
                found = "--test" in script and path.suffix in NODE_FINDS
            if not found:
                problems.append(f"{package.parent / path}: not run by '{script}' of {package}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--compile-commands", type=Path, help="compile_commands.json of a build")
    arguments = parser.parse_args()
    root = arguments.root
    problems = check_cpp(root, arguments.compile_commands) + check_python(root) + check_web(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"tests in targets: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
