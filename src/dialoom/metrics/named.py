"""One score of two plain lists, by its usual name: the right answers first, as in scikit-learn.

joint_goal_accuracy([{"Hotels_1": {"area": "north"}}], [{"Hotels_1": {"area": "south"}}]).value
bleu(["For which day?"], ["For when?"]).signature

`dialoom.score` gives all scores of a metric at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.metrics.lists import Figure, score

States = Sequence[Mapping[str, Mapping[str, Any]]]
"""For each turn, service to slot to its value, or to the values that count as right."""


def joint_goal_accuracy(
    gold: States, predicted: States, *, dialogues: Sequence[str] | None = None
) -> Figure:
    """Return the share of frames whose state is right, as SGD's official evaluation counts it.

    Args:
        gold: The right states.
        predicted: The predicted ones, in the same order.
        dialogues: The dialogue of each, by which the interval is resampled.

    Raises:
        UsageError: The lists differ in length or are empty, or a state is no mapping.
    """
    return score("state", predicted, gold, dialogues=dialogues)["joint_goal_accuracy"]


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
