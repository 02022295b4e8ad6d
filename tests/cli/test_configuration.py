"""--config and --preset: which of several sources decides, and what is said about bad ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

USES = ["web", "news", "corpus", "plagiarism", "mirrors", "code", "baskets", "urls", "crumbs",
        "pixels", "questions", "records"]  # fmt: skip
LITERATURE = ["altavista97", "altavista98", "bing", "bytes8", "bytes8large", "mmds20x5"]
PRESETS = [*USES, *LITERATURE]


@pytest.fixture
def options_of(run: Callable, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Runs dedup over one small input with more arguments; the options it says it used."""
    (tmp_path / "in.jsonl").write_text('{"text": "some words"}\n')

    def call(*arguments: str) -> dict[str, str]:
        run("dedup", "in.jsonl", "-o", "out", "--overwrite", *arguments)
        return json.loads((tmp_path / "out" / "manifest.json").read_text())["options"]

    return call


def test_flags_win_over_file_over_preset_over_defaults(
    options_of: Callable, tmp_path: Path
) -> None:
    (tmp_path / "c.toml").write_text('preset = "news"\nthreshold = 0.6\nrecall = 0.9\n')
    plain = options_of()
    assert (plain["threshold"], plain["keep"]) == ("0.8", "first")
    preset = options_of("--preset", "news")
    assert (preset["threshold"], preset["keep"], preset["recall"]) == ("0.5", "longest", "0.99")
    file = options_of("--config", "c.toml")
    assert (file["threshold"], file["keep"], file["recall"]) == ("0.6", "longest", "0.9")
    flags = options_of("--threshold", "0.7", "--config", "c.toml", "--preset", "mirrors")
    assert (flags["threshold"], flags["shingle"], flags["recall"]) == ("0.7", "word:3", "0.9")


def test_a_list_of_flags_replaces_that_of_the_file(options_of: Callable, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text('{"text": "nothing in common"}\n')
    (tmp_path / "c.toml").write_text('against = ["a"]\n')
    assert options_of("--config", "c.toml")["against"] == "a"
    assert options_of("--config", "c.toml", "--against", "b")["against"] == "b"


def test_a_switch_of_the_file_can_be_taken_back(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"text": "some words"}\n')
    (tmp_path / "c.toml").write_text("json = true\n")
    assert run("dedup", "in.jsonl", "-o", "a", "--config", "c.toml").stdout.startswith("{")
    done = run("dedup", "in.jsonl", "-o", "b", "--config", "c.toml", "--json=false")
    assert done.stdout.startswith("Kept 1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n\ntresh = 1\n", "c.toml:3: there is no option 'tresh'"),
        ("num_perm = 128\n", "use --sketch permutations:N for N permutations, or fss:N"),
        ("threshold = 'high'\n", "c.toml:1: --threshold 'high' is not understood; use a number"),
        ("[dedup]\nthreshold = 2\n", "c.toml:2: --threshold '2' is not allowed"),
        ("threshold = \n", "c.toml:1: is not TOML"),
        ("caf\u00e9 = 1\n", "c.toml:1: is not TOML"),
        ("7\u025f = 1\n", "c.toml:1: is not TOML"),
        ("#" * (2 << 20), "c.toml: is larger than 1 MiB"),
        ('method = "exact"\ndesign = "bands:20x5"\n', "--method exact"),
    ],
)
def test_bad_files_are_one_line(run: Callable, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    failed = run("dedup", "in.jsonl", "-o", "out", "--config", "c.toml", code=2)
    assert said in failed.stderr and len(failed.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_files_that_cannot_be_read(run: Callable, name: str) -> None:
    failed = run("pairs", "in.jsonl", "-o", "out", "--config", name, code=2)
    assert f"{name}: cannot be read" in failed.stderr and "--config" in failed.stderr


def test_presets_are_listed(run: Callable) -> None:
    listed = run("options", "--presets").stdout
    assert [line.split()[1] for line in listed.splitlines() if line.startswith("--")] == PRESETS
    words = run("dedup", "--help", "all").stdout.replace(",", "").split()
    assert all(name in words for name in PRESETS)


def test_any_of_several_fields_is_known_to_files(
    options_of: Callable, tmp_path: Path
) -> None:
    (tmp_path / "in.jsonl").write_text("")
    (tmp_path / "c.toml").write_text('text-field = ["text", "title"]\nfields = "any"\n')
    (tmp_path / "in.jsonl").write_text('{"text": "some words", "title": "a title"}\n')
    used = options_of("--config", "c.toml")
    assert used["fields"] == "any"


def test_unknown_preset_lists_all(run: Callable) -> None:
    failed = run("plan", "--preset", "basket", code=2)
    assert "'basket'" in failed.stderr and ", ".join(PRESETS) in failed.stderr


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_a_plan(run: Callable, name: str) -> None:
    """A preset whose recall no design reaches would fall back to the exact join."""
    if name == "altavista97":
        assert "has no design" in run("plan", "--preset", name, code=2).stderr
        return
    if name == "questions":
        assert "containment cannot be predicted" in run("plan", "--preset", name, code=2).stderr
        return
    assert run("plan", "--preset", name, "--json").json["keys"] > 0


WORDLESS = [
    ("one Brainfuck program", "++++++++[>++++[>++>+++<<-]>+<<-]>>.>---."),
    ("another Brainfuck program", ",[.,]+[-->-[>>+>-----<<]<--<---]>-.>>>+."),
    ("Braille", "\u2813\u2811\u2807\u2807\u2815"),
    ("other Braille", "\u2803\u2817\u2801\u280a\u2807\u2807\u2811"),
    ("punctuation", "?!"),
]


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "questions"])
def test_no_preset_removes_a_text_without_words_for_an_unlike_one(
    run: Callable, tmp_path: Path, name: str
) -> None:
    rows = [{"id": id, "text": text} for id, text in WORDLESS]
    if name in ("baskets", "pixels"):  # their texts are lists
        rows = [{"id": "a", "text": []}, {"id": "b", "text": []}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "in.jsonl").write_text(lines)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--preset", name)
    assert (tmp_path / "out" / "removed.jsonl").read_text() == ""
    assert (tmp_path / "out" / "kept" / "in.jsonl").read_text() == lines


@pytest.mark.parametrize("name", ["web", "corpus", "code"])
def test_of_texts_without_words_presets_remove_equal_ones(
    run: Callable, tmp_path: Path, name: str
) -> None:
    rows = [{"id": id, "text": text} for id, text in WORDLESS]
    rows += [{"id": "Braille again", "text": WORDLESS[2][1]}, {"id": "1", "text": ""},
             {"id": "2", "text": ""}, {"id": "3", "text": " "}]  # fmt: skip
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--preset", name)
    removed = (tmp_path / "out" / "removed.jsonl").read_text().splitlines()
    found = [(row["id"], row["duplicate_of"], row["kind"]) for row in map(json.loads, removed)]
    assert found == [("Braille again", "Braille", "identical"), ("2", "1", "identical")]


def test_the_preset_for_code_tells_programs_by_their_symbols(
    run: Callable, tmp_path: Path
) -> None:
    rows = [{"id": str(i), "text": f"def f(a, b):\n    return a {s} b\n"} for i, s in
            enumerate(["+", "-"])]  # fmt: skip
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--preset", "code")
    assert (tmp_path / "out" / "removed.jsonl").read_text() == ""
