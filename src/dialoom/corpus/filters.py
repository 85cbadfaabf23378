"""Filters on the dialogues of a corpus: by id, user, part, task, stage, outcome, words, facts.

    chosen = DialogueFilter(task="hotel_book", where=(condition("turns >= 10"),))
    [dialogue for dialogue in corpus if chosen(dialogue)]

A condition is a fact of a dialogue (`Facts`), a sign and a value, or a call of the grammar in
dialogue/constraint.py: `turns >= 10`, `outcome != Complete`, `id = api.is_one_of(["12", "40"])`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import msgspec

from dialoom.dialogue import USER, Constraint, Dialogue, Utterance, views
from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.constraint import holds, parse
from dialoom.errors import UnknownNameError, UsageError

_CONDITION = re.compile(r"\s*(\w+)\s*(>=|<=|!=|=|<|>)\s*([^<>=!].*?|)\s*", re.DOTALL)

STAGES = ("happy", "unhappy", "multi")
"""The stages of a collection, in order (Mosig et al. 2020, section 3)."""

_CALLS = {
    ">=": "is_at_least",
    "<=": "is_at_most",
    "!=": "is_not",
    "<": "is_less_than",
    ">": "is_greater_than",
}
"""Sign to its function in the grammar."""


class Facts(Struct, frozen=True):
    """The facts of a dialogue in lists.

    Attributes:
        split: The folder of its file, below the corpus.
        tasks: The tasks or services in play.
        stage: happy, unhappy or multi, where it is known.
        turns: Runs of utterances by one speaker.
        provenance: imported, simulated, collected or written.
    """

    id: str
    split: str
    file: str
    tasks: tuple[str, ...]
    stage: str | None
    outcome: str | None
    turns: int
    utterances: int
    events: int
    provenance: str


COUNTS = frozenset({"turns", "utterances", "events"})
"""The facts that are numbers."""


def facts(dialogue: Dialogue) -> Facts:
    """Return the facts of a dialogue in lists."""
    return Facts(
        id=dialogue.id,
        split=split_of(dialogue),
        file=key(dialogue)[0],
        tasks=views.tasks(dialogue),
        stage=stage_of(dialogue),
        outcome=dialogue.outcome,
        turns=sum(1 for _ in views.turns(dialogue.events)),
        utterances=sum(isinstance(event, Utterance) for event in dialogue.events),
        events=len(dialogue.events),
        provenance=dialogue.provenance,
    )


def split_of(dialogue: Dialogue) -> str:
    """Return the part of a corpus of a dialogue: its folder; empty where it has none."""
    if dialogue.origin is None:
        return ""
    folder = PurePosixPath(dialogue.origin.file).parent
    return "" if folder == PurePosixPath() else folder.as_posix()


def in_part(file: str, part: str) -> bool:
    """True if a file, named below the corpus, is in a part: a folder, or its own stem."""
    path = PurePosixPath(file)
    return part in (path.parent.as_posix(), *path.parts, path.stem)


def stage_of(dialogue: Dialogue) -> str | None:
    """Return happy, unhappy or multi, as the scenario says; None where it does not."""
    scenario = dialogue.scenario
    if scenario is None or (scenario.happy is None and not scenario.multi_task):
        return None
    if scenario.multi_task:
        return "multi"
    return "happy" if scenario.happy else "unhappy"


def condition(text: str) -> Constraint:
    """Parse a condition on a fact; `UsageError` or `UnknownNameError` if it is wrong."""
    match = _CONDITION.fullmatch(text)
    if match is None or not match[3]:
        raise UsageError(
            f"{text!r}: write a condition such as 'turns >= 10' or 'outcome=Complete'",
            code="bad-condition",
        )
    name, sign, value = match.groups()
    if name not in Facts.__struct_fields__:
        raise UnknownNameError("fact of dialogues", name, Facts.__struct_fields__)
    literal = (
        value if parse(name, value).operator is not None else msgspec.json.encode(value).decode()
    )
    read = parse(name, literal if sign == "=" else f"api.{_CALLS[sign]}({literal})")
    if read.operator is None:
        raise UsageError(f"{text!r}: {value} cannot follow {sign}", code="bad-condition")
    if name in COUNTS and not all(isinstance(each, int | float) for each in read.values):
        raise UsageError(
            f"{text!r}: {name} is a number; compare it with one, such as 10", code="bad-condition"
        )
    return read


@dataclass(frozen=True, kw_only=True)
class DialogueFilter:
    """A filter on dialogues; a setting that is None or empty does not restrict them.

    Attributes:
        users: Its user is one of these workers.
        split: Its part of the corpus, a folder of it or the name of its file without a suffix.
        task: One of its tasks or services.
        stage: happy, unhappy or multi.
        text: Words that somebody says in it, in upper or lower case.
    """

    ids: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    split: str | None = None
    task: str | None = None
    stage: str | None = None
    outcome: str | None = None
    text: str | None = None
    where: tuple[Constraint, ...] = ()

    def __call__(self, dialogue: Dialogue) -> bool:
        """True if all conditions hold."""
        targets = (self.stage, self.outcome)
        have = (stage_of(dialogue), dialogue.outcome)
        return (
            (not self.ids or dialogue.id in self.ids)
            and (not self.users or dialogue.workers.get(USER) in self.users)
            and (self.split is None or in_part(key(dialogue)[0], self.split))
            and (self.task is None or self.task in views.tasks(dialogue))
            and all(want in (None, has) for want, has in zip(targets, have, strict=True))
            and (self.text is None or self._says(dialogue, self.text.casefold()))
            and (not self.where or self._where(facts(dialogue)))
        )

    @staticmethod
    def _says(dialogue: Dialogue, text: str) -> bool:
        texts = (event.text for event in dialogue.events if isinstance(event, Utterance))
        return any(text in each.casefold() for each in texts)

    def _where(self, facts: Facts) -> bool:
        for constraint in self.where:
            value: Value | tuple[str, ...] = getattr(facts, constraint.slot)
            values = (
                value if isinstance(value, tuple) else (value,)
            )  # of several tasks one is enough
            if not any(holds(constraint, each) for each in values):
                return False
        return True


Key = tuple[str, str]
"""The key of a dialogue in its corpus: file and id."""


def key(dialogue: Dialogue) -> Key:
    """Return the key of a dialogue in its corpus."""
    return (dialogue.origin.file if dialogue.origin else "", dialogue.id)


Keeps = Callable[[Dialogue], bool]
"""True if a dialogue stays in a corpus."""

Selection = Callable[[Path, Iterator[Dialogue]], Iterator[Dialogue]]
"""Yields those dialogues of a file that stay in a corpus."""

Place = tuple[Path, int]
"""A file and the index of a dialogue there; files may have several dialogues of one id."""


def kept(keep: Keeps, file: Path, dialogues: Iterator[Dialogue]) -> Iterator[Dialogue]:
    """Yield the dialogues that a function keeps."""
    return filter(keep, dialogues)


def drawn(
    places: frozenset[Place], file: Path, dialogues: Iterator[Dialogue]
) -> Iterator[Dialogue]:
    """Yield the dialogues at some places."""
    return (each for index, each in enumerate(dialogues) if (file, index) in places)


def shuffled(dialogues: Iterable[tuple[Place, Dialogue]], seed: int) -> list[Place]:
    """Return the places of dialogues in an order drawn with `seed`, whatever order they come in."""

    def digest(each: Dialogue) -> bytes:
        file, id = key(each)
        return hashlib.sha256(f"{seed}\0{file}\0{id}".encode()).digest()

    return [place for _, place in sorted((digest(each), place) for place, each in dialogues)]


def divided(places: list[Place], shares: Mapping[str, float]) -> dict[str, Selection]:
    """Divide dialogues in proportion to shares; return part to its selection.

    `UsageError` if all shares are 0.
    """
    total, share_sum, start = sum(shares.values()), 0.0, 0
    if not total:
        raise UsageError("shares: all are 0; give a part a share above 0", code="out-of-range")
    parts: dict[str, Selection] = {}
    for name, share in shares.items():
        share_sum += share
        end = round(len(places) * share_sum / total)
        parts[name] = partial(drawn, frozenset(places[start:end]))
        start = end
    return parts
