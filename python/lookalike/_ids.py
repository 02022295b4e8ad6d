"""Ids and rows of documents as in the caller's data: types of ids, pandas indexes."""

from __future__ import annotations

import dataclasses
from typing import Any

import pyarrow as pa

_WHOLE = r"^-?[0-9]+$"


@dataclasses.dataclass(frozen=True)
class Collection:
    """Describes one of the two collections of a run."""

    #: True for paths: documents come from inputs with names. Otherwise they are rows of a table.
    named: bool = True
    #: The type of its ids if they are whole numbers of a known type, else None: text.
    id_type: pa.DataType | None = None
    #: The index of a pandas data frame or series.
    index: Any = None


@dataclasses.dataclass(frozen=True)
class Origin:
    """Describes the data that a run was given."""

    data: Collection = Collection()
    reference: Collection | None = None

    @property
    def other(self) -> Collection:
        """The collection that b, or a neighbour, is from."""
        return self.reference or self.data

    @property
    def common_id_type(self) -> pa.DataType | None:
        """The type of ids that may be from either collection."""
        return self.data.id_type if self.data.id_type == self.other.id_type else None


def type_of(schema: pa.Schema | None, column: str | None) -> pa.DataType | None:
    """Returns the type of an id column of whole numbers, else None; `column` may be a path."""
    if schema is None:
        return None
    kind = _find(list(schema), column or "id")
    if kind is not None and pa.types.is_dictionary(kind):
        kind = kind.value_type
    return kind if kind is not None and pa.types.is_integer(kind) else None


def _find(fields: list[pa.Field], path: str) -> pa.DataType | None:
    """Returns the type at a dotted path, as the engine finds it: a full name wins over a path."""
    by_name = {field.name: field.type for field in reversed(fields)}
    if path in by_name:
        return by_name[path]
    outer, dot, rest = path.partition(".")
    if not dot or outer not in by_name or not pa.types.is_struct(by_name[outer]):
        return None
    return _find(list(by_name[outer]), rest)


def typed(column: Any, kind: pa.DataType | None) -> Any:
    """Returns ids as `kind`; null for a document without an id, which has a name and a row."""
    if kind is None:
        return column
    import pyarrow.compute as pc  # takes a while; only used here

    is_own = pc.match_substring_regex(column, _WHOLE)
    return pc.if_else(is_own, column, pa.scalar(None, column.type)).cast(kind)


def typed_lists(column: pa.ChunkedArray, kind: pa.DataType | None) -> pa.ChunkedArray:
    """Does the same for lists of ids."""
    if kind is None:
        return column
    chunks = [
        pa.ListArray.from_arrays(chunk.offsets, typed(chunk.values, kind))
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, pa.list_(kind))


def with_columns(table: pa.Table, changed: dict[str, Any]) -> pa.Table:
    """Returns `table` with other values in some columns."""
    for name, column in changed.items():
        table = table.set_column(table.schema.get_field_index(name), name, column)
    return table


def labels(index: Any, rows: Any) -> Any:
    """Returns the labels of an index at rows counted from 1; tuples if it has several levels."""
    found = index.take(rows.to_numpy() - 1)
    return found.to_flat_index() if found.nlevels > 1 else found
