"""The tools of a tau2-bench domain, as definitions: its `tools.py`, or a JSON file of them.

    class RetailTools(ToolKitBase):
        @is_tool(ToolType.READ)
        def get_user_details(self, user_id: str) -> User:
            \"""Get the details of a user.

            Args:
                user_id: The user id, such as 'sara_doe_496'.
            \"""

The Python file is parsed and never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.errors import FormatError
from dialoom.formats.base.values import Json
from dialoom.formats.chat.tools import definitions

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
