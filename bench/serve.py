"""What HTTP costs on top of the index: processor time and memory of `lookalike serve`.

    build/venv/bin/python bench/serve.py --documents 100000
    build/venv/bin/python bench/serve.py --soak 60

All processor time is that of the server process, user and system, from /proc, so that the program
that sends the requests may be as slow as it is. Queries have texts of about 4 KB, documents that
are added about 2 KB. `--soak` sends a mixed load for so many minutes, to an index whose size does
not change, and watches the memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from index import COMMAND, ROOT, THRESHOLD, make_corpus, questions

sys.path.insert(0, str(ROOT / "tests" / "server"))

import loaded  # noqa: E402 - from the folder that was just named
from silent import Silent  # noqa: E402

ROUNDS = 3
BATCH = 100
CLIENTS = 4
SAMPLE_SECONDS = 10
#: Documents that each of four workers keeps during --soak.
SOAK_DOCUMENTS = 2_000
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGESIZE")


def cpu_seconds(served: Silent) -> float:
    """User and system time of the server up to now."""
    fields = Path(f"/proc/{served.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(served: Silent) -> int:
    return int(Path(f"/proc/{served.process.pid}/statm").read_text().split()[1]) * PAGE


def in_mib(size: float) -> str:
    return f"{size / 2**20:.1f} MiB"


def print_row(what: str, figure: str) -> None:
    print(f"| {what} | {figure} |", flush=True)


def request_of(path: str, body: Any = None) -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
    if data:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    return head.encode() + b"\r\n" + data


async def send_all(port: int, requests: Sequence[bytes], connections: int) -> None:
    """Sends requests on so many connections, each of which waits for one answer at a time."""
    waiting = iter(requests)

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"the server answers {head.decode()}")
            length = head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0]
            await reader.readexactly(int(length))
        writer.close()

    await asyncio.gather(*(work() for _ in range(connections)))


def cost_of(served: Silent, requests: Sequence[bytes], connections: int) -> float:
    """Returns microseconds of the server's processor time for each request, the median round."""
    rounds = []
    for _ in range(ROUNDS):
        before = cpu_seconds(served)
        asyncio.run(send_all(served.port, requests, connections))
        rounds.append(1e6 * (cpu_seconds(served) - before) / len(requests))
    return statistics.median(rounds)


def cost_in_process(index: Path, asked: Sequence[str]) -> float | None:
    """Returns the same for lookalike.Index; None if the package is not installed."""
    try:
        import lookalike
    except ImportError:
        return None
    with lookalike.Index(index) as opened:
        rounds = []
        for _ in range(ROUNDS):
            before = time.process_time()
            for text in asked:
                opened.query(text)
            rounds.append(1e6 * (time.process_time() - before) / len(asked))
        return statistics.median(rounds)


async def open_idle(port: int, count: int) -> list[asyncio.StreamWriter]:
    """Opens connections that have had an answer and ask for nothing more."""
    writers = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_of("/healthz"))
        await reader.readuntil(b"}")
        writers.append(writer)
    return writers


