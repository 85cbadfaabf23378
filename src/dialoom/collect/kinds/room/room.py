"""One dialogue under way, with the wizard's tools, the known values and the place in the flow.

rules.py says what its two people may do next, view.py and visible_events.py what they see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from dialoom.collect.kinds.room.dialogue import dialogue
from dialoom.collect.kinds.room.questions import QuestionnaireItem, questions
from dialoom.collect.kinds.room.room_state import RoomState
from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.kinds.room.visible_events import VisibleEvents
from dialoom.collect.kinds.room.wizard.filling import READ
from dialoom.collect.kinds.room.wizard.guard import Progress
from dialoom.collect.kinds.room.wizard.known import Known
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.log.facts import OUTAGE
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Closed, Record, Role, RoomRole, Tally
from dialoom.collect.message import Refused, cleaned
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import Settings
from dialoom.collect.unit import Idleness, SuggestionRequest
from dialoom.dialogue import SYSTEM, Dialogue, Query, Selection, Utterance
from dialoom.dialogue.views import action
from dialoom.schema.task import TaskSchema


def tally(log: Iterable[Record], longest: float = math.inf) -> Tally:
    """Return the counts of a room's log.

    A step of more than `longest` ms between two records counts as an absence of the server and is
    not part of an answering time.
    """
    gaps: dict[RoomRole, list[int]] = {USER_ROLE: [], WIZARD_ROLE: []}
    actions: list[str] = []
    topics: set[str] = set()
    replies = custom = 0
    task, agent, moment, time, last = "", "", 0, 0, 0
    for record in log:
        body, step, last = record.body, record.time - last, record.time
        time += step if 0 <= step <= longest else 0
        if isinstance(body, Selection):
            task = body.task or task
        if not isinstance(body, Utterance | Query):
            continue
        done = action(body)
        if done is not None:
            actions.append(done)
        if isinstance(body, Query) or body.agent == SYSTEM:
            topics.add(task)
        if isinstance(body, Utterance):
            if agent not in ("", body.agent):  # an answer to the other one
                gaps[WIZARD_ROLE if body.agent == SYSTEM else USER_ROLE].append(time - moment)
            agent, moment = body.agent, time
            replies += body.agent == SYSTEM
            custom += body.agent == SYSTEM and done is None
    return Tally(
        actions=tuple(actions),
        replies=replies,
        custom=custom,
        topics=tuple(sorted(topics)),
        gaps={role: tuple(times) for role, times in gaps.items()},
    )


class Room(RoomState):
    """One dialogue under way: its state, with the tools and settings that its rules need.

    Args:
        tools: The wizard's tools; they must have all tasks of the scenario.
        questionnaire: Whether a questionnaire follows the dialogue.
        spoken: Whether the user speaks; the wizard always writes.
    """

    def __init__(
        self,
        scenario: Scenario,
        tools: WizardTools,
        settings: Settings,
        *,
        questionnaire: bool = True,
        own: Sequence[OwnQuestion] = (),
        spoken: bool = False,
    ) -> None:
        super().__init__(scenario)
        self.tools, self.settings, self.asks = tools, settings, questionnaire
        self._own = own
        self.spoken = spoken
        self.events = VisibleEvents(self)
        self._known: Known | None = None
        self._progress: Progress | None = None

    def close(self, outcome: str) -> Closed:
        """Return the body of the room's last record, with the counts of the dialogue."""
        longest = self.settings.times.idle * 1000 + OUTAGE
        return Closed(outcome=outcome, tally=tally(self.log, longest))

    # --- the wizard's task and suggestions --------------------------------------------------

    def chosen(self) -> TaskSchema:
        """Return the wizard's task; `Refused` (`no_task`) until they choose one of several."""
        if self.task is None:
            raise Refused("no_task", "choose the task first that the user is talking about")
        return self.tools.tasks[self.task]

    def wanted(self, text: str) -> SuggestionRequest:
        """Return the request for suggestions for a typed text; `Refused` if no task is chosen."""
        task = self.chosen()
        several = len(self.scenario.tasks) > 1
        expected = [] if self.settings.guard == "off" else self.expected(task.id)
        return SuggestionRequest(
            task=task.id,
            text=cleaned(text),
            item=self.selected.primary,
            known=self._template_values(task.id),
            count=self.settings.suggestions[several],
            likely=tuple(each["id"] for each in expected),
        )

    # --- idleness, questionnaires, what is known --------------------------------------------

    def idleness(self, now: int) -> Idleness:
        """Return the idle roles at `now` (ms since 1970, without the server's absences)."""
        waits, since = next(iter(self.awaited), None), self.waits_since
        times, passed = self.settings.times, (now - since) / 1000
        expired = waits if passed >= times.idle else None
        warned = waits if passed >= times.idle_warning and expired is None else None
        return Idleness(warned, expired, since)

    @cached_property
    def tasks(self) -> tuple[TaskSchema, ...]:
        """The wizard's tasks, in order."""
        return tuple(self.tools.tasks[name] for name in self.scenario.tasks)

    def questions(self, role: Role) -> tuple[QuestionnaireItem, ...]:
        """Return the questionnaire of a role."""
        own_items = [own for own in self._own if own.of == role]
        turns = [
            QuestionnaireItem(f"{own.name}.{turn}", own.text, own=own, turn=turn)
            for turn, speaker in enumerate(self.speakers)
            for own in own_items
            if own.per == "turn" and own.about == speaker
        ]
        whole = (
            QuestionnaireItem(own.name, own.text, own=own) for own in own_items if own.per != "turn"
        )
        return (*turns, *questions(role, self.tasks, self.tasks[0].language), *whole)

    def rates(self, role: Role) -> bool:
        """True if a role is asked to rate the dialogue."""
        return role == USER_ROLE and self.settings.rating

    @property
    def known(self) -> Known:
        """The values that the user has said so far, and those of the wizard's queries."""
        if self._known is None:
            self._known = Known({t: self.tools.tasks[t] for t in self.scenario.tasks})
        self._known.hear(self.log, self.faults)
        return self._known

    @property
    def progress(self) -> Progress:
        """The wizard's place in the flow of each task."""
        if self._progress is None:
            guards = {name: self.tools.guard(name) for name in self.scenario.tasks}
            self._progress = Progress(guards, self.tools.outcome)
        self._progress.follow(self.log, self.faults)
        return self._progress

    def expected(self, task: str) -> list[dict[str, str]]:
        """Return the actions that come next in a task's flow, each with its text."""
        item = (self.selected.primary if task == self.task else None) or {}
        slots, actions = self.known.slots(task), list[dict[str, str]]()
        with self.faults.skipping(len(self.log)):
            actions += self.progress.expected(task, slots, item, self._template_values(task))
        return actions

    def _template_values(self, task: str) -> dict[str, Any]:
        return self.known.values(task) | {READ: self.progress.places[task].read}

    def dialogue(self, number: str = "1", workers: dict[str, str] | None = None) -> Dialogue:
        """Return the room's `Dialogue`; `workers` is agent to (anonymised) worker."""
        language = self.settings.language
        return dialogue(self, self.tasks, number, workers or {}, language, self._own)
