"""Result files of BFCL are scored by the questions and possible answers of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.answers import matched, read, score
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Data, Plan
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import run
from dialoom.errors import FormatError, MissingDataError, UsageError
from tests.make import refuses

FIND = {
    "name": "find.room",
    "parameters": {
        "properties": {"area": {"type": "string"}, "price": {"type": "float"}},
        "required": ["area"],
    },
}


def question(name: str, *turns: str) -> dict[str, Any]:
    """Return a question."""
    messages = [[{"role": "user", "content": turn}] for turn in turns]
    return {"id": name, "question": messages, "function": [FIND]}


QUESTIONS = {
    "parallel": [question("parallel_0", "York, Bath."), question("parallel_1", "York")],
    "multi_turn_base": [question("multi_turn_base_0", "Go to a.", "Thanks.", "List it.")],
    "irrelevance": [question("irrelevance_0", "How are you?")],
    "memory": [question("memory_0-x-0", "What is my name?")],
    "simple_java": [question("simple_java_0", "A room.")],
}
ANSWERS: dict[str, list[Any]] = {
    "parallel": [
        [
            {"find.room": {"area": ["York", ""]}},
            {"find.room": {"area": ["Bath"], "price": [5, ""]}},
        ],
        [{"find.room": {"area": ["York"]}}],
    ],
    "multi_turn_base": [[["cd(folder='a')"], [], ["ls(a=True)", "pwd()"]]],
    "memory": [["Michael"]],
    "simple_java": [[{"find.room": {"area": ["York"]}}]],
}
RIGHT: list[dict[str, Any]] = [
    {"id": "parallel_0", "result": "[find_room(area='bath', price=5), find_room(area='york')]"},
    {
        "id": "parallel_1",
        "tool_calls": [{"function": {"name": "find_room", "arguments": '{"area": "York"}'}}],
    },
    {
        "id": "multi_turn_base_0",
        "result": [
            ["[cd(folder='a')]", "Done."],
            ["You are welcome."],
            [[{"pwd": {}}], [{"ls": {"a": True}}], "Here."],
        ],
    },
    {"id": "irrelevance_0", "result": "Fine, thank you."},
    {"id": "memory_0-x-0", "result": "Michael"},
]


def lines(path: Path, *rows: Any) -> Path:
    """Write JSON lines."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return path


def plan(tmp_path: Path) -> Plan:
    """Return the plan of the questions."""
    for name, questions in QUESTIONS.items():
        lines(tmp_path / "bfcl" / f"BFCL_v4_{name}.json", *questions)
    for name, answers in ANSWERS.items():
        rows = [
            {"id": q["id"], "ground_truth": a}
            for q, a in zip(QUESTIONS[name], answers, strict=True)
        ]
        lines(tmp_path / "bfcl" / "possible_answer" / f"BFCL_v4_{name}.json", *rows)
    protocol = PROTOCOLS.get("calls")
    return protocol.plan(Data(formats.load(tmp_path / "bfcl")), protocol.settings())


def scored(plan: Plan, file: Path, *, partial: bool = False) -> Result:
    """Score a file of answers."""
    return score(plan, [matched(plan, read(file, plan), file, partial=partial)])[0]


def test_questions_are_held_out_by_category_and_turn(tmp_path: Path) -> None:
    design = plan(tmp_path)
    places = {h.name: [(t.source, t.event) for t in h.test] for h in design.holdouts}
    assert places == {
        "irrelevance": [("irrelevance_0", 0)],
        "multi_turn_base": [("multi_turn_base_0", 0), ("multi_turn_base_0", 2)],
        "parallel": [("parallel_0", 0), ("parallel_1", 0)],
    }
    assert design.holdouts[1].test[1].position == 4  # three user turns and the call before
    assert any(note.startswith("2 questions are not asked") for note in design.notes)


def test_questions_have_their_functions(tmp_path: Path) -> None:
    target = plan(tmp_path).holdouts[2].test[0]
    (function,) = target.asked.functions
    assert function["name"] == "find.room"
    assert function["parameters"]["properties"]["price"] == {"type": "number"}


def test_right_answers_in_each_layout_are_right(tmp_path: Path) -> None:
    result = scored(plan(tmp_path), lines(tmp_path / "right_result.json", *RIGHT))
    assert {name: each.value for name, each in result.scores.items()} == {
        "accuracy": 100.0,
        "name_accuracy": 100.0,
        "unreadable": 0.0,
    }


def test_a_folder_of_result_files_is_one_system(tmp_path: Path) -> None:
    for number, row in enumerate(RIGHT):
        lines(tmp_path / "ada" / f"{number}_result.json", row)
    result = scored(plan(tmp_path), tmp_path / "ada")
    assert (result.model, result.scores["accuracy"].value) == ("ada", 100.0)


def test_unreadable_answers_are_wrong_and_named(tmp_path: Path) -> None:
    rows = [{**RIGHT[0], "result": "Error: no money"}, *RIGHT[1:]]
    result = scored(plan(tmp_path), lines(tmp_path / "bad.json", *rows))
    parallel = next(each for each in result.holdouts if each.name == "parallel")
    assert parallel.scores["accuracy"].value == parallel.scores["unreadable"].value == 50.0
    assert any("unreadable answers: 1" in note and "Error" in note for note in result.notes)


