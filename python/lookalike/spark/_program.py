"""The command ``lookalike-spark``: files in, a folder of results out."""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from .. import __version__, _core
from ..errors import DataError, LookalikeError, OptionError
from . import _OPTIONS, _checked, _inputs, _job, _report, dedup
from ._output import OutputFolder

if TYPE_CHECKING:
    from ._results import DedupResult

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
        description="Removes near-duplicate documents on a Spark cluster, as lookalike does.",
    )
    parser.add_argument("--version", action="version", version=f"lookalike {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="dedup")
    command = commands.add_parser(
        "dedup", help="remove near-duplicates",
        description="Removes near-duplicates from JSON Lines or Parquet files. Of two, it keeps "
        "the one that comes first in the inputs.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add = command.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="file, folder or glob, such as s3a://bucket/in")
    add("-o", "--output", required=True, metavar="DIR", help="new folder for the results")
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
    table = {row["name"].replace("-", "_"): row for row in _core.option_rows("dedup")}
    group = command.add_argument_group("what are near-duplicates (docs/options.md)")
    group.add_argument("--preset", metavar="NAME", choices=_core.preset_names(),
                       help=f"settings for a use: {', '.join(_core.preset_names())}")  # fmt: skip
    for row in (table[name] for name in _OPTIONS if name in table):
        text = _core.in_keywords(row["help"]).split(". ")[0].rstrip(".").replace("%", "%%")
        default = row["default"].replace("%", "%%")
        flag = f"--{row['name']}"
        if row["type"] == "bool":
            group.add_argument(flag, action="store_true", default=None, help=text)
        else:
            group.add_argument(flag, metavar="VALUE", help=f"{text} [{default}]")
    return parser


def _run(given: argparse.Namespace) -> int:
    options = {name: getattr(given, name) for name in _OPTIONS}
    options = _checked("dedup", "keep", options)
    spark = _session(given)
    output = OutputFolder(spark, given.output)
    tell = _job.teller(not given.quiet)
    files = _inputs.find(spark, given.inputs)
    tell(f"inputs: {len(files.names)} files")
    output.check_apart(files.uris)
    output.begin(given.overwrite)
    work = (given.work or output.at("_work")).rstrip("/")
    fields = _inputs.Fields(given.text_field, given.id_field)
    name = _job.digest_of(__version__, files.digest, vars(fields), options)
    folder = _job.WorkFolder(spark, f"{work}/inputs-{name}", tell)
    inputs = _inputs.read(files, fields, folder, options)
    _check_rejected(sum(inputs.origin.rejected), given.max_errors)
    result = dedup(
        inputs.documents, inputs.text, _inputs.ID, _inputs.NUMBER, work_dir=folder.path,
        partitions=given.partitions, progress=not given.quiet, **options,
    )  # fmt: skip
    _write(result, inputs, files.numbers(spark), output, tell)
    rejected = _finish(result, inputs, output, given, folder, tell)
    if not given.keep_work:
        output.remove(folder.path)
        if given.work is None:
            output.remove(work)
    return 3 if rejected else 0


def _session(given: argparse.Namespace) -> SparkSession:
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    builder = SparkSession.builder.appName("lookalike dedup")
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


def _write(
    result: DedupResult,
    inputs: _inputs.Inputs,
    files: Any,
    output: OutputFolder,
    tell: Any,
) -> None:
    """Writes the tables of the result."""
    records = result.manifest["records"]
    tell("kept: writing")
    gone = records["removed_exact"] + records["removed_near"]
    inputs.write_kept(result.removed, gone, output.at("kept"))
    tell("removed: writing")
    removed = _inputs.with_places(result.removed, files, "order")
    removed = _inputs.with_places(removed, files, "duplicate_of_order", "duplicate_of_")
    elsewhere = F.col("duplicate_of_source") != F.col("source")
    removed.select(
        "id", "source", "row", "kind", "duplicate_of",
        F.when(elsewhere, F.col("duplicate_of_source")).alias("duplicate_of_source"),
        "duplicate_of_row", "resemblance",
    ).write.option("ignoreNullFields", False).json(output.at("removed"))  # fmt: skip
    clusters = _inputs.with_places(result.clusters, files, "order")
    clusters.select("cluster", "size", "id", "source", "row", "kept").write.json(
        output.at("clusters")
    )
    if inputs.rejected is not None:
        lines = inputs.rejected.withColumn("raw", F.base64("raw"))
        lines.write.json(output.at("rejected"))


def _finish(
    result: DedupResult,
    inputs: _inputs.Inputs,
    output: OutputFolder,
    given: argparse.Namespace,
    folder: _job.WorkFolder,
    tell: Any,
) -> int:
    """Writes report and manifest; returns how many records were rejected."""
    tell("report: writing")
    outcome = result._outcome
    measured = outcome.measure(inputs.origin)
    output.write("report.html", _report.page(outcome, inputs.origin, measured).encode())
    notes = ("null_text", "repaired_text")
    manifest = {
        **result.manifest,
        "records": {name: n for name, n in measured.records.items() if name not in notes},
        "notes": {name: measured.records[name] for name in notes},
        "bytes": measured.bytes,
        "inputs": measured.inputs,
        "fields": {"text": given.text_field, "id": given.id_field},
        "timings": {**folder.seconds, **result.manifest["timings"]},
        "reused_stages": [*folder.reused, *result.manifest["reused_stages"]],
    }
    output.write("manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())
    counts = measured.records
    removed = counts["removed_exact"] + counts["removed_near"]
    tell(
        f"{counts['in']} records: {counts['kept']} kept, {removed} removed, "
        f"{counts['rejected']} rejected; {output.path}"
    )
    return counts["rejected"]
