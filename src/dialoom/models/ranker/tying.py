"""Ties the lines of several bots in training: those that mean the same become one template.

    reader.tie(tied(learnt, reader))

Bots differ in the line that they open with. The first one's policy and wording are fitted, and
the other bots' lines are read as lines in another wording are (adapting.py), from all of their
training dialogues.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dialoom.dialogue import SYSTEM, Utterance
from dialoom.learn.model import Examples
from dialoom.models.ranker.adapting import Adaptation, Wording, wording_of
from dialoom.models.ranker.lines import Line, LineReader
from dialoom.models.ranker.policy import Policy
from dialoom.models.ranker.reading import asking_of, read_questions
from dialoom.models.ranker.shortlist import CandidateLists

LEAST = 100
"""Fewest training questions of a bot whose lines are tied; other bots keep their own lines."""


def answers_of(learnt: Examples, reader: LineReader) -> list[Line]:
    """Return the right lines of training questions."""
    lists = CandidateLists(reader)
    return [lists.of(one.question).line(one.answer) for one in learnt]


def fitted(
    learnt: Examples, reader: LineReader, variants: Mapping[str, str]
) -> tuple[Policy, Wording]:
    """Return the policy and the wording of training; `variants` map templates to tied ones."""
    questions = [one.question for one in learnt]
    read, answers = read_questions(questions, reader), answers_of(learnt, reader)
    asking = asking_of(read, reader)
    templates = frozenset(line.template for line in answers if not line.is_call)
    policy = Policy(read, answers, asking, reader)
    return policy, wording_of(questions, asking, templates, reader, variants)


def tied(learnt: Examples, reader: LineReader) -> dict[str, str]:
    """Return the templates of all bots but the first, to its templates that mean the same."""
    first, *others = _bots(learnt, reader)
    if not others:
        return {}
    policy, wording = fitted(first, reader, {})
    asks = {slot: template for template, slot in sorted(wording.asking.slots.items())}
    found: dict[str, str] = {}
    for bot in others:
        own, questions = reader.copied(), [one.question for one in bot]
        adaptation = Adaptation(wording, policy, questions, read_questions(questions, own), own)
        adaptation.adapted()
        for template, meaning in adaptation.meanings.items():
            same = meaning.template or asks.get(meaning.slot)
            if same is not None:
                found.setdefault(template, same)
    return found


def _bots(learnt: Examples, reader: LineReader) -> list[Examples]:
    """Return the examples of each bot, the one with the most first."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    openings: dict[int, str] = {}
    for place, example in enumerate(learnt):
        dialogue = example.question.dialogue
        if id(dialogue) not in openings:
            said = (e for e in dialogue.events if isinstance(e, Utterance) and e.agent == SYSTEM)
            openings[id(dialogue)] = next((reader.line(e.text).template for e in said), "")
        found[openings[id(dialogue)]].append(place)
    groups = sorted(found.values(), key=len, reverse=True)
    bots = [group for group in groups if len(group) >= LEAST] or groups[:1]
    return [_taken(learnt, group) for group in bots]


def _taken(learnt: Examples, places: Sequence[int]) -> Examples:
    return [learnt[place] for place in places]
