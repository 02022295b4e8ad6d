"""`lookalike filter`: a stream of documents, answered as it comes, and its state between runs."""

from __future__ import annotations

import json
import random
import signal
import subprocess
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
    # What is named was new, and came before.
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
    out, state = tmp_path / "whole.jsonl", tmp_path / "seen.filter.zst"
    run("filter", corpus, "-o", out, "--quiet", "--state", tmp_path / "at-once")
    answers = []
    for part in (lines[:cut], lines[cut:]):
        done = run("filter", "--state", state, "--quiet", stdin="".join(part))
        answers += answers_in(done.stdout)
    assert decisions(answers) == decisions(answers_in(out.read_text()))
    assert state.stat().st_size > 0


def test_states_are_checked_and_stay_when_a_run_fails(run, corpus, tmp_path) -> None:
    state = tmp_path / "seen.filter"
    run("filter", corpus, "--state", state, "--quiet")
    good = state.read_bytes()
    for more in (["--seed", "1"], ["--shingle", "word:4"], ["--design", "bands:8x8"],
                 ["--design", "groups:6x14:2:32"], ["--min-features", "2"]):  # fmt: skip
        failed = run("filter", corpus, "--state", state, *more, code=2)
        assert "other options" in failed.stderr and str(state) in failed.stderr
    failed = run("filter", tmp_path / "missing.jsonl", "--state", state, code=2)
    assert "missing.jsonl" in failed.stderr
    assert state.read_bytes() == good
    for bad in (b"", good[:-1], good[:40], b"{}" + good, good.replace(b"word:5", b"word:6")):
        state.write_bytes(bad)
        failed = run("filter", corpus, "--state", state, code=2)
        assert "no state of a filter" in failed.stderr
        assert state.read_bytes() == bad
    assert not list(tmp_path.glob("*.partial"))


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
        ((corpus, "-o", tmp_path / "x", "--state", tmp_path / "x"), "at once"),
        ((corpus, "--design", "bands:40x5"), "coordinates"),
        ((corpus, "--sketch", "bottom-k:100"), "bottom-k"),
        ((corpus, "--state", corpus), ""),
    ):  # fmt: skip
        assert what in run("filter", *words, code=2).stderr


def test_bytes_a_document(run, corpus, tmp_path) -> None:
    for design, expected in (("groups:6x14:2", 48), ("groups:8x10:3:8", 8),
                             ("groups:8x10:3:24", 24), ("groups:8x10:1", 64)):  # fmt: skip
        state = tmp_path / f"of-{expected}"
        summary = run("filter", corpus, "-o", tmp_path / "o.jsonl", "--design", design,
                      "--state", state, "--json").json  # fmt: skip
        assert summary["bytes_per_document"] == expected
        most = summary["remembered"] * (expected + 8) + summary["id_bytes"] + 400
        assert state.stat().st_size <= most


def test_an_interrupted_stream_ends_and_leaves_the_state(binary, corpus, run, tmp_path) -> None:
    state = tmp_path / "seen.filter"
    run("filter", corpus, "--state", state, "--quiet")
    before = state.read_bytes()
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
    assert state.read_bytes() == before
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
