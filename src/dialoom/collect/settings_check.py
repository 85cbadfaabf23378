"""Checks the settings of a study before anything is written.

check_names({"guard": "warm"})      # unknown guard 'warm': did you mean warn? known: …
check(settings)
for mistake in file_mistakes(read_document(path)):
    print(mistake)                  # stages[1].of: unknown stage before rate: …
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from dialoom.collect.kinds.marks.annotated import PUBLISHED
from dialoom.collect.kinds.marks.prelabels import check_prelabels
from dialoom.collect.kinds.registry import KINDS
from dialoom.collect.kinds.room.questions import questions
from dialoom.collect.log.record import Outcome
from dialoom.collect.message import visible
from dialoom.collect.pictures import pictures
from dialoom.collect.quiz_check import Mistake, asks_mistakes, quiz_mistakes, spelled
from dialoom.collect.recruiters.registry import recruiter_of
from dialoom.collect.settings import NO_GOALS, QUIZ, ROOMS, Settings, Stage
from dialoom.collect.study.stages import STAR, study_stages
from dialoom.corpus.files import exists
from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError, MissingDataError, UnknownNameError, UsageError, clip
from dialoom.learn.text import encoders
from dialoom.schema.pack import resolve
from dialoom.schema.places import Document, Pointer
from dialoom.sim.stories.reading import read_story

GOLD_KINDS = ("rating", "annotation", "adjudication", "paraphrase", "transcription")
"""The kinds of work that may have items with known answers."""

ALIKE_KINDS = ("rating", "annotation", "transcription")
"""The kinds of work in which several people should come to the same result."""

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
    """Return the values that a setting's type allows (`Literal`); empty for other types."""
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


def _pointer(error: msgspec.ValidationError) -> Pointer:
    """Return the pointer in a validation error of msgspec: `$.stages[2].pay`."""
    _, _, path = str(error).rpartition("`$")
    parts = re.findall(r"\w+", path.rstrip("`"))
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def check(settings: Settings) -> None:
    """Check the values of settings; a `UsageError` has a line for each mistake."""
    if mistakes := [str(mistake) for mistake in setting_mistakes(settings)]:
        raise UsageError("\n".join(mistakes))


def file_mistakes(document: Document) -> Iterator[Mistake]:
    """Yield a settings file's mistakes: names and types first, then values, tasks and files."""
    named = document.value
    if not isinstance(named, dict):
        yield Mistake((), "right would be names with values, such as `guard: reason`")
        return
    wrong = [*name_mistakes(named), *quiz_mistakes(named)]
    yield from wrong
    if wrong:
        return
    try:
        settings = msgspec.convert({"tasks": (), **named}, Settings)
    except msgspec.ValidationError as error:
        what = readable(error)
        yield Mistake(_pointer(error), what.partition(": ")[2] or what)
        return
    yield from setting_mistakes(settings)
    yield from _source_mistakes(settings)


def name_mistakes(
    named: Mapping[str, Any], of: type[Struct] = Settings, above: Pointer = ()
) -> Iterator[Mistake]:
    """Yield the settings that have no such name, and values that are not in a setting's list."""
    kinds = get_type_hints(of)
    for name, value in named.items():
        here, group = (*above, name), _group(kinds.get(name))
        if group is None or not isinstance(value, list | Mapping):
            yield from _caught(here, check_names, {name: value}, of)
        elif isinstance(value, Mapping) and get_origin(kinds[name]) is not dict:
            yield from name_mistakes(value, group, here)
        else:
            for key, each in enumerate(value) if isinstance(value, list) else value.items():
                if isinstance(each, Mapping):
                    yield from name_mistakes(each, group, (*here, key))


def _group(kind: Any) -> type[Struct] | None:
    """Return the group of settings that a setting's type is, or may be; None for other types."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind
    return next(filter(None, map(_group, get_args(kind))), None)


def setting_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the values of settings that are out of range or do not fit the others."""
    yield from _caught(("encoder",), lambda: encoders.get(settings.encoder)())
    yield from _caught(("language",), questions, "user", (), settings.language)
    numbers: dict[Pointer, int] = {(name,): getattr(settings, name) for name in AT_LEAST_ONE}
    numbers[("suggestions",)] = min(settings.suggestions)
    if settings.budget is not None:
        numbers[("budget",)] = settings.budget
    numbers["quiz", "fewer_to_be_paid"] = settings.quiz.fewer_to_be_paid
    for pointer, number in numbers.items():
        if number < 1:
            yield Mistake(pointer, f"{number}: at least 1 is needed")
    yield from _caught(("batch",), check_batch, settings.batch)
    for pointer, amount in _amounts(settings):
        if not 0 <= amount < float("inf"):
            yield Mistake(pointer, f"{amount}: right would be 0 or more")
    if settings.story and settings.tasks:
        yield Mistake(("story",), "it names the tasks of the study; leave `tasks` out")
    yield from quiz_mistakes(msgspec.to_builtins(settings))
    for kind in ("single", "multi"):
        yield from _plan_mistakes(getattr(settings.guide, kind), ("guide", kind))
    yield from _named_mistakes(settings)
    yield from _stage_mistakes(settings)
    yield from asks_mistakes(settings)
    for pointer, address in pictures(settings):
        yield from _address(pointer, address)
    if settings.present_wizard_as == "automated" and not visible(settings.debriefing):
        why = "users who were promised a machine must learn of the person afterwards"
        yield Mistake(("present_wizard_as",), f"automated needs a `debriefing`: {why}")


