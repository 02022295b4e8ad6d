"""The command ``lookalike-spark``: files in, a folder of results out."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from .. import __version__, _core
from ..errors import DataError, LookalikeError, OptionError
from . import (
    _choices,
    _inputs,
    _job,
    _line_inputs,
    _parquet_inputs,
    _report,
    find_duplicates,
    find_pairs,
)
from ._documents import Columns, Criterion
from ._origin import FilesOrigin
from ._output import OutputFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

    from ._results import DedupResult

_AGAINST = {
    "dedup": "compare with these documents too, and remove what is like one of them; repeatable",
    "pairs": "find only pairs with one of these documents; repeatable",
}

_EPILOG = """
exit status: 0 done, 2 failed, 3 done, but some records were rejected

Settings of Spark: run it by spark-submit with the file lookalike/spark/__main__.py of the package,
or pass --master and --conf. docs/how-to/spark.md has examples.
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except AnalysisException as error:
        return _fail(str(error).splitlines()[0])
    except Py4JJavaError as error:  # from the classes of Hadoop
        return _fail(_cause(f"{error.java_exception.getMessage()}\n{error}"))
    except PySparkException as error:
        return _fail(_cause(str(error)))
    except LookalikeError as error:
        return _fail(str(error))


def _cause(message: str) -> str:
    """What the engine said in a worker, or else the first line of what Spark says."""
    lines = message.splitlines()
    own = [line for line in lines if line.startswith("lookalike.errors.")]
    if own:
        return own[0].partition(": ")[2]
    return f"a Spark job failed; its log says more: {lines[0]}"


def _fail(message: str) -> int:
    print(f"lookalike-spark: {message}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lookalike-spark",
        description="Finds and removes near-duplicate documents on a Spark cluster, as lookalike "
        "does.",
    )
    parser.add_argument("--version", action="version", version=f"lookalike {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_command(
        commands, "dedup", "remove near-duplicates",
        "Removes near-duplicates from JSON Lines or Parquet files. Of two, it keeps the one that "
        "comes first in the inputs, or the one that --keep prefers.",
    )  # fmt: skip
    _add_command(
        commands, "pairs", "find all pairs of near-duplicates",
        "Finds all pairs of near-duplicates in JSON Lines or Parquet files.",
    )  # fmt: skip
    return parser


def _add_command(
    commands: Any, name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=description, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = command.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="file, folder or glob, such as s3a://bucket/in")
    add("-o", "--output", required=True, metavar="DIR", help="new folder for the results")
    add("--against", action="append", default=[], metavar="PATH", help=_AGAINST[name])
    add("--text-field", default="text", metavar="F", help="field to compare [text]")
    add("--id-field", default="id", metavar="F", help="field of ids [id]; else file:row")
    add("--work", metavar="DIR", help="folder that all executors see, for the tables of stages; "
        "a killed job goes on from there [DIR/_work of the output]")  # fmt: skip
    add("--keep-work", action="store_true", help="do not remove those tables at the end")
    add("--overwrite", action="store_true", help="replace an earlier result")
    add("--partitions", type=int, metavar="N", help="tasks of most stages [by the documents]")
    add("--max-errors", type=int, metavar="N", help="fail if more records are rejected [unlimited]")
    add("--quiet", action="store_true", help="no progress")
    add("--master", metavar="URL", help="master of Spark, such as local[4]")
    add("--conf", action="append", default=[], metavar="KEY=VALUE", help="setting of Spark")
    table = {row["name"].replace("-", "_"): row for row in _core.option_rows(name)}
    group = command.add_argument_group("options of the comparison (docs/options.md)")
    group.add_argument("--preset", metavar="NAME", choices=_core.preset_names(),
                       help=f"settings for a use: {', '.join(_core.preset_names())}")  # fmt: skip
    for row in (table[option] for option in _choices.options_of(name) if option in table):
        text = _core.in_keywords(row["help"]).split(". ")[0].rstrip(".").replace("%", "%%")
        default = row["default"].replace("%", "%%")
        flag = f"--{row['name']}"
        if row["type"] == "bool":
            group.add_argument(flag, action="store_true", default=None, help=text)
        else:
            action = "append" if row["type"] == "list" else "store"
            group.add_argument(flag, action=action, metavar="VALUE", help=f"{text} [{default}]")
    return command


