"""Object stores in and out: what they give is what local files would, or a clean error."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.ipc
import pytest
from gcp_storage_emulator.server import create_server
from good_documents import corpus
from object_servers import CREDENTIALS, InjectedFault, Proxy, Request, S3Bucket
from result_folder import ResultFolder

Run = Callable[..., Any]


@pytest.fixture
def bucket(s3_server: str, request: pytest.FixtureRequest) -> S3Bucket:
    name = re.sub("[^a-z0-9]+", "-", request.node.name.lower())[:50].strip("-")
    return S3Bucket.of_server(s3_server, f"b-{name}-{random.randrange(10**6)}")


@pytest.fixture
def call(run: Run, s3_server: str, tmp_path: Path) -> Run:
    """The command with credentials, the server as its endpoint, and temporary files of its own."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()

    def call_it(*arguments: str | Path, endpoint: str = "", **rest: Any) -> Any:
        environment = {**CREDENTIALS, "TMPDIR": str(temporary), **rest.pop("env", {})}
        url = endpoint or f"http://{s3_server}"
        return run(*arguments, "--object-endpoint", url, env=environment, **rest)

    return call_it


@pytest.fixture
def inputs(tmp_path: Path, write_jsonl: Callable[..., Path], bucket: S3Bucket) -> Path:
    """A folder of inputs, and the same as objects below `in` in the bucket."""
    names = ["a.jsonl", "b.jsonl", "deep/c.jsonl"]
    for seed, name in enumerate(names):
        bucket.put(f"in/{name}", write_jsonl(f"in/{name}", corpus(seed)))
    return tmp_path / "in"


@pytest.fixture
def expected(inputs: Path, run: Run, tmp_path: Path) -> ResultFolder:
    """What the local inputs give."""
    run("dedup", inputs, "-o", "expected", "--quiet")
    return ResultFolder(tmp_path / "expected")


def downloaded(bucket: S3Bucket, prefix: str, folder: Path) -> ResultFolder:
    """The objects below a prefix as a result folder."""
    for name, content in bucket.objects(prefix + "/").items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return ResultFolder(folder)


def leftovers(tmp_path: Path) -> list[str]:
    """Files below the temporary folder, as paths from there."""
    folder = tmp_path / "tmp"
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


# Inputs


@pytest.mark.parametrize("key", ["in", "in/", "in/**"])
def test_objects_give_what_files_give(
    call: Run, bucket: S3Bucket, expected: ResultFolder, tmp_path: Path, key: str
) -> None:
    call("dedup", bucket.uri(key), "-o", "out", "--quiet")
    assert ResultFolder(tmp_path / "out").digest() == expected.digest()
    assert not (tmp_path / "out.partial").exists() and not leftovers(tmp_path)


def test_named_objects_and_patterns_have_the_names_of_files(
    call: Run, run: Run, bucket: S3Bucket, inputs: Path, tmp_path: Path
) -> None:
    run("dedup", inputs / "a.jsonl", inputs / "b.jsonl", "-o", "local", "--quiet")
    for number, keys in enumerate([["in/a.jsonl", "in/b.jsonl"], ["in/?.jsonl"], ["i*/*.jsonl"]]):
        call("dedup", *map(bucket.uri, keys), "-o", f"out{number}", "--quiet")
        found = ResultFolder(tmp_path / f"out{number}").digest()
        assert found == ResultFolder(tmp_path / "local").digest()


def test_arrows_own_parameters_work(run: Run, bucket: S3Bucket, inputs: Path, s3_server: str) -> None:
    uri = f"s3://key:secret@{bucket.name}/in/a.jsonl"
    uri += f"?endpoint_override={s3_server}&scheme=http&region=us-east-1"
    done = run("pairs", uri, "-o", "pairs.jsonl", "--json", env={"AWS_EC2_METADATA_DISABLED": "true"})
    assert done.json["pairs"] > 0
    assert "secret" not in done.stdout + done.stderr


