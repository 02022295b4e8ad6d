"""Turns columns, lists and mappings of Python and NumPy into tables for the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from .errors import DataError

_ERRORS = (pa.ArrowException, TypeError, ValueError, OverflowError)


def column_of(data: Any, argument: str, text: str | None) -> pa.Table | None:
    """Returns a table of one column of texts, or of the rows of a struct column. Returns None if
    `data` is not a column of pyarrow, polars, pandas or NumPy."""
    if isinstance(data, type):
        return None
    try:
        column = _array_of(data)
    except _ERRORS as error:
        raise DataError(f"{argument} cannot be converted to a column: {error}") from error
    return None if column is None else _table_of(column, text)


def stream_column(data: Any, argument: str, text: str | None) -> pa.Table:
    """Returns the table of a stream that is a single column, such as a polars series."""
    try:
        return _table_of(pa.chunked_array(data), text)
    except _ERRORS as error:
        raise DataError(f"{argument} cannot be converted to a column: {error}") from error


def list_table(items: Sequence[Any], argument: str, text: str | None) -> pa.Table:
    """Returns the table of a list of texts, of rows, or of tables."""
    if all(isinstance(item, Mapping) for item in items):
        names = dict.fromkeys(name for item in items for name in item)
        return mapping_table({name: [row.get(name) for row in items] for name in names}, argument)
    try:
        if all(isinstance(item, pa.RecordBatch) for item in items):
            return pa.Table.from_batches(list(items))
        if all(isinstance(item, pa.Table) for item in items):
            return pa.concat_tables(items)
        if all(item is None or isinstance(item, str) for item in items):
            return _table_of(_texts(items), text)
        if all(isinstance(item, (list, tuple)) for item in items):
            return _table_of(pa.array(items), text)
    except _ERRORS as error:
        raise DataError(f"the items of {argument} do not make one table: {error}") from error
    kinds = sorted({type(item).__name__ for item in items})
    raise DataError(
        f"{argument} is a list of {', '.join(kinds)}, expected a list of a single kind: paths, "
        "texts, rows (dicts), lists, record batches or tables"
    )


def mapping_table(data: Mapping[Any, Any], argument: str) -> pa.Table:
    """Returns the table of columns that are given by name."""
    columns = {}
    for name, values in data.items():
        try:
            if isinstance(values, (str, bytes)):
                raise TypeError("it is a single text, expected a list of texts")
            is_text = isinstance(values, (list, tuple)) and _are_texts(values)
            columns[str(name)] = _texts(values) if is_text else pa.array(values, from_pandas=True)
        except _ERRORS as error:
            raise DataError(
                f"the column {str(name)!r} of {argument} cannot be converted to Arrow: {error}"
            ) from error
    try:
        return pa.table(columns)
    except _ERRORS as error:
        raise DataError(f"{argument} cannot be converted to a table: {error}") from error


def _table_of(column: Any, text: str | None) -> pa.Table:
    if pa.types.is_struct(column.type):
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        batches = [pa.RecordBatch.from_struct_array(chunk) for chunk in chunks]
        schema = pa.schema(list(column.type))
        return pa.Table.from_batches(batches, schema)
    return pa.table({text or "text": column})


def _array_of(data: Any) -> Any:
    module = type(data).__module__.partition(".")[0]
    kind = type(data).__name__
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        return data
    if module == "pandas" and kind == "Series":
        return pa.array(data, from_pandas=True)
    if module == "numpy" and kind in ("ndarray", "MaskedArray"):
        return _array_of_numpy(data)
    only_array = hasattr(data, "__arrow_c_array__") and not hasattr(data, "__arrow_c_stream__")
    return pa.array(data) if only_array else None


def _array_of_numpy(array: Any) -> Any:
    if array.dtype.names:
        names = array.dtype.names
        return pa.StructArray.from_arrays([pa.array(array[name]) for name in names], names)
    if array.dtype.kind == "S":
        raise TypeError("the array holds bytes, expected texts; see numpy.char.decode")
    if array.ndim == 2 and array.dtype.kind in "fiu":
        return pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1])
    if array.ndim != 1:
        raise ValueError(f"the array has {array.ndim} dimensions, expected 1")
    if array.dtype.kind in "fiub":
        return pa.array(array)
    values = array.tolist()
    return _texts(values) if _are_texts(values) else pa.array(array, from_pandas=True)


def _are_texts(values: Sequence[Any]) -> bool:
    return all(value is None or isinstance(value, str) for value in values)


def _texts(values: Sequence[Any]) -> pa.Array:
    """Returns texts as Arrow data. A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD."""
    try:
        return pa.array(values, pa.large_string())
    except UnicodeEncodeError:
        return pa.array([None if v is None else _mended(v) for v in values], pa.large_string())


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def texts_of(offsets: Any, values: bytes) -> pa.Array:
    """Returns a column of texts: text i is bytes offsets[i] to offsets[i + 1]."""
    buffers = pa.py_buffer(offsets), pa.py_buffer(values)
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, *buffers).cast(pa.string())
