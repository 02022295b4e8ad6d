"""Music by stretches of a tune: windows of intervals, near ones in the same cells.

A tune is what its intervals are, so that it may be sung higher. Each number is the step from one
note to the next in half tones; what two tunes share is found wherever it stands in each. The tunes
are made (random walks), as melodies that may be passed on do not come by the ten thousand; their
covers are sung higher, cut, played between other notes, and a little out of tune.
"""

from __future__ import annotations

import random

from shared import lookalike, pairs_in, parse_call, report, share, write_rows

NOTES = 120
COVERS = ("higher", "cut", "medley", "out of tune")


def tune(rng: random.Random, notes: int) -> list[float]:
    """Heights of notes, in half tones."""
    heights = [60.0]
    while len(heights) < notes:
        step = rng.choice((-7, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7))
        if 40 <= heights[-1] + step <= 80:
            heights.append(heights[-1] + step)
    return heights


def cover(heights: list[float], how: str, rng: random.Random) -> list[float]:
    if how == "higher":
        return [height + 5 for height in heights]
    if how == "cut":
        return heights[NOTES // 4 :]
    if how == "medley":
        return tune(rng, NOTES // 4) + heights[: NOTES * 3 // 4] + tune(rng, NOTES // 4)
    return [height + rng.uniform(-0.1, 0.1) for height in heights]


def intervals(heights: list[float]) -> str:
    return " ".join(f"{after - before:.2f}" for before, after in zip(heights, heights[1:]))


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = random.Random(6)
    rows, planted = [], {}
    for number in range(call.items // (1 + len(COVERS))):
        original = tune(rng, NOTES)
        rows.append({"id": f"tune{number}", "text": intervals(original)})
        for how in COVERS:
            name = f"tune{number}, {how}"
            rows.append({"id": name, "text": intervals(cover(original, how, rng))})
            planted[f"tune{number}", name] = how
    tunes = write_rows(call.folder / "tunes.jsonl", rows)
    file = call.folder / "pairs.jsonl"
    lookalike("pairs", tunes, "-o", file, "--shingle", "series:5,2,6", "--threshold", "0.25",
              "--json", folder=call.folder)  # fmt: skip
    found = pairs_in(file)
    figures: dict[str, object] = {"tunes": len(rows), "covers": len(planted)}
    for how in COVERS:
        cases = {pair for pair, each in planted.items() if each == how}
        figures[f"{how.replace(' ', '_')}_found"] = share(len(found & cases), len(cases))
    right = sum(a.split(",")[0] == b.split(",")[0] for a, b in found)
    figures["share_right"] = share(right, len(found))
    report(**figures)


if __name__ == "__main__":
    main()
