"""Boilerplate: passages that stand in several documents that are otherwise different.

Licences, notices and borrowed explanations are no near-duplicates of anything, and training text
should have them once. `passages --action cut` keeps the first of each, and says where the words
that it took out still stand. The documents are real: the last version of each Python Enhancement
Proposal that this repository has.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from shared import last_versions, lookalike, parse_call, read_rows, report, share, write_rows

LEAST = 20  # words of a passage


def put_back(kept: str, cuts: Iterable[dict[str, Any]], text: str) -> str:
    """The text with the parts that were cut, each read from where the same words stay."""
    parts, end = [], 0
    for cut in cuts:
        size = cut["begin"] - end
        parts += [kept[:size], text[cut["begin"] : cut["end"]]]
        kept, end = kept[size:], cut["end"]
    return "".join([*parts, kept])


def words_of(text: str) -> list[str]:
    return "".join(c.lower() if c.isalnum() else " " for c in text).split()


def main() -> None:
    call = parse_call(__doc__ or "", 150)
    rows = last_versions()[: call.items]
    text = {row["id"]: row["text"] for row in rows}
    corpus = write_rows(call.folder / "peps.jsonl", rows)
    out = call.folder / "cut"
    found = lookalike("passages", corpus, "-o", out, "--min-words", LEAST, "--action", "cut",
                      "--json", folder=call.folder)  # fmt: skip
    passages = read_rows(out / "passages.jsonl")
    cuts = read_rows(out / "cuts.jsonl")
    kept = {row["id"]: row["text"] for row in read_rows(out / "kept" / "peps.jsonl")}
    by_document = {id: list(some) for id, some in itertools.groupby(cuts, lambda cut: cut["id"])}
    whole = sum(put_back(kept[id], by_document.get(id, ()), text[id]) == text[id] for id in kept)

    def words_at(place: dict[str, Any]) -> list[str]:
        return words_of(text[place["id"]][place["begin"] : place["end"]])

    same = sum(words_at(cut) == words_at(cut["same_as"]) for cut in cuts)
    often = max(passages, key=lambda passage: passage["places"])
    place = often["listed"][0]
    print("\nAt the most places stands:")
    print("  " + " ".join(text[place["id"]][place["begin"] : place["end"]].split()))
    report(
        documents=len(rows),
        passages=len(passages),
        places=sum(passage["places"] for passage in passages),
        places_of_the_most_frequent=often["places"],
        share_of_all_words=share(found["shared_words"], found["words"]),
        parts_that_were_cut=len(cuts),
        of_them_the_same_words_stay=share(same, len(cuts)),
        kept_text_and_cuts_are_the_document=share(whole, len(rows)),
    )


if __name__ == "__main__":
    main()
