"""The steps of the engine give what `dedup` and `pairs` give, and refuse what is wrong."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from documented_code import blocks_of

lookalike = pytest.importorskip("lookalike")
import pyarrow as pa  # noqa: E402
from lookalike import engine  # noqa: E402
from pyarrow import json as arrow_json  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SETS = Path(os.environ.get("LOOKALIKE_TRUTH_SETS", "no such folder"))


def documented(function: str) -> Callable[..., Any]:
    """A function of docs/how-to/engine.md."""
    page = ROOT / "docs" / "how-to" / "engine.md"
    block = next(block.text for block in blocks_of(page) if f"def {function}(" in block.text)
    names: dict[str, Any] = {}
    exec(block.split("\n\n\ntable =")[0], names)  # noqa: S102
    return names[function]


def texts_of(seed: int, count: int, words: int) -> list[str]:
    """Short and long texts, some of which are copies or near-copies of others."""
    rng = random.Random(seed)
    texts: list[str] = []
    for _ in range(count):
        kind = rng.random()
        if texts and kind < 0.15:
            texts.append(rng.choice(texts))
        elif texts and kind < 0.5:
            edited = rng.choice(texts).split() or ["x"]
            edited[rng.randrange(len(edited))] = f"w{rng.randrange(50)}"
            texts.append(" ".join(edited))
        elif kind < 0.55:
            texts.append("")
        else:
            texts.append(" ".join(f"w{rng.randrange(200)}" for _ in range(rng.randrange(1, words))))
    return texts


OPTIONS = [
    {"shingle": "word:2", "threshold": 0.5, "method": "exact"},
    {"shingle": "word:2", "threshold": 0.5, "design": "bands:32x4"},
    {"shingle": "char:3", "threshold": 0.7, "design": "bands:64x2"},
    {"shingle": "word:1", "threshold": 0.8, "design": "overlapping:128:4:32", "min_features": 3},
    {"shingle": "word:2", "threshold": 0.6, "method": "lsh", "seed": 7},
]


def dedup_kept(texts: list[str], **options: Any) -> list[int]:
    table = pa.table({"id": [str(i) for i in range(len(texts))], "text": texts})
    return [int(name) for name in lookalike.dedup(table, **options).kept["id"].to_pylist()]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("count", "words"), [(300, 8), (300, 60)])
def test_the_kept_set_is_that_of_dedup(options: dict[str, Any], count: int, words: int) -> None:
    texts = texts_of(1, count, words)
    if options.get("method") == "lsh":
        options = {**options, "design": engine.Engine(documents=count, **options).design}
    kept = documented("kept_rows")(texts, **options)
    assert kept.tolist() == dedup_kept(texts, **options)


def test_a_template_is_decided_as_dedup_does() -> None:
    """Buckets that are too large are split and have leaders, and so do frequent features."""
    texts = [
        f"the same text of {i % 7} words but number {i} of all {i * 31 % 11}" for i in range(600)
    ]
    for options in (
        {"shingle": "word:1", "threshold": 0.7, "design": "bands:64x2"},
        {"shingle": "char:4", "threshold": 0.6, "design": "bands:64x2"},
    ):
        kept = documented("kept_rows")(texts, **options)
        assert kept.tolist() == dedup_kept(texts, **options)
        assert len(kept) < 400


def test_the_kept_set_of_a_real_corpus() -> None:
    path = SETS / "peps" / "peps.jsonl.zst"
    if not path.is_file():
        pytest.skip("NO TRUTH SETS: set LOOKALIKE_TRUTH_SETS to a folder of them")
    with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
        texts = arrow_json.read_json(stream)["text"]
    for options in ({"threshold": 0.8}, {"threshold": 0.5, "shingle": "char:9"}):
        design = lookalike.dedup(str(path), **options).manifest["search"]["design"]
        pinned = {**options, **({"method": "exact"} if design == "exact" else {"design": design})}
        kept = documented("kept_rows")(texts, **pinned)
        table = pa.table({"id": pa.array(range(len(texts))).cast(pa.string()), "text": texts})
        result = lookalike.dedup(table, **pinned)
        assert kept.tolist() == [int(name) for name in result.kept["id"].to_pylist()]
        assert 0 < len(texts) - len(kept) == len(result.removed)


@pytest.mark.parametrize("options", OPTIONS)
def test_pairs_are_those_of_pairs(options: dict[str, Any]) -> None:
    texts = texts_of(2, 250, 30)
    steps = engine.Engine(documents=len(texts), goal="pairs", **options)
    if "design" not in options and options.get("method") == "lsh":
        options = {**options, "design": steps.design}
    rows = steps.extract(texts)
    first = engine.classes(rows).to_numpy()
    firsts = np.flatnonzero(first == np.arange(len(rows), dtype=np.uint64))
    edges = steps.verify(steps.join(rows, firsts), rows)
    table = pa.table({"id": [str(i) for i in range(len(texts))], "text": texts})
    expected = lookalike.pairs(table, **options).to_arrow()
    asked = {
        (int(a), int(d)): j
        for a, d, j in zip(
            expected["a"].to_pylist(),
            expected["b"].to_pylist(),
            expected["resemblance"].to_pylist(),
            strict=True,
        )
        if int(a) in set(firsts.tolist()) and int(d) in set(firsts.tolist())
    }
    found = dict(
        zip(
            zip(edges["a"].to_pylist(), edges["d"].to_pylist(), strict=True),
            edges["resemblance"].to_pylist(),
            strict=True,
        )
    )
    assert found == asked
    assert len(found) > 20


def test_records_joined_by_key_give_the_same_pairs() -> None:
    texts = [
        f"the same text of {i % 7} words but number {i} of all {i * 31 % 11}" for i in range(500)
    ]
    steps = engine.Engine(documents=500, shingle="char:2", threshold=0.5, design="bands:64x1")
    rows = steps.extract(texts)
    by_keys = np.flatnonzero(rows["searched"].to_numpy() == 1)
    keys = rows["keys"].combine_chunks().flatten().to_numpy().reshape(len(rows), -1)[by_keys]
    records = pa.table({"key": keys.ravel(), "document": np.repeat(by_keys, keys.shape[1])})
    found: set[tuple[int, int]] = set()
    refined = 0
    for level in range(steps.levels):
        parts = [
            records.filter(pa.array(records["key"].to_numpy() % 3 == part)) for part in range(3)
        ]
        following = []
        for part in parts:
            coded = part.append_column("code", rows["code"].take(part["document"]))
            pairs, more = steps.join_keys(level, coded)
            found.update(zip(pairs["a"].to_pylist(), pairs["d"].to_pylist(), strict=True))
            following.append(more)
        records = pa.concat_tables(following)
        refined += len(records)
    joined = steps.join(rows, by_keys)
    assert refined > 0, "no bucket was split: the test shows nothing"
    assert found == set(zip(joined["a"].to_pylist(), joined["d"].to_pylist(), strict=True))


def test_batches_may_be_concatenated() -> None:
    texts = texts_of(3, 200, 20)
    steps = engine.Engine(documents=200, shingle="word:2", threshold=0.5, design="bands:32x4")
    whole = steps.extract(texts)
    parts = pa.concat_tables([steps.extract(texts[:70]), steps.extract(texts[70:])])
    assert parts.combine_chunks().equals(whole.combine_chunks())
    assert steps.join(parts).equals(steps.join(whole))
    edges = steps.verify(steps.join(parts), parts)
    assert edges.equals(steps.verify(steps.join(whole), whole))
    assert steps.extract([]).num_rows == 0
    assert steps.join(whole.slice(50, 20)).num_rows <= 190


def test_columns_are_described() -> None:
    steps = engine.Engine(documents=10, shingle="word:1", threshold=0.5, design="bands:4x8")
    rows = steps.extract(["a b c", "c b a", "?", " ".join(f"w{i}" for i in range(40))])
    assert rows["features"].to_pylist()[0] == sorted(rows["features"].to_pylist()[0])
    assert [len(features) for features in rows["features"].to_pylist()] == [3, 3, 0, 40]
    assert rows["searched"].to_pylist() == [2, 2, 0, 1]
    assert rows["hash"].to_pylist()[0] != rows["hash"].to_pylist()[1], "order counts"
    assert engine.classes(rows).to_pylist() == [0, 1, 2, 3]
    assert rows["keys"].type.list_size == 4
    assert rows["keys"].to_pylist()[2] == [0] * 4


def test_groups_have_their_lowest_document() -> None:
    links = pa.table({"a": [5, 1, 2], "d": [7, 5, 3]})
    assert engine.group(links, 9).to_pylist() == [0, 1, 2, 2, 4, 1, 6, 1, 8]


def test_removals_have_the_columns_of_their_edges() -> None:
    edges = pa.table({"a": [0, 0, 1, 2], "d": [1, 2, 3, 3], "score": [0.9, 0.8, 0.7, 0.6]})
    assert engine.keep(edges, 4).to_pylist() == [
        {"removed": 1, "witness": 0, "score": 0.9},
        {"removed": 2, "witness": 0, "score": 0.8},
    ]


def test_what_is_wrong_is_said() -> None:
    steps = engine.Engine(documents=10, shingle="word:1", threshold=0.5, design="bands:4x8")
    rows = steps.extract(["a b c", "c b a"])
    ab = pa.table({"a": [0], "d": [1]})
    option, data, run = lookalike.OptionError, lookalike.DataError, lookalike.RunError

    def pair(a: list[int], d: list[int]) -> pa.Table:
        return pa.table({"a": a, "d": d})

    def coded(level: int) -> object:
        records = {"key": [1], "document": [0], "code": rows["code"][:1]}
        return steps.join_keys(level, pa.table(records))

    containment: dict[str, Any] = {"goal": "pairs", "measure": "containment"}
    for error, message, call in (
        (option, "measure='containment' is not offered", lambda: engine.Engine(**containment)),
        (option, "method='shingle-merge' is", lambda: engine.Engine(method="shingle-merge")),
        (option, "goal='all' is not allowed", lambda: engine.Engine(goal="all")),  # type: ignore
        (option, "documents is of type str", lambda: engine.Engine(documents="1")),  # type: ignore
        (option, "threshold=7", lambda: engine.Engine(threshold=7)),
        (data, "a column features, found a, d", lambda: steps.join(ab)),
        (data, "documents is no column of whole", lambda: steps.join(rows, [-1])),
        (run, "do not ascend, or are no rows", lambda: steps.join(rows, [1, 0])),
        (run, "do not ascend, or are no rows", lambda: steps.join(rows, [2])),
        (run, "pair 0 names a document", lambda: steps.verify(pair([0], [2]), rows)),
        (run, "edge 0 is not in order", lambda: engine.keep(pair([1], [1]), 2)),
        (run, "edge 1 is not in order", lambda: engine.keep(pair([0, 0], [2, 1]), 3)),
        (run, "edge 0 is not in order", lambda: engine.keep(ab, 1)),
        (run, "link 0 names a document", lambda: engine.group(ab, 1)),
        (run, "level 9 is none of the join's", lambda: coded(9)),
    ):
        with pytest.raises(error, match=message):
            call()
    assert steps.join(rows, []).num_rows == 0
    short = rows.set_column(3, "code", pa.array([b"ab", b"cd"], pa.binary(2)))
    with pytest.raises(lookalike.RunError, match="the column codes has 4 values, expected"):
        steps.join(short)
