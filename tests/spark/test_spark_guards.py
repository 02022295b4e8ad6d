"""Guards keep apart on Spark what they keep apart in one process."""

from __future__ import annotations

import datetime
import json
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lookalike
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
import lookalike.spark as on_spark  # noqa: E402 - needs pyspark
from lookalike.spark import _program  # noqa: E402

SCHEMA = "id string, text string, lang string, site long, day date, n long"
#: What a row of removed.jsonl says, whoever wrote it.
FACTS = ("id", "source", "row", "kind", "duplicate_of", "duplicate_of_row", "resemblance")
RECALL = ("sampled_documents", "estimate", "low", "high")


def documents() -> list[dict[str, Any]]:
    """Large buckets of one template, near-copies and short texts, in which numbers, dates and
    fields differ or not; some values are missing, and some documents have no words."""
    source = random.Random(17)
    frame = " ".join(f"clause{i}" for i in range(70))
    texts: list[str | None] = []
    for i in range(220):  # more than a small bucket holds
        own = " ".join(f"own{source.randrange(300)}" for _ in range(source.randrange(12)))
        number = i % 80
        texts.append(f"invoice {number} of 2024-0{1 + i % 9}-11: {frame} {own}")
    for _ in range(120):
        words = [f"word{source.randrange(4000)}" for _ in range(100)]
        for _ in range(source.randrange(1, 5)):
            changed = list(words)
            changed[source.randrange(100)] = f"other{source.randrange(4000)}"
            at = source.randrange(100)
            changed[at] = source.choice(["7", "12", "seven", "May 5, 2021", "2021-05-05"])
            texts.append(" ".join(changed))
        if source.random() < 0.4:
            texts += [" ".join(words)] * 2
    for _ in range(240):
        common = ["often", "usual", "plain"][: source.randrange(4)]
        own = [source.choice(["a", "b", "c", "5", "6"]) for _ in range(source.randrange(1, 7))]
        texts.append(" ".join([*common, *own]))
    texts += [None, "", "", "?", "?", "--", "--", None]
    source.shuffle(texts)
    day = datetime.date(2024, 5, 31)
    return [
        {
            "id": f"d{n}",
            "text": text,
            "lang": source.choice([None, "de", "de", "fr", ""]),
            "site": source.choice([None, 1, 2, 3]),
            "day": source.choice([None, day, day + datetime.timedelta(days=1)]),
        }
        for n, text in enumerate(texts)
    ]


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    types = {"id": pa.string(), "text": pa.string(), "lang": pa.string(), "site": pa.int64()}
    return pa.Table.from_pylist(rows, pa.schema([*types.items(), ("day", pa.date32())]))


def frame_of(spark: Any, rows: list[dict[str, Any]], partitions: int) -> Any:
    """A DataFrame in another order than that of n."""
    numbered = [{**row, "n": n} for n, row in enumerate(rows)]
    random.Random(partitions).shuffle(numbered)
    return spark.createDataFrame(numbered, SCHEMA).repartition(partitions)


