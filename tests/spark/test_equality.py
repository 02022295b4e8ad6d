"""Command, Python, Spark and tasks of a shared folder give one answer for the same documents.

Real texts (every version of the PEPs, and licences where LOOKALIKE_TRUTH_SETS names a folder that
has them), corpora that are hard for a search by keys, and a million synthetic documents.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lookalike
import pyarrow as pa
import pytest

pytest.importorskip("pyspark")
from lookalike.spark import _program  # noqa: E402 - needs pyspark

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write")
#: What a row of removed.jsonl says, whoever wrote it.
FACTS = ("id", "row", "kind", "duplicate_of", "duplicate_of_row", "resemblance")
DOCUMENTS = 1_000_000


def unpacked(packed: Path, target: Path) -> None:
    target.write_bytes(pa.input_stream(packed, compression="zstd").read())


def peps(target: Path) -> None:
    unpacked(ROOT / "tests" / "data" / "peps" / "peps.jsonl.zst", target)


def licenses(target: Path) -> None:
    sets = Path(os.environ.get("LOOKALIKE_TRUTH_SETS", "no such folder"))
    if not sets.is_dir():
        pytest.skip("NO TRUTH SETS: set LOOKALIKE_TRUTH_SETS to a folder of them")
    unpacked(sets / "licenses" / "licenses.jsonl.zst", target)


def skewed(kind: str) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        command = [sys.executable, ROOT / "bench" / "make_corpora.py", kind, "20000", target]
        subprocess.run(command, check=True)

    return make


def synthetic(target: Path) -> None:
    lookalike_run("synth", "-o", target, "--documents", DOCUMENTS, "--seed", 5, "--quiet")


def lookalike_run(*arguments: Any) -> None:
    command = [sys.executable, "-m", "lookalike._command", *map(str, arguments)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def rows_in(paths: list[Path]) -> list[tuple[Any, ...]]:
    rows = (json.loads(line) for path in paths for line in path.open("rb"))
    return sorted(tuple(row[name] for name in FACTS) for row in rows)


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a result that say nothing about the run itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("manifest.json", "checks.jsonl", "report.html")
    }


def run_tasks(
    corpus: Path, folder: Path, count: int, options: Sequence[str] = ()
) -> dict[str, bytes]:
    job, output = folder / "job", folder / "out"
    lookalike_run("shard", "plan", corpus, "-o", output, "--job", job, *options)
    for stage in STAGES:
        for task in range(count):
            lookalike_run("shard", "run", job, stage, "--task", f"{task}/{count}", "--quiet")
    return files_of(output)


def run_on_spark(
    corpus: Path, folder: Path, design: str, partitions: int, options: Sequence[str] = ()
) -> Path:
    output = folder / f"spark-{partitions}"
    given = [corpus, "-o", output, "--design", design, "--partitions", partitions, "--quiet"]
    given += options
    assert _program.main(["dedup", *map(str, given)]) == 0
    return output


@pytest.mark.parametrize(
    ("make", "partitions", "tasks"),
    [
        pytest.param(peps, (3, 17), (1, 3, 17), id="peps"),
        pytest.param(licenses, (3, 17), (1, 3, 17), id="licenses"),
        pytest.param(skewed("template"), (3, 17), (1, 3, 17), id="template"),
        pytest.param(skewed("near-copies"), (3, 17), (1, 3, 17), id="near-copies"),
        pytest.param(synthetic, (17,), (3,), id="synthetic"),
    ],
)
def test_all_ways_give_one_answer(
    spark: Any, tmp_path: Path, make: Callable[[Path], None], partitions: tuple[int, ...],
    tasks: tuple[int, ...],
) -> None:  # fmt: skip
    corpus, whole = tmp_path / "corpus.jsonl", tmp_path / "whole"
    make(corpus)
    lookalike_run("dedup", corpus, "-o", whole, "--quiet")
    design = json.loads((whole / "manifest.json").read_text())["design"]
    wanted = rows_in([whole / "removed.jsonl"])
    assert len(wanted) > 100
    result = lookalike.dedup(corpus)
    table = result.removed.select(list(FACTS)).to_pylist()
    assert sorted(tuple(row[name] for name in FACTS) for row in table) == wanted
    kept = b"".join(sorted((whole / "kept" / "corpus.jsonl").open("rb")))
    for count in partitions:
        made = run_on_spark(corpus, tmp_path, design, count)
        assert rows_in(list((made / "removed").glob("*.json"))) == wanted
        lines = [line for path in (made / "kept").glob("*.txt") for line in path.open("rb")]
        assert b"".join(sorted(lines)) == kept
    files = files_of(whole)
    for count in tasks:
        folder = tmp_path / f"tasks-{count}"
        folder.mkdir()
        assert run_tasks(corpus, folder, count) == files


OF_WORDS = r"regex:\bq[a-c]\w*"  # a few words of texts that have no numbers
#: What a row of guarded.jsonl says, whoever wrote it.
GUARDED = ("a", "b", "resemblance", "differ", "a_row", "b_row")


@pytest.mark.parametrize(
    ("make", "options"),
    [
        pytest.param(peps, ["--differ", "numbers"], id="peps"),
        pytest.param(peps, ["--differ", "dates", "--keep", "longest"], id="peps-dates"),
        pytest.param(skewed("template"), ["--differ", OF_WORDS], id="template"),
        pytest.param(skewed("near-copies"), ["--differ", OF_WORDS], id="near-copies"),
    ],
)
def test_all_ways_give_one_answer_with_guards(
    spark: Any, tmp_path: Path, make: Callable[[Path], None], options: list[str]
) -> None:
    corpus, whole = tmp_path / "corpus.jsonl", tmp_path / "whole"
    make(corpus)
    lookalike_run("dedup", corpus, "-o", whole, "--quiet", *options)
    manifest = json.loads((whole / "manifest.json").read_text())
    wanted = rows_in([whole / "removed.jsonl"])
    guarded = guarded_in([whole / "guarded.jsonl"])
    assert len(wanted) > 100
    assert len(guarded) == manifest["guarded_pairs"] > 10
    for count in (3, 17):
        made = run_on_spark(corpus, tmp_path, manifest["design"], count, options)
        assert rows_in(list((made / "removed").glob("*.json"))) == wanted
        assert guarded_in(list((made / "guarded").glob("*.json"))) == guarded
    folder = tmp_path / "tasks"
    folder.mkdir()
    assert run_tasks(corpus, folder, 3, options) == files_of(whole)


def guarded_in(paths: list[Path]) -> list[tuple[str, ...]]:
    rows = (json.loads(line) for path in paths for line in path.open("rb"))
    return sorted(tuple(json.dumps(row[name], sort_keys=True) for name in GUARDED) for row in rows)
