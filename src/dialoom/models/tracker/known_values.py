"""Slots as training has them: values of states that differ from the user's words, and types.

The states of some corpora have canonical values ("centre", "17:15", "yes") for many wordings ("in
the middle of town", "a quarter past five", "with wifi"), and their schemas do not list these
values. Values of training's acts, with the state's value then, show how each value is said. States
that copy the user's words, as in SGD, need nothing of this.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.learn.words import content, normal_text, root, stem
from dialoom.models.tracker.turns import SAYS, TEXT, Speech, TrackedTurn
from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.service import ANYTHING, ServiceSlot
from dialoom.schema.service_words import ServiceWords
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import parse

MOST, COVERED = 30, 0.9
"""Most values of a slot that counts as one of listed values, and the least share of the changes of
its value that these values have."""

CHANGES = 20
"""Least changes of a slot's value in training for it to be judged."""

TWICE = 2
"""Least occurrences of a listed value, of a way to say a value, and of a name to look for."""

AGREED = 0.8
"""Least share of a value in the changes of a slot for the same words."""

OTHERWISE = 0.01
"""Least share of values said in other words; free slots of SGD have hardly any."""

TIMED = 0.9
"""Least share of times in the values of a slot of times."""

_TIME = Slot(name="time", type="time")
_FIGURES = re.compile(r"\d?\d[:.]\d\d")
_OTHER = re.compile(r"[\W_]+")
_LETTERS = "="
"""Mark of a form of letters alone."""
_MEMORY = 10_000
"""Number of texts in the cache of forms, and of slots in that of features."""


@dataclass(frozen=True)
class StateValues:
    """The values of a slot in training's states.

    `listed` are the values, if few and common. `said` maps forms of people's words (`forms`) to
    values. `lower` is True if values are in small letters that people write in capitals, `timed`
    for times as "17:15", `written` if times keep their figures: "5:15" is "05:15" and not "17:15".
    """

    listed: tuple[str, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    lower: bool = False
    timed: bool = False
    written: bool = False

    def spelled(self, text: str) -> str:
        """Return the value that a text expresses, as states spell it."""
        for form in forms(text) if self.said else ():
            if form in self.said:
                return self.said[form]
        time = time_of(text, self.written) if self.timed else None
        return time or (text.lower() if self.lower else text)

    def ways(self, value: str) -> list[str]:
        """Return the normal forms of wordings of a value, other than its own."""
        own = normal_text(value)
        ways = (form for form, meaning in self.said.items() if meaning == value)
        return [form for form in ways if form != own and not form.startswith(_LETTERS)]


UNKNOWN = StateValues()
"""No known values."""


KnownStates = tuple[Mapping[str, Mapping[str, StateValues]], tuple[str, ...]]
"""Service to slot to its values in training's states, and normal forms of common values of slots
without listed values."""


@lru_cache(_MEMORY)
def forms(text: str) -> tuple[str, str]:
    """Return the forms to look up a text by: its normal form, and its letters alone.

    The latter has no spaces, marks and leading article: "=4starhotel" for "The 4-star hotel".
    """
    words = text.lower().split()
    first = words[:1] and words[0] in lexicon("en").articles
    return normal_text(text), _LETTERS + _OTHER.sub("", "".join(words[bool(first) :]))


@lru_cache(_MEMORY)
def time_of(text: str, verbatim: bool = False) -> str | None:
    """Return the time that a text expresses; `verbatim` keeps the figures of a time alone."""
    if verbatim and _FIGURES.fullmatch(text):
        return text.replace(".", ":").rjust(5, "0")
    moment = parse(_TIME, text)
    return None if moment is None else str(moment)


@dataclass
class _Changes:
    """The changes of a slot's value in training.

    `values` counts changes to each value, `otherwise` those to values not said, or only with other
    letters, `recased` those said in capitals. `written` counts times with the spoken figures, minus
    those with others. `said` maps normal forms in acts to the values then.
    """

    values: Counter[str] = field(default_factory=Counter)
    otherwise: int = 0
    recased: int = 0
    written: int = 0
    said: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, values: Sequence[str], texts: Iterable[str], history: str, read: str) -> None:
        """Add a change to `values` (spellings) after texts in acts of the turn.

        `history` is the dialogue so far, `read` its normal form.
        """
        self.values[values[0]] += 1
        norms = set(map(normal_text, values))
        self.otherwise += not any(value in history for value in values)
        self.recased += values[0] not in history and values[0] in history.lower()
        for text in texts:
            norm, readings = normal_text(text), (time_of(text, True), time_of(text))
            if readings[0] != readings[1] and values[0] in readings:
                self.written += 1 if values[0] == readings[0] else -1
            if norm and norm not in norms and f" {norm} " in read:
                self.said.setdefault(norm, Counter())[values[0]] += 1

    def learnt(self, pool: Mapping[str, str]) -> StateValues:
        """Return the learnt values; none if values copy the user's words.

        `pool` maps forms of the values of all slots to the value.
        """
        total = self.values.total()
        if total < CHANGES or self.otherwise < max(TWICE, OTHERWISE * total):
            return UNKNOWN
        common = sorted(value for value, n in self.values.items() if n >= TWICE)
        few = len(common) <= MOST and sum(self.values[each] for each in common) >= COVERED * total
        timed = sum(n for value, n in self.values.items() if time_of(value) == value)
        if timed >= TIMED * total:
            return StateValues(timed=True, written=self.written > 0)
        forms = {norm: value for norm, uses in self.said.items() if (value := self._agreed(uses))}
        return StateValues(
            tuple(common) if few else (),
            {**({} if few else pool), **forms, **spellings(self.values)},
            self.recased >= TWICE,
        )

    def _agreed(self, values: Counter[str]) -> str | None:
        (value, n), *_ = values.most_common(1)
        return value if n >= max(TWICE, AGREED * values.total()) else None


