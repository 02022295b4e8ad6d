"""`lookalike rethreshold`: a result made again at a higher threshold, without another search.

What it writes is compared byte for byte with a new run, and with an oracle that applies the greedy
rule to all pairs.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from result_folder import ResultFolder
from word_features import decide, features, resemblance

Run = Callable[..., Any]
Rows = list[dict[str, Any]]

#: One word in a shingle, so that short texts have many resemblances.
WORDS = ("--shingle", "word:1", "--min-features", "1")


def families(count: int, seed: int) -> Rows:
    """Texts in families whose members differ in few or many words, with copies of some."""
    draw = random.Random(seed)
    rows: Rows = []
    for family in range(count):
        words = [f"w{draw.randrange(900)}" for _ in range(50)]
        for member in range(draw.choice([1, 2, 3, 5, 9])):
            for _ in range(draw.choice([0, 0, 1, 3, 9]) if member else 0):
                words[draw.randrange(len(words))] = f"x{draw.randrange(900)}"
            text = " ".join(words)
            row = {"id": f"f{family}-{member}", "text": text, "n": draw.randrange(5)}
            rows.append({**row, "half": row["n"] > 2})
    draw.shuffle(rows)
    return rows


def decided(folder: Path) -> dict[str, bytes]:
    """The files that say which documents stay."""
    names = ("kept", "annotated", "removed.jsonl", "clusters.jsonl", "rejected.jsonl",
             "guarded.jsonl")  # fmt: skip
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] in names
    }


def removals(folder: Path) -> dict[int, tuple[int, float]]:
    """By document: its witness and the resemblance; documents are numbered from 0."""
    return {
        row["row"] - 1: (row["duplicate_of_row"] - 1, row["resemblance"])
        for row in ResultFolder(folder).removed
    }


LADDER = (0.5, 0.62, 0.8, 0.93, 1.0)

OPTIONS: dict[str, list[str]] = {
    "first": [],
    "longest": ["--keep", "longest"],
    "shortest": ["--keep", "shortest"],
    "field": ["--keep", "field:n:desc"],
    "components": ["--cluster", "components"],
    "annotated": ["--output", "annotated"],
    "shards": ["--output-shard", "4K"],
    "guarded": ["--exact-empty", "--min-features", "3"],
    "differ": ["--differ", "half"],
    "same": ["--same", "half"],
    "not same": ["--not-same", "half"],
    "differ, longest": ["--differ", "half", "--keep", "longest"],
    "differ, components": ["--differ", "half", "--same", "n", "--cluster", "components"],
}


@pytest.mark.parametrize("name", OPTIONS)
def test_is_a_new_run(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, name: str) -> None:
    """By the exact method the files are those of a new run."""
    write_jsonl("in.jsonl", families(60, seed=1))
    options = [*WORDS, "--method", "exact", *OPTIONS[name]]
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *options)
    seen = set()
    for threshold in LADDER:
        run("dedup", "in.jsonl", "-o", "new", "--overwrite", "--threshold", threshold, *options)
        run("rethreshold", "low", "-o", "again", "--overwrite", "--threshold", threshold)
        assert decided(tmp_path / "again") == decided(tmp_path / "new")
        seen.add(len(removals(tmp_path / "again")))
    assert len(seen) == len(LADDER)  # every step changes something


@pytest.mark.parametrize("stress", ["", "spill", "lanes"])
def test_keys_find_the_same_pairs(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, stress: str
) -> None:
    """A search by keys leaves pairs alone that matter at a higher threshold."""
    env = {"LOOKALIKE_STRESS": stress} if stress else {}
    rows = families(60, seed=2)
    write_jsonl("in.jsonl", rows)
    texts = [row["text"] for row in rows]
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS, "--method", "lsh",
        "--recall", "0.9999", env=env)
    compared = 0
    for threshold in LADDER:
        said = run("rethreshold", "low", "-o", "again", "--overwrite", "--threshold", threshold,
                   "--json", env=env).json
        compared += said["compared_pairs"]
        expected = decide(texts, list(range(len(texts))), 1, threshold)
        found = removals(tmp_path / "again")
        assert {doc: witness for doc, (witness, _) in found.items()} == expected
        for doc, (witness, score) in found.items():
            assert score == resemblance(features(texts[doc], 1), features(texts[witness], 1))
    assert compared > 0


@pytest.mark.parametrize("stress", ["", "spill"])
@pytest.mark.parametrize(
    "guards", [["--differ", "half"], ["--not-same", "half"], ["--differ", "n", "--same", "half"]]
)
def test_guards_by_keys(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, guards: list[str], stress: str
) -> None:
    """Pairs that a run left alone may be pairs that a guard keeps apart."""
    env = {"LOOKALIKE_STRESS": stress} if stress else {}
    write_jsonl("in.jsonl", families(60, seed=14))
    keys = [*WORDS, "--method", "lsh", "--recall", "0.9999", *guards]
    exact = [*WORDS, "--method", "exact", *guards]
    run("dedup", "in.jsonl", "-o", "0", "--threshold", "0.5", *keys, env=env)
    listed = set()
    for step, threshold in enumerate(LADDER[1:], 1):
        run("dedup", "in.jsonl", "-o", "new", "--overwrite", "--threshold", threshold, *exact)
        for before, after in ((str(step - 1), str(step)), ("0", "direct")):
            run("rethreshold", before, "-o", after, "--overwrite", "--threshold", threshold,
                env=env)  # fmt: skip
            assert decided(tmp_path / after) == decided(tmp_path / "new")
        listed.add(decided(tmp_path / "new").get("guarded.jsonl"))
    assert len(listed) > 2 or "--not-same" in guards


def test_a_merge_of_people_overrules_a_guard(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    words = [f"w{i}" for i in range(50)]
    texts = [" ".join(words), " ".join([*words[:49], "x"]), " ".join([*words[:48], "y", "z"])]
    rows = [{"id": str(i), "text": text, "n": i} for i, text in enumerate(texts)]
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS, "--differ", "n")
    assert len((tmp_path / "low/guarded.jsonl").read_text().splitlines()) == 3
    documents = [{"id": str(row - 1), "source": "in.jsonl", "row": row} for row in (1, 2)]
    line = {"number": 1, "decision": "merge", "cluster": 1, "documents": documents}
    write_jsonl("decisions.jsonl", [line])
    run("rethreshold", "low", "-o", "again", "--threshold", "0.6", "--decisions",
        "decisions.jsonl")  # fmt: skip
    found = removals(tmp_path / "again")
    assert found == {1: (0, resemblance(features(texts[1], 1), features(texts[0], 1)))}
    (left,) = [json.loads(line) for line in (tmp_path / "again/guarded.jsonl").open()]
    assert (left["a"], left["b"]) == ("0", "2")


def test_scores_of_guards_have_a_form_of_their_own(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", families(5, seed=15))
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS, "--differ", "n")
    assert (tmp_path / "low/scores.bin").read_bytes().startswith(b"LKSCORE3")
    run("dedup", "in.jsonl", "-o", "plain", "--threshold", "0.5", *WORDS)
    assert (tmp_path / "plain/scores.bin").read_bytes().startswith(b"LKSCORE1")


def test_a_new_run_finds_it_complete(run: Run, write_jsonl: Callable[..., Path]) -> None:
    """By the exact method, `dedup --resume` takes the result for its own."""
    write_jsonl("in.jsonl", families(20, seed=13))
    options = [*WORDS, "--method", "exact", "--threshold"]
    run("dedup", "in.jsonl", "-o", "low", *options, "0.5")
    run("rethreshold", "low", "-o", "again", "--threshold", "0.8")
    said = run("dedup", "in.jsonl", "-o", "again", *options, "0.8", "--resume").stdout
    assert "already complete" in said


def test_goes_up_in_steps(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path) -> None:
    """A result of rethreshold has scores of its own, with which it goes on."""
    write_jsonl("in.jsonl", families(60, seed=3))
    run("dedup", "in.jsonl", "-o", "0", "--threshold", "0.5", *WORDS, "--recall", "0.9999",
        "--method", "lsh")
    for step, threshold in enumerate(LADDER[1:], 1):
        run("rethreshold", str(step - 1), "-o", str(step), "--threshold", threshold)
        run("rethreshold", "0", "-o", "direct", "--overwrite", "--threshold", threshold)
        assert decided(tmp_path / str(step)) == decided(tmp_path / "direct")


WORD_LISTS = st.lists(
    st.lists(st.integers(0, 9), min_size=0, max_size=8), min_size=2, max_size=14
)


@settings(max_examples=25, deadline=None)
@given(lists=WORD_LISTS, low=st.sampled_from([0.2, 0.4]), high=st.sampled_from([0.5, 0.6, 0.75]),
       method=st.sampled_from(["exact", "shingle-merge"]))
def test_follows_the_rule(
    binary: Path, tmp_path_factory: pytest.TempPathFactory, lists: list[list[int]], low: float,
    high: float, method: str,
) -> None:
    """On any small corpus the outcome is that of the greedy rule over all pairs."""
    import subprocess

    folder = tmp_path_factory.mktemp("rule")
    texts = [" ".join(f"w{word}" for word in words) for words in lists]
    lines = [json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(texts)]
    (folder / "in.jsonl").write_text("".join(lines))

    def call(*words: str) -> None:
        subprocess.run([str(binary), *words, "--quiet"], cwd=folder, check=True)

    call("dedup", "in.jsonl", "-o", "low", "--threshold", str(low), "--method", method, *WORDS)
    call("rethreshold", "low", "-o", "high", "--threshold", str(high))
    found = {doc: witness for doc, (witness, _) in removals(folder / "high").items()}
    assert found == decide(texts, list(range(len(texts))), 1, high)


def test_several_inputs_of_several_formats(run: Run, write_jsonl: Callable[..., Path],
                                           tmp_path: Path) -> None:
    rows = families(60, seed=4)
    write_jsonl("a.jsonl", rows[:70])
    pq.write_table(pa.Table.from_pylist(rows[70:]), tmp_path / "b.parquet", row_group_size=20)
    options = [*WORDS, "--method", "exact"]
    run("dedup", "b.parquet", "a.jsonl", "-o", "low", "--threshold", "0.5", *options)
    run("dedup", "b.parquet", "a.jsonl", "-o", "new", "--threshold", "0.8", *options)
    run("rethreshold", "low", "-o", "again", "--threshold", "0.8")
    assert decided(tmp_path / "again") == decided(tmp_path / "new")
    assert removals(tmp_path / "again")


@pytest.mark.parametrize("measure", ["resemblance", "containment"])
def test_a_reference(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path,
                     measure: str) -> None:
    rows = families(60, seed=5)
    write_jsonl("old.jsonl", rows[:60])
    write_jsonl("new.jsonl", rows[60:])
    options = ["--against", "old.jsonl", *WORDS, "--method", "exact", "--measure", measure]
    run("dedup", "new.jsonl", "-o", "low", "--threshold", "0.5", *options)
    run("dedup", "new.jsonl", "-o", "fresh", "--threshold", "0.8", *options)
    run("rethreshold", "low", "-o", "again", "--threshold", "0.8")
    assert decided(tmp_path / "again") == decided(tmp_path / "fresh")
    assert removals(tmp_path / "again")
    if measure == "containment":
        evidence = [(tmp_path / name / "evidence.jsonl").read_bytes() for name in ("again", "fresh")]
        assert evidence[0] == evidence[1]


def test_what_the_result_says_of_itself(run: Run, write_jsonl: Callable[..., Path],
                                        tmp_path: Path) -> None:
    rows = families(40, seed=6)
    write_jsonl("in.jsonl", [*rows, {"id": "no text"}])
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS, code=3)
    said = run("rethreshold", "low", "-o", "again", "--threshold", "0.8", code=3).stdout
    assert "0.8, after 0.5 in the run" in said
    again, low = ResultFolder(tmp_path / "again"), ResultFolder(tmp_path / "low")
    again.check_nothing_lost(len(rows) + 1)
    assert again.manifest["options"]["threshold"] == "0.8"
    assert again.manifest["design"] == low.manifest["design"]
    assert again.manifest["rethreshold"]["threshold"] == 0.5
    assert again.manifest["search"]["candidates"] == low.manifest["search"]["candidates"]
    assert again.manifest["recall"]["estimate"] is None
    assert again.rejected == low.rejected
    command = again.manifest["run"]["command"]
    run(*command.split()[1:], "--overwrite", code=3)
    assert ResultFolder(tmp_path / "again").removed == again.removed


def test_scores_are_equal_for_any_threads(run: Run, write_jsonl: Callable[..., Path],
                                          tmp_path: Path) -> None:
    write_jsonl("in.jsonl", families(60, seed=7))
    found = set()
    for threads in ("1", "4"):
        for stress in ("", "spill", "collide"):
            run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--threads", threads, "--threshold",
                "0.5", "--method", "lsh", *WORDS, env={"LOOKALIKE_STRESS": stress})
            found.add((tmp_path / "out/scores.bin").read_bytes())
    assert len(found) == 1


def test_inputs_are_found_again(run: Run, write_jsonl: Callable[..., Path],
                                tmp_path: Path) -> None:
    """The manifest names them; inputs that were moved are passed."""
    write_jsonl("one/in.jsonl", families(40, seed=8))
    run("dedup", "one/in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS)
    run("rethreshold", "low", "-o", "again", "--threshold", "0.8")
    (tmp_path / "one").rename(tmp_path / "two")
    said = run("rethreshold", "low", "-o", "moved", "--threshold", "0.8", code=2).stderr
    assert "one/in.jsonl" in said
    run("rethreshold", "low", "two/in.jsonl", "-o", "moved", "--threshold", "0.8")
    assert decided(tmp_path / "moved") == decided(tmp_path / "again")
    with open(tmp_path / "two/in.jsonl", "a") as file:
        file.write('{"id": "later", "text": "one more"}\n')
    said = run("rethreshold", "low", "two/in.jsonl", "-o", "changed", "--threshold", "0.8",
               code=2).stderr
    assert "has changed since" in said
    assert not (tmp_path / "changed").exists()
    assert not (tmp_path / "changed.partial").exists()


def test_what_is_refused(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path) -> None:
    write_jsonl("in.jsonl", families(20, seed=9))
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.7", *WORDS)

    def refused(*words: str) -> str:
        return run("rethreshold", *words, code=2).stderr

    assert "0.7" in refused("low", "-o", "x", "--threshold", "0.5")
    assert "--target-size" in refused("low", "-o", "x")
    assert "not both" in refused("low", "-o", "x", "--threshold", "0.8", "--target-size", "0.5")
    assert "not understood" in refused("low", "-o", "x", "--target-size", "half")
    assert "not a result" in refused("in.jsonl", "-o", "x", "--threshold", "0.8")
    run("rethreshold", "low", "-o", "x", "--threshold", "0.8")
    refused("low", "-o", "x", "--threshold", "0.9")  # it is there already
    refused("low", "-o", "low", "--overwrite", "--threshold", "0.9")
    assert run("dedup", "-", "-o", "piped", stdin=(tmp_path / "in.jsonl").read_bytes())
    assert "standard input" in refused("piped", "-o", "y", "--threshold", "0.9")
    scores = tmp_path / "low/scores.bin"
    content = scores.read_bytes()
    scores.write_bytes(content[:20] + bytes([content[20] ^ 1]) + content[21:])
    assert "scores.bin" in refused("low", "-o", "y", "--threshold", "0.8")
    scores.unlink()
    assert "no scores.bin" in refused("low", "-o", "y", "--threshold", "0.8")
    assert not (tmp_path / "y").exists()


def test_an_index_is_refused(run: Run, write_jsonl: Callable[..., Path]) -> None:
    rows = families(30, seed=10)
    write_jsonl("old.jsonl", rows[:30])
    write_jsonl("new.jsonl", rows[30:])
    run("index", "create", "seen")
    run("index", "add", "seen", "old.jsonl")
    run("dedup", "new.jsonl", "-o", "low", "--against", "seen")
    said = run("rethreshold", "low", "-o", "again", "--threshold", "0.9", code=2).stderr
    assert "index" in said


def kept_bytes(folder: Path, name: str = "in.jsonl") -> int:
    return (folder / "kept" / name).stat().st_size


@pytest.mark.parametrize("method", ["exact", "lsh"])
def test_target_size(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path,
                     method: str) -> None:
    """The result is the largest of all thresholds that is not above the size."""
    rows = families(30, seed=11)
    path = write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.5", *WORDS, "--method", method,
        "--recall", "0.9999")
    texts = [row["text"] for row in rows]
    sets = [features(text, 1) for text in texts]
    scores = {resemblance(a, b) for i, a in enumerate(sets) for b in sets[:i]}
    line_bytes = [len(line) + 1 for line in path.read_bytes().split(b"\n")[:-1]]
    sizes = {}
    for threshold in {1.0, *(score for score in scores if score >= 0.5)}:
        gone = decide(texts, list(range(len(texts))), 1, threshold)
        sizes[threshold] = sum(n for i, n in enumerate(line_bytes) if i not in gone)
    smallest, largest = min(sizes.values()), max(sizes.values())
    for wanted in (smallest, (smallest + largest) // 2, largest - 1, largest + 5):
        said = run("rethreshold", "low", "-o", "again", "--overwrite", "--target-size", wanted,
                   "--json").json
        best = max(size for size in sizes.values() if size <= wanted)
        assert kept_bytes(tmp_path / "again") == best
        assert sizes[said["threshold"]] == best
        assert said["bytes_kept"] == best
    share = f"{(smallest + largest) / 2 / sum(line_bytes):.4f}"
    run("rethreshold", "low", "-o", "again", "--overwrite", "--target-size", share)
    assert kept_bytes(tmp_path / "again") <= float(share) * sum(line_bytes)
    said = run("rethreshold", "low", "-o", "x", "--target-size", smallest - 1, code=2).stderr
    assert str(smallest) in said


def test_target_size_with_a_reference_and_copies(run: Run, write_jsonl: Callable[..., Path],
                                                 tmp_path: Path) -> None:
    rows = families(30, seed=12)
    write_jsonl("old.jsonl", rows[:20])
    path = write_jsonl("new.jsonl", [*rows[20:], *rows[10:30]])
    run("dedup", "new.jsonl", "-o", "low", "--against", "old.jsonl", "--threshold", "0.5", *WORDS)
    low, whole = kept_bytes(tmp_path / "low", "new.jsonl"), path.stat().st_size
    for wanted in range(low, whole, max(1, (whole - low) // 7)):
        said = run("rethreshold", "low", "-o", "again", "--overwrite", "--target-size", wanted,
                   "--json").json
        assert said["bytes_kept"] == kept_bytes(tmp_path / "again", "new.jsonl") <= wanted


class Decided:
    """A collection of two clusters, and decisions about it."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run, self.folder = run, folder
        base = [f"w{i}" for i in range(40)]
        other = [f"v{i}" for i in range(40)]

        def text(words: list[str], changes: int) -> str:
            return " ".join([f"x{changes}z{i}" for i in range(changes)] + words[changes:])

        texts = [text(base, 0), text(base, 1), text(base, 2), text(base, 1), text(other, 0),
                 text(other, 1), "something else"]
        self.texts = texts
        rows = [{"id": str(i), "text": text} for i, text in enumerate(texts)]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "in.jsonl").write_text(lines)
        run("dedup", "in.jsonl", "-o", "low", "--threshold", "0.6", *WORDS)

    def replay(self, *decisions: tuple[str, list[int]]) -> dict[int, tuple[int, float]]:
        lines = []
        for number, (kind, documents) in enumerate(decisions, 1):
            places = [{"id": str(d), "source": "in.jsonl", "row": d + 1} for d in documents]
            lines.append(json.dumps({"number": number, "decision": kind, "cluster": 1,
                                     "documents": places}) + "\n")
        (self.folder / "decisions.jsonl").write_text("".join(lines))
        self.run("rethreshold", "low", "-o", "again", "--overwrite", "--threshold", "0.6",
                 "--decisions", "decisions.jsonl")
        self.run("dedup", "in.jsonl", "-o", "run", "--overwrite", "--threshold", "0.6", *WORDS,
                 "--decisions", "decisions.jsonl")
        assert decided(self.folder / "run") == decided(self.folder / "again")
        again = ResultFolder(self.folder / "again")
        again.check_nothing_lost(len(self.texts))
        found = removals(self.folder / "again")
        for doc, (witness, score) in found.items():
            sets = [features(self.texts[i], 1) for i in (doc, witness)]
            assert score == resemblance(*sets)
        members = {tuple(map(int, cluster["members"])) for cluster in again.clusters}
        groups: dict[int, set[int]] = {}
        for doc, (witness, _) in found.items():
            groups.setdefault(witness, {witness}).add(doc)
        assert members == {tuple(sorted(group)) for group in groups.values()}
        return found

    def witnesses(self, *decisions: tuple[str, list[int]]) -> dict[int, int]:
        return {doc: witness for doc, (witness, _) in self.replay(*decisions).items()}


