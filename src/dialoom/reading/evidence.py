"""Evidence that a text is a certain reply of a task: shared words, function, slots and values.

    rows = evidence(profiles, wording, scorer)
    rows["hotel_ask_hotel"]         # one number for each name in `NAMES`

Each number lies between 0 and 1, or is the logarithm of a probability. Shared words and concepts
count by how few replies of the task have them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from dialoom.reading.function_scorer import FunctionScorer, function_of
from dialoom.reading.profile import Profiles, Reply
from dialoom.reading.wording import Wording

NAMES = (
    "words of a template",
    "concepts of a template",
    "words of the reply",
    "concepts of the reply",
    "words of the slot",
    "concepts of the slot",
    "words of answers",
    "concepts of answers",
    "concepts explained",
    "template's words said",
    "template's concepts said",
    "values of the slot",
    "words of stated values",
    "concepts of stated values",
    "open text",
    "unexplained words, open",
    "function",
    "function and kind",
    "values",
    "question",
    "same functions",
    "same words",
)
"""The kinds of evidence, in order."""

UNSEEN = 1e-3
"""Added to each probability before its logarithm is taken."""

UNDECIDED = 0.05
"""Probability of the function of a reply for which the flow does not decide one."""

LONG = 12
"""Number of words from which on unexplained words count in full."""

T = TypeVar("T", str, int)
Weight = Callable[[T], float]


def evidence(
    profiles: Profiles,
    wording: Wording,
    scorer: FunctionScorer,
    among: Callable[[Reply], bool] = lambda _: True,
) -> dict[str, tuple[float, ...]]:
    """Return the evidence for each reply of a task.

    Args:
        profiles: The task's replies.
        wording: The text.
        scorer: The scorer of functions of the task's language.
        among: Returns whether a reply is possible.
    """
    fine = scorer.probabilities(wording)
    coarse: dict[str, float] = {}
    for label, probability in fine.items():
        function = function_of(label)
        coarse[function] = coarse.get(function, 0.0) + probability
    unexplained = 1 - cover(wording.words, profiles.known, profiles.word_weight)
    length = min(len(wording.words), LONG) / LONG
    return {
        action: (
            *_shared(profiles, reply, wording),
            float(reply.open),
            reply.open * unexplained * length,
            _log(coarse.get(reply.function or "")),
            _log(fine.get(reply.label)),
            *_form(reply, wording),
            _same_functions(reply, fine, scorer),
            float(any(t.stems == wording.stems for t in reply.templates)),
        )
        for action, reply in profiles.replies.items()
        if among(reply)
    }


def _shared(profiles: Profiles, reply: Reply, wording: Wording) -> tuple[float, ...]:
    """Return the evidence of shared words and concepts."""
    by_word, by_concept = profiles.word_weight, profiles.concept_weight
    said, meant = wording.words, wording.concepts
    words, concepts = profiles.all_of[reply.action]
    templates, slots, stated = reply.templates, reply.described, reply.stated
    return (
        max((likeness(said, t.words, by_word) for t in templates), default=0.0),
        max((likeness(meant, t.concepts, by_concept) for t in templates), default=0.0),
        likeness(said, words, by_word),
        likeness(meant, concepts, by_concept),
        max((likeness(said, s.words, by_word) for s in slots), default=0.0),
        max((likeness(meant, s.concepts, by_concept) for s in slots), default=0.0),
        cover(said, reply.answered.words, by_word),
        cover(meant, reply.answered.concepts, by_concept),
        cover(meant, concepts, by_concept),
        max((cover(t.words, said, by_word) for t in templates), default=0.0),
        max((cover(t.concepts, meant, by_concept) for t in templates), default=0.0),
        len(reply.listed & said) / max(len(said), 1),
        max((cover(said, s.words, by_word) for s in stated), default=0.0),
        max((likeness(meant, s.concepts, by_concept) for s in stated), default=0.0),
    )


def _form(reply: Reply, wording: Wording) -> tuple[float, float]:
    """Return how well values and question marks agree with the templates'."""
    templates = reply.templates
    if not templates:
        return 0.0, 0.5
    questions = sum(t.question == wording.question for t in templates)
    return max(_values(wording, t) for t in templates), questions / len(templates)


def _values(one: Wording, other: Wording) -> float:
    """Return the share of the values of two sentences that are of the same kinds."""
    most = max(sum(one.values.values()), sum(other.values.values()))
    if not most:
        return 1.0
    return sum(min(count, other.values.get(kind, 0)) for kind, count in one.values.items()) / most


def _same_functions(reply: Reply, fine: Mapping[str, float], scorer: FunctionScorer) -> float:
    """Return the greatest overlap of the functions of a text with those of a template."""
    return max(
        (
            sum(min(fine[label], share) for label, share in scorer.kept(template).items())
            for template in reply.templates
        ),
        default=0.0,
    )


def _log(probability: float | None) -> float:
    return math.log(UNDECIDED if probability is None else probability + UNSEEN)


def likeness(one: Collection[T], other: Collection[T], weight: Weight[T]) -> float:
    """Return the weighted cosine of two sets, 0 to 1."""
    shared = sum(weight(each) ** 2 for each in one if each in other)
    if not shared:
        return 0.0
    sizes = [sum(weight(each) ** 2 for each in held) for held in (one, other)]
    return shared / math.sqrt(sizes[0] * sizes[1])


def cover(one: Collection[T], other: Collection[T], weight: Weight[T]) -> float:
    """Return the share of the weight of a set that another set has, 0 to 1."""
    whole = sum(map(weight, one))
    return sum(weight(each) for each in one if each in other) / whole if whole else 0.0
