"""A mixed load on `lookalike serve`, whose workers know what must be there afterwards."""

from __future__ import annotations

import collections
import http.client
import itertools
import json
import multiprocessing
import random
import time
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

WORDS = 60
VOCABULARY = 20_000
BATCH = 10
RECENT = 500
#: Operations and how often they come.
MIX = {
    "batch": 6,
    "put": 8,
    "replace": 6,
    "delete": 6,
    "query text": 24,
    "query id": 14,
    "get": 14,
    "compare": 10,
    "clusters": 4,
    "changes": 4,
    "stats": 4,
}
PAUSE_WHEN_REFUSED = 0.05


def text_of(name: str, version: int) -> str:
    """Returns a text that is made of a name alone; one in five is like the one before it."""
    who, number = name.split("-")
    is_like = int(number) % 5 == 4 and version == 0
    base = f"{who}-{int(number) - 1}" if is_like else name
    source = random.Random(f"{base} {version}")
    words = [f"v{source.randrange(VOCABULARY)}" for _ in range(WORDS)]
    if is_like:
        words[0] = "changed"
    return " ".join(words)


@dataclass
class Outcome:
    """What a worker did, and the version of each of its documents that must be there."""

    model: dict[str, int] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    sent: collections.Counter[str] = field(default_factory=collections.Counter)
    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    faults: list[str] = field(default_factory=list)


class Worker:
    """One client with documents of its own, on one connection."""

    def __init__(self, port: int, who: int, seed: int, most: float = float("inf")) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.who = who
        self.source = random.Random(f"{seed} {who}")
        self.outcome = Outcome()
        self.most = most  # documents: more are removed instead of adding
        self.next = 0
        self.names: list[str] = []  # that were added, the latest last

    def work(self, requests: int, end: float) -> Outcome:
        """Sends so many requests, or stops at a time of time.time()."""
        kinds, weights = list(MIX), list(MIX.values())
        for _ in range(requests):
            (kind,) = self.source.choices(kinds, weights)
            if time.time() >= end or len(self.outcome.faults) >= 20:
                break
            self.do(kind if self.outcome.model else "batch")
            self.outcome.sent[kind] += 1
        self.connection.close()
        return self.outcome

    def do(self, kind: str) -> None:
        model = self.outcome.model
        name = self.recent_name() if model else ""
        if kind == "batch" and len(model) > self.most:
            for each in [*itertools.islice(model, BATCH)]:
                self.delete(each)
        elif kind == "batch":
            names = [self.new_name() for _ in range(BATCH)]
            rows = [{"id": n, "text": text_of(n, 0), "metadata": {"version": 0}} for n in names]
            _, body = self.ask("POST", "/v1/documents:batch", {"documents": rows}, 200)
            if body is not None:
                self.expect(body["outcomes"] == [{"outcome": "added"}] * BATCH, f"{kind}: {body}")
                model.update(dict.fromkeys(names, 0))
        elif kind == "put":
            self.put(self.new_name(), 0, "added")
        elif kind == "replace":
            self.put(name, model[name] + 1, "replaced")
        elif kind == "delete":
            self.delete(name)
        elif kind == "get":
            _, body = self.ask("GET", f"/v1/documents/{name}", None, 200)
            if body is not None:
                self.expect(body["metadata"] == {"version": model[name]}, f"{name}: {body}")
        elif kind == "query text":
            asked = {"text": text_of(name, model[name])}
            _, body = self.ask("POST", "/v1/query", asked, 200)
            if body is not None:
                best = {each["id"]: each["resemblance"] for each in body["matches"]}
                self.expect(best.get(name) == 1, f"{name} does not find itself: {body}")
        elif kind == "query id":
            _, body = self.ask("POST", "/v1/query", {"id": name}, 200)
            if body is not None:
                found = [each["id"] for each in body["matches"]]
                self.expect(name not in found, f"{name} finds itself: {body}")
        elif kind == "compare":
            text = text_of(name, model[name])
            near = text.replace(" ", " changed ", 1)
            _, body = self.ask(
                "POST", "/v1/compare", {"a": {"text": text}, "b": {"text": near}}, 200
            )
            if body is not None:
                self.expect(0.5 < body["resemblance"] < 1, f"compare: {body['resemblance']}")
        else:
            target = {"clusters": "/v1/clusters?limit=20", "changes": "/v1/changes?limit=20"}
            self.ask("GET", target.get(kind, "/v1/stats"), None, 200)

    def delete(self, name: str) -> None:
        if self.ask("DELETE", f"/v1/documents/{name}", None, 200)[1] is not None:
            del self.outcome.model[name]
            self.outcome.removed.add(name)

    def put(self, name: str, version: int, outcome: str) -> None:
        body = {"text": text_of(name, version), "metadata": {"version": version}}
        status = 201 if outcome == "added" else 200
        _, answer = self.ask("PUT", f"/v1/documents/{name}", body, status)
        if answer is not None:
            self.expect(answer["outcome"] == outcome, f"{name}: {answer} for {outcome}")
            self.outcome.model[name] = version

    def new_name(self) -> str:
        self.next += 1
        name = f"{self.who}-{self.next}"
        self.names.append(name)
        return name

    def recent_name(self) -> str:
        """Returns one of the documents that were added lately, and forgets those that are gone."""
        while True:
            place = self.source.randrange(max(0, len(self.names) - RECENT), len(self.names))
            if self.names[place] in self.outcome.model:
                return self.names[place]
            self.names.pop(place)

    def ask(self, method: str, target: str, body: Any, wanted: int) -> tuple[int, Any]:
        """Sends a request until it is not turned away. Returns status and content; none if it is
        another one than was wanted, which is a fault."""
        data = None if body is None else json.dumps(body)
        fields = {} if body is None else {"Content-Type": "application/json"}
        while True:
            self.connection.request(method, target, data, fields)
            answer = self.connection.getresponse()
            content = answer.read()
            self.outcome.statuses[answer.status] += 1
            if answer.status != 503:
                break
            self.expect("Retry-After" in answer.headers, f"503 without Retry-After: {content!r}")
            time.sleep(PAUSE_WHEN_REFUSED)
        if answer.status != wanted:
            self.expect(False, f"{method} {target}: {answer.status} {content[:200]!r}")
            return answer.status, None
        return answer.status, json.loads(content)

    def expect(self, is_right: bool, told: str) -> None:
        if not is_right:
            self.outcome.faults.append(told)


def run_worker(port: int, who: int, seed: int, most: float, requests: int, end: float) -> Outcome:
    return Worker(port, who, seed, most).work(requests, end)


def start(
    port: int,
    workers: int,
    requests: int,
    end: float = float("inf"),
    seed: int = 1,
    most: float = float("inf"),
) -> tuple[ProcessPoolExecutor, list[Future[Outcome]]]:
    """Starts worker processes, which share so many requests and keep `most` documents each."""
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
    each = requests // workers
    return pool, [
        pool.submit(run_worker, port, who, seed, most, each, end) for who in range(workers)
    ]


def lost(port: int, outcome: Outcome) -> list[str]:
    """Compares what a worker knows with what the server has. Returns what is not as it must be."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    wrong = []
    for name in [*outcome.model, *outcome.removed]:
        connection.request("GET", f"/v1/documents/{name}")
        answer = connection.getresponse()
        body = json.loads(answer.read())
        if name in outcome.removed:
            if answer.status != 404:
                wrong.append(f"{name} was removed, and is there")
        elif answer.status != 200 or body["metadata"] != {"version": outcome.model[name]}:
            wrong.append(f"{name} must have version {outcome.model[name]}: {body}")
    connection.close()
    return wrong
