"""The process: what it prints where, how it ends, whom it refuses."""

import json
import signal
import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.mcp_server.conftest import TOKEN, Start, end, listening_at

from cardwright.cli.app import run
from cardwright.mcp_server import Door, DoorError

type Json = dict[str, Any]

HTTP = ("--transport", "streamable-http", "--port", "0")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait_long"}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
NOW = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}}
VERSION = {"mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover"}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def test_standard_output_holds_the_protocol_alone_and_the_end_of_input_ends_it(
    start: Start,
) -> None:
    process = start("LabTool")
    shout = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "shout"}}
    text = "".join(f"{json.dumps(one)}\n" for one in (HELLO, READY))
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text + "no JSON\n" + json.dumps(shout) + "\n")
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    out, err = process.communicate(timeout=20)
    answers += map(json.loads, out.splitlines())
    assert [one["id"] for one in answers if "id" in one and "result" in one] == [1, 2]
    assert process.returncode == 0
    for line in ("while it is imported", "while it is bound", "printed by a tool", "written by"):
        assert line in err
    assert "Traceback" not in err


def test_a_signal_ends_a_stdio_server_in_the_middle_of_a_call(start: Start, journal: Path) -> None:
    journal.write_text("")
    process = start("LabTool")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(f"{json.dumps(one)}\n" for one in (HELLO, READY, CALL)))
    process.stdin.flush()
    process.stdout.readline()
    while "begun" not in journal.read_text():
        pass
    assert end(process, signal.SIGTERM) == 0
    assert "cancelled" in journal.read_text()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()


def test_http_keeps_the_door_and_ends_on_a_signal(start: Start) -> None:
    process = start("LabTool", *HTTP, "--token-env", "LAB_TOKEN")
    url = listening_at(process)
    assert url.startswith("http://127.0.0.1:")
    port = url.split(":")[2].partition("/")[0]
    good = JSON | {"authorization": f"Bearer {TOKEN}"}
    cases = {
        "no token": (JSON, 401),
        "another token": (JSON | {"authorization": "Bearer sesame-open-8"}, 401),
        "a token with more": (JSON | {"authorization": f"Bearer {TOKEN}x"}, 401),
        "another scheme": (JSON | {"authorization": f"Basic {TOKEN}"}, 401),
        "another host": (good | {"host": "evil.example"}, 421),
        "a host that begins like ours": (good | {"host": f"127.0.0.1:{port}.evil.example"}, 421),
        "another port": (good | {"host": "127.0.0.1:1"}, 421),
        "a foreign page": (good | {"origin": "https://evil.example"}, 403),
        "a page of ours": (good | {"origin": f"http://127.0.0.1:{port}"}, 200),
        "all right": (good, 200),
    }
    with httpx2.Client(timeout=20) as client:
        for name, (headers, status) in cases.items():
            answer = client.post(url, json=HELLO, headers=headers)
            assert answer.status_code == status, name
            assert TOKEN not in answer.text
        assert client.get(url.removesuffix("/mcp"), headers=JSON).status_code == 401
        for headers, status in ((good, 200), (good | {"host": "evil.example"}, 421)):
            assert client.post(url, json=NOW, headers=headers | VERSION).status_code == status
    assert end(process, signal.SIGINT) == 0
    assert process.stderr is not None
    told = process.stderr.read()
    assert "Traceback" not in told
    assert TOKEN not in told


def test_a_configured_card_and_a_team_that_is_kept(start: Start, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'mcp.db'}"
    add: Json = {
        "create_tasks": [
            {"id": 1, "status": "pending", "description": "Sweep.", "owner": "", "dependencies": []}
        ]
    }
    calls: list[tuple[str, Json]] = [("update_planning", {"update": add}), ("search_planning", {})]
    for round_, (name, arguments) in enumerate(calls):
        process = start("--config", "cards.yaml", "--store", store, "--team", "kept")
        call = {"name": name, "arguments": arguments}
        lines: list[Json] = [
            HELLO,
            READY,
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
        ]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{json.dumps(one)}\n" for one in lines))
        process.stdin.flush()
        hello = json.loads(process.stdout.readline())["result"]
        assert hello["instructions"] == "From a file."
        answer = json.loads(process.stdout.readline())["result"]
        assert "isError" not in answer or not answer["isError"], answer
        if round_:
            assert "Sweep." in answer["content"][0]["text"]
        process.communicate(timeout=20)
        assert process.returncode == 0


