"""What `data` may be: it is read as what it is, without a copy, or refused with what to do."""

from __future__ import annotations

import gc
import gzip
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from python_texts import LONG, TEXTS

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.ipc")
pq = pytest.importorskip("pyarrow.parquet")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
pytestmark = pytest.mark.filterwarnings("error::ResourceWarning")

TABLE = pa.table({"text": TEXTS, "n": [1, 2, 3]})


class Stream:
    """Only the PyCapsule interface for streams."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._data.__arrow_c_stream__(requested_schema)


class Array:
    """Only the PyCapsule interface for one array."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self._data.__arrow_c_array__(requested_schema)


def kept_rows(data: Any, **options: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = lookalike.dedup(data, **options).kept.to_pylist()
    return rows


def kept_numbers(data: Any, **options: Any) -> list[int]:
    return [row["n"] for row in kept_rows(data, **options)]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_every_kind_of_text_column(kind: pa.DataType) -> None:
    plain = pa.array(TEXTS)
    texts = plain.dictionary_encode() if pa.types.is_dictionary(kind) else plain
    table = pa.table({"text": texts.cast(kind), "n": [1, 2, 3]})
    kept = lookalike.dedup(table).kept
    assert kept["n"].to_pylist() == [1, 2]
    assert kept.schema.field("text").type == kind


def test_chunks_and_slices() -> None:
    chunked = pa.table({"text": pa.chunked_array([TEXTS[:1], [], TEXTS[1:]]), "n": [1, 2, 3]})
    assert kept_numbers(chunked) == [1, 2]
    assert kept_numbers(TABLE.slice(1)) == [2, 3]
    assert kept_numbers(TABLE.slice(2, 1)) == [3]


def of_two_dictionaries(index: pa.DataType = pa.int32()) -> pa.Table:  # noqa: B008
    """Chunks whose dictionaries differ, at the top and within lists and structs."""
    chunks = []
    for first in range(0, 300, 100):
        words = [f"w{first + i}" for i in range(100)]
        texts = [f"{first + i} {words[i]}" if i % 50 else LONG for i in range(100)]
        kind = pa.array(words).dictionary_encode().cast(pa.dictionary(index, pa.string()))
        lists = pa.ListArray.from_arrays(list(range(101)), pa.array(words).dictionary_encode())
        rows = pa.StructArray.from_arrays([pa.array(words).dictionary_encode()], ["word"])
        encoded = pa.array(texts).dictionary_encode()
        chunks.append(pa.table({"text": encoded, "kind": kind, "lists": lists, "rows": rows}))
    return pa.concat_tables(chunks)


@pytest.mark.parametrize("form", ["table", "stream", "reader", "parquet", "arrow stream"])
@pytest.mark.parametrize("output", ["copies", "annotated"])
def test_chunks_with_dictionaries_of_their_own(tmp_path: Path, form: str, output: str) -> None:
    table = of_two_dictionaries()
    data: Any = {"table": table, "stream": Stream(table), "reader": table.to_reader()}.get(form)
    if form == "parquet":
        data = tmp_path / "in.parquet"
        pq.write_table(table, data, row_group_size=100)
    elif form == "arrow stream":
        data = tmp_path / "in.arrows"
        with pa.ipc.new_stream(data, table.schema) as writer:
            writer.write_table(table)
    result = lookalike.dedup(data, output=output, save_to=tmp_path / "out", threshold=0.9)
    kept = result.kept.select(table.column_names)
    whole = table.to_pylist()
    removed = {row - 1 for row in result.removed["row"].to_pylist()}
    assert 0 < len(removed) < len(whole)
    if output == "copies":
        whole = [row for i, row in enumerate(whole) if i not in removed]
    assert kept.to_pylist() == whole
    assert kept.schema.equals(table.schema) or form == "parquet"
    batches = [batch.to_pylist() for batch in result.kept_batches()]
    assert sum(map(len, batches)) == len(whole)


def test_indices_become_wider_where_they_must() -> None:
    table = of_two_dictionaries(pa.int8())
    kept = lookalike.dedup(table).kept
    assert kept.schema.field("kind").type == pa.dictionary(pa.int16(), pa.string())
    assert set(kept["kind"].to_pylist()) <= set(table["kind"].to_pylist())


def test_the_only_column_of_strings_is_not_guessed() -> None:
    table = pa.table({"lang": ["en", "en"], "messages": [[{"content": "a"}], [{"content": "b"}]]})
    for text in ("text", None):
        with pytest.raises(lookalike.LookalikeError, match=r"lang \(string\)"):
            lookalike.dedup(table, text=text)
    found = lookalike.pairs(pa.table({"Body": TEXTS, "lang": ["en"] * 3}), text=None)
    assert found.summary["fields"] == {"text": "Body", "id": None}


def test_kept_rows_of_arrays_and_of_tables_are_read_back(tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": f"{i} {LONG}" if i else 'a "quote"\nand more'} for i in range(3)]
    (tmp_path / "a.json").write_text(json.dumps(rows, indent=1))
    (tmp_path / "none.json").write_text("[]")
    (tmp_path / "b.csv").write_text('id;text\n0;"a ""quote""\nand more"\n1;x, y\n')
    (tmp_path / "c.tsv").write_text('id\ttext\n0\t"never," he said\n1\t"two\nlines"\n2\t"open\n')
    (tmp_path / "d.csv").write_text("id:text\n0:a, b\n")

    def kept(name: str, **options: Any) -> list[dict[str, Any]]:
        result = lookalike.dedup(tmp_path / name, threshold=1, **options)
        assert sum(batch.num_rows for batch in result.kept_batches()) == result.kept.num_rows
        return list(result.kept.to_pylist())

    assert kept("a.json") == rows
    assert kept("none.json") == []
    assert kept("b.csv") == [rows[0], {"id": "1", "text": "x, y"}]
    texts = ['"never," he said', "two\nlines", '"open']
    assert kept("c.tsv") == [{"id": str(i), "text": text} for i, text in enumerate(texts)]
    assert kept("d.csv", delimiter=":") == [{"id": "0", "text": "a, b"}]


def test_null_texts_are_kept_and_counted() -> None:
    result = lookalike.dedup(pa.table({"text": [LONG, None, None, LONG], "n": [1, 2, 3, 4]}))
    assert result.kept["n"].to_pylist() == [1, 2, 3]
    assert result.manifest["notes"]["null_text"] == 2
    assert lookalike.dedup(pa.table({"text": pa.nulls(2)})).kept.num_rows == 2


def test_nested_texts() -> None:
    body = [{"text": LONG}, None, {"text": None}, {"text": LONG}]
    table = pa.table({"body": body, "n": [1, 2, 3, 4]})
    assert kept_numbers(table, text="body.text") == [1, 2, 3]
    assert kept_numbers(pa.table({"body.text": TEXTS, "n": [1, 2, 3]}), text="body.text") == [1, 2]


def test_ids_are_read_from_their_column() -> None:
    table = pa.table({"text": TEXTS, "id": ["a", "b", "c"], "other": [7, 8, 9]})
    assert lookalike.dedup(table).removed["id"].to_pylist() == ["c"]
    assert lookalike.dedup(table, id="other").removed["id"].to_pylist() == [9]


def test_no_rows() -> None:
    empty = TABLE.schema.empty_table()
    for data in (empty, empty.to_reader(), Stream(empty)):
        kept = lookalike.dedup(data).kept
        assert kept.num_rows == 0
        assert kept.schema.names == ["text", "n"]


@pytest.mark.parametrize("data", [pa.table({}), TABLE.select([]), Stream(pa.table({}))])
def test_no_columns(data: Any) -> None:
    with pytest.raises(lookalike.DataError, match="has no columns"):
        lookalike.dedup(data)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TABLE.combine_chunks().to_batches()[0],
        TABLE.to_reader,
        lambda: Stream(TABLE),
        lambda: Array(TABLE.to_batches()[0]),
        lambda: pa.array(TABLE.to_pylist()),
        lambda: pa.RecordBatchReader.from_stream(Stream(TABLE)),
    ],
    ids=["batch", "reader", "stream", "array", "structs", "reader of stream"],
)
def test_objects_of_arrow(make: Any) -> None:
    assert kept_numbers(make()) == [1, 2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x.jsonl", "decode a path"),
        (bytearray(b"x"), "decode a path"),
        (None, "NoneType, expected paths, or Arrow data"),
        (3, "int, expected paths, or Arrow data"),
        (LONG, r'is a text and not a path.*pyarrow\.table\(\{"text": texts\}\)'),
        (["short text", "another"], r"none of them is the path of a file.*pyarrow\.table"),
        ((text for text in ("short text", "another")), "none of them is the path of a file"),
        ([LONG, "known.jsonl"], "is a text and not a path"),
        (["a.jsonl", None], "an item that is None, expected paths"),
        ("a\0b", "is a text and not a path"),
        ("x" * 5000, "is a text and not a path"),
        ("", "an empty path"),
        ([], "no input given"),
        ("a\udcff.jsonl", "not UTF-8"),
        ({"text": TEXTS, "n": [1]}, "cannot be converted to a table"),
        ({"text": LONG}, "column 'text' of data cannot be converted to Arrow"),
        ({}, "no columns"),
        ([{"text": LONG}, {"text": 5}], "column 'text' of data cannot be converted to Arrow"),
        ([TABLE, TABLE.select(["n"])], "do not make one table"),
        ([TABLE, "x.jsonl"], "a list of Table, str, expected a list of a single kind"),
        (["x.jsonl", 1], "a list of int, str, expected a list of a single kind"),
        (pa.Table, "it is a class"),
    ],
    ids=lambda value: re.sub(r"\W+", " ", str(value))[:30],
)
def test_other_things_are_refused_with_what_to_do(data: Any, message: str) -> None:
    # That no path is given is known to the engine alone.
    kind = lookalike.RunError if isinstance(data, list) and not data else lookalike.DataError
    with pytest.raises(kind, match=message):
        lookalike.dedup(data)


