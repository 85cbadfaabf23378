"""Rules about frames: whether those that an annotation speaks of are there (Frames)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dialoom.dialogue import GOLD, Act, Argument, Reference
from dialoom.formats.frames.dialogues import WITHOUT
from dialoom.quality.lint.context import LintContext, LocatedPart
from dialoom.quality.lint.rule import CodeFound, check


@check("E611", "E612", "E613", needs="frames")
def _check_frames(context: LintContext) -> Iterator[CodeFound]:
    ids: frozenset[int] = frozenset()
    for place in context.gold():
        if place.part.frames is not None:
            ids = frozenset(frame.id for frame in place.part.frames)
            yield from _frames(place, ids)
        active = place.part.active_frame
        if active is not None and active not in ids:
            yield "E613", f"{place.pointer}/active_frame", _absent(active, ids)


def _frames(place: LocatedPart, ids: frozenset[int]) -> Iterator[CodeFound]:
    past_ids: set[int] = set()
    for number, frame in enumerate(place.part.frames or ()):
        pointer = f"{place.pointer}/frames/{number}"
        if frame.id in past_ids:
            yield "E611", f"{pointer}/id", f"another frame is number {frame.id} as well"
        past_ids.add(frame.id)
        if frame.parent is not None and frame.parent not in ids:
            yield "E612", f"{pointer}/parent", _absent(frame.parent, ids)


def _absent(number: int, ids: Iterable[int]) -> str:
    numbers = ", ".join(map(str, sorted(ids)))
    return f"there is no frame {number}; there {f'are {numbers}' if numbers else 'is none'}"


@check("E614", "W611", needs="frames")
def _check_references(context: LintContext) -> Iterator[CodeFound]:
    ids: frozenset[int] = frozenset()
    plain: Counter[str] = Counter()
    for place in context.parts:
        if place.source == GOLD:
            if place.part.frames is not None:
                ids = frozenset(frame.id for frame in place.part.frames)
            for number, index, argument in place.arguments():
                for at, reference in _inner(argument, place.argument(number, index)):
                    if reference.frame not in ids:
                        yield "E614", f"{at}/frame", _absent(reference.frame, ids)
            plain = Counter(map(_flat, place.part.acts or ()))
        elif place.source == WITHOUT:
            without = Counter(map(_flat, place.part.acts or ()))
            if without != plain:
                only = [*(without - plain), *(plain - without)]
                yield "W611", f"{place.pointer}/acts", f"only one version has {only[0]}"


def _inner(argument: Argument, pointer: str) -> Iterator[tuple[str, Reference]]:
    for number, reference in enumerate(argument.references):
        at = f"{pointer}/references/{number}"
        yield at, reference
        for index, inner in enumerate(reference.arguments or ()):
            yield from _inner(inner, f"{at}/arguments/{index}")


def _flat(act: Act) -> str:
    values = ", ".join(sorted(_values(act.arguments)))
    return f"{act.name}({values})"


def _values(arguments: Iterable[Argument]) -> Iterator[str]:
    for argument in arguments:
        if argument.references:
            for reference in argument.references:
                yield from _values(reference.arguments or ())
        else:
            values = "/".join(map(str, argument.values))
            yield f"{argument.slot} = {values}" if argument.values else argument.slot
