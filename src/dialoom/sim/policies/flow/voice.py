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
from functools import lru_cache

from dialoom.flow.node import FlowLine, Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.grammar import Grammar, tidy
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.persons import Trait, overlaid
from dialoom.sim.policies.flow.task_speech import SlotSymbols, TaskSpeech, put, task_speech

GENERAL = 300
"""Author's lines that weigh as much as the grammar: of six, one is used in 1/50 of the turns."""

WHOLE = 5
"""A volunteered value is given in the author's words one in so many times."""

TRIES = 3
"""Drafts of a wish; the speaker's manner chooses one."""

APART = 8
"""Drafts of a further value where a bare phrase ("at the Ibis") does not fit."""

NAMED = 3
"""Users name the value that they refuse one in so many times, where the grammar has words."""

COMPOSED = frozenset({"open", "change"})
"""Purposes of user turns that are composed of several texts: a wish, and a change of it."""

ANSWERS = frozenset({"give", "correct"})
"""Purposes of user turns that give a value."""

DATED = frozenset({"date", "time", "weekday"})
"""Kinds of values after which no sentence ends in "now" or "today"."""

_PLACE = re.compile(r"\{(\w+)\}")
_ALONE = re.compile(r"[A-Z](?:\b|[A-Z])")
"""The start of a sentence whose capital stays within another: "I", "PIN"."""
_LAST = re.compile(r"\{(?:wish|thing)\}[^.,!?]*$")
"""The end of a text whose last part is a wish."""


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
            self._grammar = overlaid(trait, self._grammar)
            self._symbols = self._speech.symbols[self._grammar]

    def says(self, symbol: str, names: Iterable[str] = ()) -> str:
        """Return a general text with `{name}` where values go."""
        return self._grammar.template(symbol, self._rng, names)

    def known(self, symbol: str, other: str) -> str:
        """Return a symbol if the grammar has it, else another one."""
        return symbol if symbol in self._grammar.symbols else other

    def reports(self, slot: str) -> bool:
        """Return True if users find a slot's value somewhere, and do not choose it."""
        return self._symbols.reports(slot)

    def line(
        self,
        step: Step,
        line: FlowLine,
        further: Sequence[str] = (),
        refused: SurfaceForm | None = None,
    ) -> FlowLine:
        """Return a general line with the values of a task's line and of `further` slots.

        `refused` is a value that the user no longer wants.
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
            text = self._composed(step, kind, names, refused, fresh=fresh)
            return speech.once(text) if text and not speech.misleading[step.name, text] else line
        if kind == "none" and self._symbols.openly[step.name]:
            kind = self.known("none-open", kind)
        template, slot = self._simple(kind, *names)
        if not template or speech.misleading[step.name, speech.texts[template, slot]]:
            return line
        return speech.lines[step.name, template, slot]

    def general(self, step: Step, line: FlowLine, *, fresh: bool = False) -> str:
        """Return a general template with a line's values; empty without one."""
        kind = self._speech.kinds[step.name]
        if len(line.names) > 1 or kind in COMPOSED:
            return self._composed(step, kind, line.names, fresh=fresh)
        return self._speech.texts[self._simple(kind, *line.names)]

    def _simple(self, kind: str, slot: str = "") -> tuple[str, str]:
        symbol = self._symbols.answers[kind, slot] if slot and kind in ANSWERS else kind
        if bool(slot) != (kind in ANSWERS) or symbol not in self._grammar.symbols:
            return "", slot
        return self.says(symbol, self._speech.names[slot] if slot else ()), slot

    def _composed(
        self,
        step: Step,
        kind: str,
        names: Sequence[str],
        refused: SurfaceForm | None = None,
        *,
        fresh: bool,
    ) -> str:
        if kind == "give":
            return self._joined(self.give(names[0]), names[1:])
        if kind == "open":
            return self._opened(step, names, fresh=fresh)
        if kind == "change" and kind in self._grammar.symbols:
            drafts = [text for _ in range(TRIES) if (text := self._changed(step, names, refused))]
            return drafts[self._grammar.chosen(drafts, self._rng)] if drafts else ""
        return ""

    def unasked(self, line: FlowLine) -> FlowLine:
        """Return a sentence that gives the value of one of the task's, or that line itself."""
        text = "" if self._rng.once_in(WHOLE) else self._general("tell", line.names[0])
        return self._speech.once(tidy(text)) if text and not self._is_loose(text) else line

    def _changed(self, step: Step, names: Sequence[str], refused: SurfaceForm | None) -> str:
        if names:
            first, *others = names
            text = self.give(first, "another")
            return self._joined(text, others) if others else text
        slot = step.node.forget[0] if refused is None else refused.slot
        noun = self._speech.nouns[slot]
        refusal = self._symbols.answers["refuse", slot]
        if refused and refusal in self._grammar.symbols and self._rng.once_in(NAMED):
            old = {"noun": noun, "old": refused.text}
            return tidy(put(self.says(refusal, ("noun", "old")), old))
        several = "plural" in self._speech.given[slot]
        if several and self._grammar.says("count", ("noun",)):
            noun = put(self._grammar.part("count", self._rng, ("noun",)), {"noun": noun})
        return tidy(put(self.says("change", ("noun",)), {"noun": noun}))

    def _opened(self, step: Step, names: Sequence[str], *, fresh: bool) -> str:
        """Return a wish with the values of some slots, if possible in the same sentence."""
        speech = self._speech
        purposes = speech.purposes[step]
        if not purposes:
            return ""
        who = next((slot for slot in names if speech.values[slot] == "name"), "")
        symbol, context, marks = self._symbols.openings[fresh, who, frozenset(purposes)]
        if not symbol:
            symbol, who = "open", ""
        drafts = [(self.says(symbol, context), self._purpose(purposes)) for _ in range(TRIES)]
        texts = [put(*draft) for draft in drafts]
        template, wishes = drafts[self._grammar.chosen(texts, self._rng)]
        ends = [wish.rpartition(" ")[2].lower() for wish in wishes.values()] if names else []
        phrases, rest = "", list[str]()
        for slot in names:
            if slot == who:
                continue
            phrase = self._general("with", slot) if self._symbols.follows(slot, ends) else ""
            if phrase:
                phrases = f"{phrases} {phrase}"
            else:
                rest.append(slot)
        if rest and not _LAST.search(template) and self._grammar.says("want", context):
            template = self.says("want", context)
        if not {self._speech.values[name] for name in _PLACE.findall(phrases)}.isdisjoint(DATED):
            template = self._symbols.timely.sub(r"\1", template)
        wished = {name: f"{wish}{phrases}" for name, wish in wishes.items()}
        return self._joined(put(template, {**marks, **wished}), rest, ends)

    def _purpose(self, purposes: Mapping[str, Sequence[str]]) -> dict[str, str]:
        return {name: self._rng.choice(ways) for name, ways in purposes.items()}

    def give(self, slot: str, how: str = "give") -> str:
        """Return a text with a slot's value: an answer, or one after a failure (`another`)."""
        template = self.says(self._symbols.answers[how, slot], self._speech.names[slot])
        return self._speech.texts[template, slot]

    def _general(self, how: str, slot: str) -> str:
        symbol = self._symbols.phrases[how, slot]
        if not symbol:
            return ""
        part = self._grammar.part(symbol, self._rng, self._speech.names[slot])
        return put(part, self._speech.given[slot])

    def _volunteered(self, slot: str) -> str:
        lines = self._speech.sentences[slot]
        general = "" if lines and self._rng.once_in(WHOLE) else self._general("tell", slot)
        if general or not lines:
            return general
        text = f"{{{slot}}}".join(self._rng.choice(lines).literals)
        return text if _ALONE.match(text) else f"{text[:1].lower()}{text[1:]}"

    def _is_loose(self, text: str) -> bool:
        return text.partition(" ")[0].lower() in self._grammar.symbols.get("loose", ())

    def _join(self, text: str, more: str) -> str:
        """Return the words between two clauses; an order begins a sentence of its own."""
        if text[-1] in ".?!":
            return " "
        if more.partition(" ")[0] in self._grammar.symbols.get("order", ()):
            return ". "
        return self._grammar.part("join", self._rng)

    def _joined(self, text: str, others: Sequence[str], ends: Sequence[str] = ()) -> str:
        """Return a text followed by other slots' values; empty if one has no template.

        A phrase ("at 5 pm") ends the clause of the last value, unless that is a person's name or a
        text whose last words, `ends`, take no such phrase.
        """
        for slot in others:
            is_name = self._speech.values.get(text[text.rfind("{") + 1 : text.rfind("}")]) == "name"
            apart = is_name or not self._symbols.follows(slot, ends)
            more = self._volunteered(slot)
            for _ in range(APART if apart else 0):
                more = self._volunteered(slot) if self._is_loose(more) else more
            if not more:
                return ""
            if not self._is_loose(more):
                text = f"{text}{self._join(text, more)}{more}"
            else:
                end = self._symbols.clause.search(text, text.rfind("}") + 1)
                at = end.start() if end else len(text)
                comma = "," if is_name else ""
                text = f"{text[:at]}{comma} {more.rstrip('.?!')}{text[at:]}"
        return tidy(text)
