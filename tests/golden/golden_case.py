"""Golden cases: reading, running and writing them (README.md says what one looks like)."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet

CASES = Path(__file__).resolve().parent / "cases"
CODEC_OF_ENDING = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
TABLE_OF_ENDING = {".parquet": "parquet", ".arrow": "arrow"}
# The parts of texts, for people and for machines, that differ from run to run.
MASKS = [
    (re.compile(r"^(  time +).*$", re.M), r"\1<time>"),
    (re.compile(r"^(  memory +).*$", re.M), r"\1<memory>"),
    (re.compile(r"^  resumed .*\n", re.M), ""),
    (re.compile(r"^lookalike: [a-z]+ +[0-9]+ %, .*\n", re.M), ""),  # progress, where it is slow
    (re.compile(r'("resumed_units":)[0-9]+'), r"\g<1>0"),
    (
        re.compile(
            r'("(?:seconds|cpu_seconds|bytes_per_second|peak_memory_bytes|peak_scratch_bytes)":)'
            r"[0-9.e+-]+"
        ),
        r"\1<number>",
    ),
]


@dataclass
class GivenFile:
    """A file of a case: its name, how it is written there, and its content."""

    name: str
    mode: str
    content: bytes


@dataclass
class Step:
    """One command of a case, and the text that is expected after it."""

    words: list[str]
    stdin: str | None = None
    expected: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        return "$ " + shlex.join(self.words) + (f" < {self.stdin}" if self.stdin else "")


@dataclass
class Case:
    """A whole case. `front` is its text up to the first command, as it stands."""

    front: list[str]
    files: list[GivenFile]
    steps: list[Step]


def lines_of(text: str) -> list[str]:
    """Lines that end in a newline and nothing else, as editors count them."""
    return text.removesuffix("\n").split("\n") if text else []


def unescape(text: str) -> bytes:
    """Bytes of an escaped section."""
    plain = text.replace("\n", "").encode("ascii")
    return plain.decode("unicode_escape").encode("latin-1")


def escape(content: bytes) -> str:
    """An escaped section of these bytes, a line of it for each of theirs."""
    lines = content.decode("latin-1").splitlines(keepends=True) if content else []
    shown = [line.encode("unicode_escape").decode("ascii") for line in lines]
    return "".join(line + "\n" for line in shown)


def read_given(header: str, lines: list[str]) -> GivenFile:
    name, _, mode = header.removeprefix("<<< ").partition(" ")
    text = "".join(line + "\n" for line in lines)
    return GivenFile(name, mode, unescape(text) if "escaped" in mode else text.encode())


def parse_command(line: str) -> Step:
    words = shlex.split(line.removeprefix("$ "))
    if len(words) > 2 and words[-2] == "<":
        return Step(words[:-2], words[-1])
    return Step(words)


def parse(text: str) -> Case:
    """The case that a file's text describes."""
    case = Case([], [], [])
    blocks: list[tuple[str, list[str]]] = []
    for line in lines_of(text):
        if line.startswith("$ "):
            case.steps.append(parse_command(line))
        elif case.steps:
            case.steps[-1].expected.append(line)
        else:
            case.front.append(line)
            if line.startswith("<<< "):
                blocks.append((line, []))
            elif blocks:
                blocks[-1][1].append(line)
    case.files = [read_given(header, lines) for header, lines in blocks]
    return case


def as_table(content: bytes) -> pa.Table:
    return pyarrow.json.read_json(io.BytesIO(content))


def write_given(folder: Path, given: GivenFile) -> None:
    """Puts a file of a case into the folder."""
    path = folder / given.name
    path.parent.mkdir(parents=True, exist_ok=True)
    content = given.content
    for word in given.mode.split():
        if word in CODEC_OF_ENDING.values():
            sink = pa.BufferOutputStream()
            with pa.CompressedOutputStream(sink, word) as stream:
                stream.write(content)
            content = sink.getvalue().to_pybytes()
    if "parquet" in given.mode.split():
        pyarrow.parquet.write_table(as_table(content), path)
    elif "arrow" in given.mode.split():
        table = as_table(content)
        with pyarrow.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    else:
        path.write_bytes(content)


def table_text(path: Path, kind: str) -> bytes:
    """The rows of a columnar file as JSON Lines."""
    if kind == "parquet":
        table = pyarrow.parquet.read_table(path)
    else:
        table = pyarrow.ipc.open_file(path).read_all()
    rows = [json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()]
    return "".join(rows).encode()


