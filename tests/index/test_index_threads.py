"""Several threads of a process change an index at the same time."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

lookalike = pytest.importorskip("lookalike")
if not hasattr(lookalike, "Index"):
    pytest.skip("the Python package has no Index", allow_module_level=True)

THREADS = 8

ADDING = f"""
import json, sys, threading
import lookalike

outcomes = []
with lookalike.Index.create(sys.argv[1], shingle="word:1", clusters=False) as index:
    def add(thread):
        for batch in range(20):
            try:
                index.add([(f"{{thread}}-{{batch}}", f"t{{thread}} b{{batch}} x{{thread * 100 + batch}}")])
                outcomes.append("stored")
            except lookalike.RunError as error:
                outcomes.append(str(error))
    threads = [threading.Thread(target=add, args=(number,)) for number in range({THREADS})]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print(json.dumps(outcomes))
"""


def add_in_threads(folder: Path, crash_library: Path, **environment: str) -> list[str]:
    """Returns the outcome of 160 batches of one document, 20 of each of 8 threads."""
    done = subprocess.run(
        [sys.executable, "-c", ADDING, folder],
        env={**os.environ, "LD_PRELOAD": str(crash_library), **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    outcomes: list[str] = json.loads(done.stdout)
    return outcomes


def test_batches_of_several_threads_share_syncs(
    index: Callable[..., Any], tmp_path: Path, crash_library: Path
) -> None:
    log = tmp_path / "sync-log"
    outcomes = add_in_threads(tmp_path / "seen", crash_library, SYNC_LOG=str(log), SLOW_SYNC="5000")
    assert outcomes == ["stored"] * 160
    syncs = log.read_text().split("\n").count("L")
    assert 20 <= syncs <= 80, "a thread waits for its own sync, eight threads for one"
    assert index("check", tmp_path / "seen", "--json").json["documents"] == 160


def test_after_a_sync_that_failed_nothing_is_acknowledged(
    index: Callable[..., Any], tmp_path: Path, crash_library: Path
) -> None:
    slow = {"SLOW_SYNC": "2000"}
    # The first sync is that of the creation; each of the next four is one of a batch or more.
    outcomes = add_in_threads(tmp_path / "seen", crash_library, FAIL_SYNC="6", **slow)
    stored = outcomes.count("stored")
    assert 4 <= stored < 80
    assert all("error" in outcome.lower() for outcome in outcomes if outcome != "stored")
    assert index("check", tmp_path / "seen", "--json").json["documents"] >= stored


def offers(originals: int, copies: int) -> list[tuple[str, str]]:
    """Near-copies of some texts, in random order."""
    chance = random.Random(5)
    made = []
    for number in range(originals):
        words = [f"w{chance.randrange(10**7)}" for _ in range(60)]
        for copy in range(copies):
            made.append((f"{number}-{copy}", " ".join([*words, f"copy{copy}"])))
    chance.shuffle(made)
    return made


@pytest.mark.parametrize("originals", [500, pytest.param(12_500, marks=pytest.mark.slow)])
def test_one_of_racing_near_copies_is_added(tmp_path: Path, originals: int) -> None:
    """Eight threads offer eight near-copies of each text; texts are alike at .97 and more."""
    made = offers(originals, 8)
    added: list[str] = []
    with lookalike.Index.create(tmp_path / "seen", shingle="word:1", clusters=False) as index:

        def offer(thread: int) -> None:
            for at in range(thread * 10, len(made), THREADS * 10):
                outcomes = index.add(made[at : at + 10], unless_similar=0.8).outcomes
                added.extend(one.id for one in outcomes if one.outcome == "added")

        threads = [threading.Thread(target=offer, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(index) == originals
    assert len({name.split("-")[0] for name in added}) == originals == len(added)
