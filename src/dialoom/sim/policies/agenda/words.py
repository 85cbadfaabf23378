"""Meaning of a service's slots and intents, for the grammar of acts.

words = slot_words(slot, "Whether pets are allowed", "", wording("en"))
words.role, words.values["x"]         # ("flag.allowed", "pets")
intent_words(intent, wording("en"))   # {"verb": "book", "thing": "table", "it": "it", …}
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from msgspec.structs import replace

from dialoom.schema.act_wording import ActWording
from dialoom.schema.lexicon import words
from dialoom.schema.service import ServiceIntent
from dialoom.schema.service_words import printable, spoken_name
from dialoom.sim.policies.agenda.slots import SlotOf

Values = dict[str, str]
"""Placeholder of the grammar to its text; an empty text only marks that something holds."""

LONGEST_OBJECT = 4
"""Most words of an object that is taken from a description."""

LONGEST_PHRASE = 8
"""Most words of a description that is used verbatim."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The role of a slot (or its values' shape), its words, and its unit in singular and plural."""

    role: str
    values: Values
    unit: tuple[str, str]


def slot_words(
    slot: SlotOf, description: str, name: str, wording: ActWording, own: str = ""
) -> RoleWords:
    """Return the role and words of a slot.

    `name` is its spoken name, if the pack of its service has one, and `own` the pack's phrase for
    it, with `{value}`, if any.
    """
    noun = name or _spoken(slot.name, wording)
    if slot.flag:
        return _flag(slot, name, description, wording)
    shape = slot.kind if slot.kind in ("date", "time", "amount") else "text"
    if shape == "text" and (slot.counts or slot.kind == "integer"):
        shape = "count"
    elif shape == "text" and slot.kind == "category":
        shape = "category"
    role = wording.role(shape, slot.name, description)
    if role and not role.role.startswith("name"):
        tokens = noun.split()
        if wording.naming[0] in tokens:
            noun = " ".join(word for word in tokens if word not in wording.naming) or noun
    unit = ""
    if shape == "count":
        unit = _unit(f"{spoken_name(slot.name)} {noun}", wording) or (role.unit if role else "")
        unit = unit or wording.plural(noun)
    values = {"noun": noun, "unit": unit} if unit else {"noun": noun}
    if own:
        phrase = own.replace(unit, "{unit}") if unit else own
        values["own"] = f" {phrase}"
    return RoleWords(role.role if role else shape, values, (wording.singular(unit), unit))


def _flag(slot: SlotOf, name: str, description: str, wording: ActWording) -> RoleWords:
    tokens = words(name) or spoken_name(slot.name).lower().split()
    cuts = ((flag.role, flag.cut(tokens)) for flag in wording.flags)
    role, rest = next(((role, cut) for role, cut in cuts if cut is not None), ("flag.has", tokens))
    many = wording.plural(rest[-1]) == rest[-1]
    number = {"plural": "", "are": "are"} if many else {"singular": "", "are": "is"}
    articles = "|".join(wording.determiners[:2])
    if re.search(rf"\b(?:{articles}) (?:\w+ )?{re.escape(rest[-1])}\b", description):
        rest = ["a~", *rest]
    return RoleWords(role, {"noun": " ".join(tokens), "x": " ".join(rest), **number}, ("", ""))


def _unit(name: str, wording: ActWording) -> str:
    return next((w for w in reversed(name.split()) if wording.plural(w) == w), "")


def _spoken(name: str, wording: ActWording) -> str:
    tokens = spoken_name(name).split()
    return " ".join(tokens[1:] if len(tokens) > 1 and tokens[0] in wording.cut else tokens)


def intent_ways(intent: ServiceIntent, wording: ActWording) -> tuple[Values, ...]:
    """Return the grammar's values for an intent: in its own words, and in synonyms."""
    described = (intent.description or "").split()
    other = " ".join([wording.synonyms.get(word, word) for word in described])
    texts = dict.fromkeys((intent.description or "", other))
    return tuple([intent_words(replace(intent, description=text), wording) for text in texts])


