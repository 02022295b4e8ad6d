"""The committed sketches follow from the prose alone, and a changed one is noticed."""

from __future__ import annotations

import re
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "tests/data/sketch_kinds_v1.tsv"


def test_the_committed_vectors_follow_from_the_prose(tool):
    done = tool("check_sketch_vectors.py")
    assert done.returncode == 0, done.stderr
    assert int(re.match(r"(\d+) vectors, 0 wrong", done.stdout)[1]) >= 200


def test_a_changed_value_of_every_kind_is_found(tool, tmp_path):
    lines = [line for line in VECTORS.read_text().splitlines() if "\twords:1:3\t" in line]
    changed = [line[:-1] + ("1" if line[-1] == "0" else "0") for line in lines]
    copy = tmp_path / "v.tsv"
    copy.write_text("\n".join(changed) + "\n")
    done = tool("check_sketch_vectors.py", copy)
    assert done.returncode == 1
    assert len(lines) == len(done.stderr.splitlines()) > 20


def test_no_vectors_is_a_failure(tool, tmp_path):
    empty = tmp_path / "v.tsv"
    empty.write_text("# nothing\n")
    assert tool("check_sketch_vectors.py", empty).returncode == 1
