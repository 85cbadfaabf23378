"""A server that publishes tools, as the environment of a task.

Its first state is restored before each dialogue by the tool that the task names; without one a
process is started anew. At the end the state tool's answer is compared with its first answer. A
task without a state tool is judged by its calls: by those of tools that change something, or, where
neither the task nor the server says which do, by whether all that are expected were made.

    environment: http:http://localhost:8000                                 (MCP: mcp.py)

    POST /tools    {}                                      -> [{"name": …, "parameters": {…}}, …]
    POST /call     {"name": …, "arguments": {…}}           -> any JSON
    POST /ROUTE    {}                                      (the routes of `reset` and `state`)

A web hook's answer of 400, 409 or 422 refuses a call; its message goes to the agent. Every other
error is a failure of the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

import msgspec

from dialoom.dialogue import Constraint
from dialoom.errors import UnknownNameError, UsageError, check_name
from dialoom.formats.chat import arguments as chat_arguments
from dialoom.http.failure import NoAnswerError, decoded, unreadable
from dialoom.http.metering import Meter
from dialoom.http.web import WebClient
from dialoom.kb.effects import Answer
from dialoom.play.environments.base import EnvironmentFailureError, EnvironmentSession
from dialoom.schema.call import Call, Column
from dialoom.schema.call_check import argument_faults
from dialoom.schema.environment import EnvironmentSpec, ExpectedCall

WHOLE, VALUE = "state", "value"
"""The table of a state without tables, and the column of a value that is no row."""

CALLS = "calls"
"""The table of changes that lists calls, where no state tool is named."""

TIMEOUT = 30.0
"""Seconds that a server has for an answer: as many as a participant (`WireLimits.timeout`)."""


class PublishedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that a server publishes, in OpenAI's or MCP's spelling.

    `reads` is None if the server does not say it.
    """

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    inputSchema: dict[str, Any] = {}  # noqa: N815  (MCP's name)
    reads: bool | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return self.parameters or self.inputSchema


