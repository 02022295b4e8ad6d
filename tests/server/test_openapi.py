"""`lookalike serve` keeps to its own description, /openapi.json: requests made from it."""

from __future__ import annotations

import http.client
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import openapi_spec_validator
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from schemathesis import Case, GenerationMode, Response
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.schemas import APIOperation
from silent import Silent
from test_result import ROWS, audited, dedup, wait_for_texts, write

set_hypothesis_home_dir(Path(__file__).resolve().parents[2] / "build" / "hypothesis")

Operation = APIOperation[Any, Any, Any, Any]

EXAMPLES: Final = 12
#: Names that are there, so that requests get further than to 404.
KNOWN: Final = ("in.jsonl:1", "in.jsonl:2", "1")
METHODS: Final = ("GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW")


def names_in(text: str) -> list[str]:
    return text.split()


COMMON: Final = names_in(
    "getDocument query queryBatch compare compareAll getStats getHealth getLiveness getReadiness "
    "getMetrics getOpenApi getExplorer getExplorerScript getExplorerStyle"
)
INDEX: Final = names_in(
    "putDocument deleteDocument addDocuments listClusters getCluster listChanges compact backup "
    "getOperation getGrowth"
)
RESULT: Final = names_in(
    "getResult getReport findClusters getResultCluster listDecisions decide takeBack "
    "getAudit listFindings listGuarded listConflicts"
)
#: A side, index or result, and an operation that is served there.
OPERATIONS: Final = [
    *(("index", name) for name in COMMON + INDEX),
    *(("result", name) for name in COMMON + RESULT),
]
#: These take neither a body nor parameters of the query, so no request can break their form.
FORMLESS: Final = names_in(
    "getDocument deleteDocument getOperation getResult getReport getAudit listDecisions takeBack "
    "getHealth getGrowth getLiveness getReadiness getMetrics getOpenApi getExplorer getExplorerScript "
    "getExplorerStyle"
)
#: Refusals that depend on what the index is, and not on the form of a request.
FOR_ITS_MEANING: Final = (
    "documents that are similar can be left out from a resemblance of 0.8 on",
    "clusters are made at a threshold of 0.8; they can be cut at a higher one only",
    "the index has no keys for measure=containment",
    "keep takes one document",
    "split takes one document",
    "merge takes two documents",
    "no cluster of the result has a document",
    "bytes, 1 to 1024 are allowed",  # the description counts characters
)

load_all_checks()
CONFORMANCE: Final[Any] = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)
REJECTION: Final[Any] = CHECKS.get_by_names(["negative_data_rejection"])


class Described:
    """A server with its description, of which requests can be made."""

    def __init__(self, served: Silent, backups: Path) -> None:
        self.served = served
        self.backups = backups
        self.document: dict[str, Any] = served.ask("GET", "/openapi.json").body
        schema = schemathesis.openapi.from_dict(self.document)
        schema.config.update(base_url=f"http://127.0.0.1:{served.port}")
        self.operations: dict[str, Operation] = {}
        results: Any = schema.get_all_operations()
        for result in results:
            operation = result.ok()
            self.operations[operation.definition.raw["operationId"]] = operation

    def finish(self, path: str) -> None:
        """Waits for an operation, and removes its copy: another request may give it the same name,
        and whether that is refused must not depend on the time it takes."""
        while (state := self.served.ask("GET", path).body)["state"] == "running":
            time.sleep(0.01)
        assert state["state"] == "done", state
        for copy in self.backups.iterdir():
            shutil.rmtree(copy)


@pytest.fixture(scope="module")
def sides(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Described]]:
    """An index and a batch result with the same documents, both served."""
    folder = tmp_path_factory.mktemp("described")
    (folder / "backups").mkdir()
    dedup(binary, folder / "out", write(folder / "in.jsonl", ROWS))
    audited(binary, folder)
    create: list[str | Path] = [
        binary,
        "index",
        "create",
        folder / "seen",
        "--keep",
        "text",
        "--quiet",
    ]
    subprocess.run(create, check=True)
    index = Silent(binary, folder / "seen", "--backups", folder / "backups")
    result = Silent(binary, "--result", folder / "out", folder / "in.jsonl")
    rows = [{"id": f"in.jsonl:{i + 1}", "text": text} for i, (_, text) in enumerate(ROWS)]
    try:
        assert index.ask("POST", "/v1/documents:batch", {"documents": rows}).status == 200
        wait_for_texts(result)
        backups = folder / "backups"
        yield {"index": Described(index, backups), "result": Described(result, backups)}
        for served in (index, result):
            assert served.end() == (0, "")
    finally:
        index.kill()
        result.kill()


def send(case: Case[Any], known: str | None) -> Response:
    """Sends a request; `known` takes the place of what is in braces in its path."""
    if known is not None and case.path_parameters:
        case.path_parameters = {name: known for name in case.path_parameters}
    return case.call(timeout=20)


