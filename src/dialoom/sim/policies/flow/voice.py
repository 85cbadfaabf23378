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
from functools import lru_cache, partial

from dialoom.flow.node import FlowLine, Step, mask
from dialoom.flow.program import TaskProgram
from dialoom.flow.purposes import purposes
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import Kept, once_for_each
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

COMPOSED = frozenset({"open", "change"})
"""Purposes of user turns that are composed of several texts: a wish, and a change of it."""

ANSWERS = frozenset({"give", "correct"})
"""Purposes of user turns that give a value."""

OPEN = frozenset({"date", "time", "integer", "amount", "name", "short-text"})
"""Kinds of values that do not show by themselves which slot they are of."""

_VALUE = "value"
_REPORT = "<it-was>"
"""The only way to give another value of a slot whose values users do not choose."""
_ALONE = re.compile(r"[A-Z](?:\b|[A-Z])")
"""The start of a sentence whose capital stays within another: "I", "PIN"."""
_LAST = re.compile(r"\{(?:wish|thing)\}[^.,!?]*$")
"""The end of a text whose last part is a wish."""


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
        self.symbols = Kept(partial(SlotSymbols, self))
        self.texts = Kept(self._text, KEPT)
        self.lines = Kept(self._line, KEPT)

    def _kind(self, step: Step) -> str:
        """Return the symbol for a node; a refusal depends on the question, and on the next one."""
        kind = purposes(self.program)[step.name]
        if kind != "none":
            return kind
        flow, steps = self.program.schema.flow, self.program.steps
        before = (flow.nodes[name] for name in flow.before[step.name])
        asked = {self.values[slot] for each in before for slot in each.asks}
        if "truth" in asked:
            return "none-truth"  # where "no" is a value
        if asked == {"long-text"}:
            return "none-long-text"
        after = (steps[name] for name in step.node.successors if name in steps)
        return "forgotten" if any(each.asks & self.program.fallback for each in after) else kind

    def shares(self, slot: str) -> bool:
        """Return True if another slot has values of the same kind, such as a second date."""
        kind, slots = self.values[slot], self.program.schema.slots
        alike = (name for name in slots if name != slot and self.values[name] == kind)
        return any(kind in OPEN or slots[name].values == slots[slot].values for name in alike)

    def _text(self, key: tuple[str, str]) -> str:
        """Return a template with the words for a slot; without a slot, the template itself."""
        template, slot = key
        return tidy(_put(template, self.given[slot]) if slot else template)

    def _line(self, key: tuple[str, str, str]) -> FlowLine:
        """Return a template with the words for a slot as a line of a node."""
        _, template, slot = key
        return self.once(self.texts[template, slot])

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


class SlotSymbols:
    """The symbols of a grammar for the slots of a task, each found once.

    `answers` maps a purpose and a slot to the symbol of a turn, `phrases` to that of a part of one
    (empty if there is none); `openings` maps whether nobody has spoken yet, and the slot of the
    user's name, to the symbol of a wish and its further values.
    """

    def __init__(self, speech: TaskSpeech, grammar: Grammar) -> None:
        self._speech, self._grammar = speech, grammar
        self._deeds = tuple(f"{words} " for words in grammar.symbols.get("after-deed", ()))
        self.answers = Kept(self._answer)
        self.phrases = Kept(self._phrase)
        self.openings = Kept(self._opening)

    def _answer(self, key: tuple[str, str]) -> str:
        how, slot = key
        if how == "correct" and self._speech.shares(slot) and not self._is_deed(slot):
            return "correct-one"
        return next((each for each in self._names(*key) if each in self._grammar.symbols), how)

    def _phrase(self, key: tuple[str, str]) -> str:
        given = self._speech.names[key[1]]
        return next((each for each in self._names(*key) if self._grammar.says(each, given)), "")

    def _opening(self, key: tuple[bool, str]) -> tuple[str, frozenset[str], dict[str, str]]:
        fresh, who = key
        marks = {**({"first": ""} if fresh else {}), **({"who": f"{{{who}}}"} if who else {})}
        symbol, given = "open-as" if who else "open", frozenset((*self._speech.purposes, *marks))
        return symbol if self._grammar.says(symbol, given) else "", given, marks

    def _names(self, how: str, slot: str) -> Iterable[str]:
        speech = self._speech
        if self._is_deed(slot):
            return (f"{how}-deed",)
        kind, noun = speech.values[slot], speech.nouns[slot]
        own = f"{how}-{speech.program.task}-{slot}"
        return own, f"{how}-{kind}-{noun}", f"{how}-{speech.places.get(slot)}", f"{how}-{kind}"

    def _is_deed(self, slot: str) -> bool:
        """Return True if a slot's values are actions, as "pick me up".

        Its lines in the task then end in the words before an action ("you to").
        """
        lines = self._speech.program.sentences.get(slot, ())
        return any(line.literals[0].endswith(self._deeds) for line in lines)

    def follows(self, slot: str, ends: Iterable[str]) -> bool:
        """Return True if a phrase with a slot's value may follow these words.

        `after-<place>` in the grammar lists the words that a place's phrase may follow.
        """
        hosts = self._grammar.symbols.get(f"after-{self._speech.places.get(slot)}")
        return hosts is None or all(end in hosts for end in ends)


