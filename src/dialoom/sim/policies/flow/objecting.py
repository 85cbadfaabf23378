"""A user's objection to a turn of the system that contradicts a value of theirs.

wrong = list(contradicted(runner, reading.turn, text))     # [SurfaceForm("time", "19:00", …)]
objection(runner, wrong[0], time)               # Utterance("No, 7 pm.")
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import Utterance
from dialoom.flow.node import Step
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.statements import flat, unfounded
from dialoom.schema.lexicon import lexicon
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.flow.turns import UserRunner
from dialoom.sim.policies.flow.user import utter


def contradicted(runner: UserRunner, turn: SpokenTurn, text: str) -> Iterator[SurfaceForm]:
    """Yield the user's values that a turn contradicts without naming the right one, as wanted."""
    goal, state, task = runner.user.goal.said, runner.state, runner.program.schema
    given = {slot: held.canonical for slot, held in state.said.items() if slot in goal}
    if not given:
        return
    right = {
        slot: value
        for slot, value in given.items()
        if value == goal[slot].canonical and not isinstance(value, list)
    }
    known = flat(held.canonical for held in (*goal.values(), *state.said.values()))
    known += flat(state.shown.values())
    stated = [(mention.slot, mention.value) for mention in turn.mentions]
    places = {(mention.start, mention.end): mention.slot for mention in turn.mentions}
    for place in unfounded(task, text, turn, known):
        slots = [mention.slot for mention in place if mention.slot in right]
        open_ = [slot for slot in slots if (slot, right[slot]) not in stated]
        likely = places.get((place[0].start, place[0].end))
        if open_:
            yield goal[likely if likely in open_ else open_[0]]


def objection(runner: UserRunner, wish: SurfaceForm, time: int) -> Utterance:
    """Return a user's correction, in the task's words if it has some for the slot."""
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
