#!/usr/bin/env python3
"""Generates src/stages/features/word_table.inc: which code points are word code points.

Needs Python 3.11 (its unicodedata is Unicode 14.0, the version fingerprint v1 pins) and the `regex`
package for the Script property, which is only asked about code points that 14.0 assigns.

    generate_unicode_tables.py          write the table
    generate_unicode_tables.py --check  exit 1 when the committed table differs
"""

import argparse
import pathlib
import sys
import unicodedata
from collections.abc import Iterator

import regex

UNICODE_VERSION = "14.0.0"
UNSPACED_SCRIPTS = ("Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar")
TABLE = pathlib.Path(__file__).resolve().parent.parent / "src/stages/features/word_table.inc"
HEADER = f"""\
// Word code points of Unicode {UNICODE_VERSION}: general category L*, M*, N* or Pc, as ranges
// {{first, last, unspaced}}. Unspaced: Script is exactly {", ".join(UNSPACED_SCRIPTS[:4])},
// {", ".join(UNSPACED_SCRIPTS[4:])}. Made by tools/generate_unicode_tables.py; do not edit.
"""


def word_ranges() -> Iterator[tuple[int, int, bool]]:
    """Yields maximal ranges (first, last, unspaced) in ascending order."""
    unspaced = regex.compile(
        "[" + "".join(rf"\p{{Script={name}}}" for name in UNSPACED_SCRIPTS) + "]"
    )
    first, state = 0, None
    for code in range(sys.maxunicode + 2):
        now = None
        if code <= sys.maxunicode:
            category = unicodedata.category(chr(code))
            if category[0] in "LMN" or category == "Pc":
                now = unspaced.match(chr(code)) is not None
        if now != state:
            if state is not None:
                yield first, code - 1, state
            first, state = code, now


def table_text() -> str:
    """Returns the whole content of the table file."""
    cells = [
        f"{{0x{a:04X}, 0x{b:04X}, {str(unspaced).lower()}}}," for a, b, unspaced in word_ranges()
    ]
    lines, line = [], ""
    for cell in cells:
        if len(line) + 1 + len(cell) > 100:
            lines.append(line)
            line = ""
        line = f"{line} {cell}" if line else cell
    return HEADER + "\n".join([*lines, line]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed table; write nothing"
    )
    check = parser.parse_args().check
    if unicodedata.unidata_version != UNICODE_VERSION:
        print(
            f"{sys.argv[0]}: unicodedata is {unicodedata.unidata_version}, not {UNICODE_VERSION}; "
            "use Python 3.11",
            file=sys.stderr,
        )
        return 2
    text = table_text()
    if not check:
        TABLE.write_text(text, encoding="ascii", newline="\n")
    elif not TABLE.exists() or TABLE.read_bytes() != text.encode("ascii"):
        print(f"{TABLE}: differs from what this program makes; run {sys.argv[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
