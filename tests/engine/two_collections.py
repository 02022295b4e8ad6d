"""What `--against` must do by its definition, slowly; on top of tests/cli/word_features.py."""

from __future__ import annotations

from dataclasses import dataclass

from word_features import features, resemblance, stream


@dataclass(frozen=True)
class Removal:
    """Why a new document goes. The witness is a reference document, or else a new one."""

    of_reference: bool
    witness: int
    kind: str
    resemblance: float


def kind_of(text: str, witness: str, width: int) -> str:
    if text == witness:
        return "identical"
    return "exact" if stream(text, width) == stream(witness, width) else "near"


def pairs_across(
    new: list[str], reference: list[str], width: int, threshold: float
) -> dict[tuple[int, int], tuple[float, int, int, int]]:
    """{(new, reference): (resemblance, common, size of new, size of reference)}"""
    sets = [features(text, width) for text in new]
    others = [features(text, width) for text in reference]
    found = {}
    for i, one in enumerate(sets):
        for j, other in enumerate(others):
            value = resemblance(one, other)
            if one and other and value >= threshold:
                found[i, j] = (value, len(one & other), len(one), len(other))
    return found


def decide_against(
    new: list[str], reference: list[str], order: list[int], width: int, threshold: float
) -> dict[int, Removal]:
    """Who of the new documents is removed, when they are taken in this order.

    The reference comes before all of them, in its own order, and stays whatever it holds. Of a
    class of equal streams the first stands for the others.
    """
    texts = reference + new
    ranked = list(range(len(reference))) + [len(reference) + i for i in order]
    sets = [features(text, width) for text in texts]
    first_of_stream: dict[tuple[tuple[str, ...], ...], int] = {}
    kept: list[int] = []
    witness: dict[int, int] = {}
    for document in ranked:
        own = tuple(stream(texts[document], width))
        if not own:
            continue
        first = first_of_stream.setdefault(own, document)
        if document < len(reference):
            if first == document:
                kept.append(document)
            continue
        if first != document:
            witness[document] = witness.get(first, first)
            continue
        near = [k for k in kept if resemblance(sets[k], sets[document]) >= threshold]
        if near:
            witness[document] = near[0]
        else:
            kept.append(document)
    return {
        document - len(reference): Removal(
            of_reference=other < len(reference),
            witness=other if other < len(reference) else other - len(reference),
            kind=kind_of(texts[document], texts[other], width),
            resemblance=resemblance(sets[document], sets[other]),
        )
        for document, other in witness.items()
    }
