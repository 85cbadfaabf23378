"""Links each question to the parameter it asks for, by an optimal assignment of word overlaps.

An action is described by the words of its name, its reply and the expected answers; a parameter by
those of its names and of questions for its kind. Words are weighted by inverse document frequency,
and each parameter is linked to one action at most.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from dialoom.schema.lexicon import Lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.template import PLACE
from dialoom.schema.values import kind, same

LEAST = 0.12
"""Least cosine similarity of a link: about one fairly rare word in common."""


def link_asks(
    texts: Mapping[str, str],
    answers: Mapping[str, Sequence[str]],
    parameters: Sequence[Slot],
    spoken: Lexicon,
) -> dict[str, Slot]:
    """Link each asking action to the parameter it asks for, where one fits."""
    from scipy.optimize import linear_sum_assignment

    asks = [action for action, text in texts.items() if is_ask(action, text, answers)]
    if not asks or not parameters:
        return {}
    left = [_action_words(a, texts[a], answers.get(a, ()), spoken) for a in asks]
    right = [_parameter_words(parameter, spoken) for parameter in parameters]
    weights = _weights([*left, *right])
    scores = np.array([[_overlap(a, p, weights) for p in right] for a in left])
    rows, columns = linear_sum_assignment(-scores)
    return {
        asks[row]: parameters[column]
        for row, column in zip(rows, columns, strict=True)
        if scores[row, column] >= LEAST
    }


def is_ask(action: str, text: str, answers: Mapping[str, Sequence[str]]) -> bool:
    """Return True if an action asks for a value: a question without values of its own."""
    if "{" in text or not text:
        return False
    expected = answers.get(action, ())
    if any(PLACE.search(answer) for answer in expected):
        return True
    # a question after a statement asks for a decision, not for a value
    return text.rstrip().endswith("?") and not re.search(r"[.!?]\s", text.strip())


def _action_words(
    action: str, text: str, answers: Sequence[str], spoken: Lexicon
) -> dict[str, float]:
    """Return an action's words with weights: names count most, then its reply, then answers."""
    found: dict[str, float] = {}
    for answer in answers:
        found |= {word: 0.5 for word in words(PLACE.sub(" ", answer)) if word not in spoken.stop}
    found |= {word: 0.7 for word in words(text) if word not in spoken.stop}
    found |= dict.fromkeys(split_name(action), 1.0)
    for answer in answers:
        found |= {word: 1.0 for name in PLACE.findall(answer) for word in split_name(name)}
    return found


def _parameter_words(parameter: Slot, spoken: Lexicon) -> dict[str, float]:
    """Return a parameter's words with weights: its names count most, its listed values least."""
    found = dict.fromkeys(spoken.asked_by.get(kind(parameter, spoken.language), ()), 0.5)
    found |= {w: 0.4 for v in parameter.values for w in words(str(v)) if w.isalpha()}
    found |= dict.fromkeys(split_name(parameter.description or ""), 1.0)
    found |= dict.fromkeys(split_name(parameter.name), 1.0)
    return found


def _weights(descriptions: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return each word's inverse document frequency, the logarithm of descriptions per use."""
    counts = Counter(word for description in descriptions for word in description)
    total = len(descriptions) + 1
    return {word: math.log(total / count) for word, count in counts.items()}


def _overlap(
    left: Mapping[str, float], right: Mapping[str, float], weights: Mapping[str, float]
) -> float:
    """Return the cosine similarity of two descriptions, forms of a word counting as the same."""
    shared = sum(
        weights[a] * left[a] * max((right[b] for b in right if same(a, b)), default=0.0)
        for a in left
    )
    size = math.sqrt(_size(left, weights) * _size(right, weights))
    return shared / size if size else 0.0


def _size(description: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weights[word] * value * value for word, value in description.items())
