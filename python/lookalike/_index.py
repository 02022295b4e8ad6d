"""A durable index of documents: what is like this one, among all that were ever added?"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import numbers
import os
import pathlib
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Final, Literal, NamedTuple, Unpack, overload

from . import _core, _fingerprints, _keywords, _objects, _runs, _settings
from . import _index_documents as _documents
from ._data import ArrowStream, Data, Path
from ._index_documents import Document, Id, Text
from ._options import IndexOptions
from .errors import DataError, OptionError, RunError

Outcome = Literal["added", "replaced", "unchanged", "similar"]
Kept = Literal["features", "text", "none"]

_OUTCOMES: Final[tuple[Outcome, ...]] = ("added", "replaced", "unchanged", "similar")
_UNLIMITED = 2**64 - 1
_Answer = tuple[list[tuple[str, float, float, float, bool, float, str]], bool, int]
_CHANGES_AT_A_TIME = 1000


class IndexMatch(NamedTuple):
    """A document of an index that is like another one."""

    #: The id that it was added by.
    id: str
    #: Common features over all features, 0 to 1.
    resemblance: float
    #: The share of the features of what was asked for that this document has; 0 in an estimate.
    containment_ab: float
    #: The share of this document's features that what was asked for has; 0 in an estimate.
    containment_ba: float
    #: False: the resemblance is estimated, because the index keeps nothing to count.
    exact: bool
    #: The standard error of an estimate; 0 if the resemblance is exact.
    standard_error: float
    #: The metadata that it was added with; empty if there was none.
    metadata: str


@dataclasses.dataclass(frozen=True, slots=True)
class IndexAnswer:
    """The documents like one that was asked for.

    Attributes:
        matches: Documents at or above the threshold, the most similar first, ties by id.
        truncated: True if there may be more matches, because a limit was reached.
        candidates: How many documents were looked at; copies of one document count as one.
    """

    matches: list[IndexMatch]
    truncated: bool
    candidates: int


class IndexOutcome(NamedTuple):
    """The fate of a document that was passed to :meth:`lookalike.Index.add`."""

    #: Its id.
    id: str
    #: ``added``, ``replaced`` (the id was there with another text or other metadata), ``unchanged``
    #: (it was there as it is), or ``similar`` (it is like another one, so that it was not added).
    outcome: Outcome
    #: The most similar document, if the outcome is ``similar``.
    like: IndexMatch | None


class _Outcomes(Sequence[IndexOutcome]):
    """Outcomes in little memory: there may be many millions."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._codes = bytearray()
        self._likes: dict[int, IndexMatch] = {}

    def put(self, id: bytes, outcome: str, like: Any) -> None:  # noqa: A002
        if like is not None:
            self._likes[len(self._ids)] = IndexMatch(*like)
        self._ids.append(id.decode("utf-8", "surrogateescape"))
        self._codes.append(_OUTCOMES.index(outcome))

    def count(self, value: Any) -> int:
        """Returns how often an outcome occurs; takes its name, too."""
        if value in _OUTCOMES:
            return self._codes.count(_OUTCOMES.index(value))
        return super().count(value)

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, place: int) -> IndexOutcome: ...
    @overload
    def __getitem__(self, place: slice) -> list[IndexOutcome]: ...
    def __getitem__(self, place: int | slice) -> IndexOutcome | list[IndexOutcome]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        i = range(len(self))[place]
        return IndexOutcome(self._ids[i], _OUTCOMES[self._codes[i]], self._likes.get(i))

    def __repr__(self) -> str:
        return f"<{len(self)} outcomes>"


@dataclasses.dataclass(frozen=True)
class IndexAdditions:
    """The result of :meth:`lookalike.Index.add`.

    Attributes:
        added, replaced, unchanged, similar: How many documents had each outcome.
        rejected: How many records of `documents` could not be read; the logger ``lookalike`` says
            why.
        outcomes: An :class:`IndexOutcome` for each document, in their order; records that were
            rejected have none.
    """

    added: int
    replaced: int
    unchanged: int
    similar: int
    rejected: int
    outcomes: Sequence[IndexOutcome] = dataclasses.field(repr=False)


