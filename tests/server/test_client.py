"""`lookalike.Client`: the server for programs in Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from served import Served

import lookalike

Serve = Callable[..., Served]

WORDS = [f"w{i}" for i in range(60)]
TEXT = " ".join(WORDS)
#: One word of 60 differs: 51 of 61 features are common.
NEAR = " ".join([*WORDS[:30], "edit", *WORDS[31:]])
NEAR_SCORE = 51 / 61


def client_of(served: Served, **more: str) -> lookalike.Client:
    return lookalike.Client(f"http://127.0.0.1:{served.port}", timeout=20, **more)


def test_documents_come_and_go(serve: Serve) -> None:
    with client_of(serve()) as client:
        assert client.put("a/b", TEXT, {"n": 1}) == {"outcome": "added"}
        assert client.put("a/b", TEXT, {"n": 1}) == {"outcome": "unchanged"}
        like = client.put("b", NEAR, unless_similar=0.8)
        assert like["outcome"] == "similar" and like["like"]["id"] == "a/b"
        found = client.get("a/b")
        assert found is not None and found["metadata"] == {"n": 1}
        assert client.get("b") is None
        assert client.stats()["documents"] == 1
        assert client.stats(audit=10)["recall"]["asked"] == 0.99
        assert client.remove("a/b") and not client.remove("a/b")


def test_queries_and_comparisons(serve: Serve) -> None:
    client = client_of(serve())
    client.put("a", TEXT)
    client.put("b", NEAR, "note")
    assert client.query(id="a")["matches"] == [
        {"id": "b", "resemblance": NEAR_SCORE, "exact": True, "metadata": "note"}
    ]
    assert [match["id"] for match in client.query(TEXT, top=1)["matches"]] == ["a"]
    assert client.query(TEXT, limit=1)["truncated"]
    assert client.query(TEXT, threshold=0.9)["matches"][0]["id"] == "a"
    low = client.query(NEAR, threshold=0.01, exhaustive=True, measure="containment")["matches"]
    assert [match["id"] for match in low] == ["b", "a"] and "containment_ab" in low[0]
    assert client.compare(TEXT, NEAR)["resemblance"] == NEAR_SCORE


def test_many_documents_go_in_batches_as_they_come(serve: Serve) -> None:
    client = client_of(serve())
    taken = []

    def documents() -> object:
        for i in range(2_500):
            taken.append(i)
            yield {
                "id": f"d{i}",
                "text": f"text {i // 2} " + " ".join(f"x{i // 2 * 50 + j}" for j in range(30)),
            }

    outcomes = client.add(documents())  # type: ignore[arg-type]
    assert next(outcomes) == {"outcome": "added"}
    assert len(taken) == 1_001
    assert sum(outcome["outcome"] == "added" for outcome in outcomes) == 2_499
    assert client.stats()["documents"] == 2_500
    clusters = list(client.clusters())
    assert len(clusters) == 1_250 and clusters[0]["members"] == ["d0", "d1"]
    changes = list(client.changes())
    assert [change["seq"] for change in changes] == list(range(1, 2_501))
    assert list(client.changes(since=2_499)) == changes[-1:]


def test_long_work_is_waited_for(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    client = client_of(serve("--backups", str(tmp_path / "copies")))
    assert client.compact()["state"] == "done"
    assert client.backup("monday")["state"] == "done"
    with pytest.raises(lookalike.RequestError, match="exist") as failed:
        client.backup("monday")
    assert failed.value.status == 500
    assert client.backup("tuesday", wait=False)["kind"] == "backup"


def test_what_the_server_refuses_is_an_error(serve: Serve, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("may-write read,write\nmay-read read\n")
    tokens.chmod(0o600)
    served = serve("--token-file", str(tokens))
    with pytest.raises(lookalike.RequestError, match="send a token") as refused:
        client_of(served).stats()
    assert refused.value.status == 401 and refused.value.code == "usage"
    with pytest.raises(lookalike.RequestError, match="scope write"):
        client_of(served, token="may-read").put("a", TEXT)
    client = client_of(served, token="may-write")
    client.put("a", TEXT)
    with pytest.raises(lookalike.RequestError, match="a number above 0, at most 1"):
        client.query(TEXT, threshold=7)
    with pytest.raises(lookalike.RequestError, match="nothing of the batch was added"):
        list(client.add([{"id": "", "text": "x"}]))
    with pytest.raises(lookalike.RequestError, match="no document 'x'"):
        client.query(id="x")


@pytest.mark.parametrize("url", ["127.0.0.1:8780", "ftp://host", "http://", "http://host/path"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(lookalike.OptionError, match="http://HOST:PORT"):
        lookalike.Client(url)


def test_a_server_that_is_gone_or_busy_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    with pytest.raises(lookalike.RequestError, match="cannot be reached") as gone:
        lookalike.Client("http://127.0.0.1:9").stats()
    assert gone.value.status == 0 and slept == [0.1, 0.5, 2.0, 5.0]

    class Busy(BaseHTTPRequestHandler):
        seen = 0

        def do_GET(self) -> None:
            Busy.seen += 1
            body = b'{"documents": 7}' if Busy.seen == 3 else b'{"detail": "too many"}'
            self.send_response(200 if Busy.seen == 3 else 503)
            self.send_header("Content-Type", "application/json")
            self.send_header("Retry-After", "3")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        slept.clear()
        client = lookalike.Client(f"http://127.0.0.1:{server.server_address[1]}")
        assert client.stats() == {"documents": 7}
        assert slept == [3, 3]
        server.shutdown()


def test_threads_have_connections_of_their_own(serve: Serve) -> None:
    client = client_of(serve())

    def work(who: int) -> None:
        for i in range(30):
            client.put(f"{who}-{i}", f"text {who} {i}")

    threads = [threading.Thread(target=work, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.stats()["documents"] == 120
