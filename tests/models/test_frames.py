"""Values, features and readers of the models that track frames."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dialoom.dialogue import Argument, Frame, FrameValue
from dialoom.models.frames.turn import BARE, FrameHistory, alike, contained, fit, numbers_alike


def test_values_are_alike_by_letters_and_by_numbers() -> None:
    assert alike("Sept 9", "sept. 9") > alike("Sept 9", "October 9")
    assert contained("Alder", "The Alder Inn") == 1
    assert numbers_alike("27th", "august 27") == 1
    assert numbers_alike("4.0", "4 stars") == 1
    assert numbers_alike("soon", "9") != numbers_alike("soon", "9"), "nothing to compare"


def test_equal_values_of_other_types_are_told_apart_whichever_came_first() -> None:
    assert alike(1, "1") == alike("1", "1") == 1
    assert alike(True, "1") < 1
    assert alike(1.0, "1.0") == 1


def test_an_argument_fits_what_a_frame_has_and_what_was_told_of_it() -> None:
    frame = Frame(2, 1, {"str_date": (FrameValue("august 27"),), "name": (FrameValue("Alder"),)})
    history = FrameHistory(frame, stated_slots={"price": None, "name": "Alder"})
    assert fit(Argument("str_date", ("27th",)), history).matches
    assert fit(Argument("str_date", ("28th",)), history).differs
    name_fit = fit(Argument("name", ("alder",)), history)
    assert name_fit.matches
    assert name_fit.stated == pytest.approx(1)
    price_fit = fit(Argument("price"), history)
    assert price_fit.stated == BARE
    assert not price_fit.matches
    assert not price_fit.differs


READ = """
from dialoom.dialogue import Act, Argument
from dialoom.learn.crf import HeardText
from dialoom.models.frames.nlu import ActReader
said = [HeardText(w, w.split(), [(0, 2)], "") for w in ("ab", "cd", "ab", "cd")]
acts = [tuple(Act(n, (Argument(n + "s"),)) for n in "pqrstu"[k:]) for k in (0, 3, 0, 3)]
reader = ActReader()
reader.fit(said * 4, acts * 4, 0)
print(reader.read(said))
"""


def test_acts_are_read_in_the_same_order_whatever_strings_hash_to() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", READ],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    (output,) = outputs
    assert "Act(name='p'" in output