def manifest_text(path: Path) -> bytes:
    manifest = json.loads(path.read_text(encoding="utf-8"))
    parts = ["records", "notes", "fields"]
    return "".join(f"{part}: {json.dumps(manifest[part])}\n" for part in parts).encode()


def shown_content(path: Path) -> bytes:
    """What a case shows of a file."""
    if path.name == "manifest.json":
        return manifest_text(path)
    if path.suffix in TABLE_OF_ENDING:
        return table_text(path, TABLE_OF_ENDING[path.suffix])
    content = path.read_bytes()
    if path.suffix in CODEC_OF_ENDING:
        codec = CODEC_OF_ENDING[path.suffix]
        with pa.CompressedInputStream(pa.BufferReader(content), codec) as stream:
            return stream.read()
    return content


def section(name: str, content: bytes) -> list[str]:
    """The lines that show one output; escaped where bytes would not be seen."""
    try:
        text = content.decode("utf-8")
        plain = (not text or text.endswith("\n")) and not re.search(
            r"[^\n -~\u00a1-\U0010ffff]", text
        )
        plain = (
            plain and not re.search(r"^(>>> |<<< |\$ |exit )", text, re.M) and "\ufeff" not in text
        )
    except UnicodeDecodeError:
        plain = False
    if plain:
        return [f">>> {name}", *lines_of(text)]
    return [f">>> {name} escaped", *escape(content).splitlines()]


def mask(text: bytes) -> bytes:
    shown = text.decode("utf-8", "surrogateescape")
    for pattern, replacement in MASKS:
        shown = pattern.sub(replacement, shown)
    return shown.encode("utf-8", "surrogateescape")


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Files below the folder; the stamps tell whether one was written again.

    What `checks.jsonl` has are times of the inputs and hashes of the other files, which are shown;
    `scores.bin` has the pairs behind them (tests/cli/test_rethreshold.py).
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("checks.jsonl", "scores.bin"):
            status = path.stat()
            found[str(path.relative_to(folder))] = (status.st_ino, status.st_mtime_ns)
    return found


@dataclass
class Outcome:
    """What came of one step: the text a case shows, and a hash of what it does not show."""

    lines: list[str]
    hidden: str


@dataclass(frozen=True)
class Configuration:
    """What is added to the commands of a case, and may not change a byte of what comes of them."""

    options: tuple[str, ...] = ()  # behind every `dedup`, `pairs` and `sketch`
    environment: tuple[tuple[str, str], ...] = ()


def run_command(
    step: Step, folder: Path, binary: Path, configuration: Configuration
) -> subprocess.CompletedProcess[bytes]:
    """Runs the command of a step, and looks at nothing that comes of it."""
    words = list(step.words[1:])
    if words[0] in ("dedup", "pairs", "sketch"):
        words += configuration.options
    return subprocess.run(
        [str(binary), *words],
        cwd=folder,
        input=(folder / step.stdin).read_bytes() if step.stdin else b"",
        env={**os.environ, **dict(configuration.environment)},
        capture_output=True,
        timeout=60,
        check=False,
    )


def run_step(
    step: Step,
    folder: Path,
    binary: Path,
    configuration: Configuration,
    before: dict[str, tuple[int, int]] | None = None,
) -> Outcome:
    """Runs one command of a case in its folder. `before`: the snapshot that shows what is new."""
    before = snapshot(folder) if before is None else before
    done = run_command(step, folder, binary, configuration)
    lines = [f"exit {done.returncode}"]
    for name, content in (("stdout", done.stdout), ("stderr", done.stderr)):
        if shown := mask(content):
            lines += section(name, shown)
    hidden = hashlib.sha256()
    after = snapshot(folder)
    for name in (name for name, stamp in after.items() if before.get(name) != stamp):
        if name.endswith("report.html"):
            hidden.update((folder / name).read_bytes())
        else:
            lines += section(name, shown_content(folder / name))
    lines += [f"gone {name}" for name in before if name not in after]
    return Outcome(lines, hidden.hexdigest())


def run_case(
    case: Case, folder: Path, binary: Path, configuration: Configuration = Configuration()
) -> list[Outcome]:
    """Runs all commands of a case in a fresh folder."""
    for given in case.files:
        write_given(folder, given)
    return [run_step(step, folder, binary, configuration) for step in case.steps]


def render(case: Case, outcomes: list[Outcome]) -> str:
    """The text of a case with these outcomes."""
    lines = list(case.front)
    for step, outcome in zip(case.steps, outcomes, strict=True):
        lines += [step.line, *outcome.lines]
    return "".join(line + "\n" for line in lines)
