"""Bad input: the exit code, one clear message with the place, and nothing lost."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
import zstandard
from good_documents import FIELDS, GOOD, OF_LIBRARIES, leftovers, lines_of, message_of
from result_folder import ResultFolder


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.jsonl"
    path.write_bytes(lines_of(GOOD))
    return path


@pytest.fixture
def fails(run: Callable, good: Path, tmp_path: Path) -> Callable[..., str]:
    """A run over this input fails with one message and leaves the earlier result as it was."""

    def call(*inputs: str | Path, place: str, options: list[str] = FIELDS, **how: object) -> str:
        if not (tmp_path / "out").exists():
            run("dedup", good, "-o", "out", "--quiet")
        before = ResultFolder(tmp_path / "out").digest()
        done = run("dedup", *inputs, "-o", "out", "--overwrite", "--quiet", *options, code=2, **how)
        assert done.stdout == ""
        assert ResultFolder(tmp_path / "out").digest() == before
        assert leftovers(tmp_path) == []
        return message_of(done.stderr, place)

    return call


# Records


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{broken", "malformed JSON"),
        (b'{"id": "x", "text": "no end', "malformed JSON"),
        (b'{"id": "x", "text": "a"} trailing', "malformed JSON"),
        (b'{"id": "x", "text": "raw \x00 byte"}', "malformed JSON"),
        (b"\x00\x00\x00\x00", "malformed JSON"),
        (b"\xff\xfe\xfd", "malformed JSON"),
        (b'{"id": "x", "text": "' + b"[" * 30 + b'", "deep": ' + b"[" * 5000 + b"}", "malformed"),
        (b'{"id": "x"}', 'field "text" is missing'),
        (b'{"id": "x", "Text": "other case"}', 'field "text" is missing'),
        (b'{"id": "x", "text": 5}', "is a number, expected a string"),
        (b'{"id": "x", "text": ["a"]}', "is an array, expected a string"),
        (b"[]", "expected an object"),
        (b"null", "expected an object"),
    ],
)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_bad_record(run: Callable, tmp_path: Path, line: bytes, said: str, line_end: bytes) -> None:
    rows = [json.dumps(row).encode() for row in GOOD]
    raw = line_end.join([*rows[:7], line, *rows[7:], line])  # the last line has no end
    (tmp_path / "in.jsonl").write_bytes(raw)
    done = run("dedup", "in.jsonl", "-o", "out", *FIELDS, code=3)
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(GOOD) + 2)
    assert [(r["source"], r["row"]) for r in result.rejected] == [("in.jsonl", 8), ("in.jsonl", 23)]
    assert all(said in r["reason"] for r in result.rejected)
    assert not any(word in done.stderr for word in OF_LIBRARIES)
    assert [text.split(" ")[0] for text in done.stderr.splitlines()] == [
        "in.jsonl:8:",
        "in.jsonl:23:",
    ]
    assert result.rejected_bytes("in.jsonl") == line + line_end + line + b"\n"
    kept = [row for row in rows if b'"copy"' not in row]
    assert result.kept_bytes("in.jsonl") == b"".join(row + line_end for row in kept)


def test_invalid_utf8_and_surrogates_are_counted_and_stay(run: Callable, tmp_path: Path) -> None:
    raw = (
        b'{"id": 1, "text": "bad \xff\xc3 byte in it"}\n'
        b'{"id": 2, "text": "half \\ud83d of a pair"}\n'
        b'{"id": 3, "text": "other half \\ude00"}\n'
        b'{"id": 4, "text": "whole pair \\ud83d\\ude00"}\n'
        b'{"id": 5, "text": "overlong \xc0\xaf slash"}\n'
        b'{"id": 6, "text": "surrogate \xed\xa0\x80 in bytes"}\n'
    )
    (tmp_path / "in.jsonl").write_bytes(raw)
    done = run("dedup", "in.jsonl", "-o", "out", "--json")
    assert done.json["records"]["repaired_text"] == 5
    result = ResultFolder(tmp_path / "out")
    assert result.kept_bytes("in.jsonl") == raw
    result.check_nothing_lost(6)


def test_repaired_text_stays_in_csv_and_parquet(run: Callable, tmp_path: Path) -> None:
    raw = b"id,text\n1,bad \xff byte\n2,good byte\n"
    (tmp_path / "in.csv").write_bytes(raw)
    values = pa.array([b"bad \xff byte", b"good byte"]).view(pa.utf8())
    pq.write_table(pa.table({"id": ["3", "4"], "text": values}), tmp_path / "in.parquet")
    done = run("dedup", "in.csv", "in.parquet", "-o", "out", "--json", "--threshold", "1")
    assert done.json["records"]["repaired_text"] == 2
    assert done.json["records"]["removed_exact"] == 2
    assert ResultFolder(tmp_path / "out").kept_bytes("in.csv") == raw


def test_nul_is_a_byte_like_others(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b'{"id": "a\\u0000b", "text": "one \\u0000 two"}\n' * 2)
    (tmp_path / "in.csv").write_bytes(b"id,text\nc,one \x00 two\nd,\x00\n")
    (tmp_path / "in.txt").write_bytes(b"one \x00 two")
    run("dedup", "in.jsonl", "in.csv", "in.txt", "-o", "out")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(5)
    assert [(r["id"], r["duplicate_of"]) for r in result.removed] == [
        ("a\0b", "a\0b"), ("c", "a\0b"), ("in.txt:1", "a\0b"),
    ]  # fmt: skip
    assert result.kept_bytes("in.csv") == b"id,text\nd,\x00\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_byte_order_mark_and_line_ends(
    run: Callable, tmp_path: Path, mark: bytes, line_end: bytes
) -> None:
    jsonl = [json.dumps(row).encode() for row in GOOD]
    table = [b"id,text"] + [f"{row['id']},{row['text']}".encode() for row in GOOD]
    (tmp_path / "in.jsonl").write_bytes(mark + b"".join(line + line_end for line in jsonl))
    (tmp_path / "in.csv").write_bytes(mark + b"".join(line + line_end for line in table))
    for name, lines in (("in.jsonl", jsonl), ("in.csv", table)):
        run("dedup", name, "-o", f"out-{name}")
        result = ResultFolder(tmp_path / f"out-{name}")
        kept = [line for line in lines if b"copy" not in line]
        assert result.kept_bytes(name) == b"".join(line + line_end for line in kept)
        assert [r["id"] for r in result.removed] == ["copy"]


def test_utf16_says_what_to_do(fails: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes('{"text": "a"}\n'.encode("utf-16"))
    assert "iconv" in fails("in.jsonl", place="in.jsonl", options=[])


def test_a_line_of_200_megabytes(run: Callable, tmp_path: Path) -> None:
    before, after = GOOD[:10], GOOD[10:]
    line = b'{"id": "long", "text": "' + b"a few words" + b" " * (200 << 20) + b'"}\n'
    with open(tmp_path / "in.jsonl", "wb") as file:
        file.writelines([lines_of(before), line, lines_of(after)])
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--memory", "8G")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(GOOD) + 1)
    assert result.kept_bytes("in.jsonl") == lines_of(before) + line + lines_of(GOOD[10:20])

    refused = run("dedup", "in.jsonl", "-o", "cut", "--max-record", "1M", code=3)
    assert refused.stderr.startswith("in.jsonl:11: ") and "--max-record" in refused.stderr
    result = ResultFolder(tmp_path / "cut")
    result.check_nothing_lost(len(GOOD) + 1)
    assert result.kept_bytes("in.jsonl") == lines_of(GOOD[:20])
    assert result.rejected_bytes("in.jsonl") == line[: 2**20] + b"\n"


def words_of(count: int, seed: int) -> str:
    chance = random.Random(seed)
    return " ".join(f"{chance.getrandbits(30):07x}" for _ in range(count))


@pytest.mark.parametrize("name", ["in.jsonl", "in.json", "in.csv"])
def test_records_that_the_memory_has_no_room_for(
    run: Callable, tmp_path: Path, name: str
) -> None:
    rows = [{"id": str(i), "text": words_of(200_000, i)} for i in range(6)]  # 1.6 MB each
    rows[3]["text"] = rows[0]["text"] + " more"
    rows[2:2] = [{"id": "long", "text": words_of(2_500_000, 7)}] * 2
    table = pa.Table.from_pylist(rows)
    if name == "in.csv":
        pyarrow.csv.write_csv(table, tmp_path / name)
    elif name == "in.json":
        (tmp_path / name).write_text(json.dumps(rows))
    else:
        (tmp_path / name).write_bytes(lines_of(rows))
    done = run("dedup", name, "-o", "out", "--json", "--memory", "64M", code=3)
    said = done.stderr.splitlines()
    assert "records of more than 2M are rejected" in said[0] and "--memory" in said[0]
    assert len(said) == 3
    assert all("2097152 bytes" in line and "--memory" in line for line in said[1:])
    result = ResultFolder(tmp_path / "out")
    assert [row["row"] for row in result.rejected] == [3, 4]
    assert [row["id"] for row in result.removed] == ["3"]
    assert done.json["peak_memory_bytes"] < 110 << 20
    again = run("dedup", name, "-o", "all", "--json", "--memory", "4G")
    assert again.json["records"]["in"] == 8 and again.stderr == ""


@pytest.mark.parametrize("name", ["in.csv", "in.parquet", "in.txt"])
def test_max_record_in_other_formats(run: Callable, tmp_path: Path, name: str) -> None:
    rows = [
        {"id": "a", "text": "short"},
        {"id": "b", "text": "long " * 50},
        {"id": "c", "text": "brief"},
    ]
    table = pa.Table.from_pylist(rows)
    if name == "in.csv":
        (tmp_path / name).write_text(
            "id,text\n" + "".join(f"{r['id']},{r['text']}\n" for r in rows)
        )
    elif name == "in.parquet":
        pq.write_table(table, tmp_path / name)
    else:
        (tmp_path / name).write_text(rows[1]["text"])
    done = run("dedup", name, "-o", "out", "--max-record", "100", code=3)
    row = 1 if name == "in.txt" else 2
    assert f"{name}:{row}: " in done.stderr
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(1 if name == "in.txt" else 3)
    if name == "in.parquet":
        assert pq.read_table(tmp_path / "out" / "kept" / name).equals(table.take([0, 2]))
        assert pq.read_table(tmp_path / "out" / "rejected" / name).equals(table.take([1]))


def test_thousands_of_tiny_lines(run: Callable, tmp_path: Path) -> None:
    """A block of input with more records than are worked on at a time, good, bad and blank."""
    lines = []
    for i in range(20_000):
        lines.append(b"{" if i % 500 == 7 else b"" if i % 900 == 5 else b'{"text":"w%d"}' % (i % 3000))
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", code=3)
    result = ResultFolder(tmp_path / "out")
    bad = [i + 1 for i, line in enumerate(lines) if line == b"{"]
    assert [row["row"] for row in result.rejected] == bad
    first: dict[bytes, int] = {}
    expected = []
    for i, line in enumerate(lines):
        if line not in (b"", b"{") and first.setdefault(line, i + 1) != i + 1:
            expected.append((i + 1, first[line]))
    assert [(row["row"], row["duplicate_of_row"]) for row in result.removed] == expected
    assert result.kept_bytes("in.jsonl") == b"".join(lines[row - 1] + b"\n" for row in first.values())


def test_max_errors(run: Callable, fails: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"{x\n" * 3 + lines_of(GOOD))
    run("dedup", "in.jsonl", "-o", "fine", "--max-errors", "3", *FIELDS, code=3)
    done = run("dedup", "in.jsonl", "-o", "no", "--max-errors", "2", *FIELDS, code=2)
    assert "--max-errors" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "no").exists() and leftovers(tmp_path) == []
    (tmp_path / "one.jsonl").write_bytes(b"{x\n" + lines_of(GOOD))
    done = run("dedup", "one.jsonl", "-o", "no", "--max-errors", "0", *FIELDS, code=2)
    assert "one.jsonl:1: " in done.stderr and not (tmp_path / "no").exists()


def test_repeated_ids_lose_nothing(run: Callable, tmp_path: Path) -> None:
    rows = [{"id": "same", "text": row["text"]} for row in GOOD]
    (tmp_path / "in.jsonl").write_bytes(lines_of(rows))
    run("dedup", "in.jsonl", "-o", "out")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(rows))
    assert result.kept_bytes("in.jsonl") == lines_of(rows[:20])
    assert [(r["row"], r["duplicate_of_row"]) for r in result.removed] == [(21, 4)]
    assert result.manifest["notes"]["repeated_ids"] == 20


# Files


@pytest.mark.parametrize(
    "name", ["in.jsonl", "in.csv", "in.tsv", "in.txt", "in.parquet", "in.arrow", "in.arrows", "in"]
)
def test_an_empty_file_has_no_records(run: Callable, good: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    run("dedup", name, good, "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(GOOD))
    assert result.kept_bytes("good.jsonl") == lines_of(GOOD[:20])
    run("dedup", name, "-o", "alone", "--quiet")
    ResultFolder(tmp_path / "alone").check_nothing_lost(0)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, bz2.compress])
def test_an_empty_compressed_file(run: Callable, tmp_path: Path, pack: Callable) -> None:
    (tmp_path / "in.jsonl").write_bytes(pack(b""))
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    ResultFolder(tmp_path / "out").check_nothing_lost(0)


def arrow_stream() -> bytes:
    table = pa.Table.from_pylist(GOOD * 50)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return sink.getvalue().to_pybytes()


def arrow_file() -> bytes:
    table = pa.Table.from_pylist(GOOD * 50)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    return sink.getvalue().to_pybytes()


def parquet_file() -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(GOOD * 50), sink, row_group_size=100)
    return sink.getvalue().to_pybytes()


def lz4_compress(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


RAW = lines_of(GOOD * 500)
WHOLE = {
    "in.jsonl.gz": gzip.compress(RAW, mtime=0),
    "in.jsonl.zst": zstandard.compress(RAW),
    "in.jsonl.bz2": bz2.compress(RAW),
    "in.jsonl.lz4": lz4_compress(RAW),
    "in.csv.gz": gzip.compress(b"id,text\n" + b"1,a few words\n" * 20000, mtime=0),
    "in.parquet": parquet_file(),
    "in.arrow": arrow_file(),
    "in.arrows": arrow_stream(),
}


@pytest.mark.parametrize("share", [0.02, 0.5, 0.999])
@pytest.mark.parametrize("name", WHOLE)
def test_a_truncated_file_fails_and_can_be_skipped(
    run: Callable, fails: Callable, good: Path, tmp_path: Path, name: str, share: float
) -> None:
    whole = WHOLE[name]
    (tmp_path / name).write_bytes(whole[: max(12, int(len(whole) * share))])
    fails(good, name, place=name)
    run("dedup", good, "-o", "alone", "--quiet")
    done = run("dedup", name, good, "-o", "skipped", "--skip-bad-inputs", "--json", code=3)
    assert "input skipped" in done.stderr and done.json["records"]["skipped_inputs"] == 1
    alone, skipped = ResultFolder(tmp_path / "alone").digest(), ResultFolder(tmp_path / "skipped")
    skipped.check_nothing_lost(len(GOOD))
    for file in ("kept/good.jsonl", "removed.jsonl", "clusters.jsonl", "rejected.jsonl"):
        assert skipped.digest()[file] == alone[file], file
    assert not (skipped.path / "kept" / name).exists()


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_file_is_no_error(run: Callable, tmp_path: Path, name: str) -> None:
    """So that the truncation is what the test above finds."""
    (tmp_path / name).write_bytes(WHOLE[name])
    run("dedup", name, "-o", "out", "--quiet")


@pytest.mark.parametrize(
    "name", ["in.jsonl.gz", "in.jsonl.zst", "in.jsonl.bz2", "in.jsonl.lz4", "in.parquet"]
)
def test_a_corrupt_file_fails_or_is_read_whole(
    run: Callable, good: Path, tmp_path: Path, name: str
) -> None:
    """A byte changed in the middle: never a crash, never half a result."""
    whole = bytearray(WHOLE[name])
    whole[len(whole) // 2] ^= 0x55
    (tmp_path / name).write_bytes(whole)
    done = run("dedup", name, good, "-o", "out", *FIELDS, code=None)
    assert done.code in (0, 2, 3)
    if done.code == 2:
        message_of(done.stderr, name)
        assert not (tmp_path / "out").exists() and leftovers(tmp_path) == []
    if name in ("in.jsonl.gz", "in.jsonl.bz2"):  # these have a checksum
        assert done.code == 2


def test_many_bad_inputs_among_good_ones(run: Callable, tmp_path: Path) -> None:
    """Bad ones before, between and after the good: these are processed as if they were alone."""
    for n in range(6):
        rows = [{"id": f"{n}-{row['id']}", "text": f"{row['text']} {n % 2}"} for row in GOOD]
        name = f"{n}.jsonl"
        (tmp_path / name).write_bytes(lines_of(rows))
        (tmp_path / f"bad{n}.jsonl.gz").write_bytes(gzip.compress(lines_of(rows * 300), 1)[:-20])
    good = [f"{n}.jsonl" for n in range(6)]
    mixed = [
        name for n in range(6) for name in (f"bad{n}.jsonl.gz", f"missing{n}.jsonl", f"{n}.jsonl")
    ]
    run("dedup", *good, "-o", "alone", "--quiet")
    done = run("dedup", *mixed, "-o", "mixed", "--quiet", "--skip-bad-inputs", code=3)
    assert len(done.stderr.splitlines()) == 12
    alone, found = ResultFolder(tmp_path / "alone"), ResultFolder(tmp_path / "mixed")
    assert found.removed == alone.removed and found.clusters == alone.clusters
    assert all(found.kept_bytes(name) == alone.kept_bytes(name) for name in good)
    assert found.records == alone.records
    assert found.manifest["notes"]["skipped_inputs"] == 12
    assert found.manifest["recall"] == alone.manifest["recall"]


def test_a_skipped_input_leaves_no_trace_in_the_audit(run: Callable, tmp_path: Path) -> None:
    """The sample is that of the good inputs alone, although the bad one filled it at first."""
    chance = random.Random(2)

    def texts(count: int) -> list[str]:
        return [" ".join(f"v{chance.randrange(10**6)}" for _ in range(12)) for _ in range(count)]

    good, other = texts(2500), texts(12000)
    (tmp_path / "a.jsonl").write_bytes(lines_of([{"text": text} for text in good]))
    (tmp_path / "b.jsonl.gz").write_bytes(
        gzip.compress(lines_of([{"text": t} for t in other]), 1)[:-20]
    )
    (tmp_path / "c.jsonl").write_bytes(lines_of([{"text": text + " end"} for text in good]))
    run("dedup", "a.jsonl", "c.jsonl", "-o", "alone", "--quiet")
    wanted = ResultFolder(tmp_path / "alone").manifest["recall"]
    assert wanted["sampled_documents"] == 1000 and wanted["sampled_pairs"] > 500
    for threads in (1, 8):
        run(
            "dedup", "a.jsonl", "b.jsonl.gz", "c.jsonl", "-o", "mixed", "--overwrite", "--quiet",
            "--skip-bad-inputs", "--threads", threads, code=3,
        )  # fmt: skip
        assert ResultFolder(tmp_path / "mixed").manifest["recall"] == wanted


def test_reasons_of_skipped_inputs_may_hold_any_byte(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines_of(GOOD))
    for name in ("b", "c"):
        (tmp_path / f"{name}.csv").write_bytes(b"id,bo\x00dy of " + name.encode() + b"\n1,x\n")
    done = run("dedup", "a.jsonl", "b.csv", "c.csv", "-o", "out", "--skip-bad-inputs", code=3)
    assert done.stderr.count("input skipped") == 2
    page = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    for name in ("b", "c"):
        assert f"its columns are: id, bo\\u0000dy of {name};" in page


def test_records_of_a_skipped_input_are_no_errors(run: Callable, tmp_path: Path) -> None:
    """--max-errors counts what is listed as rejected, which a skipped input's records are not."""
    chance = random.Random(3)
    rows = [{"text": f"{chance.randrange(10**60)} words"} for _ in range(60_000)]
    broken = gzip.compress(b"no object\n" + lines_of(rows), 1)[:-20]
    (tmp_path / "cut.jsonl.gz").write_bytes(broken)
    (tmp_path / "good.jsonl").write_bytes(b"no object\n" + lines_of(GOOD))
    call = ["dedup", "cut.jsonl.gz", "good.jsonl", "--skip-bad-inputs", "--quiet", *FIELDS]
    run(*call, "-o", "out", "--max-errors", "1", code=3)
    assert [row["source"] for row in ResultFolder(tmp_path / "out").rejected] == ["good.jsonl"]
    run(*call, "-o", "none", "--max-errors", "0", code=2)


