"""The user's faults, found by rule: what they say against their goal, and how they take part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from dialoom.dialogue import Utterance
from dialoom.dialogue.views import label
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.heard import Heard, given, word_runs
from dialoom.reading.turn import turn_reader
from dialoom.reading.user_turn import reader_of
from dialoom.schema.lexicon import words
from dialoom.schema.once import once_for_each
from dialoom.sim.policies.flow.briefing import topic
from dialoom.sim.policies.flow.scenario_texts import scenario_texts

Fault = Literal["contradicts", "invents", "leaks", "leaves", "repeats", "unanswered"]
"""A user's fault: says a value that is not the goal's; names a slot that the goal leaves open;
quotes the instructions; leaves although the agent had not taken its leave; says the same again and
again; says nothing."""

REPEATED, SHORTEST = 3, 3
"""Times that a user who is not simulated may not say the same line, of as many words or more."""

EXPECTED = 3.0
"""Bonus, in nats, of the answers to the agent's last question."""

STUCK = 4
"""Number of equal replies in a row after which a user may leave."""


def user_faults(program: TaskProgram, log: Heard, goal: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of what a user says, each as often as it comes.

    Words without annotation are read for values.
    """
    wishes = wanted_values(goal)
    last: str | None = None
    lines = Counter[str]()
    for event, turn in log:
        if not isinstance(event, Utterance):
            continue
        if turn is not None:
            last = turn.action
            continue
        if not event.layers:
            question = program.steps.get(last or "")
            yield from _misheard(program, event, question, wishes)
            spoken = words(event.text)
            lines[" ".join(spoken)] += len(spoken) >= SHORTEST
            if not _instructions(program).isdisjoint(word_runs(event.text)):
                yield "leaks"
        step = program.steps.get(label(event) or "")
        own = step is None or not (step.node.set or step.node.next or step.node.takes)
        for slot, value in given(event):
            if slot in wishes and own and value not in wishes[slot]:
                yield "contradicts"
            elif slot not in wishes and slot in program.owned and own:
                yield "invents"
    if any(times >= REPEATED for times in lines.values()):
        yield "repeats"


def leaves(program: TaskProgram, log: Heard, *, alone: bool) -> bool:
    """True if a user leaves a task before the agent has said goodbye.

    A user may leave an agent that says the same again and again. One of several tasks may be left
    where only the goodbye is still to come in its flow.
    """
    replies = [
        (turn.action, event.text)
        for event, turn in log
        if turn is not None and isinstance(event, Utterance)
    ]
    last = replies[-STUCK:]
    if len(last) == STUCK and len({text for _, text in last}) == 1:
        return False
    step = program.steps.get(replies[-1][0] or "") if replies else None
    if step is None or step in program.closing:
        return False
    return alone or program.closing.isdisjoint(step.users)


def _misheard(
    program: TaskProgram, event: Utterance, step: Step | None, wishes: Mapping[str, list[Any]]
) -> Iterator[Fault]:
    """Yield the faults of an answer without annotation, by the values in its words.

    A value that the goal has for another slot is no fault: words alone cannot separate slots. For
    a slot that the goal leaves open, numbers count only as answers to its question.
    """
    names = [slot for slot, bit in program.bits.items() if step is not None and step.asks & bit]
    if step is not None and _declines(program, event.text, step):
        return
    for slot, (value, _) in reader_of(program.schema).heard(event.text, names).items():
        if any(plain_value(value) in group for group in wishes.values()):
            continue
        if slot in wishes:
            yield "contradicts"
        elif slot in program.owned and (slot in names or not isinstance(value, bool | int | float)):
            yield "invents"


def _declines(program: TaskProgram, text: str, question: Step) -> bool:
    """True if an answer gives no value: any will do, or none is wanted."""
    reader = reader_of(program.schema)
    if question.takes_none and not reader.cares(text):
        return True
    led = {step.name: EXPECTED for step in question.users}
    step = program.steps.get(turn_reader(program.schema, "user").read(text, led).action or "")
    return step is not None and step.node.gives_none


@once_for_each
def _instructions(program: TaskProgram) -> frozenset[tuple[str, ...]]:
    texts = scenario_texts(program.language)
    played = texts.played.replace("{task}", topic(program))
    return frozenset((*word_runs(played), *word_runs(texts.played)))


def wanted_values(goal: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return slot to every value that the goal has for it, at first or after a change."""
    wishes: dict[str, list[Any]] = {}
    for values in (goal.get("values", {}), *goal.get("changes", ())):
        for slot, value in values.items():
            wishes.setdefault(slot, []).append(plain_value(value))
    return wishes


def plain_value(value: Any) -> Any:
    """Return the element of a list of one element; any other value unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
