"""`lookalike serve` as a process of its own, and a client that hides nothing of HTTP."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Answered:
    """An answer: its status, media type, content (parsed where it is JSON), and head."""

    status: int
    kind: str
    body: Any
    head: http.client.HTTPMessage

    @property
    def detail(self) -> str:
        """What a problem says."""
        assert self.kind == "application/problem+json", self
        assert self.body["status"] == self.status
        return str(self.body["detail"])


class Served:
    """A server on a free port of the loopback interface."""

    def __init__(self, binary: Path, *operands: str | Path, env: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            [binary, "serve", *operands, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        assert self.process.stderr is not None
        said = self.process.stderr.readline().decode()
        #: What the server said before it was ready.
        self.before = ""
        while said.startswith("lookalike: ") and " is served at http" not in said:
            self.before += said
            said = self.process.stderr.readline().decode()
        if " is served at http" not in said:
            self.process.kill()
            raise AssertionError(said + self.process.stderr.read().decode())
        self.port = int(said.rsplit(":", 1)[1])

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(
        self,
        method: str,
        target: str,
        body: Any = None,
        kind: str | None = "application/json",
        **head: str,
    ) -> Answered:
        """Sends one request on a connection of its own. A body that is no text is sent as JSON."""
        data = body if body is None or isinstance(body, bytes | str) else json.dumps(body)
        fields = {name.replace("_", "-"): value for name, value in head.items()}
        if data is not None and kind is not None:
            fields["Content-Type"] = kind
        connection = self.connect()
        try:
            connection.request(method, target, data, fields)
            return read(connection.getresponse())
        finally:
            connection.close()

    def raw(self, *parts: bytes, pause: float = 0) -> bytes:
        """Sends bytes as they are; returns what comes back until the server is done."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as peer:
            for part in parts:
                peer.sendall(part)
                time.sleep(pause)
            answered = b""
            peer.settimeout(5)
            try:
                while some := peer.recv(65536):
                    answered += some
            except (TimeoutError, ConnectionResetError):
                pass
            return answered

    def stop(self) -> tuple[int, list[dict[str, Any]], str]:
        """Ends the server as systemd does. Returns the exit code, the access log and the rest."""
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=60)
        return (
            self.process.returncode,
            [json.loads(line) for line in out.splitlines()],
            err.decode(),
        )


def read(response: http.client.HTTPResponse) -> Answered:
    kind = response.headers.get_content_type()
    text = response.read().decode()
    body = json.loads(text) if "json" in kind and text else text
    return Answered(response.status, kind, body, response.headers)
