"""What runs leave: tables, files, folders, pages; and what becomes of them."""

from __future__ import annotations

import copy
import gc
import gzip
import json
import os
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pytest
from python_texts import LONG, TEXTS, write_bytes

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

TABLE = pa.table({"text": TEXTS})
ROWS = [{"text": text, "n": i + 1} for i, text in enumerate(TEXTS)]
ARROW = pa.table({"text": TEXTS, "n": [1, 2, 3], "l": [[1], None, []]})
REMOVED = {
    "id": pa.string(), "source": pa.string(), "row": pa.int64(), "kind": pa.string(),
    "duplicate_of": pa.string(), "duplicate_of_source": pa.string(),
    "duplicate_of_row": pa.int64(), "resemblance": pa.float64(), "cluster": pa.int64(),
}  # fmt: skip


def json_lines(rows: list[Any]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


# Kept rows, of every format.


def test_kept_rows_of_columnar_files(tmp_path: Path) -> None:
    table = ARROW.append_column("d", pa.array(TEXTS).dictionary_encode())
    parquet.write_table(table, tmp_path / "in.parquet")
    feather.write_feather(table, str(tmp_path / "in.feather"), compression="lz4")
    with pa.ipc.new_stream(tmp_path / "in.arrows", table.schema) as writer:
        writer.write_table(table)
    for name in ("in.parquet", "in.feather", "in.arrows"):
        result = lookalike.dedup(tmp_path / name)
        assert result.kept.equals(table.slice(0, 2)), name
        assert pa.Table.from_batches(result.kept_batches()).equals(table.slice(0, 2)), name


@pytest.mark.parametrize("codec", ["gzip", "zstd", "bz2", "lz4"])
def test_kept_rows_of_packed_files(tmp_path: Path, codec: str) -> None:
    ending = {"gzip": "gz", "zstd": "zst"}.get(codec, codec)
    path = tmp_path / f"in.jsonl.{ending}"
    with pa.CompressedOutputStream(str(path), codec) as stream:
        stream.write(json_lines(ROWS))
    assert lookalike.dedup(path).kept.to_pylist() == ROWS[:2]


def test_kept_rows_of_gzip_members_one_after_another(tmp_path: Path) -> None:
    path = write_bytes(
        tmp_path / "in.jsonl.gz",
        gzip.compress(json_lines(ROWS)) + gzip.compress(json_lines([{"text": "other", "n": 4}])),
    )
    assert lookalike.dedup(path).kept["n"].to_pylist() == [1, 2, 4]


def test_kept_rows_of_csv_are_texts_as_they_stand(tmp_path: Path) -> None:
    path = write_bytes(
        tmp_path / "in.csv",
        b'text,id,n\n"a, ""q""\nb",007,1\nNULL,008,\n,9.0,2020-01-01\n12,1e5,true\n'
        b"latin \xff,x,y\n",
    )
    kept = lookalike.dedup(path).kept
    assert set(kept.schema.types) == {pa.string()}
    assert kept["text"].to_pylist() == ['a, "q"\nb', "NULL", "", "12", "latin \ufffd"]
    assert kept["id"].to_pylist() == ["007", "008", "9.0", "1e5", "x"]
    assert kept["n"].to_pylist() == ["1", "", "2020-01-01", "true", "y"]


def test_kept_rows_of_other_csv(tmp_path: Path) -> None:
    tabs = write_bytes(tmp_path / "in.tsv", b'\xef\xbb\xbftext\tn\na "b" c\t1\n')
    assert lookalike.dedup(tabs).kept.to_pylist() == [{"text": 'a "b" c', "n": "1"}]
    header = write_bytes(tmp_path / "header.csv", b"text,n\n")
    assert lookalike.dedup(header).kept.schema.names == ["text", "n"]
    assert lookalike.dedup(write_bytes(tmp_path / "empty.csv", b"")).kept.num_rows == 0
    words = ["word " * 600_000, "short", "long " * 2_000_000, "end"]
    long = "\n".join(["text,n", *(f'"{word}",{i}' for i, word in enumerate(words)), ""])
    kept = lookalike.dedup(write_bytes(tmp_path / "long.csv", long.encode())).kept
    assert kept["text"].to_pylist() == words
    assert kept["n"].to_pylist() == ["0", "1", "2", "3"]


def test_kept_rows_of_many_csv_blocks(tmp_path: Path) -> None:
    rows = [f"{i} {'x' * 50} {i * 7919},{i}" for i in range(60_000)]
    rows[50_000] = f'"{"big " * 800_000}",50000'  # a record that is longer than a block
    path = write_bytes(tmp_path / "in.csv", "\n".join(["text,n", *rows, ""]).encode())
    result = lookalike.dedup(path, method="lsh", audit_documents=0)
    numbers = [n for batch in result.kept_batches() for n in batch["n"].to_pylist()]
    assert numbers == [str(i) for i in range(60_000)]


def test_kept_rows_of_json_lines_of_mixed_types(lines: Any) -> None:
    rows = [
        {"text": "one", "x": 1, "d": "2020-01-01", "y": None, "f": 1, "o": {"a": "2020-01-01"}},
        {"text": "two", "x": "a", "d": "2020-01-01T00:00:00Z", "y": {}, "f": 1.5},
        {"text": "three", "x": [1, {"y": 2}], "z": True, "y": [], "f": 2**60},
        {"text": "four", "b": 10**30},
    ]
    kept = lookalike.dedup(lines("in.jsonl", rows)).kept
    assert kept["text"].to_pylist() == ["one", "two", "three", "four"]
    assert kept["x"].to_pylist() == ["1", '"a"', '[1, {"y": 2}]', None]
    assert kept["y"].to_pylist() == [None, "{}", "[]", None]
    assert kept["d"].to_pylist() == ["2020-01-01", "2020-01-01T00:00:00Z", None, None]
    assert kept["f"].to_pylist() == [1.0, 1.5, float(2**60), None]
    assert kept["z"].to_pylist() == [None, None, True, None]
    assert kept["o"].to_pylist() == [{"a": "2020-01-01"}, None, None, None]


def test_types_that_agree_only_beyond_the_first_megabytes(lines: Any) -> None:
    pad = " ".join(f"w{i}" for i in range(2000))
    rows: list[dict[str, Any]] = [
        {"text": f"{i} {i * 7} {pad}", "late": i, "n": i, "d": "2020-01-01"} for i in range(1200)
    ]
    rows[-1] = {"text": "last", "late": "a text", "n": 0.5, "only": [1], "d": "no date"}
    path = lines("in.jsonl", rows)
    assert path.stat().st_size > 9e6  # three blocks
    result = lookalike.dedup(path, threshold=1.0, audit_documents=0)
    batches = list(result.kept_batches())
    assert len(batches) > 1
    assert len({str(batch.schema) for batch in batches}) == 1
    kept = pa.Table.from_batches(batches)
    assert kept.equals(result.kept)
    assert kept["late"].to_pylist() == [*map(str, range(1199)), '"a text"']
    assert kept["n"].to_pylist() == [*map(float, range(1199)), 0.5]
    assert kept["only"].to_pylist() == [*[None] * 1199, [1]]
    assert kept["d"].to_pylist() == [*["2020-01-01"] * 1199, "no date"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"text":"lone \\ud800","k\\udc00":1}\n', [{"text": "lone \ufffd", "k\ufffd": 1}]),
        (b'{"text":"bad \xff byte"}\n', [{"text": "bad \ufffd byte"}]),
        (b'\xef\xbb\xbf\n{"text":"a"}\r\n\r\n{"text":"b"}', [{"text": "a"}, {"text": "b"}]),
        (b"", []),
        (b'{"text":"a","d":["2020-01-01"]}\n', [{"text": "a", "d": ["2020-01-01"]}]),
        (b'{"text":"a","d":"2020-01-01"}\n', [{"text": "a", "d": "2020-01-01"}]),
        (b'{"text":"a","x":' + b"9" * 5000 + b"}\n", [{"text": "a", "x": float("inf")}]),
    ],
    ids=["lone surrogate", "no UTF-8", "mark and blank lines", "empty", "dates", "date", "digits"],
)
def test_kept_rows_of_odd_json(tmp_path: Path, content: bytes, expected: list[Any]) -> None:
    result = lookalike.dedup(write_bytes(tmp_path / "in.jsonl", content))
    if result.manifest["records"]["rejected"]:  # the engine's parser may refuse a number
        assert result.kept.num_rows == 0
    else:
        assert result.kept.to_pylist() == expected


