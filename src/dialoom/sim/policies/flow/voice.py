"""User lines at a node of a flow: one of the task's, or a general one with the same content.

    voice = Voice(task_speech(program), person, rng)
    voice.line(step, line)               # a FlowLine that gives the values of the task's line

A task's author writes a few lines a node; people have many more ways to greet, answer, agree and
leave, and these are the same in every task. `lang/<language>-speech.json` holds them as a weighted
grammar (sim/core/grammar.py). The purpose of a node follows from the flow (it answers a question,
it opens, it changes a slot) or from cues in the author's lines (yes, no, thanks, go on).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dialoom.flow.node import FlowLine, Step, mask
from dialoom.flow.program import TaskProgram
from dialoom.flow.purposes import purposes
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.sim.core.grammar import Grammar, tidy
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.kinds import value_kind
from dialoom.sim.policies.flow.persons import Trait, overlaid

GENERAL = 300
"""Author's lines that weigh as much as the grammar: of six, one is used in 1/50 of the turns."""

WHOLE = 5
"""A volunteered value is given in the author's words one in so many times."""

TRIES = 3
"""Drafts of a wish; the speaker's manner chooses one."""

KEPT = 2_000
"""Most general texts, and most of their lines, cached for a task: few symbols have more frequent
drafts (`benchmarks/simulate.py`)."""

OPEN = frozenset({"date", "time", "integer", "amount", "name", "short-text"})
"""Kinds of values that do not show by themselves which slot they are of."""

_VALUE = "value"
_ALONE = re.compile(r"[A-Z](?:\b|[A-Z])")
"""The start of a sentence whose capital stays within another: "I", "PIN"."""


class TaskSpeech:
    """The general ways to say the lines of a task's nodes."""

    def __init__(self, program: TaskProgram) -> None:
        self.program = program
        self.values = {slot.name: value_kind(slot, program) for slot in _slots(program)}
        self.kinds = {step.name: self._kind(step) for step in program.steps.values()}
        self.nouns = {slot.name: slot.name.replace("_", " ") for slot in _slots(program)}
        self.given = {slot: _given(slot, noun) for slot, noun in self.nouns.items()}
        self.names = {slot: frozenset(given) for slot, given in self.given.items()}
        self.places = {slot.name: _place(slot, program) for slot in _slots(program)}
        self.purposes = {name: ways for name, ways in _purposes(program) if ways}
        self._lines: dict[tuple[str, str], FlowLine] = {}
        self._texts: dict[tuple[str, ...], str] = {}
        self._deeds: dict[str, bool] = {}

    def _kind(self, step: Step) -> str:
        """Return the symbol for a node; after a yes/no question, "no" is a value."""
        kind = purposes(self.program)[step.name]
        flow = self.program.schema.flow
        before = (flow.nodes[name] for name in flow.before[step.name] if kind == "none")
        truth = any(self.values[slot] == "truth" for each in before for slot in each.asks)
        return "none-truth" if truth else kind

    def shares(self, slot: str) -> bool:
        """Return True if another slot has values of the same kind, such as a second date."""
        kind, slots = self.values[slot], self.program.schema.slots
        alike = (name for name in slots if name != slot and self.values[name] == kind)
        return any(kind in OPEN or slots[name].values == slots[slot].values for name in alike)

    def is_deed(self, slot: str, before: Iterable[str]) -> bool:
        """Return True if a slot's values are actions, as "pick me up" (cached).

        `before` are the words before an action in the task's lines ("you to").
        """
        found = self._deeds.get(slot)
        if found is None:
            ends = tuple(f"{words} " for words in before)
            lines = self.program.sentences.get(slot, ())
            found = self._deeds[slot] = any(line.literals[0].endswith(ends) for line in lines)
        return found

    def line(self, step: Step, text: str) -> FlowLine:
        """Return a text as a line of a node (cached)."""
        key = step.name, text
        found = self._lines.get(key)
        if found is None:
            if len(self._lines) > KEPT:
                self._lines.clear()
            found = self._lines[key] = self.once(text)
        return found

    def once(self, text: str) -> FlowLine:
        """Return a text that is rarely repeated as a line of any node."""
        first, *others = text.split("{")
        parts = [other.partition("}") for other in others]
        names, bits = tuple([name for name, _, _ in parts]), self.program.bits
        return FlowLine(
            (first, *[literal for _, _, literal in parts]),
            names,
            mask((name for name in names if name in bits), bits),
            frozenset(names).difference(bits),
        )

    def filled(self, template: str, given: Mapping[str, str]) -> str:
        """Return a template with texts in the places of `{name}` (cached)."""
        key = template, *given.values()
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) > KEPT:
                self._texts.clear()
            found = self._texts[key] = tidy(_put(template, given))
        return found