@pytest.mark.parametrize(
    ("distance", "first", "last", "of_bad"),
    [
        ("l2", [[0, 0], [3, 4]], [[3, 4], [0], []], [1, 2, 3]),
        ("l2", [[0, 0], [3, 4]], [[3, 4], [0], []], [3, 4]),
        ("edit", ["sitten", "sitting"], ["kitten", "kittens", ""], "kitten"),
    ],
)
def test_no_point_of_a_skipped_input_stays(
    run: Callable, tmp_path: Path, distance: str, first: list, last: list, of_bad: object
) -> None:
    """Nor how many numbers its points have, nor its records; wherever it is among the others."""
    field = "text" if distance == "edit" else "vector"
    for name, texts in (("first", first), ("last", last)):
        rows = [{"id": f"{name}{i}", field: text} for i, text in enumerate(texts)]
        (tmp_path / f"{name}.jsonl").write_bytes(lines_of(rows))
    rows = [{"id": f"bad{i:09}", field: of_bad} for i in range(40_000)]
    broken = gzip.compress(lines_of([{"id": "no point", field: [1, "x"]}, *rows]), 1)[:-20]
    (tmp_path / "cut.jsonl.gz").write_bytes(broken)
    options = ["--distance", distance, "--within", "4", "--json"]
    run("pairs", "first.jsonl", "last.jsonl", "-o", "good", *options, code=None)
    assert (tmp_path / "good").stat().st_size > 0
    for number, inputs in enumerate((["cut.jsonl.gz", "first.jsonl", "last.jsonl"],
                                     ["first.jsonl", "cut.jsonl.gz", "last.jsonl"],
                                     ["first.jsonl", "last.jsonl", "cut.jsonl.gz"])):  # fmt: skip
        most = ["--max-errors", "1"] if number == 0 else []  # one of each of two inputs
        done = run("pairs", *inputs, "-o", f"{number}", *options, *most, "--skip-bad-inputs",
                   code=3)  # fmt: skip
        assert (tmp_path / f"{number}").read_bytes() == (tmp_path / "good").read_bytes()
        rejected = 1 if distance == "l2" else 0
        records = done.json["records"]
        assert (records["in"], records["rejected"], records["skipped_inputs"]) == (5, rejected, 1)  # fmt: skip


