"""Statements whose values are known, but belong to another slot or another row.

facts = KnownFacts({"arrival": ["2021-05-03"], "departure": ["2021-05-18"]})
contradicted(task, "Booked: arriving May 18, leaving May 3.", turn, facts)    # True

A statement counts only if nothing else explains it: two values have to be exchanged, a clause has
to name one row by a value of its own, and a clause on a truth value has to say nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dialoom.reading.awaited import QUESTION
from dialoom.reading.profile import described
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.statements import SURE, asked_in, claims, limits, names
from dialoom.reading.task_words import CLAUSE, number_words
from dialoom.reading.wording import sentences, word_reader, wording_of
from dialoom.schema.call import Column
from dialoom.schema.lexicon import lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import TEXTS, Mention, best, by_place, find, same

REPORTS = frozenset({"inform", "offer", "success"})
"""Functions of turns that describe a row."""

MEASURES = frozenset({"time", "date", "integer", "amount"})
"""Types whose values of another row count as wrong; a category may be near, or compared."""

LEADING = 3
"""Words before a value that may give it its slot."""


class ReturnedRow(NamedTuple):
    """A returned row, and its columns by name."""

    item: Mapping[str, Any]
    columns: Mapping[str, Column]

    def slots(self, task: TaskSchema) -> Iterator[tuple[Slot, Any]]:
        """Yield the slots of the row's columns, each with the value."""
        for name, value in self.item.items():
            slot = task.slots.get(self.columns[name].slot or "") if name in self.columns else None
            if slot is not None:
                yield slot, value


class KnownFacts(NamedTuple):
    """Slot to the values that the user gave or a call had for it, and the rows returned."""

    stated: Mapping[str, Sequence[Any]] = {}
    rows: Sequence[ReturnedRow] = ()


def contradicted(task: TaskSchema, text: str, turn: SpokenTurn, facts: KnownFacts) -> bool:
    """Return True if a turn exchanges values, or says of a row what is another's or untrue."""
    asking = asked_in(turn)
    stating = [each for each in sentences(text) if not any(each in other for other in asking)]
    if any(_exchanges(task, each, facts.stated) for each in stating):
        return True
    clauses = [clause for each in stating for clause in CLAUSE.split(each)]
    if any(_of_other_row(task, clause, facts) for clause in clauses):
        return True
    if not any(act.function in REPORTS for act in turn.acts):
        return False
    lines = [each for each in sentences(text) if not each.endswith(QUESTION)]
    parts = [clause for each in lines for clause in CLAUSE.split(each)]
    own = [row for row in facts.rows if _named(task, text, row, facts.rows)] or facts.rows
    return any(_untrue(task, clause, facts.stated, own) for clause in parts)


def _exchanges(task: TaskSchema, sentence: str, stated: Mapping[str, Sequence[Any]]) -> bool:
    """Return True if two values of a sentence are exchanged.

    The words before each value give it its slot, so the first needs some, and the last may have
    none behind it: they might belong to the values before them.
    """
    mentions = [m for m in find(sentence, task.slots.values(), task.language) if m.slot in stated]
    places = by_place(mentions)
    spans = sorted((m.start, m.end) for m in best(mentions))
    for kin in _kins(task):
        own = [span for span in spans if any(m.slot in kin for m in places[span])]
        if len(own) < 2:
            continue
        behind = words(sentence[own[-1][1] :])
        roles = [_role(task, kin, _before(sentence, spans, span)) for span in own]
        if roles[0] is None or _role(task, kin, behind, leads=False) is not None:
            continue
        pairs = zip(roles, own, strict=True)
        wrong = [r for r, span in pairs if r and _of_other_slot(places[span], r, kin, stated)]
        if len(set(wrong)) > 1:
            return True
    return False


def _before(sentence: str, spans: Sequence[tuple[int, int]], span: tuple[int, int]) -> list[str]:
    end = max((end for _, end in spans if end <= span[0]), default=0)
    return words(sentence[end : span[0]])[-LEADING:]


def _kins(task: TaskSchema) -> Iterator[frozenset[str]]:
    """Yield the sets of two slots or more that can have the same values."""
    groups: dict[object, set[str]] = {}
    for slot in task.slots.values():
        key = slot.type if slot.type in MEASURES else None
        for value in (key,) if key else slot.values if slot.type not in TEXTS else ():
            groups.setdefault(value, set()).add(slot.name)
    yield from {frozenset(group) for group in groups.values() if len(group) > 1}


