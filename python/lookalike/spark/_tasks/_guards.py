"""What tells the two documents of guarded pairs apart."""

from __future__ import annotations

import dataclasses

import pyarrow as pa

from ... import _core
from ._task import Batches, Rules, Task, values_for, values_of

#: Columns of documents with what guards find in them, as the engine stores it.
TOKENS = "rank long, tokens binary"
#: Columns of guarded pairs. `differ` is the JSON of guarded.jsonl.
DIFFERENCES = "a long, d long, resemblance double, differ string"


@dataclasses.dataclass(frozen=True)
class FindTokens(Task):
    """Rows (rank, text and perhaps values) to TOKENS."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64()), ("tokens", pa.binary())])
        engine = self.rules.engine()
        for batch in batches:
            if batch.num_rows:
                table = _core.import_table(pa.table({"text": batch["text"]}))
                tokens = engine.guard_tokens(table, "text", *values_for(values_of(batch)))
                columns = [batch["rank"], pa.array(tokens, pa.binary())]
                yield pa.RecordBatch.from_arrays(columns, schema=schema)


@dataclasses.dataclass(frozen=True)
class FindDifferences(Task):
    """Rows (a, d, resemblance, tokens_a, tokens_d) to DIFFERENCES."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        engine = self.rules.engine()
        for batch in batches:
            found = engine.guard_differences(
                batch["tokens_a"].to_pylist(), batch["tokens_d"].to_pylist()
            )
            own = {name: batch[name] for name in ("a", "d", "resemblance")}
            yield pa.RecordBatch.from_pydict({**own, "differ": pa.array(found, pa.string())})
