"""Checks that a study can start: that its tasks, bots and files make the items of its stages."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from dialoom.collect.kinds.bot import BotKind, ready
from dialoom.collect.kinds.document.kind import ComparableKind, DocumentKind
from dialoom.collect.kinds.registry import made_kinds
from dialoom.collect.kinds.room.questions import questions
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.settings import ROOMS, Settings, Stage
from dialoom.collect.settings_types import Mistake, caught, mistake_of
from dialoom.collect.study.stages import study_languages, study_stages
from dialoom.collect.unit import WorkKind
from dialoom.errors import DialoomError, UsageError, check_name
from dialoom.schema.places import Pointer

SEVERAL = 2
"""The fewest tasks of a dialogue over several tasks."""


def start_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the faults for which a study cannot start, in settings that are right by themselves.

    The mistakes of one stage may hide those of later ones.
    """
    try:
        library = ScenarioLibrary(settings)
    except DialoomError as error:
        yield mistake_of(("tasks",), error)
    else:
        yield from _library_mistakes(settings, library)


def _library_mistakes(settings: Settings, library: ScenarioLibrary) -> Iterator[Mistake]:
    stages = tuple(study_stages(settings))
    for stage in stages:
        bot = stage.kind == BotKind.name and not (stage.tasks or settings.tasks)
        if bot or (stage.kind in ROOMS and not library.tasks):
            what = f"{stage.name} has no task to talk about; right would be such as"
            yield Mistake(("tasks",), f"the stage {what} `tasks: [weather]`", "no-task")
            return
    if settings.scenario == "multi" and len(library.tasks) < SEVERAL:
        yield Mistake(("scenario",), f"multi is of several tasks; name at least {SEVERAL}")
    languages = study_languages(settings, library.tasks)
    mistakes = [*_language_mistakes(settings, library, languages)]
    kinds = made_kinds(stages, library, settings)
    for place, stage in enumerate(stages):
        mistakes = mistakes or list(_item_mistakes(("stages", place), stage, kinds, languages))
    yield from mistakes
    if not mistakes and any(stage.kind in ROOMS for stage in stages):
        yield from caught(("scenario",), _check_scenario, library)


def _language_mistakes(
    settings: Settings, library: ScenarioLibrary, languages: Collection[str]
) -> Iterator[Mistake]:
    spoken = {task.language for task in library.tasks.values()}
    if spoken and settings.language not in spoken:
        what = f"none is in {settings.language!r}, the language of the pages; right would be"
        yield Mistake(("tasks",), f"{what} `language: {min(spoken)}`", "wrong-language")
    for language in languages:
        yield from caught(("tasks",), questions, "user", (), language)
    for language in settings.translations:
        pointer = ("translations", language)
        yield from caught(pointer, check_name, "language in translations", language, languages)


def _item_mistakes(
    here: Pointer,
    stage: Stage,
    kinds: Iterator[WorkKind],
    languages: Collection[str],
) -> Iterator[Mistake]:
    mistakes: list[Mistake] = []
    for place, agent in enumerate(stage.agents if stage.kind == BotKind.name else ()):
        mistakes += caught((*here, "agents", place), _check_agent, agent)
    yield from mistakes or caught(here, _check_items, kinds, languages)


def _check_agent(name: str) -> None:
    try:
        ready(name, ())
    except DialoomError as error:  # which names the option of other commands
        what = str(error).removeprefix("--agent").lstrip(": ")
        raise UsageError(what, code=error.code) from error


def _check_items(kinds: Iterator[WorkKind], languages: Collection[str]) -> None:
    kind = next(kinds)
    if isinstance(kind, ComparableKind):
        next(kind.gold(), None)  # raises if they have no known answers
    if isinstance(kind, DocumentKind):
        item = next(kind.items(), None)  # raises if the corpus or file of the items is missing
        spoken = {item.language} if item is not None else set[str]()
        if isinstance(kind, BotKind):
            spoken |= {task.language for task in kind.schemas.values()}
        for language in sorted(spoken - {"", *languages}):
            raise UsageError(
                f"tasks of a {kind.name} stage are in {language!r}; right would be"
                f" {' or '.join(languages)}",
                code="wrong-language",
            )


def _check_scenario(library: ScenarioLibrary) -> None:
    if next(library.scenarios(), None) is None:
        raise UsageError(f"the tasks make no {library.settings.scenario} scenario; take another")
