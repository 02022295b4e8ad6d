"""Runs of words that stand more than once, and items of benchmarks in documents."""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Mapping
from typing import Any, Literal, Unpack

import pyarrow as pa

from . import _core, _data, _files, _keywords, _objects, _runs, _scratch, _settings
from ._data import Data, Path
from ._options import DecontaminateOptions, PassagesOptions
from ._results import KEPT_BY_FIELD
from .errors import DataError

_PLACE = [
    ("id", pa.string()),
    ("source", pa.string()),
    ("row", pa.int64()),
    ("begin", pa.int64()),
    ("end", pa.int64()),
]
_LISTED = pa.struct([*_PLACE, ("reference", pa.bool_())])
PASSAGES_SCHEMA = pa.schema(
    [
        ("passage", pa.int64()),
        ("words", pa.int64()),
        ("places", pa.int64()),
        ("listed", pa.list_(_LISTED)),
    ]
)
PASSAGES_IN_CHARS_SCHEMA = PASSAGES_SCHEMA.set(1, pa.field("chars", pa.int64()))
CUTS_SCHEMA = pa.schema([*_PLACE, ("passage", pa.int64()), ("same_as", _LISTED)])
DROPPED_SCHEMA = pa.schema(_PLACE[:3])
_SPAN = pa.struct([(name, pa.int64()) for name in ("begin", "end", "item_begin", "item_end")])
FOUND_SCHEMA = pa.schema(
    [
        *_PLACE[:3],
        ("benchmark", pa.string()),
        ("item", pa.string()),
        ("share", pa.float64()),
        ("spans", pa.list_(_SPAN)),
    ]
)
ITEMS_SCHEMA = pa.schema(
    [
        ("benchmark", pa.string()),
        ("item", pa.string()),
        ("row", pa.int64()),
        ("words", pa.int64()),
        ("found", pa.int64()),
        ("too_short", pa.bool_()),
    ]
)
ITEM_CUTS_SCHEMA = pa.schema([*_PLACE, ("benchmark", pa.string()), ("item", pa.string())])


class _FolderResult:
    """A result whose files are in a folder; tables are read when first used."""

    def __init__(self, folder: pathlib.Path, owner: object | None = None) -> None:
        self._folder = folder
        self._owner = owner  # of a temporary folder, which goes with it

    @property
    def folder(self) -> pathlib.Path:
        """The folder with the command's files; a temporary one unless `save_to` was given."""
        return self._folder

    @functools.cached_property
    def manifest(self) -> dict[str, Any]:
        """Counts, rules, options and timings, as in ``manifest.json``."""
        found: dict[str, Any] = json.loads((self._folder / "manifest.json").read_bytes())
        return found

    @property
    def kept_files(self) -> list[pathlib.Path]:
        """The files of the rows that stay, in input order; none with the action ``report``."""
        return [self._rows / name for name in self._names()]

    @functools.cached_property
    def kept(self) -> pa.Table:
        """The rows that stay, with all columns of the input and texts without what was cut.

        With the action ``annotate`` of :func:`passages` these are all rows, each with
        ``la_passages``: structs of passage, begin, end and first, by place.

        Raises:
            DataError: The action is ``report``, which takes nothing away.
        """
        if self.manifest["rules"]["action"] == "report":
            raise DataError("the action report keeps every row; use the data, or cut or drop")
        delimiter = self.manifest["options"].get("delimiter", "")
        return _files.concatenated(
            [
                _files.read_table(self._rows / name, name, delimiter)
                for name in self._names()
            ]
        )

    @functools.cached_property
    def dropped(self) -> pa.Table:
        """One row per document that was left out. Columns: id, source, row (from 1)."""
        return self._lines("dropped", DROPPED_SCHEMA)

    def _names(self) -> list[str]:
        names = [one["name"] for one in self.manifest["inputs"] if not one.get("reference")]
        return [name for name in names if (self._rows / name).is_file()]

    @property
    def _rows(self) -> pathlib.Path:
        annotates = self.manifest["rules"]["action"] == "annotate"
        return self._folder / ("annotated" if annotates else "kept")

    def _lines(self, name: str, schema: pa.Schema) -> pa.Table:
        file = self._folder / f"{name}.jsonl"
        if not file.exists():
            return schema.empty_table()
        return _files.read_json_lines(file, schema)


