"""Images by points of interest: a picture is a set of 3 x 3 neighbourhoods, each a point of nine
dimensions, and near points fall into the same cells (Manasse's "imprecise features").

The pictures are made (smooth random fields, as clouds are), because the pictures that a setup of
this project installs are icons, which are small and of one style. Copies are noisier, lighter or
cut at the edges.
"""

from __future__ import annotations

import itertools
import json

import numpy as np
from shared import lookalike, pairs_in, parse_call, report, share, write_rows

SIDE, POINTS, NOISE = 48, 60, 2.0
COPIES = ("noise", "lighter", "cut")


def picture(rng: np.random.Generator) -> np.ndarray:
    """Grey values from 0 to 255: a random field, smoothed, and stretched to the whole range."""
    field = rng.normal(size=(SIDE + 8, SIDE + 8))
    for _ in range(3):
        field = (field[:-1] + field[1:]) / 2
        field = (field[:, :-1] + field[:, 1:]) / 2
    field = field[:SIDE, :SIDE]
    low, high = field.min(), field.max()
    return (field - low) / (high - low) * 255


def copy_of(image: np.ndarray, how: str, rng: np.random.Generator) -> np.ndarray:
    if how == "noise":
        return image + rng.normal(scale=NOISE, size=image.shape)
    if how == "lighter":
        return np.minimum(image + 3, 255)
    return image[4:, :-4]


def points_of(image: np.ndarray) -> list[list[int]]:
    """The neighbourhoods of most contrast: nine grey values each, the strongest maxima first."""
    blocks = np.lib.stride_tricks.sliding_window_view(image, (3, 3))
    contrast = blocks.std(axis=(2, 3))
    inner = np.lib.stride_tricks.sliding_window_view(contrast, (3, 3))
    peaks = contrast[1:-1, 1:-1] >= inner.max(axis=(2, 3))
    rows, columns = np.nonzero(peaks)
    strongest = np.argsort(-contrast[rows + 1, columns + 1], kind="stable")[:POINTS]
    chosen = blocks[rows[strongest] + 1, columns[strongest] + 1].reshape(-1, 9)
    return np.rint(chosen).astype(int).tolist()


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = np.random.default_rng(4)
    rows, planted = [], {}
    for number in range(call.items // (1 + len(COPIES))):
        image = picture(rng)
        versions = {"original": image} | {how: copy_of(image, how, rng) for how in COPIES}
        ids = [f"{number}-{how}" for how in versions]
        texts = [json.dumps(points_of(version)) for version in versions.values()]
        rows += [{"id": each, "text": text} for each, text in zip(ids, texts)]
        planted |= {pair: pair[1].split("-")[1] for pair in itertools.combinations(ids, 2)}
    images = write_rows(call.folder / "images.jsonl", rows)
    file = call.folder / "pairs.jsonl"
    lookalike("pairs", images, "-o", file, "--preset", "pixels", "--json", folder=call.folder)
    found = pairs_in(file)
    figures: dict[str, object] = {"images": len(rows), "pairs_planted": len(planted)}
    for how in COPIES:
        cases = {(a, b) for (a, b), copy in planted.items() if copy == how and "original" in a}
        figures[f"{how}_found"] = share(len(found & cases), len(cases))
    figures["share_right"] = share(len(found & planted.keys()), len(found))
    report(**figures)


if __name__ == "__main__":
    main()
