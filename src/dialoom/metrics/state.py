"""State tracking as the official evaluation of the schema-guided dialogues (SGD) scores it.

The unit is a frame: one service at one user turn. Each score is a mean over frames
(Rastogi et al. 2020, section 5.2; the script that was published with the corpus).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from statistics import fmean, pstdev
from typing import Any, ClassVar

import rapidfuzz
from rapidfuzz import fuzz, utils

from dialoom.dialogue import Question, State, StateOf
from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.question import VIEW
from dialoom.metrics.base import Counts, Guess, Score, share, signed
from dialoom.schema.service import NO_INTENT
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

States = Mapping[str, State]
Tracked = Guess[dict[str, State]]

MEASURES = {
    "joint_goal_accuracy": "product over the slots",
    "average_goal_accuracy": "mean over the active slots",
    "active_intent_accuracy": "equality",
    "requested_slots_f1": "multisets",
}
"""Score to the function that computes a frame's value of it."""


class StateTracking:
    """Joint and average goal accuracy, intent accuracy, requested-slot F1.

    A slot that neither side has counts 1, one that a single side has 0. A categorical slot counts 1
    where the value equals the first reference value; any other slot counts the best likeness of the
    value to a reference variant, from 0 to 1. Joint goal accuracy is the product over all slots of
    the service, with no threshold; average goal accuracy the mean over slots that the reference
    has, frames without any left out. Requested slots have the F1 of two multisets, 1 where both are
    empty. A frame that was not predicted counts 0 everywhere.

    Args:
        schemas: Service to its schema: which slots are categorical. Slots of services that are not
            among them are taken as not categorical.
        exact: Compare values of all slots by equality.
    """

    kind: ClassVar[type[Struct]] = StateOf

    def __init__(self, schemas: Mapping[str, TaskSchema] = {}, *, exact: bool = False) -> None:
        self._categorical = {name: categorical(task) for name, task in schemas.items()}
        self.exact = exact

    def statistics(self, question: Question[Any], gold: States, prediction: Tracked) -> Counts:
        """Count each measure's value of each frame."""
        counts: Counts = Counter()
        for service, state in gold.items():
            guess = prediction.answer.get(service) if prediction else None
            counts.update(self._frame(state, guess, self._categorical.get(service, frozenset())))
        return counts

    def _frame(
        self, gold: State, guess: State | None, categorical: frozenset[str]
    ) -> Iterator[tuple[str, float]]:
        if guess is None:
            yield from ((name, 0.0) for name in MEASURES if gold.values or "average" not in name)
            return
        shared = {
            slot: self._match(gold.values[slot], guess.values[slot], slot in categorical)
            for slot in gold.values.keys() & guess.values.keys()
        }
        same = gold.values.keys() == guess.values.keys()
        yield "joint_goal_accuracy", prod(sorted(shared.values())) if same else 0.0
        if gold.values:
            yield "average_goal_accuracy", sum(sorted(shared.values())) / len(gold.values)
        yield "active_intent_accuracy", float(same_intent(gold, guess))
        yield "requested_slots_f1", multiset_f1(gold.requested, guess.requested)

    def _match(self, gold: Sequence[Value], guess: Sequence[Value], categorical: bool) -> float:
        if not gold or not guess:
            return float(gold == guess)
        if categorical:
            return float(gold[0] == guess[0])
        if self.exact:
            return float(guess[0] in gold)
        return max(likeness(str(variant), str(guess[0])) for variant in gold)

    @property
    def how(self) -> dict[str, str]:
        """The comparison of values, for signatures."""
        fuzzy = f"fuzzy:token_sort_ratio/rapidfuzz-{rapidfuzz.__version__}"
        match = {"match": "exact" if self.exact else fuzzy}
        return match if self._categorical else {**match, "categorical": "unknown"}

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the four scores in percent; 0 where there is nothing to score."""
        sums, frames = dict.fromkeys(MEASURES, 0.0), dict.fromkeys(MEASURES, 0)
        for (name, value), n in sorted(counts.items()):
            sums[name] += value * n
            frames[name] += n
        figures: dict[str, Score] = {}
        for name, how in MEASURES.items():
            value = share(sums[name], frames[name])
            figures |= signed({name: value}, frame=how, **self.how)
        return figures


_BY_GROUP = 3


class GroupedTracking(StateTracking, ABC):
    """Metric of state tracking with one more score, of groups of frames.

    Values of joint goal accuracy are counted by (group, "", value), in addition to those by frame.

    Attributes:
        score: The name of the score of groups.
        about: Further fields of its signature.
    """

    score: ClassVar[str]
    about: Mapping[str, str]

    @abstractmethod
    def value(self, values: Sequence[tuple[float, int]]) -> float:
        """Return the score of a group, 0 to 1, from values with their numbers of frames."""

    def condense(self, dialogues: Sequence[Counts]) -> list[Counts]:
        """Return the counts of dialogues, with each group's score in place of its frames'."""
        return list(map(self._grouped, dialogues))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores of state tracking, and that of groups, in percent."""
        counts = self._grouped(counts)
        figures = super().scores(Counter({k: n for k, n in counts.items() if k[0] != self.score}))
        groups = sorted((value, n) for (name, value), n in counts.items() if name == self.score)
        summed = share(sum(value * n for value, n in groups), sum(n for _, n in groups))
        return figures | signed({self.score: summed}, **self.about)

    def _grouped(self, counts: Counts) -> Counts:
        groups: dict[str, list[tuple[float, int]]] = {}
        for key, n in sorted(each for each in counts.items() if len(each[0]) == _BY_GROUP):
            groups.setdefault(key[0], []).append((key[2], n))
        outcomes: Counts = Counter({k: n for k, n in counts.items() if len(k) != _BY_GROUP})
        outcomes.update((self.score, self.value(each)) for each in groups.values())
        return outcomes


