"""Turns the data that users pass into names and tables that the engine reads."""

from __future__ import annotations

import dataclasses
import functools
import glob
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, Union, runtime_checkable

import pyarrow as pa

from . import _core, _ids
from ._columns import column_of, list_table, mapping_table, stream_column
from .errors import DataError, OptionError, RunError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything with the Arrow PyCapsule interface for streams."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path: TypeAlias = Union[str, "os.PathLike[str]"]
#: Paths, patterns, folders and URIs; open files; tables; columns or lists of texts; lists of rows.
Data: TypeAlias = Union[Path, Sequence[Path], ArrowStream, Any]

_LONGEST_PATH = 4096
_MOST_WORDS = 8  # of a path that is not found; more of them are a text
_BLOCK = 1 << 20
_ENDINGS = tuple(
    ".jsonl .ndjson .json .parquet .pq .csv .tsv .txt .text .md .html .htm .xhtml .arrow .arrows "  # noqa: SIM905
    ".ipc .feather .warc .sketches .gz .zst .zstd .bz2 .lz4 .xz .zip .tar".split()
)


@dataclasses.dataclass
class Sources:
    """Inputs in the form that the engine takes, and the facts about them that results need."""

    names: list[str] = dataclasses.field(default_factory=list)
    tables: dict[str, _core.Table] = dataclasses.field(default_factory=dict)
    against: list[str] = dataclasses.field(default_factory=list)
    origin: _ids.Origin = dataclasses.field(default_factory=_ids.Origin)


@dataclasses.dataclass
class _Given:
    """One collection: paths, or a table in memory, or a stream that can be read once."""

    paths: list[str] | None = None
    table: Any = None
    reader: pa.RecordBatchReader | None = None
    index: Any = None  # of a pandas frame or series


def sources_of(
    data: Data,
    against: Data | None,
    folder: pathlib.Path,
    *,
    text: str | None,
    id: str | None,  # noqa: A002 - the name of the parameter that users see
) -> Sources:
    """Returns inputs and references; data that can be read only once is copied to `folder`."""
    given = _given(data, "data", text, folder)
    reference = _given(against, "against", text, folder) if against is not None else None
    both = [given] if reference is None else [given, reference]
    in_memory = any(each.paths is None for each in both)  # else no table needs a free name
    taken = _names_of([path for each in both for path in each.paths or []]) if in_memory else set()
    sources = Sources()
    add = functools.partial(_add, taken=taken, folder=folder, tables=sources.tables)
    schema = add(given, "data", names=sources.names)
    own = _ids.Collection(given.paths is not None, _ids.type_of(schema, id), given.index)
    other = None
    if reference is not None:
        schema = add(reference, "against", names=sources.against)
        named = reference.paths is not None
        other = _ids.Collection(named, _ids.type_of(schema, id), reference.index)
    sources.origin = _ids.Origin(own, other)
    return sources


def _add(
    given: _Given,
    argument: str,
    *,
    names: list[str],
    taken: set[str],
    folder: pathlib.Path,
    tables: dict[str, _core.Table],
) -> pa.Schema | None:
    """Adds a collection to `names`. Returns its columns if they are known."""
    if given.paths is not None:
        names.extend(given.paths)
        return None
    name = _free_name(argument, taken)
    if given.reader is not None:
        schema = given.reader.schema
        names.append(_spool(given.reader, folder / name))
        return schema
    if _column_names(given.table) == []:
        raise DataError(f"{argument} has no columns, expected a column of texts")
    tables[name] = _core.import_table(given.table)
    names.append(name)
    return _schema_of(given.table)


def _given(data: Any, argument: str, text: str | None, folder: pathlib.Path) -> _Given:
    if _is_file(data):
        return _Given(paths=[_spool_file(data, argument, folder)])
    has_order = not _is_unordered(data)
    data = data if has_order else list(data)
    paths = _paths_of(data, argument)
    if paths is not None:
        return _Given(paths=paths if has_order else sorted(paths, key=os.fsencode))
    table = _table_of(data, argument, text)
    if table is None:
        found = _reader_of(data, argument, text)
        return _Given(table=found) if isinstance(found, pa.Table) else _Given(reader=found)
    kind = type(data)
    is_pandas = kind.__module__.partition(".")[0] == "pandas"
    return _Given(table=table, index=data.index if is_pandas else None)


def _schema_of(table: Any) -> pa.Schema:
    if isinstance(table, pa.Table):
        return table.schema
    return pa.RecordBatchReader.from_stream(table).schema


def _column_names(table: Any) -> list[str]:
    names = table.column_names if isinstance(table, pa.Table) else table.columns
    return list(names)


def _names_of(paths: list[str]) -> set[str]:
    """Returns the names that files near a table's may have in results, which it must not repeat."""
    names = set()
    for path in paths:
        names.add(os.path.basename(path))
        if os.path.isdir(path):
            names.update(os.listdir(path))
        elif glob.has_magic(path):
            names.update(os.path.basename(file) for file in glob.iglob(path, recursive=True))
    return names


