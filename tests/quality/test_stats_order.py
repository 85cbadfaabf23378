"""Table 8 of the STAR paper: which actions are checked, and when they are in order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.dialogue import GOLD, Act, Capability, Dialogue, Layer, Part, Scenario, Utterance
from dialoom.formats.star.importing import to_schema
from dialoom.quality.stats import Statistics
from dialoom.quality.stats.order import TOLERANCE, Orders, checked, in_order
from dialoom.quality.stats.report import report
from dialoom.quality.stats.tables import question_order
from dialoom.schema import pack
from dialoom.schema.source import StarSource, StarView
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.simulator import Simulator


def task(*way: str, replies: tuple[str, ...] = (), name: str = "kite_book") -> TaskSchema:
    nodes = ("hello", *way)
    edges = dict(pairwise(nodes)) | {"yes": way[-1]}
    texts = dict.fromkeys(replies or nodes, "")
    return to_schema(
        name, None, texts, StarSource(paper=StarView(edges=dict(sorted(edges.items()))))
    )


BOOK = task("ask_name", "kite_ask_size", "kite_ask_colour", "query_check", "kite_inform_free")


def test_what_is_checked_ends_with_the_first_query_or_where_the_paper_says() -> None:
    assert checked(BOOK) == ("ask_name", "kite_ask_size", "kite_ask_colour", "query_check")
    assert checked(BOOK, 2) == ("ask_name", "kite_ask_size")
    assert checked(BOOK, 5)[-1] == "kite_inform_free"
    assert checked(TaskSchema(id="kite_book")) == ()


def test_of_a_search_the_questions_that_follow_its_step_are_checked() -> None:
    search = task(
        "kite_inform_criteria",
        "query",
        "kite_inform_result",
        "kite_ask_more",
        replies=("hello", "ask_name", "kite_inform_criteria", "kite_ask_size", "kite_ask_colour",
                 "kite_inform_result", "kite_ask_more", "query"),
    )  # fmt: skip
    assert checked(search) == ("kite_ask_size", "kite_ask_colour", "query")


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        (["hello", "ask_name", "kite_ask_size", "kite_ask_colour", "query_check"], True),
        (["kite_ask_size", "kite_ask_size", "custom", "query_check"], True),
        (["query_check", "ask_name"], True),  # what comes after the last does not count
        (["kite_ask_size", "ask_name", "query_check"], False),
        (["ask_name", "kite_ask_colour", "out_of_scope", "kite_ask_size"], False),
        ([], True),
    ],
)
def test_skipping_and_asking_twice_are_in_order(done: list[str], expected: bool) -> None:
    assert in_order(done, checked(BOOK)) is expected


def dialogue(*done: str, happy: bool = True, outcome: str = "Complete", **more: bool) -> Dialogue:
    events = [
        Utterance(agent="system", text=".", layers=(Layer(GOLD, (Part(acts=(Act(name),)),)),))
        for name in done
    ]
    scenario = Scenario(
        capabilities=(Capability("kite_book"),), happy=happy, multi_task=more.get("multi", False)
    )
    return Dialogue(id="1", events=tuple(events), scenario=scenario, outcome=outcome)


def test_the_columns_are_happy_and_all_complete_single_task_dialogues() -> None:
    orders = Orders({"kite_book": BOOK})
    orders.add(dialogue("ask_name", "kite_ask_size"))
    orders.add(dialogue("kite_ask_size", "ask_name", happy=False))
    orders.add(dialogue("kite_ask_size", "ask_name", outcome="Gone"))
    orders.add(dialogue("kite_ask_size", "ask_name", multi=True))
    result = orders.result()
    assert result is not None
    row = result["tasks"]["kite_book"]
    assert (row["happy"], row["all"]) == (1, 0.5)
    assert (row["happy_dialogues"], row["dialogues"]) == (1, 2)
    assert "published" not in row
    assert result["mean"] == {"happy": 1, "all": 0.5}


def test_the_paper_is_shown_for_dialogues_of_people_only() -> None:
    corpus, flags = pack.load("hotel_search"), {}
    for provenance in ("imported", "collected", "simulated"):
        statistics = Statistics(lambda event: "event", {corpus.id: corpus}, "star")
        dialogues = (Simulator(corpus, 1).dialogue(index) for index in range(3))
        copies = (msgspec.structs.replace(each, provenance=provenance) for each in dialogues)
        result = statistics.add_all(copies).result()
        flags[provenance] = "published" in result["question_order"]["tasks"][corpus.id]
        [table] = question_order(result["question_order"])
        assert ("paper" in table.header) is flags[provenance]
        assert ("happy, paper" in report([("tiny", result)])) is flags[provenance]
    assert flags == {"imported": True, "collected": True, "simulated": False}


def test_nothing_is_said_without_a_flow() -> None:
    orders = Orders({"kite_book": TaskSchema(id="kite_book")})
    orders.add(dialogue("ask_name"))
    orders.add(Dialogue(id="2", events=()))
    assert orders.result() is None


@pytest.mark.corpus
def test_the_papers_figures_on_the_real_corpus(star_counts: dict[str, Any]) -> None:
    figures = star_counts["question_order"]
    orders = formats.published_orders()
    others = {name for name, order in orders.items() if order.another}
    assert set(figures["beyond"]) <= others
    for name in set(figures["tasks"]) & others:
        other, paper = figures["tasks"][name]["in_another_order"], orders[name]
        assert abs(other["happy"] - paper.happy) <= TOLERANCE
        assert abs(other["all"] - paper.all) <= TOLERANCE
    shared = figures["published_mean_of_these_tasks"]
    assert figures["mean"]["all"] == pytest.approx(shared["all"], abs=0.01)
