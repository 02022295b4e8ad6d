"""timed_step.sh keeps exit codes and a table of where the time went."""

from __future__ import annotations


def test_steps_are_timed_and_exit_as_their_commands(tool, tmp_path, monkeypatch):
    monkeypatch.setenv("LOOKALIKE_TIMINGS", str(tmp_path / "timings.tsv"))
    assert tool("timed_step.sh", "--reset").returncode == 0
    assert tool("timed_step.sh", "good", "true").returncode == 0
    assert tool("timed_step.sh", "bad", "sh", "-c", "exit 7").returncode == 7
    table = [line.split() for line in tool("timed_step.sh", "--table").stdout.splitlines()]
    assert [row[0] for row in table] == ["step", "good", "bad", "total"]
    assert [row[2] for row in table[1:3]] == ["0", "7"]


def test_a_step_without_a_command_is_refused(tool):
    assert tool("timed_step.sh").returncode == 2
