"""Texts of which the words are known, their passages by definition, and checks of results."""

from __future__ import annotations

import json
import random
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from result_folder import read_lines

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
    """Places without their ends, which may include signs after the last word."""
    return {run: {(name, begin) for name, begin, _ in at} for run, at in places.items()}


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


#: Options and environment that must not change a result.
WAYS: list[tuple[list[str], dict[str, str]]] = [
    (["--threads", "1"], {}),
    (["--threads", "2"], {}),
    (["--threads", "7"], {}),
    (["--memory", "64M"], {}),
    (["--memory", "1G"], {}),
    (["--threads", "7"], {"LOOKALIKE_STRESS": "spill"}),
    (["--threads", "2"], {"LOOKALIKE_STRESS": "collide"}),
    (["--threads", "7"], {"LOOKALIKE_STRESS": "lanes"}),
]


def check_every_way(run: Run, folder: Path, *command: str) -> None:
    """Runs a command that writes `out` in every way, and compares the bytes."""
    first: dict[str, bytes] = {}
    for options, environment in WAYS:
        run(*command, *options, env=environment)
        found = digest(folder / "out")
        assert found["passages.jsonl"].count(b"\n") > 5
        first = first or found
        assert found == first, (options, environment)


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
