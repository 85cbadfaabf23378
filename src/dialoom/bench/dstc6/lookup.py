"""A lookup table that predicts the bot's next act, and ranks the candidates of a turn by it.

The key is the bot's last act, the user's last words and the slots that they have mentioned. Acts
are read off the position of lines in a dialogue (sim/policies/booking/roles.py), so that corpora
in other words have the same ones. For a key that training did not have, shorter ones are tried
(`LEVELS`): without the slots; with the slots that the user mentioned last for their words; that
without the slots; the bot's last act alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Choice, Dialogue, Prediction, Question
from dialoom.dialogue.event import SYSTEM, USER, Event, Options, Query, Utterance
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.baselines import ranked, text_of
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.roles import SILENT, Roles, roles_of

SILENCE = "silence"

LEVELS = ("words and slots", "words", "mentions and slots", "mentions", "last act")


Keys = tuple[Hashable, ...]
"""The keys of a turn, one for each of `LEVELS`."""


ActExample = tuple[Keys, str]
"""The keys of a turn of the bot, and its act."""


class Lookup:
    """The most frequent act after each key; of equally frequent ones, the first in the alphabet."""

    def __init__(self, examples: Iterable[ActExample]) -> None:
        counts: list[dict[Hashable, Counter[str]]] = [defaultdict(Counter) for _ in LEVELS]
        for keys, act in examples:
            for level, key in zip(counts, keys, strict=True):
                level[key][act] += 1
        self._acts = [
            {key: min(acts, key=lambda act: (-acts[act], act)) for key, acts in level.items()}
            for level in counts
        ]

    def predict(self, keys: Sequence[Hashable]) -> tuple[str | None, int]:
        """Return the act and the key's index in `LEVELS`; None and their number for unseen keys."""
        for level, (acts, key) in enumerate(zip(self._acts, keys, strict=True)):
            act = acts.get(key)
            if act is not None:
                return act, level
        return None, len(LEVELS)


@dataclass
class LookupRanker:
    """Ranks candidates of the predicted act first, then by how lately their values were mentioned.

    Lines of the bot are matched to acts by the training dialogues; values of slots are also taken
    from the results and the candidates of the question.
    """

    name: ClassVar[str] = "lookup"
    kinds: ClassVar[Kinds] = (Choice,)
    _roles: Roles = field(default_factory=Roles, init=False, repr=False)
    _lookup: Lookup | None = field(default=None, init=False, repr=False)

    def fit(self, learnt: Examples, schemas: Schemas) -> None:
        """Learn the bot's next turns from examples; `UsageError` without any."""
        need(learnt)
        asked_in = (one.question.dialogue for one in learnt)
        dialogues = list({id(dialogue): dialogue for dialogue in asked_in}.values())
        self._roles = roles_of(dialogues)
        self._lookup = Lookup(acts(dialogues, self._roles))

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates; `UsageError` before `fit`."""
        return [self._ranked(question) for question in questions]

    def _ranked(self, question: Question[Choice]) -> Prediction[str]:
        lookup = known(self._lookup)
        candidates = question.asked.candidates
        scene = replace(
            question.dialogue, events=(*question.history, Options(candidates=candidates))
        )
        slots = {**self._roles.slots, **roles_of([scene]).slots}
        roles = Roles(self._roles.lines, self._roles.counts, slots)
        *_, (keys, _) = turns(question.history, roles)
        act, _ = lookup.predict(keys)
        words = " ".join(map(text_of, question.history)).split()
        latest = {word: place for place, word in enumerate(words, start=1)}

        def fit(text: str) -> tuple[bool, float]:
            values = [w for w in text.split() if w in slots or "_" in w]
            recency = sum(latest.get(value, 0) for value in values)
            return roles.line(text) == act, recency / (len(values) * len(words) or 1)

        order = sorted(candidates, key=lambda c: fit(c.text or ""), reverse=True)
        return ranked([candidate.id for candidate in order])


def acts(dialogues: Iterable[Dialogue], roles: Roles) -> Iterator[ActExample]:
    """Yield an example for each turn of the bot, whose lines are in `roles`."""
    for dialogue in dialogues:
        for keys, act in turns(dialogue.events, roles):
            if act is not None:
                yield keys, act


def turns(events: Sequence[Event], roles: Roles) -> Iterator[tuple[Keys, str | None]]:
    """Yield the keys and the act of each turn of the bot, then the keys of the turn to come."""
    last, words = "", SILENCE
    shape: tuple[str, ...] = (SILENCE,)
    mentioned: frozenset[str] = frozenset()

    def keys() -> Keys:
        return (
            (last, words, mentioned),
            (last, words),
            (last, shape, mentioned),
            (last, shape),
            (last,),
        )

    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            words, shape = SILENCE, (SILENCE,)
            if event.text not in SILENT:
                words = roles.delexicalised(event.text)
                entity = {"name"} if "{name}" in words else set()
                shape = tuple(sorted({*roles.mentioned(event.text), *entity}))
                mentioned |= set(shape)
            continue
        act = None
        if isinstance(event, Query):
            act = CALL
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            act = roles.line(event.text)
        if act is not None:
            yield keys(), act
            last, words, shape = act, SILENCE, (SILENCE,)
    yield keys(), None
