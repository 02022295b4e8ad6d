"""Results in object stores: the engine writes them; they are fetched when they are looked at."""

from __future__ import annotations

import functools
import pathlib
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import _scratch
from ._results import DedupResult
from .errors import RunError

_SCHEMES = ("s3", "gs", "gcs")


def is_uri(text: str) -> bool:
    """Whether `text` names a place in an object store, as the engine has it."""
    scheme, separator, _ = text.partition("://")
    return bool(separator) and scheme in _SCHEMES


class _Place(NamedTuple):
    """A URI in its parts, taken apart as the engine does: keys are raw, with ``#`` and ``?``."""

    scheme: str
    credentials: str
    path: str  # bucket/key
    parameters: str

    @property
    def name(self) -> str:
        """The URI without credentials and parameters, which nobody wants to see."""
        return f"{self.scheme}://{self.path}"


def _parse(uri: str) -> _Place:
    scheme, _, rest = uri.partition("://")
    front, mark, parameters = rest.rpartition("?")
    if mark and re.fullmatch(r"(\w+=[^&]*)(&\w+=[^&]*)*", parameters, re.ASCII):
        rest = front
    else:
        parameters = ""
    bucket, _, key = rest.partition("/")
    credentials, _, bucket = bucket.rpartition("@")
    scheme = "gs" if scheme == "gcs" else scheme
    return _Place(scheme, credentials, f"{bucket}/{key.strip('/')}".rstrip("/"), parameters)


def _file_system(place: _Place, options: Mapping[str, Any]) -> Any:
    """The store of a place, with the options by which the engine reached it."""
    from pyarrow import fs  # only here: it loads the stores' libraries

    given = dict(urllib.parse.parse_qsl(place.parameters))
    endpoint = options.get("object_endpoint") or given.get("endpoint_override") or ""
    scheme, _, host = endpoint.rpartition("://")
    scheme = scheme or given.get("scheme") or "https"
    settings: dict[str, Any] = {"anonymous": bool(options.get("object_anonymous"))}
    if host:
        settings |= {"endpoint_override": host.rstrip("/"), "scheme": scheme}
    if place.scheme != "s3":
        return fs.GcsFileSystem(**settings)
    if place.credentials and not settings["anonymous"]:
        user, _, secret = place.credentials.partition(":")
        settings["access_key"] = urllib.parse.unquote(user)
        settings["secret_key"] = urllib.parse.unquote(secret)
    if region := options.get("object_region") or given.get("region"):
        settings["region"] = region
    return fs.S3FileSystem(**settings)


class StoredDedupResult(DedupResult):
    """A :class:`DedupResult` in an object store; its files are fetched once they are asked for.

    Attributes:
        uri: Where it stands, without credentials and parameters.
    """

    def __init__(self, uri: str, options: Mapping[str, Any]) -> None:
        self._given = uri
        self.uri = _parse(uri).name
        self._options = dict(options)

    @functools.cached_property
    def _folder(self) -> pathlib.Path:  # type: ignore[override]
        """A copy in a temporary folder, which goes with this."""
        from pyarrow import fs

        self._owner = _scratch.TemporaryFolder(self._options.get("scratch"))
        target = self._owner.path / "result"
        try:
            place = _parse(self._given)
            store = _file_system(place, self._options)
            target.mkdir()
            fs.copy_files(place.path, str(target), source_filesystem=store)
        except (OSError, ValueError) as error:
            raise RunError(f"the result cannot be fetched: {error}", self.uri) from error
        return target

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredDedupResult, (self._given, self._options)
