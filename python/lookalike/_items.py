"""Turns lists and sets into the texts that represent them in the engine."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, TypeAlias, TypeGuard, Union

import numpy as np
import pyarrow as pa

from . import _data
from .errors import DataError, OptionError

#: Tokens, words or ids: a set, or a list whose order and repetitions do not matter.
Items: TypeAlias = Union[Set[str], Set[int], Sequence[str], Sequence[int]]

_END = "\x1e"
_SEPARATORS = "\x1e\x1f"


def is_items(value: object) -> TypeGuard[Items]:
    """True if `value` is a collection, not a single text."""
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping)):
        return False
    return isinstance(value, (Set, Sequence, np.ndarray, pa.Array, pa.ChunkedArray))


def text_of(items: Iterable[Any]) -> str:
    """Returns the text of a list of items (docs/format/fingerprint-v1.md). Raises DataError."""
    return "".join(_item(item) + _END for item in items)


def _item(item: Any) -> str:
    if isinstance(item, pa.Scalar):
        item = item.as_py()
    if isinstance(item, (bool, np.bool_)):
        return "true" if item else "false"
    if isinstance(item, numbers.Integral):
        return str(int(item))
    if not isinstance(item, str):
        raise DataError(f"an item has type {type(item).__name__}, expected text or a whole number")
    if any(separator in item for separator in _SEPARATORS):
        raise DataError(f"the item {item!r} has U+001E or U+001F, which separate items; replace it")
    return item


def bytes_of(value: object, shingle: str) -> bytes:
    """Returns one text, or with shingle ``item`` also a list or set, as the engine takes it."""
    if not is_items(value):
        return _data.text_bytes(value)
    check_shingle(shingle)
    return _data.text_bytes(text_of(value))


def check_shingle(shingle: str) -> None:
    """Raises OptionError unless features are whole items."""
    if shingle != "item":
        raise OptionError(
            f"a list or set holds whole items, but shingle={shingle!r} cuts texts; pass "
            "shingle='item', or join the tokens into a single text"
        )


def column_of(lists: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Turns a column of lists of text or whole numbers into texts. Raises DataError."""
    import pyarrow.compute as pc  # takes a while; only used here

    kind = lists.type.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if not (_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        raise DataError(
            f"texts is a column of lists of {kind}, expected lists of text or whole numbers"
        )
    texts = lists.cast(pa.large_list(pa.large_string()))
    flat = pc.list_flatten(texts)
    if flat.null_count > 0:
        raise DataError("a list has an item that is null, expected text or a whole number")
    if pc.any(pc.match_substring_regex(flat, f"[{_SEPARATORS}]")).as_py():
        raise DataError("an item has U+001E or U+001F, which separate items; replace them")
    end = pa.scalar(_END, pa.large_string())
    return pc.binary_join_element_wise(pc.binary_join(texts, end), pa.scalar("", end.type), end)


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))
