"""Documents with few features to pairs, by the features that they share."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa

from ... import _core
from .._blobs import Column, Kind, Outbox, gather
from ._task import Batches, BlobTask, Rules, Task, batches_of, first_of_run, one


def _only(columns: list[Column]) -> Column:
    """The only column; one without rows if there is none."""
    return columns[0] if columns else np.zeros(0, np.uint64)


_FREQUENT = 1024  # documents of a feature from which on its groups are counted


@dataclasses.dataclass(frozen=True)
class CountFeatures(BlobTask):
    """Small sets by feature to features that documents share, by document."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.FEATURES not in found:
            return
        key, document, size, *guards = found.pop(Kind.FEATURES)
        *shared, with_guards = _core.count_few_features(key, document, size, _only(guards))
        out.add(Kind.SHARED, shared[1], *shared, *([with_guards] if guards else []))
        if len(shared[3]) and shared[3].max() >= _FREQUENT:
            out.add(Kind.FREQUENT, None, one(1))


@dataclasses.dataclass(frozen=True)
class CountGroups(Task):
    """Shared features by document to rows (key, group, documents) of frequent features."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        found = gather(batches)
        if Kind.SHARED in found:
            groups = _core.count_feature_groups(self.rules.engine(), *found[Kind.SHARED][:4])
            schema = pa.schema([(name, pa.int64()) for name in ("key", "group", "documents")])
            yield from batches_of(schema, [column.view(np.int64) for column in groups])


@dataclasses.dataclass(frozen=True)
class SendGroups(Task):
    """Rows (key, group, documents) to blobs for every partition."""

    rules: Rules

    def __call__(self, batches: Batches) -> Batches:
        out = Outbox(self.rules.partitions)
        for batch in batches:
            columns = [batch[name].to_numpy().view(np.uint64) for name in batch.schema.names]
            for p in range(self.rules.partitions):
                out.add_to(Kind.GROUPS, np.full(batch.num_rows, p, np.uint16), *columns)
            yield from out.give_full()
        yield from out.give()


@dataclasses.dataclass(frozen=True)
class Meet(BlobTask):
    """Shared features by document, and groups, to the keys under which documents meet."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.SHARED not in found:
            return
        feature, document, size, count, *guards = found[Kind.SHARED]
        none = np.empty(0, np.uint64)
        key, group, documents = found.get(Kind.GROUPS, [none, none, none])
        # A worker with several partitions has the groups several times.
        order = np.lexsort((group, key))
        key, group, documents = key[order], group[order], documents[order]
        own = first_of_run(key, group) & np.isin(key, feature)
        meetings = _core.make_meetings(
            self.rules.engine(), feature, document, size, count, _only(guards),
            key[own], group[own], documents[own],
        )  # fmt: skip
        out.add(Kind.MEETINGS, meetings[0], *meetings)


@dataclasses.dataclass(frozen=True)
class JoinMeetings(BlobTask):
    """Meetings by key to pairs."""

    def _make(self, found: dict[Kind, list[Column]], out: Outbox) -> None:
        if Kind.MEETINGS in found:
            a, d = _core.join_meetings(self.rules.engine(), *found[Kind.MEETINGS])
            out.add(Kind.PAIRS, d, a, d)
