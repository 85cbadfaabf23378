"""Acts from text: what is asked, what is seen, and what a model that learns makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Plan, examples, questions
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.bench.protocols.frames_nlu import reading
from dialoom.bench.protocols.frames_tracking import targets
from dialoom.dialogue import Act, Acts, Argument, Reference, Utterance
from dialoom.errors import MissingDataError, UsageError
from dialoom.learn.crf import HeardText
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models import MODELS, load
from dialoom.models.frames.nlu import joined, labelled
from tests.bench import frames_sample
from tests.make import refuses


def plan(root: Path, **settings: Any) -> Plan:
    protocol = PROTOCOLS.get("frames-nlu")
    return protocol.plan(open_data(protocol, root), protocol.settings(**settings))


def test_texts_alone_are_seen_unless_frames_are_asked() -> None:
    last = list(targets(frames_sample.trip(0, "A")))[-1]
    plain, framed = (reading(last, frames=each) for each in (False, True))
    assert plain.gold == last.asked.acts
    assert all(isinstance(e, Utterance) and not e.layers for e in plain.seen)
    assert isinstance(plain.seen[-1], Utterance)
    assert plain.seen[-1].text == "Then the Alder Inn. Is it quiet?"
    assert framed.gold[0] == Act(
        "switch_frame",
        (Argument("ref", references=(Reference(2, (Argument("name", ("Alder Inn",)),)),)),),
    )
    assert framed.gold[2] == Act("thankyou", (Argument("ref", references=(Reference(2),)),))
    assert [bool(e.layers) for e in framed.seen if isinstance(e, Utterance)] == [True] * 4 + [False]


@pytest.mark.parametrize("frames", [False, True])
def test_a_model_reads_what_is_plain(tmp_path: Path, frames: bool) -> None:
    frame_plan = plan(frames_sample.corpus(tmp_path, "ABCDEF"), frames=frames)
    make = NamedModel("frame-reader", {})
    outcomes = list(run(frame_plan, make, cache=tmp_path / "kept"))
    result = summarise(frame_plan, outcomes, make(), samples=2)
    assert next(iter(result.scores)) == ("frame_f1" if frames else "slot_f1")
    assert {name: figure.value for name, figure in result.scores.items()} == dict.fromkeys(
        result.scores, 100.0
    )
    assert list(run(frame_plan, make, cache=tmp_path / "kept")) == outcomes
    first = json.loads(write_predictions(frame_plan, outcomes).splitlines()[0])
    assert first["turn"] == 0
    assert first["gold"] == first["predicted"]


def test_a_saved_model_answers_as_before(tmp_path: Path) -> None:
    turns = [reading(t, frames=True) for n in range(3) for t in targets(frames_sample.trip(n, "A"))]
    reader = MODELS.get("frame-reader")()
    with refuses(UsageError, "not-fitted"):
        reader.predict([], {})
    reader.fit(examples(turns), {})
    before = reader.predict(questions(turns), {})
    save(reader, tmp_path / "reader.model", TrainingRecord("frames-nlu"))
    again = load(tmp_path / "reader.model", Acts).model.predict(questions(turns), {})
    assert msgspec.json.encode(again) == msgspec.json.encode(before)
    assert reader.predict([], {}) == []


def test_values_are_found_in_free_words_and_others_are_items() -> None:
    words = ["from", "york", "to", "york"]
    places = [(0, 4), (5, 9), (10, 12), (13, 17)]
    acts = (
        Act("inform", (Argument("from", ("York",)), Argument("to", ("York",)))),
        Act("inform", (Argument("budget", ("-1",)),)),
    )
    labels, items = labelled(HeardText("from York to York", words, places, ""), acts)
    assert labels == ["O", "B-from", "O", "B-to"]
    assert items == [("inform", None, None), ("inform", None, None), ("inform", "budget", "-1")]
    assert joined([("inform", "from", "York"), ("inform", None, None)]) == (
        Act("inform", (Argument("from", ("York",)),)),
    )


def test_texts_without_frames_are_asked_about_in_ten_parts(tmp_path: Path) -> None:
    """The published text has an act a sentence; nobody knows who the users were."""
    for n in range(30):
        (tmp_path / f"train_{n + 1}.txt").write_text("USR|To Tarn.|inform\nSYS|No.|no_result\n")
    text_plan = plan(tmp_path)
    assert [(h.name, len(h.test), len(h.train)) for h in text_plan.holdouts] == [
        (f"part-{n}", 3, 27) for n in range(1, 11)
    ]
    assert text_plan.holdouts[0].test[0].gold == (Act("inform"),)
    with refuses(MissingDataError, "nothing-to-ask", "acts", "frames"):
        plan(tmp_path, frames=True)


def test_tagged_turns_have_slots(tmp_path: Path) -> None:
    line = "BOS we go to north berwick EOS\tO O O O B_inform_dst_city I_inform_dst_city O inform\n"
    (tmp_path / "turns.iob").write_text(line * 21)
    (first, *_) = plan(tmp_path).holdouts[0].test
    assert first.gold == (Act("inform", (Argument("dst_city", ("north berwick",)),)),)


def test_a_corpus_without_frames_is_one_line(tmp_path: Path) -> None:
    with refuses(MissingDataError, "nothing-to-learn"):
        plan(frames_sample.corpus(tmp_path, "A"))
