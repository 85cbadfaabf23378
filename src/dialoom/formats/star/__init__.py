"""STAR (Mosig et al. 2020): a folder with a JSON file for each dialogue, and task schemas.

    star/dialogues/12.json
    star/tasks/weather/{weather.json,responses.json,wizard_nlu_training_data.md}
    star/apis/apis/weather.json    star/apis/dbs/weather.json
    star/sam_schemas/weather.json  (the Schema Attention Model's richer schemas)

Version 7 (the published data), version 6 (the paper) and STARv2, with its labels and states of the
user's turns, are read, and written as they were read. In dialogues that follow a task file, dates
and times are written as the API files list them ("7:30 pm").

The published figures are the column of table 1, and table 8 (Mosig et al. 2020, appendix A).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from pathlib import Path

import msgspec

from dialoom.corpus.files import NOT_JSON, parse_json, write_synced
from dialoom.corpus.listing import UniqueNames, first_listed, listed, plain
from dialoom.corpus.traits import PublishedOrder, PublishedRow, Traits
from dialoom.dialogue import Dialogue, Origin
from dialoom.dialogue.event import Event
from dialoom.errors import DialoomError, MissingDataError
from dialoom.formats.base.framing import LIST, form_of, values
from dialoom.formats.base.multi_file import content, lacking
from dialoom.formats.base.signs import Signs
from dialoom.formats.star import lenient, raw, reading, version6, writing
from dialoom.formats.star.publishing import ValueListing
from dialoom.formats.star.tasks import read_tasks, write_tasks
from dialoom.schema.task import TaskSchema

HOTEL_SERVICE = (
    "hotel_ask_hotel",
    "ask_name",
    "hotel_ask_room_number",
    "hotel_ask_service_request",
    "hotel_ask_time",
    "query",
)
RIDE_BOOK = ("ask_name", "ride_ask_departure", "ride_ask_destination", "query_check")
"""Orders of questions, other than the released schema's, that give the paper's shares.

The paper does not list the actions it checked. In these two tasks the released schema's order is
more than 0.03 away, and exchanging two neighbouring questions gives the printed figures; we read it
as a flow chart that was changed after the analysis. It is an inference from the figures.
"""

TABLE_8 = {
    "apartment_schedule": PublishedOrder(0.95, 0.94, 5),
    "apartment_search": PublishedOrder(0.90, 0.90, 7),
    "bank_balance": PublishedOrder(0.97, 0.97, 3),
    "bank_fraud_report": PublishedOrder(0.97, 0.96, 3),
    "doctor_followup": PublishedOrder(0.98, 0.98, 4),
    "doctor_schedule": PublishedOrder(0.90, 0.90, 6),
    "hotel_book": PublishedOrder(0.95, 0.91, 6),
    "hotel_search": PublishedOrder(1.00, 1.00, 5),
    "hotel_service_request": PublishedOrder(0.66, 0.66, 6, HOTEL_SERVICE),
    "meeting_schedule": PublishedOrder(0.94, 0.94, 6),
    "party_plan": PublishedOrder(0.77, 0.77, 6),
    "party_rsvp": PublishedOrder(0.67, 0.67, 7),
    "plane_book": PublishedOrder(0.97, 0.94, 3),
    "plane_search": PublishedOrder(1.00, 1.00, 4),
    "restaurant_book": PublishedOrder(0.84, 0.84, 5),
    "restaurant_search": PublishedOrder(0.99, 0.99, 7),
    "ride_book": PublishedOrder(0.98, 0.95, 4, RIDE_BOOK),
    "ride_change": PublishedOrder(0.92, 0.92, 4),
    "ride_status": PublishedOrder(0.90, 0.90, 3),
    "spaceship_access_codes": PublishedOrder(0.88, 0.88, 5),
    "spaceship_life_support": PublishedOrder(0.99, 0.95, 4),
    "trip_directions": PublishedOrder(0.79, 0.76, 5),
    "trivia": PublishedOrder(1.00, 1.00, 2),
    "weather": PublishedOrder(1.00, 1.00, 2),
}
"""Table 8 by task; the mean it prints is 0.91 in both columns."""

TABLE_1 = PublishedRow(5_820, 13, 24, 127_833, 21.71, 11.20, True, True, True, True, "turns", 6_507)
"""The paper prints 21.71, but 127,833 / 5,820 is 21.96. It does not name the tokeniser."""


FOLDER = "dialogues/"

SIGNS = Signs("Events", "Scenario", "FORMAT-VERSION")

_DECODER = msgspec.json.Decoder(raw.Dialogue)
_ORIGIN = re.compile(rf"({FOLDER})?((?!\.)[^/\\\x00-\x1f]{{1,80}})\.json")
"""Names of files that are kept: in no folders except STAR's own, and not hidden."""
_NAME = re.compile(r"[^/]+\.json")
_STEM = re.compile(r"0|-?[1-9][0-9]{0,80}")


