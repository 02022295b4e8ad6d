"""What users hand over, as names and tables that the engine reads."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias, Union, runtime_checkable

import pyarrow as pa

from . import _core
from .errors import DataError, RunError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything with the Arrow PyCapsule interface for streams."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path: TypeAlias = Union[str, "os.PathLike[str]"]
#: Paths, patterns, folders and URIs; tables; or a list of paths.
Data: TypeAlias = Union[Path, Sequence[Path], ArrowStream, Any]

_TABLE_NAME = "data.arrow"
_REFERENCE_NAME = "against.arrow"


@dataclasses.dataclass
class Sources:
    """Inputs as the engine takes them."""

    names: list[str] = dataclasses.field(default_factory=list)
    tables: dict[str, _core.Table] = dataclasses.field(default_factory=dict)
    against: list[str] = dataclasses.field(default_factory=list)

    def add(self, data: Data, folder: pathlib.Path, *, reference: bool = False) -> None:
        """Adds `data`; streams that can be read only once are copied to `folder`."""
        names = self.against if reference else self.names
        paths = _paths_of(data)
        if paths is not None:
            names.extend(paths)
            return
        name = _REFERENCE_NAME if reference else _TABLE_NAME
        table = _table_of(data)
        if table is None:
            names.append(_spool(data, folder / name))
            return
        self.tables[name] = _core.import_table(table)
        names.append(name)


def _paths_of(data: Data) -> list[str] | None:
    """The paths that `data` is, or None where it is no path and no list of them."""
    if isinstance(data, bytes):
        raise DataError("data is bytes, expected paths or Arrow data; decode a path with os.fsdecode")
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple, set, frozenset)):
        if all(isinstance(path, (str, os.PathLike)) for path in data):
            return [os.fspath(path) for path in data]
        raise DataError(
            "data is a list of other things than paths; for texts in memory give "
            'pyarrow.table({"text": texts})'
        )
    return None


def _table_of(data: Any) -> Any | None:
    """`data` as something that stays in memory, or None where it is a stream to be read once."""
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.Table):
        return data
    module = type(data).__module__.partition(".")[0]
    if module == "pandas" and type(data).__name__ == "DataFrame":
        return _table_of_pandas(data)
    if module == "polars":
        return data.collect() if hasattr(data, "collect") else data
    if module == "datasets" and hasattr(data, "data"):
        return _table_of_dataset(data)
    return None


def _table_of_pandas(frame: Any) -> pa.Table:
    """Columns of Python objects are copied, those of Arrow types are shared."""
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise DataError(f"the data frame cannot become Arrow data: {error}") from error


def _table_of_dataset(dataset: Any) -> pa.Table | None:
    """The table behind a Hugging Face data set, unless rows of it are chosen by indices."""
    if getattr(dataset, "_indices", None) is not None:
        return None
    table = getattr(dataset.data, "table", dataset.data)
    return table if isinstance(table, pa.Table) else None


def _reader_of(data: Any) -> pa.RecordBatchReader:
    """A reader of batches over `data`."""
    if isinstance(data, pa.RecordBatchReader):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data)
    if hasattr(data, "with_format") and hasattr(data, "iter"):  # Hugging Face, some rows of a table
        return _reader_of_batches(data.with_format("arrow").iter(batch_size=1000))
    if hasattr(data, "fetch_record_batch"):  # DuckDB before it had the stream interface
        return data.fetch_record_batch()
    raise DataError(
        f"data is a {type(data).__name__}, expected paths, or Arrow data: anything with "
        "__arrow_c_stream__ (pyarrow, polars, pandas, DuckDB, Hugging Face datasets)"
    )


def _reader_of_batches(tables: Iterable[pa.Table]) -> pa.RecordBatchReader:
    batches = (batch for table in tables for batch in table.to_batches())
    first = next(batches, None)
    if first is None:
        raise DataError("the data set has no rows")

    def all_batches() -> Iterable[pa.RecordBatch]:
        yield first
        yield from batches

    return pa.RecordBatchReader.from_batches(first.schema, all_batches())


def _spool(data: Any, path: pathlib.Path) -> str:
    """Writes a stream to a file: the engine reads its inputs more than once."""
    reader = _reader_of(data)
    try:
        with pa.OSFile(os.fspath(path), "wb") as file:
            with pa.ipc.new_file(file, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
    except (pa.ArrowException, OSError) as error:
        raise RunError(f"the stream cannot be kept: {error}", os.fspath(path)) from error
    return os.fspath(path)


@contextlib.contextmanager
def scratch_folder(scratch: str | None):
    """A folder for what lives as long as one call."""
    with tempfile.TemporaryDirectory(prefix="lookalike-", dir=scratch or None) as folder:
        yield pathlib.Path(folder)
