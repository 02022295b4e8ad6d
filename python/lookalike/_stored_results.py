"""Results in object stores: the engine writes them, and files are fetched when first used."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Mapping
from typing import Any

from pyarrow import fs

from . import _ids, _objects, _scratch
from ._results import DedupResult
from .errors import RunError


class StoredDedupResult(DedupResult):
    """A :class:`DedupResult` in an object store; its files are fetched when first used.

    Attributes:
        uri: The URI of the result, without credentials and parameters.
    """

    def __init__(
        self, uri: str, options: Mapping[str, Any], origin: _ids.Origin | None = None
    ) -> None:
        self._given = uri
        self.uri = _objects.shown(uri)
        self._options = dict(options)
        self._origin = origin or _ids.Origin()
        self._access = _objects.access_of(options)
        self._rows = None

    @functools.cached_property
    def _folder(self) -> pathlib.Path:  # type: ignore[override]
        """A copy in a temporary folder, which is removed with this object."""
        self._owner = _scratch.TemporaryFolder(self._options.get("scratch"))
        target = self._owner.path / "result"
        try:
            place = _objects.parse(self._given)
            store = _objects.file_system(place, self._options)
            target.mkdir()
            fs.copy_files(place.path, str(target), source_filesystem=store)
        except (OSError, ValueError) as error:
            raise RunError(f"the result cannot be fetched: {error}", self.uri) from error
        return target

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredDedupResult, (self._given, self._options, self._origin)
