"""News: the same article in other surroundings, by shingles that begin with a stop word.

Prose has stop words, menus and advertisements have hardly any (MMDS, section 3.2.4), so that
`stopword:2` looks at the article. The articles are real paragraphs (of Python Enhancement
Proposals, in the public domain); the papers' surroundings and cuts are made, as no collection of
news may be passed on.
"""

from __future__ import annotations

import itertools
import random

from shared import articles, lookalike, pairs_in, parse_call, report, share, write_rows

PAPERS = 10
NOUNS = (
    "Sudoku Weather Sports Stocks Oil Gold Cinema Traffic Lottery Recipes Horoscope Jobs Cars "
    "Houses Travel Offers Savings Sale Subscribe Newsletter Contact Imprint Login Archive Video"
).split()


def surroundings(rng: random.Random, words: int) -> str:
    """What stands around an article: headlines, prices, links. No word of it is a stop word."""
    return " ".join(
        rng.choice(NOUNS) if rng.random() < 0.6 else f"{rng.choice(NOUNS)[:3]}{rng.randrange(9999)}"
        for _ in range(words)
    )


def printed(article: list[str], rng: random.Random) -> str:
    """An article as a paper prints it: perhaps without its last paragraphs."""
    kept = article[: rng.choice((len(article), len(article), len(article) - 1))]
    return "\n".join([surroundings(rng, 120), *kept, surroundings(rng, 120)])


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = random.Random(3)
    rows, planted = [], set()
    for number, article in enumerate(articles(call.items // PAPERS, 4)):
        ids = [f"{number}@paper{paper}" for paper in range(PAPERS)]
        rows += [{"id": each, "text": printed(article, rng)} for each in ids]
        planted |= set(itertools.combinations(ids, 2))
    pages = write_rows(call.folder / "pages.jsonl", rows)
    figures = {"pages": len(rows), "articles": len(rows) // PAPERS, "pairs_planted": len(planted)}
    for shingle in ("word:5", "stopword:2"):
        file = call.folder / f"{shingle.replace(':', '')}.jsonl"
        lookalike("pairs", pages, "-o", file, "--shingle", shingle, "--threshold", "0.6",
                  "--json", folder=call.folder)  # fmt: skip
        found = pairs_in(file)
        name = shingle.replace(":", "_")
        figures[f"{name}_found"] = len(found)
        figures[f"{name}_share_of_planted"] = share(len(found & planted), len(planted))
        figures[f"{name}_share_right"] = share(len(found & planted), len(found))
    report(**figures)


if __name__ == "__main__":
    main()
