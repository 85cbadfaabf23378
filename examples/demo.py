"""From a published corpus to a report: what `make demo` runs.

STAR is converted to dialoom's own format. Three domains are held out in turn: a small model learns
from the happy dialogues of all the other domains, then follows a schema that it has never seen.
Its choices are scored, shown beside the wizard's in one dialogue, and reported on a page.

Without the corpora, ten dialogues written for this purpose take STAR's place.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console

from dialoom import formats
from dialoom.bench import PROTOCOLS, published
from dialoom.bench.against import beside
from dialoom.bench.protocol import Plan, Sources, Target, is_visible
from dialoom.bench.report import page, read_run
from dialoom.bench.results import Result, lines, summarise, values
from dialoom.bench.run import Outcome, build, run, select
from dialoom.bench.sam import PREDICTIONS_FILE, PROTOCOL_FILE
from dialoom.bench.table import overview
from dialoom.corpus import Corpus
from dialoom.corpus.files import staged_folder, write_atomic
from dialoom.dialogue import transcript
from dialoom.errors import DialoomError
from dialoom.render.progress import track
from dialoom.render.transcript import to_rich

OUT = Path("out", "demo")
SAMPLE = Path(__file__).with_name("sample")
MODEL = "follower"

GET_STAR = """\
No corpora: STAR is public; clone the repository RasaHQ/STAR from GitHub into a folder named star
and set DIALOOM_CORPORA to the folder above it. Until then: ten dialogues written for this purpose.\
"""


def main(console: Console) -> None:
    """Run the demonstration from end to end."""
    shutil.rmtree(OUT, ignore_errors=True)
    corpus = convert(published_corpus(console), OUT / "native")
    plan = three_domains(corpus)
    names = ", ".join(holdout.name for holdout in plan.holdouts)
    console.print(
        f"Learning without {names}, in turn, then following their schemas …", soft_wrap=True
    )

    workers = min(2, os.cpu_count() or 1)
    answers = run(plan, partial(build, MODEL, {}), workers=workers)
    outcomes = list(track(answers, "held-out domains", len(plan.holdouts)))
    result = score(plan, outcomes)
    console.print(overview(result))

    show_one(plan, outcomes, corpus, console)
    write_report(plan, outcomes, result, corpus)
    console.print(f"The report: {OUT / 'report.html'}")


def published_corpus(console: Console) -> Corpus:
    """Open STAR where the corpora are, else the sample beside this file."""
    folder = os.environ.get("DIALOOM_CORPORA")
    if folder:
        return formats.load(formats.locate(Path(folder), "star"), "star")
    console.print(GET_STAR, soft_wrap=True)
    return formats.load(SAMPLE, "star")


def convert(source: Corpus, target: Path) -> Corpus:
    """Write a corpus in dialoom's own format, and open what was written."""
    dialogues = track(source.dialogues(), f"{source.format} to native", len(source.files))
    with staged_folder(target) as stage:
        formats.get("native").write(dialogues, source.schemas, stage)
        for name in (PROTOCOL_FILE, PREDICTIONS_FILE):  # the model we compare with, if at hand
            if (source.root / name).is_file():
                shutil.copy(source.root / name, stage)
    return formats.load(target, "native")


def three_domains(corpus: Corpus) -> Plan:
    """Plan zero-shot transfer to the three smallest domains none of whose tasks is trained on."""
    plan = PROTOCOLS.get("star-zero-shot-domain").plan(Sources(corpus))
    unseen = [holdout for holdout in plan.holdouts if not holdout.leak]
    smallest = sorted(unseen, key=lambda holdout: len(holdout.test))[:3]
    return select(plan, [holdout.name for holdout in smallest])


def score(plan: Plan, outcomes: Sequence[Outcome]) -> Result:
    """Score the answers, beside the published model's where its own are at hand."""
    model = build(MODEL, {})
    result = summarise(plan, outcomes, model=model.name, settings=model.settings)
    rival = beside(plan)
    if rival is None:
        return result
    figures = list(published.of(plan.protocol))
    return msgspec.structs.replace(result, beside=rival, published=figures)


def show_one(plan: Plan, outcomes: Sequence[Outcome], corpus: Corpus, console: Console) -> None:
    """Print a dialogue of usual length with one slip, the model's choices beside the wizard's."""
    asked, chosen = min(
        by_dialogue(plan, outcomes),
        key=lambda one: (abs(slips(*one) - 1), abs(len(one[0]) - 9), one[0][0].source),
    )
    dialogue = next(d for d in corpus.dialogues() if d.id == asked[0].source)
    remarks = {
        target.event: f"{MODEL}: {value}"
        + (", as the wizard" if value == target.label else f"; the wizard: {target.label}")
        for target, value in zip(asked, chosen, strict=True)
    }
    seen = (one for one in transcript.lines(dialogue) if is_visible(dialogue.events[one.index]))
    console.print(f"\nDialogue {dialogue.id}, task {asked[0].task}:\n")
    console.print(to_rich(seen, marks=remarks))
    console.print()


def by_dialogue(
    plan: Plan, outcomes: Sequence[Outcome]
) -> Iterator[tuple[list[Target], list[str]]]:
    """Yield the questions of each dialogue with the model's answers."""
    answers = {outcome.holdout: values(outcome) for outcome in outcomes}
    for holdout in plan.holdouts:
        found: dict[str, tuple[list[Target], list[str]]] = {}
        for target, value in zip(holdout.test, answers[holdout.name], strict=True):
            asked, chosen = found.setdefault(target.source, ([], []))
            asked.append(target)
            chosen.append(value)
        yield from found.values()


def slips(asked: Sequence[Target], chosen: Sequence[str]) -> int:
    """Count the answers that are not the wizard's."""
    return sum(target.label != value for target, value in zip(asked, chosen, strict=True))


def write_report(plan: Plan, outcomes: Sequence[Outcome], result: Result, corpus: Corpus) -> None:
    """Write the run as `dialoom bench` would, and a page about it as `dialoom report` would."""
    write_atomic(OUT / "run.json", msgspec.json.format(msgspec.json.encode(result), indent=2))
    write_atomic(OUT / "run.jsonl", lines(plan, outcomes))
    html = page([read_run(OUT / "run.json")], corpus, track=track)
    write_atomic(OUT / "report.html", html.encode())


if __name__ == "__main__":
    # each of the two processes keeps to one core: threads of both on two cores wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        main(Console(highlight=False))
    except DialoomError as error:
        sys.exit(f"demo: {error}")
