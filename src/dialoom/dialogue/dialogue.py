"""A dialogue: an ordered log of events, with its circumstances.

Simulated, collected and imported dialogues have the same type; they differ in `provenance` and
`origin`. Turns, the state at a turn, the active frame and the sequence of system actions are not
stored, but computed by views (dialogue/views.py).

Dialogues are written as JSON, one on each line: `decode(encode(dialogue)) == dialogue` for every
dialogue (property-tested).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec

from dialoom.dialogue.annotation import DefaultedStruct, Struct, Value
from dialoom.dialogue.event import Event
from dialoom.dialogue.event_lines import event_lines
from dialoom.errors import FormatError
from dialoom.render.transcript import to_html

COMPLETE = "Complete"
"""The outcome of a dialogue that came to its end."""


class Capability(Struct, frozen=True):
    """A task that the system in this dialogue can help with."""

    task: str
    domain: str | None = None
    extra: dict[str, Any] = {}


class Scenario(Struct, frozen=True, kw_only=True):
    """The tasks and goals that the participants got before the dialogue."""

    domains: tuple[str | None, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    user_task: str | None = None
    system_task: str | None = None
    happy: bool | None = None
    multi_task: bool | None = None
    instruction_id: str | None = None
    """Id of the instructions, where the format keeps them in separate files (Taskmaster-1)."""
    goal: Any = None
    extra: dict[str, Any] = {}


class Answer(Struct, frozen=True):
    """An answer of `agent` to a question of the questionnaire after the dialogue."""

    agent: str
    question: str
    answer: Value
    extra: dict[str, Any] = {}


class Origin(Struct, frozen=True):
    """The source of an imported dialogue: its file, relative to the corpus, and its index there."""

    file: str
    index: int | None = None


class Dialogue(DefaultedStruct, frozen=True, kw_only=True):
    """An ordered log of events, with its circumstances.

    Attributes:
        id: The identifier in the source, as text.
        services: The services or tasks of the dialogue, in the source's order.
        workers: Agent to the pseudonym of the person who played it.
        outcome: The outcome ("Complete", "EarlyDisconnectDuringDialogue", ...).
        answers: Answers to questionnaires, and ratings.
        provenance: The way in which the dialogue was made.
        origin: The file it was read from.
        extra: Other keys of the source at this level.
    """

    id: str
    events: tuple[Event, ...]
    services: tuple[str, ...] = ()
    scenario: Scenario | None = None
    workers: dict[str, str] = {}
    batch: str | None = None
    outcome: str | None = None
    answers: tuple[Answer, ...] = ()
    provenance: Literal["imported", "simulated", "collected", "written"] = "imported"
    origin: Origin | None = None
    extra: dict[str, Any] = {}

    def __repr__(self) -> str:
        services = f", {', '.join(self.services)}" if self.services else ""
        return f"<Dialogue {self.id!r}: {len(self.events)} events{services}>"

    def _repr_html_(self) -> str:
        from dialoom.render.page import style

        return f"<style>{style()}</style>\n{to_html(event_lines(self.events))}"


_ENCODER = msgspec.json.Encoder()  # keeps the order of slots and attributes, as files have one
_CANONICAL = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Dialogue)


def encode(dialogue: Dialogue) -> bytes:
    """Return a dialogue as one line of JSON, without a line break."""
    return _ENCODER.encode(dialogue)


def decode(line: bytes, *, path: Path | str = "<memory>", number: int | None = None) -> Dialogue:
    """Decode a dialogue from a line of JSON; `FormatError` for any other line."""
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(path, f"not a native dialogue: {error}", line=number) from error


def digest(value: Any) -> str:
    """Return a hash of a value, 16 hex digits, that does not depend on the order of keys."""
    return hashlib.sha256(_CANONICAL.encode(value)).hexdigest()[:16]
