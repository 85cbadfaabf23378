"""Means over texts of scores by an external scorer: a command or a Python function.

    dialoom bench gem-generation … --metric "bleurt=python bleurt_lines.py"
    dialoom bench gem-generation … --metric bleurt=my_package.scores:bleurt

BLEURT (Sellam et al. 2020) needs weights that no package brings. A command reads lines of
{"reference":"For when?","candidate":"Which day?"} and writes a number for each; a function takes
two lists of texts, `references` and `candidates`, and returns as many numbers.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, ClassVar

import msgspec

from dialoom.dialogue import Question, Realise
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.metrics.base import Counts, Guess, Score, share, signed
from dialoom.metrics.generation import answered, normal

Pair = tuple[str, str]

_FUNCTION = re.compile(r"\w+(\.\w+)*:\w+")


class PairMean(ABC):
    """The mean over texts of a score, with each pair of texts scored once.

    It costs much to score texts, so dialogues are not resampled.
    """

    kind: ClassVar[type[Struct]] = Realise
    resampled: ClassVar[bool] = False
    name: ClassVar[str]

    def __init__(self) -> None:
        self._known: dict[Pair, float] = {}

    @property
    @abstractmethod
    def about(self) -> dict[str, str]:
        """The settings of the score, for its signature."""

    @abstractmethod
    def values(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Score pairs of reference and candidate."""

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the pair of texts itself."""
        return Counter(((normal(gold), answered(prediction)),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the mean, times 100; 0 where there is nothing to score."""
        new = sorted((gold, reply) for gold, reply in counts if (gold, reply) not in self._known)
        if new:
            self._known.update(zip(new, self.values(new), strict=True))
        total = sum(self._known[gold, reply] * n for (gold, reply), n in sorted(counts.items()))
        return signed({self.name: share(total, counts.total())}, **self.about)


class OutsideScore(PairMean):
    """BLEURT or another score, by a command or module:function; or `UsageError`."""

    name = "bleurt"
    argument: ClassVar[str] = "a command or module:function"

    def __init__(self, source: str = "") -> None:
        super().__init__()
        if not source.strip():
            raise UsageError(
                "metric bleurt comes without a model: name a command or a function that scores, "
                "as in --metric 'bleurt=python score.py' or --metric bleurt=module:function",
                code="not-given",
            )
        self._source = source
        self._function = _function(source) if _FUNCTION.fullmatch(source) else None
        if self._function is None and shutil.which(source.split()[0]) is None:
            raise UsageError(
                f"metric bleurt: no command {source.split()[0]!r} to run", code="no-program"
            )

    @property
    def about(self) -> dict[str, str]:
        """The command or function that scores."""
        return {"by": self._source.replace("|", "/")}

    def values(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Score pairs; `UsageError` if the scorer fails or gives no number a pair."""
        if self._function is None:
            return self._commanded(pairs)
        scores = self._function(
            references=[gold for gold, _ in pairs], candidates=[reply for _, reply in pairs]
        )
        return self._numbers(list(scores), len(pairs))

    def _commanded(self, pairs: Sequence[Pair]) -> list[float]:
        rows = [{"reference": gold, "candidate": reply} for gold, reply in pairs]
        lines = msgspec.json.Encoder().encode_lines(rows)
        try:
            done = subprocess.run(
                shlex.split(self._source), input=lines, stdout=subprocess.PIPE, check=True
            )
        except (OSError, ValueError) as error:
            raise UsageError(
                f"metric bleurt: cannot run {self._source!r}: {error}", code="failed"
            ) from error
        except subprocess.CalledProcessError as error:
            problem = f"metric bleurt: {self._source!r} ended with {error.returncode}"
            raise UsageError(problem, code="failed") from error
        return self._numbers(done.stdout.decode(errors="replace").split(), len(pairs))

    def _numbers(self, values: Sequence[Any], count: int) -> list[float]:
        try:
            numbers = [float(each) for each in values]
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"metric bleurt: {self._source!r} gave no number: {error}", code="wrong-type"
            ) from error
        if len(numbers) != count:
            problem = f"gave {len(numbers)} numbers for {count} pairs of texts"
            raise UsageError(f"metric bleurt: {self._source!r} {problem}", code="mismatch")
        return numbers


def _function(source: str) -> Callable[..., Sequence[float]]:
    module, _, name = source.partition(":")
    try:
        scorer = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"metric bleurt: no function {source!r}: {error}", code="no-program"
        ) from error
    if not callable(scorer):
        raise UsageError(f"metric bleurt: {source!r} is no function", code="no-program")
    return scorer  # type: ignore[no-any-return]