def _run(given: argparse.Namespace) -> int:
    options = {name: getattr(given, name) for name in _choices.options_of(given.command)}
    choices = _choices.check(given.command, options, of_files=True)
    spark = _session(given)
    output = OutputFolder(spark, given.output)
    job = _Job.of(given, spark, choices)
    tell = _job.teller(not given.quiet)
    work = (given.work or output.at("_work")).rstrip("/")
    for files, what in zip(job.files, ("inputs", "reference"), strict=False):
        tell(f"{what}: {len(files.names)} files")
        output.check_apart(list(files.given), files.uris, work)
    output.claim(given.overwrite)
    folder = _job.WorkFolder(spark, f"{work}/inputs-{job.digest}", tell)
    inputs = job.read(folder)
    rejected = sum(sum(each.origin.rejected) for each in inputs)
    _check_rejected(rejected, given.max_errors)
    output.clear()
    (_dedup if given.command == "dedup" else _pairs)(given, inputs, output, job, folder)
    if not given.keep_work:
        output.remove(folder.path)
        if given.work is None:
            output.remove(work)
    return 3 if rejected else 0


def _dedup(
    given: argparse.Namespace, inputs: list[_inputs.Inputs], output: OutputFolder, job: _Job,
    folder: _job.WorkFolder,
) -> None:  # fmt: skip
    documents, *reference = (each.documents for each in inputs)
    result = find_duplicates(
        documents, job.columns, reference[0] if reference else None, folder.path,
        given.partitions, not given.quiet, job.choices,
    )  # fmt: skip
    origin = job.origin(inputs)
    _write_tables(result, inputs[0], origin, output, folder.tell)
    job.check_unchanged(folder.spark)
    _finish(result, origin, output, job, folder)


def _pairs(
    given: argparse.Namespace, inputs: list[_inputs.Inputs], output: OutputFolder, job: _Job,
    folder: _job.WorkFolder,
) -> None:  # fmt: skip
    documents, *reference = (each.documents for each in inputs)
    found, manifest = find_pairs(
        documents, job.columns, reference[0] if reference else None, folder.path,
        given.partitions, not given.quiet, job.choices,
    )  # fmt: skip
    folder.tell("pairs: writing")
    count = _inputs.write_seen(found, "json", output.at("pairs"))
    _write_rejected(inputs[0], output)
    job.check_unchanged(folder.spark)
    rejected = sum(inputs[0].origin.rejected)
    records = {"in": manifest["records"]["in"] + rejected, "rejected": rejected}
    manifest |= {
        "records": records,
        "pairs": count,
        **_facts_of_run(manifest, job, folder),
    }
    _write_manifest(manifest, output)
    folder.tell(f"{records['in']} records: {count} pairs, {rejected} rejected; {output.path}")


