"""The index: what its methods answer and refuse, what is stored at once, and who may write."""

from __future__ import annotations

import gc
import json
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_type_hints

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
from lookalike import DataError, OptionError, RunError, engine  # noqa: E402

FOX = "the quick brown fox jumps over the lazy dog near the river bank"
ROSE = "a rose is a rose is a rose, as the saying goes, and so on and on"
DAISY = "nothing here has anything to do with flowers except for this one daisy"


def words(seed: int, count: int = 40) -> str:
    """A text that is like no other one."""
    return " ".join(f"w{(seed * 7919 + i * i * 31) % 100_003}x{i}" for i in range(count))


def near(seed: int) -> str:
    """A text that is like `words(seed)`: one of its words is another."""
    return words(seed).replace("x39", "y39")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "seen"


@pytest.fixture
def index(folder: Path) -> Iterator[Any]:
    with lookalike.Index.create(folder) as made:
        yield made


def ids(answer: Any) -> list[str]:
    return [match.id for match in answer.matches]


# Adding.


def test_documents_are_added_replaced_left_as_they_are_or_out(index: Any) -> None:
    first = index.add([("fox", FOX, "of old"), ("rose", ROSE)])
    assert (first.added, first.replaced, first.unchanged, first.similar) == (2, 0, 0, 0)
    assert first.rejected == 0
    more = index.add(
        [("fox", FOX, "of old"), ("rose", ROSE, "new"), ("vixen", FOX + "!"), ("daisy", DAISY)],
        unless_similar=0.9,
    )
    assert (more.added, more.replaced, more.unchanged, more.similar) == (1, 1, 1, 1)
    assert [outcome.outcome for outcome in more.outcomes] == [
        "unchanged", "replaced", "similar", "added",
    ]  # fmt: skip
    assert more.outcomes[2] == ("vixen", "similar", ("fox", 1.0, 1.0, 1.0, True, 0.0, "of old"))
    assert more.outcomes[2].like.metadata == "of old" and more.outcomes[3].like is None
    assert [each.id for each in index] == ["fox", "rose", "daisy"] or len(index) == 3
    assert "vixen" not in index and index.get("rose").metadata == "new"


def test_outcomes_are_a_sequence(index: Any) -> None:
    outcomes = index.add({"a": FOX, "b": ROSE, "c": DAISY}).outcomes
    assert len(outcomes) == 3 and outcomes[-1].id == "c"
    assert [each.id for each in outcomes[1:]] == ["b", "c"]
    assert [each.outcome for each in outcomes] == ["added"] * 3
    assert outcomes.count("added") == 3 and "3" in repr(outcomes)
    with pytest.raises(IndexError):
        outcomes[3]


@pytest.mark.parametrize(
    "form",
    [
        lambda pairs: list(pairs),
        lambda pairs: iter(pairs),
        lambda pairs: dict(pairs),
        lambda pairs: zip(*zip(*pairs, strict=True), strict=True),
        lambda pairs: pa.table({"id": [p[0] for p in pairs], "text": [p[1] for p in pairs]}),
        lambda pairs: pa.table({"id": [p[0] for p in pairs], "text": [p[1] for p in pairs]})
        .to_batches()[0],
        lambda pairs: engine.read(
            pa.table({"id": [p[0] for p in pairs], "text": [p[1] for p in pairs]})
        ),
        lambda pairs: [{"id": id_, "text": text} for id_, text in pairs],
        lambda pairs: ({"id": id_, "text": text} for id_, text in pairs),
    ],
    ids="list iterator dict zip table batch read rows row-iterator".split(),  # noqa: SIM905
)
def test_documents_come_in_many_forms(index: Any, form: Callable[[Any], Any]) -> None:
    assert index.add(form([("fox", FOX), ("rose", ROSE)])).added == 2
    assert ids(index.query(FOX)) == ["fox"] and ids(index.query(ROSE)) == ["rose"]


def test_data_frames_files_and_columns_of_other_names(index: Any, lines: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"key": [1, 2], "content": [FOX, ROSE]})
    assert index.add(frame, text="content", id="key").added == 2
    assert ids(index.query(FOX)) == ["1"]
    path = lines("in.jsonl", [{"id": "d", "body": DAISY}, {"body": words(1)}])
    assert index.add(path, text=None).added == 2
    assert [each.id for each in index] == ["1", "2", "d", "in.jsonl:2"]
    with pytest.raises(RunError, match='"nope" that text= names'):
        index.add(path, text="nope")
    polars = pytest.importorskip("polars")
    assert index.add(polars.DataFrame({"id": ["p"], "text": [words(2)]})).added == 1


