"""`dialoom schema induce`: a task file from dialogues."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import CorpusPath
from dialoom.cli.output import write_text
from dialoom.errors import UnknownNameError, UsageError
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.dialogue import Dialogue


def induce(
    dialogues: CorpusPath,
    out: Path | None = None,
    task: str | None = None,
    labels: Literal["yes", "no"] | None = None,
    support: Annotated[float, Bounds(0, 1)] = 0.1,
) -> None:
    """Induce a task file from dialogues (replies, flow, slots, calls), to be edited by hand.

    Example: dialoom schema induce corpora/star --task hotel_book --out hotel.yaml

    Example: dialoom schema induce chats --task support --labels no --support 0.2 --out support.yaml

    Args:
        out (TASK.yaml): A new file.
        task (NAME): Name of the task, if the corpus has several.
        labels: Take annotated actions (yes) or groups of similar replies (no); when absent,
            yes where a fifth of the replies have one.
        support: Least share of the transitions from an action that makes an edge.
    """
    from dialoom import formats
    from dialoom.models.induction import Induction, induce
    from dialoom.models.induction.turns import about

    corpus = formats.load(dialogues)
    all_dialogues = list(corpus.tracked())
    name = _task(all_dialogues, task)
    own = about(all_dialogues, name) if name else all_dialogues
    has_labels = None if labels is None else labels == "yes"
    draft = induce(own, name or corpus.path.stem, Induction(labels=has_labels, support=support))
    write_text(draft.text, out, fresh=True)
    nodes, slots = len(draft.task.flow.nodes), len(draft.task.slots)
    size = f"{counted(nodes, 'node')}, {counted(slots, 'slot')}"
    typer.echo(f"{counted(len(draft.paths), 'dialogue')}: {size}", err=True)


def _task(dialogues: Sequence[Dialogue], choice: str | None) -> str:
    """Return the task to induce: the named or only one, or none; `UsageError` for several."""
    names = sorted({name for dialogue in dialogues for name in _tasks(dialogue)})
    if choice is not None and choice not in names and (names or not dialogues):
        raise UnknownNameError("task", choice, names)
    if choice is None and len(names) > 1:
        listing = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
        raise UsageError(f"the dialogues are about several tasks; name one with --task: {listing}")
    return choice or "".join(names)


def _tasks(dialogue: Dialogue) -> Iterable[str]:
    from dialoom.dialogue.views import by_task, tasks

    return by_task(dialogue.events) or tasks(dialogue)[:1]
