"""JSON values as published files hold them: compared strictly, with keys of their own anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from dialoom.corpus import Format
from dialoom.dialogue import Dialogue, decode, encode
from dialoom.errors import FormatError
from tests.strategies import json_values, names

Json = dict[str, Any]
FILE = Path("corpus") / "file"

own_keys = st.dictionaries(
    names | st.sampled_from(["layout", "absent", "keys", "file", "db", "extra", "labels"]),
    json_values,
    max_size=2,
)
"""Keys that no layout names, some of which we use ourselves."""


@st.composite
def objects(
    draw: st.DrawFn,
    needed: Mapping[str, st.SearchStrategy[Any]],
    optional: Mapping[str, st.SearchStrategy[Any]] | None = None,
) -> Json:
    """Return objects with the needed keys, some of the optional ones and some of their own."""
    members: Json = draw(st.fixed_dictionaries(dict(needed), optional=dict(optional or {})))
    return {k: v for k, v in draw(own_keys).items() if k not in (optional or {})} | members


def spell(value: Any) -> str:
    """Spell a value so that 1, 1.0 and true differ and the order of keys does not."""
    return json.dumps(value, sort_keys=True)


def read(format: Format, data: bytes) -> list[Dialogue]:
    """Read a file's content, by way of dialoom's own line format."""
    reader = format.read  # type: ignore[attr-defined]
    return [decode(encode(dialogue)) for dialogue in reader(data, FILE, "file")]


def there_and_back(format: Format, data: bytes) -> bytes:
    """Read a file's content and write it again."""
    return format.render_file(read(format, data))


def check_told_or_kept(format: Format, raw: Any) -> None:
    """Check that a damaged file comes back value for value, or one line tells why not."""
    try:
        output = there_and_back(format, json.dumps(raw).encode())
    except FormatError as error:
        assert "\n" not in str(error)
    else:
        assert spell(json.loads(output)) == spell(raw)
