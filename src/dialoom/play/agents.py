"""Agents by name, and those that need nothing but the task: silent, oracle and flow.

AGENTS.get("flow")("").join(seat)      # a participant for one dialogue
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol

import msgspec

from dialoom.dialogue import Event, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError
from dialoom.play.metering import Meter
from dialoom.play.several import together
from dialoom.registry import Registry
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.policies.flow.hearing import HeardTurn, listen_acts
from dialoom.sim.policies.flow.program import Program, Step
from dialoom.sim.policies.flow.state import DialogueState


class AgentSeat(Struct, frozen=True, kw_only=True):
    """What an agent is told before a dialogue.

    Attributes:
        programs: The tasks.
        seed: The seed of its own choices.
        meter: Counts what it spends.
    """

    programs: tuple[Program, ...]
    seed: bytes
    meter: Meter = msgspec.field(default_factory=Meter)


class Agent(Protocol):
    """Plays the system of any task; made once a process from what stands after its name.

    Attributes:
        reads_acts: Whether it may read the annotation of what users say.
    """

    reads_acts: ClassVar[bool]

    def ready(self, tasks: Iterable[str]) -> None:
        """Make ready what takes long, before the work is shared among processes."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return who takes part in one dialogue."""


class PlainAgent:
    """Base of agents that have no settings."""

    reads_acts: ClassVar[bool] = False

    def __init__(self, settings: str = "") -> None:
        if settings:
            raise UsageError(f"--agent: it takes no settings: leave out ':{settings}'")

    def ready(self, tasks: Iterable[str]) -> None:
        """Do nothing."""


class SilentAgent(PlainAgent):
    """Does nothing: the lower bound of every figure."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that never answers."""
        return self

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return nothing."""
        return ()


class FlowFollowing(PlainAgent):
    """Follows the task's flow and hears by the text; learns nothing."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent at the beginning of the flow."""
        return together({each.task: FlowAgent(each, seat.seed) for each in seat.programs})


class OracleAgent(PlainAgent):
    """Follows the task's flow and never mishears: the upper bound."""

    reads_acts: ClassVar[bool] = True

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that reads the user's acts."""
        agents = {each.task: FlowAgent(each, seat.seed, _listen) for each in seat.programs}
        return together(agents, reads_acts=True)


def _listen(
    program: Program, said: Utterance, turns: Sequence[Step], state: DialogueState
) -> HeardTurn:
    return listen_acts(program, said)


AGENTS: Registry[type[Agent]] = Registry(
    "agent",
    "dialoom.agents",
    {
        "command": "dialoom.play.wire:CommandAgents",
        "flow": "dialoom.play.agents:FlowFollowing",
        "follower": "dialoom.play.follower:FollowerAgents",
        "http": "dialoom.play.wire:WebHookAgents",
        "openai": "dialoom.play.chat:ChatAgents",
        "oracle": "dialoom.play.agents:OracleAgent",
        "rasa": "dialoom.play.wire:RasaAgents",
        "silent": "dialoom.play.agents:SilentAgent",
    },
    extra="models",
)
