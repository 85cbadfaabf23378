"""Dialogues by a script: tabs, queries, choices, picks off the flow chart, words of one's own.

scripted = Scripted(study, store, library)
scripted.script()                    # to the end; or
scripted.script(exchanges=1)         # the user leaves after it
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    FormCondition,
    Pick,
    Say,
    Suggest,
    SwitchTask,
)
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.collect.log.store import Store
from dialoom.collect.message import Leave, Questionnaire
from dialoom.collect.settings import Settings
from dialoom.collect.study.study import Study
from dialoom.dialogue import Candidate
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.task import TaskSchema
from tests.collect.playing import Playing

REASON = "The user changed their mind."

OWN_REASON = "it takes a while"


def started(settings: Settings, store: Store) -> Scripted:
    """Return a study in a store, as it begins."""
    library = ScenarioLibrary(settings)
    study = Study(settings, library)
    store.submit(study.start(0)).result()
    return Scripted(study, store, library)


class Scripted(Playing):
    """A study whose people follow a script."""

    def script(
        self, exchanges: int | None = None, *, answered: tuple[RoomRole, ...] = ROLES
    ) -> int:
        """Play one dialogue, and return the room's number.

        Args:
            exchanges: After how many exchanges the user leaves; None plays to the end.
            answered: Who fills in a questionnaire; the others leave then.
        """
        seats = self.pair()
        place = self.study.assignment(seats["user"]).unit
        assert place is not None
        room = self.study.units[place].work
        assert room is not None
        moves = self._moves(seats["wizard"], room)
        done = 0
        while rules.lacks(room) is not None:
            if done == exchanges:
                for role in ROLES:  # the wizard would wait for the next user
                    self.send(seats[role], Leave())
                return place
            self.send(seats["user"], Say(f"This is what I say in turn {done + 1}."))
            next(moves)
            done += 1
        self.send(seats["user"], Accomplish())
        for role in ROLES:
            if role not in answered:
                self.send(seats[role], Leave())
        for role in answered:
            answers = {question.id: role == "user" for question in room.questions(role)}
            rating = 2 if room.rates(role) else None
            self.send(seats[role], Questionnaire(answers, rating, f'Said "so-so"; {role} – ü.'))
        return place

    def _moves(self, wizard: int, room: Room) -> Iterator[None]:
        """Let the wizard end their turn, in one way after the other, in all of their tasks."""
        while True:
            for task in room.tasks:
                if room.task != task.id:
                    self.send(wizard, SwitchTask(task.id))
                self._pick(wizard, self._expected(room, task), None)
                yield
                self._ask(wizard, room, task)
                self._choose(wizard, room)
                self.send(wizard, Suggest("Let me see"), ())
                self.send(wizard, Say("One moment, I look it up.", OWN_REASON))
                yield
                self._pick(wizard, self._unexpected(room, task), REASON)
                yield
                self._pick(wizard, OUT_OF_SCOPE, None)
                yield

    def _choose(self, wizard: int, room: Room) -> None:
        items, second = room.items, room.selected.secondary
        if len(items) > 1:
            self.send(wizard, Choose("secondary", int(items[0].item == second)))

    def _pick(self, wizard: int, action: str, reason: str | None) -> None:
        self.send(wizard, Suggest("as it is"), (Candidate(action, f"Reply {action}."),))
        self.send(wizard, Pick(action, reason))

    def _expected(self, room: Room, task: TaskSchema) -> str:
        labels = (each["id"] for each in room.expected(task.id))
        return next((name for name in labels if name in task.replies), OUT_OF_SCOPE)

    def _unexpected(self, room: Room, task: TaskSchema) -> str:
        free = (name for name in task.replies if not room.progress.places[task.id].permits(name))
        return next(free, OUT_OF_SCOPE)

    def _ask(self, wizard: int, room: Room, task: TaskSchema) -> None:
        goal = room.scenario.goal
        goals = goal.get("tasks") or {task.id: goal}
        wishes = goals[task.id]["values"]
        for call in task.calls.values():
            conditions = [
                FormCondition(column.name, *_meant(wishes[column.slot]))
                for column in call.inputs
                if column.slot in wishes
            ]
            requests = [c.name for c in call.inputs if c.type == "request"]
            conditions += [FormCondition(name, "equal", "Check") for name in requests]
            self.send(wizard, Ask(call.name, tuple(conditions)))


def _meant(value: Any) -> tuple[str, Any]:
    return ("one_of", value) if isinstance(value, list) else ("equal", value)
