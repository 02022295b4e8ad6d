"""`lookalike passages`: every run of words that stands twice, found, cut, or reason to drop.

Texts are made of tokens, so that their words and where they stand are known without reading them.
What the command finds is compared with all pairs of places.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import random
import shutil
import subprocess
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from result_folder import read_lines

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
PLAIN = ["alpha", "Beta", "gamma", "DELTA", "x1", "y_2"]
FOREIGN = ["Straße", "cafe\u0301", "東", "京", "Ωμέγα", "ﬁn", "x\u00ad1", "𝔸b", "👍", "\u200b"]
Row = dict[str, Any]
Run = Callable[..., Any]
# A place that stands or goes: id, first code point, code point after the last.
Place = tuple[str, int, int]


@dataclass
class Text:
    """A document of which the words are known."""

    id: str
    text: str = ""
    # The normal form of each word, and the code points it stands at.
    words: list[tuple[str, int, int]] = field(default_factory=list)

    def add(self, token: str, after: str = " ") -> None:
        """Adds a word (or a sign that is none) and what stands after it."""
        normal = "".join(c for c in token if c not in "\u00ad\u200b👍")
        key = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", normal).casefold())
        if key:
            self.words.append((key, len(self.text), len(self.text) + len(token)))
        self.text += token + after

    @property
    def keys(self) -> list[str]:
        return [key for key, _, _ in self.words]

    def within(self, begin: int, end: int) -> list[str]:
        """The words of a part of the text, which must not begin or end inside of a word."""
        for key, first, last in self.words:
            for border in (begin, end):
                assert not first < border < last, (self.id, key, border)
        return [key for key, first, last in self.words if begin <= first and last <= end]

    @property
    def row(self) -> Row:
        return {"id": self.id, "text": self.text}


def text_of(name: str, tokens: Iterable[str], separator: str = " ") -> Text:
    made = Text(name)
    for token in tokens:
        made.add(token, separator)
    return made


def few_words(seed: int, foreign: bool = False, documents: int = 12) -> list[Text]:
    """Texts of a small alphabet, so that runs repeat, within a text too."""
    draw = random.Random(seed)
    alphabet = draw.sample(PLAIN, 4) + (draw.sample(FOREIGN, 5) if foreign else [])
    runs = [draw.choices(alphabet, k=draw.randint(5, 14)) for _ in range(5)]
    texts = []
    for i in range(documents):
        text = Text(f"d{i}")
        for _ in range(draw.randint(0, 6)):
            loose = draw.choices(alphabet, k=draw.randint(0, 9))
            for token in draw.choice(runs) if draw.random() < 0.6 else loose:
                written = draw.choice((str.upper, str.lower, str))(token)
                text.add(written, draw.choice((" ", " ", "\n", ", ", ". ", "  ", "! ", "\r\n\n")))
        texts.append(text)
    return texts


def fresh(count: int, draw: random.Random) -> list[str]:
    """Words that stand nowhere else."""
    return [f"w{draw.randrange(10**12)}" for _ in range(count)]


def planted(seed: int, documents: int = 20) -> tuple[list[Text], list[list[str]]]:
    """Texts of their own words around whole sentences that several of them share: every passage
    stands at the beginning of a sentence and ends with one."""
    draw = random.Random(seed)
    passages = [
        [token for _ in range(k) for token in (*fresh(9, draw), fresh(1, draw)[0] + ".")]
        for k in (8, 6, 5)
    ]
    texts = []
    for i in range(documents):
        text = Text(f"p{i}")
        parts = [["Own", *fresh(draw.randint(4, 9), draw), "end."] for _ in range(5)]
        for k, passage in enumerate(passages):
            if i % (2 + k) == 0:
                parts.insert(draw.randint(0, len(parts)), ["Own", *fresh(3, draw), "so.", *passage])
        for part in parts:
            for token in part:
                # A capital begins every sentence, as Unicode's rules want it.
                new = text.text.rstrip().endswith(".") or not text.text
                word, stop = token.rstrip("."), "." * token.endswith(".")
                space = draw.choice((" ", " ", "\n"))
                text.add(word.capitalize() if new else word, stop + space)
        texts.append(text)
    return texts, [[token.rstrip(".") for token in passage] for passage in passages]


# What is to be found, by definition.


def equal_after(words: Sequence[str]) -> list[list[int]]:
    """How many equal words stand from each two places on."""
    size = len(words)
    table = [[0] * (size + 1) for _ in range(size + 1)]
    for i in range(size - 1, -1, -1):
        row, below, word = table[i], table[i + 1], words[i]
        for j in range(size - 1, -1, -1):
            if words[j] == word:
                row[j] = below[j + 1] + 1
    return table


def all_passages(texts: list[Text], least: int) -> dict[tuple[str, ...], set[Place]]:
    """Every run that, at one of its places at least, is in no longer one that stands twice."""
    words: list[str] = []
    at: list[tuple[Text, int]] = []
    for number, text in enumerate(texts):
        for i, key in enumerate(text.keys):
            words.append(key)
            at.append((text, i))
        words.append(f"\0{number}")
        at.append((text, len(text.keys)))
    table = equal_after(words)
    longest = [
        max((table[i][j] for j in range(len(words)) if j != i), default=0)
        for i in range(len(words))
    ]
    found: dict[tuple[str, ...], set[Place]] = {}
    for i, size in enumerate(longest):
        if size < least or (i > 0 and longest[i - 1] > size):
            continue
        run = tuple(words[i : i + size])
        if run not in found:
            ends = [at[j] for j in range(len(words)) if table[i][j] >= size or j == i]
            found[run] = {
                (text.id, text.words[k][1], text.words[k + size - 1][2]) for text, k in ends
            }
    return found


def listed(texts: list[Text], found: list[Row]) -> dict[tuple[str, ...], set[Place]]:
    """The passages of a result, checked one by one; ends without the white space after them."""
    by_id = {text.id: text for text in texts}
    passages: dict[tuple[str, ...], set[Place]] = {}
    assert [one["passage"] for one in found] == list(range(1, len(found) + 1))
    savings = [one["words"] * (one["places"] - 1) for one in found]
    assert savings == sorted(savings, reverse=True)
    for one in found:
        runs = [tuple(by_id[p["id"]].within(p["begin"], p["end"])) for p in one["listed"]]
        assert set(runs) == {runs[0]}, one
        assert one["words"] == len(runs[0]) > 0
        assert len(runs) == min(one["places"], 100)
        assert runs[0] not in passages, "a passage is listed twice"
        places = set()
        for place in one["listed"]:
            text = by_id[place["id"]].text
            assert not text[place["begin"]].isspace()
            assert not text[place["end"] :][:1].isspace(), "white space belongs to what it follows"
            end = len(text[: place["end"]].rstrip())
            places.add((place["id"], place["begin"], end))
        assert len(places) == len(runs), "a place is listed twice"
        passages[runs[0]] = places
    return passages


def search(run: Run, folder: Path, texts: list[Text], least: int, *options: str) -> list[Row]:
    """Writes the texts to in.jsonl and returns the passages that are found in it."""
    write(folder / "in.jsonl", texts)
    run("passages", "in.jsonl", "-o", "out", "--overwrite", "--min-words", str(least), *options)
    return read_lines(folder / "out/passages.jsonl")


def write(path: Path, texts: list[Text]) -> None:
    lines = (json.dumps(text.row, ensure_ascii=False) + "\n" for text in texts)
    path.write_text("".join(lines), encoding="utf-8")


def no_words_at_end(places: dict[tuple[str, ...], set[Place]]) -> dict[tuple[str, ...], set[Any]]:
    """Places by their beginning: what stands between the last word and the end is no word."""
    return {run: {(name, begin) for name, begin, _ in at} for run, at in places.items()}


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("least", [1, 2, 5, 8])
def test_passages_are_those_of_all_pairs_of_places(
    run: Run, tmp_path: Path, least: int, foreign: bool
) -> None:
    for seed in range(4):
        texts = few_words(100 * least + 10 * foreign + seed, foreign)
        found = listed(texts, search(run, tmp_path, texts, least))
        want = all_passages(texts, least)
        few = {words: at for words, at in want.items() if len(at) <= 100}
        assert found.keys() == want.keys()
        assert no_words_at_end({w: found[w] for w in few}) == no_words_at_end(few)
        manifest = json.loads((tmp_path / "out/manifest.json").read_text())
        assert manifest["passages"] == len(want)
        assert manifest["places"] == sum(len(at) for at in want.values())
        assert manifest["words"] == sum(len(text.words) for text in texts)
        covered = {
            (name, first)
            for at in want.values()
            for name, begin, end in at
            for text in texts
            if text.id == name
            for _, first, last in text.words
            if begin <= first and last <= end
        }
        assert manifest["shared_words"] == len(covered)


def test_a_golden_case(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"id": "a", "text": "Ünder the OLD bridge, they sat. Gone."}\n'
        '{"text": "He said: under? No: u\u0308nder the old bridge they sat; still."}\n'
        '{"id": "c", "text": "the old bridge they"}\n'
    )
    said = run("passages", "in.jsonl", "-o", "out", "--min-words", "3", "--json").json
    assert read_lines(tmp_path / "out/passages.jsonl") == [
        {
            "passage": 1,
            "words": 4,
            "places": 3,
            "listed": [
                {"id": "a", "source": "in.jsonl", "row": 1, "begin": 6, "end": 27},
                {"id": "in.jsonl:2", "source": "in.jsonl", "row": 2, "begin": 27, "end": 47},
                {"id": "c", "source": "in.jsonl", "row": 3, "begin": 0, "end": 19},
            ],
        },
        {
            "passage": 2,
            "words": 6,
            "places": 2,
            "listed": [
                {"id": "a", "source": "in.jsonl", "row": 1, "begin": 0, "end": 30},
                {"id": "in.jsonl:2", "source": "in.jsonl", "row": 2, "begin": 20, "end": 50},
            ],
        },
    ]
    assert (said["passages"], said["places"], said["words"]) == (2, 5, 22)
    assert said["shared_words"] == 6 + 6 + 4
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "passages.jsonl",
        "report.html",
    ]


def test_no_run_below_the_least_number_of_words(run: Run, tmp_path: Path) -> None:
    draw = random.Random(5)
    for least in (1, 2, 7, 50, 51, 1000):
        for size, count in ((least - 1, 0), (least, 1), (least + 1, 1)):
            shared = fresh(size, draw)
            texts = [
                text_of(name, [*fresh(3, draw), *shared, *fresh(3, draw)]) for name in ("a", "b")
            ]
            found = search(run, tmp_path, texts, least)
            assert [one["words"] for one in found] == [size] * count


def test_the_order_of_documents_and_files_changes_no_passage(run: Run, tmp_path: Path) -> None:
    texts = few_words(42, foreign=True, documents=16)
    first = no_words_at_end(listed(texts, search(run, tmp_path, texts, 4)))
    assert len(first) > 5
    for seed in range(4):
        mixed = random.Random(seed).sample(texts, len(texts))
        write(tmp_path / "b.jsonl", mixed[:7])
        write(tmp_path / "a.jsonl", mixed[7:])
        run("passages", "b.jsonl", "a.jsonl", "-o", "out", "--overwrite", "--min-words", "4")
        found = listed(texts, read_lines(tmp_path / "out/passages.jsonl"))
        assert no_words_at_end(found) == first


def test_a_passage_of_300_documents_lists_100_places_and_counts_all(
    run: Run, tmp_path: Path
) -> None:
    draw = random.Random(1)
    shared = fresh(60, draw)
    texts = [
        text_of(
            f"t{i}", [*fresh(5, draw), *(shared if i % 2 else fresh(60, draw)), *fresh(5, draw)]
        )
        for i in range(600)
    ]
    found = search(run, tmp_path, texts, 50)
    assert [(one["words"], one["places"]) for one in found] == [(60, 300)]
    assert [place["id"] for place in found[0]["listed"]] == [f"t{i}" for i in range(1, 200, 2)]
    search(run, tmp_path, texts, 50, "--action", "cut", "--unit", "words")
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    assert [cut["id"] for cut in cuts] == [f"t{i}" for i in range(3, 600, 2)]
    assert {cut["same_as"]["id"] for cut in cuts} == {"t1"}


@pytest.mark.parametrize("period", [1, 2, 5, 30])
def test_text_that_repeats_itself_over_and_over(run: Run, tmp_path: Path, period: int) -> None:
    draw = random.Random(period)
    row = fresh(period, draw)
    texts = [
        text_of("a", [*fresh(4, draw), *(row * 200)[:230], *fresh(4, draw)]),
        text_of("b", [*fresh(4, draw), *(row * 200)[3:80]]),
        text_of("c", (row * 200)[:6]),
    ]
    for least in (6, 20):
        found = search(run, tmp_path, texts, least, "--action", "cut", "--unit", "words")
        said, want = listed(texts, found), all_passages(texts, least)
        assert said.keys() == want.keys()
        few = [words for words in want if len(want[words]) <= 100]
        assert no_words_at_end({w: said[w] for w in few}) == no_words_at_end(
            {w: want[w] for w in few}
        )
        counts = {len(words): len(at) for words, at in want.items()}
        assert {one["words"]: one["places"] for one in found} == counts
        left = check_cuts(tmp_path, texts)
        # The first row stays, long enough to be told; what follows it goes.
        assert row[0] in left["a"]
        own = len(left["a"].split()) - 8
        assert own < 2 * least + 2 * period
        assert len(left["b"].split()) - 4 < least


# What is cut.


def stands(place: Row) -> Place:
    return place["id"], place["begin"], place["end"]


def check_cut_lines(
    texts: list[Text], cuts: list[Row], dropped: set[str], reference: Sequence[Text] = ()
) -> dict[str, str]:
    """Checks cuts.jsonl by what it says about texts; returns the texts that are left."""
    by_id = {text.id: text for text in (*texts, *reference)}
    gone: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for cut in cuts:
        gone[cut["id"]].append((cut["begin"], cut["end"]))
    for cut in cuts:
        name, begin, end = stands(cut["same_as"])
        other = by_id[name]
        assert by_id[cut["id"]].within(cut["begin"], cut["end"]) == other.within(begin, end) != []
        assert name not in dropped, "what a cut is the same as was dropped"
        assert all(b >= end or e <= begin for b, e in gone.get(name, [])), "it was cut as well"
        assert cut["same_as"].get("reference", False) == (other in reference)
    left = {}
    for text in texts:
        at, stays = 0, ""
        for begin, end in gone.get(text.id, []):
            assert at <= begin < end <= len(text.text)
            stays += text.text[at:begin]
            at = end
        if text.id not in dropped:
            left[text.id] = stays + text.text[at:]
    assert gone.keys() <= {text.id for text in texts}, "the reference is never cut"
    return left


def check_cuts(
    folder: Path, texts: list[Text], reference: Sequence[Text] = (), out: str = "out"
) -> dict[str, str]:
    """Checks a result of `search` against its texts; returns the texts that are left."""
    cuts = read_lines(folder / out / "cuts.jsonl")
    dropped = [line["id"] for line in read_lines(folder / out / "dropped.jsonl")]
    left = check_cut_lines(texts, cuts, set(dropped), reference)
    assert dropped == [text.id for text in texts if text.id in set(dropped)]
    kept = read_lines(folder / out / "kept/in.jsonl")
    assert kept == [{"id": text.id, "text": left[text.id]} for text in texts if text.id in left]
    passages = {one["passage"]: one for one in read_lines(folder / out / "passages.jsonl")}
    for cut in cuts:
        place = next(
            (p for p in passages[cut["passage"]]["listed"] if stands(p)[0] == cut["id"]), None
        )
        assert place or passages[cut["passage"]]["places"] > 100 or reference
    manifest = json.loads((folder / out / "manifest.json").read_text())
    assert (manifest["cuts"], manifest["records"]["dropped"]) == (len(cuts), len(dropped))
    assert manifest["records"]["kept"] == len(kept)
    return left


@pytest.mark.parametrize("unit", ["sentence", "line", "paragraph", "words"])
def test_what_is_left_and_its_cuts_are_the_text(run: Run, tmp_path: Path, unit: str) -> None:
    cuts = 0
    for seed in range(8):
        texts = few_words(1000 + seed, foreign=True, documents=20)
        left = random.Random(seed).choice([0, 0, 5, 30])
        options = ["--action", "cut", "--unit", unit, "--min-left", str(left)]
        search(run, tmp_path, texts, 3 + seed % 3, *options)
        check_cuts(tmp_path, texts)
        cuts += len(read_lines(tmp_path / "out/cuts.jsonl"))
    assert cuts > 3


@pytest.mark.parametrize("unit", ["sentence", "words"])
def test_planted_passages_go_but_for_the_first(run: Run, tmp_path: Path, unit: str) -> None:
    for seed in range(3):
        texts, passages = planted(seed)
        search(run, tmp_path, texts, 50, "--action", "cut", "--unit", unit)
        left = check_cuts(tmp_path, texts)
        places: dict[str, list[str]] = defaultdict(list)
        for name, text in left.items():
            for word in text.replace(".", " ").lower().split():
                places[word].append(name)
        everything = {word for text in texts for word in text.keys}
        assert places.keys() == everything, "words are lost"
        for passage in passages:
            first = next(t.id for t in texts if passage[5] in t.keys)
            assert {tuple(places[word]) for word in passage} == {(first,)}
        if unit == "sentence":
            assert all(not text or text.rstrip().endswith(".") for text in left.values())
        kept = (tmp_path / "out/kept/in.jsonl").read_bytes()
        again = ["--action", "cut", "--unit", unit]
        run("passages", "out/kept/in.jsonl", "-o", "again", "--overwrite", *again)
        assert (tmp_path / "again/cuts.jsonl").read_bytes() == b""
        assert (tmp_path / "again/kept/in.jsonl").read_bytes() == kept


def test_units_that_are_cut(run: Run, tmp_path: Path) -> None:
    shared = "One two three.\nFour five six.\n\nSeven eight nine. Ten"
    texts = [f"Here begins. {shared} a.", f"So: {shared} is not eleven."]
    want = {
        "words": "So:  is not eleven.",
        "line": "So: One two three.\nSeven eight nine. Ten is not eleven.",
        "sentence": "So: One two three.\nTen is not eleven.",
        "paragraph": texts[1],
    }
    for unit, kept in want.items():
        rows = [{"id": str(i), "text": text} for i, text in enumerate(texts)]
        (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        options = ["--min-words", "5", "--action", "cut", "--unit", unit, "--overwrite"]
        run("passages", "in.jsonl", "-o", "out", *options)
        left = [row["text"] for row in read_lines(tmp_path / "out/kept/in.jsonl")]
        assert left[0] == texts[0]
        assert left[1].split() == kept.split(), unit


def test_a_cut_does_not_join_the_words_around_it(run: Run, tmp_path: Path) -> None:
    # 東 stands between Latin letters without blanks: cutting it would make one word of two.
    rows = [{"id": "a", "text": "x 東京東京東京 y"}, {"id": "b", "text": "left東京東京東京right"}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--min-words", "4", "--action", "cut", "--unit", "words"]
    run("passages", "in.jsonl", "-o", "out", *options)
    kept = {row["id"]: row["text"] for row in read_lines(tmp_path / "out/kept/in.jsonl")}
    assert kept["b"].startswith("left") and kept["b"].endswith("right")
    assert len(kept["b"]) in range(len("leftright") + 1, len("left東京東京東京right"))


def cut_texts(run: Run, folder: Path, texts: list[str], *options: str) -> list[str]:
    """Cuts texts; returns what is left of them, which must be the texts without the cuts."""
    rows = [json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(texts)]
    (folder / "in.jsonl").write_text("".join(rows))
    run("passages", "in.jsonl", "-o", "out", "--overwrite", "--action", "cut", *options)
    left = [row["text"] for row in read_lines(folder / "out/kept/in.jsonl")]
    gone = cuts_of(folder, "in.jsonl")
    for row in gone.values():
        assert row == sorted(row)
        assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(row))
    assert left == [without(text, gone[i]) for i, text in enumerate(texts, 1)]
    return left


def test_a_sign_that_holds_two_words_is_not_cut_for_one_of_them(run: Run, tmp_path: Path) -> None:
    """The normal form of a half is 1, a fraction slash and 2: two words, one code point."""
    texts = ["mix in p q r 1", "mix in p q r ½ cup"]
    left = cut_texts(run, tmp_path, texts, "--unit", "words", "--min-words", "4")
    assert left[1].endswith("½ cup"), "2 stands nowhere any more"


def test_cuts_that_meet_in_a_sign_that_holds_two_words(run: Run, tmp_path: Path) -> None:
    texts = ["p q r 1", "2 k l m", "So p q r ½ k l m end"]
    for order in ((0, 1, 2), (2, 0, 1), (0, 2, 1)):
        mixed = [texts[i] for i in order]
        left = cut_texts(run, tmp_path, mixed, "--unit", "words", "--min-words", "4")
        cuts = read_lines(tmp_path / "out/cuts.jsonl")
        for cut in cuts:
            other = cut["same_as"]
            assert cut["end"] <= len(mixed[int(cut["id"])])
            gone = cuts_of(tmp_path, "in.jsonl")[other["row"]]
            assert all(b >= other["end"] or e <= other["begin"] for b, e in gone)
        assert sum(text.count("2") + text.count("½") for text in left) > 0
        assert sum(text.count("1") + text.count("½") for text in left) > 0


@pytest.mark.parametrize("sign", ["\u200d", "\u00ad", "\u200b", "\ufe0f"])
def test_signs_that_are_ignored_keep_no_words_apart(run: Run, tmp_path: Path, sign: str) -> None:
    """A cut between two of them would make one word of those around it."""
    texts = ["x 東京東京東京 y", f"left{sign}東京東京東京{sign}right"]
    left = cut_texts(run, tmp_path, texts, "--unit", "words", "--min-words", "4")
    assert left[1].replace(sign, "") != "leftright"


def test_the_blanks_before_a_line_go_with_it_alone(run: Run, tmp_path: Path) -> None:
    """What a cut is the same as stays, blanks as well: a place ends where its line ends."""
    texts = [
        "first\n    y five six seven eight\n",
        "x one two three four\n    y five six seven eight\n    the end",
        "Now\nx one two three four\nelse",
    ]
    left = cut_texts(run, tmp_path, texts, "--unit", "line", "--min-words", "5")
    assert left[1:] == ["x one two three four\n    the end", "Now\nelse"]
    for cut in read_lines(tmp_path / "out/cuts.jsonl"):
        other = cut["same_as"]
        gone = cuts_of(tmp_path, "in.jsonl")[other["row"]]
        assert all(b >= other["end"] or e <= other["begin"] for b, e in gone), cut


def test_a_sentence_goes_if_an_earlier_text_still_has_it(run: Run, tmp_path: Path) -> None:
    """The longest earlier run is of the second text, of which half the sentence was cut; the
    first has all of it."""
    long = [f"u{i}" for i in range(1, 21)]
    whole = " ".join(long).capitalize() + "."
    halves = " ".join(long[:10]) + ". " + " ".join(long[10:]).capitalize() + "."
    texts = [f"Start. {whole} Other.", f"Something x {halves} Bee.", f"Quite x. {whole} Cee."]
    left = cut_texts(run, tmp_path, texts, "--min-words", "10")
    assert left == [texts[0], f"Something x {' '.join(long[:10])}. Bee.", "Quite x. Cee."]


# Formats.


def cuts_of(folder: Path, source: str) -> dict[int, list[tuple[int, int]]]:
    """The cuts of each row of an input."""
    gone: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for cut in read_lines(folder / "out/cuts.jsonl"):
        if cut["source"] == source:
            gone[cut["row"]].append((cut["begin"], cut["end"]))
    return gone


def without(parts: Sequence[str], cuts: list[tuple[int, int]]) -> str:
    """A text, given as how each of its code points is written, without its cuts."""
    return "".join(part for i, part in enumerate(parts) if not any(b <= i < e for b, e in cuts))


def escaped(text: str, draw: random.Random) -> list[str]:
    """How each code point is written inside of a string of JSON: now as it is, now escaped."""
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "/": "\\/"}
    parts = []
    for c in text:
        units = c.encode("utf-16-be")
        long = "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))
        if draw.random() < 0.3:
            parts.append(long.upper().replace("\\U", "\\u") if draw.random() < 0.5 else long)
        elif c in short:
            parts.append(short[c])
        else:
            parts.append(c)
    return parts


def rich_texts(seed: int) -> list[Text]:
    """Texts with quotes, line ends and code points of all sizes, some of them in long passages."""
    draw = random.Random(seed)
    signs = ['"', " ", '" ', ", ", "; ", "\n", "\t", "/ ", "\\ ", "– ", "👍 ", "'"]
    shared = [(token, draw.choice(signs)) for token in draw.choices([*PLAIN, *FOREIGN], k=40)]
    texts = []
    for i in range(12):
        text = Text(f"r{i}")
        for token in fresh(4, draw):
            text.add(token, draw.choice(signs))
        begin = draw.randrange(10)
        for token, after in shared[begin : begin + draw.randint(15, 30)] if i % 4 != 3 else []:
            # What is no word may differ between the places of a passage.
            text.add(token, after if draw.random() < 0.7 else draw.choice(signs))
        for token in fresh(2, draw):
            text.add(token, draw.choice(signs))
        texts.append(text)
    return texts


CUT = ["--action", "cut", "--unit", "words", "--min-words", "8", "--overwrite"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_jsonl_loses_nothing_but_its_cuts(
    run: Run, tmp_path: Path, packed: bool, line_end: str
) -> None:
    name = "in.jsonl.gz" if packed else "in.jsonl"
    for seed in range(3):
        draw, texts = random.Random(seed), rich_texts(seed)
        before, written, after = [], [], []
        for text in texts:
            before.append('{"b":"\\u00e9", "a" : {"text": 1.50, "b" :\t"')
            written.append(escaped(text.text, draw))
            after.append('", "b2": [ ] },"text":"not this one", "big": 1e400}' + line_end)
        rows = ["".join([b, *w, a]) for b, w, a in zip(before, written, after, strict=True)]
        data = "".join(rows).encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if packed else data)
        run("passages", name, "-o", "out", "--text-field", "a.b", *CUT)
        gone = cuts_of(tmp_path, name)
        assert len(gone) > 3
        want = "".join(
            before[i] + without(written[i], gone[i + 1]) + after[i] for i in range(len(texts))
        )
        kept = (tmp_path / "out/kept" / name).read_bytes()
        assert (gzip.decompress(kept) if packed else kept).decode() == want
        cuts = read_lines(tmp_path / "out/cuts.jsonl")
        for line in cuts:  # ids are those of inputs without any
            for place in (line, line["same_as"]):
                assert place["id"] == f"{name}:{place['row']}"
                place["id"] = f"r{place['row'] - 1}"
        check_cut_lines(texts, cuts, set())


@pytest.mark.parametrize(("name", "delimiter"), [("in.csv", ","), ("in.tsv", "\t"), ("s.csv", ";")])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_csv_loses_nothing_but_its_cuts(
    run: Run, tmp_path: Path, name: str, delimiter: str, mark: str
) -> None:
    for seed in range(3):
        texts = rich_texts(seed)
        header = delimiter.join(["id", '"text"', "more"]) + "\r\n"
        before, written, after = [], [], []
        for i, text in enumerate(texts):
            plain = not any(c in text.text for c in '"\r\n' + delimiter)
            quote = "" if plain else '"'
            before.append(f'"r{i}"{delimiter}{quote}')
            written.append([c if plain else c.replace('"', '""') for c in text.text])
            after.append(f'{quote}{delimiter}"a ""b"" {i}"\r\n')
        rows = ["".join([b, *w, a]) for b, w, a in zip(before, written, after, strict=True)]
        data = mark + header + "".join(rows)
        (tmp_path / name).write_text(data, encoding="utf-8", newline="")
        run("passages", name, "-o", "out", *CUT)
        gone = cuts_of(tmp_path, name)
        assert len(gone) > 3
        kept = (tmp_path / "out/kept" / name).read_bytes().decode()
        table = list(csv.reader(io.StringIO(kept, newline=""), delimiter=delimiter))
        want = [without(text.text, gone[i]) for i, text in enumerate(texts, 1)]
        assert [line[1] for line in table[1:]] == want
        # A byte order mark is dropped, as from all that is kept of a table.
        assert kept == header + "".join(
            before[i] + without(written[i], gone[i + 1]) + after[i] for i in range(len(texts))
        )


@pytest.mark.parametrize("table", ["text\n{0}\n{0}\n", "text\r\n{0}\r\n{0}\r\nlast one\r\n"])
def test_a_row_of_csv_that_loses_all_its_text_is_still_a_row(
    run: Run, tmp_path: Path, table: str
) -> None:
    (tmp_path / "in.csv").write_text(table.format(" ".join(PLAIN * 3)), newline="")
    before = len(list(csv.reader((tmp_path / "in.csv").open(newline=""))))
    run("passages", "in.csv", "-o", "out", *CUT)
    assert len(read_lines(tmp_path / "out/cuts.jsonl")) == 1
    rows = list(csv.reader((tmp_path / "out/kept/in.csv").open(newline="")))
    assert len([row for row in rows if row]) == before, rows
    said = run("passages", "out/kept/in.csv", "-o", "again", "--json").json
    assert said["records"]["in"] == before - 1


def test_files_of_text_lose_nothing_but_their_cuts(run: Run, tmp_path: Path) -> None:
    for seed in range(3):
        texts = rich_texts(seed)
        folder = tmp_path / f"texts{seed}"
        folder.mkdir()
        for i, text in enumerate(texts):
            mark = "\ufeff" if i % 3 == 1 else ""
            (folder / f"{i:02}.txt").write_bytes((mark + text.text).encode())
        run("passages", folder.name, "-o", "out", *CUT)
        cuts = read_lines(tmp_path / "out/cuts.jsonl")
        assert len(cuts) > 3
        for i, text in enumerate(texts):
            gone = [(c["begin"], c["end"]) for c in cuts if c["source"].endswith(f"{i:02}.txt")]
            [kept] = (tmp_path / "out/kept").rglob(f"{i:02}.txt")
            mark = "\ufeff" if i % 3 == 1 else ""
            assert kept.read_bytes().decode() == mark + without(text.text, gone)


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
        pa.string_view(),
    ],
    ids=str,
)
def test_parquet_loses_nothing_but_its_cuts(run: Run, tmp_path: Path, kind: pa.DataType) -> None:
    texts = [text.text for text in rich_texts(1)] * 2
    column: list[str | None] = [*texts[:5], None, *texts[5:], None]
    column[3:3] = ["too long " * 300]
    table = pa.table(
        {
            "n": pa.array(range(len(column)), pa.int64()),
            "text": pa.array(column, pa.string()).cast(kind),
            "more": [[i, None] for i in range(len(column))],
        },
        metadata={"made": "here"},
    )
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=7)
    run("passages", "in.parquet", "-o", "out", "--max-record", "2K", *CUT, code=3)
    gone = cuts_of(tmp_path, "in.parquet")
    assert len(gone) > 8
    kept = pq.read_table(tmp_path / "out/kept/in.parquet")
    before = pq.read_table(tmp_path / "in.parquet")
    assert kept.schema.equals(before.schema)
    numbers = [i for i in range(len(column)) if i != 3]
    assert kept["n"].to_pylist() == numbers
    assert kept["more"].to_pylist() == [[i, None] for i in numbers]
    want = [None if column[i] is None else without(column[i] or "", gone[i + 1]) for i in numbers]
    assert kept["text"].to_pylist() == want
    rejected = pq.read_table(tmp_path / "out/rejected/in.parquet")
    assert rejected["n"].to_pylist() == [3]
    assert [(r["row"], r["source"]) for r in read_lines(tmp_path / "out/rejected.jsonl")] == [
        (4, "in.parquet")
    ]


def test_arrays_and_arrow_files_lose_nothing_but_their_cuts(run: Run, tmp_path: Path) -> None:
    texts = [text.text for text in rich_texts(2)]
    rows = [{"n": [i], "text": text} for i, text in enumerate(texts)]
    (tmp_path / "in.json").write_text(json.dumps(rows, indent=1))
    table = pa.Table.from_pylist(rows)
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=5)
    found = []
    for name in ("in.json", "in.arrow"):
        run("passages", name, "-o", "out", *CUT)
        gone = cuts_of(tmp_path, name)
        found.append(dict(gone))
        want = [{"n": [i], "text": without(t, gone[i + 1])} for i, t in enumerate(texts)]
        path = tmp_path / "out/kept" / name
        if name == "in.json":
            assert json.loads(path.read_text()) == want
        else:
            kept = pa.ipc.open_file(path).read_all()
            assert kept.schema == table.schema
            assert kept.to_pylist() == want
    assert found[0] == found[1]
    assert len(found[0]) > 3


def test_records_that_cannot_be_read_are_set_aside(run: Run, tmp_path: Path) -> None:
    shared = " ".join(f"s{i}" for i in range(60))
    lines = [
        json.dumps({"id": "a", "text": shared}).encode(),
        b"{broken",
        json.dumps({"id": "no text"}).encode(),
        json.dumps({"id": "null", "text": None}).encode(),
        json.dumps({"id": "empty", "text": ""}).encode(),
        json.dumps({"id": "signs", "text": " ... !? "}).encode(),
        b'{"id": "bytes", "text": "\xff ' + shared.encode() + b'"}',
        json.dumps({"id": "b", "text": "more " + shared}).encode(),
    ]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    options = ["--action", "cut", "--unit", "words", "--json"]
    said = run("passages", "in.jsonl", "-o", "out", *options, code=3).json
    assert said["records"]["in"] == 8
    assert said["records"]["kept"] == 6
    assert said["records"]["rejected"] == 2
    assert said["notes"]["null_text"] == said["notes"]["repaired_text"] == 1
    # Of a text that is not UTF-8 nothing is cut; it is as it was.
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    assert [(cut["id"], cut["begin"]) for cut in cuts] == [("b", 5)]
    assert cuts[0]["same_as"]["row"] in (1, 7)
    kept = (tmp_path / "out/kept/in.jsonl").read_bytes().splitlines()
    assert kept == [lines[0], *lines[3:7], b'{"id": "b", "text": "more "}']
    assert (tmp_path / "out/rejected/in.jsonl").read_bytes() == b"\n".join(lines[1:3]) + b"\n"
    assert [line["row"] for line in read_lines(tmp_path / "out/rejected.jsonl")] == [2, 3]
    [passage] = read_lines(tmp_path / "out/passages.jsonl")
    assert [(p["row"], p["begin"]) for p in passage["listed"]] == [(1, 0), (7, 2), (8, 5)]


@pytest.mark.parametrize("texts", [[], [""], [None, None], [" .. ", "", "!"], ["one"]])
def test_texts_without_words_have_no_passages(
    run: Run, tmp_path: Path, texts: list[str | None]
) -> None:
    data = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    (tmp_path / "in.jsonl").write_text(data)
    for action in ("report", "cut", "drop"):
        options = ["--action", action, "--min-words", "1", "--overwrite", "--json"]
        said = run("passages", "in.jsonl", "-o", "out", *options).json
        assert (said["passages"], said["cuts"], said["shared_words"]) == (0, 0, 0)
        assert (tmp_path / "out/passages.jsonl").read_bytes() == b""
        if action != "report" and texts:
            assert (tmp_path / "out/kept/in.jsonl").read_text() == data


# A reference, and documents that go as a whole.


@pytest.mark.parametrize("seed", range(6))
def test_passages_of_a_reference(run: Run, tmp_path: Path, seed: int) -> None:
    texts = few_words(seed + 70, foreign=seed > 2, documents=18)
    reference, own = texts[:8], texts[8:]
    write(tmp_path / "known.jsonl", reference)
    options = ["--against", "known.jsonl", "--action", "cut", "--unit", "words"]
    found = search(run, tmp_path, own, 4, *options)
    names = {text.id for text in reference}
    for one in found:
        # Places of the inputs come first, and there is one at least.
        said = [place.get("reference", False) for place in one["listed"]]
        assert said == sorted(said) and not said[0]
        assert said == [place["id"] in names for place in one["listed"]]
        sources = {"known.jsonl" if of_reference else "in.jsonl" for of_reference in said}
        assert sources == {place["source"] for place in one["listed"]}
    want = {
        words: at
        for words, at in all_passages(texts, 4).items()
        if any(name not in names for name, _, _ in at)
    }
    assert no_words_at_end(listed(texts, found)) == no_words_at_end(want)
    check_cuts(tmp_path, own, reference)


def test_what_a_reference_has_goes_everywhere(run: Run, tmp_path: Path) -> None:
    texts, passages = planted(9)
    reference, own = texts[:3], texts[3:]
    write(tmp_path / "known.jsonl", reference)
    search(run, tmp_path, own, 50, "--against", "known.jsonl", "--action", "cut")
    left = check_cuts(tmp_path, own, reference)
    held = {word for text in reference for word in text.keys}
    shared = {word for passage in passages for word in passage}
    assert shared - held == set()  # each passage stands in a text of the reference
    words = {w for text in left.values() for w in text.replace(".", " ").lower().split()}
    assert not shared & words
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    assert cuts and all(cut["same_as"]["reference"] for cut in cuts)
    assert sorted(p.name for p in (tmp_path / "out/kept").iterdir()) == ["in.jsonl"]


def test_what_only_the_reference_repeats_is_no_passage(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "known.jsonl", [text_of(n, PLAIN * 20) for n in ("x", "y")])
    own = [text_of("a", fresh(100, random.Random(1)))]
    assert search(run, tmp_path, own, 20, "--against", "known.jsonl") == []


def test_documents_of_which_too_little_is_left_go(run: Run, tmp_path: Path) -> None:
    draw = random.Random(3)
    shared = fresh(60, draw)
    texts = [text_of("first", shared)]
    texts += [text_of(f"with {n}", [*fresh(n, draw), *shared]) for n in (0, 9, 10, 11)]
    texts += [text_of("short", fresh(3, draw))]
    for action, cut in (("cut", {"with 10", "with 11"}), ("drop", set())):
        options = ["--action", action, "--unit", "words", "--min-left", "10"]
        search(run, tmp_path, texts, 50, *options)
        left = check_cuts(tmp_path, texts) if action == "cut" else None
        dropped = [line["id"] for line in read_lines(tmp_path / "out/dropped.jsonl")]
        assert dropped == ["with 0", "with 9"]
        kept = {row["id"]: row["text"] for row in read_lines(tmp_path / "out/kept/in.jsonl")}
        assert list(kept) == ["first", "with 10", "with 11", "short"]
        assert {name for name in kept if len(kept[name].split()) < 60 and "with" in name} == cut
        assert left is None or left == kept


@pytest.mark.parametrize("unit", ["words", "sentence"])
def test_drop_leaves_out_what_has_a_passage_of_an_earlier_document(
    run: Run, tmp_path: Path, unit: str
) -> None:
    """As the help of --min-left says: with drop, 0 leaves out all that have one."""
    draw = random.Random(4)
    shared = fresh(60, draw)
    texts = [
        text_of("first", shared),
        text_of("own", fresh(80, draw)),
        text_of("inside a sentence", [*fresh(9, draw), *shared, *fresh(9, draw)]),
        text_of("all", shared),
    ]
    search(run, tmp_path, texts, 50, "--action", "drop", "--unit", unit)
    dropped = [line["id"] for line in read_lines(tmp_path / "out/dropped.jsonl")]
    assert dropped == ["inside a sentence", "all"]
    kept = read_lines(tmp_path / "out/kept/in.jsonl")
    assert kept == [text.row for text in texts[:2]]


def test_drop_loses_no_passage(run: Run, tmp_path: Path) -> None:
    """A text that only repeats itself has no passage of an earlier document: it must stay, or its
    words are nowhere any more."""
    draw = random.Random(4)
    refrain = fresh(60, draw)
    texts = [
        text_of("song", [*refrain, *fresh(5, draw), *refrain]),
        text_of("own", fresh(80, draw)),
    ]
    search(run, tmp_path, texts, 50, "--action", "drop", "--unit", "words")
    assert [row["id"] for row in read_lines(tmp_path / "out/kept/in.jsonl")] == ["song", "own"]


@pytest.mark.parametrize("seed", range(5))
def test_every_passage_still_stands_after_a_drop(run: Run, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    passages = [fresh(20, draw) for _ in range(6)]
    texts = [
        text_of(
            f"t{i}",
            [w for p in draw.sample(passages, draw.randint(0, 3)) for w in (*p, *fresh(4, draw))],
        )
        for i in range(20)
    ]
    search(run, tmp_path, texts, 10, "--action", "drop", "--unit", "words")
    kept = read_lines(tmp_path / "out/kept/in.jsonl")
    dropped = {line["id"] for line in read_lines(tmp_path / "out/dropped.jsonl")}
    assert [row["id"] for row in kept] == [text.id for text in texts if text.id not in dropped]
    assert dropped
    by_id = {text.id: text for text in texts}
    assert all(row == by_id[row["id"]].row for row in kept)
    cuts = read_lines(tmp_path / "out/cuts.jsonl")
    assert {cut["id"] for cut in cuts} == dropped, "each that went says for what"
    check_cut_lines(texts, cuts, dropped)


# The same bytes, whatever the machine.


def digest(folder: Path) -> dict[str, bytes]:
    """Every file of a result, without what may differ between two runs."""
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    manifest = json.loads(found["manifest.json"])
    for part in ("timings", "cpu_seconds", "peak_memory_bytes", "peak_scratch_bytes"):
        del manifest[part]
    found["manifest.json"] = json.dumps(manifest).encode()
    return found


@pytest.fixture
def mixed_inputs(tmp_path: Path) -> list[str]:
    """Inputs of several forms, and a reference."""
    texts = few_words(7, foreign=True, documents=60)
    write(tmp_path / "in.jsonl", texts[:30])
    write(tmp_path / "known.jsonl", texts[50:])
    (tmp_path / "texts").mkdir()
    for i, text in enumerate(texts[30:40]):
        (tmp_path / f"texts/{i}.txt").write_text(text.text, newline="")
    rows = [text.row for text in texts[40:50]] + [{"id": "none", "text": None}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet", row_group_size=3)
    return ["in.jsonl", "texts", "in.parquet", "--against", "known.jsonl", "--min-words", "4"]


@pytest.mark.parametrize(
    "action",
    [["report"], ["cut", "--unit", "words", "--min-left", "9"], ["drop"], ["annotate"]],
)
def test_results_are_the_same_bytes_on_every_machine(
    run: Run, tmp_path: Path, mixed_inputs: list[str], action: list[str]
) -> None:
    if action == ["annotate"]:  # files of text have no fields
        mixed_inputs.remove("texts")
    common = ["passages", *mixed_inputs, "-o", "out", "--overwrite", "--action", *action]
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--threads", "1"], {}),
        (["--threads", "2"], {}),
        (["--threads", "7"], {}),
        (["--memory", "64M"], {}),
        (["--memory", "1G"], {}),
        (["--threads", "7"], {"LOOKALIKE_STRESS": "spill"}),
        (["--threads", "2"], {"LOOKALIKE_STRESS": "collide"}),
        (["--threads", "7"], {"LOOKALIKE_STRESS": "lanes"}),
    ]
    first: dict[str, bytes] = {}
    for options, environment in ways:
        run(*common, *options, env=environment)
        found = digest(tmp_path / "out")
        assert found["passages.jsonl"].count(b"\n") > 5
        first = first or found
        assert found == first, (options, environment)


# Annotated rows.


def places_here(texts: list[Text], passages: list[Row]) -> dict[str, list[Row]]:
    """The spans of each text, by definition: those places of each listed passage at which no longer
    run stands elsewhere. Their ends are those of passages.jsonl, whose places are checked apart."""
    words = [
        (text.id, i, key)
        for text in texts
        for i, key in enumerate([*text.keys, f"\0{text.id}"])
    ]
    table = equal_after([key for _, _, key in words])
    longest = [max((row[j] for j in range(len(words)) if j != i), default=0)
               for i, row in enumerate(table[:-1])]  # fmt: skip
    by_id = {text.id: text for text in texts}
    at = {(name, i): number for number, (name, i, _) in enumerate(words)}
    want: dict[str, list[Row]] = {text.id: [] for text in texts}
    for one in passages:
        assert one["places"] == len(one["listed"]), "the oracle needs all places"
        for order, place in enumerate(one["listed"]):
            begins = [begin for _, begin, _ in by_id[place["id"]].words]
            number = at[place["id"], begins.index(place["begin"])]
            within = number > 0 and longest[number - 1] > longest[number]
            if longest[number] != one["words"] or within:
                continue
            want[place["id"]].append(
                {"passage": one["passage"], "begin": place["begin"], "end": place["end"],
                 "first": order == 0}
            )  # fmt: skip
    for spans in want.values():
        spans.sort(key=lambda span: span["begin"])
    return want


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("least", [3, 6])
def test_annotated_rows_name_the_places_of_their_passages(
    run: Run, tmp_path: Path, least: int, foreign: bool
) -> None:
    texts = few_words(500 + 10 * least + foreign, foreign)
    rows = [text.row for text in texts]
    found = search(run, tmp_path, texts, least, "--action", "annotate")
    want = places_here(texts, found)
    assert sum(map(len, want.values())) > 9
    assert any(not spans for spans in want.values())
    annotated = [{**row, "la_passages": want[row["id"]]} for row in rows]
    assert read_lines(tmp_path / "out/annotated/in.jsonl") == annotated
    assert not (tmp_path / "out/kept").exists() and not (tmp_path / "out/cuts.jsonl").exists()

    (tmp_path / "in.json").write_text(json.dumps(rows, indent=1))
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=5)
    with pa.ipc.new_file(tmp_path / "in.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=5)
    with open(tmp_path / "in.csv", "w", newline="", encoding="utf-8") as sheet:
        writer = csv.DictWriter(sheet, ["id", "text"])
        writer.writeheader()
        writer.writerows(rows)
    for name in ("in.json", "in.csv", "in.parquet", "in.arrow"):
        run("passages", name, "-o", "out", "--overwrite", "--min-words", str(least),
            "--action", "annotate")  # fmt: skip
        path = tmp_path / "out/annotated" / name
        if name == "in.json":
            assert json.loads(path.read_text(encoding="utf-8")) == annotated
        elif name == "in.csv":
            with open(path, newline="", encoding="utf-8") as sheet:
                read = [{**row, "la_passages": json.loads(row["la_passages"])}
                        for row in csv.DictReader(sheet)]  # fmt: skip
            assert read == annotated
        else:
            got = (pq.read_table(path) if name == "in.parquet" else
                   pa.ipc.open_file(path).read_all())  # fmt: skip
            assert got.schema.names == ["id", "text", "la_passages"]
            assert got.to_pylist() == annotated


def test_a_golden_annotated_row(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        '{"id": "a", "text": "Ünder the OLD bridge, they sat. Gone."}\n'
        '{"text": "No: u\u0308nder the old bridge they sat; still.", "n": 1.50}\n'
        '{"id": "c", "text": "alone"}\n{"id": "d", "text": null }\n'
    )
    run("passages", "in.jsonl", "-o", "out", "--min-words", "3", "--action", "annotate")
    assert (tmp_path / "out/annotated/in.jsonl").read_text() == (
        '{"id": "a", "text": "Ünder the OLD bridge, they sat. Gone.", "la_passages": '
        '[{"passage": 1, "begin": 0, "end": 30, "first": true}]}\n'
        '{"text": "No: u\u0308nder the old bridge they sat; still.", "n": 1.50, "la_passages": '
        '[{"passage": 1, "begin": 4, "end": 34, "first": false}]}\n'
        '{"id": "c", "text": "alone", "la_passages": []}\n'
        '{"id": "d", "text": null , "la_passages": []}\n'
    )


def test_a_row_that_has_the_field_already_is_not_annotated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "a b c", "la_passages": 1}\n')
    failed = run("passages", "in.jsonl", "-o", "out", "--action", "annotate", code=2)
    assert "la_passages" in failed.stderr and "--action report" in failed.stderr
    assert not (tmp_path / "out").exists()


def test_files_without_fields_are_not_annotated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a b c")
    failed = run("passages", "in.txt", "-o", "out", "--action", "annotate", code=2)
    assert "in.txt" in failed.stderr and "--action report" in failed.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


def test_a_reference_is_not_annotated_and_is_not_first(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", [text_of("o", ["x", *"abcde"])])
    write(tmp_path / "new.jsonl", [text_of("p", ["y", *"abcde", "z"])])
    run("passages", "new.jsonl", "--against", "old.jsonl", "-o", "out", "--min-words", "4",
        "--action", "annotate")  # fmt: skip
    assert [path.name for path in (tmp_path / "out/annotated").iterdir()] == ["new.jsonl"]
    row = read_lines(tmp_path / "out/annotated/new.jsonl")[0]
    assert row["la_passages"] == [{"passage": 1, "begin": 2, "end": 12, "first": True}]


# The report.


class Page(HTMLParser):
    """The words of a page, what is marked in it, and all that points out of it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.marked: list[str] = []
        self.items: list[str] = []
        self.text = ""
        self._in: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._in.append(tag)
        if tag == "mark":
            self.marked.append("")
        if tag == "li":
            self.items.append("")
        for name, value in attrs:
            if name.startswith("on"):
                self.outside.append(f"{tag} {name}")
            if name in ("src", "href", "action", "srcset") and not (value or "").startswith("data:"):
                self.outside.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._in:
            return
        self.text += data
        if "mark" in self._in:
            self.marked[-1] += data
        if "li" in self._in:
            self.items[-1] += data


HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 2'>",
    "<!-- <style> ]]> &lt;b&gt; \u2028 \u202e \0 \r",
    "__LOOKALIKE_PASSAGES__ \"'`",
]


def test_the_report_shows_passages_and_nothing_else(run: Run, tmp_path: Path) -> None:
    draw = random.Random(3)
    rows = []
    for n, attack in enumerate(HOSTILE):
        shared = " ".join(fresh(15, draw)) + f" {attack} " + " ".join(fresh(5 + 9 * n, draw))
        for i in range(4 + n):
            own = [" ".join(fresh(30, draw)) for _ in range(2)]
            text = f"{own[0]} near{n}before {shared} near{n}after {own[1]}"
            if i == 0:
                text = text.replace(f" near{n}before", " first").replace(f"near{n}after ", "")
            rows.append({"id": f"{n}.{i} {attack}", "text": text})
    lines = (json.dumps(row) + "\n" for row in rows)
    (tmp_path / "<b>in.jsonl").write_text("".join(lines), encoding="utf-8")
    run("passages", "<b>in.jsonl", "-o", "out", "--min-words", "12", "--action", "cut",
        "--unit", "words")  # fmt: skip
    found = read_lines(tmp_path / "out/passages.jsonl")
    source = (tmp_path / "out/report.html").read_bytes().decode()
    page = Page(source)
    assert page.outside == []
    known = {"html", "head", "meta", "title", "link", "style", "body", "header", "p", "svg",
             "circle", "span", "main", "h1", "dl", "div", "dt", "dd", "article", "h2", "ul", "li",
             "bdi", "mark", "footer"}  # fmt: skip
    assert page.tags == known
    assert source.count("default-src 'none'") == 1 and "script-src" not in source
    # Each passage shows its first places, in its words and with what is around them.
    texts = {row["id"]: row["text"] for row in rows}
    shown = [place for one in found for place in one["listed"][:3]]
    plain = {id: text.replace("\0", "\ufffd") for id, text in texts.items()}
    assert len(page.marked) == len(shown)
    for marked, place in zip(page.marked, shown, strict=True):
        run_of_words = plain[place["id"]][place["begin"] : place["end"]]
        if len(run_of_words) <= 420:
            assert marked == run_of_words
        else:  # the middle of a long passage is left out
            head, tail = marked.split(" … ")
            assert run_of_words.startswith(head + " ") and run_of_words.endswith(" " + tail)
            assert 280 < len(head) <= 300 and 100 < len(tail) <= 120
    assert {" … " in marked for marked in page.marked} == {False, True}
    assert len(page.items) == len(shown)
    for item, place in zip(page.items, shown, strict=True):
        text = plain[place["id"]]
        assert place["id"].replace("\0", "\ufffd") in item and "<b>in.jsonl" in item
        assert text[max(place["begin"] - 30, 0) : place["begin"]] in item
        assert text[place["end"] : place["end"] + 30] in item
        assert text[: place["begin"] - 90] not in item
    cuts = [cut["passage"] for cut in read_lines(tmp_path / "out/cuts.jsonl")]
    heads = [f"{one['words']} words at {one['places']} places" for one in found]
    for one, head in zip(found, heads, strict=True):
        after = page.text.split(f"{one['passage']}. {head}", 1)[1]
        count = cuts.count(one["passage"])
        assert f"{count} cut{'s' * (count != 1)} begin here" in after.split("0.", 1)[0]


