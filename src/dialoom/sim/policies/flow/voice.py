"""What a user says at a node of a flow: one of the task's lines, or a general way to say the same.

    voice = Voice(task_speech(program), person, rng)
    voice.line(step, line)               # a FlowLine that gives the values of the task's line

A task's author writes a few lines a node; people have many more ways to greet, answer, agree and
leave, and these are the same in every task. `lang/<language>-speech.json` holds them as a weighted
grammar (sim/core/grammar.py). What a node is for follows from the flow (it answers a question, it
opens, it changes a slot) or from the cues in the author's lines (yes, no, thanks, go on).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dialoom.flow.node import FlowLine, Step, flow_line
from dialoom.flow.program import TaskProgram
from dialoom.flow.purposes import purposes
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.sim.core.grammar import Grammar, tidy
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.persons import Trait, overlaid

GENERAL = 90
"""How many lines of an author weigh as much as the general ways of the grammar: with six lines a
user says one of them in a sixteenth of the turns."""

OPEN = frozenset({"date", "time", "integer", "amount", "name", "short-text"})
"""Kinds of values that do not show by themselves which slot they are of."""

KEPT = 20_000
"""Most general lines of a task kept in memory."""

_VALUE, _WORD = "value", re.compile(r"[\w']+")


class TaskSpeech:
    """The general ways to say what a task's nodes say.

    Args:
        program: The task.
    """

    def __init__(self, program: TaskProgram) -> None:
        self.program = program
        self.values = {slot.name: value_kind(slot, program) for slot in _slots(program)}
        self.kinds = {step.name: self._kind(step) for step in program.steps.values()}
        self.nouns = {slot.name: slot.name.replace("_", " ") for slot in _slots(program)}
        self.places = {slot.name: _place(slot, program) for slot in _slots(program)}
        self.wishes, self.things = _wishes(program)
        self._lines: dict[tuple[str, str], FlowLine] = {}

    def _kind(self, step: Step) -> str:
        """Return the symbol for a node; after a question for yes or no, "no" is a value."""
        kind = purposes(self.program)[step.name]
        flow = self.program.schema.flow
        before = (flow.nodes[name] for name in flow.before[step.name] if kind == "none")
        truth = any(self.values[slot] == "truth" for each in before for slot in each.asks)
        return "none-truth" if truth else kind

    def shares(self, slot: str) -> bool:
        """Return whether another slot has values of the same kind, such as a second date."""
        kind, slots = self.values[slot], self.program.schema.slots
        alike = (name for name in slots if name != slot and self.values[name] == kind)
        return any(kind in OPEN or slots[name].values == slots[slot].values for name in alike)

    def line(self, step: Step, text: str) -> FlowLine:
        """Return a text as a line of a node (cached)."""
        key = step.name, text
        found = self._lines.get(key)
        if found is None:
            if len(self._lines) > KEPT:
                self._lines.clear()
            found = self._lines[key] = flow_line(text, self.program.bits)
        return found


@once_for_each
def task_speech(program: TaskProgram) -> TaskSpeech:
    """Return the general ways of a task's nodes (cached)."""
    return TaskSpeech(program)


def voice_of(program: TaskProgram, grammar: Grammar | None, rng: SeededRng) -> Voice | None:
    """Return a voice for a task; None without a grammar of speech."""
    return None if grammar is None else Voice(task_speech(program), grammar, rng)


