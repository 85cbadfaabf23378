"""Flows of Rasa CALM as services: the slots that a flow collects are the inputs of its call.

    flows:
      transfer_money:
        description: send money to friends
        steps:
        - collect: recipient
        - collect: confirmed
          ask_before_filling: true
        - action: execute_transfer

The project's domain gives the types of slots, and the questions for them. Slots of flows that a
flow calls are its own, too; the name of the flow is left out of its slots. A slot that is always
asked for is a confirmation: drafted flows confirm what they write, so it is left out. Branches,
jumps and actions are not read: the flow of the task is drafted. Flows of patterns repair
conversations and are no tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.listing import listed
from dialoom.dialogue import Origin
from dialoom.dialogue.annotation import Value
from dialoom.formats.base.multi_file import content, head
from dialoom.formats.base.values import Json, at, text_at
from dialoom.formats.base.yaml_file import parsed
from dialoom.formats.rasa.files import responses, slots
from dialoom.schema.service import QUESTION, Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

_FILES = re.compile(r"(?:[^/]+/){0,6}[^/]+\.ya?ml")
_FLOWS = re.compile(rb"^flows\s*:", re.MULTILINE)
_PATTERN, _UTTERS = "pattern_", "utter_"


def read(path: Path) -> dict[str, TaskSchema]:
    """Return a task for each flow of the files below a folder; empty if there are none."""
    files = [file for file in listed(path, _FILES) if _FLOWS.search(head(file))]
    named = {file: _flows(parsed(content(file), file)) for file in files}
    known = {name: flow for held in named.values() for name, flow in held.items()}
    found: dict[str, TaskSchema] = {}
    for file, held in named.items():
        place = file.relative_to(path).as_posix() if path.is_dir() else file.name
        found |= _tasks(held, known, file, place)
    return found


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return a task for each flow of a value; None if it has no flows."""
    held = _flows(value)
    return _tasks(held, held, file, file.name) or None


def _flows(value: Any) -> dict[str, Json]:
    return {
        str(name): flow
        for name, flow in at(value, dict, "flows").items()
        if isinstance(flow, dict) and isinstance(flow.get("steps"), list)
    }


def _tasks(
    held: Mapping[str, Json], known: Mapping[str, Json], file: Path, place: str
) -> dict[str, TaskSchema]:
    defined, texts = slots(file), responses(file)
    found = {}
    for number, (name, flow) in enumerate(held.items()):
        collected = dict(_collected(flow["steps"], known, {name}))
        if not name.startswith(_PATTERN) and collected:
            made = [
                _slot(slot, description, defined, texts) for slot, description in collected.items()
            ]
            service = _service(name, flow, _shortened(name, made))
            found[name] = from_service(name, service, origins=(Origin(place, number),))
    return found


def _steps(steps: Any) -> Iterator[Json]:
    for step in at(steps, list):
        if isinstance(step, dict):
            yield step
            for key in ("next", "then", "else"):
                yield from _steps(step.get(key))


def _collected(
    steps: Any, known: Mapping[str, Json], seen: set[str]
) -> Iterator[tuple[str, str | None]]:
    for step in _steps(steps):
        slot, called = step.get("collect"), step.get("call")
        if isinstance(slot, str) and step.get("ask_before_filling") is not True:
            yield slot, text_at(step, "description")
        if isinstance(called, str) and called in known and called not in seen:
            seen.add(called)
            yield from _collected(known[called]["steps"], known, seen)


def _slot(
    name: str, description: str | None, defined: Mapping[str, Json], texts: Mapping[str, str]
) -> ServiceSlot:
    slot, question = defined.get(name, {}), texts.get(f"{_UTTERS}ask_{name}")
    values: tuple[Value, ...] = ()
    if slot.get("type") == "categorical":
        values = tuple(map(str, at(slot, list, "values")))
    elif slot.get("type") == "bool":
        values = ("True", "False")
    return ServiceSlot(
        name=name,
        description=description or question,
        categorical=bool(values),
        possible_values=values,
        extra={QUESTION: question} if question else {},
    )


def _shortened(flow: str, made: list[ServiceSlot]) -> list[ServiceSlot]:
    """Return slots without the flow's name in front of theirs, if all have it and more."""
    front = f"{flow}_"
    if not all(slot.name.startswith(front) and slot.name != front for slot in made):
        return made
    return [replace(slot, name=slot.name.removeprefix(front)) for slot in made]


def _service(name: str, flow: Json, found: list[ServiceSlot]) -> Service:
    actions = [step.get("action") for step in _steps(flow["steps"])]
    intent = ServiceIntent(
        name=name,
        description=text_at(flow, "description"),
        transactional=any(isinstance(a, str) and not a.startswith(_UTTERS) for a in actions),
        required=tuple(slot.name for slot in found),
    )
    return Service(description=intent.description, slots=tuple(found), intents=(intent,))
