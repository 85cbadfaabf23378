"""Plain text for reading: a file for each dialogue, a line for each event, with its annotation.

    dialogue 1_00000
    services: Restaurants_1

    0  user    I want a table for two.
               · Restaurants_1: INFORM(party_size = two [2])
    1  system  Restaurants_1.ReserveRestaurant(party_size = 2)

The format is only written; the loss report has what it does not show. Only the
first few items of a result or of suggestions are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dialoom.corpus.files import write_synced
from dialoom.corpus.listing import UniqueNames, numbered, safe
from dialoom.dialogue import Dialogue
from dialoom.dialogue.transcript import lines
from dialoom.formats.base.page_view import PageFormat, facts, questionnaire
from dialoom.render.transcript import clean, to_text
from dialoom.schema.task import TaskSchema

SUFFIX = ".txt"
WIDTH = 100
"""The width to which lines are wrapped, in characters."""


class TextFormat(PageFormat):
    """Writes a file of plain text for each dialogue."""

    name = "text"

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write `<id>.txt` for each dialogue; its number if the id is not valid in a file name."""
        names = UniqueNames(key=str.lower)
        for number, dialogue in enumerate(dialogues, start=1):
            name = names.first(numbered(_name(dialogue, number)))
            write_synced(target / name, self.render_file([dialogue]))

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the text of these dialogues, separated by blank lines."""
        return "\n".join(map(_page, dialogues)).encode()


def _name(dialogue: Dialogue, number: int) -> str:
    name = dialogue.id + SUFFIX
    return name if "/" not in name and name.isprintable() and safe(name) else f"{number}{SUFFIX}"


def _page(dialogue: Dialogue) -> str:
    head = [("dialogue", dialogue.id), *((f"{what}:", value) for what, value in facts(dialogue))]
    top = "".join(f"{clean(what)} {clean(value)}\n" for what, value in head)
    survey = "".join(f"{clean(what)} {clean(value)}\n" for what, value in questionnaire(dialogue))
    body = to_text(lines(dialogue), width=WIDTH)
    return "\n".join(piece for piece in (top, body, survey) if piece)


FORMAT = TextFormat()
