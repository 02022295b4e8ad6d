"""The forms of answers in /openapi.json: the server's own answers, and those that the tests of the
explorer give in its place."""

from __future__ import annotations

import copy
import http.client
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import jsonschema_rs
import pytest
from silent import Silent
from test_result import ROWS, audited, dedup, wait_for_texts, write

WEB: Final = Path(__file__).parents[2] / "web" / "explorer"
TEXT: Final = ROWS[0][1]


class Ask(NamedTuple):
    """A request, and the operation that it is for."""

    operation: str
    method: str
    path: str
    body: Any = None


def get(operation: str, path: str) -> Ask:
    return Ask(operation, "GET", path)


def post(operation: str, path: str, body: Any) -> Ask:
    return Ask(operation, "POST", path, body)


COMMON: Final = [
    get("getDocument", "/v1/documents/in.jsonl:1"),
    post("query", "/v1/query", {"text": TEXT, "passages": True}),
    post("query", "/v1/query", {"id": "in.jsonl:1"}),
    post("queryBatch", "/v1/query:batch", {"queries": [{"text": TEXT}, {"id": "in.jsonl:6"}]}),
    post("compare", "/v1/compare", {"a": {"id": "in.jsonl:6"}, "b": {"id": "in.jsonl:7"}}),
    post("compare", "/v1/compare", {"a": {"text": TEXT}, "b": {"text": "a few"}}),
    post("compareAll", "/v1/compare:all", {"documents": ["in.jsonl:1", "in.jsonl:2"]}),
    get("getStats", "/v1/stats"),
    get("getStats", "/v1/stats?audit=4"),
    get("getHealth", "/healthz"),
    get("getLiveness", "/livez"),
    get("getReadiness", "/readyz"),
    get("getOpenApi", "/openapi.json"),
]
INDEX: Final = [
    Ask("putDocument", "PUT", "/v1/documents/new", {"text": "one two three four five six"}),
    Ask("putDocument", "PUT", "/v1/documents/more?unless_similar=0.9", {"text": TEXT}),
    post("addDocuments", "/v1/documents:batch", {"documents": [{"id": "last", "text": TEXT}]}),
    get("listClusters", "/v1/clusters?limit=1"),
    get("listClusters", "/v1/clusters"),
    get("getCluster", "/v1/clusters/c1"),
    get("listChanges", "/v1/changes"),
    get("getGrowth", "/v1/growth"),
    get("getDocument", "/v1/documents/new"),
    Ask("deleteDocument", "DELETE", "/v1/documents/new"),
    post("compact", "/v1/admin/compact", {}),
    get("getOperation", "/v1/operations/1"),
]
#: The answer of `backup` is that of `compact`, and only one of them may run at a time.
INDEX_ALONE: Final = [post("backup", "/v1/admin/backup", {"name": "copy"})]
RESULT: Final = [
    get("getResult", "/v1/result"),
    get("getReport", "/v1/result/report"),
    get("listGuarded", "/v1/result/guarded"),
    get("findClusters", "/v1/result/clusters"),
    get("findClusters", "/v1/result/clusters?limit=1"),
    get("getResultCluster", "/v1/result/clusters/1"),
    get("getResultCluster", "/v1/result/clusters/2?limit=1"),
    get("listConflicts", "/v1/result/clusters/1/conflicts"),
    get("getAudit", "/v1/result/audit"),
    *(
        get("listFindings", f"/v1/result/audit/findings?kind={kind}")
        for kind in ("false_removal", "missed", "false_pair", "missed_pair")
    ),
    get("listDecisions", "/v1/result/decisions"),
    Ask("takeBack", "DELETE", "/v1/result/decisions/1"),
]


