"""Tools of tasks over the Model Context Protocol, by its official SDK.

    anyio.run(serve_stdio, TaskTools(tasks, seed=7))

A wrong use of a tool is answered with the reason, marked as an error, so that the model can try
again.
"""

from __future__ import annotations

from typing import Any

import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from dialoom.errors import DialoomError
from dialoom.play.tools.task_tools import TaskTools


def server_of(tools: TaskTools, version: str = "") -> Server[Any]:
    """Return a server that offers tools."""

    async def listed(context: Any, request: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(name=t["name"], description=t["description"], input_schema=t["parameters"])
                for t in tools.definitions
            ]
        )

    async def called(context: Any, request: CallToolRequestParams) -> CallToolResult:
        try:
            answer = tools.call(request.name, request.arguments or {})
        except DialoomError as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        content = TextContent(text=msgspec.json.encode(answer).decode())
        return CallToolResult(content=[content], structured_content=answer)

    return Server(
        "dialoom",
        version=version,
        instructions=tools.policy,
        on_list_tools=listed,
        on_call_tool=called,
    )


async def serve_stdio(tools: TaskTools, version: str = "") -> None:
    """Serve over standard input and output until the client leaves."""
    server = server_of(tools, version)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
