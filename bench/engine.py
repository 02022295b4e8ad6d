#!/usr/bin/env python3
"""Measures bounded memory, scale, resume and skew of `lookalike dedup`, each against its bar.

    engine.py memory CORPUS.jsonl [--memory 256M]     against the same run without a limit
    engine.py scale  [--sizes 1000000,10000000] [--memory 1G]
    engine.py kills  CORPUS.jsonl... [--count 30] [--memory 128M]
    engine.py skew   [--kinds template,...] [--size 500000] [--memory 1G]

CPU is user and system time, and the median of --repeats interleaved runs; the peak is the largest
VmHWM of any of them, polled from outside. MB are 2^20 bytes, as in --memory. Prints a Markdown
table; with --record FILE also a line of JSON for every run and every bar. Timings depend on the
machine, so a bar that is not met changes the exit code only with --strict; a wrong result always
does. Corpora that are made stay in --work for the next time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from measured_run import (
    CommandFailed,
    Measured,
    digest,
    journal_units,
    manifest_of,
    measure,
    warm,
)

HERE = Path(__file__).resolve().parent
MIB = 1 << 20
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
SKEWED = ("template", "near-copies", "short", "one-key")
COUNTS = ("refined_buckets", "keys_added", "pairs_met", "pairs_left_out", "candidates", "edges")


@dataclass
class Bar:
    """One promise, what was measured of it, and whether that is enough."""

    what: str
    measured: str
    bar: str
    met: bool
    wrong: bool = False  # not too slow or too large, but a wrong result


@dataclass
class Setting:
    """Where and how to run."""

    binary: Path
    work: Path
    threads: str
    cpus: str
    memory: str
    repeats: int
    record: Path | None
    bars: list[Bar] = field(default_factory=list)
    details: list[str] = field(default_factory=list)

    def write_record(self, **facts: object) -> None:
        if self.record:
            with open(self.record, "a", encoding="utf-8") as file:
                file.write(json.dumps(facts) + "\n")

    def add(self, what: str, measured: str, bar: str, met: bool, wrong: bool = False) -> None:
        self.bars.append(Bar(what, measured, bar, met, wrong and not met))
        self.write_record(**asdict(self.bars[-1]))

    def limits(self) -> list[str]:
        """--memory and a scratch folder of its own; nothing where memory is `none`."""
        if self.memory == "none":
            return []
        return ["--memory", self.memory, "--scratch", str(self.work / "scratch")]

    def dedup(self, corpus: Path, output: Path, *options: str) -> list[str]:
        threads = ["--threads", self.threads] if self.threads else []
        return [str(self.binary), "dedup", str(corpus), "-o", str(output), "--quiet", *threads,
                *options]  # fmt: skip

    def clear(self) -> Path:
        """Where the next run writes, with nothing there that an earlier one left."""
        for name in ("out", "out.partial", "scratch"):
            shutil.rmtree(self.work / name, ignore_errors=True)
        (self.work / "scratch").mkdir()
        return self.work / "out"

    def run(self, name: str, corpus: Path, *options: str) -> tuple[Measured, dict, str]:
        """A run from start to end: what it took, its manifest, the digest of its result."""
        output = self.clear()
        warm(corpus)
        run = measure(self.dedup(corpus, output, *options), output, self.cpus)
        manifest, bytes_digest = manifest_of(output), digest(output)
        shutil.rmtree(output)
        left = [str(path) for path in (self.work / "scratch").rglob("*") if path.is_file()]
        if left:
            run.violations.append(f"left in the scratch folder: {left[:3]}")
        self.write_record(
            run=name, corpus=corpus.name, options=options, wall=run.wall, cpu=run.cpu,
            peak=run.peak, manifest_peak=manifest["peak_memory_bytes"], units=len(run.units),
            violations=run.violations, load=os.getloadavg()[0], records=manifest["records"],
            search=manifest["search"], recall=manifest["recall"], timings=manifest["timings"],
            digest=bytes_digest,
        )  # fmt: skip
        return run, manifest, bytes_digest


@dataclass
class Series:
    """The repeats of one run."""

    runs: list[Measured] = field(default_factory=list)
    digests: set[str] = field(default_factory=set)
    manifest: dict = field(default_factory=dict)

    def add(self, outcome: tuple[Measured, dict, str]) -> None:
        self.runs.append(outcome[0])
        self.manifest = outcome[1]
        self.digests.add(outcome[2])

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def peak(self) -> float:
        return max(run.peak for run in self.runs) / MIB

    @property
    def said_peak(self) -> float:
        return self.manifest["peak_memory_bytes"] / MIB

    @property
    def violations(self) -> list[str]:
        return [violation for run in self.runs for violation in run.violations]


def mebibytes(size: str) -> float:
    return float(size.rstrip("iB").rstrip("KMG")) * UNITS[size.rstrip("iB")[-1]] / MIB


def interleaved(
    setting: Setting, plans: dict[str, tuple[Path, list[str]]]
) -> dict[str, Series]:
    """Runs all plans in turn, as often as asked, so that a busy machine is unfair to none."""
    series = {name: Series() for name in plans}
    for _ in range(setting.repeats):
        for name, (corpus, options) in plans.items():
            print(f"  {name}", file=sys.stderr, flush=True)
            series[name].add(setting.run(name, corpus, *options))
    return series


def corpus_of(setting: Setting, kind: str, documents: int) -> Path:
    """A made corpus; several processes write its parts."""
    path = setting.work / f"{kind}-{documents}.jsonl"
    if path.exists():
        return path
    print(f"  making {path.name}", file=sys.stderr, flush=True)
    count = max(1, min(os.cpu_count() or 1, documents // 100_000))
    parts = [path.with_suffix(f".part{i}") for i in range(1, count + 1)]
    makers = [
        subprocess.Popen(
            [sys.executable, HERE / "make_corpora.py", kind, str(documents), part,
             "--part", f"{i}/{count}"]
        )
        for i, part in enumerate(parts, 1)
    ]  # fmt: skip
    if any([maker.wait() for maker in makers]):
        raise CommandFailed(f"could not make {path}")
    for part in parts[1:]:
        with open(parts[0], "ab") as whole, open(part, "rb") as more:
            shutil.copyfileobj(more, whole, 1 << 24)
        part.unlink()
    parts[0].rename(path)
    return path


def row(name: str, series: Series) -> str:
    recall = series.manifest["recall"]["estimate"]
    shown = "-" if recall is None else f"{recall:.4f}"
    counts = series.manifest["search"]
    return (
        f"| {name} | {series.cpu:.2f} | {series.wall:.2f} | {series.peak:.0f} | "
        f"{series.said_peak:.0f} | {series.manifest['records']['kept']:,} | {shown} | "
        + " | ".join(f"{counts.get(count, 0):,}" for count in COUNTS)
        + " |"
    )


def tabulate(setting: Setting, all_series: dict[str, Series]) -> None:
    titles = ["run", "CPU s", "wall s", "peak MB", "said MB", "kept", "recall", *COUNTS]
    setting.details += ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    setting.details += [row(name, series) for name, series in all_series.items()]


def check_sound(setting: Setting, all_series: dict[str, Series]) -> None:
    """What holds for every run: equal bytes each time, and a clean journal and scratch folder."""
    for name, series in all_series.items():
        if len(series.digests) != 1:
            setting.add(f"{name}: repeats", f"{len(series.digests)} results", "equal", False, True)
        for violation in series.violations:
            setting.add(f"{name}: journal and scratch", violation, "clean", False, True)


def measure_memory(setting: Setting, arguments: argparse.Namespace) -> None:
    """The same corpus with and without a limit."""
    corpus, size = arguments.corpora[0], setting.memory
    plans = {"unlimited": (corpus, []), f"--memory {size}": (corpus, setting.limits())}
    series = interleaved(setting, plans)
    free, bound = series.values()
    bar = arguments.peak or round(mebibytes(size) * 280 / 256)
    name = f"{corpus.name} with --memory {size}"
    setting.add(f"{name}: peak", f"{bound.peak:.0f} MB", f"<= {bar} MB", bound.peak <= bar)
    off = abs(bound.said_peak / bound.peak - 1)
    setting.add(
        f"{name}: manifest's peak", f"{bound.said_peak:.0f} MB", "within 10 %", off <= 0.1
    )
    ratio = bound.cpu / free.cpu
    setting.add(
        f"{name}: CPU against unlimited",
        f"{bound.cpu:.2f} / {free.cpu:.2f} s = {ratio:.2f}", "<= 1.5", ratio <= 1.5,
    )  # fmt: skip
    same = bound.digests == free.digests
    setting.add(f"{name}: result", "same" if same else "DIFFERS", "same bytes", same, True)
    check_sound(setting, series)
    tabulate(setting, series)


def measure_scale(setting: Setting, arguments: argparse.Namespace) -> None:
    """CPU for each document at two sizes, and the peak of the larger."""
    small, large = arguments.sizes
    plans = {
        f"mixed, {n:,}": (corpus_of(setting, "mixed", n), setting.limits()) for n in (small, large)
    }
    series = interleaved(setting, plans)
    one, other = series.values()
    limit = mebibytes(setting.memory) * 1.1
    name = f"{large:,} documents of 1 KB with --memory {setting.memory}"
    setting.add(f"{name}: peak", f"{other.peak:.0f} MB", f"<= {limit:.0f} MB", other.peak <= limit)
    each = [one.cpu / small * 1e6, other.cpu / large * 1e6]
    ratio = each[1] / each[0]
    setting.add(
        f"{name}: CPU a document against {small:,}",
        f"{each[1]:.1f} / {each[0]:.1f} us = {ratio:.2f}", "<= 1.25", ratio <= 1.25,
    )  # fmt: skip
    recall = other.manifest["recall"]["estimate"]
    setting.add(f"{name}: audited recall", str(recall), ">= .98", (recall or 0) >= 0.98)
    check_sound(setting, series)
    tabulate(setting, series)


@dataclass
class Kills:
    """What came of the kills over one corpus."""

    done: int = 0
    same: int = 0
    resumed: int = 0  # runs that took over at least one unit
    lines: list[int] = field(default_factory=list)  # in the journal when killed
    units: list[int] = field(default_factory=list)  # taken over
    redone: int = 0  # runs that took over fewer units than had a line
    violations: list[str] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)  # CPU of killed and resumed run together


def kill_once(
    setting: Setting, command: list[str], moment: float, wanted: str, kills: Kills
) -> bool:
    """One kill and its resume; False when the run was done before the moment came."""
    output, scratch = setting.clear(), setting.work / "scratch"
    killed = measure(command, output, setting.cpus, kill_after=moment)
    if output.exists():
        return False
    before = journal_units(output)
    resumed = measure([*command, "--resume"], output, setting.cpus)
    taken = manifest_of(output)["resumed_units"]
    kills.done += 1
    kills.same += digest(output) == wanted
    kills.resumed += taken > 0
    kills.redone += taken < len(before)
    kills.lines.append(len(before))
    kills.units.append(taken)
    kills.cost.append(killed.cpu + resumed.cpu)
    kills.violations += killed.violations + resumed.violations
    if resumed.units and resumed.units[: len(before)] != before:
        kills.violations.append(f"{len(before)} lines when killed, not there when resumed")
    if any(path.is_file() for path in scratch.rglob("*")) or list(output.parent.glob("*.partial")):
        kills.violations.append("temporary files left after a resumed run")
    setting.write_record(
        kill=moment, lines=len(before), resumed_units=taken, same=kills.same == kills.done,
        cpu=[killed.cpu, resumed.cpu], violations=kills.violations,
    )  # fmt: skip
    return True


def measure_kills(setting: Setting, arguments: argparse.Namespace) -> None:
    """kill -9 at random moments, each time resumed."""
    chance = random.Random(arguments.seed)
    for number, corpus in enumerate(arguments.corpora):
        count = arguments.count // len(arguments.corpora)
        count += number < arguments.count % len(arguments.corpora)
        _, _, wanted = setting.run("unlimited", corpus)
        whole, _, limited = setting.run("limited", corpus, *setting.limits())
        kills = Kills()
        command = setting.dedup(corpus, setting.work / "out", *setting.limits())
        for _ in range(4 * count):
            if kills.done == count:
                break
            print(f"  {corpus.name}: kill {kills.done + 1} of {count}", file=sys.stderr, flush=True)
            moment = chance.uniform(0, whole.wall)
            kill_once(setting, command, moment, wanted, kills)
        setting.clear()
        report_kills(setting, corpus.name, count, kills, limited == wanted, whole)


def report_kills(
    setting: Setting, name: str, count: int, kills: Kills, same: bool, whole: Measured
) -> None:
    what = f"{name} with --memory {setting.memory}"
    setting.add(f"{what}: result", "same" if same else "DIFFERS", "same bytes", same, True)
    setting.add(
        f"{what}: kill -9 and --resume", f"{kills.same} of {kills.done} the same bytes",
        f"{count} of {count}", kills.same == count, kills.same != kills.done,
    )  # fmt: skip
    setting.add(
        f"{what}: units done again after their line", f"in {kills.redone} runs", "none",
        kills.redone == 0, True,
    )  # fmt: skip
    setting.add(
        f"{what}: journal", "; ".join(kills.violations[:3]) or "clean", "clean",
        not kills.violations, True,
    )  # fmt: skip
    setting.details += [
        "",
        f"{name}: a whole run takes {whole.wall:.2f} s ({whole.cpu:.2f} s CPU) and was seen with "
        f"{len(whole.units)} journal lines. Of {kills.done} resumed runs {kills.resumed} took over "
        f"units: {kills.units} (lines when killed: {kills.lines}). "
        f"CPU of both halves together: median {statistics.median(kills.cost or [0]):.2f} s.",
    ]


def measure_skew(setting: Setting, arguments: argparse.Namespace) -> None:
    """Each kind at N and 2N."""
    sizes = {kind: arguments.size for kind in arguments.kinds}
    if arguments.template_size:
        sizes["one-template"] = arguments.template_size
    everything: dict[str, Series] = {}
    for kind, size in sizes.items():
        plans = {
            f"{kind}, {n:,}": (corpus_of(setting, kind, n), setting.limits())
            for n in (size, 2 * size)
        }
        series = interleaved(setting, plans)
        check_kind(setting, kind, series)
        everything |= series
    check_sound(setting, everything)
    tabulate(setting, everything)


def check_kind(setting: Setting, kind: str, series: dict[str, Series]) -> None:
    (_, one), (name, two) = series.items()
    ratio = two.cpu / one.cpu
    setting.add(
        f"{name} against half as many: CPU", f"{two.cpu:.2f} / {one.cpu:.2f} s = {ratio:.2f}",
        "<= 2.3", ratio <= 2.3,
    )  # fmt: skip
    recall = two.manifest["recall"]
    if recall["estimate"] is None:
        setting.add(f"{name}: audited recall", "no pair in the sample", ">= .98", True)
    else:
        shown = f"{recall['estimate']:.4f} ({recall['low']:.4f} to {recall['high']:.4f}), "
        shown += f"{recall['left_over']} left over"
        setting.add(f"{name}: audited recall", shown, ">= .98", recall["estimate"] >= 0.98)
    if setting.memory != "none":
        limit = mebibytes(setting.memory) * 1.1
        setting.add(f"{name}: peak", f"{two.peak:.0f} MB", f"<= {limit:.0f} MB", two.peak <= limit)
    if kind == "one-template":
        removed = sum(two.manifest["records"][k] for k in ("removed_exact", "removed_near"))
        setting.add(f"{name}: removed", str(removed), "0", removed == 0, True)


def number_list(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    common = argparse.ArgumentParser(add_help=False)
    default = HERE.parent / "build" / "release" / "bin" / "lookalike"
    common.add_argument("--binary", type=Path, default=default)
    common.add_argument("--work", type=Path, default=HERE.parent / "build" / "bench")
    common.add_argument("--threads", default="", help="of the command; its default when not given")
    common.add_argument("--cpus", default="", help="pin runs to these (a list for taskset)")
    common.add_argument("--repeats", type=int, default=1)
    common.add_argument("--record", type=Path, help="append JSON lines to this file")
    common.add_argument("--strict", action="store_true", help="fail where a bar is not met")
    ways = parser.add_subparsers(dest="way", required=True)
    memory = ways.add_parser("memory", parents=[common])
    memory.add_argument("corpora", type=Path, nargs=1, metavar="CORPUS")
    memory.add_argument("--memory", default="256M")
    memory.add_argument("--peak", type=float, help="bar in MB; 280/256 of --memory when not given")
    scale = ways.add_parser("scale", parents=[common])
    scale.add_argument("--sizes", type=number_list, default=[1_000_000, 10_000_000])
    scale.add_argument("--memory", default="1G")
    kills = ways.add_parser("kills", parents=[common])
    kills.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    kills.add_argument("--count", type=int, default=30)
    kills.add_argument("--seed", type=int, default=1)
    kills.add_argument("--memory", default="128M")
    skew = ways.add_parser("skew", parents=[common])
    skew.add_argument("--kinds", type=lambda text: text.split(","), default=list(SKEWED))
    skew.add_argument("--size", type=int, default=500_000)
    skew.add_argument("--template-size", type=int, default=10_000, help="of one-template; 0: none")
    skew.add_argument("--memory", default="1G", help="a size, or none for no limit")
    return parser.parse_args()


WAYS: dict[str, Callable[[Setting, argparse.Namespace], None]] = {
    "memory": measure_memory,
    "scale": measure_scale,
    "kills": measure_kills,
    "skew": measure_skew,
}


def markdown(setting: Setting) -> Iterator[str]:
    yield from ["| what | measured | bar | met |", "|---|---|---|---|"]
    for bar in setting.bars:
        met = "yes" if bar.met else "WRONG" if bar.wrong else "no"
        yield f"| {bar.what} | {bar.measured} | {bar.bar} | {met} |"
    yield ""
    yield from setting.details


def main() -> int:
    arguments = parse()
    arguments.work.mkdir(parents=True, exist_ok=True)
    setting = Setting(
        arguments.binary.resolve(), arguments.work.resolve(), arguments.threads, arguments.cpus,
        arguments.memory, arguments.repeats, arguments.record,
    )  # fmt: skip
    try:
        WAYS[arguments.way](setting, arguments)
    except CommandFailed as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(markdown(setting)))
    wrong = any(bar.wrong for bar in setting.bars)
    missed = any(not bar.met for bar in setting.bars)
    return 1 if wrong or (missed and arguments.strict) else 0


if __name__ == "__main__":
    sys.exit(main())
