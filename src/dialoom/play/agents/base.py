"""The interface of agents, and agents by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Protocol

import msgspec

from dialoom.dialogue import Event
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError
from dialoom.flow.program import TaskProgram
from dialoom.http.metering import Meter
from dialoom.registry import Registry


class AgentSeat(Struct, frozen=True, kw_only=True):
    """The input of an agent before a dialogue; `meter` counts its costs."""

    programs: tuple[TaskProgram, ...]
    seed: bytes
    meter: Meter = msgspec.field(default_factory=Meter)

    @property
    def flows(self) -> tuple[TaskProgram, ...]:
        """The tasks, for agents that follow their flows; `SchemaError` for one without."""
        for program in self.programs:
            if not program.steps:
                what = "has no flow that an agent could follow; name another --agent"
                raise program.error(what, "no-flow")
        return self.programs


class Agent(Protocol):
    """Plays the system of any task; made once a process from the settings after its name.

    `reads_acts`: it may read the annotation of users' utterances. A class with `remote = False`
    makes no requests, so that limits and settings of requests are refused. Its `origin`, if it has
    one, identifies its model in the record of a run.
    """

    reads_acts: ClassVar[bool] = False

    def ready(self, tasks: Iterable[str]) -> None:
        """Make ready what takes long, before the work is shared among processes."""
        return

    def join(self, seat: AgentSeat) -> Participant:
        """Return who takes part in one dialogue."""


class PlainAgent(Agent):
    """Base of agents that have no settings and make no requests."""

    remote: ClassVar[bool] = False

    def __init__(self, settings: str = "") -> None:
        if settings:
            raise UsageError(
                f"--agent: it takes no settings: leave out ':{settings}'", code="not-taken"
            )


class SilentAgent(PlainAgent):
    """Does nothing: the lower bound of every figure."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that never answers."""
        return self

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return nothing."""
        return ()


AGENTS: Registry[Callable[[str], Agent]] = Registry(
    "agent",
    "dialoom.agents",
    {
        "command": "dialoom.play.agents.remote:CommandAgents",
        "dumper": "dialoom.play.agents.floors:DumperAgent",
        "flow": "dialoom.play.agents.flow:FlowFollowing",
        "follower": "dialoom.play.agents.follower:FollowerAgents",
        "http": "dialoom.play.agents.remote:WebHookAgents",
        "openai": "dialoom.play.agents.chat:ChatAgents",
        "oracle": "dialoom.play.agents.flow:OracleAgent",
        "rasa": "dialoom.play.agents.remote:RasaAgents",
        "reciter": "dialoom.play.agents.floors:ReciterAgent",
        "silent": "dialoom.play.agents.base:SilentAgent",
    },
)
