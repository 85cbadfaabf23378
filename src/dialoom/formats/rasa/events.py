"""The events of a story or test: what the user says or means, and what the bot does.

A step has the keys of Rasa: `user`, `intent` with `entities`, `action`, `bot`, `utter`,
`slot_was_set`, and in tests `assertions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.dialogue.annotation import GOLD, Act, Argument, Layer, Part, Span, State, Value
from dialoom.dialogue.event import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.formats.base.values import BrokenError, Json, at, spoken, without
from dialoom.formats.chat.marks import parse, spell

KEPT = "rasa"
"""The key in `extra` of steps that are no events, and of what else an entity has."""

_ENTITY = re.compile(r"\[([^\[\]]+)\](?:\(([^()]+)\)|(\{[^{}]+\}|\[\s*\{[^\[\]]+\}\s*\]))")
_HOLE = re.compile(r"\{([^{}\s]+)\}")
_UTTERS = "utter_"
_MAY_LACK = ("user", "intent")
_TEXTS = (*_MAY_LACK, "bot", "utter", "action", "action_executed")
"""The keys of a step that have a text; the first ones may be null."""

_QUALIFIERS = ("role", "group")
"""The keys of an entity in `entities`, its name aside."""


class Story:
    """Builds the events of a story, step by step.

    Args:
        responses: The texts of the bot's responses.
        values: The slots that are set before the user's first turn.
    """

    def __init__(self, responses: Mapping[str, str], values: Json) -> None:
        self.responses, self.given = responses, values
        self.events: list[Event] = []
        self.kept: list[list[Any]] = []
        self.flows: dict[str, None] = {}
        self.slots: dict[str, Any] = {}
        self._queries = 0

    def step(self, number: int, step: Any) -> None:
        """Add a step; one that is not read as events alone is kept with its number."""
        if not isinstance(step, dict):
            self.kept.append([number, step])
            return
        either = step.get("or")
        if isinstance(either, list) and either:
            self.step(number, either[0])
            self.kept.append([number, step])
            return
        outcomes = [self._read(key, step) for key in step]
        if not all(outcomes):
            self.kept.append([number, step])

    def _read(self, key: str, step: Json, *, asserted: bool = False) -> bool:
        """Add what a key of a step or assertion says; return False if that is not all of it."""
        value = step[key]
        unset = value is None and key in _MAY_LACK
        if key in _TEXTS and not unset and not isinstance(value, str | int | float):
            raise BrokenError(f"{key!r} is {spoken(value)}; expected a text")
        match key:
            case "user":
                self._hear(step)
            case "intent" | "entities":
                if key == "intent" and "user" not in step:
                    self._hear(step)
                return key == "intent" or _is_read(step)
            case "bot":
                self.events.append(Utterance(agent=SYSTEM, text=str(value)))
            case "utter" | "action" | "action_executed":
                self._act(str(value), once=asserted)
            case _:
                self._assert(key, value, asserted=asserted)
                return False
        return True

    def _assert(self, key: str, value: Any, *, asserted: bool) -> None:
        """Add what a step says that has more to it than events."""
        several = value if isinstance(value, list) else [value]
        if key == "slot_was_set":
            self._set(dict(pairs(value, asserted=asserted)))
        elif key == "bot_uttered" or key.startswith("generative_response"):
            for each in several:
                self._uttered(each)
        elif key in ("flow_started", "flow_completed", "flow_cancelled"):
            self._flow(value, starts=key == "flow_started")
        elif key == "assertions":
            for each in several:
                for inner in each if isinstance(each, dict) else ():
                    self._read(inner, each, asserted=True)

    def _hear(self, step: Json) -> None:
        self.events.append(_user(step))
        if self.given:
            self._set(self.given)
            self.given = {}

    def _act(self, name: str, *, once: bool) -> None:
        if name.startswith(_UTTERS) or name in self.responses:
            reply = _said(name, self._filled(self.responses.get(name, "")))
            self._say(reply, once=once)
        else:
            self._queries += 1
            self.events.append(Query(id=str(self._queries), api=name))

    def _uttered(self, value: Any) -> None:
        name = at(value, str, "utter_name")
        text = self._filled(self.responses.get(name, "")) or at(value, str, "text_matches")
        reply = _said(name, text) if name else Utterance(agent=SYSTEM, text=text)
        self._say(reply, once=True)

    def _say(self, reply: Utterance, *, once: bool) -> None:
        """Add an utterance of the bot; if `once`, not one of the turn that is asserted again."""
        for index in range(len(self.events) - 1, -1, -1) if once else ():
            event = self.events[index]
            if isinstance(event, Utterance) and event.agent == USER:
                break
            if isinstance(event, Utterance) and _repeats(reply, event):
                self.events[index] = replace(event, text=event.text or reply.text)
                return
        self.events.append(reply)

    def _filled(self, text: str) -> str:
        return _HOLE.sub(lambda hole: str(self.slots.get(hole[1], hole[0])), text)

    def _set(self, slots: Json) -> None:
        """Set slots: the result of the bot's action before, or the state after the user's turn."""
        if not slots:
            return
        known = self.slots | slots
        self.slots = {name: value for name, value in known.items() if value is not None}
        last = self.events[-1] if self.events else None
        if isinstance(last, Query):
            self.events.append(Result(query=last.id, items=(slots,)))
        elif isinstance(last, Result):
            self.events[-1] = replace(last, items=({**last.items[0], **slots},))
        else:
            self._note(values={n: _scalars(value) for n, value in slots.items()})

    def _note(self, intent: str | None = None, values: Mapping[str, Any] | None = None) -> None:
        for index in range(len(self.events) - 1, -1, -1):
            event = self.events[index]
            if isinstance(event, Utterance) and event.agent == USER:
                part = event.layers[0].parts[0] if event.layers else Part()
                old = part.state or State()
                state = State(intent=intent or old.intent, values={**old.values, **(values or {})})
                layer = Layer(GOLD, (replace(part, state=state),))
                self.events[index] = replace(event, layers=(layer,))
                return

    def _flow(self, value: Any, *, starts: bool) -> None:
        """Read one flow, or several (`flow_ids`); of any of several nobody knows which started."""
        fields = value if isinstance(value, dict) else {"flow_id": value}
        several = at(fields, list, "flow_ids")
        unsure = fields.get("operator") == "any" and len(several) > 1
        ids = [fields.get("flow_id")] if unsure else [fields.get("flow_id"), *several]
        names = [n for n in ids if isinstance(n, str) and not n.startswith("pattern_")]
        self.flows |= dict.fromkeys(names)
        if starts and names:
            self._note(intent=names[0])


def _repeats(reply: Utterance, before: Utterance) -> bool:
    """True if an assertion is about an utterance before; it names its act, or has its text."""
    return reply.layers == before.layers if reply.layers else reply.text in ("", before.text)


def _said(name: str, text: str) -> Utterance:
    return Utterance(agent=SYSTEM, text=text, layers=(Layer(GOLD, (Part(acts=(Act(name),)),)),))


def _user(step: Json) -> Utterance:
    source = step.get("user")
    text, spans, arguments = unmarked(str(source).strip() if source is not None else "")
    intent = step.get("intent")
    entities = [] if spans else list(_entities(step.get("entities")))
    acts = (Act(str(intent), tuple(arguments + entities)),) if intent is not None else None
    if acts is None and not spans:
        return Utterance(agent=USER, text=text)
    part = Part(acts=acts, spans=tuple(spans) or None)
    return Utterance(agent=USER, text=text, layers=(Layer(GOLD, (part,)),))


def unmarked(text: str) -> tuple[str, list[Span], list[Argument]]:
    """Return a text without marks of entities, their spans and their values.

    `[Rome](city)`, `[Rome](city:rome)` and `[Rome]{"entity": "city", "value": "rome"}` are marks;
    the object may also be a list of such. A mark's other keys, such as `role` and `group`, are kept
    in `extra`.

    Raises:
        BrokenError: A mark is no object with the name of an entity.
    """
    plain, spans, arguments, end = "", [], [], 0
    for match in _ENTITY.finditer(text):
        plain += text[end : match.start()]
        start, end = len(plain), match.end()
        plain += match[1]
        for name, value, extra in _marked(match):
            spans.append(Span(start, len(plain), (name,), value=value, extra=extra))
            arguments.append(Argument(name, (match[1] if value is None else value,), extra=extra))
    return plain + text[end:], spans, arguments


def _marked(match: re.Match[str]) -> list[tuple[str, Value, Json]]:
    if match[2] is not None:
        name, _, value = match[2].partition(":")
        return [(name, value or None, {})]
    try:
        entry = parse(match[3])
    except ValueError:
        entry = None
    return [_entity(each, match[0]) for each in (entry if isinstance(entry, list) else [entry])]


def _entity(content: Any, text: str) -> tuple[str, Value, Json]:
    mark = at(content, dict)
    if not isinstance(mark.get("entity"), str):
        raise BrokenError(f'{text} is no JSON object with an "entity"')
    value = mark.get("value")
    scalar = not isinstance(value, dict | list)
    rest = without(mark, "entity", "value") if scalar else without(mark, "entity")
    return mark["entity"], value if scalar else None, _kept(rest)


def _kept(rest: Json) -> Json:
    return {KEPT: rest} if rest else {}


def _entities(value: Any) -> Iterator[Argument]:
    for each in at(value, list):
        if isinstance(each, str):
            yield Argument(each)
        elif isinstance(each, dict) and "entity" in each:
            rest = _kept(without(each, "entity", "value"))
            yield Argument(str(each["entity"]), _scalars(each.get("value")), extra=rest)
        elif isinstance(each, dict):
            fields = without(each, *_QUALIFIERS) or each
            rest = _kept(without(each, *fields))
            for name, entry in fields.items():
                yield Argument(str(name), _scalars(entry), extra=rest)


def _is_read(step: Json) -> bool:
    """True if the entities of a step are arguments of its act; marks in its text come first."""
    entries = step["entities"]
    kinds = isinstance(entries, list) and all(isinstance(each, str | dict) for each in entries)
    return kinds and step.get("intent") is not None and not _ENTITY.search(str(step.get("user")))


def _scalars(value: Any) -> tuple[Value, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(spell(each, {}) if isinstance(each, dict | list) else each for each in several)


def pairs(value: Any, *, asserted: bool) -> Iterator[tuple[str, Any]]:
    """Yield the slots of `slot_was_set` with their values: `- slot: value`, or
    `{name: slot, value: …}`. An entry without a value (`- slot`, in assertions `{name: slot}`)
    says that the slot has one, not which."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict) and (asserted or "value" in each) and _names(each):
            if "value" in each and isinstance(each["name"], str):
                yield each["name"], each["value"]
        elif isinstance(each, dict):
            yield from ((str(name), entry) for name, entry in each.items())


def _names(pair: Json) -> bool:
    return "name" in pair and pair.keys() <= {"name", "value"}


def as_json(value: Any) -> Any:
    """Return a value of YAML as one of JSON: keys are texts."""
    return msgspec.to_builtins(value, str_keys=True)