class PassagesResult(_FolderResult):
    """The result of :func:`passages`. Offsets count code points of the text; ends are exclusive."""

    @functools.cached_property
    def passages(self) -> pa.Table:
        """One row per passage, those that repeat the most words first.

        Columns: passage (its number), words (with `min_chars` chars), places (of all), listed (up
        to 100 of them: structs of id, source, row, begin, end, reference).
        """
        in_chars = "min_chars" in self.manifest["rules"]
        return self._lines("passages", PASSAGES_IN_CHARS_SCHEMA if in_chars else PASSAGES_SCHEMA)

    @functools.cached_property
    def cuts(self) -> pa.Table:
        """One row per part of a text that was cut, or that its document was dropped for.

        Columns: id, source, row, begin, end, passage, same_as (a struct: the place that stays).
        With `keep` other than "first" also kept_by, what decided that this place stays.
        """
        ranked = self.manifest["options"]["keep"] != "first"
        return self._lines("cuts", CUTS_SCHEMA.append(KEPT_BY_FIELD) if ranked else CUTS_SCHEMA)

    def __repr__(self) -> str:
        return f"<PassagesResult: {self.manifest['passages']} passages, {self.folder}>"


class ContaminationResult(_FolderResult):
    """The result of :func:`decontaminate`. Offsets count code points; ends are exclusive."""

    @functools.cached_property
    def found(self) -> pa.Table:
        """One row per document and item in it.

        Columns: id, source, row, benchmark, item, share (of the item's features), spans (structs of
        begin, end, item_begin, item_end).
        """
        return self._lines("found", FOUND_SCHEMA)

    @functools.cached_property
    def items(self) -> pa.Table:
        """One row per item. Columns: benchmark, item, row, words, found (how often), too_short."""
        return self._lines("items", ITEMS_SCHEMA)

    @functools.cached_property
    def cuts(self) -> pa.Table:
        """One row per part that was cut. Columns: id, source, row, begin, end, benchmark, item."""
        return self._lines("cuts", ITEM_CUTS_SCHEMA)

    def __repr__(self) -> str:
        return f"<ContaminationResult: {self.manifest['found']} items found, {self.folder}>"


@_keywords.takes(PassagesOptions)
def passages(
    data: Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    against: Data | None = None,
    min_words: int | None = None,
    min_chars: int | None = None,
    action: Literal["report", "cut", "drop", "annotate"] = "report",
    unit: Literal["sentence", "line", "paragraph", "words"] = "sentence",
    min_left: int = 0,
    save_to: Path | None = None,
    progress: bool | None = None,
    **options: Unpack[PassagesOptions],
) -> PassagesResult:
    """Finds every run of words that stands more than once, and cuts all but the first if asked.

    With `min_chars`, runs of characters.

    Args:
        data: The data to read, as for :func:`dedup`.
        text: The column of texts. None: chosen as in :func:`dedup`.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        against: A reference collection: passages of its documents go at every place.
        min_words: The length of the shortest passage. None: 50, unless there is `min_chars`.
        min_chars: The length of the shortest passage in characters, in place of words; white space
            counts as one.
        action: ``report`` lists passages; ``cut`` also takes all but their first occurrence out of
            the texts; ``drop`` leaves out documents with another occurrence; ``annotate`` keeps
            all rows and adds ``la_passages``, the places of their passages.
        unit: What is cut as a whole.
        min_left: Documents of which fewer words (with `min_chars`, characters) would be left are
            left out.
        save_to: The folder to write. None: a temporary one, which is deleted with the result.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options, such as ``keep``, the criteria for the document in which a
            passage stays.

    Returns:
        A :class:`PassagesResult`: ``.passages``, ``.cuts``, ``.dropped``, ``.kept``, ...

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> notice = "All rights reserved by the authors of this text and their heirs."
        >>> table = pa.table({"text": ["One. " + notice, "Two. " + notice + " More."]})
        >>> result = lookalike.passages(table, min_words=10, action="cut")
        >>> result.passages.select(["words", "places"]).to_pylist()
        [{'words': 12, 'places': 2}]
        >>> result.kept["text"].to_pylist()[1]
        'Two. More.'
    """
    rules = (min_words, min_chars, action, unit, min_left)
    folder = _run(
        "passages",
        (data, against),
        options,
        (text, id),
        save_to,
        progress,
        lambda sources, target, made, calls: _core.passages(
            sources.names, sources.tables, target, *rules, made, **calls
        ),
    )
    return PassagesResult(*folder)