@once_for_each
def task_speech(program: TaskProgram) -> TaskSpeech:
    """Return the general ways of a task's nodes (cached)."""
    return TaskSpeech(program)


def voice_of(program: TaskProgram, grammar: Grammar | None, rng: SeededRng) -> Voice | None:
    """Return a voice for a task; None without a grammar of speech."""
    return None if grammar is None else Voice(task_speech(program), grammar, rng)


class Voice:
    """The wording of one user's turns in one task.

    `rng` draws the wording. While `fresh`, nobody has spoken yet and the user may greet.
    """

    __slots__ = ("_grammar", "_rng", "_speech", "fresh")

    def __init__(self, speech: TaskSpeech, grammar: Grammar, rng: SeededRng) -> None:
        self._speech, self._grammar, self._rng = speech, grammar, rng
        self.fresh = True

    def become(self, trait: Trait) -> None:
        """Speak like somebody with a trait from now on."""
        if trait.speech:
            self._grammar = overlaid(self._grammar, trait)

    def says(self, symbol: str, given: Iterable[str] = ()) -> str:
        """Return a general text with `{name}` where values go."""
        return self._grammar.template(symbol, self._rng, given)

    def filled(self, symbol: str, given: Mapping[str, str]) -> str:
        """Return a general text with the named values filled in."""
        return self._speech.filled(self._grammar.template(symbol, self._rng, given), given)

    def line(self, step: Step, line: FlowLine, besides: Sequence[str] = ()) -> FlowLine:
        """Return a general line with the values of a task's line (and `besides`), or that line
        itself.
        """
        kind = self._speech.kinds[step.name]
        fresh, self.fresh = self.fresh and step is self._speech.program.first, False
        if not kind or line.outputs or self._rng.below(GENERAL + len(step.lines)) >= GENERAL:
            return line
        text = self.general(step, line, besides, fresh=fresh)
        if not text:
            return line
        seldom = len(line.names) + len(besides) > 1 or kind in ("open", "change")
        return self._speech.once(text) if seldom else self._speech.line(step, text)

    def general(
        self, step: Step, line: FlowLine, besides: Sequence[str] = (), *, fresh: bool = False
    ) -> str:
        """Return a general template with a line's values; empty without one."""
        kind, names = self._speech.kinds[step.name], (*line.names, *besides)
        if kind == "give":
            return self._followed(self.give(names[0]), names[1:]) if names else ""
        if kind == "correct":
            return self._corrected(names[0]) if len(names) == 1 else ""
        if kind == "open":
            return self._opened(names, fresh=fresh)
        if kind == "change":
            drafts = [text for _ in range(TRIES) if (text := self._changed(step, names))]
            return drafts[self._grammar.chosen(drafts, self._rng)] if drafts else ""
        return "" if names else self.filled(kind, {})

    def unasked(self, line: FlowLine) -> FlowLine:
        """Return a sentence that gives the value of one of the task's, or that line itself."""
        text = "" if self._rng.once_in(WHOLE) else self._general("tell", line.names[0])
        return self._speech.once(text) if text else line

    def _changed(self, step: Step, names: tuple[str, ...]) -> str:
        """Return a wish for another value, or for another thing with some values."""
        if names and self._rng.below(4):
            return self._followed(self.give(names[0], "another"), names[1:])
        slot = step.node.forget[0]
        noun = self._speech.nouns[slot]
        if self._speech.values[slot] == "integer" and self._grammar.says("count", ("noun",)):
            noun = _put(self._grammar.part("count", self._rng, ("noun",)), {"noun": noun})
        return self._followed(self.filled("change", {"noun": noun}), names)

    def _corrected(self, slot: str) -> str:
        """Return a correction; it names the slot if another one has such values."""
        deed = self._speech.is_deed(slot, self._grammar.symbols.get("after-deed", ()))
        if self._speech.shares(slot) and not deed:
            return self.filled("correct-one", self._speech.given[slot])
        return self.give(slot, "correct")

    def _opened(self, names: Sequence[str], *, fresh: bool) -> str:
        """Return a wish with the values of some slots, if possible in the same sentence."""
        speech, grammar = self._speech, self._grammar
        if not speech.purposes:
            return ""
        who = next((slot for slot in names if speech.values[slot] == "name"), "")
        marks = {**({"first": ""} if fresh else {}), **({"who": f"{{{who}}}"} if who else {})}
        symbol, given = "open-as" if who else "open", frozenset((*speech.purposes, *marks))
        if not grammar.says(symbol, given):
            symbol, who = "open", ""
        drafts = [(self.says(symbol, given), self._purpose()) for _ in range(TRIES)]
        template, wishes = drafts[grammar.chosen([_put(*draft) for draft in drafts], self._rng)]
        ends = [wish.rpartition(" ")[2].lower() for wish in wishes.values()]
        phrases, rest = "", list[str]()
        for slot in names:
            phrase = "" if slot == who else self._attached(slot, ends)
            phrases = f"{phrases} {phrase}" if phrase else phrases
            if not phrase and slot != who:
                rest.append(slot)
        marks |= {name: f"{wish}{phrases}" for name, wish in wishes.items()}
        return self._joined(_put(template, marks), rest)

    def _attached(self, slot: str, ends: Iterable[str]) -> str:
        """Return a phrase with a slot's value that fits after a wish; empty if none does.

        `ends` are the last words of the wish's forms; `after-<place>` in the grammar lists the
        words that a place's phrase may follow.
        """
        hosts = self._grammar.symbols.get(f"after-{self._speech.places.get(slot)}")
        fits = hosts is None or all(end in hosts for end in ends)
        return self._general("with", slot) if fits else ""

    def _purpose(self) -> dict[str, str]:
        return {name: self._rng.choice(ways) for name, ways in self._speech.purposes.items()}

    def give(self, slot: str, how: str = "give") -> str:
        """Return a template with a slot's value: an answer, correction or `another` (failure)."""
        known = self._grammar.symbols
        symbol = next((each for each in self._symbols(how, slot) if each in known), how)
        return self.filled(symbol, self._speech.given[slot])

    def _general(self, how: str, slot: str) -> str:
        """Return a template for a value of this kind; empty if the grammar has none."""
        speech, names = self._speech, self._speech.names[slot]
        for symbol in self._symbols(how, slot):
            if self._grammar.says(symbol, names):
                return _put(self._grammar.part(symbol, self._rng, names), speech.given[slot])
        return ""

    def _symbols(self, how: str, slot: str) -> Iterable[str]:
        speech = self._speech
        if speech.is_deed(slot, self._grammar.symbols.get("after-deed", ())):
            return (f"{how}-deed",)
        kind, noun = speech.values[slot], speech.nouns[slot]
        return f"{how}-{kind}-{noun}", f"{how}-{speech.places.get(slot)}", f"{how}-{kind}"

    def _told(self, slot: str) -> str:
        """Return a template for a volunteered value, in general words or the task's."""
        lines = self._speech.program.sentences.get(slot)
        general = "" if lines and self._rng.once_in(WHOLE) else self._general("tell", slot)
        if general or not lines:
            return general
        text = f"{{{slot}}}".join(self._rng.choice(lines).literals)
        return text if _ALONE.match(text) else f"{text[:1].lower()}{text[1:]}"

    def _followed(self, text: str, others: Sequence[str]) -> str:
        """Return a whole text followed by other slots' values; empty if one has no template."""
        return self._joined(text, others) if others else text

    def _joined(self, text: str, others: Sequence[str]) -> str:
        """Return a text followed by other slots' values; empty if one has no template."""
        for slot in others:
            join = " " if text[-1] in ".?!" else self._grammar.part("join", self._rng)
            more = self._told(slot)
            if not more:
                return ""
            text = f"{text}{join}{more}"
        return tidy(text)


