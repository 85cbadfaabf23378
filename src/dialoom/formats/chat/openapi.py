"""Operations of an OpenAPI 3 description as definitions of tools.

    {"openapi": "3.1.0", "paths": {"/tables/{id}": {"get": {"operationId": "getTable",
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
      "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "…"}}}}}}}}}

The parameters of an operation are those of its path, query and headers, and the properties of its
JSON body. The properties of the first successful answer are its results. Operations other than GET
and HEAD change something. Parameters for credentials and cookies are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dialoom.formats.base.values import Json, at

METHODS = ("get", "head", "post", "put", "patch", "delete")
"""The methods of operations; those of GET and HEAD only read."""

_READS = ("get", "head")
_DEPTH = 20
"""Most references that are followed from one place; more of them are a circle."""

_HIDDEN = {"authorization", "accept", "content-type"}
"""Headers that OpenAPI 3 says are no parameters."""


def is_openapi(value: Any) -> bool:
    """True if a JSON value is a description of OpenAPI 3."""
    valid = isinstance(value, dict) and isinstance(value.get("paths"), dict)
    return valid and str(value.get("openapi", "")).startswith("3")


def operations(document: Json) -> Iterator[Json]:
    """Yield the operations of a description: name, parameters, results, and whether it writes."""
    api = _Document(document)
    for path, entry in document["paths"].items():
        item = api.resolved(entry)
        for method in METHODS:
            operation = api.resolved(item.get(method))
            if operation:
                yield api.tool(str(path), method, operation, at(item, list, "parameters"))


class _Document:
    def __init__(self, document: Json) -> None:
        self.document = document

    def resolved(self, value: Any) -> Json:
        """Return the object at the end of a value's references; empty if there is none."""
        for _ in range(_DEPTH):
            if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
                break
            place: Any = self.document
            for key in value["$ref"].removeprefix("#/").split("/"):
                key = key.replace("~1", "/").replace("~0", "~")
                place = place.get(key) if isinstance(place, dict) else None
            value = place
        return value if isinstance(value, dict) and "$ref" not in value else {}

    def tool(self, path: str, method: str, operation: Json, shared: list[Any]) -> Json:
        properties: Json = {}
        required: dict[str, None] = {}
        for each in (*shared, *at(operation, list, "parameters")):
            parameter = self.resolved(each)
            name = parameter.get("name")
            hidden = parameter.get("in") == "cookie" or str(name).lower() in _HIDDEN
            if isinstance(name, str) and not hidden:
                description = {k: parameter[k] for k in ("description",) if k in parameter}
                properties[name] = description | self.schema(parameter.get("schema"))
                if parameter.get("required") is True:
                    required[name] = None
        body = self.schema(self._content(operation.get("requestBody")))
        if "properties" in body:
            fields = at(body, dict, "properties")
            properties |= {str(name): self.schema(field) for name, field in fields.items()}
            required |= {str(name): None for name in at(body, list, "required")}
        texts = (operation.get(key) for key in ("summary", "description"))
        own = "_".join([method, *re.findall(r"\w+", path)])
        return {
            "name": at(operation, str, "operationId") or own,
            "description": ". ".join(each for each in texts if isinstance(each, str) and each),
            "parameters": {"type": "object", "properties": properties, "required": list(required)},
            "response": self._results(operation.get("responses")),
            "writes": method not in _READS,
        }

    def _results(self, responses: Any) -> Json:
        """Return the schema of the first successful answer, or of an entry of its list."""
        for status, response in at(responses, dict).items():
            if str(status).startswith("2"):
                answer = self.schema(self._content(response))
                return self.schema(answer["items"]) if "items" in answer else answer
        return {}

    def _content(self, value: Any) -> Any:
        kinds = at(self.resolved(value), dict, "content")
        media = kinds.get("application/json", next(iter(kinds.values()), None))
        return self.resolved(media).get("schema")

    def schema(self, value: Any, depth: int = 0) -> Json:
        """Return a schema with the parts that it is made of (`allOf`) as one."""
        whole = self.resolved(value)
        parts = at(whole, list, "allOf") if depth < _DEPTH else []
        for each in parts:
            part = self.schema(each, depth + 1)
            both = {
                "properties": {**at(whole, dict, "properties"), **at(part, dict, "properties")},
                "required": [*at(whole, list, "required"), *at(part, list, "required")],
            }
            whole = part | whole | {key: entry for key, entry in both.items() if entry}
        return whole
