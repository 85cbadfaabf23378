"""Every experiment: run once, taken as it is while nothing changes, left out where data are not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.core import significance
from dialoom.bench.core.making import check_kind
from dialoom.bench.dstc6.knowledge import found_near
from dialoom.bench.suite.experiments import Experiment, Simulated, Unavailable, experiments, suite
from dialoom.bench.suite.page import page
from dialoom.bench.suite.running import KEYS, Done, Missing, Sources, earlier, run_all, simulate
from dialoom.errors import FormatError, UnknownNameError
from dialoom.models import MODELS
from tests.bench import tiny
from tests.make import refuses

NEXT = Experiment("next", "Table 2", "star-next-action", "majority")
OTHER = Experiment("other", "Table 4", "star-zero-shot-domain", "majority", {"form": "published"})
NO_LEAK = Experiment("no-leak", "Table 4", "star-zero-shot-domain", None, {"form": "noleak"})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "corpora" / "star"
    folder.mkdir(parents=True)
    formats.get("native").write(tiny.star(tmp_path).dialogues(), tiny.SCHEMAS, folder)
    return folder.parent


def run(root: Path, wanted: Iterable[Experiment], told: list[str] | None = None) -> list[Done]:
    sources = Sources(root, root.parent / "out")
    outcomes = list(run_all(wanted, sources, notify=told.append if told is not None else print))
    assert all(isinstance(each, Done) for each in outcomes), outcomes
    return [each for each in outcomes if isinstance(each, Done)]


def again(found: Sequence[Done]) -> list[bool]:
    return [each.again for each in found]


def test_only_what_changed_is_run_again(root: Path) -> None:
    first = run(root, [NEXT, OTHER])
    assert again(first) == [True, True]
    second = run(root, [NEXT, OTHER])
    assert again(second) == [False, False]
    assert [each.result for each in second] == [each.result for each in first]
    changed = Experiment("next", NEXT.table, NEXT.protocol, "nearest")
    assert again(run(root, [changed])) == [True]
    assert again(run(root, [OTHER])) == [False]


def test_an_experiment_with_a_wrong_setting(root: Path) -> None:
    wrong = Experiment("other", "", OTHER.protocol, OTHER.model, {"from": "coded"})
    with refuses(UnknownNameError, "unknown-name", "form"):
        run(root, [wrong])


def test_other_data_or_a_lost_file_are_run_again(root: Path) -> None:
    run(root, [NEXT, OTHER])
    (root.parent / "out" / "next.json").unlink()
    assert again(run(root, [NEXT, OTHER])) == [True, False]
    more = [*tiny.star(root).dialogues(), tiny.dialogue(20, "hello", task="weather", domain="ride")]
    shutil.rmtree(root / "star")
    (root / "star").mkdir()
    formats.get("native").write(iter(more), tiny.SCHEMAS, root / "star")
    assert again(run(root, [NEXT, OTHER])) == [True, True]


def test_hold_outs_of_an_interrupted_run_are_kept(root: Path) -> None:
    notices: list[str] = []
    run(root, [OTHER], notices)
    assert notices == ["other", "other, weather", "other, trivia"]
    (root.parent / "out" / KEYS).unlink()
    notices.clear()
    assert again(run(root, [OTHER], notices)) == [True]
    assert notices == ["other"]


def test_runs_in_one_folder_keep_the_keys_of_each_other(root: Path) -> None:
    sources = Sources(root, root.parent / "out")
    one = run_all([NEXT, OTHER], sources)
    next(one)
    assert again(run(root, [NO_LEAK, OTHER])) == [True, True]
    assert [isinstance(each, Done) and each.again for each in one] == [False]
    assert again(run(root, [NEXT, OTHER, NO_LEAK])) == [False, False, False]


def test_experiments_share_their_fits_and_their_results_are_as_alone(root: Path) -> None:
    """The one without a leak trains on the same dialogues where there is none."""
    pair = [replace(each, model="follower") for each in (OTHER, NO_LEAK)]
    together = run(root, pair)
    shared = [each.result.shared for each in together]
    assert shared[0] == []
    assert shared[1]
    assert f"{len(shared[1])} of 2 fits shared with earlier runs" in page(together)
    out = root.parent / "out"
    records = {each.name: _files(out, each.name) for each in pair}
    for one in pair:
        shutil.rmtree(out)
        (alone,) = run(root, [one])
        assert alone.result.shared == []
        assert _files(out, one.name) == records[one.name]


def _files(folder: Path, name: str) -> tuple[object, bytes]:
    """Return an experiment's result without its time, and its predictions."""
    record = json.loads((folder / f"{name}.json").read_bytes())
    times = record.pop("seconds"), record.pop("shared")
    assert all(times[0].keys())
    return record, (folder / f"{name}.jsonl").read_bytes()


