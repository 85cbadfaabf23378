"""The users that an agent plays against.

USERS.get("simulated")("happy").join(seat)      # a participant for one dialogue
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

from dialoom.dialogue.participant import Participant
from dialoom.errors import UnknownNameError, UsageError
from dialoom.registry import Registry
from dialoom.sim.policies.flow.briefing import briefing
from dialoom.sim.policies.flow.participant import SimulatedUser
from dialoom.sim.policies.flow.simulator import Manner, Simulator
from dialoom.sim.policies.flow.turns import UserRunner


class UserSeat:
    """What a user is told before a dialogue: the task, a goal, and the seeds of both.

    Args:
        simulator: The task with its knowledge base.
        drawn: The seed of what is wanted.
        wording: The seed of how it is said.

    Attributes:
        manner: How much a simulated user says.
    """

    def __init__(self, simulator: Simulator, drawn: bytes, wording: bytes) -> None:
        self.simulator, self.drawn, self.wording = simulator, drawn, wording
        self.manner: Manner = "plain"

    @property
    def name(self) -> str:
        """The name of the dialogue to the knowledge base: all trials of a goal share it."""
        return self.drawn.hex()[:16]

    @cached_property
    def runner(self) -> UserRunner:
        """The task with what the user wants of it."""
        return self.simulator.user(self.drawn, self.wording, self.manner)

    @cached_property
    def told(self) -> str:
        """What a person or a language model in the user's place is told to do."""
        return briefing(self.runner)

    @property
    def goal(self) -> dict[str, Any]:
        """What the user wants, and what they have changed it to."""
        return self.runner.user.goal.record


class User(Protocol):
    """Plays users of any task; made once a process from what stands after its name.

    Attributes:
        happy: Whether its users keep to the flow.
    """

    happy: bool

    def join(self, seat: UserSeat) -> Participant:
        """Return who takes part in one dialogue."""


class SimulatedUsers:
    """The simulated user: happy or unhappy, brief or talkative.

    Args:
        settings: Words from `KINDS` and `MANNERS`, with commas between; happy and plain by default.
    """

    def __init__(self, settings: str = "") -> None:
        words = [word for word in settings.split(",") if word]
        for word in words:
            if word not in (*KINDS, *MANNERS):
                raise UnknownNameError("kind of simulated user", word, (*KINDS, *MANNERS))
        if len(words) != len({word in KINDS for word in words}):
            raise UsageError(f"--user simulated:{settings}: one kind and one manner at most")
        self.happy = "unhappy" not in words
        self._manner: Manner = next((each for each in MANNERS if each in words), "plain")

    def join(self, seat: UserSeat) -> Participant:
        """Return a user of this kind."""
        seat.manner = self._manner
        unhappy = None if self.happy else seat.wording
        return SimulatedUser([seat.runner], seat.drawn, unhappy=unhappy)


KINDS = ("happy", "unhappy")
"""Whether users keep to the flow."""

MANNERS: tuple[Manner, ...] = ("brief", "talkative")
"""How much users say."""

USERS: Registry[type[User]] = Registry(
    "user", "dialoom.users", {"simulated": "dialoom.play.users:SimulatedUsers"}
)