class ToolServer(Protocol):
    """A server that publishes tools."""

    def tools(self) -> list[PublishedTool]:
        """Return the tools; `EnvironmentFailureError` if the server fails."""

    def use(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return a tool's answer, as JSON; `UsageError` if the server refuses the arguments."""

    def route(self, call: ExpectedCall) -> Any:
        """Use the tool, or the route, that restores or returns the state."""

    def restart(self) -> None:
        """Begin anew, where the server is a process of ours."""


class RemoteSession:
    """A server during one dialogue; `before` is None without a state tool."""

    def __init__(
        self, environment: RemoteEnvironment, expected: Sequence[ExpectedCall], before: Any
    ) -> None:
        self._environment, self._before = environment, before
        self._expected = {_spelled(each.name, each.arguments) for each in expected}
        self._made: list[ExpectedCall] = []

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call, unless it is not as the server publishes it."""
        tools = self._environment.tools
        check_name("API", api, tools)
        arguments = chat_arguments.write(constraints)
        faults = "; ".join(argument_faults(tools[api], arguments))
        if faults:
            raise UsageError(f"{api}: {faults}", code="bad-call")
        items = as_items(self._environment.server.use(api, arguments))
        self._made.append(ExpectedCall(api, arguments))
        if tools[api].writes:
            return Answer("done", items)
        return Answer("found" if items else "nothing", items)

    def repeat(self, api: str, constraints: tuple[Constraint, ...]) -> None:
        """Make a call again."""
        with suppress(UnknownNameError, UsageError):
            self.call(api, constraints)

    def changes(self) -> dict[str, Any]:
        """Return the changes of the state, else the calls that count; and hand-overs."""
        spec = self._environment.spec
        effects: dict[str, Any] = {}
        calls = [
            {"name": name} for name in spec.hands_over if any(name == c.name for c in self._made)
        ]
        if spec.state is not None:
            effects = state_changes(self._before, self._environment.server.route(spec.state))
        else:
            calls += self._calls()
        return effects | ({CALLS: {"added": calls}} if calls else {})

    def _calls(self) -> list[dict[str, Any]]:
        """Return the calls that change something; the expected ones if no tool is marked."""
        left_out = self._environment.spec.hands_over
        pairs = [
            (c.name, _spelled(c.name, c.arguments)) for c in self._made if c.name not in left_out
        ]
        tools = self._environment.tools
        texts = [text for name, text in pairs if tools[name].writes]
        if not any(call.writes for call in tools.values()):
            texts = list({text for _, text in pairs} & self._expected)
        return list(map(msgspec.json.decode, sorted(texts)))


class RemoteEnvironment:
    """A server's tools, other than those for its state, as the calls of a task."""

    def __init__(
        self, spec: EnvironmentSpec, server: ToolServer, calls: Mapping[str, Call]
    ) -> None:
        self.spec, self.server, self.tools = spec, server, calls

    @contextmanager
    def opened(
        self, name: str, expected: Sequence[ExpectedCall] = ()
    ) -> Iterator[EnvironmentSession]:
        """Yield a session in the first state."""
        if self.spec.reset is not None:
            self.server.route(self.spec.reset)
        else:
            self.server.restart()
        state = self.spec.state
        yield RemoteSession(self, expected, None if state is None else self.server.route(state))


def published_calls(spec: EnvironmentSpec, server: ToolServer) -> dict[str, Call]:
    """Return a server's tools as calls, by name; `UsageError` if it lacks one of the task's."""
    by_name = {tool.name: tool for tool in server.tools()}
    own = [call for call in (spec.reset, spec.state) if call is not None]
    tools = (*(spec.writes or ()), *spec.hands_over)
    names = [*tools, *(call.name for call in own)]
    hidden = {call.name for call in own if not call.arguments}
    for name in names if spec.kind == "mcp" else tools:
        check_name(f"tool of environment {spec.at}", name, by_name)
    hinted = any(tool.reads is not None for tool in by_name.values())
    return {
        name: Call(
            name=name,
            description=tool.description or None,
            effect="update" if _writes(spec, tool, hinted=hinted) else "search",
            inputs=tuple(_inputs(tool.schema)),
            published=tool.schema or {"type": "object", "properties": {}},
        )
        for name, tool in by_name.items()
        if name not in hidden
    }


def _inputs(schema: Mapping[str, Any]) -> Iterator[Column]:
    required = schema.get("required") or ()
    for name, entry in (schema.get("properties") or {}).items():
        description = entry.get("description") or "" if isinstance(entry, dict) else ""
        yield Column(
            name=name, required=name in required, description=description, type="short text"
        )


def _writes(spec: EnvironmentSpec, tool: PublishedTool, *, hinted: bool) -> bool:
    if spec.writes is not None:
        return tool.name in spec.writes
    return hinted and not tool.reads


def as_items(answer: Any) -> tuple[dict[str, Any], ...]:
    """Return an answer as items."""
    if isinstance(answer, list) and all(isinstance(each, dict) for each in answer):
        return tuple(answer)
    if isinstance(answer, dict):
        return (answer,) if answer else ()
    return () if answer in (None, "") else ({VALUE: answer},)


def _spelled(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a call as text that does not depend on the order of its arguments."""
    call = {"name": name, "arguments": dict(arguments)}
    return msgspec.json.encode(call, order="sorted").decode()


def state_changes(before: Any, after: Any) -> dict[str, Any]:
    """Return table to its rows that were added, removed and changed.

    A state that has no tables of rows is one row of the table `WHOLE`.
    """
    one, other = _tables(before), _tables(after)
    if one.keys() != other.keys() and (WHOLE in one or WHOLE in other):
        one, other = {WHOLE: {"": before}}, {WHOLE: {"": after}}
    changes: dict[str, Any] = {}
    for name in sorted({*one, *other}):
        old, new = one.get(name, {}), other.get(name, {})
        kinds: dict[str, list[Any]] = {
            "added": [new[key] for key in sorted(new.keys() - old.keys())],
            "removed": [old[key] for key in sorted(old.keys() - new.keys())],
            "changed": [
                [old[key], new[key]]
                for key in sorted(old.keys() & new.keys())
                if old[key] != new[key]
            ],
        }
        if any(kinds.values()):
            changes[name] = {kind: rows for kind, rows in kinds.items() if rows}
    return changes


def _tables(state: Any) -> dict[str, dict[str, Any]]:
    if isinstance(state, dict) and all(isinstance(table, dict | list) for table in state.values()):
        return {name: _rows(table) for name, table in state.items()}
    return {WHOLE: {"": state if isinstance(state, dict) else {VALUE: state}}}


def _rows(table: Any) -> dict[str, Any]:
    pairs = table.items() if isinstance(table, dict) else enumerate(table)
    rows = {f"{key:>9}" if isinstance(key, int) else key: row for key, row in pairs}
    if isinstance(table, dict) and not all(isinstance(row, dict) for row in rows.values()):
        return {"": table}
    return {key: row if isinstance(row, dict) else {VALUE: row} for key, row in rows.items()}


REFUSALS = frozenset({400, 409, 422})
"""HTTP statuses by which a server refuses a call."""


class WebServer:
    """A web hook."""

    def __init__(self, spec: EnvironmentSpec) -> None:
        self._who = f"environment {spec.at}"
        self.client = WebClient(spec.address, "environment")
        self._meter = Meter()

    def tools(self) -> list[PublishedTool]:
        """Return the tools that it lists."""
        body = self._post("/tools", {})
        tools: list[PublishedTool] | None = decoded(body, list[PublishedTool])
        if tools is None:
            raise EnvironmentFailureError(
                self._who, unreadable(body), final=True, code="unreadable"
            )
        return tools

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
