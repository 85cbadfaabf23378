"""The nodes of a drawn flow, added one by one by their names."""

from __future__ import annotations

from typing import Any

from dialoom.sim.worlds.slots import TEMPLATES, DrawnSlot, Node, SlotDrawer

VOWELS = frozenset("aeiou")


class FlowDrawer:
    """The flow of a drawn task; `nodes` are those added so far.

    `facts` are the outputs of calls that the system reports, by their nouns.
    """

    def __init__(
        self, draw: SlotDrawer, domain: str, thing: str, wish: str, facts: dict[str, str]
    ) -> None:
        self.draw, self.domain, self.thing, self.wish = draw, domain, thing, wish
        self.facts = facts
        self.nodes: dict[str, Node] = {}

    def name(self, purpose: str) -> str:
        """Return the name of a node that belongs to the domain."""
        return f"{self.domain}_{purpose}"

    def ask_name(self, slot: DrawnSlot) -> str:
        """Return the name of the question for a slot."""
        return "ask_name" if slot.kind == "self" else self.name(f"ask_{slot.name}")

    def user(self, name: str, purpose: str, then: str, noun: str = "", **more: Any) -> str:
        """Add a turn of the user; return its name."""
        texts = self.draw.some(list(self.draw.words.users[purpose]), TEMPLATES)
        texts = [text.replace("{noun}", noun) for text in texts]
        self.nodes[name] = {"user": texts, **more, "then": then}
        return name

    def system(self, name: str, purpose: str, *then: str) -> str:
        """Add a reply of the system; return its name."""
        texts = self.draw.some(list(self.draw.words.said[purpose]), 1)[:2]
        self.nodes[name] = {"system": [self._filled(text) for text in texts]}
        if then:
            self.nodes[name]["then"] = list(then)
        return name

    def _filled(self, text: str) -> str:
        facts = ", ".join(f"the {noun} is {{{output}}}" for output, noun in self.facts.items())
        article = "an" if self.thing[0] in VOWELS else "a"
        for place, words in (
            ("{facts}", facts),
            ("{Facts}", facts[:1].upper() + facts[1:]),
            ("{a thing}", f"{article} {self.thing}"),
            ("{thing}", self.thing),
        ):
            text = text.replace(place, words)
        return text

    def chain(self, slots: list[DrawnSlot], end: str) -> str:
        """Add questions for slots one after the other; the last answer leads to `end`.

        Slots of a second way (`instead`) are passed by once the first way is known to its end.
        Returns the first question.
        """
        names = [self.ask_name(slot) for slot in slots] + [end]
        for number, slot in enumerate(slots):
            then = none = names[number + 1]
            if slot.instead:
                places = [n for n, each in enumerate(slots) if each.name in slot.instead]
                none = names[places[0]]
                then = names[places[-1] + 1] if number + 1 == places[0] else then
            self.ask(slot, then, none)
        return names[0]

    def ask(self, slot: DrawnSlot, then: str, none: str) -> str:
        """Add a question, its answer, and the answer without a value; return the question."""
        name, give = self.ask_name(slot), f"give_{slot.name}"
        answers = [give]
        self.nodes[give] = {"user": self.draw.answers(slot), "then": then}
        if slot.optional or slot.instead:
            answers.append(f"no_{slot.name}")
            texts = self.draw.answers(slot, none=True)
            self.nodes[answers[-1]] = {"user": texts, "gives_none": True, "then": none}
        texts = self.draw.questions(slot)
        self.nodes[name] = {"system": texts, "asks": slot.name, "then": answers}
        return name

    def call(self, name: str, api: str, results: dict[str, str], **more: Any) -> str:
        """Add a call and a result node for each outcome; return its name."""
        nodes = {f"{name}_{outcome}": outcome for outcome in results}
        self.nodes[name] = {"call": api, **more, "then": list(nodes)}
        for node, outcome in nodes.items():
            self.nodes[node] = {"result": outcome, "then": results[outcome]}
        return name

    def change(self, slots: list[DrawnSlot], purpose: str) -> list[str]:
        """Add turns that change one of some slots; return their names."""
        for slot in slots:
            ask = self.ask_name(slot)
            self.user(f"{purpose}_{slot.name}", purpose, ask, slot.noun, forget=[slot.name])
        return [f"{purpose}_{slot.name}" for slot in slots]
