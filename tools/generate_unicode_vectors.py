#!/usr/bin/env python3
"""Generates tests/data/unicode_vectors.tsv: texts with their normal form, words and characters.

An implementation of docs/format/fingerprint-v1.md that shares nothing with the C++ one:
NFKC_Casefold is built from its definition (the Unicode standard, 3.13, R5), not from ICU.
Needs Python 3.11 (Unicode 14.0) and the `regex` package (Script property).

    generate_unicode_vectors.py          write the vectors
    generate_unicode_vectors.py --check  exit 1 when the committed file differs
"""

import argparse
import functools
import pathlib
import random
import sys
import unicodedata

import regex

UNICODE_VERSION = "14.0.0"
VECTORS = pathlib.Path(__file__).resolve().parent.parent / "tests/data/unicode_vectors.tsv"
HEADER = f"""\
# Unicode {UNICODE_VERSION}. Made by tools/generate_unicode_vectors.py; do not edit.
# Columns: text, normal form, words (with a blank between), characters (blanks folded and trimmed).
# Bytes of UTF-8; \\xNN is any byte but printable ASCII, and the backslash.
"""
UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
WHITE_SPACE = frozenset(
    "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B)))
)
SEPARATORS = frozenset("\x1c\x1d\x1e\x1f")

# Default_Ignorable_Code_Point as DerivedCoreProperties.txt derives it, without unassigned ones:
# formats and variation selectors and some others, but not those that are visible.
IGNORABLE_OTHERS = (
    0x034F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x3164,
    0xFFA0,
    0x180F,
    *range(0x180B, 0x180E),
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
)
VISIBLE_FORMATS = (
    0x06DD,
    0x070F,
    0x0890,
    0x0891,
    0x08E2,
    0x110BD,
    0x110CD,
    *range(0x0600, 0x0606),
    *range(0xFFF9, 0xFFFC),
    *range(0x13430, 0x13439),
)

HAND_MADE = [
    "",
    " ",
    " !? ",
    "Plain ASCII TEXT, lower-cased.",
    "_under_score x-y can't 3.14 a_b__c",
    "@[`{AZaz09/:",
    "caf\u00e9 CAF\u00c9 cafe\u0301",
    "\ufb01ne Stra\u00dfe STRASSE \u1e9e \ufb05",
    "\u0130stanbul ISTANBUL \u0131stanbul \u0130\u0307",
    "\u0391\u03a3 \u03b1\u03c2 \u038c\u03a3\u039f\u03a3",
    "2024\u5e74\u4e2d\u56fd\u306e\u9996\u90fd\u3001\u6771\u4eac"
    " \u30ab\u30bf\u30ab\u30ca\u30fc \u30f7",
    "\uff76\uff9e\uff77\uff9f\uff71 \uff21\uff22\uff43\uff11\uff12\uff01\u3000\uff5e",
    "\u0e44\u0e17\u0e22\u0e41\u0e25\u0e19\u0e14\u0e4c \u0e20\u0e32\u0e29\u0e32abc\u0e33",
    "\u0e9e\u0eb2\u0eaa\u0eb2\u0ea5\u0eb2\u0ea7 \u0edc\u0eb3",
    "\u1797\u17b6\u179f\u17b6\u1781\u17d2\u1798\u17c2\u179a",
    "\u1019\u103c\u1014\u103a\u1019\u102c\u1018\u102c\u101e\u102c \u104b",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902"
    " \u0932\u093f\u0916\u093e \u0939\u0941\u0906 \u0958",
    "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \u1100\u1161 \uac00\u11a8 \u1100\u00ad\u1161",
    "\u3105\u3106\u3107 \u02ea\u02eb",
    "\u3105a\u30fb\u3005\u3007\u30fc\u3099\u309b",
    "a\u00adb x\u200dy o\u034fo v\ufe0fw \u2060q\ufeff z\U000e0041",
    "\u2167 \u2460 \u00bd \ufdfa \u2122 \u212b \u212a \u00b5",
    "emoji \U0001f600 \U0001f469\u200d\U0001f469\u200d\U0001f467 done",
    "tab\tnew\nline\r\nx\u00a0y\u3000z",
    "a\x1cb \x1d c\x1e",
    "\x1c \x1f lead and trail \x1f\u2028\x1c",
    "x \u0085\u1680 y\u2029\u2029z \u2003 ",
    "\u00a8 \u0301a \u037a\u0301 \u0345\u0301",
    "\u1fb3\u0301 \u1f80 \u03b1\u0345\u0313 \u0345\u0345\u0308",
    "a\u0315\u0300\u05ae\u0300\u0062 q\u0307\u0323 \u1e9b\u0323",
    "\u0344 \u0958 \u2adc \ufb4f \U0001d15e \U0002f800",
    "\u0378x A\u0378B \u0378\u0301e\u0301",
    "a\u2065b e\ufff0\u0301 \U000e0fffQ",
    "\u061d\u180f \u0870",
    "\U0001e4d0\U0001e4d1 \U000105c9\u0307",
    "\u0a33\u0cf3x \u0cf3",
    "\ufffe\uffff \U0010ffff\ue000a\ue001",
    "\ufffd\ufffdx",
    "A" * 63 + "\u0301",
    "A" * 64 + "\u0301",
    "A" * 65 + "\u00c9" + "B" * 64 + "\u0301" + "C" * 130 + "\u4e00",
    "word " * 30 + "\u2019s " + "More Words " * 20,
    "x" * 200,
    "\u4e00" * 70,
    ("a" * 62 + " ") * 3 + "\u00e9",
    "  " + " " * 70 + "x" + " " * 70,
    "\u03c3" * 40 + " " + "\u0e01a" * 40,
]
HAND_MADE_BYTES = [
    b"a\x80b",
    b"\xc0\x80",
    b"\xc3",
    b"\xc3(",
    b"\xe2\x82",
    b"\xe2\x28\xa1",
    b"\xe0\x80\x80",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xed\xa0\xbd\xed\xb8\x80",
    b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xf0\x90\x80",
    b"\xf0\x9f\x98",
    b"\xf0\x9f\x98a",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xf1\x80",
    b"\xff\xfe",
    b"ab\xffCD \xe4\xb8",
    b"e\xcc\x81\xcc",
    b"E\xff\xcc\x81",
    b"A" * 80 + b"\xf0\x9f" + b"B" * 80,
    b"\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64",
]