def test_texts_that_a_message_quotes_are_shortened() -> None:
    with pytest.raises(lookalike.DataError) as caught:
        lookalike.dedup("many words " * 100_000)
    assert len(str(caught.value)) < 300


# Things of Python and NumPy that have one meaning.


def columns_of_texts() -> dict[str, Any]:
    numpy = pytest.importorskip("numpy")
    return {
        "list": TEXTS,
        "tuple": tuple(TEXTS),
        "generator": (text for text in TEXTS),
        "array": pa.array(TEXTS),
        "chunks": pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
        "capsule of an array": Array(pa.array(TEXTS)),
        "capsule of a stream": Stream(pa.chunked_array([TEXTS])),
        "numpy texts": numpy.array(TEXTS),
        "numpy objects": numpy.array(TEXTS, dtype=object),
        "numpy strings": numpy.array(TEXTS, dtype=numpy.dtypes.StringDType()),
    }


@pytest.mark.parametrize("kind", columns_of_texts())
def test_columns_of_texts(kind: str) -> None:
    """They are named as the column that is asked for."""
    assert kept_rows(columns_of_texts()[kind]) == [{"text": text} for text in TEXTS[:2]]
    kept = lookalike.dedup(columns_of_texts()[kind], text="body").kept
    assert kept.column_names == ["body"]
    found = lookalike.pairs(columns_of_texts()[kind], against=columns_of_texts()["list"])
    assert len(found) == 5


