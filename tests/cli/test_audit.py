"""`lookalike audit`: what another program removed for no reason, and what it missed.

Every verdict is compared with one made from the scores of all pairs.
"""

from __future__ import annotations

import gzip
import json
import random
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from word_features import features, resemblance

THRESHOLD = 0.8
Rows = list[dict[str, Any]]


def families(count: int, seed: int) -> Rows:
    """Texts in families whose members differ in a few words; some texts are alone."""
    draw = random.Random(seed)
    rows: Rows = []
    for family in range(count):
        words = [f"w{draw.randrange(5000)}" for _ in range(60)]
        for member in range(draw.choice([1, 1, 2, 3, 5])):
            text = words.copy()
            for _ in range(draw.choice([0, 1, 1, 3]) if member else 0):
                text[draw.randrange(len(text))] = f"x{draw.randrange(5000)}"
            rows.append({"id": f"f{family}-{member}", "text": " ".join(text)})
    draw.shuffle(rows)
    return rows


class Collection:
    """Documents with all their scores, and our own result of them."""

    def __init__(self, folder: Path, run: Callable[..., Any], rows: Rows, *options: str):
        self.run, self.folder, self.rows = run, folder, rows
        self.ids = [str(row["id"]) for row in rows]
        self.text = {str(row["id"]): row["text"] for row in rows}
        sets = {name: features(text, 5) for name, text in self.text.items()}
        self.scores = {
            (a, b): resemblance(sets[a], sets[b]) for a in self.ids for b in self.ids if a != b
        }
        run("dedup", "in.jsonl", "-o", "ours", "--quiet", *options)

    def audit(self, path: str, *options: str) -> tuple[dict[str, Any], Rows]:
        """Returns the summary and the findings about a list."""
        said = self.run("audit", "ours", "in.jsonl", "--list", path, "--json", *options)
        lines = [json.loads(line) for line in (self.folder / "ours.audit.jsonl").open()]
        summary = json.loads(said.stdout)
        assert lines[-1]["summary"].items() <= summary.items()
        return summary, lines[:-1]

    def false_removals(self, removed: set[str]) -> set[str]:
        stays = [each for each in self.ids if each not in removed]
        return {
            each
            for each in self.ids
            if each in removed and all(self.scores[each, s] < THRESHOLD for s in stays)
        }

    def can_be_missed(self, removed: set[str]) -> set[str]:
        """The documents that stay and have a near-duplicate that stays."""
        stays = [each for each in self.ids if each not in removed]
        return {a for a in stays for b in stays if a != b and self.scores[a, b] >= THRESHOLD}


@pytest.fixture
def collection(tmp_path: Path, run: Any, write_jsonl: Any) -> Collection:
    rows = families(60, 3)
    write_jsonl("in.jsonl", rows)
    return Collection(tmp_path, run, rows)


def ids_of(findings: Rows, kind: str) -> set[str]:
    return {found["document"]["id"] for found in findings if found["kind"] == kind}


