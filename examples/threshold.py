"""Another threshold: one run, and then the results of other thresholds without a second one.

`rethreshold` follows the decisions again from the scores that the run left, and compares only pairs
that the run did not have to. The documents are real: versions of Python Enhancement Proposals.
With `--method exact`, which misses no pair, the kept texts are those of a new run, byte for byte.
"""

from __future__ import annotations

from shared import lookalike, parse_call, report, share, versions, write_rows


def main() -> None:
    call = parse_call(__doc__ or "", 2_000)
    corpus = write_rows(call.folder / "versions.jsonl", versions()[: call.items])
    run = call.folder / "at0.7"
    first = lookalike("dedup", corpus, "-o", run, "--threshold", "0.7", "--method", "exact",
                      "--json", folder=call.folder)  # fmt: skip
    figures = {"versions": first["records"]["in"], "kept_at_0_7": first["records"]["kept"]}
    equal = 0
    thresholds = ("0.8", "0.9", "0.95")
    for threshold in thresholds:
        again, anew = call.folder / f"again{threshold}", call.folder / f"anew{threshold}"
        made = lookalike("rethreshold", run, "-o", again, "--threshold", threshold, "--json",
                         folder=call.folder)  # fmt: skip
        lookalike("dedup", corpus, "-o", anew, "--threshold", threshold, "--method", "exact",
                  "--json", folder=call.folder)  # fmt: skip
        figures[f"kept_at_{threshold.replace('.', '_')}"] = made["records"]["kept"]
        equal += (again / "kept" / "versions.jsonl").read_bytes() == (
            anew / "kept" / "versions.jsonl"
        ).read_bytes()
    half = lookalike("rethreshold", run, "-o", call.folder / "half", "--target-size", "0.5",
                     "--json", folder=call.folder)  # fmt: skip
    figures |= {
        "results_with_the_kept_texts_of_a_new_run": equal,
        "kept_of_half_the_size": half["records"]["kept"],
        "share_of_the_bytes": share(half["bytes_kept"], half["bytes_in"]),
    }
    report(**figures)


if __name__ == "__main__":
    main()
