#!/usr/bin/env python3
"""Checks that every #include in src/, server/, cli/ and include/ follows src/layers.txt.

Rules:
  * every folder of src/ that holds C++ is listed in layers.txt, and every listed one exists;
  * a file includes only its own folder and the folders its line allows ("public" is
    include/lookalike); includes are written relative to src/;
  * include/lookalike includes only itself; server/ includes only include/lookalike and itself;
    cli/ includes these two and itself;
  * the allowed edges make no cycle, and each is used by some include;
  * the engine stands without its uses: only api/ and uses/ may include a folder of uses/;
  * a library stays where it belongs (LIBRARY_HOMES): SIMD in kernels, Arrow and files outside
    the core, parallel loops in threads, which tells sanitizers of them.
Tests (*_test.cc) may include what they like: they are in no layer.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
CODE_ENDINGS = {".h", ".cc", ".inc"}
PUBLIC = "public"
FRONT_ENDS = ("server", "cli")

# The core is what sanitizers build: no Arrow in it, and no file streams.
OUTSIDE_CORE = {"io", "format", "stages/input", "stages/output", "run", "search", "results", "api", "index", "index/rocks"}
OUTSIDE_CORE |= {f"uses/{use}" for use in ("audit", "compare", "crumbs", "decontaminate", "distances", "filter", "group", "passages", "rethreshold", "sketches", "studies", "weights")}
LIBRARY_HOMES = {
    "hwy/": {"kernels"},
    "arrow/": OUTSIDE_CORE,
    "parquet/": OUTSIDE_CORE,
    "simdjson": OUTSIDE_CORE,
    "nlohmann/": OUTSIDE_CORE | {"cli", "server"},
    "fstream": OUTSIDE_CORE | {"cli", "server"},
    "filesystem": OUTSIDE_CORE | {"cli", "server"},
    "CLI/": {"cli"},
    "tbb/parallel_for": {"threads"},
    "tbb/parallel_pipeline": {"threads"},
    "tbb/parallel_sort": {"threads"},
    "toml++/": {"options"},
    "rocksdb/": {"index/rocks"},
    "boost/": {"server"},
}


class LayerFile:
    """The allowed edges of src/layers.txt."""

    def __init__(self, text: str) -> None:
        self.allowed: dict[str, set[str]] = {}
        self.used: set[tuple[str, str]] = set()
        self.problems: list[str] = []
        for number, line in enumerate(text.splitlines(), start=1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            folder, colon, names = line.partition(":")
            if not colon:
                self.problems.append(f"layers.txt:{number}: expected 'folder: folders'")
            elif folder in self.allowed:
                self.problems.append(f"layers.txt:{number}: {folder} is listed twice")
            else:
                self.allowed[folder] = set(names.split())
        for folder, names in self.allowed.items():
            for name in sorted(names - self.allowed.keys() - {PUBLIC}):
                self.problems.append(f"layers.txt: {folder} allows '{name}', which is not listed")

    def depending_on_uses(self) -> list[str]:
        """A problem for each folder of the engine that may include a use of it."""
        return [
            f"layers.txt: {folder} allows {name}; only api/ and uses/ may include a use"
            for folder, names in self.allowed.items()
            if folder != "api" and not folder.startswith("uses/")
            for name in sorted(names)
            if name.startswith("uses/")
        ]

    def unused(self) -> list[str]:
        """A problem for each allowed edge that no checked file has needed."""
        return [
            f"layers.txt: {folder} allows {name}, which nothing in it includes; remove the edge"
            for folder, names in self.allowed.items()
            for name in sorted(names)
            if (folder, name) not in self.used
        ]

    def cycle(self) -> list[str]:
        """One cycle of allowed edges, first folder repeated at the end; empty without one."""
        done: set[str] = set()

        def visit(folder: str, path: list[str]) -> list[str]:
            if folder in path:
                return path[path.index(folder) :] + [folder]
            if folder in done:
                return []
            for name in sorted(self.allowed.get(folder, ())):
                if found := visit(name, path + [folder]):
                    return found
            done.add(folder)
            return []

        for folder in self.allowed:
            if found := visit(folder, []):
                return found
        return []


def code_files(folder: Path) -> list[Path]:
    """C++ files below a folder, without tests."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in CODE_ENDINGS and not path.name.endswith("_test.cc")
    )


def owner(include: str, folders: set[str]) -> str | None:
    """The listed folder that an include relative to src/ belongs to."""
    parts = Path(include).parts[:-1]
    for length in range(len(parts), 0, -1):
        if (name := "/".join(parts[:length])) in folders:
            return name
    return None


def library_problem(home: str, include: str) -> str:
    """Why a library header may not be included in this folder; empty if it may."""
    for prefix, homes in LIBRARY_HOMES.items():
        matches = include.startswith(prefix) if prefix.endswith("/") else include in (prefix, prefix + ".h")
        if matches and home not in homes:
            return f"<{include}> belongs to {', '.join(sorted(homes))} only"
    return ""


def quoted_problem(root: Path, home: str, include: str, layers: LayerFile) -> str:
    """Why a quoted include is not allowed; empty if it is."""
    if include.startswith("lookalike/"):
        if not (root / "include" / include).is_file():
            return f'"{include}" is not in include/'
        layers.used.add((home, PUBLIC))
        if home in (*FRONT_ENDS, PUBLIC) or PUBLIC in layers.allowed[home]:
            return ""
        return f"{home} may not include the public headers"
    if home in FRONT_ENDS:
        if (root / home / include).is_file():
            return ""
        if home == "cli" and include.startswith("server/") and (root / include).is_file():
            return ""
    if not (root / "src" / include).is_file():
        return f'"{include}" is not relative to src/ or include/; other libraries take <>'
    target = owner(include, set(layers.allowed))
    layers.used.add((home, target or ""))
    if target == home or target in layers.allowed.get(home, set()):
        return ""
    return f"{home} may not include {target or include}"


def check_file(root: Path, path: Path, home: str, layers: LayerFile) -> list[str]:
    """All problems of one file."""
    text = path.read_text(encoding="utf-8")
    problems = []
    for match in INCLUDE.finditer(text):
        bracket, include = match.groups()
        if bracket == "<":
            problem = library_problem(home, include)
        else:
            problem = quoted_problem(root, home, include, layers)
        if problem:
            line = text.count("\n", 0, match.start(1)) + 1
            problems.append(f"{path.relative_to(root)}:{line}: {problem}")
    return problems


def check(root: Path) -> list[str]:
    """All problems of a source tree."""
    layers = LayerFile((root / "src" / "layers.txt").read_text(encoding="utf-8"))
    problems = list(layers.problems)
    if cycle := layers.cycle():
        problems.append(f"layers.txt: cycle {' -> '.join(cycle)}")
    for folder in layers.allowed:
        if not (root / "src" / folder).is_dir():
            problems.append(f"layers.txt: {folder} is listed but is no folder of src/")
    for path in code_files(root / "src"):
        inside = path.relative_to(root / "src").as_posix()
        if home := owner(inside, set(layers.allowed)):
            problems += check_file(root, path, home, layers)
        else:
            problems.append(f"src/{inside}: its folder is not listed in layers.txt")
    problems += layers.depending_on_uses()
    problems += layers.unused()
    for name, home in (("include", PUBLIC), *((name, name) for name in FRONT_ENDS)):
        for path in code_files(root / name):
            problems += check_file(root, path, home, layers)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"layers: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
