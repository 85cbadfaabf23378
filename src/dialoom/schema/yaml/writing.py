"""The value of a task file written as YAML that reads back as it is.

write({"task": "taxi", "slots": {"from": {"type": "short text"}}})
# task: taxi
# slots:
#   from: {type: short text}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][\w .!?'-]*[\w.!?]|[A-Za-z]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]")
_WIDTH = 96


def write(value: Mapping[str, Any], head: str = "") -> str:
    """Return the text of a task file; `head` becomes comment lines before it."""
    plain = (_UNPRINTABLE.sub(_escape, line) for line in head.splitlines())
    lines = [f"# {line}".rstrip() for line in plain]
    for key, held in value.items():
        if lines and isinstance(held, dict) and held:
            lines.append("")
        lines += _entry(key, held, 0)
    return "\n".join(lines) + "\n"


def _entry(key: str, held: Any, depth: int) -> Iterator[str]:
    indent = "  " * depth
    line = f"{indent}{scalar(key)}: {_flow(held)}"
    nested = isinstance(held, dict) and any(isinstance(v, dict | list) for v in held.values())
    if isinstance(held, dict) and held and (nested or len(line) > _WIDTH):
        yield f"{indent}{scalar(key)}:"
        for name, inner in held.items():
            yield from _entry(name, inner, depth + 1)
    elif isinstance(held, list) and len(line) > _WIDTH:
        yield f"{indent}{scalar(key)}:"
        yield from (f"{indent}  - {_flow(item)}" for item in held)
    else:
        yield line


def _flow(value: Any, *, inside: bool = False) -> str:
    if isinstance(value, dict):
        pairs = (f"{scalar(k)}: {_flow(v, inside=True)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item, inside=True) for item in value) + "]"
    return scalar(value, inside=inside)


def scalar(value: Any, *, inside: bool = True) -> str:
    """Write a scalar so that it reads back as it is; `inside` brackets, unless told otherwise."""
    if not isinstance(value, str):
        return json.dumps(value)
    bare = _PLAIN.fullmatch(value) and value.lower() not in _WORDS and " #" not in value
    bare = bare and not (inside and "?" in value)  # some readers take it for a key there
    return value if bare else _UNPRINTABLE.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    """Spell a character that YAML does not print; JSON's escapes are YAML's too."""
    code = ord(match[0])
    if match[0].isprintable():
        return match[0]
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"