def test_lists_of_texts_with_gaps_and_odd_ones() -> None:
    assert len(kept_rows([LONG, None, "", LONG + "!", "short"])) == 4
    assert len(kept_rows([LONG + " \ud800", LONG, "x\0y", LONG])) == 2
    assert len(kept_rows(["one line\nand another", "x", "one line\nand another"])) == 2


def test_a_list_of_names_is_never_taken_for_texts(lines: Any, tmp_path: Path) -> None:
    lines("in.jsonl", [{"text": text} for text in TEXTS])
    long = "a name of a file that has very many words in it.jsonl"
    with pytest.raises(lookalike.LookalikeError):
        lookalike.dedup([str(tmp_path / "in.jsonl"), long])
    with pytest.raises(lookalike.RunError, match="missing.jsonl"):
        lookalike.dedup(["missing.jsonl"])
    with pytest.raises(lookalike.DataError, match="is a text and not a path"):
        lookalike.dedup([LONG, "s3://bucket/in.jsonl"])


def test_lists_of_rows() -> None:
    rows = [{"text": text, "n": i + 1} for i, text in enumerate(TEXTS)]
    assert kept_numbers(rows) == kept_numbers(iter(rows)) == kept_numbers(tuple(rows)) == [1, 2]
    ragged = [{"n": 1}, {"text": LONG, "more": True}, {"text": LONG}]
    kept = lookalike.dedup(ragged).kept
    assert kept.column_names == ["n", "text", "more"]
    assert kept.num_rows == 2
    assert kept_numbers({"text": TEXTS, "n": [1, 2, 3]}) == [1, 2]


