"""Questions as states, and the learnt policy: the probability of each class of lines in a state.

A logistic regression over named features gives it, reduced by an action mask.

expected = policy.expected(read_questions(questions, reader), asking, reader)
expected[0].probability(reader.line("how about bay_inn"), asking)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations
from math import log
from typing import NamedTuple

from dialoom.dialogue import Candidate, Choice, Question
from dialoom.learn.model import RANKED, Questions
from dialoom.models.ranker.features import Features, SlotQuestions, features, line_class
from dialoom.models.ranker.lines import NAME, Line, LineReader, is_open
from dialoom.models.ranker.state import HistoryState, read_state

Read = tuple[Candidate, Line]


class Shortlist:
    """A list of candidates with their lines, indexed by entity if longer than `RANKED`.

    bAbI has one list of 4,212 candidates for all questions. One with an item, value or fact that
    has not come up in the dialogue is never the answer, so that only the others are scored.
    """

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


WEIGHTS = 4_000_000
"""Most weights (classes times features) of a regression: beyond it, rare ones are left out."""

STRENGTH, STEPS = 10.0, 300

MASKED = 0.01
"""Factor of the probability of a class that training never has under a condition."""

ENOUGH = 5
"""Least training examples of a condition for its mask to apply."""


class ActionMask:
    """An action mask: reduces the probability of classes never seen under a condition.

    `found` has the conditions and the class of each training example.
    """

    def __init__(self, examples: Iterable[tuple[Sequence[str], str]]) -> None:
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for conditions, label in examples:
            for condition in conditions:
                self._seen[condition][label] += 1

    def applied(self, conditions: Sequence[str], chances: Mapping[str, float]) -> dict[str, float]:
        """Return masked probabilities of classes under conditions; they no longer add up to 1."""
        weights = dict(chances)
        for condition in conditions:
            counts = self._seen.get(condition, Counter())
            if counts.total() >= ENOUGH:
                for label in weights.keys() - counts.keys():
                    weights[label] *= MASKED
        return weights


Counted = Counter[tuple[frozenset[str], str]]
"""Counts: the features and the class of an example to the number of such examples."""


def _small_enough(counts: Counted) -> Counted:
    classes = Counter(label for _, label in counts.elements())
    features = Counter(name for names, _ in counts for name in names)
    least = 1
    while _common(classes, least) * _common(features, least) > WEIGHTS:
        least += 1
    subset: Counted = Counter()
    for (names, label), count in counts.items():
        if classes[label] >= least:
            subset[frozenset(name for name in names if features[name] >= least), label] += count
    return subset


def _common(counts: Counter[str], least: int) -> int:
    return sum(count >= least for count in counts.values())


class Regression:
    """A multinomial logistic regression over named features, with L2 regularisation.

    Equal examples are fitted as one, with the weight 1 + log(number of them). `found` has the
    features and the class of each.
    """

    def __init__(self, examples: Iterable[tuple[Features, str]]) -> None:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        counts = _small_enough(Counter((frozenset(names), label) for names, label in examples))
        labels = [label for _, label in counts]
        self._classes = sorted(set(labels))
        self._table, self._model = DictVectorizer(), LogisticRegression(C=STRENGTH, max_iter=STEPS)
        if len(self._classes) > 1:
            rows = [dict.fromkeys(sorted(names), 1.0) for names, _ in counts]
            weights = [1 + log(count) for count in counts.values()]
            self._model.fit(self._table.fit_transform(rows), labels, sample_weight=weights)

    def probabilities(self, rows: Sequence[Features]) -> list[dict[str, float]]:
        """Return the probability of each class for each row."""
        if len(self._classes) < 2 or not rows:
            return [dict.fromkeys(self._classes, 1.0) for _ in rows]
        chances = self._model.predict_proba(self._table.transform(rows))
        return [dict(zip(self._classes, map(float, row), strict=True)) for row in chances]


class Expected(NamedTuple):
    """The probabilities of classes of lines in a state; `missing` slots are in asking order."""

    state: HistoryState
    missing: Sequence[str]
    classes: Mapping[str, float]

    def probability(self, line: Line, asking: SlotQuestions) -> float:
        """Return the probability of a line, by the slots that templates ask for."""
        return self.classes.get(line_class(line, self.state, self.missing, asking), 0.0)


class Policy:
    """A regression over the features of states, with an action mask.

    `answers` are the bot's lines at the training questions, `asking` the slots that templates ask
    for, in order.
    """

    def __init__(
        self,
        read: Iterable[ReadQuestion],
        answers: Iterable[Line],
        asking: SlotQuestions,
        reader: LineReader,
    ) -> None:
        rows: list[tuple[Features, str]] = []
        conditions: list[tuple[Sequence[str], str]] = []
        for question, line in zip(read, answers, strict=True):
            missing = asking.missing(question.state, question.required)
            premises, names = features(question.state, missing, asking, reader)
            label = line_class(line, question.state, missing, asking)
            rows.append((names, label))
            conditions.append((premises, label))
        self._regression, self._mask = Regression(rows), ActionMask(conditions)

    def expected(
        self, read: Sequence[ReadQuestion], asking: SlotQuestions, reader: LineReader
    ) -> list[Expected]:
        """Return the expectations at each question; `asking` includes slots of another wording."""
        missing = [asking.missing(each.state, each.required) for each in read]
        rows = [
            features(each.state, slots, asking, reader)
            for each, slots in zip(read, missing, strict=True)
        ]
        chances = self._regression.probabilities([names for _, names in rows])
        return [
            Expected(each.state, slots, self._mask.applied(conditions, classes))
            for each, slots, (conditions, _), classes in zip(
                read, missing, rows, chances, strict=True
            )
        ]
