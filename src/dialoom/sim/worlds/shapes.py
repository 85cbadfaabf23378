"""Flows of every shape, drawn for a task's slots.

find        questions, a look-up by what was said; if nothing is found, the user tries again
search      questions that may be left open, then results, one after the other
book        questions, a check, a confirmation, a booking; changes if it is taken
direct      questions and one call, with or without a confirmation
early       a check after the first questions, the others after it, then a booking
verified    a look-up of who the user is, then questions and a booking
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dialoom.sim.worlds.slots import TEMPLATES, DrawnSlot, Node, SlotDrawer, with_article


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
        texts = self.draw.some(self.draw.words.users[purpose], TEMPLATES)
        texts = [text.replace("{noun}", noun) for text in texts]
        self.nodes[name] = {"user": texts, **more, "then": then}
        return name

    def system(self, name: str, purpose: str, *then: str) -> str:
        """Add a reply of the system; return its name."""
        texts = self.draw.some(self.draw.words.said[purpose], 1)[:2]
        self.nodes[name] = {"system": [self._filled(text) for text in texts]}
        if then:
            self.nodes[name]["then"] = list(then)
        return name

    def _filled(self, text: str) -> str:
        facts = ", ".join(f"the {noun} is {{{output}}}" for output, noun in self.facts.items())
        for place, words in (
            ("{facts}", facts),
            ("{Facts}", facts[:1].upper() + facts[1:]),
            ("{a thing}", with_article(self.thing)),
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


CHECK = {
    "available": "Available",
    "unavailable": "Not available",
    "done": "Done",
    "failed": "Failed",
}
"""Outcome to the message of calls that book."""

KEYS = frozenset({"choice", "date", "time", "id"})
"""Kinds of slots that make a booking unique, if there are any."""

KNOWN = frozenset({"id", "date", "choice", "secret"})
"""Kinds of slots that prove who somebody is."""

ROWS = (60, 4, 30, 60)
"""Rows of a table whose calls find or search, and of one with one, two, three keys to book: most
bookings succeed."""


class FlowShape:
    """Adds what comes between the opening and the goodbye, and the calls.

    `slots` are those of the task in the order of their questions, `facts` the columns of results.
    `apis` and `tables` are those of the task file.
    """

    def __init__(self, flow: FlowDrawer, slots: list[DrawnSlot], facts: Mapping[str, Node]) -> None:
        self.flow, self.slots, self.facts = flow, slots, dict(facts)
        self.rng = flow.draw.rng
        self.apis: dict[str, Node] = {}
        self.tables: dict[str, Node] = {}
        self.bye = flow.system("goodbye_1", "bye")
        flow.user("leave", "leave", self.bye)
        self.after = self._more() if self.rng.below(4) else self.bye

    def _more(self) -> str:
        self.flow.user("finish", "finish", self.bye)
        return self.flow.system("anything_else", "more", "finish")

    def _thanks(self) -> tuple[str, ...]:
        if not self.rng.below(4):
            return (self.after,)
        self.flow.user("thanks", "thanks", self.after)
        return ("thanks", "leave")

    def _give_up(self) -> str:
        return self.flow.user("give_up", "give_up", self.bye)

    def _api(self, name: str, effect: str, slots: Sequence[DrawnSlot], **more: Any) -> str:
        columns: dict[str, Node] = {slot.column: {"slot": slot.name} for slot in slots}
        inputs = {
            slot.column: {"slot": slot.name, **({"required": True} if slot.required else {})}
            for slot in slots
        }
        results = self.facts if effect in ("find", "search") else {}
        rows = ROWS[len(more["key"]) if effect == "book" else 0]
        self.tables[f"{name}_rows"] = {"rows": rows, "columns": columns | results}
        api: Node = {"effect": effect, "table": f"{name}_rows", "inputs": inputs, **more}
        if effect == "book":
            api["outputs"] = {"Message": {"type": "category", "values": list(CHECK.values())}}
        self.apis[name] = api
        return name

    def _book(
        self,
        name: str,
        slots: Sequence[DrawnSlot],
        rest: Sequence[DrawnSlot] = (),
        *,
        check: bool,
        ask: bool = True,
    ) -> str:
        """Add a call that books, with a check before it if `check`; return its name.

        The values of `slots` are known at each call, those of `rest` at the booking.
        """
        sure = sorted(self._sure(slots), key=lambda slot: slot.kind not in KEYS)
        key = [slot.column for slot in sure][:3]
        outcomes = list(CHECK) if check else ["done", "failed"]
        answers = {outcome: {"Message": CHECK[outcome]} for outcome in outcomes}
        api = self._api(name, "book", [*slots, *rest], key=key, answers=answers)
        if ask:
            self.apis[name]["inputs"]["RequestType"] = {"type": "request"}
        return api

    def _booked(self, api: str, **request: str) -> str:
        flow, name = self.flow, "query_book" if request else "query"
        done = flow.system(flow.name("inform_done"), "done", *self._thanks())
        after = (self._give_up(),) if self.rng.below(2) else (self.after,)
        failed = flow.system(flow.name("inform_failed"), "failed", *after)
        return flow.call(name, api, {"done": done, "failed": failed}, **request)

    def _confirmed(self, then: str, slots: Sequence[DrawnSlot], purpose: str = "confirm") -> str:
        flow = self.flow
        flow.user("accept", "accept", then)
        changes = flow.change(self._some(slots), "refuse")
        return flow.system(flow.name(f"ask_{purpose}"), purpose, "accept", *changes)

    def _some(self, slots: Sequence[DrawnSlot], most: int = 2) -> list[DrawnSlot]:
        can = [slot for slot in slots if slot.kind != "self" and not slot.instead]
        return self.rng.shuffle(can or list(slots[:1]))[: 1 + self.rng.below(most)]

    def _sure(self, slots: Sequence[DrawnSlot]) -> list[DrawnSlot]:
        """Return the slots that pick a row: those required, else the first, and two ways."""
        if not any(slot.required or slot.way for slot in slots):
            slots[0].optional, slots[0].required = False, True
            slots[0].node.pop("need", None)
        return [slot for slot in slots if slot.required or slot.way]

    def find(self) -> str:
        """Add questions and a look-up of what was said; return the first node."""
        flow, slots = self.flow, self.slots
        self._ways(slots)
        self._api(flow.domain, "find", slots, key=[slot.column for slot in self._sure(slots)])
        report = flow.system(flow.name("inform_found"), "found", *self._thanks())
        first = flow.chain(slots, "query")
        sorry = self._unknown(slots, first)
        flow.call("query", flow.domain, {"found": report, "nothing": sorry})
        return first

    def _ways(self, slots: list[DrawnSlot]) -> None:
        facts = [slot for slot in slots if slot.kind in KNOWN and not slot.optional]
        sure = [slot for slot in slots if slot.required and slot not in facts]
        if len(facts) < 2 or not sure or self.rng.below(3) == 0:
            return
        cut = 1 + self.rng.below(min(2, len(facts) - 1))
        one, two = facts[:cut], facts[cut : cut + 1 + self.rng.below(2)]
        for slot in one:
            slot.instead, slot.node["need"] = tuple(s.name for s in two), {"unless": two[0].name}
        for slot in two:
            slot.node["need"] = {"unless": one[-1].name}
        two[0].node["need"], two[0].optional = "optional", False
        for slot in (*one, *two):
            slot.required = False
        slots[:] = [*(slot for slot in slots if slot not in (*one, *two)), *one, *two]

    def _unknown(self, slots: list[DrawnSlot], first: str) -> str:
        flow = self.flow
        again = [slot for slot in slots if slot.kind != "self"] or slots
        start = flow.ask_name(again[0]) if flow.draw.rng.below(2) else first
        forget = [slot.name for slot in (again if start != first else slots)]
        flow.user("try_again", "again", start, forget=forget)
        return flow.system(flow.name("inform_unknown"), "unverified", "try_again", self._give_up())

    def search(self) -> str:
        """Add questions that may stay open, and a search; return the first node."""
        flow, slots = self.flow, self.slots
        for slot in slots:
            slot.required = False
        self._api(flow.domain, "search", slots)
        reports = list(self._thanks())
        if reports[0] == "thanks" and self.rng.below(2):
            flow.user("good", "good", flow.name("ask_next"))
            flow.user("no_more", "no_more", self.bye)
            again = flow.change(self._some(slots), "change")
            flow.system(flow.name("ask_next"), "next", *again, "no_more")
            reports.append("good")
        report = flow.system(flow.name("inform_found"), "found", *reports)
        changes = flow.change(self._some(slots, 3), "change")
        sorry = flow.system(flow.name("inform_nothing"), "nothing", *changes, self._give_up())
        flow.call("query", flow.domain, {"found": report, "nothing": sorry})
        return flow.chain(slots, "query")

    def book(self) -> str:
        """Add questions, a check and a booking; return the first node."""
        return self._checked(self.slots, [])

    def early(self) -> str:
        """Add a check after the first questions, then a booking; return the first node."""
        cut = 1 + self.rng.below(max(1, len(self.slots) - 1))
        return self._checked(self.slots[:cut], self.slots[cut:])

    def _checked(self, before: list[DrawnSlot], rest: list[DrawnSlot]) -> str:
        flow = self.flow
        for slot in rest:
            slot.required = False
        api = self._book(flow.domain, before, rest, check=True)
        then = self._booked(api, request="Book")
        if rest:
            then = flow.chain(rest, self._confirmed(then, rest) if self.rng.below(2) else then)
            free = flow.system(flow.name("available"), "free_more", then)
        elif self.rng.below(5):
            free = self._confirmed(then, before, "free")
        else:
            free = then
        changes = flow.change(self._some(before, 3), "change")
        refusal = flow.system(flow.name("unavailable"), "taken", *changes, self._give_up())
        results = {"available": free, "unavailable": refusal}
        return flow.chain(before, flow.call("query_check", api, results, request="Check"))

    def direct(self) -> str:
        """Add questions and one call; return the first node."""
        flow, slots = self.flow, self.slots
        request = {"request": "Book"} if self.rng.below(3) == 0 else {}
        api = self._book(flow.domain, slots, check=False, ask=bool(request))
        then = self._booked(api, **request)
        return flow.chain(slots, self._confirmed(then, slots) if self.rng.below(3) == 0 else then)

    def verified(self) -> str:
        """Add a look-up of who the user is, then a booking; return the first node."""
        flow = self.flow
        who = [slot for slot in self.slots if slot.kind in KNOWN | {"self"}][:3]
        rest = [slot for slot in self.slots if slot not in who]
        if not who or not rest:
            return self.find()
        self._ways(who)
        self._api(f"{flow.domain}_file", "find", who, key=[s.column for s in self._sure(who)])
        then = self._booked(self._book(flow.domain, rest, check=False), request="Book")
        then = flow.chain(rest, self._confirmed(then, rest) if self.rng.below(3) == 0 else then)
        success = flow.system(flow.name("verified"), "verified", then)
        first = flow.chain(who, "query")
        results = {"found": success, "nothing": self._unknown(who, first)}
        flow.call("query", f"{flow.domain}_file", results)
        return first


SHAPES: dict[str, Callable[[FlowShape], str]] = {
    "find": FlowShape.find,
    "search": FlowShape.search,
    "book": FlowShape.book,
    "direct": FlowShape.direct,
    "early": FlowShape.early,
    "verified": FlowShape.verified,
}
"""The shapes by name."""