def is_assigned(char: str) -> bool:
    return unicodedata.category(char) != "Cn"


def is_ignorable(char: str) -> bool:
    """Default_Ignorable_Code_Point, of assigned code points."""
    code = ord(char)
    return code not in VISIBLE_FORMATS and (
        code in IGNORABLE_OTHERS or unicodedata.category(char) == "Cf"
    )


@functools.cache
def nfkc_casefold(char: str) -> str:
    """One code point folded, decomposed, without ignorables, until nothing changes."""
    if not is_assigned(char):
        return char
    text, before = char, None
    while text != before:
        before = text
        folded = unicodedata.normalize("NFKC", text.casefold())
        text = "".join(c for c in folded if not is_ignorable(c))
    return text


def normalize(text: str) -> str:
    """toNFKC_Casefold: each code point is mapped by itself, then the whole is put into NFC."""
    return unicodedata.normalize("NFC", "".join(map(nfkc_casefold, text)))


def words(normal: str) -> list[str]:
    """The words of normalised text."""
    found, joining = [], False
    for char in normal:
        category = unicodedata.category(char)
        is_word = category[0] in "LMN" or category == "Pc"
        spaced = is_word and not UNSPACED.match(char)
        if spaced and joining:
            found[-1] += char
        elif is_word:
            found.append(char)
        joining = spaced
    return found


def characters(normal: str) -> str:
    """The units of char:N shingles."""
    begin, end = 0, len(normal)
    while begin < end and normal[begin] in WHITE_SPACE | SEPARATORS:
        begin += 1
    while begin < end and normal[end - 1] in WHITE_SPACE | SEPARATORS:
        end -= 1
    units = ""
    for char in normal[begin:end]:
        if char not in WHITE_SPACE:
            units += char
        elif units[-1] != " ":
            units += " "
    return units


def random_texts(count: int) -> list[bytes]:
    """Texts of code points from a few kinds each, so that kinds meet that change one another."""
    chance = random.Random(14)
    every = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    known = [c for c in every if is_assigned(c) and unicodedata.category(c) != "Co"]
    kinds = [
        known,
        [c for c in every if not is_assigned(c)],
        [c for c in known if unicodedata.combining(c)],
        [c for c in known if c.casefold() != c],
        [c for c in known if is_ignorable(c)],
        [c for c in known if unicodedata.decomposition(c)],
        [c for c in known if UNSPACED.match(c)],
        sorted(WHITE_SPACE | SEPARATORS),
        [chr(code) for code in range(128)],
        list("aeiouAEIOU .,\u0301\u0308\u0327"),
        [
            chr(code)
            for code in (*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A7, 0x11C3))
        ],
    ]
    texts = []
    for _ in range(count):
        chosen = chance.sample(kinds, chance.randint(1, 3))
        length = chance.choice((4, 8, 16, 30))
        texts.append("".join(chance.choice(chance.choice(chosen)) for _ in range(length)).encode())
    return texts


def escape(data: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in data)


def file_text() -> str:
    """Returns the whole content of the vectors file."""
    lines = []
    for data in [t.encode() for t in HAND_MADE] + HAND_MADE_BYTES + random_texts(300):
        normal = normalize(data.decode("utf-8", "replace"))
        columns = (normal, " ".join(words(normal)), characters(normal))
        lines.append("\t".join([escape(data), *(escape(c.encode()) for c in columns)]))
    return HEADER + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed file; write nothing"
    )
    check = parser.parse_args().check
    if unicodedata.unidata_version != UNICODE_VERSION:
        print(
            f"{sys.argv[0]}: unicodedata is {unicodedata.unidata_version}, not {UNICODE_VERSION}; "
            "use Python 3.11",
            file=sys.stderr,
        )
        return 2
    text = file_text()
    if not check:
        VECTORS.parent.mkdir(parents=True, exist_ok=True)
        VECTORS.write_text(text, encoding="ascii", newline="\n")
    elif not VECTORS.exists() or VECTORS.read_bytes() != text.encode("ascii"):
        print(
            f"{VECTORS}: differs from what this program makes; run {sys.argv[0]}", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
