"""The dialogues whose wording is compared: as many of either corpus, drawn at random."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from dialoom.dialogue import Dialogue, Utterance
from dialoom.metrics.bootstrap import SAMPLES
from dialoom.quality.distance.counting import AGENTS

Read = Callable[[], Iterable[Dialogue]]
"""Gives the dialogues of a corpus, each time the same."""

Spoken = list[list[Utterance]]
"""The turns of one speaker in each dialogue, none of them empty."""

MOST = 600
"""Dialogues of either corpus that are drawn at most: the intervals of AUROC are then under a point
wide for what is easily recognised, and a side costs some ten seconds."""

SEED = 1
"""The seed of the draw, and of the resampling."""

_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: [A-Z][\w'’]+)*")


def masked(text: str) -> str:
    """Return a text in lower case, with numbers masked and names, which are capitalised words."""
    return _NAME.sub("Name", _NUMBER.sub("0", text)).lower()


def draw(corpora: Sequence[Read], agents: Sequence[str] = AGENTS) -> dict[str, list[Spoken]]:
    """Return each agent's turns in equally many random dialogues, in two passes."""
    numbers = [Counter(agent for agent, _ in _spoken(read(), agents)) for read in corpora]
    orders = [_orders([tally[agent] for tally in numbers]) for agent in agents]
    samples: dict[str, list[Spoken]] = {agent: [] for agent in agents}
    for side, read in enumerate(corpora):
        turns: dict[str, dict[int, list[Utterance]]] = {
            agent: {place: [] for place in order[side]}
            for agent, order in zip(agents, orders, strict=True)
        }
        places: Counter[str] = Counter()
        for agent, own in _spoken(read(), agents):
            if places[agent] in turns[agent]:
                turns[agent][places[agent]] = own
            places[agent] += 1
        for agent, by_place in turns.items():
            samples[agent].append(list(by_place.values()))
    return samples


def _orders(numbers: Sequence[int]) -> list[list[int]]:
    rng = random.Random(SEED)
    orders = [list(range(number)) for number in numbers]
    for order in orders:
        rng.shuffle(order)
    return [order[: min(MOST, *numbers)] for order in orders]


def _spoken(
    dialogues: Iterable[Dialogue], agents: Sequence[str]
) -> Iterator[tuple[str, list[Utterance]]]:
    for dialogue in dialogues:
        turns = [each for each in dialogue.events if isinstance(each, Utterance)]
        for agent in agents:
            if own := [each for each in turns if each.agent == agent and each.text.strip()]:
                yield agent, own


def resampled(
    counts: Sequence[Sequence[float]], score: Callable[[list[float]], float], seed: int = SEED
) -> list[float]:
    """Return the scores of summed counts of dialogues that are drawn with replacement."""
    rng = random.Random(seed)
    draws = (rng.choices(counts, k=len(counts)) for _ in range(SAMPLES))
    return [score([sum(column) for column in zip(*each, strict=True)]) for each in draws]
