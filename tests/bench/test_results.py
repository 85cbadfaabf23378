"""What a run comes to: figures, intervals, signature, files."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core import published
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Outcome, Plan
from dialoom.bench.core.results import PublishedPredictions, Result, answers, summarise
from dialoom.bench.core.run import run, select
from dialoom.bench.core.table import UNLIKE, columns, comparisons, figures, overview, slices
from dialoom.dialogue import Prediction
from dialoom.metrics.classification import Classification
from dialoom.metrics.lists import Figures
from tests.bench import tiny
from tests.found import some

DOMAIN = PROTOCOLS.get("star-zero-shot-domain")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return tiny.plan(DOMAIN, tiny.star(tmp_path))


def value(scores: Figures) -> float:
    return scores["f1"].value


def result(plan: Plan) -> Result:
    return summarise(plan, run(plan, tiny.Frequency), tiny.Frequency(), samples=50)


def test_the_json_file_has_the_agreed_keys(plan: Plan) -> None:
    record = json.loads(msgspec.json.encode(result(plan)))
    agreed = [
        "protocol",
        "title",
        "corpus",
        "model",
        "scores",
        "holdouts",
        "missing",
    ]
    assert list(record)[: len(agreed)] == agreed
    for scores in (record["scores"], record["holdouts"][0]["scores"]):
        assert set(scores) == {"f1", "accuracy"}
        assert set(scores["f1"]) == {"value", "interval", "signature"}
        assert len(scores["f1"]["interval"]) == 2


def test_what_the_intervals_of_a_mean_cover(plan: Plan) -> None:
    summary = result(plan)
    low, high = summary.across["f1"]
    assert low < value(summary.scores) < high
    assert 0 <= low < high <= 100  # two hold-outs: Student's t alone would go beyond both
    note = summary.notes[-1]
    assert f"over dialogues of these {len(plan.holdouts)} domains; {low:.1f} to" in note
    assert result(dataclasses.replace(plan, population="")).across == {}


def test_one_dialogue_has_no_interval(plan: Plan) -> None:
    single = [dataclasses.replace(h, test=h.test[:1]) for h in plan.holdouts]
    summary = result(dataclasses.replace(plan, holdouts=single, population=""))
    assert {figure.interval for figure in summary.scores.values()} == {None}
    assert {each.scores["f1"].interval for each in summary.holdouts} == {None}


def test_slices_have_no_score_of_whole_dialogues(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Classification, "of_dialogues", ("accuracy",), raising=False)
    sliced = [
        dataclasses.replace(h, test=[msgspec.structs.replace(t, slices=("a",)) for t in h.test])
        for h in plan.holdouts
    ]
    summary = result(dataclasses.replace(plan, holdouts=sliced))
    assert [list(part.scores) for part in summary.slices] == [["f1"]]
    sample = result(dataclasses.replace(plan, options={"limit": "9-of-90/seed-0"}))
    assert (list(summary.scores), list(sample.scores)) == (["f1", "accuracy"], ["f1"])
    table = slices(summary)
    assert table is not None
    assert len(table.rows) == 1


def test_right_answers_are_a_hundred_percent(plan: Plan) -> None:
    outcomes = [
        Outcome(h.name, [Prediction(target.gold) for target in h.test], 0.1) for h in plan.holdouts
    ]
    summary = summarise(plan, outcomes, tiny.Frequency(), samples=20)
    for figure in some(summary.scores.values()):
        assert (figure.value, figure.interval) == (100.0, (100.0, 100.0))


def test_the_mean_is_of_hold_outs_and_the_leak_is_told(plan: Plan) -> None:
    summary = result(plan)
    weather, trivia = summary.holdouts
    assert value(summary.scores) == pytest.approx(
        (value(weather.scores) + value(trivia.scores)) / 2, abs=1e-3
    )
    assert (weather.n, weather.dialogues, weather.train) == (6, 2, 4)
    assert trivia.leak == 1
    assert summary.without_leak is not None
    assert summary.without_leak.left_out == ["trivia"]
    assert value(summary.without_leak.scores) == value(weather.scores)
    assert result(select(plan, ["weather"])).without_leak is None


def test_the_signature_names_what_the_score_depends_on(plan: Plan) -> None:
    summary = summarise(
        plan, run(plan, tiny.Frequency), tiny.Frequency(seed=3, without=("x|y",)), samples=20
    )
    signature = summary.scores["f1"].signature
    fields = dict(part.split(":", 1) for part in signature.split("|"))
    assert (
        summary.holdouts[0]
        .scores["f1"]
        .signature.replace("holdout:weather", "mean:holdouts|holdouts:2")
        == signature
    )
    assert fields["protocol"] == "star-zero-shot-domain"
    assert (fields["form"], fields["happy"]) == ("published", "published")
    assert {name: fields[name] for name in summary.options} == summary.options
    assert fields["settings"] == '{"seed":3,"without":["x/y"]}'
    assert (fields["seed"], fields["corpus"]) == ("3", "0123456789abcdef")


def test_one_line_per_question(plan: Plan) -> None:
    outcomes = list(run(plan, tiny.Frequency))
    rows = [json.loads(line) for line in write_predictions(plan, reversed(outcomes)).splitlines()]
    assert len(rows) == sum(len(h.test) for h in plan.holdouts)
    assert rows[0] == {
        "holdout": "weather",
        "dialogue": 2,
        "event": 3,
        "task": "weather",
        "gold": "hello",
        "predicted": "trivia_ask",
    }


def test_published_figures_stand_beside_runs_on_the_same_flags_only(plan: Plan) -> None:
    figures_ = published.of(plan.protocol, {})
    by_flags = msgspec.structs.replace(result(plan), published=figures_)
    assert columns(by_flags) == {}
    coded = msgspec.structs.replace(by_flags, options={**by_flags.options, "happy": "sam"})
    assert columns(coded)["SAM"]["weather"] == 58.48
    own = msgspec.structs.replace(coded, beside=PublishedPredictions("SAM", "x", {"weather": 1.5}))
    assert columns(own) == {"SAM": {"weather": 1.5}}


def test_of_other_stages_only_figures_about_the_same_are_shown() -> None:
    everything = published.of("star-zero-shot-domain", {})
    both = published.of("star-zero-shot-domain", {"test": "happy,unhappy"})
    assert {figure.system for figure in both} == {"BERT (H+U)", "BERT+schema (H+U)"}
    assert [figure for figure in everything if figure in both] == list(both)
    assert len(both) < len(everything)
    assert published.of("star-zero-shot-domain", {"test": "unhappy"}) == []


def test_tables(plan: Plan) -> None:
    summary = msgspec.structs.replace(result(plan), published=published.of(plan.protocol, {}))
    assert len(overview(summary).rows) == len(summary.holdouts) + 2
    assert comparisons(summary) is None
    table = figures(summary)
    assert table is not None
    assert len(table.rows) == len(summary.published)
    assert figures(result(plan)) is None


def test_published_figures_carry_their_conditions_and_unlike_ones_are_marked(plan: Plan) -> None:
    coded = {"happy": "sam", "test": "happy"}
    summary = msgspec.structs.replace(
        result(plan), options=coded, published=published.of("star-zero-shot-domain", coded)
    )
    table = figures(summary)
    assert table is not None
    cells = {str(row[0]): str(row[-1]) for row in table.rows}
    rows = {row.system: row for row in summary.published}
    assert {system for system, row in rows.items() if row.like(coded)} >= {"SAM", "BERT+S"}
    for system, row in rows.items():
        assert all(f"{name} {value}" in row.conditions for name, value in row.options.items())
        assert cells[system].startswith(UNLIKE) is not row.like(coded)


def test_published_bleu_of_gem_is_not_set_beside_cased_bleu() -> None:
    for row in published.of("gem-generation", {}):
        assert "bleu_uncased" in row.scores
        assert "bleu" not in {*row.scores, *row.others}


def test_published_means_are_of_their_parts() -> None:
    sam = published.of("star-zero-shot-domain", {})[0]
    assert sum(sam.holdouts.values()) / len(sam.holdouts) == pytest.approx(
        sam.scores["f1"], abs=0.01
    )
    assert published.of("somebody-elses", {}) == []


def test_hold_outs_share_no_number_of_a_dialogue(plan: Plan) -> None:
    first, *_ = holdouts = plan.holdouts
    twice = dataclasses.replace(plan, holdouts=[*holdouts, dataclasses.replace(first, name="more")])
    numbers: dict[str, set[str]] = {}
    for each in answers(twice, run(twice, tiny.Frequency)):
        numbers.setdefault(each.holdout, set()).add(each.question.dialogue.id)
    assert len(numbers) == 3
    assert sum(map(len, numbers.values())) == len(set[str]().union(*numbers.values()))
