"""One corpus in every format and codec: the same documents stay, and their rows are unchanged."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
import zstandard
from result_folder import ResultFolder

CHANCE = random.Random(11)
WORDS = [f"word{i}" for i in range(300)]


def corpus() -> list[dict]:
    """Eighty loners with forty near or exact copies among them, and values hard to quote."""
    rows = []
    for i in range(120):
        if i % 3 == 2:
            text = rows[CHANCE.randrange(len(rows))]["text"] + CHANCE.choice(["", "!", " more"])
        else:
            text = " ".join(CHANCE.choices(WORDS, k=30))
        note = CHANCE.choice(["plain", 'a "quote"', "comma, and\nline break", "", "naïve – ﬁ"])
        rows.append({"id": f"d{i}", "text": text, "note": note, "n": i})
    return rows


ROWS = corpus()
TABLE = pa.Table.from_pylist(ROWS)
OPTIONS = ["--quiet", "--text-field", "text", "--id-field", "id"]


def jsonl(rows: list[dict] = ROWS) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def delimited(delimiter: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(ROWS[0])
    writer.writerows(row.values() for row in ROWS)
    return text.getvalue().encode()


def lz4(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def unpack(content: bytes, codec: str) -> bytes:
    """All members, with a decoder that is not the command's where Python has one."""
    if codec == "gz":
        return gzip.decompress(content)
    if codec == "bz2":
        return bz2.decompress(content)
    if codec == "zst":
        with zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True) as stream:
            return stream.read()
    if codec == "lz4":
        with pa.CompressedInputStream(pa.BufferReader(content), "lz4") as stream:
            return stream.read()
    return content


PACK = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress, "lz4": lz4, "": bytes}


@pytest.fixture(scope="session")
def expected(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list]:
    """Ids kept of the plain JSON Lines, and (id, kind, witness, resemblance) of those removed."""
    folder = tmp_path_factory.mktemp("expected")
    (folder / "in.jsonl").write_bytes(jsonl())
    subprocess.run([binary, "dedup", "in.jsonl", "-o", "out", *OPTIONS], cwd=folder, check=True)
    result = ResultFolder(folder / "out")
    kept = result.kept_ids("in.jsonl")
    assert 75 <= len(kept) <= 85
    return kept, removals(result)


def removals(result: ResultFolder) -> list:
    pick = ("id", "row", "kind", "duplicate_of", "duplicate_of_row", "resemblance", "cluster")
    return [tuple(row[k] for k in pick) for row in result.removed]


def kept_table(expected: tuple[list[str], list]) -> pa.Table:
    return TABLE.filter(pc.is_in(TABLE["id"], pa.array(expected[0])))


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("codec", PACK)
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.tsv"])
def test_rows_in_every_codec(
    run: Callable, tmp_path: Path, expected: tuple, name: str, codec: str, members: int
) -> None:
    plain = {"in.jsonl": jsonl(), "in.csv": delimited(","), "in.tsv": delimited("\t")}[name]
    cuts = [len(plain) * i // members for i in range(members + 1)]  # inside of lines too
    name += f".{codec}" if codec else ""
    packed = b"".join(PACK[codec](plain[a:b]) for a, b in zip(cuts, cuts[1:]))
    (tmp_path / name).write_bytes(packed)
    run("dedup", name, "-o", "out", *OPTIONS)
    result = ResultFolder(tmp_path / "out")
    assert removals(result) == expected[1]
    kept = result.kept_bytes(name)
    assert not codec or kept[:2] == packed[:2], "the codec is the input's"
    text = unpack(kept, codec).decode()
    if ".jsonl" in name:
        assert text.encode() == jsonl([row for row in ROWS if row["id"] in set(expected[0])])
        return
    rows = list(
        csv.reader(io.StringIO(text, newline=""), delimiter="\t" if ".tsv" in name else ",")
    )
    assert rows[0] == list(ROWS[0])
    wanted = [[str(v) for v in row.values()] for row in ROWS if row["id"] in set(expected[0])]
    assert rows[1:] == wanted


def write_columnar(path: Path, table: pa.Table) -> None:
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=17, compression="zstd")
    elif path.suffix == ".arrow":
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=13)
    else:
        with pa.ipc.new_stream(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=13)


