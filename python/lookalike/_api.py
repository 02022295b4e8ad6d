"""The functions of the package: data in, results out."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack

from . import _core, _data, _items, _keywords, _objects, _runs, _scratch, _settings, _stored_results
from ._data import Data, Path
from ._items import Items
from ._options import (
    CompareOptions,
    CompareOptionsWithoutShingle,
    DedupOptions,
    NearestOptions,
    PairsOptions,
    PlanOptions,
    SketchOptions,
)
from ._results import Comparison, DedupResult, NearestResult, PairsResult, Plan, SketchFile
from .errors import LookalikeError, OptionError


@contextlib.contextmanager
def _cleared_when_interrupted(
    target: pathlib.Path | str, options: Mapping[str, Any]
) -> Iterator[None]:
    """Removes the unfinished work of an interrupted run, unless the caller wants to resume it."""
    try:
        yield
    except LookalikeError:
        raise
    except BaseException:
        if not options.get("resume") and isinstance(target, pathlib.Path):
            # Work that another run has resumed in the meantime no longer belongs to this one.
            with contextlib.suppress(LookalikeError):
                _core.discard_interrupted(str(target))
        raise


@_keywords.takes(DedupOptions)
def dedup(
    data: Data,
    text: str | list[str] | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    against: Data | None = None,
    save_to: Path | None = None,
    progress: bool | None = None,
    **options: Unpack[DedupOptions],
) -> DedupResult:
    """Removes near-duplicates: every removed document has a kept witness.

    Args:
        data: The data to read. Paths, patterns, folders and URIs (one, or a list), or Arrow data:
            pyarrow tables and readers, polars and pandas data frames, DuckDB relations, Hugging
            Face data sets, anything with ``__arrow_c_stream__``. Tables are read in
            place; data that can be read only once is copied to a temporary file. The index of a
            pandas data frame is left out; ``reset_index()`` makes it a column.
        text: The column of texts, as a dotted path if it is nested. None: the column that a
            ``config`` names, else ``text``, else the only text column named ``content``, ``body``
            or ``document``. A list of columns: documents must be alike in each of them or, with
            ``fields="any"``, in one of them; ``threshold`` may be a mapping of columns to numbers.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        against: A reference collection, in any form that `data` may have: documents similar to
            one of its documents are also removed.
        save_to: The folder to write, like the command's ``-o``; ``s3://`` and ``gs://`` URIs work
            too. None: a temporary folder, which is deleted with the result;
            :meth:`DedupResult.save` keeps a copy.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`DedupResult`: ``.kept``, ``.removed``, ``.clusters``, ``.manifest``, ...

    Raises:
        OptionError: An option is unknown or has a wrong value.
        DataError: `data` has a type that cannot be read.
        RunError: An input cannot be read, a column is missing, the disk is full, ...
        KeyboardInterrupt: Within a second; nothing is left half-written. With ``resume=True``
            the finished work stays next to `save_to`, and a later call continues from it.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> a = "the quick brown fox jumps over the lazy dog near the river bank"
        >>> table = pa.table({"text": [a, "something else entirely, in other words", a + "!"]})
        >>> result = lookalike.dedup(table)
        >>> result.kept["text"].to_pylist()[1]
        'something else entirely, in other words'
        >>> result.removed.select(["row", "duplicate_of_row", "resemblance"]).to_pylist()
        [{'row': 3, 'duplicate_of_row': 1, 'resemblance': 1.0}]
    """
    made = _settings.make_options("dedup", options, text=text, id=id)  # before all work
    parent = _runs.parent_of(options)
    owner = _scratch.TemporaryFolder(parent) if save_to is None else None
    target = owner.path / "result" if owner else _objects.place("save_to", save_to)
    rows = owner.path / "rows" if owner else None  # a saved result is read when it is looked at
    if rows is not None:
        rows.mkdir()
    with _runs.begin("dedup", parent, progress) as run:
        sources = run.sources(data, against, made)
        if sources.against:
            made = _settings.make_options(
                "dedup", options, text=text, id=id, against=sources.against
            )
        with _cleared_when_interrupted(target, options):
            summary = _core.dedup(
                sources.names, sources.tables, str(target), str(rows or ""), made, **run.callbacks
            )
        run.log.recall(summary["recall"])
    if isinstance(target, str):
        return _stored_results.StoredDedupResult(target, options, sources.origin)
    return DedupResult(target, owner, sources.origin, _objects.access_of(options), rows)


@_keywords.takes(PairsOptions)
def pairs(
    data: Data,
    text: str | list[str] | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    against: Data | None = None,
    progress: bool | None = None,
    **options: Unpack[PairsOptions],
) -> PairsResult:
    """Finds all pairs of documents with resemblance at or above the threshold.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts. None: ``text``, else ``content``, ``body`` or ``document``. A
            list of columns: as for :func:`dedup`.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        against: A reference collection: each pair then has one document from each of the two.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`PairsResult`: a table of a, b, resemblance, common, size_a, size_b; each pair
        once, in the order of the input. Every resemblance is computed from the full feature sets.
        With ``distance``: a table of a, b, distance; the column `text` then holds lists of
        numbers, or short strings.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> a = "the quick brown fox jumps over the lazy dog near the stone bridge"
        >>> table = pa.table({"id": ["x", "y", "z"], "text": [a, "other words", a + " today"]})
        >>> found = lookalike.pairs(table, threshold=0.7)
        >>> found.to_arrow().to_pylist()[0]["resemblance"]
        0.9
    """
    found = _runs.to_file(
        "pairs", data, progress, options, text=text, id=id, against=against, table="pairs"
    )
    return PairsResult(*found)


@_keywords.takes(NearestOptions)
def nearest(
    data: Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    against: Data | None = None,
    progress: bool | None = None,
    **options: Unpack[NearestOptions],
) -> NearestResult:
    """Finds the nearest neighbours of each document, point, vector or short string.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts, or of lists of numbers. None: ``text``, else the only list.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        against: A reference collection, from which the neighbours are then taken.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options: ``top`` (how many of each), ``distance``, ``within``, ...

    Returns:
        A :class:`NearestResult`: a table of id, rank (from 1), neighbour and distance, nearest
        first. Without ``distance`` it has resemblance, common, size_a and size_b instead, and
        only neighbours at or above the threshold.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> vectors = [[0.0, 0.0], [3.0, 4.0], [9.0, 4.0]]
        >>> table = pa.table({"id": ["a", "b", "c"], "vector": vectors})
        >>> found = lookalike.nearest(table, text="vector", distance="l2", top=1)
        >>> found.to_arrow().select(["id", "neighbour", "distance"]).to_pylist()[0]
        {'id': 'a', 'neighbour': 'b', 'distance': 5.0}
    """
    found = _runs.to_file(
        "nearest", data, progress, options, text=text, id=id, against=against, table="neighbours"
    )
    return NearestResult(*found)


@_keywords.takes(SketchOptions)
def sketch(
    data: Data,
    save_to: Path,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    **options: Unpack[SketchOptions],
) -> SketchFile:
    """Writes the sketches of documents to a file, which :func:`pairs` reads in their place.

    Args:
        data: The data to read, as for :func:`dedup`.
        save_to: The file to write, like the command's ``-o``; ``s3://`` and ``gs://`` URIs work
            too. It is compressed if its name ends in ``.zst``, ``.gz``, ``.bz2`` or ``.lz4``.
        text: The column of texts. None: ``text``, else ``content``, ``body`` or ``document``.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        overwrite: If true, replaces an existing file. Otherwise an existing file is a RunError.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pathlib, tempfile, pyarrow as pa
        >>> a = "the quick brown fox jumps over the lazy dog near the stone bridge"
        >>> table = pa.table({"id": ["x", "y", "z"], "text": [a, "other words", a + " today"]})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "three.sketches")
        ...     made = lookalike.sketch(table, path)
        ...     found = lookalike.pairs(path, threshold=0.7).to_arrow().to_pylist()
        >>> made.documents, made.sketch, made.features
        (3, 'fss:128', 'word:5')
        >>> found[0]["a"], found[0]["b"], found[0]["exact"]
        ('x', 'z', False)
    """
    target = _objects.place("save_to", save_to)
    made = _settings.make_options("sketch", options, text=text, id=id)  # before all work
    if not overwrite:
        _objects.check_free(target, options)
    with _runs.begin("sketch", None, progress) as run:
        sources = run.sources(data, None, made)
        found = _core.sketch(sources.names, sources.tables, str(target), made, **run.callbacks)
    return SketchFile.of(str(target), found)


def merge_sketches(
    files: Path | Iterable[Path],
    save_to: Path,
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    scratch: Path | None = None,
) -> SketchFile:
    """Merges sketch files: records with equal ids become the sketch of one document.

    So a document can be sketched in chunks, on different machines: however its features are
    divided, the chunks merge into the sketch of the whole. Documents whose id occurs once are
    copied.

    Args:
        files: Sketch files that :func:`sketch` wrote with the same options: one or more paths,
            patterns, folders or URIs.
        save_to: The file to write, as for :func:`sketch`.
        overwrite: If true, replaces an existing file. Otherwise an existing file is a RunError.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        threads, memory, scratch: As for :func:`dedup`.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pathlib, tempfile, pyarrow as pa
        >>> chunks = [["tea", "milk"], ["rice"]]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     place = pathlib.Path(folder)
        ...     for number, items in enumerate(chunks):
        ...         table = pa.table({"id": ["ann"], "items": [items]})
        ...         path = place / f"{number}.sketches"
        ...         made = lookalike.sketch(table, path, None, shingle="item")
        ...     whole = lookalike.merge_sketches(place / "*.sketches", place / "whole.sketches")
        >>> whole.documents
        1
    """
    target = _objects.place("save_to", save_to)
    options = {"threads": threads, "memory": memory, "scratch": scratch}
    made = _settings.make_options("merge-sketches", options)
    if not overwrite:
        _objects.check_free(target, options)
    with _runs.begin("merge", _runs.parent_of(options), progress) as run:
        sources = _data.sources_of(files, None, run.folder, text=None, id=None)
        found = _core.merge_sketches(
            sources.names, sources.tables, str(target), made, **run.callbacks
        )
    return SketchFile.of(str(target), found)


@_keywords.takes(PlanOptions)
def plan(
    data: Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    progress: bool | None = None,
    **options: Unpack[PlanOptions],
) -> Plan:
    """Predicts pairs, recall, time and memory of :func:`dedup` from a sample. Writes nothing.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts. None: ``text``, else ``content``, ``body`` or ``document``.
        id: The column of ids.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`Plan`; in a notebook it shows the possible searches and their S-curves.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> table = pa.table({"text": [f"document number {i} of the small set" for i in range(99)]})
        >>> lookalike.plan(table).documents
        99
    """
    made = _settings.make_options("plan", options, text=text, id=id)
    with _runs.begin("plan", None, progress) as run:
        sources = run.sources(data, None, made)
        found = _core.plan(sources.names, sources.tables, made, **run.callbacks)
    return Plan(found, float(made.texts()["threshold"]))


@_keywords.takes(CompareOptions)
def compare(
    a: str | Iterable[float], b: str | Iterable[float], **options: Unpack[CompareOptions]
) -> Comparison:
    """Compares two texts: resemblance, containment both ways, and the passages they share.

    Args:
        a, b: The texts. With ``distance``, which measures how far apart two are, also lists of
            numbers.
        **options: The command's options, above all ``shingle``.

    Raises:
        OptionError: An option is unknown or has a wrong value.

    Example:
        >>> import lookalike
        >>> found = lookalike.compare("one two three four five six", "one two three four five")
        >>> found.resemblance, found.containment_ba
        (0.5, 1.0)
        >>> begin, end = found.passages[0][:2]
        >>> found.text_a[begin:end]
        'one two three four five'
    """
    made = _settings.make_options("compare", options)
    if options.get("distance"):
        a, b = _data.point_text(a), _data.point_text(b)
    return Comparison(_core.compare(_data.text_bytes(a), _data.text_bytes(b), made))


@_keywords.takes(CompareOptionsWithoutShingle)
def resemblance(
    a: str | Items,
    b: str | Items,
    shingle: str | None = None,
    **options: Unpack[CompareOptionsWithoutShingle],
) -> float:
    """Returns the exact resemblance (Jaccard similarity) of two texts or sets, from 0 to 1.

    Args:
        a, b: Two texts, whose sets of shingles are compared; or two sets, or lists of tokens, of
            text or whole numbers. Tokens are compared unchanged unless ``normalize`` says
            otherwise; order and repetition do not matter.
        shingle: The kind of feature: ``word:N``, ``char:N`` and so on. None: ``word:5`` for texts,
            and the tokens themselves (``item``) for sets and lists.
        **options: The options of :func:`compare`.

    Raises:
        OptionError: An option is unknown or has a wrong value, or only one side is a text.
        DataError: A token is neither text nor a whole number.

    Example:
        >>> import lookalike
        >>> lookalike.resemblance("to be or not to be", "to be or not", shingle="word:2")
        0.75
        >>> lookalike.resemblance({"tea", "milk"}, {"tea", "milk", "bread", "Tea"})
        0.5
    """
    return _compared(a, b, shingle, options).resemblance


@_keywords.takes(CompareOptionsWithoutShingle)
def containment(
    a: str | Items,
    b: str | Items,
    shingle: str | None = None,
    **options: Unpack[CompareOptionsWithoutShingle],
) -> float:
    """Returns the exact share of the features of `a` that `b` also has, from 0 to 1.

    Args:
        a, b: Two texts, two sets or two lists of tokens, as for :func:`resemblance`.
        shingle: The kind of feature, as for :func:`resemblance`.
        **options: The options of :func:`compare`.

    Example:
        >>> import lookalike
        >>> lookalike.containment("to be or not", "to be or not to be", shingle="word:2")
        1.0
        >>> lookalike.containment([1, 2, 3, 4], range(3, 100))
        0.5
    """
    return _compared(a, b, shingle, options).containment_ab


def _compared(a: object, b: object, shingle: str | None, options: Mapping[str, Any]) -> Comparison:
    """Compares two texts, or two lists of items."""
    if not _items.is_items(a) and not _items.is_items(b):
        return compare(a, b, shingle=shingle, **options)  # type: ignore[arg-type] # it checks them
    if not _items.is_items(a) or not _items.is_items(b):
        raise OptionError("one side is a text and the other a list or set; pass two of a kind")
    given = {name: value for name, value in options.items() if value is not None}
    _items.check_shingle(shingle or "item")
    made = _settings.make_options("compare", {"normalize": "none", **given, "shingle": "item"})
    text_a, text_b = (_data.text_bytes(_items.text_of(side)) for side in (a, b))
    return Comparison(_core.compare(text_a, text_b, made))


def version() -> str:
    """Returns version, fingerprint version, instruction set: ``0.1.0 (fingerprint v1, avx512)``."""
    return _core.version()
