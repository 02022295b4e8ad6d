"""The files that `filter`, `weights`, `group` and `crumbs` write, as Arrow tables."""

from __future__ import annotations

import functools
import json
import pathlib
import shutil

import pyarrow as pa

from . import _files, _results

FILTER_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("row", pa.int64()),
        ("decision", pa.string()),
        ("like", pa.string()),
        ("exact", pa.bool_()),
    ]
)
GROUP_SCHEMA = pa.schema([("id", pa.string()), ("items", pa.list_(pa.string()))])
RATED_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("items", pa.list_(pa.struct([("item", pa.string()), ("weight", pa.float64())]))),
    ]
)
CRUMBS_SCHEMA = pa.schema(
    [
        ("host", pa.string()),
        ("rule", pa.string()),
        ("proposed", pa.bool_()),
        (
            "positions",
            pa.list_(
                pa.struct(
                    [
                        ("in", pa.string()),
                        ("name", pa.string()),
                        ("number", pa.int64()),
                        ("prefix", pa.string()),
                        ("suffix", pa.string()),
                        ("characters", pa.string()),
                        ("shortest", pa.int64()),
                        ("longest", pa.int64()),
                    ]
                )
            ),
        ),
        ("support", pa.int64()),
        ("contents", pa.int64()),
        ("values", pa.int64()),
        ("counter_examples", pa.int64()),
        ("fetches_saved", pa.int64()),
        ("example", pa.list_(pa.string())),
        ("objection", pa.string()),
    ]
)


class LineResult(_results._FileResult):
    """A file of lines that a command wrote, readable as a table.

    Attributes:
        summary: Counts and other facts about the run, as the command reports them.
    """

    def _write_lines(self, file: pathlib.Path) -> None:
        shutil.copyfile(self._file, file)


class FilterResult(LineResult):
    """The answers of :func:`filter`: one row per document, in input order.

    Columns: id, source, row (from 1), decision (``new`` or ``seen``), like (the first new document
    that shares a key with this one) and exact (always False: a filter keeps no texts to verify).
    """

    def __len__(self) -> int:
        return int(self.summary["new"] + self.summary["seen"])

    def __repr__(self) -> str:
        return f"FilterResult({self.summary['new']:,} new, {self.summary['seen']:,} seen)"

    @functools.cached_property
    def _table(self) -> pa.Table:
        return _files.read_json_lines(self._file, FILTER_SCHEMA)


class WordWeights(LineResult):
    """The table of :func:`weights`: columns word and weight; ``*`` is the row of all other words.

    Pass it, or the file that :meth:`save` wrote, to the option ``weights``. Keep it as long as it
    is used: its own file may be temporary.
    """

    _COUNTED = "words"

    def __fspath__(self) -> str:
        return str(self._file)

    @functools.cached_property
    def _table(self) -> pa.Table:
        words: list[str] = []
        weights: list[float] = []
        with self._file.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                word, tab, weight = line.rstrip("\n").partition("\t")
                if tab and not line.startswith("# "):
                    words.append(word)
                    weights.append(float(weight))
        return pa.table({"word": words, "weight": weights})


class Groups(LineResult):
    """The lists of :func:`group`: one row per group, in the order of their first rows.

    Columns: id and items, a list of texts, or with a weight a list of structs of item and weight.
    To compare the lists, pass this to :func:`pairs` or :func:`dedup` with ``text="items"`` and
    ``shingle="item"``.
    """

    _COUNTED = "groups"

    @functools.cached_property
    def _table(self) -> pa.Table:
        if not self.summary["weighted"]:
            return _files.read_json_lines(self._file, GROUP_SCHEMA)
        with self._file.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for row in rows:
            row["items"] = [{"item": item, "weight": weight} for item, weight in row["items"]]
        return pa.Table.from_pylist(rows, RATED_SCHEMA)


class UrlRules(LineResult):
    """The rules of :func:`crumbs`: one row per rule, including rules with an objection.

    Columns: host, rule, proposed, positions, support, contents, values, counter_examples,
    fetches_saved, example, objection.
    """

    def __len__(self) -> int:
        return int(self.summary["rules"] + self.summary["left_out"])

    def __repr__(self) -> str:
        left_out = self.summary["left_out"]
        return f"UrlRules({self.summary['rules']:,} proposed, {left_out:,} with an objection)"

    @functools.cached_property
    def _table(self) -> pa.Table:
        return _files.read_json_lines(self._file, CRUMBS_SCHEMA)
