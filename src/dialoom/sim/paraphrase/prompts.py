"""Prompts of language models, by line or by dialogue, and the parsing of their answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dialoom.http.chat import Message
from dialoom.sim.paraphrase.paraphraser import SourceLine
from dialoom.sim.paraphrase.wording import ParaphraseTexts

HISTORY = 8
"""Most utterances before a line that a request has: STAR's annotators needed five to ten."""

_NUMBERED = re.compile(r"^\W{0,3}(\d+)\s*[.):]\s*(.*)$")
_SPACE = re.compile(r"[^\S\n]+")
_QUOTES = ('"', "“”", "«»", "„“", "'")


def line_request(line: SourceLine, said: ParaphraseTexts) -> list[Message]:
    """Return the messages that ask for one line in other words."""
    before = "\n".join(f"{agent}: {text}" for agent, text in line.history[-HISTORY:])
    ask = said.ask.format(
        agent=f"{line.agent}{_persona(line, said)}",
        before=before or said.nothing,
        values=_values(line, said),
        text=line.text,
    )
    return _messages(said.instruct, ask)


def whole_request(lines: Sequence[SourceLine], said: ParaphraseTexts) -> list[Message]:
    """Return the messages that ask for all lines of a dialogue in other words."""
    personas = dict.fromkeys(_persona(line, said) for line in lines)
    turns = (
        said.turn.format(
            number=number, agent=line.agent, text=line.text, values=_values(line, said)
        )
        for number, line in enumerate(lines, start=1)
    )
    return _messages(f"{said.instruct} {said.whole}{''.join(personas)}", "\n".join(turns))


def whole_answer(content: str, lines: Sequence[SourceLine]) -> list[str]:
    """Return the texts of an answer of numbered lines; empty for numbers that it lacks."""
    found: dict[int, str] = {}
    for row in content.splitlines():
        match = _NUMBERED.match(row)
        if match is not None:
            found.setdefault(int(match[1]), match[2])
    return [_speech(found.get(n, ""), line) for n, line in enumerate(lines, start=1)]


def _speech(row: str, line: SourceLine) -> str:
    """Return the text of a row without the speaker's name that models repeat before it."""
    name, colon, text = row.partition(":")
    return bare(text if colon and name.strip().lower() == line.agent.lower() else row, line.text)


def bare(content: str, line: str) -> str:
    """Return an answer without white space and quotation marks around it."""
    text = _SPACE.sub(" ", content.strip())
    for marks in _QUOTES:
        first, last = marks[0], marks[-1]
        if len(text) > 1 and text[0] == first and text[-1] == last and line[:1] != first:
            return text[1:-1].strip()
    return text


def _persona(line: SourceLine, said: ParaphraseTexts) -> str:
    return said.persona.format(persona=line.persona) if line.persona else ""


def _values(line: SourceLine, said: ParaphraseTexts) -> str:
    return "; ".join(dict.fromkeys(line.values)) or said.nothing


def _messages(system: str, user: str) -> list[Message]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]
