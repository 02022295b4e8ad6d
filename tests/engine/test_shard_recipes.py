"""examples/shards: each recipe runs the tasks of a job, with real processes, to the same result."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "examples" / "shards"
TASKS = 3

#: Runs the tasks of an array at once, as Slurm does on free nodes, and prints a number.
SBATCH = f"""#!{sys.executable}
import os, subprocess, sys
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
assert "--parsable" in sys.argv and "--requeue" in sys.argv
first, last = map(int, options["array"].split("-"))
done = os.environ["SUBMITTED"]
known = open(done).read().split() if os.path.exists(done) else []
if known:
    assert options["dependency"] == "afterok:" + known[-1], options
tasks = [
    subprocess.Popen(["sh", "-c", options["wrap"]],
                     env={{**os.environ, "SLURM_ARRAY_TASK_ID": str(i)}})
    for i in range(first, last + 1)
]
assert all(task.wait() == 0 for task in tasks)
number = str(len(known) + 1)
open(done, "a").write(number + "\\n")
print(number)
"""


@pytest.fixture
def job(
    tmp_path: Path, run: Callable[..., Any], write_jsonl: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch, binary: Path,
) -> Path:  # fmt: skip
    """A planned job of some copies, with the command on PATH."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "lookalike").symlink_to(binary)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    words = [f"word{i}" for i in range(60)]
    rows = [
        {"id": f"d{i}", "text": " ".join([*words[:40], *[f"own{i // 3}x{j}" for j in range(90)]])}
        for i in range(60)
    ]
    files = [write_jsonl(f"in/{n}.jsonl", rows[n * 20 : n * 20 + 20]) for n in range(3)]
    run("dedup", *map(str, files), "-o", str(tmp_path / "one"), "--quiet")
    plan = ["shard", "plan", *map(str, files), "-o", str(tmp_path / "all")]
    run(*plan, "--job", str(tmp_path / "job"))
    return tmp_path / "job"


def check_complete(job: Path) -> None:
    one, made = job.parent / "one", job.parent / "all"
    for name in ("removed.jsonl", "clusters.jsonl"):
        assert (made / name).read_bytes() == (one / name).read_bytes()
    assert len((made / "removed.jsonl").read_bytes().splitlines()) == 40
    manifest = json.loads((made / "manifest.json").read_text())
    assert manifest["records"] == json.loads((one / "manifest.json").read_text())["records"]


def write_tool(job: Path, name: str, text: str) -> Path:
    tool = job.parent / "bin" / name
    tool.write_text(text)
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    return tool


def test_slurm(job: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SBATCH", str(write_tool(job, "sbatch", SBATCH)))
    monkeypatch.setenv("SUBMITTED", str(job.parent / "submitted"))
    subprocess.run([RECIPES / "slurm.sh", job, str(TASKS)], check=True)
    check_complete(job)


def test_kubernetes(job: Path) -> None:
    yaml = pytest.importorskip("yaml")
    text = (RECIPES / "kubernetes.yaml").read_text()
    for stage in ("fingerprint", "survey", "count", "join", "sets", "verify", "decide", "write"):
        manifest = yaml.safe_load(text.replace("STAGE", stage))
        assert manifest["spec"]["completionMode"] == "Indexed"
        (container,) = manifest["spec"]["template"]["spec"]["containers"]
        script = container["args"][0].replace("/corpus/job", str(job))
        pods = [
            subprocess.Popen(
                [*container["command"], script],
                env={**os.environ, "JOB_COMPLETION_INDEX": str(i)},
            )
            for i in range(manifest["spec"]["completions"])
        ]
        assert [pod.wait() for pod in pods] == [0] * len(pods)
    check_complete(job)


def test_parallel(job: Path) -> None:
    subprocess.run([RECIPES / "parallel.sh", job, str(TASKS)], check=True)
    check_complete(job)


@pytest.fixture(scope="session")
def frameworks() -> Path:
    """A Python with Ray and datatrove, which are too large for the environment of all tests."""
    folder = ROOT / "build" / "recipes"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True)
        install = [python, "-m", "pip", "install", "--quiet", "ray[data]", "datatrove"]
        subprocess.run(install, check=True)
        (folder / "complete").touch()
    return python


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["on_ray.py", "on_datatrove.py"])
def test_frameworks(job: Path, frameworks: Path, recipe: str) -> None:
    done = subprocess.run(
        [frameworks, RECIPES / recipe, job, str(TASKS)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    check_complete(job)
