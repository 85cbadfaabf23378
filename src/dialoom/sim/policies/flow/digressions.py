"""What users do beside the flow where the task file lets them: correct, ask, go unheard.

    step = digress(runner, step)     # the node to pass instead; None where all is said already

A correction gives a slot another value. The flow goes on from the question for it, as if that had
just been answered, or from one that is still open: what is known is passed over, calls are made
again. A task without such nodes
draws nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Layer, Part
from dialoom.schema.actions import OUT_OF_SCOPE
from dialoom.sim.policies.flow.program import Step
from dialoom.sim.policies.flow.user import utter

if TYPE_CHECKING:
    from dialoom.sim.policies.flow.runner import FlowRunner

LONGEST = 3
"""Words that are heard of what is not understood, at most."""

NOTICE = (Layer(GOLD, (Part(None, (Act(OUT_OF_SCOPE),)),)),)
"""The annotation of what is beside the task: it leads nowhere in the flow."""


def digress(runner: FlowRunner, step: Step) -> Step | None:
    """Let something happen before a turn of the user, if it does; return the node that comes.

    Args:
        runner: The task under way.
        step: The user's next node.
    """
    program, before, rates = runner.program, runner.before, runner.user.goals.habits
    wishes = runner.user.wishes
    if before is None or before.kind != "system" or step in program.closing:
        return step
    if program.apology is not None and wishes.once_in(rates.unheard):
        return _mumble(runner, step, program.apology)
    runner.unheard = 0
    for correction in program.corrections:
        slots = _changeable(runner, correction)
        if slots and not before.reads and wishes.once_in(rates.correct):
            return _correct(runner, correction, slots, before)
    if program.anytime and wishes.once_in(rates.interrupt):
        return wishes.choice(program.anytime)
    return step


def _mumble(runner: FlowRunner, step: Step, apology: Step) -> Step | None:
    """Say what nobody understands, and be told so; too often, and the flow goes elsewhere."""
    board, recorder, wishes = runner.board, runner.recorder, runner.user.wishes
    words = " ".join(runner.user.language.choice(step.lines).literals).split()
    heard = words[: 1 + wishes.below(LONGEST)]
    recorder.aside(USER, " ".join((*heard, "…")), NOTICE)
    asked = board.asked
    said = runner.system.say(apology, board, recorder.time)
    board.asked = asked
    recorder.aside(SYSTEM, said.text, said.layers)
    runner.unheard += 1
    if runner.unheard < apology.node.not_understood:
        runner.step = step
    else:
        runner.unheard = 0
        runner.move(apology)
    return None


def _changeable(runner: FlowRunner, correction: Step) -> tuple[str, ...]:
    """Return the slots whose value can still be another one: nothing was done with it."""
    board, goals, bits = runner.board, runner.user.goals, runner.program.bits
    free = board.known & ~runner.done & ~board.asked
    slots = [s for s in correction.node.corrects if s in board.said and free & bits[s]]
    return tuple(slot for slot in slots if goals.domain(slot) is not None)


def _correct(
    runner: FlowRunner, correction: Step, slots: tuple[str, ...], before: Step
) -> Step | None:
    """Give slots other values, and go on from the question for the first of them."""
    user, board, program = runner.user, runner.board, runner.program
    changed = user.goals.renew(user.goal, slots, user.wishes, user.language)
    board.drop(changed)
    board.asked = 0
    spoken = user.speak(correction, board)
    runner.recorder.events.append(utter(spoken, board, runner.recorder.time))
    runner.recorder.wait(len(spoken[0]))
    asked = (program.mask(changed or slots) & runner.asked) | board.needs(before.asks)
    question = next((each for each in program.steps.values() if each.asks & asked), before)
    runner.before = correction
    runner.step = runner.arrive(question)
    return None
