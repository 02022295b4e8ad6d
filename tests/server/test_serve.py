"""`lookalike serve`: what its endpoints answer."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from served import Served, read

Serve = Callable[..., Served]

WORDS = [f"w{i}" for i in range(60)]
TEXT = " ".join(WORDS)
#: One word of 60 differs: 51 of 61 features are common.
NEAR = " ".join([*WORDS[:30], "edit", *WORDS[31:]])
OTHER = "this text has nothing in common with any other text of the index at all"
NEAR_SCORE = 51 / 61


def wait_for(served: Served, operation: str) -> dict[str, Any]:
    for _ in range(200):
        state = served.ask("GET", operation).body
        if state["state"] != "running":
            return dict(state)
        time.sleep(0.02)
    raise AssertionError(f"{operation} does not end")


def test_a_document_comes_changes_and_goes(serve: Serve) -> None:
    served = serve()
    assert served.ask("GET", "/v1/documents/a").detail == "there is no document 'a'"
    put = served.ask("PUT", "/v1/documents/a", {"text": TEXT, "metadata": {"n": [1, "ä"]}})
    assert (put.status, put.body) == (201, {"outcome": "added"})
    same = served.ask("PUT", "/v1/documents/a", {"text": TEXT, "metadata": {"n": [1, "ä"]}})
    assert (same.status, same.body) == (200, {"outcome": "unchanged"})
    got = served.ask("GET", "/v1/documents/a")
    assert got.body == {"id": "a", "features": 56, "metadata": {"n": [1, "ä"]}}
    other = served.ask("PUT", "/v1/documents/a", {"text": TEXT, "metadata": "plain"})
    assert (other.status, other.body) == (200, {"outcome": "replaced"})
    assert served.ask("GET", "/v1/documents/a").body["metadata"] == "plain"
    assert served.ask("DELETE", "/v1/documents/a").body == {"removed": 1}
    assert served.ask("DELETE", "/v1/documents/a").status == 404
    assert served.ask("GET", "/v1/stats").body["documents"] == 0


def test_guards_compare_the_fields_of_a_request(serve: Serve) -> None:
    served = serve(create=("--same", "lang", "--differ", "numbers"))
    first = {"text": TEXT + " 7", "fields": {"lang": "en", "more": 1}}
    assert served.ask("PUT", "/v1/documents/a", first).status == 201
    assert served.ask("PUT", "/v1/documents/a", first).body == {"outcome": "unchanged"}
    path = "/v1/documents/b?unless_similar=0.8"
    for fields in ({"lang": "de"}, {}, {"lang": None}, {"lang": ["en"]}):
        put = served.ask("PUT", path, {**first, "fields": fields}).body
        assert put["outcome"] != "similar"
    assert served.ask("PUT", path, {**first, "text": TEXT + " 8"}).body["outcome"] == "replaced"
    assert served.ask("PUT", "/v1/documents/c?unless_similar=0.8", first).body["like"]["id"] == "a"
    query = {"text": TEXT + " 7", "fields": {"lang": "en"}}
    assert [m["id"] for m in served.ask("POST", "/v1/query", query).body["matches"]] == ["a"]
    query["text"] = TEXT + " 9"
    assert served.ask("POST", "/v1/query", query).body["matches"] == []
    for body in ({"text": TEXT}, {"text": TEXT, "fields": []}):
        assert served.ask("PUT", "/v1/documents/d", body).status == 400
        assert served.ask("POST", "/v1/query", body).status == 400
    lines = [{"id": "x", **first}, {"id": "y", "text": TEXT}]
    refused = served.ask("POST", "/v1/documents:batch", {"documents": lines})
    assert refused.status == 400 and "lang" in refused.detail


def test_one_that_is_like_another_is_left_out_if_asked(serve: Serve) -> None:
    served = serve()
    served.ask("PUT", "/v1/documents/a", {"text": TEXT})
    like = served.ask("PUT", "/v1/documents/b?unless_similar=0.8", {"text": NEAR})
    assert like.status == 200 and like.body["outcome"] == "similar"
    assert like.body["like"] == {"id": "a", "resemblance": NEAR_SCORE, "exact": True}
    assert served.ask("GET", "/v1/documents/b").status == 404
    added = served.ask("PUT", "/v1/documents/b?unless_similar=0.9", {"text": NEAR})
    assert added.status == 201


@pytest.mark.parametrize("name", ["a/b", "ü ö", "50%", "..", "a?b#c", "x" * 1024])
def test_an_id_may_be_any_text(serve: Serve, name: str) -> None:
    import urllib.parse

    served = serve()
    path = "/v1/documents/" + urllib.parse.quote(name, safe="")
    assert served.ask("PUT", path, {"text": TEXT}).status == 201
    assert served.ask("GET", path).body["id"] == name
    assert served.ask("POST", "/v1/query", {"text": TEXT}).body["matches"][0]["id"] == name
    assert served.ask("POST", "/v1/query", {"id": name}).body["matches"] == []


def test_a_batch_is_added_whole_or_not_at_all(serve: Serve) -> None:
    served = serve()
    good = [{"id": "a", "text": TEXT}, {"id": "b", "text": NEAR, "metadata": [1]}]
    added = served.ask("POST", "/v1/documents:batch", {"documents": good})
    assert added.body == {"outcomes": [{"outcome": "added"}, {"outcome": "added"}]}
    lines = "".join(json.dumps(row) + "\n" for row in [*good, {"id": "c", "text": OTHER}])
    again = served.ask("POST", "/v1/documents:batch", "\n" + lines, kind="application/x-ndjson")
    assert [each["outcome"] for each in again.body["outcomes"]] == [
        "unchanged",
        "unchanged",
        "added",
    ]
    for bad, said in [
        ({"id": "d"}, "needs 'text'"),
        ({"id": "d", "text": 1}, "must be a text"),
        (
            {"id": "d", "text": "x", "more": 1},
            "takes no 'more'; its members are id, text, metadata",
        ),
        ({"id": "", "text": "x"}, "the id has 0 bytes"),
    ]:
        batch = [{"id": "e", "text": "new"}, bad]
        refused = served.ask("POST", "/v1/documents:batch", {"documents": batch})
        assert refused.status == 400 and said in refused.detail
        text = "".join(json.dumps(row) + "\n" for row in batch)
        refused = served.ask("POST", "/v1/documents:batch", text, kind="application/x-ndjson")
        assert refused.status == 400 and said in refused.detail
        assert refused.detail.endswith("; nothing of the batch was added")
    stats = served.ask("GET", "/v1/stats").body
    assert stats["documents"] == 3
    assert (stats["differ"], stats["same"]) == ([], [])
    assert served.ask("POST", "/v1/documents:batch", {"documents": []}).body == {"outcomes": []}


def test_queries_answer_as_the_command_does(
    serve: Serve, run: Callable[..., Any], tmp_path: Path
) -> None:
    served = serve()
    rows = [("a", TEXT, {"n": 1}), ("b", NEAR, "plain"), ("c", OTHER, "")]
    for name, text, metadata in rows:
        served.ask("PUT", f"/v1/documents/{name}", {"text": text, "metadata": metadata})
    queries = [{"text": TEXT}, {"id": "a"}, {"text": NEAR, "threshold": 0.9}, {"text": TEXT, "top": 1},
               {"text": TEXT, "limit": 1}, {"text": OTHER, "exhaustive": True, "threshold": 0.1},
               {"text": "nothing"}]  # fmt: skip
    answers = [served.ask("POST", "/v1/query", query).body for query in queries]
    assert served.ask("POST", "/v1/query:batch", {"queries": queries}).body == {"answers": answers}
    assert [match["id"] for match in answers[0]["matches"]] == ["a", "b"]
    assert answers[1]["matches"] == [
        {"id": "b", "resemblance": NEAR_SCORE, "exact": True, "metadata": "plain"}
    ]
    assert answers[4]["truncated"]
    assert served.ask("POST", "/v1/query", {"id": "nobody"}).status == 404
    assert served.stop()[0] == 0
    for query, answer in zip(queries, answers, strict=True):
        words = [
            f"--{name}" if value is True else f"--{name}={value}" for name, value in query.items()
        ]
        assert run("index", "query", "seen", *words, "--json", code=None).json == answer


def test_texts_are_compared_by_the_rules_of_the_index(serve: Serve) -> None:
    served = serve(create=("--shingle", "char:3", "--keep", "text"))
    served.ask("PUT", "/v1/documents/a", {"text": "abcdef"})
    same = served.ask("POST", "/v1/compare", {"a": {"id": "a"}, "b": {"text": "abcdeg"}}).body
    assert (same["common"], same["size_a"], same["size_b"]) == (3, 4, 4)
    assert same["passages"][0] == {"a_begin": 0, "a_end": 5, "b_begin": 0, "b_end": 5}
    assert served.ask("POST", "/v1/compare", {"a": {"id": "x"}, "b": {"text": ""}}).status == 404


def test_a_comparison_names_the_guards_that_would_tell_texts_apart(serve: Serve) -> None:
    served = serve(create=("--keep", "text", "--differ", "regex:[A-Z]-[0-9]+"))

    def guards(a: str, b: str) -> list[dict[str, Any]]:
        sides = {"a": {"text": a}, "b": {"text": b}}
        found: list[dict[str, Any]] = served.ask("POST", "/v1/compare", sides).body["guards"]
        return found

    assert guards("7 apples and 7 pears of 2024-05-01, B-2", "B-2: 2024-05-01, 7 pears, 7 x") == []
    assert guards("7 apples, 7 pears, 12 of B-2", "7 apples, 13 pears of B-3") == [
        {"guard": "numbers", "only_a": ["12", "2", "7"], "only_b": ["13", "3"],
         "count_a": 3, "count_b": 2},
        {"guard": "regex:[A-Z]-[0-9]+", "only_a": ["B-2"], "only_b": ["B-3"],
         "count_a": 1, "count_b": 1},
    ]  # fmt: skip
    dates = guards("on 1 May 2024", "on May 1, 2024 and 2024-05-02")
    assert [(one["guard"], one["count_a"], one["count_b"]) for one in dates][-1] == ("dates", 0, 1)
    many = guards(" ".join(map(str, range(100, 150))), "none")
    assert (many[0]["count_a"], many[0]["count_b"], many[0]["only_b"]) == (50, 0, [])
    assert many[0]["only_a"] == [str(number) for number in range(100, 120)]


def test_matches_come_with_passages_if_asked(serve: Serve) -> None:
    served = serve(create=("--keep", "text"))
    for name, text in (("a", TEXT), ("b", NEAR)):
        served.ask("PUT", f"/v1/documents/{name}", {"text": text})
    for asked, text in (({"text": TEXT}, TEXT), ({"id": "b"}, NEAR)):
        query = {**asked, "threshold": 0.8}
        without = served.ask("POST", "/v1/query", query).body
        found = served.ask("POST", "/v1/query", {**query, "passages": True}).body
        batch = served.ask("POST", "/v1/query:batch", {"queries": [{**query, "passages": True}]})
        assert batch.body == {"answers": [found]}
        assert found["matches"]
        for match in found["matches"]:
            sides = {"a": {"text": text}, "b": {"id": match["id"]}}
            compared = served.ask("POST", "/v1/compare", sides).body
            assert match.pop("passages") == compared["passages"] != []
        assert found == without


def test_an_index_without_texts_says_so(serve: Serve) -> None:
    served = serve()
    served.ask("PUT", "/v1/documents/a", {"text": TEXT})
    refused = served.ask("POST", "/v1/compare", {"a": {"id": "a"}, "b": {"text": TEXT}})
    assert refused.status == 409 and "keeps no texts" in refused.detail
    query = {"text": TEXT, "passages": True}
    for path, body in (("/v1/query", query), ("/v1/query:batch", {"queries": [query]})):
        refused = served.ask("POST", path, body)
        assert refused.status == 409 and "keeps no texts" in refused.detail


def test_clusters_and_changes_come_in_pages(serve: Serve) -> None:
    served = serve()
    for i in range(6):
        text = " ".join(f"word{i // 2}x{j}" for j in range(60))
        served.ask("PUT", f"/v1/documents/d{i}", {"text": text + f" end{i}"})
    whole = served.ask("GET", "/v1/clusters").body
    assert [cluster["members"] for cluster in whole["clusters"]] == [
        ["d0", "d1"], ["d2", "d3"], ["d4", "d5"]
    ]  # fmt: skip
    assert whole["next"] is None
    first = served.ask("GET", "/v1/clusters?limit=2").body
    assert first["clusters"] == whole["clusters"][:2]
    rest = served.ask("GET", f"/v1/clusters?limit=2&after={first['next']}").body
    assert rest == {"clusters": whole["clusters"][2:], "next": None}
    name = whole["clusters"][1]["cluster"]
    assert served.ask("GET", f"/v1/clusters/{name}").body == whole["clusters"][1]
    assert served.ask("GET", "/v1/clusters/none").status == 404
    assert served.ask("GET", "/v1/clusters?after=none").status == 404
    changes = served.ask("GET", "/v1/changes").body
    assert not changes["more"] and len(changes["changes"]) == 6
    some = served.ask("GET", "/v1/changes?since=2&limit=3").body
    assert some == {"changes": changes["changes"][2:5], "more": True}


def test_long_work_is_an_operation_to_look_at(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    served = serve("--backups", str(tmp_path / "backups"))
    served.ask("PUT", "/v1/documents/a", {"text": TEXT})
    started = served.ask("POST", "/v1/admin/compact")
    assert started.status == 202 and started.body["kind"] == "compact"
    assert started.head["Location"] == started.body["operation"] == "/v1/operations/1"
    assert wait_for(served, "/v1/operations/1")["state"] == "done"
    copied = served.ask("POST", "/v1/admin/backup", {"name": "monday"})
    assert wait_for(served, copied.body["operation"])["state"] == "done"
    again = served.ask("POST", "/v1/admin/backup", {"name": "monday"})
    failed = wait_for(served, again.body["operation"])
    assert failed["state"] == "failed" and "exist" in failed["error"]
    for name in ("../out", "", ".hidden", "a/b"):
        assert served.ask("POST", "/v1/admin/backup", {"name": name}).status == 400
    assert served.ask("GET", "/v1/operations/9").status == 404
    assert served.ask("GET", "/v1/operations/x").status == 404
    assert served.stop()[0] == 0
    copy = serve(index="backups/monday")
    assert copy.ask("GET", "/v1/documents/a").status == 200


def test_backups_need_a_folder(serve: Serve) -> None:
    refused = serve().ask("POST", "/v1/admin/backup", {"name": "monday"})
    assert refused.status == 409 and "--backups DIR" in refused.detail


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "said"),
    [
        ("POST", "/v1/query", '{"text": ', 400, "not JSON in UTF-8"),
        ("POST", "/v1/query", "[1]", 400, "the body must be a JSON object"),
        ("POST", "/v1/query", b'{"text": "\xff\xfe"}', 400, "not JSON in UTF-8"),
        ("POST", "/v1/query", "[" * 100_000, 400, "more than 64 levels"),
        ("POST", "/v1/query", {"text": 5}, 400, "text must be a text"),
        ("POST", "/v1/query", {}, 400, "needs one of text and id, and has 0"),
        ("POST", "/v1/query", {"text": "a", "id": "b"}, 400, "and has 2"),
        ("POST", "/v1/query", {"text": "a", "threshold": 7}, 400, "a number above 0, at most 1"),
        ("POST", "/v1/query", {"text": "a", "threshold": 0}, 400, "a number above 0, at most 1"),
        ("POST", "/v1/query", {"text": "a", "top": 0}, 400, "a whole number from 1"),
        ("POST", "/v1/query", {"text": "a", "top": 1.5}, 400, "a whole number from 1"),
        (
            "POST",
            "/v1/query",
            {"text": "a", "measure": "cosine"},
            400,
            "resemblance or containment",
        ),
        ("POST", "/v1/query", {"text": "a", "exhaustive": 1}, 400, "true or false"),
        (
            "POST",
            "/v1/query:batch",
            {"queries": [{"text": "a"}, {}]},
            400,
            "queries[1] needs one of",
        ),
        ("POST", "/v1/query:batch", {"queries": [{"text": "a"}] * 1001}, 400, "1000 are allowed"),
        ("POST", "/v1/compare", {"a": {"text": "x"}}, 400, "needs 'b'"),
        (
            "PUT",
            "/v1/documents/y",
            {"text": "x", "metadata": 5},
            400,
            "an object, a list or a text",
        ),
        ("PUT", "/v1/documents/" + "y" * 1025, {"text": "x"}, 400, "the id has 1025 bytes"),
        ("PUT", "/v1/documents/y?unless_similar=2", {"text": "x"}, 400, "unless_similar must be"),
        ("PUT", "/v1/documents/y?unless_similar=x", {"text": "x"}, 400, "unless_similar must be"),
        ("PUT", "/v1/documents/y?unless=.5", {"text": "x"}, 400, "no parameter 'unless'"),
        ("GET", "/v1/changes?since=-1", None, 400, "a whole number from 0"),
        ("GET", "/v1/changes?since=1e2", None, 400, "a whole number from 0"),
        ("GET", "/v1/changes?since=%zz", None, 400, "a %XX that is not UTF-8"),
        ("GET", "/v1/documents/a%00b", None, 404, "there is no document"),
        ("GET", "/v1/documents/a%2", None, 400, "a %XX that is not UTF-8"),
        ("PUT", "/v1/documents/%ff", {"text": "x"}, 400, "a %XX that is not UTF-8"),
        ("POST", "/v1/query", {"text": "a", "id": None}, 400, "id must be a text"),
        ("POST", "/v1/query", '{"text": "a", "top": 1e400}', 400, "a number that is too large"),
        ("POST", "/v1/query", {"text": "a", "x" * 9999: 1}, 400, "takes no 'xxx"),
        (
            "POST",
            "/v1/query:batch",
            {"queries": [{"id": "x"}]},
            404,
            "queries[0]: there is no document",
        ),
        ("GET", "/v1/documents/..%2f..%2fetc%2fpasswd", None, 404, "there is no document"),
        ("GET", "/../../../../etc/passwd", None, 404, "no such path"),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", None, 404, "no such path"),
        ("GET", "//etc/passwd", None, 404, "no such path"),
        ("GET", "/v1/documents/", None, 404, "no such path"),
        ("GET", "/v1/documents/a/b", None, 404, "no such path"),
        ("PATCH", "/v1/query", {}, 405, "this path takes POST"),
        ("POST", "/healthz", {}, 405, "this path takes GET, HEAD"),
    ],
)
def test_what_cannot_be_done_says_why(
    serve: Serve, method: str, target: str, body: Any, status: int, said: str
) -> None:
    served = serve()
    refused = served.ask(method, target, body)
    assert refused.status == status and said in refused.detail
    assert len(refused.detail) < 500
    assert served.ask("GET", "/healthz").status == 200


def test_bodies_that_would_take_long_to_parse_are_refused(serve: Serve) -> None:
    served = serve()
    for members, status in ((1_000, 400), (1_001, 400), (200_000, 400)):
        begun = time.monotonic()
        body = {"text": "a", "metadata": {f"key{i}": i for i in range(members)}}
        refused = served.ask("POST", "/v1/query", body)
        assert refused.status == status and time.monotonic() - begun < 5
        assert ("more than 1,000 members" in refused.detail) == (members > 1_000)
    deep = ["[" * depth + "]" * depth for depth in (63, 64)]
    for metadata, told in zip(deep, ("takes no 'metadata'", "more than 64 levels"), strict=True):
        refused = served.ask("POST", "/v1/query", f'{{"text": "a", "metadata": {metadata}}}')
        assert told in refused.detail


def test_metadata_that_is_nested_too_deep_stays_a_text(serve: Serve) -> None:
    served = serve()
    for depth, is_list in ((64, True), (65, False), (30_000, False)):
        text = "[" * depth + "]" * depth
        assert served.ask("PUT", "/v1/documents/a", {"text": TEXT, "metadata": text}).status in (
            200,
            201,
        )
        metadata = served.ask("GET", "/v1/documents/a").body["metadata"]
        assert isinstance(metadata, list) == is_list
        if not is_list:
            assert metadata == text


def test_an_id_with_a_line_break_can_be_removed(serve: Serve) -> None:
    served = serve()
    for name in ("a\nb", "tab\t", "nul\0x"):
        served.ask("POST", "/v1/documents:batch", {"documents": [{"id": name, "text": TEXT}]})
        path = "/v1/documents/" + "".join(f"%{byte:02x}" for byte in name.encode())
        assert served.ask("GET", path).body["id"] == name
        assert served.ask("DELETE", path).status == 200


def test_a_body_has_a_type(serve: Serve) -> None:
    served = serve()
    assert served.ask("POST", "/v1/query", '{"text": "a"}', kind=None).status == 415
    assert served.ask("POST", "/v1/query", '{"text": "a"}', kind="text/plain").status == 415
    assert served.ask("POST", "/v1/query", "{}\n", kind="application/x-ndjson").status == 415
    kind = "Application/JSON; charset=utf-8"
    assert served.ask("POST", "/v1/query", '{"text": "a"}', kind=kind).status == 200


def test_one_connection_carries_many_requests(serve: Serve) -> None:
    served = serve()
    connection = served.connect()
    for i in range(20):
        connection.request("PUT", f"/v1/documents/{i}", json.dumps({"text": f"text {i}"}),
                           {"Content-Type": "application/json", "X-Request-Id": f"r-{i}"})  # fmt: skip
        answered = read(connection.getresponse())
        assert answered.status == 201 and answered.head["X-Request-Id"] == f"r-{i}"
    connection.request("HEAD", "/v1/documents/3")
    response = connection.getresponse()
    assert (
        response.status == 200
        and response.read() == b""
        and int(response.headers["Content-Length"]) > 0
    )
    connection.request("GET", "/v1/stats", headers={"X-Request-Id": "not a plain id"})
    answered = read(connection.getresponse())
    assert answered.body["documents"] == 20
    assert re.fullmatch("[0-9a-f]{16}", answered.head["X-Request-Id"])
    connection.close()
    two = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2
    assert (
        served.raw(two + b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n").count(b"200 OK") == 3
    )


def test_the_log_has_no_text_id_or_token(serve: Serve, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("secret-token read,write\n")
    tokens.chmod(0o600)
    served = serve("--token-file", str(tokens))
    served.ask("PUT", "/v1/documents/name-of-it?unless_similar=0.87", {"text": "words of it"},
               Authorization="Bearer secret-token")  # fmt: skip
    served.ask("GET", "/v1/documents/name-of-it", Authorization="Bearer another-token")
    served.ask("GET", "/name-of-it", api_key="secret-token")
    code, log, said = served.stop()
    assert code == 0 and said == ""
    told = [(line["method"], line["route"], line["status"]) for line in log]
    assert told == [
        ("PUT", "/v1/documents/{id}", 201),
        ("GET", "/v1/documents/{id}", 401),
        ("none", "none", 404),
    ]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", log[0]["time"])
    assert log[0]["bytes_in"] == len('{"text": "words of it"}')
    for hidden in ("name-of-it", "words", "token", "0.87"):
        assert hidden not in json.dumps(log)


def test_metrics_count_requests_and_queries(serve: Serve) -> None:
    served = serve()
    served.ask("PUT", "/v1/documents/a", {"text": TEXT})
    served.ask("POST", "/v1/query", {"text": NEAR})
    served.ask("GET", "/nowhere")
    text = served.ask("GET", "/metrics")
    assert text.kind == "text/plain"
    values = {}
    for line in str(text.body).splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            assert re.fullmatch(
                r'lookalike_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})?', name
            ), name
            values[name] = float(value)
    assert (
        values['lookalike_http_requests_total{method="PUT",route="/v1/documents/{id}",code="201"}']
        == 1
    )
    assert values['lookalike_http_requests_total{method="none",route="none",code="404"}'] == 1
    assert values['lookalike_http_request_duration_seconds_count{route="/v1/query"}'] == 1
    assert values['lookalike_query_matches_bucket{le="0"}'] == 0
    assert values['lookalike_query_matches_bucket{le="1"}'] == 1
    assert values["lookalike_index_documents"] == 1
    assert values["lookalike_process_resident_memory_bytes"] > 1e6


def test_the_description_has_all_endpoints(serve: Serve) -> None:
    described = serve().ask("GET", "/openapi.json").body
    assert described["openapi"] == "3.1.0"
    operations = [
        operation for methods in described["paths"].values() for operation in methods.values()
    ]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) == 24
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described)))
    assert references == set(described["components"]["schemas"])
    query = described["components"]["schemas"]["Query"]
    assert query["properties"]["threshold"]["exclusiveMinimum"] == 0
    assert query["oneOf"] == [{"required": ["text"]}, {"required": ["id"]}]


def test_writers_and_readers_at_once(serve: Serve) -> None:
    served = serve()
    failed: list[Any] = []

    def work(who: int) -> None:
        connection = served.connect()
        for i in range(40):
            body = json.dumps(
                {
                    "text": f"text of {who} number {i} "
                    + " ".join(f"x{who * i + j}" for j in range(30))
                }
            )
            head = {"Content-Type": "application/json"}
            connection.request("PUT", f"/v1/documents/{who}-{i}", body, head)
            put = read(connection.getresponse())
            connection.request("POST", "/v1/query", body, head)
            found = read(connection.getresponse())
            ids = [match["id"] for match in found.body.get("matches", [])]
            if put.status != 201 or f"{who}-{i}" not in ids:
                failed.append((put, found))
        connection.close()

    threads = [threading.Thread(target=work, args=(who,)) for who in range(6)]
    for thread in threads:
        thread.start()
    compacted = served.ask("POST", "/v1/admin/compact")
    for thread in threads:
        thread.join()
    assert not failed
    assert wait_for(served, compacted.body["operation"])["state"] == "done"
    assert served.ask("GET", "/v1/stats").body["documents"] == 240


def test_growth_has_the_documents_over_time(serve: Serve) -> None:
    served = serve()
    first = served.ask("GET", "/v1/growth").body["growth"]
    assert [documents for _, documents in first][-1] == 0
    assert abs(first[0][0] - time.time()) < 60
    for round in range(3):
        documents = [{"id": f"{round}-{i}", "text": f"a {round} b {i} c d e"} for i in range(5)]
        served.ask("POST", "/v1/documents:batch", {"documents": documents})
        time.sleep(1.1)
    assert served.ask("DELETE", "/v1/documents/0-0").status == 200
    growth = served.ask("GET", "/v1/growth").body["growth"]
    times = [seconds for seconds, _ in growth]
    assert times == sorted(set(times)) and len(times) >= 4
    assert growth[0][1] == 0 and growth[-1][1] == 14
    assert max(documents for _, documents in growth) == 15
    for i in range(3):  # within a second, too, the last one is what is there now
        assert served.ask("PUT", f"/v1/documents/more-{i}", {"text": "f g h"}).status == 201
        assert served.ask("GET", "/v1/growth").body["growth"][-1][1] == 15 + i
