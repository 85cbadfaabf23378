"""A study that is played: people, a clock that only moves when told, and the log so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count, islice
from typing import Any

from dialoom.collect.kinds.registry import study_kinds
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.kinds.room.scenario import Scenario, ScenarioLibrary
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.change import Change, Claim
from dialoom.collect.log.record import Record, RoomRole
from dialoom.collect.message import (
    Consent,
    Envelope,
    MessageBody,
    Questionnaire,
    QuizAnswer,
    Ready,
    Refused,
)
from dialoom.collect.settings import ScenarioMode, Settings
from dialoom.collect.study import page
from dialoom.collect.study.quizzes import load_quiz
from dialoom.collect.study.stages import study_stages
from dialoom.collect.study.study import Study
from dialoom.collect.unit import Scenarios
from dialoom.schema.task import TaskSchema

SECOND = 1000
BEGIN = 1_700_000_000_000


class Shelf:
    """Scenarios made once for all tests, and their tasks."""

    def __init__(self, made: tuple[Scenario, ...], tasks: Mapping[str, TaskSchema]) -> None:
        self.made, self.tasks = made, tasks
        self.asked = 0

    def scenarios(self) -> Iterator[Scenario]:
        """Yield them, and count how many were asked for."""
        for scenario in self.made:
            self.asked += 1
            yield scenario


@cache
def library(scenario: ScenarioMode = "unhappy") -> tuple[Shelf, dict[int, WizardTools]]:
    """Return a few scenarios over two tasks, and the tools of their rooms."""
    settings = Settings(
        tasks=("restaurant_book", "hotel_book"), scenario=scenario, scenarios=12, seed=3
    )
    real = ScenarioLibrary(settings)
    shelf = Shelf(tuple(islice(real.scenarios(), 12)), real.tasks)
    return shelf, {}


def settings(**changes: Any) -> Settings:
    """Return the settings of a small study."""
    fields = {
        "tasks": ("restaurant_book", "hotel_book"),
        "scenario": "unhappy",
        "scenarios": 12,
        "purpose": "Better assistants.",
        **changes,
    }
    return Settings(**fields)


def new_study(
    settings: Settings, shelf: Scenarios, tools: dict[int, WizardTools], codes: Iterator[int]
) -> Study:
    """Return a study before anything happened, whose codes are numbered."""
    kinds = study_kinds(study_stages(settings), shelf, settings, tools)
    return Study(settings, shelf, token=lambda: f"code-{next(codes)}", kinds=kinds)


class PlayedStudy:
    """A study with its log, and a clock that only moves when told."""

    def __init__(self, given: Settings, shelf: Scenarios, tools: dict[int, WizardTools]) -> None:
        self.settings, self.shelf, self.tools = given, shelf, tools
        self.codes, self.messages = count(1), count(1)
        self.now = BEGIN
        self.log: list[Record] = []
        self.claims: list[Claim] = []
        self.study = self.fresh()
        self.take(self.study.start(self.now))

    def fresh(self) -> Study:
        """Return the study before anything happened."""
        return new_study(self.settings, self.shelf, self.tools, self.codes)

    def replayed(self) -> Study:
        """Return the study as the log tells it."""
        study = self.fresh()
        for record in self.log:
            study.state.apply(record)
        return study

    def take(self, change: Change) -> Change:
        """Note a change, and let a second pass."""
        self.log += change.records
        self.claims += change.claims
        self.now += SECOND
        return change

    def enter(self, worker: str, role: RoomRole | None = None, **more: Any) -> int:
        """Let somebody in, connected."""
        number, change = self.study.enter(worker, self.now, role=role, **more)
        self.take(change)
        self.take(self.study.connected(number, self.now))
        return number

    def send(self, number: int, message: MessageBody, client: str | None = None) -> Change:
        """Send a message."""
        envelope = Envelope(client or f"c-{next(self.messages)}", 0, message)
        return self.take(self.study.handle(number, envelope, self.now))

    def refused(self, number: int, message: MessageBody) -> Refused:
        """Return the refusal of a message, which changes nothing."""
        before = self.study.state.records
        try:
            self.send(number, message)
        except Refused as refused:
            assert self.study.state.records == before
            return refused
        raise AssertionError(f"{message} was not refused")

    def state(self, number: int) -> dict[str, Any]:
        """Return what somebody's page shows."""
        return page.state(self.study, number, self.now)


class Played(PlayedStudy):
    """Plays a study of rooms.

    Args:
        changes: Settings that differ from those of a small study.
    """

    def __init__(self, shelf: Scenarios | None = None, **changes: Any) -> None:
        setup = settings(**changes)
        stock, tools = library(setup.scenario)
        super().__init__(setup, shelf or Shelf(stock.made, stock.tasks), tools)

    # --- what happens -------------------------------------------------------------------------

    def refusal(self, number: int, message: MessageBody) -> str:
        """Return the code with which a message is refused."""
        return self.refused(number, message).code

    def ready(self, worker: str, role: RoomRole | None = None, **more: Any) -> int:
        """Let somebody in who consents and is ready."""
        number = self.enter(worker, role, **more)
        if self.step(number) == "consent":
            self.send(number, Consent())
        self.send(number, Ready())
        return number

    def ready_for_quiz(self, worker: str) -> int:
        """Let somebody in who consents to a tutorial."""
        number = self.enter(worker)
        self.send(number, Consent())
        return number

    def tick(self, seconds: int = 1) -> None:
        """Let time pass, second by second."""
        for _ in range(seconds):
            self.take(self.study.tick(self.now))

    def step(self, number: int) -> str:
        """Return the step of somebody's page."""
        return str(self.state(number)["step"])

    def seats(self, room: int = 1) -> tuple[int, int]:
        """Return the assignments of a room's user and wizard."""
        seats = self.study.units[room].seats
        return seats["user"], seats["wizard"]

    def talk(self, room: int = 1) -> None:
        """Let a user and a wizard talk until the user has accomplished the task."""
        user, wizard = self.seats(room)
        while not self.state(user)["room"]["can_accomplish"]:
            self.send(user, Say("I want something."))
            self.send(wizard, Say("Here you are."))
        self.send(user, Accomplish())

    def fill(self, number: int, **more: Any) -> Change:
        """Let somebody fill in their questionnaire."""
        form = self.state(number)["questionnaire"]
        answers = {question["id"]: True for question in form["questions"]}
        rating = {"rating": 4} if form["rating"] else {}
        return self.send(number, Questionnaire(answers, **{**rating, **more}))

    def dialogue(self, user: str, wizard: str) -> tuple[int, int]:
        """Let two workers have a dialogue to the end; return their assignments."""
        self.ready(user, "user")
        self.ready(wizard, "wizard")
        room = len(self.study.units)
        seats = self.seats(room)
        self.talk(room)
        for number in seats:
            self.fill(number)
        return seats

    def quiz(self, number: int, wrong: int = 0) -> None:
        """Let somebody answer their quiz, so many times wrong on the way."""
        stage = self.study.assignment(number).stage
        for question in load_quiz(stage, self.settings.language).questions:
            for option in question.options:
                if option != question.right and wrong:
                    wrong -= 1
                    self.send(number, QuizAnswer(question.id, option))
                    if self.study.assignment(number).outcome is not None:
                        return
            self.send(number, QuizAnswer(question.id, question.right))


def bodies(change: Change) -> list[str]:
    """Return the kinds of a change's records."""
    return [type(record.body).__name__ for record in change.records]
