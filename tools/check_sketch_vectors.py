#!/usr/bin/env python3
"""Recomputes tests/data/sketch_kinds_v1.tsv and compares.

An implementation of docs/format/sketch-kinds-v1.md, and of the samples of docs/format/sketch-v1.md,
that shares nothing with the C++ one. Exit code 1 when a value differs.

    check_sketch_vectors.py [FILE]
    check_sketch_vectors.py --write FILE    the file anew: of a new kind of sketch, never of an old
"""

from __future__ import annotations

import functools
import itertools
import math
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import check_fingerprint_vectors
import xxhash

VECTORS = Path(__file__).resolve().parent.parent / "tests/data/sketch_kinds_v1.tsv"
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
PRIME = (1 << 61) - 1
EMPTY = M32


def mix64(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def stream(state: int) -> Iterator[int]:
    """words(s) of the prose."""
    while True:
        state = (state + GOLDEN) & M64
        yield mix64(state)


@functools.lru_cache(maxsize=4096)
def words(kind: int, function: int, count: int) -> list[int]:
    """The first words(kind, i)."""
    return list(itertools.islice(stream(mix64((kind << 32) + function & M64)), count))


def affine(f: int, columns: list[int]) -> int:
    """The exclusive or of w64 and of each w(i) where bit i of f is set."""
    result = columns[64]
    for bit in range(64):
        result ^= columns[bit] * (f >> bit & 1)
    return result


def byte(f: int, number: int) -> int:
    return f >> 8 * number & 255


def mixer(f: int, b: int) -> int:
    return mix64(f ^ words(4, b, 1)[0]) >> 32


def congruence(kind: int, f: int, b: int) -> int:
    w0, w1 = words(kind, b, 2)
    return ((1 + w0 % (PRIME - 1)) * (f % PRIME) + w1 % PRIME) % PRIME


def matrix(f: int, b: int) -> int:
    return affine(f, words(7, b, 65)) >> 32


def tabulation(f: int, b: int) -> int:
    w = words(8, b, 2048)
    result = 0
    for i in range(8):
        result ^= w[256 * i + byte(f, i)] >> 32
    return result


def mixed_tabulation(f: int, b: int) -> int:
    w = words(9, b, 3072)
    v = 0
    for i in range(8):
        v ^= w[256 * i + byte(f, i)]
    result = v & M32
    for i in range(4):
        result ^= w[2048 + 256 * i + byte(v, 4 + i)] >> 32
    return result


def lead(kind: int, bits: int, f: int, b: int) -> int:
    places = 64 // bits
    leads = affine(f, words(kind, b // places, 65))
    first = leads >> bits * (b % places) & (1 << bits) - 1
    tail = mix64(f ^ words(kind, 65536 + b, 1)[0]) >> 32 + bits
    return (first << 32 - bits) + tail


HASHES: dict[str, Callable[[int, int], int]] = {
    "permutations:mixer": mixer,
    "permutations:linear": lambda f, b: congruence(5, f, b) >> 29,
    "permutations:universal": lambda f, b: congruence(6, f, b) & M32,
    "permutations:matrix": matrix,
    "permutations:tabulation": tabulation,
    "permutations:mixed-tabulation": mixed_tabulation,
    "lead-byte:": lambda f, b: lead(10, 8, f, b),
    "lead-byte:4": lambda f, b: lead(11, 4, f, b),
}


def bins(features: set[int], count: int) -> list[int]:
    made = [EMPTY] * count
    for f in features:
        place = f * count >> 64
        made[place] = min(made[place], (f >> 24) % 2**27)
    return made


def densified(features: set[int], count: int) -> list[int]:
    filled = bins(features, count)
    made = list(filled)
    for b in range(count):
        if filled[b] == EMPTY:
            places = (word * count >> 64 for word in stream(mix64((12 << 32) + b)))
            made[b] = next(filled[place] for place in places if filled[place] != EMPTY)
    return made


def runs(f: int, word: int, count: int) -> list[int]:
    """The zeros before each 1 of the string of a feature."""
    found: list[int] = []
    zeros = 0
    for bits in stream(mix64(f ^ word)):
        for bit in range(64):
            if bits >> bit & 1:
                found.append(zeros)
                zeros = 0
                if len(found) == count:
                    return found
            else:
                zeros += 1
    return found


def further(kind: int, f: int, b: int) -> int:
    return mix64(f ^ words(kind, 65536 + b, 1)[0])


def geometric(features: set[int], count: int) -> list[int]:
    made = [M32] * count
    for f in features:
        for b, zeros in enumerate(runs(f, words(14, 0, 1)[0], count)):
            value = (31 - min(zeros, 31) << 27) + (further(14, f, b) >> 37)
            made[b] = min(made[b], value)
    return made


def zero_bits(f: int, count: int) -> set[int]:
    """The coordinates whose biased bit is 0."""
    bounds, bound = [], 1 << 64
    for _ in range(100):
        bound = bound * 99 // 100
        bounds.append(bound)
    draws = stream(mix64(f ^ words(15, 0, 1)[0]))
    zeros = set()
    for begin in range(0, count, 100):
        end = min(begin + 100, count)
        b = begin
        while True:
            word = next(draws)
            b += sum(word < bound for bound in bounds)
            if b >= end:
                break
            zeros.add(b)
            b += 1
            if b >= end:
                break
    return zeros


def biased(features: set[int], count: int) -> list[int]:
    made = [M32] * count
    for f in features:
        zeros = zero_bits(f, count)
        for b, run in enumerate(runs(f, words(15, 1, 1)[0], count)):
            if b in zeros:
                value = further(15, f, b) >> 33
            else:
                value = 2**31 + (31 - min(run, 31) << 26) + (further(15, f, b) >> 38)
            made[b] = min(made[b], value)
    return made


LN2 = float.fromhex("0x1.62e42fefa39efp-1")
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
ROOT = float.fromhex("0x1.6a09e667f3bcdp0")


def ln(x: float) -> float:
    m, e = math.frexp(x)
    m, e = 2 * m, e - 1
    if m > ROOT:
        m, e = m / 2, e + 1
    s = (m - 1) / (m + 1)
    total = 0.0
    for odd in range(23, 1, -2):
        total = (total + 1 / odd) * (s * s)
    return e * LN2_HIGH + (e * LN2_LOW + 2 * (s + s * total))


def exp(x: float) -> float:
    n = int(x / LN2 + (-0.5 if x / LN2 < 0 else 0.5))
    rest = (x - n * LN2_HIGH) - n * LN2_LOW
    total = 1.0
    for i in range(15, 0, -1):
        total = 1 + rest * (1 / i) * total
    return math.ldexp(total, n)


def race(f: int, weight: float, b: int) -> float:
    made = stream(mix64(f ^ words(16, b, 1)[0]))
    u = [((next(made) >> 11) + 0.5) / 2**53 for _ in range(5)]
    c, r = -ln(u[0] * u[1]), -ln(u[2] * u[3])
    t = math.floor((ln(weight) if weight != 1 else 0.0) / r + u[4])
    return c * exp(r * (u[4] - t - 1))


def weighted(weights: dict[int, float], count: int) -> list[int]:
    least = [min(race(f, weight, b) for f, weight in weights.items()) for b in range(count)]
    return [int(struct.unpack("<Q", struct.pack("<d", a))[0]) >> 32 for a in least]


SKETCHES: dict[str, Callable[[set[int], int], list[int]]] = {
    "one-permutation:densified": densified,
    "one-permutation:bins": bins,
    "geometric:": geometric,
    "biased:": biased,
    "fss:": check_fingerprint_vectors.sketch,
    "one-permutation:": check_fingerprint_vectors.one_permutation,
    "permutations:": check_fingerprint_vectors.permutations,
}


def sample(name: str, features: set[int], parameter: int) -> list[int]:
    orders = sorted(mix64(f + GOLDEN & M64) for f in features)
    if name == "bottom-k":
        return orders[:parameter]
    if name == "mod-m":
        return [order for order in orders if order % parameter == 0]
    return [order for order in orders if order <= M64 // parameter]


def values(sketch: str, given: str) -> tuple[list[int], int]:
    """The values of a sketch and how many bytes one has."""
    name, parameter, *variant = sketch.split(":")
    features = read_features(given)
    if name == "weighted":
        return weighted(read_weights(given), int(parameter)), 4
    if name in ("bottom-k", "mod-m", "fracminhash"):
        return sample(name, features, int(parameter)), 8
    kind, count = f"{name}:{''.join(variant)}", int(parameter)
    if kind in SKETCHES:
        return SKETCHES[kind](features, count), 4
    return [min(HASHES[kind](f, b) for f in features) for b in range(count)], 4


def digest(numbers: list[int], size: int) -> str:
    data = b"".join(number.to_bytes(size, "little") for number in numbers)
    first = [f"{number:0{2 * size}x}" for number in numbers[:4]]
    return ",".join([*first, xxhash.xxh3_64_hexdigest(data)])


def read_weights(text: str) -> dict[int, float]:
    """By feature; those of `weights:STATE:COUNT` are 1/8, 2/8, 3/8 and so on."""
    if not text.startswith("weights:"):
        return dict.fromkeys(read_features(text), 1.0)
    _, state, count = text.split(":")
    return {f: (i + 1) / 8 for i, f in enumerate(itertools.islice(stream(int(state)), int(count)))}


def read_features(text: str) -> set[int]:
    """A list of numbers, or `words:STATE:COUNT` of the prose, or `numbers:FIRST:COUNT`."""
    kind, _, rest = text.partition(":")
    if kind in ("words", "weights", "numbers"):
        first, count = map(int, rest.split(":"))
        made = itertools.count(first) if kind == "numbers" else stream(first)
        return set(itertools.islice(made, count))
    return {int(number, 16) for number in text.split(",")}


INPUTS = ["0", "ffffffffffffffff", "1,1fffffffffffffff,8000000000000000", "words:1:3", "words:2:60",
          "words:3:250", "numbers:1000000:100"]  # fmt: skip
WEIGHTS = ["weights:4:3", "weights:5:250"]
NAMES = [
    *(f"permutations:{{}}:{family}" for family in
      ("mixer", "linear", "universal", "matrix", "tabulation", "mixed-tabulation")),
    "lead-byte:{}", "lead-byte:{}:4", "one-permutation:{}:densified", "one-permutation:{}:bins",
    "geometric:{}", "biased:{}", "weighted:{}",
]  # fmt: skip
# fingerprint_v1.tsv has those of them whose sizes are powers of two.
PLAIN = ["fss:{}", "one-permutation:{}", "permutations:{}"]
SAMPLES = ["bottom-k:16", "bottom-k:1000", "mod-m:1", "mod-m:10", "fracminhash:10"]
HEAD = """# Test vectors of docs/format/sketch-kinds-v1.md, and of the samples of docs/format/sketch-v1.md.
# tools/check_sketch_vectors.py computes them again from the prose alone.
# Columns: sketch; the features: hexadecimal, or words:STATE:COUNT (outputs of splitmix64), weights:
# STATE:COUNT (the same with weights 1/8, 2/8, 3/8 ...) or numbers:FIRST:COUNT (in a row), decimal;
# the first four values in hexadecimal and the XXH3-64 of all of them, little-endian, 4 bytes each,
# of samples 8.
"""


def all_lines() -> Iterator[str]:
    names = [name.format(count) for name in NAMES for count in (16, 128)] + SAMPLES
    other_sizes = [name.format(count) for name in PLAIN + NAMES for count in (25, 112)]
    other_sizes += [name.format(250) for name in [*PLAIN, "one-permutation:{}:densified"]]
    for name in names + other_sizes:
        given_weights = WEIGHTS if name.startswith("weighted") else []
        for given in INPUTS[3:5] if name in other_sizes else INPUTS + given_weights:
            yield f"{name}\t{given}\t{digest(*values(name, given))}\n"


def main() -> int:
    if sys.argv[1:2] == ["--write"]:
        Path(sys.argv[2]).write_text(HEAD + "".join(all_lines()), encoding="ascii")
        return 0
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS
    checked = wrong = 0
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if line.startswith("#"):
            continue
        name, given, stored = line.split("\t")
        checked += 1
        if stored != digest(*values(name, given)):
            wrong += 1
            print(f"{path}:{number}: {name} of {given} differs", file=sys.stderr)
    print(f"{checked} vectors, {wrong} wrong")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
