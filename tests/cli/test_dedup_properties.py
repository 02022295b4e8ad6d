"""Laws of `dedup` on random corpora, against the definitions in word_features.py."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from result_folder import ResultFolder, read_lines
from word_features import decide, edges, features, resemblance, stream

KEEP_ORDERS = ["first", "longest", "shortest", "field:score", "field:score:desc"]
SEEDS = range(24)


def random_text(chance: random.Random, vocabulary: list[str]) -> str:
    """Mostly short texts; sometimes none at all."""
    length = chance.choice([0, 1, 2, 3, 5, 8, 13, 21, 40])
    return " ".join(chance.choices(vocabulary, k=length))


def edited(chance: random.Random, text: str, vocabulary: list[str]) -> str:
    """A few words dropped, put in, exchanged, or moved."""
    words = text.split()
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(words) + 1)
        edit = chance.randrange(4)
        if edit == 0:
            words.insert(at, chance.choice(vocabulary))
        elif edit == 1:
            words = words[at:] + words[:at]
        elif words and edit == 2:
            words.pop(at - 1)
        elif words:
            words[at - 1] = chance.choice(vocabulary)
    return " ".join(words)


def random_corpus(seed: int) -> list[dict[str, object]]:
    """Some 60 rows, half of them made from earlier ones."""
    chance = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(chance.choice([6, 30, 400]))]
    texts: list[str] = []
    for _ in range(chance.randint(20, 80)):
        if texts and chance.random() < 0.5:
            texts.append(edited(chance, chance.choice(texts), vocabulary))
        else:
            texts.append(random_text(chance, vocabulary))
    rows: list[dict[str, object]] = []
    for i, text in enumerate(texts):
        row: dict[str, object] = {"id": f"d{i}", "text": text}
        if chance.random() < 0.8:
            row["score"] = chance.randint(0, 9)
        rows.append(row)
    return rows


def keep_order(rows: list[dict[str, object]], keep: str) -> list[int]:
    """Indices of the rows in this keep order, by the interface's promise."""
    texts = [str(row["text"]) for row in rows]
    keys: dict[str, Callable[[int], object]] = {
        "first": lambda i: 0,
        "longest": lambda i: -len(texts[i]),
        "shortest": lambda i: len(texts[i]),
        "field:score": lambda i: ("score" not in rows[i], rows[i].get("score", 0)),
        "field:score:desc": lambda i: ("score" not in rows[i], -int(str(rows[i].get("score", 0)))),
    }
    return sorted(range(len(rows)), key=keys[keep])


def settings(seed: int) -> tuple[int, float, str]:
    chance = random.Random(1000 + seed)
    return (
        chance.choice([1, 2, 3, 5]),
        chance.choice([0.3, 0.5, 0.7, 0.8, 0.95]),
        KEEP_ORDERS[seed % 5],
    )


@pytest.mark.parametrize("method", ["exact", "auto"])
@pytest.mark.parametrize("seed", SEEDS)
def test_random_corpus(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int, method: str
) -> None:
    rows = random_corpus(seed)
    texts = [str(row["text"]) for row in rows]
    width, threshold, keep = settings(seed)
    source = write_jsonl("in.jsonl", rows)
    run(
        "dedup", source, "-o", "out", "--quiet", "--shingle", f"word:{width}", "--keep", keep,
        "--threshold", threshold, "--recall", "0.999", "--method", method,
    )  # fmt: skip
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(rows))
    order = keep_order(rows, keep)
    found = {int(row["id"][1:]): int(row["duplicate_of"][1:]) for row in result.removed}
    check_kept_rows(result, source, found)
    check_witnesses(result, texts, order, width, threshold)
    check_clusters(result, found)
    expected = decide(texts, order, width, threshold)
    if method == "exact":
        assert found == expected
    else:  # keys may miss a pair; what is removed must be right all the same, and most is found
        assert len(found) >= 0.9 * len(expected)


def check_kept_rows(result: ResultFolder, source: Path, removed: dict[int, int]) -> None:
    """Kept are exactly the lines that are not removed, byte for byte and in order."""
    lines = source.read_bytes().splitlines(keepends=True)
    kept = [line for i, line in enumerate(lines) if i not in removed]
    assert result.kept_bytes(source.name) == b"".join(kept)


def check_witnesses(
    result: ResultFolder, texts: list[str], order: list[int], width: int, threshold: float
) -> None:
    """Every witness is kept, comes first, and has the resemblance and kind that are stated."""
    rank = {document: place for place, document in enumerate(order)}
    gone = {int(row["id"][1:]) for row in result.removed}
    for row in result.removed:
        one, other = int(row["id"][1:]), int(row["duplicate_of"][1:])
        assert other not in gone and rank[other] < rank[one]
        assert (row["row"], row["duplicate_of_row"]) == (one + 1, other + 1)
        value = resemblance(features(texts[one], width), features(texts[other], width))
        assert value >= threshold and abs(value - row["resemblance"]) <= 1e-15
        if texts[one] == texts[other]:
            kind = "identical"
        elif stream(texts[one], width) == stream(texts[other], width):
            kind = "exact"
        else:
            kind = "near"
        assert row["kind"] == kind, row


