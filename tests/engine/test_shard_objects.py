"""`lookalike shard` with objects of a store: read in place, and written there by the tasks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from object_servers import CREDENTIALS, InjectedFault, Proxy, Request, S3Bucket
from test_shards import LANES, STAGES, content, facts, make_rows

Run = Callable[..., Any]


@pytest.fixture
def call(shard: Run) -> Run:
    """The command; `plan` gets the server."""

    def call_it(name: str, action: str, *arguments: str | Path, **rest: Any) -> Any:
        assert name == "shard"
        return shard(action, *arguments, reach=action == "plan", **rest)

    return call_it


@pytest.fixture
def inputs(tmp_path: Path, write_jsonl: Callable[..., Path], bucket: S3Bucket) -> list[Path]:
    """Files of four formats and codecs, and the same as objects below `in`."""
    rows = make_rows(200, 5)
    plain = write_jsonl("in/part-0.jsonl", rows[:60])
    with open(plain, "a", encoding="utf-8") as file:
        file.write('no record\n{"id": "empty", "text": ""}\n')
    packed = tmp_path / "in" / "part-1.jsonl.zst"
    text = "".join(json.dumps(row) + "\n" for row in rows[60:110])
    packed.write_bytes(pa.Codec("zstd").compress(text.encode(), asbytes=True))
    table = tmp_path / "in" / "part-2.parquet"
    pq.write_table(pa.Table.from_pylist(rows[110:160]), table, row_group_size=20)
    arrow = tmp_path / "in" / "part-3.arrow"
    with pa.ipc.new_file(arrow, pa.Table.from_pylist(rows[160:]).schema) as writer:
        writer.write(pa.Table.from_pylist(rows[160:]))
    files = [plain, packed, table, arrow]
    for file in files:
        bucket.put(f"in/{file.name}", file)
    return files


def run_all(call: Run, count: int = 3, stages: list[str] = STAGES) -> None:
    for stage in stages:
        for index in range(count):
            call("shard", "run", "job", stage, "--task", f"{index}/{count}", "--quiet")


@pytest.mark.parametrize("options", [[], ["--output", "annotated"], ["--keep", "longest"]])
def test_objects_in_and_out_are_the_bytes_of_one_run(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path, options: list[str]
) -> None:
    run("dedup", *inputs, "-o", "whole", *options, "--quiet", code=3)
    out = bucket.uri("out")
    call("shard", "plan", bucket.uri("in"), "-o", out, "--job", "job", *options, env=LANES)
    run_all(call)
    result = bucket.download("out", tmp_path / "out")
    assert content(result) == content(tmp_path / "whole")
    assert facts(result) == facts(tmp_path / "whole")
    checks = [json.loads(line) for line in (result / "checks.jsonl").read_text().splitlines()]
    named = {line["file"] for line in checks if "file" in line}
    assert {f"kept/{file.name}" for file in inputs} <= named or options == ["--output", "annotated"]
    assert not list((tmp_path / "tmp").rglob("*.jsonl")), "nothing stays on the task's disk"
    assert sorted(path.name for path in (tmp_path / "job").iterdir()) == [
        "complete.json",
        "inputs.jsonl",
        "job.json",
        "records",
    ]
    assert bucket.unfinished_uploads() == 0


def test_a_resumed_run_finds_the_result_of_the_tasks_whole(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy
) -> None:
    out = bucket.uri("out")
    call("shard", "plan", bucket.uri("in"), "-o", out, "--job", "job")
    run_all(call, count=1)
    again = run(
        *("dedup", bucket.uri("in"), "-o", out, "--resume", "--object-endpoint", proxy.url),
        env=CREDENTIALS,
        code=None,
    )
    assert "already complete" in again.stderr + again.stdout, again.stderr


def test_the_manifest_is_the_last_object_and_a_late_task_changes_nothing(
    call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy, tmp_path: Path
) -> None:
    call("shard", "plan", bucket.uri("in"), "-o", bucket.uri("out"), "--job", "job")
    run_all(call, stages=STAGES[:-1])
    shutil.copytree(tmp_path / "job", tmp_path / "late")
    run_all(call, stages=["write"])
    ended = [request.path for request in proxy.seen(lambda seen: seen.ends_object)]
    files = [path for path in ended if not path.endswith("/")]  # a store marks empty folders
    assert "/out/manifest.json" in files[-1]
    before = bucket.objects("out/")
    shutil.rmtree(tmp_path / "job")
    shutil.copytree(tmp_path / "late", tmp_path / "job")
    late = call("shard", "run", "job", "write", "--task", "0/1", code=2)
    assert "another run wrote to it" in late.stderr
    assert bucket.objects("out/") == before


def test_a_crash_after_the_manifest_is_the_end_of_the_job(
    call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy, tmp_path: Path
) -> None:
    call("shard", "plan", bucket.uri("in"), "-o", bucket.uri("out"), "--job", "job")
    run_all(call, stages=STAGES[:-1])
    taken = tmp_path / "taken"

    def copy_the_job(request: Request) -> None:
        """The state of the job when the manifest is on its way."""
        if request.method in ("PUT", "POST") and "/out/manifest.json" in request.path:
            shutil.rmtree(taken, ignore_errors=True)
            shutil.copytree(tmp_path / "job", taken)

    proxy.rule = copy_the_job
    call("shard", "run", "job", "write", "--task", "0/1", "--quiet")
    proxy.rule = lambda _: None
    before = bucket.objects("out/")
    shutil.rmtree(tmp_path / "job")
    taken.rename(tmp_path / "job")
    assert not (tmp_path / "job" / "complete.json").exists()
    call("shard", "run", "job", "write", "--task", "0/1", "--quiet")
    assert (tmp_path / "job" / "complete.json").exists()
    assert bucket.objects("out/") == before


def test_tasks_read_inputs_three_times_and_no_more(
    call: Run, bucket: S3Bucket, tmp_path: Path, write_jsonl: Callable[..., Path], proxy: Proxy
) -> None:
    """By ranges: a task of the eight of a stage asks for its share only."""
    size = 0
    for i in range(4):
        rows = make_rows(3000, i)
        path = write_jsonl(f"big-{i}.jsonl", rows)
        size += path.stat().st_size
        bucket.put(f"big/{path.name}", path)
    seen = [0]

    def count(request: Request) -> InjectedFault | None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        span = headers.get("range", "")
        if request.reads_object and span:
            first, last = span.removeprefix("bytes=").split("-")
            seen[0] += int(last) - int(first) + 1
        return None

    proxy.rule = count
    call("shard", "plan", bucket.uri("big"), "-o", "out", "--job", "job")
    planned, seen[0] = seen[0], 0
    run_all(call, count=8)
    assert 2.9 * size < seen[0] <= 3.1 * size
    assert planned <= 4 * 2.25 * 2**20, "some 2 MiB of a file, however large it is"


def test_a_store_that_fails_ends_the_task_and_not_the_job(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy, tmp_path: Path
) -> None:
    run("dedup", *inputs, "-o", "whole", "--quiet", code=3)
    # Skipping bad inputs must not skip what the store does not deliver.
    call("shard", "plan", bucket.uri("in"), "-o", "out", "--job", "job", "--skip-bad-inputs")
    for stage in STAGES:
        for path in inputs:
            proxy.rule = lambda request, name=path.name: (
                InjectedFault(status=403, error_code="AccessDenied")
                if request.reads_object and name in request.path
                else None
            )
            ended = call("shard", "run", "job", stage, "--task", "0/1", code=None)
            if ended.code != 0:
                assert "access is denied" in ended.stderr and path.name in ended.stderr
        proxy.rule = lambda _: None
        call("shard", "run", "job", stage, "--task", "0/1", "--quiet")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_failed_upload_is_repeated_by_the_next_task(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], proxy: Proxy, tmp_path: Path
) -> None:
    run("dedup", *inputs, "-o", "whole", "--quiet", code=3)
    call("shard", "plan", bucket.uri("in"), "-o", bucket.uri("out"), "--job", "job")
    run_all(call, stages=STAGES[:-1])
    for name in ("kept", "removed", "manifest"):
        proxy.rule = lambda request, name=name: (
            InjectedFault(status=403, error_code="AccessDenied")
            if request.method in ("PUT", "POST") and f"/out/{name}" in request.path
            else None
        )
        ended = call("shard", "run", "job", "write", "--task", "0/1", code=None)
        assert ended.code != 0 and "cannot be written" in ended.stderr, name
        assert "out/manifest.json" not in bucket.objects("out/")
    proxy.rule = lambda _: None
    call("shard", "run", "job", "write", "--task", "0/1", "--quiet")
    assert content(bucket.download("out", tmp_path / "out")) == content(tmp_path / "whole")
    assert bucket.unfinished_uploads() == 0


def test_two_jobs_do_not_write_to_one_prefix(
    call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    out = bucket.uri("out")
    call("shard", "plan", bucket.uri("in"), "-o", out, "--job", "job")
    other = ["shard", "plan", bucket.uri("in"), "-o", out, "--job", "other", "--threshold", "0.5"]
    assert "holds objects" in call(*other, code=2).stderr
    # Planned at the same moment, both find nothing.
    bucket.client.delete_object(Bucket=bucket.name, Key="out/_lookalike-job")
    call(*other)
    run_all(call, stages=STAGES[:-1])
    ended = call("shard", "run", "job", "write", "--task", "0/1", code=2)
    assert "another run wrote to it" in ended.stderr
    for stage in STAGES:
        call("shard", "run", "other", stage, "--task", "0/1", "--quiet")
    before = bucket.objects("out/")
    ended = call("shard", "run", "job", "write", "--task", "0/1", code=2)
    assert "another run wrote to it" in ended.stderr
    assert bucket.objects("out/") == before


def test_tasks_that_finish_at_once_all_succeed(
    run: Run, call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    run("dedup", *inputs, "-o", "whole", "--quiet", code=3)
    call("shard", "plan", bucket.uri("in"), "-o", bucket.uri("out"), "--job", "job")
    run_all(call, stages=STAGES[:-1])
    for _ in range(5):
        shutil.copytree(tmp_path / "job", tmp_path / "kept")
        with ThreadPoolExecutor(3) as pool:
            tasks = [
                pool.submit(call, "shard", "run", "job", "write", "--task", "0/1", code=None)
                for _ in range(3)
            ]
        assert [task.result().code for task in tasks] == [0, 0, 0], [
            task.result().stderr for task in tasks
        ]
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        assert content(bucket.download("out", tmp_path / "out")) == content(tmp_path / "whole")
        shutil.rmtree(tmp_path / "job")
        (tmp_path / "kept").rename(tmp_path / "job")
        for name in bucket.objects("out/"):
            bucket.client.delete_object(Bucket=bucket.name, Key=f"out/{name}")
        job = json.loads((tmp_path / "job" / "job.json").read_text())
        bucket.put("out/_lookalike-job", job["id"].encode())


def test_an_object_that_changed_is_refused(
    call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    call("shard", "plan", bucket.uri("in"), "-o", "out", "--job", "job")
    bucket.put("in/part-0.jsonl", inputs[0].read_bytes() + b'{"id": "new", "text": "a b"}\n')
    ended = call("shard", "run", "job", "fingerprint", "--task", "0/1", code=2)
    assert "changed since the job was planned" in ended.stderr


def test_calls_that_cannot_work_say_what_to_do(
    call: Run, bucket: S3Bucket, inputs: list[Path], tmp_path: Path
) -> None:
    keyed = bucket.uri("in").replace("s3://", "s3://key:secret@")
    for arguments in ([keyed, "-o", "out"], [bucket.uri("in"), "-o", keyed]):
        ended = call("shard", "plan", *arguments, "--job", "job", code=2)
        assert "AWS_ACCESS_KEY_ID" in ended.stderr and "secret@" not in ended.stderr
    ended = call("shard", "plan", bucket.uri("in"), "-o", "out", "--job", bucket.uri("job"), code=2)
    assert "its result must be in a store too" in ended.stderr
    bucket.put("taken/x", b"x")
    ended = call(
        "shard", "plan", bucket.uri("in"), "-o", bucket.uri("taken"), "--job", "job", code=2
    )
    assert "holds objects; choose another prefix" in ended.stderr
    inside = bucket.uri("in/out")
    ended = call("shard", "plan", bucket.uri("in"), "-o", inside, "--job", "job", code=2)
    assert "choose a path outside the inputs" in ended.stderr
    assert not (tmp_path / "job").exists()
