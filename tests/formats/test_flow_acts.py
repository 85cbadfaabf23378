"""Dialogues that follow task files, in formats with acts of their own: acts, frames, services."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Frame,
    Layer,
    Part,
    Query,
    Result,
    Scenario,
    Selection,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.dialogue import Capability
from dialoom.formats.frames.flow_acts import adapt as to_frames
from dialoom.formats.sgd import FORMAT
from dialoom.formats.sgd.flow_acts import adapt as to_sgd
from dialoom.quality.lint import lint
from dialoom.schema import pack
from dialoom.schema.flow import FlowGraph
from dialoom.schema.services import contract
from dialoom.sim.presets.star import StarPlan
from tests.sim.designs import boat, guide

PACK = {name: pack.load(name) for name in pack.names()}
BOATS = {task.id: task for task in (boat(), guide())}


@lru_cache(maxsize=4)
def simulated(scenario: str = "mixed", many: int = 60) -> tuple[Dialogue, ...]:
    plan = StarPlan(tasks=tuple(PACK.values()), seed=11, dialogues=many, scenario=scenario)
    return tuple(map(plan.source(), range(many)))


def written(dialogues: tuple[Dialogue, ...], to: str, folder: Path) -> Corpus:
    formats.get(to).write(dialogues, PACK, folder)
    return formats.load(folder, to)


@pytest.mark.parametrize("to", ["star", "frames", "sgd", "gem", "frames-text", "iob"])
def test_simulated_dialogues_lint_clean(tmp_path: Path, to: str) -> None:
    corpus = written(simulated(), to, tmp_path)
    assert [str(finding) for finding in lint(corpus) if finding.code[0] == "E"] == []


def test_star_lists_what_its_apis_list(tmp_path: Path) -> None:
    corpus = written(simulated(), "star", tmp_path)
    assert not [str(finding) for finding in lint(corpus) if finding.code == "W701"]


# --- acts -----------------------------------------------------------------------------------------


def talk(*events: Event, tasks: tuple[str, ...] = ("boat_hire",)) -> Dialogue:
    abilities = tuple(Capability(task, None) for task in tasks)
    return Dialogue(id="1", events=events, scenario=Scenario(capabilities=abilities))


def says(agent: str, text: str, *acts: Act) -> Utterance:
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (Part(None, acts),)),))


def act(name: str, **values: str) -> Act:
    return Act(name, tuple(Argument(slot, (value,)) for slot, value in values.items()))


def acts(dialogue: Dialogue) -> list[list[Act]]:
    turns = [event for event in dialogue.events if isinstance(event, Utterance)]
    return [
        [each for layer in event.layers for part in layer.parts for each in part.acts or ()]
        for event in turns
    ]


HIRED = talk(
    says(USER, "We are 2 and would like a boat.", act("open", crew="2")),
    says(SYSTEM, "Which of our boats?", act("ask_boat")),
    says(USER, "Otter at 9 am.", act("give_boat", boat="Otter"), act("give_boat", time="9 am")),
    says(SYSTEM, "Anything else aboard?", act("ask_extras")),
    says(USER, "Nothing.", Act("no_extras", (Argument("extras"),))),
    Query(id="1", api="boat_hire", constraints=(Constraint("Boat", "equal", ("Otter",)),)),
    Result(query="1", items=({"Message": "Free"},)),
    says(SYSTEM, "Otter is yours at 9 am for 2. Shall I note it?", act("offer")),
    says(USER, "Aye.", act("accept")),
    says(SYSTEM, "I have to ask somebody."),
    says(SYSTEM, "Noted: Otter, 9 am.", act("confirm")),
    says(SYSTEM, "Ship ahoy!", act("goodbye")),
)


def test_acts_of_frames() -> None:
    turns = acts(to_frames(BOATS)(HIRED))
    assert turns == [
        [act("inform", intent="boat_hire"), act("inform", crew="2")],
        [Act("request", (Argument("boat"),))],
        [act("inform", boat="Otter", time="9 am")],
        [Act("request", (Argument("extras"),))],
        [],  # Frames has no act for having no wish
        [
            Act(
                "confirm",
                (
                    Argument("boat", ("Otter",)),
                    Argument("time", ("9 am",), ("09:00",)),
                    Argument("crew", ("2",), (2,)),
                ),
            )
        ],
        [act("affirm")],
        [],
        [
            Act(
                "inform",
                (Argument("boat", ("Otter",)), Argument("time", ("9 am",), ("09:00",))),
            )
        ],
        [act("goodbye")],
    ]


def test_acts_of_sgd_in_turns() -> None:
    adapted = to_sgd(BOATS)(HIRED)
    names = [[each.name for each in turn] for turn in acts(adapted)]
    assert names == [
        ["INFORM_INTENT", "INFORM"],
        ["REQUEST"],
        ["INFORM"],
        ["REQUEST"],
        ["INFORM"],
        ["CONFIRM"],
        ["AFFIRM"],
        ["NOTIFY_SUCCESS", "INFORM", "GOODBYE"],
    ]
    lines = [event for event in adapted.events if isinstance(event, Utterance)]
    assert lines[-1].text == "I have to ask somebody. Noted: Otter, 9 am. Ship ahoy!"
    [part] = lines[-1].layers[0].parts
    assert part.service == "boat_hire"
    assert [lines[-1].text[span.start : span.end] for span in part.spans or ()] == ["9 am"]
    assert acts(adapted)[4] == [act("INFORM", extras="dontcare")]
    [query] = [event for event in adapted.events if isinstance(event, Query)]
    assert query.service == "boat_hire"


def test_an_answer_answers_what_was_asked() -> None:
    """A farewell that nobody asked for says no to nothing."""
    task = PACK["weather"]
    before = says(SYSTEM, "More?", act("anything_else"))
    forecast = says(SYSTEM, "It rains.", act("weather_inform_forecast"))
    for reply, expected in ((before, [act("negate")]), (forecast, [])):
        dialogue = talk(reply, says(USER, "No.", act("finish")), tasks=("weather",))
        assert acts(to_frames({"weather": task})(dialogue))[1] == expected


def test_what_is_no_node_is_left_out_unless_the_format_has_it() -> None:
    dialogue = talk(
        says(USER, "Hm.", act("out_of_scope"), act("thankyou")),
        says(SYSTEM, "Which of our boats?", act("ask_boat")),
    )
    assert acts(to_frames(BOATS)(dialogue))[0] == [act("thankyou")]
    assert acts(to_sgd(BOATS)(dialogue))[0] == []


def test_elements_that_are_read_out_are_of_their_list() -> None:
    lines = [act("step", step="Climb the stile"), act("arrive", step="Count the snails")]
    dialogue = talk(*(says(SYSTEM, "…", each) for each in lines), tasks=("garden_tour",))
    labels = [each for turn in acts(to_frames(BOATS)(dialogue)) for each in turn]
    assert labels == [
        act("inform", Steps="Climb the stile"),
        act("inform", Steps="Count the snails"),
    ]


def test_replies_of_ones_own_alone() -> None:
    for replies in ([says(SYSTEM, "No.", act("out_of_scope"))], [], [says(SYSTEM, "No.")]):
        dialogue = talk(asks("1", Boat="Otter"), *replies, says(SYSTEM, "Well."))
        version = to_sgd(BOATS)(dialogue)
        assert isinstance(version.events[0], Query)
        assert version.events[0].service == "boat_hire"
        framed = to_frames(BOATS)(dialogue)
        assert not any(acts(version) + acts(framed))
        assert active(framed)[-1] == 1


@pytest.mark.parametrize("adapt", [to_frames, to_sgd])
def test_others_are_left_alone(adapt: object) -> None:
    assert callable(adapt)
    own = talk(says(USER, "Hi.", act("greeting"), act("INFORM")))
    for tasks in ({}, BOATS, {"boat_hire": replace(boat(), flow=FlowGraph())}):
        assert adapt(tasks)(own) is own
    elsewhere = talk(says(USER, "Hi.", act("open")), tasks=("plane_book",))
    assert adapt(BOATS)(elsewhere) is elsewhere


def test_schemas_that_nobody_checked_do_no_harm() -> None:
    task = BOATS["boat_hire"]
    nodes = dict(task.flow.nodes)
    nodes["offer"] = replace(nodes["offer"], then=("nowhere",), last="elsewhere")
    nodes["ask_boat"] = replace(nodes["ask_boat"], asks=("nothing",))
    nodes["step"] = replace(nodes["sorry"], name="step", kind="system", reads="Nowhere")
    slots = {**task.slots, "time": replace(task.slots["time"], minimum="often")}
    odd = replace(
        task, flow=FlowGraph(nodes=nodes, complete=True), slots=slots, calls={}, tables={}
    )
    tasks = {"boat_hire": odd}
    assert acts(to_frames(tasks)(HIRED))[1] == [Act("request", (Argument("nothing"),))]
    assert acts(to_sgd(tasks)(HIRED))[1] == [Act("REQUEST", (Argument("nothing"),))]


# --- frames ---------------------------------------------------------------------------------------


Info = dict[str, list[Value]]


def held(dialogue: Dialogue) -> list[dict[int, tuple[int | None, Info]]]:
    """Return the frames at each utterance: number to parent and values."""

    def info(frame: Frame) -> Info:
        return {slot: [each.value for each in values] for slot, values in frame.info.items()}

    turns = [event for event in dialogue.events if isinstance(event, Utterance)]
    frames = [event.layers[0].parts[0].frames or () for event in turns]
    return [{frame.id: (frame.parent, info(frame)) for frame in each} for each in frames]


def active(dialogue: Dialogue) -> list[int | None]:
    turns = [event for event in dialogue.events if isinstance(event, Utterance)]
    return [event.layers[0].parts[0].active_frame for event in turns]


def asks(name: str, **values: Value) -> Query:
    constraints = tuple(Constraint(slot, "equal", (value,)) for slot, value in values.items())
    return Query(id=name, api="boat_hire", constraints=constraints)


def test_queries_open_and_change_frames() -> None:
    dialogue = talk(
        Utterance(agent=USER, text="A boat at ten."),
        asks("1", Boat="Otter", Time="10:00", RequestType="Check"),
        says(SYSTEM, "Otter is out at 10 am. Another time?", act("sorry")),
        Utterance(agent=USER, text="At eleven."),
        asks("2", Boat="Otter", Time="11:00", RequestType="Check"),
        says(SYSTEM, "Ours is free.", act("offer")),
    )
    version = to_frames(BOATS)(dialogue)
    first = {"boat": ["Otter"], "time": ["10:00"]}
    assert held(version) == [
        {1: (None, {})},
        {1: (None, first)},
        {1: (None, first)},
        {1: (None, first), 2: (1, {"boat": ["Otter"], "time": ["11:00"]})},
    ]
    assert active(version) == [1, 1, 1, 2]


def test_what_is_offered_is_a_frame_of_its_own() -> None:
    task = {"hotel_search": PACK["hotel_search"]}
    query = Query(
        id="1", api="hotel_search", constraints=(Constraint("Cost", "equal", ("Cheap",)),)
    )
    offer = act("hotel_provide_search_result", Name="Seven Elms", AverageRating="4")
    dialogue = talk(query, says(SYSTEM, "There is one.", offer), tasks=("hotel_search",))
    version = to_frames(task)(dialogue)
    [[frame_act]] = acts(version)
    [argument] = frame_act.arguments
    assert (frame_act.name, argument.slot, argument.references[0].frame) == ("offer", "ref", 2)
    offered = {"cost": ["Cheap"], "hotel": ["Seven Elms"], "rating": ["4"]}
    assert held(version) == [{1: (None, {"cost": ["Cheap"]}), 2: (1, offered)}]
    assert active(version) == [1]


def test_each_task_has_frames_of_its_own() -> None:
    def turn(task: str) -> Selection:
        return Selection(kind="task", task=task)

    dialogue = talk(
        says(USER, "Otter, please.", act("give_boat", boat="Otter")),
        turn("boat_hire"),
        says(SYSTEM, "What time?", act("ask_time")),
        says(USER, "By the rosery.", act("give_garden", garden="Rosery")),
        turn("garden_tour"),
        says(SYSTEM, "Does somebody come along?", act("ask_guided")),
        says(USER, "At ten, that boat.", act("give_time", time="10 am")),
        turn("boat_hire"),
        says(SYSTEM, "How many are you?", act("ask_crew")),
        tasks=("boat_hire", "garden_tour"),
    )
    version = to_frames(BOATS)(dialogue)
    assert active(version) == [1, 1, 2, 2, 1, 1]
    assert held(version)[-1] == {
        1: (None, {"boat": ["Otter"], "time": ["10 am"]}),
        2: (None, {"garden": ["Rosery"]}),
    }
    assert [each.name for each in acts(version)[4]] == ["switch_frame", "inform"]


def test_frames_are_as_many_as_the_corpus_has(tmp_path: Path) -> None:
    """Neither one for all, nor one a turn: the published mean is 6.71 frames, of three cities."""
    corpus = written(simulated("happy", 60), "frames", tmp_path)
    many: dict[str, list[int]] = defaultdict(list)
    for dialogue in corpus.dialogues():
        turns = [event for event in dialogue.events if isinstance(event, Utterance)]
        many["frames"].append(len(turns[-1].layers[0].parts[0].frames or ()))
        many["turns"].append(len(turns))
    assert 1 < sum(many["frames"]) / len(many["frames"]) < 4
    assert all(f <= t for f, t in zip(many["frames"], many["turns"], strict=True))


def test_numbers_are_texts_in_sgd(tmp_path: Path) -> None:
    """All values of SGD's files are texts, whatever types a task has."""
    plan = StarPlan(tasks=(PACK["apartment_search"],), seed=7, dialogues=5)
    FORMAT.write(map(plan.source(), range(5)), PACK, tmp_path)
    values = {type(value) for value in _values(json.loads(next(tmp_path.glob("d*")).read_text()))}
    assert values == {str}


