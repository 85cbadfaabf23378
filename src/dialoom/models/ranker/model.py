"""The ranker: a learnt policy over templates with the roles of their entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Meta

from dialoom.dialogue import Choice, Prediction, Question
from dialoom.learn.model import KEPT, Examples, Kinds, Questions, Schemas, known, need, spread
from dialoom.models.ranker.adapting import (
    Adaptation,
    Wording,
    answers_of,
    fitted,
    in_other_words,
    tied,
)
from dialoom.models.ranker.features import Features, SlotQuestions, mention_features
from dialoom.models.ranker.lines import Line, LineReader, is_open, reader_of
from dialoom.models.ranker.policy import (
    ENOUGH,
    SURE,
    CandidateLists,
    Expected,
    Policy,
    ReadQuestion,
    Regression,
    Shortlist,
    read_questions,
)
from dialoom.models.ranker.state import HistoryState

UNSAID = 1e-4
"""Probability of a value of a call that is not in the user's last mention of the slot."""

MEANT, MENTIONED = "meant", "mentioned"
"""Classes of values if a text has several of one slot: the intended one, and the others."""


class Learning(NamedTuple):
    """The fitted parts of a ranker; `chooser` predicts whether a value is the intended one."""

    policy: Policy
    chooser: Regression
    wording: Wording
    reader: LineReader


@dataclass
class Ranker:
    """Ranks candidate lines of a bot by a learnt policy over templates and roles of entities.

    Attributes:
        most: Most examples to learn from; more are sampled evenly.
        adapt: Whether lines in another wording than training's are matched to learnt ones by their
            places in all questions of a call: a transductive model, whose answer to one question
            depends on the others.
    """

    name: ClassVar[str] = "ranker"
    kinds: ClassVar[Kinds] = (Choice,)
    most: Annotated[int, Meta(ge=1)] = 40_000
    adapt: bool = False
    _learnt: Learning | None = field(default=None, init=False, repr=False)

    def fit(self, learnt: Examples, schemas: Schemas) -> None:
        """Fit the policy, the slots that templates ask for, and the choice among values."""
        need(learnt)
        learnt = spread(learnt, self.most)
        questions = [one.question for one in learnt]
        reader = reader_of(questions, schemas)
        read, answers = read_questions(questions, reader), answers_of(learnt, reader)
        reader.fix(_fixed(read, answers))
        variants = tied(learnt, reader)
        reader.tie(variants)
        choices = [
            each
            for question, line in zip(read, answers, strict=True)
            if line.is_call
            for each in _meant(line, question.state, reader)
        ]
        policy, wording = fitted(learnt, reader, variants)
        self._learnt = Learning(policy, Regression(choices), wording, reader)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates."""
        learnt = known(self._learnt)
        reader = reader_of(questions, schemas, learnt.reader)
        if self.adapt:
            return _adapted(learnt, questions, reader)
        read = read_questions(questions, reader)
        ranked = CandidateScorer(learnt, learnt.wording.asking, reader).ranked(questions, read)
        lists = CandidateLists(reader)
        for place, (question, each) in enumerate(zip(questions, read, strict=True)):
            sayings = [line for line in each.state.lines() if not line.is_call]
            sayings = sayings or [line for _, line in lists.of(question).read if not line.is_call]
            if in_other_words(sayings, learnt.wording.templates):
                own = reader_of([question], schemas, learnt.reader)
                ranked[place] = _in_order(learnt, question, own)
        return ranked


def _adapted(learnt: Learning, questions: Questions, reader: LineReader) -> list[Prediction[str]]:
    read = read_questions(questions, reader)
    other = Adaptation(learnt.wording, learnt.policy, questions, read, reader)
    asking, read = other.adapted()
    return CandidateScorer(learnt, asking, reader).ranked(questions, read)


def _in_order(learnt: Learning, question: Question[Choice], reader: LineReader) -> Prediction[str]:
    read = read_questions([question], reader)
    other = Adaptation(learnt.wording, learnt.policy, [question], read, reader)
    asking, read = other.in_order()
    return CandidateScorer(learnt, asking, reader, other.chance).ranked([question], read)[0]


def _fixed(read: Sequence[ReadQuestion], answers: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield template and word of apparent entities in lines before the word has come up."""
    every: Counter[tuple[str, str]] = Counter()
    unknown: Counter[tuple[str, str]] = Counter()
    for question, line in zip(read, answers, strict=True):
        if not line.is_call:
            for _, word in dict.fromkeys(line.entities):
                every[line.template, word] += 1
                unknown[line.template, word] += word not in question.state.known()
    return (pair for pair, n in unknown.items() if n >= max(ENOUGH, SURE * every[pair]))


def _meant(line: Line, state: HistoryState, reader: LineReader) -> Iterator[tuple[Features, str]]:
    """Yield features and class of each value of a slot that the user's last text has several of."""
    for slot, value in line.entities:
        mention = state.said.get(slot)
        if mention is not None and len(mention.values) > 1 and value in mention.values:
            for one in mention.values:
                yield mention_features(mention, one, reader), MEANT if one == value else MENTIONED


class CandidateScorer:
    """Scores candidates in states; `chance` scores lines in another wording (default 0).

    `asking` has the slots that templates ask for, those of another wording included.
    """

    def __init__(
        self,
        learnt: Learning,
        asking: SlotQuestions,
        reader: LineReader,
        chance: Callable[[Line, Expected], float] | None = None,
    ) -> None:
        self.learnt, self.asking, self.reader, self._chance = learnt, asking, reader, chance

    def ranked(self, questions: Questions, read: Sequence[ReadQuestion]) -> list[Prediction[str]]:
        """Rank the candidates of each question."""
        lists = CandidateLists(self.reader)
        expected = self.learnt.policy.expected(read, self.asking, self.reader)
        return [
            self._ranked(lists.of(question), each)
            for question, each in zip(questions, expected, strict=True)
        ]

    def _ranked(self, candidates: Shortlist, expected: Expected) -> Prediction[str]:
        state, values = expected.state, self._values(expected.state)
        scored = []
        for candidate, line in candidates.possible(state):
            score = self._probability(line, expected)
            for slot, word in line.entities if line.is_call else ():
                unsaid = 1.0 if is_open(slot, word) and slot not in state.said else UNSAID
                score *= values.get((slot, word), unsaid)
            scored.append((candidate.id, score))
        limit = KEPT if candidates.long else len(scored)
        ranking = tuple(sorted(scored, key=lambda one: -one[1])[:limit])
        return Prediction(ranking[0][0] if ranking else "", ranking)

    def _probability(self, line: Line, expected: Expected) -> float:
        learnt = (
            line.template in self.learnt.wording.templates or line.template in self.asking.slots
        )
        if line.is_call or learnt or self._chance is None:
            return expected.probability(line, self.asking)
        return self._chance(line, expected)

    def _values(self, state: HistoryState) -> dict[tuple[str, str], float]:
        """Return slot and value to the probability that the user wants it.

        Only values of the user's last mention of a slot count. If training had no choice among
        several to learn from, later ones score higher, up to 1 for the last.
        """
        scores = {}
        for slot, mention in state.said.items():
            rows = [mention_features(mention, value, self.reader) for value in mention.values]
            chances: list[dict[str, float]] = [{}]
            if len(rows) > 1:
                chances = self.learnt.chooser.probabilities(rows)
            for place, (value, chance) in enumerate(zip(mention.values, chances, strict=True), 1):
                scores[slot, value] = chance.get(MEANT, place / len(rows))
        return scores
