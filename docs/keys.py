"""Pages of keys, from their one declaration: keys of task files, settings of protocols and models.

The grammar of task files (`dialoom.schema.yaml.grammar`) also checks them and gives the JSON
Schema. The fields of a protocol's or model's settings are what `-P` and `-M` read.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import pairwise
from textwrap import dedent
from typing import Any

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.settings import types_of
from dialoom.models import MODELS
from dialoom.schema.yaml.grammar import TASK_FILE
from dialoom.schema.yaml.scalars import Number, Shape, Text
from dialoom.schema.yaml.shapes import Choice, Listed, Mapped, Record


def task_keys() -> str:
    """Return the page of every key of a task file."""
    lines = [
        "# Keys of task files\n",
        "[The task file](task-file.md) explains them with examples; `dialoom schema jsonschema`\n"
        "prints the same keys as JSON Schema. A name in capitals is yours to choose. Keys in bold\n"
        "are required.\n",
    ]
    for place, record in dict(_records("", TASK_FILE)).items():
        lines += [f"## {f'`{place}`' if place else 'At the top'}: {record.what}\n"]
        lines += ["| key | what it is | value |", "|---|---|---|"]
        for key, shape in record.fields.items():
            name = f"**`{key}`**" if shape.required else f"`{key}`"
            lines.append(f"| {name} | {_cell(shape.what)} | {_cell(_value(shape))} |")
        lines.append("")
    return "\n".join(lines)


def _records(place: str, shape: Shape) -> Iterator[tuple[str, Record]]:
    """Yield the records within a shape, each with its place in the file."""
    if isinstance(shape, Record):
        if shape.fields:
            yield place, shape
        for key, inside in shape.fields.items():
            yield from _records(f"{place}.{key}".lstrip("."), inside)
    elif isinstance(shape, Choice):
        for word, record in shape.records.items():
            key = f"{shape.by}: {word}" if shape.by else word
            yield from _records(f"{place} ({key})", record)
    elif isinstance(shape, Mapped):
        yield from _records(f"{place}.NAME", shape.item)
    elif isinstance(shape, Listed):
        yield from _records(f"{place}[]", shape.item)


def _value(shape: Shape) -> str:
    if isinstance(shape, Text):
        return " \\| ".join(f"`{word}`" for word in shape.words) or "text"
    if isinstance(shape, Number):
        limits = (("from", shape.least), ("to", shape.most))
        ends = "".join(f" {word} {end:g}" for word, end in limits if end is not None)
        return f"{'whole number' if shape.whole else 'number'}{ends}"
    if isinstance(shape, Listed):
        return f"{_value(shape.item)}, or a list of them" if shape.lone else "list"
    if isinstance(shape, Record):
        return "mapping" if shape.word is None else f"{_value(shape.word)}, or a mapping"
    if isinstance(shape, Mapped):
        return "mapping, or a list of names" if shape.bare else "mapping"
    found = shape.schema().get("type", "mapping" if isinstance(shape, Choice) else "any value")
    return found if isinstance(found, str) else ", ".join(found)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def experiment_settings() -> str:
    """Return the page of every setting of an experiment's protocol and model."""
    lines = [
        "# Settings of experiments\n",
        "`dialoom bench PROTOCOL --model MODEL -P NAME=VALUE -M NAME=VALUE` sets them; yes and no\n"
        "are truth values, several values have commas between them. [Protocols](protocols.md)\n"
        "explains the experiments. Protocols and models that are not listed have no settings.\n",
        "## Protocols (`-P`)\n",
    ]
    owners: dict[type[Any], list[str]] = {}
    for name in PROTOCOLS:
        owners.setdefault(PROTOCOLS.get(name).settings, []).append(name)
    for owner, names in owners.items():
        lines += _settings(owner, names)
    lines.append("## Models (`-M`)\n")
    for name in MODELS:
        if is_dataclass(model := MODELS.get(name)) and isinstance(model, type):
            lines += _settings(model, [name], _first(model))
    return "\n".join(lines)


def _settings(owner: type[Any], names: list[str], about: str = "") -> Iterator[str]:
    """Yield the lines of a table of settings; none if there are none."""
    listed = [field for field in fields(owner) if field.init]
    if not listed:
        return
    words = descriptions(owner)
    yield f"### {', '.join(f'`{name}`' for name in names)}\n"
    yield from [f"{about}\n"] if about else []
    yield from ["| setting | default | what it is |", "|---|---|---|"]
    for field in listed:
        yield f"| `{field.name}` | {_default(field)} | {_cell(words[field.name])} |"
    yield ""


def _first(owner: type[Any]) -> str:
    return (inspect.getdoc(owner) or "").partition("\n\n")[0]


def _default(field: Field[Any]) -> str:
    value = field.default
    if value is MISSING:
        value = field.default_factory() if field.default_factory is not MISSING else "none"
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    return "" if value in (None, "") else f"`{value}`"


def descriptions(owner: type[Any]) -> dict[str, str]:
    """Return what a class and its bases say of their fields, in types or docstrings."""
    said = {
        name: meta.description
        for name, type_ in types_of(owner).items()
        for meta in getattr(type_, "__metadata__", ())
        if meta.description
    }
    for each in reversed([base for base in owner.__mro__ if is_dataclass(base)]):
        text = inspect.cleandoc(each.__doc__ or "").partition("Attributes:\n")[2]
        said |= dict(re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", text, re.MULTILINE))
        said |= _field_docstrings(each)
    return said


def _field_docstrings(owner: type[Any]) -> Iterator[tuple[str, str]]:
    tree = ast.parse(dedent(inspect.getsource(owner)))
    [body] = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    for field, after in pairwise(body):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=text)):
                yield name, inspect.cleandoc(str(text))
