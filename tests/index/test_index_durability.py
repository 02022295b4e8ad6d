"""An index survives kills, power losses, damage, full disks and other processes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from log_file import data_of

DOCUMENTS = 2400
Rows = list[dict[str, str]]


def make_rows(count: int, seed: int, prefix: str, words: int = 250) -> Rows:
    chance = random.Random(seed)
    return [
        {
            "id": f"{prefix}{i}",
            "text": " ".join(f"w{chance.randrange(10**6)}" for _ in range(words)),
        }
        for i in range(count)
    ]


def write(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


ACKNOWLEDGED = make_rows(20, 1, "a")


def run_until(
    command: list[str | Path], folder: Path, seconds: float, environment: dict[str, str]
) -> int:
    """Returns the exit code of a command that is killed after so many seconds."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return process.returncode


def known_sizes(base: Path, copy: Path) -> dict[int, int]:
    """Returns the sizes of the files that a copy of an index began with, by inode."""
    pairs = [(path, copy / path.relative_to(base)) for path in base.rglob("*") if path.is_file()]
    return {made.stat().st_ino: path.stat().st_size for path, made in pairs if made.exists()}


class Batches:
    """An index with acknowledged documents, and the counts that whole batches lead to."""

    action = "add"
    options: tuple[str, ...] = ()
    documents = DOCUMENTS

    def __init__(self, binary: Path, folder: Path, crash_library: Path) -> None:
        self.binary, self.folder, self.library = binary, folder, crash_library
        self.corpus = write(folder / "more.jsonl", make_rows(self.documents, 2, "b"))
        self.call("create", "base")
        self.call("add", "base", str(write(folder / "first.jsonl", ACKNOWLEDGED)))
        self.counts = self.find_counts()
        begin = time.monotonic()
        self.add_and_kill("timed", 60)
        self.seconds = time.monotonic() - begin

    def find_counts(self) -> list[int]:
        counts = [len(ACKNOWLEDGED)]
        while counts[-1] < len(ACKNOWLEDGED) + self.documents:
            counts.append(self.count_after_kill(KILL_AFTER_SYNC=str(len(counts))))
        return counts

    def call(self, *words: str) -> str:
        done = subprocess.run(
            [self.binary, "index", *words], cwd=self.folder, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def add_and_kill(self, name: str, seconds: float, **environment: str) -> int:
        """Adds the corpus to a fresh copy of the index; returns the exit code."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(self.folder / "base", self.folder / name)
        command = [self.binary, "index", self.action, name, self.corpus, *self.options]
        preloaded = {"LD_PRELOAD": str(self.library), **environment}
        return run_until(command, self.folder, seconds, preloaded)

    def known_sizes(self, name: str) -> dict[int, int]:
        return known_sizes(self.folder / "base", self.folder / name)

    def count_after_kill(self, **environment: str) -> int:
        self.add_and_kill("killed", 60, **environment)
        return len(self.ids("killed"))

    def ids(self, name: str) -> list[str]:
        return [json.loads(line)["id"] for line in self.call("list", name).splitlines()]

    def check(self, name: str) -> int:
        """Returns how many documents are there, after all checks."""
        self.call("check", name)
        ids = self.ids(name)
        assert ids == [f"a{i}" for i in range(20)] + [f"b{i}" for i in range(len(ids) - 20)]
        assert len(ids) in self.counts, "a batch is there by half"
        return len(ids)


class Loads(Batches):
    """The same with `load`, whose steps are files that the list of files names."""

    action = "load"
    options = ("--memory", "64M")  # an eighth of it for each step
    documents = 16_000

    def find_counts(self) -> list[int]:
        counts, syncs = [len(ACKNOWLEDGED)], 0
        while counts[-1] < len(ACKNOWLEDGED) + self.documents:
            syncs += 1
            count = self.count_after_kill(KILL_FILES="MANIFEST", KILL_AFTER_SYNC=str(syncs))
            if count != counts[-1]:
                counts.append(count)
        return counts


@pytest.fixture(scope="module")
def loads(binary: Path, tmp_path_factory: pytest.TempPathFactory, crash_library: Path) -> Loads:
    return Loads(binary, tmp_path_factory.mktemp("loads"), crash_library)


@pytest.fixture(scope="module")
def batches(binary: Path, tmp_path_factory: pytest.TempPathFactory, crash_library: Path) -> Batches:
    return Batches(binary, tmp_path_factory.mktemp("batches"), crash_library)


def sizes(folder: Path) -> dict[int, int]:
    files = [path.stat() for path in folder.rglob("*") if path.is_file()]
    return {file.st_ino: file.st_size for file in files}


def lose_power(folder: Path, before: dict[int, int], log: Path) -> int:
    """Takes away what was not synced; returns how often a write-ahead log was synced."""
    synced = dict(before)
    names: dict[int, dict[str, int]] = {}  # of synced folders: name -> inode
    logs = 0
    for line in log.read_text().splitlines() if log.exists() else []:
        kind, *rest = line.split(" ", 2)
        if kind == "C":
            synced[int(rest[0])] = 0
        elif kind == "S":
            synced[int(rest[0])] = int(rest[1])
        elif kind == "D":
            entries = [entry.partition("=") for entry in rest[1].split("/") if entry]
            names[int(rest[0])] = {name: int(inode) for inode, _, name in entries}
        else:
            logs += 1
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        inode, size = path.stat().st_ino, path.stat().st_size
        known = names.get(path.parent.stat().st_ino, {})
        # A file that took the place of another cannot be taken away from it here. Journals keep the
        # order of changes of names, so that those before this one are there, too.
        is_replaced = any(
            (path.parent / name).exists() and (path.parent / name).stat().st_ino != inode_then
            for name, inode_then in known.items()
        )
        if inode not in before and path.name not in known and not is_replaced:
            path.unlink()
        elif synced.get(inode, 0) < size:
            os.truncate(path, synced.get(inode, 0))
    return logs


def test_batches_are_of_about_a_megabyte(batches: Batches) -> None:
    steps = [b - a for a, b in zip(batches.counts, batches.counts[1:], strict=False)]
    assert len(steps) >= 3
    assert all(step > 0 for step in steps)


def kill_and_check(batches: Batches, seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    codes = []
    for _ in range(rounds):
        codes.append(batches.add_and_kill("killed", chance.random() * batches.seconds))
        count = batches.check("killed")
        assert codes[-1] != 0 or count == batches.counts[-1]
    assert -signal.SIGKILL in codes
    assert set(codes) <= {0, -signal.SIGKILL}
    batches.call(batches.action, "killed", str(batches.corpus))
    assert batches.check("killed") == batches.counts[-1]


def test_a_kill_leaves_whole_batches(batches: Batches) -> None:
    kill_and_check(batches, seed=1, rounds=10)


@pytest.mark.slow
def test_many_kills_leave_whole_batches(batches: Batches) -> None:
    kill_and_check(batches, seed=2, rounds=100)


def test_a_load_has_several_steps(loads: Loads) -> None:
    assert len(loads.counts) >= 3


def test_a_kill_of_a_load_leaves_whole_steps(loads: Loads) -> None:
    kill_and_check(loads, seed=3, rounds=3)


def test_what_a_killed_load_left_is_removed(loads: Loads) -> None:
    loads.add_and_kill("killed", 60, KILL_FILES="postings", KILL_BEFORE_SYNC="2")
    made = loads.folder / "killed" / "data" / "made"
    assert list(made.iterdir())
    loads.call("remove", "killed", "a0")
    assert not made.exists()


@pytest.mark.slow
def test_many_kills_of_loads_leave_whole_steps(loads: Loads) -> None:
    kill_and_check(loads, seed=4, rounds=100)


def lose_power_and_check(batches: Batches, seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    log = batches.folder / "sync-log"
    codes = []
    for _ in range(rounds):
        log.write_text("")
        seconds = chance.random() * batches.seconds
        codes.append(batches.add_and_kill("lost", seconds, SYNC_LOG=str(log)))
        syncs = lose_power(batches.folder / "lost", batches.known_sizes("lost"), log)
        assert batches.check("lost") >= batches.counts[min(syncs, len(batches.counts) - 1)]
    assert -signal.SIGKILL in codes


def test_a_power_loss_leaves_whole_batches(batches: Batches) -> None:
    lose_power_and_check(batches, seed=1, rounds=5)


@pytest.mark.slow
def test_many_power_losses_leave_whole_batches(batches: Batches) -> None:
    lose_power_and_check(batches, seed=2, rounds=100)


def test_a_power_loss_in_a_load_leaves_whole_steps(loads: Loads) -> None:
    lose_power_and_check(loads, seed=3, rounds=2)


@pytest.mark.slow
def test_many_power_losses_in_loads_leave_whole_steps(loads: Loads) -> None:
    lose_power_and_check(loads, seed=4, rounds=100)


def test_a_step_of_a_load_is_durable_with_the_list_of_files(loads: Loads) -> None:
    """Each state that a sync of the list of files makes is one that a power loss leaves."""
    log = loads.folder / "sync-log"
    for sync in range(1, 6):
        log.write_text("")
        at_sync = {"KILL_FILES": "MANIFEST", "KILL_AFTER_SYNC": str(sync)}
        loads.add_and_kill("lost", 60, SYNC_LOG=str(log), **at_sync)
        reached = loads.ids("lost")
        lose_power(loads.folder / "lost", loads.known_sizes("lost"), log)
        loads.check("lost")
        assert loads.ids("lost") == reached


def test_a_batch_that_was_not_synced_is_lost_whole(batches: Batches) -> None:
    """The simulation takes away what only the page cache had; a mere kill does not."""
    log = batches.folder / "sync-log"
    log.write_text("")
    batches.add_and_kill("lost", 60, SYNC_LOG=str(log), KILL_BEFORE_SYNC="2")
    shutil.copytree(batches.folder / "lost", batches.folder / "kept")
    assert batches.check("kept") == batches.counts[2]
    assert lose_power(batches.folder / "lost", batches.known_sizes("lost"), log) == 1
    assert batches.check("lost") == batches.counts[1]


def test_a_new_index_survives_a_power_loss(
    index: Callable[..., Any], tmp_path: Path, crash_library: Path
) -> None:
    log = tmp_path / "sync-log"
    log.write_text("")
    preloaded = {"LD_PRELOAD": str(crash_library), "SYNC_LOG": str(log)}
    index("create", "seen", env=preloaded)
    index("add", "seen", write(tmp_path / "in.jsonl", ACKNOWLEDGED), env=preloaded)
    lose_power(tmp_path / "seen", {}, log)
    assert index("check", "seen", "--json").json["documents"] == len(ACKNOWLEDGED)


def test_a_backup_survives_a_power_loss(
    index: Callable[..., Any], tmp_path: Path, crash_library: Path
) -> None:
    index("create", "seen")
    index("add", "seen", write(tmp_path / "in.jsonl", ACKNOWLEDGED))
    log = tmp_path / "sync-log"
    log.write_text("")
    known = sizes(tmp_path / "seen")  # files that the backup shares
    index("backup", "seen", "copy", env={"LD_PRELOAD": str(crash_library), "SYNC_LOG": str(log)})
    lose_power(tmp_path / "copy", known, log)
    assert index("check", "copy", "--json").json["documents"] == len(ACKNOWLEDGED)


DAMAGED_ROWS = make_rows(6, 3, "d", 120) + [
    {**row, "id": f"e{row['id']}"} for row in make_rows(6, 3, "d", 120)
]


LATE_ROWS = make_rows(2, 4, "late", 120)


@pytest.fixture(scope="module")
def sound(binary: Path, tmp_path_factory: pytest.TempPathFactory, crash_library: Path) -> Path:
    """A folder with the index `sound`, which has each kind of file.

    Its last documents are in the log, because their writer was killed; `closed` has none there.
    """
    folder = tmp_path_factory.mktemp("sound")
    rows = write(folder / "rows.jsonl", DAMAGED_ROWS)
    late = write(folder / "late.jsonl", LATE_ROWS)

    def run(*words: str | Path, **environment: str) -> int:
        command = [binary, "index", *words]
        environment = {**os.environ, **environment}
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=False
        ).returncode

    for words in (["create", "sound"], ["add", "sound", rows], ["compact", "sound"]):
        assert run(*words) == 0
    shutil.copytree(folder / "sound", folder / "closed")
    assert run("add", "closed", late) == 0
    killed = run("add", "sound", late, LD_PRELOAD=str(crash_library), KILL_AFTER_SYNC="1")
    assert killed == -signal.SIGKILL
    assert len(logs_with_data(folder / "sound")) == 1
    assert logs_with_data(folder / "closed") == []
    with open(folder / "answers.jsonl", "wb") as answers:
        asked = [str(binary), "index", "query", "sound", str(rows)]
        subprocess.run(asked, cwd=folder, check=True, stdout=answers)
    return folder


def logs_with_data(folder: Path) -> list[Path]:
    return [path for path in data_of(folder).glob("*.log") if path.stat().st_size > 0]


def flip(path: Path, place: int | None = None) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if place is None else place] ^= 0x40
    path.write_bytes(data)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def damaged(
    index: Callable[..., Any], sound: Path, folder: Path, kind: str, harm: Callable[[Path], None]
) -> tuple[Any, list[Any]]:
    """Damages each file of a kind; returns the true answers and what each command then says."""
    rows = sound / "rows.jsonl"
    files = [path.relative_to(sound / "sound") for path in (sound / "sound").rglob(kind)]
    files = [name for name in files if (sound / "sound" / name).stat().st_size > 0]
    assert files
    true = (sound / "answers.jsonl").read_text().splitlines()
    said = []
    for name in files:
        shutil.rmtree(folder / "hurt", ignore_errors=True)
        shutil.copytree(sound / "sound", folder / "hurt")
        harm(folder / "hurt" / name)
        check = index("check", "hurt", code=None)
        asked = index("query", "hurt", rows, code=None)
        listed = index("list", "hurt", code=None)
        said.append((name, check, asked, listed))
    return true, said


@pytest.mark.parametrize("harm", [flip, halve], ids=["flip", "halve"])
@pytest.mark.parametrize("kind", ["*.sst", "*.log", "MANIFEST*", "CURRENT"])
def test_damage_is_noticed_and_never_makes_a_wrong_answer(
    index: Callable[..., Any],
    sound: Path,
    tmp_path: Path,
    kind: str,
    harm: Callable[[Path], None],
) -> None:
    true, said = damaged(index, sound, tmp_path, kind, harm)
    for name, check, asked, listed in said:
        assert {asked.code, listed.code} <= {0, 2}, name
        lines = asked.stdout.splitlines()
        assert lines == (true if asked.code == 0 else true[: len(lines)]), name
        if (kind, harm) != ("*.log", halve):  # like the torn end that a crash leaves
            assert check.code == 2, name
            assert check.stderr.startswith("hurt"), name


def listed_ids(index: Callable[..., Any], name: str) -> list[str]:
    return [json.loads(line)["id"] for line in index("list", name).stdout.splitlines()]


OLD_IDS = [row["id"] for row in DAMAGED_ROWS]
ALL_IDS = OLD_IDS + [row["id"] for row in LATE_ROWS]


def cut_length(path: Path) -> None:
    """Damages the length of the first record."""
    flip(path, 5)


@pytest.mark.parametrize("harm", [Path.unlink, halve, cut_length], ids=["lost", "halved", "length"])
def test_a_log_that_looks_torn_loses_its_batch_whole(
    index: Callable[..., Any], sound: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """What a crash left in a log cannot be told from its torn end, but is never there by half."""
    shutil.copytree(sound / "sound", tmp_path / "hurt")
    assert listed_ids(index, "hurt") == ALL_IDS
    harm(logs_with_data(tmp_path / "hurt")[0])
    check = index("check", "hurt", code=None)
    if check.code != 0:
        assert (check.code, check.stderr[:4]) == (2, "hurt")
        return
    assert check.stdout == f"hurt: all of {len(OLD_IDS)} documents is as it was stored\n"
    assert listed_ids(index, "hurt") == OLD_IDS
    asked = index("query", "hurt", sound / "rows.jsonl")
    assert asked.stdout == (sound / "answers.jsonl").read_text()
    index("add", "hurt", sound / "late.jsonl")
    assert listed_ids(index, "hurt") == ALL_IDS
    index("check", "hurt")


@pytest.mark.parametrize("place", range(5))
def test_damage_of_any_part_of_a_log_never_leaves_half_a_batch(
    index: Callable[..., Any], tmp_path: Path, crash_library: Path, place: int
) -> None:
    """Three batches: the last two are in the log."""
    index("create", "seen")
    index("add", "seen", write(tmp_path / "in.jsonl", make_rows(3, 5, "d", 50)))
    # A removal has steps of 1,000 ids; this one is killed after its second step.
    ids = ["d0", *[f"gone{i}" for i in range(999)], "d1", *[f"gone{i}" for i in range(999)], "d2"]
    killed = {"LD_PRELOAD": str(crash_library), "KILL_AFTER_SYNC": "2"}
    index("remove", "seen", *ids, env=killed, code=-signal.SIGKILL)
    (log,) = logs_with_data(tmp_path / "seen")
    shutil.copytree(tmp_path / "seen", tmp_path / "whole")
    flip(log, log.stat().st_size * place // 5 if place > 0 else 4)
    assert listed_ids(index, "whole") == ["d2"]
    check = index("check", "seen", code=None)
    if check.code == 0:
        assert listed_ids(index, "seen") in (["d0", "d1", "d2"], ["d1", "d2"])
    else:
        assert (check.code, check.stderr[:4]) == (2, "seen")
        assert index("list", "seen", code=2).stdout == ""


def spoil(path: Path) -> None:
    path.write_bytes(b"these bytes are no log" * 40)


@pytest.mark.parametrize(
    ("end", "harm"),
    [("add", Path.unlink), ("add", spoil), ("remove", Path.unlink), ("compact", spoil)],
    ids=["add-lost", "add-spoilt", "remove-lost", "compact-spoilt"],
)
def test_after_a_clean_end_no_log_is_needed(
    index: Callable[..., Any], sound: Path, tmp_path: Path, end: str, harm: Callable[[Path], None]
) -> None:
    shutil.copytree(sound / "closed", tmp_path / "seen")
    expected = ALL_IDS
    if end == "remove":
        expected = ALL_IDS[1:]
        index("remove", "seen", ALL_IDS[0])
    elif end == "compact":
        index("compact", "seen")
    assert logs_with_data(tmp_path / "seen") == []
    for log in data_of(tmp_path / "seen").glob("*.log"):
        harm(log)
    assert index("check", "seen", "--json").json == {"intact": True, "documents": len(expected)}
    assert listed_ids(index, "seen") == expected
    index("remove", "seen", ALL_IDS[1])
    index("check", "seen")
    assert listed_ids(index, "seen") == [name for name in expected if name != ALL_IDS[1]]


def test_a_missing_file_is_named(index: Callable[..., Any], sound: Path, tmp_path: Path) -> None:
    for kind in ("*.sst", "MANIFEST*"):
        _, said = damaged(index, sound, tmp_path, kind, Path.unlink)
        for name, check, asked, _ in said:
            assert check.code == 2
            assert name.stem in check.stderr
            assert asked.code == 2


def test_errors_are_one_line(index: Callable[..., Any], sound: Path, tmp_path: Path) -> None:
    _, said = damaged(index, sound, tmp_path, "*.log", flip)
    for _, check, asked, listed in said:
        assert [done.stderr.count("\n") for done in (check, asked, listed)] == [1, 1, 1]


@pytest.fixture
def writer(binary: Path, index: Callable[..., Any], tmp_path: Path) -> Iterator[Any]:
    """A process that holds the index `seen`, which has two documents, and waits for input."""
    index("create", "seen")
    rows = make_rows(1, 6, "d", 30)
    index("add", "seen", write(tmp_path / "in.jsonl", [*rows, {**rows[0], "id": "e"}]))
    process = subprocess.Popen(
        [binary, "index", "add", "seen", "-"], cwd=tmp_path, stdin=subprocess.PIPE
    )
    holder = tmp_path / "seen" / "holder.json"
    deadline = time.monotonic() + 30
    while not (holder.exists() and holder.read_text().endswith("\n")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    yield process
    process.kill()
    process.wait()


def wait_for_quiet(folder: Path) -> None:
    """Waits until no file comes or goes any more."""
    before: list[str] = []
    while (now := sorted(os.listdir(folder))) != before:
        before = now
        time.sleep(0.3)


def test_a_second_writer_is_refused_with_the_process(
    index: Callable[..., Any], tmp_path: Path, writer: Any
) -> None:
    holder = json.loads((tmp_path / "seen" / "holder.json").read_text())
    assert holder.keys() == {"host", "process", "since"}
    for words in (["add", "seen", "in.jsonl"], ["remove", "seen", "d0"], ["compact", "seen"]):
        refused = index(*words, code=2)
        said = f"process {writer.pid} on {os.uname().nodename} writes to the index since "
        assert refused.stderr == f"seen: {said}{holder['since']}\n"
    writer.kill()
    writer.wait()
    assert index("remove", "seen", "d0", "--json").json["removed"] == 1
    assert not (tmp_path / "seen" / "holder.json").exists()


def test_readers_work_beside_a_writer(
    index: Callable[..., Any], tmp_path: Path, writer: Any
) -> None:
    wait_for_quiet(data_of(tmp_path / "seen"))
    assert index("query", "seen", "--id", "d0").stdout == "1.0000  e\n"
    for action in ("check", "list", "stats"):
        index(action, "seen")
    index("backup", "seen", "copy")
    writer.communicate(json.dumps({"id": "late", "text": "a late text"}).encode())
    assert writer.returncode == 0
    assert index("stats", "seen", "--json").json["documents"] == 3
    assert index("check", "copy", "--json").json["documents"] == 2


@pytest.mark.slow
def test_readers_never_fail_while_files_come_and_go(
    index: Callable[..., Any], tmp_path: Path
) -> None:
    index("create", "seen")
    rows = make_rows(40, 7, "d", 60)
    index("add", "seen", write(tmp_path / "in.jsonl", [*rows, {**rows[0], "id": "e"}]))
    extra = write(tmp_path / "extra.jsonl", make_rows(2, 8, "x", 60))
    failed: list[str] = []
    reads = 0
    done = threading.Event()

    def change() -> None:
        for _ in range(20):
            for words in (["add", "seen", extra], ["compact", "seen"], ["remove", "seen", "x0"]):
                index(*words)
        done.set()

    thread = threading.Thread(target=change)
    thread.start()
    while not done.is_set() and thread.is_alive():
        answer = index("query", "seen", "--id", "d0", code=None)
        reads += 1
        if answer.stdout != "1.0000  e\n":
            failed.append(f"{answer.code} {answer.stdout}{answer.stderr}")
    thread.join()
    assert reads > 5
    assert failed == [], f"{len(failed)} of {reads} reads failed"


@pytest.mark.parametrize("place", ["log", "tables"])
def test_a_reader_that_is_overtaken_by_a_writer_sees_all_that_was_acknowledged(
    binary: Path, index: Callable[..., Any], tmp_path: Path, crash_library: Path, place: str
) -> None:
    """The reader is stopped behind the list of files while a writer replaces all of them."""
    index("create", "seen")
    index("add", "seen", write(tmp_path / "in.jsonl", make_rows(2, 9, "d", 60)))
    if place == "tables":
        index("compact", "seen")
    paused = tmp_path / "paused"
    reader = subprocess.Popen(
        [binary, "index", "list", "seen"],
        cwd=tmp_path,
        env={
            **os.environ,
            "LD_PRELOAD": str(crash_library),
            "PAUSE_AT": "IDENTITY",
            "PAUSE_FILE": str(paused),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while not paused.exists():
            assert reader.poll() is None
            time.sleep(0.01)
        index("add", "seen", write(tmp_path / "in.jsonl", make_rows(1, 10, "late", 60)))
        if place == "tables":
            index("compact", "seen")
        paused.unlink()
        listed, errors = reader.communicate(timeout=60)
    finally:
        reader.kill()
        reader.wait()
    assert reader.returncode == 0, errors
    assert [json.loads(line)["id"] for line in listed.splitlines()] == ["d0", "d1", "late0"]


def wait_for_files(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Waits until a process has opened an index, and waits for its input."""
    begin = time.monotonic()
    quiet, before = begin, ""
    while time.monotonic() < quiet + 0.5:
        assert process.poll() is None and time.monotonic() < begin + 30
        try:
            opened = [os.path.realpath(file) for file in Path(f"/proc/{process.pid}/fd").iterdir()]
        except FileNotFoundError:  # it was closed meanwhile
            continue
        now = "".join(sorted(name for name in opened if str(folder) in name))
        if now != before or ".sst" not in now:
            quiet, before = time.monotonic(), now
        time.sleep(0.02)


def test_a_reader_answers_on_after_a_writer_compacted(
    binary: Path, index: Callable[..., Any], tmp_path: Path
) -> None:
    """Its files are gone, and it still sees the state at its opening."""
    index("create", "seen", "--keep", "text")
    rows = make_rows(30, 11, "d", 60)
    index("add", "seen", write(tmp_path / "in.jsonl", rows))
    reader = subprocess.Popen(
        [binary, "index", "query", "seen", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        wait_for_files(reader, tmp_path / "seen")
        before = {path.name for path in data_of(tmp_path / "seen").glob("*.sst")}
        index("remove", "seen", *[row["id"] for row in rows[:20]])
        index("add", "seen", write(tmp_path / "late.jsonl", make_rows(5, 12, "late", 60)))
        index("compact", "seen")
        assert not before & {path.name for path in data_of(tmp_path / "seen").glob("*.sst")}
        said, errors = reader.communicate((tmp_path / "in.jsonl").read_bytes(), timeout=60)
    finally:
        reader.kill()
        reader.wait()
    assert (reader.returncode, errors) == (0, b"")
    answers = [json.loads(line) for line in said.splitlines()]
    assert [[match["id"] for match in answer["matches"]] for answer in answers] == [
        [row["id"]] for row in rows
    ]
    assert len(listed_ids(index, "seen")) == 15


def test_a_reader_of_python_answers_on_after_a_writer_compacted(
    index: Callable[..., Any], tmp_path: Path
) -> None:
    lookalike = pytest.importorskip("lookalike")
    if not hasattr(lookalike, "Index"):
        pytest.skip("the Python package has no Index")
    index("create", "seen", "--keep", "text")
    rows = make_rows(30, 13, "d", 60)
    index("add", "seen", write(tmp_path / "in.jsonl", rows))
    with lookalike.Index(tmp_path / "seen") as reader:
        for late in range(2):
            index("remove", "seen", *[row["id"] for row in rows[late * 10 : late * 10 + 10]])
            index("add", "seen", write(tmp_path / "late.jsonl", make_rows(3, 14, f"l{late}", 60)))
            index("compact", "seen")
            for row in rows:
                matches = reader.query(row["text"], exhaustive=late == 1).matches
                assert [match.id for match in matches] == [row["id"]]
                assert reader.get(row["id"]).text == row["text"]
            assert reader.stats().documents == 30
    with lookalike.Index(tmp_path / "seen") as reader:
        assert reader.stats().documents == 16
        reader.check()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 40 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def resize(disk: Path, megabytes: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={megabytes}m", str(disk)], check=True)


def fill(disk: Path, left: int) -> Path:
    """Makes a file so large that so many bytes are left."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    with open(filler, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(disk).free - left)
    return filler


def assert_refused(done: Any) -> None:
    assert "the disk is nearly full: " in done.stderr
    assert "bytes are left, and " in done.stderr
    assert "free some space and try again. Nothing of this batch is stored" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("action", "room"), [("add", 17), pytest.param("add", 26, marks=pytest.mark.slow), ("load", 20)]
)
def test_a_full_disk_loses_nothing_that_was_acknowledged(
    index: Callable[..., Any],
    tmp_path: Path,
    small_disk: Path,
    batches: Batches,
    action: str,
    room: int,
) -> None:
    index("create", "small/seen")
    index("add", "small/seen", write(tmp_path / "first.jsonl", ACKNOWLEDGED))
    filler = fill(small_disk, room << 20)
    assert_refused(index(action, "small/seen", batches.corpus, code=2))
    first = [row["id"] for row in ACKNOWLEDGED]
    ids = listed_ids(index, "small/seen")
    assert ids == first + [f"b{i}" for i in range(len(ids) - len(first))]
    if action == "add":
        assert len(ids) in batches.counts[:-1]
    else:
        assert len(ids) == len(first)
    index("check", "small/seen")
    # It is refused again, which changes nothing, until there is room.
    fill(small_disk, 1 << 20)
    assert_refused(index(action, "small/seen", batches.corpus, code=2))
    assert_refused(index("remove", "small/seen", "a0", code=2))
    assert listed_ids(index, "small/seen") == ids
    filler.unlink()
    resize(small_disk, 256)
    counts = index(action, "small/seen", batches.corpus, "--json").json
    assert counts["unchanged"] == len(ids) - len(first)
    assert listed_ids(index, "small/seen") == first + [f"b{i}" for i in range(DOCUMENTS)]
    index("check", "small/seen")


@pytest.mark.parametrize("action", ["add", "load"])
def test_what_has_not_been_written_needs_no_more_room_than_it_takes(
    index: Callable[..., Any], small_disk: Path, batches: Batches, action: str
) -> None:
    """16 MB are left free, and twice what is in memory: not much of 5 MB of texts."""
    resize(small_disk, 64)
    index("create", "small/seen")
    for count in (DOCUMENTS, 0):
        added = index(action, "small/seen", batches.corpus, "--json")
        assert added.json["added"] == count


def test_adding_goes_on_in_the_same_process_when_room_is_made(
    binary: Path, index: Callable[..., Any], tmp_path: Path, small_disk: Path
) -> None:
    lookalike = pytest.importorskip("lookalike")
    if not hasattr(lookalike, "Index"):
        pytest.skip("the Python package has no Index")
    index("create", "small/seen")
    late = [(row["id"], row["text"]) for row in make_rows(10, 15, "late")]
    with lookalike.Index(small_disk / "seen", "w") as writer:
        writer.add([(row["id"], row["text"]) for row in ACKNOWLEDGED])
        filler = fill(small_disk, 1 << 20)
        for _ in range(3):
            with pytest.raises(lookalike.RunError, match="the disk is nearly full"):
                writer.add(late)
        filler.unlink()
        resize(small_disk, 256)
        assert writer.add(late).added == 10
    assert index("check", "small/seen", "--json").json["documents"] == 30


def test_a_creation_on_a_full_disk_can_be_repeated(
    index: Callable[..., Any], small_disk: Path
) -> None:
    filler = fill(small_disk, 8 << 20)
    assert_refused(index("create", "small/seen", code=2))
    filler.unlink()
    index("create", "small/seen")
    index("check", "small/seen")


def test_a_merge_or_backup_that_finds_the_disk_full_leaves_no_index(
    index: Callable[..., Any], small_disk: Path, batches: Batches, tmp_path: Path
) -> None:
    index("create", "seen")
    index("load", "seen", batches.corpus)
    fill(small_disk, 21 << 20)
    assert_refused(index("merge", "seen", "seen", "-o", "small/all", code=2))
    assert not (small_disk / "all").exists()
    fill(small_disk, 1 << 20)
    copied = index("backup", "seen", "small/copy", code=2)
    assert copied.stderr.count("\n") == 1
    assert not (small_disk / "copy" / "format").exists()


class Dump:
    """An index, and a dump whose documents `dedup --add` gives to it in one step."""

    def __init__(self, batches: Batches, folder: Path, documents: int, words: int) -> None:
        self.binary, self.folder, self.library = batches.binary, folder, batches.library
        rows = make_rows(documents, 7, "d")
        for row in rows:
            row["text"] += "".join(f" {row['id']}w{i}" for i in range(words))
        self.dump = write(folder / "dump.jsonl", rows)
        self.documents = documents
        shutil.copytree(batches.folder / "base", folder / "base")
        begin = time.monotonic()
        assert self.add_and_kill(60) == 0
        self.seconds = time.monotonic() - begin
        assert self.count() == len(ACKNOWLEDGED) + documents

    def add_and_kill(self, seconds: float, **environment: str) -> int:
        """Adds the dump to a fresh copy of the index; returns the exit code."""
        for name in ("seen", "result"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(self.folder / "base", self.folder / "seen")
        files = [path.stat() for path in (self.folder / "seen").rglob("*") if path.is_file()]
        self.before = {file.st_ino: file.st_size for file in files}
        command = [self.binary, "dedup", self.dump, "--against", "seen", "--add", "-o", "result"]
        preloaded = {"LD_PRELOAD": str(self.library), **environment}
        return run_until(command, self.folder, seconds, preloaded)

    def count(self) -> int:
        """Returns how many documents are there, after all checks."""
        done = subprocess.run(
            [self.binary, "index", "check", "seen", "--json"],
            cwd=self.folder, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        count: int = json.loads(done.stdout)["documents"]
        return count


# Small dumps are written through the log, larger ones as files, and those of more than 64 MiB to a
# copy of the index that then takes its place.
@pytest.mark.parametrize(
    ("documents", "words", "rounds"),
    [
        (300, 0, 8),
        (30, 300_000, 8),
        pytest.param(300, 0, 100, marks=pytest.mark.slow),
        pytest.param(9000, 0, 100, marks=pytest.mark.slow),
        pytest.param(30, 300_000, 100, marks=pytest.mark.slow),
    ],
)
def test_a_crash_of_dedup_leaves_the_old_index_or_the_new_one(
    batches: Batches, tmp_path: Path, documents: int, words: int, rounds: int
) -> None:
    dump = Dump(batches, tmp_path, documents, words)
    chance = random.Random(rounds)
    log = tmp_path / "sync-log"
    counts = set()
    for number in range(rounds):
        log.write_text("")
        code = dump.add_and_kill(chance.random() * dump.seconds, SYNC_LOG=str(log))
        if number % 2:
            lose_power(dump.folder / "seen", dump.before, log)
        counts.add(dump.count())
        assert counts <= {len(ACKNOWLEDGED), len(ACKNOWLEDGED) + documents}
        assert code != 0 or max(counts) == len(ACKNOWLEDGED) + documents
    assert len(ACKNOWLEDGED) in counts
