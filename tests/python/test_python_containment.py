"""Containment from Python: columns of pairs, decontamination and its evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

ITEM = " ".join(f"q{i}" for i in range(40))
PAGE = " ".join(f"p{i}" for i in range(300)) + " " + ITEM
TRAIN = pa.table({"id": ["page", "other"], "text": [PAGE, " ".join(f"o{i}" for i in range(50))]})
TEST = pa.table({"id": ["item"], "text": [ITEM]})


def test_pairs_have_both_containments() -> None:
    found = lookalike.pairs(TRAIN, against=TEST, measure="containment").to_arrow()
    assert found.to_pylist() == [
        {
            "a": "page",
            "b": "item",
            "row_a": 1,
            "row_b": 1,
            "resemblance": 36 / 336,
            "common": 36,
            "size_a": 336,
            "size_b": 36,
            "containment_ab": 36 / 336,
            "containment_ba": 1.0,
        }
    ]
    assert "containment_ab" not in lookalike.pairs(TRAIN, against=TEST).to_arrow().column_names


def test_decontamination_shows_its_evidence(tmp_path: Path) -> None:
    result = lookalike.dedup(TRAIN, against=TEST, measure="containment", save_to=tmp_path / "out")
    assert result.kept["id"].to_pylist() == ["other"]
    row = result.removed.to_pylist()[0]
    assert (row["id"], row["duplicate_of"]) == ("page", "item")
    assert (row["containment_ab"], row["containment_ba"]) == (36 / 336, 1.0)
    assert result.removed.column_names[-1] == "cluster"
    evidence = result.evidence.to_pylist()[0]
    assert (evidence["id"], evidence["against"], evidence["cut"]) == ("page", "item", False)
    (passage,) = evidence["passages"]
    assert PAGE[passage["a_begin"] : passage["a_end"]] == ITEM == passage["text"][: len(ITEM)]
    assert (passage["b_begin"], passage["b_end"]) == (0, len(ITEM))


def test_notebooks_show_the_containment_that_decided() -> None:
    """The page's resemblance to the item, .1071, is not what it was removed for."""
    options = {"against": TEST, "measure": "containment"}
    for found in (lookalike.dedup(TRAIN, **options), lookalike.pairs(TRAIN, **options)):
        page = found._repr_html_()
        assert "resemblance" not in page
        assert "0.1071" not in page
        assert "0.95 to 1.00: 1<" in page
    removed = lookalike.dedup(TRAIN, **options)._repr_html_()
    twice = pa.table({"text": [ITEM, ITEM]})
    assert ">1.0000</td>" in removed and "kept witness" not in removed
    assert "resemblance of the pairs" in lookalike.pairs(twice)._repr_html_()


def test_results_of_resemblance_have_no_evidence(tmp_path: Path) -> None:
    result = lookalike.dedup(TRAIN, save_to=tmp_path / "out")
    assert result.evidence.num_rows == 0
    assert "containment_ab" not in result.removed.column_names
    with pytest.raises(lookalike.LookalikeError, match="against"):
        lookalike.dedup(TRAIN, measure="containment")


def test_what_is_too_short_is_counted_and_said(caplog: pytest.LogCaptureFixture) -> None:
    """A question of fourteen words, wholly inside of a page, has ten shingles of five words."""
    question = " ".join(f"q{i}" for i in range(14))
    pages = pa.table({"text": [PAGE + " " + question]})
    questions = pa.table({"text": [question]})
    found = lookalike.pairs(questions, against=pages, measure="containment")
    assert len(found) == 0
    assert found.recall["covers"] == {"documents": 1, "left_out": 1, "min_features": 20}
    assert not found.recall["met"]  # of what was asked nothing was searched
    (said,) = [record.getMessage() for record in caplog.records]
    assert "1 of 2 documents have fewer than 20 distinct shingles" in said
    assert "lower min_features=, or use preset='questions'" in said
    assert "; 1 documents too short to be searched" in found._repr_html_()
    result = lookalike.dedup(pages, against=questions, measure="containment")
    assert result.manifest["recall"]["covers"]["left_out"] == 1
    caplog.clear()
    with_preset = lookalike.pairs(questions, against=pages, preset="questions")
    assert with_preset.to_arrow()["containment_ab"].to_pylist() == [1.0]
    assert with_preset.recall["covers"]["left_out"] == 0
    assert not caplog.records
