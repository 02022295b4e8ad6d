"""How runs behave among other things: threads, signals, forks, loops, logs, bars."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import functools
import logging
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from python_texts import TEXTS

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
from lookalike import _core, _progress, _settings  # noqa: E402

TABLE = pa.table({"text": TEXTS})


def removed_of(data: Any) -> list[str]:
    ids: list[str] = lookalike.dedup(data).removed["id"].to_pylist()
    return ids


def error_of(data: Any) -> None:
    lookalike.dedup(data, text="nope")


@pytest.fixture(scope="module")
def expected(corpus: Path) -> list[str]:
    return removed_of(corpus)


def test_other_threads_go_on(corpus: Path) -> None:
    turns, over = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not over.wait(0.0005):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = turns
    for _ in range(3):
        lookalike.dedup(corpus)
    found = turns - before
    over.set()
    thread.join()
    assert found > 20


def test_several_runs_at_once(corpus: Path, expected: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(removed_of, corpus) for _ in range(4)]
        runs.append(pool.submit(removed_of, TABLE))
        assert [run.result(timeout=60) for run in runs] == [expected] * 4 + [["data.arrow:3"]]


def test_an_event_loop(corpus: Path, expected: list[str]) -> None:
    async def both() -> tuple[list[str], list[str], int]:
        turns = 0
        first = asyncio.ensure_future(asyncio.to_thread(removed_of, corpus))
        second = asyncio.ensure_future(asyncio.to_thread(removed_of, corpus))
        while not (first.done() and second.done()):
            await asyncio.sleep(0.001)
            turns += 1
        return await first, await second, turns

    first, second, turns = asyncio.run(both())
    assert first == second == expected
    assert turns > 5

    async def inside() -> list[str]:
        return removed_of(TABLE)

    assert asyncio.run(inside()) == ["data.arrow:3"]


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str, corpus: Path, expected: list[str], tmp_path: Path) -> None:
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    assert removed_of(tmp_path / "in.parquet") == ["in.parquet:3"]  # Arrow's threads are there
    with multiprocessing.get_context(method).Pool(2) as pool:
        runs = pool.map_async(removed_of, [corpus, corpus, tmp_path / "in.parquet"])
        assert runs.get(timeout=60) == [expected, expected, ["in.parquet:3"]]
        with pytest.raises(lookalike.RunError, match='"nope" that text= names'):
            pool.apply_async(error_of, (TABLE,)).get(timeout=60)


# Interruption.

INTERRUPTED = """
import os, signal, sys, time
import lookalike, pyarrow as pa
from lookalike import _progress
function, path, stages, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), eval(sys.argv[4])
seen, begun = [], []
def interrupt():
    if not begun:
        begun.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
def update(self, stage, done, total, unit):
    if stage not in seen:
        seen.append(stage)
    if len(seen) >= stages:
        interrupt()
_progress.ProgressBar._update = update
def batches():
    for i, line in enumerate(open(path)):
        yield pa.record_batch({"text": [line]})
        if i == 1000:
            interrupt()
data = path
if function == "table":
    data = pa.table({"text": pa.array(open(path).read().splitlines())})
if function == "reader":
    data = pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches())
function = {"table": "dedup", "reader": "dedup"}.get(function, function)
try:
    getattr(lookalike, function)(data, progress=True, **options)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begun[0], flush=True)
    raise
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def large(corpus: Path) -> Path:
    """Some 200 MB; no two copies of the corpus have texts in common."""
    path = corpus.with_name("large.jsonl")
    begin = '"text": "'
    lines = [line.split(begin) for line in corpus.read_text(encoding="utf-8").splitlines()]
    with path.open("w", encoding="utf-8") as file:
        for i in range(13):
            for head, text in lines:
                file.write(f"{head}{begin}{text.replace(' ', f'{i} ')}\n")
    assert path.stat().st_size > 200e6
    return path


