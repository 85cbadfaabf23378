"""Where the demonstration's dialogues come from: simulated here and now, or published as STAR."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Data, Plan
from dialoom.bench.core.published import Published, of
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run, select
from dialoom.bench.core.sam import PREDICTIONS_FILE, PROTOCOL_FILE
from dialoom.bench.core.significance import PublishedPredictions, published_predictions
from dialoom.corpus import Corpus
from dialoom.corpus.files import staged_folder
from dialoom.dialogue import Dialogue
from dialoom.render.progress import track
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.run import Maker
from dialoom.sim.presets.star import StarPlan as Simulation

DOMAINS = ("hotel", "restaurant", "trip")
"""Held out among the simulated: a search with three tasks, one with two, one that reads steps."""

SEED = 7


@dataclass(frozen=True)
class Story:
    """What the demonstration is about.

    Attributes:
        corpus: The dialogues.
        plan: Three domains held out in turn.
        who: Whose choices the model's are set beside.
        told: Where the dialogues come from.
        beside: Another system's scores on the same questions, if at hand.
        figures: Published figures.
    """

    corpus: Corpus
    plan: Plan
    who: str
    told: str
    beside: PublishedPredictions | None = None
    figures: list[Published] = field(default_factory=list)


def simulated(number: int, out: Path) -> Story:
    """Simulate dialogues of all bundled tasks, and hold out three domains."""
    tasks = {name: pack.load(name) for name in pack.names()}
    maker = Maker(Simulation(tasks=tuple(tasks.values()), seed=SEED, dialogues=number))
    dialogues = map(maker.dialogue, track(range(number), "simulating", number))
    corpus = written(dialogues, tasks, out / "dialogues")
    plan = planned("sim-zero-shot-domain", corpus)
    plan = select(plan, DOMAINS)
    told = f"{number} dialogues simulated from {len(tasks)} tasks; with DIALOOM_CORPORA set: STAR."
    return Story(corpus, plan, "the simulated system", told, beside=majority(plan))


def planned(name: str, corpus: Corpus) -> Plan:
    """Return the plan of a protocol with its usual settings."""
    protocol = PROTOCOLS.get(name)
    return protocol.plan(Data(corpus), protocol.settings())


def majority(plan: Plan) -> PublishedPredictions:
    """Return the scores of always doing what is done most often: the least a model must beat."""
    make = NamedModel("majority", {})
    found = summarise(plan, run(plan, make), make())
    scores = {holdout.name: holdout.scores[found.main].value for holdout in found.holdouts}
    return PublishedPredictions("majority", "run beside this one", scores)


def published(corpora: Path, out: Path) -> Story:
    """Convert STAR, and hold out the three smallest domains none of whose tasks is trained on."""
    star = formats.load(formats.locate(corpora, "star"), "star")
    dialogues = track(star.dialogues(), "star to native", len(star.files))
    corpus = written(dialogues, star.schemas, out / "native", beside=star.root)
    plan = planned("star-zero-shot-domain", corpus)
    unseen = [holdout for holdout in plan.holdouts if not holdout.leak]
    smallest = sorted(unseen, key=lambda holdout: len(holdout.test))[:3]
    plan = select(plan, [holdout.name for holdout in smallest])
    told = f"{len(star.files)} dialogues of STAR, converted to dialoom's own format."
    rival = published_predictions(plan)
    return Story(
        corpus, plan, "the wizard", told, rival, of(plan.protocol, plan.options) if rival else []
    )


def written(
    dialogues: Iterable[Dialogue],
    schemas: Mapping[str, TaskSchema],
    target: Path,
    *,
    beside: Path | None = None,
) -> Corpus:
    """Write a corpus in dialoom's own format, and open what was written.

    Files of a published model that lie `beside` the source are kept beside the dialogues.
    """
    with staged_folder(target) as stage:
        formats.get("native").write(dialogues, schemas, stage)
        for name in (PROTOCOL_FILE, PREDICTIONS_FILE):
            if beside is not None and (beside / name).is_file():
                shutil.copy(beside / name, stage)
    return formats.load(target, "native")
