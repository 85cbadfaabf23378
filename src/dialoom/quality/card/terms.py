"""The facts of a data card that are looked up: names, licence, citation."""

from __future__ import annotations

import msgspec

import dialoom
from dialoom.corpus import Corpus
from dialoom.errors import MissingDataError, UsageError
from dialoom.formats.native import NativeFormat
from dialoom.quality.card.measured import block
from dialoom.quality.catalogue import Entry, entries, identify

Facts = dict[str, str]
"""A fact's name in the template to its text."""


def terms(corpus: Corpus, name: str | None, *, catalogued: bool = True) -> Facts:
    """Return the facts in the manifest and the catalogue; `corpus` is the name in the catalogue.

    Raises:
        UsageError: `name` is a corpus of the catalogue that is not in this corpus's format.
    """
    known = identify(corpus) if catalogued else None
    if catalogued and name in entries():
        if corpus.format not in entries()[name].formats:
            formats = " or ".join(entries()[name].formats)
            raise UsageError(f"{name} is in the format {formats}, not {corpus.format}")
        known = name
    facts = {
        "name": name or known or corpus.path.resolve().stem,
        "format": corpus.format,
        "digest": corpus.digest,
        "version": dialoom.__version__,
        "source": "",
    }
    if known is not None:
        facts |= {"corpus": known} | _entry(entries()[known])
        facts["source"] = f", as a copy of {known} in dialoom's catalogue"
    facts |= _manifest(corpus)
    title = facts.get("pretty_name", facts["name"])
    facts["pretty_name"] = msgspec.json.encode(title).decode()  # YAML reads it as JSON does
    if licence := facts.get("licence"):
        facts["licence_tag"] = licence.split(" ")[0].lower()
    return {what: value for what, value in facts.items() if value or what == "source"}


def _entry(entry: Entry) -> Facts:
    return {
        "pretty_name": entry.title,
        "home": entry.home,
        "paper": entry.paper or "",
        "licence": entry.licence or "",
        "about": entry.about,
        "creators": entry.creators,
        "organisations": entry.organisations,
        "contact": entry.contact or "",
        "citation": block(entry.citation, "bibtex"),
        "languages": ", ".join(entry.languages),
        "language_list": f"[{', '.join(entry.languages)}]",
    }


def _manifest(corpus: Corpus) -> Facts:
    """Return the facts in a native corpus's manifest."""
    if corpus.format != "native" or not corpus.path.is_dir():
        return {}
    try:
        manifest = NativeFormat().manifest(corpus.path)
    except MissingDataError:
        return {}
    facts = {}
    if manifest.licence:
        facts["licence"] = manifest.licence
    if manifest.citation:
        facts["citation"] = block(manifest.citation, "bibtex")
    return facts
