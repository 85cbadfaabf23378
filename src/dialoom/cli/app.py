"""The application: every command in one list, in the order a newcomer meets them."""

from __future__ import annotations

from typing import Annotated

import typer

import dialoom
from dialoom.cli.bench import bench, train
from dialoom.cli.challenge import challenge
from dialoom.cli.collect import collect_app
from dialoom.cli.command import Commands
from dialoom.cli.convert import convert, filter_, merge, roundtrip, sample, split
from dialoom.cli.data import data_app
from dialoom.cli.dstc6 import dstc6_app, rank
from dialoom.cli.lint import lint
from dialoom.cli.lists import REGISTRIES, listing
from dialoom.cli.play import play_app
from dialoom.cli.play_runs import tau2
from dialoom.cli.publish import card, publish
from dialoom.cli.report import report
from dialoom.cli.reword import paraphrase, perturb
from dialoom.cli.schema import schema_app
from dialoom.cli.score import score
from dialoom.cli.serve import mcp, serve_app, studio
from dialoom.cli.show import show, view
from dialoom.cli.simulate import cross_play, simulate
from dialoom.cli.stats import agreement, distance, stats
from dialoom.cli.track import track

app = Commands(
    "dialoom",
    "A workbench for task-oriented dialogue.",
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(flag: bool) -> None:
    if flag:
        typer.echo(f"dialoom {dialoom.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """A workbench for task-oriented dialogue."""


for command in (
    studio,
    show,
    view,
    stats,
    card,
    lint,
    simulate,
    convert,
    roundtrip,
    publish,
    perturb,
    paraphrase,
    challenge,
    distance,
    agreement,
    train,
    bench,
    score,
    track,
    cross_play,
    tau2,
    mcp,
    rank,
    report,
):
    app.command()(command)
app.command("filter")(filter_)
for selecting in (sample, split, merge):
    app.command()(selecting)
for listed in ("tasks", *REGISTRIES):
    app.command(listed)(listing(listed))
app.add_typer(schema_app, name="schema")
app.add_typer(dstc6_app, name="dstc6")
app.add_typer(data_app, name="data")
app.add_typer(play_app, name="play")
app.add_typer(collect_app, name="collect")
app.add_typer(serve_app, name="serve")
