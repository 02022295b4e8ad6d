"""--memory is kept, changes nothing, and what goes to --scratch does not stay there."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from interrupted_run import (
    files_below,
    journal_of,
    same_for_all_attempts,
    watch,
    working_folder,
)
from result_folder import ResultFolder

MIB = 1 << 20
LEAST = 64 * MIB


@pytest.fixture(scope="module")
def wanted(binary: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What a run without limits writes."""
    output = tmp_path_factory.mktemp("unlimited") / "out"
    subprocess.run([binary, "dedup", corpus, "-o", output, "--quiet"], check=True)
    result = ResultFolder(output)
    result.check_nothing_lost(11000)
    assert result.records["removed_near"] > 500 and result.records["removed_exact"] > 100
    return same_for_all_attempts(output)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    place = tmp_path / "elsewhere" / "scratch"
    place.mkdir(parents=True)
    return place


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_the_least_memory_changes_no_byte(
    binary: Path, corpus: Path, tmp_path: Path, scratch: Path, wanted: dict, threads: str
) -> None:
    output = tmp_path / "out"
    seen = watch(
        [binary, "dedup", corpus, "-o", output, "--quiet", "--memory", "64M", "--scratch", scratch,
         "--threads", threads],
        output,
    )  # fmt: skip
    assert seen.code == 0, seen.stderr
    assert same_for_all_attempts(output) == wanted
    assert files_below(scratch) == [] and not working_folder(output).exists()
    assert ResultFolder(output).manifest["resumed_units"] == 0
    assert seen.peak <= 1.1 * LEAST, f"{seen.peak / MIB:.1f} MiB"


def test_documents_that_are_all_alike_stay_within_the_limit(
    binary: Path, skewed: Callable[[str, int], Path], tmp_path: Path, scratch: Path
) -> None:
    """Pairs by the million, and an audit for which every document is a hit of every sample: the
    memory that each step gives back must not add up."""
    output = tmp_path / "out"
    seen = watch(
        [binary, "dedup", skewed("near-copies", 10_000), "-o", output, "--quiet", "--memory", "96M",
         "--scratch", scratch, "--threads", "2"],
        output,
    )  # fmt: skip
    assert seen.code == 0, seen.stderr
    assert ResultFolder(output).records["removed_near"] > 9990
    assert seen.peak <= 96 * MIB, f"{seen.peak / MIB:.1f} MiB"


def test_the_manifest_knows_the_peak(
    binary: Path, corpus: Path, tmp_path: Path, scratch: Path
) -> None:
    output = tmp_path / "out"
    seen = watch(
        [binary, "dedup", corpus, "-o", output, "--quiet", "--memory", "64M", "--scratch", scratch],
        output,
    )
    said = ResultFolder(output).manifest["peak_memory_bytes"]
    # Writing after the manifest is made may add a little to the peak, but cannot lower it.
    assert 0.9 * seen.peak <= said <= 1.02 * seen.peak


def test_pairs_in_the_least_memory(
    run: Callable, binary: Path, corpus: Path, tmp_path: Path, scratch: Path
) -> None:
    run("pairs", corpus, "-o", "whole.jsonl", "--quiet", "--threshold", "0.6")
    output = tmp_path / "small.jsonl"
    seen = watch(
        [binary, "pairs", corpus, "-o", output, "--quiet", "--threshold", "0.6",
         "--memory", "64M", "--scratch", scratch],
        output,
    )  # fmt: skip
    assert seen.code == 0, seen.stderr
    whole = (tmp_path / "whole.jsonl").read_bytes()
    assert whole.count(b"\n") > 1000 and output.read_bytes() == whole
    assert files_below(scratch) == [] and not working_folder(output).exists()
    assert seen.peak <= 1.1 * LEAST, f"{seen.peak / MIB:.1f} MiB"


