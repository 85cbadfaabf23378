"""Dialogues as plain text: ChatML, Botium, ParlAI, DailyDialog, and speakers before colons.

    <|im_start|>user                 #me              1 your persona: i like tea .
    A table for two.<|im_end|>       A table.         2 hi !<TAB>hello !<TAB><TAB>hello !|no
    <|im_start|>assistant
    For when?<|im_end|>              #bot             User: A table for two.
                                     For when?        Bot: For when?

    text:hi !<TAB>labels:hello !<TAB>episode_done:True
    A table for two . __eou__ For when ? __eou__

A layout is recognised by its first lines. Personas and prompts of the system (next to a bot's or
assistant's lines) are instructions. ParlAI's candidates and rewards are left out, and the first
of its labels is said. In DailyDialog two equal people take turns, a line for each dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from dialoom.dialogue import GUIDE, SYSTEM, USER, Dialogue, Event, Instruction, Origin, Utterance
from dialoom.errors import FormatError, clip
from dialoom.formats.babi.dialogues import PARLAI
from dialoom.formats.base.turn_list import NAMED, read_only

Line = tuple[str, str]
"""A speaker and a text; the guide gives instructions."""

_COLON = re.compile(rf"({'|'.join(NAMED)}) ?: *(.*)", re.IGNORECASE)
_SECTION = re.compile(r"^#(\w+).*\n?", re.MULTILINE)
_NUMBERED = re.compile(r"(\d+) (.*)")
_PERSONA = re.compile(r"(?:your|partner's) persona: ")
_FIELD = re.compile(r"(text|labels|eval_labels|episode_done):(.*)", re.DOTALL)
_EOU = "__eou__"


START = "<|im_start|>"

_CHATML_TURN = re.compile(r"<\|im_start\|>(\w+)\r?\n(.*?)(?:<\|im_end\|>\s*|\Z)", re.DOTALL)


def chatml_turns(text: str) -> Iterator[tuple[str, str]]:
    """Yield the roles and texts of turns of ChatML; the last one may be open.

    Raises:
        ValueError: A part of the text belongs to no turn, or a role has attributes.
    """
    at = len(text) - len(text.lstrip())
    while at < len(text):
        match = _CHATML_TURN.match(text, at)
        if match is None or START in match[2]:
            place = clip(text[at : at + 120], 60)
            raise ValueError(f"{place!r} is no turn; expected {START}role, a text and <|im_end|>")
        yield match[1], match[2]
        at = match.end()


def _chatml(text: str) -> Iterator[list[Line]]:
    lines: list[Line] = []
    for role, speech in chatml_turns(text):
        if role == "system" and any(agent != GUIDE for agent, _ in lines):
            yield lines
            lines = []
        lines.append((GUIDE if role == "system" else _role(role), speech))
    yield lines


def _botium(text: str) -> Iterator[list[Line]]:
    _, *pieces = _SECTION.split(text)
    sections = zip(pieces[::2], pieces[1::2], strict=True)
    yield [(_role(name), body.strip()) for name, body in sections]


def _numbered(text: str) -> Iterator[list[Line]]:
    lines: list[Line] = []
    for line in filter(None, text.splitlines()):
        match = _NUMBERED.match(line)
        number, rest = match.groups() if match else ("", line)
        if number == "1" and lines:
            yield lines
            lines = []
        if not number:
            raise ValueError(f"{clip(line)!r} has no number")
        prompt, *fields = rest.split("\t")
        lines.append((GUIDE if _PERSONA.match(prompt) else USER, prompt))
        lines += [(SYSTEM, fields[0].split("|")[0])] if fields and fields[0] else []
    yield lines


def _fields(text: str) -> Iterator[list[Line]]:
    lines: list[Line] = []
    for line in filter(None, text.splitlines()):
        fields = {m[1]: m[2] for m in map(_FIELD.match, line.split("\t")) if m}
        labels = fields.get("labels") or fields.get("eval_labels")
        if "text" not in fields or not labels:
            raise ValueError(f"{clip(line)!r} has no text and labels")
        texts = (fields["text"], labels.split("|")[0])
        lines += zip((USER, SYSTEM), (each.replace("\\n", "\n") for each in texts), strict=True)
        if fields.get("episode_done") == "True":
            yield lines
            lines = []
    if lines:
        yield lines


def _utterances(text: str) -> Iterator[list[Line]]:
    for line in filter(str.strip, text.splitlines()):
        pieces = [each.strip() for each in line.split(_EOU) if each.strip()]
        yield [((USER, SYSTEM)[number % 2], each) for number, each in enumerate(pieces)]


def _colons(text: str) -> Iterator[list[Line]]:
    """Yield the dialogues of lines with speakers, with blank lines between."""
    for blank, lines in groupby(text.splitlines(), key=lambda line: not line.strip()):
        if not blank:
            pairs = list(map(_spoken, lines))
            names = {name for name, _ in pairs if NAMED[name] == SYSTEM}
            sides = NAMED | ({"system": GUIDE} if len(names) > 1 else {})
            yield [(sides[name], text) for name, text in pairs]


def _spoken(line: str) -> tuple[str, str]:
    match = _COLON.match(line)
    if match is None:
        raise ValueError(f"{clip(line)!r} has no speaker before a colon")
    return match[1].lower(), match[2]


def _role(name: str) -> str:
    if name.lower() not in NAMED:
        raise ValueError(f"speaker {clip(name)!r}; expected {', '.join(NAMED)}")
    return NAMED[name.lower()]


class TextLayout(NamedTuple):
    """A layout of texts: a pattern of their beginning, and a function that reads them."""

    begins: re.Pattern[bytes]
    read: Callable[[str], Iterator[list[Line]]]


_SPEAKERS = "|".join(NAMED).encode()
LAYOUTS = (
    TextLayout(re.compile(rb"\s*<\|im_start\|>\w+[^\n]*\n"), _chatml),
    TextLayout(re.compile(rb"(?:[^#\n]*\n)*#(?:me|bot)\b"), _botium),
    TextLayout(PARLAI, _numbered),
    TextLayout(re.compile(rb"text:[^\n]*\t(?:eval_)?labels:"), _fields),
    TextLayout(re.compile(rb"[^\n]+ __eou__ [^\n]*__eou__ *\n"), _utterances),
    TextLayout(re.compile(rb"(?:(?:%b) ?: [^\n]+\n){2}" % _SPEAKERS, re.IGNORECASE), _colons),
)


def sniff(head: bytes) -> bool:
    """True if a text begins like one of the layouts."""
    head = head.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return any(each.begins.match(head) for each in LAYOUTS)


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield a text's dialogues, numbered after the file; `FormatError` for a wrong line."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        layout = next(each for each in LAYOUTS if each.begins.match(text.encode()))
        for index, lines in enumerate(layout.read(text)):
            events = tuple(_event(agent, speech) for agent, speech in lines)
            stem = PurePosixPath(name).name.partition(".")[0]
            yield Dialogue(id=f"{stem}-{index + 1}", events=events, origin=Origin(name, index))
    except (ValueError, StopIteration) as error:
        raise FormatError(
            file, str(error) or "begins like no layout of dialogues", code="no-speaker"
        ) from error


def _event(agent: str, speech: str) -> Event:
    return Instruction(text=speech) if agent == GUIDE else Utterance(agent=agent, text=speech)


_OWNS = re.compile(r"(?:[^/]+/){0,3}[^/]+\.txt")
FORMAT = read_only("scripts", read, owns=_OWNS, sniff=sniff, forms=())
