"""Reads a turn sentence by sentence: the task's lines in it, and the slots they ask for.

    reader = turn_reader(pack.load("hotel_book"), "system")
    turn = reader.read("Sure! When will you get there, and under what name shall I book?")
    turn.asks                 # ("arrival", "name")
    turn.action               # "hotel_ask_date_from"

A turn is split into acts: runs of sentences, each best explained by one node of the task. The
reader scores nodes by their functions and slots, so no turn needs the words of the task file. It
reads the system's turns and the user's alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from dialoom.reading.function_scorer import (
    NAMES,
    UNDECIDED,
    FunctionScorer,
    ReadingWeights,
    by_function,
    evidence,
    function_of,
    function_scorer,
    reading_weights,
)
from dialoom.reading.profile import Profiles, Reply, Speaker, merged
from dialoom.reading.spoken import FILLERS, INFORM, SpokenAct, SpokenTurn
from dialoom.reading.statements import stated
from dialoom.reading.wording import (
    FAILED,
    GONE,
    KEPT,
    SHORTEST,
    SentenceWords,
    sentences,
    without_apology,
    wording_of,
)
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import Kept, once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Template, parse
from dialoom.schema.values import Mention

PIECE = 0.4
"""Cost of each act of a turn, in nats: two acts have to explain it by more than this."""

CONFLICT = 0.6
"""Share, in the cost of a run of sentences, of what each of them loses by not being read alone."""

APART = 9.0
"""Cost, in nats, of reading two clear questions for different slots as one."""

LONGEST = 3
"""Most sentences of one act, where a turn has more."""

MOST_WORDS = 100
"""Most words of a sentence that is searched for a greeting and a question without a mark."""

LEAST = 0.3
"""Least probability of a reply; below, a text is not understood."""

PUZZLED = frozenset("?？")
"""Marks that say, without a word, that something was not understood."""

ALONE = 0.15
"""Least probability of a reply by its words alone, where the context speaks for it."""

CLEAR = 0.5
"""Least probability of any reply by the words alone, where the context decides which it is."""

PART = 0.6
"""Least probability, among the questions of a task, that a part of a question asks for a slot."""

FILLING = 0.5
"""Least probability of these functions at which a sentence is taken for a filler."""


UNDONE = frozenset({"failure", "nothing", "out_of_scope"})
"""Functions of replies that something is not or cannot be done."""


STATED = 0.3
"""Least probability of `UNDONE` in an apology without its words of apology; below, it is bare. In
our examples, 20 of 21 apologies for something not done have more, or a word of `FAILED` or `GONE`,
and 2 of 14 bare ones."""


class _Scored(NamedTuple):
    """A run of sentences: its best act, and how likely that is in nats."""

    act: SpokenAct
    likely: float


class TurnReader:
    """Reads the turns of one speaker in one task."""

    def __init__(
        self, task: TaskSchema, speaker: Speaker, weights: ReadingWeights | None = None
    ) -> None:
        self.task, self.language = task, task.language
        self.profiles = Profiles(task, speaker)
        learned = weights or reading_weights(task.language, speaker)
        self._scorer = (
            FunctionScorer(learned) if weights else function_scorer(task.language, speaker)
        )
        self._turns = Kept(self._read, KEPT)
        self._scores = Kept(self._scored, KEPT)
        self._stated = Kept[str, tuple[Mention, ...]](lambda text: tuple(stated(task, text)), KEPT)
        self._templates = tuple(self._bare_templates())
        self._joint = re.compile(rf"[,;]\s*|\s+{re.escape(lexicon(task.language).last.strip())}\s+")
        self._weights = tuple(learned.evidence.get(name, 0.0) for name in NAMES)

    def _bare_templates(self) -> Iterator[tuple[str, frozenset[str], Template]]:
        nodes, outside = self.task.flow.nodes, self.task.out_of_scope
        for action in self.profiles.replies:
            for text in nodes[action].texts if action in nodes else outside:
                template = parse(text)
                words = wording_of(template.bare, self.language).words
                if words:
                    yield action, words, template

    def read(self, text: str, expected: Mapping[str, float] | None = None) -> SpokenTurn:
        """Return the acts of a turn; `expected` maps likelier actions to a bonus in nats."""
        return self._turns[text, tuple((expected or {}).items())]

    def _read(self, key: tuple[str, tuple[tuple[str, float], ...]]) -> SpokenTurn:
        text, bonus = key[0], dict(key[1])
        parts = sentences(text)
        whole = " ".join(parts)
        exact = self._exact(whole, bonus)
        apart = tuple(piece for part in parts for piece in self._ungreeted(part, bonus))
        acts = (self._act(whole, exact),) if exact else tuple(self._acts(apart, bonus))
        if len(acts) > 1:
            acts = tuple(self.excused(act) for act in acts)
        if not any(map(str.isalnum, text)) and set(text).intersection(PUZZLED):
            acts = (self._puzzled(text),)
        return SpokenTurn(acts, self._stated[text])

    def _ungreeted(self, text: str, expected: Mapping[str, float]) -> tuple[str, ...]:
        """Return a greeting and a question without a mark between them as two sentences."""
        words, whole = text.split(), self._score(text, expected).act
        pieces: tuple[str, ...] = (text,)
        if whole.function != "greeting" or whole.certainty == 1.0 or len(words) > MOST_WORDS:
            return pieces
        likeliest = CLEAR
        for end in range(1, len(words)):
            head, rest = " ".join(words[:end]), " ".join(words[end:])
            greets, asks = self.functions(head), self.functions(rest)
            likely = greets.get("greeting", 0.0) * asks.get("request", 0.0)
            named = likely > likeliest and wording_of(rest, self.language).words
            if named and self._score(rest, expected).act.asks:
                likeliest, pieces = likely, (head, rest)
        return pieces

    def functions(self, text: str) -> dict[str, float]:
        """Return function to its probability for a sentence."""
        return by_function(self._scorer.probabilities(wording_of(text, self.language)))

    def excused(self, act: SpokenAct) -> SpokenAct:
        """Return a bare apology ("Sorry for the delay.") as small talk, any other act as it is.

        To stay, its words without the apology have to say that something was not done.
        """
        if act.function not in UNDONE or act.certainty == 1.0:
            return act
        rest = without_apology(act.text, self.language)
        wording = wording_of(rest, self.language)
        if rest == act.text or not wording.concepts.isdisjoint((FAILED, GONE)):
            return act
        shares = self._scorer.probabilities(wording)
        undone = sum(shares.get(function, 0.0) for function in UNDONE)
        if not shares or undone >= STATED:
            return act
        return replace(act, function="small_talk", action=None, asks=(), certainty=1 - undone)

    def _puzzled(self, text: str) -> SpokenAct:
        replies = self.profiles.replies.values()
        action = next((r.action for r in replies if r.function == "not_understood"), None)
        return SpokenAct(text, "not_understood", action, (), 1.0)

    def _exact(self, text: str, expected: Mapping[str, float]) -> str | None:
        """Return the node with a template equal to a text; of several, that with most words."""
        tokens = wording_of(text, self.language).words
        fitting = [
            (len(words), expected.get(action, 0.0), -place, action)
            for place, (action, words, template) in enumerate(self._templates)
            if words <= tokens and template.match(text) is not None
        ]
        return max(fitting)[3] if fitting else None

    def _acts(self, parts: tuple[str, ...], expected: Mapping[str, float]) -> Iterator[SpokenAct]:
        ends: list[tuple[float, tuple[SpokenAct, ...]]] = [(0.0, ())]
        for end in range(1, len(parts) + 1):
            ways = []
            for start in range(max(0, end - LONGEST), end):
                scored = self._score(" ".join(parts[start:end]), expected)
                cost, acts = ends[start]
                lost = self._lost(parts[start:end], scored.act, expected)
                ways.append((cost + scored.likely - lost - PIECE, (*acts, scored.act)))
            ends.append(max(ways, key=lambda way: way[0]))
        yield from ends[-1][1]

    def _lost(self, run: tuple[str, ...], act: SpokenAct, expected: Mapping[str, float]) -> float:
        if len(run) == 1 or act.action is None or self.profiles.replies[act.action].open:
            return 0.0
        if self._exact(" ".join(run), expected) is not None:
            return 0.0
        lost = 0.0
        for text in run:
            alone = self._score(text, expected).act
            if alone.action is None or alone.action == act.action:
                continue
            if alone.function == act.function == "request":
                return APART
            chance = self.chances(text, expected)[act.action]
            lost += math.log(alone.certainty / max(chance, 1e-3))
        return CONFLICT * max(lost, 0.0)

    def _score(self, text: str, expected: Mapping[str, float]) -> _Scored:
        wording = wording_of(text, self.language)
        if not any(map(str.isalnum, text)):
            return _Scored(SpokenAct(text, ""), math.log(1e-3))
        labels = self._scorer.probabilities(wording)
        filler = max(FILLERS, key=lambda function: labels.get(function, 0.0))
        share = labels.get(filler, 0.0)
        if share >= FILLING:
            return _Scored(SpokenAct(text, filler, certainty=share), math.log(share))
        exact = self._exact(text, expected)
        if exact is not None:
            return _Scored(self._act(text, exact), 0.0)
        chances = self.chances(text, expected)
        action = max(chances, key=lambda name: chances[name], default=None)
        label = max(labels, key=lambda name: labels[name], default="")
        vague = labels.get(label, 1.0) < LEAST
        if action is None or not self._shown(text, action, expected, vague=vague):
            parts = self._parts_asked(text) if function_of(label) == "request" else {}
            if parts:
                first = next(iter(parts.values()))
                act = SpokenAct(text, "request", first[0], (*parts,), first[1])
                return _Scored(act, math.log(first[1]))
            chance = chances[action] if action is not None else 0.0
            function = function_of(label) if labels.get(label, 0.0) >= FILLING else ""
            return _Scored(SpokenAct(text, function), math.log(min(max(chance, 1e-3), ALONE)))
        reply = self.profiles.replies[action]
        if function_of(label) == INFORM and self._beside(labels, reply):
            return _Scored(SpokenAct(text, INFORM, certainty=labels[label]), math.log(ALONE))
        function = reply.function or function_of(label)
        asks = self._asks(text, reply)
        chance = self._pooled(chances, action)
        act = SpokenAct(text, function, action, asks, chance)
        return _Scored(act, math.log(chance))

    def _beside(self, labels: Mapping[str, float], reply: Reply) -> bool:
        """Return True if a text informs in a task without such a reply, and does nothing else."""
        informs = any(each.function in (INFORM, None) for each in self.profiles.replies.values())
        sure = labels[INFORM] >= FILLING and labels.get(reply.label, 0.0) < UNDECIDED
        return sure and not informs

    def _act(self, text: str, action: str) -> SpokenAct:
        reply = self.profiles.replies[action]
        return SpokenAct(text, reply.function or "", action, reply.asks, 1.0)

    def _asks(self, text: str, reply: Reply) -> tuple[str, ...]:
        if not reply.asks or reply.function != "request":
            return reply.asks
        parts = self._parts_asked(text, reply)
        return tuple(parts) if set(reply.asks) <= {*parts} else (*reply.asks, *parts)

    def _parts_asked(self, text: str, main: Reply | None = None) -> dict[str, tuple[str, float]]:
        """Return the slots that the parts of a question ask for, each with reply and chance.

        A part has to name its slot by a word of it, and to have a word that the `main` question of
        the text lacks ("How many are you, if any?"). A question of one part has none.
        """
        parts, slots = self._joint.split(text), dict[str, tuple[str, float]]()
        for part in parts if len(parts) > 1 else ():
            wording = wording_of(part, self.language)
            if main is not None and _only_repeats(wording, main):
                continue
            chances = self.chances(part, {}, partial(asks_with, part=wording))
            action = max(chances, key=lambda name: chances[name], default=None)
            if action is not None and self._pooled(chances, action) >= PART:
                place = (action, self._pooled(chances, action))
                slots |= dict.fromkeys(self.profiles.replies[action].asks, place)
        return slots

    def _pooled(self, chances: Mapping[str, float], action: str) -> float:
        """Return the chance that a text asks for the slots of a reply, at any place.

        A flow may ask the same at several places, before a search and before a booking. A reply
        that asks for nothing has its own chance.
        """
        replies = self.profiles.replies
        asks = replies[action].asks
        same = (name for name in chances if asks and replies[name].asks == asks)
        return sum(chances[name] for name in same) if asks else chances[action]

    def _shown(self, text: str, action: str, expected: Mapping[str, float], *, vague: bool) -> bool:
        """Return True if a text may be a reply, also by its words alone.

        `action` is the likeliest reply, `expected` maps actions to a bonus in nats. If no function
        of the text is likely (`vague`), a reply must be clear.
        """
        least = CLEAR if vague and not self.profiles.replies[action].open else LEAST
        if self._pooled(self.chances(text, expected), action) < least:
            return False
        alone = self.chances(text, {}) if expected else {}
        return not alone or self._pooled(alone, action) >= ALONE or max(alone.values()) >= CLEAR

    def _scored(self, text: str) -> Mapping[str, float]:
        rows = evidence(self.profiles, wording_of(text, self.language), self._scorer)
        return {
            action: sum(w * e for w, e in zip(self._weights, row, strict=True))
            for action, row in rows.items()
        }

    def chances(
        self,
        text: str,
        expected: Mapping[str, float],
        among: Callable[[Reply], bool] = lambda _: True,
    ) -> dict[str, float]:
        """Return action to the probability that a text is that reply.

        `expected` maps actions to a bonus in nats; `among` selects possible replies.
        """
        scores = {
            action: score + expected.get(action, 0.0)
            for action, score in self._scores[text].items()
            if among(self.profiles.replies[action])
        }
        highest = max(scores.values(), default=0.0)
        shares = {action: math.exp(score - highest) for action, score in scores.items()}
        whole = sum(shares.values())
        return {action: share / whole for action, share in shares.items()}


def asks_with(reply: Reply, part: SentenceWords) -> bool:
    """Return True if a part of a question has a word or concept of a slot or its question."""
    words = merged((*reply.described, *reply.templates)).words
    concepts = merged(reply.described).concepts
    overlap = not (part.words.isdisjoint(words) and part.concepts.isdisjoint(concepts))
    return bool(reply.asks) and overlap


def _only_repeats(part: SentenceWords, main: Reply) -> bool:
    stems = {
        stem for own in (*main.described, *main.templates) for w in own.words for stem in w.split()
    }
    return all(len(words) < SHORTEST or stems.issuperset(words.split()) for words in part.words)


@once_for_each
def turn_reader(task: TaskSchema, speaker: Speaker) -> TurnReader:
    """Return the reader of a speaker's turns in a task (cached)."""
    return TurnReader(task, speaker)
