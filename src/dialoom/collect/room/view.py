"""What each of the two sees of a room: plain JSON data, filtered here and nowhere else.

A page's view (`View.of`), for both roles:

    role, step ("talk", "questionnaire", "closed"), turn ("user", "wizard" or null), your_turn
    seq             the number of the seat's last event
    text            the role's task
    nudge_at, idle_at   ms since 1970 while the other one waits for this role, else null
    questions       [{id, text, common}] in the questionnaire, else []
    rating          whether this role rates the dialogue
    answered        whether this role's questionnaire is in
    outcome         how the room ended, once it is closed

The user's besides: can_accomplish; accomplish_lacks (null, "turn", "instructions", "turns").
The wizard's besides:

    guard           "off", "warn" or "reason"
    task            the task now, null until one of several was chosen
    tasks           [{id, name, domain, description, node, expected: [{id, text}], forms}], where
                    forms are [{api, name, fields}] and fields as fields.Field has them
    items           [{index, api, task, item}]; primary, secondary: an index or null
    results         [{api, items: [index], total}], one a query
    suggestions     null, or {text, candidates: [{id, text, permitted}]}

The seat's events are told apart from it: seen.py.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from dialoom.collect.log.record import (
    USER_ROLE,
    Role,
)
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import Task

if TYPE_CHECKING:
    from dialoom.collect.room.room import Room

Data = dict[str, Any]


class View:
    """A room as its two people see it."""

    def __init__(self, room: Room) -> None:
        self.room, self.talk = room, room.talk

    def of(self, role: Role) -> Data:
        """Return a role's page."""
        return self._both(role) | (self._user() if role == USER_ROLE else self._wizard())

    def _both(self, role: Role) -> Data:
        room, talk = self.room, self.talk
        due = self._due(role)
        scenario = room.scenario
        asked = room.questions(role) if room.step == "questionnaire" else ()
        return {
            "role": role,
            "step": room.step,
            "turn": room.turn,
            "your_turn": room.turn == role,
            "seq": room.seen.count(role),
            "text": scenario.user_task if role == USER_ROLE else scenario.wizard_task,
            "nudge_at": due and due + round(room.settings.times.nudge * 1000),
            "idle_at": due and due + round(room.settings.times.idle * 1000),
            "questions": [{"id": a.id, "text": a.text, "common": a.common} for a in asked],
            "rating": room.rates(role),
            "answered": role in talk.answers,
            "outcome": talk.outcome,
        }

    def _due(self, role: Role) -> int | None:
        """Since when the other one waits for a role, if they do."""
        talk = self.talk
        if talk.step == "talk" and talk.turn == role and talk.log:
            return talk.last
        return talk.completed if talk.step == "questionnaire" and role in talk.unanswered else None

    def _user(self) -> Data:
        lacks = self.room.lacks()
        return {
            "can_accomplish": lacks is None,
            "accomplish_lacks": lacks,
        }

    def _wizard(self) -> Data:
        talk = self.talk
        return {
            "guard": self.room.settings.guard,
            "task": talk.task,
            "tasks": [self._task(task) for task in self.room.tasks],
            "items": [
                {"index": place, "api": held.api, "task": held.task, "item": held.item}
                for place, held in enumerate(talk.items)
            ],
            "primary": talk.place(talk.selected.primary),
            "secondary": talk.place(talk.selected.secondary),
            "results": [
                {"api": found.api, "items": list(found.items), "total": found.total}
                for found in talk.found
            ],
            "suggestions": self._suggestions(),
        }

    def _task(self, task: Task) -> Data:
        design = task.design
        return {
            "id": task.id,
            "name": _readable(task.id),
            "domain": design.domain if design else None,
            "description": design.description if design else "",
            "node": self.room.progress.places[task.id].at,
            "expected": self.room.expected(task.id),
            "forms": [form.data() for form in self.room.desk.forms(task.id)],
        }

    def _suggestions(self) -> Data | None:
        shown, task = self.talk.shown, self.talk.task
        if shown is None or task is None:
            return None
        free = self.room.settings.guard == "off"
        return {
            "text": shown.text or "",
            "candidates": [
                {
                    "id": each.id,
                    "text": each.text,
                    "permitted": free or self.room.progress.permits(task, each.id),
                }
                for each in shown.candidates
            ],
        }


@cache
def _readable(name: str) -> str:
    return " ".join(split_name(name)).capitalize()
