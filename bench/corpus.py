#!/usr/bin/env python3
"""Makes a corpus of real English text with planted near-duplicates.

    corpus.py OUT.jsonl [--size small|full] [--work FOLDER] [--packages FOLDER]

The text is the documentation in Debian packages, fetched by apt-get (or unpacked below --packages,
a folder each), stripped of markup and repeated lines, and cut into documents of log-normal length.
Of them 15 % get one to four copies with changed words or a changed passage (resemblance from .5 to
1, uniformly), 3 % an exact copy, and some are families that share a template. Copies stay within
20,000 documents of the original. The same packages give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

SIZES = {"small": 20_000, "full": 105_000}  # documents: about 97 and 510 MB
SEED = 20261120
BLOCK = 20_000
MOST_OF_ONE = 24 << 20  # bytes of text of one package
SMALL = """dict-gcide dict-foldoc dict-jargon debian-handbook debian-policy python3.11-doc
    postgresql-doc-15 git-doc perl-doc cppreference-doc-en-html""".split()
FULL = SMALL + """rust-doc libreoffice-help-en-us gnome-user-docs sqlite3-doc
    python-django-doc lilypond-doc-html qtbase5-doc-html fp-docs-3.2.2 imagemagick-6-doc dict-wn
    erlang-doc racket-doc dict-devil dict-vera dict-elements linux-doc-6.1 debian-reference-en
    developers-reference maint-guide harden-doc aptitude-doc-en llvm-14-doc libboost1.74-doc
    cargo-web-doc rust-web-doc openjdk-17-doc ghc-doc python-pandas-doc python-scipy-doc
    python-sympy-doc python-statsmodels-doc python-sklearn-doc db5.3-doc gnucash-docs dpdk-doc
    apache2-doc gimp-help-en bibledit-data vim-doc zsh-doc exim4-doc-html postfix-doc
    bind9-doc octave-doc maxima-doc twisted-doc derby-doc gnuplot-doc tcl8.6-doc
    fortunes fortunes-min doc-debian debian-faq installation-guide-amd64 shorewall-doc
    cmake-doc r-doc-html scala-doc axiom-doc gnome-devel-docs aspell-doc bash-doc
    ncurses-doc lazarus-doc-2.2 crawl-common smlnj-doc mate-user-guide""".split()

MARKUP = re.compile(r"\.(html?|xhtml|page|docbook)(\.en)?$")
PLAIN = re.compile(r"\.(txt|rst|pod|md|dict\.dz)$")
LEFT_OUT = re.compile(
    r"/(genindex|search\.html|changelog|src/)|-index|\.dat$"
    r"|/(?!en)[a-z]{2}([-_][A-Za-z]{2,4})?/(?!.*/en)"
)
DROPPED = re.compile(r"<(script|style|head|nav)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
LINE_END = re.compile(r"</?(p|br|div|li|h\d|tr|dd|dt|pre|table|t[dh])\b[^>]*>", re.IGNORECASE)
TAG = re.compile(r"<[^>]*>")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffd]")
NOT_PROSE = re.compile(r"[^\w ]|[\d_]")
TOKEN = re.compile(r"\w+\W*")


def fetch(packages: list[str], work: Path) -> Path:
    """Downloads and unpacks what is missing; the folder with a folder for each package."""
    debs, root = work / "debs", work / "packages"
    debs.mkdir(parents=True, exist_ok=True)
    root.mkdir(parents=True, exist_ok=True)
    missing = [name for name in packages if not (root / name).is_dir()]
    if missing:
        print(f"fetching {len(missing)} Debian packages", file=sys.stderr, flush=True)
        subprocess.run(["apt-get", "download", "-q", *missing], cwd=debs, check=True)
    for name in missing:
        [deb] = debs.glob(f"{name}_*.deb")
        subprocess.run(["dpkg-deb", "-x", deb, root / f"{name}.new"], check=True)
        (root / f"{name}.new").rename(root / name)
        deb.unlink()
    return root


def text_of(path: Path) -> str:
    """A file's text; empty where it is none that we take."""
    name = str(path).removesuffix(".gz")
    markup = MARKUP.search(name)
    if not (markup or PLAIN.search(name) or "/fortunes/" in name) or LEFT_OUT.search(name):
        return ""
    packed = path.suffix in (".gz", ".dz")
    content = gzip.decompress(path.read_bytes()) if packed else path.read_bytes()
    if len(content) < 400 or (not markup and b"\0" in content[:4096]):
        return ""
    text = content.decode("utf-8", "replace")
    if markup:
        text = TAG.sub("", LINE_END.sub("\n", DROPPED.sub("", text)))
        text = html.unescape(text)
    return CONTROL.sub(" ", text)


