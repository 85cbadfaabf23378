"""The prompts of all kinds of questions."""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.kinds import acts, choosing, saying
from dialoom.models.lm.prompt import Prompt

_ALL: tuple[type[Prompt], ...] = (
    *(choosing.ActionPrompt, choosing.ChoicePrompt, acts.ActsPrompt, acts.NextActsPrompt),
    *(saying.CallPrompt, saying.CallsPrompt, saying.StatePrompt, saying.ScopePrompt),
    *(saying.ReplyPrompt, saying.RealisePrompt, acts.FramesPrompt, acts.SpansPrompt),
)

PROMPTS: dict[type[Struct], type[Prompt]] = {prompt.kind: prompt for prompt in _ALL}
"""Kind of question to its prompt."""
