"""The recruiter Prolific (docs.prolific.com).

Prolific opens the study's link with the parameters PROLIFIC_PID, STUDY_ID and SESSION_ID. At the
end people go back to `https://app.prolific.com/submissions/complete?cc=CODE`. An approved
submission is paid the reward that is set at Prolific. A bonus takes two requests to the API; the
second one pays again each time it is repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dialoom.collect.recruiters.recruiter import (
    OrderKind,
    Recruiter,
    RecruiterOrder,
    Source,
    WorkOffer,
    accepted,
)
from dialoom.collect.settings import Settings
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from httpx import Client

DEVICES = ("desktop", "tablet", "mobile")

REVIEW = {"action": "MANUALLY_REVIEW"}


def _codes(settings: Settings) -> list[dict[str, Any]]:
    kinds = dict.fromkeys(settings.codes.values(), "OTHER")
    kinds[settings.codes["completed"]] = "COMPLETED"
    return [{"code": code, "code_type": kind, "actions": [REVIEW]} for code, kind in kinds.items()]


def _peripherals(settings: Settings) -> list[str]:
    kinds = {stage.kind for stage in settings.stage_list}
    spoken, audible = "spoken" in kinds, "transcription" in kinds
    return [name for name, on in (("microphone", spoken), ("audio", spoken or audible)) if on]


def _filters(settings: Settings) -> list[dict[str, Any]]:
    least = {"approval_rate": settings.approval, "approval_numbers": settings.approved}
    return [
        {"filter_id": name, "selected_range": {"lower": ceil(value)}}
        for name, value in least.items()
        if value is not None
    ]


API = "https://api.prolific.com/api/v1"

COMPLETE = "https://app.prolific.com/submissions/complete?cc="

SHORTEST_MESSAGE = 100
"""The fewest characters of the message to a worker about a rejection."""

MORE = (
    "Your submission was rejected for this reason by the researchers who run the study."
    " If you think that this is a mistake, please write to them."
)
"""The text added to a reason that is shorter than Prolific accepts."""


class Prolific(Recruiter):
    """Prolific as a study's recruiter."""

    worker = "PROLIFIC_PID"
    submission = "SESSION_ID"
    required: tuple[str, ...] = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    credentials: tuple[str, ...] = ("PROLIFIC_TOKEN",)
    repeatable: tuple[OrderKind, ...] = ("approve", "reject")

    def confirms(self, web: Client, source: Source, credentials: Mapping[str, str]) -> bool:
        """False if Prolific has no such submission, or one of another worker or study."""
        path = f"{API}/submissions/{quote(source['SESSION_ID'], safe='')}/"
        headers = {"Authorization": f"Token {credentials['PROLIFIC_TOKEN']}"}
        answer = web.get(path, headers=headers)
        if answer.status_code in (400, 404):
            return False
        answer.raise_for_status()
        submission = answer.json()
        worker = submission.get("participant", submission.get("participant_id"))
        ids = (source["PROLIFIC_PID"], source["STUDY_ID"])
        return (worker, submission.get("study_id")) == ids

    def request(self, settings: Settings, offer: WorkOffer) -> dict[str, Any]:
        """Return the request that creates an unpublished study; `settle` pays its submissions.

        Workers have three times the expected minutes, at least an hour.

        Raises:
            UsageError: The settings have no code of completed work, or a `country`, whose value at
                Prolific is no code.
        """
        if "completed" not in settings.codes:
            what = "Prolific needs one of completed work, such as {completed: C1AB2}"
            raise UsageError(f"codes: {what}")
        if settings.country is not None:
            what = "choose it in the draft at Prolific, and leave the setting out"
            raise UsageError(f"country: {what}")
        query = "&".join(f"{name}={{{{%{name}%}}}}" for name in self.required)
        return {
            "name": settings.name,
            "internal_name": settings.batch,
            "description": settings.purpose or settings.name,
            "external_study_url": f"{offer.address}?{query}",
            "prolific_id_option": "url_parameters",
            "completion_codes": _codes(settings),
            "total_available_places": offer.number,
            "estimated_completion_time": offer.minutes,
            "maximum_allowed_time": max(60, 3 * offer.minutes),
            "reward": offer.reward,
            "device_compatibility": list(DEVICES),
            "peripheral_requirements": _peripherals(settings),
            "filters": _filters(settings),
        }

    def create(
        self, web: Client, request: Mapping[str, Any], credentials: Mapping[str, str], *, test: bool
    ) -> str:
        """Create the study (as of `Recruiter.create`); it stays a draft until it is published."""
        if test:
            raise UsageError(
                "--sandbox: Prolific has none; a study is a draft until you publish it"
            )
        study = _post(web, credentials["PROLIFIC_TOKEN"], "studies/", request)
        return f"draft {study.get('id', '?')} (publish it at Prolific)"

    def redirect(self, code: str) -> str | None:
        """Return Prolific's address for a completion code."""
        return COMPLETE + quote(code, safe="")

    def files(self, orders: Iterable[RecruiterOrder]) -> dict[str, list[list[str]]]:
        """Return lists of worker ids to paste at Prolific: to approve, to reject, for bonuses."""
        files: dict[str, list[list[str]]] = {f"{kind}.csv": [] for kind in ("approve", "reject")}
        files["bonus.csv"] = []
        for order in orders:
            more = {"approve": [], "reject": [order.reason], "bonus": [order.amount]}
            files[f"{order.kind}.csv"].append([order.worker, *more[order.kind]])
        return files

    def send(self, web: Client, order: RecruiterOrder, credentials: Mapping[str, str]) -> None:
        """Send an order to the API (as of `Recruiter.send`)."""
        token = credentials["PROLIFIC_TOKEN"]
        if order.kind == "bonus":
            line = f"{order.worker},{order.amount}"
            body = {"study_id": order.source.get("STUDY_ID", ""), "csv_bonuses": line}
            payment = _post(web, token, "submissions/bonus-payments/", body)
            _post(web, token, f"bulk-bonus-payments/{quote(str(payment['id']), safe='')}/pay/", {})
            return
        body = {"action": "APPROVE"} if order.kind == "approve" else _rejection(order.reason)
        _post(web, token, f"submissions/{quote(order.submission, safe='')}/transition/", body)


RECRUITER = Prolific()


def _rejection(reason: str) -> dict[str, str]:
    message = reason if len(reason) >= SHORTEST_MESSAGE else f"{reason} {MORE}"
    return {"action": "REJECT", "message": message, "rejection_category": "OTHER"}


def _post(web: Client, token: str, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    headers = {"Authorization": f"Token {token}"}
    return accepted(web.post(f"{API}/{path}", json=body, headers=headers))
