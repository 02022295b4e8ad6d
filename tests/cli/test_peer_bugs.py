"""Correctness bugs that similar tools had, by the numbers of our survey of them (B1 to B24).

Those that are about sketches and hashes alone are tested beside the code: B8 and B23 in the
fingerprint's pinned vectors, B9, B10 and B18 in tests/statistical, B13 and B24 in the candidates.
"""

from __future__ import annotations

import json
import random
import string
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from result_folder import ResultFolder, read_lines
from word_features import features, resemblance

THREADS = [1, 2, 8]


def words(seed: int, count: int, vocabulary: int = 100_000) -> list[str]:
    chance = random.Random(seed)
    return [f"v{chance.randrange(vocabulary)}" for _ in range(count)]


def text(seed: int, count: int = 60) -> str:
    return " ".join(words(seed, count))


def write_lines(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize("method", ["auto", "exact"])
@pytest.mark.parametrize("shingle", ["word:5", "char:5"])
def test_b1_short_documents_do_not_merge(
    run: Callable, tmp_path: Path, shingle: str, method: str
) -> None:
    """Documents shorter than the shingle are not all the same, and empty ones follow a policy."""
    letters = [
        a + b + c for a in string.ascii_lowercase[:12] for b in "abcdefgh" for c in "abcdefghijk"
    ]
    if shingle == "word:5":
        texts = [
            " ".join([f"w{i}", f"x{i % 37}", f"y{i % 11}", "z"][: 1 + i % 4]) for i in range(1000)
        ]
    else:
        texts = [word[: 2 + i % 2] + str(i)[-1] for i, word in enumerate(letters)]
    texts = list(dict.fromkeys(texts))
    assert len(texts) >= 900
    rows = [{"id": i, "text": t} for i, t in enumerate([*texts, "", "", " ", "\n"])]
    write_lines(tmp_path / "in.jsonl", rows)
    options = ["--quiet", "--shingle", shingle, "--threshold", "0.1", "--method", method]
    run("dedup", "in.jsonl", "-o", "out", *options)
    assert ResultFolder(tmp_path / "out").removed == []
    run("dedup", "in.jsonl", "-o", "empty", *options, "--exact-empty")
    removed = ResultFolder(tmp_path / "empty").removed
    first = len(texts)
    # Only equal bytes make texts without words copies.
    assert [(r["id"], r["duplicate_of"]) for r in removed] == [(str(first + 1), str(first))]


def test_b2_short_documents_are_not_dropped(run: Callable, tmp_path: Path) -> None:
    """Documents below any minimum stay in the output: in = kept + removed, id for id."""
    rows = [{"id": str(i), "text": " ".join(words(i, i % 7))} for i in range(500)]
    write_lines(tmp_path / "in.jsonl", rows)
    for options in (
        [],
        ["--min-features", "20"],
        ["--shingle", "char:64"],
        ["--shingle", "word:64"],
    ):
        run("dedup", "in.jsonl", "-o", "out", "--quiet", "--overwrite", *options)
        result = ResultFolder(tmp_path / "out")
        result.check_nothing_lost(500)
        ids = result.kept_ids("in.jsonl") + [row["id"] for row in result.removed]
        assert sorted(ids, key=int) == [row["id"] for row in rows]


def test_b4_duplicates_at_every_position(run: Callable, tmp_path: Path) -> None:
    """Three hundred files of twenty lines; every line has a copy in the next file. All found."""
    files, lines = 300, 20
    place = {}
    for file in range(files):
        rows = []
        for line in range(lines):
            # File 2k holds originals, file 2k + 1 their copies in another order.
            seed = (file // 2) * lines + (line if file % 2 == 0 else (line + 7) % lines)
            rows.append({"id": f"{file}/{line}", "text": text(seed, 12)})
            place[file, line] = seed
        write_lines(tmp_path / "in" / f"{file:03}.jsonl", rows)
    run("dedup", "in", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(files * lines)
    found = {row["id"]: row["duplicate_of"] for row in result.removed}
    original = {seed: f"{f}/{n}" for (f, n), seed in place.items() if f % 2 == 0}
    assert found == {f"{f}/{n}": original[seed] for (f, n), seed in place.items() if f % 2 == 1}


def test_b5_documented_commands_run(run: Callable, tmp_path: Path) -> None:
    """Every default is accepted when it is given in words, and the examples of help run."""
    write_lines(tmp_path / "corpus.jsonl", [{"id": str(i), "text": text(i % 9)} for i in range(10)])
    run("dedup", "corpus.jsonl", "-o", "clean", "--quiet")
    options = ResultFolder(tmp_path / "clean").manifest["options"]
    given = [f"--{name}={value}" for name, value in options.items() if value]
    run("dedup", "corpus.jsonl", "-o", "again", "--quiet", *given)
    again = ResultFolder(tmp_path / "again")
    assert again.digest() == ResultFolder(tmp_path / "clean").digest()


def messy_corpus(folder: Path) -> None:
    """Several files with copies, near copies, template pages and bad lines among them."""
    chance = random.Random(5)
    template = words(1, 80)
    for file in range(5):
        rows = []
        for i in range(150):
            own = words(file * 1000 + i, 40)
            if i % 5 == 0:
                own = template + own[:12]
            elif i % 5 == 1 and rows:
                own = rows[chance.randrange(len(rows))]["text"].split()
                own[chance.randrange(len(own))] = "changed"
            elif i % 5 == 2 and rows:
                own = rows[chance.randrange(len(rows))]["text"].split()
            rows.append({"id": f"{file}-{i}", "text": " ".join(own)})
        write_lines(folder / f"{file}.jsonl", rows)
    with open(folder / "2.jsonl", "a") as file:
        file.write("{broken\n")


def test_b6_same_bytes_over_threads_and_runs(run: Callable, tmp_path: Path) -> None:
    """Keep-first keeps the first, and every file is the same in every run."""
    messy_corpus(tmp_path / "in")
    digests = []
    for n, threads in enumerate([*THREADS, 8, 8]):
        run("dedup", "in", "-o", f"out{n}", "--quiet", "--threads", threads, code=3)
        run("pairs", "in", "-o", f"pairs{n}.jsonl", "--quiet", "--threads", threads, code=3)
        digest = ResultFolder(tmp_path / f"out{n}").digest()
        digest["pairs"] = (tmp_path / f"pairs{n}.jsonl").read_bytes()
        digests.append(digest)
    for digest in digests[1:]:
        assert [name for name in digest if digest[name] != digests[0].get(name)] == []
    removed = ResultFolder(tmp_path / "out0").removed
    assert len(removed) > 100
    position = lambda source, row: (source, row)  # noqa: E731
    for row in removed:
        witness = position(row["duplicate_of_source"] or row["source"], row["duplicate_of_row"])
        assert witness < position(row["source"], row["row"])


@pytest.mark.parametrize("cluster", ["leader", "components"])
def test_b7_a_bridge_does_not_join_unlike_clusters(
    run: Callable, tmp_path: Path, cluster: str
) -> None:
    """Clusters {A, A'} and {B, B'} that share a template, but not enough, stay apart."""
    template = words(1, 60)
    one, other = template + words(2, 40), template + words(3, 40)
    documents = {
        "A": one, "B": other, "A'": [*one[:-1], "changed"], "B'": [*other[:-1], "changed"],
        "bridge": template + words(2, 40)[:14] + words(3, 40)[:14],
    }  # fmt: skip
    sets = {k: features(" ".join(v), 5) for k, v in documents.items()}
    near = {(a, b) for a in sets for b in sets if a != b and resemblance(sets[a], sets[b]) >= 0.8}
    assert near == {("A", "A'"), ("A'", "A"), ("B", "B'"), ("B'", "B")}
    write_lines(
        tmp_path / "in.jsonl", [{"id": k, "text": " ".join(v)} for k, v in documents.items()]
    )
    # One key of one coordinate: everything that shares a little is a candidate.
    for design in ([], ["--design", "bands:128x1"]):
        run(
            "dedup",
            "in.jsonl",
            "-o",
            "out",
            "--quiet",
            "--overwrite",
            "--cluster",
            cluster,
            *design,
        )
        result = ResultFolder(tmp_path / "out")
        assert [c["members"] for c in result.clusters] == [["A", "A'"], ["B", "B'"]]
        assert result.kept_ids("in.jsonl") == ["A", "B", "bridge"]


def test_b11_a_shift_does_not_hide_a_copy(run: Callable, tmp_path: Path) -> None:
    """Words put in front, behind, or between: found as the resemblance says, at any offset."""
    rows = []
    for seed in range(40):
        base = words(seed, 300)
        rows.append({"id": f"{seed}", "text": " ".join(base)})
        for k in (1, 2, 3, 7, 20):
            extra = words(10_000 + seed * 100 + k, k)
            at = (seed * 7) % 300
            rows += [
                {"id": f"{seed} front {k}", "text": " ".join(extra + base)},
                {"id": f"{seed} end {k}", "text": " ".join(base + extra)},
                {"id": f"{seed} in {k}", "text": " ".join(base[:at] + extra + base[at:])},
            ]
    write_lines(tmp_path / "in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--threshold", "0.8", "--recall", "0.99")
    kept = ResultFolder(tmp_path / "out").kept_ids("in.jsonl")
    # All are above .9, where hardly any is missed.
    assert kept == [str(seed) for seed in range(40)]


def test_b12_case_folds_outside_of_ascii(run: Callable, tmp_path: Path) -> None:
    """Case folds in every script, and bytes that are no letters are not changed by it."""
    pairs = [
        ("ÄRGER ÜBER ŐŰ", "ärger über őű"),
        ("ПРИВЕТ МИР", "привет мир"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ]
    rows = [
        {"id": f"{i}{k}", "text": t} for i, pair in enumerate(pairs) for k, t in zip("ab", pair)
    ]
    rows += [
        {"id": "x", "text": "[at] {brace}"},
        {"id": "y", "text": "@ `"},
        {"id": "z", "text": "а"},
    ]
    rows += [{"id": "latin", "text": "a"}]  # the one before is Cyrillic
    write_lines(tmp_path / "in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    removed = [
        (r["id"], r["duplicate_of"], r["kind"]) for r in ResultFolder(tmp_path / "out").removed
    ]
    assert removed == [(f"{i}b", f"{i}a", "exact") for i in range(3)]


def test_b15_a_slow_producer_loses_nothing(binary: Path, tmp_path: Path) -> None:
    """Standard input that stalls is read to its end."""
    rows = [json.dumps({"id": i, "text": text(i % 50)}) + "\n" for i in range(100)]
    with subprocess.Popen(
        [binary, "dedup", "-", "-o", "out", "--quiet"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        for part in range(4):
            process.stdin.write("".join(rows[part * 25 : part * 25 + 25]))
            process.stdin.flush()
            time.sleep(0.15)
        process.stdin.close()
        assert process.wait(60) == 0
    ResultFolder(tmp_path / "out").check_nothing_lost(100)
    assert len(ResultFolder(tmp_path / "out").removed) == 50


def test_b16_removal_follows_the_threshold_that_was_asked(run: Callable, tmp_path: Path) -> None:
    """Pairs of a known resemblance: all above the threshold are found, none below it."""
    rows = []
    for n in range(400):
        base = words(n, 100)
        changed = 1 + n % 60
        rows.append({"id": f"{n}a", "text": " ".join(base)})
        rows.append(
            {"id": f"{n}b", "text": " ".join(base[: 100 - changed] + words(90_000 + n, changed))}
        )
    write_lines(tmp_path / "in.jsonl", rows)
    sets = {row["id"]: features(row["text"], 5) for row in rows}
    for threshold in (0.3, 0.5, 0.8):
        run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--quiet", "--threshold", threshold)
        found = {(p["a"], p["b"]) for p in read_lines(tmp_path / "pairs.jsonl")}
        true = {
            (f"{n}a", f"{n}b")
            for n in range(400)
            if resemblance(sets[f"{n}a"], sets[f"{n}b"]) >= threshold
        }
        assert found <= true and len(found) >= 0.985 * len(true) > 60


@pytest.mark.parametrize("threads", THREADS)
def test_b19_block_boundaries_and_last_records(run: Callable, tmp_path: Path, threads: int) -> None:
    """Lines that straddle the blocks of parallel parsing, and a last line without an end."""
    chance = random.Random(3)
    rows, size = [], 0
    while size < 5_000_000:
        # Lengths around which blocks of a megabyte begin and end at every offset of a line.
        row = {
            "id": str(len(rows)),
            "text": text(len(rows) % 700, 8),
            "pad": "p" * chance.choice([0, 90, 4000, 70_000]),
        }
        rows.append(row)
        size += len(json.dumps(row)) + 1
    lines = [json.dumps(row).encode() for row in rows]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(lines))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--threads", threads)
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(len(rows))
    if len(rows) <= 700:
        assert result.kept_bytes("in.jsonl") == b"\n".join(lines)
    first: dict[str, int] = {}
    wanted = []
    for i, row in enumerate(rows):
        if first.setdefault(row["text"], i) != i:
            wanted.append((i + 1, first[row["text"]] + 1))
    assert [(r["row"], r["duplicate_of_row"]) for r in result.removed] == wanted
    kept = [line for i, line in enumerate(lines) if first[rows[i]["text"]] == i]
    assert result.kept_bytes("in.jsonl").rstrip(b"\n") == b"\n".join(kept)


@pytest.mark.parametrize("size", [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (2 << 20) - 1, 2 << 20])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_b19_a_file_that_ends_with_its_block(
    run: Callable, tmp_path: Path, size: int, end: bytes
) -> None:
    """The last record ends exactly at, before or behind the end of a block."""
    first = json.dumps({"id": "a", "text": "one two three"}).encode() + b"\n"
    last = b'{"id": "c", "text": "one two three"}' + end
    fill = size - len(first) - len(last) - len(b'{"id": "b", "text": ""}\n')
    (tmp_path / "in.jsonl").write_bytes(
        first + b'{"id": "b", "text": "' + b" " * fill + b'"}\n' + last
    )
    assert (tmp_path / "in.jsonl").stat().st_size == size
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    result.check_nothing_lost(3)
    assert [(r["id"], r["duplicate_of"]) for r in result.removed] == [("c", "a")]


def test_b20_short_exact_copies_are_found(run: Callable, tmp_path: Path) -> None:
    """Texts shorter than the shingle have copies like any other."""
    rows = [{"id": str(i), "text": f"short {i % 50}"} for i in range(150)]
    write_lines(tmp_path / "in.jsonl", rows)
    for method in ("auto", "exact"):
        run("dedup", "in.jsonl", "-o", "out", "--quiet", "--overwrite", "--method", method)
        removed = ResultFolder(tmp_path / "out").removed
        assert [(r["id"], r["duplicate_of"]) for r in removed] == [
            (str(i), str(i % 50)) for i in range(50, 150)
        ]


@pytest.mark.parametrize("alike", ["copies", "near copies"])
def test_b21_a_hot_bucket_hides_nothing(run: Callable, tmp_path: Path, alike: str) -> None:
    """Very many documents of one bucket, and one near copy at the end: it is found."""
    base = words(1, 40)
    count = 100_000 if alike == "copies" else 800
    plain = " ".join(base)
    with open(tmp_path / "in.jsonl", "w") as file:
        for i in range(count):
            own = plain if alike == "copies" else f"{plain} {i}"
            file.write(f'{{"id": "{i}", "text": "{own}"}}\n')
        file.write(f'{{"id": "last", "text": "{plain} at the end"}}\n')
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    removed = result.removed
    assert result.kept_ids("in.jsonl") == ["0"]
    assert (removed[-1]["id"], removed[-1]["duplicate_of"]) == ("last", "0")
    assert removed[-1]["kind"] == "near"
    assert result.clusters[0]["size"] == count + 1


def test_b21_a_template_is_no_duplicate(run: Callable, tmp_path: Path) -> None:
    """Pages of one template below the threshold all stay, and two real copies among them go."""
    template = words(1, 100)
    rows = [{"id": str(i), "text": " ".join(template + words(i + 10, 45))} for i in range(2000)]
    rows[1500]["text"] = rows[3]["text"] + " more"
    rows[1999]["text"] = rows[1000]["text"] + " more"
    write_lines(tmp_path / "in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    removed = ResultFolder(tmp_path / "out").removed
    assert [(r["id"], r["duplicate_of"]) for r in removed] == [("1500", "3"), ("1999", "1000")]


def test_b22_scores_are_what_their_names_say(run: Callable, tmp_path: Path) -> None:
    """Precision is of the found, recall of the true, F1 their harmonic mean."""
    true = [{"a": f"t{i}", "b": f"u{i}", "resemblance": 0.9} for i in range(10)]
    found = true[:6] + [{"a": f"x{i}", "b": f"y{i}", "resemblance": 0.9} for i in range(2)]
    write_lines(tmp_path / "truth.jsonl", true)
    write_lines(tmp_path / "found.jsonl", found)
    scores = run("eval", "found.jsonl", "--truth", "truth.jsonl", "--json").json
    assert (scores["precision"], scores["recall"]) == (0.75, 0.6)
    assert scores["f1"] == pytest.approx(2 * 0.75 * 0.6 / 1.35, abs=1e-15)
    assert (scores["found"], scores["expected"], scores["correct"]) == (8, 10, 6)


def test_removals_are_no_list_of_pairs(run: Callable, tmp_path: Path) -> None:
    """Of n documents that are alike n - 1 go, and n (n - 1) / 2 pairs are settled by that."""
    run("synth", "-o", "in.jsonl", "--documents", "2000", "--seed", "3", "--quiet", "--truth",
        "truth.jsonl")  # fmt: skip
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--method", "exact")
    run("pairs", "in.jsonl", "-o", "pairs.jsonl", "--quiet", "--method", "exact")
    pairs = run("eval", "pairs.jsonl", "--truth", "truth.jsonl", "--json").json
    assert pairs["kind"] == "pairs" and "false_removals" not in pairs
    assert (pairs["precision"], pairs["recall"]) == (1, 1)
    removed = ResultFolder(tmp_path / "out").removed
    assert len(removed) < pairs["expected"]
    for result in ("out", "out/removed.jsonl"):
        scores = run("eval", result, "--truth", "truth.jsonl", "--json").json
        assert (scores["kind"], scores["false_removals"]) == ("removals", 0)
        assert (scores["precision"], scores["recall"], scores["f1"]) == (1, 1, 1)
        assert (scores["found"], scores["expected"]) == (len(removed), pairs["expected"])
        assert all(b["found"] == b["expected"] for b in scores["by_resemblance"])
    said = run("eval", "out", "--truth", "truth.jsonl").stdout
    assert "0 false" in said and "with a document removed" in said


def test_b23_a_document_is_wholly_like_itself(run: Callable, tmp_path: Path) -> None:
    """Self-score 1, symmetry, and no part of the order or the number of repetitions."""
    shuffled = words(4, 200, vocabulary=50)
    (tmp_path / "a.txt").write_text(" ".join(shuffled))
    (tmp_path / "b.txt").write_text(" ".join(sorted(set(shuffled))))
    (tmp_path / "c.txt").write_text(" ".join(shuffled[:60] + words(5, 60, vocabulary=50)))
    compare = lambda *files: run(
        "compare", *files, "--shingle", "word:1", "--json"
    ).json  # noqa: E731
    assert compare("a.txt", "a.txt")["resemblance"] == 1
    assert compare("a.txt", "b.txt")["resemblance"] == 1
    one, other = compare("a.txt", "c.txt"), compare("c.txt", "a.txt")
    assert one["resemblance"] == other["resemblance"] < 1
    assert (one["containment_ab"], one["size_a"]) == (other["containment_ba"], other["size_b"])