@pytest.mark.parametrize(
    ("function", "stages", "options"),
    [
        ("dedup", 1, {}),
        ("dedup", 1, {"save_to": "out"}),
        ("dedup", 2, {"save_to": "out"}),
        ("dedup", 2, {"save_to": "out", "memory": "64M"}),
        ("table", 1, {"save_to": "out"}),
        ("reader", 9, {"save_to": "out"}),
        ("pairs", 1, {}),
    ],
)
def test_an_interrupt_stops_a_run_and_leaves_nothing(
    child: Any, large: Path, tmp_path: Path,
    function: str, stages: int, options: dict[str, str],
) -> None:  # fmt: skip
    process = child(INTERRUPTED, function, large, str(stages), repr(options))
    out, err = process.communicate(timeout=120)
    assert out.startswith("interrupted "), (out, err)
    assert err.strip().endswith("KeyboardInterrupt")
    assert process.returncode == -signal.SIGINT
    left = {path.name for path in tmp_path.iterdir()} - {"tmp"}
    # Complete, where its last step had been done already.
    assert not left or (left == {"out"} and (tmp_path / "out" / "manifest.json").exists())
    assert list((tmp_path / "tmp").iterdir()) == []
    # The promise is one second; a machine with other work to do may take longer.
    assert float(out.split()[1]) < 10


def test_an_interrupted_run_can_be_gone_on_with(child: Any, large: Path, tmp_path: Path) -> None:
    options = {"save_to": "out", "memory": "64M", "resume": True}
    process = child(INTERRUPTED, "dedup", large, "2", repr(options))
    out, err = process.communicate(timeout=120)
    assert out.startswith("interrupted "), (out, err)
    journal = tmp_path / "out.partial" / "journal"
    assert (journal.exists() and journal.stat().st_size > 0) or (tmp_path / "out").exists()


def test_an_exception_of_a_callback_ends_the_run(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("of the callback")

    monkeypatch.setattr(_progress.ProgressBar, "_update", fail)
    with pytest.raises(LookupError, match="of the callback"):
        lookalike.dedup(corpus, progress=True, save_to=tmp_path / "out", scratch=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("marked", [True, False])
def test_a_working_folder_of_another_run_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marked: bool
) -> None:
    """One that another run has taken up meanwhile, or that no run has made."""
    partial = tmp_path / "out.partial"
    partial.mkdir()
    if marked:
        (partial / ".lookalike-unfinished").mkdir()
    (partial / "journal").write_text("units of another run")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_core, "dedup", interrupted)
    with contextlib.ExitStack() as stack:
        if marked:
            folder = os.open(partial, os.O_RDONLY)
            stack.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        with pytest.raises(KeyboardInterrupt):
            lookalike.dedup(TABLE, save_to=tmp_path / "out")
        assert (partial / "journal").read_text() == "units of another run"


def test_what_an_interrupted_run_left_goes_with_its_scratch_folder(
    child: Any, large: Path, tmp_path: Path
) -> None:
    (tmp_path / "scratch").mkdir()
    options = {"save_to": "out", "memory": "64M", "scratch": "scratch"}
    process = child(INTERRUPTED, "dedup", large, "2", repr(options))
    out, err = process.communicate(timeout=120)
    assert out.startswith("interrupted "), (out, err)
    assert not (tmp_path / "out.partial").exists()
    assert list((tmp_path / "scratch").iterdir()) == []


