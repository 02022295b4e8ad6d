"""`--keep` with several criteria: kept set, witnesses and what decided, by the definition."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from result_folder import ResultFolder
from word_features import decide

Run = Callable[..., Any]
Rows = list[dict[str, Any]]

#: One word in a shingle and an exact search, so that short texts have many resemblances.
WORDS = ("--shingle", "word:1", "--min-features", "1", "--method", "exact", "--quiet")
THRESHOLD = 0.5
INPUTS = ("a.jsonl", "b.jsonl", "c.jsonl")
REFERENCE = "reference"
INPUT_ORDER = "input order"


def corpus(seed: int, count: int) -> Rows:
    """Rows in families of near-duplicates and copies, whose lengths and fields often tie."""
    draw = random.Random(seed)
    values: list[Any] = [0, 1, 1.0, 2.5, "x", "x" * 17 + "a", "x" * 17 + "b", None, True, "missing"]
    rows: Rows = []
    while len(rows) < count:
        words = [f"w{draw.randrange(10, 100)}" for _ in range(draw.choice([6, 8]))]
        for _ in range(draw.choice([1, 2, 4, 7])):
            own = list(words)
            for _ in range(draw.choice([0, 0, 1, 2])):
                own[draw.randrange(len(own))] = f"w{draw.randrange(10, 100)}"
            row: dict[str, Any] = {"id": f"d{len(rows)}", "text": " ".join(own)}
            for field in ("score", "date"):
                value = draw.choice(values)
                if value != "missing":
                    row[field] = value
            row["meta"] = {"rank": draw.randrange(3)}
            rows.append(row)
    draw.shuffle(rows)
    return rows


def value_of(row: dict[str, Any], path: str) -> Any:
    found: Any = row
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def sort_key(row: dict[str, Any], source: str, criterion: str) -> Any:
    """Smaller keys are preferred; equal ones tie."""
    if criterion in ("longest", "shortest"):
        return len(row["text"]) * (-1 if criterion == "longest" else 1)
    kind, rest = criterion.split(":", 1)
    if kind == "source":
        names = rest.split(",")
        return names.index(source) if source in names else len(names)
    descending = rest.endswith(":desc")
    value = value_of(row, rest.removesuffix(":desc").removesuffix(":asc"))
    if value is None:
        return (1,)
    # Whole numbers of code points, so that their order can be turned round.
    form = (0, [value]) if not isinstance(value, str) else (1, [ord(c) for c in value])
    if not descending:
        return (0, form)
    kind_of_value, parts = form
    return (0, (-kind_of_value, [-part for part in parts] + ([1] if kind_of_value else [])))


class Expected:
    """What the definition says about rows in inputs, some of which may be a reference."""

    def __init__(self, inputs: list[tuple[str, Rows]], criteria: list[str], reference: int) -> None:
        self.rows = [row for _, rows in inputs for row in rows]
        sources = [name for name, rows in inputs for _ in rows]
        of_criteria = [c for c in criteria if c != "first"]
        self.keys = [
            [sort_key(row, source, c) for c in of_criteria]
            for row, source in zip(self.rows, sources, strict=True)
        ]
        self.criteria = of_criteria
        self.reference = reference
        order = sorted(
            range(len(self.rows)),
            key=lambda doc: (doc >= reference, self.keys[doc] if doc >= reference else [], doc),
        )
        texts = [row["text"] for row in self.rows]
        witnesses = decide(texts, order, 1, THRESHOLD)
        self.witnesses = {doc: w for doc, w in witnesses.items() if doc >= reference}

    def kept_by(self, doc: int, witness: int) -> str:
        if witness < self.reference:
            return REFERENCE
        for criterion, own, other in zip(
            self.criteria, self.keys[doc], self.keys[witness], strict=True
        ):
            if own != other:
                assert other < own, "the witness is preferred"
                return criterion
        return INPUT_ORDER

    def removed(self) -> dict[str, tuple[str, str]]:
        """By id: the witness, and what decided."""
        return {
            self.rows[doc]["id"]: (self.rows[witness]["id"], self.kept_by(doc, witness))
            for doc, witness in self.witnesses.items()
        }

    def counts(self) -> dict[str, int]:
        decided = [by for _, by in self.removed().values()]
        names = [*([REFERENCE] if REFERENCE in decided else []), *self.criteria, INPUT_ORDER]
        return {name: decided.count(name) for name in names}


def found(folder: Path) -> dict[str, tuple[str, str]]:
    return {
        row["id"]: (row["duplicate_of"], row["kept_by"]) for row in ResultFolder(folder).removed
    }


def flags(criteria: list[str]) -> list[str]:
    return [word for criterion in criteria for word in ("--keep", criterion)]


def split(rows: Rows) -> list[tuple[str, Rows]]:
    third = len(rows) // 3
    parts = (rows[:third], rows[third : 2 * third], rows[2 * third :])
    return list(zip(INPUTS, parts, strict=True))


POLICIES = [
    ["longest"],
    ["field:score:desc"],
    ["source:c.jsonl,a.jsonl"],
    ["longest", "first"],
    ["source:b.jsonl", "longest"],
    ["shortest", "field:date"],
    ["field:score", "field:date:desc"],
    ["longest", "source:c.jsonl", "field:meta.rank:desc"],
    ["field:date", "shortest", "field:score:desc", "source:b.jsonl,c.jsonl"],
    ["source:c.jsonl", "field:meta.rank", "longest", "field:date:asc"],
]


@pytest.mark.parametrize("criteria", POLICIES, ids=" ".join)
def test_is_the_definition(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, criteria: list[str]
) -> None:
    for seed in range(3):
        inputs = split(corpus(seed, 90))
        for name, rows in inputs:
            write_jsonl(name, rows)
        expected = Expected(inputs, criteria, 0)
        out = f"out{seed}"
        done = run("dedup", *INPUTS, "-o", out, *WORDS, "--threshold", THRESHOLD,
                   *flags(criteria), "--json")  # fmt: skip
        assert found(tmp_path / out) == expected.removed()
        assert done.json["kept_by"] == expected.counts()
        assert list(done.json["kept_by"]) == list(expected.counts()), "in the order of criteria"
        assert ResultFolder(tmp_path / out).manifest["kept_by"] == expected.counts()
        gone = set(expected.removed())
        for name, rows in inputs:
            kept = [row["id"] for row in rows if row["id"] not in gone]
            assert ResultFolder(tmp_path / out).kept_ids(name) == kept


def test_a_reference_decides_before_all_criteria(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    rows = corpus(7, 120)
    # Documents of a reference stay however alike they are, which the definition here does not know.
    gone = decide([row["text"] for row in rows[:40]], list(range(40)), 1, THRESHOLD)
    reference = [row for i, row in enumerate(rows[:40]) if i not in gone]
    own = rows[40:]
    write_jsonl("ref.jsonl", reference)
    inputs = split(own)
    for name, part in inputs:
        write_jsonl(name, part)
    criteria = ["field:score", "longest"]
    expected = Expected([("ref.jsonl", reference), *inputs], criteria, len(reference))
    run("dedup", *INPUTS, "-o", "out", *WORDS, "--threshold", THRESHOLD, *flags(criteria),
        "--against", "ref.jsonl")  # fmt: skip
    assert found(tmp_path / "out") == expected.removed()
    assert REFERENCE in {by for _, by in expected.removed().values()}


def families(count: int) -> Rows:
    """More documents than the definition can be asked about; strings begin alike."""
    draw = random.Random(3)
    rows: Rows = []
    for n in range(count):
        words = [f"f{n // 3}w{i}" for i in range(12)]
        words[draw.randrange(12)] = f"x{draw.randrange(50)}"
        site = "https://www.example.org/" + "p" * draw.choice([40, 900])
        rows.append({"id": f"d{n}", "text": " ".join(words), "url": site + str(draw.randrange(4)),
                     "score": draw.randrange(3)})  # fmt: skip
    draw.shuffle(rows)
    return rows


def test_threads_memory_and_tasks_change_nothing(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    for name, rows in split(families(6000)):
        write_jsonl(name, rows)
    criteria = flags(["field:score", "field:url:desc", "source:c.jsonl,b.jsonl", "longest"])
    options = (*WORDS[:4], "--threshold", "0.6", *criteria)
    run("dedup", *INPUTS, "-o", "one", *options, "--threads", "1", "--quiet")
    one = ResultFolder(tmp_path / "one").digest()
    run("dedup", *INPUTS, "-o", "two", *options, "--threads", "2", "--quiet")
    run("dedup", *INPUTS, "-o", "small", *options, "--memory", "64M", "--quiet")
    for name in ("two", "small"):
        other = ResultFolder(tmp_path / name).digest()
        assert other["removed.jsonl"] == one["removed.jsonl"]
        assert other == one


STAGES = ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write")


def test_tasks_change_nothing(run: Run, write_jsonl: Callable[..., Path], tmp_path: Path) -> None:
    for name, rows in split(corpus(6, 150)):
        write_jsonl(name, rows)
    criteria = flags(["field:score", "source:c.jsonl,b.jsonl", "field:date:desc", "longest"])
    options = (*WORDS[:4], "--threshold", "0.5", *criteria)
    lanes = {"LOOKALIKE_STRESS": "lanes"}  # every document is a unit by itself
    run("dedup", *INPUTS, "-o", "one", *options, "--quiet")
    one = ResultFolder(tmp_path / "one")
    run("shard", "plan", *INPUTS, "-o", "tasks", "--job", "job", *options, env=lanes)
    for stage in STAGES:
        for task in ("2/3", "0/3", "1/3"):
            run("shard", "run", "job", stage, "--task", task, "--quiet")
    tasks = ResultFolder(tmp_path / "tasks")
    assert {by for _, by in found(tasks.path).values()} > {INPUT_ORDER, "field:score"}
    for name in ("removed.jsonl", "clusters.jsonl", "report.html"):
        assert (tasks.path / name).read_bytes() == (one.path / name).read_bytes()
    assert tasks.manifest["kept_by"] == one.manifest["kept_by"]


def test_the_default_says_nothing(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", corpus(1, 60))
    run("dedup", "in.jsonl", "-o", "default", *WORDS)
    done = run("dedup", "in.jsonl", "-o", "first", *WORDS, "--keep", "first", "--json")
    assert ResultFolder(tmp_path / "first").digest() == ResultFolder(tmp_path / "default").digest()
    assert all("kept_by" not in row for row in ResultFolder(tmp_path / "first").removed)
    assert "kept_by" not in done.json
    assert "kept_by" not in ResultFolder(tmp_path / "first").manifest
    assert b'"kept_by"' not in (tmp_path / "first" / "report.html").read_bytes()


def test_the_summary_counts_what_only_input_order_decided(
    run: Run, write_jsonl: Callable[..., Path]
) -> None:
    texts = ["a b c d", "a b c d e", "a b c d e", "p q r s", "p q r s"]
    write_jsonl("in.jsonl", [{"id": str(i), "text": text} for i, text in enumerate(texts)])
    done = run("dedup", "in.jsonl", "-o", "out", *WORDS[:4], "--keep", "longest")
    assert "kept by" in done.stdout
    line = next(line for line in done.stdout.splitlines() if "kept by" in line)
    assert "longest 1; 2 of 3 removals were decided by the order of the inputs only" in line
    again = run("dedup", "in.jsonl", "-o", "out", *WORDS[:4], "--keep", "longest", "--resume")
    assert line in again.stdout, "a complete result says the same"


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        (["first", "longest"], "--keep first must come last"),
        (["longest", "longest"], "--keep longest is given twice"),
        (["longest", "shortest"], "compares the same as longest"),
        (["field:a", "field:a:desc"], "compares the same as field:a"),
        (["longest", "newest"], "--keep 'newest' is not understood"),
        ([f"field:f{i}" for i in range(9)], "--keep has 9 criteria; use at most 8"),
        (["longest", "source:z.jsonl"], "no input is named 'z.jsonl'"),
        (["field:score", "longest", "field:nowhere"], 'in the field "nowhere"'),
    ],
)
def test_errors_say_what_to_do(
    run: Run, write_jsonl: Callable[..., Path], criteria: list[str], said: str
) -> None:
    write_jsonl("in.jsonl", corpus(2, 30))
    done = run("dedup", "in.jsonl", "-o", "out", *WORDS, *flags(criteria), code=None)
    assert done.code == 2, done.stderr
    assert said.replace("'", "") in done.stderr.replace("'", ""), done.stderr


def test_a_configuration_has_a_list_or_a_string(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", corpus(4, 60))
    for value, criteria in (
        (["field:score", "longest"], ["field:score", "longest"]),
        ("longest", ["longest"]),
    ):
        (tmp_path / "l.toml").write_text(f"keep = {json.dumps(value)}\n")
        run("dedup", "in.jsonl", "-o", "file", *WORDS, "--config", "l.toml", "--overwrite")
        run("dedup", "in.jsonl", "-o", "flags", *WORDS, *flags(criteria), "--overwrite")
        files = [ResultFolder(tmp_path / name).digest() for name in ("file", "flags")]
        assert files[0] == files[1]


@pytest.mark.parametrize("criteria", [["longest"], ["field:score", "source:c.jsonl", "longest"]])
def test_rethreshold_keeps_the_policy(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, criteria: list[str]
) -> None:
    for name, rows in split(corpus(5, 150)):
        write_jsonl(name, rows)
    run("dedup", *INPUTS, "-o", "low", *WORDS, "--threshold", "0.4", *flags(criteria))
    run("dedup", *INPUTS, "-o", "high", *WORDS, "--threshold", "0.6", *flags(criteria))
    done = run("rethreshold", "low", "-o", "again", "--threshold", "0.6", "--json")
    low, high, again = (ResultFolder(tmp_path / name) for name in ("low", "high", "again"))
    assert again.removed == high.removed
    assert low.removed != high.removed
    assert done.json["kept_by"] == high.manifest["kept_by"]


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_every_format_has_further_fields(
    run: Run, write_jsonl: Callable[..., Path], tmp_path: Path, form: str
) -> None:
    rows: Rows = [
        {"id": "a", "text": "p q r s", "x": 1, "y": "m", "z": 0.5},
        {"id": "b", "text": "p q r s", "x": 1, "y": "n", "z": 0.5},
        {"id": "c", "text": "p q r s", "x": 1, "y": "n", "z": 2.5},
        {"id": "d", "text": "p q r s", "x": 2, "y": "z", "z": 9.5},
    ]
    if form == "jsonl":
        write_jsonl("in.jsonl", rows)
    elif form == "csv":
        lines = ["id,text,x,y,z", *(",".join(map(str, row.values())) for row in rows)]
        (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    run("dedup", f"in.{form}", "-o", "out", "--quiet",
        *flags(["field:x", "field:y:desc", "field:z:desc"]))  # fmt: skip
    assert found(tmp_path / "out") == {
        "a": ("c", "field:y:desc"),
        "b": ("c", "field:z:desc"),
        "d": ("c", "field:x"),
    }