class Idle:
    """Connections that stay open while something else is measured."""

    def __init__(self, port: int, count: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.writers = self.loop.run_until_complete(open_idle(port, count))

    def close(self) -> None:
        for writer in self.writers:
            writer.transport.abort()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()


def open_connections(served: Silent) -> int:
    text = str(served.ask("GET", "/metrics").body)
    (line,) = (line for line in text.splitlines() if line.startswith("lookalike_http_connections "))
    return int(float(line.split()[1])) - 1


def add_batches(port: int, who: int, batches: int, start: float) -> None:
    """Adds batches of documents of 2 KB that have nothing in common, from a time on."""
    bodies = []
    for batch in range(batches):
        names = [f"{who}-{batch * BATCH + i}" for i in range(BATCH)]
        # Six texts of 60 words make about 2 KB.
        texts = [" ".join(loaded.text_of(f"{name}{k}0", 1) for k in range(6)) for name in names]
        documents = [{"id": n, "text": t} for n, t in zip(names, texts, strict=True)]
        bodies.append(json.dumps({"documents": documents}))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    time.sleep(max(0, start - time.time()))
    for body in bodies:
        head = {"Content-Type": "application/json"}
        connection.request("POST", "/v1/documents:batch", body, head)
        answer = connection.getresponse()
        told = answer.read()
        if answer.status != 200:
            raise SystemExit(f"the server answers {answer.status} {told.decode()}")


def measure_adds(index: Path, documents: int) -> None:
    served = Silent(COMMAND, index)
    batches = documents // BATCH // CLIENTS
    with ProcessPoolExecutor(CLIENTS, multiprocessing.get_context("spawn")) as pool:
        start = time.time() + 3 + documents / 2_000  # bodies are made before
        begun = [pool.submit(add_batches, served.port, i, batches, start) for i in range(CLIENTS)]
        time.sleep(max(0, start - time.time() - 0.1))
        before = cpu_seconds(served)
        for each in begun:
            each.result()
        wall, spent = time.time() - start, cpu_seconds(served) - before
    count = batches * BATCH * CLIENTS
    print_row(f"durable adds, {CLIENTS} clients, batches of {BATCH}", f"{count / wall:,.0f}/s")
    print_row("the same for each second of a core of the server", f"{count / spent:,.0f}")
    served.kill()


def measure_queries(index: Path, asked: Sequence[str], connections: int, idle: int) -> None:
    in_process = cost_in_process(index, asked)
    served = Silent(COMMAND, index)
    requests = [request_of("/v1/query", {"text": text}) for text in asked]
    floor = cost_of(served, [request_of("/healthz")] * len(asked), connections)
    print_row(f"/healthz at {connections} connections", f"{floor:.1f} us")
    alone = cost_of(served, requests, connections)
    print_row(f"a query of 4 KB at {connections} connections", f"{alone:.1f} us")
    served.kill()
    served = Silent(COMMAND, index)
    before = resident(served)
    others = Idle(served.port, idle)
    after = resident(served)
    beside = cost_of(served, requests, connections)
    print_row(f"the same beside {open_connections(served):,} idle ones", f"{beside:.1f} us")
    others.close()
    if in_process is None:
        print_row("the same in process", "not measured: `make wheel` installs the package")
    else:
        print_row("the same in process", f"{in_process:.1f} us")
        print_row("HTTP on top of a query", f"{alone - in_process:.1f} us")
        print_row("HTTP on top, beside idle ones", f"{beside - in_process:.1f} us")
    print_row("resident memory after the start", in_mib(before))
    print_row(f"resident memory with {idle:,} connections", in_mib(after))
    served.kill()


def slope(samples: Sequence[tuple[float, int]]) -> float:
    """Returns bytes per second, by least squares."""
    if len(samples) < 2:
        return 0
    middle = sum(at for at, _ in samples) / len(samples)
    mean = sum(size for _, size in samples) / len(samples)
    above = sum((at - middle) * (size - mean) for at, size in samples)
    return above / sum((at - middle) ** 2 for at, _ in samples)


def soak(index: Path, minutes: float) -> None:
    served = Silent(COMMAND, index)
    end = time.time() + 60 * minutes
    begun = time.monotonic()
    pool, workers = loaded.start(served.port, CLIENTS, 10**9, end, most=SOAK_DOCUMENTS)
    samples: list[tuple[float, int]] = []
    compacted = begun
    with pool:
        while time.time() < end:
            time.sleep(min(SAMPLE_SECONDS, max(0.1, end - time.time())))
            now = time.monotonic()
            samples.append((now - begun, resident(served)))
            print(f"{now - begun:7.0f} s {in_mib(samples[-1][1])}", flush=True)
            if now - compacted > 60:
                compacted = now
                served.ask("POST", "/v1/admin/compact", {})
        outcomes = [worker.result() for worker in workers]
    faults = [fault for outcome in outcomes for fault in outcome.faults]
    wrong = [each for outcome in outcomes for each in loaded.lost(served.port, outcome)]
    sizes = [size for _, size in samples]
    half = len(samples) // 2
    # Memory rises until a flush or a compaction; the lowest values show what is not given back.
    lowest = [in_mib(min(part)) for part in (sizes[: half + 1], sizes[half:])]
    print_row("requests", f"{sum(outcome.sent.total() for outcome in outcomes):,}")
    print_row("faults, and documents that are not as they must be", f"{len(faults)}, {len(wrong)}")
    print_row("resident memory, first sample", in_mib(sizes[0]))
    print_row("resident memory, last sample", in_mib(sizes[-1]))
    print_row("resident memory, most", in_mib(max(sizes)))
    print_row("resident memory, least in each half", " and ".join(lowest))
    print_row(
        "slope of the second half", f"{slope(samples[half:]) * 3600 / 2**20:+.2f} MiB an hour"
    )
    served.kill()
    if faults or wrong:
        raise SystemExit("\n".join([*faults, *wrong][:20]))


def create(folder: Path, name: str) -> Path:
    made: list[str | Path] = [
        COMMAND,
        "index",
        "create",
        folder / name,
        "--threshold",
        str(THRESHOLD),
    ]
    subprocess.run([*made, "--clusters", "off", "--quiet"], check=True)
    return folder / name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000, help="of the index of queries")
    parser.add_argument("--queries", type=int, default=20_000)
    parser.add_argument("--adds", type=int, default=40_000, help="documents to add over HTTP")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--idle", type=int, default=1_000)
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="only watch the memory")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.soak:
            made: list[str | Path] = [
                COMMAND,
                "index",
                "create",
                folder / "soak",
                "--keep",
                "text",
                "--quiet",
            ]
            subprocess.run(made, check=True)
            soak(folder / "soak", options.soak)
            return
        corpus = make_corpus(options.documents, folder)
        index = create(folder, "asked")
        subprocess.run([COMMAND, "index", "load", index, corpus, "--quiet"], check=True)
        kinds = questions(corpus, min(options.queries, 2 * options.documents))
        asked = (kinds * (options.queries // len(kinds) + 1))[: options.queries]
        print(f"| {options.documents:,} documents, processor time of the server | |")
        print("|---|---|")
        measure_queries(index, asked, options.connections, options.idle)
        measure_adds(create(folder, "added"), options.adds)


if __name__ == "__main__":
    main()
