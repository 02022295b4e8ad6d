"""The page of `lookalike passages`: it shows passages, and text as text."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from passage_texts import (
    Run,
    few_words,
    fresh,
    search,
)
from result_folder import read_lines

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""


class Page(HTMLParser):
    """The words of a page, what is marked in it, and all that points out of it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.marked: list[str] = []
        self.items: list[str] = []
        self.text = ""
        self._in: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._in.append(tag)
        if tag == "mark":
            self.marked.append("")
        if tag == "li":
            self.items.append("")
        for name, value in attrs:
            if name.startswith("on"):
                self.outside.append(f"{tag} {name}")
            if name in ("src", "href", "action", "srcset") and not (value or "").startswith(
                "data:"
            ):
                self.outside.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._in:
            return
        self.text += data
        if "mark" in self._in:
            self.marked[-1] += data
        if "li" in self._in:
            self.items[-1] += data


HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 2'>",
    "<!-- <style> ]]> &lt;b&gt; \u2028 \u202e \0 \r",
    "__LOOKALIKE_PASSAGES__ \"'`",
]


def test_the_report_shows_passages_and_nothing_else(run: Run, tmp_path: Path) -> None:
    draw = random.Random(3)
    rows = []
    for n, attack in enumerate(HOSTILE):
        shared = " ".join(fresh(15, draw)) + f" {attack} " + " ".join(fresh(5 + 9 * n, draw))
        for i in range(4 + n):
            own = [" ".join(fresh(30, draw)) for _ in range(2)]
            text = f"{own[0]} near{n}before {shared} near{n}after {own[1]}"
            if i == 0:
                text = text.replace(f" near{n}before", " first").replace(f"near{n}after ", "")
            rows.append({"id": f"{n}.{i} {attack}", "text": text})
    lines = (json.dumps(row) + "\n" for row in rows)
    (tmp_path / "<b>in.jsonl").write_text("".join(lines), encoding="utf-8")
    run("passages", "<b>in.jsonl", "-o", "out", "--min-words", "12", "--action", "cut",
        "--unit", "words")  # fmt: skip
    found = read_lines(tmp_path / "out/passages.jsonl")
    source = (tmp_path / "out/report.html").read_bytes().decode()
    page = Page(source)
    assert page.outside == []
    known = {"html", "head", "meta", "title", "link", "style", "body", "header", "p", "svg",
             "circle", "span", "main", "h1", "dl", "div", "dt", "dd", "article", "h2", "ul", "li",
             "bdi", "mark", "footer"}  # fmt: skip
    assert page.tags == known
    assert source.count("default-src 'none'") == 1 and "script-src" not in source
    # Each passage shows its first places, in its words and with what is around them.
    texts = {row["id"]: row["text"] for row in rows}
    shown = [place for one in found for place in one["listed"][:3]]
    plain = {id: text.replace("\0", "\ufffd") for id, text in texts.items()}
    assert len(page.marked) == len(shown)
    for marked, place in zip(page.marked, shown, strict=True):
        run_of_words = plain[place["id"]][place["begin"] : place["end"]]
        if len(run_of_words) <= 420:
            assert marked == run_of_words
        else:  # the middle of a long passage is left out
            head, tail = marked.split(" … ")
            assert run_of_words.startswith(head + " ") and run_of_words.endswith(" " + tail)
            assert 280 < len(head) <= 300 and 100 < len(tail) <= 120
    assert {" … " in marked for marked in page.marked} == {False, True}
    assert len(page.items) == len(shown)
    for item, place in zip(page.items, shown, strict=True):
        text = plain[place["id"]]
        assert place["id"].replace("\0", "\ufffd") in item and "<b>in.jsonl" in item
        assert text[max(place["begin"] - 30, 0) : place["begin"]] in item
        assert text[place["end"] : place["end"] + 30] in item
        assert text[: place["begin"] - 90] not in item
    cuts = [cut["passage"] for cut in read_lines(tmp_path / "out/cuts.jsonl")]
    heads = [f"{one['words']} words at {one['places']} places" for one in found]
    for one, head in zip(found, heads, strict=True):
        after = page.text.split(f"{one['passage']}. {head}", 1)[1]
        count = cuts.count(one["passage"])
        assert f"{count} cut{'s' * (count != 1)} begin here" in after.split("0.", 1)[0]


def test_the_report_opens_in_a_browser(run: Run, tmp_path: Path) -> None:
    if not CHROMIUM:
        pytest.skip("no chromium")
    texts = few_words(3, foreign=True)
    search(run, tmp_path, texts, 5)
    page = tmp_path / "out/report.html"
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"CONSOLE" not in done.stderr, "the page's policy refused a part of it"
    assert Page(done.stdout.decode()).marked == Page(page.read_bytes().decode()).marked