class IndexLoad(NamedTuple):
    """The result of :meth:`lookalike.Index.load`: how many documents had each outcome."""

    #: Their ids were not there.
    added: int
    #: Their ids were there with other texts.
    replaced: int
    #: They were there as they are.
    unchanged: int
    #: They are like others, so that they were not added.
    similar: int
    #: Records that could not be read, or whose ids are too long; the logger ``lookalike`` says why.
    rejected: int


class IndexDocument(NamedTuple):
    """A document as an index stores it."""

    #: Its id.
    id: str
    #: The metadata that it was added with; empty if there was none.
    metadata: str
    #: Its text, if the index was created with ``keep="text"``; else None.
    text: str | None
    #: How many distinct features it has.
    features: int


@dataclasses.dataclass(frozen=True)
class IndexRecall:
    """The share of the true matches that queries find, measured on a sample of the documents.

    Attributes:
        asked: The option ``recall`` of the index.
        estimate, low, high: The measured recall with its interval of 95 % confidence; None if no
            sampled document has a match.
        met: False if even `high` is below `asked`.
        sampled_documents: How many documents were asked for.
        sampled_matches: How many matches they have, by comparison with every document.
    """

    asked: float
    estimate: float | None
    low: float | None
    high: float | None
    met: bool
    sampled_documents: int
    sampled_matches: int


@dataclasses.dataclass(frozen=True)
class IndexStats:
    """Facts about an index.

    Attributes:
        documents: How many documents it holds.
        bytes: The size of all its files.
        keep: What is kept of each document: ``features``, ``text`` or ``none``.
        keys: The keys by which documents are found: ``12 keys of 5 codes``.
        threshold: The lowest resemblance that queries find by keys.
        differ: The guards that were given as ``differ``.
        same: The fields that were given as ``same``.
        recall: The measured recall, if an audit was asked for.
    """

    documents: int
    bytes: int
    keep: Kept
    keys: str
    threshold: float
    differ: list[str]
    same: list[str]
    recall: IndexRecall | None = None


