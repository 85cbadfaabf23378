"""Talks of the studio's user, who is the wizard of a task, with a simulated user."""

from __future__ import annotations

from typing import Any

from dialoom.collect.bots import client_messages
from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import RoomMessage, Suggest
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.kinds.room.view import PageView
from dialoom.collect.kinds.room.wizard.suggestions import Suggester
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Body, Opened, Record, Role
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings
from dialoom.dialogue import Event, Query, Result, Selection, Utterance
from dialoom.play.running.live import LiveGoals
from dialoom.play.users.base import USERS
from dialoom.schema.task import TaskSchema
from dialoom.studio.folder import StudioFolder
from dialoom.studio.tasks.message import WizardTalk
from dialoom.studio.tasks.trying import task_of

USER = "simulated"

_HEARD = (Utterance, Query, Result, Selection)


def wizard(folder: StudioFolder, talk: WizardTalk) -> dict[str, Any]:
    """Hold a talk from its beginning, and return the wizard's page.

    Nothing is kept from one request to the next, so a talk goes on with an edited task. `taken`
    counts the messages before the first that is refused, `refusal` says why it was.
    """
    desk = WizardDesk(task_of(folder, talk), talk.seed)
    taken, refusal = 0, dict[str, Any]()
    for message in talk.sent:
        try:
            desk.take(message)
        except Refused as error:
            refusal = {**error.detail, "code": error.code, "what": error.what}
            break
        taken += 1
    return {
        "room": {"number": 1, **desk.page},
        "events": desk.room.events.since(WIZARD_ROLE),
        "goal": desk.goal,
        "taken": taken,
        "refusal": refusal or None,
    }


class WizardDesk:
    """A talk of a simulated user and a human wizard, by the rules of a study's rooms."""

    def __init__(self, task: TaskSchema, seed: int) -> None:
        seat = LiveGoals({task.id: task}, seed).goal(task.id, 0).seat(0)
        self.goal = seat.briefing
        self._user = USERS.made(USER).join(seat)
        self._suggester: Suggester | None = None
        self._task = task
        scenario = Scenario(
            id=seat.name,
            kind="single",
            tasks=(task.id,),
            domains=(task.domain,),
            user_task=self.goal,
            wizard_task="",
            seed=seed,
            goal=seat.goal,
        )
        settings = Settings(tasks=(task.id,), purpose="")
        tools = WizardTools({task.id: task}, seed)
        self.room = Room(scenario, tools, settings, questionnaire=False)
        self._add(WIZARD_ROLE, Opened(item="", stage="", seats={}, batch=""))
        self._answer()

    @property
    def page(self) -> dict[str, Any]:
        """The wizard's page of the room."""
        return PageView().of(self.room, WIZARD_ROLE)

    @property
    def events(self) -> list[Event]:
        """The dialogue so far."""
        bodies = (record.body for record in self.room.log)
        return [body for body in bodies if isinstance(body, _HEARD)]

    def take(self, message: RoomMessage) -> None:
        """Carry out a message of the wizard's, and let the user answer; `Refused` if it may not."""
        ranked = self._ranked(message.text) if isinstance(message, Suggest) else None
        for body in rules.decide(self.room, WIZARD_ROLE, message, 0, ranked):
            self._add(WIZARD_ROLE, body)
        if self.room.turn == USER_ROLE:
            self._answer()

    def _ranked(self, text: str) -> Any:
        if self._suggester is None:
            self._suggester = Suggester(self._task)
        request = self.room.wanted(text)
        return self._suggester.rank(
            request.text, request.item, request.count, request.known, request.likely
        )

    def _answer(self) -> None:
        for message, _ in client_messages(self._user.reply(self.events)):
            for body in rules.decide(self.room, USER_ROLE, message, 0):
                self._add(USER_ROLE, body)

    def _add(self, author: Role, body: Body) -> None:
        self.room.apply(Record("unit/1", len(self.room.log) + 1, 0, author, "", body))
