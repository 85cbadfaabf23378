"""JSON objects read key by key: what the model names is taken, the rest becomes `extra`.

    fields = Fields(raw, Place(file, dialogue="dlg-1", event=3))
    text = fields.take("text", str)
    index = fields.take("index", int, default=0)       # noted as absent where it is
    extra = fields.extra()                             # {"mood": "glad", "layout": {…}}

A key that is taken must have its type. `extra["layout"]` holds marks of ours about how the source
spelled things; a source's own key "layout" lies inside it, under its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dialoom.dialogue import GOLD, Layer, Utterance
from dialoom.errors import FormatError

LAYOUT = "layout"
ABSENT = "absent"

Json = dict[str, Any]

_REQUIRED = object()
_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
_NAMES |= {bool: "true or false", float: "a number", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file something stands, for messages."""

    file: Path
    dialogue: str | None = None
    event: int | None = None

    def error(self, what: str) -> FormatError:
        """Return the error that `what` is wrong here."""
        return FormatError(self.file, what, dialogue=self.dialogue, event=self.event)


class Fields:
    """One JSON object, read key by key.

    Args:
        raw: The object.
        place: Where it stands.
        what: What it is, for messages ("segment").

    Raises:
        FormatError: It is no object.
    """

    def __init__(self, raw: Any, place: Place, what: str = "dialogue") -> None:
        if type(raw) is not dict:
            raise place.error(f"{what}: expected an object, not {_spoken(raw)}")
        self._rest = dict(raw)
        self._place = place
        self._what = what
        self._absent: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._rest

    def take(self, key: str, *kinds: type, default: Any = _REQUIRED) -> Any:
        """Return the value of `key`, which must be of one of the kinds; `default` if absent.

        Raises:
            FormatError: It is of another kind, or absent without a default.
        """
        if key not in self._rest:
            if default is _REQUIRED:
                raise self._place.error(f"{self._what}: no {key!r}")
            self._absent.append(key)
            return default
        value = self._rest.pop(key)
        if type(value) not in kinds:
            expected = " or ".join(_NAMES[kind] for kind in kinds)
            what = f"{self._what}: {key!r} is {_spoken(value)}; expected {expected}"
            raise self._place.error(what)
        return value

    def get(self, key: str) -> Any:
        """Return the value of `key` and leave it to `extra`; None if absent."""
        return self._rest.get(key)

    def keep(self, key: str, value: Any) -> None:
        """Put a value under `key` into `extra`."""
        self._rest[key] = value

    def __iter__(self) -> Iterator[str]:
        """Yield the keys that nothing took; they may be taken meanwhile."""
        yield from tuple(self._rest)

    def extra(self, marks: Json | None = None) -> Json:
        """Return what was not taken, with marks about the layout."""
        marks = dict(marks or {})
        if self._absent:
            marks[ABSENT] = self._absent
        if LAYOUT in self._rest:
            marks[LAYOUT] = self._rest.pop(LAYOUT)
        return self._rest | ({LAYOUT: marks} if marks else {})


def marks(extra: Mapping[str, Any]) -> Json:
    """Return the marks about the layout that `extra` holds."""
    held = extra.get(LAYOUT)
    return held if isinstance(held, dict) else {}


def rest(extra: Mapping[str, Any], known: Collection[str]) -> Json:
    """Return the source's own keys in `extra`, without those that the layout has a place for."""
    if not extra:
        return {}
    own = {key: value for key, value in extra.items() if key != LAYOUT and key not in known}
    held = marks(extra)
    return own | {LAYOUT: held[LAYOUT]} if LAYOUT in held else own


def is_absent(extra: Mapping[str, Any], key: str) -> bool:
    """Tell whether the source left `key` out."""
    absent = marks(extra).get(ABSENT)
    return isinstance(absent, list) and key in absent


def without_absent(raw: Json, extra: Mapping[str, Any], empty: Mapping[str, Any]) -> Json:
    """Leave out what the source left out, as long as it still is what reading made of nothing.

    Args:
        raw: The object to be written.
        extra: Holds the marks.
        empty: The keys that may be left out, with the values that say nothing.
    """
    if not extra:
        return raw
    out = {k for k, nothing in empty.items() if raw[k] == nothing and is_absent(extra, k)}
    return {key: value for key, value in raw.items() if key not in out}


def annotation(utterance: Utterance) -> Layer | None:
    """Return the layer to write where there is room for one: the gold one, else the first."""
    layers = utterance.layers
    return next((layer for layer in layers if layer.source == GOLD), layers[0] if layers else None)


def _spoken(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)
