"""The statistics of every kind of sketch over all sizes, which takes minutes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = Path(os.environ.get("LOOKALIKE_CORE_TESTS", ROOT / "build/release/bin/core_tests"))


@pytest.mark.slow
def test_every_kind_of_sketch_over_the_full_grid():
    command = [TESTS, "--gtest_also_run_disabled_tests", "--gtest_filter=*FullGrid*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "[  PASSED  ] 0 tests" not in done.stdout
