"""The ranker: a learnt policy over templates with the roles of their entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Meta

from dialoom.dialogue import Choice, Prediction
from dialoom.models.base import KEPT, Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.ranker.features import SlotQuestions, features, line_class, mention_features
from dialoom.models.ranker.learning import ENOUGH, ActionMask, Features, Regression
from dialoom.models.ranker.lines import Line, LineReader, is_open, reader_of
from dialoom.models.ranker.reading import SURE, ReadQuestion, asked_slots, asking_of, read_cases
from dialoom.models.ranker.shortlist import CandidateLists, Shortlist
from dialoom.models.ranker.state import HistoryState
from dialoom.models.ranker.wording import Places, expected, matched, places

SAME = 0.5
"""Share of the bots' turns with a learnt template, from which on no template is renamed."""

UNSAID = 1e-4
"""Probability of a value of a call that is not in the user's last mention of the slot."""

MEANT, MENTIONED = "meant", "mentioned"
"""Classes of values where a text has several of one slot: the intended one, and the others."""


class Learning(NamedTuple):
    """The fitted parts of a ranker.

    Attributes:
        policy: Predicts the class of the next line from the features of the state.
        mask: Reduces the probability of classes not seen in such states.
        chooser: Predicts whether a value is the intended one, from the words around it.
        asking: The slots that templates ask for, and their order.
        places: The circumstances in which each template is said.
        plain: The templates without entities.
        reader: The reader of training's lines.
    """

    policy: Regression
    mask: ActionMask
    chooser: Regression
    asking: SlotQuestions
    places: Places
    plain: frozenset[str]
    reader: LineReader


