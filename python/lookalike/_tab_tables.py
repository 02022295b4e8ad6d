"""Reads tables separated by tabs, in which a quote may be an ordinary character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

_FIELD = re.compile(r'"((?:[^"]|"")*)"(?=\t|\r?\n?\Z)|((?!")[^\t\n]*)')
_OPEN = re.compile(r'"(?:[^"]|"")*\Z')
_BLOCK = 1 << 20
_LONGEST = 1 << 20  # of a record with quotes: the engine takes a longer one for one without


def records(stream: IO[bytes]) -> Iterator[list[str]]:
    """Yields the records of a table, the header first, as the engine reads them."""
    lines = _Lines(stream)
    header = next(lines, None)
    while header is not None and not header.strip("\r\n"):
        header = next(lines, None)
    if header is None:
        return
    names = _quoted(header) or _plain(header)
    yield names
    for line in lines:
        if line.strip("\r\n"):
            yield _record(line, lines, len(names))


class _Lines:
    """Reads lines with their line ends; lines can be put back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._lines = _lines_of(stream)
        self._back: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        return self._back.pop() if self._back else next(self._lines)

    def put_back(self, lines: list[str]) -> None:
        self._back.extend(reversed(lines))


def _lines_of(stream: IO[bytes]) -> Iterator[str]:
    left = b""
    first = True
    while block := stream.read(_BLOCK):
        *whole, left = (left + block).split(b"\n")
        for line in whole:
            text = line.decode("utf-8", "replace") + "\n"
            yield text.removeprefix("\ufeff") if first else text
            first = False
    if left:
        yield left.decode("utf-8", "replace")


def _plain(line: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split("\t")


def _quoted(record: str) -> list[str] | None:
    """Returns the fields of a record by RFC 4180, or None if it does not conform to it."""
    fields = []
    at = 0
    while field := _FIELD.match(record, at):
        quoted, plain = field.groups()
        at = field.end()
        last = at == len(record) or record[at] in "\r\n"
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        if last:
            if quoted is None:
                fields[-1] = fields[-1].removesuffix("\r")
            return fields
        if record[at] != "\t":
            return None
        at += 1
    return None


def _is_open(record: str) -> bool:
    """True if a quote is still open at the end."""
    at = 0
    while field := _FIELD.match(record, at):
        at = field.end()
        if at == len(record) or record[at] != "\t":
            return False
        at += 1
    return _OPEN.match(record, at) is not None


def _record(line: str, lines: _Lines, width: int) -> list[str]:
    plain = _plain(line)
    if not any(field.startswith('"') for field in plain):
        return plain
    record, more = line, list[str]()
    while _is_open(record) and len(record) < _LONGEST:
        further = next(lines, None)
        if further is None:
            break
        more.append(further)
        record += further
    fields = _quoted(record)
    alone = width > 1 and all(part.count("\t") + 1 == width for part in [line, *more])
    if fields is not None and len(fields) == width and not (more and alone):
        return fields
    lines.put_back(more)
    return plain
