"""Every build opens the indexes of each format that was ever written."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FORMATS = Path(__file__).with_name("data")


@pytest.fixture(params=["format-1"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with indexes that an earlier build made, their input, and its answers."""
    with tarfile.open(FORMATS / f"{request.param}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.mark.parametrize("keep", ["features", "text", "none"])
def test_an_index_of_an_earlier_build_answers_as_it_did(
    index: Callable[..., Any], old: Path, keep: str
) -> None:
    expected = json.loads((old / "expected.json").read_text())
    index("check", keep)
    assert index("list", keep).stdout == expected["list"][keep]
    asked = index("query", keep, "--id", "doc0", "--json")
    assert asked.stdout == expected["query"][keep]
    assert len(expected["list"][keep].splitlines()) == len(expected["rows"]) - 2


def test_clusters_of_an_earlier_build_are_kept(index: Callable[..., Any], old: Path) -> None:
    expected = json.loads((old / "expected.json").read_text())
    assert index("clusters", "features", "--json").stdout == expected["clusters"]


@pytest.mark.parametrize("keep", ["features", "text", "none"])
def test_an_index_of_an_earlier_build_goes_on(
    index: Callable[..., Any], old: Path, keep: str
) -> None:
    expected = json.loads((old / "expected.json").read_text())
    index("query", keep, "--id", "doc0")
    assert (old / keep / "format").read_text() == "lookalike index 1\n"
    added = index("add", keep, "in.jsonl", "--json").json
    assert (old / keep / "format").read_text() == "lookalike index 2\n"
    assert added["added"] == len(expected["removed"])
    assert added["unchanged"] == len(expected["rows"]) - len(expected["removed"])
    index("compact", keep)
    index("merge", keep, keep, "-o", "merged")
    index("check", keep)
    assert index("check", "merged", "--json").json["documents"] == len(expected["rows"])
