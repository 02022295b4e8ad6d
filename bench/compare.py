#!/usr/bin/env python3
"""Compares `lookalike` with what copying the file takes, and with other programs: `make bench`.

    compare.py [--size small|full] [--rounds 5] [--only REGEX]
    compare.py --corpus FILE.jsonl [--truth FILE.tsv] ...

All contenders run in turn, each pinned to one core, as often as --rounds says; one that takes
longer than --long seconds runs once. CPU is user and system time of the process and its children;
of programs in Python without the start of the interpreter and its imports. Ratios are taken round
by round. What each found is held against the exact truth. Prints tables and, when all took part,
writes them into --docs. Everything is made below --work and kept there for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import corpus as corpora
from comparison_table import (
    Entry,
    Round,
    bars_table,
    commands,
    replace_between_markers,
    table,
)
from contenders import BARS, CONTENDERS, PACKAGES, SUFFIXES, Contender
from measured_run import CommandFailed, Measured, measure, warm
from scoring import Truth, load_truth, score

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ONE_THREAD = [
    f"{name}=1"
    for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                 "POLARS_MAX_THREADS")
] + ["PYTHONHASHSEED=0", "TOKENIZERS_PARALLELISM=false", "DO_NOT_TRACK=1"]  # fmt: skip


@dataclass
class Setting:
    """Where and how to run."""

    programs: Path
    work: Path
    rounds: int
    cpus: list[str]
    limit: float
    long: float
    sources: dict[str, Path]  # by form
    truth: Truth
    record: Path | None

    def write_record(self, **facts: object) -> None:
        if self.record:
            with open(self.record, "a", encoding="utf-8") as file:
                file.write(json.dumps(facts) + "\n")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def last_line(text: str) -> str:
    """What a failed command said at the end, fit for a cell of a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines[-1] if lines else "it said nothing").replace("|", "/")[:160]


def interpreter(work: Path, environment: str) -> Path:
    return work / "venv" / environment / "bin" / "python"


def install(work: Path, environment: str) -> str:
    """Makes an environment with the packages of a peer; why that failed, or an empty string."""
    folder = work / "venv" / environment
    stamp, wanted = folder / "installed", " ".join(PACKAGES[environment])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return ""
    say(f"installing {wanted}")
    python = interpreter(work, environment)
    steps = [[sys.executable, "-m", "venv", "--clear", folder],
             [python, "-m", "pip", "install", "-q", *PACKAGES[environment]]]  # fmt: skip
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return "cannot be installed: " + last_line(done.stderr)
    stamp.write_text(wanted, encoding="utf-8")
    return ""


def other_forms(source: Path, work: Path, forms: set[str]) -> dict[str, Path]:
    """The corpus in each form that is asked for."""
    places = {"jsonl": source} | {
        form: work / (source.stem + SUFFIXES[form]) for form in ("zstd", "parquet")
    }
    for form in sorted(forms - {"jsonl"}):
        path = places[form]
        if path.exists() and path.stat().st_mtime >= source.stat().st_mtime:
            continue
        say(f"making {path.name}")
        if form == "zstd":
            subprocess.run(["zstd", "-q", "-3", "-f", source, "-o", path], check=True)
        else:
            write_parquet(source, path)
    return {form: places[form] for form in forms | {"jsonl"}}


def write_parquet(source: Path, target: Path) -> None:
    """Row groups of some 40 MB."""
    from pyarrow import json as arrow_json
    from pyarrow import parquet

    options = arrow_json.ReadOptions(block_size=64 << 20)
    rows = arrow_json.read_json(source, read_options=options)
    parquet.write_table(rows, target, compression="zstd", row_group_size=8192)


def truth_of(source: Path, given: Path | None, work: Path, programs: Path) -> Truth:
    path = given or work / (source.stem + ".truth.tsv")
    if not path.exists() or path.stat().st_mtime < source.stat().st_mtime and not given:
        say(f"joining {source.name} exactly")
        subprocess.run([programs / "bench_truth", source, path], check=True)
    return load_truth(path)


def command_of(setting: Setting, contender: Contender, output: Path) -> list[str]:
    words = contender.words(setting.programs, setting.sources[contender.form], output)
    if contender.environment:
        runner = [str(interpreter(setting.work, contender.environment)), str(HERE / "peers.py")]
        words = [*runner, *words[1:], "--started", str(setting.work / "run" / "started")]
    return ["env", *ONE_THREAD, *words]


def run_once(setting: Setting, contender: Contender) -> tuple[Round, Path]:
    """One run in a folder of its own; raises CommandFailed."""
    place = setting.work / "run"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    output = place / contender.output
    warm(setting.sources[contender.form])
    cpus = ",".join(setting.cpus[-contender.cores :])
    command = command_of(setting, contender, output)
    run: Measured = measure(command, None, cpus, kill_after=setting.limit)
    if run.code < 0:
        raise CommandFailed(f"stopped after {setting.limit:g} s")
    started = place / "started"
    idle = float(started.read_text(encoding="ascii")) if started.exists() else 0.0
    return Round(run.cpu - idle, run.wall - idle, run.peak), output