def read_columnar(path: Path) -> pa.Table:
    if path.suffix == ".parquet":
        table = pq.read_table(path)
    elif path.suffix == ".arrow":
        table = pa.ipc.open_file(path).read_all()
    else:
        table = pa.ipc.open_stream(path).read_all()
    table.validate(full=True)
    return table


COLUMNAR = ["in.parquet", "in.arrow", "in.arrows"]
TEXT_TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int16(), pa.string()),
}


@pytest.mark.parametrize("type_name", TEXT_TYPES)
@pytest.mark.parametrize("name", COLUMNAR)
def test_columns_of_every_text_type(
    run: Callable, tmp_path: Path, expected: tuple, name: str, type_name: str
) -> None:
    text = TABLE["text"].combine_chunks()
    kind = TEXT_TYPES[type_name]
    text = text.dictionary_encode().cast(kind) if type_name == "dictionary" else text.cast(kind)
    meta = pa.array([{"tags": ["x", None], "deep": {"k": row["n"]}} for row in ROWS])
    when = pa.array(range(len(ROWS)), pa.timestamp("us", "UTC"))
    table = (
        TABLE.set_column(1, "text", text).append_column("meta", meta).append_column("when", when)
    )
    table = table.replace_schema_metadata({"owner": "test"})
    write_columnar(tmp_path / name, table)
    run("dedup", name, "-o", "out", *OPTIONS)
    result = ResultFolder(tmp_path / "out")
    assert removals(result) == expected[1]
    got, source = read_columnar(tmp_path / "out" / "kept" / name), read_columnar(tmp_path / name)
    kept = set(expected[0])
    assert got.schema.equals(source.schema, check_metadata=True)
    assert got.to_pylist() == [row for row in source.to_pylist() if row["id"] in kept]


