"""Models in files: every model predicts the same after it was saved and read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_training
from dialoom.bench.core.making import ModelFile, NamedModel, choose
from dialoom.bench.core.protocol import (
    SEEN,
    UNSEEN,
    Plan,
    Protocol,
    examples,
    questions,
    tasks_of,
)
from dialoom.bench.core.run import FITS, run, select
from dialoom.bench.core.saved import asked_of, plan_training, record, training, with_overlap
from dialoom.bench.core.settings import types_of
from dialoom.bench.protocols.out_of_domain import ScopeSettings
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.errors import MissingDataError, UsageError
from dialoom.learn.saved import save
from dialoom.models import MODELS, load, settings_of
from dialoom.models.follower import Follower
from tests.bench import tiny
from tests.make import refuses

SAMPLES = {
    "star": Simulated("star", 24, tasks="hotel_book,weather,trivia"),
    "sgd": Simulated("sgd", 10),
    "dstc6": Simulated("dstc6", 10),
    "frames-json": Simulated("frames", 10),
    "taskmaster1": Simulated("taskmaster", 12),
}
UNSAVED = {"schema-attention", "openai", "transformers", "lm"}
"""Models that need torch or a server, which have tests of their own (tests/models)."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("corpora")
    for name, sample in SAMPLES.items():
        simulate(sample, root / name)
    return root


def asking(name: str) -> Protocol:
    """Return the protocol that a model is the usual one of, or else one that it answers."""
    protocols = [PROTOCOLS.get(each) for each in PROTOCOLS]
    typed = "suggestions"  # nobody types anything in simulated dialogues
    fits = [p for p in protocols if p.corpus in SAMPLES and typed not in p.name]
    matches = [p for p in fits if p.kind in MODELS.get(name).kinds]
    return min(matches, key=lambda protocol: protocol.model != name)


def plan_of(protocol: Protocol, root: Path) -> Plan:
    # nothing in simulated dialogues is out of scope by itself
    options = {"drawn": True} if issubclass(protocol.settings, ScopeSettings) else {}
    plan = plan_training(protocol, open_training(protocol, root), protocol.settings(**options))
    return select(plan, [plan.holdouts[0].name])


@pytest.mark.parametrize("name", sorted(set(MODELS) - UNSAVED))
def test_a_saved_model_predicts_the_same(name: str, root: Path, tmp_path: Path) -> None:
    plan = plan_of(asking(name), root)
    (holdout,) = plan.holdouts
    few = {"members": 1} if "members" in types_of(MODELS.get(name)) else {}
    model = NamedModel(name, few)()
    targets = training(plan)[:60]
    model.fit(examples(targets), plan.train_schemas)
    requests = questions(holdout.test[:20])
    answers = model.predict(requests, plan.schemas)
    save(model, tmp_path / "model", *record(plan, targets))
    archive = load(tmp_path / "model", plan.kind)
    assert archive.header.training.examples == len(targets)
    assert settings_of(archive.model) == settings_of(model)
    assert archive.model.predict(requests, plan.schemas) == answers
    assert model.predict(requests, plan.schemas) == answers


def test_a_model_in_a_file_answers_as_one_that_is_fitted(root: Path, tmp_path: Path) -> None:
    plan = plan_of(PROTOCOLS.get("star-zero-shot-domain"), root)
    make = NamedModel("follower", {"members": 1})
    model = make()
    model.fit(examples(training(plan)), plan.train_schemas)
    save(model, tmp_path / "model", *record(plan, training(plan)))
    file_plan = asked_of(plan, load(tmp_path / "model"))
    ((fitted,), (read,)) = run(plan, make), run(file_plan, ModelFile(tmp_path / "model"))
    assert read.predictions == fitted.predictions


def test_the_responders_follower_is_kept_and_taken_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(PROTOCOLS.get("star-zero-shot-response-domain"), root)
    makes = [NamedModel("responder", {"templates": n, "members": 1}) for n in (1, 3)]
    plain = [next(run(plan, make)).predictions for make in makes]
    answers = [next(run(plan, makes[0], cache=tmp_path)).predictions]
    monkeypatch.setattr(Follower, "fit", None)
    answers.append(next(run(plan, makes[1], cache=tmp_path)).predictions)
    assert answers == plain
    assert b"hotel" not in next((tmp_path / FITS).iterdir()).read_bytes()[:200]


