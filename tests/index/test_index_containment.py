"""An index of containment: complete hits with exact scores, whatever was added and removed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import lookalike
import pytest
from model import Features, Model

#: Matches of a document: id, resemblance, and the containments in both directions.
Contained = list[tuple[str, float, float, float]]
BOILERPLATE = " ".join(f"boiler{i}" for i in range(60))
SIZES = [5, 20, 23, 24, 25, 30, 40, 80, 130, 150, 300, 700, 2000, 6000, 20_000]


class Inclusions:
    """Writes random texts, many of which hold parts of earlier ones."""

    def __init__(self, seed: int, sizes: list[int] = SIZES) -> None:
        self.chance = random.Random(seed)
        self.sizes = sizes
        self.texts: list[str] = []

    def fresh(self) -> list[str]:
        return [f"w{self.chance.randrange(5000)}" for _ in range(self.chance.choice(self.sizes))]

    def part(self) -> list[str]:
        words = self.chance.choice(self.texts).split()
        size = min(len(words), self.chance.choice(self.sizes))
        begin = self.chance.randrange(len(words) - size + 1)
        return words[begin : begin + size]

    def edited(self, words: list[str]) -> list[str]:
        rate = self.chance.choice([0.01, 0.02, 0.03, 0.05])
        return [f"e{i}" if self.chance.random() < rate else word for i, word in enumerate(words)]

    def text(self) -> str:
        kind = self.chance.random()
        if kind < 0.03:
            text = self.chance.choice(["", " ", "...", "one two"])
        elif kind < 0.3 or not self.texts:
            text = " ".join(self.fresh())
        elif kind < 0.5:
            text = " ".join(self.part())
        elif kind < 0.75:
            text = " ".join(self.edited(self.part()))
        elif kind < 0.85:
            text = " ".join([*self.part(), *self.fresh(), *self.part()])
        else:
            text = self.chance.choice(self.texts)
        if self.chance.random() < 0.3:
            text = f"{BOILERPLATE} {text}"
        self.texts.append(text)
        return text

    def rows(self, count: int, ids: int) -> list[dict[str, str]]:
        return [{"id": f"d{self.chance.randrange(ids)}", "text": self.text()} for _ in range(count)]


class ContainmentModel(Model):
    """A brute-force model of an index of containment."""

    def contained(
        self, text: str, threshold: str, least: int, measure: str = "containment"
    ) -> Contained:
        """Returns the matches of a text in the order of an answer."""
        mine = self.features(text)
        found = []
        for name, other in self.texts.items():
            theirs = self.features(other)
            smaller, common = min(len(mine), len(theirs)), len(mine & theirs)
            whole = smaller if measure == "containment" else len(mine | theirs)
            if smaller < least or common < Fraction(threshold) * whole:
                continue
            shares = (common / len(mine | theirs), common / len(mine), common / len(theirs))
            found.append((Fraction(common, whole), (name, *shares)))
        found.sort(key=lambda one: (-one[0], one[1][0].encode()))
        return [match for _, match in found]


def matches_of(answer: lookalike.IndexAnswer) -> Contained:
    assert not answer.truncated
    assert all(match.exact for match in answer.matches)
    return [
        (match.id, match.resemblance, match.containment_ab, match.containment_ba)
        for match in answer.matches
    ]


def assert_finds_all(
    index: lookalike.Index, model: ContainmentModel, texts: list[str], threshold: str, least: int
) -> None:
    answers = index.query_many(texts, limit=None, threads=1)
    for text, answer in zip(texts, answers, strict=True):
        assert matches_of(answer) == model.contained(text, threshold, least)


@pytest.mark.parametrize(
    ("threshold", "least", "keep", "shingle"),
    [
        ("0.8", 20, "features", "word:5"),
        ("0.8", 20, "text", "word:5"),
        ("0.05", 1, "features", "word:5"),
        ("1", 1, "text", "word:5"),
        ("0.5", 20, "features", "char:6"),
    ],
)
def test_all_matches_are_found_with_their_scores_after_each_change(
    tmp_path: Path, threshold: str, least: int, keep: Any, shingle: str
) -> None:
    writer = Inclusions(least + len(threshold), SIZES if shingle == "word:5" else SIZES[:-3])
    model = ContainmentModel(Features(shingle))
    options: dict[str, Any] = {"threshold": float(threshold), "min_features": least}
    made = lookalike.Index.create(
        tmp_path / "seen", keep=keep, measure="containment", shingle=shingle, **options
    )
    with made as index:
        for _ in range(2):
            rows = writer.rows(40, 80)
            counts = model.add(rows)
            added = index.add([(row["id"], row["text"]) for row in rows])
            assert (added.added, added.replaced) == (counts["added"], counts["replaced"])
            texts = [*model.texts.values(), *(writer.text() for _ in range(15))]
            assert_finds_all(index, model, texts, threshold, least)
            gone = writer.chance.sample(sorted(model.texts), 10)
            index.remove(gone)
            model.remove(gone)
            assert_finds_all(index, model, texts, threshold, least)
            index.check()
        for measure in ("resemblance", "containment"):
            for text in writer.texts[:20]:
                asked = index.query(
                    text, threshold=0.01, exhaustive=True, limit=None, measure=measure
                )
                assert matches_of(asked) == model.contained(text, "0.01", least, measure)


def test_a_match_by_resemblance_is_found_by_the_keys_for_containment(tmp_path: Path) -> None:
    writer, model = Inclusions(7, SIZES[:-2]), ContainmentModel()
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        rows = writer.rows(150, 200)
        model.add(rows)
        index.add([(row["id"], row["text"]) for row in rows])
        for text in model.texts.values():
            asked = index.query(text, limit=None, measure="resemblance")
            assert matches_of(asked) == model.contained(text, "0.8", 20, "resemblance")


def test_the_pairs_of_the_command_pairs_are_found(
    run: Callable[..., Any],
    index: Callable[..., Any],
    write_jsonl: Callable[..., Path],
    read_jsonl: Callable[[Path], list[dict[str, Any]]],
) -> None:
    writer = Inclusions(8, SIZES[:-2])
    rows = [{"id": f"d{i}", "text": writer.text()} for i in range(150)]
    corpus = write_jsonl("in.jsonl", rows)
    options = ["--measure", "containment", "--threshold", "0.7"]
    run("pairs", corpus, "-o", "pairs.jsonl", *options, "--method", "exact")
    expected = {}
    for pair in read_jsonl(corpus.with_name("pairs.jsonl")):
        scores = (pair["resemblance"], pair["containment_ab"], pair["containment_ba"])
        expected[pair["a"], pair["b"]] = scores
        expected[pair["b"], pair["a"]] = (scores[0], scores[2], scores[1])
    index("create", "seen", *options)
    index("load", "seen", corpus)
    found = {}
    for line in index("query", "seen", corpus, "--limit", "1000").stdout.splitlines():
        answer = json.loads(line)
        assert not answer["truncated"]
        for match in answer["matches"]:
            if match["id"] != answer["id"]:
                scores = (match["resemblance"], match["containment_ab"], match["containment_ba"])
                found[answer["id"], match["id"]] = scores
    assert found == expected
    assert len(found) > 300


@pytest.mark.parametrize("threshold", ["0.5", "0.8", "0.95"])
def test_long_documents_are_found_by_samples(tmp_path: Path, threshold: str) -> None:
    """Of pairs near the threshold, the worst case, at least .97 are found."""
    chance, share = random.Random(9), float(threshold)
    expected = found = 0
    with lookalike.Index.create(
        tmp_path / "seen", measure="containment", threshold=share, min_features=400
    ) as index:
        assert index.stats().keys.startswith("one in ")
        asked = []
        for i in range(300):
            size = chance.randint(430, 3000)
            kept = round(size * min(1, share + chance.random() * 0.03))
            common = [f"x{i}-{j}" for j in range(size)]
            part = " ".join([*common[:kept], *(f"y{i}-{j}" for j in range(size - kept))])
            whole = " ".join([*common, *(f"z{i}-{j}" for j in range(chance.randint(1, 2000)))])
            # One half of the smaller documents are in the index, the other half are asked for.
            index.add([(f"d{i}", whole if i % 2 else part)])
            asked.append(part if i % 2 else whole)
        for i, text in enumerate(asked):
            expected += len(index.query(text, exhaustive=True).matches)
            answer = index.query(text)
            found += len(answer.matches)
            assert {match.id for match in answer.matches} <= {f"d{i}"}
    assert expected > 250
    assert found >= 0.97 * expected


def test_a_load_and_a_merge_make_the_same_index(
    index: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    writer = Inclusions(10, SIZES[:-4])
    rows = writer.rows(120, 100)
    corpus = write_jsonl("in.jsonl", rows)
    halves = [write_jsonl("a.jsonl", rows[:60]), write_jsonl("b.jsonl", rows[60:])]
    for name in ("added", "loaded", "first", "second"):
        index("create", name, "--measure", "containment", "--threshold", "0.6")
    index("add", "added", corpus)
    index("load", "loaded", corpus)
    index("load", "first", halves[0])
    index("add", "second", halves[1])
    index("merge", "first", "second", "-o", "merged")
    expected = index("query", "added", corpus, "--limit", "1000").stdout
    for name in ("loaded", "merged"):
        index("check", name)
        found = index("query", name, corpus, "--limit", "1000").stdout
        for mine, theirs in zip(found.splitlines(), expected.splitlines(), strict=True):
            assert json.loads(mine)["matches"] == json.loads(theirs)["matches"]


def clusters_of(model: ContainmentModel, threshold: str, least: int) -> set[frozenset[str]]:
    """Returns the clusters of two documents or more that a model's matches lead to."""
    cluster = {name: {name} for name in model.texts}
    for name, text in model.texts.items():
        for other, *_ in model.contained(text, threshold, least):
            if cluster[other] is not cluster[name]:
                cluster[name] |= cluster[other]
                for one in cluster[other]:
                    cluster[one] = cluster[name]
    return {frozenset(one) for one in cluster.values() if len(one) > 1}


