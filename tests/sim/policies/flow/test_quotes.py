"""Quotes of simulated dialogues that readers found absurd; each cannot be made again, by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.dialogue.views import parts
from dialoom.flow.program import compile_task
from dialoom.flow.steps import Omissible
from dialoom.kb import KnowledgeBase
from dialoom.schema import pack
from dialoom.sim.core.grammar import Grammar, speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.task_speech import task_speech, value_kind
from dialoom.sim.policies.flow.voice import Voice, suited
from tests.sim.policies.flow.spoken import PLAIN, dialogues

PLURAL = re.compile(r"^(?:two|three|four|some|new|itchy|dizzy|fresh|extra)? ?\w+s\b")
"""How a value begins that is of several things."""


def spoken(agent: str = USER) -> Iterator[Utterance]:
    for dialogue in dialogues():
        yield from (e for e in dialogue.events if isinstance(e, Utterance) and e.agent == agent)


def test_an_offer_is_answered() -> None:
    """ "Do you want to see more places?" and nobody answers."""
    courtesies = {name for task in pack.names() for name in Omissible(pack.load(task)).courtesies}
    for dialogue in dialogues():
        last = [event for event in dialogue.events if isinstance(event, Utterance)][-1]
        acts = {act.name for part in parts(last) for act in part.acts or ()}
        assert not last.text.endswith("?") or acts <= courtesies, last.text


@pytest.mark.parametrize("name", pack.names())
def test_names_are_put_down_as_names(name: str) -> None:
    """ "You can put Georgia Pell." """
    program = compile_task(pack.load(name))
    for slot in program.schema.slots.values():
        for line in program.sentences.get(slot.name, ()):
            if value_kind(slot, program) == "name":
                assert not re.search(r"\bput $", line.literals[0]), line.literals


def test_flats_are_as_large_as_their_bedrooms_need() -> None:
    """Five bedrooms in 33 square metres."""
    base = KnowledgeBase()
    base.populate(pack.load("apartment_search"), 3)
    for row in base.snapshot().tables["apartments"].values():
        assert int(row["FloorSquareMeters"]) >= 20 * row["NumRooms"]


@pytest.mark.parametrize("name", pack.names())
def test_there_are_several_things(name: str) -> None:
    """ "There is three withdrawals" """
    task = pack.load(name)
    program = compile_task(task)
    for slot in task.slots.values():
        if any(PLURAL.match(str(each)) for each in slot.examples):
            for line in program.sentences.get(slot.name, ()):
                assert not re.search(r"(?i)\bthere is $", line.literals[0]), line.literals


@pytest.mark.parametrize("name", pack.names())
def test_what_needs_a_question_is_never_volunteered(name: str) -> None:
    """ "As far as I know No", "Our house stood in Pilgrim Street", "That must be Snowflake" """
    program = compile_task(pack.load(name))
    kinds = task_speech(program).values
    secrets = {slot for slot, bit in program.bits.items() if bit & program.fallback}
    assert bool(secrets) == name.startswith("bank_")
    for slot, lines in program.sentences.items():
        assert slot not in secrets and kinds[slot] != "truth"
        for line in lines:
            assert not re.match(r"(?i)(?:that|those|these|she|he|they)\b", line.literals[0])


@pytest.mark.parametrize("name", pack.names())
def test_a_volunteered_number_has_a_noun(name: str) -> None:
    """ "It should have 4." """
    program = compile_task(pack.load(name))
    task_words = task_speech(program)
    for slot in program.sentences:
        if task_words.values[slot] == "integer":
            voice = Voice(task_words, speech("en"), SeededRng(slot.encode(), b"number"))
            for line in program.sentences[slot] * 20:
                words = "".join(voice.unasked(line).literals).lower()
                bare = r"(?:should|must|has to|need to) (?:have|be)|^(?:it|that)(?:'s| is)"
                assert not re.search(rf"(?:{bare}) *[.!]?$", words), words


def test_reminders_are_of_what_was_said() -> None:
    """ "As I mentioned, early breakfast" """
    ways = [re.escape(way) for way in speech("en").symbols["said-before"]]
    shapes = [re.compile(f"(?i){way}$".replace(r"\{value\}", "(.+)")) for way in ways]
    count = 0
    for index in range(PLAIN.dialogues):
        before = ""
        for utterance in PLAIN.source()(index).events:
            if isinstance(utterance, Utterance) and utterance.agent == USER:
                for sentence in re.split(r"(?<=[.!?]) ", utterance.text):
                    phrase = sentence.rstrip(".!? ")
                    fitting = (shape.fullmatch(phrase) for shape in shapes if "said" in phrase)
                    for match in filter(None, fitting):
                        count += 1
                        value = match[1].casefold().removeprefix("the ")
                        assert value in before, (utterance.text, before)
                before += f" {utterance.text.casefold()}"
    assert count


def test_dates_of_birth_have_a_year() -> None:
    """No date ever has a year."""
    born = [
        utterance.text[span.start : span.end]
        for utterance in spoken()
        for part in parts(utterance)
        for span in part.spans or ()
        if span.labels == ("birth_date",)
    ]
    assert born
    assert all(re.search(r"(?:19|20)\d\d", text) for text in born)


def test_nobody_rules_out_a_name() -> None:
    """ "My name is Amira Sefton. I really don't want Kofi Lambourne" """
    programs = [compile_task(pack.load(name)) for name in pack.names()]
    names = {
        str(example).casefold()
        for program in programs
        for slot in program.schema.slots.values()
        if value_kind(slot, program) == "name"
        for example in slot.examples
    }
    assert names
    for utterance in spoken():
        phrases = re.findall(
            r"(?i)(?:don'?t want|anything but|hates|just not) ([^.!?]+)", utterance.text
        )
        assert names.isdisjoint(each.strip().casefold() for each in phrases), utterance.text


@pytest.mark.parametrize("agent", [USER, SYSTEM])
def test_no_number_of_a_plural_is_one_thing(agent: str) -> None:
    """ "My guests is 82", "can you try a different guests?" """
    for utterance in spoken(agent):
        assert not re.search(r"(?i)\b(?:my|the) (?:guests|bedrooms) is\b", utterance.text)
        assert not re.search(r"(?i)\b(?:a|another|different) (?:guests|bedrooms)\b", utterance.text)


@pytest.mark.parametrize("agent", [USER, SYSTEM])
def test_a_space_follows_a_mark(agent: str) -> None:
    """ "Oh no.the ice rink" """
    for utterance in spoken(agent):
        assert not re.search(r"[a-z][.,!?](?=[a-z])", utterance.text), utterance.text


ENGLISH = speech("en")
"""The grammar of users' turns."""


