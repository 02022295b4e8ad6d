"""`lookalike mcp`: the tools of an agent, by its own messages and by the protocol's client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

WORDS = [f"w{i}" for i in range(60)]
TEXT = " ".join(WORDS)
#: One word of 60 differs: 51 of 61 features are common.
NEAR = " ".join([*WORDS[:30], "edit", *WORDS[31:]])
NEAR_SCORE = 51 / 61


class Agent:
    """Messages to a server, one at a time."""

    def __init__(self, binary: Path, index: Path) -> None:
        self.process = subprocess.Popen(
            [binary, "mcp", index], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.number = 0

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **parameters: Any) -> Any:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.send(json.dumps(message))
        answer = self.receive()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.number)
        return answer

    def call(self, tool: str, **arguments: Any) -> Any:
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            return text
        assert json.loads(text) == result["structuredContent"]
        return result["structuredContent"]

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)


@pytest.fixture
def seen(run: Callable[..., Any], tmp_path: Path) -> Path:
    run("index", "create", "seen", "--keep", "text", "--quiet")
    return tmp_path / "seen"


@pytest.fixture
def agent(binary: Path, seen: Path) -> Iterator[Agent]:
    agent = Agent(binary, seen)
    yield agent
    agent.process.kill()
    agent.process.wait()
    for pipe in (agent.process.stdin, agent.process.stdout):
        if pipe is not None:
            pipe.close()


def test_versions_are_agreed_on(agent: Agent) -> None:
    for asked, spoken in [
        ("2025-03-26", "2025-03-26"),
        ("2030-01-01", "2025-06-18"),
        (5, "2025-06-18"),
    ]:
        result = agent.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={})[
            "result"
        ]
        assert result["protocolVersion"] == spoken
        assert result["serverInfo"]["name"] == "lookalike" and result["capabilities"] == {
            "tools": {}
        }
    agent.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    assert agent.ask("ping")["result"] == {}


def test_tools_describe_themselves(agent: Agent) -> None:
    tools = {tool["name"]: tool for tool in agent.ask("tools/list")["result"]["tools"]}
    assert list(tools) == ["find_similar", "add_unless_similar", "compare", "stats"]
    assert "$ref" not in json.dumps(tools)
    assert tools["add_unless_similar"]["inputSchema"]["required"] == ["id", "text"]
    assert not tools["add_unless_similar"]["annotations"]["readOnlyHint"]
    assert all(tool["description"].endswith(".") for tool in tools.values())


def test_an_agent_finds_and_adds(agent: Agent, run: Callable[..., Any]) -> None:
    assert agent.call("find_similar", text=TEXT)["matches"] == []
    assert agent.call("add_unless_similar", id="a", text=TEXT, metadata={"n": 1}) == {
        "outcome": "added"
    }
    like = {"id": "a", "resemblance": NEAR_SCORE, "exact": True, "metadata": {"n": 1}}
    assert agent.call("add_unless_similar", id="b", text=NEAR) == {
        "outcome": "similar",
        "like": like,
    }
    assert agent.call("find_similar", text=NEAR)["matches"] == [like]
    assert agent.call("find_similar", text=NEAR, threshold=0.9)["matches"] == []
    assert agent.call("find_similar", id="a")["matches"] == []
    added = agent.call("add_unless_similar", id="b", text=NEAR, threshold=0.9)
    assert added == {"outcome": "added"}
    compared = agent.call("compare", a={"id": "a"}, b={"text": NEAR})
    assert compared["resemblance"] == NEAR_SCORE and "passages" not in compared
    assert agent.call("compare", a={"id": "a"}, b={"text": NEAR}, passages=True)["passages"]
    assert agent.call("stats")["documents"] == 2
    assert agent.end() == 0
    assert run("index", "get", "seen", "b").json["id"] == "b"


def test_answers_are_short_unless_asked(agent: Agent) -> None:
    for i in range(8):
        agent.call("add_unless_similar", id=f"d{i}", text=f"{TEXT} end{i}", threshold=1)
    assert len(agent.call("find_similar", text=TEXT)["matches"]) == 5
    assert len(agent.call("find_similar", text=TEXT, top=7)["matches"]) == 7


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("find_similar", {"text": 5}, "text must be a text"),
        ("find_similar", {}, "the call needs one of text and id"),
        ("find_similar", {"text": "a", "top": 101}, "top must be a whole number from 1 to 100"),
        ("find_similar", {"text": "a", "k": 3}, "the call takes no 'k'"),
        ("find_similar", {"text": "a", "threshold": 1.5}, "a number above 0, at most 1"),
        ("find_similar", {"id": "nobody"}, "there is no document 'nobody'"),
        ("add_unless_similar", {"id": "a"}, "the call needs 'text'"),
        ("add_unless_similar", {"id": "", "text": "a"}, "the id has 0 bytes"),
        ("compare", {"a": {"text": "x"}, "b": {}}, "b needs one of text and id"),
    ],
)
def test_a_call_that_fails_says_why(agent: Agent, tool: str, arguments: Any, said: str) -> None:
    told = agent.call(tool, **arguments)
    assert isinstance(told, str) and said in told


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", -32700),
        ("[" * 1000, -32700),
        ("[]", -32600),
        ("5", -32600),
        ('{"jsonrpc": "2.0", "id": 7}', -32600),
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', -32600),
        ('{"jsonrpc": "2.0", "id": 7, "method": "no/such"}', -32601),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}', -32602),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "none"}}', -32602),
        ('{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}', -32602),
        ("x" * ((16 << 20) + 1), -32600),
    ],
    ids=range(11),
)
def test_what_is_no_message_is_an_error_and_not_the_end(agent: Agent, text: str, code: int) -> None:
    agent.send(text)
    assert agent.receive()["error"]["code"] == code
    agent.send("")
    agent.send('{"jsonrpc": "2.0", "id": 99, "result": {}}')
    assert agent.ask("ping")["result"] == {}


def test_the_client_of_the_protocol(binary: Path, seen: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def talk() -> None:
        server = StdioServerParameters(command=str(binary), args=["mcp", str(seen)])
        async with (
            stdio_client(server) as (reading, writing),
            ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            tools = await client.list_tools()
            assert [tool.name for tool in tools.tools][:3] == [
                "find_similar",
                "add_unless_similar",
                "compare",
            ]
            added = await client.call_tool("add_unless_similar", {"id": "a", "text": TEXT})
            assert "added" in str(added.content[0])
            found = await client.call_tool("find_similar", {"text": NEAR})
            assert '"id":"a"' in str(found.content[0])

    asyncio.run(asyncio.wait_for(talk(), 60))