def test_clusters_follow_containment(tmp_path: Path) -> None:
    writer = Inclusions(11, [size for size in SIZES if size < 800])
    model = ContainmentModel()
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        for _ in range(4):
            rows = writer.rows(25, 80)
            model.add(rows)
            index.add([(row["id"], row["text"]) for row in rows])
            gone = writer.chance.sample(sorted(model.texts), 5)
            index.remove(gone)
            model.remove(gone)
            found = {frozenset(ids) for ids in index.clusters().values()}
            assert found == clusters_of(model, "0.8", 20)
            index.check()


@pytest.mark.parametrize("hub_is_last", [False, True], ids=["first", "last"])
def test_a_cluster_has_all_that_hold_one_document(tmp_path: Path, hub_is_last: bool) -> None:
    hub = " ".join(f"hub{i}" for i in range(40))
    rows = [(f"d{i}", f"{hub} " + " ".join(f"x{i}-{j}" for j in range(60))) for i in range(100)]
    rows = [*rows, ("hub", hub)] if hub_is_last else [("hub", hub), *rows]
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        index.add(rows)
        assert len(index.query(hub, limit=None).matches) == 101
        assert [len(ids) for ids in index.clusters().values()] == [101]
        index.remove(["hub"])
        assert index.clusters() == {}
        index.check()


