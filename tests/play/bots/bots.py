"""Agents that follow the flow of a task and say it in other words, without action labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Event, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.dialogue.views import label
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram, compile_task
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.flow import together
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.policies.flow.hearing import HeardTurn, listen, listen_acts
from dialoom.sim.policies.flow.state import DialogueState

GARBLED = "Colourless green ideas sleep furiously."

STYLES = {"formal": 0, "casual": 1, "markdown": 2, "terse": 3}
"""Name of a style to its place in words.json."""

IN_PAIRS = ("casual", "terse")
"""Styles that ask two questions a turn."""

OUTSIDE = "Sorry, that is not something I can talk about."

Words = Mapping[str, Mapping[str, Sequence[str]]]


def words() -> Words:
    """Return task to node to the four ways to say it."""
    phrases: Words = json.loads((Path(__file__).parent / "words.json").read_text())
    return phrases


class FreeBots:
    """Agents in a style; "task" for the task file's own words.

    Args:
        style: A style of `STYLES`, or "task".
            After a plus sign come "pairs", to ask two questions a turn in the task file's words,
            too, and "acts", to hear users by their annotation, so that no bot misunderstands.
    """

    reads_acts: ClassVar[bool] = False

    def __init__(self, style: str) -> None:
        self.style, *more = style.split("+")
        self.pairs = self.style in IN_PAIRS or "pairs" in more
        self.reads_acts = "acts" in more  # type: ignore[misc]

    def ready(self, tasks: Sequence[str]) -> None:
        """Do nothing."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent for one dialogue."""
        programs = {each.task: _in_style(each, self.style) for each in seat.programs}
        return together(
            {
                task: self._bot(program, seat.seed)  # type: ignore[misc]
                for task, program in programs.items()
            },
            reads_acts=self.reads_acts,
        )

    def _bot(self, program: TaskProgram, seed: bytes) -> FreeBot:
        agent = FlowAgent(program, seed, _by_acts if self.reads_acts else listen)
        return FreeBot(agent, program, pairs=self.pairs, garbled=self.style == "garbled")


def _by_acts(
    program: TaskProgram, utterance: Utterance, turns: Sequence[Step], state: DialogueState
) -> HeardTurn:
    return listen_acts(program, utterance)


class FreeBot:
    """One agent in one dialogue; removes the labels of what a flow agent says."""

    def __init__(
        self, agent: FlowAgent, program: TaskProgram, *, pairs: bool, garbled: bool
    ) -> None:
        self.agent, self.program = agent, program
        self.pairs, self.garbled = pairs, garbled

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next utterances or a query."""
        return tuple(self._bare(self.agent.reply(events)))

    @property
    def state(self) -> DialogueState:
        """The state of the dialogue, where a bot serves several tasks."""
        return self.agent.state

    @property
    def step(self) -> Step | None:
        """The step that was taken last, where a bot serves several tasks."""
        return self.agent.step

    def fitness(self, said: Utterance, *, now: bool) -> float:
        """Return how well the user's text fits, where a bot serves several tasks."""
        return self.agent.fitness(said, now=now)

    def _bare(self, events: Sequence[Event]) -> Iterator[Event]:
        """Yield the events in order, the utterances in a row as one."""
        for spoken, run in groupby(events, lambda event: isinstance(event, Utterance)):
            group = list(run)
            yield from [self._joined(group)] if spoken else group

    def _joined(self, group: Sequence[Event]) -> Utterance:
        spoken = [event for event in group if isinstance(event, Utterance)]
        text = GARBLED if self.garbled else " ".join(event.text for event in spoken)
        second = self._second(spoken[-1]) if self.pairs else None
        if second is not None:
            self.agent.state.asked |= second.asks
            self.agent.asked |= second.asks
            text = f"{text} {second.lines[0].literals[0]}"
        return replace(spoken[-1], text=text, layers=())

    def _second(self, utterance: Utterance) -> Step | None:
        """Return the question for the next open slot after a question for one."""
        steps = list(self.program.steps.values())
        step = self.program.steps.get(label(utterance) or "")
        if step is None or not step.asks:
            return None
        after = (each for each in steps[steps.index(step) + 1 :] if self._open(each))
        return next(after, None)

    def _open(self, step: Step) -> bool:
        slots = self.agent.state.known | self.agent.state.none
        return bool(step.asks & ~slots) and not step.takes_none and step.plain


@lru_cache(maxsize=64)
def _in_style(program: TaskProgram, style: str) -> TaskProgram:
    if style in ("task", "garbled"):
        return program
    return compile_task(reworded(program.schema, style))


def reworded(task: TaskSchema, style: str) -> TaskSchema:
    """Return a task with the system's replies in a style."""
    phrases, place = words()[task.id], STYLES[style]
    nodes = {
        name: replace(node, texts=_texts(node, phrases[name][place])) if name in phrases else node
        for name, node in task.flow.nodes.items()
    }
    flow = FlowGraph(nodes=nodes, complete=task.flow.complete)
    return replace(task, flow=flow, out_of_scope=(OUTSIDE,))


def _texts(node: Node, text: str) -> tuple[str, ...]:
    """Return a text as a node's templates; for a summary, one for each list of known values."""
    if not node.confirms:
        return (text,)
    templates = []
    for own in node.texts:
        summary = own[own.index("{") : own.rindex("}") + 1]
        templates.append(text.replace("{summary}", summary))
    return tuple(dict.fromkeys(templates))
