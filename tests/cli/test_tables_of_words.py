"""Tables that options name: what they hold decides, not what they are called."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

LINES = [
    {"id": "a", "text": "alpha one two three four five"},
    {"id": "b", "text": "alpha six seven eight nine ten"},
]


def run(binary: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [binary, *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def dedup(binary: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return run(binary, folder, "dedup", "in.jsonl", "-o", "out", "--shingle", "word:1", "--weights",
               "./w.tsv", "--threshold", "0.8", "--json", *more)  # fmt: skip


def test_a_result_of_another_table_is_not_taken_for_complete(binary: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (tmp_path / "w.tsv").write_text("alpha\t1\n")
    assert dedup(binary, tmp_path).returncode == 0
    assert json.loads(dedup(binary, tmp_path, "--resume").stdout)["was_complete"]
    (tmp_path / "w.tsv").write_text("alpha\t100\n")
    again = dedup(binary, tmp_path, "--resume")
    assert again.returncode == 2
    assert "made with other features" in again.stderr and "weights=xxh3-" in again.stderr
    fresh = json.loads(dedup(binary, tmp_path, "--overwrite").stdout)
    assert fresh["records"]["kept"] == 1


def test_samples_of_pages_are_of_what_is_seen(binary: Path, tmp_path: Path) -> None:
    words = "the quick brown fox jumps over the lazy dog"
    (tmp_path / "a.html").write_text(f"<p class=one>{words}</p>")
    (tmp_path / "b.html").write_text(f"<div><b>{words}</b><script>no word of this</script></div>")
    for sketch in ("bottom-k:64", "fracminhash:1", "fss:64"):
        made = run(binary, tmp_path, "sketch", "a.html", "b.html", "-o", "s.lkl", "--sketch", sketch,
                   "--quiet")  # fmt: skip
        assert made.returncode == 0, made.stderr
        shown = run(binary, tmp_path, "compare", "s.lkl#a.html:1", "s.lkl#b.html:1", "--json")
        assert json.loads(shown.stdout)["resemblance"] == 1, sketch
