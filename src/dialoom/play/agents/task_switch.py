"""An agent of several tasks: it passes each utterance of the user to the agent of its task.

    switch = TaskSwitch({"weather": first, "hotel_book": second})
    switch.reply((said,))            # (Selection(kind="task", task="hotel_book"), Utterance(…))

The task of an utterance is the one whose possible next user turns share most words with it. The
current task gets `STAYS` words in advance, and `ASKED` more if it has just asked something; a mere
greeting stays with it. Each agent sees only the part of the dialogue that is about its task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Query, Selection, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.play.judging.target import about
from dialoom.schema.lexicon import only_greets
from dialoom.sim.policies.flow.agent import FlowAgent

STAYS, ASKED = 1.0, 1.0
"""Words counted for the current task in advance, and more if it has just asked something."""


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
        """Return the utterances and calls of the current task's agent."""
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
        """Return an event; a call's id and service get the task, since several tasks make calls."""
        if not isinstance(event, Query):
            return event
        return replace(event, id=f"{self._now}.{event.id}", service=self._now)

    def _meant(self, said: Utterance) -> str:
        """Return the task that an utterance is about."""
        if self._reads_acts:
            return about(said) or self._now
        if only_greets(said.text, self._agents[self._now].program.language):
            return self._now
        ranked: dict[str, tuple[float, bool]] = {}
        for task, agent in self._agents.items():
            asked = bool(agent.state.asked)
            stays = STAYS + ASKED * asked if task == self._now else 0.0
            ranked[task] = agent.fitness(said) + stays, asked
        return max(ranked, key=ranked.__getitem__)


def together(agents: Mapping[str, FlowAgent], *, reads_acts: bool = False) -> Participant:
    """Return an agent of several tasks; of a single one, its own agent."""
    if len(agents) == 1:
        return next(iter(agents.values()))
    return TaskSwitch(agents, reads_acts=reads_acts)
