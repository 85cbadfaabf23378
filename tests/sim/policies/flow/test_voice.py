"""How users word turns with several values: each phrase is where a reader expects it."""

from __future__ import annotations

import re

import pytest

from dialoom.flow.node import FlowLine
from dialoom.flow.program import TaskProgram, compile_task
from dialoom.schema import pack
from dialoom.schema.lexicon import lexicon
from dialoom.schema.values.forms import surface_form
from dialoom.schema.yaml.reading import read_text
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.task_speech import task_speech
from dialoom.sim.policies.flow.voice import Voice, suited
from tests.sim.policies.flow.spoken import PLAIN, dialogues

ENGLISH = speech("en")


def program(task: str) -> TaskProgram:
    return compile_task(pack.load(task))


def voice(task: str, seed: str = "voice") -> Voice:
    flow = program(task)
    return Voice(
        task_speech(flow), suited(ENGLISH, flow.schema.domain), SeededRng(b"", seed.encode())
    )


def wording(task: str, slot: str, times: int = 200) -> set[str]:
    """Return answers with a slot's value and that of another one."""
    flow, kinds = program(task), task_speech(program(task)).kinds
    steps = (step for name, step in flow.steps.items() if kinds[name] == "give")
    pairs = ((step, line) for step in steps for line in step.lines)
    step, line = next((step, line) for step, line in pairs if line.names == (slot,))
    other = next(name for name in flow.schema.slots if name in ("day", "time", "start_time"))
    lines = [voice(task, str(n)).line(step, line, (other,)) for n in range(times)]
    return {"{}".join(each.literals) for each in lines if other in each.names}


def test_no_mark_follows_another() -> None:
    """ "What's the weather like there with 2 stars please.?" """
    for text in wording("party_plan", "venue") | wording("doctor_schedule", "doctor"):
        assert not re.search(r"[.,]\s*[.,?!]|[?!]\s*[.,]", text), text


def test_a_phrase_ends_the_clause_of_the_value_before_it() -> None:
    """ "Moonlight Barn but I need it to be really good at 9:30 pm" """
    for text in wording("party_plan", "venue", 400):
        between = re.search(r"\{\}([^.,!?]*)\b(?:on|at|for|around) \{\}$", text)
        assert between is None or not re.search(r"\b(?:but|because|since)\b", between[1]), text


def test_nobody_is_named_on_friday() -> None:
    """ "Yes my name is Samira on Friday" """
    for text in wording("apartment_schedule", "name", 400):
        assert not re.search(r"\{\} (?:on|at|for|from|to|in|with) \{\}", text), text


@pytest.mark.parametrize(
    ("before", "value", "text"),
    [
        ("on ", "13th", "on the 13th"),
        ("from ", "8th", "from the 8th"),
        ("from ", "5th and Main", "from 5th and Main"),
        ("this ", "this Sunday", "this Sunday"),
        ("for this ", "next Monday", "for next Monday"),
        ("On ", "next Monday", "next Monday"),
        ("On ", "3rd of May", "On the 3rd of May"),
        ("at the ", "The Weaver's Rest", "at The Weaver's Rest"),
        ("on ", "May 13th", "on May 13th"),
    ],
)
def test_words_before_a_value_fit_it(before: str, value: str, text: str) -> None:
    """ "on 13th", "This this Sunday", "a meeting on next Monday" """
    flow = program("weather")
    line = task_speech(flow).once(f"{before}{{city}}.")
    assert isinstance(line, FlowLine)
    sentence, spans = line.fill(tuple(flow.words.forms("city", value)[:1]))
    assert sentence == f"{text}."
    assert sentence[spans[0].start : spans[0].end] == value


def test_days_have_an_article_after_a_preposition() -> None:
    """ "I want to fly on 13th" """
    nth = r"(?i)\b(?:on|until|by) \d+(?:st|nd|rd|th)\b(?! and)"
    for dialogue in (*dialogues(), *map(PLAIN.source(), range(60))):
        for event in dialogue.events:
            assert not re.search(nth, getattr(event, "text", "") or ""), event


def test_what_users_read_off_is_corrected_without_reasons() -> None:
    """ "I forgot that I have class. Can we make it 756?" of the number of a ride"""
    for task, slot in (("ride_status", "booking"), ("bank_balance", "pin")):
        symbols = task_speech(program(task)).symbols[ENGLISH]
        ways = ENGLISH.symbols[symbols.answers["correct", slot]]
        assert not [way for way in ways if re.search(r"<(?:story|fact|tale|reason|person)>", way)]


@pytest.mark.parametrize(
    ("task", "slot"), [("bank_balance", "birth_date"), ("bank_fraud_report", "report")]
)
def test_facts_are_not_haggled_over(task: str, slot: str) -> None:
    """ "A forged cheque, also it can't be too expensive", "On April 12 1988. Or maybe not" """
    symbol = task_speech(program(task)).symbols[ENGLISH].answers["give", slot]
    ways = ENGLISH.symbols[symbol]
    assert "<more-fact>" in " ".join(ways)
    assert not [way for way in ways if re.search(r"<(?:more|then|but|also)>|available|or ", way)]


