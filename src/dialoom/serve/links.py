"""Signed credentials: links, sessions, seat tokens, and the admin's token.

All are signed with HMAC-SHA256 (RFC 2104). Each kind has a key of its own, derived from the study's
secret in the database, so that a seat token cannot be used as a session and a restarted server
accepts them. Signatures are compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Iterable
from typing import Literal, TypeVar, get_args

import msgspec

from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.collect.settings import QUIZ, ROOMS, Stage

LONGEST = 512
"""The most characters of a link or a cookie; longer ones are not read."""

ADMIN_COOKIE = "dialoom_admin"
ADMIN_SECONDS = 12 * 3600
SESSION_SECONDS = 30 * 24 * 3600

SignatureKind = Literal["link", "session", "seat", "admin", "admin session"]


class Link(msgspec.Struct, frozen=True, array_like=True):
    """The content of a link into the study.

    Attributes:
        kind: A study link admits any number of people, an invite one browser, a worker link one
            worker in any browser.
        role: The role of those who use it; None where it is open.
        nonce: A text that differs between links; the worker's id in a worker link, the stage in a
            study link that leads to one.
    """

    kind: Literal["study", "invite", "worker"]
    role: RoomRole | None
    nonce: str

    @property
    def stage(self) -> str:
        """The stage that the link leads to; empty where it leads to the latest open one."""
        to = self.kind == "study" and self.nonce.startswith(_TO)
        return self.nonce.removeprefix(_TO) if to else ""


_TO = "study to "
"""Beginning of the nonce of a study link to a stage, whose name follows."""


class BrowserSession(msgspec.Struct, frozen=True, array_like=True):
    """The content of a link's cookie: the assignment that the browser has.

    Attributes:
        since: When it began (ms since 1970). If a backup of the database is put back, the number
            may come to be another person's.
    """

    cookie: str
    assignment: int
    since: int | None = None


AdminRole = Literal["viewer", "reviewer", "owner"]
"""A viewer of the admin's page may look, a reviewer also review and end, the owner everything."""


class AdminSession(msgspec.Struct, frozen=True, array_like=True):
    """The content of an admin's cookie.

    Attributes:
        until: Its end (ms since 1970).
        renewed: Number of renewals of tokens.
        id: A random text, by which a logout ends this session and no other.
    """

    until: int
    role: AdminRole
    renewed: int
    id: str


def study_links(signer: Signer, stages: Iterable[Stage]) -> dict[str, str]:
    """Return role, or stage of another kind than rooms, to the last part of its study link.

    The link `any` leaves role and stage open.
    """
    entries = list(stages)
    roles: tuple[RoomRole, ...] = ROLES if any(each.kind in ROOMS for each in entries) else ()
    links: dict[str, str] = {role: signer.study_link(role) for role in roles}
    others = [each.name for each in entries if each.kind not in (*ROOMS, QUIZ)]
    if roles or len(others) > 1:
        links |= {name: signer.study_link(None, name) for name in others}
    return {**links, "any": signer.study_link(None)}


T = TypeVar("T", bound=msgspec.Struct)


class Signer:
    """Signs and checks with the study's secret."""

    def __init__(self, secret: bytes) -> None:
        self._keys: dict[str, bytes] = {
            kind: hmac.digest(secret, b"dialoom " + kind.encode(), "sha256")
            for kind in get_args(SignatureKind)
        }

    def link(self, link: Link) -> str:
        """Return the last part of a link's address."""
        return self._write("link", link)

    def study_link(self, role: RoomRole | None, stage: str = "") -> str:
        """Return the link that admits any number of people; the same at every start."""
        return self.link(Link("study", role, f"{_TO}{stage}" if stage else "study"))

    def invite(self, role: RoomRole | None) -> str:
        """Return a new link for one browser."""
        return self.link(Link("invite", role, secrets.token_urlsafe(12)))

    def worker_link(self, worker: str, role: RoomRole | None) -> str:
        """Return the link that proves that its holder is a worker; the same at every start."""
        return self.link(Link("worker", role, worker))

    def read_link(self, text: str) -> Link | None:
        """Return the link of a text; None where its signature is not valid."""
        return self._read("link", text, Link)

    def session(self, session: BrowserSession) -> str:
        """Return the value of a session's cookie."""
        return self._write("session", session)

    def read_session(self, name: str, text: str) -> BrowserSession | None:
        """Return the session in the cookie `name`; None where its signature is not valid."""
        session = self._read("session", text, BrowserSession)
        return session if session is not None and session.cookie == name else None

    def seat_token(self, assignment: int, unit: int) -> str:
        """Return the token by which a page proves that it has a seat."""
        return self._signature("seat", f"{assignment}/{unit}".encode())

    def is_seat_token(self, text: str, assignment: int, unit: int) -> bool:
        """True if a token is that of an assignment's seat in a unit."""
        return _same(text, self.seat_token(assignment, unit))

    def admin_token(self, role: AdminRole = "owner", renewed: int = 0) -> str:
        """Return the token of a role on the admin's page; the same until tokens are renewed."""
        return self._signature("admin", f"{role}/{renewed}".encode())

    def admin_role(self, text: str, renewed: int = 0) -> AdminRole | None:
        """Return the role of an admin's token; None where it is not valid."""
        roles = [r for r in get_args(AdminRole) if _same(text, self.admin_token(r, renewed))]
        return roles[0] if roles else None

    def admin_session(self, until: int, role: AdminRole = "owner", renewed: int = 0) -> str:
        """Return the value of an admin's cookie."""
        session = AdminSession(until, role, renewed, secrets.token_urlsafe(12))
        return self._write("admin session", session)

    def read_admin(self, text: str, now: int, renewed: int = 0) -> AdminSession | None:
        """Return the session in an admin's cookie; None where it is not valid at `now` (ms)."""
        session = self._read("admin session", text, AdminSession)
        if session is None or now >= session.until or session.renewed != renewed:
            return None
        return session

    def _write(self, kind: SignatureKind, value: msgspec.Struct) -> str:
        payload = _encode(msgspec.json.encode(value))
        return f"{payload}.{self._signature(kind, payload.encode())}"

    def _read(self, kind: SignatureKind, text: str, target: type[T]) -> T | None:
        payload, dot, signature = text[: LONGEST + 1].partition(".")
        if not dot or len(text) > LONGEST or not text.isascii():
            return None
        if not _same(signature, self._signature(kind, payload.encode())):
            return None
        padded = payload + "=" * (-len(payload) % 4)
        try:
            return msgspec.json.decode(urlsafe_b64decode(padded), type=target)
        except (msgspec.DecodeError, Error, ValueError):  # signed by another version of ours
            return None

    def _signature(self, kind: SignatureKind, data: bytes) -> str:
        return _encode(hmac.digest(self._keys[kind], data, "sha256"))


def cookie_name(link: str) -> str:
    """Return the name of a link's cookie; a browser may have cookies of several links."""
    return "dialoom_" + hashlib.sha256(link.encode()).hexdigest()[:24]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
