"""`dialoom paraphrase`: reword a corpus and keep its annotation in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
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

LINE = "line"
UNITS = (LINE, "dialogue")

BATCH = 20
"""Dialogues that are written together: an interrupted run loses at most these."""


def paraphrase(
    source: SourcePath,
    target: TargetFolder,
    with_: Annotated[
        str,
        typer.Option(
            "--with",
            help="scripted (swaps phrases), openai:MODEL (asks a language model), local:FOLDER.",
        ),
    ] = "scripted",
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", help="Address of the model's API, such as http://localhost:8000/v1."
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Name of the model, if --with does not say it.")
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
    by: Annotated[
        str, typer.Option("--by", help="What a request asks for: line or dialogue.")
    ] = LINE,
    drafts: Annotated[
        int, number("--drafts", least=1, most=20, help="Paraphrases of a line to choose from.")
    ] = 1,
    like: Annotated[
        Path | None,
        typer.Option("--like", help="A corpus: of equally good drafts the one most like it wins."),
    ] = None,
    price: Annotated[
        str | None,
        typer.Option("--price", help="Price of a million tokens: IN,OUT, such as 0.15,0.60."),
    ] = None,
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
    interrupted run, start it again with the same options. A model gets the speaker, the turns
    before and the user's traits; it is asked line by line, or for a dialogue at once.

    Example: dialoom paraphrase dialogues paraphrased --with scripted --seed 7

    Example: dialoom paraphrase dialogues said --with openai:small --by dialogue --drafts 3
    --base-url http://localhost:8000/v1
    """
    import msgspec

    from dialoom import formats
    from dialoom.cli.output import print_lines, write_json
    from dialoom.corpus import unfinished
    from dialoom.corpus.shards import shard_name
    from dialoom.errors import DialoomError, UnknownNameError
    from dialoom.formats.base.conversion import staged_corpus
    from dialoom.http.failure import NoAnswerError
    from dialoom.http.metering import read_prices
    from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions, Paraphrasing

    if by not in UNITS:
        raise UnknownNameError("unit of a request", by, UNITS)
    pen, _, named = with_.partition(":")
    prices = read_prices(price, "--price")
    options = ParaphraseOptions(
        language, seed, share, base_url, named or model, temperature, key, workers, by != LINE
    )
    paraphraser = PARAPHRASERS.get(pen)(options)
    corpus = formats.load(source, from_)
    written = formats.get(to or corpus.format)
    model_of = None if like is None else formats.load(like, None)
    likeness = None if model_of is None else _likeness(model_of, agent)
    paraphrasing = Paraphrasing(
        paraphraser, corpus.schemas, language, agent, drafts=drafts, likeness=likeness
    )
    settings = {"with": pen, "agent": agent, **paraphraser.settings}
    settings |= {"drafts": drafts} if drafts > 1 else {}
    settings |= {"like": model_of.digest} if model_of is not None else {}
    work = unfinished.begin(target, msgspec.json.encode({**settings, "source": corpus.digest}))
    try:
        counts = _work(corpus, paraphrasing, work)
        dialogues = partial(_dialogues, work, counts["dialogues"])
        with staged_corpus(dialogues, corpus.schemas, written, target) as loss:
            said = {"source": corpus.format, "target": written.name, **settings}
            said |= {"cost": _cost(counts, prices)} if prices is not None else {}
            write_json({**said, **dict(sorted(counts.items())), "loss": loss}, json)
    except NoAnswerError:
        if not (work / shard_name(0)).is_file():  # else what has been answered is worth keeping
            unfinished.discard(work)
        raise
    except DialoomError:
        unfinished.discard(work)
        raise
    unfinished.discard(work)
    print_lines((*_lines(counts, target, loss, written.name), *_spent(counts, prices)), json)


def _cost(counts: Counter[str], prices: tuple[float, float]) -> float:
    from dialoom.http.metering import cost_of

    return cost_of(counts["prompt_tokens"], counts["completion_tokens"], prices)


def _spent(counts: Counter[str], prices: tuple[float, float] | None) -> Iterator[str]:
    if counts["requests"]:
        given, made = counts["prompt_tokens"], counts["completion_tokens"]
        cost = "" if prices is None else f", {_cost(counts, prices):.2f} in all"
        yield f"{counts['requests']:,} requests, {given:,} tokens in and {made:,} out{cost}"


def _likeness(corpus: Corpus, agent: str) -> Callable[[str], float]:
    """Return a measure of a text's distance from a corpus's utterances, in bits a word."""

    from dialoom.dialogue.views import utterances
    from dialoom.models.ngram.kneser_ney import NgramModel
    from dialoom.schema.lexicon import words
    from dialoom.sim.noise.noise import ALL

    model = NgramModel()
    for dialogue in corpus.tracked():
        for _, event in utterances(dialogue):
            if agent in (ALL, event.agent):
                model.learn(words(event.text))
    model.freeze()

    def unlike(text: str) -> float:
        bits, size, _ = model.bits(words(text))
        return bits / size

    return unlike


def _work(corpus: Corpus, paraphrasing: Paraphrasing, work: Path) -> Counter[str]:
    """Paraphrase a corpus batch by batch; finished batches are kept."""
    import msgspec

    from dialoom.corpus.files import writing
    from dialoom.corpus.shards import render_lines, shard_name, write_shard

    total: Counter[str] = Counter()
    stream = corpus.tracked()
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