def _free_name(stem: str, taken: set[str]) -> str:
    """Returns ``data.arrow``, or ``data-2.arrow`` and so on if a file has that name."""
    number, name = 1, f"{stem}.arrow"
    while name in taken:
        number += 1
        name = f"{stem}-{number}.arrow"
    return name


def text_bytes(text: object) -> bytes:
    """Returns a text as the engine takes it, lone surrogates included. Raises OptionError."""
    if not isinstance(text, str):
        raise OptionError(f"a text has type {type(text).__name__}, expected str")
    return text.encode("utf-8", "surrogatepass")


def point_text(value: str | Iterable[float]) -> str:
    """Returns a text unchanged, a list of numbers as the text of a point. Raises OptionError."""
    if isinstance(value, str):
        return value
    try:
        return " ".join(repr(float(number)) for number in value)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f"a point is {value!r:.100}, expected text or numbers") from error


def _is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_file(value: Any) -> bool:
    """True for an open file, of bytes or of text."""
    return hasattr(value, "read") and not isinstance(value, type) and not _is_arrow(value)


def _is_arrow(value: Any) -> bool:
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def _spool_file(file: Any, argument: str, folder: pathlib.Path) -> str:
    """Writes the unread rest of an open file to a file of the same name."""
    name = getattr(file, "name", None)
    base = os.path.basename(name) if isinstance(name, str) else ""
    target = folder / f"open-{argument}" / (base or argument)
    target.parent.mkdir()
    try:
        with target.open("wb") as stream:
            while block := file.read(_BLOCK):
                whole = isinstance(block, str)
                stream.write(block.encode("utf-8", "surrogatepass") if whole else block)
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"{argument} is a file that cannot be read: {error}") from error
    return os.fspath(target)


def _is_unordered(data: Any) -> bool:
    """True for a set of paths, and for an iterator, which can be read only once. Its paths are
    sorted like those of patterns, because folders list their files in any order."""
    if isinstance(data, (set, frozenset)):
        return all(map(_is_path, data))
    return isinstance(data, Iterator) and not _is_arrow(data)


def _paths_of(data: Any, argument: str) -> list[str] | None:
    """Returns the paths in `data`; None if it is neither a path nor a list of paths."""
    if _is_path(data):
        return [_checked_path(data, argument)]
    if not isinstance(data, (list, tuple)):
        return None
    if not data and argument == "against":
        raise DataError("against is empty, expected paths or Arrow data; None means no reference")
    items = [item for item in data if item is not None]
    if not all(map(_is_path, items)):
        return None
    has_none = len(items) < len(data)
    if items and _names_no_file(items):
        if has_none or any(map(_is_text, items)):  # no missing file has such a name
            return None
        _refuse_doubt(items, argument)
    if has_none:
        raise DataError(f"{argument} has an item that is None, expected paths")
    return [_checked_path(item, argument) for item in items]


def _names_no_file(items: Sequence[Any]) -> bool:
    """True for strings that do not name any file: texts, or paths of missing files."""
    return all(isinstance(item, str) for item in items) and not any(map(_names_file, items))


def _refuse_doubt(items: Sequence[str], argument: str) -> None:
    """Raises DataError for short texts, which look like paths of missing files."""
    if any(len(item.split()) > 1 for item in items):
        raise DataError(
            f"{argument} is a list of {len(items)} strings, and none of them is the path of a "
            f"file: {_shortened(items[0])!r}, for example; for texts in memory pass "
            'pyarrow.table({"text": texts}), a pandas Series or a NumPy array'
        )


def _names_file(path: str) -> bool:
    if not path or "\0" in path or len(path) > _LONGEST_PATH:
        return False
    words = path.split()
    if len(words) <= _MOST_WORDS and path.lower().endswith(_ENDINGS):
        return True
    is_uri = bool(words) and "://" in words[0]
    return is_uri or (len(words) == 1 and glob.has_magic(path)) or os.path.exists(path)


def _checked_path(data: Any, argument: str) -> str:
    path = os.fspath(data)
    if not isinstance(path, str):
        raise DataError(f"{argument} has a path of bytes, expected text; see os.fsdecode")
    if not path:
        raise DataError(f"{argument} has an empty path")
    if "\0" in path or _is_text(path):
        raise DataError(
            f"{argument} has {_shortened(path)!r}, which is a text and not a path; for texts in "
            'memory pass pyarrow.table({"text": texts})'
        )
    try:
        path.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{argument} has the path {path!r}, which is not UTF-8; rename it, or name its folder"
        ) from error
    return path