def test_credentials_of_a_reference_are_in_no_file(
    run: Run, bucket: S3Bucket, inputs: Path, s3_server: str, tmp_path: Path
) -> None:
    uri = f"s3://key:secret@{bucket.name}/in/a.jsonl"
    uri += f"?endpoint_override={s3_server}&scheme=http&region=us-east-1"
    run("dedup", inputs / "b.jsonl", "--against", uri, "-o", "out", "--quiet",
        env={"AWS_EC2_METADATA_DISABLED": "true"})  # fmt: skip
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) > 4
    assert [path.name for path in files if b"secret" in path.read_bytes()] == []
    result = ResultFolder(tmp_path / "out")
    assert result.manifest["options"]["against"] == f"s3://{bucket.name}/in/a.jsonl"
    assert "s3://key" not in result.manifest["run"]["command"]


def test_the_security_page_names_what_opens_connections() -> None:
    page = (Path(__file__).resolve().parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    for name in ("s3://", "gs://", "--object-endpoint", "--object-anonymous", "credentials"):
        assert name in page


def test_objects_stand_beside_files_and_as_a_reference(
    call: Run, run: Run, bucket: S3Bucket, inputs: Path, tmp_path: Path
) -> None:
    a, b = inputs / "a.jsonl", inputs / "b.jsonl"
    run("dedup", b, "--against", a, "-o", "local", "--quiet")
    call("dedup", f"file://{b}", "--against", bucket.uri("in/a.jsonl"), "-o", "out", "--quiet")
    found, local = (ResultFolder(tmp_path / name).digest() for name in ("out", "local"))
    for name in ("kept/b.jsonl", "removed.jsonl", "clusters.jsonl"):
        assert found[name] == local[name]


def test_parquet_and_gzip_objects(call: Run, bucket: S3Bucket, data: Path, run: Run, tmp_path: Path) -> None:
    import gzip

    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = corpus(7)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=50)
    lines = "".join(json.dumps(row) + "\n" for row in rows[:100]).encode()
    (tmp_path / "z.jsonl.gz").write_bytes(gzip.compress(lines))
    for name in ("t.parquet", "z.jsonl.gz"):
        bucket.put(f"mixed/{name}", tmp_path / name)
    run("dedup", "t.parquet", "z.jsonl.gz", "-o", "local", "--quiet")
    call("dedup", bucket.uri("mixed"), "-o", "out", "--quiet")
    assert ResultFolder(tmp_path / "out").digest() == ResultFolder(tmp_path / "local").digest()


def test_anonymous_requests_are_not_signed(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path
) -> None:
    bucket.client.put_bucket_acl(Bucket=bucket.name, ACL="public-read")
    bucket.client.put_object_acl(Bucket=bucket.name, Key="in/a.jsonl", ACL="public-read")
    call("plan", bucket.uri("in/a.jsonl"), "--object-anonymous", endpoint=proxy.url)
    assert proxy.seen(lambda request: request.reads_object)
    assert not proxy.seen(lambda request: "Authorization" in request.headers)


def test_plan_reads_objects_and_leaves_nothing(
    call: Run, run: Run, bucket: S3Bucket, inputs: Path, tmp_path: Path
) -> None:
    local = run("plan", inputs, "--json").json
    assert call("plan", bucket.uri("in"), "--json").json["documents"] == local["documents"]
    assert not leftovers(tmp_path)


# Trouble while reading


def every(n: int, trouble: InjectedFault) -> Callable[[Request], InjectedFault | None]:
    return lambda request: trouble if request.number % n == 0 else None