def test_parquet_keeps_its_compression_and_nulls(run: Callable, tmp_path: Path) -> None:
    table = pa.table(
        {"id": [1, 2, None, 4], "text": ["a b c", None, "a b c", None], "x": [None] * 4}
    )
    pq.write_table(
        table, tmp_path / "in.parquet", compression={"id": "snappy", "text": "gzip", "x": "none"}
    )
    run("dedup", "in.parquet", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(4)
    assert result.manifest["notes"]["null_text"] == 2
    assert [(r["id"], r["duplicate_of"]) for r in result.removed] == [("in.parquet:3", "1")]
    got = tmp_path / "out" / "kept" / "in.parquet"
    assert pq.read_table(got).equals(table.take([0, 1, 3]))
    group = pq.ParquetFile(got).metadata.row_group(0)
    assert [group.column(i).compression for i in range(2)] == ["SNAPPY", "GZIP"]


def test_a_folder_of_text_files(run: Callable, tmp_path: Path, expected: tuple) -> None:
    folder = tmp_path / "in"
    for i, row in enumerate(ROWS):
        path = folder / f"{i // 50}" / f"{i:03}.txt{'.gz' if i % 7 == 0 else ''}"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = row["text"].encode()
        path.write_bytes(gzip.compress(content) if i % 7 == 0 else content)
    run("dedup", "in", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    kept = sorted(path for path in (tmp_path / "out" / "kept").rglob("*") if path.is_file())
    assert [f"d{int(path.name[:3])}" for path in kept] == expected[0]
    for path in kept:
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        assert text.decode() == ROWS[int(path.name[:3])]["text"]
    result.check_nothing_lost(len(ROWS))


def test_formats_mixed_in_one_run(run: Callable, tmp_path: Path, expected: tuple) -> None:
    """The same rows in order, cut into pieces of different formats: the same ids stay."""
    pieces = {
        "a.jsonl": jsonl(ROWS[:20]),
        "b.jsonl.gz": gzip.compress(jsonl(ROWS[20:40])),
        "f.jsonl.zst": zstandard.compress(jsonl(ROWS[100:])),
    }
    for name, content in pieces.items():
        (tmp_path / name).write_bytes(content)
    write_columnar(tmp_path / "c.parquet", TABLE.slice(40, 20))
    write_columnar(tmp_path / "d.arrow", TABLE.slice(60, 20))
    with open(tmp_path / "e.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS[80:100])
    names = ["a.jsonl", "b.jsonl.gz", "c.parquet", "d.arrow", "e.csv", "f.jsonl.zst"]
    run("dedup", *names, "-o", "out", *OPTIONS)
    result = ResultFolder(tmp_path / "out")
    gone = [row["id"] for row in result.removed]
    assert [row["id"] for row in ROWS if row["id"] not in gone] == expected[0]
    assert [row["resemblance"] for row in result.removed] == [row[5] for row in expected[1]]
    kept = pq.read_table(tmp_path / "out" / "kept" / "c.parquet")
    assert kept["id"].to_pylist() == [f"d{i}" for i in range(40, 60) if f"d{i}" in expected[0]]


@pytest.mark.parametrize("name", ["in", "in.txt", "in.data"])
@pytest.mark.parametrize("codec", ["", "gz"])
def test_content_tells_the_format_where_the_name_does_not(
    run: Callable, tmp_path: Path, name: str, codec: str
) -> None:
    """Columnar files and codecs by their magic; JSON in named files without an ending."""
    pq.write_table(TABLE, tmp_path / name)
    run("dedup", name, "-o", "out", "--quiet")
    assert len(ResultFolder(tmp_path / "out").removed) > 30
    if name == "in.txt":
        return
    (tmp_path / name).write_bytes(PACK[codec](jsonl()))
    run("dedup", name, "-o", "json", "--quiet")
    ResultFolder(tmp_path / "json").check_nothing_lost(len(ROWS))


def nested(row: dict) -> dict:
    return {"meta": {"key": {"url": row["id"]}}, "doc": {"body": row["text"]}, "other": row["note"]}


@pytest.mark.parametrize("name", ["in.jsonl", *COLUMNAR])
def test_dotted_paths(run: Callable, tmp_path: Path, expected: tuple, name: str) -> None:
    rows = [nested(row) for row in ROWS]
    if name == "in.jsonl":
        (tmp_path / name).write_bytes(jsonl(rows))
    else:
        write_columnar(tmp_path / name, pa.Table.from_pylist(rows))
    run(
        "dedup",
        name,
        "-o",
        "out",
        "--quiet",
        "--text-field",
        "doc.body",
        "--id-field",
        "meta.key.url",
    )
    assert removals(ResultFolder(tmp_path / "out")) == expected[1]


def test_a_field_with_dots_in_its_name_comes_first(run: Callable, tmp_path: Path) -> None:
    rows = [{"a.b": "one two three", "a": {"b": f"other text {i}"}} for i in range(2)]
    (tmp_path / "in.jsonl").write_bytes(jsonl(rows))
    write_columnar(tmp_path / "in.parquet", pa.Table.from_pylist(rows))
    for name in ("in.jsonl", "in.parquet"):
        run("dedup", name, "-o", f"out-{name}", "--quiet", "--text-field", "a.b")
        assert len(ResultFolder(tmp_path / f"out-{name}").removed) == 1


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"text": "T", "title": "x"}, "text"),
        ({"body": "T", "n": 1, "id": "x"}, "body"),
        ({"body": "T", "tags": ["a"], "m": {"text": "b"}}, "body"),
    ],
)
@pytest.mark.parametrize("name", ["in.jsonl", "in.parquet"])
def test_the_text_field_is_found(
    run: Callable, tmp_path: Path, name: str, fields: dict, found: str
) -> None:
    rows = [{k: (ROWS[i]["text"] if v == "T" else v) for k, v in fields.items()} for i in range(20)]
    if name == "in.jsonl":
        (tmp_path / name).write_bytes(jsonl(rows))
    else:
        write_columnar(tmp_path / name, pa.Table.from_pylist(rows))
    run("dedup", name, "-o", "out", "--quiet")
    assert ResultFolder(tmp_path / "out").manifest["fields"] == {
        "text": found, "id": "id" if "id" in fields else None
    }  # fmt: skip


