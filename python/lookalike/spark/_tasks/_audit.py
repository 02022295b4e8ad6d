"""The audit: a sample of documents, and its comparison with all documents."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ... import _core
from .._blobs import Kind, Numbers, each
from ._task import (
    BY_KEYS,
    Batches,
    Rules,
    Task,
    batches_of,
    extract,
    first_of_run,
    ranks_of,
    values_of,
)

#: Columns of documents by class. `place` ascends with the hash of the class.
PLACES = "place long, rank long"
#: Columns of documents with their distinct features, the code of those searched by keys, and the
#: words that guards test pairs by.
SETS = "rank long, features binary, code binary, words binary"
#: A column of documents that may be like a sampled one.
SUSPECTS = "rank long"
#: Columns of similar documents. Without a rank, `draw` is how many there are for the sampled one.
SIMILAR = "sample int, rank long, draw long"


@dataclasses.dataclass(frozen=True)
class Lowest(Task):
    """Blobs of classes to the documents whose classes have the lowest hashes."""

    count: int  # classes

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("place", pa.int64()), ("rank", pa.int64())])
        places, ranks = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for _, (low, _, documents, _) in each(batches):
            places = np.concatenate([places, (low >> np.uint64(1)).view(np.int64)])
            ranks = np.concatenate([ranks, documents.view(np.int64)])
            order = np.lexsort((ranks, places))
            first = order[first_of_run(places[order])][: self.count]
            places, ranks = places[first], ranks[first]
        yield from batches_of(schema, [places, ranks])


@dataclasses.dataclass(frozen=True)
class SampleSets(Task):
    """Rows (rank, text and perhaps values) to SETS."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        names = ("features", "code", "words")
        schema = pa.schema([("rank", pa.int64()), *((name, pa.binary()) for name in names)])
        for batch in batches:
            if not batch.num_rows:
                continue
            rows = extract(self.rules.engine(), batch["text"], few=False, values=values_of(batch))
            sets = [
                rows.features[begin:end].tobytes()
                for begin, end in itertools.pairwise(rows.offsets)
            ]
            codes = [
                code.tobytes() if by == BY_KEYS else None
                for code, by in zip(rows.codes, rows.searched, strict=True)
            ]
            words = [of_row.tobytes() for of_row in rows.words]
            columns = [pa.array(column, pa.binary()) for column in (sets, codes, words)]
            yield pa.RecordBatch.from_arrays([batch["rank"], *columns], schema=schema)


@dataclasses.dataclass(frozen=True)
class Sample:
    """Sampled documents, as they are sent to workers."""

    documents: Numbers
    features: Numbers
    offsets: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint8]  # of those that are searched by keys
    words: Numbers  # of each document


@dataclasses.dataclass(frozen=True)
class Suspects(Task):
    """Blobs of codes and small sets to SUSPECTS; some documents may be named several times.

    Codes rule out most documents. Texts of few features have none, and are short.
    """

    rules: Rules
    codes: npt.NDArray[np.uint8]  # of the sample

    def __call__(self, batches: Batches) -> Batches:
        schema = pa.schema([("rank", pa.int64())])
        engine = self.rules.engine()
        for kind, columns in each(batches):
            if kind == Kind.CODES:
                ranks, codes = columns[:2]
                may = _core.may_reach_sample(engine, self.codes, codes.reshape(-1))
                chosen = ranks[may != 0]
            else:
                chosen = np.unique(columns[1])
            yield from batches_of(schema, [chosen.view(np.int64)])


@dataclasses.dataclass(frozen=True)
class Compare(Task):
    """Rows (rank, text and perhaps values) to SIMILAR."""

    rules: Rules
    sample: Sample

    def __call__(self, batches: Batches) -> Batches:
        engine, sample = self.rules.engine(), self.sample
        comparison = _core.make_sample_comparison(
            engine, sample.documents, sample.features, sample.offsets, sample.words
        )
        for batch in batches:
            if batch.num_rows:
                rows = extract(engine, batch["text"], few=False, values=values_of(batch))
                comparison.add(
                    ranks_of(batch["rank"]), rows.features, rows.offsets, rows.searched,
                    rows.words.reshape(-1),
                )  # fmt: skip
        schema = pa.schema([("sample", pa.int32()), ("rank", pa.int64()), ("draw", pa.int64())])
        samples, ranks, draws, counts = comparison.take()
        draws = (draws >> np.uint64(1)).view(np.int64)
        yield from batches_of(schema, [samples.view(np.int32), ranks.view(np.int64), draws])
        found = np.flatnonzero(counts)
        columns = [
            pa.array(found.astype(np.int32)),
            pa.nulls(len(found), pa.int64()),
            pa.array(counts[found].view(np.int64)),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
