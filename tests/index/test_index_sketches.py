"""An index takes sketch files, and is asked with them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

UNCHANGED = {"added": 0, "replaced": 0, "similar": 0, "rejected": 0}


@pytest.fixture
def corpus(write_jsonl: Callable[..., Path]) -> Path:
    """40 documents of 60 words, each fourth one with a near-copy."""
    chance = random.Random(3)
    rows = []
    for i in range(40):
        words = [f"w{chance.randrange(10**6)}" for _ in range(60)]
        rows.append({"id": f"d{i}", "text": " ".join(words)})
        if i % 4 == 0:
            rows.append({"id": f"near{i}", "text": " ".join([*words[:-1], "other"])})
    return write_jsonl("in.jsonl", rows)


@pytest.fixture
def sketches(run: Callable[..., Any], corpus: Path, tmp_path: Path) -> Path:
    run("sketch", corpus, "-o", "in.sketches")
    return tmp_path / "in.sketches"


def answers(index: Callable[..., Any], name: str, asked: Path) -> dict[str, Any]:
    lines = index("query", name, asked).stdout.splitlines()
    return {line["id"]: line["matches"] for line in map(json.loads, lines)}


def test_sketches_give_the_answers_of_their_texts(
    index: Callable[..., Any], corpus: Path, sketches: Path
) -> None:
    for name in ("of-texts", "of-sketches"):
        index("create", name, "--keep", "none")
    index("load", "of-texts", corpus)
    assert index("load", "of-sketches", sketches, "--json").json == {
        **UNCHANGED, "added": 50, "unchanged": 0
    }  # fmt: skip
    index("check", "of-sketches")
    expected = answers(index, "of-texts", corpus)
    assert {one["id"] for one in expected["d8"]} == {"d8", "near8"}
    for name in ("of-texts", "of-sketches"):
        for asked in (corpus, sketches):
            assert answers(index, name, asked) == expected
    again = index("load", "of-sketches", sketches, "--json").json
    assert again == {**UNCHANGED, "unchanged": 50}


def test_an_exact_index_answers_sketches_with_estimates(
    index: Callable[..., Any], corpus: Path, sketches: Path
) -> None:
    index("create", "seen")
    index("load", "seen", corpus)
    found = answers(index, "seen", sketches)
    assert {one["id"] for one in found["near4"]} == {"d4", "near4"}
    assert all(not match["exact"] for matches in found.values() for match in matches)
    assert "--keep none" in index("load", "seen", sketches, code=2).stderr


@pytest.mark.parametrize(
    "other", [["--shingle", "word:3"], ["--seed", "5"], ["--sketch", "fss:256"], ["--normalize", "none"]]
)
def test_sketches_of_other_options_are_refused(
    run: Callable[..., Any], index: Callable[..., Any], corpus: Path, other: list[str]
) -> None:
    run("sketch", corpus, "-o", "other.sketches", *other)
    index("create", "seen", "--keep", "none")
    assert "holds sketches of" in index("load", "seen", "other.sketches", code=2).stderr
    assert "holds sketches of" in index("query", "seen", "other.sketches", code=2).stderr


def test_sketches_of_fewer_bits_are_refused(
    run: Callable[..., Any], index: Callable[..., Any], corpus: Path
) -> None:
    index("create", "seen", "--keep", "none")
    for bits in ("16", "8"):
        run("sketch", corpus, "-o", f"{bits}.sketches", "--sketch-bits", bits)
        index("load", "seen", f"{bits}.sketches", code=2)


def test_documents_of_few_features_are_left_out_and_said(
    run: Callable[..., Any], index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    long = " ".join(f"w{i}" for i in range(60))
    short = " ".join(f"w{i}" for i in range(12))
    rows = [{"id": "long", "text": long}, {"id": "short", "text": short}, {"id": "no", "text": ""}]
    run("sketch", write_jsonl("few.jsonl", rows), "-o", "few.sketches")
    index("create", "seen", "--keep", "none")
    loaded = index("load", "seen", "few.sketches", code=3)
    assert loaded.stderr.count("\n") == 1
    assert "few.jsonl:2: has only 8 features" in loaded.stderr
    assert index("check", "seen", "--json").json["documents"] == 2
    asked = index("query", "seen", "few.sketches", code=3)
    assert [json.loads(line)["id"] for line in asked.stdout.splitlines()] == ["long", "no"]


def test_texts_beside_sketches_are_refused(
    index: Callable[..., Any], corpus: Path, sketches: Path
) -> None:
    index("create", "seen", "--keep", "none")
    refused = index("load", "seen", sketches, corpus, code=2)
    assert "is not a sketch file" in refused.stderr


def test_texts_and_sketches_are_told_apart_by_content(
    run: Callable[..., Any], index: Callable[..., Any], corpus: Path, tmp_path: Path
) -> None:
    text = corpus.rename(tmp_path / "notes.sketches.jsonl")
    run("sketch", text, "-o", "in.sketches.gz")
    run("sketch", text, "-o", "plain")
    for number, name in enumerate((text, "in.sketches.gz", "plain")):
        index("create", f"seen{number}", "--keep", "none")
        assert index("load", f"seen{number}", name, "--json").json["added"] == 50


def test_a_pipe_is_not_opened_to_see_what_it_is(index: Callable[..., Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    index("create", "seen")
    refused = index("load", "seen", "pipe.jsonl", code=2, timeout=30)
    assert "pipe.jsonl" in refused.stderr
