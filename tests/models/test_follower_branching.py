"""Flows that branch on what the user says of a value, and replies that end in one question."""

from __future__ import annotations

import numpy as np
import pytest

from dialoom.dialogue import Event, Result, Utterance
from dialoom.flow.action_view import view_actions
from dialoom.formats.star.importing import to_schema
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import DescribedActions, branch, said_value, value_match
from dialoom.models.follower.slots import SlotPlan
from dialoom.schema.source import StarSource, StarView
from tests.models.tiny import query, system, user

REPLIES = {
    "hello": "Shall I hide a number?",
    "ask": "How many stones do I hold?",
    "right": "You have seen it. One more?",
    "wrong": "No, it is '{stones:s}'. One more?",
    "tell": "It was '{stones:s}'. One more?",
    "leave": "Goodbye.",
    "query": "Query",
}
STONES = to_schema(
    "stones",
    None,
    REPLIES,
    StarSource(
        paper=StarView(edges={"hello": "query", "query": "ask"}),
        sam=StarView(
            nodes={
                "user_play": "Let us play",
                "db_stones": "[RESULT] APIName = stones ; Stones = [STONES] ;",
                "user_right": "You hold [STONES]",
                "user_wrong": "You hold [WRONG_STONES]",
                "user_unsure": "I cannot tell",
                "user_more": "Yes, another one",
                "user_bye": "Bye",
                **REPLIES,
                "query": "[QUERY]",
            },
            edges={
                "user_play": "query",
                "db_stones": "ask",
                "user_right": "right",
                "user_wrong": "wrong",
                "user_unsure": "tell",
                "user_more": "query",
                "user_bye": "leave",
            },
            reverse={
                "user_play": "hello",
                "db_stones": "query",
                "user_right": "ask",
                "user_wrong": "ask",
                "user_unsure": "ask",
                "user_more": "right",
                "user_bye": "right",
            },
        ),
    ),
)
PROGRAM = view_actions(STONES)


def reply(label: str) -> Utterance:
    return system(label, REPLIES[label])


def asked(*said: str) -> DialogueProgress:
    progress = DialogueProgress(SlotPlan(PROGRAM), lambda _: (None, 0.0))
    result = Result(items=({"APIName": "stones", "Stones": "three"},))
    events: list[Event] = [reply("hello"), user("Yes"), query(), result, reply("ask")]
    for event in (*events, *map(user, said)):
        progress.step(event)
    return progress


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Three!", ("right", frozenset({"wrong"}))),
        ("It is 3, I think.", ("right", frozenset({"wrong"}))),
        ("Thirteen", (None, frozenset({"right"}))),
        ("I cannot tell", (None, frozenset({"right"}))),
    ],
)
def test_a_value_said_or_not_takes_its_branch(
    said: str, expected: tuple[str | None, frozenset[str]]
) -> None:
    assert branch(PROGRAM, asked(said)) == expected


def test_nothing_branches_before_the_user_has_spoken_or_after_another_reply() -> None:
    assert branch(PROGRAM, asked()) == (None, frozenset())
    progress = asked("three")
    for event in (reply("right"), user("three more")):
        progress.step(event)
    assert branch(PROGRAM, progress) == (None, frozenset())


def test_a_condition_wants_a_value_or_another_one() -> None:
    progress, silent = asked("three"), asked("four")
    assert [value_match(f"You hold [{name}]", progress) for name in ("STONES", "WRONG_STONES")] == [
        1.0,
        -1.0,
    ]
    assert [value_match(f"You hold [{name}]", silent) for name in ("STONES", "WRONG_STONES")] == [
        -1.0,
        1.0,
    ]
    assert value_match("You hold [PEBBLES]", progress) == value_match("Bye", progress) == 0.0


def test_the_branch_is_put_first_and_the_others_last() -> None:
    scores = np.array([3.0, 1.0, 0.0])
    plain = DescribedActions(("a", "b", "c"), np.zeros((3, 1), dtype=np.float32))
    assert list(said_value(plain, scores)) == list(scores)
    branch_scores = said_value(plain._replace(branch="c", closed=frozenset({"a"})), scores)
    assert branch_scores.argmax() == 2 and branch_scores.argmin() == 0


def test_replies_that_end_in_the_same_question_are_answered_alike() -> None:
    answers = {
        before: {(edge.condition, edge.after) for edge in PROGRAM.graph.leaving[before]}
        for before in ("right", "wrong", "tell")
    }
    assert answers["right"] == {("Yes, another one", "query"), ("Bye", "leave")}
    assert answers["right"] == answers["wrong"] == answers["tell"]
