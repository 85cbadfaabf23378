"""Drafts of one act of a turn: a symbol of the grammar, with the phrases of its slots put in.

    drafted(grammar, "INFORM", items, intent_words(...), rng)     # "I need {v0} {u0} in {v1}."

A way to say an act takes its slots as parts of speech. The role of a slot decides how each part is
worded; the grammar has a symbol for a part and a role, such as `with.city`, `say.flag.has.yes`:

    with       after a noun or a verb        " in {value}", " for {value} {unit}"
    pre        before the noun               "{value} "
    say, bare  a clause, an answer           "I'm leaving from {value}", "for {value}"
    ask, name  a question, a noun phrase     "what's the address", "the phone number"
    head, a    what is offered               "{value}", "a {noun} called {value}"
    is, fact   a fact about it              "has {value} stars", "the rating is {value}"
    term       what is to be confirmed       as `fact`, unless there is a symbol for it

`np` is the noun of the intent with `pre` and `with`. A sentence of the symbol `more` gives the
slots that a way leaves out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from dialoom.sim.core.grammar import Grammar, names_in
from dialoom.sim.core.rng import SeededRng

_INNER = re.compile(r"<([\w.?!-]+)>")
_PART = re.compile(r"\{([\w.]+)\}")

_NOTHING: Mapping[str, str] = {}

_TITLED = "{titled}"
"""Mark of a text that takes noun phrases: "could I have", and not "if it is a nonstop"."""

CLAUSES = 2
"""Most clauses that are joined in a sentence."""

MIXED = 4
"""One in so many lists of slots has a random order."""

TRIES = 100
"""Most drafts of a slot's name, until one is a noun phrase."""

ENDS = ".end"
"""Ending of the roles that come last, such as the date after which a thing is returned."""


class SlotItem(NamedTuple):
    """A slot in a turn; its mood is one of `phrases.mood`, or `same` if its value is taken over."""

    number: int
    role: str
    mood: str
    values: Mapping[str, str]


_SHAPES = ("text", "category", "count", "amount", "date", "time")


def drafted(
    grammar: Grammar,
    symbol: str,
    items: Sequence[SlotItem],
    values: Mapping[str, str],
    rng: SeededRng,
) -> str:
    """Return a template of an act, with `{v0}` for the value of slot 0 and `{u0}` for its unit.

    `values` are the grammar's values for the intent, and its marks.
    """
    return _Draft(grammar, items, values, rng).say(symbol)