def send_all(
    operation: Operation,
    mode: GenerationMode,
    check: Callable[[Case[Any], Response], None],
) -> None:
    """Sends requests of one operation, the same ones in every run, and checks their answers."""

    @seed(20261128)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(mode), known=st.sampled_from([*KNOWN, None]))
    def run(case: Case[Any], known: str | None) -> None:
        check(case, send(case, known))

    run()


def conforms_and_is_taken(case: Case[Any], response: Response) -> None:
    case.validate_response(response, checks=CONFORMANCE)
    if response.status_code in (400, 415, 422):
        detail = response.json()["detail"]
        assert any(known in detail for known in FOR_ITS_MEANING), (
            f"{case.as_curl_command()}\n{response.status_code} {detail}"
        )


def conforms_and_is_refused(case: Case[Any], response: Response) -> None:
    case.validate_response(response, checks=[*CONFORMANCE, *REJECTION])


def test_the_description_is_proper_openapi(sides: dict[str, Described]) -> None:
    for side in sides.values():
        openapi_spec_validator.validate(side.document)


def test_all_operations_are_tested(sides: dict[str, Described]) -> None:
    served = {(side, name) for side in sides for name in sides[side].operations}
    assert served == set(OPERATIONS)


@pytest.mark.parametrize(("side", "name"), OPERATIONS)
def test_a_request_that_fits_is_answered_as_described(
    sides: dict[str, Described], side: str, name: str
) -> None:
    described = sides[side]

    def check(case: Case[Any], response: Response) -> None:
        conforms_and_is_taken(case, response)
        if response.status_code == 202:
            described.finish(response.json()["operation"])

    send_all(described.operations[name], GenerationMode.POSITIVE, check)


@pytest.mark.parametrize(("side", "name"), [o for o in OPERATIONS if o[1] not in FORMLESS])
def test_a_request_that_does_not_fit_is_refused(
    sides: dict[str, Described], side: str, name: str
) -> None:
    operation = sides[side].operations[name]
    send_all(operation, GenerationMode.NEGATIVE, conforms_and_is_refused)


@pytest.mark.parametrize("side", ["index", "result"])
def test_a_method_that_is_not_described_is_refused(sides: dict[str, Described], side: str) -> None:
    served = sides[side].served
    for path, described in sides[side].document["paths"].items():
        allowed = {method.upper() for method in described}
        allowed |= {"HEAD"} if "GET" in allowed else set()
        target = path.replace("{id}", "x").replace("{number}", "1")
        for method in METHODS:
            if method in allowed:
                continue
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
            connection.request(method, target)
            answer = connection.getresponse()
            assert answer.status == 405, (method, target)
            assert set(answer.headers["Allow"].split(", ")) == allowed, (method, target)
            assert answer.headers["Content-Type"] == "application/problem+json"
            connection.close()


@pytest.mark.parametrize("method", ["get", "head"])
def test_head_is_get_without_a_body(sides: dict[str, Described], method: str) -> None:
    for side in sides.values():
        for path, described in side.document["paths"].items():
            if "get" not in described or "{" in path:
                continue
            parameters = described["get"].get("parameters", [])
            needed = [
                f"{each['name']}={each['schema']['enum'][0]}"
                for each in parameters
                if each["required"]
            ]
            answer = side.served.ask(method.upper(), f"{path}?{'&'.join(needed)}")
            assert answer.status == 200, path
            assert (method == "head") == (answer.body == ""), path


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/v1/documents:batch", {"documents": [{"id": "", "text": "a"}]}),
        ("/v1/documents:batch", {"documents": [{"id": "x" * 1025, "text": "a"}]}),
        ("/v1/admin/backup", {"name": "a b"}),
        ("/v1/admin/backup", {"name": ""}),
    ],
)
def test_the_form_is_all_described(
    sides: dict[str, Described], target: str, body: dict[str, Any]
) -> None:
    index = sides["index"]
    content = index.document["paths"][target]["post"]["requestBody"]["content"]
    reference = content["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    assert index.served.ask("POST", target, body).status != 400 or not fits(index, reference, body)


def fits(described: Described, name: str, body: dict[str, Any]) -> bool:
    """True if a body fits a schema of the description."""
    schema = {**described.document, "$ref": f"#/components/schemas/{name}"}
    return jsonschema_rs.is_valid(schema, body)


@pytest.mark.parametrize("side", ["index", "result"])
@pytest.mark.parametrize("documents", [[], ["in.jsonl:1"]])
def test_one_document_is_not_compared_with_all(
    sides: dict[str, Described], side: str, documents: list[str]
) -> None:
    refused = sides[side].served.ask("POST", "/v1/compare:all", {"documents": documents})
    assert refused.status == 400


@pytest.mark.parametrize("side", ["index", "result"])
def test_a_refusal_does_not_repeat_a_long_id(sides: dict[str, Described], side: str) -> None:
    refused = sides[side].served.ask("POST", "/v1/query", {"id": "x" * 1_000_000})
    assert len(refused.detail) < 2_000
