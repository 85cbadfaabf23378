"""Small files in layouts of this field, of our own words: read as they say, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Instruction, Utterance
from dialoom.errors import FormatError
from tests.formats.star_json import DATA
from tests.make import refuses

LAYOUTS: list[dict[str, Any]] = msgspec.json.Decoder().decode_lines(
    (DATA / "layouts.jsonl").read_bytes()
)
NAMED = {
    "mtbench_q": "MT-bench",
    "mtbench_a": "MT-bench",
    "oasst_flat": "OpenAssistant",
    "oasst_trees": "OpenAssistant",
    "nectar": "Nectar",
    "personachat_hf": "PersonaChat",
    "soda": "SODA",
    "samsum": "summaries",
    "dialogsum": "summaries",
    "coqa": "questions about a text",
    "quac": "questions about a text",
    "squad": "questions about a text",
    "rasa_nlu_json": "NLU",
    "kaggle_intents": "intents",
    "luis": "LUIS",
    "dialogflow_agent": "Dialogflow",
    "dialogflow_intent": "Dialogflow",
    "dialogflow_usersays": "Dialogflow",
    "telegram": "Telegram",
    "slack": "Slack",
    "soloist": "SOLOIST",
    "prosocial": "ProsocialDialog",
    "toolbench_tree": "ToolBench",
    "toolalpaca": "ToolAlpaca",
    "gorilla_apibench": "APIBench",
    "alexa_tm": "MASSIVE",
}
"""Layouts that are refused by their name."""

SIDES = {USER: "u", SYSTEM: "s"}


def said(dialogue: Dialogue) -> list[str]:
    """Return what user and system say."""
    spoken = (event for event in dialogue.events if isinstance(event, Utterance) and event.text)
    return [f"{SIDES[event.agent]}:{event.text}" for event in spoken if event.agent in SIDES]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout["name"])
def test_a_file_is_read_as_it_says_or_refused(layout: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / layout["file"]
    file.write_text(layout["content"])
    if layout["dialogues"] is None:
        with pytest.raises(FormatError) as caught:
            list(formats.load(file).dialogues())
        assert NAMED.get(layout["name"], "") in str(caught.value)
        return
    assert [said(each) for each in formats.load(file).dialogues()] == layout["dialogues"]


@pytest.mark.parametrize("name", ["arena", "sharegpt_items"])
def test_messages_in_other_places_come_back(name: str, tmp_path: Path) -> None:
    layout = next(each for each in LAYOUTS if each["name"] == name)
    file = tmp_path / layout["file"]
    file.write_text(layout["content"])
    corpus = formats.load(file)
    (tmp_path / "out").mkdir()
    formats.get("chat").write(corpus.dialogues(), {}, tmp_path / "out")
    (target,) = (tmp_path / "out").iterdir()
    assert msgspec.json.decode(target.read_bytes()) == msgspec.json.decode(file.read_bytes())


def loaded(path: Path, text: str) -> list[Dialogue]:
    """Return the dialogues of a text."""
    path.write_text(text)
    return list(formats.load(path).dialogues())


def test_prompts_and_personas_are_instructions(tmp_path: Path) -> None:
    chatml = "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi.<|im_end|>\n"
    first, second = loaded(tmp_path / "a.txt", chatml * 2)
    assert first.events == second.events == (Instruction(text="Be kind."), first.events[1])
    (chat,) = loaded(tmp_path / "b.txt", "1 your persona: i read.\n2 hi !\they !|oh\t\they !|no\n")
    assert [type(each) for each in chat.events] == [Instruction, Utterance, Utterance]
    assert said(chat) == ["u:hi !", "s:hey !"]


@pytest.mark.parametrize(
    "text",
    [
        "<|im_start|>cook\nHi.<|im_end|>\n",
        "<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant name=bob\nHey.<|im_end|>\n",
        "<|im_start|>user\nHi.<|im_end|>\nlost\n<|im_start|>assistant\nHey.<|im_end|>\n",
        "<|im_start|>user\nHi.\n<|im_start|>assistant\nHey.<|im_end|>\n",
        "User: Hi.\nBot: Hey.\nBut no speaker.\n",
        "1 your persona: i read.\nhi !\they !\n",
        "text:hi\tlabels:hey\tepisode_done:False\nhello\n",
    ],
)
def test_lines_that_are_not_in_the_layout_are_refused(text: str, tmp_path: Path) -> None:
    with refuses(FormatError, "no-speaker", "a.txt"):
        loaded(tmp_path / "a.txt", text)


A, B = {"speaker": "Customer", "text": "Hi."}, {"speaker": "Agent", "text": "Hello.", "mood": "ok"}


@pytest.mark.parametrize(
    "value",
    [
        [{"id": 5, "chat": [A, B]}],
        {"x": {"chat": [A, B]}, "y": {"chat": [A, B]}},
        {"version": 2, "data": [{"chat": [A, B]}]},
        [[A, B], [B, A]],
    ],
)
def test_turns_with_named_speakers_are_read(value: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(value))
    corpus = formats.load(tmp_path / "a.json")
    dialogues = list(corpus.dialogues())
    assert corpus.format == "utterances"
    assert said(dialogues[0]) == ["u:Hi.", "s:Hello."]
    assert dialogues[0].events[1].extra == {"mood": "ok"}
    assert dialogues[0].extra.get("version") == (2 if "version" in value else None)


@pytest.mark.parametrize(
    "turn",
    [
        {"speaker": "Chorus", "text": "La."},
        {"speaker": "system", "text": "Be kind."},
        {"speaker": "Agent", "text": "Hi.", "utterance": "Hi!"},
        {"speaker": "Agent", "text": "Hi.", "frames": []},
        {"speaker": "Agent", "text": "Hi.", "replies": [A]},
        {"speaker": "Customer", "text": "No one answers."},
    ],
)
def test_turns_that_leave_a_choice_are_refused(turn: Any, tmp_path: Path) -> None:
    second = {key: turn.get(key, [] if key == "frames" else "Hi!") for key in turn} | B
    turns = [A | {k: v for k, v in second.items() if k not in B}, turn]
    turns += [B] if turn["speaker"] == "system" else []
    (tmp_path / "a.json").write_bytes(msgspec.json.encode([{"chat": turns}]))
    with pytest.raises(FormatError):
        list(formats.load(tmp_path / "a.json").dialogues())


@pytest.mark.parametrize(
    "value",
    [
        [A, B],
        {"train": [A | {"dialog_id": 1}, B | {"dialog_id": 1}, A | {"dialog_id": 2}]},
    ],
)
def test_turns_of_unknown_dialogues_are_refused(value: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(value))
    with pytest.raises(FormatError):
        list(formats.load(tmp_path / "a.json").dialogues())


@pytest.mark.parametrize("more", [{}, {"id": "d1"}])
def test_two_lists_of_turns_are_refused(more: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(msgspec.json.encode({"turns": [A, B], "log": [B, A]} | more))
    with refuses(FormatError, "twice", "'turns'", "'log'"):
        list(formats.load(tmp_path / "a.json").dialogues())


def test_lists_of_turns_by_id_are_dialogues(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(msgspec.json.encode({"d1": [A, B], "d2": [B, A]}))
    assert [each.id for each in formats.load(tmp_path / "a.json").dialogues()] == ["d1", "d2"]


def test_prompts_before_colons_are_instructions_if_a_bot_speaks(tmp_path: Path) -> None:
    text = "System: Be kind.\nUser: Hi.\nAssistant: Hey.\n"
    (dialogue,) = loaded(tmp_path / "a.txt", text)
    assert said(dialogue) == ["u:Hi.", "s:Hey."]
    (dialogue,) = loaded(tmp_path / "b.txt", "System: Welcome.\nUser: Hi.\n")
    assert said(dialogue) == ["s:Welcome.", "u:Hi."]


def test_an_entry_without_such_turns_is_named(tmp_path: Path) -> None:
    value = [{"chat": [A, B]}, {"chat": [{"speaker": "Chorus", "text": "La."}]}]
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(value))
    with refuses(FormatError, "no-speaker", "number 1"):
        list(formats.load(tmp_path / "a.json").dialogues())


def test_a_long_file_is_recognised_by_its_beginning(tmp_path: Path) -> None:
    value = [{"chat": [A, B] * 400} for _ in range(6)]
    (tmp_path / "a.json").write_bytes(msgspec.json.encode(value))
    assert [len(each.events) for each in formats.load(tmp_path / "a.json").dialogues()] == [800] * 6
