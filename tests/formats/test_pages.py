"""Text and HTML for people: what they tell, what they say they tell; nothing breaks out."""

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
    Candidate,
    Dialogue,
    Event,
    Layer,
    Options,
    Part,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.transcript import lines
from dialoom.errors import UsageError
from dialoom.formats import html, text
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.loss import fields, lost
from dialoom.formats.base.page_view import PageFormat, facts, questionnaire, shown
from dialoom.schema import pack
from tests.found import some
from tests.make import refuses
from tests.strategies import dialogues, sampled

FORMATS: list[Any] = [html.FORMAT, text.FORMAT]
HOSTILE = "</p><script>alert('\"&amp;\x1b[2J\x00')</script>"


def _gold(*parts: Part) -> tuple[Layer, ...]:
    return (Layer("gold", parts),)


def loss(*events: Event) -> set[str]:
    dialogue = Dialogue(id="1", events=events)
    return set(lost(dialogue, shown(dialogue)))


ACTS = "utterance.layers.parts.acts"
SPANS = "utterance.layers.parts.spans"


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        (Utterance(agent="user", text="a", time=5), {"utterance.time"}),
        (
            Utterance(agent="user", text="", layers=_gold(Part("b", acts=(Act("a"),)))),
            set(),
        ),
        (
            Utterance(
                agent="user",
                text="",
                layers=_gold(Part(acts=(Act("a", (Argument("b", ("c",), ("d",)),)),))),
            ),
            set(),
        ),
        (
            Utterance(
                agent="user",
                text="",
                layers=_gold(Part(acts=(Act("a", (Argument("b", (), ("d",)),)),))),
            ),
            {f"{ACTS}.arguments.canonical"},
        ),
        (
            Utterance(agent="user", text="two", layers=_gold(Part(spans=(Span(0, 3, ("n",)),)))),
            set(),
        ),
        (
            Utterance(
                agent="user", text="two two", layers=_gold(Part(spans=(Span(0, 3, ("n",)),)))
            ),
            {f"{SPANS}.start", f"{SPANS}.end"},
        ),
        (
            Utterance(agent="user", text="", layers=_gold(Part(state=State("Find")))),
            {"utterance.layers.source", "utterance.layers.parts.state.intent"},
        ),
        (Query(id="1", api="a", service="b"), set()),
        (Result(items=({"a": 1},) * 4), {"result.items"}),
        (Result(total=-1), {"result.total"}),
        (Result(total=9), set()),
        (Result(api="a"), {"result.api"}),
        (Options(candidates=(Candidate("a", "b"),)), {"options.candidates.id"}),
        (Options(candidates=(Candidate("a"),), choice="a"), set()),
        (Selection(kind="primary", task="a"), {"selection.task"}),
        (Selection(kind="primary", selected=Selected({"a": 1})), set()),
    ],
)
def test_what_an_event_does_not_show_is_named(event: Event, fields: set[str]) -> None:
    assert loss(event) == fields


def test_a_result_is_joined_to_the_query_before_it() -> None:
    first, second = Query(id="1", api="a"), Query(id="2", api="b")
    assert not loss(first, Result(query="1"), second, Result(query="2"))
    assert loss(first, second, Result(query="1")) == {"result.query"}


def test_what_a_corpus_loses_is_reported(tmp_path: Path) -> None:
    dialogue = Dialogue(id="1", events=(), workers={"user": "a"}, answers=(Answer("user", "?", 5),))
    task = pack.load("bank_balance")
    assert all(isinstance(format, PageFormat) for format in FORMATS)
    for format in FORMATS:
        target = tmp_path / format.name
        target.mkdir()
        loss = convert(lambda: iter([dialogue]), {task.id: task}, format, target)
        assert loss == {"dialogue.workers": 1, "schema": 1}


@sampled
@given(dialogues())
def test_every_text_that_is_said_to_be_shown_is_there(dialogue: Dialogue) -> None:
    remainder = shown(dialogue)
    texts = [value for _, value in (*facts(dialogue), *questionnaire(dialogue))]
    texts += [question for question, _ in questionnaire(dialogue)]
    for line in lines(dialogue):
        texts += [line.speaker, line.text, *line.notes]
    page = "\n".join([dialogue.id, *texts])
    for field, values in some(fields(remainder).items()):
        for value in values:
            if isinstance(value, str) and field not in _NO_WORDS:
                assert value in page, field


_NO_WORDS = {
    "utterance.layers.source",
    "selection.kind",
    "dialogue.scenario.goal",
    "query.constraints.operator",
}
"""Fields that a page tells in another way than by their value."""


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
    page = Tags(html.FORMAT.render_file([hostile()]).decode())
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert sum("<script>" in words for words in page.texts) > 10
    plain_text = text.FORMAT.render_file([hostile()]).decode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", plain_text)


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
    dialogues = (Dialogue(id=str(number), events=()) for number in range(count))
    html.FORMAT.write(dialogues, {}, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted({*names, "index.html"})
    index = (tmp_path / "index.html").read_text()
    if count > html.PER_PAGE:
        assert re.findall(r'href="(dialogues[^"]*)"', index) == names
        assert ">201 to 201</a>" in index
        assert 'href="index.html"' in (tmp_path / names[0]).read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_pages_cannot_be_read(format: PageFormat, tmp_path: Path) -> None:
    assert not format.detect(tmp_path)
    with refuses(UsageError, "one-way"):
        format.files(tmp_path)
    with refuses(UsageError, "one-way"):
        format.read_file(tmp_path, tmp_path)
