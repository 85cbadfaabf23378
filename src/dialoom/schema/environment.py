"""Environments of tasks: servers that publish tools and carry out their calls.

    EnvironmentSpec(at="mcp:python shop.py", reset=ExpectedCall("reset_all"))

A task with an environment needs no calls, tables, slots or flow of its own: its calls are the
tools that the server publishes, and its goals say which calls are expected.
"""

from __future__ import annotations

import re
from typing import Any

from dialoom.dialogue.annotation import Struct

ADDRESS = r"mcp:\S.*|http:https?://\S+"
"""Pattern of an address: an MCP server's command or URL, or the URL of a web hook."""


class ExpectedCall(Struct, frozen=True):
    """A call that a task file states: of an environment, or one to the right end of a goal."""

    name: str
    arguments: dict[str, Any] = {}


class EnvironmentSpec(Struct, frozen=True, kw_only=True):
    """The environment of a task, at `mcp:COMMAND`, `mcp:URL` or `http:URL`.

    Tools or routes restore (`reset`, else the process is restarted) and return the `state`, which
    is compared at the end; those named without arguments are kept from agents. `writes` change the
    state, by default as annotated. Any call of `hands_over` is judged in addition to the state.
    """

    at: str
    reset: ExpectedCall | None = None
    state: ExpectedCall | None = None
    writes: tuple[str, ...] | None = None
    hands_over: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The protocol: mcp or http."""
        return self.at.partition(":")[0]

    @property
    def address(self) -> str:
        """The command or the URL."""
        return self.at.partition(":")[2]

    @property
    def is_url(self) -> bool:
        """True if the address is a URL rather than a command."""
        return re.match(r"https?://", self.address) is not None
