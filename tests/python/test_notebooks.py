"""Every notebook of docs/notebooks runs from its first cell to its last."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SECONDS_A_CELL = 120


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs"), "clear the outputs: every build of the site makes them"
        assert not cell.get("execution_count")
        assert not re.search(r"(^|[\"'\s])/(home|root|tmp|work|Users)/", "".join(cell["source"]))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs tools/requirements-docs.txt")
    nbclient = pytest.importorskip("nbclient", reason="needs tools/requirements-docs.txt")
    notebook = nbformat.read(str(path), as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
