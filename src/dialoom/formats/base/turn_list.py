"""Shared parts of the readers of published JSON: fields that are taken, annotation by service.

    def dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
        name = raw.needed("dialogue_id", str)
        for turn in raw.objects("turns", "turn"):
            marks = Annotation()
            marks.act("hotel", "inform", Argument("area", ("north",)))
            events.append(said(USER, turn.needed("text", str), marks, turn))
        return raw.dialogue(name, events, origin)

    FORMAT = reading("m2m", dialogue, Signs("turns[].user_utterance.text"))

A field that a reader does not take, or that is of another type than the layout has, goes to `extra`
as it is. A field without which there is no dialogue is an error that names the place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dialoom.corpus.files import NOT_JSON, parse_json
from dialoom.corpus.traits import Traits
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Argument, Layer, Part, Span, State
from dialoom.formats.base.codec import Place
from dialoom.formats.base.framing import LIST, OBJECT
from dialoom.formats.base.json_file import INDENTED, RAWS_BY_KEY
from dialoom.formats.base.multi_file import FileFormat, Read
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import EXACT, SCALAR, Json, spoken

PAIR = Traits(pair=True)
"""The traits of a format in which only user and system speak."""

JSON_FILES = re.compile(r"(?:[^/]+/){0,3}[^/]+\.jsonl?")
"""Names of files that may hold dialogues: any JSON file, at most three folders down."""


T = TypeVar("T")


class Fields:
    """An object of a file; `rest` has the fields that were not taken."""

    def __init__(self, raw: Any, place: Place, what: str) -> None:
        if type(raw) is not dict:
            raise place.error(f"{what}: expected an object, not {spoken(raw)}")
        self.rest: Json = dict(raw)
        self.place, self.what = place, what

    def needed(self, name: str, kind: type[T]) -> T:
        """Take a field; `FormatError` if it is missing, or of another type."""
        if name not in self.rest:
            raise self.place.error(f"{self.what}: no {name!r}")
        value = self.rest[name]
        if type(value) is not kind:
            wording = spoken(kind())
            raise self.place.error(f"{self.what}: {name!r} is {spoken(value)}; expected {wording}")
        del self.rest[name]
        return value

    def take(self, name: str, kind: type[T]) -> T:
        """Take a field if it is of a type; else it stays where it is, and the type's empty value
        is returned."""
        return self.rest.pop(name) if type(self.rest.get(name)) is kind else kind()

    def scalar(self, name: str) -> str:
        """Take a text or number that a reader has as a text; empty if there is none."""
        return str(self.rest.pop(name)) if type(self.rest.get(name)) in (str, int) else ""

    def object(self, name: str, *, needed: bool = True) -> Fields:
        """Take an object; one that is not needed may be missing, or stay where it is."""
        content = self.needed(name, dict) if needed else self.take(name, dict)
        return Fields(content, self.place, name)

    def each(self, name: str, fits: Callable[[Any], bool]) -> Iterator[Any]:
        """Take a list, and yield the entries that fit; the others stay where they are."""
        for entry in self.take(name, list):
            if fits(entry):
                yield entry
            else:
                self.rest.setdefault(name, []).append(entry)

    def objects(self, name: str, what: str, dialogue: str = "") -> Iterator[Fields]:
        """Take a list of objects, and yield them with places; `FormatError` if it is none."""
        for index, value in enumerate(self.needed(name, list)):
            yield Fields(value, Place(self.place.file, dialogue or None, index), what)

    def dialogue(
        self,
        name: str,
        events: Iterable[Event],
        origin: Origin,
        services: Iterable[str] = (),
        **more: Any,
    ) -> Dialogue:
        """Return the dialogue that this object is; fields that were not taken are its `extra`."""
        return Dialogue(
            id=name,
            events=tuple(events),
            services=tuple(services),
            origin=origin,
            extra=self.rest,
            **more,
        )

    def speaker(self, name: str, agents: Mapping[str, str]) -> str:
        """Take a speaker's name, and return the agent; `FormatError` for an unknown name."""
        value = self.needed(name, str)
        agent = agents.get(value)
        if agent is None:
            choices = " or ".join(agents)
            raise self.place.error(f"{self.what}: {name!r} is {value[:40]!r}; expected {choices}")
        return agent


class Annotation:
    """An utterance's annotation by service; with `whole`, a service without any was annotated."""

    def __init__(self, *, whole: bool = False) -> None:
        self._none: tuple[()] | None = () if whole else None
        self._acts: dict[str | None, list[Act]] = {}
        self._spans: dict[str | None, list[Span]] = {}
        self._states: dict[str | None, State] = {}
        self._services: dict[str | None, None] = {}

    def act(
        self, service: str | None, name: str, *arguments: Argument, extra: Json | None = None
    ) -> None:
        """Add an act."""
        self._services[service] = None
        self._acts.setdefault(service, []).append(Act(name, arguments, extra or {}))

    def span(self, service: str | None, span: Span) -> None:
        """Add a span."""
        self._services[service] = None
        self._spans.setdefault(service, []).append(span)

    def state(self, service: str | None, state: State) -> None:
        """Set the state of a service."""
        self._services[service] = None
        self._states[service] = state

    def layers(self) -> tuple[Layer, ...]:
        """Return the annotation as the gold layer; none if there is no annotation."""
        parts = tuple(map(self._part, self._services))
        return (Layer(GOLD, parts),) if parts else ()

    def _part(self, service: str | None) -> Part:
        acts, spans = self._acts.get(service), self._spans.get(service)
        return Part(
            service,
            self._none if acts is None else tuple(acts),
            self._none if spans is None else tuple(spans),
            self._states.get(service),
        )


