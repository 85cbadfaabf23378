"""The parts of the follower: links, slots, similarity, loops, rules."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from dialoom.dialogue import Query, Result
from dialoom.flow.action_view import view_actions
from dialoom.flow.actions import Edge, Graph, read_graph
from dialoom.formats.star.importing import to_schema
from dialoom.learn.text import TfidfEncoder
from dialoom.models.follower.features import DecisionPoint, program_columns
from dialoom.models.follower.model import QuestionReader, TaskGuide
from dialoom.models.follower.progress import DialogueProgress, OtherTasks
from dialoom.models.follower.rules import (
    DescribedActions,
    find_loops,
    items_read,
    own_words,
    read_out,
    unsayable,
)
from dialoom.models.follower.similarity import Similarity, fits_result, open_values, schema_texts
from dialoom.models.follower.slots import FilledSlots, SlotPlan
from dialoom.schema import pack
from dialoom.schema.source import StarSource, StarView
from tests.models.tiny import STEPS, picked, query, result, system, user, visits
from tests.schema.tiny import API, BARE, EDGES, NODES, REPLIES, REVERSE, RICH, VISIT, WAY

PROGRAM = view_actions(VISIT)
PLAN = SlotPlan(PROGRAM)


def heard(*texts: str) -> FilledSlots:
    tracker = FilledSlots(PLAN)
    for text in texts:
        tracker.hear(text, None)
    return tracker


def test_questions_are_linked_to_parameters() -> None:
    linked = {action: parameter.name for action, parameter in PROGRAM.links.items()}
    assert linked == {"ask_guest": "GuestName", "ask_hour": "Hour", "ask_size": "PartySize"}


def test_a_question_linked_to_no_parameter_has_a_slot_that_only_its_answer_fills() -> None:
    program = view_actions(VISIT, unlinked=1.0)
    slots = {action: slot.name for action, slot in program.links.items()}
    assert slots == {action: action for action in PROGRAM.links}
    assert program.required == PROGRAM.required
    tracker = FilledSlots(SlotPlan(program))
    tracker.hear("we are 4, at 7 pm", None)
    assert not any(tracker.filled(action) for action in slots)
    tracker.hear("at 7 pm", program.links["ask_hour"])
    assert [action for action in slots if tracker.filled(action)] == ["ask_hour"]


def test_a_seed_draws_the_links_left_out() -> None:
    some = [view_actions(VISIT, unlinked=0.5, seed=seed).links for seed in range(8)]
    assert some == [view_actions(VISIT, unlinked=0.5, seed=seed).links for seed in range(8)]
    assert len({tuple(slot.name for slot in links.values()) for links in some}) > 2


def test_a_reply_under_two_names() -> None:
    assert PROGRAM.superseded == {"leave"}
    assert view_actions(BARE).superseded == frozenset()


def test_values_said_fill_slots() -> None:
    assert heard("at 7 pm").mentioned == {"Hour"}
    assert heard("we are 4").mentioned == {"PartySize"}
    assert heard("My name is ada").mentioned == {"GuestName"}
    assert heard("Hello, this is Ada").mentioned == {"GuestName"}
    assert heard("I am looking for a garden").mentioned == set()


def test_times_of_a_task_file_are_told_apart_by_their_kind() -> None:
    plan = SlotPlan(view_actions(pack.load("meeting_schedule")))
    assert (plan.rank["StartTimeHour"], plan.rank["EndTimeHour"]) == (0, 1)
    tracker = FilledSlots(plan)
    tracker.hear("at 10 am", None)
    assert tracker.mentioned == {"StartTimeHour"}


def test_not_knowing_is_no_answer() -> None:
    tracker = FilledSlots(PLAN)
    tracker.hear("I have no idea", PROGRAM.links["ask_size"])
    assert tracker.refused == {"PartySize"} and not tracker.filled("PartySize")


@pytest.mark.parametrize(
    ("said", "refused"),
    [("No, thanks", True), ("I cant remember", True), ("It is 20417", False), ("no, 20417", False)],
)
def test_an_answer_without_a_value_where_the_flow_expects_one(said: str, refused: bool) -> None:
    program = view_actions(pack.load("bank_balance"))
    plan = SlotPlan(program)
    assert plan.declinable == {"AccountNumber", "PIN"}
    tracker = FilledSlots(plan)
    tracker.hear(said, program.links["bank_ask_account_number"])
    assert (tracker.refused == {"AccountNumber"}) == refused
    assert tracker.filled("AccountNumber") != refused
    tracker = FilledSlots(plan)
    tracker.hear(said, program.links["ask_name"])
    assert tracker.refused == set()


def test_an_answer_and_a_query_fill_slots() -> None:
    tracker = FilledSlots(PLAN)
    tracker.hear("the usual", PROGRAM.links["ask_guest"])
    assert tracker.filled("GuestName") and tracker.answered == {"GuestName"}
    tracker.query(query("Check", Hour="7 pm"))
    assert tracker.filled("Hour") and not tracker.filled("PartySize")


@pytest.mark.parametrize(
    ("said", "filled"),
    [
        ("The reason is a fire drill", True),
        ("I need the code for the hyperdrive, we must escape a meteor shower", True),
        ("Hello, what is the reason for this code?", False),
        ("I am Ripley, and this is Ada Dallas", False),
    ],
)
def test_words_that_nothing_else_in_the_task_has_tell_a_free_text(said: str, filled: bool) -> None:
    program = view_actions(pack.load("spaceship_access_codes"))
    tracker = FilledSlots(SlotPlan(program))
    tracker.hear(said, None)
    assert tracker.filled("LogEntry") == filled


def test_the_answer_to_another_question_tells_no_free_text() -> None:
    program = view_actions(pack.load("spaceship_access_codes"))
    asks = {slot.name: slot for slot in program.links.values()}
    tracker = FilledSlots(SlotPlan(program))
    other = next(slot for name, slot in asks.items() if name != "LogEntry")
    tracker.hear("I forgot it at the last fire drill", other)
    assert not tracker.filled("LogEntry")
    tracker.hear("Because", asks["LogEntry"])
    assert tracker.filled("LogEntry")


def bank_columns(*answered: str, refused: tuple[str, ...] = ()) -> dict[str, object]:
    program = view_actions(pack.load("bank_balance"))
    encoder = TfidfEncoder()
    encoder.fit(schema_texts(program))
    guide = TaskGuide(program, encoder)
    progress = guide.start()
    progress.slots.answered.update(answered)
    progress.slots.refused.update(refused)
    point = DecisionPoint(progress, guide.similarity, guide.features)
    return dict(program_columns(point))


@pytest.mark.parametrize(("required", "count"), [(("Hour",), 2), (("PartySize",), 1)])
def test_what_a_query_requires_is_asked_for_on_every_way(
    required: tuple[str, ...], count: int
) -> None:
    view = StarView(name="garden_visit", nodes=NODES, reverse=REVERSE,
                    edges={**RICH, "user_guest": "ask_size"})  # fmt: skip
    source = StarSource(
        paper=StarView(edges=EDGES), sam=view, apis=(replace(API, required=required),)
    )
    guide = TaskGuide(view_actions(to_schema("visit", None, REPLIES, source)), TfidfEncoder())
    progress = guide.start()
    progress.slots.answered.add("GuestName")
    point = DecisionPoint(progress, guide.similarity, guide.features)
    assert dict(program_columns(point))["open_asks"] == count


def test_one_of_the_ways_to_a_call_is_enough() -> None:
    born = ("FullName", "DateOfBirth", "SecurityAnswer1")
    for answered, refused, count in (
        ((), (), 3),
        (("FullName", "AccountNumber", "PIN"), (), 0),
        (born, ("AccountNumber",), 1),
        ((*born, "SecurityAnswer2"), ("AccountNumber",), 0),
        (("FullName",), ("AccountNumber",), 3),
        (("FullName", "AccountNumber"), ("PIN",), 3),
    ):
        assert bank_columns(*answered, refused=refused)["open_asks"] == count


def test_no_call_is_due_on_another_way_with_open_questions() -> None:
    born = ("FullName", "DateOfBirth", "SecurityAnswer1")
    assert not bank_columns()["ready"]
    assert bank_columns("FullName", "AccountNumber", "PIN")["ready"]
    assert not bank_columns(*born, refused=("AccountNumber",))["ready"]
    assert bank_columns(*born, "SecurityAnswer2", refused=("AccountNumber",))["ready"]


def test_results_fit_nodes() -> None:
    opened = "APIName = garden_visit ; Message = The garden is open. ; Time = [TIME] ;"
    shut = opened.replace("open", "shut")
    item = {"APIName": "garden_visit", "Message": "The garden is open.", "Time": "7 pm"}
    assert fits_result(opened, item) == 1.0 > fits_result(shut, item) > 0.5
    unlike = "APIName = garden_visit ; Message = The garden is shut. ; Keeper = [NAME] ;"
    assert fits_result(shut, item) > fits_result(unlike, item)
    bare = "Message = The garden is open. ;"
    assert fits_result(bare, item) > fits_result(shut.replace("Time", "Day"), item)
    assert fits_result("NO RESULT", None) == 1.0
    assert fits_result(opened, None) == fits_result("NO RESULT", item) == 0.0
    assert open_values(opened, item) == ["7 pm"]


def test_typed_replies_are_matched() -> None:
    encoder = TfidfEncoder()
    encoder.fit(PROGRAM.texts.values())
    similarity = Similarity(PROGRAM, encoder)
    assert similarity.match("How many of you will be there?")[0] == "ask_size"
    assert similarity.match("zzz qqq")[0] is None


def test_a_state_follows_the_dialogue() -> None:
    state = DialogueProgress(PLAN, lambda _: (None, 0.0))
    for event in visits()[1].events:
        state.step(event)
    assert state.last == "goodbye" and state.kind == "system"
    assert state.last_query == "query_book"
    assert state.counts["query_check"] == state.counts["offer"] == 1
    assert state.slots.filled("PartySize")


def test_a_second_user_turn_adds_to_the_first() -> None:
    state = DialogueProgress(PLAN, lambda _: (None, 0.0))
    for event in (user("Hi"), user("there"), picked("hello"), user("Bye")):
        state.step(event)
    assert state.user == "Bye" and state.user_turns == 3


def test_unlabelled_replies_are_recognised() -> None:
    state = DialogueProgress(
        PLAN, lambda text: ("confirm", 0.9) if "booked" in text else (None, 0.0)
    )
    state.step(system(None, "All booked."))
    assert (state.last, state.matched) == ("confirm", 0.9)
    state.step(system(None, "Hm."))
    assert state.last == "custom"


def test_what_the_system_does_for_another_task_is_passed_over() -> None:
    others = OtherTasks(frozenset({"way_out"}), frozenset({"ask_from"}))
    state = DialogueProgress(PLAN, lambda _: ("offer", 0.9), others)
    opening = picked("hello"), user("First, how do I get there?")
    away = system("ask_from", "Where are you?"), user("At the gate, at 7 pm")
    lookup = Query(id="w", api="way_out"), Result(query="w", items=({"Steps": 2},))
    after = system(None, "Go straight on"), system("of_many_tasks", "Fine?")
    for event in (*opening, *away, *lookup, *after):
        state.step(event)
    assert (state.trail, state.items, state.kind) == (["hello"], [], "system")
    assert state.elsewhere and state.asked() is None
    state.step(user("Then on to my visit"))
    assert "Hour" in state.slots.mentioned and "Hour" not in state.slots.answered
    state.step(picked("ask_size"))
    assert state.trail == ["hello", "ask_size"] and state.asked() == PROGRAM.links["ask_size"]


def test_replies_that_domains_share_tell_of_no_task() -> None:
    tasks = {"visit": VISIT, "way": WAY, "room": replace(WAY, id="room")}
    some = QuestionReader({"visit": VISIT, "way": WAY}, ())
    more = QuestionReader(tasks, ())
    assert "tell_step" in some._guides["visit"].others.actions
    assert not more._guides["visit"].others.actions


def test_replies_that_tasks_share_are_of_each_of_them() -> None:
    reader = QuestionReader({"visit": VISIT, "way": WAY}, ())
    start = reader._guides["visit"].start()
    assert "tell_step" in start.others.actions
    assert not start.others.actions & {"hello", *PROGRAM.actions}
    for event in (system("tell_step", "Left."), picked("hello")):
        start.step(event)
    assert start.trail == ["hello"] and not start.elsewhere


def test_loops_are_found_in_the_graph() -> None:
    (loop,) = find_loops(view_actions(WAY))
    assert (loop.body, loop.last) == ("tell_step", "tell_last")
    assert loop.branches == {"tell_more": ("Can I have more details?",)}
    assert find_loops(PROGRAM) == ()


def test_a_loop_that_a_result_leads_to_comes_first_and_its_last_step_leads_on() -> None:
    texts = {"more": "{DetailedSteps}", "step": "{Steps} Next?", "end": "{Steps} Clear?", "bye": ""}
    ways = [("step", "more"), ("more", "more"), ("more", "step"), ("step", "step"), ("step", "end")]
    edges = [Edge(before, after, f"{before} {after}", "user") for before, after in ways]
    edges += [
        Edge("end", "bye", "That is all.", "user"),
        Edge("query", "step", "Steps = [S]", "kb"),
    ]
    program = replace(PROGRAM, texts=texts, actions=tuple(texts), graph=Graph(texts, tuple(edges)))
    first, second = find_loops(program)
    assert (first.body, first.last) == ("step", "end")
    assert second.body == "more"


def test_how_much_was_read_out() -> None:
    assert items_read([STEPS], []) == 0
    assert items_read([STEPS], ["leave by the gate - ok?"]) == 1
    assert items_read([STEPS], ["Turn left at the pond. Cross the small bridge."]) == 3


def test_replies_that_cannot_be_filled() -> None:
    booked = {"APIName": "garden_visit", "Message": "Booked."}
    assert unsayable(PROGRAM, booked) == {"offer", "confirm"}
    opened = {"APIName": "garden_visit", "Message": "The garden is open.", "Time": "7 pm"}
    assert "offer" not in unsayable(PROGRAM, opened)
    assert unsayable(PROGRAM, None) == frozenset()
    assert unsayable(view_actions(BARE), booked) == frozenset()


def test_rules() -> None:
    scores = np.array([3.0, 1.0, 0.0])
    plain = DescribedActions(("a", "b", "custom"), np.zeros((3, 1), dtype=np.float32))
    assert list(read_out(plain, scores)) == list(scores) and own_words(plain, scores) is scores
    assert read_out(plain._replace(step="b"), scores).argmax() == 1
    changed = own_words(plain._replace(unsayable=frozenset({"a"})), scores)
    assert changed.argmax() == 2 and changed.argmin() == 0


def test_queries_of_a_task_without_apis() -> None:
    assert read_graph(BARE).actions[-1] == "query"
    assert view_actions(BARE).queries == ("query",)


def test_a_result_is_read() -> None:
    state = DialogueProgress(PLAN, lambda _: (None, 0.0))
    state.step(query("Check"))
    state.step(result())
    assert state.kind == "result" and state.item is None
    state.step(query("Check"))
    assert state.repeat
