"""SGD-X: dialogues converted to another schema, with services, slots and intents renamed.

A variant schema (Lee et al. 2022) lists the same services, slots and intents in the same order
under other names, so that positions pair them; a service of variant 1 has the original name with a
1 appended. Values, spans and texts stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import (
    Act,
    Argument,
    Dialogue,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Scenario,
    Selection,
    State,
    Utterance,
)
from dialoom.errors import SchemaError
from dialoom.schema.service import COUNT, INTENT, Service
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

_OF_INTENTS, _OF_COUNTS = "_INTENT", "INFORM_COUNT"


@dataclass(frozen=True)
class Names:
    """The one-to-one new names of one service's slots and intents."""

    service: str
    slots: Mapping[str, str]
    intents: Mapping[str, str]


@dataclass(frozen=True)
class Renaming:
    """The new names of each service.

    Every mapping is completed to a permutation, so that no two names become the same: if `a`
    becomes `b`, then a `b` that the schema does not have becomes `a`.
    """

    services: Mapping[str, Names]

    @cached_property
    def inverse(self) -> Renaming:
        """The renaming from the new names to the old ones."""
        return Renaming(
            {
                names.service: Names(service, _inverted(names.slots), _inverted(names.intents))
                for service, names in self.services.items()
            }
        )

    def service(self, name: str) -> str:
        """Return the new name of a service; the old one where it has none."""
        names = self.services.get(name)
        return name if names is None else names.service


def renaming(services: Mapping[str, Names]) -> Renaming:
    """Return services' renaming, completed to permutations; `SchemaError` for equal new names."""
    order = closed({name: names.service for name, names in services.items()}, "services")
    none = Names("", {}, {})
    return Renaming(
        {
            name: Names(
                new,
                closed(services.get(name, none).slots, f"slots of {name}"),
                closed(services.get(name, none).intents, f"intents of {name}"),
            )
            for name, new in order.items()
        }
    )


def closed(names: Mapping[str, str], what: str) -> dict[str, str]:
    """Return a mapping with its chains closed to cycles; `SchemaError` if not one to one."""
    back = _inverted(names)
    if len(back) < len(names):
        twice = next(new for old, new in names.items() if back[new] != old)
        raise SchemaError(what, f"two of them would be called {twice!r}", code="twice")
    cycles = dict(names)
    for end in back:
        if end not in names:
            start = end
            while start in back:
                start = back[start]
            cycles[end] = start
    return cycles


def _inverted(names: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in names.items()}


def pair(
    services: Mapping[str, TaskSchema], variants: Mapping[str, TaskSchema]
) -> tuple[Renaming, list[str]]:
    """Pair services with those of a variant schema: by name and digit, else by file and position.

    Returns:
        The renaming, and notes on the differences between the schemas that are no renaming.

    Raises:
        SchemaError: A service has no counterpart, or one with more or fewer slots or intents.
    """
    places = {(o.file, o.index): task for task in variants.values() for o in task.origins}
    by_name = {name[:-1]: task for name, task in variants.items() if name[-1:].isdecimal()}
    matches: dict[str, Names] = {}
    notes: list[str] = []
    for name, task in services.items():
        if not task.is_service:
            continue
        positioned = (places.get((origin.file, origin.index)) for origin in task.origins)
        other = by_name.get(name) or next(filter(None, positioned), None)
        if other is None:
            raise SchemaError(
                f"service {name}", "the variant schema has none in its place", code="mismatch"
            )
        matches[name] = _names(name, contract(task), other.id, contract(other))
        notes += _disagreements(name, contract(task), contract(other), matches[name])
    return renaming(matches), notes


def _names(name: str, service: Service, other_name: str, other: Service) -> Names:
    pairs: list[dict[str, str]] = []
    for what in ("slots", "intents"):
        olds = [each.name for each in getattr(service, what)]
        news = [each.name for each in getattr(other, what)]
        if len(olds) != len(news):
            counts = f"{len(olds)} {what}, {other_name} {len(news)}"
            raise SchemaError(
                f"service {name}", f"has {counts}; a variant has as many", code="mismatch"
            )
        pairs.append(dict(zip(olds, news, strict=True)))
    return Names(other_name, *pairs)


def _disagreements(name: str, service: Service, other: Service, names: Names) -> list[str]:
    notes = []
    for one, two in zip(service.slots, other.slots, strict=True):
        if (one.categorical, one.possible_values) != (two.categorical, two.possible_values):
            notes.append(f"{name}: {one.name} and {two.name} do not take the same values")
    for old, new in zip(service.intents, other.intents, strict=True):
        for what in ("required", "optional", "results"):
            renamed = {names.slots.get(slot, slot) for slot in getattr(old, what)}
            if renamed != set(getattr(new, what)):
                notes.append(f"{name}: {old.name} and {new.name} do not have the same {what} slots")
    return notes


