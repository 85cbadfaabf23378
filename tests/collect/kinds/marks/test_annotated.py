"""Marks and annotation layers are the same thing written twice: one comes back from the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.marks.annotated import PUBLISHED, annotated, marks_by, with_published
from dialoom.collect.kinds.marks.choices import choices_of
from dialoom.collect.kinds.marks.layers import check
from dialoom.collect.kinds.marks.marks import MarkedAct, MarkedSpan, MarkedState, Marks, marks_of
from dialoom.collect.message import Refused
from dialoom.collect.settings import Stage
from dialoom.dialogue import GOLD, USER, Act, Argument, Dialogue, Frame, Utterance
from dialoom.dialogue.frames import START, step
from dialoom.dialogue.views import parts
from dialoom.formats.base.conversion import convert
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import PRESETS, Request
from tests.formats.star_json import DATA
from tests.make import refuses

SGD = Stage(name="mark", layers=("spans", "acts", "states"))
FRAMES = Stage(name="mark", layers=("acts", "frames"), labels=("city", "name"))


def simulated() -> tuple[dict[str, TaskSchema], Dialogue]:
    plan = PRESETS.get("sgd").plan(Request(number=1, seed=3, tasks="Coaches_1"))
    return dict(plan.schemas), plan.source()(0)


def test_published_marks_of_services_come_back() -> None:
    schemas, dialogue = simulated()
    choices = choices_of(SGD, schemas, dialogue)
    marks = marks_by(dialogue, choices, GOLD)
    for each, utterance in zip(marks, utterances(dialogue), strict=True):
        check(each, utterance, choices)
    copy = annotated(with_published(dialogue), choices, {"annotator-1": marks})
    assert marks_by(copy, choices, "annotator-1") == marks
    for old, new in zip(utterances(dialogue), utterances(copy), strict=True):
        assert [layer.source for layer in new.layers] == ["annotator-1", PUBLISHED]
        [before], [after] = old.layers[0].parts, new.layers[0].parts
        assert (after.service, after.state) == (before.service, before.state)
        assert {each.name for each in after.acts or ()} == {each.name for each in before.acts or ()}
        assert [(each.start, each.end, each.labels) for each in after.spans or ()] == [
            (each.start, each.end, each.labels) for each in before.spans or ()
        ]


def test_published_frames_follow_from_acts_and_references() -> None:
    [dialogue] = formats.load(DATA / "frames/frames.json").dialogues()
    choices = choices_of(FRAMES, {}, dialogue)
    marks = marks_by(dialogue, choices, GOLD)
    copy = annotated(with_published(dialogue), choices, {"annotator-1": marks})
    for old, new in zip(utterances(dialogue), utterances(copy), strict=True):
        before, after = old.layers[0].parts[0], new.layers[0].parts[0]
        assert [each.id for each in after.frames or ()] == [each.id for each in before.frames or ()]
        assert after.active_frame == before.active_frame


LINES = (
    Utterance(agent=USER, text="To Oslo, please."),
    Utterance(agent="system", text="Fjord House is there."),
    Utterance(agent=USER, text="Rather to Bergen."),
)
TRIP = Dialogue(id="trip", events=LINES)
MADE = [
    Marks(acts=(MarkedAct("inform", "city", "Oslo"),)),
    Marks(
        acts=(MarkedAct("offer", "name", "Fjord House", 2), MarkedAct("offer", "city", "Oslo", 2))
    ),
    Marks(acts=(MarkedAct("switch_frame", frame=2), MarkedAct("inform", "city", "Bergen"))),
]


def test_acts_of_one_name_are_one_act_with_references() -> None:
    choices = choices_of(FRAMES, {}, TRIP)
    copy = annotated(TRIP, choices, {"annotator-1": MADE})
    assert marks_by(copy, choices, "annotator-1") == MADE
    [first], [second], [third] = (utterance.layers[0].parts for utterance in utterances(copy))
    [offer] = second.acts or ()
    [argument] = offer.arguments
    assert [(each.frame, len(each.arguments or ())) for each in argument.references] == [(2, 2)]
    state = step(step(START, USER, first.acts or ()), "system", second.acts or ())
    assert (second.frames, second.active_frame) == (state.frames, state.active) == (state.frames, 1)
    assert third.active_frame == 2
    assert [frame.parent for frame in third.frames or ()] == [None, 1]


def test_what_a_wizard_offers_may_come_from_another_frame() -> None:
    choices = choices_of(replace(FRAMES, labels=("dst_city", "name")), {}, TRIP)
    offer = (
        MarkedAct("offer", "dst_city", "Oslo", 1, reads=True),
        MarkedAct("offer", "name", "Fjord House", 3),
    )
    first, second = (
        Marks(acts=(MarkedAct("inform", "dst_city", city),)) for city in ("Oslo", "Bergen")
    )
    dialogue = replace(TRIP, events=(LINES[0], LINES[2], LINES[1], LINES[0]))
    marks = [first, second, Marks(acts=offer), Marks()]
    for utterance, each in zip(dialogue.events, marks, strict=True):
        check(each, utterance, choices)  # type: ignore[arg-type]
    copy = annotated(dialogue, choices, {"annotator-1": marks})
    assert marks_by(copy, choices, "annotator-1") == marks
    [part] = utterances(copy)[2].layers[0].parts
    [act] = part.acts or ()
    assert [(each.slot, each.references[0].frame) for each in act.arguments] == [
        ("read", 1),
        ("ref", 3),
    ]
    assert [frame.parent for frame in part.frames or ()] == [None, 1, 1]  # not of the active one
    with refuses(Refused, "bad_value", "frame"):
        check(Marks(acts=(MarkedAct("offer", "dst_city", "Oslo", reads=True),)), LINES[1], choices)


def test_several_values_of_a_slot_are_one_argument_where_there_are_services() -> None:
    schemas, dialogue = simulated()
    choices = choices_of(SGD, schemas, dialogue)
    slot = "Coaches_1.start_time"
    state = MarkedState("Coaches_1", values={"start_time": ("7 pm", "19:00")})
    acts = tuple(MarkedAct("INFORM", slot, value) for value in ("7 pm", "19:00"))
    lines = utterances(dialogue)
    marks = [Marks(acts=acts, states=(state,)), *(Marks() for _ in lines[1:])]
    check(marks[0], lines[0], choices)
    copy = annotated(with_published(dialogue), choices, {"annotator-1": marks})
    [part] = utterances(copy)[0].layers[0].parts
    assert part.acts == (Act("INFORM", (Argument("start_time", ("7 pm", "19:00")),)),)
    assert part.state is not None and part.state.values["start_time"] == ("7 pm", "19:00")
    assert marks_by(copy, choices, "annotator-1")[0] == marks[0]


def test_the_active_frame_is_named_where_the_acts_do_not_show_it() -> None:
    choices = choices_of(FRAMES, {}, TRIP)
    bare = [Marks(), Marks(active=2), Marks(active=1)]
    copy = annotated(TRIP, choices, {"annotator-1": bare})
    pieces = [utterance.layers[0].parts[0] for utterance in utterances(copy)]
    assert [part.active_frame for part in pieces] == [1, 2, 1]
    assert pieces[1].frames == (Frame(1), Frame(2, 1))
    assert marks_by(copy, choices, "annotator-1") == bare


STATE = MarkedState("Coaches_1", "FindCoach", ("start_time",), {"start_city": ("Ostby",)})


@pytest.mark.parametrize(
    ("place", "marks", "code"),
    [
        (0, Marks(states=(STATE, STATE)), "bad_value"),
        (1, Marks(states=(STATE,)), "bad_value"),
        (0, Marks(states=(MarkedState("Cafes_1"),)), "unknown"),
        (0, Marks(states=(MarkedState("Coaches_1", "FindCafe"),)), "unknown"),
        (0, Marks(states=(MarkedState("Coaches_1", None, ("colour",)),)), "unknown"),
        (0, Marks(states=(MarkedState("Coaches_1", values={"start_city": ()}),)), "bad_value"),
        (0, Marks(states=(MarkedState("Coaches_1", values={"start_city": (" ",)}),)), "bad_value"),
        (0, Marks(acts=(MarkedAct("INFORM", frame=1),)), "bad_value"),
        (0, Marks(active=1), "unknown"),
        (0, Marks(spans=(MarkedSpan(0, 99, "I", ("Coaches_1.start_city",)),)), "bad_value"),
    ],
)
def test_marks_that_cannot_be_are_refused(place: int, marks: Marks, code: str) -> None:
    schemas, dialogue = simulated()
    choices = choices_of(SGD, schemas, dialogue)
    with pytest.raises(Refused) as refused:
        check(marks, utterances(dialogue)[place], choices)
    assert refused.value.code == code


def test_a_value_of_a_listed_slot_is_one_of_them() -> None:
    schemas, dialogue = simulated()
    choices = choices_of(SGD, schemas, dialogue)
    slots = choices.services["Coaches_1"].slots
    slot, values = next((slot, options) for slot, options in slots.items() if options)
    assert f"Coaches_1.{slot}" not in choices.labels
    state = MarkedState("Coaches_1", values={slot: (str(values[0]),)})
    check(Marks(states=(state,)), utterances(dialogue)[0], choices)
    with refuses(Refused, "bad_value", slot):
        wrong = MarkedState("Coaches_1", values={slot: ("none of them",)})
        check(Marks(states=(wrong,)), utterances(dialogue)[0], choices)


def test_a_layer_that_is_left_out_is_empty() -> None:
    assert marks_of(json.loads("{}")) == marks_of(None) == Marks()
    [layer] = annotated(TRIP, choices_of(FRAMES, {}, TRIP), {"gold": MADE}).events[0].layers  # type: ignore[union-attr]
    assert layer.parts[0].acts == (Act("inform", layer.parts[0].acts[0].arguments),)  # type: ignore[index]


@pytest.mark.parametrize("to", ["native", "sgd", "taskmaster1"])
@pytest.mark.parametrize(
    "before",
    ["a\r\n", "\r\n\r\n", "a\r", "a\n", "\u2028", "\u0085", "e\u0301 ", "👩‍👩‍👧 ", "\ufeff", "\t"],
)
def test_a_marked_piece_keeps_its_place_in_every_format(
    before: str, to: str, tmp_path: Path
) -> None:
    schemas, dialogue = simulated()
    utterance = Utterance(agent=USER, text=f"{before}tea{before}latte{before}.")
    source = Dialogue(id="1", services=dialogue.services, events=(utterance,))
    choices = choices_of(SGD, schemas, source)
    at = utterance.text.index("latte")
    marks = Marks(spans=(MarkedSpan(at, at + 5, "latte", choices.labels[:1]),))
    check(marks, utterance, choices)
    copy = annotated(source, choices, {GOLD: [marks]})
    convert(lambda: iter([copy]), schemas, formats.get(to), tmp_path / "out")
    [back] = formats.load(tmp_path / "out", to).dialogues()
    [event] = utterances(back)
    texts = [event.text[s.start : s.end] for part in parts(event) for s in part.spans or ()]
    assert (event.text, texts) == (utterance.text, ["latte"])
