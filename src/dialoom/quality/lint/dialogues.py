"""Rules about a dialogue as a whole, about replies on offer in it, and about its texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.dialogue import SYSTEM, USER, Options, Query, Utterance, views
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.schema.findings import hint

SPEAKERS = (USER, SYSTEM)
"""The agents of formats with two speakers."""


@check("E501")
def _repeated_id(context: LintContext) -> Iterator[Found]:
    if context.repeated:
        yield "/id", f"an earlier dialogue is called {context.dialogue.id!r} as well"


@check("E506", needs="utterances")
def _in_two_parts(context: LintContext) -> Iterator[Found]:
    if context.twin != context.folder and len(context.utterances) > 1:
        parts = (part or "the corpus's own folder" for part in (context.twin, context.folder))
        yield "/events", f"the same words are in {' and '.join(parts)}"


@check("W501")
def _no_utterance(context: LintContext) -> Iterator[Found]:
    if not context.utterances:
        yield "/events", "nobody says anything"


@check("E502")
def _unknown_task(context: LintContext) -> Iterator[Found]:
    if not context.corpus.known:
        return
    dialogue = context.dialogue
    entries = dialogue.scenario is not None and dialogue.scenario.capabilities
    pointer = "/scenario/capabilities" if entries else "/services"
    for number, name in enumerate(views.tasks(dialogue)):
        if name not in context.corpus.known:
            yield f"{pointer}/{number}", _unknown(name, context)
    for index, event in context.selections:
        if event.task and event.task not in context.corpus.known:
            yield f"/events/{index}/task", _unknown(event.task, context)


def _unknown(name: str, context: LintContext) -> str:
    return f"the corpus has no schema of a task {name!r}: {hint(name, context.corpus.known)}"


@check("W502")
def _time_goes_back(context: LintContext) -> Iterator[Found]:
    last = 0
    for index, event in enumerate(context.dialogue.events):
        if event.time is not None:
            if event.time < last:
                yield f"/events/{index}/time", f"{last - event.time} ms before the event before"
            last = event.time


@check("E503")
def _unknown_instructions(context: LintContext) -> Iterator[Found]:
    scenario, companions = context.dialogue.scenario, context.corpus.companions
    ids = companions.instructions
    name = scenario.instruction_id if scenario else None
    if name is not None and ids is not None and companions.same_id(name) not in ids:
        what = f"no file has the instructions {name!r}: {hint(name, ids)}"
        yield "/scenario/instruction_id", what


@check("E504", needs="utterances")
def _same_speaker_twice(context: LintContext) -> Iterator[Found]:
    traits = context.corpus.traits
    if not traits.alternates:
        return
    turns: list[tuple[int, Utterance | Query]] = [*context.utterances]
    if traits.calls_are_turns:
        turns = sorted([*turns, *context.queries])
    last = ""
    for index, event in turns:
        if event.agent == last and last in SPEAKERS:
            yield f"/events/{index}/agent", f"the {last} has the turn before as well"
        last = event.agent


@check("E505", needs="utterances")
def _unknown_speaker(context: LintContext) -> Iterator[Found]:
    if not context.corpus.traits.pair:
        return
    for index, utterance in context.utterances:
        if utterance.agent not in SPEAKERS:
            yield f"/events/{index}/agent", f"{utterance.agent!r} is neither user nor system"


@check("E621", "E622", "I621", needs="options")
def _check_candidates(context: LintContext) -> Iterator[CodeFound]:
    for index, options in context.options:
        ids = {candidate.id for candidate in options.candidates}
        if options.choice is not None and options.choice not in ids:
            what = f"no candidate is called {options.choice!r}"
            yield "E621", f"/events/{index}/choice", what
        texts = {candidate.text for candidate in options.candidates}
        if not len(ids) == len(texts) == len(options.candidates):
            yield from _twice(options, f"/events/{index}/candidates")


def _twice(options: Options, pointer: str) -> Iterator[CodeFound]:
    """Find candidates with the id or text of another; labels without a text may repeat."""
    ids: dict[str, int] = {}
    texts: dict[str, int] = {}
    for number, candidate in enumerate(options.candidates):
        first = ids.setdefault(candidate.id, number)
        if candidate.text is None:
            if first != number:
                yield "I621", f"{pointer}/{number}", f"{candidate.id} is candidate {first} as well"
            continue
        if first != number:
            yield "E622", f"{pointer}/{number}/id", f"candidate {first} is {candidate.id!r} as well"
        first = texts.setdefault(candidate.text, number)
        if first != number:
            what = f"{candidate.text!r} is candidate {first} as well"
            yield "I621", f"{pointer}/{number}/text", what


_BETWEEN = "|"
"""Separator of a dialogue's texts, which no pattern matches."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_DIGITS = re.compile(r"(?<![0-9A-Za-z])[0-9](?:[ .()/-]{0,3}[0-9]){6,18}(?![0-9A-Za-z])")
"""Seven to nineteen digits with or without separators: telephone and card numbers, no digests."""
_PHONE = re.compile(
    r"[0-9]{1,3}[ .-]{1,2}\(?[0-9]{2,4}\)?[ .-]{1,2}[0-9 .-]{5,12}"  # 1 415-555-0100
    r"|\(?[0-9]{2,5}\)?[ .-]{1,2}[0-9]{3,4}[ .-][0-9]{3,5}"  # 415-555-0100, (0131) 496 0101
    r"|[0-9]{3}[.-][0-9]{4}"  # 555-0100
    r"|[0-9]{9,12}"
)
_JOINED = re.compile(r"(?<=[a-z]{2})[.?!]+(?!(?:Com|Net|Org|Js)\b)[A-Z][A-Za-z']*(?![\w@/.]*[./@])")
"""Two sentences without a blank between them; no address of a page."""
_CARD = range(13, 20)
"""Numbers of digits of payment cards (ISO/IEC 7812)."""