@pytest.mark.parametrize("name", ["in.jsonl", "in.json", "in.parquet"])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [
                {"messages": [{"role": "user", "content": "one"}], "source": "web"},
                {"messages": [{"role": "user", "content": "two"}], "source": "web"},
            ],
            ["source (string)", "messages ("],
        ),
        (
            [
                {"content": {"body": "first text"}, "lang": "en"},
                {"content": {"body": "second text"}, "lang": "en"},
                {"content": {"body": "third text"}, "lang": "de"},
            ],
            ["content.body (string)", "lang (string)"],
        ),
        ([{"body": "a", "Content": "b", "n": 1}], ['"body", "Content"', "n ("]),
    ],
)
def test_no_other_field_is_taken_for_the_text(
    run: Callable, tmp_path: Path, name: str, rows: list[dict], said: list[str]
) -> None:
    if name == "in.parquet":
        write_columnar(tmp_path / name, pa.Table.from_pylist(rows))
    else:
        content = jsonl(rows) if name == "in.jsonl" else json.dumps(rows).encode()
        (tmp_path / name).write_bytes(content)
    failed = run("dedup", name, "-o", "out", code=2)
    assert len(failed.stderr.splitlines()) == 1
    assert all(word in failed.stderr for word in ["--text-field", *said]), failed.stderr
    assert not (tmp_path / "out").exists()


def test_summaries_name_the_fields(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(jsonl([{"Content": r["text"], "id": r["n"]} for r in ROWS]))
    (tmp_path / "none.jsonl").write_bytes(jsonl([{"body": r["text"]} for r in ROWS]))
    (tmp_path / "in.txt").write_text("a text without fields")
    commands = {
        "dedup": "out", "pairs": "out.pairs", "nearest": "out.near", "sketch": "out.sketches",
        "weights": "out.tsv", "plan": "", "filter": "out.answers",
    }  # fmt: skip
    for command, output in commands.items():
        into = ["-o", output] if output else []
        shown = run(command, "in.jsonl", *into)
        rows = [row.split(maxsplit=1) for row in (shown.stdout + shown.stderr).splitlines()]
        assert ["fields", 'text "Content", id "id"'] in rows, command
        for path in tmp_path.glob("out*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        found = run(command, "in.jsonl", *into, "--json").json["fields"]
        assert found == {"text": "Content", "id": "id"}, command
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--overwrite")
    manifest = ResultFolder(tmp_path / "out").manifest
    assert manifest["fields"] == {"text": "Content", "id": "id"}
    assert '"fields":{"text":"Content","id":"id"}' in (tmp_path / "out/report.html").read_text()
    assert run("dedup", "none.jsonl", "-o", "none", "--json").json["fields"]["id"] is None
    assert run("dedup", "in.txt", "-o", "text", "--json").json["fields"]["text"] is None


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("output", ["copies", "annotated"])
def test_an_array_of_objects(
    run: Callable, tmp_path: Path, expected: tuple, indent: int | None, output: str
) -> None:
    (tmp_path / "in.json").write_text(json.dumps(ROWS, indent=indent))
    run("dedup", "in.json", "-o", "out", *OPTIONS, "--output", output)
    result = ResultFolder(tmp_path / "out")
    assert removals(result) == expected[1]
    folder = "kept" if output == "copies" else "annotated"
    rows = json.loads((tmp_path / "out" / folder / "in.json").read_text())
    if output == "annotated":
        assert [row["id"] for row in rows if row["la_keep"]] == expected[0]
        rows = [{k: v for k, v in row.items() if k[:3] != "la_"} for row in rows]
        assert rows == ROWS
        return
    assert rows == [row for row in ROWS if row["id"] in set(expected[0])]
    kept = (tmp_path / "out/kept/in.json").read_bytes()
    assert kept.startswith(b"[\n") and kept.endswith(b"\n]\n")
    whole = json.dumps(ROWS, indent=indent)
    for row in rows:
        element = json.dumps(row, indent=indent).replace("\n", "\n  ")
        assert element in whole and element in kept.decode()


def test_an_array_on_standard_input_and_empty_ones(run: Callable, tmp_path: Path) -> None:
    done = run("dedup", "-", "-o", "out", "--json", "--text-field", "text", stdin=json.dumps(ROWS))
    assert done.json["records"]["in"] == len(ROWS)
    (tmp_path / "in.json").write_text(" [ ] \n")
    run("dedup", "in.json", "-o", "none", "--quiet")
    assert json.loads((tmp_path / "none/kept/in.json").read_text()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"text": "a"}, {"text": "b"}', "is not closed"),
        ('[{"text": "a"}, {"text": "b', "is not closed"),
        ('[{"text": "a"} {"text": "b"}]', "expected a comma or the closing bracket"),
        ('[{"text": "a"},]', "expected an element"),
        ('[{"text": "a"}] {"text": "b"}', "expected nothing after"),
    ],
)
def test_an_array_that_is_none(run: Callable, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "in.json").write_text(text)
    failed = run("dedup", "in.json", "-o", "out", code=2)
    assert said in failed.stderr and "in.json" in failed.stderr
    assert not (tmp_path / "out").exists()