def said(agent: str, text: str, marks: Annotation, turn: Fields | None = None) -> Utterance:
    """Return an utterance with its annotation, and the fields of its turn that were not taken."""
    rest = turn.rest if turn else {}
    return Utterance(agent=agent, text=text, layers=marks.layers(), extra=rest)


def with_text(key: str) -> Callable[[Any], bool]:
    """Return a test for objects that have a text under a key."""
    return lambda each: isinstance(each, dict) and isinstance(each.get(key), str)


def argument(slot: Any, *values: Any) -> Argument:
    """Return a slot with the values that are single ones; others are kept in `extra`."""
    single = tuple(value for value in values if type(value) in SCALAR.types)
    other = [value for value in values if type(value) not in SCALAR.types]
    return Argument(str(slot), single, extra={"values": other} if other else {})


def state_of(
    slots: Mapping[str, Any],
    unset: Sequence[Any] = ("",),
    *,
    intent: str | None = None,
    requested: Iterable[str] = (),
    **more: Any,
) -> State:
    """Return a state of slots with values; `unset` values are kept in `extra`, as is `more`."""
    values: dict[str, tuple[Any, ...]] = {}
    extra: Json = {}
    for slot, value in slots.items():
        several = value if type(value) is list else [value]
        if value in unset or not all(type(each) in SCALAR.types for each in several):
            if value:
                extra[slot] = value
        elif several:
            values[slot] = tuple(several)
    return State(intent, tuple(requested), values, extra | more)


def span_of(text: str, start: Any, end: Any, label: str, value: Any = None) -> Span | None:
    """Return a span; None if its offsets are no whole numbers.

    The value is kept where it differs from the text at this place.
    """
    if not all(type(each) is int and abs(each) < EXACT for each in (start, end)):
        return None
    same = value is None or type(value) not in SCALAR.types or text[start:end] == value
    return Span(start, end, (label,), value=None if same else value)


def token_spans(tokens: Iterable[str], text: str) -> list[tuple[int, int]]:
    """Return the characters of each token in a text; a token that is not found has none."""
    spans, at = [], 0
    for token in tokens:
        start = text.find(token, at)
        if start < 0:
            start = end = at
        else:
            end = at = start + len(token)
        spans.append((start, end))
    return spans


def entries(data: bytes, file: Path, single: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dialogues of a list, or of an object with their ids as keys, decoded one by one.

    Args:
        single: A field of a dialogue; an object without it holds dialogues by their ids.

    Raises:
        FormatError: It is not JSON, or neither a list nor an object.
    """
    if single and data.lstrip()[:1] == b"{":
        try:
            raws = RAWS_BY_KEY.decode(data)
        except NOT_JSON:
            raws = {}
        if raws and single not in raws:
            for key, raw in raws.items():
                yield key, parse_json(bytes(raw), file)
            return
    for value in INDENTED.values(data, file):
        yield "", value


Make = Callable[[Fields, str, Origin], Dialogue]
"""A function that returns the dialogue of an object; the text is its key, if it has one."""


def lists(make: Make, single: str = "") -> Read:
    """Return a reader of contents; an object without the field `single` has dialogues by id."""

    def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        for index, (key, value) in enumerate(entries(data, file, single)):
            if type(value) is str:  # DialogStudio's lists have the lines of some corpora as texts
                value = parse_json(value.encode(), file)
            place = Place(file, dialogue=key or f"number {index}")
            yield make(Fields(value, place, "dialogue"), key, Origin(name, index))

    return read


def reading(name: str, make: Make, *signs: Signs, single: str = "", **more: Any) -> FileFormat:
    """Return a read-only format; `single` is as of `lists`, `more` as of `read_only`."""
    return read_only(name, lists(make, single), *signs, **more)


def read_only(
    name: str,
    read: Read,
    *signs: Signs,
    owns: re.Pattern[str] = JSON_FILES,
    traits: Traits = PAIR,
    **more: Any,
) -> FileFormat:
    """Return a read-only format with a reader of its own; `more` are fields of `FileFormat`."""
    return FileFormat(
        name=name,
        owns=owns,
        signs=signs,
        read=read,
        named=False,
        traits=traits._replace(read_only=True),
        **({"forms": (LIST, OBJECT)} | more),
    )


SIDES = {"user": USER, "system": SYSTEM}
"""Speakers as most corpora name them."""

NAMED = dict.fromkeys(("user", "customer", "client", "human", "caller", "usr", "u"), USER)
NAMED |= dict.fromkeys(("me", "seeker", "patient", "guest", "visitor", "student"), USER)
NAMED |= dict.fromkeys(("system", "agent", "assistant", "bot", "wizard", "operator", "s"), SYSTEM)
NAMED |= dict.fromkeys(("sys", "ai", "chatbot", "advisor", "doctor", "recommender"), SYSTEM)
"""Speakers whose names say which side they are on, in small letters."""
