"""Users who are simulated by the flow of the task: happy, unhappy or of several tasks.

--user simulated     --user simulated:unhappy,talkative     --user simulated:scripted
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import SYSTEM, USER, Completion, Event, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError, check_name
from dialoom.play.users.base import User, UserSeat
from dialoom.schema.lexicon import lexicon
from dialoom.sim.policies.flow.participant import SimulatedUser
from dialoom.sim.policies.flow.persons import Manner, Persons


class SimulatedUsers(User):
    """The simulated user: happy, unhappy or of several tasks, brief or talkative.

    Settings are words from `KINDS`, `MANNERS` and `WORDINGS`, with commas between them; by default
    happy and plain, in the words of simulated dialogues without slips of the keyboard. Users with
    several tasks say the task files' lines, since other words seldom show which task is meant.
    """

    def __init__(self, settings: str = "") -> None:
        words = [word for word in settings.split(",") if word]
        choices = (*KINDS, *MANNERS, *WORDINGS)
        for word in words:
            check_name("kind of simulated user", word, choices)
        if any(len({*each}.intersection(words)) > 1 for each in GROUPS):
            what = f"--user simulated:{settings}"
            raise UsageError(
                f"{what}: one kind, one manner and one wording at most", code="conflict"
            )
        self.happy, self.several = "unhappy" not in words, "multi" in words
        self._types = TYPED in words
        self._scripted = SCRIPTED in words or (self.several and not self._types)
        self._manner: Manner = next((each for each in MANNERS if each in words), "plain")

    def join(self, seat: UserSeat) -> Participant:
        """Return a user of this kind, or one who says the turns that a goal states."""
        if seat.outside:
            return StatedUser(seat)
        trait = seat.trait
        own = trait.manner if trait is not None else "plain"
        seat.manner = self._manner if self._manner != "plain" else own
        unhappy = None if self.happy else seat.wording
        if not self._scripted:
            seat.person = Persons.alike(trait, seat.language).draw(seat.wording)
        slips = self._types or (trait is not None and trait.typing is not None)
        typist = seat.person.typist if seat.person is not None and slips else None
        return SimulatedUser(seat.runners, seat.drawn, unhappy, trait, seat.wording, typist)


KINDS = ("happy", "unhappy", "multi")
"""Whether users keep to the flow, and whether they come with several tasks."""

SCRIPTED = "scripted"
"""Users who say the lines of the task's author, in place of what people say in any task."""

TYPED = "typed"
"""Users who also make the slips of people who type."""

WORDINGS = (SCRIPTED, TYPED)

MANNERS: tuple[Manner, ...] = ("brief", "talkative")

GROUPS = (KINDS, MANNERS, WORDINGS)
"""Settings that exclude each other."""

QUESTIONS = "?？؟;"
"""Marks of questions: Latin, Chinese, Arabic, Greek."""


class StatedUser:
    """User of a stated goal, who says its turns or instructions, then yes to every question."""

    def __init__(self, seat: UserSeat) -> None:
        goal = seat.given
        turns = goal.turns if goal is not None else ()
        self._left = list(turns or (seat.instructions,))
        self._yes = lexicon(seat.language).yes[0].capitalize()

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next turn, else a yes to a question, else a completion."""
        if self._left:
            return (Utterance(agent=USER, text=self._left.pop(0)),)
        utterances = (e for e in reversed(events) if isinstance(e, Utterance))
        last = next((e.text for e in utterances if e.agent == SYSTEM), "")
        is_question = any(mark in last for mark in QUESTIONS)
        return (Utterance(agent=USER, text=f"{self._yes}."),) if is_question else (Completion(),)
