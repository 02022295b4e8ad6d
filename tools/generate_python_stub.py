#!/usr/bin/env python3
"""Writes python/lookalike/_core.pyi: the types of the extension module, by nanobind's stubgen.

Usage: generate_python_stub.py [--check]    (with a Python that has lookalike and nanobind)
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile

from generated_file import write_or_check

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "python" / "lookalike" / "_core.pyi"
PATTERNS = ROOT / "python" / "bindings" / "stubs.pat"


def generated() -> str:
    """The stub of the module that is installed."""
    with tempfile.TemporaryDirectory() as folder:
        stub = pathlib.Path(folder) / "_core.pyi"
        subprocess.run(
            [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "lookalike._core",
             "-p", str(PATTERNS), "-o", str(stub)],
            check=True,
        )  # fmt: skip
        return stub.read_text(encoding="utf-8")


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 where the file differs")
    arguments = parser.parse_args()
    return write_or_check(TARGET, generated(), arguments.check, "what the module says")


if __name__ == "__main__":
    sys.exit(main())
