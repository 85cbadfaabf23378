"""The tools in training/: what they count, and the dye that shows ways of a grammar."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Utterance

ROOT = Path(__file__).parent.parent
GRAMMAR = ROOT / "src/dialoom/lang/en-packages.json"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that imports a module of training/."""
    monkeypatch.syspath_prepend(str(ROOT / "training"))
    return import_module


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("Yes please", "yes"),
        ("no, thanks", "no"),
        ("Thanks, bye!", "closing"),
        ("Where is it?", "request"),
        ("Many thanks", "thanks"),
        ("Lindholm", "answer"),
    ],
)
def test_function_of_a_turn(tool: Any, text: str, function: str) -> None:
    assert tool("manners").function_of(text, after_question=True) == function


def test_rates_of_typing(tool: Any) -> None:
    table = tool("typing_rates").rates(["i dont know.", "Hello!", "I don't"])
    assert table["words a turn"] == pytest.approx(2, abs=0.01)
    assert (
        table["ends with a full stop"] == table["only a greeting"] == pytest.approx(1 / 3, abs=0.01)
    )
    assert table["i, of every I"] == table["no apostrophe, of every contraction"] == 0.5


def test_n_grams_that_one_side_says_more(tool: Any) -> None:
    manners = tool("manners")

    def side(text: str) -> Any:
        return manners.Side([manners.SpokenTurn(str(n), "yes", text) for n in range(40)])

    more = manners.strongest(side("that is fine"), side("it is fine"), 20)
    assert any("that" in gram for gram in more)
    assert "fine" not in more


def test_weights_are_written_line_by_line(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "en-speech.json"
    path.write_text('{\n"yes": ["yes", "sure"],\n\n"no": {"no": 2}\n}\n')
    file = tool("dyed").GrammarFile(path)
    file.write({"yes": {"yes": 30, "sure": 10}})
    assert path.read_text() == '{\n"yes": {"yes": 30, "sure": 10},\n\n"no": {"no": 2}\n}\n'


def test_ways_that_seem_real_gain_weight(tool: Any, tmp_path: Path) -> None:
    fitting, dyed = tool("fitting"), tool("dyed")
    path = tmp_path / "en-speech.json"
    path.write_text('{"yes": {"yes": 10, "indeed": 10}, "no": {"no": 1, "nay": 1}}')
    file = dyed.GrammarFile(path)
    turns = [fitting.DyedTurn("", [0]), fitting.DyedTurn("", [1])] * 50
    gains = fitting.effects(file, turns, fitting.np.array([1.0, -1.0] * 50))
    weights = fitting.moved(file, gains)
    assert weights["yes"]["yes"] > 2 * weights["yes"]["indeed"] > 0
    assert set(weights) == {"yes"}


def test_dyed_dialogues_say_the_same(tool: Any, tmp_path: Path) -> None:
    texts: list[list[str]] = []
    arguments = ["simulate", "--preset", "frames", "-n", "5", "--seed", "3", "--to", "native"]
    for number, start in enumerate((["-m", "dialoom"], ["training/dyed.py", str(GRAMMAR)])):
        out = tmp_path / str(number)
        command = [sys.executable, *start, *arguments, "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=dict(os.environ))
        events = (event for each in formats.load(out, None).dialogues() for event in each.events)
        texts.append([event.text for event in events if isinstance(event, Utterance)])
    read = [tool("dyed").GrammarFile(GRAMMAR).read(text) for text in texts[1]]
    assert [text for text, _ in read] == texts[0]
    assert all(ways for _, ways in read)
