"""Conversion between services (as in SGD) and tasks: a task file from a service, and the reverse.

A service has slots and intents, but no flow: the flow is derived from the intents
(service_flow.py), and the type of a slot's values from its name (service_words.py). Properties
without a key in task files (defaults of optional slots) are kept in the task's `source`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Origin
from dialoom.dialogue.event import BOOK, CHECK
from dialoom.errors import SchemaError
from dialoom.schema.call import Call, Column, Effect, Intent
from dialoom.schema.findings import hint
from dialoom.schema.service import ANYTHING, Service, ServiceIntent, ServiceSlot
from dialoom.schema.service_flow import ServiceFlow
from dialoom.schema.service_tables import ServiceParts, described
from dialoom.schema.service_words import (
    ServiceNames,
    ServiceWords,
    fill,
    snake,
    spoken_name,
)
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.reading import read_text
from dialoom.schema.yaml.rows import spell_rows
from dialoom.schema.yaml.writing import write

_Raw = dict[str, Any]

Unless = Mapping[str, str]
"""Slot to the slot that replaces it: a pizza's name determines its toppings."""

NONE: Unless = {}


def to_task(task: TaskSchema, unless: Unless = NONE) -> TaskSchema:
    """Return a task with a flow derived from its service; its id is the one in the task file.

    `unless` maps a required slot to its replacement: users give one of the two. `SchemaError` if
    no flow can be derived.
    """
    schema = read_text(task_file(task, unless), f"task {task.id}")
    return replace(schema, source=task.source, origins=task.origins)


def task_file(task: TaskSchema, unless: Unless = NONE) -> str:
    """Return the text of a task file for a service; arguments as of `to_task`.

    Raises:
        SchemaError: It has no calls.
    """
    return _written(task, to_raw(task, unless))


def task_files(task: TaskSchema, stem: str, unless: Unless = NONE) -> dict[str, str]:
    """Return the task file for a service, and files of its rows and its policy: name to text.

    Args:
        task: A task with a service.
        stem: The name of the files before the first dot.
        unless: As of `to_task`.

    Raises:
        SchemaError: It has no calls.
    """
    raw = to_raw(task, unless)
    files: dict[str, str] = {}
    for name, table in raw["tables"].items():
        if rows := table.pop("given", None):
            table["file"] = f"{stem}.{name}.csv"
            files[table["file"]] = spell_rows(list(table["columns"]), rows)
    if briefing := raw.get("briefing"):
        files[f"{stem}.policy.md"] = briefing["policy"]
        briefing["policy"] = {"file": f"{stem}.policy.md"}
    return {f"{stem}.yaml": _written(task, raw), **files}


def _written(task: TaskSchema, raw: _Raw) -> str:
    head = f"Derived from the service {task.id}: what the service lacks is drafted here and\n"
    head += "marked as drafted; `dialoom schema check` lists what a person has to write."
    return write(raw, head)


def to_raw(task: TaskSchema, unless: Unless = NONE) -> _Raw:
    """Return a task file's value, see `to_task`; `SchemaError` if an intent or slot is missing."""
    if not task.calls:
        raise SchemaError(
            f"task {task.id}", "has no service with intents to make a flow of", code="no-flow"
        )
    service = _relaxed(task, contract(task), unless)
    names, words = ServiceNames(task.id, service), ServiceWords(task.language)
    parts = ServiceParts(task, service, names, words)
    slots = parts.slots
    names.types.update({name: slots[slot]["type"] for name, slot in names.slots.items()})
    for name, other in unless.items():
        slots[names.slots[name]]["need"] = {"unless": names.slots[other]}
    flow = ServiceFlow(service, names, words)
    title = spoken_name(names.title)
    return {
        "task": snake(task.id),
        "domain": snake(names.title),
        "language": task.language,
        "description": described(service.description, title),
        **({"briefing": {"policy": policy}} if (policy := task.texts.get("policy")) else {}),
        "intents": {
            snake(names.apis[intent.name]): {
                "description": described(intent.description, spoken_name(intent.name)),
                "apis": [names.apis[intent.name]],
            }
            for intent in service.intents
        },
        "slots": slots,
        "tables": parts.tables(),
        "apis": {names.apis[intent.name]: parts.api(intent) for intent in service.intents},
        "flow": flow.nodes(),
        "questions": {
            "user": list(words.phrases.user_questions),
            "wizard": list(words.phrases.wizard_questions),
        },
        "out_of_scope": fill(words.phrases.out_of_scope, service=title),
    }