def test_lists_of_batches_and_tables() -> None:
    batches = TABLE.to_batches(max_chunksize=1)
    assert kept_numbers(batches) == kept_numbers(iter(batches)) == [1, 2]
    assert kept_numbers([TABLE, TABLE]) == [1, 2]


def test_arrow_data_sets(tmp_path: Path) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    for i in range(3):
        pa.parquet.write_table(TABLE.slice(i, 1), tmp_path / f"{i}.parquet")
    whole = dataset.dataset(tmp_path)
    assert kept_numbers(whole) == [1, 2]
    assert kept_numbers(whole.filter(dataset.field("n") > 1)) == [2, 3]
    assert kept_numbers(whole.scanner(filter=dataset.field("n") != 2)) == [1]
    assert kept_numbers(dataset.dataset(TABLE)) == [1, 2]


def test_points_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    points = numpy.array([[0.0, 0.0], [3.0, 4.0], [9.0, 4.0]])
    for data in (points, points.tolist(), points.astype("float32")):
        found = lookalike.nearest(data, distance="l2", top=1).to_arrow()
        assert found["distance"].to_pylist() == [5.0, 5.0, 6.0]
    with pytest.raises(lookalike.DataError, match="3 dimensions"):
        lookalike.dedup(points.reshape(1, 3, 2))
    with pytest.raises(lookalike.DataError, match="holds bytes"):
        lookalike.dedup(numpy.array([b"x"]))


def test_open_files(lines: Any, tmp_path: Path) -> None:
    rows = [{"text": text, "n": i + 1} for i, text in enumerate(TEXTS)]
    path = lines("in.jsonl", rows)
    packed = tmp_path / "in.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    pa.parquet.write_table(TABLE, tmp_path / "in.parquet")
    for opened in (
        path.open("rb"), path.open(encoding="utf-8"),
        gzip.open(packed),  # noqa: SIM115 - closed below
        packed.open("rb"),
        (tmp_path / "in.parquet").open("rb"), io.BytesIO(path.read_bytes()),
        io.StringIO(path.read_text()), pa.OSFile(str(path)),
    ):  # fmt: skip
        with opened as file:
            result = lookalike.dedup(file)
        assert [row["n"] for row in result.kept.to_pylist()] == [1, 2]
    with path.open("rb") as file:
        file.readline()
        assert kept_numbers(file) == [2, 3]  # from where it stands
    with pytest.raises(lookalike.DataError, match="cannot be read: .*closed file"):
        lookalike.dedup(file)
    with (tmp_path / "new").open("w") as writing, pytest.raises(lookalike.DataError):
        lookalike.dedup(writing)
    with path.open("rb") as file, path.open("rb") as other:
        assert kept_rows(file, against=lines("other.jsonl", [{"text": LONG}])) == [rows[1]]
        assert kept_rows(TABLE, against=other) == []


