"""Instructions in words for people and language models that take the user's place.

    instructions(runner, events)
    # Book a room. What you know:
    # - the day of arrival: 13 May
    # When the assistant says something like: Shall I book it? Answer something like: Not that day.
    # From then on you want:
    # - the day of arrival: 7 May

They are written from the oracle's dialogue with the simulated user of the goal, because the verdict
judges by where that leads: what this user knew, where their mind changed and to what, and what
they asked for besides. A user who follows them comes to the same end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.dialogue import USER, Event, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.sim.policies.flow.briefing import fact, head
from dialoom.sim.policies.flow.scenario_texts import fill, scenario_texts


def instructions(
    program: TaskProgram, values: Mapping[str, Any], events: Sequence[Event]
) -> Iterator[str]:
    """Yield the lines of a user's instructions for the same end as a dialogue.

    `values` are the goal's at first, `events` those of the oracle with the simulated user.
    """
    state: dict[str, Any] = {**values}
    yield from (head(program), *(fact(program, slot, value) for slot, value in state.items()))
    for part in _parts(program, events, state):
        yield from part


def _parts(
    program: TaskProgram, events: Sequence[Event], state: dict[str, Any]
) -> Iterator[list[str]]:
    replies = scenario_texts(program.language).replies
    part, turns = _Part(program, ""), list(_turns(program, events))
    decided = {b.users for b, step, _ in turns if b is not None and _decides(b, step)}
    for before, step, event in turns:
        values = {slot: value for slot, value in _given(event, step) if slot in program.bits}
        new = {slot for slot, value in values.items() if slot in state and state[slot] != value}
        if before is not None and ((new and not part.head) or before.users in decided):
            yield part.lines()
            pieces = min(before.lines, key=lambda line: len(line.names)).literals
            texts = {"heard": "…".join(pieces), "text": event.text}
            part = _Part(program, fill(replies, texts)[0])
            forgotten = program.bound(step.node.forget)
            part.dropped = {slot for slot in forgotten if state.pop(slot, None) is not None}
        for slot, value in values.items():
            if slot not in state or state[slot] != value:
                part.facts[slot] = fact(program, slot, value, event.text)
        part.dropped -= values.keys()
        state |= values
    yield part.lines()


def _turns(
    program: TaskProgram, events: Sequence[Event]
) -> Iterator[tuple[Step | None, Step, Utterance]]:
    before: Step | None = None
    for event in events:
        step = program.steps.get(label(event) or "") if isinstance(event, Utterance) else None
        if step is not None and isinstance(event, Utterance) and event.agent == USER:
            yield before, step, event
        else:
            before = step or before


class _Part:
    """A part of the instructions, with a line for the value of each slot in `facts`.

    The first has an empty `head`. `dropped` are slots without a wish from here on.
    """

    def __init__(self, program: TaskProgram, head: str) -> None:
        self._program, self.head = program, head
        self.facts: dict[str, str] = {}
        self.dropped: set[str] = set()

    def lines(self) -> list[str]:
        texts = scenario_texts(self._program.language)
        lines = [*self.facts.values()]
        lines += [fact(self._program, slot, None) for slot in sorted(self.dropped)]
        return [self.head, *([texts.from_then] if lines else []), *lines] if self.head else lines


def _given(utterance: Utterance, step: Step) -> Iterator[tuple[str, Any]]:
    """Yield an utterance's slots with their values; None for a slot without a wish.

    Values that a result or a branch determines are left out.
    """
    own = {*step.node.takes, *step.node.set, step.node.next}
    acts = (act for part in parts(utterance) for act in part.acts or ())
    for argument in (argument for act in acts for argument in act.arguments):
        values = list(argument.canonical or argument.values)
        if argument.slot not in own:
            yield argument.slot, (values if len(values) > 1 else values[0]) if values else None


def _decides(before: Step, step: Step) -> bool:
    """True if the user's words at a node are not the only usual ones."""
    others = () if before.asks else before.users[1:]
    return step in others or bool(step.forget or step.node.next)
