"""Words for the content of a file that is in no known format: its form, and the keys of objects.

sighted([{"id": 1, "turns": [{"speaker": "user"}]}])
# "a JSON list of objects with id, turns; in turns: speaker"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.formats.base.values import spoken

MOST = 8
"""Most keys that are listed of an object."""

COMPRESSED = {
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"\x1f\x8b": "gzip",
}
"""The first bytes of compressed files, and the name of the method."""


def compression(data: bytes) -> str:
    """Return the method with which a content is compressed; empty if it is not."""
    return next((name for start, name in COMPRESSED.items() if data.startswith(start)), "")


def sighted(value: Any) -> str:
    """Return a JSON value in words: its form, and the keys of its objects."""
    if isinstance(value, list) and value:
        return f"a JSON list of {_several(value[0])}"
    if (
        isinstance(value, dict)
        and len(value) > 1
        and all(isinstance(each, dict) for each in value.values())
    ):
        return f"an object of {_several(next(iter(value.values())))}"
    return f"{spoken(value)}{_keys(value)}"


def _several(first: Any) -> str:
    if not isinstance(first, dict):
        return f"entries, the first of which is {spoken(first)}"
    return f"objects{_keys(first)}" + "".join(_inner(first))


def _inner(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of the first list of objects within an object."""
    for name, held in value.items():
        if isinstance(held, list) and held and isinstance(held[0], dict):
            yield f"; in {name}:{_keys(held[0]).removeprefix(' with')}"
            return


def _keys(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    names = list(value)
    more = len(names) - MOST
    return f" with {', '.join(names[:MOST])}" + (f" and {more} more" if more > 0 else "")
