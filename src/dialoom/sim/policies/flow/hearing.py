"""What an agent takes from what a user says: the user's turn in the flow, and values of slots.

    heard = listen(program, said, turns, board)      # by the text alone
    heard = listen_acts(program, said)               # by the acts, as if nothing were misheard

A text is read off the templates that the task file has for the turns that may come; where none of
them gives it word by word, values are those that are found in it, and the turn is the one whose
templates are most like it, or that gives such values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.dialogue import Utterance
from dialoom.dialogue.views import label, parts
from dialoom.schema.call import Column
from dialoom.schema.lexicon import cues
from dialoom.schema.template import Template, match_best
from dialoom.schema.template import parse as read_template
from dialoom.schema.values import TEXTS, parse, read
from dialoom.sim.policies.flow.program import FlowLine, Program, Step
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.tracking.reading import reader_of

LIKE = 0.75
"""How well a text must fit a template, where no template gives it word by word."""

KEPT = 50_000
"""Texts whose values are remembered at most."""


class Heard(NamedTuple):
    """A turn of the user's: which one it is in the flow, if it is one, and slot to value."""

    step: Step | None
    values: Mapping[str, Any]


def listen_acts(program: Program, said: Utterance) -> Heard:
    """Return what the acts of an utterance say."""
    step = program.steps.get(label(said) or "")
    values: dict[str, Any] = {}
    for act in (act for part in parts(said) for act in part.acts or ()):
        for argument in act.arguments:
            held = argument.canonical or argument.values
            slot = program.schema.slots.get(argument.slot)
            if slot is not None and held:
                values[slot.name] = list(held) if slot.type == "categories" else held[0]
    return Heard(step if step is not None and step.kind == "user" else None, values)


def listen(program: Program, said: Utterance, turns: Sequence[Step], board: DialogueState) -> Heard:
    """Return what the text of an utterance says.

    Args:
        program: The task.
        said: What the user says.
        turns: The user's turns that may come, the likeliest first.
        board: What is known before it.
    """
    readings = _readings(program, said.text, turns, board)
    best = max(readings, key=lambda reading: reading[0], default=None)
    if best is not None:
        return Heard(best[1], best[2])
    bits = program.bits
    asked = [slot for slot, bit in bits.items() if board.asked & bit]
    reader = reader_of(program.schema)
    values = {slot: value for slot, (value, _) in reader.heard(said.text, asked).items()}
    return Heard(_alike(program, said.text, turns, values), values)


def _readings(
    program: Program, text: str, turns: Sequence[Step], board: DialogueState
) -> Iterator[tuple[int, Step, dict[str, Any]]]:
    """Yield the turns that give a text word by word, with the characters that are not values."""
    for step in turns:
        for line in step.lines:
            found = line.read(text)
            if found is None:
                continue
            values = _values(program, line, found, board)
            if values is not None:
                yield sum(map(len, line.literals)), step, values


def _values(
    program: Program, line: FlowLine, texts: Sequence[str], board: DialogueState
) -> dict[str, Any] | None:
    """Return slot to the value that a placeholder's text means; None where one does not fit."""
    found: dict[str, Any] = {}
    for name, text in zip(line.names, texts, strict=True):
        if name in program.bits:
            found[name] = _read(program, name, text)
            if found[name] is None:
                return None
        elif name not in board.shown or text.casefold() != _shown(program, board, name):
            return None
    return found


def _shown(program: Program, board: DialogueState, name: str) -> str:
    """Return how the system reads out something of the last result."""
    column = program.columns[board.api].get(name) or Column(name=name)
    return program.words.show(column, board.shown[name]).text.casefold()


@lru_cache(maxsize=KEPT)
def _read(program: Program, name: str, text: str) -> Any:
    """Return the value of a slot that a text means, or None."""
    slot, language = program.schema.slots[name], program.language
    if slot.type == "categories":
        return parse(slot, text, language)
    value = read(slot, text, language)
    return parse(slot, text, language) if value is None and slot.type not in TEXTS else value


def _alike(
    program: Program, text: str, turns: Sequence[Step], values: Collection[str]
) -> Step | None:
    """Return the turn that a text is most like, or whose values it gives; None where none is."""
    found = match_best(text, _templates(turns), least=LIKE)
    if found is not None:
        return turns[int(found[0].partition(":")[0])]
    given = program.mask(values)
    giving = [step for step in turns if step.gives & given]
    if giving:
        return max(giving, key=lambda step: (step.gives & given).bit_count())
    shown = cues(text, program.language)
    if shown.get("unsure") or shown.get("no"):
        return next((step for step in turns if step.node.gives_none), None)
    return None


def _templates(turns: Sequence[Step]) -> dict[str, Template]:
    return {
        f"{place}:{number}": read_template(text)
        for place, step in enumerate(turns)
        for number, text in enumerate(step.node.texts)
    }
