"""Checks the settings of a study before anything is written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from itertools import pairwise
from operator import getitem
from pathlib import Path
from typing import get_args

import msgspec
from msgspec.structs import asdict

from dialoom.collect.kinds.marks.annotated import PUBLISHED
from dialoom.collect.kinds.marks.prelabels import check_prelabels
from dialoom.collect.kinds.registry import KINDS, unfit_source
from dialoom.collect.kinds.room.questions import questions
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import Outcome
from dialoom.collect.message import visible
from dialoom.collect.quiz_check import asks_mistakes, quiz_mistakes
from dialoom.collect.recruiters.recruiter import recruiter_of
from dialoom.collect.settings import NO_GOALS, QUIZ, ROOMS, Settings, Stage
from dialoom.collect.settings_types import Mistake, caught, mistake_of, spelled, type_mistakes
from dialoom.collect.start_check import start_mistakes
from dialoom.collect.study.stages import STAR, scenario_groups, study_stages
from dialoom.corpus.files import exists
from dialoom.errors import UsageError, check_name, clip
from dialoom.learn.text import encoders
from dialoom.schema.places import Document, Pointer
from dialoom.sim.stories.reading import read_story

GOLD_KINDS = ("rating", "annotation", "adjudication", "paraphrase", "transcription")
"""The kinds of work that may have items with known answers."""

ALIKE_KINDS = ("rating", "annotation", "transcription")
"""The kinds of work in which several people should come to the same result."""

LONGEST_NAME = 64
"""The most characters of the name of a stage, and of a worker's id."""

CURRENCIES = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT
MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
"""
"""The codes of currencies with cents (ISO 4217, 2025)."""

_COUNTRY = re.compile("[A-Za-z]{2}")


def check(settings: Settings) -> None:
    """Check the values of settings; a `UsageError` has a line for each mistake."""
    if mistakes := [str(mistake) for mistake in setting_mistakes(settings)]:
        raise UsageError("\n".join(mistakes))


def file_mistakes(document: Document, *, whole: bool = True) -> Iterator[Mistake]:
    """Yield a settings file's mistakes: names and types first, then values, tasks and files.

    Settings of a wrong name or type count as left out in the others.

    Args:
        whole: Whether the file has all settings of a new study; then, if nothing else is wrong,
            what starting it refuses is yielded.
    """
    values = document.value
    if not isinstance(values, dict):
        yield Mistake((), "right would be names with values, such as `guard: reason`")
        return
    wrong = list(type_mistakes(values))
    yield from wrong
    values = deepcopy(values)
    for mistake in wrong:
        *above, name = mistake.pointer
        holder = reduce(getitem, above, values)
        if isinstance(holder, dict):
            holder.pop(name, None)
    with suppress(msgspec.ValidationError):  # no more is said until its types are right
        settings = msgspec.convert(values, Settings)
        mistakes = [*setting_mistakes(settings), *_source_mistakes(settings)]
        yield from mistakes
        if whole and not (wrong or mistakes):
            yield from start_mistakes(settings)


def setting_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the values of settings that are out of range or do not fit the others."""
    yield from type_mistakes(msgspec.to_builtins(settings))
    yield from caught(("encoder",), lambda: encoders.get(settings.encoder)())
    yield from caught(("language",), questions, "user", (), settings.language)
    yield from caught(("batch",), check_batch, settings.batch)
    if settings.story and settings.tasks:
        yield Mistake(("story",), "it names the tasks of the study; leave `tasks` out")
    yield from quiz_mistakes(settings)
    for kind, plan in asdict(settings.guide).items():
        if min(plan, default=0) < 0 or any(after <= before for before, after in pairwise(plan)):
            what = "right would be numbers of turns, each above the last"
            yield Mistake(("guide", kind), f"{', '.join(map(str, plan))}: {what}")
    times = settings.times
    if times.idle_warning > times.idle:
        what = f"{times.idle_warning:g}: right would be at most `idle`, {times.idle:g}"
        yield Mistake(("times", "idle_warning"), what)
    yield from _named_mistakes(settings)
    yield from _stage_mistakes(settings)
    yield from asks_mistakes(settings)
    for pointer, address in pictures(settings):
        yield from _address(pointer, address)
    if settings.present_wizard_as == "automated" and not visible(settings.debriefing):
        why = "users who were promised a machine must learn of the person afterwards"
        yield Mistake(("present_wizard_as",), f"automated needs a `debriefing`: {why}")


