"""Functions besides finding near-duplicates: streams, tables of words and lists, URLs, scores."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Unpack

import pyarrow as pa

from . import _core, _files, _keywords, _objects, _results, _runs, _scratch, _settings
from ._data import Data, Path
from ._line_results import FilterResult, Groups, UrlRules, WordWeights
from ._options import CrumbsOptions, FilterOptions, GroupOptions, WeightsOptions
from .errors import DataError, OptionError

_PAIRS_SCHEMA = pa.schema(
    [
        ("a", pa.string()),
        ("b", pa.string()),
        ("resemblance", pa.float64()),
    ]
)


@_keywords.takes(FilterOptions)
def filter(  # noqa: A001 - the command's name
    data: Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    state: Path | None = None,
    progress: bool | None = None,
    **options: Unpack[FilterOptions],
) -> FilterResult:
    """Reports for each document, in order, whether a similar one came before.

    The filter remembers a constant number of bytes per new document and no text, so answers are not
    verified; use :func:`dedup` for verified answers.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts. None: chosen as in :func:`dedup`.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        state: The folder that remembers documents between calls: read if it exists, and replaced
            at the end.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`FilterResult`: a table of id, source, row, decision, like, exact.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`. Result and state are
            then unchanged.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> a = "the quick brown fox jumps over the lazy dog near the stone bridge"
        >>> table = pa.table({"text": [a, "something else, in quite other words", a + "!"]})
        >>> lookalike.filter(table).to_arrow()["decision"].to_pylist()
        ['new', 'new', 'seen']
    """
    place = str(_objects.place("state", state)) if state not in (None, "") else ""
    found = _runs.to_file("filter", data, progress, options, place, text=text, id=id)
    return FilterResult(*found)


@_keywords.takes(WeightsOptions)
def weights(
    data: Data,
    text: str | None = "text",
    *,
    progress: bool | None = None,
    **options: Unpack[WeightsOptions],
) -> WordWeights:
    """Weighs the words of a collection: the rarer a word, the more it weighs.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts. None: chosen as in :func:`dedup`.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`WordWeights`: a table of word and weight. The option ``weights`` of other
        functions takes it.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> found = lookalike.weights(pa.table({"text": ["the cat", "the dog", "the dog barks"]}))
        >>> {row["word"]: row["weight"] for row in found.to_arrow().to_pylist()}["the"]
        1.0
        >>> lookalike.resemblance("the cat", "the dog", shingle="word:1", weights=found) < 1 / 3
        True
    """
    return WordWeights(*_runs.to_file("weights", data, progress, options, text=text))


@_keywords.takes(GroupOptions)
def group(
    data: Data,
    by: str,
    item: str,
    *,
    weight: str | None = None,
    progress: bool | None = None,
    **options: Unpack[GroupOptions],
) -> Groups:
    """Groups a table of pairs, such as customer and article, into a list for each customer.

    Args:
        data: The data to read, as for :func:`dedup`; of any size.
        by: The column whose values make the groups.
        item: The column of the items that the lists hold.
        weight: A column of numbers that go with the items, such as ratings.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options.

    Returns:
        A :class:`Groups`: a table of id and items.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> sales = pa.table({"customer": ["ann", "bob", "ann"], "article": ["tea", "tea", "milk"]})
        >>> baskets = lookalike.group(sales, by="customer", item="article")
        >>> baskets.to_arrow().to_pylist()
        [{'id': 'ann', 'items': ['tea', 'milk']}, {'id': 'bob', 'items': ['tea']}]
        >>> found = lookalike.pairs(baskets, text="items", shingle="item", threshold=0.5)
        >>> found.to_arrow()["resemblance"].to_pylist()
        [0.5]
    """
    keys, items = _column("by", by), _column("item", item)
    weighed = _column("weight", weight) if weight is not None else ""
    found = Groups(*_runs.to_file("group", data, progress, options, keys, items, weighed))
    found.summary["weighted"] = weight is not None
    return found


@_keywords.takes(CrumbsOptions)
def crumbs(
    data: Data,
    url: str = "url",
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    progress: bool | None = None,
    **options: Unpack[CrumbsOptions],
) -> UrlRules:
    """Finds session ids in URLs: parts that differ while the pages do not.

    Args:
        data: The data to read, as for :func:`dedup`.
        url: The column of URLs, as a dotted path if it is nested.
        text: The column of texts. None: chosen as in :func:`dedup`.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options; ``preset="crumbs"`` sets suitable ones.

    Returns:
        A :class:`UrlRules`: a table of rules, each of which rewrites many URLs of a page to one.

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> pages = [f"the story of number {n} is told in full on this page" for n in range(3)]
        >>> visits = [(n, session) for n in range(3) for session in ("q7", "x9", "t4")]
        >>> urls = [f"http://a.example/{n}?sid={session}{n}" for n, session in visits]
        >>> table = pa.table({"url": urls, "text": [pages[n] for n, _ in visits]})
        >>> lookalike.crumbs(table, threshold=0.95).to_arrow()["rule"].to_pylist()
        ['?sid=*']
    """
    field = _column("url", url)
    return UrlRules(*_runs.to_file("crumbs", data, progress, options, field, text=text, id=id))


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """The agreement of a result with the truth, over the pairs at or above the threshold."""

    precision: float
    recall: float
    #: The harmonic mean of precision and recall.
    f1: float
    #: The numbers of pairs in the result, in the truth, and in both.
    found: int
    expected: int
    correct: int
    #: A dict for each interval of resemblance: from, to, expected, found.
    by_resemblance: list[dict[str, Any]] = dataclasses.field(repr=False)

    def to_arrow(self) -> pa.Table:
        """Returns the intervals of resemblance, one per row."""
        return pa.Table.from_pylist(self.by_resemblance)


def evaluate(result: Any, truth: Any, threshold: float = 0.8) -> Evaluation:
    """Scores pairs that were found against the true ones.

    Args:
        result: A :class:`PairsResult` or :class:`DedupResult`, Arrow data with the columns a, b and
            resemblance, a file of pairs in JSON Lines, or the folder of a ``dedup`` run.
        truth: The true pairs, in the same forms; pairs below the threshold do not matter.
        threshold: Pairs below it are dropped from both first.

    Raises:
        OptionError: `threshold` is not above 0 and at most 1.
        DataError: An argument does not contain pairs.
        RunError: A file cannot be read, or holds something else.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> columns = ["a", "b", "resemblance"]
        >>> truth = pa.table([["x", "x"], ["y", "z"], [0.9, 0.85]], names=columns)
        >>> found = lookalike.evaluate(truth.slice(0, 1), truth)
        >>> found.precision, found.recall
        (1.0, 0.5)
    """
    made = _settings.make_options("eval", {"threshold": threshold})
    with _scratch.folder_for_a_call(None) as folder:
        found = _core.evaluate(
            _pairs_file("result", result, folder),
            _pairs_file("truth", truth, folder),
            float(made.texts()["threshold"]),
        )
    return Evaluation(**found)


@dataclasses.dataclass(frozen=True)
class SyntheticCorpus:
    """Texts with planted near-duplicates."""

    #: A table of id and text.
    documents: pa.Table
    #: Every pair of resemblance 0.5 or more: a, b, resemblance, ...
    truth: pa.Table

    def __repr__(self) -> str:
        return f"SyntheticCorpus({len(self.documents):,} documents, {len(self.truth):,} pairs)"


def synth(documents: int, *, seed: int = 0, duplicates: float = 0.3) -> SyntheticCorpus:
    """Makes a corpus with planted near-duplicates, and the truth about it.

    Args:
        documents: The number of texts to make.
        seed: Each seed makes a different corpus; equal arguments make equal corpora.
        duplicates: The share of texts that are variants of earlier ones, from 0 to 1.

    Raises:
        OptionError: An argument has a wrong value.

    Example:
        >>> import lookalike
        >>> made = lookalike.synth(200, seed=5)
        >>> found = lookalike.pairs(made.documents, threshold=0.8)
        >>> lookalike.evaluate(found, made.truth).precision
        1.0
    """
    whole = isinstance(documents, int) and not isinstance(documents, bool)
    if not whole or not 0 <= documents < 1 << 32:
        raise OptionError(f"documents={documents!r} is not allowed; use a whole number below 2^32")
    if not isinstance(duplicates, (int, float)) or not 0 <= duplicates <= 1:
        raise OptionError(f"duplicates={duplicates!r} is not allowed; use a number from 0 to 1")
    made = _settings.make_options("synth", {"seed": seed})
    with _scratch.folder_for_a_call(None) as folder:
        corpus, truth = folder / "made.jsonl", folder / "truth.jsonl"
        _core.synthesize(
            str(corpus), documents, int(made.texts()["seed"]), float(duplicates), str(truth)
        )
        schema = pa.schema([("id", pa.string()), ("text", pa.string())])
        return SyntheticCorpus(
            _files.read_json_lines(corpus, schema), _files.read_json_lines(truth, _PAIRS_SCHEMA)
        )


def _column(name: str, value: object) -> str:
    if isinstance(value, str) and value:
        return _settings.encodable(name, value)
    raise OptionError(f"{name} is {value!r}, expected the name of a column")


def _pairs_file(argument: str, given: Any, folder: pathlib.Path) -> str:
    """Returns a file of pairs in JSON Lines, or the folder of a run."""
    if isinstance(given, _results.DedupResult):
        return str(given.folder)
    if not hasattr(given, "__arrow_c_stream__"):
        return _settings.path_text(argument, given)
    table = pa.table(given)
    missing = [name for name in _PAIRS_SCHEMA.names if name not in table.column_names]
    if missing:
        raise DataError(
            f"{argument} has no column {missing[0]}, expected pairs with the columns a, b and "
            f"resemblance; it has {', '.join(table.column_names)}"
        )
    file = folder / f"{argument}.jsonl"
    _files.write_json_lines(table.select(_PAIRS_SCHEMA.names).cast(_PAIRS_SCHEMA), file)
    return str(file)
