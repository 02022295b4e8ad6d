"""Source code: copies and versions of files among all Python files of this machine.

Real data: the standard library and every package that the project's setup installs, with what
packages carry along of others (vendored copies, stubs, generated files).
"""

from __future__ import annotations

from shared import lookalike, parse_call, python_files, read_rows, report, write_rows


def main() -> None:
    call = parse_call(__doc__ or "", 20_000)
    rows = []
    for name, text in python_files():
        rows.append({"id": name, "text": text})
        if len(rows) >= call.items:
            break
    files = write_rows(call.folder / "files.jsonl", rows)
    out = call.folder
    pairs = lookalike("pairs", files, "-o", out / "pairs.jsonl", "--preset", "code", "--shingle",
                      "code:5", "--yes", "--json", folder=out)  # fmt: skip
    result = lookalike("dedup", files, "-o", out / "clean", "--preset", "code", "--shingle",
                       "code:5", "--json", folder=out)  # fmt: skip
    removed = read_rows(out / "clean" / "removed.jsonl")
    elsewhere = [r for r in removed if r["id"].split("/")[1] != r["duplicate_of"].split("/")[1]]
    report(
        files=len(rows),
        pairs_of_0_7_or_more=pairs["pairs"],
        files_that_need_not_be_kept=len(removed),
        of_them_exact_copies=result["records"]["removed_exact"],
        of_them_copies_of_another_package=len(elsewhere),
        recall_measured=result["recall"]["estimate"],
    )
    for row in [r for r in elsewhere if r["kind"] == "near"][:5]:
        print(f"  {row['id']} is like {row['duplicate_of']} ({row['resemblance']:.3f})")


if __name__ == "__main__":
    main()
