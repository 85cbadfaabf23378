"""Changes single values of a YAML text; comments, order and spelling of all others stay.

    edited("name: pizza  # for now\\npilot: true\\n", [Change(("name",), "taxi")])
    # name: taxi  # for now
    # pilot: true

A change replaces the lines of its value. Where that does not give the wanted value, as within
brackets, the nearest value around it that does is written anew, without its comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import yaml

from dialoom.errors import SchemaError, UsageError
from dialoom.schema.places import Document, Pointer, parse
from dialoom.schema.yaml.writing import flow, scalar

WIDTH = 96
"""The longest line of a list or mapping in brackets."""


class Change(NamedTuple):
    """A new value of a pointer; None removes it. The end of a list may be set as well.

    With `after`, the value stays, and it changes places with the next one of its list.
    """

    pointer: Pointer
    value: Any = None
    after: bool = False


def edited(text: str, changes: Iterable[Change], name: str = "text") -> str:
    """Return a YAML text after some changes of its values.

    Raises:
        SchemaError: The text is not plain YAML.
        UsageError: It has no place for a change, for example below a text.
    """
    for change in changes:
        value = read_edited(text, name).value
        target = _applied(value, change)
        tries = () if target == value else _tries(text, change, target)
        match = next((each for each in tries if _read(each, name) == target), None)
        if match is None and target != value:
            where = ".".join(map(str, change.pointer))
            raise UsageError(f"{where}: cannot be written here; change the text itself")
        text = text if match is None else match
    return text


def read_edited(text: str, name: str) -> Document:
    """Return a text as a document, a mapping without keys if it is empty or has only comments."""
    lines = (line.strip() for line in text.splitlines())
    if all(not line or line.startswith("#") for line in lines):
        return Document(name, {}, {})
    return parse(text, name)


def _read(text: str, name: str) -> Any:
    try:
        return read_edited(text, name).value
    except SchemaError:
        return None


def _applied(value: Any, change: Change) -> Any:
    copy = deepcopy(value)
    *above, last = change.pointer
    holder = copy
    try:
        for key in above:
            if isinstance(holder, dict) and holder.get(key) is None:
                if change.value is None:
                    return value
                holder[key] = {}
            holder = holder[key]
        if change.after:
            holder[last], holder[last + 1] = holder[last + 1], holder[last]  # type: ignore[operator]
        elif change.value is None and isinstance(holder, dict):
            holder.pop(last, None)
        elif change.value is None:
            del holder[last]
        elif isinstance(holder, list) and last == len(holder):
            holder.append(change.value)
        else:
            holder[last] = change.value
    except (KeyError, IndexError, TypeError) as error:
        where = ".".join(map(str, change.pointer))
        raise UsageError(f"{where}: there is no such place in the text") from error
    return copy


def _tries(text: str, change: Change, target: Any) -> Iterator[str]:
    """Yield texts that may have the wanted value, from the smallest change to the largest."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if change.after or change.value is None:
        parent: Any = _node(root, change.pointer[:-1])
        if parent is not None and not parent.flow_style:
            move = _swapped if change.after else _removed
            yield move(text, parent, change.pointer[-1])
    for depth in range(len(change.pointer), 0, -1):
        pointer = change.pointer[:depth]
        try:
            value = target
            for key in pointer:
                value = value[key]
        except (KeyError, IndexError):
            continue
        parent = root if depth == 1 else _node(root, pointer[:-1])
        if parent is None and depth == 1:
            yield text + "\n" * (not text.endswith("\n") and text != "") + _entry(pointer[0], value)
        elif parent is not None and not parent.flow_style and parent.value:
            yield _put(text, parent, pointer[-1], value)


def _node(node: Any, pointer: Pointer) -> Any:
    for key in pointer:
        node = next((value for name, _, value in _parts(node) if name == key), None)
    return node if isinstance(node, yaml.CollectionNode) else None


def _parts(node: Any) -> list[tuple[str | int, int, Any]]:
    """Return key or index, the offset of key or value, and value of each part of a collection."""
    if isinstance(node, yaml.MappingNode):
        return [(key.value, key.start_mark.index, value) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(at, each.start_mark.index, each) for at, each in enumerate(node.value)]
    return []