def test_nobody_adds_a_condition_to_a_no() -> None:
    """ "No, but only if it's not too far" """
    for symbol in ("none", "none-long-text", "none-truth", "no"):
        assert not [way for way in ENGLISH.symbols[symbol] if "<but>" in way]


@pytest.mark.parametrize("domain", ["hotel", "restaurant", "ride", "bank", "party", "meeting"])
def test_plans_after_a_task_fit_its_domain(domain: str) -> None:
    """ "Your room is reserved." "Now I can go to the park" """
    fit, rng = suited(ENGLISH, domain), SeededRng(b"", domain.encode())
    texts = [fit.template(symbol, rng) for symbol in ("thanks", "fine", "chat") for _ in range(600)]
    away = r"(?i)\b(?:go to the (?:park|beach)|umbrella|wear a coat|dog for a walk|go for a run)\b"
    assert [text for text in texts if re.search(away, text)] == []
    assert any(re.search(r"(?i)I can|I will|I guess|I might", text) for text in texts)


def test_a_refused_offer_is_named() -> None:
    """ "not Maple Grove, that's too far out" """
    flow = program("hotel_search")
    steps = [s for s in flow.steps.values() if s.kind == "user" and s.node.forget[:1] == ("hotel",)]
    texts, refused = set(), surface_form("hotel", "Maple Grove", ("Maple Grove",))
    for n in range(300):
        line = voice("hotel_search", str(n)).line(steps[0], steps[0].lines[0], (), refused)
        texts.add("".join(line.literals))
    mentions = [text for text in texts if "Maple Grove" in text]
    assert 0 < len(mentions) < len(texts)
    denied = lexicon("en").without
    for text in mentions:
        before = text.partition("Maple Grove")[0].lower()
        assert any(before.rstrip().endswith(word) for word in denied), text


SERVICE = """
task: trips
domain: trips
language: en
description: buses
intents:
  find: {description: Search for a bus, apis: [find]}
  buy: {description: Buy a ticket for a bus, apis: [buy]}
slots:
  fare:
    type: category
    description: type of fare
    need: optional
    values: {Flexible: [], Economy: []}
  from_stop: {type: short text, description: first stop, examples: [Calder]}
  to_stop: {type: short text, description: last stop, examples: [Calder]}
tables:
  buses:
    rows: 4
    columns: {fare: {slot: fare}, from_stop: {slot: from_stop}, to_stop: {slot: to_stop}}
apis:
  find: {effect: search, table: buses, inputs: {fare: {slot: fare}, from_stop: {slot: from_stop}}}
  buy: {effect: search, table: buses, inputs: {fare: {slot: fare}, to_stop: {slot: to_stop}}}
flow:
  hello: {system: ["How can I help?"], then: [wish]}
  wish:
    user: ["I need to search for a bus.", "Can you help me search for a bus?"]
    then: [ask_fare]
  ask_fare: {system: ["Which fare?"], asks: [fare], then: [give_fare, any_fare]}
  give_fare: {user: ["{fare}."], then: [ask_from]}
  any_fare: {user: ["That does not matter."], gives_none: true, then: [ask_from]}
  ask_from: {system: ["From where?"], asks: [from_stop], then: [give_from]}
  give_from: {user: ["Let us say {from_stop}.", "My first stop is {from_stop}."], then: [ask_to]}
  ask_to: {system: ["To where?"], asks: [to_stop], then: [give_to]}
  give_to: {user: ["Let us say {to_stop}."], then: [end]}
  end: {system: ["Goodbye."]}
"""


def service(*nodes: str) -> list[str]:
    """Return what 300 users say at nodes of a task with two intents."""
    flow = compile_task(read_text(SERVICE))
    spoken = task_speech(flow)
    lines = []
    for n in range(300):
        one = Voice(spoken, suited(ENGLISH, "trips"), SeededRng(b"", str(n).encode()))
        lines += [one.line(flow.steps[node], flow.steps[node].lines[0]) for node in nodes]
    return ["_".join(line.literals) for line in lines]


def test_users_wish_for_the_intent_of_the_node() -> None:
    texts = service("wish")
    assert all("search for a bus" in text for text in texts)
    assert len(set(texts)) > 20


def test_nobody_declines_with_a_value() -> None:
    """ "I'm flexible", where a fare is called that"""
    texts = service("any_fare")
    assert len(set(texts)) > 20
    assert not [text for text in texts if "flexible" in text.lower()]


def test_a_volunteered_value_names_its_slot() -> None:
    spoken = task_speech(compile_task(read_text(SERVICE)))
    assert [line.literals[0] for line in spoken.sentences["from_stop"]] == ["My first stop is "]
    assert [line.literals[0] for line in spoken.sentences["to_stop"]] == ["Let us say "]
