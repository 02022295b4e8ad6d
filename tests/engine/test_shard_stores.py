"""`lookalike shard` with a job that is in a store: tasks share nothing else."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from object_servers import InjectedFault, Proxy, Request, S3Bucket
from test_shards import LANES, STAGES, content, facts, make_rows

Run = Callable[..., Any]
#: Tasks of one job with different memory: they cut the same unit into different files.
SMALL, LARGE = ["--memory", "64M", "--threads", "1"], ["--memory", "1G", "--threads", "4"]


@pytest.fixture
def call(shard: Run) -> Run:
    return functools.partial(shard, reach=True)


@pytest.fixture
def inputs(write_jsonl: Callable[..., Path]) -> list[Path]:
    rows = make_rows(240, 8)
    files = [write_jsonl(f"in/part-{i}.jsonl", rows[i * 60 : i * 60 + 60]) for i in range(4)]
    with open(files[1], "a", encoding="utf-8") as file:
        file.write('no record\n{"id": "null", "text": null}\n{"id": "empty", "text": ""}\n')
    return files


@pytest.fixture
def few(write_jsonl: Callable[..., Path]) -> list[Path]:
    """Two files of few documents, each of which can be a lane of its own."""
    rows = make_rows(10, 9)
    return [write_jsonl("few/a.jsonl", rows[:6]), write_jsonl("few/b.jsonl", rows[6:])]


def run_all(call: Run, job: str, count: int = 3, stages: list[str] = STAGES) -> None:
    for stage in stages:
        for index in range(count):
            call("run", job, stage, "--task", f"{index}/{count}", "--quiet")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], marks=pytest.mark.slow),
        pytest.param(["--output", "annotated"], marks=pytest.mark.slow),
        pytest.param(["--keep", "longest"], marks=pytest.mark.slow),
        ["--method", "shingle-merge"],
    ],
)
def test_tasks_that_share_a_store_leave_the_bytes_of_one_run(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path, options: list[str]
) -> None:
    run("dedup", *inputs, "-o", "whole", *options, "--quiet", code=3)
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job, *options)
    run_all(call, job)
    result = bucket.download("out", tmp_path / "out")
    assert content(result) == content(tmp_path / "whole")
    assert facts(result) == facts(tmp_path / "whole")
    left = {name.split("/")[0] for name in bucket.objects("job/") if name}
    assert left == {"complete.json", "inputs.jsonl", "job.json", "records"}
    assert not list((tmp_path / "tmp").glob("lookalike-*")), "nothing stays on the task's disk"
    assert bucket.unfinished_uploads() == 0
    status = call("status", job, "--json").json
    assert status["complete"]
    assert all(stage["done"] == stage["units"] for stage in status["stages"])


def versions(bucket: S3Bucket, stage: str) -> dict[str, list[str]]:
    """The objects of each record of a stage."""
    found: dict[str, list[str]] = {}
    for name in bucket.objects("job/records/"):
        record, _, _ = name.rpartition(".")
        if record.startswith(stage + "."):
            found.setdefault(record, []).append(name)
    return found


@pytest.mark.slow
def test_units_that_were_done_twice_by_different_tasks_can_be_mixed(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    """Every stage is done with little and with much memory, and all records lie side by side."""
    run("dedup", *inputs, "-o", "whole", "--memory", "64M", "--quiet", code=3)
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job, "--memory", "64M")
    differ = 0
    for stage in STAGES[:-1]:
        records: dict[str, bytes] = {}
        for number, (resources, stress) in enumerate([(SMALL, "spill"), (LARGE, "")]):
            for name in records:
                bucket.remove(f"job/records/{name}")
            environment = {"LOOKALIKE_STRESS": stress} if stress else {}
            call(
                *("run", job, stage, "--task", "0/1", "--quiet", *resources),
                env=environment,
            )
            for name, data in bucket.objects("job/records/").items():
                if name.startswith(stage + "."):
                    records[name] = data
            assert number == 1 or records
        for name, data in records.items():
            bucket.put(f"job/records/{name}", data)
        differ += sum(len(names) > 1 for names in versions(bucket, stage).values())
    assert differ > 0, "else this test says nothing"
    call("run", job, "write", "--task", "0/1", "--quiet", *LARGE)
    assert content(bucket.download("out", tmp_path / "out")) == content(tmp_path / "whole")


@pytest.mark.slow
def test_tasks_that_do_everything_at_once_and_twice_agree(
    run: Run, call: Run, bucket: S3Bucket, few: list[Path], tmp_path: Path
) -> None:
    run("dedup", *few, "-o", "whole", "--memory", "64M", "--quiet")
    job = bucket.uri("job")
    call("plan", *few, "-o", bucket.uri("out"), "--job", job, "--memory", "64M", env=LANES)
    for stage in STAGES:
        tasks = [(i, resources) for i in range(2) for resources in (SMALL, LARGE)]
        with ThreadPoolExecutor(4) as pool:
            done = pool.map(
                lambda task, stage=stage: call(
                    "run", job, stage, "--task", f"{task[0]}/2", "--quiet", *task[1], code=None
                ),
                tasks,
            )
            for each in done:
                assert each.code == 0, each.stderr
    assert content(bucket.download("out", tmp_path / "out")) == content(tmp_path / "whole")
    checks = (tmp_path / "out" / "checks.jsonl").read_text().splitlines()
    assert all(json.loads(line) for line in checks)


@pytest.mark.slow
def test_a_store_that_refuses_an_upload_ends_the_task_and_not_the_job(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy, tmp_path: Path
) -> None:
    run("dedup", *inputs, "-o", "whole", "--quiet", code=3)
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job)
    for stage in STAGES:
        for place in ("/job/units/", "/job/records/"):

            def refuse(request: Request, place: str = place) -> InjectedFault | None:
                if request.method in ("PUT", "POST") and place in request.path:
                    return InjectedFault(status=403, error_code="AccessDenied")
                return None

            proxy.rule = refuse
            ended = call("run", job, stage, "--task", "0/1", code=2)
            assert "access is denied" in ended.stderr, ended.stderr
            assert "s3://" in ended.stderr and place in ended.stderr, ended.stderr
        proxy.rule = lambda _: None
        call("run", job, stage, "--task", "0/1", "--quiet")
    assert content(bucket.download("out", tmp_path / "out")) == content(tmp_path / "whole")


def test_a_unit_that_is_uploaded_again_while_it_is_read_is_the_same(
    call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy
) -> None:
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job)
    call("run", job, "fingerprint", "--task", "0/1", "--quiet")
    time.sleep(1.1)  # stores tell times in seconds
    again: list[str] = []

    def put_again(request: Request) -> None:
        """What a repeated task does when a task of the next stage has listed the units."""
        if request.reads_object and "/job/units/" in request.path and not again:
            key = request.path.split("?")[0].split("/", 2)[2]
            again.append(bucket.put(key, bucket.get(key)))

    proxy.rule = put_again
    call("run", job, "survey", "--task", "0/1", "--quiet")
    assert again


def test_names_that_no_task_gave_are_passed_over(
    call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job)
    up = "../" * 14
    for name in (
        "records/write.0.tmp.0123",
        f"records/{up}{str(tmp_path)[1:]}/outside.0123456789abcdef",
        f"{up}{str(tmp_path)[1:]}/outside.0123456789abcdef",
    ):
        bucket.put(f"job/{name}", b"unwanted")
    status = call("status", job, "--json").json
    assert [stage["done"] for stage in status["stages"]] == [0] * len(STAGES)
    assert not (tmp_path / "outside").exists()


def test_a_task_whose_stage_cannot_begin_names_the_job_in_the_store(
    call: Run, bucket: S3Bucket, inputs: list[Path]
) -> None:
    job = bucket.uri("job")
    call("plan", *inputs, "-o", bucket.uri("out"), "--job", job)
    early = call("run", job, "join", "--task", "0/1", code=2)
    assert "stage join needs stage fingerprint" in early.stderr and job in early.stderr
    missing = call("status", bucket.uri("other"), code=2)
    assert "there is no job here" in missing.stderr and bucket.uri("other") in missing.stderr


@pytest.mark.parametrize(
    ("output", "job", "message"),
    [
        ("out", "{bucket}/job", "its result must be in a store too"),
        ("{bucket}/all/out", "{bucket}/all", "lies inside"),
        ("{bucket}/all", "{bucket}/all/job", "lies inside"),
        ("{bucket}/out", "{bucket}/full", "holds objects; choose another prefix"),
    ],
)
def test_places_that_a_job_cannot_have_are_refused(
    call: Run,
    bucket: S3Bucket,
    inputs: list[Path],
    output: str,
    job: str,
    message: str,
) -> None:
    bucket.put("full/part.jsonl", inputs[0])
    place = bucket.uri("").rstrip("/")
    arguments = ("-o", output.format(bucket=place), "--job", job.format(bucket=place))
    assert message in call("plan", *inputs, *arguments, code=2).stderr


def test_shards_of_a_result_in_a_store_are_refused(
    call: Run, bucket: S3Bucket, inputs: list[Path]
) -> None:
    arguments = ("-o", bucket.uri("out"), "--job", bucket.uri("job"), "--output-shard", "4K")
    refused = call("plan", *inputs, *arguments, code=2).stderr
    assert "tasks cannot rename objects; leave out --output-shard" in refused
    assert not bucket.objects("")
