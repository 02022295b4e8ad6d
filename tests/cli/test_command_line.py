"""The command line itself: help, version, exit codes, bad words and bad values."""

from __future__ import annotations

import gzip
import json
import re
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    "dedup", "pairs", "nearest", "compare", "filter", "sketch", "merge-sketches", "weights", "group", "crumbs",
    "synth", "plan", "eval", "families",
]

BAD_VALUES = [
    ("threshold", "0", "above 0"),
    ("threshold", "1.5", "at most 1"),
    ("threshold", "-1", "at most 1"),
    ("threshold", "nan", "at most 1"),
    ("threshold", "high", "a number"),
    ("recall", "0", "below 1"),
    ("recall", "1", "below 1"),
    ("shingle", "word", "word:N"),
    ("shingle", "word:65", "1 to 64"),
    ("min-features", "0", "1 or more"),
    ("seed", "-3", "whole number"),
    ("method", "quick", "auto, lsh, exact or shingle-merge"),
    ("design", "bands:20", "bands:BxR"),
    ("sketch", "fss:2000", "use fss:1024, the nearest"),
    ("verify", "sketch", "exact"),
    ("verify", "none", "exact"),
    ("verify", "guess", "exact"),
    ("audit-documents", "some", "whole number"),
    ("keep", "last", "longest"),
    ("keep", "field:", "field:NAME"),
    ("cluster", "tree", "components"),
    ("output", "rows", "annotated"),
    ("max-record", "1Q", "256M"),
    ("max-record", "0", "256M"),
    ("max-expansion", "0", "from 1"),
    ("max-errors", "few", "unlimited"),
    ("threads", "-1", "4096"),
    ("threads", "9999", "4096"),
    ("memory", "63M", "64M or more"),
    ("memory", "lots", "64M or more"),
    ("json", "maybe", "true or false"),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two copies, one loner."""
    path = tmp_path / "in.jsonl"
    copied = "one two three four five six seven eight nine ten"
    loner = "an entirely different text that shares no run of words"
    rows = [("a", copied), ("b", copied), ("c", loner)]
    path.write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in rows))
    return path


def one_line(text: str) -> str:
    """The text, which must be exactly one line."""
    lines = text.splitlines()
    assert len(lines) == 1, text
    return lines[0]


def wait_until(happened: Callable[[], object]) -> None:
    """Returns once it happened; fails after a minute."""
    for _ in range(600):
        if happened():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen within a minute")


def test_version_names_fingerprint_and_instruction_set(run: Callable) -> None:
    assert "fingerprint v1" in run("--version").stdout
    forced = run("--version", env={"LOOKALIKE_ISA": "scalar"}).stdout
    assert one_line(forced).endswith("scalar)")


def test_no_library_is_loaded_from_the_current_folder(binary: Path, tmp_path: Path) -> None:
    """A folder of foreign data may hold files named like shared libraries."""
    linked = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^\s*(\S+) => /", linked, re.MULTILINE)
    assert "libtbb.so.12" in names
    for name in names:
        (tmp_path / name).write_text("not a library")
    done = subprocess.run([binary, "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_unknown_instruction_set_fails(run: Callable) -> None:
    failed = run("--version", code=2, env={"LOOKALIKE_ISA": "mmx"})
    assert "mmx" in one_line(failed.stderr) and "scalar" in failed.stderr


def test_help_lists_every_command(run: Callable) -> None:
    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert text == run("-h").stdout == run("help").stdout


def test_help_groups_the_commands(run: Callable) -> None:
    headings = re.findall(r"^([A-Z].*):$", run("--help").stdout, re.MULTILINE)
    assert headings[:4] == ["Find near-duplicates", "Streams and sketches", "Prepare", "Predict and measure"]


def test_command_alone_prints_the_general_help_and_fails(run: Callable) -> None:
    failed = run(code=2)
    assert failed.stderr == run("--help").stdout
    assert failed.stdout == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_usage_and_example(run: Callable, command: str) -> None:
    text = run(command, "--help").stdout
    full = run(command, "--help", "all").stdout
    for form in (text, full):
        assert f"Usage: lookalike {command} " in form
        assert f"Example:\n  lookalike {command} " in form or f"| lookalike {command} " in form
        assert max(map(len, form.splitlines())) <= (80 if form == text else 100)
    assert f"lookalike {command} --help all" in text
    assert text == run("help", command).stdout
    assert full == run("help", command, "all").stdout


@pytest.mark.parametrize(
    "command",
    [*COMMANDS, "shard", "passages", "decontaminate", "index", "audit", "rethreshold", "serve"],
)
def test_help_promises_several_fields_only_where_they_can_be_named(
    run: Callable, command: str
) -> None:
    full = " ".join(run(command, "--help", "all").stdout.split())
    several = command in ("dedup", "shard", "pairs", "nearest", "plan")
    assert ("With several, documents" in full) == several
    one_each = several or command == "rethreshold"
    assert ("one for each text field" in full) == one_each


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_fits_a_screen(run: Callable, command: str) -> None:
    assert len(run(command, "--help").stdout.splitlines()) <= 40


def test_short_help_is_a_part_of_the_full_help(run: Callable) -> None:
    for command in COMMANDS:
        full = run(command, "--help", "all").stdout
        for flag in re.findall(r"^  (--?[a-z-]+)", run(command, "--help").stdout, re.MULTILINE):
            assert f"\n  {flag}" in full, (command, flag)


def test_readme_has_the_table_of_commands(run: Callable) -> None:
    readme = (ROOT / "README.md").read_text()
    table = readme.partition("`lookalike options --commands` -->\n")[2].partition("<!-- end")[0]
    assert table == run("options", "--commands").stdout


def test_documentation_of_options_is_current(run: Callable) -> None:
    committed = (ROOT / "docs" / "options.md").read_text()
    assert run("options", "--markdown").stdout == committed


def test_every_documented_flag_is_accepted(run: Callable) -> None:
    for command in COMMANDS:
        for line in run(command, "--help", "all").stdout.splitlines():
            words = line.split()
            if line.startswith("  --"):
                # Nothing else is given (plan, filter: no file), so that each of these fails, but
                # not for its name.
                inputs = ["none.jsonl"] if command in ("plan", "filter") else []
                failed = run(command, f"{words[0]}=?", *inputs, code=2)
                assert "has no option" not in failed.stderr, (command, words[0])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dedpu", "x"], "did you mean dedup?"),
        (["--vresion"], "did you mean --version?"),
        (["frobnicate"], "frobnicate"),
        (["pairs", "x", "-o", "y", "--tresh", ".9"], "did you mean --threshold?"),
        (["pairs", "x", "-o", "y", "--text_field", "t"], "did you mean --text-field?"),
        (["pairs", "x", "-o", "y", "--keep", "first"], "belongs to dedup"),
        (["dedup", "x", "-o", "y", "--frobnicate"], "--frobnicate"),
        (["dedup", "x", "-o"], "-o takes a value"),
        (["dedup", "x", "-o", "y", "--text-field="], "--text-field takes a value"),
        (["dedup", "x", "-o", "y", "--id-field"], "--id-field takes a value"),
        (["dedup", "x"], "needs -o DIR"),
        (["dedup", "-o", "y"], "none given"),
        (["dedup", "--against", "r", "x", "-o", "y"], "--against took 2 words"),
        (["dedup", "x", "-o", "y", "--against"], "--against takes a value"),
        (["dedup", "x", "-o", "y", "--against="], "--against takes a value"),
        (["pairs", "x", "-o", "y", "--resume"], "belongs to dedup"),
        (["pairs", "x"], "needs -o FILE"),
        (["compare", "x"], "1 given"),
        (["compare", "x", "y", "z"], "3 given"),
        (["synth", "-o", "y"], "needs --documents"),
        (["synth", "-o", "y", "--documents", "many"], "whole number"),
        (["synth", "-o", "y", "--documents", "5", "--duplicates", "1.01"], "from 0 to 1"),
        (["eval", "x"], "needs --truth"),
        (["plan", "--at", ".5,2"], "from 0 to 1"),
        (["plan", "-"], "pass files"),
        (["plan", "--html", "x.html"], "pass at least one input"),
    ],
)
def test_bad_words_are_one_line_and_exit_2(run: Callable, words: list[str], said: str) -> None:
    failed = run(*words, code=2)
    assert one_line(failed.stderr).startswith("lookalike: ")
    assert said in failed.stderr
    assert failed.stdout == ""


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("--ngram", "use --shingle word:N"),
        ("--shingle-size", "use --shingle word:N"),
        ("--num-perm", "use --sketch permutations:N"),
        ("--num_perm", "use --sketch permutations:N"),
        ("--num-perm=128", "use --sketch permutations:N"),
        ("--bands", "use --design bands:BxR"),
        ("--rows-per-band", "use --design bands:BxR"),
        ("--output-dir", "use -o"),
        ("--jaccard", "use --threshold T"),
        ("--similarity", "use --threshold T"),
        ("--n-jobs", "use --threads N"),
        ("--text-column", "use --text-field FIELD"),
        ("--input", "inputs are given without a flag"),
    ],
)
def test_words_of_other_tools_lead_to_ours(run: Callable, flag: str, said: str) -> None:
    """These are no slips of the finger: no name of ours is near them."""
    failed = run("dedup", "x", "-o", "y", flag, "5", code=2)
    assert f"dedup has no option '{flag.partition('=')[0]}'; {said}" in one_line(failed.stderr)


def test_only_options_of_the_command_are_advised(run: Callable) -> None:
    assert "dedup needs -o DIR" in run("dedup", "x", "--output", "y", code=2).stderr
    assert "use -o" in run("pairs", "x", "--output", "y", code=2).stderr
    assert "use -o" not in run("eval", "x", "--truth", "y", "--output-dir", "y", code=2).stderr
    assert "--sketch" not in run("synth", "-o", "y", "--num-perm", "5", code=2).stderr


@pytest.mark.parametrize(("option", "value", "takes"), BAD_VALUES)
def test_bad_values_name_option_value_and_what_it_takes(
    run: Callable, corpus: Path, tmp_path: Path, option: str, value: str, takes: str
) -> None:
    failed = run("dedup", corpus, "-o", "out", f"--{option}={value}", code=2)
    message = one_line(failed.stderr)
    assert f"--{option}" in message and value in message and takes in message
    assert not (tmp_path / "out").exists()


def test_later_value_of_an_option_wins(run: Callable, corpus: Path) -> None:
    run("pairs", corpus, "-o", "out", "--threshold", "7", "--threshold", ".9")


@pytest.mark.parametrize(
    ("words", "references"),
    [
        (["in.jsonl", "-o", "out", "--against", "a", "b", "c"], "a,b,c"),
        (["in.jsonl", "--against", "a", "--against", "b", "-o", "out"], "a,b"),
        (["--against", "a", "-o", "out", "in.jsonl"], "a"),
        (["--against=a", "in.jsonl", "--against", "b", "-o", "out"], "a,b"),
        (["-o", "out", "--against", "a", "-", "--", "in.jsonl"], "a,-"),
        (["in.jsonl", "-o", "out", "--against", "[ab]", "x,y"], "[ab],x\\,y"),
        (["in.jsonl", "-o", "out"], ""),
    ],
)
def test_values_of_a_list(
    run: Callable, corpus: Path, tmp_path: Path, words: list[str], references: str
) -> None:
    for name in ("a", "b", "c", "x,y"):
        (tmp_path / name).write_text('{"text": "nothing in common"}\n')
    run("dedup", *words, stdin='{"text": "nor here"}\n')
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["options"]["against"] == references


def test_performance_options_change_nothing(run: Callable, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "fast").mkdir()
    run("dedup", corpus, "-o", "plain")
    run("dedup", corpus, "-o", "other", "--memory", "64M", "--scratch", "fast", "--threads", "1")
    manifests = [tmp_path / name / "manifest.json" for name in ("plain", "other")]
    digests = {json.loads(path.read_text())["options_digest"] for path in manifests}
    assert len(digests) == 1
    assert not list((tmp_path / "fast").iterdir())


@pytest.mark.parametrize("command", ["dedup", "pairs"])
@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_interruption(
    binary: Path, tmp_path: Path, command: str, signals: list[signal.Signals]
) -> None:
    """One signal ends the run in order; a second one at once. Standard input holds it up."""
    arguments = [binary, command, "-", "big.jsonl", "-o", "out", "--text-field", "text"]
    line = '{"text": "some words of a text"}\n'
    (tmp_path / "big.jsonl").write_text(line * 200_000)
    with subprocess.Popen(
        arguments,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        wait_until(lambda: list(tmp_path.glob("out.partial/**/stdin")))
        for number in signals:
            process.send_signal(number)
            time.sleep(0.2)  # or the kernel would make one of the two
        _, said = process.communicate(line.encode(), timeout=60)
    if len(signals) == 1:
        assert process.returncode == 2
        assert said.decode().splitlines()[-1] == "lookalike: interrupted"
        assert not (tmp_path / "out").exists()
    else:
        assert process.returncode == -signal.SIGINT


@pytest.mark.parametrize("size", ["300", "300B", "1K", "64KiB", "64kb", "1.5M", "0.3G"])
def test_sizes(run: Callable, corpus: Path, size: str) -> None:
    run("pairs", corpus, "-o", "out", "--max-record", size)


def test_small_max_record_rejects(run: Callable, corpus: Path) -> None:
    done = run("dedup", corpus, "-o", "out", "--max-record", "20", code=3)
    assert all(f"in.jsonl:{row}: " in done.stderr for row in (1, 2, 3))


def test_many_rejections_are_cut_and_counted(run: Callable, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{broken\n" * 150 + '{"id": "x", "text": "fine"}\n')
    done = run("dedup", "bad.jsonl", "-o", "out", "--text-field", "text", code=3)
    lines = done.stderr.splitlines()
    assert sum(line.split("/")[-1].startswith("bad.jsonl:") for line in lines) == 100
    assert "... and 50 more, listed in out/rejected.jsonl" in lines[-1]


def test_dedup_summary_for_people(run: Callable, corpus: Path) -> None:
    text = run("dedup", corpus, "-o", "out").stdout
    assert text.startswith("Kept 2 of 3 documents; 1 removed (33.3 %)")
    for words in ("1 exact, 0 near; 1 cluster", "recall", "design", "out/kept/", "out/report.html"):
        assert words in text, words


def test_dedup_summary_for_machines(run: Callable, corpus: Path) -> None:
    done = run("dedup", corpus, "-o", "out", "--json")
    assert done.json["records"]["kept"] == 2
    assert done.json["records"]["removed_exact"] == 1
    assert done.json["output"] == "out"
    assert done.stderr == ""


def test_quiet_says_nothing(run: Callable, corpus: Path) -> None:
    done = run("dedup", corpus, "-o", "out", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")


def test_exit_codes_of_pairs(run: Callable, corpus: Path) -> None:
    assert run("pairs", corpus, "-o", "out", "--json").json["pairs"] == 1
    corpus.write_text(corpus.read_text().splitlines(keepends=True)[0])
    assert run("pairs", corpus, "-o", "out", "--json", code=1).json["pairs"] == 0


def test_pairs_never_replaces_an_input(run: Callable, corpus: Path, tmp_path: Path) -> None:
    before = corpus.read_bytes()
    for arguments in ([corpus], ["*.jsonl"], [tmp_path]):
        done = run("pairs", *arguments, "-o", corpus, code=2)
        assert "the input" in done.stderr and "choose" in done.stderr
    assert corpus.read_bytes() == before


def test_pairs_leaves_foreign_places_alone(run: Callable, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial" / "mine").write_text("precious")
    assert "in the way" in run("pairs", corpus, "-o", "out", code=2).stderr
    assert (tmp_path / "out.partial" / "mine").read_text() == "precious"
    assert "shorter name" in run("pairs", corpus, "-o", "n" * 300, code=2).stderr
    assert "is a folder" in run("pairs", corpus, "-o", ".", code=2).stderr


def test_exit_codes_and_view_of_compare(run: Callable, tmp_path: Path) -> None:
    words = [f"word{n}" for n in range(30)]
    (tmp_path / "a.txt").write_text("Shared " + " ".join(words))
    (tmp_path / "b.txt").write_text(" ".join(words) + "\n\x1b[31mother end")
    text = run("compare", "a.txt", "b.txt").stdout
    assert "resemblance" in text and "passage 1 of 1" in text and "[word0 " in text
    assert "\x1b" not in text  # neither our colour nor the text's own escapes
    run("compare", "a.txt", "b.txt", "--threshold", "0.5")
    low = run("compare", "a.txt", "b.txt", "--threshold", "1", "--json", code=1).json
    assert low["resemblance"] == low["common"] / (low["size_a"] + low["size_b"] - low["common"])


def test_plan_prints_a_curve(run: Callable) -> None:
    report = run("plan", "--design", "bands:20x5", "--at", ".3,.5,.8", "--json").json
    assert [j for j, _ in report["acceptance"]] == [0.3, 0.5, 0.8]
    assert list(report)[:2] == ["design", "keys"]
    assert "bands:20x5: 20 keys" in run("plan", "--design", "bands:20x5").stdout


def test_plan_predicts_a_run(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "made.jsonl", "--documents", "400", "--seed", "3", "--truth", "truth.jsonl")
    run("pairs", "made.jsonl", "-o", "pairs.jsonl")
    found = len((tmp_path / "pairs.jsonl").read_text().splitlines())
    report = run("plan", "made.jsonl", "--json", "--html", "plan.html").json
    assert {"recall", "seconds", "memory_bytes", "disk_bytes", "pairs"} <= set(report)
    assert report["read_whole"] and report["documents"] == report["documents_read"] == 400
    assert 0.75 * found <= report["pairs"] <= 1.25 * found
    assert [search["design"] for search in report["searches"]].count("exact") == 1
    page = (tmp_path / "plan.html").read_text()
    assert "<polyline" in page and "<script" not in page and "src=" not in page
    given = run("plan", "made.jsonl", "--design", "bands:20x5", "--json", "--at", ".5").json
    assert given["design"] == "bands:20x5" and given["keys"] == 20
    assert given["searches"][0]["design"] == "bands:20x5"
    assert len(given["searches"]) == len(report["searches"]) + 1
    exact = run("plan", "made.jsonl", "--method", "exact", "--json").json
    assert exact["design"] == "exact" and exact["recall"] == 1


def test_plan_and_runs_choose_the_same(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "made.jsonl", "--documents", "300", "--seed", "4")
    for options in ([], ["--threshold", ".5"], ["--recall", ".999"], ["--design", "bands:20x5"]):
        planned = run("plan", "made.jsonl", "--json", *options).json["design"]
        for threads in ("1", "3"):
            run("dedup", "made.jsonl", "-o", "out", "--overwrite", "--threads", threads, *options)
            manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
            assert manifest["search"]["design"] == planned
        assert run("pairs", "made.jsonl", "-o", "p.jsonl", "--json", *options).json["design"] == planned


def test_a_run_says_what_it_expected(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "made.jsonl", "--documents", "1000", "--seed", "5", "--duplicates", ".5")
    run("dedup", "made.jsonl", "-o", "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    told = run("pairs", "made.jsonl", "-o", "pairs.jsonl", "--json").json
    predicted = manifest["predicted"]
    assert set(predicted) == {
        "pairs", "candidates", "recall", "cpu_seconds", "peak_memory_bytes", "peak_scratch_bytes"
    }  # fmt: skip
    assert 0.75 * told["pairs"] <= predicted["pairs"] * predicted["recall"] <= 1.25 * told["pairs"]
    assert 0 < manifest["cpu_seconds"] < 60 and 0 < predicted["cpu_seconds"] < 60
    assert predicted["pairs"] == told["predicted"]["pairs"]
    # A complete result tells it again.
    again = run("dedup", "made.jsonl", "-o", "out", "--resume", "--json").json
    assert again["was_complete"] and again["predicted"] == predicted


def test_plan_tells_both_sizes_of_packed_inputs(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "made.jsonl", "--documents", "200", "--seed", "6")
    plain = (tmp_path / "made.jsonl").read_bytes()
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(plain))
    assert "compressed" not in run("plan", "made.jsonl").stdout
    text = run("plan", "packed.jsonl.gz").stdout
    stored = (tmp_path / "packed.jsonl.gz").stat().st_size
    report = run("plan", "packed.jsonl.gz", "--json").json
    assert report["bytes"] == stored and abs(report["plain_bytes"] - len(plain)) <= 200
    unpacked = report["plain_bytes"]
    sizes = re.search(r"size +([0-9.]+) KB compressed, (?:about )?([0-9.]+) KB", text)
    assert sizes is not None, text
    assert abs(float(sizes[1]) * 1000 - stored) < 100
    assert abs(float(sizes[2]) * 1000 - unpacked) < 100


def test_plan_refuses_what_it_cannot_read(run: Callable, tmp_path: Path) -> None:
    assert "no such file" in run("plan", "x.jsonl", code=2).stderr
    (tmp_path / "numbers.jsonl").write_text('{"id": 1}\n')
    assert "--text-field" in run("plan", "numbers.jsonl", code=2).stderr
    (tmp_path / "good.jsonl").write_text('{"id": 1, "text": "one two three"}\n')
    said = run("plan", "good.jsonl", "--html", "nowhere/plan.html", code=2).stderr
    assert "nowhere/plan.html" in said and "--html" in said


def test_missing_input_is_one_line(run: Callable) -> None:
    failed = run("dedup", "nowhere.jsonl", "-o", "out", code=2)
    assert "nowhere.jsonl" in one_line(failed.stderr)


def test_full_standard_output_is_an_error(binary: Path) -> None:
    with open("/dev/full", "w") as full:
        failed = subprocess.run(
            [binary, "plan", "--design", "bands:20x5", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert failed.returncode == 2
    assert b"standard output" in failed.stderr


@pytest.mark.parametrize(
    "words", [["dedup", "in.jsonl"], ["pairs", "in.jsonl", "--json"], ["synth", "--documents", "5"]]
)
@pytest.mark.parametrize("redirection", [">/dev/full", ">&-", "| true", "<&- >&- 2>&-"])
def test_lost_summary_is_no_failure(
    binary: Path, corpus: Path, tmp_path: Path, words: list[str], redirection: str
) -> None:
    """The result is complete by then, and holds nothing that was meant for standard output."""
    program = f'"$@" {redirection}; echo ${{PIPESTATUS[0]}} >code'
    done = subprocess.run(
        ["bash", "-c", program, "bash", binary, *words, "-o", "out"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False,
    )
    assert (tmp_path / "code").read_text() == "0\n", done.stderr
    made = tmp_path / "out"
    for path in made.rglob("*") if made.is_dir() else [made]:
        assert not path.is_file() or b"Kept 2" not in path.read_bytes()
    if redirection in (">/dev/full", ">&-"):
        assert "standard output cannot be written: " in done.stderr
        assert "; the result is complete in out" in done.stderr


def test_closed_standard_streams_are_an_error_where_they_are_needed(
    binary: Path, tmp_path: Path
) -> None:
    for command, said in (
        ("plan --design bands:20x5 >&-", "standard output"),
        ("pairs - -o out --text-field text <&-", "stdin: cannot be read"),
    ):
        done = subprocess.run(
            ["bash", "-c", f'"$0" {command}', binary],
            cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False,
        )
        assert done.returncode == 2 and said in done.stderr


def test_progress_bar_is_on_a_terminal_only(binary: Path, corpus: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [str(binary), "dedup", str(corpus), "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs):
        os.close(theirs)
        shown = b""
        try:
            while select.select([ours], [], [], 60)[0]:
                part = os.read(ours, 4096)
                if not part:
                    break
                shown += part
        except OSError:  # how the end of a terminal is told
            pass
    os.close(ours)
    assert b"\r[" in shown and shown.endswith(b"\r\x1b[K")
    plain = subprocess.run([*command, "--overwrite"], cwd=tmp_path, capture_output=True, check=True)
    assert plain.stderr == b""
