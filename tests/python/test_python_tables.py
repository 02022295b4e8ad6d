"""Tables of results: those that a run hands over are those that its files hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lookalike
import pyarrow as pa
import pytest
from lookalike import _results


@pytest.mark.parametrize("options", [{}, {"threshold": 0.5}, {"measure": "containment"}], ids=str)
def test_tables_of_a_run_are_those_of_its_files(options: dict[str, Any]) -> None:
    """A fresh result has them from the engine, one that is opened again from files of lines."""
    base = [f"the {n} quick brown foxes jump over the lazy dogs near a stone bridge" for n in "ab"]
    texts = [*base, *(f"{text}, twice{end}" for text in base for end in ("", " or thrice", "!"))]
    data = pa.table({"id": range(100, 100 + len(texts)), "text": texts})
    more: dict[str, Any] = {}
    if "measure" in options:
        more = {"against": data.slice(0, 2), "min_features": 2, "shingle": "word:2"}
    fresh = lookalike.dedup(data, **options, **more)
    again = _results.DedupResult(fresh.folder, origin=fresh._origin)
    assert fresh._rows is not None and again._rows is None
    assert fresh.removed.num_rows > 1 and fresh.clusters.num_rows > 0
    assert (fresh.evidence.num_rows > 0) == ("measure" in options)
    for name in ("removed", "clusters", "evidence", "suggested"):
        of_run, of_files = getattr(fresh, name), getattr(again, name)
        assert of_run.schema == of_files.schema, name
        assert of_run.equals(of_files), name
    assert fresh.removed["id"].type == pa.int64()


def test_tables_of_suggestions_are_those_of_their_file(tmp_path: Path) -> None:
    texts = [f"the {n} quick brown foxes jump over the lazy dogs near a bridge" for n in "aabb"]
    path = tmp_path / "texts.sketches"
    lookalike.sketch(pa.table({"text": texts}), path)
    fresh = lookalike.dedup(path)
    again = _results.DedupResult(fresh.folder)
    assert fresh.suggested.num_rows > 1
    assert fresh.suggested.equals(again.suggested)
    assert fresh.clusters.equals(again.clusters)


def test_a_result_without_clusters_has_empty_tables() -> None:
    fresh = lookalike.dedup(pa.table({"text": ["one of a kind", "another of its own"]}))
    assert fresh.removed.num_rows == fresh.clusters.num_rows == 0
    assert fresh.clusters.schema == _results.CLUSTERS_SCHEMA
    assert fresh.removed.schema == _results.REMOVED_SCHEMA
