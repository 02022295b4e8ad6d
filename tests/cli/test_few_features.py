"""Documents with few features: every pair of them is found, and templates cost linear work."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

#: Up to so many features a document has few.
FEW = 16
#: Bytes of scratch space a document of the template below may take.
MOST_SCRATCH = 200


def templates(path: Path, documents: int) -> Path:
    """Lines of ten words, of which any two share three of their six shingles."""
    with path.open("w", encoding="ascii") as lines:
        for i in range(documents):
            text = f"text {i} of a unique kind in this file word{i}"
            lines.write(json.dumps({"id": str(i), "text": text}) + "\n")
    return path


def tiny(path: Path, documents: int, seed: int, most: int = 12) -> Path:
    """Texts of 2 to `most` words, half of them changed in a word or two from an earlier one."""
    random.seed(seed)
    words = [f"w{i}" for i in range(400)]
    texts: list[list[str]] = []
    while len(texts) < documents:
        if texts and random.random() < 0.5:
            text = list(random.choice(texts))
            for _ in range(random.randint(1, 2)):
                text[random.randrange(len(text))] = random.choice(words)
            if random.random() < 0.3 and len(text) > 2:
                text.pop()
        else:
            text = [random.choice(words) for _ in range(random.randint(2, most))]
        texts.append(text)
    with path.open("w", encoding="ascii") as lines:
        for i, text in enumerate(texts):
            lines.write(json.dumps({"id": str(i), "text": " ".join(text)}) + "\n")
    return path


@pytest.mark.parametrize("threshold", ["0.5", "0.7", "0.8"])
def test_lines_of_one_template_are_no_candidates(
    run: Callable, tmp_path: Path, threshold: str
) -> None:
    templates(tmp_path / "in.jsonl", 10_000)
    options = ["--threshold", threshold, "--memory", "64M", "--json"]
    pairs = run("pairs", "in.jsonl", "-o", "pairs.jsonl", *options, code=1).json
    assert pairs["pairs"] == pairs["predicted"]["candidates"] == 0
    assert pairs["peak_scratch_bytes"] <= MOST_SCRATCH * 10_000
    run("dedup", "in.jsonl", "-o", "out", *options)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["candidates"] == manifest["pairs_met"] == manifest["pairs_left_out"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("threshold", ["0.5", "0.7", "0.8"])
def test_a_million_lines_of_one_template(run: Callable, tmp_path: Path, threshold: str) -> None:
    templates(tmp_path / "in.jsonl", 1_000_000)
    options = ["--threshold", threshold, "--memory", "256M", "--json"]
    pairs = run("pairs", "in.jsonl", "-o", "pairs.jsonl", *options, code=1, timeout=600).json
    assert pairs["pairs"] == 0
    assert pairs["peak_scratch_bytes"] <= MOST_SCRATCH * 1_000_000
    assert pairs["peak_memory_bytes"] <= 256 << 20


@pytest.mark.parametrize("shingle", ["word:1", "word:2", "word:3", "char:5"])
@pytest.mark.parametrize("threshold", ["0.5", "0.8"])
def test_no_pair_with_a_small_side_is_missed(
    run: Callable, tmp_path: Path, shingle: str, threshold: str
) -> None:
    tiny(tmp_path / "in.jsonl", 3000, seed=1, most=30)
    options = ["--shingle", shingle, "--threshold", threshold, "--quiet"]
    run("pairs", "in.jsonl", "-o", "exact.jsonl", *options, "--method", "exact")
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", *options)
    pairs = (tmp_path / "pairs.jsonl").read_text().splitlines()
    exact = (tmp_path / "exact.jsonl").read_text().splitlines()
    assert set(pairs) <= set(exact)
    for line in set(exact) - set(pairs):
        pair = json.loads(line)
        assert min(pair["size_a"], pair["size_b"]) > FEW


@pytest.mark.parametrize("memory", ["64M", "1G"])
@pytest.mark.parametrize("threads", ["1", "4"])
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_memory_and_threads_change_nothing(
    run: Callable, tmp_path: Path, memory: str, threads: str, keep: str
) -> None:
    tiny(tmp_path / "in.jsonl", 3000, seed=2)
    options = ["--shingle", "word:1", "--threshold", "0.6", "--keep", keep, "--quiet"]
    run("dedup", "in.jsonl", "-o", "plain", *options)
    run("dedup", "in.jsonl", "-o", "other", *options, "--memory", memory, "--threads", threads)
    run("dedup", "in.jsonl", "-o", "exact", *options, "--method", "exact")
    for name in ("removed.jsonl", "clusters.jsonl", "kept/in.jsonl"):
        plain = (tmp_path / "plain" / name).read_bytes()
        assert plain == (tmp_path / "other" / name).read_bytes()
        assert plain == (tmp_path / "exact" / name).read_bytes(), "nothing is missed"


def test_a_reference_of_short_texts(run: Callable, tmp_path: Path) -> None:
    tiny(tmp_path / "in.jsonl", 1500, seed=3)
    tiny(tmp_path / "old.jsonl", 1500, seed=3, most=9)
    options = ["--against", "old.jsonl", "--shingle", "word:1", "--threshold", "0.5", "--quiet"]
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", *options)
    run("pairs", "in.jsonl", "-o", "exact.jsonl", *options, "--method", "exact")
    assert (tmp_path / "pairs.jsonl").read_bytes() == (tmp_path / "exact.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("threshold", ["0.5", "0.7", "0.8", "0.9"])
def test_fifty_thousand_tiny_documents(
    run: Callable, tmp_path: Path, seed: int, threshold: str
) -> None:
    tiny(tmp_path / "in.jsonl", 50_000, seed=seed)
    options = ["--shingle", "word:1", "--threshold", threshold, "--quiet"]
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", *options, "--seed", str(seed))
    run("pairs", "in.jsonl", "-o", "exact.jsonl", *options, "--method", "exact")
    assert (tmp_path / "pairs.jsonl").read_bytes() == (tmp_path / "exact.jsonl").read_bytes()


def repeated(words: int, documents: int, seed: int) -> Iterator[str]:
    """Texts of many words that are changed copies of a few."""
    random.seed(seed)
    bases = [[f"w{random.randrange(5000)}" for _ in range(words)] for _ in range(documents // 20)]
    for _ in range(documents):
        text = list(random.choice(bases))
        text[random.randrange(words)] = "changed"
        yield " ".join(text)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short and long documents, enough that each stage takes a while."""
    path = tmp_path_factory.mktemp("interrupted") / "in.jsonl"
    with path.open("w", encoding="ascii") as lines:
        for text in repeated(9, 30_000, 1):
            lines.write(json.dumps({"text": text}) + "\n")
        for text in repeated(120, 30_000, 2):
            lines.write(json.dumps({"text": text}) + "\n")
    return path


