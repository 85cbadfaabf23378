"""Questions as states, the candidates possible in them, and the slots that lines ask for.

bAbI has one list of 4,212 candidates for all questions. A candidate with an item, value or fact
that has not come up in the dialogue is never the answer, so that only the others are scored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

from dialoom.dialogue import Candidate, Choice, Question
from dialoom.learn.model import RANKED, Questions
from dialoom.models.ranker.features import SlotQuestions
from dialoom.models.ranker.lines import NAME, Line, LineReader, is_open
from dialoom.models.ranker.state import HistoryState, read_state

Read = tuple[Candidate, Line]


class Shortlist:
    """A list of candidates with their lines, indexed by entity if longer than `RANKED`."""

    def __init__(self, candidates: Sequence[Candidate], reader: LineReader) -> None:
        self.read: list[Read] = [(each, reader.line(each.text or "")) for each in candidates]
        self.long = len(candidates) > RANKED
        self._plain: list[Read] = []
        self._by_word: defaultdict[str, list[tuple[frozenset[str], Read]]] = defaultdict(list)
        for each in self.read if self.long else ():
            words = [w for slot, w in each[1].entities if slot and not is_open(slot, w)]
            if words:
                self._by_word[words[0]].append((frozenset(words), each))
            else:
                self._plain.append(each)

    @cached_property
    def called(self) -> frozenset[str] | None:
        """The slots of the first call among the candidates, or None."""
        call = next((line for _, line in self.read if line.is_call), None)
        return None if call is None else frozenset(slot for slot, _ in call.entities if slot)

    def line(self, id: str) -> Line:
        """Return the line of a candidate; an empty one if there is none of that id."""
        return self._by_id.get(id, Line(""))

    @cached_property
    def _by_id(self) -> dict[str, Line]:
        return {candidate.id: line for candidate, line in self.read}

    def possible(self, state: HistoryState) -> list[Read]:
        """Return the candidates whose entities have all come up; of a short list, all."""
        if not self.long:
            return self.read
        entities = state.known()
        matches = chain.from_iterable(self._by_word.get(word, ()) for word in sorted(entities))
        return [*self._plain, *(each for words, each in matches if words <= entities)]


class CandidateLists:
    """Makes the shortlists of questions; a list that consecutive questions share is read once."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._last: tuple[Sequence[Candidate], Shortlist] | None = None

    def of(self, question: Question[Choice]) -> Shortlist:
        """Return the candidates of a question."""
        candidates = question.asked.candidates
        if self._last is None or self._last[0] is not candidates:
            self._last = candidates, Shortlist(candidates, self._reader)
        return self._last[1]


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
    pairs: list[tuple[HistoryState, frozenset[str] | None]] = []
    lists = CandidateLists(reader)
    for question in questions:
        state = read_state(question.history, reader)
        required = _required(state, lists.of(question).called)
        if required is not None:
            usual[required] += 1
        pairs.append((state, required))
    rest = min(usual, key=lambda slots: (-usual[slots], sorted(slots)), default=frozenset[str]())
    return [ReadQuestion(state, rest if slots is None else slots) for state, slots in pairs]


def _required(state: HistoryState, offered: frozenset[str] | None) -> frozenset[str] | None:
    slots = None if state.called is None else frozenset(state.called)
    return slots if offered is None else (slots or frozenset()) | offered


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
    targets = {}
    for template, counts in answers.items():
        slot, most = counts.most_common(1)[0]
        if slot and most >= SURE * counts.total():
            targets[template] = slot
    return targets


def asking_of(read: Iterable[ReadQuestion], reader: LineReader) -> SlotQuestions:
    """Return the slots that lines ask for, each ordered by the number usually asked before it."""
    read = list(read)
    slots = asked_slots(read, reader)
    before: Counter[tuple[str, str]] = Counter()
    for question in read:
        sequence = [
            slots[turn.line.template]
            for turn in question.state.turns
            if turn.line.template in slots
        ]
        before.update(combinations(sequence, 2))
    names = sorted(set(slots.values()))
    order = {
        slot: sum(before[other, slot] > before[slot, other] for other in names) for slot in names
    }
    return SlotQuestions(slots, order)
