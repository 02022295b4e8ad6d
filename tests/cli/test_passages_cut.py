"""`lookalike passages --action cut` and `drop`: nothing is lost but what stays elsewhere."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import random
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from passage_texts import (
    FOREIGN,
    PLAIN,
    Run,
    Text,
    all_passages,
    check_cut_lines,
    check_cuts,
    cuts_of,
    few_words,
    fresh,
    listed,
    no_words_at_end,
    planted,
    search,
    text_of,
    without,
    write,
)
from result_folder import read_lines


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
            # The signs between words may differ between the places of a passage.
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
