"""convert_truth.py keeps every pair, and refuses a table whose sizes do not add up."""

from __future__ import annotations

import gzip
import json

HEAD = "id_a\tid_b\tinter\tunion\tjaccard\tcont_ab\tcont_ba\n"


def test_pairs_have_exact_sizes(tool, tmp_path):
    table, out = tmp_path / "t.tsv.gz", tmp_path / "t.jsonl"
    table.write_bytes(gzip.compress((HEAD + "x\ty\t720\t812\t0.886700\t0.969044\t0.912548\n").encode()))
    assert tool("convert_truth.py", table, out).returncode == 0
    assert json.loads(out.read_text()) == {
        "a": "x", "b": "y", "resemblance": 720 / 812, "common": 720, "size_a": 743, "size_b": 789,
    }


def test_sizes_that_do_not_make_the_union_are_refused(tool, tmp_path):
    table = tmp_path / "t.tsv.gz"
    table.write_bytes(gzip.compress((HEAD + "x\ty\t720\t813\t0.8867\t0.969044\t0.912548\n").encode()))
    done = tool("convert_truth.py", table, tmp_path / "t.jsonl")
    assert done.returncode == 1
    assert "line 2: sizes 743 and 789 do not make union 813" in done.stderr
