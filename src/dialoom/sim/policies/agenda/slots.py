"""The slots of a service ready for simulation: their values and surface forms.

    slots = read_slots(contract(task), "en", ServiceMetadata(variants={"Port Ansel": ("Ansel",)}))
    slots["hour"].values          # ("08:00", "08:30", …)
    slots["hour"].forms["17:30"]  # ("5:30 pm", "17:30")

SGD's values are texts: "True", "40", "2019-03-08", "17:30". A free-text slot has the possible
values of its schema, else values that its name and description suggest (schema/service_words.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from dialoom.schema.act_wording import wording
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.schema.values import render, samples
from dialoom.schema.values.forms import SurfaceForm, surface_form
from dialoom.schema.yaml.building import build

MOST = 60
"""Most values of a slot of numbers, dates or times."""

_ORDINAL = re.compile(r"\d+[^\W\d]+")
_HALF_DAY = re.compile(r"(?<=\d) [ap]m$")
_TIME = re.compile(r"\d\d:\d\d")
_IN_WORDS = re.compile(r"[^\W\d]+ .*(?<![ap]m)")
_DAY = re.compile(r"[A-Z][a-z]+ \d+(?:st|nd|rd|th)")
_MONTH = re.compile(r"(?<=st|nd|rd|th) of [A-Z]\w+$")

COUNTS = ("integer", "amount")


class ServiceMetadata(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Optional additions of a pack of services to their schemas.

    Attributes:
        concepts: Concept to the slots of several services that mean it.
        names: Slot to its spoken name.
        say: Slot to its phrase after a noun: "in {value}".
        variants: Value to other texts for it.
        kinds: Slot to its type and range, as in a task file, if its words suggest others.
        facts: Slot to its values, each with the row's values in other slots.
        varies: Slots whose values depend on a call's inputs, as the weather on the day.
        goes_with: Domains that may follow these services in a dialogue; None for any.
    """

    concepts: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    say: dict[str, str] = {}
    variants: dict[str, tuple[str, ...]] = {}
    kinds: dict[str, dict[str, Any]] = {}
    facts: dict[str, dict[str, dict[str, str]]] = {}
    varies: frozenset[str] = frozenset()
    goes_with: tuple[str, ...] | None = None


NO_METADATA = ServiceMetadata()
"""The metadata of a service without a pack."""


@dataclass(frozen=True, slots=True, eq=False)
class SlotOf:
    """A slot of a service.

    `yes` are the values that mean yes, if it is a yes-no slot; `kind` is the type of its values:
    category, date, time, integer, amount, short text. `values` are canonical; those without `forms`
    are said as they are.
    """

    name: str
    categorical: bool
    yes: frozenset[str]
    kind: str
    values: tuple[str, ...]
    forms: Mapping[str, tuple[SurfaceForm, ...]]

    def ways(self, value: str) -> tuple[SurfaceForm, ...]:
        """Return the surface forms of a value, the plainest first."""
        return self.forms.get(value) or (surface_form(self.name, value, (value,)),)

    @property
    def flag(self) -> bool:
        """True if it is a yes-no slot."""
        return bool(self.yes)

    @property
    def counts(self) -> bool:
        """True if its values are numbers."""
        return self.kind in COUNTS or all(value.isdigit() for value in self.values)


def read_slots(service: Service, language: str, metadata: ServiceMetadata) -> dict[str, SlotOf]:
    """Return the slots of a service by name, including those that only its intents name."""
    words = ServiceWords(language)
    entries = {slot.name: _slot(slot, words, metadata) for slot in service.slots}
    for intent in service.intents:
        for name in (*intent.inputs, *intent.results):
            if name not in entries:
                entries[name] = _slot(ServiceSlot(name=name), words, metadata)
    return entries


def _slot(slot: ServiceSlot, words: ServiceWords, metadata: ServiceMetadata) -> SlotOf:
    kind, options = "category", [str(value) for value in dict.fromkeys(slot.possible_values)]
    renderings: dict[str, tuple[str, ...]] = {value: (value,) for value in options}
    if not options:
        raw = metadata.kinds.get(slot.name) or _kind(slot, words)
        kind = raw["type"]
        entry = build({"slots": {"slot": raw}}).slots["slot"]
        examples = samples(entry, MOST)
        renderings = {
            str(v): _spoken(str(v), render(entry, v, words.language), words) for v in examples
        }
    elif not slot.categorical:
        kind = "short text"
    yes: list[str] = []
    if slot.categorical and words.is_yes_no(slot):
        affirmative = {pair[0] for pair in words.phrases.yes_no}
        yes = [value for value in renderings if value.casefold() in affirmative]
    forms = {}
    for value, texts in renderings.items():
        more = () if slot.categorical else metadata.variants.get(value, ())
        ordered = sorted(texts, key=lambda text: text[:1].isalnum())  # "$20" before "20 dollars"
        ways = dict.fromkeys((*ordered, *more))
        forms[value] = tuple(surface_form(slot.name, value, (text,)) for text in ways)
    return SlotOf(
        name=slot.name,
        categorical=slot.categorical,
        yes=frozenset(yes),
        kind=kind,
        values=tuple(forms),
        forms=forms,
    )


def _spoken(value: str, texts: tuple[str, ...], words: ServiceWords) -> tuple[str, ...]:
    """Return the texts of a value and some that are said in a context: "3 in the afternoon".

    Times come with a part of the day after or before them, dates with their month or year. An
    ordinal number needs an article: "25th" is left out. That of "25th of March" is no part of the
    value, as in SGD (`phrases.Drafts` adds it).
    """
    idioms, forms = wording(words.language), dict.fromkeys(texts)
    for text in texts:
        bare = text.removeprefix(f"{idioms.determiners[2]} ")
        if _ORDINAL.match(bare) and len(texts) > 1:
            if (bare == text) != bool(_MONTH.search(text)):
                del forms[text]
            elif bare == text:
                forms[_MONTH.sub(idioms.this_month, text)] = None
        elif _TIME.fullmatch(value):
            after, before = next(parts for hour, *parts in idioms.dayparts if int(value[:2]) < hour)
            if _HALF_DAY.search(text):
                forms[_HALF_DAY.sub(after, text)] = None
                forms[f"{before}{_HALF_DAY.sub('', text)}"] = None
            elif _IN_WORDS.fullmatch(text):
                forms[f"{text}{after}"] = None
        elif _MONTH.search(text):
            forms[_MONTH.sub(idioms.this_month, text)] = None
        elif _DAY.fullmatch(text):
            forms[f"{text} {value[:4]}"] = None
    return (*forms, *idioms.days.get(value, ()))


def _kind(slot: ServiceSlot, words: ServiceWords) -> dict[str, Any]:
    """Return a slot's entry in a task file, guessed by the head noun of its name.

    The head of `city_of_event` is "city", that of `event_location` "location". If a head suggests
    no values ("number" of `phone_number`), the whole name decides.
    """
    parts = spoken_name(slot.name).split()
    of = wording(words.language).of
    heads = [parts[parts.index(word) - 1] for word in parts[1:] if word in of]
    heads += parts[-1:] if len(parts) > 1 else []
    for head in heads:
        entry = words.kind(ServiceSlot(name=head))
        examples = entry.get("examples")
        if examples and examples != list(words.phrases.any):
            return entry
    return words.kind(slot)