def _named_mistakes(settings: Settings) -> Iterator[Mistake]:
    yield from _outcome_mistakes(settings)
    if settings.currency not in CURRENCIES.split():
        what = f"{clip(settings.currency)!r}: right would be one with cents, such as USD, EUR"
        yield Mistake(("currency",), what)
    if settings.country is not None and not _COUNTRY.fullmatch(settings.country):
        what = f"{clip(settings.country)!r}: right would be a code of two letters, such as US, DE"
        yield Mistake(("country",), what)
    yield from _worker_mistakes(("wizards",), settings.wizards)
    yield from _recruiter_mistakes(settings)
    if settings.recruiter and settings.worker_from:
        why = f"{settings.recruiter} brings the worker's id itself"
        what = f"{clip(settings.worker_from)!r}: {why}; leave it out"
        yield Mistake(("worker_from",), what)
    tutorials = [each.name for each in (*STAR, *study_stages(settings)) if each.kind == QUIZ]
    yield from _addresses("video", "stage of video", settings.video, tutorials)


def _recruiter_mistakes(settings: Settings) -> Iterator[Mistake]:
    try:
        recruiter = recruiter_of(settings)
    except UsageError as error:
        yield mistake_of(("recruiter",), error)
        return
    if recruiter is not None and recruiter.currency not in ("", settings.currency):
        what = f"{clip(settings.currency)!r}: {settings.recruiter} pays in {recruiter.currency}"
        yield Mistake(("currency",), what)


def _outcome_mistakes(settings: Settings) -> Iterator[Mistake]:
    outcomes = get_args(Outcome)
    for outcome, code in settings.codes.items():
        if outcome not in outcomes:
            yield from caught(("codes", outcome), check_name, "outcome of codes", outcome, outcomes)
        elif not visible(code):
            yield Mistake(("codes", outcome), "there is no code")
    yield from _addresses("redirects", "outcome of redirects", settings.redirects, outcomes)


def _worker_mistakes(pointer: Pointer, workers: Iterable[str]) -> Iterator[Mistake]:
    for place, worker in enumerate(workers):
        yield from _name_mistakes((*pointer, place), worker)


def _name_mistakes(pointer: Pointer, name: str) -> Iterator[Mistake]:
    if not visible(name) or not name.isprintable() or len(name) > LONGEST_NAME:
        what = f"right would be 1 to {LONGEST_NAME} printable characters"
        yield Mistake(pointer, f"{clip(name)!r}: {what}")


def _address(pointer: Pointer, address: str) -> Iterator[Mistake]:
    yield from caught(pointer, check_address, address, f"{spelled(pointer)}:")


def _addresses(
    setting: str, what: str, addresses: Mapping[str, str], names: Collection[str]
) -> Iterator[Mistake]:
    for name, address in addresses.items():
        if name in names:
            yield from _address((setting, name), address)
        else:
            yield from caught((setting, name), check_name, what, name, names)


def _stage_mistakes(settings: Settings) -> Iterator[Mistake]:
    if settings.stages == ():
        yield Mistake(("stages",), "none is listed; right would be at least one")
    before, kinds = dict[str, Stage](), sorted((*KINDS, *ROOMS, QUIZ))
    for place, stage in enumerate(settings.stage_list):
        here: Pointer = ("stages", place)
        yield from _name_mistakes((*here, "name"), stage.name)
        if stage.name in before:
            what = f"{clip(stage.name)!r}: each stage has a name of its own"
            yield Mistake((*here, "name"), what)
        yield from _worker_mistakes((*here, "only"), stage.only)
        yield from caught((*here, "kind"), check_name, "kind of work", stage.kind, kinds)
        if stage.of:
            what = f"stage before {stage.name}"
            yield from caught((*here, "of"), check_name, what, stage.of, before)
            if stage.of in before and (right := unfit_source(stage.kind, before[stage.of])):
                yield Mistake((*here, "of"), f"{clip(stage.of)!r}: right would be {right}")
        if stage.items > 1 and stage.kind in (*ROOMS, QUIZ):
            what = "people who work alone get several items; right would be 1"
            yield Mistake((*here, "items"), what)
        if stage.gate == "quiz" and (not place or settings.stage_list[place - 1].kind != QUIZ):
            what = "no quiz comes right before the stage; right would be one, or another gate"
            yield Mistake((*here, "gate"), what)
        yield from _group_mistakes(here, stage, settings)
        yield from _gold_mistakes(here, stage)
        yield from _acceptance_mistakes(here, stage)
        yield from _content_mistakes(here, stage)
        before[stage.name] = stage
    if len({stage.goals for stage in settings.stage_list if stage.kind == "bot"}) > 1:
        yield Mistake(("stages",), "all talks with bots have the same `goals`")


