"""Turns in which a reader heard no person; each cannot be made again, by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dialoom.dialogue import USER, Utterance
from dialoom.flow.program import compile_task
from dialoom.kb import KnowledgeBase
from dialoom.schema import pack
from dialoom.schema.values.forms import surface_form
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.goal import HAPPY, Goals
from dialoom.sim.policies.flow.persons import overlaid, person_texts
from dialoom.sim.policies.flow.task_speech import task_speech
from dialoom.sim.policies.flow.voice import Voice, suited
from dialoom.sim.stories.shared import FREE
from tests.sim.policies.flow.spoken import dialogues

ENGLISH = speech("en")
DOMAINS = sorted({pack.load(name).domain for name in pack.names()})


def voice(task: str, seed: str) -> Voice:
    program = compile_task(pack.load(task))
    fit = suited(ENGLISH, program.schema.domain)
    return Voice(task_speech(program), fit, SeededRng(seed.encode(), b"voice"))


def spoken() -> Iterator[str]:
    for dialogue in dialogues():
        yield from (e.text for e in dialogue.events if isinstance(e, Utterance) and e.agent == USER)


@pytest.mark.parametrize(
    ("domain", "symbol", "unfit"),
    [
        ("weather", "thanks", "too expensive"),
        ("bank", "reason", "too expensive|if it'?s (?:really|very|noisy)"),
        ("trivia", "no", "not yet"),
        ("doctor", "reason", "if it'?s (?:really|very|noisy)|it's for (?:a|my) "),
        ("apartment", "reason", "the food there|it's for (?:a|my) |for two days"),
    ],
)
def test_remarks_fit_the_domain(domain: str, symbol: str, unfit: str) -> None:
    """ "Sable Heights will be rainy." "I hope it's not too expensive" """
    rng, fit = SeededRng(b"", domain.encode()), suited(ENGLISH, domain)
    remarks = [fit.template(symbol, rng) for _ in range(600)]
    assert [text for text in remarks if re.search(f"(?i){unfit}", text)] == []


def test_a_trait_keeps_what_does_not_fit_the_domain() -> None:
    texts, rng = person_texts("en"), SeededRng(b"", b"trait")
    trait = texts.traits["polite"]
    fit = overlaid(trait, suited(ENGLISH, "weather"))
    thanks = [fit.template("thanks", rng) for _ in range(600)]
    assert [text for text in thanks if "too expensive" in text] == []


def test_no_time_of_the_wish_follows_that_of_the_matter() -> None:
    """ "I need the forecast in Lower Marsh on Sunday today", "around 19:00 now" """
    days = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    for text in spoken():
        assert not re.search(rf"(?i)\b{days} (?:now|today|right now|for today)\b", text), text


def test_a_question_with_which_is_not_denied() -> None:
    """ "How many stars would please you?" "No" """
    program = compile_task(pack.load("hotel_search"))
    steps = [step for step in program.steps.values() if step.node.gives_none]
    for n in range(300):
        each = steps[n % len(steps)]
        texts = [t for b in program.schema.flow.before[each.name]
                 for t in program.schema.flow.nodes[b].texts]  # fmt: skip
        if any(re.match(r"(?:What|Which|How many|In which)\b", text) for text in texts):
            answer = "".join(voice("hotel_search", str(n)).line(each, each.lines[0]).literals)
            assert answer in {"".join(line.literals) for line in each.lines} or not re.match(
                r"(?i)(?:no|nope|none|not really)\b(?! (?:preference|idea))", answer
            )


@pytest.mark.parametrize("name", pack.names())
def test_sentences_do_not_look_like_phrases(name: str) -> None:
    """ "Directions to Cedar for me it's driving" """
    loose = "|".join(ENGLISH.symbols["loose"])
    for lines in compile_task(pack.load(name)).sentences.values():
        for line in lines:
            text = "{}".join(line.literals)
            if re.match(rf"(?i)(?:{loose}) ", text):
                assert not re.search(r"\b(?:it's|is) ", text), text


def test_an_order_begins_a_sentence() -> None:
    """ "I wanted to unlock a door and meet me at the cargo bay" """
    orders = "|".join(ENGLISH.symbols["order"])
    speaker = voice("ride_book", "order")
    for verb in orders.split("|"):
        assert speaker._join("I need a ride", f"{verb} me there") == ". "
    assert speaker._join("I need a ride", "it is for me") != ". "


def test_a_thing_takes_no_place_that_it_is_not_at() -> None:
    """ "I need a restaurant recommendation at Salt Cellar" """
    for text in spoken():
        assert not re.search(r"(?i)\b(?:recommendation|place to (?:stay|eat)) at\b", text), text


def test_nobody_takes_what_they_ruled_out() -> None:
    """ "But please not Nonna Brisa" … "Nonna Brisa" """
    program, base = compile_task(pack.load("restaurant_search")), KnowledgeBase()
    base.populate(program.schema, 3)
    tables = {name: [*rows.values()] for name, rows in base.snapshot().tables.items()}
    goals = Goals(program, tables, HAPPY)
    rng = SeededRng(b"", b"refuse")
    goal = goals.draw(rng, rng)
    slot = next(iter(goal.said))
    first = goal.said[slot].canonical
    goal.demands = FREE.without(slot, first)
    assert goal.demands.broken({slot: first}) == slot
    assert goal.demands.broken({slot: "another"}) is None
    for _ in range(40):
        if goals.renew(goal, (slot,), rng, rng) and slot in goal.said:
            assert goal.said[slot].canonical != first


def test_several_values_end_in_and() -> None:
    """ "It would be nice to have the university, a museum nearby" """
    form = surface_form("pois", ["A", "B", "C"], ("a park", "a gym", "a school"), " and ")
    assert form.text == "a park, a gym and a school"
    assert [form.text[s.start : s.end] for s in form.spans] == ["a park", "a gym", "a school"]


def test_a_change_names_what_changes() -> None:
    """ "I need to change the travel mode" "How would you like to travel?" "walking", as before"""
    program = compile_task(pack.load("trip_directions"))
    step = next(s for s in program.steps.values() if len(s.node.forget) == 4)
    old = surface_form("arrival_location", "the ice rink", ("the ice rink",))
    names = task_speech(program).nouns
    for n in range(200):
        text = "".join(voice("trip_directions", str(n)).line(step, step.lines[0], (), old).literals)
        assert names["travel_mode"] not in text or text in {
            "".join(line.literals) for line in step.lines
        }


def test_nobody_tells_what_somebody_told_that_somebody_told() -> None:
    """ "My grandma told me that she said it was very noisy" """
    rng = SeededRng(b"", b"told")
    remarks = (ENGLISH.template(name, rng) for name in ("chat", "vague") for _ in range(1500))
    assert [text for text in remarks if re.search(r"told me that s?he (?:said|told)", text)] == []
