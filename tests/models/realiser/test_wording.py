"""Utterances with placeholders: made, filled, and refused where a value is not said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Act, Argument, ServiceAct
from dialoom.models.realiser.wording import (
    Placeholder,
    content,
    fill,
    find_wording,
    numbered,
    signature,
    spelling,
)


def act(name: str, slot: str = "", *values: str) -> ServiceAct:
    arguments = (Argument(slot, values),) if slot else ()
    return ServiceAct(Act(name, arguments), "Cafes_1")


ACTS = [
    act("CONFIRM", "city", "Bonn"),
    act("CONFIRM", "seats", "2"),
    act("CONFIRM", "time", "2 pm"),
]


def test_values_become_placeholders_longer_ones_first() -> None:
    wording = find_wording("At 2 pm in BONN, for 2?", numbered(content(ACTS)))
    assert wording == (
        "At ",
        Placeholder("CONFIRM(time*1)", 0),
        " in ",
        Placeholder("CONFIRM(city*1)", 0),
        ", for ",
        Placeholder("CONFIRM(seats*1)", 0),
        "?",
    )


def test_an_utterance_without_one_of_the_values_is_no_wording() -> None:
    assert find_wording("At 2 pm in Cologne, for 2?", numbered(content(ACTS))) is None
    # part of a word is no mention
    assert find_wording("At 2 pm in Bonnet, for 2?", numbered(content(ACTS))) is None


def test_one_value_of_two_slots_goes_to_them_in_turn() -> None:
    values = numbered(content([act("OFFER", "from", "Bonn"), act("OFFER", "to", "Bonn")]))
    wording = find_wording("From Bonn to Bonn.", values)
    assert wording is not None
    assert [part for part in wording if isinstance(part, Placeholder)] == list(values)
    assert find_wording("From Bonn.", values) is None


def test_the_signature_is_of_slots_truth_values_and_intents_in_any_order() -> None:
    one = [act("INFORM", "music", "True"), act("OFFER_INTENT", "intent", "Book"), act("REQ_MORE")]
    assert signature(content(one)) == (
        "INFORM(music=True)",
        "OFFER_INTENT(intent=Book)",
        "REQ_MORE()",
    )
    assert signature(content(one)) == signature(content(one[::-1]))
    assert signature(content(one)) != signature(
        content([act("INFORM", "music", "False"), *one[1:]])
    )


@given(st.text(alphabet="ab 2.", max_size=30), st.text(alphabet="ab 2", min_size=1, max_size=3))
def test_a_wording_filled_again_is_the_text_but_for_case(text: str, value: str) -> None:
    values = numbered(content([act("INFORM", "it", value)]))
    wording = find_wording(text, values)
    assert wording is None or fill(wording, values) == text


def test_values_differ_by_their_characters() -> None:
    values = ("1", "2", "today", "Friday", "March 3rd", "10 pm", "$15")
    assert len({spelling(value) for value in values}) == len(values)
    assert spelling("San Jose") == spelling("Novato")
