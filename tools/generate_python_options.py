#!/usr/bin/env python3
"""Writes python/lookalike/_options.py: the keywords of the functions, from the options table.

Usage: generate_python_options.py EXTENSION [--check]    (the built module lookalike/_core*.so)
"""

from __future__ import annotations

import argparse
import importlib.machinery
import importlib.util
import pathlib
import sys
import textwrap
from typing import Any

from generated_file import write_or_check

TARGET = pathlib.Path(__file__).resolve().parent.parent / "python" / "lookalike" / "_options.py"
FUNCTIONS = ("dedup", "pairs", "nearest", "plan", "compare", "sketch")
TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "list": "str | list[str]",
}
ANYWHERE = {
    "preset": (
        "str",
        "Options for a use, by name: web, news, corpus, plagiarism, mirrors, code, baskets, urls, "
        "crumbs, pixels or questions. Other keywords win over it.",
    ),
    "config": (
        "str | os.PathLike[str]",
        "A TOML file of options. Other keywords win over it, and it over the preset.",
    ),
}
HEADER = '''"""Keywords of the functions; made by tools/generate_python_options.py."""

from __future__ import annotations

import os
from typing import TypedDict
'''


def load(extension: pathlib.Path) -> Any:
    """The extension module by itself: the package needs what is generated here."""
    import pyarrow  # noqa: F401, PLC0415 - loads the libraries that the module needs

    loader = importlib.machinery.ExtensionFileLoader("_core", str(extension))
    spec = importlib.util.spec_from_loader("_core", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def type_of(row: dict[str, Any]) -> str:
    """The Python type of an option's value."""
    if row["is_size"] or row["or_unlimited"]:
        return "int | str"
    if row["name"] == "scratch":
        return "str | os.PathLike[str]"
    return TYPES[row["type"]]


def docstring(text: str, indent: str = "    ") -> str:
    """`text` as a docstring of at most 100 columns."""
    lines = textwrap.wrap(text, 100 - len(indent) - 3, break_long_words=False)
    escaped = [line.replace("\\", "\\\\") for line in lines]
    if len(escaped) == 1:
        return f'{indent}"""{escaped[0]}"""'
    first, *rest = escaped
    return "\n".join([f'{indent}"""{first}', *(indent + line for line in rest), f'{indent}"""'])


def keywords(module: Any, function: str) -> str:
    """The class of a function's keywords."""
    lines = [f"class {function.capitalize()}Options(TypedDict, total=False):"]
    lines.append(f'    """Keywords of :func:`lookalike.{function}`; None is the default."""')
    for row in module.option_rows(function):
        if not row["is_keyword"]:
            continue
        text = row["help"]
        if row["takes"]:
            text += f" Takes {row['takes']}."
        if row["type"] != "bool" and row["default"]:
            text += f" Default: {row['default']}."
        keyword = row["name"].replace("-", "_")
        lines += ["", f"    {keyword}: {type_of(row)} | None", docstring(text)]
    for keyword, (kind, text) in ANYWHERE.items():
        lines += ["", f"    {keyword}: {kind} | None", docstring(text)]
    return "\n".join(lines)


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extension", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="exit 1 where the file differs")
    arguments = parser.parse_args()
    module = load(arguments.extension)
    text = "\n\n".join([HEADER, *(keywords(module, name) + "\n" for name in FUNCTIONS)])
    return write_or_check(TARGET, text, arguments.check, "what the options table says")


if __name__ == "__main__":
    sys.exit(main())
