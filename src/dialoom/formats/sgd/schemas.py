"""SGD's schema.json: a list of services, each a task with its slots and intents.

    [{"service_name": "Cafes_1", "description": "Find a café",
      "slots": [{"name": "seats", "description": "How many", "is_categorical": true,
                 "possible_values": ["1", "2"]}],
      "intents": [{"name": "FindCafe", "description": "Look one up", "is_transactional": false,
                   "required_slots": ["seats"], "optional_slots": {}, "result_slots": ["seats"]}]}]

There is a file in the folder of each split. A service of several splits is one task with several
origins; if only the order of optional slots differs between them, the order in each file is noted.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from dialoom.corpus import listing
from dialoom.corpus.files import parse_json, write_synced
from dialoom.corpus.listing import file_or_gz, free, natural, plain, safe
from dialoom.dialogue import Origin
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.base.codec import Key, Record
from dialoom.formats.base.multi_file import content, lacking
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import (
    FLAG,
    SCALAR,
    SCALARS,
    TEXT,
    TEXTS,
    BrokenError,
    ByKey,
    Converted,
    FunctionCodec,
    Json,
    Many,
    UnfitError,
    alike,
    unfit,
)
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema

FILE = "schema.json"

_FILES = re.compile(r"(?:.*/)?schema\.json")

_SERVICES = Signs("service_name", "slots")
"""The fields of a schema.json."""

VARIANTS = "sgd_x"
"""The folder of SGD-X's schemas, in which the others' elements are renamed."""


def _name(raw: Any) -> str:
    if type(raw) is not str or not raw:
        raise unfit(raw, "a name")
    return raw


_NAME = FunctionCodec(_name)
"""A codec for texts that are not empty."""

_DESCRIPTION = Key("description", Converted(TEXT, lambda text: text, lambda text: text or ""))

_SLOT = Record(
    "a slot",
    ServiceSlot,
    Key("name", _NAME, needed=True),
    _DESCRIPTION,
    Key("is_categorical", FLAG, to="categorical", nothing=False),
    Key("possible_values", SCALARS, nothing=()),
)
_INTENT = Record(
    "an intent",
    ServiceIntent,
    Key("name", _NAME, needed=True),
    _DESCRIPTION,
    Key("is_transactional", FLAG, to="transactional", nothing=False),
    Key("required_slots", TEXTS, to="required", nothing=()),
    Key("optional_slots", ByKey(SCALAR), to="optional", nothing={}),
    Key("result_slots", TEXTS, to="results", nothing=()),
)
_SERVICE = Record(
    "the service",
    Service,
    Key("service_name", _NAME, to="name", needed=True),
    _DESCRIPTION,
    Key("slots", Many(_SLOT), nothing=(), strict=True),
    Key("intents", Many(_INTENT), nothing=(), strict=True),
)

TRAIN = "train"
"""The split whose services are read first; equal ones of other splits are joined to them."""

ORDERS = "optional_slots"
"""Key of `TaskSchema.extra` for the order of optional slots: file to intent to names."""


def read_schemas(path: Path) -> dict[str, TaskSchema]:
    """Read every schema.json in a corpus, or the one next to a file, except those of SGD-X.

    A part without one has that of the folder above it, as MultiWOZ 2.2 has one for all parts.

    Raises:
        SchemaError: One is not a list of services.
    """
    root = path if path.is_dir() else path.parent
    own = file_or_gz(root / FILE)
    files = listing.listed(root, _FILES) if path.is_dir() else [own] if own else []
    above = None if files else file_or_gz(root.resolve().parent / FILE)
    tasks: dict[str, TaskSchema] = {}
    names = {plain(file.relative_to(root).as_posix()): file for file in files}
    names |= {FILE: above} if above and lacking(above, _SERVICES) == "" else {}
    for name in sorted(names, key=lambda name: (TRAIN not in name.split("/"), natural(name))):
        if VARIANTS not in PurePosixPath(name).parts[:-1]:
            for task in read_schema_file(names[name], name):
                _join(tasks, task)
    return tasks


def read_variant(root: Path, name: str) -> dict[str, TaskSchema]:
    """Return the services of a variant of SGD-X, for the part in a folder; empty if not found.

    Args:
        root: A corpus root or one of its parts; the variants are in it or above it.
        name: The variant, such as `v1`; or a file or folder of schemas.
    """
    root = root.resolve()
    places = [Path(name)]
    for base in (root, *root.parents[:2]):
        folder = base / VARIANTS / "data" / name
        places += [folder / root.relative_to(base), folder]
    for place in places:
        if place.is_file():
            return {task.id: task for task in read_schema_file(place, FILE)}
        tasks = read_schemas(place) if place.is_dir() else {}
        if tasks:
            return tasks
    return {}


def read_schema_file(file: Path, name: str = FILE) -> list[TaskSchema]:
    """Return the services of a schema.json as tasks; `SchemaError` if it is no list of them."""
    try:
        value = parse_json(content(file), file)
    except FormatError as error:
        raise SchemaError(file, error.what, code=error.code) from error
    return _tasks(value, file, name)


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return the services of a list by id, None for no list; `SchemaError` if one is not valid."""
    if not isinstance(value, list) or not any(
        isinstance(each, dict) and "service_name" in each for each in value
    ):
        return None
    return {task.id: task for task in _tasks(value, file, FILE)}


