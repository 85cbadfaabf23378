"""The page of a room for each of its two people, as JSON data, without what they may not see.

docs/reference/wire-protocol.md (section 5) describes the fields. Unchanged parts are the same
objects as before, so that comparing two views is fast. The events of the dialogue are not in the
view: visible_events.py.
"""

from __future__ import annotations

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.wizard.forms import readable
from dialoom.collect.log.record import USER_ROLE, Role
from dialoom.collect.unit import Data
from dialoom.schema.task import TaskSchema

CHARTS = "/charts/{}.svg"
"""The address of a task's flow chart."""


class PageView:
    """Makes the pages of a room's two people; anew only if the room's log has grown."""

    def __init__(self) -> None:
        self._made: dict[Role, tuple[int, Data]] = {}
        self._tasks: list[Data] = []
        self._items: list[Data] = []
        self._results: list[Data] = []

    def of(self, room: Room, role: Role) -> Data:
        """Return a role's page; a caller that changes it has to copy it."""
        length = len(room.log)
        at, page = self._made.get(role, (-1, {}))
        if at != length:
            page = _both(room, role) | (_user(room) if role == USER_ROLE else self._wizard(room))
            self._made[role] = length, page
        return page

    def _wizard(self, room: Room) -> Data:
        if len(self._tasks) != len(room.tasks):
            self._tasks = [_task(room, task) for task in room.tasks]
        if len(self._items) != len(room.items):  # the lists only grow
            self._items = [
                {"index": place, "api": entry.api, "task": entry.task, "item": entry.item}
                for place, entry in enumerate(room.items)
            ]
        if len(self._results) != len(room.found):
            self._results = [
                {"api": each.api, "items": list(each.items), "total": each.total}
                for each in room.found
            ]
        return {
            "guard": room.settings.guard,
            "task": room.task,
            "tasks": self._tasks,
            "flow": {
                name: {"node": place.node, "expected": room.expected(name)}
                for name, place in room.progress.places.items()
            },
            "items": self._items,
            "primary": room.place(room.selected.primary),
            "secondary": room.place(room.selected.secondary),
            "results": self._results,
            "suggestions": _suggestions(room),
        }


def _both(room: Room, role: Role) -> Data:
    since = room.waits_since if role in room.awaited else None
    scenario = room.scenario
    items = room.questions(role) if room.step == "questionnaire" else ()
    return {
        "role": role,
        "step": room.step,
        "turn": room.turn,
        "your_turn": room.turn == role,
        "seq": room.events.count(role),
        "text": scenario.user_task if role == USER_ROLE else scenario.wizard_task,
        "idle_warning_at": since and since + round(room.settings.times.idle_warning * 1000),
        "idle_at": since and since + round(room.settings.times.idle * 1000),
        "questions": [question.shown for question in items],
        "rating": room.rates(role),
        "answered": role in room.answers,
        "outcome": room.outcome,
    }


def _user(room: Room) -> Data:
    lacks = rules.lacks(room)
    speech = room.settings.speech
    spoken = {"speech": {"seconds": speech.seconds, "read": speech.read}} if room.spoken else {}
    return {"can_accomplish": lacks is None, "accomplish_lacks": lacks, **spoken}


def _task(room: Room, task: TaskSchema) -> Data:
    return {
        "id": task.id,
        "name": readable(task.id),
        "domain": task.domain or None,
        "description": task.description,
        "chart": CHARTS.format(task.id)
        if task.flow.complete
        else None,  # Frames' search has no flow
        "forms": [form.data for form in room.tools.forms(task.id)],
    }


def _suggestions(room: Room) -> Data | None:
    options, task = room.shown, room.task
    if options is None or task is None:
        return None
    free = room.settings.guard == "off"
    return {
        "text": options.text or "",
        "candidates": [
            {
                "id": each.id,
                "text": each.text,
                "permitted": free or room.progress.places[task].permits(each.id),
            }
            for each in options.candidates
        ],
    }