def test_decisions(run: Run, tmp_path: Path) -> None:
    case = Decided(run, tmp_path)
    assert case.witnesses() == {1: 0, 2: 0, 3: 0, 5: 4}
    assert case.witnesses(("keep", [2])) == {0: 2, 1: 2, 3: 2, 5: 4}
    assert case.witnesses(("keep", [0])) == {1: 0, 2: 0, 3: 0, 5: 4}
    assert case.witnesses(("keep", [2]), ("keep", [1])) == {0: 1, 2: 1, 3: 1, 5: 4}
    assert case.witnesses(("split", [2])) == {1: 0, 3: 0, 5: 4}
    assert case.witnesses(("split", [0])) == {2: 1, 3: 1, 5: 4}
    assert case.witnesses(("merge", [1, 5])) == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}
    assert case.witnesses(("merge", [4, 6])) == {1: 0, 2: 0, 3: 0, 5: 4, 6: 4}
    assert case.witnesses(("merge", [0, 4]), ("keep", [5])) == {0: 5, 1: 5, 2: 5, 3: 5, 4: 5}
    assert case.witnesses(("none", [])) == {1: 0, 2: 0, 3: 0, 5: 4}


def test_decisions_about_copies(run: Run, tmp_path: Path) -> None:
    """Documents 1 and 3 are copies: the one that is split off leaves the other in the class."""
    case = Decided(run, tmp_path)
    assert case.witnesses(("split", [3])) == {1: 0, 2: 0, 5: 4}
    assert case.witnesses(("split", [1])) == {2: 0, 3: 0, 5: 4}
    assert case.witnesses(("split", [0]), ("split", [1])) == {2: 3, 5: 4}
    found = case.replay(("split", [0, 2]))
    assert found == {3: (1, 1.0), 5: found[5]}
    kinds = {row["id"]: row["kind"] for row in ResultFolder(tmp_path / "again").removed}
    assert kinds["3"] == "identical"
    found = case.replay(("keep", [3]))
    assert found[1] == (3, 1.0)
    assert found[0][0] == 3