def test_documents_that_hold_others_or_are_held_are_left_out(tmp_path: Path) -> None:
    writer = Inclusions(12, SIZES[:-2])
    model = ContainmentModel()
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        for i in range(150):
            name, text = f"d{i}", writer.text()
            expected = model.contained(text, "0.9", 20)
            (outcome,) = index.add([(name, text)], unless_similar=0.9).outcomes
            assert outcome.outcome == ("similar" if expected else "added")
            if expected:
                assert outcome.like is not None
                assert tuple(outcome.like[:4]) == expected[0]
            else:
                model.texts[name] = text
        assert 40 < len(model.texts) < 130


@pytest.mark.parametrize("threshold", ["0.8", "1"])
def test_dedup_removes_as_against_the_documents_themselves(
    run: Callable[..., Any],
    index: Callable[..., Any],
    write_jsonl: Callable[..., Path],
    read_jsonl: Callable[[Path], list[dict[str, Any]]],
    threshold: str,
) -> None:
    writer = Inclusions(13, SIZES[:-2])
    base = write_jsonl("base.jsonl", [{"id": f"b{i}", "text": writer.text()} for i in range(100)])
    new = write_jsonl("new.jsonl", [{"id": f"n{i}", "text": writer.text()} for i in range(100)])
    options = ["--measure", "containment", "--threshold", threshold]
    index("create", "seen", *options)
    index("load", "seen", base)
    removed = []
    for number, against in enumerate(("seen", base)):
        run("dedup", new, "--against", against, "-o", f"out{number}", "--quiet", *options)
        rows = read_jsonl(new.with_name(f"out{number}") / "removed.jsonl")
        removed.append([(row["id"], row["duplicate_of"], row["resemblance"]) for row in rows])
    assert removed[0] == removed[1]
    assert len(removed[0]) > 30


def test_twenty_thousand_copies_are_found_by_a_text_longer_than_all(tmp_path: Path) -> None:
    short = " ".join(f"s{i}" for i in range(24))
    page = " ".join(["a", *(f"b{i}" for i in range(50_000)), short, "c"])
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        index.add([(f"d{i:05}", short) for i in range(20_000)])
        answer = index.query(page, limit=None)
        assert (answer.truncated, answer.candidates, len(answer.matches)) == (True, 1, 10_000)
        assert {match.containment_ba for match in answer.matches} == {1.0}
        index.add([("page", page)])
        assert [len(ids) for ids in index.clusters().values()] == [20_001]
        answer = index.query(id="page", top=1)
        assert [match.id for match in answer.matches] == ["d00000"]
        index.remove(["d00000"])
        assert index.query(id="page", top=1).matches[0].id == "d00001"


