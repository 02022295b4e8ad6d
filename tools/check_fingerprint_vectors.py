#!/usr/bin/env python3
"""Recomputes tests/data/fingerprint_v1.tsv and compares.

An implementation of docs/format/fingerprint-v1.md in plain integers that shares nothing with the
C++ one: texts, words and characters come from generate_unicode_vectors.py, everything after them is
here. Slow. Exit code 1 when a value differs, 2 when this Python cannot tell (another Unicode).

    check_fingerprint_vectors.py [FILE]
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import string
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

import xxhash
from generate_unicode_vectors import UNICODE_VERSION, characters, normalize, words

VECTORS = Path(__file__).resolve().parent.parent / "tests/data/fingerprint_v1.tsv"
SEED_OF_SUBSETS = 0x6C6F6F6B616C696B
W0, W1, W2 = 0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9, 0x4B33A62ED433D4A3
F1, F2 = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
K1 = 0x9FB21C651E98DF25
M1, M2, G = 0x7FEB352D, 0x846CA68B, 0x9E3779B9
CODE, P = 0x9E3779B1, 0x9E3779B97F4A7C15
M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def hash_word(word: str) -> int:
    data = word.encode()
    if len(data) > 16:
        return xxhash.xxh3_64_intdigest(data, W0)
    a, b = int.from_bytes(data[:8], "little"), int.from_bytes(data[8:], "little")
    x = (a ^ W0 ^ len(data)) * W1 & M64
    x ^= x >> 32
    x = (x + b) * W2 & M64
    return x ^ x >> 29


def hash_character(char: str) -> int:
    x = (ord(char) ^ W2) * W1 & M64
    x ^= x >> 32
    x = x * W2 & M64
    return x ^ x >> 29


def rotl(x: int, by: int) -> int:
    return (x << by | x >> (64 - by)) & M64


def finish(x: int) -> int:
    x = x * F1 & M64
    x = (x ^ x >> 32) * F2 & M64
    return x ^ x >> 32


def feature(units: list[int], mask: int) -> int:
    x = units[0]
    for j, unit in enumerate(units[1:], 1):
        turned = rotl(unit, 13 * j % 64)
        x = (x + turned) & M64 if j % 2 else x ^ turned
    return finish(x ^ mask)


def splitmix(state: int) -> Iterator[int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) & M64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        yield z ^ z >> 31


def remainder(a: int, b: int) -> int:
    """Of polynomials over GF(2)."""
    while a.bit_length() >= b.bit_length():
        a ^= b << (a.bit_length() - b.bit_length())
    return a


def is_irreducible(modulus: int) -> bool:
    """Rabin's test of a polynomial of degree 64: t^(2^64) = t, and t^(2^32) - t has no factor of it."""
    power, half = 2, 0
    for i in range(64):
        square = sum(1 << 2 * bit for bit in range(64) if power >> bit & 1)
        power = remainder(square, modulus)
        half = power if i == 31 else half
    a, b = modulus, half ^ 2
    while b:
        a, b = b, remainder(a, b)
    return power == 2 and a == 1


@functools.cache
def modulus_of(seed: int) -> int:
    """The polynomial of degree 64 that a seed draws."""
    drawn = (1 << 64 | z for z in splitmix(seed ^ 0x726162696E))
    return next(modulus for modulus in drawn if is_irreducible(modulus))


def rabin_features(units: list[str], size: int, seed: int) -> list[int]:
    if not units:
        return []
    size = min(size, len(units))
    made = []
    for i in range(len(units) - size + 1):
        data = b"\xff".join(unit.encode() for unit in units[i : i + size])
        fingerprint = remainder(int.from_bytes(b"\1" + data, "big"), modulus_of(seed))
        made.append(finish(fingerprint ^ seed * W0 & M64))
    return made


