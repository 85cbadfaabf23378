"""People's grades of systems, from exported dialogues: means by system, with intervals.

The unit of intervals is the item (a rated reply with its context, or the goal of a talk): its mean
over raters counts once, and items are drawn with replacement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Self

from dialoom.collect.kinds.rated_chat import FAILURE, REACHED
from dialoom.dialogue import USER, Dialogue
from dialoom.dialogue.annotation import GRADES, ITEM, RATING, SYSTEM_NAME
from dialoom.dialogue.views import rejected, utterances
from dialoom.metrics.bootstrap import Bounds, mean_bounds, wilson
from dialoom.play.results.summary import played
from dialoom.render.tables import ResultTable, interval_cell

DATABASE = "goal reached, says the database"

_PERSON = "goal reached, says the person"

_CRITERIA = {RATING: "rating", REACHED: _PERSON}

_SHARES = (_PERSON, DATABASE)
"""Criteria with grades of 0 and 1, whose means are shares."""

NOTE = (
    "95 % intervals are over items, each the mean of its raters. Differences are the first system "
    "less the second on the items that both have. Grades: the highest is the best; ranks: 1. "
    "Work that a review rejected is left out."
)


class SystemGrades:
    """Grades by criterion, system and item."""

    def __init__(self) -> None:
        self._grades: dict[str, dict[str, dict[str, list[int]]]] = {}

    def add_all(self, dialogues: Iterable[Dialogue]) -> Self:
        """Add the grades of dialogues; return itself."""
        for dialogue in dialogues:
            self.add(dialogue)
        return self

    def add(self, dialogue: Dialogue) -> None:
        """Add the grades of a dialogue."""
        for system, criterion, grade in given_grades(dialogue):
            items = self._grades.setdefault(criterion, {}).setdefault(system, {})
            items.setdefault(_item(dialogue, system), []).append(grade)

    def figures(self) -> dict[str, list[dict[str, Any]]]:
        """Return the means of `systems` by criterion, and the differences of `pairs` of them."""
        report: dict[str, list[dict[str, Any]]] = {"systems": [], "pairs": []}
        for criterion, systems in sorted(self._grades.items()):
            means = {
                system: {item: sum(grades) / len(grades) for item, grades in items.items()}
                for system, items in sorted(systems.items())
            }
            for system, items in means.items():
                many = sum(map(len, systems[system].values()))
                row = {"criterion": criterion, "system": system, "grades": many}
                values = list(items.values())
                report["systems"].append(row | _mean(values, share=criterion in _SHARES))
            for one, other in combinations(means, 2):
                ours, theirs = means[one], means[other]
                shared = [ours[item] - theirs[item] for item in ours if item in theirs]
                row = {"criterion": criterion, "first": one, "second": other}
                mean = _mean(shared, share=False)
                report["pairs"].append({**row, "difference": mean.pop("mean"), **mean})
        return report

    def tables(self) -> list[ResultTable]:
        """Return the tables of `figures`; none without grades."""
        figures = self.figures()
        systems = [
            [row["criterion"], row["system"], *_cells(row), row["grades"]]
            for row in figures["systems"]
        ]
        pairs = [
            [row["criterion"], f"{row['first']} - {row['second']}", *_cells(row, "difference")]
            for row in figures["pairs"]
            if row["items"]
        ]
        head = ("mean", "95 % interval", "items")
        all_tables = [
            ResultTable("Grades", ("criterion", "system", *head, "grades"), systems, (NOTE,)),
            ResultTable("Differences", ("criterion", "systems", "difference", *head[1:]), pairs),
        ]
        return [table for table in all_tables if table.rows]


def judgements(dialogue: Dialogue) -> Iterator[tuple[bool, bool]]:
    """Yield whether a talk's goal was reached, by the database and by the person, if both say."""
    if _counts(dialogue) and dialogue.outcome in ("reached", "missed"):
        for answer in dialogue.answers:
            if answer.question == REACHED:
                yield dialogue.outcome == "reached", bool(answer.answer)


def given_grades(dialogue: Dialogue) -> Iterator[tuple[str, str, int]]:
    """Yield the system, the criterion and the grade of each judgement in a dialogue.

    For an output to be compared, these are raters' grades or ranks. For a talk with a bot, these
    are the person's rating, the grades of the study's own questions about the talk and its turns,
    and 1 or 0 for whether the goal was reached, as the person says and as the database shows. A
    talk in which the bot failed has no grade, nor has work that a review rejected.
    """
    system, unfit = dialogue.extra.get(SYSTEM_NAME), rejected(dialogue)
    if system is None or not _counts(dialogue):
        return
    layers = (layer for _, each in utterances(dialogue) for layer in each.layers)
    for part in (part for each in layers if each.source not in unfit for part in each.parts):
        yield from ((system, name, grade) for name, grade in part.extra.get(GRADES, {}).items())
    for answer in dialogue.answers:
        name, value = answer.question, answer.answer
        if type(value) is int or (name in _CRITERIA and isinstance(value, int)):
            yield system, _CRITERIA.get(name, name), int(value)
    if dialogue.outcome is not None:
        yield system, DATABASE, int(dialogue.outcome == "reached")


def _counts(dialogue: Dialogue) -> bool:
    """Return False for a talk in which the bot failed, or whose person was rejected."""
    return FAILURE not in dialogue.extra and dialogue.workers.get(USER) not in rejected(dialogue)


def _item(dialogue: Dialogue, system: str) -> str:
    """Return the goal, or the id of the outputs with the texts before them: ids may be reused."""
    goal = played(dialogue)
    if goal:
        return f"{goal.task} {goal.goal}"
    id = dialogue.extra.get(ITEM, dialogue.id.removesuffix(f"-{system}"))
    *context, _ = [id, *(each.text for _, each in utterances(dialogue))]
    return "\n".join(context)


def _mean(values: Sequence[float], *, share: bool) -> dict[str, Any]:
    many = len(values)
    mean = sum(values) / many if many else None
    bounds: Bounds | None = None
    if mean is not None and many > 1:
        low, high = wilson(100 * mean, many) if share else mean_bounds(values)
        bounds = (low / 100, high / 100) if share else (low, high)
    return {"mean": mean, "interval": bounds, "items": many}


def _cells(row: Mapping[str, Any], value: str = "mean") -> tuple[Any, ...]:
    return row[value], interval_cell(row["interval"]), row["items"]