def test_several_text_columns_are_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(lookalike.OptionError, match=r"text= is given 2 times, expected once"):
        lookalike.sketch(TABLE, save_to=tmp_path / "s.sketches", text=["text", "n"])


def test_documents_are_compared_by_several_columns() -> None:
    rows = pa.table(
        {
            "id": ["a", "b", "c", "d"],
            "name": ["Oak chair", "Oak bench", "Oak chair", "Oak chair"],
            "body": [LONG, LONG, LONG, LONG + " and more"],
        }
    )
    columns = ["name", "body"]
    by_column = {"name": 1, "body": 0.6}
    found = lookalike.dedup(rows, text=columns, threshold=by_column)
    assert found.kept["id"].to_pylist() == ["a", "b"]
    assert lookalike.dedup(rows, text=columns, threshold=1).kept.num_rows == 3
    pairs = lookalike.pairs(rows, text=columns, threshold="name=1,body=0.6").to_arrow()
    assert pairs.num_rows == 3
    with pytest.raises(lookalike.OptionError, match="no number for the text field"):
        lookalike.dedup(rows, text=columns, threshold={"name": 1})


def test_documents_may_be_alike_in_any_column() -> None:
    other = " ".join(f"another{i}" for i in range(40))
    rows = pa.table(
        {
            "id": ["a", "b", "c", "d"],
            "name": ["Oak chair", "Oak bench", "Oak chair", None],
            "body": [LONG, LONG, other, other],
        }
    )
    columns = ["name", "body"]
    assert lookalike.dedup(rows, text=columns).kept["id"].to_pylist() == ["a", "b", "c", "d"]
    found = lookalike.dedup(rows, text=columns, fields="any")
    assert found.kept["id"].to_pylist() == ["a", "d"]
    assert found.removed.select(["id", "duplicate_of", "scores"]).to_pylist() == [
        {"id": "b", "duplicate_of": "a", "scores": {"name": 0.0, "body": 1.0}},
        {"id": "c", "duplicate_of": "a", "scores": {"name": 1.0, "body": 0.0}},
    ]
    pairs = lookalike.pairs(rows, text=columns, fields="any").to_arrow()
    assert pairs["scores"].to_pylist() == [
        {"name": 0.0, "body": 1.0},
        {"name": 1.0, "body": 0.0},
        {"name": 0.0, "body": 1.0},
    ]
    with pytest.raises(lookalike.OptionError, match="several"):
        lookalike.dedup(rows, text="name", fields="any")


def test_scores_are_read_from_a_folder(lines: Any, tmp_path: Path) -> None:
    lines("in.jsonl", [{"a,b": LONG, "c": LONG}, {"a,b": LONG, "c": LONG + " more"}])
    columns = ["a,b", "c"]
    found = lookalike.dedup(
        tmp_path / "in.jsonl", text=columns, threshold=0.5, save_to=tmp_path / "out"
    )
    (row,) = found.removed["scores"].to_pylist()
    assert list(row) == columns
    assert row["a,b"] == 1.0
    assert 0.5 < row["c"] < 1


def test_decisions_of_people_are_replayed(tmp_path: Path) -> None:
    rows = pa.table({"id": ["a", "b", "c"], "text": [LONG, LONG + " more", LONG + " less"]})
    own = tmp_path / "own.jsonl"
    own.write_text(
        '{"number": 1, "decision": "keep", "cluster": 1, '
        '"documents": [{"id": "b", "source": "data.arrow", "row": 2}]}\n'
    )
    assert lookalike.dedup(rows, threshold=0.5).kept["id"].to_pylist() == ["a"]
    found = lookalike.dedup(rows, threshold=0.5, decisions=own)
    assert found.kept["id"].to_pylist() == ["b"]
    assert found.removed["duplicate_of"].to_pylist() == ["b", "b"]
    assert found.manifest["decisions"]["count"] == 1


