"""Containment by its definition, on random and hostile collections, through the real command."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from result_folder import ResultFolder, read_lines
from word_features import Features, features, stream

WIDTH = 3
LEAST = 20
WAYS = {
    "lsh": ["--method", "lsh"],
    "exact": ["--method", "exact"],
    "auto": [],
}


def words(chance: random.Random, count: int) -> list[str]:
    return [f"w{chance.randrange(10**6)}" for _ in range(count)]


def collection(seed: int, documents: int) -> list[str]:
    """Texts inside of others, whole or mostly; tiny in huge, equal, empty, and a phrase in all."""
    chance = random.Random(seed)
    phrase = words(chance, chance.choice([0, 4, 30]))
    texts: list[list[str]] = []
    for _ in range(documents):
        kind = chance.random()
        if texts and kind < 0.5:
            source = chance.choice(texts)
            begin = chance.randrange(len(source) + 1)
            part = source[begin : begin + chance.choice([5, 21, 23, 30, 60, 150, 400])]
            if chance.random() < 0.5 and len(part) > 8:
                part[chance.randrange(len(part))] = "changed"
            around = chance.choice([0, 0, 3, 200])
            text = words(chance, around) + part + words(chance, around)
        elif texts and kind < 0.6:
            text = list(chance.choice(texts))
        else:
            text = words(chance, chance.choice([0, 1, 22, 60, 150, 300, 900]))
        texts.append(text if chance.random() < 0.3 else text + phrase)
    return [" ".join(text) for text in texts]


def counts(a: Features, b: Features, threshold: float) -> tuple[int, int, int] | None:
    """What two sets have in common, and their sizes, if they are a pair."""
    smaller = min(len(a), len(b))
    common = len(a & b)
    if smaller < LEAST or common / smaller < threshold:
        return None
    return common, len(a), len(b)


def row_of(a: str, b: str, found: tuple[int, int, int]) -> dict[str, Any]:
    common, size_a, size_b = found
    return {
        "a": a,
        "b": b,
        "resemblance": common / (size_a + size_b - common),
        "common": common,
        "size_a": size_a,
        "size_b": size_b,
        "containment_ab": common / size_a,
        "containment_ba": common / size_b,
    }


def rows(name: str, texts: list[str]) -> list[dict[str, str]]:
    return [{"id": f"{name}{i}", "text": text} for i, text in enumerate(texts)]


def options(threshold: float, method: str) -> list[str]:
    return [
        "--measure", "containment", "--threshold", str(threshold), "--shingle", f"word:{WIDTH}",
        "--quiet", *WAYS[method],
    ]  # fmt: skip


@pytest.mark.parametrize("method", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_pairs_are_those_of_brute_force(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int, method: str
) -> None:
    texts = collection(seed, 200)
    threshold = [0.8, 0.5, 0.95, 1][seed]
    write_jsonl("in.jsonl", rows("d", texts))
    sets = [features(text, WIDTH) for text in texts]
    expected = []
    for i, j in itertools.combinations(range(len(texts)), 2):
        found = counts(sets[i], sets[j], threshold)
        if found:
            expected.append(row_of(f"d{i}", f"d{j}", found))
    assert len(expected) > 25
    run("pairs", "in.jsonl", "-o", "out.jsonl", *options(threshold, method))
    assert read_lines(tmp_path / "out.jsonl") == expected
    # Sampling may miss pairs of documents with more than some hundred features; not of these.
    for stress in ("spill", "collide"):
        run("pairs", "in.jsonl", "-o", f"{stress}.jsonl", *options(threshold, method),
            "--threads", "3", env={"LOOKALIKE_STRESS": stress})  # fmt: skip
        assert read_lines(tmp_path / f"{stress}.jsonl") == expected


@pytest.mark.parametrize("method", WAYS)
def test_pairs_against_a_reference(
    run: Callable, write_jsonl: Callable, tmp_path: Path, method: str
) -> None:
    new, old = collection(11, 140)[::2], collection(11, 140)[1::2]
    write_jsonl("new.jsonl", rows("n", new))
    write_jsonl("old.jsonl", rows("o", old))
    expected = []
    for (i, a), (j, b) in itertools.product(enumerate(new), enumerate(old)):
        found = counts(features(a, WIDTH), features(b, WIDTH), 0.8)
        if found:
            expected.append(row_of(f"n{i}", f"o{j}", found))
    assert len(expected) > 15
    run("pairs", "new.jsonl", "--against", "old.jsonl", "-o", "out.jsonl", *options(0.8, method))
    assert read_lines(tmp_path / "out.jsonl") == expected


def expected_removals(new: list[str], old: list[str], threshold: float) -> dict[int, tuple]:
    """{new: (old, kind)}: a copy goes for the first it is a copy of, others for the first alike."""
    removed = {}
    for i, text in enumerate(new):
        own = features(text, WIDTH)
        if len(own) < LEAST:
            continue
        for j, other in enumerate(old):
            if stream(text, WIDTH) == stream(other, WIDTH):
                removed[i] = (j, "identical" if text == other else "exact")
                break
        else:
            for j, other in enumerate(old):
                if counts(own, features(other, WIDTH), threshold):
                    removed[i] = (j, "near")
                    break
    return removed


@pytest.mark.parametrize("method", WAYS)
@pytest.mark.parametrize("seed", [21, 22])
def test_decontamination_removes_what_a_reference_is_in_or_holds(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int, method: str
) -> None:
    texts = collection(seed, 160)
    new, old = texts[::2], texts[1::2]
    write_jsonl("new.jsonl", rows("n", new))
    before = write_jsonl("old.jsonl", rows("o", old)).read_bytes()
    run("dedup", "new.jsonl", "--against", "old.jsonl", "-o", "out", *options(0.8, method))
    result = ResultFolder(tmp_path / "out")
    expected = expected_removals(new, old, 0.8)
    assert 6 < len(expected) < len(new)
    found = {}
    for row in result.removed:
        found[int(row["id"][1:])] = (int(row["duplicate_of"][1:]), row["kind"])
        a, b = (features(text[int(row[key][1:])], WIDTH)
                for text, key in ((new, "id"), (old, "duplicate_of")))  # fmt: skip
        assert row["containment_ab"] == len(a & b) / len(a)
        assert row["containment_ba"] == len(a & b) / len(b)
        assert max(row["containment_ab"], row["containment_ba"]) >= 0.8
    assert found == expected
    kept = [f"n{i}" for i in range(len(new)) if i not in expected]
    assert result.kept_ids("new.jsonl") == kept, "copies of one another stay"
    result.check_nothing_lost(len(new))
    assert (tmp_path / "old.jsonl").read_bytes() == before
    assert [path.name for path in (result.path / "kept").iterdir()] == ["new.jsonl"]
    check_evidence(result, new, old)


def check_evidence(result: ResultFolder, new: list[str], old: list[str]) -> None:
    """A line for each removed document, whose passages are in both texts, word for word."""
    removed = result.removed
    lines = read_lines(result.path / "evidence.jsonl")
    assert [line["id"] for line in lines] == [row["id"] for row in removed]
    for line, row in zip(lines, removed):
        assert line["against"] == row["duplicate_of"] and line["row"] == row["row"]
        assert line["source"] == "new.jsonl" and line["against_source"] == "old.jsonl"
        a, b = new[int(line["id"][1:])], old[int(line["against"][1:])]
        shared: set = set()
        for passage in line["passages"]:
            of_a = a[passage["a_begin"] : passage["a_end"]]
            assert of_a == b[passage["b_begin"] : passage["b_end"]]
            assert passage["text"] == of_a[:200]
            shared |= features(of_a, WIDTH)
        assert line["passages"] and not line["cut"]
        if line["passages_left_out"] == 0:
            assert shared == features(a, WIDTH) & features(b, WIDTH)


@pytest.mark.parametrize("stress", ["spill", "resume", "collide"])
def test_decontamination_gives_the_same_bytes(
    run: Callable, write_jsonl: Callable, tmp_path: Path, stress: str
) -> None:
    texts = collection(31, 200)
    write_jsonl("new.jsonl", rows("n", texts[::2]))
    write_jsonl("old.jsonl", rows("o", texts[1::2]))
    how = options(0.8, "lsh")
    for name, threads, env in (("one", "1", {}), ("two", "8", {"LOOKALIKE_STRESS": stress})):
        run("dedup", "new.jsonl", "--against", "old.jsonl", "-o", name, *how,
            "--threads", threads, env=env)  # fmt: skip
    names = ["removed.jsonl", "clusters.jsonl", "evidence.jsonl", "report.html", "kept/new.jsonl"]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    again = run("dedup", "new.jsonl", "--against", "old.jsonl", "-o", "two", *how, "--resume",
                "--json")  # fmt: skip
    assert again.json["was_complete"]


def test_l4_sizes_times_containment_are_the_common_part(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", rows("d", collection(41, 100)))
    run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.5, "auto"))
    found = read_lines(tmp_path / "out.jsonl")
    assert any(row["containment_ab"] != row["containment_ba"] for row in found)
    for row in found:
        ab, ba = row["containment_ab"], row["containment_ba"]
        assert round(ab * row["size_a"]) == round(ba * row["size_b"]) == row["common"]
        assert row["resemblance"] == pytest.approx(1 / (1 / ab + 1 / ba - 1), rel=1e-12)
        if max(ab, ba) == 1:
            sizes = sorted((row["size_a"], row["size_b"]))
            assert row["resemblance"] == sizes[0] / sizes[1]


def test_short_documents_count_when_asked_for(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Five words are three shingles of three words."""
    write_jsonl("in.jsonl", rows("d", ["one two three four five", "zero one two three four five"]))
    run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, "auto"), code=1)
    run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, "auto"), "--min-features", "3")
    assert read_lines(tmp_path / "out.jsonl") == [row_of("d0", "d1", (3, 3, 4))]
    run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, "auto"), "--min-features", "4",
        code=1)  # fmt: skip


