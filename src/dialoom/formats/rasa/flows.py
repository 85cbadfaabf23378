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
flow calls are its own, too; the name of the flow is left out of its slots. A truth value that is
always asked for is a confirmation: drafted flows confirm what they write, so it is left out, as are
flows without slots. Branches, jumps and actions are not read: the flow of the task is drafted.
Flows of patterns repair conversations and are no tasks.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.listing import listed
from dialoom.dialogue import Origin
from dialoom.dialogue.annotation import Value
from dialoom.errors import LeftOutWarning
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
_EMPTY, _CONFIRMED = "a flow without slots", "a confirmation"


def read(path: Path) -> dict[str, TaskSchema]:
    """Return a task for each flow of the files below a folder; empty if there are none.

    Warns of flows and slots that are left out (`LeftOutWarning`).
    """
    files = [file for file in listed(path, _FILES) if _FLOWS.search(head(file))]
    groups = {file: _flows(parsed(content(file), file)) for file in files}
    flows = {name: flow for group in groups.values() for name, flow in group.items()}
    tasks: dict[str, TaskSchema] = {}
    left: dict[str, str] = {}
    for file, group in groups.items():
        place = file.relative_to(path).as_posix() if path.is_dir() else file.name
        tasks |= _tasks(group, flows, file, place, left)
    _warn(path, left)
    return tasks


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return a task for each flow of a value; None if it has no flows."""
    flows = _flows(value)
    left: dict[str, str] = {}
    tasks = _tasks(flows, flows, file, file.name, left)
    _warn(file, left)
    return tasks or None


def _warn(path: Path, left: Mapping[str, str]) -> None:
    if left:
        summary = ", ".join(f"{name} ({kind})" for name, kind in left.items())
        warnings.warn(f"{path}: left out are {summary}", LeftOutWarning, stacklevel=3)


def _flows(value: Any) -> dict[str, Json]:
    return {
        str(name): flow
        for name, flow in at(value, dict, "flows").items()
        if isinstance(flow, dict) and isinstance(flow.get("steps"), list)
    }


def _tasks(
    group: Mapping[str, Json],
    flows: Mapping[str, Json],
    file: Path,
    place: str,
    left: dict[str, str],
) -> dict[str, TaskSchema]:
    """Return the tasks of the flows of a file; `left` gets what is left out, with its kind."""
    defined, texts = slots(file), responses(file)
    tasks = {}
    for number, (name, flow) in enumerate(group.items()):
        if name.startswith(_PATTERN):
            continue
        collected = list(_collected(flow["steps"], flows, {name}))
        prompts = {slot: step for slot, step in collected if not _confirms(step, defined.get(slot))}
        left.update((slot, _CONFIRMED) for slot, _ in collected if slot not in prompts)
        if prompts:
            inputs = [_slot(slot, step, defined, texts) for slot, step in prompts.items()]
            service = _service(name, flow, _shortened(name, inputs))
            tasks[name] = from_service(name, service, origins=(Origin(place, number),))
        else:
            left[name] = _EMPTY
    return tasks


def _confirms(step: Json, slot: Json | None) -> bool:
    return step.get("ask_before_filling") is True and at(slot, str, "type") == "bool"


def _steps(steps: Any) -> Iterator[Json]:
    for step in at(steps, list):
        if isinstance(step, dict):
            yield step
            for key in ("next", "then", "else"):
                yield from _steps(step.get(key))


def _collected(steps: Any, flows: Mapping[str, Json], past: set[str]) -> Iterator[tuple[str, Json]]:
    for step in _steps(steps):
        slot, callee = step.get("collect"), step.get("call")
        if isinstance(slot, str):
            yield slot, step
        if isinstance(callee, str) and callee in flows and callee not in past:
            past.add(callee)
            yield from _collected(flows[callee]["steps"], flows, past)


def _slot(
    name: str, step: Json, defined: Mapping[str, Json], texts: Mapping[str, str]
) -> ServiceSlot:
    slot = defined.get(name, {})
    question = texts.get(text_at(step, "utter") or f"{_UTTERS}ask_{name}")
    values: tuple[Value, ...] = ()
    if slot.get("type") == "categorical":
        values = tuple(map(str, at(slot, list, "values")))
    elif slot.get("type") == "bool":
        values = ("True", "False")
    return ServiceSlot(
        name=name,
        description=text_at(step, "description") or question,
        categorical=bool(values),
        possible_values=values,
        extra={QUESTION: question} if question else {},
    )


def _shortened(flow: str, inputs: list[ServiceSlot]) -> list[ServiceSlot]:
    """Return slots without the flow's name in front of theirs, if all have it and more."""
    front = f"{flow}_"
    if not all(slot.name.startswith(front) and slot.name != front for slot in inputs):
        return inputs
    return [replace(slot, name=slot.name.removeprefix(front)) for slot in inputs]


def _service(name: str, flow: Json, inputs: list[ServiceSlot]) -> Service:
    actions = [step.get("action") for step in _steps(flow["steps"])]
    intent = ServiceIntent(
        name=name,
        description=text_at(flow, "description"),
        transactional=any(isinstance(a, str) and not a.startswith(_UTTERS) for a in actions),
        required=tuple(slot.name for slot in inputs),
    )
    return Service(description=intent.description, slots=tuple(inputs), intents=(intent,))