def ways(symbol: str, grammar: Grammar = ENGLISH) -> list[str]:
    """The ways to say a symbol, and the symbols that they name."""
    forms = [*grammar.symbols[symbol]]
    return forms + [
        way for each in re.findall(r"<([\w-]+)>", " ".join(forms)) for way in ways(each, grammar)
    ]


def test_nobody_wishes_for_something_bad() -> None:
    """ "so it has to be terrible" """
    wishes = re.compile(r"(?:has to be|needs? it to be|wants? it to be|like it to be) <([\w-]+)>")
    symbols = {name for all_ways in ENGLISH.symbols.values() for way in all_ways
             for name in wishes.findall(way)}  # fmt: skip
    assert symbols
    for symbol in symbols:
        assert not {"terrible", "too noisy", "noisy", "not very good"} & {*ENGLISH.symbols[symbol]}


def test_one_person_has_a_verb_of_one_person() -> None:
    """ "my kids is coming too" """
    assert [way for way in ENGLISH.symbols["person"] if re.search(r"(?:kids|friends)$", way)] == []
    for utterance in spoken():
        assert not re.search(r"(?i)\bmy (?:kids|friends) (?:is|was|has)\b", utterance.text)


def test_he_and_she_are_somebody() -> None:
    """ "My wife is with me and he loves it" """
    for all_ways in ENGLISH.symbols.values():
        for way in all_ways:
            assert not re.search(r"<person>.* (?:he|she|they) <they-do>", way), way
            assert not re.search(r"<man>.* she |<woman>.* he ", way), way


@pytest.mark.parametrize("symbol", ["then-fact", "aside"])
def test_facts_and_thanks_have_no_conditions(symbol: str) -> None:
    """ "My name is John if it's available", "Great if possible" """
    assert [way for way in ENGLISH.symbols[symbol] if " if " in f"{way} "] == []
    for name in ("give-name", "give-truth", "it-is", "give-short-text", "fine", "thanks"):
        assert [way for way in ENGLISH.symbols[name] if "<then>" in way or "<more>" in way] == []


def test_an_open_question_is_not_answered_with_yes() -> None:
    """ "What are you called?" "Yes I am Peter Moore" """
    names = [way for way in ENGLISH.symbols["give-name"] if re.match(r"(?:yes|yeah|sure)\b", way)]
    assert {way.split("{")[0] for way in names} <= {"yes, my name is ", "yes, I'm ", "yes, "}
    assert not {"yes I am", "yes it is", "yes I do"} & {*ENGLISH.symbols["yes"]}


def test_what_identifies_the_user_is_forgotten_and_not_declined() -> None:
    """ "And your PIN, please." "No thanks" """
    assert not {way for way in ways("forgotten") if way.startswith("no thank")}
    for name in pack.names():
        program = compile_task(pack.load(name))
        task_words = task_speech(program)
        for step in program.steps.values():
            after = (program.steps.get(each) for each in step.node.successors)
            if step.node.gives_none and any(a and a.asks & program.fallback for a in after):
                assert task_words.kinds[step.name] == "forgotten"


