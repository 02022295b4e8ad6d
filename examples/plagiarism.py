"""Plagiarism: texts of which half or more is another's, in other order and with words exchanged.

Sources and own texts are real paragraphs (of Python Enhancement Proposals); who copied what is
made, so that it is known. Some paragraphs stand in several texts: there are not 10,000 x 8 of them.
"""

from __future__ import annotations

import random
import re

from shared import lookalike, pairs_in, paragraphs, parse_call, report, share, write_rows

PARAGRAPHS = 8


def altered(paragraph: str, rng: random.Random) -> str:
    """The sentences in another order, and one word in twenty-five exchanged."""
    sentences = re.split(r"(?<=[.!?]) ", paragraph)
    rng.shuffle(sentences)
    words = " ".join(sentences).split()
    return " ".join(f"other{rng.randrange(10**6)}" if rng.random() < 0.04 else w for w in words)


def essay(texts: list[str], source: list[str], copied: int, rng: random.Random) -> str:
    """Some paragraphs of a source, altered, among others that nobody else has in this order."""
    parts = [altered(paragraph, rng) for paragraph in rng.sample(source, copied)]
    parts += [altered(rng.choice(texts), rng) for _ in range(PARAGRAPHS - copied)]
    rng.shuffle(parts)
    return "\n".join(parts)


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = random.Random(5)
    texts = paragraphs()
    rng.shuffle(texts)
    half = len(texts) // 2
    sources = [texts[i : i + PARAGRAPHS] for i in range(0, half - PARAGRAPHS, PARAGRAPHS)]
    own = texts[half:]
    rows, planted = [], {}
    for number in range(call.items - len(sources)):
        copied = rng.choice((0, 0, 4, 5, 6, 7))
        source = rng.randrange(len(sources))
        rows.append({"id": f"essay{number}", "text": essay(own, sources[source], copied, rng)})
        if copied:
            planted[f"source{source}", f"essay{number}"] = copied
    library = write_rows(call.folder / "sources.jsonl", (
        {"id": f"source{n}", "text": "\n".join(source)} for n, source in enumerate(sources)
    ))  # fmt: skip
    essays = write_rows(call.folder / "essays.jsonl", rows)
    file = call.folder / "pairs.jsonl"
    lookalike("pairs", essays, "--against", library, "-o", file, "--preset", "plagiarism",
              "--threshold", "0.2", "--json", folder=call.folder)  # fmt: skip
    found = {tuple(sorted(pair, reverse=True)) for pair in pairs_in(file)}
    figures: dict[str, object] = {
        "sources": len(sources), "essays": len(rows), "essays_that_copied": len(planted),
    }  # fmt: skip
    for copied in (4, 5, 6, 7):
        cases = {pair for pair, count in planted.items() if count == copied}
        name = f"found_of_those_with_{copied}_of_{PARAGRAPHS}_copied"
        figures[name] = share(len(found & cases), len(cases))
    figures["share_right"] = share(len(found & planted.keys()), len(found))
    report(**figures)


if __name__ == "__main__":
    main()
