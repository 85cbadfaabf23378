"""The stages of a study, and who may enter which (STAR: Mosig et al. 2020, 3.1).

    single_tutorial -> single -> multi_tutorial -> multi
         quiz       first review        quiz

A stage is entered with the qualification for it, where its gate asks for one; the first one needs
none. A quiz passed, or the first work of a stage accepted, grants the next one; a quiz failed or
work rejected takes the stage's own back. Workers enter the highest stage they have that still takes
people in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dialoom.collect.item import ItemFilter
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Place, is_bot
from dialoom.collect.message import Refused
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage

STAR = (
    Stage(name="single_tutorial", kind=QUIZ),
    Stage(name="single", gate="quiz", groups=("single",)),
    Stage(name="multi_tutorial", kind=QUIZ, gate="review"),
    Stage(name="multi", gate="quiz", groups=("multi",)),
)
"""STAR's stages I to IV."""


@dataclass(slots=True)
class Worker:
    """A worker: qualifications, units they were in, partners met.

    Attributes:
        id: Who they are.
        live: Their assignment, while it is not over.
        last: Their last assignment.
        granted: Stage to whether they may enter it; absent where nothing was decided.
        played: (stage, place) to the units they were seated in and that did not fail.
        met: Other worker to how often they were paired.
        agreed: Version of the consent text and kind of work that they agreed to.
    """

    id: str
    live: int | None = None
    last: int | None = None
    granted: dict[str, bool] = field(default_factory=dict)
    played: Counter[tuple[str, Place]] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    agreed: set[tuple[str, str]] = field(default_factory=set)

    def role_surplus(self, stage: str) -> int:
        """Return dialogues as wizard less dialogues as user in a stage."""
        return self.played[stage, WIZARD_ROLE] - self.played[stage, USER_ROLE]


class Stages:
    """The stages of a study, in order.

    Args:
        stages: What they are.
    """

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = {stage.name: stage for stage in stages}

    def __iter__(self) -> Iterator[Stage]:
        """Yield them in order."""
        return iter(self._stages.values())

    def __getitem__(self, name: str) -> Stage:
        """Return a stage by its name."""
        return self._stages[name]

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a stage."""
        return name in self._stages

    def after(self, name: str) -> Stage | None:
        """Return the stage after another one."""
        names = list(self._stages)
        return self._stages[names[names.index(name) + 1]] if name != names[-1] else None

    def work(self, name: str) -> Stage:
        """Return the stage whose items a stage gives out: itself, or that a tutorial leads to."""
        stage = self[name]
        return (self.after(name) or stage) if stage.kind == QUIZ else stage

    def source(self, name: str) -> str:
        """Return the source of the items that a stage gives out: that of rooms is shared."""
        stage = self.work(name)
        return "" if stage.kind in ROOMS else stage.name

    def items(self, name: str, language: str = "") -> ItemFilter:
        """Return which items a stage gives out, or leads to, for people of a language."""
        return ItemFilter(self.source(name), self.work(name).groups, language)


def study_stages(settings: Settings) -> Stages:
    """Return the stages a study has, in order."""
    if not isinstance(settings.stages, str):
        return Stages(settings.stages)
    several = settings.scenario == "multi"
    if settings.stages == "direct":
        return Stages((Stage(name="multi" if several else "single"),))
    if several:
        return Stages(STAR[2:])
    return Stages(STAR[:2] if settings.scenario in ("happy", "unhappy") else STAR)


def next_stage(worker: Worker, stages: Stages, opened: Callable[[str], bool]) -> Stage:
    """Return the stage that a worker may enter now.

    Args:
        worker: Who.
        stages: The study's.
        opened: Whether a stage still takes people in.

    Raises:
        Refused: `screened_out`, `rejected` or `full`.
    """
    if is_bot(worker.id):  # takes part in the stage of whoever it is paired with
        return next(stage for stage in stages if stage.kind in ROOMS)
    for name, granted in worker.granted.items():
        if not granted and name in stages and stages[name].kind != QUIZ:
            raise Refused("rejected", "this worker takes part in the study no longer")
    first = next(iter(stages)).name
    mine = [stage for stage in stages if _may_enter(stage, first, worker, stages)]
    if not mine:
        raise Refused("screened_out", "the quiz was not passed")
    for stage in reversed(mine):
        if opened(stage.name):
            return stage
    raise Refused("full", "the study has all the work that it wants, or it is under way")


def _may_enter(stage: Stage, first: str, worker: Worker, stages: Stages) -> bool:
    """Tell whether a worker is qualified for a stage, and has not done its tutorial before."""
    after = stages.after(stage.name)
    if stage.kind == QUIZ and after is not None and after.name in worker.granted:
        return False
    if stage.only and worker.id not in stage.only:
        return False
    return worker.granted.get(stage.name, stage.gate == "none" or stage.name == first)