def test_the_order_of_a_folder_plays_no_part(lines: Any, tmp_path: Path) -> None:
    """`keep first` goes by the order of the inputs, and Path.glob gives any order."""
    for name in ("b", "a", "d/c", "d-c", "e"):
        lines(f"{name}.jsonl", [{"text": LONG, "n": name}])
    pattern = lookalike.dedup(str(tmp_path / "**" / "*.jsonl")).kept["n"].to_pylist()
    paths = sorted(tmp_path.rglob("*.jsonl"), key=lambda path: path.stat().st_ino)
    for some in (iter(paths), iter(paths[::-1]), (str(path) for path in paths[::-1])):
        assert lookalike.dedup(some).kept["n"].to_pylist() == pattern == ["a"]
    assert lookalike.dedup(set(paths)).kept["n"].to_pylist() == pattern
    # A list of paths keeps its order.
    listed = lookalike.dedup([tmp_path / "e.jsonl", tmp_path / "a.jsonl"])
    assert listed.kept["n"].to_pylist() == ["e"]


@pytest.mark.parametrize("kind", [pa.bool_(), pa.int64()], ids=str)
def test_a_column_of_other_values_is_an_error_in_words_of_python(kind: pa.DataType) -> None:
    with pytest.raises(lookalike.RunError, match=f'"x" has the type {kind}.*with text='):
        lookalike.dedup(pa.table({"x": pa.array([], kind)}), text="x")


def test_an_exception_of_a_stream_reaches_the_caller(tmp_path: Path) -> None:
    def batches() -> Any:
        yield TABLE.to_batches()[0]
        raise KeyError("inner")

    with pytest.raises(KeyError, match="inner"):
        lookalike.dedup(
            pa.RecordBatchReader.from_batches(TABLE.schema, batches()), save_to=tmp_path / "out"
        )
    assert list(tmp_path.iterdir()) == []


def test_paths_of_all_kinds(lines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"text": text, "n": i + 1} for i, text in enumerate(TEXTS)]
    a, b = lines("in/a.jsonl", rows[:2]), lines("in/b.jsonl", rows[2:])
    monkeypatch.chdir(tmp_path)
    for data in (
        [str(a), b], (a, b), "in", Path("in"), "in/*.jsonl", {a, b}, Path("in").glob("*"),
        frozenset(["in/a.jsonl", "in/b.jsonl"]), sorted(Path("in").iterdir()),
    ):  # fmt: skip
        assert sorted(kept_numbers(data)) in ([1, 2], [2, 3]), data
    assert kept_numbers(a) == kept_numbers(str(a)) == [1, 2]


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(lookalike.RunError, match="no such file or folder") as caught:
        lookalike.dedup(tmp_path / "nope.jsonl")
    assert caught.value.where == str(tmp_path / "nope.jsonl")


def test_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    for name in (b"b\xff.jsonl", b"b\xfe.jsonl"):
        with open(os.fsencode(tmp_path) + b"/" + name, "wb") as file:
            file.write(b'{"text": "%d words and more"}\n' % name[1])
    os.rename(os.fsencode(tmp_path) + b"/b\xfe.jsonl", os.fsencode(tmp_path) + b"/c\n#%20.jsonl")
    result = lookalike.dedup(tmp_path)
    assert sorted(row["text"] for row in result.kept.to_pylist()) == [
        "254 words and more", "255 words and more",
    ]  # fmt: skip
    assert len(result.kept_files) == 2


# Zero copy and bounded memory.


def test_a_table_is_not_copied() -> None:
    from lookalike import _core

    big = pa.table({"text": pa.array(["word " * 200] * 50_000)})
    before = pa.total_allocated_bytes()
    imported = _core.import_table(big)
    assert imported.rows == 50_000
    assert pa.total_allocated_bytes() - before < big.nbytes / 100
    del imported
    gc.collect()
    assert pa.total_allocated_bytes() <= before


