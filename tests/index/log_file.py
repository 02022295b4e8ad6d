"""Changes to RocksDB's write-ahead log that keep its checksums right.

The log is a row of records of up to 32 KiB: a masked CRC-32C, the length and the type of the
payload, then the payload.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
_HEADER = struct.Struct("<IHB")
_POLYNOMIAL = 0x82F63B78


def data_of(index: Path) -> Path:
    """Returns the folder of the database of an index."""
    current = index / "current"
    return index / (current.read_text().strip() if current.exists() else "data")


def _table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the begin and the end of each record of a log of less than 32 KiB."""
    at = 0
    while at + _HEADER.size <= len(data):
        length = _HEADER.unpack_from(data, at)[1]
        yield at, at + _HEADER.size + length
        at += _HEADER.size + length


def replace_in_log(folder: Path, old: bytes, new: bytes) -> None:
    """Replaces bytes in the one log that has them, and mends the checksums."""
    assert len(old) == len(new)
    (path,) = [path for path in data_of(folder).glob("*.log") if old in path.read_bytes()]
    data = path.read_bytes().replace(old, new)
    mended = b""
    for begin, end in records(data):
        payload = data[begin + _HEADER.size : end]
        kind = data[begin + _HEADER.size - 1]
        mended += _HEADER.pack(masked_crc(bytes([kind]) + payload), len(payload), kind) + payload
    assert len(mended) == len(data)
    path.write_bytes(mended)