def judge(setting: Setting, entry: Entry, output: Path) -> None:
    """The score of a first run."""
    contender = entry.contender
    if contender.kind:
        path = output / contender.result if contender.result else output
        entry.score = score(setting.truth, contender.kind, path)
        setting.write_record(contender=contender.name, score=asdict(entry.score))


def run_all(setting: Setting, contenders: list[Contender]) -> dict[str, Entry]:
    """All in turn, round after round, so that a busy machine is unfair to none."""
    entries = {contender.name: Entry(contender) for contender in contenders}
    for contender in contenders:
        if contender.environment:
            entries[contender.name].failure = install(setting.work, contender.environment)
    for number in range(setting.rounds):
        for entry in entries.values():
            slow = any(run.wall > setting.long for run in entry.rounds.values())
            if entry.failure or slow:
                continue
            say(f"round {number + 1}: {entry.contender.name}")
            try:
                run, output = run_once(setting, entry.contender)
                if not entry.score:
                    judge(setting, entry, output)
            except (CommandFailed, OSError, KeyError, ValueError) as error:
                entry.failure, entry.rounds = last_line(str(error)), {}
                continue
            entry.rounds[number] = run
            setting.write_record(contender=entry.contender.name, round=number, **asdict(run))
    shutil.rmtree(setting.work / "run", ignore_errors=True)
    return entries


def choose(pattern: str) -> list[Contender]:
    """Those whose names match, and those that they are held to."""
    matching = [c for c in CONTENDERS if re.search(pattern, c.name, re.IGNORECASE)]
    names = {c.name for c in matching} | {c.base for c in matching} | {"dedup"}
    return [contender for contender in CONTENDERS if contender.name in names]


def machine() -> str:
    """Model and number of processors."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return f"{model[1].strip() if model else 'unknown processor'}, {os.cpu_count()} cores"


def report(setting: Setting, entries: dict[str, Entry], name: str, command: str) -> str:
    source = setting.sources["jsonl"]
    megabytes = source.stat().st_size / 1e6
    truth = setting.truth
    lines = [
        "## Against copying the file, and against other programs", "",
        f"Written by `{command}` on {machine()}: {name}, {megabytes:,.0f} MB (10^6 bytes) of JSON "
        f"Lines, {len(truth.ids):,} documents, {len(truth.true_pairs()):,} pairs at .8 or more. "
        f"Median of up to {setting.rounds} interleaved runs (least-most), each on one core unless "
        "said; a program in Python is counted from after its imports. MB/s are those of the JSON "
        "Lines for each second of CPU, peaks are in MB of 2^20 bytes. *Against dedup* is CPU over "
        "that of `dedup` on the same format, round by round. Precision and recall are of pairs; "
        "where only removals are known, recall is the share of alike pairs with a side removed. "
        "*Wrongly*: removed without any document alike. *Missed*: kept although an earlier kept "
        "one is alike; for pairs, when the first of each is kept.",
        *bars_table(BARS, entries), *table(entries, megabytes), *commands(entries),
    ]  # fmt: skip
    return "\n".join(lines)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=corpora.SIZES, default="small")
    parser.add_argument("--corpus", type=Path, help="JSON Lines with id and text, instead")
    parser.add_argument("--truth", type=Path, help="its alike pairs, else they are joined")
    parser.add_argument("--packages", type=Path, help="Debian packages that are unpacked already")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="those whose names match, and no document")
    parser.add_argument("--cpus", default="", help="two processors; the last is that of one core")
    parser.add_argument("--limit", type=float, default=1800, help="seconds that a run may take")
    parser.add_argument("--long", type=float, default=60, help="slower ones run once")
    parser.add_argument("--programs", type=Path, default=ROOT / "build/release/bin")
    parser.add_argument("--work", type=Path, default=ROOT / "build/bench")
    parser.add_argument("--docs", type=Path, help="the document between whose markers to write")
    parser.add_argument("--record", type=Path, help="a line of JSON for every run")
    return parser.parse_args()


def main() -> int:
    arguments = parse()
    work: Path = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    programs = arguments.programs.resolve()
    source = arguments.corpus or work / f"{arguments.size}.jsonl"
    if not arguments.corpus and not source.exists():
        corpora.make(source, arguments.size, work, arguments.packages)
    chosen = choose(arguments.only)
    first_two = [str(cpu) for cpu in sorted(os.sched_getaffinity(0))[:2]]
    setting = Setting(
        programs, work, arguments.rounds,
        arguments.cpus.split(",") if arguments.cpus else first_two,
        arguments.limit, arguments.long,
        other_forms(source.resolve(), work, {contender.form for contender in chosen}),
        truth_of(source, arguments.truth, work, programs), arguments.record,
    )  # fmt: skip
    entries = run_all(setting, chosen)
    name = "texts of Debian packages with planted near-duplicates"
    if arguments.corpus:
        name = source.name
    made_here = f"make bench SIZE={arguments.size} ROUNDS={arguments.rounds}"
    text = report(setting, entries, name, "bench/compare.py" if arguments.corpus else made_here)
    print(text)
    if arguments.docs and not arguments.only:
        docs = arguments.docs.read_text(encoding="utf-8")
        arguments.docs.write_text(replace_between_markers(docs, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
