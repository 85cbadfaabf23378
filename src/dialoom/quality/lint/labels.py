"""Rules about labels of spans that name a service and its argument (Taskmaster-1)."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.quality.legality import SchemaRules
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import CodeFound, check
from dialoom.schema.findings import hint
from dialoom.schema.labels import REJECT, Label, read


@check("I501", "E715", "I701", needs="services")
def _check_labels(context: LintContext) -> Iterator[CodeFound]:
    services = context.services
    groups: dict[str, set[str]] = {}
    for place in context.parts:
        if place.part.service is not None:
            return
        for number, span in enumerate(place.part.spans or ()):
            for index, name in enumerate(span.labels):
                label = read(name, services)
                wrong = _wrong(label, context)
                if wrong is not None:
                    pointer = f"{place.pointer}/spans/{number}/labels/{index}"
                    yield "E703", pointer, f"{wrong[0]} {name!r}: {wrong[1]}"
                for service in (label.service,) if label.service else _services(context):
                    arguments = groups.setdefault(service, set())
                    if label.ending != REJECT:
                        arguments.add(label.argument)
    for service, arguments in groups.items():
        yield from _missing(service, services[service], arguments)
    annotated = context.parts or any(utterance.layers for _, utterance in context.utterances)
    if context.utterances and not annotated:
        yield "I501", "/events", "no utterance is annotated"


def _services(context: LintContext) -> list[str]:
    return [name for name in context.dialogue.services if name in context.services]


def _wrong(label: Label, context: LintContext) -> tuple[str, str] | None:
    services = context.services
    if not label.argument and label.ending:
        return None
    if label.service is not None:
        slots = services[label.service].values
        return None if label.argument in slots else ("no argument", hint(label.argument, slots))
    names = _services(context) or list(services)
    scope = {slot for name in names for slot in services[name].values}
    return None if label.argument in scope else ("no service or argument", hint(label[1], scope))


def _missing(service: str, rules: SchemaRules, arguments: set[str]) -> Iterator[CodeFound]:
    required = dict.fromkeys(slot for call in rules.calls.values() for slot in call.required)
    missing = [slot for slot in required if slot not in arguments]
    if missing and len(missing) == len(required):
        yield "E715", "/events", f"{service} has none of {', '.join(missing)}"
        return
    for slot in missing:
        yield "I701", "/events", f"{slot} of {service}"
