"""The metadata of a published folder in Croissant 1.1 (docs.mlcommons.org/croissant).

    {"@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1", "name": …,
     "distribution": [{"@type": "cr:FileObject", "@id": "train/turns.parquet", "sha256": …}],
     "recordSet": [{"@type": "cr:RecordSet", "@id": "turns-train", "field": [{…}, …]}],
     "rai:dataCollection": "…", "rai:dataLimitations": "…"}

Unknown facts are left out. Tables with nested columns are listed as files only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import read_bytes
from dialoom.quality.card import PERSON
from dialoom.quality.publishing.tables import HubTable, columns, tables

CONFORMS = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")

WORDS = """
arrayShape citeAs column containedIn equivalentProperty extract field fileObject fileProperty
fileSet format includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references
regex repeated replace samplingRate separator source subField transform
"""
"""Croissant's words that need no prefix."""

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{word: f"cr:{word}" for word in WORDS.split()},
}
"""The context that the specification prescribes."""

TYPES = {"string": "sc:Text", "int64": "cr:Int64"}
"""Arrow's type of a column to Croissant's; columns of lists have the type of their entries."""

LISTS = "list<"

RAI = {
    "dataCollection": ("obtained", "made"),
    "dataAnnotationProtocol": ("annotation",),
    "dataAnnotationAnalysis": ("agreement",),
    "dataPreprocessingProtocol": ("criteria", "sources"),
    "dataLimitations": ("linted",),
    "dataBiases": ("limits",),
    "personalSensitiveInformation": ("personal",),
}
"""Word of the vocabulary for responsible AI to the facts of the data card that say it."""

COLLECTED = {
    "simulated": "Software Collection",
    "collected": "Experiments",
    "written": "Manual Human Curator",
    "imported": "Secondary Data analysis",
}
"""Provenance of dialogues to the word of that vocabulary."""


def metadata(
    folder: Path, facts: Mapping[str, str], provenance: Iterable[str], release: tuple[str, str]
) -> bytes:
    """Return a folder's metadata; `release` has its version and its day (YYYY-MM-DD)."""
    listing = tables(folder)
    paths = dict.fromkeys(table.path for table in listing)
    value = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS),
        "name": msgspec.json.decode(facts["pretty_name"]),
        "description": " ".join(facts[what] for what in ("about", "summary") if what in facts),
        "license": facts.get("licence"),
        "url": facts.get("home"),
        "creator": [
            {"@type": "sc:Person", "name": name} for name in facts.get("creators", "").split(", ")
        ]
        if facts.get("creators")
        else None,
        "inLanguage": facts["languages"].split(", ") if "languages" in facts else None,
        "citeAs": facts["citation"].strip("`").removeprefix("bibtex").strip()
        if "citation" in facts
        else None,
        "version": release[0],
        "datePublished": release[1],
        "distribution": [_file(folder, path) for path in paths],
        "recordSet": [record for table in listing if (record := _records(folder, table))],
        "rai:dataCollectionType": [COLLECTED[each] for each in provenance if each in COLLECTED],
        **{f"rai:{word}": _answers(facts, names) for word, names in RAI.items()},
    }
    fields = {key: entry for key, entry in value.items() if entry}
    return msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n"


def _answers(facts: Mapping[str, str], names: Iterable[str]) -> str:
    return " ".join(facts[name].split(PERSON)[0].strip() for name in names if name in facts)


def _file(folder: Path, path: str) -> dict[str, Any]:
    data = read_bytes(folder / path)
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _records(folder: Path, table: HubTable) -> dict[str, Any] | None:
    """Return the record set of a table; None if it has nested columns."""
    name = f"{table.config}-{table.split}"
    fields = []
    for column, kind in columns(folder, table):
        entry = kind.removeprefix(LISTS).removesuffix(">").rpartition(": ")[2]
        if entry not in TYPES:
            return None
        field = {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "dataType": TYPES[entry],
            "source": {"fileObject": {"@id": table.path}, "extract": {"column": column}},
        }
        fields.append(field | ({"isArray": True, "arrayShape": "-1"} if LISTS in kind else {}))
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}
