"""Kinds of features and inputs beside text, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

BASKETS = pa.table({"id": ["a", "b"], "items": [["tea", "milk", "bread"], ["milk", "tea"]]})


def test_items_are_found_without_a_name() -> None:
    pairs = lookalike.pairs(BASKETS, shingle="item", threshold=0.5)
    assert pairs.to_arrow()["resemblance"].to_pylist() == [2 / 3]
    assert lookalike.dedup(BASKETS, shingle="item", threshold=0.5).kept.num_rows == 1


def test_lists_without_ratings_are_refused() -> None:
    for ratings in ("stars", "weights", "at-least:1", "liked:2,1"):
        with pytest.raises(lookalike.LookalikeError, match="rating"):
            lookalike.resemblance("a\nb", "a\nb", shingle="item", ratings=ratings)


def test_records_of_web_archives_are_no_rows(tmp_path: Path) -> None:
    text = "the quick brown fox jumps over the lazy dog"
    record = (
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://{}/\r\n"
        f"Content-Type: text/plain\r\nContent-Length: {len(text)}\r\n\r\n{text}\r\n\r\n"
    )
    (tmp_path / "in.warc").write_bytes("".join(record.format(x) for x in "ab").encode())
    result = lookalike.dedup(str(tmp_path / "in.warc"))
    assert json.loads(json.dumps(result.manifest["records"]))["kept"] == 1
    with pytest.raises(lookalike.DataError, match="web archive"):
        _ = result.kept
    assert result.kept_files[0].read_bytes().startswith(b"WARC/1.0")


def test_weights_of_a_table(tmp_path: Path) -> None:
    table = tmp_path / "w.tsv"
    table.write_text("rose\t5\n*\t1\n")
    made = lookalike.resemblance("a rose", "the rose", shingle="word:1", weights=str(table))
    assert made == 5 / 7
