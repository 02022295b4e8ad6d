"""The page of sketches: sections, tables and charts from what was measured."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import sketch_page
from line_chart import Chart, Panel, Series

GRID = """\
permutations:16:linear\t0\t5\t0.80000\t100\t0.001000\t0.001000\t1.01000\t0.01000
permutations:16:linear\t2\t5\t0.80000\t100\t-0.050000\t0.001000\t1.20000\t0.01000
permutations:16:linear\t3\t5\t0.80000\t100\t0.000100\t0.001000\t1.00000\t0.01000
fss:16\t0\t5\t0.80000\t100\t0.000000\t0.001000\t0.50000\t0.01000
fss:16\t0\t30\t0.80000\t100\t0.000000\t0.001000\t3.00000\t2.00000
mod-m:64\t0\t30\t0.80000\t100\t-0.008000\t0.001000\t1.00000\t0.02000
"""


@pytest.fixture
def cells(tmp_path: Path) -> list[sketch_page.Cell]:
    path = tmp_path / "grid.tsv"
    path.write_text(GRID)
    return sketch_page.read_grid(path)


def test_the_table_says_where_bias_passes_four_standard_errors(cells):
    rows = sketch_page.accuracy_table(cells).splitlines()[2:]
    assert rows[0] == (
        "| `permutations:K:linear` | 3 | none | 1.0 | 1.01 to 1.01 | -0.050 to +0.000 | none |"
    )
    assert "| 0.50 to 0.50 |" in rows[1], "what is not known to 4 % is left out"
    assert rows[1].endswith("| hash them first | hash them first |")
    assert rows[2].startswith("| `mod-m:M` | 1 | -0.008 to +0.000 | 8.0 |")


def test_a_section_is_written_between_its_comments(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- costs:begin -->\nold\n<!-- costs:end -->\nb\n")
    monkeypatch.setattr(sketch_page, "PAGE", page)
    sketch_page.write_section("costs", "new\n")
    assert page.read_text() == "a\n<!-- costs:begin -->\nnew\n<!-- costs:end -->\nb\n"
    with pytest.raises(SystemExit, match="no section accuracy"):
        sketch_page.write_section("accuracy", "new\n")
    assert "new" in page.read_text()


def test_a_chart_has_its_lines_in_place(cells):
    lines = [Series("a < b", [(0, 0, 0.5), (1, 1, 0)]), Series("cut off", [(0, 9, 0)])]
    chart = ET.fromstring(Chart([Panel("title", lines, (0, 1))], "axis", "note").svg())
    drawn = [line.get("points") for line in chart if line.tag.endswith("polyline")]
    (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in drawn[0].split())
    assert x0 < x1 and y0 > y1, "greater values are above, and sizes go to the right"
    assert drawn[1].split(",")[1] == f"{y1:.1f}", "what is above the axis is at its top"
    assert "a < b" in [text.text for text in chart if text.tag.endswith("text")]
    sketch_page.variance_chart(cells, 16).svg()


def test_nanoseconds_have_three_digits():
    assert [sketch_page.shown(x) for x in ("0.6789", "26.41", "1234.5")] == ["0.679", "26.4", "1,234"]
