"""Noise over whole dialogues: what changes, what never does, and what it depends on."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Query,
    Span,
    State,
    Utterance,
)
from dialoom.errors import UnknownNameError, UsageError
from dialoom.sim.noise import AGENTS, KINDS, Noise
from dialoom.sim.noise.kind import Alignment, TextKind, apply
from dialoom.sim.noise.noise import line, tally
from tests.make import refuses
from tests.strategies import dialogues, sampled

NAMES = sorted(KINDS)

noises = st.builds(
    Noise,
    st.sampled_from(NAMES),
    st.sampled_from([0.1, 0.5, 1.0]),
    st.integers(-9, 9),
    st.sampled_from(AGENTS),
    spare=st.booleans(),
)


def asked() -> Dialogue:
    """Return a dialogue of two utterances and a query between them."""
    table = Part(
        "Cafes_1",
        acts=(Act("INFORM", (Argument("seats", ("two",), ("2",)),)), Act("REQUEST")),
        spans=(Span(13, 16, ("seats",), value="2"), Span(22, 27, ("town",), text="ostby")),
        state=State(intent="FindCafe", values={"seats": ("two",)}),
    )
    layers = (Layer(GOLD, (table,)), Layer("ann", (Part(spans=(Span(2, 27, ("all",)),)),)))
    return Dialogue(
        id="1_1",
        events=(
            Utterance(agent=USER, text="Is there for two near Ostby?", layers=layers),
            Query(id="1", api="FindCafe"),
            Utterance(agent=SYSTEM, text="There is the Corn Hall. Shall I?"),
        ),
    )


@sampled
@given(dialogues(), noises)
def test_only_text_spans_and_the_order_of_acts_change(dialogue: Dialogue, noise: Noise) -> None:
    variant = noise.dialogue(dialogue)
    assert replace(variant, events=()) == replace(dialogue, events=())
    for old, new in zip(dialogue.events, variant.events, strict=True):
        if (
            not isinstance(old, Utterance)
            or not isinstance(new, Utterance)
            or noise.agent not in ("all", old.agent)
        ):
            assert old is new
        else:
            assert bare(old) == bare(new)
            if noise.name == "order":
                assert new.text == old.text
                assert spans(new) == spans(old)
            else:
                assert acts(new) == acts(old)


def bare(utterance: Utterance) -> Utterance:
    """Return an utterance without text, spans and acts, but with how many there are."""
    layers = tuple(
        replace(layer, parts=tuple(map(_bare, layer.parts))) for layer in utterance.layers
    )
    return replace(utterance, text="", layers=layers)


def _bare(part: Part) -> Part:
    return replace(
        part,
        acts=part.acts and tuple(sorted(part.acts, key=repr)),
        spans=part.spans and tuple(replace(s, start=0, end=0, text=None) for s in part.spans),
    )


def acts(utterance: Utterance) -> list[tuple[Act, ...] | None]:
    return [part.acts for layer in utterance.layers for part in layer.parts]


def spans(utterance: Utterance) -> list[Span]:
    parts = chain.from_iterable(layer.parts for layer in utterance.layers)
    return [span for part in parts for span in part.spans or ()]


@sampled
@given(dialogues(), st.sampled_from(NAMES), st.integers(0, 9))
def test_a_rate_of_zero_changes_nothing(dialogue: Dialogue, name: str, seed: int) -> None:
    assert Noise(name, 0.0, seed).dialogue(dialogue) == dialogue


@sampled
@given(dialogues(), noises)
def test_the_same_settings_give_the_same(dialogue: Dialogue, noise: Noise) -> None:
    assert noise.dialogue(dialogue) == noise.dialogue(dialogue)


@sampled
@given(dialogues(), noises)
def test_spans_cover_the_noisy_form_of_what_they_covered(dialogue: Dialogue, noise: Noise) -> None:
    if not isinstance(noise.kind, TextKind):
        return
    variant = noise.dialogue(dialogue)
    for index, (old, new) in enumerate(zip(dialogue.events, variant.events, strict=True)):
        if not isinstance(old, Utterance) or not isinstance(new, Utterance) or old is new:
            continue
        edits = noise.kind.made(old.text, spans(old), noise.draw(dialogue.id, index))
        assert apply(old.text, edits) == new.text
        for before, after in zip(spans(old), spans(new), strict=True):
            if not 0 <= before.start < before.end <= len(old.text):
                continue
            inner = [
                edit._replace(start=edit.start - before.start, end=edit.end - before.start)
                for edit in edits
                if edit.start < before.end and edit.end > before.start
            ]
            slice_ = old.text[before.start : before.end]
            if all(edit.start >= 0 and edit.end <= len(slice_) for edit in inner):
                assert apply(slice_, inner) == new.text[after.start : after.end]
            assert after == replace(Alignment(edits).span(before), text=after.text)


@sampled
@given(dialogues(), noises)
def test_spared_spans_read_as_before(dialogue: Dialogue, noise: Noise) -> None:
    variant = dataclasses.replace(noise, spare=True).dialogue(dialogue)
    for old, new in zip(dialogue.events, variant.events, strict=True):
        if isinstance(old, Utterance) and isinstance(new, Utterance):
            for before, after in zip(spans(old), spans(new), strict=True):
                if before.start < before.end:
                    read = new.text[after.start : after.end]
                    assert read == old.text[before.start : before.end]
                    assert after.text == before.text


def test_an_event_depends_on_nothing_around_it() -> None:
    dialogue = asked()
    other = replace(dialogue, events=(*dialogue.events[:2], dialogue.events[2], *dialogue.events))
    noise = Noise("typos", 0.3, seed=5)
    assert noise.dialogue(other).events[:3] == noise.dialogue(dialogue).events
    assert noise.dialogue(other).events[3] != noise.dialogue(dialogue).events[0]
    assert noise.dialogue(replace(dialogue, id="1_2")).events != noise.dialogue(dialogue).events
    assert Noise("typos", 0.3, seed=6).dialogue(dialogue) != noise.dialogue(dialogue)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "order"])
def test_spans_of_every_layer_stay_on_their_words(name: str) -> None:
    first = asked().events[0]
    variant = Noise(name, 1.0, seed=2).dialogue(asked()).events[0]
    assert isinstance(first, Utterance)
    assert isinstance(variant, Utterance)
    seats, town, whole = spans(variant)
    assert variant.text[seats.start : seats.end].strip()
    assert whole.end == town.end
    assert (seats.labels, seats.value) == (("seats",), "2")
    assert acts(variant) == acts(first)
    same = variant.text[town.start : town.end] == "Ostby"
    assert town.text == ("ostby" if same else None)


def test_one_agents_utterances() -> None:
    dialogue = asked()
    variant = Noise("casing-upper", agent="system").dialogue(dialogue)
    assert variant.events[:2] == dialogue.events[:2]
    assert variant.events[2] == Utterance(agent=SYSTEM, text="THERE IS THE CORN HALL. SHALL I?")


def test_a_mark_is_no_text() -> None:
    silent = Dialogue(id="1", events=(Utterance(agent=USER, text="<silence>"),))
    for name in NAMES:
        assert Noise(name, 1.0).dialogue(silent) == silent


def test_no_half_of_a_surrogate_pair_stops_it() -> None:
    dialogue = Dialogue(id="\ud800", events=(Utterance(agent=USER, text="\ud800 hello."),))
    for name in NAMES:
        Noise(name, 1.0).dialogue(dialogue)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_rate_is_a_share(rate: float) -> None:
    with refuses(UsageError, "out-of-range", "0", "1"):
        Noise("typos", rate)


def test_unknown_names() -> None:
    with refuses(UnknownNameError, "unknown-name", "typos"):
        Noise("typo")
    with refuses(UnknownNameError, "unknown-name", "wizard"):
        Noise("typos", agent="wizard")
    with refuses(UnknownNameError, "unknown-name", "xx"):
        Noise("typos", language="xx")


def test_tally() -> None:
    dialogue = asked()
    counts: Counter[str] = Counter()
    tally(dialogue, Noise("typos", 1.0, agent="user").dialogue(dialogue), counts, "user")
    assert dict(counts) == {
        "utterances": 1,
        "changed_utterances": 1,
        "spans": 3,
        "changed_spans": 3,
    }
    assert line(counts) == "changed: 1 of 1 utterances, 3 of 3 annotated spans"