def _relaxed(task: TaskSchema, service: Service, unless: Unless) -> Service:
    names = {slot for intent in service.intents for slot in intent.inputs}
    for name in (*unless, *unless.values()):
        if name not in names:
            raise SchemaError(
                f"task {task.id}",
                f"no intent takes a slot {name!r}; {hint(name, names)}",
                code="unknown-name",
            )

    def intent(entry: ServiceIntent) -> ServiceIntent:
        moved = {name: None for name in entry.required if name in unless}
        required = tuple(name for name in entry.required if name not in unless)
        return replace(entry, required=required, optional=moved | entry.optional)

    return replace(service, intents=tuple(map(intent, service.intents)))


def from_service(
    name: str,
    service: Service,
    *,
    language: str = "en",
    origins: tuple[Origin, ...] = (),
    extra: Mapping[str, Any] | None = None,
) -> TaskSchema:
    """Return a service as a task: its slots, and an intent and a call for each of its intents.

    A service gives neither ranges nor the values of free text: types are derived from the slots'
    names, times, dates and numbers have no range, and texts have invented examples.
    """
    words = ServiceWords(language)
    drafts = build({"slots": {slot.name: words.kind(slot) for slot in service.slots}}).slots
    described = {slot.name: slot.description or "" for slot in service.slots}
    required = {slot for intent in service.intents for slot in intent.required}
    return TaskSchema(
        id=name,
        language=language,
        description=service.description or "",
        slots={
            key: replace(
                slot,
                description=described[key],
                minimum=None,
                maximum=None,
                step=1,
                optional=key not in required,
            )
            for key, slot in drafts.items()
        },
        intents={
            intent.name: Intent(
                name=intent.name, description=intent.description or "", calls=(intent.name,)
            )
            for intent in service.intents
        },
        calls={intent.name: _call(intent) for intent in service.intents},
        source=service,
        origins=origins,
        extra=dict(extra or {}),
    )


def _call(intent: ServiceIntent) -> Call:
    needed = (Column(name=name, slot=name, required=True) for name in intent.required)
    others = (Column(name=name, slot=name, default=v) for name, v in intent.optional.items())
    changes: Effect = "book" if intent.required else "insert"
    return Call(
        name=intent.name,
        effect=changes if intent.transactional else "search",
        description=intent.description,
        key=intent.required if intent.transactional else (),
        inputs=(*needed, *others),
        outputs=tuple(Column(name=name, slot=name) for name in intent.results),
    )


def contract(task: TaskSchema) -> Service:
    """Return a task's service as SGD publishes them: its own, else one derived from its calls.

    Its slots are those of the flow and the inputs and outputs of the calls, which STAR and many
    task files spell differently; calls that change the knowledge base are transactional. Optional
    inputs default to ANYTHING.
    """
    return task.source if isinstance(task.source, Service) else _of_task(task)


def _merged(slots: Iterator[ServiceSlot]) -> tuple[ServiceSlot, ...]:
    by_name: dict[str, ServiceSlot] = {}
    for slot in slots:
        earlier = by_name.get(slot.name)
        if earlier is None:
            by_name[slot.name] = slot
        elif earlier.categorical and slot.categorical:
            both = tuple(dict.fromkeys((*earlier.possible_values, *slot.possible_values)))
            by_name[slot.name] = replace(earlier, possible_values=both)
    return tuple(by_name.values())


def _of_task(task: TaskSchema) -> Service:
    def slots() -> Iterator[ServiceSlot]:
        for slot in task.slots.values():
            yield _of_slot(slot.name, slot)
        for call in task.calls.values():
            for column in (*call.inputs, *task.result_columns(call)):
                of = task.slots.get(column.slot or "")
                if of is None:
                    values = map(str, column.values) if column.type == "category" else ()
                    name = column.name
                    yield _offered(name, spoken_name(name), column.type, values)
                else:
                    yield _of_slot(column.name, of)

    def intents() -> Iterator[ServiceIntent]:
        for call in task.calls.values():
            yield ServiceIntent(
                name=call.name,
                description=task.purpose(call) or None,
                transactional=call.writes,
                required=call.required,
                optional={
                    c.name: CHECK if c.type == "request" else ANYTHING
                    for c in call.inputs
                    if not c.required
                },
                results=tuple(dict.fromkeys(c.name for c in task.result_columns(call))),
            )

    return Service(
        description=task.description or None,
        slots=_merged(slots()),
        intents=tuple(intents()),
    )


def _of_slot(name: str, slot: Slot) -> ServiceSlot:
    is_choice = slot.type in ("category", "categories")
    return _offered(name, slot.description, slot.type, slot.values if is_choice else ())


def _offered(name: str, text: str, kind: str, values: Iterable[str]) -> ServiceSlot:
    fixed = {"request": (CHECK, BOOK), "boolean": ("True", "False")}
    choices = fixed.get(kind) or tuple(values)
    return ServiceSlot(
        name=name, description=text or None, categorical=bool(choices), possible_values=choices
    )
