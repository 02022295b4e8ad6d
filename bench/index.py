"""Cost of an index: loading, adding, asking, and what it takes on disk; beside datasketch.

    build/venv/bin/python bench/index.py --documents 100000

Processor time is that of the whole process, in seconds of one core; each step runs in a process of
its own. Texts are made by `lookalike synth`, two joined to one of about 4 KB; ids have 16 bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ROOT / "build" / "release" / "bin" / "lookalike"
BATCH = 100
THRESHOLD = 0.8


def make_corpus(documents: int, folder: Path) -> Path:
    small, large = folder / "small.jsonl", folder / "corpus.jsonl"
    made = [COMMAND, "synth", "-o", small, "--documents", str(2 * documents), "--seed", "7"]
    subprocess.run([*made, "--quiet"], check=True)
    with small.open() as lines, large.open("w") as out:
        for number in range(documents):
            text = " ".join(json.loads(next(lines))["text"] for _ in range(2))
            out.write(json.dumps({"id": f"{number:016}", "text": text}) + "\n")
    small.unlink()
    return large


def rows(corpus: Path) -> Iterator[tuple[str, str]]:
    for line in corpus.open():
        row = json.loads(line)
        yield row["id"], row["text"]


def cpu_of(command: list[Any]) -> float:
    """Runs a command; returns its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def load(corpus: Path, index: Path, *options: str) -> float:
    subprocess.run([COMMAND, "index", "create", index, *options, "--quiet"], check=True)
    return cpu_of([COMMAND, "index", "load", index, corpus, "--quiet"])


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def quantiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"p{percent}_us": round(1e6 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)])
        for percent in (50, 99)
    }


def questions(corpus: Path, count: int) -> list[str]:
    """Half of them texts that are there with a few changed words, half new ones."""
    source = random.Random(3)
    texts = [text for _, text in zip(range(count // 2), (t for _, t in rows(corpus)), strict=False)]
    asked = []
    for text in texts:
        words = text.split(" ")
        for _ in range(3):
            words[source.randrange(len(words))] = f"changed{source.randrange(10**6)}"
        asked.append(" ".join(words))
        asked.append(" ".join(source.choices(words, k=len(words))))
    return asked


def timed(ask: Callable[[str], Any], asked: list[str]) -> tuple[dict[str, float], int]:
    """Processor time of each question, and how many had an answer."""
    seconds, found = [], 0
    for text in asked:
        begin = time.process_time()
        found += bool(ask(text))
        seconds.append(time.process_time() - begin)
    return quantiles(seconds), found


def adding(corpus: Path, folder: Path) -> None:
    """Durable adds in batches of 100, then questions."""
    import lookalike

    with lookalike.Index.create(folder / "added", threshold=THRESHOLD, clusters=False) as index:
        every = list(rows(corpus))
        begin = time.process_time()
        for at in range(0, len(every), BATCH):
            index.add(every[at : at + BATCH])
        cost = time.process_time() - begin
        print(json.dumps({"step": "add", "documents_per_s": round(len(every) / cost)}))
    with lookalike.Index(folder / "added") as index:
        asked = questions(corpus, 4000)
        timed(lambda text: index.query(text).matches, asked[:1000])
        spent, found = timed(lambda text: index.query(text).matches, asked)
        print(json.dumps({"step": "query", **spent, "found": found, "asked": len(asked)}))


def with_datasketch(corpus: Path, folder: Path) -> None:
    """MinHashLSH in memory, with the words of five that its users cut in Python."""
    from datasketch import MinHash, MinHashLSH

    def sketch(text: str) -> MinHash:
        words = text.lower().split()
        made = MinHash(num_perm=128)
        made.update_batch([" ".join(words[i : i + 5]).encode() for i in range(len(words) - 4)])
        return made

    index = MinHashLSH(threshold=THRESHOLD, num_perm=128)
    begin, count = time.process_time(), 0
    for name, text in rows(corpus):
        index.insert(name, sketch(text))
        count += 1
    print(
        json.dumps({"step": "add", "documents_per_s": round(count / (time.process_time() - begin))})
    )
    asked = questions(corpus, 1000)
    spent, found = timed(lambda text: index.query(sketch(text)), asked)
    print(json.dumps({"step": "query", **spent, "found": found, "asked": len(asked)}))


STEPS: dict[str, Callable[[Path, Path], None]] = {
    "lookalike": adding,
    "datasketch": with_datasketch,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--peers", action="store_true", help="also measure datasketch")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        STEPS[options.step](options.folder / "corpus.jsonl", options.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = make_corpus(options.documents, folder)
        for kept in ("features", "none"):
            for clusters in ("off", "on"):
                index = folder / f"{kept}-{clusters}"
                cost = load(corpus, index, "--keep", kept, "--clusters", clusters)
                subprocess.run([COMMAND, "index", "compact", index, "--quiet"], check=True)
                figures = {
                    "documents_per_s": round(options.documents / cost),
                    "bytes_per_document": round(size_of(index) / options.documents),
                }
                print(json.dumps({"load": kept, "clusters": clusters, **figures}), flush=True)
        for step in STEPS if options.peers else ["lookalike"]:
            print(step, flush=True)
            own = [sys.executable, __file__, "--step", step, "--folder", name]
            subprocess.run(own, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


if __name__ == "__main__":
    main()