def _put(template: str, given: Mapping[str, str]) -> str:
    for name, other in given.items():
        template = template.replace(f"{{{name}}}", other)
    return template


def _given(slot: str, noun: str) -> dict[str, str]:
    return {_VALUE: f"{{{slot}}}", "noun": noun, "plural" if noun[-1:] == "s" else "single": ""}


def _slots(program: TaskProgram) -> Iterable[Slot]:
    return program.schema.slots.values()


def _place(slot: Slot, program: TaskProgram) -> str:
    """Return the word before a place of this slot ("from"); empty if it is no place."""
    words, places = slot.name.split("_"), lexicon(program.language).places
    found = [name for name, known in places.items() if not set(known).isdisjoint(words)]
    return found[-1] if found and slot.type in ("category", "short text") else ""


def _purposes(program: TaskProgram) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Yield the user's purposes as phrases with a verb, and their objects as nouns.

    A task's briefing has both, separated by a bar; otherwise its intents are used.
    """
    schema = program.schema
    verbs, _, nouns = schema.texts.get("wish", "").partition("|")
    listed = verbs.split(";") if verbs else [each.description for each in schema.intents.values()]
    yield "wish", _phrases(listed)
    yield "thing", _phrases(nouns.split(";"))


def _phrases(listed: Iterable[str]) -> tuple[str, ...]:
    return tuple(phrase.strip(" .") for phrase in listed if phrase.strip(" ."))
