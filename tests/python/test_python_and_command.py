"""Python and the command are one engine: what one finds, the other finds."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
json_lines = pytest.importorskip("pyarrow.json")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

PEPS = Path(__file__).resolve().parents[1] / "data" / "peps" / "peps.jsonl.zst"
OPTIONS: list[dict[str, Any]] = [
    {},
    {"threshold": 0.6, "keep": "longest", "cluster": "components"},
    {"shingle": "word:3", "min_features": 5, "seed": 3, "audit_documents": 50},
    {"method": "exact", "threads": 1, "exact_empty": True, "audit_documents": 0},
    {"design": "bands:20x5", "sketch": "permutations:128", "memory": "256M"},
    {"keep": "field:date:desc", "output": "annotated"},
    {"preset": "news"},
]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fourth of the peps, of a fourth of the time."""
    path = tmp_path_factory.mktemp("peps") / "some.jsonl"
    with pa.CompressedInputStream(pa.OSFile(str(PEPS)), "zstd") as stream:
        path.write_bytes(b"".join(stream.read().splitlines(keepends=True)[::4]))
    return path


@pytest.fixture(scope="module")
def peps(some: Path) -> pa.Table:
    """The same in memory."""
    return json_lines.read_json(
        some, read_options=json_lines.ReadOptions(block_size=1 << 28)
    )


def flags_of(options: dict[str, Any]) -> list[str]:
    flags = []
    for keyword, value in options.items():
        flags.append("--" + keyword.replace("_", "-"))
        flags += [] if value is True else [str(value)]
    return flags


def files_of(folder: Path) -> dict[str, bytes]:
    """All files; of the manifest what does not change from run to run."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            files[str(path.relative_to(folder))] = path.read_bytes()
    manifest = json.loads(files["manifest.json"])
    names = ("records", "options", "options_digest", "recall", "inputs", "clusters", "search")
    files["manifest.json"] = json.dumps([manifest[name] for name in names]).encode()
    files.pop("report.html")
    return files


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_dedup_of_a_file_writes_what_the_command_writes(
    options: dict[str, Any], command: Any, tmp_path: Path, some: Path
) -> None:
    path = some if options else PEPS
    done = command("dedup", path, "-o", tmp_path / "command", "--quiet", "--text-field", "text",
                   *flags_of(options))  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = lookalike.dedup(path, save_to=tmp_path / "python", **options)
    assert len(result.removed) > 20
    assert files_of(tmp_path / "python") == files_of(tmp_path / "command")
    removed = [json.loads(line) for line in (tmp_path / "command/removed.jsonl").open()]
    assert result.removed.to_pylist() == removed


@pytest.mark.parametrize("options", OPTIONS[1:3], ids=str)
def test_dedup_of_a_table_decides_as_for_its_file(
    options: dict[str, Any], peps: pa.Table, some: Path
) -> None:
    file, table = lookalike.dedup(some, **options), lookalike.dedup(peps, **options)
    columns = ["id", "row", "kind", "duplicate_of", "duplicate_of_row", "resemblance", "cluster"]
    assert table.removed.select(columns).equals(file.removed.select(columns))
    assert table.clusters.equals(file.clusters)
    assert table.kept["id"].equals(file.kept["id"])
    assert table.kept["text"].to_pylist() == file.kept["text"].to_pylist()
    assert table.manifest["recall"] == file.manifest["recall"]


@pytest.mark.parametrize(
    "options", [{}, {"threshold": 0.6}, {"method": "exact", "audit_documents": 0}], ids=str
)
def test_pairs_are_those_of_the_command(
    options: dict[str, Any], command: Any, tmp_path: Path, peps: pa.Table, some: Path
) -> None:
    done = command("pairs", some, "-o", tmp_path / "pairs.jsonl", "--quiet", *flags_of(options))
    assert done.returncode == 0, done.stderr
    expected = [json.loads(line) for line in (tmp_path / "pairs.jsonl").open()]
    assert len(expected) > 100
    for data in (some, peps):
        found = lookalike.pairs(data, **options)
        rows = [name for name in found.to_arrow().column_names if name[:-1] in ("row_", "source_")]
        assert found.to_arrow().drop_columns(rows).to_pylist() == expected
        assert len(found) == len(expected)


def test_a_plan_is_that_of_the_command(command: Any) -> None:
    done = command("plan", PEPS, "--json", "--threshold", "0.7")
    expected = json.loads(done.stdout)
    found = lookalike.plan(PEPS, threshold=0.7)
    assert found.pairs == expected["pairs"]
    assert found.documents == 1634
    assert found.chosen["design"] == expected["design"]


def test_texts_are_compared_as_by_the_command(command: Any, tmp_path: Path) -> None:
    a, b = "one two three four five six \u00e9 seven", "zero one two three four five six e seven"
    (tmp_path / "a.txt").write_text(a, encoding="utf-8")
    (tmp_path / "b.txt").write_text(b, encoding="utf-8")
    for options in ({}, {"shingle": "word:2"}, {"shingle": "char:3"}):
        done = command("compare", tmp_path / "a.txt", tmp_path / "b.txt", "--json",
                       *flags_of(options))  # fmt: skip
        expected = json.loads(done.stdout)
        found = lookalike.compare(a, b, **options)
        for name in ("resemblance", "containment_ab", "containment_ba", "common", "size_a"):
            assert getattr(found, name) == expected[name]
        assert [list(passage) for passage in found.passages] == [
            [passage[name] for name in ("a_begin", "a_end", "b_begin", "b_end")]
            for passage in expected["passages"]
        ]
        assert lookalike.resemblance(a, b, **options) == expected["resemblance"]
        assert lookalike.containment(b, a, **options) == expected["containment_ba"]


def test_exit_codes_and_arguments_of_the_command(command: Any, tmp_path: Path) -> None:
    assert command("--version").stdout.strip() == "lookalike " + lookalike.version()
    assert lookalike.version().startswith(lookalike.__version__)
    assert command("dedup", tmp_path / "none", "-o", tmp_path / "out").returncode == 2
    (tmp_path / "a b.jsonl").write_text('{"text": "x"}\nno json\n')
    done = command("dedup", "a b.jsonl", "-o", "out put", cwd=tmp_path)
    assert done.returncode == 3
    assert (tmp_path / "out put" / "manifest.json").exists()
    script = shutil.which("lookalike", path=str(Path(sys.executable).parent))
    assert script is not None
