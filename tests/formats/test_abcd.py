"""ABCD: actions are queries with results, and both layouts of a file come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Query, Result, Utterance
from dialoom.formats.base.conversion import convert
from tests.formats.golden import golden


def test_actions_are_calls_with_values_named_after_the_scenario(tmp_path: Path) -> None:
    first, *_ = formats.load(golden("abcd", tmp_path)).dialogues()
    queries = [event for event in first.events if isinstance(event, Query)]
    assert [each.api for each in queries] == ["open-account", "call-smith"]
    values = {c.slot: c.values for c in queries[0].constraints}
    assert values == {"customer_name": ("ada lane",), "order_id": ("4711",)}
    assert [c.slot for c in queries[1].constraints] == ["value", "value_2"]
    results = [event for event in first.events if isinstance(event, Result)]
    assert [each.query for each in results] == [each.id for each in queries]
    assert results[0].items == ({"text": "Account of Ada Lane was opened."},)


def test_flow_subflow_and_intents_are_read(tmp_path: Path) -> None:
    first, *_ = formats.load(golden("abcd", tmp_path)).dialogues()
    assert first.scenario is not None
    assert (first.services, first.scenario.domains) == (("lost_key",), ("repairs",))
    assert first.scenario.goal["product"]["names"] == ["brass key"]
    turns = [event for event in first.events if isinstance(event, Utterance)]
    assert {each.agent for each in turns} == {USER, SYSTEM}
    users = [each.layers[0].parts[0].state for each in turns if each.agent == USER]
    assert [state and state.intent for state in users] == ["lost_key", "lost_key"]


def test_parts_and_a_list_of_one_part_come_back(tmp_path: Path) -> None:
    corpus = golden("abcd", tmp_path)
    whole = json.loads((corpus / "abcd_v1.1.json").read_bytes())
    (corpus / "abcd_v1.1.json").unlink()
    for value in ({key: part for key, part in whole.items() if part}, whole["train"]):
        (corpus / "a.json").write_text(json.dumps(value))
        target = tmp_path / f"out-{type(value).__name__}"
        target.mkdir()
        assert not convert(formats.load(corpus).dialogues, {}, formats.get("abcd"), target)
        assert json.loads((target / "a.json").read_bytes()) == value


def test_turns_without_delexicalised_ones_are_read(tmp_path: Path) -> None:
    value = {"convo_id": 1, "original": [["agent", "Hi."], ["action", "Done."]], "delexed": []}
    (tmp_path / "a.json").write_text(json.dumps([value]))
    (dialogue,) = formats.load(tmp_path / "a.json", "abcd").dialogues()
    assert [type(event) for event in dialogue.events] == [Utterance, Query, Result]


@pytest.mark.corpus
def test_every_published_turn_is_read(corpora: Path) -> None:
    file = corpora / "others" / "abcd" / "data" / "abcd_sample.json"
    raw = json.loads(file.read_bytes())
    read = list(formats.load(file).dialogues())
    assert [each.id for each in read] == [str(each["convo_id"]) for each in raw]
    for dialogue, entry in zip(read, raw, strict=True):
        turns = [event for event in dialogue.events if not isinstance(event, Query)]
        assert len(turns) == len(entry["original"])


@pytest.mark.parametrize("arguments", ["", "{", None])
def test_calls_without_readable_arguments_are_actions_without_values(
    arguments: str | None, tmp_path: Path
) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "open", "arguments": arguments}}
    request = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "1", "content": "Done."}
    (tmp_path / "a.jsonl").write_text(json.dumps({"messages": [request, answer]}) + "\n")
    (dialogue,) = formats.load(tmp_path / "a.jsonl").dialogues()
    (value,) = json.loads(formats.get("abcd").render_file([dialogue]))
    assert value["delexed"][0]["targets"][1:4] == ["take_action", "open", []]


def test_results_without_a_call_are_left_out_and_ids_are_written(tmp_path: Path) -> None:
    facts = {"role": "system", "name": "kb", "content": '[{"shop": "Key & Lock"}]'}
    value = {"messages": [facts, {"role": "user", "content": "Hi."}]}
    (tmp_path / "chat.jsonl").write_text(json.dumps(value) + "\n")
    dialogues = formats.load(tmp_path / "chat.jsonl").dialogues
    (tmp_path / "out").mkdir()
    loss = convert(dialogues, {}, formats.get("abcd"), tmp_path / "out")
    assert loss["result"] == 1
    assert "dialogue.id" not in loss
    (back,) = formats.load(tmp_path / "out").dialogues()
    assert [type(event) for event in back.events] == [Utterance]
