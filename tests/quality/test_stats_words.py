"""Words of users, and replies of systems, as the statistics count them."""

from __future__ import annotations

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Dialogue, Layer, Part, Scenario, Utterance
from dialoom.quality.stats.actions import Replies
from dialoom.quality.stats.overview import UserVocabulary
from dialoom.quality.stats.tables import tables


def spoken(number: int, *texts: str) -> Dialogue:
    """Return a dialogue in which the user begins."""
    events = tuple(
        Utterance(agent=(USER, SYSTEM)[place % 2], text=text) for place, text in enumerate(texts)
    )
    return Dialogue(id=str(number), events=events)


def test_names_and_what_occurs_once_are_distinguished() -> None:
    vocabulary = UserVocabulary(6507)
    vocabulary.add(spoken(1, "Hello, I'm Jane. Hello!", "Welcome to the Blue Door, Jane."))
    vocabulary.add(spoken(2, "hello, jane is comming to the blue door", "At the Blue Door?"))
    figures = vocabulary.result()
    assert figures == {"words": 9, "without_entities": 6, "again": 1, "published": 6507}
    (table,) = tables({"vocabulary": figures})
    assert [row[-1] for row in table.rows] == [None, 6507, None]
    assert "3.6 times" in table.notes[-1]


def test_no_words_and_too_many() -> None:
    assert UserVocabulary().result() is None
    few = UserVocabulary(most=1)
    for number in (1, 2):
        few.add(spoken(number, "one two three"))
    assert few.result() == {"words": None, "without_entities": None, "again": None}


def replied(stage: str, *labels: str | None, outcome: str = "Complete") -> Dialogue:
    events = tuple(
        Utterance(
            agent=SYSTEM,
            text="Yes.",
            layers=(Layer(GOLD, (Part(acts=(Act(label),)),)),) if label else (),
        )
        for label in labels
    )
    scenario = Scenario(happy=stage == "happy", multi_task=stage == "multi-task")
    return Dialogue(id="1", events=events, scenario=scenario, outcome=outcome)


def test_custom_replies_by_stage() -> None:
    replies = Replies()
    replies.add(replied("happy", "hello", None))
    replies.add(replied("multi-task", "hello", "bye", "bye", None))
    replies.add(replied("happy", None, None, outcome="Aborted"))
    figures = replies.result()
    assert figures is not None
    assert {stage: row["custom_share"] for stage, row in figures["stages"].items()} == {
        "happy": 0.5,
        "multi-task": 0.25,
        "all": 0.3333,
    }
    (table,) = tables({"replies": figures})
    assert table.rows[0] == ["happy", 2, 1, 50.0]


def test_where_nothing_is_custom_there_is_nothing_to_show() -> None:
    replies = Replies()
    replies.add(replied("happy", "hello"))
    assert replies.result() is None
