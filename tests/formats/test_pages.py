"""Text and HTML for people: what they show; nothing breaks out."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import (
    Act,
    Answer,
    Argument,
    Dialogue,
    Layer,
    Part,
    Query,
    Result,
    Scenario,
    Utterance,
)
from dialoom.errors import UsageError
from dialoom.formats import html, text
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.export_only import ExportOnly
from dialoom.schema import pack
from tests.strategies import dialogues, sampled

FORMATS: list[Any] = [html.FORMAT, text.FORMAT]
HOSTILE = "</p><script>alert('\"&amp;\x1b[2J\x00')</script>"


def _gold(*parts: Part) -> tuple[Layer, ...]:
    return (Layer("gold", parts),)


def test_dialogues_that_cannot_be_read_back_are_reported(tmp_path: Path) -> None:
    dialogue = Dialogue(id="1", events=(), workers={"user": "a"}, answers=(Answer("user", "?", 5),))
    task = pack.load("bank_balance")
    for format in FORMATS:
        target = tmp_path / format.name
        target.mkdir()
        found = convert(lambda: iter([dialogue]), {task.id: task}, format, target)
        assert found == {"dialogue": 1, "schema": 1}


class Tags(HTMLParser):
    """The tags and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hostile() -> Dialogue:
    item = {HOSTILE: HOSTILE}
    return Dialogue(
        id=HOSTILE,
        services=(HOSTILE,),
        scenario=Scenario(goal={HOSTILE: [HOSTILE]}, user_task=HOSTILE),
        answers=(Answer(HOSTILE, HOSTILE, HOSTILE),),
        events=(
            Utterance(
                agent=HOSTILE,
                text=HOSTILE,
                layers=_gold(Part(HOSTILE, acts=(Act(HOSTILE, (Argument(HOSTILE, (HOSTILE,)),)),))),
            ),
            Query(id="1", api=HOSTILE),
            Result(query="1", items=(item,)),
        ),
    )


def test_hostile_words_stay_words() -> None:
    found = Tags(html.FORMAT.render_file([hostile()]).decode())
    assert not {"script", "img", "link", "iframe"} & set(found.tags)
    assert sum("<script>" in words for words in found.texts) > 10
    written = text.FORMAT.render_file([hostile()]).decode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", written)


@sampled
@given(st.lists(dialogues(), max_size=2))
def test_any_dialogue_is_a_page(found: list[Dialogue]) -> None:
    page = html.FORMAT.render_file(found).decode()
    assert "script" not in Tags(page).tags
    assert re.findall(r'(?:src|href)="(?!#)', page) == []
    text.FORMAT.render_file(found).decode()


def test_text_has_a_file_a_dialogue_with_a_safe_name(tmp_path: Path) -> None:
    ids = ["1_00000", "a/b", "..", "A", "a", "a", HOSTILE, "con\n", ""]
    text.FORMAT.write([Dialogue(id=id, events=()) for id in ids], {}, tmp_path)
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {
        "1_00000.txt",
        "2.txt",
        "3.txt",
        "A.txt",
        "a_2.txt",
        "a_3.txt",
        "7.txt",
        "8.txt",
        "9.txt",
    }


def test_text_is_the_transcript_with_facts_and_answers() -> None:
    dialogue = Dialogue(
        id="12",
        events=(Utterance(agent="user", text="Hello."),),
        services=("Ferries_1",),
        answers=(Answer("user", "Was it polite?", True),),
    )
    assert text.FORMAT.render_file([dialogue]).decode() == (
        "dialogue 12\nservices: Ferries_1\nprovenance: imported\n\n"
        "0  user  Hello.\n\n"
        "user: Was it polite? yes\n"
    )


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (0, ["index.html"]),
        (100, ["index.html"]),
        (201, ["dialogues-00001.html", "dialogues-00002.html", "dialogues-00003.html"]),
    ],
)
def test_html_has_pages_and_an_index(tmp_path: Path, count: int, names: list[str]) -> None:
    found = (Dialogue(id=str(number), events=()) for number in range(count))
    html.FORMAT.write(found, {}, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted({*names, "index.html"})
    index = (tmp_path / "index.html").read_text()
    if count > html.PER_PAGE:
        assert re.findall(r'href="(dialogues[^"]*)"', index) == names
        assert "dialogues 201 to 201" in index
        assert 'href="index.html"' in (tmp_path / names[0]).read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_pages_cannot_be_read(format: ExportOnly, tmp_path: Path) -> None:
    assert not format.detect(tmp_path)
    with pytest.raises(UsageError, match="cannot be read back: it is for people to read"):
        format.files(tmp_path)
    with pytest.raises(UsageError, match="cannot be read back"):
        format.read_file(tmp_path, tmp_path)
