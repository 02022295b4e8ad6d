"""The manual page and the completion scripts, in the shells that this machine has."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

COMMANDS = [
    "dedup", "pairs", "nearest", "compare", "filter", "sketch", "merge-sketches", "weights", "group", "crumbs",
    "synth", "plan", "eval", "families",
]
FORMS = ["--presets", "--markdown", "--commands", "--man", "--bash", "--zsh", "--fish"]


def flags_of(run: Callable, command: str) -> set[str]:
    """The long flags in a command's help."""
    return set(re.findall(r"^  (--[a-z-]+)", run(command, "--help", "all").stdout, re.MULTILINE))


@pytest.fixture
def script(run: Callable, tmp_path: Path) -> Callable[[str], Path]:
    """Writes what `lookalike options FORM` prints into a file."""

    def write(form: str) -> Path:
        path = tmp_path / f"lookalike{form}"
        path.write_text(run("options", form).stdout)
        return path

    return write


def output_of(*command: str | Path) -> str:
    """Standard output of a command that must succeed and say nothing else."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def shell(name: str) -> str:
    """The path of a shell; skips the test where there is none."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name} here")
    return path


@pytest.mark.parametrize("words", [[], ["--frobnicate"], ["--man", "--bash"]])
def test_other_forms_are_an_error(run: Callable, words: list[str]) -> None:
    assert "the options command takes exactly one of --presets" in run("options", *words, code=2).stderr


def test_manual_page_has_every_flag_and_command(run: Callable) -> None:
    page = run("options", "--man").stdout
    assert page.splitlines()[1].startswith(".TH LOOKALIKE 1 ")
    plain = page.replace("\\-", "-").replace("\\fR", "").replace("\\fI", "").replace("\\fB", "")
    for command in COMMANDS:
        assert f"\nlookalike {command} " in plain
        for flag in flags_of(run, command):
            assert re.search(rf"^\.TP\n{flag}\b(?!-)", plain, re.MULTILINE), flag
    for section in ("NAME", "SYNOPSIS", "OPTIONS", "PRESETS", "EXIT STATUS", "EXAMPLES"):
        assert f"\n.SH {section}\n" in page


def test_manual_page_is_plain_roff(run: Callable) -> None:
    """Only requests that are meant, only escapes that are known, and no bare dash."""
    for line in run("options", "--man").stdout.splitlines()[1:]:
        if line.startswith("."):
            assert re.fullmatch(r"\.(TH|SH|SS|TP|nf|fi)( .*)?", line), line
        assert not line.startswith("'")
        assert re.fullmatch(r"([^\\]|\\(-|e|&|fB|fI|fR))*", line), line
        assert "-" not in line.replace("\\-", ""), line


def test_manual_page_formats_without_a_warning(script: Callable) -> None:
    man = shell("man")
    done = subprocess.run(
        [man, "--warnings", "-E", "UTF-8", "-l", "-P", "cat", script("--man")],
        capture_output=True, text=True, check=False, timeout=60,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert "--threshold" in re.sub(".\b", "", done.stdout)


def complete_in_bash(script: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lookalike; '
        '(( ${#COMPREPLY[@]} == 0 )) || printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return output_of("bash", "--norc", "-uc", program, "bash", script, "lookalike", *words).split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["dedup", "--thr"], ["--threshold", "--threads"]),
        (["dedup", "in", "-o", "out", "--res"], ["--resume"]),
        (["pairs", "--res"], []),
        (["ded"], ["dedup"]),
        (["--v"], ["--version"]),
        (["help", "p"], ["pairs", "passages", "plan"]),
        (["options", ""], FORMS),
        (["dedup", "--method", ""], ["auto", "lsh", "exact", "shingle-merge"]),
        (["dedup", "--method", "=", "l"], ["lsh"]),
        (["dedup", "--method", "="], ["auto", "lsh", "exact", "shingle-merge"]),
        (["plan", "--preset", "c"], ["corpus", "code", "crumbs"]),
        (["dedup", "--seed", ""], []),
        (["dedup", "--scratch", ""], []),
        (["dedup", ""], []),
    ],
)
def test_bash_completes(script: Callable, words: list[str], offered: list[str]) -> None:
    assert sorted(complete_in_bash(script("--bash"), *words)) == sorted(offered)


@pytest.mark.parametrize("command", COMMANDS)
def test_bash_knows_every_flag(run: Callable, script: Callable, command: str) -> None:
    offered = set(complete_in_bash(script("--bash"), command, "--"))
    assert offered - {"--help"} == flags_of(run, command)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_scripts_parse(script: Callable, name: str) -> None:
    output_of(shell(name), "-n", script(f"--{name}"))


@pytest.mark.parametrize("command", COMMANDS)
def test_zsh_knows_every_flag(run: Callable, script: Callable, command: str) -> None:
    program = (
        "compdef() { }; _arguments() { print -rl -- $@ }; source $1; "
        "words=(lookalike $2 --thr); CURRENT=3; _lookalike"
    )
    specs = output_of(shell("zsh"), "-fc", program, "zsh", script("--zsh"), command)
    named = set(re.findall(r"^\*?(--[a-z-]+)=?\[", specs, re.MULTILINE))
    assert named - {"--help"} == flags_of(run, command)


@pytest.mark.parametrize("command", COMMANDS)
def test_fish_knows_every_flag(run: Callable, script: Callable, command: str) -> None:
    program = f"source $argv[1]; complete -C 'lookalike {command} --'"
    offered = output_of(shell("fish"), "--no-config", "-c", program, script("--fish"))
    names = {line.split("\t")[0].rstrip("=") for line in offered.splitlines()}
    assert names - {"--help"} == flags_of(run, command)


def test_fish_completes_values(script: Callable) -> None:
    program = "source $argv[1]; complete -C 'lookalike dedup --method '"
    offered = output_of(shell("fish"), "--no-config", "-c", program, script("--fish"))
    values = [line.split("\t")[0] for line in offered.splitlines()]
    assert sorted(values) == ["auto", "exact", "lsh", "shingle-merge"]
