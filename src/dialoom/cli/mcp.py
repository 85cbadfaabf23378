"""`dialoom mcp`: offer the calls of tasks as tools of the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from dialoom.cli.options import Seed


def mcp(
    tasks: Annotated[
        str, typer.Option("--tasks", help="Names or FILE.yaml, with commas between, or all.")
    ],
    user: Annotated[
        str, typer.Option("--user", help="Whom an agent meets: simulated or simulated:KIND.")
    ] = "simulated",
    seed: Seed = 0,
) -> None:
    """Offer the calls of tasks as tools, over standard input and output.

    An MCP client starts this command and reads and writes its streams. The database of each task is
    drawn from the seed; dialoom_reset puts it back, dialoom_diff says what was changed. An agent
    meets a simulated user by dialoom_meet, talks by dialoom_say, and is judged by dialoom_judge.

    Example: dialoom mcp --tasks hotel_book,weather --seed 7
    """
    import dialoom
    from dialoom.errors import UsageError, needs_extra
    from dialoom.play.tools.task_tools import TaskTools
    from dialoom.sim.presets.star import load_tasks

    name, _, kind = user.partition(":")
    if name != "simulated":
        raise UsageError(f"--user {user}: by tools an agent meets simulated users alone")
    tools = TaskTools(tuple(load_tasks(tasks)), seed, kind)
    with needs_extra("dialoom mcp", "mcp"):
        import anyio

        from dialoom.play.tools.mcp import serve_stdio
    anyio.run(serve_stdio, tools, dialoom.__version__)
