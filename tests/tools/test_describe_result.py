"""describe_result.py says what the demo's reader wants to know."""

from __future__ import annotations

import json


def test_counts_examples_and_scores_are_named(tool, tree):
    manifest = {
        "records": {"in": 10, "kept": 7, "removed_exact": 1, "removed_near": 2, "rejected": 0},
        "options": {"threshold": 0.8},
        "recall": {"asked": 0.99, "estimate": 0.995, "low": 0.99, "high": 1.0, "sampled_pairs": 42, "met": True},
    }
    removed = [
        {"id": "copy", "kind": "exact", "duplicate_of": "x", "resemblance": 1.0},
        {"id": "b", "kind": "near", "duplicate_of": "a", "resemblance": 0.8125},
    ]
    root = tree({
        "out/manifest.json": json.dumps(manifest),
        "out/removed.jsonl": "".join(json.dumps(row) + "\n" for row in removed),
        "eval.json": '{"precision": 1, "recall": 0.998}',
    })
    text = tool("describe_result.py", root / "out", "--evaluation", root / "eval.json").stdout
    assert "Read 10 documents: kept 7, removed 3 (1 exact copies, 2 near-duplicates)" in text
    assert "b  is 0.812 like  a" in text and "copy" not in text
    assert "0.9950 (from 0.9900 to 1.0000; asked 0.99), 42 pairs" in text
    assert "precision 1.0000, recall 0.9980" in text
    assert str(root / "out" / "report.html") in text
