"""Rules of a service's schema: its slots, values, intents, calls and labels (Taskmaster-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import GOLD, SYSTEM, Argument, Part, Query
from dialoom.quality.legality import SchemaRules
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.layers import TRUTHS
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.shapes import noted
from dialoom.schema.findings import hint
from dialoom.schema.labels import REJECT, Label, read
from dialoom.schema.service import ANYTHING, COUNT, INTENT


def idle(part: Part) -> bool:
    """True if a part says nothing of its service, as MultiWOZ 2.2 has one of each service."""
    state = part.state
    active = state is not None and (state.intent or state.requested or state.values)
    return not (part.acts or part.spans or active)


@check("E711", "E716", needs="services")
def _unknown_service(context: LintContext) -> Iterator[CodeFound]:
    services = context.services
    names = set(context.dialogue.services)
    for place in context.parts:
        name = place.part.service
        if name is None or place.source != GOLD:
            continue
        if name not in services:
            if name or not place.part.extra:  # else it is missing, which E608 reports
                what = f"the corpus has no schema of {name!r}: {hint(name, services)}"
                yield "E711", f"{place.pointer}/service", what
        elif names and name not in names and not idle(place.part):
            what = f"the dialogue does not list {name!r}: {hint(name, context.dialogue.services)}"
            yield "E716", f"{place.pointer}/service", what
            names.add(name)


SILENT = frozenset({ANYTHING, *TRUTHS})
"""Values that need not be said word for word."""


@check("E712", "I602", "I603", needs="services")
def _check_arguments(context: LintContext) -> Iterator[CodeFound]:
    for place, number, _, index, argument in context.arguments:
        rules = place.rules
        if rules is None:
            continue
        allowed = rules.values.get(argument.slot, rules)
        if allowed is None:
            text = place.utterance.text
            for value in argument.values:
                if not isinstance(value, str) or value in SILENT:
                    continue
                if value not in text:
                    what = f"the utterance does not have {value!r}"
                    yield "I602", place.argument(number, index), what
                elif _unmarked(place.part, argument.slot):
                    what = f"{value!r} of {argument.slot} has no span"
                    yield "I603", place.argument(number, index), what
        elif allowed is rules and argument.slot not in ("", COUNT):
            yield from _no_slot(place.argument(number, index), rules, argument)


def _unmarked(part: Part, slot: str) -> bool:
    if part.spans is None:
        return False
    for span in part.spans:  # a loop: it is asked of nearly every value
        if slot in span.labels:
            return False
    return not noted(part.extra, "slots")


def _no_slot(pointer: str, rules: SchemaRules, argument: Argument) -> Iterator[CodeFound]:
    if argument.slot == INTENT:
        for value in argument.values:
            if value not in rules.calls:
                yield "E712", pointer, _unknown_intent(value, rules)
    else:
        yield "E703", pointer, _unknown_slot(argument.slot, rules)


@check("E713", needs="services")
def _check_labels(context: LintContext) -> Iterator[CodeFound]:
    for place, number, span in context.spans:
        rules = place.rules
        if rules is None:
            continue
        for label in span.labels:
            allowed = rules.values.get(label, rules)
            if allowed is rules:
                yield "E703", f"{place.pointer}/spans/{number}", _unknown_slot(label, rules)
            elif allowed is not None:
                yield "E713", f"{place.pointer}/spans/{number}", f"{label} is categorical"


@check("E714", needs="services")
def _check_states(context: LintContext) -> Iterator[CodeFound]:
    for place, state in context.states:
        rules = place.rules
        if rules is None:
            continue
        if state.intent is not None and state.intent not in rules.calls:
            yield "E712", f"{place.pointer}/state/intent", _unknown_intent(state.intent, rules)
        for number, slot in enumerate(state.requested):
            if slot not in rules.values:
                pointer = f"{place.pointer}/state/requested/{number}"
                yield "E703", pointer, _unknown_slot(slot, rules)
    for place, slot, values in context.changes:  # said once, where it comes about
        rules = place.rules
        if rules is not None and rules.values.get(slot, rules) is not None:
            for code, what in _value(rules, slot, values):
                yield code, place.value(slot), what


OFFERS, ACCEPTS = frozenset({"OFFER", "CONFIRM"}), frozenset({"SELECT", "AFFIRM"})
"""Acts of the system that propose values, and of users that take what was proposed."""


@check("I605", needs="services")
def _accepted_values(context: LintContext) -> Iterator[Found]:
    """Find slots of an accepted offer that the state lacks, where it has others of the offer."""
    offered: dict[str | None, list[str]] = {}
    for place in context.gold():
        part, rules = place.part, place.rules
        acts = part.acts or ()
        if place.utterance.agent == SYSTEM:
            names = (a.slot for act in acts if act.name in OFFERS for a in act.arguments)
            offered[part.service] = list(dict.fromkeys(names))
            continue
        slots = offered.pop(part.service, [])
        if not slots or rules is None or part.state is None:
            continue
        inputs = {name for call in rules.calls.values() for name in call.known}
        fields = [slot for slot in slots if slot in inputs]
        overlap = part.state.values.keys() & fields
        if overlap and any(act.name in ACCEPTS for act in acts):
            for slot in fields:
                if slot not in overlap:
                    what = f"the user accepts {slot}, which the state lacks"
                    yield f"{place.pointer}/state", what


def _value(rules: SchemaRules, slot: str, values: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
    if slot not in rules.values:
        yield "E703", _unknown_slot(slot, rules)
        return
    if len(values) > 1:
        yield "E714", f"{slot} is categorical and has {len(values)} values"
    for what in _odd(rules, slot, values):
        yield "E701", what


def _odd(rules: SchemaRules, slot: str, values: tuple[Any, ...]) -> Iterator[str]:
    allowed = rules.values.get(slot) or frozenset()
    for value in values:
        if value not in allowed:
            options = map(str, allowed - {ANYTHING})
            yield f"{slot} has no value {value!r}: {hint(str(value), options)}"


def _unknown_slot(name: str, rules: SchemaRules) -> str:
    return f"the service has no slot {name!r}: {hint(name, rules.values)}"


def _unknown_intent(name: Any, rules: SchemaRules) -> str:
    return f"the service has no intent {name!r}: {hint(str(name), rules.calls)}"


@check(needs="services")
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
        advice = hint(query.api, rules.calls)
        yield "E805", f"{pointer}/api", f"{query.service} has no call {query.api!r}: {advice}"
        return
    for number, constraint in enumerate(query.constraints):
        if constraint.slot not in call.known:
            what = f"{query.api} has no input {constraint.slot!r}: "
            what += hint(constraint.slot, call.known)
            yield "E806", f"{pointer}/constraints/{number}", what
        elif rules.values.get(constraint.slot) and constraint.operator is not None:
            for what in _odd(rules, constraint.slot, constraint.values):
                yield "E701", f"{pointer}/constraints/{number}", what
    slots = {constraint.slot for constraint in query.constraints}
    missing = [slot for slot in call.required if slot not in slots]
    if missing and not noted(query.extra, "parameters"):
        what = f"{query.api} is called without {', '.join(missing)}"
        yield "W801", f"{pointer}/constraints", what


@check("I501", "E715", "I701", needs="services")
def _check_label_arguments(context: LintContext) -> Iterator[CodeFound]:
    services = context.services
    groups: dict[str, set[str]] = {}
    for place in context.parts:
        if place.part.service is not None:
            return
        for number, span in enumerate(place.part.spans or ()):
            for index, name in enumerate(span.labels):
                label = read(name, services)
                wrong = _wrong_label(label, context)
                if wrong is not None:
                    pointer = f"{place.pointer}/spans/{number}/labels/{index}"
                    yield "E703", pointer, f"{wrong[0]} {name!r}: {wrong[1]}"
                for service in (label.service,) if label.service else _services(context):
                    arguments = groups.setdefault(service, set())
                    if label.ending != REJECT:
                        arguments.add(label.argument)
    for service, arguments in groups.items():
        yield from _missing_arguments(service, services[service], arguments)
    annotated = context.parts or any(utterance.layers for _, utterance in context.utterances)
    if context.utterances and not annotated:
        yield "I501", "/events", "no utterance is annotated"


def _services(context: LintContext) -> list[str]:
    return [name for name in context.dialogue.services if name in context.services]


def _wrong_label(label: Label, context: LintContext) -> tuple[str, str] | None:
    services = context.services
    if not label.argument and label.ending:
        return None
    if label.service is not None:
        slots = services[label.service].values
        return None if label.argument in slots else ("no argument", hint(label.argument, slots))
    names = _services(context) or list(services)
    scope = {slot for name in names for slot in services[name].values}
    return None if label.argument in scope else ("no service or argument", hint(label[1], scope))


def _missing_arguments(
    service: str, rules: SchemaRules, arguments: set[str]
) -> Iterator[CodeFound]:
    required = dict.fromkeys(slot for call in rules.calls.values() for slot in call.required)
    missing = [slot for slot in required if slot not in arguments]
    if missing and len(missing) == len(required):
        yield "E715", "/events", f"{service} has none of {', '.join(missing)}"
        return
    for slot in missing:
        yield "I701", "/events", f"{slot} of {service}"
