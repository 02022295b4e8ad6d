"""`lookalike serve --result`: a batch result over HTTP, and what people decide about it."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import lookalike
import pytest
from served import Answered, Served

Serve = Callable[..., Served]

HOSTILE = 'x"}, "cluster": 7, "y": "\u202e<script>, "cluster": 9}'


def words(first: int, count: int = 60) -> list[str]:
    return [f"w{i}" for i in range(first, first + count)]


def changed(text: list[str], *places: int) -> str:
    return " ".join(f"edit{i}" if i in places else word for i, word in enumerate(text))


#: Three clusters: of four documents, of three, and of two copies.
ROWS = [
    ("first", " ".join(words(0))),
    ("near", changed(words(0), 30)),
    ("ends", changed(words(0), 0, 59)),
    ("first", " ".join(words(0))),
    ("alone", " ".join(words(100))),
    ("Upper", " ".join(words(200))),
    ("other", changed(words(200), 5)),
    (HOSTILE, changed(words(200), 50)),
    ("copy", " ".join(words(500))),
    ("copy-2", " ".join(words(500))),
]


def write(path: Path, rows: list[tuple[str, str]]) -> Path:
    path.write_text(
        "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in rows), "utf-8"
    )
    return path


def dedup(binary: Path, folder: Path, *options: str | Path) -> Path:
    subprocess.run([binary, "dedup", "-o", folder, "--quiet", *options], check=True)
    return folder


def get(served: Served, path: str, **parameters: Any) -> Any:
    query = "&".join(f"{name}={quote(str(value))}" for name, value in parameters.items())
    answer = served.ask("GET", f"{path}?{query}")
    assert answer.status == 200, answer
    return answer.body


def wait_for_texts(served: Served) -> dict[str, Any]:
    for _ in range(600):
        texts = get(served, "/v1/result")["texts"]
        if texts["state"] != "reading":
            return dict(texts)
        time.sleep(0.02)
    raise AssertionError("the texts are never read")


def clusters(served: Served, query: str, limit: int = 100) -> list[int]:
    """Returns the numbers of the clusters that match, over as many requests as it takes."""
    found: list[int] = []
    after: str | None = "0"
    while after is not None:
        page = get(served, "/v1/result/clusters", q=query, after=after, limit=limit)
        found += [each["cluster"] for each in page["clusters"]]
        assert page["next"] is None or int(page["next"]) > int(after)
        after = page["next"]
    return found


@pytest.fixture
def show(binary: Path, tmp_path: Path) -> Iterator[Serve]:
    """Serves the result in the folder `out`. All servers end with the test."""
    running: list[Served] = []

    def start(*operands: str | Path, env: dict[str, str] | None = None) -> Served:
        words = operands or (tmp_path / "in.jsonl",)
        running.append(Served(binary, "--result", tmp_path / "out", *words, env=env))
        return running[-1]

    yield start
    for served in running:
        if served.process.poll() is None:
            served.process.terminate()
        served.process.communicate()


@pytest.fixture
def result(binary: Path, tmp_path: Path) -> Path:
    return dedup(binary, tmp_path / "out", write(tmp_path / "in.jsonl", ROWS))


@pytest.fixture
def shown(result: Path, show: Serve) -> Served:
    served = show()
    assert wait_for_texts(served)["state"] == "ready"
    return served


def test_members_say_which_criterion_decided(binary: Path, tmp_path: Path, show: Serve) -> None:
    inputs = write(tmp_path / "in.jsonl", [*ROWS, ROWS[-2]])
    dedup(binary, tmp_path / "out", inputs, "--keep", "longest", "--keep", "field:id")
    lines = (tmp_path / "out" / "removed.jsonl").read_text("utf-8").splitlines()
    removed = {row["row"]: row["kept_by"] for row in map(json.loads, lines)}
    assert set(removed.values()) == {"longest", "field:id", "input order"}
    served = show()
    assert get(served, "/v1/result")["keep"] == ["longest", "field:id"]
    clusters = get(served, "/v1/result/clusters")["clusters"]
    members = [
        member
        for row in clusters
        for member in get(served, f"/v1/result/clusters/{row['cluster']}")["members"]
    ]
    assert {member["row"]: member["kept_by"] for member in members} == removed


def test_a_result_says_what_it_is(shown: Served) -> None:
    facts = get(shown, "/v1/result")
    assert facts["name"] == "out" and facts["clusters"] == 3 and facts["decisions"] == 0
    assert (facts["threshold"], facts["measure"]) == (0.8, "resemblance")
    assert facts["texts"] == {"state": "ready", "documents": 10, "of": 10}
    assert facts["records"]["in"] == 10 and facts["records"]["removed_exact"] == 2
    assert get(shown, "/v1/result/report")["statistics"]["clusters"] == 3


def test_a_cluster_lists_what_was_removed(shown: Served) -> None:
    first = get(shown, "/v1/result/clusters/1")
    kept = {"key": "in.jsonl:1", "id": "first", "source": "in.jsonl", "row": 1}
    assert first["kept"] == [kept] and first["size"] == 4 and first["next"] is None
    assert [(m["key"], m["kind"]) for m in first["members"]] == [
        ("in.jsonl:2", "near"),
        ("in.jsonl:3", "near"),
        ("in.jsonl:4", "identical"),
    ]
    assert first["members"][0]["resemblance"] == 51 / 61
    assert all(member["duplicate_of"] == kept for member in first["members"])
    second = get(shown, "/v1/result/clusters/2")
    assert [member["id"] for member in second["members"]] == ["other", HOSTILE]
    page = get(shown, "/v1/result/clusters/1", after=1, limit=1)
    assert [m["id"] for m in page["members"]] == ["ends"] and page["next"] == "2"
    assert get(shown, "/v1/result/clusters/1", after=99)["members"] == []
    for name in ("0", "4", "x", "1x", "99999999999999999999999"):
        refused = shown.ask("GET", f"/v1/result/clusters/{name}")
        assert refused.status == 404 and "there is no cluster" in refused.detail


def test_the_list_of_clusters_has_figures(shown: Served) -> None:
    page = get(shown, "/v1/result/clusters")
    assert page["next"] is None and (page["looked_at"], page["of"]) == (3, 3)
    first, second, third = page["clusters"]
    assert (first["cluster"], first["size"], first["near"], first["copies"]) == (1, 4, 2, 1)
    assert (first["lowest"], first["highest"]) == (51 / 61, 54 / 58)
    assert second["kept"]["id"] == "Upper"
    assert (third["lowest"], third["highest"], third["copies"]) == (None, None, 1)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [1, 2, 3]),
        ("   ", [1, 2, 3]),
        ("id:first", [1]),
        ("id:FIRST", [1]),
        ("id:upper", [2]),
        ("id:other", [2]),
        ("-id:other", [1, 3]),
        ("source:in", [1, 2, 3]),
        ("-source:in", []),
        ("size:>2", [1, 2]),
        ("size:>=4", [1]),
        ("size:<3", [3]),
        ("size:3", [2]),
        ("-size:3", [1, 3]),
        ("sim:>.9", [1, 3]),
        ("sim:>.9 kind:near", [1]),
        ("sim:>0.93", [1, 3]),
        ("sim:1", [1, 3]),
        ("sim:<.84", [1, 2]),
        ("kind:near", [1, 2]),
        ("kind:identical", [1, 3]),
        ("kind:exact", []),
        ("-kind:near", [3]),
        ("decided:yes", []),
        ("decided:no", [1, 2, 3]),
        ("copy", [3]),
        ("W250", [2]),
        ("w30 w31", [1]),
        ("w30 -near", []),
        ('"w30 w31"', [1]),
        ('"w31 w30"', []),
        ('-"w30 w31"', [2, 3]),
        ('"-near"', []),
        ("-", [3]),
        ("KIND:Identical", [1, 3]),
        ("ID:copy", [3]),
        ("nothing-like-this", []),
        ('"kind:near"', []),
        ("http://x", []),
        ("id:first size:>9", []),
    ],
)
def test_words_and_fields_find_clusters(shown: Served, query: str, found: list[int]) -> None:
    assert clusters(shown, query) == found
    assert clusters(shown, query, limit=1) == found


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("siz:3", "there is no field 'siz'"),
        ("size:x", "size: takes a number, such as size:>10"),
        ("size:", "size: takes a number"),
        ("size:>", "size: takes a number"),
        ("sim:=.9", "sim: takes a number, such as sim:>.9"),
        ("sim:1e3", "sim: takes a number"),
        ("kind:far", "kind: takes near, exact or identical"),
        ("decided:maybe", "decided: takes yes or no"),
        ("id:", "id: takes a text"),
        ('"open', "a quote is not closed"),
        ("a " * 33, "more than 32 words"),
    ],
)
def test_a_query_that_is_wrong_says_what_to_write(shown: Served, query: str, said: str) -> None:
    refused = shown.ask("GET", f"/v1/result/clusters?q={quote(query)}")
    assert refused.status == 400 and said in refused.detail


def test_a_long_search_comes_in_parts(binary: Path, tmp_path: Path, show: Serve) -> None:
    rows = [(f"d{i}", " ".join(words(100 * (i // 2), 8))) for i in range(50_000)]
    dedup(binary, tmp_path / "out", write(tmp_path / "in.jsonl", rows), "--audit-documents", "0")
    served = show()
    first = get(served, "/v1/result/clusters", q="id:d49999")
    assert first["clusters"] == [] and first["looked_at"] == int(first["next"]) == 6_667
    assert clusters(served, "id:d49999") == [25_000]
    assert len(clusters(served, "kind:identical", limit=1000)) == 25_000


def test_texts_are_compared_by_the_rules_of_the_result(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    write(tmp_path / "in.jsonl", ROWS)
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", "--shingle", "word:2", "--threshold=.7")
    served = show()
    wait_for_texts(served)
    stored = get(served, "/v1/result/clusters/1")["members"][0]
    sides = {"a": {"id": "in.jsonl:1"}, "b": {"id": stored["key"]}}
    compared = served.ask("POST", "/v1/compare", sides)
    assert compared.body["resemblance"] == stored["resemblance"] == 57 / 61
    all_three = ["in.jsonl:1", "in.jsonl:2", "in.jsonl:5"]
    matrix = served.ask("POST", "/v1/compare:all", {"documents": all_three}).body
    assert matrix == {
        "documents": all_three,
        "scores": [[1, 57 / 61, 0], [57 / 61, 1, 0], [0, 0, 1]],
    }
    near = served.ask("POST", "/v1/query", {"id": "in.jsonl:1", "threshold": 0.9})
    assert [m["id"] for m in near.body["matches"]] == ["in.jsonl:4", "in.jsonl:2", "in.jsonl:3"]
    assert [m["metadata"] for m in near.body["matches"]] == ["first", "near", "ends"]


def test_without_inputs_there_are_scores_and_no_texts(
    binary: Path, result: Path, tmp_path: Path
) -> None:
    served = Served(binary, "--result", result)
    try:
        assert get(served, "/v1/result")["texts"] == {"state": "none"}
        assert clusters(served, "first") == [1] and clusters(served, "w30") == []
        assert served.ask("GET", "/v1/documents/in.jsonl:1").status == 404
    finally:
        served.process.terminate()
        served.process.communicate()


def test_other_inputs_are_noticed(result: Path, show: Serve, tmp_path: Path) -> None:
    texts = ("--texts", tmp_path / "texts")
    others = [
        ("other.jsonl", ROWS),
        ("in.jsonl", ROWS[:-1]),
        ("in.jsonl", [*ROWS[:-1], ("x", "y")]),
    ]
    same_size = [(name, text[::-1]) for name, text in ROWS]
    for name, rows in [*others, ("in.jsonl", same_size)]:
        served = show(write(tmp_path / name, rows), *texts)
        failed = wait_for_texts(served)
        assert failed["state"] == "failed" and "is not an input of this result" in failed["why"]
        assert served.ask("GET", "/v1/documents/in.jsonl:1").status == 404
        served.stop()
    write(tmp_path / "in.jsonl", ROWS)
    again = show(tmp_path / "in.jsonl", *texts)
    assert wait_for_texts(again)["state"] == "ready"
    assert again.ask("GET", "/v1/documents/in.jsonl:9").body["text"] == ROWS[8][1]
    again.stop()
    missing = wait_for_texts(show(tmp_path / "nothing.jsonl"))
    assert missing["state"] == "failed" and "nothing.jsonl" in missing["why"]


def test_texts_can_stay(result: Path, show: Serve, tmp_path: Path) -> None:
    inputs = tmp_path / "in.jsonl"
    first = show(inputs, "--texts", tmp_path / "texts")
    wait_for_texts(first)
    assert first.stop()[0] == 0
    inputs.rename(tmp_path / "gone.jsonl")
    again = show(inputs, "--texts", tmp_path / "texts")
    assert wait_for_texts(again)["state"] == "ready"
    assert again.ask("GET", "/v1/documents/in.jsonl:9").body["text"] == ROWS[8][1]
    again.stop()
    alone = show("--texts", tmp_path / "texts")
    assert get(alone, "/v1/result")["texts"]["state"] == "ready"


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_every_signal_removes_temporary_texts(
    result: Path, show: Serve, tmp_path: Path, signal_name: str
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    served = show(env={"TMPDIR": str(place)})
    served.process.send_signal(getattr(signal, signal_name))
    served.process.communicate(timeout=30)
    assert served.process.returncode == 0 and list(place.iterdir()) == []


def test_damaged_texts_say_what_to_do(
    binary: Path, result: Path, show: Serve, tmp_path: Path
) -> None:
    texts = ("--texts", tmp_path / "texts")
    first = show(tmp_path / "in.jsonl", *texts)
    wait_for_texts(first)
    first.stop()
    for table in (tmp_path / "texts").rglob("CURRENT"):
        table.write_text("nothing")
    words = [binary, "serve", "--result", result, tmp_path / "in.jsonl", *texts]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and "and the texts are read again" in ended.stderr


def test_temporary_texts_go(result: Path, show: Serve, tmp_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    served = show(env={"TMPDIR": str(place)})
    wait_for_texts(served)
    assert len(list(place.iterdir())) == 1
    assert served.stop()[0] == 0 and list(place.iterdir()) == []


def decide(served: Served, decision: str, cluster: int, *documents: str) -> Answered:
    body = {"decision": decision, "cluster": cluster, "documents": list(documents)}
    return served.ask("POST", "/v1/result/decisions", body)


def test_decisions_are_stored_and_taken_back(shown: Served, tmp_path: Path) -> None:
    kept = decide(shown, "keep", 1, "in.jsonl:2")
    document = {"id": "near", "source": "in.jsonl", "row": 2}
    stored = {"number": 1, "decision": "keep", "cluster": 1, "documents": [document]}
    assert kept.status == 201
    again = decide(shown, "keep", 1, "in.jsonl:2")
    assert (again.status, again.body) == (200, kept.body)
    assert kept.body == {**stored, "documents": [{"key": "in.jsonl:2", **document}]}
    assert decide(shown, "split", 2, "in.jsonl:8").body["number"] == 2
    merged = decide(shown, "merge", 3, "in.jsonl:9", "in.jsonl:3")
    assert [each["id"] for each in merged.body["documents"]] == ["copy", "ends"]
    file = tmp_path / "out.decisions.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    check = json.loads((tmp_path / "out" / "checks.jsonl").read_text().splitlines()[-1])["check"]
    assert lines[0] == {**stored, "result": check} and [line["number"] for line in lines] == [
        1,
        2,
        3,
    ]
    assert lines[1]["documents"][0]["id"] == HOSTILE
    assert clusters(shown, "decided:yes") == [1, 2, 3]
    assert shown.ask("DELETE", "/v1/result/decisions/2").body == {"removed": 1}
    assert "no decision '2'" in shown.ask("DELETE", "/v1/result/decisions/2").detail
    assert clusters(shown, "decided:no") == [2]
    listed = get(shown, "/v1/result/decisions")
    assert listed["file"] == str(file)
    assert [each["number"] for each in listed["decisions"]] == [1, 3]
    assert decide(shown, "keep", 2, "in.jsonl:6").body["number"] == 4


def test_a_number_is_never_given_twice(shown: Served, tmp_path: Path) -> None:
    for number in range(1, 4):
        assert decide(shown, "keep", 1, "in.jsonl:2").body["number"] == number
        assert shown.ask("DELETE", f"/v1/result/decisions/{number}").body == {"removed": 1}
        assert shown.ask("DELETE", f"/v1/result/decisions/{number}").status == 404
        assert get(shown, "/v1/result/decisions")["decisions"] == []
        assert get(shown, "/v1/result")["decisions"] == 0
    assert decide(shown, "split", 1, "in.jsonl:2").body["number"] == 4


def test_decisions_about_another_result_are_refused(
    binary: Path, shown: Served, tmp_path: Path
) -> None:
    decide(shown, "keep", 1, "in.jsonl:2")
    other = dedup(binary, tmp_path / "other", tmp_path / "in.jsonl", "--threshold", "0.9")
    words = [binary, "serve", "--result", other, "--decisions", tmp_path / "out.decisions.jsonl"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and "has decisions about another result" in ended.stderr


@pytest.mark.parametrize(
    ("decision", "cluster", "documents", "status", "said"),
    [
        ("keep", 1, [], 400, "keep takes one document"),
        ("keep", 1, ["in.jsonl:1", "in.jsonl:2"], 400, "keep takes one document"),
        ("split", 1, [], 400, "split takes one document"),
        ("merge", 1, ["in.jsonl:1"], 400, "merge takes two documents"),
        ("keep", 1, ["in.jsonl:7"], 400, "'in.jsonl:7' is not of cluster 1"),
        ("keep", 1, ["in.jsonl:5"], 400, "'in.jsonl:5' is not of cluster 1"),
        ("merge", 1, ["in.jsonl:1", "in.jsonl:5"], 400, "no cluster of the result has a document"),
        ("merge", 3, ["in.jsonl:1", "in.jsonl:2"], 400, "no document is of cluster 3"),
        ("split", 1, ["in.jsonl:2", "in.jsonl:2"], 400, "is named twice"),
        ("keep", 9, ["in.jsonl:1"], 404, "there is no cluster '9'"),
        ("drop", 1, ["in.jsonl:1"], 400, "decision must be keep or split or merge"),
        ("keep", 0, ["in.jsonl:1"], 400, "a whole number from 1"),
        ("keep", 1, [5], 400, "documents[0] must be a text"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(
    shown: Served,
    decision: str,
    cluster: int,
    documents: list[Any],
    status: int,
    said: str,
    tmp_path: Path,
) -> None:
    refused = decide(shown, decision, cluster, *documents)
    assert refused.status == status and said in refused.detail
    assert not (tmp_path / "out.decisions.jsonl").exists()


def test_decisions_at_once_are_all_stored(result: Path, show: Serve) -> None:
    """Two servers share a file of decisions."""
    served = [show(), show()]
    statuses: list[int] = []

    def work(one: Served, first: int) -> None:
        for i in range(10):
            documents = [f"in.jsonl:{2 + (first + i) % 3}", f"in.jsonl:{6 + (first + i) // 3}"]
            statuses.append(decide(one, "merge", 1, *documents).status)

    threads = [threading.Thread(target=work, args=(served[k % 2], 0)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    listed = get(served[0], "/v1/result/decisions")["decisions"]
    stored = statuses.count(201)
    assert statuses.count(200) == 40 - stored and stored == len(listed) > 5
    assert [each["number"] for each in listed] == list(range(1, stored + 1))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{}", ":1: is not a decision"),
        ("nothing", ":1: is not a decision"),
        ('{"number": 1, "decision": "keep", "cluster": 1, "documents": [{}]}', "is not a decision"),
        ('{"number": 1, "decision": "drop", "cluster": 1, "documents": []}', "is not a decision"),
        (
            '{"number": 2, "decision": "none", "cluster": 1, "documents": []}\n\n'
            '{"number": 2, "decision": "none", "cluster": 1, "documents": []}',
            ":3: has the number 2",
        ),
    ],
)
def test_a_file_of_decisions_that_is_wrong_stays_as_it_is(
    binary: Path, result: Path, tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(line + "\n")
    words = [binary, "serve", "--result", result, "--decisions", file, "--listen", "127.0.0.1:0"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and said in ended.stderr and str(file) in ended.stderr
    assert file.read_text() == line + "\n"


def test_a_file_that_is_broken_meanwhile_is_not_replaced(shown: Served, tmp_path: Path) -> None:
    assert decide(shown, "keep", 1, "in.jsonl:2").status == 201
    file = tmp_path / "out.decisions.jsonl"
    file.write_text(file.read_text() + "a note of mine\n")
    refused = decide(shown, "keep", 1, "in.jsonl:3")
    assert refused.status == 400 and "is not a decision" in refused.detail
    assert file.read_text().endswith("a note of mine\n")


def test_only_those_who_may_write_decide(result: Path, show: Serve, tmp_path: Path) -> None:
    served = show(env={"LOOKALIKE_TOKENS": "reader-token read\nwriter-token read,write"})
    body = {"decision": "keep", "cluster": 1, "documents": ["in.jsonl:2"]}
    for token, status in (("reader-token", 403), ("writer-token", 201), ("nobody-token", 401)):
        head = {"Authorization": f"Bearer {token}"}
        assert served.ask("POST", "/v1/result/decisions", body, **head).status == status
    assert served.ask("GET", "/v1/result").status == 401
    assert served.ask("GET", "/").status == 200


def test_a_result_takes_no_documents(shown: Served) -> None:
    for method, path in (
        ("PUT", "/v1/documents/a"),
        ("DELETE", "/v1/documents/in.jsonl:1"),
        ("POST", "/v1/documents:batch"),
        ("GET", "/v1/clusters"),
        ("POST", "/v1/admin/compact"),
    ):
        assert shown.ask(method, path, {"text": "a"} if method != "GET" else None).status in (
            404,
            405,
        )
    described = get(shown, "/openapi.json")
    assert "/v1/result/decisions" in described["paths"] and "/v1/clusters" not in described["paths"]


def test_a_reference_has_keys_of_its_own(binary: Path, tmp_path: Path, show: Serve) -> None:
    write(tmp_path / "in.jsonl", ROWS)
    (tmp_path / "ref").mkdir()
    reference = write(tmp_path / "ref" / "in.jsonl", [("r", ROWS[1][1])])
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", "--against", reference)
    served = show()
    assert wait_for_texts(served)["state"] == "ready"
    cluster = get(served, "/v1/result/clusters/1")
    assert cluster["kept"] == [
        {"key": "against:in.jsonl:1", "id": "r", "source": "in.jsonl", "row": 1, "reference": True}
    ]
    got = served.ask("GET", "/v1/documents/against:in.jsonl:1").body
    assert got["text"] == ROWS[1][1]


def test_containment_has_both_shares(binary: Path, tmp_path: Path, show: Serve) -> None:
    write(tmp_path / "in.jsonl", ROWS)
    reference = write(tmp_path / "ref.jsonl", [("whole", " ".join(words(0, 120)))])
    options = ["--against", reference, "--measure", "containment"]
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", *options)
    served = show()
    assert wait_for_texts(served)["state"] == "ready"
    member = get(served, "/v1/result/clusters/1")["members"][0]
    assert (member["containment_ab"], member["containment_ba"]) == (1, 56 / 116)
    assert clusters(served, "sim:>.99 kind:near") == [1]


def test_texts_of_a_reference_that_is_an_index_are_not_read(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    inputs = write(tmp_path / "in.jsonl", ROWS)
    old = write(tmp_path / "old.jsonl", [(f"old-{name}", text) for name, text in ROWS[:4]])
    seen = tmp_path / "seen"
    for words in (["create", seen, "--keep", "text"], ["add", seen, old]):
        subprocess.run([binary, "index", *words, "--quiet"], check=True)
    dedup(binary, tmp_path / "out", inputs, "--against", seen)
    served = show()
    assert wait_for_texts(served) == {"state": "ready", "documents": 10, "of": 10}
    cluster = get(served, "/v1/result/clusters/1")
    (kept,) = cluster["kept"]
    assert kept["reference"] is True and kept["key"] == "against:seen:1"
    assert served.ask("GET", f"/v1/documents/{cluster['members'][0]['key']}").status == 200
    assert served.ask("GET", f"/v1/documents/{kept['key']}").status == 404


def test_of_several_texts_the_first_is_shown(binary: Path, tmp_path: Path, show: Serve) -> None:
    rows = [{"id": name, "title": f"{text} title", "body": text} for name, text in ROWS]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    inputs = tmp_path / "in.jsonl"
    inputs.write_text(lines, "utf-8")
    fields = ["--text-field", "title", "--text-field", "body", "--threshold", "title=0.5,body=0.7"]
    for more in ([], ["--fields", "any"]):
        dedup(binary, tmp_path / "out", inputs, *fields, *more, "--overwrite")
        served = show()
        assert wait_for_texts(served)["state"] == "ready"
        assert get(served, "/v1/documents/in.jsonl:1")["text"] == rows[0]["title"]


def test_components_keep_several(binary: Path, tmp_path: Path, show: Serve) -> None:
    chain = [(f"c{i}", changed(words(0), *range(10, 10 + 4 * i, 4))) for i in range(3)]
    write(tmp_path / "in.jsonl", chain)
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", "--cluster=components", "--threshold=.6")
    served = show()
    (first,) = get(served, "/v1/result/clusters")["clusters"]
    cluster = get(served, "/v1/result/clusters/1")
    assert first["size"] == cluster["size"] == len(cluster["kept"]) + len(cluster["members"])
    assert all("id" in kept for kept in cluster["kept"])


def test_kept_documents_of_one_id_have_places_of_their_own(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    text = words(0)
    rows = [("same", " ".join(text)), ("same", changed(text, 10, 14, 18, 22))]
    rows += [("x", changed(text, 10, 14)), ("y", changed(text, 10, 14, 18, 22, 59))]
    write(tmp_path / "in.jsonl", rows)
    options = ["--cluster=components", "--threshold=.6", "--method=exact"]
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", *options)
    kept = get(show(), "/v1/result/clusters/1")["kept"]
    keys = [each["key"] for each in kept if "key" in each]
    assert len(keys) == len(set(keys)) and [each["id"] for each in kept] == ["same"] * len(kept)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "serve takes one index, or --result with its inputs; 0 operands were given"),
        (["a", "b"], "2 operands were given"),
        (["a", "--decisions", "d"], "--decisions, --texts, --audit and --agree belong to --result"),
        (["a", "--agree", "label"], "--decisions, --texts, --audit and --agree belong to --result"),
        (["--result", "out", "--agree", "label"], "name them after the options"),
        (["--result", "out", "--agree", "a,,b"], "--agree 'a,,b' is not understood"),
        (["--result", "out", "--backups", "b"], "--backups copies an index"),
        (["--result", "out", "-"], "standard input can be read once"),
        (["--result", "nothing"], "is not a result of `lookalike dedup`"),
        (["--result", "s3://bucket/out"], "copy the result to this machine"),
    ],
)
def test_operands_that_make_no_sense_are_refused(
    binary: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    ended = subprocess.run(
        [binary, "serve", *options], cwd=tmp_path, capture_output=True, text=True, timeout=20
    )
    assert ended.returncode == 2 and said in ended.stderr


@pytest.mark.parametrize("name", ["removed.jsonl", "clusters.jsonl", "manifest.json"])
@pytest.mark.parametrize("damage", ["missing", "garbage"])
def test_a_damaged_result_is_refused(
    binary: Path, result: Path, name: str, damage: str, tmp_path: Path
) -> None:
    path = result / name
    path.unlink() if damage == "missing" else path.write_text("nothing\n")
    words = [binary, "serve", "--result", result, "--listen", "127.0.0.1:0", "--quiet"]
    if damage == "garbage" and name == "clusters.jsonl":
        removed = result / "removed.jsonl"
        line = removed.read_text("utf-8").splitlines()[0]
        removed.write_text(line + "\n", "utf-8")
        served = Served(binary, "--result", result)
        refused = served.ask("GET", "/v1/result/clusters/1")
        assert refused.status == 500
        assert "is not as a run writes it" in served.stop()[2]
        return
    ended = subprocess.run(words, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2 and str(result) in ended.stderr


def audited(binary: Path, folder: Path, *options: str) -> None:
    """Audits a list that removes a copy, a document that is alone, and one with its copy."""
    (folder / "list.txt").write_text("near\nalone\ncopy\ncopy-2\n")
    words = ["audit", folder / "out", folder / "in.jsonl", "--list", folder / "list.txt"]
    subprocess.run([binary, *words, "--quiet", *options], check=True)


@pytest.mark.usefixtures("result")
def test_an_audit_is_shown_beside_its_result(show: Serve, binary: Path, tmp_path: Path) -> None:
    served = show()
    assert get(served, "/v1/result")["audit"] is False
    for path in ("/v1/result/audit", "/v1/result/audit/findings?kind=missed"):
        assert served.ask("GET", path).status == 404
    audited(binary, tmp_path)
    served = show()
    assert get(served, "/v1/result")["audit"] is True
    audit = get(served, "/v1/result/audit")
    assert audit["list"] == str(tmp_path / "list.txt")
    assert audit["summary"]["false_removals"] == 3
    assert audit["summary"]["lost_with_copies"] == 2
    false = get(served, "/v1/result/audit/findings", kind="false_removal")
    assert [each["document"]["id"] for each in false["findings"]] == ["alone", "copy", "copy-2"]
    assert false["of"] == 3 and false["next"] is None
    missed = get(served, "/v1/result/audit/findings", kind="missed", limit=2)
    assert len(missed["findings"]) == 2 and missed["next"] == "2"
    rest = get(served, "/v1/result/audit/findings", kind="missed", after=2)
    listed = [each["document"]["id"] for each in missed["findings"] + rest["findings"]]
    assert len(listed) == missed["of"] == audit["summary"]["missed"] == 4
    past = get(served, "/v1/result/audit/findings", kind="missed", after=10**15, limit=1000)
    assert past == {"findings": [], "of": 4, "next": None}
    assert get(served, "/v1/result/audit/findings", kind="false_pair")["of"] == 0
    assert served.ask("GET", "/v1/result/audit/findings?kind=x").status == 400
    assert served.ask("GET", "/v1/result/audit/findings").status == 400
    # Both documents of a finding can be compared.
    wait_for_texts(served)
    pair = missed["findings"][0]
    sides = {side: {"id": pair[of]["place"]} for side, of in (("a", "document"), ("b", "other"))}
    compared = served.ask("POST", "/v1/compare", sides).body
    assert compared["resemblance"] == pytest.approx(pair["other"]["resemblance"])


@pytest.mark.usefixtures("result")
def test_an_audit_of_another_result_is_not_shown(
    show: Serve, binary: Path, tmp_path: Path
) -> None:
    audited(binary, tmp_path)
    path = tmp_path / "out.audit.jsonl"
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    other = text.replace('"result":"', '"result":"0')
    for wrong, why in [
        (other, "is about another result"),
        (text.replace('"result":"', '"result":5,"was":"'), "is not a finding"),
        (text.replace('"audit":1', '"audit":2'), "is not a finding"),
        (text.replace('"document": ', '"documents": '), "is not a finding"),
        ("".join(lines[:-1]), "has no summary at its end"),
        (text[:-1].rsplit("\n", 1)[0] + "\n" + lines[-1][:40], "is not a finding"),
        (text + lines[0], "is not a finding"),
        ("[]\n", "is not a finding"),
    ]:
        path.write_text(wrong)
        served = show()
        assert get(served, "/v1/result")["audit"] is False
        assert why in served.before
        words = ["serve", "--result", tmp_path / "out", "--audit", path]
        said = subprocess.run([binary, *words], capture_output=True, text=True, timeout=60)
        assert said.returncode == 2 and why in said.stderr
    path.rename(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text(text)
    served = show("--audit", str(tmp_path / "elsewhere"))
    assert get(served, "/v1/result")["audit"] is True


def met(served: Served, a: dict[str, str], b: dict[str, str]) -> dict[str, Any]:
    return dict(served.ask("POST", "/v1/compare", {"a": a, "b": b}).body["met"])


def test_a_comparison_says_why_the_search_met_the_two(
    binary: Path, show: Serve, tmp_path: Path
) -> None:
    long = words(0, 600)
    rows = [
        ("whole", " ".join(long)),
        ("near", changed(long, 20, 100, 300)),
        ("half", " ".join(long[:300] + words(5000, 300))),
        ("far", " ".join(words(9000, 600))),
        ("short", "a few words"),
        ("none", "..."),
    ]
    dedup(binary, tmp_path / "out", write(tmp_path / "in.jsonl", rows))
    served = show()
    wait_for_texts(served)
    sides = {name: {"id": f"in.jsonl:{i + 1}"} for i, (name, _) in enumerate(rows)}
    design = json.loads((tmp_path / "out/manifest.json").read_text())["design"]
    table = lookalike.Fingerprinter(design=design)([text for _, text in rows]).keys
    keys = {name: row for (name, _), row in zip(rows, table, strict=True)}
    for name in ("near", "half", "far"):
        why = met(served, sides["whole"], sides[name])
        assert why["by"] == "keys"
        assert why["keys"] == len(table[0])
        assert why["shared"] == (keys["whole"] == keys[name]).sum()
    assert met(served, sides["whole"], sides["near"])["probability"] > 0.99
    assert met(served, sides["whole"], sides["far"]) == {
        "by": "keys", "shared": 0, "keys": len(table[0]), "probability": 0,
    }  # fmt: skip
    same = met(served, sides["whole"], {"text": rows[0][1]})
    assert same["shared"] == same["keys"] and same["probability"] == 1
    assert met(served, sides["whole"], sides["short"]) == {"by": "features"}
    assert met(served, sides["whole"], sides["none"]) == {"by": "nothing"}
    exact = ["--method", "exact", "--overwrite"]
    dedup(binary, tmp_path / "out", tmp_path / "in.jsonl", *exact)
    served = show()
    wait_for_texts(served)
    assert met(served, sides["whole"], sides["near"]) == {"by": "comparison"}


def test_pairs_that_guards_keep_apart_come_in_pages(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    text = " ".join(words(0))
    rows = [(f"d{i}", f"{text} number {i}") for i in range(1, 6)]
    path = write(tmp_path / "in.jsonl", rows)
    write(tmp_path / "known.jsonl", [("k", f"{text} number 9")])
    known = tmp_path / "known.jsonl"
    out = dedup(binary, tmp_path / "out", path, "--differ", "numbers", "--against", known)
    listed = [json.loads(line) for line in (out / "guarded.jsonl").read_text().splitlines()]
    assert len(listed) == 15
    served = show(path)
    assert get(served, "/v1/result")["guarded_pairs"] == 15
    found: list[dict[str, Any]] = []
    after = "0"
    while after is not None:
        page = get(served, "/v1/result/guarded", after=after, limit=4)
        assert len(page["pairs"]) == (4 if page["next"] else 3)
        found, after = found + page["pairs"], page["next"]
    for pair, line in zip(found, listed, strict=True):
        assert (pair["resemblance"], pair["differ"]) == (line["resemblance"], line["differ"])
        for side in "ab":
            of_reference = "against:" if line.get(f"{side}_reference") else ""
            assert pair[side]["id"] == line[side]
            assert pair[side]["key"] == (
                f"{of_reference}{line[f'{side}_source']}:{line[f'{side}_row']}"
            )
    assert served.ask("GET", "/v1/result/guarded?after=5").status == 400
    assert served.ask("GET", "/v1/result/guarded?after=999999").status == 400


def test_documents_of_a_cluster_that_differ_in_a_field(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    text = words(0)
    rows: list[dict[str, Any]] = [
        {"id": "a", "text": " ".join(text), "label": "spam", "price": {"net": 3}},
        {"id": "b", "text": changed(text, 3), "label": "ham", "price": {"net": 3}},
        {"id": "c", "text": changed(text, 30), "label": "spam", "price": {"net": 3}},
        {"id": "in.jsonl:4", "text": changed(text, 40)},
        {"id": "e", "text": " ".join(words(200)), "label": "x"},
        {"id": "f", "text": " ".join(words(200)), "label": "x"},
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    dedup(binary, tmp_path / "out", path)
    fields = ("--agree", "label,price.net,label")
    served = show("--texts", tmp_path / "texts", *fields, path)
    wait_for_texts(served)
    assert get(served, "/v1/result")["agree"] == ["label", "price.net"]
    found = get(served, "/v1/result/clusters/1/conflicts")
    assert (found["looked_at"], found["of"]) == (4, 4)
    three = [{"value": "3", "documents": 3}, {"value": None, "documents": 1}]
    label = [
        {"value": "spam", "documents": 2},
        {"value": None, "documents": 1},
        {"value": "ham", "documents": 1},
    ]
    assert found["conflicts"] == [
        {"field": "label", "different": 3, "values": label},
        {"field": "price.net", "different": 2, "values": three},
    ]
    assert get(served, "/v1/result/clusters/2/conflicts")["conflicts"] == []
    assert served.ask("GET", "/v1/result/clusters/3/conflicts").status == 404
    document = get(served, "/v1/documents/in.jsonl%3A2")
    assert document["metadata"] == {"id": "b", "fields": {"label": "ham", "price.net": "3"}}
    # An id that is the document's place is not repeated, and other fields are other texts.
    assert "id" not in get(served, "/v1/documents/in.jsonl%3A4")["metadata"]
    again = show("--texts", tmp_path / "texts", path)
    wait_for_texts(again)
    assert get(again, "/v1/documents/in.jsonl%3A2")["metadata"] == "b"
    assert get(again, "/v1/result")["agree"] == []


@pytest.mark.usefixtures("result")
def test_a_field_that_no_record_has_is_named(show: Serve, tmp_path: Path) -> None:
    served = show("--agree", "labl", tmp_path / "in.jsonl")
    texts = wait_for_texts(served)
    assert texts["state"] == "failed"
    assert 'the field "labl" that --agree names' in texts["why"]


def test_an_id_that_looks_like_metadata_is_an_id(
    binary: Path, tmp_path: Path, show: Serve
) -> None:
    rows = [('{"id": "zzz", "fields": {"label": "x"}}', " ".join(words(0))), ("b", "c d e f g")]
    path = write(tmp_path / "in.jsonl", rows)
    dedup(binary, tmp_path / "out", path)
    served = show(path)
    wait_for_texts(served)
    assert get(served, "/v1/result")["agree"] == []
    metadata = get(served, "/v1/documents/in.jsonl%3A1")["metadata"]
    assert metadata == {"id": "zzz", "fields": {"label": "x"}}


def test_a_result_without_guards_has_no_guarded_pairs(shown: Served) -> None:
    assert "guarded_pairs" not in get(shown, "/v1/result")
    assert get(shown, "/v1/result/guarded") == {"pairs": [], "next": None}


def test_a_result_says_why_records_were_rejected(
    binary: Path, show: Serve, tmp_path: Path
) -> None:
    rows = [{"id": "a"}, {"id": "b", "text": 5}, {"id": "c"}, {"id": "d", "text": "a b c"}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "in.jsonl").write_text(lines)
    said = subprocess.run([binary, "dedup", "in.jsonl", "-o", "out", "--quiet"], cwd=tmp_path)
    assert said.returncode == 3
    assert get(show(), "/v1/result")["rejections"] == [
        {"reason": 'field "text" is missing, expected a string', "records": 2},
        {"reason": 'field "text" is a number, expected a string', "records": 1},
    ]
    (tmp_path / "out/rejected.jsonl").write_text("no JSON\n")
    refused = show().ask("GET", "/v1/result")
    assert refused.status == 500


def test_a_part_of_a_document_is_found_by_how_much_of_it_is_there(shown: Served) -> None:
    body = {
        "text": " ".join(words(0)[10:20]), "threshold": 0.2, "exhaustive": True,
        "measure": "containment",
    }  # fmt: skip
    matches = shown.ask("POST", "/v1/query", body).body["matches"]
    first = next(each for each in matches if each["id"] == "in.jsonl:1")
    assert first["containment_ab"] == 1 and first["resemblance"] < 0.2
