"""The facts of a data card that are looked up: names, licence, citation; what licences allow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

import dialoom
from dialoom.corpus import Corpus
from dialoom.corpus.files import read_bytes
from dialoom.corpus.shards import COLLECTED, Manifest
from dialoom.errors import MissingDataError, UsageError
from dialoom.formats.native import NativeFormat
from dialoom.quality.card.measured import block, escape
from dialoom.quality.catalogue import Entry, entries, identify
from dialoom.sim.core.plan import Plan

EDGE = "---"
"""The line before and after the YAML at the head of a README.md."""

SIMULATED = Plan.kind
"""The manifest's key for the record of a simulation."""

OPTIONS = ("preset", "number", "seed", "scenario", "brief", "digress", "wizard_noise")
"""Settings in that record that are options of `dialoom simulate`, by the same names."""

_HEAD = re.compile(r"---\r?\n(.*?)\n---", re.DOTALL)

Facts = dict[str, str]
"""A fact's name in the template to its text."""


def terms(
    corpus: Corpus, name: str | None, *, catalogued: bool = True, own: Facts | None = None
) -> Facts:
    """Return the facts of manifest and catalogue; those of `own` replace them."""
    original = identify(corpus) if catalogued else None
    if catalogued and name in entries():
        if corpus.format not in entries()[name].formats:
            formats = " or ".join(entries()[name].formats)
            raise UsageError(
                f"{name} is in the format {formats}, not {corpus.format}", code="other-format"
            )
        original = name
    facts = {
        "name": name or original or corpus.path.resolve().stem,
        "format": corpus.format,
        "digest": corpus.digest,
        "version": dialoom.__version__,
        "source": "",
    }
    if original is not None:
        facts |= {"corpus": original} | _entry(entries()[original])
        facts["source"] = f", as a copy of {original} in dialoom's catalogue"
    elif catalogued and any(corpus.format in each.formats for each in entries().values()):
        facts["source"] = f"; an unknown corpus in the layout of {corpus.format}"
    facts |= _manifest(corpus) | _readme(corpus) | (own or {})
    title = facts.get("pretty_name", facts["name"])
    facts["pretty_name"] = msgspec.json.encode(title).decode()  # YAML reads it as JSON does
    if licence := facts.get("licence"):
        facts["licence_tag"] = tag(licence)
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


def other_keys(corpus: Corpus, head: str) -> str:
    """Return what the head of a corpus's README.md has besides a new one: its configurations."""
    import yaml

    own = yaml.safe_load(head)
    rest = {key: value for key, value in _head(corpus).items() if key not in own}
    return yaml.safe_dump(rest, sort_keys=False, allow_unicode=True) if rest else ""


def _head(corpus: Corpus) -> dict[str, Any]:
    import yaml  # deferred: only a corpus with such a file needs it

    file = corpus.root / "README.md"
    if not file.is_file():
        return {}
    head = _HEAD.match(read_bytes(file).decode("utf-8-sig", "replace"))
    try:
        value = yaml.safe_load(head[1]) if head else None
    except yaml.YAMLError:
        return {}
    return value if isinstance(value, dict) else {}


def _readme(corpus: Corpus) -> Facts:
    head = _head(corpus)
    names = {"pretty_name": "pretty_name", "license": "licence"}
    facts = {fact: head[key] for key, fact in names.items() if isinstance(head.get(key), str)}
    return {fact: text for fact, text in facts.items() if text != "unknown"}


def _manifest(corpus: Corpus) -> Facts:
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
    return facts | _recorded(manifest)


def _recorded(manifest: Manifest) -> Facts:
    runs = {name: run for name, run in manifest.extra.items() if isinstance(run, dict)}
    study = runs.get(COLLECTED, {})
    sections = [f"The manifest records that they were {name} with these settings:\n\n"
            f"{block(_spelled(run), 'json')}" for name, run in runs.items()]  # fmt: skip
    if "preset" in runs.get(SIMULATED, {}):
        sections.insert(
            0, f"The command that simulates them:\n\n{block(_command(runs[SIMULATED]))}"
        )
    if sections and manifest.schemas:
        sections.append(f"Digests of the schemas:\n\n{block(_spelled(manifest.schemas), 'json')}")
    facts = {"made": "\n\n".join(sections), "consent": str(study.get("consent", ""))}
    if isinstance(pay := study.get("pay"), dict):
        amounts = ", ".join(f"{escape(what)} {amount}" for what, amount in pay.items())
        facts["pay"] = f"Pay, in cents: {amounts}."
    return facts


def _command(run: Mapping[str, Any]) -> str:
    values = {name: run[name] for name in OPTIONS if isinstance(run.get(name), str | int | float)}
    if isinstance(tasks := run.get("tasks"), dict):
        values["tasks"] = ",".join(tasks)
    options = (f"--{name.replace('_', '-')} {value}" for name, value in values.items())
    return f"dialoom simulate {' '.join(options)} --to native --out DIR"


def _spelled(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


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
