"""lookalike.spark gives the answers of one process, whatever becomes of rows and tasks."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lookalike
import pyarrow as pa
import pytest
import spark_corpora as corpora

pytest.importorskip("pyspark")
import lookalike.spark as on_spark  # noqa: E402 - needs pyspark

CORPORA: list[tuple[Callable[[], list[str | None]], dict[str, Any]]] = [
    (corpora.near_copies, {"threshold": 0.8}),
    (corpora.template, {"threshold": 0.8, "shingle": "word:1"}),
    (corpora.short_texts, {"threshold": 0.6, "shingle": "word:1"}),
]


# A session runs some fifteen jobs a call, of a second or two each, so only a few run quickly.
SLOW = {
    ("near_copies", 3), ("near_copies", 17), ("template", 3), ("template", 17), ("short_texts", 17),
}  # fmt: skip
REMOVALS = [
    pytest.param(
        make, options, partitions, id=f"{make.__name__}-{partitions}",
        marks=[pytest.mark.slow] if (make.__name__, partitions) in SLOW else [],
    )
    for make, options in CORPORA
    for partitions in (3, 17)
]  # fmt: skip


@pytest.mark.parametrize(("make", "options", "partitions"), REMOVALS)
def test_removals_are_those_of_one_process(
    spark: Any, work: Any, make: Callable[[], list[str | None]], options: dict[str, Any],
    partitions: int,
) -> None:  # fmt: skip
    texts = make()
    df = corpora.frame(spark, texts, partitions)
    result = on_spark.dedup(
        df, order_col="n", work_dir=work(), partitions=partitions, **options
    )
    assert result.kept.columns == ["id", "text", "n"]
    kept = sorted(row["id"] for row in result.kept.collect())
    one = lookalike.dedup(corpora.table(texts), design=result.manifest["design"], **options)
    assert corpora.removals(result) == corpora.removals(one)
    assert kept == sorted(one.kept["id"].to_pylist())
    assert corpora.clusters(result) == corpora.clusters_of_one_process(one)
    records = result.manifest["records"]
    assert records == {name: one.manifest["records"][name] for name in records}


def make_words(folder: Path) -> Path:
    """A file of stop words that are frequent in the corpus."""
    path = folder / "some words.txt"
    path.write_text("a\nof\nthe\nand\nword1\nword2\nword3\n")
    return path


def make_weights(folder: Path) -> Path:
    path = folder / "weights.tsv"
    path.write_text("a\t1.5\nof\t0.25\nthe\t0.5\nword1\t4\nword2\t3\n")
    return path


@pytest.mark.parametrize(
    "options",
    [
        {"keep": "longest"},
        pytest.param({"keep": "shortest", "threshold": 0.6}, marks=pytest.mark.slow),
        pytest.param({"exact_empty": True}, marks=pytest.mark.slow),
        {"preset": "web"},
        pytest.param({"cluster": "components", "threshold": 0.6}, marks=pytest.mark.slow),
        pytest.param({"preset": "news"}, marks=pytest.mark.slow),
        pytest.param({"preset": "corpus", "keep": "shortest"}, marks=pytest.mark.slow),
        pytest.param({"pages": "visible", "segment": "icu"}, marks=pytest.mark.slow),
        {"shingle": "stopword:2", "stop_words": make_words, "threshold": 0.5},
        {"shingle": "word:2", "weights": make_weights, "weight_unit": 0.5},
    ],
    ids=lambda options: "-".join(options),
)
def test_options_have_the_effect_that_they_have_in_one_process(
    spark: Any, work: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    options = {
        name: value(tmp_path) if callable(value) else value for name, value in options.items()
    }
    ends = ("", " and <b>the</b> end", " of the day")
    texts = [f"{text}{ends[n % 3]}" for n, text in enumerate(corpora.near_copies())]
    texts += ["", None, "  ", "", "--", "--", "---", None]
    df = corpora.frame(spark, texts, 3)
    made = on_spark.dedup(df, order_col="n", work_dir=work(), partitions=3, **options)
    one = lookalike.dedup(corpora.table(texts), design=made.manifest["design"], **options)
    assert corpora.removals(made) == corpora.removals(one)
    assert sorted(row["id"] for row in made.kept.collect()) == sorted(one.kept["id"].to_pylist())
    assert corpora.clusters(made) == corpora.clusters_of_one_process(one)
    names = ("sampled_documents", "estimate", "low", "high")
    made_recall, recall = made.manifest["recall"], one.manifest["recall"]
    assert [made_recall[name] for name in names] == [recall[name] for name in names]


@pytest.mark.parametrize(
    "keep",
    [
        "field:year:desc",
        pytest.param("field:score", marks=pytest.mark.slow),
        pytest.param("field:name:desc", marks=pytest.mark.slow),
        ["field:name", "field:score:desc", "shortest"],
        pytest.param(["longest", "field:year", "field:a,b:desc", "first"], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_value_of_a_column_says_what_is_kept(
    spark: Any, work: Any, keep: str | list[str]
) -> None:
    texts = corpora.near_copies()
    source = random.Random(9)
    table = corpora.table(texts)
    years = [source.choice([None, *range(1990, 2020)]) for _ in texts]
    scores = [source.choice([None, math.nan, -0.5, -0.0, 0.0, 1e9]) for _ in texts]
    names = [source.choice([None, "", "a", "b" * 20, "b" * 19 + "c", "\U0001f600"]) for _ in texts]
    places = [source.choice([1, 2]) for _ in texts]
    for name, values in (
        ("year", years), ("score", scores), ("name", names), ("a,b", places),
    ):  # fmt: skip
        table = table.append_column(name, pa.array(values))
    rows = [{**row, "n": n} for n, row in enumerate(table.to_pylist())]
    df = spark.createDataFrame(
        rows, "id string, text string, year long, score double, name string, `a,b` long, n long"
    ).repartition(5)
    made = on_spark.dedup(df, order_col="n", work_dir=work(), partitions=3, keep=keep)
    one = lookalike.dedup(table, design=made.manifest["design"], keep=keep)
    assert corpora.removals(made) == corpora.removals(one)
    assert sorted(row["id"] for row in made.kept.collect()) == sorted(one.kept["id"].to_pylist())
    assert made.kept.columns == df.columns
    decided = {row["id"]: row["kept_by"] for row in made.removed.collect()}
    rows = one.removed.select(["id", "kept_by"]).to_pylist()
    assert decided == {row["id"]: row["kept_by"] for row in rows}
    assert made.manifest["kept_by"] == one.manifest["kept_by"]
    assert list(made.manifest["kept_by"])[-1] == "input order"
    assert '"kept_by"' in made.report()


def test_a_reference_stays_in_its_order_whatever_is_kept(spark: Any, work: Any) -> None:
    words = [f"word{n}" for n in range(60)]
    known = [" ".join(words), " ".join([*words, "more"]), " ".join([*words, "still", "more"])]
    new = [" ".join([*words, "new"])]
    names = ["r0", "r1", "r2"]
    made = on_spark.dedup(
        corpora.frame(spark, new, 1), order_col="n", work_dir=work(), partitions=2,
        against=corpora.frame(spark, known, 1, names), keep="longest", threshold=0.7,
    )  # fmt: skip
    one = lookalike.dedup(
        corpora.table(new), against=corpora.table(known, names), keep="longest", threshold=0.7,
        design=made.manifest["design"],
    )  # fmt: skip
    assert corpora.removals(made) == corpora.removals(one)
    assert [row["duplicate_of"] for row in made.removed.collect()] == ["r0"]
    assert [row["kept_by"] for row in made.removed.collect()] == ["reference"]
    assert made.manifest["kept_by"] == one.manifest["kept_by"]


@pytest.mark.parametrize(
    ("make", "options"),
    [
        pytest.param(
            make, options, id=make.__name__,
            marks=[] if make is corpora.near_copies else [pytest.mark.slow],
        )
        for make, options in CORPORA
    ],
)  # fmt: skip
def test_what_is_like_a_reference_is_removed(
    spark: Any, work: Any, make: Callable[[], list[str | None]], options: dict[str, Any]
) -> None:
    texts = make()
    known, new = texts[: len(texts) // 3], texts[len(texts) // 3 :]
    known.append(new[0])  # a copy, and one of a document of the reference
    known.append(known[0])
    names = [f"r{n}" for n in range(len(known))]
    against = corpora.frame(spark, known, 2, names)
    result = on_spark.dedup(
        corpora.frame(spark, new, 3), order_col="n", against=against, work_dir=work(),
        partitions=3, cluster="components", **options,
    )  # fmt: skip
    one = lookalike.dedup(
        corpora.table(new), against=corpora.table(known, names),
        design=result.manifest["design"], cluster="components", **options,
    )  # fmt: skip
    assert corpora.removals(result) == corpora.removals(one)
    assert corpora.clusters(result) == corpora.clusters_of_one_process(one)
    kept = sorted(row["id"] for row in result.kept.collect())
    assert kept == sorted(one.kept["id"].to_pylist())
    for row in result.removed.collect():
        assert row["duplicate_of_reference"] == row["duplicate_of"].startswith("r")
    assert result.manifest["reference"] == {"documents": len(known)}
    if make is corpora.near_copies:
        page = result.report()
        assert '"source":"against"' in page
        assert f'"unique":{_unique(one)},' in page


def _unique(one: lookalike.DedupResult) -> int:
    """Documents that are in no cluster."""
    inside = {name for row in one.clusters.to_pylist() for name in row["members"] + row["kept"]}
    own = sum(not name.startswith("r") for name in inside)
    return int(one.manifest["records"]["in"]) - own


PAIRS = [
    pytest.param(
        make, options, id=make.__name__,
        marks=[] if make is corpora.near_copies else [pytest.mark.slow],
    )
    for make, options in CORPORA
]  # fmt: skip


@pytest.mark.parametrize(("make", "options"), PAIRS)
def test_pairs_are_those_of_one_process(
    spark: Any, work: Any, make: Callable[[], list[str | None]], options: dict[str, Any]
) -> None:
    texts = make()
    df = corpora.frame(spark, texts, 4)
    found = on_spark.pairs(df, order_col="n", work_dir=work(), partitions=4, **options)
    design = lookalike.engine.Engine(len(texts), "pairs", **options).design
    one = lookalike.pairs(corpora.table(texts), design=design, **options).to_arrow()
    names = ["a", "b", "resemblance", "common", "size_a", "size_b"]
    assert found.columns == names
    assert sorted(tuple(row) for row in found.collect()) == sorted(
        tuple(row[name] for name in names) for row in one.to_pylist()
    )


@pytest.mark.slow
@pytest.mark.parametrize(("make", "options"), CORPORA)
def test_pairs_and_neighbours_in_a_reference_are_those_of_one_process(
    spark: Any, work: Any, make: Callable[[], list[str | None]], options: dict[str, Any]
) -> None:
    texts = make()
    known, new = texts[: len(texts) // 3], texts[len(texts) // 3 :]
    known += [new[0], known[0], new[0]]  # copies on both sides
    new += [known[0], new[0]]
    names = [f"r{n}" for n in range(len(known))]
    df, against = corpora.frame(spark, new, 3), corpora.frame(spark, known, 2, names)
    table, reference = corpora.table(new), corpora.table(known, names)
    design = lookalike.engine.Engine(len(texts), "pairs", **options).design
    common = {**options, "design": design}
    spread: dict[str, Any] = {"order_col": "n", "against": against, "partitions": 3}
    found = on_spark.pairs(df, work_dir=work("pairs"), **spread, **common)
    one = lookalike.pairs(table, against=reference, **common)
    columns = ["a", "b", "resemblance", "common", "size_a", "size_b"]
    assert rows_of(found, columns) == rows_of(one.to_arrow(), columns)
    near = on_spark.nearest(df, top=2, work_dir=work("nearest"), **spread, **common)
    nearest = lookalike.nearest(table, against=reference, top=2, **common)
    columns = ["id", "rank", "neighbour", "resemblance", "common", "size_a", "size_b"]
    assert rows_of(near, columns) == rows_of(nearest.to_arrow(), columns)


def rows_of(frame: Any, columns: list[str]) -> list[tuple[Any, ...]]:
    rows = frame.collect() if hasattr(frame, "collect") else frame.to_pylist()
    return sorted(tuple(row[name] for name in columns) for row in rows)


def test_neighbours_are_those_of_one_process(spark: Any, work: Any) -> None:
    texts = corpora.near_copies()
    df = corpora.frame(spark, texts, 3)
    design = lookalike.engine.Engine(len(texts), "pairs", threshold=0.6).design
    options: dict[str, Any] = {"threshold": 0.6, "design": design, "top": 2}
    found = on_spark.nearest(df, order_col="n", work_dir=work(), partitions=3, **options)
    one = lookalike.nearest(corpora.table(texts), **options)
    columns = ["id", "rank", "neighbour", "resemblance", "common", "size_a", "size_b"]
    assert found.columns == columns
    assert rows_of(found, columns) == rows_of(one.to_arrow(), columns)
    with pytest.raises(lookalike.OptionError, match="top=0 is not allowed"):
        on_spark.nearest(df, order_col="n", work_dir=work(), top=0)


def test_repeated_ids_are_told_apart_by_the_order(spark: Any, work: Any) -> None:
    texts = corpora.near_copies()
    ids = [f"d{i // 3}" for i in range(len(texts))]
    names = ("the.id", "its text", "n.o")  # columns may have any names
    frame = corpora.frame(spark, texts, 3, ids).toDF(*names)
    result = on_spark.dedup(frame, "its text", "the.id", "n.o", work_dir=work(), partitions=3)
    one = lookalike.dedup(corpora.table(texts, ids), design=result.manifest["design"])
    assert corpora.removals(result) == corpora.removals(one)
    gone = {row["order"] for row in result.removed.collect()}
    assert {row["n.o"] for row in result.kept.collect()} == set(range(len(texts))) - gone


ORDERS = [
    "date and id",
    "far apart",
    pytest.param("string", marks=pytest.mark.slow),
    pytest.param("id only", marks=pytest.mark.slow),
    pytest.param("descending", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("order", ORDERS)
def test_any_column_can_give_the_order(spark: Any, work: Any, order: str) -> None:
    texts = corpora.near_copies()
    df = corpora.frame(spark, texts, 3, (f"d{i:06}" for i in range(len(texts))))
    given: dict[str, Any] = {"order_col": "by"}
    if order == "string":
        df = df.selectExpr("id", "text", "lpad(n, 9, '0') as by")
    elif order == "date and id":
        df = df.selectExpr("id", "text", "date_add(date'2020-01-01', cast(n div 50 as int)) as by")
    elif order == "id only":
        df, given = df.select("id", "text"), {}
    elif order == "descending":
        df = df.selectExpr("id", "text", "-n as by")
        texts = texts[::-1]
    else:
        df = df.selectExpr("id", "text", "n * 1000000000000 - 4000000000000000000 as by")
    result = on_spark.dedup(df, work_dir=work(), partitions=3, **given)
    ids = [f"d{i:06}" for i in range(len(texts))]
    if order == "descending":
        ids = ids[::-1]
    one = lookalike.dedup(corpora.table(texts, ids), design=result.manifest["design"])
    assert corpora.removals(result) == corpora.removals(one)
    kept = sorted(row["id"] for row in result.kept.collect())
    assert kept == sorted(one.kept["id"].to_pylist())
    assert result.kept.columns == df.columns


def test_a_driver_that_is_started_again_goes_on(spark: Any, work: Any, tmp_path: Any) -> None:
    texts = corpora.template()
    df = corpora.frame(spark, texts, 3)
    given: dict[str, Any] = {
        "order_col": "n", "work_dir": work(), "partitions": 3, "shingle": "word:1",
    }  # fmt: skip
    first = on_spark.dedup(df, **given)
    design = first.manifest["design"]
    one = lookalike.dedup(corpora.table(texts), design=design, shingle="word:1")
    expected = corpora.removals(one)
    assert corpora.removals(first) == expected
    assert first.manifest["reused_stages"] == []
    job = next((tmp_path / "work").iterdir())
    # Killed in the middle of the stage `edges`: some files of it, and none of what follows.
    (job / "edges" / "_SUCCESS").unlink()
    next((job / "edges").glob("*.parquet")).unlink()
    for stage in ("near", "removals", "names"):
        shutil.rmtree(job / stage)
    second = on_spark.dedup(df, **given)
    assert corpora.removals(second) == expected
    assert "pairs" in second.manifest["reused_stages"]
    assert set(second.manifest["timings"]) == {"edges", "near", "removals", "names"}
    # Another threshold is another job.
    assert on_spark.dedup(df, threshold=0.9, **given).manifest["reused_stages"] == []


def test_an_empty_data_frame_is_kept(spark: Any, work: Any) -> None:
    df = spark.createDataFrame([], "id string, text string, n long")
    result = on_spark.dedup(df, order_col="n", work_dir=work())
    assert result.kept.count() == result.removed.count() == result.clusters.count() == 0
    assert result.manifest["records"]["in"] == 0


def refuses(error: type[Exception], words: str, call: Callable[[], Any]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


def test_what_cannot_be_done_is_refused_before_any_stage(
    spark: Any, work: Any, tmp_path: Any
) -> None:
    df = spark.createDataFrame(
        [("a", "one two", 1), ("b", "one three", 2), ("c", None, None)],
        "id string, text string, n long",
    )
    option, data = lookalike.OptionError, lookalike.DataError

    def call(frame: Any = df, **given: Any) -> Callable[[], Any]:
        return lambda: on_spark.dedup(frame, work_dir=work(), **given)

    refuses(option, "has no option thresh", call(order_col="n", thresh=0.5))
    refuses(option, "pass field:COLUMN", call(order_col="n", keep="source:a,b"))
    refuses(option, "names inputs", call(order_col="n", keep=["longest", "source:a,b"]))
    refuses(option, "would never decide", call(order_col="n", keep=["longest", "shortest"]))
    refuses(data, "has no column year", call(order_col="n", keep="field:year:desc"))
    dated = df.selectExpr("*", "current_date() as day")
    refuses(data, "expected a number or a string", call(dated, order_col="n", keep="field:day"))
    refuses(option, "cluster", call(order_col="n", cluster="hubs"))
    refuses(option, "use up to 10000", call(order_col="n", audit_documents=10_001))
    refuses(option, "verify='sketch+exact' is not offered", call(order_col="n", preset="mmds20x5"))
    refuses(option, "needs against=", call(order_col="n", preset="questions"))
    missing = {"shingle": "stopword:2", "stop_words": "no-such.txt"}
    refuses(option, "no-such.txt", call(order_col="n", **missing))
    refuses(option, "threshold", call(order_col="n", threshold=2))
    refuses(option, "name order_col", call(id_col=None))
    refuses(option, "not offered on Spark", call(id_col="id", method="exact"))
    refuses(data, "has no column words", call(text_col="words", order_col="n"))
    refuses(data, "expected string", call(text_col="n", order_col="id"))
    refuses(data, "is null in 1 rows", call(order_col="n"))
    twice = spark.createDataFrame([("a", "x", 1), ("a", "y", 1)], df.schema)
    refuses(data, "2 rows have n=1, id='a'", call(twice, order_col="n"))
    assert {path.name for path in tmp_path.glob("work/*/*")} <= {"documents"}


@pytest.mark.parametrize("change", ["rows", "texts"])
def test_a_data_frame_that_changes_is_noticed(spark: Any, work: Any, change: str) -> None:
    texts = corpora.near_copies()
    seen = spark.sparkContext.accumulator(0)

    def changing(batches: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        for batch in batches:
            seen.add(1)
            # A later scan lacks documents of an earlier one, or has other texts.
            columns = batch.columns
            if (spark_folder / "scanned").exists():
                if change == "rows":
                    columns = [column[batch.num_rows // 2 :] for column in columns]
                else:
                    columns[1] = pc.binary_join_element_wise(columns[1], "more", " ")
            yield pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    import pathlib
    import tempfile

    spark_folder = pathlib.Path(tempfile.mkdtemp())
    df = corpora.frame(spark, texts, 2).mapInArrow(changing, "id string, text string, n long")
    search = on_spark._search  # noqa: SLF001 - to change the DataFrame between two stages
    columns = on_spark._documents.Columns("text", "id", "n")
    choices = on_spark._choices.check("dedup", {})
    made, *_ = search(choices, df, columns, None, work(), 2, False)
    made.folder.stage("routed", made._routed)
    (spark_folder / "scanned").touch()
    said = {"rows": "is missing in a later one", "texts": "is another one in a later scan"}
    with pytest.raises(Exception, match=said[change]):
        made.run()
    shutil.rmtree(spark_folder)


def test_a_reference_without_documents_is_in_no_pair(spark: Any, work: Any) -> None:
    text = " ".join(f"word{i}" for i in range(30))
    df = corpora.frame(spark, [text, text + " more"], 1)
    found = on_spark.pairs(
        df, order_col="n", against=df.where("n < 0"), work_dir=work(), partitions=1
    )
    assert found.collect() == []
