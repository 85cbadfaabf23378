"""`dialoom challenge`: GEM's nine challenge sets over a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from dialoom.cli.command import Bounds
from dialoom.cli.options import JsonFile, Seed, SourceFormat, SourcePath, TargetFolder
from dialoom.cli.output import print_lines, write_json


def challenge(
    source: SourcePath,
    target: TargetFolder,
    seed: Seed = 0,
    size: Annotated[int, Bounds(1, 10**6)] = 500,
    pool: Annotated[int, Bounds(1, 10**9)] = 10_000,
    language: str = "en",
    back_translator: str = "scripted",
    act_type: str = "last",
    from_: SourceFormat = None,
    json: JsonFile = None,
) -> None:
    """Make GEM's nine challenge sets: seven of 500 inputs and two families of subpopulations.

    An input is the last user turn and the system's acts; its target is the system's utterance. The
    same seed gives the same bytes; ids.json lists the inputs that were drawn.

    Example: dialoom challenge corpora/sgd challenges --seed 7

    Args:
        size: Items of each of the seven sets.
        pool: Most items that the subpopulations are drawn from.
        language: Language whose keyboard layout and rewordings are used.
        back_translator: scripted (a substitute), portuguese (extra translate), or an installed one.
        act_type: An item's type is that of its first or last act; GEM's sets need the last.
    """
    from dialoom import formats
    from dialoom.corpus.files import staged_folder
    from dialoom.quality.challenge.sets import ChallengeSettings
    from dialoom.quality.challenge.writing import Drawing, write

    settings = ChallengeSettings(seed, size, pool, language, back_translator, act_type)
    drawing = Drawing(settings, source)
    corpus = formats.load(source, from_)
    with staged_folder(target) as stage:
        drawing.add_all(corpus.tracked())
        origin = {"format": corpus.format, "digest": corpus.digest}
        manifest = write(drawing, settings, origin, stage)
        write_json(manifest, json)
    print_lines(_lines(manifest, size, target), json)


def _lines(manifest: dict[str, Any], size: int, target: Path) -> Iterator[str]:
    yield f"challenge sets written to {target}"
    for name, part in manifest["sets"].items():
        few = "" if part["items"] == size else f" of {size} asked for"
        yield f"  {name}: {part['items']} items{few} from {part['from']}, {part['changed']} changed"
        if "stand_in" in part:
            yield f"    substitute: {part['stand_in']}"
    for name, part in manifest["families"].items():
        yield f"  {name}: {part['items']:,} items from {part['from']}"
        for value, group in part["subpopulations"].items():
            yield f"  {group['items']:>9,}  {value}"
