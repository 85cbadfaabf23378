"""The tools that a server of the Model Context Protocol offers, by its official SDK.

anyio.run(listed_tools, "uvx mcp-server-time")
# [{"name": "get_current_time", "inputSchema": {…}, "annotations": {"readOnlyHint": true}}]
"""

from __future__ import annotations

import shlex
from typing import Any

from mcp import Client, MCPError, StdioServerParameters

from dialoom.errors import UsageError

WAIT = 60
"""Seconds to wait for an answer: servers that are fetched when they are first started take long."""


async def listed_tools(server: str) -> list[dict[str, Any]]:
    """Return the definitions of a server's tools, as they are listed.

    Args:
        server: The command that starts it, or its URL.

    Raises:
        UsageError: There is no such command, or it is no such server.
    """
    words = shlex.split(server)
    if not words:
        raise UsageError("mcp: name the command that starts the server, as mcp:COMMAND")
    remote = server.startswith(("http://", "https://"))
    place = server if remote else StdioServerParameters(command=words[0], args=words[1:])
    try:
        return await _listed(Client(place, read_timeout_seconds=WAIT))
    except (OSError, MCPError, ExceptionGroup) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"mcp:{server}: lists no tools: {reason[:200]}") from error


async def _listed(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    async with client:
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                held = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
                found.append(held | {"response": held.get("outputSchema", {})})
            cursor = page.next_cursor
            if not cursor:
                return found