@once_for_each
def task_speech(program: TaskProgram) -> TaskSpeech:
    """Return the general ways of a task's nodes (cached)."""
    return TaskSpeech(program)


def voice_of(program: TaskProgram, grammar: Grammar | None, rng: SeededRng) -> Voice | None:
    """Return a voice for a task; None without a grammar of speech."""
    if grammar is None:
        return None
    return Voice(task_speech(program), suited(grammar, program.schema.domain), rng)


@lru_cache(maxsize=256)
def suited(grammar: Grammar, domain: str) -> Grammar:
    """Return a grammar with the ways of a domain: those of `name@domain` are for `name`."""
    own = {name: ways for name, ways in grammar.symbols.items() if name.endswith(f"@{domain}")}
    return grammar.overlaid({n.partition("@")[0]: w for n, w in own.items()}) if own else grammar


class Voice:
    """The wording of one user's turns in one task.

    `rng` draws the wording. While `fresh`, nobody has spoken yet and the user may greet. Turns of
    the purposes `scripted` are said in the author's lines.
    """

    __slots__ = ("_grammar", "_rng", "_speech", "_symbols", "fresh", "scripted")

    def __init__(self, speech: TaskSpeech, grammar: Grammar, rng: SeededRng) -> None:
        self._speech, self._grammar, self._rng = speech, grammar, rng
        self._symbols: SlotSymbols = speech.symbols[grammar]
        self.fresh = True
        self.scripted: frozenset[str] = frozenset()

    def become(self, trait: Trait) -> None:
        """Speak like somebody with a trait from now on."""
        if trait.speech:
            self._grammar = overlaid(self._grammar, trait)
            self._symbols = self._speech.symbols[self._grammar]

    def says(self, symbol: str, given: Iterable[str] = ()) -> str:
        """Return a general text with `{name}` where values go."""
        return self._grammar.template(symbol, self._rng, given)

    def reports(self, slot: str) -> bool:
        """Return True if users find a slot's value somewhere, and do not choose it."""
        ways = self._grammar.symbols.get(self._symbols.answers["another", slot], ())
        return [*ways] == [_REPORT] or self._speech.values[slot] == "long-text"

    def line(self, step: Step, line: FlowLine, further: Sequence[str] = ()) -> FlowLine:
        """Return a general line with the values of a task's line and of `further` slots.

        The task's line itself is returned if the grammar has no such line, or by chance.
        """
        speech = self._speech
        kind = speech.kinds[step.name]
        fresh, self.fresh = self.fresh and step is speech.program.first, False
        if not kind or kind in self.scripted or line.outputs:
            return line
        if self._rng.below(GENERAL + len(step.lines)) >= GENERAL:
            return line
        names = (*line.names, *further)
        if len(names) > 1 or kind in COMPOSED:
            text = self._composed(step, kind, names, fresh=fresh)
            return speech.once(text) if text else line
        template, slot = self._simple(kind, *names)
        return speech.lines[step.name, template, slot] if template else line

    def general(self, step: Step, line: FlowLine, *, fresh: bool = False) -> str:
        """Return a general template with a line's values; empty without one."""
        kind = self._speech.kinds[step.name]
        if len(line.names) > 1 or kind in COMPOSED:
            return self._composed(step, kind, line.names, fresh=fresh)
        return self._speech.texts[self._simple(kind, *line.names)]

    def _simple(self, kind: str, slot: str = "") -> tuple[str, str]:
        """Return a template without values or with that of a slot, and the slot."""
        symbol = self._symbols.answers[kind, slot] if slot and kind in ANSWERS else kind
        if bool(slot) != (kind in ANSWERS) or symbol not in self._grammar.symbols:
            return "", slot
        return self.says(symbol, self._speech.names[slot] if slot else ()), slot

    def _composed(self, step: Step, kind: str, names: Sequence[str], *, fresh: bool) -> str:
        """Return a template of several parts, or with several values; empty without one."""
        if kind == "give":
            return self._joined(self.give(names[0]), names[1:])
        if kind == "open":
            return self._opened(names, fresh=fresh)
        if kind == "change" and kind in self._grammar.symbols:
            drafts = [text for _ in range(TRIES) if (text := self._changed(step, names))]
            return drafts[self._grammar.chosen(drafts, self._rng)] if drafts else ""
        return ""

    def unasked(self, line: FlowLine) -> FlowLine:
        """Return a sentence that gives the value of one of the task's, or that line itself."""
        text = "" if self._rng.once_in(WHOLE) else self._general("tell", line.names[0])
        return self._speech.once(text) if text and not self._is_loose(text) else line

    def _changed(self, step: Step, names: Sequence[str]) -> str:
        """Return a wish for another value, or for another thing with some values."""
        if names:
            return self._followed(self.give(names[0], "another"), names[1:])
        slot = step.node.forget[0]
        noun = self._speech.nouns[slot]
        several = "plural" in self._speech.given[slot]
        if several and self._grammar.says("count", ("noun",)):
            noun = _put(self._grammar.part("count", self._rng, ("noun",)), {"noun": noun})
        return tidy(_put(self.says("change", ("noun",)), {"noun": noun}))

    def _opened(self, names: Sequence[str], *, fresh: bool) -> str:
        """Return a wish with the values of some slots, if possible in the same sentence."""
        speech = self._speech
        if not speech.purposes:
            return ""
        who = next((slot for slot in names if speech.values[slot] == "name"), "")
        symbol, given, marks = self._symbols.openings[fresh, who]
        if not symbol:
            symbol, who = "open", ""
        drafts = [(self.says(symbol, given), self._purpose()) for _ in range(TRIES)]
        texts = [_put(*draft) for draft in drafts]
        template, wishes = drafts[self._grammar.chosen(texts, self._rng)]
        ends = [wish.rpartition(" ")[2].lower() for wish in wishes.values()] if names else []
        phrases, rest = "", list[str]()
        for slot in names:
            phrase = "" if slot == who else self._attached(slot, ends)
            phrases = f"{phrases} {phrase}" if phrase else phrases
            if not phrase and slot != who:
                rest.append(slot)
        if rest and not _LAST.search(template) and self._grammar.says("want", given):
            template = self.says("want", given)
        wished = {name: f"{wish}{phrases}" for name, wish in wishes.items()}
        return self._joined(_put(template, {**marks, **wished}), rest)

    def _attached(self, slot: str, ends: Iterable[str]) -> str:
        """Return a phrase with a slot's value that fits after a wish; empty if none does.

        `ends` are the last words of the wish's forms.
        """
        return self._general("with", slot) if self._symbols.follows(slot, ends) else ""

    def _purpose(self) -> dict[str, str]:
        return {name: self._rng.choice(ways) for name, ways in self._speech.purposes.items()}

    def give(self, slot: str, how: str = "give") -> str:
        """Return a text with a slot's value: an answer, or one after a failure (`another`)."""
        return self._speech.texts[self._answer(how, slot), slot]

    def _answer(self, how: str, slot: str) -> str:
        """Return a template with a slot's value: an answer, correction or `another`."""
        return self.says(self._symbols.answers[how, slot], self._speech.names[slot])

    def _general(self, how: str, slot: str) -> str:
        """Return a template for a value of this kind; empty if the grammar has none."""
        symbol = self._symbols.phrases[how, slot]
        if not symbol:
            return ""
        part = self._grammar.part(symbol, self._rng, self._speech.names[slot])
        return _put(part, self._speech.given[slot])

    def _volunteered(self, slot: str) -> str:
        """Return a template for a volunteered value, in general words or the task's."""
        lines = self._speech.program.sentences.get(slot)
        general = "" if lines and self._rng.once_in(WHOLE) else self._general("tell", slot)
        if general or not lines:
            return general
        text = f"{{{slot}}}".join(self._rng.choice(lines).literals)
        return text if _ALONE.match(text) else f"{text[:1].lower()}{text[1:]}"

    def _is_loose(self, text: str) -> bool:
        """Return True if a text is no sentence: it begins with a preposition."""
        return text.partition(" ")[0].lower() in self._grammar.symbols.get("loose", ())

    def _followed(self, text: str, others: Sequence[str]) -> str:
        """Return a whole text followed by other slots' values; empty if one has no template."""
        return self._joined(text, others) if others else text

    def _joined(self, text: str, others: Sequence[str]) -> str:
        """Return a text followed by other slots' values; empty if one has no template."""
        for slot in others:
            more = self._volunteered(slot)
            if not more:
                return ""
            if self._is_loose(more):
                whole = text.rstrip(".?!")
                text = f"{whole} {more}{text[len(whole) :]}"
            else:
                join = " " if text[-1] in ".?!" else self._grammar.part("join", self._rng)
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
