"""Sketch files as docs/format says, read and compared by the definitions: what answers are held to."""

from __future__ import annotations

import itertools
import math
import struct
from dataclasses import dataclass
from pathlib import Path

EMPTY = 0xFFFFFFFF


@dataclass(frozen=True)
class Stored:
    """A document of a sketch file."""

    id: str
    row: int
    source: str
    features: int
    values: tuple[int, ...]  # coordinates, or those of a sample


@dataclass(frozen=True)
class Kind:
    """What --sketch and --sketch-bits say."""

    name: str
    bits: int = 32

    @property
    def is_sample(self) -> bool:
        return self.name.split(":")[0] in ("mod-m", "bottom-k", "fracminhash")

    @property
    def number(self) -> int:
        return int(self.name.split(":")[1])

    @property
    def has_gaps(self) -> bool:
        return self.name.endswith(":bins")


def unpack(kind: Kind, sketch: bytes) -> tuple[int, ...]:
    if kind.is_sample:
        return struct.unpack(f"<{len(sketch) // 8}Q", sketch)
    whole = int.from_bytes(sketch, "little")
    count = 8 * len(sketch) // kind.bits
    return tuple(whole >> (i * kind.bits) & ((1 << kind.bits) - 1) for i in range(count))


def read_sketches(path: Path, kind: Kind) -> list[Stored]:
    data, found = path.read_bytes(), []
    assert data[:8] == b"LKLSKFL\x01"
    at = 12 + struct.unpack_from("<I", data, 8)[0]
    while True:
        size, records, _ = struct.unpack_from("<IIQ", data, at)
        at += 16
        if records == 0:
            return found
        end = at + size
        (length,) = struct.unpack_from("<I", data, at)
        source = data[at + 4 : at + 4 + length].decode()
        at += 4 + length
        for _ in range(records):
            row, features, id_bytes, sketch_bytes = struct.unpack_from("<QQII", data, at)
            at += 24
            name = data[at : at + id_bytes].decode()
            at += id_bytes
            values = unpack(kind, data[at : at + sketch_bytes])
            found.append(Stored(name, row, source, features, values))
            at += sketch_bytes
        assert at == end
        at = end + 8


def looked_at(kind: Kind, a: Stored, b: Stored) -> tuple[int, int]:
    """How many values were looked at, and how many of them are common."""
    if not kind.is_sample:
        seen = [
            (x, y)
            for x, y in zip(a.values, b.values, strict=True)
            if not (kind.has_gaps and x == y == EMPTY)
        ]
        return len(seen), sum(x == y for x, y in seen)
    union = sorted({*a.values, *b.values})
    if kind.name.startswith("bottom-k") and max(len(a.values), len(b.values)) >= kind.number:
        union = union[: kind.number]
    both = {*a.values} & {*b.values}
    return len(union), sum(value in both for value in union)


def estimate(kind: Kind, a: Stored, b: Stored) -> tuple[float, float]:
    """The resemblance, and its standard error."""
    looked, common = looked_at(kind, a, b)
    p = (common + 0.5) / (looked + 1)
    if not kind.is_sample:
        chance = 0 if kind.bits == 32 else 2.0**-kind.bits
        value = (common - looked * chance) / (looked * (1 - chance))
        return value, math.sqrt(p * (1 - p) / looked) / (1 - chance)
    value = common / looked
    drawn = 1 / kind.number
    if kind.name.startswith("bottom-k"):
        whole = a.features < kind.number and b.features < kind.number
        drawn = 1.0 if whole else min(1.0, looked / ((a.features + b.features) / (1 + value)))
    return value, math.sqrt(p * (1 - p) / looked * max(0.0, 1 - drawn))


def estimated_pairs(
    kind: Kind, documents: list[Stored], threshold: float
) -> dict[tuple[str, str], tuple[float, float]]:
    """All pairs whose estimate is at or above the threshold."""
    found = {}
    for a, b in itertools.combinations([d for d in documents if d.values], 2):
        value, error = estimate(kind, a, b)
        if value >= threshold:
            found[a.id, b.id] = value, error
    return found