def a_list(collection: Collection, seed: int = 1) -> list[str]:
    """Returns a third of the documents: some removed rightly, some not."""
    return sorted(random.Random(seed).sample(collection.ids, len(collection.ids) // 3))


def check_removals(collection: Collection, removed: set[str], found: Rows) -> None:
    assert ids_of(found, "false_removal") == collection.false_removals(removed)
    missed = ids_of(found, "missed")
    assert missed <= collection.can_be_missed(removed)
    # What is left without the missed documents has no pair of near-duplicates.
    assert collection.can_be_missed(removed | missed) == set()
    for each in found:
        doc, other = each["document"]["id"], each["other"]
        if each["kind"] == "missed":
            assert other["id"] not in removed
        if other is not None:
            assert other["resemblance"] == pytest.approx(collection.scores[doc, other["id"]])
        else:
            stays = set(collection.ids) - removed
            assert max(collection.scores[doc, s] for s in stays) < 0.5


GUARDS = [
    ["--differ", "half"],
    ["--differ", "regex:[x]\\d+"],
    ["--differ", "meta.third", "--same", "half"],
    ["--not-same", "half"],
]


def guarded_rows(seed: int) -> Rows:
    """Families with fields; some records lack one."""
    draw = random.Random(seed)
    rows = families(60, seed)
    for row in rows:
        row["half"] = draw.choice([True, False])
        row["meta"] = draw.choice([{"third": 1}, {"third": 2}, {}])
    return rows


class Guarded(Collection):
    """A collection and a result with guards, and what these say of each pair."""

    def __init__(self, folder: Path, run: Callable[..., Any], options: list[str]):
        rows = guarded_rows(4)
        super().__init__(folder, run, rows, *options)
        self.options = options
        self.row = {row["id"]: row for row in rows}

    def apart(self, a: str, b: str) -> bool:
        x, y = self.row[a], self.row[b]
        same_half = x["half"] == y["half"]
        if self.options[0] == "--not-same":
            return same_half
        if self.options[1] == "half":
            return not same_half
        if self.options[1].startswith("regex"):
            words = [sorted(w for w in r["text"].split() if w[0] == "x") for r in (x, y)]
            return words[0] != words[1]
        return x["meta"].get("third") != y["meta"].get("third") or not same_half

    def near(self, a: str, b: str) -> bool:
        return a != b and self.scores[a, b] >= THRESHOLD

    def edge(self, a: str, b: str) -> bool:
        return self.near(a, b) and not self.apart(a, b)


@pytest.mark.parametrize("options", GUARDS, ids=" ".join)
def test_guards_say_what_is_false_and_what_is_missed(
    tmp_path: Path, run: Callable[..., Any], write_jsonl: Callable[..., Any], options: list[str]
) -> None:
    write_jsonl("in.jsonl", guarded_rows(4))
    ours = Guarded(tmp_path, run, options)
    removed = set(a_list(ours))
    (tmp_path / "list.txt").write_text("".join(f"{each}\n" for each in sorted(removed)))
    summary, found = ours.audit("list.txt")
    stays = [each for each in ours.ids if each not in removed]
    false = {r for r in removed if not any(ours.edge(r, s) for s in stays)}
    assert ids_of(found, "false_removal") == false
    guarded = {r for r in false if any(ours.near(r, s) for s in stays)}
    assert guarded
    assert summary["guarded"] == len(guarded)
    for each in found:
        if each["kind"] == "false_removal":
            name, why = each["document"]["id"], each["guarded"]
            assert (why is not None) == (name in guarded)
            if why is not None:
                assert ours.near(name, why["id"]) and ours.apart(name, why["id"])
                assert why["resemblance"] == pytest.approx(ours.scores[name, why["id"]])
    missed = ids_of(found, "missed")
    assert all(any(ours.edge(m, s) for s in stays) for m in missed)
    left = [each for each in stays if each not in missed]
    assert not any(ours.edge(a, b) for a in left for b in left)
    said = run("audit", "ours", "in.jsonl", "--list", "list.txt").stdout
    assert f"{len(guarded)} of the false ones reach the threshold" in said


@pytest.mark.parametrize("options", GUARDS[:2], ids=" ".join)
def test_pairs_that_a_guard_tells_apart_are_false(
    tmp_path: Path, run: Callable[..., Any], write_jsonl: Callable[..., Any], options: list[str]
) -> None:
    write_jsonl("in.jsonl", guarded_rows(4))
    ours = Guarded(tmp_path, run, options)
    near = [(a, b) for i, a in enumerate(ours.ids) for b in ours.ids[i + 1 :] if ours.near(a, b)]
    write_jsonl("pairs.jsonl", [{"a": a, "b": b} for a, b in near])
    form = ["--kind", "pairs", "--list-id", "a", "--list-with", "b"]
    summary, found = ours.audit("pairs.jsonl", *form)
    false = {frozenset(pair) for pair in near if ours.apart(*pair)}
    assert false
    assert {
        frozenset((f["document"]["id"], f["guarded"]["id"]))
        for f in found
        if f["kind"] == "false_pair"
    } == false
    assert summary["false_pairs"] == summary["guarded"] == len(false)
    assert summary["missed_pairs"] == 0


@pytest.mark.parametrize("seed", range(4))
def test_removals_are_judged_as_all_scores_say(collection: Collection, seed: int) -> None:
    removed = a_list(collection, seed)
    (collection.folder / "list.txt").write_text("".join(f"{each}\n" for each in removed))
    summary, found = collection.audit("list.txt")
    assert summary["removed"] == summary["listed"] == len(removed)
    assert summary["unknown"] == summary["repeated"] == 0
    assert summary["false_removals"] == len(ids_of(found, "false_removal")) > 0
    assert summary["missed"] == len(ids_of(found, "missed")) > 0
    check_removals(collection, set(removed), found)


def test_a_false_removal_says_whether_its_copies_went_as_well(collection: Collection) -> None:
    alike = {a for (a, b), score in collection.scores.items() if score >= THRESHOLD}
    (collection.folder / "list.txt").write_text("\n".join(collection.ids))
    summary, found = collection.audit("list.txt")
    assert summary["removed"] == summary["false_removals"] == len(collection.ids)
    assert summary["lost_with_copies"] == len(alike)
    assert {each["document"]["id"] for each in found if each["copy"]} == alike
    for each in found:
        if each["copy"]:
            pair = each["document"]["id"], each["copy"]["id"]
            assert each["copy"]["resemblance"] == pytest.approx(collection.scores[pair])
            assert each["copy"]["resemblance"] >= THRESHOLD
    clusters = [json.loads(line) for line in (collection.folder / "ours/clusters.jsonl").open()]
    for each in found:
        if each["cluster"]:
            assert each["document"]["id"] in clusters[each["cluster"] - 1]["members"]


def write_forms(folder: Path, rows: Rows) -> list[str]:
    """Writes a table in several forms, and returns their names."""
    names = list(rows[0])
    lines = [",".join(names)] + [",".join(str(row[name]) for name in names) for row in rows]
    (folder / "list.csv").write_text("\n".join(lines) + "\n")
    (folder / "list.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), folder / "list.parquet")
    return ["list.csv", "list.jsonl", "list.parquet"]


def test_every_form_of_a_list_of_removals_says_the_same(collection: Collection) -> None:
    removed = a_list(collection)
    (collection.folder / "list.txt").write_text("\r\n".join(removed))
    expected = collection.audit("list.txt")[1]
    for name in write_forms(collection.folder, [{"doc": each} for each in removed]):
        assert collection.audit(name, "--list-id", "doc")[1] == expected
    stays = [{"id": each} for each in collection.ids if each not in set(removed)]
    for name in write_forms(collection.folder, stays):
        summary, found = collection.audit(name, "--kind", "kept")
        assert found == expected
        assert summary["removed"] == len(removed)
    numbers = [{"index": collection.ids.index(each)} for each in removed]
    for name in write_forms(collection.folder, numbers):
        assert collection.audit(name, "--list-id", "index", "--by-number")[1] == expected


def test_of_a_cluster_the_first_document_stays(collection: Collection) -> None:
    draw = random.Random(5)
    rows = [
        {"id": each, "group": draw.randrange(12) + 100}
        for each in draw.sample(collection.ids, len(collection.ids) // 2)
    ]
    first: dict[int, str] = {}
    group = {row["id"]: row["group"] for row in rows}
    for each in collection.ids:
        if each in group:
            first.setdefault(group[each], each)
    removed = set(group) - set(first.values())
    for name in write_forms(collection.folder, rows):
        summary, found = collection.audit(name, "--kind", "clusters", "--list-with", "group")
        assert summary["removed"] == len(removed)
        check_removals(collection, removed, found)
        for each in found:
            if each["kind"] == "false_removal":
                doc, reason = each["document"]["id"], each["reason"]
                assert reason["id"] == first[group[doc]]
                assert reason["resemblance"] == pytest.approx(collection.scores[doc, reason["id"]])


def test_a_removal_can_name_what_it_was_removed_for(collection: Collection) -> None:
    removed = a_list(collection)
    rows = [{"id": each, "duplicate_of": collection.ids[0]} for each in removed]
    rows = [row for row in rows if row["id"] != row["duplicate_of"]]
    write_forms(collection.folder, rows)
    _, found = collection.audit("list.jsonl", "--list-with", "duplicate_of")
    false = [each for each in found if each["kind"] == "false_removal"]
    assert false
    for each in false:
        doc, reason = each["document"]["id"], each["reason"]
        assert reason["id"] == collection.ids[0]
        assert reason["resemblance"] == pytest.approx(collection.scores[doc, reason["id"]])


@pytest.mark.parametrize("least", [1, 3, 4])
def test_of_a_text_with_too_few_features_only_the_same_bytes_are_a_copy(
    tmp_path: Path, run: Callable[..., Any], write_jsonl: Callable[..., Any], least: int
) -> None:
    """Texts of 0 to 6 features, each with a copy and with a text of the same words, which stay."""
    rows: Rows = []
    for size in range(7):
        text = " ".join(f"s{size}w{i}" for i in range(size + 4)) if size else "!?"
        rows += [{"id": f"{name}{size}", "text": text} for name in ("copy", "gone")]
        rows += [{"id": f"other{size}", "text": f"({text})"}]
    write_jsonl("in.jsonl", rows)
    ours = Collection(tmp_path, run, rows, "--min-features", str(least))
    write_jsonl("list.jsonl", [{"id": row["id"]} for row in rows if row["id"][0] == "g"])
    assert ours.audit("list.jsonl")[0]["false_removals"] == 0
    write_jsonl("list.jsonl", [{"id": row["id"]} for row in rows if row["id"][0] in "gc"])
    summary, found = ours.audit("list.jsonl")
    # A text without words is not even like one that has the same bytes but for brackets.
    few = {f"{name}{size}" for name in ("copy", "gone") for size in range(least)}
    assert ids_of(found, "false_removal") == few
    assert summary["false_removals"] == len(few)


def test_our_own_result_has_no_false_removal(collection: Collection) -> None:
    summary, found = collection.audit("ours/removed.jsonl", "--list-with", "duplicate_of")
    assert found == [] and summary["removed"] > 0


def test_pairs_are_judged_as_all_scores_say(collection: Collection) -> None:
    true = {(a, b) for (a, b), score in collection.scores.items() if score >= THRESHOLD and a < b}
    draw = random.Random(7)
    listed = set(draw.sample(sorted(true), len(true) // 2))
    wrong = {tuple(sorted(draw.sample(collection.ids, 2))) for _ in range(40)} - true
    rows = [{"x": b, "y": a} for a, b in listed | wrong]  # the order of a pair does not matter
    rows += [{"x": "unheard-of", "y": collection.ids[0]}, {"x": "f0-0", "y": "f0-0"}]
    for name in write_forms(collection.folder, rows):
        options = ["--kind", "pairs", "--list-id", "x", "--list-with", "y"]
        summary, found = collection.audit(name, *options)

        def pairs(kind: str, found: Rows = found) -> set[tuple[str, ...]]:
            return {
                tuple(sorted((each["document"]["id"], each["other"]["id"])))
                for each in found
                if each["kind"] == kind
            }

        assert pairs("false_pair") == wrong
        assert pairs("missed_pair") == true - listed
        assert summary["pairs"] == len(listed | wrong)
        assert summary["false_pairs"] == len(wrong)
        assert summary["missed_pairs"] == len(true - listed)
        assert summary["unknown"] == 1
        for each in found:
            pair = each["document"]["id"], each["other"]["id"]
            assert each["other"]["resemblance"] == pytest.approx(collection.scores[pair])


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_numbers_of_datatrove_are_those_of_its_workers(
    tmp_path: Path, run: Any, write_jsonl: Any, workers: int
) -> None:
    """Worker w reads inputs w, w + workers, ...; a file without documents has its turn as well."""
    rows = families(40, 9)
    parts = [rows[:30], [], rows[30:50], rows[50:]]
    for number, part in enumerate(parts):
        write_jsonl(f"in/{number}.jsonl", part)
    # It leaves out documents without a text before it counts.
    write_jsonl("in/0.jsonl", [*parts[0][:5], {"id": "empty", "text": ""}, *parts[0][5:]])
    run("dedup", "in", "-o", "ours", "--quiet")
    removed = set(random.Random(2).sample([row["id"] for row in rows], 30))
    (tmp_path / "removed").mkdir()
    for worker in range(workers):
        own = [row for part in parts[worker::workers] for row in part]
        gone = [n for n, row in enumerate(own) if row["id"] in removed]
        if gone:
            path = tmp_path / "removed" / f"{worker:06d}.remove"
            path.write_bytes(struct.pack(f"<{len(gone)}I", *gone))
    (tmp_path / "removed" / "notes").write_text("another file")
    (tmp_path / "list.txt").write_text("\n".join(removed))
    run("audit", "ours", "in", "--list", "list.txt", "-o", "by-id.jsonl", "--quiet")
    run("audit", "ours", "in", "--list", "removed", "--workers", str(workers), "--quiet")
    by_id, by_number = (
        (tmp_path / name).read_text().splitlines()[:-1]
        for name in ("by-id.jsonl", "ours.audit.jsonl")
    )
    assert by_number == by_id and len(by_id) > 10


def test_clusters_of_datatrove_say_what_a_document_was_removed_for(
    tmp_path: Path, collection: Collection
) -> None:
    (tmp_path / "removed").mkdir()
    # Documents 1 and 4 went for document 9, which stays: it need not be the first.
    (tmp_path / "removed/000000.remove").write_bytes(struct.pack("<2I", 1, 4))
    clusters = struct.pack("<8I", 1, 7, 4, 7, 9, 7, 20, 8)
    (tmp_path / "removed/000000.clusters").write_bytes(clusters)
    summary, found = collection.audit("removed")
    assert summary["removed"] == 2
    ids = collection.ids
    false = {each["document"]["id"]: each["reason"] for each in found[: summary["false_removals"]]}
    assert set(false) == collection.false_removals({ids[1], ids[4]}) and false
    for doc, reason in false.items():
        assert reason["id"] == ids[9]
        assert reason["resemblance"] == pytest.approx(collection.scores[doc, ids[9]])


def test_a_copy_without_words_is_no_loss(tmp_path: Path, run: Any, write_jsonl: Any) -> None:
    rows = [("a", "..."), ("b", "..."), ("c", "!"), ("d", ""), ("e", "")]
    write_jsonl("in.jsonl", [{"id": name, "text": text} for name, text in rows])
    run("dedup", "in.jsonl", "-o", "ours", "--quiet")
    (tmp_path / "list.txt").write_text("b\nc\ne\n")
    said = run("audit", "ours", "in.jsonl", "--list", "list.txt", "--json")
    assert json.loads(said.stdout)["false_removals"] == 1
    first = json.loads((tmp_path / "ours.audit.jsonl").open().readline())
    assert first["document"]["id"] == "c"


@pytest.mark.parametrize("options", [["--differ", "g"], ["--same", "g"]], ids=" ".join)
def test_a_copy_without_words_that_a_guard_tells_apart_is_a_loss(
    tmp_path: Path, run: Any, write_jsonl: Any, options: list[str]
) -> None:
    rows = [("a", "...", "p"), ("b", "...", "p"), ("c", "...", "q"), ("d", "!", "p")]
    write_jsonl("in.jsonl", [{"id": name, "text": text, "g": g} for name, text, g in rows])
    run("dedup", "in.jsonl", "-o", "ours", "--quiet", *options)
    (tmp_path / "list.txt").write_text("b\nc\nd\n")
    said = json.loads(run("audit", "ours", "in.jsonl", "--list", "list.txt", "--json").stdout)
    assert (said["false_removals"], said["guarded"]) == (2, 1)
    found = [json.loads(line) for line in (tmp_path / "ours.audit.jsonl").open()]
    other = {each["document"]["id"]: each["guarded"] for each in found if "document" in each}
    assert other["c"]["id"] == "a" and other["d"] is None


def test_an_id_of_several_documents_is_counted(tmp_path: Path, run: Any, write_jsonl: Any) -> None:
    rows = families(3, 1)
    write_jsonl("in.jsonl", [*rows, {"id": rows[0]["id"], "text": "something else altogether"}])
    run("dedup", "in.jsonl", "-o", "ours", "--quiet")
    (tmp_path / "list.txt").write_text(f"{rows[0]['id']}\nnobody\n")
    said = run("audit", "ours", "in.jsonl", "--list", "list.txt")
    assert "Audited 2 removals" in said.stdout
    assert "1 document of the list, which the inputs do not have" in said.stdout
    assert "1 document with the id of an earlier one" in said.stdout


def test_the_file_is_the_same_with_other_threads_and_memory(collection: Collection) -> None:
    (collection.folder / "list.txt").write_text("\n".join(a_list(collection)))
    files = []
    for options in (["--threads", "1"], ["--threads", "2", "--memory", "64M"], ["--scratch", "."]):
        collection.audit("list.txt", *options)
        files.append((collection.folder / "ours.audit.jsonl").read_bytes())
    assert files[0] == files[1] == files[2]
    left = {path.name for path in collection.folder.iterdir()}
    assert left == {"in.jsonl", "ours", "ours.audit.jsonl", "list.txt"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["ours", "other.jsonl", "--list", "list.txt"], "other.jsonl"),
        (["ours", "in.jsonl", "--list", "nothing.txt"], "nothing.txt"),
        (["ours", "in.jsonl", "--list", "list.csv"], "list.csv: no record"),
        (["ours", "in.jsonl", "--list", "list.csv"], "that --list-id names"),
        (["ours", "in.jsonl", "--list", "some.jsonl"], "some.jsonl: 1 row without the field id"),
        (["ours", "in.jsonl", "--list", "list.csv", "--kind", "clusters"], "--list-with names"),
        (["ours", "in.jsonl", "--list", "list.txt", "--kind", "pairs"], "makes no clusters"),
        (["ours", "in.jsonl", "--list", "folder"], "000000.remove"),
        (["ours", "in.jsonl", "--list", "cut"], "000000.remove: has 5 bytes"),
        (["nowhere", "in.jsonl", "--list", "list.txt"], "nowhere"),
        (["ours", "in.jsonl", "--list", "list.txt", "--kind", "some"], "removed, kept, clusters"),
        (["ours", "in.jsonl"], "--list"),
        (["ours", "-", "--list", "list.txt"], "standard input"),
        (["reference", "in.jsonl", "--list", "list.txt"], "--against"),
        (["ours", "in.jsonl", "--list", "list.txt", "-o", "in.jsonl"], "in.jsonl"),
        (["ours", "in.jsonl", "--list", "list.txt", "-o", "list.txt"], "list.txt"),
        (["ours", "in.jsonl", "--list", "list.txt", "-o", "ours/manifest.json"], "ours"),
        (["ours", "in.jsonl", "--list", "unknown.txt"], "names no document of the inputs"),
        (["ours", "in.jsonl", "--list", "empty.txt", "--kind", "kept"], "names no document"),
        (["ours", "in.jsonl", "--list", "two.csv", "--kind", "clusters"], "'f0-0' in two clusters"),
    ],
)
def test_what_cannot_be_audited_is_refused(
    tmp_path: Path, collection: Collection, words: list[str], says: str
) -> None:
    for name in ("folder", "cut"):
        (tmp_path / name).mkdir()
    (tmp_path / "cut/000000.remove").write_bytes(b"12345")
    (tmp_path / "list.txt").write_text("f0-0\n")
    (tmp_path / "list.csv").write_text("document,size\nf0-0,3\n")
    (tmp_path / "unknown.txt").write_text("nobody\nnothing\n")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "two.csv").write_text("id,cluster\nf0-0,1\nf1-0,1\nf0-0,2\n")
    (tmp_path / "some.jsonl").write_text('{"id": "f0-0"}\n{"name": "f0-0"}\n')
    (tmp_path / "other.jsonl").write_text('{"id": "f0-0", "text": "other"}\n')
    against = ["--against", "other.jsonl", "-o", "reference", "--quiet"]
    collection.run("dedup", "in.jsonl", *against)
    said = collection.run("audit", *words, code=2)
    assert says in said.stderr, said.stderr
    assert len(said.stderr.strip().splitlines()) <= 2
    assert not (tmp_path / "ours.audit.jsonl").exists()


def test_all_inputs_of_the_result_are_needed(tmp_path: Path, run: Any, write_jsonl: Any) -> None:
    rows = families(20, 4)
    write_jsonl("a.jsonl", rows[:10])
    write_jsonl("b.jsonl", rows[10:])
    run("dedup", "a.jsonl", "b.jsonl", "-o", "ours", "--quiet")
    (tmp_path / "list.txt").write_text(rows[0]["id"] + "\n")
    for inputs in (["a.jsonl"], ["b.jsonl", "a.jsonl"]):
        said = run("audit", "ours", *inputs, "--list", "list.txt", code=2)
        assert "was made from 2 inputs" in said.stderr
    run("audit", "ours/", "a.jsonl", "b.jsonl", "--list", "list.txt", "--quiet")
    (tmp_path / "ours.audit.jsonl").rename(tmp_path / "first")
    (tmp_path / "ours/checks.jsonl").unlink()
    said = run("audit", "ours", "a.jsonl", "b.jsonl", "--list", "list.txt", code=2)
    assert "has no checks.jsonl" in said.stderr


def test_the_folder_of_the_result_may_be_the_current_one(
    tmp_path: Path, binary: Path, collection: Collection
) -> None:
    (tmp_path / "list.txt").write_text("f0-0\n")
    words = ["audit", ".", "../in.jsonl", "--list", "../list.txt", "--quiet"]
    subprocess.run([binary, *words], cwd=tmp_path / "ours", check=True)
    assert (tmp_path / "ours.audit.jsonl").exists()


def test_texts_that_do_not_fit_are_never_judged_by_halves(tmp_path: Path, run: Any) -> None:
    """In our own files texts are longer than in the inputs: a quote takes two bytes."""
    text = " ".join(f'"{i:06d}"' for i in range(120_000))
    copies = [("k1", "some words and others"), ("k2", "some words and others")]
    lines = [f"{name},{words}\n" for name, words in copies]
    quoted = text.replace('"', '""')
    (tmp_path / "in.csv").write_text(f'id,text\ngone,"{quoted}"\n' + "".join(lines))
    run("dedup", "in.csv", "-o", "ours", "--quiet", "--memory", "1G")
    (tmp_path / "list.txt").write_text("gone\n")
    whole = run("audit", "ours", "in.csv", "--list", "list.txt", "--json", "--memory", "1G")
    summary = json.loads(whole.stdout)
    assert (summary["false_removals"], summary["missed"]) == (1, 1)
    said = run(
        "audit", "ours", "in.csv", "--list", "list.txt", "--json", "--memory", "64M", code=None
    )
    if said.code == 0:
        assert json.loads(said.stdout)["false_removals"] == 1
    else:
        assert "--memory" in said.stderr
        assert said.code in (2, 3)


def test_many_copies_of_a_long_text_are_no_bomb(tmp_path: Path, run: Any, write_jsonl: Any) -> None:
    draw = random.Random(3)
    text = " ".join(f"w{draw.randrange(100_000)}" for _ in range(15_000))
    write_jsonl("in.jsonl", [{"id": f"d{i}", "text": text} for i in range(700)])
    run("dedup", "in.jsonl", "-o", "ours", "--quiet")
    (tmp_path / "list.txt").write_text("".join(f"d{i}\n" for i in range(1, 700)))
    said = run("audit", "ours", "in.jsonl", "--list", "list.txt", "--json")
    summary = json.loads(said.stdout)
    assert (summary["removed"], summary["false_removals"], summary["missed"]) == (699, 0, 0)


@pytest.mark.parametrize("options", [["--bag", "max"], ["--weights", "w.tsv"], ["--shingle=char:5"]])
def test_reasons_have_the_scores_of_pairs(
    tmp_path: Path, run: Any, collection: Collection, options: list[str]
) -> None:
    weights = "".join(f"w{i}\t{1 + i % 3}\n" for i in range(5000)) + "*\t1\n"
    (tmp_path / "w.tsv").write_text(weights)
    run("dedup", "in.jsonl", "-o", "ours", "--overwrite", "--quiet", *options)
    near = ["--threshold", "0.3", "--method", "exact"]
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--quiet", *near, *options)
    lines = [json.loads(line) for line in (tmp_path / "pairs.jsonl").open()]
    scores = {frozenset((row["a"], row["b"])): row["resemblance"] for row in lines}
    rows = [{"a": row["a"], "b": row["b"]} for row in lines if row["resemblance"] < THRESHOLD]
    write_forms(tmp_path, rows)
    _, found = collection.audit("list.csv", "--kind", "pairs")
    false = [each for each in found if each["kind"] == "false_pair"]
    assert len(false) == len(rows) > 5
    for each in false:
        pair = frozenset((each["document"]["id"], each["other"]["id"]))
        assert each["other"]["resemblance"] == scores[pair]


def test_lists_as_they_come_from_elsewhere(collection: Collection) -> None:
    removed = a_list(collection)
    folder = collection.folder
    (folder / "list.txt").write_text("\n".join(removed))
    expected = collection.audit("list.txt")[1]
    (folder / "bom.txt").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(removed).encode())
    (folder / "packed.txt.gz").write_bytes(gzip.compress("\n".join(removed).encode()))
    for name in ("bom.txt", "packed.txt.gz"):
        assert collection.audit(name)[1] == expected
    pairs = [{"a": collection.ids[0], "b": "nobody"}, {"a": collection.ids[1], "b": "no one"}]
    write_forms(folder, pairs)
    assert collection.audit("list.csv", "--kind", "pairs")[0]["unknown"] == 2


def test_too_many_workers_are_no_matter(tmp_path: Path, collection: Collection) -> None:
    (tmp_path / "removed").mkdir()
    (tmp_path / "removed/000000.remove").write_bytes(struct.pack("<2I", 1, 4))
    assert collection.audit("removed", "--workers", str(2**63))[0]["removed"] == 2
