"""Questions about packages: of one, of several at once, and what cannot be answered.

asking = Asking(talk, rng)
asking.one(frame, package)             # a request, a yes-no question, or more information
asking.compare({3: first, 5: second})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dialoom.dialogue import SYSTEM, USER, Argument
from dialoom.dialogue.annotation import Value
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames.goals import listed
from dialoom.sim.policies.frames.knowledge import FEATURES, SEATS, Package
from dialoom.sim.policies.frames.talk import (
    REF,
    SurfaceForm,
    Talk,
    about,
    act,
    reading,
    saying,
    writing,
)
from dialoom.sim.policies.frames.wording import texts

ASKED = ("gst_rating", "duration", "seat", *FEATURES)
"""What users want to know of a package besides what an offer tells."""

COMPARED = ("gst_rating", "category", "price", "duration", *FEATURES)

MORE = 3
"""Facts that are told when more is wanted."""


class Asking:
    """The questions of one dialogue.

    Args:
        talk: Where they are asked.
        rng: What is drawn.
    """

    def __init__(self, talk: Talk, rng: SeededRng) -> None:
        self.talk, self.rng = talk, rng
        self.told: dict[int, set[str]] = {}
        self._trips: Counter[str] = Counter()

    def note(self, package: Package) -> None:
        """Note that a package was offered."""
        self._trips[package.hotel.name] += 1

    def name(self, package: Package) -> str:
        """Return how a package is called: by its hotel, and by its price if that is not enough."""
        if self._trips[package.hotel.name] == 1:
            return package.hotel.name
        return self.talk.line("that_for", {s: str(package.facts[s]) for s in ("name", "price")})

    def look(self, frame: int, package: Package, line: str = "look") -> list[SurfaceForm]:
        """Turn to a package, if it is not the one that is talked about."""
        if self.talk.active == frame:
            return []
        slots = ("name",) if self._trips[package.hotel.name] == 1 else ("name", "price")
        reference = saying(REF, {frame: {slot: package.facts[slot] for slot in slots}})
        named = {"name": self.name(package)}
        return [self.talk.said(act("switch_frame", reference), line, named)]

    def one(self, frame: int, package: Package) -> None:
        """Ask about one package, and get the answer."""
        lead = self.look(frame, package)
        told = self.told.setdefault(frame, set())
        left = [slot for slot in ASKED if slot not in told]
        way = self.rng.below(10)
        if len(left) < MORE or way == 0:
            self._unknown(frame, lead)
        elif way < 5:
            self._request(frame, package, left, lead)
        elif way < 8:
            self._confirm(frame, package, left, lead)
        else:
            self._more(frame, package, left, lead)

    def _request(
        self, frame: int, package: Package, left: Sequence[str], lead: list[SurfaceForm]
    ) -> None:
        talk = self.talk
        slots = self._some(left, 1 + self.rng.below(2))
        asked = [talk.said(act("request", Argument(slot)), f"ask.{slot}") for slot in slots]
        talk.say(USER, lead + asked)
        self._tell(frame, package, slots)

    def _more(
        self, frame: int, package: Package, left: Sequence[str], lead: list[SurfaceForm]
    ) -> None:
        talk = self.talk
        talk.say(USER, [*lead, talk.said(act("moreinfo", about(frame)), "more")])
        self._tell(frame, package, self._some(left, MORE))

    def _confirm(
        self, frame: int, package: Package, left: Sequence[str], lead: list[SurfaceForm]
    ) -> None:
        """Ask whether something is so."""
        talk = self.talk
        slot = self.rng.choice([slot for slot in left if slot in FEATURES or slot == "seat"]
                                  or ["category"])  # fmt: skip
        guess: Value = True
        if slot == "seat":
            guess = self.rng.choice(SEATS)
        elif slot == "category":
            guess = str(2 + self.rng.below(7) / 2)
        line = talk.said(act("confirm", **{slot: guess}), f"confirm.{slot}", {slot: str(guess)})
        talk.say(USER, [*lead, line])
        right = package.facts[slot] == guess
        answer = talk.said(act("affirm" if right else "negate"), "yes" if right else "no")
        self._tell(frame, package, [slot], [answer])

    def _unknown(self, frame: int, lead: list[SurfaceForm]) -> None:
        talk = self.talk
        slot = self.rng.choice(texts().unknown)
        talk.say(USER, [*lead, talk.said(act("request", Argument(slot)), f"ask.{slot}")])
        sorry = act("canthelp", Argument(slot), about(frame))
        talk.say(SYSTEM, [talk.said(sorry, "cannot_help")])

    def _tell(
        self, frame: int, package: Package, slots: Sequence[str], lead: Sequence[SurfaceForm] = ()
    ) -> None:
        """Tell facts of a package."""
        told = {slot: package.facts[slot] for slot in slots}
        text = " ".join(_sentence(self._fact(package, slot)) for slot in slots)
        self.told.setdefault(frame, set()).update(slots)
        self.talk.say(SYSTEM, [*lead, SurfaceForm(act("inform", writing(frame, told)), text)])

    def _fact(self, package: Package, slot: str) -> str:
        """Return what is said of a fact, without a full stop."""
        value = package.facts[slot]
        if isinstance(value, bool):
            return self.talk.line(f"tell.{slot}.{'yes' if value else 'no'}")
        return self.talk.line(f"tell.{slot}", {slot: str(value)})

    def compare(self, packages: Mapping[int, Package]) -> None:
        """Ask how packages compare, and get the answer."""
        talk = self.talk
        slot = self.rng.choice(COMPARED)
        names = {frame: package.hotel.name for frame, package in packages.items()}
        asked = act("request_compare", Argument(slot), about(*packages))
        listing = listed(tuple(dict.fromkeys(names.values())))
        talk.say(USER, [talk.said(asked, f"compare.{slot}", {"names": listing})])
        read = saying("read", {frame: {"name": name} for frame, name in names.items()})
        write = saying("write", {k: {slot: each.facts[slot]} for k, each in packages.items()})
        sentences = [
            talk.line("at", {"name": names[frame], "fact": self._fact(package, slot)})
            for frame, package in packages.items()
        ]
        for frame in packages:
            self.told.setdefault(frame, set()).add(slot)
        talk.say(SYSTEM, [SurfaceForm(act("inform", read, write), " ".join(sentences))])

    def upgrade(self, frame: int, package: Package, twin: Package) -> int | None:
        """Have a better seat suggested; return its frame if the user wants it."""
        talk = self.talk
        new = talk.next
        facts = {slot: twin.facts[slot] for slot in ("name", "seat", "price")}
        source = reading(frame, name=package.hotel.name)
        offer = act("suggest", source, writing(new, facts))
        values = {slot: str(value) for slot, value in facts.items()}
        talk.say(SYSTEM, [talk.said(offer, "upgrade", values)])
        if self.rng.below(2):
            talk.say(USER, [talk.said(act("negate", about(new)), "no_upgrade")])
            return None
        switch = act("switch_frame", saying(REF, {new: {"seat": twin.seat}}))
        yes = talk.said(act("affirm", about(new)), "yes")
        talk.say(USER, [yes, talk.said(switch, "take_seat", values)])
        return new

    def _some(self, slots: Sequence[str], many: int) -> list[str]:
        """Return some of the slots, in their order."""
        chosen: set[str] = set()
        while len(chosen) < min(many, len(slots)):
            chosen.add(self.rng.choice(slots))
        return [slot for slot in slots if slot in chosen]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
