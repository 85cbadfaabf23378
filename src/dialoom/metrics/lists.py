"""Scores of plain lists, as sacrebleu scores them: value, interval and signature.

score("text-bleu", ["For when?"], ["For which day?"])["bleu"].value
score("state", [{"Hotels_1": {"area": "north"}}], [{"Hotels_1": {"area": ["north", "the north"]}}])
score("calls", ["weather(Day='Sunday')"], [{"name": "weather", "arguments": {"Day": "Sunday"}}])
score("calls", ["[weather(Day='Sunday')]"], [[{"weather": {"Day": ["Sunday", "Sun"]}}]])
score("ranking", [["b", "a"]], ["a"])                       # candidates, the best one first
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from dialoom.arguments import Count, checked
from dialoom.dialogue import SYSTEM, Dialogue, Query, State, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.question import (
    Choice,
    NextAction,
    NextCall,
    NextCalls,
    NextReply,
    Prediction,
    Question,
    Realise,
    StateOf,
    kind_name,
)
from dialoom.dialogue.spelled_calls import call, calls
from dialoom.errors import FormatError, UsageError
from dialoom.metrics import METRICS
from dialoom.metrics.base import Counts, Metric
from dialoom.metrics.bootstrap import SAMPLES, Bounds, resample, total
from dialoom.metrics.calls import acceptable
from dialoom.metrics.ranking import RankOfRight
from dialoom.schema.task import TaskSchema

DIGITS = 4


class Figure(msgspec.Struct, frozen=True):
    """One score.

    Attributes:
        value: In percent.
        interval: The 95 % interval over dialogues, in percent; None for a metric that is not
            resampled, and where each hold-out has one dialogue alone.
        signature: The data, settings and versions that reproduce it.
    """

    value: float
    interval: Bounds | None
    signature: str


Figures = dict[str, Figure]


def _asked(kind: type[Struct], reference: Any) -> Any:
    if kind is StateOf:
        return StateOf(tuple(reference))
    if kind is NextCalls:
        return NextCalls()
    return Choice(()) if kind is Choice else Realise(()) if kind is Realise else kind("")


def _text(value: Any, place: str) -> str:
    if isinstance(value, str):
        return value
    raise UsageError(f"{place}: {value!r} is no text", code="wrong-type")


def _states(value: Any, place: str) -> dict[str, State]:
    if not isinstance(value, Mapping):
        raise UsageError(
            f"{place}: {value!r} is no mapping of services to slots and their values",
            code="wrong-type",
        )
    return {name: _state(state, place) for name, state in value.items()}


def _state(value: Any, place: str) -> State:
    if isinstance(value, State):
        return value
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: {value!r} is no mapping of slots to values", code="wrong-type")
    slots = {k: tuple(v) if isinstance(v, list | tuple) else (v,) for k, v in value.items()}
    for slot, values in slots.items():
        if not all(isinstance(each, str | int | float) for each in values):
            what = (
                f"{place}: {slot} is {value[slot]!r}: expected a text, a number or a list of them"
            )
            raise UsageError(f"{what}; leave out a slot without a value", code="wrong-type")
    return State(values=slots)


ANSWERS: dict[type[Struct], Callable[[Any, str], Any]] = {
    NextAction: _text,
    NextReply: _text,
    Realise: _text,
    Choice: _text,
    NextCall: lambda value, place: value if isinstance(value, Query) else call(value, place),
    NextCalls: calls,
    StateOf: _states,
}
"""Kind of question to the function that returns an answer from a plain value."""


PARTS = {
    "active_intent_accuracy": "intent",
    "intent_accuracy": "intent",
    "requested_slots_f1": "requested",
}
"""Score of states to the part of a state that it is of."""


LACKING = {"slot-errors": "acts", "perplexity": "probabilities"}
"""Metric to the part of a prediction or question that it needs, and that plain lists lack."""


@checked
def score(
    metric: str,
    predictions: Sequence[Any],
    references: Sequence[Any],
    *,
    dialogues: Sequence[str] | None = None,
    samples: Count = SAMPLES,
    schemas: Mapping[str, TaskSchema] | None = None,
    exact: bool = False,
) -> Figures:
    """Score a list of answers with a metric.

    Args:
        metric: The metric's name (`dialoom.metrics.METRICS`).
        predictions: The answers; None where there is none. Labels and texts are strings; rankings
            are lists of candidates, the best one first; calls are text or objects of name and
            arguments; states map each service to its slots and values.
        references: The right answers, in the same order; of a ranking the right candidate. Where
            those of `calls` are lists, each names the calls of a turn with the values that each
            argument may have, as BFCL's do: predictions are lists or texts of calls in any order,
            and those that cannot be read are wrong, and counted as `unreadable`.
        dialogues: The dialogue of each answer, by which the intervals are resampled; each answer
            is a dialogue of its own where absent.
        samples: Number of resamples for the intervals; 0 for no interval.
        schemas: For `state`: service to its schema (`dialoom.load(…).schemas`), which names the
            categorical slots, compared by equality. Without it, values of all slots are likened.
        exact: For `state`: compare values of all slots by equality.

    Returns:
        Name of each score to its value in percent, 95 % interval and signature. Scores of intents
        and requested slots are left out if no state has any.

    Raises:
        UnknownNameError: There is no such metric.
        UsageError: The lists differ in length or are empty, or the metric needs more than answers.
        FormatError: An answer is no call.
    """
    several = metric == "calls" and all(isinstance(each, list) for each in references)
    make: Callable[..., Metric] = METRICS.get("accepted-calls" if several else metric)
    if metric != "state" and (schemas or exact):
        raise UsageError(f"metric {metric}: takes no `schemas` and `exact`", code="not-taken")
    measure = make(schemas or {}, exact=exact) if metric == "state" else make()
    lacks = LACKING.get(metric, "" if measure.kind in ANSWERS else kind_name(measure.kind))
    if lacks:
        raise UsageError(f"metric {metric}: lists of answers have no {lacks}", code="wrong-kind")
    homes = [str(n) for n in range(len(references))] if dialogues is None else dialogues
    if not references or not len(predictions) == len(references) == len(homes):
        sizes = f"{len(predictions)} predictions, {len(references)} references"
        raise UsageError(
            f"{sizes}, {len(homes)} dialogues: expected as many of each, and some", code="mismatch"
        )
    ranks = isinstance(measure, RankOfRight)
    groups: dict[str, Counts] = {}
    states: list[State] = []
    rows = enumerate(zip(predictions, references, homes, strict=True))
    for number, (prediction, reference, home) in rows:
        gold = _gold(measure.kind, reference, f"reference {number}")
        before = (Utterance(agent=SYSTEM, text=""),) if home in groups else ()
        subject = _asked(measure.kind, gold)
        question = Question(Dialogue(id=home, events=before), number + 1, subject)
        guess = _predicted(measure.kind, prediction, f"prediction {number}", ranks=ranks)
        counts = measure.statistics(question, gold, guess)
        groups.setdefault(home, Counter()).update(counts)
        if measure.kind is StateOf:
            states += [*gold.values(), *(guess.answer.values() if guess else ())]
    figures = _figures(measure, list(groups.values()), samples)
    lacking = {name for name, part in PARTS.items() if not any(getattr(s, part) for s in states)}
    if lacking >= figures.keys():
        raise UsageError(f"metric {metric}: no state has an intent", code="wrong-kind")
    return {name: figure for name, figure in figures.items() if name not in lacking}


def _gold(kind: type[Struct], reference: Any, place: str) -> Any:
    if kind is not NextCalls:
        return ANSWERS[kind](reference, place)
    if not isinstance(reference, list) or not all(isinstance(each, dict) for each in reference):
        raise UsageError(
            f"{place}: {reference!r} is no list of calls with acceptable values", code="wrong-type"
        )
    return tuple(call for each in reference for call in acceptable(each))


def _predicted(
    kind: type[Struct], value: Any, place: str, *, ranks: bool
) -> Prediction[Any] | None:
    if value is None:
        return None
    if ranks and not isinstance(value, list | tuple):
        raise UsageError(f"{place}: {value!r} is no list of candidates", code="wrong-type")
    if (ranks or kind is Choice) and isinstance(value, list | tuple):
        ranked = tuple((_text(name, place), -float(rank)) for rank, name in enumerate(value))
        return Prediction(ranked[0][0], ranked) if ranked else None
    try:
        return Prediction(ANSWERS[kind](value, place))
    except FormatError:
        if kind is not NextCalls:
            raise
        return None


def _figures(measure: Metric, counts: list[Counts], samples: int) -> Figures:
    draws = samples if len(counts) > 1 and getattr(measure, "resampled", True) else 0
    resampled = resample(measure, {"": counts}, samples=draws)
    about = {"n": len(counts), "interval": f"dialogues/{draws}/seed-0" if draws else None}
    return {
        name: Figure(
            round(each.value, DIGITS),
            resampled.interval(name).bounds if draws else None,
            str(each.signature.extended(about)),
        )
        for name, each in measure.scores(total(counts)).items()
    }


States = Sequence[Mapping[str, Mapping[str, Any]]]
"""For each turn, service to slot to its value, or to the values that count as right."""


def joint_goal_accuracy(
    gold: States,
    predicted: States,
    *,
    dialogues: Sequence[str] | None = None,
    schemas: Mapping[str, TaskSchema] | None = None,
    exact: bool = False,
) -> Figure:
    """Return the share of frames whose state is right, as SGD's official evaluation counts it.

    That compares categorical slots by equality, so it needs `schemas`.

    Args:
        gold: The right states.
        predicted: The predicted ones, in the same order.
        dialogues: The dialogue of each, by which the interval is resampled.
        schemas: Service to its schema; without it, values of all slots are likened.
        exact: Compare values of all slots by equality.

    Raises:
        UsageError: The lists differ in length or are empty, or a state is no mapping.
    """
    figures = score("state", predicted, gold, dialogues=dialogues, schemas=schemas, exact=exact)
    return figures["joint_goal_accuracy"]


def action_f1(gold: Sequence[str], predicted: Sequence[str | None]) -> Figure:
    """Return the F1 of labels of next actions, weighted by their number.

    Raises:
        UsageError: The lists differ in length or are empty.
    """
    return score("classification", predicted, gold)["f1"]


def bleu(gold: Sequence[str], predicted: Sequence[str | None]) -> Figure:
    """Return sacrebleu's BLEU of texts, one reference each.

    Raises:
        UsageError: The lists differ in length or are empty.
    """
    return score("text-bleu", predicted, gold)["bleu"]


def precision_at_1(gold: Sequence[str], ranked: Sequence[Sequence[str]]) -> Figure:
    """Return how often the right candidate is ranked first.

    Args:
        gold: The right candidates.
        ranked: The candidates of each question, the best one first.

    Raises:
        UsageError: The lists differ in length or are empty.
    """
    return score("ranking", ranked, gold)["p@1"]


def call_accuracy(gold: Sequence[Any], predicted: Sequence[Any]) -> Figure:
    """Return how often a call is right with all its arguments.

    Args:
        gold: The right calls, as text (`weather(Day='Sunday')`) or objects of name and arguments.
        predicted: The predicted ones, or None.

    Raises:
        UsageError: The lists differ in length or are empty.
        FormatError: An answer is no call.
    """
    return score("calls", predicted, gold)["exact_match"]
