"""Users who repeat the utterances of recorded dialogues.

    --user replay:RUN           the dialogues of RUN, which `dialoom play` wrote

Each dialogue of the run is a goal with its own values and end. The user repeats its utterances turn
by turn, whatever the agent says, and then leaves, so that two versions of an agent can be compared
on the same input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from dialoom.dialogue import Completion, Event, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError
from dialoom.play.results.run import read_run
from dialoom.play.users.base import User, UserSeat
from dialoom.play.users.goals import PlayGoal, recorded_goals
from dialoom.schema.task import TaskSchema


class ReplayedUser:
    """Says some utterances, one a turn, and leaves."""

    def __init__(self, utterances: Sequence[Utterance]) -> None:
        self._left = list(utterances)

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next utterance, or a completion once there is none."""
        return (self._left.pop(0) if self._left else Completion(),)


class ReplayedUsers(User):
    """The users of a run, by its folder."""

    happy = False

    def __init__(self, settings: str = "") -> None:
        if not settings:
            raise UsageError("--user replay: name a run, such as replay:RUN", code="not-given")
        self._path = Path(settings)

    def goals(self, tasks: Mapping[str, TaskSchema], seed: int) -> tuple[PlayGoal, ...]:
        """Return the run's goals; `UsageError` for other database rows or tasks."""
        run = read_run(self._path)
        if run.settings["seed"] != seed:
            what = f"{self._path} has the database of --seed {run.settings['seed']}"
            raise UsageError(f"--user replay: {what}: give the same", code="mismatch")
        records = recorded_goals((each.dialogue for each in run.dialogues), tasks, seed)
        goals = tuple(records)
        if not goals:
            raise UsageError(
                f"--user replay: {self._path} has no dialogue of --tasks", code="mismatch"
            )
        return goals

    def join(self, seat: UserSeat) -> Participant:
        """Return a user who repeats the utterances of the seat's goal."""
        return ReplayedUser(seat.given.said if seat.given is not None else ())
