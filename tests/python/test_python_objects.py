"""Object stores from Python: what the package reads from and writes to a local S3 server."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path

import pytest

lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")
boto3 = pytest.importorskip("boto3")
pytest.importorskip("moto.server")

TEXTS = [
    "the quick brown fox jumps over the lazy dog near the old river bank",
    "something else entirely, in other words than those above it",
    "The quick brown fox jumps over the lazy dog near the old river bank!",
]
CREDENTIALS = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


@pytest.fixture
def server(s3_server: str) -> str:
    """URL of an S3 server that checks no credentials."""
    return f"http://{s3_server}"


@pytest.fixture
def bucket(
    server: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A bucket with in.jsonl."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name.upper(), value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **CREDENTIALS)
    name = re.sub("[^a-z0-9]+", "-", request.node.name.lower())[:60].strip("-")
    client.create_bucket(Bucket=name)
    lines = "".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(TEXTS))
    client.put_object(Bucket=name, Key="in.jsonl", Body=lines.encode())
    return name


def test_objects_in_and_out(server: str, bucket: str, tmp_path: Path) -> None:
    uri = f"s3://{bucket}/out"
    result = lookalike.dedup(f"s3://{bucket}/in.jsonl", save_to=uri, object_endpoint=server)
    assert result.uri == uri
    assert result.kept["id"].to_pylist() == ["0", "1"]
    assert result.removed.to_pylist()[0]["duplicate_of"] == "0"
    assert "2 kept" in repr(result)
    assert (result.save(tmp_path / "copy") / "manifest.json").exists()
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **CREDENTIALS)
    keys = {entry["Key"] for entry in client.list_objects_v2(Bucket=bucket)["Contents"]}
    assert {"out/manifest.json", "out/kept/in.jsonl", "out/removed.jsonl"} <= keys


def test_pairs_of_objects(server: str, bucket: str) -> None:
    found = lookalike.pairs(f"s3://{bucket}/in.jsonl", object_endpoint=server)
    assert found.to_arrow().select(["a", "b"]).to_pylist() == [{"a": "0", "b": "2"}]


def test_the_result_travels_by_its_uri(server: str, bucket: str) -> None:
    uri = f"s3://{bucket}/out"
    result = lookalike.dedup(f"s3://{bucket}/in.jsonl", save_to=uri, object_endpoint=server)
    other = pickle.loads(pickle.dumps(result))
    assert other.uri == uri and other.removed.equals(result.removed)
    assert copy.copy(result) is result


def test_errors_name_the_uri(server: str, bucket: str) -> None:
    uri = f"s3://{bucket}/none.jsonl"
    with pytest.raises(lookalike.RunError) as caught:
        lookalike.dedup(uri, object_endpoint=server)
    assert uri in str(caught.value)


def test_a_second_run_asks_for_overwrite_in_words_of_python(server: str, bucket: str) -> None:
    arguments = {"save_to": f"s3://{bucket}/out", "object_endpoint": server}
    lookalike.dedup(f"s3://{bucket}/in.jsonl", **arguments)
    with pytest.raises(lookalike.RunError, match="overwrite=True"):
        lookalike.dedup(f"s3://{bucket}/in.jsonl", **arguments)
    lookalike.dedup(f"s3://{bucket}/in.jsonl", overwrite=True, **arguments)


@pytest.mark.parametrize("key", ["out", "with#hash?", "a b/%20"])
def test_uris_of_results_are_taken_apart_as_the_engine_does(
    server: str, bucket: str, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    access = f"?endpoint_override={server.removeprefix('http://')}&scheme=http"
    result = lookalike.dedup(
        f"s3://test:s%2Fcret@{bucket}/in.jsonl{access}",
        save_to=f"s3://test:s%2Fcret@{bucket}/{key}{access}",
    )
    assert result.kept.num_rows == 2
    assert result.uri == f"s3://{bucket}/{key}"
    assert "cret" not in repr(result) + result._repr_html_()
