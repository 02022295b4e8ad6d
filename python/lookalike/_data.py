"""What users hand over, as names and tables that the engine reads."""

from __future__ import annotations

import dataclasses
import glob
import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, Union, runtime_checkable

import pyarrow as pa

from . import _core
from .errors import DataError, OptionError, RunError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything with the Arrow PyCapsule interface for streams."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path: TypeAlias = Union[str, "os.PathLike[str]"]
#: Paths, patterns, folders and URIs; tables; or a list of paths.
Data: TypeAlias = Union[Path, Sequence[Path], ArrowStream, Any]

_LONGEST_PATH = 4096
_MOST_WORDS = 8  # of a path that is not found; more of them are a text


@dataclasses.dataclass
class Sources:
    """Inputs as the engine takes them."""

    names: list[str] = dataclasses.field(default_factory=list)
    tables: dict[str, _core.Table] = dataclasses.field(default_factory=dict)
    against: list[str] = dataclasses.field(default_factory=list)


def sources_of(data: Data, against: Data | None, folder: pathlib.Path) -> Sources:
    """Inputs and references; streams that can be read only once are copied to `folder`."""
    paths = _paths_of(data, "data")
    reference = _paths_of(against, "against") if against is not None else []
    taken = _names_of([*(paths or []), *(reference or [])])
    sources = Sources(names=paths or [], against=reference or [])
    if paths is None:
        _add_table(data, "data", _free_name("data", taken), folder, sources.names, sources.tables)
    if reference is None:
        name = _free_name("against", taken)
        _add_table(against, "against", name, folder, sources.against, sources.tables)
    return sources


def _add_table(
    data: Any,
    argument: str,
    name: str,
    folder: pathlib.Path,
    names: list[str],
    tables: dict[str, _core.Table],
) -> None:
    table = _table_of(data, argument)
    if table is None:
        names.append(_spool(_reader_of(data, argument), folder / name))
        return
    if _column_names(table) == []:
        raise DataError(f"{argument} has no columns, expected one of texts")
    tables[name] = _core.import_table(table)
    names.append(name)


def _column_names(table: Any) -> list[str]:
    names = table.column_names if isinstance(table, pa.Table) else table.columns
    return list(names)


def _names_of(paths: list[str]) -> set[str]:
    """Names that inputs may have in results, of files near enough to meet a table's."""
    names = set()
    for path in paths:
        names.add(os.path.basename(path))
        if os.path.isdir(path):
            names.update(os.listdir(path))
        elif glob.has_magic(path):
            names.update(os.path.basename(file) for file in glob.iglob(path, recursive=True))
    return names


def _free_name(stem: str, taken: set[str]) -> str:
    """``data.arrow``, or ``data-2.arrow`` where a file has that name."""
    number, name = 1, f"{stem}.arrow"
    while name in taken:
        number += 1
        name = f"{stem}-{number}.arrow"
    return name


def text_bytes(text: str) -> bytes:
    """A text as the engine takes it, lone surrogates included. Raises OptionError."""
    if not isinstance(text, str):
        raise OptionError(f"a text is a {type(text).__name__}, expected str")
    return text.encode("utf-8", "surrogatepass")


def point_text(value: str | Iterable[float]) -> str:
    """A text as it is, a list of numbers as the text of a point. Raises OptionError."""
    if isinstance(value, str):
        return value
    try:
        return " ".join(repr(float(number)) for number in value)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f"a point is {value!r:.100}, expected text or numbers") from error


def _is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _paths_of(data: Any, argument: str) -> list[str] | None:
    """The paths that `data` is, or None where it is no path and no list of them."""
    if _is_path(data):
        return [_checked_path(data, argument)]
    if isinstance(data, (set, frozenset)) and all(map(_is_path, data)):
        data = sorted(data, key=os.fspath)
    if isinstance(data, Iterator) and not hasattr(data, "__arrow_c_stream__"):
        data = list(data)  # of a pattern, usually
    if not isinstance(data, (list, tuple)):
        return None
    for item in data:
        if not _is_path(item):
            raise DataError(
                f"{argument} has an item of type {type(item).__name__}, expected paths or one "
                'table; for texts in memory give pyarrow.table({"text": texts}), and join tables '
                "by pyarrow.concat_tables"
            )
    if not data and argument == "against":
        raise DataError("against is empty, expected paths or Arrow data; None means no reference")
    return [_checked_path(item, argument) for item in data]


def _checked_path(data: Any, argument: str) -> str:
    path = os.fspath(data)
    if not isinstance(path, str):
        raise DataError(f"{argument} has a path of bytes, expected text; see os.fsdecode")
    if not path:
        raise DataError(f"{argument} has an empty path")
    if "\0" in path or _is_text(path):
        raise DataError(
            f"{argument} has {_shortened(path)!r}, which is a text and not a path; for texts in "
            'memory give pyarrow.table({"text": texts})'
        )
    try:
        path.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{argument} has the path {path!r}, which is not UTF-8; rename it, or name its folder"
        ) from error
    return path