@dataclass
class Ranker:
    """Ranks candidate lines of a bot by a learnt policy over templates and roles of entities.

    Attributes:
        most: Most examples to learn from; of more, an evenly spread part is taken.
        adapt: Whether templates that training does not have are matched to learnt ones, by the
            circumstances in which all histories asked about have them (wording.py).
    """

    name: ClassVar[str] = "ranker"
    kinds: ClassVar[Kinds] = (Choice,)
    most: Annotated[int, Meta(ge=1)] = 40_000
    adapt: bool = True
    _learnt: Learning | None = field(default=None, init=False, repr=False)

    def fit(self, learnt: Examples, schemas: Schemas) -> None:
        """Fit the policy, the slots that templates ask for, and the choice among values.

        Raises:
            UsageError: There are no examples.
        """
        need(learnt)
        learnt = learnt[:: -(-len(learnt) // self.most)]
        questions = [one.question for one in learnt]
        reader = reader_of(questions, schemas)
        cases = read_cases(questions, reader)
        reader.fix(_fixed(learnt, cases, reader))
        cases = read_cases(questions, reader)
        asking = asking_of(cases, reader)
        policy: list[tuple[Features, str]] = []
        masks: list[tuple[Sequence[str], str]] = []
        meant: list[tuple[Features, str]] = []
        plain = set()
        lists = CandidateLists(reader)
        for case, one in zip(cases, learnt, strict=True):
            line = lists.of(one.question).line(one.answer)
            missing = asking.missing(case.state, case.required)
            conditions, found = features(case.state, missing, asking, reader)
            label = line_class(line, case.state, missing, asking)
            policy.append((found, label))
            masks.append((conditions, label))
            if line.is_call:
                meant += _meant(line, case.state, reader)
            elif not line.entities:
                plain.add(line.template)
        where = places((case.state for case in cases), reader)
        self._learnt = Learning(
            Regression(policy),
            ActionMask(masks),
            Regression(meant),
            asking,
            where,
            frozenset(plain),
            reader,
        )

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates.

        Raises:
            UsageError: The model has not been fitted.
        """
        learnt = known(self._learnt)
        reader = reader_of(questions, schemas, learnt.reader)
        cases = read_cases(questions, reader)
        asking = learnt.asking
        if self.adapt:
            asking = learnt.asking.extended(asked_slots(cases, reader))
            cases = _adapted(learnt, asking, questions, cases, reader)
        ranking = CandidateScorer(learnt, asking, reader)
        return ranking.ranked(questions, cases)


def _fixed(
    learnt: Examples, cases: Sequence[ReadQuestion], reader: LineReader
) -> Iterator[tuple[str, str]]:
    """Yield template and word of seeming entities that lines have before the word has come up."""
    lists = CandidateLists(reader)
    every: Counter[tuple[str, str]] = Counter()
    unknown: Counter[tuple[str, str]] = Counter()
    for case, one in zip(cases, learnt, strict=True):
        line = lists.of(one.question).line(one.answer)
        if not line.is_call:
            for _, word in dict.fromkeys(line.entities):
                every[line.template, word] += 1
                unknown[line.template, word] += word not in case.state.known()
    return (pair for pair, n in unknown.items() if n >= max(ENOUGH, SURE * every[pair]))


def _adapted(
    learnt: Learning,
    asking: SlotQuestions,
    questions: Questions,
    cases: list[ReadQuestion],
    reader: LineReader,
) -> list[ReadQuestion]:
    """Rename templates of another wording to learnt ones where they match; return cases read so.

    Nothing is renamed where most of the bots' lines have a learnt template. Templates that occur
    only among candidates are matched by the questions in which they are on offer.

    Args:
        learnt: The fitted ranker.
        asking: The slots that templates ask for, those of the histories included.
        questions: The questions.
        cases: The questions as they are read.
        reader: Their reader; its templates are renamed.
    """
    here = places((case.state for case in cases), reader)
    met = here.keys() | asking.slots.keys()
    said = {template: found["place"].total() for template, found in here.items()}
    known = sum(n for template, n in said.items() if template in learnt.places)
    if known >= SAME * sum(said.values()):
        return cases
    renaming = matched(learnt.places, here, frozenset(asking.slots))
    heard = {text for case in cases for text in case.state.user_texts()}
    lists = CandidateLists(reader)
    offered = [
        frozenset(line.template for c, line in lists.of(question).plain() if c.text not in heard)
        for question in questions
    ]
    every = frozenset[str]().union(*offered)
    if renaming:
        reader.rename(renaming)
        cases = read_cases(questions, reader)
    new = every - met - learnt.plain
    free = learnt.plain - met - every - set(renaming.values())
    if new and free:
        classes = CandidateScorer(learnt, asking, reader).classes(cases)
        wanted = [max(chances, key=lambda name: chances[name]) for chances in classes]
        wanted = [name if name in free else "" for name in wanted]
        reader.rename({**renaming, **expected(offered, wanted, new)})
    return cases


def _meant(line: Line, state: HistoryState, reader: LineReader) -> Iterator[tuple[Features, str]]:
    """Yield features and class of each value of a slot that the user's last text has several of."""
    for slot, value in line.entities:
        said = state.said.get(slot)
        if said is not None and len(said.values) > 1 and value in said.values:
            for one in said.values:
                yield mention_features(said, one, reader), MEANT if one == value else MENTIONED


class CandidateScorer:
    """Scores candidates in states.

    Args:
        learnt: The fitted ranker.
        asking: The slots that templates ask for, those of another wording included.
        reader: The reader of lines.
    """

    def __init__(self, learnt: Learning, asking: SlotQuestions, reader: LineReader) -> None:
        self.learnt, self.asking, self.reader = learnt, asking, reader

    def classes(self, cases: Sequence[ReadQuestion]) -> list[dict[str, float]]:
        """Return the probability of each class of lines in each case."""
        found = [
            features(case.state, self._missing(case), self.asking, self.reader) for case in cases
        ]
        chances = self.learnt.policy.probabilities([each for _, each in found])
        return [
            self.learnt.mask.applied(conditions, classes)
            for (conditions, _), classes in zip(found, chances, strict=True)
        ]

    def ranked(self, questions: Questions, cases: Sequence[ReadQuestion]) -> list[Prediction[str]]:
        """Rank the candidates of each question."""
        lists = CandidateLists(self.reader)
        return [
            self._ranked(lists.of(question), case, classes)
            for question, case, classes in zip(questions, cases, self.classes(cases), strict=True)
        ]

    def _missing(self, case: ReadQuestion) -> list[str]:
        return self.asking.missing(case.state, case.required)

    def _ranked(
        self, candidates: Shortlist, case: ReadQuestion, classes: Mapping[str, float]
    ) -> Prediction[str]:
        missing, values = self._missing(case), self._values(case.state)
        scored = []
        for candidate, line in candidates.possible(case.state):
            score = classes.get(line_class(line, case.state, missing, self.asking), 0.0)
            for slot, word in line.entities if line.is_call else ():
                unsaid = 1.0 if is_open(slot, word) and slot not in case.state.said else UNSAID
                score *= values.get((slot, word), unsaid)
            scored.append((candidate.id, score))
        kept = KEPT if candidates.long else len(scored)
        ranking = tuple(sorted(scored, key=lambda one: -one[1])[:kept])
        return Prediction(ranking[0][0] if ranking else "", ranking)

    def _values(self, state: HistoryState) -> dict[tuple[str, str], float]:
        """Return slot and value to the probability that the user wants it.

        Only values of the user's last mention of a slot count. Where training had no choice among
        several to learn from, later ones score higher, up to 1 for the last.
        """
        found = {}
        for slot, said in state.said.items():
            rows = [mention_features(said, value, self.reader) for value in said.values]
            chances: list[dict[str, float]] = [{}]
            if len(rows) > 1:
                chances = self.learnt.chooser.probabilities(rows)
            for place, (value, chance) in enumerate(zip(said.values, chances, strict=True), 1):
                found[slot, value] = chance.get(MEANT, place / len(rows))
        return found
