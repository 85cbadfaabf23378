r"""Rasa's stories in Markdown (Rasa 1): each line is an intent, an action or a heading.

## a story
* greet{"name": "Ada"} OR hello      or, with its text,   * greet: Hi, I am [Ada](name)
  - utter_greet
  - slot{"name": "Ada"}
> a checkpoint
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dialoom.formats.base.values import Json, at
from dialoom.formats.chat.marks import parse

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
        for kind, pattern in _KINDS.items():
            match = pattern.fullmatch(line.rstrip())
            if match:
                yield kind, match
                break
        else:
            yield "", line


_KINDS = {"story": _HEAD, "intent": _INTENT, "action": _ACTION, "checkpoint": _CHECKPOINT}


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
