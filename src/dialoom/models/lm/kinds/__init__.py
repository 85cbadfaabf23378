"""The prompts of all kinds of questions."""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.kinds.action import ActionPrompt
from dialoom.models.lm.kinds.acts import ActsPrompt
from dialoom.models.lm.kinds.call import CallPrompt
from dialoom.models.lm.kinds.choice import ChoicePrompt
from dialoom.models.lm.kinds.frames import FramesPrompt
from dialoom.models.lm.kinds.next_acts import NextActsPrompt
from dialoom.models.lm.kinds.realise import RealisePrompt
from dialoom.models.lm.kinds.reply import ReplyPrompt
from dialoom.models.lm.kinds.scope import ScopePrompt
from dialoom.models.lm.kinds.spans import SpansPrompt
from dialoom.models.lm.kinds.state import StatePrompt
from dialoom.models.lm.prompt import Prompt

_ALL: tuple[type[Prompt], ...] = (
    ActionPrompt,
    ActsPrompt,
    CallPrompt,
    ChoicePrompt,
    FramesPrompt,
    NextActsPrompt,
    RealisePrompt,
    ReplyPrompt,
    ScopePrompt,
    SpansPrompt,
    StatePrompt,
)

PROMPTS: dict[type[Struct], type[Prompt]] = {prompt.kind: prompt for prompt in _ALL}
"""Kind of question to its prompt."""
