from __future__ import annotations

from typing import Any

from dialoom.collect.kinds.marks.marks import MarkedState, Marks, carried


def marks(intent: str | None = "Find", *asked: str, **values: str) -> Marks:
    """Return the state of one service."""
    slots: dict[str, tuple[str, ...]] = {slot: (value,) for slot, value in values.items()}
    return Marks(states=(MarkedState("Cafes_1", intent, asked, slots),))


def after(before: Marks, now: Marks, *later: Marks) -> dict[str, Any]:
    """Return the lines that change, by their place among the later ones."""
    return dict(carried(before, now, {str(place): each for place, each in enumerate(later)}))


def test_a_value_that_is_put_right_goes_on_to_the_first_line_that_says_another() -> None:
    changes = after(
        marks(city="Ostby"),
        marks(city="Alva"),
        marks("Find", "price", city="Ostby", day="Monday"),
        marks(city="Lund"),
        marks(city="Ostby"),
    )
    assert changes == {"0": marks("Find", "price", city="Alva", day="Monday")}


def test_a_value_that_was_forgotten_is_put_in_and_one_too_many_taken_out() -> None:
    later = marks(city="Ostby", day="Monday")
    assert after(marks(), marks(city="Ostby"), marks(day="Monday")) == {"0": later}
    assert after(marks(city="Ostby"), marks(), later) == {"0": marks(day="Monday")}


def test_an_intent_goes_on_and_what_is_asked_for_does_not() -> None:
    changes = after(
        marks("Find"), marks("Book", "price"), marks("Find", city="Ostby"), marks("Other")
    )
    assert changes == {"0": marks("Book", city="Ostby")}


def test_a_service_comes_and_goes() -> None:
    nothing = Marks()
    assert after(nothing, marks(city="Ostby"), nothing) == {"0": marks(city="Ostby")}
    assert after(marks(city="Ostby"), nothing, marks(city="Ostby")) == {"0": nothing}
    assert after(marks(city="Ostby"), marks(city="Ostby"), marks(city="Ostby")) == {}
