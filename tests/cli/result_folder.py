"""The folder that `lookalike dedup` writes, read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file; lines end in a newline and nothing else."""
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


class ResultFolder:
    """A finished result. Reads what is asked for, when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def removed(self) -> list[dict[str, Any]]:
        return read_lines(self.path / "removed.jsonl")

    @property
    def clusters(self) -> list[dict[str, Any]]:
        return read_lines(self.path / "clusters.jsonl")

    @property
    def rejected(self) -> list[dict[str, Any]]:
        return read_lines(self.path / "rejected.jsonl")

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.path / "manifest.json").read_text(encoding="utf-8"))

    @property
    def records(self) -> dict[str, int]:
        return self.manifest["records"]

    def kept_bytes(self, name: str) -> bytes:
        return (self.path / "kept" / name).read_bytes()

    def kept_ids(self, name: str) -> list[str]:
        """Ids of the rows kept of a JSON Lines input."""
        return [row["id"] for row in read_lines(self.path / "kept" / name)]

    def rejected_bytes(self, name: str) -> bytes:
        return (self.path / "rejected" / name).read_bytes()

    def check_nothing_lost(self, records_in: int) -> None:
        """in = kept + removed + rejected, and the files say the same as the counts."""
        counts = self.records
        assert counts["in"] == records_in, counts
        removed = counts["removed_exact"] + counts["removed_near"]
        assert counts["in"] == counts["kept"] + removed + counts["rejected"], counts
        assert len(self.removed) == removed
        assert len(self.rejected) == counts["rejected"]

    def digest(self) -> dict[str, bytes]:
        """Every file's bytes, without what may differ between two runs."""
        found = {
            str(path.relative_to(self.path)): path.read_bytes()
            for path in sorted(self.path.rglob("*"))
            if path.is_file()
        }
        manifest = json.loads(found["manifest.json"])
        for part in ("run", "timings", "profile", "cpu_seconds", "peak_memory_bytes"):
            del manifest[part]
        for part in ("cpu_seconds", "peak_memory_bytes", "peak_scratch_bytes"):
            del manifest["predicted"][part]
        found["manifest.json"] = json.dumps(manifest).encode()
        # When an input was changed last is no matter of what is in it.
        checks = [json.loads(line) for line in found["checks.jsonl"].splitlines()[:-1]]
        for check in checks:
            check.pop("mtime_ns", None)
        found["checks.jsonl"] = json.dumps(checks).encode()
        return found
