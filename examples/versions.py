"""Versions: one text is edited for years, and the last version of each state is to stay.

`--keep field:date:desc` keeps the latest of near-duplicates. With `--differ numbers`, versions that
differ in a number (a date, a version, a limit) stay both, and are listed apart. The documents are
real: versions of Python Enhancement Proposals, in the public domain.
"""

from __future__ import annotations

import re
from collections import Counter

from shared import lookalike, parse_call, read_rows, report, share, versions, write_rows

NUMBER = re.compile(r"\d+(?:[.,']\d+)*")


def main() -> None:
    call = parse_call(__doc__ or "", 2_000)
    rows = versions()[: call.items]
    date = {row["id"]: row["date"] for row in rows}
    numbers = {row["id"]: Counter(NUMBER.findall(row["text"])) for row in rows}
    corpus = write_rows(call.folder / "versions.jsonl", rows)
    latest = ("--keep", "field:date:desc")
    lookalike("dedup", corpus, "-o", call.folder / "latest", *latest, "--json", folder=call.folder)
    removed = read_rows(call.folder / "latest" / "removed.jsonl")
    pairs = [(row["id"], row["duplicate_of"]) for row in removed]
    figures = {
        "versions": len(rows),
        "removed": len(removed),
        "for_one_of_the_same_day_or_later": share(
            sum(date[kept] >= date[gone] for gone, kept in pairs), len(pairs)
        ),
        "decided_by_the_date": sum(row["kept_by"] == "field:date:desc" for row in removed),
        "whose_numbers_differ": sum(numbers[a] != numbers[b] for a, b in pairs),
    }
    lookalike("dedup", corpus, "-o", call.folder / "guarded", *latest, "--differ", "numbers",
              "--json", folder=call.folder)  # fmt: skip
    removed = read_rows(call.folder / "guarded" / "removed.jsonl")
    pairs = [(row["id"], row["duplicate_of"]) for row in removed]
    guarded = read_rows(call.folder / "guarded" / "guarded.jsonl")
    figures |= {
        "removed_with_a_guard": len(removed),
        "whose_numbers_differ_with_a_guard": sum(numbers[a] != numbers[b] for a, b in pairs),
        "pairs_that_the_guard_kept_apart": len(guarded),
    }
    report(**figures)


if __name__ == "__main__":
    main()