def test_very_long_lines(lines: Any) -> None:
    rows = [{"text": "a"}, {"text": "long " * 4_000_000}, {"text": "b"}]
    assert lookalike.dedup(lines("in.jsonl", rows)).kept.to_pylist() == rows


def test_kept_texts_of_a_folder(tmp_path: Path) -> None:
    for name, content in {
        "a/f.txt": TEXTS[0].encode(), "b/f.txt": TEXTS[2].encode(), "empty.txt": b"",
        "json.txt": b'{"text": 5}\nhello', "page.html": b"<p>words of a page", "bad": b"\xff\xfe",
    }.items():  # fmt: skip
        write_bytes(tmp_path / name, content)
    result = lookalike.dedup(tmp_path)
    kept = {row["id"]: row["text"] for row in result.kept.to_pylist()}
    assert kept["json.txt:1"] == '{"text": 5}\nhello'
    assert kept["a/f.txt:1"] == TEXTS[0]
    assert "empty.txt:1" not in kept  # an input without records
    assert result.removed["id"].to_pylist() == ["b/f.txt:1"]
    assert result.manifest["records"]["kept"] == len(kept)
    records = result.manifest["records"]
    assert records["in"] == records["kept"] + 1 + len(result.rejected)


def test_nothing_is_left_of_a_folder_of_texts(tmp_path: Path) -> None:
    write_bytes(tmp_path / "in" / "a.txt", TEXTS[0].encode())
    result = lookalike.dedup(tmp_path / "in", against=TABLE)
    assert result.kept.num_rows == 0
    assert result.kept_files == []
    assert list(result.kept_batches()) == []


