"""The tutorial "From files to a guarded API in ten minutes", followed literally."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

TUTORIAL = Path(__file__).parents[2] / "docs" / "guarded-api.md"


def sections() -> list[list[str]]:
    """Returns the commands of each section, each with the lines that go on with it."""
    parts = re.split(r"^## ", TUTORIAL.read_text("utf-8"), flags=re.MULTILINE)[1:]
    blocks = [
        re.findall(r"^```console\n(.*?)^```", part, re.MULTILINE | re.DOTALL) for part in parts
    ]
    return [re.split(r"^\$ ", "".join(each), flags=re.MULTILINE)[1:] for each in blocks]


class Shell:
    """A terminal in an empty folder, with the command and the package at hand."""

    def __init__(self, binary: Path, folder: Path):
        self.folder = folder
        path = f"{binary.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.env = {**os.environ, "PATH": path}
        self.known = ""  # what sets variables, for the commands that follow

    def run(self, command: str) -> str:
        words = ["bash", "-ec", self.known + command]
        done = subprocess.run(words, cwd=self.folder, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, command + done.stderr
        if re.match(r"[A-Z]+=|umask", command):
            self.known += command
        return done.stdout

    def serve(self, command: str) -> tuple[subprocess.Popen[str], str]:
        words = ["bash", "-c", "exec " + command]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.env,
            stderr=subprocess.PIPE,
            text=True,
            stdout=subprocess.DEVNULL,
        )
        assert process.stderr is not None
        said = process.stderr.readline()
        assert "is served at" in said, said
        return process, said.rsplit(" ", 1)[1].strip()


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0


def test_the_tutorial_does_what_it_says(binary: Path, tmp_path: Path) -> None:
    make, once, look, index, tokens, serve, ask, python, copy = sections()
    shell = Shell(binary, tmp_path)
    for command in (*make, *once):
        shell.run(command)
    process, place = shell.serve(look[0])
    assert place == "http://127.0.0.1:8781"
    with urllib.request.urlopen(place, timeout=10) as page:
        assert b"explorer.js" in page.read()
    end(process)
    for command in (*index, *tokens):
        shell.run(command)
    process, place = shell.serve(serve[0])
    assert place == "http://127.0.0.1:8780"
    try:
        _, _, found, _, refused, added = [shell.run(command) for command in ask]
        assert '"resemblance":0.9' in found and '"id"' in found
        assert '"outcome":"similar"' in refused and added == '{"outcome":"added"}'
        outcomes = shell.run(python[0]).split("\n")
        assert outcomes[:3] == ["added", "similar", "added"] and outcomes[3].endswith(" documents")
        for command in copy:
            shell.run(command)
        assert (tmp_path / "backups" / "first").is_dir()
    finally:
        end(process)
