"""Reads result files as Arrow tables. Formats are detected as the engine detects them."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import os
import pathlib
from collections.abc import Iterator
from typing import IO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from . import _json_lines, _tab_tables
from .errors import DataError

_CODECS = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bz2"),
    (b"\x04\x22\x4d\x18", "lz4"),
)
_PACKED = (".gz", ".zst", ".zstd", ".bz2", ".bzip2", ".lz4")
_JSON = (".jsonl", ".ndjson", ".json")
_TEXT = (".txt", ".text", ".md")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_NAMED_DELIMITERS = {
    "comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|", "space": " "
}  # fmt: skip
_HEADER = 4096  # bytes that the engine looks at to find what separates fields
_BLOCK = 1 << 20
_LONGEST_BLOCK = 1 << 30


def _front(file: pathlib.Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(8)


@contextlib.contextmanager
def _open_plain(file: pathlib.Path) -> Iterator[IO[bytes]]:
    """Opens the plain bytes of a file, whatever its compression."""
    with file.open("rb") as stream:  # not by Arrow, to which names are UTF-8
        front = stream.read(8)
        stream.seek(0)
        codec = next((codec for magic, codec in _CODECS if front.startswith(magic)), None)
        if codec is None:
            yield stream
        else:
            with pa.CompressedInputStream(stream, codec) as plain:
                yield plain


def _extension(name: str) -> str:
    path = pathlib.PurePath(name.lower())
    while path.suffix in _PACKED:
        path = path.with_suffix("")
    return path.suffix


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
    """Returns a file of kept rows as one table. `name`: of its input, which tells CSV from text."""
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
    extension = _extension(name)
    with _open_plain(file) as stream:
        front = stream.read(_HEADER)
    if front.startswith(b"WARC/1."):
        raise DataError(
            f"{name} is a web archive, whose records are not rows; kept_files names the file with "
            "its kept records, for a reader of WARC"
        )
    if extension in _DELIMITERS:
        given = _NAMED_DELIMITERS.get(delimiter, delimiter)
        delimiter = given or _found_delimiter(front, _DELIMITERS[extension])
        if delimiter == "\t" and _has_quotes(file):
            return _tab_batches(file)
        if not front[:4].strip(b"\xef\xbb\xbf\r\n"):  # nothing is in it
            return iter(())
        return _csv_batches(file, delimiter)
    if extension in _JSON or (extension not in _TEXT and _begins_as_json(front)):
        if front[:2] in (b"[\n", b"[]"):  # one array, as the engine begins those
            return _json_lines.batches(lambda: _open_elements(file))
        return _json_lines.batches(lambda: _open_plain(file))
    return _text_batches(file, name)


def _begins_as_json(front: bytes) -> bool:
    return front[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[\n"))


@contextlib.contextmanager
def _open_elements(file: pathlib.Path) -> Iterator[IO[bytes]]:
    """Opens the elements of a JSON array, one per line."""
    with _open_plain(file) as stream:
        elements = json.loads(stream.read().decode("utf-8", "surrogateescape"))
    lines = (json.dumps(element).encode() for element in elements)
    yield io.BytesIO(b"\n".join(lines))


def _found_delimiter(front: bytes, usual: str) -> str:
    """Returns the field separator of a file that begins with `front`, as the engine detects it."""
    text = front.decode("utf-8", "replace").removeprefix("\ufeff")
    found, most = usual, 1
    for delimiter in (usual, *",;\t|"):
        records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        counts = [len(record) for record in itertools.islice(filter(None, records), 2)]
        if counts and delimiter == usual and counts[0] > 1:
            return usual
        if counts and counts[0] > most and counts[0] == counts[-1]:
            found, most = delimiter, counts[0]
    return found


def _text_batches(file: pathlib.Path, name: str) -> Iterator[pa.RecordBatch]:
    with _open_plain(file) as stream:
        text = stream.read().decode("utf-8", "replace")
    if text:  # an empty file is an input without records
        yield pa.record_batch({"id": [f"{name}:1"], "text": [text]})


def _has_quotes(file: pathlib.Path) -> bool:
    with _open_plain(file) as stream:
        return any(b'"' in block for block in iter(lambda: stream.read(_BLOCK), b""))


def _tab_batches(file: pathlib.Path) -> Iterator[pa.RecordBatch]:
    with _open_plain(file) as stream:
        rows = _tab_tables.records(stream)
        names = next(rows, None)
        if names is None:
            return
        first = True
        while (some := list(itertools.islice(rows, 8192))) or first:
            columns = zip(*some, strict=True) if some else [()] * len(names)
            arrays = [pa.array(column, pa.string()) for column in columns]
            yield pa.RecordBatch.from_arrays(arrays, names)
            first = False


def _csv_batches(file: pathlib.Path, delimiter: str) -> Iterator[pa.RecordBatch]:
    """Yields batches in which all columns are text, unchanged from the file: CSV has no types."""
    block, done = _BLOCK, 0
    while True:
        try:
            for batch in _csv_blocks(file, delimiter, block, done):
                done += batch.num_rows
                yield batch
            return
        except pa.ArrowInvalid as error:
            # The record is longer than a block.
            if "straddl" not in str(error) or block >= _LONGEST_BLOCK:
                raise
            block *= 32


def _csv_blocks(
    file: pathlib.Path, delimiter: str, block: int, skipped: int
) -> Iterator[pa.RecordBatch]:
    """Yields batches without the first `skipped` rows."""
    with _csv_reader(file, delimiter, block, {}) as reader:
        names = reader.schema.names
    row = 0
    with _csv_reader(file, delimiter, block, dict.fromkeys(names, pa.binary())) as reader:
        for batch in reader:
            rest = batch.slice(min(max(skipped - row, 0), batch.num_rows))
            row += batch.num_rows
            if rest.num_rows:
                columns = [_texts(column) for column in rest.columns]
                yield pa.RecordBatch.from_arrays(columns, names)
    if row == 0:
        yield pa.RecordBatch.from_arrays([pa.array([], pa.string()) for _ in names], names)


@contextlib.contextmanager
def _csv_reader(
    file: pathlib.Path, delimiter: str, block: int, types: dict[str, pa.DataType]
) -> Iterator[pyarrow.csv.CSVStreamingReader]:
    with _open_plain(file) as stream:
        yield pyarrow.csv.open_csv(
            stream,
            read_options=pyarrow.csv.ReadOptions(block_size=block),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pyarrow.csv.ConvertOptions(column_types=types, check_utf8=False),
        )


def _texts(column: pa.Array) -> pa.Array:
    """Returns bytes as text; invalid UTF-8 becomes U+FFFD."""
    try:
        return column.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([value.as_py().decode("utf-8", "replace") for value in column], pa.string())


def read_json_lines(file: pathlib.Path, schema: pa.Schema) -> pa.Table:
    """Returns the table of a JSON Lines file with these columns."""
    return _json_lines.table(lambda: _open_plain(file), schema)


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
