"""Damage to files, as it happens: cut short, wrong types, deep nesting, bad UTF-8, huge numbers.

mutate(data, random.Random(7))   # the same damage for the same seed
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

DEEP = b"[" * 5000
HUGE: list[Any] = [10**400, -(10**30), 1e308, float("nan"), float("inf"), 2**64, 0.1]
WRONG: list[Any] = [None, True, -1, 0, "", "\u0000", "x" * 3000, [], {}, [[]], [None], {"": None}]
BYTES = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\r", b"\n", b"\t", b'"', b"\\", b"|", b"{"]


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Return `data` with one to three kinds of damage."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(KINDS)(data, chance)
    return data


def cut(data: bytes, chance: random.Random) -> bytes:
    """Lose the end."""
    return data[: chance.randrange(len(data) + 1)]


def overwrite(data: bytes, chance: random.Random) -> bytes:
    """Put bytes that do not belong there over some, or between."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(BYTES) + data[at + chance.randrange(3) :]


def swap_lines(data: bytes, chance: random.Random) -> bytes:
    """Repeat, lose or move a line."""
    lines = data.split(b"\n")
    line = lines.pop(chance.randrange(len(lines)))
    for _ in range(chance.randrange(3)):
        lines.insert(chance.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def nest(data: bytes, chance: random.Random) -> bytes:
    """Open brackets without end."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + DEEP + data[at:]


def retype(data: bytes, chance: random.Random) -> bytes:
    """Put another value in a place of a JSON file; other text is overwritten."""
    return _in_json(data, chance, lambda: chance.choice(WRONG + HUGE))


def burrow(data: bytes, chance: random.Random) -> bytes:
    """Put a value of many levels in a place of a JSON file."""

    def deep() -> Any:
        value: Any = 1
        for _ in range(chance.choice((20, 99, 101, 400))):
            value = chance.choice(([value], {"a": value}))
        return value

    return _in_json(data, chance, deep)


def drop(data: bytes, chance: random.Random) -> bytes:
    """Lose a key or an entry of a JSON file."""
    return _in_json(data, chance, None)


def _in_json(data: bytes, chance: random.Random, make: Callable[[], Any] | None) -> bytes:
    """Change a place of a JSON file, or of one line of a file of JSON lines."""
    changed = _changed(data, chance, make, indent=2)
    if changed is not None:
        return changed
    lines = data.splitlines() or [b""]
    number = chance.randrange(len(lines))
    changed = _changed(lines[number], chance, make, indent=None)
    if changed is None:
        return overwrite(data, chance)
    return b"\n".join([*lines[:number], changed, *lines[number + 1 :], b""])


def _changed(
    text: bytes, chance: random.Random, make: Callable[[], Any] | None, indent: int | None
) -> bytes | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    places = list(_places(value))
    if not places:
        value = make() if make else None
    else:
        holder, key = chance.choice(places)
        if make is None:
            del holder[key]
        else:
            holder[key] = make()
    return json.dumps(value, indent=indent, sort_keys=True).encode()


def _places(value: Any) -> list[tuple[Any, Any]]:
    places: list[tuple[Any, Any]] = []
    level = [value] if isinstance(value, dict | list) else []
    while level:
        holder = level.pop()
        pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, child in pairs:
            places.append((holder, key))
            if isinstance(child, dict | list):
                level.append(child)
    return places


KINDS = (cut, overwrite, overwrite, swap_lines, nest, retype, retype, retype, burrow, drop, drop)