def lines_of_prose(text: str, often: set[str]) -> str:
    """Without indentation, tables, and lines that the package has on many pages."""
    kept: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if not line:
            if kept and kept[-1]:
                kept.append("")
        elif line not in often and len(NOT_PROSE.findall(line)) <= 0.4 * len(line):
            kept.append(line)
    return "\n".join(kept)


def package_text(folder: Path) -> str:
    """All text of one package, its files one after the other."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    texts = list(dict.fromkeys(filter(None, map(text_of, files))))
    count = Counter(line for text in texts for line in map(str.strip, text.split("\n")))
    often = {line for line, times in count.items() if times > 12 and len(line) > 3}
    parts, size = [], 0
    for text in texts:
        prose = lines_of_prose(text, often)
        if len(prose) >= 300 and size < MOST_OF_ONE:
            parts.append(prose)
            size += len(prose)
    return "\n".join(parts)


def cut(text: str, chance: random.Random) -> Iterator[str]:
    """Pieces of some 3,500 characters (log-normal), whole words."""
    begin = 0
    while begin < len(text):
        length = min(20000.0, max(300.0, math.exp(math.log(3500) + 0.8 * chance.gauss(0, 1))))
        end = text.find(" ", begin + int(length))
        end = len(text) if end < 0 else end
        if end - begin >= 300:
            yield text[begin:end]
        begin = end


class Planter:
    """Documents, with copies of some of them."""

    def __init__(self, originals: list[str], chance: random.Random) -> None:
        self.originals = iter(originals)
        self.chance = chance
        self.vocabulary = [
            word for text in originals[::7] for word in re.findall(r"\w{3,}", text[:2000])
        ][:60_000]

    def word(self) -> str:
        return self.chance.choice(self.vocabulary) + " "

    def changed(self, text: str, resemblance: float) -> str:
        """A changed word is in five shingles: J = (1 - x) / (1 + x), x = 1 - (1 - p)^5."""
        words = TOKEN.findall(text)
        lost = (1 - resemblance) / (1 + resemblance)
        if self.chance.random() < 0.25 and len(words) > 60:
            dropped = self.chance.random() < 0.5
            run = max(1, int(len(words) * (1 - resemblance if dropped else lost)))
            at = self.chance.randrange(len(words) - run)
            put = [] if dropped else [self.word() for _ in range(run)]
            return "".join(words[:at] + put + words[at + run :])
        each = 1 - (1 - lost) ** 0.2
        for i, word in enumerate(words):
            if self.chance.random() < each:
                words[i] = ("", word + " " + self.word(), self.word())[self.chance.randrange(3)]
        return "".join(words)

    def family(self, text: str) -> Iterator[str]:
        """Twenty documents with one half or more of this one around text of their own."""
        share = self.chance.uniform(0.5, 0.8)
        template = text[: int(len(text) * share)].split(" ")
        own = int(len(template) * (1 - share) / share) + 1
        at = self.chance.randrange(len(template))
        for _ in range(20):
            words = next(self.originals).split(" ")[:own]
            yield " ".join(template[:at] + words + template[at:])

    def with_copies(self) -> Iterator[str]:
        for text in self.originals:
            yield text
            drawn = self.chance.random()
            if drawn < 0.15:
                for _ in range(self.chance.randint(1, 4)):
                    yield self.changed(text, self.chance.uniform(0.5, 1))
            elif drawn < 0.18:
                yield text
            elif drawn < 0.1815:
                yield from self.family(text)


def documents(root: Path, packages: list[str], count: int) -> Iterator[str]:
    """Documents in their final order; fewer than `count` where the packages hold less text."""
    chance = random.Random(SEED)
    originals: list[str] = []
    names = sorted(packages)
    with ProcessPoolExecutor() as pool:
        for name, text in zip(names, pool.map(package_text, [root / name for name in names])):
            before = len(originals)
            originals += cut(text, chance)
            print(f"  {name}: {len(originals) - before} documents", file=sys.stderr, flush=True)
    chance.shuffle(originals)
    planted = Planter(originals, chance).with_copies()
    for begin in range(0, count, BLOCK):
        block = [text for text, _ in zip(planted, range(min(BLOCK, count - begin)))]
        chance.shuffle(block)
        yield from block


def make(target: Path, size: str, work: Path, root: Path | None = None) -> None:
    """Writes the corpus of that size; what is there already stays."""
    packages = SMALL if size == "small" else FULL
    root = root or fetch(packages, work)
    part = target.with_suffix(".part")
    with open(part, "w", encoding="utf-8") as file:
        for number, text in enumerate(documents(root, packages, SIZES[size])):
            file.write(json.dumps({"id": number, "text": text}, ensure_ascii=False) + "\n")
    part.rename(target)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", type=Path)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--work", type=Path, default=Path("build/bench"))
    parser.add_argument("--packages", type=Path, help="where they are unpacked already")
    arguments = parser.parse_args()
    make(arguments.target, arguments.size, arguments.work, arguments.packages)


if __name__ == "__main__":
    main()
