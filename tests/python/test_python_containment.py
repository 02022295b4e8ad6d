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