def test_inputs_whose_columns_do_not_agree(tmp_path: Path, lines: Any) -> None:
    a = lines("a.jsonl", [{"text": "one of them", "n": "x", "m": 1}])
    parquet.write_table(
        pa.table({"text": ["two of them"], "n": [5], "m": [1.5],
                  "d": pa.array(["q"]).dictionary_encode()}), tmp_path / "b.parquet",
    )  # fmt: skip
    c = write_bytes(tmp_path / "c.csv", b"text,n,d\nthree of them,7,z\n")
    kept = lookalike.dedup([a, tmp_path / "b.parquet", c]).kept
    assert kept["text"].to_pylist() == ["one of them", "two of them", "three of them"]
    assert kept["n"].to_pylist() == ['"x"', "5", '"7"']
    assert kept["m"].to_pylist() == [1.0, 1.5, None]
    assert kept["d"].to_pylist() == [None, "q", "z"]


def test_annotated_rows(lines: Any) -> None:
    for data in (lines("in.jsonl", ROWS), pa.Table.from_pylist(ROWS)):
        result = lookalike.dedup(data, output="annotated")
        assert result.kept["n"].to_pylist() == [1, 2, 3]
        assert result.kept["la_keep"].to_pylist() == [True, True, False]
        assert result.kept["la_copies"].to_pylist()[0] == 2


def test_rejected_records_are_kept_apart_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_bytes(tmp_path / "in.jsonl", b'{"text":"a"}\nnot json\n{"text":3}\n{"x":3}\n')
    result = lookalike.dedup(path)
    assert result.rejected["row"].to_pylist() == [2, 3, 4]
    assert result.rejected["source"].to_pylist() == ["in.jsonl"] * 3
    assert result.kept.num_rows == 1
    warnings = [record for record in caplog.records if record.name == "lookalike"]
    assert [record.levelname for record in warnings] == ["WARNING"] * 3
    assert "in.jsonl:2" in warnings[0].getMessage()


def test_schemas_do_not_depend_on_what_was_found() -> None:
    for result in (lookalike.dedup(pa.table({"text": ["a", "b"]})), lookalike.dedup(TABLE)):
        assert {field.name: field.type for field in result.removed.schema} == REMOVED
        assert result.clusters.schema.names == ["cluster", "size", "kept", "members"]
        assert result.clusters.schema.types[2:] == [pa.list_(pa.string())] * 2
        assert result.rejected.schema.types == [pa.string(), pa.int64(), pa.string()]
        assert result.pairs.schema.types == [pa.string(), pa.string(), pa.float64()]
    assert result.clusters.to_pylist() == [
        {"cluster": 1, "size": 2, "kept": ["data.arrow:1"],
         "members": ["data.arrow:1", "data.arrow:3"]}
    ]  # fmt: skip
    assert lookalike.dedup(pa.table({"text": ["a", "b"]})).removed.num_rows == 0


def test_ids_of_any_characters() -> None:
    ids = ['"quoted"\n', "\u2028 \U0001f600", "", "x\0y"]
    table = pa.table({"id": ids, "text": [LONG] * 4})
    removed = lookalike.dedup(table).removed
    assert removed["id"].to_pylist() == ids[1:]
    assert set(removed["duplicate_of"].to_pylist()) == {ids[0]}


