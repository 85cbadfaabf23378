"""Noise of one kind, applied to dialogues.

    noise = Noise("typos", rate=0.05, seed=7)
    noise.dialogue(dialogue)      # the same events, some letters of its utterances mistyped

The noise of an event depends only on the seed, the dialogue's id and the event's index, so the
order of dialogues and the number of workers make no difference.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Utterance
from dialoom.errors import UnknownNameError, UsageError
from dialoom.registry import Registry
from dialoom.sim.core.rng import event_rng
from dialoom.sim.noise.kind import Draw, NoiseKind, spans_of
from dialoom.sim.noise.speech import NoiseWords, speech

KINDS: Registry[NoiseKind] = Registry(
    "kind of noise",
    "dialoom.noise",
    {
        "casing": "dialoom.sim.noise.letters:CASING",
        "casing-lower": "dialoom.sim.noise.letters:LOWER",
        "casing-sentence": "dialoom.sim.noise.letters:SENTENCE",
        "casing-upper": "dialoom.sim.noise.letters:UPPER",
        "disfluencies": "dialoom.sim.noise.disfluencies:DISFLUENCIES",
        "order": "dialoom.sim.noise.order:ORDER",
        "punctuation": "dialoom.sim.noise.letters:PUNCTUATION",
        "typos": "dialoom.sim.noise.letters:TYPOS",
    },
)

ALL = "all"

_MARK = re.compile(r"<\w+>")
"""A text that is a format's mark, such as <SILENCE>, and not spoken."""

AGENTS = (USER, SYSTEM, ALL)
"""Possible speakers of the utterances."""


@dataclass(frozen=True)
class Noise:
    """Noise of one kind with its settings.

    Raises `UnknownNameError` for kinds, agents and languages, `UsageError` for a rate outside 0 to
    1.

    Attributes:
        rate: The probability of a change of a letter, word or utterance, by kind; by default the
            kind's.
        agent: The speaker of the utterances: user, system or all.
        language: The language of keyboard and fillers.
        spare: True to keep texts under spans unchanged, so that values still read as annotated.
    """

    name: str
    rate: float | None = None
    seed: int = 0
    agent: str = ALL
    language: str = "en"
    spare: bool = False
    kind: NoiseKind = field(init=False, repr=False, compare=False)
    speech: NoiseWords = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kind = KINDS.get(self.name)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "speech", speech(self.language))
        if not 0 <= self.share <= 1:
            what = f"a share of the {kind.place}, from 0 to 1"
            raise UsageError(
                f"the rate of {self.name} is {what}, not {self.share}", code="out-of-range"
            )
        if self.agent not in AGENTS:
            raise UnknownNameError("agent", self.agent, AGENTS)

    @property
    def share(self) -> float:
        """The rate, by default the kind's."""
        return self.kind.rate if self.rate is None else self.rate

    def draw(self, dialogue: str, event: int) -> Draw:
        """Return the settings and random numbers for event `event` of a dialogue."""
        rng = event_rng(self.seed, dialogue, event, self.name)
        return Draw(rng, self.share, self.speech, self.spare)

    def dialogue(self, dialogue: Dialogue) -> Dialogue:
        """Return the dialogue with noise in the chosen utterances; all else is as it was."""
        events = tuple(
            self._event(event, dialogue.id, index) for index, event in enumerate(dialogue.events)
        )
        return replace(dialogue, events=events)

    def _event(self, event: Event, dialogue: str, index: int) -> Event:
        if not isinstance(event, Utterance) or self.agent not in (ALL, event.agent):
            return event
        if is_mark(event.text):
            return event
        return self.kind.utterance(event, self.draw(dialogue, index))


def is_mark(text: str) -> bool:
    """Return True if a whole text is a format's mark, such as <SILENCE>, and not spoken."""
    return _MARK.fullmatch(text) is not None


def tally(before: Dialogue, after: Dialogue, counts: Counter[str], agent: str = ALL) -> None:
    """Add one dialogue, before and after noise, to the counts for a speaker (or all)."""
    for old, new in zip(before.events, after.events, strict=True):
        if agent not in (ALL, old.agent):
            continue
        if isinstance(old, Utterance) and isinstance(new, Utterance):
            _utterance(old, new, counts)


def _utterance(old: Utterance, new: Utterance, counts: Counter[str]) -> None:
    counts["utterances"] += 1
    counts["changed_utterances"] += old != new
    covered = _covered(old)
    counts["spans"] += len(covered)
    if old is not new:
        changed = (a != b for a, b in zip(covered, _covered(new), strict=True))
        counts["changed_spans"] += sum(changed)


def line(counts: Counter[str]) -> str:
    """Return the counts as a line of text."""
    return (
        f"changed: {counts['changed_utterances']:,} of {counts['utterances']:,} utterances, "
        f"{counts['changed_spans']:,} of {counts['spans']:,} annotated spans"
    )


def _covered(utterance: Utterance) -> list[str]:
    return [utterance.text[span.start : span.end] for span in spans_of(utterance)]
