"""The benchmark's scores and tables, on cases small enough to be worked out by hand."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import comparison_table as tables
import compare
import corpus
import scoring
from contenders import BARS, CONTENDERS, PACKAGES, Bar, Contender
from peers import PEERS


@pytest.fixture
def truth(tmp_path: Path) -> scoring.Truth:
    """a, b and c are alike, d is only near a, e is alone."""
    (tmp_path / "t.tsv").write_text(
        "a\tb\t0.900000\na\tc\t0.850000\nb\tc\t0.800000\na\td\t0.600000\n", encoding="utf-8"
    )
    docs = "".join(f"{name}\t10\n" for name in "abcde")
    (tmp_path / "t.tsv.docs").write_text(docs, encoding="utf-8")
    return scoring.load_truth(tmp_path / "t.tsv")


def test_all_true_pairs_score_full(truth: scoring.Truth) -> None:
    score = scoring.score_pairs(truth, {(0, 1), (0, 2), (1, 2)})
    assert score == scoring.Score(3, 1.0, 1.0, removed=2, wrong=0, missed=0)


def test_a_wrong_pair_costs_precision_and_a_removal(truth: scoring.Truth) -> None:
    score = scoring.score_pairs(truth, {(0, 1), (0, 3)})
    assert (score.precision, score.recall) == (0.5, pytest.approx(1 / 3))
    assert (score.removed, score.wrong, score.missed) == (2, 1, 1)  # d for nothing; c stays


def test_a_pair_of_removed_documents_removes_nothing_more(truth: scoring.Truth) -> None:
    assert scoring.removed_for_pairs({(0, 1), (1, 2)}) == {1}


def test_removals_are_scored_by_what_stays(truth: scoring.Truth) -> None:
    score = scoring.score_removed(truth, {1, 2})
    assert (score.precision, score.recall, score.wrong, score.missed) == (None, 1.0, 0, 0)
    score = scoring.score_removed(truth, {0, 4})
    assert score.recall == pytest.approx(2 / 3)
    assert (score.wrong, score.missed) == (1, 1)  # e has no partner; c stays beside b


def test_answers_are_read_in_every_form(truth: scoring.Truth, tmp_path: Path) -> None:
    (tmp_path / "p.tsv").write_text("b\ta\t.9\nc c\n", encoding="utf-8")
    (tmp_path / "p.jsonl").write_text('{"a": "a", "b": "b", "resemblance": 0.9}\n')
    (tmp_path / "removed.jsonl").write_text('{"id": "b"}\n{"id": "c"}\n')
    (tmp_path / "kept").mkdir()
    for name, ids in {"0": "ae", "1": "d"}.items():
        lines = "".join(f'{{"id": "{i}", "text": ""}}\n' for i in ids)
        (tmp_path / "kept" / f"{name}.jsonl").write_text(lines)
    assert scoring.read_pairs(truth, tmp_path / "p.tsv") == {(0, 1)}
    assert scoring.read_pairs(truth, tmp_path / "p.jsonl") == {(0, 1)}
    assert scoring.score(truth, "removed", tmp_path / "removed.jsonl").removed == 2
    assert scoring.read_kept(truth, tmp_path / "kept") == {1, 2}


def entries_of(**cpus: dict[int, float]) -> dict[str, tables.Entry]:
    """Entries of contenders with those CPU seconds by round."""
    return {
        name: tables.Entry(
            replace(CONTENDERS[0], name=name, group="Some", base="dedup"),
            {number: tables.Round(cpu, 2 * cpu, 50 << 20) for number, cpu in rounds.items()},
        )
        for name, rounds in cpus.items()
    }


def test_ratios_are_taken_round_by_round() -> None:
    entries = entries_of(dedup={0: 1.0, 1: 2.0, 2: 4.0}, other={0: 3.0, 1: 6.0, 2: 16.0})
    spread = tables.ratios(entries["other"], entries["dedup"])
    assert spread == tables.Spread(3.0, 3.0, 4.0)
    assert spread.show() == "3.00 (3.00-4.00)"


def test_a_contender_that_ran_once_is_held_to_its_own_round() -> None:
    entries = entries_of(dedup={0: 1.0, 1: 100.0}, slow={0: 50.0}, never={})
    assert tables.ratios(entries["slow"], entries["dedup"]) == tables.Spread(50.0, 50.0, 50.0)
    assert tables.ratios(entries["never"], entries["dedup"]) is None


@pytest.mark.parametrize(
    ("bar", "met"),
    [
        (Bar("at most", "other", "dedup", 3), "yes"),
        (Bar("at most", "other", "dedup", 2.9), "**no**"),
        (Bar("at least", "other", "dedup", 3.1, True), "**no**"),
        (Bar("peak", "dedup", "", 50, figure="peak"), "yes"),
        (Bar("peak", "dedup", "", 49, figure="peak"), "**no**"),
        (Bar("missing", "absent", "dedup", 2), "-"),
        (Bar("missing", "dedup", "absent", 2), "-"),
    ],
)
def test_bars(bar: Bar, met: str) -> None:
    entries = entries_of(dedup={0: 1.0}, other={0: 3.0})
    assert tables.bar_row(bar, entries).split("|")[-2].strip() == met


def test_every_contender_has_a_row_also_where_it_failed() -> None:
    entries = entries_of(dedup={0: 1.0}, broken={})
    entries["broken"].failure = "cannot be installed: no such version"
    lines = tables.table(entries, 100.0)
    assert "| broken | not measured: cannot be installed: no such version |" in "\n".join(lines)
    assert len({line.count("|") for line in lines if line.startswith("|")}) == 1


def test_only_the_part_between_the_markers_is_replaced() -> None:
    begin, end = "<!-- bench:begin -->", "<!-- bench:end -->"
    text = f"# Title\n\nby hand\n\n{begin}\nold\n{end}\n\nafter\n"
    assert tables.replace_between_markers(text, "new") == text.replace("old", "new")
    appended = tables.replace_between_markers("# Title\n", "new")
    assert appended == f"# Title\n\n{begin}\nnew\n{end}\n"
    with pytest.raises(ValueError, match="bench:end"):
        tables.replace_between_markers(begin, "new")
    other = tables.replace_between_markers(text, "more", name="wheel")
    assert other == text + "\n<!-- wheel:begin -->\nmore\n<!-- wheel:end -->\n"


def test_contenders_and_bars_fit_together() -> None:
    names = [contender.name for contender in CONTENDERS]
    assert len(set(names)) == len(names)
    for contender in CONTENDERS:
        assert contender.base in names
        assert contender.environment in {"", *PACKAGES}
        assert not contender.environment or contender.command[1] in PEERS
    for bar in BARS:
        assert bar.one in names and bar.other in ("", *names)


def test_choosing_some_keeps_what_they_are_held_to() -> None:
    chosen = [contender.name for contender in compare.choose("copy, zstd")]
    assert chosen == ["dedup", "dedup, zstd", "DuckDB COPY, zstd"]


def test_the_corpus_is_text_without_markup_and_with_copies(tmp_path: Path) -> None:
    folder = tmp_path / "root" / "some-doc" / "usr"
    folder.mkdir(parents=True)
    words = " ".join(chr(97 + i % 26) * (3 + i // 26) for i in range(400))
    page = f"<head><title>no</title></head><p>{words}</p><script>never()</script>&amp; more"
    (folder / "a.html").write_text(page, encoding="utf-8")
    (folder / "b.bin").write_bytes(b"\0" * 1000)
    text = corpus.package_text(tmp_path / "root" / "some-doc")
    assert text == f"{words}\n& more"
    made = list(corpus.documents(tmp_path / "root", ["some-doc"], 50))
    assert made and made == list(corpus.documents(tmp_path / "root", ["some-doc"], 50))
    assert all(len(document) >= 300 for document in made)


def test_a_changed_copy_is_about_as_alike_as_asked() -> None:
    words = [f"w{i}" for i in range(5000)]
    text = " ".join(words)
    planter = corpus.Planter([text * 2] * 8, corpus.random.Random(1))
    for wanted in (0.55, 0.8, 0.95):
        other = planter.changed(text, wanted).split()
        sets = [{tuple(t[i : i + 5]) for i in range(len(t) - 4)} for t in (words, other)]
        resemblance = len(sets[0] & sets[1]) / len(sets[0] | sets[1])
        assert abs(resemblance - wanted) < 0.07, (wanted, resemblance)


def test_a_contender_that_fails_is_listed_with_the_reason(
    truth: scoring.Truth, tmp_path: Path
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "a", "text": ""}\n', encoding="utf-8")

    def contender(name: str, *command: str, kind: str = "") -> Contender:
        return Contender(name, "Some", command, kind=kind)

    contenders = [
        contender("copies", "cp", "{in}", "{out}"),
        contender("fails", "sh", "-c", "echo one; echo the reason >&2; exit 7"),
        contender("never ends", "sleep", "60"),
        contender("absent", "no-such-program"),
        contender("answers nothing", "true", kind="pairs"),
    ]
    cpu = str(min(os.sched_getaffinity(0)))
    setting = compare.Setting(
        tmp_path / "programs", tmp_path / "work", 2, [cpu], 0.5, 60, {"jsonl": source}, truth, None
    )
    entries = compare.run_all(setting, contenders)
    assert sorted(entries["copies"].rounds) == [0, 1] and not entries["copies"].failure
    assert entries["fails"].failure == "the reason"
    assert entries["never ends"].failure == "stopped after 0.5 s"
    assert "no-such-program" in entries["absent"].failure
    assert "out" in entries["answers nothing"].failure
    assert all(not entry.rounds for name, entry in entries.items() if name != "copies")
    assert not (tmp_path / "work" / "run").exists()
