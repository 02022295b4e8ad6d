"""Decisions that merge documents: their scores are those of the definition, whatever tells the
documents apart.
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from word_features import Features, features, resemblance

Run = Callable[..., Any]
Rows = list[dict[str, Any]]
WIDTH = 2


def texts(count: int, words: int, seed: int) -> list[str]:
    """Texts of all lengths that have some words in common, and are alike below any threshold."""
    draw = random.Random(seed)
    base = [f"w{i}" for i in range(2 * words)]
    made = []
    for i in range(count):
        begin = draw.randrange(words)
        common = base[begin : begin + draw.randrange(words // 4, words)]
        made.append(" ".join([*common, *(f"x{i}y{n}" for n in range(draw.randrange(8, words)))]))
    return made


def merge(rows: Rows, sources: list[str], first: int, second: int) -> dict[str, Any]:
    documents = []
    for doc in (first, second):
        place = {"id": rows[doc]["id"], "source": sources[doc], "row": rows[doc]["number"]}
        documents.append(place | ({"reference": True} if sources[doc] == "old.jsonl" else {}))
    return {"number": 1, "decision": "merge", "cluster": 1, "documents": documents}


def removed(folder: Path) -> Rows:
    return [json.loads(line) for line in (folder / "removed.jsonl").open()]


def field_scores(row: dict[str, Any], witness: dict[str, Any], fields: list[str]) -> list[float]:
    sets = [[features(each.get(name) or "", WIDTH) for name in fields] for each in (row, witness)]
    return [resemblance(a, b) for a, b in zip(*sets, strict=True) if a or b]


@pytest.mark.parametrize(
    "guards",
    [["--same", "lang"], ["--not-same", "year"], ["--differ", "lang"], ["--differ", "numbers"]],
    ids=" ".join,
)
def test_a_merge_of_documents_that_guards_tell_apart(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, guards: list[str]
) -> None:
    rows: Rows = [
        {"id": str(i), "number": i + 1, "text": text, "lang": "en de fr".split()[i % 3], "year": 1}
        for i, text in enumerate(texts(6, 40, seed=5))
    ]
    write_jsonl("in.jsonl", rows)
    for first, second in itertools.combinations(range(len(rows)), 2):
        write_jsonl("own.jsonl", [merge(rows, ["in.jsonl"] * len(rows), first, second)])
        run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--quiet", "--threshold", "0.95",
            "--shingle", f"word:{WIDTH}", "--decisions", "own.jsonl", *guards)  # fmt: skip
        (line,) = removed(tmp_path / "out")
        assert (line["id"], line["duplicate_of"]) == (str(second), str(first))
        sets = [features(rows[each]["text"], WIDTH) for each in (first, second)]
        assert line["resemblance"] == resemblance(*sets) < 0.95


@pytest.mark.parametrize("rule", ["all", "any"])
def test_a_merge_of_documents_of_several_fields(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, rule: str
) -> None:
    """No field reaches its threshold; the score is still that of the field that decides."""
    bodies, titles = texts(6, 40, seed=7), texts(6, 12, seed=8)
    rows: Rows = [
        {"id": str(i), "number": i + 1, "title": title, "body": body}
        for i, (title, body) in enumerate(zip(titles, bodies, strict=True))
    ]
    write_jsonl("in.jsonl", rows)
    decides = min if rule == "all" else max
    seen = set()
    for first, second in itertools.combinations(range(len(rows)), 2):
        write_jsonl("own.jsonl", [merge(rows, ["in.jsonl"] * len(rows), first, second)])
        run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--quiet", "--text-field", "title",
            "--text-field", "body", "--threshold", "body=0.9,title=0.95", "--fields", rule,
            "--shingle", f"word:{WIDTH}", "--decisions", "own.jsonl")  # fmt: skip
        (line,) = removed(tmp_path / "out")
        scores = field_scores(rows[second], rows[first], ["title", "body"])
        assert max(scores) < 0.9
        assert line["resemblance"] == decides(scores)
        seen.add(scores.index(decides(scores)))
    assert seen == {0, 1}


def test_a_merge_with_a_reference_has_the_shares_of_both(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    rows: Rows = [
        {"id": str(i), "number": i // 2 + 1, "text": text}
        for i, text in enumerate(texts(8, 60, seed=9))
    ]
    write_jsonl("old.jsonl", rows[::2])
    write_jsonl("in.jsonl", rows[1::2])
    sources = ["old.jsonl", "in.jsonl"] * 4

    def share(part: Features, whole: Features) -> float:
        return len(part & whole) / len(part)

    for first, second in itertools.product(range(0, 8, 2), range(1, 8, 2)):
        write_jsonl("own.jsonl", [merge(rows, sources, second, first)])
        run("dedup", "in.jsonl", "--against", "old.jsonl", "-o", "out", "--overwrite", "--quiet",
            "--measure", "containment", "--threshold", "0.99", "--shingle", f"word:{WIDTH}",
            "--min-features", "5", "--decisions", "own.jsonl")  # fmt: skip
        (line,) = removed(tmp_path / "out")
        assert (line["id"], line["duplicate_of"]) == (str(second), str(first))
        own, other = (features(rows[each]["text"], WIDTH) for each in (second, first))
        assert len(own) != len(other)
        assert line["containment_ab"] == share(own, other)
        assert line["containment_ba"] == share(other, own)


def test_documents_of_an_input_that_is_skipped_are_unknown(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """An input that is cut short has rows that can be read, and is skipped as a whole."""
    rows: Rows = [
        {"id": f"a{i}", "number": i + 1, "text": text}
        for i, text in enumerate(texts(4000, 40, seed=11))
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(lines)[:-1000])
    good = [{"id": f"b{i}", "number": i + 1, "text": row["text"]} for i, row in enumerate(rows[:9])]
    write_jsonl("in.jsonl", good)
    words = ["dedup", "bad.jsonl.gz", "in.jsonl", "-o", "out", "--quiet", "--skip-bad-inputs",
             "--overwrite", "--decisions", "own.jsonl"]  # fmt: skip
    write_jsonl("own.jsonl", [merge(good, ["in.jsonl"] * 9, 0, 1)])
    run(*words, code=3)
    assert [line["id"] for line in removed(tmp_path / "out")] == ["b1"]
    write_jsonl("own.jsonl", [merge(rows, ["bad.jsonl.gz"] * 2, 0, 1)])
    said = run(*words, code=2).stderr
    assert "decision 1 names the document bad.jsonl.gz:1, which the inputs" in said
