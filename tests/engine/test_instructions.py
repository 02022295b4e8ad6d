"""A gate on the speed of `dedup` that no busy machine can trip: instructions, counted by callgrind.

One thread, AVX2 (what valgrind can run), 2 MB of made documents; what a run of one document takes
is subtracted, so that the start of the program does not count. The count moves by less than .2 %
from run to run, and by some per cent with the compiler and the libraries: the bound leaves 15 %.
When it fails, find what became slower with `callgrind_annotate`; when a change makes the program
faster by more than the bound leaves, lower MEASURED to the value that the test prints with -s.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

MEASURED = 162  # instructions a byte of input; the release build of GCC 12.2
BOUND = 1.15 * MEASURED
DOCUMENTS = 2000


@pytest.fixture
def count(binary: Path, tmp_path: Path) -> Callable[[Path], int]:
    """The instructions of one `dedup`."""
    if shutil.which("valgrind") is None:
        pytest.skip("NO INSTRUCTION GATE: valgrind is not installed; run `make setup`")
    if " avx2 " not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        pytest.skip("NO INSTRUCTION GATE: its bound is for AVX2, which this processor has not")
    if b"__asan_init" in binary.read_bytes() or b"__tsan_init" in binary.read_bytes():
        pytest.skip("NO INSTRUCTION GATE: a build with sanitizers is another program")

    def call(corpus: Path) -> int:
        output = tmp_path / f"{corpus.stem}.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             binary, "dedup", corpus, "-o", output, "--quiet", "--threads", "1"],
            env={**os.environ, "LOOKALIKE_ISA": "avx2"},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        assert (output / "manifest.json").exists()
        found = re.search(r"Collected : (\d+)", done.stderr)
        assert found, done.stderr[-3000:]
        return int(found[1])

    return call


def test_instructions_a_byte(
    skewed: Callable[[str, int], Path], count: Callable[[Path], int]
) -> None:
    corpus, one = skewed("mixed", DOCUMENTS), skewed("mixed", 1)
    each = (count(corpus) - count(one)) / (corpus.stat().st_size - one.stat().st_size)
    print(f"{each:.1f} instructions a byte, bound {BOUND:.1f}")
    assert each <= BOUND, f"{each:.1f} instructions a byte of input; the bound is {BOUND:.1f}"
    assert each >= 0.4 * MEASURED, f"{each:.1f}: is this the whole job? If so, lower MEASURED"
