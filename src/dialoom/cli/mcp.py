"""`dialoom mcp`: offer the calls of tasks as tools of the Model Context Protocol."""

from __future__ import annotations

from dialoom.cli.options import Seed
from dialoom.errors import UsageError, needs_extra


def mcp(
    tasks: str,
    user: str = "simulated",
    seed: Seed = 0,
) -> None:
    """Serve the calls of tasks as tools of the Model Context Protocol (MCP), over stdin and stdout.

    An MCP client starts this command. The database of each task is drawn from the seed; the tool
    dialoom_reset restores it, dialoom_diff shows the changes. To be tested, an agent calls
    dialoom_meet for a simulated user, dialoom_say to talk to them, dialoom_judge for the verdict.

    Example: dialoom mcp --tasks hotel_book,weather --seed 7

    Args:
        tasks (--tasks): Names of tasks or task files, separated by commas, or all.
        user: Users for the agent: simulated or simulated:KIND.
    """
    import dialoom
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
