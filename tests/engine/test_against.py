"""Two collections: pairs across them, and what a reference that stays as it is removes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from interrupted_run import same_for_all_attempts, working_folder
from result_folder import ResultFolder, read_lines
from two_collections import Removal, decide_against, pairs_across

Rows = list[dict[str, Any]]


def rows_of(name: str, texts: list[str]) -> Rows:
    return [{"id": f"{name}{i}", "text": text} for i, text in enumerate(texts)]


def random_words(chance: random.Random, count: int) -> str:
    return " ".join(f"w{chance.randrange(10**6)}" for _ in range(count))


def changed(chance: random.Random, text: str, words: int) -> str:
    """With so many words in the inner part replaced."""
    parts = text.split()
    for at in chance.sample(range(5, len(parts) - 5), words):
        parts[at] = f"z{chance.randrange(10**6)}"
    return " ".join(parts)


def two_random_collections(seed: int) -> tuple[list[str], list[str]]:
    """Texts of few words, with copies and near-copies inside each collection and across."""
    chance = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(chance.choice([6, 40, 400]))]
    texts: list[str] = []
    for _ in range(chance.randint(30, 90)):
        if texts and chance.random() < 0.6:
            words = chance.choice(texts).split()
            for _ in range(chance.randint(0, 2)):
                words.insert(chance.randrange(len(words) + 1), chance.choice(vocabulary))
            texts.append(" ".join(words))
        else:
            length = chance.choice([0, 1, 3, 8, 20, 40])
            texts.append(" ".join(chance.choices(vocabulary, k=length)))
    chance.shuffle(texts)
    at = chance.randint(1, len(texts) - 1)
    return texts[:at], texts[at:]


def removals(result: ResultFolder) -> dict[int, Removal]:
    """What a result says of each removed document; ids are n7 and r7."""
    found = {}
    for row in result.removed:
        other = row["duplicate_of"]
        # Null says that the witness is in the removed document's own input.
        source = row["duplicate_of_source"] or row["source"]
        assert row["source"] == "new.jsonl" and row["row"] == int(row["id"][1:]) + 1
        assert source == ("ref.jsonl" if other[0] == "r" else "new.jsonl")
        assert row["duplicate_of_row"] == int(other[1:]) + 1
        found[int(row["id"][1:])] = Removal(
            other[0] == "r", int(other[1:]), row["kind"], row["resemblance"]
        )
    return found


def check_rows(result: ResultFolder, source: Path, removed: dict[int, Removal]) -> None:
    """Kept are the other rows of the new collection, byte for byte, and nothing else."""
    lines = source.read_bytes().splitlines(keepends=True)
    kept = [line for i, line in enumerate(lines) if i not in removed]
    assert result.kept_bytes(source.name) == b"".join(kept)
    assert [path.name for path in (result.path / "kept").iterdir()] == [source.name]
    result.check_nothing_lost(len(lines))


@pytest.fixture
def collections(write_jsonl: Callable) -> Callable[[list[str], list[str]], tuple[Path, Path]]:
    def write(new: list[str], reference: list[str]) -> tuple[Path, Path]:
        return (
            write_jsonl("new.jsonl", rows_of("n", new)),
            write_jsonl("ref.jsonl", rows_of("r", reference)),
        )

    return write


@pytest.mark.parametrize("method", ["exact", "lsh"])
@pytest.mark.parametrize("seed", range(12))
def test_dedup_against_is_its_definition(
    run: Callable, collections: Callable, tmp_path: Path, seed: int, method: str
) -> None:
    new, reference = two_random_collections(seed)
    source, other = collections(new, reference)
    before = other.read_bytes()
    width, threshold = [(1, 0.5), (2, 0.7), (3, 0.8), (5, 0.8)][seed % 4]
    run(
        "dedup", source, "-o", "out", "--quiet", "--against", other, "--method", method,
        "--shingle", f"word:{width}", "--threshold", threshold, "--recall", "0.999",
    )  # fmt: skip
    result = ResultFolder(tmp_path / "out")
    found = removals(result)
    check_rows(result, source, found)
    wanted = decide_against(new, reference, list(range(len(new))), width, threshold)
    assert wanted, "nothing to remove proves nothing"
    if method == "exact":
        assert found == wanted
    else:  # a key may be missed; what goes, goes for a reason all the same
        assert len(found) >= 0.9 * len(wanted)
        for i, removal in found.items():
            text = (reference if removal.of_reference else new)[removal.witness]
            exact = pairs_across([new[i]], [text], width, threshold)[0, 0]
            assert removal.resemblance == exact[0]
            assert removal.of_reference or removal.witness not in found
    assert other.read_bytes() == before


@pytest.mark.parametrize("keep", ["longest", "shortest"])
@pytest.mark.parametrize("seed", range(20, 24))
def test_the_keep_order_ranks_the_new_ones_only(
    run: Callable, collections: Callable, tmp_path: Path, seed: int, keep: str
) -> None:
    """Whatever it is, no reference document is removed, and none loses to a new one."""
    new, reference = two_random_collections(seed)
    source, other = collections(new, reference)
    run(
        "dedup", source, "-o", "out", "--quiet", "--against", other, "--method", "exact",
        "--shingle", "word:2", "--threshold", "0.6", "--keep", keep,
    )  # fmt: skip
    sign = -1 if keep == "longest" else 1
    order = sorted(range(len(new)), key=lambda i: sign * len(new[i]))
    wanted = decide_against(new, reference, order, 2, 0.6)
    found = removals(ResultFolder(tmp_path / "out"))
    check_rows(ResultFolder(tmp_path / "out"), source, found)
    assert found.keys() == wanted.keys()
    by_new = {i: r for i, r in wanted.items() if not r.of_reference}
    assert {i: r for i, r in found.items() if not r.of_reference} == by_new


@pytest.mark.parametrize("options", [[], ["--memory", "64M", "--threads", "3"]], ids=" ".join)
def test_all_copies_of_a_reference_document_go(
    run: Callable, collections: Callable, tmp_path: Path, options: list[str]
) -> None:
    """Exact and near ones, however many, and each with its id, source, row and score."""
    chance = random.Random(3)
    reference = [random_words(chance, 120) for _ in range(40)]
    reference[30] = reference[7]  # the reference holds a copy, and a near-copy, of its own
    reference[31] = changed(chance, reference[7], 1)
    copies = [reference[7]] * 1500
    shouted = [reference[12].upper()] * 20  # the same features, other bytes
    near = [changed(chance, reference[20], 1 + i % 2) for i in range(1500)]
    loners = [random_words(chance, 120) for _ in range(200)]
    new = copies + shouted + near + loners
    chance.shuffle(new)
    source, other = collections(new, reference)
    run("dedup", source, "-o", "out", "--quiet", "--against", other, *options)
    result = ResultFolder(tmp_path / "out")
    found = removals(result)
    check_rows(result, source, found)
    assert {new[i] for i in range(len(new)) if i not in found} == set(loners)
    for i, removal in found.items():
        assert removal.of_reference
        if new[i] == reference[7]:
            assert removal == Removal(True, 7, "identical", 1.0)
        elif new[i] == reference[12].upper():
            assert removal == Removal(True, 12, "exact", 1.0)
        else:
            value = pairs_across([new[i]], [reference[20]], 5, 0.8)[0, 0][0]
            assert removal == Removal(True, 20, "near", value)
    assert result.records["removed_near"] == len(near)
    assert result.records["removed_exact"] == len(copies) + len(shouted)


def test_new_duplicates_go_as_ever(
    run: Callable, collections: Callable, tmp_path: Path
) -> None:
    """One of which the first is removed for the reference does not make the others stay or go."""
    chance = random.Random(4)
    reference = [random_words(chance, 60) for _ in range(3)]
    pair = random_words(chance, 60)
    link = changed(chance, reference[0], 2)  # near the reference
    beyond = changed(chance, link, 2)  # near the link, but further from the reference
    assert not pairs_across([beyond], reference, 5, 0.65)
    new = [pair, link, beyond, changed(chance, pair, 1), pair]
    source, other = collections(new, reference)
    run(
        "dedup", source, "-o", "out", "--quiet", "--against", other, "--method", "exact",
        "--threshold", "0.65",
    )  # fmt: skip
    found = removals(ResultFolder(tmp_path / "out"))
    assert found == decide_against(new, reference, list(range(5)), 5, 0.65)
    assert set(found) == {1, 3, 4} and found[1].of_reference and not found[3].of_reference


def test_annotated_output_has_only_the_new_rows(
    run: Callable, collections: Callable, tmp_path: Path
) -> None:
    chance = random.Random(5)
    reference = [random_words(chance, 30) for _ in range(3)]
    source, other = collections([reference[1], random_words(chance, 30)], reference)
    run("dedup", source, "-o", "out", "--quiet", "--against", other, "--output", "annotated")
    assert [path.name for path in (tmp_path / "out" / "annotated").iterdir()] == ["new.jsonl"]
    rows = read_lines(tmp_path / "out" / "annotated" / "new.jsonl")
    assert [(row["la_keep"], row["la_duplicate_of"]) for row in rows] == [
        (False, "r1"),
        (True, None),
    ]


@pytest.mark.parametrize("method", ["exact", "lsh"])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("threshold", [0.3, 0.55, 0.8, 1.0])
def test_pairs_against_are_the_pairs_across(
    run: Callable, collections: Callable, tmp_path: Path, seed: int, method: str, threshold: float
) -> None:
    new, reference = two_random_collections(100 + seed)
    source, other = collections(new, reference)
    width = [1, 2, 3, 5][seed % 4]
    wanted = pairs_across(new, reference, width, threshold)
    done = run(
        "pairs", source, "-o", "pairs.jsonl", "--quiet", "--against", other, "--method", method,
        "--shingle", f"word:{width}", "--threshold", threshold, "--recall", "0.99", code=None,
    )  # fmt: skip
    lines = read_lines(tmp_path / "pairs.jsonl")
    assert done.code == (0 if lines else 1), done.stderr
    found = {
        (int(line["a"][1:]), int(line["b"][1:])): (
            line["resemblance"], line["common"], line["size_a"], line["size_b"]
        )
        for line in lines
    }  # fmt: skip
    assert all(line["a"][0] == "n" and line["b"][0] == "r" for line in lines)
    assert len(found) == len(lines) and list(found) == sorted(found)
    if method == "exact":
        assert found == wanted
    else:
        assert found.items() <= wanted.items() and len(found) >= 0.9 * len(wanted)


def test_pairs_of_a_crowd_are_all_written(
    run: Callable, collections: Callable, tmp_path: Path
) -> None:
    """Copies on both sides: every new one with every one of the reference, none within a side."""
    text = random_words(random.Random(6), 50)
    source, other = collections([text] * 300, [text] * 200)
    run("pairs", source, "-o", "pairs.jsonl", "--quiet", "--against", other)
    lines = read_lines(tmp_path / "pairs.jsonl")
    found = {(line["a"], line["b"]) for line in lines}
    assert len(lines) == 60000
    assert found == {(f"n{i}", f"r{j}") for i in range(300) for j in range(200)}


def test_a_copy_of_one_reference_document_that_is_near_another(
    run: Callable, collections: Callable, tmp_path: Path
) -> None:
    """The copy stands in no class of its own, but in pairs of its own."""
    chance = random.Random(9)
    text = random_words(chance, 80)
    near = changed(chance, text, 1)
    source, other = collections([text, near, text], [text, near])
    run("pairs", source, "-o", "pairs.jsonl", "--quiet", "--against", other)
    found = [(line["a"], line["b"]) for line in read_lines(tmp_path / "pairs.jsonl")]
    assert found == [(f"n{i}", f"r{j}") for i in range(3) for j in range(2)]


def test_several_references(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    """After one flag, after several, as a folder: the same, in this order."""
    chance = random.Random(7)
    texts = [random_words(chance, 30) for _ in range(4)]
    write_jsonl("new.jsonl", rows_of("n", [texts[3], texts[1], texts[0]]))
    write_jsonl("refs/one.jsonl", rows_of("r", texts[:1]))
    write_jsonl("refs/two.jsonl", rows_of("s", [texts[1], texts[0]]))
    ways = {
        "a": ["--against", "refs/one.jsonl", "refs/two.jsonl"],
        "b": ["--against", "refs/one.jsonl", "--against", "refs/two.jsonl"],
        "c": ["--against", "refs"],
    }
    for name, way in ways.items():
        run("dedup", "new.jsonl", "-o", name, "--quiet", *way)
        rows = ResultFolder(tmp_path / name).removed
        named = [(row["id"], row["duplicate_of"], row["duplicate_of_source"]) for row in rows]
        assert named == [("n1", "s0", "two.jsonl"), ("n2", "r0", "one.jsonl")]


@pytest.mark.parametrize("command", ["dedup", "pairs"])
@pytest.mark.parametrize(
    ("inputs", "against"),
    [
        (["new.jsonl"], ["new.jsonl"]),
        (["new.jsonl"], ["./new.jsonl"]),
        (["new.jsonl"], ["other", "./new.jsonl"]),
        (["new.jsonl"], ["ref.jsonl", "ref.jsonl"]),
        (["other"], ["by-a-link"]),
        (["new.jsonl"], ["by-a-link/../new.jsonl", "other/new.jsonl", "by-a-link/new.jsonl"]),
    ],
)
def test_one_file_twice_is_an_error(
    run: Callable, write_jsonl: Callable, tmp_path: Path,
    command: str, inputs: list[str], against: list[str],
) -> None:  # fmt: skip
    for name in ("new.jsonl", "other/new.jsonl", "ref.jsonl", "more/ref.jsonl"):
        write_jsonl(name, rows_of("n", ["one two three"]))
    (tmp_path / "by-a-link").symlink_to("other")
    done = run(command, *inputs, "-o", "out", "--against", *against, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert Path(against[-1]).name.removesuffix(".jsonl") in done.stderr or "new" in done.stderr
    assert not (tmp_path / "out").exists() and not working_folder(tmp_path / "out").exists()


def test_a_missing_reference_is_named(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    write_jsonl("new.jsonl", rows_of("n", ["one two three"]))
    done = run("dedup", "new.jsonl", "-o", "out", "--against", "nowhere.jsonl", code=2)
    assert len(done.stderr.splitlines()) == 1 and "nowhere.jsonl" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", ["", "\n\n", '{"id": "r0", "text": "..."}\n'])
def test_an_empty_reference_changes_nothing(
    run: Callable, write_jsonl: Callable, tmp_path: Path, content: str
) -> None:
    new = [text for part in two_random_collections(41) for text in part]
    write_jsonl("new.jsonl", rows_of("n", new + ["", "?"]))
    (tmp_path / "ref.jsonl").write_text(content)
    run("dedup", "new.jsonl", "-o", "plain", "--quiet")
    run("dedup", "new.jsonl", "-o", "against", "--quiet", "--against", "ref.jsonl")
    plain, against = (same_for_all_attempts(tmp_path / name) for name in ("plain", "against"))
    for name in ("kept/new.jsonl", "removed.jsonl", "clusters.jsonl", "rejected.jsonl"):
        assert against[name] == plain[name], name
    assert ResultFolder(tmp_path / "against").records == ResultFolder(tmp_path / "plain").records
    assert len(ResultFolder(tmp_path / "plain").removed) >= 5
    run("pairs", "new.jsonl", "-o", "pairs.jsonl", "--quiet", "--against", "ref.jsonl", code=1)
    assert (tmp_path / "pairs.jsonl").read_bytes() == b""


def test_an_empty_new_collection(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    write_jsonl("ref.jsonl", rows_of("r", ["one two three", "one two three"]))
    (tmp_path / "new.jsonl").write_bytes(b"")
    run("dedup", "new.jsonl", "-o", "out", "--quiet", "--against", "ref.jsonl")
    result = ResultFolder(tmp_path / "out")
    assert result.removed == [] and result.records["in"] == 0
    run("pairs", "new.jsonl", "-o", "pairs.jsonl", "--quiet", "--against", "ref.jsonl", code=1)


def test_the_reference_is_a_part_of_the_answer(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """Another reference is another question: the digest and the options say so."""
    write_jsonl("new.jsonl", rows_of("n", ["one two three"]))
    write_jsonl("ref.jsonl", rows_of("r", ["four five six"]))
    run("dedup", "new.jsonl", "-o", "plain", "--quiet")
    run("dedup", "new.jsonl", "-o", "against", "--quiet", "--against", "ref.jsonl")
    plain, against = (ResultFolder(tmp_path / name).manifest for name in ("plain", "against"))
    assert plain["options_digest"] != against["options_digest"]
    assert json.dumps(against["options"]) != json.dumps(plain["options"])


def test_clusters_hold_together_what_was_removed_for_a_reference(
    run: Callable, collections: Callable, tmp_path: Path
) -> None:
    """Each removed row is in the cluster that it names, and no new document is kept there."""
    chance = random.Random(8)
    reference = [random_words(chance, 40) for _ in range(3)]
    new = [reference[2]] * 4 + [random_words(chance, 40)] * 2
    source, other = collections(new, reference)
    run("dedup", source, "-o", "out", "--quiet", "--against", other)
    result = ResultFolder(tmp_path / "out")
    members = {cluster["cluster"]: cluster for cluster in result.clusters}
    for row in result.removed:
        cluster = members[row["cluster"]]
        assert row["id"] in cluster["members"]
        assert cluster["kept"] == [row["duplicate_of"]]
    assert sorted(len(cluster["members"]) for cluster in result.clusters) == [2, 5]
