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

    ## a story
    * greet{"name": "Ada"} OR hello      or, with its text,   * greet: Hi, I am [Ada](name)
      - utter_greet
      - slot{"name": "Ada"}
    > a checkpoint
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
from dialoom.formats.chat.marks import parse
from dialoom.formats.rasa import flows
from dialoom.formats.rasa.events import KEPT, Story, as_json, pairs
from dialoom.formats.rasa.files import responses

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEAD = re.compile(r"##\s*(.+)")
_INTENT = re.compile(r"\*\s+([\w/.+-]+)(\{.*?\})?((?:\s+OR\s+[\w/.+-]+(?:\{.*?\})?)*)(?::\s*(.*))?")
_ACTION = re.compile(r"\s+-\s+([\w.+-]+)(\{.*\})?|-\s+([\w.+-]+)(\{.*\})?")
_CHECKPOINT = re.compile(r">\s*(.+)")
_EITHER = re.compile(r"\s+OR\s+")


def looks_like(text: str, *, cut: bool) -> bool:
    """True if a text is stories: it has a heading, an intent and an action, and only these."""
    lines = _COMMENT.sub("", text).splitlines()
    kinds = [kind for kind, _ in _lines(lines[:-1] if cut else lines)]
    return {"story", "intent", "action"} <= set(kinds) and "" not in kinds


def _lines(lines: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield the kind and the match of each line that is not blank; no kind if it is none."""
    for line in lines:
        if not line.strip():
            continue
        for kind, pattern in _LINE_KINDS.items():
            match = pattern.fullmatch(line.rstrip())
            if match:
                yield kind, match
                break
        else:
            yield "", line


_LINE_KINDS = {"story": _HEAD, "intent": _INTENT, "action": _ACTION, "checkpoint": _CHECKPOINT}


def stories(text: str) -> list[Json]:
    """Return the stories of a text, in the form of YAML's."""
    entries: list[Json] = []
    for kind, match in _lines(_COMMENT.sub("", text).splitlines()):
        if kind == "story":
            entries.append({"story": match[1].strip(), "steps": []})
        elif entries:
            entries[-1]["steps"].append(_step(kind, match))
    return entries


def _step(kind: str, match: Any) -> Any:
    if kind == "checkpoint":
        return {"checkpoint": match[1]}
    if kind == "action":
        name, payload = match[1] or match[3], match[2] or match[4]
        value = _object(payload)
        if name == "slot":
            return {"slot_was_set": [value]}
        return {"active_loop": value.get("name")} if name == "form" else {"action": name}
    if kind == "intent":
        first = _meant(match[1], match[2], match[4])
        others = [each for each in _EITHER.split(match[3]) if each.strip()]
        if not others:
            return first
        return {"or": [first, *(_meant(*_apart(each), None) for each in others)]}
    return match


def _apart(text: str) -> tuple[str, str | None]:
    name, brace, rest = text.strip().partition("{")
    return name, brace + rest if brace else None


def _meant(intent: str, entities: str | None, text: str | None) -> Json:
    pairs = [{name: value} for name, value in _object(entities).items()]
    step: Json = {"user": text} if text else {}
    return step | {"intent": intent} | ({"entities": pairs} if pairs else {})


def _object(text: str | None) -> Json:
    try:
        return at(parse(text) if text else {}, dict)
    except ValueError:
        return {}


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
