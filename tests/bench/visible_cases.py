"""A small corpus of each experiment for tests of visibility."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dialoom.bench.core.protocol import Target
from dialoom.bench.protocols import (
    dstc6_history,
    gem,
    sgd_policy,
    sgd_slots,
    sgd_tracking,
    star,
    taskmaster,
)
from dialoom.bench.protocols.out_of_domain import TURNS
from dialoom.bench.protocols.responses import CALLS, REPLIES
from dialoom.bench.protocols.suggestions import SUGGESTIONS
from dialoom.bench.visibility import (
    VIEWS,
    View,
    Withheld,
    unlabelled,
    wizard_page,
    words,
    words_and_acts,
)
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Choice,
    Constraint,
    Dialogue,
    InScope,
    Layer,
    NextAction,
    NextActs,
    NextCall,
    NextReply,
    Options,
    Part,
    Query,
    Realise,
    Result,
    Scenario,
    Span,
    Spans,
    State,
    StateOf,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.schema.call import Call, Column
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from tests.bench import tiny

CITY = Slot(name="City", type="category", values={"York": (), "Bath": ()})

TABLE = Call(name="table", inputs=(Column(name="City", slot="City"),))

SCHEMAS = {
    **tiny.SCHEMAS,
    "weather": msgspec.structs.replace(
        tiny.SCHEMAS["weather"], slots={"City": CITY}, calls={"table": TABLE}
    ),
    "Cafes_1": TaskSchema(
        id="Cafes_1",
        slots={
            "seats": Slot(name="seats", type="integer"),
            "area": Slot(name="area", type="category", values={"north": ()}),
        },
    ),
}


def targets(dialogue: Dialogue, see: Sequence[Withheld] = ()) -> list[Target]:
    return list(star.targets(dialogue, see=see))


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


def caller() -> Dialogue:
    """Return a wizard who queries twice, what they typed and put before themselves in between."""
    request = Query(id="q", api="table", constraints=(Constraint("City", "equal", ("York",)),))
    log = (
        tiny.user("Is it dry in York?"),
        Options(text="typed"),
        tiny.reply("weather_ask"),
        tiny.user("In York, not in Bath."),
        request,
        Result(query="q", items=({"City": "York"},)),
        tiny.user("And in Bath?"),
        request,
    )
    return tiny.dialogue(8, task="weather", domain="weather", log=log)


def self_dialogue() -> Dialogue:
    """Return a dialogue with labelled spans, one utterance an event."""
    turns = (
        (USER, "A large pie, please.", (Span(2, 7, ("pie.size.accept",)),)),
        (SYSTEM, "Is six o'clock right?", (Span(3, 14, ("pie.time", "pie.time.reject")),)),
        (USER, "No, at eight.", (Span(7, 12, ("pie.time.accept",)),)),
        (SYSTEM, "Done.", ()),
    )
    events = tuple(
        Utterance(agent=agent, text=text, layers=(Layer(GOLD, (Part(spans=spans),)),))
        for agent, text, spans in turns
    )
    return Dialogue(id="dlg-1", events=events, scenario=Scenario(instruction_id="pie-1"))


def cases() -> list[tuple[type[msgspec.Struct], View, list[tuple[Dialogue, Target]]]]:
    wizard = tiny.dialogue(7, "hello", "weather_ask", "query", task="weather", domain="weather")
    spoken = tiny.dialogue("x", "hello", "bye", "hello", task="weather", domain=None)
    every = dstc6_history.HistorySettings(last=False)
    turns = list(dstc6_history.within_histories([spoken], every))
    unnamed = list(targets(wizard, ["no-labels"]))
    tracked = list(sgd_tracking.frames(words, cafe(), None))
    act_frames = list(sgd_tracking.frames(words_and_acts, cafe(), None))
    filled = list(sgd_slots.frames({"Cafes_1": ("seats",)}, words, cafe(), None))
    acted = list(sgd_policy.ACTS_ASKED(cafe(), None))
    worded = [target for _, target in gem.of_dialogue(cafe())]
    order = self_dialogue()
    spans = list(taskmaster.arguments(order))
    return [
        (NextAction, VIEWS[NextAction], [(wizard, target) for target in targets(wizard)]),
        (NextAction, unlabelled, [(wizard, target) for target in unnamed]),
        (NextCall, VIEWS[NextCall], [(caller(), t) for t in star.targets(caller(), CALLS)]),
        (NextReply, VIEWS[NextReply], [(wizard, t) for t in star.targets(wizard, REPLIES)]),
        (NextAction, wizard_page, [(wizard, t) for t in star.targets(wizard, SUGGESTIONS)]),
        (InScope, VIEWS[InScope], [(wizard, target) for target in star.targets(wizard, TURNS)]),
        (Choice, VIEWS[Choice], [(spoken, target) for target in turns]),
        (StateOf, words, [(cafe(), target) for target in tracked]),
        (StateOf, words_and_acts, [(cafe(), target) for target in act_frames]),
        (Realise, VIEWS[Realise], [(cafe(), target) for target in worded]),
        (Spans, words, [(cafe(), target) for target in filled]),
        (NextActs, VIEWS[NextActs], [(cafe(), target) for target in acted]),
        (Spans, VIEWS[Spans], [(order, target) for target in spans]),
    ]
