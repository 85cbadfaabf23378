"""Fluency of simulated users: perplexity of their turns under a model of real users' turns.

The model is an n-gram model (`dialoom.models.ngram.kneser_ney`) whose unknown words are one class,
so that a name that no real user says weighs no more than another one. It learns from every second
real dialogue; the others are judged beside the simulated ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.models.ngram.kneser_ney import ORDER, NgramModel
from dialoom.quality.stats.analysis import Result
from dialoom.quality.stats.overview import TOKEN

SETTINGS = {"fluency": f"{ORDER}-gram-kneser-ney", "unknown": "first-occurrence"}
"""The settings of the perplexities besides the corpora, for their signature."""


def tokens(text: str) -> list[str]:
    """Return the words and signs of a text in lower case."""
    return TOKEN.findall(text.lower())


def compare(
    simulated: Callable[[], Iterable[Dialogue]], real: Callable[[], Iterable[Dialogue]]
) -> dict[str, Result]:
    """Return the perplexity of the user's turns of simulated and of held-out real dialogues.

    Args:
        simulated: Gives the simulated dialogues.
        real: Gives the real ones, twice: the first, the third and so on are learnt, and the others
            are judged.
    """
    judge = NgramModel()
    for place, dialogue in enumerate(real()):
        if place % 2 == 0:
            for text in _turns(dialogue):
                judge.learn(tokens(text))
    judge.freeze()
    held = (dialogue for place, dialogue in enumerate(real()) if place % 2)
    return {"simulated": _judged(judge, simulated()), "real": _judged(judge, held)}


def _turns(dialogue: Dialogue) -> Iterator[str]:
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield event.text


def _judged(judge: NgramModel, dialogues: Iterable[Dialogue]) -> Result:
    bits, words, unknown, turns = 0.0, 0, 0, 0
    for dialogue in dialogues:
        for text in _turns(dialogue):
            of = judge.bits(tokens(text))
            bits, words, unknown, turns = bits + of[0], words + of[1], unknown + of[2], turns + 1
    return {
        "turns": turns,
        "words": words,
        "unknown": round(unknown / words, 4) if words else None,
        "perplexity": round(2 ** (bits / words), 1) if words else None,
    }
