"""`dialoom mcp` as the SDK's own client finds it, over standard input and output."""

from __future__ import annotations

import os
import sys
from typing import Any

import anyio

import dialoom
from dialoom.play.tools.task_tools import DIFF, JUDGE, MEET, RESET, SAY, TaskTools
from dialoom.schema import pack

WEATHER = {"City": "Port Ansel", "Day": "Sunday"}


async def talk(server: Any) -> None:
    from mcp import Client

    async with Client(server) as client:
        assert client.instructions is not None
        assert "weather" in client.instructions
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == {"weather", RESET, DIFF, MEET, SAY, JUDGE}
        assert tools["weather"].input_schema["required"] == ["City", "Day"]
        forecast = await client.call_tool("weather", WEATHER)
        assert forecast.structured_content is not None
        assert forecast.structured_content["items"][0]["Weather"] == "partly cloudy"
        assert not forecast.is_error
        assert (await client.call_tool(DIFF, {})).structured_content == {}
        assert (await client.call_tool(RESET, {})).structured_content == {"reset": ["weather"]}
        met = await client.call_tool(MEET, {"task": "weather", "goal": 1})
        assert met.structured_content is not None and met.structured_content["user"]
        reply = await client.call_tool(SAY, {"text": "Which day are you interested in?"})
        assert reply.structured_content is not None and reply.structured_content["user"]
        judged = await client.call_tool(JUDGE, {})
        assert judged.structured_content is not None
        assert judged.structured_content["success"] is False
        wrong = await client.call_tool("weather", {"Town": "Velmora"})
        assert wrong.is_error
        (message,) = wrong.content
        assert "Town" in message.model_dump()["text"]


def test_a_client_in_the_same_process() -> None:
    from dialoom.play.tools.mcp import server_of

    anyio.run(talk, server_of(TaskTools((pack.load("weather"),), 7), dialoom.__version__))


def test_a_client_that_starts_the_command() -> None:
    from mcp import StdioServerParameters

    command = ["-W", "error", "-m", "dialoom", "mcp", "--tasks", "weather", "--seed", "7"]
    anyio.run(
        talk, StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    )
