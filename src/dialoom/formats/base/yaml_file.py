"""YAML 1.2 files of others as values: `yes`, `no` and dates are texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from dialoom.corpus.files import check_depth
from dialoom.errors import FormatError

SUFFIXES = (".yml", ".yaml")


class _Loader(yaml.SafeLoader):
    """A loader of YAML 1.2's scalars."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in rules
        if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
    ]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool",
    re.compile(r"true|True|TRUE|false|False|FALSE"),
    list("tTfF"),
)


def parsed(data: bytes, file: Path) -> Any:
    """Return the value of a YAML file.

    Raises:
        FormatError: It is not YAML.
    """
    try:
        value = yaml.load(data.decode("utf-8-sig"), _Loader)
        check_depth(value)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = " ".join(str(error).split())
        raise FormatError(file, f"not YAML: {what[:200]}") from error
    return value
