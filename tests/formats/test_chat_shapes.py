"""Chat messages in other places, and calls that are tagged text: read, and back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert

ASK, DONE = {"role": "user", "content": "A taxi."}, {"role": "assistant", "content": "Done."}
NO = {"role": "assistant", "content": "No."}
HUMAN, GPT = {"from": "human", "value": "A taxi."}, {"from": "gpt", "value": "Done."}
PARTS = [{**m, "content": [{"type": "text", "value": m["content"]}]} for m in (ASK, DONE)]
PAIRS = [
    {"prompt": [ASK], "completion": [DONE], "label": True},
    {"prompt": [ASK], "chosen": [DONE], "rejected": [NO]},
    {"chosen": [ASK, DONE], "rejected": [ASK, NO]},
    {"conversations": [HUMAN], "chosen": GPT, "rejected": GPT},
    {"input": {"messages": [ASK], "tools": []}, "preferred_output": [DONE]},
    {"chosen_messages": PARTS, "rejected_messages": PARTS},
    {"conversations": [ASK, DONE]},
    {"instruction": "A taxi.", "input": "", "output": "Done."},
]
CALL = '{"name": "book", "arguments": {"seats": 2}}'
TAGGED = f"Wait. <tool_call>\n{CALL}\n</tool_call>"
ANSWER = '<tool_response>\n{"ok": true}\n</tool_response>'


def read_back(value: dict[str, Any], folder: Path) -> list[Any]:
    """Return the events of a conversation, after a check that it is written as it was."""
    (folder / "a.json").write_text(json.dumps([value]))
    (folder / "out").mkdir()
    corpus = formats.load(folder / "a.json")
    assert corpus.format == "chat"
    assert not convert(corpus.dialogues, {}, formats.get("chat"), folder / "out")
    assert json.loads((folder / "out" / "a.json").read_bytes()) == [value]
    (dialogue,) = corpus.dialogues()
    return list(dialogue.events)


@pytest.mark.parametrize("value", PAIRS, ids=lambda value: "-".join(value))
def test_the_chosen_answer_ends_the_conversation(value: dict[str, Any], tmp_path: Path) -> None:
    turns = [(event.agent, event.text) for event in read_back(value, tmp_path)]
    assert turns == [(USER, "A taxi."), (SYSTEM, "Done.")]


def test_the_history_of_an_instruction_comes_first(tmp_path: Path) -> None:
    value = {"system": "Be brief.", "history": [["Hi.", "Hello."]], "instruction": "A taxi"}
    events = read_back({**value, "input": "for two.", "output": "Done."}, tmp_path)
    assert [event.text for event in events] == [
        "Be brief.",
        "Hi.",
        "Hello.",
        "A taxi\nfor two.",
        "Done.",
    ]


QUOTED = TAGGED.replace(CALL, str(json.loads(CALL)))


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ({"role": "assistant", "content": QUOTED}, {"role": "tool", "content": ANSWER}),
        ({"role": "assistant", "content": TAGGED}, {"role": "tool", "content": ANSWER}),
        ({"role": "assistant", "content": TAGGED}, {"role": "user", "content": ANSWER}),
        ({"from": "gpt", "value": TAGGED}, {"from": "tool", "value": ANSWER}),
    ],
)
def test_tagged_calls_are_queries(
    call: dict[str, str], answer: dict[str, str], tmp_path: Path
) -> None:
    turns = [ASK, call, answer, DONE] if "role" in call else [HUMAN, call, answer, GPT]
    value = {"messages" if "role" in call else "conversations": turns}
    _, utterance, query, result, _ = read_back(value, tmp_path)
    assert isinstance(utterance, Utterance)
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert (utterance.text, query.api, result.query) == ("Wait.", "book", query.id)
    assert result.items == ({"ok": True},)


@pytest.mark.parametrize("call", ["{", "{'name': book()}", "{'name': 'book', 'of': {1, 2}}"])
def test_a_damaged_tagged_call_stays_text(call: str, tmp_path: Path) -> None:
    text = f"<tool_call>{call}</tool_call>"
    _, utterance = read_back({"messages": [ASK, {"role": "assistant", "content": text}]}, tmp_path)
    assert utterance.text == text


def test_a_call_after_a_thought_is_a_query(tmp_path: Path) -> None:
    turn = {"from": "function_call", "value": f"<think>\nHm.\n</think>\n{CALL}"}
    _, thought, query, _ = read_back({"conversations": [HUMAN, turn, GPT]}, tmp_path)
    assert thought.text == "<think>\nHm.\n</think>\n"
    assert query.api == "book"


@pytest.mark.parametrize("value", [{"text": "A taxi."}, {"prompt": "A", "completion": "B"}])
def test_texts_that_are_no_conversation_are_refused(value: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([value]))
    with pytest.raises(FormatError):
        formats.load(tmp_path / "a.json")
