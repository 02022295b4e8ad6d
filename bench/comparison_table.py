"""Medians, ratios and their spread out of interleaved runs, as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from contenders import Bar, Contender
from scoring import Score

MIB = 1 << 20


@dataclass
class Round:
    """What one run took: seconds and bytes."""

    cpu: float
    wall: float
    peak: int


@dataclass
class Entry:
    """A contender with its runs by number of the round, or why there are none."""

    contender: Contender
    rounds: dict[int, Round] = field(default_factory=dict)
    score: Score | None = None
    failure: str = ""

    def values(self, figure: str) -> dict[int, float]:
        return {number: getattr(run, figure) for number, run in self.rounds.items()}


@dataclass
class Spread:
    """The middle of some values and their ends."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))

    def show(self, digits: int | None = None) -> str:
        def number(value: float) -> str:
            places = digits if digits is not None else 0 if value >= 100 else 2 - (value >= 10)
            return f"{value:,.{places}f}"

        if number(self.least) == number(self.most):
            return number(self.median)
        return f"{number(self.median)} ({number(self.least)}-{number(self.most)})"


def ratios(one: Entry, other: Entry, figure: str = "cpu") -> Spread | None:
    """One over the other, round by round: what slowed a round slowed both. None: no common one."""
    ones, others = one.values(figure), other.values(figure)
    common = sorted(ones.keys() & others.keys())
    if not common:
        return None
    return Spread.of([ones[number] / max(others[number], 1e-9) for number in common])


def quality(score: Score | None) -> list[str]:
    if score is None:
        return ["-"] * 5
    shares = [score.precision, score.recall]
    counts = [score.removed, score.wrong, score.missed]
    return ["-" if share is None else f"{share:.4f}" for share in shares] + [
        f"{count:,}" for count in counts
    ]


def row(entry: Entry, entries: dict[str, Entry], megabytes: float) -> str:
    name = entry.contender.name
    if not entry.rounds:
        return f"| {name} | not measured: {entry.failure} |" + " |" * 9
    cpu = Spread.of(list(entry.values("cpu").values()))
    base = entries.get(entry.contender.base)
    against = ratios(entry, base) if base else None
    cells = [
        name, cpu.show(), f"{megabytes / max(cpu.median, 1e-9):,.0f}",
        against.show() if against else "-",
        Spread.of(list(entry.values("wall").values())).show(),
        f"{max(entry.values('peak').values()) / MIB:.0f}", *quality(entry.score),
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def table(entries: dict[str, Entry], megabytes: float) -> list[str]:
    """A table a group, in the order of the entries."""
    titles = ["what", "CPU s", "MB/s", "against dedup", "wall s", "peak MB", "precision", "recall",
              "removed", "wrongly", "missed"]  # fmt: skip
    lines: list[str] = []
    for group in dict.fromkeys(entry.contender.group for entry in entries.values()):
        lines += ["", f"**{group}**", "", "| " + " | ".join(titles) + " |", "|---" * 11 + "|"]
        lines += [
            row(entry, entries, megabytes)
            for entry in entries.values()
            if entry.contender.group == group
        ]
    return lines


def figure_of(bar: Bar, entries: dict[str, Entry]) -> Spread | None:
    """What a bar is about; None where it was not measured."""
    one, other = entries.get(bar.one), entries.get(bar.other)
    if one is None or not one.rounds:
        return None
    if bar.other:
        return ratios(one, other, bar.figure) if other else None
    if bar.figure == "peak":
        return Spread.of([peak / MIB for peak in one.values("peak").values()])
    share = getattr(one.score, bar.figure) if one.score else None
    return None if share is None else Spread(share, share, share)


def shown_bound(bound: float, at_least: bool) -> str:
    return f"{'>=' if at_least else '<='} {bound:g}"


def promise_row(
    what: str, spread: Spread, bound: float, at_least: bool, digits: int | None = None
) -> str:
    """A promise, what was measured, and whether the median keeps it."""
    met = spread.median >= bound if at_least else spread.median <= bound
    limit = shown_bound(bound, at_least)
    return f"| {what} | {spread.show(digits)} | {limit} | {'yes' if met else '**no**'} |"


def bar_row(bar: Bar, entries: dict[str, Entry]) -> str:
    spread = figure_of(bar, entries)
    if spread is None:
        return f"| {bar.what} | not measured | {shown_bound(bar.bound, bar.at_least)} | - |"
    digits = 4 if bar.figure in ("recall", "precision") else None
    return promise_row(bar.what, spread, bar.bound, bar.at_least, digits)


def bars_table(bars: Sequence[Bar], entries: dict[str, Entry]) -> list[str]:
    lines = ["", "| promise | measured | bar | met |", "|---|---|---|---|"]
    return lines + [bar_row(bar, entries) for bar in bars]


def commands(entries: dict[str, Entry]) -> list[str]:
    lines = ["", "<details><summary>The commands</summary>", "", "```"]
    width = max(len(name) for name in entries)
    lines += [f"{name:{width}}  {entry.contender.shown()}" for name, entry in entries.items()]
    return [*lines, "```", "", "</details>"]


def replace_between_markers(text: str, block: str, name: str = "bench") -> str:
    """The document with `block` between the markers; they are appended where there are none."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if begin not in text:
        return f"{text.rstrip()}\n\n{begin}\n{block.strip()}\n{end}\n"
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{begin} without {end}; put it back")
    return f"{before}{begin}\n{block.strip()}\n{end}{after}"
