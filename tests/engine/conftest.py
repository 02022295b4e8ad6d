"""Fixtures of the tests of bounded memory, resume, two collections and skew."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "cli"), str(ROOT / "bench")]

from object_servers import CREDENTIALS, Proxy, S3Bucket  # noqa: E402 - found by the path above


@pytest.fixture(scope="session")
def corpus(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some 20 MB of texts, three in ten of them copies; nobody may change it."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    subprocess.run(
        [binary, "synth", "-o", path, "--documents", "11000", "--seed", "5", "--quiet"], check=True
    )
    assert path.stat().st_size > 18e6
    return path


@pytest.fixture
def bucket(s3_server: str) -> S3Bucket:
    return S3Bucket.of_server(s3_server, f"engine-{random.randrange(10**9)}")


@pytest.fixture
def shard(run: Callable[..., Any], proxy: Proxy, tmp_path: Path) -> Callable[..., Any]:
    """`lookalike shard` with credentials and temporary files of its own; `reach`: and the server."""
    (tmp_path / "tmp").mkdir()

    def call(*arguments: str | Path, reach: bool, **rest: Any) -> Any:
        environment = {**CREDENTIALS, "TMPDIR": str(tmp_path / "tmp"), **rest.pop("env", {})}
        server = ["--object-endpoint", proxy.url] if reach else []
        return run("shard", *arguments, *server, env=environment, **rest)

    return call


@pytest.fixture
def skewed(tmp_path: Path) -> Callable[[str, int], Path]:
    """A corpus of one of the kinds of bench/make_corpora.py: skewed("template", 4000)."""
    from make_corpora import write

    def make(kind: str, documents: int) -> Path:
        path = tmp_path / f"{kind}-{documents}.jsonl"
        write(kind, documents, path)
        return path

    return make