CASES: list[dict[str, Any]] = [
    {"differ": "numbers"},
    {"differ": ["dates", "lang"], "not_same": "site"},
    {"same": ["lang", "day"], "differ": "regex:own[0-9]+"},
    {"differ": "numbers", "exact_empty": True, "keep": ["field:site:desc", "longest"]},
    {"same": "site", "exact_empty": True},
    {"not_same": ["lang", "site"], "exact_empty": True},
    {"differ": "numbers", "cluster": "components", "threshold": 0.6},
    {
        "differ": "dates", "same": "lang", "not_same": "site", "shingle": "word:2",
        "threshold": 0.6,
    },
]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(case, marks=[] if i in (0, 1, 3) else [pytest.mark.slow])
        for i, case in enumerate(CASES)
    ],
    ids=lambda options: "-".join(options),
)
def test_guards_remove_what_they_remove_in_one_process(
    spark: Any, work: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    rows = documents()
    made = on_spark.dedup(
        frame_of(spark, rows, 4), order_col="n", work_dir=work(), partitions=3, **options
    )
    one = lookalike.dedup(table_of(rows), design=made.manifest["design"], **options)
    assert corpora.removals(made) == corpora.removals(one)
    assert len(corpora.removals(made)) > 20
    assert sorted(row["id"] for row in made.kept.collect()) == sorted(one.kept["id"].to_pylist())
    assert corpora.clusters(made) == corpora.clusters_of_one_process(one)
    recall, wanted = made.manifest["recall"], one.manifest["recall"]
    assert recall["covers"] == wanted["covers"]
    assert recall["sampled_documents"] == wanted["sampled_documents"]
    unguarded = {
        name: value
        for name, value in options.items()
        if name not in ("differ", "same", "not_same")
    }
    without = lookalike.dedup(table_of(rows), design=made.manifest["design"], **unguarded)
    assert corpora.removals(without) != corpora.removals(one), "the guards make a difference"
    parquet.write_table(table_of(rows), tmp_path / "in.parquet")
    check_guarded(made, tmp_path, options)


@pytest.mark.parametrize(
    "options",
    [
        {"differ": "regex: [01]$"},
        pytest.param({"same": "lang", "not_same": "site"}, marks=pytest.mark.slow),
    ],
    ids=lambda options: "-".join(options),
)
def test_the_recall_is_that_of_one_process(
    spark: Any, work: Any, options: dict[str, Any]
) -> None:
    """Where no document has more similar ones than the command looks at, it is the same."""
    source = random.Random(4)
    rows = documents()
    texts = [f"{text} {source.choice('01')}" for text in corpora.near_copies()]
    rows = [{**row, "text": text} for row, text in zip(rows, texts, strict=False)]
    made = on_spark.dedup(
        frame_of(spark, rows, 3), order_col="n", work_dir=work(), partitions=2,
        design="bands:2x12", **options,
    )  # fmt: skip
    one = lookalike.dedup(table_of(rows), design="bands:2x12", **options)
    recall, wanted = made.manifest["recall"], one.manifest["recall"]
    assert recall["estimate"] < 0.95
    assert recall["sampled_pairs"] == wanted["sampled_pairs"] > 20
    assert [recall[name] for name in RECALL] == [wanted[name] for name in RECALL]
    assert recall["left_over"] == wanted["left_over"]


def check_guarded(made: Any, folder: Path, options: dict[str, Any]) -> None:
    """The guarded pairs are those that the command lists."""
    if "differ" not in options:
        assert made.guarded is None
        assert "guarded_pairs" not in made.manifest
        return
    output = folder / "command"
    given = ["--design", made.manifest["design"]]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            given.append(flag)
        else:
            for each in value if isinstance(value, list) else [value]:
                given += [flag, each]
    run_command("dedup", folder / "in.parquet", "-o", output, *given)
    rows = [json.loads(line) for line in (output / "guarded.jsonl").open("rb")]
    assert len(rows) > 20
    wanted = facts_of(rows)
    assert facts_of(made.guarded.collect()) == wanted
    assert made.manifest["guarded_pairs"] == len(wanted)
    manifest = json.loads((output / "manifest.json").read_text())
    assert manifest["guarded_pairs"] == len(wanted)
    assert made.manifest.get("kept_by") == manifest.get("kept_by")


def facts_of(guarded: list[Any]) -> list[tuple[str, ...]]:
    names = ("a", "b", "resemblance", "differ")
    return sorted(tuple(json.dumps(row[name], sort_keys=True) for name in names) for row in guarded)


def run_command(*arguments: Any) -> None:
    command = [sys.executable, "-m", "lookalike._command", *map(str, arguments), "--quiet"]
    done = subprocess.run(command, check=False, capture_output=True)
    assert done.returncode in (0, 3), done.stderr.decode()


@pytest.mark.parametrize(
    "options",
    [
        {"differ": "numbers", "not_same": "site"},
        pytest.param({"same": "lang", "differ": ["day", "dates"]}, marks=pytest.mark.slow),
    ],
)
def test_pairs_are_those_of_one_process(
    spark: Any, work: Any, options: dict[str, Any]
) -> None:
    rows = documents()
    found = on_spark.pairs(
        frame_of(spark, rows, 3), order_col="n", work_dir=work(), partitions=3,
        design="bands:8x4", **options,
    )  # fmt: skip
    one = lookalike.pairs(table_of(rows), design="bands:8x4", **options).to_arrow()
    names = ("a", "b", "resemblance", "common", "size_a", "size_b")
    wanted = sorted(tuple(row[name] for name in names) for row in one.to_pylist())
    assert len(wanted) > 50
    assert sorted(tuple(row[name] for name in names) for row in found.collect()) == wanted


@pytest.mark.slow
def test_the_nearest_are_the_best_of_these_pairs(spark: Any, work: Any) -> None:
    rows = documents()
    df = frame_of(spark, rows, 3)
    given: dict[str, Any] = {
        "order_col": "n", "work_dir": work(), "partitions": 3, "differ": "numbers",
        "design": "bands:8x4",
    }  # fmt: skip
    best: dict[str, list[tuple[float, int, str]]] = {}
    for row in on_spark.pairs(df, **given).collect():
        for one, other in ((row["a"], row["b"]), (row["b"], row["a"])):
            best.setdefault(one, []).append((-row["resemblance"], int(other[1:]), other))
    wanted = {name: [each[2] for each in sorted(found)[:2]] for name, found in best.items()}
    nearest: dict[str, list[str]] = {}
    for row in on_spark.nearest(df, top=2, **given).orderBy("id", "rank").collect():
        nearest.setdefault(row["id"], []).append(row["neighbour"])
    assert nearest == wanted


def test_documents_of_a_reference_have_guards_too(spark: Any, work: Any, tmp_path: Path) -> None:
    rows = documents()
    known, new = rows[:300], rows[300:]
    options: dict[str, Any] = {"differ": "numbers", "same": "lang"}
    made = on_spark.dedup(
        frame_of(spark, new, 3), order_col="n", against=frame_of(spark, known, 2),
        work_dir=work(), partitions=2, **options,
    )  # fmt: skip
    design = made.manifest["design"]
    one = lookalike.dedup(table_of(new), against=table_of(known), design=design, **options)
    assert corpora.removals(made) == corpora.removals(one)
    by_reference = made.removed.where("duplicate_of_reference").count()
    assert 0 < by_reference < made.removed.count()
    paths = [tmp_path / "new.parquet", tmp_path / "known.parquet"]
    parquet.write_table(table_of(new), paths[0])
    parquet.write_table(table_of(known), paths[1])
    run_command(
        "dedup", paths[0], "--against", paths[1], "-o", tmp_path / "out", "--design", design,
        "--differ", "numbers", "--same", "lang",
    )  # fmt: skip
    names = ("a", "b", "resemblance", "a_reference")
    lines = [json.loads(line) for line in (tmp_path / "out" / "guarded.jsonl").open("rb")]
    wanted = [tuple(row.get(name, False) for name in names) for row in lines]
    found = [tuple(row[name] for name in names) for row in made.guarded.collect()]
    assert sorted(found) == sorted(wanted)
    assert any(of_reference for *_, of_reference in found)
    lacking = frame_of(spark, known, 1).drop("lang")
    with pytest.raises(lookalike.DataError, match="has no column lang"):
        on_spark.dedup(
            frame_of(spark, new, 1), order_col="n", against=lacking, work_dir=work(), **options
        )


def test_another_guard_is_another_job_and_the_same_one_goes_on(spark: Any, work: Any) -> None:
    rows = documents()[:300]
    df = frame_of(spark, rows, 2)
    given: dict[str, Any] = {"order_col": "n", "work_dir": work(), "partitions": 2}
    first = on_spark.dedup(df, differ="numbers", **given)
    again = on_spark.dedup(df, differ="numbers", **given)
    other = on_spark.dedup(df, differ="dates", **given)
    assert not first.manifest["reused_stages"]
    assert {"routed", "edges", "guarded-differences"} <= set(again.manifest["reused_stages"])
    assert not other.manifest["reused_stages"]
    assert corpora.removals(first) == corpora.removals(again)
    assert sorted(first.guarded.collect()) == sorted(again.guarded.collect())
    # Values of a column that guards compare are another job, too; texts have no part in it.
    by_lang = on_spark.dedup(df, same="lang", **given)
    changed = frame_of(spark, [{**row, "lang": "x"} for row in rows], 2)
    assert not by_lang.manifest["reused_stages"]
    assert not on_spark.dedup(changed, same="lang", **given).manifest["reused_stages"]


def test_what_guards_cannot_compare_is_refused(spark: Any, work: Any) -> None:
    df = frame_of(spark, documents()[:5], 1).selectExpr("*", "n / 2 as half")

    def call(**given: Any) -> Any:
        return on_spark.dedup(df, order_col="n", work_dir=work(), **given)

    with pytest.raises(lookalike.DataError, match="has no column language"):
        call(differ="language")
    with pytest.raises(lookalike.DataError, match="has no column language"):
        call(not_same=["lang", "language"])
    with pytest.raises(lookalike.DataError, match=r"half.*has the type double.*cast it to string"):
        call(same="half")
    with pytest.raises(lookalike.OptionError, match="differ"):
        call(differ="regex:(")


def write_lines(folder: Path) -> list[Path]:
    """Two files of lines; some records are no documents, and some values are no strings."""
    folder.mkdir()
    lines = []
    for n, row in enumerate(documents()):
        record = {name: row[name] for name in ("text", "lang") if row[name] is not None}
        record |= {} if row["text"] is not None else {"text": None}
        record["meta"] = {"site": row["site"], "tags": ["a", n % 2], "score": n % 3 / 2}
        if n % 9:
            record["id"] = row["id"]
        lines.append(json.dumps(record) + "\n")
    lines[7:7] = ["no json\n", "\n", '{"text": 5}\n']
    files = [folder / "one.jsonl", folder / "two.jsonl"]
    for path, some in zip(files, (lines[:400], lines[400:]), strict=True):
        path.write_text("".join(some))
    return files


def rows_in(paths: Iterable[Path], names: tuple[str, ...]) -> list[tuple[str, ...]]:
    lines = (json.loads(line) for path in paths for line in path.open("rb"))
    return sorted(
        tuple(json.dumps(row.get(name), sort_keys=True) for name in names) for row in lines
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--differ", "numbers", "--differ", "meta.tags", "--not-same", "meta.site"],
        pytest.param(["--same", "lang", "--differ", "meta.score"], marks=pytest.mark.slow),
    ],
    ids=["differ", "same"],
)
def test_lines_have_the_guards_of_the_command(
    spark: Any, tmp_path: Path, options: list[str]
) -> None:
    files = write_lines(tmp_path / "in")
    made, expected = tmp_path / "made", tmp_path / "expected"
    common = [*map(str, files), "--keep", "source:two.jsonl", *options]
    assert _program.main(["dedup", *common, "-o", str(made), "--partitions", "2", "--quiet"]) == 3
    manifest = json.loads((made / "manifest.json").read_text())
    run_command("dedup", *common, "-o", expected, "--design", manifest["design"])
    facts = (*FACTS, "kept_by")
    wanted = rows_in([expected / "removed.jsonl"], facts)
    assert len(wanted) > 20
    assert rows_in((made / "removed").glob("*.json"), facts) == wanted
    names = ("a", "b", "resemblance", "differ", "a_source", "a_row", "b_source", "b_row")
    guarded = rows_in([expected / "guarded.jsonl"], names)
    assert len(guarded) > 20
    assert rows_in((made / "guarded").glob("*.json"), names) == guarded
    of_command = json.loads((expected / "manifest.json").read_text())
    for name in ("records", "guarded_pairs", "kept_by"):
        assert manifest[name] == of_command[name], name