def test_a_damaged_list_of_keys_is_told(root: Path) -> None:
    run(root, [NEXT])
    (root.parent / "out" / KEYS).write_text("[1]")
    with refuses(FormatError, "wrong-type", "keys.json"):
        run(root, [NEXT])


def test_what_the_data_do_not_allow_is_said(root: Path) -> None:
    tracking = Experiment("tracking", "SGD", "sgd-tracking", "empty")
    outcomes = list(run_all([tracking, NEXT], Sources(root, root.parent / "out")))
    assert isinstance(outcomes[0], Missing)
    assert "sgd: not there" in outcomes[0].why
    assert isinstance(outcomes[1], Done)
    html = page(outcomes, [Unavailable("Table 9", "nobody has the data")])
    assert "tracking was not run" in html
    assert "nobody has the data" in html


def test_published_figures_stand_beside_no_other_corpus(root: Path) -> None:
    (done,) = run(root, [NEXT])
    assert done.result.published == []
    assert significance.UNRECOGNISED in done.result.notes


def test_the_page_has_a_table_for_each_published_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(significance, "recognised", lambda corpus: "star")
    outcomes = run(root, [NEXT, OTHER])
    html = page(outcomes)
    for text in ("Table 2", "Table 4", "BERT+schema", "71.09", 'href="next.html"'):
        assert text in html
    for each in outcomes:
        for figure in each.result.scores.values():
            assert figure.signature in html
        assert (root.parent / "out" / f"{each.experiment.name}.html").is_file()


def test_the_page_has_what_earlier_runs_left_and_what_is_to_be_run(root: Path) -> None:
    (done,) = run(root, [NEXT])
    (past_run,) = earlier([NEXT, OTHER], root.parent / "out")
    assert (past_run.experiment, past_run.result, past_run.checked) == (NEXT, done.result, False)
    html = page([past_run], waiting=[OTHER])
    assert "from earlier runs, perhaps of other code or data: next" in html
    assert "Not run yet" in html
    assert "from earlier runs" not in page([done])


def test_learning_from_simulated_dialogues(root: Path) -> None:
    simulated = Simulated("star", 3, tasks="weather")
    one = Experiment("one", "", "star-next-action", "majority", train=simulated)
    (done,) = run(root, [one])
    assert done.result.train_corpus is not None
    corpus = Path(done.result.train_corpus)
    manifest = json.loads((corpus / "manifest.json").read_bytes())
    assert manifest["dialogues"] == 3
    assert manifest["extra"]["simulated"]["tasks"]


def test_the_list_of_experiments_names_what_there_is() -> None:
    names = [each.name for each in suite().experiments]
    assert len(set(names)) == len(names)
    for each in suite().experiments:
        protocol = PROTOCOLS.get(each.protocol)
        assert protocol.kind in MODELS.get(each.model or protocol.model).kinds, each.name
        assert each.model != protocol.model, f"{each.name} names its protocol's own model"
        if each.quick:
            assert protocol.corpus in suite().samples, each.name
    assert {each.table for each in experiments(quick=True)} < {e.table for e in experiments()}


def test_a_family_is_run_where_it_is_named_and_its_spread_told(root: Path) -> None:
    family = experiments(["star-zero-shot-domain-simulated-100"])
    assert [each.train.seed for each in family if each.train] == list(range(10))
    assert len({each.name for each in family}) == 10
    assert not {each.family for each in experiments()} & {family[0].family}
    assert experiments([family[3].name]) == [family[3]]
    repeats = [replace(OTHER, name=f"other-{seed}", family="other") for seed in range(2)]
    html = page(run(root, repeats))
    assert "other: f1" in html
    assert "over 2 seeds, standard deviation 0.00" in html


def test_real_and_simulated_dialogues_are_learnt_from_together(root: Path) -> None:
    recipe = Simulated(preset="star", number=3, tasks="hotel_book")
    (done,) = run(root, [replace(OTHER, train=recipe, mixed=True)])
    assert done.result.train_corpus is not None
    assert " + " in done.result.train_corpus


def test_every_protocol_names_a_model_that_answers_it() -> None:
    for name in PROTOCOLS:
        protocol = PROTOCOLS.get(name)
        check_kind(protocol.model, protocol)


def test_a_part_of_a_simulated_corpus_is_made_as_its_files_with_the_facts_beside(
    tmp_path: Path,
) -> None:
    recipe = Simulated(preset="dstc6", number=1, seed=7, part="train")
    simulate(recipe, tmp_path / "made")
    assert sorted(each.name for each in (tmp_path / "made").iterdir()) == [
        "extendedkb1.txt",
        "extendedkb2.txt",
        "train",
    ]
    corpus = formats.load(tmp_path / "made" / "train")
    assert corpus.format == "dstc6"
    assert len(corpus) == 5
    assert found_near(corpus.path)
