"""The kind of work in which two people talk in a room, one as the user and one as the wizard."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import Suggest
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.kinds.room.view import PageView
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.record import ROLES, USER_ROLE, WIZARD_ROLE, Body, Role
from dialoom.collect.message import MessageBody
from dialoom.collect.settings import ROOM, SPOKEN, Settings, Stage
from dialoom.collect.unit import Policy, Scenarios, SuggestionRequest, WorkItem, WorkKind


class RoomKind(WorkKind):
    """Dialogues of two people; scenarios with the same seed share the wizard's tools.

    Args:
        tools: Seed to the wizard's tools, shared with other kinds; missing ones are added.
        spoken: Whether the user speaks (Byrne et al. 2019, Taskmaster-1); the wizard writes.
    """

    roles: tuple[Role, ...] = ROLES
    reader: Role = USER_ROLE  # only the user must not have had the scenario before
    policy: Policy = "together"

    author = staticmethod(rules.author)
    decide = staticmethod(rules.decide)

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
        """Return the state of a new room for a scenario."""
        scenario = self.given(item)
        if scenario.seed not in self._tools:
            self._tools[scenario.seed] = WizardTools(self._scenarios.tasks, scenario.seed)
        return Room(
            scenario,
            self._tools[scenario.seed],
            self._settings,
            questionnaire=stage.questionnaire,
            own=self._settings.asks(stage, self.schemas[scenario.tasks[0]].language),
            spoken=self._spoken,
        )

    def view(self) -> PageView:
        """Return the object that makes the pages of a room."""
        return PageView()

    def charts(self, work: Room, role: Role) -> tuple[str, ...]:
        """Return the tasks of the scenario for the wizard, and none for the user."""
        return work.scenario.tasks if role == WIZARD_ROLE else ()

    def wanted(self, work: Room, role: Role, message: MessageBody) -> SuggestionRequest | None:
        """Return the suggestions that a wizard asks for in their turn."""
        if isinstance(message, Suggest) and role == work.turn == WIZARD_ROLE:
            return work.wanted(message.text)
        return None

    def opening(self, work: Room, now: int) -> Iterator[Body]:
        """Yield the instructions that come right after a room is opened."""
        return rules.instructions(work, 0, now)