def test_a_field_of_guards_that_no_line_has_is_refused(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_lines(tmp_path / "in")
    given = [*map(str, files), "-o", str(tmp_path / "made"), "--same", "language", "--quiet"]
    assert _program.main(["dedup", *given]) == 2
    assert "no line has the field language" in capsys.readouterr().err


@pytest.mark.slow
def test_columns_of_parquet_have_the_guards_of_the_command(spark: Any, tmp_path: Path) -> None:
    rows = documents()
    parquet.write_table(table_of(rows), tmp_path / "in.parquet", row_group_size=300)
    made, expected = tmp_path / "made", tmp_path / "expected"
    options = ["--differ", "day", "--not-same", "lang", "--keep", "field:site"]
    given = [str(tmp_path / "in.parquet"), *options]
    assert _program.main(["dedup", *given, "-o", str(made), "--partitions", "3", "--quiet"]) == 0
    design = json.loads((made / "manifest.json").read_text())["design"]
    run_command("dedup", *given, "-o", expected, "--design", design)
    facts = (*FACTS, "kept_by")
    wanted = rows_in([expected / "removed.jsonl"], facts)
    assert rows_in((made / "removed").glob("*.json"), facts) == wanted
    names = ("a", "b", "resemblance", "differ", "a_row", "b_row")
    guarded = rows_in([expected / "guarded.jsonl"], names)
    assert rows_in((made / "guarded").glob("*.json"), names) == guarded
    assert len(guarded) > 20
