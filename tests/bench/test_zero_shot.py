"""Zero-shot transfer: who is held out, who stays, in which form."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import HoldOut, examples
from dialoom.bench.protocols.zero_shot import DOMAINS
from dialoom.corpus import MixedCorpus
from dialoom.dialogue import SYSTEM
from dialoom.errors import MissingDataError, UnknownNameError, UsageError
from dialoom.schema.task import TaskSchema
from tests.bench import tiny
from tests.bench.tiny import ids
from tests.make import refuses

DOMAIN, TASK = (PROTOCOLS.get(f"star-zero-shot-{by}") for by in ("domain", "task"))


def shape(holdouts: list[HoldOut]) -> dict[str, tuple[list[str], list[str], int]]:
    return {h.name: (ids(h.train), ids(h.test), h.leak) for h in holdouts}


def test_domain_transfer_and_its_leak(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path))
    assert shape(plan.holdouts) == {
        "weather": (["3", "4"], ["2", "12"], 0),
        "trivia": (["2", "4", "12"], ["3"], 1),
    }
    assert plan.missing == [name for name in DOMAINS if name not in ("weather", "trivia")]
    assert plan.options == {
        "form": "published",
        "happy": "published",
        "test": "happy",
        "train": "happy",
    }
    assert len(plan.notices) == 1
    assert plan.allowed is None


def test_as_coded_goes_by_the_id_list(tmp_path: Path) -> None:
    (tmp_path / "sam_protocol.json").write_bytes(tiny.PROTOCOL)
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path))
    assert shape(plan.holdouts)["weather"] == (["3", "4"], ["2"], 0)
    assert (plan.options["form"], plan.options["happy"]) == ("coded", "sam")


def test_unhappy_dialogues_are_asked_about_and_the_happy_ones_learnt_from_too(
    tmp_path: Path,
) -> None:
    (tmp_path / "sam_protocol.json").write_bytes(tiny.PROTOCOL)
    plan = tiny.plan(DOMAIN, tiny.staged(tmp_path), test="unhappy")
    assert shape(plan.holdouts) == {
        "weather": (["3", "4", "6"], ["5"], 0),
        "trivia": (["2", "4", "5"], ["6"], 1),
    }
    assert (plan.options["test"], plan.options["train"]) == ("unhappy", "happy,unhappy")
    closed = tiny.plan(DOMAIN, tiny.staged(tmp_path), test="unhappy", form="noleak")
    assert shape(closed.holdouts)["trivia"] == (["2", "5"], ["6"], 0)


def test_the_stages_learnt_from_may_be_named(tmp_path: Path) -> None:
    corpus = tiny.staged(tmp_path)
    happy = tiny.plan(DOMAIN, corpus, test="unhappy", train="happy")
    assert ids(happy.holdouts[0].train) == ["3", "4"]
    assert ids(happy.holdouts[0].test) == ["5"]
    both = tiny.plan(DOMAIN, corpus, test="happy,unhappy")
    assert shape(both.holdouts)["weather"] == (["3", "4", "6"], ["2", "5", "12"], 0)
    assert both.options["train"] == "happy,unhappy"
    with refuses(UnknownNameError, "unknown-name", "stage", "sad"):
        tiny.plan(DOMAIN, corpus, test="sad")
    with refuses(UnknownNameError, "unknown-name", "stage", "sad"):
        tiny.plan(DOMAIN, corpus, train="sad")


def test_of_several_tasks_those_of_the_hold_out_are_asked_about_and_none_is_learnt_from(
    tmp_path: Path,
) -> None:
    """7 and 8 begin with the task of their first domain; then come trivia and weather."""
    plan = tiny.plan(DOMAIN, tiny.staged(tmp_path), test="multi")
    assert shape(plan.holdouts) == {
        "weather": (["3", "4", "6", "9"], ["7", "8"], 0),
        "trivia": (["2", "4", "5", "9", "12"], ["7", "8"], 1),
        "bank": (["2", "3", "4", "5", "6", "7", "8", "12"], ["9"], 0),
    }
    assert [[(t.source, t.asked.task, t.gold) for t in h.test] for h in plan.holdouts[:2]] == [
        [("7", "weather", "hello"), ("7", "weather", "query"), ("8", "weather", "query")],
        [("7", "trivia", "trivia_ask"), ("8", "trivia", "hello"), ("8", "trivia", "trivia_ask")],
    ]
    assert plan.options["train"] == "all"
    assert plan.groups["7"] == plan.groups["8"] == {"weather", "trivia"}
    by_task = tiny.plan(TASK, tiny.staged(tmp_path), test="multi", train="multi")
    assert shape(by_task.holdouts) == {
        "bank_balance": (["7", "8"], ["9"], 0),
        "weather": (["9"], ["7", "8"], 0),
        "trivia": (["9"], ["7", "8"], 0),
    }


def test_without_the_leak(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.star(tmp_path), form="noleak")
    assert shape(plan.holdouts)["trivia"] == (["2", "12"], ["3"], 0)
    assert plan.closed


def test_task_transfer_has_no_leak_and_never_holds_out_training_tasks(tmp_path: Path) -> None:
    corpus = tiny.memory(
        tmp_path,
        tiny.dialogue(1, "hello", task="weather", domain="weather"),
        tiny.dialogue(2, "hello", task="ride_change", domain="ride"),
        tiny.dialogue(3, "hello", task="trivia", domain=None),
    )
    plan = tiny.plan(TASK, corpus)
    assert shape(plan.holdouts) == {
        "weather": (["2", "3"], ["1"], 0),
        "trivia": (["1", "2"], ["3"], 0),
    }
    assert "ride_book" in plan.missing


def test_a_domain_the_protocol_does_not_name_is_held_out_last(tmp_path: Path) -> None:
    corpus = tiny.memory(
        tmp_path,
        tiny.dialogue(1, "hello", task="library_search", domain="library"),
        tiny.dialogue(2, "hello", task="weather", domain="weather"),
    )
    plan = tiny.plan(DOMAIN, corpus)
    assert [h.name for h in plan.holdouts] == ["weather", "library"]


def test_training_elsewhere_still_leaves_out_what_is_held_out(tmp_path: Path) -> None:
    test = tiny.memory(tmp_path, tiny.dialogue(1, "hello", task="weather", domain="weather"))
    train = tiny.star(tmp_path / "train")
    plan = tiny.plan(DOMAIN, test, train_corpus=train)
    assert shape(plan.holdouts) == {"weather": (["3", "4"], ["1"], 0)}


def test_a_simulated_corpus_to_learn_from_is_taken_whole(tmp_path: Path) -> None:
    test = tiny.memory(tmp_path, tiny.dialogue(1, "hello", task="weather", domain="weather"))
    mixed = tiny.staged(tmp_path / "train")
    copies = [msgspec.structs.replace(d, provenance="simulated") for d in mixed.dialogues()]
    simulated = tiny.memory(tmp_path / "train", *copies)
    plan = tiny.plan(DOMAIN, test, train_corpus=simulated, form="published")
    assert ids(plan.holdouts[0].train) == ["3", "4", "6", "9"]
    assert (plan.options["train"], plan.notices) == ("all", [])
    happy = tiny.plan(DOMAIN, test, train_corpus=simulated, form="published", train="happy")
    assert ids(happy.holdouts[0].train) == ["3", "4"]
    assert happy.notices == [f"5 of 9 dialogues of {simulated.path} are not happy: not learnt from"]
    imported = tiny.plan(DOMAIN, test, train_corpus=mixed, form="published")
    assert shape(imported.holdouts) == shape(happy.holdouts)
    assert imported.notices == happy.notices


def test_real_and_simulated_dialogues_are_learnt_from_together(tmp_path: Path) -> None:
    test = tiny.staged(tmp_path)
    copies = [msgspec.structs.replace(d, provenance="simulated") for d in test.dialogues()]
    train = MixedCorpus([test, tiny.memory(tmp_path / "made", *copies)])
    plan = tiny.plan(DOMAIN, test, train_corpus=train, form="published")
    assert ids(plan.holdouts[0].train) == ["3", "4", "3@2", "4@2", "6@2", "9@2"]
    assert {t.asked.task for t in plan.holdouts[0].train} == {
        "trivia", "trivia@2", "bank_balance"
    }  # fmt: skip
    made_ones = {t.source for t in plan.holdouts[0].train if t.simulated}
    assert made_ones == {"3@2", "4@2", "6@2", "9@2"}
    learnt = examples(plan.holdouts[0].train)
    assert [e.question.dialogue.provenance == "simulated" for e in learnt] == [
        target.simulated for target in plan.holdouts[0].train
    ]
    assert set(plan.train_schemas) == {*tiny.SCHEMAS, "weather@2", "trivia@2"}
    assert set(plan.schemas) == set(tiny.SCHEMAS)
    tasks = tiny.plan(TASK, test, train_corpus=train, form="published")
    assert {t.asked.task for t in tasks.holdouts[0].train} == {"trivia", "trivia@2", "bank_balance"}
    closed = tiny.plan(DOMAIN, test, train_corpus=train, form="noleak")
    trivia = next(holdout for holdout in closed.holdouts if holdout.name == "trivia")
    assert {t.asked.task for t in trivia.train} == {"weather", "weather@2", "bank_balance"}


def test_wizards_may_be_kept_apart(tmp_path: Path) -> None:
    dialogues = [
        msgspec.structs.replace(
            tiny.dialogue(number, "hello", task=domain, domain=domain),
            workers={SYSTEM: f"w{number % 4 // 2 + number // 8 * 2}"},
        )
        for number, domain in enumerate(["weather", "trivia", "trivia", "weather"] * 4)
    ]
    corpus = tiny.memory(tmp_path, *dialogues)
    wizard = {each.id: each.workers[SYSTEM] for each in dialogues}
    plans = {name: tiny.plan(DOMAIN, corpus, wizards=name) for name in ("any", "apart", "same")}
    test_ids = {wizard[one] for holdout in plans["apart"].holdouts for one in ids(holdout.test)}
    for apart, same in zip(plans["apart"].holdouts, plans["same"].holdouts, strict=True):
        assert ids(same.test) == ids(apart.test)
        assert not test_ids & {wizard[one] for one in ids(apart.train)}
        assert test_ids >= {wizard[one] for one in ids(same.train)}
    assert sum(len(h.test) for h in plans["apart"].holdouts) == 8
    assert plans["apart"].options["wizards"] == "apart"
    assert "wizards" not in plans["any"].options
    with refuses(UsageError, "too-few", "wizards"):
        tiny.plan(DOMAIN, tiny.star(tmp_path), wizards="apart")


def test_each_part_is_read_with_the_schemas_of_its_own_corpus(tmp_path: Path) -> None:
    test, train = tiny.star(tmp_path), tiny.star(tmp_path)
    own = {"weather": TaskSchema(id="weather")}
    vars(test)["schemas"] = own
    plan = tiny.plan(DOMAIN, test, train_corpus=train)
    assert (plan.schemas, plan.train_schemas) == (own, tiny.SCHEMAS)
    same = tiny.plan(DOMAIN, train)
    assert same.train_schemas is same.schemas


def test_nothing_happy_is_missing_data(tmp_path: Path) -> None:
    sad = tiny.dialogue(1, "hello", task="weather", domain="weather", happy=False)
    with refuses(MissingDataError, "nothing-to-ask", "happy"):
        tiny.plan(DOMAIN, tiny.memory(tmp_path, sad))


def test_nothing_to_learn_from_is_missing_data(tmp_path: Path) -> None:
    alone = tiny.memory(tmp_path, tiny.dialogue(1, "hello", task="weather", domain="weather"))
    with refuses(MissingDataError, "nothing-to-learn", "happy"):
        tiny.plan(DOMAIN, alone)
    with refuses(MissingDataError, "nothing-to-learn", "multi"):
        tiny.plan(DOMAIN, tiny.star(tmp_path), train="multi")


def test_shots_are_learnt_from_and_the_other_half_is_asked_about(tmp_path: Path) -> None:
    corpus = tiny.star(tmp_path)
    none, one, many = (tiny.plan(DOMAIN, corpus, shots=number) for number in (0, 1, 20))
    assert shape(none.holdouts)["weather"] == (["3", "4"], ["12"], 0)
    assert shape(one.holdouts)["weather"] == (["3", "4", "2"], ["12"], 0)
    assert shape(many.holdouts) == shape(one.holdouts)  # the half has one dialogue
    assert one.options["shots"] == "1"
    assert "shots" not in tiny.plan(DOMAIN, corpus).options
    learnt = tiny.star(tmp_path / "learnt")
    with refuses(UsageError, "not-taken", "--corpus"):
        tiny.plan(DOMAIN, corpus, learnt, shots=1)
