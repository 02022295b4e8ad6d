"""--method shingle-merge, --verify sketch+exact, and the presets of the literature."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from word_features import edges

LITERATURE = ["altavista97", "altavista98", "bing", "bytes8", "bytes8large", "mmds20x5"]


def write(path: Path, texts: list[str], names: list[int] | None = None) -> None:
    lines = zip(names or range(len(texts)), texts, strict=True)
    path.write_text("".join(json.dumps({"id": str(i), "text": t}) + "\n" for i, t in lines))


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def corpus(seed: int, documents: int = 120) -> list[str]:
    """Texts of which many are earlier ones with some words changed."""
    draw = random.Random(seed)
    texts: list[str] = []
    for _ in range(documents):
        if texts and draw.random() < 0.6:
            words = draw.choice(texts).split()
            for _ in range(draw.randint(0, 6)):
                words[draw.randrange(len(words))] = f"w{draw.randrange(2000)}"
        else:
            words = [f"w{draw.randrange(2000)}" for _ in range(draw.randint(5, 80))]
        texts.append(" ".join(words))
    return texts


@pytest.mark.parametrize("seed", [1, 2])
def test_pairs_are_those_of_the_definition(run: Callable, tmp_path: Path, seed: int) -> None:
    texts = corpus(seed)
    write(tmp_path / "in.jsonl", texts)
    for threshold in (0.3, 0.8):
        arguments = ["pairs", "in.jsonl", "--threshold", str(threshold), "--quiet"]
        run(*arguments, "-o", "merged", "--method", "shingle-merge")
        run(*arguments, "-o", "exact", "--method", "exact")
        merged = {(int(p["a"]), int(p["b"])): p["resemblance"] for p in read(tmp_path / "merged")}
        assert merged == edges(texts, 5, threshold)
        assert (tmp_path / "merged").read_bytes() == (tmp_path / "exact").read_bytes()


def test_memory_and_threads_change_no_byte(run: Callable, tmp_path: Path) -> None:
    """In scratch files, too: what is in memory here is on disk with LOOKALIKE's least memory."""
    write(tmp_path / "in.jsonl", corpus(3, 1500))
    for sketch in ("fss:128", "mod-m:5", "bottom-k:20"):
        results = set()
        for number, more in enumerate(([], ["--threads", "1"], ["--threads", "7"],
                                       ["--memory", "64M"])):
            out = f"{sketch[:3]}{number}"
            run("dedup", "in.jsonl", "-o", out, "--quiet", "--method", "shingle-merge:50",
                "--sketch", sketch, *more)
            result = tmp_path / out
            merge = json.loads((result / "manifest.json").read_text())["search"]["shingle_merge"]
            files = ("removed.jsonl", "clusters.jsonl", "report.html", "kept/in.jsonl")
            results.add((json.dumps(merge), *((result / f).read_bytes() for f in files)))
        assert len(results) == 1, sketch


def test_what_is_left_out_is_told(run: Callable, tmp_path: Path) -> None:
    """A sentence that all documents have makes no pairs; of short ones it hides resemblance."""
    sentence = "all rights reserved by the owner of this page"
    texts = [f"{sentence} word{i}" for i in range(6)] + [
        " ".join(f"d{i}w{k}" for k in range(50)) + f" {sentence}" for i in range(3)
    ]
    write(tmp_path / "in.jsonl", texts)
    done = run("dedup", "in.jsonl", "-o", "out", "--method", "shingle-merge:5", "--quiet",
               "--threshold", "0.5", "--audit-documents", "0")
    merge = json.loads((tmp_path / "out/manifest.json").read_text())["search"]["shingle_merge"]
    assert merge["left_out"] == 5  # nine words, shingles of five
    assert merge["left_out_records"] == 5 * 9
    assert merge["hidden_documents"] == 6
    assert merge["id_pairs"] == 0
    assert "5 of " in done.stderr and "6 documents" in done.stderr
    found = run("dedup", "in.jsonl", "-o", "all", "--method", "shingle-merge:unlimited", "--quiet",
                "--threshold", "0.5")
    assert "lookalike" not in found.stderr
    assert len(read(tmp_path / "all/removed.jsonl")) == 5


