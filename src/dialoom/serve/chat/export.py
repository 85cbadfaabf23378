"""Exports the chats of a served agent as a corpus, also while the server runs.

with Store.open("bot.sqlite", readonly=True) as store:
    export(store, "bot.sqlite", "native", Path("out"))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dialoom import formats
from dialoom.collect.log.chat import CHAT, ChatJudged, ChatRated
from dialoom.collect.log.store import Store
from dialoom.corpus.files import staged_folder
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.serve.chat.log import ChatLog
from dialoom.serve.chat.settings import settings_of
from dialoom.sim.presets.star import load_tasks


@dataclass(frozen=True)
class ExportedChats:
    """The counts of an export.

    Attributes:
        open: Number of those that are not over.
        failed: In how many the agent failed; no other figure counts them.
        agreement: Whether the goal was reached, as (by the database, by the person), to the number
            of chats, of those with both judgements.
        loss: Field to how often the format could not hold it.
    """

    dialogues: int
    open: int
    failed: int
    ratings: tuple[int, ...]
    agreement: Mapping[tuple[bool, bool], int]
    loss: Mapping[str, int]


def export(store: Store, place: str, to: str, out: Path) -> ExportedChats:
    """Write the chats that have an utterance into a new folder.

    Args:
        place: The store's name in messages.

    Raises:
        UnknownNameError: There is no format of that name.
        FormatError: The store has no chats.
        OutputError: The folder is not empty, or cannot be written.
    """
    settings = settings_of(store, place)
    if settings is None:
        raise FormatError(place, "no chats of dialoom serve yet")
    format = formats.get(to)
    chats = list(_chats(store))
    sound = [chat for chat in chats if chat.failed is None]
    tasks = {task.id: task for task in load_tasks(",".join(settings.tasks))}

    def dialogues() -> Iterator[Dialogue]:
        return (chat.dialogue() for chat in chats)

    with staged_folder(out) as stage:
        loss = convert(dialogues, tasks, format, stage)
    agreement: dict[tuple[bool, bool], int] = {}
    for judged, rated in ((chat.judged, chat.rated) for chat in sound):
        if judged is not None and judged.outcome and rated is not None:
            _count(agreement, judged, rated)
    ratings = [chat.rated.rating for chat in sound if chat.rated is not None]
    return ExportedChats(
        len(chats),
        sum(chat.judged is None for chat in sound),
        len(chats) - len(sound),
        tuple(rating for rating in ratings if rating is not None),
        agreement,
        dict(loss),
    )


def _count(agreement: dict[tuple[bool, bool], int], judged: ChatJudged, rated: ChatRated) -> None:
    if rated.reached is not None:
        pair = judged.outcome == "reached", rated.reached
        agreement[pair] = agreement.get(pair, 0) + 1


def _chats(store: Store) -> Iterator[ChatLog]:
    """Yield the chats that have an utterance, in the order in which they began."""
    found: dict[str, ChatLog] = {}
    for record in store.records():
        if record.stream.startswith(CHAT):
            name = record.stream.removeprefix(CHAT)
            found.setdefault(name, ChatLog(name)).apply(record)
    return (chat for chat in found.values() if chat.events)
