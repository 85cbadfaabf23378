"""Derives the flow of a service's dialogues from its intents.

For each intent: the user names it, the system asks for the required slots in order, offers the
optional ones, asks for confirmation of a transaction, makes the call and reports the outcome.
Searches come before transactions, and their results may become inputs of a transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from dialoom.schema.service import QUESTION, Service, ServiceIntent, ServiceSlot
from dialoom.schema.service_words import ServiceNames, ServiceWords, fill, printable, spoken_name

Nodes = dict[str, dict[str, Any]]

_MENTIONED = 4
"""Most attributes of a result that the system mentions."""

_CHANGED = 3
"""Most slots that a user may change when asked to confirm."""

_SOON = ("date", "time")
"""Types of slots that users change first when a booking fails."""

HELLO, FINISH, GOODBYE = "hello", "finish", "goodbye"


def _heard(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _apart(text: str, others: Iterable[str]) -> str:
    """Return a text, with a number appended if another text has the same words."""
    sounds = list(map(_heard, others))
    number, new = 1, text
    while _heard(new) in sounds:
        number += 1
        new = f"{text} {number}"
    return new


class ServiceFlow:
    """Builds the flow of one service."""

    def __init__(self, service: Service, names: ServiceNames, words: ServiceWords) -> None:
        self.service, self.names, self.words = service, names, words
        self.say = words.phrases
        # searches come before transactions
        self.intents = sorted(service.intents, key=lambda intent: intent.transactional)
        self.phrase = self._phrases()
        self.called = self._called()

    def _phrases(self) -> dict[str, str]:
        phrases: dict[str, str] = {}
        for intent in self.intents:
            phrase = self.words.intent(intent)
            if _heard(phrase) in map(_heard, phrases.values()):
                phrase = self.say.use.replace("<name>", spoken_name(intent.name))
            phrases[intent.name] = _apart(phrase, phrases.values())
        return phrases

    def _called(self) -> dict[str, str]:
        labels: dict[str, str] = {}
        for slot in self.names.columns:
            labels[slot] = _apart(spoken_name(slot), labels.values())
        return labels

    def nodes(self) -> Nodes:
        """Return the flow graph: node to its keys and values in a task file."""
        wishes = [self.names.node(intent, "wish") for intent in self.intents]
        service = spoken_name(self.names.title)
        graph: Nodes = {HELLO: {"system": fill(self.say.hello, service=service), "then": wishes}}
        for number, intent in enumerate(self.intents):
            graph |= _Chain(self, intent, number).nodes()
        graph[FINISH] = {"user": list(self.say.finish), "then": [GOODBYE]}
        graph[GOODBYE] = {"system": list(self.say.goodbye)}
        for node in graph.values():
            if not node.pop("published", not {"user", "system"} & {*node}):
                node["drafted"] = True
        return graph

    def slot(self, name: str) -> ServiceSlot:
        """Return a slot; an empty one if an intent names it and the service does not list it."""
        return self.service.slot(name) or ServiceSlot(name=name)

    def taken(self, intent: ServiceIntent) -> list[str]:
        """Return those results of a search, no inputs of it, that a transaction requires."""
        needed = {s for other in self.intents if other.transactional for s in other.required}
        needed.difference_update(intent.inputs)
        return [name for name in dict.fromkeys(intent.results) if name in needed]


class _Chain:
    def __init__(self, flow: ServiceFlow, intent: ServiceIntent, number: int) -> None:
        self.flow, self.intent, self.number = flow, intent, number
        self.say, self.names = flow.say, flow.names
        self.phrase = flow.phrase[intent.name]
        self.optional = [name for name in intent.optional if name not in intent.required]
        self.asked = [*dict.fromkeys(intent.required), *self.optional]
        self.found: Nodes = {}

    def node(self, *parts: str) -> str:
        return self.names.node(self.intent, *parts)

    def nodes(self) -> Nodes:
        after = self.node("confirm" if self.intent.transactional else "call")
        asks = [self.node("ask", name) for name in self.asked]
        first = next(iter(asks), after)
        self._wish(first)
        for name, (_, following) in zip(self.asked, pairwise([*asks, after]), strict=True):
            self._ask(name, following)
        if self.intent.transactional:
            self._confirm(first)
            self._book(first)
        else:
            self._search(first)
        self._more()
        return self.found

    def _wish(self, first: str) -> None:
        plain = [s for s in self.intent.required if not self._is_yes_no(s)]
        texts = [text for text in self.say.wish if plain or "{value}" not in text]
        user = self._filled(texts, plain[0] if plain else "")
        self.found[self.node("wish")] = {"user": user, "then": [first]}

    def _is_yes_no(self, name: str) -> bool:
        slot = self.flow.slot(name)
        return slot.categorical and self.flow.words.is_yes_no(slot)

    def _filled(self, texts: Iterable[str], slot: str = "") -> list[str]:
        """Return texts with intent and slot filled in, and {value} as the slot's placeholder."""
        value = f"{{{self.names.slots[slot]}}}" if slot else ""
        phrases = fill(texts, intent=self.phrase, slot=self.flow.called.get(slot, slot))
        return [text.replace("{value}", value) for text in phrases]

    def _turn(self, texts: tuple[str, ...], many: int = 1) -> list[str]:
        """Return `many` of the texts, different ones for each intent."""
        apart = len(texts) // many
        return [texts[(self.number + apart * n) % len(texts)] for n in range(many)]

    def _ask(self, name: str, following: str) -> None:
        slot, free = self.names.slots[name], self.names.is_open(name)
        yes_no = self._is_yes_no(name)
        pool = self.say.ask
        if yes_no or (free and name in self.optional):
            pool = self.say.ask_yes_no if yes_no else self.say.ask_optional
        many = 2 if len(self.flow.intents) <= len(pool) // 2 else 1
        answers = [self.node("give", name)]
        give = self.say.give_yes_no if yes_no else self.say.give
        answer = {"user": self._filled(give, name), "then": [following]}
        question = self._question(name)
        self.found[self.node("ask", name)] = {
            "published": bool(question),
            "system": question or self._filled(self._turn(pool, many), name),
            "asks": [slot],
            "then": answers,
        }
        self.found[answers[0]] = answer
        if free:
            answers.append(self.node("any", name))
            none = {"user": list(self.say.none_given), "gives_none": True, "then": [following]}
            self.found[answers[-1]] = none

    def _question(self, name: str) -> list[str]:
        """Return the service's question for a slot; none if it has none without values."""
        slot = self.flow.service.slot(name)
        question = slot.extra.get(QUESTION) if slot else None
        return (
            [printable(question)]
            if isinstance(question, str) and not {"{", "<"} & set(question)
            else []
        )

    def _listed(self, names: Iterable[str], *, columns: bool) -> str:
        spellings = self.names.columns if columns else self.names.slots
        pattern, labels = self.say.sum_up[0], self.flow.called
        parts = (
            pattern.replace("<slot>", labels[name]).replace("{value}", f"{{{spellings[name]}}}")
            for name in names
        )
        return ", ".join(parts)

    def _listing(self, texts: Iterable[str], names: list[str], *, columns: bool) -> list[str]:
        phrase = self._listed(names, columns=columns)
        return [text.replace("<list>", phrase) for text in self._filled(texts)]

    def _confirm(self, first: str) -> None:
        needed = list(dict.fromkeys(self.intent.required))
        texts = self._listing(self.say.confirm, needed, columns=False)
        if self.optional:
            everything = [*needed, *self.optional]
            texts.append(self._listing(self.say.confirm, everything, columns=False)[0])
        if not needed:
            texts = [*self._filled(self.say.confirm_bare), *texts[2:]]
        changes = [self.node("change", name) for name in needed[:_CHANGED]]
        self.found[self.node("confirm")] = {"system": texts, "then": [self.node("yes"), *changes]}
        self.found[self.node("yes")] = {"user": list(self.say.yes), "then": [self.node("call")]}
        for name, change in zip(needed, changes, strict=False):
            self.found[change] = {
                "user": self._filled(self.say.change, name),
                "forget": [self.names.slots[name]],
                "then": [first],
            }

    def _call(self, *outcomes: str) -> None:
        results = [self.node(outcome) for outcome in outcomes]
        call = {"call": self.names.apis[self.intent.name], "then": results}
        self.found[self.node("call")] = call
        for outcome, result in zip(outcomes, results, strict=True):
            self.found[result] = {"result": outcome, "then": [self.node("say", outcome)]}

    def _search(self, first: str) -> None:
        self._call("found", "nothing")
        more, say = self.node("more"), self.say
        mentioned = self._mentioned()
        texts = (
            self._listing(say.found, mentioned, columns=True)
            if mentioned
            else self._filled(say.found_bare)
        )
        inputs = self.flow.taken(self.intent)
        then = self.node("take") if inputs else more
        self.found[self.node("say", "found")] = {"system": texts, "then": [then]}
        if inputs:
            phrase = self._listed(inputs[:_MENTIONED], columns=False)
            if len(inputs) == 1:  # the name of a single slot is left out
                phrase = f"{{{self.names.slots[inputs[0]]}}}"
            texts = [text.replace("<list>", phrase) for text in say.taken]
            sources = {
                self.names.slots[name]: self.names.columns[name] for name in inputs[:_MENTIONED]
            }
            self.found[then] = {"user": texts, "takes": sources, "then": [more]}
        changes: Nodes = {}
        if self.asked:
            forget = [self.names.slots[name] for name in self.asked]
            anew = {"user": list(say.anew), "forget": forget, "then": [first]}
            changes[self.node("anew")] = anew
        self._fail("nothing", say.nothing, changes)

    def _mentioned(self) -> list[str]:
        """Return the attributes that a reply mentions: inputs of a transaction, then new ones."""
        inputs = self.flow.taken(self.intent)
        new = [s for s in self.intent.results if s not in self.asked and s not in inputs]
        return [*inputs, *dict.fromkeys(new)][:_MENTIONED] or list(self.intent.required)[
            :_MENTIONED
        ]

    def _book(self, first: str) -> None:
        needed = list(dict.fromkeys(self.intent.required))
        self._call(*(("done", "failed") if needed else ("done",)))
        new = [s for s in self.intent.results if s not in self.names.slots][:_MENTIONED]
        mentioned = list(dict.fromkeys(new)) or needed[:_MENTIONED]
        say = self.say
        texts = self._listing(say.booked, mentioned, columns=True)
        if not mentioned:
            texts = self._filled(say.booked_bare)
        done = {"system": texts, "then": [self.node("more")]}
        self.found[self.node("say", "done")] = done
        if needed:
            soon = [s for s in needed if self.names.types.get(s) in _SOON]
            other = next(iter(soon), needed[-1])
            retry = {
                "user": self._filled(say.retry, other),
                "forget": [self.names.slots[other]],
                "then": [first],
            }
            self._fail("failed", say.failed, {self.node("retry"): retry})

    def _fail(self, outcome: str, texts: Iterable[str], changes: Nodes) -> None:
        leave = self.node("leave")
        then = [*changes, leave]
        self.found[self.node("say", outcome)] = {"system": self._filled(texts), "then": then}
        self.found |= changes
        self.found[leave] = {"user": list(self.say.leave), "then": [self.node("more")]}

    def _more(self) -> None:
        rest = self.flow.intents[self.number + 1 :]
        later = sorted(rest, key=lambda intent: not intent.transactional)
        wishes = [self.names.node(other, "wish") for other in later]
        then = [FINISH, *wishes] if self.intent.transactional else [*wishes, FINISH]
        self.found[self.node("more")] = {"system": self._turn(self.say.more), "then": then}