TURN = "joint_goal_accuracy_turn"
"""Joint goal accuracy with the turn as its unit, as MultiWOZ's papers report it."""


class TurnTracking(GroupedTracking):
    """The same scores, and joint goal accuracy by turn: the product over the turn's frames.

    The two are equal if each turn has one frame. If frames of services that nobody speaks of
    are listed as well (MultiWOZ 2.2), each of them counts as right in the score by frame.

    Args:
        schemas: As of `StateTracking`.
        exact: As of `StateTracking`.
        by_turn: Whether the score by turn is the main one.
    """

    score = TURN

    def __init__(
        self, schemas: Mapping[str, TaskSchema] = {}, *, exact: bool = False, by_turn: bool = False
    ) -> None:
        super().__init__(schemas, exact=exact)
        self.by_turn = by_turn
        self.about = {"turn": "product over the frames", **self.how}

    def statistics(self, question: Question[Any], gold: States, prediction: Tracked) -> Counts:
        """Count each measure's value of each frame, and joint goal accuracy by turn."""
        counts = super().statistics(question, gold, prediction)
        turn = f"{question.dialogue.id.partition(VIEW)[0]}:{question.event}"
        joint = [(key[1], n) for key, n in counts.items() if key[0] == "joint_goal_accuracy"]
        counts.update({(turn, "", value): n for value, n in joint})
        return counts

    def value(self, values: Sequence[tuple[float, int]]) -> float:
        """Return the product."""
        return prod(value**n for value, n in values)

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores of state tracking, and joint goal accuracy by turn, in percent."""
        figures = super().scores(counts)
        return {TURN: figures[TURN], **figures} if self.by_turn else figures


FRAME = "frame"
"""Key of a reference state's `extra` with the frame that it is a variant of (SGD-X)."""


class SchemaSensitivity(GroupedTracking):
    """The same scores, and the sensitivity of joint goal accuracy to a schema's wording (SGD-X).

    For each frame that was asked about under several schemas: the standard deviation of its joint
    goal accuracy over its mean, 0 where the mean is 0; then the mean over frames (schema
    sensitivity; Lee et al. 2022, section 3.3). Lower is better.
    """

    score = "schema_sensitivity"
    about: Mapping[str, str] = {"deviation": "population"}

    def statistics(self, question: Question[Any], gold: States, prediction: Tracked) -> Counts:
        """Count each measure's value of each frame, and joint goal accuracy by frame."""
        counts: Counts = Counter()
        for service, state in gold.items():
            outcomes = super().statistics(question, {service: state}, prediction)
            joint = next(value for name, value in outcomes if name == "joint_goal_accuracy")
            counts.update(outcomes)
            counts[str(state.extra.get(FRAME, "")), "", joint] += 1
        return counts

    def value(self, values: Sequence[tuple[float, int]]) -> float:
        """Return the schema sensitivity: deviation over mean of the scores of variants."""
        every = [value for value, n in values for _ in range(n)]
        return pstdev(every) / (fmean(every) or 1.0)

    def condense(self, dialogues: Sequence[Counts]) -> list[Counts]:
        """Return the counts by dialogue with all its variants: dialogues are resampled."""
        together: dict[str, Counts] = {}
        for counts in dialogues:
            frame = next((key[0] for key in counts if len(key) == _BY_GROUP), "")
            together.setdefault(frame.rsplit(":", 2)[0], Counter()).update(counts)
        return super().condense(list(together.values()))


def same_intent(one: State, other: State) -> bool:
    """True if two states have the same active intent; None is that of none."""
    return (one.intent or NO_INTENT) == (other.intent or NO_INTENT)


def categorical(task: TaskSchema) -> frozenset[str]:
    """Return the names of a service's slots that take one of a list of values."""
    return frozenset(slot.name for slot in contract(task).slots if slot.categorical)


def likeness(gold: str, guess: str) -> float:
    """Return the similarity of two values, 0 to 1 in hundredths.

    Letters are lower-cased, what is neither letter nor digit parts words, words are sorted; then
    twice the common subsequence over both lengths, rounded as `fuzzywuzzy.token_sort_ratio` does.
    Two values without letters and digits are alike.
    """
    one, other = utils.default_process(gold), utils.default_process(guess)
    if one == other or not one or not other:
        return float(one == other)
    return round(fuzz.token_sort_ratio(one, other)) / 100


def multiset_f1(gold: Sequence[str], guess: Sequence[str]) -> float:
    """Return the F1 of two multisets; 1 where both are empty."""
    if not gold and not guess:
        return 1.0
    hits = (Counter(gold) & Counter(guess)).total()
    return 2 * hits / (len(gold) + len(guess))


class IntentMatch:
    """Accuracy of the active intents of states, having none included."""

    kind: ClassVar[type[Struct]] = StateOf

    def statistics(self, question: Question[Any], gold: States, prediction: Tracked) -> Counts:
        """Count the services whose intent is right or wrong."""
        states = prediction.answer if prediction else {}
        return Counter(
            (service in states and same_intent(states[service], state),)
            for service, state in gold.items()
        )

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `intent_accuracy` in percent; 0 where there is nothing to score."""
        right = counts[(True,)]
        value = {"intent_accuracy": share(right, right + counts[(False,)])}
        return signed(value, "accuracy", equal="active intent", none=NO_INTENT)
