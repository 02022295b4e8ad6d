"""`lookalike shard`: tasks that do not talk to each other leave the bytes of one run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

STAGES = ["fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write"]
#: Lanes of 256 bytes: every document is a unit by itself.
LANES = {"LOOKALIKE_STRESS": "lanes"}
FIELDS = ["--text-field", "text", "--id-field", "id"]


def make_rows(documents: int, seed: int) -> list[dict[str, Any]]:
    """Texts of 40 to 90 words; of every ten, three are near copies and one is an exact copy."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for i in range(documents):
        words = [f"word{chance.randrange(5000)}" for _ in range(chance.randrange(40, 90))]
        if i % 10 in (3, 5, 7) or i % 10 == 9:
            words = rows[chance.randrange(i)]["text"].split()
            if i % 10 != 9:
                words[chance.randrange(len(words))] = f"edit{i}"
        rows.append({"id": f"d{i}", "text": " ".join(words), "date": chance.randrange(100)})
    return rows


@pytest.fixture
def collection(tmp_path: Path, write_jsonl: Callable[..., Path]) -> list[Path]:
    """Three JSONL files, one with records that cannot be read, and a Parquet file."""
    rows = make_rows(200, 3)
    files = [write_jsonl(f"in/part-{i}.jsonl", rows[i * 50 : i * 50 + 50]) for i in range(3)]
    with open(files[1], "a", encoding="utf-8") as file:
        file.write('no record\n{"id": "null", "text": null}\n{"id": "empty", "text": ""}\n')
    table = tmp_path / "in" / "part-3.parquet"
    pq.write_table(pa.Table.from_pylist(rows[150:]), table, row_group_size=20)
    return [*files, table]


