"""Features and the kept set by their definitions, slowly: what the command's answers are held to.

Only for texts of lower-case ASCII words between single spaces, so that nothing of normalisation
is needed. A feature is the tuple of its words: no hash, no collision.
"""

from __future__ import annotations

import itertools

Features = frozenset[tuple[str, ...]]


def stream(text: str, width: int) -> list[tuple[str, ...]]:
    """The shingles of a text in order; fewer words than `width` are one shingle of all of them."""
    words = text.split()
    if not words:
        return []
    if len(words) < width:
        return [tuple(words)]
    return [tuple(words[i : i + width]) for i in range(len(words) - width + 1)]


def features(text: str, width: int) -> Features:
    return frozenset(stream(text, width))


def resemblance(a: Features, b: Features) -> float:
    union = len(a | b)
    return len(a & b) / union if union else 0.0


def edges(texts: list[str], width: int, threshold: float) -> dict[tuple[int, int], float]:
    """All pairs i < j of resemblance at or above the threshold."""
    sets = [features(text, width) for text in texts]
    found = {}
    for i, j in itertools.combinations(range(len(texts)), 2):
        value = resemblance(sets[i], sets[j])
        if sets[i] and value >= threshold:
            found[i, j] = value
    return found


def decide(texts: list[str], order: list[int], width: int, threshold: float) -> dict[int, int]:
    """Who is removed, and its witness, when documents are taken in this order.

    A document without words is always kept. Of a class of equal streams only the first in order is
    decided upon; the others are copies of it, or of its witness.
    """
    rank = {document: place for place, document in enumerate(order)}
    similar = edges(texts, width, threshold)
    first_of_stream: dict[tuple[tuple[str, ...], ...], int] = {}
    kept: set[int] = set()
    witness: dict[int, int] = {}
    for document in order:
        own = tuple(stream(texts[document], width))
        if not own:
            continue
        first = first_of_stream.setdefault(own, document)
        if first != document:
            witness[document] = witness.get(first, first)
            continue
        near = [k for k in kept if (min(k, document), max(k, document)) in similar]
        if near:
            witness[document] = min(near, key=rank.__getitem__)
        else:
            kept.add(document)
    return witness
