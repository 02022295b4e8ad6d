"""Turns keywords into options of the engine. The options table defines which options exist."""

from __future__ import annotations

import decimal
import difflib
import functools
import numbers
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core
from .errors import OptionError

_PARAMETERS = {
    "dedup": ("text", "id", "against", "save_to", "progress"),
    "pairs": ("text", "id", "against", "progress"),
    "nearest": ("text", "id", "against", "progress"),
    "plan": ("text", "id", "progress"),
    "sketch": ("save_to", "text", "id", "overwrite", "progress"),
    "merge-sketches": ("save_to", "overwrite", "progress"),
    "compare": (),
    "filter": ("text", "id", "state", "progress"),
    "weights": ("text", "progress"),
    "group": ("by", "item", "weight", "progress"),
    "crumbs": ("url", "text", "id", "progress"),
    "Index.create": ("keep",),
    "index": ("text", "id"),
}
_OTHER_NAMES = {"text_field": "text", "id_field": "id", "output_dir": "save_to"}


@functools.cache
def rows(command: str) -> dict[str, dict[str, Any]]:
    """Returns the options of a command by keyword: ``min_features`` for ``--min-features``."""
    return {
        row["name"].replace("-", "_"): row
        for row in _core.option_rows(command)
        if row["is_keyword"]
    }


def _plain(value: Any) -> Any:
    """Returns the Python value of a NumPy scalar or the like; other values unchanged."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def encodable(name: str, value: str) -> str:
    """Returns `value`; raises OptionError if UTF-8 cannot represent it."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise OptionError(f"{name} is {value!r}, which is not valid Unicode") from error
    return value


def path_text(name: str, value: Any) -> str:
    """Returns `value`, a path or text, as text. Raises OptionError."""
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise OptionError(f"{name} has type {type(value).__name__}, expected text")
    return encodable(name, path)


def _text(keyword: str, row: Mapping[str, Any], value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, (numbers.Real, decimal.Decimal)):
        number = float(value)
        return str(int(number)) if row["type"] == "int" and number.is_integer() else repr(number)
    if isinstance(value, (str, os.PathLike)):
        return path_text(keyword, value)
    raise OptionError(f"{keyword} has type {type(value).__name__}, expected a number or text")


def _texts(keyword: str, row: Mapping[str, Any], value: Any) -> list[str]:
    value = _plain(value)
    if row["type"] == "threshold" and isinstance(value, Mapping):
        numbers_by_field = {name: _text(keyword, row, _plain(t)) for name, t in value.items()}
        return [",".join(f"{name}={number}" for name, number in numbers_by_field.items())]
    if row["type"] == "list" and not isinstance(value, (str, os.PathLike)):
        items = value if isinstance(value, Iterable) else [value]
        return [_text(keyword, row, _plain(item)) for item in items]
    if row["type"] == "bool" and not isinstance(value, bool):
        raise OptionError(f"{keyword} takes True or False, not {value!r}")
    return [_text(keyword, row, value)]


def unknown(function: str, keyword: str, known: Iterable[str]) -> OptionError:
    """Returns the error for a keyword that a function does not have."""
    names = [*_PARAMETERS[function], *known, "preset", "config"]
    near = difflib.get_close_matches(_OTHER_NAMES.get(keyword, keyword), names, n=1)
    hint = f"did you mean {near[0]}?" if near else "it has " + ", ".join(names)
    return OptionError(f"{function}() has no option {keyword}; {hint}")


def field(name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return encodable(name, value) if value else None
    if isinstance(value, (list, tuple)) and len(value) > 1:
        raise OptionError(
            f"{name} names {len(value)} columns, expected one; join them into a single column, "
            "with pyarrow.compute.binary_join_element_wise for example"
        )
    raise OptionError(f"{name} has type {type(value).__name__}, expected the name of a column")


def fields(name: str, value: Any) -> list[str]:
    """Returns the names of columns: one, or a list of them. Raises OptionError."""
    several = isinstance(value, (list, tuple)) and len(value) > 1
    found = [field(name, each) for each in (value if several else [value])]
    return [each for each in found if each]


def first_of_list(text: str) -> str | None:
    """Returns the first value in the text of a list, such as ``title,body``; None: it is empty."""
    found = re.match(r"(?:\\.|[^,\\])+", text)
    return re.sub(r"\\(.)", r"\1", found[0]) if found else None


def make_options(
    command: str,
    given: Mapping[str, Any],
    *,
    text: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002 - the name of the parameter that users see
    against: list[str] | None = None,
) -> _core.Options:
    """Returns the options of `command`; None means the default. Raises OptionError."""
    known = rows(command)
    texts: dict[str, list[str]] = {}
    files = {"preset": "", "config": ""}
    for keyword, value in given.items():
        if keyword in files:
            files[keyword] = path_text(keyword, value) if value is not None else ""
        elif keyword not in known:
            raise unknown(command, keyword, known)
        elif value is not None:
            row = known[keyword]
            texts[row["name"]] = _texts(keyword, row, value)
    id_field = field("id", id)
    named: dict[str, list[str]] = {
        "text-field": fields("text", text),
        "id-field": [id_field] if id_field else [],
    }
    # A field that a configuration names takes precedence over the default of `text`.
    if files["config"] and text == "text":
        configured = _core.make_options(command, files["preset"], files["config"], {}).texts()
        if configured["text-field"]:
            named["text-field"] = []
    # Lists and `text` have different defaults (lists: items, else text, else the only list).
    if text == "text" and texts.get("shingle") == ["item"]:
        named["text-field"] = []
    texts.update({name: values for name, values in named.items() if values})
    if against:
        texts["against"] = against
    return _core.make_options(command, files["preset"], files["config"], texts)
