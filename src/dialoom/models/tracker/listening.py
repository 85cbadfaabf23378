"""What an utterance says of each slot, value and intent of a service: scores learnt from acts.

said        the user gives a slot this value that stands in the text
told        the system offers, confirms or tells it
wants       the user gives a slot this listed value, in whatever words
offers      the system offers, confirms or tells it
informs     the user says something of a slot
anything    the user does not care about a slot
asks        the system asks for a slot
requested   the user asks for a slot
intends     the user wants an intent
proposes    the system offers an intent
user_act    the utterance has an act of this name
system_act  the same of the system
carries     a slot has the value that a slot of another service has
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random

from dialoom.models.tracker.contexts import around, question, whole
from dialoom.models.tracker.pairs import Floats, PairScorer, Targets
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import Place, Said, Side, Turn
from dialoom.models.tracker.words import Codes, codes, normal, normal_text
from dialoom.schema.service import ANYTHING, INTENT

USER_ACTS = (
    "AFFIRM",
    "AFFIRM_INTENT",
    "GOODBYE",
    "INFORM",
    "INFORM_INTENT",
    "NEGATE",
    "NEGATE_INTENT",
    "REQUEST",
    "REQUEST_ALTS",
    "SELECT",
    "THANK_YOU",
)
SYSTEM_ACTS = (
    "CONFIRM",
    "GOODBYE",
    "INFORM",
    "INFORM_COUNT",
    "NOTIFY_FAILURE",
    "NOTIFY_SUCCESS",
    "OFFER",
    "OFFER_INTENT",
    "REQUEST",
    "REQ_MORE",
)
_SAYS = frozenset({"INFORM", "OFFER", "CONFIRM"})
"""Acts that give a slot a value."""

SCORES = (
    "said",
    "told",
    "wants",
    "offers",
    "informs",
    "anything",
    "asks",
    "requested",
    "intends",
    "proposes",
    "user_act",
    "system_act",
    "carries",
)
MOST = 120_000
"""Examples that a score is learnt from at most."""

_Example = tuple[Codes, Codes, bool]


@cache
def act_targets(names: tuple[str, ...]) -> Targets:
    """Return the names of acts as descriptions."""
    return Targets.of([codes([name]) for name in names])


class Listener:
    """The scores, learnt together from annotated turns."""

    def __init__(self) -> None:
        self.scorers = {name: PairScorer() for name in SCORES}

    def fit(
        self,
        dialogues: Iterable[list[Turn]],
        views: Mapping[str, ServiceView],
        seed: int,
    ) -> None:
        """Learn from dialogues whose acts are known, about the services in `views` alone."""
        draw = Random(seed)
        found: dict[str, list[_Example]] = {name: [] for name in SCORES}
        for dialogue in dialogues:
            for turn in dialogue:
                for name, example in _of_turn(turn, views, draw):
                    found[name].append(example)
            for example in _carried(dialogue, views, draw):
                found["carries"].append(example)
        for n, name in enumerate(SCORES):
            examples = found.pop(name)
            if len(examples) > MOST:
                examples = draw.sample(examples, MOST)
            self.scorers[name].fit(examples, seed + n)

    def score(self, name: str, targets: Targets, said: Codes) -> Floats:
        """Return one of the scores of some descriptions."""
        return self.scorers[name].score(targets, said)


def _of_turn(
    turn: Turn, views: Mapping[str, ServiceView], draw: Random
) -> Iterator[tuple[str, _Example]]:
    asked = question(turn.system)
    user, system = whole(turn.user, asked), whole(turn.system, ())
    for names, said, side, score in (
        (USER_ACTS, user, turn.user, "user_act"),
        (SYSTEM_ACTS, system, turn.system, "system_act"),
    ):
        if draw.random() < 0.3 and side.words:
            there = {act.act for act in side.acts or ()}
            for name in names:
                yield score, (codes([name]), said, name in there)
    for service in turn.services:
        view = views.get(service)
        if view is None:
            continue
        for side, said, names_ in (
            (turn.user, user, ("said", "wants", "informs", "requested", "intends")),
            (turn.system, system, ("told", "offers", "", "asks", "proposes")),
        ):
            if side.words:
                acts = [act for act in side.acts or () if act.service == service]
                before = asked if side is turn.user else ()
                yield from _of_side(view, side, acts, said, before, names_, draw)


def _of_side(
    view: ServiceView,
    side: Side,
    acts: list[Said],
    said: Codes,
    before: Iterable[str],
    names: tuple[str, ...],
    draw: Random,
) -> Iterator[tuple[str, _Example]]:
    """Yield what an utterance teaches; `names` are the scores of values, choices, slots, …"""
    values, choices, informs, requests, intents = names
    exact = {(act.slot, value) for act in acts if act.act in _SAYS for value in act.values}
    yield from ((values, each) for each in _places(view, side, exact, before, draw))
    told = {slot for slot, _ in exact}
    for slot, value in view.choices:
        fits = (slot.name, value) in exact
        if fits or draw.random() < (0.7 if slot.name in told else 0.12):
            yield choices, (slot.valued(value, draw), said, fits)
    free = {slot for slot, value in exact if value == ANYTHING}
    asked = {act.slot for act in acts if act.act == "REQUEST"}
    for score, slots, named, share in (
        (requests, view.slots, asked, 0.2),
        (informs, view.inputs, told, 0.25),
        ("anything", view.inputs if informs else (), free, 0.1),
    ):
        for slot in slots if score else ():
            if slot.name in named or draw.random() < share:
                yield score, (slot.plain(draw), said, slot.name in named)
    wanted = {value for act in acts if act.slot == INTENT for value in act.values}
    for name, about in zip(view.intents, view.intent_words, strict=True):
        if name in wanted or draw.random() < 0.3:
            yield intents, (about[: len(about) - draw.randint(0, 1)], said, name in wanted)


def _places(
    view: ServiceView,
    side: Side,
    exact: Iterable[tuple[str, str]],
    before: Iterable[str],
    draw: Random,
) -> Iterator[_Example]:
    """Yield slots and the values that stand in an utterance."""
    given = {(slot, normal_text(value)) for slot, value in exact}
    for place in located(view, side):
        norm = normal(side.stems[place.start : place.end])
        context = around(side, place, list(before))
        for slot in view.slots:
            fits = (slot.name, norm) in given
            if fits or draw.random() < (0.6 if slot.kind == place.kind else 0.15):
                yield slot.plain(draw), context, fits


def located(view: ServiceView, side: Side) -> list[Place]:
    """Return where values may stand: those found, and listed values of a service's inputs."""
    places = list(side.places)
    taken = {(place.start, place.end) for place in places}
    for start, end, _ in phrases(view, side):
        if (start, end) not in taken:
            taken.add((start, end))
            places.append(Place(start, end, "category"))
    return places


def phrases(view: ServiceView, side: Side) -> Iterator[tuple[int, int, int]]:
    """Yield listed values in an utterance: the first word, the one after the last, the place."""
    stems = side.stems
    for n, word in enumerate(stems):
        for said, choice in view.phrases.get(word, ()):
            if tuple(stems[n : n + len(said)]) == said:
                yield n, n + len(said), choice


def _carried(
    dialogue: list[Turn], views: Mapping[str, ServiceView], draw: Random
) -> Iterator[_Example]:
    """Yield pairs of slots of two services, and whether they come to have the same value."""
    last = {name: state for turn in dialogue for name, state in turn.states.items()}
    names = [name for name in last if name in views]
    for one in names:
        for other in names:
            if one == other:
                continue
            held = {
                normal_text(str(value)): slot
                for slot, values in last[other].values.items()
                for value in values
            }
            for view in views[one].inputs:
                mine = {normal_text(str(v)) for v in last[one].values.get(view.name, ())}
                for value, slot in held.items():
                    about = views[other].slots[views[other].place[slot]]
                    fits = value in mine
                    if mine and (fits or (about.kind == view.kind and draw.random() < 0.5)):
                        yield view.plain(draw), about.plain(draw), fits
