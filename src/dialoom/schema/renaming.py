"""Renames the elements of a service or a task file, with all references to them.

In a service the slots and intents are renamed and the descriptions reworded; in a task file the
slots, the APIs with their inputs, outputs and columns, and the intents. Its nodes, which are the
labels of actions, stay, and so do its texts apart from their placeholders.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dialoom.schema.rewording import reword, reword_text
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.schema.variants import Names
from dialoom.schema.yaml.grammar import TASK_FILE

_Raw = dict[str, Any]


def vary_service(
    task: TaskSchema, service: Service, distance: float, seed: int
) -> tuple[TaskSchema, Names]:
    """Return a service's task under other names, with `Names`.

    The new id has the seed. `distance` is the mean distance of slots and intents, 0 to 1
    (rewording.py), and the share of replaced words in descriptions. `UsageError` for others,
    `UnknownNameError` for languages without synonyms.
    """
    own, language = f"{seed} {task.id}", task.language
    names = [slot.name for slot in service.slots] + [each.name for each in service.intents]
    new = reword(names, distance, own, language=language)
    slots = {slot.name: new[slot.name] for slot in service.slots}
    intents = {intent.name: new[intent.name] for intent in service.intents}

    def described(text: str | None, place: str) -> str | None:
        if text is None:
            return None
        return reword_text(text, distance, f"{own} {place}", language=language)

    def slot(element: ServiceSlot) -> ServiceSlot:
        text = described(element.description, element.name)
        return replace(element, name=slots[element.name], description=text)

    def intent(element: ServiceIntent) -> ServiceIntent:
        return replace(
            element,
            name=intents[element.name],
            description=described(element.description, element.name),
            required=tuple(slots.get(name, name) for name in element.required),
            optional={slots.get(name, name): value for name, value in element.optional.items()},
            results=tuple(slots.get(name, name) for name in element.results),
        )

    variant = replace(
        service,
        description=described(service.description, ""),
        slots=tuple(map(slot, service.slots)),
        intents=tuple(map(intent, service.intents)),
    )
    name = f"{task.id}x{seed}"
    varied = from_service(name, variant, language=language, origins=task.origins)
    return varied, Names(name, slots, intents)


def vary_file(value: _Raw, distance: float, seed: int) -> tuple[_Raw, dict[str, str]]:
    """Return a valid task file's value under other names, and old name to new.

    `distance` is the names' mean distance, 0 to 1 (rewording.py). `UsageError` for others,
    `UnknownNameError` for languages without synonyms.
    """
    slots, intents = _keys(value, "slots"), _keys(value, "intents")
    tables, apis = value.get("tables") or {}, value.get("apis") or {}
    columns = [name for table in tables.values() for name in table["columns"]]
    for api in apis.values():
        columns += [name for key in ("inputs", "outputs") for name in api.get(key) or ()]
    plain = {*slots, *intents}
    names = reword(
        [*slots, *intents, *apis, *columns],
        distance,
        f"{seed} {value['task']}",
        language=value["language"],
        plain=plain,
    )
    variant: _Raw = TASK_FILE.renamed(value, lambda name: names.get(name, name))
    return variant | {"task": f"{value['task']}_x{seed}", "aliases": []}, names


def _keys(value: _Raw, key: str) -> list[str]:
    return list(value.get(key) or ())
