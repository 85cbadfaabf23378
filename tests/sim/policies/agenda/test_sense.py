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
    source = PRESET.plan(Request(number=120, seed=4, tasks=ALL)).source()
    return tuple(e for n in range(120) for e in source(n).events if isinstance(e, Utterance))


def spoken(agent: str) -> Iterator[str]:
    return (turn.text for turn in turns() if turn.agent == agent)


def answers(items: list[SlotItem]) -> set[str]:
    rng, context = SeededRng(b"", b"sense"), {**INTENT, "asked": "", "first": ""}
    return {drafted(ENGLISH[USER], "INFORM", items, context, rng) for _ in range(400)}


def test_receivers_are_no_people_to_see() -> None:
    """ "who would you like to see?" of a transfer, "I want a friend to Yusuf Okello" """
    role = wording("en").role
    for name in ("payee", "receiver", "addressee", "friend"):
        meaning = role("text", name, "")
        assert meaning is not None
        assert meaning.role == "person.receiver"
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


def test_nouns_follow_verbs_that_take_nouns() -> None:
    """ "Could I have if the flight is a nonstop please", "Can you give me who it is?" """
    clause = "|".join(ENGLISH[USER].symbols["clause"])
    for text in spoken(USER):
        mistake = re.search(rf"(?i)\b(?:have|get|give me|provide|share) (?:{clause})\b", text)
        assert mistake is None, text


def test_nobody_says_yes_to_which() -> None:
    """ "What type of home do you want?" "That would be great, a room." """
    house = SlotItem(0, "sort", "value", {"noun": "home", "value": ""})
    polite = r"(?i)(?:yes|yeah|yep|yup|no problem|sure thing|that(?:'s| would be) \w+), "
    assert not [text for text in answers([house]) if re.match(polite, text)]


def test_rooms_are_in_and_devices_on() -> None:
    """ "No, please play it on the garage, please." """
    meaning = wording("en").role("category", "room", "Room to play it in")
    assert meaning is not None and meaning.role == "device.room"
    ways = ENGLISH[USER].symbols
    for part in ("say", "with", "bare"):
        assert not [way for way in ways[f"{part}.device.room"] if "on " in way]


def test_one_thing_is_booked_as_one() -> None:
    """ "I would like to book some taxis to the botanical garden for 6." """
    for text in spoken(USER):
        assert not re.search(r"(?:book|reserve|order|hire) (?:some )?(?:taxis|cabs|tables)\b", text)


def test_no_noun_is_left_out_before_an_afterthought() -> None:
    """ "Are there any, drama if possible?" """
    for text in spoken(USER):
        assert not re.search(r"(?i)\b(?:any|it's|to be), (?:ideally|preferably|\w+ if)", text), text


def test_money_goes_to_an_account_of_others() -> None:
    """ "a transfer … to the plumber" "Hold on, my savings account would be better." """
    for part in ("say", "with", "bare"):
        assert not [w for w in ENGLISH[USER].symbols[f"{part}.account.to"] if "my " in w]


def test_bored_children_need_no_balance() -> None:
    """ "My kids are bored. Will you find me my balance?" """
    bored = [text for text in spoken(USER) if re.search("(?i)kids are bored|surprise my", text)]
    assert not [t for t in bored if re.search(r"balance|transfer|alarm|doctor|weather", t)]


def test_several_examples_are_of_several() -> None:
    """ "how many bedroom such as 1 or 2?" """
    for text in spoken(SYSTEM):
        assert not re.search(r"(?i)how many (?:bedroom|ticket|passenger|night)\b", text), text
