"""Check how the system's turns of SGD are read, in words that nothing here was learned from.

    python training/check_services.py CORPORA/sgd/dev

For each service and act, at most 25 different turns with one frame are read alone, by the flow that
is derived from the service. A question is right if it asks for exactly the slots that the acts
request, any other turn if some sentence of it does what its first act says.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dialoom import formats
from dialoom.reading.turn import turn_reader
from dialoom.schema.services import to_task

FUNCTIONS = {
    "CONFIRM": {"confirm"},
    "GOODBYE": {"goodbye"},
    "INFORM": {"inform"},
    "NOTIFY_FAILURE": {"failure", "nothing"},
    "NOTIFY_SUCCESS": {"success"},
    "OFFER": {"offer"},
    "OFFER_INTENT": {"confirm"},
    "REQ_MORE": {"more"},
}
"""Act to the functions that its sentences have; an offered intent is a question for consent."""

MOST = 25
"""Most turns of a service and an act."""


class LabelledTurn(NamedTuple):
    """A turn of the system, the slots that it requests, and its first act."""

    text: str
    requested: tuple[str, ...]
    act: str


def turns(folder: Path) -> Iterator[tuple[str, LabelledTurn]]:
    """Yield service and turn, of the turns of the system with one frame."""
    for file in sorted(folder.glob("dialogues_*.json")):
        for turn in (turn for each in json.loads(file.read_bytes()) for turn in each["turns"]):
            if turn["speaker"] == "SYSTEM" and len(turn["frames"]) == 1:
                (frame,) = turn["frames"]
                yield frame["service"], _labelled(turn["utterance"], frame["actions"])


def _labelled(text: str, actions: list[dict[str, Any]]) -> LabelledTurn:
    requested = sorted({each["slot"] for each in actions if each["act"] == "REQUEST"})
    first = "REQUEST" if requested else actions[0]["act"]
    return LabelledTurn(text, tuple(requested), first)


def main() -> None:
    """Print act to the share of turns that are read right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a part of SGD, such as corpora/sgd/dev")
    folder: Path = parser.parse_args().folder
    tasks = {key: to_task(task) for key, task in formats.schemas(folder / "schema.json").items()}
    held: defaultdict[tuple[str, str], set[LabelledTurn]] = defaultdict(set)
    for service, turn in turns(folder):
        held[service, turn.act].add(turn)
    rng, counts = random.Random(1), Counter[str]()
    right: Counter[str] = Counter()
    for (service, act), found in sorted(held.items()):
        reader, ordered = turn_reader(tasks[service], "system"), sorted(found)
        for turn in rng.sample(ordered, min(MOST, len(ordered))):
            read = reader.read(turn.text)
            functions = {each.function for each in read.acts}
            exact = set(read.asks) == set(turn.requested)
            counts[act] += 1
            meant = FUNCTIONS.get(act, set())
            right[act] += exact if turn.requested else not meant.isdisjoint(functions)
    for act, count in sorted(counts.items()):
        print(f"{act:16} {100 * right[act] / count:5.1f} % of {count}")


if __name__ == "__main__":
    main()
