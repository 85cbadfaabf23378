"""Reads and checks story files, and the stories that come with dialoom.

    story = read_story("travel_day")                 # a bundled one; or a file by its path
    [str(finding) for finding in review(document("my_day.yaml"))[0]]

A story file is checked like a task file: every error has its place. Its task files are in the same
folder.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from dialoom.errors import UnknownNameError
from dialoom.schema import pack
from dialoom.schema.findings import Report
from dialoom.schema.places import Document, parse, read_document
from dialoom.schema.yaml.reading import refuse
from dialoom.schema.yaml.shapes import fit
from dialoom.sim.stories.building import STORY_FILE, StoryReader
from dialoom.sim.stories.story import TaskStory


def names() -> tuple[str, ...]:
    """Return the names of the bundled stories, sorted."""
    return tuple(sorted(_bundled()))


@lru_cache(maxsize=1)
def _bundled() -> dict[str, str]:
    folder = resources.files("dialoom").joinpath("tasks", "stories")
    files = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    return {file.name.removesuffix(".yaml"): file.read_text("utf-8") for file in files}


def document(name: str | Path) -> Document:
    """Return the document of a bundled story or a story file, unchecked.

    Raises `MissingDataError` for files, `UnknownNameError` for names, `SchemaError` if the file is
    not YAML, or more than plain values.
    """
    path = pack.as_path(name)
    if path is not None:
        return read_document(path)
    if str(name) not in _bundled():
        raise UnknownNameError("story", str(name), names())
    return parse(_bundled()[str(name)], f"{name}.yaml")


def read_story(name: str | Path) -> TaskStory:
    """Read a bundled story by its name, or a story file.

    Raises `MissingDataError` for files, `UnknownNameError` for names, `SchemaError` with the first
    error of a story.
    """
    report, story = review(document(name))
    refuse(report)
    return story


def review_story(name: str | Path) -> Report | None:
    """Check a bundled story or a story file; None for an unknown name.

    `SchemaError` if the file is not YAML, or more than plain values.
    """
    path = pack.as_path(name)
    present = str(name) in _bundled() if path is None else path.is_file()
    source = document(name) if present else None
    is_story = source is not None and isinstance(source.value, dict) and "story" in source.value
    return review(source)[0] if is_story and source is not None else None


@lru_cache(maxsize=1)
def bundled() -> tuple[TaskStory, ...]:
    """Return the bundled stories."""
    return tuple(map(read_story, names()))


def review(source: Document) -> tuple[Report, TaskStory]:
    """Check a document; return all findings, and the story as far as it conforms."""
    report = Report(source)
    raw = fit(source.value, STORY_FILE, report) or {}
    return report, StoryReader(raw, report, Path(source.path).parent).story()
