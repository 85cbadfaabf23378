"""What a recruiter is to a study: parameters of its address, the way back, orders to pay.

A submission is what the recruiter calls somebody's participation; one assignment or several of the
same worker belong to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, Protocol

from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError

if TYPE_CHECKING:
    from httpx import Client

Source = Mapping[str, str]
"""The query parameters of the address by which somebody came to the study."""

OrderKind = Literal["approve", "reject", "bonus"]


class RecruiterOrder(Struct, frozen=True, kw_only=True):
    """Something that a recruiter is asked to do about a submission.

    Attributes:
        kind: What.
        submission: The recruiter's id of it.
        worker: The recruiter's id of the worker.
        source: All parameters with which they came.
        cents: The bonus; 0 for the others.
        reason: What the worker is told.
        key: Tells orders apart: the same one has the same key at each run.
    """

    kind: OrderKind
    submission: str
    worker: str
    source: dict[str, str]
    cents: int = 0
    reason: str = ""
    key: str = ""

    @property
    def amount(self) -> str:
        """The bonus as recruiters write it, as "1.50"."""
        return f"{self.cents // 100}.{self.cents % 100:02}"


class OrderRefusedError(DialoomError):
    """An order that a recruiter refuses to carry out, with its reason."""


class PostForm(Struct, frozen=True):
    """A form that the last page posts to the recruiter: its address and fields."""

    address: str
    fields: dict[str, str]


class Recruiter(Protocol):
    """A platform that people are recruited on.

    Attributes:
        worker: The parameter that brings the worker's id.
        submission: The parameter that brings the submission's id.
        required: Parameters without which nobody is let in.
        credentials: Variables of the environment that its API needs.
        repeatable: Orders that the recruiter carries out once however often they come.
    """

    worker: str
    submission: str
    required: tuple[str, ...]
    credentials: tuple[str, ...]
    repeatable: tuple[OrderKind, ...]

    @property
    def sites(self) -> tuple[str, ...]:
        """Origins that may show the pages in a frame and take their forms."""

    def is_preview(self, source: Source) -> bool:
        """Tell whether somebody only looks at the work, and has not taken it on."""

    def redirect(self, code: str) -> str | None:
        """Return the address that takes a completion code, or None."""

    def form(self, source: Source, code: str) -> PostForm | None:
        """Return the form that hands the submission in, or None."""

    def files(self, orders: Iterable[RecruiterOrder]) -> dict[str, list[list[str]]]:
        """Return tables, by file name, that the recruiter's own pages take."""

    def send(self, web: Client, order: RecruiterOrder, credentials: Mapping[str, str]) -> None:
        """Have an order carried out over the recruiter's API.

        Raises:
            OrderRefusedError: The recruiter does not carry it out.
            httpx.TransportError: It is not known whether it did.
        """
