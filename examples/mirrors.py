"""Web pages and their mirrors: the same document on several hosts, in each host's own frame.

The documents are real (source files of the Python library, one a page). The hosts are made: the
project's setup installs no 10,000 pages of several hosts, so that each page gets a header, a menu,
links, a footer and a date of its host.
"""

from __future__ import annotations

import html
import itertools
import random

from shared import lookalike, pairs_in, parse_call, python_files, report, share, write_rows

HOSTS = ("docs.example.org", "mirror.example.net", "ftp.example.edu", "www.example.com")
WORDS = "news press shop jobs help about cart login forum search archive contact events".split()


def page_of(host: str, name: str, text: str, rng: random.Random) -> str:
    menu = "".join(
        f'<li><a href="http://{host}/{word}/">{word}</a></li>' for word in rng.sample(WORDS, 6)
    )
    date = f"{rng.randrange(1, 29)}.{rng.randrange(1, 13)}.{rng.randrange(1996, 2002)}"
    return (
        f"<html><head><title>{html.escape(name)} at {host}</title></head><body>"
        f"<header>{host}, fetched {date}</header><ul>{menu}</ul>"
        f"<pre>{html.escape(text)}</pre><footer>mirrored by {host} on {date}</footer></body></html>"
    )


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = random.Random(7)
    rows, planted = [], set()
    for name, text in python_files():
        if len(text) < 4000:  # a frame is a small part of a page
            continue
        hosts = rng.sample(HOSTS, rng.choice((1, 2, 3, 4)))
        ids = [f"http://{host}/{name}" for host in hosts]
        rows += [{"id": i, "text": page_of(h, name, text, rng)} for i, h in zip(ids, hosts)]
        planted |= set(itertools.combinations(ids, 2))
        if len(rows) >= call.items:
            break
    pages = write_rows(call.folder / "pages.jsonl", rows)
    out = call.folder
    lookalike("pairs", pages, "-o", out / "pairs.jsonl", "--pages", "visible", "--threshold", "0.9",
              "--json", folder=out)  # fmt: skip
    result = lookalike("dedup", pages, "-o", out / "clean", "--pages", "visible", "--preset",
                       "mirrors", "--threshold", "0.9", "--json", folder=out)  # fmt: skip
    found = pairs_in(out / "pairs.jsonl")
    names = {row["id"].split("/", 3)[3] for row in rows}
    report(
        pages=len(rows),
        different_documents=len(names),
        planted_pairs_of_mirrors=len(planted),
        of_them_at_0_9_or_more=share(len(planted & found), len(planted)),
        kept=result["records"]["kept"],
        removed=result["records"]["removed_exact"] + result["records"]["removed_near"],
        recall_measured=result["recall"]["estimate"],
    )


if __name__ == "__main__":
    main()