def _is_text(path: str) -> bool:
    if len(path) > _LONGEST_PATH or "\0" in path or "\n" in path:
        return True
    return len(path.split()) > _MOST_WORDS and "/" not in path and not os.path.exists(path)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _table_of(data: Any, argument: str, text: str | None) -> Any | None:
    """Returns `data` as a table in memory, or None if it is a stream that can be read once."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, (list, tuple)):
        return list_table(data, argument, text)
    module = type(data).__module__.partition(".")[0]
    kind = type(data).__name__
    if module == "pandas" and kind == "DataFrame":
        return _table_of_pandas(data, argument)
    if module == "polars" and kind in ("DataFrame", "LazyFrame"):
        return data.collect() if kind == "LazyFrame" else data
    if module == "datasets" and hasattr(data, "data"):
        return _table_of_dataset(data)
    if isinstance(data, Mapping) and not hasattr(data, "with_format"):
        return mapping_table(data, argument)
    return column_of(data, argument, text)


def _table_of_pandas(frame: Any, argument: str) -> pa.Table:
    """Returns the table of a data frame: copies columns of Python objects, shares Arrow columns."""
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, ValueError, TypeError) as error:
        text = ": ".join(map(str, reversed(error.args))) if error.args else str(error)
        raise DataError(
            f"the data frame {argument} cannot be converted to Arrow: {text}"
        ) from error


def _table_of_dataset(dataset: Any) -> pa.Table | None:
    """Returns the table behind a Hugging Face data set, unless indices select some of its rows."""
    if getattr(dataset, "_indices", None) is not None:
        return None
    table = getattr(dataset.data, "table", dataset.data)
    return table if isinstance(table, pa.Table) else None


def _reader_of(data: Any, argument: str, text: str | None) -> pa.RecordBatchReader | pa.Table:
    """Returns a reader of the batches of `data`; a table if it is a single column."""
    if isinstance(data, pa.RecordBatchReader):
        return data
    if isinstance(data, type):
        raise _not_data(data, argument)
    if hasattr(data, "__arrow_c_stream__"):
        try:
            return pa.RecordBatchReader.from_stream(data)
        except pa.ArrowInvalid as error:
            if "non-struct" in str(error):
                return stream_column(data, argument, text)
            raise DataError(f"{argument} cannot be read as Arrow data: {error}") from error
    if hasattr(data, "with_format") and hasattr(data, "iter"):  # Hugging Face, some rows of a table
        return _reader_of_dataset(data, argument)
    if type(data).__module__ == "pyarrow._dataset":
        scanner = data if hasattr(data, "to_reader") else data.scanner()
        reader = scanner.to_reader()
        assert isinstance(reader, pa.RecordBatchReader)
        return reader
    if hasattr(data, "fetch_record_batch"):  # DuckDB before it had the stream interface
        reader = data.fetch_record_batch()
        assert isinstance(reader, pa.RecordBatchReader)
        return reader
    raise _not_data(data, argument)


def _not_data(data: Any, argument: str) -> DataError:
    hint = ""
    if isinstance(data, type):
        hint = "; it is a class, pass an instance of it"
    elif hasattr(data, "with_format") and isinstance(data, dict):
        hint = f"; choose one of its splits: {', '.join(map(repr, data))}"
    elif isinstance(data, (bytes, bytearray)):
        hint = "; decode a path with os.fsdecode"
    elif isinstance(data, Iterable):
        hint = '; for texts in memory pass pyarrow.table({"text": texts})'
    return DataError(
        f"{argument} has type {type(data).__name__}, expected paths, or Arrow data: anything "
        f"with __arrow_c_stream__ (pyarrow, polars, pandas, DuckDB, Hugging Face datasets){hint}"
    )


def _reader_of_dataset(dataset: Any, argument: str) -> pa.RecordBatchReader:
    tables = dataset.with_format("arrow").iter(batch_size=1000)
    batches = (batch for table in tables for batch in table.to_batches())
    first = next(batches, None)
    if first is None:
        features = getattr(dataset, "features", None)
        if features is None:
            raise DataError(
                f"{argument} has no rows and does not declare its columns; pass at least one row"
            )
        return pa.RecordBatchReader.from_batches(features.arrow_schema, [])

    def all_batches() -> Iterator[pa.RecordBatch]:
        yield first
        yield from batches

    return pa.RecordBatchReader.from_batches(first.schema, all_batches())


def _holds_dictionary(kind: pa.DataType) -> bool:
    """True if a type is dictionary-encoded, or contains one that is."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if pa.types.is_dictionary(kind):
        return True
    return any(_holds_dictionary(kind.field(i).type) for i in range(kind.num_fields))


def _spool(reader: pa.RecordBatchReader, path: pathlib.Path) -> str:
    """Writes a stream to a file: the engine reads its inputs more than once."""
    if not reader.schema.names:
        raise DataError("the stream has no columns, expected a column of texts")
    # An Arrow file has one dictionary per column, but a stream may replace its dictionaries.
    changes = any(_holds_dictionary(field.type) for field in reader.schema)
    new = pa.ipc.new_stream if changes else pa.ipc.new_file
    try:
        with pa.OSFile(os.fspath(path), "wb") as file, new(file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    except (pa.ArrowException, OSError) as error:
        raise RunError(f"the stream cannot be stored: {error}", os.fspath(path)) from error
    return os.fspath(path)
