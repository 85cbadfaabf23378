"""From a dialogue to STAR's records, and to the bytes of a file.

The published files have one regular layout: keys sorted, two blanks of indentation, other than
ASCII escaped, no final line end. Dialogues from elsewhere get the fields the layout demands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.corpus.format import Loss
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Completion,
    Dialogue,
    Event,
    Instruction,
    Options,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Utterance,
)
from dialoom.dialogue.constraint import render
from dialoom.dialogue.views import label, selected_items
from dialoom.formats.star import raw, version6
from dialoom.formats.star.loss import lost
from dialoom.formats.star.reading import image

_ESCAPED = re.compile(r"[^\x00-\x7e]")
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,4200}")


def to_bytes(dialogue: Dialogue, number: int, loss: Loss) -> bytes:
    """Return the content of one dialogue's file.

    Args:
        dialogue: The dialogue.
        number: The id it gets if its own is not a number.
        loss: Counts, by field, what the file cannot hold; added to.
    """
    value = _merge(_record(dialogue, number, loss), dialogue.extra)
    if version6.is_version6(value):
        value = version6.unspell(value)
    text = msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2)
    return _ascii(text)


def _ascii(text: bytes) -> bytes:
    if text.isascii() and b"\x7f" not in text:
        return text
    return _ESCAPED.sub(_escape, text.decode()).encode()


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _merge(record: raw.Record, extra: dict[str, Any]) -> dict[str, Any]:
    """Return a record's own fields by their published names, with `extra` laid over them.

    Every field that is set is written: omitting defaults would drop an empty list.
    """
    value: dict[str, Any] = {}
    tag = record.__struct_config__.tag
    if tag is not None:
        value["Action"] = tag
    for field, name in zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True):
        held = getattr(record, field)
        if held is not UNSET:
            value[name] = held
    return _overlay(value, type(record), extra) if extra else value


def _overlay(
    value: dict[str, Any], record: type[raw.Record], extra: dict[str, Any]
) -> dict[str, Any]:
    """Lay over a record's fields what `extra` holds; it never replaces what the model names."""
    required = _required(record)
    for name, held in extra.items():
        if name in required:
            continue
        if name not in raw.SUPPLIED:
            value[name] = held
        elif held is None:
            value.pop(name, None)
        else:
            value[name] = held["value"] if isinstance(held, dict) and "value" in held else held
    return value


@cache
def _required(record: type[raw.Record]) -> Set[str]:
    fields = msgspec.structs.fields(record)
    return {"Action", *(field.encode_name for field in fields if field.required)}


def _record(dialogue: Dialogue, number: int, loss: Loss) -> raw.Record:
    numbered = is_number(dialogue.id)
    loss.update(lost(dialogue, number=numbered))
    scenario = dialogue.scenario or Scenario()
    version = _version(dialogue)
    conflicts: bool | UnsetType = UNSET if version <= version6.VERSION else False
    return _Loose(
        id=int(dialogue.id) if numbered else number,
        version=version,
        batch=dialogue.batch or "",
        completion="Complete" if dialogue.outcome is None else dialogue.outcome,
        scenario=_scenario(dialogue, scenario),
        events=list(_events(dialogue)),
        user_worker=dialogue.workers.get(USER, ""),
        wizard_worker=dialogue.workers.get(SYSTEM, ""),
        user_questionnaire=_answers(dialogue, USER),
        wizard_questionnaire=_answers(dialogue, SYSTEM),
        introduces_conflicts=conflicts,
    )


class _Loose(raw.Record, kw_only=True):
    """`raw.Dialogue` with its parts already laid out."""

    id: int
    version: int
    batch: str
    completion: str
    scenario: dict[str, Any]
    events: list[dict[str, Any]]
    user_worker: str
    wizard_worker: str
    user_questionnaire: list[dict[str, Any]]
    wizard_questionnaire: list[dict[str, Any]]
    introduces_conflicts: bool | UnsetType = UNSET


def _version(dialogue: Dialogue) -> int:
    version = dialogue.extra.get("FORMAT-VERSION")
    return version if isinstance(version, int) else raw.VERSION


def is_number(identifier: str) -> bool:
    """Tell whether an id is written as STAR writes its ids."""
    return _NUMBER.fullmatch(identifier) is not None


def _answers(dialogue: Dialogue, agent: str) -> list[dict[str, Any]]:
    return [
        _merge(raw.Answer(question=answer.question, answer=answer.answer), answer.extra)
        for answer in dialogue.answers
        if answer.agent == agent
    ]


