"""lookalike.passages: what each action leaves in the result."""

from __future__ import annotations

import pytest

pa = pytest.importorskip("pyarrow")
lookalike = pytest.importorskip("lookalike", reason="the wheel is not installed: make wheel")

NOTICE = "All rights reserved by the authors of this text and their heirs."
TABLE = pa.table(
    {"text": ["One. " + NOTICE, None, f"Zwei ö. {NOTICE} More.", "three"], "n": [1, 2, 3, 4]}
)


def test_annotated_rows_have_the_places_of_their_passages() -> None:
    result = lookalike.passages(TABLE, min_words=10, action="annotate")
    kept = result.kept
    assert kept.drop(["la_passages"]).equals(TABLE)
    spans = kept["la_passages"].to_pylist()
    assert spans[1] == spans[3] == []
    (first,), (second,) = spans[0], spans[2]
    assert first == {"passage": 1, "begin": 5, "end": 4 + len(NOTICE), "first": True}
    assert second["first"] is False and second["passage"] == 1
    assert TABLE["text"][2].as_py()[second["begin"] : second["end"]] == NOTICE[:-1]
    assert [path.parent.name for path in result.kept_files] == ["annotated"]
    assert result.cuts.num_rows == result.dropped.num_rows == 0
    assert result.passages["places"].to_pylist() == [2]
    assert (result.folder / "report.html").is_file()


def test_a_passage_stays_in_the_preferred_row() -> None:
    first = lookalike.passages(TABLE, min_words=10, action="cut", unit="words")
    assert first.cuts.column_names[-1] == "same_as"
    assert [cut["row"] for cut in first.cuts.to_pylist()] == [3]
    for keep, by in (("field:n:desc", None), (["shortest", "longest"], "error"),
                     (["source:other"], "error"), (["longest", "field:n"], "longest")):  # fmt: skip
        options = {"min_words": 10, "action": "cut", "unit": "words", "keep": keep}
        if by == "error":
            with pytest.raises(lookalike.OptionError, match="keep"):
                lookalike.passages(TABLE, **options)
            continue
        result = lookalike.passages(TABLE, **options)
        [cut] = result.cuts.to_pylist()
        assert cut["row"] == 1 and cut["same_as"]["row"] == 3
        assert cut["kept_by"] == (by or keep)
        assert result.kept["text"].to_pylist() == ["One. .", *TABLE["text"].to_pylist()[1:]]
        assert result.kept["n"].equals(TABLE["n"])


def test_the_report_alone_keeps_every_row() -> None:
    result = lookalike.passages(TABLE, min_words=10)
    assert result.kept_files == []
    with pytest.raises(lookalike.DataError, match="report keeps every row"):
        _ = result.kept


def test_an_action_that_is_none() -> None:
    with pytest.raises(lookalike.OptionError, match="report, cut, drop or annotate"):
        lookalike.passages(TABLE, action="mark")


def test_runs_of_characters() -> None:
    table = pa.table(
        {"text": ["One. A shared sentence of signs.  Two.", "Three. A SHARED sentence of signs."]}
    )
    found = lookalike.passages(table, min_chars=20, action="cut")
    assert found.passages.select(["passage", "chars", "places"]).to_pylist() == [
        {"passage": 1, "chars": 30, "places": 2}
    ]
    assert found.kept["text"].to_pylist() == [table["text"][0].as_py(), "Three. "]
    assert found.manifest["rules"]["min_chars"] == 20
    with pytest.raises(lookalike.OptionError, match="use one of them"):
        lookalike.passages(table, min_chars=20, min_words=20)
