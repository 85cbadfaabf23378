"""`dialoom paraphrase`: reword a corpus and keep its annotation in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.options import (
    Agent,
    JsonFile,
    Seed,
    SourceFormat,
    SourcePath,
    TargetFolder,
    TargetFormat,
    number,
)

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue
    from dialoom.sim.paraphrase import Paraphrasing

BATCH = 20
"""Dialogues that are written together: an interrupted run loses at most these."""


def paraphrase(
    source: SourcePath,
    target: TargetFolder,
    with_: Annotated[
        str,
        typer.Option("--with", help="scripted (swaps phrases) or openai (asks a language model)."),
    ] = "scripted",
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", help="Address of the model's API, such as http://localhost:8000/v1."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Name of the model at that address.")
    ] = None,
    temperature: Annotated[
        float, number("--temperature", least=0, most=2, help="Sampling temperature of the model.")
    ] = 0.7,
    key: Annotated[
        str,
        typer.Option(
            "--key", help="Environment variable that holds the API key, if one is needed."
        ),
    ] = "OPENAI_API_KEY",
    workers: Annotated[
        int, number("--workers", least=1, most=1024, help="Requests made at a time.")
    ] = 4,
    share: Annotated[
        float,
        number(
            "--share",
            least=0,
            most=1,
            help="Share of phrases that are swapped, 0 to 1 (scripted only).",
        ),
    ] = 0.7,
    seed: Seed = 0,
    agent: Agent = "all",
    language: Annotated[
        str, typer.Option("--language", help="The language of the dialogues.")
    ] = "en",
    from_: SourceFormat = None,
    to: TargetFormat = None,
    json: JsonFile = None,
) -> None:
    """Reword the utterances of a corpus and keep their annotation.

    Spans move with their values; acts and states are unchanged. A paraphrase that loses or adds a
    value or a number is refused: the utterance stays unchanged and is counted. To continue an
    interrupted run, start it again with the same options.

    Example: dialoom paraphrase dialogues paraphrased --with scripted --seed 7

    Example: dialoom paraphrase dialogues said --with openai --base-url http://localhost:8000/v1
    --model small
    """
    import msgspec

    from dialoom import formats
    from dialoom.cli.output import print_lines, staged_corpus, write_json
    from dialoom.corpus import unfinished
    from dialoom.corpus.shards import shard_name
    from dialoom.errors import DialoomError
    from dialoom.sim.paraphrase import (
        PARAPHRASERS,
        ParaphraseOptions,
        ParaphraserError,
        Paraphrasing,
    )

    options = ParaphraseOptions(language, seed, share, base_url, model, temperature, key, workers)
    paraphraser = PARAPHRASERS.get(with_)(options)
    corpus = formats.load(source, from_)
    written = formats.get(to or corpus.format).name
    paraphrasing = Paraphrasing(paraphraser, corpus.schemas, language, agent)
    settings = {"with": with_, "agent": agent, **paraphraser.settings}
    work = unfinished.begin(target, msgspec.json.encode({**settings, "source": corpus.digest}))
    try:
        counts = _work(corpus, paraphrasing, work)
        dialogues = partial(_dialogues, work, counts["dialogues"])
        with staged_corpus(dialogues, corpus.schemas, written, target) as loss:
            said = {"source": corpus.format, "target": written, **settings}
            write_json({**said, **dict(sorted(counts.items())), "loss": loss}, json)
    except ParaphraserError:
        if not (work / shard_name(0)).is_file():  # else what has been answered is worth keeping
            unfinished.discard(work)
        raise
    except DialoomError:
        unfinished.discard(work)
        raise
    unfinished.discard(work)
    print_lines(_lines(counts, target, loss, written), json)


def _work(corpus: Corpus, paraphrasing: Paraphrasing, work: Path) -> Counter[str]:
    """Paraphrase a corpus batch by batch; batches that are there already are left alone."""
    import msgspec

    from dialoom.cli.output import read_dialogues
    from dialoom.corpus.files import writing
    from dialoom.corpus.shards import render_lines, shard_name, write_shard

    total: Counter[str] = Counter()
    stream = read_dialogues(corpus)
    number = 0
    while batch := list(islice(stream, BATCH)):
        noted = work / f".counts-{number:05d}.json"
        with writing(work):
            # The counts are written last, so that where they are the batch is whole.
            if not (noted.is_file() and (work / shard_name(number)).is_file()):
                paraphrasing.counts.clear()
                lines = render_lines(map(paraphrasing.dialogue, batch))
                write_shard(work, number, lines, len(batch))
                unfinished = noted.with_suffix(".partial")
                unfinished.write_bytes(
                    msgspec.json.encode({"dialogues": len(batch), **paraphrasing.counts})
                )
                unfinished.replace(noted)
            total.update(msgspec.json.decode(noted.read_bytes(), type=dict[str, int]))
        number += 1
    return total


def _dialogues(work: Path, number: int) -> Iterator[Dialogue]:
    """Yield what was paraphrased."""
    from dialoom import formats
    from dialoom.corpus.shards import shard_name

    native = formats.get("native")
    for batch in range(-(-number // BATCH)):
        yield from native.read_file(work / shard_name(batch), work)


def _lines(counts: Counter[str], target: Path, loss: dict[str, int], to: str) -> Iterator[str]:
    from dialoom.cli.output import not_held

    yield f"{counts['dialogues']:,} dialogues written to {target}"
    yield (
        f"of {counts['utterances']:,} utterances {counts['paraphrased']:,} paraphrased, "
        f"{counts['same']:,} the same, {counts['refused']:,} refused"
    )
    for what, count in sorted(counts.items()):
        if what.startswith("refused: "):
            yield f"  {what} ({count:,})"
    yield from not_held(loss, to)
