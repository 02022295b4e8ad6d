"""Code that all calls share: options, a temporary folder, a bar, inputs and a result."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from . import _core, _data, _ids, _objects, _progress, _scratch, _settings
from ._data import Data


class _Callbacks(TypedDict):
    progress: Any
    message: Any


@dataclasses.dataclass
class Run:
    """The state of one call."""

    folder: pathlib.Path
    bar: _progress.ProgressBar
    log: _progress.RunLog

    @property
    def callbacks(self) -> _Callbacks:
        return {"progress": self.bar.callback, "message": self.log.line}

    def sources(self, data: Data, against: Data | None, checked: _core.Options) -> _data.Sources:
        """Turns the data that was passed into inputs of the engine, for these options."""
        texts = checked.texts()
        text, id_ = _settings.first_of_list(texts["text-field"]), texts["id-field"] or None
        return _data.sources_of(data, against, self.folder, text=text, id=id_)


@contextlib.contextmanager
def begin(title: str, parent: str | None, progress: bool | None) -> Iterator[Run]:
    """Makes a temporary folder, a bar and a log for one run."""
    with (
        _scratch.folder_for_a_call(parent) as folder,
        _progress.ProgressBar(progress, title) as bar,
        _progress.RunLog() as log,
    ):
        yield Run(folder, bar, log)


def parent_of(options: Mapping[str, Any]) -> str | None:
    """Returns the folder for temporary folders; None means the system's default."""
    scratch = options.get("scratch")
    return _settings.path_text("scratch", scratch) if scratch else None


#: The arguments of a result in a file: the file that a command wrote, its summary, the owner of
#: its folder, the kind of data, and the options for object stores.
Found = tuple[pathlib.Path, dict[str, Any], _scratch.TemporaryFolder, _ids.Origin, dict[str, Any]]


def to_file(
    command: str,
    data: Data,
    progress: bool | None,
    options: Mapping[str, Any],
    *arguments: str,
    text: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002 - the option's name
    against: Data | None = None,
    table: str | None = None,
) -> Found:
    """Runs a command that makes one file; `arguments` go to the engine after the output.

    The file holds lines, or, with the name of a `table`, an Arrow table.
    """

    def make(references: list[str] | None = None) -> _core.Options:
        return _settings.make_options(
            command, options, text=text, id=id, against=references
        )

    made = make()  # before all work
    parent = parent_of(options)
    owner = _scratch.TemporaryFolder(parent)
    target = owner.path / (f"{table}.arrow" if table else "found")
    output = owner.path if table else target  # the engine names tables
    with begin(command, parent, progress) as run:
        sources = run.sources(data, against, made)
        if sources.against:
            made = make(sources.against)
        summary = getattr(_core, command)(
            sources.names, sources.tables, str(output), *arguments, made, **run.callbacks
        )
        if "recall" in summary:
            run.log.recall(summary["recall"])
    return target, summary, owner, sources.origin, _objects.access_of(options)
