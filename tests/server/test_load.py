"""`lookalike serve` under a load of several processes while it compacts and copies itself.

LOOKALIKE_LOAD_REQUESTS [5000] is the number of requests, LOOKALIKE_LOAD_WORKERS [4] that of
processes, and LOOKALIKE_LOAD_DOCUMENTS that of documents that each of them keeps, if there is a
limit. 1,000,000 requests, with 10,000 documents each, are the long form: without the limit, most of
its time goes into copies of an index that grows.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

import loaded
import pytest
from silent import Silent

REQUESTS = int(os.environ.get("LOOKALIKE_LOAD_REQUESTS", "5000"))
WORKERS = int(os.environ.get("LOOKALIKE_LOAD_WORKERS", "4"))
DOCUMENTS = float(os.environ.get("LOOKALIKE_LOAD_DOCUMENTS", "inf"))
IDLE = 1_000
#: Seconds between a backup and the next compaction; more where these take long themselves.
PAUSE = 0.3
#: How long a body or the reading of an answer may take, and what a slow machine adds to it.
PATIENCE = 60
LATENESS = 25


class Servers:
    """Serves the index `seen` of a folder, one server after the other."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        self.folder = folder
        self.running: list[Silent] = []
        (folder / "backups").mkdir()

    def start(self, index: str = "seen") -> Silent:
        backups = self.folder / "backups"
        self.running.append(Silent(self.binary, self.folder / index, "--backups", backups))
        return self.running[-1]


@pytest.fixture
def servers(binary: Path, tmp_path: Path, run: Any) -> Iterator[Servers]:
    run("index", "create", "seen", "--keep", "text", "--quiet")
    made = Servers(binary, tmp_path)
    yield made
    for served in made.running:
        served.kill()


def operate(served: Silent, kind: str, body: dict[str, str]) -> str:
    """Runs a compaction or a backup. Returns its last state, and why if it failed."""
    begun = served.ask("POST", f"/v1/admin/{kind}", body)
    if begun.status == 503:
        assert "Retry-After" in begun.head
        return "refused"
    assert begun.status == 202, begun
    while True:
        state = served.ask("GET", begun.body["operation"]).body
        if state["state"] != "running":
            return str(state["state"] + state.get("error", ""))
        time.sleep(0.02)


def copies(folder: Path) -> list[Path]:
    """Returns the backups, the oldest first."""
    return sorted((folder / "backups").iterdir(), key=lambda path: int(path.name.split("-")[1]))


def compact_and_copy(
    served: Silent, folder: Path, workers: list[Future[loaded.Outcome]]
) -> list[str]:
    """Compacts and copies the index by turns until all workers have ended. Keeps the last copy."""
    states = []
    pause = PAUSE
    while wait(workers, timeout=pause).not_done:
        begun = time.monotonic()
        states.append(operate(served, "compact", {}))
        states.append(operate(served, "backup", {"name": f"copy-{len(states)}"}))
        for old in copies(folder)[:-1]:
            shutil.rmtree(old)
        pause = max(PAUSE, 2 * (time.monotonic() - begun))
    return states


def test_nothing_is_lost_under_load(servers: Servers, tmp_path: Path) -> None:
    served = servers.start()
    pool, workers = loaded.start(served.port, WORKERS, REQUESTS, most=DOCUMENTS)
    with pool:
        states = compact_and_copy(served, tmp_path, workers)
        outcomes = [worker.result() for worker in workers]
    assert [fault for outcome in outcomes for fault in outcome.faults] == []
    statuses = {status for outcome in outcomes for status in outcome.statuses}
    assert statuses <= {200, 201, 503}
    assert sum(outcome.sent.total() for outcome in outcomes) == REQUESTS // WORKERS * WORKERS
    assert "done" in states and set(states) <= {"done", "refused"}
    served.kill()
    again = servers.start()
    for outcome in outcomes:
        assert loaded.lost(again.port, outcome) == []
    count = sum(len(outcome.model) for outcome in outcomes)
    assert again.ask("GET", "/v1/stats").body["documents"] == count
    assert again.end() == (0, "")


