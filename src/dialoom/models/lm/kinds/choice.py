"""The prompt of Choice: the right one of several candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dialoom.dialogue import Choice, Question
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.options import OptionPrompt


class ChoicePrompt(OptionPrompt):
    """Asks which candidate the system says next."""

    kind: ClassVar[type[Struct]] = Choice
    instruction: ClassVar[str] = (
        "You are given the dialogue so far, with calls and results of a knowledge base, and "
        "candidates for the system's next utterance. Choose the one that the system says next."
    )

    def options(self, question: Question[Any]) -> Mapping[str, str]:
        """Return the candidates with their texts."""
        return {each.id: each.text or each.id for each in question.asked.candidates}
