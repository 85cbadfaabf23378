"""YAML 1.2 files of others as values: `yes`, `12:30` and dates are texts; keys are there once."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from dialoom.corpus.files import check_depth
from dialoom.errors import FormatError

SUFFIXES = (".yml", ".yaml")

_TAG = "tag:yaml.org,2002:"
_MERGE, _NULL = _TAG + "merge", _TAG + "null"
_SCALARS = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+0123456789.",
    ),
}
"""The scalars of YAML 1.2's core schema but null, and the letters that they begin with."""


@cache
def _loader() -> Any:
    """Return a loader of YAML 1.2's scalars; PyYAML is imported when it is first needed."""
    import yaml

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            first: [rule for rule in rules if rule[0] in (_MERGE, _NULL)]
            for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

        def compose_mapping_node(self, anchor: Any) -> Any:
            node = super().compose_mapping_node(anchor)
            keys = set()
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                    if key.value in keys:
                        what = f"the key {key.value!r} is there twice"
                        raise yaml.MarkedYAMLError(problem=what, problem_mark=key.start_mark)
                    keys.add(key.value)
            return node

    for name, (pattern, letters) in _SCALARS.items():
        Loader.add_implicit_resolver(_TAG + name, re.compile(rf"(?:{pattern})$"), list(letters))
    Loader.add_constructor(_TAG + "int", lambda loader, node: _whole(node.value))
    return Loader


def _whole(text: str) -> int:
    return int(text, 0 if text[:2] in ("0o", "0x") else 10)


def parsed(data: bytes, file: Path) -> Any:
    """Return the value of a YAML file; `FormatError` if it is not YAML."""
    import yaml

    try:
        value = yaml.load(data.decode("utf-8-sig"), _loader())
        check_depth(value)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = " ".join(str(error).split())
        raise FormatError(file, f"not YAML: {what[:200]}", code="bad-yaml") from error
    return value
