"""Checks the settings of a study before anything is written.

check_names({"guard": "warm"})      # unknown guard 'warm': did you mean warn? known: …
check(settings)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from dialoom.collect.kinds.marks.prelabels import check_prelabels
from dialoom.collect.kinds.registry import KINDS
from dialoom.collect.kinds.room.questions import questions
from dialoom.collect.log.record import Outcome
from dialoom.collect.message import visible
from dialoom.collect.quiz_check import quiz_mistakes
from dialoom.collect.recruiters.registry import recruiter_of
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage
from dialoom.collect.study.stages import STAR, study_stages
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.learn.text import encoders

AT_LEAST_ONE = ("target", "scenarios", "pair_cap", "per_address")
"""Settings that are counts of at least 1."""


def check_names(named: Mapping[str, Any], of: type[Struct] = Settings) -> None:
    """Raise `UnknownNameError` for an unknown setting, or a value that is not in its fixed list."""
    kinds = get_type_hints(of)
    for name, value in named.items():
        if name not in kinds:
            raise UnknownNameError("setting", str(name), kinds)
        kind = kinds[name]
        choices = _choices(kind)
        if choices and isinstance(value, str) and value not in choices:
            raise UnknownNameError(name, value, choices)
        if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, Mapping):
            check_names(value, kind)


def _choices(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next((found for each in get_args(kind) if (found := _choices(each))), ())


_KINDS = {
    "array": "a list",
    "object": "names with values",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
}
"""Name of a type in msgspec's messages to the words for it in ours."""

_CURRENCY = re.compile("[A-Z]{3}")

_EXPECTED = re.compile(r"Expected `(.+?)`, got `(.+?)`(?: - at `\$\.?(.*)`)?")


def readable(error: msgspec.ValidationError) -> str:
    """Return the message of a validation error of msgspec in plain words."""
    found = _EXPECTED.fullmatch(str(error))
    if found is None:
        return str(error)
    right, got = (
        " or ".join(_KINDS.get(kind, kind) for kind in named.split(" | "))
        for named in (found[1], found[2])
    )
    return f"{found[3] or 'settings'}: {got}; right would be {right}"


def check(settings: Settings) -> None:
    """Check the values of settings; tasks and scenarios are checked as they are read.

    Raises:
        UsageError: A value is out of range or does not fit the others.
        UnknownNameError: There is no encoder, recruiter, stage, kind of work or language of that
            name.
        MissingExtraError: A library that the encoder needs is not installed.
    """
    encoders.get(settings.encoder)()
    questions("user", (), settings.language)
    numbers = {name: getattr(settings, name) for name in AT_LEAST_ONE}
    numbers |= {
        "suggestions": min(settings.suggestions),
        "quiz.fewer_to_be_paid": settings.quiz.fewer_to_be_paid,
    }
    for name, number in numbers.items():
        if number < 1:
            raise UsageError(f"{name}: {number}: at least 1 is needed")
    check_batch(settings.batch)
    for name, amount in _amounts(settings):
        if not 0 <= amount < float("inf"):
            raise UsageError(f"{name}: {amount}: right would be 0 or more")
    if settings.story and settings.tasks:
        raise UsageError("story: it names the tasks of the study; leave `tasks` out")
    mistakes = [str(mistake) for mistake in quiz_mistakes(msgspec.to_builtins(settings))]
    if mistakes:
        raise UsageError("\n".join(mistakes))
    for kind in ("single", "multi"):
        _check_plan(getattr(settings.guide, kind), f"guide.{kind}")
    _check_named(settings)
    _check_stages(settings)
    if settings.present_wizard_as == "automated" and not visible(settings.debriefing):
        why = "users have to learn afterwards that the wizard was a person"
        raise UsageError(f"present_wizard_as: automated needs a `debriefing`: {why}")


