"""Rules about what a service's schema allows: its slots, values, intents and calls (SGD)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import GOLD, Argument, Query, Span, State
from dialoom.quality.lint.context import LintContext, LocatedPart
from dialoom.quality.lint.corpus_context import Needs
from dialoom.quality.lint.rule import CodeFound, check
from dialoom.quality.lint.shapes import noted
from dialoom.schema.findings import hint
from dialoom.schema.legality import SchemaRules
from dialoom.schema.service import ANYTHING, COUNT, INTENT

_Values = dict[str, tuple[Any, ...]]


@check("E711", "E712", "E713", "E714", "E716", "I602", needs=Needs.SERVICES)
def _check_annotation(context: LintContext) -> Iterator[CodeFound]:
    services = context.services
    yield from _unlisted(context)
    before: dict[str, _Values] = {}
    for place in context.parts:
        part = place.part
        name = part.service
        if name is None or place.source != GOLD:
            continue
        rules = services.get(name)
        if rules is None and not name and part.extra:
            continue  # its service is missing, or of another kind, which E608 tells
        if rules is None:
            what = f"the corpus has no schema of {name!r}: {hint(name, services)}"
            yield "E711", f"{place.pointer}/service", what
            continue
        if part.acts:
            yield from _acts(place, rules)
        if part.spans:
            yield from _spans(place, rules, part.spans)
        if part.state is not None:
            yield from _state(place, rules, part.state, before.get(name, {}))
            before[name] = part.state.values


def _unlisted(context: LintContext) -> Iterator[CodeFound]:
    """Find the first part of each known service that the dialogue does not list."""
    listed = set(context.dialogue.services)
    if not listed:
        return
    for place in context.gold():
        name = place.part.service
        if name is not None and name not in listed and name in context.services:
            what = f"the dialogue does not list {name!r}: {hint(name, context.dialogue.services)}"
            yield "E716", f"{place.pointer}/service", what
            listed.add(name)


def _acts(place: LocatedPart, rules: SchemaRules) -> Iterator[CodeFound]:
    text, slots = place.utterance.text, rules.values
    for number, act in enumerate(place.part.acts or ()):
        for index, argument in enumerate(act.arguments):
            allowed = slots.get(argument.slot, rules)
            if allowed is None:
                for value in argument.values:
                    if isinstance(value, str) and value not in text and value != ANYTHING:
                        what = f"the utterance does not have {value!r}"
                        yield "I602", place.argument(number, index), what
            elif allowed is rules and argument.slot not in ("", COUNT):
                yield from _no_slot(place.argument(number, index), rules, argument)


def _no_slot(pointer: str, rules: SchemaRules, argument: Argument) -> Iterator[CodeFound]:
    """Check at what an act names that is no slot: an intent, or something unknown."""
    if argument.slot == INTENT:
        for value in argument.values:
            if value not in rules.calls:
                yield "E712", pointer, _unknown_intent(value, rules)
    else:
        yield "E703", pointer, _unknown_slot(argument.slot, rules)


def _spans(place: LocatedPart, rules: SchemaRules, spans: tuple[Span, ...]) -> Iterator[CodeFound]:
    for number, span in enumerate(spans):
        for label in span.labels:
            allowed = rules.values.get(label, rules)
            if allowed is rules:
                yield "E703", f"{place.pointer}/spans/{number}", _unknown_slot(label, rules)
            elif allowed is not None:
                yield "E713", f"{place.pointer}/spans/{number}", f"{label} is categorical"


def _state(
    place: LocatedPart, rules: SchemaRules, state: State, before: _Values
) -> Iterator[CodeFound]:
    if state.intent is not None and state.intent not in rules.calls:
        yield "E712", f"{place.pointer}/state/intent", _unknown_intent(state.intent, rules)
    for number, slot in enumerate(state.requested):
        if slot not in rules.values:
            pointer = f"{place.pointer}/state/requested/{number}"
            yield "E703", pointer, _unknown_slot(slot, rules)
    if state.values == before:
        return
    for slot, values in state.values.items():
        allowed = rules.values.get(slot, rules)
        if allowed is None or before.get(slot) == values:  # said once, where it comes about
            continue
        for code, what in _value(rules, slot, values):
            yield code, f"{place.pointer}/state/values/{slot}", what


def _value(rules: SchemaRules, slot: str, values: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
    if slot not in rules.values:
        yield "E703", _unknown_slot(slot, rules)
        return
    if len(values) > 1:
        yield "E714", f"{slot} is categorical and has {len(values)} values"
    for what in _odd(rules, slot, values):
        yield "E701", what


def _odd(rules: SchemaRules, slot: str, values: tuple[Any, ...]) -> Iterator[str]:
    """Yield what is wrong with the values of a categorical slot that are none of it."""
    allowed = rules.values.get(slot) or frozenset()
    for value in values:
        if value not in allowed:
            known = map(str, allowed - {ANYTHING})
            yield f"{slot} has no value {value!r}: {hint(str(value), known)}"


def _unknown_slot(name: str, rules: SchemaRules) -> str:
    return f"the service has no slot {name!r}: {hint(name, rules.values)}"


def _unknown_intent(name: Any, rules: SchemaRules) -> str:
    return f"the service has no intent {name!r}: {hint(str(name), rules.calls)}"


@check(needs=Needs.SERVICES)
def _check_calls(context: LintContext) -> Iterator[CodeFound]:
    for index, query in context.queries:
        rules = context.service(query.service)
        if rules is not None:
            yield from _call(query, f"/events/{index}", rules)
        elif query.service is not None:
            what = f"the corpus has no schema of {query.service!r}"
            yield "E711", f"/events/{index}/service", what


def _call(query: Query, pointer: str, rules: SchemaRules) -> Iterator[CodeFound]:
    call = rules.calls.get(query.api)
    if call is None:
        known = hint(query.api, rules.calls)
        yield "E805", f"{pointer}/api", f"{query.service} has no call {query.api!r}: {known}"
        return
    for number, constraint in enumerate(query.constraints):
        at = f"{pointer}/constraints/{number}"
        if constraint.slot not in call.known:
            what = f"{query.api} has no input {constraint.slot!r}"
            yield "E806", at, f"{what}: {hint(constraint.slot, call.known)}"
        elif rules.values.get(constraint.slot) and constraint.operator is not None:
            for what in _odd(rules, constraint.slot, constraint.values):
                yield "E701", at, what
    given = {constraint.slot for constraint in query.constraints}
    missing = [slot for slot in call.required if slot not in given]
    if missing and not noted(query.extra, "parameters"):
        yield (
            "W801",
            f"{pointer}/constraints",
            f"{query.api} is called without {', '.join(missing)}",
        )