def test_records_that_cannot_be_read_are_counted(index: Any, lines: Any, caplog: Any) -> None:
    path = lines("in.jsonl", b'{"id": "a", "text": "one two three four five"}\nbroken\n')
    done = index.add(path)
    assert (done.added, done.rejected, len(done.outcomes)) == (1, 1, 1)
    assert "in.jsonl:2" in caplog.text


def test_texts_are_str_bytes_views_or_none(folder: Path) -> None:
    with lookalike.Index.create(folder, keep="text") as index:
        whole = memoryview(b"__" + FOX.encode() + b"__")
        given = [("str", FOX), ("bytes", FOX.encode()), ("array", bytearray(FOX.encode())),
                 ("strides", memoryview(FOX.encode()[::-1])[::-1]),
                 ("view", whole[2:-2])]  # fmt: skip
        assert index.add(given).added == 5
        assert ids(index.query(memoryview(FOX.encode()))) == sorted(name for name, _ in given)
        assert {each.text for each in index} == {FOX}
        assert index.add({"none": None, "broken": b"a\xffb", "lone": "a\ud800b"}).added == 3
        assert [index.get(id_).text for id_ in ("none", "broken", "lone")] == [
            "", "a\ufffdb", "a\ufffdb",
        ]  # fmt: skip
        assert index.get("none").features == 0
        table = pa.table({"id": ["null"], "text": pa.array([None], pa.string())})
        assert index.add(table).added == 1
        assert index.query("").matches == [] and index.query(id="null").matches == []
        index.check()


def test_ids_are_texts_or_whole_numbers(index: Any) -> None:
    numpy = pytest.importorskip("numpy")
    index.add({1: FOX, numpy.int64(2): ROSE, "ключ 🔑": DAISY})
    assert [each.id for each in index] == ["1", "2", "ключ 🔑"]
    assert 1 in index and "1" in index and numpy.int8(2) in index
    assert 3 not in index and None not in index and 1.5 not in index and True not in index
    assert index.get(2).id == "2" and ids(index.query(id=1)) == []
    assert index.remove([1, "ключ 🔑", "nobody"]) == 2
    assert index.remove(pa.array(["2"])) == 1 and len(index) == 0


def test_items(folder: Path) -> None:
    with lookalike.Index.create(folder, shingle="item", threshold=0.5) as index:
        assert index.add([("a", ["milk", "tea", "bread"]), ("b", {"tea", "milk"})]).added == 2
        assert ids(index.query({"bread", "tea", "milk"})) == ["a", "b"]
        lists = pa.table({"id": ["c"], "items": [["salt", "rice"]]})
        assert index.add(lists).added == 1
        (answer,) = index.query_many([["rice", "salt"]])
        assert ids(answer) == ["c"]


def test_metadata_is_a_text_of_the_caller(index: Any) -> None:
    known = json.dumps({"url": "http://a.example/ü", "seen": [1, 2]})
    index.add([("fox", FOX, known), ("rose", ROSE, None), ("odd", DAISY, "\udcff\udc80")])
    (match,) = index.query(FOX).matches
    assert json.loads(match.metadata)["url"] == "http://a.example/ü"
    assert index.get("rose").metadata == "" and index.get("odd").metadata == "\udcff\udc80"


