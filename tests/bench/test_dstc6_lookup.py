"""The lookup of the bot's next act, and simulated items beside others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.bench.dstc6.comparing import (
    ALL,
    KINDS,
    OTHER,
    TWICE,
    USERS,
    knowledge_table,
    profile,
    tables,
)
from dialoom.bench.dstc6.lookup import LEVELS, ActExample, Lookup, acts
from dialoom.dialogue import Candidate, Dialogue, Options, Origin
from dialoom.formats.babi.lists import KnowledgeBase
from dialoom.render.tables import Row
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.policies.booking.roles import roles_of
from dialoom.sim.presets.dstc6 import BookingPlan
from tests.found import some


def simulated(first: int, number: int = 40, seed: int = 3) -> list[Dialogue]:
    plan = PRESETS.get("dstc6").plan(Request(number=number, seed=seed))
    assert isinstance(plan, BookingPlan)
    source = plan.source()
    return [source(n) for n in range(first * number, (first + 5) * number)]


def examples(dialogues: list[Dialogue]) -> list[ActExample]:
    return list(acts(dialogues, roles_of(dialogues)))


def accuracy(lookup: Lookup, turns: list[ActExample]) -> float:
    return sum(lookup.predict(keys)[0] == act for keys, act in turns) / len(turns)


def example(*keys: str, act: str = "look") -> ActExample:
    return tuple(keys), act


def test_the_longest_key_that_is_known_decides() -> None:
    turns = [example(*"abcde", act="look"), example(*"abcde", act="look"), example(*"xbcde")]
    lookup = Lookup([*turns, example(*"vwcde", act="hello"), example(*"vwcde", act="hello")])
    assert lookup.predict("abcde") == ("look", 0)
    assert lookup.predict("?wcde") == ("hello", 1)
    assert lookup.predict("??cde") == ("look", 2)
    assert lookup.predict("?????") == (None, len(LEVELS))


def test_of_equally_frequent_acts_the_first_in_the_alphabet_is_taken() -> None:
    lookup = Lookup([example(*"abcde", act=act) for act in ("b", "a", "c")])
    assert lookup.predict("abcde") == ("a", 0)


def test_every_turn_within_histories_is_an_example() -> None:
    dialogues = simulated(0, 10)
    turns = examples(dialogues)
    systems = sum(event.agent == "system" for d in dialogues for event in d.events[:-1])
    assert len(turns) == systems
    assert all(len(keys) == len(LEVELS) for keys, _ in turns)
    assert turns[0][1] == "hello"


def test_ours_predicts_ours_of_another_seed() -> None:
    lookup = Lookup(examples(simulated(0, 150)))
    assert accuracy(lookup, examples(simulated(5, 40, seed=4))) > 0.92  # 0.939


def by_title(one: list[Dialogue], other: list[Dialogue]) -> dict[str, list[Row]]:
    return {table.title: list(table.rows) for table in tables(profile(one), profile(other))}


def test_a_set_beside_itself_differs_in_nothing() -> None:
    dialogues = simulated(5)
    tables = by_title(dialogues, dialogues)
    assert all(row[-1] == 0 for row in tables["Candidates by kind, %"])
    pairs = tables["Pairs of acts of the bot that follow one another"]
    assert {row[-1] for row in pairs} == {0}
    assert [row[0] for row in tables["Items"]][-1] == "all"
    assert tables["Items"][-1][1:] == (200, 200)
    for row in tables["The order of the bot's questions"]:
        assert row[2] == row[4] == 0


def test_rows_fit_their_headers() -> None:
    empty = profile([])
    for one, other in ((profile(simulated(5, 4)), empty), (empty, empty)):
        for table in some(tables(one, other)):
            assert all(len(row) == len(table.header) for row in table.rows)


def test_candidates_that_are_no_line_of_the_bot_are_told_apart() -> None:
    dialogues = simulated(5, 20)
    texts = ("never heard", dialogues[0].events[0].text, "never heard")  # type: ignore[union-attr]
    candidates = tuple(Candidate(str(n), text) for n, text in enumerate(texts))
    odd = Dialogue(id="odd", events=(Options(candidates=candidates),), origin=Origin("x", 0))
    more, fewer = (profile(sample)[KINDS][ALL] for sample in ([*dialogues, odd], dialogues))
    kinds = more - fewer
    assert kinds == Counter({OTHER: 2, TWICE: 1, USERS: 1})


def test_knowledge_bases_side_by_side() -> None:
    one = KnowledgeBase(({"name": "a", "rating": "1"}, {"name": "b", "rating": "1"}), " ")
    table = knowledge_table(one, KnowledgeBase((), " "), "kb1.txt")
    assert all(len(row) == len(table.header) for row in table.rows)
    counts = {row[0]: row[1:] for row in table.rows}
    assert counts["restaurants"] == (2, 0)
    assert counts["ratings tied within one"] == (1, 0)
    assert counts["values of name"] == (2, None)


@pytest.mark.corpus
def test_ours_is_like_the_published_test_files(corpora: Path) -> None:
    lookup = Lookup(examples(simulated(0, 400)))
    for first, name in ((5, "tst1"), (15, "tst3")):
        real = list(formats.load(corpora / "dstc6" / name).dialogues())[::2]
        tables = by_title(simulated(first, 400), real)
        kinds = {row[1]: row[4] for row in tables["Candidates by kind, %"] if row[0] == "all"}
        assert all(abs(float(apart or 0)) < 2 for apart in kinds.values())
        for row in tables["Pairs of acts of the bot that follow one another"]:
            assert row[3] == 0  # what the published bot never does, ours does not either
            assert int(row[4] or 0) <= 2
            assert float(row[5] or 0) < 0.02  # at most 0.008
        for row in tables["The order of the bot's questions"]:
            assert row[2] == row[4] == 0
        assert accuracy(lookup, examples(real)) > 0.78  # 0.863 and 0.802