@pytest.fixture(scope="module")
def repetitive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 MB of texts of which four fifths stand elsewhere: places and cuts by the hundred
    thousand, which need several times the least memory."""
    draw = random.Random(3)
    words = [f"w{i}" for i in range(20_000)]
    pool = [" ".join(draw.choices(words, k=60)) + ".\n" for _ in range(800)]
    path = tmp_path_factory.mktemp("repetitive") / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        written = number = 0
        while written < 40 * MIB:
            text = "".join(
                draw.choice(pool)
                if draw.random() < 0.8
                else " ".join(draw.choices(words, k=20)) + ".\n"
                for _ in range(draw.randint(3, 20))
            )
            written += file.write(json.dumps({"id": str(number), "text": text}) + "\n")
            number += 1
    return path


@pytest.mark.parametrize(
    "action",
    [
        ["report"],
        ["cut", "--unit", "words"],
        ["cut", "--unit", "words", "--keep", "longest"],
        ["annotate"],
    ],
    ids=" ".join,
)
def test_passages_in_the_least_memory(
    binary: Path, repetitive: Path, tmp_path: Path, scratch: Path, action: list[str]
) -> None:
    command = [binary, "passages", repetitive, "--quiet", "--action", *action]
    subprocess.run([*command, "-o", tmp_path / "whole", "--memory", "1G"], check=True)
    output = tmp_path / "small"
    seen = watch(
        [*command, "-o", output, "--memory", "64M", "--scratch", scratch, "--threads", "2"], output
    )
    assert seen.code == 0, seen.stderr
    files = files_below(tmp_path / "whole")
    assert files_below(output) == files and "report.html" in files
    for name in files:
        if name != "manifest.json":
            same = (output / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
            assert same, name
    assert (output / "passages.jsonl").read_bytes().count(b"\n") > 500
    assert files_below(scratch) == [] and not working_folder(output).exists()
    assert seen.peak <= 1.1 * LEAST, f"{seen.peak / MIB:.1f} MiB"


@pytest.mark.parametrize("command", ["dedup", "pairs"])
@pytest.mark.parametrize("memory", ["63M", "1", "67108863"])
def test_less_than_the_least_is_refused(
    run: Callable, write_jsonl: Callable, tmp_path: Path, command: str, memory: str
) -> None:
    write_jsonl("in.jsonl", [{"id": "a", "text": "one two three"}])
    done = run(command, "in.jsonl", "-o", "out", "--memory", memory, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert "--memory" in done.stderr and "64M" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl"]


def test_exactly_the_least_is_taken(run: Callable, write_jsonl: Callable, tmp_path: Path) -> None:
    write_jsonl("in.jsonl", [{"id": i, "text": "one two three"} for i in "abc"])
    for name, memory in (("bytes", "67108864"), ("unit", "64MiB")):
        run("dedup", "in.jsonl", "-o", name, "--quiet", "--memory", memory)
    outputs = [same_for_all_attempts(tmp_path / name) for name in ("bytes", "unit")]
    assert outputs[0] == outputs[1]
    assert ResultFolder(tmp_path / "unit").records["removed_exact"] == 2


def test_two_runs_may_share_a_scratch_folder(
    binary: Path, corpus: Path, tmp_path: Path, scratch: Path, wanted: dict
) -> None:
    """Neither takes a file of the other for its own, nor for a dead run's."""
    (scratch / "precious.txt").write_text("not yours")
    running = [
        subprocess.Popen(
            [binary, "dedup", corpus, "-o", tmp_path / name, "--quiet", "--memory", "64M",
             "--scratch", scratch, "--threads", "1"],
            stderr=subprocess.PIPE,
        )
        for name in ("one", "other")
    ]  # fmt: skip
    for process in running:
        _, stderr = process.communicate(timeout=300)
        assert process.returncode == 0, stderr
    assert same_for_all_attempts(tmp_path / "one") == wanted
    assert same_for_all_attempts(tmp_path / "other") == wanted
    assert files_below(scratch) == ["precious.txt"]


