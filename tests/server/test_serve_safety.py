"""`lookalike serve`: callers who may not, requests that are no requests, and the end of the server."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served import Served

Serve = Callable[..., Served]

READ = ("GET", "/v1/documents/a", None)
WRITE = ("PUT", "/v1/documents/new", {"text": "a b c"})
ADMIN = ("POST", "/v1/admin/compact", {})
TOKENS = """# who may do what
all-of-it read,write,admin
may-read read  # for dashboards

may-write   write, read
"""


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "tokens"
    path.write_text(TOKENS)
    path.chmod(0o600)
    return path


def test_a_token_opens_what_its_scopes_say(serve: Serve, token_file: Path) -> None:
    served = serve("--token-file", str(token_file))
    served.ask("PUT", "/v1/documents/a", {"text": "x"}, Authorization="Bearer all-of-it")
    seen = {}
    for token in ("", "wrong", "may-rea", "may-read", "may-write", "all-of-it"):
        head = {"Authorization": f"Bearer {token}"} if token else {}
        seen[token] = [served.ask(*call, **head).status for call in (READ, WRITE, ADMIN)]
    assert seen == {
        "": [401, 401, 401],
        "wrong": [401, 401, 401],
        "may-rea": [401, 401, 401],
        "may-read": [200, 403, 403],
        "may-write": [200, 201, 403],
        "all-of-it": [200, 200, 202],
    }
    assert served.ask(*READ, api_key="may-read").status == 200
    assert served.ask(*READ, Authorization="bearer may-read").status == 200
    assert served.ask(*READ, Authorization="Basic may-read").status == 401
    refused = served.ask(*WRITE, api_key="may-read")
    assert refused.detail == "this needs a token with scope write"
    refused = served.ask(*READ)
    assert refused.head["WWW-Authenticate"] == "Bearer" and "Authorization" in refused.detail
    assert served.ask("GET", "/nowhere").status == 401, "paths are told to nobody"
    assert served.ask("GET", "/nowhere", api_key="may-read").status == 404
    assert served.ask("GET", "/metrics").status == 401
    for path in ("/healthz", "/livez", "/readyz", "/openapi.json"):
        assert served.ask("GET", path).status == 200


def test_who_starts_an_operation_may_look_at_it(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text("admin-alone admin\n")
    path.chmod(0o600)
    served = serve("--token-file", str(path))
    started = served.ask(*ADMIN, api_key="admin-alone")
    assert served.ask("GET", started.body["operation"], api_key="admin-alone").status == 200
    assert served.ask("GET", "/v1/stats", api_key="admin-alone").status == 403


def test_a_caller_without_a_token_is_refused_before_his_body_comes(
    serve: Serve, token_file: Path
) -> None:
    served = serve("--token-file", str(token_file))
    head = b"PUT /v1/documents/a HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n"
    assert served.raw(head + b"\r\n").startswith(b"HTTP/1.1 401 ")
    answer = served.raw(head + b"Expect: 100-continue\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 401 ") and b"Connection: close" in answer


def test_a_body_that_is_not_asked_for_is_not_read(serve: Serve) -> None:
    served = serve()
    for target in ("/healthz", "/v1/stats"):
        refused = served.ask("GET", target, {"text": "x"})
        assert (refused.status, refused.detail) == (400, "this takes no body")
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000000\r\n\r\n"
    assert served.raw(head).startswith(b"HTTP/1.1 400 ")


def test_what_follows_a_body_is_no_head(serve: Serve, token_file: Path) -> None:
    served = serve("--token-file", str(token_file))
    body = (
        b'f\r\n{"text": "abc"}\r\n0\r\napi-key: all-of-it\r\nContent-Type: application/json\r\n\r\n'
    )
    head = (
        b"POST /v1/query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
    )
    assert served.raw(head + b"\r\n" + body).startswith(b"HTTP/1.1 401 ")
    answer = served.raw(head + b"api-key: may-read\r\n\r\n" + body)
    assert answer.startswith(b"HTTP/1.1 415 "), "the type is in the trailer"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Host: 127.0.0.1:8780\r\n", 200),
        (b"Host: LocalHost\r\n", 200),
        (b"Host: [::1]:8780\r\nOrigin: http://127.0.0.1:8780\r\n", 200),
        (b"Host: evil.example\r\n", 403),
        (b"Host: localhost.evil.example:8780\r\n", 403),
        (b"Host: localhost\r\nOrigin: https://evil.example\r\n", 403),
        (b"Host: localhost\r\nOrigin: null\r\n", 403),
    ],
)
def test_pages_of_other_sites_get_nothing_without_tokens(
    serve: Serve, head: bytes, status: int
) -> None:
    served = serve()
    answer = served.raw(b"GET /v1/stats HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status)


def test_a_body_that_is_too_large_gets_its_answer(serve: Serve) -> None:
    served = serve()
    for _ in range(3):
        assert served.ask("PUT", "/v1/documents/a", {"text": "x" * (17 << 20)}).status == 413


def test_the_second_signal_ends_it_at_once(serve: Serve) -> None:
    served = serve("--threads", "1")
    text = " ".join(f"word{i % 50_000}" for i in range(1_500_000))
    threads = [
        threading.Thread(target=lambda i=i: late(served, i, text), daemon=True) for i in range(3)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    served.process.terminate()
    time.sleep(0.05)
    if served.process.poll() is not None:
        pytest.skip("it had ended already")
    begun = time.monotonic()
    served.process.terminate()
    served.process.wait(5)
    assert time.monotonic() - begun < 0.5


def late(served: Served, who: int, text: str) -> None:
    try:
        served.ask("PUT", f"/v1/documents/{who}", {"text": text})
    except OSError:
        pass


def test_idle_connections_do_not_delay_the_end(serve: Serve) -> None:
    served = serve()
    peers = [served.connect() for _ in range(5)]
    for peer in peers:
        peer.request("GET", "/healthz")
        peer.getresponse().read()
    begun = time.monotonic()
    assert served.stop()[0] == 0
    assert time.monotonic() - begun < 3


def test_failures_without_a_reader_do_not_end_the_server(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "copies" / "monday" / "x").mkdir(parents=True)
    served = serve("--backups", str(tmp_path / "copies"))
    assert served.process.stderr is not None
    served.process.stderr.close()
    served.process.stderr = None
    for _ in range(2):
        served.ask("POST", "/v1/admin/backup", {"name": "monday"})
        time.sleep(0.2)
    assert served.ask("GET", "/healthz").status == 200
    served.process.kill()


def test_refused_requests_are_counted_and_logged(serve: Serve, token_file: Path) -> None:
    served = serve("--token-file", str(token_file))
    served.raw(b"no request\r\n\r\n")
    served.ask(*READ)
    served.raw(
        b"PUT /v1/documents/a HTTP/1.1\r\nHost: x\r\napi-key: all-of-it\r\nX-Request-Id: mine\r\nContent-Length: 99999999\r\n\r\n"
    )
    text = str(served.ask("GET", "/metrics", api_key="may-read").body)
    for reason, count in (("malformed", 1), ("forbidden", 1), ("too_large", 1), ("overload", 0)):
        assert f'lookalike_http_refused_total{{reason="{reason}"}} {count}\n' in text
    _, log, _ = served.stop()
    assert [line["status"] for line in log] == [400, 401, 413, 200]


def test_tokens_may_be_in_the_environment(binary: Path, serve: Serve, tmp_path: Path) -> None:
    serve().stop()
    served = Served(binary, tmp_path / "seen", env={"LOOKALIKE_TOKENS": TOKENS})
    try:
        assert served.ask(*READ).status == 401
        assert served.ask(*READ, api_key="may-read").status == 404
    finally:
        served.stop()


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        (TOKENS, 0o644, "is open to others"),
        (TOKENS, 0o622, "is open to others"),
        ("", 0o600, "has no token"),
        ("just-a-token\n", 0o600, "tokens:1: a line has a token and its scopes"),
        ("# first\na-long-token read,everything\n", 0o600, "tokens:2: a line has a token"),
        ("short read\n", 0o600, "tokens:1: the token has 5 characters"),
    ],
)
def test_a_token_file_that_is_not_safe_is_refused(
    serve: Serve, run: Callable[..., Any], tmp_path: Path, text: str, mode: int, said: str
) -> None:
    serve().stop()
    path = tmp_path / "tokens"
    path.write_text(text)
    path.chmod(mode)
    refused = run("serve", "seen", "--token-file", "tokens", "--listen", "127.0.0.1:0", code=2)
    assert said in refused.stderr
    assert "a-long-token" not in refused.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["seen", "--listen", "0.0.0.0:0"], "without a token everybody could change the index"),
        (["seen", "--listen", "[::]:0"], "without a token everybody could change the index"),
        (["seen", "--listen", "localhost:0"], "is not an IP address"),
        (["seen", "--listen", "[]:0"], "an IP address and a port"),
        (["seen", "--listen", "::1:80"], "an IP address and a port"),
        (["seen", "--listen", "127.0.0.1:99999"], "an IP address and a port"),
        (["seen", "--listen", "192.0.2.7:0", "--token-file", "tokens"], "cannot be listened on"),
        (["nothing"], "nothing"),
        ([], "one index"),
        (["seen", "other"], "one index"),
    ],
)
def test_a_server_that_cannot_start_says_why(
    serve: Serve, run: Callable[..., Any], token_file: Path, words: list[str], said: str
) -> None:
    serve().stop()
    refused = run("serve", *words, code=2)
    assert said in refused.stderr and refused.stderr.count("\n") == 1


def test_one_index_has_one_server(serve: Serve, run: Callable[..., Any]) -> None:
    served = serve()
    refused = run("serve", "seen", "--listen", "127.0.0.1:0", code=2)
    assert str(served.process.pid) in refused.stderr


HEAD = b"Host: localhost:1\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"PUT /v1/documents/y HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\n" % 2**40, 413),
        (b"PUT /v1/documents/y HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\n" % (2**24 + 1), 413),
        (b"GET /v1/stats HTTP/1.1\r\n" + HEAD + b"X: " + b"a" * 300_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HEAD + b"\r\n", 431),
        (b"\x16\x03\x01\x02\x00" * 40 + b"\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n" + HEAD + b"\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        (b"POST /v1/admin/compact HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: identity\r\n\r\nGET / HTTP/1.1\r\n" + HEAD + b"\r\n", 400),
        (b"POST /v1/admin/compact HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST /v1/query HTTP/1.0\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET http://elsewhere/healthz HTTP/1.1\r\n" + HEAD + b"\r\n", 400),
        (b"OPTIONS * HTTP/1.1\r\n" + HEAD + b"\r\n", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n{} ", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Content-Length: -1\r\n\r\n", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", 400),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nfffffff0\r\n", 413),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + HEAD + b"Bad Name: x\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + HEAD + b"Name: a\r\n folded\r\n\r\n", None),
        (b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"Content-Length: 50\r\n\r\nshort", None),
    ],
)  # fmt: skip
def test_what_is_no_request_ends_its_connection_alone(
    serve: Serve, request_: bytes, status: int | None
) -> None:
    served = serve()
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as peer:
        peer.sendall(request_)
        peer.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while some := peer.recv(65536):
                answer += some
        except ConnectionResetError:
            pass
    if status is not None:
        assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]
        assert b"Content-Type: application/problem+json" in answer
        assert b"Connection: close" in answer
    assert answer.count(b"HTTP/1.1 ") <= 1
    assert served.ask("GET", "/readyz").status == 200


def test_a_chunked_body_and_one_that_waits_for_leave(serve: Serve) -> None:
    served = serve()
    body = b'{"text": "one two three"}'
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:]))
    head = b"PUT /v1/documents/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    answer = served.raw(head % b"a" + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 201 ")
    waits = b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body)
    answer = served.raw(head % b"b" + waits, body, pause=0.2)
    assert answer.startswith(b"HTTP/1.1 100 ") and b"HTTP/1.1 201 " in answer


def test_those_who_send_or_read_too_slowly_are_cut_off(serve: Serve) -> None:
    served = serve()
    begun = time.monotonic()
    peers = [socket.create_connection(("127.0.0.1", served.port), timeout=20) for _ in range(3)]
    peers[1].sendall(b"GET /healthz HT")
    peers[2].sendall(b"GET /healthz HTTP/1.1\r\n")
    ends = []
    while time.monotonic() < begun + 8:
        peers[2].sendall(b"X: y\r\n")  # a header that never ends
        time.sleep(0.5)
    for peer in peers:
        try:
            assert peer.recv(100) == b""
        except ConnectionResetError:
            pass
        ends.append(time.monotonic() - begun)
    assert min(ends) > 9 and max(ends) < 15
    assert served.ask("GET", "/healthz").status == 200


def test_a_thousand_idle_connections_are_no_burden(serve: Serve) -> None:
    served = serve()
    before = resident(served)
    peers = [socket.create_connection(("127.0.0.1", served.port), timeout=20) for _ in range(1000)]
    for peer in peers:
        peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for peer in peers:
        assert peer.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert served.ask("POST", "/v1/query", {"text": "a b c"}).status == 200
    assert resident(served) - before < 64 << 20
    for peer in peers:
        peer.close()


def resident(served: Served) -> int:
    fields = Path(f"/proc/{served.process.pid}/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGESIZE")


def test_too_much_at_once_is_turned_away_and_then_taken(serve: Serve) -> None:
    served = serve()
    answers = []

    def add(who: int) -> None:
        text = " ".join(f"word{(who * 7919 + i) % 50_000}" for i in range(1_200_000))
        answers.append(served.ask("PUT", f"/v1/documents/{who}", {"text": text}))

    threads = [threading.Thread(target=add, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = sorted(answer.status for answer in answers)
    assert set(statuses) <= {201, 503} and statuses[0] == 201
    for answer in answers:
        if answer.status == 503:
            assert answer.head["Retry-After"] == "1" and "try again" in answer.detail
    assert served.ask("GET", "/v1/stats").body["documents"] == statuses.count(201)


def test_what_was_acknowledged_survives_the_end(serve: Serve) -> None:
    served = serve()
    known: list[str] = []

    def write(who: int) -> None:
        for i in range(10_000):
            name = f"{who}-{i}"
            try:
                status = served.ask("PUT", f"/v1/documents/{name}", {"text": f"text {name}"}).status
            except OSError:
                return
            assert status in (201, 503)
            known.extend([name] if status == 201 else [])

    threads = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    code, log, said = served.stop()
    for thread in threads:
        thread.join()
    assert code == 0 and said == "" and len(known) > 20
    assert sum(line["status"] == 201 for line in log) >= len(known)
    again = serve()
    assert [name for name in known if again.ask("GET", f"/v1/documents/{name}").status != 200] == []


def test_a_request_that_is_under_way_is_answered_before_the_end(serve: Serve) -> None:
    served = serve()
    text = " ".join(f"word{i % 50_000}" for i in range(1_500_000))
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(served.ask("PUT", "/v1/documents/a", {"text": text}))
    )
    thread.start()
    while not int(str(served.ask("GET", "/metrics").body).split("in_flight ")[-1].split()[0]) > 1:
        if answers:
            pytest.skip("it was done before the server was asked to end")
    code, _, _ = served.stop()
    thread.join()
    assert code == 0 and answers[0].status == 201
    assert answers[0].head["Connection"] == "close"


def test_a_closed_log_does_not_end_the_server(binary: Path, serve: Serve, tmp_path: Path) -> None:
    serve().stop()
    served = Served(binary, tmp_path / "seen")
    assert served.process.stdout is not None
    served.process.stdout.close()
    for _ in range(3):
        assert served.ask("GET", "/healthz").status == 200
    served.process.terminate()
    assert served.process.wait(20) == 0


def test_help_shows_how_to_serve(run: Callable[..., Any]) -> None:
    text = run("serve", "--help", "all").stdout
    for flag in (
        "--listen ADDRESS:PORT",
        "--token-file FILE",
        "--backups DIR",
        "--threads N",
        "--memory SIZE",
    ):
        assert flag in text
