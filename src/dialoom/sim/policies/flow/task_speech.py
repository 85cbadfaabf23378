"""Words for the turns of any task: their purposes, kinds of values, and nouns for slots.

speech = task_speech(program)
speech.kinds["give_time"]                       # "give", the symbol of a user's node
speech.symbols[grammar].answers["give", "time"]     # "give-time", the symbol of a turn
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from dialoom.flow.node import FlowLine, Step, mask
from dialoom.flow.program import TaskProgram
from dialoom.reading.purpose import purposes
from dialoom.schema.call import Intent
from dialoom.schema.lexicon import lexicon, seams
from dialoom.schema.once import Kept, once_for_each
from dialoom.schema.slot import Slot, is_truth
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values.text import any_of
from dialoom.sim.core.grammar import Grammar, tidy
from dialoom.sim.policies.flow.persons import first_names

CHOSEN = frozenset({"category", "weekday", "time", "amount"})
"""Kinds of values that people choose, so that they may name unwanted ones: nobody does for their
name, their date of birth or a number that they read."""

_WORD = re.compile(r"[\w']+")


def value_kind(slot: Slot, program: TaskProgram) -> str:
    """Return the kind of a slot's values, by the names of the grammar's symbols.

    It is "name" only if users would give their own: a slot whose examples include no first name
    of the language may be for a pet.
    """
    spoken = lexicon(program.language)
    words = _WORD.findall(slot.name.replace("_", " ").lower())
    values = [str(value).lower() for value in slot.values]
    person = bool(spoken.people) and set(words) <= set(spoken.people)
    if person and slot.type == "short text" and _of_users(slot.examples, program.language):
        return "name"
    if values and all(value in spoken.weekdays for value in values):
        return "weekday"
    if is_truth(slot, program.language):
        return "truth"
    return slot.type.replace(" ", "-")


KEPT = 2_000
"""Most general texts, and most of their lines, cached for a task: few symbols have more frequent
drafts (`benchmarks/simulate.py`)."""

OPEN = frozenset({"date", "time", "integer", "amount", "name", "short-text"})
"""Kinds of values that do not show by themselves which slot they are of."""

_VALUE = "value"
_REPORT = "<it-was>"
"""The grammar's only way to restate a value that users look up, such as the number of a case."""

_MISREAD = "correct-report"
"""The grammar's symbol for the correction of a value that users look up."""


