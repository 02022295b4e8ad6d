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
from pyarrow import parquet as pq  # noqa: E402

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


@pytest.mark.slow
def test_records_joined_by_key_give_the_same_pairs() -> None:
    """Buckets are split, and the pairs of their parts are found at the next level."""
    rng = random.Random(5)
    texts = [" ".join(f"w{rng.randrange(30)}" for _ in range(60)) for _ in range(750)]
    texts[::3] = ["few words"] * 250  # so that the numbers of those that have keys have gaps
    steps = engine.Engine(
        documents=750, shingle="word:1", threshold=0.5, design="bands:64x1", goal="pairs"
    )
    rows = steps.extract(texts)
    by_keys = np.flatnonzero(rows["searched"].to_numpy() == 1)
    keys = rows["keys"].combine_chunks().flatten().to_numpy().reshape(len(rows), -1)[by_keys]
    records = pa.table({"key": keys.ravel(), "document": np.repeat(by_keys, keys.shape[1])})
    found: set[tuple[int, int]] = set()
    for level in range(steps.levels):
        of_part = records["key"].to_numpy() % 3
        following, before = [], len(found)
        for part in range(3):
            mine = records.filter(pa.array(of_part == part))
            coded = mine.append_column("code", rows["code"].take(mine["document"]))
            pairs, more = steps.join_keys(level, coded)
            found.update(zip(pairs["a"].to_pylist(), pairs["d"].to_pylist(), strict=True))
            following.append(more)
        records = pa.concat_tables(following)
        assert len(found) > before, f"level {level} shows nothing"
    joined = steps.join(rows, by_keys)
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


OPTION, DATA, RUN = lookalike.OptionError, lookalike.DataError, lookalike.RunError
U8 = pa.uint8()


def all_raise(cases: list[tuple[type[Exception], str, Callable[[], object]]]) -> None:
    for error, message, call in cases:
        with pytest.raises(error, match=message):
            call()


def test_options_that_are_not_offered_are_refused() -> None:
    containment: dict[str, Any] = {"goal": "pairs", "measure": "containment"}
    all_raise(
        [
            (OPTION, "measure='containment' cannot be run", lambda: engine.Engine(**containment)),
            (OPTION, "='shingle-merge' cannot be", lambda: engine.Engine(method="shingle-merge")),
            (OPTION, "goal='all' is not allowed", lambda: engine.Engine(goal="all")),  # type: ignore
            (OPTION, "documents has type str", lambda: engine.Engine(documents="1")),  # type: ignore
            (OPTION, "threshold=7", lambda: engine.Engine(threshold=7)),
        ]
    )


def test_rows_that_do_not_fit_are_refused() -> None:
    steps = engine.Engine(documents=10, shingle="word:1", threshold=0.5, design="bands:4x8")
    rows = steps.extract(["a b c", "c b a"])
    ab = pa.table({"a": [0], "d": [1]})
    far = pa.table({"a": [0], "d": [2]})
    record = pa.table({"key": [1], "document": [0], "code": rows["code"][:1]})

    def joined(name: str, column: pa.Array) -> Callable[[], object]:
        place = rows.column_names.index(name)
        return lambda: steps.join(rows.set_column(place, name, column))

    all_raise(
        [
            (DATA, "a column features, found a, d", lambda: steps.join(ab)),
            (DATA, "documents must be a column of whole", lambda: steps.join(rows, [-1])),
            (DATA, "searched has the type int64, expected", joined("searched", pa.array([1, 1]))),
            (DATA, "searched has nulls", joined("searched", pa.array([1, None], U8))),
            (DATA, "keys has the type list", joined("keys", pa.array([[1] * 8, []]))),
            (RUN, "row 1 of the column searched is 3", joined("searched", pa.array([1, 3], U8))),
            (RUN, "codes has 4 values", joined("code", pa.array([b"ab", b"cd"], pa.binary(2)))),
            (RUN, "must ascend and be row numbers", lambda: steps.join(rows, [1, 0])),
            (RUN, "must ascend and be row numbers", lambda: steps.join(rows, [2])),
            (RUN, "pair 0 names a document", lambda: steps.verify(far, rows)),
            (RUN, "level 9 does not exist: the join has", lambda: steps.join_keys(9, record)),
        ]
    )
    assert steps.join(rows, []).num_rows == 0


