"""With a large dump, `dedup --add` fills a copy of the store, which then replaces the old one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lookalike
import pytest

OLD = " ".join(f"old{i}" for i in range(40))
#: More than fits into one step.
BYTES = 66 << 20
COUNT = 22


@pytest.fixture(scope="module")
def base(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index of one document, and a large dump."""
    folder = tmp_path_factory.mktemp("base")
    with open(folder / "dump.jsonl", "w", encoding="utf-8") as file:
        for i in range(COUNT):
            long = "y" * (BYTES // COUNT)
            text = " ".join(f"n{i}-{j}" for j in range(40)) + f" {long}"
            file.write(json.dumps({"id": f"n{i}", "text": text}) + "\n")
    (folder / "old.jsonl").write_text(json.dumps({"id": "old", "text": OLD}) + "\n")
    for words in (["create", "seen", "--keep", "text"], ["add", "seen", "old.jsonl"]):
        subprocess.run([binary, "index", *words], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def seen(base: Path, tmp_path: Path) -> Path:
    shutil.copytree(base / "seen", tmp_path / "seen")
    return tmp_path / "seen"


@pytest.fixture
def add_dump(run: Callable[..., Any], base: Path) -> Callable[..., Any]:
    """Runs `dedup --add` of the large dump, or of another one."""

    def add(dump: Path | None = None, **rest: Any) -> Any:
        words = ["dedup", dump or base / "dump.jsonl", "--against", "seen", "--add", "-o", "out"]
        return run(*words, "--quiet", "--overwrite", **rest)

    return add


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_the_copy_takes_the_place_of_the_store(
    add_dump: Callable[..., Any], index: Callable[..., Any], seen: Path, base: Path
) -> None:
    add_dump()
    assert names(seen) == ["current", "data-2", "format"]
    assert index("check", "seen", "--json").json["documents"] == COUNT + 1
    assert index("query", "seen", "--text", OLD).stdout == "1.0000  old\n"
    index("remove", "seen", *[f"n{i}" for i in range(COUNT)])
    assert names(seen) == ["current", "data-2", "format"]
    add_dump()
    assert names(seen) == ["current", "data-3", "format"]
    assert index("check", "seen", "--json").json["documents"] == COUNT + 1
    index("backup", "seen", "copy")
    assert names(seen.with_name("copy")) == ["data", "format"]
    assert index("check", "copy", "--json").json["documents"] == COUNT + 1


def test_readers_that_were_open_before_answer_on(add_dump: Callable[..., Any], seen: Path) -> None:
    with lookalike.Index(seen) as reader, reader.snapshot() as snapshot:
        add_dump()
        for one in (reader, snapshot):
            assert [match.id for match in one.query(OLD).matches] == ["old"]
            assert [match.id for match in one.query(OLD, exhaustive=True).matches] == ["old"]
            assert [(row.id, row.text) for row in one] == [("old", OLD)]
            assert one.get("n0") is None
            assert len(list(one.changes())) == 1
            assert one.stats().documents == 1
    with lookalike.Index(seen) as reader:
        assert len(reader) == COUNT + 1


def test_a_reader_that_was_open_before_can_be_copied_or_says_why_not(
    add_dump: Callable[..., Any], seen: Path
) -> None:
    with lookalike.Index(seen) as reader:
        add_dump()
        for call in (reader.check, lambda: reader.backup(seen.with_name("copy"))):
            try:
                call()
            except lookalike.RunError as error:
                assert "NotFound" not in str(error)
    assert seen.with_name("copy").exists() == (seen.with_name("copy") / "format").exists()


def test_a_snapshot_stays_as_it_is_and_lets_others_write(
    add_dump: Callable[..., Any], index: Callable[..., Any], seen: Path
) -> None:
    with lookalike.Index(seen, "w") as writer:
        snapshot = writer.snapshot()
        assert "writes to the index" in add_dump(code=2).stderr
    snapshot.close()
    add_dump()
    assert index("stats", "seen", "--json").json["documents"] == COUNT + 1


def test_ids_that_clash_leave_the_index_as_it_was(
    add_dump: Callable[..., Any], index: Callable[..., Any], seen: Path, base: Path, tmp_path: Path
) -> None:
    """The clash is in the last line, when the copy already has most documents."""
    dump = tmp_path / "clash.jsonl"
    shutil.copy(base / "dump.jsonl", dump)
    with open(dump, "a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "n0", "text": " ".join(f"z{i}" for i in range(40))}) + "\n")
    refused = add_dump(dump, code=2)
    assert "the id n0" in refused.stderr
    assert "the index is as it was" in refused.stderr
    assert names(seen) == ["data", "format"]
    assert index("check", "seen", "--json").json["documents"] == 1


def test_what_a_killed_run_left_goes_with_the_next_change(
    add_dump: Callable[..., Any],
    index: Callable[..., Any],
    seen: Path,
    crash_library: Path,
) -> None:
    """It is killed when its copy is complete, but not yet in place."""
    environment = {
        "LD_PRELOAD": str(crash_library), "SYNC_LOG": str(seen.with_name("log")),
        "KILL_BEFORE_SYNC": "1", "KILL_FILES": "current",
    }  # fmt: skip
    assert add_dump(code=None, env=environment).code == -9
    assert "data-2" in names(seen) and "data" in names(seen)
    before = names(seen)
    assert index("check", "seen", "--json").json["documents"] == 1
    assert names(seen) == before
    index("remove", "seen", "nobody")
    assert [name for name in names(seen) if name.startswith("data")] == ["data"]


@pytest.mark.parametrize(
    "line", ["", "\n", "elsewhere\n", "../data-9\n", "/data-9\n", "data-9/../../x\n"]
)
def test_a_spoiled_name_of_the_store_leads_to_no_other_folder(
    index: Callable[..., Any], seen: Path, line: str
) -> None:
    """Nothing outside is opened or removed, and the store is not lost."""
    outside = seen.with_name("x")
    outside.mkdir()
    (seen / "current").write_text(line)
    found = index("stats", "seen", "--json", code=None)
    assert found.code == 2 or found.json["documents"] == 1
    index("remove", "seen", "nobody", code=None)
    assert outside.is_dir()
    (seen / "current").unlink()
    assert index("check", "seen", "--json").json["documents"] == 1


def test_a_named_store_that_is_gone_is_refused(index: Callable[..., Any], seen: Path) -> None:
    (seen / "current").write_text("data-9\n")
    for words in (["stats", "seen"], ["remove", "seen", "old"]):
        refused = index(*words, code=2)
        assert refused.stderr.count("\n") == 1
    assert "data-9" not in names(seen)
    assert (seen / "data").is_dir()
