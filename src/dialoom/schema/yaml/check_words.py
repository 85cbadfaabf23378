"""Checks of texts: placeholders are defined and have a value, templates are distinguishable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from dialoom.errors import clip
from dialoom.schema.findings import hint
from dialoom.schema.flow import STEP, Node
from dialoom.schema.places import Pointer
from dialoom.schema.yaml.knowledge import Knowledge, trace
from dialoom.schema.yaml.validation import KEPT, ValidationContext, placeholders

FEWEST, MOST = 5, 3
"""Fewest templates of a user node, and most templates of a system node, without a warning."""

DRAFTED: Mapping[str, str] = {
    "slots": "its values were made up: write real ones, or limits",
    "tables": "its rows are drawn: give real ones by `given` or `file`, or settle for these",
    "apis": "what it does was made up from names: write its effect, `sets`, `also` and `refuses`",
    "flow": "its texts were made up from names: write what people say there",
}
"""Section to what a person has to do with what an importer drafted there."""

_BRACE = re.compile(r"[{}]")


def check_words(context: ValidationContext) -> None:
    """Report errors in the templates."""
    knowledge = trace(context)
    for node in context.task.flow.nodes.values():
        _check_amount(context, node)
        _check_whole(context, ("flow", node.name, node.kind), node.texts)
        _check_placeholders(context, node, knowledge)
    for who, questions in context.task.questions.items():
        _check_whole(context, ("questions", who), questions)
    _check_whole(context, ("out_of_scope",), context.task.out_of_scope)
    _check_calls(context, knowledge)
    _check_alike(context)
    for section, advice in DRAFTED.items():
        for name in context.names(section):
            if "drafted" in context.names(section, name):
                context.add("I301", (section, name, "drafted"), f"{name} is a draft; {advice}")


def _check_amount(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name, node.kind)
    if node.kind == "user" and 0 < len(node.texts) < FEWEST:
        message = f"{len(node.texts)} templates are few; a user node should have {FEWEST} or more"
        context.add("W201", at, message)
    if node.kind == "system" and len(node.texts) > MOST and not node.confirms:
        message = f"{len(node.texts)} templates are many; a system node has at most {MOST}"
        context.add("W202", at, message)


def _check_whole(context: ValidationContext, at: Pointer, texts: tuple[str, ...]) -> None:
    """Report texts that are probably one text, split at a comma for want of quotation marks."""
    for number, (one, text) in enumerate(pairwise(texts), 1):
        bare = {(*at, number - 1), (*at, number)} <= context.document.bare
        if bare and text[:1].islower() and one[-1:].isalnum():
            message = f"{clip(text, 40)!r} looks like the rest of {clip(one, 40)!r}"
            context.add("W203", (*at, number), f"{message}; in brackets, quote a text with a comma")


def _check_placeholders(context: ValidationContext, node: Node, knowledge: Knowledge) -> None:
    from dialoom.schema.template import PLACEHOLDER

    before = (context.task.flow.nodes[name] for name in context.before[node.name])
    steps = bool(node.reads or node.detail) or any(n.last == node.name for n in before)
    right = context.slots | context.shown | ({STEP} if steps else set())
    sayable, sound = False, True
    for number, text in enumerate(node.texts):
        at: Pointer = ("flow", node.name, node.kind, number)
        names = set(placeholders(text)) - ({STEP} if steps else set())
        unknown = sorted(names - right)
        for name in unknown:
            message = f"{{{name}}} is no slot and no input or output of a call"
            context.add("E301", at, f"{message}; {hint(name, right)}")
        if _BRACE.search(text) and _BRACE.search(PLACEHOLDER.sub("", text)):
            message = "a brace without its other half, or around more than a name"
            context.add("E301", at, f"{message}; write {{slot}}")
        early = sorted(names - set(unknown) - _at_best(context, node, knowledge))
        for name in early:
            why = "no call on the way here returns it"
            if name in context.slots:
                why = "nobody has given or asked for it on any way that leads here"
            context.add("E302", at, f"{{{name}}} cannot be known here; {why}")
        sound = sound and not unknown and not early
        sayable = sayable or names <= knowledge.sure.get(node.name, frozenset())
    if node.kind == "system" and node.texts and sound and not sayable and context.whole:
        _report_silent(context, node, knowledge)


def _report_silent(context: ValidationContext, node: Node, knowledge: Knowledge) -> None:
    if node.name not in knowledge.sure:
        return
    names = {name for text in node.texts for name in placeholders(text)}
    missing = ", ".join(sorted(names - knowledge.sure[node.name] - {STEP}))
    message = f"some ways lead here without {missing}, and then nothing can be said"
    right = "add a template without placeholders, or ask first"
    context.add("W303", ("flow", node.name, "system"), f"{message}; {right}")


def _at_best(context: ValidationContext, node: Node, knowledge: Knowledge) -> frozenset[str]:
    """Return the names with a possible value at a node: all slots at a user node."""
    perhaps = knowledge.perhaps.get(node.name)
    if perhaps is None or not context.whole:
        return context.slots | context.shown
    return perhaps | context.slots if node.kind == "user" else perhaps


def _check_calls(context: ValidationContext, knowledge: Knowledge) -> None:
    for node in context.task.flow.nodes.values():
        call = context.call(node) if node.kind == "call" else None
        perhaps = knowledge.perhaps.get(node.name)
        if call is None or perhaps is None or not context.whole:
            continue
        for column in call.inputs:
            relevant = column.required and column.slot in context.task.slots
            if relevant and column.slot not in perhaps:
                message = (
                    f"{call.name!r} requires {column.name}, and {column.slot!r} is never known"
                )
                right = "here; ask for it on the way"
                context.add("E405", ("flow", node.name, "call"), f"{message} {right}")


def _check_alike(context: ValidationContext) -> None:
    task = context.task
    systems = [node for node in task.flow.nodes.values() if node.kind == "system"]
    for node, number, other in _twins(systems):
        message = f"{other!r} says the same, so that the text does not separate the two"
        context.add("W301", ("flow", node, "system", number), f"{message}; say it differently")
    places: set[tuple[str, int]] = set()
    for before in task.flow.nodes.values():
        for node, number, other in _twins(context.following(before, "user")):
            if (node, number) not in places:
                places.add((node, number))
                message = f"{other!r} has the same answer to the same question"
                at = ("flow", node, "user", number)
                context.add("E309", at, f"{message}, so that nothing separates them; change one")


def _twins(nodes: Iterable[Node]) -> Iterator[tuple[str, int, str]]:
    """Yield node, index and earlier node of equal templates; case and punctuation are ignored."""
    first: dict[str, str] = {}
    for node in nodes:
        for number, text in enumerate(node.texts):
            owner = first.setdefault(_plain(text), node.name)
            if owner != node.name:
                yield node.name, number, owner


@lru_cache(maxsize=KEPT)
def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w{}]+", text.lower()))
