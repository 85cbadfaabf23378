"""The services named by `--tasks`: bundled ones, or those of a file.

    named("Tables_1,coaches")       # one service, and those of a pack
    named("sgd/train/schema.json")  # those of a file, or of a folder with one
    named("drawn:100", seed=7)      # a hundred services drawn at random
    named("worlds:6")               # all bundled ones in six worlds with other names

A file is a list of services in SGD's layout; a pack is an object with such a list and additions to
its schema (`ServiceMetadata`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from dialoom.corpus.files import exists, parse_json, read_bytes
from dialoom.dialogue.annotation import Value
from dialoom.errors import FormatError, SchemaError, UnknownNameError, UsageError
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.agenda.drawn import MOST, drawn, joined
from dialoom.sim.policies.agenda.slots import ServiceMetadata
from dialoom.sim.worlds.drawing import DRAWN, number_after
from dialoom.sim.worlds.services import drawn_services

FILE = "schema.json"
"""The file of services in a folder."""

ALL, WORLDS = "all", "worlds:"
"""The name of all bundled services; the prefix of a number of worlds with other names."""

Found = dict[str, tuple[TaskSchema, ServiceMetadata]]
"""Service name to its task and the metadata of its pack."""

Name = Annotated[str, Meta(min_length=1)]


class _Slot(msgspec.Struct, frozen=True):
    name: Name
    description: str = ""
    categorical: bool = msgspec.field(default=False, name="is_categorical")
    possible_values: tuple[Value, ...] = ()


class _Intent(msgspec.Struct, frozen=True):
    name: Name
    description: str = ""
    transactional: bool = msgspec.field(default=False, name="is_transactional")
    required: tuple[str, ...] = msgspec.field(default=(), name="required_slots")
    optional: dict[str, Value] = msgspec.field(default_factory=dict, name="optional_slots")
    results: tuple[str, ...] = msgspec.field(default=(), name="result_slots")


class _Service(msgspec.Struct, frozen=True):
    service_name: Name
    slots: tuple[_Slot, ...] = ()
    intents: tuple[_Intent, ...] = ()
    description: str = ""


class _Pack(ServiceMetadata, frozen=True, forbid_unknown_fields=True, kw_only=True):
    services: tuple[_Service, ...]


def named(names: str, seed: int = 0) -> Found:
    """Return named services: bundled ones, packs of them, files or folders of files, drawn ones.

    Raises `UnknownNameError` for services, `UsageError` for none, repeated names or a number of
    drawn ones out of range, `SchemaError` for a file that is no list of services,
    `MissingDataError` for missing files.
    """
    if names.startswith(WORLDS):
        return drawn_worlds(names)[-1]
    entries = [name.strip() for name in names.split(",") if name.strip()]
    if not entries:
        raise UsageError("--tasks names no service", code="no-task")
    services: Found = {}
    for name in dict.fromkeys(entries):
        for task, metadata in _one(name, seed):
            if task.id in services:
                raise UsageError(f"--tasks names two services called {task.id}", code="twice")
            services[task.id] = (task, metadata)
    return services


def _one(name: str, seed: int) -> Iterator[tuple[TaskSchema, ServiceMetadata]]:
    packs = bundled()
    path = Path(name)
    if name == ALL:
        for pack in packs.values():
            yield from pack.values()
    elif name in packs:
        yield from packs[name].values()
    elif any(name in pack for pack in packs.values()):
        yield next(pack[name] for pack in packs.values() if name in pack)
    elif name.startswith(DRAWN):
        for pack in drawn_services(number_after(DRAWN, name), seed):
            yield from _found(pack, path).values()
    elif path.suffix in (".yaml", ".yml"):
        what = "is a task file; this preset takes services, as SGD's schema.json has them"
        raise UsageError(f"--tasks {name}: {what}; without --preset it is simulated as a task")
    elif path.suffix == ".json" or len(path.parts) > 1 or exists(path):
        file = path / FILE if path.is_dir() else path
        yield from _read(read_bytes(file), file).values()
    else:
        names = [*packs, *(service for pack in packs.values() for service in pack)]
        raise UnknownNameError("service", name, names)


@lru_cache(maxsize=1)
def bundled() -> dict[str, Found]:
    """Return the bundled packs by name."""
    return {file.name.removesuffix(".json"): _read(data, file) for file, data in _files()}


@lru_cache(maxsize=4)
def drawn_worlds(names: str) -> tuple[Found, ...]:
    """Return the services of each world of `worlds:6`, then of all; `UsageError` out of range."""
    many = names.removeprefix(WORLDS)
    if not (many.isdecimal() and 0 < int(many) <= MOST):
        raise UsageError(
            f"--tasks {names}: a number of worlds from 1 to {MOST} is wanted, alone",
            code="out-of-range",
        )
    packs = {file.name: parse_json(data, file) for file, data in _files()}
    worlds = list(drawn(packs, int(many)))
    worlds.append({name: joined([world[name] for world in worlds]) for name in packs})
    return tuple(
        {k: v for name, pack in world.items() for k, v in _found(pack, Path(name)).items()}
        for world in worlds
    )


def _files() -> Iterator[tuple[Path, bytes]]:
    folder = resources.files("dialoom").joinpath("services")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            yield Path(file.name), file.read_bytes()


def _read(data: bytes, file: Path) -> Found:
    try:
        value = parse_json(data, file)
    except FormatError as error:
        raise SchemaError(file, error.what, code="not-json") from error
    return _found({"services": value} if isinstance(value, list) else value, file)


def _found(value: Any, file: Path) -> Found:
    try:
        pack = msgspec.convert(value, _Pack)
    except msgspec.ValidationError as error:
        raise SchemaError(file, f"no list of services: {error}") from error
    fields = {name: getattr(pack, name) for name in ServiceMetadata.__struct_fields__}
    metadata = ServiceMetadata(**fields)
    tasks: Found = {}
    for service in pack.services:
        if service.service_name in tasks:
            raise SchemaError(file, f"two services called {service.service_name}", code="twice")
        if not service.intents:
            raise SchemaError(file, f"{service.service_name} has no intents", code="no-key")
        tasks[service.service_name] = (_task(service), metadata)
    return tasks


def _task(service: _Service) -> TaskSchema:
    slots = tuple(ServiceSlot(**asdict(slot)) for slot in service.slots)
    intents = tuple(ServiceIntent(**asdict(intent)) for intent in service.intents)
    spec = Service(description=service.description, slots=slots, intents=intents)
    return from_service(service.service_name, spec)
