"""What more threads bring: wall time of `lookalike dedup` by number of threads, for each format.

Every setting searches the same documents, made by `lookalike synth` and cut into files of equal
size. Rounds are interleaved; the table has medians. Needs the command and pyarrow, no network, so
that it can be carried to a larger machine.

    build/venv/bin/python bench/scaling.py --documents 300000 --threads 1 2
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ROOT / "build" / "release" / "bin" / "lookalike"
FORMATS = ("jsonl", "jsonl.zst", "jsonl.gz", "parquet")
CODECS = {"zst": "zstd", "gz": "gzip"}


@dataclass
class Run:
    wall: float
    cpu: float
    faults: int
    serial_share: float
    stages: dict[str, tuple[float, float]]  # wall, serial CPU


def synthesize(command: Path, documents: int, target: Path) -> None:
    made = [command, "synth", "-o", target, "--documents", str(documents), "--seed", "5"]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)


def pieces(lines: bytes, count: int) -> Iterable[bytes]:
    """Cuts at line ends, into pieces of about the same size."""
    begin = 0
    for i in range(1, count + 1):
        end = len(lines) if i == count else lines.rfind(b"\n", 0, len(lines) * i // count) + 1
        yield lines[begin:end]
        begin = end


def write_piece(lines: bytes, target: Path) -> None:
    if target.suffix == ".parquet":
        table = pa.json.read_json(pa.BufferReader(lines))
        pa.parquet.write_table(table, target, compression="zstd", row_group_size=20_000)
    elif target.suffix == ".jsonl":
        target.write_bytes(lines)
    else:
        codec = CODECS[target.suffix[1:]]
        with pa.CompressedOutputStream(str(target), codec) as stream:
            stream.write(lines)


def make_inputs(corpus: Path, form: str, count: int, folder: Path) -> list[Path]:
    folder.mkdir(parents=True)
    paths = [folder / f"part-{i:02}.{form}" for i in range(count)]
    for lines, path in zip(pieces(corpus.read_bytes(), count), paths, strict=True):
        write_piece(lines, path)
    return paths


def run(command: Path, inputs: list[Path], threads: int, folder: Path, more: list[str]) -> Run:
    output, profile = folder / "clean", folder / "profile.json"
    shutil.rmtree(output, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    arguments = [command, "dedup", *inputs, "-o", output, "--threads", str(threads), "--quiet"]
    subprocess.run([*arguments, "--profile", profile, *more], check=True)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(profile.read_text())
    profile.unlink()
    return Run(
        wall,
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        after.ru_minflt - before.ru_minflt,
        found["serial_share"],
        {stage["name"]: (stage["wall"], stage["serial_cpu"]) for stage in found["stages"]},
    )


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def row(name: str, threads: int, runs: list[Run], alone: list[Run]) -> str:
    wall = median(one.wall for one in runs)
    faster = median(one.wall for one in alone) / wall
    cpu = median(one.cpu for one in runs)
    share = median(one.serial_share for one in runs)
    slowest = sorted(
        ((median(one.stages[stage][0] for one in runs), stage) for stage in runs[0].stages),
        reverse=True,
    )
    longest = ", ".join(f"{stage} {seconds:.2f}" for seconds, stage in slowest[:5])
    figures = f"{threads} | {wall:.2f} | {cpu:.2f} | {faster:.2f} | {share:.3f}"
    return f"| {name} | {figures} | {longest} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", type=Path, default=COMMAND)
    parser.add_argument("--documents", type=int, default=300_000)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=["jsonl", "parquet"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where inputs and results lie")
    parser.add_argument("--more", nargs="*", default=[], help="further flags of the command")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        corpus = folder / "corpus.jsonl"
        synthesize(options.command, options.documents, corpus)
        inputs = {
            form: make_inputs(corpus, form, options.files, folder / form)
            for form in options.formats
        }
        runs: dict[tuple[str, int], list[Run]] = {}
        for _ in range(options.rounds):
            for form in options.formats:
                for threads in options.threads:
                    one = run(options.command, inputs[form], threads, folder, options.more)
                    runs.setdefault((form, threads), []).append(one)
        print(f"{corpus.stat().st_size / 1e6:.0f} MB, {options.files} files", flush=True)
    print("| input | threads | wall, s | CPU, s | times as fast | serial share | longest, s |")
    print("|---|---|---|---|---|---|---|")
    for (form, threads), of_one in runs.items():
        print(row(form, threads, of_one, runs[form, options.threads[0]]), flush=True)


if __name__ == "__main__":
    main()
