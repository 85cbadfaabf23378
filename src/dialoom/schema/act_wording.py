"""A language's words for the automaton's acts: `lang/…-automaton.json`.

wording("en").user["SELECT"]       # ("That sounds good.", …)
wording("en").lists["CONFIRM"]     # …
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dialoom.schema.lexicon import texts_of


class Concept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"without": "not"}):
    """A meaning that slots of several services share, recognised by the words of their names.

    Attributes:
        name: Its name.
        words: Words of which a slot's name has at least one.
        without: Words of which a slot's name has none.
    """

    name: str
    words: frozenset[str]
    without: frozenset[str] = frozenset()


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template of a sentence that lists slots.

    Attributes:
        wrap: The sentence, with `<list>` for the elements.
        item: An element with a value, with `<slot>` and `{value}`.
        yes: An element of a yes-no slot whose value is yes, or without a value.
        no: An element of a yes-no slot whose value is no.
        any: An element for a slot without a preference.
        example: An element with several values to choose from.
        own: Whether a slot may have a text of its own (`ServiceMetadata.say`).
    """

    wrap: str
    item: str
    yes: str
    no: str = ""
    any: str = ""
    example: str = ""
    own: bool = False


class ActWording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-automaton.json`; of several texts one is drawn.

    Attributes:
        user: Act of the user to sentences.
        system: Act of the system to sentences.
        carry: Sentences that take values over from another service.
        answer: Answers that are a value alone.
        answer_yes: Answers to yes-no slots whose value is yes.
        answer_no: Answers to yes-no slots whose value is no.
        answer_any: Answers without a preference.
        lists: Kind of list of slots to its templates.
        between: Separator of the elements of a list.
        last: Separator before the last element.
        either: Separator before the last of several values to choose from.
        cut: First words that are left out of a spoken name: has, is, …
        of: Words after the head noun of a name ("of" in `date_of_event`).
        concepts: Meanings that slots of several services share.
    """

    user: dict[str, tuple[str, ...]]
    system: dict[str, tuple[str, ...]]
    carry: tuple[str, ...]
    answer: tuple[str, ...]
    answer_yes: tuple[str, ...]
    answer_no: tuple[str, ...]
    answer_any: tuple[str, ...]
    lists: dict[str, tuple[Way, ...]]
    between: str
    last: str
    either: str = msgspec.field(name="or")
    cut: frozenset[str]
    of: frozenset[str]
    concepts: tuple[Concept, ...]


@lru_cache(maxsize=8)
def wording(language: str = "en") -> ActWording:
    """Return a language's templates.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "automaton", "the automaton", ActWording)
