"""Keywords as options of the engine. What there is comes from the options table alone."""

from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Mapping
from typing import Any

from . import _core
from .errors import OptionError

# Said otherwise in Python: parameters of the functions, or of no use.
_NOT_KEYWORDS = frozenset({"text-field", "id-field", "json", "quiet", "against"})


@functools.cache
def rows(command: str) -> dict[str, dict[str, Any]]:
    """The options of a command by keyword: ``min_features`` for ``--min-features``."""
    return {
        row["name"].replace("-", "_"): row
        for row in _core.option_rows(command)
        if row["name"] not in _NOT_KEYWORDS
    }


def _text(keyword: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)):
        return repr(value)
    # Numbers of NumPy and the like.
    if hasattr(value, "item"):
        return _text(keyword, value.item())
    raise OptionError(f"{keyword} is a {type(value).__name__}, expected a number or text")


def _texts(keyword: str, row: Mapping[str, Any], value: Any) -> list[str]:
    if row["type"] == "list":
        items = [value] if isinstance(value, (str, os.PathLike)) else list(value)
        return [_text(keyword, item) for item in items]
    if row["type"] == "bool" and not isinstance(value, bool):
        raise OptionError(f"{keyword} takes True or False, not {value!r}")
    return [_text(keyword, value)]


def _unknown(function: str, keyword: str, known: Mapping[str, Any]) -> OptionError:
    near = difflib.get_close_matches(keyword, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "it has " + ", ".join(known)
    return OptionError(f"{function}() has no option {keyword}; {hint}")


def make_options(
    command: str,
    given: Mapping[str, Any],
    *,
    text: str | None = None,
    id: str | None = None,  # noqa: A002: the name of the parameter that users see
    against: list[str] | None = None,
) -> _core.Options:
    """Options of `command`; None stands for the default. Raises OptionError."""
    known = rows(command)
    texts: dict[str, list[str]] = {}
    preset = config = ""
    for keyword, value in given.items():
        if keyword == "preset":
            preset = value or ""
        elif keyword == "config":
            config = os.fspath(value) if value else ""
        elif keyword not in known:
            raise _unknown(command, keyword, {**known, "preset": None, "config": None})
        elif value is not None:
            row = known[keyword]
            texts[row["name"]] = _texts(keyword, row, value)
    if text:
        texts["text-field"] = [text]
    if id:
        texts["id-field"] = [id]
    if against:
        texts["against"] = against
    return _core.make_options(command, preset, config, texts)
