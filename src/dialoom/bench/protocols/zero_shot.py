"""Zero-shot transfer on STAR, as the Schema Attention Model's (SAM's) released code does it.

Domain transfer holds out the dialogues with a given first domain, task transfer those whose
wizard's first capability is a given task; all other dialogues are for training. By default they are
happy ones, whatever their outcome. A dialogue of several tasks stays out of training where any of
them is held out; each of its questions belongs to the hold-out of the task in hand.

Forms:
    coded      as above; the happy dialogues are those of SAM's copy of the corpus, by a list of ids
    noleak     training dialogues whose task is also tested are left out: as coded, trivia dialogues
               with a null domain stay in training while trivia is held out
    mask       a prediction that is not in the task's schema is replaced by the best-ranked one that
               is, as SAM's output layer does with the gold task (`core.run.mask`)
    published  happy by the published flags
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from msgspec import Meta

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.protocols.star import (
    ACTIONS,
    HAPPY,
    MULTI,
    STAGES,
    Asking,
    Form,
    Happiness,
    Source,
    actions,
    choose_form,
    id_order,
    parse_stages,
    questions,
    read,
    spell_stages,
)
from dialoom.bench.visibility import Withheld
from dialoom.corpus.mixed import unmarked
from dialoom.errors import UsageError

DOMAINS = (
    "ride",
    "trip",
    "plane",
    "spaceship",
    "meeting",
    "weather",
    "party",
    "doctor",
    "trivia",
    "apartment",
    "restaurant",
    "hotel",
    "bank",
)
TASKS = (
    "hotel_service_request",
    "bank_balance",
    "weather",
    "bank_fraud_report",
    "party_rsvp",
    "apartment_search",
    "trivia",
    "ride_book",
    "apartment_schedule",
    "hotel_book",
    "ride_status",
    "restaurant_search",
    "doctor_schedule",
    "doctor_followup",
    "restaurant_book",
    "plane_search",
    "meeting_schedule",
    "party_plan",
    "plane_book",
    "spaceship_access_codes",
    "hotel_search",
    "trip_directions",
)
WIZARD_SEED = SHOTS_SEED = 0

TRAINING_ONLY = frozenset({"ride_change", "spaceship_life_support"})
"""Tasks that SAM's code never holds out."""


Wizards = Literal["any", "apart", "same"]
"""Which wizards' dialogues are for testing and training; wizards are halved with seed 0.

    any     those of all wizards for both
    apart   those of the first half for testing, those of the other half for training
    same    those of the first half for both: about as many training dialogues as with `apart`, of
            known wizards
"""


@dataclass(frozen=True, slots=True)
class ZeroShotSettings:
    """Settings of the zero-shot transfer protocols.

    Attributes:
        form: The form; by default coded where its list of happy dialogues is found, else published.
        test: The test stages, separated by commas, or all.
        train: The training stages; the test stages and the earlier ones when absent.
        see: The inputs withheld from models (`bench.visibility.Withheld`), separated by commas.
        wizards: Which wizards' dialogues are for testing and training.
        shots: Half of each hold-out's dialogues, drawn with seed 0, are asked about, and so many of
            the other half are learnt from as well; None to ask about all, and learn from none.
    """

    form: Form | None = None
    test: str = HAPPY
    train: str | None = None
    see: tuple[Withheld, ...] = ()
    wizards: Wizards = "any"
    shots: Annotated[int, Meta(ge=0)] | None = None


