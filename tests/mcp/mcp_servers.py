"""Starting, killing and calling MCP servers in tests."""

import json
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import RunUsage

from cardwright.mcp import MCPHTTPConnectionConfig, MCPStdioConnectionConfig, MCPTool
from cardwright.mcp.connection import Connection

SCRIPTS = Path(sys.executable).parent
OWN_SERVER = Path(__file__).with_name("own_server.py")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Farm:
    """The process that starts HTTP servers."""

    process: "subprocess.Popen[str]"

    def start(self, options: dict[str, object]) -> int:
        """Start a server that listens when this returns; its process id."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(options) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@dataclass
class HttpServer:
    """One server at one address, which can be killed and started again."""

    farm: Farm
    journal: Path
    transport: str
    options: dict[str, object] = field(default_factory=dict[str, object])
    port: int = field(default_factory=free_port)
    pid: int | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/{'sse' if self.transport == 'sse' else 'mcp'}"

    def start(self) -> None:
        """Start it on its port, once a former run has left it."""
        if self.pid is not None:
            kill(self.pid)
        options = {"transport": self.transport, "port": self.port, "journal": str(self.journal)}
        self.pid = self.farm.start({**options, **self.options})

    def kill(self) -> None:
        """`kill -9`, and wait until the process is gone."""
        assert self.pid is not None
        kill(self.pid)

    def connection(self, **fields: object) -> MCPHTTPConnectionConfig:
        """A connection to it."""
        stated = {"url": self.url, "transport": self.transport}
        return MCPHTTPConnectionConfig.model_validate({**stated, **fields})


def kill(pid: int) -> None:
    """`kill -9`, and wait until the process is gone or a zombie."""
    try:
        watch = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    try:
        select.select([watch], [], [], 10)
    finally:
        os.close(watch)


def own_stdio(journal: Path, **fields: object) -> MCPStdioConnectionConfig:
    """A connection to the tests' server over stdio."""
    return stdio([sys.executable, str(OWN_SERVER), "stdio", str(journal)], **fields)


def stdio(
    command: list[str], pid_file: Path | None = None, /, **fields: object
) -> MCPStdioConnectionConfig:
    """A connection over stdio; the server's process id is written to `pid_file` at each start."""
    if pid_file is not None:
        command = [
            "sh",
            "-c",
            f"echo $$ > {shlex.quote(str(pid_file))}; exec {shlex.join(command)}",
        ]
    stated = {"stdio_command": command[0], "stdio_args": command[1:]}
    return MCPStdioConnectionConfig.model_validate({**stated, **fields})


def toolset_of(card: MCPTool | Connection) -> AbstractToolset[object]:
    """The one toolset of a card, or of a card with that connection."""
    found = card if isinstance(card, MCPTool) else MCPTool(connection=card)
    (toolset,) = found.get_toolsets()
    return cast("AbstractToolset[object]", toolset)


def context() -> RunContext[object]:
    """What an agent hands to a toolset."""
    return RunContext[object](deps=None, model=TestModel(), usage=RunUsage())


async def call(toolset: AbstractToolset[object], name: str, /, **arguments: object) -> object:
    """Call a tool as an agent does: look it up, then call it."""
    tools = await toolset.get_tools(context())
    return await toolset.call_tool(name, arguments, context(), tools[name])