def _caught(pointer: Pointer, action: Callable[..., object], *given: Any) -> Iterator[Mistake]:
    """Yield the user's mistake that an action raises."""
    try:
        action(*given)
    except (UsageError, MissingDataError, FormatError) as error:
        what = str(error)
        yield Mistake(pointer, what.removeprefix(f"{spelled(pointer)}: "))


def _named_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the mistakes in codes and addresses of outcomes, the currency, and stages' videos."""
    for outcome, code in settings.codes.items():
        if outcome not in get_args(Outcome):
            error = UnknownNameError("outcome of codes", outcome, get_args(Outcome))
            yield Mistake(("codes", outcome), str(error))
        elif not visible(code):
            yield Mistake(("codes", outcome), "there is no code")
    for outcome, address in settings.redirects.items():
        if outcome not in get_args(Outcome):
            error = UnknownNameError("outcome of redirects", outcome, get_args(Outcome))
            yield Mistake(("redirects", outcome), str(error))
        else:
            yield from _address(("redirects", outcome), address)
    if not _CURRENCY.fullmatch(settings.currency):
        what = f"{clip(settings.currency)!r}: right would be such as USD, EUR"
        yield Mistake(("currency",), what)
    yield from _caught(("recruiter",), recruiter_of, settings)
    if settings.recruiter and settings.worker_from:
        why = f"{settings.recruiter} brings the worker's id itself"
        what = f"{clip(settings.worker_from)!r}: {why}; leave it out"
        yield Mistake(("worker_from",), what)
    tutorials = [each.name for each in (*STAR, *study_stages(settings)) if each.kind == QUIZ]
    for stage, address in settings.video.items():
        if stage not in tutorials:
            error = UnknownNameError("stage of video", stage, tutorials)
            yield Mistake(("video", stage), str(error))
        else:
            yield from _address(("video", stage), address)


def _address(pointer: Pointer, address: str) -> Iterator[Mistake]:
    yield from _caught(pointer, check_address, address, f"{spelled(pointer)}:")


def _stage_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the mistakes in a list of stages."""
    if isinstance(settings.stages, str):
        return
    if not settings.stages:
        yield Mistake(("stages",), "none is listed; right would be at least one")
    names, known = list[str](), sorted((*KINDS, *ROOMS, QUIZ))
    for place, stage in enumerate(settings.stages):
        here: Pointer = ("stages", place)
        if not visible(stage.name) or stage.name in names:
            what = f"{clip(stage.name)!r}: each stage has a name of its own"
            yield Mistake((*here, "name"), what)
        if stage.kind not in known:
            error = UnknownNameError("kind of work", stage.kind, known)
            yield Mistake((*here, "kind"), str(error))
        if stage.of and stage.of not in names:
            error = UnknownNameError(f"stage before {stage.name}", stage.of, names)
            yield Mistake((*here, "of"), str(error))
        yield from _amount_mistakes(here, stage)
        yield from _gold_mistakes(here, stage)
        yield from _acceptance_mistakes(here, stage)
        yield from _content_mistakes(here, stage)
        names.append(stage.name)


def _amount_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    """Yield the mistakes in the numbers of a stage."""
    for name in ("workers", "items", "least", "minutes", "cap"):
        number = getattr(stage, name)
        if number is not None and number < 1:
            yield Mistake((*here, name), f"{number}: at least 1 is needed")
    if stage.items > 1 and stage.kind in (*ROOMS, QUIZ):
        yield Mistake((*here, "items"), "people who work alone get several items; right would be 1")
    if (stage.pay or 0) < 0:
        yield Mistake((*here, "pay"), f"{stage.pay}: right would be 0 or more")


def _gold_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    """Yield the mistakes in the rules on gold items."""
    rules = stage.gold
    if rules is None:
        return
    if stage.kind not in GOLD_KINDS:
        what = f"work of the kind {stage.kind} has no known answers; {' and '.join(GOLD_KINDS)} may"
        yield Mistake((*here, "gold"), what)
    if PUBLISHED in stage.prelabels:
        yield Mistake((*here, "prelabels"), "published marks of gold items would be their answers")
    for name in ("every", "least"):
        if getattr(rules, name) < 1:
            yield Mistake((*here, "gold", name), f"{getattr(rules, name)}: at least 1 is needed")
    for name in ("right", "warn", "refuse", "end"):
        yield from _share((*here, "gold", name), getattr(rules, name))


def _acceptance_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    """Yield the mistakes in the rules of acceptance."""
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
    if not 0 <= rules.seconds < float("inf"):
        yield Mistake((*here, "accept", "seconds"), f"{rules.seconds}: right would be 0 or more")
    for name in ("gold", "agreement", "error", "confidence"):
        yield from _share((*here, "accept", name), getattr(rules, name))


def _share(pointer: Pointer, share: float | None) -> Iterator[Mistake]:
    if share is not None and not 0 < share <= 1:
        yield Mistake(pointer, f"{share}: right would be a share above 0, at most 1")


def _content_mistakes(here: Pointer, stage: Stage) -> Iterator[Mistake]:
    """Yield the mistakes in the source of a stage's items, its criteria, bots and pre-labels."""
    sources = {
        "annotation": ("corpus", "of"),
        "adjudication": ("of",),
        "rating": ("outputs",),
        "transcription": ("of",),
    }.get(stage.kind, ())
    if sources and not any(getattr(stage, source) for source in sources):
        named = " or ".join(f"`{source}`" for source in sources)
        yield Mistake(here, f"the stage {stage.name} has no source of its items: name {named}")
    scale, graded = stage.scale, stage.kind == "rating" and stage.judge == "rate"
    if scale and (len(set(scale)) < max(len(scale), 2) or not graded):
        yield Mistake((*here, "scale"), "it has two or more different names, for grades of replies")
    yield from _caught((*here, "prelabels"), check_prelabels, stage.prelabels)
    if "relations" in stage.layers and "spans" not in stage.layers:
        yield Mistake((*here, "layers"), "relations connect spans: add the layer `spans`")
    for what in ("criteria", "agents", "relations"):
        given = getattr(stage, what)
        if not given or len(set(given)) < len(given) or not all(map(visible, given)):
            yield Mistake((*here, what), "each needs a name of its own")


