"""Lines to records."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ... import _core
from ..._columns import texts_of
from ._task import Batches, Rules, Task

#: Columns of lines that were read. `kind` is a LineKind of the engine; `keep` has a value for each
#: field that the option names, which sorts what is preferred first; `values` has those that guards
#: compare; rejected lines are kept.
RECORDS = (
    "file int, part long, place long, kind byte, has_id boolean, id string, text string, "
    "keep array<binary>, repaired boolean, reason string, line binary, values array<string>"
)
REJECTED = 2  # kinds below are documents


@dataclasses.dataclass(frozen=True)
class ReadLines(Task):
    """Lines of JSON (file, part, place, line) to RECORDS, parsed as the command parses them."""

    rules: Rules
    text: str
    id: str
    keep: tuple[str, ...]  # criteria of the command

    def check(self) -> None:
        """Raises RunError if the options compare something else than texts."""
        none = np.zeros(0, np.uint8)
        _core.read_json_lines(self.rules.engine(), "", "", [], none, np.zeros(1, np.int64))

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        for batch in batches:
            if batch.num_rows:
                yield self._read(engine, batch)

    def _read(self, engine: _core.Engine, batch: pa.RecordBatch) -> pa.RecordBatch:
        lines = batch["line"].cast(pa.large_binary())
        _, offsets, data = lines.buffers()
        begin = lines.offset
        read = _core.read_json_lines(
            engine,
            self.text,
            self.id,
            list(self.keep),
            np.frombuffer(data if data is not None else b"", np.uint8),
            np.frombuffer(offsets, np.int64)[begin : begin + len(lines) + 1],
        )
        kinds, text_offsets, texts, id_offsets, ids = read[:5]
        key_offsets, keys, has_id, repaired, why_offsets, why = read[5:11]
        value_offsets, values, has_value = read[11:]
        columns = {
            **{name: batch[name] for name in ("file", "part", "place")},
            "kind": pa.array(kinds.view(np.int8)),
            "has_id": pa.array(has_id.astype(bool)),
            "id": _strings(id_offsets, ids, has_id == 0),
            "text": _strings(text_offsets, texts, kinds != 0),
            "keep": _lists(
                _strings(key_offsets, keys, key_offsets[1:] == key_offsets[:-1]).cast(pa.binary()),
                len(kinds),
            ),
            "repaired": pa.array(repaired.astype(bool)),
            "reason": _strings(why_offsets, why, kinds != REJECTED),
            "line": pc.if_else(pa.array(kinds == REJECTED), batch["line"], None),
            "values": _lists(
                _strings(value_offsets, values, has_value == 0).cast(pa.string()), len(kinds)
            ),
        }
        return pa.RecordBatch.from_pydict(columns)


def _strings(
    offsets: npt.NDArray[np.int64], data: bytes, absent: npt.NDArray[np.bool_]
) -> pa.Array:
    return pc.if_else(pa.array(absent), None, texts_of(offsets, data))


def _lists(values: pa.Array, rows: int) -> pa.ListArray:
    """Lists of equal length, so many that they take all values."""
    width = len(values) // rows if rows else 0
    return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1) * width, pa.int32()), values)
