"""report.html of real runs: whole, in agreement with the other files, and safe to open."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from result_folder import ResultFolder

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web" / "report"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
HOSTILE = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 2'>",
    "<!-- <script>",
    "]]> &lt;b&gt; \u2028 \u2029 \u202e desrever",
    "__LOOKALIKE_DATA__",
    "javascript:alert(1)//\"'`${window.hacked = 3}",
]
#: So many bytes of a text are looked at for its numbers.
LOOKED_AT = 64 * 1024
WORDS = (
    "a shared passage of some words that both of the documents have and that is long enough".split()
)


class Page(HTMLParser):
    """Scripts of the page, and everything that points out of it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.outside: list[str] = []
        self.policy = ""
        self._inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script":
            self.scripts.append((named, ""))
            self._inside = True
        if tag == "meta" and (named.get("http-equiv") or "").lower() == "content-security-policy":
            self.policy = named.get("content") or ""
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            value = named.get(name)
            if value and not value.startswith(("#", "data:")):
                self.outside.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._inside:
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)

    @property
    def data(self) -> dict[str, Any]:
        """What the run put into the page."""
        found = [text for attrs, text in self.scripts if attrs.get("type") == "application/json"]
        assert len(found) == 1
        return json.loads(found[0])


def hostile_rows() -> list[dict[str, str]]:
    rows = []
    for n, attack in enumerate(HOSTILE):
        body = [f"{word}{n}" for word in WORDS] * 2
        rows.append({"id": f"{n} {attack}", "text": " ".join(body) + f" kept {attack}"})
        rows.append({"id": f"{n}b {attack}", "text": " ".join(body) + f" removed {attack}"})
        rows.append({"id": f"{n}c", "text": rows[-2]["text"]})
    return rows


@pytest.fixture
def hostile(run: Callable, tmp_path: Path) -> ResultFolder:
    """A run in which every name, id, text and option tries to break out."""
    field = "text</script><b>"
    folder = tmp_path / "<i>in"
    folder.mkdir()
    rows = [{"id": row["id"], field: row["text"]} for row in hostile_rows()]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "<script>alert(1)<.jsonl").write_text(lines + "{broken <b>\n", encoding="utf-8")
    run(
        "dedup", folder, "-o", "out", "--quiet", "--text-field", field, "--threshold", "0.5", code=3
    )
    return ResultFolder(tmp_path / "out")


def page_of(result: ResultFolder) -> Page:
    return Page((result.path / "report.html").read_text(encoding="utf-8"))


def check_agrees(result: ResultFolder) -> None:
    """The page's numbers are those of the other files."""
    data, manifest, clusters = page_of(result).data, result.manifest, result.clusters
    for name, count in manifest["records"].items():
        assert data["records"][name] == count, name
    assert data["records"]["null_text"] == manifest["notes"]["null_text"]
    assert data["statistics"]["clusters"] == len(clusters)
    assert data["statistics"]["in_clusters"] == sum(c["size"] for c in clusters)
    assert data["statistics"]["largest"] == max((c["size"] for c in clusters), default=0)
    assert sum(size * count for size, count in data["cluster_sizes"]) == sum(
        c["size"] for c in clusters
    )
    near = [row for row in result.removed if row["kind"] == "near"]
    assert sum(data["resemblance_histogram"]["counts"]) == len(near)
    assert [c["size"] for c in data["clusters"]] == [c["size"] for c in clusters[:100]]
    assert all(c["kept"]["id"] in clusters[n]["kept"] for n, c in enumerate(data["clusters"]))
    scores = {row["id"]: row["resemblance"] for row in result.removed}
    for cluster in data["clusters"]:
        assert cluster["left_out"] == cluster["size"] - 1 - len(cluster["members"])
        assert all(member["resemblance"] == scores[member["id"]] for member in cluster["members"])
    inputs = {i["name"]: i for i in data["inputs"]}
    for row in manifest["inputs"]:
        assert inputs[row["name"]]["records"] == row["documents"] + row["rejected"]
    for part in ("asked", "estimate", "low", "high", "sampled_pairs", "met"):
        assert data["recall"][part] == manifest["recall"][part], part


