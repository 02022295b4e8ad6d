"""Turns the documents that users pass to an index into steps that are stored one by one."""

from __future__ import annotations

import itertools
import json
import numbers
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard, Union

import pyarrow as pa

from . import _core, _data, _items, _runs, _settings
from .errors import DataError

#: An id: a text, or a whole number, which stands for its digits.
Id: TypeAlias = Union[str, int]
#: A text, its bytes in UTF-8, or the items of a text; None is a text without words.
Text: TypeAlias = Union[str, bytes, bytearray, memoryview, _items.Items, None]
#: The fields of a document that guards compare.
Fields: TypeAlias = Mapping[str, Any]
#: A document: id and text, perhaps with metadata, perhaps with the fields that guards compare.
Document: TypeAlias = Union[
    tuple[Id, Text],
    tuple[Id, Text, Union[str, None]],
    tuple[Id, Text, Union[str, None], Union[Fields, None]],
]
#: The values of the fields that guards compare; None: they were not given.
Values: TypeAlias = Union[list[Union[str, None]], None]
#: Id, text, metadata and values as the engine takes them.
Encoded: TypeAlias = tuple[bytes, bytes, bytes, Values]

_STEP_BYTES = 1 << 20
_STEP_DOCUMENTS = 10_000


class Intake:
    """The documents of one call of :meth:`lookalike.Index.add`.

    Attributes:
        rejected: How many records could not be read so far.
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        text: str | None,
        id_: str | None,
        values_of: Callable[[object], Values],
    ) -> None:
        """Takes the options of the index, the columns to read, and what reads fields."""
        self.rejected = 0
        self._shingle = options["shingle"]
        self._values_of = values_of
        # These are checked here, so that a wrong column is refused before all work.
        self._reading = _settings.make_options("index", options, text=text, id=id_)

    def steps(self, documents: Any, atomic: bool) -> Generator[list[Encoded], None, None]:
        """Yields documents, so many at a time as are stored in one step."""
        encoded = self._encoded(documents)
        if atomic:
            whole = list(encoded)
            if whole:
                yield whole
            return
        step: list[Encoded] = []
        held = 0
        for document in encoded:
            step.append(document)
            held += len(document[1]) + len(document[2])
            if held >= _STEP_BYTES or len(step) >= _STEP_DOCUMENTS:
                yield step
                step, held = [], 0
        if step:
            yield step

    def _encoded(self, documents: Any) -> Iterator[Encoded]:
        if isinstance(documents, Mapping):
            yield from map(self._document, documents.items())
            return
        if isinstance(documents, tuple) and documents and not isinstance(documents[0], tuple):
            raise DataError("documents is a single tuple, expected a list; pass [(id, text)]")
        if not isinstance(documents, (list, tuple, Iterator)) or _is_arrow(documents):
            yield from self._read(documents)
            return
        items = iter(documents)
        first = next(items, None)
        if first is None:
            return
        rest = itertools.chain([first], items)
        if isinstance(first, tuple):
            yield from map(self._document, rest)
        elif _is_arrow(first):
            for part in rest:
                yield from self._read(part)
        else:
            yield from self._read(list(rest))

    def _document(self, given: Any) -> Encoded:
        if not isinstance(given, tuple) or not 2 <= len(given) <= 4:
            raise DataError(
                f"a document is {given!r:.60}, expected a tuple (id, text), (id, text, metadata) "
                "or (id, text, metadata, fields)"
            )
        id_, text, *more = given
        metadata, fields = (*more, None, None)[:2]
        name = id_bytes(id_)
        try:
            encoded = text_bytes(text, self._shingle)
            return name, encoded, _metadata_bytes(metadata), self._values_of(fields)
        except DataError as error:
            raise DataError(error.what, f"document {id_!r:.60}") from error

    def _read(self, data: _data.Data) -> Iterator[Encoded]:
        """Yields documents of anything that other functions of the package read."""
        with _runs.begin("add", None, False) as run:
            sources = run.sources(data, None, self._reading)
            reader = _core.open_reader(sources.names, sources.tables, self._reading)
            before = self.rejected
            found: Any = ()
            while found is not None:
                try:
                    found = reader.next()
                finally:
                    self.rejected = before + reader.rejected
                    for line in reader.take_messages():
                        run.log.line(line)
                if found is not None:
                    yield from _columns(found)


def _columns(found: Any) -> Iterator[Encoded]:
    _, text_offsets, texts, id_offsets, ids, _, _, values = found
    ends, id_ends = text_offsets.tolist(), id_offsets.tolist()
    for i in range(len(ends) - 1):
        own = values[i] if values else None
        yield ids[id_ends[i] : id_ends[i + 1]], texts[ends[i] : ends[i + 1]], b"", own


def fields_text(fields: object) -> str | None:
    """Returns the fields of a document in JSON. Raises DataError."""
    if fields is None:
        return None
    if not isinstance(fields, Mapping):
        raise DataError(f"fields has type {type(fields).__name__}, expected a dict of values")
    try:
        return json.dumps(dict(fields))
    except (TypeError, ValueError) as error:
        raise DataError(f"fields are not what JSON can hold: {error}") from error


def _is_arrow(value: Any) -> bool:
    if isinstance(value, type):
        return False
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def is_id(value: object) -> TypeGuard[Id]:
    """True for what an id may be."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return isinstance(value, str) or whole


def id_bytes(value: object) -> bytes:
    """Returns an id as the engine takes it. Raises DataError."""
    if not is_id(value):
        kind = type(value).__name__
        raise DataError(f"an id has type {kind}, expected text or a whole number")
    try:
        return (value if isinstance(value, str) else str(int(value))).encode()
    except UnicodeEncodeError as error:
        raise DataError(f"the id {value!r} is not valid Unicode; replace it") from error


def text_bytes(value: object, shingle: str) -> bytes:
    """Returns a text as the engine takes it; what UTF-8 cannot hold becomes U+FFFD, as in the texts
    of tables. Raises DataError, or OptionError for items where `shingle` is another unit."""
    if value is None:
        return b""
    if isinstance(value, pa.Scalar):
        value = value.as_py()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _mended_bytes(value)
    if _items.is_items(value):
        _items.check_shingle(shingle)
        value = _items.text_of(value)
    if not isinstance(value, str):
        kind = type(value).__name__
        raise DataError(f"the text has type {kind}, expected str, or bytes in UTF-8")
    try:
        return value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _mended_bytes(value: bytes | bytearray | memoryview) -> bytes:
    if isinstance(value, memoryview) and value.itemsize != 1:
        raise DataError(f"the text is a view of {value.itemsize} bytes an item, expected bytes")
    data = bytes(value)
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def _metadata_bytes(value: object = None) -> bytes:
    if value is None:
        return b""
    if not isinstance(value, str):
        kind = type(value).__name__
        raise DataError(f"the metadata has type {kind}, expected text; see json.dumps")
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise DataError("the metadata is not valid Unicode") from error


def ids_bytes(ids: object) -> list[bytes]:
    """Returns a list of ids as the engine takes them. Raises DataError."""
    if isinstance(ids, (str, bytes, os.PathLike)) or not isinstance(ids, Iterable):
        raise DataError(f"ids is {ids!r:.60}, expected a list of ids; pass [id]")
    return [id_bytes(each.as_py() if isinstance(each, pa.Scalar) else each) for each in ids]