@pytest.mark.parametrize("stage", ["fingerprint", "join", "sets", "verify", "write"])
@pytest.mark.parametrize("command", ["dedup", "pairs"])
def test_every_stage_heeds_an_interruption(
    binary: Path, corpus: Path, tmp_path: Path, command: str, stage: str
) -> None:
    words = [binary, command, corpus, "-o", tmp_path / "out", "--threads", "1"]
    words += ["--shingle", "word:1", "--threshold", "0.6", "--memory", "64M"]
    if stage == "verify":
        words += ["--keep", "longest"] if command == "dedup" else []
    process = subprocess.Popen(
        [str(word) for word in words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert process.stderr is not None
    seen = []
    sent = 0.0
    for line in process.stderr:
        seen.append(line)
        if not sent and line.strip().startswith(stage):
            process.send_signal(signal.SIGTERM)
            sent = time.monotonic()
    code = process.wait(timeout=60)
    if not sent:
        pytest.skip(f"{command} was through {stage} before it said so: {''.join(seen)[-300:]}")
    assert code in (2, 0, 1)  # it may have come to its end meanwhile
    assert time.monotonic() - sent < 5, "a second, and some for a busy machine"
    if code == 2:
        assert "interrupted" in "".join(seen)
        assert not (tmp_path / "out").exists()