def test_bad_elements_of_an_array_are_rejected(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(
        '[{"text": "one two"}, 5, "a, ]", {"text" 1}, [1, 2], {"text": 7},\n{"text": "three"}]'
    )
    run("dedup", "in.json", "-o", "out", "--quiet", code=3)
    result = ResultFolder(tmp_path / "out")
    assert [row["row"] for row in result.rejected] == [2, 3, 4, 5, 6]
    assert result.rejected_bytes("in.json") == b'5\n"a, ]"\n{"text" 1}\n[1, 2]\n{"text": 7}\n'
    assert result.kept_bytes("in.json") == b'[\n{"text": "one two"},\n{"text": "three"}\n]\n'


@pytest.mark.parametrize("name", ["in.csv", "in.tsv"])
@pytest.mark.parametrize(
    ("delimiter", "options"),
    [(";", []), ("|", []), (";", ["--delimiter", ";"]), (":", ["--delimiter", ":"]), ("\t", []),
     ("\t", ["--delimiter", "tab"]), (",", [])],
)  # fmt: skip
def test_other_delimiters(
    run: Callable, tmp_path: Path, expected: tuple, name: str, delimiter: str, options: list[str]
) -> None:
    (tmp_path / name).write_bytes(delimited(delimiter))
    run("dedup", name, "-o", "out", *OPTIONS, *options)
    result = ResultFolder(tmp_path / "out")
    assert removals(result) == expected[1]
    text = result.kept_bytes(name).decode()
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    assert [row[0] for row in rows[1:]] == expected[0]
    run("dedup", name, "-o", "noted", *OPTIONS, *options, "--output", "annotated")
    noted = (tmp_path / "noted/annotated" / name).read_text()
    header = next(csv.reader(io.StringIO(noted, newline=""), delimiter=delimiter))
    assert header == [*ROWS[0], "la_keep", "la_cluster", "la_copies", "la_duplicate_of",
                      "la_resemblance"]  # fmt: skip


def test_a_delimiter_is_checked(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id;text\nno such record\n")
    assert "--delimiter" in run("dedup", "in.csv", "-o", "out", code=2).stderr
    for bad in ('"', "ab", "\n"):
        failed = run("dedup", "in.csv", "-o", "out", "--delimiter", bad, code=2)
        assert "--delimiter" in failed.stderr and "tab" in failed.stderr


def test_tabs_and_quotes_that_are_text(run: Callable, tmp_path: Path) -> None:
    lines = [
        'id\ttext',
        '1\t"Never," he said, and left the room for good',
        '2\tan inch is written as 1" or so in many tables',
        '3\t"a text whose quote is never closed in this line',
        '4\t"a quoted one with ""quotes"" in it, as CSV has them"',
        '5\t"a text of',
        'two lines, as spreadsheets write it"',
        '6\t"one more that opens and is not closed',
        '7\tthe quote that ends this line would close it"',
    ]  # fmt: skip
    raw = "\n".join(lines).encode() + b"\n"
    (tmp_path / "in.tsv").write_bytes(raw)
    done = run("dedup", "in.tsv", "-o", "out", "--json")
    assert done.json["records"]["in"] == done.json["records"]["kept"] == 7
    assert ResultFolder(tmp_path / "out").kept_bytes("in.tsv") == raw


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
@pytest.mark.parametrize("name", ["in.parquet", "in.arrow"])
def test_text_of_bytes(
    run: Callable, tmp_path: Path, expected: tuple, name: str, kind: pa.DataType
) -> None:
    texts = pa.array([row["text"].encode() for row in ROWS], kind)
    table = TABLE.set_column(TABLE.column_names.index("text"), "text", texts)
    write_columnar(tmp_path / name, table)
    run("dedup", name, "-o", "out", *OPTIONS)
    result = ResultFolder(tmp_path / "out")
    assert removals(result) == expected[1]
    kept = read_columnar(tmp_path / "out/kept" / name)
    assert kept["text"].to_pylist() == [r["text"].encode() for r in ROWS if r["id"] in expected[0]]


def test_bytes_that_are_no_utf8_are_repaired(run: Callable, tmp_path: Path) -> None:
    table = pa.table({"text": pa.array([b"one \xff two", b"one two three"], pa.binary())})
    pq.write_table(table, tmp_path / "in.parquet")
    done = run("dedup", "in.parquet", "-o", "out", "--json")
    assert done.json["records"]["repaired_text"] == 1
    assert pq.read_table(tmp_path / "out/kept/in.parquet").equals(table)


def test_numbers_that_are_none_in_other_fields(run: Callable, tmp_path: Path) -> None:
    raw = (
        b'{"text": "one two three", "score": NaN, "id": 1}\n'
        b'{"score": -Infinity, "text": "four five \\u00e9 six", "id": 2, "deep": [{"x": NaN}]}\n'
        b'{"id": NaN, "text": "seven", "score": Infinity}\n'
        b'{"id": 4, "text": "eight \xff nine", "score": NaN}\n'
    )
    bad = b'{"id": 5, "text": NaN}\n{"id": 6, "text": "x", "score": NaNx}\n'
    (tmp_path / "in.jsonl").write_bytes(raw + bad)
    done = run("dedup", "in.jsonl", "-o", "out", "--json", "--keep", "field:score", code=3)
    result = ResultFolder(tmp_path / "out")
    assert result.kept_bytes("in.jsonl") == raw
    assert result.rejected_bytes("in.jsonl") == bad
    assert done.json["records"]["repaired_text"] == 1
    assert [row["row"] for row in result.rejected] == [5, 6]


STRINGS = {"title": "a", "abstract": "b"}
NO_STRINGS = {"n": 1, "m": 2}


@pytest.mark.parametrize(
    ("name", "fields", "options", "said"),
    [
        ("in.jsonl", STRINGS, [], ["--text-field", "title", "abstract"]),
        ("in.csv", STRINGS, [], ["--text-field", "title", "abstract"]),
        ("in.parquet", STRINGS, [], ["--text-field", "title", "abstract"]),
        ("in.jsonl", NO_STRINGS, [], ["--text-field", "n (", "m ("]),
        ("in.parquet", NO_STRINGS, [], ["--text-field", "n (", "m ("]),
        ("in.jsonl", STRINGS, ["--text-field", "content"], ["content", "title", "abstract"]),
        ("in.csv", STRINGS, ["--text-field", "content"], ["content", "title", "abstract"]),
        ("in.parquet", STRINGS, ["--text-field", "content"], ["content", "title", "abstract"]),
        ("in.jsonl", {"text": "a"}, ["--id-field", "url"], ["--id-field", "url", "text"]),
        ("in.parquet", {"text": "a"}, ["--id-field", "url"], ["--id-field", "url", "text"]),
        ("in.parquet", NO_STRINGS, ["--text-field", "n"], ["n", "int64"]),
    ],
)
def test_no_clear_field_lists_the_fields(
    run: Callable, tmp_path: Path, name: str, fields: dict, options: list[str], said: list[str]
) -> None:
    if name == "in.jsonl":
        (tmp_path / name).write_bytes(jsonl([fields]))
    elif name == "in.csv":
        (tmp_path / name).write_text(",".join(fields) + "\n" + ",".join(fields.values()) + "\n")
    else:
        write_columnar(tmp_path / name, pa.Table.from_pylist([fields]))
    failed = run("dedup", name, "-o", "out", *options, code=2)
    assert len(failed.stderr.splitlines()) == 1
    assert all(word in failed.stderr for word in said), failed.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
def test_annotated_rows_read_back(
    run: Callable, tmp_path: Path, expected: tuple, name: str
) -> None:
    if name == "in.jsonl":
        (tmp_path / name).write_bytes(jsonl())
    elif name == "in.csv":
        (tmp_path / name).write_bytes(delimited(","))
    else:
        write_columnar(tmp_path / name, TABLE)
    run("dedup", name, "-o", "out", *OPTIONS, "--output", "annotated")
    path = tmp_path / "out" / "annotated" / name
    assert not (tmp_path / "out" / "kept").exists()
    if name == "in.csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
        gone = [
            (r["id"], r["la_duplicate_of"], float(r["la_resemblance"]))
            for r in rows
            if r["la_keep"] == "false"
        ]
    else:
        rows = (
            read_columnar(path).to_pylist()
            if name == "in.parquet"
            else [json.loads(x) for x in path.open()]
        )
        gone = [
            (r["id"], r["la_duplicate_of"], r["la_resemblance"]) for r in rows if not r["la_keep"]
        ]
        added = {k for k in rows[0] if k.startswith("la_")}
        assert [{k: v for k, v in r.items() if k not in added} for r in rows] == ROWS
    assert gone == [(r[0], r[3], r[5]) for r in expected[1]]
    assert len(rows) == len(ROWS)
    sizes = {c["cluster"]: c["size"] for c in ResultFolder(tmp_path / "out").clusters}
    for row in rows:
        cluster = row["la_cluster"]
        assert int(row["la_copies"]) == (sizes[int(cluster)] if cluster not in (None, "") else 1)


def write_rows(path: Path, lines: bytes, table: pa.Table) -> None:
    """The same rows, in the format and codec that the name's end tells."""
    packed = {".gz": lambda: gzip.compress(lines, 1), ".bz2": lambda: bz2.compress(lines),
              ".lz4": lambda: lz4(lines), ".zst": lambda: zstandard.compress(lines),
              ".jsonl": lambda: lines}  # fmt: skip
    if path.suffix in packed:
        path.write_bytes(packed[path.suffix]())
    elif path.suffix == ".parquet":
        pq.write_table(table, path, compression="zstd")
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    elif path.suffix == ".arrow":
        with pyarrow.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    else:
        with pyarrow.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table, max_chunksize=50_000)


@pytest.mark.parametrize(
    "names",
    [
        ["rows.jsonl.zst", "rows.parquet"],
        pytest.param(
            ["rows.jsonl.gz", "rows.jsonl.bz2", "rows.jsonl.lz4", "rows.csv", "rows.arrow",
             "rows.arrows"],
            marks=pytest.mark.slow,
        ),
    ],
)  # fmt: skip
def test_the_design_does_not_depend_on_the_packing(
    run: Callable, tmp_path: Path, names: list[str]
) -> None:
    """The number of documents decides it. 400,000 short rows take 20 MB, packed a tenth of that."""
    rows = [{"id": i, "text": f"tiny row {i} of many"} for i in range(400_000)]
    lines, table = jsonl(rows), pa.Table.from_pylist(rows)
    designs = {}
    for name in ["rows.jsonl", *names]:
        write_rows(tmp_path / name, lines, table)
        designs[name] = run("plan", name, "--json").json["design"]
    assert len(set(designs.values())) == 1, designs
    (tmp_path / "few.jsonl").write_bytes(b"".join(lines.splitlines(keepends=True)[:1000]))
    assert run("plan", "few.jsonl", "--json").json["design"] not in designs.values()


def test_a_page_that_memory_has_no_room_for_is_refused(run: Callable, tmp_path: Path) -> None:
    """Pages are decoded as a whole, however few rows of them are asked for at a time."""
    rows = [{"id": str(i), "text": f"{i} " + "word " * 8_000_000} for i in range(2)]
    table = pa.Table.from_pylist(rows)
    for name, dictionary in (("plain", False), ("dictionary", True)):
        path = tmp_path / f"{name}.parquet"
        pq.write_table(table, path, use_dictionary=dictionary)
        failed = run("dedup", path.name, "-o", "out", "--quiet", "--memory", "64M", code=2)
        assert f"{path.name}: has a page of 77M, too large for --memory" in failed.stderr
        enough = failed.stderr.split("raise it to at least ")[1].split(",")[0]
        run("pairs", path.name, "-o", "pairs.jsonl", "--quiet", "--memory", enough, code=3)
        (tmp_path / "pairs.jsonl").unlink(missing_ok=True)
