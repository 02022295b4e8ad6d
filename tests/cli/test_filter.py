"""`lookalike filter`: a stream of documents, answered as it comes, and its state between runs."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def documents(count: int, seed: int = 1) -> list[dict[str, str]]:
    """Texts of which every third is an earlier one with a few words changed."""
    rng = random.Random(seed)
    texts: list[list[str]] = []
    for _ in range(count):
        words = [f"w{rng.randrange(50_000)}" for _ in range(120)]
        if texts and rng.random() < 0.35:
            words = list(rng.choice(texts))
            for _ in range(rng.randrange(3)):
                words[rng.randrange(len(words))] = f"x{rng.randrange(50_000)}"
        texts.append(words)
    return [{"id": f"d{i}", "text": " ".join(words)} for i, words in enumerate(texts)]


def answers_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def decisions(answers: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(a["decision"], a["like"]) for a in answers]


@pytest.fixture
def corpus(write_jsonl) -> Path:
    return write_jsonl("docs.jsonl", documents(600))


def test_answers_have_their_form_and_never_claim_exactness(run, corpus, tmp_path) -> None:
    out = tmp_path / "answers.jsonl"
    summary = run("filter", corpus, "-o", out, "--json").json
    answers = answers_in(out.read_text())
    fields = ["id", "source", "row", "decision", "like", "exact"]
    assert [list(a) for a in answers] == [fields] * 600
    assert not any(a["exact"] for a in answers)
    assert [a["row"] for a in answers] == list(range(1, 601))
    new = {a["id"] for a in answers if a["decision"] == "new"}
    seen = [a for a in answers if a["decision"] == "seen"]
    assert len(seen) > 100 and summary["seen"] == len(seen) and summary["new"] == len(new)
    # The named document was new, and came before.
    for answer in seen:
        assert answer["like"] in new
        assert int(answer["like"][1:]) < int(answer["id"][1:])
    assert all(a["like"] is None for a in answers if a["decision"] == "new")
    assert summary["bytes_per_document"] == 48 and summary["remembered"] == len(new)


@pytest.mark.parametrize("length", [0, 1, 13, 300, 599])
def test_any_prefix_has_the_same_answers(run, corpus, tmp_path, length) -> None:
    """Law L35."""
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    run("filter", corpus, "-o", whole, "--quiet")
    prefix = tmp_path / "docs" / "docs.jsonl"
    prefix.parent.mkdir()
    prefix.write_text("".join(corpus.read_text().splitlines(keepends=True)[:length]))
    run("filter", prefix, "-o", part, "--quiet")
    assert part.read_text() == "".join(whole.read_text().splitlines(keepends=True)[:length])


def test_threads_and_memory_change_nothing(run, corpus, tmp_path) -> None:
    texts = set()
    for number, more in enumerate(((), ("--threads", "1"), ("--threads", "5", "--memory", "64M"))):
        out = tmp_path / f"{number}.jsonl"
        run("filter", corpus, "-o", out, "--quiet", *more)
        texts.add(out.read_text())
    assert len(texts) == 1


@pytest.mark.parametrize("cut", [0, 250, 600])
def test_two_runs_with_a_state_answer_as_one(run, corpus, tmp_path, cut) -> None:
    lines = corpus.read_text().splitlines(keepends=True)
    out, state = tmp_path / "whole.jsonl", tmp_path / "seen.filter"
    run("filter", corpus, "-o", out, "--quiet", "--state", tmp_path / "at-once")
    answers = []
    for part in (lines[:cut], lines[cut:]):
        done = run("filter", "--state", state, "--quiet", stdin="".join(part))
        answers += answers_in(done.stdout)
    assert decisions(answers) == decisions(answers_in(out.read_text()))
    assert (state / "state").stat().st_size > 0


def bytes_of(state: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in state.iterdir()}


def test_states_are_checked_and_stay_when_a_run_fails(run, corpus, tmp_path) -> None:
    state = tmp_path / "seen.filter"
    run("filter", corpus, "--state", state, "--quiet")
    good = bytes_of(state)
    for more in (["--seed", "1"], ["--shingle", "word:4"], ["--design", "bands:8x8"],
                 ["--design", "groups:6x14:2:32"], ["--min-features", "2"]):  # fmt: skip
        failed = run("filter", corpus, "--state", state, *more, code=2)
        assert "different options" in failed.stderr and str(state) in failed.stderr
    failed = run("filter", tmp_path / "missing.jsonl", "--state", state, code=2)
    assert "missing.jsonl" in failed.stderr
    assert bytes_of(state) == good
    for name, whole in good.items():
        for bad in (b"", whole[:-1], whole[:40], b"{}" + whole, whole[:-9] + b"?" + whole[-8:]):
            (state / name).write_bytes(bad)
            failed = run("filter", corpus, "--state", state, code=2)
            assert "state" in failed.stderr and "filter" in failed.stderr
            assert (state / name).read_bytes() == bad
        (state / name).write_bytes(whole)
    run("filter", corpus, "--state", state, "--quiet")
    assert not list(tmp_path.glob("*.partial"))


def test_a_state_of_version_1_is_taken_over(run, corpus, tmp_path, data) -> None:
    """tests/data/filter_v1.state was written by the last program that made such files."""
    state = tmp_path / "seen.filter"
    state.write_bytes((data / "filter_v1.state").read_bytes())
    old = state.read_bytes()
    failed = run("filter", corpus, "--state", state, "--ask-only", code=2)
    assert "version 1" in failed.stderr
    run("filter", corpus, "--state", state, "--seed", "5", code=2)
    assert state.read_bytes() == old
    done = run("filter", corpus, "--state", state, "--quiet")
    # The same documents made it.
    assert {a["decision"] for a in answers_in(done.stdout)} == {"seen"}
    assert state.is_dir() and not list(tmp_path.glob("*.partial"))
    again = run("filter", corpus, "--state", state, "--quiet")
    assert decisions(answers_in(again.stdout)) == decisions(answers_in(done.stdout))


def test_who_only_asks_changes_nothing(run, corpus, tmp_path, binary) -> None:
    state = tmp_path / "seen.filter"
    lines = corpus.read_text().splitlines(keepends=True)
    run("filter", "--state", state, "--quiet", stdin="".join(lines[:300]))
    before = bytes_of(state)
    asked = run("filter", "--state", state, "--ask-only", "--quiet", stdin="".join(lines[300:]))
    answers = answers_in(asked.stdout)
    early = {f"d{i}" for i in range(300)}
    seen = [a for a in answers if a["decision"] == "seen"]
    assert seen and {a["like"] for a in seen} <= early
    # A new document stays new when it is asked about again.
    twice = run("filter", "--state", state, "--ask-only", "--quiet", stdin="".join(lines[300:] * 2))
    assert decisions(answers_in(twice.stdout)) == decisions(answers) * 2
    assert bytes_of(state) == before
    with subprocess.Popen(
        [binary, "filter", "--quiet", "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as writer:  # fmt: skip
        assert writer.stdin and writer.stdout
        writer.stdin.write(b'{"text": "one two"}\n')
        writer.stdin.flush()
        writer.stdout.readline()
        run("filter", "--state", state, "--ask-only", "--quiet", stdin="".join(lines[:10]))
        writer.stdin.close()
        assert writer.wait(timeout=20) == 0


@pytest.mark.parametrize("asked", [37, 100, 263])
def test_a_killed_run_leaves_its_last_checkpoint(binary, run, corpus, tmp_path, asked) -> None:
    """kill -9 while documents come: the state has every document up to the last multiple of 50."""
    state, every = tmp_path / "seen.filter", 50
    lines = corpus.read_text().splitlines(keepends=True)
    with subprocess.Popen(
        [binary, "filter", "--quiet", "--state", state, "--checkpoint", str(every)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        for line in lines[:asked]:
            process.stdin.write(line.encode())
            process.stdin.flush()
            process.stdout.readline()
        # One more, so that the commit behind the answer of the last is done.
        process.stdin.write(b'{"text": ""}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=20)
    kept = asked // every * every
    whole = tmp_path / "whole.filter"
    if kept:
        run("filter", "--state", whole, "--quiet", stdin="".join(lines[:kept]))
    ours = run("filter", "--state", state, "--quiet", stdin="".join(lines[kept:]))
    theirs = run("filter", "--state", whole, "--quiet", stdin="".join(lines[kept:]))
    assert decisions(answers_in(ours.stdout)) == decisions(answers_in(theirs.stdout))


def test_checkpoints_change_no_answer(run, corpus, tmp_path) -> None:
    plain = run("filter", corpus, "--quiet").stdout
    for every in ("1", "7", "250"):
        state = tmp_path / every
        done = run("filter", corpus, "--state", state, "--checkpoint", every, "--quiet")
        assert done.stdout == plain
        asked = run("filter", corpus, "--state", state, "--ask-only", "--quiet").stdout
        assert {a["decision"] for a in answers_in(asked)} == {"seen"}
        assert len(list(state.iterdir())) < 16


MEASURED = """
import random, sys
count, seed, words = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)
write = sys.stdout.write
for i in range(count):
    draws = rng.getrandbits(32 * words).to_bytes(4 * words, "little").hex()
    text = " ".join(draws[k : k + 8] for k in range(0, 8 * words, 8))
    write(f'{{"id": "http://example.org/{i}", "text": "{text}"}}\\n')
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "sketch", "most"),
    [("groups:6x14:2", "fss:128", 64), ("groups:8x2:7:8", "fss:16", 16)],
)
def test_memory_of_a_remembered_page(binary, tmp_path, design, sketch, most) -> None:
    """All told, tables of lookups and ids included: what two million more pages add to the peak.

    Two runs of the same pages differ by up to half a megabyte, a quarter of a byte a page here.
    """
    script = tmp_path / "pages.py"
    script.write_text(MEASURED)
    state, peaks, counts = tmp_path / "seen.filter", [], []
    for part, pages in enumerate((1_000_000, 2_000_000)):
        with subprocess.Popen(
            [sys.executable, script, str(pages), str(part), "6"], stdout=subprocess.PIPE
        ) as made, (tmp_path / "answers").open("wb") as answers:  # fmt: skip
            done = subprocess.run(
                [binary, "filter", "--json", "--state", state, "--design", design,
                 "--sketch", sketch, "--shingle", "word:2", "--memory", "64M"],
                stdin=made.stdout, stdout=answers, stderr=subprocess.PIPE, check=True,
            )  # fmt: skip
        summary = json.loads(done.stderr.decode().splitlines()[-1])
        peaks.append(summary["peak_memory_bytes"])
        counts.append(summary["remembered"])
    assert counts[1] > 2_900_000
    assert (peaks[1] - peaks[0]) / (counts[1] - counts[0]) <= most
    assert peaks[1] <= most * counts[1] + 64_000_000


