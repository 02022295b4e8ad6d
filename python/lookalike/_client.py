"""A client of `lookalike serve`."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NotRequired, TypedDict

from .errors import OptionError, RequestError

Metadata = Mapping[str, Any] | list[Any] | str

_MOST_DOCUMENTS: Final = 1_000
_MOST_BYTES: Final = 8 << 20
_PAGE: Final = 1_000
#: Requests that the server turned away, or that found no server, are sent again after so long.
_PAUSES: Final = (0.1, 0.5, 2.0, 5.0)


class Match(TypedDict):
    """A document of the index that is like another one."""

    id: str
    resemblance: float
    exact: bool
    metadata: NotRequired[Any]
    containment_ab: NotRequired[float]
    containment_ba: NotRequired[float]
    standard_error: NotRequired[float]
    passages: NotRequired[list[dict[str, int]]]


class Answer(TypedDict):
    """The documents like one that was asked for, the most similar first, ties by id."""

    matches: list[Match]
    truncated: bool
    candidates: int


class Outcome(TypedDict):
    """The fate of a document that was to be added."""

    outcome: Literal["added", "replaced", "unchanged", "similar"]
    like: NotRequired[Match]


class NewDocument(TypedDict):
    """A document to add."""

    id: str
    text: str
    metadata: NotRequired[Metadata]
    fields: NotRequired[dict[str, Any]]


class Client:
    """A program's connection to a server that ``lookalike serve`` runs.

    Requests that the server turns away (503), or that do not reach it, are sent again for some
    seconds; adding is safe to repeat. Safe to use from several threads, each of which has a
    connection of its own.

    Args:
        url: ``http://127.0.0.1:8780``, or ``https://`` for a proxy before the server.
        token: A token of its ``--token-file``.
        timeout: Seconds to wait for an answer.

    Raises:
        RequestError: Raised by all methods if the server refuses a request, or cannot be reached.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 60) -> None:
        parts = urllib.parse.urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname
        if not is_address or not parts.hostname or parts.path not in ("", "/"):
            raise OptionError(
                "is not the address of a server; pass http://HOST:PORT", where=url, option="url"
            )
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._url = url.rstrip("/")
        self._head = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout = timeout
        self._own = threading.local()

    def put(
        self,
        id: str,  # noqa: A002 - as the server calls it
        text: str,
        metadata: Metadata | None = None,
        *,
        unless_similar: float | None = None,
        fields: dict[str, Any] | None = None,
    ) -> Outcome:
        """Adds a document, or replaces it; it is durable then.

        Args:
            id: Its id.
            text: Its text.
            metadata: An object, a list or a text that comes back with it.
            unless_similar: Leave the document out if another one has this resemblance or more; the
                outcome is then ``similar``, and ``like`` is the other one.
            fields: The fields that the guards of the index compare, if there are such guards.
        """
        body: dict[str, Any] = {"text": text}
        if fields is not None:
            body["fields"] = fields
        if metadata is not None:
            body["metadata"] = metadata
        answer: Outcome = self._ask("PUT", _document(id), body, unless_similar=unless_similar)
        return answer

    def add(
        self, documents: Iterable[NewDocument], *, unless_similar: float | None = None
    ) -> Iterator[Outcome]:
        """Adds documents in batches, as they come; yields the outcome of each.

        A batch is added whole or not at all: after an error, those whose outcomes came are there.
        """
        batch: list[str] = []
        size = 0
        for document in documents:
            line = json.dumps(document, ensure_ascii=False)
            if batch and (len(batch) == _MOST_DOCUMENTS or size + len(line) > _MOST_BYTES):
                yield from self._add(batch, unless_similar)
                batch, size = [], 0
            batch.append(line)
            size += len(line)
        if batch:
            yield from self._add(batch, unless_similar)

    def _add(self, batch: list[str], unless_similar: float | None) -> list[Outcome]:
        outcomes: list[Outcome] = self._ask(
            "POST",
            "/v1/documents:batch",
            "\n".join(batch),
            unless_similar=unless_similar,
        )["outcomes"]
        return outcomes

    def get(self, id: str) -> dict[str, Any] | None:  # noqa: A002
        """Returns a document as it is stored; None if there is none with this id."""
        found: dict[str, Any] | None = self._ask("GET", _document(id), missing=True)
        return found

    def remove(self, id: str) -> bool:  # noqa: A002
        """Removes a document; returns whether it was there."""
        return self._ask("DELETE", _document(id), missing=True) is not None

    def query(
        self,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002
        threshold: float | None = None,
        top: int | None = None,
        limit: int | None = None,
        exhaustive: bool = False,
        measure: Literal["resemblance", "containment"] | None = None,
        fields: dict[str, Any] | None = None,
        passages: bool = False,
    ) -> Answer:
        """Finds the documents that are like a text, or like a stored document.

        Args:
            text: A text; or
            id: the id of a document, which does not match itself.
            threshold: The least score; by default that of the index.
            top: Only the best matches.
            limit: Matches that are returned at most; by default 100.
            exhaustive: Look at every document, so that nothing is missed.
            measure: The score; by default that of the index.
            fields: With a text: the fields that the guards of the index compare.
            passages: Also return for each match the ``passages`` that it shares with the text, as
                :meth:`compare` does. The index must keep texts.
        """
        given = {
            "text": text,
            "id": id,
            "threshold": threshold,
            "top": top,
            "limit": limit,
            "exhaustive": exhaustive or None,
            "measure": measure,
            "fields": fields,
            "passages": passages or None,
        }
        body = {name: value for name, value in given.items() if value is not None}
        answer: Answer = self._ask("POST", "/v1/query", body)
        return answer

    def compare(self, a: str, b: str) -> dict[str, Any]:
        """Compares two texts by the rules of the index."""
        sides = {"a": {"text": a}, "b": {"text": b}}
        compared: dict[str, Any] = self._ask("POST", "/v1/compare", sides)
        return compared

    def clusters(self, *, threshold: float | None = None) -> Iterator[dict[str, Any]]:
        """Yields the clusters of similar documents, the oldest first."""
        after = None
        while True:
            page = self._ask("GET", "/v1/clusters", threshold=threshold, after=after, limit=_PAGE)
            yield from page["clusters"]
            after = page["next"]
            if after is None:
                return

    def changes(self, since: int = 0) -> Iterator[dict[str, Any]]:
        """Yields the changes of clusters after number `since`, in order."""
        more = True
        while more:
            page = self._ask("GET", "/v1/changes", since=since, limit=_PAGE)
            for change in page["changes"]:
                since = change["seq"]
                yield change
            more = page["more"]

    def stats(self, *, audit: int | None = None) -> dict[str, Any]:
        """Returns the size of the index and its rules.

        Args:
            audit: Also measure the recall of queries for so many documents.
        """
        found: dict[str, Any] = self._ask("GET", "/v1/stats", audit=audit)
        return found

    def compact(self, *, wait: bool = True) -> dict[str, Any]:
        """Rewrites all files, so that no byte of removed documents is left in them.

        Args:
            wait: Return when it is done; otherwise, once it has begun.
        """
        return self._operate("compact", {}, wait)

    def backup(self, name: str, *, wait: bool = True) -> dict[str, Any]:
        """Copies the index into a new folder below the server's ``--backups``.

        Args:
            name: The name of the folder.
            wait: Return when it is done; otherwise, once it has begun.
        """
        return self._operate("backup", {"name": name}, wait)

    def close(self) -> None:
        """Closes the connection of this thread."""
        connection = getattr(self._own, "connection", None)
        if connection is not None:
            connection.close()
            self._own.connection = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _operate(self, kind: str, body: Mapping[str, Any], wait: bool) -> dict[str, Any]:
        operation: dict[str, Any] = self._ask("POST", f"/v1/admin/{kind}", body)
        while wait and operation["state"] == "running":
            time.sleep(0.1)
            operation = self._ask("GET", operation["operation"])
        if operation["state"] == "failed":
            raise RequestError(operation["error"], where=self._url, code="disk", status=500)
        return operation

    def _ask(
        self, method: str, path: str, body: Any = None, *, missing: bool = False, **parameters: Any
    ) -> Any:
        """Returns the content of an answer; None for 404 if the document may be missing."""
        given = {name: value for name, value in parameters.items() if value is not None}
        target = f"{path}?{urllib.parse.urlencode(given)}" if given else path
        head = dict(self._head)
        data = None
        if body is not None:
            is_lines = isinstance(body, str)
            data = (body if is_lines else json.dumps(body, ensure_ascii=False)).encode()
            head["Content-Type"] = "application/x-ndjson" if is_lines else "application/json"
        status, content = self._send_until_taken(method, target, data, head)
        if status < 400:
            return content
        if status == 404 and missing:
            return None
        detail = content.get("detail") if isinstance(content, dict) else None
        raise RequestError(
            detail or f"the server answers {status}",
            where=self._url,
            code="usage" if status < 500 else "disk",
            status=status,
        )

    def _send_until_taken(
        self, method: str, target: str, data: bytes | None, head: Mapping[str, str]
    ) -> tuple[int, Any]:
        for pause in (*_PAUSES, None):
            try:
                status, content, after = self._send(method, target, data, head)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if pause is None:
                    raise RequestError(
                        f"cannot be reached ({error}); check that lookalike serve runs there",
                        where=self._url,
                        code="disk",
                        status=0,
                    ) from error
            else:
                if status != 503 or pause is None:
                    return status, content
                pause = max(pause, after)
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _send(
        self, method: str, target: str, data: bytes | None, head: Mapping[str, str]
    ) -> tuple[int, Any, float]:
        """Returns status, content, and how long to wait before asking again."""
        connection = getattr(self._own, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            connection = self._own.connection = kind(self._host, self._port, timeout=self._timeout)
        connection.request(method, target, data, dict(head))
        response = connection.getresponse()
        text = response.read()
        is_json = response.headers.get_content_type().endswith("json")
        after = response.headers.get("Retry-After", "0")
        return response.status, json.loads(text) if is_json else None, float(after)


def _document(name: str) -> str:
    return "/v1/documents/" + urllib.parse.quote(name, safe="")
