"""Rasa's stories, and the end-to-end tests of Rasa CALM: YAML, or Markdown as in Rasa 1.

    stories:                                 test_cases:
    - story: greet                           - test_case: send money
      steps:                                   steps:
      - user: Hi, [Ada]{"entity": "name"}       - user: Send 50 to Ben
        intent: greet                            assertions:
      - action: utter_greet                      - flow_started: transfer_money
      - action: look_up                          - slot_was_set: [{name: amount, value: "50"}]
      - slot_was_set: [known: true]              - bot_uttered: {utter_name: utter_ask_ok}

Intents are acts of the user with their entities; a story without text has turns without text.
Responses are acts of the system, with the text that the project's domain (`domain.yml` or `domain/`
in a folder above) has for them. Other actions are queries; the slots that follow them are their
result, and other slots are the state of the user's turn. Flows that a test starts are the
dialogue's services. The first alternative of `or` is read. Steps that are not read as events alone
(alternatives, loops, checkpoints, assertions) are kept in `extra`, as are the other keys of a file
of tests with its first test. Slots of a test's `fixtures` are part of its first state. Rules, NLU
examples and flows are no dialogues. The format is only read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.values import BrokenError, Json, at, spoken, without
from dialoom.formats.base.yaml_file import parsed
from dialoom.formats.rasa import flows
from dialoom.formats.rasa.events import KEPT, Story, as_json, pairs
from dialoom.formats.rasa.files import responses
from dialoom.formats.rasa.markdown import looks_like, stories

_KINDS = {"stories": "story", "test_cases": "test_case"}
"""The lists of dialogues in a file, and the key of a dialogue's name."""

FILE = "file"
"""The key in the `extra` of a file's first test of the file's other keys."""

_LIST = re.compile(rb"^(?:stories|test_cases)\s*:", re.MULTILINE)
_ENTRY = re.compile(rb"^\s*-\s+(?:story|test_case)\s*:", re.MULTILINE)


def sniff(head: bytes) -> bool:
    """True if a text begins like stories or tests."""
    if _LIST.search(head) and _ENTRY.search(head):
        return True
    text = head.decode("utf-8", "replace")
    return text.lstrip()[:1] in ("#", "<", ">") and looks_like(text, cut=not text.endswith("\n"))


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; `FormatError` if it has neither stories nor tests."""
    shared, entries = _entries(data, file, name)
    return map(partial(_dialogue, file=file, name=name, shared=shared), count(), entries)


def _dialogue(
    index: int, pair: tuple[str, Any], *, file: Path, name: str, shared: Json
) -> Dialogue:
    (key, entry), number = pair, index + 1
    if not isinstance(entry, dict) or not isinstance(entry.get("steps"), list):
        raise FormatError(file, f"{key} number {number} has no list of steps")
    label = str(entry[key]) if entry.get(key) is not None else f"{file.stem}-{number}"
    story = Story(responses(file), _fixtures(entry, shared))
    for place, step in enumerate(entry["steps"]):
        try:
            story.step(place, as_json(step))
        except BrokenError as error:
            raise FormatError(file, f"step {place + 1}: {error}", dialogue=label) from error
    rest = {k: as_json(v) for k, v in without(entry, key, "steps").items()}
    notes: Json = rest | ({"steps": story.kept} if story.kept else {})
    notes |= {FILE: shared} if shared and index == 0 else {}
    return Dialogue(
        id=label,
        events=tuple(story.events),
        services=tuple(story.flows),
        origin=Origin(name, index),
        extra={KEPT: notes} if notes else {},
    )


def _fixtures(test: Json, shared: Json) -> Json:
    """Return the slots that the fixtures of a test set before it."""
    fixtures: Json = {}
    for each in at(shared, list, "fixtures"):
        fixtures |= at(each, dict)
    names = map(str, at(test, list, "fixtures"))
    return dict(pair for each in names for pair in pairs(fixtures.get(each), asserted=False))


def _entries(data: bytes, file: Path, name: str) -> tuple[Json, list[tuple[str, Any]]]:
    """Return the other keys of a file of tests, and the entries with the keys of their names."""
    if name.endswith(".md"):
        return {}, [("story", each) for each in stories(data.decode("utf-8-sig", "replace"))]
    value = parsed(data, file)
    if not isinstance(value, dict) or not value.keys() & _KINDS.keys():
        raise FormatError(file, f"expected {' or '.join(_KINDS)}")
    for group in _KINDS:
        if not isinstance(value.get(group), list | None):
            raise FormatError(file, f"{group!r} is {spoken(value[group])}; expected a list")
    shared = as_json(without(value, *_KINDS)) if "test_cases" in value else {}
    return shared, [(key, each) for group, key in _KINDS.items() for each in at(value, list, group)]


FORMAT = FileFormat(
    name="rasa",
    owns=re.compile(r"(?:[^/]+/){0,6}[^/]+\.(?:ya?ml|md)"),
    named=False,
    sniff=sniff,
    read=read,
    read_schemas=flows.read,
    schemas_of=flows.schemas_of,
    traits=Traits(
        pair=True, answers=False, read_only=True, schema_files=("the flows of Rasa CALM",)
    ),
)