def test_it_is_filled_and_agrees_with_the_files(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "in.jsonl", "--documents", "1500", "--seed", "2", "--quiet")
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    result = ResultFolder(tmp_path / "out")
    assert len(result.clusters) > 100
    assert "__LOOKALIKE_DATA__" not in (result.path / "report.html").read_text(encoding="utf-8")
    check_agrees(result)


def numbered(name: str, count: int) -> list[str]:
    return [f"{name}{i}" for i in range(count)]


@pytest.fixture
def contained(run: Callable, write_jsonl: Callable, tmp_path: Path) -> ResultFolder:
    """A page that has an item deep inside, a chapter of a book of the reference, and a copy."""
    item, chapter = numbered("item", 60), numbered("chapter", 80)
    rows = {
        "train": {
            "page": numbered("before", 3000) + item + numbered("behind", 3000),
            "chapter": chapter,
            "copy": numbered("copy", 50),
            "other": numbered("other", 50),
        },
        "test": {
            "item": item[:-1] + ["changed"],
            "book": numbered("ä", 4000) + chapter + numbered("end", 2000),
            "copy": numbered("copy", 50),
        },
    }
    for name, texts in rows.items():
        lines = [{"id": id, "text": " ".join(text)} for id, text in texts.items()]
        write_jsonl(f"{name}.jsonl", lines)
    run("dedup", "train.jsonl", "--against", "test.jsonl", "-o", "out", "--quiet",
        "--measure", "containment")  # fmt: skip
    return ResultFolder(tmp_path / "out")


def test_with_containment_it_has_what_decided(contained: ResultFolder) -> None:
    data = page_of(contained).data
    assert data["measure"] == "containment"
    assert data["method"] == "lsh"
    assert "resemblance_histogram" not in data
    assert "acceptance" not in data
    removed = {row["id"]: row for row in contained.removed}
    assert len(removed) == 3
    members = [member for cluster in data["clusters"] for member in cluster["members"]]
    assert {member["id"] for member in members} == set(removed)
    for member in members:
        for name in ("containment_ab", "containment_ba", "resemblance"):
            assert member[name] == removed[member["id"]][name], name
    histogram = data["containment_histogram"]
    expected = [0] * len(histogram["counts"])
    for row in removed.values():
        value = max(row["containment_ab"], row["containment_ba"])
        at = int((value - histogram["from"]) / histogram["width"] + 1e-9)
        expected[min(at, len(expected) - 1)] += row["kind"] == "near"
    assert histogram["counts"] == expected
    assert sum(expected) == 2


def test_with_containment_it_shows_what_is_shared_wherever_it_stands(
    contained: ResultFolder, tmp_path: Path
) -> None:
    texts = {
        (name, row["id"]): row["text"]
        for name in ("train", "test")
        for row in map(json.loads, (tmp_path / f"{name}.jsonl").open(encoding="utf-8"))
    }
    shown = {}
    for cluster in page_of(contained).data["clusters"]:
        for member in (m for m in cluster["members"] if m["kind"] == "near"):
            sides = (
                (texts["test", cluster["kept"]["id"]], "kept_"),
                (texts["train", member["id"]], ""),
            )
            for text, side in sides:
                segments = member[f"{side}segments"]
                part = "".join(text for text, _ in segments)
                begin = member[f"{side}before"]
                assert text[begin : begin + len(part)] == part
                assert member[f"{side}truncated"] == (begin + len(part) < len(text))
                shown[member["id"], side] = "".join(text for text, is_in in segments if is_in)
    assert shown["page", ""] == shown["page", "kept_"] == " ".join(numbered("item", 59))
    assert shown["chapter", ""] == shown["chapter", "kept_"] == " ".join(numbered("chapter", 80))


def test_without_containment_it_says_nothing_of_it(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "in.jsonl", "--documents", "200", "--seed", "4", "--quiet")
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    data = page_of(ResultFolder(tmp_path / "out")).data
    assert "measure" not in data
    assert "containment_histogram" not in data
    names = {name for cluster in data["clusters"] for m in cluster["members"] for name in m}
    assert names == {
        "id", "source", "row", "kind", "resemblance", "truncated", "kept_truncated", "before",
        "kept_before", "kept_segments", "segments", "anchors",
    }  # fmt: skip


