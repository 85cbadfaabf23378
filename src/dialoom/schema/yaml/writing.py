"""Writes the value of a task file as YAML that reads back as the same value.

write({"task": "taxi", "slots": {"from": {"type": "short text"}}})
# task: taxi
# slots:
#   from: {type: short text}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][\w .!?'-]*[\w.!?]|[A-Za-z]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]")
_WIDTH = 96


Notes = Mapping[tuple[str, ...], str]
"""Path of keys to a comment on the line of the last key."""


def write(value: Mapping[str, Any], head: str = "", notes: Notes = MappingProxyType({})) -> str:
    """Return a task file's text, with comments before it (`head`) and at ends of lines."""
    plain = (_UNPRINTABLE.sub(_escape, line) for line in head.splitlines())
    lines = [f"# {line}".rstrip() for line in plain]
    for key, section in value.items():
        if lines and isinstance(section, dict) and section:
            lines.append("")
        lines += _entry((key,), section, notes)
    return "\n".join(lines) + "\n"


def _entry(path: tuple[str, ...], value: Any, notes: Notes) -> Iterator[str]:
    indent = "  " * (len(path) - 1)
    name, note = f"{indent}{scalar(path[-1])}:", f"  # {notes[path]}" if path in notes else ""
    line = f"{name} {flow(value)}"
    block = len(line) > _WIDTH or any(p[: len(path)] == path != p for p in notes)
    nested = isinstance(value, dict) and any(isinstance(v, dict | list) for v in value.values())
    if isinstance(value, dict) and value and (nested or block):
        yield name + note
        for key, inner in value.items():
            yield from _entry((*path, key), inner, notes)
    elif isinstance(value, list) and len(line) > _WIDTH:
        yield name + note
        yield from (f"{indent}  - {flow(item)}" for item in value)
    else:
        yield line + note


def flow(value: Any, *, inside: bool = False) -> str:
    """Return a value on one line, lists and mappings in brackets."""
    if isinstance(value, dict):
        pairs = (f"{scalar(k)}: {flow(v, inside=True)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item, inside=True) for item in value) + "]"
    return scalar(value, inside=inside)


def scalar(value: Any, *, inside: bool = True) -> str:
    """Return a scalar as YAML; `inside` brackets more texts have to be quoted."""
    if not isinstance(value, str):
        return json.dumps(value)
    bare = _PLAIN.fullmatch(value) and value.lower() not in _WORDS and " #" not in value
    bare = bare and not (inside and "?" in value)  # some parsers read it as a key there
    return value if bare else _UNPRINTABLE.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    """Return the escape of a character that YAML does not print; JSON's escapes are valid."""
    code = ord(match[0])
    if match[0].isprintable():
        return match[0]
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"
