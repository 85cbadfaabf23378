"""Verticals and their words: what can be ordered or booked, and how people speak of it.

    vertical = texts().verticals[0]                 # lang/en-selfdialogue.json
    lines(vertical)["ask.name.store"]               # templates

No vertical has code of its own: its arguments, values, menu and lines are all in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from dialoom.dialogue import Origin
from dialoom.schema.lexicon import texts_of
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.realiser import Templates, templates

ONTOLOGY = "ontology.json"
"""The file of an ontology, as the published one is called."""


class Vertical(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of transaction.

    Attributes:
        id: What labels begin with.
        vertical: What the ontology calls the transaction.
        required: Arguments that it needs.
        optional: Arguments that it may have.
        asked: All arguments, in the order in which the assistant asks for them.
        refused: Arguments of which a value may not be available.
        menu: The argument whose values have parts; empty where there is none.
        part: The argument that is a part, where parts can be asked for one by one.
        wish: The argument for changes of what the menu has.
        menus: Value to its parts; one without parts leaves them to the user.
        extras: Parts that may be put in the place of others; `part`'s values where there are none.
        values: Argument to its values.
        instructions: Id to what a worker is told.
        lines: Line id to its texts.
    """

    id: str
    vertical: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    asked: tuple[str, ...]
    refused: tuple[str, ...]
    menu: str
    part: str
    wish: str
    menus: dict[str, tuple[str, ...]]
    extras: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    instructions: dict[str, str]
    lines: dict[str, tuple[str, ...]]

    def options(self, argument: str) -> tuple[str, ...]:
        """Return the values of an argument."""
        return tuple(self.menus) if argument == self.menu else self.values[argument]


class OutlineTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-selfdialogue.json`.

    Attributes:
        language: Its code.
        verticals: What can be ordered or booked.
        leads: Words that may or may not count as part of the value after them.
        lines: Lines that all verticals share.
    """

    language: str
    leads: tuple[str, ...]
    verticals: tuple[Vertical, ...]
    lines: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> OutlineTexts:
    """Return the words of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "selfdialogue", "self-dialogues", OutlineTexts)


def lines(vertical: Vertical) -> Templates:
    """Return the templates of a vertical's lines and of the shared ones."""
    return templates(texts().lines | vertical.lines)


def ontology_entry(
    name: str, vertical: str, required: Sequence[str], optional: Sequence[str], index: int
) -> TaskSchema:
    """Return a vertical as the format reads it from an ontology.

    Args:
        name: Its id, which labels begin with.
        vertical: What the transaction is called.
        required: Its required arguments.
        optional: Its optional arguments.
        index: Its place in the file.
    """
    intent = ServiceIntent(
        name=vertical,
        transactional=True,
        required=tuple(required),
        optional=dict.fromkeys(optional),
    )
    slots = tuple(ServiceSlot(name=each) for each in (*required, *optional))
    service = Service(slots=slots, intents=(intent,))
    return from_service(name, service, origins=(Origin(ONTOLOGY, index),))
