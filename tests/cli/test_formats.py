"""One corpus in every format and codec: the same documents stay, and their rows are unchanged."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import random
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
    assert ResultFolder(tmp_path / "out").manifest["fields"] == {"text": found, "id": "id"}


STRINGS = {"title": "a", "body": "b"}
NO_STRINGS = {"n": 1, "m": 2}


@pytest.mark.parametrize(
    ("name", "fields", "options", "said"),
    [
        ("in.jsonl", STRINGS, [], ["--text-field", "title, body"]),
        ("in.csv", STRINGS, [], ["--text-field", "title, body"]),
        ("in.parquet", STRINGS, [], ["--text-field", "title, body"]),
        ("in.jsonl", NO_STRINGS, [], ["--text-field", "n, m"]),
        ("in.parquet", NO_STRINGS, [], ["--text-field", "n, m"]),
        ("in.jsonl", STRINGS, ["--text-field", "content"], ["content", "title, body"]),
        ("in.csv", STRINGS, ["--text-field", "content"], ["content", "title, body"]),
        ("in.parquet", STRINGS, ["--text-field", "content"], ["content", "title, body"]),
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
