"""The replies that a dialogue awaits, by its place in the flow of a task, their asides and reports.

A reply that the flow leads to has a bonus, one that it rules out a malus; both are in nats.

An aside is a reply that may come anywhere and that the flow does not lead to, or an invitation to
answer that names nothing of the task ("Is that okay?"). A hand-over is none after something could
not be done, nor is "Anything else?" or a farewell after a mere statement.

A report states what a call has returned: a value, or an element of a list, whose last element may
belong to a node of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.flow.cursor import FlowCursor, GivenValues
from dialoom.flow.program import TaskProgram
from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.profile import Reply, merged
from dialoom.reading.spoken import SpokenAct, SpokenTurn
from dialoom.reading.statements import names
from dialoom.reading.task_words import task_words
from dialoom.reading.turn import CLEAR, UNDONE, turn_reader
from dialoom.reading.wording import SentenceWords, wording_of
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import TEXTS

CERTAIN = 0.95
"""Certainty from which a question is accepted without a word of the task. Below it, 1 of 121
questions in the words of tests/play/bots is doubted, and 37 of 48 that no task needs."""

NAMED = 0.75
"""Least certainty of a question or statement that the flow does not lead to."""

IN_PLACE = 0.6
"""Certainty of a reading by the place of a sentence."""

QUESTION = ("?", "？")
"""Marks at the end of a question."""

ALWAYS = frozenset({"more", "goodbye", "greeting", "not_understood", "hand_over", "out_of_scope"})
"""Functions of replies that may come anywhere."""

LAST = frozenset({"more", "goodbye"})
"""What replies do that end a dialogue, by the names of functions."""

STATEMENTS = UNDONE | {"success", "inform"}
"""Functions of replies that await no answer."""


def without_asides(
    turn: SpokenTurn,
    expected: Mapping[str, float],
    slots: Collection[str],
    concerns: Callable[[str], bool],
) -> SpokenTurn:
    """Return a turn without readings that the flow does not lead to, where another act is due.

    These are asides after the first act that is due, and doubtful statements.

    Args:
        turn: The turn.
        expected: Reply to its bonus; that of replies that the flow leads to is positive.
        slots: The slots that the user has given.
        concerns: Returns True if a text has a word of the task.
    """
    due = [n for n, act in enumerate(turn.acts) if _due(act, expected, slots)]
    if not due:
        return turn
    anywhere, acts = _asides_after({turn.acts[n].function for n in due}), list(turn.acts)
    for n, act in enumerate(acts):
        if n in due or expected.get(act.action or "", 0.0) > 0:
            continue
        if n > due[0] and (act.function in anywhere or _invites(act, concerns)):
            acts[n] = replace(act, function="small_talk", action=None, asks=())
        elif not act.asks and act.certainty < NAMED and act.function not in ALWAYS:
            acts[n] = replace(act, action=None)
    return replace(turn, acts=tuple(acts))


def _asides_after(due: set[str]) -> frozenset[str]:
    hand_over = frozenset({"hand_over"}) if due & UNDONE else frozenset()
    return ALWAYS - hand_over - (LAST if due <= STATEMENTS else frozenset())


def _due(act: SpokenAct, expected: Mapping[str, float], slots: Collection[str]) -> bool:
    """Return True if the flow leads to an act, or if it surely asks for an unknown slot."""
    sure = bool(act.asks) and act.action is not None and act.certainty >= CERTAIN
    led = expected.get(act.action or "", 0.0) > 0 and act.certainty >= IN_PLACE
    return led or (sure and not set(act.asks) <= {*slots})


def _invites(act: SpokenAct, concerns: Callable[[str], bool]) -> bool:
    """Return True if an act asks for an answer, but is no question of the task ("Let me know!")."""
    return bool(act.asks) and not act.text.endswith(QUESTION) and not concerns(act.text)


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


def stated_report(
    program: TaskProgram, text: str, returned: Mapping[str, Any], led: Iterable[str]
) -> str | None:
    """Return the only reply of `led` that states a returned value which a text names, if any."""
    columns = {
        name
        for name, value in returned.items()
        if not isinstance(value, bool | list | tuple) and names(text, None, value, program.language)
    }
    stating = [name for name in led if not columns.isdisjoint(_outputs(program).get(name, ()))]
    return stating[0] if len(stating) == 1 else None


@once_for_each
def _outputs(program: TaskProgram) -> dict[str, frozenset[str]]:
    """Return reply to the outputs of calls that it states, without what the user said."""
    inputs = {c.name for call in program.schema.calls.values() for c in call.inputs}
    return {
        node.name: frozenset(n for text in node.texts for n in PLACEHOLDER.findall(text)) - inputs
        for node in program.schema.flow.nodes.values()
        if node.kind == "system"
    }


class ListReading(NamedTuple):
    """The reply that reads out an element of a list, and the reply for its other elements."""

    reply: str
    other: str


def list_reading(
    program: TaskProgram, text: str, returned: Mapping[str, Any]
) -> ListReading | None:
    """Return the reply whose place in a returned list a text names: the last or an earlier one.

    None if the text names no element, or if the last element also occurs earlier.
    """
    for step in program.steps.values():
        values = returned.get(step.reads or "")
        if step.last is None or not step.reads_last or not isinstance(values, list | tuple):
            continue
        elements = _named(values, text, program.language)
        if elements and values[-1] not in values[:-1]:
            pair = (step.last.name, step.name)
            return ListReading(*(pair if values[-1] in elements else reversed(pair)))
    return None


def _named(values: Sequence[Any], text: str, language: str) -> list[Any]:
    matches = [each for each in values if names(text, None, each, language)]
    return [
        each
        for each in matches
        if not any(each != other and str(each) in str(other) for other in matches)
    ]