def test_documents_with_too_few_features_match_nothing(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(24)]
    with lookalike.Index.create(tmp_path / "seen", measure="containment") as index:
        index.add([("whole", " ".join(words)), ("less", " ".join(words[:23])), ("none", "")])
        for name in ("less", "none"):
            assert index.query(id=name).matches == []
            assert index.query(id=name, exhaustive=True).matches == []
        assert index.query(" ".join(words[:23])).matches == []
        page = " ".join(["x", *words, "y"])
        assert [match.id for match in index.query(page).matches] == ["whole"]
        assert index.clusters() == {}
        index.remove(["whole", "less", "none"])
        index.check()


def test_a_high_minimum_of_features_takes_no_time(index: Callable[..., Any]) -> None:
    """The keys are planned whenever the index is opened."""
    words = ["create", "seen", "--measure", "containment", "--min-features", "100000"]
    index(*words, timeout=5)


@pytest.fixture(scope="module")
def pair() -> list[dict[str, str]]:
    words = [f"w{i}" for i in range(100)]
    return [{"id": "big", "text": " ".join(words)}, {"id": "part", "text": " ".join(words[10:50])}]


def test_output_of_queries(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], pair: list[dict[str, str]]
) -> None:
    said = "seen: an empty index, which finds documents by all features\n"
    assert index("create", "seen", "--measure", "containment").stdout == said
    index("add", "seen", write_jsonl("in.jsonl", pair))
    assert index("query", "seen", "--id", "part").stdout == "1.0000 in it, 0.3750 of it  big\n"
    assert index("query", "seen", "--id", "big").stdout == "0.3750 in it, 1.0000 of it  part\n"
    match = {"id": "big", "resemblance": 0.375, "exact": True,
             "containment_ab": 1.0, "containment_ba": 0.375}  # fmt: skip
    assert index("query", "seen", "--id", "part", "--json").json["matches"] == [match]
    index("query", "seen", "--id", "part", "--measure", "resemblance", code=1)
    words = ["--measure", "resemblance", "--threshold", "0.3", "--exhaustive"]
    assert index("query", "seen", "--id", "part", *words).stdout == "0.3750  big\n"
    assert index("clusters", "seen").stdout == "c1  big part\n"


def test_an_index_of_resemblance_finds_containment_by_exhaustive_queries(
    index: Callable[..., Any], write_jsonl: Callable[..., Path], pair: list[dict[str, str]]
) -> None:
    index("create", "seen")
    index("add", "seen", write_jsonl("in.jsonl", pair))
    words = ["query", "seen", "--id", "part", "--measure", "containment"]
    assert "exhaustive" in index(*words, code=2).stderr
    assert index(*words, "--exhaustive").stdout == "1.0000 in it, 0.3750 of it  big\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create", "new", "--measure", "containment", "--keep", "none"], "--keep none"),
        (["create", "new", "--measure", "contain"], "resemblance or containment"),
        (["query", "codes", "--id", "part", "--measure", "containment", "--exhaustive"], "codes"),
        (["query", "codes", "--id", "part", "--measure", "cosine"], "resemblance or containment"),
        (["query", "seen", "--id", "part", "--min-features", "3"], "--min-features"),
        (["add", "seen", "in.jsonl", "--measure", "containment"], "--measure"),
        (["add", "seen", "in.jsonl", "--unless-similar", "0.7"], "a containment of 0.8 on"),
        (["clusters", "seen", "--measure", "containment"], "--measure"),
        (["merge", "seen", "other", "-o", "new"], "settings differ"),
    ],
)
def test_refusals(
    index: Callable[..., Any],
    write_jsonl: Callable[..., Path],
    pair: list[dict[str, str]],
    words: list[str],
    said: str,
) -> None:
    corpus = write_jsonl("in.jsonl", pair)
    index("create", "seen", "--measure", "containment")
    index("create", "codes", "--keep", "none")
    index("create", "other")
    for name in ("seen", "codes"):
        index("add", name, corpus)
    refused = index(*words, code=2)
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not corpus.with_name("new").exists()


def test_dedup_against_an_index_takes_its_measure(
    run: Callable[..., Any],
    index: Callable[..., Any],
    write_jsonl: Callable[..., Path],
    pair: list[dict[str, str]],
) -> None:
    corpus = write_jsonl("in.jsonl", pair)
    index("create", "seen", "--measure", "containment")
    refused = run("dedup", corpus, "--against", "seen", "-o", "out", code=2)
    assert "--measure containment" in refused.stderr
