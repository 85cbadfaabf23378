"""The environment that a task names, and the task with the tools that are published there."""

from __future__ import annotations

from msgspec.structs import replace

from dialoom.errors import UsageError, needs_extra
from dialoom.play.environments.base import Environment
from dialoom.play.environments.remote import (
    RemoteEnvironment,
    ToolServer,
    WebServer,
    published_calls,
)
from dialoom.schema.environment import EnvironmentSpec
from dialoom.schema.task import TaskSchema


def server_of(spec: EnvironmentSpec) -> ToolServer:
    """Return the server at an address; `MissingExtraError` without its protocol's package."""
    if spec.kind == "mcp":
        with needs_extra("environment: mcp", "mcp"):
            from dialoom.play.environments.mcp import McpServer
        return McpServer(spec)
    server = WebServer(spec)
    server.client.ready()
    return server


def remote_environment(task: TaskSchema, spec: EnvironmentSpec) -> RemoteEnvironment:
    """Return a task's server as its environment; `UsageError` if it lacks a tool."""
    server = server_of(spec)
    calls = {name: call for name, call in task.calls.items() if call.published is not None}
    if not calls:
        calls = published_calls(spec, server)
        lacking = [name for name in task.calls if name not in calls]
        if lacking:
            raise UsageError(
                f"task {task.id}: environment {spec.at} has no tool {lacking[0]}",
                code="unknown-name",
            )
    return RemoteEnvironment(spec, server, calls)


def with_tools(task: TaskSchema) -> tuple[TaskSchema, Environment | None]:
    """Return a task with the tools of its environment as calls, and that environment if it has one.

    A task with a flow keeps its own calls, which have to be among the tools.
    """
    if task.environment is None:
        return task, None
    environment = remote_environment(task, task.environment)
    tools = environment.tools
    own = {name: replace(c, published=tools[name].published) for name, c in task.calls.items()}
    return replace(task, calls=own or dict(tools)), environment