def test_a_required_argument_may_not_be_absent(tmp_path: Path) -> None:
    rows = [{**RIGHT[0], "result": "[find_room(area='Bath'), find_room()]"}, *RIGHT[1:]]
    result = scored(plan(tmp_path), lines(tmp_path / "absent.json", *rows))
    assert next(h for h in result.holdouts if h.name == "parallel").scores["accuracy"].value == 50.0


def test_one_turn_of_several_can_be_answered_alone(tmp_path: Path) -> None:
    row = {"id": "multi_turn_base_0", "turn": 2, "result": "ls(a=True), pwd()"}
    result = scored(plan(tmp_path), lines(tmp_path / "turn.json", row), partial=True)
    assert result.options["answered"] == "1-of-5"
    assert result.scores["accuracy"].value == 100.0


def several_turns(tmp_path: Path, *answer: list[str]) -> Plan:
    """Return the plan of one question with an answer of several turns, next to its functions."""
    name = "BFCL_v4_multi_turn_base.json"
    sort = {"name": "sort", "parameters": {"properties": {"file": {"type": "string"}}}}
    lines(tmp_path / "bfcl" / name, question("multi_turn_base_0", *map(str, answer)))
    row = {"id": "multi_turn_base_0", "ground_truth": answer}
    lines(tmp_path / "bfcl" / "possible_answer" / name, row)
    lines(tmp_path / "bfcl" / "multi_turn_func_doc" / "files.json", sort)
    protocol = PROTOCOLS.get("calls")
    return protocol.plan(Data(formats.load(tmp_path / "bfcl")), protocol.settings())


@pytest.mark.parametrize(
    ("steps", "accuracy"),
    [
        (["sort('a.txt')", "post(tags=['#x', 3], more={'ids': ['7']})"], 100.0),
        (["post(more={'ids': ['7']}, tags=['#x', 3]), sort(file='a.txt')"], 100.0),
        (["sort('a.txt')", "post(tags=['#y', 3], more={'ids': ['7']})"], 0.0),
        (["sort('a.txt')", "post(tags=['#x', 3], more={'ids': '7'})"], 0.0),
        (["sort('b.txt')", "post(tags=['#x', 3], more={'ids': ['7']})"], 0.0),
    ],
)
def test_turns_compare_lists_objects_and_arguments_without_a_name(
    tmp_path: Path, steps: list[str], accuracy: float
) -> None:
    design = several_turns(tmp_path, ["sort('a.txt')", "post(tags=['#x', 3], more={'ids': ['7']})"])
    row = {"id": "multi_turn_base_0", "result": [steps]}
    result = scored(design, lines(tmp_path / "one_result.json", row))
    assert result.scores["accuracy"].value == accuracy


def test_turns_after_the_last_of_an_answer_are_unanswered(tmp_path: Path) -> None:
    design = several_turns(tmp_path, ["ls()"], ["pwd()"])
    file = lines(tmp_path / "one_result.json", {"id": "multi_turn_base_0", "result": [["ls()"]]})
    with refuses(UsageError, "unanswered", "1 of 2", "event 1"):
        scored(design, file)
    result = scored(design, file, partial=True)
    assert result.options["answered"] == "1-of-2"
    assert result.scores["accuracy"].value == 100.0


@pytest.mark.corpus
def test_published_answers_are_right(corpora: Path, tmp_path: Path) -> None:
    root = corpora / "others" / "bfcl"
    name = "BFCL_v4_multi_turn_base.json"
    answers = (root / "possible_answer" / name).read_bytes().splitlines()
    rows = [{"id": r["id"], "result": r["ground_truth"]} for r in map(msgspec.json.decode, answers)]
    protocol = PROTOCOLS.get("calls")
    design = protocol.plan(Data(formats.load(root)), protocol.settings())
    result = scored(design, lines(tmp_path / "own_result.json", *rows))
    assert result.scores["accuracy"].value == 100.0


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"id": "parallel_7", "result": "[]"}, FormatError),
        ({"id": "parallel_0"}, FormatError),
        ({"id": 5, "result": "[]"}, FormatError),
        ("[f()]", FormatError),
        ({"id": "multi_turn_base_0", "result": [{"cd": {}}]}, FormatError),
        ({"id": "multi_turn_base_0", "turn": 1, "result": "f()"}, FormatError),
        (RIGHT[0], UsageError),
    ],
)
def test_other_answers_are_refused(tmp_path: Path, row: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        scored(plan(tmp_path), lines(tmp_path / "wrong.json", row))


def test_a_folder_without_result_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(MissingDataError):
        read(tmp_path / "none", plan(tmp_path))


def test_questions_without_answers_are_refused(tmp_path: Path) -> None:
    lines(tmp_path / "bfcl" / "BFCL_v4_parallel.json", *QUESTIONS["parallel"])
    protocol = PROTOCOLS.get("calls")
    with pytest.raises(MissingDataError):
        protocol.plan(Data(formats.load(tmp_path / "bfcl")), protocol.settings())


def test_a_model_without_calls_is_right_where_none_is_needed(tmp_path: Path) -> None:
    design, make = plan(tmp_path), NamedModel("empty", {})
    result = summarise(design, run(design, make), make())
    assert {each.name: each.scores["accuracy"].value for each in result.holdouts} == {
        "irrelevance": 100.0,
        "multi_turn_base": 0.0,
        "parallel": 0.0,
    }