def test_a_failed_run_leaves_scratch_as_it_was(
    binary: Path, corpus: Path, tmp_path: Path, scratch: Path
) -> None:
    """A corrupt input fails the run at its very end; what stays, if anything, can be resumed."""
    with open(corpus, "rb") as file:
        content = file.read()
    packed = subprocess.run(["gzip", "-1"], input=content, capture_output=True, check=True).stdout
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-1000])
    output = tmp_path / "out"
    seen = watch(
        [binary, "dedup", tmp_path / "cut.jsonl.gz", "-o", output, "--quiet", "--memory", "64M",
         "--scratch", scratch],
        output,
    )  # fmt: skip
    assert seen.code == 2 and "cut.jsonl.gz" in seen.stderr
    assert not output.exists()
    if journal_of(output).exists():
        assert "--resume" in seen.stderr
    else:
        assert files_below(scratch) == [] and not working_folder(output).exists()


def test_a_scratch_folder_that_is_a_file(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", [{"id": "a", "text": "one two three"}])
    (tmp_path / "taken").write_text("mine")
    done = run("dedup", "in.jsonl", "-o", "out", "--scratch", "taken", code=2)
    assert len(done.stderr.splitlines()) == 1 and "taken" in done.stderr
    assert (tmp_path / "taken").read_text() == "mine" and not (tmp_path / "out").exists()
    assert not working_folder(tmp_path / "out").exists()


@pytest.fixture
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, or of the size that the test gives."""
    place = tmp_path / "disk"
    place.mkdir()
    size = getattr(request, "param", "256k")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("may not mount a file system here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_scratch_folder_too_small(
    run: Callable, corpus: Path, tmp_path: Path, small_disk: Path, wanted: dict
) -> None:
    """An error that says so; then the same command works with room elsewhere."""
    command = ["dedup", corpus, "-o", "out", "--quiet", "--memory", "64M"]
    done = run(*command, "--scratch", small_disk, code=2)
    assert len(done.stderr.splitlines()) == 1
    assert "disk" in done.stderr or "space" in done.stderr or "room" in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()
    assert files_below(small_disk) == [] or "--resume" in done.stderr
    (tmp_path / "roomy").mkdir()
    run(*command, "--scratch", "roomy")
    assert same_for_all_attempts(tmp_path / "out") == wanted
    assert files_below(tmp_path / "roomy") == []


def hot_template(documents: int) -> list[dict[str, str]]:
    """Documents of one template: nearly all pairs are almost as similar as the threshold asks for."""
    chance = random.Random(7)
    template = [f"word{i}" for i in range(40)]
    rows = []
    for i in range(documents):
        words = list(template)
        words[chance.randrange(40)] = f"own{i}"
        rows.append({"id": str(i), "text": " ".join(words)})
    return rows


@pytest.mark.parametrize("small_disk", ["40m"], indirect=True)
def test_scratch_space_is_predicted_again_from_what_was_read(
    run: Callable, write_jsonl: Callable, tmp_path: Path, small_disk: Path
) -> None:
    """The size of the inputs lets expect 16 MB of scratch; their pairs, sorted, take 10 times as much.

    The run ends before it has written any of them.
    """
    write_jsonl("in.jsonl", hot_template(20_000))
    command = ["dedup", "in.jsonl", "-o", "out", "--quiet", "--memory", "64M"]
    done = run(*command, "--scratch", small_disk, code=2)
    assert "of scratch space, but only" in done.stderr and "--scratch" in done.stderr
    assert not (tmp_path / "out").exists()
    assert files_below(small_disk) == [] or "--resume" in done.stderr


def test_predicted_scratch_space_is_near_what_a_template_takes(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    write_jsonl("in.jsonl", hot_template(20_000))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--memory", "64M")
    manifest = ResultFolder(tmp_path / "out").manifest
    measured = manifest["peak_scratch_bytes"]
    assert measured / 2.2 <= manifest["predicted"]["peak_scratch_bytes"] <= measured * 2.2
