"""Domains of tau2-bench as tasks: their tools as calls, their database, their policy.

    domains/retail/db.json        {"users": {"sara_doe_496": {"user_id": "sara_doe_496", …}}, …}
    domains/retail/policy.md      the text that agents keep to
    domains/retail/tools.py       (`toolkit` says where else it may be)

    class RetailTools(ToolKitBase):
        @is_tool(ToolType.READ)
        def get_user_details(self, user_id: str) -> User:
            \"""Get the details of a user.

            Args:
                user_id: The user id, such as 'sara_doe_496'.
            \"""

The Python file is parsed and never run.

A tool reads or changes the table that its name and inputs point to: `get_order_details(order_id)`
finds the row of `orders` with that key, `find_user_id_by_email(email)` searches `users`, and
`modify_user_address(user_id, zip)` changes the columns that it has inputs for. No file says what
tools really change, so each that writes is a draft, as is one that reads by part of its inputs.
A tool without such a table gets one that is drafted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import Origin
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.base.values import Json
from dialoom.formats.chat.tools import definitions, service_of
from dialoom.formats.tau2.database import STRUCTURED, database, key_of
from dialoom.schema.call import Call, Effect, Table
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import Service, ServiceIntent
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

SOURCE, LISTED = "tools.py", ("tools.json", "tools-data.json")
"""The names of files of tools."""

_UNDER = ("domains", "src/tau2/domains")

HIGHEST = 5
"""Number of folders above a domain's in which the code of domains is looked for."""

_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}

_ARGUMENT = re.compile(r"^\s+(\w+)(?: *\([^)]*\))?: *(.+)$")


def toolkit(folder: Path) -> tuple[Path, list[Json]] | None:
    """Return the file of a domain's tools and their definitions; None if there is no such file.

    It is in the folder, in `domains/NAME` or `src/tau2/domains/NAME` of a folder above, or next to
    the folder with the tools of several domains.

    Raises:
        FormatError: The file is not valid.
    """
    above = folder.resolve().parents[:HIGHEST]
    code = (each / under / folder.name for each in above for under in _UNDER)
    for file in (folder / SOURCE, *(each / SOURCE for each in code)):
        if file.is_file():
            return file, list(_defined(file))
    for file in (*(folder / name for name in LISTED), *(folder.parent / name for name in LISTED)):
        if file.is_file():
            value = parse_json(read_bytes(file), file)
            section = isinstance(value, dict) and value.get(folder.name)
            return file, list(definitions(section or value))
    return None


def _defined(file: Path) -> Iterator[Json]:
    try:
        tree = ast.parse(read_bytes(file))
    except SyntaxError as error:
        raise FormatError(file, f"is no valid Python: {error}") from error
    for node in ast.walk(tree):
        kind = next(filter(None, map(_kind, getattr(node, "decorator_list", ()))), None)
        if isinstance(node, ast.FunctionDef) and kind is not None:
            yield _definition(node, kind)


def _kind(decorator: ast.expr) -> str | None:
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) != "is_tool":
        return None
    arguments = decorator.args or [keyword.value for keyword in decorator.keywords]
    return ast.unparse(arguments[0]).rpartition(".")[2] if arguments else "READ"


def _definition(node: ast.FunctionDef, kind: str) -> Json:
    text = ast.get_docstring(node) or ""
    matches = filter(None, map(_ARGUMENT.match, text.splitlines()))
    descriptions = {match[1]: match[2] for match in matches}
    arguments = [each for each in node.args.args if each.arg != "self"]
    defaults = arguments[len(arguments) - len(node.args.defaults) :]
    properties = {
        each.arg: _type(each.annotation) | {"description": descriptions.get(each.arg, "")}
        for each in arguments
    }
    required = [each.arg for each in arguments if each not in defaults]
    parameters = {"type": "object", "properties": properties, "required": required}
    first = " ".join(text.split("\n\n")[0].split())
    return {"name": node.name, "type": kind, "description": first, "parameters": parameters}


def _type(annotation: ast.expr | None) -> Json:
    """Return the JSON Schema of an annotation; a text for a type that is not known."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Literal":
        choices = ast.literal_eval(annotation.slice)
        return {"enum": list(choices) if isinstance(choices, tuple) else [choices]}
    name = ast.unparse(annotation) if annotation is not None else ""
    if name.lower().startswith("list["):
        return {"type": "array"}
    return {"type": _TYPES.get(name, "string")}


DATABASES, POLICIES = ("db.json", "db.toml"), ("policy.md", "main_policy.md")

PREPOSITIONS = frozenset({"by", "for", "from", "of", "to", "in", "with"})
"""Words after which a tool's name mentions no object of it."""

