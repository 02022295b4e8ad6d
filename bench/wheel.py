#!/usr/bin/env python3
"""Holds the Python package against the command, the C++ library and datasketch: `make bench`.

    wheel.py [--rounds 3] [--documents 100000] [--docs FILE]

Each figure is the CPU time, user and system, of one process pinned to one core, without the start
of the interpreter and its imports; rounds alternate. Run it by the Python that has the package.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from comparison_table import Spread, promise_row, replace_between_markers

HERE = Path(__file__).resolve().parent
COORDINATES = 128
BANDS, ROWS = 16, 8  # of 128 coordinates: datasketch's own choice for a threshold of .8 is near it
ROW_BYTES = 5000
SHARE = 20  # one text in so many is enough to time datasketch's sketches


def texts_of(source: Path) -> list[str]:
    """The texts of a JSON Lines file."""
    with source.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def shingles(text: str) -> list[bytes]:
    """Runs of five words, as datasketch's users write them."""
    words = text.lower().split()
    return [" ".join(words[i : i + 5]).encode() for i in range(max(1, len(words) - 4))]


def drawn_texts() -> list[str]:
    """Texts of words by Zipf's law, as bench/fingerprint.cc draws them."""
    chance = random.Random(1)
    words = [f"w{i * 7919:x} " for i in range(50_000)]
    weights = [1 / (i + 3) for i in range(50_000)]
    rows = []
    for _ in range((16 << 20) // ROW_BYTES):
        row = "".join(chance.choices(words, weights, k=ROW_BYTES // 5))
        rows.append(row[: ROW_BYTES + 3])
    return rows


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of the whole process while it works."""
    before = time.process_time()
    work()
    return time.process_time() - before


def fingerprint(_: Path) -> float:
    """Seconds a byte of Fingerprinter on an Arrow column."""
    import lookalike
    import pyarrow as pa

    texts = drawn_texts()
    column = pa.array(texts)
    fingerprinter = lookalike.Fingerprinter(sketch=f"fss:{COORDINATES}", threads=1)
    fingerprinter(column)
    times = [timed(lambda: fingerprinter(column, progress=False)) for _ in range(9)]
    return statistics.median(times) / sum(len(text) for text in texts)


def sketch_lookalike(source: Path) -> float:
    """Seconds a text."""
    import lookalike
    import pyarrow as pa

    texts = texts_of(source)
    column = pa.array(texts)
    fingerprinter = lookalike.Fingerprinter(sketch=f"fss:{COORDINATES}", threads=1)
    return timed(lambda: fingerprinter(column, keys=False, progress=False)) / len(texts)


def sketch_datasketch(source: Path) -> float:
    """Seconds a text."""
    from datasketch import MinHash

    texts = texts_of(source)[::SHARE]
    permutations = MinHash(num_perm=COORDINATES).permutations

    def work() -> None:
        for text in texts:
            sketch = MinHash(num_perm=COORDINATES, permutations=permutations)
            sketch.update_batch(shingles(text))

    return timed(work) / len(texts)


def dedup_lookalike(source: Path) -> float:
    """Seconds of `dedup` of a pyarrow table."""
    import lookalike
    import pyarrow as pa

    table = pa.table({"text": texts_of(source)})
    return timed(lambda: lookalike.dedup(table, threads=1, progress=False))


def dedup_datasketch(source: Path) -> float:
    """Seconds of the loop in the documentation of MinHashLSH."""
    from datasketch import MinHash, MinHashLSH

    texts = texts_of(source)
    index = MinHashLSH(num_perm=COORDINATES, params=(BANDS, ROWS))
    permutations = MinHash(num_perm=COORDINATES).permutations

    def work() -> None:
        for number, text in enumerate(texts):
            sketch = MinHash(num_perm=COORDINATES, permutations=permutations)
            sketch.update_batch(shingles(text))
            if not index.query(sketch):
                index.insert(number, sketch, check_duplication=False)

    return timed(work)


def parquet_python(source: Path) -> float:
    """Seconds of `dedup` from a Parquet file to a folder."""
    import tempfile

    import lookalike

    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        return timed(
            lambda: lookalike.dedup(source, save_to=f"{folder}/out", threads=1, progress=False)
        )


ROLES = {
    work.__name__: work
    for work in (fingerprint, sketch_lookalike, sketch_datasketch, dedup_lookalike,
                 dedup_datasketch, parquet_python)
}  # fmt: skip


@dataclass
class Setting:
    """Where things are."""

    programs: Path
    work: Path
    datasketch: Path  # the Python that has it
    cpu: str

    def role(self, name: str, source: Path) -> float:
        """A role in a process of its own."""
        python = self.datasketch if name.endswith("datasketch") else Path(sys.executable)
        words = ["taskset", "-c", self.cpu, str(python), __file__, "--role", name, str(source)]
        return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    def fingerprint_cpp(self) -> float:
        """Seconds a byte of the C++ class, by its benchmark."""
        name = f"fss:{COORDINATES}/{ROW_BYTES}_bytes/sketches.keys"
        words = ["taskset", "-c", self.cpu, str(self.programs / "bench_fingerprint"),
                 f"--benchmark_filter=^{name}$", "--benchmark_format=json"]  # fmt: skip
        found = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        report = json.loads(found[found.index("{") :])
        return 1 / float(report["benchmarks"][0]["bytes_per_second"])

    def parquet_command(self, source: Path) -> float:
        """Seconds of the command from a Parquet file to a folder."""
        out = self.work / "wheel-out"
        words = ["taskset", "-c", self.cpu, str(self.programs / "lookalike"), "dedup", str(source),
                 "-o", str(out), "--overwrite", "--quiet", "--threads", "1"]  # fmt: skip
        before = os.times()
        subprocess.run(words, check=True)
        after = os.times()
        return after.children_user + after.children_system - (
            before.children_user + before.children_system
        )


def prepare(arguments: argparse.Namespace) -> tuple[Setting, Path, Path]:
    """The environment of datasketch, and the corpus as JSON Lines and as Parquet."""
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    from compare import install, interpreter  # not in the processes that are timed

    if failure := install(work, "datasketch"):
        sys.exit(f"datasketch {failure}")
    setting = Setting(arguments.programs.resolve(), work, interpreter(work, "datasketch"),
                      arguments.cpu)  # fmt: skip
    lines = work / f"made-{arguments.documents}.jsonl"
    if not lines.exists():
        words = [setting.programs / "lookalike", "synth", "-o", lines, "--documents",
                 str(arguments.documents), "--quiet"]  # fmt: skip
        subprocess.run(words, check=True)
    parquet = lines.with_suffix(".parquet")
    if not parquet.exists():
        import pyarrow.json
        import pyarrow.parquet

        table = pyarrow.json.read_json(lines)
        pyarrow.parquet.write_table(table, parquet, compression="zstd", row_group_size=20_000)
    return setting, lines, parquet


def measure(setting: Setting, lines: Path, parquet: Path, rounds: int) -> list[str]:
    """Rows of the table."""
    fingerprints, sketches, files = [], [], []
    for number in range(rounds):
        fingerprints.append(setting.fingerprint_cpp() / setting.role("fingerprint", lines))
        sketches.append(
            setting.role("sketch_datasketch", lines) / setting.role("sketch_lookalike", lines)
        )
        files.append(setting.role("parquet_python", parquet) / setting.parquet_command(parquet))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    tables = [setting.role("dedup_lookalike", lines) for _ in range(rounds)]
    loop = setting.role("dedup_datasketch", lines)
    loops = [loop / seconds for seconds in tables]

    return [
        promise_row("`Fingerprinter` on an Arrow column, rate over that of C++",
                    Spread.of(fingerprints), 0.9, at_least=True, digits=2),
        promise_row("`dedup` of Parquet from Python, CPU over that of the command",
                    Spread.of(files), 1.05, at_least=False, digits=2),
        promise_row(f"sketches of {COORDINATES} coordinates, datasketch's CPU over ours",
                    Spread.of(sketches), 100, at_least=True, digits=0),
        promise_row("`dedup` of a table, CPU of datasketch's loop (run once) over ours",
                    Spread.of(loops), 50, at_least=True, digits=0),
    ]  # fmt: skip


def block(rows: list[str], arguments: argparse.Namespace) -> str:
    """The section of docs/benchmarks.md."""
    head = (
        "## From Python\n\n"
        f"Written by `bench/wheel.py`: {arguments.documents:,} made texts; medians of "
        f"{arguments.rounds} rounds (least-most), CPU of one core. datasketch gets the same texts "
        "as runs of five words that are cut in Python, as its users do; the loop asks the index "
        f"for each text, and inserts it where there is none like it ({BANDS} bands of {ROWS} "
        "rows).\n\n| promise | measured | bar | met |\n|---|---|---|---|\n"
    )
    return head + "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--cpu", default="1", help="the core that everything is pinned to")
    parser.add_argument("--programs", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--work", type=Path, default=Path("build/bench"))
    parser.add_argument("--docs", type=Path, help="the page whose section is written anew")
    parser.add_argument("--role", choices=ROLES, help=argparse.SUPPRESS)
    parser.add_argument("source", nargs="?", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.role:
        print(ROLES[arguments.role](arguments.source))
        return
    text = block(measure(*prepare(arguments), arguments.rounds), arguments)
    print(text)
    if arguments.docs:
        page = arguments.docs.read_text(encoding="utf-8")
        arguments.docs.write_text(
            replace_between_markers(page, text, name="wheel"), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
