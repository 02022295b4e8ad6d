"""`passages` killed at any moment: there is a whole result, or none, and the next run makes it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from interrupted_run import files_below, working_folder

KILLS = 25


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of which half of the sentences stand elsewhere."""
    draw = random.Random(8)
    words = [f"w{i}" for i in range(3000)]
    pool = [" ".join(draw.choices(words, k=30)).capitalize() + ". " for _ in range(200)]
    path = tmp_path_factory.mktemp("texts") / "in.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(6000):
            own = " ".join(draw.choices(words, k=40)).capitalize() + ". "
            text = own + draw.choice(pool) + draw.choice(pool) + own[::-1]
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")
    return path


def content(folder: Path) -> dict[str, bytes]:
    """The files of a result; the manifest has times, so only its counts are looked at."""
    found = {name: (folder / name).read_bytes() for name in files_below(folder)}
    manifest = json.loads(found.pop("manifest.json"))
    return {**found, "cuts": str(manifest["cuts"]).encode()}


@pytest.mark.parametrize(
    "action",
    [
        ["cut"],
        pytest.param(["cut", "--keep", "longest"], marks=pytest.mark.slow),
        pytest.param(["annotate"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("stress", ["", "spill"])
def test_a_run_that_is_killed_leaves_no_half_result(
    binary: Path, texts: Path, tmp_path: Path, action: list[str], stress: str
) -> None:
    output = tmp_path / "out"
    command = [binary, "passages", texts, "-o", output, "--quiet", "--min-words", "20",
               "--action", *action]  # fmt: skip
    environment = {"LOOKALIKE_STRESS": stress} if stress else {}
    begin = time.monotonic()
    subprocess.run(command, check=True, env=environment)
    length = time.monotonic() - begin
    want = content(output)
    assert (int(want["cuts"]) > 1000) == (action[0] == "cut")
    shutil.rmtree(output)
    draw = random.Random(1)
    killed = 0
    for _ in range(KILLS):
        running = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(0, length))
        running.kill()
        killed += running.wait() != 0
        if output.exists():
            assert content(output) == want
            shutil.rmtree(output)
    assert killed > 0
    # What the killed runs left behind is in nobody's way, and goes.
    subprocess.run(command, check=True, env=environment)
    assert content(output) == want
    assert not working_folder(output).exists()
    assert files_below(tmp_path) == [f"out/{name}" for name in files_below(output)]
