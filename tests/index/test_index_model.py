"""`lookalike index` finds what a brute-force model finds, after any order of changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model import Features, Hits, Model, Writer, hits_of

ALL = ["--limit", "100000", "--json"]


class Checked:
    """An index and its model, which change together."""

    def __init__(
        self, index: Callable[..., Any], folder: Path, keep: str, shingle: str = "word:5"
    ) -> None:
        self.call, self.folder = index, folder
        self.create = ["--keep", keep, "--shingle", shingle]
        self.keep = keep
        self.name = "index-0"
        self.names = 0
        self.model = Model(Features(shingle))
        self.call("create", self.name, *self.create)
        self.found = self.expected = 0

    def write(self, rows: list[dict[str, str]]) -> Path:
        path = self.folder / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def new_name(self) -> str:
        self.names += 1
        return f"index-{self.names}"

    def add(self, rows: list[dict[str, str]], action: str = "add") -> None:
        answer = self.call(action, self.name, self.write(rows), "--json").json
        assert answer == self.model.add(rows)

    def remove(self, ids: list[str]) -> None:
        there = self.model.remove(ids)
        answer = self.call("remove", self.name, *ids, "--json").json
        assert answer == {"removed": there, "missing": len(ids) - there}

    def compact(self) -> None:
        assert self.call("compact", self.name, "--json").json["documents"] == len(self.model.texts)

    def move_to_backup(self) -> None:
        """Goes on with a backup; what was copied stays as it was."""
        old, self.name = self.name, self.new_name()
        self.call("backup", old, self.name)
        self.call("add", old, self.write([{"id": "late", "text": "a late text of no copy"}]))

    def merge(self, rows: list[dict[str, str]]) -> None:
        """Goes on with the union of the index and another one."""
        other, merged = self.new_name(), self.new_name()
        self.call("create", other, *self.create)
        self.call("add", other, self.write(rows))
        self.call("merge", self.name, other, "-o", merged)
        part = Model(self.model.features)
        part.add(rows)
        self.model.add(part.rows())
        self.name = merged

    def answers(self, rows: list[dict[str, str]], *options: str) -> list[Hits]:
        done = self.call("query", self.name, self.write(rows), *ALL, *options, code=None)
        assert done.code in (0, 1), done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["id"] for line in lines] == [row["id"] for row in rows]
        assert not any(line["truncated"] for line in lines)
        assert (done.code == 0) == any(line["matches"] for line in lines)
        return [hits_of(line) for line in lines]

    def check_exact(self, rows: list[dict[str, str]], threshold: str) -> None:
        """Exhaustive answers are complete; others lack at most some long documents."""
        expected = [self.model.hits(row["text"], threshold) for row in rows]
        assert self.answers(rows, "--threshold", threshold, "--exhaustive") == expected
        if float(threshold) < 0.8:
            return
        found = self.answers(rows, "--threshold", threshold)
        for row, hits, all_hits in zip(rows, found, expected, strict=True):
            assert hits == [hit for hit in all_hits if hit in hits]
            few = [hit for hit in all_hits if self.both_few(row["text"], hit[0])]
            assert [hit for hit in hits if self.both_few(row["text"], hit[0])] == few
            self.found += len(hits)
            self.expected += len(all_hits)

    def check_estimates(self, rows: list[dict[str, str]], threshold: str) -> None:
        """Estimates are near the truth, and clear matches are there."""
        found = self.answers(rows, "--threshold", threshold, "--exhaustive")
        for row, hits in zip(rows, found, strict=True):
            for name, score in hits:
                truth = self.model.resemblance(row["text"], self.model.texts[name])
                assert abs(score - float(truth)) < 5 * 0.044, (row, name, score)
                assert score >= float(threshold)
            clear = self.model.hits(row["text"], str(min(1.0, float(threshold) + 5 * 0.044)))
            assert {name for name, _ in clear} <= {name for name, _ in hits}
            self.found += len(hits)
            self.expected += len(hits)

    def both_few(self, text: str, name: str) -> bool:
        return self.model.is_few(text) and self.model.is_few(self.model.texts[name])

    def check_list(self) -> None:
        listed = [json.loads(line) for line in self.call("list", self.name).stdout.splitlines()]
        expected = []
        for row in self.model.rows():
            size = len(self.model.features(row["text"]))
            text = {"text": row["text"]} if self.keep == "text" else {}
            expected.append({"id": row["id"], "features": size, **text})
        assert listed == expected

    def check(self, probes: list[dict[str, str]], threshold: str) -> None:
        if self.keep == "none":
            self.check_estimates(probes, threshold)
        else:
            self.check_exact(probes, threshold)
        self.check_list()


@pytest.fixture
def make(index: Callable[..., Any], tmp_path: Path) -> Callable[..., Checked]:
    """Makes an empty index and its model."""

    def call(keep: str, shingle: str = "word:5") -> Checked:
        return Checked(index, tmp_path, keep, shingle)

    return call


def change(checked: Checked, writer: Writer) -> None:
    """Makes one random change."""
    chance = writer.chance
    kind = chance.random()
    if kind < 0.45:
        checked.add(writer.rows(chance.randint(1, 12), 60), chance.choice(["add", "load"]))
    elif kind < 0.75:
        checked.remove([f"d{chance.randrange(60)}" for _ in range(chance.randint(1, 6))])
    elif kind < 0.85:
        checked.compact()
    elif kind < 0.93:
        checked.move_to_backup()
    else:
        checked.merge(writer.rows(chance.randint(1, 12), 60))


def change_and_check(checked: Checked, seed: int, steps: int) -> None:
    writer = Writer(seed)
    checked.add(writer.rows(25, 60))
    for _ in range(steps):
        change(checked, writer)
        probes = [{"id": f"p{i}", "text": writer.text()} for i in range(6)] + checked.model.rows()
        checked.check(probes, writer.chance.choice(["0.5", "0.8", "0.85", "0.9", "1"]))
    checked.call("check", checked.name)
    assert checked.found >= 0.97 * checked.expected > 0


@pytest.mark.parametrize(
    "keep",
    ["features", "text", pytest.param("none", marks=pytest.mark.slow)],
)
def test_random_changes(make: Callable[..., Checked], keep: str) -> None:
    change_and_check(make(keep), seed=1, steps=4)


@pytest.mark.slow
@pytest.mark.parametrize("keep", ["features", "text", "none"])
@pytest.mark.parametrize("seed", range(2, 5))
def test_many_random_changes(make: Callable[..., Checked], keep: str, seed: int) -> None:
    change_and_check(make(keep), seed=seed, steps=30)


@pytest.mark.parametrize("keep", ["features", "text"])
def test_all_ways_to_ask_agree(make: Callable[..., Checked], tmp_path: Path, keep: str) -> None:
    checked, writer = make(keep), Writer(3, 5, 30)
    checked.add(writer.rows(50, 1000))
    for name in list(checked.model.texts)[:3]:
        text = checked.model.texts[name]
        (tmp_path / "probe").write_text(text, encoding="utf-8")
        expected = checked.model.hits(text, "0.8")
        for way in (["--text", text], ["--file", "probe"]):
            asked = checked.call("query", checked.name, *way, *ALL, "--exhaustive", code=None)
            assert hits_of(asked.json) == expected
            assert asked.code == (0 if expected else 1)
        asked = checked.call("query", checked.name, "--id", name, *ALL, "--exhaustive", code=None)
        assert hits_of(asked.json) == checked.model.hits(text, "0.8", without=name)


@pytest.mark.parametrize("keep", ["features", "text"])
def test_answers_are_those_of_pairs(
    run: Callable[..., Any],
    make: Callable[..., Checked],
    read_jsonl: Callable[[Path], list[dict[str, Any]]],
    tmp_path: Path,
    keep: str,
) -> None:
    checked, writer = make(keep), Writer(4)
    checked.add([{"id": f"d{i}", "text": writer.text()} for i in range(120)])
    rows = checked.model.rows()
    run("pairs", checked.write(rows), "-o", "pairs.jsonl", "--method", "exact", "--threshold",
        "0.6", "--quiet")  # fmt: skip
    listed = read_jsonl(tmp_path / "pairs.jsonl")
    expected = {(row["a"], row["b"]): row["resemblance"] for row in listed}
    answers = checked.answers(rows, "--threshold", "0.6", "--exhaustive")
    order = {row["id"]: place for place, row in enumerate(rows)}
    found = {
        (row["id"], name): score
        for row, hits in zip(rows, answers, strict=True)
        for name, score in hits
        if order[row["id"]] < order[name]
    }
    assert len(expected) > 20
    assert {frozenset(pair): score for pair, score in found.items()} == {
        frozenset(pair): score for pair, score in expected.items()
    }


@pytest.mark.parametrize("keep", ["features", "text"])
@pytest.mark.parametrize("shingle", ["word:5", "word:1"])
def test_short_texts_are_always_found(
    make: Callable[..., Checked], keep: str, shingle: str
) -> None:
    checked, writer = make(keep, shingle), Writer(5, 1, 40)
    checked.add([{"id": f"d{i}", "text": writer.text()} for i in range(250)])
    rows = checked.model.rows()
    probes = rows[::3] + [{"id": f"p{i}", "text": writer.text()} for i in range(60)]
    few = sum(checked.model.is_few(row["text"]) for row in probes)
    assert few > 30
    for threshold in ("0.8", "0.95"):
        checked.check_exact(probes, threshold)


@pytest.mark.parametrize("threshold", ["0.3", "0.5", "0.95", "1"])
def test_short_texts_are_found_at_the_threshold_of_the_index(
    index: Callable[..., Any], make: Callable[..., Checked], threshold: str
) -> None:
    checked, writer = make("features"), Writer(6, 1, 22)
    checked.name = "other"
    index("create", "other", "--threshold", threshold)
    checked.add([{"id": f"d{i}", "text": writer.text()} for i in range(300)])
    rows = [row for row in checked.model.rows() if checked.model.is_few(row["text"])]
    answers = checked.answers(rows)
    for row, hits in zip(rows, answers, strict=True):
        expected = checked.model.hits(row["text"], threshold)
        assert set(hits) <= set(expected)
        assert [hit for hit in hits if checked.both_few(row["text"], hit[0])] == [
            hit for hit in expected if checked.both_few(row["text"], hit[0])
        ]


@pytest.mark.parametrize(
    ("keep", "words"),
    [
        ("features", 4),
        pytest.param("text", 4, marks=pytest.mark.slow),
        pytest.param("features", 200, marks=pytest.mark.slow),
        ("none", 200),
    ],
)
def test_copies_outlive_the_first_of_them(
    make: Callable[..., Checked], keep: str, words: int
) -> None:
    checked = make(keep)
    text = " ".join(f"w{i}" for i in range(words))
    checked.add([{"id": f"d{i}", "text": text} for i in range(8)])
    probe = [{"id": "p", "text": text.upper()}]
    for gone in (["d0"], ["d2", "d1", "d2"], ["d3", "d4", "d5", "d6", "d7"]):
        checked.remove(gone)
        left = [(name, 1.0) for name in sorted(checked.model.texts)]
        assert checked.answers(probe) == [left]
    assert checked.answers(probe, "--exhaustive") == [[]]
    checked.call("check", checked.name)
    checked.add([{"id": "d0", "text": text}])
    assert checked.answers(probe) == [[("d0", 1.0)]]


@pytest.mark.parametrize("keep", ["features", "text", "none"])
def test_a_replaced_document_is_found_by_its_new_text_only(
    make: Callable[..., Checked], keep: str
) -> None:
    checked = make(keep)
    texts = [" ".join(f"{kind}{i}" for i in range(60)) for kind in "abc"]
    checked.add([{"id": "x", "text": texts[0]}, {"id": "y", "text": texts[0]}])
    checked.add([{"id": "x", "text": texts[1]}, {"id": "x", "text": texts[2]}])
    probes = [{"id": kind, "text": text} for kind, text in zip("abc", texts, strict=True)]
    assert checked.answers(probes) == [[("y", 1.0)], [], [("x", 1.0)]]
    checked.add([{"id": "y", "text": texts[2].title()}])
    assert checked.answers(probes) == [[], [], [("x", 1.0), ("y", 1.0)]]
    checked.add([{"id": "x", "text": texts[2].upper()}])
    assert checked.answers(probes) == [[], [], [("x", 1.0), ("y", 1.0)]]
    checked.call("check", checked.name)


@pytest.mark.parametrize("keep", ["features", "text", "none"])
def test_empty_texts_match_nothing(make: Callable[..., Checked], keep: str) -> None:
    checked = make(keep)
    empty = ["", " ", "\n\n", "!?", ""]
    checked.add([{"id": f"d{i}", "text": text} for i, text in enumerate(empty)])
    probes = checked.model.rows()
    assert checked.answers(probes) == [[]] * len(empty)
    assert checked.answers(probes, "--exhaustive") == [[]] * len(empty)
    checked.call("query", checked.name, "--id", "d0", code=1)
    checked.remove(["d0"])
    checked.call("check", checked.name)


@pytest.mark.parametrize("keep", ["features", "text"])
def test_unless_similar_leaves_out_what_a_model_leaves_out(
    make: Callable[..., Checked], keep: str
) -> None:
    checked, writer = make(keep), Writer(7, 1, 15)
    rows = writer.rows(150, 120)
    expected = {"added": 0, "replaced": 0, "unchanged": 0, "similar": 0, "rejected": 0}
    for row in rows:
        same = checked.model.texts.get(row["id"]) == row["text"]
        if not same and checked.model.hits(row["text"], "0.85", without=row["id"]):
            expected["similar"] += 1
        else:
            for outcome, count in checked.model.add([row]).items():
                expected[outcome] += count
    assert min(expected["similar"], expected["replaced"]) > 5
    totals = dict.fromkeys(expected, 0)
    for part in (rows[:60], rows[60:]):
        words = ["--unless-similar", "0.85", "--json"]
        answer = checked.call("add", checked.name, checked.write(part), *words).json
        totals = {name: totals[name] + count for name, count in answer.items()}
    assert totals == expected
    checked.check_list()


def test_estimates_say_so(make: Callable[..., Checked]) -> None:
    checked = make("none")
    text = " ".join(f"w{i}" for i in range(100))
    near = text.replace("w50 ", "edit ")
    checked.add([{"id": "d0", "text": text}])
    match = checked.call("query", checked.name, "--text", near, "--json").json["matches"][0]
    truth = float(checked.model.resemblance(text, near))
    assert match["exact"] is False
    assert 0 < match["standard_error"] <= 0.044
    assert abs(match["resemblance"] - truth) <= 4 * match["standard_error"]


def test_removed_documents_leave_no_bytes_after_compact(
    make: Callable[..., Checked], tmp_path: Path
) -> None:
    checked = make("text")
    secret = "an-identifier-to-be-forgotten"
    rows = [{"id": f"d{i}", "text": f"words of text {i} " * 9} for i in range(20)]
    checked.add([*rows, {"id": secret, "text": "some words that nobody may see again"}])
    places = [path for path in (tmp_path / checked.name).rglob("*") if path.is_file()]
    assert any(secret.encode() in path.read_bytes() for path in places)
    checked.remove([secret])
    checked.compact()
    for path in (tmp_path / checked.name).rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path
            assert b"nobody may see" not in path.read_bytes(), path


def test_the_audit_counts_what_exhaustive_queries_find(make: Callable[..., Checked]) -> None:
    checked, writer = make("features"), Writer(8)
    checked.add([{"id": f"d{i}", "text": writer.text()} for i in range(100)])
    recall = checked.call("stats", checked.name, "--audit", "100", "--json").json["recall"]
    rows = checked.model.rows()
    matches = sum(len(checked.model.hits(row["text"], "0.8", row["id"])) for row in rows)
    found = sum(
        len(hits_of(checked.call("query", checked.name, "--id", row["id"], *ALL, code=None).json))
        for row in rows[:5]
    )
    expected = sum(len(checked.model.hits(row["text"], "0.8", row["id"])) for row in rows[:5])
    assert recall["sampled_documents"] == 100
    assert recall["sampled_matches"] == matches > 50
    assert 0.97 <= recall["estimate"] <= 1
    assert 0 < found <= expected
