"""An index beside incrededup 0.3.1, which keeps MinHash signatures and bands in redb files.

    cargo install incrededup --locked
    build/venv/bin/python bench/index_incrededup.py "$(command -v incrededup)"

incrededup compares by the sets of runs of three characters, and this project by those of five
words. So each is held against the exact truth of runs of five words (`bench_truth`), and what
incrededup says also against the exact resemblance by its own runs. It reads SQLite, so its time
has that of reading rows and of writing its answer back; it cannot be asked without adding.
Everything runs on one core; times are processor time, of the whole process.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scoring import Pair, Truth, load_truth, score_pairs

from index import COMMAND, THRESHOLD, cpu_of, load, make_corpus, quantiles, questions, rows

TRUTH = COMMAND.parent / "bench_truth"
EVERY = 4  # one text in so many has an edited copy
CHANGED = (1, 2, 4, 8, 12, 20, 40)  # words that are other ones in it
ARRIVALS = (2000, 100)  # batches that come later
PORTION = 10_000  # texts a run; it fails where one touches more than 32,766 documents of SQLite
SAMPLE = 20_000  # of its pairs that are compared exactly
ESTIMATES = (0.8, 0.9, 0.95)  # thresholds on the estimate that incrededup stores
SCHEMA = """
CREATE TABLE documents (id TEXT PRIMARY KEY, content TEXT NOT NULL, content_len INTEGER NOT NULL,
  filename TEXT, is_parent INTEGER)
"""
MATCH = re.compile(r"child=(\S+) parent=(\S+) jaccard=(\S+)")

Said = dict[Pair, float]


def name_of(number: int) -> str:
    """incrededup takes only UUIDs as ids."""
    return str(uuid.UUID(int=number))


def edited(text: str, changed: int, source: random.Random) -> str:
    words = text.split(" ")
    for _ in range(changed):
        words[source.randrange(len(words))] = f"changed{source.randrange(10**6)}"
    return " ".join(words)


def with_copies(texts: Iterator[str], documents: int) -> Iterator[str]:
    """So many texts; the copies of every fourth follow when all originals are there."""
    source, copies = random.Random(5), []
    originals = documents * EVERY // (EVERY + 1)
    for number, text in enumerate(islice(texts, originals)):
        yield text
        if number % EVERY == 0:
            copies.append(edited(text, CHANGED[number // EVERY % len(CHANGED)], source))
    yield from copies


def write(texts: Iterable[str], first: int, path: Path) -> int:
    """Writes JSON Lines with ids from `first`; returns the first unused one."""
    with path.open("w") as out:
        for text in texts:
            out.write(json.dumps({"id": name_of(first), "text": text}) + "\n")
            first += 1
    return first


def insert(texts: Iterable[tuple[str, str]], database: Path) -> int:
    """Puts a portion of texts where incrededup finds them, which is not measured; returns how many.

    The texts stay in order, and those that are left follow in the next portion.
    """
    connection = sqlite3.connect(database)
    if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        connection.execute(SCHEMA)
    portion = islice(texts, PORTION)
    added = connection.executemany(
        "INSERT INTO documents VALUES (?, ?, ?, NULL, NULL)",
        ((name, text, len(text.encode())) for name, text in portion),
    ).rowcount
    connection.commit()
    connection.close()
    return max(0, added)


class Incrededup:
    """The program, with one database of texts and its files beside it."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program = program
        self.database = folder / "texts.sqlite"
        self.data = folder / "incrededup"

    def add(self, corpus: Path) -> float:
        """Adds texts, and finds what each is like; returns the processor time."""
        texts, cost = rows(corpus), 0.0
        run = [self.program, "--sqlite", self.database, "--data-dir", self.data]
        while insert(texts, self.database):
            cost += cpu_of([*run, "--min-content-len", "0"])
        return cost

    def search(self, folder: Path) -> float:
        """Searches for all signatures that are there, once more; returns the processor time."""
        [stored] = self.data.rglob("lsh.redb")
        folder.mkdir()
        return cpu_of([self.program, "--from-index", stored, "--output-dir", folder, "--no-sync"])

    def said(self, truth: Truth) -> Said:
        """All pairs that it stored, with its estimates."""
        [stored] = self.data.rglob("matches.redb")
        inspect = [str(self.program), "--inspect", str(stored), "--inspect-limit", str(10**9)]
        shown = subprocess.run(inspect, check=True, capture_output=True, text=True).stdout
        found = MATCH.findall(shown)
        return {truth.pair(child, parent): float(value) for child, parent, value in found}


def runs_of_three(text: str) -> set[str]:
    """Returns the runs that incrededup compares, of the text in lower case.

    A space stands for each run of other characters than letters and digits.
    """
    kept = "".join(c if c.isalnum() else " " for c in text.lower())
    plain = " ".join(kept.split())
    return {plain[i : i + 3] for i in range(max(1, len(plain) - 2))}


