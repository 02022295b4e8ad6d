"""The results of runs: files in the command's formats, readable as Arrow tables."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import pickle
import re
import shutil
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from . import _core, _files, _html, _ids, _objects, _scratch, _settings
from .errors import DataError, RunError

if TYPE_CHECKING:
    from typing import Self

    import pandas
    import polars

    from ._data import Path

#: The part that --output-shard adds to a file's name, before the endings of format and codec.
_SHARD = re.compile(r"-(\d{5,})-of-\d{5,}(?=(?:\.[A-Za-z0-9]+){0,2}$)")
#: Columns of removed.jsonl (docs/output.md).
REMOVED_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("row", pa.int64()),
        ("kind", pa.string()),
        ("duplicate_of", pa.string()),
        ("duplicate_of_source", pa.string()),
        ("duplicate_of_row", pa.int64()),
        ("resemblance", pa.float64()),
        ("cluster", pa.int64()),
    ]
)
#: With measure="containment", before the cluster.
CONTAINMENT_FIELDS = [
    pa.field("containment_ab", pa.float64()),
    pa.field("containment_ba", pa.float64()),
]
#: With `keep` other than "first", before the cluster.
KEPT_BY_FIELD = pa.field("kept_by", pa.string())
#: Columns of evidence.jsonl (docs/how-to/containment.md).
EVIDENCE_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("row", pa.int64()),
        ("against", pa.string()),
        ("against_source", pa.string()),
        ("against_row", pa.int64()),
        (
            "passages",
            pa.list_(
                pa.struct(
                    [
                        ("a_begin", pa.int64()),
                        ("a_end", pa.int64()),
                        ("b_begin", pa.int64()),
                        ("b_end", pa.int64()),
                        ("text", pa.string()),
                    ]
                )
            ),
        ),
        ("passages_left_out", pa.int64()),
        ("cut", pa.bool_()),
    ]
)
#: Columns of suggested.jsonl (docs/output.md).
SUGGESTED_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("row", pa.int64()),
        ("duplicate_of", pa.string()),
        ("duplicate_of_source", pa.string()),
        ("duplicate_of_row", pa.int64()),
        ("resemblance", pa.float64()),
        ("exact", pa.bool_()),
        ("standard_error", pa.float64()),
        ("cluster", pa.int64()),
    ]
)
CLUSTERS_SCHEMA = pa.schema(
    [
        ("cluster", pa.int64()),
        ("size", pa.int64()),
        ("kept", pa.list_(pa.string())),
        ("members", pa.list_(pa.string())),
    ]
)
REJECTED_SCHEMA = pa.schema([("source", pa.string()), ("row", pa.int64()), ("reason", pa.string())])


class _TableResult:
    """The base of results that are a single table."""

    def to_arrow(self) -> pa.Table:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame (needs pandas)."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars data frame, sharing its memory (needs polars)."""
        import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