DEEPEST = 5
"""Most folders between the given one and a domain's database."""


def read(path: Path) -> dict[str, TaskSchema]:
    """Return the domains in a folder, or the one that it is, by name; empty without any.

    Raises:
        SchemaError: A domain has no tools.
        FormatError: A file is not valid.
    """
    return {folder.name: _task(folder) for folder in _domains(path)} if path.is_dir() else {}


def _domains(path: Path) -> Iterator[Path]:
    for depth in range(DEEPEST + 1):
        for name in POLICIES:
            for file in sorted(path.glob("*/" * depth + name)):
                if _first(file.parent, DATABASES) is not None:
                    yield file.parent


def _first(folder: Path, names: Sequence[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _task(folder: Path) -> TaskSchema:
    toolset, db, policy = toolkit(folder), _first(folder, DATABASES), _first(folder, POLICIES)
    if toolset is None or not toolset[1]:
        files = f"{SOURCE} (of tau2's code), or {' or '.join(LISTED)}"
        raise SchemaError(folder, f"the domain has no tools: it needs {files}", code="no-file")
    tables = database(db) if db else {}
    service = service_of(toolset[1])
    used = {intent.name: _used(intent, tables) for intent in service.intents}
    service = _with_results(service, used)
    task = from_service(folder.name, service, origins=(Origin(toolset[0].name, None),))
    return replace(
        task,
        domain=folder.name,
        texts={"policy": read_bytes(policy).decode()} if policy else {},
        tables=tables,
        calls={name: _bound(call, used[name]) for name, call in task.calls.items()},
    )


class _Use(NamedTuple):
    """The table that a tool works on.

    Attributes:
        key: The input that picks a row; None for a search by all inputs.
        sure: Whether all required inputs are columns, so that the rows follow from them.
    """

    table: Table
    key: str | None
    sure: bool


def _used(intent: ServiceIntent, tables: Mapping[str, Table]) -> _Use | None:
    """Return the table that a tool's name and inputs point to; None if there is none."""
    needed, keys = intent.required, {name: key_of(table) for name, table in tables.items()}
    mentions = _named(intent.name, tables)
    for name in mentions:
        if keys[name] in needed:
            sure = name == mentions[0] and not intent.transactional
            return _Use(tables[name], keys[name], sure and _all_columns(needed, tables[name]))
        if name == mentions[0] and not intent.transactional:
            columns = {column.name for column in tables[name].columns}
            if not needed or not columns.isdisjoint(needed):
                return _Use(tables[name], None, _all_columns(needed, tables[name]))
    if mentions:
        return None
    keyed = [(needed.index(key), name) for name, key in keys.items() if key in needed]
    last = max(keyed, default=None)
    return None if last is None else _Use(tables[last[1]], keys[last[1]], sure=False)


def _named(tool: str, tables: Iterable[str]) -> list[str]:
    """Return the tables that a tool's name mentions: its object, then others from the end."""
    words = [word.lower() for word in split_name(tool)]
    end = next((n for n, word in enumerate(words) if word in PREPOSITIONS), len(words))
    order = [*reversed(range(end)), *range(end, len(words))]
    of = {form: name for name in tables for form in (name, name.removesuffix("s"))}
    return list(dict.fromkeys(of[words[n]] for n in order if words[n] in of))


def _all_columns(needed: Iterable[str], table: Table) -> bool:
    return {column.name for column in table.columns}.issuperset(needed)


def _with_results(service: Service, used: Mapping[str, _Use | None]) -> Service:
    """Return a service whose reading tools return the columns of their tables."""

    def intent(tool: ServiceIntent) -> ServiceIntent:
        use = used[tool.name]
        if use is None or tool.transactional:
            return tool
        columns = (c.name for c in use.table.columns if c.type != STRUCTURED)
        return replace(tool, results=tuple(columns))

    return replace(service, intents=tuple(map(intent, service.intents)))


def _bound(call: Call, use: _Use | None) -> Call:
    if use is None:
        return call
    reads: Effect = "find" if use.key else "search"
    return replace(
        call,
        effect="update" if call.writes else reads,
        table=use.table.name,
        key=(use.key,) if use.key else (),
        outputs=(),
        drafted=not use.sure,
    )