def _tasks(value: Any, file: Path, name: str) -> list[TaskSchema]:
    if not isinstance(value, list):
        raise SchemaError(file, "not a list of services")
    return [_task(each, file, Origin(name, index)) for index, each in enumerate(value)]


def _task(value: Any, file: Path, origin: Origin) -> TaskSchema:
    try:
        if type(value) is not dict:
            raise unfit(value, "an object")
        fields, extra = _SERVICE.read_fields(value)
    except (BrokenError, UnfitError) as error:
        raise SchemaError(file, f"service {origin.index}: {error}") from error
    name = fields.pop("name")
    return from_service(name, Service(**fields, extra=extra), origins=(origin,))


def _join(tasks: dict[str, TaskSchema], task: TaskSchema) -> None:
    """Add a service: as another origin of an equal one, or under a new id."""
    original = tasks.get(task.id)
    if original is None:
        tasks[task.id] = task
        return
    file = task.origins[0].file
    homes = {origin.file for origin in original.origins}
    if file in homes or not alike(contract(original), contract(task)):
        copy = free(f"{task.id}@{PurePosixPath(file).parent.name or 'copy'}", tasks)
        tasks[copy] = replace(task, id=copy, name=task.id)
        return
    orders = _orders(task)
    extra = original.extra
    if orders != _orders(original):
        extra = extra | {ORDERS: extra.get(ORDERS, {}) | {file: orders}}
    tasks[task.id] = replace(original, origins=original.origins + task.origins, extra=extra)


def _orders(task: TaskSchema) -> dict[str, list[str]]:
    intents = contract(task).intents
    return {intent.name: list(intent.optional) for intent in intents if len(intent.optional) > 1}


def write_schemas(schemas: Mapping[str, TaskSchema], target: Path) -> None:
    """Write the files of services into a folder."""
    for name, data in schema_files(schemas).items():
        write_synced(target / name, data)


def schema_files(schemas: Mapping[str, TaskSchema]) -> dict[str, bytes]:
    """Return the files of services: those they were read from, in their order, else schema.json.

    A task without a service is written as the service derived from it (schema/services.py); one
    without calls is left out.
    """
    placed: dict[str, list[tuple[int, Json]]] = defaultdict(list)
    for task in schemas.values():
        service = _service(task)
        if not service.intents and not isinstance(task.source, Service):
            continue
        homes = (o for o in task.origins if PurePosixPath(o.file).name == FILE and safe(o.file))
        for home in list(homes) or [Origin(FILE)]:
            at = sys.maxsize if home.index is None else home.index
            placed[home.file].append((at, _entry(task, service, home.file)))
    files = {
        file: [entry for _, entry in sorted(entries, key=itemgetter(0))]
        for file, entries in placed.items()
    }
    return {file: (json.dumps(e, indent=2) + "\n").encode() for file, e in files.items()}


def _service(task: TaskSchema) -> Service:
    """Return the service that a task was read from; if it was changed, the one derived from it."""
    if isinstance(task.source, Service):
        read = from_service(task.id, task.source, language=task.language)
        if (task.slots, task.intents, task.calls) != (read.slots, read.intents, read.calls):
            return contract(replace(task, source=None))
    return contract(task)


def _entry(task: TaskSchema, service: Service, file: str) -> Json:
    copy = task.name is not None and task.id.startswith(f"{task.name}@")
    noted = task.extra.get(ORDERS)
    orders = noted.get(file) if isinstance(noted, dict) else None
    orders = orders if isinstance(orders, dict) else {}
    fields = {
        "name": task.name if copy else task.id,
        "description": service.description,
        "slots": service.slots,
        "intents": tuple(_ordered(intent, orders) for intent in service.intents),
    }
    return _SERVICE.write_fields(fields, service.extra)


def _ordered(intent: ServiceIntent, orders: Json) -> ServiceIntent:
    order = orders.get(intent.name)
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(intent.optional):
        return intent
    return replace(intent, optional={slot: intent.optional[slot] for slot in order})
