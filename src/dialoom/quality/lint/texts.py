"""Rules about texts: empty or broken ones, and what looks like personal data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import CodeFound, Found, check

_BETWEEN = "|"
"""Separator of a dialogue's texts, which no pattern matches."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_DIGITS = re.compile(r"[0-9](?:[ .()/-]{0,3}[0-9]){6,18}")
"""Seven to nineteen digits with or without separators: telephone and card numbers."""
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


@check("W601", "W603", "W604", "W605", "W606", "I601", needs="utterances")
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