@dataclass(frozen=True, slots=True)
class ZeroShot:
    """Transfer to domains, or to tasks, that were never trained on."""

    name: str
    by: Literal["domain", "task"]
    asking: Asking = ACTIONS

    @property
    def protocol(self) -> Protocol:
        """The experiment as a protocol."""
        asking = self.asking
        return Protocol(self.name, "star", asking.kind, asking.model, ZeroShotSettings, self.plan)

    @property
    def names(self) -> tuple[str, ...]:
        """The published hold-outs."""
        return DOMAINS if self.by == "domain" else TASKS

    def plan(self, data: Data, settings: ZeroShotSettings) -> Plan:
        """Find the hold-outs; errors of stages, the form, `shots` and missing dialogues."""
        labels = self.asking is ACTIONS
        if settings.form == "mask" and not labels:
            raise UsageError(
                f"form=mask restricts labels of actions; {self.name} asks for none",
                code="not-taken",
            )
        if settings.shots is not None and data.train_corpus is not None:
            raise UsageError(
                "shots are taken from --corpus; leave out --train-corpus", code="not-taken"
            )
        data = replace(data, see=settings.see)
        form, happy, notices = choose_form(data, settings.form)
        stages = parse_stages(settings.test)
        every = read(data.corpus, happy, self.asking, data.see)
        testing, teaching = _of_wizards(every, settings.wizards)
        groups = self._groups([item for item in every if item.stage in stages and testing(item)])
        lacking = f"no {' or '.join(stages)} dialogue with a {self.by}"
        check_found(groups, data.corpus, lacking)
        schema = {name: actions(task) for name, task in data.corpus.schemas.items()}
        learnt, train, left_out = self._training(data, settings.train, every, stages, happy)
        train = [item for item in train if teaching(item)]
        holdouts = [
            self._holdout(name, train, group, settings.shots, closed=form == "noleak")
            for name, group in groups.items()
        ]
        lacking = f"no {' or '.join(learnt)} dialogue of another {self.by} to learn from"
        taught = any(holdout.train for holdout in holdouts)
        check_found(taught, data.corpora[-1], lacking, "nothing-to-learn")
        options = _options(form, happy, stages, learnt, settings)
        return Plan(
            protocol=self.name,
            title=f"{self.name}{_about(form, stages)}",
            data=data,
            metrics=self.asking.metrics(data),
            holdouts=holdouts,
            missing=[name for name in self.names if name not in groups],
            options={**options, **data.options},
            allowed=schema if form == "mask" else None,
            closed=form == "noleak",
            notices=notices + left_out,
            notes=[
                *(_outside(holdouts, schema) if labels and form != "published" else ()),
                *self.asking.notes,
            ],
            population=f"{self.by}s",
            groups={item.id: keys for item in train if (keys := self._keys(item))},
        )

    def _key(self, item: Source) -> str | None:
        return item.domain if self.by == "domain" else item.task and unmarked(item.task)

    def _keys(self, item: Source) -> frozenset[str]:
        keys = {self._key(item)}
        if item.stage == MULTI:
            tasks = item.capabilities
            keys.update(tasks.values() if self.by == "domain" else map(unmarked, tasks))
        return frozenset(key for key in keys if key)

    def _asked(self, item: Source) -> Iterator[tuple[str, Target]]:
        for target in item.targets:
            key = self._key(item)
            if item.stage == MULTI:
                domain = item.capabilities.get(target.asked.task)
                key = domain if self.by == "domain" else target.asked.task
            if key and not (self.by == "task" and key in TRAINING_ONLY):
                yield key, target

    def _groups(self, sources: Sequence[Source]) -> dict[str, list[Target]]:
        """Return the questions by hold-out: the protocol's in its order, then others."""
        groups: dict[str, list[Target]] = {}
        for item in sources:
            for key, target in self._asked(item):
                groups.setdefault(key, []).append(target)
        order = {name: place for place, name in enumerate(self.names)}
        return {
            name: groups[name]
            for name in sorted(groups, key=lambda n: (order.get(n, len(order)), n))
        }

    def _holdout(
        self,
        name: str,
        train: Sequence[Source],
        test: list[Target],
        shots: int | None,
        *,
        closed: bool,
    ) -> HoldOut:
        shot_ids: frozenset[str] = frozenset()
        if shots is not None:
            shot_ids, test_ids = _halves(test, shots)
            test = [target for target in test if target.source in test_ids]
        tasks = {target.asked.task for target in test}
        rest = questions(item for item in train if name not in self._keys(item))
        leaking = {(t.source, t.event) for t in rest if unmarked(t.asked.task) in tasks}
        if closed:
            rest = [t for t in rest if (t.source, t.event) not in leaking]
        rest += questions(item for item in train if item.id in shot_ids)
        return HoldOut(name, rest, test, 0 if closed else len(leaking))

    def _training(
        self,
        data: Data,
        choice: str | None,
        every: list[Source],
        stages: tuple[str, ...],
        happy: Happiness,
    ) -> tuple[tuple[str, ...], list[Source], list[str]]:
        """Return the training stages, dialogues (all of simulated ones), and notices."""
        learnt = parse_stages(choice) if choice else STAGES[: STAGES.index(stages[-1]) + 1]
        if data.train_corpus is None:
            return learnt, [item for item in every if item.stage in learnt], []
        every = read(data.train_corpus, happy, self.asking, data.see)
        synthetic = () if choice else [item.id for item in every if not item.imported]
        if synthetic and len(synthetic) == len(every):
            return STAGES, every, []
        ids = {item.id for item in every if item.stage in learnt}.union(synthetic)
        train = [item for item in every if item.id in ids]
        left = len(every) - len(train)
        notice = f"{left} of {len(every)} dialogues of {data.train_corpus.path} are not "
        return learnt, train, [f"{notice}{' or '.join(learnt)}: not learnt from"] if left else []


