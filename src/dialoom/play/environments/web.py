"""A web hook that publishes tools.

    environment: http:http://localhost:8000

    POST /tools    {}                                      -> [{"name": …, "parameters": {…}}, …]
    POST /call     {"name": …, "arguments": {…}}           -> any JSON
    POST /ROUTE    {}                                      (the routes of `reset` and `state`)

An answer of 400, 409 or 422 refuses a call; its message goes to the agent. Every other error is a
failure of the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dialoom.errors import UsageError
from dialoom.http.failure import NoAnswerError, decoded, unreadable
from dialoom.http.metering import Meter
from dialoom.http.web import WebClient
from dialoom.play.environments.base import EnvironmentFailureError
from dialoom.play.environments.remote import PublishedTool
from dialoom.schema.environment import EnvironmentSpec, ExpectedCall

REFUSALS = frozenset({400, 409, 422})
"""HTTP statuses by which a server refuses a call."""


class _ListedTool(msgspec.Struct):
    """A tool in a web hook's list, in OpenAI's or MCP's spelling."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    inputSchema: dict[str, Any] = {}  # noqa: N815  (MCP's name)
    reads: bool | None = None


class WebServer:
    """A web hook."""

    def __init__(self, spec: EnvironmentSpec) -> None:
        self._who = f"environment {spec.at}"
        self.client = WebClient(spec.address, "environment")
        self._meter = Meter()

    def tools(self) -> list[PublishedTool]:
        """Return the tools that it lists."""
        body = self._post("/tools", {})
        entries: list[_ListedTool] | None = decoded(body, list[_ListedTool])
        if entries is None:
            raise EnvironmentFailureError(
                self._who, unreadable(body), final=True, code="unreadable"
            )
        return [
            PublishedTool(
                name=each.name,
                description=each.description,
                parameters=each.parameters or each.inputSchema,
                reads=each.reads,
            )
            for each in entries
        ]

    def use(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer of a tool."""
        return self._value("/call", {"name": tool, "arguments": dict(arguments)})

    def route(self, call: ExpectedCall) -> Any:
        """Return the answer of a route."""
        return self._value("/" + call.name.lstrip("/"), call.arguments)

    def restart(self) -> None:
        """Do nothing: the server is not ours."""

    def _value(self, path: str, message: dict[str, Any]) -> Any:
        body = self._post(path, message)
        try:
            return msgspec.json.decode(body) if body.strip() else None
        except msgspec.DecodeError:
            raise EnvironmentFailureError(self._who, unreadable(body), code="unreadable") from None

    def _post(self, path: str, message: dict[str, Any]) -> bytes:
        try:
            return self.client.post(path, message, self._meter)
        except NoAnswerError as error:
            if error.status in REFUSALS:
                raise UsageError(error.what, code="bad-call") from error
            raise EnvironmentFailureError(self._who, error.what, final=error.final) from error
