"""`lookalike passages --min-chars`: runs of characters, found as those of words are.

The characters of a text are known from their normal form, one by one, so that what the command
finds is compared with all pairs of places.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest
from passage_texts import (
    Row,
    Run,
    Text,
    all_passages,
    check_every_way,
    no_words_at_end,
    planted,
    without,
    write,
)
from result_folder import read_lines

SIGNS = ["a", "b", "B", "c.", "東", "Ω", "x_", "é", "7"]
SPACES = [" ", " ", "\n", "  ", ". ", "! ", "\r\n\n", "。", "\u3000"]


def characters(text: str) -> list[tuple[str, int, int]]:
    """The characters of the normal form, with the code points that each came from. White space is
    one character, and none at the ends. REQUIRES: no sign of the text changes its neighbours."""
    found: list[tuple[str, int, int]] = []
    for at, sign in enumerate(text):
        normal = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", sign).casefold())
        if normal.isspace() and found and found[-1][0] == " ":
            found[-1] = (" ", found[-1][1], at + 1)
        elif normal.isspace():
            found.append((" ", at, at + 1))
        else:
            found.extend((part, at, at + 1) for part in normal)
    while found and found[-1][0] == " ":
        found.pop()
    return found[1:] if found and found[0][0] == " " else found


def text_of_characters(name: str, text: str) -> Text:
    """A text whose "words" are its characters."""
    return Text(name, text, characters(text))


def few_signs(seed: int, documents: int = 9) -> list[Text]:
    """Texts of few signs, so that runs repeat, within a text too."""
    draw = random.Random(seed)
    signs = draw.sample(SIGNS, 4)
    runs = ["".join(draw.choices([*signs, draw.choice(SPACES)], k=12)) for _ in range(4)]
    texts = []
    for i in range(documents):
        parts = [
            draw.choice(runs) if draw.random() < 0.6 else draw.choice(signs) + draw.choice(SPACES)
            for _ in range(draw.randint(0, 7))
        ]
        texts.append(text_of_characters(f"d{i}", "".join(parts)))
    return texts


def run_at(text: Text, begin: int, end: int, size: int) -> tuple[str, ...]:
    """The characters of a listed place, which may have white space behind them."""
    keys = [key for key, first, _ in text.words if begin <= first < end]
    assert keys[size:] in ([], [" "]) and len(keys) >= size
    return tuple(keys[:size])


@pytest.mark.parametrize("least", [1, 2, 7, 16])
def test_runs_of_characters_are_those_of_all_pairs_of_places(
    run: Run, tmp_path: Path, least: int
) -> None:
    for seed in range(6):
        texts = few_signs(100 * least + seed)
        by_id = {text.id: text for text in texts}
        found = {}
        for one in search_chars(run, tmp_path, texts, least):
            runs = {
                run_at(by_id[p["id"]], p["begin"], p["end"], one["chars"]) for p in one["listed"]
            }
            (key,) = runs
            assert key not in found
            found[key] = {(p["id"], p["begin"], p["end"]) for p in one["listed"]}
            assert one["places"] >= len(found[key]) == len(one["listed"])
        want = all_passages(texts, least)
        few = {key: at for key, at in want.items() if len(at) <= 100}
        assert found.keys() == want.keys()
        assert no_words_at_end({key: found[key] for key in few}) == no_words_at_end(few)
        manifest = json.loads((tmp_path / "out/manifest.json").read_text())
        assert manifest["places"] == sum(len(at) for at in want.values())
        assert manifest["chars"] == sum(len(text.words) for text in texts)
        assert manifest["rules"]["min_chars"] == least
        assert not {"words", "shared_words", "cut_words", "min_words"} & {
            *manifest,
            *manifest["rules"],
        }


def search_chars(
    run: Run, folder: Path, texts: list[Text], least: int, *options: str
) -> list[Row]:
    write(folder / "in.jsonl", texts)
    run("passages", "in.jsonl", "-o", "out", "--overwrite", "--min-chars", str(least), *options)
    return read_lines(folder / "out/passages.jsonl")


def test_a_sign_of_two_characters(run: Run, tmp_path: Path) -> None:
    texts = [Text("a", "of ine x"), Text("b", "zﬁne x!"), Text("c", "\n FINE\t X?")]
    found = search_chars(run, tmp_path, texts, 5)
    assert [(one["chars"], one["places"]) for one in found] == [(5, 3), (6, 2)]
    spans = [[(p["id"], p["begin"], p["end"]) for p in one["listed"]] for one in found]
    assert spans == [[("a", 3, 8), ("b", 1, 6), ("c", 3, 9)], [("b", 1, 6), ("c", 2, 9)]]


def normal(text: str) -> str:
    return "".join(key for key, _, _ in characters(text))


@pytest.mark.parametrize("unit", ["sentence", "line", "paragraph"])
def test_what_is_left_and_its_cuts_are_the_text(run: Run, tmp_path: Path, unit: str) -> None:
    number = 0
    for seed in range(12):
        texts = few_signs(1000 + seed, documents=16)
        by_id = {text.id: text for text in texts}
        search_chars(run, tmp_path, texts, 4 + seed % 5, "--action", "cut", "--unit", unit)
        cuts = read_lines(tmp_path / "out/cuts.jsonl")
        gone: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for cut in cuts:
            gone[cut["id"]].append((cut["begin"], cut["end"]))
        kept = {row["id"]: row["text"] for row in read_lines(tmp_path / "out/kept/in.jsonl")}
        for text in texts:
            parts = without(list(text.text), gone[text.id])
            assert kept[text.id] == parts
            # No cut makes one word of two.
            assert len(re.findall(r"\w+", parts)) + sum(
                len(re.findall(r"\w+", text.text[begin:end])) for begin, end in gone[text.id]
            ) >= len(re.findall(r"\w+", text.text))
        for cut in cuts:
            same = cut["same_as"]
            here = normal(by_id[cut["id"]].text[cut["begin"] : cut["end"]])
            assert here == normal(by_id[same["id"]].text[same["begin"] : same["end"]]) != ""
            assert all(
                same["end"] <= begin or end <= same["begin"] for begin, end in gone[same["id"]]
            ), "where it stays it was cut"
        number += len(cuts)
    assert number > 20


def test_lines_go_without_the_blanks_of_the_next_one(run: Run, tmp_path: Path) -> None:
    texts = [
        Text("a", "def f():\n    return some_value(1)\n    # end\n"),
        Text("b", "def g():\n\treturn  some_value(1)\n\n        pass\n"),
        Text("c", "  return some_value(1)"),
    ]
    search_chars(run, tmp_path, texts, 20, "--action", "cut", "--unit", "line", "--min-left", "1")
    kept = read_lines(tmp_path / "out/kept/in.jsonl")
    assert kept == [texts[0].row, {"id": "b", "text": "def g():\n\n        pass\n"}]
    assert [row["id"] for row in read_lines(tmp_path / "out/dropped.jsonl")] == ["c"]


@pytest.mark.parametrize("copies", [2, 3, 5])
@pytest.mark.parametrize("unit", ["sentence", "line"])
def test_copies_that_follow_each_other_go_but_for_the_first(
    run: Run, tmp_path: Path, copies: int, unit: str
) -> None:
    # The characters before and after a copy are those before and after the next one.
    copy = "The same sentence stands here.\n"
    texts = [Text("a", "Intro.\n" + copies * copy + "End.\n"), Text("b", copies * copy)]
    search_chars(run, tmp_path, texts, 20, "--action", "cut", "--unit", unit)
    kept = [row["text"] for row in read_lines(tmp_path / "out/kept/in.jsonl")]
    assert kept == ["Intro.\n" + copy + "End.\n", ""]
    kept_bytes = (tmp_path / "out/kept/in.jsonl").read_bytes()
    again = ["--min-chars", "20", "--action", "cut", "--unit", unit]
    run("passages", "out/kept/in.jsonl", "-o", "again", *again)
    assert (tmp_path / "again/kept/in.jsonl").read_bytes() == kept_bytes


def test_white_space_around_what_is_left_does_not_count(run: Run, tmp_path: Path) -> None:
    shared = "hello world one two three\n"
    texts = [Text("a", shared), Text("b", "abcdefghi\n" + shared), Text("c", "ab\n" + shared + "cd")]
    for left, dropped in ((5, []), (6, ["c"]), (9, ["c"]), (10, ["b", "c"])):
        options = ["--action", "cut", "--unit", "line", "--min-left", str(left)]
        search_chars(run, tmp_path, texts, 20, *options)
        assert [row["id"] for row in read_lines(tmp_path / "out/dropped.jsonl")] == dropped


def test_where_a_cut_stays_ends_before_the_cut(run: Run, tmp_path: Path) -> None:
    line = "alpha beta gamma delta\n"
    texts = [Text("a", line + "    " + line + "zzz")]
    search_chars(run, tmp_path, texts, 12, "--action", "cut", "--unit", "line")
    (cut,) = read_lines(tmp_path / "out/cuts.jsonl")
    assert (cut["begin"], cut["end"]) == (23, 50)
    assert (cut["same_as"]["begin"], cut["same_as"]["end"]) == (0, 22)


def test_white_space_at_the_end_of_a_sentence_does_not_save_it(run: Run, tmp_path: Path) -> None:
    texts = [
        Text("a", "One is here. Two is there. Three."),
        Text("b", "Mine. One is here.   Two is there.\n"),
        Text("c", "One is here. No. Two is there. Yes."),
    ]
    search_chars(run, tmp_path, texts, 12, "--action", "cut")
    kept = read_lines(tmp_path / "out/kept/in.jsonl")
    assert [row["text"] for row in kept] == [texts[0].text, "Mine. ", "No. Yes."]
    cuts = [
        (cut["id"], cut["begin"], cut["end"], cut["same_as"]["begin"], cut["same_as"]["end"])
        for cut in read_lines(tmp_path / "out/cuts.jsonl")
    ]
    assert cuts == [("b", 6, 35, 0, 26), ("c", 0, 13, 0, 12), ("c", 17, 31, 13, 26)]


def test_planted_passages_go_and_a_second_run_cuts_nothing(run: Run, tmp_path: Path) -> None:
    texts, passages = planted(5)
    search_chars(run, tmp_path, texts, 300, "--action", "cut")
    kept = (tmp_path / "out/kept/in.jsonl").read_bytes()
    for passage in passages:
        assert kept.lower().count(passage[3].encode()) == 1
    run("passages", "out/kept/in.jsonl", "-o", "again", "--min-chars", "300", "--action", "cut")
    assert (tmp_path / "again/cuts.jsonl").read_bytes() == b""
    assert (tmp_path / "again/kept/in.jsonl").read_bytes() == kept


def test_documents_with_a_run_of_an_earlier_one_are_dropped(run: Run, tmp_path: Path) -> None:
    texts = [
        Text("a", "a long shared run of characters"),
        Text("b", "xa long shared run of charactersx"),
        Text("c", "not the same"),
    ]
    search_chars(run, tmp_path, texts, 31, "--action", "drop")
    assert [row["id"] for row in read_lines(tmp_path / "out/dropped.jsonl")] == ["b"]
    search_chars(run, tmp_path, texts, 32, "--action", "drop")
    assert read_lines(tmp_path / "out/dropped.jsonl") == []
    for left, dropped in ((2, []), (3, ["b"])):
        options = ["--action", "drop", "--min-left", str(left)]
        search_chars(run, tmp_path, texts, 31, *options)
        assert [row["id"] for row in read_lines(tmp_path / "out/dropped.jsonl")] == dropped


@pytest.mark.parametrize("action", ["report", "cut", "drop", "annotate"])
def test_results_are_the_same_bytes_on_every_machine(
    run: Run, tmp_path: Path, action: str
) -> None:
    texts = few_signs(77, documents=200)
    write(tmp_path / "in.jsonl", texts)
    command = ["passages", "in.jsonl", "-o", "out", "--overwrite", "--min-chars", "9"]
    check_every_way(run, tmp_path, *command, "--action", action)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--min-chars", "9", "--min-words", "9"], "use one of them"),
        (["--min-chars", "0"], "--min-chars 0 is not a number from 1 to 1000000"),
        (["--min-chars", "1000001"], "--min-chars 1000001"),
        (["--min-chars", "9", "--action", "cut", "--unit", "words"], "sentence, line or paragraph"),
    ],
)
def test_what_makes_no_sense_is_an_error(
    run: Run, tmp_path: Path, options: list[str], said: str
) -> None:
    write(tmp_path / "in.jsonl", few_signs(1))
    failed = run("passages", "in.jsonl", "-o", "out", *options, code=2)
    assert said in failed.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