def test_decisions_that_cannot_be_replayed(run: Run, tmp_path: Path) -> None:
    Decided(run, tmp_path)
    place = {"id": "9", "source": "in.jsonl", "row": 99}
    line = {"number": 1, "decision": "split", "cluster": 1, "documents": [place]}
    (tmp_path / "decisions.jsonl").write_text(json.dumps(line) + "\n")
    words = ("rethreshold", "low", "-o", "x", "--decisions")
    said = run(*words, "decisions.jsonl", "--threshold", "0.6", code=2).stderr
    assert "in.jsonl:99" in said
    assert "does not exist" in run(*words, "none.jsonl", "--threshold", "0.6", code=2).stderr
    said = run(*words, "decisions.jsonl", "--target-size", "0.5", code=2).stderr
    assert "cannot be combined" in said
    (tmp_path / "decisions.jsonl").write_text("")
    run(*words, "decisions.jsonl", "--threshold", "0.6")
    assert (tmp_path / "x/scores.bin").exists()


def random_decisions(rows: Rows, count: int, draw: random.Random) -> str:
    """Decisions about documents of in.jsonl, some of which are close to each other."""
    lines = []
    for number in range(1, count + 1):
        kind = draw.choice(["keep", "split", "merge", "none"])
        named = draw.sample(range(len(rows)), {"keep": 1, "merge": 2, "none": 0}.get(kind, draw.randrange(1, 4)))
        places = [{"id": rows[d]["id"], "source": "in.jsonl", "row": d + 1} for d in named]
        line = {"number": number, "decision": kind, "cluster": 1, "documents": places}
        lines.append(json.dumps(line) + "\n")
    return "".join(lines)