def mix64(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def points_of(text: str) -> list[list[float]]:
    """The points of a well-formed list; brackets around all of them have no line ends inside."""
    inside = text.strip()
    if inside.startswith("[["):
        inside = inside[1:-1]
    parts = re.split(r"[;\n\]]", inside.replace("[", " "))
    numbers = [re.split(r"[\s,\x1e]+", part.strip(" \t\r,\x1e")) for part in parts]
    return [[float(number) for number in point] for point in numbers if point != [""]]


def cell_hash(start: int, cell: Iterable[int]) -> int:
    x = start
    for k in cell:
        x = mix64((x ^ k & M64) + P & M64)
    return x


def ball(u: list[float], r: float) -> Iterator[tuple[int, ...]]:
    """The cells of a point, out of all of a box around it."""
    sides = [range(math.floor(x - r) - 2, math.floor(x + r) + 3) for x in u]
    for cell in itertools.product(*sides):
        differences = [k + 0.5 - x for k, x in zip(cell, u)]
        square = 0.0
        for each in differences:
            square += each * each
        first = next((each for each in differences if each != 0), 0.0)
        if square < r * r or (square == r * r and first < 0):
            yield cell


def cell_features(text: str, unit: str, parameters: list[str], seed: int) -> list[int]:
    points = points_of(text)
    width = float(parameters[0 if unit == "cells" else 1])
    if unit == "series":
        numbers = [number for point in points for number in point]
        size = min(int(parameters[0]), len(numbers))
        points = [numbers[i : i + size] for i in range(len(numbers) - size + 1)] if size else []
    made = []
    for point in points:
        u = [x / width for x in point]
        of_point = mix64(mix64(seed + P & M64) ^ len(point))
        starts = [mix64(of_point + P * (g + 1) & M64) for g in range(1024)]
        if unit == "point":
            cells = ball(u, float(parameters[0]) / width)
            made += [cell_hash(starts[0], cell) for cell in cells]
            continue
        for start in starts[: int(parameters[-1])]:
            shifts = splitmix(mix64(start ^ 0x736869667473))
            made.append(cell_hash(start, [math.floor(x + (next(shifts) >> 11) / 2**53) for x in u]))
    return made


def escape_part(part: bytes, lower: bool) -> str:
    """A part of a URL in normal form."""
    unreserved = string.ascii_letters + string.digits + "-._~"
    shown = ""
    for token in re.findall(rb"%[0-9a-fA-F]{2}|.", part, re.S):
        char = chr(int(token[1:], 16)) if len(token) == 3 else chr(token[0])
        plain = unreserved + (":/?#[]@!$&'()*+,;=" if len(token) == 1 else "")
        if char in plain:
            shown += char.lower() if lower else char
        else:
            shown += f"%{ord(char):02X}"
    return shown


def url_tokens(text: str) -> list[str]:
    """The units of url:N."""
    url = text.encode().strip(bytes(range(33))).split(b"#")[0]
    form = re.fullmatch(
        rb"(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?]*))?([^?]*)(?:\?(.*))?", url, re.S
    )
    assert form is not None
    scheme, authority, path, query = (part or b"" for part in form.groups())
    host, port = re.fullmatch(rb"(.*?)(?::([0-9]*))?", authority.split(b"@")[-1], re.S).groups()
    ports = {b"http": b"80", b"ws": b"80", b"https": b"443", b"wss": b"443", b"ftp": b"21"}
    tokens = []
    if host:
        shown = port and port != ports.get(scheme.lower())
        tokens.append("//" + escape_part(host, True) + (f":{port.decode()}" if shown else ""))
    segments: list[bytes] = []
    for segment in path.split(b"/"):
        if escape_part(segment, False) == "..":
            segments[-1:] = []
        elif segment and escape_part(segment, False) != ".":
            segments.append(segment)
    for segment in segments:
        name, *rest = segment.split(b";")
        tokens += ["/" + escape_part(name, False)] if name else []
        tokens += [";" + escape_part(part, False) for part in rest if part]
    parameters = (escape_part(part, False) for part in re.split(b"[&;]", query) if part)
    return tokens + sorted("?" + part for part in parameters)


def units_of(text: bytes, unit: str) -> list[str]:
    repaired = text.decode("utf-8", "replace")
    if unit == "url":
        return url_tokens(repaired)
    return list((words if unit == "word" else characters)(normalize(repaired)))


def features(text: bytes, spec: str, seed: int) -> list[int]:
    """The feature stream of a text."""
    shingle, _, how = spec.partition(" ")
    unit, length = shingle.split(":")
    if unit in ("point", "cells", "series"):
        return cell_features(text.decode(), unit, length.split(","), seed)
    size = int(length)
    found = units_of(text, unit)
    if how == "hash=rabin":
        return rabin_features(found, size, seed)
    units = [(hash_character if unit == "char" else hash_word)(each) for each in found]
    mask = seed * W0 & M64
    if not units:
        return []
    if len(units) < size:
        mask ^= len(units) * W2 & M64
        units += [0] * (size - len(units))
    return [feature(units[i : i + size], mask) for i in range(len(units) - size + 1)]


def mix(x: int) -> int:
    x = x * M1 & M32
    x = (x ^ x >> 15) * M2 & M32
    return x ^ x >> 16


def seed_of_round(number: int) -> int:
    y = (number + 1) * G & M32
    return mix(y ^ y >> 16)


def round_hash(value: int, number: int) -> int:
    return mix(value & M32 ^ seed_of_round(number))


def sketch(stream: Iterable[int], count: int) -> list[int]:
    """The sketch fss:count: each bin's least value of the first round that gives it any."""
    values = set(stream)
    bins: dict[int, int] = {}
    for number in range(16):
        found: dict[int, int] = {}
        for value in values:
            if number == 0:
                place, low = value * count >> 64, (value >> 24) % 2**27
            else:
                mixed = round_hash(value, number)
                place, low = mixed * count >> 32, (mixed * count & M32) >> 5
            found[place] = min(found.get(place, M64), number << 27 | low)
        bins = found | bins
        if len(bins) == count:
            break
    return [
        bins[b] if b in bins else 2**31 + (min(round_hash(v, 16 + b) for v in values) >> 5)
        for b in range(count)
    ]


def one_permutation(stream: Iterable[int], count: int) -> list[int]:
    """The sketch one-permutation:count."""
    values = set(stream)
    made = []
    for b in range(count):
        inside = [(value >> 24) % 2**27 for value in values if value * count >> 64 == b]
        fresh = 2**31 + (min(round_hash(value, 16 + b) for value in values) >> 5)
        made.append(min(inside, default=fresh))
    return made


def permutations(stream: Iterable[int], count: int) -> list[int]:
    """The sketch permutations:count."""
    values = {value & M32 for value in stream}
    made = []
    for b in range(count):
        turn, factor = seed_of_round(16 + b), seed_of_round(1040 + b) | 1
        made.append(min((value ^ turn) * factor & M32 for value in values))
    return made


class Packs:
    """The coordinates that the later keys of an overlapping design are dealt from."""

    def __init__(self, coordinates: int) -> None:
        self.pack = list(range(coordinates))
        self.next = 0
        self.state = SEED_OF_SUBSETS

    def below(self, bound: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & M64
        z = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        return ((z ^ z >> 31) >> 32) * bound >> 32

    def shuffle(self, held: list[int], rows: int) -> None:
        for i in range(len(self.pack), 1, -1):
            j = self.below(i)
            self.pack[i - 1], self.pack[j] = self.pack[j], self.pack[i - 1]
        later = rows - len(held)
        for i in range(rows - len(held)):
            while self.pack[i] in held:
                self.pack[i], self.pack[later] = self.pack[later], self.pack[i]
                later += 1
        self.next = 0

    def deal(self, rows: int) -> list[int]:
        taken: list[int] = []
        while len(taken) < rows:
            if self.next == len(self.pack):
                self.shuffle(taken, rows)
            taken.append(self.pack[self.next])
            self.next += 1
        return sorted(taken)


def overlapping(coordinates: int, rows: int, keys: int) -> list[list[int]]:
    """The subsets of overlapping:K:R:B."""
    layer = coordinates // rows
    grid = rows > 1 and coordinates % (rows * rows) == 0
    packs = Packs(coordinates)
    subsets = []
    for key in range(keys):
        if grid and layer <= key < 2 * layer:
            subsets.append([key - layer + row * layer for row in range(rows)])
        else:
            subsets.append(packs.deal(rows))
    return subsets


def keys(coordinates: list[int], subsets: list[list[int]]) -> list[int]:
    made = []
    for i, subset in enumerate(subsets):
        x = (i + 1) * W2 & M64
        for c in subset:
            x = (x ^ coordinates[c]) * K1 & M64
            x ^= x >> 32
        x = x * F2 & M64
        made.append(x ^ x >> 29)
    return made


def as_bytes(values: list[int], size: int) -> bytes:
    return b"".join(value.to_bytes(size, "little") for value in values)


def digest(values: list[int], size: int) -> str:
    first = [f"{value:0{2 * size}x}" for value in values[:4]]
    return ",".join([*first, xxhash.xxh3_64_hexdigest(as_bytes(values, size))])


def columns(text: bytes, shingle: str, seed: int) -> list[str]:
    """The columns of a line after its inputs."""
    stream = features(text, shingle, seed)
    shown = ",".join(f"{value:016x}" for value in stream) or "-"
    head = [
        digest(stream, 8) if len(stream) > 100 else shown,
        xxhash.xxh3_128_hexdigest(as_bytes(stream, 8)),
    ]
    if not stream:
        return head + ["-"] * 8
    fss = sketch(stream, 128)
    bands = [list(range(8 * i, 8 * i + 8)) for i in range(16)]
    return head + [
        digest(sketch(stream, 16), 4),
        digest(sketch(stream, 1024), 4),
        digest(fss, 4),
        digest([(value * CODE & M32) >> 24 for value in fss], 1),
        digest(keys(fss, overlapping(128, 8, 32)), 8),
        digest(keys(fss, bands), 8),
        digest(permutations(stream, 128), 4),
        digest(one_permutation(stream, 128), 4),
    ]


def unescape(text: str) -> bytes:
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


def main() -> int:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS
    if unicodedata.unidata_version != UNICODE_VERSION:
        print(f"{sys.argv[0]}: needs Unicode {UNICODE_VERSION} (Python 3.11)", file=sys.stderr)
        return 2
    checked = wrong = 0
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if line.startswith("#"):
            continue
        shingle, seed, text, *stored = line.split("\t")
        checked += 1
        expected = columns(unescape(text), shingle, int(seed))
        if stored != expected:
            wrong += 1
            which = [i + 4 for i, (a, b) in enumerate(zip(stored, expected)) if a != b]
            print(f"{path}:{number}: columns {which or 'missing'} differ", file=sys.stderr)
    print(f"{checked} vectors, {wrong} wrong")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
