"""A room with somebody at each end: messages go in, records are made as a study makes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import Ask, FormCondition, Pick, Say, Suggest
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.kinds.room.view import PageView
from dialoom.collect.kinds.room.wizard.suggestions import Suggester
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.record import ROLES, Body, Opened, Record, RoomRole
from dialoom.collect.message import MessageBody, Questionnaire, Refused
from dialoom.collect.settings import Settings
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema

BEGINNING = 1_700_000_000_000
SEED = 3
TWO = ((0, "Be brief."), (2, "Change the time."))
TASKS = ("restaurant_book", "hotel_book", "trip_directions")


@lru_cache(maxsize=1)
def tools() -> WizardTools:
    """Return a tools for a few tasks of the pack."""
    return WizardTools({name: pack.load(name) for name in TASKS}, SEED)


@lru_cache(maxsize=8)
def suggester(task: str) -> Suggester:
    """Return the suggester of a task."""
    return Suggester(tools().tasks[task])


def scenario(*tasks: str, instructions: tuple[tuple[int, str], ...] = ()) -> Scenario:
    """Return a scenario of some tasks."""
    many = len(instructions)
    texts = enumerate(instructions, start=1)
    return Scenario(
        id="s1",
        kind="multi" if len(tasks) > 1 else "single",
        tasks=tasks,
        domains=tuple(dict.fromkeys(task.split("_")[0] for task in tasks)),
        user_task="Get a table at the Juniper.",
        wizard_task="Help the user.",
        instructions=tuple(
            (turn, f"{text} [instruction {n} of {many}]") for n, (turn, text) in texts
        ),
        happy=not instructions,
        seed=SEED,
    )


class Played:
    """A room, the records it made, and a clock that goes on by whole seconds."""

    def __init__(
        self,
        given: Scenario | None = None,
        tasks: Mapping[str, TaskSchema] | None = None,
        **settings: Any,
    ) -> None:
        self.given = given or scenario("restaurant_book")
        self.tools = WizardTools(tasks, SEED) if tasks else tools()
        self.settings = Settings(tasks=self.given.tasks, **settings)
        self.room = Room(self.given, self.tools, self.settings)
        self.pages = PageView()
        self.records: list[Record] = []
        self.now = BEGINNING
        seats = {"user": 1, "wizard": 2}
        opened = Opened(stage="single", item=self.given.id, seats=seats, batch="b-1")
        self.put("wizard", (opened,), "")
        self.put("wizard", tuple(rules.instructions(self.room, 0, self.now)), "")

    def put(self, role: RoomRole, bodies: tuple[Body, ...], client: str) -> None:
        """Write bodies, as a study does."""
        for body in bodies:
            author = rules.author(body, role)
            record = Record("unit/1", len(self.records) + 1, self.now, author, client, body)
            self.records.append(record)
            self.room.apply(record)
            client = ""

    def view(self, role: RoomRole) -> dict[str, Any]:
        """Return what a role's page shows."""
        return self.pages.of(self.room, role)

    def send(self, role: RoomRole, message: MessageBody, seconds: int = 5) -> tuple[Body, ...]:
        """Send a message after some seconds; return what it yielded."""
        self.now += seconds * 1000
        ranked = None
        if role == "wizard" and isinstance(message, Suggest) and self.room.task is not None:
            w = self.room.wanted(message.text)
            ranked = suggester(w.task).rank(w.text, w.item, w.count, w.known, w.likely)
        bodies = rules.decide(self.room, role, message, self.now, ranked)
        self.put(role, bodies, f"c{self.now}")
        return bodies

    def user(self, text: str) -> None:
        """Let the user say something."""
        self.send("user", Say(text))

    def wizard(self, typed: str, action: str, reason: str | None = None) -> None:
        """Let the wizard type something and pick an action of what is shown."""
        self.send("wizard", Suggest(typed))
        self.send("wizard", Pick(action, reason))

    def ask(self, api: str, values: Mapping[str, Any]) -> tuple[Body, ...]:
        """Let the wizard ask the knowledge base for equal values."""
        conditions = tuple(FormCondition(name, "equal", value) for name, value in values.items())
        return self.send("wizard", Ask(api, conditions))

    def refused(self, role: RoomRole, message: MessageBody) -> str:
        """Return the code with which a message is refused; nothing may have changed."""
        before = state(self.room)
        try:
            self.send(role, message)
        except Refused as refused:
            assert refused.what
            assert state(self.room) == before
            return refused.code
        raise AssertionError(f"{message} was not refused")

    def again(self) -> Room:
        """Return the room that a replay of the records gives."""
        room = Room(self.given, self.tools, self.settings)
        for record in self.records:
            room.apply(record)
        return room


def state(room: Room) -> tuple[Any, ...]:
    """Return all that can be seen of a room."""
    views = tuple(PageView().of(room, role) for role in ROLES)
    return (*views, room.dialogue(), room.completion_level, room.over)


def answers(room: Room, role: RoomRole, **more: Any) -> Questionnaire:
    """Return a questionnaire filled in with yes."""
    return Questionnaire({question.id: True for question in room.questions(role)}, **more)


TABLE = {"Name": "Juniper", "Time": "19:30", "PartySize": 4, "CustomerName": "Ada Quill"}


def booked(**settings: Any) -> Played:
    """Return a room in which a table was found and booked, on the user's turn."""
    room = Played(**settings)
    room.user("Hi, a table at the Juniper, please.")
    room.wizard("hello", "hello")
    room.user("For four, at 7:30 pm.")
    room.wizard("for whom", "ask_name")
    room.user("I'm Ada Quill.")
    room.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    room.wizard("there is a table waiting", "restaurant_ask_confirm_booking")
    room.user("Yes, keep it for us.")
    room.ask("restaurant_book", TABLE | {"RequestType": "Book"})
    room.wizard("your table is set", "restaurant_inform_booking_successful")
    return room
