"""Messages of the engine, which speak of the command's flags, in words of Python."""

from __future__ import annotations

import functools
import re

from . import _core

_COMMANDS = (
    "dedup", "pairs", "nearest", "plan", "sketch", "compare", "filter", "weights", "group", "crumbs"
)  # fmt: skip
_PARAMETERS = {
    "text-field": "text",
    "id-field": "id",
    "url-field": "url",
    **{name: name for name in ("config", "preset", "by", "item", "weight", "state")},
}
_WORDS = (
    "exact|lsh|copies|shingle-merge|containment|l1|l2|cosine|angular|hamming|edit|indel|questions"
)
_CALL = re.compile(rf"`lookalike ({'|'.join(_COMMANDS)})(?: ([^`]*))?`")
# A flag, and its value where one follows: in quotes, a number or size, a known word, or what stands
# before a colon.
_FLAG = re.compile(
    r"--(?P<flag>[a-z]+(?:-[a-z]+)*)\b"
    r"(?: (?:'(?P<quoted>[^']*)'|(?P<word>[0-9][\w.]*(?:(?<=e)[-+][0-9]+)?|" + _WORDS + r")\b"
    r"|(?P<front>\S+?)(?=: )))?"
)


@functools.cache
def _types() -> dict[str, str]:
    return {row["name"]: row["type"] for name in _COMMANDS for row in _core.option_rows(name)}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()


def _in_python(match: re.Match[str]) -> str:
    flag = match["flag"]
    kind = _types().get(flag)
    if kind is None and flag not in _PARAMETERS:
        return match[0]
    keyword = _PARAMETERS.get(flag, flag.replace("-", "_"))
    value = next((match[name] for name in ("quoted", "word", "front") if match[name]), None)
    if kind == "bool":
        return f"{keyword}=True" + match[0][2 + len(flag) :]
    if value is None:
        return f"{keyword}=" + ("''" if match["quoted"] == "" else "")
    return f"{keyword}={value if _is_number(value) else repr(value)}"


def _call_in_python(match: re.Match[str]) -> str:
    name, arguments = match.groups()
    given = "" if arguments is None else f"({', '.join(re.split(' (?=--)', arguments))})"
    return f"`lookalike.{name}{given}`"


def in_python(message: str) -> str:
    """`message` with keywords for flags, and calls for commands: ``overwrite=True`` for
    ``--overwrite``, and ``lookalike.plan(FILE)`` for ``lookalike plan FILE``."""
    message = _CALL.sub(_call_in_python, message)
    return _FLAG.sub(_in_python, message) if "--" in message else message
