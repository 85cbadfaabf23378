"""Annotations as forms, and the patches that forms make."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from msgspec import json, structs

from dialoom.corpus.patches import apply
from dialoom.dialogue import GOLD, USER, Act, Dialogue, Layer, Part, Span, State, Utterance
from dialoom.dialogue.annotation import Argument, Reference
from dialoom.errors import UsageError
from dialoom.studio.corpora.mending import MendForm, change, form_of, made, mendable
from tests.strategies import dialogues, sampled
from tests.studio.corpora.talks import labelled, talk

NOW = "2026-01-01T00:00:00Z"
PART = "/events/0/layers/0/parts/0"


def mended(dialogue: Dialogue, pointer: str, form: MendForm | None) -> Part:
    after = apply(dialogue, change(dialogue, pointer, form, "ada", NOW))
    utterance = after.events[0]
    assert isinstance(utterance, Utterance)
    return utterance.layers[0].parts[0]


def test_an_act_is_a_name_and_lines() -> None:
    act = Act("inform", (Argument("city", ("Rome", "Milan")), Argument("price")))
    assert form_of(act) == MendForm("act", "inform", "city = Rome or Milan\nprice")


def test_an_act_is_renamed_and_gets_values() -> None:
    form = MendForm("act", "confirm", "city = Milan or Rome\nstars = 4")
    part = mended(labelled(), f"{PART}/acts/0", form)
    city = Argument("city", ("Milan", "Rome"))
    assert part.acts == (Act("confirm", (city, Argument("stars", ("4",)))),)
    assert part.spans == (Span(3, 7, ("city",)),)


def test_what_a_form_leaves_as_it_was_keeps_its_details() -> None:
    exact = Argument("seats", (2,), canonical=("two",), extra={"key": 1})
    act = Act("inform", (exact, Argument("ref", references=(Reference(1),))), extra={"x": 1})
    form = structs.replace(form_of(act), name="confirm")
    assert json.decode(json.encode(made(form, act)), type=Act) == structs.replace(
        act, name="confirm"
    )


def test_numbers_stay_numbers() -> None:
    act = Act("inform", (Argument("seats", (2,)),))
    fields = made(MendForm("act", "inform", "seats = 3"), act)
    assert fields["arguments"][0]["values"] == [3]


TEXTS = ("Sooner or Later", "line\none", " wide ", '"so"', "a\rb", "", "plain", 3, True)


def test_a_change_of_one_slot_keeps_the_values_of_others() -> None:
    old = State("find", (), {"city": ("Rome",), "title": TEXTS, "a=b": ("c",)})
    form = form_of(old)
    lines = form.lines.replace("Rome", "Milan").replace("or plain", 'or "Now or Soon" or plain')
    values = made(structs.replace(form, lines=lines), old)["values"]
    assert values["city"] == ["Milan"]
    assert values["title"] == [*TEXTS[:6], "Now or Soon", *TEXTS[6:]]
    assert values["a=b"] == ["c"]
    act = Act("inform", (Argument("title", TEXTS),))
    renamed = made(MendForm("act", "confirm", form_of(act).lines + "\nday"), act)
    assert [each.get("values", []) for each in renamed["arguments"]] == [list(TEXTS), []]


def test_spans_and_states_are_changed_and_removed() -> None:
    part = mended(labelled(), f"{PART}/spans/0", MendForm("span", "to, city", start=3, end=7))
    assert part.spans == (Span(3, 7, ("to", "city")),)
    state = MendForm("state", "", "city = Milan", "price, day")
    assert mended(labelled(), f"{PART}/state", state).state == State(
        None, ("price", "day"), {"city": ("Milan",)}
    )
    assert mended(labelled(), f"{PART}/spans/0", None).spans == ()
    assert mended(labelled(), f"{PART}/state", None).state is None


def test_annotations_are_added() -> None:
    act = MendForm("act", "thank")
    assert [a.name for a in mended(labelled(), "/events/0", act).acts or ()] == ["inform", "thank"]
    bare = Dialogue(id="b", events=(Utterance(agent=USER, text="Hi."),))
    after: Any = change(bare, "/events/0", act, "ada", NOW).after
    assert after[0]["source"] == "annotator-ada"
    assert mended(bare, "/events/0", act).acts == (Act("thank"),)
    layers = (Layer("model", (Part(acts=(Act("a"),)),)), Layer(GOLD))
    empty = Dialogue(id="b", events=(Utterance(agent=USER, text="Hi.", layers=layers),))
    patch = change(empty, "/events/0", act, "ada", NOW)
    assert patch.pointer == "/events/0/layers/1"
    after = apply(empty, patch).events[0]
    assert isinstance(after, Utterance)
    assert after.layers[1].parts == (Part(acts=(Act("thank"),)),)


@pytest.mark.parametrize(
    ("pointer", "form"),
    [
        (f"{PART}/acts/0", MendForm("act", " ")),
        (f"{PART}/acts/0", MendForm("act", "inform", "= Rome")),
        (f"{PART}/acts/0", MendForm("span", "city", start=0, end=3)),
        (f"{PART}/acts/7", None),
        ("/events/9", MendForm("act", "x")),
        ("/events/-1", MendForm("act", "x")),
        ("/outcome", MendForm("act", "x")),
    ],
)
def test_other_forms_and_places_are_refused(pointer: str, form: MendForm | None) -> None:
    dialogue = labelled()
    with pytest.raises(UsageError):
        apply(dialogue, change(dialogue, pointer, form, "ada", NOW))


@sampled
@given(dialogues())
def test_an_unchanged_form_changes_no_slots(dialogue: Dialogue) -> None:
    for pointer, value in mendable(dialogue):
        name = "values" if isinstance(value, State) else "arguments"
        slots = value.values if isinstance(value, State) else []
        if isinstance(value, Act) and value.name.strip():
            slots = [each.slot for each in value.arguments]
        if slots and not any("\n" in each or not each.strip() for each in slots):
            patch: Any = change(dialogue, pointer, form_of(value), "ada", NOW)
            assert patch.after[name] == patch.before[name]


def test_events_without_words_have_no_annotations() -> None:
    assert list(mendable(talk("a", "Hi."))) == []
