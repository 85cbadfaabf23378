"""DSTC6 track 1: knowledge-base facts as lines, calls, candidates and answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Candidate,
    Constraint,
    Dialogue,
    Event,
    Options,
    Query,
    Result,
    Utterance,
    decode,
    encode,
)

Json = dict[str, Any]
RAW: list[Json] = json.loads(Path(__file__).with_name("data").joinpath("dstc6.json").read_text())
CALL = "api_call"
SLOTS = ("cuisine", "location", "number", "price", "atmosphere", "restrictions")
"""The order in a call; the last is left out in the files whose names do not have it."""

FACT = re.compile(r"(\S+) r_(\S+) (\S+)")
Fact = tuple[str, str, str]


def from_json(raw: Json) -> Dialogue:
    candidates = tuple(Candidate(c["candidate_id"], c["utterance"]) for c in raw["candidates"])
    answer = raw.get("answer")
    options = Options(candidates=candidates, choice=answer and answer["candidate_id"])
    return Dialogue(id=raw["dialog_id"], events=(*read_lines(raw["utterances"]), options))


def read_lines(lines: list[str]) -> Iterator[Event]:
    query, replies = "", False
    for is_fact, run in groupby(lines, key=lambda line: bool(FACT.fullmatch(line))):
        if is_fact:
            yield Result(query=query, items=tuple(read_items(run)))
            continue
        for line in run:
            if replies and line.startswith(CALL):
                query = str(int(query or "0") + 1)
                yield read_call(line, query)
            else:
                yield Utterance(agent=SYSTEM if replies else USER, text=line)
            replies = not replies


def read_items(lines: Iterator[str]) -> Iterator[Json]:
    facts = [match.groups() for line in lines if (match := FACT.fullmatch(line))]
    for name, group in groupby(facts, key=lambda fact: fact[0]):
        yield {"name": name} | {attribute: value for _, attribute, value in group}


def read_call(line: str, number: str) -> Query:
    values = line.split()[1:]
    constraints = [Constraint(s, "equal", (v,)) for s, v in zip(SLOTS, values, strict=False)]
    return Query(id=number, api=CALL, constraints=tuple(constraints))


def to_json(dialogue: Dialogue) -> Json:
    raw: Json = {"dialog_id": dialogue.id, "utterances": []}
    for event in dialogue.events:
        if isinstance(event, Options):
            raw |= write_options(event)
        else:
            raw["utterances"] += write_lines(event)
    return raw


def write_lines(event: Event) -> Iterator[str]:
    if isinstance(event, Utterance):
        yield event.text
    elif isinstance(event, Query):
        yield " ".join([event.api, *(str(constraint.value) for constraint in event.constraints)])
    elif isinstance(event, Result):
        for item in event.items:
            facts = [(attribute, value) for attribute, value in item.items() if attribute != "name"]
            yield from (f"{item['name']} r_{attribute} {value}" for attribute, value in facts)


def write_options(options: Options) -> Json:
    written = {c.id: {"candidate_id": c.id, "utterance": c.text} for c in options.candidates}
    raw: Json = {"candidates": list(written.values())}
    return raw if options.choice is None else raw | {"answer": written[options.choice]}


@pytest.mark.parametrize("raw", RAW, ids=["training", "test"])
def test_there_and_back(raw: Json) -> None:
    dialogue = from_json(raw)
    assert to_json(dialogue) == raw
    assert to_json(decode(encode(dialogue))) == raw
    assert b'"extra"' not in encode(dialogue)


def test_calls_and_facts_are_queries_and_results() -> None:
    events = from_json(RAW[0]).events
    first, second = [event for event in events if isinstance(event, Query)]
    (result,) = [event for event in events if isinstance(event, Result)]
    assert first.constraints[-1] == Constraint("atmosphere", "equal", ("romantic",))
    assert result.query == second.id != first.id
    assert [item["rating"] for item in result.items] == ["61", "44", "9"]


def test_facts_known_from_the_start_answer_no_query() -> None:
    first = from_json(RAW[1]).events[0]
    assert isinstance(first, Result)
    assert first.query == ""
    assert list(first.items[0])[:3] == ["name", "location", "price"]


def test_a_silent_user_has_a_turn() -> None:
    events = from_json(RAW[0]).events
    silent = [e for e in events if isinstance(e, Utterance) and e.text == "<silence>"]
    assert {event.agent for event in silent} == {USER}
    assert len(silent) == 5


def test_the_answer_is_a_candidate_among_equal_texts() -> None:
    options = from_json(RAW[0]).events[-1]
    assert isinstance(options, Options)
    assert options.choice == "c-02"
    assert options.candidates[1].text == options.candidates[3].text
    test = from_json(RAW[1]).events[-1]
    assert isinstance(test, Options)
    assert test.choice is None


def test_one_changed_word_changes_that_word_only() -> None:
    line = encode(from_json(RAW[0]))
    assert line.count(b"bergen") == 1
    changed = json.dumps(to_json(decode(line.replace(b"bergen", b"harstad"))))
    assert changed == json.dumps(to_json(from_json(RAW[0]))).replace("bergen", "harstad")