def test_the_report_opens_in_a_browser(run: Run, tmp_path: Path) -> None:
    if not CHROMIUM:
        pytest.skip("no chromium")
    texts = few_words(3, foreign=True)
    search(run, tmp_path, texts, 5)
    page = tmp_path / "out/report.html"
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"CONSOLE" not in done.stderr, "the page's policy refused a part of it"
    assert Page(done.stdout.decode()).marked == Page(page.read_bytes().decode()).marked


# Errors.


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--min-words", "0"], "--min-words"),
        (["--min-words", "-1"], "--min-words"),
        (["--min-words", "1000001"], "--min-words"),
        (["--min-words", "many"], "--min-words"),
        (["--min-left", "3"], "--min-left"),
        (["--action", "annotate", "--min-left", "3"], "--min-left"),
        (["--action", "remove"], "--action"),
        (["--unit", "word"], "--unit"),
        (["--against", "nothing.jsonl"], "nothing.jsonl"),
        (["--action", "cut", "--pages", "visible"], "--pages"),
        (["--threshold", "0.5"], "--threshold"),
    ],
)
def test_what_makes_no_sense_is_an_error(
    run: Run, tmp_path: Path, options: list[str], said: str
) -> None:
    write(tmp_path / "in.jsonl", few_words(1))
    failed = run("passages", "in.jsonl", "-o", "out", *options, code=2)
    assert said in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize("action", ["cut", "drop"])
