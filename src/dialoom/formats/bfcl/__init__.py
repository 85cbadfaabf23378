"""BFCL, the Berkeley Function-Calling Leaderboard (Patil et al. 2025): questions and their calls.

    BFCL_v4_multi_turn_base.json                  JSON lines, one for each dialogue
    possible_answer/BFCL_v4_multi_turn_base.json  the calls that each turn needs
    multi_turn_func_doc/*.json                    the functions; they name arguments without a name

    {"id": "multi_turn_base_0", "question": [[{"role": "user", "content": "Move it."}], …],
     "involved_classes": ["GorillaFileSystem"], "initial_config": {…}, "path": [ … ]}
    {"id": "multi_turn_base_0", "ground_truth": [["cd(folder='a')", "mv('b')"], …]}

The user says the messages of each turn; the calls of its answer follow as queries without results.
The agent says nothing, for the benchmark has no words of it. Questions of a single turn are read,
too: their answer lists the values that each argument may have, and the query has the first of them.
Answers in words (memory, web search) are kept and give no queries. Without a file of answers next
to the questions, each question's own `ground_truth` is its answer, if it has one. The classes are
the dialogue's services, and the functions its tools. Version 1 has a text as question. The format
is only read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.values import Json, without
from dialoom.formats.bfcl.answers import answers_of, call_of
from dialoom.formats.bfcl.functions import tools_of
from dialoom.formats.chat.wrapped import Wrapping, keys_of, wrapped

ANSWERS = "possible_answer"
"""The folder of answers, next to the questions; its files have the names of theirs."""

_SIZES, ANSWER = "turn sizes", "ground_truth"
"""Keys of a conversation: the number of messages of each turn of the question, and its answer."""


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a question with the calls of its answer."""
    answers = answers_of(file.parent / ANSWERS / file.name)
    answer = answers.get(str(value.get("id")), value.get(ANSWER))
    question = value.get("question")
    if isinstance(question, str):
        question = [[{"role": "user", "content": question}]]
    turns = [t if isinstance(t, list) else [t] for t in question] if question else []
    messages: list[Any] = []
    for number, turn in enumerate(turns):
        messages += turn
        calls = _calls(answer, number, len(turns))
        results = (call_of(call, file, f"call_{number + 1}_{n}") for n, call in enumerate(calls, 1))
        if requests := list(filter(None, results)):
            messages.append({"role": "assistant", "content": None, "tool_calls": requests})
    more: Json = {} if answer is None else {ANSWER: answer}
    if tools := tools_of(value, file.parent):
        more["tools"] = tools
    return without(value, "question") | {"messages": messages, _SIZES: list(map(len, turns))} | more


def _calls(answer: Any, number: int, turns: int) -> list[Any]:
    """Return the calls of a turn; questions of a single turn have no lists for each turn."""
    if not isinstance(answer, list):
        return []
    if all(isinstance(each, list) for each in answer):
        return answer[number] if number < len(answer) else []
    return answer if number == turns - 1 else []


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the classes of functions as its services."""
    classes = keys_of(dialogue.extra).get("involved_classes")
    valid = isinstance(classes, list) and all(isinstance(each, str) for each in classes)
    return replace(dialogue, services=tuple(classes) if valid and classes else ())


FORMAT = wrapped(
    "bfcl",
    Wrapping(plain, enrich=enrich, marks=(_SIZES,)),
    Signs("question[][].role", "question[][].content"),
    Signs(Sign("question", str), "function.parameters"),
    Signs(Sign("question", str), "function[].parameters"),
    new_name="BFCL_{:03d}.jsonl",
    traits=Traits(answers=False, read_only=True),
)