def test_each_store_has_a_team_of_its_own_that_is_found_again(start: Start, tmp_path: Path) -> None:
    from cardwright.store.teams import Teams

    urls = [f"sqlite:///{tmp_path / name}" for name in ("one.db", "other.db", "one.db")]
    for url in urls:
        process = start("PlanningTool", "--store", url)
        process.communicate(timeout=20)
        assert process.returncode == 0
    found: list[tuple[object, str]] = []
    for url in urls[:2]:
        with Teams(url) as teams:
            (info,) = teams.list()
            found.append((info.process.team_id, info.process.name))
    (one, name), (other, again) = found
    assert one != other
    assert name == again == "mcp"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["PlanningTool", *HTTP, "--host", "0.0.0.0"], "name the environment variable of a token"),
        (["PlanningTool", *HTTP, "--host", "::"], "name the environment variable of a token"),
        (["PlanningTool", *HTTP, "--host", "cards.example"], "name the environment variable"),
        (["PlanningTool", *HTTP, "--host", "0.0.0.0", "--token-env", "EMPTY"], "EMPTY is not set"),
        (["PlanningTool", *HTTP, "--host", "0.0.0.0", "--token-env", "TOKEN"], "--allow-host"),
        (["PlanningTool", "--token-env", "TOKEN"], "need --transport streamable-http"),
        ([], "name a card to serve"),
        (["PlaningTool"], "did you mean PlanningTool?"),
        (["MCPTool"], "MCPTool must be configured (connection): use --config"),
        (["MetadataTool"], "serve no tool"),
        (["PlanningTool", "PlanningTool"], "PlanningTool"),
        (["PlanningTool", "--agree", "update_plan"], "there is no tool 'update_plan' to agree to"),
        (["PlanningTool", "--store", "nowhere://"], "a store URL starts with sqlite:///"),
        (["--config", "absent.yaml"], "absent.yaml"),
        (["PlanningTool", *HTTP[:2], "--port", "TAKEN"], "Address already in use; choose another"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    arguments: list[str],
    told: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKEN", TOKEN)
    monkeypatch.setenv("EMPTY", " ")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = [port if one == "TAKEN" else one for one in arguments]
        assert run(["mcp", "serve", *given]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert told in err
    assert TOKEN not in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cards: [", "it is no YAML at line 1"),
        ("cards: [{card: PlanningTool, top: 2024-13-45}]", "it is no YAML"),
        ("cards: " + "[" * 3000 + "]" * 3000, "it is no YAML"),
        ("cards: [{card: PlanningTool, top: &a [*a]}]", "a value holds itself"),
        ("[]", "it holds one key"),
        ("cards: []\nmore: 1", "it holds one key"),
        ("cards: [1]", "an entry is a card's name"),
        ("cards: [{motto: x}]", "an entry lacks `card`"),
        ("cards: [{card: PlanningTool, search_top_k: sesame}]", "search_top_k: "),
        ("cards: [{card: PlanningTool, top: 1}]", "top"),
    ],
)
def test_a_file_that_is_wrong_is_one_line(
    text: str, told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cards.yaml"
    path.write_text(text, encoding="utf-8")
    assert run(["mcp", "serve", "--config", str(path)]) == 2
    err = capfd.readouterr().err
    assert told in err
    assert "sesame" not in err
    assert err.count("\n") == 1


def test_a_door_knows_its_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", TOKEN)
    loopback = Door.checked("127.0.0.1", 1)
    assert loopback.names == ("127.0.0.1", "localhost", "[::1]")
    assert loopback.lets_in(None)
    wide = Door.checked("0.0.0.0", 1, token_env="TOKEN", names=["cards.example"])
    assert wide.hosts(80) == ["cards.example:80", "cards.example"]
    assert not wide.lets_in(None)
    assert not wide.lets_in("Bearer ")
    assert wide.lets_in(f"bearer {TOKEN}")
    assert Door.checked("::1", 1).token is None
    monkeypatch.setenv("TOKEN", "two words")
    with pytest.raises(DoorError, match="no HTTP header can carry"):
        Door.checked("127.0.0.1", 1, token_env="TOKEN")