def test_a_store_that_fails_now_and_then(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    proxy.rule = every(3, InjectedFault(status=503, error_code="SlowDown"))
    call("dedup", bucket.uri("in"), "-o", "out", "--quiet", endpoint=proxy.url)
    assert ResultFolder(tmp_path / "out").digest() == expected.digest()


def test_bodies_that_are_cut_short(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    seen: dict[str, int] = {}

    def cut_first(request: Request) -> InjectedFault | None:
        if not request.reads_object:
            return None
        seen[request.path] = seen.get(request.path, 0) + 1
        return InjectedFault(cut_body=True) if seen[request.path] == 1 else None

    proxy.rule = cut_first
    call("dedup", bucket.uri("in"), "-o", "out", "--quiet", endpoint=proxy.url)
    assert len(seen) == 3 and min(seen.values()) > 1
    assert ResultFolder(tmp_path / "out").digest() == expected.digest()


def test_bodies_that_are_always_cut_short(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    proxy.rule = lambda request: InjectedFault(cut_body=True) if request.reads_object else None
    done = call("dedup", bucket.uri("in"), "-o", "out", "--quiet", endpoint=proxy.url, code=2)
    assert done.stderr.startswith(f"s3://{bucket.name}/in/") and "cannot be read" in done.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.partial").exists()


def test_a_request_that_stalls(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    stalled: list[str] = []

    def stall_once(request: Request) -> InjectedFault | None:
        if not request.reads_object or stalled:
            return None
        stalled.append(request.path)
        return InjectedFault(stall=True)

    proxy.rule = stall_once
    call("dedup", bucket.uri("in"), "-o", "out", "--quiet", endpoint=proxy.url)
    assert stalled
    assert ResultFolder(tmp_path / "out").digest() == expected.digest()


@pytest.mark.slow
def test_a_store_that_stalls_for_ever(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    proxy.rule = lambda request: InjectedFault(stall=True)
    done = call("dedup", bucket.uri("in"), "-o", "out", "--quiet", endpoint=proxy.url, code=2)
    assert "stopped sending" in done.stderr
    assert not (tmp_path / "out").exists()


def test_interruption_ends_a_stall(
    binary: Path, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    proxy.rule = lambda request: InjectedFault(stall=True) if request.reads_object else None
    command = [binary, "dedup", bucket.uri("in"), "-o", "out", "--object-endpoint", proxy.url]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, **CREDENTIALS},
        stderr=subprocess.PIPE,
        text=True,
        # Jobs in the background have SIGINT ignored, and so would the command.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as running:
        while not proxy.seen(lambda request: request.reads_object):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 2
    assert "interrupted" in errors
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.partial").exists()


def test_an_object_that_changes(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    def change(request: Request) -> None:
        if request.reads_object:
            bucket.put("in/a.jsonl", b'{"text": "another"}\n')

    proxy.rule = change
    done = call("dedup", bucket.uri("in/a.jsonl"), "-o", "out", endpoint=proxy.url, code=2)
    assert f"s3://{bucket.name}/in/a.jsonl: the object changed while it was read" in done.stderr


def test_a_bad_object_can_be_left_out(
    call: Run, run: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if "in/b.jsonl" in request.path
        else None
    )
    arguments = ("dedup", bucket.uri("in"), bucket.uri("none.jsonl"), "-o")
    done = call(*arguments, "out", "--skip-bad-inputs", "--json", endpoint=proxy.url, code=3)
    assert done.json["records"]["in"] == 400
    assert f"s3://{bucket.name}/in/b.jsonl: cannot be read: access is denied" in done.stderr
    assert f"s3://{bucket.name}/none.jsonl: no such object" in done.stderr


def test_what_was_fetched_is_not_fetched_again(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    def fail_last(request: Request) -> InjectedFault | None:
        if not (request.reads_object and "c.jsonl" in request.path):
            return None
        # Not before the others are complete.
        deadline = time.monotonic() + 60
        while len(list((tmp_path / "out.partial/spool").glob("object-" + "?" * 32))) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return InjectedFault(status=403, error_code="AccessDenied")

    proxy.rule = fail_last
    done = call("dedup", bucket.uri("in"), "-o", "out", endpoint=proxy.url, code=2)
    assert "the objects fetched so far (2) are kept" in done.stderr and "--resume" in done.stderr
    proxy.rule = lambda request: None
    before = len(proxy.requests)
    call("dedup", bucket.uri("in"), "-o", "out", "--resume", "--quiet", endpoint=proxy.url)
    read = [request.path for request in proxy.requests[before:] if request.reads_object]
    assert [path for path in read if "c.jsonl" not in path] == [] and read
    found, local = ResultFolder(tmp_path / "out").digest(), expected.digest()
    del found["manifest.json"], local["manifest.json"]  # a run with --resume uses the disk
    assert found == local


# Output


def test_a_result_in_a_store_is_the_local_one(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), "--quiet", endpoint=proxy.url)
    found = downloaded(bucket, "out", tmp_path / "found")
    assert found.digest() == expected.digest()
    ends = proxy.seen(lambda request: request.ends_object and "out/" in request.path)
    assert "out/manifest.json" in ends[-1].path
    assert sum("out/manifest.json" in end.path for end in ends) == 1
    assert bucket.unfinished_uploads() == 0
    assert not leftovers(tmp_path)


def test_a_result_is_not_replaced_unasked(call: Run, bucket: S3Bucket, inputs: Path) -> None:
    call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), "--quiet")
    before = bucket.objects("out/")
    done = call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), code=2)
    assert done.stderr.startswith(bucket.uri("out") + ": holds a result; pass --overwrite")
    assert bucket.objects("out/") == before


@pytest.mark.parametrize("resume", [False, True])
def test_objects_of_others_are_not_mixed_with_a_result(
    call: Run, bucket: S3Bucket, inputs: Path, resume: bool
) -> None:
    bucket.put("out/kept/x.jsonl", b"{}\n")
    arguments = ["dedup", bucket.uri("in"), "-o", bucket.uri("out"), *["--resume"] * resume]
    done = call(*arguments, code=2)
    assert "holds objects, but no manifest.json" in done.stderr
    assert bucket.objects("out/") == {"kept/x.jsonl": b"{}\n"}


def test_nothing_changes_where_uploads_cannot_be_aborted(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path
) -> None:
    call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), "--quiet")
    bucket.put("pairs.jsonl", b"{}\n")
    before = bucket.objects()
    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if request.method == "DELETE" and "uploadId=" in request.path
        else None
    )
    none = bucket.uri("none.jsonl")
    call("dedup", none, "-o", bucket.uri("out"), "--overwrite", endpoint=proxy.url, code=2)
    call("pairs", none, "-o", bucket.uri("pairs.jsonl"), endpoint=proxy.url, code=2)
    assert bucket.objects() == before


