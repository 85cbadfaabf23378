"""Rasa's files: YAML 1.2, in which `yes` and dates are texts, and the domain's responses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from dialoom.corpus.listing import beside, listed
from dialoom.errors import DialoomError, FormatError
from dialoom.formats.base.multi_file import content

DOMAIN = re.compile(r"domain\.ya?ml|domain/(?:[^/]+/){0,4}[^/]+\.ya?ml")
"""The files of a project's domain, relative to its folder."""

_ABOVE = 6
"""Number of folders above a file in which the domain is looked for."""


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
        return yaml.load(data.decode("utf-8-sig"), _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = " ".join(str(error).split())
        raise FormatError(file, f"not YAML: {what[:200]}") from error


def domain_of(file: Path) -> list[Path]:
    """Return the files of the domain of the project that a file is in; none if there is none."""
    for folder in list(file.resolve().parents)[:_ABOVE]:
        if beside(folder / "domain.yml") or (folder / "domain").is_dir():
            return listed(folder, DOMAIN)
    return []


def responses(file: Path) -> Mapping[str, str]:
    """Return the first text of each response of the project that a file is in."""
    return _responses(tuple((each, each.stat().st_mtime_ns) for each in domain_of(file)))


@lru_cache(maxsize=4)
def _responses(files: tuple[tuple[Path, int], ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for file, _ in files:
        try:
            value = parsed(content(file), file)
        except DialoomError:
            continue  # a damaged domain leaves the responses without texts
        found |= dict(response_texts(value))
    return found


def response_texts(domain: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and the first text of each response of a domain."""
    held = domain if isinstance(domain, dict) else {}
    for key in ("responses", "templates"):
        named = held.get(key)
        for name, variants in named.items() if isinstance(named, dict) else ():
            several = variants if isinstance(variants, list) else [variants]
            texts = (v.get("text") if isinstance(v, dict) else v for v in several)
            text = next((each for each in texts if isinstance(each, str)), None)
            if text is not None:
                yield str(name), text
