"""`dialoom perturb` and `dialoom challenge`: corpora in, corpora and challenge sets out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus.shards import MANIFEST
from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Dialogue, Layer, Part, Span, Utterance
from dialoom.sim.noise import Noise
from tests.cli.runner import Run, tree


def _dialogue(number: int) -> Dialogue:
    seats = Part("Cafes_1", acts=(Act("INFORM"), Act("REQUEST")), spans=(Span(12, 15, ("seats",)),))
    offer = Part("Cafes_1", acts=(Act("OFFER"), Act("CONFIRM")))
    return Dialogue(
        id=str(number),
        events=(
            Utterance(agent=USER, text="A table for two, please.", layers=(Layer(GOLD, (seats,)),)),
            Utterance(agent=SYSTEM, text="At the Corn Hall?", layers=(Layer(GOLD, (offer,)),)),
        ),
    )


@pytest.fixture
def cafes(tmp_path: Path) -> Path:
    folder = tmp_path / "cafes"
    folder.mkdir()
    formats.get("native").write(map(_dialogue, range(20)), {}, folder)
    return folder


def test_perturb(run: Run, tmp_path: Path, cafes: Path) -> None:
    done = run("perturb", cafes, tmp_path / "out", "--kind", "typos", "--rate", 0.2, "--seed", 7)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"20 dialogues written to {tmp_path / 'out'}\nchanged: ")
    corpus = formats.load(tmp_path / "out")
    noise = Noise("typos", 0.2, 7)
    assert list(corpus.dialogues()) == [noise.dialogue(_dialogue(n)) for n in range(20)]


def test_perturb_one_agent(run: Run, tmp_path: Path, cafes: Path) -> None:
    out = tmp_path / "out"
    done = run("perturb", cafes, out, "--kind", "casing-upper", "--agent", "user", "--json", "-")
    assert json.loads(done.out) == {
        "source": "native",
        "target": "native",
        "kind": "casing-upper",
        "rate": 1.0,
        "seed": 0,
        "agent": "user",
        "language": "en",
        "spare_spans": False,
        "dialogues": 20,
        "utterances": 20,
        "changed_utterances": 20,
        "spans": 20,
        "changed_spans": 20,
        "loss": {},
    }
    for dialogue in formats.load(out).dialogues():
        assert [event.text for event in dialogue.events if isinstance(event, Utterance)] == [
            "A TABLE FOR TWO, PLEASE.",
            "At the Corn Hall?",
        ]


def test_perturb_to_another_format(run: Run, tmp_path: Path, cafes: Path) -> None:
    out = tmp_path / "out"
    done = run("perturb", cafes, out, "--kind", "order", "--to", "sgd")
    assert done.code == 0, done.err
    assert "order at 1.0 of the utterances" in done.out
    utterance = next(iter(formats.load(out).dialogues())).events[1]
    assert isinstance(utterance, Utterance)
    assert utterance.layers[0].parts[0].acts == (Act("CONFIRM"), Act("OFFER"))


def test_perturb_spares_spans(run: Run, tmp_path: Path, cafes: Path) -> None:
    options = ("--kind", "typos", "--rate", 1, "--spare-spans")
    assert run("perturb", cafes, tmp_path / "out", *options).code == 0
    for dialogue in formats.load(tmp_path / "out").dialogues():
        first = dialogue.events[0]
        assert isinstance(first, Utterance)
        assert first.text[12:15] == "two"
        assert first.text[:12] != "A table for "


def test_perturb_at_a_rate_of_zero_is_a_copy(run: Run, tmp_path: Path, cafes: Path) -> None:
    assert run("perturb", cafes, tmp_path / "out", "--kind", "typos", "--rate", 0).code == 0
    assert tree(tmp_path / "out") == tree(cafes)


def test_challenge(run: Run, tmp_path: Path, cafes: Path) -> None:
    done = run("challenge", cafes, tmp_path / "one", "--seed", 3, "--size", 10)
    assert (done.code, done.err) == (0, "")
    assert "challenge_test_bfp05: 10 items from whole corpus" in done.out
    assert "substitute: no model translated" in done.out
    assert "         20  CONFIRM\n" in done.out
    again = run("challenge", cafes, tmp_path / "two", "--seed", 3, "--size", 10, "--json", "-")
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    manifest = json.loads(again.out)
    assert manifest == json.loads((tmp_path / "one" / MANIFEST).read_bytes())
    assert manifest["settings"]["seed"] == 3
    assert len(manifest["sets"]) + len(manifest["families"]) == 9


def test_challenge_says_what_is_short(run: Run, tmp_path: Path, cafes: Path) -> None:
    done = run("challenge", cafes, tmp_path / "out")
    assert "20 items of 500 asked for from whole corpus" in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("perturb", "--kind", "typo"), ("unknown kind of noise", "did you mean typos")),
        (("perturb", "--kind", "typos", "--rate", "2"), ("--rate 2.0", "from 0 to 1")),
        (("perturb", "--kind", "typos", "--rate", "nan"), ("--rate nan", "from 0 to 1")),
        (("perturb", "--kind", "typos", "--agent", "wizard"), ("unknown agent", "system")),
        (("perturb", "--kind", "typos", "--language", "xx"), ("unknown language",)),
        (("perturb", "--kind", "typos", "--to", "papyrus"), ("unknown format",)),
        (("perturb", "--kind", "typos", "--from", "star"), ("not a STAR dialogue",)),
        (("challenge", "--size", "0"), ("--size",)),
        (("challenge", "--pool", "0"), ("--pool",)),
        (("challenge", "--act-type", "middle"), ("unknown act type",)),
        (("challenge", "--back-translator", "babel"), ("unknown back-translator", "scripted")),
        (("challenge", "--from", "papyrus"), ("unknown format",)),
    ],
)
def test_bad_usage(
    run: Run, tmp_path: Path, cafes: Path, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    before = tree(tmp_path)
    command, *options = words
    assert run(command, cafes, tmp_path / "out", *options).refused(*said)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", [("perturb", "--kind", "typos"), ("challenge",)])
def test_bad_input(run: Run, tmp_path: Path, cafes: Path, command: tuple[str, ...]) -> None:
    name, *options = command
    shard = next(cafes.glob("*.jsonl"))
    shard.write_bytes(shard.read_bytes()[:-5])
    before = tree(tmp_path)
    assert run(name, cafes, tmp_path / "out", *options).refused("truncated")
    assert run(name, tmp_path / "none", tmp_path / "out", *options).refused("no such file")
    assert run(name, cafes, cafes, *options).refused("not empty")
    assert tree(tmp_path) == before


def test_challenge_without_acts(run: Run, tmp_path: Path) -> None:
    bare = Dialogue(id="1", events=(Utterance(agent=SYSTEM, text="Hello."),))
    (tmp_path / "bare").mkdir()
    formats.get("native").write([bare], {}, tmp_path / "bare")
    done = run("challenge", tmp_path / "bare", tmp_path / "out")
    assert "cannot be written" not in done.err
    assert done.refused("bare: no system utterance has acts")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def many_cafes(tmp_path: Path) -> Path:
    """A corpus of SGD in three files."""
    folder = tmp_path / "many"
    folder.mkdir()
    formats.get("sgd").write(map(_dialogue, range(300)), {}, folder)
    return folder


@pytest.mark.parametrize(
    "command",
    [("perturb", "--kind", "typos", "--rate", "0.2"), ("convert", "--to", "sgd")],
    ids=lambda command: command[0],
)
def test_workers_make_no_difference(
    run: Run, tmp_path: Path, many_cafes: Path, command: tuple[str, ...]
) -> None:
    name, *options = command
    out = [tmp_path / each for each in ("one", "two")]
    one = run(name, many_cafes, out[0], *options, "--json", "-")
    two = run(name, many_cafes, out[1], *options, "--json", "-", "--workers", 2)
    assert (one.code, one.out) == (two.code, two.out)
    assert json.loads(one.out)["dialogues"] == 300
    assert tree(out[0]) == tree(out[1])
    assert len(tree(out[0])) >= 3
