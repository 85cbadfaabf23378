"""YAML 1.2 files of others as values: `yes`, `no` and dates are texts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from dialoom.corpus.files import check_depth
from dialoom.errors import FormatError

SUFFIXES = (".yml", ".yaml")

_BOOL, _DATE = "tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp"


@cache
def _loader() -> Any:
    """Return a loader of YAML 1.2's scalars; PyYAML is imported when it is first needed."""
    import yaml

    class Scalars(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            first: [rule for rule in rules if rule[0] not in (_BOOL, _DATE)]
            for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    words = re.compile(r"true|True|TRUE|false|False|FALSE")
    Scalars.add_implicit_resolver(_BOOL, words, list("tTfF"))
    return Scalars


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