def _group_mistakes(here: Pointer, stage: Stage, settings: Settings) -> Iterator[Mistake]:
    groups = scenario_groups(settings) if stage.kind in (*ROOMS, QUIZ) else ()
    if stage.groups and not {*stage.groups} & {*groups}:
        right = " or ".join(groups) or "to leave it out"
        what = f"the stage has no items of {', '.join(stage.groups)}; right would be {right}"
        yield Mistake((*here, "groups"), what)


def _gold_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    rules = stage.gold
    if rules is None:
        return
    if stage.kind not in GOLD_KINDS:
        what = f"work of the kind {stage.kind} has no known answers; {' and '.join(GOLD_KINDS)} may"
        yield Mistake((*here, "gold"), what)
    elif stage.kind == "annotation" and not stage.layers:
        what = "known answers are marks, and without `layers` nothing is marked"
        yield Mistake((*here, "gold"), what)
    if PUBLISHED in stage.prelabels:
        yield Mistake((*here, "prelabels"), "published marks of gold items would be their answers")


def _acceptance_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    rules = stage.accept
    if rules is None:
        return
    if stage.kind in (*ROOMS, QUIZ):
        yield Mistake((*here, "accept"), "the rules are for people who work alone; leave it out")
    if rules.gold is not None and stage.gold is None:
        yield Mistake((*here, "accept", "gold"), "the stage has no `gold` items")
    if rules.agreement is not None and (stage.kind not in ALIKE_KINDS or stage.workers < 2):
        what = f"it takes 2 or more `workers`, and work of {' or '.join(ALIKE_KINDS)}"
        yield Mistake((*here, "accept", "agreement"), what)


def _content_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    sources = {
        "annotation": ("corpus", "of"),
        "adjudication": ("of",),
        "rating": ("outputs",),
        "transcription": ("of",),
    }.get(stage.kind, ())
    if sources and not any(getattr(stage, source) for source in sources):
        options = " or ".join(f"`{source}`" for source in sources)
        yield Mistake(here, f"the stage {stage.name} has no source of its items: name {options}")
    scale, graded = stage.scale, stage.kind == "rating" and stage.judge == "rate"
    if scale and (len(set(scale)) < max(len(scale), 2) or not graded):
        yield Mistake((*here, "scale"), "it has two or more different names, for grades of replies")
    yield from caught((*here, "prelabels"), check_prelabels, stage.prelabels)
    if "relations" in stage.layers and "spans" not in stage.layers:
        yield Mistake((*here, "layers"), "relations connect spans: add the layer `spans`")
    for what in ("criteria", "agents", "relations"):
        names = getattr(stage, what)
        if not names or len(set(names)) < len(names) or not all(map(visible, names)):
            yield Mistake((*here, what), "each needs a name of its own")


def _source_mistakes(settings: Settings) -> Iterator[Mistake]:
    for place, task in enumerate(settings.tasks):
        yield from caught(("tasks", place), ScenarioLibrary, Settings(tasks=(task,)))
    if settings.story:
        yield from caught(("story",), read_story, settings.story)
    for place, stage in enumerate(settings.stage_list):
        paths: dict[Pointer, str] = {
            (name,): getattr(stage, name) for name in ("corpus", "outputs", "goals")
        }
        if stage.gold is not None:
            paths["gold", "items"] = stage.gold.items
        for names, path in paths.items():
            if path and path != NO_GOALS and not exists(Path(path)):
                what = f"{path}: no such file or folder"
                yield Mistake(("stages", place, *names), what)


def check_batch(name: str) -> None:
    """Raise `UsageError` if a batch's name is not printable, or has no visible character."""
    if not visible(name) or not name.isprintable():
        raise UsageError(
            f"batch: {clip(name)!r}: right would be a name that can be read", code="wrong-value"
        )


def check_address(address: str, what: str) -> None:
    """Raise `UsageError`, which begins with `what`, unless an address is http(s) with a host."""
    scheme, _, rest = address.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or any(map(str.isspace, address)):
        raise UsageError(
            f"{what} {clip(address)!r}: an address begins with http:// or https://",
            code="no-address",
        )


_PICTURE = re.compile(r"^!\[[^\]\n]*\]\((\S+)\)[ \t]*$", re.MULTILINE)


def pictures(settings: Settings) -> Iterator[tuple[Pointer, str]]:
    """Yield the place and address of each picture in guidelines: a line `![words](https://…)`."""
    texts: list[tuple[Pointer, str]] = [
        (("stages", number, "guidelines"), stage.guidelines)
        for number, stage in enumerate(settings.stage_list)
    ]
    for language, own in settings.translations.items():
        for name, quiz in own.quizzes.items():
            place = ("translations", language, "quizzes", name, "guidelines")
            texts.append((place, quiz.guidelines))
    for pointer, text in texts:
        for address in _PICTURE.findall(text):
            yield pointer, address
