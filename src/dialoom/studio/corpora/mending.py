"""Annotations as forms that people fill in, and as the patches that the forms make.

    form_of(act)        MendForm("act", "inform", "city = Rome or Milan\\nprice")
    made(form, act)     the act as JSON, with what is unchanged in the form as it was

A line of a form is a slot and its values: `city = Rome or Milan`. A slot alone has no values.
A text is written as JSON if it is empty, has " or ", a line break or outer spaces, or begins with a
quotation mark: `movie = "Now or Never" or Amelie`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType
from msgspec import json as json_codec
from msgspec.structs import replace

from dialoom.corpus.patches import Patch
from dialoom.dialogue import GOLD, Act, Dialogue, Span, State, Utterance
from dialoom.dialogue.annotation import ANNOTATORS, Argument, Part, Value
from dialoom.errors import UsageError, clip

Kind = Literal["act", "span", "state"]

OR = " or "
"""Separates the values of a slot."""

_VALUE = re.compile(rf'(\s*"(?:\\.|[^"\\])*"\s*|.*?){OR}')
"""Pattern of a value with its separator; the one in a text as JSON separates nothing."""

_AS_JSON = re.compile(rf'"|\s|\Z|.*(?:{OR}|[\n\r]|\s\Z)', re.DOTALL)
"""Pattern of the texts that are written as JSON."""


class MendForm(msgspec.Struct, frozen=True):
    """An annotation as people fill it in.

    Attributes:
        name: The act's name, the span's labels with commas, or the state's intent.
        lines: The slots with their values, each on a line.
        asked: The slots that the user asks for, with commas (state).
        start: First character (span); `end` is the one after the last.
    """

    kind: Kind
    name: str = ""
    lines: str = ""
    asked: str = ""
    start: int = 0
    end: int = 0


Mendable = Act | Span | State


def mendable(dialogue: Dialogue) -> Iterator[tuple[str, Mendable]]:
    """Yield the annotations that can be mended, in order, after their pointers."""
    for index, event in enumerate(dialogue.events):
        if not isinstance(event, Utterance):
            continue
        for i, layer in enumerate(event.layers):
            for j, part in enumerate(layer.parts):
                place = f"/events/{index}/layers/{i}/parts/{j}"
                for pointer, value in _in_part(part):
                    yield place + pointer, value


def _in_part(part: Part) -> Iterator[tuple[str, Mendable]]:
    for number, act in enumerate(part.acts or ()):
        yield f"/acts/{number}", act
    for number, span in enumerate(part.spans or ()):
        yield f"/spans/{number}", span
    if part.state is not None:
        yield "/state", part.state


def form_of(value: Mendable) -> MendForm:
    """Return an annotation as a form."""
    if isinstance(value, Span):
        return MendForm("span", ", ".join(value.labels), start=value.start, end=value.end)
    if isinstance(value, Act):
        return MendForm(
            "act", value.name, "\n".join(_line(a.slot, a.values) for a in value.arguments)
        )
    lines = "\n".join(map(_line, value.values, value.values.values()))
    return MendForm("state", value.intent or "", lines, ", ".join(value.requested))


def _line(slot: str, values: tuple[Value, ...]) -> str:
    return f"{slot} = {OR.join(map(_spelled, values))}" if values else slot


def _spelled(value: Value) -> str:
    plain = isinstance(value, str) and not _AS_JSON.match(value)
    return str(value) if plain else json.dumps(value, ensure_ascii=False)


def made(form: MendForm, old: Mendable | None = None) -> Any:
    """Return the annotation of a form as JSON; what the form leaves as it was keeps its details.

    Raises:
        UsageError: The form has no name, or a line without a slot.
    """
    name = form.name.strip()
    if form.kind == "state":
        return _json(_state(form, name, old if isinstance(old, State) else State()))
    if not name:
        raise UsageError(f"the {form.kind} has no {'label' if form.kind == 'span' else 'name'}")
    if form.kind == "span":
        span = old if isinstance(old, Span) else None
        labels = tuple(filter(None, map(str.strip, name.split(","))))
        if span is not None and (span.start, span.end) == (form.start, form.end):
            return _json(replace(span, labels=labels))
        return _json(Span(form.start, form.end, labels))
    act = old if isinstance(old, Act) else Act(name)
    return _json(Act(name, tuple(_arguments(form.lines, act.arguments)), act.extra))


def _state(form: MendForm, name: str, old: State) -> State:
    before = map(Argument, old.values, old.values.values())
    values = {each.slot: each.values for each in _arguments(form.lines, before)}
    requests = tuple(filter(None, map(str.strip, form.asked.split(","))))
    return State(name or None, requests, values, old.extra)


def _arguments(lines: str, old: Iterable[Argument]) -> Iterator[Argument]:
    before = {_line(each.slot, each.values).strip(): each for each in old}
    types = {each.slot: each.values for each in before.values()}
    for line in filter(None, map(str.strip, lines.split("\n"))):
        slot, sign, values = map(str.strip, line.partition("="))
        if line in before:
            yield before[line]
        elif slot:
            texts = _VALUE.findall(values + OR) if sign else ()
            yield Argument(slot, tuple(_typed(each.strip(), types.get(slot, ())) for each in texts))
        else:
            raise UsageError(f"{clip(line)!r}: write a slot and its values, such as city = Rome")


def _typed(text: str, like: tuple[Value, ...]) -> Value:
    same = next((value for value in like if _spelled(value) == text), UNSET)
    if not isinstance(same, UnsetType):
        return same
    if text.startswith('"') or (like and not any(isinstance(value, str) for value in like)):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        return value if isinstance(value, str | int | float | bool) else text
    return text


_Change: TypeAlias = tuple[str, Any | UnsetType, Any | UnsetType]
"""A place, and the values before and after."""


def change(
    dialogue: Dialogue, pointer: str, form: MendForm | None, who: str, when: str, note: str = ""
) -> Patch:
    """Return the change that a form makes, as a patch of the dialogue.

    Args:
        pointer: The annotation, or an event (`/events/3`) that gets another one.
        form: The new annotation; None to remove it.

    Raises:
        UsageError: There is no such annotation, or the form makes none.
    """
    file = dialogue.origin.file if dialogue.origin else ""
    place, before, after = _change(dialogue, pointer, form, who)
    return Patch(
        dialogue=dialogue.id,
        file=file,
        pointer=place,
        before=before,
        after=after,
        who=who,
        when=when,
        note=note,
    )


def _change(dialogue: Dialogue, pointer: str, form: MendForm | None, who: str) -> _Change:
    for place, old in mendable(dialogue):
        if place == pointer:
            return pointer, _json(old), UNSET if form is None else made(form, old)
    index = pointer.removeprefix("/events/")
    number = int(index) if index.isdecimal() else len(dialogue.events)
    event = dialogue.events[number] if number < len(dialogue.events) else None
    if form is None or not isinstance(event, Utterance):
        raise UsageError(f"{clip(pointer)}: there is no such annotation or utterance")
    return _added(event, pointer, form, who)


def _added(event: Utterance, pointer: str, form: MendForm, who: str) -> _Change:
    name = {"act": "acts", "span": "spans", "state": "state"}[form.kind]
    value = made(form)
    content = value if form.kind == "state" else [value]
    if not event.layers:
        source = ANNOTATORS + who
        return f"{pointer}/layers", UNSET, [{"source": source, "parts": [{name: content}]}]
    i = next((n for n, layer in enumerate(event.layers) if layer.source == GOLD), 0)
    layer = event.layers[i]
    if not layer.parts:
        whole = {**_json(layer), "parts": [{name: content}]}
        return f"{pointer}/layers/{i}", _json(layer), whole
    entries = getattr(layer.parts[0], name)
    place = f"{pointer}/layers/{i}/parts/0/{name}"
    if entries is None or form.kind == "state":
        return place, UNSET if entries is None else _json(entries), content
    return f"{place}/{len(entries)}", UNSET, value


def _json(value: Any) -> Any:
    return json_codec.decode(json_codec.encode(value))