@pytest.mark.parametrize("same_machine", [False, True])
def test_two_runs_at_one_place_leave_no_mixture_with_a_manifest(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path, same_machine: bool
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    second = {} if same_machine else {"env": {"TMPDIR": str(other)}}
    output = ["-o", bucket.uri("out"), "--overwrite", "--quiet"]
    codes: list[int] = []
    begun, ended = threading.Lock(), threading.Event()

    def rule(request: Request) -> None:
        if "kept/a.jsonl?uploads" not in request.path:
            return
        if begun.acquire(blocking=False):
            done = call("dedup", bucket.uri("in/b.jsonl"), *output, endpoint=proxy.url, code=None,
                        **second)  # fmt: skip
            codes.append(done.code)
            ended.set()
        ended.wait()  # a request that is tried again, too

    proxy.rule = rule
    first = call("dedup", bucket.uri("in/a.jsonl"), *output, endpoint=proxy.url, code=None)
    assert codes == [2 if same_machine else 0]
    assert first.code == (0 if same_machine else 2)
    if same_machine:
        assert {"kept/a.jsonl", "manifest.json"} <= bucket.objects("out/").keys()
        assert "kept/b.jsonl" not in bucket.objects("out/")
    else:
        assert "another run wrote to it" in first.stderr
        assert "manifest.json" not in bucket.objects("out/")


def test_overwriting_removes_what_the_old_result_had(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path
) -> None:
    call("dedup", bucket.put("old.jsonl", b'{"text": "old"}\n'), "-o", bucket.uri("out"), "--quiet")
    bucket.put("out/notes.txt", b"mine")
    arguments = ("dedup", bucket.uri("in"), "-o", bucket.uri("out"), "--overwrite", "--quiet")
    call(*arguments, endpoint=proxy.url)
    assert bucket.client.get_object(Bucket=bucket.name, Key="out/notes.txt")
    bucket.client.delete_object(Bucket=bucket.name, Key="out/notes.txt")
    assert downloaded(bucket, "out", tmp_path / "found").digest() == expected.digest()
    changes = [
        request
        for request in proxy.requests
        if request.ends_object or request.method == "DELETE" and "uploadId" not in request.path
    ]
    changes = [request for request in changes if "/out/" in request.path]
    assert changes[0].method == "DELETE" and "out/manifest.json" in changes[0].path
    assert changes[-1].method != "DELETE" and "out/manifest.json" in changes[-1].path


@pytest.mark.parametrize("old", [False, True])
def test_an_upload_that_fails_is_no_result_and_can_be_resumed(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path, old: bool
) -> None:
    if old:
        call("dedup", bucket.uri("in/a.jsonl"), "-o", bucket.uri("out"), "--quiet")
    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if request.method in ("PUT", "POST") and "out/removed.jsonl" in request.path
        else None
    )
    arguments = ["dedup", bucket.uri("in"), "-o", bucket.uri("out")]
    done = call(*arguments, *["--overwrite"] * old, endpoint=proxy.url, code=2)
    assert f"{bucket.uri('out/removed.jsonl')}: cannot be written: access is denied" in done.stderr
    assert "until it has a manifest.json" in done.stderr and "--resume" in done.stderr
    assert "manifest.json" not in bucket.objects("out/")
    assert leftovers(tmp_path)

    proxy.rule = lambda request: None
    before = len(proxy.requests)
    done = call(*arguments, "--resume", "--json", endpoint=proxy.url)
    assert not [r for r in proxy.requests[before:] if r.reads_object and "in/" in r.path]
    assert downloaded(bucket, "out", tmp_path / "found").digest() == expected.digest()
    assert not leftovers(tmp_path)

    before = len(proxy.requests)
    call(*arguments, "--resume", "--quiet", endpoint=proxy.url)
    assert not [r for r in proxy.requests[before:] if r.ends_object]


