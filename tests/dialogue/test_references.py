"""Which frames acts refer to, by the rules of the published evaluation."""

from __future__ import annotations

from dialoom.dialogue import Act, Argument, Reference
from dialoom.dialogue.references import NEW, ActFrames, best, dereferenced, frames_of

PRICE, CITY = Argument("price", ("9",)), Argument("city", ("Tarn",))


def referring(*references: Reference) -> Argument:
    return Argument("ref", references=references)


def test_arguments_without_a_reference_are_about_the_active_frame() -> None:
    acts = (Act("inform", (referring(Reference(2, (PRICE,))), CITY)),)
    assert dereferenced(acts) == (Act("inform", (PRICE, CITY)),)
    assert frames_of(acts, 1, {1, 2}) == (ActFrames(({2: 1.0}, {1: 1.0}), {}),)


def test_an_act_without_any_reference_refers_to_the_active_frame() -> None:
    assert frames_of((Act("inform", (CITY,)), Act("affirm")), 3, {1, 3}) == (
        ActFrames(({3: 1.0},), {3: 1.0}),
        ActFrames((), {3: 1.0}),
    )


def test_references_without_arguments_are_what_the_act_as_a_whole_refers_to() -> None:
    act = Act("switch_frame", (referring(Reference(2), Reference(1, ())), CITY))
    assert frames_of((act,), 2, {1, 2}) == (ActFrames(({2: 1.0},), {1: 1.0, 2: 1.0}),)
    both = Act("inform", (referring(Reference(2), Reference(1, (PRICE,))),))
    assert frames_of((both,), 1, {1, 2}) == (ActFrames(({1: 1.0},), {2: 1.0}),)


def test_a_frame_that_did_not_exist_is_new_and_several_count_as_one() -> None:
    act = Act("inform", (referring(Reference(7), Reference(8)), CITY))
    assert frames_of((act,), 7, {1, 2}) == (ActFrames(({NEW: 1.0},), {NEW: 1.0}),)
    assert frames_of((Act("affirm"),), None, {1}) == (ActFrames((), {NEW: 1.0}),)


def test_of_equally_likely_frames_the_first_is_best() -> None:
    assert best({2: 0.4, 1: 0.4, 3: 0.2}) == 1
    assert best({}) == NEW
