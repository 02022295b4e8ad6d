"""Metadata from a field, and `index dump`, whose lines make the index again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lookalike
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

TEXT = " ".join(f"w{i}" for i in range(30))
Rows = list[dict[str, Any]]


@pytest.fixture
def kept(index: Callable[..., Any], tmp_path: Path) -> Callable[[Any], str | None]:
    """Returns what an index keeps of one value of a field."""

    def keep(value: Any) -> str | None:
        index("create", "seen")
        rows = [{"id": "a", "text": TEXT, "m": value}, {"id": "b", "text": "x", "m": "y"}]
        (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        index("add", "seen", "in.jsonl", "--metadata-field", "m")
        found: str | None = index("get", "seen", "a").json.get("metadata")
        return found

    return keep


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x", "x"),
        ("", None),
        (None, None),
        ('é\u0000\n\U0001f600\u2028"\\', 'é\u0000\n\U0001f600\u2028"\\'),
        ("\ud800", "\ufffd"),
        (5, "5"),
        (-(2**63), str(-(2**63))),
        (0.1, "0.1"),
        (1e300, "1e+300"),
    ],
)
def test_texts_and_numbers_are_kept(
    kept: Callable[[Any], str | None], value: Any, expected: str | None
) -> None:
    assert kept(value) == expected


@pytest.mark.parametrize("value", [2**64 - 1, 12345678901234567890123, 2**63])
def test_large_whole_numbers_are_kept_digit_by_digit(
    kept: Callable[[Any], str | None], value: int
) -> None:
    assert kept(value) == str(value)


@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_does_not_become_a_number(
    kept: Callable[[Any], str | None], value: bool
) -> None:
    assert kept(value) == json.dumps(value)


@pytest.mark.parametrize("value", [{}, {"a": 1.50, "b": ["é", None]}, [1, 2]])
def test_objects_and_lists_come_back_as_they_are(kept: Callable[[Any], Any], value: Any) -> None:
    assert kept(value) == value


@pytest.mark.parametrize("action", ["add", "load"])
def test_metadata_comes_back_with_matches(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], action: str
) -> None:
    index("create", "seen")
    rows: Rows = [
        {"id": "a", "text": TEXT, "from": {"url": "http://é"}},
        {"id": "b", "text": TEXT + " x", "from": {}},
    ]
    corpus = write_jsonl("in.jsonl", rows)
    index(action, "seen", corpus, "--metadata-field", "from.url")
    matches = index("query", "seen", "--text", TEXT, "--json").json["matches"]
    assert [match.get("metadata") for match in matches] == ["http://é", None]
    rows[1]["from"]["url"] = "now"
    counts = index(
        action, "seen", write_jsonl("in.jsonl", rows), "--metadata-field", "from.url", "--json"
    ).json
    assert (counts["unchanged"], counts["replaced"]) == (1, 1)
    (line,) = [line for line in index("list", "seen").stdout.splitlines() if '"b"' in line]
    assert json.loads(line)["metadata"] == "now"


@pytest.mark.parametrize("action", ["add", "load"])
def test_metadata_has_at_most_64_kib(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], action: str
) -> None:
    index("create", "seen")
    sizes = {"a": 65_536, "b": 65_537, "c": 32_768, "d": 32_769}
    rows = [
        {"id": name, "text": TEXT, "m": ("x" if name in "ab" else "é") * size}
        for name, size in sizes.items()
    ]
    words = [action, "seen", write_jsonl("in.jsonl", rows), "--metadata-field", "m", "--json"]
    added = index(*words, code=3)
    assert (added.json["added"], added.json["rejected"]) == (2, 2)
    assert added.stderr.splitlines() == [
        f"in.jsonl:{row}: the metadata has {size} bytes, up to 65536 are allowed; left out"
        for row, size in ((2, 65_537), (4, 65_538))
    ]
    assert index("get", "seen", "c").json["metadata"] == "é" * 32_768


def test_cells_of_csv_files_are_kept_as_they_are_written(
    index: Callable[..., Any], tmp_path: Path
) -> None:
    cells = ["007", "1.50", "12345678901234567890", "+5", "1e3", "nan", 'q,"r', " x ", ""]
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    lines = [f"d{i},{TEXT} {i},{cell}" for i, cell in enumerate(quoted)]
    (tmp_path / "in.csv").write_text("\n".join(["id,text,m", *lines, ""]))
    index("create", "seen")
    index("add", "seen", "in.csv", "--metadata-field", "m")
    rows = [json.loads(line) for line in index("list", "seen").stdout.splitlines()]
    assert [row.get("metadata", "") for row in rows] == cells


def test_metadata_of_parquet_files(index: Callable[..., Any], tmp_path: Path) -> None:
    columns = {"whole": pa.array([7, None], pa.int32()), "text": pa.array([TEXT, "z"]),
               "large": pa.array([2**63 - 1, 0]), "real": pa.array([0.25, 1.0]),
               "word": pa.array(["007", ""])}  # fmt: skip
    pq.write_table(pa.table({"id": ["d", "e"], **columns}), tmp_path / "in.parquet")
    found = {}
    for name in ("whole", "large", "real", "word"):
        index("create", name)
        index("add", name, "in.parquet", "--metadata-field", name)
        rows = [json.loads(line) for line in index("list", name).stdout.splitlines()]
        found[name] = [row.get("metadata") for row in rows]
    assert found == {"whole": ["7", None], "large": [str(2**63 - 1), "0"],
                     "real": ["0.25", "1"], "word": ["007", None]}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add", "seen", "in.jsonl", "--metadata-field", "gone"], '"gone"'),
        (["load", "seen", "in.jsonl", "--metadata-field", ""], "--metadata-field"),
        (["query", "seen", "in.jsonl", "--metadata-field", "m"], "it belongs to add, load"),
        (["create", "new", "--metadata-field", "m"], "--metadata-field"),
        (["dump", "seen"], "the index keeps no texts"),
        (["dump", "seen", "more"], "dump"),
        (["dump", "gone"], "there is no index"),
        (["dump"], "and an index"),
    ],
)
def test_refusals(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], words: list[str], said: str
) -> None:
    index("create", "seen")
    write_jsonl("in.jsonl", [{"id": "a", "text": TEXT, "m": "x"}])
    refused = index(*words, code=2)
    assert said in refused.stderr
    assert (refused.stdout, refused.stderr.count("\n")) == ("", 1)
    assert index("stats", "seen", "--json").json["documents"] == 0


def test_metadata_of_python(tmp_path: Path, write_jsonl: Callable[..., Path]) -> None:
    rows = [{"id": "a", "text": TEXT, "m": "é"}, {"id": "b", "text": "x", "m": 5}]
    corpus = write_jsonl("in.jsonl", rows)
    with lookalike.Index.create(tmp_path / "seen") as index:
        assert index.load(corpus, metadata="m").added == 2
        assert [row.metadata for row in index] == ["é", "5"]
        assert index.query(TEXT).matches[0].metadata == "é"
        assert index.load(corpus, metadata="m").unchanged == 2
        with pytest.raises(lookalike.LookalikeError, match="gone"):
            index.load(corpus, metadata="gone")
        assert index.add([("c", "y", "x" * 65_536)]).added == 1
        with pytest.raises(lookalike.LookalikeError, match="65537 bytes"):
            index.add([("d", "y", "x" * 65_537)])
        assert "d" not in index


def odd_rows() -> Rows:
    """Returns documents of all kinds of characters; the first one has metadata."""
    chance = random.Random(1)
    kinds = ["a ", *'é\u0000\u001f\n"\\\U0001f600\u2028\ufeff', "</p>"]
    rows: Rows = [{"id": "first", "text": TEXT, "metadata": "m"}]
    for i in range(200):
        odd = ["".join(chance.choices(kinds, k=chance.randint(0, 60))) for _ in range(2)]
        rows.append({"id": f"{i} {odd[0][:9]}", "text": odd[0]})
        if chance.random() < 0.5:
            rows[-1]["metadata"] = odd[1]
    return [*rows, {"id": "long", "text": "é" * 300_000}, {"id": "null", "text": None}]


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
@pytest.mark.parametrize("action", ["add", "load"])
def test_a_dump_makes_the_index_again(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], measure: str, action: str
) -> None:
    rows = odd_rows()
    corpus = write_jsonl("in.jsonl", rows)
    for name in ("seen", "again"):
        index("create", name, "--keep", "text", "--measure", measure)
    index("load", "seen", corpus, "--metadata-field", "metadata")
    dumped = corpus.with_name("dump.jsonl")
    dumped.write_text(index("dump", "seen").stdout, encoding="utf-8")
    lines = [json.loads(line) for line in dumped.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [(row["id"], row["text"], row.get("metadata", "")) for row in lines] == [
        (row["id"], row["text"] or "", row.get("metadata", "")) for row in rows
    ]
    words = [action, "again", dumped, "--metadata-field", "metadata", "--json"]
    assert index(*words).json["added"] == len(rows)
    assert index(*words).json["unchanged"] == len(rows)
    words[1] = "seen"
    assert index(*words).json["unchanged"] == len(rows)
    assert index("dump", "again").stdout == index("dump", "seen").stdout
    index("check", "again")


def test_a_dump_has_the_documents_that_are_there_in_the_order_of_adding(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    index("create", "seen", "--keep", "text")
    assert index("dump", "seen").stdout == ""
    index("add", "seen", write_jsonl("in.jsonl", [{"id": n, "text": TEXT} for n in "abcd"]))
    index("remove", "seen", "b")
    index("add", "seen", write_jsonl("in.jsonl", [{"id": "a", "text": "new"}]))
    lines = [json.loads(line) for line in index("dump", "seen").stdout.splitlines()]
    assert [(row["id"], row["text"]) for row in lines] == [("c", TEXT), ("d", TEXT), ("a", "new")]


@pytest.mark.parametrize("first", [0, 1, 2000])
def test_a_dump_can_be_read_back_if_its_first_documents_have_no_metadata(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], first: int
) -> None:
    """None has it if `first` is 0."""
    rows: Rows = [{"id": f"d{i}", "text": f"{i}"} for i in range(max(1, first))]
    if first:
        rows.append({"id": "late", "text": "x", "metadata": "m"})
    corpus = write_jsonl("in.jsonl", rows)
    for name in ("seen", "again"):
        index("create", name, "--keep", "text")
    if first:
        with lookalike.Index(corpus.with_name("seen"), "w") as opened:
            opened.add([(row["id"], row["text"], row.get("metadata", "")) for row in rows])
    else:
        index("load", "seen", corpus)
    dumped = index("dump", "seen").stdout
    words = ["load", "again", "-", "--metadata-field", "metadata", "--json"]
    assert index(*words, stdin=dumped).json["added"] == len(rows)
    assert index("dump", "again").stdout == dumped


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--shingle", "item"], ["x y", "b\nc", "é"]),
        (["--shingle", "series:3,1,2"], [1.5, 2, 3, 4, -5e-7]),
        (["--shingle", "point:1,0.5"], [1.5, 2]),
    ],
    ids=["items", "series", "point"],
)
def test_a_dump_of_other_texts_makes_the_index_again(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], options: list[str], text: Any
) -> None:
    for name in ("seen", "again"):
        index("create", name, "--keep", "text", *options)
    index("add", "seen", write_jsonl("in.jsonl", [{"id": "a", "text": text}]))
    dumped = write_jsonl("dump.jsonl", [])
    dumped.write_text(index("dump", "seen").stdout, encoding="utf-8")
    index("add", "again", dumped)
    assert index("dump", "again").stdout == index("dump", "seen").stdout
    assert index("add", "seen", dumped, "--json").json["unchanged"] == 1
