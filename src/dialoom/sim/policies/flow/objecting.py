"""A user's objection to a turn of the system that states another value than the user gave.

wrong = contradicted(runner, reading.turn)      # [SurfaceForm("time", "19:00", …)]
objection(runner, wrong[0], time)               # Utterance("No, 7 pm.")
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import Utterance
from dialoom.flow.node import Step
from dialoom.reading.turn import SpokenTurn
from dialoom.schema.lexicon import lexicon
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.flow.turns import UserRunner
from dialoom.sim.policies.flow.user import utter

SURE = 0.8
"""Least confidence of a mention that the user objects to."""

BINDING = frozenset({"confirm"})
"""Functions of turns to which a user objects: what they accept is done."""


def contradicted(runner: UserRunner, turn: SpokenTurn) -> list[SurfaceForm]:
    """Return the values that a user has given and a turn states otherwise, as the user wants them.

    A slot counts only if the turn names none of its right value, and its place no other slot's.
    """
    main = turn.main
    if main is None or main.function not in BINDING:
        return []
    return list(_contradicted(runner, turn))


def _contradicted(runner: UserRunner, turn: SpokenTurn) -> Iterator[SurfaceForm]:
    goal, said = runner.user.goal.said, runner.state.said
    stated: dict[str, list[object]] = {}
    for mention in turn.mentions:
        if mention.confidence >= SURE:
            stated.setdefault(mention.slot, []).append(mention.value)
    for slot, values in stated.items():
        wish = goal.get(slot)
        if wish is not None and slot in said and wish.canonical == said[slot].canonical:
            wanted = wish.canonical
            if wanted not in values and not isinstance(wanted, list | tuple):
                yield wish


def objection(runner: UserRunner, wish: SurfaceForm, time: int) -> Utterance:
    """Return a user's correction, in the task's words where it has some for the slot."""
    program, user, state = runner.program, runner.user, runner.state
    own = [step for step in program.corrections if _corrects(step, program.bits[wish.slot])]
    if own:
        step = user.wishes.choice(own)
        state.asked = program.bits[wish.slot]
        return utter(user.speak(step, state), state, time)
    spoken = lexicon(program.language)
    no = spoken.no[0].capitalize()
    text = f"{no}, {wish.text}."
    state.give(wish)
    acts = (program.first.act(wish),)
    return utter((text, acts, tuple(wish.at(len(no) + 2))), state, time)


def _corrects(step: Step, bit: int) -> bool:
    return any(line.slots == bit for line in step.lines)
