"""The same server on PostgreSQL: Debian's package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dialoom.collect.study import page
from tests import postgres
from tests.serve.conftest import SINGLE
from tests.serve.play import whole
from tests.serve.served import Served, served


@pytest.fixture(scope="module")
def postgresql() -> Iterator[postgres.Server]:
    yield from postgres.serve()


@pytest.fixture
def study(postgresql: postgres.Server) -> Iterator[Served]:
    with served(postgresql.create(), SINGLE) as study:
        yield study


def test_a_dialogue_is_played_to_its_end(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    user.drop()
    wizard.until_turn()
    wizard.do("say", text="Good evening")
    user.open(fresh=False)
    whole(user, wizard)
    assert user.until_kind("closed")["event"]["outcome"] == "Complete"
    again = study.opened.replay()
    assert again.state.records == study.hub.study.state.records
    assert page.state(again, 1, 0)["done"] == page.state(study.hub.study, 1, 0)["done"]
