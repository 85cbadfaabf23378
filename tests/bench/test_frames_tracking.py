"""Frame tracking: folds, what is asked, what is written, and what no model may see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Plan, examples, questions
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.bench.protocols.frames_tracking import TRACKING, targets
from dialoom.cli.app import app
from dialoom.dialogue import GOLD, Act, Dialogue, Event, Frame, FrameOf, Layer, Part, Utterance
from dialoom.dialogue.references import NEW, ActFrames
from dialoom.dialogue.views import parts
from dialoom.errors import MissingDataError, UsageError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import MODELS, load
from tests.bench import frames_sample
from tests.make import refuses

FRAME_MODELS = ["frame-rules", "frame-trees"]


def plan(root: Path, train: Path | None = None, **settings: Any) -> Plan:
    protocol = PROTOCOLS.get("frames-tracking")
    return protocol.plan(
        open_data(protocol, root, [train] if train else []), protocol.settings(**settings)
    )


def test_each_user_is_a_fold_and_the_two_with_the_fewest_dialogues_are_one(tmp_path: Path) -> None:
    frame_plan = plan(frames_sample.corpus(tmp_path, "ABCD"))
    assert [holdout.name for holdout in frame_plan.holdouts] == ["A+B", "C", "D"]
    for holdout in frame_plan.holdouts:
        tested = {target.source[0] for target in holdout.test}
        assert tested == set(holdout.name.split("+"))
        assert {target.source[0] for target in holdout.train} == set("ABCD") - tested


def test_users_that_are_asked_about_are_not_learnt_from(tmp_path: Path) -> None:
    test_root = frames_sample.corpus(tmp_path / "asked", "AB")
    learnt = frames_sample.corpus(tmp_path / "learnt", "BC")
    (holdout,) = plan(test_root, learnt).holdouts
    assert holdout.name == "all"
    assert {target.source[0] for target in holdout.train} == {"C"}
    with refuses(MissingDataError, "nothing-to-learn"):
        plan(test_root, test_root)
    with refuses(MissingDataError, "nothing-to-learn"):
        plan(frames_sample.corpus(tmp_path / "one", "A"))


def test_candidates_are_the_frames_from_before_the_turn_and_a_new_one() -> None:
    first, second, third = targets(frames_sample.trip(0, "A"))
    assert [each.slices for each in (first, second, third)] == [
        ("same frame",),
        ("new frame",),
        ("other frame",),
    ]
    assert second.gold == (ActFrames(({NEW: 1.0},), {NEW: 1.0}),)
    assert third.gold == (
        ActFrames(({2: 1.0},), {}),
        ActFrames(({2: 1.0},), {2: 1.0}),
        ActFrames((), {2: 1.0}),
    )
    assert not any(argument.references for act in third.asked.acts for argument in act.arguments)
    (_, leaky, _) = targets(frames_sample.trip(0, "A"), "as-published")
    assert leaky.gold == (ActFrames(({3: 1.0},), {3: 1.0}),)


@pytest.mark.parametrize("model", FRAME_MODELS)
def test_what_comes_with_or_after_the_turn_changes_no_prediction(model: str) -> None:
    clean = [target for n in range(3) for target in targets(frames_sample.trip(n, "A"))]
    tracker = MODELS.get(model)()
    tracker.fit(examples(clean), {})
    for target in clean:
        trip = frames_sample.trip(int(target.source[-1]), "A")
        (again,) = (t for t in targets(_damaged(trip, target.event)) if t.event == target.event)
        again = replace(again, asked=target.asked)
        assert msgspec.json.encode(questions([target])) == msgspec.json.encode(questions([again]))
        one, other = (tracker.predict(questions([each]), {}) for each in (target, again))
        assert msgspec.json.encode(one) == msgspec.json.encode(other)


def _damaged(dialogue: Dialogue, turn: int) -> Dialogue:
    """Change the frames of a turn and all that comes after it, and all that is never shown."""
    events: list[Event] = []
    number = -1
    for event in dialogue.events:
        if not isinstance(event, Utterance):
            continue
        number += 1
        if number == turn:
            (part,) = parts(event)
            noise = replace(part, frames=(Frame(1), Frame(9)), active_frame=9)
            event = replace(event, time=77, layers=(Layer(GOLD, (noise,)),), extra={"x": 1})
        elif number > turn:
            noise = Part(acts=(Act("noise"),), frames=(Frame(5),), active_frame=5)
            event = replace(event, text="noise", layers=(Layer(GOLD, (noise,)),))
        events.append(event)
    return replace(dialogue, events=tuple(events), outcome="noise", extra={"noise": 1})


@pytest.mark.parametrize("model", FRAME_MODELS)
def test_models_track_what_is_plain(tmp_path: Path, model: str) -> None:
    frame_plan = plan(frames_sample.corpus(tmp_path, "ABCDEFGH"))
    make = NamedModel(model, {})
    result = summarise(frame_plan, run(frame_plan, make), make(), samples=2)
    assert result.scores["slot_accuracy"].value == 100
    assert "epsilon:1e-06" in result.scores["slot_log_likelihood"].signature
    assert {part.name for part in result.slices} == {"same frame", "other frame", "new frame"}


def test_answers_are_the_same_at_any_number_of_workers_and_from_kept_fits(tmp_path: Path) -> None:
    frame_plan = plan(frames_sample.corpus(tmp_path, "ABCD"))
    make = NamedModel("frame-trees", {})
    one, two = (
        {o.holdout: o.predictions for o in run(frame_plan, make, workers=n, cache=folder)}
        for n, folder in ((1, tmp_path / "kept"), (2, None))
    )
    assert one == two
    assert list((tmp_path / "kept").rglob("*.model"))


def test_the_command_writes_lines_and_the_file_of_the_published_evaluation(tmp_path: Path) -> None:
    root = frames_sample.corpus(tmp_path / "data")
    lines, official = tmp_path / "lines.jsonl", tmp_path / "official.json"
    outcome = CliRunner().invoke(
        app,
        [
            *("bench", "frames-tracking", "--corpus", str(root), "--model", "frame-rules"),
            *("--predictions", str(lines), "--official", str(official)),
        ],
    )
    assert outcome.exit_code == 0, outcome.output
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert rows[0] == {
        "holdout": "A+B",
        "dialogue": "A-0",
        "turn": 0,
        "act": 0,
        "slot": "dst_city",
        "value": "Tarn",
        "gold": 1,
        "predicted": 1,
    }
    assert [row["predicted"] for row in rows[1:4]] == [0, 2, 2]
    assert (rows[3]["act"], rows[3]["slot"], rows[3]["value"]) == (1, "quiet", None)
    dialogues = json.loads(official.read_text())
    assert len(dialogues) == 6
    user, wizard, again, *_ = dialogues[0]["turns"]
    assert "predictions" not in wizard
    assert user["labels"]["active_frame"] == 1
    (act,) = again["predictions"]["acts"]
    argument, whole = (each["val"][0] for each in act["args"])
    assert argument["frame"] == [0.0, 0.0, 1.0]
    assert argument["annotations"] == [{"val": "Oslo", "key": "dst_city"}]
    assert whole == {"frame": [0.0, 0.0, 1.0]}


def test_a_saved_model_answers_as_before(tmp_path: Path) -> None:
    cases = [target for n in range(3) for target in targets(frames_sample.trip(n, "A"))]
    tracker = MODELS.get("frame-trees")()
    tracker.fit(examples(cases), {})
    save(tracker, tmp_path / "trees.model", TrainingRecord("frames-tracking"))
    again = load(tmp_path / "trees.model", FrameOf).model
    assert again.predict(questions(cases), {}) == tracker.predict(questions(cases), {})


def test_other_protocols_have_no_official_file(tmp_path: Path) -> None:
    arguments = ["bench", "star-next-action", "--corpus", str(tmp_path), "--official", "file"]
    outcome = CliRunner().invoke(app, arguments)
    assert isinstance(outcome.exception, UsageError)
    assert "star-next-action has no official file" in str(outcome.exception)


def test_the_published_leak_is_named(tmp_path: Path) -> None:
    frame_plan = plan(frames_sample.corpus(tmp_path), form="as-published")
    assert "leak" in frame_plan.notes[0]
    assert frame_plan.options == {"form": "as-published"}
    assert isinstance(frame_plan.holdouts[0].test[0].asked, FrameOf)
    assert TRACKING.model == "frame-trees"
