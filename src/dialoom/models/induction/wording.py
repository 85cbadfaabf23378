"""Templates of texts, and clusters of templates with the same meaning.

delexicalised("Dr. Hill is free at 7 pm.", {"Dr. Hill": "doctor", "7 pm": "time"})
# "{doctor} is free at {time}."
grouped(Counter({"May I have your name?": 40, "What is your name?": 7}), encoder, least=3)
# {"May I have your name?": "May I have your name?", "What is your name?": "May I …"}
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import Constraint, Result
from dialoom.learn.text import Encoder
from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.once import Kept
from dialoom.schema.service_words import free, snake
from dialoom.schema.slot import Slot, is_truth
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import find, render

ALIKE = 0.6
"""Least similarity of a template to the head of its cluster."""

_SHORTEST = 2
"""Least letters of a value that is no number: shorter ones are mostly other words."""

_NAMED = 5
"""Most content words in the name of a cluster."""


def delexicalised(text: str, names: Mapping[str, str]) -> str:
    """Return a text with placeholders for values, the longest first; case does not count.

    `names` maps values, as in texts, to names of placeholders.
    """
    template = " ".join(text.replace("{", "(").replace("}", ")").split())
    owners: dict[str, str] = {}
    for value, name in names.items():
        form = " ".join(value.split()).lower()
        if len(form) >= _SHORTEST or form.isdigit():
            owners.setdefault(form, name)
    if not owners:
        return template
    ordered = "|".join(map(re.escape, sorted(owners, key=len, reverse=True)))

    def place(match: re.Match[str]) -> str:
        name = owners.get(match[0].lower())
        return match[0] if name is None else f"{{{name}}}"

    return re.sub(rf"(?<!\w)(?:{ordered})(?!\w)", place, template, flags=re.IGNORECASE)


def shown_values(result: Result | None, constraints: Iterable[Constraint]) -> dict[str, str]:
    """Return value to its name, for the values of a result's first row and of its query.

    The elements of a list, which may be said one by one, have the list's name. `constraints` are
    those of the query.
    """
    row = result.items[0] if result and result.items else {}
    names = {
        str(each): name
        for name, value in row.items()
        for each in (value if isinstance(value, list | tuple) else (value,))
        if _nameable(each)
    }
    return {str(c.value): c.slot for c in constraints if _nameable(c.value)} | names


def _nameable(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


AGREED = 0.9
"""Least share of a node's answers that agree with the value of one of several yes-or-no slots."""


class UserWording:
    """Makes templates of users' texts by the values of their dialogue's queries.

    A yes or no fits all slots with such values, so if there are several, it gives the one whose
    values agree with the answers to the same node in all dialogues (`observe`), or none.
    """

    def __init__(self, slots: Mapping[str, Slot], language: str) -> None:
        self._slots, self._language = dict(slots), language
        self._forms = Kept(self._said_as)
        truths = frozenset(name for name, slot in slots.items() if is_truth(slot, language))
        self._truths = truths if len(truths) > 1 else frozenset()
        self._answers = Counter[str]()
        self._agreeing: dict[str, Counter[str]] = defaultdict(Counter)

    def observe(self, node: str, text: str, constraints: Iterable[Constraint]) -> None:
        """Count the yes-or-no slots whose values agree with an answer to a node."""
        own = [each for each in constraints if each.slot in self._truths]
        agreeing = {each.slot for each in own if placeholders(self._template(text, [each]))}
        self._answers[node] += bool(agreeing)
        self._agreeing[node].update(sorted(agreeing))

    def said(self, text: str, constraints: Iterable[Constraint], node: str) -> str:
        """Return an answer to a node as a template with placeholders for values of constraints."""
        least = AGREED * self._answers[node]
        ((best, times),) = self._agreeing[node].most_common(1) or [("", 0)]
        others = self._truths - {best if times >= least else ""}
        return self._template(text, [each for each in constraints if each.slot not in others])

    def _template(self, text: str, constraints: Iterable[Constraint]) -> str:
        pairs = (
            (c.slot, value) for c in constraints for value in c.values if c.slot in self._slots
        )
        names = {
            form: self._slots[parameter].name
            for parameter, value in dict.fromkeys((name, str(value)) for name, value in pairs)
            for form in self._forms[parameter, value]
        }
        return delexicalised(text, names)

    def _said_as(self, pair: tuple[str, str]) -> tuple[str, ...]:
        parameter, value = pair
        slot = self._slots[parameter]
        mentions = find(value, (slot,), self._language)
        whole = [m.value for m in mentions if (m.start, m.end) == (0, len(value))]
        forms = render(slot, whole[0], self._language) if whole else ()
        return tuple(dict.fromkeys((value, *forms)))


def placeholders(text: str) -> frozenset[str]:
    """Return the names of a template's placeholders."""
    return frozenset(match[1] for match in PLACEHOLDER.finditer(text))


def grouped(counts: Counter[str], encoder: Encoder, least: int) -> dict[str, str]:
    """Return template to the head of its cluster.

    Greedy clustering in descending order of counts: a template joins the cluster with the most
    similar head, if the similarity is at least `ALIKE`, else becomes the head of a new one.
    Clusters with fewer than `least` occurrences are left out. The encoder is fitted here.
    """
    ordered = sorted(counts, key=lambda text: (-counts[text], text))
    encoder.fit(ordered)
    plain = [PLACEHOLDER.sub(" ", text) for text in ordered]
    alike = encoder.similarity(plain, plain)
    heads: list[int] = []
    group: dict[str, str] = {}
    sizes = Counter[str]()
    for place, text in enumerate(ordered):
        best = max(heads, key=lambda head: alike[place, head], default=None)
        if best is None or alike[place, best] < ALIKE:
            heads.append(place)
            best = place
        group[text] = ordered[best]
        sizes[ordered[best]] += counts[text]
    return {text: head for text, head in group.items() if sizes[head] >= least}


def named(heads: Iterable[str], language: str, old_names: Iterable[str]) -> dict[str, str]:
    """Return head of a cluster to its name: its first content words, and none of `old_names`."""
    stop = lexicon(language).stop
    names: dict[str, str] = {}
    for head in heads:
        tokens = words(PLACEHOLDER.sub(" ", head))
        content = [word for word in tokens if word not in stop] or tokens
        names[head] = free(
            snake(" ".join(content[:_NAMED]) or "reply"), {*old_names, *names.values()}
        )
    return names


LEAST = 0.3
"""The least similarity of two actions that are matched."""


def matched(
    guesses: Mapping[str, Sequence[str]], gold: Mapping[str, Sequence[str]], encoder: Encoder
) -> dict[str, str]:
    """Return gold action to the induced one that it matches.

    Queries are matched by name, replies by the largest sum of similarities over all pairs (the
    assignment problem). `guesses` and `gold` map actions to their templates, none for a query. The
    encoder is fitted here.
    """
    from scipy.optimize import linear_sum_assignment

    ours, theirs = ([n for n, texts in each.items() if texts] for each in (guesses, gold))
    same = {name: name for name, texts in gold.items() if not texts and name in guesses}
    if not ours or not theirs:
        return same
    left, right = (
        [_plain(each[n][0]) for n in names] for each, names in ((gold, theirs), (guesses, ours))
    )
    encoder.fit([*left, *right])
    alike = encoder.similarity(left, right)
    rows, columns = linear_sum_assignment(-alike)
    pairs = zip(rows, columns, strict=True)
    return same | {theirs[r]: ours[c] for r, c in pairs if alike[r, c] >= LEAST}


def _plain(text: str) -> str:
    return " ".join(PLACEHOLDER.sub(" ", text).split())