def spellings(values: Counter[str]) -> dict[str, str]:
    """Return the forms of values to the commonest value of each."""
    ordered = sorted(values, key=lambda value: (values[value], value))
    return {form: value for value in ordered for form in forms(value)}


def known_values(
    dialogues: Iterable[Sequence[TrackedTurn]], schemas: Mapping[str, TaskSchema]
) -> KnownStates:
    """Return the values in training's states of slots whose schemas list none."""
    categories = {
        (name, slot.name)
        for name, task in schemas.items()
        for slot in contract(task).slots
        if slot.categorical
    }
    changes: dict[tuple[str, str], _Changes] = {}
    for dialogue in dialogues:
        for place, values, texts, history, read in _changes(dialogue):
            if place not in categories:
                changes.setdefault(place, _Changes()).add(values, texts, history, read)
    total: Counter[str] = Counter()
    for each in changes.values():
        total.update(each.values)
    pool = spellings(total)
    states: dict[str, dict[str, StateValues]] = {}
    names: Counter[str] = Counter()
    for (service, slot), each in sorted(changes.items()):
        entry = states.setdefault(service, {})[slot] = each.learnt(pool)
        if entry.said and not entry.listed:
            names.update(each.values)
    common = {normal_text(value) for value, n in names.items() if n >= TWICE}
    return states, tuple(sorted(common))


def _changes(
    dialogue: Sequence[TrackedTurn],
) -> Iterator[tuple[tuple[str, str], list[str], list[str], str, str]]:
    """Yield (service, slot), values, values in acts, and the dialogue so far, twice."""
    history, read = "", " "
    before: dict[tuple[str, str], tuple[object, ...]] = {}
    for turn in dialogue:
        history += f"{turn.system.text}\n{turn.user.text}\n"
        read += " ".join([*turn.system.stems, *turn.user.stems, ""])
        for service, state in turn.states.items():
            for slot, values in state.values.items():
                if values != before.get((service, slot)) and values[:1] not in ((), (ANYTHING,)):
                    texts = _given(turn.user, service, slot) or _given(turn.system, service, slot)
                    yield (service, slot), list(map(str, values)), texts, history, read
                before[service, slot] = values


def _given(speech: Speech, service: str, slot: str) -> list[str]:
    return [
        value
        for act in speech.acts or ()
        if act.service == service and act.slot == slot and act.act in SAYS
        for value in act.values
    ]


class TypedSlot(NamedTuple):
    """A slot of a service without listed values, in one wording, and its type."""

    service: str
    slot: ServiceSlot
    type: str


class SlotTypes:
    """Predicts types of slots; by the rules if it was fitted on fewer than two types.

    Rules derive the type of a slot without listed values from its words (schema.service_words);
    they classify "trip_start" as a time, whatever its description. So they decide only if name and
    description alone have the same type for them, other than free text; else a classifier does: a
    logistic regression over words, the last word of the name, and the rules' two types. It is
    fitted on the slots of training's services in all their wordings, also by the name or the
    description alone; their types are those of the original wording.
    """

    def __init__(self, slots: Iterable[TypedSlot] = ()) -> None:
        read = [part for each in slots for part in _parts(each)]
        self._model = _fitted(
            [_features(each.slot.name, each.slot.description) for each in read],
            [each.type for each in read],
        )

    def __call__(self, slot: ServiceSlot, kind: str) -> str:
        """Return the type of a slot; `kind` is the rules' type."""
        if self._model is None:
            return kind
        of_name, of_description = _by_rules(slot.name, slot.description)
        if of_name == of_description != TEXT:
            return of_name
        return str(self._model.predict([_features(slot.name, slot.description)])[0])


def _parts(typed: TypedSlot) -> Iterator[TypedSlot]:
    yield typed
    yield typed._replace(slot=replace(typed.slot, name=""))
    yield typed._replace(slot=replace(typed.slot, description=None))


def _fitted(rows: Sequence[dict[str, float]], labels: Sequence[str]) -> Any:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    if len(set(labels)) < 2:
        return None
    model = make_pipeline(DictVectorizer(), LogisticRegression(C=3.0, max_iter=500))
    return model.fit(rows, labels)


@lru_cache(_MEMORY)
def _features(name: str, description: str | None) -> dict[str, float]:
    words = [root(stem(word)) for word in split_name(name)]
    described = content(description or "")
    row = {f"name {word}": 1.0 for word in words} | {f"last {word}": 1.0 for word in words[-1:]}
    row |= {f"word {word}": 1.0 for word in (*words, *described)}
    row |= {f"first {word}": 1.0 for word in described[:1]}
    for what, kind in zip(("name", "description"), _by_rules(name, description), strict=True):
        row[f"{what}: {kind}"] = 1.0
    return row


def _by_rules(name: str, description: str | None) -> tuple[str, str]:
    kind = ServiceWords().kind
    alone = ServiceSlot(name=name), ServiceSlot(name="", description=description)
    of_name, of_description = (str(kind(slot)["type"]) for slot in alone)
    return of_name, of_description
