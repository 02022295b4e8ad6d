"""Files of results as Arrow tables, by what is in them and never by their size alone."""

from __future__ import annotations

import io
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

_CODECS = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh", "bz2"), (b"\x04\x22\x4d\x18", "lz4"))
_BLOCK = 1 << 22
_LONGEST_BLOCK = 1 << 30


def _front(file: pathlib.Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(8)


def _open_plain(file: pathlib.Path) -> Any:
    """The plain bytes of a file, whatever compresses it."""
    front = _front(file)
    for magic, codec in _CODECS:
        if front.startswith(magic):
            return pa.CompressedInputStream(pa.OSFile(str(file)), codec)
    return pa.OSFile(str(file))


def _extension(name: str) -> str:
    path = pathlib.PurePath(name.lower())
    while path.suffix in (".gz", ".zst", ".zstd", ".bz2", ".bzip2", ".lz4"):
        path = path.with_suffix("")
    return path.suffix


def read_batches(file: pathlib.Path, name: str) -> Iterator[pa.RecordBatch]:
    """The rows of a file of kept rows, in order."""
    front = _front(file)
    if front.startswith(b"PAR1"):
        with pq.ParquetFile(file) as parquet:
            yield from parquet.iter_batches(batch_size=8192)
    elif front.startswith(b"ARROW1"):
        with pa.memory_map(str(file)) as source:
            reader = pa.ipc.open_file(source)
            for i in range(reader.num_record_batches):
                yield reader.get_batch(i)
    elif front.startswith(b"\xff\xff\xff\xff"):
        with pa.memory_map(str(file)) as source:
            yield from pa.ipc.open_stream(source)
    else:
        yield from _read_rows(file, name).to_batches()


def read_table(file: pathlib.Path, name: str) -> pa.Table:
    """A file of kept rows as one table. `name` is its input's, which tells CSV from text."""
    front = _front(file)
    if front.startswith(b"PAR1"):
        return pq.read_table(file, memory_map=True)
    if front.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        source = pa.memory_map(str(file))
        file_format = front.startswith(b"ARROW1")
        reader = pa.ipc.open_file(source) if file_format else pa.ipc.open_stream(source)
        return reader.read_all()
    return _read_rows(file, name)


def _read_rows(file: pathlib.Path, name: str) -> pa.Table:
    extension = _extension(name)
    if extension in (".csv", ".tsv"):
        return _read_csv(file, "\t" if extension == ".tsv" else ",")
    with _open_plain(file) as stream:
        content_is_json = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    if extension in (".jsonl", ".ndjson", ".json") or content_is_json:
        return read_json_lines(file)
    with _open_plain(file) as stream:
        text = stream.read().decode("utf-8", "replace")
    return pa.table({"id": [f"{name}:1"], "text": [text]})


def _read_csv(file: pathlib.Path, delimiter: str) -> pa.Table:
    with _open_plain(file) as stream:
        plain = stream.read()
    if not plain:
        return pa.table({})
    return pyarrow.csv.read_csv(
        io.BytesIO(plain),
        parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
    )


def read_json_lines(file: pathlib.Path, schema: pa.Schema | None = None) -> pa.Table:
    """JSON Lines as a table; columns whose values have no type in common hold JSON texts."""
    if file.stat().st_size == 0:
        return schema.empty_table() if schema else pa.table({})
    try:
        return _parse_json_lines(file, schema)
    except pa.ArrowInvalid:
        return _table_of_rows(_rows(file), schema)


def _parse_json_lines(file: pathlib.Path, schema: pa.Schema | None) -> pa.Table:
    """Fast, but every line must fit a block and every value the type of its column."""
    block = _BLOCK
    while True:
        try:
            table = _parse_blocks(file, schema, block)
            break
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error) or block >= _LONGEST_BLOCK:
                raise
            block *= 16
    if schema is not None:
        return table.select(schema.names)
    guessed = [field.name for field in table.schema if pa.types.is_temporal(field.type)]
    if not guessed:
        return table
    # Texts that look like dates stay texts.
    texts = pa.schema([(name, pa.string()) for name in guessed])
    return _parse_blocks(file, texts, block).select(table.schema.names)


def _parse_blocks(file: pathlib.Path, schema: pa.Schema | None, block: int) -> pa.Table:
    with _open_plain(file) as stream:
        return pyarrow.json.read_json(
            stream,
            read_options=pyarrow.json.ReadOptions(block_size=block),
            parse_options=pyarrow.json.ParseOptions(explicit_schema=schema),
        )


def _rows(file: pathlib.Path) -> list[dict[str, Any]]:
    with _open_plain(file) as stream:
        lines = stream.read().split(b"\n")
    return [json.loads(line.decode("utf-8", "replace")) for line in lines if line.strip()]


def _mended(value: Any) -> Any:
    """Lone surrogates, which JSON may hold and UTF-8 may not, as U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _table_of_rows(rows: list[dict[str, Any]], schema: pa.Schema | None) -> pa.Table:
    names = schema.names if schema else list(dict.fromkeys(name for row in rows for name in row))
    columns = {}
    for name in names:
        values = [_mended(row.get(name)) for row in rows]
        try:
            columns[name] = pa.array(values, schema.field(name).type if schema else None)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            columns[name] = pa.array(
                [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            )
    return pa.table(columns)


def write_json_lines(table: pa.Table, file: pathlib.Path) -> None:
    """Rows as JSON objects, a line each."""
    with file.open("w", encoding="utf-8") as stream:
        for batch in table.to_batches(max_chunksize=8192):
            for row in batch.to_pylist():
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
