#!/usr/bin/env python3
"""Turns a truth table (TSV: id_a id_b inter union jaccard cont_ab cont_ba) into a pairs file.

The set sizes are recovered from the rounded containments and checked against `union`, so that a
table whose decimals are too coarse is an error and not a wrong pairs file.
Usage: convert_truth.py TRUTH.tsv.gz OUT.jsonl[.zst|.gz]
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path


def sizes(inter: int, union: int, cont_ab: float, cont_ba: float) -> tuple[int, int]:
    """Sizes of both sets from their intersection, their union and the rounded containments."""
    size_a, size_b = round(inter / cont_ab), round(inter / cont_ba)
    if size_a + size_b - inter != union:
        raise ValueError(f"sizes {size_a} and {size_b} do not make union {union}")
    return size_a, size_b


def pairs(table: io.TextIOBase) -> Iterator[dict[str, object]]:
    """The pairs of a truth table, in its order."""
    for number, row in enumerate(csv.DictReader(table, delimiter="\t"), start=2):
        inter, union = int(row["inter"]), int(row["union"])
        try:
            size_a, size_b = sizes(inter, union, float(row["cont_ab"]), float(row["cont_ba"]))
        except ValueError as error:
            raise SystemExit(f"convert_truth: line {number}: {error}") from error
        yield {
            "a": row["id_a"],
            "b": row["id_b"],
            "resemblance": inter / union,
            "common": inter,
            "size_a": size_a,
            "size_b": size_b,
        }


def compress(data: bytes, suffix: str) -> bytes:
    """Compresses by the ending of the file's name."""
    if suffix == ".zst":
        import zstandard

        return zstandard.ZstdCompressor(level=19).compress(data)
    return gzip.compress(data, mtime=0) if suffix == ".gz" else data


def main(arguments: list[str]) -> None:
    if len(arguments) != 2:
        raise SystemExit("convert_truth: expected TRUTH.tsv.gz OUT.jsonl[.zst|.gz]")
    source, target = map(Path, arguments)
    with gzip.open(source, "rt", encoding="utf-8", newline="") as table:
        lines = [json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs(table)]
    target.write_bytes(compress("".join(lines).encode(), target.suffix))
    print(f"{target}: {len(lines)} pairs")


if __name__ == "__main__":
    main(sys.argv[1:])
