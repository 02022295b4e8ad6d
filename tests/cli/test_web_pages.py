"""Pages as files, as fields and in archives are the same documents, and nothing of them is lost."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from result_folder import ResultFolder

REAL = Path(os.environ.get("LOOKALIKE_WEB_PAGES", "no such file"))
NO_REAL = "NO REAL PAGES: set LOOKALIKE_WEB_PAGES to a .jsonl.zst with the fields id, html, text"


def made_pages() -> dict[str, str]:
    """Pages with a template, half of them edits of others, in odd but legal HTML."""
    chance = random.Random(3)
    words = [f"wörd{i}" for i in range(500)]
    pages: dict[str, str] = {}
    texts: list[list[str]] = []
    for i in range(80):
        if i % 2:
            text = list(chance.choice(texts))
            text[chance.randrange(len(text))] = "edited"
        else:
            text = chance.choices(words, k=60)
        texts.append(text)
        inner = " ".join(chance.choice(("{}", "<b>{}</b>", "<i class=x>{}</i>")).format(word)
                         for word in text)  # fmt: skip
        head = f"<script>var page = {i}; // {' '.join(chance.choices(words, k=40))}</script>"
        pages[f"p{i}"] = f"<!DOCTYPE html><title>T</title>{head}<p>{inner}<p hidden>{i}"
    return pages


def real_pages(count: int) -> dict[str, str]:
    pages = {}
    with zstandard.ZstdDecompressor().stream_reader(REAL.open("rb")) as stream:
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            row = json.loads(line)
            pages[row["id"]] = row["html"]
            if len(pages) == count:
                break
    return pages


def record(kind: str, uri: str, content_type: str, content: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def response(uri: str, page: str, form: int) -> bytes:
    """A page as servers send it, in one of several forms."""
    body, headers = page.encode(), "Content-Type: text/html; charset=utf-8\r\n"
    if form % 3 == 1:
        body, headers = gzip.compress(body, mtime=0), headers + "Content-Encoding: gzip\r\n"
    if form % 3 == 2:
        half = len(body) // 2
        parts = [body[:half], body[half:], b""]
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
        headers += "Transfer-Encoding: chunked\r\n"
    content = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body
    return record("response", uri, "application/http; msgtype=response", content)


def archive(pages: dict[str, str]) -> list[bytes]:
    records = [record("warcinfo", "", "application/warc-fields", b"software: a test\r\n")]
    for i, (name, page) in enumerate(pages.items()):
        records += [
            record("request", name, "application/http", b"GET / HTTP/1.1\r\n\r\n"),
            response(name, page, i),
        ]
    return records


@pytest.fixture(scope="module", params=["made", "real"])
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    if request.param == "made":
        return made_pages()
    if not REAL.is_file():
        pytest.skip(NO_REAL)
    return real_pages(600)


def removed_names(result: ResultFolder, name_of: Callable[[dict], str]) -> list[tuple]:
    return [
        (name_of(row), row["kind"], row["resemblance"]) for row in result.removed
    ]


def test_all_forms_are_the_same_documents(
    run: Callable, tmp_path: Path, pages: dict[str, str]
) -> None:
    (tmp_path / "pages").mkdir()
    for i, page in enumerate(pages.values()):
        (tmp_path / "pages" / f"{i:05}.html").write_text(page, encoding="utf-8", newline="")
    lines = [json.dumps({"id": name, "text": page}) + "\n" for name, page in pages.items()]
    (tmp_path / "in.jsonl").write_text("".join(lines), encoding="utf-8")
    records = archive(pages)
    (tmp_path / "in.warc").write_bytes(b"".join(records))
    (tmp_path / "in.warc.gz").write_bytes(b"".join(gzip.compress(part) for part in records))
    names = list(pages)
    run("dedup", "in.jsonl", "-o", "lines", "--pages", "visible", "--quiet")
    expected = removed_names(ResultFolder(tmp_path / "lines"), lambda row: row["id"])
    assert len(expected) >= 20
    run("dedup", "pages", "-o", "files", "--quiet")
    files = ResultFolder(tmp_path / "files")
    assert removed_names(files, lambda row: names[int(row["source"][:5])]) == expected
    for name in ("in.warc", "in.warc.gz"):
        run("dedup", name, "-o", f"out-{name}", "--quiet")
        result = ResultFolder(tmp_path / f"out-{name}")
        assert removed_names(result, lambda row: row["id"]) == expected
        gone = {row["row"] for row in result.removed}
        kept = [part for row, part in enumerate(records, 1) if row not in gone]
        bytes_kept = result.kept_bytes(name)
        if name.endswith(".gz"):
            assert bytes_kept.count(b"\x1f\x8b\x08") >= len(kept)
            bytes_kept = gzip.decompress(bytes_kept)
        assert bytes_kept == b"".join(kept)
        result.check_nothing_lost(len(pages))


@pytest.mark.skipif(not REAL.is_file(), reason=NO_REAL)
def test_visible_text_is_what_another_parser_finds(run: Callable, tmp_path: Path) -> None:
    """Pairs by `html` and by `text`, which another program extracted, are nearly the same."""
    found = {}
    for field, options in (("html", ["--pages", "visible"]), ("text", [])):
        run("pairs", str(REAL), "-o", f"{field}.jsonl", "--text-field", field, "--quiet",
            "--threshold", "0.7", *options)  # fmt: skip
        lines = (tmp_path / f"{field}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        found[field] = {(row["a"], row["b"]): row["resemblance"] for row in rows}
    sure = [pair for pair, resemblance in found["text"].items() if resemblance >= 0.85]
    assert len(sure) >= 1000
    missed = [pair for pair in sure if pair not in found["html"]]
    assert len(missed) <= 0.02 * len(sure), missed[:10]


def test_a_truncated_archive_fails_or_says_what_it_lost(run: Callable, tmp_path: Path) -> None:
    records = archive({name: page for name, page in list(made_pages().items())[:6]})
    whole = b"".join(records)
    for size in range(1, len(whole), 97):
        (tmp_path / "cut.warc").write_bytes(whole[:size])
        done = run("dedup", "cut.warc", "-o", "out", "--quiet", "--overwrite", code=None)
        if done.code == 2:
            assert "cut.warc: ends within the record at byte" in done.stderr, done.stderr
        else:
            result = ResultFolder(tmp_path / "out")
            kept = result.kept_bytes("cut.warc")
            gone = sum(len(records[row["row"] - 1]) for row in result.removed)
            rejected = tmp_path / "out" / "rejected" / "cut.warc"
            aside = rejected.stat().st_size if rejected.exists() else 0
            assert len(kept) + gone + aside == size, (size, done.stderr)


def test_deep_pages_take_no_time(run: Callable, tmp_path: Path) -> None:
    deep = "<div>" * 100_000 + "one two three four five" + "</div>" * 100_000
    (tmp_path / "a.html").write_text(deep)
    (tmp_path / "b.html").write_text("<p>one two three four five")
    begin = time.monotonic()
    assert run("compare", "a.html", "b.html", "--json").json["resemblance"] == 1
    assert time.monotonic() - begin < 20