def _source_mistakes(settings: Settings) -> Iterator[Mistake]:
    """Yield the tasks and the story that there are not, and the files of stages."""
    for place, task in enumerate(settings.tasks):
        yield from _caught(("tasks", place), resolve, task)
    if settings.story:
        yield from _caught(("story",), read_story, settings.story)
    stages = () if isinstance(settings.stages, str) else settings.stages
    for place, stage in enumerate(stages):
        paths: dict[Pointer, str] = {
            (name,): getattr(stage, name) for name in ("corpus", "outputs", "goals")
        }
        if stage.gold is not None:
            paths["gold", "items"] = stage.gold.items
        for names, path in paths.items():
            if path and path != NO_GOALS and not exists(Path(path)):
                what = f"{path}: no such file or folder"
                yield Mistake(("stages", place, *names), what)


def _plan_mistakes(plan: Sequence[int], pointer: Pointer) -> Iterator[Mistake]:
    """Yield a plan of user turns that is negative, or does not rise."""
    if min(plan, default=0) < 0 or any(after <= before for before, after in pairwise(plan)):
        shown = ", ".join(map(str, plan))
        what = f"{shown}: right would be numbers of turns, each above the last"
        yield Mistake(pointer, what)


def check_batch(name: str) -> None:
    """Raise `UsageError` if a batch's name is not printable, or has no visible character."""
    if not visible(name) or not name.isprintable():
        raise UsageError(f"batch: {clip(name)!r}: right would be a name that can be read")


def check_address(address: str, what: str) -> None:
    """Raise `UsageError`, which begins with `what`, unless an address is http(s) with a host."""
    scheme, _, rest = address.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/") or any(map(str.isspace, address)):
        raise UsageError(f"{what} {clip(address)!r}: an address begins with http:// or https://")


def _amounts(settings: Settings) -> Iterator[tuple[Pointer, float]]:
    """Yield pointer and value of the settings that must be 0 or more."""
    yield ("spare",), settings.spare
    yield ("reward",), settings.reward or 0
    yield ("renewed",), settings.renewed
    yield ("retention",), settings.retention or 0
    yield ("speech", "seconds"), settings.speech.seconds
    yield ("speech", "patience"), settings.speech.patience
    groups: dict[Pointer, Any] = {(name,): getattr(settings, name) for name in _AMOUNTS}
    if not isinstance(settings.stages, str):
        limits = {("stages", n, "limits"): s.limits for n, s in enumerate(settings.stages)}
        groups |= {pointer: held for pointer, held in limits.items() if held is not None}
    for pointer, group in groups.items():
        yield from (((*pointer, n), getattr(group, n)) for n in group.__struct_fields__)


_AMOUNTS = ("times", "pay", "quiz")
"""Settings that are groups of amounts."""
