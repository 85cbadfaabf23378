"""The protocols of state tracking: what is learnt from, what is asked, under which names."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.bench.core.data import check_taught
from dialoom.bench.core.protocol import Data, Plan, questions
from dialoom.bench.core.saved import training
from dialoom.bench.protocols.sgd_tracking import LEAVE_SERVICES, LeaveServicesSettings
from dialoom.corpus import Corpus, MixedCorpus
from dialoom.corpus.mixed import unmarked
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    Utterance,
)
from dialoom.dialogue.views import parts
from dialoom.errors import MissingDataError
from dialoom.formats.sgd.schemas import write_schemas
from tests.bench import tiny
from tests.bench.sgd_sample import NAMES, SCHEMAS, dialogue, service
from tests.make import refuses


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a corpus root with a part to learn from and one to ask about."""
    for part, numbers in (("train", range(6)), ("dev", range(6, 9))):
        folder = tmp_path / "sgd" / part
        folder.mkdir(parents=True)
        formats.get("sgd").write([dialogue(n, NAMES[n % 3]) for n in numbers], SCHEMAS, folder)
    return tmp_path


def variants(root: Path) -> None:
    """Put variants of the schemas beside a corpus."""
    for number in range(1, 6):
        for part in ("train", "dev"):
            folder = root / "sgd" / "sgd_x" / "data" / f"v{number}" / part
            folder.mkdir(parents=True)
            tasks = {
                f"{name}{number}": service(f"{name}{number}", f"town{number}", f"Seek{number}")
                for name in NAMES
            }
            write_schemas({key: replace(task, origins=()) for key, task in tasks.items()}, folder)


def test_services_that_are_left_out_touch_no_dialogue_that_is_learnt_from(root: Path) -> None:
    plan = tiny.planned("sgd-tracking-leave-services", root, root, leave=3)
    assert [holdout.name for holdout in plan.holdouts] == ["group1", "group2", "group3"]
    for holdout, name in zip(plan.holdouts, NAMES, strict=True):
        assert {target.asked.services for target in holdout.test} == {(name,)}
        assert {s for target in holdout.train for s in target.asked.services} == {*NAMES} - {name}
        assert all("unseen" in target.slices for target in holdout.test)


def test_other_training_corpora_are_learnt_from_without_the_services_left_out(root: Path) -> None:
    other = root / "other"
    other.mkdir()
    schemas = {**{n: SCHEMAS[n] for n in NAMES[:2]}, "Buses_1": service("Buses_1")}
    dialogues = [dialogue(n, list(schemas)[n % 3]) for n in range(9)]
    formats.get("sgd").write(dialogues, schemas, other)
    corpora = [formats.load(folder) for folder in (root / "sgd" / "train", other)]
    for learn, counts in ((0, (10, 10, 13)), (1, (2, 2, 2))):
        settings = LeaveServicesSettings(leave=3, learn=learn)
        leave_plan = LEAVE_SERVICES.plan(Data(corpora[0], MixedCorpus(corpora)), settings)
        for holdout, name, count in zip(leave_plan.holdouts, NAMES, counts, strict=True):
            services = {s for target in holdout.train for s in target.asked.services}
            assert name not in set(map(unmarked, services))
            assert any(each.endswith("@2") or each == "Buses_1" for each in services)
            assert len({target.source for target in holdout.train}) == count
            assert services <= leave_plan.train_schemas.keys()


def test_simulated_dialogues_are_known_as_such(root: Path, tmp_path: Path) -> None:
    dialogues = [replace(dialogue(n, NAMES[n % 3]), provenance="simulated") for n in range(6)]
    formats.get("native").write(dialogues, SCHEMAS, tmp_path / "made")
    corpora = [formats.load(root / "sgd" / "train"), formats.load(tmp_path / "made")]
    (holdout, *_) = LEAVE_SERVICES.plan(
        Data(corpora[0], MixedCorpus(corpora)), LeaveServicesSettings(leave=3)
    ).holdouts
    assert {target.simulated for target in holdout.train} == {True, False}
    assert not any(target.simulated for target in holdout.test)


