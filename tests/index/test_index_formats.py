"""Every build opens the indexes of each format that was ever written."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FORMATS = Path(__file__).with_name("data")


def unpack(name: str, folder: Path) -> dict[str, Any]:
    """Makes indexes of an earlier build, and their input; returns the answers of that build."""
    with tarfile.open(FORMATS / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return dict(json.loads((folder / "expected.json").read_text()))


@pytest.fixture(params=["format-1"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    unpack(request.param, tmp_path)
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


@pytest.mark.parametrize("format_number", [1, 2])
def test_pages_of_a_template_of_an_earlier_build_are_found(
    index: Callable[..., Any], tmp_path: Path, format_number: int
) -> None:
    """140 pages share most of their words, and seven of them have a near-duplicate. So keys are hot,
    which format 1 stores otherwise."""
    expected = unpack(f"format-{format_number}-template", tmp_path)

    def answers(of: str) -> dict[str, str]:
        return {
            asked: json.dumps(index("query", of, "--id", asked, "--json").json["matches"])
            for asked in expected["query"]
        }

    before = {asked: json.dumps(json.loads(a)["matches"]) for asked, a in expected["query"].items()}
    index("check", "template")
    assert index("list", "template").stdout == expected["list"]
    assert answers("template") == before
    assert index("clusters", "template", "--json").stdout == expected["clusters"]

    added = index("add", "template", "in.jsonl", "--json").json
    assert added["added"] == len(expected["removed"])
    again = index("query", "template", "--id", "near40", "--json").json["matches"]
    assert [match["id"] for match in again] == ["page40"]
    assert answers("template") == before

    index("compact", "template")
    index("check", "template")
    index("merge", "template", "-o", "merged")
    index("check", "merged")
    assert answers("merged") == before