def test_the_index_and_its_copy_are_whole_after_the_load(
    servers: Servers, run: Any, tmp_path: Path
) -> None:
    served = servers.start()
    pool, workers = loaded.start(served.port, 2, 600, seed=2)
    with pool:
        states = compact_and_copy(served, tmp_path, workers)
        assert [worker.result().faults for worker in workers] == [[], []]
    assert served.end() == (0, "")
    assert "done" in states
    (copy,) = copies(tmp_path)
    for index in ("seen", copy):
        run("index", "check", index, code=0)
    again = servers.start(f"backups/{copy.name}")
    assert again.ask("GET", "/v1/stats").body["documents"] > 0


def test_idle_connections_do_not_disturb_one_that_works(servers: Servers) -> None:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit < IDLE + 200:
        pytest.skip(f"this process may open {limit} files only")
    served = servers.start()
    peers = [socket.create_connection(("127.0.0.1", served.port), timeout=30) for _ in range(IDLE)]
    try:
        for peer in peers:
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for peer in peers:
            assert peer.recv(1000).startswith(b"HTTP/1.1 200 ")
        outcome = loaded.Worker(served.port, 0, 3).work(300, float("inf"))
        assert outcome.faults == [] and outcome.statuses[503] == 0
        assert loaded.lost(served.port, outcome) == []
        for peer in peers[::100]:
            peer.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert peer.recv(1000).startswith(b"HTTP/1.1 200 ")
    finally:
        for peer in peers:
            peer.close()


def send_slowly(port: int, seconds: list[float]) -> None:
    """Sends a body a byte at a time until the server hangs up."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        peer.sendall(
            b"PUT /v1/documents/slow HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n"
        )
        try:
            while time.monotonic() < begun + PATIENCE + LATENESS:
                peer.sendall(b" ")
                time.sleep(0.5)
        except OSError:
            seconds.append(time.monotonic() - begun)


def read_slowly(port: int, seconds: list[float]) -> None:
    """Reads a long answer some bytes at a time until the server hangs up."""
    begun = time.monotonic()
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.connect(("127.0.0.1", port))
        peer.sendall(b"GET /v1/documents/large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert peer.recv(12) == b"HTTP/1.1 200"
        while time.monotonic() < begun + PATIENCE + LATENESS:
            assert peer.recv(100) != b""
            if is_closed(port, peer.getsockname()[1]):
                seconds.append(time.monotonic() - begun)
                return
            time.sleep(0.5)


def is_closed(port: int, of: int) -> bool:
    """True if the server has no connection from this port of a client any more."""
    ends = (f"0100007F:{port:04X}", f"0100007F:{of:04X}")
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, remote, state = line.split()[1:4]
        if (local, remote) == ends:
            return state != "01"  # ESTABLISHED
    return True


@pytest.mark.slow
def test_those_who_send_or_read_a_body_too_slowly_are_cut_off(servers: Servers) -> None:
    served = servers.start()
    text = " ".join(f"word{i % 1000}" for i in range(1_500_000))
    assert served.ask("PUT", "/v1/documents/large", {"text": text}).status == 201
    sent: list[float] = []
    read: list[float] = []
    threads = [
        threading.Thread(target=send_slowly, args=(served.port, sent)),
        threading.Thread(target=read_slowly, args=(served.port, read)),
    ]
    for thread in threads:
        thread.start()
    time.sleep(1)
    assert served.ask("POST", "/v1/query", {"text": "a b c"}).status == 200
    for thread in threads:
        thread.join()
    assert len(sent) == 1 and PATIENCE - 1 <= sent[0] < PATIENCE + LATENESS
    assert len(read) == 1 and PATIENCE - 1 <= read[0] < PATIENCE + LATENESS
    assert served.ask("GET", "/readyz").status == 200
