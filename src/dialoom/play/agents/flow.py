"""Agents that follow the flow of the task: one understands texts, the oracle reads the user's acts.

    --agent flow     --agent oracle

With several tasks, `TaskSwitch` passes each utterance of the user to the agent of its task:

    switch = TaskSwitch({"weather": first, "hotel_book": second})
    switch.reply((said,))            # (Selection(kind="task", task="hotel_book"), Utterance(…))

The task of an utterance is the one whose possible next user turns share most words with it. The
current task gets `STAYS` words in advance, and `ASKED` more if it has just asked something; a mere
greeting stays with it. Each agent sees only the part of the dialogue that is about its task.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Query, Selection, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.flow.program import TaskProgram
from dialoom.play.agents.base import AgentSeat, PlainAgent
from dialoom.play.judging.target import about
from dialoom.reading.purpose import wishes
from dialoom.reading.wording import wording_of
from dialoom.schema.lexicon import only_greets, resumes
from dialoom.schema.template import PLACEHOLDER
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.policies.flow.hearing import listen_acts

STAYS, ASKED = 1.0, 1.0
"""Words counted for the current task in advance, and more if it has just asked something."""

TOPIC = 2.0
"""Weight of the words of a task's openings where a text states a wish."""


class TaskTopics:
    """The topics of some tasks: the words by which users open them."""

    def __init__(self, programs: Mapping[str, TaskProgram]) -> None:
        self._words = {task: frozenset(_topic_words(each)) for task, each in programs.items()}
        self._tasks = Counter(word for words in self._words.values() for word in words)

    def about(self, text: str, language: str) -> Mapping[str, float]:
        """Return task to the weight of its words in a text: rare ones count for more."""
        whole = len(self._words) + 1
        hits = wording_of(text, language).words & self._tasks.keys()
        weights = {word: math.log(whole / (self._tasks[word] + 0.5)) for word in sorted(hits)}
        return {
            task: math.fsum(weight for word, weight in weights.items() if word in topic)
            for task, topic in self._words.items()
        }


def _topic_words(program: TaskProgram) -> Iterator[str]:
    schema = program.schema
    descriptions = [each.description for each in schema.intents.values()]
    texts = (text for step in program.openings for text in step.node.texts)
    for text in (schema.texts.get("wish", ""), *descriptions, *texts):
        yield from wording_of(PLACEHOLDER.sub(" ", text), program.language).words


class TaskSwitch:
    """Plays the system of several tasks in one dialogue, by words or annotated acts."""

    def __init__(self, agents: Mapping[str, FlowAgent], *, reads_acts: bool = False) -> None:
        self._agents, self._reads_acts = agents, reads_acts
        self._seen: dict[str, list[Event]] = {task: [] for task in agents}
        self._topics = TaskTopics({task: each.program for task, each in agents.items()})
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
        answers = [
            self._with_task(event) for event in self._agents[self._now].reply(self._seen[self._now])
        ]
        if self._selected != self._now:
            self._selected = self._now
            answers.insert(0, Selection(kind="task", task=self._now))
        return tuple(answers)

    def _with_task(self, event: Event) -> Event:
        """Return an event; a call's id and service get the task, since several tasks make calls."""
        if not isinstance(event, Query):
            return event
        return replace(event, id=f"{self._now}.{event.id}", service=self._now)

    def _meant(self, utterance: Utterance) -> str:
        if self._reads_acts:
            return about(utterance) or self._now
        if only_greets(utterance.text, self._agents[self._now].program.language):
            return self._now
        program = self._agents[self._now].program
        topics = self._topics.about(utterance.text, program.language)
        wish = wishes(program, utterance.text)
        waiting = [task for task in self._waiting() if task != self._now]
        back = bool(waiting) and resumes(utterance.text, program.language)
        ranked: dict[str, tuple[float, bool]] = {}
        for task, agent in self._agents.items():
            has_asked = bool(agent.state.asked)
            stays = STAYS + ASKED * has_asked if task == self._now else 0.0
            fits = agent.fitness(utterance, now=back or task == self._now)
            ranked[task] = fits + stays + TOPIC * wish * topics[task], has_asked
        return max(waiting if back else ranked, key=ranked.__getitem__)

    def _waiting(self) -> Iterator[str]:
        for task, agent in self._agents.items():
            if self._seen[task] and agent.step is not None and agent.step.kind == "user":
                yield task


def together(agents: Mapping[str, FlowAgent], *, reads_acts: bool = False) -> Participant:
    """Return an agent of several tasks; of a single one, its own agent."""
    if len(agents) == 1:
        return next(iter(agents.values()))
    return TaskSwitch(agents, reads_acts=reads_acts)


class FlowFollowing(PlainAgent):
    """The agent `flow`: follows the task's flow and finds values in texts; learns nothing."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent at the beginning of the flow."""
        return together({each.task: FlowAgent(each, seat.seed) for each in seat.flows})


class OracleAgent(PlainAgent):
    """The agent `oracle`: follows the task's flow and reads the user's acts: the upper bound."""

    reads_acts: ClassVar[bool] = True

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that reads the user's acts."""
        agents = {
            each.task: FlowAgent(
                each, seat.seed, lambda program, utterance, *_: listen_acts(program, utterance)
            )
            for each in seat.flows
        }
        return together(agents, reads_acts=True)
