"""GEM's version of SGD: parallel lists there and back, and its generation items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import Act, Dialogue, Query, Result, State, Utterance, decode
from dialoom.dialogue import encode as line
from dialoom.errors import FormatError, UsageError
from dialoom.formats.base.conversion import convert
from dialoom.formats.gem import FORMAT, generation, read
from dialoom.formats.sgd import FORMAT as SGD
from dialoom.schema.service import ACTS
from tests.formats.laid_out import FILE, Json, there_and_back
from tests.formats.sgd_json import regular_files
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, sampled

NO_CALL = {
    "method": "",
    "parameters": {"parameter_canonical_value": [], "parameter_slot_name": []},
}
NO_STATE = {
    "active_intent": "",
    "requested_slots": [],
    "slot_values": {"slot_name": [], "slot_value_list": []},
}

CARD: Json = {
    "dialogue_id": "1_00000",
    "services": ["Cafes_1"],
    "turns": {
        "frames": [
            {
                "actions": [
                    {
                        "act": [4, 13],
                        "canonical_values": [["2"], []],
                        "slot": ["seats", "price"],
                        "values": [["two"], []],
                    }
                ],
                "service": ["Cafes_1"],
                "service_call": [NO_CALL],
                "service_results": [{"service_results_list": []}],
                "slots": [{"exclusive_end": [15], "slot": ["seats"], "start": [12]}],
                "state": [
                    {
                        "active_intent": "FindCafe",
                        "requested_slots": ["price"],
                        "slot_values": {"slot_name": ["seats"], "slot_value_list": [["two"]]},
                    }
                ],
            },
            {
                "actions": [
                    {"act": [15], "canonical_values": [[]], "slot": [""], "values": [[]]},
                    {"act": [], "canonical_values": [], "slot": [], "values": []},
                ],
                "service": ["Cafes_1", "Taxis_2"],
                "service_call": [
                    {
                        "method": "FindCafe",
                        "parameters": {
                            "parameter_canonical_value": ["2"],
                            "parameter_slot_name": ["seats"],
                        },
                    },
                    NO_CALL,
                ],
                "service_results": [
                    {
                        "service_results_list": [
                            {"service_canonical_value": ["Ada's"], "service_slot_name": ["name"]}
                        ]
                    },
                    {"service_results_list": []},
                ],
                "slots": [{"exclusive_end": [], "slot": [], "start": []}] * 2,
                "state": [NO_STATE, NO_STATE],
            },
        ],
        "speaker": [0, 1],
        "utterance": ["A table for two?", "Ada's has one. What else?"],
    },
}
"""A dialogue as the card shows one, in words of our own."""

FRAMES: Json = CARD["turns"]["frames"][0]


def one(value: Json) -> Dialogue:
    (dialogue,) = read(json.dumps(value).encode(), FILE, "file")
    return dialogue


def test_the_card_is_read() -> None:
    wish, query, result, answer = one(CARD).events
    assert isinstance(wish, Utterance)
    assert isinstance(answer, Utterance)
    (part,) = wish.layers[0].parts
    assert [act.name for act in part.acts or ()] == ["INFORM", "REQUEST"]
    assert part.acts is not None
    assert part.acts[0].arguments[0].canonical == ("2",)
    assert part.state == State("FindCafe", ("price",), {"seats": ("two",)})
    assert isinstance(query, Query)
    assert (query.api, query.service) == ("FindCafe", "Cafes_1")
    assert result == Result(query=query.id, items=({"name": "Ada's"},))
    first, second = answer.layers[0].parts
    assert (first.acts, first.state) == ((Act("REQ_MORE"),), None)
    assert (second.service, second.acts) == ("Taxis_2", ())


def test_the_card_comes_back() -> None:
    assert json.loads(there_and_back(FORMAT, json.dumps(CARD).encode())) == CARD


def test_acts_are_numbered_in_alphabetical_order() -> None:
    assert list(ACTS) == sorted(ACTS)
    assert (len(ACTS), ACTS[13], ACTS[17]) == (18, "REQUEST", "THANK_YOU")


def test_lists_and_lines_and_one_object_are_read(tmp_path: Path) -> None:
    whole = json.dumps(CARD, indent=1)
    for name, text in (
        ("a.json", f"[{whole}, {whole}]"),
        ("b.jsonl", f"{json.dumps(CARD)}\n{json.dumps(CARD)}\n"),
        ("c.json", whole),
    ):
        (tmp_path / name).write_text(text)
        corpus = formats.load(tmp_path / name)
        assert corpus.format == "gem"
        assert {dialogue.id for dialogue in corpus.dialogues()} == {"1_00000"}


def test_files_come_back_under_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "dev"
    folder.mkdir(parents=True)
    (folder / "part.json").write_text(json.dumps([CARD, CARD]))
    (folder / "part.jsonl").write_text(json.dumps(CARD) + "\n")
    corpus = formats.load(tmp_path / "in")
    (tmp_path / "out").mkdir()
    FORMAT.write(corpus.dialogues(), {}, tmp_path / "out")
    assert json.loads((tmp_path / "out" / "dev" / "part.json").read_bytes()) == [CARD, CARD]
    assert json.loads((tmp_path / "out" / "dev" / "part.jsonl").read_bytes()) == CARD


def test_sgd_loses_nothing(tmp_path: Path) -> None:
    corpus = formats.load(DATA / "sgd" / "train")
    assert not convert(corpus.dialogues, corpus.schemas, FORMAT, tmp_path)
    back = list(formats.load(tmp_path).dialogues())
    original = (DATA / "sgd" / "train" / "dialogues_001.json").read_bytes()
    assert SGD.render_file(back) == original


@sampled
@given(regular_files)
def test_regular_sgd_settles_at_once(file: list[Json]) -> None:
    dialogues = list(SGD.read(json.dumps(file).encode(), FILE, "file"))
    output = FORMAT.render_file(dialogues)
    if dialogues:
        assert there_and_back(FORMAT, output) == output


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=3))
def test_any_dialogue_is_written_as_a_file_that_reads_back(held: list[Dialogue]) -> None:
    output = FORMAT.render_file([decode(line(dialogue)) for dialogue in held])
    back = list(read(output, FILE, held[0].origin.file if held[0].origin else "file"))
    assert [dialogue.id for dialogue in back] == [dialogue.id for dialogue in held]


@pytest.mark.parametrize("odd", [None, [], "x", {"x": 1}, [None], ["x"]])
@pytest.mark.parametrize("to", ["gem", "frames", "frames-text"])
def test_values_of_other_types_in_sgd_are_left_out_and_counted(
    odd: Any, to: str, tmp_path: Path
) -> None:
    state = {"active_intent": "x", "requested_slots": [], "slot_values": odd}
    call = {"method": "x", "parameters": odd}
    keys = ("actions", "slots", "state", "service", "service_call", "service_results")
    frames = [{"service": "S", key: odd} for key in keys]
    frames += [{"state": state}, {"service_call": call, "service_results": []}]
    turns = [{"speaker": "USER", "utterance": "Hi", "frames": each} for each in (odd, *frames)]
    turns[1:] = [turn | {"frames": [turn["frames"]]} for turn in turns[1:]]
    value = [{"dialogue_id": "1", "services": ["S"], "turns": turns}]
    corpus = list(SGD.read(json.dumps(value).encode(), FILE, "a.json"))
    loss = convert(lambda: corpus, {}, formats.get(to), tmp_path)
    assert any(".extra" in field for field in loss)


def test_lists_of_unequal_length_come_back() -> None:
    value = json.loads(json.dumps(CARD))
    value["turns"]["frames"][0]["actions"][0]["slot"] = ["seats"]
    assert json.loads(there_and_back(FORMAT, json.dumps(value).encode())) == value
    act = one(value).events[0].layers[0].parts[0].acts[1]  # type: ignore[union-attr, index]
    assert act == Act("REQUEST", extra={"slot": None})


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], ("wrong-type", "frames")),
        (FRAMES | {"state": []}, ("wrong-type", "actions", "service")),
        (FRAMES | {"actions": [3]}, ("wrong-type", "actions")),
        (
            FRAMES | {"service_call": [{"method": "Find", "parameters": {}}]},
            ("wrong-type", "lists of one"),
        ),
        (FRAMES | {"service_results": [{}]}, ("wrong-type", "service_results")),
        (FRAMES | {"state": [""]}, ("wrong-type", "slot_values")),
    ],
)
def test_other_lists_than_the_card_s_are_refused(frames: Any, message: tuple[str, ...]) -> None:
    turns = {"frames": [frames], "speaker": [0], "utterance": ["…"]}
    with refuses(FormatError, *message):
        one({"dialogue_id": "7", "services": [], "turns": turns})


def test_lists_keep_their_order() -> None:
    value = json.loads(json.dumps(CARD))
    first, second = value["turns"]["frames"]
    first["state"][0]["slot_values"] = {
        "slot_name": ["seats", "day", "area"],
        "slot_value_list": [["two"], ["today"], ["west"]],
    }
    second["service_call"][0]["parameters"] = {
        "parameter_canonical_value": ["2", "west"],
        "parameter_slot_name": ["seats", "area"],
    }
    assert json.loads(there_and_back(FORMAT, json.dumps(value).encode())) == value


def test_a_slot_named_twice_is_refused() -> None:
    value = json.loads(json.dumps(CARD))
    value["turns"]["frames"][0]["state"][0]["slot_values"] = {
        "slot_name": ["day", "day"],
        "slot_value_list": [["today"], ["tomorrow"]],
    }
    with refuses(FormatError, "wrong-type", "day"):
        list(read(json.dumps([value]).encode(), FILE, "file"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([3], ("wrong-type", "dialogue 0")),
        ({"dialogue_id": "7"}, ("wrong-type", "dialogue 7", "turns")),
        (
            {"turns": {"frames": [], "speaker": [0], "utterance": []}},
            ("wrong-type", "speaker", "utterance"),
        ),
        (
            {"turns": {"frames": [], "speaker": [], "utterance": [], "mood": []}},
            ("wrong-type", "turns", "mood"),
        ),
        (
            {"turns": {"frames": [[]], "speaker": [], "utterance": []}},
            ("wrong-type", "frames", "utterances"),
        ),
        ({"turns": {"frames": [], "speaker": [2], "utterance": [""]}}, ("wrong-type", "speaker")),
        (
            {"dialogue_id": "7", "turns": {"frames": [], "speaker": [0], "utterance": [1]}},
            ("wrong-type", "7", "0", "utterance"),
        ),
    ],
)
def test_what_is_no_gem_file(value: object, message: tuple[str, ...]) -> None:
    with refuses(FormatError, *message):
        list(read(json.dumps(value).encode(), FILE, "file"))


# --- generation -----------------------------------------------------------------------------------


def test_items_of_the_generation_task() -> None:
    (record,) = generation.records(one(CARD))
    assert record == generation.Record(
        gem_id="sgd-1_00000-1",
        gem_parent_id="sgd-1_00000-1",
        dialog_id="1_00000",
        turn_id=1,
        service="Cafes_1",
        prompt="A table for two?",
        context=("A table for two?",),
        dialog_acts=(generation.DialogAct(15, "", ()),),
        target="Ada's has one. What else?",
        references=("Ada's has one. What else?",),
    )


def test_items_are_written_and_never_read(tmp_path: Path) -> None:
    format = formats.get("gem-generation")
    dialogues = [one(CARD)]
    loss = convert(lambda: dialogues, {}, format, tmp_path)
    assert loss["utterance.layers.parts.state.intent"] == 1
    assert "utterance.text" not in loss
    (item,) = (tmp_path / "generation.jsonl").read_text().splitlines()
    assert json.loads(item)["dialog_acts"] == [{"act": 15, "slot": "", "values": []}]
    assert not format.detect(tmp_path)
    with refuses(UsageError, "one-way"):
        format.files(tmp_path)


@sampled
@given(dialogues())
def test_any_dialogue_has_items(dialogue: Dialogue) -> None:
    for record in generation.records(dialogue):
        assert record.dialog_acts
        assert len(record.context) == record.turn_id
        assert record.prompt == (record.context[-1] if record.context else "")
    spoken = [event.text for event in dialogue.events if isinstance(event, Utterance)]
    remainder = generation.FORMAT.kept(dialogue)
    texts = [event.text for event in remainder.events if isinstance(event, Utterance)]
    assert texts == spoken[: len(texts)]


@pytest.mark.corpus
def test_sgd_comes_back_by_way_of_gem(corpora: Path) -> None:
    for name in ("dev/dialogues_001.json", "train/dialogues_100.json"):
        file = corpora / "sgd" / name
        dialogues = list(SGD.read_file(file, corpora / "sgd"))
        back = list(read(FORMAT.render_file(dialogues), file, name))
        assert back == dialogues
        assert SGD.render_file(back) == file.read_bytes()
