"""`dialoom perturb`: noise over a corpus, its annotation kept in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from dialoom.cli.options import CountsFile, SourceFormat, SourcePath, TargetFolder


def perturb(
    source: SourcePath,
    target: TargetFolder,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="typos, disfluencies, punctuation, casing (-lower, -upper, -sentence) or order.",
        ),
    ],
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate", help="Share of letters (typos), words (disfluencies) or utterances, 0 to 1."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="What all randomness comes from.")] = 0,
    agent: Annotated[
        str, typer.Option("--agent", help="Whose utterances: user, system or all.")
    ] = "all",
    language: Annotated[
        str, typer.Option("--language", help="Whose keyboard and fillers are used.")
    ] = "en",
    spare: Annotated[
        bool, typer.Option("--spare-spans", help="Leave alone what annotated spans cover.")
    ] = False,
    from_: SourceFormat = None,
    to: Annotated[
        str | None, typer.Option("--to", help="Format of DST; that of SRC when absent.")
    ] = None,
    json: CountsFile = None,
) -> None:
    """Put noise of one kind into a corpus; spans stay on their words, acts and states stay gold.

    The same seed gives the same bytes. Every other event, and everything else said of an utterance,
    is as it was.

    Example: dialoom perturb corpora/sgd noisy --kind typos --rate 0.05 --seed 7
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, write_json
    from dialoom.corpus.files import staged_folder
    from dialoom.dialogue import Dialogue
    from dialoom.formats.base.loss import convert as write
    from dialoom.render.progress import track
    from dialoom.sim.noise import Noise
    from dialoom.sim.noise.tally import Tally

    noise = Noise(kind, rate, seed, agent, language, spare)
    corpus = formats.load(source, from_)
    writer = formats.get(to or corpus.format)
    tally = Tally()
    passes = ["reading back what was written", kind]

    def noisy() -> Iterator[Dialogue]:
        first = len(passes) == 2
        for dialogue in track(corpus.dialogues(), passes.pop(), len(corpus.files)):
            changed = noise.dialogue(dialogue)
            if first:
                tally.add(dialogue, changed, agent)
            yield changed

    with staged_folder(target) as stage:
        loss = write(noisy, corpus.schemas, writer, stage)
    settings = {
        "kind": kind,
        "rate": noise.share,
        "seed": seed,
        "agent": agent,
        "language": language,
        "spare_spans": spare,
    }
    counts = {"dialogues": tally.dialogues, **tally.counts, "loss": dict(sorted(loss.items()))}
    if json is not None:
        write_json({"source": corpus.format, "target": writer.name, **settings, **counts}, json)
    if json != STDOUT:
        typer.echo(f"{tally.dialogues} dialogues written to {target}")
        typer.echo(f"{tally.line}; {kind} at {noise.share} of the {noise.kind.place}")
        for field, n in sorted(loss.items()):
            typer.echo(f"  not held by {writer.name}: {field} ({n})")