@check("W601", "W603", "W604", "W605", "W606", "I601")
def _check_texts(context: LintContext) -> Iterator[CodeFound]:
    turns = context.utterances
    each = [utterance.text for _, utterance in turns]
    if not all(map(str.strip, each)):
        for index, utterance in turns:
            if not utterance.text.strip():
                yield "W601", f"/events/{index}/text", f"the {utterance.agent} says nothing"
    whole = _BETWEEN.join(each)
    if not whole.isprintable() or "\ufffd" in whole:
        for index, utterance in turns:
            yield from _broken(utterance.text, f"/events/{index}/text")
    if "@" in whole or _DIGITS.search(whole):
        for index, utterance in turns:
            yield from _personal(utterance.text, f"/events/{index}/text")
    for pointer, text in views.noted_texts(context.dialogue):
        yield from _personal(text, pointer)


@check("I604", needs="utterances")
def _joined(context: LintContext) -> Iterator[Found]:
    for index, utterance in context.utterances:
        for match in _JOINED.finditer(utterance.text):
            yield f"/events/{index}/text", f"{match[0]!r} has no blank"


def _broken(text: str, pointer: str) -> Iterator[CodeFound]:
    match = _CONTROL.search(text)
    if match:
        yield "W603", pointer, f"character {match.start()} is U+{ord(match[0]):04X}"
    if "\ufffd" in text:
        yield "W604", pointer, f"character {text.index(chr(0xFFFD))} replaces one that was lost"


def _personal(text: str, pointer: str) -> Iterator[CodeFound]:
    """Find the pattern and report its place; the message does not repeat the text."""
    for match in _MAIL.finditer(text) if "@" in text else ():
        yield "W605", pointer, _where(match)
    for match in _DIGITS.finditer(text):
        digits = "".join(filter(str.isdigit, match[0]))
        if len(digits) in _CARD and luhn(digits):
            yield "W606", pointer, _where(match)
        elif ". " not in match[0] and _PHONE.fullmatch(match[0]):  # else a sentence ends in it
            yield "I601", pointer, _where(match)


def _where(match: re.Match[str]) -> str:
    return f"characters {match.start()} to {match.end()}"


def luhn(digits: str) -> bool:
    """True if the last digit of a number is its check digit (ISO/IEC 7812-1, annex B)."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return any(digit != "0" for digit in digits) and sum(n - 9 * (n > 9) for n in doubled) % 10 == 0