STREAM = """
import sys, pyarrow as pa, lookalike
text = " ".join(f"w{i}" for i in range(400))
def batches():
    for i in range(int(sys.argv[1])):
        texts = [f"{i}x{j} " + " ".join(f"{i}y{j}z{k}" for k in range(8)) + "-" * 3000
                 for j in range(1000)]
        yield pa.record_batch({"text": texts})
schema = pa.schema([("text", pa.string())])
lookalike.dedup(pa.table({"text": [text, text]}), memory="64M", audit_documents=0)
reader = pa.RecordBatchReader.from_batches(schema, batches())
result = lookalike.dedup(reader, memory="64M", method="lsh", audit_documents=0, threads=2)
rows = sum(batch.num_rows for batch in result.kept_batches())
anonymous = [line for line in open("/proc/self/status") if line.startswith(("RssAnon"))][0]
peak = [line for line in open("/proc/self/status") if line.startswith(("VmHWM"))][0]
print(rows, anonymous.split()[1], peak.split()[1])
"""


def test_a_large_stream_is_never_in_memory(child: Any) -> None:
    small, large = child(STREAM, 10), child(STREAM, 100)
    found = []
    for process, rows in ((small, 10_000), (large, 100_000)):
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert int(out.split()[0]) == rows
        found.append(int(out.split()[1]) * 1024)
    assert found[1] - found[0] < 100e6  # of 300 MB of texts


# Libraries that speak Arrow.


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": TEXTS, "n": [1, 2, 3]})
    assert kept_numbers(frame) == kept_numbers(frame.lazy()) == [1, 2]
    assert kept_numbers(frame.with_columns(polars.col("text").cast(polars.Categorical))) == [1, 2]
    assert kept_rows(frame.clear()) == []
    assert kept_rows(frame["text"]) == [{"text": text} for text in TEXTS[:2]]
    with pytest.raises(lookalike.DataError, match="no columns"):
        lookalike.dedup(polars.DataFrame())
    with pytest.raises(polars.exceptions.ColumnNotFoundError):
        lookalike.dedup(frame.lazy().select("nope"))


@pytest.mark.parametrize("kind", ["object", "string[pyarrow]", "category", None])
def test_pandas(kind: str | None) -> None:
    pandas = pytest.importorskip("pandas")
    texts = pandas.Series(TEXTS, dtype=kind)
    assert kept_numbers(pandas.DataFrame({"text": texts, "n": [1, 2, 3]})) == [1, 2]


def test_pandas_indexes_and_names() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": TEXTS, "n": [1, 2, 3]}, index=["x", "y", "z"])
    kept = lookalike.dedup(frame).kept
    assert kept.column_names == ["text", "n"]
    series = lookalike.dedup(frame["text"])
    assert list(series.to_pandas().index) == ["x", "y"]
    assert series.kept.column_names == ["text"]
    frame.index.name = "id"
    assert lookalike.dedup(frame.reset_index()).removed["id"].to_pylist() == ["z"]
    assert kept_numbers(pandas.DataFrame({0: TEXTS, "n": [1, 2, 3]}), text="0") == [1, 2]
    with_nan = pandas.DataFrame({"text": [LONG, float("nan"), None, LONG], "n": [1, 2, 3, 4]})
    assert kept_numbers(with_nan) == [1, 2, 3]


def test_pandas_that_is_no_table() -> None:
    pandas = pytest.importorskip("pandas")
    twice = pandas.DataFrame([["a", "b"]], columns=["text", "text"])
    mixed = pandas.DataFrame({"text": pandas.Series(["a", 1, None], dtype=object)})
    for data, message in (
        (twice, "Duplicate column names"),
        (mixed, "column text"),
        (pandas.Series(["a", 1], dtype=object), "data cannot be converted to a column"),
        (pandas.DataFrame(), "no columns"),
    ):
        with pytest.raises(lookalike.DataError, match=message):
            lookalike.dedup(data)


