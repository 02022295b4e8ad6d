"""`POST /v1/documents:batch` with a stream of Arrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from served import Answered, Served

Serve = Callable[..., Served]

KIND = "application/vnd.apache.arrow.stream"
TEXTS = ["one text of some words", "another text of other words", "ein dritter Text mit Wörtern"]


def stream(table: pa.Table, compression: str | None = None, rows: int | None = None) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table, rows)
    return bytes(sink.getvalue())


def table(**columns: Any) -> pa.Table:
    return pa.table({"id": ["a", "b", "c"], "text": TEXTS, **columns})


def add(served: Served, body: bytes) -> Answered:
    return served.ask("POST", "/v1/documents:batch", body, kind=KIND)


def replaced_dictionaries(count: int) -> bytes:
    """Returns a small stream whose dictionary of a megabyte is replaced again and again."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    texts = [pa.array([f"{i}" + "x" * (1 << 20)]).dictionary_encode() for i in range(count)]
    batches = [pa.record_batch({"id": pa.array([str(i)]), "text": t}) for i, t in enumerate(texts)]
    with pa.ipc.new_stream(sink, batches[0].schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return bytes(sink.getvalue())


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve(create=("--keep", "text"))


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_a_stream_adds_documents_in_order(served: Served, compression: str | None) -> None:
    body = stream(table(), compression, rows=2)
    added = add(served, body)
    assert added.status == 200 and added.body == {"outcomes": [{"outcome": "added"}] * 3}
    assert add(served, body).body == {"outcomes": [{"outcome": "unchanged"}] * 3}
    for name, text in zip("abc", TEXTS, strict=True):
        assert served.ask("GET", f"/v1/documents/{name}").body["text"] == text


@pytest.mark.parametrize(
    "column",
    [
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
    ],
    ids=["large", "view", "dictionary"],
)
def test_texts_may_have_any_type_of_text(served: Served, column: pa.Array) -> None:
    added = add(served, stream(pa.table({"id": [1, 2, 3], "text": column})))
    assert added.status == 200, added
    assert served.ask("GET", "/v1/documents/3").body["text"] == TEXTS[2]


def test_metadata_come_back(served: Served) -> None:
    body = stream(table(metadata=['{"n": 1}', "plain", None]))
    assert add(served, body).status == 200
    got = [served.ask("GET", f"/v1/documents/{name}").body.get("metadata") for name in "abc"]
    assert got == [{"n": 1}, "plain", None]


def test_similar_documents_are_left_out_if_asked(served: Served) -> None:
    body = stream(pa.table({"id": ["a", "b"], "text": [TEXTS[0]] * 2}))
    added = served.ask("POST", "/v1/documents:batch?unless_similar=0.9", body, kind=KIND)
    assert [each["outcome"] for each in added.body["outcomes"]] == ["added", "similar"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "the Arrow data cannot be read"),
        (b"no Arrow at all, but some bytes of text", "the Arrow data cannot be read"),
        (stream(table())[:-60], "the Arrow data cannot be read"),
        (stream(pa.table({"id": ["a"]})), "the stream needs the columns id and text"),
        (stream(pa.table({"x": ["a"]})), "the column x is not wanted"),
        (stream(table(other=[1, 2, 3])), "the column other is not wanted"),
        (
            stream(table(metadata=[{"a": 1}] * 3)),
            "the column metadata is not wanted, is there twice",
        ),
        (stream(pa.table({"id": ["a"], "text": [5]})), "text"),
        (stream(pa.table({"id": ["a", "b"], "text": ["x", None]})), "row 2 has no text"),
        (stream(pa.table({"id": [None, "b"], "text": ["x", "y"]})), "row 1 has no id"),
        (stream(pa.table({"id": [""], "text": ["x"]})), "document 0: the id has 0 bytes"),
        (stream(pa.table({"id": ["i" * 1025], "text": ["x"]})), "the id has 1025 bytes"),
        (
            stream(pa.table({"id": [f"d{i}" for i in range(10_001)], "text": ["x"] * 10_001})),
            "more than 10000 documents",
        ),
        (stream(pa.table({"id": ["a"], "text": ["x" * (65 << 20)]}), "zstd"), "bytes"),
        (stream(pa.table({"id": ["a"] * 70, "text": ["x" * (1 << 20)] * 70}), "zstd", 1), "bytes"),
        (replaced_dictionaries(70), "bytes"),
    ],
)
def test_a_stream_that_is_wrong_adds_nothing(served: Served, body: bytes, said: str) -> None:
    refused = add(served, body)
    assert refused.status == 400, refused
    assert said in refused.detail and "nothing of the batch was added" in refused.detail
    assert served.ask("GET", "/v1/stats").body["documents"] == 0


def test_damaged_streams_never_end_the_server(served: Served) -> None:
    whole = stream(table(metadata=["m", None, "n"]), "lz4")
    for place in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        assert add(served, bytes(damaged)).status in (200, 400), place
    assert served.ask("GET", "/healthz").status == 200


def test_other_endpoints_take_no_arrow(served: Served) -> None:
    assert served.ask("POST", "/v1/query", stream(table()), kind=KIND).status == 415
