"""Paraphrases by a language model, over the wire format of OpenAI's chat completions.

    ChatParaphraser(ParaphraseOptions(base_url="http://localhost:8000/v1", model="small"))

    POST {base_url}/chat/completions
    {"model": …, "messages": [{"role": "system", "content": …}, {"role": "user", …}],
     "temperature": 0.7, "seed": 7}
    {"choices": [{"message": {"content": "…"}}]}

A line is one request, or with `whole` a dialogue. A request that fails for the moment (too many
requests, a server error, no answer) is repeated, each time after a longer wait.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import httpx

from dialoom.errors import UsageError, clip
from dialoom.http.answers import answered
from dialoom.http.completions import ChatUsage, read_completion
from dialoom.sim.paraphrase.paraphraser import ParaphraseOptions, ParaphraserError, SourceLine
from dialoom.sim.paraphrase.prompts import (
    Messages,
    bare,
    line_request,
    whole_answer,
    whole_request,
)
from dialoom.sim.paraphrase.wording import wording

CONNECT = 5.0
"""Time limit (s) of a connection."""

TIMEOUT = 60.0
"""Time limit (s) of an answer."""

WAITS = (1.0, 4.0, 16.0)
"""Seconds before each repetition of a request; after the last one it has failed."""


class ChatParaphraser:
    """Paraphrases lines by a language model.

    Args:
        options: The address and name of the model, and the settings of requests.
        transport: Carries the requests; the network where None.
        wait: Waits so many seconds before a request is repeated.

    Raises:
        UsageError: The address or name of the model is missing, or a setting is out of range.
        UnknownNameError: There is no prompt in the language.
    """

    def __init__(
        self,
        options: ParaphraseOptions,
        transport: httpx.BaseTransport | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if not options.base_url or not options.model:
            raise UsageError("a language model needs --base-url and --model")
        if options.workers < 1:
            raise UsageError(f"{options.workers} workers cannot ask; there must be 1 or more")
        if not options.base_url.startswith(("http://", "https://")):
            raise UsageError(f"--base-url is an http address, not {clip(options.base_url)!r}")
        self._options, self._wait = options, wait
        self.spent: Counter[str] = Counter()
        self._counting = Lock()
        self._wording = wording(options.language)
        self._reached = False
        key = os.environ.get(options.key)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(
            base_url=options.base_url.rstrip("/") + "/",
            headers=headers,
            timeout=httpx.Timeout(TIMEOUT, connect=CONNECT),
            transport=transport,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """The model's name and the settings of requests, without key and address."""
        options = self._options
        return {
            "language": options.language,
            "seed": options.seed,
            "model": options.model,
            "temperature": options.temperature,
            "whole": options.whole,
        }

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return what the model makes of each line.

        Raises:
            ParaphraserError: The server refuses, cannot be reached, or its answer is malformed.
        """
        if self._options.whole and len(lines) > 1:
            answer = self._asked(whole_request(lines, self._wording), lines[0])
            return whole_answer(answer, lines)
        if len(lines) == 1 or self._options.workers == 1:
            return [self._ask(line) for line in lines]
        with ThreadPoolExecutor(self._options.workers) as pool:
            return list(pool.map(self._ask, lines))

    def _ask(self, line: SourceLine) -> str:
        return bare(self._asked(line_request(line, self._wording), line), line.text)

    def _asked(self, messages: Messages, line: SourceLine) -> str:
        return self._answer(
            {
                "model": self._options.model,
                "messages": messages,
                "temperature": self._options.temperature,
                "seed": self._options.seed + line.attempt,
            }
        )

    def _answer(self, request: dict[str, Any]) -> str:
        """Return the text of the model's answer."""
        try:
            response = answered(lambda: self._post(request), WAITS, self._wait)
        except httpx.RequestError as error:
            raise _unreached(error) from error
        if not response.is_success:
            what = f"{response.status_code}: {clip(response.text)}"
            raise ParaphraserError(f"the language model answers {what}")
        answer = read_completion(response.content)
        if answer is None:
            what = clip(response.text)
            raise ParaphraserError(f"the language model's answer is no chat completion: {what}")
        used = answer.usage or ChatUsage()
        with self._counting:
            self.spent.update(
                requests=1,
                prompt_tokens=used.prompt_tokens,
                completion_tokens=used.completion_tokens,
            )
        return answer.choices[0].message.said if answer.choices else ""

    def _post(self, request: dict[str, Any]) -> httpx.Response:
        try:
            response = self._client.post("chat/completions", json=request)
        except httpx.RequestError as error:
            if not self._reached:  # the address is wrong, or nothing runs there
                raise _unreached(error) from error
            raise
        self._reached = True
        return response


def _unreached(error: httpx.RequestError) -> ParaphraserError:
    return ParaphraserError(f"the language model cannot be reached: {error}")