def test_an_exception_of_a_log_handler_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("no json\n" * 10)

    class Strict(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise LookupError("of the handler")

    handler = Strict()
    _progress.logger.addHandler(handler)
    try:
        with pytest.raises(LookupError, match="of the handler"):
            lookalike.dedup(tmp_path / "in.jsonl", save_to=tmp_path / "out")
    finally:
        _progress.logger.removeHandler(handler)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"] or (tmp_path / "out").exists()


# Bars and logs.


def test_a_bar_is_shown_where_it_is_wanted(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lookalike.dedup(corpus, progress=True)
    assert "dedup: " in capsys.readouterr().err
    for hidden in (False, None):  # there is no terminal
        lookalike.dedup(corpus, progress=hidden)
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", "")


def test_a_bar_follows_the_stages(capsys: pytest.CaptureFixture[str]) -> None:
    with _progress.ProgressBar(True, "dedup") as bar:
        update = bar.callback
        assert update is not None
        for done in (0, 10, 20):
            update("fingerprint", done, 20, "bytes")
        update("join", 5, 0, "pairs")
        update("join", 6, 12, "pairs")
    shown = capsys.readouterr().err
    assert "dedup: fingerprint" in shown
    assert "dedup: join" in shown


def test_there_may_be_no_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert removed_of(TABLE) == ["data.arrow:3"]


def test_warnings_about_recall_reach_the_log(
    corpus: Path, caplog: pytest.LogCaptureFixture
) -> None:
    result = lookalike.dedup(corpus, threshold=0.5, design="bands:1x32")
    assert result.manifest["recall"]["met"] is False
    messages = [record.getMessage() for record in caplog.records if record.name == "lookalike"]
    assert any("the measured recall is at most" in message for message in messages)
    caplog.clear()
    lookalike.pairs(corpus, threshold=0.5, design="bands:1x32")
    assert any("the measured recall is at most" in record.getMessage() for record in caplog.records)
    assert all("--" not in message for message in messages)
    assert "below the requested recall" in result._repr_html_()


def test_the_log_is_not_flooded(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "in.jsonl").write_text("no json\n" * 1234)
    assert len(lookalike.dedup(tmp_path / "in.jsonl").rejected) == 1234
    assert len(caplog.records) == 101
    assert caplog.records[-1].getMessage() == "... and 1,134 more"


def test_messages_with_percent_signs_are_logged_as_they_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "100%s %d.jsonl").write_text("no json\n")
    lookalike.dedup(tmp_path / "100%s %d.jsonl")
    assert "100%s %d.jsonl:1" in caplog.records[0].getMessage()


def test_the_extension_refuses_what_it_does_not_know() -> None:
    options = _settings.make_options("dedup", {})
    call = functools.partial(_core.dedup, tables={}, output="x", progress=None, message=None)
    with pytest.raises(TypeError):
        call(names=[1], options=options)
    with pytest.raises(TypeError):
        call(names=["a"], options=None)
    with pytest.raises(ValueError, match="no such command"):
        _core.option_rows("nope")
    for wrong in (3, None, object()):
        with pytest.raises((AttributeError, TypeError)):
            _core.import_table(wrong)


def test_a_stream_is_taken_once() -> None:
    capsule = TABLE.__arrow_c_stream__()

    class Same:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return capsule

    assert lookalike.dedup(Same()).kept.num_rows == 2
    with pytest.raises(lookalike.LookalikeError):
        lookalike.dedup(Same())


def test_os_fork_in_a_thread_of_a_run(corpus: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(removed_of, corpus)
        process = os.fork()
        if process == 0:
            os._exit(0)
        assert os.waitpid(process, 0)[1] == 0
        assert len(run.result(timeout=60)) > 0




COMPARED = """
import os, signal, sys, threading, time
import lookalike
words = [f"w{i * 2654435761 % 999_983}" for i in range(1_000_000)]
a, b = " ".join(words), " ".join(words[::-1])
options = eval(sys.argv[1])
if options:
    a = a[:200_000]  # and 5,000 edits away, which takes some seconds to count
    b = "".join("~" if i % 40 == 0 else c for i, c in enumerate(a))
lookalike.compare(a[:5000], b[:5000], **options)
begun = []
def interrupt():
    begun.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(float(sys.argv[2]), interrupt).start()
try:
    lookalike.compare(a, b, **options)
except KeyboardInterrupt:
    print(time.monotonic() - begun[0])
"""


@pytest.mark.parametrize("options", [{}, {"distance": "edit"}], ids=["features", "edits"])
@pytest.mark.parametrize("after", [0.05, 0.2])
def test_a_comparison_of_long_texts_is_interrupted(
    child: Any, options: dict[str, str], after: float
) -> None:
    out, err = child(COMPARED, repr(options), str(after)).communicate(timeout=120)
    assert out, err
    assert float(out) < 1