def _check_named(settings: Settings) -> None:
    """Check the codes and addresses of outcomes, the currency, and the videos of stages."""
    for outcome, code in settings.codes.items():
        if outcome not in get_args(Outcome):
            raise UnknownNameError("outcome of codes", outcome, get_args(Outcome))
        if not visible(code):
            raise UsageError(f"codes.{outcome}: there is no code")
    for outcome, address in settings.redirects.items():
        if outcome not in get_args(Outcome):
            raise UnknownNameError("outcome of redirects", outcome, get_args(Outcome))
        check_address(address, f"redirects.{outcome}:")
    if not _CURRENCY.fullmatch(settings.currency):
        raise UsageError(f"currency: {clip(settings.currency)!r}: right would be such as USD, EUR")
    if recruiter_of(settings) is not None and settings.worker_from:
        why = f"{settings.recruiter} brings the worker's id itself"
        raise UsageError(f"worker_from: {clip(settings.worker_from)!r}: {why}; leave it out")
    tutorials = [each.name for each in (*STAR, *study_stages(settings)) if each.kind == QUIZ]
    for stage, address in settings.video.items():
        if stage not in tutorials:
            raise UnknownNameError("stage of video", stage, tutorials)
        check_address(address, f"video.{stage}:")


def _check_stages(settings: Settings) -> None:
    if isinstance(settings.stages, str):
        return
    if not settings.stages:
        raise UsageError("stages: none is listed; right would be at least one")
    names: list[str] = []
    for stage in settings.stages:
        if not visible(stage.name) or stage.name in names:
            raise UsageError(f"stages: {clip(stage.name)!r}: each stage has a name of its own")
        if stage.kind not in (*ROOMS, QUIZ):
            KINDS.module(stage.kind)
        if stage.of and stage.of not in names:
            raise UnknownNameError(f"stage before {stage.name}", stage.of, names)
        if min(stage.workers, stage.least) < 1 or (stage.pay or 0) < 0:
            raise UsageError(f"stages.{stage.name}: workers and least are 1 or more, pay 0 or more")
        _check_source(stage)
        names.append(stage.name)


def _check_source(stage: Stage) -> None:
    """Check that a stage names the source of its items, and its criteria, bots and pre-labels."""
    sources = {
        "annotation": ("corpus", "of"),
        "adjudication": ("of",),
        "rating": ("outputs",),
        "transcription": ("of",),
    }.get(stage.kind, ())
    if sources and not any(getattr(stage, source) for source in sources):
        named = " or ".join(f"`{source}`" for source in sources)
        raise UsageError(f"stages.{stage.name}: it is not said what it is about: name {named}")
    check_prelabels(stage.prelabels)
    for what, given in (("criteria", stage.criteria), ("agents", stage.agents)):
        if not given or len(set(given)) < len(given) or not all(map(visible, given)):
            raise UsageError(f"stages.{stage.name}: {what}: each has a name of its own")


def _check_plan(plan: Sequence[int], what: str) -> None:
    """Check the numbers of user turns after which instructions come."""
    if min(plan, default=0) < 0 or any(after <= before for before, after in pairwise(plan)):
        shown = ", ".join(map(str, plan))
        raise UsageError(f"{what}: {shown}: right would be numbers of turns, each above the last")


def check_batch(name: str) -> None:
    """Raise `UsageError` if a batch's name is not printable, or has no visible character."""
    if not visible(name) or not name.isprintable():
        raise UsageError(f"batch: {clip(name)!r}: right would be a name that can be read")


def check_address(address: str, what: str) -> None:
    """Raise `UsageError`, which begins with `what`, unless an address is http(s) with a host."""
    scheme, _, rest = address.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or any(map(str.isspace, address)):
        raise UsageError(f"{what} {clip(address)!r}: an address begins with http:// or https://")


def _amounts(settings: Settings) -> Iterator[tuple[str, float]]:
    """Yield name and value of the settings that must be 0 or more."""
    yield "spare", settings.spare
    yield "reward", settings.reward or 0
    yield "renewed", settings.renewed
    yield "retention", settings.retention or 0
    yield "speech.seconds", settings.speech.seconds
    yield "speech.patience", settings.speech.patience
    groups: dict[str, Any] = {name: getattr(settings, name) for name in ("times", "pay", "quiz")}
    limits = ((f"stages.{stage.name}.limits", stage.limits) for stage in study_stages(settings))
    groups |= {name: held for name, held in limits if held is not None}
    for group, held in groups.items():
        yield from ((f"{group}.{name}", getattr(held, name)) for name in held.__struct_fields__)
