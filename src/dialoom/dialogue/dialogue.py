"""The one noun: a dialogue is an ordered event log plus its circumstances.

A simulated run, a wizard's session and an imported file are all this type; only `provenance` and
`origin` differ. Turns, the state at a turn, the active frame and the sequence of system actions are
views (dialogue/views.py), computed on reading and never stored.
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.event import Event


class Capability(Struct, frozen=True):
    """A task that the system of this dialogue could help with (STAR's WizardCapabilities)."""

    task: str
    domain: str | None = None
    extra: dict[str, Any] = {}


class Scenario(Struct, frozen=True, kw_only=True):
    """What the participants were asked to do before the dialogue began."""

    domains: tuple[str | None, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    user_task: str | None = None
    system_task: str | None = None
    happy: bool | None = None
    multi_task: bool | None = None
    instruction_id: str | None = None
    """Names the instructions where the format keeps them in files of their own (Taskmaster-1)."""
    goal: Any = None
    extra: dict[str, Any] = {}


class Answer(Struct, frozen=True):
    """One answer of a questionnaire filled in by `agent` after the dialogue."""

    agent: str
    question: str
    answer: Value
    extra: dict[str, Any] = {}


class Origin(Struct, frozen=True):
    """Where an imported dialogue came from: file relative to the corpus, index within it."""

    file: str
    index: int | None = None


class Dialogue(Struct, frozen=True, kw_only=True):
    """An ordered log of events and the circumstances it arose in.

    Attributes:
        id: The source's own identifier, as text.
        events: What happened, in order.
        services: The services or tasks in play, in the source's order.
        scenario: What the participants were asked to do.
        workers: Agent to the (anonymised) identity that played it.
        batch: The collection batch.
        outcome: How it ended ("Complete", "EarlyDisconnectDuringDialogue", ...).
        answers: Questionnaires and ratings.
        provenance: How it came to be.
        origin: Where it was read from.
        extra: What the source has at this level and the model does not name.
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
        """Return it as a page's part, which notebooks show."""
        from dialoom.dialogue.transcript import lines
        from dialoom.render.page import style
        from dialoom.render.transcript import to_html

        return f"<style>{style()}</style>\n{to_html(lines(self))}"