def _end(text: str, node: Any) -> int:
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start: int = node.start_mark.index
    end: int = node.end_mark.index
    return start + len(text[start:end].rstrip())


def _eol(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _line(text: str, at: int) -> int:
    return min(_eol(text, at) + 1, len(text))


def _put(text: str, parent: Any, key: str | int, value: Any) -> str:
    parts = _parts(parent)
    place = next(((at, node) for name, at, node in parts if name == key), None)
    if place is None:
        at = _line(text, _end(text, parts[-1][2]))
        lead = "" if text[:at].endswith("\n") else "\n"
        return text[:at] + lead + _entry(key, value, int(parent.start_mark.column)) + text[at:]
    at, node = place
    item = isinstance(key, int)
    if item:
        head = text.rindex("-", 0, at) + 1
    else:
        names = (name for name, _ in parent.value if name.value == key)
        head = text.index(":", next(names).end_mark.index) + 1
    end = _end(text, node)
    inline = node.style not in ("|", ">") if isinstance(node, yaml.ScalarNode) else node.flow_style
    rest = text[end : _eol(text, end)] if inline else text[head : _eol(text, head)]
    note = rest if inline else "".join(re.findall(r"\s+#.*", rest)[:1])
    first, below = _written(value, int(parent.start_mark.column), item)
    return f"{text[:head]}{first}{note}{below}\n{text[_line(text, end) :]}"


def _removed(text: str, parent: Any, key: str | int) -> str:
    parts = _parts(parent)
    place = next((n for n, (name, _, _) in enumerate(parts) if name == key), 0)
    begin, at, end = _lines(text, parent, place)
    if text[begin:at].strip() and place + 1 < len(parts):  # after the dash of a list's item
        return text[:at] + text[parts[place + 1][1] :]
    return text[:begin] + text[end:]


def _swapped(text: str, parent: Any, key: str | int) -> str:
    begin, _, end = _lines(text, parent, int(key))
    next_begin, _, next_end = _lines(text, parent, int(key) + 1)
    one, other = text[begin:end], text[next_begin:next_end]
    one, other = (each if each.endswith("\n") else f"{each}\n" for each in (one, other))
    return text[:begin] + other + text[end:next_begin] + one + text[next_end:]


def _lines(text: str, parent: Any, place: int) -> tuple[int, int, int]:
    """Return the offsets of a part's first line, of the part, and of the line after it."""
    _, at, node = _parts(parent)[place]
    if isinstance(parent, yaml.SequenceNode):
        at = text.rindex("-", 0, at)
    return text.rfind("\n", 0, at) + 1, at, _line(text, _end(text, node))


def _entry(key: str | int, value: Any, indent: int = 0) -> str:
    item = isinstance(key, int)
    first, rest = _written(value, indent, item)
    return f"{' ' * indent}{'-' if item else f'{scalar(key)}:'}{first}{rest}\n"


def _written(value: Any, indent: int, item: bool) -> tuple[str, str]:
    """Return what comes after a key or dash in its line, and the lines below it."""
    space = " " * (indent + 2)
    if isinstance(value, str) and _is_block(value):
        chomp = "" if value.endswith("\n") else "-"
        lines = (f"{space}{line}".rstrip() for line in value.removesuffix("\n").split("\n"))
        return f" |{chomp}", "\n" + "\n".join(lines)
    inner = list(value.values()) if isinstance(value, dict) else value
    nested = isinstance(inner, list) and any(isinstance(each, dict | list) for each in inner)
    entry = item and isinstance(value, dict) and bool(value)
    if not isinstance(inner, list) or not inner:
        return f" {flow(value)}", ""
    if not nested and not entry and len(flow(value)) + indent < WIDTH:
        return f" {flow(value)}", ""
    keys = value if isinstance(value, dict) else range(len(inner))
    below = "".join(_entry(key, value[key], indent + 2) for key in keys)[:-1]
    return (f" {below.lstrip(' ')}", "") if entry else ("", f"\n{below}")


def _is_block(text: str) -> bool:
    """True if a text has several lines that a block of YAML can hold."""
    lines = text.removesuffix("\n").split("\n")
    fit = all(line.isprintable() and line == line.rstrip() for line in lines)
    return len(lines) > 1 and fit and not lines[0][:1].isspace() and bool(lines[0] and lines[-1])
