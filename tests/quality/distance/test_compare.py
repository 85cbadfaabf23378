"""Simulated beside real: what is counted, what is compared, tables and page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Span,
    State,
    Utterance,
)
from dialoom.quality.distance.comparing import compare
from dialoom.quality.distance.counting import CorpusProfile
from dialoom.quality.distance.report import report, tables
from dialoom.schema import pack
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.sim.presets.star import StarPlan
from tests.strategies import dialogues, sampled


def say(agent: str, text: str, *acts: str, slots: tuple[str, ...] = ()) -> Utterance:
    moves = tuple(Act(name, tuple(Argument(slot, ("x",)) for slot in slots)) for name in acts)
    return Utterance(agent=agent, text=text, layers=(Layer(GOLD, (Part(acts=moves),)),))


def dialogue(*events: Event) -> Dialogue:
    return Dialogue(id="1", events=events)


def profile(dialogues: Iterable[Dialogue], *tasks: TaskSchema) -> CorpusProfile:
    return CorpusProfile({task.id: task for task in tasks}).add_all(dialogues)


def row(found: dict[str, Any], what: str) -> dict[str, Any]:
    return next(row for row in found["distances"] if row["what"] == what)


ASKED = dialogue(
    say("user", "Hello there", "greet"),
    say("system", "When?", "ask", slots=("time",)),
    say("user", "At seven, for two.", "inform", slots=("time", "guests")),
    Query(id="q1", api="find"),
    say("system", "Fine, see you.", "confirm", "bye"),
)


def test_a_corpus_is_like_itself() -> None:
    comparison = compare(profile([ASKED] * 12), profile([ASKED] * 30))
    assert {row["distance"] for row in comparison["distances"]} == {0}
    assert {row["within"] for row in comparison["distances"]} == {0}
    assert row(comparison, "length of utterances, user")["real"] == 4
    assert row(comparison, "order of slots of the user")["real"] == 1
    assert comparison["without_acts"] == []


def test_what_differs_is_listed() -> None:
    other = dialogue(*ASKED.events[:3], say("system", "Sorry, nothing.", "refuse"))
    comparison = compare(profile([ASKED] * 10), profile([other] * 10))
    pairs = {(pair["first"], pair["then"]) for pair in comparison["bigrams"]}
    assert ("user: inform", "system: refuse") in pairs
    assert ("system: call", "system: bye + confirm") in pairs
    assert comparison["words"]["system"]["only_real"] == {"nothing": 10, "sorry": 10}
    assert comparison["words"]["user"]["real_covered"] == 1


def test_acts_that_one_of_them_lacks_are_left_out() -> None:
    bare = tuple(
        Utterance(agent="user", text=event.text)
        if isinstance(event, Utterance) and event.agent == "user"
        else event
        for event in ASKED.events
    )
    comparison = compare(profile([ASKED] * 4), profile([dialogue(*bare)] * 4))
    assert comparison["without_acts"] == ["user"]
    assert row(comparison, "acts, two in a row")["distance"] == 0
    assert "order of slots of the user" not in {row["what"] for row in comparison["distances"]}


def test_orders_differ() -> None:
    turned = dialogue(
        say("user", "For two, at seven.", "inform", slots=("guests", "time")), *ASKED.events[3:]
    )
    comparison = compare(profile([turned] * 10), profile([ASKED] * 10))
    assert row(comparison, "order of slots of the user")["distance"] == 1
    assert comparison["orders"]["slots of the user"] == [
        {"of": "", "first": "guests", "then": "time", "simulated": 1.0, "real": 0.0, "n": 10}
    ]


def test_spans_name_slots_where_there_are_no_acts() -> None:
    spans = (Span(0, 4, ("pizza.size.accept",)), Span(5, 11, ("pizza.topping",)))
    part = Part(spans=spans)
    event = Utterance(agent="user", text="tiny tomato", layers=(Layer(GOLD, (part,)),))
    corpus = profile([dialogue(event)], TaskSchema(id="pizza"))
    assert corpus.whole.orders["slots of the user"] == {("pizza", "size", "topping"): 1}


def test_the_halves_of_a_corpus() -> None:
    corpus = profile([ASKED] * 7)
    assert [half.dialogues for half in corpus.halves] == [4, 3]
    assert corpus.whole.dialogues == 7


SERVICE = from_service(
    "Cinema_1",
    Service(
        slots=(
            ServiceSlot(name="day", categorical=True, possible_values=("Monday", "Friday")),
            ServiceSlot(name="film"),
        ),
        intents=(ServiceIntent(name="FindFilm"), ServiceIntent(name="BuyTicket")),
    ),
)


def test_what_of_a_service_is_used() -> None:
    state = State(intent="FindFilm", values={"day": ("Monday",)})
    part = Part(service="Cinema_1", state=state)
    event = Utterance(agent="user", text="On Monday", layers=(Layer(GOLD, (part,)),))
    used = profile([dialogue(event)], SERVICE).used.result()
    assert {kind: (cell["used"], cell["of"]) for kind, cell in used.items()} == {
        "intents": (1, 2),
        "slots": (1, 2),
        "values": (1, 2),
    }
    assert used["values"]["never_used"] == ["Cinema_1.day = Friday"]


def test_what_of_a_task_is_used() -> None:
    task = pack.load("weather")
    source = StarPlan(tasks=(task,), seed=1, dialogues=200, scenario="mixed").source()
    used = profile((source(n) for n in range(200)), task).used.result()
    assert used["slots"]["share"] == used["calls"]["share"] == used["values"]["share"] == 1
    assert used["replies"]["share"] == 1


@sampled
@given(st.lists(dialogues(), max_size=4), st.lists(dialogues(), max_size=4))
def test_any_two_corpora(one: list[Dialogue], other: list[Dialogue]) -> None:
    comparison = compare(profile(one), profile(other))
    assert all(0 <= row["distance"] <= 1 for row in comparison["distances"]
               if row["unit"] in ("bits", "share") and row["distance"] is not None)  # fmt: skip
    assert list(tables(comparison))
    page = report(("one", "other"), comparison, "none")
    assert page.endswith("</html>\n")
    assert "<script" not in page


def test_the_page() -> None:
    other = dialogue(*ASKED.events[:3], say("system", "Sorry, nothing.", "refuse"))
    comparison = compare(profile([ASKED] * 10, SERVICE), profile([other] * 10, SERVICE))
    page = report(("<made>", "real"), comparison, "signature:1")
    assert "<h1>&lt;made&gt; and real</h1>" in page
    for words in ("Distances", "Lengths", "Words", "Orders", "Schemas", "signature:1", "<svg"):
        assert words in page
    assert report(("<made>", "real"), comparison, "signature:1") == page


@pytest.mark.corpus
def test_star_is_closer_to_itself_than_to_anything(
    star: Path, star_dialogues: list[Dialogue], simulated_star: list[Dialogue]
) -> None:
    tasks = tuple(pack.load(name) for name in pack.names())
    real = CorpusProfile(formats.load(star).schemas).add_all(star_dialogues)
    comparison = compare(profile(simulated_star, *tasks), real)
    assert comparison["without_acts"] == ["user"]
    assert all(row["within"] < row["distance"] for row in comparison["distances"])
    assert row(comparison, "acts, two in a row")["distance"] < 0.5