class Voice:
    """How one user words the turns of one task.

    Args:
        speech: The task's nodes and what they are for.
        grammar: The person's ways of saying things.
        rng: Draws the wording.

    Attributes:
        fresh: Whether the user may still greet: nobody has spoken yet.
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
        """Return a general text in which what is given by a name stands for `{name}`."""
        text = self._grammar.template(symbol, self._rng, given)
        for name, other in given.items():
            text = text.replace(f"{{{name}}}", other)
        return tidy(text)

    def _phrase(self, symbol: str, given: Mapping[str, str]) -> str:
        text = self._grammar.phrase(symbol, self._rng, given)
        for name, other in given.items():
            text = text.replace(f"{{{name}}}", other)
        return text

    def line(self, step: Step, line: FlowLine, told: Sequence[str] = ()) -> FlowLine:
        """Return a line that gives the same values as one of the task's, or that line itself.

        Args:
            step: The node.
            line: One of its lines.
            told: Slots whose values are given besides, where a general way is found.
        """
        fresh, self.fresh = self.fresh and step is self._speech.program.first, False
        if (
            not self._speech.kinds[step.name]
            or line.outputs
            or self._rng.below(GENERAL + len(step.lines)) >= GENERAL
        ):
            return line
        text = self.general(step, line, told, fresh=fresh)
        return self._speech.line(step, text) if text else line

    def general(
        self, step: Step, line: FlowLine, told: Sequence[str] = (), *, fresh: bool = False
    ) -> str:
        """Return a general template that gives a line's values; empty where there is none."""
        kind = self._speech.kinds[step.name]
        return self._text(kind, step, (*line.names, *told), fresh=fresh)

    def unasked(self, line: FlowLine) -> FlowLine:
        """Return a sentence that gives the value of one of the task's, or that line itself."""
        text = self._general("tell", line.names[0]) if self._rng.once_in(2) else ""
        return self._speech.line(self._speech.program.first, text) if text else line

    def _text(self, kind: str, step: Step, names: tuple[str, ...], *, fresh: bool) -> str:
        """Return a general template of a kind that names some slots; empty where there is none."""
        if kind == "give":
            return self._joined(self.give(names[0]), names[1:]) if names else ""
        if kind == "correct":
            if len(names) == 1 and self._speech.shares(names[0]):
                return self.filled("correct-one", self._given(names[0]))
            return self.give(names[0], "correct") if len(names) == 1 else ""
        if kind == "open":
            return self._opened(names, fresh=fresh)
        if kind == "change":
            if names and self._rng.below(4):
                return self._joined(self.give(names[0], "another"), names[1:])
            noun = self._speech.nouns[step.node.forget[0]]
            return self._joined(self.filled("change", {"noun": noun}), names)
        return "" if names else self.filled(kind, {})

    def _opened(self, names: Sequence[str], *, fresh: bool) -> str:
        """Return a wish with the values of some slots, as far as possible in the same sentence."""
        given = self._purpose()
        if not given:
            return ""
        rest = []
        for slot in names:
            phrase = self._general("with", slot)
            for name in given if phrase else ():
                given[name] = f"{given[name]} {phrase}"
            rest += [] if phrase else [slot]
        return self._joined(self.filled("open", given | ({"first": ""} if fresh else {})), rest)

    def _purpose(self) -> dict[str, str]:
        speech, given = self._speech, {}
        for name, ways in (("wish", speech.wishes), ("thing", speech.things)):
            if ways:
                given[name] = self._rng.choice(ways)
        return given

    def give(self, slot: str, how: str = "give") -> str:
        """Return a template that gives a slot's value.

        Args:
            slot: The slot.
            how: As an answer (`give`), as a correction (`correct`) or after a failure (`another`).
        """
        symbol = f"{how}-{self._speech.values[slot]}"
        return self.filled(symbol if symbol in self._grammar.symbols else how, self._given(slot))

    def _general(self, how: str, slot: str) -> str:
        """Return a template that gives a value of this kind; empty where the grammar has none."""
        speech = self._speech
        for kind in (speech.places.get(slot), speech.values[slot]):
            symbol, given = f"{how}-{kind}", self._given(slot)
            if self._grammar.says(symbol, given):
                return self._phrase(symbol, given)
        return ""

    def _given(self, slot: str) -> dict[str, str]:
        noun = self._speech.nouns[slot]
        return {_VALUE: f"{{{slot}}}", "noun": noun} | ({"plural": ""} if noun[-1:] == "s" else {})

    def tell(self, slot: str) -> str:
        """Return a template that gives a slot's value unasked, in general words or the task's."""
        lines = self._speech.program.sentences.get(slot, ())
        general = self._general("tell", slot)
        if not lines or (general and self._rng.once_in(2)):
            return general
        line = self._rng.choice(lines)
        return f"{{{slot}}}".join(line.literals)

    def _join(self, text: str) -> str:
        return " " if text[-1] in ".?!" else self._grammar.phrase("join", self._rng)

    def _joined(self, text: str, others: Sequence[str]) -> str:
        """Return a text followed by other slots' values; empty where one cannot be said."""
        for slot in others:
            more = self.tell(slot)
            if not more:
                return ""
            join = self._join(text)
            text = f"{text}{'. ' if more[0].isupper() and text[-1] not in '.?!' else join}{more}"
        return tidy(text)


def _slots(program: TaskProgram) -> Iterable[Slot]:
    return program.schema.slots.values()


def _place(slot: Slot, program: TaskProgram) -> str:
    """Return the word before a place of this slot ("from"); empty where it is no place."""
    words, places = slot.name.split("_"), lexicon(program.language).places
    found = [name for name, known in places.items() if not set(known).isdisjoint(words)]
    return found[-1] if found and slot.type in ("category", "short text") else ""


def value_kind(slot: Slot, program: TaskProgram) -> str:
    """Return what kind of value a slot has, as the grammar's symbols name it."""
    spoken = lexicon(program.language)
    words = _WORD.findall(slot.name.replace("_", " ").lower())
    values = [str(value).lower() for value in slot.values]
    if slot.type == "short text" and spoken.people and set(words) <= set(spoken.people):
        return "name"
    if values and all(value in spoken.weekdays for value in values):
        return "weekday"
    if slot.type == "boolean" or (values and all(spoken.truth(v) is not None for v in values)):
        return "truth"
    return slot.type.replace(" ", "-")


def _wishes(program: TaskProgram) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a user wants to do, as phrases with a verb, and what they want, as nouns.

    A task's briefing has both, with a bar between them; else its intents say what users want to do.
    """
    schema = program.schema
    verbs, _, nouns = schema.texts.get("wish", "").partition("|")
    listed = verbs.split(";") if verbs else [each.description for each in schema.intents.values()]
    return _phrases(listed), _phrases(nouns.split(";"))


def _phrases(listed: Iterable[str]) -> tuple[str, ...]:
    return tuple(phrase.strip(" .") for phrase in listed if phrase.strip(" ."))