class DedupResult(_TableResult):
    """The result of `dedup`. Its files are in `folder`; tables are read when first used.

    Converted to Arrow data (``pyarrow.table(result)``, :meth:`to_pandas`, :meth:`to_polars`) it
    gives the kept rows.

    Ids are texts, or whole numbers of the column's own type if the data was a table with a column
    of whole numbers as ids. Rows count from 1: the row of a data frame is ``frame.iloc[row - 1]``.
    """

    def __init__(
        self,
        folder: pathlib.Path,
        owner: object | None = None,
        origin: _ids.Origin | None = None,
        access: dict[str, Any] | None = None,
        rows: pathlib.Path | None = None,
    ) -> None:
        self._folder = folder
        self._rows = rows  # the folder with the engine's tables; None: the files are read
        self._owner = owner  # of a temporary folder, which goes with it
        self._origin = origin or _ids.Origin()
        self._access = access or {}  # options of object stores

    @property
    def folder(self) -> pathlib.Path:
        """The folder with the command's files; a temporary one unless `save_to` was given."""
        return self._folder

    @functools.cached_property
    def manifest(self) -> dict[str, Any]:
        """Counts, options, measured recall and timings, as in ``manifest.json``."""
        found: dict[str, Any] = json.loads((self._folder / "manifest.json").read_bytes())
        return found

    @property
    def recall(self) -> dict[str, Any]:
        """The share of true pairs found: asked, estimate, low and high of its 95 % interval, ..."""
        found: dict[str, Any] = self.manifest["recall"]
        return found

    @property
    def exact(self) -> bool:
        """False if the data were sketch files: then there are only clusters and suggestions."""
        return bool(self.manifest.get("exact", True))

    @functools.cached_property
    def suggested(self) -> pa.Table:
        """For sketch files, one row per document that could be removed; nothing was removed.

        Columns: id, source, row (in the sketch file, from 1), duplicate_of, duplicate_of_source,
        duplicate_of_row, resemblance (an estimate), exact (false), standard_error, cluster.
        """
        if self.exact:
            return SUGGESTED_SCHEMA.empty_table()
        return self._table_of("suggested", self._with_kept_by(SUGGESTED_SCHEMA))

    @property
    def kept_files(self) -> list[pathlib.Path]:
        """The files of kept (or, with ``output="annotated"``, of all) rows, in input order."""
        return [file for file, _ in self._kept()]

    @functools.cached_property
    def kept(self) -> pa.Table:
        """The kept rows with all columns of the input. Arrow files are mapped, not read.

        Rows of CSV are texts, unchanged from the file. A column of JSON Lines, or of several
        inputs, whose values have no common type holds JSON texts.

        Raises:
            DataError: An input is a web archive, whose records are not rows (use `kept_files`), or
                the data were sketch files, which have no rows (use `suggested`).

        With ``output="annotated"`` these are all rows, with the columns ``la_keep``,
        ``la_cluster``, ``la_copies``, ``la_duplicate_of`` and ``la_resemblance``.
        """
        self._check_rows()
        delimiter = self._delimiter()
        return _files.concatenated(
            [_files.read_table(file, name, delimiter) for file, name in self._kept()]
        )

    def kept_batches(self) -> Iterator[pa.RecordBatch]:
        """Yields the kept rows in batches, with no more than some megabytes in memory at a time.

        Batches of inputs with different formats have different columns and types.
        """
        self._check_rows()
        for file, name in self._kept():
            yield from _files.read_batches(file, name, self._delimiter())

    @functools.cached_property
    def removed(self) -> pa.Table:
        """One row per removed document, with its kept witness and the exact resemblance.

        Columns: id, source, row (from 1), kind (identical, exact or near), duplicate_of,
        duplicate_of_source (null: that of the document itself), duplicate_of_row (from 1),
        resemblance, cluster. With
        ``measure="containment"`` also containment_ab, the share of its features that the witness
        has, and containment_ba, the other way round. With `keep` other than "first" also kept_by,
        the criterion that decided, or "input order". With several text fields also scores, a
        structure with the resemblance in each; null where both documents lack the field.
        """
        schema = self._with_kept_by(REMOVED_SCHEMA)
        if not self.exact:
            return schema.empty_table()
        if fields := self._text_fields():
            after = schema.get_field_index("resemblance") + 1
            scores = pa.struct([(name, pa.float64()) for name in fields])
            schema = schema.insert(after, pa.field("scores", scores))
        if self._measures_containment():
            columns = list(schema)
            schema = pa.schema([*columns[:-1], *CONTAINMENT_FIELDS, columns[-1]])
        found = self._table_of("removed", schema)
        kinds = {"id": self._origin.data.id_type, "duplicate_of": self._origin.common_id_type}
        return _typed(found, kinds)

    @functools.cached_property
    def evidence(self) -> pa.Table:
        """With ``measure="containment"``, one row per removed document; otherwise no rows.

        Columns: id, source, row, against, against_source, against_row, passages (a_begin, a_end,
        b_begin, b_end, text), passages_left_out, cut.
        """
        if not self._measures_containment():
            return EVIDENCE_SCHEMA.empty_table()
        found = self._table_of("evidence", EVIDENCE_SCHEMA)
        kinds = {"id": self._origin.data.id_type, "against": self._origin.other.id_type}
        return _typed(found, kinds)

    def _table_of(self, name: str, schema: pa.Schema) -> pa.Table:
        if self._rows is not None:
            return _files.arrow_table(self._rows / f"{name}.arrow")
        return _files.read_json_lines(self._folder / f"{name}.jsonl", schema)

    def _delimiter(self) -> str:
        options: dict[str, str] = self.manifest["options"]
        return options.get("delimiter", "")

    def _measures_containment(self) -> bool:
        options: dict[str, Any] = self.manifest["options"]
        return options.get("measure") == "containment"

    @functools.cached_property
    def clusters(self) -> pa.Table:
        """One row per cluster of two or more, largest first: cluster, size, kept, members."""
        kind = self._origin.common_id_type
        if self._rows is not None:
            return _clusters_of(_files.arrow_table(self._rows / "members.arrow"), kind)
        found = _files.read_json_lines(self._folder / "clusters.jsonl", CLUSTERS_SCHEMA)
        lists = {name: _ids.typed_lists(found[name], kind) for name in ("kept", "members")}
        return _ids.with_columns(found, lists)

    @functools.cached_property
    def rejected(self) -> pa.Table:
        """One row per record that could not be read: source, row (from 1), reason."""
        if not self.exact:  # sketch files are read whole or not at all
            return REJECTED_SCHEMA.empty_table()
        return self._table_of("rejected", REJECTED_SCHEMA)

    @functools.cached_property
    def pairs(self) -> pa.Table:
        """The removed documents with their witnesses, as pairs: a (kept), b, resemblance.

        These are only the pairs that caused a removal; :func:`lookalike.pairs` finds all pairs.
        """
        removed = self.removed if self.exact else self.suggested
        return pa.table(
            {
                "a": removed["duplicate_of"],
                "b": removed["id"],
                "resemblance": removed["resemblance"],
            }
        )

    def _check_rows(self) -> None:
        if not self.exact:
            raise DataError(
                "the data were sketch files, which have no rows to keep; .suggested lists what "
                "could be removed, .clusters the groups"
            )

    def to_arrow(self) -> pa.Table:
        """The kept rows."""
        return self.kept

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the kept rows as a pandas data frame (needs pandas), with the index of the data
        frame or series that they came from."""
        frame = super().to_pandas()
        index = self._origin.data.index
        return frame if index is None else frame.set_axis(index[self._kept_mask(len(index))])

    def _kept_mask(self, rows: int) -> Any:
        """Returns a flag for each row, set if the row is in :attr:`kept`."""
        import pyarrow.compute as pc  # takes a while; only used here

        mask = np.ones(rows, dtype=bool)
        gone = [self.rejected]
        if not (self._folder / "annotated").is_dir():
            gone.append(self.removed)
        for table in gone:  # of rejected records some may be of the reference
            own = table.filter(pc.equal(table["source"], self._names()[0]))
            mask[own["row"].to_numpy() - 1] = False
        return mask

    def save(self, directory: Path, *, overwrite: bool = False) -> pathlib.Path | str:
        """Copies the command's files to `directory`, ``manifest.json`` last.

        Args:
            directory: A folder, or a URI in an object store (``s3://``, ``gs://``), which is
                accessed with the run's own options for object stores.
            overwrite: If true, replaces an existing result.

        Returns:
            The path of the folder, or the URI.

        Raises:
            RunError: The directory exists and `overwrite` is not set, or it holds more than a
                result; it lies inside this result or contains it; or writing to the disk or the
                store failed. What existed is then unchanged; an incomplete upload has no
                ``manifest.json``.
        """
        target = _objects.place("directory", directory)
        if isinstance(target, str):
            return _upload(self._folder, target, overwrite, self._access)
        place, own = target.resolve(), self._folder.resolve()
        if place == own:
            return target
        if own in place.parents or place in own.parents:
            raise RunError(
                "cannot hold a copy of this result, because one lies inside the other", str(target)
            )
        if not overwrite:
            _objects.check_free(target)
        if target.is_dir() and not target.is_symlink():
            _core.check_overwrite(str(target))
        _put(target, lambda partial: shutil.copytree(self._folder, partial, copy_function=_copy))
        return target

    def report(self, *, show: bool = True) -> pathlib.Path:
        """The page ``report.html``; opens it in a browser unless `show` is False."""
        page = self._folder / "report.html"
        if not self.exact:
            raise RunError("a result of sketch files has no page: there are no texts to show")
        if show:
            webbrowser.open(page.resolve().as_uri())
        return page

    def __repr__(self) -> str:
        records = self.manifest["records"]
        if not self.exact:
            return (
                f"DedupResult({records['in']:,} documents compared by sketches: nothing removed, "
                f"{self.manifest['suggested']:,} could be)"
            )
        removed = records["removed_exact"] + records["removed_near"]
        return (
            f"DedupResult({records['in']:,} documents: {records['kept']:,} kept, "
            f"{removed:,} removed, {records['rejected']:,} rejected)"
        )

    def _repr_html_(self) -> str:
        return _html.dedup(self.manifest, self.removed)

    def _text_fields(self) -> list[str]:
        """The text fields, if there are several; otherwise none."""
        text: str = self.manifest["options"].get("text-field", "")
        names = [re.sub(r"\\(.)", r"\1", name) for name in re.findall(r"(?:\\.|[^,\\])+", text)]
        return names if len(names) > 1 else []

    def _with_kept_by(self, schema: pa.Schema) -> pa.Schema:
        """The schema of removals with what decided, where the result says it."""
        if "kept_by" not in self.manifest:
            return schema
        return schema.insert(len(schema) - 1, KEPT_BY_FIELD)

    def _inputs(self) -> list[dict[str, Any]]:
        manifest = self.manifest
        if "inputs_file" not in manifest:
            found: list[dict[str, Any]] = manifest["inputs"]
            return found
        # With very many inputs, a file of lines lists them.
        with (self._folder / manifest["inputs_file"]).open("rb") as file:
            return [json.loads(line) for line in file]

    def _names(self) -> list[str]:
        return [
            entry["name"]
            for entry in self._inputs()
            if not entry.get("reference") and not entry["skipped"]
        ]

    def _kept(self) -> list[tuple[pathlib.Path, str]]:
        """Returns files and the names of their inputs. Removed text files have no file."""
        annotated = self._folder / "annotated"
        place = annotated if annotated.is_dir() else self._folder / "kept"
        sharded = self.manifest["options"].get("output-shard", "0") != "0"
        found: dict[str, list[list[pathlib.Path]]] = {}
        for file in sorted(path for path in place.rglob("*") if path.is_file()):
            # Names of files may be any bytes; a manifest is UTF-8.
            name = os.fsencode(file.relative_to(place)).decode("utf-8", "replace")
            shard = _SHARD.search(name) if sharded else None
            if shard:
                name = name[: shard.start()] + name[shard.end() :]
            if shard is None or int(shard[1]) == 0 or name not in found:
                found.setdefault(name, []).append([])
            found[name][-1].append(file)
        return [
            (file, name)
            for name in self._names()
            if found.get(name)
            for file in found[name].pop(0)
        ]

    def __copy__(self) -> DedupResult:
        return self  # nothing of it changes

    def __deepcopy__(self, memo: object) -> DedupResult:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self._owner is not None:
            raise pickle.PicklingError(
                f"the files of this result are temporary ({self._folder}) and removed with it; "
                "pass save_to=, or send what save() returns"
            )
        return DedupResult, (self._folder.absolute(), None, self._origin, self._access)


def _clusters_of(members: pa.Table, kind: pa.DataType | None) -> pa.Table:
    """Returns one row per cluster from one per member; `kind`: of the ids, None for text."""
    numbers = members["cluster"].to_numpy()
    kept = members["kept"].to_numpy()
    ids = members["id"]
    if ids.nbytes >= 1 << 31:  # more than one array of texts can address
        ids = ids.cast(pa.large_string())
    ids = _ids.typed(ids, kind).combine_chunks()
    sizes = np.bincount(numbers)[1:]  # clusters are numbered from 1, without gaps
    kept_sizes = np.bincount(numbers[kept], minlength=len(sizes) + 1)[1:]
    return pa.table(
        {
            "cluster": np.arange(1, len(sizes) + 1),
            "size": sizes,
            "kept": _lists(kept_sizes, ids.filter(pa.array(kept))),
            "members": _lists(sizes, ids),
        }
    )


def _lists(sizes: Any, values: pa.Array) -> pa.ListArray | pa.LargeListArray:
    """Returns consecutive values as lists of these sizes."""
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    if offsets[-1] >= 1 << 31:
        return pa.LargeListArray.from_arrays(pa.array(offsets), values)
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values)


def _typed(table: pa.Table, kinds: dict[str, pa.DataType | None]) -> pa.Table:
    """Returns `table` with ids of these types."""
    return _ids.with_columns(
        table, {name: _ids.typed(table[name], kind) for name, kind in kinds.items() if kind}
    )


def _upload(path: pathlib.Path, uri: str, overwrite: bool, access: dict[str, Any]) -> str:
    """Copies a result to an object store. Returns the URI without credentials and parameters."""
    options = _settings.make_options("dedup", {**access, "overwrite": overwrite})
    _core.copy_to_store(os.fspath(path), uri, options)
    return _objects.shown(uri)


def _copy(source: str, target: str) -> str:
    return shutil.copyfile(source, target)


def _put(target: pathlib.Path, write: Callable[[pathlib.Path], object]) -> None:
    """Writes next to `target`, then replaces it in one step; on failure nothing changes."""
    beside = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = pathlib.Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        write(beside / "new")
        if os.path.lexists(target):
            target.rename(beside / "earlier")
        (beside / "new").rename(target)
    except OSError as error:
        raise RunError(f"cannot be written: {error.strerror or error}", str(target)) from error
    finally:
        if beside is not None:
            if os.path.lexists(beside / "earlier") and not os.path.lexists(target):
                (beside / "earlier").rename(target)
            shutil.rmtree(beside, ignore_errors=True)


class _FileResult(_TableResult):
    """A file that a command wrote, readable as a table.

    Attributes:
        summary: Counts and other facts about the run, as the command reports them.
    """

    _COUNTED = ""  # what the rows are, in the summary too

    def __init__(
        self,
        file: pathlib.Path,
        summary: dict[str, Any],
        owner: object | None,
        origin: _ids.Origin | None = None,
        access: dict[str, Any] | None = None,
    ) -> None:
        self._file = file
        self._owner = owner  # of a temporary folder, which goes with it
        self._origin = origin or _ids.Origin()
        self._access = access or {}  # options of object stores
        self.summary = summary

    @functools.cached_property
    def _table(self) -> pa.Table:
        raise NotImplementedError

    def _write_lines(self, file: pathlib.Path) -> None:
        raise NotImplementedError

    def to_arrow(self) -> pa.Table:
        """Returns one row per line of the file, in input order."""
        return self._table

    def save(self, path: Path, *, overwrite: bool = False) -> pathlib.Path | str:
        """Writes the rows, as Parquet if the name ends in ``.parquet``, else as lines.

        Args:
            path: A file, or the URI of an object (``s3://``, ``gs://``), which is accessed with the
                run's own options for object stores.
            overwrite: If true, replaces an existing file.

        Returns:
            The path of the file, or the URI.

        Raises:
            RunError: The file exists and `overwrite` is not set.
        """
        target = _objects.place("path", path)
        if isinstance(target, str):
            owner = _scratch.TemporaryFolder(None)
            suffix = pathlib.PurePosixPath(_objects.shown(target)).suffix
            local = owner.path / f"rows{suffix}"
            self._write(local, suffix)
            return _upload(local, target, overwrite, self._access)
        if not overwrite:
            _objects.check_free(target)
        if target.is_dir():
            raise RunError("is a folder, expected a file's name", str(target))
        _put(target, lambda partial: self._write(partial, target.suffix))
        return target

    def _write(self, file: pathlib.Path, suffix: str) -> None:
        if suffix in (".parquet", ".pq"):
            pq.write_table(self._table, file, compression="zstd")
        else:
            self._write_lines(file)

    def __copy__(self) -> Self:
        return self  # nothing of it changes

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        content = self._file.read_bytes()
        return _unpickled_file, (
            type(self), self._file.name, content, self.summary, self._origin, self._access
        )  # fmt: skip

    def __len__(self) -> int:
        return int(self.summary[self._COUNTED])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} {self._COUNTED})"


def _unpickled_file(
    kind: type[_FileResult],
    name: str,
    content: bytes,
    summary: dict[str, Any],
    origin: _ids.Origin,
    access: dict[str, Any],
) -> _FileResult:
    owner = _scratch.TemporaryFolder(None)
    file = owner.path / name
    file.write_bytes(content)
    return kind(file, summary, owner, origin, access)


class _FoundTable(_FileResult):
    """A table that a search found.

    Attributes:
        summary: Counts, measured recall, the design of the search, seconds and peaks.
    """

    _IDS = ("", "")
    _SOURCES = ("", "")
    _ROWS = ("", "")
    _INDEXES = ("", "")

    def _sides(self) -> Iterator[tuple[int, _ids.Collection]]:
        return enumerate((self._origin.data, self._origin.other))

    @functools.cached_property
    def _table(self) -> pa.Table:
        found = _typed(
            _files.arrow_table(self._file),
            {self._IDS[side]: collection.id_type for side, collection in self._sides()},
        )
        # All rows of a side are from one table, whose name is not informative.
        names = [self._SOURCES[side] for side, collection in self._sides() if not collection.named]
        return found.drop_columns(names)

    @property
    def recall(self) -> dict[str, Any]:
        """The share of true pairs found: asked, estimate, low and high of its 95 % interval, ..."""
        found: dict[str, Any] = self.summary["recall"]
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the table as a pandas data frame (needs pandas). If the data was a pandas data
        frame or series, the labels of its index are added as columns."""
        frame = super().to_pandas()
        for side, collection in self._sides():
            if collection.index is not None:
                labels = _ids.labels(collection.index, frame[self._ROWS[side]])
                frame[self._INDEXES[side]] = labels
        return frame

    def _write_lines(self, file: pathlib.Path) -> None:
        _files.write_json_lines(self._table, file)

    def __repr__(self) -> str:
        documents = self.summary["records"]["in"]
        return f"{type(self).__name__}({len(self):,} {self._COUNTED} of {documents:,} documents)"

    def _repr_html_(self) -> str:
        return _html.found_table(self._COUNTED, self.summary, self._table)


class PairsResult(_FoundTable):
    """The pairs that `pairs` found: a, b, resemblance, common, size_a, size_b; or a, b, distance.

    With ``measure="containment"`` also containment_ab and containment_ba; with several text fields
    also scores, a structure with the resemblance in each. Columns row_a and row_b
    are the rows of the two documents, counted from 1; if paths were passed, source_a and source_b
    are the names of their inputs. If a pandas data frame or series was passed, :meth:`to_pandas`
    adds the labels of its index: index_a and index_b.

    Ids are texts, or whole numbers of the column's own type if the data was a table with a column
    of whole numbers as ids.

    Attributes:
        summary: Counts, measured recall, the design of the search, seconds and peaks.
    """

    _COUNTED = "pairs"
    _IDS = ("a", "b")
    _SOURCES = ("source_a", "source_b")
    _ROWS = ("row_a", "row_b")
    _INDEXES = ("index_a", "index_b")


class NearestResult(_FoundTable):
    """The neighbours that `nearest` found, grouped by document.

    Columns: id, rank (from 1), neighbour, and distance; or, without a distance, resemblance,
    common, size_a and size_b, and with several text fields scores. Columns row and neighbour_row
    are the rows of the two documents, counted from 1; if paths were passed, source and
    neighbour_source are the names of their inputs. If a pandas data frame or series was passed,
    :meth:`to_pandas` adds the labels of its index: index and neighbour_index. Ids are as in
    :class:`PairsResult`.

    Attributes:
        summary: Counts, measured recall, the design of the search, seconds and peaks.
    """

    _COUNTED = "neighbours"
    _IDS = ("id", "neighbour")
    _SOURCES = ("source", "neighbour_source")
    _ROWS = ("row", "neighbour_row")
    _INDEXES = ("index", "neighbour_index")


class Comparison:
    """The result of comparing two texts.

    Attributes:
        resemblance: Common features over all features, 0 to 1.
        containment_ab: Share of the features of `a` that `b` has.
        containment_ba: Share of the features of `b` that `a` has.
        common, size_a, size_b: Numbers of distinct features.
        exact: True if these were counted, False if they are estimates (``verify="sketch"``).
        standard_error: The standard error of the resemblance, if it is an estimate.
        passages: Tuples (a_begin, a_end, b_begin, b_end) of offsets into the texts, in code points,
            ends exclusive, by a_begin. Together they hold every common feature.
        text_a, text_b: The texts that the offsets refer to.
        distance: The distance, with the option ``distance``; besides it, only the texts are set.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.resemblance: float = found["resemblance"]
        self.containment_ab: float = found["containment_ab"]
        self.containment_ba: float = found["containment_ba"]
        self.common: int = found["common"]
        self.size_a: int = found["size_a"]
        self.size_b: int = found["size_b"]
        self.exact: bool = found["exact"]
        self.standard_error: float = found["standard_error"]
        self.passages: list[tuple[int, int, int, int]] = found["passages"]
        self.text_a: str = found["text_a"]
        self.text_b: str = found["text_b"]
        self.distance: float | int | None = found["distance"]

    def __repr__(self) -> str:
        if self.distance is not None:
            return f"Comparison(distance={self.distance})"
        return (
            f"Comparison(resemblance={self.resemblance:.4f}, "
            f"containment_ab={self.containment_ab:.4f}, "
            f"containment_ba={self.containment_ba:.4f}, {len(self.passages)} passages)"
        )

    def _repr_html_(self) -> str:
        return _html.comparison(self)


@dataclasses.dataclass(frozen=True)
class SketchFile:
    """A sketch file that was written."""

    #: The path or URI of the file, for :func:`pairs`, :func:`nearest` and :func:`dedup`.
    path: str
    #: The number of sketches in it, and of records that could not be read.
    documents: int
    rejected: int
    #: The kind and size of the sketches: ``fss:128``.
    sketch: str
    #: The features that are sketched: ``word:5``.
    features: str
    #: The size of the file.
    bytes: int

    @classmethod
    def of(cls, path: str, summary: dict[str, Any]) -> Self:
        """Returns the file at a path, from the summary of the run that wrote it."""
        return cls(
            path,
            documents=summary["documents"],
            rejected=summary["records"]["rejected"],
            sketch=summary["sketch"],
            features=summary["features"],
            bytes=summary["bytes_out"],
        )


class Plan:
    """Predictions for a run, estimated from a sample.

    Attributes:
        documents, bytes, pairs: Estimates for the whole collection.
        searches: One dict per possible search: design, keys, recall, recall_at_threshold,
            candidates, seconds (of CPU), memory_bytes, disk_bytes, reaches_recall, fits, and
            acceptance, the probability that a pair is found at resemblances 0, .01, ... 1.
        chosen: The search that a run with these options uses.
        cheapest: The search with the least CPU time among those that reach the recall.
        similarity: Tuples (lower bound of resemblance, expected pairs) in steps of .05.
        facts: All of this, as plain values.
    """

    def __init__(self, found: dict[str, Any], threshold: float) -> None:
        self.facts = found
        self.documents: int = found["documents"]
        self.bytes: int = found["bytes"]
        self.pairs: int = found["pairs"]
        self.searches: list[dict[str, Any]] = found["searches"]
        self.chosen: dict[str, Any] = self.searches[found["chosen"]]
        self.cheapest: dict[str, Any] = self.searches[found["cheapest"]]
        self.similarity: list[tuple[float, float]] = found["similarity"]
        self._threshold = threshold

    def to_arrow(self) -> pa.Table:
        """Returns the searches, one per row."""
        return pa.Table.from_pylist(self.searches)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the searches, one per row (needs pandas)."""
        return self.to_arrow().to_pandas()

    def __repr__(self) -> str:
        return (
            f"Plan({self.documents:,} documents, {self.pairs:,} pairs expected; "
            f"{self.chosen['design']}: recall {self.chosen['recall']:.4f}, "
            f"{self.chosen['seconds']:.1f} CPU s)"
        )

    def _repr_html_(self) -> str:
        return _html.plan(self, self._threshold)
