"""The domain of a Rasa project: its files, the texts of its responses, and its slots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from dialoom.corpus.listing import file_or_gz, listed
from dialoom.errors import DialoomError
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import Json, at
from dialoom.formats.base.yaml_file import SUFFIXES, parsed

DOMAIN = re.compile(r"domain\.ya?ml|domain/(?:[^/]+/){0,4}[^/]+\.ya?ml")
"""The files of a project's domain, relative to its folder."""

_ABOVE = 6
"""Number of folders above a file in which the domain is looked for."""


def domain_of(file: Path) -> list[Path]:
    """Return the files of the domain of the project that a file is in; none if there is none."""
    for folder in list(file.resolve().parents)[:_ABOVE]:
        names = (f"domain{suffix}" for suffix in SUFFIXES)
        if any(file_or_gz(folder / name) for name in names) or (folder / "domain").is_dir():
            return listed(folder, DOMAIN)
    return []


def responses(file: Path) -> Mapping[str, str]:
    """Return the first text of each response of the project that a file is in."""
    return _responses(tuple((each, each.stat().st_mtime_ns) for each in domain_of(file)))


@lru_cache(maxsize=4)
def _responses(files: tuple[tuple[Path, int], ...]) -> Mapping[str, str]:
    texts: dict[str, str] = {}
    for file, _ in files:
        with suppress(DialoomError):  # a damaged file adds nothing
            texts |= response_texts(parsed(content(file), file))
    return texts


def slots(file: Path) -> dict[str, Json]:
    """Return the definition of each slot of a file's project; `FormatError` if it is not YAML."""
    entries: dict[str, Json] = {}
    for each in domain_of(file):
        for name, slot in at(parsed(content(each), each), dict, "slots").items():
            entries.setdefault(str(name), at(slot, dict))
    return entries


def response_texts(domain: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and the first text of each response of a domain."""
    for key in ("responses", "templates"):
        for name, variants in at(domain, dict, key).items():
            several = variants if isinstance(variants, list) else [variants]
            texts = (v.get("text") if isinstance(v, dict) else v for v in several)
            text = next((each for each in texts if isinstance(each, str)), None)
            if text is not None:
                yield str(name), text