def resemblance(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def alike_by_own(pairs: Iterable[Pair], texts: list[str]) -> list[Pair]:
    """The pairs that are alike by the runs that incrededup compares, exactly."""
    return [
        (a, b)
        for a, b in pairs
        if resemblance(runs_of_three(texts[a]), runs_of_three(texts[b])) >= THRESHOLD
    ]


def judge_by_own(said: Said, texts: list[str], truth: Truth) -> None:
    """How right its pairs are by its own runs, and how many of the pairs alike by both it says."""
    sample = random.Random(1).sample(sorted(said), min(SAMPLE, len(said)))
    both = alike_by_own(truth.true_pairs(), texts)
    shown("incrededup", own_precision=len(alike_by_own(sample, texts)) / max(1, len(sample)),
          recall_of_both=sum(pair in said for pair in both) / max(1, len(both)),
          both=len(both))  # fmt: skip


def on_disk(folder: Path) -> int:
    """The bytes of all files without their holes, of which redb has many."""
    return 512 * sum(path.stat().st_blocks for path in folder.rglob("*") if path.is_file())


def shown(who: str, **figures: Any) -> None:
    print(json.dumps({"who": who, **figures}), flush=True)


def judge(who: str, said: set[Pair], truth: Truth, **more: Any) -> None:
    score = score_pairs(truth, said)
    shown(who, **more, pairs=score.pairs, precision=score.precision, recall=score.recall,
          removed=score.removed, removed_wrongly=score.wrong)  # fmt: skip


def query_all(index: Path, texts: list[str], truth: Truth) -> tuple[set[Pair], dict[str, float]]:
    """Asks for each text that is there; returns the pairs and the time."""
    import lookalike

    said, seconds = set(), []
    with lookalike.Index(index) as opened:
        for number, text in enumerate(texts):
            begin = time.process_time()
            matches = opened.query(text).matches
            seconds.append(time.process_time() - begin)
            said |= {truth.pair(name_of(number), match.id) for match in matches}
    mean = {"query_us": round(1e6 * sum(seconds) / len(seconds))}
    return {(a, b) for a, b in said if a != b}, mean | quantiles(seconds)


def measure_lookalike(kept: str, corpus: Path, arrivals: list[Path], truth: Truth) -> None:
    """Figures of an index with clusters that keeps features, or codes only (`none`)."""
    who, index = f"lookalike, {kept}", corpus.parent / kept
    cost = load(corpus, index, "--keep", kept)
    texts = [text for _, text in rows(corpus)]
    shown(who, load_us=round(1e6 * cost / len(texts)),
          bytes_per_document=round(on_disk(index) / len(texts)))  # fmt: skip
    said, figures = query_all(index, texts, truth)
    judge(who, said, truth, **figures)
    for batch in arrivals:
        cost = cpu_of([COMMAND, "index", "add", index, batch, "--quiet"])
        count = sum(1 for _ in rows(batch))
        shown(who, batch=count, add_us=round(1e6 * cost / count))


def measure_incrededup(peer: Incrededup, corpus: Path, arrivals: list[Path], truth: Truth) -> None:
    cost = peer.add(corpus)
    texts = [text for _, text in rows(corpus)]
    shown("incrededup", load_us=round(1e6 * cost / len(texts)))
    cost = peer.search(corpus.parent / "searched")
    shown("incrededup", search_us=round(1e6 * cost / len(texts)))
    said = peer.said(truth)
    for least in ESTIMATES:
        kept = {pair for pair, estimate in said.items() if estimate >= least}
        judge("incrededup", kept, truth, estimate=least)
    judge_by_own(said, texts, truth)
    sizes = {path.name: 512 * path.stat().st_blocks for path in peer.data.rglob("*.redb")}
    shown("incrededup", bytes_per_document=round(on_disk(peer.data) / len(texts)), **sizes)
    for batch in arrivals:
        cost = peer.add(batch)
        count = sum(1 for _ in rows(batch))
        shown("incrededup", batch=count, add_us=round(1e6 * cost / count))


def prepare(options: argparse.Namespace, folder: Path) -> tuple[Path, list[Path]]:
    """The corpus, and the batches that arrive later."""
    corpus = folder / "texts.jsonl"
    texts: Iterator[str]
    if options.texts:
        given = islice(options.texts.open(), options.documents)
        texts = (json.loads(line)["text"] for line in given)
    else:
        made = make_corpus(options.documents, folder)
        texts = with_copies((text for _, text in rows(made)), options.documents)
    unused, batches = write(texts, 0, corpus), []
    asked = questions(corpus, sum(ARRIVALS))
    for size in ARRIVALS:
        batches.append(folder / f"batch-{size}.jsonl")
        unused = write([asked.pop() for _ in range(size)], unused, batches[-1])
    return corpus, batches


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="incrededup")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--texts", type=Path, help="JSON Lines to take instead of made texts")
    options = parser.parse_args()
    if 2 * options.documents < sum(ARRIVALS):
        parser.error("too few documents to make the later batches of")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus, arrivals = prepare(options, folder)
        exact = folder / "truth.tsv"
        subprocess.run([TRUTH, corpus, exact], check=True, stdout=subprocess.DEVNULL)
        truth = load_truth(exact)
        shown("truth", documents=len(truth.ids), pairs=len(truth.true_pairs()))
        for kept in ("features", "none"):
            measure_lookalike(kept, corpus, arrivals, truth)
        peer = Incrededup(options.program, folder)
        measure_incrededup(peer, corpus, arrivals, truth)
    return 0


if __name__ == "__main__":
    sys.exit(main())
