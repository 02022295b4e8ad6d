"""The committed fingerprints follow from the prose alone, and a changed one is noticed."""

from __future__ import annotations

import re
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "tests/data/fingerprint_v1.tsv"


def test_the_committed_vectors_follow_from_the_prose(tool):
    done = tool("check_fingerprint_vectors.py")
    assert done.returncode == 0, done.stderr
    assert int(re.match(r"(\d+) vectors, 0 wrong", done.stdout)[1]) >= 36


def test_one_changed_digit_is_found_in_every_column(tool, tmp_path):
    fields = next(line for line in VECTORS.read_text().splitlines() if "five six" in line).split("\t")
    assert len(fields) == 13
    lines = []
    for column in range(3, 13):
        last = "1" if fields[column][-1] == "0" else "0"
        changed = fields[column][:-1] + last
        lines.append("\t".join([*fields[:column], changed, *fields[column + 1 :]]))
    copy = tmp_path / "v.tsv"
    copy.write_text("\n".join(lines) + "\n")
    done = tool("check_fingerprint_vectors.py", copy)
    assert done.returncode == 1
    for column in range(3, 13):
        assert f"v.tsv:{column - 2}: columns [{column + 1}] differ" in done.stderr


def test_no_vectors_is_a_failure(tool, tmp_path):
    empty = tmp_path / "v.tsv"
    empty.write_text("# nothing\n")
    assert tool("check_fingerprint_vectors.py", empty).returncode == 1