def test_a_list_is_stored_in_steps_and_a_refused_one_leaves_those_before_it(index: Any) -> None:
    long = words(1, 200_000)  # more than a step

    def documents() -> Iterator[tuple[Any, ...]]:
        yield "first", long
        yield "second", FOX
        yield "", ROSE

    with pytest.raises(RunError, match="the id has 0 bytes") as caught:
        index.add(documents())
    assert caught.value.__notes__ == ["1 documents of earlier steps are stored."]
    assert [each.id for each in index] == ["first"]
    with pytest.raises(RunError, match="the id has 0 bytes") as caught:
        index.add([("third", long), ("", ROSE)], atomic=True)
    assert not hasattr(caught.value, "__notes__") and [each.id for each in index] == ["first"]
    with pytest.raises(DataError, match="type int"):
        index.add([("third", long), ("fourth", FOX), ("fifth", 5)], atomic=True)
    with pytest.raises(ZeroDivisionError):
        index.add((("sixth", FOX, str(1 // i)) for i in (1, 0)), atomic=True)
    assert len(index) == 1
    assert index.add([("third", long), ("fourth", FOX)], atomic=True).added == 2


def test_nothing_is_added_from_nothing(index: Any) -> None:
    for nothing in ([], (), {}, iter([]), pa.table({"text": pa.array([], pa.string())})):
        assert index.add(nothing).added == 0
        assert index.add(nothing, atomic=True).added == 0


@pytest.mark.parametrize(
    "documents, message",
    [
        (("a", "text"), r"pass \[\(id, text\)\]"),
        ([("a",)], "expected a tuple"),
        ([("a", "b", "c", None, "d")], "expected a tuple"),
        ([("a", "b", "c", "d")], "fields has type str"),
        ([("a", FOX), "b"], "expected a tuple"),
        ([(None, FOX)], "an id has type NoneType"),
        ([(True, FOX)], "an id has type bool"),
        ([(b"a", FOX)], "an id has type bytes"),
        ([("a\ud800", FOX)], "not valid Unicode"),
        ([("a", 5)], "document 'a': the text has type int"),
        ([("a", FOX, b"x")], "metadata has type bytes, expected text"),
        ([("a", FOX, {"x": 1})], "see json.dumps"),
        ([("a", memoryview(bytes(8)).cast("H"))], "a view of 2 bytes"),
        (5, "documents|data has type int"),
        (None, "type NoneType"),
    ],
)
def test_documents_that_are_refused(index: Any, documents: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        index.add(documents)
    assert len(index) == 0


def test_lists_are_no_texts_without_items(index: Any) -> None:
    with pytest.raises(OptionError, match="shingle='item'"):
        index.add({"text": [FOX, ROSE]})


def test_what_the_engine_refuses(index: Any) -> None:
    for documents, message in (
        ([("x" * 1025, FOX)], "the id has 1025 bytes"),
        ([("a", FOX, "x" * 65_537)], "the metadata has 65537 bytes"),
    ):
        with pytest.raises(RunError, match=message) as caught:
            index.add(documents)
        assert caught.value.code == "input"


@pytest.mark.parametrize(
    "least, message",
    [
        (0, "unless_similar=0 is not allowed"),
        (1.5, "unless_similar=1.5 is not allowed"),
        (float("nan"), "unless_similar=nan"),
        (0.5, "unless_similar=0.5 is below the threshold of the index, 0.8"),
        ("0.9", "unless_similar has type str"),
        (True, "unless_similar has type bool"),
    ],
)
def test_resemblances_of_add_that_are_refused(index: Any, least: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        index.add([("a", FOX)], unless_similar=least)
    assert caught.value.option == "unless_similar"


# Queries.


def test_answers_say_how_alike_documents_are(index: Any) -> None:
    index.add([("a", words(1), "the first"), ("b", near(1)), ("c", words(2))])
    answer = index.query(words(1))
    assert ids(answer) == ["a", "b"] and not answer.truncated and answer.candidates >= 2
    best, other = answer.matches
    assert best == ("a", 1.0, 1.0, 1.0, True, 0.0, "the first")
    assert other.resemblance == lookalike.resemblance(words(1), near(1))
    assert other.exact and other.standard_error == 0
    assert ids(index.query(id="a")) == ["b"] and ids(index.query(id="c")) == []
    assert ids(index.query(words(1), top=1)) == ["a"]
    cut = index.query(words(1), limit=1)
    assert ids(cut) == ["a"] and cut.truncated
    assert ids(index.query(words(1), limit=None)) == ["a", "b"]
    assert ids(index.query(words(1), threshold=0.99)) == ["a"]
    half = " ".join(words(2).split()[:25])
    assert index.query(half).matches == []
    assert ids(index.query(half, threshold=0.3, exhaustive=True)) == ["c"]


def test_estimates_where_nothing_is_kept(folder: Path) -> None:
    with lookalike.Index.create(folder, keep="none") as index:
        index.add([("a", words(1))])
        (match,) = index.query(near(1)).matches
        assert not match.exact and 0 < match.standard_error < 0.045
        assert abs(match.resemblance - lookalike.resemblance(words(1), near(1))) < 0.2
        assert index.get("a").text is None and index.keep == "none"


def test_many_queries_at_once(index: Any) -> None:
    numpy = pytest.importorskip("numpy")
    index.add((f"d{i}", words(i)) for i in range(50))
    texts = [near(i) for i in range(50)] + [None, DAISY]
    expected = [index.query(text or "") for text in texts]
    assert [ids(answer) for answer in expected] == [[f"d{i}"] for i in range(50)] + [[], []]
    for given in (texts, tuple(texts), iter(texts), pa.array(texts), pa.chunked_array([texts]),
                  numpy.array([text or "" for text in texts])):  # fmt: skip
        assert index.query_many(given) == expected
    for threads in (1, 7):
        assert index.query_many(texts, threads=threads) == expected
    assert index.query_many([]) == []
    assert index.query_many([FOX.encode(), memoryview(b"x")]) == [index.query(FOX)] * 2
    one = index.query_many(texts[:1], top=1, limit=5, threshold=0.85, exhaustive=True)
    assert one == [index.query(texts[0], top=1, limit=5, threshold=0.85, exhaustive=True)]
    for wrong in (FOX, b"x", {"a": FOX}, {FOX}):
        with pytest.raises(DataError, match="expected a list or a column"):
            index.query_many(wrong)
    with pytest.raises(OptionError, match="threads=0 is not allowed"):
        index.query_many([FOX], threads=0)
    low = index.query_many(texts[:2], threshold=0.05)
    assert low == index.query_many(texts[:2], threshold=0.05, exhaustive=True) != expected[:2]


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "takes either a text or id="),
        ({"text": FOX, "id": "fox"}, "takes either a text or id="),
        ({"text": FOX, "threshold": 0}, "threshold=0 is not allowed"),
        ({"text": FOX, "threshold": 1.1}, "threshold=1.1 is not allowed"),
        ({"text": FOX, "threshold": float("nan")}, "threshold=nan is not allowed"),
        ({"text": FOX, "threshold": "0.9"}, "threshold has type str"),
        ({"text": FOX, "top": 0}, "top=0 is not allowed"),
        ({"text": FOX, "top": 1.5}, "top has type float"),
        ({"text": FOX, "limit": 0}, "limit=0 is not allowed"),
        ({"text": FOX, "limit": 2**64}, "is not allowed"),
        ({"text": FOX, "limit": True}, "limit has type bool"),
        ({"text": FOX, "exhaustive": 1}, "exhaustive takes True or False"),
    ],
)
def test_queries_that_are_refused(index: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        index.query(**options)
    assert "--" not in str(caught.value) and "$<" not in str(caught.value)


def test_a_query_for_a_document_that_is_not_there(index: Any) -> None:
    with pytest.raises(RunError, match="there is no document nobody") as caught:
        index.query(id="nobody")
    assert caught.value.where == str(index.path)
    assert index.get("nobody") is None and index.get("") is None
    with pytest.raises(DataError, match="the text has type int"):
        index.query(5)


# The whole index.


def test_iteration_is_in_the_order_of_adding_and_of_one_moment(folder: Path) -> None:
    with lookalike.Index.create(folder, keep="text") as index:
        index.add([(f"{i:04}", words(i, 20), str(i)) for i in range(1000)])
        documents = iter(index)
        first = next(documents)
        assert first == ("0000", "0", words(0, 20), 16)
        index.add({"later": FOX})
        assert [each.id for each in documents] == [f"{i:04}" for i in range(1, 1000)]
        assert len(index) == 1001 and sum(1 for _ in index) == 1001
        broken_off = iter(index)
        next(broken_off)
        del broken_off
        gc.collect()
        index.compact()


def test_figures_and_their_audit(index: Any) -> None:
    index.add([(f"a{i}", words(i)) for i in range(30)] + [(f"b{i}", near(i)) for i in range(30)])
    stats = index.stats()
    assert (stats.documents, stats.keep, stats.threshold) == (60, "features", 0.8)
    assert stats.bytes > 10_000 and "keys of" in stats.keys and stats.recall is None
    recall = index.stats(audit=60).recall
    assert (recall.asked, recall.sampled_documents, recall.sampled_matches) == (0.99, 60, 60)
    assert recall.estimate > 0.9 and recall.low <= recall.estimate <= recall.high and recall.met
    with pytest.raises(OptionError, match="audit=0 is not allowed"):
        index.stats(audit=0)


def test_an_audit_without_matches(index: Any) -> None:
    index.add({"a": FOX})
    recall = index.stats(audit=5).recall
    assert recall.estimate is None and recall.met


def test_check_finds_damage(folder: Path) -> None:
    with lookalike.Index.create(folder) as index:
        index.add((f"d{i}", words(i)) for i in range(200))
        index.compact()
        index.check()
    data_folder = folder / (folder / "current").read_text().strip()
    file = max(data_folder.glob("*.sst"), key=lambda path: path.stat().st_size)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    with lookalike.Index(folder) as index, pytest.raises(RunError) as caught:
        index.check()
    assert caught.value.code == "corrupt" and file.name in caught.value.where


def test_compact_leaves_nothing_of_removed_documents(folder: Path) -> None:
    def holds(secret: bytes) -> bool:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return any(secret in path.read_bytes() for path in files)

    with lookalike.Index.create(folder) as index:
        index.add([("gone", FOX, "metadata-of-gone"), ("stays", ROSE, "metadata-of-stays")])
        assert index.remove(["gone"]) == 1 and holds(b"metadata-of-gone")
        index.compact()
        assert not holds(b"metadata-of-gone") and holds(b"metadata-of-stays")
        assert ids(index.query(ROSE)) == ["stays"] and ids(index.query(FOX)) == []
        assert index.remove([]) == 0
        for wrong in ("stays", b"stays", 5, [None]):
            with pytest.raises(DataError, match=r"pass \[id\]|an id has type"):
                index.remove(wrong)


def test_backup_and_merge(index: Any, tmp_path: Path) -> None:
    index.add([("a", FOX, "m"), ("b", ROSE)])
    index.backup(tmp_path / "copy")
    index.add({"c": DAISY})
    with lookalike.Index(tmp_path / "copy") as copy:
        assert [each.id for each in copy] == ["a", "b"] and ids(copy.query(FOX)) == ["a"]
    with pytest.raises(RunError, match="already exists"):
        index.backup(tmp_path / "copy")
    with lookalike.Index.create(tmp_path / "other") as other:
        other.add([("x", words(1)), ("a", words(2))])
        other.merge(index)
        assert sorted(each.id for each in other) == ["a", "b", "c", "x"]
        assert other.get("a").metadata == "m"
        other.merge(other)
        index.merge(tmp_path / "other")  # which is open for writing
        assert len(index) == len(other) == 4
    with (
        lookalike.Index.create(tmp_path / "third", threshold=0.7) as third,
        pytest.raises(RunError, match="only indexes with equal settings"),
    ):
        third.merge(index)


# Opening and closing.


def test_create_stores_options(tmp_path: Path) -> None:
    config = tmp_path / "options.toml"
    config.write_text("threshold = 0.6\n")
    with lookalike.Index.create(
        tmp_path / "a", keep="text", shingle="char:5", normalize=None, config=config
    ) as made:
        assert made.keep == "text" and made.mode == "w" and made.path == tmp_path / "a"
        assert made.options["threshold"] == "0.6" and made.options["shingle"] == "char:5"
    with lookalike.Index(str(tmp_path / "a")) as again:
        assert again.options == made.options and again.keep == "text" and again.mode == "r"
        options = again.options
    with lookalike.Index.create(tmp_path / "b", keep="text", **options) as other:
        assert other.options == options
        other.merge(tmp_path / "a")


def test_create_has_the_options_that_are_stored() -> None:
    from lookalike import _index, _options

    keywords = {*_index._rows(), "preset", "config"}
    kinds = get_type_hints(_index.IndexOptions)
    assert set(kinds) == keywords
    others = {**get_type_hints(_options.PlanOptions), **get_type_hints(_options.FilterOptions)}
    others |= get_type_hints(_options.DedupOptions)
    assert kinds == {keyword: others[keyword] for keyword in keywords}


@pytest.mark.parametrize(
    "options, message",
    [
        ({"treshold": 0.5}, r"Index.create\(\) has no option treshold; did you mean threshold\?"),
        ({"max_errors": 3}, r"Index.create\(\) has no option max_errors"),
        ({"method": "exact"}, "has no option method"),
        ({"threshold": 2}, "threshold="),
        ({"shingle": "words"}, "shingle="),
        ({"keep": "longest"}, "keep='longest' is not allowed"),
    ],
)
def test_create_refuses(folder: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        lookalike.Index.create(folder, **options)
    assert not folder.exists() and "--" not in str(caught.value)


def test_paths_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    lookalike.Index.create(tmp_path / "empty").close()
    for path, message in (
        (tmp_path / "full", "already exists"),
        (tmp_path / "empty", "already exists"),
        (tmp_path / "full" / "file", "already exists"),
        ("s3://bucket/seen", "a folder of this machine"),
        ("ftp://host/seen", "scheme"),
    ):
        with pytest.raises(RunError, match=message):
            lookalike.Index.create(path)
    for path in (tmp_path / "none", tmp_path / "full"):
        with pytest.raises(RunError, match="there is no index; lookalike.Index.create") as caught:
            lookalike.Index(path)
        assert caught.value.where == str(path)
    for wrong in ("", None, 5, b"x"):
        with pytest.raises(OptionError, match="path"):
            lookalike.Index(wrong)
    with pytest.raises(OptionError, match="mode='a' is not allowed"):
        lookalike.Index(tmp_path / "empty", "a")


@pytest.mark.parametrize("memory", [1, "63M", "much", -1])
def test_memory_that_is_refused(folder: Path, memory: Any) -> None:
    lookalike.Index.create(folder).close()
    with pytest.raises(OptionError) as caught:
        lookalike.Index(folder, memory=memory)
    assert caught.value.option == "memory"


@pytest.mark.parametrize("memory", [64 << 20, "128M", None])
def test_memory_changes_no_answer(folder: Path, memory: Any) -> None:
    with lookalike.Index.create(folder) as index:
        index.add([(f"d{i}", words(i)) for i in range(300)])
    with lookalike.Index(folder, memory=memory) as index:
        assert [match.id for match in index.query(words(7)).matches][:1] == ["d7"]
        assert len(index) == 300


def test_an_index_of_a_later_version(folder: Path) -> None:
    lookalike.Index.create(folder).close()
    (folder / "format").write_text("lookalike index 99\n")
    with pytest.raises(RunError, match="format 99"):
        lookalike.Index(folder)


def test_a_closed_index_refuses_everything(folder: Path, tmp_path: Path) -> None:
    with lookalike.Index.create(folder) as index:
        index.add([(f"d{i}", words(i)) for i in range(600)])
        documents = iter(index)
        next(documents)
        assert not index.closed and "mode 'w'>" in repr(index)
    assert index.closed and "mode 'w', closed>" in repr(index)
    index.close()
    for call in (
        lambda: index.add({"a": FOX}), lambda: index.remove(["a"]), lambda: index.query(FOX),
        lambda: index.query(id="a"), lambda: index.query_many([FOX]), lambda: index.get("a"),
        lambda: "a" in index, lambda: len(index), lambda: list(index), index.stats, index.check,
        index.compact, lambda: index.backup(tmp_path / "copy"), lambda: index.merge(folder),
        lambda: list(documents),
    ):  # fmt: skip
        with pytest.raises(RunError, match="the index is closed"):
            call()
    lookalike.Index(folder, "w").close()
    assert not (folder / "holder.json").exists()


def test_an_index_that_is_forgotten_is_closed(folder: Path) -> None:
    index = lookalike.Index.create(folder)
    del index
    gc.collect()
    lookalike.Index(folder, "w").close()
    with pytest.raises(ZeroDivisionError), lookalike.Index(folder, "w"):
        raise ZeroDivisionError
    lookalike.Index(folder, "w").close()


def test_a_reader_does_not_write_and_sees_the_state_of_its_opening(folder: Path) -> None:
    with lookalike.Index.create(folder) as writer:
        writer.add({"a": FOX})
        with lookalike.Index(folder) as reader:
            writer.add({"b": ROSE})
            assert len(reader) == 1 and len(writer) == 2
            assert ids(reader.query(FOX)) == ["a"] and ids(reader.query(ROSE)) == []
            for call in (
                lambda: reader.add({"c": DAISY}), lambda: reader.remove(["a"]), reader.compact,
                lambda: reader.merge(writer),
            ):  # fmt: skip
                with pytest.raises(RunError, match="open it with mode='w'"):
                    call()
        with lookalike.Index(folder) as reader:
            assert len(reader) == 2


WRITER = """
import sys, lookalike
with lookalike.Index(sys.argv[1], "w") as index:
    index.add({"child": "one two three four five six"})
    print("open", flush=True)
    sys.stdin.readline()
"""


def test_one_process_writes_at_a_time(folder: Path, tmp_path: Path) -> None:
    lookalike.Index.create(folder).close()
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert child.stdout and child.stdout.readline() == "open\n"
        with pytest.raises(RunError, match=f"process {child.pid} on .* writes") as caught:
            lookalike.Index(folder, "w")
        assert caught.value.where == str(folder) and caught.value.code == "usage"
        with lookalike.Index(folder) as reader:
            assert "child" in reader
        child.communicate("\n", timeout=60)
    finally:
        child.kill()
        child.communicate()
    with lookalike.Index(folder, "w") as index:
        with pytest.raises(RunError, match="writes"):
            lookalike.Index(folder, "w")
        assert len(index) == 1
    kill = WRITER.replace("sys.stdin.readline()", "import os; os.kill(os.getpid(), 9)")
    done = subprocess.run([sys.executable, "-c", kill.replace("child", "killed"), str(folder)],
                          capture_output=True, check=False, timeout=60)  # fmt: skip
    assert done.returncode == -9
    with lookalike.Index(folder, "w") as index:
        assert "killed" in index
        index.check()


def test_an_open_index_ends_with_its_process(folder: Path) -> None:
    program = (
        "import sys, lookalike\n"
        "index = lookalike.Index.create(sys.argv[1])\n"
        "index.add({str(i): f'one two three four five {i}' for i in range(1000)})\n"
        "documents = iter(index)\n"
        "next(documents)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert not (folder / "holder.json").exists()


def ask_in_child(index: Any) -> str:
    try:
        return f"answered {len(index)}"
    except RunError as error:
        index.close()
        return str(error)


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_opens_an_index_of_its_own(index: Any) -> None:
    index.add({"a": FOX})
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(False)

    def child() -> None:
        sender.send(ask_in_child(index))
        with lookalike.Index(index.path) as own:
            sender.send(f"own {len(own)}")

    process = context.Process(target=child)
    process.start()
    assert receiver.poll(60) and "open it again" in receiver.recv()
    assert receiver.poll(60) and receiver.recv() == "own 1"
    process.join(60)
    assert process.exitcode == 0
    assert (index.path / "holder.json").exists() and index.add({"b": ROSE}).added == 1


# Threads.


def test_threads_query_while_another_adds(index: Any) -> None:
    index.add((f"d{i}", words(i)) for i in range(100))
    over = threading.Event()

    def ask(first: int) -> int:
        asked = 0
        while not over.is_set() or not asked:
            i = (first + asked) % 100
            assert f"d{i}" in ids(index.query(near(i)))
            assert sum(1 for _ in index) >= 100
            asked += 1
        return asked

    with ThreadPoolExecutor(4) as pool:
        askers = [pool.submit(ask, first) for first in (0, 30, 60)]
        try:
            for i in range(100, 200, 10):
                index.add([(f"d{j}", words(j)) for j in range(i, i + 10)])
                index.remove([f"d{i}"])
        finally:
            over.set()
        assert all(asker.result(timeout=60) > 0 for asker in askers)
    assert len(index) == 190
    index.check()


def test_close_waits_for_other_threads(folder: Path) -> None:
    index = lookalike.Index.create(folder)
    index.add((f"d{i}", words(i)) for i in range(300))
    begun = threading.Barrier(4)

    def ask() -> str:
        begun.wait()
        try:
            while True:
                index.query_many([near(i) for i in range(20)])
                list(index)
        except RunError as error:
            return str(error)

    with ThreadPoolExecutor(3) as pool:
        askers = [pool.submit(ask) for _ in range(3)]
        begun.wait()
        index.close()
        assert {asker.result(timeout=60) for asker in askers} == {"the index is closed"}
    lookalike.Index(folder, "w").close()


# The command.


def test_the_command_answers_the_same(index: Any, command: Any, tmp_path: Path) -> None:
    for i in range(40):
        index.add([(f"a{i}", words(i), f"meta {i}"), (f"b{i}", near(i))])
    folder = index.path

    def ask(*arguments: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "lookalike._command", "index", "query", str(folder),
             *arguments, "--json"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def shown(answer: Any) -> dict[str, Any]:
        matches = [
            {"id": match.id, "resemblance": match.resemblance, "exact": match.exact}
            | ({"metadata": match.metadata} if match.metadata else {})
            for match in answer.matches
        ]
        return {"matches": matches, "truncated": answer.truncated, "candidates": answer.candidates}

    for i in (0, 7, 39):
        assert ask("--text", near(i)) == shown(index.query(near(i)))
        assert ask("--id", f"a{i}") == shown(index.query(id=f"a{i}"))
    assert ask("--text", DAISY) == shown(index.query(DAISY))
    low = ("--threshold", "0.1", "--exhaustive", "--top", "3", "--limit", "2")
    assert ask("--text", words(3), *low) == shown(
        index.query(words(3), threshold=0.1, exhaustive=True, top=3, limit=2)
    )
    index.close()
    lines = tmp_path / "more.jsonl"
    lines.write_text(json.dumps({"id": "c", "text": FOX}) + "\n")
    assert command("index", "add", folder, lines).returncode == 0
    with lookalike.Index(folder) as again:
        assert ids(again.query(FOX)) == ["c"] and len(again) == 81
        stats = json.loads(command("index", "stats", folder, "--json").stdout)
        found = again.stats()
        assert (stats["documents"], stats["keys"]) == (found.documents, found.keys)


def test_an_index_of_the_command(folder: Path, command: Any, lines: Any) -> None:
    done = command("index", "create", folder, "--keep", "text", "--shingle", "word:3")
    assert done.returncode == 0, done.stderr
    path = lines("in.jsonl", [{"id": "fox", "text": FOX}, {"text": ROSE}])
    assert command("index", "add", folder, path).returncode == 0
    with lookalike.Index(folder, "w") as index:
        assert index.keep == "text" and index.options["shingle"] == "word:3"
        assert index.get("fox").text == FOX
        assert index.add(path).unchanged == 2


# The package.


def test_importing_the_package_loads_no_index_and_no_database(folder: Path) -> None:
    program = (
        "import sys, lookalike\n"
        "def maps():\n"
        "    return open('/proc/self/maps').read()\n"
        "assert 'lookalike._index' not in sys.modules and 'Index' in dir(lookalike)\n"
        "index = lookalike.Index\n"
        "assert 'lookalike._index' in sys.modules and lookalike.Index is index\n"
        "assert 'rocksdb' not in maps()\n"
        "index.create(sys.argv[1]).close()\n"
        "assert 'rocksdb' in maps()\n"
        "from lookalike import *\n"
        "assert IndexAnswer.__name__ == 'IndexAnswer'\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(AttributeError, match="has no attribute 'Indexx'"):
        lookalike.Indexx  # noqa: B018


def test_clusters_keep_their_names_and_changes_replay_to_them(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(60)]
    with lookalike.Index.create(tmp_path / "ix", threshold=0.6) as index:
        index.add([("a", " ".join(words)), ("other", " ".join(reversed(words)))])
        index.add([("b", " ".join([*words, "more"]))])
        (before,) = index.clusters().items()
        assert before[1] == ["a", "b"]
        index.add([("c", " ".join(["less", *words[3:]]))])
        assert index.clusters() == {before[0]: ["a", "b", "c"]}
        assert index.clusters(threshold=0.95) == {f"{before[0]}/1": ["a", "b"]} or index.clusters(
            threshold=0.95
        ) == {f"{before[0]}/2": ["a", "b"]}
        changes = list(index.changes())
        assert [each["change"] for each in changes] == ["added", "added", "joined", "joined"]
        assert list(index.changes(since=3)) == changes[3:]
        with pytest.raises(lookalike.OptionError, match="higher one only"):
            index.clusters(threshold=0.5)
    with (
        lookalike.Index.create(tmp_path / "off", clusters=False) as index,
        pytest.raises(lookalike.RunError, match="without clusters"),
    ):
        index.clusters()


def test_load_adds_tables_and_files(tmp_path: Path) -> None:
    pages = pa.table({"id": ["a", "b"], "text": ["one two three", "four five six"]})
    (tmp_path / "more.jsonl").write_text('{"id": "c", "text": "seven eight"}\n{"id": "d"}\n')
    with lookalike.Index.create(tmp_path / "seen") as index:
        assert index.load(pages) == (2, 0, 0, 0, 0)
        assert index.load(pages).unchanged == 2
        done = index.load(tmp_path / "more.jsonl", unless_similar=0.9)
        assert (done.added, done.rejected) == (1, 1)
        assert {one.id for one in index} == {"a", "b", "c"}
    with lookalike.Index(tmp_path / "seen") as reader, pytest.raises(lookalike.RunError):
        reader.load(pages)


def test_a_snapshot_stays_as_it_was(tmp_path: Path) -> None:
    with lookalike.Index.create(tmp_path / "seen") as index:
        index.add([("a", "one two three four five six"), ("b", "seven eight nine ten")])
        with index.snapshot() as before:
            index.remove(["a"])
            index.add([("b", "another text")])
            assert [one.id for one in before] == ["a", "b"]
            assert before.query("one two three four five six").matches[0].id == "a"
            assert index.query("one two three four five six").matches == []
            with pytest.raises(lookalike.RunError, match="mode='w'"):
                before.add([("c", "text")])
            with pytest.raises(lookalike.RunError, match="snapshot"):
                before.check()
        index.compact()
        assert len(index) == 1
