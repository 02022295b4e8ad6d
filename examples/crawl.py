"""A filter while crawling: was a document like this one here before? 48 bytes a document.

Real data: the Python files of this machine, one after the other, as a crawler would meet pages.
What the filter says is held against the exact answer of `pairs`.
"""

from __future__ import annotations

from shared import lookalike, parse_call, python_files, read_rows, report, share, write_rows


def main() -> None:
    call = parse_call(__doc__ or "", 20_000)
    out = call.folder
    rows = []
    for name, text in python_files():
        rows.append({"id": name, "text": text})
        if len(rows) >= call.items:
            break
    half = len(rows) // 2
    first = write_rows(out / "first.jsonl", rows[:half])
    second = write_rows(out / "second.jsonl", rows[half:])
    everything = write_rows(out / "all.jsonl", rows)
    # As a stream, in two runs that share a state, and at once: the answers are the same.
    answers = []
    for part in (first, second):
        text = lookalike("filter", "-", "--state", out / "seen.filter", "--quiet", stdin=part,
                         folder=out)  # fmt: skip
        answers += [line for line in str(text).splitlines() if line]
    summary = lookalike("filter", everything, "-o", out / "answers.jsonl", "--json", folder=out)
    at_once = read_rows(out / "answers.jsonl")
    lookalike("pairs", everything, "-o", out / "pairs.jsonl", "--threshold", "0.7", "--yes",
              "--json", folder=out)  # fmt: skip
    like: dict[str, list[tuple[float, str]]] = {}
    for row in read_rows(out / "pairs.jsonl"):
        like.setdefault(row["b"], []).append((row["resemblance"], row["a"]))
    seen = {row["id"]: row["like"] for row in at_once if row["decision"] == "seen"}
    new = {row["id"] for row in at_once if row["decision"] == "new"}
    alike = {b for b, others in like.items() if max(r for r, a in others if a in new or r) >= 0.95}
    exact = {b: dict((a, r) for r, a in others) for b, others in like.items()}
    of_seen = [exact.get(b, {}).get(a, 0.0) for b, a in seen.items()]
    report(
        documents=len(rows),
        bytes_a_document=summary["bytes_per_document"],
        bytes_of_state=(out / "seen.filter").stat().st_size,
        seen=len(seen),
        alike_to_an_earlier_one_at_0_95=len(alike),
        of_these_seen=share(len(alike & seen.keys()), len(alike)),
        of_the_seen_0_75_or_more=share(sum(r >= 0.75 for r in of_seen), len(of_seen)),
        of_the_seen_0_9_or_more=share(sum(r >= 0.9 for r in of_seen), len(of_seen)),
        two_runs_with_a_state_answer_the_same=len(answers) == len(at_once) and all(
            f'"decision": "{row["decision"]}"' in line for row, line in zip(at_once, answers)
        ),
    )  # fmt: skip


if __name__ == "__main__":
    main()