def test_all_inputs_skipped(run: Callable, tmp_path: Path) -> None:
    done = run("dedup", "missing.jsonl", "-o", "out", "--skip-bad-inputs", "--quiet", code=3)
    message_of(done.stderr, "missing.jsonl")
    ResultFolder(tmp_path / "out").check_nothing_lost(0)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, bz2.compress])
def test_a_decompression_bomb(
    run: Callable, fails: Callable, tmp_path: Path, pack: Callable
) -> None:
    zeros = bytes(70 << 20)
    bomb = (
        pack(b'{"id": "x", "text": "' + zeros)
        if pack is not gzip.compress
        else gzip.compress(zeros, 9)
    )
    (tmp_path / "bomb.jsonl").write_bytes(bomb)
    said = fails("bomb.jsonl", place="bomb.jsonl", options=["--max-expansion", "100"])
    assert "decompression bomb" in said
    # Taken for honest, it is one record that is too long.
    options = ["--max-expansion", "1e9", "--max-record", "1M", "--text-field", "text"]
    run("dedup", "bomb.jsonl", "-o", "told", *options, code=3)
    ResultFolder(tmp_path / "told").check_nothing_lost(1)


def test_a_bomb_of_short_lines(fails: Callable, tmp_path: Path) -> None:
    """No record is long; the ratio of the whole tells."""
    (tmp_path / "bomb.jsonl").write_bytes(
        zstandard.compress(b'{"id": "x", "text": "%s"}\n' % (b"a" * 4000) * 20000)
    )
    said = fails("bomb.jsonl", place="bomb.jsonl")
    assert "decompression bomb" in said and "--skip-bad-inputs" in said


