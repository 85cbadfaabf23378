"""The suite's page: which figures stand in which table."""

from __future__ import annotations

import re

from dialoom.bench.core.published import Published
from dialoom.bench.core.results import HoldOutScores, Result
from dialoom.bench.suite.experiments import Experiment, Simulated
from dialoom.bench.suite.page import page
from dialoom.bench.suite.running import Done
from dialoom.metrics.lists import Figure

Scores = dict[str, float]
BERT = Published("any", "BERT", "the paper", {"f1": 61.0}, {"happy": 60.0, "unhappy": 62.0})


def figures(scores: Scores) -> dict[str, Figure]:
    return {name: Figure(value, (value - 1, value + 1), name) for name, value in scores.items()}


def done(name: str, scores: Scores, *held: tuple[str, Scores], simulated: bool = False) -> Done:
    """Return a run with some scores, in all and of each hold-out."""
    holdouts = [
        HoldOutScores(one, 9, 3, figures(values)) for one, values in held or [("all", scores)]
    ]
    result = Result(
        protocol="any", title="any", corpus="here", model="trees", scores=figures(scores),
        holdouts=holdouts, missing=[], options={}, settings={}, slices=[], without_leak=None,
        train_corpus=None, digests={}, seconds={"all": 1.0}, published=[BERT],
    )  # fmt: skip
    corpus = Simulated("star", 3) if simulated else None
    return Done(Experiment(name, "Table 7", "any", corpus=corpus), result, again=True)


def tables(html: str) -> dict[str, list[list[str]]]:
    """Return the label of each table to the texts of its rows, the header first."""
    grids = {}
    for label, body in re.findall(
        r'aria-label="([^"]*)" tabindex="0">\n<table>(.*?)</table>', html, re.S
    ):
        rows = re.findall(r"<tr>(.*?)</tr>", body)
        grids[label] = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return grids


def test_one_other_score_stands_beside_the_main_one() -> None:
    grids = tables(page([done("run", {"f1": 70.0, "word_accuracy": 80.0})]))
    assert grids["Table 7"] == [
        ["system", "about", "f1", "95 %", "word accuracy"],
        ["run", "trees", "70.00", "69.00\u00a0to\u00a071.00", "80.00"],
        ["BERT", "the paper", "61.00", "–", "–"],
    ]


def test_more_scores_and_hold_outs_have_tables_of_their_own() -> None:
    holdouts = ("happy", {"f1": 71.0}), ("unhappy", {"f1": 69.0})
    grids = tables(page([done("run", {"f1": 70.0, "recall": 60.0, "accuracy": 80.0}, *holdouts)]))
    assert grids["Table 7"][0] == ["system", "about", "f1", "95 %"]
    assert grids["Other scores, Table 7"] == [
        ["system", "recall", "accuracy"],
        ["run", "60.00", "80.00"],
    ]
    assert grids["f1 of each hold-out, Table 7"] == [
        ["system", "happy", "unhappy"],
        ["run", "71.00", "69.00"],
        ["BERT", "60.00", "62.00"],
    ]


def test_hold_outs_that_are_numbers_are_points_of_lines() -> None:
    holdouts = [(str(turns), {"f1": 50.0 + turns}) for turns in range(1, 13)]
    html = page([done("run", {"f1": 56.0}, *holdouts), done("other", {"f1": 56.0}, *holdouts[:1])])
    figure = html[html.index("<figure>") : html.index("</figure>")]
    assert "f1 by hold-out, Table 7" in figure
    assert figure.count("<circle") == len(holdouts) + 1
    assert "BERT" not in figure  # its figures are of other hold-outs


def test_runs_with_other_main_scores_have_tables_of_their_own() -> None:
    grids = tables(page([done("one", {"f1": 70.0}), done("two", {"p@1": 90.0})]))
    assert [row[:3] for row in grids["Table 7: f1"][:2]] == [
        ["system", "about", "f1"],
        ["one", "trees", "70.00"],
    ]
    assert [row[:3] for row in grids["Table 7: p@1"][:2]] == [
        ["system", "about", "p@1"],
        ["two", "trees", "90.00"],
    ]


def test_published_figures_do_not_stand_beside_a_simulated_corpus() -> None:
    grids = tables(page([done("run", {"f1": 70.0}, simulated=True)]))
    assert [row[0] for row in grids["Table 7"]] == ["system", "run"]