class Forms:
    """The forms of the answers of a server, without members that they do not name."""

    def __init__(self, description: dict[str, Any]) -> None:
        self.closed = copy.deepcopy(description)
        for schema in self.closed["components"]["schemas"].values():
            if schema["properties"]:
                schema["additionalProperties"] = False
        self.by_operation: dict[str, dict[str, Any]] = {}
        for methods in self.closed["paths"].values():
            for operation in methods.values():
                self.by_operation[operation["operationId"]] = operation["responses"]

    def is_json(self, operation: str) -> bool:
        answers = self.by_operation[operation].values()
        return any("application/json" in answer.get("content", {}) for answer in answers)

    def form_of(self, operation: str, status: int) -> dict[str, Any]:
        content = self.by_operation[operation][str(status)]["content"]
        return dict(content["application/json"]["schema"])

    def resolved(self, form: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Returns what a form refers to, null apart, and its name."""
        form = form.get("anyOf", [form])[0]
        if "$ref" not in form:
            return "", form
        name = form["$ref"].rsplit("/", 1)[1]
        return name, self.closed["components"]["schemas"][name]

    def odd_members(self, operation: str, status: int, body: Any) -> set[tuple[str, str, str]]:
        """Returns which members are missing somewhere in an answer, or null."""
        found = set()

        def look(form: dict[str, Any], value: Any) -> None:
            name, form = self.resolved(form)
            for item in value if form.get("type") == "array" else []:
                look(form["items"], item)
            for member, of in form.get("properties", {}).items():
                if member not in value:
                    found.add((name, member, "missing"))
                elif value[member] is None:
                    found.add((name, member, "null"))
                else:
                    look(of, value[member])

        look(self.form_of(operation, status), body)
        return found

    def members_that_may_be_odd(self, operations: set[str]) -> set[tuple[str, str, str]]:
        """Returns which members the answers of some operations need not have, or may have as null."""
        found = set()
        done = set()

        def look(form: dict[str, Any]) -> None:
            name, form = self.resolved(form)
            if name in done:
                return
            if name:  # others cannot refer to themselves
                done.add(name)
            if form.get("type") == "array":
                look(form["items"])
            for member, of in form.get("properties", {}).items():
                if member not in form.get("required", []):
                    found.add((name, member, "missing"))
                if "anyOf" in of or "null" in of.get("type", ""):
                    found.add((name, member, "null"))
                look(of)

        for operation in operations:
            for status in self.by_operation[operation]:
                if status.startswith("2"):
                    look(self.form_of(operation, int(status)))
        return found

    def check(self, operation: str, status: int, body: Any) -> None:
        jsonschema_rs.validate({**self.closed, **self.form_of(operation, status)}, body)


@pytest.fixture(scope="module")
def sides(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Silent]]:
    """An index, and a result with all that a result can have."""
    folder = tmp_path_factory.mktemp("forms")
    inputs = write(folder / "in.jsonl", ROWS)
    with inputs.open("a", encoding="utf-8") as file:
        file.write("no JSON\n")
    options = ("--keep", "longest", "--keep", "field:id", "--differ", "numbers")
    with_rejections = 3
    with pytest.raises(subprocess.CalledProcessError) as ended:
        dedup(binary, folder / "out", inputs, *options)
    assert ended.value.returncode == with_rejections
    with pytest.raises(subprocess.CalledProcessError) as ended:
        audited(binary, folder)
    assert ended.value.returncode == with_rejections
    (folder / "backups").mkdir()
    subprocess.run(
        [binary, "index", "create", folder / "seen", "--keep", "text", "--quiet"], check=True
    )
    index = Silent(binary, folder / "seen", "--backups", folder / "backups")
    result = Silent(binary, "--result", folder / "out", "--agree", "id", inputs)
    dedup(binary, folder / "plain", write(folder / "plain.jsonl", ROWS))
    bare = Silent(binary, "--result", folder / "plain")
    rows = [
        {"id": f"in.jsonl:{i + 1}", "text": text, "metadata": [name]}
        for i, (name, text) in enumerate(ROWS)
    ]
    try:
        assert index.ask("POST", "/v1/documents:batch", {"documents": rows}).status == 200
        wait_for_texts(result)
        yield {"index": index, "result": result, "bare": bare}
    finally:
        for served in (index, result, bare):
            served.kill()


#: What a result does not say of documents whose input it does not know.
PLACE: Final = ("key", "source", "row")
#: A result of a run without options, without its inputs.
BARE: Final = [
    get("getStats", "/v1/stats?audit=4"),
    get("getResult", "/v1/result"),
    get("getResultCluster", "/v1/result/clusters/1"),
]
#: What may be missing or null, and is neither here.
NEVER_HERE: Final = {
    ("ClusterRow", "kept", "null"),  # only lists of another version leave it out
    *((name, member, "missing") for name in ("ResultDocument", "Member") for member in PLACE),
    ("FieldValue", "value", "null"),  # test_result.py has a missing value
    ("Finding", "guarded", "missing"),  # of a result without guards
    ("Match", "metadata", "missing"),  # as in StoredDocument, which is here
    ("Result", "recall", "missing"),  # of a run that measured none
    ("StoredDocument", "text", "missing"),  # of an index that keeps features
}


def decision_in(served: Silent) -> Ask:
    """Keeps a document of the first cluster in place of another one."""
    (first, *_) = served.ask("GET", "/v1/result/clusters/1").body["members"]
    body = {"decision": "keep", "cluster": 1, "documents": [first["key"]]}
    return post("decide", "/v1/result/decisions", body)


def test_answers_have_the_members_that_are_described_and_no_other(
    sides: dict[str, Silent],
) -> None:
    odd: set[tuple[str, str, str]] = set()
    may_be: set[tuple[str, str, str]] = set()
    for side, served in sides.items():
        forms = Forms(served.ask("GET", "/openapi.json").body)
        asked = COMMON + (INDEX if side == "index" else [decision_in(served), *RESULT])
        asked = BARE if side == "bare" else asked
        for operation, method, path, body in asked:
            answer = served.ask(method, path, body)
            assert answer.status < 300, (path, answer)
            forms.check(operation, answer.status, answer.body)
            odd |= forms.odd_members(operation, answer.status, answer.body)
        alone = INDEX_ALONE if side == "index" else []
        tested = {each.operation for each in asked + alone}
        all_tested = {name for name in forms.by_operation if forms.is_json(name)}
        assert tested == all_tested or side == "bare"
        may_be |= forms.members_that_may_be_odd(tested)
    assert may_be - odd == NEVER_HERE


@pytest.mark.parametrize("side", ["index", "result"])
def test_a_form_sees_what_is_missing_and_what_is_new(sides: dict[str, Silent], side: str) -> None:
    served = sides[side]
    forms = Forms(served.ask("GET", "/openapi.json").body)
    stats = served.ask("GET", "/v1/stats").body
    forms.check("getStats", 200, stats)
    for wrong in (
        {**stats, "more": 1},
        {name: value for name, value in stats.items() if name != "keys"},
        {**stats, "documents": None},
        {**stats, "keep": "all"},
        {**stats, "differ": "numbers"},
    ):
        with pytest.raises(jsonschema_rs.ValidationError):
            forms.check("getStats", 200, wrong)


def test_an_answer_may_get_more_members(sides: dict[str, Silent]) -> None:
    description = sides["index"].ask("GET", "/openapi.json").body
    stats = sides["index"].ask("GET", "/v1/stats").body
    form = {**description, "$ref": "#/components/schemas/Stats"}
    jsonschema_rs.validate(form, {**stats, "more": 1})
    assert not jsonschema_rs.is_valid(
        {**description, "$ref": "#/components/schemas/Query"}, {"text": "", "more": 1}
    )


#: Serves worlds of the explorer's tests: one line with the address of each.
STAND_IN: Final = """
import { startServer } from WEB;
for (const world of JSON.parse(process.argv[1])) console.log((await startServer(world)).origin);
process.stdin.resume();
"""
WORLDS: Final = {
    "index": {"mode": "index", "guards": ["numbers"]},
    "result": {
        "mode": "result",
        "agree": ["label"],
        "guarded": 3,
        "audit": "removed",
        "keep": ["longest", "first"],
    },
}
#: What the stand-in is asked, with its own ids.
SHOWN: Final = {
    "index": [
        get("getDocument", "/v1/documents/doc:1"),
        post("query", "/v1/query", {"text": "a text"}),
        post("compare", "/v1/compare", {"a": {"id": "doc:1"}, "b": {"id": "doc:2"}}),
        post("compareAll", "/v1/compare:all", {"documents": ["doc:1", "doc:2"]}),
        get("getStats", "/v1/stats"),
        get("getStats", "/v1/stats?audit=4"),
        get("listClusters", "/v1/clusters?limit=2"),
        get("getCluster", "/v1/clusters/c1"),
        get("listChanges", "/v1/changes?limit=5"),
        get("getGrowth", "/v1/growth"),
    ],
    "result": [
        *(ask for ask in RESULT if ask.method == "GET"),
        post("compare", "/v1/compare", {"a": {"id": "x:2000"}, "b": {"id": "x:2001"}}),
        post(
            "decide",
            "/v1/result/decisions",
            {"decision": "keep", "cluster": 2, "documents": ["x:2001"]},
        ),
        get("listDecisions", "/v1/result/decisions"),
        Ask("takeBack", "DELETE", "/v1/result/decisions/1"),
        get("findClusters", "/v1/result/clusters?limit=10"),
        get("listGuarded", "/v1/result/guarded?limit=2"),
        *(
            get("listFindings", f"/v1/result/audit/findings?limit=5&kind={kind}")
            for kind in ("false_removal", "missed")
        ),
    ],
}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("side", ["index", "result"])
def test_the_stand_in_of_the_explorers_tests_answers_like_the_server(
    sides: dict[str, Silent], side: str
) -> None:
    forms = Forms(sides[side].ask("GET", "/openapi.json").body)
    script = STAND_IN.replace("WEB", json.dumps(str(WEB / "test" / "server.mjs")))
    node = subprocess.Popen(
        ["node", "--input-type=module", "-e", script, json.dumps([WORLDS[side]])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert node.stdout is not None
        port = int(node.stdout.readline().rsplit(":", 1)[1])
        for operation, method, path, body in SHOWN[side]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            content = json.loads(answer.read())
            connection.close()
            assert answer.status < 300, (path, content)
            forms.check(operation, answer.status, content)
    finally:
        node.kill()
        node.communicate()