def test_a_training_corpus_without_anything_to_learn_is_refused(root: Path, tmp_path: Path) -> None:
    dialogues, other = (
        [replace(dialogue(n, NAMES[n % 3]), events=()) for n in range(6)],
        tmp_path / "made",
    )
    formats.get("native").write(dialogues, SCHEMAS, other)
    real = formats.load(root / "sgd" / "train")

    def plan(*corpora: Corpus) -> Plan:
        settings = LeaveServicesSettings(leave=3)
        return check_taught(LEAVE_SERVICES.plan(Data(real, MixedCorpus(corpora)), settings))

    assert plan(real, real).holdouts
    with refuses(MissingDataError, "nothing-to-learn", "made"):
        plan(real, formats.load(other))


def test_the_systems_acts_are_labels_in_training_where_they_are_not_shown(root: Path) -> None:
    def sources(acts: bool) -> set[str]:
        (holdout,) = tiny.planned("sgd-tracking", root, root, acts=acts).holdouts
        log = (event for target in holdout.train for event in target.seen)
        spoken = (event for event in log if isinstance(event, Utterance) and event.agent == SYSTEM)
        return {layer.source for event in spoken for layer in event.layers}

    assert sources(acts=True) == {GOLD}
    assert sources(acts=False) == {"labels"}


def test_variants_of_the_training_schemas_are_read_where_they_are(root: Path) -> None:
    assert tiny.planned("sgd-tracking", root, root).train_schemas.keys() == {*NAMES}
    assert tiny.planned("sgd-tracking", root, root).options["variants"] == "no"
    variants(root)
    plan = tiny.planned("sgd-tracking", root, root)
    assert plan.train_schemas.keys() == {*NAMES, *(f"{n}{v}" for n in NAMES for v in range(1, 6))}
    assert plan.schemas.keys() == {*NAMES}
    assert tiny.planned("sgd-tracking", root, root, variants=False).train_schemas.keys() == {*NAMES}


def test_each_frame_is_asked_about_under_five_variants(root: Path) -> None:
    with refuses(MissingDataError, "unknown-name", "v1", "SGD-X"):
        tiny.planned("sgd-x-tracking", root, root)
    variants(root)
    plan = tiny.planned("sgd-x-tracking", root, root)
    (holdout,) = plan.holdouts
    frames = {(target.source, *target.asked.services) for target in holdout.test}
    assert len(frames) == 15
    assert ("1_00006/v2", "Cafes_12") in frames
    assert holdout.test[0].gold["Cafes_11"].values == {"town1": ("York",)}
    assert plan.train_schemas.keys() == {*NAMES}
    reworded = tiny.planned("sgd-x-tracking", root, root, variants=True)
    assert {*NAMES, "Cafes_12"} <= reworded.train_schemas.keys()
    assert reworded.schemas.keys() == plan.schemas.keys()


def test_both_frames_of_a_turn_with_two_services_are_learnt_from(root: Path) -> None:
    both = [dialogue(9, "Cafes_1", "Pubs_1")]
    formats.get("sgd").write(both, SCHEMAS, root / "sgd" / "train")
    learnt = training(tiny.planned("sgd-tracking", root, root))
    assert [target.asked.services for target in learnt] == [("Cafes_1",), ("Pubs_1",)]


def test_asked_one_service_at_a_time_a_model_sees_the_annotation_of_that_one(root: Path) -> None:
    for part in ("train", "dev"):
        both = [dialogue(9, "Cafes_1", "Pubs_1")]
        formats.get("sgd").write(both, SCHEMAS, root / "sgd" / part)
    plan = tiny.planned("sgd-tracking", root, root, services="one", acts=True)
    (holdout,) = plan.holdouts
    assert plan.options["services"] == "one"
    for targets in (holdout.train, holdout.test):
        assert [target.asked.services for target in targets] == [("Cafes_1",), ("Pubs_1",)]
        for target, question in zip(targets, questions(targets), strict=True):
            events = (*target.seen, *question.history)
            utterances = [event for event in events if isinstance(event, Utterance)]
            names = {part.service for each in utterances for part in parts(each)}
            assert names == {*target.asked.services}
        assert len({question.dialogue.id for question in questions(targets)}) == 2