class TaskSpeech:
    """Symbols, nouns and kinds of values with which a grammar words the turns of a task's user."""

    def __init__(self, program: TaskProgram) -> None:
        self.program = program
        slots = program.schema.slots.values()
        self.values = {slot.name: value_kind(slot, program) for slot in slots}
        self.kinds = {step.name: self._kind(step) for step in program.steps.values()}
        self.nouns = {slot.name: slot.name.replace("_", " ") for slot in slots}
        self.given = {slot: _given(slot, noun) for slot, noun in self.nouns.items()}
        self.names = {slot: frozenset(words) for slot, words in self.given.items()}
        self.places = {slot.name: _place(slot, program) for slot in slots}
        self.purposes = Kept(self._purposes)
        self.symbols = Kept(partial(SlotSymbols, self))
        self.sentences = Kept(self._sentences)
        self.texts = Kept(self._text, KEPT)
        self.misleading = Kept(self._misleads, KEPT)
        self._listed = {
            slot.name: re.compile(rf"(?<!\w)(?:{any_of(forms)})(?!\w)", re.IGNORECASE)
            for slot in slots
            if (forms := tuple(_sayable(slot, program.language)))
        }
        self.lines = Kept(self._line, KEPT)

    def _kind(self, step: Step) -> str:
        """Return the symbol for a node; a refusal depends on the question, and on the next one."""
        kind = purposes(self.program)[step.name]
        if kind != "none":
            return kind
        flow, steps = self.program.schema.flow, self.program.steps
        before = (flow.nodes[name] for name in flow.before[step.name])
        kinds = {self.values[slot] for each in before for slot in each.asks}
        if "truth" in kinds:
            return "none-truth"  # where "no" is a value
        if kinds == {"long-text"}:
            return "none-long-text"
        after = (steps[name] for name in step.node.successors if name in steps)
        return "forgotten" if any(each.asks & self.program.fallback for each in after) else kind

    def _purposes(self, step: Step) -> Mapping[str, Sequence[str]]:
        """Return the user's purposes at a node as phrases with a verb, and their objects as nouns.

        A task's briefing has both, separated by a bar. Without one, the phrases are the
        intents that the author's lines of the node name, or else the only one that there is,
        unless it names a slot ("a given destination" is no destination).
        """
        schema = self.program.schema
        verbs, _, nouns = schema.texts.get("wish", "").partition("|")
        intents = schema.intents.values()
        only = [intent.description for intent in intents if len(intents) == 1]
        slots = self.nouns.values()
        clear = (text for text in only if not any(noun in text.lower() for noun in slots))
        wishes = verbs.split(";") if verbs else [*_named(intents, step.lines)] or clear
        groups = {"wish": _phrases(wishes), "thing": _phrases(nouns.split(";"))}
        return {name: ways for name, ways in groups.items() if ways}

    def shares(self, slot: str) -> bool:
        """Return True if another slot has the same kind of value, such as a second date."""
        kind, slots = self.values[slot], self.program.schema.slots
        alike = (name for name in slots if name != slot and self.values[name] == kind)
        return any(kind in OPEN or slots[name].values == slots[slot].values for name in alike)

    def _sentences(self, slot: str) -> Sequence[FlowLine]:
        lines = self.program.sentences
        others = {line.literals for name, group in lines.items() if name != slot for line in group}
        own = lines.get(slot, ())
        return [line for line in own if line.literals not in others] or own

    def _misleads(self, key: tuple[str, str]) -> bool:
        """Return True if the words of a template at a node name a value, as "I'm flexible" may.

        A yes or a no is one only where it would answer a question that the user leaves open.
        """
        node, template = key
        text, spoken = PLACEHOLDER.sub("_", template), lexicon(self.program.language)
        step, flow = self.program.steps[node], self.program.schema.flow
        before = (flow.nodes[name] for name in flow.before[node])
        slots = {slot for each in before for slot in each.asks} if step.node.gives_none else set()
        return any(
            slot in slots or spoken.truth(match[0]) is None
            for slot, values in self._listed.items()
            for match in values.finditer(text)
            if f"{{{slot}}}" not in template
        )

    def _text(self, key: tuple[str, str]) -> str:
        template, slot = key
        return tidy(put(template, self.given[slot]) if slot else template)

    def _line(self, key: tuple[str, str, str]) -> FlowLine:
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
            mask([name for name in names if name in bits], bits),
            frozenset([name for name in names if name not in bits]),
            seams(self.program.language),
        )


