"""STAR's four stages and who may enter which (Mosig et al. 2020, 3.1).

    single_tutorial -> single -> multi_tutorial -> multi
         quiz       first review        quiz

A stage is entered with the qualification for it; the first one needs none. A quiz passed, or the
first dialogues of a stage accepted, grants the next one; a quiz failed or a dialogue rejected takes
the stage's own back. Workers enter the highest stage they have that still takes people in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from dialoom.collect.log.record import STAGES, USER_ROLE, WIZARD_ROLE, Role, Stage, is_bot
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings

ScenarioKind = Literal["single", "multi"]

TUTORIALS: tuple[Stage, ...] = ("single_tutorial", "multi_tutorial")
"""The stages with a quiz."""


@dataclass(slots=True)
class Worker:
    """A worker: qualifications, dialogues played, partners met.

    Attributes:
        id: Who they are.
        live: Their assignment, while it is not over.
        last: Their last assignment.
        granted: Stage to whether they may enter it; absent where nothing was decided.
        played: (stage, role) to the dialogues they were seated in and that did not fail.
        met: Other worker to how often they were paired.
    """

    id: str
    live: int | None = None
    last: int | None = None
    granted: dict[Stage, bool] = field(default_factory=dict)
    played: Counter[tuple[Stage, Role]] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)

    def role_surplus(self, stage: Stage) -> int:
        """Return dialogues as wizard less dialogues as user in a stage."""
        return self.played[stage, WIZARD_ROLE] - self.played[stage, USER_ROLE]


def stage_after(stage: Stage) -> Stage | None:
    """Return the stage after another one."""
    place = STAGES.index(stage) + 1
    return STAGES[place] if place < len(STAGES) else None


def scenario_kinds(stage: Stage, settings: Settings) -> tuple[ScenarioKind, ...]:
    """Return the kinds of scenario that a stage gives out, or leads to."""
    if settings.stages == "direct":
        return "single", "multi"
    return ("single",) if stage in STAGES[:2] else ("multi",)


def first_stage(settings: Settings) -> Stage:
    """Return the stage that needs no qualification."""
    several = settings.scenario == "multi"
    if settings.stages == "direct":
        return "multi" if several else "single"
    return "multi_tutorial" if several else "single_tutorial"


def study_stages(settings: Settings) -> tuple[Stage, ...]:
    """Return the stages a study has, in order."""
    first = first_stage(settings)
    if settings.stages == "direct":
        return (first,)
    last = STAGES.index("single") if settings.scenario in ("happy", "unhappy") else len(STAGES) - 1
    return STAGES[STAGES.index(first) : last + 1]


def next_stage(worker: Worker, settings: Settings, opened: Callable[[Stage], bool]) -> Stage:
    """Return the stage that a worker may enter now.

    Args:
        worker: Who.
        settings: The study.
        opened: Whether a stage still takes people in.

    Raises:
        Refused: `screened_out`, `rejected` or `full`.
    """
    stages = study_stages(settings)
    if is_bot(worker.id):  # takes part in the stage of whoever it is paired with
        return next(stage for stage in stages if stage not in TUTORIALS)
    _not_rejected(worker)
    stages = tuple(stage for stage in stages if _may_enter(stage, stages[0], worker))
    if not stages:
        raise Refused("screened_out", "the quiz was not passed")
    for stage in reversed(stages):
        if opened(stage):
            return stage
    raise Refused("full", "the study has all the dialogues that it wants, or they are under way")


def _not_rejected(worker: Worker) -> None:
    for stage, granted in worker.granted.items():
        if not granted and stage not in TUTORIALS:
            raise Refused("rejected", "this worker takes part in the study no longer")


def _may_enter(stage: Stage, first: Stage, worker: Worker) -> bool:
    """Tell whether a worker is qualified for a stage, and has not done its tutorial before."""
    after = stage_after(stage)
    if stage in TUTORIALS and after is not None and after in worker.granted:
        return False
    return worker.granted.get(stage, stage == first)
