"""Records the events of a dialogue along a flow, with instructions to the user and times."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec.structs import replace

from dialoom.dialogue import (
    Act,
    Completion,
    Event,
    Instruction,
    Layer,
    Part,
    Span,
    State,
    Utterance,
)
from dialoom.schema.lexicon import lexicon
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.noise.kind import each_span, spans_of
from dialoom.sim.policies.flow.persons import speech_of
from dialoom.sim.policies.flow.scenario_texts import fill

SECOND = 1000
"""Milliseconds of a second; times are whole seconds, as in STAR."""

LONGEST = 5
"""Longest pause (s) before somebody types; pauses are drawn from 1 to this."""

_PAUSES = bytes(1 + byte % LONGEST for byte in range(256))

PACE = 8
"""TypingRates speed, in characters a second."""


class FlowRecorder(Recorder):
    """Records one dialogue over one task or several.

    The bytes of `pauses`, the dialogue's seed, give the pauses before utterances. `time` is that of
    the next event, in milliseconds since the dialogue began.
    """

    time: int

    def __init__(self, pauses: bytes) -> None:
        super().__init__(0)
        self._pauses = pauses.translate(_PAUSES)
        self._cycle = len(pauses)
        self._told: list[int] = []

    def wait(self, length: int) -> None:
        """Advance the time by a pause and by the time it takes to type `length` characters."""
        pause = self._pauses[len(self.events) % self._cycle]
        self.time += SECOND * (pause + length // PACE)

    @property
    def instructions(self) -> int:
        """Number of instructions so far."""
        return len(self._told)

    def instruct(self, text: str, at: int | None = None, time: int | None = None) -> None:
        """Record an instruction to the user.

        It comes before the event with index `at`, by default last, at `time` in milliseconds, by
        default the recorder's.
        """
        place = len(self.events) if at is None else at
        self._told.append(place)
        event = Instruction(text=text, time=self.time if time is None else time)
        self.events.insert(place, event)

    def aside(self, agent: str, text: str, layers: tuple[Layer, ...]) -> None:
        """Record an utterance that is not part of the flow."""
        self.events.append(Utterance(agent=agent, text=text, time=self.time, layers=layers))
        self.wait(len(text))

    def extend(
        self,
        at: int,
        after: str,
        spans: tuple[Span, ...] = (),
        acts: tuple[Act, ...] = (),
        state: State | None = None,
        before: str = "",
    ) -> None:
        """Put text before and after an utterance: spans move along, acts are added.

        `at` is the index of its event. `spans` (offsets in `after`) and `acts` belong to the text
        after it; `state` is the dialogue state after it, if changed.
        """
        event = self.events[at]
        if isinstance(event, Utterance):
            self.events[at] = extended(event, after, spans, acts, state, before)

    def finish(self, numbered: str = "") -> tuple[Event, ...]:
        """Record the end and return all events, the instructions numbered as in STAR's files.

        `numbered` is a template with the number of an instruction and the total.
        """
        self.events.append(Completion(time=self.time))
        many = str(len(self._told))
        for count, place in enumerate(self._told, start=1):
            event = self.events[place]
            if isinstance(event, Instruction):
                values = {"text": event.text, "number": str(count), "many": many}
                self.events[place] = Instruction(text=fill(numbered, values)[0], time=event.time)
        return tuple(self.events)


def extended(
    utterance: Utterance,
    after: str,
    spans: tuple[Span, ...] = (),
    acts: tuple[Act, ...] = (),
    state: State | None = None,
    before: str = "",
) -> Utterance:
    """Return an utterance with text before and after it: spans move along, acts are added."""
    own_text = ended(utterance.text) if after else utterance.text
    text = f"{before}{own_text}{after}"
    if not utterance.layers:
        return Utterance(agent=utterance.agent, text=text, time=utterance.time)
    layer = utterance.layers[0]
    part = layer.parts[0]
    own, width = part.acts or (), len(before) + len(own_text)
    places = (*moved(part.spans or (), len(before)), *moved(spans, width))
    part = Part(
        part.service,
        (*own, *(act for act in acts if act not in own)) if acts else part.acts,
        places if places or part.spans is not None else None,
        part.state if state is None else state,
    )
    layers = (Layer(layer.source, (part,)),)
    return Utterance(agent=utterance.agent, text=text, time=utterance.time, layers=layers)


def ended(text: str) -> str:
    """Return a text with a final mark, for another sentence to follow."""
    return text if text[-1:] in ".?!…" else f"{text}."


def moved(spans: tuple[Span, ...], by: int) -> tuple[Span, ...]:
    """Return spans so many characters further on."""
    if not by or not spans:
        return spans
    return tuple([Span(span.start + by, span.end + by, span.labels) for span in spans])


def lead_in(utterance: Utterance, lead: str, language: str) -> Utterance:
    """Return an utterance with words before it, which take the place of its greeting."""
    if not lead:
        return utterance
    greeting = _greeting(language).match(utterance.text)
    if greeting is not None and greeting.end() < len(utterance.text):
        utterance = _without(utterance, greeting.end())
    if lead.endswith(",") and _plain(utterance, language):
        utterance = replace(utterance, text=utterance.text[0].lower() + utterance.text[1:])
    return extended(utterance, "", before=f"{lead} ")


def _plain(utterance: Utterance, language: str) -> bool:
    """Return True if the first word has its capital only from the beginning of the sentence."""
    spoken, word = lexicon(language), utterance.text.partition(" ")[0].lower()
    whole = len(re.split("['’]", word)[0]) > 1  # a pronoun of one letter keeps it
    plain = word in spoken.articles or (
        whole and (spoken.capitals or word in spoken.stop | spoken.common)
    )
    return plain and all(span.start for span in spans_of(utterance))


def _without(utterance: Utterance, cut: int) -> Utterance:
    if any(span.start < cut for span in spans_of(utterance)):
        return utterance
    text = utterance.text[cut:]
    if all(span.start > cut for span in spans_of(utterance)):
        text = text[0].upper() + text[1:]
    layers = each_span(utterance, lambda span: Span(span.start - cut, span.end - cut, span.labels))
    return replace(utterance, text=text, layers=layers)


@lru_cache(maxsize=8)
def _greeting(language: str) -> re.Pattern[str]:
    spoken = lexicon(language)
    words = sorted(
        {*spoken.cues["greeting"], *spoken.yes, *_leads(language)}, key=len, reverse=True
    )
    start = "|".join(map(re.escape, words))
    return re.compile(rf"(?:(?:{start})(?: there)?[,.!]* +)+", re.IGNORECASE)


def _leads(language: str) -> set[str]:
    grammar = speech_of(language)
    return {way.strip(" ,.") for way in (grammar.symbols.get("lead", ()) if grammar else ())}
