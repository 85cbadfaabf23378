"""How a dialogue about trips goes: wishes, offers, exploring, comparing, a choice or none.

    course = FlowRunner(base, goal, talk, rng)
    course.run()
    course.booked                  # the package, if one was taken

Each method ends with a turn of the wizard, so that the user is next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialoom.dialogue import SYSTEM, USER, Argument
from dialoom.dialogue.annotation import Value
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames.asking import Asking
from dialoom.sim.policies.frames.goals import COMPARING, DATES, FIXED, Goal, Wish, fields_of
from dialoom.sim.policies.frames.knowledge import SEATS, Package, Packages
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

GROUPS: Mapping[str, tuple[str, ...]] = {
    "dst_city": ("dst_city",),
    "or_city": ("or_city",),
    "dates": DATES,
    "budget": ("budget",),
    "n_adults": ("n_adults",),
    "flex": ("flex",),
}
"""What is said together, in the order in which it is."""

OFFERS = (1, 2, 3, 4)
"""Packages offered at a time, as often as each number occurs."""

QUESTIONS = (0, 0, 1, 1, 2)
"""Questions about the packages of one search, in a dialogue that goes on to the next city."""

OTHERS = (0, 0, 1, 1, 2, 2)
"""The same in a dialogue about one trip."""


class FlowRunner:
    """The way one dialogue takes.

    Args:
        base: The packages.
        goal: What the user wants.
        talk: Where it is said.
        rng: What is drawn.

    Attributes:
        booked: The package that was taken.
        taken: Its frame.
    """

    def __init__(self, base: Packages, goal: Goal, talk: Talk, rng: SeededRng) -> None:
        self.base, self.goal, self.talk, self.rng = base, goal, talk, rng
        self.asking = Asking(talk, rng)
        self.wish: Wish = dict(goal.wish)
        self.home = 1
        self.booked: Package | None = None
        self.taken = 0
        self._offered: dict[int, Package] = {}
        self._suggested: tuple[int, str] | None = None
        self._pool: list[Package] = []

    def run(self) -> None:
        """Have the whole dialogue."""
        self._open()
        if self.goal.kind == COMPARING:
            self._compare()
        else:
            self._explore()
        if self.booked is None:
            self._leave()

    def _open(self) -> None:
        """Say what is wanted; what the user leaves out, the wizard asks for."""
        talk, rng = self.talk, self.rng
        said = [talk.said(act("greeting"), "greet")] if rng.below(2) else []
        groups = [name for name, slots in GROUPS.items() if slots[0] in self.wish]
        given = [name for name in groups if name == "dst_city" or rng.below(3)]
        left = [name for name in groups if name not in given and name != "flex"]
        told = {slot: self.wish[slot] for name in given for slot in GROUPS[name]}
        text = talk.line("open") + "".join(self._part(name) for name in given) + "."
        if "flex" in given:
            text += " " + talk.line("flex")
        intent = act("inform", Argument("intent", ("book",)))
        said += [SurfaceForm(intent, ""), SurfaceForm(act("inform", **told), text)]
        if not rng.below(5):
            said.append(talk.said(act("inform", price=texts().cheapest), "cheapest"))
        talk.say(USER, said)
        while left:
            some, left = left[:2], left[2:]
            slots = [slot for name in some for slot in GROUPS[name]]
            asks = " ".join(talk.line(f"which.{name}") for name in some)
            asked = SurfaceForm(act("request", *map(Argument, slots)), asks)
            talk.say(SYSTEM, [asked])
            told = {slot: self.wish[slot] for slot in slots}
            answers = " ".join(self._part(name, "answer") for name in some)
            talk.say(USER, [SurfaceForm(act("inform", **told), answers)])

    def _part(self, name: str, kind: str = "part") -> str:
        """Return how one constraint is said, within a sentence or as an answer."""
        if name == "flex":
            return ""
        values = {slot: str(self.wish[slot]) for slot in GROUPS[name]}
        return self.talk.line(f"{kind}.{name}", values)

    def _search(self, *, last: bool = False) -> bool:
        """Search for the wish, and offer what there is; tell whether there is something.

        Args:
            last: Whether the user goes on to no other wish, so that no city need be suggested.
        """
        fields = fields_of(self.wish)
        found = self.base.search(fields)
        self.talk.search(fields, found)
        fresh = [package for package in found if package not in self._offered.values()]
        self._pool = _varied([p for p in fresh if p.seat == SEATS[0]] or fresh)
        if self._pool:
            self._offer()
            return True
        self._nothing(last=last)
        return False

    def _offer(self) -> None:
        """Offer the next packages of those found, each in a frame of its own."""
        talk = self.talk
        many = self.rng.choice(OFFERS)
        offers, self._pool = self._pool[:many], self._pool[many:]
        said: list[SurfaceForm] = []
        first = talk.next
        for place, package in enumerate(offers):
            slots = ("name", "category", "dst_city", "str_date", "end_date", "price")
            facts = {slot: package.facts[slot] for slot in slots}
            values = {slot: str(value) for slot, value in facts.items()}
            source = []
            if talk.active != self.home:
                source = [reading(self.home, or_city=self.wish["or_city"])]
            offer = act("offer", *source, writing(first + place, facts))
            said.append(talk.said(offer, "offer.more" if place else "offer", values))
            self._offered[first + place] = package
            self.asking.note(package)
        if len(offers) == 1 and not self.rng.below(4):
            said.append(talk.said(act("hearmore", about(first)), "hear_more"))
        talk.say(SYSTEM, said)

    def _nothing(self, *, last: bool) -> None:
        """Say that nothing fits, and ask for something else or suggest it."""
        talk = self.talk
        said = [talk.said(act("sorry"), "sorry")]
        values = {"dst_city": str(self.wish["dst_city"])}
        slots = map(Argument, ("dst_city", *DATES))
        said.append(talk.said(act("no_result", *slots), "no_result", values))
        city = None if last or self.rng.below(2) else self._elsewhere()
        if self.goal.kind == FIXED:
            said.append(talk.said(act("suggest", *map(Argument, DATES)), "other_dates"))
            self._suggested = (0, "")
        elif city is not None:
            self._suggested = (talk.next, city)
            source = reading(self.home, or_city=self.wish["or_city"])
            offer = act("suggest", source, writing(talk.next, {"dst_city": city}))
            said.append(talk.said(offer, "other_city", {"dst_city": city}))
        talk.say(SYSTEM, said)

    def _elsewhere(self) -> str | None:
        """Return a city that the user did not think of, and to which there are such trips."""
        reached = self.base.reached[str(self.wish["or_city"])]
        for _ in range(5):
            city = self.rng.choice(reached)
            if city not in self.goal.cities and self.base.search(
                fields_of(self.wish | {"dst_city": city})
            ):
                return city
        return None

    def _declined(self) -> list[SurfaceForm]:
        """Decline what the wizard has just suggested, if anything."""
        if self._suggested is None:
            return []
        (frame, _), self._suggested = self._suggested, None
        return [self.talk.said(act("negate", *([about(frame)] if frame else ())), "declined")]

    def _explore(self) -> None:
        """Look for one trip, change what may be changed, take an offer or none."""
        found = self._search(last=not self.goal.relaxed)
        if not found and self.goal.relaxed:
            found = self._relax()
        for _ in range(3):
            if not found:
                return
            alive = self._alive()
            for _ in range(self.rng.choice(OTHERS)):
                self._question(alive)
            if self.rng.below(5):
                self._take(self.rng.choice(alive))
                return
            found = self._another(alive[-1])

    def _relax(self) -> bool:
        """Change what may be changed, and have the wizard search again."""
        talk, relaxed = self.talk, self.goal.relaxed
        if self._suggested is not None and "dst_city" in relaxed:
            return self._follow(*self._suggested)
        lead = self._declined()
        self.wish |= relaxed
        name = next(name for name, slots in GROUPS.items() if set(slots) & relaxed.keys())
        values = {slot: str(value) for slot, value in self.wish.items()}
        source = []
        if not self.rng.below(2) and name == "dst_city":
            source = [saying(REF, {self.home: {"or_city": self.wish["or_city"]}})]
        line = f"relax.{name}.again" if source else f"relax.{name}"
        talk.say(USER, [*lead, talk.said(act("inform", *source, **relaxed), line, values)])
        self.home = talk.active
        return self._search(last=True)

    def _follow(self, frame: int, city: str) -> bool:
        """Go where the wizard suggests, and have them search there."""
        talk = self.talk
        self._suggested = None
        switch = act("switch_frame", saying(REF, {frame: {"dst_city": city}}))
        yes = talk.said(act("affirm", about(frame)), "yes")
        talk.say(USER, [yes, talk.said(switch, "follow", {"dst_city": city})])
        self.home = talk.active
        self.wish["dst_city"] = city
        return self._search(last=True)

    def _another(self, frame: int) -> bool:
        """Reject a package and ask for others; tell whether there are any."""
        talk, package = self.talk, self._offered[frame]
        named = {"name": self.asking.name(package)}
        said = [
            talk.said(act("reject", about(frame)), "reject", named),
            talk.said(act("request_alts"), "alternatives"),
        ]
        talk.say(USER, said)
        if self._pool:
            self._offer()
            return True
        talk.say(SYSTEM, [talk.said(act("no_result"), "no_more")])
        return False

    def _alive(self) -> list[int]:
        """Return the frames of the packages that were offered and not rejected."""
        frames = self.talk.state.frames
        return [k for k in self._offered if "REJECTED" not in frames[k - 1].info]

    def _question(self, alive: Sequence[int]) -> None:
        """Ask about one of the packages, or about how several compare."""
        latest = alive[-3:]
        several = list({self._offered[k].hotel.name: k for k in latest}.values())
        if len(several) > 1 and not self.rng.below(4):
            self.asking.compare({k: self._offered[k] for k in several})
        else:
            frame = self.rng.choice(latest)
            self.asking.one(frame, self._offered[frame])

    def _compare(self) -> None:
        """Ask about each city, compare, come back to one, and take it."""
        for number, city in enumerate(self.goal.cities):
            if number:
                self._turn_to(city)
            if self._search(last=number + 1 == len(self.goal.cities)):
                for _ in range(self.rng.choice(QUESTIONS)):
                    self._question([k for k in self._alive() if self._city(k) == city] or
                                   self._alive())  # fmt: skip
                if not self.rng.below(3):
                    self._another(self._last(city))
        alive = self._alive()
        if len(alive) > 1 and self.rng.below(3):
            best = dict.fromkeys(self._city(k) for k in alive)
            self.asking.compare({k: self._offered[k] for k in map(self._last, best)})
        if alive:
            self._take(self.rng.choice(alive))

    def _city(self, frame: int) -> str:
        return self._offered[frame].hotel.city

    def _last(self, city: str) -> int:
        """Return the frame of the last package in a city that is not rejected."""
        return [k for k in self._alive() if self._city(k) == city][-1]

    def _turn_to(self, city: str) -> None:
        """Ask for another city: a new frame, with what was wanted before."""
        talk = self.talk
        values = {"dst_city": city, "or_city": str(self.wish["or_city"])}
        self.wish = self.goal.wish | {"dst_city": city}
        if talk.active == self.home and self.rng.below(2):
            said = talk.said(act("inform", dst_city=city), "next_city", values)
        else:
            source = saying(REF, {self.home: {"or_city": self.wish["or_city"]}})
            said = talk.said(act("inform", source, dst_city=city), "next_city.again", values)
        talk.say(USER, [*self._declined(), said])
        self.home = talk.active

    def _take(self, frame: int) -> None:
        """Take a package, after a better seat was suggested perhaps."""
        talk, package = self.talk, self._offered[frame]
        name = {"name": package.hotel.name}
        named = {"name": self.asking.name(package)}
        line = "return" if frame < len(talk.state.frames) else "look"
        lead = self.asking.look(frame, package, line)
        yes = talk.said(act("affirm", about(frame)), "accept", name if lead else named)
        book = talk.said(act("inform", action="book"), "book")
        talk.say(USER, [*lead, yes, book])
        twin = self._twin(package) if not self.rng.below(6) else None
        if twin is not None:
            better = self.asking.upgrade(frame, package, twin)
            if better is not None:
                frame, package = better, twin
        elif self.rng.once_in(5):
            facts = {slot: package.facts[slot] for slot in DATES}
            values = {slot: str(value) for slot, value in facts.items()}
            confirm = act("confirm", writing(frame, facts))
            talk.say(SYSTEM, [talk.said(confirm, "sure", values | name)])
            talk.say(USER, [talk.said(act("affirm"), "yes")])
        self.booked, self.taken = package, frame
        done: dict[str, Value] = {"action": "book"}
        talk.say(SYSTEM, [talk.said(act("inform", writing(frame, done)), "booked", name)])
        talk.say(USER, [talk.said(act("thankyou"), "thanks")])
        if self.rng.once_in(3):
            talk.say(SYSTEM, [talk.said(act("you_are_welcome"), "welcome")])

    def _twin(self, package: Package) -> Package | None:
        """Return the same trip in the better class."""
        route = self.base.route(package.origin, package.hotel.city)
        for each in route:
            same = each.hotel is package.hotel and each.start == package.start
            if same and each.seat == SEATS[1] != package.seat:
                return each
        return None

    def _leave(self) -> None:
        """End without a trip."""
        talk = self.talk
        talk.say(USER, [*self._declined(), talk.said(act("thankyou"), "thanks.anyway")])
        talk.say(SYSTEM, [talk.said(act("goodbye"), "bye")])


def _varied(packages: Sequence[Package]) -> list[Package]:
    """Put one package of each hotel before the others."""
    first = {package.hotel.name: package for package in reversed(packages)}
    return sorted(packages, key=lambda package: first[package.hotel.name] is not package)
