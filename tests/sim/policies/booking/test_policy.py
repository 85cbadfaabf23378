"""The five tasks: a deterministic bot, users who keep to what they want, and true annotation."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialoom.dialogue import USER, Query, Result, Utterance
from dialoom.dialogue.views import parts
from dialoom.sim.policies.booking.recorder import CALL, BookingRecorder, call_line
from tests.found import some
from tests.sim.policies.booking.talks import BASES, DSTC6, talk_of

SIZES = (4, 5, 6)


talks = st.builds(
    talk_of, st.integers(0, 10**6), st.sampled_from([1, 2, 3, 4, 5]), st.sampled_from(SIZES)
)


@given(talks)
def test_annotation_is_true(talk: BookingRecorder) -> None:
    for event in some(talk.events):
        if not isinstance(event, Utterance) or not event.layers:
            continue
        (part,) = parts(event)
        values = {(a.slot, v) for act in part.acts or () for a in act.arguments for v in a.values}
        quotes = {(span.labels[0], event.text[span.start : span.end]) for span in part.spans or ()}
        assert quotes == values
        if event.agent == USER:
            assert part.state is not None
            for slot, value in values & {(s, v) for s in talk.slots for _, v in values}:
                assert part.state.values[slot] == (value,)


@given(talks)
def test_user_and_bot_alternate_and_the_bot_says_what_its_line_says(talk: BookingRecorder) -> None:
    agents = [e.agent for e in talk.events if not isinstance(e, Result)]
    assert agents == ["user", "system"] * (len(agents) // 2)
    assert len(talk.turns) == len(agents) // 2
    for turn in talk.turns:
        event = talk.events[turn.place]
        if isinstance(event, Query):
            assert (turn.line, turn.text) == (CALL, call_line(turn.values))
            assert [c.value for c in event.constraints] == list(turn.values)
        else:
            assert isinstance(event, Utterance)
            assert event.text == turn.text


@given(talks)
def test_calls_are_what_the_user_wants_and_results_are_what_fits(talk: BookingRecorder) -> None:
    base = BASES[len(talk.slots)]
    state: dict[str, object] = {}
    values: tuple[str, ...] = ()
    for event in some(talk.events):
        if isinstance(event, Utterance) and event.agent == USER and event.layers:
            (part,) = parts(event)
            state = dict(part.state.values) if part.state else state
        elif isinstance(event, Query):
            values = tuple(str(c.value) for c in event.constraints)
            assert state == {s: (v,) for s, v in zip(talk.slots, values, strict=True)}
        elif isinstance(event, Result) and values:
            names = {restaurant.name for restaurant in base.found(values)}
            assert names >= {item["name"] for item in event.items}
            assert event.items


@given(talks)
def test_the_bot_asks_in_order_for_what_is_missing(talk: BookingRecorder) -> None:
    questions = [turn.line[4:] for turn in talk.turns if turn.line.startswith("ask.")]
    assert questions == [slot for slot in DSTC6.asking if slot in questions]
    opened = [e for e in talk.events if isinstance(e, Utterance) and e.layers and e.agent == USER]
    request = parts(opened[1])[0]
    slots = {a.slot for act in request.acts or () for a in act.arguments}
    if "name" not in slots:
        assert {*questions} == {*talk.slots} - slots


@given(talks)
def test_options_come_from_the_highest_rating_down(talk: BookingRecorder) -> None:
    offered = [t.restaurant for t in talk.turns if t.line == "offer" and t.restaurant]
    ratings = [restaurant.rating for restaurant in offered]
    assert ratings == sorted((r.rating for r in talk.found), reverse=True)[: len(ratings)]
    for turn in talk.turns:
        if turn.line == "was":
            assert turn.restaurant in offered
    subjects = [t.restaurant for t in talk.turns if t.line.startswith("tell.")]
    assert all(restaurant is subjects[0] for restaurant in subjects)
    if offered and subjects:
        assert subjects[0] in offered


def test_lines_end_as_the_published_ones_do() -> None:
    ends = {
        (size, task): {talk_of(seed, task, size).turns[-1].line for seed in range(40)}
        for size in SIZES
        for task in (1, 2, 3, 5)
    }
    for size in SIZES:
        assert ends[size, 1] == {CALL}
        assert ends[size, 2] == ({"welcome"} if size == 4 else {CALL})
        assert ends[size, 3] == {"reserve"}
        assert ends[size, 5] == {"welcome"}


def test_babi_users_come_to_the_point() -> None:
    for task in range(1, 6):
        lines = {turn.line for seed in range(40) for turn in talk_of(seed, task, 4).turns}
        assert not lines & {"ready", "sorry", "was"}


@pytest.mark.parametrize(("task", "size"), [(1, 5), (5, 6)])
def test_requests_give_none_to_four_values_uniformly(task: int, size: int) -> None:
    counts: Counter[int] = Counter()
    for seed in range(1000):
        lines = [t.line for t in talk_of(seed, task, size).turns]
        counts[size - sum(line.startswith("ask.") for line in lines)] += 1
    assert set(counts) == {0, 1, 2, 3, 4}
    assert all(140 < count < 260 for count in counts.values())


def test_what_users_want_to_know_and_accept_has_the_published_shares() -> None:
    counts: Counter[tuple[str, ...]] = Counter()
    first = many = 0
    for seed in range(1000):
        facts = sorted(t.line[5:] for t in talk_of(seed, 4, 5).turns if t.line.startswith("tell."))
        counts[tuple(facts)] += 1
        options = [t.line for t in talk_of(seed, 3, 5).turns]
        many += 1
        first += options.count("offer") == 1
    assert 200 < counts["phone",] < 300
    assert 200 < counts["address",] < 300
    assert 430 < counts["address", "phone"] < 570
    assert 0.2 < first / many < 0.3


@given(talks)
@example(talk_of(219397, 3, 5))  # all four beginnings of a wish are said or to come
def test_two_wishes_in_a_row_begin_differently(talk: BookingRecorder) -> None:
    """ "with a romantic mood with cheap prices with spanish cooking" """
    for event in some(talk.events):
        if isinstance(event, Utterance) and event.agent == USER:
            acts = {act.name for part in parts(event) for act in part.acts or ()}
            words = re.findall(r"\b(with|serving)\b", event.text) if "request" in acts else []
            fragments = re.split(r" (?=(?:with|in|somewhere|at|for|serving) )", event.text)[1:]
            assert not words or all(
                one.partition(" ")[0] != two.partition(" ")[0] or one.startswith("in ")
                for one, two in pairwise(fragments)
            ), event.text