def test_edges_and_links_that_do_not_fit_are_refused() -> None:
    def edges(a: list[int], d: list[int]) -> pa.Table:
        return pa.table({"a": a, "d": d})

    ab = edges([0], [1])
    named = ab.append_column("removed", [[9]])
    timed = pa.table({"a": [0], "d": pa.array([1], pa.duration("s"))})
    all_raise(
        [
            (RUN, "edge 0 is out of order", lambda: engine.keep(edges([1], [1]), 2)),
            (RUN, "edge 1 is out of order", lambda: engine.keep(edges([0, 0], [2, 1]), 3)),
            (RUN, "edge 0 is out of order", lambda: engine.keep(ab, 1)),
            (RUN, r"are too many; the limit is 2\^40", lambda: engine.keep(ab, 2**64 - 1)),
            (OPTION, "documents=-1 is not allowed", lambda: engine.keep(ab, -1)),
            (DATA, "already have a column removed", lambda: engine.keep(named, 3)),
            (DATA, "d must be a column of whole", lambda: engine.group(timed, 3)),
            (RUN, "link 0 names a document", lambda: engine.group(ab, 1)),
        ]
    )


def test_read_gives_the_documents_of_any_input_in_order(tmp_path):
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"id": 1, "text": "one"}\n{"text": null}\n')
    table = pa.table({"id": ["x"], "text": ["three"]})
    pq.write_table(table, tmp_path / "b.parquet")
    batches = list(engine.read([lines, tmp_path / "b.parquet"]))
    assert [batch.schema for batch in batches] == [engine.DOCUMENTS_SCHEMA] * 2
    assert pa.Table.from_batches(batches).to_pylist() == [
        {"source": "a.jsonl", "row": 1, "id": "1", "text": "one"},
        {"source": "a.jsonl", "row": 2, "id": "a.jsonl:2", "text": None},
        {"source": "b.parquet", "row": 1, "id": "x", "text": "three"},
    ]
    assert sum(len(batch) for batch in engine.read(table)) == 1


def test_what_read_gives_makes_the_kept_set_of_dedup(tmp_path):
    texts = [f"{i % 7} common words of text number {i % 7} in a row" for i in range(50)]
    data = pa.table({"id": [str(i) for i in range(50)], "text": texts})
    found = pa.Table.from_batches(engine.read(data))
    steps = engine.Engine(method="exact", shingle="word:2")
    rows = steps.extract(found["text"])
    first = np.asarray(engine.classes(rows))
    kept = lookalike.dedup(data, shingle="word:2").kept["id"].to_pylist()
    removed = engine.keep(steps.verify(steps.join(rows, np.unique(first)), rows), len(rows))
    gone = set(removed["removed"].to_pylist()) | {i for i, rep in enumerate(first) if rep != i}
    assert [id_ for i, id_ in enumerate(found["id"].to_pylist()) if i not in gone] == kept


def test_read_warns_of_records_and_refuses_options(tmp_path, caplog):
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"text": "one"}\nbroken\n')
    assert sum(len(batch) for batch in engine.read(lines)) == 1
    assert "a.jsonl:2" in caplog.text
    with pytest.raises(lookalike.OptionError):
        engine.read(lines, shingle="words")
    with pytest.raises(lookalike.LookalikeError):
        list(engine.read(tmp_path / "none.jsonl"))


def test_read_says_which_record_ended_it_in_words_of_python(tmp_path, caplog):
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"text": "one"}\n{"text": "' + "long " * 100 + '"}\n')
    assert sum(len(batch) for batch in engine.read(lines, max_record=64)) == 1
    assert "a.jsonl:2" in caplog.text and "max_record=" in caplog.text and "$<" not in caplog.text
    caplog.clear()
    with pytest.raises(lookalike.LookalikeError, match="more than 0 records"):
        list(engine.read(lines, max_record=64, max_errors=0))
    assert "a.jsonl:2" in caplog.text


def test_read_repairs_names_and_texts(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_bytes(b"a\xffb")
    (batch,) = engine.read(tmp_path)
    assert batch.to_pylist() == [
        {"source": "a\ufffd.txt", "row": 1, "id": "a\ufffd.txt:1", "text": "a\ufffdb"}
    ]
