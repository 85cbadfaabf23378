from __future__ import annotations

import pytest

from dialoom.collect.kinds.room.questions import SUCCESS, questions
from dialoom.collect.kinds.room.wizard import packages
from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.errors import UnknownNameError
from dialoom.schema import pack
from tests.make import refuses

BOOK, HOTEL = pack.load("restaurant_book"), pack.load("hotel_book")


@pytest.mark.parametrize("role", ROLES)
def test_the_common_questions_are_the_same_in_every_language(role: RoomRole) -> None:
    english, german = (questions(role, (), language) for language in ("en", "de"))
    assert [question.id for question in english] == [question.id for question in german]
    assert all(question.common and question.text.endswith("?") for question in (*english, *german))


@pytest.mark.parametrize("role", ROLES)
def test_tasks_have_questions_of_their_own_and_none_is_asked_twice(role: RoomRole) -> None:
    survey = questions(role, (BOOK, HOTEL, BOOK), "en")
    own = [*BOOK.questions[role], *HOTEL.questions[role]]
    assert [question.text for question in survey if not question.common] == list(dict.fromkeys(own))
    assert len({question.id for question in survey}) == len(survey)


def test_who_searches_is_asked_for_success_as_in_frames() -> None:
    """And not how good a flow chart and suggestions were that they have not got."""
    names = {question.id: question.name for question in questions("wizard", (packages.TASK,), "en")}
    assert names["successful"] == SUCCESS
    assert not {"followed", "suggestions"} & names.keys()
    english, german = (questions("wizard", (packages.TASK,), code) for code in ("en", "de"))
    assert [question.id for question in english] == [question.id for question in german]
    assert questions("user", (packages.TASK,), "en") == questions("user", (), "en")


def test_an_unknown_language_is_named() -> None:
    with refuses(UnknownNameError, "unknown-name", "questionnaires"):
        questions("user", (), "xx")
