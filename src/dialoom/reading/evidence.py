"""Evidence that a text is a certain reply of a task: shared words, function, slots and values.

    rows = evidence(profiles, wording, scorer)
    rows["hotel_ask_hotel"]         # one number for each name in `NAMES`

Each number is from 0 to 1, or the logarithm of a probability. Shared words and concepts are
weighted by the number of the task's replies that have them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from dialoom.reading.function_scorer import FunctionScorer, function_of
from dialoom.reading.profile import SEVERAL, Bag, Bags, Profiles, Reply, T
from dialoom.reading.wording import SentenceWords

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


def evidence(
    profiles: Profiles,
    wording: SentenceWords,
    scorer: FunctionScorer,
) -> dict[str, tuple[float, ...]]:
    """Return the evidence for each reply of a task; `scorer` is that of its language."""
    fine = scorer.probabilities(wording)
    coarse: dict[str, float] = {}
    for label, probability in fine.items():
        function = function_of(label)
        coarse[function] = coarse.get(function, 0.0) + probability
    words, concepts = profiles.words_in(wording.words), profiles.concepts_in(wording.concepts)
    unexplained = 1 - words.covered(profiles.known)
    length = min(len(wording.words), LONG) / LONG
    same = {
        action: _same_functions(reply, fine, scorer) for action, reply in profiles.replies.items()
    }
    return {
        action: (
            *_shared(words, profiles.words[action], concepts, profiles.concepts[action]),
            *_stated(reply, words, profiles.words[action], concepts, profiles.concepts[action]),
            float(reply.open),
            reply.open * unexplained * length,
            _function(reply, coarse, same[action]),
            _log(max((fine[each] for each in reply.labels if each in fine), default=None)),
            *_form(reply, wording),
            same[action],
            float(any(t.stems == wording.stems for t in reply.templates)),
        )
        for action, reply in profiles.replies.items()
    }


def _shared(
    said: Bag[str], words: Bags[str], meant: Bag[int], concepts: Bags[int]
) -> tuple[float, ...]:
    return (
        max(map(said.likeness, words.templates), default=0.0),
        max(map(meant.likeness, concepts.templates), default=0.0),
        said.likeness(words.whole),
        meant.likeness(concepts.whole),
        _named(said, words.slots),
        _named(meant, concepts.slots),
        said.covered(words.answered),
        meant.covered(concepts.answered),
        meant.covered(concepts.whole),
        max((each.covered(said) for each in words.templates), default=0.0),
        max((each.covered(meant) for each in concepts.templates), default=0.0),
    )


def _named(said: Bag[T], slots: tuple[Bag[T], ...]) -> float:
    """Return the degree to which a text names a slot, or all slots of a node with several."""
    shares = (x.covered(said) if len(slots) >= SEVERAL else said.likeness(x) for x in slots)
    return sum(shares) / max(len(slots), 1)


def _stated(
    reply: Reply, said: Bag[str], words: Bags[str], meant: Bag[int], concepts: Bags[int]
) -> tuple[float, ...]:
    """Return the evidence of a slot's values and of the values that a reply states."""
    return (
        len(reply.listed & said.items.keys()) / max(len(said.items), 1),
        max(map(said.covered, words.stated), default=0.0),
        max(map(meant.likeness, concepts.stated), default=0.0),
    )


def _form(reply: Reply, wording: SentenceWords) -> tuple[float, float]:
    """Return the agreement of values and question marks with the templates'."""
    templates = reply.templates
    if not templates:
        return 0.0, 0.5
    questions = sum(t.question == wording.question for t in templates)
    return max(_values(wording, t) for t in templates), questions / len(templates)


def _values(one: SentenceWords, other: SentenceWords) -> float:
    """Return the share of the values of two sentences that are of the same kinds."""
    most = max(sum(one.values.values()), sum(other.values.values()))
    if not most:
        return 1.0
    return sum(min(count, other.values.get(kind, 0)) for kind, count in one.values.items()) / most


def _function(reply: Reply, coarse: Mapping[str, float], same: float) -> float:
    """Return the likelihood of a reply's function, by its place in the flow or its templates."""
    own = coarse.get(function_of(reply.label))
    return _log(own and max(own, same))


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
