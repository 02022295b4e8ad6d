"""Reads result files as Arrow tables: rows of text by the engine, columns by Arrow."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import _core, _json_lines, _settings
from ._columns import texts_of
from .errors import DataError, RunError

_CHUNK = 1 << 22
#: A result has only rows that could be read; annotations make them longer, codecs denser.
_LIMITS = {"max_record": "372M", "max_errors": 0, "max_expansion": 1e6}


def _front(file: pathlib.Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(8)


def _arrow_reader(file: pathlib.Path, front: bytes) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    source = pa.memory_map(os.fsencode(file))
    if front.startswith(b"ARROW1"):
        reader = pa.ipc.open_file(source)
        return reader.schema, map(reader.get_batch, range(reader.num_record_batches))
    stream = pa.ipc.open_stream(source)
    return stream.schema, iter(stream)


def arrow_table(file: pathlib.Path) -> pa.Table:
    """Returns the table in an Arrow file of the engine's."""
    with pa.OSFile(os.fsencode(file)) as source:
        return pa.ipc.open_file(source).read_all()


def read_batches(
    file: pathlib.Path, name: str, delimiter: str = ""
) -> Iterator[pa.RecordBatch]:
    """Yields the kept rows in a file, in order. `name`: of its input; `delimiter`: the option."""
    front = _front(file)
    if front.startswith(b"PAR1"):
        with file.open("rb") as stream, pq.ParquetFile(stream) as parquet:
            for group in range(parquet.num_row_groups):  # each may have dictionaries of its own
                yield from parquet.iter_batches(batch_size=8192, row_groups=[group])
    elif front.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        yield from _arrow_reader(file, front)[1]
    else:
        yield from _row_batches(file, name, delimiter)


def read_table(file: pathlib.Path, name: str, delimiter: str = "") -> pa.Table:
    """Returns a file of kept rows as one table. `name` is the name of its input."""
    front = _front(file)
    if front.startswith(b"PAR1"):
        with file.open("rb") as stream:
            return pq.read_table(stream)
    if front.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        schema, batches = _arrow_reader(file, front)
        return pa.Table.from_batches(list(batches), schema)
    rows = list(_row_batches(file, name, delimiter))
    return pa.Table.from_batches(rows) if rows else pa.table({})


def _row_batches(file: pathlib.Path, name: str, delimiter: str) -> Iterator[pa.RecordBatch]:
    """Yields rows of text. Those of CSV are texts, unchanged from the file: CSV has no types."""
    form = next((form for form, _ in _rows(file, delimiter)), "texts")
    if form == "objects":
        yield from _json_lines.batches(lambda: _objects(file))
        return
    for _, fields in _rows(file, delimiter):
        if not fields:  # CSV without a header
            continue
        columns = [texts_of(offsets, values) for _, offsets, values in fields]
        batch = pa.RecordBatch.from_arrays(columns, [field for field, _, _ in fields])
        if form == "fields":
            yield batch
        elif batch.num_rows:
            yield batch.add_column(0, "id", pa.repeat(f"{name}:1", batch.num_rows))


def _rows(file: pathlib.Path, delimiter: str) -> Iterator[tuple[str, Any]]:
    """Yields the form of rows, and name, offsets and values of each of their fields."""
    options = _settings.make_options("dedup", {**_LIMITS, "delimiter": delimiter or None})
    try:
        reader = _core.open_rows(os.fsencode(file), options)
    except RunError as error:
        if error.code == "usage":
            raise DataError(error.what, error.where) from None
        raise
    found: Any = reader.next()
    while found is not None:
        yield found
        found = reader.next()


def _objects(file: pathlib.Path) -> Iterator[bytes]:
    """Yields lines with one JSON object each, some megabytes at a time: Arrow likes large parts."""
    held = []
    for _, [(_, _, lines)] in _rows(file, ""):
        held.append(lines)
        if sum(map(len, held)) >= _CHUNK:
            yield b"".join(held)
            held = []
    if any(held):
        yield b"".join(held)


def _chunks(file: pathlib.Path) -> Iterator[bytes]:
    """Yields whole lines, some megabytes at a time."""
    with file.open("rb") as stream:
        left = b""
        while block := stream.read(_CHUNK):
            lines, end, rest = block.rpartition(b"\n")
            if end:
                yield left + lines + end
                left = rest
            else:
                left += rest
        if left.strip():
            yield left


def read_json_lines(file: pathlib.Path, schema: pa.Schema) -> pa.Table:
    """Returns the table of a JSON Lines file with these columns."""
    return _json_lines.table(lambda: _chunks(file), schema)


def write_json_lines(table: pa.Table, file: pathlib.Path) -> None:
    """Writes rows as JSON objects, one per line."""
    with file.open("w", encoding="utf-8") as stream:
        for batch in table.to_batches(max_chunksize=8192):
            for row in batch.to_pylist():
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def concatenated(tables: list[pa.Table]) -> pa.Table:
    """Concatenates tables; columns whose types cannot be unified become JSON texts."""
    if not tables:
        return pa.table({})
    if len(tables) == 1:
        return tables[0]
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        pass
    types: _json_lines.Types = {}
    for table in tables:
        for field in table.schema:
            known = types.get(field.name, field.type)
            types[field.name] = _json_lines.common_type(known, field.type)
    agreed = [_agreed(table, types) for table in tables]
    return pa.concat_tables(agreed, promote_options="permissive")


def _agreed(table: pa.Table, types: _json_lines.Types) -> pa.Table:
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = types[name]
        if kind is None:
            columns.append(pa.array(_json_lines.as_json(column.to_pylist()), pa.string()))
        else:
            columns.append(column.cast(kind))
    return pa.table(columns, names=table.column_names)
