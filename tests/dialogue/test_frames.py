"""Frames come into being, change and become active as the corpus's rules say."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Frame, FrameQuestion, FrameValue
from dialoom.dialogue.frames import START, FramesState, step
from dialoom.errors import UsageError
from dialoom.sim.policies.frames.recorder import REF, about, act, reading, saying, writing
from tests.make import refuses


def wishes(**values: str) -> FramesState:
    return step(START, USER, [act("inform", **values)])


def held(state: FramesState, frame: int) -> dict[str, list[object]]:
    slots = state.frame(frame).info.items()
    return {slot: [each.value for each in values] for slot, values in slots}


TARN = wishes(dst_city="Tarn", or_city="Ostby", budget="900")
OFFERED = step(
    TARN,
    SYSTEM,
    [
        act("offer", writing(2, {"name": "Otter Inn", "price": "870.00"})),
        act("offer", writing(3, {"name": "Heron Inn", "price": "640.00"})),
    ],
)


def test_what_is_new_is_added_to_the_active_frame() -> None:
    assert held(TARN, 1) == {"dst_city": ["Tarn"], "or_city": ["Ostby"], "budget": ["900"]}
    state = step(TARN, USER, [act("inform", n_adults="2", price="cheapest")])
    assert len(state.frames) == 1
    assert held(state, 1)["price"] == ["cheapest"]


def test_another_value_makes_a_child_that_has_the_rest_and_is_active() -> None:
    state = step(TARN, USER, [act("inform", dst_city="Lervik")])
    assert state.active == 2
    assert state.frame(2).parent == 1
    assert held(state, 2) == {"dst_city": ["Lervik"], "or_city": ["Ostby"], "budget": ["900"]}
    assert state.frame(1) == TARN.frame(1)


def test_the_same_value_again_changes_nothing() -> None:
    assert step(TARN, USER, [act("inform", dst_city="Tarn")]) == TARN


def test_a_reference_brings_values_and_is_the_parent() -> None:
    looked = step(OFFERED, USER, [act("switch_frame", about(2))])
    source = saying(REF, {1: {"or_city": "Ostby"}})
    state = step(looked, USER, [act("inform", source, dst_city="Lervik")])
    assert state.active == 4
    assert state.frame(4).parent == 1
    assert held(state, 4) == {"dst_city": ["Lervik"], "or_city": ["Ostby"], "budget": ["900"]}


def test_offers_are_frames_but_only_users_move_on() -> None:
    assert [frame.id for frame in OFFERED.frames] == [1, 2, 3]
    assert OFFERED.active == 1
    assert held(OFFERED, 2) == held(TARN, 1) | {"name": ["Otter Inn"], "price": ["870.00"]}
    assert step(OFFERED, USER, [act("switch_frame", about(3))]).active == 3
    assert step(OFFERED, SYSTEM, [act("switch_frame", about(3))]).active == 1


def test_an_offer_comes_from_the_frame_that_is_read() -> None:
    looked = step(OFFERED, USER, [act("switch_frame", about(2))])
    more = [act("offer", reading(1, or_city="Ostby"), writing(4, {"name": "Pine Inn"}))]
    state = step(looked, SYSTEM, more)
    assert (state.frame(4).parent, state.active) == (1, 2)


def test_an_offer_may_show_the_number_of_the_frame_that_it_makes() -> None:
    looked = step(OFFERED, USER, [act("switch_frame", about(2))])
    state = step(looked, SYSTEM, [act("suggest", dst_city="Ostby", id=4)])
    assert (len(state.frames), state.active, state.frame(4).parent) == (4, 2, 2)
    assert held(state, 4)["dst_city"] == ["Ostby"]
    assert "id" not in state.frame(4).info
    state = step(state, SYSTEM, [act("offer", about(1), name="Pine Inn", id=5)])
    assert state.frame(5).parent == 1
    again = step(state, SYSTEM, [act("offer", price="700.00", id=5)])
    assert held(again, 5) == held(state, 5) | {"price": ["700.00"]}
    with refuses(UsageError, "unknown-name", "9"):
        step(state, SYSTEM, [act("offer", name="Elm Inn", id=9)])


def test_the_child_of_a_package_has_only_what_users_set() -> None:
    looked = step(OFFERED, USER, [act("switch_frame", about(2))])
    state = step(looked, USER, [act("inform", budget="500")])
    assert held(state, 4) == {"dst_city": ["Tarn"], "or_city": ["Ostby"], "budget": ["500"]}


def test_a_price_may_be_a_wish_and_a_number() -> None:
    wish = step(TARN, USER, [act("inform", price="cheapest")])
    state = step(wish, SYSTEM, [act("offer", writing(2, {"name": "Pine", "price": "640.00"}))])
    assert held(state, 2)["price"] == ["cheapest", "640.00"]


def test_questions_are_open_until_they_are_answered() -> None:
    questions = [
        act("switch_frame", about(2)),
        Act("request", (Argument("duration"),)),
        act("confirm", wifi=True),
        Act("request_compare", (Argument("category"), about(2, 3))),
    ]
    state = step(OFFERED, USER, questions)
    second = state.frame(2)
    category = (FrameQuestion(("category",), agent=USER),)
    assert second.requests == (FrameQuestion(("duration",), agent=USER),)
    assert second.binary_questions == (FrameQuestion(("wifi",), True, USER),)
    assert state.frame(3).compare_requests == second.compare_requests == category
    after = step(state, SYSTEM, [act("inform", writing(2, {"wifi": False, "category": "3.0"}))])
    assert after.frame(2).requests == second.requests
    assert after.frame(2).binary_questions == after.frame(2).compare_requests == ()
    assert after.frame(3).compare_requests == category
    helpless = step(after, SYSTEM, [Act("canthelp", (Argument("duration"), about(2)))])
    assert helpless.frame(2).requests == ()


def test_a_question_is_asked_once_and_open_for_slots_without_answer() -> None:
    question = FrameQuestion(("price", "category"), agent=USER)
    state = FramesState((Frame(1, compare_requests=(question,)),), 1)
    again = step(state, USER, [Act("request_compare", (Argument("wifi"),))] * 2)
    assert again.frame(1).compare_requests == (question, FrameQuestion(("wifi",), agent=USER))
    after = step(again, SYSTEM, [act("inform", writing(1, {"price": "9", "wifi": True}))])
    assert after.frame(1).compare_requests == (FrameQuestion(("category",), agent=USER),)
    last = step(after, SYSTEM, [act("inform", writing(1, {"category": "3.0"}))])
    assert not last.frame(1).compare_requests


def test_offers_are_rejected_taken_and_wanted_more_of() -> None:
    state = step(OFFERED, USER, [act("reject", about(2)), act("moreinfo", about(3))])
    assert state.frame(2).info["REJECTED"] == (FrameValue(True),)
    assert state.frame(3).info["MOREINFO"] == (FrameValue(True),)
    state = step(state, USER, [act("affirm", about(2)), act("negate", about(3))])
    assert state.frame(2).info["REJECTED"] == (FrameValue(False),)
    assert state.frame(3).info["REJECTED"] == (FrameValue(True),)
    assert step(OFFERED, USER, [act("affirm")]) == OFFERED


def test_a_value_can_be_excluded() -> None:
    state = step(TARN, USER, [act("negate", name="Otter Inn")])
    assert state.frame(1).info["name"] == (FrameValue("Otter Inn", negated=True),)


@pytest.mark.parametrize("name", ["switch_frame", "reject", "request"])
def test_a_frame_that_is_not_there_is_an_error(name: str) -> None:
    with refuses(UsageError, "unknown-name", "9"):
        step(TARN, USER, [act(name, about(9))])


def test_slots_with_one_value_can_be_named() -> None:
    acts = [act("inform", cone="wafer", taste="lemon")]
    single = step(step(START, USER, acts), USER, [act("inform", taste="mint")])
    assert held(single, 1) == {"cone": ["wafer"], "taste": ["lemon", "mint"]}
    other = step(START, USER, acts, {"taste"})
    other = step(other, USER, [act("inform", taste="mint")], {"taste"})
    assert other.active == 2
    assert held(other, 2) == {"cone": ["wafer"], "taste": ["mint"]}
