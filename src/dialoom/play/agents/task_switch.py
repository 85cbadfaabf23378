"""An agent of several tasks: one agent for each, and who of them the user is talking to.

    switch = TaskSwitch({"weather": first, "hotel_book": second})
    switch.reply((said,))            # (Selection(kind="task", task="hotel_book"), Utterance(…))

What a user says is for the task whose turns that may come now have most of its words; where that
leaves a doubt, for the one under way, the more so if it has just asked something, or else for one
that has. Each agent sees the part of the dialogue that is about its task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Query, Selection, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.play.judging.target import about
from dialoom.sim.policies.flow.agent import FlowAgent

STAYS, ASKED = 1.0, 1.0
"""Words of a text that speak for the task under way from the outset, and if it asked something."""


class TaskSwitch:
    """Plays the system of several tasks in one dialogue.

    Args:
        agents: Task to its agent.
        reads_acts: Whether the annotation of what users say tells which task it is about.
    """

    def __init__(self, agents: Mapping[str, FlowAgent], *, reads_acts: bool = False) -> None:
        self._agents, self._reads_acts = agents, reads_acts
        self._seen: dict[str, list[Event]] = {task: [] for task in agents}
        self._now = next(iter(agents))
        self._selected = ""
        self._taken = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return what the agent of the task under way says and asks."""
        for event in events[self._taken :]:
            if isinstance(event, Utterance) and event.agent == USER:
                self._now = self._meant(event)
            self._seen[self._now].append(event)
        self._taken = len(events)
        made = [self._told(event) for event in self._agents[self._now].reply(self._seen[self._now])]
        if self._selected != self._now:
            self._selected = self._now
            made.insert(0, Selection(kind="task", task=self._now))
        return tuple(made)

    def _told(self, event: Event) -> Event:
        """Return an event with the task that it is of, where calls of several go one way."""
        if not isinstance(event, Query):
            return event
        return replace(event, id=f"{self._now}.{event.id}", service=self._now)

    def _meant(self, said: Utterance) -> str:
        """Return the task that an utterance is about."""
        if self._reads_acts:
            return about(said) or self._now
        ranked: dict[str, tuple[float, bool]] = {}
        for task, agent in self._agents.items():
            asked = bool(agent.state.asked)
            stays = STAYS + ASKED * asked if task == self._now else 0.0
            ranked[task] = agent.fitness(said) + stays, asked
        return max(ranked, key=ranked.__getitem__)


def together(agents: Mapping[str, FlowAgent], *, reads_acts: bool = False) -> Participant:
    """Return who serves several tasks: of one task it is the agent itself."""
    if len(agents) == 1:
        return next(iter(agents.values()))
    return TaskSwitch(agents, reads_acts=reads_acts)
