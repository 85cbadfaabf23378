"""What models see: everything else is damaged, and each model answers as before."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.bench.protocols import dstc6_history, sgd_tracking
from dialoom.bench.protocols.star import targets
from dialoom.bench.visibility import VIEWS, View, visible, words, words_and_acts
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Answer,
    Argument,
    Choice,
    Dialogue,
    Event,
    Instruction,
    Layer,
    NextAction,
    Options,
    Part,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Span,
    State,
    StateOf,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.models import MODELS
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from tests.bench import tiny

NOISE = {"noise": "query"}
LOUD = Layer("noise", (Part("noise", acts=(Act("query"),), state=State("query")),))
SCHEMAS = {
    **tiny.SCHEMAS,
    "Cafes_1": TaskSchema(
        id="Cafes_1",
        slots={
            "seats": Slot(name="seats", type="integer"),
            "area": Slot(name="area", type="category", values={"north": ()}),
        },
    ),
}


def damaged(dialogue: Dialogue, event: int, keep: View) -> Dialogue:
    """Change all that a question about `event` may not show; `keep` gives what it may."""
    events = [_damaged(each, keep(each)) for each in dialogue.events[:event]]
    after = (*events, *(Utterance(agent=SYSTEM, text="noise", layers=(LOUD,)),) * 3)
    return msgspec.structs.replace(
        dialogue,
        events=after,
        id=f"{dialogue.id}-noise",
        scenario=Scenario(domains=("noise",), user_task="noise"),
        outcome="noise",
        workers={USER: "noise"},
        answers=(Answer(USER, "noise", True),),
        services=("noise",),
        extra=NOISE,
    )


def _damaged(event: Event, shown: Event | None) -> Event:
    more: dict[str, Any] = {"extra": NOISE, "time": 7}
    if isinstance(event, Utterance):
        held = shown.layers if isinstance(shown, Utterance) else ()
        return msgspec.structs.replace(
            event, layers=(*held, LOUD), selected=Selected({"noise": 1}), **more
        )
    if isinstance(event, Query):
        return msgspec.structs.replace(event, selected=Selected({"noise": 1}), **more)
    if isinstance(event, Result):
        return msgspec.structs.replace(event, **more)
    if isinstance(event, Selection) and shown is not None:
        return msgspec.structs.replace(event, selected=Selected({"noise": 1}), **more)
    return Options(text="noise") if isinstance(event, Options) else Instruction(text="noise")


def star(dialogue: Dialogue) -> list[Target]:
    return list(targets(dialogue))


def asked_again(target: Target, dialogue: Dialogue, view: View) -> Target:
    """Return a question as the protocol would make it of another dialogue."""
    seen, positions = visible(dialogue, view)
    after = isinstance(target.asked, StateOf)  # the user's utterance is seen too
    return msgspec.structs.replace(target, seen=seen, position=positions[target.event] + after)


def cafe() -> Dialogue:
    def said(agent: str, text: str, *acts: Act, state: State | None = None) -> Utterance:
        part = Part("Cafes_1", acts=acts, spans=(Span(0, 1, ("seats",)),), state=state)
        return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (part,)),))

    first: dict[str, tuple[Value, ...]] = {"seats": ("2",)}
    second = {**first, "area": ("north",)}
    return Dialogue(
        id="cafe",
        events=(
            said(USER, "A table for two?", Act("INFORM"), state=State("Find", (), first)),
            said(SYSTEM, "In the north?", Act("CONFIRM", (Argument("area", ("north",)),))),
            said(USER, "Yes, please.", Act("AFFIRM"), state=State("Find", (), second)),
        ),
    )


def cases() -> list[tuple[type[msgspec.Struct], View, list[tuple[Dialogue, Target]]]]:
    wizard = tiny.dialogue(7, "hello", "weather_ask", "query", task="weather", domain="weather")
    spoken = tiny.dialogue("x", "hello", "bye", "hello", task="weather", domain=None)
    turns = list(dstc6_history.targets([spoken], dstc6_history.HistorySettings()))
    tracked = list(sgd_tracking.frames(cafe(), words, None))
    heard = list(sgd_tracking.frames(cafe(), words_and_acts, None))
    return [
        (NextAction, VIEWS[NextAction], [(wizard, target) for target in star(wizard)]),
        (Choice, VIEWS[Choice], [(spoken, target) for target in turns]),
        (StateOf, words, [(cafe(), target) for target in tracked]),
        (StateOf, words_and_acts, [(cafe(), target) for target in heard]),
    ]


@pytest.mark.parametrize("case", cases(), ids=["next-action", "choice", "state", "state-acts"])
def test_what_may_not_be_seen_changes_no_prediction(case: Any) -> None:
    kind, view, asked = case
    clean = [target for _, target in asked]
    again = [
        asked_again(target, damaged(dialogue, _end(target), view), view)
        for dialogue, target in asked
    ]
    assert clean
    assert msgspec.json.encode(questions(clean)) == msgspec.json.encode(questions(again))
    answering = [name for name in MODELS if kind in MODELS.get(name).kinds]
    assert answering
    for name in answering:
        model = MODELS.get(name)()
        model.fit(examples(clean), SCHEMAS)
        one, other = (model.predict(questions(each), SCHEMAS) for each in (clean, again))
        assert msgspec.json.encode(one) == msgspec.json.encode(other), name


def _end(target: Target) -> int:
    """Return the place in the file before which things may be seen."""
    return target.event + isinstance(target.asked, StateOf)
