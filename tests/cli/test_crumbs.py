"""`lookalike crumbs`: planted session ids are found, and content is not taken for one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Url = Callable[[int, str], str]


def crawl(url: Url, pages: int = 12, visits: int = 6, seed: int = 1) -> list[dict[str, Any]]:
    """Every page in every visit, with a little that changes from visit to visit."""
    rng = random.Random(seed)
    texts = [" ".join(f"w{rng.randrange(9999)}" for _ in range(200)) for _ in range(pages)]
    rows = []
    for _ in range(visits):
        session = "".join(rng.choices("0123456789abcdef", k=16))
        rows += [
            {"url": url(page, session), "text": f"{text} visit {session}"}
            for page, text in enumerate(texts)
        ]
    return rows


@pytest.fixture
def rules_of(run, write_jsonl, tmp_path: Path):
    """The rules for pages, and the summary."""

    def find(rows: list[dict[str, Any]], *more: str) -> tuple[list[dict[str, Any]], Any]:
        file, out = write_jsonl("crawl.jsonl", rows), tmp_path / "rules.jsonl"
        summary = run("crumbs", file, "-o", out, "--json", *more).json
        return [json.loads(line) for line in out.read_text().splitlines()], summary

    return find


@pytest.mark.parametrize(
    ("rule", "where", "url"),
    [
        ("?sid=*", "query", lambda p, s: f"http://a.example/item?id={p}&sid={s}"),
        (";jsessionid=*", "path parameter", lambda p, s: f"http://a.example/{p};jsessionid={s}"),
        ("/S-*/", "segment", lambda p, s: f"http://www.crutchfield.com/S-{s}/{p}.html"),
        ("/sess-*/", "segment", lambda p, s: f"http://a.example/x/sess-{s}/{p}"),
        ("/(S(*))/", "segment", lambda p, s: f"http://a.example/(S({s}))/{p}.aspx"),
        ("/*/", "segment", lambda p, s: f"http://a.example/{s}/page/{p}"),
    ],
)
def test_planted_sessions_are_found(rules_of, rule: str, where: str, url: Url) -> None:
    rules, summary = rules_of(crawl(url))
    assert [(r["rule"], r["proposed"]) for r in rules] == [(rule, True)]
    assert rules[0]["positions"][0]["in"] == where
    assert rules[0]["support"] == 72 and rules[0]["contents"] == 12 and rules[0]["values"] == 6
    assert rules[0]["fetches_saved"] == summary["fetches_saved"] == 60
    assert summary["rules"] == 1 and summary["records"]["in"] == 72


def test_sessions_in_host_names(rules_of) -> None:
    rules, summary = rules_of(crawl(lambda p, s: f"http://s-{s}.shop.example/item/{p}"))
    assert [(r["host"], r["rule"], r["proposed"]) for r in rules] == [
        ("shop.example", "//s-*.", True)
    ]  # fmt: skip
    assert rules[0]["positions"] == [
        {"in": "host", "prefix": "s-", "suffix": "", "characters": "hex", "shortest": 16,
         "longest": 16}
    ]  # fmt: skip
    assert rules[0]["fetches_saved"] == summary["fetches_saved"] == 60


def test_two_names_of_one_host(rules_of) -> None:
    rows = crawl(lambda p, s: f"http://www.news.example/{p}", visits=1)
    rows += crawl(lambda p, s: f"http://news.example/{p}", visits=1)
    rules, summary = rules_of(rows)
    assert [(r["host"], r["rule"], r["proposed"]) for r in rules] == [
        ("news.example", "//www.news.example/", True)
    ]  # fmt: skip
    assert rules[0]["positions"] == [{"in": "alias", "name": "www.news.example"}]
    assert rules[0]["contents"] == summary["fetches_saved"] == 12
    # One page that differs speaks against it.
    rows[0]["text"] = "another page " * 30 + rows[0]["text"][:40]
    rules, summary = rules_of(rows)
    assert [r["counter_examples"] for r in rules] == [1] and summary["rules"] == 0


@pytest.mark.parametrize(("pages", "found"), [("auto", 0), ("off", 0), ("visible", 1)])
def test_html_that_is_compared_with_its_markup_is_told(
    run, write_jsonl, tmp_path, pages: str, found: int
) -> None:
    """A session in the links of a page makes its visits differ where markup counts."""
    rows = []
    for row in crawl(lambda p, s: f"http://a.example/{p}?sid={s}", visits=4):
        links = "".join(f'<a href="{row["url"]}&to={n}">{n}</a>' for n in range(40))
        text = f"\n<!DOCTYPE html><html><body>{links}<p>{row['text']}</p></body></html>"
        rows.append({"url": row["url"], "text": text})
    rows.append({"url": "http://a.example/plain", "text": "a text of its own"})
    file = write_jsonl("pages.jsonl", rows)
    done = run("crumbs", file, "-o", tmp_path / "rules.jsonl", "--pages", pages, "--json")
    assert done.json["rules"] == found
    assert done.json["markup"] == (0 if found else 48)
    assert ("48 texts are HTML" in done.stderr and "--pages visible" in done.stderr) == (not found)


def test_pages_of_other_content_are_no_crumbs(rules_of) -> None:
    """?page=2 has other content. A few copies make it a suggestion; the other pages refute it."""
    rows = crawl(lambda p, s: f"http://a.example/list/{p % 3}?page={p // 3}", visits=1)
    assert rules_of(rows)[0] == []
    for copy, original in ((3, 0), (4, 1)):
        rows[copy]["text"] = rows[original]["text"]
    rules, summary = rules_of(rows)
    assert [(r["rule"], r["proposed"]) for r in rules] == [("?page=*", False)]
    assert rules[0]["counter_examples"] == 7
    assert rules[0]["objection"] == "it would merge pages that are not alike"
    assert summary["rules"] == 0 and summary["left_out"] == 1 and summary["fetches_saved"] == 0


def test_a_session_beside_pages(rules_of) -> None:
    rules, _ = rules_of(crawl(lambda p, s: f"http://a.example/list?page={p}&sid={s}"))
    assert [(r["rule"], r["proposed"]) for r in rules] == [("?sid=*", True)]


def test_the_same_for_any_threads_and_memory(rules_of) -> None:
    rows = crawl(lambda p, s: f"http://a.example/{p}?t={s}&u={s[:4]}")
    rows += crawl(lambda p, s: f"http://b.example/S-{s}/{p}", seed=2)
    plain = rules_of(rows)[0]
    assert [r["rule"] for r in plain] == ["?t=* ?u=*", "/S-*/"]
    assert rules_of(rows, "--threads", "1", "--memory", "64M")[0] == plain


def test_pages_without_urls_are_counted(rules_of) -> None:
    rows = crawl(lambda p, s: f"http://a.example/{p}?sid={s}")
    rows += [{"url": None, "text": "a b"}, {"text": "c d"}, {"url": "", "text": "e f"}]
    rules, summary = rules_of(rows)
    assert [r["rule"] for r in rules] == ["?sid=*"]
    assert summary["without_url"] == 3


def test_bad_calls(run, write_jsonl, tmp_path: Path) -> None:
    file = write_jsonl("a.jsonl", [{"text": "a b c"}])
    failed = run("crumbs", file, "-o", tmp_path / "r.jsonl", code=2)
    assert "--url-field" in failed.stderr and not (tmp_path / "r.jsonl").exists()
    file = write_jsonl("b.jsonl", [{"text": "a b c", "at": {"url": "http://h/"}}])
    run("crumbs", file, "-o", tmp_path / "r.jsonl", "--url-field", "at.url", "--quiet")
    assert (tmp_path / "r.jsonl").read_text() == ""


def test_records_of_web_archives_have_their_own_urls(run, tmp_path: Path) -> None:
    with (tmp_path / "crawl.warc").open("wb") as archive:
        for row in crawl(lambda p, s: f"http://h.example/{p}?sid={s}", pages=3, visits=3):
            page = f"<html><body><p>{row['text']}</p></body></html>"
            response = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}"
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\n"
                "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n"
            ).format(row["url"], len(response))
            archive.write(f"{head}{response}\r\n\r\n".encode())
    run("crumbs", "crawl.warc", "-o", "rules.jsonl", "--quiet")
    rules = [json.loads(line) for line in (tmp_path / "rules.jsonl").read_text().splitlines()]
    assert [(r["host"], r["rule"], r["proposed"]) for r in rules] == [
        ("h.example", "?sid=*", True)
    ]  # fmt: skip