@dataclasses.dataclass(frozen=True)
class _Job:
    """What is read, and how."""

    files: list[_inputs.Files]  # the inputs and, if there is one, the reference
    fields: _inputs.Fields
    choices: _choices.Choices

    @classmethod
    def of(
        cls, given: argparse.Namespace, spark: SparkSession, choices: _choices.Choices
    ) -> _Job:
        files = [_inputs.find(spark, given.inputs)]
        if given.against:
            files.append(_inputs.find(spark, given.against, len(files[0].names)))
        return cls(files, _inputs.Fields(given.text_field, given.id_field), choices)

    def check_unchanged(self, spark: SparkSession) -> None:
        """Raises DataError if a file has changed since it was found."""
        for files in self.files:
            files.check_unchanged(spark)

    @property
    def digest(self) -> str:
        digests = [files.digest for files in self.files]
        return _job.digest_of(__version__, digests, vars(self.fields), self.choices.as_dict)

    @property
    def columns(self) -> Columns:
        """The columns of the documents that were read."""
        values = _inputs.VALUES if self.choices.guard_fields else None
        return Columns(
            _inputs.TEXT, _inputs.ID, _inputs.NUMBER, self._criteria, self.choices.guard_fields,
            values,
        )  # fmt: skip

    @property
    def _criteria(self) -> tuple[Criterion, ...]:
        """The criteria of `keep`, by columns of the documents that were read."""
        # Values of lines sort as they are preferred.
        are_sorted = not _inputs.is_parquet(self.files[0].names[0])
        fields = {place: largest for place, _, largest in self._compared.keep_fields}
        found = []
        for place, text in enumerate(self._compared.keep):
            if place in fields or text.startswith(_choices.KEEP_SOURCE):
                largest = fields.get(place, False) and not are_sorted
                found.append(Criterion(text, _inputs.preferred(place), largest))
            elif text != "first":
                found.append(Criterion.of_length(text))
        return tuple(found)

    @property
    def _compared(self) -> _inputs.Compared:
        return _inputs.Compared(self.choices.keep, self.choices.guard_fields)

    def read(self, folder: _job.WorkFolder) -> list[_inputs.Inputs]:
        """The documents of all files. Lines become tables in the folder, parsed by the engine."""
        own, *reference = self.files
        of_guards = _inputs.Compared(guard_fields=self.choices.guard_fields)
        of_reference = [self._read(files, of_guards, folder) for files in reference]
        return [self._read(own, self._compared, folder), *of_reference]

    def _read(
        self, files: _inputs.Files, compared: _inputs.Compared, folder: _job.WorkFolder
    ) -> _inputs.Inputs:
        are_parquet = [_inputs.is_parquet(name) for name in files.names]
        if all(are_parquet):
            return _parquet_inputs.read(files, self.fields, compared, folder.spark)
        if any(are_parquet):
            raise OptionError("the inputs are Parquet and other files; run a job for each format")
        return _line_inputs.read(files, self.fields, compared, folder, self.choices.engine)

    def origin(self, inputs: list[_inputs.Inputs]) -> FilesOrigin:
        """The origin of all documents."""
        own, *reference = (each.origin for each in inputs)
        return own.with_reference(reference[0]) if reference else own


def _session(given: argparse.Namespace) -> SparkSession:
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    builder = SparkSession.builder.appName(f"lookalike {given.command}")
    builder = builder.config("spark.ui.showConsoleProgress", "false")  # stages are told
    if given.master:
        builder = builder.master(given.master)
    for setting in given.conf:
        key, found, value = setting.partition("=")
        if not found:
            raise OptionError(f"--conf {setting} is not allowed; write KEY=VALUE", option="conf")
        builder = builder.config(key, value)
    by_spark_submit = "PYSPARK_GATEWAY_PORT" in os.environ
    if not by_spark_submit and (given.master or "local").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def _check_rejected(rejected: int, most: int | None) -> None:
    if most is not None and rejected > most:
        raise DataError(
            f"{rejected} records were rejected, --max-errors allows {most}; "
            "lookalike dedup --max-errors names the first ones"
        )


