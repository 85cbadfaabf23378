"""`dialoom perturb` and `paraphrase`: corpora in other words, with their annotation in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from dialoom.cli.command import Bounds
from dialoom.cli.options import (
    Agent,
    JsonFile,
    Seed,
    SourceFormat,
    SourcePath,
    TargetFolder,
    TargetFormat,
    Workers,
)
from dialoom.cli.output import not_held, print_lines, write_json
from dialoom.errors import DialoomError

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue
    from dialoom.formats.base.conversion import Counts
    from dialoom.schema.task import TaskSchema
    from dialoom.sim.paraphrase import Paraphraser, Paraphrasing


@dataclass(frozen=True)
class NoiseOptions:
    """The noise (`dialoom.sim.noise.Noise`).

    Attributes:
        name (--kind): typos, disfluencies, punctuation, casing (-lower, -upper, -sentence) or
            order.
        rate: Share of letters (typos), words (disfluencies) or utterances, 0 to 1.
        language: Language whose keyboard layout and filler words are used.
        spare (--spare-spans): Do not change text within annotated spans.
    """

    name: str
    rate: Annotated[float | None, Bounds(0, 1)] = None
    seed: Seed = 0
    agent: Agent = "all"
    language: str = "en"
    spare: bool = False


def perturb(
    source: SourcePath,
    target: TargetFolder,
    options: NoiseOptions,
    from_: SourceFormat = None,
    to: TargetFormat = None,
    workers: Workers = 1,
    json: JsonFile = None,
) -> None:
    """Add noise of one kind to the utterances of a corpus and keep their annotation.

    Spans move with their words; acts, states and all other events are unchanged. The same seed
    gives the same bytes.

    Example: dialoom perturb corpora/sgd noisy --kind typos --rate 0.05 --seed 7
    """
    from dialoom import formats
    from dialoom.formats.base.conversion import Conversion, in_passes, staged_corpus
    from dialoom.sim.noise import Noise
    from dialoom.sim.noise.noise import line, tally

    noise = Noise(**vars(options))
    corpus = formats.load(source, from_)
    layout = formats.get(to or corpus.format)

    def noisy(dialogue: Dialogue, counts: Counts) -> Dialogue:
        changed = noise.dialogue(dialogue)
        tally(dialogue, changed, counts, options.agent)
        return changed

    how = Conversion(noisy, workers)
    settings = {
        "kind": noise.name,
        "rate": noise.share,
        "seed": noise.seed,
        "agent": noise.agent,
        "language": noise.language,
        "spare_spans": noise.spare,
    }
    read = in_passes(corpus, noise.name)
    with staged_corpus(read, corpus.schemas, layout, target, how, sources=[corpus]) as loss:
        names = ("dialogues", "utterances", "changed_utterances", "spans", "changed_spans")
        counts = {**{name: how.counts[name] for name in names}, "loss": loss}
        write_json({"source": corpus.format, "target": layout.name, **settings, **counts}, json)
    lines = (
        f"{how.counts['dialogues']} dialogues written to {target}",
        f"{line(how.counts)}; {noise.name} at {noise.share} of the {noise.kind.place}",
        *not_held(loss, layout.name),
    )
    print_lines(lines, json)


BATCH = 20
"""Dialogues that are written together: an interrupted run loses at most these."""


@dataclass(frozen=True)
class PenOptions:
    """The paraphraser and its settings.

    Attributes:
        with_: scripted (swaps phrases), openai:MODEL (asks a language model), local:FOLDER.
        base_url: Address of the model's API, such as http://localhost:8000/v1.
        model: Name of the model, if --with does not say it.
        temperature: Sampling temperature of the model.
        key: Environment variable that holds the API key, if one is needed.
        workers: Requests made at a time.
        by: Unit of a request: line or dialogue.
        drafts: Paraphrases of a line to choose from.
        like: A corpus: among equally good drafts, the one most similar to it is taken.
        price: Price of a million tokens: IN,OUT, such as 0.15,0.60.
        share: Share of phrases that are swapped, 0 to 1 (scripted only).
        language: The language of the dialogues.
    """

    with_: str = "scripted"
    base_url: str | None = None
    model: str | None = None
    temperature: Annotated[float, Bounds(0, 2)] = 0.7
    key: str = "OPENAI_API_KEY"
    workers: Annotated[int, Bounds(1, 1024)] = 4
    by: Literal["line", "dialogue"] = "line"
    drafts: Annotated[int, Bounds(1, 20)] = 1
    like: Path | None = None
    price: str | None = None
    share: Annotated[float, Bounds(0, 1)] = 0.7
    seed: Seed = 0
    language: str = "en"

    @property
    def kind(self) -> str:
        """The name of the paraphraser."""
        return self.with_.partition(":")[0]

    @property
    def prices(self) -> tuple[float, float] | None:
        """The prices of a million tokens; `UsageError` for another text."""
        from dialoom.http.metering import read_prices

        return read_prices(self.price, "--price")

    def paraphraser(self) -> Paraphraser:
        """Return the paraphraser; `UnknownNameError` for an unknown paraphraser."""
        from dialoom.sim.paraphrase import PARAPHRASERS, ParaphraseOptions

        options = ParaphraseOptions(
            self.language,
            self.seed,
            self.share,
            self.base_url,
            self.with_.partition(":")[2] or self.model,
            self.temperature,
            self.key,
            self.workers,
            self.by != "line",
        )
        return PARAPHRASERS.get(self.kind)(options)

    def prepared(
        self, schemas: Mapping[str, TaskSchema], agent: str
    ) -> tuple[Paraphrasing, dict[str, Any]]:
        """Return the pen for a corpus, and the settings that its answers depend on."""
        from dialoom import formats
        from dialoom.sim.paraphrase import Paraphrasing

        paraphraser = self.paraphraser()
        settings = {"with": self.kind, "agent": agent, **paraphraser.settings}
        settings |= {"drafts": self.drafts} if self.drafts > 1 else {}
        likeness = None
        if self.like is not None:
            model = formats.load(self.like, None)
            likeness, settings["like"] = _likeness(model, agent), model.digest
        paraphrasing = Paraphrasing(
            paraphraser, schemas, self.language, agent, drafts=self.drafts, likeness=likeness
        )
        return paraphrasing, settings


def paraphrase(
    source: SourcePath,
    target: TargetFolder,
    pen: PenOptions,
    agent: Agent = "all",
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
    from dialoom.corpus import unfinished
    from dialoom.formats.base.conversion import staged_corpus

    corpus = formats.load(source, from_)
    prices, (paraphrasing, settings) = pen.prices, pen.prepared(corpus.schemas, agent)
    layout = formats.get(to or corpus.format)
    key = msgspec.json.encode({**settings, "source": corpus.digest})
    with _kept(unfinished.begin(target, key)) as work:
        counts = _work(corpus, paraphrasing, work)
        dialogues = partial(_dialogues, work, counts["dialogues"])
        with staged_corpus(dialogues, corpus.schemas, layout, target, sources=[corpus]) as loss:
            record = {"source": corpus.format, "target": layout.name, **settings}
            record |= {"cost": _cost(counts, prices)} if prices is not None else {}
            write_json({**record, **dict(sorted(counts.items())), "loss": loss}, json)
    print_lines((*_lines(counts, target, loss, layout.name), *_spent(counts, prices)), json)


@contextmanager
def _kept(work: Path) -> Iterator[Path]:
    """Discard a work folder in the end; keep answers if the model's server failed."""
    from dialoom.corpus import unfinished
    from dialoom.corpus.shards import shard_name
    from dialoom.http.failure import NoAnswerError

    try:
        yield work
    except NoAnswerError:
        if not (work / shard_name(0)).is_file():
            unfinished.discard(work)
        raise
    except DialoomError:
        unfinished.discard(work)
        raise
    unfinished.discard(work)


