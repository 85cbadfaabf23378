"""The replies that a dialogue awaits, by its place in the flow of a task.

A reply that the flow leads to has a bonus, one that it rules out a malus; both are in nats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from dialoom.flow.cursor import FlowCursor, GivenValues
from dialoom.flow.program import TaskProgram
from dialoom.reading.asides import ALWAYS
from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.profile import Reply, merged
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import CLEAR, turn_reader
from dialoom.reading.wording import SentenceWords, wording_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import TEXTS

TEXT = "request:text"
"""Label of questions for a text."""

STRANGERS = 1
"""Most words of a question that the task lacks, if it is to be the awaited one."""

FIT = 0.5
"""Least probability of a question's kind of value at which one more such word is allowed."""

NEXT = 2.0
"""Bonus, in nats, of a reply that the flow leads to."""

EXCLUDED = -3.5
"""The same for a reply to another outcome of the call, or to a call that was not made."""

BARRED = -50.0
"""The same for a reply that cannot come here."""

UNASKED = -1.5
"""Bonus, in nats, of replies off the flow: a statement, an offer, or a question for a value that
the user has given."""


def awaited(program: TaskProgram, text: str, led: Iterable[str]) -> Reply | None:
    """Return the question that the flow awaits if a text may be it: the only one that fits.

    The text needs no word of the question, but may have few words that the task lacks.
    """
    task, replies = program.schema, turn_reader(program.schema, "system").profiles.replies
    asking = [replies[name] for name in led if replies[name].function == "request"]
    wording = wording_of(text, task.language)
    kinds = function_scorer(task.language, "system").probabilities(wording)
    fitting = [each for each in asking if _fit(task, each, kinds) >= FIT]
    likely = fitting if len({each.asks for each in fitting}) == 1 else asking
    if len({each.asks for each in likely}) != 1:
        return None
    strangers = task_words(task).strangers(wording.words)
    return likely[0] if len(strangers) <= STRANGERS + bool(fitting) else None


def _fit(task: TaskSchema, reply: Reply, kinds: Mapping[str, float]) -> float:
    """Return the probability that a text asks for a question's kind of value; a name is a text."""
    free = [TEXT] if any(task.slots[slot].type in TEXTS for slot in reply.asks) else []
    return max(kinds.get(label, 0.0) for label in (*reply.labels, *free))


def invited(
    program: TaskProgram, text: str, led: Iterable[str], expected: Mapping[str, float]
) -> Reply | None:
    """Return the awaited question, if only one is, that a statement invites the user to answer.

    The statement is likelier a request than anything else, and that question likelier than all
    other replies together, by their bonus `expected`: "You can leave a message."
    """
    task, reader = program.schema, turn_reader(program.schema, "system")
    asking = [name for name in led if reader.profiles.replies[name].function == "request"]
    functions = reader.functions(text)
    requests = max(functions, key=lambda name: functions[name], default="") == "request"
    if len(asking) != 1 or not requests or task_words(task).foreign(text):
        return None
    chances = reader.chances(text, expected)
    return reader.profiles.replies[asking[0]] if chances[asking[0]] >= CLEAR else None


def alike(one: Reply, other: Reply, sentence: SentenceWords) -> bool:
    """Return True if a text may ask either of two questions for the same kind of value.

    It has no word or concept of the first question alone. A person's name is a name.
    """
    kinds = {each.asked_kind.replace("person", "name") for each in (one, other)}
    own, others = (merged((*each.described, *each.templates)) for each in (one, other))
    return (
        len(kinds) == 1
        and sentence.words.isdisjoint(own.words - others.words)
        and sentence.concepts.isdisjoint(own.concepts - others.concepts)
    )


def is_question(text: str, function: str, marks: tuple[str, ...]) -> bool:
    """Return True if a sentence asks by its function or, without one, by its mark."""
    return function_of(function) == "request" or (not function and text.endswith(marks))


@lru_cache(maxsize=4096)
def replies_awaited(
    program: TaskProgram,
    after: tuple[str, ...],
    against: tuple[str, ...],
    slots: tuple[str, ...],
    has_call: bool,
) -> dict[str, float]:
    """Return the bonus of each reply that is likelier or less likely than elsewhere.

    Args:
        program: The task.
        after: The nodes that the dialogue may have come to.
        against: The nodes of results that the last call did not have.
        slots: The slots that the user has given.
        has_call: True if any call was made.
    """
    led, excluded = replies_after(program, after, slots), replies_after(program, against)
    if not has_call:
        results = [step.name for step in program.steps.values() if step.kind == "result"]
        excluded |= replies_after(program, results) - {step.name for step in program.uncalled}
    replies = turn_reader(program.schema, "system").profiles.replies.values()
    unasked = {
        each.action
        for each in replies
        if all(slot in slots for slot in each.asks) and each.function not in ALWAYS
    }
    return {
        **dict.fromkeys(sorted(unasked - led), UNASKED),
        **dict.fromkeys(sorted(led), NEXT),
        **dict.fromkeys(sorted(excluded - led), EXCLUDED),
    }


def replies_after(
    program: TaskProgram, after: Iterable[str], slots: Iterable[str] = ()
) -> set[str]:
    """Return the replies that come after some nodes before the user speaks again."""
    steps = [program.steps[name] for name in after if name in program.steps]
    cursor = FlowCursor(program, GivenValues(program, dict.fromkeys(slots)), steps)
    return {step.name for step in cursor.replies()} if steps else set()
