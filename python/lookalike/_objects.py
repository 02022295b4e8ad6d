"""URIs in object stores, and the stores behind them."""

from __future__ import annotations

import os
import pathlib
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any, NamedTuple

from pyarrow import fs

from . import _settings
from .errors import RunError

_SCHEMES = ("s3", "gs", "gcs")
#: The options by which an object store is reached.
ACCESS = ("object_endpoint", "object_region", "object_anonymous")
_URI = re.compile(r"([A-Za-z0-9+.-]+)://")


def is_uri(text: str) -> bool:
    """True if `text` is a URI in an object store, by the engine's rules."""
    scheme, separator, _ = text.partition("://")
    return bool(separator) and scheme in _SCHEMES


def place(argument: str, given: object) -> pathlib.Path | str:
    """Returns a path on this machine, or a URI in an object store.

    Raises RunError for other URIs: used as paths they would make a folder such as ``ftp:``.
    """
    text = _settings.path_text(argument, given)
    scheme = _URI.match(text)
    if scheme is None:
        return pathlib.Path(text)
    if is_uri(text):
        return text
    if scheme[1] == "file":
        host, slash, path = text[len("file://") :].partition("/")
        if slash and host in ("", "localhost"):
            return pathlib.Path(slash + urllib.parse.unquote(path))
    raise RunError(
        f"has the scheme {scheme[0]}, expected a path on this machine, s3:// or gs://; use one of "
        "these",
        text,
    )


def check_free(target: pathlib.Path | str, options: Mapping[str, Any] | None = None) -> None:
    """Raises RunError if the URI already exists."""
    if isinstance(target, pathlib.Path):
        taken = os.path.lexists(target)
    else:
        found = parse(target)
        try:
            taken = file_system(found, options or {}).get_file_info(found.path).type.name == "File"
        except (OSError, ValueError) as error:
            raise RunError(f"the store cannot be reached: {error}", found.name) from error
        target = found.name
    if taken:
        raise RunError("already exists; choose another, or pass overwrite=True", str(target))


def shown(uri: str) -> str:
    """Returns the URI without credentials and parameters, which must not be shown."""
    return parse(uri).name


def access_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options for object stores among those of a run."""
    return {name: options[name] for name in ACCESS if options.get(name) is not None}


class Place(NamedTuple):
    """A URI in parts, split as the engine does it: keys are raw, with ``#`` and ``?``."""

    scheme: str
    credentials: str
    path: str  # bucket/key
    parameters: str

    @property
    def name(self) -> str:
        """The URI without credentials and parameters, which must not be shown."""
        return f"{self.scheme}://{self.path}"


def parse(uri: str) -> Place:
    scheme, _, rest = uri.partition("://")
    front, mark, parameters = rest.rpartition("?")
    if mark and re.fullmatch(r"(\w+=[^&]*)(&\w+=[^&]*)*", parameters, re.ASCII):
        rest = front
    else:
        parameters = ""
    bucket, _, key = rest.partition("/")
    credentials, _, bucket = bucket.rpartition("@")
    scheme = "gs" if scheme == "gcs" else scheme
    return Place(scheme, credentials, f"{bucket}/{key.strip('/')}".rstrip("/"), parameters)


def file_system(place: Place, options: Mapping[str, Any]) -> Any:
    """Returns the store of a URI, with the options by which the engine reached it."""
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