class _Draft:
    def __init__(
        self, grammar: Grammar, items: Sequence[SlotItem], values: Mapping[str, str], rng: SeededRng
    ) -> None:
        self._grammar, self._values, self._rng = grammar, values, rng
        queue = [item for item in items if item.mood != "same" or self._can("with", item)]
        if rng.once_in(MIXED):
            queue[1:] = rng.shuffle(queue[1:])
        self._left = sorted(queue, key=lambda item: item.role.endswith(ENDS))
        self._answers = False

    def say(self, symbol: str) -> str:
        """Return the text of a symbol, and a sentence with the slots that it leaves out."""
        self._answers = symbol in _ANSWERS
        if self._left and f"{symbol}.items" in self._grammar.symbols:
            symbol = f"{symbol}.items"
        text = self._put(symbol)
        while self._left:
            text = f"{text} {self._put('more')}"
        return text

    def _put(self, symbol: str) -> str:
        values = {**self._values, **dict.fromkeys(self._possible(), "")}
        text = self._phrase(symbol, values)
        if _TITLED in text:
            text = text.replace(_TITLED, "").replace("{nps}", "{titles}")
        return _PART.sub(lambda match: self._part(match[1]), text)

    def _phrase(self, symbol: str, values: Mapping[str, str]) -> str:
        """Draw a way to say a symbol; unused values do not multiply the cache."""
        names = values.keys() & mentioned(self._grammar, symbol)
        return self._grammar.phrase(symbol, self._rng, names)

    def _part(self, name: str) -> str:
        if name in _PARTS:
            return _PARTS[name](self)
        return self._values.get(name, "")

    def _possible(self) -> list[str]:
        """Return the parts of speech that the remaining slots allow, and marks of their number."""
        left = self._left
        parts = ["with", "np"] if "thing" in self._values else ["with"]
        if not left:
            return [*parts, "alone"]
        if self._answers and not any(self._carried(item) for item in left):
            parts = []  # "Make it. I need 6 tickets."
        parts += [
            "say",
            "nps",
            "questions",
            "facts",
            "terms",
            "bare.terms",
            "fix",
            "bare",
            "values",
            "options",
        ]
        parts.append("single" if len(left) == 1 else "more")
        if all(item.mood == "value" for item in left):
            parts.append("named")
        if all(self._titled(item) for item in left):
            parts += ["titles", "titled"]
        if any(item.mood in ("yes", "no") for item in left):
            parts.remove("values")
            parts.append("polar")
        else:
            parts.append("bare.values")
        parts += [p for p, part in (("head", "head"), ("a.head", "a")) if self._can(part, left[0])]
        if len(left) > 1 and all(self._can("is", item) for item in left[1:]):
            parts.append("clause")
        return parts

    # --- slots ---------------------------------------------------------------------------------

    def _symbol(self, part: str, item: SlotItem) -> str | None:
        return _symbol(self._grammar, part, item.role, item.mood, "unit" in item.values)

    def _can(self, part: str, item: SlotItem) -> bool:
        return self._symbol(part, item) is not None or bool(self._own(part, item))

    def _follows(self, item: SlotItem, marks: Mapping[str, str]) -> bool:
        """Return True if a phrase after a noun or verb gives a slot; a noun allows `marks`."""
        symbol = self._symbol("with", item)
        values = {**self._values, **item.values, **marks, "value": ""}
        return bool(self._own("with", item)) or (
            symbol is not None and self._grammar.says(symbol, values)
        )

    def _carried(self, item: SlotItem) -> bool:
        """Return True if a phrase with a noun, or after it, gives a slot."""
        before = item.mood == "value" and self._can("pre", item)
        return before or self._can("with", item) or self._counts(item)

    def _own(self, part: str, item: SlotItem) -> str:
        """Return the pack's phrase for a slot, unless the grammar has it among others."""
        if part != "with" or item.mood != "value" or not (own := item.values.get("own", "")):
            return ""
        phrases = self._grammar.symbols.get(self._symbol(part, item) or "", ())
        return "" if own in phrases else own

    def _titled(self, item: SlotItem) -> bool:
        """Return True if a slot has a noun phrase for a name; flags have clauses only."""
        ways = self._grammar.symbols.get(self._symbol("name", item) or "", ())
        return any(not self._is_clause(way) for way in ways)

    def _is_clause(self, name: str) -> bool:
        return name.partition(" ")[0] in self._grammar.symbols.get("clause", ())

    def _title(self, item: SlotItem) -> str:
        drafts = (self._one("name", item) for _ in range(TRIES))
        return next(draft for draft in drafts if not self._is_clause(draft))

    def _one(
        self, part: str, item: SlotItem, marks: Mapping[str, str] = _NOTHING, *, alike: bool = False
    ) -> str:
        """Return the text of a slot as a part of speech and mark it as worded.

        A slot with another one `alike` is said by its own noun: two prices, two times. `marks`
        allow ways that fit only there: ", ideally a bus" after a noun.
        """
        own_noun = alike and part in _NAMED and "unit" not in item.values
        symbol = part if own_noun else self._symbol(part, item)
        if item in self._left:
            self._left.remove(item)
        own = self._own(part, item)
        if symbol is None and not own:
            return ""
        values = {**self._values, **item.values, **marks, "value": f"{{v{item.number}}}"}
        if "unit" in values:
            values["unit"] = f"{{u{item.number}}}"
        text = own or self._phrase(str(symbol), values)
        return _PART.sub(lambda match: values.get(match[1], ""), text)

    def _with(self, marks: Mapping[str, str] = _NOTHING) -> str:
        items = [item for item in self._left if self._follows(item, marks)]
        parts = [self._one("with", item, marks) for item in items]
        if len(parts) > CLAUSES and self._rng.once_in(MIXED):
            parts[-1] = f" and{parts[-1]}" if parts[-1][:1] == " " else parts[-1]
        return "".join(parts)

    def _np(self) -> str:
        values = dict(self._values)
        quantity = next((i for i in self._left if self._counts(i)), None)
        if quantity:
            self._left.remove(quantity)
            values["counted"] = f"{{v{quantity.number}}} {{u{quantity.number}}}"
        before = next((i for i in self._left if i.mood == "value" and self._can("pre", i)), None)
        values["pre"] = self._one("pre", before) if before and not quantity else ""
        symbol = "np.counted" if quantity else "np"
        text = self._phrase(symbol, {**values, "with": ""})
        values["with"] = self._with({"appositive": ""})
        return _PART.sub(lambda match: values.get(match[1], ""), text)

    def _counts(self, item: SlotItem) -> bool:
        return item.mood == "value" and item.values.get("unit") == self._values.get("things")

    def _clauses(self, part: str) -> str:
        return self._listed(part, 1 + self._rng.below(CLAUSES))

    def _terms(self) -> str:
        clauses = []
        while self._left:
            clauses.append(self._clauses("term"))
        return ". ".join(clauses)

    def _listed(self, part: str, most: int = 9) -> str:
        items = self._left[:most]
        roles = Counter(item.role for item in items)
        texts = [self._one(part, item, alike=roles[item.role] > 1) for item in items]
        if part == "bare":  # "from Calder and to Wexley"
            texts[1:] = [self._phrased(*pair) for pair in zip(texts[1:], items[1:], strict=True)]
        return _and(texts)

    def _phrased(self, text: str, item: SlotItem) -> str:
        """Return a bare value with the word before it, if it has one."""
        drafts = (self._one("bare", item) for _ in range(CLAUSES))
        return next((draft for draft in drafts if draft != f"{{v{item.number}}}"), text)

    def _questions(self) -> str:
        roles = Counter(item.role for item in self._left)
        questions = [self._question(item, alike=roles[item.role] > 1) for item in list(self._left)]
        joint = "? " if self._rng.once_in(3) else " and "
        return f"{joint.join(questions)}?"

    def _question(self, item: SlotItem, *, alike: bool) -> str:
        text = self._one("ask", item, alike=alike)
        return text + self._one("examples", item) if item.mood == "several" else text

    def _first(self, part: str) -> str:
        return self._one(part, self._left[0])


