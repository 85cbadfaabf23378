"""Searches of an index find what a plain scan finds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import UnknownNameError
from dialoom.studio.corpora.index import END, SEPARATOR
from dialoom.studio.corpora.search import (
    CLOSE,
    COLUMNS,
    OPEN,
    DialogueRow,
    FoundDialogues,
    Wanted,
    facets,
    search,
)
from tests.strategies import sampled
from tests.studio.corpora.talks import HOSTILE, indexed, labelled, talk, written


def plain(text: str) -> list[str]:
    """Return the words of a text, in lower case and without accents."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", bare.lower())


def scanned(dialogue: Dialogue, words: list[str], phrase: list[str], begin: str) -> bool:
    texts = [plain(event.text) for event in dialogue.events if isinstance(event, Utterance)]
    flat = [word for text in texts for word in text]
    rows = any(
        text[place : place + len(phrase)] == phrase for text in texts for place in range(len(text))
    )
    begins = any(word.startswith(begin) for word in flat)
    return all(word in flat for word in words) and (not phrase or rows) and (not begin or begins)


WORD = st.sampled_from(
    ["room", "Room", "rooms", "café", "cafe", "two", "zwei", "naïve", "x_y", "7:30"]
)
TEXT = st.lists(WORD | st.sampled_from(["?", "…", "-", '"', END, "\0"]), max_size=5).map(" ".join)


@sampled
@given(
    st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=4),
    st.lists(st.sampled_from(["room", "cafe", "Café", "two", "naive"]), max_size=2),
    st.lists(st.sampled_from(["two", "rooms", "room", "zwei"]), max_size=2),
    st.sampled_from(["", "ro", "ca", "t"]),
)
def test_search_equals_a_plain_scan(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[list[str]],
    words: list[str],
    phrase: list[str],
    begin: str,
) -> None:
    if not (words or phrase or begin):
        return
    folder = tmp_path_factory.mktemp("search")
    dialogues = [talk(f"d-{n}", *lines) for n, lines in enumerate(texts)]
    index, _ = indexed(folder, written(folder / "c", *dialogues))
    terms = [*words, f'"{" ".join(phrase)}"' * bool(phrase), f"{begin}*" * bool(begin)]
    with index.reading() as database:
        listing = search(database, Wanted(text=" ".join(terms)))
    tokens = [word for each in words for word in plain(each)]
    expected = [d.id for d in dialogues if scanned(d, tokens, phrase, begin)]
    assert [row.id for row in listing.rows] == expected
    assert listing.total == len(expected)


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., FoundDialogues]:
    dialogues = [
        talk("a", "Two rooms, please.", "Which hotel?", task="hotel", outcome="Complete"),
        talk("b", "A room for two.", "For when?", "Today.", task="hotel"),
        talk("c", "Is it sunny?", task="weather", outcome="Complete"),
        talk("a", "Two rooms again."),
        labelled(),
    ]
    index, _ = indexed(tmp_path, written(tmp_path / "c", *dialogues))

    def asked(**filters: object) -> FoundDialogues:
        with index.reading() as database:
            return search(database, Wanted(**filters))  # type: ignore[arg-type]

    return asked


def names(found: FoundDialogues) -> list[str]:
    return [row.id for row in found.rows]


def test_filters_and_orders(ask: Callable[..., FoundDialogues]) -> None:
    assert names(ask(task="hotel")) == ["a", "b"]
    assert names(ask(outcome="Complete", task="weather")) == ["c"]
    assert names(ask(least=2, most=2)) == ["a", "labelled"]
    assert names(ask(sort="-turns"))[0] == "b"
    assert names(ask(sort="id"))[:3] == ["a", "a", "b"]
    assert names(ask(text="two", task="hotel", outcome="Complete")) == ["a"]
    assert names(ask(text="two", task="hotel", least=3, sort="-id")) == ["b"]
    assert names(ask(text="Complete")) == []
    assert names(ask(finding="any")) == [row.id for row in ask().rows if row.findings]
    with pytest.raises(UnknownNameError):
        ask(sort="id; DROP TABLE dialogue")


@pytest.mark.parametrize("column", [name for name in COLUMNS if name])
@pytest.mark.parametrize("text", ["", "two", "zebra"])
@pytest.mark.parametrize(
    "filters", [{}, {"task": "hotel"}, {"least": 2, "most": 2}, {"finding": "any", "least": 1}]
)
def test_each_order_is_that_of_the_sorted_list(
    ask: Callable[..., FoundDialogues], column: str, text: str, filters: dict[str, object]
) -> None:
    def key(row: DialogueRow) -> tuple[bool, object, int]:
        value = getattr(row, column)  # a dialogue without the fact comes first
        value = SEPARATOR.join(value) if column == "tasks" else value
        return value is not None, "" if value is None else value, row.number

    plain = ask(text=text, **filters)
    for way in ("", "-"):
        listing = ask(text=text, sort=way + column, **filters)
        numbers = [row.number for row in sorted(plain.rows, key=key, reverse=bool(way))]
        assert [row.number for row in listing.rows] == numbers
        assert listing.total == plain.total == len(numbers)


def test_a_page_after_the_last_still_counts(ask: Callable[..., FoundDialogues]) -> None:
    assert (ask(text="two", first=90).total, ask(first=90).total) == (ask(text="two").total, 5)


def test_pages(ask: Callable[..., FoundDialogues]) -> None:
    listing = ask(first=1, page=2)
    assert listing.total == 5
    assert names(listing) == ["b", "c"]


def test_ids_are_found_and_shared_ones_are_said_to_be(ask: Callable[..., FoundDialogues]) -> None:
    assert names(ask(text="labelled")) == ["labelled"]
    assert [row.unique for row in ask(text="rooms").rows] == [False, False]


def test_a_word_is_searched_among_those_that_have_a_fact(
    ask: Callable[..., FoundDialogues],
) -> None:
    assert names(ask(text="a", task="trips")) == ["a"]
    assert names(ask(text="?", task="hotel")) == []


@pytest.mark.parametrize(
    "text", ['"', "*", "AND", "a OR b", "NEAR(", "(", "-", "?", '"" ""', "\ue000"]
)
def test_no_text_breaks_the_search(ask: Callable[..., FoundDialogues], text: str) -> None:
    assert isinstance(ask(text=text).total, int)


def test_a_phrase_is_within_one_utterance(tmp_path: Path) -> None:
    index, _ = indexed(tmp_path, written(tmp_path / "c", talk("a", "I say two", "rooms please")))
    with index.reading() as database:
        assert search(database, Wanted(text='"two rooms"')).total == 0
        assert search(database, Wanted(text="two rooms")).total == 1


def test_excerpts_mark_words_and_keep_markup_as_text(tmp_path: Path) -> None:
    long = "bla " * 100
    index, _ = indexed(
        tmp_path, written(tmp_path / "c", talk("a", f"{long}un Café {HOSTILE} {long}", "x\x02y"))
    )
    with index.reading() as database:
        (row,) = search(database, Wanted(text="cafe")).rows
    assert f"{OPEN}Café{CLOSE}" in row.excerpt
    assert "<img src=x" in row.excerpt
    assert len(row.excerpt) < 250
    assert row.excerpt.count(OPEN) == 1


def test_the_values_of_filters_are_counted(tmp_path: Path) -> None:
    index, _ = indexed(
        tmp_path,
        written(tmp_path / "c", talk("a", "x", task="t"), talk("b", "y", task="t", outcome="Done")),
    )
    with index.reading() as database:
        counts = facets(database)
    assert counts["task"] == {"t": 2}
    assert counts["outcome"] == {"Done": 1}