def test_the_phases_are_timed(run: Callable, tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", corpus(4))
    run("dedup", "in.jsonl", "-o", "out", "--method", "shingle-merge", "--quiet")
    timings = json.loads((tmp_path / "out/manifest.json").read_text())["timings"]
    assert list(timings) == ["plan", "fingerprint", "classes", "sets", "shingle-merging",
                             "id-pair-formation", "id-pair-merging", "verify", "decide", "recall",
                             "write", "report", "total"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairs", "--method", "shingle-merge:1"], "shingle-merge:N"),
        (["pairs", "--method", "shingle-merge", "--design", "bands:20x5"], "shingle-merge: it only applies to band keys; leave it out"),
        (["pairs", "--method", "shingle-merge", "--verify", "sketch"], "pass only one of the two"),
        (["pairs", "--method", "exact", "--verify", "sketch+exact"], "pass only one of the two"),
        (["pairs", "--sketch", "mod-m:25"], "--method shingle-merge"),
        (["pairs", "--design", "sketch:84:77"], "has no band keys"),
    ],
)
def test_what_does_not_go_together(
    run: Callable, tmp_path: Path, arguments: list[str], message: str
) -> None:
    write(tmp_path / "in.jsonl", ["some words"])
    failed = run(*arguments, "in.jsonl", "-o", "out", code=2)
    assert message in failed.stderr and not (tmp_path / "out").exists()


def test_plan_says_that_it_cannot_predict_it(run: Callable, tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", ["some words"])
    assert "cannot be predicted" in run("plan", "in.jsonl", "--method", "shingle-merge", code=2).stderr
    for more in (["--found", ".5"], ["--edits"], ["--optimize", "bytes=8"], ["--simulate", "9"]):
        assert "leave out the inputs" in run("plan", "in.jsonl", *more, code=2).stderr


def test_signatures_are_checked_first(run: Callable, tmp_path: Path) -> None:
    """sketch+exact finds some of the pairs, each exact, and loses those near the threshold."""
    write(tmp_path / "in.jsonl", corpus(5, 1500))
    arguments = ["pairs", "in.jsonl", "--threshold", "0.6", "--recall", "0.5", "--quiet"]
    run(*arguments, "-o", "exact", "--design", "bands:20x5")
    run(*arguments, "-o", "both", "--design", "bands:20x5", "--verify", "sketch+exact")
    exact = {(p["a"], p["b"]): p for p in read(tmp_path / "exact")}
    both = read(tmp_path / "both")
    assert all(exact[p["a"], p["b"]] == p for p in both)
    clear = [pair for pair in exact.values() if pair["resemblance"] > 0.8]
    narrow = [pair for pair in exact.values() if pair["resemblance"] < 0.65]
    found = {(p["a"], p["b"]) for p in both}
    assert sum((p["a"], p["b"]) in found for p in clear) > 0.97 * len(clear) > 0
    assert 0.3 < sum((p["a"], p["b"]) in found for p in narrow) / len(narrow) < 0.95


@pytest.mark.parametrize("name", LITERATURE)
def test_presets_of_the_literature_run(
    run: Callable, data: Path, tmp_path: Path, name: str
) -> None:
    """On real text; everything that they find is alike, exactly."""
    source = str(data / "peps" / "peps.jsonl.zst")
    run("pairs", source, "-o", "out", "--preset", name, "--quiet")
    threshold = 0.5 if name == "altavista97" else 0.8 if name == "mmds20x5" else 0.9
    pairs = read(tmp_path / "out")
    assert len(pairs) > 100 and all(pair["resemblance"] >= threshold for pair in pairs)
    assert run("dedup", source, "-o", "clean", "--preset", name, "--json").json["records"]


def test_l36_components_do_not_depend_on_the_order(run: Callable, tmp_path: Path) -> None:
    """Nor on threads. Exact copies are together, and every document is in one cluster or unique."""
    texts = corpus(6, 300)
    texts += texts[:20]
    partitions = set()
    for seed, threads in ((0, 1), (1, 2), (2, 8)):
        order = list(range(len(texts)))
        random.Random(seed).shuffle(order)
        write(tmp_path / "in.jsonl", [texts[i] for i in order], order)
        for method in ("exact", "shingle-merge"):
            run("dedup", "in.jsonl", "-o", "out", "--overwrite", "--cluster", "components",
                "--method", method, "--threads", str(threads), "--quiet")
            clusters = [frozenset(c["members"]) for c in read(tmp_path / "out/clusters.jsonl")]
            partitions.add(frozenset(clusters))
            members = [m for cluster in clusters for m in cluster]
            assert len(members) == len(set(members))
    assert len(partitions) == 1
    cluster_of = {m: c for c in next(iter(partitions)) for m in c}
    for i in range(20):
        assert cluster_of[str(i)] is cluster_of[str(300 + i)]