class Index:
    """A folder of documents that outlives the process, and answers which of them are like another.

    Answers are exact: the features of candidates are compared, as :func:`lookalike.dedup` does. One
    process at a time can write; any number may read, also meanwhile. An index may be used from
    several threads at once. It cannot be used in a process that was forked after opening: open it
    there.

    Args:
        path: The folder of an index that :meth:`create` or the command ``lookalike index`` made.
        mode: ``"r"`` reads the state at the time of opening. ``"w"`` also writes; queries then see
            what was added and removed. Nobody else can open the index with ``"w"`` until
            :meth:`close`, or the end of a ``with`` block.
        memory: Memory to use, about: a number of bytes, or a text like ``"4G"``. Half of it holds
            what was read of the index, so that much is answered faster with more. The default is a
            quarter of what is available, and no more than 2 GiB.

    Raises:
        OptionError: `mode` has another value, or `memory` is less than 64 MiB or not a size.
        RunError: There is no index, another process writes to it, or a later version of Lookalike
            made it.

    Example:
        >>> import lookalike, tempfile
        >>> folder = tempfile.mkdtemp() + "/seen"
        >>> fox = "the quick brown fox jumps over the lazy dog near the river bank"
        >>> with lookalike.Index.create(folder) as index:
        ...     added = index.add([("fox", fox), ("rose", "a rose is a rose is a rose")])
        >>> added.added
        2
        >>> with lookalike.Index(folder) as index:
        ...     [(match.id, match.resemblance) for match in index.query(fox + "!").matches]
        [('fox', 1.0)]
    """

    def __init__(
        self, path: Path, mode: Literal["r", "w"] = "r", *, memory: int | str | None = None
    ) -> None:
        if mode not in ("r", "w"):
            raise OptionError(f"mode={mode!r} is not allowed; use 'r' or 'w'", option="mode")
        folder = _folder("path", path)
        if not (folder / "format").is_file():
            what = "there is no index; lookalike.Index.create makes one"
            raise RunError(what, os.fspath(folder))
        self._path = folder
        self._mode: Literal["r", "w"] = mode
        given = _settings.make_options("index", {"memory": memory})
        self._begin(_core.open_index(os.fspath(folder), mode == "w", given))

    def _begin(self, core: _core.Index) -> None:
        self._core = core
        # Also at the end of the interpreter: the database must not be open when its library goes.
        self._closing = weakref.finalize(self, self._core.close)
        keep, texts = self._core.settings()
        self._keep: Kept = keep  # type: ignore[assignment]
        self._options = {
            keyword: texts[row["name"]]
            for keyword, row in _rows().items()
            if texts.get(row["name"])
        }
        self._guard_fields = self._core.guard_fields()

    @classmethod
    @_keywords.takes(IndexOptions)
    def create(
        cls,
        path: Path,
        *,
        keep: Kept = "features",
        clusters: bool = True,
        **options: Unpack[IndexOptions],
    ) -> Index:
        """Makes an empty index, and opens it with mode ``"w"``.

        Args:
            path: A folder that does not exist yet, or is empty.
            keep: What is kept of each document, besides id, metadata and 128 codes: its
                ``"features"``, 8 bytes each; its ``"text"``, compressed: less room, and more work
                for each answer; or ``"none"`` of it: resemblances are then estimates.
            clusters: Keep clusters of similar documents, and a log of their changes. Without them,
                adding is faster.
            **options: Those that decide which documents are alike. They are stored, and never
                change.

        Raises:
            OptionError: An option is unknown, has a wrong value, or cannot be used by an index.
            RunError: The folder exists and is not empty, or cannot be made.

        Example:
            >>> import lookalike, tempfile
            >>> folder = tempfile.mkdtemp() + "/names"
            >>> with lookalike.Index.create(folder, shingle="char:3", threshold=0.5) as index:
            ...     index.stats().keep, index.options["shingle"]
            ('features', 'char:3')
        """
        if keep not in ("features", "text", "none"):
            what = f"keep={keep!r} is not allowed; use 'features', 'text' or 'none'"
            raise OptionError(what, option="keep")
        known = _rows()
        for keyword in options:
            if keyword not in (*known, "preset", "config"):
                raise _settings.unknown("Index.create", keyword, known)
        made = _settings.make_options("index", dict(options))
        folder = _folder("path", path)
        _core.create_index(os.fspath(folder), made, keep, bool(clusters))
        return cls(folder, "w")

    @property
    def path(self) -> pathlib.Path:
        """The folder."""
        return self._path

    @property
    def mode(self) -> Literal["r", "w"]:
        """The mode of opening."""
        return self._mode

    @property
    def keep(self) -> Kept:
        """The part of each document that is kept."""
        return self._keep

    @property
    def options(self) -> dict[str, str | list[str]]:
        """The stored options by keyword, as texts or lists; :meth:`create` takes them."""
        return dict(self._options)

    @property
    def closed(self) -> bool:
        """True after :meth:`close`."""
        return self._core.closed

    def close(self) -> None:
        """Closes the index, so that another process can write to it.

        Calls of other threads end first; iterations over documents are broken off. Closing a closed
        index does nothing.
        """
        self._closing()

    def snapshot(self) -> Index:
        """Returns the index as it is now, to be read: its answers stay the same.

        Use it where several questions must see one state while others add and remove. Close it when
        it is no longer needed: what was removed meanwhile takes room until then, and
        :meth:`compact` has to wait. It may outlive this index, whose folder stays open for as long.

        Raises:
            RunError: The index is closed.

        Example:
            >>> import lookalike, tempfile
            >>> index = lookalike.Index.create(tempfile.mkdtemp() + "/seen")
            >>> before = index.snapshot()
            >>> index.add([("a", "one two three")]).added
            1
            >>> len(before), len(index)
            (0, 1)
            >>> before.close(); index.close()
        """
        taken = Index.__new__(Index)
        taken._path = self._path
        taken._mode = "r"
        taken._begin(self._core.snapshot())
        return taken

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<Index {os.fspath(self._path)!r}, mode {self._mode!r}{state}>"

    def add(
        self,
        documents: (
            Iterable[Document] | Mapping[str, Text] | Mapping[int, Text] | ArrowStream | Path | Any
        ),
        unless_similar: float | None = None,
        *,
        text: str | None = "text",
        id: str | None = None,  # noqa: A002 - the option's name
        atomic: bool = False,
    ) -> IndexAdditions:
        """Adds documents, in their order. A document whose id is there already replaces that one.

        They are stored in steps of about a megabyte of text. Each step is stored whole or not at
        all, and survives a crash once it is stored. If a document is refused, nothing of its step
        is stored; the steps before it remain, and a note of the exception says how many documents
        they had.

        Args:
            documents: Tuples (id, text), (id, text, metadata) or (id, text, metadata, fields), in a
                list or from an iterator; a dict of texts by id; Arrow data, a data frame, or
                anything else that :func:`lookalike.dedup` reads; or an iterator of record batches,
                such as :func:`lookalike.engine.read` returns. An id is a text or a whole number, a
                text is a str or its bytes in UTF-8, None is a text without words. With the shingle
                ``item`` a text may also be a list or set of items. Metadata is a text that
                answers return. Fields are a dict with what the guards of the index compare
                (``differ``, ``same``); tables and files have them as columns.
            unless_similar: Leave out documents that have this resemblance or more with another one
                of the index, or earlier in `documents`; a document of the same id does not count.
            text: In tables and files, the column of texts. None: ``text``, else ``content``,
                ``body`` or ``document``.
            id: In tables and files, the column of ids. None: ``id``, if there is one, else ids are
                made of the input's name and the row.
            atomic: Store everything in one step. All of `documents` are then held in memory.

        Returns:
            An :class:`IndexAdditions`: ``.added``, ``.replaced``, ``.unchanged``, ``.similar``, and
            ``.outcomes`` of all documents. It remembers about a hundred bytes for each document.

        Raises:
            OptionError: `unless_similar` is below the threshold of the index, or above 1.
            DataError: `documents` are none of these, or a value has a wrong type.
            RunError: The index was opened to read, an id is empty or too long, an input cannot be
                read, the disk is full, ...

        Example:
            >>> import lookalike, tempfile
            >>> index = lookalike.Index.create(tempfile.mkdtemp() + "/seen")
            >>> fox = "the quick brown fox jumps over the lazy dog near the river bank"
            >>> index.add({"a": fox, "b": fox + "!"}, unless_similar=0.9).outcomes[1].like.id
            'a'
            >>> index.close()
        """
        self._check_writes()
        least = None if unless_similar is None else self._least_similar(unless_similar)
        intake = _documents.Intake(self._options, text, id, self._values_of)
        outcomes = _Outcomes()
        with contextlib.closing(intake.steps(documents, atomic)) as steps:
            try:
                for step in steps:
                    for (name, *_), (outcome, like) in zip(
                        step, self._core.add(step, least), strict=True
                    ):
                        outcomes.put(name, outcome, like)
            except BaseException as error:
                if outcomes:
                    error.add_note(f"{len(outcomes)} documents of earlier steps are stored.")
                raise
        counts = {outcome: outcomes.count(outcome) for outcome in _OUTCOMES}
        return IndexAdditions(**counts, rejected=intake.rejected, outcomes=outcomes)

    def load(
        self,
        data: Data,
        unless_similar: float | None = None,
        *,
        text: str | None = "text",
        id: str | None = None,  # noqa: A002 - the option's name
        metadata: str | None = None,
        progress: bool | None = None,
    ) -> IndexLoad:
        """Adds all documents of files or tables: the way for very many of them.

        It does what :meth:`add` does, in larger steps and without an outcome for each document,
        several times as fast. After an interruption call it again: documents that are there cost
        little more than to be read.

        Args:
            data: Whatever :func:`lookalike.dedup` reads.
            unless_similar: As for :meth:`add`.
            text: The column of texts. None: ``text``, else ``content``, ``body`` or ``document``.
            id: The column of ids. None: ``id``, if there is one, else ids are made of the input's
                name and the row.
            metadata: The column of metadata, texts or numbers. None: documents have none.
            progress: Show a bar; None: if a person is likely to see it.

        Returns:
            An :class:`IndexLoad`.

        Raises:
            OptionError: `unless_similar` is below the threshold of the index, or above 1.
            DataError: `data` is nothing that can be read.
            RunError: The index was opened to read, an input cannot be read, the disk is full, ...

        Example:
            >>> import lookalike, pyarrow, tempfile
            >>> pages = pyarrow.table({"id": ["a", "b"], "text": ["one two", "three four"]})
            >>> with lookalike.Index.create(tempfile.mkdtemp() + "/seen") as index:
            ...     index.load(pages).added, index.load(pages).unchanged
            (2, 2)
        """
        self._check_writes()
        least = None if unless_similar is None else self._least_similar(unless_similar)
        given = {**self._options, "metadata_field": metadata}
        reading = _settings.make_options("index", given, text=text, id=id)
        with _runs.begin("load", None, progress) as run:
            sources = run.sources(data, None, reading)
            counts = self._core.load(
                sources.names, sources.tables, reading, least, **run.callbacks
            )
        return IndexLoad(*counts)

    def remove(self, ids: Iterable[Id]) -> int:
        """Removes documents in one step, which survives a crash once this returns.

        Args:
            ids: Ids of documents, which need not be there.

        Returns:
            How many of them were there.

        Raises:
            DataError: `ids` is a single id, or holds what is no id.
            RunError: The index was opened to read, or the disk is full.
        """
        self._check_writes()
        return self._core.remove(_documents.ids_bytes(ids))

    def query(
        self,
        text: Text = None,
        *,
        id: Id | None = None,  # noqa: A002 - the option's name
        threshold: float | None = None,
        top: int | None = None,
        limit: int | None = 100,
        exhaustive: bool = False,
        measure: str | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> IndexAnswer:
        """Finds documents like a text, or like one of the documents.

        Args:
            text: The text, as :meth:`add` takes it.
            id: Instead of a text, the id of a document, which does not match itself.
            threshold: The least resemblance of a match, or the least containment. None: that of the
                index.
            top: Only the best matches, so many. None: all up to `limit`.
            limit: Return so many matches at most. None: any number.
            exhaustive: Look at every document instead of at those with a common key: takes longer,
                misses nothing, and finds matches below the threshold of the index, too.
            measure: ``"resemblance"`` or ``"containment"``. None: that of the index. An index of
                resemblance finds containment by exhaustive queries only; one of containment finds
                both.
            fields: With a text: the fields that the guards of the index compare (``differ``,
                ``same``), which it then needs. A field that is left out is missing. Documents that
                a guard tells apart from what was asked for are no matches.

        Returns:
            An :class:`IndexAnswer`: ``.matches``, ``.truncated`` and ``.candidates``.

        Raises:
            OptionError: Neither or both of `text` and `id` were passed, or a number is out of
                range.
            RunError: No document has this id; a file is damaged; or `fields` is missing, although
                the guards of the index compare fields.
        """
        if (text is None) == (id is None):
            raise OptionError("query() takes either a text or id=")
        asked = self._query(threshold, top, limit, exhaustive, measure)
        if id is not None:
            return _answer(self._core.query_id(_documents.id_bytes(id), asked))
        return _answer(self._core.query_text(self._text(text), asked, self._values_of(fields)))

    def query_many(
        self,
        texts: Iterable[Text] | Any,
        *,
        threshold: float | None = None,
        top: int | None = None,
        limit: int | None = 100,
        exhaustive: bool = False,
        measure: str | None = None,
        threads: int | None = None,
        fields: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> list[IndexAnswer]:
        """Finds documents like each of many texts, on several processors.

        Args:
            texts: A list or a column of texts.
            threshold, top, limit, exhaustive, measure: As for :meth:`query`.
            threads: How many threads work. None: one for each processor that this process may use.
            fields: As for :meth:`query`, those of each text.

        Returns:
            An answer for each text, in their order.

        Raises:
            OptionError, RunError: As :meth:`query`.
            DataError: `texts` is no column of texts.
        """
        workers = _processors() if threads is None else _whole("threads", threads, 1)
        asked = self._query(threshold, top, limit, exhaustive, measure)
        if isinstance(texts, (str, bytes, Mapping, Set)):
            raise DataError(f"texts is {texts!r:.60}, expected a list or a column; pass [text]")
        if not isinstance(texts, (list, tuple, Iterator)):
            shingle = str(self._options["shingle"])
            texts = _fingerprints.table_of(texts, shingle).column(0).to_pylist()
        given = [self._text(text) for text in texts]
        values = [self._values_of(each) for each in fields or ()]
        if fields is not None and len(values) != len(given):
            raise DataError(f"fields has {len(values)} items, expected one for each text")
        return [_answer(found) for found in self._core.query_texts(given, asked, workers, values)]

    def get(self, id: Id) -> IndexDocument | None:  # noqa: A002 - the option's name
        """Returns the document with this id, or None."""
        found = self._core.get(_documents.id_bytes(id))
        return None if found is None else _document(found)

    def __contains__(self, id: object) -> bool:  # noqa: A002
        return _documents.is_id(id) and self._core.get(_documents.id_bytes(id)) is not None

    def __len__(self) -> int:
        documents: int = self._core.stats()["documents"]
        return documents

    def __iter__(self) -> Iterator[IndexDocument]:
        """Yields all documents in the order of adding, as they are when the first one is read."""
        listing = _core.IndexListing(self._core)
        while found := listing.next():
            yield from map(_document, found)

    def stats(self, audit: int | None = None) -> IndexStats:
        """Returns the number of documents, the size, and, if asked for, the recall of queries.

        Args:
            audit: Measure the recall with so many of the documents: each is compared with all
                others, which takes a while.

        Raises:
            OptionError: `audit` is not a whole number of 1 or more.
            RunError: A file is damaged.
        """
        sample = None if audit is None else _whole("audit", audit, 1)
        recall = None if sample is None else IndexRecall(**self._core.audit(sample))
        return IndexStats(**self._core.stats(), recall=recall)

    def clusters(self, threshold: float | None = None) -> dict[str, list[str]]:
        """Returns the ids of each cluster of two documents or more, by the cluster's name.

        Documents that are alike are linked, and a cluster is everything that links lead to. Its
        name stays the same as documents come and go, and never names another cluster.

        Args:
            threshold: Cut the clusters at this resemblance, above that of the index; parts are
                named ``c17/1``.

        Raises:
            OptionError: The threshold is below that of the index.
            RunError: The index keeps no clusters.
        """
        least = 0.0 if threshold is None else float(threshold)
        return dict(self._core.clusters(least))

    def changes(self, since: int = 0) -> Iterator[dict[str, Any]]:
        """Yields the changes of clusters after number `since`: replayed, they give the clusters.

        Each has ``seq``, its number; ``change``, one of ``added`` (a document alone), ``joined``,
        ``merged`` (the clusters ``from`` end in ``cluster``), ``split`` (``documents`` leave
        ``from`` for ``cluster``) and ``removed``; ``cluster``; ``documents``; and ``from``.

        Raises:
            RunError: The index keeps no clusters.
        """
        while lines := self._core.changes(since, _CHANGES_AT_A_TIME):
            for line in lines:
                yield json.loads(line)
            since += len(lines)

    def check(self) -> None:
        """Reads everything, and compares it with everything else.

        Raises:
            RunError: Something is damaged; ``error.where`` is the file or the folder, and
                ``error.code`` is ``corrupt``.
        """
        self._core.check()

    def compact(self) -> None:
        """Rewrites all files, so that no byte of removed documents is left in them.

        Raises:
            RunError: The index was opened to read, or another thread reads from it; try again.
        """
        self._check_writes()
        self._core.compact()

    def backup(self, path: Path) -> None:
        """Copies the index as it is now. Others may go on adding meanwhile.

        Args:
            path: A folder that does not exist yet, or is empty.

        Raises:
            RunError: The folder exists and is not empty, or the disk is full.
        """
        self._core.backup(os.fspath(_folder("path", path)))

    def merge(self, other: Index | Path) -> None:
        """Adds all documents of another index, in its order and a thousand in a step; those with
        the same id are replaced.

        Args:
            other: An open index, or the folder of one, with the same `keep` and options.

        Raises:
            RunError: The index was opened to read, or the two have different options.
        """
        self._check_writes()
        if other is self:
            return
        if isinstance(other, Index):
            self._core.merge(other._core)
            return
        with Index(other) as opened:
            self._core.merge(opened._core)

    def _check_writes(self) -> None:
        if self._mode != "w" and not self.closed:
            what = "the index was opened to read; open it with mode='w'"
            raise RunError(what, os.fspath(self._path))

    def _text(self, text: object) -> bytes:
        return _documents.text_bytes(text, str(self._options["shingle"]))

    def _values_of(self, fields: object) -> list[str | None] | None:
        """Returns the values of the fields that guards compare; None if there are none."""
        text = _documents.fields_text(fields)
        if text is None or not self._guard_fields:
            return None
        return self._core.guard_values(text)

    def _least_similar(self, given: float) -> float:
        least = _share("unless_similar", given)
        own = float(str(self._options["threshold"]))
        if least < own:
            what = f"unless_similar={given} is below the threshold of the index, {own}; raise it"
            raise OptionError(what, option="unless_similar")
        return least

    def _query(
        self,
        threshold: float | None,
        top: int | None,
        limit: int | None,
        exhaustive: bool,
        measure: str | None,
    ) -> tuple[float, int, int, bool, str]:
        if not isinstance(exhaustive, bool):
            what = f"exhaustive takes True or False, not {exhaustive!r}"
            raise OptionError(what, option="exhaustive")
        return (
            0 if threshold is None else _share("threshold", threshold),
            0 if top is None else _whole("top", top, 1),
            _UNLIMITED if limit is None else _whole("limit", limit, 1),
            exhaustive,
            "" if measure is None else _measure(measure),
        )


def _measure(given: str) -> str:
    """Returns a measure that was passed. Raises OptionError."""
    return _settings.make_options("index", {"measure": given}).texts()["measure"]


def _rows() -> dict[str, dict[str, Any]]:
    """Returns the options that an index stores, by keyword."""
    return {
        keyword: row
        for keyword, row in _settings.rows("index").items()
        if row["is_of_index"]
    }


def _folder(argument: str, path: object) -> pathlib.Path:
    folder = _objects.place(argument, path)
    if isinstance(folder, str):
        what = "an index is a folder of this machine; copy one made by backup() to the store"
        raise RunError(what, folder)
    if not os.fspath(path):  # type: ignore[call-overload]
        raise OptionError(f"{argument} is empty, expected a folder", option=argument)
    return folder


def _answer(found: _Answer) -> IndexAnswer:
    matches, truncated, candidates = found
    return IndexAnswer([IndexMatch(*match) for match in matches], truncated, candidates)


def _document(found: tuple[str, str, bytes | None, int]) -> IndexDocument:
    id_, metadata, text, features = found
    decoded = None if text is None else text.decode("utf-8", "replace")
    return IndexDocument(id_, metadata, decoded, features)


def _share(argument: str, given: object) -> float:
    """Returns a resemblance that was passed. Raises OptionError."""
    if isinstance(given, bool) or not isinstance(given, numbers.Real):
        kind = type(given).__name__
        raise OptionError(f"{argument} has type {kind}, expected a number", option=argument)
    number = float(given)
    if not 0 < number <= 1:
        what = f"{argument}={given} is not allowed; use a number above 0, at most 1"
        raise OptionError(what, option=argument)
    return number


def _whole(argument: str, given: object, least: int) -> int:
    """Returns a whole number that was passed. Raises OptionError."""
    if isinstance(given, bool) or not isinstance(given, numbers.Integral):
        kind = type(given).__name__
        raise OptionError(f"{argument} has type {kind}, expected a whole number", option=argument)
    number = int(given)
    if not least <= number <= _UNLIMITED:
        what = f"{argument}={given} is not allowed; use a whole number of {least} or more"
        raise OptionError(what, option=argument)
    return number


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
