"""Paraphrases by a language model: behind OpenAI's chat completions, or of a local folder.

    served(ParaphraseOptions(base_url="http://localhost:8000/v1", model="small"))
    local(ParaphraseOptions(model="models/small"))

A line is one request, or with `whole` a dialogue.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from dialoom.errors import UsageError
from dialoom.http.chat import ChatClient, Message
from dialoom.http.local import ChatModel, LocalModel
from dialoom.http.metering import Budget, Meter, WireLimits
from dialoom.http.settings import WireSettings
from dialoom.sim.paraphrase.paraphraser import (
    ParaphraseOptions,
    ParaphraseTexts,
    SourceLine,
    wording,
)

TIMEOUT = 60.0
"""Time limit (s) of an answer."""

FREE = 40
"""Most new tokens of a local model's answer, in addition to one for each letter of the lines."""


class ModelParaphraser:
    """Paraphrases lines by a language model; `UnknownNameError` without a prompt in the language.

    `name` is its name in the settings, `workers` the number of requests at a time.
    """

    def __init__(
        self, options: ParaphraseOptions, model: ChatModel, name: str, workers: int = 1
    ) -> None:
        self.model, self._options, self._name, self._workers = model, options, name, workers
        self.spent: Counter[str] = Counter()
        self._counting = Lock()
        self._wording = wording(options.language)
        fields = WireSettings(temperature=options.temperature, key=options.key)
        self._budget = Budget(WireLimits(timeout=TIMEOUT, settings={"user": fields}))

    @property
    def settings(self) -> dict[str, Any]:
        """The model's name and the settings of requests, without key and address."""
        names = ("language", "seed", "temperature", "whole")
        return {"model": self._name, **{name: getattr(self._options, name) for name in names}}

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return the model's paraphrase of each line; `NoAnswerError` if the server fails."""
        if self._options.whole and len(lines) > 1:
            return whole_answer(self._asked(whole_request(lines, self._wording), lines), lines)
        if len(lines) == 1 or self._workers == 1:
            return [self._line(line) for line in lines]
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._line, lines))

    def _line(self, line: SourceLine) -> str:
        answer = self._asked(line_request(line, self._wording), [line])
        return bare(answer.split("\n")[0], line.text)

    def _asked(self, messages: list[Message], lines: Sequence[SourceLine]) -> str:
        fields = {"seed": self._options.seed + lines[0].attempt}
        if isinstance(self.model, LocalModel):
            fields["max_tokens"] = FREE + sum(len(line.text) for line in lines)
        meter = Meter(self._budget, "user")
        reply = self.model.complete(messages, [], meter, fields)
        read, written = meter.spent.read, meter.spent.written
        with self._counting:
            self.spent.update(requests=1, prompt_tokens=read, completion_tokens=written)
        return reply.said.rpartition("\n")[0] if reply.cut else reply.said  # without a cut-off line


def served(options: ParaphraseOptions) -> ModelParaphraser:
    """Return a paraphraser by a model behind chat completions.

    Raises `UsageError` for a missing address or model or a setting out of range, `UnknownNameError`
    without a prompt in the language, `MissingExtraError` without httpx.
    """
    if not options.base_url or not options.model:
        raise UsageError("a language model needs --base-url and --model", code="not-given")
    if options.workers < 1:
        raise UsageError(
            f"{options.workers} workers cannot ask; there must be 1 or more", code="out-of-range"
        )
    client = ChatClient(f"{options.model}@{options.base_url}", "--base-url")
    client.web.ready()
    return ModelParaphraser(options, client, options.model, options.workers)


def local(options: ParaphraseOptions) -> ModelParaphraser:
    """Return a paraphraser by a model of a folder; errors as of `load_pretrained` and `served`."""
    if not options.model:
        raise UsageError("a local model needs its folder: --with local:FOLDER", code="not-given")
    folder = Path(options.model)
    return ModelParaphraser(options, LocalModel(folder), folder.resolve().name)


HISTORY = 8
"""Most utterances before a line that a request has: STAR's annotators needed five to ten."""

_NUMBERED = re.compile(r"^\W{0,3}(\d+)\s*[.):]\s*(.*)$")
_SPACE = re.compile(r"[^\S\n]+")
_QUOTES = ('"', "“”", "«»", "„“", "'")


def line_request(line: SourceLine, texts: ParaphraseTexts) -> list[Message]:
    """Return the messages that ask for one line in other words."""
    before = "\n".join(f"{agent}: {text}" for agent, text in line.history[-HISTORY:])
    ask = texts.ask.format(
        agent=f"{line.agent}{_persona(line, texts)}",
        before=before or texts.nothing,
        values=_values(line, texts),
        text=line.text,
    )
    return _messages(texts.instruct, ask)


def whole_request(lines: Sequence[SourceLine], texts: ParaphraseTexts) -> list[Message]:
    """Return the messages that ask for all lines of a dialogue in other words."""
    personas = dict.fromkeys(_persona(line, texts) for line in lines)
    turns = (
        texts.turn.format(
            number=number, agent=line.agent, text=line.text, values=_values(line, texts)
        )
        for number, line in enumerate(lines, start=1)
    )
    return _messages(f"{texts.instruct} {texts.whole}{''.join(personas)}", "\n".join(turns))


def whole_answer(content: str, lines: Sequence[SourceLine]) -> list[str]:
    """Return the texts of an answer of numbered lines; empty for numbers that it lacks."""
    texts: dict[int, str] = {}
    for row in content.splitlines():
        match = _NUMBERED.match(row)
        if match is not None:
            texts.setdefault(int(match[1]), match[2])
    return [_speech(texts.get(n, ""), line) for n, line in enumerate(lines, start=1)]


def _speech(row: str, line: SourceLine) -> str:
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


def _persona(line: SourceLine, texts: ParaphraseTexts) -> str:
    return texts.persona.format(persona=line.persona) if line.persona else ""


def _values(line: SourceLine, texts: ParaphraseTexts) -> str:
    return "; ".join(dict.fromkeys(line.values)) or texts.nothing


def _messages(system: str, user: str) -> list[Message]:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]
