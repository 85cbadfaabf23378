"""Questions as states, with the slots of their calls, and the slots that lines ask for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from dialoom.learn.model import Questions
from dialoom.models.ranker.features import SlotQuestions
from dialoom.models.ranker.lines import NAME, LineReader
from dialoom.models.ranker.shortlist import CandidateLists
from dialoom.models.ranker.state import HistoryState, read_state

SURE = 0.9
"""A line asks for a slot if at least this share of the answers to it mention that slot alone."""


class ReadQuestion(NamedTuple):
    """A question as a state, with the required slots of a call."""

    state: HistoryState
    required: frozenset[str]


def read_questions(questions: Questions, reader: LineReader) -> list[ReadQuestion]:
    """Return the states of questions, with the slots of their calls.

    If neither the history nor the candidates of a question have a call, its slots are those of most
    other questions.
    """
    usual: Counter[frozenset[str]] = Counter()
    found: list[tuple[HistoryState, frozenset[str] | None]] = []
    lists = CandidateLists(reader)
    for question in questions:
        state = read_state(question.history, reader)
        required = _required(state, lists.of(question).called)
        if required is not None:
            usual[required] += 1
        found.append((state, required))
    rest = min(usual, key=lambda slots: (-usual[slots], sorted(slots)), default=frozenset[str]())
    return [ReadQuestion(state, rest if slots is None else slots) for state, slots in found]


def _required(state: HistoryState, offered: frozenset[str] | None) -> frozenset[str] | None:
    """Return the slots of the last call and of a call among the candidates, or None."""
    called = None if state.called is None else frozenset(state.called)
    return called if offered is None else (called or frozenset()) | offered


def asked_slots(read: Iterable[ReadQuestion], reader: LineReader) -> dict[str, str]:
    """Return template to the slot that it asks for, by users' answers to it."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for question in read:
        turns = question.state.turns
        if turns and question.state.user is not None:  # earlier lines are the last ones at others
            line, user = turns[-1].line, question.state.user
            if line.is_plain:
                slots = {slot for slot, _ in reader.mentions(user) if slot != NAME}
                answers[line.template][slots.pop() if len(slots) == 1 else ""] += 1
    found = {}
    for template, counts in answers.items():
        slot, most = counts.most_common(1)[0]
        if slot and most >= SURE * counts.total():
            found[template] = slot
    return found


def asking_of(read: Iterable[ReadQuestion], reader: LineReader) -> SlotQuestions:
    """Return the slots that lines ask for, each ordered by the number usually asked before it."""
    read = list(read)
    slots = asked_slots(read, reader)
    before: Counter[tuple[str, str]] = Counter()
    for question in read:
        asked = [
            slots[turn.line.template]
            for turn in question.state.turns
            if turn.line.template in slots
        ]
        before.update(combinations(asked, 2))
    names = sorted(set(slots.values()))
    order = {
        slot: sum(before[other, slot] > before[slot, other] for other in names) for slot in names
    }
    return SlotQuestions(slots, order)
