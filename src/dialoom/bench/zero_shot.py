"""Zero-shot next action on STAR, exactly as the Schema Attention Model's code does it.

Data: happy dialogues, whether or not they ended as they should. Targets: the wizard's queries and
picked suggestions; `custom` and `out_of_scope` stay targets; custom utterances are history only.
Domain transfer holds out the dialogues whose first domain it is, task transfer those whose wizard's
first capability it is; everything else is for training. F1 is weighted within a hold-out, then
averaged over hold-outs with equal weights.

Forms:
    coded      the above; happy by the id list that stands for SAM's copy of the corpus
    noleak     training dialogues whose task is also tested are left out: as coded, trivia dialogues
               with a null domain stay in training while trivia is held out
    mask       a prediction outside the task's schema is replaced by the best-ranked inside it, as
               SAM's own output layer does with the gold task (see `run.masked`)
    published  happy by the published flags
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dialoom.bench.protocol import FORMS, HoldOut, Plan, Sources
from dialoom.bench.star import Source, choose_form, questions, read
from dialoom.errors import MissingDataError, UsageError

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
TRAINING_ONLY = frozenset({"ride_change", "spaceship_life_support"})
"""Tasks that SAM's code never holds out."""


@dataclass(frozen=True, slots=True)
class ZeroShot:
    """Transfer to domains, or to tasks, that were never trained on.

    Args:
        name: The protocol's name.
        by: What is held out.
        names: The hold-outs it names, in its order.
    """

    name: str
    by: Literal["domain", "task"]
    names: tuple[str, ...]
    corpus: str = "star"
    forms: tuple[str, ...] = FORMS

    def plan(self, sources: Sources) -> Plan:
        """Find the hold-outs in the data.

        Raises:
            UsageError: A form or option this protocol does not have.
            MissingDataError: The data holds no happy dialogue.
        """
        if sources.split_by_id:
            raise UsageError(f"{self.name} holds out whole {self.by}s: --split-by-id has no use")
        form, happy, notices = choose_form(sources, self.forms)
        test = [item for item in read(sources.corpus, happy) if item.happy]
        train = test
        if sources.train_corpus is not None:
            train = [item for item in read(sources.train_corpus, happy) if item.happy]
        groups = self._groups(test)
        if not groups:
            raise MissingDataError(f"{sources.corpus.path}: no happy dialogue with a {self.by}")
        holdouts = [
            self._holdout(name, train, groups[name], closed=form == "noleak") for name in groups
        ]
        return Plan(
            protocol=self.name,
            sources=sources,
            form=form,
            schemas=sources.schemas,
            holdouts=holdouts,
            missing=[name for name in self.names if name not in groups],
            options={"form": form, "happy": "published" if happy.ids is None else "sam"},
            masked=form == "mask",
            notices=notices,
            groups={item.id: key for item in train if (key := self._key(item))},
        )

    def _key(self, item: Source) -> str | None:
        return item.domain if self.by == "domain" else item.task

    def _groups(self, sources: Sequence[Source]) -> dict[str, list[Source]]:
        """Return the test dialogues of each hold-out: the protocol's in its order, then others."""
        groups: dict[str, list[Source]] = {}
        for item in sources:
            key = self._key(item)
            if key and item.targets and not (self.by == "task" and key in TRAINING_ONLY):
                groups.setdefault(key, []).append(item)
        order = {name: place for place, name in enumerate(self.names)}
        return {
            name: groups[name]
            for name in sorted(groups, key=lambda n: (order.get(n, len(order)), n))
        }

    def _holdout(
        self, name: str, train: Sequence[Source], test: Sequence[Source], *, closed: bool
    ) -> HoldOut:
        tasks = {item.task for item in test}
        rest = [item for item in train if self._key(item) != name]
        leaking = [item for item in rest if item.task in tasks]
        if closed:
            rest = [item for item in rest if item.task not in tasks]
        leak = 0 if closed else len(questions(leaking))
        return HoldOut(name, questions(rest), questions(test), leak)


DOMAIN = ZeroShot("star-zero-shot-domain", "domain", DOMAINS)
TASK = ZeroShot("star-zero-shot-task", "task", TASKS)