def _write_tables(
    result: DedupResult, inputs: _inputs.Inputs, origin: FilesOrigin, output: OutputFolder,
    tell: Callable[[str], None],
) -> None:  # fmt: skip
    records = result.manifest["records"]
    tell("kept: writing")
    gone = records["removed_exact"] + records["removed_near"]
    counts = _inputs.Counts(records["kept"], gone)
    inputs.write_kept(result.removed, counts, output.at("kept"))
    tell("removed: writing")
    removed = origin.with_places(result.removed, "order")
    removed = origin.with_places(removed, "duplicate_of_order", "duplicate_of_")
    elsewhere = F.col("duplicate_of_source") != F.col("source")
    of_reference = ["duplicate_of_reference"] if origin.reference else []
    kept_by = ["kept_by"] if "kept_by" in removed.columns else []
    if origin.reference:
        elsewhere = elsewhere | F.col("duplicate_of_reference")
    removed.select(
        "id", "source", "row", "kind", "duplicate_of",
        F.when(elsewhere, F.col("duplicate_of_source")).alias("duplicate_of_source"),
        "duplicate_of_row", *of_reference, "resemblance", *kept_by,
    ).write.option("ignoreNullFields", False).json(output.at("removed"))  # fmt: skip
    clusters = origin.with_places(result.clusters, "order")
    clusters.select("cluster", "size", "id", "source", "row", "kept").write.json(
        output.at("clusters")
    )
    if result.guarded is not None:
        _write_guarded(result.guarded, origin, output)
    _write_rejected(inputs, output)


def _write_guarded(guarded: DataFrame, origin: FilesOrigin, output: OutputFolder) -> None:
    for side in ("a", "b"):
        guarded = origin.with_places(guarded, f"{side}_order", f"{side}_")
    columns = ["a", "b", "resemblance", "differ", "a_source", "a_row", "b_source", "b_row"]
    if origin.reference:  # a null is left out
        marked = F.when(F.col("a_reference"), True).alias("a_reference")
        guarded = guarded.withColumn("a_reference", marked)
        columns.append("a_reference")
    guarded.select(*columns).write.json(output.at("guarded"))


def _write_rejected(inputs: _inputs.Inputs, output: OutputFolder) -> None:
    if inputs.rejected is not None:
        # Before 3.5.2, Spark puts line breaks into base64.
        raw = F.translate(F.base64("raw"), "\r\n", "")
        inputs.rejected.withColumn("raw", raw).write.json(output.at("rejected"))


def _finish(
    result: DedupResult, origin: FilesOrigin, output: OutputFolder, job: _Job,
    folder: _job.WorkFolder,
) -> None:  # fmt: skip
    """Writes report and manifest."""
    folder.tell("report: writing")
    outcome = result._outcome
    measured = outcome.measure(origin)
    output.write("report.html", _report.page(outcome, origin, measured).encode())
    notes = ("null_text", "repaired_text")
    manifest = {
        **result.manifest,
        "records": {name: n for name, n in measured.records.items() if name not in notes},
        "notes": {name: measured.records[name] for name in notes},
        "bytes": measured.bytes,
        "inputs": measured.inputs,
        **_facts_of_run(result.manifest, job, folder),
    }
    if origin.reference:
        manifest["reference"]["rejected"] = sum(origin.reference_rejected)
    _write_manifest(manifest, output)
    folder.tell(_recall_line(result.manifest["recall"]))
    counts = measured.records
    removed = counts["removed_exact"] + counts["removed_near"]
    folder.tell(
        f"{counts['in']} records: {counts['kept']} kept, {removed} removed, "
        f"{counts['rejected']} rejected; {output.path}"
    )


def _facts_of_run(
    manifest: dict[str, Any], job: _Job, folder: _job.WorkFolder
) -> dict[str, Any]:
    """Entries of a manifest that tell of the files and of all stages."""
    return {
        "fields": vars(job.fields),
        "timings": {**folder.seconds, **manifest["timings"]},
        "reused_stages": [*folder.reused, *manifest["reused_stages"]],
    }


def _write_manifest(manifest: dict[str, Any], output: OutputFolder) -> None:
    output.write("manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())


def _recall_line(recall: dict[str, Any]) -> str:
    if not recall["sampled_documents"]:
        return f"recall: not measured, {recall['asked']} requested"
    if recall["estimate"] is None:
        return f"recall: no sampled document has a near-duplicate, {recall['asked']} requested"
    line = (
        f"recall: {recall['estimate']:.4f} measured on {recall['sampled_pairs']} pairs (95 % "
        f"interval {recall['low']:.4f} to {recall['high']:.4f}), {recall['asked']} requested"
    )
    return line if recall["met"] else f"{line}: missed; name a --design with a higher recall"
