"""Converts a dialogue to STAR's records, and these to the bytes of a file.

The published files have one regular layout: keys sorted, two blanks of indentation, non-ASCII
letters escaped, no line break at the end. Dialogues of other formats get the fields that the layout
requires, empty or null for facts that they do not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

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
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import NOTHING, label, selected_items
from dialoom.formats.base.json_file import escape
from dialoom.formats.star import raw, version6
from dialoom.formats.star.reading import image, level

_ENCODER = msgspec.json.Encoder(order="sorted")
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,4200}")

Time = int | UnsetType
"""A time in seconds."""

Items = dict[str, Any]
"""The items that the wizard sees, as fields of a record."""


def to_bytes(dialogue: Dialogue, number: int) -> bytes:
    """Return a dialogue's file; `number` is its id if it has another kind of id."""
    record = _record(dialogue, number)
    text = _ENCODER.encode(_merge(record, dialogue.extra))
    if record.version <= version6.VERSION:
        text = _ENCODER.encode(version6.unspell(msgspec.json.decode(text)))
    return escape(msgspec.json.format(text, indent=2))


def _merge(record: raw.Record, extra: dict[str, Any]) -> Any:
    if not extra:
        return record
    value = {} if record.__struct_config__.tag is None else {"Action": record.__struct_config__.tag}
    for field, name in zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True):
        entry = getattr(record, field)
        if entry is not UNSET:
            value[name] = entry
    return _overlay(value, type(record), extra)


def _overlay(
    value: dict[str, Any], record: type[raw.Record], extra: dict[str, Any]
) -> dict[str, Any]:
    """Return an object with the keys of `extra`, except those that are fields of the model."""
    required = _required(record)
    for name, entry in extra.items():
        if name in required:
            continue
        if name not in raw.SUPPLIED:
            value[name] = entry
        elif entry is None:
            value.pop(name, None)
        else:
            value[name] = entry["value"] if isinstance(entry, dict) and "value" in entry else entry
    return value


@cache
def _required(record: type[raw.Record]) -> Set[str]:
    fields = msgspec.structs.fields(record)
    return {"Action", *(field.encode_name for field in fields if field.required)}


def _record(dialogue: Dialogue, number: int) -> raw.Dialogue:
    numbered = _NUMBER.fullmatch(dialogue.id) is not None
    scenario = dialogue.scenario or Scenario()
    noted = dialogue.extra.get("FORMAT-VERSION")
    version = noted if isinstance(noted, int) else raw.VERSION
    conflicts: bool | UnsetType = UNSET if version <= version6.VERSION else False
    return raw.Dialogue(
        id=int(dialogue.id) if numbered else number,
        version=version,
        batch=dialogue.batch or "",
        completion=level(dialogue.events) if dialogue.outcome is None else dialogue.outcome,
        scenario=_scenario(dialogue, scenario),
        events=list(_events(dialogue)),
        user_worker=dialogue.workers.get(USER, ""),
        wizard_worker=dialogue.workers.get(SYSTEM, ""),
        user_questionnaire=_answers(dialogue, USER),
        wizard_questionnaire=_answers(dialogue, SYSTEM),
        introduces_conflicts=conflicts,
    )


def _answers(dialogue: Dialogue, agent: str) -> Any:
    return [
        _merge(raw.Answer(question=answer.question, answer=answer.answer), answer.extra)
        for answer in dialogue.answers
        if answer.agent == agent
    ]


def _scenario(dialogue: Dialogue, scenario: Scenario) -> Any:
    capabilities = [
        _merge(
            raw.Capability(task=part.task, domain=part.domain, image=image(part.task)), part.extra
        )
        for part in scenario.capabilities
    ]
    services, many = dialogue.services, scenario.multi_task
    value = {
        "Domains": list(scenario.domains),
        "UserTask": scenario.user_task or "",
        "WizardTask": scenario.system_task or "",
        "WizardCapabilities": capabilities,
        "Happy": scenario.happy,
        "MultiTask": len(services) > 1 if many is None and services else many,
    }
    return _overlay(value, raw.Scenario, scenario.extra)


