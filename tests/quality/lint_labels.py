"""Labels and services that lint has findings in."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.dialogue import (
    Act,
    Argument,
    Constraint,
    Dialogue,
    Result,
    Span,
    State,
)
from tests.quality.lint_sample import annotate, change, constrain, insert
from tests.quality.lint_services import CROSSED, ORDERED, gold


def acts(*more: Act) -> tuple[Act, ...]:
    event: Any = CROSSED.events[3]
    return (*event.layers[0].parts[0].acts, *more)


def act(slot: str, values: tuple[Any, ...] = (), canonical: tuple[Any, ...] | None = None) -> Act:
    return Act("INFORM", (Argument(slot, values, canonical),))


def said(*more: Act) -> Dialogue:
    """Return the dialogue with more acts of the system."""
    return annotate(CROSSED, 3, acts=acts(*more))


def state(**fields: Any) -> Dialogue:
    """Return the dialogue with another state of the user's."""
    event: Any = CROSSED.events[0]
    return annotate(
        CROSSED, 0, state=msgspec.structs.replace(event.layers[0].parts[0].state, **fields)
    )


def values(**more: Any) -> Dialogue:
    return state(values={"harbour": ("Port Sel",), "deck": ("upper",), **more})


def served(name: str) -> Dialogue:
    event: Any = CROSSED.events[3]
    part = msgspec.structs.replace(event.layers[0].parts[0], service=name)
    return change(CROSSED, 3, layers=gold(part))


UNREAD_RESULTS = annotate(
    insert(CROSSED, 2, instead=1), 2, extra={"service_results": {"value": {"slots": []}}}
)

UNREAD_PARAMETERS = change(CROSSED, 1, constraints=(), extra={"parameters": {"value": 3}})

BAD: list[tuple[str, Dialogue]] = [
    ("E505", change(CROSSED, 0, agent="bot")),
    ("E504", insert(CROSSED, 0, CROSSED.events[0])),
    ("E716", msgspec.structs.replace(CROSSED, services=("Trains_1",))),
    ("E604", said(act("", ("one",)))),
    ("E605", said(act("fare", ("12 crowns",), ()))),
    ("E605", said(act("fare", ("12 crowns",), ("12", "crowns")))),
    ("E606", said(Act("MUMBLE"))),
    ("E606", said(Act("", extra={"act": {"value": 18}}))),
    ("E608", said(Act("", extra={"act": None}))),
    ("E608", said(Act("", extra={"act": {"value": ["INFORM"]}}))),
    ("E608", UNREAD_RESULTS),
    ("E608", UNREAD_PARAMETERS),
    ("E608", annotate(CROSSED, 3, extra={"slots": None})),
    ("E608", annotate(CROSSED, 3, spans=(Span(18, 27, ("fare",), extra={"start": None}),))),
    ("E608", said(Act("INFORM", (Argument("fare", ("12 crowns",), extra={"values": None}),)))),
    ("E608", said(Act("INFORM", (Argument("fare", (), ("12",), extra={"values": None}),)))),
    ("E608", said(Act("INFORM", (Argument("fare", (), ("12",)),), extra={"values": {"value": 3}}))),
    ("E608", annotate(CROSSED, 3, spans=(Span(0, 27, ("fare",), extra={"start": None}),))),
    ("E608", annotate(CROSSED, 3, spans=(Span(0, 0, ("fare",), extra={"exclusive_end": None}),))),
    ("E608", annotate(CROSSED, 3, service="", extra={"service": None})),
    ("E601", annotate(CROSSED, 3, spans=(Span(18, 99, ("fare",)),))),
    ("E601", annotate(CROSSED, 3, spans=(Span(-1, 27, ("fare",)),))),
    ("E608", said(Act("REQ_MORE", extra={"slot": None}))),
    ("E608", state(extra={"slot_values": {"value": [{"a": ["x"], "b": []}]}})),
    ("E608", msgspec.structs.replace(CROSSED, extra={"services": {"value": "Ferries_1"}})),
    ("E608", change(CROSSED, 1, extra={"parameters": {"value": 3}})),
    ("E607", annotate(CROSSED, 3, state=State())),
    ("W602", annotate(CROSSED, 0, spans=(Span(20, 27, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(21, 28, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(19, 28, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(20, 29, ("fare",)),))),
    ("E602", annotate(CROSSED, 0, spans=(Span(20, 27, ("harbour",)),))),
    ("E701", values(deck=("middle",))),
    ("E701", constrain(CROSSED, 1, Constraint("deck", "equal", ("middle",)))),
    ("E703", said(act("price", ("12 crowns",)))),
    ("E703", annotate(CROSSED, 3, spans=(Span(18, 27, ("price",)),))),
    ("E703", state(requested=("price",))),
    ("E703", values(port=("Port Sel",))),
    ("E711", served("Ferries_2")),
    ("E711", change(CROSSED, 1, service="Ferries_2")),
    ("E712", said(Act("OFFER_INTENT", (Argument("intent", ("BuyFerry",)),)))),
    ("E712", state(intent="BuyFerry")),
    ("E713", annotate(CROSSED, 0, spans=(Span(41, 47, ("deck",)),))),
    ("E714", values(deck=("upper", "lower"))),
    ("I602", said(act("fare", ("13 crowns",)))),
    ("E802", insert(CROSSED, 3, Result(items=({"fare": "9"},)))),
    ("E805", change(CROSSED, 1, api="BuyFerry")),
    ("E806", constrain(CROSSED, 1, Constraint("fare", "equal", ("12 crowns",)))),
    ("E811", change(CROSSED, 1, agent="user")),
    ("W801", change(CROSSED, 1, constraints=())),
]


def labelled(*labels: str) -> Dialogue:
    """Return the dialogue with one span that has these labels."""
    return annotate(ORDERED, 0, spans=(Span(11, 14, labels),))


NOTHING_NEEDED = labelled("meal_order.type.meal", "meal_order.name.guest.reject")

UNLABELLED = change(ORDERED, 0, layers=())

LABELS: list[tuple[list[str], Dialogue]] = [
    ([], ORDERED),
    (["E715"], NOTHING_NEEDED),
    (["I701"], labelled("meal_order.name.guest", "meal_order.time.meal.reject")),
    (["E703"], labelled("meal_order.name.guest", "meal_order.time.meal", "meal_order.time.tea")),
    (["E703"], labelled("meal_order.name.guest", "meal_order.time.meal", "time.tea.accept")),
    (["E703", "E715"], labelled("supper_order.type.meal", "meal_order.reject")),
    (["I501"], UNLABELLED),
]