class StarFormat:
    """Reads and writes STAR's dialogues and task schemas."""

    name = "star"
    traits = Traits(
        published=TABLE_1, orders=TABLE_8, collected=True, schema_files=("STAR's tasks/",)
    )

    def detect(self, path: Path) -> bool:
        """True if `path` has STAR dialogues: the first file begins with STAR's keys."""
        file = first_listed(_folder(path), _NAME)
        try:
            return file is not None and lacking(file, SIGNS) == ""
        except DialoomError:
            return False

    def files(self, path: Path) -> list[Path]:
        """Return `path/dialogues/*.json[.gz]`, else `path/*.json[.gz]`, in numerical order."""
        folder = _folder(path)
        paths = listed(folder, _NAME)
        if not paths:
            raise MissingDataError(f"{folder}: no STAR dialogues (*.json) here", code="no-files")
        return paths

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogue of a file; or the dialogues of a list, as DialogStudio has them."""
        name, data = plain(file.relative_to(root).as_posix()), content(file)
        if form_of(data) != LIST:
            yield read(data, file, Origin(name))
            return
        for index, value in enumerate(values(data, file)):
            yield read(msgspec.json.encode(value), file, Origin(name, index))

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read the tasks next to the dialogues; empty if there are none."""
        folder = path if path.is_dir() else path.parent
        if folder.name == "dialogues" and not (folder / "tasks").is_dir():
            folder = folder.parent
        return read_tasks(folder) if (folder / "tasks").is_dir() else {}

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write a file for each dialogue under its old name, else `dialogues/<id>.json`.

        Dates and times are written as the tasks' API files list them (publishing.py).
        """
        listing = ValueListing(schemas)
        names = UniqueNames()
        folder: str | None = None
        for number, dialogue in enumerate(dialogues, start=1):
            home, stem = _place(dialogue, number)
            folder = home if folder is None else folder  # one for all, as `files` reads one
            stem = names.first(chain([stem], map(str, count(number))))
            data = writing.to_bytes(listing.dialogue(dialogue), number)
            write_synced(target / f"{folder}{stem}.json", data)
        write_tasks(dict(schemas), target)

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the file of a dialogue."""
        return writing.to_bytes(dialogues[0], 1)

    def event_name(self, event: Event) -> str:
        """Return STAR's name of an event: its agent and action."""
        return writing.event_name(event)


def read(data: bytes, file: Path, origin: Origin) -> Dialogue:
    """Return a file's dialogue; lenient.py reads what the typed records refuse."""
    try:
        record = _DECODER.decode(data)
        if record.version > version6.VERSION:
            return reading.dialogue(record, origin)
    except NOT_JSON:
        pass  # lenient.py reads it, or says what is wrong and where
    return lenient.read(parse_json(data, file), file, origin)


def _folder(path: Path) -> Path:
    below = path / "dialogues"
    return below if below.is_dir() else path


def _place(dialogue: Dialogue, number: int) -> tuple[str, str]:
    match = _ORIGIN.fullmatch(dialogue.origin.file) if dialogue.origin else None
    if match is None or (dialogue.origin and dialogue.origin.index is not None):
        return FOLDER, dialogue.id if _STEM.fullmatch(dialogue.id) else str(number)
    return match[1] or "", match[2]


FORMAT = StarFormat()
