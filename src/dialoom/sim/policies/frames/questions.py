"""Questions about packages: on one, on several at once, and unanswerable ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Argument
from dialoom.dialogue.annotation import Value
from dialoom.schema.lexicon import lexicon
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames import rates
from dialoom.sim.policies.frames.goals import listed
from dialoom.sim.policies.frames.packages import Package
from dialoom.sim.policies.frames.recorder import (
    REF,
    FramesRecorder,
    Sentence,
    about,
    act,
    reading,
    saying,
    writing,
)
from dialoom.sim.policies.frames.travel import TRAVEL

ASKED = (*TRAVEL.asked, *TRAVEL.features)
"""Facts that users ask about besides those of an offer."""

MORE = 3
"""Facts in an answer to a request for more."""

ANAPHORA = "ref_anaphora"
"""The slot of words such as "the first one"."""


class Questions:
    """The questions of one dialogue."""

    def __init__(self, recorder: FramesRecorder, rng: SeededRng) -> None:
        self.recorder, self.rng = recorder, rng
        self._stated: defaultdict[int, set[str]] = defaultdict(set)
        self._offers: Counter[str] = Counter()
        self._cities: Counter[str] = Counter()
        self._latest: list[int] = []
        self._topic = 0

    def note(self, offers: Mapping[int, Package], facts: Mapping[int, Iterable[str]]) -> None:
        """Note the packages offered in one turn, and the facts given on each."""
        self._latest = list(offers)
        self._topic = self._latest[0] if len(offers) == 1 else 0
        for frame, package in offers.items():
            self._offers[package.name] += 1
            self._cities[package.city] += 1
            self._stated[frame].update(facts[frame])

    def name(self, package: Package) -> str:
        """Return how a package is called: by its hotel, and by its price if that is not enough."""
        if self._offers[package.name] == 1:
            return package.name
        return self.recorder.phrase("that_for", package.facts)

    def look(self, frame: int, package: Package, line: str = "look") -> list[Sentence]:
        """Turn to a package, if it is not the one that is talked about."""
        if self.recorder.active == self._topic == frame:
            return []
        self._topic = frame
        facts, name = self._called(frame, package)
        switch = act("switch_frame", saying(REF, {frame: facts}))
        return [self._said(switch, line, {"name": name})]

    def _called(self, frame: int, package: Package) -> tuple[dict[str, Value], str]:
        """Return a unique reference to a package and its words: by place, city or hotel."""
        slots = ("name",) if self._offers[package.name] == 1 else ("name", "price")
        hotel = {slot: package.facts[slot] for slot in slots}
        ways = [(hotel, self.name(package))] * rates.BY_HOTEL
        if self._cities[package.city] == 1:
            city: dict[str, Value] = {"dst_city": package.city}
            ways += [(city, self.recorder.phrase("call.dst_city", package.facts))] * rates.BY_CITY
        if frame in self._latest:
            pointing = self.recorder.phrase(f"call.{self._place(frame)}")
            ways += [({ANAPHORA: pointing}, pointing)] * rates.BY_PLACE
        return self.rng.choice(ways)

    def _place(self, frame: int) -> str:
        place, many = self._latest.index(frame) + 1, len(self._latest)
        if many == 1:
            return "only"
        return "last" if place == many else str(min(place, 3))

    def _said(self, *arguments: Any) -> Sentence:
        return self.recorder.said(*arguments)

    def one(self, frame: int, package: Package) -> None:
        """Ask about one package, and get the answer."""
        lead = self.look(frame, package)
        left = [slot for slot in ASKED if slot not in self._stated[frame]]
        way = self.rng.weighted((rates.UNKNOWN, rates.REQUESTS, rates.CONFIRMS, rates.MORE))
        if len(left) < MORE or way == 0:
            slot = self.rng.choice(TRAVEL.unknown)
            self._ask(lead, slot)
            sorry = act("canthelp", Argument(slot), about(frame))
            self.recorder.say(SYSTEM, self._said(sorry, "cannot_help"))
        elif way == 1:
            slots = self._some(left, 1 + self.rng.below(2))
            self._ask(lead, *slots)
            self._tell(frame, package, slots)
        elif way == 2:
            self._confirm(frame, package, left, lead)
        else:
            around = [slot for slot in left if slot in TRAVEL.vicinity]
            nearby = bool(around) and self.rng.once_in(2)
            line = "more.area" if nearby else "more"
            self.recorder.say(USER, *lead, self._said(act("moreinfo", about(frame)), line))
            if nearby:
                self._surroundings(frame, package, around)
            else:
                self._tell(frame, package, self._some(left, MORE))

    def _ask(self, lead: Sequence[Sentence], *slots: str) -> None:
        questions = [self._said(act("request", Argument(slot)), f"ask.{slot}") for slot in slots]
        self.recorder.say(USER, *lead, *questions)

    def _confirm(
        self, frame: int, package: Package, left: Sequence[str], lead: Sequence[Sentence]
    ) -> None:
        options = [slot for slot in left if slot in TRAVEL.features or slot == "seat"]
        slot = self.rng.choice(options or ["category"])
        guess: Value = True
        if slot == "seat":
            guess = self.rng.choice(TRAVEL.seats)
        elif slot == "category":
            guess = str(2 + self.rng.below(7) / 2)
        confirm = self._said(act("confirm", **{slot: guess}), f"confirm.{slot}", {slot: guess})
        self.recorder.say(USER, *lead, confirm)
        right = package.facts[slot] == guess
        kind, line = ("affirm", "yes.system") if right else ("negate", "no.system")
        answer = self._said(act(kind), line)
        self._tell(frame, package, [slot], answer)

    def _tell(self, frame: int, package: Package, slots: Sequence[str], *lead: Sentence) -> None:
        values = {slot: package.facts[slot] for slot in slots}
        text = " ".join(f"{_capitalised(self._fact(package, slot))}." for slot in slots)
        self._stated[frame].update(slots)
        self.recorder.say(SYSTEM, *lead, Sentence(act("inform", writing(frame, values)), text))

    def _surroundings(self, frame: int, package: Package, slots: Sequence[str]) -> None:
        near = [self.recorder.phrase(f"near.{slot}") for slot in slots if package.facts[slot]]
        far = [self.recorder.phrase(f"far.{slot}") for slot in slots if not package.facts[slot]]
        texts = {"near": listed(near, lexicon().last)} if near else {}
        texts |= {"far": listed(far)} if far else {}
        self._stated[frame].update(slots)
        claim = writing(frame, {slot: package.facts[slot] for slot in slots})
        self.recorder.say(SYSTEM, Sentence(act("inform", claim), self.recorder.line("area", texts)))

    def _fact(self, package: Package, slot: str) -> str:
        flag = package.facts[slot]
        ending = {True: ".yes", False: ".no"}[flag] if isinstance(flag, bool) else ""
        return self.recorder.phrase(f"tell.{slot}{ending}", package.facts)

    def compare(self, packages: Mapping[int, Package]) -> None:
        """Ask how packages compare, and get the answer."""
        slot = self.rng.choice((*TRAVEL.compared, *TRAVEL.features))
        names = {frame: package.name for frame, package in packages.items()}
        question = act("request_compare", Argument(slot), about(*packages))
        listing = listed(tuple(dict.fromkeys(names.values())))
        both = listed(tuple(dict.fromkeys(names.values())), lexicon().last)
        fillings = {"names": listing, "both": both}
        self._topic = 0
        self.recorder.say(USER, self._said(question, f"compare.{slot}", fillings))
        read = saying("read", {frame: {"name": name} for frame, name in names.items()})
        write = saying("write", {k: {slot: each.facts[slot]} for k, each in packages.items()})
        worded = self._matched if slot in TRAVEL.features else self._pairs
        text = worded(packages, slot)
        for frame in packages:
            self._stated[frame].add(slot)
        self.recorder.say(SYSTEM, Sentence(act("inform", read, write), text))

    def _pairs(self, packages: Mapping[int, Package], slot: str) -> str:
        texts = self.recorder.phrases(f"pair.{slot}", *(each.facts for each in packages.values()))
        return _capitalised(f"{listed(texts, lexicon().last)}.")

    def _matched(self, packages: Mapping[int, Package], slot: str) -> str:
        names: dict[bool, list[str]] = {True: [], False: []}
        for package in packages.values():
            names[bool(package.facts[slot])].append(package.name)
        having, lacking = names[True], names[False]
        values = {"none": ""} if not having else {"all": ""} if not lacking else {}
        if having and lacking:
            values = {"one" if len(having) == 1 else "many": listed(having, lexicon().last)}
            values["lacking" if len(lacking) == 1 else "lackings"] = listed(lacking, lexicon().last)
            values["others"] = ""
        return self.recorder.line(f"match.{slot}", values)

    def upgrade(self, frame: int, package: Package, twin: Package) -> int | None:
        """Have a better seat suggested; return its frame if the user wants it."""
        new = self.recorder.next
        facts = {slot: twin.facts[slot] for slot in ("name", "seat", "price")}
        offer = act("suggest", reading(frame, name=package.name), writing(new, facts))
        self.recorder.say(SYSTEM, self._said(offer, "upgrade", facts))
        if not self.rng.once_in(rates.UPGRADE_TAKEN):
            self.recorder.say(USER, self._said(act("negate", about(new)), "no_upgrade"))
            return None
        switch = act("switch_frame", saying(REF, {new: {"seat": facts["seat"]}}))
        yes = self._said(act("affirm", about(new)), "yes.offer")
        self.recorder.say(USER, yes, self._said(switch, "take_seat", facts))
        return new

    def _some(self, slots: Sequence[str], many: int) -> list[str]:
        picks = set(self.rng.shuffle(list(slots))[:many])
        return [slot for slot in slots if slot in picks]


def _capitalised(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
