"""Pages for people, to open in a browser: dialogues with their annotation, in light and dark.

    index.html              a line a page: which dialogues are on it
    dialogues-00001.html    at most 100 dialogues each, with links to each at its top
    <li class="line kind-utterance speaker-user" value="0"><span class="speaker">user</span>
    <p class="text">I want a table for two.</p>
    <ul class="notes"><li>Restaurants_1: INFORM(party_size = two [2])</li></ul></li>

They are written only, load nothing from elsewhere and run no script. What of a dialogue is not on
them, the loss report tells. A corpus of one page has no other than `index.html`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from dialoom.corpus.files import write_synced
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.transcript import lines
from dialoom.formats.base.page_view import PageFormat, facts, questionnaire
from dialoom.render.page import Section, folded, page, text
from dialoom.render.transcript import to_html
from dialoom.schema.task import TaskSchema

INDEX = "index.html"
PER_PAGE = 100
"""Dialogues on a page: some 500 kB, which browsers open at once."""

KIND = "dialoom convert"


class HtmlFormat(PageFormat):
    """Writes pages of dialogues, and an index where there are several."""

    name = "html"

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the pages, one in memory at a time."""
        stream = iter(dialogues)
        batch = list(islice(stream, PER_PAGE))
        following = list(islice(stream, PER_PAGE))
        if not following:
            write_synced(target / INDEX, self.render_file(batch))
            return
        entries: list[str] = []
        first = 1
        while batch:
            name = f"dialogues-{len(entries) + 1:05d}.html"
            write_synced(target / name, _page(batch, first, index=True))
            entries.append(_entry(name, batch, first))
            first += len(batch)
            batch, following = following, list(islice(stream, PER_PAGE))
        listed = f'<ol class="pages">\n{"".join(entries)}</ol>\n'
        title = f"{first - 1:,} dialogues"
        body = page(title, [Section("Pages", listed)], kind=KIND)
        write_synced(target / INDEX, body.encode())

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return a page of these dialogues."""
        return _page(dialogues, 1, index=False)


def _page(dialogues: list[Dialogue], first: int, *, index: bool) -> bytes:
    sections = [Section(dialogue.id or "(no id)", _dialogue(dialogue)) for dialogue in dialogues]
    last = first + len(dialogues) - 1
    title = f"dialogue {dialogues[0].id}" if first == last else f"dialogues {first:,} to {last:,}"
    lead = f'<p><a href="{INDEX}">all pages</a></p>\n' if index else ""
    return page(title if dialogues else "no dialogues", sections, kind=KIND, lead=lead).encode()


def _dialogue(dialogue: Dialogue) -> str:
    asked = _told(questionnaire(dialogue))
    below = folded("questionnaire", asked) if asked else ""
    return _told(facts(dialogue)) + to_html(lines(dialogue)) + below


def _told(pairs: list[tuple[str, str]]) -> str:
    told = "".join(f"<dt>{text(what)}</dt><dd>{text(value)}</dd>\n" for what, value in pairs)
    return f'<dl class="facts">\n{told}</dl>\n' if told else ""


def _entry(name: str, dialogues: list[Dialogue], first: int) -> str:
    ids = f"{dialogues[0].id} … {dialogues[-1].id}"
    said = sum(isinstance(event, Utterance) for each in dialogues for event in each.events)
    last = first + len(dialogues) - 1
    return (
        f'<li><a href="{name}">dialogues {first:,} to {last:,}</a> '
        f'<span class="note">{text(ids)}; {said:,} utterances</span></li>\n'
    )


FORMAT = HtmlFormat()
"""The format, as the registry knows it."""
