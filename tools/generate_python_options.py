#!/usr/bin/env python3
"""Writes python/lookalike/_options.py: the keywords of the functions, from the options table.

Usage: generate_python_options.py EXTENSION [--check]    (the built module lookalike/_core*.so)
"""

from __future__ import annotations

import argparse
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import textwrap
from typing import Any

from generated_file import write_or_check

TARGET = pathlib.Path(__file__).resolve().parent.parent / "python" / "lookalike" / "_options.py"
#: Functions, and the commands whose options they take.
FUNCTIONS = {
    "dedup": "dedup",
    "pairs": "pairs",
    "nearest": "nearest",
    "plan": "plan",
    "compare": "compare",
    "sketch": "sketch",
    "filter": "filter",
    "weights": "weights",
    "group": "group",
    "crumbs": "crumbs",
    "passages": "passages",
    "decontaminate": "decontaminate",
}
#: Keywords that some callables have as parameters of their own: mypy refuses both.
PARAMETERS = {"plan": "weights", "compare": "shingle"}
TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "threshold": "float | str | Mapping[str, float]",
    "str": "str",
    "list": "str | list[str]",
}
#: Their values are more than the words that the table lists (`shingle-merge:500`).
OPEN = {"method"}
COMMON = {
    "preset": (
        "str",
        "A set of options for one use, by name. Other keywords win over it. Takes {presets}.",
    ),
    "config": (
        "str | os.PathLike[str]",
        "A TOML file of options. Other keywords win over it, and it over the preset.",
    ),
}
COLUMNS = 100
HEADER = '''"""Keywords of the functions; made by tools/generate_python_options.py."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict
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


def words_of(takes: str) -> list[str]:
    """The words of "auto, lsh or exact"; none where values are described instead of listed."""
    words = re.split(r", | or ", takes)
    listed = len(words) > 1 and all(re.fullmatch(r"[a-z0-9+-]+", word) for word in words)
    return words if listed else []


def choices(row: dict[str, Any], command: str) -> list[str]:
    """The values that the command takes, where they are a list."""
    first, *rest = re.split(r", for ", row["takes"])
    words = words_of(first)
    for more in rest:
        commands, _, added = more.partition(" also ")
        if command in re.split(r", | and ", commands):
            words = words and [*words, added]
    return words if row["name"] not in OPEN else []


def type_of(row: dict[str, Any], command: str) -> str:
    """The Python type of an option's value."""
    if row["is_size"] or row["or_unlimited"]:
        return "int | str"
    if row["name"] in ("scratch", "weights", "stop-words", "decisions"):
        return "str | os.PathLike[str]"
    words = choices(row, command)
    if row["type"] in ("str", "int") and words:
        return f"Literal[{', '.join(words if row['type'] == 'int' else map(quoted, words))}]"
    return TYPES[row["type"]]


def quoted(text: str) -> str:
    """A literal of Python, as formatters write it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def default_of(row: dict[str, Any]) -> str:
    """The default as an expression; None where it depends on other things."""
    text: str = row["default"]
    if row["type"] == "bool":
        return "False"
    if not row["has_fixed_default"] or row["type"] == "list":
        return "None"
    number = row["type"] in ("int", "float", "threshold") and re.fullmatch(r"[0-9.e+-]+", text)
    return text if number else quoted(text)


def meaning(row: dict[str, Any]) -> str:
    """What the option does, takes and is by default."""
    text: str = row["help"]
    if row["takes"] and row["type"] != "bool":
        text += f" Takes {row['takes']}."
    if row["type"] != "bool" and row["default"]:
        text += f" Default: {row['default']}."
    # To reStructuredText a star is the begin of emphasis.
    text = re.sub(r"'([^' ]*\*[^' ]*)'|(?<= )(\*+)(?= )", lambda at: f"``{at[1] or at[2]}``", text)
    return re.sub(r"--([a-z]+(?:-[a-z]+)*)", lambda flag: f"``{keyword_of(flag[1])}``", text)


def keyword_of(name: str) -> str:
    """The keyword of an option."""
    return name.replace("-", "_")


def annotation(keyword: str, kind: str) -> str:
    """The line or lines of a keyword in its class."""
    line = f"    {keyword}: {kind} | None"
    if len(line) <= COLUMNS:
        return line
    inner = textwrap.indent("\n".join(textwrap.wrap(kind[8:-1], COLUMNS - 8)), " " * 8)
    return f"    {keyword}: Literal[\n{inner}\n    ] | None"


def class_of(name: str, summary: str, keywords: dict[str, str], base: str = "TypedDict") -> str:
    """A class of keywords and their types."""
    lines = [f"class {name}({base}, total=False):", f'    """{summary}"""', ""]
    return "\n".join([*lines, *(annotation(key, kind) for key, kind in keywords.items()), ""])


def classes_of(function: str, keywords: dict[str, str]) -> list[str]:
    """The class of a function's keywords, by way of one without what is a parameter elsewhere."""
    name = f"{function.capitalize()}Options"
    summary = f"Keywords of :func:`lookalike.{function}`; None is the default."
    own = PARAMETERS.get(function)
    if own is None:
        return [class_of(name, summary, keywords)]
    base = f"{name}Without{own.capitalize()}"
    rest = {key: kind for key, kind in keywords.items() if key != own}
    return [
        class_of(base, f"The keywords of {name}, except `{own}`.", rest),
        class_of(name, summary, {own: keywords[own]}, base),
    ]


def index_class(module: Any, common: dict[str, str]) -> str:
    """The class of the options that an index fixes at its creation."""
    keywords = {}
    for row in module.option_rows("index"):
        keyword = keyword_of(row["name"])
        if row["is_of_index"]:
            keywords[keyword] = type_of(row, "index")
    summary = "Keywords of :meth:`lookalike.Index.create`; None is the default."
    return class_of("IndexOptions", summary, keywords | common)


def item(keyword: str, text: str) -> str:
    """`text` as the entry of a docstring's list of arguments."""
    lines = textwrap.wrap(
        f"{keyword}: {text}", COLUMNS - 16, subsequent_indent="    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines)


def entry(keyword: str, value: str) -> str:
    """One text of a table: a literal a line."""
    lines = [quoted(line + "\n").replace("\n", "\\n") for line in value.split("\n")]
    lines[-1] = lines[-1].replace('\\n"', '"')
    if len(lines) == 1 and len(line := f"    {quoted(keyword)}: {lines[0]},") <= COLUMNS:
        return line
    body = "\n".join(" " * 8 + line for line in lines)
    return f"    {quoted(keyword)}: (\n{body}\n    ),"


def generated(module: Any) -> str:
    """The text of the file."""
    presets = module.preset_names()
    common = dict(COMMON)
    listed = ", ".join(presets[:-1]) + " or " + presets[-1]
    common["preset"] = (
        f"Literal[{', '.join(map(quoted, presets))}]", COMMON["preset"][1].format(presets=listed),
    )  # fmt: skip
    classes: list[str] = []
    defaults = dict.fromkeys(common, "None")
    texts = {keyword: text for keyword, (_, text) in common.items()}
    for function, command in FUNCTIONS.items():
        keywords = {}
        for row in module.option_rows(command):
            if row["is_keyword"]:
                keyword = keyword_of(row["name"])
                keywords[keyword] = type_of(row, command)
                defaults[keyword], texts[keyword] = default_of(row), meaning(row)
        keywords |= {keyword: kind for keyword, (kind, _) in common.items()}
        classes += classes_of(function, keywords)
    classes.append(index_class(module, {keyword: kind for keyword, (kind, _) in common.items()}))
    tables = [
        "#: Defaults of the keywords that nothing else decides.\n"
        "DEFAULTS: Final[dict[str, Any]] = {\n"
        + "\n".join(f"    {quoted(k)}: {value}," for k, value in defaults.items())
        + "\n}\n",
        "#: Descriptions of the keywords, as docstrings list them.\n"
        "MEANINGS: Final[dict[str, str]] = {\n"
        + "\n".join(entry(k, item(k, text)) for k, text in texts.items())
        + "\n}\n",
    ]
    return "\n\n".join([HEADER, *classes]) + "\n" + "\n".join(tables)


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extension", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="exit 1 where the file differs")
    arguments = parser.parse_args()
    text = generated(load(arguments.extension))
    return write_or_check(TARGET, text, arguments.check, "what the options table says")


if __name__ == "__main__":
    sys.exit(main())