def test_rows_of_a_parquet_file_with_an_index(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": TEXTS}, index=["x", "y", "z"])
    frame.to_parquet(tmp_path / "in.parquet")
    assert list(lookalike.dedup(tmp_path / "in.parquet").to_pandas().index) == ["x", "y"]
    frame.reset_index(drop=True).to_parquet(tmp_path / "in.parquet")
    assert list(lookalike.dedup(tmp_path / "in.parquet").to_pandas()["text"]) == TEXTS[:2]


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("rows", TABLE)
    assert kept_numbers(connection.sql("select * from rows order by n")) == [1, 2]
    assert kept_numbers(connection.sql("select * from rows where n > 1 order by n desc")) == [3, 2]


def test_hugging_face_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    whole = datasets.Dataset.from_dict({"text": [*TEXTS, "last"], "n": [1, 2, 3, 4]})
    assert kept_numbers(whole) == [1, 2, 4]
    assert kept_numbers(whole.select([3, 2, 0])) == [4, 3]
    assert kept_numbers(whole.select(range(1, 3))) == [2, 3]
    assert kept_numbers(whole.filter(lambda row: row["n"] > 1)) == [2, 3, 4]
    assert kept_numbers(whole.with_format("numpy")) == [1, 2, 4]
    for nothing in (whole.select([]), whole.filter(lambda row: False)):
        assert lookalike.dedup(nothing).kept.column_names == ["text", "n"]
    whole.save_to_disk(str(tmp_path / "set"))
    mapped = datasets.load_from_disk(str(tmp_path / "set"))
    assert kept_numbers(mapped) == [1, 2, 4]
    assert kept_numbers(mapped.select([2, 1])) == [3, 2]
    assert kept_numbers(whole.to_iterable_dataset()) == [1, 2, 4]
    with pytest.raises(lookalike.DataError, match="choose one of its splits: 'train'"):
        lookalike.dedup(datasets.DatasetDict({"train": whole}))


# A second collection.


def test_against_tables_and_paths(lines: Any) -> None:
    known = lines("known.jsonl", [{"text": LONG + "?"}])
    rows = lines("rows.jsonl", [{"text": text, "n": i + 1} for i, text in enumerate(TEXTS)])
    reference = pa.table({"text": [LONG]})
    for data in (lambda: TABLE, lambda: rows, TABLE.to_reader):
        for against in (lambda: known, lambda: reference, reference.to_reader, lambda: [known]):
            assert kept_numbers(data(), against=against()) == [2]
    assert kept_rows(TABLE, against=TABLE) == []


def test_pairs_with_a_second_collection() -> None:
    found = lookalike.pairs(TABLE, against=pa.table({"text": [LONG]})).to_arrow()
    assert found.select(["a", "b"]).to_pylist() == [
        {"a": "data.arrow:1", "b": "against.arrow:1"},
        {"a": "data.arrow:3", "b": "against.arrow:1"},
    ]


@pytest.mark.parametrize("empty", [[], ()])
def test_against_nothing_is_an_error(empty: Any) -> None:
    with pytest.raises(lookalike.DataError, match="against is empty"):
        lookalike.dedup(TABLE, against=empty)


def test_messages_name_the_argument() -> None:
    with pytest.raises(lookalike.DataError, match="^against has type int"):
        lookalike.dedup(TABLE, against=3)
    with pytest.raises(lookalike.DataError, match="^against is a list of 2 strings"):
        lookalike.dedup(TABLE, against=["some text", "another"])


def test_files_that_are_named_as_tables_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("data.arrow", "against.arrow"):
        with pa.ipc.new_file(name, TABLE.schema) as writer:
            writer.write_table(TABLE)
    other = pa.table({"text": ["nothing like it"], "n": [0]})
    for data in ("against.arrow", tmp_path / "against.arrow", ["data.arrow"], "*arrow"):
        assert kept_numbers(data, against=other)[:2] == [1, 2]
    for against in ("data.arrow", tmp_path / "data.arrow", tmp_path):
        assert kept_numbers(other, against=against) == [0]
        assert kept_numbers(TABLE, against=against) == []
