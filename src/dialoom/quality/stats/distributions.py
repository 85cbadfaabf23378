"""Distributions of acts, slots, services, domains and intents, and how uneven they are.

A dialogue counts once for each of its services, domains and intents. A service's domain is what
comes before the number in its name ("Flights" of "Flights_2"), as SGD names them; STAR's are named
by the dialogue. Mentions of a slot are counted: arguments of acts, labels of spans and constraints
of queries, each under the service that it belongs to.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from dialoom.dialogue import Dialogue, Part, Query, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import (
    Result,
    by_value,
    ordered,
    owned,
    ratio,
    said,
    services_of,
)
from dialoom.schema.service_words import domain_of
from dialoom.schema.task import TaskSchema


class Distributions:
    """Counts acts, slots, services, domains and intents."""

    def __init__(self, schemas: Mapping[str, TaskSchema]) -> None:
        self._schemas = schemas
        self.dialogues = 0
        self.services: Counter[str] = Counter()
        self.domains: Counter[str] = Counter()
        self.together: Counter[int] = Counter()
        self.domains_together: Counter[int] = Counter()
        self.intents: Counter[str] = Counter()
        self.acts: dict[str, Counter[str]] = {}
        self.slots = {kind: Counter[str]() for kind in ("acts", "spans", "queries")}
        self.apis: Counter[str] = Counter()
        self.arguments = self.canonical = 0

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        self.dialogues += 1
        intents: set[str] = set()
        for event in dialogue.events:
            if isinstance(event, Utterance):
                for part in parts(event):
                    self._add_part(event.agent, part, intents)
            elif isinstance(event, Query):
                self.apis[owned(event.service, event.api)] += 1
                owner = event.service or event.api
                self.slots["queries"].update(owned(owner, c.slot) for c in event.constraints)
        services = services_of(dialogue, self._schemas)
        self.intents.update(intents)
        self.services.update(services)
        domains = domains_of(dialogue, services)
        self.domains.update(domains)
        self.together[len(services)] += 1
        self.domains_together[len(domains)] += 1

    def _add_part(self, agent: str, part: Part, intents: set[str]) -> None:
        if part.state is not None and part.state.intent:
            intents.add(owned(part.service, part.state.intent))
        counter = self.acts.setdefault(agent, Counter())
        slots = self.slots["acts"]
        for act in part.acts or ():
            counter[act.name] += 1
            for argument in act.arguments:
                self.arguments += 1
                self.canonical += argument.canonical is not None
            for slot, _ in said(act.arguments):
                slots[owned(part.service, slot)] += 1
        for span in part.spans or ():
            self.slots["spans"].update(owned(part.service, label) for label in span.labels)

    def result(self) -> Result | None:
        """Return every distribution, frequent ones first, and how uneven those of dialogues are."""
        if not self.dialogues:
            return None
        spread_over = {
            "services": ordered(self.services),
            "domains": ordered(self.domains),
            "intents": ordered(self.intents),
        }
        return {
            **spread_over,
            "skew": {name: skew(counts) for name, counts in spread_over.items() if counts},
            "services_per_dialogue": by_value(self.together),
            "domains_per_dialogue": by_value(self.domains_together),
            "acts": {agent: ordered(names) for agent, names in sorted(self.acts.items()) if names},
            "slots": {kind: ordered(names) for kind, names in self.slots.items() if names},
            "apis": ordered(self.apis),
            "arguments": self.arguments,
            "arguments_with_another_canonical_value": self.canonical,
            "share_with_another_canonical_value": ratio(self.canonical, self.arguments),
        }


def skew(counts: Mapping[str, int]) -> Result:
    """Return how uneven counts are.

    `largest_to_smallest` is the ratio of the extremes; `evenness` the Shannon entropy of the shares
    over that of equal shares (1 is even, 0 all in one); `half_in` the number of the largest that
    hold half of all.
    """
    values = sorted((n for n in counts.values() if n), reverse=True)
    total = sum(values)
    if not total:
        return {"n": 0}
    entropy = -sum(n / total * math.log(n / total) for n in values)
    mass, half = 0, 0
    while mass < total / 2:
        mass += values[half]
        half += 1
    return {
        "n": len(values),
        "largest": values[0],
        "smallest": values[-1],
        "largest_to_smallest": ratio(values[0], values[-1]),
        "evenness": round(entropy / math.log(len(values)), 4) if len(values) > 1 else None,
        "half_in": half,
    }


def domains_of(dialogue: Dialogue, services: Iterable[str]) -> set[str]:
    """Return the domains that a dialogue names, else those of its services."""
    names = dialogue.scenario.domains if dialogue.scenario else ()
    domains = {domain for domain in names if domain is not None}
    return domains or {domain_of(service) for service in services}