class SlotSymbols:
    """The symbols of a grammar for the slots of a task, each found once.

    `answers` maps a purpose and a slot to the symbol of a turn, `phrases` to that of a part of one
    (empty if there is none); `openings` maps whether nobody has spoken yet, the slot of the user's
    name, and the names of purposes to the symbol of a wish and its further values.
    """

    def __init__(self, speech: TaskSpeech, grammar: Grammar) -> None:
        self._speech, self._grammar = speech, grammar
        words = "|".join(grammar.symbols.get("clause", ()))
        self.clause = re.compile(rf"[.,!?;]| (?:{words}) " if words else "[.,!?;]")
        """The end of a clause: a mark, or a word that begins another."""
        hasty = "|".join(grammar.symbols.get("timely", ()))
        self.timely = re.compile(rf"(\{{(?:wish|thing)\}}) (?:{hasty})\b" if hasty else r"(?!)()")
        """A wish before the words that say when it is to be granted."""
        self._deeds = tuple(f"{words} " for words in grammar.symbols.get("after-deed", ()))
        self.openly = Kept(self._asks_openly)
        self.answers = Kept(self._answer)
        self.phrases = Kept(self._phrase)
        self.openings = Kept(self._opening)

    def _answer(self, key: tuple[str, str]) -> str:
        how, slot = key
        if how == "correct" and _MISREAD in self._grammar.symbols and self.reports(slot):
            return _MISREAD
        if how == "correct" and self._speech.shares(slot) and not self._is_deed(slot):
            return "correct-one"
        return next((each for each in self._names(*key) if each in self._grammar.symbols), how)

    def _phrase(self, key: tuple[str, str]) -> str:
        words = self._speech.names[key[1]]
        return next((each for each in self._names(*key) if self._grammar.says(each, words)), "")

    def _opening(
        self, key: tuple[bool, str, frozenset[str]]
    ) -> tuple[str, frozenset[str], dict[str, str]]:
        fresh, who, purposes = key
        marks = {**({"first": ""} if fresh else {}), **({"who": f"{{{who}}}"} if who else {})}
        symbol, names = "open-as" if who else "open", purposes.union(marks)
        return symbol if self._grammar.says(symbol, names) else "", names, marks

    def _names(self, how: str, slot: str) -> Iterable[str]:
        speech = self._speech
        if self._is_deed(slot):
            return (f"{how}-deed",)
        kind, noun = speech.values[slot], speech.nouns[slot]
        own = f"{how}-{speech.program.task}-{slot}"
        return own, f"{how}-{kind}-{noun}", f"{how}-{speech.places.get(slot)}", f"{how}-{kind}"

    def _asks_openly(self, node: str) -> bool:
        """Return True if some question before a node ("which …?") takes no bare no."""
        flow, words = self._speech.program.schema.flow, self._grammar.symbols.get("asks-openly", ())
        texts = (text for name in flow.before[node] for text in flow.nodes[name].texts)
        return any(not {*text.lower().split()}.isdisjoint(words) for text in texts)

    def reports(self, slot: str) -> bool:
        """Return True if users find a slot's value somewhere, and do not choose it."""
        ways = self._grammar.symbols.get(self.answers["another", slot], ())
        return [*ways] == [_REPORT] or self._speech.values[slot] == "long-text"

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


task_speech = once_for_each(TaskSpeech)
"""Returns the general ways of a task's nodes (cached)."""


def put(template: str, texts: Mapping[str, str]) -> str:
    """Return a template with each `{name}` replaced by the text given for it."""
    for name, other in texts.items():
        template = template.replace(f"{{{name}}}", other)
    return template


def _given(slot: str, noun: str) -> dict[str, str]:
    return {_VALUE: f"{{{slot}}}", "noun": noun, "plural" if noun[-1:] == "s" else "single": ""}


def _sayable(slot: Slot, language: str) -> Iterable[str]:
    """Yield the words for a slot's listed values that are no small words: not "me" for 1."""
    small = lexicon(language).stop | lexicon(language).common
    for value, ways in slot.values.items():
        yield from (way for way in (value, *ways) if way.isalpha() and way.lower() not in small)


def _of_users(names: Collection[str], language: str) -> bool:
    firsts = first_names(language)
    return not (names and firsts) or any(name.partition(" ")[0] in firsts for name in names)


def _place(slot: Slot, program: TaskProgram) -> str:
    words, places = slot.name.split("_"), lexicon(program.language).places
    matches = [name for name, terms in places.items() if not set(terms).isdisjoint(words)]
    return matches[-1] if matches and slot.type in ("category", "short text") else ""


def _named(intents: Iterable[Intent], lines: Iterable[FlowLine]) -> Iterable[str]:
    texts = [" ".join(line.literals) for line in lines]
    for described in (intent.description.strip(" .") for intent in intents):
        places = ((text, text.lower().find(described.lower())) for text in texts)
        spot = next(((text, at) for text, at in places if at >= 0), None)
        if spot is not None:
            yield spot[0][spot[1] : spot[1] + len(described)]


def _phrases(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(phrase.strip(" .") for phrase in texts if phrase.strip(" ."))
