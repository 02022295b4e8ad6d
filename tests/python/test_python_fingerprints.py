"""Fingerprinter and Sketch with what users hand over by mistake, and against one another."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from python_texts import LONG, TEXTS

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

WORDS = [f"w{i}" for i in range(300)]


def many_texts(count: int = 300) -> list[str]:
    chance = random.Random(7)
    return [" ".join(chance.choices(WORDS, k=chance.randint(0, 150))) for _ in range(count)]


@pytest.mark.parametrize("kind", ["fss:128", "permutations:64", "one-permutation:256"])
@pytest.mark.parametrize("shingle", ["word:5", "char:9"])
def test_rows_are_the_sketches_of_their_texts(kind: str, shingle: str) -> None:
    texts = [*many_texts(60), "", "?", "a"]
    settings = {"sketch": kind, "shingle": shingle, "seed": 11}
    fingerprinter = lookalike.Fingerprinter(design="bands:4x8", **settings)
    made = fingerprinter(texts, counts=True)
    for row, text in enumerate(texts):
        sketch = lookalike.Sketch(text, **settings)
        features = fingerprinter.features(text)
        assert lookalike.Sketch.of_coordinates(made.sketches[row], **settings) == sketch
        assert lookalike.Sketch.of_features(features, **settings) == sketch
        assert made.counts[row] == len(features)
        assert made.keys[row].any() == (not sketch.empty)


def test_estimates_are_near_the_exact_resemblance() -> None:
    chance = random.Random(3)
    for text in many_texts(40):
        words = text.split()
        changed = [word if chance.random() > 0.05 else "other" for word in words]
        exact = lookalike.resemblance(text, " ".join(changed))
        a, b = (lookalike.Sketch(" ".join(w), sketch="fss:1024") for w in (words, changed))
        assert abs(a.resemblance(b)[0] - exact) < 0.1


def test_merging_is_the_union() -> None:
    features = [lookalike.Fingerprinter().features(text) for text in TEXTS[:2]]
    merged = lookalike.Sketch(TEXTS[0]).merge(lookalike.Sketch(TEXTS[1]))
    assert merged == lookalike.Sketch.of_features(np.union1d(*features))
    assert lookalike.Sketch(TEXTS[0]) != merged


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a", LONG, None])[1:],
        pa.array(["a", LONG, None]).cast(pa.large_utf8())[1:],
        pa.array(["a", LONG, None]).cast(pa.string_view())[1:],
        pa.array(["a", LONG, None]).dictionary_encode()[1:],
        pa.chunked_array([[LONG], [], [None]], pa.utf8()),
        np.array([LONG, None], dtype=object),
    ],
    ids=["slice", "large", "view", "dictionary", "chunks", "numpy"],
)
def test_every_column_of_text_gives_the_same(column: Any) -> None:
    made = lookalike.Fingerprinter()(column, counts=True)
    expected = lookalike.Fingerprinter()([LONG, ""], counts=True)
    for ours, theirs in zip(made, expected, strict=True):
        assert (ours == theirs).all()


def test_no_rows_give_arrays_of_no_rows() -> None:
    for empty in ([], pa.array([], pa.utf8()), pa.chunked_array([], pa.utf8()), pa.array([])):
        made = lookalike.Fingerprinter()(empty, counts=True)
        assert (made.sketches.shape, made.keys.shape) == ((0, 128), (0, 32))
        assert made.counts.shape == (0,)


@pytest.mark.parametrize(
    "given",
    [
        {"a": 1},
        {"a"},
        pa.table({"text": [LONG]}),
        pa.record_batch({"text": [LONG]}),
        pa.table({}),
        [LONG, 5],
        5,
        None,
        LONG,
    ],
    ids=str,
)
def test_what_is_no_column_is_refused(given: Any) -> None:
    with pytest.raises(lookalike.DataError, match="texts"):
        lookalike.Fingerprinter()(given)


def test_half_of_a_surrogate_pair_is_as_in_a_sketch() -> None:
    text = "one \ud800 two three four five six"
    made = lookalike.Fingerprinter()([text, None, LONG])
    assert lookalike.Sketch.of_coordinates(made.sketches[0]) == lookalike.Sketch(text)
    assert lookalike.Sketch.of_coordinates(made.sketches[2]) == lookalike.Sketch(LONG)


def test_arrays_of_any_layout_give_the_same_sketch() -> None:
    features = lookalike.Fingerprinter().features(LONG)
    expected = lookalike.Sketch(LONG)
    for same in (
        features.astype(">u8"), features[::-1], np.repeat(features, 2)[::2], features.tolist(),
        features.view(np.int64), np.frombuffer(features.tobytes(), np.uint64), pa.array(features),
    ):  # fmt: skip
        assert lookalike.Sketch.of_features(same) == expected
    row = expected.coordinates
    for same in (row.astype(">u4"), row.view(np.int32), row.astype(np.uint64), row.tolist()):
        assert lookalike.Sketch.of_coordinates(same) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        np.array([1.5]), np.array([1 + 2j]), np.array([True]), np.array(["1"]), np.array([[1, 2]]),
        np.array(5), np.array(["2020-01-01"], dtype="datetime64[D]"), np.array([-1], np.int16),
        [1.5], [True], ["12"], [-1], [1 << 64], [[1], [2]], [None], None, 5,
    ],
    ids=repr,
)  # fmt: skip
def test_features_that_are_no_hashes_are_refused(wrong: Any) -> None:
    with pytest.raises(lookalike.DataError, match="features"):
        lookalike.Sketch.of_features(wrong)


def test_coordinates_are_not_cut_to_32_bits() -> None:
    row = lookalike.Sketch(LONG).coordinates
    for wrong in (
        row.astype(np.uint64) + (1 << 32), row.astype(np.int64) - (1 << 32), row + 0.5, [1 << 32],
    ):  # fmt: skip
        with pytest.raises(lookalike.DataError, match="coordinates"):
            lookalike.Sketch.of_coordinates(wrong)
    with pytest.raises(lookalike.RunError, match="127"):
        lookalike.Sketch.of_coordinates(row[:-1])


def test_damaged_bytes_are_refused() -> None:
    stored = lookalike.Sketch(LONG, sketch="fss:16").to_bytes()
    damaged = [stored[:size] for size in range(len(stored))] + [stored + b"x"]
    for bit in range(len(stored) * 8):
        changed = bytearray(stored)
        changed[bit // 8] ^= 1 << bit % 8
        damaged.append(bytes(changed))
    for wrong in damaged:
        with pytest.raises(lookalike.RunError):
            lookalike.Sketch.from_bytes(wrong)


def test_bytes_may_lie_in_any_buffer() -> None:
    sketch = lookalike.Sketch(LONG)
    for kind in (bytearray, memoryview):
        assert lookalike.Sketch.from_bytes(kind(sketch.to_bytes())) == sketch
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(lookalike.DataError, match="expected bytes"):
            lookalike.Sketch.from_bytes(wrong)


def test_other_objects_are_no_sketches() -> None:
    sketch = lookalike.Sketch(LONG)
    for call in (sketch.merge, sketch.resemblance):
        for other in (None, "text", sketch.to_bytes()):
            with pytest.raises(lookalike.DataError, match="expected a Sketch"):
                call(other)
    assert sketch != sketch.to_bytes()


def test_fingerprinters_travel() -> None:
    fingerprinter = lookalike.Fingerprinter(50, sketch="fss:64", threshold=0.7)
    expected = fingerprinter(TEXTS)
    for other in (pickle.loads(pickle.dumps(fingerprinter)), copy.deepcopy(fingerprinter)):
        assert other.design == fingerprinter.design
        assert (other(TEXTS).keys == expected.keys).all()
    assert fingerprinter.design in repr(fingerprinter)


def test_subclasses_stay_what_they_are() -> None:
    sketch = _Named(LONG)
    assert type(pickle.loads(pickle.dumps(sketch))) is _Named
    assert {sketch, pickle.loads(pickle.dumps(sketch))} == {sketch}


class _Named(lookalike.Sketch):  # type: ignore[misc, name-defined]
    pass


@pytest.mark.parametrize("wrong", [-1, 1 << 64, 1.5, None, "5", True])
def test_documents_are_a_whole_number(wrong: Any) -> None:
    with pytest.raises(lookalike.OptionError, match="documents"):
        lookalike.Fingerprinter(wrong)


def test_small_numbers_stay_whole_in_messages() -> None:
    with pytest.raises(lookalike.OptionError, match="threshold=1e-09 cannot be reached"):
        lookalike.Fingerprinter(threshold=1e-9)


def test_threads_share_a_fingerprinter() -> None:
    column = pa.array(many_texts(2000))
    fingerprinter = lookalike.Fingerprinter(threads=2)
    expected, wrong = fingerprinter(column, counts=True), []

    def work() -> None:
        for _ in range(3):
            made = fingerprinter(column, counts=True)
            wrong.extend(1 for a, b in zip(made, expected, strict=True) if (a != b).any())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_arrays_outlive_what_made_them() -> None:
    fingerprinter = lookalike.Fingerprinter()
    keys = fingerprinter([LONG] * 5000).keys
    expected = keys[0].tolist()
    del fingerprinter
    filling = [np.ones(100_000) for _ in range(20)]
    assert len(filling) == 20 and (keys == np.array(expected, np.uint64)).all()


# In processes of their own: where these fail, Python dies.

_RELEASED = """
import lookalike, pyarrow as pa
class Stream:
    capsule = pa.table({"text": ["a b"]}).__arrow_c_stream__()
    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule
assert lookalike._core.import_table(Stream()).rows == 1
try:
    lookalike._core.import_table(Stream())
except lookalike.RunError as error:
    assert "read" in str(error)
    print("refused")
"""

_BAD_TEXT = """
import sys, lookalike, numpy as np, pyarrow as pa
def utf8(offsets, data):
    buffers = [None, pa.py_buffer(np.array(offsets, np.int32)), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.utf8(), len(offsets) - 1, buffers)
not_utf8 = utf8([0, 1, 3], b"\\xff\\xfeb")
indices = pa.array([0, 70_000_000], pa.int32())
dictionary = pa.DictionaryArray.from_arrays(indices, not_utf8, safe=False)
offsets = utf8([0, 70_000_000, 3], b"abc")
"""

_BAD_FILE = (
    _BAD_TEXT
    + """
def refused(column, text):
    table = pa.table({"text": column})
    with pa.ipc.new_file("bad.arrow", table.schema) as file:
        file.write_table(table)
    try:
        lookalike.dedup("bad.arrow", text=text)
    except lookalike.RunError as error:
        assert "corrupt" in str(error), error
        return True
assert refused(dictionary, "text")
assert refused(pa.StructArray.from_arrays([not_utf8, offsets], ["a", "b"]), "text.b")
print("refused")
"""
)

_BAD_TABLE = (
    _BAD_TEXT
    + """