def check_clusters(result: ResultFolder, removed: dict[int, int]) -> None:
    """A cluster is a kept document with those removed for it, largest first, then by place."""
    members: dict[int, set[int]] = {}
    for one, witness in removed.items():
        members.setdefault(witness, {witness}).add(one)
    groups = sorted((sorted(group) for group in members.values()), key=lambda g: (-len(g), g[0]))
    numbers = {i: n for n, group in enumerate(groups, 1) for i in group}
    assert [c["members"] for c in result.clusters] == [[f"d{i}" for i in g] for g in groups]
    assert [c["cluster"] for c in result.clusters] == list(range(1, len(groups) + 1))
    assert all(row["cluster"] == numbers[int(row["id"][1:])] for row in result.removed)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_the_brute_force_pairs(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int
) -> None:
    rows = random_corpus(100 + seed)
    width, threshold, _ = settings(seed)
    source = write_jsonl("in.jsonl", rows)
    wanted = edges([str(row["text"]) for row in rows], width, threshold)
    run(
        "pairs", source, "-o", "pairs.jsonl", "--quiet", "--shingle", f"word:{width}",
        "--threshold", threshold, "--method", "exact", code=0 if wanted else 1,
    )  # fmt: skip
    pairs = read_lines(tmp_path / "pairs.jsonl")
    found = {(int(p["a"][1:]), int(p["b"][1:])): p["resemblance"] for p in pairs}
    assert found == wanted
    assert list(found) == sorted(wanted) and len(pairs) == len(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_the_input_changes_only_who_is_first(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int
) -> None:
    """With a keep order without ties the kept set does not depend on the order of the rows."""
    rows = random_corpus(200 + seed)
    for i, row in enumerate(rows):
        row["score"] = i * 7919 % 1009
    width, threshold, _ = settings(seed)
    shuffled = random.Random(seed).sample(rows, len(rows))
    results = []
    for name, some in (("a", rows), ("b", shuffled)):
        source = write_jsonl(f"{name}/in.jsonl", some)
        run(
            "dedup", source, "-o", f"out-{name}", "--quiet", "--shingle", f"word:{width}",
            "--threshold", threshold, "--keep", "field:score", "--cluster", "components",
        )  # fmt: skip
        results.append(ResultFolder(tmp_path / f"out-{name}"))
    one, other = results
    assert sorted(one.kept_ids("in.jsonl")) == sorted(other.kept_ids("in.jsonl"))
    by_id = [
        {row["id"]: (row["duplicate_of"], row["resemblance"], row["kind"]) for row in r.removed}
        for r in results
    ]
    assert by_id[0] == by_id[1]
    groups = [sorted(sorted(c["members"]) for c in r.clusters) for r in results]
    assert groups[0] == groups[1]


@pytest.mark.parametrize("seed", range(4))
def test_splitting_the_input_into_files_changes_nothing(
    run: Callable, write_jsonl: Callable, tmp_path: Path, seed: int
) -> None:
    rows = random_corpus(300 + seed)
    whole = write_jsonl("whole.jsonl", rows)
    chance = random.Random(seed)
    cuts = sorted(chance.choices(range(len(rows) + 1), k=4))  # some parts are empty
    bounds = [0, *cuts, len(rows)]
    for n, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        write_jsonl(f"parts/{n}.jsonl", rows[begin:end])
    options = ["--quiet", "--threshold", "0.6", "--shingle", "word:2"]
    run("dedup", whole, "-o", "out-whole", *options)
    run("dedup", "parts", "-o", "out-parts", *options)
    one, other = ResultFolder(tmp_path / "out-whole"), ResultFolder(tmp_path / "out-parts")
    parts = b"".join(other.kept_bytes(f"{n}.jsonl") for n in range(len(bounds) - 1))
    assert parts == one.kept_bytes("whole.jsonl")
    pick = ("id", "kind", "duplicate_of", "resemblance", "cluster")
    assert [[r[k] for k in pick] for r in one.removed] == [
        [r[k] for k in pick] for r in other.removed
    ]
    assert json.dumps(one.clusters) == json.dumps(other.clusters)


def test_a_result_is_its_own_fixed_point(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """With the exact method, nothing of what is kept is a duplicate of anything else kept."""
    source = write_jsonl("in.jsonl", random_corpus(400))
    options = ["--quiet", "--method", "exact", "--threshold", "0.5", "--shingle", "word:2"]
    run("dedup", source, "-o", "out", *options)
    run("dedup", "out/kept/in.jsonl", "-o", "again", *options)
    assert ResultFolder(tmp_path / "again").removed == []
    assert ResultFolder(tmp_path / "out").removed != []


def test_min_features_counts_distinct_ones(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """A word said three times is one feature, and one is below the two that are asked for."""
    texts = ["one one one", "one one one", "one two", "one two"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
    run("dedup", "in.jsonl", "-o", "out", "--shingle", "word:1", "--min-features", "2")
    assert [row["id"] for row in ResultFolder(tmp_path / "out").removed] == ["3"]
