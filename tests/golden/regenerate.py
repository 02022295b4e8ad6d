"""Writes what the command does today into the golden cases.

python tests/golden/regenerate.py [NAME...]    (all cases without a name); then read `git diff`
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from golden_case import CASES, parse, render, run_case

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    binary = Path(os.environ.get("LOOKALIKE_BINARY", ROOT / "build/release/bin/lookalike"))
    names = sys.argv[1:] or sorted(path.stem for path in CASES.glob("*.case"))
    changed = 0
    for name in names:
        path = CASES / f"{name}.case"
        before = path.read_text(encoding="utf-8")
        case = parse(before)
        with tempfile.TemporaryDirectory(prefix="lookalike-golden-") as folder:
            text = render(case, run_case(case, Path(folder), binary.resolve()))
        if text != before:
            path.write_text(text, encoding="utf-8")
            changed += 1
            print(f"changed {name}")
    print(f"{len(names)} cases, {changed} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
