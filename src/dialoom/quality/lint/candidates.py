"""Rules about replies on offer: suggestions, and the candidates of a ranking task."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue import Options
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.corpus_context import Needs
from dialoom.quality.lint.rule import CodeFound, check


@check("E621", "E622", "I621", needs=Needs.OPTIONS)
def _check_candidates(context: LintContext) -> Iterator[CodeFound]:
    for index, options in context.options:
        ids = {candidate.id for candidate in options.candidates}
        if options.choice is not None and options.choice not in ids:
            what = f"no candidate is called {options.choice!r}"
            yield "E621", f"/events/{index}/choice", what
        texts = {candidate.text for candidate in options.candidates}
        if not len(ids) == len(texts) == len(options.candidates):
            yield from _twice(options, f"/events/{index}/candidates")


def _twice(options: Options, pointer: str) -> Iterator[CodeFound]:
    """Find ids and texts that another candidate has; labels without a text may come twice."""
    ids: dict[str, int] = {}
    texts: dict[str, int] = {}
    for number, candidate in enumerate(options.candidates):
        first = ids.setdefault(candidate.id, number)
        if candidate.text is None:
            if first != number:
                yield "I621", f"{pointer}/{number}", f"{candidate.id} is candidate {first} as well"
            continue
        if first != number:
            yield "E622", f"{pointer}/{number}/id", f"candidate {first} is {candidate.id!r} as well"
        first = texts.setdefault(candidate.text, number)
        if first != number:
            what = f"{candidate.text!r} is candidate {first} as well"
            yield "I621", f"{pointer}/{number}/text", what
