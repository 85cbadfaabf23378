"""Debts of a study at its recruiter: the orders of a database, written to files or sent.

owed = Settlement.of("study.sqlite", limit=100.0)
owed.write(Path("settled"))                        # for upload by hand
owed.send(Path("journal"), os.environ).done        # or over the API
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from dialoom.collect.export import Collected
from dialoom.collect.log.store import Store
from dialoom.collect.recruiters.recruiter import Recruiter, RecruiterOrder
from dialoom.collect.recruiters.registry import recruiter_of
from dialoom.collect.settling import Journal, Sent, check_sum, orders, send, write_files
from dialoom.collect.studies import replayed
from dialoom.errors import UsageError


@dataclass(frozen=True)
class Settlement:
    """The orders of a study.

    Attributes:
        limit: The most that they may pay in all, in units of the study's currency.
    """

    recruiter: Recruiter
    name: str
    orders: Sequence[RecruiterOrder]
    currency: str
    limit: float

    @classmethod
    def of(cls, db: str, limit: float) -> Settlement:
        """Return the orders of a database; `UsageError` if its study has no recruiter."""
        with Store.open(db, create=False, readonly=True) as store:
            study, place = replayed(store, Collected(store).library), store.place
        settings = study.settings
        recruiter = recruiter_of(settings)
        if recruiter is None:
            raise UsageError(f"{place}: the study has no recruiter; it would be in its settings")
        asked = orders(study, recruiter)
        return cls(recruiter, settings.recruiter, asked, settings.currency, limit)

    def write(self, out: Path) -> None:
        """Write CSV files into a new folder; `UsageError` above the limit."""
        check_sum(self.orders, self.limit, self.currency)
        write_files(self.recruiter.files(self.orders), out)

    def send(self, journal: Path, credentials: Mapping[str, str]) -> Sent:
        """Send what the journal does not have yet.

        Raises:
            UsageError: It is above the limit, a credential is missing, or the recruiter cannot be
                reached.
        """
        known = Journal(journal)
        check_sum(filter(None, map(known.due, self.orders)), self.limit, self.currency)
        lacking = [name for name in self.recruiter.credentials if not credentials.get(name)]
        if lacking:
            raise UsageError(f"--send: {lacking[0]} is not set in the environment")
        try:
            with httpx.Client(timeout=60) as web:
                return send(self.recruiter, self.orders, known, web, credentials)
        except httpx.TransportError as error:
            raise UsageError(f"{self.name} cannot be reached: {error}") from error