def test_what_is_too_short_is_counted_and_said(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Short texts of either side are no less contained for being left out: recall says so."""
    question = " ".join(f"q{i}" for i in range(14))
    page = " ".join(f"p{i}" for i in range(200))
    write_jsonl("pages.jsonl", rows("p", [f"{page} {question}", page[::-1], "a b", ""]))
    write_jsonl("questions.jsonl", rows("q", [question, f"{question} {page[:200]}"]))
    across = ["pairs", "questions.jsonl", "--against", "pages.jsonl", "-o", "out.jsonl",
              "--measure", "containment"]  # fmt: skip
    done = run(*across, code=0)
    assert "2 of 6 documents have fewer than 20 distinct shingles" in done.stderr
    assert "--min-features, or use --preset questions" in done.stderr
    assert done.stdout.count("too short 1 document") == 2
    assert "covers 4 documents, 2 left out as too short" in done.stdout
    recall = run(*across, "--json").json["recall"]
    assert recall["covers"] == {"documents": 4, "left_out": 2, "min_features": 20}
    assert recall["met"]
    assert len(read_lines(tmp_path / "out.jsonl")) == 1
    assert run(*across, "--min-features", "1", "--json").json["recall"]["covers"]["left_out"] == 0
    write_jsonl("one.jsonl", rows("q", [question]))
    across[1] = "one.jsonl"
    assert not run(*across, "--json", code=1).json["recall"]["met"]
    dedup = ["dedup", "pages.jsonl", "--against", "questions.jsonl", "-o", "out",
             "--measure", "containment"]  # fmt: skip
    run(*dedup)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["recall"]["covers"] == {"documents": 4, "left_out": 2, "min_features": 20}
    again = run(*dedup, "--resume", "--json").json
    assert again["recall"]["covers"] == manifest["recall"]["covers"]


def test_the_preset_of_questions_finds_short_items(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    chance = random.Random(5)
    questions = [words(chance, length) for length in (7, 9, 14, 14, 30)]
    pages = [words(chance, 150) + question + words(chance, 150) for question in questions]
    pages[3][155] = "changed"  # one word of fourteen
    write_jsonl("pages.jsonl", rows("p", [" ".join(page) for page in pages]))
    write_jsonl("questions.jsonl", rows("q", [" ".join(question) for question in questions]))
    for flags in ([], ["--method", "exact"]):
        run("pairs", "questions.jsonl", "--against", "pages.jsonl", "-o", "out.jsonl",
            "--preset", "questions", *flags)  # fmt: skip
        found = {(row["a"], row["b"]): row["containment_ab"] for row in read_lines(tmp_path / "out.jsonl")}
        assert found == {(f"q{i}", f"p{i}"): 1.0 if i != 3 else 0.75 for i in range(5)}
    run("dedup", "pages.jsonl", "--against", "questions.jsonl", "-o", "out", "--preset", "questions")
    assert len(read_lines(tmp_path / "out" / "removed.jsonl")) == 5


def test_parquet_has_the_same_columns(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    import pyarrow.parquet

    write_jsonl("in.jsonl", rows("d", collection(51, 80)))
    for name in ("out.jsonl", "out.parquet"):
        run("pairs", "in.jsonl", "-o", name, *options(0.8, "auto"))
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.to_pylist() == read_lines(tmp_path / "out.jsonl")


def test_recall_is_measured(run: Callable, write_jsonl: Callable) -> None:
    write_jsonl("in.jsonl", rows("d", collection(61, 300)))
    for method in ("lsh", "exact"):
        found = run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, method), "--json").json
        recall = found["recall"]
        assert recall["estimate"] == 1 and recall["met"], recall
        # All documents are sampled, so that all pairs of distinct ones are met.
        assert recall["sampled_documents"] > 150
        assert found["pairs"] >= recall["sampled_pairs"] > 0.5 * found["pairs"]
    none = run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, "lsh"), "--json",
               "--audit-documents", "0").json  # fmt: skip
    assert none["recall"]["estimate"] is None


def test_pairs_that_the_search_missed_lower_the_measured_recall(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    chance = random.Random(5)
    texts = [words(chance, 300) for _ in range(120)]
    for _ in range(280):
        source = chance.choice(texts[:120])
        begin, length = chance.randrange(250), chance.randrange(25, 50)
        texts.append(source[begin : begin + length])
    write_jsonl("in.jsonl", rows("d", [" ".join(text) for text in texts]))
    found = {}
    for method in (["--method", "exact"], ["--sketch", "fracminhash:16"]):
        arguments = ["in.jsonl", "-o", "out.jsonl", *options(0.9, "auto"), *method, "--json"]
        found[method[0]] = run("pairs", *arguments).json
    whole, some = found["--method"], found["--sketch"]
    assert some["pairs"] < 0.97 * whole["pairs"]
    # All documents are sampled, and none is a copy, so that the measured recall is the recall.
    assert some["recall"]["sampled_documents"] == len(texts)
    assert some["recall"]["sampled_pairs"] == whole["recall"]["sampled_pairs"] == whole["pairs"]
    assert some["recall"]["estimate"] == pytest.approx(some["pairs"] / whole["pairs"], abs=1e-12)
    assert not some["recall"]["met"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["dedup", "in.jsonl", "-o", "out"], "needs --against"),
        (["pairs", "in.jsonl", "-o", "out", "--verify", "sketch"], "--verify 'sketch' cannot be"),
        (["pairs", "in.jsonl", "-o", "out", "--design", "bands:4x4"], "--design 'bands:4x4'"),
        (["dedup", "in.jsonl", "-o", "out", "--cluster", "components", "--against", "in.jsonl"],
         "--cluster 'components' cannot be"),
        (["pairs", "in.sketches", "-o", "out"], "is already a sketch file"),
    ],
)  # fmt: skip
def test_what_containment_is_not_for(
    run: Callable, write_jsonl: Callable, tmp_path: Path, arguments: list[str], says: str
) -> None:
    write_jsonl("in.jsonl", rows("d", collection(1, 10)))
    run("sketch", "in.jsonl", "-o", "in.sketches", "--quiet")
    failed = run(*arguments, "--measure", "containment", code=2)
    assert says in failed.stderr
    assert not (tmp_path / "out").exists()
    assert "; " in failed.stderr or ". " in failed.stderr


def test_a_phrase_that_all_have_makes_no_work(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Candidates grow as the collection does, not as its square."""
    chance = random.Random(7)
    template = words(chance, 150)
    met = []
    for documents in (500, 2000):
        texts = [" ".join(template + words(chance, 90)) for _ in range(documents)]
        texts.append(texts[0] + " and more")
        write_jsonl("in.jsonl", rows("d", texts))
        write_jsonl("old.jsonl", rows("o", [texts[1] + " too"]))
        run("dedup", "in.jsonl", "--against", "old.jsonl", "-o", f"out{documents}",
            *options(0.8, "lsh"))  # fmt: skip
        result = ResultFolder(tmp_path / f"out{documents}")
        assert [row["id"] for row in result.removed] == ["d1"]
        run("pairs", "in.jsonl", "-o", "out.jsonl", *options(0.8, "lsh"))
        assert len(read_lines(tmp_path / "out.jsonl")) == 1
        met.append(json.loads((result.path / "manifest.json").read_text())["search"]["pairs_met"])
    assert met[1] <= 4 * max(met[0], 100)


def test_the_summary_calls_what_was_removed_overlapping(
    run: Callable, write_jsonl: Callable
) -> None:
    item = words(random.Random(5), 40)
    write_jsonl("train.jsonl", rows("d", [" ".join(words(random.Random(6), 90) + item)]))
    write_jsonl("test.jsonl", rows("t", [" ".join(item)]))
    done = run("dedup", "train.jsonl", "--against", "test.jsonl", "-o", "out",
               "--measure", "containment")  # fmt: skip
    assert "removed   0 exact, 1 overlapping; 1 cluster" in done.stdout