def test_one_fit_serves_two_protocols(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (PROTOCOLS.get(name) for name in ("star-zero-shot-domain", "star-induction"))
    make = NamedModel("follower", {"members": 1})
    alone = next(run(plan_of(second, root), make)).predictions
    next(run(plan_of(first, root), make, cache=tmp_path))
    monkeypatch.setattr(Follower, "fit", None)
    assert next(run(plan_of(second, root), make, cache=tmp_path)).predictions == alone


def test_what_was_learnt_from_is_told(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(tmp_path))
    model = MODELS.get("majority")()
    model.fit(examples(training(plan)), plan.train_schemas)
    save(model, tmp_path / "all.model", *record(plan, training(plan)))
    file_plan = asked_of(plan, load(tmp_path / "all.model"))
    assert "these scores are no test" in file_plan.notices[-1]
    assert not any(holdout.train for holdout in file_plan.holdouts)
    own = select(plan, [plan.holdouts[0].name])
    save(model, tmp_path / "some.model", *record(own, training(own)))
    clean = asked_of(own, load(tmp_path / "some.model"))
    assert clean.notices == own.notices
    assert clean.options["overlap"].startswith("0-of-")
    assert "nothing was fitted: a majority" in clean.notes[-2]


def test_it_is_told_where_a_saved_model_is_shown_other_things(root: Path, tmp_path: Path) -> None:
    tracking = PROTOCOLS.get("sgd-tracking")
    plans = [
        plan_training(tracking, open_training(tracking, root), tracking.settings(acts=acts))
        for acts in (False, True)
    ]
    save(MODELS.get("empty")(), tmp_path / "m", *record(plans[0], training(plans[0])))
    notice = "the model learnt with acts no, and is asked with acts yes"
    saved = load(tmp_path / "m")
    assert [notice in asked_of(plan, saved).notices for plan in plans] == [False, True]


def test_seen_are_the_services_that_the_saved_model_learned(root: Path, tmp_path: Path) -> None:
    tracking = PROTOCOLS.get("sgd-tracking")
    plan = plan_training(tracking, open_training(tracking, root), tracking.settings())
    targets = training(plan)
    services = {tasks_of(targets[0])[0]}
    some = [target for target in targets if set(tasks_of(target)) <= services]
    save(MODELS.get("empty")(), tmp_path / "m", *record(plan, some))
    cases = asked_of(plan, load(tmp_path / "m")).holdouts[0].test
    seen = {name for each in cases if SEEN in each.slices for name in tasks_of(each)}
    unseen = {name for each in cases if UNSEEN in each.slices for name in tasks_of(each)}
    assert seen == services
    assert unseen
    assert not seen & unseen


def test_it_is_told_where_what_is_asked_about_is_learnt_from(root: Path, tmp_path: Path) -> None:
    tracking = PROTOCOLS.get("sgd-tracking")
    data = open_training(tracking, root)
    plan = plan_training(tracking, data, tracking.settings())
    number = len(list(data.corpus))
    notice = f"{number} of the {number} dialogues asked about were learnt from: these scores are no"
    assert with_overlap(plan).notices[-1].startswith(notice)
    (holdout,) = plan.holdouts
    others = [msgspec.structs.replace(each, seen=()) for each in holdout.train]  # of the same ids
    both = replace(holdout, train=[*holdout.train, *others])
    assert with_overlap(replace(plan, holdouts=[both])).notices[-1].startswith(notice)
    apart = tiny_plan(tmp_path)
    assert with_overlap(apart) is apart


def test_a_name_or_a_file(tmp_path: Path) -> None:
    protocol = PROTOCOLS.get("star-next-action")
    assert choose(None, protocol) == NamedModel("follower", {"seed": 0})
    with refuses(UsageError, "unknown-name", "folower", "follower"):
        choose("folower", protocol)
    with refuses(MissingDataError, "no-file", "none.model"):
        choose(str(tmp_path / "none.model"), protocol)
    save(MODELS.get("empty")(), tmp_path / "m", *record(tiny_plan(tmp_path), []))
    with refuses(UsageError, "wrong-kind", "next-action", "next-calls"):
        choose(str(tmp_path / "m"), protocol)
    tracking = PROTOCOLS.get("sgd-tracking")
    assert choose(str(tmp_path / "m"), tracking) == ModelFile(tmp_path / "m")
    with refuses(UsageError, "not-taken"):
        choose(str(tmp_path / "m"), tracking, ["seed=1"])


def tiny_plan(path: Path) -> Plan:
    return tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), tiny.star(path))
