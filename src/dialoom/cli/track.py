"""`dialoom track`: write a fitted tracker's states into a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dialoom.cli.options import JsonFile, SourceFormat, SourcePath, TargetFolder
from dialoom.cli.output import not_held, print_lines, write_json
from dialoom.errors import UsageError
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.dialogue import Dialogue
    from dialoom.formats.base.conversion import Counts


def track(
    source: SourcePath,
    target: TargetFolder,
    model: Path,
    acts: bool = False,
    in_place: bool = False,
    from_: SourceFormat = None,
    to: str = "native",
    json: JsonFile = None,
) -> None:
    """Predict the dialogue states of a corpus, and write them as a layer called tracker.

    With --in-place --to sgd, the files are predictions for SGD's official evaluation script.

    Example: dialoom track corpora/sgd/dev tracked --model tracker.model

    Args:
        model (--model, FILE): A file of a tracker that `dialoom train` wrote.
        acts: Let the tracker see the annotated acts of the system.
        in_place: Replace the published states instead of adding a layer.
        to: Format of DST.
    """
    from dialoom import formats
    from dialoom.bench.protocols.sgd_tracking import frames
    from dialoom.bench.tracked import tracked
    from dialoom.bench.visibility import words, words_and_acts
    from dialoom.corpus.files import check_vacant, writing
    from dialoom.dialogue import StateOf
    from dialoom.formats.base.conversion import Conversion, in_passes, staged_corpus
    from dialoom.models import load

    with writing(target):
        check_vacant(target)
    saved, choice = load(model, StateOf), "yes" if acts else "no"
    if (learnt := saved.header.training.options.get("acts", choice)) != choice:
        notice = f"the model learnt with acts {learnt}, and tracks with acts {choice} (--acts)"
        typer.echo(f"dialoom: {notice}", err=True)
    corpus = formats.load(source, from_)
    view = words_and_acts if acts else words

    def with_states(dialogue: Dialogue, counts: Counts) -> Dialogue:
        counts["states"] += sum(1 for _ in frames(view, dialogue, None))
        return tracked(dialogue, saved.model, corpus.schemas, view, in_place=in_place)

    how, read = Conversion(with_states), in_passes(corpus, "tracking")
    layout = formats.get(to)
    with staged_corpus(read, corpus.schemas, layout, target, how, sources=[corpus]) as loss:
        if not how.counts["states"]:
            raise UsageError(f"{source}: no user's turn names a service whose state to predict")
        counts = {name: how.counts[name] for name in ("dialogues", "states")} | {"loss": loss}
        write_json({"source": corpus.format, "target": to, "model": str(model), **counts}, json)
    states = counted(how.counts["states"], "state")
    summary = f"{states} in {counted(how.counts['dialogues'], 'dialogue')} written to {target}"
    print_lines((summary, *not_held(loss, to)), json)
