"""A page to search, filter, sort and read dialogues; it opens as a file, without a server.

    folder/index.html           the page: the list of dialogues, and the dialogue that is open
    folder/browser.js           its script
    folder/data.js              the searchable facts of all dialogues
    folder/pages/0-00000.js     dialogues as HTML, CHUNK in a file, loaded when one is opened

Dialogues of further corpora are shown next to those of the first with the same id; so are the
predictions of a second model for the same dialogues.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from dialoom.render.page import document, scroll

CHUNK = 50
"""Most dialogues of one file of the page's data."""

SCRIPT = "browser.js"

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self' file:"

_COLUMNS = {
    "id": "id",
    "split": "part",
    "tasks": "tasks",
    "stage": "stage",
    "outcome": "outcome",
    "turns": "turns",
    "findings": "findings",
    "differ": "models differ",
}

_STYLE = """
header form { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; margin: .8rem 0; }
th button { font: inherit; border: 0; background: none; color: inherit; padding: 0; }
#reader { display: grid; gap: 1rem; }
#reader { grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
"""

_SEARCH = """<form>
<label>Text <input id="said" type="search" placeholder="words in a dialogue"></label>
<label>Id, task or outcome <input id="fact" type="search"></label>
<label><input id="faulty" type="checkbox"> with findings only</label>
</form>
"""

Shown = tuple[Mapping[str, Any], str]
"""A dialogue's facts for the list, and the dialogue as HTML."""


def write(corpora: Mapping[str, Iterable[Shown]], folder: Path) -> int:
    """Write the corpora's page into an empty folder; return the first one's number of dialogues."""
    (folder / "pages").mkdir()
    rows: list[list[Mapping[str, Any]]] = []
    for index, dialogues in enumerate(corpora.values()):
        rows.append([])
        for number, chunk in enumerate(_chunks(dialogues)):
            rows[-1] += [facts for facts, _ in chunk]
            call = f"dialoomPage({index}, {number}, {_script([html for _, html in chunk])});\n"
            (folder / "pages" / f"{index}-{number:05d}.js").write_text(call, encoding="utf-8")
    records = [{"name": name, "rows": entries} for name, entries in zip(corpora, rows, strict=True)]
    data = f"window.dialoomData = {_script({'corpora': records, 'chunk': CHUNK})};\n"
    (folder / "data.js").write_text(data, encoding="utf-8")
    script = resources.files(__package__).joinpath(SCRIPT).read_text(encoding="utf-8")
    (folder / SCRIPT).write_text(script, encoding="utf-8")
    (folder / "index.html").write_text(_page(", ".join(corpora)), encoding="utf-8")
    return len(rows[0])


def _chunks(dialogues: Iterable[Shown]) -> Iterator[list[Shown]]:
    stream = iter(dialogues)
    while chunk := list(islice(stream, CHUNK)):
        yield chunk


def _script(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def _page(title: str) -> str:
    heads = "".join(
        f'<th scope="col"><button type="button" data-column="{name}">{label}</button></th>'
        for name, label in _COLUMNS.items()
    )
    table = f'<table><thead><tr>{heads}</tr></thead><tbody id="rows"></tbody></table>\n'
    body = f"""<main>
<section>
{scroll(table, "Dialogues")}<p><button type="button" id="before">Before</button>
<span id="count" role="status"></span>
<button type="button" id="after">After</button></p>
</section>
<section id="reader" aria-live="polite"><p>Choose a dialogue.</p></section>
</main>
<script src="data.js"></script>
<script src="{SCRIPT}"></script>
"""
    return document(
        title, body, kind="dialoom view", lead=_SEARCH, policy=_POLICY, more_style=_STYLE
    )
