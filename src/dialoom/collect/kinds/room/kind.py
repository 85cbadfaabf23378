"""Rooms as a kind of work: two people talk, one as the user, one as the wizard.

kind = RoomKind(library, settings)
kind.decide(kind.begin(item, stage), "user", Say("Hi"), now)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dialoom.collect.item import WorkItem
from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.kinds.room.view import PageView
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.record import ROLES, USER_ROLE, Body, Place
from dialoom.collect.message import MessageBody
from dialoom.collect.settings import ROOM, SPOKEN, Settings, Stage
from dialoom.collect.unit import Policy, Scenarios
from dialoom.dialogue import Candidate


class RoomKind:
    """Dialogues of two people; rooms of one seed share their wizard's tools.

    Args:
        scenarios: Where their scenarios and tasks come from.
        settings: The study.
        tools: Tools made before, by their seed.
        spoken: Whether the user speaks (Byrne et al. 2019, Taskmaster-1); the wizard writes.
    """

    places: tuple[Place, ...] = ROLES
    reader: Place = USER_ROLE  # a wizard need not have new texts
    policy: Policy = "together"

    def __init__(
        self,
        scenarios: Scenarios,
        settings: Settings,
        tools: dict[int, WizardTools] | None = None,
        *,
        spoken: bool = False,
    ) -> None:
        self.name = SPOKEN if spoken else ROOM
        self._spoken = spoken
        self._scenarios, self._settings = scenarios, settings
        self.schemas = scenarios.tasks
        self._tools = {} if tools is None else tools
        self._given: dict[str, Scenario] = {}

    def items(self) -> Iterator[WorkItem]:
        """Yield the scenarios."""
        for scenario in self._scenarios.scenarios():
            yield WorkItem(
                id=scenario.id,
                group=scenario.kind,
                content=msgspec.to_builtins(scenario),
                digest=scenario.texts,
                target=self._settings.target,
                language=self.schemas[scenario.tasks[0]].language,
            )

    def given(self, item: WorkItem) -> Scenario:
        """Return the scenario of an item."""
        if item.id not in self._given:
            self._given[item.id] = msgspec.convert(item.content, Scenario)
        return self._given[item.id]

    def begin(self, item: WorkItem, stage: Stage) -> Room:
        """Return the state of a room that is opened for a scenario."""
        scenario = self.given(item)
        if scenario.seed not in self._tools:
            self._tools[scenario.seed] = WizardTools(self._scenarios.tasks, scenario.seed)
        return Room(
            scenario,
            self._tools[scenario.seed],
            self._settings,
            questionnaire=stage.questionnaire,
            spoken=self._spoken,
        )

    def view(self) -> PageView:
        """Return the pages of a room."""
        return PageView()

    def opening(self, work: Room, now: int) -> Iterator[Body]:
        """Yield the instructions that come right after a room was opened."""
        return rules.opening(work, now)

    def author(self, body: Body, place: Place) -> str:
        """Return the author of a record that holds what a message of `place` makes."""
        return rules.author(body, place)

    def decide(
        self,
        work: Room,
        place: Place,
        message: MessageBody,
        now: int,
        ranked: Sequence[Candidate] | None = None,
    ) -> tuple[Body, ...]:
        """Return the bodies of the records that a message makes; nothing is changed.

        Raises:
            Refused: It cannot be done.
        """
        return rules.decide(work, place, message, now, tuple(ranked or ()))