def _role(
    task: TaskSchema, kin: frozenset[str], spoken: Sequence[str], *, leads: bool = True
) -> str | None:
    """Return the slot that some words name: the only one with most of its words."""
    text, own = wording_of(" ".join(spoken), task.language), number_words(task)
    about = {slot: described(task.slots[slot], task.language) for slot in kin}
    shared = frozenset.intersection(*(each.concepts for each in about.values()))
    common = frozenset.intersection(*(each.words for each in about.values()))
    scores = {
        slot: len(text.concepts & each.concepts - shared)
        + len(text.words & each.words - common)
        + (leads and own.leads(slot, spoken))
        for slot, each in about.items()
    }
    most = [slot for slot, score in scores.items() if score == max(scores.values()) > 0]
    return most[0] if len(most) == 1 else None


def _of_other_slot(
    place: Sequence[Mention], role: str, kin: frozenset[str], stated: Mapping[str, Sequence[Any]]
) -> bool:
    values = [mention.value for mention in place]
    if any(value in stated.get(role, values) for value in values):
        return False
    return any(value in stated.get(other, ()) for other in kin - {role} for value in values)


def _of_other_row(task: TaskSchema, clause: str, facts: KnownFacts) -> bool:
    """Return True if a clause names one row, with a measure that only other rows have."""
    rows = [row for row in facts.rows if _named(task, clause, row, facts.rows)]
    if len(rows) != 1:
        return False
    others = [pair for row in facts.rows if row is not rows[0] for pair in row.slots(task)]
    for slot, right in rows[0].slots(task):
        rights = [right, *facts.stated.get(slot.name, ())]
        if slot.type not in MEASURES or right is None or names(clause, slot, right, task.language):
            continue
        wrong = [value for other, value in others if other is slot and value not in rights]
        for place in by_place(find(clause, (slot,), task.language)).values():
            sure = place[0].confidence >= SURE and place[0].value in wrong
            if sure and claims(task, clause, place) and not limits(task, clause, place[0]):
                return True
    return False


def _named(task: TaskSchema, clause: str, row: ReturnedRow, rows: Sequence[ReturnedRow]) -> bool:
    """Return True if a clause names a row by a text or a serial number that no other row has."""
    shared = {slot for kin in _kins(task) for slot in kin}
    for name, column in row.columns.items():
        slot, value = task.slots.get(column.slot or ""), row.item.get(name)
        text = isinstance(value, str) and column.slot not in shared
        if not (column.type == "serial" or (text and (slot is None or slot.type not in MEASURES))):
            continue
        alone = value is not None and sum(other.item.get(name) == value for other in rows) == 1
        if alone and len(rows) > 1 and names(clause, slot, value, task.language):
            return True
    return False


def _untrue(
    task: TaskSchema, clause: str, stated: Mapping[str, Sequence[Any]], rows: Sequence[ReturnedRow]
) -> bool:
    """Return True if a clause says of a truth value what none of some rows has."""
    for slot in (slot for slot in task.slots.values() if slot.type == "boolean"):
        truth = _truth(clause, slot, task.language)
        values = {value for row in rows for own, value in row.slots(task) if own is slot}
        if truth is not None and values == {not truth} and truth not in stated.get(slot.name, ()):
            return True
    return False


def _truth(clause: str, slot: Slot, language: str) -> bool | None:
    """Return what a clause says of a truth value and of nothing else ("It has no balcony")."""
    spoken, reader = lexicon(language), word_reader(language)
    label, _, value = clause.partition(":")
    about = described(slot, language)
    nouns = (split_name(slot.name)[-1], *words(slot.description)[-1:])
    if not any(same(word, noun) for word in words(label)[-1:] for noun in nouns):
        return None
    if value.strip():
        return spoken.truth(value)
    before = words(label)[:-1]
    denials = {*spoken.without, *spoken.no, *spoken.cues["no"]}
    idle = {*spoken.stop, *spoken.articles, *spoken.links, *spoken.pointing}
    rest = [each for each in before if each not in idle and reader.stem(each) not in about.stems]
    if not before or any(each not in denials for each in rest) or len(rest) > 1:
        return None
    return not rest