def test_a_resumed_upload_gives_its_rows_once_more(
    bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that only waits for its upload has no rows, so they are computed again."""
    lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
    for name, value in {**CREDENTIALS, "TMPDIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    rows = tmp_path / "rows"

    def attempt(**options: Any) -> Any:
        shutil.rmtree(rows, ignore_errors=True)
        rows.mkdir()
        made = lookalike._settings.make_options("dedup", {"object_endpoint": proxy.url, **options})
        return lookalike._core.dedup(
            [bucket.uri("in")], {}, bucket.uri("out"), str(rows), made, progress=None, message=None
        )

    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if request.method in ("PUT", "POST") and "out/removed.jsonl" in request.path
        else None
    )
    with pytest.raises(lookalike.RunError, match="cannot be written"):
        attempt()
    proxy.rule = lambda request: None
    summary = attempt(resume=True)
    removed = summary["records"]["removed_exact"] + summary["records"]["removed_near"]
    with pyarrow.ipc.open_file(rows / "removed.arrow") as file:
        assert file.read_all().num_rows == removed > 0


@pytest.mark.parametrize(
    "rule",
    [
        every(4, InjectedFault(status=503, error_code="SlowDown")),
        every(5, InjectedFault(status=500, error_code="InternalError")),
    ],
)
def test_a_store_that_fails_now_and_then_gets_the_whole_result(
    call: Run,
    bucket: S3Bucket,
    proxy: Proxy,
    expected: ResultFolder,
    tmp_path: Path,
    rule: Callable[[Request], InjectedFault | None],
) -> None:
    proxy.rule = rule
    call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), "--quiet", endpoint=proxy.url)
    assert downloaded(bucket, "out", tmp_path / "found").digest() == expected.digest()


@pytest.mark.slow
@pytest.mark.parametrize("after", range(1, 40, 3))
def test_a_store_that_dies_never_has_a_part_with_a_manifest(
    call: Run, bucket: S3Bucket, proxy: Proxy, expected: ResultFolder, tmp_path: Path, after: int
) -> None:
    writes = 0

    def die(request: Request) -> InjectedFault | None:
        nonlocal writes
        writes += request.method in ("PUT", "POST") and "/out/" in request.path
        return InjectedFault(status=500, error_code="InternalError") if writes > after else None

    proxy.rule = die
    done = call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), endpoint=proxy.url, code=None)
    if "manifest.json" in bucket.objects("out/"):
        assert downloaded(bucket, "out", tmp_path / "found").digest() == expected.digest()
    else:
        assert done.code == 2


def test_write_permission_is_asked_for_before_the_work(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path
) -> None:
    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if request.method in ("PUT", "POST")
        else None
    )
    done = call("dedup", bucket.uri("in"), "-o", bucket.uri("out"), endpoint=proxy.url, code=2)
    assert "cannot be written: access is denied" in done.stderr
    assert not proxy.seen(lambda request: request.reads_object)


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.parquet"])
def test_pairs_in_a_store(
    call: Run, run: Run, bucket: S3Bucket, inputs: Path, tmp_path: Path, name: str
) -> None:
    run("pairs", inputs, "-o", f"local-{name}", "--quiet")
    call("pairs", bucket.uri("in"), "-o", bucket.uri(f"new/{name}"), "--quiet")
    assert bucket.get(f"new/{name}") == (tmp_path / f"local-{name}").read_bytes()
    assert not leftovers(tmp_path)


def test_pairs_that_cannot_be_uploaded_are_kept(
    call: Run, bucket: S3Bucket, proxy: Proxy, inputs: Path, tmp_path: Path
) -> None:
    proxy.rule = lambda request: (
        InjectedFault(status=403, error_code="AccessDenied")
        if request.ends_object and "pairs.jsonl" in request.path
        else None
    )
    done = call("pairs", bucket.uri("in"), "-o", bucket.uri("pairs.jsonl"), endpoint=proxy.url, code=2)
    assert "the result is kept in" in done.stderr
    assert len(leftovers(tmp_path)) == 1
    assert "pairs.jsonl" not in bucket.objects()


@pytest.mark.parametrize(
    ("read", "written", "message"),
    [
        ("in", "in", "the output is the input"),
        ("in", "in/out", "the output lies inside the input"),
        ("out/kept", "out", "lies inside the output"),
        ("*/a.jsonl", "in", "lies inside the output"),
    ],
)
def test_outputs_and_inputs_are_apart(
    call: Run, bucket: S3Bucket, inputs: Path, read: str, written: str, message: str
) -> None:
    arguments = ("dedup", bucket.uri(read), "-o", bucket.uri(written), "--overwrite")
    assert message in call(*arguments, code=2).stderr


# Messages


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("{bucket}/none.jsonl", "no such object or prefix; check the name"),
        ("{bucket}/n*.jsonl", "no object matches the pattern"),
        ("s3://no-such-bucket-here/in.jsonl", "there is no such bucket; check its name"),
        ("s3://no-such-bucket-here/*.jsonl", "there is no such bucket; check its name"),
        ("s3:///in.jsonl", "does not name a bucket"),
        ("hdfs://host/in.jsonl", "is a URI with a scheme that is not supported"),
        ("file://host/in.jsonl", "names the host 'host'"),
        ("{bucket}/in.jsonl?endpoint=x", "Unexpected query parameter"),
    ],
)
def test_messages_about_names(call: Run, bucket: S3Bucket, uri: str, message: str) -> None:
    uri = uri.format(bucket=bucket.uri())
    done = call("dedup", uri, "-o", "out", code=2)
    assert message in done.stderr
    assert done.stderr.startswith(uri.partition("?")[0] if "?" in uri else uri)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("status", "error_code", "message"),
    [
        (403, "AccessDenied", "access is denied; set credentials that permit it (AWS_ACCESS"),
        (403, "InvalidAccessKeyId", "does not know the access key; check AWS_ACCESS_KEY_ID"),
        (403, "SignatureDoesNotMatch", "the secret key is wrong; check AWS_SECRET_ACCESS_KEY"),
        (400, "ExpiredToken", "the credentials have expired; renew them"),
    ],
)
def test_messages_about_credentials(
    call: Run, bucket: S3Bucket, proxy: Proxy, status: int, error_code: str, message: str
) -> None:
    proxy.rule = lambda request: InjectedFault(status=status, error_code=error_code)
    done = call("dedup", bucket.uri("in/*.jsonl"), "-o", "out", endpoint=proxy.url, code=2)
    assert message in done.stderr
    assert done.stderr.startswith(bucket.uri("in"))


def test_a_server_that_is_not_there(call: Run, bucket: S3Bucket) -> None:
    done = call("dedup", bucket.uri("in"), "-o", "out", endpoint="http://127.0.0.1:9", code=2)
    assert "the store cannot be reached; check the network and --object-endpoint" in done.stderr


def test_an_endpoint_that_is_none(call: Run, bucket: S3Bucket) -> None:
    done = call("dedup", bucket.uri("in"), "-o", "out", endpoint="ftp://x", code=2)
    assert "--object-endpoint 'ftp://x' is not the address of a server" in done.stderr


def test_without_the_module_for_s3(call: Run, binary: Path, bucket: S3Bucket, tmp_path: Path) -> None:
    libraries = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    folder = tmp_path / "lib"
    folder.mkdir()
    for path in re.findall(r"=> (\S+/lib(?:arrow|parquet)\.so\S*)", libraries):
        (folder / Path(path).name).symlink_to(path)
    assert len(list(folder.iterdir())) == 2
    env = {"LD_LIBRARY_PATH": str(folder)}
    done = call("dedup", bucket.uri("in"), "-o", "out", code=2, env=env)
    assert "s3:// cannot be used: the S3 module of Arrow is missing" in done.stderr


# Google


@pytest.fixture(scope="session")
def google_server() -> Iterator[str]:
    """URL of a server that speaks like Google's, with a bucket named `bucket`."""
    server = create_server("127.0.0.1", 0, in_memory=True, default_bucket="bucket")
    server.start()
    yield f"http://127.0.0.1:{server._api._httpd.server_address[1]}"
    server.stop()


def test_google_in_and_out(
    call: Run, run: Run, inputs: Path, expected: ResultFolder, google_server: str, tmp_path: Path
) -> None:
    for path in sorted(inputs.rglob("*.jsonl")):
        name = "in/" + str(path.relative_to(inputs))
        url = f"{google_server}/upload/storage/v1/b/bucket/o?uploadType=media&name={name}"
        urllib.request.urlopen(urllib.request.Request(url, path.read_bytes(), method="POST")).close()
    options = ("--object-anonymous", "--quiet")
    arguments = ("dedup", "gs://bucket/in", "-o", "gs://bucket/out", *options)
    call(*arguments, endpoint=google_server)
    listed = urllib.request.urlopen(f"{google_server}/storage/v1/b/bucket/o?prefix=out/").read()
    for item in json.loads(listed)["items"]:
        path = tmp_path / "found" / item["name"].removeprefix("out/")
        path.parent.mkdir(parents=True, exist_ok=True)
        link = f"{google_server}/download/storage/v1/b/bucket/o/{item['name'].replace('/', '%2F')}?alt=media"
        path.write_bytes(urllib.request.urlopen(link).read())
    assert ResultFolder(tmp_path / "found").digest() == expected.digest()
    assert "holds a result" in call(*arguments, endpoint=google_server, code=2).stderr
    call(*arguments, "--overwrite", endpoint=google_server)
    shutil.rmtree(tmp_path / "found")
    done = call("pairs", "gs://bucket/in/none.jsonl", "-o", "p", *options, endpoint=google_server, code=2)
    assert "gs://bucket/in/none.jsonl: no such object or prefix" in done.stderr
