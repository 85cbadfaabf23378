"""Numbered lines (`number user<TAB>bot`, or `number fact`) as dialogues, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path, PurePosixPath

from dialoom.dialogue import KB, SYSTEM, USER, Dialogue, Event, Origin, Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.formats.babi.calls import call_text, read_call
from dialoom.formats.babi.dialect import BABI, NO_RESULT, Dialect
from dialoom.formats.babi.facts import is_stated, items, read_fact, spell, state

Line = tuple[str, str]
"""An agent (USER, SYSTEM or KB), and the text of its line."""


def to_lines(events: Iterable[Event], dialect: Dialect) -> Iterator[Line]:
    """Yield the lines of a dialogue; other events are left out."""
    for event in events:
        if isinstance(event, Utterance):
            if event.agent in (USER, SYSTEM, KB):
                yield event.agent, event.text
        elif isinstance(event, Query):
            yield SYSTEM, call_text(event, dialect)
        elif isinstance(event, Result):
            facts = [spell(fact, dialect.prefix) for fact in state(event.items)]
            yield from ((KB, fact) for fact in facts)
            if not event.items:
                yield KB, NO_RESULT


class Reader:
    """Converts the lines of one dialogue to events; its calls are numbered."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.calls = 0

    def said(self, agent: str, text: str) -> Event:
        """Return the event of a line of the user or the bot."""
        if agent == SYSTEM:
            query = read_call(text, str(self.calls + 1), self.dialect)
            if query is not None:
                self.calls += 1
                return query
        return Utterance(agent=agent, text=text)

    def answered(self, lines: Sequence[str]) -> Result | None:
        """Return the result of consecutive facts; None if it would not be written so again."""
        query = str(self.calls) if self.calls else ""
        if list(lines) == [NO_RESULT]:
            return Result(query=query)
        facts = [fact for line in lines if (fact := read_fact(line, self.dialect.prefix))]
        if len(facts) < len(lines) or not is_stated(facts):
            return None
        return Result(query=query, items=items(facts))


_NUMBERED = re.compile(r"([1-9][0-9]{0,8}) (.*)", re.DOTALL)
PARLAI = re.compile(
    rb"(?:\d+ [^\t\n]*\n)*1 (?:your|partner's) persona: "
    rb"|(?:(?:\d+ [^\n]*)?\n)*?\d+ (?:[^\t\n]*\t){3}"
)
"""The beginning of ParlAI's dialogues, whose lines have personas, rewards and candidates."""

_EXPECTED = "expected a number, a blank, and a fact or the user's words, a tab and the bot's"


def looks_like(head: bytes) -> bool:
    """True if a file begins like dialogues: in lists of facts or candidates all numbers are 1.

    A dialogue of one line is followed by a blank line or the end of the file; so may be a fact.
    """
    lines = [line.rstrip("\r") for line in head.decode("utf-8", "replace").lstrip("\n").split("\n")]
    if not lines[0].startswith("1 ") or PARLAI.match(head):
        return False
    second = lines[1] if len(lines) > 1 else ""
    if second or len(lines) > 2:
        return not second or second.startswith("2 ")
    return "\t" in lines[0] and read_fact(lines[0][2:].replace("\t", " "), BABI.prefix) is None


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield a file's dialogues, numbered after the file; `FormatError` for a wrong number."""
    stem = PurePosixPath(name).stem
    count = 0
    for lines in _dialogues(data, file):
        count += 1
        origin = Origin(name, count - 1)
        yield Dialogue(id=f"{stem}-{count}", events=tuple(_events(lines)), origin=origin)
    if not count:
        raise FormatError(file, f"empty file; {_EXPECTED}", code="empty")


def _dialogues(data: bytes, file: Path) -> Iterator[list[str]]:
    """Yield the lines of each dialogue without their numbers; number 1 begins the next one."""
    lines: list[str] = []
    for place, line in enumerate(_lines(data, file), start=1):
        match = _NUMBERED.fullmatch(line)
        if line and match is None:
            raise FormatError(file, f"{line!r}: {_EXPECTED}", line=place, code="bad-line")
        number = int(match[1]) if match else 0
        if lines and number <= 1:
            yield lines
            lines = []
        if match:
            if number != len(lines) + 1:
                what = f"has the number {number}, expected {len(lines) + 1}"
                raise FormatError(file, what, line=place, code="bad-line")
            if match[2].count("\t") > 1:
                what = "more than one tab; ParlAI's lines with candidates are of the format scripts"
                raise FormatError(file, f"{what}: {line!r}", line=place, code="bad-line")
            lines.append(match[2])
    if lines:
        yield lines


def _lines(data: bytes, file: Path) -> Iterator[str]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        try:
            yield data[start:end].decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            raise FormatError(
                file, f"not UTF-8 at byte {start + error.start}", code="not-utf-8"
            ) from error
        start = end + 1


def _events(lines: list[str]) -> Iterator[Event]:
    reader = Reader(BABI)
    for is_answer, run in groupby(lines, key=lambda line: "\t" not in line):
        if is_answer:
            yield from _answers(list(run), reader)
            continue
        for line in run:
            user, _, bot = line.partition("\t")
            yield Utterance(agent=USER, text=user)
            if bot:
                yield reader.said(SYSTEM, bot)


def _answers(lines: list[str], reader: Reader) -> Iterator[Event]:
    """Yield results; lines that are no facts become utterances of the knowledge base."""
    for part in answer_parts(lines):
        result = reader.answered(part)
        if result is not None:
            yield result
        else:
            yield from (Utterance(agent=KB, text=line) for line in part)


def answer_parts(lines: list[str]) -> Iterator[list[str]]:
    """Split lines of the knowledge base into groups of facts, and single lines that are none."""
    for is_empty, run in groupby(lines, key=NO_RESULT.__eq__):
        group = list(run)
        yield from [[line] for line in group] if is_empty else [group]


_BREAKS = re.compile(r"[\t\r\n]")


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return dialogues with a blank line after each; line breaks in texts become blanks.

    If the bot speaks twice in a row, the user is silent between; if the user does, the text after
    the tab is empty. A dialogue without any line becomes one line of silence.
    """
    return "".join(map(_page, dialogues)).encode("utf-8", "replace")


def _page(dialogue: Dialogue) -> str:
    lines = list(_bodies(dialogue)) or [f"{BABI.silence}\t"]
    return "".join(f"{number} {line}\n" for number, line in enumerate(lines, start=1)) + "\n"


def _bodies(dialogue: Dialogue) -> Iterator[str]:
    """Yield the text of each line after its number."""
    waiting: str | None = None  # the user's utterance, until the bot replies
    for agent, text in to_lines(dialogue.events, BABI):
        text = _BREAKS.sub(" ", text)
        if agent == SYSTEM:
            yield f"{BABI.silence if waiting is None else waiting}\t{text}"
            waiting = None
            continue
        if waiting is not None:
            yield f"{waiting}\t"
        waiting = text if agent == USER else None
        if agent == KB:
            yield text
    if waiting is not None:
        yield f"{waiting}\t"