def _values(raw: Any, key: str = "") -> Iterator[Any]:
    """Yield what a file has, but for the offsets of slots."""
    if isinstance(raw, dict):
        for name, member in raw.items():
            yield from _values(member, name)
    elif isinstance(raw, list):
        for member in raw:
            yield from _values(member)
    elif key not in ("start", "exclusive_end"):
        yield raw


# --- states of SGD --------------------------------------------------------------------------------


def test_a_categorical_slot_has_one_value_and_no_span(tmp_path: Path) -> None:
    services = {task.id: task for task in PACK.values()}
    corpus = written(simulated(), "sgd", tmp_path)
    choices = {
        (name, slot.name): slot.possible_values
        for name, task in corpus.schemas.items()
        if contract(task) is not None
        for slot in contract(task).slots
        if slot.categorical
    }
    states = spans = 0
    for dialogue in corpus.dialogues():
        for event in dialogue.events:
            for part in event.layers[0].parts if isinstance(event, Utterance) else ():
                assert part.service in services
                for span in part.spans or ():
                    spans += 1
                    assert not any((part.service, label) in choices for label in span.labels)
                for slot, values in (part.state.values if part.state else {}).items():
                    options = choices.get((part.service, slot))
                    states += options is not None
                    assert options is None or (len(values) == 1 and values[0] in options)
    assert min(states, spans) > 100


def test_speakers_take_turns(tmp_path: Path) -> None:
    before = sum(isinstance(event, Utterance) for d in simulated() for event in d.events)
    corpus = written(simulated(), "sgd", tmp_path)
    talks = [[e for e in d.events if isinstance(e, Utterance)] for d in corpus.dialogues()]
    assert sum(map(len, talks)) < before
    for spoken in talks:
        agents = [event.agent for event in spoken]
        assert all(one != other for one, other in pairwise(agents))
