"""An MCP server as an environment, by the protocol's official SDK.

    environment: mcp:python shop.py          a command, which is started
    environment: mcp:http://localhost:8000/mcp

The SDK is asynchronous: a connection lives in a thread of its own, and answers one request after
the other. A server's standard error is kept for the message of a failure.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shlex
import tempfile
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from operator import methodcaller
from typing import Any
from weakref import finalize

import msgspec
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent

from dialoom.errors import UsageError, clip
from dialoom.play.environments.base import EnvironmentFailureError
from dialoom.play.environments.remote import TIMEOUT, PublishedTool
from dialoom.schema.environment import EnvironmentSpec, ExpectedCall

GRACE = 5.0
"""Seconds beyond the timeout within which the SDK itself reports that nobody answers."""

LONGEST = 1000
"""Most characters of a refusal for an agent: as many as of a text of a task file."""

RESULT = "result"

# failures are reported in one line; without a handler, Python prints the SDK's tracebacks
logging.getLogger("mcp").addHandler(logging.NullHandler())

Use = Callable[[Client], Awaitable[Any]]


class _Link:
    def __init__(self, spec: EnvironmentSpec, timeout: float) -> None:
        self._spec, self._timeout = spec, timeout
        self._loop = asyncio.new_event_loop()
        self._asked: asyncio.Queue[tuple[Use, Future[Any]] | None] = asyncio.Queue()
        self._opened: Future[None] = Future()
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def ask(self, use: Use) -> Any:
        self._opened.result(self._timeout + GRACE)
        done: Future[Any] = Future()
        self._loop.call_soon_threadsafe(self._asked.put_nowait, (use, done))
        return done.result(self._timeout + GRACE)

    def close(self) -> None:
        """End the connection, and the server if we started it."""
        with suppress(RuntimeError):  # the thread has ended and closed its loop
            self._loop.call_soon_threadsafe(self._asked.put_nowait, None)
        self._thread.join(GRACE)
        self._errors.close()

    @property
    def last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        try:
            server: Any = self._spec.address
            if not self._spec.is_url:
                command, *rest = shlex.split(server)
                parameters = StdioServerParameters(command=command, args=rest, env=dict(os.environ))
                server = stdio_client(parameters, self._errors)
            async with Client(server, mode="legacy", read_timeout_seconds=self._timeout) as client:
                self._opened.set_result(None)
                await self._answer(client)
        except Exception as error:  # handed to the thread that asks
            if not self._opened.done():
                self._opened.set_exception(error)

    async def _answer(self, client: Client) -> None:
        while (job := await self._asked.get()) is not None:
            use, done = job
            try:
                done.set_result(await use(client))
            except Exception as error:  # handed to the thread that asks
                done.set_exception(error)


class McpServer:
    """An MCP server: a command that is started when it is first used, or a URL."""

    def __init__(self, spec: EnvironmentSpec, timeout: float = TIMEOUT) -> None:
        self._spec, self._timeout = spec, timeout
        self._link: _Link | None = None
        self._end: Callable[[], Any] = bool  # ends the link, once
        self._used = False

    def tools(self) -> list[PublishedTool]:
        """Return its tools."""
        return [
            PublishedTool(
                name=tool["name"],
                description=tool.get("description", ""),
                parameters=tool.get("inputSchema", {}),
                reads=tool.get("annotations", {}).get("readOnlyHint"),
            )
            for tool in self.definitions()
        ]

    def definitions(self) -> list[dict[str, Any]]:
        """Return the definitions of its tools, as the protocol lists them."""
        entries: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = self._ask(methodcaller("list_tools", cursor=cursor))
            for tool in page.tools:
                entries.append(tool.model_dump(mode="json", by_alias=True, exclude_none=True))
            cursor = page.next_cursor
            if cursor is None:
                return entries

    def use(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer of a tool: its structured content, else the JSON or text of it."""
        self._used = True
        result: CallToolResult = self._ask(lambda client: client.call_tool(tool, dict(arguments)))
        texts = [each.text for each in result.content if isinstance(each, TextContent)]
        if result.is_error:
            raise UsageError(clip("\n".join(texts) or f"{tool} failed", LONGEST), code="bad-call")
        return _value(result.structured_content, texts)

    def route(self, call: ExpectedCall) -> Any:
        """Call a tool that restores or returns the state; or `EnvironmentFailureError`."""
        try:
            return self.use(call.name, call.arguments)
        except UsageError as error:
            raise self._failed(f"{call.name}: {error}") from error

    def restart(self) -> None:
        """End a server that was used; the next use starts another."""
        if self._used:
            self.close()

    def close(self) -> None:
        """End the connection, and the server if we started it."""
        self._end()
        self._link, self._end, self._used = None, bool, False

    def _failed(self, what: str, *, final: bool = False) -> EnvironmentFailureError:
        return EnvironmentFailureError(f"environment {self._spec.at}", what, final=final)

    def _ask(self, use: Use) -> Any:
        fresh = self._link is None
        if self._link is None:
            self._link = _Link(self._spec, self._timeout)
            self._end = finalize(self, self._link.close)
        try:
            return self._link.ask(use)
        except (FileNotFoundError, PermissionError) as error:
            self.close()
            raise self._failed(f"cannot be started: {clip(str(error))}", final=True) from error
        except (MCPError, OSError, RuntimeError, TimeoutError, ExceptionGroup) as error:
            if isinstance(error, MCPError) and error.code == INVALID_PARAMS:
                raise UsageError(clip(str(error), LONGEST), code="bad-call") from error
            words = self._link.last_words
            self.close()
            what = clip(": ".join(filter(None, (_first(error), words))))
            raise self._failed(what, final=fresh and not self._used) from error


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _value(structured: Any, texts: list[str]) -> Any:
    if isinstance(structured, dict):
        return structured[RESULT] if structured.keys() == {RESULT} else structured
    text = "\n".join(texts)
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
