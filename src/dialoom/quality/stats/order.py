"""Shares of dialogues with questions in the schema's order: table 8 of the STAR paper.

    checked(task, 4)     ("ask_name", "hotel_ask_hotel", "hotel_ask_date_from", …)

The paper does not list the actions that it checked; docs/reference/statistics.md has our rule. Both
columns are over complete single-task dialogues: happy ones, and all. The paper's figures are shown
only for people's dialogues, imported or collected, since it has none of simulated ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dialoom import formats
from dialoom.corpus.traits import PublishedOrder
from dialoom.dialogue import Dialogue
from dialoom.dialogue.views import action, tasks
from dialoom.errors import UnknownNameError
from dialoom.flow.actions import following
from dialoom.quality.stats.analysis import Result, complete, ratio
from dialoom.schema.flow import ASK, QUERIES
from dialoom.schema.task import TaskSchema, resolve

TOLERANCE = 0.03
"""The largest difference from a share of table 8 that counts as equal."""


class Orders:
    """Table 8, from dialogues and flow graphs; `published` is empty once simulated ones came."""

    def __init__(
        self,
        schemas: Mapping[str, TaskSchema],
        published: Mapping[str, PublishedOrder] = MappingProxyType({}),
    ) -> None:
        self._schemas = schemas
        self._known = formats.published_orders()
        self.published = published
        self._names: dict[str, str | None] = {}
        self._lists: dict[str, tuple[str, ...]] = {}
        self.dialogues: Counter[tuple[str, str]] = Counter()
        self.in_order: Counter[tuple[str, str]] = Counter()
        self.otherwise: Counter[tuple[str, str]] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count a complete dialogue about one task whose flow is known."""
        scenario = dialogue.scenario
        if dialogue.provenance == "simulated":
            self.published = {}
        if not complete(dialogue) or scenario is None or scenario.multi_task:
            return
        done = (name for event in dialogue.events if (name := action(event)) is not None)
        self.count(next(iter(tasks(dialogue)), None), done, happy=bool(scenario.happy))

    def count(self, name: str | None, actions: Iterable[str], *, happy: bool) -> None:
        """Count a complete dialogue by its task's name and the system's actions."""
        task = self._task(name)
        if task is None:
            return
        done = list(actions)
        right = in_order(done, self._lists[task])
        another = self._another(task)
        other = bool(another) and in_order(done, another)
        for column in ("happy", "all") if happy else ("all",):
            self.dialogues[task, column] += 1
            self.in_order[task, column] += right
            self.otherwise[task, column] += other

    def _task(self, name: str | None) -> str | None:
        if name is None:
            return None
        if name not in self._names:
            try:
                task = resolve(name, self._schemas)
            except UnknownNameError:
                task = None
            if task is not None and task not in self._lists:
                self._lists[task] = self.checked(task)
            self._names[name] = task if task is not None and self._lists[task] else None
        return self._names[name]

    def checked(self, task: str) -> tuple[str, ...]:
        """Return the actions of a task whose order is checked: as many as the paper checked."""
        paper = self._known.get(task)
        return checked(self._schemas[task], paper.checked if paper is not None else None)

    def _another(self, task: str) -> tuple[str, ...]:
        return self._known[task].another if task in self._known else ()

    def result(self) -> Result | None:
        """Return each task's two shares, what was checked, and the paper's."""
        tasks = sorted({task for task, _ in self.dialogues})
        if not tasks:
            return None
        rows = {task: self._row(task) for task in tasks}
        matches = [task for task in tasks if "published" in rows[task]]
        return {
            "tasks": rows,
            "mean": {column: _mean(rows[t][column] for t in tasks) for column in ("happy", "all")},
            "published_mean_of_these_tasks": {
                "happy": _mean(self.published[t].happy for t in matches),
                "all": _mean(self.published[t].all for t in matches),
            },
            "tolerance": TOLERANCE,
            "beyond": [task for task in matches if not rows[task]["within"]],
        }

    def _row(self, task: str) -> Result:
        ours = self._shares(task, self.in_order)
        row: Result = {
            **ours,
            "happy_dialogues": self.dialogues[task, "happy"],
            "dialogues": self.dialogues[task, "all"],
            "checked": list(self._lists[task]),
        }
        if task in self.published:
            paper = self.published[task]
            row["published"] = {"happy": paper.happy, "all": paper.all, "checked": paper.checked}
            row["within"] = _near(ours["happy"], paper.happy) and _near(ours["all"], paper.all)
        if task in self.published and (another := self._another(task)):
            row["in_another_order"] = {
                "checked": list(another),
                **self._shares(task, self.otherwise),
            }
        return row

    def _shares(self, task: str, counts: Counter[tuple[str, str]]) -> Result:
        columns = ("happy", "all")
        return {name: ratio(counts[task, name], self.dialogues[task, name]) for name in columns}


def checked(task: TaskSchema, limit: int | None = None) -> tuple[str, ...]:
    """Return the actions to check: `limit`, else up to the first query; empty without a graph."""
    after, _ = following(task)
    if not after:
        return ()
    way = _way(after)
    first = next((i for i, name in enumerate(way) if name in QUERIES), len(way))
    if not any(map(_is_question, way[:first])):
        replies = list(task.replies)
        start = replies.index(way[0]) if way[0] in replies else 0
        questions = [name for name in replies[start:] if _is_question(name) and name not in way]
        way = [*questions, *way[first:]]
        first = len(questions)
    return tuple(way[: limit or first + 1])


def in_order(done: Iterable[str], expected: Sequence[str]) -> bool:
    """True if the expected actions were done in order, up to the first time of the last."""
    places = {name: place for place, name in enumerate(expected)}
    reached = 0
    for name in done:
        place = places.get(name)
        if place is None:
            continue
        if place < reached:
            return False
        reached = place
        if place == len(expected) - 1:
            break
    return True


def _way(edges: Mapping[str, str]) -> list[str]:
    led_to = set(edges.values())
    at = next((name for name in edges if name not in led_to), next(iter(edges)))
    way: list[str] = []
    while (at := edges.get(at, "")) and at not in way:
        way.append(at)
    return way


def _is_question(name: str) -> bool:
    return ASK in name.split("_")


def _near(ours: float | None, theirs: float) -> bool:
    return ours is not None and abs(round(ours, 4) - theirs) <= TOLERANCE


def _mean(shares: Iterable[float | None]) -> float | None:
    numbers = [share for share in shares if share is not None]
    return ratio(sum(numbers), len(numbers))