def test_nobody_is_surprised_by_a_message() -> None:
    """ "Shall I pass a few words on to the agent?" "Surprise me" """
    assert task_speech(compile_task(pack.load("apartment_schedule"))).kinds["no_message"] == (
        "none-long-text"
    )
    assert not {"surprise me", "any will do"} & {*ENGLISH.symbols["none-long-text"]}


def test_reports_are_not_changed_for_a_reason() -> None:
    """ "Oh, it's raining. Can we do Mill Pond Primary instead of Hazel Lane School?" """
    program = compile_task(pack.load("bank_balance"))
    voice = Voice(task_speech(program), ENGLISH, SeededRng(b"report", b"voice"))
    assert voice.reports("first_school")
    flights = Voice(task_speech(compile_task(pack.load("weather"))), ENGLISH, SeededRng(b"", b""))
    assert not flights.reports("city")


def test_phrases_join_the_sentence_before() -> None:
    """ "Hi, I'd like a hotel. at Gull and Anchor" """
    loose = "|".join(ENGLISH.symbols["loose"])
    for utterance in spoken():
        assert not re.search(rf"[.?!] (?:{loose}) ", utterance.text), utterance.text


def test_a_number_of_things_is_of_several() -> None:
    """ "I need to change the number of flight id" """
    for utterance in spoken():
        assert not re.search(r"(?i)number of (?!\w+s\b)(?!the\b)\w+", utterance.text)


def test_a_recap_has_no_descriptions() -> None:
    """ "the rental company: Larkspur Court; the day of the viewing: Tuesday" """
    for name in ("apartment_schedule", "hotel_book"):
        task = pack.load(name)
        recaps = [text for node in task.flow.nodes.values() if node.confirms for text in node.texts]
        assert recaps
        for text in recaps:
            assert ";" not in text
            assert not any(f"{s.description}: {{" in text for s in task.slots.values()
                           if s.type != "integer")  # fmt: skip


def test_no_article_comes_twice() -> None:
    """ "I'd like to stay at the The Weaver's Rest" """
    for agent in (USER, SYSTEM):
        for utterance in spoken(agent):
            assert not re.search(r"(?i)\bthe the\b", utterance.text), utterance.text


@pytest.mark.parametrize("symbol", ["chat", "remark", "aside", "reason", "then"])
def test_chat_on_a_spaceship_is_of_the_ship(symbol: str) -> None:
    """ "I would like to open a door please! My friend recommended the east part of town" """
    earth = (
        r"\b(?:town|city|downtown|umbrella|beach|park|bus|flight|pubs?|concert hall|rain|dog for)\b"
    )
    texts = ways(symbol, suited(ENGLISH, "spaceship"))
    assert texts and [way for way in texts if re.search(earth, way)] == []


def test_nobody_hates_a_time() -> None:
    """ "12pm. I had a bad experience with 2 pm", "I don't want violet again" """
    for way in ENGLISH.symbols["not-this-when"]:
        assert not re.search(r"hates?|bad experience|can't stand|again|liked?", way), way
    assert [way for way in ENGLISH.symbols["not-this"] if way.endswith("again")] == []


def test_good_news_are_not_followed_by_a_complaint() -> None:
    """ "That is awesome, I am a bit worried", "Yes, please. I need to change the day" """
    complaints = {"I am a bit worried", "I'm so stressed", "I hate this", "what a day"}
    assert complaints <= {*ENGLISH.symbols["feeling"]}
    assert not complaints & {*ENGLISH.symbols["glad"]}
    for symbol in ("fine", "thanks", "yes", "aside"):
        assert [way for way in ENGLISH.symbols[symbol] if "<feeling>" in way] == []
    assert not {"yes, ", "yes please, "} & {*ENGLISH.symbols["change-lead"]}


@pytest.mark.parametrize(
    ("task", "slot"),
    [
        ("spaceship_access_codes", "code"),
        ("spaceship_life_support", "light"),
        ("bank_balance", "pin"),
        ("ride_status", "booking"),
    ],
)
def test_what_users_only_read_is_neither_changed_nor_ruled_out(task: str, slot: str) -> None:
    """ "I think I would like 1443 more than 9482" """
    program = compile_task(pack.load(task))
    assert Voice(task_speech(program), ENGLISH, SeededRng(b"code", b"voice")).reports(slot)


def test_a_meeting_has_one_start() -> None:
    """ "Make it 11am at 2pm" """
    for way in ENGLISH.symbols["tell-time-end"]:
        assert not way.startswith("at "), way
