"""Turns of services that readers found absurd; each cannot be made again, by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.schema.act_wording import wording
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.plan import Request
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.drafting import SlotItem, drafted
from dialoom.sim.policies.agenda.services import ALL
from dialoom.sim.presets.sgd import PRESET

ENGLISH = {side: speech("en", f"acts-{side}") for side in (USER, SYSTEM)}
INTENT = {"verb": "reserve", "thing": "ticket", "things": "tickets", "it": "it", "one": ""}


@cache
def turns() -> tuple[Utterance, ...]:
    made = PRESET.plan(Request(number=120, seed=4, tasks=ALL)).source()
    return tuple(e for n in range(120) for e in made(n).events if isinstance(e, Utterance))


def spoken(agent: str) -> Iterator[str]:
    return (turn.text for turn in turns() if turn.agent == agent)


def answers(items: list[SlotItem]) -> set[str]:
    rng, given = SeededRng(b"", b"sense"), {**INTENT, "asked": "", "first": ""}
    return {drafted(ENGLISH[USER], "INFORM", items, given, rng) for _ in range(400)}


def test_receivers_are_no_people_to_see() -> None:
    """ "who would you like to see?" of a transfer, "I want a friend to Yusuf Okello" """
    role = wording("en").role
    for name in ("payee", "receiver", "addressee", "friend"):
        found = role("text", name, "")
        assert found is not None
        assert found.role == "person.receiver"
    assert not [w for w in ENGLISH[SYSTEM].symbols["ask.person.receiver"] if " see" in w]
    assert not [text for text in spoken(USER) if re.search(r"\ba friend to [A-Z]|friends to", text)]


def test_an_account_that_gets_money_is_not_what_pays() -> None:
    """ "a checking transfer", "check my gift card account" """
    role = wording("en").role
    to, by = role("category", "credited_to", ""), role("category", "paid_with", "")
    assert to is not None and to.role == "account.to"
    assert by is not None and by.role == "payment"
    for text in (turn.text for turn in turns()):
        assert not re.search(r"(?:checking|savings) transfer|(?:gift card|balance) account\b", text)


def test_an_answer_says_something() -> None:
    """ "Make it. We need 6 tickets.", "I need it please. The amount is $540." """
    money = SlotItem(0, "money", "value", {"noun": "amount", "value": ""})
    for text in answers([money]):
        assert not re.search(r"\b(?:it|tickets?)(?: please|, please)?\. ", text), text
        assert "{v0}" in text


def test_two_towns_keep_their_prepositions() -> None:
    """ "From Calder and Wexley." """
    towns = [SlotItem(n, role, "value", {"noun": "city"}) for n, role in enumerate(("from", "to"))]
    for text in answers(towns):
        assert not re.search(r"(?i)\b(?:from|out of|leaving) \{v0\} and \{v1\}", text), text


def test_a_first_search_finds_nothing_rather_than_nothing_else() -> None:
    """ "I'm sorry, there's nothing else." of the first search"""
    first, more = (ENGLISH[SYSTEM].symbols[f"NOTIFY_FAILURE.{n}"] for n in ("search", "more"))
    assert more
    assert not [way for way in first if re.search(r"\b(?:other|else)\b|that's all", way)]


def test_questions_name_a_person_as_one() -> None:
    """ "Send me what the driver is.", "the car of it" """
    assert not [way for way in ENGLISH[USER].symbols["name.person"] if "what the" in way]
    assert not [way for way in ENGLISH[USER].symbols["name"] if way.endswith(" of it")]
    assert not [text for text in spoken(SYSTEM) if re.search(r"title do you want to attend", text)]
