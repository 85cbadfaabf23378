"""Taskmaster-1's ontology: a vertical with required and optional arguments becomes a task.

    "pizza": {
      "id": "pizza_ordering",
      "vertical": "pizza_order",
      "required": ["name.store", "name.pizza"],
      "optional": ["type.crust"]
    }

The id is the task's; the arguments are the slots of its service and the inputs of its only intent,
which has the vertical's name. Whether an argument is required is read from the file, not from the
README. Values come back, but not all bytes: the published file is wrapped by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json, write_synced
from dialoom.corpus.listing import file_or_gz
from dialoom.dialogue import Origin
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.base.codec import Key, Place, Record, marked, marks
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import TEXT, TEXTS, Json
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema

FILE = "ontology.json"
KEY = "key"
WIDTH = 88

_VERTICAL = Record(
    "vertical",
    TaskSchema,
    Key("id", TEXT, needed=True),
    Key("vertical", TEXT),
    Key("required", TEXTS, nothing=(), strict=True),
    Key("optional", TEXTS, nothing=(), strict=True),
)


def read(path: Path) -> dict[str, TaskSchema]:
    """Read the ontology in the folder `path`, or next to the file `path`; empty if there is none.

    Files of this name that other corpora have, such as MultiWOZ, hold no vertical.

    Raises:
        SchemaError: It is not an ontology.
    """
    file = file_or_gz((path if path.is_dir() else path.parent) / FILE)
    if file is None:
        return {}
    try:
        raw = parse_json(content(file), file)
        return {} if _is_foreign(raw) else tasks(raw, file)
    except SchemaError:
        raise
    except FormatError as error:
        raise SchemaError(file, error.what, code=error.code) from error


def _is_foreign(raw: Any) -> bool:
    """True if an ontology has lists or objects of slots alone, none of them a vertical."""
    body = list(raw.values()) if isinstance(raw, dict) else []
    verticals = (isinstance(each, dict) and _VERTICAL.names.keys() & each for each in body)
    return bool(body) and all(isinstance(each, list | dict) for each in body) and not any(verticals)


def tasks(raw: Any, file: Path) -> dict[str, TaskSchema]:
    """Return an ontology's tasks by id; `FormatError` if it is none, or two share an id."""
    if type(raw) is not dict:
        raise SchemaError(file, "expected an object with a vertical under each key")
    schemas: dict[str, TaskSchema] = {}
    for index, (key, vertical) in enumerate(raw.items()):
        task = _task(key, vertical, Place(file), index)
        if task.id in schemas:
            raise SchemaError(file, f"two verticals have the id {task.id!r}", code="twice")
        schemas[task.id] = task
    return schemas


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return a value's tasks by id, None if no ontology; `FormatError` for a wrong vertical."""
    verticals = value.values() if isinstance(value, dict) else ()
    lists = ("required", "optional")
    checks = (isinstance(each, dict) and any(name in each for name in lists) for each in verticals)
    if not any(checks):
        return None
    if not any("id" in each for each in verticals):  # Taskmaster-3's entities.json has keys alone
        value = {key: {"id": key} | each for key, each in value.items()}
    return tasks(value, file)


def _task(key: str, raw: Any, place: Place, index: int) -> TaskSchema:
    fields, extra = _VERTICAL.load_fields(raw, place, f"vertical {key!r}")
    name, vertical = fields["id"], fields["vertical"]
    required, optional = fields["required"], fields["optional"]
    for names in (required, optional):
        if len(set(names)) != len(names):
            raise place.error(f"vertical {key!r}: {names!r} is no list of different names")
    intent = ServiceIntent(
        name=vertical if vertical is not None else name,
        transactional=True,
        required=required,
        optional=dict.fromkeys(optional),
    )
    slots = tuple(ServiceSlot(name=slot) for slot in dict.fromkeys((*required, *optional)))
    return from_service(
        name,
        Service(slots=slots, intents=(intent,)),
        origins=(Origin(FILE, index),),
        extra=extra if key == name else marked(extra, **{KEY: key}),
    )


def to_json(schemas: Mapping[str, TaskSchema]) -> Json:
    """Return the ontology of these tasks: those with a service, in the order of the file."""
    raw: Json = {}
    for task in sorted(schemas.values(), key=_position):
        if not task.is_service:
            continue
        marked = marks(task.extra).get(KEY)
        key = marked if isinstance(marked, str) and marked not in raw else task.id
        while key in raw:
            key += "_"
        raw[key] = _vertical(task, contract(task))
    return raw


def _position(task: TaskSchema) -> int:
    places = [o.index for o in task.origins if o.file == FILE and o.index is not None]
    return places[0] if places else len(task.origins) + 10**6


def _vertical(task: TaskSchema, service: Service) -> Json:
    """Return a vertical: slots that any intent requires are required, all others optional."""
    required = list(dict.fromkeys(n for intent in service.intents for n in intent.required))
    options = [n for intent in service.intents for n in intent.optional]
    others = dict.fromkeys((*options, *(slot.name for slot in service.slots)))
    name = service.intents[0].name if len(service.intents) == 1 else task.id
    fields = {
        "id": task.id,
        "vertical": None if name == task.id and task.extra.get("vertical", 0) is None else name,
        "required": tuple(required),
        "optional": tuple(name for name in others if name not in required),
    }
    return _VERTICAL.write_fields(fields, task.extra)


def write(schemas: Mapping[str, TaskSchema], target: Path) -> None:
    """Write the ontology into a folder, if any task has a service."""
    raw = to_json(schemas)
    if raw:
        write_synced(target / FILE, render(raw))


def render(raw: Json) -> bytes:
    """Return the file of an ontology; lists are on one line if it has at most WIDTH characters."""
    blocks = [f"  {_text(key)}: {{\n{_fields(fields)}\n  }}" for key, fields in raw.items()]
    return ("{\n" + ",\n".join(blocks) + "\n}\n").encode()


def _fields(fields: Json) -> str:
    lines = []
    for key, value in fields.items():
        line = f"    {_text(key)}: {_text(value)}"
        if len(line) >= WIDTH and isinstance(value, list) and value:
            entries = ",\n".join(f"      {_text(entry)}" for entry in value)
            line = f"    {_text(key)}: [\n{entries}\n    ]"
        lines.append(line)
    return ",\n".join(lines)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
