"""Typing habits: missing marks, capitals and apostrophes, mistyped letters.

    typist = TypingRates(unmarked=(0.6,), lower=(0.2,)).person(rng)
    typist.typed(events)                 # the user's utterances, spans moved along

Values stay as they are annotated. Rates were counted on half of STAR's users (dialogues with an
even digest of their id): nobody writes like a template, and few people write like each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Span, Utterance
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.kind import Alignment, Draw, Edit, apply, each_span, spans_of
from dialoom.sim.noise.letters import TYPOS
from dialoom.sim.noise.speech import speech
from dialoom.sim.policies.flow.verbosity import FINE

LENGTHS = (
    *[(0.1, 2.0, 0.0)] * 2,
    *[(0.4, 1.6, 0.1)] * 2,
    *[(1.0, 0.8, 0.2)] * 4,
    *[(2.5, 0.4, 0.15)] * 8,
    (12.0, 0.2, 0.2),
)
"""By number of words, the last for all longer turns: the exponent of the rate of missing final
marks, and factors on the rates of lower case throughout and of a small first letter. STAR's users
leave the mark out of 93 % of one-word turns, 67 % of those with three, 49 % of those with seven and
27 % of the longest, and write 37 %, 33 %, 14 % and 1 % of these in small letters."""

CALM = 3
"""Words of a turn from which on it has exclamation marks at the full rate."""


class TypingRates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How people type; a person's rate is drawn from each list.

    Attributes:
        unmarked: Turns without a final mark.
        exclaims: Final full stops that are exclamation marks instead.
        lower: Turns in lower case throughout.
        small: Turns that begin with a small letter.
        joined: Turns whose apostrophes are left out.
        uncommaed: Turns whose commas are left out.
        typos: Turns with a mistyped letter.
    """

    unmarked: tuple[float, ...] = (0.0,)
    exclaims: tuple[float, ...] = (0.0,)
    lower: tuple[float, ...] = (0.0,)
    small: tuple[float, ...] = (0.0,)
    joined: tuple[float, ...] = (0.0,)
    uncommaed: tuple[float, ...] = (0.0,)
    typos: tuple[float, ...] = (0.0,)

    def person(self, rng: SeededRng, language: str = "en") -> Typist:
        """Draw how one person types."""
        habits = {name: rng.choice(getattr(self, name)) for name in self.__struct_fields__}
        return Typist(rng=rng, language=language, **habits)


@dataclass(slots=True)
class Typist:
    """One person who types in a language, with rates as in `TypingRates`."""

    rng: SeededRng
    language: str
    unmarked: float
    exclaims: float
    lower: float
    small: float
    joined: float
    uncommaed: float
    typos: float

    def typed(self, events: Iterable[Event]) -> tuple[Event, ...]:
        """Return events with the user's utterances as this person types them."""
        return tuple(
            [self.turn(e) if isinstance(e, Utterance) and e.agent == USER else e for e in events]
        )

    def turn(self, event: Utterance) -> Utterance:
        """Return an utterance as this person types it."""
        happens, text = self._happens, event.text
        words = text.count(" ") + 1
        power, whole, first = LENGTHS[min(words, len(LENGTHS) - 1)]
        if not (text.endswith(".") and _covered(len(text) - 1, spans_of(event))):
            text = self._marked(text, words, power)
        lower = self.lower * whole
        small = lower + max(0.0, 1.0 - lower) * self.small * first
        if small and (chance := self.rng.below(FINE) / FINE) < small:
            text = _small(text, spans_of(event), whole=chance < lower)
        habits = ("'", _APOSTROPHE, self.joined), (",", _COMMA, self.uncommaed)
        marks = [mark for sign, mark, rate in habits if sign in text and happens(rate)]
        if marks:
            event = _without(event, text, marks)
        elif text != event.text:
            event = replace(event, text=text)
        if happens(self.typos):
            draw = Draw(self.rng, 1.0 / len(text), speech(self.language), spare=True)
            event = TYPOS.utterance(event, draw)
        return event

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self.rng.below(FINE) < rate * FINE

    def _marked(self, text: str, words: int, power: float) -> str:
        last = text[-1:]
        if last in "!?…":
            return text
        bare = text[:-1] if last == "." else text
        chance, exclaims = self.rng.below(FINE) / FINE, self.exclaims * min(1.0, words / CALM)
        if chance < exclaims:
            return f"{bare}!"
        marked = (1.0 - exclaims) * (1.0 - self.unmarked**power)
        return f"{bare}." if chance >= 1.0 - marked else bare


def _small(text: str, spans: Sequence[Span], *, whole: bool) -> str:
    """Return a text in small letters, or with a small first one; values stay as they are."""
    end = len(text) if whole else 1
    pieces: list[str] = []
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        if at < span.start < end:
            pieces += text[at : span.start].lower(), text[span.start : span.end]
            at = span.end
        elif span.start <= at < span.end:
            pieces.append(text[at : span.end])
            at = span.end
    at = max(at, 0)
    stop = max(end, at)
    return "".join((*pieces, text[at:stop].lower(), text[stop:]))


_APOSTROPHE, _COMMA = re.compile(r"(?<=\w)['’](?=\w)"), re.compile(r",(?= )")
"""Marks that a person may leave out."""


def _without(utterance: Utterance, text: str, marks: Iterable[re.Pattern[str]]) -> Utterance:
    """Return an utterance with another text, without some marks in it.

    The marks of values stay, and "'s" after one.
    """
    spans, cuts = spans_of(utterance), list[int]()
    for mark in marks:
        ends = {*(span.end for span in spans)} if mark is _APOSTROPHE else ()
        places = (match.start() for match in mark.finditer(text))
        cuts += [at for at in places if at not in ends and not _covered(at, spans)]
    if not cuts:
        return replace(utterance, text=text)
    edits = [Edit(at, at + 1, "") for at in sorted(cuts)]
    layers = each_span(utterance, Alignment(edits).span)
    return replace(utterance, text=apply(text, edits), layers=layers)


def _covered(at: int, spans: Iterable[Span]) -> bool:
    return any(span.start <= at < span.end for span in spans)
