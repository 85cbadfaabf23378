"""What came up in a dialogue so far: values, where they stood, what was said of services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dialoom.models.tracker.contexts import around, question, whole
from dialoom.models.tracker.listening import (
    SYSTEM_ACTS,
    USER_ACTS,
    Listener,
    act_targets,
    phrases,
)
from dialoom.models.tracker.pairs import Floats
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import Place, Said, Side, Turn
from dialoom.models.tracker.words import Codes, normal


@dataclass(slots=True)
class Mention:
    """A value that stood in an utterance.

    Attributes:
        turn: The turn's number.
        user: Whether the user said it.
        norm: The value as it is compared.
        text: The value as it was said.
        kind: Its kind.
        around: The words around it.
    """

    turn: int
    user: bool
    norm: str
    text: str
    kind: str
    around: Codes


@dataclass(slots=True)
class Heard:
    """What one turn says of a service; scores are log odds.

    Attributes:
        wants: For each listed value.
        offers: The same of the system.
        informs: For each slot.
        anything: For each slot.
        asks: For each slot.
        requested: For each slot.
        intends: For each intent.
        proposes: For each intent.
    """

    wants: Floats
    offers: Floats
    informs: Floats
    anything: Floats
    asks: Floats
    requested: Floats
    intends: Floats
    proposes: Floats


_NONE = np.zeros(0, np.float32)


@dataclass(slots=True)
class ServiceMemory:
    """What is known of one service.

    Attributes:
        view: The service.
        first: The turn of its first frame.
        last: The turn of its last frame.
        frames: How many frames it had.
        values: Its state: slot to value.
        filled: Slot to the turn in which that was filled.
        intent: Its intent.
        scores: For each mention, what it is to each slot.
        picked: For each listed value, the mentions of it: (turn, user, score).
        heard: What each turn says of it.
    """

    view: ServiceView
    first: int
    last: int = -1
    frames: int = 0
    values: dict[str, str] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    intent: str = "NONE"
    scores: list[Floats] = field(default_factory=list)
    picked: dict[int, list[tuple[int, bool, Floats]]] = field(default_factory=dict)
    heard: list[Heard] = field(default_factory=list)


class Memory:
    """A dialogue up to a turn.

    Args:
        listener: Scores what is said.
        views: The services.
    """

    def __init__(self, listener: Listener, views: Mapping[str, ServiceView]) -> None:
        self._listener, self._views = listener, views
        self.turns: list[Turn] = []
        self.mentions: list[Mention] = []
        self.services: dict[str, ServiceMemory] = {}
        self.user_acts = self.system_acts = _NONE
        self._whole: list[tuple[Codes, Codes]] = []
        self._asked: list[list[str]] = []

    @property
    def now(self) -> int:
        """The number of the turn that was read last."""
        return len(self.turns) - 1

    def read(self, turn: Turn) -> None:
        """Read the next turn."""
        self.turns.append(turn)
        asked = list(question(turn.system))
        self._asked.append(asked)
        for side, user in ((turn.system, False), (turn.user, True)):
            before = asked if user else []
            for place in side.places:
                self._mention(side, place, user, before)
        self._whole.append((whole(turn.system, ()), whole(turn.user, asked)))
        system, user_ = self._whole[-1]
        score = self._listener.score
        self.user_acts = score("user_act", act_targets(USER_ACTS), user_)
        self.system_acts = score("system_act", act_targets(SYSTEM_ACTS), system)
        for name in turn.services:
            if name in self._views:
                self._update(name)

    def _mention(self, side: Side, place: Place, user: bool, before: list[str]) -> None:
        norm = normal(side.stems[place.start : place.end])
        context = around(side, place, before)
        self.mentions.append(Mention(self.now, user, norm, side.says(place), place.kind, context))

    def _update(self, name: str) -> None:
        """Bring what is known of a service up to the last turn."""
        held = self.services.get(name)
        if held is None:
            held = self.services[name] = ServiceMemory(self._views[name], self.now)
        held.last, held.frames = self.now, held.frames + 1
        score, view = self._listener.score, held.view
        for mention in self.mentions[len(held.scores) :]:
            which = "said" if mention.user else "told"
            held.scores.append(score(which, view.slot_targets, mention.around))
        for n in range(len(held.heard), len(self.turns)):
            held.heard.append(self._hear(n, view))
            turn = self.turns[n]
            for side, user in ((turn.system, False), (turn.user, True)):
                for start, end, choice in phrases(view, side):
                    before = self._asked[n] if user else []
                    context = around(side, Place(start, end, "category"), before)
                    found = score("said" if user else "told", view.slot_targets, context)
                    held.picked.setdefault(choice, []).append((n, user, found))

    def _hear(self, n: int, view: ServiceView) -> Heard:
        system, user = self._whole[n]
        score = self._listener.score
        slots, choices, intents = view.slot_targets, view.choice_targets, view.intent_targets
        return Heard(
            score("wants", choices, user),
            score("offers", choices, system),
            score("informs", slots, user),
            score("anything", slots, user),
            score("asks", slots, system),
            score("requested", slots, user),
            score("intends", intents, user),
            score("proposes", intents, system),
        )

    def told(self, service: str) -> list[Said]:
        """Return the known acts of the system before the last turn, of a service."""
        acts = self.turns[-1].system.acts
        return [act for act in acts or () if act.service == service]
