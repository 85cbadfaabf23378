"""Lint over corpora: shard by shard, with what the manifest says, and over what was simulated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.corpus.shards import Shard, render_lines, write_manifest, write_schemas, write_shard
from dialoom.dialogue import Act, Dialogue, Layer, Part, Query, Result, Span, Utterance
from dialoom.errors import FormatError
from dialoom.quality.lint import Linter, lint, linter_for, seed_of
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator
from tests.quality.lint_sample import BOAT, GOOD, TASKS, change
from tests.quality.lint_services import BESIDE, ORDERS, SERVICES
from tests.sim.designs import guide
from tests.strategies import dialogues, sampled

SEED = 5
SIMULATORS = {task.id: Simulator(task, SEED) for task in (BOAT, guide())}
SCHEMAS = {BOAT.id: BOAT, "garden_tour": guide()}


def corpus(folder: Path, *shards: list[Dialogue], seed: int | None = None) -> Path:
    """Write a native corpus of some shards."""
    folder.mkdir()
    entries: list[Shard] = []
    for number, shard in enumerate(shards):
        entries.append(write_shard(folder, number, render_lines(shard), len(shard)))
    extra = {} if seed is None else {"simulated": {"seed": seed}}
    write_manifest(folder, entries, write_schemas(TASKS, folder), extra)
    return folder


def test_findings_come_shard_by_shard(tmp_path: Path) -> None:
    other = msgspec.structs.replace(change(GOOD, 8, text=""), id="2")
    folder = corpus(tmp_path / "corpus", [GOOD, other], [GOOD])
    first, second = lint(formats.load(folder))
    assert (first.code, first.dialogue) == ("W601", "2")
    assert first.file.endswith("dialogues-00000.jsonl")
    assert (second.code, second.dialogue) == ("E501", "1")
    assert second.file.endswith("dialogues-00001.jsonl")


def test_a_shard_is_read_when_the_one_before_is_done(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "corpus", [change(GOOD, 8, text="")], [GOOD])
    (folder / "dialogues-00001.jsonl").write_bytes(b"{}\n")
    findings = lint(formats.load(folder))
    assert next(findings).code == "W601"
    with pytest.raises(FormatError):
        next(findings)


def test_the_seed_of_a_simulated_corpus_is_its_manifests(tmp_path: Path) -> None:
    dialogues = [SIMULATORS["boat_hire"].dialogue(index) for index in range(5)]
    right = formats.load(corpus(tmp_path / "right", dialogues, seed=SEED))
    assert seed_of(right) == SEED
    assert not list(lint(right))
    wrong = formats.load(corpus(tmp_path / "wrong", dialogues, seed=SEED + 1))
    assert {finding.code for finding in lint(wrong)} >= {"E809"}
    unsaid = formats.load(corpus(tmp_path / "unsaid", dialogues))
    assert seed_of(unsaid) is None
    assert not list(lint(unsaid))
    assert seed_of(formats.load(tmp_path / "wrong" / "dialogues-00000.jsonl")) == SEED + 1
    (tmp_path / "wrong" / "manifest.json").unlink()
    assert seed_of(formats.load(tmp_path / "wrong" / "dialogues-00000.jsonl")) is None


@pytest.mark.parametrize("name", pack.names())
def test_simulated_dialogues_of_the_pack_are_clean(name: str) -> None:
    task = pack.load(name)
    simulator, linter = Simulator(task, 1), Linter({task.id: task}, 1)
    for index in range(10):
        assert not list(linter.check(simulator.dialogue(index)))


def _shift(part: Part) -> Part:
    if not part.spans:
        return part
    spans = tuple(Span(span.start + 1, span.end + 1, span.labels) for span in part.spans)
    return msgspec.structs.replace(part, spans=spans)


def _misname(part: Part) -> Part:
    return msgspec.structs.replace(part, acts=(Act("sing_a_song"),))


def _invent(part: Part) -> Part:
    if part.state is None:
        return part
    values = {**part.state.values, next(iter(part.state.values), "boat"): ("Zorp",)}
    return msgspec.structs.replace(part, state=msgspec.structs.replace(part.state, values=values))


MUTATIONS: dict[Callable[[Part], Part], set[str]] = {
    _shift: {"E601", "E602"},
    _misname: {"E704"},
    _invent: {"E603"},
}
"""A change of an annotation to the codes one of which it must have."""


def _mutated(dialogue: Dialogue, index: int, mutate: Callable[[Part], Part]) -> Dialogue | None:
    event = dialogue.events[index]
    if not isinstance(event, Utterance) or not event.layers:
        return None
    layer = event.layers[0]
    new = mutate(layer.parts[0])
    if new == layer.parts[0]:
        return None
    return change(dialogue, index, layers=(Layer(layer.source, (new, *layer.parts[1:])),))


@sampled
@given(
    st.sampled_from(sorted(SIMULATORS)),
    st.integers(0, 300),
    st.integers(0, 60),
    st.sampled_from(list(MUTATIONS)),
)
def test_a_mutated_annotation_is_found(
    task: str, number: int, place: int, mutate: Callable[[Part], Part]
) -> None:
    dialogue = SIMULATORS[task].dialogue(number)
    assert not list(Linter(SCHEMAS, SEED).check(dialogue))
    mutated = _mutated(dialogue, place % len(dialogue.events), mutate)
    if mutated is not None:
        codes = {finding.code for finding in Linter(SCHEMAS, SEED).check(mutated)}
        assert codes & MUTATIONS[mutate]


@sampled
@given(st.sampled_from(sorted(SIMULATORS)), st.integers(0, 300), st.integers(0, 60))
def test_a_lost_event_is_found(task: str, number: int, place: int) -> None:
    dialogue = SIMULATORS[task].dialogue(number)
    index = place % len(dialogue.events)
    lost = dialogue.events[index]
    events = (*dialogue.events[:index], *dialogue.events[index + 1 :])
    findings = Linter(SCHEMAS, SEED).check(msgspec.structs.replace(dialogue, events=events))
    codes = {Query: {"E802"}, Result: {"E801"}}.get(type(lost))
    if codes:
        assert codes <= {finding.code for finding in findings}


@sampled
@given(dialogues())
def test_any_dialogue_can_be_looked_at(dialogue: Dialogue) -> None:
    for tasks, format in ((None, ""), (TASKS, "star"), (SERVICES, "sgd"), (ORDERS, "dstc6")):
        for finding in Linter(tasks, SEED, traits=formats.traits(format), companions=BESIDE).check(
            dialogue, "x"
        ):
            assert finding.pointer.startswith("/")
            assert msgspec.json.encode(finding)


@sampled
@given(dialogues(), st.sampled_from(["simulated", "written"]))
def test_any_dialogue_of_a_task_can_be_looked_at(dialogue: Dialogue, provenance: str) -> None:
    mixed = msgspec.structs.replace(
        GOOD, events=(*GOOD.events, *dialogue.events), provenance=provenance
    )
    list(Linter(TASKS, SEED).check(mixed))


@pytest.mark.corpus
def test_star_has_few_faults_and_many_detours(star: Path, star_dialogues: list[Dialogue]) -> None:
    linter = Linter(formats.load(star).schemas)
    codes = {"E804", "I604", "I621", "W501", "W701", "W702", "W703"}
    for dialogue in star_dialogues:
        assert {finding.code for finding in linter.check(dialogue)} <= codes
    # wizards leave the flow often, and send a constraint without a value now and then
    assert linter.counts["W703"] > linter.dialogues
    assert 0 < linter.errors < linter.dialogues / 50


PUBLISHED: dict[str, dict[str, int]] = {
    "sgd/dev": {},
    "babi": {"W601": 6},
    "frames/text": {"W601": 4},
    "frames/iob": {},
}
"""A folder of the corpora to the codes found there, but information."""


@pytest.mark.corpus
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_corpora_are_nearly_clean(corpora: Path, name: str) -> None:
    corpus = formats.load(corpora / name)
    linter = linter_for(corpus)
    for _ in linter.check_all(corpus):
        pass
    assert {code: n for code, n in linter.counts.items() if code[0] != "I"} == PUBLISHED[name]


@pytest.mark.corpus
def test_the_published_conversations_of_taskmaster(corpora: Path) -> None:
    corpus = formats.load(corpora / "taskmaster1")
    findings = list(lint(corpus))
    cut = {finding.message.split(" in ")[0] for finding in findings if finding.code == "W602"}
    assert "'Thursday Kitche'" in cut
    missing = [finding for finding in findings if finding.code == "I701"]
    assert any(finding.message.startswith("price.ticket of movie_ticket") for finding in missing)
    assert {finding.code for finding in findings} <= {"E501", "W602", "I701"}
