"""The registry of kinds of work, and the kinds of a study's stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.kinds.room.kind import RoomKind
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.settings import QUIZ, ROOM, SPOKEN, Settings, Stage
from dialoom.collect.unit import Scenarios, WorkKind
from dialoom.registry import Registry

KINDS: Registry[Callable[[Scenarios, Settings, Stage], WorkKind]] = Registry(
    "kind of work",
    "dialoom.kinds",
    {
        "adjudication": "dialoom.collect.kinds.adjudication:AdjudicationKind",
        "annotation": "dialoom.collect.kinds.annotation:AnnotationKind",
        "bot": "dialoom.collect.kinds.bot:BotKind",
        "paraphrase": "dialoom.collect.kinds.paraphrase:ParaphraseKind",
        "rating": "dialoom.collect.kinds.rating:RatingKind",
        "self_dialogue": "dialoom.collect.kinds.self_dialogue:SelfDialogueKind",
        "transcription": "dialoom.collect.kinds.transcription:TranscriptionKind",
    },
)
"""Kinds besides rooms and quizzes, each made for one stage."""


def unfit_source(kind: str, before: Stage) -> str:
    """Return what `of` may name for a kind of work, if an earlier stage is not that; else ""."""
    source: Any = KINDS.get(kind) if kind in KINDS else DocumentKind
    return source.unfit_source(before) if hasattr(source, "unfit_source") else ""


def study_kinds(
    stages: Iterable[Stage],
    scenarios: Scenarios,
    settings: Settings,
    tools: dict[int, WizardTools] | None = None,
) -> Mapping[str, WorkKind]:
    """Return stage to its kind of work; arguments and errors as of `made_kinds`."""
    stages = tuple(stages)
    kinds = made_kinds(stages, scenarios, settings, tools)
    return dict(zip((stage.name for stage in stages), kinds, strict=True))


def made_kinds(
    stages: Iterable[Stage],
    scenarios: Scenarios,
    settings: Settings,
    tools: dict[int, WizardTools] | None = None,
) -> Iterator[WorkKind]:
    """Yield the kind of work of each stage.

    Args:
        tools: Seed to wizard's tools, shared by all rooms and added to as rooms need them.

    Raises:
        UnknownNameError: There is no such kind.
    """
    tools = {} if tools is None else tools
    room: WorkKind = RoomKind(scenarios, settings, tools)
    spoken: WorkKind = RoomKind(scenarios, settings, tools, spoken=True)
    rooms = {ROOM: room, QUIZ: room, SPOKEN: spoken}
    kinds: dict[str, WorkKind] = {}
    for stage in stages:
        kind = rooms.get(stage.kind) or KINDS.get(stage.kind)(scenarios, settings, stage)
        if isinstance(kind, DocumentKind) and stage.of:
            kind.follow(kinds[stage.of])
        kinds[stage.name] = kind
        yield kind
