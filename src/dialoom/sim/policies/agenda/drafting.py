"""Drafts of one act of a turn: a symbol of the grammar, with the phrases of its slots put in.

    drafted(grammar, "INFORM", items, intent_words(...), rng)     # "I need {v0} {u0} in {v1}."

A way to say an act takes its slots as parts of speech. The role of a slot decides how each part is
worded; the grammar has a symbol for a part and a role, such as `with.city`, `say.flag.has.yes`:

    with       after a noun or a verb        " in {value}", " for {value} {unit}"
    pre        before the noun               "{value} "
    say, bare  a clause, an answer           "I'm leaving from {value}", "for {value}"
    ask, name  a question, a noun phrase     "what's the address", "the phone number"
    head, a    what is offered               "{value}", "a {noun} called {value}"
    is, fact   what is told of it            "has {value} stars", "the rating is {value}"
    term       what is to be confirmed       as `fact`, unless there is a symbol for it

`np` is the noun of the intent with `pre` and `with`. Slots that a way leaves out follow in a
sentence of the symbol `more`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.rng import SeededRng

_PART = re.compile(r"\{([\w.]+)\}")

CLAUSES = 2
"""Most clauses that are joined in a sentence."""

MIXED = 4
"""One in so many lists of slots is not in the order in which the slots are given."""

ENDS = ".end"
"""Ending of the roles that come last, such as the date after which a thing is returned."""


class Item(NamedTuple):
    """A slot in a turn.

    Attributes:
        number: Its number.
        role: Its role.
        mood: How it is said (`phrases.mood`), or `same` where its value is taken over.
        values: What the grammar may say of it.
    """

    number: int
    role: str
    mood: str
    values: Mapping[str, str]

    def symbols(self, part: str) -> list[str]:
        """Return the symbols that may say the slot as a part of speech, the best first."""
        if self.mood == "same":
            part = "same" if part == "with" else "none"
        roles = [self.role, self.role.partition(".")[0], ""]
        ending = self.mood if self.mood in ("yes", "no", "any") else ""
        if ending == "any":
            roles = ["flag" if self.role.startswith("flag") else "", ""]
        elif (
            self.role not in _SHAPES and not self.role.startswith("flag") and "unit" in self.values
        ):
            roles.insert(2, "count")
        return [".".join(filter(None, (part, role, ending))) for role in roles]


_SHAPES = ("text", "category", "count", "amount", "date", "time")


def drafted(
    grammar: Grammar, symbol: str, items: Sequence[Item], values: Mapping[str, str], rng: SeededRng
) -> str:
    """Return a template of an act, with `{v0}` for the value of slot 0 and `{u0}` for its unit.

    Args:
        grammar: The grammar.
        symbol: The symbol of the act.
        items: The slots.
        values: What the grammar may say of the intent, and its marks.
        rng: Draws the ways.
    """
    return _Draft(grammar, items, values, rng).say(symbol)


class _Draft:
    """The state of one draft: which slots are still to be said."""

    def __init__(
        self, grammar: Grammar, items: Sequence[Item], values: Mapping[str, str], rng: SeededRng
    ) -> None:
        self._grammar, self._values, self._rng = grammar, values, rng
        said = [item for item in items if item.mood != "same" or self._can("with", item)]
        if rng.once_in(MIXED):
            said[1:] = rng.shuffle(said[1:])
        self._left = sorted(said, key=lambda item: item.role.endswith(ENDS))
        self._parts: Mapping[str, Callable[[], str]] = {
            "with": self._with, "np": self._np, "say": lambda: self._clauses("say"),
            "bare": lambda: self._listed("bare"), "questions": self._questions,
            "nps": lambda: self._listed("name"), "head": lambda: self._first("head"),
            "a.head": lambda: self._first("a"), "clause": lambda: self._listed("is", CLAUSES),
            "facts": lambda: self._clauses("fact"), "terms": self._terms,
            "bare.terms": lambda: self._listed("bare"), "fix": lambda: self._put("fix"),
            "options": lambda: self._first("value"), "values": lambda: self._listed("value"),
        }  # fmt: skip

    def say(self, symbol: str) -> str:
        """Return the text of a symbol, and a sentence with the slots that it leaves out."""
        symbol = (
            f"{symbol}.items"
            if self._left and f"{symbol}.items" in self._grammar.symbols
            else symbol
        )
        text = self._put(symbol)
        while self._left:
            text = f"{text} {self._put('more')}"
        return text

    def _put(self, symbol: str) -> str:
        given = {**self._values, **dict.fromkeys(self._possible(), "")}
        text = self._grammar.phrase(symbol, self._rng, given)
        return _PART.sub(lambda found: self._part(found[1]), text)

    def _part(self, name: str) -> str:
        if name in self._parts:
            return self._parts[name]()
        return self._values.get(name, "")

    def _possible(self) -> list[str]:
        """Return the parts of speech that the slots at hand allow, and marks of how many."""
        left = self._left
        found = ["with", "np"] if "thing" in self._values else ["with"]
        if not left:
            return [*found, "alone"]
        found += [
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
        found.append("single" if len(left) == 1 else "more")
        found += [p for p, part in (("head", "head"), ("a.head", "a")) if self._can(part, left[0])]
        if len(left) > 1 and all(self._can("is", item) for item in left[1:]):
            found.append("clause")
        return found

    # --- slots ---------------------------------------------------------------------------------

    def _symbol(self, part: str, item: Item) -> str | None:
        names = item.symbols(part)
        if part == "term":
            names = [
                name for pair in zip(names, item.symbols("fact"), strict=True) for name in pair
            ]
        found = (s for s in names if s in self._grammar.symbols and s != part)
        return next(found, part if part in _GENERAL and item.mood != "same" else None)

    def _can(self, part: str, item: Item) -> bool:
        return self._symbol(part, item) is not None

    def _one(self, part: str, item: Item) -> str:
        """Return the text of a slot as a part of speech; it is said then."""
        symbol = self._symbol(part, item)
        if item in self._left:
            self._left.remove(item)
        if symbol is None:
            return ""
        values = {**self._values, **item.values, "value": f"{{v{item.number}}}"}
        if "unit" in values:
            values["unit"] = f"{{u{item.number}}}"
        text = self._grammar.phrase(symbol, self._rng, values)
        return _PART.sub(lambda found: values.get(found[1], ""), text)

    def _with(self) -> str:
        said = [item for item in self._left if self._can("with", item)]
        parts = [self._one("with", item) for item in said]
        if len(parts) > CLAUSES and self._rng.once_in(MIXED):
            parts[-1] = f" and{parts[-1]}" if parts[-1][:1] == " " else parts[-1]
        return "".join(parts)

    def _np(self) -> str:
        values = dict(self._values)
        counted = next((i for i in self._left if self._counts(i)), None)
        if counted:
            self._left.remove(counted)
            values["counted"] = f"{{v{counted.number}}} {{u{counted.number}}}"
        before = next((i for i in self._left if i.mood == "value" and self._can("pre", i)), None)
        values["pre"] = self._one("pre", before) if before and not counted else ""
        symbol = "np.counted" if counted else "np"
        text = self._grammar.phrase(symbol, self._rng, {**values, "with": ""})
        values["with"] = self._with()
        return _PART.sub(lambda found: values.get(found[1], ""), text)

    def _counts(self, item: Item) -> bool:
        """Return whether a slot is the number of what the intent is about: tickets, seats."""
        return item.mood == "value" and item.values.get("unit") == self._values.get("things")

    def _clauses(self, part: str) -> str:
        many = 1 + self._rng.below(CLAUSES)
        return self._listed(part, many)

    def _terms(self) -> str:
        """Return all slots in sentences, the last one without its mark."""
        found = []
        while self._left:
            found.append(self._clauses("term"))
        return ". ".join(found)

    def _listed(self, part: str, most: int = 9) -> str:
        said = [self._one(part, item) for item in self._left[:most]]
        *before, last = said
        return f"{', '.join(before)} and {last}" if before else last

    def _questions(self) -> str:
        said = [self._question(item) for item in list(self._left)]
        joint = "? " if self._rng.once_in(3) else " and "
        return f"{joint.join(said)}?"

    def _question(self, item: Item) -> str:
        said = self._one("ask", item)
        return said + self._one("examples", item) if item.mood == "several" else said

    def _first(self, part: str) -> str:
        return self._one(part, self._left[0])


_GENERAL = ("say", "bare", "ask", "name", "fact", "term", "value", "examples")
"""Parts of speech that the grammar has for any slot."""