def user_ways(intent: ServiceIntent, wording: ActWording) -> tuple[Values, ...]:
    """Return users' words for an intent: as `intent_ways`, and in rewordings of its start."""
    described = (intent.description or "").lower()
    starts = [start for start in wording.rewordings if f"{described} ".startswith(f"{start} ")]
    start = max(starts, key=len, default="")
    place = intent_words(intent, wording).get("place", "")
    ways = list(intent_ways(intent, wording))
    for other in wording.rewordings.get(start, ()):
        text = other + described[len(start) :]
        ways.append(intent_words(replace(intent, description=text), wording))
        if place:
            ways[-1]["place"] = place
    return tuple(ways)


def intent_words(intent: ServiceIntent, wording: ActWording) -> Values:
    """Return the grammar's values for an intent."""
    described = printable(intent.description or "").rstrip(". ").lower()
    verb, determiner, thing, rest = _parsed(described.split(), wording)
    tokens = spoken_name(intent.name).lower().split()
    if not thing or wording.vague.intersection(thing.split()) or thing in wording.filler:
        verb, _, thing, _ = _parsed(tokens, wording)
        determiner = determiner or wording.determiners[0]
    thing = thing or " ".join(tokens)
    head, to, purpose = thing.partition(" to ")
    *before, last = head.split()
    one, many = (
        " ".join([*before, form]) + to + purpose
        for form in (wording.singular(last), wording.plural(last))
    )
    plural = last == wording.plural(last) and last != wording.singular(last)
    values = {"verb": verb or tokens[0], "thing": one, "things": many, "object": thing}
    values |= {"it": "them", "has": "have", "is": "are"} if plural else {
        "it": "it", "has": "has", "is": "is"
    }  # fmt: skip
    if plural:
        values |= {"many": "", "countable": ""}
    elif determiner in wording.determiners[:2]:
        values |= {"one": "", "countable": ""}
    elif determiner == wording.mine:
        values |= {"my": "", "things": one}
    else:
        values |= {"the": "", "things": one} if determiner else {"own": "", "things": one}
    article = "" if plural or not determiner else "a~" if "one" in values else determiner
    values["kind"] = " ".join([*before, wording.singular(last)])
    if wording.sober.isdisjoint(thing.split()):
        values["leisure"] = ""
    values["do"] = " ".join(filter(None, (values["verb"], article, thing)))
    plain = not {*"{}<>~"} & {*described} and not wording.vague.intersection(rest)
    if rest and plain and len(described.split()) <= LONGEST_PHRASE:
        values["long"] = described
    if values["verb"] in wording.nouns:
        values["booking"] = wording.nouns[values["verb"]] or one
    if values["verb"].split()[0] not in wording.experienced:
        values["does"] = ""
    if place := _place(described.split(), wording) if intent.transactional else one:
        values["place"] = place
    values["done"] = wording.participles.get(values["verb"].split()[0], "arranged")
    return values | ({"books": ""} if intent.transactional else {"search": ""})


def _place(tokens: list[str], wording: ActWording) -> str:
    for at, word in enumerate(tokens[:-2]):
        if word in wording.where and tokens[at + 1] in wording.determiners[:2]:
            return " ".join(tokens[at + 2 :])
    return ""


def _parsed(tokens: list[str], wording: ActWording) -> tuple[str, str, str, list[str]]:
    at = 1
    while at < len(tokens) and tokens[at] in wording.particles:
        at += 1
    verb, determiner = " ".join(tokens[:at]), ""
    if at < len(tokens) and tokens[at] in wording.determiners:
        determiner, at = tokens[at], at + 1
    end = at
    while end < len(tokens) and end - at < LONGEST_OBJECT and not _ends(tokens, end, wording):
        end += 1
    return verb, determiner, " ".join(tokens[at:end]).rstrip(",:;"), tokens[end:]


def _ends(tokens: list[str], at: int, wording: ActWording) -> bool:
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if tokens[at] in wording.prepositions:
        return True
    return tokens[at] == "to" and (not after or after in wording.determiners)
