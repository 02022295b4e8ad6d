"""`dedup --against INDEX`: the next dump against everything before."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

DUMPS = 12


def run(binary: Path, *arguments: Any, code: int = 0) -> str:
    command = [str(binary), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout


def make_dumps(folder: Path) -> list[Path]:
    """Twelve dumps: new texts, and texts of earlier dumps, changed by up to a few words or not."""
    source = random.Random(12)
    texts: list[list[str]] = []
    files = []
    for dump in range(DUMPS):
        lines = []
        for number in range(60):
            if texts and source.random() < 0.5:
                words = list(source.choice(texts))
                for _ in range(source.randrange(4)):
                    words[source.randrange(len(words))] = f"other{source.randrange(10**6)}"
            else:
                length = source.choice([8, 40, 200])  # the first ones have few features
                words = [f"w{source.randrange(10**6)}" for _ in range(length)]
            texts.append(words)
            row = {"id": f"{dump}-{number}", "text": " ".join(words)}
            lines.append(json.dumps(row) + "\n")
        files.append(folder / f"dump{dump:02}.jsonl")
        files[-1].write_text("".join(lines))
    return files


def kept_in(folder: Path) -> list[str]:
    lines = (line for path in folder.glob("kept/*") for line in path.open())
    return sorted(json.loads(line)["id"] for line in lines)


def removed_in(folder: Path) -> dict[str, tuple[str, float]]:
    rows = map(json.loads, (folder / "removed.jsonl").open())
    return {row["id"]: (row["duplicate_of"], row["resemblance"]) for row in rows}


def test_twelve_dumps_one_by_one_are_as_one_run_over_all(binary: Path, tmp_path: Path) -> None:
    dumps = make_dumps(tmp_path)
    index = tmp_path / "seen"
    run(binary, "index", "create", index)
    kept: list[str] = []
    removed: dict[str, tuple[str, float]] = {}
    for dump in dumps:
        made = tmp_path / f"clean-{dump.stem}"
        run(binary, "dedup", dump, "-o", made, "--against", index, "--add", "--quiet")
        kept += kept_in(made)
        removed |= removed_in(made)
    run(binary, "dedup", *dumps, "-o", tmp_path / "whole", "--keep", "first", "--quiet")
    assert sorted(kept) == kept_in(tmp_path / "whole")
    assert removed == removed_in(tmp_path / "whole")
    assert len(removed) > 150
    assert json.loads(run(binary, "index", "stats", index, "--json"))["documents"] == len(kept)
    run(binary, "index", "check", index)


def test_a_run_reads_only_the_documents_of_the_index_that_it_needs(
    binary: Path, tmp_path: Path
) -> None:
    first, second, *_ = make_dumps(tmp_path)
    index = tmp_path / "seen"
    run(binary, "index", "create", index)
    run(binary, "index", "add", index, first)
    run(binary, "dedup", second, "-o", tmp_path / "clean", "--against", index, "--quiet")
    text = (tmp_path / "clean" / "manifest.json").read_text()
    manifest = json.loads(text)
    reference = next(each for each in manifest["inputs"] if each["reference"])
    witnesses = {row[0] for row in removed_in(tmp_path / "clean").values()}
    of_index = {name for name in witnesses if name.startswith("0-")}
    assert 0 < len(of_index) <= reference["documents"] < 60
    assert f"--against {index}" in text
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("lookalike-")]


def test_copies_of_an_indexed_document_are_all_removed(binary: Path, tmp_path: Path) -> None:
    first = make_dumps(tmp_path)[0]
    index = tmp_path / "seen"
    run(binary, "index", "create", index, "--keep", "text")
    run(binary, "index", "add", index, first)
    rows = [json.loads(line) for line in first.open()]
    copies = tmp_path / "copies.jsonl"
    copies.write_text(
        "".join(
            json.dumps({"id": f"{row['id']}-{k}", "text": row["text"].upper()}) + "\n"
            for k in range(3)
            for row in rows
        )
    )
    run(binary, "dedup", copies, "-o", tmp_path / "clean", "--against", index, "--quiet")
    removed = removed_in(tmp_path / "clean")
    assert len(removed) == 3 * len(rows)
    assert all(score == 1 for _, score in removed.values())
    assert kept_in(tmp_path / "clean") == []


def test_refusals_change_nothing(binary: Path, tmp_path: Path) -> None:
    first = make_dumps(tmp_path)[0]
    index, other = tmp_path / "seen", tmp_path / "other"
    for folder in (index, other):
        run(binary, "index", "create", folder, "--threshold", 0.7)
    refused: list[tuple[str, list[Any]]] = [
        ("exactly one index", ["--against", index, other, "--add"]),
        ("--resume", ["--against", index, "--resume"]),
        ("or more, asked for is 0.5", ["--against", index, "--threshold", 0.5]),
        ("--shingle word:5", ["--against", index, "--shingle", "word:3"]),
        ("needs exactly one index", ["--add"]),
    ]
    for what, options in refused:
        command = [str(binary), "dedup", str(first), "-o", str(tmp_path / "clean")]
        done = subprocess.run(
            [*command, *map(str, options)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2, (options, done.stderr)
        assert what in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "clean").exists()
    assert json.loads(run(binary, "index", "stats", index, "--json"))["documents"] == 0
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("lookalike-")]


def test_the_same_dump_again_gives_the_same_result(binary: Path, tmp_path: Path) -> None:
    first, second, *_ = make_dumps(tmp_path)
    index = tmp_path / "seen"
    run(binary, "index", "create", index)
    run(binary, "index", "add", index, first)
    made = []
    for name in ("once", "twice"):
        clean = tmp_path / name
        run(binary, "dedup", second, "-o", clean, "--against", index, "--add", "--quiet")
        made.append((kept_in(clean), removed_in(clean)))
    assert made[0] == made[1]
    assert made[0][0]
    documents = json.loads(run(binary, "index", "stats", index, "--json"))["documents"]
    assert documents == 60 + len(made[0][0])


def test_a_document_that_changed_takes_the_place_of_its_earlier_form(
    binary: Path, tmp_path: Path
) -> None:
    words = [f"w{i}" for i in range(60)]
    for name, text in (("old", words), ("new", [*words, "more"])):
        row = {"id": "page", "text": " ".join(text)}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    index = tmp_path / "seen"
    run(binary, "index", "create", index, "--keep", "text")
    for name in ("old", "new"):
        clean = tmp_path / f"clean-{name}"
        dump = tmp_path / f"{name}.jsonl"
        run(binary, "dedup", dump, "-o", clean, "--against", index, "--add", "--quiet")
        assert kept_in(clean) == ["page"]
    assert "more" in json.loads(run(binary, "index", "get", index, "page"))["text"]


def test_documents_that_would_take_the_place_of_others_are_refused(
    binary: Path, tmp_path: Path
) -> None:
    index = tmp_path / "seen"
    run(binary, "index", "create", index)
    texts = [" ".join(f"{name}{i}" for i in range(30)) for name in "abcd"]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "dump.jsonl").write_text(json.dumps({"text": texts[0]}) + "\n")
    (tmp_path / "two" / "dump.jsonl").write_text(json.dumps({"text": texts[1]}) + "\n")
    rows = [{"id": "x", "text": text} for text in texts[2:]]
    (tmp_path / "twice.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    one = ["dedup", tmp_path / "one" / "dump.jsonl", "-o", tmp_path / "o1", "--quiet"]
    run(binary, *one, "--against", index, "--add")
    for dump, what in (("two/dump.jsonl", "--id-field"), ("twice.jsonl", "the id x")):
        command = [binary, "dedup", tmp_path / dump, "-o", tmp_path / f"o-{what[-1]}"]
        done = subprocess.run(
            [*map(str, command), "--against", str(index), "--add", "--quiet"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert what in done.stderr
        assert "the index is as it was" in done.stderr
    assert json.loads(run(binary, "index", "stats", index, "--json"))["documents"] == 1


def test_what_an_index_cannot_do_is_refused(binary: Path, tmp_path: Path) -> None:
    first = make_dumps(tmp_path)[0]
    index = tmp_path / "seen"
    run(binary, "index", "create", index)
    refused = [
        ("by --measure resemblance", ["--measure", "containment"]),
        ("higher --recall", ["--recall", "0.999"]),
        ("leave out --method", ["--method", "exact"]),
        ("--skip-bad-inputs", ["--add", "--skip-bad-inputs"]),
    ]
    for what, options in refused:
        command = [str(binary), "dedup", str(first), "-o", str(tmp_path / "clean")]
        done = subprocess.run(
            [*command, "--against", str(index), *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, what in done.stderr) == (2, True), done.stderr
    (tmp_path / "forged").write_bytes(b"LKLFEAT1" + bytes(100))
    for command in (["dedup", tmp_path / "forged", "-o", tmp_path / "o"],
                    ["pairs", tmp_path / "forged", "-o", tmp_path / "p"],
                    ["index", "add", index, tmp_path / "forged"]):  # fmt: skip
        done = subprocess.run(
            [str(binary), *map(str, command)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "is a file of features" in done.stderr