def test_answers_come_before_more_is_asked_for(binary) -> None:
    """A crawler that waits for the answer before it fetches the next page is not kept waiting."""
    with subprocess.Popen(
        [binary, "filter", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout
        for row, text in enumerate(("a b c d e f g", "h i j k l m n", "a b c d e f g"), 1):
            process.stdin.write(json.dumps({"id": row, "text": text}).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["row"] == row
            assert answer["decision"] == ("seen" if row == 3 else "new")
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_bad_lines_are_rejected_and_named(run) -> None:
    lines = ['{"id": "a", "text": "one two"}', "nonsense", "", '{"id": "b"}',
             '{"id": "c", "text": null}', '{"id": "d", "text": "' + "long " * 300 + '"}',
             '{"id": "e", "text": "one two"}']  # fmt: skip
    done = run("filter", "--max-record", "1000", "--quiet", stdin="\n".join(lines), code=3)
    answers = answers_in(done.stdout)
    assert [(a["id"], a["row"], a["decision"]) for a in answers] == [
        ("a", 1, "new"), ("c", 5, "new"), ("e", 7, "seen"),
    ]  # fmt: skip
    for row in (2, 4, 6):
        assert f"stdin:{row}: " in done.stderr
    failed = run("filter", "--max-errors", "1", stdin="\n".join(lines), code=2)
    assert "--max-errors" in failed.stderr


@pytest.mark.parametrize("front", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\xff\xfe{\x00"])
def test_what_is_no_plain_text_is_refused(binary, front) -> None:
    done = subprocess.run([binary, "filter"], input=front, capture_output=True, check=False)
    assert done.returncode == 2 and b"stdin: is " in done.stderr and not done.stdout


def test_bad_calls(run, corpus, tmp_path) -> None:
    for words, what in (
        ((corpus, "-"), "only input"), ((corpus, "--design", "groups:8x10:3:9"), "whole bytes"),
        ((corpus, "-o", tmp_path / "x", "--state", tmp_path / "x"), "two different paths"),
        ((corpus, "--ask-only"), "--state"), ((corpus, "--checkpoint", "5"), "--state"),
        ((corpus, "--checkpoint", "5", "--ask-only", "--state", tmp_path / "x"), "pass one"),
        ((corpus, "--checkpoint", "5", "-o", tmp_path / "y", "--state", tmp_path / "x"), "-o"),
        ((corpus, "--checkpoint", "0", "--state", tmp_path / "x"), "whole number"),
        ((corpus, "--ask-only", "--state", tmp_path / "none"), "does not exist"),
        ((corpus, "--design", "bands:40x5"), "coordinates"),
        ((corpus, "--sketch", "bottom-k:100"), "bottom-k"),
        ((corpus, "--state", corpus), "the output is the input"),
    ):  # fmt: skip
        assert what in run("filter", *words, code=2).stderr


def test_the_state_may_be_a_uri_of_a_file(run, corpus, tmp_path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    for new in (True, False):
        done = run("filter", corpus, "--state", f"file://{tmp_path}/seen%20by", "--json",
                   "-o", tmp_path / "out")  # fmt: skip
        assert (done.json["new"] > 0) == new
    assert {path.name for path in tmp_path.iterdir()} - before == {"seen by", "out"}
    for uri, what in (
        ("s3://bucket/seen", "is in an object store"), ("file://host/seen", "names the host"),
        (f"file://{tmp_path}/out", "two different paths"),
    ):  # fmt: skip
        done = run("filter", corpus, "-o", tmp_path / "out", "--state", uri, code=2)
        assert what in done.stderr


def test_bytes_a_document(run, corpus, tmp_path) -> None:
    for design, expected in (("groups:6x14:2", 48), ("groups:8x10:3:8", 8),
                             ("groups:8x10:3:24", 24), ("groups:8x10:1", 64)):  # fmt: skip
        state = tmp_path / f"of-{expected}"
        summary = run("filter", corpus, "-o", tmp_path / "o.jsonl", "--design", design,
                      "--state", state, "--json").json  # fmt: skip
        assert summary["bytes_per_document"] == expected
        # Ids and where they end, some 10 bytes for lookups, and heads.
        most = summary["remembered"] * (expected * 9 // 8 + 8 + 10) + summary["id_bytes"] + 2000
        assert sum(len(file) for file in bytes_of(state).values()) <= most


def test_an_interrupted_stream_ends_and_leaves_the_state(binary, corpus, run, tmp_path) -> None:
    state = tmp_path / "seen.filter"
    run("filter", corpus, "--state", state, "--quiet")
    before = bytes_of(state)
    with subprocess.Popen(
        [binary, "filter", "--quiet", "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b'{"text": "one two"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "stdin:1"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 2  # although no line comes any more
        assert b"interrupted" in process.stderr.read()
    assert bytes_of(state) == before
    run("filter", corpus, "--state", state, "--quiet")  # the lock is gone


def test_a_state_is_of_one_run_at_a_time(binary, corpus, run, tmp_path) -> None:
    state = tmp_path / "seen.filter"
    with subprocess.Popen(
        [binary, "filter", "--quiet", "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        process.stdin.write(b'{"text": "one two"}\n')
        process.stdin.flush()
        process.stdout.readline()
        assert "seen.filter" in run("filter", corpus, "--state", state, code=2).stderr
        process.stdin.close()
        assert process.wait(timeout=20) == 0
    assert state.exists()
