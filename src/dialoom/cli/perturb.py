"""`dialoom perturb`: add noise to a corpus and keep its annotation in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from dialoom.dialogue import Dialogue
    from dialoom.formats.base.conversion import Counts


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
    with staged_corpus(read, corpus.schemas, layout, target, how) as loss:
        names = ("dialogues", "utterances", "changed_utterances", "spans", "changed_spans")
        counts = {**{name: how.counts[name] for name in names}, "loss": loss}
        write_json({"source": corpus.format, "target": layout.name, **settings, **counts}, json)
    lines = (
        f"{how.counts['dialogues']} dialogues written to {target}",
        f"{line(how.counts)}; {noise.name} at {noise.share} of the {noise.kind.place}",
        *not_held(loss, layout.name),
    )
    print_lines(lines, json)
