"""Answers of other systems: which layouts are read, what is refused, and that scores are equal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.answers import matched, read, score
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Data, Plan
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import run, with_metrics
from dialoom.bench.tracked import tracked
from dialoom.bench.visibility import words
from dialoom.dialogue import AnswerRecord, Options, Prediction, Realise
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.models import MODELS
from tests.bench import tiny
from tests.bench.gem_sample import data as gem_data
from tests.bench.sgd_sample import NAMES, SCHEMAS, dialogue
from tests.bench.tiny import two
from tests.formats.star_json import DATA
from tests.make import refuses

DIALOGUES = [dialogue(n, *NAMES[: 1 + n % 2]) for n in range(4)]


def tracking(path: Path) -> Plan:
    """Return the plan of state tracking on four dialogues, six frames."""
    protocol = PROTOCOLS.get("sgd-tracking")
    (path / "dev").mkdir()
    formats.get("sgd").write(DIALOGUES, SCHEMAS, path / "dev")
    return protocol.plan(Data(formats.load(path / "dev")), protocol.settings())


def of(name: str, path: Path) -> Plan:
    """Return the plan of a protocol on the small files of its format."""
    protocol = PROTOCOLS.get(name)
    return protocol.plan(Data(formats.load(path)), protocol.settings())


def scored(plan: Plan, path: Path, *, partial: bool = False) -> Result:
    """Return the result of one file."""
    return score(plan, [matched(plan, read(path, plan), path, partial=partial)])[0]


def written(path: Path, *values: Any) -> Path:
    """Write JSON lines."""
    path.write_bytes(msgspec.json.Encoder().encode_lines(values))
    return path


def by_model(plan: Plan, model: str, path: Path) -> Result:
    """Return the result of a model, and write its predictions to a file."""
    make = NamedModel(model, {})
    outcomes = list(run(plan, make))
    path.write_bytes(write_predictions(plan, outcomes))
    return summarise(plan, outcomes, make())


def values(result: Result) -> dict[str, Any]:
    """Return the scores of a result with their intervals."""
    return {name: (each.value, each.interval) for name, each in result.scores.items()}


def test_states_in_sgds_layout_score_as_the_model_does(tmp_path: Path) -> None:
    plan = tracking(tmp_path)
    own = by_model(plan, "rules", tmp_path / "own.jsonl")
    model = MODELS.get("rules")()
    marked = [tracked(each, model, SCHEMAS, words, in_place=True) for each in DIALOGUES]
    (tmp_path / "theirs").mkdir()
    formats.get("sgd").write(marked, SCHEMAS, tmp_path / "theirs")
    (tmp_path / "theirs" / "schema.json").unlink()
    assert values(scored(plan, tmp_path / "theirs")) == values(own)
    assert values(scored(plan, tmp_path / "own.jsonl")) == values(own)


def test_a_folder_of_right_states_is_right(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    formats.get("sgd").write(DIALOGUES, SCHEMAS, tmp_path / "gold")
    result = scored(tracking(tmp_path), tmp_path / "gold")
    assert {each.value for each in result.scores.values()} == {100.0}
    assert result.model == "gold"
    assert "sha256" in result.settings


@pytest.mark.parametrize(
    ("held", "named"), [({"city": "York"}, "city"), ({"city": [["York"]]}, "slot_values")]
)
def test_states_with_values_of_another_type_are_refused(
    tmp_path: Path, held: Any, named: str
) -> None:
    plan = tracking(tmp_path)
    folder = tmp_path / "theirs"
    folder.mkdir()
    formats.get("sgd").write(DIALOGUES, SCHEMAS, folder)
    file = folder / "dialogues_001.json"
    wrong = msgspec.json.decode(file.read_bytes())
    wrong[0]["turns"][0]["frames"][0]["state"]["slot_values"] = held
    file.write_bytes(msgspec.json.encode(wrong))
    with refuses(FormatError, "wrong-type", str(file), DIALOGUES[0].id, f"{named}: "):
        scored(plan, folder)


def test_multiwoz_predictions_are_read_by_turn(tmp_path: Path) -> None:
    plan = tracking(tmp_path)
    right = {"Cafes_1": {"city": "York"}, "Pubs_1-city": "York"}
    turns = {f"{each.id.upper()}.json": [{"state": right, "response": "Hm."}] for each in DIALOGUES}
    file = tmp_path / "multiwoz.json"
    file.write_bytes(msgspec.json.encode(turns))
    result = scored(plan, file)
    assert result.scores["joint_goal_accuracy"].value == 100.0
    assert result.scores["joint_goal_accuracy_turn"].value == 100.0
    turns["1_00000.json"] = [{"state": {"Cafes_1": {"city": "not mentioned"}}}]
    file.write_bytes(msgspec.json.encode(turns))
    assert scored(plan, file).scores["joint_goal_accuracy_turn"].value == 75.0


@pytest.mark.parametrize(
    "entries",
    [
        {"1_00009": []},
        {"1_00000": []},
        {"1_00000": [{"response": "Hm."}]},
        {"1_00000": [{"state": {"Cafes_1": {"colour": "red"}}}]},
        {"1_00000": [{"state": {"Boats_1": {"city": "York"}}}]},
    ],
)
def test_wrong_multiwoz_predictions_are_refused(tmp_path: Path, entries: Any) -> None:
    file = tmp_path / "multiwoz.json"
    file.write_bytes(msgspec.json.encode(entries))
    with pytest.raises(FormatError):
        read(file, tracking(tmp_path))


def row(number: int, service: str = "Cafes_1", **more: Any) -> dict[str, Any]:
    """Return a line with the right state of a dialogue."""
    place = {"dialogue": f"1_{number:05}", "turn": 0, "service": service}
    return {**place, "slot_values": {"city": ["York"]}, **more}


def test_missing_answers_need_leave(tmp_path: Path) -> None:
    plan = tracking(tmp_path)
    file = written(tmp_path / "some.jsonl", row(0), row(2))
    with refuses(UsageError, "unanswered", "4 of 6"):
        scored(plan, file)
    result = scored(plan, file, partial=True)
    assert result.options["answered"] == "2-of-6"
    assert result.holdouts[0].n == 2
    assert any("4 of 6" in note for note in result.notes)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (row(0), "twice"),
        (row(9), "not-asked"),
        (row(0, "Trains_1"), "not-asked"),
        (row(1, holdout="test"), "not-asked"),
        ({**row(1), "turn": 1}, "not-asked"),
        ({**row(1), "slot_values": 5}, "wrong-type"),
    ],
)
def test_double_and_unknown_answers_are_refused(tmp_path: Path, more: Any, code: str) -> None:
    file = written(tmp_path / "wrong.jsonl", row(0), more)
    with refuses(FormatError, code, "wrong.jsonl"):
        scored(tracking(tmp_path), file, partial=True)


def test_two_systems_are_compared_on_what_both_answered(tmp_path: Path) -> None:
    plan = tracking(tmp_path)
    paths = [
        written(tmp_path / "one.jsonl", *(row(n) for n in range(4))),
        written(tmp_path / "other.jsonl", row(0), row(1, slot_values={}), row(2)),
    ]
    systems = [matched(plan, read(each, plan), each, partial=True) for each in paths]
    first, second = score(plan, systems)
    (rival,) = first.against
    assert (rival.system, rival.n, rival.ours) == ("other", 3, 100.0)
    assert rival.theirs == pytest.approx(66.6667)
    assert second.against == []


def test_unreadable_states_score_as_in_the_run(tmp_path: Path) -> None:
    plan = tracking(tmp_path)
    make = NamedModel("empty", {})
    record = AnswerRecord(2, unreadable="there is no JSON object")
    (outcome,) = run(plan, make)
    outcomes = [replace(outcome, predictions=[Prediction({}, record=record)] * 6)]
    file = tmp_path / "own.jsonl"
    file.write_bytes(write_predictions(plan, outcomes))
    result = scored(plan, file)
    assert values(result) == values(summarise(plan, outcomes, make()))
    assert any("unreadable answers: 6, such as: there is no JSON" in each for each in result.notes)


def test_unreadable_labels_are_counted(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path))
    wrong = {"predicted": "unreadable", "unreadable": "it breaks off"}
    pairs = [(each.name, target) for each in plan.holdouts for target in each.test]
    rows = [{**wrong, "holdout": name, "dialogue": t.source, "event": t.event} for name, t in pairs]
    result = scored(plan, written(tmp_path / "own.jsonl", *rows))
    assert any(f"unreadable answers: {len(pairs)}, " in each for each in result.notes)


def test_texts_of_gem_by_id_and_in_order(tmp_path: Path) -> None:
    protocol = PROTOCOLS.get("gem-generation")
    plan = protocol.plan(gem_data(tmp_path), protocol.settings())
    own = by_model(plan, "retrieve", tmp_path / "own.jsonl")
    texts = [
        (target, msgspec.json.decode(line)["predicted"])
        for target, line in zip(
            plan.holdouts[0].test, (tmp_path / "own.jsonl").read_bytes().splitlines(), strict=True
        )
    ]
    items = [{"gem_id": f"sgd-{t.source}-{t.event}", "values": [text]} for t, text in texts]
    lists = {"values": [text for _, text in texts]}
    keys = {**lists, "keys": [each["gem_id"] for each in items]}
    running = [f"schema_guided_dialog-validation-{n}" for n in range(len(texts))]
    layouts: list[list[Any]] = [
        items,
        [lists],
        [{"submission_name": "s", "tasks": {"schema_guided_dialog_validation": keys}}],
        [{"dialog_id": t.source, "turn_id": t.event, "output": text} for t, text in texts],
        [{**each, "gem_id": name} for each, name in zip(items, running, strict=True)][::-1],
        [{**lists, "keys": running}],
        lists["values"],
    ]
    for number, layout in enumerate(layouts):
        file = written(tmp_path / f"{number}.jsonl", *layout)
        assert values(scored(plan, file)) == values(own)
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lists["values"]))
    assert values(scored(plan, file)) == values(own)
    assert plan.kind is Realise


def test_running_ids_of_gem_are_those_of_its_file_of_items(tmp_path: Path) -> None:
    protocol = PROTOCOLS.get("gem-generation")
    data = gem_data(tmp_path)
    targets = protocol.plan(data, protocol.settings()).holdouts[0].test[1:][::-1]
    entries = [
        {"gem_id": f"x-{n}", "dialog_id": t.source, "turn_id": t.event, "target": t.gold}
        for n, t in enumerate(targets, 7)
    ]
    items = written(tmp_path / "items.jsonl", *entries)
    plan = protocol.plan(data, protocol.settings(items=str(items)))
    assert [(t.source, t.event) for t in plan.holdouts[0].test] == [*plan.ids.values()]
    rows = [{"gem_id": each["gem_id"], "values": [each["target"]]} for each in entries[::-1]]
    right = scored(plan, written(tmp_path / "right.jsonl", *rows))
    assert right.scores["bleu"].value == 100.0
    assert right.options["items"] == str(len(entries))
    texts = written(tmp_path / "texts.json", [each["target"] for each in entries])
    assert scored(plan, texts).scores["bleu"].value == 100.0
    for wrong in ({"turn_id": 99}, {"target": "Other words."}, {"gem_id": entries[-1]["gem_id"]}):
        file = written(tmp_path / "wrong.jsonl", *entries, {**entries[0], **wrong})
        with pytest.raises(FormatError):
            protocol.plan(data, protocol.settings(items=str(file)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"values": ["one"]},
        {"values": ["one", "two"], "keys": ["sgd-1_1-1"]},
        {"values": ["one", "two"], "keys": ["schema_guided_dialog-validation-0", "x"]},
        {"tasks": {"one": {}, "two": {}}},
        {"gem_id": 5, "values": ["one"]},
        {"dialog_id": "1_1", "turn_id": 1, "values": ["one", "two"]},
        {"dialog_id": "1_1", "output": "one"},
        [],
    ],
)
def test_wrong_texts_are_refused(tmp_path: Path, wrong: Any) -> None:
    protocol = PROTOCOLS.get("gem-generation")
    plan = protocol.plan(gem_data(tmp_path), protocol.settings())
    with pytest.raises(FormatError):
        read(written(tmp_path / "wrong.json", wrong), plan)


@pytest.mark.parametrize(
    ("protocol", "model"),
    [
        ("star-zero-shot-domain", "majority"),
        ("star-zero-shot-response-domain", "majority"),
        ("star-zero-shot-call-domain", "tracked"),
    ],
)
def test_lines_of_bench_are_scored_as_bench_scored_them(
    tmp_path: Path, protocol: str, model: str
) -> None:
    corpus = two(tmp_path) if "call" in protocol else tiny.star(tmp_path)
    plan = tiny.plan(PROTOCOLS.get(protocol), corpus)
    own = by_model(plan, model, tmp_path / "own.jsonl")
    assert values(scored(plan, tmp_path / "own.jsonl")) == values(own)


def test_calls_are_read_from_text(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-call-domain"), two(tmp_path))
    pairs = [(each.name, target) for each in plan.holdouts for target in each.test]
    rows = [
        {"holdout": name, "dialogue": t.source, "event": t.event, "call": f"{t.gold.api}()"}
        for name, t in pairs
    ]
    result = scored(plan, written(tmp_path / "calls.jsonl", *rows))
    assert result.scores["key_f1"].value == 0.0
    rows[0]["call"] = "no call"
    with pytest.raises(FormatError):
        scored(plan, written(tmp_path / "calls.jsonl", *rows))


TST9 = DATA / "dstc6" / "tst9"


def ranking(dialogue: str, *candidates: str) -> dict[str, Any]:
    """Return an entry of a result file."""
    pairs = [{"candidate_id": name, "rank": n} for n, name in enumerate(candidates, 1)]
    return {"dialog_id": dialogue, "lst_candidate_id": pairs}


def test_result_files_of_dstc6(tmp_path: Path) -> None:
    plan = of("dstc6", TST9)
    options = {each.id: cast(Options, each.events[-1]) for each in plan.data.corpus.dialogues()}
    right = [ranking(name, last.choice or "") for name, last in options.items()]
    file = tmp_path / "right.json"
    file.write_bytes(msgspec.json.encode(right))
    result = scored(plan, file)
    assert result.scores["p@1"].value == 100.0
    assert [part.name for part in result.slices] == ["task2REFINE kb1 atmosphere"]
    (tmp_path / "parts").mkdir()
    for number, each in enumerate(right):
        (tmp_path / "parts" / f"{number}.json").write_bytes(msgspec.json.encode([each]))
    assert values(scored(plan, tmp_path / "parts")) == values(result)


@pytest.mark.parametrize(
    "entry",
    [
        ranking("zz", "a01"),
        ranking("a-2", "zz"),
        ranking("a-2"),
        ranking("a-2", "a04", "a04"),
    ],
)
def test_wrong_rankings_are_refused(tmp_path: Path, entry: Any) -> None:
    file = tmp_path / "wrong.json"
    file.write_bytes(msgspec.json.encode([entry]))
    with pytest.raises(FormatError):
        read(file, of("dstc6", TST9))


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        read(tmp_path / "nosuch", tracking(tmp_path))
    (tmp_path / "folder").mkdir()
    with pytest.raises(MissingDataError):
        read(tmp_path / "folder", of("dstc6", TST9))
    with pytest.raises(FormatError):
        read(tmp_path / "folder", of("star-response", DATA / "star"))
    file = written(tmp_path / "one.json", {})
    with pytest.raises(UsageError):
        read(file, of("sgd-policy", DATA / "sgd" / "dev"))


def test_rankings_of_labels_are_read(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path))
    ranked = with_metrics(plan, ["recall"])
    file = tmp_path / "own.jsonl"
    assert values(by_model(ranked, "majority", file)) == values(scored(ranked, file))
    by_model(plan, "majority", file)
    with refuses(FormatError, "no-key", "answer 1", "`ranking`"):
        scored(ranked, file)


def test_lines_about_candidates_are_read(tmp_path: Path) -> None:
    turns = [("ask", "Where?"), ("ask", "When?"), ("ask", "Who?")]
    talks = (tiny.talk(n, *turns, task="weather", domain="weather") for n in range(1, 6))
    plan = tiny.plan(PROTOCOLS.get("star-selection"), tiny.memory(tmp_path, *talks), turns=(2,))
    own = by_model(plan, "random", tmp_path / "own.jsonl")
    assert own.scores["mrr"].value > 0
    assert values(scored(plan, tmp_path / "own.jsonl")) == values(own)


def test_another_right_answer_is_refused(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path))
    first = next(target for holdout in plan.holdouts for target in holdout.test)
    row = {"dialogue": first.source, "event": first.event, "predicted": "hello"}
    file = written(tmp_path / "theirs.jsonl", {**row, "gold": "another"})
    with refuses(UsageError, "mismatch", str(file), first.source, "another"):
        scored(plan, file, partial=True)
    written(file, {**row, "gold": first.gold})
    assert scored(plan, file, partial=True).options["answered"].startswith("1-of-")
