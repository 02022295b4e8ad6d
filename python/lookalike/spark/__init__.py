"""Near-duplicates of Spark DataFrames: the answers of the command, on many machines.

>>> import lookalike.spark  # doctest: +SKIP
>>> result = lookalike.spark.dedup(
...     df, "text", "id", order_col="n", work_dir="s3a://bucket/work"
... )  # doctest: +SKIP
>>> result.kept.write.parquet("s3a://bucket/kept")  # doctest: +SKIP

The executors run the engine of this package, which must be installed there in the same version.
Every stage is a table in the work folder: a driver that is started again with the same DataFrame
and options goes on after the last complete one. docs/how-to/spark.md has the settings.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .. import __version__
from .. import engine as _engine
from ..errors import OptionError
from . import (
    _audit,
    _choices,
    _clusters,
    _documents,
    _engines,
    _guarded,
    _job,
    _results,
    _stages,
    _tasks,
)
from ._results import DedupResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["DedupResult", "dedup", "nearest", "pairs"]

_PARTITION_BYTES = 64 << 20  # of records of keys in one task
_RECORD_BYTES = 24


def dedup(
    df: DataFrame,
    text_col: str = "text",
    id_col: str | None = "id",
    order_col: str | None = None,
    *,
    against: DataFrame | None = None,
    audit_documents: int | None = None,
    work_dir: str,
    partitions: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> DedupResult:
    """Removes near-duplicates, as ``lookalike dedup`` does.

    Args:
        df: The documents. It is read twice and must give the same rows each time: a table, not a
            sample.
        text_col: The column of texts. A null is a text without words, which is kept.
        id_col: The column of ids. They may repeat. None: `order_col` names documents.
        order_col: Of two near-duplicates, the one with the lower value is kept; ties are broken by
            id. Distinct whole numbers are best: by any other column, all texts are sorted first.
            None: the order of ids.
        against: Documents to compare with too, with the same columns: of a document that is like
            one of them, that one is kept. They are never removed nor returned.
        audit_documents: How many documents are compared with all others, exactly, to measure the
            recall. It reads the texts once more; 0 leaves it out. None: 1,000, or what a preset
            says.
        work_dir: A folder that all executors see, for the tables of the stages.
        partitions: The number of tasks of most stages. None: from the number of documents.
        progress: If true, tells on standard error about each stage. None: only in terminals.
        **options: The options of :func:`lookalike.dedup` that decide which documents are
            near-duplicates: ``threshold``, ``shingle``, ``design``, ...; ``differ``, ``same`` and
            ``not_same``, which keep documents that are alike apart, with columns as fields;
            ``keep`` (``first``, ``longest``, ``shortest`` or ``field:COLUMN``, with ``:desc`` for
            the largest value, or a list of these: the first that tells two documents apart decides,
            and then `order_col`), ``exact_empty`` and ``cluster``.

    Returns:
        DataFrames of the rows that are kept, of the removals with witness and score, and of the
        clusters; the measured recall; and a report. The command with the design that the manifest
        names gives the same removals.

    Raises:
        OptionError: An option is unknown, has a wrong value, or makes no sense here.
        DataError: A column is missing, the order is null somewhere, or two rows have one place.
    """
    choices = _choices.check("dedup", {**options, "audit_documents": audit_documents})
    columns = _documents.Columns(
        text_col, id_col, order_col, _documents.criteria_of(choices.keep), choices.guard_fields
    )
    return find_duplicates(df, columns, against, work_dir, partitions, progress, choices)


def find_duplicates(
    df: DataFrame,
    columns: _documents.Columns,
    against: DataFrame | None,
    work_dir: str,
    partitions: int | None,
    progress: bool | None,
    choices: _choices.Choices,
) -> DedupResult:
    """Returns what :func:`dedup` returns."""
    search, manifest, engine = _search(
        choices, df, columns, against, work_dir, partitions, progress
    )
    found = search.run()
    end = search.documents.reference_end
    removed = _results.removals(search.folder, found, end)
    asked = float(engine.options["recall"])
    manifest["recall"] = _audit.measure(search, found, removed, choices.audit_documents, asked)
    members = (
        _clusters.by_component(search.folder, found, removed, end)
        if choices.cluster == "components"
        else _clusters.by_leader(removed)
    )
    guarded = _guarded.find(search, found, removed)
    return _results.dedup_result(
        search.folder, search.documents, removed, members, manifest, engine, guarded
    )


def pairs(
    df: DataFrame,
    text_col: str = "text",
    id_col: str | None = "id",
    order_col: str | None = None,
    *,
    against: DataFrame | None = None,
    work_dir: str,
    partitions: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> DataFrame:
    """Finds all pairs of near-duplicates, as ``lookalike pairs`` does.

    Args:
        df, text_col, id_col, order_col, work_dir, partitions, progress: As for :func:`dedup`.
        against: Documents with the same columns: then only pairs with one of them are found.
        **options: As for :func:`dedup`, without ``keep``, ``exact_empty`` and ``cluster``.

    Returns:
        A DataFrame of pairs: ``a`` and ``b`` (ids; a comes first in the order, or b is from
        `against`), ``resemblance``, ``common``, ``size_a`` and ``size_b``.

    Raises:
        OptionError, DataError: As :func:`dedup`.
    """
    choices = _choices.check("pairs", options)
    columns = _documents.Columns(text_col, id_col, order_col, guarded=choices.guard_fields)
    return find_pairs(df, columns, against, work_dir, partitions, progress, choices)[0]


def find_pairs(
    df: DataFrame,
    columns: _documents.Columns,
    against: DataFrame | None,
    work_dir: str,
    partitions: int | None,
    progress: bool | None,
    choices: _choices.Choices,
) -> tuple[DataFrame, dict[str, Any]]:
    """Returns what :func:`pairs` returns, and a manifest."""
    search, manifest, _ = _search(
        choices, df, columns, against, work_dir, partitions, progress
    )
    found = _results.pairs_result(search.folder, search.documents, search.run())
    return found, manifest


def nearest(
    df: DataFrame,
    text_col: str = "text",
    id_col: str | None = "id",
    order_col: str | None = None,
    *,
    top: int = 10,
    against: DataFrame | None = None,
    work_dir: str,
    partitions: int | None = None,
    progress: bool | None = None,
    **options: Any,
) -> DataFrame:
    """Finds the most similar documents of each, as ``lookalike nearest`` does for documents.

    Args:
        df, text_col, id_col, order_col, work_dir, partitions, progress: As for :func:`dedup`.
        top: How many neighbours a document has at most.
        against: Documents with the same columns, from which the neighbours are then taken.
        **options: As for :func:`dedup`, without ``keep``, ``exact_empty`` and ``cluster``.

    Returns:
        A DataFrame of the neighbours at or above the threshold: ``id``, ``rank`` (from 1),
        ``neighbour``, ``resemblance``, ``common``, ``size_a`` and ``size_b``.

    Raises:
        OptionError, DataError: As :func:`dedup`.
    """
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise OptionError(f"top={top!r} is not allowed; use a whole number of 1 or more")
    choices = _choices.check("nearest", options)
    columns = _documents.Columns(text_col, id_col, order_col, guarded=choices.guard_fields)
    search, *_ = _search(choices, df, columns, against, work_dir, partitions, progress)
    return _results.nearest_result(search.folder, search.documents, search.run(), top)


def _search(
    choices: _choices.Choices,
    df: DataFrame,
    columns: _documents.Columns,
    against: DataFrame | None,
    work_dir: str,
    partitions: int | None,
    progress: bool | None,
) -> tuple[_stages.Search, dict[str, Any], _engine.Engine]:
    census = _documents.count(df, columns)
    of_reference = columns.of_reference
    reference = None if against is None else _documents.count(against, of_reference)
    documents = census.documents + (reference.documents if reference else 0)
    planned = _engines.make_engine(documents, choices.goal, choices.engine)
    spark = df.sparkSession
    tables = _choices.Tables.send(spark, choices.engine)
    count = partitions or _partitions(documents, planned, spark)
    manifest: dict[str, Any] = {
        "version": __version__,
        "command": choices.command,
        "design": planned.design,
        "options": choices.as_dict,
        "partitions": count,
        "records": {"in": census.documents},
    }
    if reference:
        manifest["reference"] = {"documents": reference.documents}
    reference_schema = None if against is None else against.schema.json()
    name = _job.digest_of(
        manifest, vars(columns), vars(census), df.schema.json(),
        vars(reference) if reference else None, reference_schema, tables.files,
    )  # fmt: skip
    tell = _job.teller(progress)
    folder = _job.WorkFolder(spark, f"{work_dir.rstrip('/')}/{choices.command}-{name}", tell)
    manifest["work"] = folder.path
    manifest["timings"] = folder.seconds
    manifest["reused_stages"] = folder.reused
    ranked, _ = _documents.ranked(df, columns, census, folder, "documents", count)
    if against is not None and reference is not None:
        first, end = _documents.ranked(
            against, of_reference, reference, folder, "reference", count
        )
        ranked = ranked.after(first, max(end, 1))  # one without documents is a reference too
    rules = _tasks.Rules(
        tuple(sorted(choices.engine.items())), documents, choices.goal == "pairs",
        planned.design, count, ranked.reference_end, choices.exact_empty, tables.files,
    )  # fmt: skip
    return _stages.Search(folder, rules, ranked, planned.levels), manifest, planned


def _partitions(documents: int, engine: _engine.Engine, spark: Any) -> int:
    size = documents * engine._engine.keys * _RECORD_BYTES
    least = int(spark.conf.get("spark.default.parallelism", "0") or 0) or 2
    return min(max(math.ceil(size / _PARTITION_BYTES), least), (1 << 16) - 1)