_ANSWERS = ("INFORM", "NEGATE")
"""Dialogue acts of users that only give values of slots."""

_GENERAL = ("say", "bare", "ask", "name", "fact", "term", "value", "examples")
"""Parts of speech that the grammar has for any slot."""

_NAMED = ("ask", "name", "fact")
"""Those of them that name the slot."""

_PARTS: Mapping[str, Callable[[_Draft], str]] = {
    "with": _Draft._with,
    "np": _Draft._np,
    "say": lambda draft: draft._clauses("say"),
    "bare": lambda draft: draft._listed("bare"),
    "bare.terms": lambda draft: draft._listed("bare"),
    "bare.values": lambda draft: draft._listed("bare"),
    "questions": _Draft._questions,
    "nps": lambda draft: draft._listed("name"),
    "titles": lambda draft: _and([draft._title(item) for item in list(draft._left)]),
    "head": lambda draft: draft._first("head"),
    "a.head": lambda draft: draft._first("a"),
    "clause": lambda draft: draft._listed("is", CLAUSES),
    "facts": lambda draft: draft._clauses("fact"),
    "terms": _Draft._terms,
    "fix": lambda draft: draft._put("fix"),
    "options": lambda draft: draft._first("value"),
    "values": lambda draft: draft._listed("value"),
}
"""Placeholder of a way to the method that fills it."""


def _and(phrases: Sequence[str]) -> str:
    *before, last = phrases
    return f"{', '.join(before)} and {last}" if before else last


@lru_cache(maxsize=4096)
def mentioned(grammar: Grammar, symbol: str) -> frozenset[str]:
    """Return the names of all values that a symbol may have, in its ways or in their symbols."""
    closure, left, names = {symbol}, [symbol], set[str]()
    while left:
        for way in grammar.symbols[left.pop()]:
            names.update(names_in(way))
            left += {*_INNER.findall(way)} - closure
            closure.update(left)
    return frozenset(names)


@lru_cache(maxsize=20_000)
def _symbol(grammar: Grammar, part: str, role: str, mood: str, counts: bool) -> str | None:
    parts = [part, "fact"] if part == "term" else [part]
    if mood == "same":
        parts = ["same"] if part == "with" else []
    roles = [role, role.partition(".")[0], ""]
    ending = mood if mood in ("yes", "no", "any") else ""
    if ending == "any":
        roles = ["flag" if role.startswith("flag") else "", ""]
    elif counts and role not in _SHAPES:
        roles.insert(2, "count")
    for name in roles:
        for each in parts:
            symbol = ".".join(filter(None, (each, name, ending)))
            if symbol in grammar.symbols and symbol != part:
                return symbol
    return part if part in _GENERAL and mood != "same" else None
