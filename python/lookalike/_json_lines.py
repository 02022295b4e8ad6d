"""Reads JSON Lines as Arrow data of one schema, some megabytes at a time.

Columns whose values have no common type hold JSON texts. Texts that look like dates stay texts.
Lone surrogates become U+FFFD.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.json

#: By column; None: its values have no common type.
Types: TypeAlias = dict[str, pa.DataType | None]
#: Returns whole lines of a file, some megabytes at a time, from the beginning on each call.
Opened: TypeAlias = Callable[[], Iterator[bytes]]

_LONGEST_CHUNK = (1 << 31) - 64
_LONGEST_NUMBER = 308  # digits that a float can hold


def batches(opened: Opened, schema: pa.Schema | None = None) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a file, in order. If `schema` is None, a first pass determines it."""
    types: Types = {}
    if schema is None:
        for chunk in opened():
            _add_types(types, _types_of(chunk))
    else:
        types = {field.name: field.type for field in schema}
    for chunk in opened():
        yield from _table_of(chunk, types).to_batches()


def table(opened: Opened, schema: pa.Schema | None = None) -> pa.Table:
    """Returns the rows of a file as one table."""
    found = list(batches(opened, schema))
    if found:
        return pa.Table.from_batches(found)
    return schema.empty_table() if schema is not None else pa.table({})


def as_json(values: Iterable[Any]) -> list[str | None]:
    """Returns values of different types as JSON texts."""
    return [
        None if value is None else json.dumps(value, ensure_ascii=False, default=str)
        for value in values
    ]


def common_type(a: pa.DataType | None, b: pa.DataType | None) -> pa.DataType | None:
    """Returns a type that can hold values of both types, or None."""
    if a is None or b is None or a == b:
        return a if a == b else None
    try:
        schemas = [pa.schema([("", kind)]) for kind in (_plain(a), _plain(b))]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None


def _plain(kind: pa.DataType) -> pa.DataType:
    """Returns `kind` with text in place of dates and of dictionary-encoded types."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_temporal(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _plain(field.type)) for field in kind])
    return kind


def _parsed(chunk: bytes, schema: pa.Schema | None) -> pa.Table | None:
    """Parses with Arrow; returns None if it cannot parse the values, or they are not UTF-8."""
    if len(chunk) > _LONGEST_CHUNK:
        return None
    try:
        found = pyarrow.json.read_json(
            io.BytesIO(chunk),
            read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=len(chunk) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=schema, unexpected_field_behavior="infer"
            ),
        )
        found.validate(full=True)
    except pa.ArrowInvalid:
        return None
    return found


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float(digits)


def _mended(value: Any) -> Any:
    """Replaces lone surrogates, which JSON allows and UTF-8 does not, by U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _rows(chunk: bytes) -> list[dict[str, Any]]:
    return [
        _mended(json.loads(line.decode("utf-8", "replace"), parse_int=_number))
        for line in chunk.split(b"\n")
        if line.strip()
    ]


def _inferred(values: list[Any]) -> pa.DataType | None:
    try:
        return pa.array(values).type
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        numbers = all(value is None or type(value) in (int, float) for value in values)
        return pa.float64() if numbers else None


def _types_of(chunk: bytes) -> Types:
    parsed = _parsed(chunk, None)
    if parsed is not None:
        return {field.name: _plain(field.type) for field in parsed.schema}
    rows = _rows(chunk)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _inferred([row.get(name) for row in rows]) for name in names}


def _add_types(types: Types, more: Types) -> None:
    for name, kind in more.items():
        types[name] = common_type(types[name], kind) if name in types else kind


def _array(values: list[Any], kind: pa.DataType | None) -> pa.Array:
    if kind is None:
        return pa.array(as_json(values), pa.string())
    if pa.types.is_floating(kind):
        return pa.array([None if value is None else float(value) for value in values], kind)
    try:
        return pa.array(values, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array(values).cast(kind, safe=False)  # large whole numbers among fractions


def _table_of(chunk: bytes, types: Types) -> pa.Table:
    schema = pa.schema([(name, kind or pa.string()) for name, kind in types.items()])
    parsed = _parsed(chunk, schema) if None not in types.values() else None
    if parsed is not None:
        return parsed.select(schema.names)
    rows = _rows(chunk)
    columns = [_array([row.get(name) for row in rows], kind) for name, kind in types.items()]
    return pa.Table.from_arrays(columns, schema=schema)