@pytest.mark.parametrize("name", ["page.html", "pages.warc"])
def test_pages_are_not_cut(run: Run, tmp_path: Path, name: str, action: str) -> None:
    page = "<p>" + " ".join(PLAIN * 20)
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}"
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n"
    head += "WARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    head += f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}"
    warc = f"{head}\r\n\r\n{answer}\r\n\r\n"
    (tmp_path / name).write_text(page if name == "page.html" else warc, newline="")
    assert run("passages", name, "-o", "report", "--json").json["passages"] > 0
    failed = run("passages", name, "-o", "out", "--action", action, code=None)
    if action == "drop" and failed.code == 0:
        return
    assert failed.code == 2
    assert name in failed.stderr and "report" in failed.stderr
    # No way out is named that is the one that was refused.
    assert action == "cut" or "drop" not in failed.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_that_exists_is_not_replaced(run: Run, tmp_path: Path) -> None:
    search(run, tmp_path, few_words(1), 4)
    before = digest(tmp_path / "out")
    failed = run("passages", "in.jsonl", "-o", "out", code=2)
    assert "--overwrite" in failed.stderr
    assert digest(tmp_path / "out") == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/precious").write_text("x")
    run("passages", "in.jsonl", "-o", "mine", "--overwrite", code=2)
    assert (tmp_path / "mine/precious").read_text() == "x"
    run("passages", "out/passages.jsonl", "-o", "out", "--overwrite", "--text-field", "x", code=2)
    assert digest(tmp_path / "out") == before
    run("passages", code=2)
    run("passages", "in.jsonl", code=2)
