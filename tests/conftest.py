"""Fixtures of all tests that run the real command."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Finished:
    """A run that ended: exit code and decoded output."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.stdout)


@pytest.fixture(scope="session")
def binary() -> Path:
    """The command under test: LOOKALIKE_BINARY, else the release build."""
    path = Path(os.environ.get("LOOKALIKE_BINARY", ROOT / "build" / "release" / "bin" / "lookalike"))
    if not os.access(path, os.X_OK):
        pytest.fail(f"no command at {path}; run `make build` or set LOOKALIKE_BINARY")
    return path.resolve()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of committed test data."""
    return ROOT / "tests" / "data"


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """host:port of an S3 server that checks no credentials."""
    from moto.server import ThreadedMotoServer  # only where it is asked for
    from werkzeug.serving import WSGIRequestHandler

    # Head and body of an answer are sent apart; else each answer with both waits 40 ms.
    WSGIRequestHandler.disable_nagle_algorithm = True
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"{host}:{port}"
    server.stop()


@pytest.fixture
def proxy(s3_server: str) -> Iterator[Any]:
    """A Proxy before that server."""
    from object_servers import Proxy  # only where it is asked for

    with Proxy(s3_server) as running:
        yield running


@pytest.fixture
def run(binary: Path, tmp_path: Path) -> Callable[..., Finished]:
    """Runs the command in the test's own folder and returns what came of it.

    run("dedup", "in.jsonl", "-o", "out", code=0): fails unless the exit code is `code`
    (None: any). `stdin` is text or bytes; `env` is added to the environment.
    """

    def call(
        *arguments: str | Path,
        code: int | None = 0,
        stdin: str | bytes = b"",
        env: dict[str, str] | None = None,
        timeout: float = 120,
    ) -> Finished:
        done = subprocess.run(
            [str(binary), *map(str, arguments)],
            cwd=tmp_path,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        finished = Finished(
            done.returncode,
            done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
        )
        if code is not None and finished.code != code:
            pytest.fail(
                f"lookalike {' '.join(map(str, arguments))}: expected exit code {code}, "
                f"found {finished.code}\n{finished.stderr}"
            )
        return finished

    return call


@pytest.fixture
def write_jsonl(tmp_path: Path) -> Callable[..., Path]:
    """Writes rows as JSON Lines into the test's folder: write_jsonl("in.jsonl", [{...}, ...])."""

    def write(name: str, rows: list[dict[str, Any]]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        path.write_text("".join(lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def read_jsonl() -> Callable[[Path], list[dict[str, Any]]]:
    """Reads a JSON Lines file."""

    def read(path: Path) -> list[dict[str, Any]]:
        with open(path, encoding="utf-8", newline="\n") as file:
            return [json.loads(line) for line in file]

    return read