def _cost(counts: Counter[str], prices: tuple[float, float]) -> float:
    from dialoom.http.metering import cost_of

    return cost_of(counts["prompt_tokens"], counts["completion_tokens"], prices)


def _spent(counts: Counter[str], prices: tuple[float, float] | None) -> Iterator[str]:
    if counts["requests"]:
        prompt, reply = counts["prompt_tokens"], counts["completion_tokens"]
        cost = "" if prices is None else f", {_cost(counts, prices):.2f} in all"
        tokens = f"{prompt:,} tokens in and {reply:,} out{cost}"
        what = tokens if prompt or reply else "tokens not reported"
        yield f"{counts['requests']:,} requests, {what}"


def _likeness(corpus: Corpus, agent: str) -> Callable[[str], float]:
    """Return a measure of a text's distance from a corpus's utterances, in bits a word."""
    from dialoom.dialogue.views import utterances
    from dialoom.models.ngram import NgramModel
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
    yield f"{counts['dialogues']:,} dialogues written to {target}"
    yield (
        f"of {counts['utterances']:,} utterances {counts['paraphrased']:,} paraphrased, "
        f"{counts['same']:,} the same, {counts['refused']:,} refused"
    )
    for what, count in sorted(counts.items()):
        if what.startswith("refused: "):
            yield f"  {what} ({count:,})"
    yield from not_held(loss, to)
