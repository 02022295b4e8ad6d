"""Object stores from Python: what the package reads from and writes to a local S3 server."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Iterator
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
    server: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[str]:
    """A bucket with in.jsonl. Fails where a test takes a URI for a path: no folder s3: is made."""
    monkeypatch.chdir(tmp_path)
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name.upper(), value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **CREDENTIALS)
    name = re.sub("[^a-z0-9]+", "-", request.node.name.lower())[:60].strip("-")
    client.create_bucket(Bucket=name)
    lines = "".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(TEXTS))
    client.put_object(Bucket=name, Key="in.jsonl", Body=lines.encode())
    yield name
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(":")] == []


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


# Copies of results in stores.


def keys_of(server: str, bucket: str) -> set[str]:
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **CREDENTIALS)
    listed = client.list_objects_v2(Bucket=bucket).get("Contents", [])
    return {entry["Key"] for entry in listed}


def content_of(server: str, bucket: str, key: str) -> bytes:
    client = boto3.client("s3", endpoint_url=server, region_name="us-east-1", **CREDENTIALS)
    content: bytes = client.get_object(Bucket=bucket, Key=key)["Body"].read()
    return content


def test_save_uploads_a_result(
    server: str, bucket: str, tmp_path: Path
) -> None:
    """It is what the command uploads, and no folder is made that is called s3:."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(content_of(server, bucket, "in.jsonl"))
    result = lookalike.dedup(path, object_endpoint=server)
    uri = f"s3://{bucket}/saved"
    assert result.save(uri) == uri
    assert list(tmp_path.iterdir()) == [path]
    files = [p for p in result.folder.rglob("*") if p.is_file()]
    for file in files:
        key = f"saved/{file.relative_to(result.folder).as_posix()}"
        assert content_of(server, bucket, key) == file.read_bytes()
    assert len(keys_of(server, bucket)) == len(files) + 1
    with pytest.raises(lookalike.RunError, match="holds a result; pass overwrite=True"):
        result.save(uri)
    result.save(uri, overwrite=True)
    (lookalike.dedup(f"{uri}/kept", object_endpoint=server)).save(f"{uri}-again/")
    assert "saved-again/manifest.json" in keys_of(server, bucket)


def test_save_reaches_the_store_by_the_uri_too(server: str, bucket: str) -> None:
    access = f"?endpoint_override={server.removeprefix('http://')}&scheme=http"
    stored = lookalike.dedup(f"s3://{bucket}/in.jsonl{access}", save_to=f"s3://{bucket}/one{access}")
    assert stored.save(f"s3://{bucket}/two{access}") == f"s3://{bucket}/two"
    assert {"one/manifest.json", "two/manifest.json"} <= keys_of(server, bucket)


def test_pairs_are_saved_as_objects(server: str, bucket: str, tmp_path: Path) -> None:
    found = lookalike.pairs(f"s3://{bucket}/in.jsonl", object_endpoint=server)
    for name in ("pairs.jsonl", "pairs.parquet"):
        uri = f"s3://{bucket}/{name}"
        assert found.save(uri) == uri
        found.save(tmp_path / name)
        assert content_of(server, bucket, name) == (tmp_path / name).read_bytes()
        with pytest.raises(lookalike.RunError, match="exists; pass overwrite=True"):
            found.save(uri)
        found.save(uri, overwrite=True)


def test_lines_are_saved_as_objects(server: str, bucket: str, tmp_path: Path) -> None:
    source = f"s3://{bucket}/in.jsonl"
    found = lookalike.filter(source, object_endpoint=server)
    for name in ("answers.jsonl", "answers.parquet"):
        uri = f"s3://{bucket}/{name}"
        assert found.save(uri) == uri
        found.save(tmp_path / name)
        assert content_of(server, bucket, name) == (tmp_path / name).read_bytes()
    with pytest.raises(lookalike.RunError, match="exists; pass overwrite=True"):
        pickle.loads(pickle.dumps(found)).save(f"s3://{bucket}/answers.jsonl")
    with pytest.raises(lookalike.RunError, match="is in an object store; name a file on this"):
        lookalike.filter(source, state=f"s3://{bucket}/x", object_endpoint=server)


def test_sketches_ask_before_they_replace_an_object(server: str, bucket: str) -> None:
    arguments = {"data": f"s3://{bucket}/in.jsonl", "object_endpoint": server}
    uri = f"s3://{bucket}/in.sketches"
    assert lookalike.sketch(save_to=uri, **arguments).documents == 3
    with pytest.raises(lookalike.RunError, match="already exists.*overwrite=True"):
        lookalike.sketch(save_to=uri, **arguments)
    lookalike.sketch(save_to=uri, overwrite=True, **arguments)