@pytest.mark.parametrize(
    "name", ["exact", "keys", "merge", "ranked", "memory", "reference", "guards", "same"]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_replays_decisions_as_rethreshold_does(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, name: str, seed: int
) -> None:
    how = {
        "exact": ["--method", "exact"],
        "keys": ["--method", "lsh"],
        "merge": ["--method", "shingle-merge"],
        "ranked": ["--keep", "longest"],
        "memory": ["--memory", "64MiB", "--threads", "1"],
        "reference": ["--against", "old.jsonl", "--annotated"],
        "guards": ["--differ", "lang"],
        "same": ["--same", "lang", "--method", "exact"],
    }[name]
    rows = [row | {"lang": "en" if n % 7 else "de"} for n, row in enumerate(families(60, seed))]
    write_jsonl("in.jsonl", rows)
    write_jsonl("old.jsonl", families(20, seed)[::2])
    how = [part if part != "--annotated" else "--output=annotated" for part in how]
    draw = random.Random(seed)
    (tmp_path / "own.jsonl").write_text(random_decisions(rows, 40, draw))
    options = ["--threshold", "0.55", *WORDS, *how]
    run("dedup", "in.jsonl", "-o", "plain", *options)
    run("rethreshold", "plain", "-o", "later", "--threshold", "0.55", "--decisions", "own.jsonl")
    said = run("dedup", "in.jsonl", "-o", "once", *options, "--decisions", "own.jsonl")
    assert "of people replayed" in said.stdout
    assert decided(tmp_path / "once") == decided(tmp_path / "later")
    assert decided(tmp_path / "once") != decided(tmp_path / "plain")
    assert not (tmp_path / "once/scores.bin").exists()
    manifests = [
        json.loads((tmp_path / folder / "manifest.json").read_text()) for folder in ("once", "later")
    ]
    of_decisions = [manifest["decisions"] for manifest in manifests]
    assert of_decisions[0] == of_decisions[1]
    assert of_decisions[0]["file"] == "own.jsonl"
    assert 0 < of_decisions[0]["count"] <= 40
    assert len(of_decisions[0]["xxh3"]) == 32


def test_decisions_do_not_lower_the_measured_recall(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """Pairs that people split are no pairs that the search missed."""
    rows = families(80, 3)
    write_jsonl("in.jsonl", rows)
    places = [{"id": row["id"], "source": "in.jsonl", "row": i + 1} for i, row in enumerate(rows)]
    line = {"number": 1, "decision": "split", "cluster": 1, "documents": places[::3]}
    (tmp_path / "own.jsonl").write_text(json.dumps(line) + "\n")
    said = run("dedup", "in.jsonl", "-o", "out", "--threshold", "0.5", *WORDS, "--method", "lsh",
               "--decisions", "own.jsonl")
    assert "searching again" not in said.stderr
    recall = json.loads((tmp_path / "out/manifest.json").read_text())["recall"]
    assert recall["met"]
    assert recall["sampled_pairs"] > 0


def test_a_result_is_of_its_decisions(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """Another file of decisions is neither a complete result nor an attempt to resume."""
    rows = families(40, 4)
    write_jsonl("in.jsonl", rows)
    own = tmp_path / "own.jsonl"
    own.write_text(random_decisions(rows, 9, random.Random(1)))
    words = ["dedup", "in.jsonl", "-o", "out", "--threshold", "0.5", *WORDS, "--resume",
             "--decisions", "own.jsonl"]
    run(*words)
    assert "already complete" in run(*words).stdout
    before = own.read_text()
    own.write_text(random_decisions(rows, 9, random.Random(2)))
    said = run(*words, code=2).stderr
    assert "with other decisions than own.jsonl" in said
    own.write_text(before)
    assert "already complete" in run(*words).stdout
    assert "--decisions" in run(*words[:-2], code=2).stderr
    run("rethreshold", "out", "-o", "next", "--threshold", "0.6", code=2)


def test_a_run_that_stopped_goes_on_with_its_decisions_only(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    rows = families(40, 5)
    write_jsonl("in.jsonl", rows)
    own = tmp_path / "own.jsonl"
    good = random_decisions(rows, 12, random.Random(7))
    own.write_text(good)
    words = ["dedup", "in.jsonl", "--threshold", "0.5", *WORDS, "--decisions", "own.jsonl"]
    run(*words, "-o", "whole")
    run(*words, "-o", "parts", env={"LOOKALIKE_STRESS": "resume"})
    assert decided(tmp_path / "parts") == decided(tmp_path / "whole")
    place = {"id": "9", "source": "in.jsonl", "row": 9999}
    line = {"number": 99, "decision": "keep", "cluster": 1, "documents": [place]}
    own.write_text(good + json.dumps(line) + "\n")
    said = run(*words, "-o", "out", "--resume", code=2).stderr
    assert "in.jsonl:9999" in said
    assert "pass --resume" in said
    own.write_text(good)
    said = run(*words, "-o", "out", "--resume", code=2).stderr
    assert "the file of --decisions changed" in said
    run(*words, "-o", "out")
    assert decided(tmp_path / "out") == decided(tmp_path / "whole")


def test_decisions_about_other_documents_are_refused(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    """A row that has another id now, since records were added before it."""
    rows = families(6, 3)
    write_jsonl("in.jsonl", rows)
    (tmp_path / "own.jsonl").write_text(random_decisions(rows, 4, random.Random(2)))
    words = ["dedup", "in.jsonl", "-o", "out", "--overwrite", "--decisions", "own.jsonl"]
    run(*words)
    write_jsonl("in.jsonl", [{"id": "new", "text": "a record before all others"}, *rows])
    said = run(*words, code=2).stderr
    assert re.search(r'decision 1 names the document "f.*" at in.jsonl:.*, where "f.*" is now', said)
    assert "decide again, or correct the rows" in said


@pytest.mark.parametrize(("kind", "documents"), [("keep", 2), ("keep", 0), ("merge", 1)])
def test_decisions_have_as_many_documents_as_they_need(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, kind: str, documents: int
) -> None:
    rows = families(3, 3)
    write_jsonl("in.jsonl", rows)
    places = [{"id": rows[d]["id"], "source": "in.jsonl", "row": d + 1} for d in range(documents)]
    line = {"number": 1, "decision": kind, "cluster": 1, "documents": places}
    (tmp_path / "own.jsonl").write_text(json.dumps(line) + "\n")
    said = run("dedup", "in.jsonl", "-o", "out", "--decisions", "own.jsonl", code=2).stderr
    assert "own.jsonl:1" in said


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--cluster", "components"], "--cluster leader"),
        (["--decisions", "none.jsonl"], "does not exist"),
    ],
)
def test_runs_that_cannot_replay(
    run: Run, tmp_path: Path, options: list[str], reason: str
) -> None:
    Decided(run, tmp_path)
    (tmp_path / "own.jsonl").write_text("")
    said = run("dedup", "in.jsonl", "-o", "x", "--decisions", "own.jsonl", *options, code=2).stderr
    assert reason in said


def test_tasks_and_outputs_refuse_decisions(run: Run, tmp_path: Path) -> None:
    Decided(run, tmp_path)
    (tmp_path / "own.jsonl").write_text("")
    said = run("shard", "plan", "in.jsonl", "-o", "x", "--job", "job", "--decisions", "own.jsonl",
               code=2).stderr
    assert "rethreshold" in said
    said = run("dedup", "in.jsonl", "-o", "own.jsonl", "--overwrite", "--decisions", "own.jsonl",
               code=2).stderr
    assert (tmp_path / "own.jsonl").is_file()
