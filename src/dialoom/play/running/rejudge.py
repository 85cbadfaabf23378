"""Scores a finished run again under the current rules, without playing it.

    again = Rejudged(read_run(Path("run")))
    again.dialogues                      # the same dialogues with new verdicts
    list(again.changes)                  # those whose verdict is another, and why

The tasks are those that the run keeps, and the goals are drawn as they were; other goals may be
given instead, for instance with an end that was mended. The calls of each dialogue are made again
to see what they changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Query, Result
from dialoom.errors import UsageError, check_name
from dialoom.play.judging import RULES
from dialoom.play.judging.verdict import Ended, Failure
from dialoom.play.results.failure import differences, failure_of
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.results.summary import Played, played
from dialoom.play.running.goal_run import GoalRun
from dialoom.play.running.plan import PlanGoals, PlayPlan
from dialoom.play.users.goals import JUDGED, PlayGoal, own_goals
from dialoom.render.progress import track


class ChangedVerdict(NamedTuple):
    """A dialogue with another verdict under the rules of today: the classes, and why."""

    id: str
    before: str
    after: str
    why: tuple[str, ...]


class Rejudged:
    """The verdicts on a finished run under the current rules.

    Goals in `given` replace the run's, by name; `UsageError` if it had some and none is given.
    """

    def __init__(self, run: PlayRun, play_goals: Iterable[PlayGoal] = ()) -> None:
        settings = run.settings
        goals = list(play_goals)
        if "given" in settings and not goals:
            goals = [goal for name in settings["tasks"] for goal in own_goals(run.tasks[name])]
        self._run, self._given = run, {goal.name: goal for goal in goals}
        if "given" in settings and not self._given:
            raise UsageError(
                f"{run.path}: its goals were given; name their file by --goals", code="not-given"
            )
        plan = PlayPlan(
            tasks=tuple(run.tasks[name] for name in settings["tasks"]),
            agent=settings["agent"],
            user=settings["user"],
            goals=settings["goals"],
            trials=settings["trials"],
            seed=settings["seed"],
            given=tuple(self._given.values()),
            forbidden=tuple(settings.get("forbidden", ())),
            dialogues=settings["number"],
        )
        self._goals = PlanGoals(plan)

    @property
    def settings(self) -> dict[str, Any]:
        """The record of the run, with the rules of today."""
        return {**self._run.settings, "rules": RULES}

    @cached_property
    def dialogues(self) -> list[PlayedDialogue]:
        """The dialogues with their new verdicts."""
        plays = self._run.dialogues
        results = map(self._judged, track(plays, "dialogues judged", len(plays)))
        return [PlayedDialogue(each, record) for each in results if (record := played(each))]

    @property
    def changes(self) -> Iterator[ChangedVerdict]:
        """The dialogues whose success or class of failure is another now."""
        for before, after in zip(self._run.dialogues, self.dialogues, strict=True):
            was, now = _class(before.played), _class(after.played)
            if was != now:
                why = tuple(differences(after.played))
                yield ChangedVerdict(after.dialogue.id, was, now, why)

    def _judged(self, each: PlayedDialogue) -> Dialogue:
        dialogue, old = each.dialogue, each.played
        goal = self._goal(dialogue, old)
        seat = goal.seat(old.verdict["trial"])
        costs = {key: value for key, value in old.verdict.items() if key == "spent"}
        happy = dialogue.scenario.happy if dialogue.scenario is not None else None
        revision = goal.judged(
            seat,
            old.verdict["trial"],
            dialogue.events,
            _ended(old.verdict),
            _changes(goal, dialogue, old.verdict["trial"]),
            happy=happy,
            costs=costs,
            recorded={key: value for key, value in old.wanted.items() if key not in JUDGED},
        )
        if revision.scenario is None or dialogue.scenario is None:
            return revision
        user_task = dialogue.scenario.user_task
        return replace(revision, scenario=replace(revision.scenario, user_task=user_task))

    def _goal(self, dialogue: Dialogue, old: Played) -> GoalRun:
        if not self._given:
            return self._goals.drawn(old.task, old.goal)
        name = dialogue.id.removeprefix(f"{old.task}-").rpartition("-")[0]
        check_name("goal", name, self._given)
        return self._goals.goal(list(self._given).index(name))


def _class(record: Played) -> str:
    return failure_of(record) or "success"


def _ended(verdict: Mapping[str, Any]) -> Ended | Failure:
    failure = verdict.get("failure")
    if failure is not None:
        return msgspec.convert(failure, Failure)
    ended: Ended = verdict.get("ended", "completed")
    return ended


def _changes(goal: GoalRun, dialogue: Dialogue, trial: int) -> dict[str, Any]:
    """Return the changes by the calls of a dialogue, without refused ones."""
    refused = {e.query for e in dialogue.events if isinstance(e, Result) and "error" in e.extra}
    with goal.opened(goal.seat(trial)) as bases:
        for event in dialogue.events:
            if isinstance(event, Query) and event.id not in refused:
                bases.repeat(event.api, event.constraints)
        return bases.changes()
