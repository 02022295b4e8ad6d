"""Each of examples/ runs with a small size, and measures what its page says it shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# Example: items, and figure -> the least it must be.
LEAST: dict[str, tuple[int, dict[str, float]]] = {
    "mirrors": (600, {"pages": 600, "of_them_at_0_9_or_more": 0.75, "removed": 200}),
    "news": (600, {"stopword_2_share_of_planted": 0.9, "stopword_2_share_right": 0.99}),
    "plagiarism": (900, {
        "found_of_those_with_4_of_8_copied": 0.6, "found_of_those_with_5_of_8_copied": 0.9,
        "found_of_those_with_7_of_8_copied": 0.99, "share_right": 0.99,
    }),
    "code": (800, {"files": 800, "files_that_need_not_be_kept": 5, "recall_measured": 0.9}),
    "ratings": (750, {
        "share_of_one_taste": 0.95, "five_most_alike_of_one_taste": 0.95,
        "pairs_of_items_of_one_taste": 0.95, "by_clusters_share_of_one_taste": 0.9,
        "by_clusters_of_all_pairs_of_one_taste": 0.3,
    }),
    "images": (400, {"noise_found": 0.95, "lighter_found": 0.9, "cut_found": 0.95,
                     "share_right": 0.99}),
    "tunes": (500, {"higher_found": 0.98, "cut_found": 0.95, "medley_found": 0.95,
                    "out_of_tune_found": 0.95, "share_right": 0.99}),
    "crawl": (1500, {"documents": 1500, "bytes_a_document": 48, "seen": 1,
                     "of_the_seen_0_75_or_more": 0.9, "two_runs_with_a_state_answer_the_same": 1}),
    "crumbs": (900, {"rules_planted": 5, "rules_proposed": 5, "rules_right": 5,
                     "refused_that_would_merge_other_pages": 1, "fetches_saved": 200}),
    "versions": (500, {"removed": 200, "for_one_of_the_same_day_or_later": 1,
                       "decided_by_the_date": 150, "whose_numbers_differ": 100,
                       "removed_with_a_guard": 100, "pairs_that_the_guard_kept_apart": 100}),
    "boilerplate": (150, {"passages": 100, "places_of_the_most_frequent": 40,
                          "parts_that_were_cut": 100, "of_them_the_same_words_stay": 1,
                          "kept_text_and_cuts_are_the_document": 1}),
    "benchmark": (200, dict.fromkeys(
        ("found_as_it_is", "found_wrapped", "found_in_capitals", "found_every_word_capitalised",
         "found_more_spaces", "found_a_word_on_each_line", "found_quoted",
         "found_without_punctuation", "found_choices_on_one_line", "found_one_word_replaced"), 1)),
    "threshold": (300, {"results_with_the_kept_texts_of_a_new_run": 3, "kept_of_half_the_size": 50,
                        "share_of_the_bytes": 0.45}),
}  # fmt: skip
MOST = {
    "news": {"word_5_share_of_planted": 0.2},
    "ratings": {"of_all_pairs_of_one_taste": 0.2},
    "crumbs": {"rules_proposed": 5},
    "versions": {"whose_numbers_differ_with_a_guard": 0},
    "benchmark": {"found_that_were_not_planted": 0, "kept_documents_with_an_item": 0},
    "threshold": {"share_of_the_bytes": 0.5},
}


def figures_of(name: str, items: int, folder: Path, binary: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), "--items", str(items), "--out", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | {"LOOKALIKE_BINARY": str(binary)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("figures ")]
    return json.loads(lines[0].removeprefix("figures "))


@pytest.mark.parametrize("name", LEAST)
def test_an_example_measures_what_it_shows(name: str, binary: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    if name == "images":
        pytest.importorskip("numpy")
    items, least = LEAST[name]
    figures = figures_of(name, items, tmp_path / "out", binary)
    for figure, value in least.items():
        assert figures[figure] >= value, f"{figure} in {figures}"
    for figure, value in MOST.get(name, {}).items():
        assert figures[figure] <= value, f"{figure} in {figures}"


def test_every_example_has_a_test_and_a_section() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.py")} - {"shared"}
    assert names == set(LEAST)
    page = (ROOT / "docs" / "uses.md").read_text(encoding="utf-8")
    for name in names:
        assert f"`examples/{name}.py`" in page
