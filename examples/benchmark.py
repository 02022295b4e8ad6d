"""Benchmarks: test questions that got into training text, under ten disturbances.

An item is a question, four choices and the answer. Its words are found wherever they stand, however
lines are broken, words are spaced or letters are written; `--normalize` with `punctuation` also
finds `sys.path` where it has become `syspath`. Texts and items are made of real
sentences of Python Enhancement Proposals, no sentence in two of them.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable

from shared import articles, lookalike, paragraphs, parse_call, read_rows, report, share, write_rows

PUNCTUATION = str.maketrans("", "", string.punctuation)


def disturbances(rng: random.Random) -> dict[str, Callable[[str], str]]:
    def wrapped(item: str) -> str:
        words, width = item.split(), rng.randint(3, 9)
        return "\n".join(" ".join(words[i : i + width]) for i in range(0, len(words), width))

    def one_word_replaced(item: str) -> str:
        words = item.split()
        words[rng.randrange(len(words))] = "something"
        return " ".join(words)

    return {
        "as_it_is": str,
        "wrapped": wrapped,
        "in_capitals": str.upper,
        "every_word_capitalised": str.title,
        "more_spaces": lambda item: "   ".join(item.split()),
        "a_word_on_each_line": lambda item: "\r\n".join(item.split()),
        "quoted": lambda item: "> " + item.replace("\n", "\n> "),
        "without_punctuation": lambda item: item.translate(PUNCTUATION),
        "choices_on_one_line": lambda item: item.replace("\n", " "),
        "one_word_replaced": one_word_replaced,
    }


def items_of(rng: random.Random, count: int, sentences: list[str]) -> list[str]:
    """Questions of real sentences, with choices that are the beginnings of other ones."""
    items = []
    for _ in range(count):
        question = " ".join(sentences.pop().split()[:40])
        choices = [" ".join(sentences.pop().split()[:6]) for _ in "ABCD"]
        lines = [f"({letter}) {choice}" for letter, choice in zip("ABCD", choices, strict=True)]
        items.append("\n".join([f"{question}?", *lines, f"Answer: {rng.choice('ABCD')}"]))
    return items


def main() -> None:
    call = parse_call(__doc__ or "", 400)
    rng = random.Random(6)
    sentences = paragraphs()
    rng.shuffle(sentences)
    items = items_of(rng, call.items, sentences[: 5 * call.items])
    if len(sentences) < 10 * call.items:
        raise SystemExit(f"there are sentences for {len(sentences) // 10} items at most")
    own = sentences[5 * call.items :]
    kinds = disturbances(rng)
    names = list(kinds)
    rows, kind_of = [], {}
    for number, article in enumerate(own[i : i + 4] for i in range(0, len(own) - 3, 4)):
        if number < call.items:
            kind = names[number % len(names)]
            kind_of[f"doc-{number}"] = kind
            article.insert(rng.randrange(5), kinds[kind](items[number]))
        rows.append({"id": f"doc-{number}", "text": "\n\n".join(article)})
    train = write_rows(call.folder / "train.jsonl", rows)
    bench = write_rows(
        call.folder / "bench.jsonl",
        [{"id": f"item-{number}", "text": item} for number, item in enumerate(items)],
    )
    out = call.folder / "clean"
    lookalike("decontaminate", train, "--against", bench, "-o", out, "--action", "drop",
              "--normalize", "nfkc,casefold,punctuation", "--json", folder=call.folder)  # fmt: skip
    found = {(row["id"], row["item"]) for row in read_rows(out / "found.jsonl")}
    planted = {id: f"item-{id.removeprefix('doc-')}" for id in kind_of}
    figures = {"documents": len(rows), "items": len(items), "planted": min(len(items), len(rows))}
    for kind in names:
        own_ids = [id for id, planted_kind in kind_of.items() if planted_kind == kind]
        figures[f"found_{kind}"] = share(sum((i, planted[i]) in found for i in own_ids), len(own_ids))
    figures["found_that_were_not_planted"] = len(found - set(planted.items()))
    kept = read_rows(out / "kept" / "train.jsonl")
    figures["kept_documents_with_an_item"] = sum(row["id"] in kind_of for row in kept)
    report(**figures)


if __name__ == "__main__":
    main()
