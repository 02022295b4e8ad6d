"""`lookalike passages`: every run of words that stands twice, found, cut, or reason to drop.

Texts are made of tokens, so that their words and where they stand are known without reading them.
What the command finds is compared with all pairs of places.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from passage_texts import (
    PLAIN,
    Row,
    Run,
    Text,
    all_passages,
    check_cuts,
    check_every_way,
    digest,
    equal_after,
    few_words,
    fresh,
    listed,
    no_words_at_end,
    search,
    text_of,
    write,
)
from result_folder import read_lines


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


# Inputs that turn out to be bad.


@pytest.mark.parametrize("keep", ["first", "field:n"])
@pytest.mark.parametrize("stress", ["", "spill"])
def test_what_was_read_of_a_skipped_input_is_not_searched(
    run: Run, tmp_path: Path, keep: str, stress: str
) -> None:
    draw = random.Random(6)
    shared = [" ".join(fresh(20, draw)) for _ in range(60)]

    def rows(name: str, count: int) -> bytes:
        made = (
            {"id": f"{name}{i}", "n": draw.randrange(500), "text": " ".join(draw.sample(shared, 2))}
            for i in range(count)
        )
        return "".join(json.dumps(row) + "\n" for row in made).encode()

    packed = gzip.compress(rows("b", 8000) + b"{broken\n" + rows("d", 8000))
    (tmp_path / "a.jsonl").write_bytes(rows("a", 40))
    (tmp_path / "b.jsonl.gz").write_bytes(packed[: len(packed) * 9 // 10])
    (tmp_path / "c.jsonl").write_bytes(rows("c", 40))
    options = ["--min-words", "15", "--action", "cut", "--unit", "words", "--keep", keep]
    environment = {"LOOKALIKE_STRESS": stress} if stress else {}
    run("passages", "a.jsonl", "c.jsonl", "-o", "good", *options)
    run("passages", "a.jsonl", "b.jsonl.gz", "c.jsonl", "-o", "out", "--skip-bad-inputs", *options,
        env=environment, code=3)  # fmt: skip
    good, found = digest(tmp_path / "good"), digest(tmp_path / "out")
    manifests = [json.loads(files.pop("manifest.json")) for files in (good, found)]
    assert good.pop("report.html") and found.pop("report.html")
    assert found == good and good["cuts.jsonl"]
    assert manifests[1]["notes"]["skipped_inputs"] == 1
    for count in ("records", "passages", "words", "shared_words", "cuts"):
        assert manifests[0][count] == manifests[1][count]


# The same bytes, whatever the machine.


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
    check_every_way(run, tmp_path, *common)


# Annotated rows.


def places_here(texts: list[Text], passages: list[Row]) -> dict[str, list[Row]]:
    """The spans of each text, by definition: those places of each listed passage at which no longer
    run stands elsewhere. Their ends are those of passages.jsonl, whose places are checked apart."""
    words = [
        (text.id, i, key) for text in texts for i, key in enumerate([*text.keys, f"\0{text.id}"])
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
        (["--unit", "line"], "--unit line says what is cut"),
        (["--action", "annotate", "--unit", "words"], "use --action cut"),
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