def content(folder: Path) -> dict[str, bytes]:
    """All files of a result by name, without what is about the run itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("manifest.json", "checks.jsonl", "report.html")
    }


def facts(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_text())
    names = ("records", "design", "clusters", "options_digest", "search", "recall")
    return {name: manifest[name] for name in names}


def status(run: Callable[..., Any]) -> Any:
    return run("shard", "status", "job", "--json").json


def run_all(run: Callable[..., Any], tasks: Callable[[str], list[tuple[int, int]]]) -> None:
    for stage in STAGES:
        for index, count in tasks(stage):
            run("shard", "run", "job", stage, "--task", f"{index}/{count}", "--quiet")


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (1, []),
        (3, []),
        (17, []),
        (3, ["--keep", "longest"]),
        (3, ["--keep", "field:date:desc", "--cluster", "components"]),
        (3, ["--output", "annotated"]),
        (3, ["--threshold", "0.5", "--audit-documents", "0"]),
        (3, ["--method", "exact"]),
        (3, ["--method", "exact", "--cluster", "components"]),
        (3, ["--method", "shingle-merge"]),
        (3, ["--method", "shingle-merge:40", "--cluster", "components"]),
    ],
)
def test_tasks_leave_the_bytes_of_one_run(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path], count: int, options: list[str]
) -> None:
    run("dedup", *collection, "-o", "whole", *FIELDS, *options, "--quiet", code=3)
    run("shard", "plan", *collection, "-o", "out", "--job", "job", *FIELDS, *options, env=LANES)
    order = random.Random(count)
    run_all(run, lambda _: [(i, count) for i in order.sample(range(count), count)])
    ended = status(run)
    assert ended["complete"]
    units = {stage["name"]: stage["units"] for stage in ended["stages"]}
    assert units["survey"] == units["count"] == units["join"] == 16
    assert units["verify"] == 1 if "--method" in options else units["verify"] > 2
    assert units["decide"] == 1
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert facts(tmp_path / "out") == facts(tmp_path / "whole")
    checks = (tmp_path / "out" / "checks.jsonl").read_bytes()
    assert checks == (tmp_path / "whole" / "checks.jsonl").read_bytes()
    assert not (tmp_path / "out.partial").exists()


def test_a_lane_leaves_one_file_with_little_for_the_audit(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    # Documents of 1.9 KB in two lanes of 24 MB; the sample of each has 1,000 of some 12,500.
    documents = 25_000
    run("synth", "-o", "made.jsonl", "--documents", documents, "--seed", "5", "--quiet")
    run("shard", "plan", "made.jsonl", "-o", "out", "--job", "job")
    assert status(run)["stages"][0]["units"] == 2
    run("shard", "run", "job", "fingerprint", "--task", "0/1", "--quiet")
    files = list((tmp_path / "job" / "units").iterdir())
    assert len(files) == 2, "each lane is one unit"
    # 700 bytes without the sample, 900 with it. The sets that were wanted when they came, while
    # the lane had few, take 400 more.
    assert sum(file.stat().st_size for file in files) < 1_000 * documents


def test_a_reference_stays_and_is_not_written(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    arguments = [*collection[1:], "--against", collection[0], *FIELDS]
    run("dedup", *arguments, "-o", "whole", "--quiet", code=3)
    run("shard", "plan", *arguments, "-o", "out", "--job", "job", env=LANES)
    run_all(run, lambda _: [(0, 2), (1, 2)])
    assert content(tmp_path / "out") == content(tmp_path / "whole")


@pytest.mark.parametrize("options", [[], ["--method", "exact"]])
def test_texts_that_are_contained_in_a_reference(
    run: Callable[..., Any],
    tmp_path: Path,
    write_jsonl: Callable[..., Path],
    collection: list[Path],
    options: list[str],
) -> None:
    rows = make_rows(60, 3)
    whole = [" ".join(row["text"] for row in rows[i : i + 4]) for i in range(0, 60, 4)]
    reference = write_jsonl(
        "books.jsonl", [{"id": f"b{i}", "text": text} for i, text in enumerate(whole)]
    )
    arguments = [*collection, "--against", reference, "--measure", "containment", *FIELDS, *options]
    run("dedup", *arguments, "-o", "whole", "--quiet", code=3)
    run("shard", "plan", *arguments, "-o", "out", "--job", "job", env=LANES)
    run_all(run, lambda _: [(2, 3), (0, 3), (1, 3)])
    assert len((tmp_path / "out" / "removed.jsonl").read_text().splitlines()) >= 60
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert facts(tmp_path / "out") == facts(tmp_path / "whole")
    assert facts(tmp_path / "out")["recall"]["sampled_pairs"] > 0


@pytest.mark.parametrize("options", [[], ["--output", "annotated"]])
def test_shards_of_the_result_get_the_names_of_one_run(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path], options: list[str]
) -> None:
    arguments = [*collection, *FIELDS, "--output-shard", "4K", *options]
    # Lanes are of another size than in a run without LANES, and a shard ends with its lane.
    run("dedup", *arguments, "-o", "whole", "--quiet", code=3, env=LANES)
    run("shard", "plan", *arguments, "-o", "out", "--job", "job", env=LANES)
    run_all(run, lambda _: [(2, 3), (0, 3), (1, 3)])
    made = content(tmp_path / "out")
    assert len([name for name in made if "-of-" in name]) > 12
    assert made == content(tmp_path / "whole")
    checks = (tmp_path / "out" / "checks.jsonl").read_bytes()
    assert checks == (tmp_path / "whole" / "checks.jsonl").read_bytes()
    assert not (tmp_path / "out.partial").exists()


def test_a_task_that_names_shards_may_be_killed(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    arguments = [*collection, *FIELDS, "--output-shard", "4K"]
    run("dedup", *arguments, "-o", "whole", "--quiet", code=3, env=LANES)
    run("shard", "plan", *arguments, "-o", "out", "--job", "job", env=LANES)
    for stage in STAGES[:-1]:
        run("shard", "run", "job", stage, "--task", "0/1", "--quiet")
    units = status(run)["stages"][-1]["units"]
    assert units > 1
    for i in range(units - 1):
        run("shard", "run", "job", "write", "--task", f"{i}/{units}", "--quiet")
    # As if a task had been killed that had given some of the files their names.
    waiting = sorted((tmp_path / "out.partial" / "shards").iterdir())
    first = next(name for name in content(tmp_path / "whole") if "-00000-of-" in name)
    named = tmp_path / "out.partial" / "result" / first
    named.parent.mkdir(exist_ok=True)
    waiting[0].rename(named)
    run("shard", "run", "job", "write", "--task", "0/1", "--quiet")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_shard_that_is_not_what_its_task_wrote_is_refused(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    run(
        "shard",
        "plan",
        *collection,
        *FIELDS,
        "--output-shard",
        "4K",
        "-o",
        "out",
        "--job",
        "job",
        env=LANES,
    )
    for stage in STAGES[:-1]:
        run("shard", "run", "job", stage, "--task", "0/1", "--quiet")
    run("shard", "run", "job", "write", "--task", "0/2", "--quiet")
    shard = min((tmp_path / "out.partial" / "shards").iterdir())
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-1] + b" ")
    refused = run("shard", "run", "job", "write", "--task", "0/1", code=2)
    assert "is not what its task wrote" in refused.stderr
    next((tmp_path / "out.partial" / "result").rglob("*-of-*")).unlink()
    refused = run("shard", "run", "job", "write", "--task", "0/1", code=2)
    assert "is not what its task wrote" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_only_the_task_that_joins_needs_its_memory(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    run("synth", "-o", "made.jsonl", "--documents", "5000", "--seed", "1", "--quiet")
    rows = (tmp_path / "made.jsonl").read_bytes()
    (tmp_path / "in.jsonl").write_bytes(rows * 15)  # seems to have more features than it has
    arguments = ["in.jsonl", "-o", "out", "--job", "job", "--method", "exact", "--memory", "64M"]
    run("shard", "plan", *arguments)
    for stage in STAGES:
        memory = "2G" if stage == "verify" else "64M"
        run("shard", "run", "job", stage, "--task", "0/1", "--memory", memory, "--quiet")
    assert status(run)["complete"]


def test_stages_may_have_different_numbers_of_tasks_and_resources(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    run("dedup", *collection, "-o", "whole", *FIELDS, "--quiet", code=3)
    run("shard", "plan", *collection, "-o", "out", "--job", "job", "--memory", "64M", *FIELDS,
        env=LANES)  # fmt: skip
    for place, stage in enumerate(STAGES):
        for i in range(place + 1):
            more = ["--threads", str(1 + i % 2), "--memory", "64M" if i % 2 == 0 else "1G"]
            run("shard", "run", "job", stage, "--task", f"{i}/{place + 1}", "--quiet", *more)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_copies_alone_leave_nothing_to_verify(
    run: Callable[..., Any], tmp_path: Path, write_jsonl: Callable[..., Path]
) -> None:
    rows = [{"id": f"d{i}", "text": f"the text of a row {i % 9} " * 9} for i in range(60)]
    corpus = write_jsonl("in.jsonl", rows)
    run("dedup", corpus, "-o", "whole", "--quiet")
    run("shard", "plan", corpus, "-o", "out", "--job", "job")
    for stage in STAGES[: STAGES.index("join") + 1]:
        run("shard", "run", "job", stage, "--task", "0/1", "--quiet")
    stages = {stage["name"]: stage for stage in status(run)["stages"]}
    assert stages["verify"] == {"name": "verify", "units": 0, "done": 0}
    run_all(run, lambda _: [(0, 1)])
    assert content(tmp_path / "out") == content(tmp_path / "whole")


@pytest.mark.parametrize("count", [1, 3, 17])
def test_pages_of_a_template(
    run: Callable[..., Any], tmp_path: Path, skewed: Callable[[str, int], Path], count: int
) -> None:
    """Buckets of all pages are split further; each is the work of one unit."""
    corpus = skewed("template", 12000)
    run("dedup", corpus, "-o", "whole", "--quiet", code=None)
    run("shard", "plan", corpus, "-o", "out", "--job", "job")
    tasks = {"join": count}
    run_all(run, lambda stage: [(i, tasks.get(stage, 2)) for i in range(tasks.get(stage, 2))])
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert facts(tmp_path / "out") == facts(tmp_path / "whole")
    search = facts(tmp_path / "out")["search"]
    assert search["refined_buckets"] > 5 and search["keys_added"] > 100_000


@pytest.mark.parametrize("count", [1, 3, 17])
def test_short_texts(
    run: Callable[..., Any], tmp_path: Path, write_jsonl: Callable[..., Path], count: int
) -> None:
    """They are found by their features, which are counted first; some features are frequent."""
    chance = random.Random(5)
    rows = []
    for i in range(3000):
        words = [f"w{int(chance.paretovariate(0.6))}" for _ in range(chance.randrange(2, 12))]
        start = ["the", "same", "start", "for", "all", "of", "them"] if i % 2 else []
        rows.append({"id": f"d{i}", "text": " ".join(start + words)})
    files = [write_jsonl(f"in/{i}.jsonl", rows[i::3]) for i in range(3)]
    options = ["--threshold", "0.5", "--shingle", "word:2"]
    run("dedup", *files, "-o", "whole", *options, "--quiet")
    run("shard", "plan", *files, "-o", "out", "--job", "job", *options)
    run_all(run, lambda _: [(i, count) for i in range(count)])
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert facts(tmp_path / "out") == facts(tmp_path / "whole")
    assert len((tmp_path / "out" / "removed.jsonl").read_text().splitlines()) > 500


def test_tasks_of_the_join_may_be_killed_repeated_and_doubled(
    run: Callable[..., Any], binary: Path, tmp_path: Path, skewed: Callable[[str, int], Path]
) -> None:
    corpus = skewed("template", 3000)
    run("dedup", corpus, "-o", "whole", "--quiet", code=None)
    run("shard", "plan", corpus, "-o", "out", "--job", "job")
    for stage in STAGES[: STAGES.index("join")]:
        run("shard", "run", "job", stage, "--task", "0/1", "--quiet")

    def start(task: str) -> subprocess.Popen[bytes]:
        words = [str(binary), "shard", "run", "job", "join", "--task", task, "--quiet"]
        return subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE)

    def done() -> dict[str, bytes]:
        """The records of the join, which never change."""
        return {
            path.name: path.read_bytes() for path in (tmp_path / "job" / "records").glob("join.*")
        }

    killed = start("0/1")
    while not done() and killed.poll() is None:
        time.sleep(0.001)
    killed.kill()
    killed.communicate()
    first = done()
    assert 0 < len(first) < 16
    refused = run("shard", "run", "job", "sets", "--task", "0/1", code=2)
    assert f"stage join, of which {len(first)} of 16 units are done" in refused.stderr
    both = [start(task) for task in ("0/1", "0/1", "3/17", "3/17")]
    ended = [(process.communicate()[1].decode(), process.returncode) for process in both]
    assert [code for _, code in ended] == [0] * 4, ended
    assert len(done()) == 16 and first.items() <= done().items()
    for stage in STAGES[STAGES.index("join") :]:
        run("shard", "run", "job", stage, "--task", "0/1", "--quiet")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert facts(tmp_path / "out") == facts(tmp_path / "whole")


@pytest.mark.parametrize(
    "options",
    [[], ["--method", "shingle-merge"], ["--output-shard", "4K"]],
    ids=["keys", "sets", "shards"],
)
def test_tasks_may_be_killed_repeated_and_doubled(
    run: Callable[..., Any], binary: Path, tmp_path: Path, corpus: Path, options: list[str]
) -> None:
    run("dedup", corpus, "-o", "whole", *options, "--quiet")
    run("shard", "plan", corpus, "-o", "out", "--job", "job", *options)
    chance = random.Random(8)

    def start(stage: str, task: str) -> subprocess.Popen[bytes]:
        words = [str(binary), "shard", "run", "job", stage, "--task", task, "--quiet"]
        return subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE)

    killed = 0
    for stage in STAGES:
        for _ in range(2):
            process = start(stage, "0/1")
            time.sleep(chance.random() * 0.3)
            killed += process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.communicate()
        both = [start(stage, "0/1") for _ in range(2)]
        ended = [(process.communicate()[1].decode(), process.returncode) for process in both]
        assert [code for _, code in ended] == [0, 0], ended
        run("shard", "run", "job", stage, "--task", "0/1")  # once more
    assert killed > 0
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert sorted(os.listdir(tmp_path / "job")) == [
        "complete.json",
        "inputs.jsonl",
        "job.json",
        "records",
    ]


def test_status_counts_units_and_a_stage_waits_for_the_earlier_ones(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    planned = run("shard", "plan", *collection, "-o", "out", "--job", "job", *FIELDS, env=LANES)
    assert [line.split()[0] for line in planned.stdout.splitlines()] == STAGES
    assert not any(stage["done"] for stage in status(run)["stages"])
    refused = run("shard", "run", "job", "sets", "--task", "0/1", code=2)
    assert "stage sets needs stage fingerprint" in refused.stderr
    run("shard", "run", "job", "fingerprint", "--task", "1/3")
    stages = status(run)["stages"]
    assert 0 < stages[0]["done"] < stages[0]["units"]
    assert {"name": "verify", "units": None, "done": 0} in stages
    assert {"name": "join", "units": 16, "done": 0} in stages
    refused = run("shard", "run", "job", "survey", "--task", "0/1", code=2)
    assert f"{stages[0]['done']} of {stages[0]['units']} units" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_a_changed_input_and_a_damaged_file_are_refused(
    run: Callable[..., Any], tmp_path: Path, collection: list[Path]
) -> None:
    run("shard", "plan", *collection, "-o", "out", "--job", "job", *FIELDS)
    run("shard", "run", "job", "fingerprint", "--task", "0/1")
    record = tmp_path / "job" / "records" / "fingerprint.0"
    lines = record.read_bytes()
    for damage in (b"", lines[:20], lines[lines.index(b"\n") + 1 :]):
        record.write_bytes(damage)
        refused = run("shard", "run", "job", "survey", "--task", "0/1", code=2)
        assert "fingerprint.0: this record" in refused.stderr
    record.write_bytes(lines)
    damaged = sorted((tmp_path / "job" / "units").iterdir())[0]
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    refused = run("shard", "run", "job", "survey", "--task", "0/1", code=2)
    assert damaged.name in refused.stderr
    damaged.write_bytes(whole)
    with open(collection[0], "a", encoding="utf-8") as file:
        file.write('{"id": "late", "text": "one more"}\n')
    refused = run("shard", "run", "job", "survey", "--task", "0/1", code=2)
    assert "part-0.jsonl" in refused.stderr
    assert "--resume" not in refused.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plan", "in.jsonl", "-o", "out"], "-o DIR and --job JOB"),
        (
            ["plan", "in.jsonl", "-o", "out", "--job", "job", "--threads", "2"],
            "pass it to shard run",
        ),
        (["plan", "-", "-o", "out", "--job", "job"], "standard input"),
        (["plan", "in.jsonl", "-o", "out", "--job", "s3://there/job"], "in a store too"),
        (["plan", "in.jsonl", "-o", "there", "--job", "job"], "exists"),
        (["plan", "in.jsonl", "-o", "out", "--job", "out"], "apart from each other"),
        (["plan", "in.jsonl", "-o", "out", "--job", "out.partial"], "apart from each other"),
        (["plan", "in.jsonl", "-o", "gone/out", "--job", "job"], "does not exist"),
        (["run", "job", "fingerprint", "--task", "0/1", "--threshold", "0.5"], "no --threshold"),
        (["run", "job", "fingerprint"], "--task I/N"),
        (["run", "there", "fingerprint", "--task", "0/1"], "no job here"),
        (["run", "job", "fingerprint", "--task", "3/3"], "counted from 0"),
        (["status", "job", "join"], "one job"),
        (["stop", "job"], "plan, run or status"),
    ],
)
def test_calls_that_cannot_work_say_what_to_do(
    run: Callable[..., Any],
    tmp_path: Path,
    write_jsonl: Callable[..., Path],
    words: list[str],
    said: str,
) -> None:
    write_jsonl("in.jsonl", make_rows(5, 1))
    (tmp_path / "there").mkdir()
    refused = run("shard", *words, code=2)
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "there"]


def test_sketch_files_are_for_one_machine(
    run: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    write_jsonl("in.jsonl", make_rows(5, 1))
    run("sketch", "in.jsonl", "-o", "sketches", "--quiet")
    refused = run("shard", "plan", "sketches", "-o", "out", "--job", "job", code=2)
    assert "sketch files are read in seconds; run dedup on one machine" in refused.stderr


def test_an_unknown_stage_names_the_stages(
    run: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    write_jsonl("in.jsonl", make_rows(5, 1))
    run("shard", "plan", "in.jsonl", "-o", "out", "--job", "job")
    refused = run("shard", "run", "job", "sort", "--task", "0/1", code=2)
    assert all(stage in refused.stderr for stage in STAGES)


def test_every_task_has_memory_for_the_same_records(
    run: Callable[..., Any], tmp_path: Path, write_jsonl: Callable[..., Path]
) -> None:
    rows = [*make_rows(20, 1), {"id": "long", "text": "word " * 1_000_000}]
    corpus = write_jsonl("in.jsonl", rows)
    run("shard", "plan", corpus, "-o", "out", "--job", "job", "--memory", "1G")
    refused = run("shard", "run", "job", "fingerprint", "--task", "0/1", "--memory", "64M", code=2)
    assert "plan the job with the --memory that each task has" in refused.stderr
    run_all(run, lambda _: [(0, 1)])
    assert len((tmp_path / "out" / "kept" / "in.jsonl").read_text().splitlines()) > 10
    run("shard", "plan", corpus, "-o", "less", "--job", "job-less", "--memory", "64M")
    for stage in STAGES:
        last = run("shard", "run", "job-less", stage, "--task", "0/1", "--memory", "1G", "--json")
    assert last.json["records"]["rejected"] == 1


def test_paths_mean_what_they_mean_to_dedup(
    run: Callable[..., Any], tmp_path: Path, write_jsonl: Callable[..., Path]
) -> None:
    write_jsonl("in.jsonl", make_rows(10, 1))
    write_jsonl("real/in.jsonl", make_rows(30, 2))
    (tmp_path / "real" / "below").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "below")
    run("dedup", "link/../in.jsonl", "-o", "whole", "--quiet")
    run("shard", "plan", "link/../in.jsonl", "-o", "out", "--job", "job")
    run_all(run, lambda _: [(0, 1)])
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    assert len((tmp_path / "out" / "kept" / "in.jsonl").read_text().splitlines()) > 10


def test_a_name_that_is_not_utf8_is_refused_before_anything_is_made(
    run: Callable[..., Any], tmp_path: Path, write_jsonl: Callable[..., Path]
) -> None:
    odd = os.fsencode(tmp_path) + b"/odd\xff.jsonl"
    os.rename(write_jsonl("in.jsonl", make_rows(10, 1)), odd)
    refused = run("shard", "plan", os.fsdecode(odd), "-o", "out", "--job", "job", code=2)
    assert "UTF-8" in refused.stderr
    assert not (tmp_path / "job").exists() and not (tmp_path / "out.partial").exists()
