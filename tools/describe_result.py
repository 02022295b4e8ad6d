#!/usr/bin/env python3
"""Says in a few lines what a dedup run removed, and how right it was where a truth is known."""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path
from typing import Any


def describe_removals(folder: Path, shown: int) -> list[str]:
    """The first near-duplicates removed, each with its witness."""
    lines = []
    with open(folder / "removed.jsonl", encoding="utf-8") as file:
        near = (row for row in map(json.loads, file) if row["kind"] == "near")
        for row in islice(near, shown):
            lines.append(f"  {row['id']}  is {row['resemblance']:.3f} like  {row['duplicate_of']}")
    return lines


def describe_audit(audit: dict[str, Any], threshold: float) -> str:
    """The run's own measure of its recall."""
    if audit.get("estimate") is None:
        return "Recall, measured by the run itself: no true pair in the audit's sample."
    return (
        f"Recall at {threshold}, measured by the run itself: {audit['estimate']:.4f} "
        f"(from {audit['low']:.4f} to {audit['high']:.4f}; asked {audit['asked']}), "
        f"{audit['sampled_pairs']} pairs in the sample."
    )


def describe(folder: Path, evaluation: Path | None) -> list[str]:
    """All lines of the description."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    records, threshold = manifest["records"], manifest["options"].get("threshold", 0.8)
    removed = records["removed_exact"] + records["removed_near"]
    lines = [
        "",
        f"Read {records['in']} documents: kept {records['kept']}, removed {removed} "
        f"({records['removed_exact']} exact copies, {records['removed_near']} near-duplicates), "
        f"rejected {records['rejected']}.",
    ]
    examples = describe_removals(folder, 5)
    if examples:
        lines += ["Some that were removed, and the document that stays for each:", *examples]
    lines.append(describe_audit(manifest["recall"], threshold))
    if evaluation:
        score = json.loads(evaluation.read_text(encoding="utf-8"))
        lines.append(
            f"Against the exact truth at {threshold}: "
            f"precision {score['precision']:.4f}, recall {score['recall']:.4f}."
        )
    lines += ["", f"Kept rows:  {folder / 'kept'}/", f"The report: {(folder / 'report.html').resolve()}"]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder of `lookalike dedup`")
    parser.add_argument("--evaluation", type=Path, help="output of `lookalike eval --json`")
    arguments = parser.parse_args()
    print("\n".join(describe(arguments.folder, arguments.evaluation)))


if __name__ == "__main__":
    main()
