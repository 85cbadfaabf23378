"""The protocols on the real STAR: the published counts, and SAM's figures re-scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core import sam
from dialoom.bench.core.protocol import Data, Outcome, Plan
from dialoom.bench.core.results import answers, by_dialogue
from dialoom.bench.core.significance import sam_baselines
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.formats import get
from dialoom.metrics import macro
from dialoom.metrics.classification import Classification
from tests.found import some

pytestmark = pytest.mark.corpus


class ReadOnce(Corpus):
    """A corpus whose dialogues stay in memory."""

    @cached_property
    def _dialogues(self) -> list[Dialogue]:
        return list(super().dialogues())

    def dialogues(self) -> Iterator[Dialogue]:
        return iter(self._dialogues)

    def tracked(self, what: str = "dialogues") -> Iterator[Dialogue]:
        return self.dialogues()


@pytest.fixture(scope="module")
def corpus(star: Path) -> Corpus:
    return ReadOnce(star, get("star"))


def planned(name: str, corpus: Corpus, **settings: Any) -> Plan:
    protocol = PROTOCOLS.get(name)
    return protocol.plan(Data(corpus), protocol.settings(**settings))


@pytest.fixture(scope="module")
def domains(corpus: Corpus) -> Plan:
    return planned("star-zero-shot-domain", corpus)


@pytest.mark.parametrize("kind", ["domain", "task"])
def test_as_many_questions_as_sams_protocol_expects(kind: str, corpus: Corpus) -> None:
    spec = sam.find_protocol([corpus.root])
    assert spec is not None
    plan = planned(f"star-zero-shot-{kind}", corpus)
    expected = spec.expected[kind]
    assert plan.options["form"] == "coded"
    assert {h.name: len(h.test) for h in plan.holdouts} == {
        name: n for name, n in expected.items() if name not in plan.missing
    }
    assert {h.name for h in plan.holdouts} | set(plan.missing) == set(expected)
    assert not set(plan.missing) & {h.name for h in plan.holdouts}


def test_trivia_alone_leaks(corpus: Corpus, domains: Plan) -> None:
    leaks = {h.name: h.leak for h in domains.holdouts if h.leak}
    assert leaks == {"trivia": 1212}
    closed = planned(domains.protocol, corpus, form="noleak")
    train = {h.name: len(h.train) for h in closed.holdouts}
    assert train == {h.name: len(h.train) - h.leak for h in domains.holdouts}


@pytest.mark.parametrize("test", ["unhappy", "multi", "all"])
def test_other_stages_hold_out_every_domain_of_a_dialogue(test: str, corpus: Corpus) -> None:
    """Nothing learnt from has the domain held out, but the trivia dialogues without a domain."""
    plan = planned("star-zero-shot-domain", corpus, test=test)
    scenarios = {d.id: d.scenario for d in corpus.dialogues() if d.scenario is not None}
    for holdout in some(plan.holdouts):
        sources = {target.source for target in holdout.test}
        learnt = {target.source for target in holdout.train}
        assert sources
        assert all(holdout.name in scenarios[name].domains for name in sources)
        assert not any(holdout.name in scenarios[name].domains for name in learnt)
        assert bool(holdout.leak) == (holdout.name == "trivia")
        if test != "all":
            multi = test == "multi"
            flags = {(bool(s.multi_task), bool(s.happy)) for s in map(scenarios.get, sources) if s}
            assert flags == {(multi, False)}


def test_sam_re_scored(domains: Plan) -> None:
    """Every turn has SAM's answer, the same right answer, and the figure of DESIGN's anchors."""
    rows = sam.read_predictions(domains.data.corpus.root / sam.PREDICTIONS_FILE)
    systems = {(b.system, b.rows): b.answers for b in sam_baselines(rows)}
    figures = {}
    for system in ("SAM", "BERT+S"):
        outcomes = []
        for holdout in domains.holdouts:
            keys = [(holdout.name, t.source, t.event) for t in holdout.test]
            lines = [systems[system, "all"][key] for key in keys]
            assert [line.gold for line in lines] == [t.gold for t in holdout.test]
            outcomes.append(Outcome(holdout.name, [line.prediction({}) for line in lines], 0.0))
        groups = by_dialogue(answers(domains, outcomes))
        figures[system] = macro(Classification(), groups)
        without = {name: counts for name, counts in groups.items() if name != "trivia"}
        figures[f"{system} without trivia"] = macro(Classification(), without)
    assert {name: round(figure["f1"], 2) for name, figure in figures.items()} == {
        "SAM": 57.40,
        "SAM without trivia": 54.57,
        "BERT+S": 31.13,
        "BERT+S without trivia": 25.14,
    }


def test_the_papers_stages(corpus: Corpus) -> None:
    plan = planned("star-next-action", corpus)
    sizes = {
        name: (len(ids["train"]), len(ids["test"])) for name, ids in plan.record["split"].items()
    }
    stages = Counter(dict.fromkeys(sizes, 0))
    for name, (train, test) in sizes.items():
        earlier = sum(stages.values())
        stages[name] = train - earlier + test
        assert test == stages[name] - int(0.8 * stages[name])
    assert stages == {"happy": 1990, "unhappy": 939, "multi": 902}
