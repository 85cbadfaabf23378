"""Simulates a dialogue about trips: a request, offers, questions, comparisons, a booking or none.

    policy = FramesPolicy(base, goal, recorder, rng)
    policy.run()
    policy.booked                  # the package, if one was taken

Each method ends with a turn of the wizard, so that the user is next. `rates` has the rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dialoom.dialogue import SYSTEM, USER, Argument
from dialoom.dialogue.annotation import Value
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames import rates
from dialoom.sim.policies.frames.goals import COMPARING, DATES, FIXED, TripGoal, Wish, fields_of
from dialoom.sim.policies.frames.packages import Package, Packages
from dialoom.sim.policies.frames.questions import Questions
from dialoom.sim.policies.frames.recorder import (
    REF,
    FramesRecorder,
    Sentence,
    about,
    act,
    joined,
    reading,
    saying,
    writing,
)
from dialoom.sim.policies.frames.travel import TRAVEL, texts

FEWER = (("PRICE_MAX",), ("END_TIME",), ("START_TIME", "END_TIME"), ("DESTINATION_CITY",))
"""Fields that a search with fewer fields leaves out, one of these drawn."""


class FramesPolicy:
    """Simulates one dialogue.

    `booked` is the booked package, if any, `taken` the number of its frame.
    """

    def __init__(
        self, base: Packages, goal: TripGoal, recorder: FramesRecorder, rng: SeededRng
    ) -> None:
        self.base, self.goal, self.recorder, self.rng = base, goal, recorder, rng
        self.questions = Questions(recorder, rng)
        self.wish: Wish = dict(goal.wish)
        self.home = 1
        self.booked: Package | None = None
        self.taken = 0
        self._offered: dict[int, Package] = {}
        self._suggested: tuple[int, str] | None = None
        self._fixed = False
        self._pool: list[Package] = []

    def run(self) -> None:
        """Have the whole dialogue."""
        self._open()
        if self.goal.kind == COMPARING:
            self._compare()
        else:
            self._explore()
        if self.booked is None:  # end without a trip
            thanks = self.recorder.said(act("thankyou"), "thanks.anyway")
            self.recorder.say(USER, *self._declined(), thanks)
            if self.rng.once_in(rates.GOODBYE):
                self.recorder.say(SYSTEM, self.recorder.said(act("goodbye"), "bye"))

    def _open(self) -> None:
        recorder, rng = self.recorder, self.rng
        sentences = [recorder.said(act("greeting"), "greet")] if rng.once_in(rates.GREETS) else []
        groups = [name for name, slots in TRAVEL.together.items() if slots[0] in self.wish]
        rate = {"dst_city": rates.DESTINATION_LEFT_OUT}
        topics = [name for name in groups if not rng.once_in(rate.get(name, rates.LEFT_OUT))]
        left = [name for name in groups if name not in topics and name != "flex"]
        late = "flex" in topics and "dates" in left
        topics = [name for name in topics if not (late and name == "flex")]
        values = self._values(topics)
        marks = {} if sentences else {"hail": ""}
        marks |= {"there": ""} if "dst_city" in topics else {}
        greeting = sentences[0].text if sentences else ""
        text = recorder.line("open", values | marks, greeting)
        self._fixed = late or "flex" in topics
        if "flex" in topics:
            text = joined([text, recorder.line("flex")])
        intent = act("inform", Argument("intent", ("book",)))
        if not rng.once_in(rates.INTENT_LEFT_OUT) or not topics:
            sentences.append(Sentence(intent, ""))
        sentences.append(Sentence(act("inform", **values), text))
        if rng.once_in(rates.CHEAPEST):
            sentences.append(recorder.said(act("inform", price=texts().cheapest), "cheapest"))
        recorder.say(USER, *sentences)
        while left:
            many = rng.choice(rates.ASKED_AT_ONCE)
            some, left = left[:many], left[many:]
            parts = self._values(some)
            first, *rest = (f"which.{name}" for name in some)
            noted = {"first": ""} if rng.once_in(rates.ACKNOWLEDGES) else {}
            asks = joined([recorder.line(first, noted), *map(recorder.line, rest)])
            recorder.say(SYSTEM, Sentence(act("request", *map(Argument, parts)), asks))
            wish = self.wish | ({"single": ""} if len(some) == 1 else {})
            answers = [recorder.line(f"answer.{name}", wish) for name in some]
            if late and "dates" in some:
                answers.append(recorder.line("flex"))
                parts |= self._values(["flex"])
            recorder.say(USER, Sentence(act("inform", **parts), joined(answers)))

    def _values(self, groups: Iterable[str]) -> Wish:
        return {slot: self.wish[slot] for name in groups for slot in TRAVEL.together[name]}

    def _search(self, *, last: bool = False) -> bool:
        """Search and offer results; True if any. The `last` wish needs no other city."""
        fields = fields_of(self.wish)
        matches = self.base.search(fields)
        for _ in range(self.rng.choice(rates.SEARCHES_BEFORE)):
            less = self.rng.choice(FEWER)
            wider = {name: value for name, value in fields.items() if name not in less}
            self.recorder.search(wider, self.base.search(wider))
        self.recorder.search(fields, matches)
        fresh = [package for package in matches if package not in self._offered.values()]
        self._pool = _varied([p for p in fresh if p.row["seat"] == TRAVEL.seats[0]] or fresh)
        if self._pool:
            self._offer()
            return True
        self._nothing(last=last)
        return False

    def _home(self) -> Argument:
        return reading(self.home, or_city=self.wish["or_city"])

    def _offer(self) -> None:
        recorder = self.recorder
        many = self.rng.choice(rates.OFFERS)
        packages, self._pool = self._pool[:many], self._pool[many:]
        first, sentences = recorder.next, []
        name = "suggest" if self.rng.once_in(rates.SUGGESTED) else "offer"
        source = () if recorder.active == self.home else (self._home(),)
        offers, facts_of = dict(enumerate(packages, first)), {}
        for place, (frame, package) in enumerate(offers.items()):
            facts, text = self._facts(package, packages[:place])
            sentences.append(Sentence(act(name, *source, writing(frame, facts)), text))
            facts_of[frame] = facts
        self._offered |= offers
        self.questions.note(offers, facts_of)
        if len(offers) == 1 and self.rng.once_in(rates.HEARS_MORE):
            sentences.append(recorder.said(act("hearmore", about(first)), "hear_more"))
        recorder.say(SYSTEM, *sentences)

    def _facts(self, package: Package, before: Sequence[Package]) -> tuple[Wish, str]:
        """Return the facts of an offer and their wording.

        `before` are the packages offered earlier in the turn; one at the same hotel is described by
        its differences.
        """
        twins = [other for other in before if other.name == package.name]
        parts = [part for part, times in TRAVEL.offered.items() if self.rng.once_in(times)]
        slots = [slot for part in parts for slot in TRAVEL.together.get(part, (part,))]
        if twins:
            new = {s for s in ("seat", *DATES) if package.facts[s] != twins[-1].facts[s]}
            slots = [*(DATES if new & {*DATES} else ()), *(new & {"seat"})]
        facts = {slot: package.facts[slot] for slot in ("name", *slots, "price")}
        line = "offer.same" if twins else "offer.more" if before else "offer"
        after = {"twin": ""} if twins and before[-1] in twins else {}
        return facts, self.recorder.line(line, facts | after)

    def _nothing(self, *, last: bool) -> None:
        recorder = self.recorder
        nothing = act("no_result", *map(Argument, ("dst_city", *DATES)))
        sentences, wish = [], self.wish
        if self.rng.once_in(rates.NOT_SORRY):
            wish = wish | {"unsaid": ""}
        else:
            sentences.append(recorder.said(act("sorry"), "sorry"))
        before = sentences[0].text if sentences else ""
        sentences.append(recorder.said(nothing, "no_result", wish, before))
        city = self._elsewhere() if not last and self.rng.once_in(rates.OTHER_CITY) else None
        if self.goal.kind == FIXED:
            line = "other_dates.fixed" if self._fixed else "other_dates"
            sentences.append(recorder.said(act("suggest", *map(Argument, DATES)), line))
            self._suggested = (0, "")
        elif city is not None:
            self._suggested = (recorder.next, city)
            place = {"dst_city": city}
            offer = act("suggest", self._home(), writing(recorder.next, place))
            sentences.append(recorder.said(offer, "other_city", place))
        recorder.say(SYSTEM, *sentences)

    def _elsewhere(self) -> str | None:
        reached = self.base.reached[str(self.wish["or_city"])]
        for city in (self.rng.choice(reached) for _ in range(5)):
            there = fields_of(self.wish | {"dst_city": city})
            if city not in self.goal.cities and self.base.search(there):
                return city
        return None

    def _declined(self) -> list[Sentence]:
        if self._suggested is None:
            return []
        (frame, _), self._suggested = self._suggested, None
        return [self.recorder.said(act("negate", *([about(frame)] if frame else ())), "declined")]

    def _explore(self) -> None:
        success = self._search(last=not self.goal.relaxed)
        if not success and self.goal.relaxed:
            success = self._relax()
        for _ in range(3):
            if not success:
                return
            alive = self._alive()
            for _ in range(self.rng.choice(rates.QUESTIONS)):
                self._question(alive)
            if not self.rng.once_in(rates.ASKS_FOR_OTHERS):
                self._take(self.rng.choice(alive))
                return
            success = self._another(alive[-1])

    def _relax(self) -> bool:
        recorder, relaxed = self.recorder, self.goal.relaxed
        if self._suggested is not None and "dst_city" in relaxed:
            return self._follow(*self._suggested)
        lead = self._declined()
        self.wish |= relaxed
        name = next(name for name, slots in TRAVEL.together.items() if {*slots} & relaxed.keys())
        line = f"relax.{name}"
        source: tuple[Argument, ...] = ()
        if self.rng.once_in(rates.NAMES_SOURCE) and name == "dst_city":
            line, source = f"{line}.again", (saying(REF, {self.home: self._origin}),)
        recorder.say(USER, *lead, recorder.said(act("inform", *source, **relaxed), line, self.wish))
        self.home = recorder.active
        return self._search(last=True)

    @property
    def _origin(self) -> Wish:
        return {"or_city": self.wish["or_city"]}

    def _follow(self, frame: int, city: str) -> bool:
        recorder, place = self.recorder, {"dst_city": city}
        self._suggested = None
        switch = act("switch_frame", saying(REF, {frame: place}))
        yes = recorder.said(act("affirm", about(frame)), "yes.offer")
        recorder.say(USER, yes, recorder.said(switch, "follow", place))
        self.home = recorder.active
        self.wish |= place
        return self._search(last=True)

    def _another(self, frame: int) -> bool:
        recorder = self.recorder
        sentences = [recorder.said(act("request_alts"), "alternatives")]
        if not self.rng.once_in(rates.NO_REJECTION):
            values = {"name": self.questions.name(self._offered[frame])}
            sentences.insert(0, recorder.said(act("reject", about(frame)), "reject", values))
            refused = self._offered[frame].name
            self._pool = [package for package in self._pool if package.name != refused]
        recorder.say(USER, *sentences)
        if self._pool:
            self._offer()
            return True
        recorder.say(SYSTEM, recorder.said(act("no_result"), "no_more"))
        return False

    def _alive(self, city: str | None = None) -> list[int]:
        frames = self.recorder.state.frames
        return [
            frame
            for frame, package in self._offered.items()
            if "REJECTED" not in frames[frame - 1].info and city in (None, package.city)
        ]

    def _question(self, alive: Sequence[int]) -> None:
        latest = alive[-3:]
        several = list({self._offered[k].name: k for k in latest}.values())
        active = self.recorder.active
        if len(several) > 1 and self.rng.once_in(rates.COMPARISON):
            self.questions.compare({k: self._offered[k] for k in several})
        else:
            frame = active if active in alive else self.rng.choice(latest)
            self.questions.one(frame, self._offered[frame])

    def _compare(self) -> None:
        for number, city in enumerate(self.goal.cities):
            if number:
                self._turn_to(city)
            if self._search(last=number + 1 == len(self.goal.cities)):
                for _ in range(self.rng.choice(rates.QUESTIONS_IF_COMPARING)):
                    self._question(self._alive(city) or self._alive())
                if self.rng.once_in(rates.ASKS_FOR_OTHERS):
                    self._another(self._alive(city)[-1])
        alive = self._alive()
        if len(alive) > 1 and self.rng.once_in(rates.COMPARES_CITIES):
            cities = dict.fromkeys(self._offered[frame].city for frame in alive)
            last = [self._alive(city)[-1] for city in cities]
            self.questions.compare({k: self._offered[k] for k in last})
        if alive:
            self._take(self.rng.choice(alive))

    def _turn_to(self, city: str) -> None:
        recorder = self.recorder
        line = "next_city"
        source: tuple[Argument, ...] = ()
        if recorder.active != self.home or self.rng.once_in(rates.NAMES_SOURCE):
            source = (about(self.home),)
            if self.rng.once_in(rates.NAMES_ORIGIN):
                line, source = "next_city.again", (saying(REF, {self.home: self._origin}),)
        self.wish = self.goal.wish | {"dst_city": city}
        sentence = recorder.said(act("inform", *source, dst_city=city), line, self.wish)
        recorder.say(USER, *self._declined(), sentence)
        self.home = recorder.active

    def _take(self, frame: int) -> None:
        recorder, questions, package = self.recorder, self.questions, self._offered[frame]
        line = "return" if frame < len(recorder.state.frames) else "choose"
        lead = questions.look(frame, package, line)
        book = recorder.said(act("inform", intent="book"), "book")
        if lead and self.rng.once_in(rates.SHALL_BOOK):
            recorder.say(USER, *lead)
            recorder.say(SYSTEM, recorder.said(act("suggest", action="book"), "shall"))
            recorder.say(USER, recorder.said(act("affirm"), "yes.offer"))
        else:
            recorder.say(USER, *lead, book)
        twin = self._twin(package) if self.rng.once_in(rates.BETTER_SEAT) else None
        if twin is not None:
            better = questions.upgrade(frame, package, twin)
            if better is not None:
                frame, package = better, twin
        elif self.rng.once_in(rates.SURE):
            confirm = act("confirm", writing(frame, {slot: package.facts[slot] for slot in DATES}))
            recorder.say(SYSTEM, recorder.said(confirm, "sure", package.facts))
            recorder.say(USER, recorder.said(act("affirm"), "yes.right"))
        self.booked, self.taken = package, frame
        done: dict[str, Value] = {"action": "book"}
        booked = act("inform", writing(frame, done))
        recorder.say(SYSTEM, recorder.said(booked, "booked", package.facts))
        if not self.rng.once_in(rates.NO_THANKS):
            recorder.say(USER, recorder.said(act("thankyou"), "thanks"))
            if self.rng.once_in(rates.WELCOME):
                recorder.say(SYSTEM, recorder.said(act("you_are_welcome"), "welcome"))

    def _twin(self, package: Package) -> Package | None:
        same = ("name", "str_date")
        for each in self.base.route(*package.route):
            better = each.row["seat"] == TRAVEL.seats[1] != package.row["seat"]
            if better and all(each.row[slot] == package.row[slot] for slot in same):
                return each
        return None


def _varied(packages: Sequence[Package]) -> list[Package]:
    """Put one package of each hotel first, and drop dearer ones of the same."""
    same = ("name", "seat", *DATES)
    different = {tuple(each.facts[slot] for slot in same): each for each in reversed(packages)}
    cheapest = [each for each in packages if each in different.values()]
    first = {package.name: package for package in reversed(cheapest)}
    return sorted(cheapest, key=lambda package: first[package.name] is not package)
