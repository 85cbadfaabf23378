"""The unified format's ontology: the slots of each domain, as a service without intents.

    {"domains": {"ferry": {"description": "find a ferry", "slots": {
       "port": {"description": "where to", "is_categorical": false, "possible_values": []}}}},
     "intents": {"inform": {"description": "…"}}, "state": {"ferry": {"port": ""}},
     "dialogue_acts": {"categorical": […], "non-categorical": […], "binary": […]}}

Descriptions of intents and the list of acts, which say what the dialogues have, are not read. A
written ontology has the domains, and the slots of a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json, write_synced
from dialoom.corpus.listing import first_listed
from dialoom.dialogue import Origin
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.base.json_file import spell
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import SCALAR, Json, at, text_at
from dialoom.formats.convlab.dialogues import KINDS, STATE
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema

FILE = "ontology.json"
DOMAINS, SLOTS, DESCRIPTION = "domains", "slots", "description"
CATEGORICAL, VALUES = "is_categorical", "possible_values"
_FILES = re.compile(r"(?:[^/]+/){0,3}ontology\.json")


def read(path: Path) -> dict[str, TaskSchema]:
    """Read the ontology in a corpus or next to a file, if any; `SchemaError` if it is not JSON."""
    root = path if path.is_dir() else path.parent
    file = first_listed(root, _FILES)
    if file is None:
        return {}
    try:
        value = parse_json(content(file), file)
    except FormatError as error:
        raise SchemaError(file, error.what, code="not-json") from error
    return schemas_of(value, file) or {}


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return the domains of an ontology as tasks by id; None if it is none."""
    domains = at(value, dict).get(DOMAINS)
    if not isinstance(domains, dict) or STATE not in value:
        return None
    return {
        name: from_service(name, _service(domain), origins=(Origin(FILE, index),))
        for index, (name, domain) in enumerate(domains.items())
        if isinstance(domain, dict) and name
    }


def _service(domain: Json) -> Service:
    slots = tuple(_slots(at(domain, dict, SLOTS)))
    return Service(description=text_at(domain, DESCRIPTION), slots=slots)


def _slots(slots: Json) -> Iterator[ServiceSlot]:
    for name, raw in slots.items():
        if isinstance(raw, dict) and name:
            values = (each for each in at(raw, list, VALUES) if type(each) in SCALAR.types)
            yield ServiceSlot(
                name=name,
                description=text_at(raw, DESCRIPTION),
                categorical=raw.get(CATEGORICAL) is True,
                possible_values=tuple(values),
            )


def write(schemas: Mapping[str, TaskSchema], target: Path) -> None:
    """Write the ontology of some tasks; none if there are no tasks."""
    services = {name: contract(task) for name, task in schemas.items()}
    if services:
        value = {
            DOMAINS: {name: _domain(each) for name, each in services.items()},
            "intents": {},
            STATE: {name: {s.name: "" for s in each.slots} for name, each in services.items()},
            "dialogue_acts": {kind: [] for kind in KINDS},
        }
        write_synced(target / FILE, spell(value, 2, escaped=False) + b"\n")


def _domain(service: Service) -> Json:
    return {
        DESCRIPTION: service.description or "",
        SLOTS: {
            slot.name: {
                DESCRIPTION: slot.description or "",
                CATEGORICAL: slot.categorical,
                VALUES: list(slot.possible_values),
            }
            for slot in service.slots
        },
    }
