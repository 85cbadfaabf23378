"""The stages of a study, and who may enter which (STAR: Mosig et al. 2020, 3.1).

    single_tutorial -> single -> multi_tutorial -> multi
         quiz       first review        quiz

A stage whose gate is not `none` is open to workers with a qualification for it; the first stage is
open to everybody. A worker who passes a quiz, or whose first work in a stage is accepted, is
qualified for the next stage; a failed quiz or a rejected submission closes the stage itself. A
worker enters the last stage that they are qualified for and that has free seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Role, is_bot
from dialoom.collect.message import Refused
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage
from dialoom.collect.unit import ItemFilter
from dialoom.schema.task import TaskSchema
from dialoom.sim.presets.star import SCENARIOS


def study_languages(settings: Settings, tasks: Mapping[str, TaskSchema]) -> tuple[str, ...]:
    """Return the languages that workers may choose from, the setting `language` first."""
    return tuple(dict.fromkeys((settings.language, *(task.language for task in tasks.values()))))


def in_language(settings: Settings, language: str) -> Settings:
    """Return settings with the texts replaced by their translations, where there are any."""
    translation = settings.translations.get(language)
    if translation is None:
        return settings
    texts = {
        name: text
        for name in ("name", "purpose", "debriefing")
        if (text := getattr(translation, name))
    }
    consent = replace(settings.consent, text=translation.consent or settings.consent.text)
    return replace(
        settings, **texts, consent=consent, video={**settings.video, **translation.video}
    )


def scenario_groups(settings: Settings) -> tuple[str, ...]:
    """Return the groups of a study's scenarios: `single`, `multi` or both."""
    kinds = SCENARIOS.get("multi" if settings.story else settings.scenario, ())
    return tuple(dict.fromkeys("multi" if kind == "multi" else "single" for kind in kinds))


STAR = (
    Stage(name="single_tutorial", kind=QUIZ),
    Stage(name="single", gate="quiz", groups=("single",)),
    Stage(name="multi_tutorial", kind=QUIZ, gate="review"),
    Stage(name="multi", gate="quiz", groups=("multi",)),
)
"""STAR's stages I to IV."""


@dataclass(slots=True)
class Worker:
    """A worker's qualifications, units and partners.

    Attributes:
        live: The number of the current assignment; None without one.
        last: The number of the last assignment.
        granted: Stage to whether they are qualified; without a key where nothing was decided.
        played: (stage, role) to the number of their units that are complete or under way.
        met: Other worker to how often the two were paired.
        agreed: The (version of the consent text, kind of work) that they have consented to.
    """

    id: str
    live: int | None = None
    last: int | None = None
    granted: dict[str, bool] = field(default_factory=dict)
    played: Counter[tuple[str, Role]] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    agreed: set[tuple[str, str]] = field(default_factory=set)

    def role_surplus(self, stage: str) -> int:
        """Return the number of dialogues as wizard minus those as user in a stage."""
        return self.played[stage, WIZARD_ROLE] - self.played[stage, USER_ROLE]


class Stages:
    """The stages of a study, in order."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = {stage.name: stage for stage in stages}

    def __iter__(self) -> Iterator[Stage]:
        return iter(self._stages.values())

    def __getitem__(self, name: str) -> Stage:
        return self._stages[name]

    def __contains__(self, name: str) -> bool:
        return name in self._stages

    def after(self, name: str) -> Stage | None:
        """Return the stage after another one; None after the last."""
        names = list(self._stages)
        return self._stages[names[names.index(name) + 1]] if name != names[-1] else None

    def to(self, names: Collection[str]) -> Stages:
        """Return stages and those before them that qualify for them; all without any name."""
        route, qualifies = list[Stage](), False
        for stage in reversed(self._stages.values()):
            if qualifies or stage.name in names:
                route.insert(0, stage)
                qualifies = stage.gate != "none"
        return Stages(route) if route else self

    def work(self, name: str) -> Stage:
        """Return the stage itself, or for a tutorial the first stage of work after it."""
        stage = self[name]
        while stage.kind == QUIZ and (after := self.after(stage.name)) is not None:
            stage = after
        return stage

    def source(self, name: str) -> str:
        """Return the source of a stage's items: its name, or "" for rooms, which share theirs."""
        stage = self.work(name)
        return "" if stage.kind in ROOMS else stage.name

    def items(self, name: str, language: str = "") -> ItemFilter:
        """Return the condition on the items of a stage for workers of a language."""
        return ItemFilter(self.source(name), self.work(name).groups, language)


def study_stages(settings: Settings) -> Stages:
    """Return the stages of a study."""
    if not isinstance(settings.stages, str):
        return Stages(settings.stages)
    several = settings.scenario == "multi"
    if settings.stages == "direct":
        return Stages((Stage(name="multi" if several else "single"),))
    if several:
        return Stages(STAR[2:])
    return Stages(STAR[:2] if settings.scenario in ("happy", "unhappy") else STAR)


def next_stage(
    worker: Worker,
    stages: Stages,
    opened: Callable[[str], bool],
    playable: Callable[[str], bool] = lambda _: True,
    to: Collection[str] = (),
) -> Stage:
    """Return the stage that a worker may enter now.

    Args:
        opened: Returns whether a stage has free seats.
        playable: Returns whether a role of a stage is open to the worker.
        to: The stages that their link leads to; they may enter these, or those that qualify for
            them. All stages without any.

    Raises:
        Refused: `screened_out`, `rejected`, `not_a_wizard` or `full`.
    """
    if is_bot(worker.id):  # a program takes part in the stage of its partner
        return next(stage for stage in stages if stage.kind in ROOMS)
    for name, granted in worker.granted.items():
        if not granted and name in stages and stages[name].kind != QUIZ:
            raise Refused("rejected", "this worker takes part in the study no longer")
    stages = stages.to(to)
    first = next(iter(stages)).name
    mine = [stage for stage in stages if _may_enter(stage, first, worker, stages)]
    if not mine:
        raise Refused("screened_out", "the quiz was not passed")
    within = [stage for stage in mine if playable(stage.name)]
    for stage in reversed(within):
        if opened(stage.name):
            return stage
    if len(within) < len(mine):
        raise Refused("not_a_wizard", "this worker is not one of the study's wizards")
    raise Refused("full", "the study has all the work that it wants, or it is under way")


def _may_enter(stage: Stage, first: str, worker: Worker, stages: Stages) -> bool:
    after = stages.after(stage.name)
    if stage.kind == QUIZ and after is not None and after.name in worker.granted:
        return False
    if stage.only and worker.id not in stage.only:
        return False
    return worker.granted.get(stage.name, stage.gate == "none" or stage.name == first)
