"""Who takes part in bench/compare.py: how each is called and what it is held to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# Each peer has an environment of its own: their dependencies do not agree.
PACKAGES = {
    "duckdb": ["duckdb==2.0.0"],
    "datasketch": ["datasketch==1.10.0", "orjson"],
    "rensa": ["rensa==0.5.0", "orjson"],
    "fastsketchlsh": ["FastSketchLSH==1.0.1", "orjson", "numpy"],
    "gaoya": ["gaoya==0.2.2", "orjson"],
    "daft": ["daft==0.7.26", "pyarrow", "numpy"],
    "datatrove": ["datatrove[io,processing]==0.10.0", "orjson", "spacy"],
}
SUFFIXES = {"jsonl": ".jsonl", "zstd": ".jsonl.zst", "parquet": ".parquet"}


@dataclass(frozen=True)
class Contender:
    """One command. {in} and {out} stand for its input and its output."""

    name: str
    group: str  # heading in the table
    command: tuple[str, ...]
    form: str = "jsonl"  # of its input, and of its output where that is a copy
    base: str = "dedup"  # the contender that its figures are divided by
    kind: str = ""  # what scoring.py reads; empty: there is no answer to judge
    result: str = ""  # the file of the answer, below {out}
    suffix: str = ""  # of {out}
    cores: int = 1
    environment: str = ""  # of PACKAGES; the runner is bench/peers.py

    @property
    def output(self) -> str:
        return "out" + self.suffix

    def words(self, programs: Path, source: Path, output: Path) -> list[str]:
        """The command line, with the program's place in front."""
        first = programs / self.command[0]
        words = [str(first) if first.exists() else self.command[0], *self.command[1:]]
        places = {"{in}": str(source), "{out}": str(output)}
        return [places.get(word, word) for word in words]

    def shown(self) -> str:
        """The command line as a reader may type it."""
        places = {"{in}": "corpus" + SUFFIXES[self.form], "{out}": self.output}
        words = [places.get(word, word) for word in self.command]
        versions = " ".join(word for word in PACKAGES.get(self.environment, ()) if "==" in word)
        return " ".join(words) + (f"  # {versions}" if versions else "")


def ours(name: str, group: str, *options: str, form: str = "jsonl", base: str = "dedup",
         cores: int = 1) -> Contender:  # fmt: skip
    command = ("lookalike", "dedup", "{in}", "-o", "{out}", "--quiet",
               "--threads", str(cores), *options)  # fmt: skip
    return Contender(name, group, command, form, base, "removed", "removed.jsonl", cores=cores)


def peer(name: str, form: str = "jsonl", kind: str = "pairs", label: str = "",
         base: str = "dedup") -> Contender:  # fmt: skip
    environment = name.removesuffix("-verify")
    group = "Copying the file" if name == "duckdb" else "Other programs"
    suffix = SUFFIXES[form] if name == "duckdb" else "" if kind == "kept" else ".tsv"
    return Contender(label or name, group, ("peers.py", name, "{in}", "{out}"), form, base,
                     kind, "", suffix, 1, environment)  # fmt: skip


OURS, FLOOR = "Lookalike", "The floor"
CONTENDERS = (
    ours("dedup", OURS),
    ours("dedup, two cores", OURS, cores=2),
    ours("dedup --memory 64M", OURS, "--memory", "64M"),
    ours("dedup without audit", OURS, "--audit-documents", "0"),
    Contender("pairs", OURS,
              ("lookalike", "pairs", "{in}", "-o", "{out}", "--quiet", "--threads", "1"),
              kind="pairs", suffix=".jsonl"),
    ours("dedup, zstd", OURS, form="zstd", base="dedup, zstd"),
    ours("dedup, Parquet", OURS, form="parquet", base="dedup, Parquet"),
    Contender("read and parse", FLOOR, ("bench_floor", "{in}")),
    Contender("read, parse and write", FLOOR, ("bench_floor", "{in}", "{out}"), suffix=".jsonl"),
    Contender("zstd -d", FLOOR, ("zstd", "-d", "-q", "-f", "{in}", "-o", "{out}"), "zstd",
              suffix=".jsonl"),
    peer("duckdb", kind="", label="DuckDB COPY"),
    peer("duckdb", "zstd", kind="", label="DuckDB COPY, zstd", base="dedup, zstd"),
    peer("duckdb", "parquet", kind="", label="DuckDB COPY, Parquet", base="dedup, Parquet"),
    peer("daft"),
    peer("gaoya"),
    peer("rensa"),
    peer("rensa-verify", label="rensa, with its estimate checked"),
    peer("fastsketchlsh", label="FastSketchLSH"),
    peer("datasketch"),
    peer("datatrove", kind="kept"),
)  # fmt: skip


@dataclass(frozen=True)
class Bar:
    """A promise: the figure of `one` over that of `other` is at most, or at least, `bound`. Without
    `other` the figure itself, a peak in MB or a share of the score."""

    what: str
    one: str
    other: str
    bound: float
    at_least: bool = False
    figure: str = "cpu"


BARS = (
    Bar("`dedup` against DuckDB's COPY", "dedup", "DuckDB COPY", 0.75),
    Bar("`dedup` against reading, parsing and writing", "dedup", "read, parse and write", 4),
    Bar("the fastest program that removes documents (datatrove)", "datatrove", "dedup", 35, True),
    Bar("`pairs`: the fastest that verifies nothing (daft)", "daft", "pairs", 13, True),
    Bar("`pairs`: the fastest that verifies (gaoya)", "gaoya", "pairs", 35, True),
    Bar("zstd JSON Lines against DuckDB's COPY", "dedup, zstd", "DuckDB COPY, zstd", 1),
    Bar("zstd Parquet against DuckDB's COPY", "dedup, Parquet", "DuckDB COPY, Parquet", 1.25),
    Bar("two cores against one, wall", "dedup", "dedup, two cores", 1.8, True, "wall"),
    Bar("`--memory 64M`", "dedup --memory 64M", "dedup", 1.4),
    Bar("the audit", "dedup", "dedup without audit", 1.1),
    Bar("peak of `dedup`, MB", "dedup", "", 150, figure="peak"),
    Bar("peak with `--memory 64M`, MB", "dedup --memory 64M", "", 72, figure="peak"),
    Bar("recall of `pairs`", "pairs", "", 0.998, True, "recall"),
    Bar("precision of `pairs`", "pairs", "", 1, True, "precision"),
)