def _events(dialogue: Dialogue) -> Iterator[Any]:
    queries = {event.id: event for event in dialogue.events if isinstance(event, Query)}
    before: Event | None = None
    items, choice = _items(NOTHING), NOTHING
    for event, selected in zip(dialogue.events, selected_items(dialogue.events), strict=True):
        if selected is not choice:  # encoded once for all events in which the wizard sees them
            items, choice = _items(selected), selected
        yield _merge(_event(event, before, items, queries), event.extra)
        before = event


def _event(
    event: Event, before: Event | None, items: Items, queries: dict[str, Query]
) -> raw.AnyEvent:
    time = UNSET if event.time is None else event.time // 1000
    match event:
        case Utterance():
            return _utterance(event, before, time, items)
        case Options():
            text = event.text or ""
            return raw.RequestSuggestions(agent="Wizard", text=text, time=time, **items)
        case Query():
            groups = _constraints(event)
            return raw.Query(agent="Wizard", api=event.api, constraints=groups, time=time, **items)
        case Result():
            return _result(event, time, queries)
        case Selection():
            return _selection(event, time, items)
        case Instruction():
            return raw.Instruct(agent="UserGuide", text=event.text, time=time)
        case Completion():
            return raw.Complete(agent="User", time=time)


def _constraints(event: Query) -> list[dict[str, str]]:
    """Return one object for each constraint, or the file's grouping if it still fits."""
    pairs = [(constraint.slot, render(constraint)) for constraint in event.constraints]
    sizes = event.extra.get("Constraints")
    if isinstance(sizes, list) and all(isinstance(size, int) and size >= 0 for size in sizes):
        rest = iter(pairs)
        groups = [dict(islice(rest, size)) for size in sizes]
        if sum(map(len, groups)) == len(pairs):
            return groups
    return [{slot: text} for slot, text in pairs]


def _utterance(event: Utterance, before: Event | None, time: Time, items: Items) -> raw.AnyEvent:
    if event.agent == USER:
        return raw.Utter(agent="User", text=event.text, time=time)
    action = label(event)
    if action is None:
        return raw.Utter(agent="Wizard", text=event.text, time=time, **items)
    choices = before.candidates if isinstance(before, Options) else ()
    return raw.PickSuggestion(
        agent="Wizard",
        text=event.text,
        label=action,
        options=msgspec.Raw(_ENCODER.encode([each.id for each in choices] or [action])),
        time=time,
        **items,
    )


def _result(event: Result, time: Time, queries: dict[str, Query]) -> raw.AnyEvent:
    query = queries.get(event.query or "")
    supplied = query.api if query else ""
    api = supplied if event.api is None else event.api
    return raw.ReturnItem(
        agent="KnowledgeBase",
        api=api,
        item=_spell(event.items[0] if event.items else None),
        total=-1 if event.total is None else event.total,
        time=time,
    )


def _selection(event: Selection, time: Time, items: Items) -> raw.AnyEvent:
    if event.kind == "task":
        return raw.SelectTask(agent="Wizard", task=event.task or "", time=time, **items)
    record = raw.SelectPrimary if event.kind == "primary" else raw.SelectSecondary
    return record(agent="Wizard", time=time, **items)


def _items(selected: Selected) -> Items:
    return {"primary": _spell(selected.primary), "secondary": _spell(selected.secondary)}


def _spell(item: Item | None) -> raw.Spelled:
    return UNSET if item is None else msgspec.Raw(_ENCODER.encode(item))


def event_name(event: Event) -> str:
    """Return an event's agent and action as in a file ("Wizard pick_suggestion")."""
    record = _event(event, None, _items(NOTHING), {})
    return f"{record.agent} {record.__struct_config__.tag}"