def _about(form: Form, stages: tuple[str, ...]) -> str:
    flags = ", published flags" if form == "published" else ""
    return flags if stages == (HAPPY,) else f"{flags}, test {spell_stages(stages)}"


def _options(
    form: Form,
    happy: Happiness,
    stages: tuple[str, ...],
    learnt: tuple[str, ...],
    settings: ZeroShotSettings,
) -> dict[str, str]:
    options = {
        "form": form,
        "happy": "published" if happy.ids is None else "sam",
        "test": spell_stages(stages),
        "train": spell_stages(learnt),
    }
    if settings.wizards != "any":
        options["wizards"] = settings.wizards
    if settings.shots is not None:
        options["shots"] = str(settings.shots)
    return options


def _halves(test: Sequence[Target], shots: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return up to `shots` training dialogues of one half, and the other half."""
    ids = sorted({target.source for target in test}, key=id_order)
    random.Random(SHOTS_SEED).shuffle(ids)
    half = len(ids) // 2
    return frozenset(ids[:half][:shots]), frozenset(ids[half:])


Chooses = Callable[[Source], bool]


def _of_wizards(every: Sequence[Source], mode: Wizards) -> tuple[Chooses, Chooses]:
    """Return two functions that choose the test and the training dialogues by wizard.

    The first half of the wizards has half of the dialogues, as nearly as possible. Dialogues of
    unknown wizards are for training. `UsageError` for `disjoint` with fewer than two wizards.
    """
    if mode == "any":
        return lambda item: True, lambda item: True
    shares = Counter(item.wizard for item in every if item.wizard is not None and item.targets)
    if len(shares) < 2:
        raise UsageError(
            f"wizards={mode} needs dialogues of two known wizards at least", code="too-few"
        )
    order = sorted(shares)
    random.Random(WIZARD_SEED).shuffle(order)
    first: set[str] = set()
    while sum(shares[wizard] for wizard in first) < shares.total() / 2:
        first.add(order[len(first)])
    teachers = first if mode == "same" else shares.keys() - first
    return (
        lambda item: item.wizard in first,
        lambda item: item.wizard is None or item.wizard in teachers,
    )


def _outside(holdouts: Sequence[HoldOut], schema: Mapping[str, frozenset[str]]) -> list[str]:
    targets = [target for holdout in holdouts for target in holdout.test]
    outside = sum(target.gold not in schema.get(target.asked.task, ()) for target in targets)
    share = f"{100 * outside / len(targets):.1f} % of right answers"
    note = f"{share} are no action of their task's schema: a mask cannot reach them"
    return [note] if outside else []


DOMAIN = ZeroShot("star-zero-shot-domain", "domain").protocol
TASK = ZeroShot("star-zero-shot-task", "task").protocol
