"""Sketch files stand for their documents: searched, clustered, filtered and merged."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stored_sketches import Kind, Stored, estimate, estimated_pairs, read_sketches

SAMPLES = [Kind("mod-m:4"), Kind("fracminhash:5"), Kind("bottom-k:40"), Kind("mod-m:1")]
COORDINATES = [
    Kind("fss:128"), Kind("fss:128", 8), Kind("fss:128", 2), Kind("permutations:256", 1),
    Kind("one-permutation:128:bins"), Kind("one-permutation:128:densified"), Kind("weighted:64"),
    Kind("lead-byte:64"), Kind("geometric:64"), Kind("fss:101"), Kind("one-permutation:99:bins"),
]  # fmt: skip
KINDS = [*SAMPLES, *COORDINATES]
MERGING = [
    *SAMPLES, Kind("fss:64"), Kind("permutations:64"), Kind("permutations:64:linear"),
    Kind("one-permutation:64"), Kind("one-permutation:64:bins"), Kind("lead-byte:64"),
    Kind("geometric:32"), Kind("biased:32"), Kind("weighted:32"), Kind("permutations:33"),
]  # fmt: skip


def name_of(kind: Kind) -> str:
    return f"{kind.name}/{kind.bits}"


def corpus(documents: int = 240, seed: int = 1) -> list[dict[str, str]]:
    """Texts of which many are earlier ones with some words changed, left out or put in."""
    draw = random.Random(seed)
    texts: list[list[str]] = []
    for _ in range(documents):
        if texts and draw.random() < 0.6:
            words = list(draw.choice(texts))
            for _ in range(draw.choice((0, 1, 3, 10, 40))):
                words[draw.randrange(len(words))] = f"w{draw.randrange(10**6)}"
            words += [f"w{draw.randrange(10**6)}" for _ in range(draw.choice((0, 0, 30)))]
        else:
            words = [f"w{draw.randrange(10**6)}" for _ in range(draw.randint(20, 200))]
        texts.append(words)
    return [{"id": f"d{i}", "text": " ".join(words)} for i, words in enumerate(texts)]


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def sketched(run, write_jsonl, tmp_path) -> Callable[..., list[Stored]]:
    """Makes s.sketches of a corpus, removes the texts, and says what is in the file."""

    def make(kind: Kind, rows: list[dict[str, str]] | None = None) -> list[Stored]:
        source = write_jsonl("in.jsonl", rows or corpus())
        run("sketch", source, "-o", "s.sketches", "--sketch", kind.name, "--sketch-bits", kind.bits,
            "--shingle", "word:2", "--quiet")
        source.unlink()
        return read_sketches(tmp_path / "s.sketches", kind)

    return make


def pairs_in(path: Path) -> dict[tuple[str, str], tuple[float, float]]:
    rows = read(path)
    assert not any(row["exact"] for row in rows)
    found = {(row["a"], row["b"]): (row["resemblance"], row["standard_error"]) for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.parametrize("threshold", [pytest.param(0.4, marks=pytest.mark.slow), 0.8])
@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_pairs_are_those_of_the_estimates(run, sketched, tmp_path, kind, threshold) -> None:
    documents = sketched(kind)
    done = run("pairs", "s.sketches", "-o", "p.jsonl", "--threshold", threshold, "--json", code=None)
    assert done.code == 0, done.stderr
    assert "each resemblance is an estimate" in done.stderr
    expected, found = estimated_pairs(kind, documents, threshold), pairs_in(tmp_path / "p.jsonl")
    assert found.keys() <= expected.keys()
    for pair, figures in found.items():
        assert figures == pytest.approx(expected[pair], rel=1e-12)
    assert len(found) >= 0.985 * len(expected) > 50
    assert done.json["pairs"] == len(found)


@pytest.mark.parametrize("method", ["exact", "shingle-merge:unlimited"])
@pytest.mark.parametrize("threshold", [0.3, 0.75])
@pytest.mark.parametrize("kind", SAMPLES, ids=name_of)
def test_samples_are_sets_that_are_joined_without_a_miss(
    run, sketched, tmp_path, kind, threshold, method
) -> None:
    expected = estimated_pairs(kind, sketched(kind), threshold)
    run("pairs", "s.sketches", "-o", "p.jsonl", "--threshold", threshold, "--method", method)
    found = pairs_in(tmp_path / "p.jsonl")
    assert found.keys() == expected.keys()
    for pair, figures in found.items():
        assert figures == pytest.approx(expected[pair], rel=1e-12)


@pytest.mark.parametrize("kind", [*SAMPLES[:3], Kind("fss:128", 4)], ids=name_of)
def test_texts_that_are_sketched_alike_have_the_same_pairs(
    run, write_jsonl, tmp_path, kind
) -> None:
    write_jsonl("in.jsonl", corpus())
    sketch = ("--sketch", kind.name, "--sketch-bits", kind.bits)
    run("sketch", "in.jsonl", "-o", "s.sketches", *sketch)
    search = ("--threshold", 0.6, "--design", "bands:32x4", "--quiet")
    run("pairs", "s.sketches", "-o", "stored.jsonl", *search)
    run("pairs", "in.jsonl", "-o", "texts.jsonl", *sketch, "--verify", "sketch", *search)
    assert (tmp_path / "stored.jsonl").read_bytes() == (tmp_path / "texts.jsonl").read_bytes()
    # And compare says what pairs say.
    row = read(tmp_path / "stored.jsonl")[0]
    a, b = (f"s.sketches#{row[side]}" for side in "ab")
    compared = run("compare", a, b, "--json").json
    for figure in ("resemblance", "standard_error", "size_a", "size_b", "common"):
        assert compared[figure] == pytest.approx(row[figure], rel=1e-12), figure


@pytest.mark.parametrize("kind", [Kind("mod-m:4"), Kind("bottom-k:40")], ids=name_of)
def test_memory_and_threads_change_no_byte(run, sketched, tmp_path, kind) -> None:
    sketched(kind, corpus(1500))
    for method in ("auto", "shingle-merge:200"):
        results = set()
        for number, more in enumerate(((), ("--threads", "1"), ("--memory", "64M"))):
            env = {"LOOKALIKE_STRESS": "spill"} if number == 1 else {}
            run("pairs", "s.sketches", "-o", f"{number}.jsonl", "--method", method, "--quiet",
                *more, env=env)
            results.add((tmp_path / f"{number}.jsonl").read_bytes())
            run("dedup", "s.sketches", "-o", f"{method[:4]}{number}", "--method", method, "--quiet",
                *more, env=env)
            folder = tmp_path / f"{method[:4]}{number}"
            results.add((folder / "clusters.jsonl").read_bytes() +
                        (folder / "suggested.jsonl").read_bytes())
        assert len(results) == 2, method


def test_documents_without_a_sampled_feature_are_counted(run, sketched, tmp_path) -> None:
    rows = corpus(200) + [{"id": f"short{i}", "text": f"few words {i}"} for i in range(60)]
    documents = sketched(Kind("mod-m:40"), rows)
    without = sum(not d.values for d in documents)
    assert 60 < without < 120
    for method in ("lsh", "exact", "shingle-merge"):
        said = run("pairs", "s.sketches", "-o", "p.jsonl", "--method", method).stderr
        assert f"{without} documents have no shingle in the sample" in said, method
    run("dedup", "s.sketches", "-o", "out", "--method", "shingle-merge")
    merge = json.loads((tmp_path / "out/manifest.json").read_text())["search"]["shingle_merge"]
    assert merge["unsampled_documents"] == without


def components(pairs: Any) -> set[frozenset[str]]:
    group: dict[str, set[str]] = {}
    for a, b in pairs:
        joined = group.get(a, {a}) | group.get(b, {b})
        for member in joined:
            group[member] = joined
    return {frozenset(members) for members in group.values()}


@pytest.mark.parametrize("kind", SAMPLES[:3], ids=name_of)
def test_clusters_are_told_and_nothing_is_removed(run, sketched, tmp_path, kind) -> None:
    documents = sketched(kind)
    threshold = 0.6
    expected = estimated_pairs(kind, documents, threshold)
    done = run("dedup", "s.sketches", "-o", "out", "--threshold", threshold, "--method", "exact",
               "--cluster", "components", "--json")
    assert "nothing is removed" in done.stderr
    out = tmp_path / "out"
    assert sorted(p.name for p in out.iterdir()) == [
        "checks.jsonl", "clusters.jsonl", "manifest.json", "suggested.jsonl",
    ]  # fmt: skip
    clusters = read(out / "clusters.jsonl")
    assert {frozenset(c["members"]) for c in clusters} == components(expected)
    assert all(c["exact"] is False and c["size"] == len(c["members"]) for c in clusters)
    # Each suggested document has a witness that stays, with the estimate for the two.
    by_id = {d.id: d for d in documents}
    suggested = read(out / "suggested.jsonl")
    gone = {row["id"] for row in suggested}
    assert len(gone) == len(suggested) > 50
    stays = set(itertools.chain.from_iterable(c["kept"] for c in clusters))
    for row in suggested:
        assert row["duplicate_of"] in stays and row["id"] not in stays
        figures = estimate(kind, by_id[row["duplicate_of"]], by_id[row["id"]])
        assert (row["resemblance"], row["standard_error"]) == pytest.approx(figures, rel=1e-12)
        assert row["exact"] is False and "kind" not in row
    for a, b in expected:
        assert a in gone or b in gone
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["exact"] is False and manifest["suggested"] == len(suggested)
    assert manifest["records"] == {
        "in": 240, "kept": 240, "removed_exact": 0, "removed_near": 0, "rejected": 0,
    }  # fmt: skip
    assert manifest["clusters"] == len(clusters) == done.json["clusters"]
    assert done.json["suggested"] == len(suggested) and done.json["exact"] is False
    assert manifest["features"] == "word:2" and manifest["options"]["sketch"] == kind.name


@pytest.mark.parametrize("kind", [Kind("fss:128"), Kind("fss:256", 2)], ids=name_of)
def test_files_of_coordinates_are_clustered(run, sketched, tmp_path, kind) -> None:
    documents = sketched(kind)
    run("dedup", "s.sketches", "-o", "out", "--threshold", "0.7", "--cluster", "components",
        "--quiet")
    run("pairs", "s.sketches", "-o", "p.jsonl", "--threshold", "0.7", "--quiet")
    found = components(pairs_in(tmp_path / "p.jsonl"))
    clusters = {frozenset(c["members"]) for c in read(tmp_path / "out/clusters.jsonl")}
    assert clusters == found and len(found) > 20
    by_id = {d.id: d for d in documents}
    for row in read(tmp_path / "out/suggested.jsonl"):
        figures = estimate(kind, by_id[row["duplicate_of"]], by_id[row["id"]])
        assert (row["resemblance"], row["standard_error"]) == pytest.approx(figures, rel=1e-12)


def test_a_complete_result_of_a_sketch_file_is_known_again(run, sketched, tmp_path) -> None:
    sketched(Kind("mod-m:4"))
    first = run("dedup", "s.sketches", "-o", "out", "--json").json
    again = run("dedup", "s.sketches", "-o", "out", "--resume", "--json").json
    assert again["was_complete"] and not first["was_complete"]
    for figure in ("clusters", "suggested", "exact", "records"):
        assert again[figure] == first[figure]
    assert "--threshold" in run("dedup", "s.sketches", "-o", "out", "--resume", "--threshold",
                                "0.5", code=2).stderr
    # And checked: every file of it is as it was written.
    with (tmp_path / "out/suggested.jsonl").open("a") as file:
        file.write("{}\n")
    failed = run("dedup", "s.sketches", "-o", "out", "--resume", code=2).stderr
    assert "suggested.jsonl does not have the size that was written" in failed
    assert run("dedup", "s.sketches", "-o", "out", "--overwrite", "--quiet").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "annotated"], "holds sketches, not the rows that --output annotated would write"),
        (["--keep", "longest"], "no texts or fields for --keep longest"),
        (["--keep", "field:stars"], "no texts or fields for --keep field:stars"),
        (["in.jsonl"], "documents are never removed on an estimate"),
        (["--against", "in.jsonl"], "documents are never removed on an estimate"),
        (["--verify", "none"], "every removal is verified exactly"),
        (["--shingle", "word:7"], "word:7"),
        (["--sketch", "mod-m:5"], "--sketch mod-m:5"),
    ],
)
def test_what_sketches_cannot_do(run, sketched, write_jsonl, tmp_path, arguments, message) -> None:
    sketched(Kind("mod-m:4"), corpus(20))
    write_jsonl("in.jsonl", corpus(5))
    failed = run("dedup", "s.sketches", *arguments, "-o", "out", code=2)
    assert message in failed.stderr and not (tmp_path / "out").exists()
    assert "without texts" in run("plan", "s.sketches", code=2).stderr


def test_the_system_of_1997_needs_no_texts(run, write_jsonl, tmp_path) -> None:
    """Options of a preset are those of the file, and may be given again."""
    source = write_jsonl("in.jsonl", corpus(400))
    run("sketch", source, "-o", "s.sketches", "--preset", "altavista97", "--quiet")
    source.unlink()
    kind = Kind("mod-m:25")
    expected = estimated_pairs(kind, read_sketches(tmp_path / "s.sketches", kind), 0.5)
    run("dedup", "s.sketches", "-o", "out", "--preset", "altavista97", "--quiet")
    clusters = {frozenset(c["members"]) for c in read(tmp_path / "out/clusters.jsonl")}
    assert clusters == components(expected) and len(clusters) > 20


@pytest.mark.parametrize("kind", [Kind("bottom-k:40"), Kind("one-permutation:128:bins")],
                         ids=name_of)
def test_nearest_are_those_of_the_estimates(run, sketched, tmp_path, kind) -> None:
    documents = sketched(kind)
    done = run("nearest", "s.sketches", "-o", "n.jsonl", "--top", 2, "--threshold", 0.5)
    assert "each resemblance is an estimate" in done.stderr
    near: dict[str, list[tuple[float, int, str]]] = {}
    place = {d.id: i for i, d in enumerate(documents)}
    for (a, b), (value, _) in estimated_pairs(kind, documents, 0.5).items():
        near.setdefault(a, []).append((-value, place[b], b))
        near.setdefault(b, []).append((-value, place[a], a))
    expected = {
        (d, rank, other)
        for d, others in near.items()
        for rank, (_, _, other) in enumerate(sorted(others)[:2], 1)
    }
    found = {(row["id"], row["rank"], row["neighbour"]) for row in read(tmp_path / "n.jsonl")}
    assert len(found & expected) >= 0.98 * len(expected) > 100


def decisions(path: Path) -> list[tuple[str, str, str | None]]:
    return [(a["id"], a["decision"], a["like"]) for a in read(path)]


def test_the_filter_answers_for_a_sketch_file_as_for_its_texts(run, write_jsonl, tmp_path) -> None:
    rows = corpus(300)
    write_jsonl("in.jsonl", rows)
    write_jsonl("first.jsonl", rows[:150])
    write_jsonl("second.jsonl", rows[150:])
    run("filter", "in.jsonl", "-o", "texts.jsonl", "--quiet")
    run("sketch", "in.jsonl", "-o", "s.sketches", "--quiet")
    done = run("filter", "s.sketches", "-o", "stored.jsonl", "--quiet")
    assert "the inputs are sketches" in done.stderr
    assert decisions(tmp_path / "stored.jsonl") == decisions(tmp_path / "texts.jsonl")
    assert {d for _, d, _ in decisions(tmp_path / "stored.jsonl")} == {"new", "seen"}
    # A run over sketches and a run over texts share what they remember.
    run("sketch", "first.jsonl", "-o", "first.sketches", "--quiet")
    state = ("--state", "seen.filter", "--quiet")
    run("filter", "first.sketches", "-o", "a.jsonl", *state)
    run("filter", "second.jsonl", "-o", "b.jsonl", *state)
    assert (decisions(tmp_path / "a.jsonl") + decisions(tmp_path / "b.jsonl") ==
            decisions(tmp_path / "texts.jsonl"))


@pytest.mark.parametrize("kind", [*SAMPLES[:3], Kind("fss:128", 2)], ids=name_of)
def test_the_filter_takes_sketches_without_keys_of_their_own(
    run, sketched, tmp_path, kind
) -> None:
    documents = {d.id: d for d in sketched(kind)}
    done = run("filter", "s.sketches", "-o", "a.jsonl", "--state", "s.filter", "--json").json
    assert done["sketch"] == ("fss:128 of " + kind.name if kind.is_sample
                              else "fss:128 of fss:128 with 2 bits")
    seen = [(i, like) for i, decision, like in decisions(tmp_path / "a.jsonl") if decision == "seen"]
    assert len(seen) > 20
    alike = [estimate(kind, documents[i], documents[like])[0] for i, like in seen if like]
    assert min(alike) > 0.5 and sum(alike) / len(alike) > 0.9
    copies: dict[Any, str] = {}
    for document in documents.values():  # equal sketches have equal keys
        if document.values in copies:
            assert any(i == document.id for i, _ in seen)
        copies.setdefault(document.values, document.id)
    failed = run("filter", "-o", "b.jsonl", "--state", "s.filter", stdin='{"text": "x"}\n', code=2)
    assert "state of a filter with different options" in failed.stderr


def in_chunks(rows: list[dict[str, Any]], chunks: int, seed: int) -> list[list[dict[str, Any]]]:
    """The items of each document dealt out at random: rows of the matrix of documents."""
    draw = random.Random(seed)
    parts: list[list[dict[str, Any]]] = [[] for _ in range(chunks)]
    for row in rows:
        items: list[list[str]] = [[] for _ in range(chunks)]
        for item in row["items"]:
            items[draw.randrange(chunks)].append(item)
        for part, some in zip(parts, items, strict=True):
            part.append({"id": row["id"], "items": some})
    return parts


@pytest.mark.parametrize("kind", MERGING, ids=name_of)
def test_any_chunks_have_the_bytes_of_the_whole(run, write_jsonl, tmp_path, kind) -> None:
    draw = random.Random(5)
    rows = [
        {"id": f"d{i}", "items": [f"i{n}" for n in draw.sample(range(3000), draw.randrange(400))]}
        for i in range(60)
    ]
    sketch = ("--shingle", "item", "--sketch", kind.name, "--quiet")
    write_jsonl("whole/in.jsonl", rows)
    run("sketch", "whole/in.jsonl", "-o", "whole.sketches", *sketch)
    whole = (tmp_path / "whole.sketches").read_bytes()
    for chunks in (1, 2, 7):
        names = []
        for number, part in enumerate(in_chunks(rows, chunks, chunks)):
            write_jsonl(f"{chunks}/{number}/in.jsonl", part)
            names.append(f"{chunks}-{number}.sketches")
            run("sketch", f"{chunks}/{number}/in.jsonl", "-o", names[-1], *sketch)
        done = run("merge-sketches", *names, "-o", f"merged{chunks}.sketches", "--json").json
        assert (tmp_path / f"merged{chunks}.sketches").read_bytes() == whole
        assert done["documents"] == 60 and done["merged"] == (60 if chunks > 1 else 0)
        assert done["records"]["in"] == 60 * chunks
        # Any order, and one after the other.
        run("merge-sketches", *reversed(names), "-o", "turned.sketches", "--quiet")
        assert (tmp_path / "turned.sketches").read_bytes() == whole
        (tmp_path / "so_far.sketches").write_bytes((tmp_path / names[0]).read_bytes())
        for name in names[1:]:
            run("merge-sketches", "so_far.sketches", name, "-o", "next.sketches", "--quiet")
            (tmp_path / "next.sketches").rename(tmp_path / "so_far.sketches")
        assert (tmp_path / "so_far.sketches").read_bytes() == whole
    # A chunk that comes twice changes nothing, but where nothing tells that it is the same.
    run("merge-sketches", "whole.sketches", "merged7.sketches", "-o", "twice.sketches", "--quiet")
    once = read_sketches(tmp_path / "whole.sketches", kind)
    for a, b in zip(once, read_sketches(tmp_path / "twice.sketches", kind), strict=True):
        assert a == b or (a.values == b.values == () and b.features == 2 * a.features)


@pytest.mark.parametrize("kind", [Kind("mod-m:3"), Kind("bottom-k:64"), Kind("fss:256")],
                         ids=name_of)
def test_chunks_that_overlap_are_a_union_whose_size_is_estimated(
    run, write_jsonl, tmp_path, kind
) -> None:
    """Texts cut in two share shingles where they repeat themselves, or were cut with an overlap."""
    draw = random.Random(2)
    rows = [{"id": f"d{i}", "items": [f"i{draw.randrange(10**6)}" for _ in range(900)]}
            for i in range(30)]
    cuts = [(0, 600), (300, 900), (500, 800)]
    sketch = ("--shingle", "item", "--sketch", kind.name, "--quiet")
    write_jsonl("in.jsonl", rows)
    run("sketch", "in.jsonl", "-o", "whole.sketches", *sketch)
    names = []
    for number, (begin, end) in enumerate(cuts):
        part = [{"id": r["id"], "items": r["items"][begin:end]} for r in rows]
        names.append(f"{number}.sketches")
        run("sketch", write_jsonl(f"{number}/in.jsonl", part), "-o", names[-1], *sketch)
    run("merge-sketches", *names, "-o", "merged.sketches", "--quiet")
    whole = read_sketches(tmp_path / "whole.sketches", kind)
    merged = read_sketches(tmp_path / "merged.sketches", kind)
    assert [d.values for d in merged] == [d.values for d in whole]
    errors = [m.features / w.features - 1 for m, w in zip(merged, whole, strict=True)]
    assert all(abs(error) < 0.25 for error in errors)
    assert abs(sum(errors) / len(errors)) < 0.03


def test_ids_that_come_once_stay_and_order_is_that_of_first_records(
    run, write_jsonl, tmp_path
) -> None:
    kind = Kind("fss:64")
    for name, ids in (("a", "xyz"), ("b", "wzv"), ("c", "xuw")):
        rows = [{"id": i, "text": f"text of {i} in {name} alone here"} for i in ids]
        run("sketch", write_jsonl(f"{name}.jsonl", rows), "-o", f"{name}.sketches", "--sketch",
            kind.name, "--quiet")
    done = run("merge-sketches", "a.sketches", "b.sketches", "c.sketches", "-o", "m.sketches.zst",
               "--json").json
    assert (done["documents"], done["merged"], done["records"]["in"]) == (6, 3, 9)
    run("merge-sketches", "m.sketches.zst", "-o", "m.sketches", "--quiet")
    merged = read_sketches(tmp_path / "m.sketches", kind)
    assert [(d.id, d.source, d.row) for d in merged] == [
        ("x", "a.jsonl", 1), ("y", "a.jsonl", 2), ("z", "a.jsonl", 3), ("w", "b.jsonl", 1),
        ("v", "b.jsonl", 3), ("u", "c.jsonl", 2),
    ]  # fmt: skip
    alone = {d.id: d for d in read_sketches(tmp_path / "b.sketches", kind)}
    assert merged[4] == alone["v"]


def test_spilled_merges_are_the_same(run, write_jsonl, tmp_path) -> None:
    rows = corpus(2000)
    half = [{"id": r["id"], "text": r["text"][: len(r["text"]) // 2]} for r in reversed(rows)]
    run("sketch", write_jsonl("a.jsonl", rows), "-o", "a.sketches", "--quiet")
    run("sketch", write_jsonl("b.jsonl", half), "-o", "b.sketches", "--quiet")
    results = set()
    for number, env in enumerate(({}, {"LOOKALIKE_STRESS": "spill"})):
        run("merge-sketches", "a.sketches", "b.sketches", "-o", f"{number}.out", "--memory", "64M",
            "--quiet", env=env)
        results.add((tmp_path / f"{number}.out").read_bytes())
    assert len(results) == 1


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (["--sketch", "fss:64"], ["--sketch", "fss:128"], "fss:128"),
        (["--sketch", "mod-m:4"], ["--sketch", "mod-m:5"], "mod-m:5"),
        (["--seed", "1"], ["--seed", "2"], "seed 2"),
        (["--shingle", "word:3"], ["--shingle", "word:4"], "word:4"),
        (["--sketch-bits", "8"], ["--sketch-bits", "16"], "16 bits"),
        (["--sketch-bits", "8"], ["--sketch-bits", "8"], "because the smaller of two coordinates"),
        (["--sketch", "one-permutation:64:densified"], ["--sketch", "one-permutation:64:densified"],
         "cannot be merged"),
    ],
)
def test_what_does_not_merge(run, write_jsonl, tmp_path, first, second, message) -> None:
    write_jsonl("in.jsonl", corpus(10))
    run("sketch", "in.jsonl", "-o", "a.sketches", *first, "--quiet")
    run("sketch", "in.jsonl", "-o", "b.sketches", *second, "--quiet")
    failed = run("merge-sketches", "a.sketches", "b.sketches", "-o", "m.sketches", code=2)
    assert message in failed.stderr and "b.sketches" in failed.stderr
    assert not (tmp_path / "m.sketches").exists()


def test_texts_are_no_sketch_files(run, write_jsonl) -> None:
    write_jsonl("in.jsonl", corpus(3))
    assert "is not a sketch file" in run("merge-sketches", "in.jsonl", "-o", "m.sketches",
                                      code=2).stderr


def test_samples_whose_values_do_not_ascend_are_refused(run, sketched, tmp_path) -> None:
    """Joins of samples go by their order. The checksum of the block is made anew."""
    xxhash = pytest.importorskip("xxhash")
    sketched(Kind("mod-m:1"), [{"id": "x", "text": "a few words are here to be sketched"}])
    data = bytearray((tmp_path / "s.sketches").read_bytes())
    begin = 12 + int.from_bytes(data[8:12], "little")
    end = begin + 16 + int.from_bytes(data[begin : begin + 4], "little")
    data[end - 8 : end], data[end - 16 : end - 8] = data[end - 16 : end - 8], data[end - 8 : end]
    data[end : end + 8] = xxhash.xxh3_64_intdigest(bytes(data[begin:end])).to_bytes(8, "little")
    (tmp_path / "s.sketches").write_bytes(data)
    failed = run("pairs", "s.sketches", "-o", "p.jsonl", code=2)
    assert "the values of a sample are not in ascending order" in failed.stderr


def test_documents_without_ids_are_not_merged(run, write_jsonl, tmp_path) -> None:
    """Row 1 of one file is not the document that row 1 of another is, nor are two empty ids one."""
    for folder in ("x", "y"):
        write_jsonl(f"{folder}/part.jsonl", [{"text": f"document {i} of {folder}"} for i in range(3)])
        run("sketch", f"{folder}/part.jsonl", "-o", f"{folder}.sketches", "--quiet")
    write_jsonl("empty.jsonl", [{"id": "", "text": "one text"}, {"id": "", "text": "another"}])
    run("sketch", "empty.jsonl", "-o", "empty.sketches", "--quiet")
    for files in (("x.sketches", "y.sketches"), ("empty.sketches",)):
        failed = run("merge-sketches", *files, "-o", "m.sketches", code=2)
        assert failed.stderr.startswith(f"{files[-1]}: ") and "has another record named" in failed.stderr
        assert "sketch the texts again with --id-field" in failed.stderr
    assert not (tmp_path / "m.sketches").exists()


@pytest.mark.parametrize("command", ["pairs", "nearest", "dedup"])
def test_a_sketch_without_any_value_is_in_no_pair(run, sketched, tmp_path, command) -> None:
    """No program of ours writes it, but a file may have it, with a right checksum."""
    xxhash = pytest.importorskip("xxhash")
    text = "a few words are here to be sketched"
    sketched(Kind("one-permutation:64:bins"), [{"id": name, "text": text} for name in "xy"])
    data = bytearray((tmp_path / "s.sketches").read_bytes())
    begin = 12 + int.from_bytes(data[8:12], "little")
    end = begin + 16 + int.from_bytes(data[begin : begin + 4], "little")
    data[end - 256 : end] = b"\xff" * 256
    data[end : end + 8] = xxhash.xxh3_64_intdigest(bytes(data[begin:end])).to_bytes(8, "little")
    (tmp_path / "s.sketches").write_bytes(data)
    done = run(command, "s.sketches", "-o", "out", "--json", code=0 if command == "dedup" else 1)
    assert done.json.get("pairs", done.json.get("neighbours", done.json.get("clusters"))) == 0