def rename(dialogue: Dialogue, renaming: Renaming) -> Dialogue:
    """Return a dialogue with new names for its services, slots and intents.

    Renamed are: services of the dialogue, its scenario, parts and calls; slots of acts, spans,
    states, parameters and result items; intents of states, of acts about intents, and as names of
    calls. `extra` is unchanged, and so are parts and calls without a service.
    """
    calls: dict[str, Names | None] = {}
    events: list[Event] = []
    for event in dialogue.events:
        if isinstance(event, Utterance):
            events.append(_utterance(event, renaming))
        elif isinstance(event, Query):
            names = None if event.service is None else renaming.services.get(event.service)
            calls[event.id] = names
            events.append(_query(event, names))
        elif isinstance(event, Result):
            events.append(_result(event, calls.get(event.query)))
        elif isinstance(event, Selection) and event.task is not None:
            events.append(replace(event, task=renaming.service(event.task)))
        else:
            events.append(event)
    return replace(
        dialogue,
        events=tuple(events),
        services=tuple(map(renaming.service, dialogue.services)),
        scenario=_scenario(dialogue.scenario, renaming),
    )


def in_order(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the parameters of each call sorted by name.

    SGD's files have them sorted, and new names may sort differently.
    """
    events = tuple(
        replace(event, constraints=tuple(sorted(event.constraints, key=lambda each: each.slot)))
        if isinstance(event, Query)
        else event
        for event in dialogue.events
    )
    return replace(dialogue, events=events)


def _scenario(scenario: Scenario | None, renaming: Renaming) -> Scenario | None:
    if scenario is None or not scenario.capabilities:
        return scenario
    copies = (replace(each, task=renaming.service(each.task)) for each in scenario.capabilities)
    return replace(scenario, capabilities=tuple(copies))


def _query(query: Query, names: Names | None) -> Query:
    if names is None:
        return query
    slots = names.slots
    constraints = tuple([replace(c, slot=slots.get(c.slot, c.slot)) for c in query.constraints])
    api = names.intents.get(query.api, query.api)
    return replace(query, api=api, service=names.service, constraints=constraints)


def _result(result: Result, names: Names | None) -> Result:
    if names is None:
        return result
    items = tuple([_keys(item, names.slots) for item in result.items])
    api = None if result.api is None else names.intents.get(result.api, result.api)
    return replace(result, items=items, api=api)


def _keys(value: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): entry for key, entry in value.items()}


def _utterance(utterance: Utterance, renaming: Renaming) -> Utterance:
    layers = tuple([_layer(layer, renaming) for layer in utterance.layers])
    return replace(utterance, layers=layers)


def _layer(layer: Layer, renaming: Renaming) -> Layer:
    parts = []
    for part in layer.parts:
        names = None if part.service is None else renaming.services.get(part.service)
        parts.append(part if names is None else _part(part, names))
    return replace(layer, parts=tuple(parts))


def _part(part: Part, names: Names) -> Part:
    acts, spans, slots = part.acts, part.spans, names.slots
    if acts is not None:
        acts = tuple([_act(act, names) for act in acts])
    if spans is not None:
        spans = tuple(
            [
                replace(span, labels=tuple([slots.get(label, label) for label in span.labels]))
                for span in spans
            ]
        )
    state = None if part.state is None else _state(part.state, names)
    return replace(part, service=names.service, acts=acts, spans=spans, state=state)


def _state(state: State, names: Names) -> State:
    intent, slots = state.intent, names.slots
    return replace(
        state,
        intent=None if intent is None else names.intents.get(intent, intent),
        requested=tuple([slots.get(slot, slot) for slot in state.requested]),
        values=_keys(state.values, slots),
    )


def _act(act: Act, names: Names) -> Act:
    if not act.arguments:
        return act
    return replace(act, arguments=tuple([_argument(act.name, a, names) for a in act.arguments]))


def _argument(act: str, argument: Argument, names: Names) -> Argument:
    if argument.slot == INTENT and act.endswith(_OF_INTENTS):
        canonical = argument.canonical
        return replace(
            argument,
            values=_intents(argument.values, names),
            canonical=None if canonical is None else _intents(canonical, names),
        )
    if argument.slot == COUNT and act == _OF_COUNTS:
        return argument
    slot = names.slots.get(argument.slot)
    return argument if slot is None else replace(argument, slot=slot)


def _intents(values: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    return tuple([names.intents.get(v, v) if isinstance(v, str) else v for v in values])