def check_anchors(member: dict[str, Any]) -> None:
    """Passages that stand side by side are shared ones, in order, of the same words."""
    last = (-1, -1)
    for kept, gone in member["anchors"]:
        assert kept > last[0] and gone > last[1]
        last = (kept, gone)
        (kept_text, kept_shared), (text, shared) = (
            member["kept_segments"][kept], member["segments"][gone],
        )  # fmt: skip
        assert kept_shared and shared
        assert set(kept_text.lower().split()) & set(text.lower().split())


def test_long_texts_stand_side_by_side_at_what_they_share(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """The removed one has a preface longer than what the page shows of a text."""
    body, preface = numbered("body", 6000), numbered("preface", 1400)
    texts = {"kept": body, "removed": preface + body[:3000] + ["changed"] + body[3001:]}
    write_jsonl("in.jsonl", [{"id": id, "text": " ".join(text)} for id, text in texts.items()])
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    (cluster,) = page_of(ResultFolder(tmp_path / "out")).data["clusters"]
    (member,) = cluster["members"]
    whole = " ".join(texts["removed"])
    shown = "".join(text for text, _ in member["segments"])
    assert whole[member["before"] :].startswith(shown) and member["before"] > 8000
    assert member["truncated"] and member["kept_truncated"] and member["kept_before"] == 0
    shared = ["".join(t for t, is_shared in member[side] if is_shared)
              for side in ("kept_segments", "segments")]  # fmt: skip
    assert all("body0 body1 body2" in text and len(text) > 4000 for text in shared)
    assert member["anchors"]
    check_anchors(member)


def test_the_removals_nearest_to_the_threshold_are_shown(run: Callable, tmp_path: Path) -> None:
    run("synth", "-o", "in.jsonl", "--documents", "1500", "--seed", "2", "--quiet")
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--threshold", "0.6")
    result = ResultFolder(tmp_path / "out")
    near = sorted(
        (row["resemblance"], row["row"], row["id"], row["duplicate_of"])
        for row in result.removed
        if row["kind"] == "near"
    )
    assert len(near) > 20
    shown = page_of(result).data["narrowest"]
    assert [
        (r["member"]["resemblance"], r["member"]["row"], r["member"]["id"], r["kept"]["id"])
        for r in shown
    ] == near[:20]
    assert all(r["member"]["segments"] and r["member"]["kept_segments"] for r in shown)


def invoices(count: int, long: int) -> list[dict[str, str]]:
    """Pairs of invoices: of three, the second has another total, another word, and both."""
    draw = random.Random(4)
    rows = []
    for number in range(count):
        words = [draw.choice(WORDS) + draw.choice("xyz") for _ in range(60 if number else long)]
        total, word = number % 3 != 1, number % 3 != 0
        rows += [
            {"id": f"a{number}", "text": " ".join(["Total", "1,200", *words, "in", "May"])},
            {
                "id": f"b{number}",
                "text": " ".join(
                    ["total ", "7" if total else "1,200", *words, "in", "June" if word else "May"]
                ),
            },
        ]
    return rows


def test_it_says_how_many_differ_only_in_numbers(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    source = write_jsonl("in.jsonl", invoices(count=60, long=60))
    run("dedup", source, "-o", "out", "--threshold", "0.6", "--quiet")
    data = page_of(ResultFolder(tmp_path / "out")).data
    assert data["records"]["removed_near"] == 60
    assert data["number_changes"] == {"drawn": 60, "read": 60, "only_numbers": 20}
    run("dedup", source, "-o", "two", "--threshold", "0.6", "--quiet", "--threads", "2")
    assert page_of(ResultFolder(tmp_path / "two")).data["number_changes"] == data["number_changes"]
    run("dedup", source, "-o", "kept", "--threshold", "0.6", "--quiet", "--differ", "numbers")
    assert "number_changes" not in page_of(ResultFolder(tmp_path / "kept")).data


def test_of_many_a_hundred_are_drawn_and_long_texts_are_left_out(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    source = write_jsonl("in.jsonl", invoices(count=600, long=60))
    run("dedup", source, "-o", "out", "--threshold", "0.6", "--quiet")
    changes = page_of(ResultFolder(tmp_path / "out")).data["number_changes"]
    assert (changes["drawn"], changes["read"]) == (100, 100)
    assert 15 < changes["only_numbers"] < 55  # 33 are expected
    source = write_jsonl("long.jsonl", invoices(count=6, long=12_000))
    run("dedup", source, "-o", "long", "--threshold", "0.6", "--quiet")
    data = page_of(ResultFolder(tmp_path / "long")).data
    assert data["number_changes"] == {"drawn": 6, "read": 5, "only_numbers": 1}


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [(LOOKED_AT, LOOKED_AT, 2), (LOOKED_AT, LOOKED_AT + 1, 1), (LOOKED_AT + 1, LOOKED_AT, 1)],
)
def test_a_pair_is_left_out_if_one_of_its_texts_is_too_long(
    run: Callable, write_jsonl: Callable, tmp_path: Path, first: int, second: int, read: int
) -> None:
    """Texts that differ in one number at the front; more of them than that was not looked at."""
    words = " ".join(f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{i}x" for i in range(9000))

    def text(number: int, size: int) -> str:
        return f"Total {number} {words}"[:size]

    rows = [
        {"id": "a", "text": text(7, first)},
        {"id": "b", "text": text(8, second)},
        {"id": "c", "text": text(7, 900)},
        {"id": "d", "text": text(8, 900)},
    ]
    source = write_jsonl("in.jsonl", rows)
    run("dedup", source, "-o", "out", "--threshold", "0.6", "--quiet")
    data = page_of(ResultFolder(tmp_path / "out")).data
    assert data["number_changes"] == {"drawn": 2, "read": read, "only_numbers": read}


def test_with_containment_the_larger_direction_decides_what_is_near(
    contained: ResultFolder,
) -> None:
    near = [row for row in contained.removed if row["kind"] == "near"]
    near.sort(key=lambda row: max(row["containment_ab"], row["containment_ba"]))
    shown = page_of(contained).data["narrowest"]
    assert [r["member"]["id"] for r in shown] == [row["id"] for row in near]
    assert all(r["member"]["segments"] for r in shown)


def test_options_have_what_the_run_found(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    rows = [{"key": n, "content": f"one two three four five {n}"} for n in range(3)]
    write_jsonl("in.jsonl", rows)
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--keep", "longest", "--text-field", "content",
        "--threads", "1")  # fmt: skip
    result = ResultFolder(tmp_path / "out")
    data = page_of(result).data
    options = dict(data["options"])
    assert options["--design"] == data["design"] == result.manifest["design"] != ""
    assert (options["--text-field"], data["fields"]["text"]) == ("content", "content")
    assert (options["--min-features"], options["--id-field"]) == ("1", "")
    assert data["command"] == (
        "lookalike dedup INPUTS -o OUTPUT --keep longest --text-field content"
    )
    run("dedup", "in.jsonl", "-o", "exact", "--quiet", "--method", "exact", "--text-field",
        "content")  # fmt: skip
    exact = page_of(ResultFolder(tmp_path / "exact")).data
    assert (dict(exact["options"])["--design"], exact["design"]) == ("none", "")


def test_date_and_command_are_in_the_manifest_and_not_in_the_page(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    """The page is equal byte for byte between runs, whenever and wherever they write."""
    write_jsonl("in.jsonl", [{"id": n, "text": f"one two three four five {n}"} for n in range(3)])
    run("dedup", "in.jsonl", "-o", "out", "--quiet", "--threshold", "0.7")
    run("dedup", "in.jsonl", "-o", "other out", "--quiet", "--threshold", "0.7", "--threads", "2")
    one, other = (ResultFolder(tmp_path / name) for name in ("out", "other out"))
    assert one.digest() == other.digest()
    said = other.manifest["run"]
    assert said["command"] == (
        "lookalike dedup in.jsonl -o 'other out' --threshold 0.7 --threads 2"
    )
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", said["started"])
    assert said["seconds"] == other.manifest["timings"]["total"]
    page = (other.path / "report.html").read_text(encoding="utf-8")
    assert said["started"][:10] not in page and "other out" not in page


def test_segments_are_the_texts_of_the_documents(run: Callable, tmp_path: Path) -> None:
    """Joined, the passages are the texts; what is marked as shared is in both."""
    run("synth", "-o", "in.jsonl", "--documents", "300", "--seed", "4", "--quiet")
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    texts = {row["id"]: row["text"] for row in map(json.loads, (tmp_path / "in.jsonl").open())}
    shown = 0
    for cluster in page_of(ResultFolder(tmp_path / "out")).data["clusters"]:
        for member in (m for m in cluster["members"] if m["kind"] == "near"):
            kept = "".join(text for text, _ in member["kept_segments"])
            gone = "".join(text for text, _ in member["segments"])
            assert texts[cluster["kept"]["id"]].startswith(kept) and texts[member["id"]].startswith(
                gone
            )
            if not member["truncated"] and not member["kept_truncated"]:
                assert (texts[cluster["kept"]["id"]], texts[member["id"]]) == (kept, gone)
            check_anchors(member)
            assert any(shared for _, shared in member["segments"])
            shown += 1
    assert shown > 20


@pytest.mark.parametrize(
    "rows", [[], [{"id": "a", "text": "one two three"}], [{"id": "a", "text": None}]]
)
def test_runs_without_a_duplicate(
    run: Callable, write_jsonl: Callable, tmp_path: Path, rows: list
) -> None:
    run("dedup", write_jsonl("in.jsonl", rows), "-o", "out", "--quiet")
    check_agrees(ResultFolder(tmp_path / "out"))


def test_four_members_are_shown_near_ones_first(
    run: Callable, write_jsonl: Callable, tmp_path: Path
) -> None:
    body = " ".join(WORDS)
    texts = [body, body, *(f"{body} end{n}" for n in range(6)), body]
    write_jsonl("in.jsonl", [{"id": str(n), "text": text} for n, text in enumerate(texts)])
    run("dedup", "in.jsonl", "-o", "out", "--quiet")
    (cluster,) = page_of(ResultFolder(tmp_path / "out")).data["clusters"]
    assert [member["id"] for member in cluster["members"]] == ["2", "3", "4", "5"]
    assert {member["kind"] for member in cluster["members"]} == {"near"}
    assert cluster["size"] == 9 and cluster["left_out"] == 4


def test_hostile_text_stays_text(hostile: ResultFolder) -> None:
    text = (hostile.path / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    check_agrees(hostile)
    # The placeholder is an attack here: it must come through as text, once for each place.
    assert any("__LOOKALIKE_DATA__" in c["kept"]["id"] for c in page.data["clusters"])
    raw = text[text.index("application/json") :].split(">", 1)[1].split("</script>", 1)[0]
    assert json.loads(raw) == page.data
    assert not re.search(r"[<>&]", raw)
    kept = {cluster["kept"]["id"] for cluster in page.data["clusters"]}
    assert kept == {f"{n} {attack}" for n, attack in enumerate(HOSTILE)}
    assert page.data["inputs"][0]["name"] == "<script>alert(1)<.jsonl"


def test_it_points_nowhere_and_forbids_everything(hostile: ResultFolder) -> None:
    page = page_of(hostile)
    assert page.outside == []
    assert "default-src 'none'" in page.policy, page.policy
    assert "unsafe-eval" not in page.policy and "http" not in page.policy
    scripts = re.search(r"script-src ([^;]*)", page.policy)
    assert scripts and "unsafe-inline" not in scripts[1]


@pytest.mark.skipif(
    not CHROMIUM or not shutil.which("node") or not (WEB / "node_modules").exists(),
    reason="needs node, chromium and the packages of web/report",
)
def test_it_opens_in_a_browser(hostile: ResultFolder) -> None:
    """No complaint on the console, nothing fetched, nothing run; a cluster opens."""
    checked = subprocess.run(
        ["node", Path(__file__).with_name("report_check.mjs"), WEB, hostile.path / "report.html"],
        capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "CHROMIUM": CHROMIUM},
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr[-2000:]
    seen = json.loads(checked.stdout)
    counts = hostile.records
    assert re.sub(r"\s", " ", seen["headline"]).startswith(f"{counts['in']} ")
    assert seen["charts"] >= 2 and seen["openers"] == len(HOSTILE)
    assert seen["kept"] in {f"{n} {attack}" for n, attack in enumerate(HOSTILE)}
    assert seen["hacked"] is None
    assert any("removed" in text for text in seen["differing"])
