"""What has no meaning beside another option is refused, with what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

POINTS = '{"id": "a", "v": [1, 2]}\n{"id": "b", "v": [1, 2.5]}\n'
NEAR = ("pairs", "in.jsonl", "-o", "out.jsonl", "--distance", "l2", "--within", "1")
CONTAINED = ("dedup", "in.jsonl", "--against", "in.jsonl", "-o", "out", "--measure", "containment")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*NEAR, "--measure", "containment"), "--measure 'containment' cannot be combined"),
        ((*NEAR, "--method", "shingle-merge"), "--method 'shingle-merge' cannot be combined"),
        ((*NEAR, "--method", "lsh", "--design", "grid"), "pass only one of the two"),
        ((*CONTAINED, "--keep", "longest"), "--keep 'longest' cannot be combined"),
        ((*CONTAINED, "--exact-empty"), "--exact-empty cannot be combined"),
        ((*CONTAINED, "--cluster", "components"), "'components' cannot be combined"),
        (("pairs", "in.jsonl", "-o", "out.jsonl", "--method", "shingle-merge",
          "--sketch", "fss:64"), "--sketch fss:64 cannot be combined with --method shingle-merge"),
        (("plan", "--edits", "--design", "bands:20x5"), "--edits does not depend on"),
        (("plan", "--edits", "--optimize", "bytes=48,at=0.9"), "--edits does not depend on"),
        (("plan", "--optimize", "bytes=48,at=0.9", "--found", "0.5"), "--optimize searches"),
        (("plan", "--measure", "containment"), "--measure containment cannot be predicted"),
        (("plan", "in.jsonl", "--measure", "containment"), "--measure containment cannot be pr"),
        (("pairs", "in.jsonl", "-o", "out.jsonl", "--distance", "edit", "--within", "1",
          "--method", "lsh"), "--method 'lsh' cannot be combined with --distance edit"),
        (("pairs", "in.jsonl", "-o", "out.jsonl", "--distance", "edit", "--within", "1",
          "--seed", "5"), "--seed '5' cannot be combined with --distance edit"),
        ((*CONTAINED, "--preset", "news", "--cluster", "leader"), "out (--keep comes from --preset 'news')"),
        ((*NEAR[:-1], "-1"), "--within '-1' is not allowed"),
        (("pairs", "in.jsonl", "-o", "-"), "-o '-' is not understood; expected a path (./-"),
        (("filter", "in.jsonl", "-o", "-"), "leave it out for standard output"),
        (("plan", "--words", "9"), "--words only applies to --edits"),
        (("filter", "in.jsonl", "-o", "out.parquet"), "answers are written as JSON Lines"),
        (("crumbs", "in.jsonl", "-o", "out.csv"), "rules are written as JSON Lines"),
    ],
)  # fmt: skip
def test_is_refused(run: Callable, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    (tmp_path / "in.jsonl").write_text(POINTS)
    failed = run(*words, code=2)
    assert said in failed.stderr and len(failed.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("out*"))


def test_presets_of_texts_go_with_containment(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "one two three four five six"}\n' * 2)
    for preset in ("web", "news", "corpus"):
        run("pairs", "in.jsonl", "-o", "out.jsonl", "--measure", "containment", "--preset", preset,
            "--min-features", "1", "--quiet")  # fmt: skip


def test_defaults_written_out_are_the_same_state(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "one two three four five six"}\n')
    run("filter", "in.jsonl", "-o", "a", "--state", "one.filter", "--quiet")
    run("filter", "in.jsonl", "-o", "b", "--state", "two.filter", "--min-features", "1", "--quiet")
    states = [
        {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
        for name in ("one.filter", "two.filter")
    ]
    assert states[0] == states[1] and states[0]


def test_a_distance_that_no_double_holds_is_none(run: Callable, tmp_path: Path) -> None:
    rows = [{"id": "p", "v": [1e308]}, {"id": "q", "v": [-1e308]}, {"id": "s", "v": [1.7e308]}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("nearest", "in.jsonl", "-o", "out.jsonl", "--distance", "l2", "--top", "3", "--quiet")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["neighbour"]) for row in found] == [("p", "s"), ("s", "p")]


def test_what_is_said_of_a_low_recall_fits_the_search(run: Callable, tmp_path: Path) -> None:
    lines = [{"text": " ".join(f"w{i % 300 + j}" for j in range(60))} for i in range(600)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = run("pairs", "in.jsonl", "-o", "out.jsonl", "--measure", "containment", "--sketch",
               "fracminhash:65536", "--threshold", "0.5", "--quiet", code=None).stderr  # fmt: skip
    assert "a smaller S" in said and "coordinates" not in said
