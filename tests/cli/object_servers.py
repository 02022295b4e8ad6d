"""Object stores on the loopback interface: S3, Google, and a proxy that injects faults."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@dataclass
class Request:
    """A request that a proxy saw. `path` is with the query."""

    number: int
    method: str
    path: str
    headers: dict[str, str]

    @property
    def reads_object(self) -> bool:
        """Whether it asks for bytes of an object, not for a list or a head."""
        return self.method == "GET" and "list-type=" not in self.path and self.path.count("/") > 1

    @property
    def ends_object(self) -> bool:
        """Whether an object stands in the store once it is answered."""
        whole = self.method == "PUT" and "partNumber=" not in self.path
        return whole or (self.method == "POST" and "uploadId=" in self.path)


@dataclass
class InjectedFault:
    """What happens to a request instead of an answer. At most one of these."""

    status: int = 0
    error_code: str = ""  # of S3, in the body
    cut_body: bool = False
    stall: bool = False


@dataclass
class Proxy:
    """Passes requests on to a server, but for those that `rule` has something else for."""

    target: str  # host:port
    rule: Callable[[Request], InjectedFault | None] = lambda request: None
    requests: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Proxy:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement

            def answer(self) -> None:
                proxy._answer(self)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def seen(self, wanted: Callable[[Request], bool]) -> list[Request]:
        """The requests so far that are wanted."""
        with self._lock:
            return [request for request in self.requests if wanted(request)]

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = _read_body(handler)
        with self._lock:
            request = Request(
                len(self.requests) + 1, handler.command, handler.path, dict(handler.headers)
            )
            self.requests.append(request)
        trouble = self.rule(request)  # without the lock: it may wait for other requests
        if trouble is not None and trouble.stall:
            self._over.wait()
            handler.close_connection = True
        elif trouble is not None and trouble.status:
            text = f"<Error><Code>{trouble.error_code}</Code><Message>No.</Message></Error>"
            _send(handler, trouble.status, {}, text.encode() if trouble.error_code else b"")
        else:
            self._pass_on(handler, body, cut=trouble is not None)

    def _pass_on(self, handler: BaseHTTPRequestHandler, body: bytes, cut: bool) -> None:
        upstream = http.client.HTTPConnection(self.target)
        headers = {
            name: value
            for name, value in handler.headers.items()
            if name.lower() not in ("transfer-encoding", "content-length", "expect", "connection")
        }
        upstream.request(handler.command, handler.path, body, headers)
        answer = upstream.getresponse()
        content = answer.read()
        kept = {
            name: value
            for name, value in answer.getheaders()
            if name.lower() not in ("connection", "transfer-encoding", "date", "server")
        }
        _send(handler, answer.status, kept, content, cut)
        upstream.close()


def _read_body(handler: BaseHTTPRequestHandler) -> bytes:
    if "chunked" not in handler.headers.get("Transfer-Encoding", ""):
        return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    body = b""
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    while handler.rfile.readline() not in (b"\r\n", b""):
        pass
    return body


def _send(
    handler: BaseHTTPRequestHandler,
    status: int,
    headers: dict[str, str],
    body: bytes,
    cut: bool = False,
) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        if name.lower() != "content-length":
            handler.send_header(name, value)
    # A head has the length of what is not sent.
    length = headers.get("Content-Length", str(len(body)))
    handler.send_header("Content-Length", length if handler.command == "HEAD" else str(len(body)))
    handler.end_headers()
    if handler.command == "HEAD":
        return
    handler.wfile.write(body[: len(body) // 2] if cut else body)
    if cut:
        handler.close_connection = True


class S3Bucket:
    """A bucket of the local S3 server."""

    @classmethod
    def of_server(cls, server: str, name: str) -> S3Bucket:
        """Makes the bucket. `server`: host:port."""
        import boto3  # only where a store is asked for

        client = boto3.client(
            "s3",
            endpoint_url=f"http://{server}",
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        return cls(client, name)

    def __init__(self, client: Any, name: str) -> None:
        self.client = client
        self.name = name
        client.create_bucket(Bucket=name)

    def uri(self, key: str = "") -> str:
        return f"s3://{self.name}/{key}" if key else f"s3://{self.name}"

    def put(self, key: str, content: bytes | Path) -> str:
        """Writes an object and returns its URI."""
        body = content.read_bytes() if isinstance(content, Path) else content
        self.client.put_object(Bucket=self.name, Key=key, Body=body)
        return self.uri(key)

    def remove(self, key: str) -> None:
        self.client.delete_object(Bucket=self.name, Key=key)

    def get(self, key: str) -> bytes:
        return self.client.get_object(Bucket=self.name, Key=key)["Body"].read()

    def objects(self, prefix: str = "") -> dict[str, bytes]:
        """Content by key below the prefix; without the markers of empty folders."""
        found = self.client.list_objects_v2(Bucket=self.name, Prefix=prefix).get("Contents", [])
        keys = [entry["Key"] for entry in found if not entry["Key"].endswith("/")]
        return {key.removeprefix(prefix): self.get(key) for key in keys}

    def download(self, prefix: str, folder: Path) -> Path:
        """Writes the objects below the prefix as files of a folder; returns the folder."""
        for name, data in self.objects(prefix + "/").items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder

    def unfinished_uploads(self) -> int:
        uploads = self.client.list_multipart_uploads(Bucket=self.name)
        return len(uploads.get("Uploads", []))
