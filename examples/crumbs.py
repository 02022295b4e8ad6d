"""Session ids in URLs ("cookie crumbs"): each visit of a crawler sees the same pages under others.

The texts are real paragraphs (of Python Enhancement Proposals); sites and visits are made, so that
it is known where the sessions are, and where a parameter that looks like one is content.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable

from shared import articles, lookalike, parse_call, read_rows, report, write_rows

VISITS = 12  # each meets three quarters of the pages
Url = Callable[[int, str], str]
SITES: dict[str, tuple[str, Url]] = {
    "www.shop.example": ("?sid=*", lambda p, s: f"/item?id={p}&sid={s}"),
    "java.example": (";jsessionid=*", lambda p, s: f"/page{p}.jsp;jsessionid={s.upper()}"),
    "www.audio.example": ("/S-*/", lambda p, s: f"/S-{s[:11]}/products/{p}.html"),
    "net.example": ("/(S(*))/", lambda p, s: f"/app/(S({s[:24]}))/view{p}.aspx"),
    "both.example": ("?sid=* ?t=*", lambda p, s: f"/{p}?sid={s}&t={int(s[:6], 36)}"),
    "news.example": ("", lambda p, s: f"/archive?day={p // 20}&page={p % 20}"),  # all content
}


def page_of(article: list[str], host: str, session: str) -> str:
    """A page says a little about the visit: the links in it have the session, too."""
    return f"Welcome to {host}\n" + "\n".join(article) + f"\nYour session {session}"


def main() -> None:
    call = parse_call(__doc__ or "", 10_000)
    rng = random.Random(9)
    texts = articles(call.items, 3)
    pages = min(len(texts) // len(SITES), call.items // len(SITES) // VISITS * 4 // 3 + 2)
    rows = []
    for number, (host, (_, url)) in enumerate(SITES.items()):
        mine = texts[number * pages : (number + 1) * pages]
        for _ in range(VISITS):
            session = "".join(rng.choices(string.digits + string.ascii_lowercase, k=32))
            for page in rng.sample(range(pages), pages * 3 // 4):
                copied = host == "news.example" and page % 10 == 1  # of the page before
                rows.append({
                    "id": str(len(rows)), "url": f"http://{host}{url(page, session)}",
                    "text": page_of(mine[page - copied], host, session),
                })  # fmt: skip
    crawl = write_rows(call.folder / "crawl.jsonl", rows)
    rules = call.folder / "rules.jsonl"
    lookalike("crumbs", crawl, "-o", rules, "--preset", "crumbs", "--json", folder=call.folder)
    suggested = read_rows(rules)
    proposed = [row for row in suggested if row["proposed"]]
    expected = {(host, rule) for host, (rule, _) in SITES.items() if rule}
    found = {(row["host"], row["rule"]) for row in proposed}
    for row in proposed:
        print(f"  {row['host']:<20}{row['rule']:<18}support {row['support']:>6,}   "
              f"contents {row['contents']:>5,}   saves {row['fetches_saved']:>6,}")  # fmt: skip
    urls = len({row["url"] for row in rows})
    report(
        fetches=len(rows),
        different_urls=urls,
        different_pages=len({row["text"].split("\nYour")[0] for row in rows}),
        rules_planted=len(expected),
        rules_proposed=len(found),
        rules_right=len(found & expected),
        refused_that_would_merge_other_pages=sum(r["counter_examples"] > 0 for r in suggested),
        fetches_saved=sum(row["fetches_saved"] for row in proposed),
    )


if __name__ == "__main__":
    main()
