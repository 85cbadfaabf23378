"""HTML pages of dialogues with their annotation, for reading in a browser.

    index.html              the list of pages, with the dialogues on each
    dialogues-00001.html    at most 100 dialogues, with links to each at the top
    <li class="line kind-utterance speaker-user" value="0"><span class="speaker">user</span>
    <p class="text">I want a table for two.</p>
    <ul class="notes"><li>Restaurants_1: INFORM(party_size = two [2])</li></ul></li>

The format is only written. Pages load nothing from elsewhere, run no script, and follow the
reader's choice of light or dark; the loss report has what pages do not show. A corpus of one page
has only `index.html`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from dialoom.corpus.files import write_synced
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.transcript import lines
from dialoom.formats.base.page_view import PageFormat, facts, questionnaire
from dialoom.render.page import Section, definitions, folded, link, page, table
from dialoom.render.tables import Row
from dialoom.render.transcript import to_html
from dialoom.schema.task import TaskSchema

INDEX = "index.html"
PER_PAGE = 100
"""Most dialogues of a page, which then has some 500 kB."""

KIND = "dialoom convert"


class HtmlFormat(PageFormat):
    """Writes pages of dialogues, and an index if there are several."""

    name = "html"

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the pages, with one in memory at a time."""
        stream = iter(dialogues)
        batch = list(islice(stream, PER_PAGE))
        following = list(islice(stream, PER_PAGE))
        if not following:
            write_synced(target / INDEX, self.render_file(batch))
            return
        entries: list[Row] = []
        first = 1
        while batch:
            name = f"dialogues-{len(entries) + 1:05d}.html"
            write_synced(target / name, _page(batch, first, index=True))
            entries.append(_entry(name, batch, first))
            first += len(batch)
            batch, following = following, list(islice(stream, PER_PAGE))
        listing = table(("dialogues", "ids", "utterances"), entries, "Pages")
        title = f"{first - 1:,} dialogues"
        body = page(title, [Section("Pages", listing)], kind=KIND)
        write_synced(target / INDEX, body.encode())

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return a page of these dialogues."""
        return _page(dialogues, 1, index=False)


def _page(dialogues: list[Dialogue], first: int, *, index: bool) -> bytes:
    sections = [Section(dialogue.id or "(no id)", _dialogue(dialogue)) for dialogue in dialogues]
    last = first + len(dialogues) - 1
    title = f"dialogue {dialogues[0].id}" if first == last else f"dialogues {first:,} to {last:,}"
    lead = f"<p>{link(INDEX, 'all pages')}</p>\n" if index else ""
    return page(title if dialogues else "no dialogues", sections, kind=KIND, lead=lead).encode()


def _dialogue(dialogue: Dialogue) -> str:
    survey = _facts_list(questionnaire(dialogue))
    below = folded("questionnaire", survey) if survey else ""
    return _facts_list(facts(dialogue)) + to_html(lines(dialogue)) + below


def _facts_list(pairs: list[tuple[str, str]]) -> str:
    return definitions(((what, [value]) for what, value in pairs), "facts")


def _entry(name: str, dialogues: list[Dialogue], first: int) -> Row:
    count = sum(isinstance(event, Utterance) for each in dialogues for event in each.events)
    numbers = link(name, f"{first:,} to {first + len(dialogues) - 1:,}")
    return numbers, f"{dialogues[0].id} … {dialogues[-1].id}", count


FORMAT = HtmlFormat()
