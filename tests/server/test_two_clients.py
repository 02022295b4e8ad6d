"""`lookalike serve` by two clients that others made, httpx and curl: both get the same answers."""

from __future__ import annotations

import json
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import Served

Serve = Callable[..., Served]

Head = dict[str, str] | None

JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}
PLAIN = {"Content-Type": "text/plain"}
WORDS = [f"w{i}" for i in range(60)]
TEXT = " ".join(WORDS)
NEAR = " ".join([*WORDS[:30], "edit", *WORDS[31:]])
#: Long enough for several chunks, and for curl to ask for leave by itself.
LONG = " ".join(f"long{i}" for i in range(200_000))
#: Fields whose values differ between two answers to the same request.
CHANGING = {"x-request-id"}


@dataclass
class Reply:
    """An answer as both clients see it."""

    status: int
    head: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client(ABC):
    """A client of the server at one address."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder

    @abstractmethod
    def send(
        self, method: str, target: str, body: bytes = b"", head: Head = None, chunked: bool = False
    ) -> Reply: ...

    @abstractmethod
    def connections_of(self, targets: list[str]) -> int:
        """Returns how many connections were opened for GET requests one after the other."""


class ByHttpx(Client):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.client = httpx.Client(base_url=url, timeout=30)

    def send(
        self, method: str, target: str, body: bytes = b"", head: Head = None, chunked: bool = False
    ) -> Reply:
        def parts() -> Iterator[bytes]:
            for at in range(0, len(body), 65_536):
                yield body[at : at + 65_536]

        content = (parts() if chunked else body) if body else None
        answer = self.client.request(method, target, content=content, headers=head)
        return Reply(answer.status_code, dict(answer.headers), answer.content)

    def connections_of(self, targets: list[str]) -> int:
        opened = 0

        def note(event: str, _: Any) -> None:
            nonlocal opened
            opened += event == "connection.connect_tcp.complete"

        with httpx.Client(base_url=self.url, timeout=30) as client:
            for target in targets:
                assert client.get(target, extensions={"trace": note}).status_code == 200
        return opened


class ByCurl(Client):
    def send(
        self, method: str, target: str, body: bytes = b"", head: Head = None, chunked: bool = False
    ) -> Reply:
        words = ["--head"] if method == "HEAD" else ["--request", method]
        for name, value in (head or {}).items():
            words += ["--header", f"{name}: {value}"]
        if body:
            words += ["--data-binary", "@-"]
        if chunked:
            words += ["--header", "Transfer-Encoding: chunked"]
        content = self.folder / "answer"
        content.unlink(missing_ok=True)
        told = '{"facts": %{json}, "head": %{header_json}}'
        out = self.run(
            *words, "--output", content, "--write-out", told, self.url + target, data=body
        )
        facts = json.loads(out)
        fields = {name: ", ".join(values) for name, values in facts["head"].items()}
        is_there = method != "HEAD" and content.exists()
        return Reply(facts["facts"]["http_code"], fields, content.read_bytes() if is_there else b"")

    def connections_of(self, targets: list[str]) -> int:
        every: list[str | Path] = ["--fail", "--write-out", "\n%{num_connects}\n"]
        out = self.run(*every, *(self.url + target for target in targets))
        return sum(int(line) for line in out.splitlines()[1::2])

    def run(self, *words: str | Path, data: bytes = b"") -> str:
        command = ["curl", "--silent", "--show-error", "--max-time", "30", "--compressed", *words]
        done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=True)
        return done.stdout.decode()


@pytest.fixture(params=[ByHttpx, ByCurl])
def client(request: pytest.FixtureRequest, serve: Serve, tmp_path: Path) -> Client:
    made: Client = request.param(f"http://127.0.0.1:{serve().port}", tmp_path)
    return made


def story(client: Client) -> list[Reply]:
    """Sends the same requests by any client; returns the answers."""

    def send(method: str, target: str, body: Any = None) -> Reply:
        if body is None:
            return client.send(method, target)
        return client.send(method, target, json.dumps(body).encode(), JSON)

    lines = "".join(json.dumps({"id": f"l{i}", "text": f"line {i}"}) + "\n" for i in range(3))
    batch = {"documents": [{"id": "c", "text": TEXT + " end"}, {"id": "d", "text": "other words"}]}
    return [
        send("GET", "/v1/documents/a"),
        send("PUT", "/v1/documents/a", {"text": TEXT, "metadata": {"n": [1, "ä"]}}),
        send("PUT", "/v1/documents/a", {"text": TEXT, "metadata": {"n": [1, "ä"]}}),
        send("PUT", "/v1/documents/a", {"text": TEXT, "metadata": "plain"}),
        send("PUT", "/v1/documents/b?unless_similar=0.8", {"text": NEAR}),
        send("PUT", "/v1/documents/a%2Fb", {"text": NEAR}),
        send("GET", "/v1/documents/a%2Fb"),
        send("HEAD", "/v1/documents/a%2Fb"),
        send("POST", "/v1/documents:batch", batch),
        client.send("POST", "/v1/documents:batch", lines.encode(), LINES),
        send("POST", "/v1/query", {"text": TEXT}),
        send("POST", "/v1/query", {"id": "a", "top": 1}),
        send("POST", "/v1/query", {"id": "nobody"}),
        send("POST", "/v1/query:batch", {"queries": [{"id": "a"}, {"text": "other words"}]}),
        send("POST", "/v1/compare", {"a": {"text": TEXT}, "b": {"text": NEAR}}),
        send("GET", "/v1/clusters?limit=1"),
        send("GET", "/v1/changes?since=1"),
        send("POST", "/v1/query", {"text": 5}),
        send("PATCH", "/v1/query", {}),
        client.send("POST", "/v1/query", b'{"text": ', JSON),
        client.send("POST", "/v1/query", b'{"text": "a"}', PLAIN),
        client.send("POST", "/v1/query", b'{"text": "a"}', {**JSON, "Host": "evil.example"}),
        send("GET", "/nowhere"),
        send("DELETE", "/v1/documents/a"),
        send("DELETE", "/v1/documents/a"),
        send("HEAD", "/healthz"),
    ]


#: The statuses of the story.
TOLD = [404, 201, 200, 200, 200, 201, 200, 200, 200, 200, 200, 200, 404, 200, 200, 200, 200,
        400, 405, 400, 415, 403, 404, 200, 404, 200]  # fmt: skip


def test_both_clients_get_the_same_answers(serve: Serve, tmp_path: Path) -> None:
    told = []
    for kind in (ByHttpx, ByCurl):
        served = serve(index=kind.__name__)
        replies = story(kind(f"http://127.0.0.1:{served.port}", tmp_path))
        assert [reply.status for reply in replies] == TOLD
        told.append([(reply.status, without_what_changes(reply), reply.body) for reply in replies])
    for by_httpx, by_curl in zip(*told, strict=True):
        assert by_httpx == by_curl


def without_what_changes(reply: Reply) -> dict[str, str]:
    return {
        name.lower(): value for name, value in reply.head.items() if name.lower() not in CHANGING
    }


def test_answers_are_not_packed(client: Client) -> None:
    assert client.send("PUT", "/v1/documents/a", b'{"text": "a b c"}', JSON).status == 201
    for target in ("/v1/documents/a", "/openapi.json", "/metrics"):
        reply = client.send("GET", target, head={"Accept-Encoding": "gzip, br, zstd"})
        names = {name.lower() for name in reply.head}
        assert reply.status == 200 and "content-encoding" not in names
        assert int(reply.head["content-length"]) == len(reply.body)


def test_a_connection_is_used_again(client: Client) -> None:
    assert client.connections_of(["/healthz", "/v1/stats", "/readyz", "/v1/clusters"]) == 1


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("waits", [False, True])
def test_long_bodies_come_whole(client: Client, chunked: bool, waits: bool) -> None:
    body = json.dumps({"text": LONG}).encode()
    head = {**JSON, "Expect": "100-continue" if waits else ""}
    if not waits and isinstance(client, ByHttpx):
        del head["Expect"]
    put = client.send("PUT", "/v1/documents/a", body, head, chunked)
    assert (put.status, put.json) == (201, {"outcome": "added"})
    asked = client.send("POST", "/v1/query", body, head, chunked)
    assert asked.json["matches"] == [{"id": "a", "resemblance": 1.0, "exact": True}]


def test_a_body_that_is_too_large_is_refused_while_it_comes(client: Client) -> None:
    body = b'{"text": "' + b"x" * (17 << 20) + b'"}'
    refused = client.send("PUT", "/v1/documents/a", body, JSON)
    assert refused.status == 413 and refused.json["status"] == 413
    assert client.send("GET", "/healthz").status == 200
