"""Licences: their names on the Hugging Face Hub, and whether a converted copy may be passed on."""

from __future__ import annotations

import msgspec

_HUB = """
apache-2.0 mit afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda
cc cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0
cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 ecl-2.0
epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 lgpl lgpl-2.1
lgpl-3.0 isc mpl-2.0 ms-pl odc-by odbl osl-3.0 pddl unlicense wtfpl zlib
"""
HUB = frozenset(_HUB.split())
"""Licences of data and code that the Hub's page on dataset cards lists."""

OPEN = ("bsd",)
"""First letters of licences without a name of their own on the Hub that allow redistribution."""


def tag(licence: str) -> str:
    """Return the value of a dataset card's `license`, with `license_name` on a line of its own."""
    word = _word(licence)
    if word in HUB:
        return word
    return f"other\nlicense_name: {msgspec.json.encode(licence).decode()}"


def objection(licence: str | None, choice: str | None) -> str:
    """Return why a copy may not be passed on, or empty; a `licence` of None is unknown."""
    if not licence:
        return "no licence of it is known"
    word = _word(licence)
    if word not in HUB and not word.startswith(OPEN):
        return f"dialoom does not know whether {licence!r} allows redistribution"
    if "-nd" in word:
        return f"{licence} forbids passing on a changed copy, such as a converted one"
    if ("-sa" in word or "-nc" in word) and _word(choice or "") != word:
        return f"{licence} must be the licence of copies as well, not {choice or 'none'}"
    return ""


def _word(licence: str) -> str:
    return licence.split(" ")[0].lower()
