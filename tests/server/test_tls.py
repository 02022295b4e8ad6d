"""`lookalike serve --tls-certificate`: encrypted connections."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from served import Served

Serve = Callable[..., Served]


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    words += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext"]
    words += ["subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key)]
    subprocess.run([*words, "-out", str(certificate)], check=True, capture_output=True)
    return certificate, key


def options(pem: tuple[Path, Path]) -> tuple[str, ...]:
    return ("--tls-certificate", str(pem[0]), "--tls-key", str(pem[1]))


def connect(served: Served, pem: tuple[Path, Path]) -> http.client.HTTPSConnection:
    context = ssl.create_default_context(cafile=pem[0])
    return http.client.HTTPSConnection("127.0.0.1", served.port, timeout=30, context=context)


def test_documents_come_and_go_encrypted(serve: Serve, pem: tuple[Path, Path]) -> None:
    served = serve(*options(pem), create=("--keep", "text"))
    connection = connect(served, pem)
    text = " ".join(f"w{i}" for i in range(200_000))
    for i in range(3):
        body = json.dumps({"text": f"{i} {text}"})
        head = {"Content-Type": "application/json"}
        connection.request("PUT", f"/v1/documents/d{i}", body, head)
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (201, b'{"outcome":"added"}')
    connection.request("GET", "/v1/documents/d2")
    assert json.loads(connection.getresponse().read())["text"] == f"2 {text}"
    connection.close()
    code, log, _ = served.stop()
    assert code == 0 and [line["status"] for line in log] == [201, 201, 201, 200]


def test_it_says_https(serve: Serve, pem: tuple[Path, Path], binary: Path, tmp_path: Path) -> None:
    serve(*options(pem)).stop()
    words = [binary, "serve", tmp_path / "seen", "--listen", "127.0.0.1:0", *options(pem)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "is served at https://127.0.0.1:" in process.stderr.readline()
        process.terminate()


def test_what_is_not_encrypted_gets_nothing(serve: Serve, pem: tuple[Path, Path]) -> None:
    served = serve(*options(pem))
    assert b"HTTP" not in served.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert served.raw(b"") == b""
    connection = connect(served, pem)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200


def test_old_versions_are_refused(serve: Serve, pem: tuple[Path, Path]) -> None:
    served = serve(*options(pem))
    for version, works in (("1.1", False), ("1.2", True), ("1.3", True)):
        words = [
            "openssl",
            "s_client",
            "-connect",
            f"127.0.0.1:{served.port}",
            "-tls1_" + version[2:],
        ]
        words += ["-cipher", "ALL:@SECLEVEL=0"]
        shaken = subprocess.run(words, input=b"", capture_output=True, timeout=20)
        assert (shaken.returncode == 0) == works, (version, shaken.stderr)


def test_it_ends_while_connections_are_open(serve: Serve, pem: tuple[Path, Path]) -> None:
    served = serve(*options(pem))
    idle = connect(served, pem)
    idle.request("GET", "/healthz")
    idle.getresponse().read()
    shaking = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    began = time.monotonic()
    code, log, said = served.stop()
    assert code == 0 and len(log) == 1, said
    assert time.monotonic() - began < 5  # nobody waits for those who never shake hands
    for peer in shaking:
        peer.close()


def test_many_at_once(serve: Serve, pem: tuple[Path, Path]) -> None:
    served = serve(*options(pem))
    statuses: list[int] = []

    def ask() -> None:
        connection = connect(served, pem)
        for _ in range(20):
            connection.request("GET", "/v1/stats")
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 320


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        ("key.pem", "key.pem", "is not a certificate in PEM"),
        ("nothing.pem", "key.pem", "is not a certificate in PEM"),
        ("certificate.pem", "certificate.pem", "is not the private key of"),
        ("certificate.pem", "other.pem", "is not the private key of"),
        ("certificate.pem", "locked.pem", "is not the private key of"),
        ("certificate.pem", "", "--tls-certificate and --tls-key need each other"),
        ("", "key.pem", "--tls-certificate and --tls-key need each other"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    binary: Path,
    serve: Serve,
    pem: tuple[Path, Path],
    certificate: str,
    key: str,
    said: str,
    tmp_path: Path,
) -> None:
    folder = pem[0].parent
    other = folder / "other.pem"
    if not other.exists():
        words = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(other)]
        subprocess.run(words, check=True, capture_output=True)
        locked = ["openssl", "pkey", "-in", str(pem[1]), "-aes256", "-passout", "pass:secret"]
        subprocess.run([*locked, "-out", str(folder / "locked.pem")], check=True)
    serve().stop()
    words = [str(binary), "serve", str(tmp_path / "seen"), "--listen", "127.0.0.1:0"]
    words += ["--tls-certificate", str(folder / certificate)] if certificate else []
    words += ["--tls-key", str(folder / key)] if key else []
    ended = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and said in ended.stderr