def test_one_base_name_in_two_folders(run: Callable, fails: Callable, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / "part.jsonl").write_bytes(lines_of(GOOD))
    said = fails("in/x/part.jsonl", "in/x", place="in/x/part.jsonl")
    assert "passed twice" in said
    for inputs in (["in"], ["in/x/part.jsonl", "in/y/part.jsonl"]):
        run("dedup", *inputs, "-o", "both", "--quiet", "--overwrite")
        result = ResultFolder(tmp_path / "both")
        result.check_nothing_lost(2 * len(GOOD))
        assert result.kept_bytes("x/part.jsonl") == lines_of(GOOD[:20])
        assert result.kept_bytes("y/part.jsonl") == b""


@pytest.mark.parametrize(
    "name", ["no-such.jsonl", "no/such/folder/in.jsonl", "*.nothing", "s3://bucket/x"]
)
def test_no_such_input(fails: Callable, name: str) -> None:
    fails(name, place=name)


def test_a_link_to_nowhere(run: Callable, fails: Callable, good: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.jsonl").symlink_to("nowhere.jsonl")
    shutil.copy(good, tmp_path / "in" / "good.jsonl")
    fails("in/link.jsonl", place="in/link.jsonl")
    for options in ([], ["--skip-bad-inputs"]):  # nobody vouched for each file of the folder
        done = run("dedup", "in", "-o", "out", "--overwrite", "--quiet", *options, code=3)
        message_of(done.stderr, "in/link.jsonl")
        ResultFolder(tmp_path / "out").check_nothing_lost(len(GOOD))


def test_a_pipe_is_refused(fails: Callable, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert "not a regular file" in fails("pipe.jsonl", place="pipe.jsonl")


def test_an_empty_folder(fails: Callable, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    fails("nothing", place="nothing")


def run_unprivileged(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs without the rights of root, who may read everything."""
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv to give up the rights of root")
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def open_folder(binary: Path) -> Iterator[tuple[Path, Path]]:
    """A folder and a copy of the command that every user may reach."""
    with tempfile.TemporaryDirectory(prefix="lookalike-open-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        command = folder / "lookalike"
        shutil.copy(binary, command)
        command.chmod(0o755)
        probe = run_unprivileged([str(command), "--version"], folder)
        if probe.returncode != 0:
            pytest.skip("another user cannot run the command here: " + probe.stderr)
        yield folder, command


def test_an_unreadable_file(open_folder: tuple[Path, Path]) -> None:
    folder, command = open_folder
    (folder / "good.jsonl").write_bytes(lines_of(GOOD))
    (folder / "secret.jsonl").write_bytes(lines_of(GOOD))
    (folder / "secret.jsonl").chmod(0)
    done = run_unprivileged([str(command), "dedup", "good.jsonl", "secret.jsonl", "-o", "out"], folder)
    assert done.returncode == 2
    assert "ermission" in message_of(done.stderr, "secret.jsonl")
    assert not (folder / "out").exists() and leftovers(folder) == []
    done = run_unprivileged(
        [str(command), "dedup", "good.jsonl", "secret.jsonl", "-o", "out", "--skip-bad-inputs"],
        folder,
    )
    assert done.returncode == 3
    ResultFolder(folder / "out").check_nothing_lost(len(GOOD))


def test_an_output_that_may_not_be_written(open_folder: tuple[Path, Path]) -> None:
    folder, command = open_folder
    (folder / "good.jsonl").write_bytes(lines_of(GOOD))
    (folder / "closed").mkdir(mode=0o755)
    if os.geteuid() != 0:
        (folder / "closed").chmod(0o555)
    done = run_unprivileged([str(command), "dedup", "good.jsonl", "-o", "closed/out"], folder)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert "closed/out" in done.stderr and list((folder / "closed").iterdir()) == []
