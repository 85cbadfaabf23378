"""What a study keeps and what clients send: decoded, encoded, refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.bots import teach
from dialoom.collect.kinds.decoding import decode
from dialoom.collect.kinds.room.messages import Pick, Say
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import Seated, Waiting, decode_body, encode_body
from dialoom.collect.message import Refused, visible
from dialoom.collect.settings import ScenarioMode, Settings
from dialoom.dialogue import Utterance
from dialoom.errors import UsageError
from tests.make import refuses


@given(st.text(), st.text())
def test_bodies_come_back(text: str, outcome: str) -> None:
    for body in (Utterance(agent="user", text=text), Waiting(True), Seated(3, "wizard")):
        assert decode_body(encode_body(body)) == body


def test_a_message_says_what_it_wants() -> None:
    text = '{"client_msg_id": "a-1", "base_seq": 4, "type": "say", "body": {"text": "Hi"}}'
    envelope = decode(text)
    assert (envelope.client, envelope.base, envelope.message) == ("a-1", 4, Say("Hi"))
    assert decode('{"client_msg_id":"b","type":"pick","body":{"action":"hello"}}').message == Pick(
        "hello"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[1]",
        "{",
        b"\xff",
        '{"client_msg_id": "", "type": "say", "body": {"text": "x"}}',
        '{"client_msg_id": "a", "type": "shout", "body": {"text": "x"}}',
        '{"client_msg_id": "a", "type": "say", "body": {"text": 3}}',
        '{"client_msg_id": "a", "type": "say", "body": {"text": "x", "role": "wizard"}}',
        '{"client_msg_id": "a", "type": "say", "body": {"text": "x"}, "admin": true}',
        '{"client_msg_id": "' + "a" * 65 + '", "type": "consent"}',
    ],
)
def test_what_is_no_message_is_refused(text: str | bytes) -> None:
    with pytest.raises(Refused) as caught:
        decode(text)
    assert caught.value.code == "malformed"


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t", "\u200b", "\u200b \ufeff", "\u2060\u00ad", "\u3164", "\u2800", "\u0301"],
)
def test_what_shows_nothing(text: str) -> None:
    assert not visible(text)


@pytest.mark.parametrize(
    "text", ["a", ".", "\u200ba", "é", "e\u0301", "你", "🙂", "\U0001f468\u200d\U0001f469"]
)
def test_what_shows_something(text: str) -> None:
    assert visible(text)


@pytest.mark.parametrize("scenario", ["unhappy", "multi", "mixed"])
def test_scenarios_differ_and_count_their_instructions(scenario: ScenarioMode) -> None:
    settings = Settings(
        tasks=("restaurant_book", "hotel_book"), scenario=scenario, scenarios=25, seed=3
    )
    draws = list(ScenarioLibrary(settings).scenarios())
    assert len({one.texts for one in draws}) == len(draws) == 25
    for one in draws:
        many = len(one.instructions)
        ends = [f"[instruction {place} of {many}]" for place in range(1, many + 1)]
        assert [
            text[-len(end) :] for (_, text), end in zip(one.instructions, ends, strict=True)
        ] == ends
        assert one.kind == ("multi" if len(one.tasks) > 1 else "single")


def test_trips_to_be_searched_for_have_scenarios_of_frames() -> None:
    library = ScenarioLibrary(Settings(tasks=("packages",), scenarios=8))
    draws = list(library.scenarios())
    assert [one.tasks for one in draws] == [("packages",)] * 8
    assert len({one.user_task for one in draws}) == 8
    assert all(one.happy and one.kind == "single" for one in draws)
    with refuses(UsageError, "conflict"):
        ScenarioLibrary(Settings(tasks=("packages", "weather")))
    with refuses(UsageError, "no-flow"):
        teach("user", library)