def _is_text(path: str) -> bool:
    if len(path) > _LONGEST_PATH:
        return True
    return len(path.split()) > _MOST_WORDS and "/" not in path and not os.path.exists(path)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _table_of(data: Any, argument: str) -> Any | None:
    """`data` as something that stays in memory, or None where it is a stream to be read once."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.Table):
        return data
    module = type(data).__module__.partition(".")[0]
    kind = type(data).__name__
    if module == "pandas" and kind == "DataFrame":
        return _table_of_pandas(data, argument)
    if module == "polars" and kind in ("DataFrame", "LazyFrame"):
        return data.collect() if kind == "LazyFrame" else data
    if module == "datasets" and hasattr(data, "data"):
        return _table_of_dataset(data)
    only_array = hasattr(data, "__arrow_c_array__") and not hasattr(data, "__arrow_c_stream__")
    return _table_of_array(data, argument) if only_array and not isinstance(data, type) else None


def _table_of_pandas(frame: Any, argument: str) -> pa.Table:
    """Columns of Python objects are copied, those of Arrow types are shared."""
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, ValueError, TypeError) as error:
        text = ": ".join(map(str, reversed(error.args))) if error.args else str(error)
        raise DataError(f"the data frame {argument} cannot become Arrow data: {text}") from error


def _table_of_array(data: Any, argument: str) -> pa.Table:
    """One batch of rows, of an object with ``__arrow_c_array__``."""
    try:
        return pa.Table.from_batches([pa.record_batch(data)])
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise _not_rows(data, argument) from error


def _table_of_dataset(dataset: Any) -> pa.Table | None:
    """The table behind a Hugging Face data set, unless rows of it are chosen by indices."""
    if getattr(dataset, "_indices", None) is not None:
        return None
    table = getattr(dataset.data, "table", dataset.data)
    return table if isinstance(table, pa.Table) else None


def _not_rows(data: Any, argument: str) -> DataError:
    return DataError(
        f"{argument} is one array ({type(data).__name__}), expected a table with named columns; "
        'give pyarrow.table({"text": array})'
    )


def _reader_of(data: Any, argument: str) -> pa.RecordBatchReader:
    """A reader of batches over `data`."""
    if isinstance(data, pa.RecordBatchReader):
        return data
    if isinstance(data, type):
        raise _not_data(data, argument)
    if hasattr(data, "__arrow_c_stream__"):
        try:
            return pa.RecordBatchReader.from_stream(data)
        except pa.ArrowInvalid as error:
            if "non-struct" in str(error):
                raise _not_rows(data, argument) from error
            raise DataError(f"{argument} cannot be read as Arrow data: {error}") from error
    if hasattr(data, "with_format") and hasattr(data, "iter"):  # Hugging Face, some rows of a table
        return _reader_of_dataset(data, argument)
    if hasattr(data, "fetch_record_batch"):  # DuckDB before it had the stream interface
        reader = data.fetch_record_batch()
        assert isinstance(reader, pa.RecordBatchReader)
        return reader
    raise _not_data(data, argument)


def _not_data(data: Any, argument: str) -> DataError:
    hint = ""
    if isinstance(data, type):
        hint = "; it is a class, give one of its objects"
    elif hasattr(data, "with_format") and isinstance(data, dict):
        hint = f"; choose a split of it: {', '.join(map(repr, data))}"
    elif isinstance(data, dict):
        hint = "; give pyarrow.table(...) of it"
    elif isinstance(data, (bytes, bytearray)):
        hint = "; decode a path with os.fsdecode"
    elif isinstance(data, Iterable):
        hint = '; for texts in memory give pyarrow.table({"text": texts})'
    return DataError(
        f"{argument} is of type {type(data).__name__}, expected paths, or Arrow data: anything "
        f"with __arrow_c_stream__ (pyarrow, polars, pandas, DuckDB, Hugging Face datasets){hint}"
    )


def _reader_of_dataset(dataset: Any, argument: str) -> pa.RecordBatchReader:
    tables = dataset.with_format("arrow").iter(batch_size=1000)
    batches = (batch for table in tables for batch in table.to_batches())
    first = next(batches, None)
    if first is None:
        features = getattr(dataset, "features", None)
        if features is None:
            raise DataError(f"{argument} has no rows, and does not say what its columns are")
        return pa.RecordBatchReader.from_batches(features.arrow_schema, [])

    def all_batches() -> Iterator[pa.RecordBatch]:
        yield first
        yield from batches

    return pa.RecordBatchReader.from_batches(first.schema, all_batches())


def _holds_dictionary(kind: pa.DataType) -> bool:
    """Whether values of the type, or ones within them, stand in a dictionary."""
    if isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    if pa.types.is_dictionary(kind):
        return True
    return any(_holds_dictionary(kind.field(i).type) for i in range(kind.num_fields))


def _spool(reader: pa.RecordBatchReader, path: pathlib.Path) -> str:
    """Writes a stream to a file: the engine reads its inputs more than once."""
    if not reader.schema.names:
        raise DataError("the stream has no columns, expected one of texts")
    # A file of Arrow has one dictionary a column, whereas those of a stream may change.
    changes = any(_holds_dictionary(field.type) for field in reader.schema)
    new = pa.ipc.new_stream if changes else pa.ipc.new_file
    try:
        with pa.OSFile(os.fspath(path), "wb") as file, new(file, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    except (pa.ArrowException, OSError) as error:
        raise RunError(f"the stream cannot be kept: {error}", os.fspath(path)) from error
    return os.fspath(path)