@_keywords.takes(DecontaminateOptions)
def decontaminate(
    data: Data,
    against: Data,
    text: str | None = "text",
    id: str | None = None,  # noqa: A002 - the option's name
    *,
    min_words: int | Mapping[str, int] = 8,
    action: Literal["report", "drop", "cut"] = "report",
    item_text: str | None = None,
    item_id: str | None = None,
    save_to: Path | None = None,
    progress: bool | None = None,
    **options: Unpack[DecontaminateOptions],
) -> ContaminationResult:
    """Finds items of benchmarks in documents, wherever they stand and however they are wrapped.

    Args:
        data: The data to read, as for :func:`dedup`.
        against: The benchmarks, one item a row, in any form that `data` may have.
        text: The column of texts. None: chosen as in :func:`dedup`.
        id: The column of ids. None: ``id`` if it exists, else rows are identified by number.
        min_words: Items of fewer words are not looked for; or such a number for each benchmark, by
            the name of its input (8 for the others).
        action: ``report`` lists what was found; ``drop`` leaves out documents with an item;
            ``cut`` takes out what they share with it.
        item_text: The column of the benchmarks that has the items. None: as `text`.
        item_id: The column that has their ids. None: as `id`.
        save_to: The folder to write. None: a temporary one, which is deleted with the result.
        progress: If true, shows a progress bar. None: only in notebooks and terminals.
        **options: The command's options, such as ``threshold``, the share of an item's shingles
            that a document must have.

    Returns:
        A :class:`ContaminationResult`: ``.found``, ``.items``, ``.cuts``, ``.kept``, ...

    Raises:
        OptionError, DataError, RunError, KeyboardInterrupt: As :func:`dedup`.

    Example:
        >>> import lookalike, pyarrow as pa
        >>> item = "How many apples are left if Ann has nine and eats two of them?"
        >>> train = pa.table({"text": ["Quiz time! " + item.upper(), "nothing of the kind"]})
        >>> lookalike.decontaminate(train, pa.table({"text": [item]})).found["share"].to_pylist()
        [1.0]
    """
    own = dict(min_words) if isinstance(min_words, Mapping) else {}
    least = min_words if isinstance(min_words, int) else 8
    item_fields = (
        _settings.field("item_text", item_text) or "",
        _settings.field("item_id", item_id) or "",
    )
    folder = _run(
        "decontaminate",
        (data, against),
        options,
        (text, id),
        save_to,
        progress,
        lambda sources, target, made, calls: _core.decontaminate(
            sources.names, sources.tables, target, action, least, own, *item_fields, made, **calls
        ),
    )
    return ContaminationResult(*folder)


def _run(
    command: str,
    data: tuple[Data, Data | None],
    options: Mapping[str, Any],
    fields: tuple[str | None, str | None],
    save_to: Path | None,
    progress: bool | None,
    call: Callable[[_data.Sources, str, _core.Options, Any], object],
) -> tuple[pathlib.Path, object | None]:
    """Runs a command into a folder. Returns the folder, and the owner of a temporary one."""
    text, id_ = fields
    made = _settings.make_options(command, options, text=text, id=id_)  # before all work
    parent = _runs.parent_of(options)
    owner = _scratch.TemporaryFolder(parent) if save_to is None else None
    target = owner.path / "result" if owner else _objects.place("save_to", save_to)
    with _runs.begin(command, parent, progress) as run:
        sources = run.sources(*data, made)
        if sources.against:
            made = _settings.make_options(
                command, options, text=text, id=id_, against=sources.against
            )
        call(sources, str(target), made, run.callbacks)
    return pathlib.Path(target), owner
