"""Unhappy users: instructions during the dialogue lead them off the flow (STAR's term).

    events = UnhappyUser(runner, wishes, language).events()

An unhappy user gets a few instructions, each before the turn that carries it out. Some insert an
exchange (small talk, a vague answer), others extend the user's utterance (a changed value, one more
value). STAR's unhappy dialogues have three to six of them (counted in the files); so do these, as
far as turns allow. Acts, spans and state stay true: a value only changes while no call has used it,
or where the flow offers to change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from dialoom.dialogue import SYSTEM, USER, Event, Query, Span, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.flow.node import Step
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.digressions import NOTICE, correct, corrections
from dialoom.sim.policies.flow.persons import person_texts
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import InstructionKind, fill, scenario_texts
from dialoom.sim.policies.flow.task_speech import CHOSEN, task_speech

LEAST, MOST = 3, 6
"""Numbers of instructions of an unhappy dialogue (STAR's files: 3, 5 or 6 in nine of ten)."""

FIRST = ("open", "person")
"""Kinds for the first turn only; one of them in every other dialogue."""

LATER = ("change", "event", "negation", "back", "over", "under", "chat")
"""Kinds for any later turn."""

CHANGES = ("change", "event")
"""Kinds of `LATER` to try first if the flow offers the user to change a value."""

OPENING = ("over",)
"""Kinds of `LATER` that the first turn may have too."""

OFTEN = 2
"""Most instructions of one kind in a dialogue."""

REMARKS = 75
"""Share (%) of small talk in the turn of an answer rather than in its place."""

PAUSE = 4
"""Once a dialogue has `LEAST` instructions, one of so many turns gets none."""


class UnhappyUser:
    """One unhappy user in one dialogue.

    The goal is that of `runner`; `wishes` draws the instructions and their values, `language` the
    wording.
    """

    def __init__(self, runner: FlowRunner, wishes: SeededRng, language: SeededRng) -> None:
        self.runner, self.wishes, self.language = runner, wishes, language
        self.texts = scenario_texts(runner.program.language)
        self.fixed, self.kinds = runner.program.fixed, task_speech(runner.program).values
        self.used = 0
        self.briefed_values = dict(runner.user.goal.said)
        """Slot to its value in the briefing, or in the last instruction that changed it."""
        self.recorder = runner.recorder
        self.many = LEAST + wishes.below(MOST - LEAST + 1)
        self._first = [FIRST[wishes.below(len(FIRST))]] if wishes.once_in(2) else []
        self._later = self._shuffled() * OFTEN

    def _shuffled(self) -> list[str]:
        kinds = list(LATER)
        return [kinds.pop(self.wishes.below(len(kinds))) for _ in LATER]

    def events(self) -> tuple[Event, ...]:
        """Simulate the dialogue with its instructions; return its events."""
        runner, events = self.runner, self.recorder.events
        runner.begin()
        while runner.step is not None:
            if runner.step.kind == "user":
                self._turn(runner.step)
            else:
                at = len(events)
                runner.until_user()
                self._use(events[at:])
        return self.recorder.finish(self.texts.numbered)

    def _use(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Query):
                self.used |= self.runner.program.inputs[event.api]

    def _turn(self, step: Step) -> None:
        before = self.runner.before
        if self.recorder.instructions == self.many or not self._follows(before):
            self.runner.turn()

    def _follows(self, before: Step | None) -> bool:
        if self.recorder.instructions >= LEAST and self.wishes.once_in(PAUSE):
            return False
        for name in self._kinds(before):
            if self.follow(name, self.texts.kinds[name], before):
                if name in self._later:
                    self._later.remove(name)
                return True
        return False

    def follow(self, name: str, kind: InstructionKind, before: Step | None) -> bool:
        """Carry out an instruction of some kind, by its method; return True if it fitted here."""
        carry_out = getattr(self, "_change" if name in CHANGES else f"_{name}")
        fitted: bool = carry_out(kind, before)
        return fitted

    def _kinds(self, before: Step | None) -> Sequence[str]:
        if before is None:
            return (*self._first, *OPENING)
        if any(after.forget for after in before.users) and self.wishes.once_in(2):
            return sorted(self._later, key=lambda name: name not in CHANGES)
        return self._later

    def _chat(self, kind: InstructionKind, before: Step | None) -> bool:
        replies, voice = self.runner.program.schema.out_of_scope, self.runner.user.voice
        if voice is not None and self.wishes.below(100) < REMARKS:
            self.recorder.instruct(self.language.choice(kind.instruct))
            self.runner.advance()
            self.recorder.extend(-1, f" {voice.says('chat')}")
            return True
        if not replies:
            return False
        self._begin_aside(kind, "chat")
        self.recorder.aside(SYSTEM, self.language.choice(replies), NOTICE)
        self.runner.advance()
        return True

    def _under(self, kind: InstructionKind, before: Step | None) -> bool:
        runner = self.runner
        if before is None or before.kind != "system" or before.reads or before.node.detail:
            return False
        if not before.asks and len(before.users) < 2:  # nothing was asked
            return False
        self._begin_aside(kind, "vague")
        again = runner.system.say(before, runner.state, self.recorder.time)
        self.recorder.aside(SYSTEM, again.text, again.layers)
        runner.advance()
        return True

    def _open(self, kind: InstructionKind, before: Step | None) -> bool:
        runner = self.runner
        step = runner.program.first
        if step.kind != "user" or step.alters or all(line.names for line in step.lines):
            return False
        runner.step = step
        self.recorder.instruct(self.language.choice(kind.instruct))
        at = len(self.recorder.events)
        bits, values = runner.state.known, dict(runner.state.said)
        self._advance_quietly()
        spoken = self.recorder.events[at]
        if isinstance(spoken, Utterance) and bits == runner.state.known and not values:
            text = self._words("bare-open", kind)
            self.recorder.events[at] = msgspec.structs.replace(spoken, text=text)
        return True

    def _advance_quietly(self) -> None:
        self.runner.quiet = True
        self.runner.advance()
        self.runner.quiet = False

    def _person(self, kind: InstructionKind, before: Step | None) -> bool:
        traits, voice = person_texts(self.runner.program.language).traits, self.runner.user.voice
        name = self.wishes.choice(sorted(traits))
        if voice is not None:
            voice.become(traits[name])
        values = {"person": name, "prompt": traits[name].prompt}
        self.recorder.instruct(fill(self.language.choice(kind.instruct), values)[0])
        self.runner.advance()
        return True

    def _begin_aside(self, kind: InstructionKind, symbol: str) -> None:
        self.recorder.instruct(self.language.choice(kind.instruct))
        self.recorder.aside(USER, self._words(symbol, kind), NOTICE)

    def _words(self, symbol: str, kind: InstructionKind) -> str:
        voice = self.runner.user.voice
        return self.language.choice(kind.user) if voice is None else voice.says(symbol)

    def _change(self, kind: InstructionKind, before: Step | None) -> bool:
        if before is not None and self._correct(kind, before):
            return True
        runner, goal, step = self.runner, self.runner.user.goal, self.runner.step
        free = runner.state.known & goal.mask & ~self.used & ~self.fixed & ~goal.wrong
        slots = self._changeable(free & ~step.forget if step is not None else 0)
        if not slots:
            return self._turn_back(kind, before)
        slot = self.wishes.choice(slots)
        old, user = runner.state.said[slot], runner.user
        if not user.goals.exchange(goal, (slot,), user.wishes, user.language):
            return False
        new = goal.said[slot]
        self._answer(kind, self._changed(kind, old, new), new)
        return True

    def _correct(self, kind: InstructionKind, before: Step) -> bool:
        runner, recorder = self.runner, self.recorder
        possible = [each for each in corrections(runner, before) if self._read(each[1][0])]
        if not possible:
            return False
        correction, slots = self.wishes.choice(possible)
        old, at, time = runner.state.said[slots[0]], len(recorder.events), recorder.time
        if not correct(runner, correction, slots):
            return False
        new = runner.state.said.get(slots[0], old)
        changed = self._changed(kind, old, new)
        values = self._held(changed, new)
        recorder.extend(at, "", before=f"{changed['mention']} " if changed["mention"] else "")
        recorder.instruct(fill(self.language.choice(kind.instruct), values)[0], at, time)
        return True

    def _turn_back(self, kind: InstructionKind, before: Step | None) -> bool:
        runner, state = self.runner, self.runner.state
        offers = [after for after in before.users if after.forget] if before is not None else []
        slots = [slot for after in offers for slot in self._changeable(after.forget & state.known)]
        if not slots:
            return False
        slot = self.wishes.choice(slots)
        old, bit = state.said[slot], runner.program.bits[slot]
        at, time = len(self.recorder.events), self.recorder.time
        runner.step = next(after for after in offers if after.forget & bit)
        step = runner.step
        self._advance_quietly()
        new, event = runner.user.goal.said.get(slot), self.recorder.events[at]
        if new is None or new.text == old.text or not isinstance(event, Utterance):
            return True
        if state.said.get(slot) is new:
            return True
        state.give(new)
        runner.reconsider()
        values = self._held(self._changed(kind, old, new), new)
        text, spans = self._added(kind, values)
        acts = (step.act(new),)
        self.recorder.extend(at, text, spans, acts, state.annotation())
        self.recorder.instruct(fill(self.language.choice(kind.instruct), values)[0], at, time)
        return True

    def _changeable(self, bits: int) -> list[str]:
        """Return the given slots (as bits) with replaceable values.

        A slot that others depend on is excluded: these would need new questions; nor does anybody
        change what they only report.
        """
        forms, program = self.runner.state.said, self.runner.program
        leading = {name for slot in program.schema.dependent for name in slot.depends_on}
        leading |= {slot for slot in forms if self.kinds[slot] == "name"}  # nobody changes theirs
        leading |= {slot for slot in forms if self._reports(slot)}
        free = [slot for slot in forms if bits & program.bits[slot] and slot not in leading]
        domain = self.runner.user.goals.domain
        return [slot for slot in free if domain(slot) is not None and self._read(slot)]

    def _reports(self, slot: str) -> bool:
        voice = self.runner.user.voice
        return voice is not None and voice.reports(slot)

    def _read(self, slot: str) -> bool:
        """Return True if the user has read a slot's present value, so that a text may name it.

        Values drawn after a failed call are in no briefing.
        """
        form, briefed = self.runner.state.said.get(slot), self.briefed_values.get(slot)
        return form is not None and briefed is not None and form.canonical == briefed.canonical

    def _changed(
        self, kind: InstructionKind, old: SurfaceForm, new: SurfaceForm
    ) -> dict[str, SurfaceForm | str]:
        reason = self.language.choice(kind.suiting(self.kinds[new.slot])) if kind.reasons else ""
        mention = self.language.choice(kind.reasons[reason]) if reason else ""
        read, self.briefed_values[new.slot] = self.briefed_values.get(old.slot, old), new
        old = read if read.canonical == old.canonical else old
        return {"new": new, "old": old, "reason": reason, "mention": mention}

    def _over(self, kind: InstructionKind, before: Step | None) -> bool:
        runner, goal, step = self.runner, self.runner.user.goal, self.runner.step
        greeting = runner.greets and step is runner.program.first  # it says no more
        if step is None or greeting or not (step.unasked or runner.state.asked):
            return False
        untold = goal.mask & runner.program.asked & ~runner.state.known & ~self.fixed
        untold &= ~runner.state.asked & ~step.forget
        bits, sentences = runner.program.bits, runner.program.sentences
        slots = [slot for slot in goal.said if untold & bits[slot] and slot in sentences]
        if not slots:
            return False
        value = goal.said[self.wishes.choice(slots)]
        self._answer(kind, {"value": value}, value)
        return True

    def _back(self, kind: InstructionKind, before: Step | None) -> bool:
        runner = self.runner
        events = (each for each in self.recorder.events if isinstance(each, Utterance))
        turns = [each.text for each in events if each.agent == USER]
        unfit, bits = self.fixed | runner.user.goal.wrong, runner.program.bits
        values = [
            each
            for slot, each in runner.state.said.items()
            if slot in runner.user.goal.said and self._read(slot) and not unfit & bits[slot]
            if self.kinds[slot] != "name" and any(each.text in text for text in turns)
        ]
        if not values:
            return False
        value = self.wishes.choice(values)
        if self.kinds[value.slot] == "category":
            value = runner.program.words.short(value)
        self._answer(kind, {"value": value}, value)
        return True

    def _negation(self, kind: InstructionKind, before: Step | None) -> bool:
        runner, user = self.runner, self.runner.user
        slots = runner.state.asked & ~runner.state.known & user.goal.mask & ~self.fixed
        slots &= ~runner.program.fallback  # facts that only identify the user
        for slot in user.goal.said:
            domain = user.goals.domain(slot) if slots & runner.program.bits[slot] else None
            if domain is None or self.kinds[slot] not in CHOSEN or self._reports(slot):
                continue
            canonical = domain.at(self.wishes.below(domain.size))
            other = runner.program.words.forms(slot, canonical)[0]
            if all(other.canonical != each.canonical for each in user.goal.said.values()):
                self._refuse(slot, canonical)
                self._answer(kind, {"other": other}, None)
                return True
        return False

    def _refuse(self, slot: str, value: Value) -> None:
        goal = self.runner.user.goal
        goal.demands = goal.demands.without(slot, value)

    def _answer(
        self,
        kind: InstructionKind,
        values: Mapping[str, SurfaceForm | str],
        form: SurfaceForm | None,
    ) -> None:
        runner, events = self.runner, self.recorder.events
        subject = form or next(words for words in values.values() if isinstance(words, SurfaceForm))
        words = self._held(values, subject)
        self.recorder.instruct(fill(self.language.choice(kind.instruct), words)[0])
        step, at = runner.step, len(events)
        if form is not None:
            runner.state.give(form)
        runner.advance()
        event = events[at]
        if isinstance(event, Utterance) and step is not None:
            acts = () if form is None else (step.act(form),)
            if kind.user or form is None:
                text, spans = self._added(kind, words)
            else:
                text, spans = runner.sentence(form)
            self.recorder.extend(at, text, spans, acts)

    def _added(
        self, kind: InstructionKind, words: Mapping[str, SurfaceForm | str]
    ) -> tuple[str, tuple[Span, ...]]:
        voice, symbol = self.runner.user.voice, next(s for name, s in ADDED if name in words)
        symbol = "event-mind" if kind.reasons else symbol
        if isinstance(new := words.get("new"), SurfaceForm) and voice is not None:
            symbol = voice.known(f"{symbol}-{self.kinds[new.slot]}", symbol)
        if isinstance(other := words.get("other"), SurfaceForm):
            symbol += "" if self.kinds[other.slot] == "category" else "-when"
        if voice is None:
            return fill(self.language.choice(kind.user), words)
        return fill(f" {voice.says(symbol, words)}", words)

    def _held(
        self, values: Mapping[str, SurfaceForm | str], subject: SurfaceForm
    ) -> dict[str, SurfaceForm | str]:
        return {**values, "slot": self.runner.program.schema.slots[subject.slot].description}


ADDED = (("new", "change-mind"), ("other", "not-this"), ("value", "said-before"))
"""Kind of instruction, and the grammar's symbol for the sentence that it adds."""