def _scenario(dialogue: Dialogue, scenario: Scenario) -> dict[str, Any]:
    capabilities = [
        _merge(
            raw.Capability(task=held.task, domain=held.domain, image=image(held.task)), held.extra
        )
        for held in scenario.capabilities
    ]
    many = len(capabilities) > 1 if scenario.multi_task is None else scenario.multi_task
    value = {
        "Domains": list(scenario.domains),
        "UserTask": scenario.user_task or "",
        "WizardTask": scenario.system_task or "",
        "WizardCapabilities": capabilities,
        "Happy": scenario.happy if scenario.happy is not None else True,
        "MultiTask": many,
    }
    return _overlay(value, raw.Scenario, scenario.extra)


def _events(dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    queries = {event.id: event for event in dialogue.events if isinstance(event, Query)}
    before: Event | None = None
    for event, selected in zip(dialogue.events, selected_items(dialogue.events), strict=True):
        yield _merge(_event(event, before, selected, queries), event.extra)
        before = event


def _event(
    event: Event, before: Event | None, selected: Selected, queries: dict[str, Query]
) -> raw.AnyEvent:
    match event:
        case Utterance():
            return _utterance(event, before, selected)
        case Query():
            return raw.Query(
                agent="Wizard",
                api=event.api,
                constraints=_constraints(event),
                time=_seconds(event.time),
                **_items(selected),
            )
        case Result():
            return _result(event, queries)
        case Options():
            return raw.RequestSuggestions(
                agent="Wizard",
                text=event.text or "",
                time=_seconds(event.time),
                **_items(selected),
            )
        case Selection():
            return _selection(event, selected)
        case Instruction():
            return raw.Instruct(agent="UserGuide", text=event.text, time=_seconds(event.time))
        case Completion():
            return raw.Complete(agent="User", time=_seconds(event.time))


def _constraints(event: Query) -> list[dict[str, str]]:
    """Return one object a constraint, or as many in each as the file had while that still fits."""
    pairs = [(held.slot, render(held)) for held in event.constraints]
    sizes = event.extra.get("Constraints")
    if isinstance(sizes, list) and all(isinstance(size, int) and size >= 0 for size in sizes):
        rest = iter(pairs)
        groups = [dict(islice(rest, size)) for size in sizes]
        if sum(map(len, groups)) == len(pairs):
            return groups
    return [{slot: text} for slot, text in pairs]


def _utterance(event: Utterance, before: Event | None, selected: Selected) -> raw.AnyEvent:
    time = _seconds(event.time)
    if event.agent == USER:
        return raw.Utter(agent="User", text=event.text, time=time)
    action = label(event)
    if action is None:
        return raw.Utter(agent="Wizard", text=event.text, time=time, **_items(selected))
    shown = before.candidates if isinstance(before, Options) else ()
    return raw.PickSuggestion(
        agent="Wizard",
        text=event.text,
        label=action,
        options=[candidate.id for candidate in shown] or [action],
        time=time,
        **_items(selected),
    )


def _result(event: Result, queries: dict[str, Query]) -> raw.AnyEvent:
    query = queries.get(event.query or "")
    api = event.api or (query.api if query else "")
    return raw.ReturnItem(
        agent="KnowledgeBase",
        api=api,
        item=event.items[0] if event.items else UNSET,
        total=-1 if event.total is None else event.total,
        time=_seconds(event.time),
    )


def _selection(event: Selection, selected: Selected) -> raw.AnyEvent:
    time = _seconds(event.time)
    if event.kind == "task":
        return raw.SelectTask(agent="Wizard", task=event.task or "", time=time, **_items(selected))
    record = raw.SelectPrimary if event.kind == "primary" else raw.SelectSecondary
    return record(agent="Wizard", time=time, **_items(selected))


def _items(selected: Selected) -> dict[str, Any]:
    return {
        "primary": UNSET if selected.primary is None else selected.primary,
        "secondary": UNSET if selected.secondary is None else selected.secondary,
    }


def event_name(event: Event) -> str:
    """Name an event by the agent and action it has in a file ("Wizard pick_suggestion")."""
    record = _event(event, None, Selected(), {})
    return f"{record.agent} {record.__struct_config__.tag}"


def _seconds(time: int | None) -> int | UnsetType:
    return UNSET if time is None else time // 1000
