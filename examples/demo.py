"""From tasks, or from a published corpus, to a report: what `make demo` runs.

    python examples/demo.py [DIALOGUES]

Dialogues are simulated from the task files that come with dialoom, 480 unless told otherwise.
Three domains are held out in turn: a small model learns from the dialogues of all the others, then
follows schemas that it has never seen. Its choices are scored, shown in one dialogue beside what
was really done there, and reported on a page with the flow charts of the tasks held out.

Where DIALOOM_CORPORA names a folder with STAR, its dialogues take the place of the simulated ones.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from demo_data import Story, published, simulated
from rich.console import Console

from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Target
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import Outcome, run
from dialoom.bench.core.table import overview
from dialoom.bench.report import page, read_run
from dialoom.bench.visibility import system_log
from dialoom.corpus.files import write_atomic
from dialoom.dialogue import transcript
from dialoom.errors import DialoomError
from dialoom.render.progress import track
from dialoom.render.transcript import Mark, to_rich

OUT = Path("out", "demo")
MODEL = "follower"


def main(console: Console, dialogues: int = 480) -> None:
    """Run the demonstration from end to end."""
    shutil.rmtree(OUT, ignore_errors=True)
    corpora = os.environ.get("DIALOOM_CORPORA")
    story = published(Path(corpora), OUT) if corpora else simulated(dialogues, OUT)
    console.print(story.told, soft_wrap=True)
    names = ", ".join(holdout.name for holdout in story.plan.holdouts)
    learning = f"Learning without {names}, in turn, then following their schemas …"
    console.print(learning, soft_wrap=True)

    outcomes = answers(story)
    result = score(story, outcomes)
    console.print(overview(result))
    show_one(story, outcomes, console)
    write_report(story, outcomes, result)
    console.print(f"The report: {OUT / 'report.html'}")


def answers(story: Story) -> list[Outcome]:
    """Learn and answer, hold-out by hold-out."""
    workers = min(2, os.cpu_count() or 1)
    outcomes = run(story.plan, NamedModel(MODEL, {}), workers=workers)
    return list(track(outcomes, "held-out domains", len(story.plan.holdouts)))


def score(story: Story, outcomes: Sequence[Outcome]) -> Result:
    """Score the answers, beside those of another system."""
    result = summarise(story.plan, outcomes, NamedModel(MODEL, {})())
    return msgspec.structs.replace(result, beside=story.beside, published=story.figures)


def show_one(story: Story, outcomes: Sequence[Outcome], console: Console) -> None:
    """Print a dialogue of usual length with one slip, the model's choices beside those made."""
    asked, chosen = min(
        by_dialogue(story, outcomes),
        key=lambda one: (abs(slips(*one) - 1), abs(len(one[0]) - 9), one[0][0].source),
    )
    dialogue = next(d for d in story.corpus.dialogues() if d.id == asked[0].source)
    remarks = {
        target.event: [remark(value, target.gold, story.who)]
        for target, value in zip(asked, chosen, strict=True)
    }
    seen = (one for one in transcript.lines(dialogue) if system_log(dialogue.events[one.index]))
    console.print(f"\nDialogue {dialogue.id}, task {asked[0].asked.task}:\n")
    console.print(to_rich(seen, marks=remarks))
    console.print()


def remark(chosen: str, made: str, who: str) -> Mark:
    """Return what stands beside an event: the model's choice, and the one made where it differs."""
    right = chosen == made
    return Mark(
        f"{MODEL}: {chosen}, as {who}" if right else f"{MODEL}: {chosen}; {who}: {made}", right
    )


def by_dialogue(
    story: Story, outcomes: Sequence[Outcome]
) -> Iterator[tuple[list[Target], list[str]]]:
    """Yield the questions of each dialogue with the model's answers."""
    answered = {outcome.holdout: outcome.predictions for outcome in outcomes}
    for holdout in story.plan.holdouts:
        found: dict[str, tuple[list[Target], list[str]]] = {}
        for target, answer in zip(holdout.test, answered[holdout.name], strict=True):
            asked, chosen = found.setdefault(target.source, ([], []))
            asked.append(target)
            chosen.append(answer.answer)
        yield from found.values()


def slips(asked: Sequence[Target], chosen: Sequence[str]) -> int:
    """Count the answers that are not what was done."""
    return sum(target.gold != value for target, value in zip(asked, chosen, strict=True))


def write_report(story: Story, outcomes: Sequence[Outcome], result: Result) -> None:
    """Write the run as `dialoom bench` would, and a page about it as `dialoom report` would."""
    write_atomic(OUT / "run.json", msgspec.json.format(msgspec.json.encode(result), indent=2))
    write_atomic(OUT / "run.jsonl", write_predictions(story.plan, outcomes))
    html = page([read_run(OUT / "run.json")], story.corpus, track=track)
    write_atomic(OUT / "report.html", html.encode())


if __name__ == "__main__":
    # each of the two processes keeps to one core: threads of both on two cores wait for each other
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        main(Console(highlight=False), *map(int, sys.argv[1:2]))
    except DialoomError as error:
        sys.exit(f"demo: {error}")
