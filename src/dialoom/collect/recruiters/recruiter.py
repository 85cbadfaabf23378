"""The interface to a recruiting platform: ids in its links, the way back to it, approval and pay.

A submission is one participation of a worker as the recruiter counts it. It may consist of several
assignments of the same worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from dialoom.collect.settings import Settings
from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError, clip
from dialoom.registry import Registry

if TYPE_CHECKING:
    from httpx import Client, Response

Source = Mapping[str, str]
"""The query parameters of the link with which a worker came to the study."""

OrderKind = Literal["approve", "reject", "bonus"]


def amount(cents: int) -> str:
    """Return cents with a decimal point, such as "1.50"."""
    return f"{cents // 100}.{cents % 100:02}"


class RecruiterOrder(Struct, frozen=True, kw_only=True):
    """An order to a recruiter: to approve or reject a submission, or to pay a bonus.

    Attributes:
        source: All parameters of the link with which the worker came.
        cents: The bonus in cents; 0 for other orders.
        reward: Cents that the recruiter pays with an approval; 0 for other orders.
        key: The order's key in the journal; the same order has the same key in each run.
    """

    kind: OrderKind
    submission: str
    worker: str
    source: dict[str, str]
    cents: int = 0
    reward: int = 0
    reason: str = ""
    key: str = ""

    @property
    def amount(self) -> str:
        """The bonus with a decimal point, such as "1.50"."""
        return amount(self.cents)


class WorkOffer(Struct, frozen=True, kw_only=True):
    """Work that a recruiter is to offer to its workers.

    Attributes:
        address: The study's link, without parameters.
        reward: Cents for an approved submission.
        number: The number of workers.
        minutes: The expected minutes of the work.
        days: The days that it is offered, where the recruiter ends it by itself.
    """

    address: str
    reward: int
    number: int
    minutes: int
    days: int = 7


class OrderRefusedError(DialoomError):
    """A recruiter refuses to carry out an order; the message is its reason."""

    code = "refused"


def accepted(answer: Response) -> dict[str, Any]:
    """Return what the API answers, if it is a JSON object; `OrderRefusedError` if it refuses."""
    if not answer.is_success:
        raise OrderRefusedError(f"{answer.status_code}: {clip(answer.text, 300)}")
    body = answer.json() if answer.content else {}
    return body if isinstance(body, dict) else {}


class PostForm(Struct, frozen=True):
    """A form that the last page posts to the recruiter: its address and fields."""

    address: str
    fields: dict[str, str]


class Recruiter(Protocol):
    """A recruiting platform; classes of platforms inherit the defaults here.

    Attributes:
        worker: The parameter of the link that holds the worker's id.
        submission: The parameter of the link that holds the submission's id.
        required: The parameters without which nobody is let in.
        credentials: The environment variables with the credentials of the API.
        repeatable: The kinds of orders that are carried out once even if they are sent again.
        sites: The origins that may show the pages in a frame and receive their forms.
        currency: The currency of its payments; empty where the account's is not known.
    """

    worker: str
    submission: str
    required: tuple[str, ...]
    credentials: tuple[str, ...]
    repeatable: tuple[OrderKind, ...]
    sites: tuple[str, ...] = ()
    currency: str = ""

    def is_preview(self, source: Source) -> bool:
        """True if the page is a preview, before the worker has accepted the work."""
        return False

    def confirms(self, web: Client, source: Source, credentials: Mapping[str, str]) -> bool:
        """Ask the recruiter's API whether a submission is the worker's; False if it is not.

        By default True, for an API that cannot confirm work under way.
        """
        return True

    def request(self, settings: Settings, offer: WorkOffer) -> dict[str, Any]:
        """Return the request that creates work; `UsageError` if the settings do not allow it."""

    def create(
        self, web: Client, request: Mapping[str, Any], credentials: Mapping[str, str], *, test: bool
    ) -> str:
        """Send such a request, with `test` to the sandbox; return what was created, in words.

        Raises:
            OrderRefusedError: The recruiter refuses it.
            UsageError: There is no sandbox.
        """

    def redirect(self, code: str) -> str | None:
        """Return the recruiter's address for a completion code; None where there is none."""
        return None

    def form(self, source: Source, code: str) -> PostForm | None:
        """Return the form that submits the work to the recruiter; None where there is none."""
        return None

    def files(self, orders: Iterable[RecruiterOrder]) -> dict[str, list[list[str]]]:
        """Return file name to the table for upload on the recruiter's own pages."""

    def send(self, web: Client, order: RecruiterOrder, credentials: Mapping[str, str]) -> None:
        """Send an order; after an `httpx.TransportError` it may have been carried out."""


RECRUITERS: Registry[Recruiter] = Registry(
    "recruiter",
    "dialoom.recruiters",
    {
        "mturk": "dialoom.collect.recruiters.mturk:RECRUITER",
        "prolific": "dialoom.collect.recruiters.prolific:RECRUITER",
    },
)


def recruiter_of(settings: Settings) -> Recruiter | None:
    """Return the recruiter of the settings, if any; `UnknownNameError` for another name."""
    return RECRUITERS.get(settings.recruiter) if settings.recruiter else None