for call in (lookalike.Fingerprinter(), lambda c: lookalike.dedup(pa.table({"text": c}))):
    try:
        call(dictionary)
    except lookalike.RunError:
        print("refused", end="")
"""
)

_END = """
import threading, lookalike, pyarrow as pa
column, begun = pa.array(["one two three four five six " * 40] * 100_000), threading.Event()
def work():
    while True:
        begun.set()
        lookalike.Fingerprinter(threads=1)(column)
threading.Thread(target=work, daemon=True).start()
begun.wait()
__import__("time").sleep(0.3)
print("refused")
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (_RELEASED, "refused"), (_BAD_FILE, "refused"), (_BAD_TABLE, "refusedrefused"),
        (_END, "refused"),
    ],
    ids=["released stream", "damaged file", "damaged table", "daemon thread at exit"],
)  # fmt: skip
def test_the_process_lives(child: Callable[..., Any], program: str, said: str) -> None:
    process = child(program)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.strip()) == (0, said), err[-2000:]


# Keys for tools without unsigned numbers.


def test_keys_as_signed_numbers_and_bytes() -> None:
    texts = [" ".join(f"w{i + j}" for j in range(30)) for i in range(200)]
    made = lookalike.Fingerprinter()([*texts, texts[0]], counts=True)
    assert made.keys is not None and int(made.keys.max()) >= 1 << 63  # they do overflow
    signed, binary = made.to_arrow("signed"), made.to_arrow("binary")
    assert signed.schema.types == [pa.list_(pa.int32()), pa.list_(pa.int64()), pa.int64()]
    keys = signed["keys"].to_pylist()
    assert (np.array(keys, np.int64).view(np.uint64) == made.keys).all()
    assert keys[0] == keys[-1] != keys[1]
    assert binary.schema.field("keys").type == pa.list_(pa.binary(8))
    for row, numbers in zip(binary["keys"].to_pylist(), made.keys.tolist(), strict=True):
        assert [int.from_bytes(key, "big") for key in row] == numbers
    plain = made.to_arrow()
    assert plain.schema.types == [pa.list_(pa.uint32()), pa.list_(pa.uint64()), pa.uint32()]
    assert plain["keys"].to_pylist() == made.keys.tolist()
    assert plain["sketches"].to_pylist() == made.sketches.tolist()
    assert (np.array(signed["sketches"].to_pylist(), np.int32).view(np.uint32) == made.sketches).all()
    assert signed["counts"].to_pylist() == made.counts.tolist()


def test_tables_of_fingerprints_of_nothing_and_of_some() -> None:
    maker = lookalike.Fingerprinter()
    assert maker([]).to_arrow("binary").num_rows == 0
    assert maker(["a b"], sketches=False).to_arrow("signed").column_names == ["keys"]
    with pytest.raises(lookalike.OptionError, match="integers='int64'"):
        maker(["a b"]).to_arrow("int64")


def test_keys_in_a_map_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets")
    maker = lookalike.Fingerprinter()
    whole = datasets.Dataset.from_dict({"text": [f"text number {i} of them" for i in range(50)]})
    mapped = whole.map(
        lambda batch: maker(batch["text"], sketches=False).to_arrow("signed"),
        batched=True, remove_columns=["text"],
    )  # fmt: skip
    assert mapped.num_rows == 50
