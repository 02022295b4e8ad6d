"""`lookalike index clusters` and `changes`: components of what is alike, whose names stay."""

from __future__ import annotations

import json
import random
import re
import signal
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from model import Features, Model

Clusters = dict[str, frozenset[str]]
Rows = list[dict[str, str]]
CHANGES = {"added", "joined", "merged", "split", "removed"}
#: So that no pair at the threshold is missed.
SURE = ["--recall", "0.99999"]


def components(model: Model, threshold: str) -> set[frozenset[str]]:
    """Returns what pairs at or above a threshold lead to; single documents, too."""
    features = {name: model.features(text) for name, text in model.texts.items()}
    least = Fraction(threshold)
    left = set(features)
    found = set()
    while left:
        part = [left.pop()]
        for one in part:
            mine = features[one]
            near = {
                name
                for name in left
                if (common := len(mine & features[name])) > 0
                and common >= least * (len(mine) + len(features[name]) - common)
            }
            left -= near
            part += near
        found.add(frozenset(part))
    return found


def of_two_or_more(parts: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    return {part for part in parts if len(part) > 1}


class Replay:
    """Follows the lines of `changes`, and what a name may do."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.at: dict[str, str] = {}
        self.alive: set[str] = set()
        self.ended: set[str] = set()
        self.born: dict[str, int] = {}

    def take(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        assert list(line) == ["seq", "change", "cluster", "documents", "from"]
        assert line["seq"] == len(self.lines)
        name, change = line["cluster"], line["change"]
        assert name not in self.ended, f"a name came back: {line}"
        if change in ("added", "split"):
            assert name not in self.born, f"a name is not new: {line}"
        else:
            assert name in self.alive, f"a name without a cluster: {line}"
        self.born.setdefault(name, line["seq"])
        self.apply(line)
        now = set(self.at.values())
        self.ended |= self.alive - now
        self.alive = now

    def apply(self, line: dict[str, Any]) -> None:
        name, documents, others = line["cluster"], line["documents"], line["from"]
        match line["change"]:
            case "added":
                (one,) = documents
                assert one not in self.at and others == []
                self.at[one] = name
            case "joined":
                assert documents and others == [] and not set(documents) & self.at.keys()
                self.at.update(dict.fromkeys(documents, name))
            case "removed":
                assert documents and others == []
                assert {self.at.pop(one) for one in documents} == {name}
            case "merged":
                assert documents == [] and others
                assert name not in others and set(others) <= self.alive
                self.at = {one: name if at in others else at for one, at in self.at.items()}
            case "split":
                assert documents and others == [self.at[documents[0]]]
                assert {self.at[one] for one in documents} == set(others)
                self.at.update(dict.fromkeys(documents, name))
                assert set(others) <= set(self.at.values()), "the rest keeps the name"
            case other:
                raise AssertionError(f"unknown change {other}")

    def clusters(self) -> Clusters:
        """Returns all clusters, also those of one document."""
        found: dict[str, set[str]] = {}
        for document, name in self.at.items():
            found.setdefault(name, set()).add(document)
        return {name: frozenset(documents) for name, documents in found.items()}


class Clustered:
    """An index, the model of its documents, and the replay of its changes."""

    def __init__(
        self,
        index: Callable[..., Any],
        folder: Path,
        threshold: str = "0.8",
        shingle: str = "word:5",
        keep: str = "features",
    ) -> None:
        self.call, self.folder, self.threshold, self.keep = index, folder, threshold, keep
        self.settings = ["--threshold", threshold, "--shingle", shingle, "--keep", keep, *SURE]
        self.name = "seen"
        self.model = Model(Features(shingle))
        self.replay = Replay()
        self.call("create", self.name, *self.settings)

    def write(self, rows: Rows) -> Path:
        path = self.folder / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def listed(self, *words: str) -> Clusters:
        """Returns what `clusters` prints."""
        clusters = self.call("clusters", self.name, "--json", *words).json["clusters"]
        found = {one["cluster"]: frozenset(one["members"]) for one in clusters}
        assert len(found) == len(clusters)
        assert all(len(one["members"]) == len(set(one["members"])) > 1 for one in clusters)
        places = {name: place for place, name in enumerate(self.model.texts)}
        for one in clusters:
            assert one["members"] == sorted(one["members"], key=lambda name: places[name])
        return found

    def changes(self, since: int = 0) -> list[dict[str, Any]]:
        lines = self.call("changes", self.name, "--since", str(since)).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def add(self, rows: Rows, action: str = "add") -> None:
        """Adds and checks: documents that are only added break no cluster."""
        before = self.replay.clusters()
        grows = not any(row["id"] in self.model.texts for row in rows)
        answer = self.call(action, self.name, self.write(rows), "--json").json
        assert answer == self.model.add(rows)
        self.check()
        if grows:
            self.check_names_stay(before)

    def remove(self, *ids: str) -> None:
        """Removes and checks: of each cluster, the part of the most classes keeps the name."""
        before = self.replay.clusters()
        answer = self.call("remove", self.name, *ids, "--json").json
        there = self.model.remove(list(ids))
        assert answer == {"removed": there, "missing": len(ids) - there}
        self.check()
        after = self.replay.clusters()
        for name, old in before.items():
            if old.isdisjoint(self.model.texts):
                assert name not in after
            else:
                assert after[name] <= old
        self.check_parts(before, after)

    def check_parts(self, before: Clusters, after: Clusters) -> None:
        old_name = {document: name for name, old in before.items() for document in old}
        for name, part in after.items():
            (old,) = {old_name[document] for document in part}
            assert name == old or name not in before

    def check_names_stay(self, before: Clusters) -> None:
        after = self.replay.clusters()
        for part in after.values():
            old = [name for name, documents in before.items() if documents <= part]
            (name,) = [name for name, documents in after.items() if documents == part]
            if old:
                assert name == min(old, key=lambda one: self.replay.born[one])
            else:
                assert name not in before

    def check(self) -> None:
        for line in self.changes(len(self.replay.lines)):
            self.replay.take(line)
        replayed = self.replay.clusters()
        listed = self.listed()
        assert listed == {name: part for name, part in replayed.items() if len(part) > 1}
        if self.keep != "none":
            assert set(replayed.values()) == components(self.model, self.threshold)
        self.call("check", self.name)

    def check_cut(self, threshold: str) -> int:
        """Returns how many parts there are at a higher threshold."""
        parts = self.listed("--threshold", threshold)
        assert set(parts.values()) == of_two_or_more(components(self.model, threshold))
        whole = self.replay.clusters()
        for name, part in parts.items():
            assert part <= whole[name.partition("/")[0]]
        return len(parts)


@pytest.fixture
def make(index: Callable[..., Any], tmp_path: Path) -> Callable[..., Clustered]:
    """Makes an empty index with its model."""

    def call(**settings: str) -> Clustered:
        return Clustered(index, tmp_path, **settings)

    return call


class Families:
    """Texts of 20 to 60 words, which are cut out of a few long texts, and edited."""

    def __init__(self, seed: int, families: int = 4) -> None:
        self.chance = random.Random(seed)
        self.bases = [[f"f{family}w{i}" for i in range(90)] for family in range(families)]
        self.texts: list[str] = []

    def text(self) -> str:
        kind = self.chance.random()
        if kind < 0.15 and self.texts:
            text = self.chance.choice(self.texts)  # a copy
        elif kind < 0.25 and self.texts:
            text = self.chance.choice(self.texts).upper()  # a copy of the features only
        elif kind < 0.5 and self.texts:
            text = self.edited(self.chance.choice(self.texts))
        else:
            size = self.chance.choice([self.chance.randint(20, 60), 56, 56])
            begin = self.chance.randint(0, 90 - size)
            text = " ".join(self.chance.choice(self.bases)[begin : begin + size])
        self.texts.append(text)
        return text

    def edited(self, text: str) -> str:
        words = text.split()
        for _ in range(self.chance.choice([1, 1, 2])):
            place = self.chance.randrange(len(words))
            new = f"e{self.chance.randrange(10**6)}"
            kind = self.chance.random()
            if kind < 0.5:
                words[place] = new
            elif kind < 0.75 and len(words) < 60:
                words.append(new)
            elif len(words) > 20:
                words.pop(self.chance.choice([0, place, -1]))
        return " ".join(words)

    def rows(self, ids: list[str]) -> Rows:
        return [{"id": one, "text": self.text()} for one in ids]


def change(clustered: Clustered, families: Families, step: int) -> None:
    """Makes one random change; fewer than 60 documents of a family are there at any time."""
    chance, known = families.chance, list(clustered.model.texts)
    new = [f"d{step}-{i}" for i in range(chance.randint(4, 16))]
    some = chance.sample(known, chance.randint(1, 8))
    kind = (step + chance.randrange(2)) % 4
    if kind == 0 and len(known) < 120:
        clustered.add(families.rows(new), chance.choice(["add", "load"]))
    elif kind == 1:
        clustered.add(families.rows(some))
    elif kind == 2:
        clustered.add(families.rows([*some, *new[:4], some[0], new[0]]))
    else:
        clustered.remove(*chance.sample(known, len(known) // 5), "nobody")


def change_and_check(clustered: Clustered, seed: int, steps: int) -> None:
    families = Families(seed)
    clustered.add(families.rows([f"d{i}" for i in range(60)]))
    for step in range(steps):
        change(clustered, families, step)
        if clustered.keep != "none":
            clustered.check_cut(["0.9", "0.81", "1"][step % 3])
    lines = clustered.changes()
    assert lines == clustered.replay.lines
    assert {line["change"] for line in lines} == CHANGES
    for since in (1, len(lines) // 2, len(lines) - 1, len(lines), len(lines) + 9):
        assert clustered.changes(since) == lines[since:]


@pytest.mark.parametrize(
    ("threshold", "shingle", "keep", "steps"),
    [
        ("0.7", "word:3", "features", 8),
        pytest.param("0.6", "word:5", "text", 8, marks=pytest.mark.slow),
        pytest.param("0.7", "word:3", "none", 4, marks=pytest.mark.slow),
    ],
)
def test_random_changes(
    make: Callable[..., Clustered], threshold: str, shingle: str, keep: str, steps: int
) -> None:
    clustered = make(threshold=threshold, shingle=shingle, keep=keep)
    change_and_check(clustered, 1, steps)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize(
    ("threshold", "shingle", "keep"),
    [("0.7", "word:3", "features"), ("0.6", "word:5", "text"), ("0.5", "word:2", "none")],
)
def test_many_random_changes(
    make: Callable[..., Clustered], threshold: str, shingle: str, keep: str, seed: int
) -> None:
    clustered = make(threshold=threshold, shingle=shingle, keep=keep)
    change_and_check(clustered, seed, 60)


def window(begin: int, size: int = 40) -> str:
    """Windows whose begins differ by 2 share 34 of 38 features, by 4 share 32 of 40."""
    return " ".join(f"w{i}" for i in range(begin, begin + size))


def rows_of(**texts: str) -> Rows:
    return [{"id": name, "text": text} for name, text in texts.items()]


def changes_of(clustered: Clustered, since: int) -> list[tuple[Any, ...]]:
    lines = clustered.replay.lines[since:]
    return [(one["change"], one["cluster"], one["documents"], one["from"]) for one in lines]


def test_a_document_between_two_clusters_merges_them_and_its_removal_splits_them(
    make: Callable[..., Clustered],
) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(8), c=window(10), d=window(11)))
    assert clustered.listed() == {"c2": frozenset("bcd")}
    clustered.add(rows_of(x=window(4)))
    assert clustered.listed() == {"c1": frozenset("abcdx")}
    assert changes_of(clustered, 4) == [("merged", "c1", [], ["c2"]), ("joined", "c1", ["x"], [])]
    clustered.remove("x")
    (name,) = {line["cluster"] for line in clustered.replay.lines[7:]}
    assert clustered.listed() == {"c1": frozenset("bcd")}
    assert changes_of(clustered, 6) == [
        ("removed", "c1", ["x"], []),
        ("split", name, ["a"], ["c1"]),
    ]
    assert name not in {"c1", "c2"}
    clustered.add(rows_of(x=window(4)))
    assert clustered.listed() == {"c1": frozenset("abcdx")}


def test_of_merged_clusters_the_older_name_stays(make: Callable[..., Clustered]) -> None:
    """Also if the older one was split off another one."""
    clustered = make()
    clustered.add(rows_of(a=window(20), x=window(24), b=window(28), c=window(29)))
    clustered.remove("x")
    (split,) = [line["cluster"] for line in clustered.replay.lines if line["change"] == "split"]
    clustered.add(rows_of(late=window(12)))
    assert clustered.replay.at["late"] == "c6"
    clustered.add(rows_of(bridge=window(16)))
    assert clustered.listed() == {
        "c1": frozenset("bc"),
        split: frozenset(["a", "late", "bridge"]),
    }


def test_the_part_of_the_most_classes_keeps_the_name(make: Callable[..., Clustered]) -> None:
    """Copies count as one."""
    clustered = make()
    copies = {f"a{i}": window(0).upper() if i % 2 else window(0) for i in range(6)}
    clustered.add(rows_of(**copies, x=window(4), b=window(8), c=window(10)))
    assert clustered.listed() == {"c1": frozenset([*copies, "x", "b", "c"])}
    clustered.remove("x")
    assert clustered.listed()["c1"] == frozenset("bc")
    (name,) = clustered.listed().keys() - {"c1"}
    assert clustered.listed()[name] == frozenset(copies)


def test_a_cluster_of_copies_outlives_the_first_of_them(make: Callable[..., Clustered]) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(0), c=window(0).upper()))
    assert clustered.listed() == {"c1": frozenset("abc")}
    clustered.remove("a")
    assert clustered.listed() == {"c1": frozenset("bc")}
    clustered.remove("b")
    assert clustered.listed() == {}
    clustered.add(rows_of(d=window(2), e=window(0)))
    assert clustered.listed() == {"c1": frozenset("cde")}
    clustered.remove("c", "d", "e")
    clustered.add(rows_of(a=window(0), b=window(0)))
    assert clustered.listed() == {"c6": frozenset("ab")}


def test_a_replaced_document_moves_to_another_cluster(make: Callable[..., Clustered]) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(1), c=window(100), d=window(101)))
    clustered.add(rows_of(b=window(102)))
    assert clustered.listed() == {"c3": frozenset("bcd")}
    assert changes_of(clustered, 4) == [("removed", "c1", ["b"], []), ("joined", "c3", ["b"], [])]
    clustered.add(rows_of(b=window(102).upper()))
    assert clustered.listed() == {"c3": frozenset("bcd")}
    before = len(clustered.replay.lines)
    clustered.add(rows_of(b=window(102).upper()))
    assert len(clustered.replay.lines) == before
    clustered.add(rows_of(a=window(200), b=window(200)))
    assert clustered.listed().keys() == {"c3", "c7"}


@pytest.mark.parametrize("keep", ["features", "none"])
def test_empty_texts_are_alone(make: Callable[..., Clustered], keep: str) -> None:
    clustered = make(keep=keep)
    clustered.add(rows_of(a="", b="", c=" \n", d="!", e=window(0), f=window(1)))
    assert clustered.listed() == {"c5": frozenset("ef")}
    clustered.remove("a", "c")
    clustered.add(rows_of(b="", e="?", g=""))


def test_what_was_left_out_as_similar_is_in_no_cluster(make: Callable[..., Clustered]) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0)))
    rows = clustered.write(rows_of(b=window(1), c=window(100)))
    clustered.call("add", clustered.name, rows, "--unless-similar", "0.8")
    clustered.model.add(rows_of(c=window(100)))
    clustered.check()
    assert changes_of(clustered, 0) == [("added", "c1", ["a"], []), ("added", "c2", ["c"], [])]


def test_a_threshold_cuts_clusters(make: Callable[..., Clustered]) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(1), c=window(5), d=window(6), e=window(6)))
    assert clustered.listed() == {"c1": frozenset("abcde")}
    assert clustered.listed("--threshold", "0.8") == clustered.listed()
    assert clustered.check_cut("0.9") == 2
    assert clustered.check_cut("1") == 1
    (name,) = clustered.listed("--threshold", "1")
    assert re.fullmatch(r"c1/[1-5]", name)


def test_output_for_people(make: Callable[..., Clustered]) -> None:
    clustered = make()
    assert clustered.call("clusters", clustered.name).stdout == ""
    assert clustered.call("clusters", clustered.name, "--json").stdout == '{"clusters":[]}\n'
    assert clustered.call("changes", clustered.name).stdout == ""
    clustered.add(rows_of(a=window(0), b=window(100), c=window(1), d=window(2), e=window(100)))
    assert clustered.call("clusters", clustered.name).stdout == "c1  a c d\nc2  b e\n"
    lines = clustered.call("changes", clustered.name, "--since", "3").stdout
    assert lines == (
        '{"seq":4,"change":"joined","cluster":"c1","documents":["d"],"from":[]}\n'
        '{"seq":5,"change":"joined","cluster":"c2","documents":["e"],"from":[]}\n'
    )


@pytest.mark.parametrize("since", [2**63, 2**64 - 2, 2**64 - 1])
def test_nothing_has_changed_since_a_number_to_come(
    make: Callable[..., Clustered], since: int
) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0)))
    assert clustered.changes(since) == []


def test_an_index_without_clusters_has_neither_clusters_nor_changes(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    index("create", "seen", "--clusters", "off")
    index("create", "usual", "--clusters", "on")
    rows = write_jsonl("in.jsonl", rows_of(a=window(0), b=window(1)))
    for name in ("seen", "usual"):
        index("add", name, rows)
    for words in (["clusters"], ["clusters", "--threshold", "0.9"], ["changes", "--since", "1"]):
        action, *rest = words
        refused = index(action, "seen", *rest, code=2)
        assert refused.stderr == "seen: the index was made without clusters\n"
        assert refused.stdout == ""
        assert index(action, "usual", *rest).stdout != ""
    index("check", "seen")
    assert index("query", "seen", "--id", "a").stdout == index("query", "usual", "--id", "a").stdout
    index("remove", "seen", "a")
    index("compact", "seen")
    index("check", "seen")


def test_clusters_and_changes_survive_compaction_and_are_in_a_backup(
    make: Callable[..., Clustered],
) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(4), c=window(8), d=window(100)))
    clustered.remove("b")
    clustered.call("compact", clustered.name)
    clustered.check()
    # Removed documents are no longer named, and the replay is the same.
    kept = [
        {**line, "documents": [each for each in line["documents"] if each != "b"]}
        for line in clustered.replay.lines
    ]
    assert clustered.changes() == kept
    clustered.call("backup", clustered.name, "copy")
    clustered.add(rows_of(e=window(100)))
    clustered.name = "copy"
    clustered.model.remove(["e"])
    assert clustered.changes() == kept
    clustered.call("check", clustered.name)
    assert clustered.listed() == {}
    clustered.call("add", clustered.name, clustered.write(rows_of(f=window(4))))
    (one,) = clustered.call("clusters", clustered.name, "--json").json["clusters"]
    assert one["members"] == ["a", "c", "f"]


def test_a_merged_index_has_the_clusters_of_all_documents(make: Callable[..., Clustered]) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(1), x=window(100)))
    clustered.call("create", "other", *clustered.settings)
    rows = rows_of(c=window(2), d=window(101), b=window(200), e=window(201))
    clustered.call("add", "other", clustered.write(rows))
    clustered.call("merge", clustered.name, "other", "-o", "all")
    clustered.name = "all"
    clustered.model.add(rows)
    clustered.replay = Replay()
    clustered.check()
    assert {frozenset("ac"), frozenset("xd"), frozenset("be")} == set(clustered.listed().values())


@pytest.mark.parametrize("moment", ["KILL_BEFORE_SYNC", "KILL_AFTER_SYNC"])
def test_a_crash_leaves_clusters_and_their_changes_together(
    make: Callable[..., Clustered], crash_library: Path, moment: str
) -> None:
    clustered = make()
    clustered.add(rows_of(a=window(0), b=window(8), c=window(9)))
    rows = rows_of(x=window(4), y=window(100), b=window(200))
    killed = {"LD_PRELOAD": str(crash_library), moment: "1"}
    words = ["add", clustered.name, clustered.write(rows)]
    clustered.call(*words, env=killed, code=-signal.SIGKILL)
    clustered.model.add(rows)  # only a power loss takes away what was written
    clustered.check()
    clustered.remove("x")
    killed[moment] = "1"
    clustered.call("remove", clustered.name, "a", "c", env=killed, code=-signal.SIGKILL)
    clustered.model.remove(["a", "c"])
    clustered.check()