# Conversion.


def test_results_as_other_libraries_have_them() -> None:
    result, found = lookalike.dedup(TABLE), lookalike.pairs(TABLE)
    assert pa.table(result).equals(result.kept)
    assert pa.table(found).equals(found.to_arrow())
    assert len(found) == len(found.to_arrow()) == 1
    pandas = pytest.importorskip("pandas")
    assert isinstance(result.to_pandas(), pandas.DataFrame)
    assert list(found.to_pandas()["resemblance"]) == [1.0]
    assert len(lookalike.plan(TABLE).to_pandas()) > 1
    polars = pytest.importorskip("polars")
    assert result.to_polars().equals(polars.DataFrame({"text": TEXTS[:2]}))


# Folders.


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def test_save(tmp_path: Path) -> None:
    result = lookalike.dedup(TABLE)
    saved = result.save(tmp_path / "new" / "out")
    assert files_of(saved) == files_of(result.folder)
    assert saved.joinpath("manifest.json").exists()
    with pytest.raises(lookalike.RunError, match="already exists.*overwrite=True"):
        result.save(saved)
    (saved / "notes").write_text("precious")
    with pytest.raises(lookalike.RunError, match="holds notes, which is not part of a result"):
        result.save(saved, overwrite=True)
    assert (saved / "notes").read_text() == "precious"
    (saved / "notes").unlink()
    lookalike.dedup(TABLE, threshold=1).save(saved, overwrite=True)
    result.save(saved, overwrite=True)
    assert files_of(saved) == files_of(result.folder)
    assert os.listdir(tmp_path / "new") == ["out"]


