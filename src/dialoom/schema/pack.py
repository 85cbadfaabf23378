"""The bundled tasks, tasks by file, id or alias, and a commented task file to start from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.schema.places import Document
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.including import read_file, read_string
from dialoom.schema.yaml.reading import make, read_task
from dialoom.schema.yaml.scalars import LONGEST_NAME, NAME

SUFFIXES = (".yaml", ".yml")

PACKS = {"all": "", "service": "service", "de": "de"}
"""Name of a pack, which commands take in place of its tasks, to its folder: STAR's tasks, six that
use every feature of task files, and four in German."""


def names(pack: str = "all") -> tuple[str, ...]:
    """Return the ids of a pack's tasks, sorted."""
    return tuple(name for name, (folder, _) in _files().items() if folder == PACKS[pack])


def expand(tasks: Iterable[str]) -> list[str]:
    """Return tasks with the names of packs replaced by the ids of their tasks."""
    return [each for task in tasks for each in (names(task) if task in PACKS else (task,))]


@lru_cache(maxsize=256)
def load(name: str) -> TaskSchema:
    """Return a bundled task by its id or an alias; `UnknownNameError` for others."""
    return make(_bundled(_id(name)), trusted=True)


def resolve(file_or_task: str | Path) -> TaskSchema:
    """Return a task by file, id or alias; errors of unknown names and of the file."""
    path = as_path(file_or_task)
    return load(str(file_or_task)) if path is None else read_task(path)


def document(file_or_task: str | Path) -> Document:
    """Return an unchecked document by file, id or alias; errors of names and of the file."""
    path = as_path(file_or_task)
    return _bundled(_id(str(file_or_task))) if path is None else read_file(path)


def text(name: str) -> str:
    """Return the text of a bundled task's file by id or alias; `UnknownNameError` for others."""
    return _files()[_id(name)][1].read_text(encoding="utf-8")


def as_path(file_or_task: str | Path) -> Path | None:
    """Return the file of a name; None for the name of a bundled task."""
    path = Path(file_or_task)
    is_path = isinstance(file_or_task, Path) or path.suffix in SUFFIXES or len(path.parts) > 1
    return path if is_path else None


@lru_cache(maxsize=1)
def _files() -> dict[str, tuple[str, Traversable]]:
    entries: dict[str, tuple[str, Traversable]] = {}
    for name in PACKS.values():
        folder = resources.files("dialoom").joinpath("tasks", *filter(None, (name,)))
        files = sorted(folder.iterdir() if folder.is_dir() else (), key=lambda file: file.name)
        tasks = (file for file in files if file.name.endswith(SUFFIXES))
        entries |= {file.name.rpartition(".")[0]: (name, file) for file in tasks}
    return entries


@lru_cache(maxsize=256)
def _bundled(name: str) -> Document:
    return read_string(text(name), _files()[name][1].name)


def _id(name: str) -> str:
    if name in _files():
        return name
    aliases = {alias: task for task in _files() for alias in _aliases(task)}
    if name not in aliases:
        if Path(name).exists():
            kind = "a folder" if Path(name).is_dir() else "not a task file"
            raise UsageError(
                f"{name}: {kind}; name a file that ends in .yaml or .yml", code="bad-name"
            )
        raise UnknownNameError("task", name, {*_files(), *aliases})
    return aliases[name]


def _aliases(task: str) -> list[str]:
    value: Any = _bundled(task).value
    return list(value.get("aliases") or ()) if isinstance(value, dict) else []


OWN_NAME = "my_task"


def starter(name: str) -> str:
    """Return a valid task file for a task called `name`; `UsageError` for an unfit name."""
    if not re.fullmatch(NAME, name) or len(name) > LONGEST_NAME:
        right = f"use lower_snake_case and at most {LONGEST_NAME} characters, such as pizza_order"
        raise UsageError(f"a task cannot be called {clip(name, 80)!r}; {right}", code="bad-name")
    text = resources.files(__package__).joinpath("starter.yaml").read_text(encoding="utf-8")
    return text.replace(OWN_NAME, name)
