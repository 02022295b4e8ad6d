"""Results in object stores: the engine writes them, and they are fetched when they are looked at."""

from __future__ import annotations

import functools
import pathlib
import urllib.parse
from collections.abc import Mapping
from typing import Any

from . import _scratch
from ._results import DedupResult
from .errors import RunError

_SCHEMES = ("s3", "gs", "gcs")


def is_uri(text: str) -> bool:
    """Whether `text` names a place in an object store."""
    return text.partition("://")[0].lower() in _SCHEMES and "://" in text


def _file_system(uri: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The store of a URI and the path in it, with the options by which the engine reached it."""
    from pyarrow import fs  # only here: it loads the stores' libraries

    parts = urllib.parse.urlsplit(uri)
    given = dict(urllib.parse.parse_qsl(parts.query))
    endpoint = options.get("object_endpoint") or given.get("endpoint_override") or ""
    scheme, _, host = endpoint.rpartition("://")
    scheme = scheme or given.get("scheme") or "https"
    settings: dict[str, Any] = {"anonymous": bool(options.get("object_anonymous"))}
    if host:
        settings |= {"endpoint_override": host.rstrip("/"), "scheme": scheme}
    path = f"{parts.netloc}{parts.path}".rstrip("/")
    if parts.scheme.lower() != "s3":
        return fs.GcsFileSystem(**settings), path
    if region := options.get("object_region") or given.get("region"):
        settings["region"] = region
    return fs.S3FileSystem(**settings), path


class StoredDedupResult(DedupResult):
    """A :class:`DedupResult` in an object store; its files are fetched once they are asked for.

    Attributes:
        uri: Where it stands.
    """

    def __init__(self, uri: str, options: Mapping[str, Any]) -> None:
        self.uri = uri
        self._options = dict(options)

    @functools.cached_property
    def _folder(self) -> pathlib.Path:  # type: ignore[override]
        """A copy in a temporary folder, which goes with this."""
        from pyarrow import fs

        self._owner = _scratch.TemporaryFolder(self._options.get("scratch"))
        target = self._owner.path / "result"
        try:
            store, path = _file_system(self.uri, self._options)
            target.mkdir()
            fs.copy_files(path, str(target), source_filesystem=store)
        except (OSError, ValueError) as error:
            raise RunError(f"the result cannot be fetched: {error}", self.uri) from error
        return target

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredDedupResult, (self.uri, self._options)
