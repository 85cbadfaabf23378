"""What holds of every dialogue about trips, and of many together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    Part,
    Query,
    Result,
    Utterance,
    decode,
    encode,
)
from dialoom.dialogue.frames import START, references, step
from dialoom.dialogue.views import parts
from dialoom.errors import UsageError
from dialoom.formats.frames.acts import ACTS
from dialoom.quality.lint import lint
from dialoom.quality.stats.annotation import Frames
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.policies.frames.goals import COMPARING, FIXED, KINDS, fields_of
from dialoom.sim.policies.frames.packages import Package, packages
from dialoom.sim.policies.frames.recorder import WRITE
from dialoom.sim.presets.frames import PRESET
from tests.found import some
from tests.make import refuses
from tests.strategies import sampled

NUMBER = 200
indices = st.integers(0, 10**6)


@cache
def source() -> Callable[[int], Dialogue]:
    return PRESET.plan(Request(number=NUMBER, seed=7)).source()


def make(index: int) -> Dialogue:
    return source()(index)


@cache
def named() -> defaultdict[str, list[Package]]:
    groups: defaultdict[str, list[Package]] = defaultdict(list)
    for package in packages(7).packages:
        groups[package.name].append(package)
    return groups


@cache
def dialogues() -> list[Dialogue]:
    return [make(index) for index in range(NUMBER)]


def said(dialogue: Dialogue) -> list[tuple[Utterance, Part]]:
    return [(e, parts(e)[0]) for e in dialogue.events if isinstance(e, Utterance)]


def kind(dialogue: Dialogue) -> str:
    assert dialogue.scenario is not None
    return str(dialogue.scenario.goal["kind"])


def offers(dialogue: Dialogue) -> dict[int, Package]:
    """Frame to the package in it: the one of which all is true that the wizard wrote there."""
    records: dict[int, dict[str, Any]] = {}
    for utterance, part in said(dialogue):
        for act in part.acts or ():
            if utterance.agent == SYSTEM:
                for argument in act.arguments:
                    for reference in argument.references if argument.slot == WRITE else ():
                        record = records.setdefault(reference.frame, {})
                        record |= {a.slot: a.values[0] for a in reference.arguments or ()}
    queries = [event for event in dialogue.events if isinstance(event, Query)]
    origins = {c.value for query in queries for c in query.constraints if c.slot == "ORIGIN_CITY"}
    matches = {}
    for frame, record in records.items():
        if "name" in record:
            record.pop("action", None)
            facts = record.items()
            fitting = (p for p in named()[record["name"]] if facts <= p.facts.items())
            matches[frame] = next(p for p in fitting if p.route[0] in origins)
    return matches


@sampled
@given(indices)
def test_the_acts_alone_give_the_frames(index: int) -> None:
    state = START
    for utterance, part in some(said(decode(encode(make(index))))):
        before, state = state, step(state, utterance.agent, part.acts or ())
        assert state.frames == part.frames
        assert state.active == part.active_frame
        assert utterance.agent == USER or state.active == before.active
        assert [frame.id for frame in state.frames] == [*range(1, len(state.frames) + 1)]


@sampled
@given(indices)
def test_users_and_wizards_take_turns_and_say_something(index: int) -> None:
    utterances = [utterance for utterance, _ in said(make(index))]
    assert utterances[0].agent == USER
    assert all(one.agent != other.agent for one, other in pairwise(utterances))
    assert all(each.text.strip() for each in utterances)
    times = [event.time for event in make(index).events if event.time is not None]
    assert times == sorted(times)


@sampled
@given(indices)
def test_calls_replay_and_only_what_was_found_is_offered(index: int) -> None:
    dialogue, items = make(index), []
    for query, result in pairwise(dialogue.events):
        if isinstance(query, Query):
            assert isinstance(result, Result)
            fields = {constraint.slot: constraint.value for constraint in query.constraints}
            again = [package.item for package in packages(7).search(fields)]
            assert list(result.items) == again
            items += again
    for package in offers(dialogue).values():
        twin = package.row["seat"] != "economy"
        assert twin or package.item in items


@sampled
@given(indices)
def test_whatever_a_wizard_says_of_a_package_is_true(index: int) -> None:
    dialogue = make(index)
    choices = offers(dialogue)
    for utterance, part in some(said(dialogue)):
        for act in part.acts or ():
            for reference in references(act) if utterance.agent == SYSTEM else ():
                package = choices.get(reference.frame)
                for argument in reference.arguments or ():
                    if package is not None and argument.slot in package.facts:
                        assert argument.values == (package.facts[argument.slot],)


@sampled
@given(indices)
def test_values_stand_in_the_text(index: int) -> None:
    for utterance, part in some(said(make(index))):
        for act in part.acts or ():
            for argument in act.arguments:
                for value in argument.values:
                    if act.name == "inform" and argument.slot not in ("intent", "action", "flex"):
                        alone = argument.slot == "n_adults" and value == "1"
                        text = str(value).lower().removesuffix(".0")
                        assert alone or text in utterance.text.lower()


@sampled
@given(indices)
def test_a_wish_that_is_booked_holds(index: int) -> None:
    dialogue = make(index)
    assert dialogue.scenario is not None
    goal = dialogue.scenario.goal
    rating, successful = (answer.answer for answer in dialogue.answers)
    assert successful == ("booked" in goal)
    assert isinstance(rating, float)
    assert 1 <= rating <= 5
    if "booked" not in goal:
        return
    package = offers(dialogue)[goal["booked"]["frame"]]
    frame = said(dialogue)[-1][1].frames[goal["booked"]["frame"] - 1]  # type: ignore[index]
    assert frame.info["action"][0].value == "book"
    if package.row["seat"] == "economy" and "budget" in goal["values"]:
        limits = [goal["values"], *goal.get("changes", ())]
        assert package.price <= max(float(each.get("budget", 0)) for each in limits)


def test_all_acts_and_kinds_occur() -> None:
    acts = {act.name for d in dialogues() for _, part in said(d) for act in part.acts or ()}
    assert acts == ACTS
    assert {kind(dialogue) for dialogue in dialogues()} == set(KINDS)


def test_users_ask_compare_and_reject_in_dialogues_that_compare() -> None:
    comparing = [dialogue for dialogue in dialogues() if kind(dialogue) == COMPARING]
    counts: Counter[str] = Counter()
    for dialogue in comparing:
        acts = {act.name for _, part in said(dialogue) for act in part.acts or ()}
        frames = [frame for _, part in said(dialogue) for frame in part.frames or ()]
        for question in ("requests", "binary_questions", "compare_requests"):
            counts[question] += any(getattr(frame, question) for frame in frames)
        for mark, act in (("REJECTED", "reject"), ("MOREINFO", "moreinfo")):
            counts[mark] += act in acts and any(mark in frame.info for frame in frames)
    assert len(counts) == 5
    assert min(counts.values()) >= len(comparing) / 10


def test_fixed_tasks_end_where_nothing_is_found() -> None:
    fixed = [dialogue for dialogue in dialogues() if kind(dialogue) == FIXED]
    for dialogue in fixed:
        searches = [e for e in dialogue.events if isinstance(e, Query)]
        results = [e for e in dialogue.events if isinstance(e, Result)]
        assert dialogue.scenario is not None
        whole = fields_of(dialogue.scenario.goal["values"])
        (place,) = (n for n, q in enumerate(searches) if len(q.constraints) == len(whole))
        assert place == len(searches) - 1
        assert results[place].items or not offers(dialogue)


def test_statistics_come_near_the_corpus() -> None:
    """1,131 real dialogues have 14.2 turns, 5.76 frames and 2.73 changes of the active one."""
    frames = Frames()
    for dialogue in dialogues():
        frames.add(dialogue)
    result = frames.result()
    assert result is not None
    assert 13 <= result["turns_per_dialogue"] <= 15.5
    assert 5.2 <= result["frames"]["mean"] <= 6.3
    assert 2.4 <= result["frame_changes"]["mean"] <= 3.1
    assert 4.4 <= result["rating"] <= 4.8
    assert result["participants"] == 12


def test_written_and_read_back(tmp_path: Path) -> None:
    format = formats.get(PRESET.format)
    format.write(dialogues()[:60], {}, tmp_path)
    corpus = formats.load(tmp_path)
    back = list(corpus.dialogues())
    assert [dialogue.events for dialogue in back] == [d.events for d in dialogues()[:60]]
    assert [dialogue.answers for dialogue in back] == [d.answers for d in dialogues()[:60]]
    assert list(lint(corpus)) == []


def test_the_same_again() -> None:
    other = PRESETS.get("frames").plan(Request(number=9, seed=7)).source()
    assert [encode(other(index)) for index in (5, 3)] == [encode(dialogues()[k]) for k in (5, 3)]
    assert PRESETS.get("frames").plan(Request(number=9, seed=8)).source()(5) != dialogues()[5]
    assert len({dialogue.id for dialogue in dialogues()}) == len(dialogues())


@pytest.mark.parametrize("option", ["tasks", "scenario", "wording"])
def test_there_are_no_other_choices(option: str) -> None:
    with refuses(UsageError, "not-taken", f"--{option}"):
        PRESET.plan(Request(number=1, seed=7, **{option: "x"}))  # type: ignore[arg-type]


def test_another_language_is_named() -> None:
    from dialoom.errors import UnknownNameError
    from dialoom.sim.policies.frames.travel import texts

    with pytest.raises(UnknownNameError):
        texts("xx")


@sampled
@given(indices)
def test_sentences_are_whole(index: int) -> None:
    for event in make(index).events:
        if isinstance(event, Utterance):
            assert "  " not in event.text and not set("{}<>~") & set(event.text)
            assert event.text[0].isupper() or not event.text[0].isalpha()
            asks = event.agent == SYSTEM and event.text.startswith(("How about", "What about"))
            assert not asks or "?" in event.text  # users leave out marks, as people do


@sampled
@given(indices)
def test_one_turn_offers_a_package_once(index: int) -> None:
    for utterance, part in some(said(make(index))):
        if utterance.agent == SYSTEM:
            offered = [
                tuple(argument.values for argument in reference.arguments or ())
                for act in part.acts or ()
                if act.name in ("offer", "suggest")
                for reference in references(act)
                if reference.arguments
            ]
            assert len(offered) == len(set(offered))


HELLO = re.compile(r"(?i)\b(?:hello|hi|hiya|hey|howdy|greetings|good (?:morning|evening|day))\b")


def test_users_greet_once() -> None:
    """ "Hey, can you help me? Hello, I need" """
    for dialogue in dialogues():
        assert len(HELLO.findall(said(dialogue)[0][0].text)) <= 1


def test_dates_are_given_before_they_are_fixed() -> None:
    """ "Those are the only days" without days."""
    for dialogue in dialogues():
        slots: set[str] = set()
        for utterance, part in said(dialogue):
            for act in part.acts or () if utterance.agent == USER else ():
                slots |= {argument.slot for argument in act.arguments}
            assert "flex" not in slots or "str_date" in slots


def test_users_who_travel_alone_are_no_group() -> None:
    """ "My family and I want to go", and then "just me"."""
    for dialogue in dialogues():
        assert dialogue.scenario is not None
        if dialogue.scenario.goal["values"].get("n_adults") == "1":
            texts = " ".join(u.text for u, _ in said(dialogue) if u.agent == USER)
            assert not re.search(r"(?i)\b(?:we|our|us|my (?:wife|family|kids) and i)\b(?!')", texts)


def test_a_wizard_writes_prices_in_one_way() -> None:
    shapes = (r"\$\d", r"\d USD", r"\dUSD")
    for dialogue in dialogues():
        text = " ".join(u.text for u, _ in said(dialogue) if u.agent == SYSTEM)
        assert sum(bool(re.search(shape, text)) for shape in shapes) <= 1


def test_ratings_are_not_glued_to_offers() -> None:
    """ "is available and a 7.4/10 guest rating" """
    for dialogue in dialogues():
        for utterance, _ in said(dialogue):
            glued = (
                r"(?:available|class|days?|\d) and an? [\d.]+/10|, [\d.]+-star[ ,.]|sorry! sorry"
            )
            assert not re.search(glued, utterance.text, re.IGNORECASE), utterance.text


def test_what_is_booked_was_named_or_talked_about_last() -> None:
    """After several offers, "book it" says nothing."""
    for dialogue in dialogues():
        several = False
        for utterance, part in said(dialogue):
            names = [act.name for act in part.acts or ()]
            if utterance.agent == SYSTEM and names.count("offer") + names.count("suggest") > 1:
                several = True
            if utterance.agent == USER and several:
                booked = any(
                    argument.slot == "intent"
                    for act in part.acts or ()
                    for argument in act.arguments
                )
                assert not booked or "switch_frame" in names, utterance.text
                several = several and "switch_frame" not in names


def test_words_of_direction_are_said_once() -> None:
    """ "fly out out of Selstow", "You can go, economy class and stay at", "Ok. Ok, Iskmouth" """
    for dialogue in dialogues():
        for utterance, _ in said(dialogue):
            twice = r"\b(out|in|to|from|of|ok)[.,]? \1\b|\bgo(?:, [^.]*)? and stay at\b"
            assert not re.search(twice, utterance.text, re.IGNORECASE), utterance.text


def test_a_refused_hotel_is_not_offered_next() -> None:
    """ "Azure Pine Hotel doesn't sound like fun." "I can book you a room at Azure Pine Hotel." """
    refusals = 0
    for index in range(NUMBER):
        turns = [event for event in source()(index).events if isinstance(event, Utterance)]
        for user, system in pairwise(turns):
            refused = {act.name for part in parts(user) for act in part.acts or ()} & {"reject"}
            names = re.findall(r"(?:[A-Z]\w+ )+(?:Hotel|Inn|Lodge|Resort|Suites)", user.text)
            if refused and names and user.agent == USER:
                refusals += 1
                assert not [name for name in names if name in system.text], system.text
    assert refusals