@pytest.mark.parametrize("uri", ["ftp://host/out", "http://x", "file://host/out", "hdfs:///out"])
def test_uris_of_other_kinds_are_refused(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As paths they would make a folder such as `ftp:`."""
    monkeypatch.chdir(tmp_path)
    result, found = lookalike.dedup(TABLE), lookalike.pairs(TABLE)
    answers = lookalike.filter(TABLE)
    for write in (
        lambda: result.save(uri), lambda: found.save(uri), lambda: answers.save(uri),
        lambda: lookalike.filter(TABLE, state=uri),
        lambda: lookalike.dedup(TABLE, save_to=uri), lambda: lookalike.sketch(TABLE, uri),
    ):  # fmt: skip
        with pytest.raises(lookalike.RunError, match="has the scheme .*, expected a path"):
            write()
    assert list(tmp_path.iterdir()) == []


def test_file_uris_are_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved = lookalike.dedup(TABLE).save(f"file://{tmp_path}/a%20b")
    assert saved == tmp_path / "a b"
    assert (saved / "manifest.json").exists()
    answers = lookalike.filter(TABLE, state=f"file://{tmp_path}/seen%20by")
    assert answers.save(f"file://localhost{tmp_path}/answers.jsonl") == tmp_path / "answers.jsonl"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a b", "answers.jsonl", "seen by"]


def test_save_over_other_things(tmp_path: Path) -> None:
    result = lookalike.dedup(TABLE)
    (tmp_path / "file").write_text("x")
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "precious").write_text("x")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("file", "link", "dangling"):
        with pytest.raises(lookalike.RunError, match="already exists"):
            result.save(tmp_path / name)
        result.save(tmp_path / name, overwrite=True)
        assert files_of(tmp_path / name) == files_of(result.folder)
    with pytest.raises(lookalike.RunError, match="is not a result of this command"):
        result.save(tmp_path / "target", overwrite=True)
    assert (tmp_path / "target" / "precious").read_text() == "x"


def test_a_result_is_never_saved_into_or_over_itself() -> None:
    result = lookalike.dedup(TABLE)
    before = files_of(result.folder)
    assert result.save(result.folder) == result.folder
    assert result.save(result.folder, overwrite=True) == result.folder
    for target in (result.folder / "x", result.folder / "kept", result.folder.parent):
        with pytest.raises(lookalike.RunError, match="one lies inside the other"):
            result.save(target, overwrite=True)
    assert files_of(result.folder) == before


def test_save_that_fails_leaves_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    result = lookalike.dedup(TABLE)
    saved = result.save(tmp_path / "out")
    before = files_of(saved)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(lookalike.RunError, match="cannot be written"):
        result.save(saved, overwrite=True)
    assert files_of(saved) == before
    assert os.listdir(tmp_path) == ["out"]
    (tmp_path / "file").write_text("x")
    with pytest.raises(lookalike.RunError, match="cannot be written: "):
        result.save(tmp_path / "file" / "out")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_save_where_nobody_may_write(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(lookalike.RunError, match="cannot be written: Permission denied"):
        lookalike.dedup(TABLE).save(tmp_path / "closed" / "out")


def test_save_to(tmp_path: Path, lines: Any) -> None:
    target, path = tmp_path / "out", lines("in.jsonl", ROWS)
    result = lookalike.dedup(path, save_to=target)
    assert result.folder == target
    del result
    gc.collect()
    first = files_of(target)
    with pytest.raises(lookalike.RunError, match=r"exists; pass overwrite=True"):
        lookalike.dedup(path, save_to=str(target))
    assert files_of(target) == first
    lookalike.dedup(path, save_to=target, resume=True)
    assert files_of(target) == first
    lookalike.dedup(TABLE, save_to=target, overwrite=True)
    assert "kept/data.arrow" in files_of(target)
    with pytest.raises(lookalike.RunError, match="it was made from other inputs"):
        lookalike.dedup(path, save_to=target, resume=True)
    with pytest.raises(lookalike.OptionError, match="resume=True only works with inputs"):
        lookalike.dedup(TABLE, save_to=target, resume=True)
    for wrong in (3, b"x"):
        with pytest.raises(lookalike.OptionError, match="save_to has type"):
            lookalike.dedup(TABLE, save_to=wrong)


def test_temporary_folders_vanish(tmp_path: Path) -> None:
    result = lookalike.dedup(TABLE, scratch=tmp_path)
    kept, batches, folder = result.kept, result.kept_batches(), result.folder
    found = lookalike.pairs(TABLE, scratch=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert folder.exists()
    del result
    assert len(list(batches)) == 1  # it holds on to the result
    del batches, found
    gc.collect()
    assert list(tmp_path.iterdir()) == []
    assert kept.to_pylist() == [{"text": text} for text in TEXTS[:2]]
    with pytest.raises(lookalike.RunError):
        lookalike.dedup(TABLE, scratch=tmp_path, text="nope")
    with pytest.raises(lookalike.OptionError):
        lookalike.pairs(TABLE, scratch=tmp_path, threshold=3)
    assert list(tmp_path.iterdir()) == []


def test_temporary_folders_vanish_with_the_interpreter(child: Any, tmp_path: Path) -> None:
    program = (
        "import lookalike, pyarrow as pa, os, sys\n"
        "t = pa.table({'text': ['a', 'b']})\n"
        "keep = lookalike.dedup(t), lookalike.pairs(t), lookalike.dedup(t.to_reader())\n"
        "print(len(os.listdir(os.environ['TMPDIR'])))\n"
        "if sys.argv[1] == 'raise': raise SystemExit(3)\n"
    )
    for how in ("end", "raise"):
        process = child(program, how)
        out, err = process.communicate(timeout=60)
        assert (out.strip(), err) == ("3", "")
        assert list((tmp_path / "tmp").iterdir()) == []


def test_a_forked_child_does_not_remove_the_folder_of_its_parent() -> None:
    result = lookalike.dedup(TABLE)
    process = os.fork()
    if process == 0:
        del result
        gc.collect()
        os._exit(0)
    os.waitpid(process, 0)
    assert result.folder.exists()


# Pickles.


def test_errors_are_pickled_whole() -> None:
    for kind in (lookalike.OptionError, lookalike.DataError, lookalike.RunError):
        error = pickle.loads(pickle.dumps(kind("what is wrong", "where", "disk", "scratch")))
        assert type(error) is kind
        assert (error.what, error.where) == ("what is wrong", "where")
        assert (error.code, error.option) == ("disk", "scratch")
        assert str(error) == "where: what is wrong"
    codes = [kind("wrong").code for kind in (lookalike.OptionError, lookalike.DataError)]
    assert codes == ["option", "input"]
    assert issubclass(lookalike.OptionError, ValueError)
    assert issubclass(lookalike.DataError, TypeError)
    assert issubclass(lookalike.RunError, RuntimeError)


def test_results_are_pickled_where_that_makes_sense(tmp_path: Path) -> None:
    temporary = lookalike.dedup(TABLE)
    with pytest.raises(pickle.PicklingError, match="temporary.*save_to="):
        pickle.dumps(temporary)
    saved = lookalike.dedup(TABLE, save_to=tmp_path / "out")
    assert pickle.loads(pickle.dumps(saved)).kept.equals(temporary.kept)
    found = lookalike.pairs(TABLE)
    content = pickle.dumps(found)
    table = found.to_arrow()
    del found
    gc.collect()
    again = pickle.loads(content)
    assert again.to_arrow().equals(table)
    assert len(again) == 1
    compared = pickle.loads(pickle.dumps(lookalike.compare("a b c d e", "a b c d e")))
    assert compared.resemblance == 1.0
    planned = lookalike.plan(TABLE)
    assert pickle.loads(pickle.dumps(planned)).facts == planned.facts
    for duplicate in (copy.copy(temporary), copy.deepcopy(temporary)):
        assert duplicate.kept.num_rows == 2


# Pairs as files.


def test_pairs_are_saved(tmp_path: Path) -> None:
    found = lookalike.pairs(TABLE)
    for name in ("x.parquet", "x.jsonl"):
        path = found.save(tmp_path / name)
        with pytest.raises(lookalike.RunError, match="already exists"):
            found.save(path)
        found.save(path, overwrite=True)
    assert parquet.read_table(tmp_path / "x.parquet").equals(found.to_arrow())
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert rows == found.to_arrow().to_pylist()
    (tmp_path / "folder").mkdir()
    with pytest.raises(lookalike.RunError, match="is a folder"):
        found.save(tmp_path / "folder", overwrite=True)
    assert sorted(os.listdir(tmp_path)) == ["folder", "x.jsonl", "x.parquet"]


# Pages.

HOSTILE = ["<script>alert(1)</script>", "'\"><img src=x onerror=alert(1)>", "</td>&amp;&#60;"]


def parsed(page: str) -> xml.etree.ElementTree.Element:
    return xml.etree.ElementTree.fromstring(re.sub(r"&(?!amp;|lt;|gt;|quot;|#x27;)", "!", page))


def names_of(page: str) -> set[str]:
    return {element.tag for element in parsed(page).iter()}


SAFE = {
    "div", "table", "thead", "tbody", "tr", "th", "td", "b", "p", "code", "mark",
    "svg", "rect", "title", "text", "line", "path", "polyline",
}  # fmt: skip


def test_pages_hold_no_html_of_the_data() -> None:
    table = pa.table({"id": HOSTILE, "text": [LONG, LONG + " today", LONG + "!"]})
    a, b = (" ".join(f"{tag} one two three four five six" for tag in tags)
            for tags in (HOSTILE, HOSTILE[::-1]))  # fmt: skip
    pages = [
        lookalike.dedup(table)._repr_html_(),
        lookalike.pairs(table)._repr_html_(),
        lookalike.plan(table)._repr_html_(),
        lookalike.compare(a, b)._repr_html_(),
    ]
    for page in pages:
        assert names_of(page) <= SAFE
    assert "&lt;script&gt;" in pages[0]
    shown = "".join(parsed(pages[0]).itertext())
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert "".join(parsed(pages[3]).itertext()).count(HOSTILE[2]) == 2


def test_pages_of_nothing() -> None:
    empty = pa.table({"text": pa.array([], pa.string())})
    for found in (
        lookalike.dedup(empty), lookalike.pairs(empty), lookalike.plan(empty),
        lookalike.compare("", ""), lookalike.compare("a", ""),
    ):  # fmt: skip
        assert names_of(found._repr_html_()) <= SAFE
        assert repr(found)


def test_passages_are_offsets_in_code_points() -> None:
    found = lookalike.compare(
        "\U0001f600 one two three four five", "\u00e9 one two three four five six"
    )
    begin, end = found.passages[0][:2]
    assert found.text_a[begin:end] == "one two three four five"
    begin, end = found.passages[0][2:]
    assert found.text_b[begin:end] == "one two three four five"
    assert "<mark>one two three four five</mark>" in found._repr_html_()


def test_the_report_is_a_page_and_need_not_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    import webbrowser

    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    result = lookalike.dedup(TABLE)
    assert result.report(show=False).read_text(encoding="utf-8").startswith("<!")
    assert opened == []
    result.report()
    assert opened == [result.report(show=False).resolve().as_uri()]


def test_the_package_is_imported_without_what_it_need_not_have() -> None:
    program = (
        "import sys, lookalike\n"
        "print(sorted({'pandas', 'polars', 'datasets', 'duckdb', 'tqdm', 'IPython'} & "
        "set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
