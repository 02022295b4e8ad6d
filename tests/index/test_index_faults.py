"""Calls of the operating system fail at random: nothing crashes, hangs, lies or loses documents."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_index_durability import ACKNOWLEDGED, Rows, make_rows, write

ACTIONS = ("add", "load", "remove", "compact", "query")
CALLS = ("read", "write", "sync", "rename", "open", "unlink", "link", "truncate")
OLD = [row["id"] for row in ACKNOWLEDGED]
REMOVED = OLD[3:6]
SECONDS = 60  # after which a command counts as hanging; it takes less than one


@dataclass
class Plan:
    """A command, and which calls fail while it runs."""

    action: str
    calls: str
    one_in: int
    seed: int

    @classmethod
    def draw(cls, chance: random.Random) -> Plan:
        """Draws a plan; of rare calls more must fail, or mostly none would."""
        calls = chance.choice([*CALLS, ",".join(CALLS)])
        often = "read" in calls or "write" in calls
        one_in = round(10 ** chance.uniform(0.5, 2.7 if often else 1.2))
        return cls(chance.choice(ACTIONS), calls, one_in, chance.randrange(10**9))


class Faults:
    """A base index, and the right outcomes of commands on copies of it."""

    def __init__(self, binary: Path, folder: Path, library: Path, loaded: Rows) -> None:
        self.binary, self.folder, self.library = binary, folder, library
        self.log = folder / "fault-log"
        write(folder / "first.jsonl", ACKNOWLEDGED)
        write(folder / "late.jsonl", make_rows(3, 4, "late"))
        self.new = {"add": make_rows(2400, 2, "b"), "load": loaded}
        for action, rows in self.new.items():
            write(folder / f"{action}.jsonl", rows)
        self.call("create", "base", "--keep", "text")
        self.call("add", "base", "first.jsonl")
        self.call("compact", "base")
        self.answers = self.call("query", "base", "first.jsonl")
        self.counts = {
            "add": self.find_counts("add", ".log"),
            "load": self.find_counts("load", "MANIFEST"),
        }

    def call(self, *words: str) -> str:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.binary, "index", *words],
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )

    def copy(self) -> None:
        shutil.rmtree(self.folder / "faulty", ignore_errors=True)
        shutil.copytree(self.folder / "base", self.folder / "faulty")

    def ids(self) -> list[str]:
        return [json.loads(line)["id"] for line in self.call("list", "faulty").splitlines()]

    def find_counts(self, action: str, synced: str) -> list[int]:
        """Returns how many documents there are after each batch, or step of a load."""
        counts = {len(OLD)}
        syncs = 0
        while max(counts) < len(OLD) + len(self.new[action]):
            syncs += 1
            self.copy()
            at = {"KILL_FILES": synced, "KILL_AFTER_SYNC": str(syncs)}
            self.run(*self.words(action), LD_PRELOAD=str(self.library), **at)
            counts.add(len(self.ids()))
        return sorted(counts)

    def words(self, action: str) -> list[str]:
        rest = {"remove": REMOVED, "compact": [], "query": ["first.jsonl"]}
        return [action, "faulty", *rest.get(action, [f"{action}.jsonl"])]

    def wrong_in(self, plan: Plan) -> str:
        """Returns what was wrong about a command under faults, and after it; empty: nothing."""
        self.copy()
        self.log.unlink(missing_ok=True)
        environment = {
            "LD_PRELOAD": str(self.library),
            "FAIL_ONE_IN": str(plan.one_in),
            "FAIL_CALLS": plan.calls,
            "FAIL_SEED": str(plan.seed),
            "FAIL_BELOW": "faulty",
            "FAIL_LOG": str(self.log),
        }
        try:
            done = self.run(*self.words(plan.action), **environment)
        except subprocess.TimeoutExpired:
            return "it hangs"
        if done.returncode not in (0, 2):
            return f"exit code {done.returncode}: {done.stderr[-300:]}"
        if done.returncode == 2 and (done.stderr.count("\n") != 1 or len(done.stderr) < 10):
            return f"an error is not one line: {done.stderr!r}"
        if plan.action == "query":
            if done.returncode == 0 and done.stdout != self.answers:
                return "exit code 0 and wrong answers"
            if not self.answers.startswith(done.stdout):
                return "wrong answers before an error"
        return self.wrong_after(plan, whole=done.returncode == 0)

    def wrong_after(self, plan: Plan, whole: bool) -> str:
        check = self.run("check", "faulty")
        if check.returncode != 0:
            return f"later, check: {check.stderr}"
        ids = self.ids()
        if plan.action in ("add", "load"):
            counts = self.counts[plan.action]
            if ids[: len(OLD)] != OLD:
                return "acknowledged documents are lost"
            if ids[len(OLD) :] != [f"b{i}" for i in range(len(ids) - len(OLD))]:
                return "documents are missing in between"
            if len(ids) not in (counts[-1:] if whole else counts):
                return f"{len(ids)} documents instead of one of {counts}"
        elif plan.action == "remove":
            left = [name for name in OLD if name not in REMOVED]
            if ids not in ([left] if whole else [OLD, left]):
                return f"there are {ids}"
        elif ids != OLD:
            return f"there are {ids}"
        # The next writer can go on as if nothing had been.
        again = self.run("add", "faulty", "late.jsonl")
        return "" if again.returncode == 0 else f"later, add: {again.stderr}"


@pytest.fixture(scope="module")
def faults(binary: Path, tmp_path_factory: pytest.TempPathFactory, crash_library: Path) -> Faults:
    return Faults(binary, tmp_path_factory.mktemp("faults"), crash_library, make_rows(1000, 2, "b"))


@pytest.fixture(scope="module")
def with_long_loads(
    binary: Path, tmp_path_factory: pytest.TempPathFactory, crash_library: Path
) -> Faults:
    """Its loads have several steps, of 40,000 documents each."""
    rows = make_rows(90_000, 2, "b", 12)
    return Faults(binary, tmp_path_factory.mktemp("faults"), crash_library, rows)


def check_rounds(faults: Faults, plans: list[Plan]) -> None:
    wrong: list[str] = []
    struck = 0
    for plan in plans:
        what = faults.wrong_in(plan)
        struck += faults.log.exists()
        if what:
            failed = faults.log.read_text().splitlines()[-5:] if faults.log.exists() else []
            wrong.append(f"{plan}: {what}\n  the last calls that failed: {failed}")
    assert wrong == [], f"{len(wrong)} of {len(plans)} rounds:\n" + "\n".join(wrong)
    assert struck > len(plans) / 2, "few calls failed"


def draw(seed: int, rounds: int) -> list[Plan]:
    chance = random.Random(seed)
    return [Plan.draw(chance) for _ in range(rounds)]


def test_faults_make_errors_and_lose_nothing(faults: Faults) -> None:
    check_rounds(faults, draw(seed=1, rounds=8))


def test_a_compaction_that_cannot_open_the_index_again_says_so(faults: Faults) -> None:
    """It used to crash after such faults."""
    plans = [("rename", 11, 593628450), ("rename", 2, 1), ("write", 39, 507069464)]
    check_rounds(faults, [Plan("compact", *plan) for plan in plans])


@pytest.mark.slow
def test_many_faults_make_errors_and_lose_nothing(with_long_loads: Faults) -> None:
    assert len(with_long_loads.counts["load"]) >= 3
    # The first ones hung, while they waited for merges, or ended inside of RocksDB.
    known = [("write", 80, 279553019), ("read", 55, 242234380), ("write", 111, 649742546)]
    plans = [Plan("load", *plan) for plan in known]
    check_rounds(with_long_loads, plans + draw(seed=2, rounds=300))
